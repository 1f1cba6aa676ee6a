"""What each kind of port has: PFC, watchdog, trust, MTU, headroom and NICs, and what of it stands out.

Kinds are ports that differ in nothing shown here, on whatever switches they are. Headroom and NICs are checked with
the functions of the rules `buffer-headroom`, `nic-pfc`, `nic-trust` and `ecn-nic`, a missing watchdog by its rules: no
verdict is of this page's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import ceil

from rocecfg.analysis.hosts import HostNics, host_nics
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_number, show_rate, show_time
from rocecfg.linting.finding import Finding
from rocecfg.model import Device, Fabric, Headroom, PortGroup
from rocecfg.report.html.words import shorten_names
from rocecfg.rules import ERROR, OFF, WARNING, Rule
from rocecfg.rules.buffer_headroom import (
    bytes_after_pause,
    default_xoff,
    is_lossless_port,
    link_kind,
    minimum_headroom,
    needed_headroom,
)
from rocecfg.rules.common import format_priorities
from rocecfg.rules.hosts import pfc_differs
from rocecfg.rules.hosts_ends import nic_ends, ports_facing_hosts, rdma_classes_on, rdma_ends
from rocecfg.rules.watchdog import watchdog_host, watchdog_missing

MOST = 60  # kinds that are shown
_HOSTS = ("host", "storage")
_SHUT, _MANAGEMENT = "shut down", "management ports"
_OFTEN = 3  # names of rules told beside a headroom


class PortCell(NamedTuple):
    """A cell of the table. `level`: error | warning where it stands out, else empty."""

    text: str
    level: str = ""


class KindOfPort(NamedTuple):
    """Ports that differ in nothing shown here."""

    title: str
    where: tuple[str, ...]  # the ports, on which switches
    ports: int
    pfc: PortCell
    watchdog: PortCell
    trust: PortCell
    mtu: PortCell
    headroom: PortCell
    nics: PortCell
    unjudged: str | None  # why the headroom is not judged; empty: it is; None: none is needed

    @property
    def cells(self) -> tuple[tuple[str, PortCell], ...]:
        """All but its title, each with its name."""
        return (
            ("PFC", self.pfc),
            ("watchdog", self.watchdog),
            ("trust", self.trust),
            ("MTU", self.mtu),
            ("headroom", self.headroom),
            ("NICs", self.nics),
        )


def count_unsized(of: Iterable[KindOfPort]) -> int:
    """The lossless ports whose headroom should be checked, and is not: too little is known."""
    return sum(kind.ports for kind in of if kind.unjudged and kind.unjudged not in (_SHUT, _MANAGEMENT))


def list_port_kinds(fabric: Fabric, findings: Iterable[Finding]) -> list[KindOfPort]:
    """Each kind of port of a fabric, in its order; `findings`: what lint found in it."""
    buffers: dict[str, list[Finding]] = {}  # of buffers, by the switch that they reach
    for finding in findings:
        if finding.rule.name.startswith("buffer-") and finding.severity in (ERROR, WARNING):
            for name in finding.devices:
                buffers.setdefault(name, []).append(finding)
    nics = _index_nics(fabric)
    found: dict[KindOfPort, list[tuple[Device, PortGroup]]] = {}
    for device in fabric.devices:
        for port in device.ports:
            room, unjudged = _describe_headroom(fabric, device, port, buffers)
            seen = KindOfPort(
                _make_title(port),
                (),
                0,
                PortCell(format_priorities(port.pfc) if port.pfc else "off"),
                _describe_watchdog(fabric, device, port),
                PortCell(port.trust),
                _describe_mtu(device, port),
                room,
                _describe_nics(fabric, device, port, nics),
                unjudged,
            )
            found.setdefault(seen, []).append((device, port))
    return [_add_places(seen, members) for seen, members in found.items()]


def _add_places(seen: KindOfPort, members: list[tuple[Device, PortGroup]]) -> KindOfPort:
    where: dict[str, list[str]] = {}
    ports = 0
    for device, port in members:
        ports += len(device.names) * len(port.names)
        where.setdefault(port.key or "every port", []).extend(device.names)
    places = tuple(f"{key} of {shorten_names(names) if names else 'every device'}" for key, names in where.items())
    return seen._replace(where=places, ports=ports)


def _make_title(port: PortGroup) -> str:
    speed = show_rate(port.speed) if port.speed else "unknown speed"
    facing = f" to {port.faces}" if port.faces else ""
    cable = f", {show_number(port.cable)} m" if port.cable is not None else ""
    return f"{speed}{facing}{cable}{', shut down' if _is_shut(port) else ''}"


def _is_shut(port: PortGroup) -> bool:
    return port.running is not None and port.running.up is False


def _describe_watchdog(fabric: Fabric, device: Device, port: PortGroup) -> PortCell:
    watchdog = port.watchdog
    if not port.pfc:
        return PortCell("not needed")
    if watchdog is None:
        if device.running is not None and not device.running.whole and "watchdog" not in port.origins:
            return PortCell("unknown: only part of a configuration")
        return PortCell("none", _find_level(fabric, device, port, watchdog_missing, watchdog_host))
    if watchdog.vendor_default:
        return PortCell("on, with the switch's own timers")
    words = []
    if watchdog.detection is not None:
        words.append(f"acts after {show_time(watchdog.detection)}")
    if device.nos is not None and not device.nos.knows("port.watchdog.restoration"):
        # whatever time is stated: NVUE's goes by its polling interval
        poll = f" ({show_time(watchdog.poll)})" if watchdog.poll is not None else ""
        words.append(f"restores after one poll without pauses{poll}")
    elif watchdog.restoration is not None:
        words.append(f"restores after {show_time(watchdog.restoration)}")
    if watchdog.poll is not None:
        words.append(f"polls each {show_time(watchdog.poll)}")
    text = ", ".join(words) or "on, with the switch's own timers"
    if watchdog.action is not None:
        text += f"; {watchdog.action}"
    left = set(port.pfc).difference(watchdog.priorities if watchdog.priorities is not None else port.pfc)
    if left:
        return PortCell(f"{text}; does not watch {format_priorities(tuple(sorted(left)))}", ERROR)
    return PortCell(text)


def _find_level(fabric: Fabric, device: Device, port: PortGroup, *rules: Rule) -> str:
    """How grave it is that these rules find something on the ports; empty where they find nothing."""
    for rule in () if _is_shut(port) else rules:
        for hit in rule.check(fabric, device, port) if rule.check is not None else ():
            severity = rule.by_kind.get(fabric.mode, hit.severity or rule.severity)
            return "" if severity == OFF else severity
    return ""


def _describe_mtu(device: Device, port: PortGroup) -> PortCell:
    if port.mtu is not None:
        return PortCell(f"{port.mtu} B")
    stock = device.nos.stock_mtu if device.nos is not None else None
    return PortCell("not stated" if stock is None else f"not stated; {stock} B by default")


# -- headroom ----------------------------------------------------------------------------------------------------------


def _describe_headroom(
    fabric: Fabric, device: Device, port: PortGroup, findings: Mapping[str, list[Finding]]
) -> tuple[PortCell, str | None]:
    """Whether the headroom is enough, as `buffer-headroom` judges it, and what other rules on buffers say beside it.

    The second is why it is not checked, as `Kind.unjudged` has it.
    """
    if not port.pfc or fabric.mode != "lossless":
        return PortCell("not needed"), None
    if not is_lossless_port(port) or _is_shut(port):
        why = _SHUT if _is_shut(port) else _MANAGEMENT
        return PortCell(f"not checked: {why}"), why
    reported, unjudged = _judge_headroom(fabric, device, port)
    if reported.level:
        return reported, unjudged
    reaching = (f for name in device.names for f in findings.get(name, ()))
    beside = dict.fromkeys(f.rule.name for f in reaching if not f.ports or not set(port.names).isdisjoint(f.ports))
    if not beside:
        return reported, unjudged
    names = [*beside][:_OFTEN] + ["others"] * (len(beside) > _OFTEN)
    return PortCell(f"{reported.text}; see {', '.join(names)}", WARNING), unjudged


def _format_bytes(size: float) -> str:
    """A size in the unit that all sizes of the table have."""
    return f"{ceil(size):,} B"


def _judge_headroom(fabric: Fabric, device: Device, port: PortGroup) -> tuple[PortCell, str]:
    of = link_kind(fabric, device, port)
    own = needed_headroom(of) if of is not None else None
    room = port.room
    unknown = "speed unknown" if port.speed is None else "length of the cable unknown" if of is None else ""
    if room is None and unknown:
        return PortCell(f"unknown: {unknown}"), unknown
    if room is None:
        need = f"; the link needs {_format_bytes(own.total)}" if own is not None else ""
        return PortCell(f"unknown: the switch computes it{need}"), "unknown: the switch computes it"
    have = bytes_after_pause(room)
    name = "headroom" if room.xoff is None else "xoff"
    size = f"{name} {_format_bytes(have)}"
    if of is None:
        return PortCell(f"{size}; not checked: {unknown}"), unknown
    any_chip = minimum_headroom(of).total
    if have < any_chip:
        return PortCell(f"too small: {size}, and any chip needs {_format_bytes(any_chip)}", ERROR), ""
    if own is None:
        return PortCell(
            f"{size}: above the {_format_bytes(any_chip)} that any chip needs; the need of this chip is unknown"
        ), ""
    if have >= own.total:
        return PortCell(f"enough: {size}, and the link needs {_format_bytes(own.total)}"), ""
    if not isinstance(port.headroom, Headroom) or have >= (default_xoff(of) or own.total):
        formula = f"the formula with the chip's figures gives {_format_bytes(own.total)}"
        return PortCell(f"{size} as the switch sizes it; {formula}"), ""
    return PortCell(f"too small: {size}, and the link needs {_format_bytes(own.total)} on this chip", WARNING), ""


# -- NICs --------------------------------------------------------------------------------------------------------------


_Place = tuple[int, int]  # a device and its ports, by identity


def _index_nics(fabric: Fabric) -> Mapping[_Place, list[HostNics]]:
    """The NICs at each kind of port that their RDMA crosses: by link, else at all that face hosts."""
    out: dict[_Place, list[HostNics]] = {}
    for nics in host_nics(fabric):
        ends = [(end.device, end.port) for end in rdma_ends(fabric, nics)]
        for device, port in ends if nic_ends(fabric)[nics.key] else ports_facing_hosts(fabric, nics):
            here = out.setdefault((id(device), id(port)), [])
            if nics not in here:
                here.append(nics)
    return out


def _describe_nics(fabric: Fabric, device: Device, port: PortGroup, at: Mapping[_Place, list[HostNics]]) -> PortCell:
    here = at.get((id(device), id(port)), ())
    if not here:
        if port.faces not in _HOSTS or not rdma_classes_on(device, port):
            return PortCell("not in a switch's configuration" if fabric.running and port.pfc else "")
        return PortCell("not stated")
    reported = [_describe_nic(fabric, device, port, nics) for nics in here]
    return PortCell("; ".join(one.text for one in reported), ERROR if any(one.level for one in reported) else "")


def _describe_nic(fabric: Fabric, device: Device, port: PortGroup, nics: HostNics) -> PortCell:
    stated = {name: value.value for name, value in nics.value.items()}
    words = list(_join_words(stated))
    model = f" ({stated['nic']})" if "nic" in stated else ""
    pfc = stated.get("pfc_priorities")
    pauses = fabric.mode == "lossless" and pfc is not None
    answers = fabric.congestion_control != "none" and any(
        c.ecn or c.ecn_by_speed for c in rdma_classes_on(device, port, nics)
    )
    bad = (
        (pauses and pfc_differs(fabric, device, port, tuple(sorted(p.value for p in pfc or ())), nics))
        or (stated.get("trust") == "pcp" and port.trust == "dscp")
        or (answers and stated.get("ecn") == "off")
    )
    return PortCell(f"{nics.key}{model}: {', '.join(words) or 'nothing stated of its settings'}", ERROR if bad else "")


def _join_words(stated: Mapping[str, object]) -> Iterator[str]:
    for key, form in (
        ("pfc_priorities", "PFC on {}"),
        ("trust", "trust {}"),
        ("ecn", "DCQCN {}"),
        ("mtu", "MTU {} B"),
        ("storm_prevention", "storm prevention {}"),
        ("global_pause", "802.3x pause {}"),
    ):
        value = stated.get(key)
        if value is None:
            continue
        if isinstance(value, list | tuple):
            value = format_priorities(tuple(sorted(one.value for one in value)))
        yield form.format({True: "on", False: "off"}.get(value, value) if isinstance(value, bool) else value)
