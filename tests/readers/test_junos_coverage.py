"""Each statement of Junos configurations taken out, changed, misspelt: a difference names it, or it is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from changed_configurations import Missed, Original, missed, unfounded
from junos_statements import COS, HEAD, changes, lines_of
from junos_text import INTENTS, findings, rendered, switches
from seen import Seen

from rocecfg.model.catalogue import find_compared_setting
from rocecfg.vendors.junos.settings import TABLE, is_beside, settings_of

# What may be changed in silence: which statement, why, and who says so. Of all others that are taken out in silence it
# is held that the setting is the same, and is a default.
_CLI = "juniper.net, Junos CLI reference"
_MODEL = "Juniper's native configuration model of 24.4R1 (Juniper/yang)"
_QFX = "juniper.net, CoS user guide for QFX"
SAME = (
    (
        r"interfaces \S+ (?:unit \S+ family inet6 )?mtu \d+",
        "where family inet has less, that is what is carried",
        f"{_CLI}, mtu (interfaces), of the media and of a protocol: the lesser one is derived from it",
    ),
    (
        r"interfaces \S+:\d disable",
        "a part of a port that is not split",
        f"{_MODEL}, interfaces/interface/number-of-sub-ports; that disable says nothing there: unverified",
    ),
    (
        rf"{COS} classifiers \S+ \S+ forwarding-class (?:DEFAULT|fc0) .*",
        "a code point that is left out is best effort",
        "juniper.net, Default Forwarding Classes: what a classifier does not assign is of queue 0; of QFX: unverified",
    ),
    (
        rf"{COS} scheduler-maps \S+ forwarding-class fc[234] scheduler \S+|{COS} forwarding-classes class fc[234] .*",
        "of a class that nothing is sorted into",
        f"{_QFX}, Defining CoS Forwarding Classes: a class is what packets are mapped to",
    ),
    (
        r"interfaces \S+ (?:description|unit \S+ family (?:inet6?|ethernet-switching)(?! mtu)|number-of-sub-ports) .*",
        "addresses, VLANs, filters and the split of a port that is split anyway: no queue",
        f"{_MODEL}, interfaces/interface: outside class-of-service",
    ),
    (
        rf"{COS} forwarding-classes class mcast-fc queue-num 8",
        "multicast, which is not RDMA",
        f"{_QFX}, Defining CoS Forwarding Classes: queues 8 to 11 are for multicast",
    ),
)
ABOUT = "rocecfg/vendors/junos"
MOST = 30  # exceptions
# A watchdog's times are Juniper's own as soon as it is on.
IMPLYING = re.compile(r"pfc-watchdog[^\n]*$")


def judged(text: str) -> Seen:
    return frozenset((each.rule.name, each.message) for each in findings(text))


def original(text: str) -> Original:
    return Original(text, switches, judged, lambda text: lambda at: IMPLYING.search(text[: at.end]))


def check(text: str) -> None:
    whole = HEAD + "".join(f"set {line}\n" for line in lines_of(text))
    found, tried = missed(original(whole), changes(text), ABOUT)
    left = [one for one in found if not excused(one)]
    assert left == []
    assert tried > 50


def excused(one: Missed) -> bool:
    words = tuple(one.words.split())
    return (words[0] == COS and is_beside(words[1:])) or any(re.fullmatch(form, one.words) for form, *_ in SAME)


def test_what_the_domain_names_is_in_the_catalogue() -> None:
    sections = ("forwarding-classes", "classifiers", "schedulers", "congestion-notification-profile", "shared-buffer")
    named = {topic for section in sections for topic in settings_of((section, "x"))}
    named |= {
        topic for word in ("classifiers", "scheduler-map", "x") for topic in settings_of(("interfaces", "p", word))
    }
    assert {topic for topic in named if find_compared_setting(topic) is None} == set()
    beside = {(row.beside, row.source) for row in TABLE.rows if row.beside}
    assert all(source for _, source in beside)
    assert all(why and source for _, why, source in SAME)
    assert len(beside) + len(SAME) <= MOST


@pytest.mark.parametrize("name", ["two lossless", "tagged", "mru"])
def test_a_statement_of_what_is_rendered(name: str, tmp_path: Path) -> None:
    one_port = re.sub(r'"et-0/0/\[0-1\]:\[0-1\]"', '"et-0/0/0:0"', INTENTS[name]).replace("[2-3]", "2")
    check(rendered(one_port, tmp_path))


def test_what_a_statement_says_is_no_default(tmp_path: Path) -> None:
    """But for the priority group of a queue, and what pauses it, which follow from what is lossless."""
    one_port = re.sub(r'"et-0/0/\[0-1\]:\[0-1\]"', '"et-0/0/0:0"', INTENTS["two lossless"]).replace("[2-3]", "2")
    whole = HEAD + "".join(f"set {line}\n" for line in lines_of(rendered(one_port, tmp_path)))
    found = unfounded(original(whole), changes(whole), ABOUT)
    assert {topic for topic, _ in found} <= {"group_of", "priority_of"}, found


@pytest.mark.conformance
@pytest.mark.parametrize("sample", ["mtb-leaf1-qfx5240.conf", "5stage-storage-leaf1-qfx5130.conf"])
def test_a_statement_of_a_sample(sample: str, shared: Path) -> None:
    text = (shared / "samples" / "junos" / sample).read_text(encoding="utf-8")
    kept = [line for line in lines_of(text) if line.startswith((COS, "interfaces et-0/0/0", "interfaces et-0/0/2 "))]
    check("".join(f"set {line}\n" for line in kept))
