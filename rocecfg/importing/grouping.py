"""Switches that differ from many others in little: under a key of their own stands only what differs.

The others' key names them too: of two node sets, one within the other, the narrower wins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rocecfg.core.records import NamedTuple
from rocecfg.importing.build import Box, Part
from rocecfg.importing.format import Block
from rocecfg.importing.portsets import by_number
from rocecfg.importing.texts import SwitchText
from rocecfg.source.write import Value

_TIMES = 2  # as many switches have to be alike for others to be called different from them
_SAVED = 2  # how many times shorter the difference has to be


class Group(NamedTuple):
    """Switches under one key, and what is said of them."""

    switches: tuple[SwitchText, ...]
    box: Box
    differs: bool = False  # it stands below a wider group, and says what differs from it


def grouped(boxes: Sequence[Box], switches: Sequence[SwitchText]) -> list[Group]:
    """The groups of equal switches in the order of their first; those that differ from one in little, behind it."""
    found: dict[Box, list[SwitchText]] = {}
    for box, switch in zip(boxes, switches, strict=True):
        found.setdefault(box, []).append(switch)
    wide: dict[Box, list[Group]] = {}  # with those that differ from them
    for box in sorted(found, key=lambda box: -len(found[box])):
        for other, narrow in wide.items():
            few = len(found[other]) >= _TIMES * len(found[box])
            differing = _difference(other, box) if few else None
            if differing is not None and _SAVED * _size(differing) <= _size(box):
                narrow.append(Group(tuple(found[box]), differing, differs=True))
                break
        else:
            wide[box] = []
    out: list[Group] = []
    for box in (box for box in found if box in wide):
        below = [switch for group in wide[box] for switch in group.switches]
        out += [Group((*found[box], *below), box), *wide[box]]
    return out


def _difference(wide: Box, narrow: Box) -> Box | None:
    """What is said of a switch beyond what is said of others; None where they say what it cannot take back."""
    stated = _beyond(wide.stated, narrow.stated)
    where = {name: n for n, part in enumerate(wide.ports) for name in part.names}
    if stated is None or wide.guessed != narrow.guessed:
        return None
    if where.keys() - {name for part in narrow.ports for name in part.names}:
        return None
    found: dict[tuple[int | None, Block], list[str]] = {}
    for part in narrow.ports:
        for name in part.names:
            of = where.get(name)
            own = _beyond(wide.ports[of].stated, part.stated) if of is not None else part.stated
            if own is None:
                return None
            if own or of is None:
                found.setdefault((of, Block(own)), []).append(name)
    parts = (Part(tuple(sorted(names, key=by_number)), own) for (_, own), names in found.items())
    return Box(Block(stated), tuple(parts), guessed=False)


def _beyond(wide: Mapping[str, Value], narrow: Mapping[str, Value]) -> dict[str, Value] | None:
    """The same of two mappings. Within `headroom` the format would mix the two."""
    if wide.keys() - narrow.keys():
        return None
    out: dict[str, Value] = {}
    for key, value in narrow.items():
        have = wide.get(key)
        if have == value:
            continue
        if key == "ecn" or not (isinstance(have, dict) and isinstance(value, dict)):
            out[key] = value
            continue
        own = _beyond(have, value) if key != "headroom" else None
        if own is None:
            return None
        out[key] = own
    return out


def _size(of: Box) -> int:
    """How much it says."""
    return _leaves(of.stated) + sum(1 + _leaves(part.stated) for part in of.ports)


def _leaves(value: Value) -> int:
    return sum(map(_leaves, value.values())) if isinstance(value, dict) else 1
