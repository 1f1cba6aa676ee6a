"""Junos: every statement that is rendered taken out, and changed, in turn: drift tells it, or it means the same."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from change_pairs import lines
from intents import rocecfg
from junos_statements import COS, changes
from junos_text import INTENTS, displayed, typed
from sampling import part
from test_junos_change import case, whole

NAMES = ("two lossless", "mru", "buffers", "own watchdog", "untrusted", "junos os paused")


class Same(NamedTuple):
    """What stays silent, and why it means the same."""

    statement: str
    new: str  # what stands in its place
    why: str
    source: str


SAME = (
    Same(
        rf"{COS} classifiers \S+ \S+ forwarding-class DEFAULT .*",
        r".*",
        "a code point that is left out is best effort",
        "Juniper, Default Forwarding Classes: what a classifier does not assign is of queue 0; of QFX: unverified",
    ),
    Same(
        rf"{COS} schedulers \S+ transmit-rate percent \d+",
        r".*",
        "shares less than a percentage point apart, of all the queues', are one",
        "rocecfg: 61 of 101 is 60.4 percent, where 60 is intended",
    ),
    Same(
        rf"{COS} schedulers \S+ priority low", "", "low is what a queue has by itself", "Juniper, priority (Schedulers)"
    ),
    Same(
        rf"{COS} congestion-notification-profile \S+ pfc-watchdog "
        r"(?:poll-interval 100|detection 2|watchdog-action drop)",
        "",
        "the watchdog's own",
        "Juniper, pfc-watchdog: 100 ms, two polls, drop",
    ),
    Same(
        rf"{COS} congestion-notification-profile \S+ output ieee-802.1 code-point 011 flow-control-queue 3",
        "",
        "without output, queue 3 obeys priority 3",
        "Juniper, congestion-notification-profile (QFX)",
    ),
    Same(
        rf"{COS} interfaces \S+ unit \* forwarding-class DEFAULT",
        r"|.* forwarding-class DEFAULTX",
        "best effort is what unmarked packets get; of a class that is nowhere defined lint speaks",
        "Juniper, Default Forwarding Classes; of layer-3 ports: unverified",
    ),
    Same(
        r"interfaces \S+ ether-options configured-flow-control tx-buffers off",
        r"|.* offX",
        "off is the default; there is no other word than on and off",
        "Juniper, configured-flow-control",
    ),
)


@pytest.fixture(scope="module", params=NAMES)
def swept(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, dict[tuple[str, str], bool]]:
    """Statement and what stands in its place -> whether drift says something."""
    folder = tmp_path_factory.mktemp("swept")
    of = case(request.param, folder)
    text = displayed(whole(request.param, folder))
    assert of.drift(text) == {}
    found = {}
    every = list(changes(text))
    assert sum(len(statement.changes) for statement in every) > 100
    for statement in part(every, "rocecfg/vendors/junos", "rocecfg/drift", "rocecfg/model"):
        for change in statement.changes:
            outcome = of.compared(change.text)
            found[statement.words, change.new] = bool(outcome.wanted) or bool(outcome.found.switch.unread)
    return request.param, found


def test_every_statement_that_is_rendered_is_compared(swept: tuple[str, dict[tuple[str, str], bool]]) -> None:
    silent = [(words, new) for (words, new), shown in swept[1].items() if not shown]
    assert [each for each in silent if not any(is_same(one, *each) for one in SAME)] == []


def test_each_exception_is_needed(tmp_path: Path) -> None:
    every = [
        (statement.words, change.new)
        for name in NAMES
        for statement in changes(displayed(whole(name, tmp_path)))
        for change in statement.changes
    ]
    assert [one.statement for one in SAME if not any(is_same(one, *each) for each in every)] == []


def is_same(one: Same, words: str, new: str) -> bool:
    return re.fullmatch(one.statement, words) is not None and re.fullmatch(one.new, new) is not None


@pytest.mark.parametrize(
    ("name", "statement"),
    [
        ("buffers", "shared-buffer ingress buffer-partition lossless-headroom percent 24"),
        ("buffers", "shared-buffer egress buffer-partition lossless percent 66"),
        ("buffers", "shared-buffer egress buffer-partition lossy percent 34"),
        ("two lossless", "congestion-notification-profile ROCE-PFC input dscp code-point 100010 pfc"),
        ("two lossless", "forwarding-classes class STORAGE pfc-priority 4"),
    ],
)
def test_the_change_puts_it_back(name: str, statement: str, tmp_path: Path) -> None:
    of = case(name, tmp_path)
    text = displayed(whole(name, tmp_path))
    line = f"set {COS} {statement}\n"
    assert line in text
    fixed = of.fixed(text.replace(line, ""))
    assert fixed.left == {}
    assert lines(fixed) == (line.rstrip(),)
    assert of.drift(typed(text.replace(line, ""), lines(fixed))) == {}


def test_a_profile_without_the_mru_that_another_has_is_not_called_compared(tmp_path: Path) -> None:
    of = case("mru", tmp_path)
    text = displayed(whole("mru", tmp_path))
    line = f"set {COS} congestion-notification-profile ROCE-PFC input dscp code-point 011010 mru 4200\n"
    assert line in text
    (one,) = of.compared(text.replace(line, "")).found.switch.unread
    assert one.message == "pfc without an mru where another profile or code point has mru 4200: not checked"
    assert one.topics == ("buffers",)
    assert of.compared(text).found.switch.unread == ()


def test_a_partition_that_follows_from_the_pools_is_told_with_their_place(tmp_path: Path) -> None:
    (tmp_path / "fabric.yaml").write_text(INTENTS["buffers"], encoding="utf-8")
    text = displayed(whole("buffers", tmp_path)).replace("lossless-headroom percent 24", "lossless-headroom percent 20")
    (tmp_path / "leaf01.conf").write_text(text, encoding="utf-8")
    done = rocecfg(tmp_path, "drift", "fabric.yaml", "--running", "leaf01.conf", expect=1)
    place = text[: text.index("lossless-headroom percent")].count("\n") + 1
    (line,) = (line for line in done.stdout.splitlines() if "lossless-headroom.percent" in line)
    assert line.startswith("  ingress lossless-headroom.percent: meant 24% (computed: lossless 66% and lossy 10%")
    assert line.endswith(f"running 20% (leaf01.conf:{place})")
