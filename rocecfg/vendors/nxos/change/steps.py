"""From the blocks that run and those that are to be to the lines between, in safe order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import ranges
from rocecfg.vendors.changes import Step
from rocecfg.vendors.nxos.change.target import TargetTree
from rocecfg.vendors.nxos.change.tree import GLOBALLY, MARKS, Lines, Tree, codes_of
from rocecfg.vendors.nxos.procedure import PROCEDURE
from rocecfg.vendors.nxos.settings import QOS, SYSTEM
from rocecfg.vendors.procedure import make_step
from rocecfg.vendors.table import Path

# In the order in which they are typed: PFC that goes is off before what it needs goes, a policy is complete before it
# is bound, a watchdog watches before PFC comes on, and what nothing names any more goes last.
# What a class takes no more goes after what takes it from then on: in between it is in a class, not in qos-group 0.
_NO_PFC, _CLASSES, _POLICIES, _GONE_MARK, _OF_SWITCH, _OF_PORTS, _BOUND, _WATCH, _PFC, _GONE_POLICY, _GONE_CLASS = (
    range(11)
)
_STICKY = (("watch", ["disable-action"]), ("pause", ["receive"]))  # last words that the line without them may leave
# What to type behind `no` where it is not the whole line: of these two Cisco's reference has all words as optional.
_UNDO = {"strict": "priority", "curve": "random-detect"}


class _Typed(NamedTuple):
    rank: int
    place: Path
    text: str


def plan_steps(running: Tree, target: TargetTree) -> tuple[Step, ...]:
    """The change; () where there is none."""
    typed = sorted(dict.fromkeys(_list_edits(running, target)), key=lambda each: each.rank)
    if not typed:
        return ()
    lines = list(_format_lines(typed, running, target))
    return (make_step(PROCEDURE, (each.text for each in typed), lines),)


def _list_edits(running: Tree, target: TargetTree) -> Iterator[_Typed]:
    for place, lines in target.blocks.items():
        have = running.blocks.get(place)
        if have is None and place[:1] in (("class-map",), ("policy-map",)) and not lines:
            yield _Typed(_rank_block(place), place, "")  # it is opened, and nothing stands in it
        yield from _list_lines(place, have or {}, lines)
    for place in running.blocks:
        if place in target.blocks or place[:1] not in (("class-map",), ("policy-map",)):
            continue
        if place[:1] == ("class-map",):
            yield _Typed(_GONE_CLASS, GLOBALLY, f"no class-map type {place[1]} match-any {place[2]}")
        elif len(place) == 3:
            yield _Typed(_GONE_POLICY, GLOBALLY, f"no policy-map type {place[1]} {place[2]}")
        elif place[:3] in target.blocks:
            of = place[4] if place[1] == QOS else f"type {place[1]} {place[4]}"
            yield _Typed(_GONE_POLICY, place[:3], f"no class {of}")


def _list_lines(place: Path, have: Lines, lines: Lines) -> Iterator[_Typed]:
    if place[:1] == ("class-map",):  # values merge: each is in the class, or not
        for word in MARKS:
            old, new = codes_of(have, word), codes_of(lines, word)
            if added := sorted(new - old):
                yield _Typed(_CLASSES, place, f"match {word} {ranges(added)}")
            if gone := sorted(old - new):
                yield _Typed(_GONE_MARK, place, f"no match {word} {ranges(gone)}")
        have, lines = (
            {text: text for text in own if text.split()[:2] not in [["match", word] for word in MARKS]}
            for own in (have, lines)
        )
    for key, text in have.items():
        if key not in lines:
            undo = text if place[:1] == ("class-map",) else _UNDO.get(key, text)
            yield _Typed(_rank(place, key, text, gone=True), place, f"no {undo}")
    for key, text in lines.items():
        if have.get(key) != text:
            if (key, have.get(key, "").split()[-1:]) in _STICKY:
                yield _Typed(_rank(place, key, text, gone=False), place, f"no {have[key]}")
            yield _Typed(_rank(place, key, text, gone=False), place, text)


def _rank_block(place: Path) -> int:
    return _CLASSES if place[0] == "class-map" else _POLICIES


def _rank(place: Path, key: str, text: str, *, gone: bool) -> int:
    if place[:1] == ("class-map",):
        return _CLASSES
    if place[:1] == ("policy-map",):
        return (_NO_PFC if gone else _PFC) if key == "pause" else _POLICIES
    if place == (SYSTEM,):
        return _BOUND
    if key == "watch":
        return _GONE_POLICY if gone or text.endswith(" off") else _WATCH
    if key == "override":
        return _PFC if gone else _NO_PFC
    if key == "mode":
        return _PFC if " mode on" in text else _NO_PFC
    return _OF_SWITCH if place == GLOBALLY else _OF_PORTS


def _format_lines(typed: list[_Typed], running: Tree, target: TargetTree) -> Iterator[str]:
    for place, lines in groupby(typed, key=lambda each: each.place):
        of = running if place in running.blocks else target.meant
        heads = of.head_of(place)
        yield from heads
        indent = "  " * len(heads)
        yield from (f"{indent}{each.text}" for each in lines if each.text)
