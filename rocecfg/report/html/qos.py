"""The map of DSCPs, the chain DSCP to traffic class to queue and priority group, and the shares of the scheduler.

Switches that treat all classes alike are told of once.
"""

from __future__ import annotations

from collections.abc import Mapping

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import ranges, show_number, show_rate
from rocecfg.model import Device, Fabric, TrafficClass
from rocecfg.model.views import make_views
from rocecfg.report.html.palette import COLOURS
from rocecfg.report.html.words import shorten_names
from rocecfg.rules.common import classes_by_dscp

_NAMES = {46: "EF", 44: "VA", 1: "LE"}
_NAMES |= {8 * i: f"CS{i}" for i in range(8)}
_NAMES |= {8 * c + 2 * d: f"AF{c}{d}" for c in range(1, 5) for d in range(1, 4)}


class CodePointCell(NamedTuple):
    """A code point in the grid."""

    dscp: int
    colour: str  # CSS class
    cls: str  # the classes that claim it
    tc: str
    lossless: bool
    stated: str


class ClassChain(NamedTuple):
    """What becomes of a class."""

    cls: str
    colour: str
    carries: str
    dscps: str
    tc: int
    queue: str
    pg: str
    priority: str
    pfc: str
    scheduler: str


class Share(NamedTuple):
    """A queue's part of a port."""

    label: str
    colour: str
    strict: bool
    percent: float  # among the non-strict


class Treatment(NamedTuple):
    """How switches treat the classes."""

    where: str
    grid: tuple[tuple[CodePointCell, ...], ...]  # 8 rows of 8
    chains: tuple[ClassChain, ...]
    shares: tuple[Share, ...]
    unclaimed: int  # code points that no class claims


def list_treatments(fabric: Fabric) -> list[Treatment]:
    """Each way in which switches of the fabric treat classes, in its order."""
    found: dict[object, tuple[Device, list[str]]] = {}
    for device in fabric.devices:
        for seen in make_views(device):
            found.setdefault((_make_key(seen), _name_ports(seen)), (seen, []))[1].extend(device.names)
    colours = _choose_colours(fabric)
    return [
        _make_treatment(device, (shorten_names(names) or "every device") + _name_ports(device), colours)
        for device, names in found.values()
    ]


def _name_ports(device: Device) -> str:
    """Words for the ports that sort so, where a device has others."""
    if device.whole is None:
        return ""
    return f", ports {', '.join(port.key for port in device.ports)}"


def _make_key(device: Device) -> object:
    paused = frozenset(p for port in device.ports for p in port.pfc)
    classes = tuple(
        (
            *(c.name, c.carries, c.dscps, c.rest, c.priority, c.tc, c.queue, c.pg, c.lossless, c.strict),
            *(c.bandwidth, c.max_rate, c.max_percent, c.guaranteed_rate, c.guaranteed_percent),
        )
        for c in device.classes
    )
    return device.maps, classes, paused


def _choose_colours(fabric: Fabric) -> Mapping[str, str]:
    """The colour of each class, the same on all switches; those that take the rest are grey."""
    out: dict[str, str] = {}
    used = 0
    for device in (seen for each in fabric.devices for seen in make_views(each)):
        for cls in device.classes:
            if cls.name in out:
                continue
            if cls.rest:
                out[cls.name] = "rest"
            else:
                out[cls.name] = f"c{used % COLOURS}"
                used += 1
    return out


def _make_treatment(device: Device, where: str, colours: Mapping[str, str]) -> Treatment:
    claimed = classes_by_dscp(device)
    cells = [_make_cell(device, dscp, claimed[dscp], colours) for dscp in range(64)]
    return Treatment(
        where,
        tuple(tuple(cells[row : row + 8]) for row in range(0, 64, 8)),
        tuple(_make_chain(device, cls, colours) for cls in device.classes),
        tuple(_list_shares(device, colours)),
        sum(not c for c in claimed),
    )


def _make_cell(device: Device, dscp: int, of: list[TrafficClass], colours: Mapping[str, str]) -> CodePointCell:
    tc = device.maps.dscp_to_tc[dscp]
    name = f"DSCP {dscp}" + (f" ({_NAMES[dscp]})" if dscp in _NAMES else "")
    to = f"traffic class {tc}" if tc is not None else "by the chip's default"
    cls = " + ".join(c.name for c in of)
    lossless = any(c.lossless for c in of)
    description = f"{name}: {cls or 'claimed by no class'}{', lossless' if lossless else ''}, to {to}"
    colour = colours[of[0].name] if of else "none"
    return CodePointCell(dscp, colour, cls, "" if tc is None else str(tc), lossless, description)


def _make_chain(device: Device, cls: TrafficClass, colours: Mapping[str, str]) -> ClassChain:
    maps = device.maps
    queue, pg = maps.tc_to_queue[cls.tc], maps.tc_to_pg[cls.tc]
    paused = any(cls.priority in port.pfc for port in device.ports)
    acts = maps.pfc_to_queue[cls.priority] if paused else None
    pfc = "off" if not paused else f"pauses queue {acts}" if acts is not None else "on"
    return ClassChain(
        cls.name,
        colours[cls.name],
        ", ".join(cls.carries),
        (ranges(cls.dscps) or "none") + (" (rest)" if cls.rest else ""),
        cls.tc,
        f"{queue}" if queue is not None else f"{cls.queue} (the chip's default decides)",
        f"{pg}" if pg is not None else f"{cls.pg} (the chip's default decides)",
        str(cls.priority),
        pfc if cls.lossless or paused else "off",
        _describe_scheduler(cls),
    )


def _describe_scheduler(cls: TrafficClass) -> str:
    if cls.strict:
        words = ["strict"]
    else:
        words = [f"{show_number(cls.bandwidth)}% after strict queues"] if cls.bandwidth is not None else []
    for rate, percent, word in (
        (cls.max_rate, cls.max_percent, "at most"),
        (cls.guaranteed_rate, cls.guaranteed_percent, "at least"),
    ):
        if rate is not None:
            words.append(f"{word} {show_rate(rate)}bit/s")
        elif percent is not None:
            words.append(f"{word} {show_number(percent)}%")
    return ", ".join(words) or "not stated"


def _list_shares(device: Device, colours: Mapping[str, str]) -> list[Share]:
    """Strict queues first, as they are served, highest number first; the others by their number."""
    seen: dict[int, list[TrafficClass]] = {}
    for cls in device.classes:
        seen.setdefault(cls.queue, []).append(cls)
    out = []
    for queue, of in sorted(seen.items(), key=lambda item: (not any(c.strict for c in item[1]), -item[0])):
        strict = any(c.strict for c in of)
        percent = max((c.bandwidth or 0 for c in of), default=0)
        if strict or percent:
            part = "strict" if strict else f"{show_number(percent)}%"
            label = f"queue {queue}: {' + '.join(c.name for c in of)}, {part}"
            out.append(Share(label, colours[of[0].name], strict, percent))
    return out
