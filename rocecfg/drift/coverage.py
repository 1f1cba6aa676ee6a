"""Which intended settings were compared, and which were not: a part lacks them, or a statement was not understood."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping

from rocecfg.core.records import NamedTuple
from rocecfg.drift.differences import DriftReach
from rocecfg.model import Span
from rocecfg.model.catalogue import What
from rocecfg.model.stated import Unread
from rocecfg.model.switch import Switch

Ports = tuple[str, ...] | None  # None: the switch as a whole
STATEMENT = "statement"  # the setting of a statement of which it is not known what it sets


class Uncovered(NamedTuple):
    """Settings that were not compared, on ports that are alike in this."""

    ports: Ports
    settings: tuple[What, ...]
    at: Span  # the statement; or where the configuration begins that does not say them
    why: str  # what is not understood; "": nothing is said
    silent: bool  # a part of a configuration does not say them
    own: bool = False  # the port takes them by itself: told, and no reason to say that the switch is not as meant

    @property
    def total(self) -> int:
        """How many settings these are, over all ports."""
        return len(self.settings) * (1 if self.ports is None else len(self.ports))


class JudgedPorts(NamedTuple):
    """Ports that are alike, and every setting that is intended there."""

    ports: Ports
    known: Mapping[What, bool]  # whether it is known what runs
    left: Mapping[What, str] = {}  # what is set and cannot be judged, and why
    own: frozenset[What] = frozenset()  # what the ports take by themselves


class Coverage(NamedTuple):
    """How much of a device was compared."""

    settings: int  # over all ports, those that differ included
    ports: int  # of which anything was compared
    uncovered: tuple[Uncovered, ...]
    own: tuple[Uncovered, ...] = ()  # what ports take by themselves


class UncoveredGroup(NamedTuple):
    """Settings that were not compared for one reason, on all devices and ports where that is so."""

    settings: tuple[What, ...]
    why: str
    silent: bool
    reach: tuple[DriftReach, ...]
    places: tuple[Span, ...]  # one a device
    total: int
    own: bool  # ports take them by themselves


class CoverageTally:
    """Takes the coverage of one device after the other."""

    def __init__(self) -> None:
        self.settings = self.ports = 0
        self._found: dict[Hashable, list[tuple[str, Uncovered]]] = {}

    def add_device(self, name: str, coverage: Coverage) -> bool:
        """Add a device; whether it is the first of which something is so, whose place is shown."""
        known = len(self._found)
        self.settings += coverage.settings
        self.ports += coverage.ports
        for one in (*coverage.uncovered, *coverage.own):
            key = (one.own, one.silent, one.why, one.settings, one.ports is None)
            self._found.setdefault(key, []).append((name, one))
        return len(self._found) > known

    def group_uncovered(self) -> list[UncoveredGroup]:
        """What was not compared, the statements first, then what parts do not say; the most of each first.

        What ports take by themselves comes last.
        """
        out = []
        for found in self._found.values():
            ports: dict[str, dict[str, None]] = {}
            for name, one in found:
                ports.setdefault(name, {}).update(dict.fromkeys(one.ports or ()))
            alike: dict[tuple[str, ...], list[str]] = {}
            for name, names in ports.items():
                alike.setdefault(tuple(names), []).append(name)
            reach = tuple(DriftReach(tuple(devices), names) for names, devices in alike.items())
            first = found[0][1]
            places = tuple(dict.fromkeys(one.at for _, one in found))
            total = sum(one.total for _, one in found)
            out.append(UncoveredGroup(first.settings, first.why, first.silent, reach, places, total, first.own))
        return sorted(out, key=lambda one: (one.own, one.silent, -one.total))


def measure_coverage(kinds: Iterable[JudgedPorts], switch: Switch) -> Coverage:
    """How much of a switch was compared."""
    settings = judged = 0
    uncovered: list[Uncovered] = []
    taken: list[Uncovered] = []
    for names, known, left_open, by_ports in kinds:
        for ports, unread in _split_by_statement(names, switch.unread):
            hidden = _find_touched(known, unread)
            left = {
                what: stated for what, stated in known.items() if what not in {w for ws in hidden.values() for w in ws}
            }
            compared = sum(left.values())
            settings += compared * (1 if ports is None else len(ports))
            judged += len(ports) if ports is not None and compared else 0
            unsaid = tuple(w for w, stated in left.items() if not stated and w not in left_open and w not in by_ports)
            unset = tuple(what for what in left if what in by_ports)
            if unset:
                taken.append(Uncovered(ports, unset, switch.at, _TAKEN, silent=False, own=True))
            for why in dict.fromkeys(left_open.values()):
                own = tuple(what for what in left if left_open.get(what) == why)
                uncovered += [Uncovered(ports, own, switch.at, why, silent=False)] if own else []
            if unsaid:
                silent = not switch.running.whole
                uncovered.append(Uncovered(ports, unsaid, switch.at, "" if silent else _UNKNOWN, silent))
            uncovered += [Uncovered(ports, whats, one.at, one.message, silent=False) for one, whats in hidden.items()]
    return Coverage(settings, judged, tuple(uncovered), tuple(taken))


_TAKEN = "the configuration leaves it to the port, or has a value that is not compared"
LEFT = "the intent leaves it to the switch, whose defaults are not published, but some are set"
_UNKNOWN = "the set value has no equivalent in the intent"


def _split_by_statement(names: Ports, unread: Iterable[Unread]) -> list[tuple[Ports, tuple[Unread, ...]]]:
    """The ports by the statements that may touch them; those of the whole switch touch the switch alone."""
    if names is None:
        return [(None, tuple(one for one in unread if not one.ports))]
    touching: dict[str, list[Unread]] = {}
    for one in unread:
        for port in one.ports:
            touching.setdefault(port, []).append(one)
    if not touching:
        return [(names, ())]
    alike: dict[tuple[Unread, ...], list[str]] = {}
    for name in names:
        alike.setdefault(tuple(touching.get(name, ())), []).append(name)
    return [(tuple(ports), of) for of, ports in alike.items()]


def _find_touched(known: Mapping[What, bool], unread: Iterable[Unread]) -> dict[Unread, tuple[What, ...]]:
    """The settings that each statement may touch, each with the first that does."""
    out: dict[Unread, tuple[What, ...]] = {}
    taken: set[What] = set()
    for one in unread:
        meant = [what for what in known if what.topic in one.topics and _is_of_queue(what, one) and what not in taken]
        out[one] = tuple(meant) or tuple(What(topic, one.queue) for topic in one.topics) or (What(STATEMENT),)
        taken.update(out[one])
    return out


def _is_of_queue(what: What, one: Unread) -> bool:
    return one.queue is None or what.number in (None, one.queue)
