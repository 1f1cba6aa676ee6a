"""Switches as readers give them, made from a resolved fabric; and what two fabrics mean, for comparing."""

from __future__ import annotations

from typing import Any

from rocecfg.core.nodeset import node_set
from rocecfg.core.units import Percent
from rocecfg.importing import Imported, import_intent
from rocecfg.intent import Loaded, load
from rocecfg.linting.discover import Overlaid
from rocecfg.linting.run import Run, lint
from rocecfg.model import (
    Device,
    Ecn,
    EcnPercent,
    Fabric,
    Headroom,
    Link,
    PortGroup,
    Running,
    RunningPort,
    Span,
    TrafficClass,
    Watchdog,
)
from rocecfg.model.stated import OFF, Section, Val
from rocecfg.model.switch import Chain, Neighbour, Port, Switch
from rocecfg.source.document import Document, Sources
from rocecfg.vendors.draft import Draft, draft_of

AT = Span(0, 0, 0)
HERE = Span(0, 1, 1)  # of switches and ports as such: what stands there is implied


def val(value: Any) -> Val:
    return Val(value, AT)


def section(values: dict[str, Any]) -> Section:
    """A section of those values that are known."""
    return {key: val(value) for key, value in values.items() if value is not None}


def read(switches: list[Switch], sources: Sources) -> list[tuple[Document, list[Draft]]]:
    """Switches as if all had been read from one file."""
    return [(sources.add("switches.txt", "what they run\n"), [draft_of(switch) for switch in switches])]


def switches_of(fabric: Fabric, *, roles: bool = True) -> list[Switch]:
    """Each switch of a fabric, with what its own configuration can tell of it."""
    wires = list(_wires(fabric.links))
    return [_switch(device, name, wires, roles=roles) for device in fabric.devices for name in device.names]


def _switch(device: Device, name: str, wires: list[tuple[str, str, str, str]], *, roles: bool) -> Switch:
    lossless = {c.priority for c in device.classes if c.lossless}
    spare = min({*range(8)} - lossless)  # what no class is on must not come to be paused
    tcs = {c.tc: c for c in device.classes}
    chain = Chain(
        tuple(val(tc if tc is not None else 0) for tc in device.maps.dscp_to_tc),
        tuple(val(tcs[tc].queue if tc in tcs else tc) for tc in range(8)),
        tuple(val(tcs[tc].pg if tc in tcs else 0) for tc in range(8)),
        tuple(val(tcs[tc].priority if tc in tcs else spare) for tc in range(8)),
    )
    keys = section(
        {
            "vendor": device.vendor,
            "version": device.version,
            "platform": device.platform.name if device.platform else None,
            "role": device.role if roles else None,
            "buffers": _buffers(device),
        }
    )
    ports = tuple(_port(device, port) for port in device.ports if port.names)
    neighbours = tuple(Neighbour(p, d, q, AT) for n, p, d, q in wires if n == name)
    return Switch(name, HERE, keys, chain, ports, Running("config_db"), (), neighbours)


def _port(device: Device, port: PortGroup) -> Port:
    pfc = section({"watchdog": _watchdog(port.watchdog, port), "headroom": _headroom(port.headroom)})
    keys = section(
        {
            **{key: getattr(port, key) for key in ("speed", "cable", "mtu", "fec", "layer", "lag", "trust")},
            "flowcontrol": port.flowcontrol,
            "pfc": pfc or None,
        }
    )
    crossing = {c.name: c for c in device.classes_on(port)}
    queues = {c.queue: _sending(crossing.get(c.name, c), port, marked=c.name in crossing) for c in device.classes}
    return Port(port.names, HERE, keys, dict.fromkeys(port.pfc, AT), queues)


def _sending(cls: TrafficClass, port: PortGroup, *, marked: bool) -> Section:
    curve = cls.ecn_at(port.speed) if marked else None
    bandwidth = "strict" if cls.strict else cls.bandwidth
    rates = (cls.max_rate, cls.max_percent), (cls.guaranteed_rate, cls.guaranteed_percent)
    max_rate, guaranteed = (rate if rate is not None else Percent(share) if share else None for rate, share in rates)
    ecn = _curve(curve) if isinstance(curve, Ecn | EcnPercent) else OFF
    return section({"bandwidth": bandwidth, "ecn": ecn, "max_rate": max_rate, "guaranteed": guaranteed})


