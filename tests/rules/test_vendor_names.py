"""A finding on one system's switches speaks of no other system: neither what it refuses nor what it does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from intents import POLICY, findings
from loops import loop
from page_cases import INTENT, SWITCHES, laid_out, pages
from sampling import part

from rocecfg.intent import Loaded, load
from rocecfg.linting.finding import Finding
from rocecfg.linting.judge import judge
from rocecfg.model import Fabric
from rocecfg.profiles import SHIPPED
from rocecfg.source.document import Sources
from rocecfg.vendors import VENDORS, join_names, row
from rocecfg.vendors.running import fabric_of, read_drafts

WORDS = {  # a system by the names that messages have for it
    "sonic": re.compile(r"SONiC|config_db|CONFIG_DB|YANG"),
    "spectrum": re.compile(r"NVUE|Cumulus|\bnv set\b"),
    "arista": re.compile(r"\bEOS\b"),
    "junos": re.compile(r"\bJunos\b|\bset class-of-service\b"),
    "srlinux": re.compile(r"\bSR Linux\b|\bset / qos\b"),
}


def _loaded(folder: Path, kind: str, text: str, vendor: str) -> Loaded:
    sources = Sources()
    if kind != INTENT:
        document = sources.add(SWITCHES[kind][1], text)
        return fabric_of(document.path, [(document, read_drafts(document, vendor))], [], sources)
    return load(str(laid_out(folder, text)), sources, vendor)


def _vendors(fabric: Fabric | None, finding: Finding, vendor: str) -> set[str | None]:
    """Whose switches a finding is about; of the fabric as a whole where it names none."""
    if fabric is None:
        return {vendor}
    return {d.vendor for d in fabric.devices if not finding.devices or set(d.names) & set(finding.devices)} or {vendor}


def _sources(fabric: Fabric | None) -> list[str]:
    return [d.box.source for d in fabric.devices if d.box is not None] if fabric is not None else []


@loop("name", part(pages(), "rocecfg/rules"))
def test_a_finding_speaks_of_no_other_system(name: str, tmp_path: Path) -> None:
    for block in pages()[name]:
        if block.section == "fires":
            for vendor in WORDS if block.kind == INTENT else [SWITCHES[block.kind][0]]:
                assert_speaks_of_its_own(_loaded(tmp_path, block.kind, block.text, vendor), vendor)


def assert_speaks_of_its_own(loaded: Loaded, vendor: str) -> None:
    found, failed = judge(loaded)
    assert not failed
    for finding in found:
        own = _vendors(loaded.fabric, finding, vendor)
        reported = "\n".join((finding.message, finding.help, *(word for _, word in finding.related)))
        for source in _sources(loaded.fabric):  # a figure's source is cited as it is
            reported = reported.replace(source, "")
        others = [name for name, words in WORDS.items() if name not in own and words.search(reported)]
        assert not others, f"{finding.rule.name} on {own}: {reported}"


PORTS = {
    "sonic": "Ethernet0",
    "spectrum": "swp1",
    "arista": "Ethernet1/1",
    "junos": "et-0/0/1",
    "nxos": "Ethernet1/1",
    "srlinux": "ethernet-1/1",
}
_REFUSED = [  # what contradicts itself, the rule on it, and whose systems refuse it
    (POLICY.replace("kmin: 400KB, kmax: 1600KB", "kmin: 1600KB, kmax: 400KB"), "ecn-order", ("sonic", "junos")),
    (POLICY.replace("poll_interval: 100ms", "poll_interval: 300ms"), "watchdog-poll", ("sonic",)),
    (POLICY.replace("bandwidth: 40}", "bandwidth: 60}"), "ets-sum", ("spectrum", "junos")),
]


@pytest.mark.parametrize(("text", "rule", "refuses"), _REFUSED, ids=[rule for _, rule, _ in _REFUSED])
def test_who_refuses_what_is_said_of_the_systems_concerned(
    text: str, rule: str, refuses: tuple[str, ...], tmp_path: Path
) -> None:
    """One mistake of a mixed fabric is one finding, which names who refuses it where it has such switches."""
    for vendors in (*((vendor,) for vendor in VENDORS), VENDORS):
        devices = "".join(
            f"  {vendor}1: {{vendor: {vendor}, platform: {row(vendor).platform}, ports: {{{PORTS[vendor]}: {{}}}}}}\n"
            for vendor in vendors
        )
        found = [f for f in findings(tmp_path, f"{text}devices:\n{devices}") if f.rule == rule]
        contradicts = rule != "watchdog-poll" or any(SHIPPED.nos(each).knows("port.watchdog.poll") for each in vendors)
        assert len(found) == contradicts, vendors
        if not contradicts:  # times that none of them has
            continue
        titles = [row(vendor).title for vendor in vendors if vendor in refuses]
        told = re.search(r"and (\w.*) refuses? it", found[0].message)
        assert (told[1] if told else "") == (join_names(titles) if titles else "")
