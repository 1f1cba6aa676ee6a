"""One device: what it runs against what is meant for it, port by port, the work done once for ports that are alike."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

from rocecfg.drift.compare import Gap, How, gaps
from rocecfg.drift.differences import Seen
from rocecfg.drift.facts import Fact, Facts, What, of_device, of_port
from rocecfg.drift.meant import Meant, MeantPort
from rocecfg.drift.origins import origin
from rocecfg.model import Span
from rocecfg.records import NamedTuple
from rocecfg.vendors.mending import Wanted
from rocecfg.vendors.reading import Port, Switch

NO_PORT = What("port")  # a port that is meant and not configured
_NOWHERE = Span(0, 0, 0)


class Part(NamedTuple):
    """What differs on ports that are alike; `ports` is None for the switch as a whole."""

    ports: tuple[str, ...] | None
    down: bool  # administratively
    seen: tuple[Seen, ...]


class Pairs:
    """Compares switches; what two kinds of ports differ in is worked out once, on however many switches they are."""

    def __init__(self) -> None:
        self._known: dict[Hashable, tuple[Seen, ...]] = {}

    def parts(self, meant: Meant, switch: Switch) -> Iterator[Part]:
        """What differs on a switch: of the whole, of its ports, and the ports that it lacks."""
        how = _how(meant, switch)
        seen = tuple(_seen(meant, None, gap, switch.at) for gap in _of_device(meant, switch, how))
        if seen:
            yield Part(None, down=False, seen=seen)
        for kind in _alike(meant, switch):
            seen = self._pair(meant, kind, how)
            if seen:
                yield Part(tuple(kind.names), kind.down, seen)
        yield from _missing(meant, switch)

    def _pair(self, meant: Meant, kind: _Kind, how: How) -> tuple[Seen, ...]:
        memo = (id(kind.wanted), kind.key, how)
        known = self._known.get(memo)
        if known is None:
            known = tuple(_seen(meant, kind.wanted, gap, kind.at) for gap in gaps(kind.wanted.facts, kind.facts, how))
            self._known[memo] = known
        return known


class _Kind(NamedTuple):
    """Ports that are meant alike and configured alike."""

    wanted: MeantPort
    facts: Facts
    key: Hashable  # the facts without their places
    down: bool
    at: Span
    names: list[str]


def _alike(meant: Meant, switch: Switch) -> Iterable[_Kind]:
    found: dict[Hashable, _Kind] = {}
    for port in switch.ports:
        facts = of_port(port)
        key = tuple((what, fact.value) for what, fact in facts.items())
        down = not is_up(port)
        for name in port.names:
            wanted = meant.ports.get(name)
            if wanted is not None:
                found.setdefault((id(wanted), key, down), _Kind(wanted, facts, key, down, port.at, [])).names.append(
                    name
                )
    return found.values()


def wanted_of(parts: Iterable[Part]) -> Wanted:
    """What a change is to mend: all that differs, but for ports that are down."""
    wanted: dict[str | None, frozenset[What]] = {}
    for part in parts:
        if not part.down:
            wanted.update(dict.fromkeys(part.ports or (None,), frozenset(one.gap.what for one in part.seen)))
    return wanted


def is_up(port: Port) -> bool:
    """Whether a port is not administratively down, as far as its configuration says."""
    return port.running is None or port.running.up is not False


def _of_device(meant: Meant, switch: Switch, how: How) -> Iterator[Gap]:
    trusted = {p.facts.get(What("trust"), _DSCP).value for p in meant.ports.values()} or {"dscp"}
    for gap in gaps(meant.facts, of_device(switch), how):
        # what no port is meant to sort by concerns nobody; where none sorts by 802.1p yet, that is told as its trust
        untold = gap.what.topic == "pcp" and gap.running is None
        if gap.what.topic not in ("dscp", "pcp") or (gap.what.topic in trusted and not untold):
            yield gap


_DSCP = Fact("dscp", _NOWHERE)


def _missing(meant: Meant, switch: Switch) -> Iterator[Part]:
    if not switch.running.whole:
        return
    configured = {name for port in switch.ports for name in port.names}
    missing: dict[int, list[str]] = {}
    for name, wanted in meant.ports.items():
        if name not in configured:
            missing.setdefault(id(wanted), []).append(name)
    for names in missing.values():
        at = meant.ports[names[0]].group.at("")
        gap = Gap(NO_PORT, Fact("configured", _NOWHERE), None)
        yield Part(tuple(names), down=False, seen=(Seen(gap, at, switch.at),))


def _how(meant: Meant, switch: Switch) -> How:
    asic = meant.device.asic
    whole = switch.running.whole
    return How(
        whole,
        (asic.ecn_step if asic is not None else None) or 1,
        meant.device.vendor == "spectrum",
        meant.used,
        frozenset(p for one in (meant.switch, switch) for port in one.ports for p in port.pfc),
        frozenset() if whole else frozenset((switch.at, *(port.at for port in switch.ports))),
    )


def _seen(meant: Meant, wanted: MeantPort | None, gap: Gap, near: Span) -> Seen:
    group = wanted.group if wanted is not None else None
    return Seen(gap, origin(meant.device, group, gap.what) if gap.meant is not None else None, near)