def _curve(curve: Ecn | EcnPercent) -> Section:
    colors = [val(color) for color in curve.colors]
    return section(
        {"kmin": curve.kmin, "kmax": curve.kmax, "pmax": curve.pmax, "weight": curve.weight, "colors": colors}
    )


def _watchdog(dog: Watchdog | None, port: PortGroup) -> Any:
    if dog is None:
        return None
    if dog.vendor_default:
        return "vendor-default"
    watched = dog.priorities if dog.priorities is not None else port.pfc
    return {
        "detection_time": val(dog.detection),
        "restoration_time": val(dog.restoration),
        "poll_interval": val(dog.poll),
        "action": val(dog.action),
        "priorities": val([val(priority) for priority in watched]),
    }


def _headroom(room: Headroom | str | None) -> Any:
    if isinstance(room, Headroom):
        return room.size if room.xon is None else section({"size": room.size, "xon": room.xon, "xoff": room.xoff})
    return room


def _buffers(device: Device) -> Section | None:
    of = device.buffers
    pools = section({"lossless": of.lossless_pool, "lossy": of.lossy_pool})
    keys = {key: getattr(of, key) for key in ("model", "template", "alpha", "shared_headroom") if key in of.origins}
    return section({**keys, "pools": pools or None}) or None


def _wires(links: tuple[Link, ...]) -> Any:
    """Every link, from both of its ends."""
    for link in links:
        a = [(d, p) for d in node_set(link.a_device) for p in node_set(link.a_port)]
        b = [(d, p) for d in node_set(link.b_device) for p in node_set(link.b_port)]
        for here, there in zip(a, b, strict=True):
            yield (*here, *there)
            yield (*there, *here)


# -- what a fabric means -----------------------------------------------------------------------------------------------


class Share:
    """A share of bandwidth, in percent; schedulers that take whole weights tell less than a percentage point alike."""

    def __init__(self, percent: float) -> None:
        self.percent = percent

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Share) and abs(self.percent - other.percent) < 1

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{self.percent}%"


def meaning(fabric: Fabric, *, restores: bool = True) -> dict[str, Any]:
    """What each switch and each port of a fabric does, by names that two spellings of it share.

    Classes are known by the code points that are in them. Of ports without PFC, watchdog and headroom mean nothing.
    """
    return {name: _device(device, restores=restores) for device in fabric.devices for name in device.names}


def _device(device: Device, *, restores: bool) -> dict[str, Any]:
    ports: dict[str, Any] = {}
    for port in device.ports:
        for name in port.names or ("every port",):
            ports[name] = _meant(device, port, restores=restores and device.vendor != "spectrum")
    by_number = any(port.trust != "dscp" or port.maps is not None for port in device.ports)
    return {
        "vendor": device.vendor,
        "version": device.version,
        "platform": device.platform.name if device.platform else None,
        "hwsku": device.hwsku,
        "buffers": device.buffers,
        "packets": {point: _packets(device, c) for c in device.classes for point in c.dscps},
        "paused": {c.tc: _packets(device, c) for c in device.classes if c.lossless},
        "numbers": {c.tc: (c.dscps, c.priority) for c in device.classes if by_number},
        "shares": {c.queue: None if c.bandwidth is None else Share(c.bandwidth) for c in device.classes},
        "ports": ports,
    }


def _packets(device: Device, cls: TrafficClass) -> tuple[Any, ...]:
    """What packets of a class meet."""
    rates = cls.max_rate, cls.max_percent, _kept(device, cls)
    return (cls.queue, cls.pg, cls.lossless, cls.priority if cls.lossless else None, cls.strict, rates)


def _kept(device: Device, cls: TrafficClass) -> tuple[int | None, float | None]:
    """What is kept free for a class; EOS's floor of 100 kbit/s for watched queues goes without saying."""
    rate = cls.guaranteed_rate
    watched = {p for port in device.ports if port.watchdog for p in port.pfc}
    floor = device.vendor == "arista" and cls.lossless and cls.priority in watched and rate == 100_000
    return None if floor else rate, cls.guaranteed_percent


