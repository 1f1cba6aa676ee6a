"""Switches that differ from many others in little: under a key of their own stands only what differs.

The others' key names them too: of two node sets, one within the other, the narrower wins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rocecfg.core.records import NamedTuple
from rocecfg.importing.build import DeviceBody, PortsBody
from rocecfg.importing.format import Mapped
from rocecfg.importing.portsets import by_number
from rocecfg.importing.texts import SwitchText
from rocecfg.source.write import Value

_TIMES = 2  # as many switches have to be alike for others to be called different from them
_SAVED = 2  # how many times shorter the difference has to be


class SwitchGroup(NamedTuple):
    """Switches under one key, and what is said of them."""

    switches: tuple[SwitchText, ...]
    box: DeviceBody
    differs: bool = False  # it stands below a wider group, and says what differs from it


def group_switches(boxes: Sequence[DeviceBody], switches: Sequence[SwitchText]) -> list[SwitchGroup]:
    """The groups of equal switches in the order of their first; those that differ from one in little, behind it."""
    found: dict[DeviceBody, list[SwitchText]] = {}
    for box, switch in zip(boxes, switches, strict=True):
        found.setdefault(box, []).append(switch)
    wide: dict[DeviceBody, list[SwitchGroup]] = {}  # with those that differ from them
    for box in sorted(found, key=lambda box: -len(found[box])):
        for other, narrow in wide.items():
            few = len(found[other]) >= _TIMES * len(found[box])
            differing = _find_difference(other, box) if few else None
            if differing is not None and _SAVED * _count_settings(differing) <= _count_settings(box):
                narrow.append(SwitchGroup(tuple(found[box]), differing, differs=True))
                break
        else:
            wide[box] = []
    out: list[SwitchGroup] = []
    for box in (box for box in found if box in wide):
        below = [switch for group in wide[box] for switch in group.switches]
        out += [SwitchGroup((*found[box], *below), box), *wide[box]]
    return out


def _find_difference(wide: DeviceBody, narrow: DeviceBody) -> DeviceBody | None:
    """What is said of a switch beyond what is said of others; None where they say what it cannot take back."""
    stated = _find_beyond(wide.stated, narrow.stated)
    where = {name: n for n, part in enumerate(wide.ports) for name in part.names}
    if stated is None or wide.guessed != narrow.guessed:
        return None
    if where.keys() - {name for part in narrow.ports for name in part.names}:
        return None
    found: dict[tuple[int | None, Mapped], list[str]] = {}
    for part in narrow.ports:
        for name in part.names:
            of = where.get(name)
            own = _find_beyond(wide.ports[of].stated, part.stated) if of is not None else part.stated
            if own is None:
                return None
            if own or of is None:
                found.setdefault((of, Mapped(own)), []).append(name)
    parts = (PortsBody(tuple(sorted(names, key=by_number)), own) for (_, own), names in found.items())
    return DeviceBody(Mapped(stated), tuple(parts))


def _find_beyond(wide: Mapping[str, Value], narrow: Mapping[str, Value]) -> dict[str, Value] | None:
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
        own = _find_beyond(have, value) if key != "headroom" else None
        if own is None:
            return None
        out[key] = own
    return out


def _count_settings(of: DeviceBody) -> int:
    """How much it says."""
    return _count_leaves(of.stated) + sum(1 + _count_leaves(part.stated) for part in of.ports)


def _count_leaves(value: Value) -> int:
    return sum(map(_count_leaves, value.values())) if isinstance(value, dict) else 1
