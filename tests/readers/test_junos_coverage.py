"""Each statement of Junos configurations taken out, changed, misspelt: a difference names it, or it is told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from changed_configurations import CHANGED, DELETED, REFUSED, Change, Missed, Original, Statement, missed, unfounded
from junos_text import INTENTS, findings, rendered, switches
from seen import Seen

from rocecfg.model.catalogue import find_compared_setting
from rocecfg.source.document import Document
from rocecfg.vendors.junos.domain import BESIDE, is_beside, settings_of
from rocecfg.vendors.junos.reading.statements import join_words, parse_statements

COS = "class-of-service"
HEAD = "set system host-name leaf01\n"
OF_INTERFACES = {
    "mtu": ("mtu",),
    "speed": ("speed",),
    "ether-options": ("flowcontrol", "fec", "lag", "layer", "mtu"),
    "unit": ("mtu", "layer", "trust"),
    "disable": ("up",),
}
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
        "multicast, which is no RDMA",
        f"{_QFX}, Defining CoS Forwarding Classes: queues 8 to 11 are for multicast",
    ),
)
MOST = 30  # exceptions
# A watchdog's times are Juniper's own as soon as it is on.
IMPLYING = re.compile(r"pfc-watchdog[^\n]*$")
WORDS = {"strict-high": "low", "low": "strict-high", "drop": "forward", "af31": "af41", "100g": "400g", "400g": "100g"}
SPELT = {"pfc": "pcf", "no-loss": "noloss"}


def judged(text: str) -> Seen:
    return frozenset((each.rule.name, each.message) for each in findings(text))


def other(word: str) -> str:
    """Another value of the same kind."""
    if re.fullmatch(r"[01]{3}|[01]{6}", word):
        return word[:-1] + ("0" if word[-1] == "1" else "1")
    if word.isdigit():
        return str(int(word) + 1) if word not in ("7", "100") else str(int(word) - 1)
    return WORDS.get(word, f"{word}X")


def lines_of(text: str) -> list[str]:
    """The statements of a text as set lines."""
    return [join_words(line.words) for line in parse_statements(Document(0, "leaf01.conf", text)).active]


def changes(text: str) -> Iterator[Statement]:
    """Each statement of QoS and of ports, and what is done to it."""
    lines = lines_of(text)
    for n, line in enumerate(lines):
        words = tuple(line.split())
        if words[0] not in (COS, "interfaces") or words[1:2] in (("irb",), ("lo0",)) or "description" in words:
            continue
        bears = settings_of(words[1:]) if words[0] == COS else OF_INTERFACES.get(words[2] if len(words) > 2 else "", ())

        def whole(*new: str, at: int = n) -> str:
            return HEAD + "".join(f"set {each}\n" for each in (*lines[:at], *new, *lines[at + 1 :]))

        made = [Change(DELETED, "", whole())]
        if len(words) > 2 and words[-1] not in ("no-loss", "pfc", "explicit-congestion-notification", "pfc-watchdog"):
            new = " ".join((*words[:-1], other(words[-1])))
            made.append(Change(CHANGED, new, whole(new)))
        if words[0] == COS and len(words) > 3:
            slip = " ".join((*words[:-2], f"{words[-2]}z", words[-1]))
            if words[-2] not in ("dscp", "class") and not words[-2].isdigit():
                made.append(Change(REFUSED, slip, whole(slip)))
        form = " ".join(words[:2])
        if "code-points" in words and lines[n - 2 : n - 1] and lines[n - 2].split()[:-1] == line.split()[:-1]:
            continue  # two of a class will do
        yield Statement(form, line, frozenset({*bears, "port", "pcp", "dscp"}), tuple(made))


def original(text: str) -> Original:
    return Original(text, switches, judged, lambda text: lambda at: IMPLYING.search(text[: at.end]))


def check(text: str) -> None:
    whole = HEAD + "".join(f"set {line}\n" for line in lines_of(text))
    found, tried = missed(original(whole), changes(text))
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
    assert all(one.why and one.source for one in BESIDE.values())
    assert all(why and source for _, why, source in SAME)
    assert len(BESIDE) + len(SAME) <= MOST


@pytest.mark.parametrize("name", ["two lossless", "tagged", "mru"])
def test_a_statement_of_what_is_rendered(name: str, tmp_path: Path) -> None:
    one_port = re.sub(r'"et-0/0/\[0-1\]:\[0-1\]"', '"et-0/0/0:0"', INTENTS[name]).replace("[2-3]", "2")
    check(rendered(one_port, tmp_path))


def test_what_a_statement_says_is_no_default(tmp_path: Path) -> None:
    """But for the priority group of a queue, and what pauses it, which follow from what is lossless."""
    one_port = re.sub(r'"et-0/0/\[0-1\]:\[0-1\]"', '"et-0/0/0:0"', INTENTS["two lossless"]).replace("[2-3]", "2")
    whole = HEAD + "".join(f"set {line}\n" for line in lines_of(rendered(one_port, tmp_path)))
    found = unfounded(original(whole), changes(whole))
    assert {topic for topic, _ in found} <= {"group_of", "priority_of"}, found


@pytest.mark.conformance
@pytest.mark.parametrize("sample", ["mtb-leaf1-qfx5240.conf", "5stage-storage-leaf1-qfx5130.conf"])
def test_a_statement_of_a_sample(sample: str, shared: Path) -> None:
    text = (shared / "samples" / "junos" / sample).read_text(encoding="utf-8")
    kept = [line for line in lines_of(text) if line.startswith((COS, "interfaces et-0/0/0", "interfaces et-0/0/2 "))]
    check("".join(f"set {line}\n" for line in kept))