def _meant(device: Device, port: PortGroup, *, restores: bool) -> dict[str, Any]:
    dog = port.watchdog if port.pfc else None
    if dog is not None and dog.priorities == port.pfc:
        dog = _but(dog, priorities=None)
    if dog is not None and not restores:
        dog = _but(dog, restoration=None)
    return {
        **{key: getattr(port, key) for key in ("pfc", "speed", "cable", "trust", "flowcontrol", "fec", "layer", "lag")},
        "mtu": port.mtu,
        "watchdog": dog,
        "headroom": port.headroom if port.pfc else None,
        "ecn": {(c.queue, curve) for c in device.classes_on(port) if (curve := c.ecn_at(port.speed)) is not None},
    }


def _but(dog: Watchdog, **changed: Any) -> Watchdog:
    import dataclasses

    return dataclasses.replace(dog, **changed)


def import_of(switches: list[Switch], root: str = "switches.txt") -> Imported:
    """The import of switches."""
    sources = Sources()
    return import_intent(root, read(switches, sources), sources)


def loaded(text: str) -> Loaded:
    """An intent's text, loaded."""
    return load("fabric.yaml", Overlaid("fabric.yaml", text.encode()))


def linted(text: str) -> Run:
    """An intent's text, judged by all rules."""
    sources = Overlaid("fabric.yaml", text.encode())
    return lint([load("fabric.yaml", sources)], sources)


# -- switches made by hand ---------------------------------------------------------------------------------------------

G = 1_000_000_000
ROCE = {26: 3, 48: 6, 56: 7}  # DSCP -> traffic class, all others to 0
SHARES: dict[int, Any] = {0: 40, 3: 60, 6: "strict", 7: "strict"}  # of each queue


def curve(kmin: int, kmax: int, pmax: float = 5, **more: Any) -> Section:
    return section({"kmin": kmin, "kmax": kmax, "pmax": pmax, **more})


def dog(detection: float, restoration: float | None = None, **more: Any) -> Section:
    timers = {"detection_time": detection, "restoration_time": restoration or 2 * detection, "poll_interval": 100}
    return section({**timers, "action": "drop", "priorities": [val(3)], **more})


def ports(
    names: str,
    *,
    pfc: tuple[int, ...] = (3,),
    ecn: Any = None,
    shares: dict[int, Any] | None = None,
    running: RunningPort | None = None,
    **keys: Any,
) -> Port:
    """Ports by node set; `ecn`: the curve of the queues with PFC; `watchdog`, `headroom`, speed and so on as keys."""
    of_pfc = section({key: keys.pop(key, None) for key in ("watchdog", "headroom")})
    queues = {
        queue: {"bandwidth": val(share), "ecn": val(ecn if ecn is not None and queue in pfc else OFF)}
        for queue, share in (SHARES if shares is None else shares).items()
    }
    given = section({**keys, "pfc": of_pfc or None})
    return Port(tuple(node_set(names)), HERE, given, dict.fromkeys(pfc, AT), queues, running)


def switch(
    name: str | None,
    *of: Port,
    dscp: dict[int, int] | None = None,
    groups: dict[int, int] | None = None,
    running: Running | None = None,
    neighbours: tuple[Neighbour, ...] = (),
    **keys: Any,
) -> Switch:
    """A switch on which each traffic class has queue and priority of its number; `groups`: priority groups besides."""
    points = ROCE if dscp is None else dscp
    straight = tuple(val(n) for n in range(8))
    group = {3: 3, 7: 7, **(groups or {})}
    chain = Chain(
        tuple(val(points.get(point, 0)) for point in range(64)),
        straight,
        tuple(val(group.get(n, 0)) for n in range(8)),
        straight,
    )
    given = section({"vendor": "sonic", **keys})
    return Switch(name, HERE, given, chain, of, running or Running("config_db"), (), neighbours)


def lines(switches: list[Switch]) -> list[str]:
    """The lines of an import, without their margins."""
    return [line.strip() for line in import_of(switches).text.splitlines()]
