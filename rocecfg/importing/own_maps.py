"""Classes of ports that sort packets by maps of their own: which class of the switch each of theirs is."""

from __future__ import annotations

from collections.abc import Mapping

from rocecfg.model import Device, PortGroup, TrafficClass
from rocecfg.model.frozen import replace
from rocecfg.model.switch import TCS

OnPort = Mapping[str, TrafficClass]  # what crosses a port: the name of the switch's class -> the class as it is there


def match_classes(device: Device) -> tuple[dict[str, TrafficClass], list[OnPort | None]]:
    """The classes of a switch, and what each of its ports makes of them; None for ports without maps of their own.

    What crosses a port with maps of its own is taken for the class of the switch that has its code points, or that
    nothing else there stands for, lossless for lossless: so moves of a class are read, as of RDMA to another DSCP and
    priority. One that is nobody's becomes a class of the switch without code points.
    """
    classes = {cls.name: cls for cls in device.classes}
    found = [_find_crossing(device, port) for port in device.ports]
    if all(own is None for own in found):
        return classes, list(found)
    usual = {name for port, own in zip(device.ports, found, strict=True) if own is None for name in port.classes}
    known = {name: cls for name, cls in classes.items() if cls.dscps or name in usual}
    out: list[OnPort | None] = []
    for port, own in zip(device.ports, found, strict=True):
        if own is None:
            out.append(None)
            continue
        kept = _find_kept(device, port)
        twins = _pair_classes({name: cls for name, cls in known.items() if name not in kept}, own)
        for name, cls in own.items():
            if name not in twins:
                added = _make_class(cls, known)
                twins[name], known[added.name] = added.name, added
        out.append({twins[name]: cls for name, cls in own.items()})
    return known, out


def _find_crossing(device: Device, port: PortGroup) -> dict[str, TrafficClass] | None:
    """What crosses a port with maps of its own, where packets are sorted into it, or it is paused."""
    if port.maps is None:
        return None
    return {cls.name: cls for cls in device.classes_on(port) if cls.dscps or cls.lossless}


def _find_kept(device: Device, port: PortGroup) -> set[str]:
    """The classes that do not cross a port with maps of its own, and that packets are sorted into all the same."""
    every = {cls.name: cls for cls in (*device.classes, *port.overrides)}
    return {name for name, cls in every.items() if name not in port.classes and cls.dscps}


def _make_class(cls: TrafficClass, known: Mapping[str, TrafficClass]) -> TrafficClass:
    """A class of the switch for one that only ports have: without code points and share.

    By its own numbers, unless a class of the switch has them, which is somebody else's there.
    """
    bare = replace(
        cls,
        dscps=(),
        strict=False,
        bandwidth=None,
        max_rate=None,
        max_percent=None,
        guaranteed_rate=None,
        guaranteed_percent=None,
    )
    if cls.name not in known:
        return bare
    taken = {other.tc for other in known.values()}
    free = next(number for number in TCS if number not in taken)  # there are as many as classes on a port
    pg = free if cls.lossless else cls.pg
    return replace(bare, name=f"{cls.name} {free}", tc=free, priority=free, queue=free, pg=pg)


def _pair_classes(known: Mapping[str, TrafficClass], own: OnPort) -> dict[str, str]:
    """The class of the switch that each class of ports stands for, where one does.

    By the code points that they share, most first; what is left by being lossless or not.
    """
    shared = {
        (name, other): len(set(cls.dscps).intersection(usual.dscps))
        for name, cls in own.items()
        for other, usual in known.items()
    }
    alike = {(name, other): own[name].lossless == known[other].lossless for name, other in shared}
    out: dict[str, str] = {}
    for name, other in sorted(shared, key=lambda pair: (-shared[pair], not alike[pair], pair[0] != pair[1])):
        if name not in out and other not in out.values():
            out[name] = other
    return out
