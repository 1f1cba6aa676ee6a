"""Each line and each value of a complete configuration, taken out and changed in turn: drift sees every one.

But for those that change nothing; each of them is listed with the reason.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from drift_cases import compared, running
from sampling import part

# -- EOS ---------------------------------------------------------------------------------------------------------------

_SAME_LINE = {  # a line, taken out (or changed): why the switch does the same without it
    r"   no priority-flow-control priority \d": "a priority is not lossless unless it is said",
    r"   priority-flow-control pause watchdog": "the watchdog is on where PFC is, unless it is taken back",
    r"uc-tx-queue \d      no random-detect ecn": "a queue does not mark unless it is said",
    r"   uc-tx-queue 7": "what is set below then falls to queue 6, and says of it what holds anyway",
    r"uc-tx-queue \d      priority strict": "a queue is strict unless it is said",
    r"   flowcontrol (?:send|receive) off": "802.3x is off unless it is said",
    r"qos map dscp 26 to traffic-class 3": "EOS's own map leads 24-31 to traffic class 3",
    r"qos map dscp 48 to traffic-class 6": "EOS's own map leads 48-55 to traffic class 6",
    r"qos map dscp 56 to traffic-class 7": "EOS's own map leads 56-63 to traffic class 7",
    r"qos map traffic-class (\d) to uc-tx-queue \1": "traffic classes lead to the queues of their numbers by default",
    r"uc-tx-queue 0      no priority": "a queue below a round-robin one is round robin too",
}
_SAME_VALUE = {  # a line with a number changed by one: why the switch does the same
    r"   no priority-flow-control priority \d": "as without it",
    r"uc-tx-queue \d      bandwidth percent \d+": "shares less than a percentage point apart are one",
    r"uc-tx-queue 3      random-detect ecn minimum-threshold \d+ bytes maximum-threshold \d+ bytes "
    "max-mark-probability 100 weight 0": "thresholds are rounded to cells of 254 B",
    r"   uc-tx-queue 7": "says twice what holds of queue 7, and nothing of queue 6, which is strict by default",
    r"qos map dscp (?:\d+ ){50}.* to traffic-class 0": "EOS's own map leads DSCP 8-15 to traffic class 0 as well",
    r"qos map traffic-class [1-5] to uc-tx-queue \d": "no DSCP leads to traffic classes 1, 2, 4 and 5; of two lines "
    "on one traffic class the later one holds",
}


def eos_lines() -> Iterator[tuple[str, list[str], int]]:
    """Each line on RoCE, of alike interfaces those of the first: the queue it is of, all lines, and its place there."""
    lines = running("auto", "spine02").split("\n")
    above = queue = ""
    for n, line in enumerate(lines):
        if not line.strip() or line.lstrip()[0] == "!":
            continue
        above = line if line[0] != " " else above
        queue = line.strip() if line.startswith("   uc-tx-queue") else queue
        of_port = above.startswith("interface") and (line == above or not above.endswith(" Ethernet1/1"))
        if not of_port and not line.startswith(("hostname", "qos profile")):
            yield queue if line.startswith("      ") else "", lines, n


def silent(tmp_path: Path, file: str, text: str) -> bool:
    """Whether drift finds no difference; then it lists what runs otherwise, to the same effect."""
    found = compared("auto", {file: text}, tmp_path)
    told = bool(found.differences or found.uncovered or found.refused or found.running.errors)
    assert told or found.others.same or found.others.statements, text
    return not told


def excused(line: str, of: dict[str, str]) -> bool:
    return any(re.fullmatch(pattern, line) for pattern in of)


def test_each_line_of_eos_taken_out(tmp_path: Path) -> None:
    missed = [
        queue + lines[n]
        for queue, lines, n in eos_lines()
        if silent(tmp_path, "spine02.cfg", "\n".join((*lines[:n], *lines[n + 1 :])))
        != excused(queue + lines[n], _SAME_LINE)
    ]
    assert missed == []


def test_each_number_of_eos_changed(tmp_path: Path) -> None:
    missed = []
    for queue, lines, n in eos_lines():
        line = lines[n]
        for number in re.finditer(r"\d+(?:\.\d+)?", line):
            more = str(round(float(number[0]) * 2, 2)) if "." in number[0] else str(int(number[0]) + 1)
            changed = line[: number.start()] + more + line[number.end() :]
            text = "\n".join((*lines[:n], changed, *lines[n + 1 :]))
            if silent(tmp_path, "spine02.cfg", text) and not (
                excused(queue + changed, _SAME_VALUE) or _overridden(changed, lines[n + 1 :])
            ):
                missed.append(changed)
    assert missed == []


_WORDS = {
    "dscp": "cos",
    "on": "off",
    "strict": "round-robin",
    "no-drop": "drop",
    "drop": "notify-only",
    "bytes": "kbytes",
}


def test_each_word_of_eos_changed(tmp_path: Path) -> None:
    missed = []
    for _, lines, n in part(list(eos_lines()), "rocecfg/vendors/arista", "rocecfg/drift"):
        for word in re.finditer(r"[a-z][\w-]*", lines[n]):
            if word[0] in _WORDS:
                changed = lines[n][: word.start()] + _WORDS[word[0]] + lines[n][word.end() :]
                told = not silent(tmp_path, "spine02.cfg", "\n".join((*lines[:n], changed, *lines[n + 1 :])))
                missed += [] if told else [changed]
    assert missed == []


def _overridden(line: str, later: list[str]) -> bool:
    """Whether a later line says something else of the same traffic class, and holds."""
    found = re.match(r"qos map traffic-class \d ", line)
    return found is not None and any(each.startswith(found[0]) for each in later)


@pytest.mark.parametrize(
    ("lines", "topic"),
    [
        ("qos map dscp 56 to traffic-class 3", "dscp"),  # control into the lossless queue
        ("qos map traffic-class 7 to uc-tx-queue 3", "dscp"),
        ("interface Ethernet1/1\n   qos trust cos", "trust"),
        ("interface Ethernet1/1\n   priority-flow-control priority 4 no-drop", "pfc"),
        ("interface Ethernet1/1\n   uc-tx-queue 3\n      priority strict", "shares"),
        ("interface Ethernet1/1\n   no priority-flow-control pause watchdog", "watchdog"),
        ("interface Ethernet1/1\n   uc-tx-queue 3\n      shape rate 100000", "max_rate"),
        ("interface Ethernet1/1\n   qos cos 3", "unmarked"),
        ("qos profile ROCE-SWITCH\n   uc-tx-queue 3\n      no random-detect ecn count", "counted"),
    ],
)
def test_eos_over_its_profile_and_beside_it(tmp_path: Path, lines: str, topic: str) -> None:
    found = compared("auto", {"spine02.cfg": f"{running('auto', 'spine02')}{lines}\n"}, tmp_path)
    assert topic in {d.topic for d in found.differences}
    assert found.differing


@pytest.mark.parametrize(
    "lines",
    [
        # sorts before the maps do
        "policy-map type quality-of-service PM\ninterface Ethernet1/1\n   service-policy type qos input PM",
        "interface Ethernet1/1\n   no priority-flow-control priority 3",  # the profile says no-drop
        "interface Ethernet1/1\n   uc-tx-queue 3\n      no random-detect ecn",
    ],
)
def test_eos_lines_of_a_port_that_may_win(tmp_path: Path, lines: str) -> None:
    text = f"{running('auto', 'spine02')}{lines}\n"
    found = compared("auto", {"spine02.cfg": text}, tmp_path)
    assert [reach.ports for one in found.uncovered for reach in one.reach] == [("Ethernet1/1",)]
    (place,) = (at for one in found.uncovered for at in one.places)
    assert text[place.start : place.end].strip() == lines.splitlines()[-1].strip()


# -- NVUE --------------------------------------------------------------------------------------------------------------

_DEFAULT = "is what Cumulus Linux has where nothing is set"
_UNUSED = "no DSCP and no 802.1p value leads there"
_SAME_LEAF = {  # a setting of NVUE and what becomes of it: why the switch does the same
    r"qos roce enable gone": "qos roce is on unless it is turned off",
    r"qos roce mode gone": f"lossless {_DEFAULT}",
    r"qos traffic-pool \S+ memory-percent gone": "50 and 50 are what qos roce gives",
    r"qos traffic-pool roce-lossless switch-priority 3 gone": f"priority 3 in the lossless pool {_DEFAULT}",
    r"qos mapping default-global trust gone": "qos roce trusts both, and both takes the DSCP of IP packets",
    r"qos mapping default-global port-default-sp gone": f"0 {_DEFAULT}",
    r"qos mapping default-global dscp (?:[0-7]|2[4-9]|3[01]|48|56) switch-priority gone": f"DSCP/8 {_DEFAULT}",
    r"qos mapping default-global dscp (?:8 switch-priority gone|\d+ switch-priority 1)": "to the queue of 0",
    r"qos egress-queue-mapping default-global switch-priority [0-6] traffic-class gone": "as qos roce has it",
    r"qos egress-queue-mapping default-global switch-priority [1245] traffic-class 1": _UNUSED,
    r"qos pfc default-global switch-priority 3 gone": f"3 {_DEFAULT}",
    r"qos pfc default-global (?:tx|rx) gone": f"enable {_DEFAULT}",
    r"qos congestion-control default-global traffic-class 3 ecn gone": f"enable {_DEFAULT}",
    r"qos congestion-control default-global traffic-class 3 red gone": f"disable {_DEFAULT}",
    r"qos egress-scheduler default-global traffic-class [1245] mode .*": _UNUSED,
    r"qos egress-scheduler default-global traffic-class [036] mode gone": "as qos roce has it",
    r"qos pfc-watchdog polling-interval gone": f"100 {_DEFAULT}",
    r"interface swp1-16 qos pfc-watchdog state gone": f"enable {_DEFAULT} of a watchdog that is there",
}
_OTHERS = {"enable": "disable", "disable": "enable", "l3": "l2", "on": "off", "lossless": "lossy", "dwrr": "strict"}


class _Text(yaml.SafeLoader):
    """Takes every value as it is written."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - as the class above it has it


