"""`rocecfg show`."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator
from typing import Any

import click

from rocecfg.cli.common import stop, stop_unread
from rocecfg.engine.discover import discover
from rocecfg.intent import Loaded
from rocecfg.model import (
    Computed,
    Default,
    Device,
    Ecn,
    Fact,
    Headroom,
    Origin,
    PortGroup,
    Span,
    TrafficClass,
    Watchdog,
)
from rocecfg.nodeset import fold
from rocecfg.profiles import MARKS
from rocecfg.source.document import Sources
from rocecfg.units import show_rate, show_size, show_time

_OF_FABRIC = (
    *("kind", "mode", "congestion_control", "workload", "topology", "classification", "path_mtu"),
    *("ecn_family", "rtt", "incast"),
)
_UNKNOWN = Default("what the switch makes of it is not known")
_UNSTATED = Default("off unless stated")
_HIDDEN = frozenset(
    {"origins", "names", "key", "classes", "maps", "ports", "box", "nos", "implied", "overrides", "room"}
)
_SIZES = frozenset({"kmin", "kmax", "size", "xon", "xoff", "shared_headroom", "lossless_mtu", "total", "lossless"})
_TIMES = frozenset({"detection", "restoration", "poll", "rtt"})
_RATES = frozenset({"speed", "max_rate", "guaranteed_rate"})
_PERCENT = frozenset(
    {"pmax", "bandwidth", "lossless_pool", "lossy_pool", "small_packets", "max_percent", "guaranteed_percent"}
)


@click.command("show")
@click.argument("path", default=".", type=click.Path())
@click.argument("device", required=False)
@click.option("--vendor", type=click.Choice(["sonic", "spectrum", "arista"]), help="for devices that name none")
def command(path: str, device: str | None, vendor: str | None) -> None:
    """Print the resolved plan: every effective value and where it came from."""
    sources = Sources()
    if device is None and path != "." and not os.path.exists(path):
        path, device = ".", path  # `rocecfg show leaf01`
    found = discover((path,), sources, vendor)
    if found.strangers:
        stop(f"{path} belongs to no intent")
    shown = 0
    for loaded in found.fabrics:
        if loaded.errors:
            stop_unread(loaded.errors[0])
        for line in _fabric(loaded, sources, device):
            shown += 1
            click.echo(line)
    if not shown:
        stop(f"there is no device {device}")


def _fabric(loaded: Loaded, sources: Sources, wanted: str | None) -> Iterator[str]:
    fabric = loaded.fabric
    if fabric is None:
        return
    devices = [d for d in fabric.devices if wanted is None or wanted in d.names]
    if wanted is not None and not devices:
        return
    say = Origins(sources)
    yield f"fabric {fabric.name}"
    for name in _OF_FABRIC:
        value = getattr(fabric, name)
        if value is not None:
            yield _line(1, name, _value(name, value), say(fabric.at(name)))
    templates = os.path.join(os.path.dirname(loaded.root), "rocecfg-templates")
    if os.path.isdir(templates):
        for folder, _, files in sorted(os.walk(templates)):
            for file in sorted(files):
                yield _line(1, "template", os.path.join(folder, file), "the repository's own, used instead of ours")
    for device in devices:
        yield from _device(device, say)


def _device(device: Device, say: Origins) -> Iterator[str]:
    ports = sum(len(p.names) for p in device.ports)
    of = f" ({len(device.names)} devices, {ports} ports each)" if device.names else ""
    yield f"device {device.key or 'every device'}{of}"
    yield from _fields(device, 1, say)
    if device.version is None and device.nos is not None:
        yield _line(1, "version", device.nos.default_release, "default: assumed, since the intent names none")
    yield from _fields(device.buffers, 1, say, "buffers.")
    yield from _fields(device.pools, 1, say, "pools.")
    for cls in device.classes:
        yield f"  class {cls.name}"
        yield from _class(cls, say)
    for port in device.ports:
        yield f"  ports {port.key or 'every port'}"
        yield from _port(port, say)


def _class(cls: TrafficClass, say: Origins) -> Iterator[str]:
    at = say(cls.at("dscp"))
    points = fold(tuple(map(str, cls.dscps))).strip("[]").replace(",", " ")
    yield _line(2, "dscp", points or "none", at + (" (rest)" if cls.rest else ""))
    for name in ("marks", "networks"):
        if getattr(cls, name):
            yield _line(2, name, _value(name, getattr(cls, name)), say(cls.at(name)))
    for name in ("carries", "priority", "tc", "queue", "pg", "lossless"):
        value = getattr(cls, name)
        yield _line(2, name, " ".join(value) if isinstance(value, tuple) else value, say(cls.at(name)))
    if cls.strict or cls.bandwidth is not None:
        yield _line(2, "bandwidth", "strict" if cls.strict else f"{cls.bandwidth:g}%", say(cls.at("bandwidth")))
    for name in ("max_rate", "max_percent"):
        if getattr(cls, name) is not None:
            yield _line(2, name, _value(name, getattr(cls, name)), say(cls.at("max_rate")))
    for name in ("guaranteed_rate", "guaranteed_percent"):
        if getattr(cls, name) is not None:
            yield _line(2, name, _value(name, getattr(cls, name)), say(cls.at("guaranteed")))
    yield from _curves(cls, 2, say)


def _curves(cls: TrafficClass, depth: int, say: Origins, prefix: str = "") -> Iterator[str]:
    if isinstance(cls.ecn, Ecn):
        yield from _fields(cls.ecn, depth, say, f"{prefix}ecn.")
    else:
        yield _line(depth, f"{prefix}ecn", cls.ecn or "off", say(cls.origins.get("ecn", _UNSTATED)))
    for speed, curve in cls.ecn_by_speed:
        yield from _fields(curve, depth, say, f"{prefix}ecn.{show_rate(speed)}.")


def _port(port: PortGroup, say: Origins) -> Iterator[str]:
    yield _line(2, "classes", " ".join(port.classes), say(port.at("classes")))
    for field in dataclasses.fields(port):
        value = getattr(port, field.name)
        if field.name in _HIDDEN or value is None:
            continue
        if isinstance(value, (Watchdog, Headroom)):
            if isinstance(value, Watchdog) and value.vendor_default:
                yield _line(2, "watchdog", "vendor-default", say(port.at("watchdog")))
            else:
                yield from _fields(value, 2, say, f"{field.name}.")
        else:
            yield _line(2, field.name, _value(field.name, value), say(port.at(field.name)))
    if port.room is not None and not isinstance(port.headroom, Headroom):
        yield from _fields(port.room, 2, say, "headroom.")
    elif port.pfc and port.room is None:
        yield _line(2, "headroom", "unknown", say(_UNKNOWN))
    if port.watchdog is None:
        yield _line(2, "watchdog", "off", say(port.origins.get("watchdog", _UNSTATED)))
    for cls in port.overrides:
        yield from _curves(cls, 2, say, f"{cls.name}.")


def _fields(of: Any, depth: int, say: Origins, prefix: str = "") -> Iterator[str]:
    for field in dataclasses.fields(of):
        value = getattr(of, field.name)
        if (
            field.name in _HIDDEN
            or value is None
            or value is False
            or (dataclasses.is_dataclass(value) and not hasattr(value, "name"))
        ):
            continue
        yield _line(depth, prefix + field.name, _value(field.name, value), say(of.at(field.name)))


def _value(name: str, value: Any) -> str:
    if hasattr(value, "name"):
        return str(value.name)
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or "none"
    if name in _SIZES:
        return show_size(value)
    if name in _TIMES:
        return show_time(value)
    if name in _RATES:
        return show_rate(value)
    if name in _PERCENT:
        return f"{value:g}%"
    if name == "cable":
        return f"{value:g}m"
    return str(value)


def _line(depth: int, name: str, value: object, origin: str) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f"{'  ' * depth}{name:<{26 - 2 * depth}} {text:<24} {origin}".rstrip()


class Origins:
    """Origins in words."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    def __call__(self, origin: Origin) -> str:
        """One origin: file and line, profile with its source, default with its reason, or the formula."""
        if isinstance(origin, Span):
            document = self._sources.documents[origin.doc]
            return f"{document.path}:{document.place(origin.start)[0]}"
        if isinstance(origin, Fact):
            sure = "" if origin.mark == "V" else f", {MARKS[origin.mark]}"
            return f"profile {origin.profile} {origin.key} ({origin.source}{sure})"
        if isinstance(origin, Default):
            return f"default: {origin.why}"
        assert isinstance(origin, Computed)
        inputs = dict.fromkeys(self(o) for o in origin.inputs[:4])
        return f"computed: {origin.formula}" + (f" [{', '.join(inputs)}]" if inputs else "")
