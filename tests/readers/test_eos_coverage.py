"""Every line of EOS configurations taken out, changed and misspelt: a difference names it, or it is told otherwise."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from changed_configurations import DELETED, Missed, Original, missed
from conformance import run_validator
from eos_changes import forms, made, statements, whole_switches
from eos_grammar import written
from eos_text import findings, switches
from seen import Seen

from rocecfg.model.catalogue import find_compared_setting
from rocecfg.vendors.arista.domain import TABLE, is_beside, settings_of
from rocecfg.vendors.arista.reading.names import family_of
from rocecfg.vendors.arista.release import SAND

pytestmark = pytest.mark.conformance

# Lines that may be changed in silence beside those of rows that say why: where they stand, and why.
SAME = (
    (r"other-if: .*", "an interface without queues: management, loopback, VLAN"),
    (r"global: ip hardware fib load-balance distribution hash", "what EOS does by itself, whether it is said or not"),
)
# Lines that may be taken out in silence, since the model has no place for what they say is not so: which, why, and who
# says so. Of all others it is held that the setting is the same, and is a default.
USUAL = (
    (
        (
            r"no (?:priority-flow-control (?:priority|pause watchdog)|shape rate|bandwidth percent|random-detect drop|"
            r"flowcontrol (?:send|receive)|qos rewrite dscp|vxlan qos)\b.*"
        ),
        "takes back what is off, or EOS's own, unless it is said",
        "show running-config all of 7260CX, which prints these where nothing is configured; AVD schema",
    ),
    (
        r"priority-flow-control priority \d drop|flowcontrol (?:send|receive) off",
        "off by default",
        "the same, where it is not a priority-flow-control priority N and no flowcontrol",
    ),
)
# What a port is by default hangs on its layer; that it is in one may be told by what only such a port has, and a queue
# is a strict one as soon as it is there.
IMPLYING = re.compile(r"\s*(?:(?:no )?switchport\b|ip(?:v6)? address|(?:uc-)?tx-queue \d$)")
ABOUT = "rocecfg/vendors/arista"
MOST = 30  # exceptions
SAMPLES = (
    "avd-5stage-spine-dangling-profile.cfg",
    "avd-platform-mmu.cfg",
    "avd-qos.cfg",
    "real-7260cx-4.19.1F-run-all.cfg",
)


def judged(text: str) -> Seen:
    return frozenset((each.rule.name, each.message) for each in findings(text))


@pytest.fixture(scope="module")
def tool(eos_validator: Path) -> Path:
    return eos_validator


def excused(one: Missed) -> bool:
    """Whether a change may be silent; lines that say what is so by default alone are, if another value is shown."""
    line = one.words.rpartition("\n")[2]
    usual = one.kind == DELETED and one.counts and any(re.fullmatch(form, line) for form, *_ in USUAL)
    return usual or any(re.fullmatch(form, one.form) for form, _ in SAME)


def original(text: str) -> Original:
    return Original(text, switches, judged, lambda text: lambda at: IMPLYING.match(text[at.start : at.end]))


def check(text: str, tool: Path) -> None:
    found, tried = missed(original(text), statements(text, tool), ABOUT)
    assert [one for one in found if not excused(one)] == []
    assert tried


def test_every_form_of_the_grammar_is_in_the_domain(tool: Path) -> None:
    """It bears on settings, or there is a reason why not: so the domain cannot shrink."""
    lines = {form.pattern: list(written(form.pattern)) for form in forms(tool) if form.enters != "@interface"}
    assert [form for form, each in lines.items() if not all(is_beside(x) or settings_of(x) for x in each)] == []
    assert len([form for form, each in lines.items() if not any(map(is_beside, each))]) >= 85
    beside = {(row.beside, row.source) for row in TABLE.rows if row.beside}
    assert len(beside) + len(SAME) + len(USUAL) <= MOST
    assert all(source for _, source in beside)


def test_what_the_domain_names_is_in_the_catalogue(tool: Path) -> None:
    named = {setting for form in forms(tool) for line in written(form.pattern) for setting in settings_of(line)}
    named |= TABLE.changed
    assert {setting for setting in named if find_compared_setting(setting) is None} == set()


def test_the_configuration_with_every_form_is_valid(tool: Path, tmp_path: Path) -> None:
    parts = made(tool)
    paths = [tmp_path / f"{n}.cfg" for n in range(len(parts))]
    for path, text in zip(paths, parts, strict=True):
        path.write_text(text, encoding="utf-8")
    done = run_validator(tool, *paths)
    assert done.returncode == 0, done.stdout
    lines = [line.strip().removeprefix("no ") for text in parts for line in text.split("\n")]
    left = [
        form.pattern
        for form in forms(tool)
        if not form.plain and not any(form.line.match(line) or form.line.match(f"no {line}") for line in lines)
    ]
    assert left == []


@pytest.mark.parametrize("part", range(13))
def test_a_line_of_the_configuration_with_every_form(part: int, tool: Path) -> None:
    parts = made(tool)
    assert len(parts) == 13
    check(parts[part], tool)


JERICHO = "DCS-7280R4-32QF-32DF"


def test_a_line_of_a_jericho_switch(tool: Path) -> None:
    assert family_of(JERICHO) == SAND
    text = whole_switches("arista-7280r4-32qf-32df", JERICHO)["p0001-leaf1"]
    assert "hardware counter feature ecn out" in text
    check(text, tool)
    check(made(tool)[0].replace("DCS-7060X6-64PE", JERICHO), tool)


def test_a_line_of_a_leaf(tool: Path) -> None:
    check(whole_switches()["p0001-leaf1"], tool)


def test_a_line_of_a_spine(tool: Path) -> None:
    check(whole_switches()["p0001-spine2"], tool)


@pytest.mark.parametrize("sample", SAMPLES)
def test_a_line_of_a_sample(sample: str, tool: Path, shared: Path) -> None:
    check((shared / "samples" / "eos" / sample).read_text(encoding="utf-8"), tool)


def test_every_sample_is_here(shared: Path) -> None:
    assert sorted(path.name for path in (shared / "samples" / "eos").iterdir()) == sorted(SAMPLES)