def nvue_leaves(node: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(node, dict) and node:
        for key, below in node.items():
            yield from nvue_leaves(below, (*path, key))
    else:
        yield path, node


def nvue_changes() -> Iterator[tuple[str, str]]:
    """What is changed, and the whole text with that."""
    operations = yaml.load(running("auto", "spine01"), _Text)  # noqa: S506 - a safe loader
    (number,) = (n for n, each in enumerate(operations) if "qos" in each.get("set", {}))
    for path, value in nvue_leaves(operations[number]["set"]):
        if "dscp" in path and path[4] not in ("0", "8", "26", "48", "56"):
            continue  # the others are like 8
        values: list[str | None] = [None]
        if isinstance(value, str):
            values += [_OTHERS[value]] if value in _OTHERS else []
            values += [str(int(value) + 1 if value in "0123456" else int(value) * 2)] if value.isdigit() else []
        for other in values:
            changed = copy.deepcopy(operations)
            node = changed[number]["set"]
            for key in path[:-1]:
                node = node[key]
            if other is None:
                del node[path[-1]]
            else:
                node[path[-1]] = other
            yield " ".join((*path, other or "gone")), yaml.safe_dump(changed, sort_keys=False)


def test_each_setting_of_nvue_taken_out_and_changed(tmp_path: Path) -> None:
    tried = list(nvue_changes())
    assert len(tried) > 90
    missed = [what for what, text in tried if silent(tmp_path, "spine01.yaml", text) != excused(what, _SAME_LEAF)]
    assert missed == []


@pytest.mark.parametrize(
    ("operation", "topic"),
    [
        ("set: {qos: {roce: {mode: lossy}}}", "roce"),
        ("set: {qos: {roce: {enable: 'off'}}}", "roce"),
        ("unset: {qos: {roce: {}}}", "roce"),
        (
            "set: {qos: {pfc: {default-global: {port-buffer: 300000, xoff-threshold: 100000, xon-threshold: 20000}}}}",
            "headroom",
        ),
        ("set: {qos: {mapping: {default-global: {port-default-sp: 3}}}}", "unmarked"),
        ("set: {qos: {traffic-pool: {roce-lossless: {switch-priority: {'4': {}}}}}}", "pool"),
    ],
)
def test_nvue_beside_what_is_meant(tmp_path: Path, operation: str, topic: str) -> None:
    found = compared("auto", {"spine01.yaml": f"{running('auto', 'spine01')}- {operation}\n"}, tmp_path)
    assert topic in {d.topic for d in found.differences}
    assert found.differing
