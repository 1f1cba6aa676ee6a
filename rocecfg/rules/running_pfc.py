"""PFC as a switch's configuration has it and an intent does not: rules PFC115 to PFC119, but for PFC117."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.core.nodeset import fold
from rocecfg.core.units import show_rate
from rocecfg.model import Device, Fabric, Headroom, Origin, PortGroup, Span
from rocecfg.rules.base import ERROR, INFO, RUNNING, WARNING, Hit, Rule, rule
from rocecfg.rules.buffer_headroom import UNPAUSED_OFF
from rocecfg.rules.common import format_priorities, is_management, kept_with_device

_BOUND_TO_LAG = "port.lag of unlike ports"  # as profiles/nos have it
_HOSTS = frozenset(("host", "storage"))


@rule(
    "PFC115",
    "pfc-one-way",
    WARNING,
    source="IEEE 802.1Qbb: a lossless link sends pauses and obeys them; NVUE turns tx and rx of PFC on apart",
    by_kind=UNPAUSED_OFF,
)
def pfc_one_way(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """Pauses of a lossless priority work one way only: sent but not obeyed, or obeyed but not sent."""
    running = port.running
    if running is None or is_management(port) or port.faces in _HOSTS:
        return
    obeyed = port.pfc if running.obeys is None else running.obeys
    sent = port.pfc if running.sends is None else running.sends
    deaf = [p for p in port.pfc if p in sent and p not in obeyed]
    mute = [p for p in port.pfc if p in obeyed and p not in sent]
    if deaf:
        yield Hit(
            f"the port sends pauses of {format_priorities(deaf)} but does not obey any: it goes on sending into a "
            "full peer, and the peer drops what does not fit",
            (running.at("obeys"), port.at("classes"), port.at()),
        )
    if mute:
        yield Hit(
            f"the port obeys pauses of {format_priorities(mute)} but sends none: when it is full, its peer goes on "
            "sending, and lossless packets are dropped here",
            (running.at("sends"), port.at("classes"), port.at()),
            severity=INFO if _is_semi_lossless(device) else WARNING,
        )


def _is_semi_lossless(device: Device) -> bool:
    """Whether the switch obeys pauses and sends none on any port: then it is intended so, and pauses do not spread."""
    lossless = [port for port in device.ports if port.pfc and not is_management(port)]
    return all(port.running is not None and port.running.sends == () for port in lossless)


@rule(
    "PFC116",
    "pfc-lag",
    ERROR,
    source="PFC and its watchdog are a physical port's, and a hash picks the port of a LAG for each flow (NVUE)",
    by_kind=UNPAUSED_OFF,
)
def pfc_lag(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """Ports of one LAG differ in PFC, watchdog or headroom: the LAG hash decides which flows lose packets."""
    if device.running is None and device.nos is not None and not device.nos.knows(_BOUND_TO_LAG):
        return  # nos-unsupported: one QoS profile holds for a bond
    lags: dict[str, list[PortGroup]] = {}
    for port in device.ports:
        if port.lag is not None:
            lags.setdefault(port.lag, []).append(port)
    for lag, members in lags.items():
        yield from _compare_members(lag, members)


def _compare_members(lag: str, members: list[PortGroup]) -> Iterator[Hit]:
    """The first difference between members: of a port without PFC, the watchdog is not one of their concern."""
    first = members[0]
    for other in members[1:]:
        here: tuple[Origin, ...] = (other.at("lag"), other.at())
        if other.pfc != first.pfc:
            what = f"PFC, {format_priorities(first.pfc, none='none')} and {format_priorities(other.pfc, none='none')}"
            here = (other.at("classes"), *here)
        elif first.pfc and other.watchdog != first.watchdog:
            what = "their watchdog settings" if first.watchdog and other.watchdog else "whether a watchdog runs"
            here = (other.at("watchdog"), *here)
        elif first.pfc and _need_equal_headroom(first, other) and _stated_headroom(first) != _stated_headroom(other):
            what = "headroom, at one speed and cable length"
            here = (other.at("headroom"), *here)
        else:
            continue
        yield Hit(
            f"ports of {lag} differ in {what} ({fold(first.names)}; {fold(other.names)}): the LAG hash decides "
            "which flows lose packets",
            here,
            "give all ports of the LAG the same settings",
            ((first.at("lag"), f"a port of {lag} too"),),
        )
        return


def _need_equal_headroom(a: PortGroup, b: PortGroup) -> bool:
    """Whether the same headroom is due: a longer cable takes more."""
    return (a.fastest, a.cable, a.mtu) == (b.fastest, b.cable, b.mtu)


def _stated_headroom(port: PortGroup) -> Headroom | None:
    return port.headroom if isinstance(port.headroom, Headroom) else None


# -- one without what all others have ----------------------------------------------------------------------------------

_EQUALS = 3  # ports with PFC that one without is held to, at least
_ODD = 3  # of so many with PFC, one may be without it by mistake; where more are, it is meant so


@rule(
    "PFC118",
    "pfc-bare-port",
    WARNING,
    on=RUNNING,
    source="Bai et al., NSDI'23, section 2.4: RDMA is lossless where every port on its way is",
)
def pfc_bare_port(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """A port in use without QoS settings, while all other ports of its speed have PFC."""
    if device.running is None or not device.running.whole or port.pfc or _has_qos(port):
        return
    if port.running is None or not port.running.in_use or port.running.explained:
        return
    first, with_pfc, bare = _count_in_use(device)[port.speed]
    if first is None or with_pfc < _EQUALS or bare * _ODD > with_pfc:
        return
    pace = f" at {show_rate(port.speed)}" if port.speed is not None else ""
    layer = "routed" if port.layer == 3 else "switched" if port.layer == 2 else f"in {port.lag}"
    yield Hit(
        f"the port is up and {layer}, but has no PFC and no QoS profile or map of its own, while the {with_pfc} "
        f"other ports in use{pace} have PFC: it classifies packets by the defaults, and RDMA on it is lossy",
        (port.at(),),
        "give it the settings of the other ports, or shut it down",
        ((first.at(), "a port with PFC"),),
    )


@kept_with_device
def _count_in_use(device: Device) -> dict[int | None, tuple[PortGroup | None, int, int]]:
    """Of each speed the first port in use that has PFC, how many have it, and how many have not."""
    found: dict[int | None, tuple[PortGroup | None, int, int]] = {}
    for port in device.ports:
        if port.running is not None and port.running.in_use:
            first, paused, bare = found.get(port.speed, (None, 0, 0))
            if port.pfc:
                found[port.speed] = first or port, paused + len(port.names), bare
            else:
                found[port.speed] = first, paused, bare + len(port.names)
    return found


def _has_qos(port: PortGroup) -> bool:
    """Whether a port is told how it sorts: one that is, and has no PFC, may be meant so, or junos-port-bare tells."""
    trust = port.at("trust")
    told = isinstance(trust, Span) and trust != port.at("layer") and port.trust != "none"
    return told or (port.running is not None and bool(port.running.maps))


_MOST_ODD = 2  # ports that somebody set by hand, at most, each beside _ODD that are alike

_OFF, _NEEDS_FEC = ("none", "off"), 200 * 10**9  # link-fec

Said = tuple[tuple[str, str], ...]  # what is set -> how, in words


@rule(
    "PFC119",
    "pfc-odd-port",
    INFO,
    on=RUNNING,
    source="a job waits for its slowest link: ports of one speed with PFC that serve one job are set alike",
)
def pfc_odd_port(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """One or two ports with PFC differ from all other ports of their speed, which are alike."""
    if device.running is None or not _is_in_use(port):
        return
    usual = _find_usual(device)[_find_kind(port)]
    own = dict(_describe_settings(device, port))
    odd = []
    for what, (value, first, ports, all_ports) in usual.items():
        others = all_ports - ports
        if value != own.get(what, value) and others <= _MOST_ODD and ports >= others * _ODD:
            odd.append((what, value, first, ports))
    if odd:
        told = "; ".join(f"{what} is {own[what]} here, but {value} on {ports} others" for what, value, _, ports in odd)
        yield Hit(
            f"the port differs from the other ports in use at its speed: {told}",
            (port.at(),),
            "set it like the others, or leave it if the difference is intended",
            tuple(dict.fromkeys((first.at(), "a port with the usual setting") for _, _, first, _ in odd)),
        )


def _is_in_use(port: PortGroup) -> bool:
    return port.running is not None and port.running.in_use and bool(port.pfc)


_Kind = tuple[int | None, object]


def _find_kind(port: PortGroup) -> _Kind:
    """Ports of one speed with the same maps and profiles are of one kind; one with others is intended to be another."""
    return port.speed, port.running.maps if port.running is not None else None


@kept_with_device
def _find_usual(device: Device) -> dict[_Kind, dict[str, tuple[str, PortGroup, int, int]]]:
    """Of each kind and setting: how most ports in use with PFC have it, the first of them, how many, and of all."""
    counts: dict[_Kind, dict[str, dict[str, tuple[PortGroup, int]]]] = {}
    for port in filter(_is_in_use, device.ports):
        for what, value in _describe_settings(device, port):
            found = counts.setdefault(_find_kind(port), {}).setdefault(what, {})
            first, ports = found.get(value, (port, 0))
            found[value] = first, ports + len(port.names)
    usual: dict[_Kind, dict[str, tuple[str, PortGroup, int, int]]] = {}
    for kind, by_name in counts.items():
        for what, found in by_name.items():
            value = max(found, key=lambda one: found[one][1])
            first, ports = found[value]
            usual.setdefault(kind, {})[what] = value, first, ports, sum(each for _, each in found.values())
    return usual


def _describe_settings(device: Device, port: PortGroup) -> Said:
    """What ports of one speed have alike as a rule: not what hangs on their cable, nor what other rules tell of alone.

    Those are a watchdog or marking that is missing, and FEC that is off where the speed needs it.
    """
    out = {"the IP MTU": f"{port.mtu} B" if port.mtu is not None else "not stated", "trust": port.trust}
    if port.fec not in _OFF or (port.fastest or 0) < _NEEDS_FEC:
        out["FEC"] = port.fec or "not stated"
    for cls in device.classes_on(port):
        share = "not stated" if cls.bandwidth is None else f"{cls.bandwidth:g} %"
        out[f"the share of queue {cls.queue}"] = "strict" if cls.strict else share
        curve = cls.ecn_at(port.speed)
        if curve is not None and not isinstance(curve, str):
            out[f"the ECN curve of queue {cls.queue}"] = f"{curve.kmin}, {curve.kmax}, {curve.pmax:g} %"
    return tuple(out.items())


RULES: tuple[Rule, ...] = (pfc_one_way, pfc_lag, pfc_bare_port, pfc_odd_port)
