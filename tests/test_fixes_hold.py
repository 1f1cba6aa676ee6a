"""What a finding tells to write lints clean: every fix and every value offered in the pages of rules is tried out."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from loops import loop
from page_cases import INTENT, laid_out, pages

from rocecfg.intent import load
from rocecfg.linting.finding import Finding
from rocecfg.linting.judge import judge
from rocecfg.rules import ERROR, WARNING
from rocecfg.source.document import Sources

CASES = {
    name: [block.text for block in blocks if block.section == "fires" and block.kind == INTENT]
    for name, blocks in pages().items()
}
# What a help tells to write in the place of what it is about: `write 150KB (150000 bytes) if that is meant`, `pg: 3`.
VALUE = re.compile(r"write (?P<offer>[^ ,]+)(?: \(.*\))? if that is intended|[a-z_]+: (?P<value>[\w.%]+)")


class Place(NamedTuple):
    """A rule and the line that it found something in."""

    line: int
    rule: str


def found(path: Path) -> tuple[list[Finding], Sources]:
    sources = Sources()
    findings, failed = judge(load(str(path), sources))
    assert not failed
    return findings, sources


def reported(path: Path, *severities: str) -> set[Place]:
    """What is found of these severities in the file."""
    findings, sources = found(path)
    return {
        Place(sources.documents[f.at.doc].place(f.at.start)[0], f.rule.name)
        for f in findings
        if f.severity in severities and f.at is not None and Path(sources.documents[f.at.doc].path) == path
    }


def offers(path: Path) -> list[tuple[str, Place, str]]:
    """The text with each value in its place that a help offers, what it fixes, and the help."""
    findings, sources = found(path)
    out = []
    for f in findings:
        match = VALUE.fullmatch(f.help)
        if match is None or f.at is None or Path(sources.documents[f.at.doc].path) != path:
            continue
        document = sources.documents[f.at.doc]
        value = match["offer"] or match["value"]
        changed = document.text[: f.at.start] + value + document.text[f.at.end :]
        out.append((changed, Place(document.place(f.at.start)[0], f.rule.name), f.help))
    return out


def try_offers(path: Path, *severities: str) -> int:
    """Try out what helps offer: it is fixed, and nothing new is found in the line. How many there were."""
    before = reported(path, *severities)
    tried = offers(path)
    for text, remedies, help in tried:
        path.write_text(text, encoding="utf-8")
        after = {place for place in reported(path, *severities) if place.line == remedies.line}
        assert after <= before - {remedies}, help
    return len(tried)


@loop("rule", CASES)
def test_a_value_that_a_help_offers_lints_clean_where_it_is_written(rule: str, tmp_path: Path) -> None:
    for text in CASES[rule]:
        try_offers(laid_out(tmp_path, text), ERROR)


POLICY = """\
rocecfg: 1
fabric: {name: f, rtt: 8us}
defaults: {vendor: %(vendor)s}
buffers: {lossless_mtu: %(lossless_mtu)s}
classes:
  rdma:
    carries: [rdma]
    dscp: 26
    priority: 3
    lossless: true
    bandwidth: 60
    ecn:
      kmin: %(kmin)s
      kmax: %(kmax)s
      pmax: %(pmax)s
  cnp: {carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}
  control: {carries: [control], dscp: 56, priority: 7, bandwidth: strict}
  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 40}
pfc:
  watchdog:
    detection_time: %(detection_time)s
    restoration_time: 400ms
    poll_interval: 100ms
    action: drop
"""
GOOD = {
    "vendor": "sonic", "lossless_mtu": "9100B", "kmin": "400KB", "kmax": "1600KB", "pmax": "5%",
    "detection_time": "200ms",
}  # fmt: skip
BARE = [  # as they are written in papers and on switches
    ("kmin", "150000"), ("kmin", "400"), ("kmin", "409600"), ("kmax", "1500000"), ("kmax", "2097152"), ("kmax", "1600"),
    ("pmax", "0.05"), ("pmax", "0.2"), ("pmax", "5"), ("pmax", "1"), ("pmax", "100"), ("pmax", "0.01"),
    ("detection_time", "200"), ("detection_time", "0.2"), ("lossless_mtu", "9100"),
]  # fmt: skip


@pytest.mark.parametrize(("key", "bare"), BARE)
@pytest.mark.parametrize("vendor", ["sonic", "spectrum"])
def test_a_bare_number_is_offered_as_what_lints_clean(vendor: str, key: str, bare: str, tmp_path: Path) -> None:
    path = tmp_path / "fabric.yaml"
    path.write_text(POLICY % {**GOOD, "vendor": vendor}, encoding="utf-8")
    assert reported(path, ERROR, WARNING) == set()
    path.write_text(POLICY % {**GOOD, "vendor": vendor, key: bare}, encoding="utf-8")
    assert try_offers(path, ERROR, WARNING) == 1
    assert reported(path, ERROR, WARNING) == set()
