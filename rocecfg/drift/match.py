"""One device: its running configuration against the intent, port by port, done once for ports that are alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from math import ceil

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_length, show_rate
from rocecfg.drift.coverage import LEFT, Coverage, JudgedPorts, measure_coverage
from rocecfg.drift.differences import LocatedGap
from rocecfg.drift.intended import IntendedDevice, IntendedPort
from rocecfg.drift.origins import find_working
from rocecfg.model import Device, Span
from rocecfg.model.catalogue import What
from rocecfg.model.compare import Gap, How, check_coverage, find_gaps, find_left_open, find_own, name_lag
from rocecfg.model.switch import Port, Switch
from rocecfg.model.values import WAYS, Fact, Facts, of_device, of_port
from rocecfg.sizing.templates import buffer_model
from rocecfg.sizing.watchdog import possible_timers
from rocecfg.vendors.changes import Wanted

NO_PORT = What("port")  # a port that is meant and not configured
_NOWHERE = Span(0, 0, 0)


class DifferingPorts(NamedTuple):
    """What differs on ports that are alike; `ports` is None for the switch as a whole."""

    ports: tuple[str, ...] | None
    down: bool  # administratively
    seen: tuple[LocatedGap, ...]


class SwitchComparer:
    """Compares switches; what two kinds of ports differ in is computed once, on however many switches they are."""

    def __init__(self) -> None:
        self._known: dict[Hashable, tuple[tuple[LocatedGap, ...], JudgedPorts]] = {}

    def find_differing(self, meant: IntendedDevice, switch: Switch) -> list[DifferingPorts]:
        """What differs on a switch: of the whole, of its ports, and the ports that it lacks."""
        return self.compare(meant, switch)[0]

    def compare(self, meant: IntendedDevice, switch: Switch) -> tuple[list[DifferingPorts], Coverage]:
        """What differs on a switch, and what of it was compared at all: ports that are down aside."""
        how = _choose_how(meant, switch)
        running = _find_switch_facts(meant, switch)
        seen = tuple(_locate_gap(meant, None, gap, switch.at) for gap in _find_switch_gaps(meant, running, how))
        everywhere = {_make_running_key(one) for one in seen}
        parts = [DifferingPorts(None, down=False, seen=seen)]
        kinds = [JudgedPorts(None, _find_covered(meant, running, how))]
        for kind in _group_alike_ports(meant, switch, how):
            seen, judged = self._compare_kind(meant, kind, how)
            seen = tuple(one for one in seen if _make_running_key(one) not in everywhere)
            parts.append(DifferingPorts(tuple(kind.names), kind.down, seen))
            if not kind.down:
                kinds.append(judged._replace(ports=tuple(kind.names)))
        parts += _find_missing_ports(meant, switch)
        kinds += _find_unmentioned_ports(meant, switch, how)
        return [part for part in parts if part.seen], measure_coverage(kinds, switch)

    def _compare_kind(
        self, meant: IntendedDevice, kind: _PortKind, how: How
    ) -> tuple[tuple[LocatedGap, ...], JudgedPorts]:
        memo = (id(kind.wanted), kind.key, how)
        known = self._known.get(memo)
        if known is None:
            wanted, facts = {**_select_switch_ways(meant, kind), **_select_port_facts(meant, kind)}, kind.facts
            unlisted = _explain_unlisted_length(meant.device, kind)
            if unlisted:
                wanted.pop(_CABLE, None)
            if kind.wanted.used is not None:
                how = how._replace(used=kind.wanted.used)
            seen = tuple(_locate_gap(meant, kind.wanted, gap, kind.at) for gap in find_gaps(wanted, facts, how))
            known_ones = check_coverage(wanted, facts, how)
            left = dict.fromkeys(find_left_open(wanted, facts, how), LEFT)
            if unlisted:
                known_ones[_CABLE], left[_CABLE] = False, unlisted
            judged = JudgedPorts((), known_ones, left, find_own(wanted, facts, how))
            known = self._known[memo] = seen, judged
        return known


def _explain_unlisted_length(device: Device, kind: _PortKind) -> str:
    """Of a cable length that is stated and runs, while another is rendered: the next one that headroom is listed for.

    A change of the length shuts ports, and the intent has the one that runs; whether to change both is not ours to say.
    """
    group, runs, meant = kind.wanted.group, kind.facts.get(_CABLE), kind.wanted.facts.get(_CABLE)
    if runs is None or meant is None or group.cable is None or runs.value == meant.value:
        return ""
    if kind.facts[_PFC].value != kind.wanted.facts[_PFC].value:  # what turns PFC on has to bring a length with headroom
        return ""
    if device.box is None or (table := device.box.headroom) is None:
        return ""
    if group.speed is None or ceil(group.cable) != runs.value or not isinstance(meant.value, int):
        return ""
    listed = ", ".join(map(show_length, table.rows.get(group.speed, {})))
    return (
        f"{show_length(group.cable)} is stated and running, but the headroom table{device.box.tables} lists {listed} "
        f"for {show_rate(group.speed)}: without a row the switch creates no headroom; render uses the next row, "
        f"{show_length(meant.value)}, and drift compares it once the intent states it"
    )


def _make_running_key(seen: LocatedGap) -> Hashable:
    """What runs instead of what: the same of a port and of the switch is one."""
    gap = seen.gap
    return gap.what, gap.running.value if gap.running is not None else None


class _PortKind(NamedTuple):
    """Ports that are intended alike and configured alike."""

    wanted: IntendedPort
    facts: Facts
    key: Hashable  # the facts without their places
    down: bool
    at: Span
    names: list[str]


def _group_alike_ports(meant: IntendedDevice, switch: Switch, how: How) -> Iterable[_PortKind]:
    found: dict[Hashable, _PortKind] = {}
    for port in switch.ports:
        facts = of_port(port, switch if port.chain is not None or meant.sorts_by_port else None)
        key: Hashable = tuple((what, fact.value) for what, fact in facts.items())
        if not how.whole:  # what one port says and another only implies
            key = key, frozenset(what for what, fact in facts.items() if fact.at in how.implied)
        down = not is_up(port)
        for name in port.names:
            wanted = meant.ports.get(name)
            if wanted is not None:
                kind = _PortKind(wanted, facts, key, down, port.at, [])
                found.setdefault((id(wanted), key, down), kind).names.append(name)
    return found.values()


def _select_port_facts(meant: IntendedDevice, kind: _PortKind) -> Facts:
    """What is intended for ports, of the ways of packets only those that these are intended to go by."""
    facts = kind.wanted.facts
    if not meant.sorts_by_port:
        return facts
    marks = _find_trusted_marks(kind)
    return {what: fact for what, fact in facts.items() if what.topic not in ("dscp", "pcp") or what.topic in marks}


def _find_trusted_marks(kind: _PortKind) -> set[str]:
    """What ports are sorted by, as intended and as running; nothing where these differ: that is told as their trust."""
    trusts = [facts[_TRUST].value for facts in (kind.wanted.facts, kind.facts) if _TRUST in facts]
    return {"dscp", "pcp"}.intersection(trusts[:1]) if len(set(trusts)) < 2 else set()


def _select_switch_ways(meant: IntendedDevice, kind: _PortKind) -> Facts:
    """Where packets go, as intended, on ports whose maps differ from those of their switch, by what the ports trust."""
    if not any(what.topic in WAYS for what in kind.facts):
        return {}
    marks = _find_trusted_marks(kind)
    return {what: fact for what, fact in meant.facts.items() if what.topic in (*marks, "stops", "pauses")}


def wanted_of(parts: Iterable[DifferingPorts], *, down: bool = False) -> Wanted:
    """What a change is to fix: all that differs; with `down`, on ports that are down too."""
    wanted: dict[str | None, frozenset[What]] = {}
    for part in parts:
        if down or not part.down:
            wanted.update(dict.fromkeys(part.ports or (None,), frozenset(one.gap.what for one in part.seen)))
    return wanted


def is_up(port: Port) -> bool:
    """Whether a port is not administratively down, as far as its configuration says."""
    return port.running is None or port.running.up is not False


def _find_switch_facts(meant: IntendedDevice, switch: Switch) -> Facts:
    """What is set for the switch as a whole."""
    running = of_device(switch, sorts=not meant.sorts_by_port)
    if switch.running.whole and _MODEL in meant.facts and _MODEL not in running:
        # a boot and config reload take what is not said from the image's init_cfg.json, which is the platform's own
        box = meant.device.box
        own = box.buffer_model if box is not None else None
        running[_MODEL] = Fact(own or meant.facts[_MODEL].value, switch.at)
    return running


def _find_switch_gaps(meant: IntendedDevice, running: Facts, how: How) -> Iterator[Gap]:
    trusted = _collect_trusts(meant)
    for gap in find_gaps(meant.facts, running, how):
        # what no port is meant to sort by concerns nobody; where none sorts by 802.1p yet, that is told as its trust
        untold = gap.what.topic == "pcp" and gap.running is None
        if gap.what.topic not in ("dscp", "pcp") or (gap.what.topic in trusted and not untold):
            yield gap


def _collect_trusts(meant: IntendedDevice) -> set[Hashable]:
    return {p.facts.get(_TRUST, _DSCP).value for p in meant.ports.values()} or {"dscp"}


def _find_covered(meant: IntendedDevice, running: Facts, how: How) -> dict[What, bool]:
    """As `check_coverage`, without the marks that no port is intended to sort by."""
    trusted = _collect_trusts(meant)
    known = check_coverage(meant.facts, running, how)
    return {
        what: stated for what, stated in known.items() if what.topic not in ("dscp", "pcp") or what.topic in trusted
    }


def _find_unmentioned_ports(meant: IntendedDevice, switch: Switch, how: How) -> Iterator[JudgedPorts]:
    """Ports that a part of a configuration does not name: nothing of what is intended for them is known."""
    if switch.running.whole:
        return
    named = {name for port in switch.ports for name in port.names}
    unnamed: dict[int, list[str]] = {}
    for name, wanted in meant.ports.items():
        if name not in named:
            unnamed.setdefault(id(wanted), []).append(name)
    for names in unnamed.values():
        yield JudgedPorts(tuple(names), check_coverage(meant.ports[names[0]].facts, {}, how))


_DSCP = Fact("dscp", _NOWHERE)
_TRUST = What("trust")
_CABLE, _PFC = What("cable"), What("pfc")
_MODEL = What("buffers", None, "model")


def _find_missing_ports(meant: IntendedDevice, switch: Switch) -> Iterator[DifferingPorts]:
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
        yield DifferingPorts(tuple(names), down=False, seen=(LocatedGap(gap, at, switch.at),))


def _find_unstated_queues(device: Device) -> frozenset[int]:
    """The queues that keep the share they have: of classes without a stated one, or of none where changes keep it."""
    stated = {c.queue for c in device.classes if c.strict or c.bandwidth is not None}
    if device.nos is not None and device.nos.keeps_schedulers:
        return frozenset(range(8)) - stated
    return frozenset(c.queue for c in device.classes) - stated


def _choose_how(meant: IntendedDevice, switch: Switch) -> How:
    asic, nos = meant.device.asic, meant.device.nos
    whole = switch.running.whole
    return How(
        whole,
        (asic.ecn_step if asic is not None else None) or 1,
        nos is not None and bool(nos.ecn_rounded_up),
        meant.used,
        _find_unstated_queues(meant.device),
        frozenset(p for one in (meant.switch, switch) for port in one.ports for p in port.pfc),
        frozenset() if whole else frozenset((switch.at, *(port.at for port in switch.ports))),
        nos is not None and nos.stock_cable is not None,
        nos is not None and "traditional" in nos.buffer_models and buffer_model(meant.device) == "traditional",
        _list_possible_timers(meant, switch),
        nos is not None and bool(nos.port_speeds),
        nos is not None and bool(nos.lag_mtu),
        frozenset(name_lag(group.lag) for group in meant.device.ports if group.lag is not None),
        _find_lag_names(meant, switch),
    )


def _find_lag_names(meant: IntendedDevice, switch: Switch) -> tuple[tuple[str, str], ...]:
    """For LAGs that the intent gives a name where the system has numbers: the LAG that most of their ports are in."""
    lags = {
        name: name_lag(lag.value) for port in switch.ports if (lag := port.section.get("lag")) for name in port.names
    }
    if not all(lag.isdigit() for lag in lags.values()):
        return ()
    votes: dict[str, Counter[str]] = {}
    for name, wanted in meant.ports.items():
        own = name_lag(wanted.group.lag) if wanted.group.lag is not None else ""
        if own and not own.isdigit() and name in lags:
            votes.setdefault(own, Counter())[lags[name]] += 1
    return tuple((own, found.most_common(1)[0][0]) for own, found in votes.items())


def _list_possible_timers(meant: IntendedDevice, switch: Switch) -> tuple[tuple[float | None, ...], ...]:
    """The timers that the switch may have taken by itself; asked only where that is intended."""
    device = meant.device
    if not any(port.watchdog is not None and port.watchdog.vendor_default for port in device.ports):
        return ()
    ports = max(sum(len(port.names) for port in of) for of in (device.ports, switch.ports))
    return tuple(
        (own.detection, own.restoration, own.poll) for own in possible_timers(device.nos, device.version, ports)
    )


def _locate_gap(meant: IntendedDevice, wanted: IntendedPort | None, gap: Gap, near: Span) -> LocatedGap:
    group = wanted.group if wanted is not None else None
    if gap.meant is None:
        return LocatedGap(gap, None, near)
    return LocatedGap(gap, find_working(meant.device, group, gap.what, gap.meant.value), near)
