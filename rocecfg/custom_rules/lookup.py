"""Finding a path by its name, and what stands there as seen from one element of the model."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.core.records import NamedTuple
from rocecfg.custom_rules.paths import CLASS, SCOPES, Path, Reading
from rocecfg.intent.types import NAME
from rocecfg.model import Device, Fabric, PortGroup, TrafficClass
from rocecfg.model.catalogue import list_sorting
from rocecfg.model.frozen import replace

_BY_PORT = {**{name: name for name in list_sorting()}, "dscp": "dscps"}  # path: field
_WITHIN = {"fabric": ("device", "class", "port"), "device": ("class", "port")}


class ModelElement(NamedTuple):
    """One element of the model and what it is part of; None where it is not that deep."""

    fabric: Fabric
    device: Device | None = None
    cls: TrafficClass | None = None
    port: PortGroup | None = None


class BoundPath(NamedTuple):
    """A path as it is seen from an element."""

    written: str
    path: Path
    via: str = ""  # "": of the element; "device", "fabric": of what it is part of; else a class that crosses the port

    def readings(self, here: ModelElement) -> Iterator[Reading]:
        """What is found there; nothing where it is absent."""
        if self.via in ("fabric", "device"):
            yield from self.path.read(here.fabric if self.via == "fabric" else here.device)
        elif self.via:
            yield from _read_on_port(self.path, self.via, here)
        elif here.cls is not None:
            yield from self.path.read(here.cls)
            if self.path.name.startswith("ecn") or self.path.name in _BY_PORT:
                yield from _read_overrides(self.path, here)
        else:
            yield from self.path.read(here.port or here.device or here.fabric)


def _read_on_port(path: Path, name: str, here: ModelElement) -> Iterator[Reading]:
    """A class as it is on a port: with the curve for the port's speed."""
    if here.device is None or here.port is None:
        return
    for cls in here.device.classes_on(here.port):
        if cls.name == name:
            yield from path.read(replace(cls, ecn=cls.ecn_at(here.port.speed), ecn_by_speed=()))


def _read_overrides(path: Path, here: ModelElement) -> Iterator[Reading]:
    """What differs on some ports of the device."""
    for port in here.device.ports if here.device is not None else ():
        for cls in port.overrides:
            if here.cls is not None and cls.name == here.cls.name:
                field = _BY_PORT.get(path.name)
                if field is not None and getattr(cls, field) == getattr(here.cls, field):
                    continue  # as on the device
                for reading in path.read(cls):
                    yield reading._replace(of=" ".join(filter(None, (reading.of, f"ports {port.key}"))))


def find_path(scope: str, name: str) -> BoundPath | None:
    """The path of that name as seen from an element of that scope; None where there is none."""
    own = SCOPES[scope].get(name)
    if own is not None:
        return BoundPath(name, own)
    first, dot, rest = name.partition(".")
    if not dot:
        return None
    if first in ("fabric", "device"):
        found = SCOPES[first].get(rest)
        return BoundPath(name, found, first) if found is not None and scope in _WITHIN[first] else None
    if scope == "port" and NAME.fits(first) and rest in CLASS:
        return BoundPath(name, CLASS[rest], first)
    return None


def known_paths(scope: str) -> list[str]:
    """The paths that elements of a scope have, as they are written there."""
    names = list(SCOPES[scope])
    for first, scopes in _WITHIN.items():
        if scope in scopes:
            names += [f"{first}.{name}" for name in SCOPES[first]]
    return names
