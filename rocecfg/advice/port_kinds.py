"""The distinct kinds of lossless port in a fabric: ports that need the same numbers, however many there are."""

from __future__ import annotations

from typing import Any

from rocecfg.analysis.tiers import tier_by_links, tier_of_role
from rocecfg.core.nodeset import fold_set
from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, Fabric, Origin, PortGroup, TrafficClass
from rocecfg.profiles import release_key
from rocecfg.sizing.chip import SizedChip

_TO_HOSTS = ("host", "storage")
Value = float | str | None  # a number in the unit that ends the key, a word of the intent, or unknown


class AdvisedSetting(NamedTuple):
    """One value now and as advised, with its working."""

    key: str  # ends in its unit: kmin_bytes, pmax_percent, detection_ms; without one: a factor or a word
    now: Value
    now_at: Origin | None
    advised: Value
    why: str  # the working of `advised`; where nothing is advised, why not
    origins: tuple[Origin, ...] = ()  # where the figures of the working are from

    @property
    def same(self) -> bool:
        """Whether the intent has what is advised."""
        return self.advised is not None and self.now == self.advised


class PortKind(NamedTuple):
    """One lossless class on ports that are alike; `device` and `port` stand for all of them."""

    device: Device
    port: PortGroup
    cls: TrafficClass  # with what differs on these ports
    ports: tuple[PortGroup, ...]  # of the device, that the class crosses at the same speed
    sharing: int | None  # ports of the device that carry a lossless class and share its pool; None: unknown
    reach: tuple[tuple[str, str], ...]  # node sets of devices and of their ports
    total: int  # ports on all of them; 0: the intent names none
    tier: int = 0  # of the devices, 1 at the hosts; 0: not known
    role: str | None = None  # the word for it, where all the devices have one

    @property
    def chip(self) -> SizedChip:
        """What its numbers are worked out from."""
        device = self.device
        return SizedChip(
            device.nos,
            device.asic,
            device.box,
            device.platform,
            _known_release(device),
            device.buffers,
            device.role,
        )

    @property
    def where(self) -> str:
        """Its ports in words."""
        return ", ".join(f"{devices}:{ports}" for devices, ports in self.reach) or "every port"


def find_port_kinds(fabric: Fabric) -> list[PortKind]:
    """The kinds of lossless port, in the order of the intent; none where the fabric is lossy."""
    if fabric.mode == "lossy":
        return []
    found: dict[tuple[Any, ...], _Found] = {}
    for device in fabric.devices:
        sharing = sum(len(p.names) for p in device.ports if p.pfc)
        tier = _tier_of(device, fabric)
        for port in device.ports:
            for cls in device.classes_on(port):
                if cls.lossless and cls.priority in port.pfc:
                    _add_ports(found, device, port, cls, sharing, tier)
    out = []
    for kind, reach, total in found.values():
        places = tuple((_name_devices(of), ports) for ports, of in reach.items())
        roles = {device.role for of in reach.values() for device in of} or {kind.device.role}
        role = roles.pop() if len(roles) == 1 else None
        out.append(kind._replace(reach=places, total=total, role=role))
    return out


class _Found(NamedTuple):
    kind: PortKind
    reach: dict[str, list[Device]]  # ports -> devices
    total: int


def _name_devices(devices: list[Device]) -> str:
    """Devices as a node set: as written where that stands in one place."""
    return devices[0].key if len(devices) == 1 else fold_set(tuple(name for d in devices for name in d.names))


def _tier_of(device: Device, fabric: Fabric) -> int:
    """The tier as `watchdog-tier` counts it, by links; without them the higher of what ports face and the role say.

    A spine that storage hangs on waits for its leaves, too. 0: not known.
    """
    cabled = tier_by_links(fabric, device)
    if cabled is not None:
        return cabled
    faces = {port.faces for port in device.ports if port.pfc}
    faced = 1 if not faces.isdisjoint(_TO_HOSTS) else 2 if faces == {"switch"} else 0
    return max(faced, tier_of_role(device.role))


def _add_ports(
    found: dict[tuple[Any, ...], _Found], device: Device, port: PortGroup, cls: TrafficClass, sharing: int, tier: int
) -> None:
    count: int | None = sharing
    if not sharing:  # no port is named: as many as the chip has at that speed
        capacity = device.asic.capacity if device.asic is not None else None
        count = capacity // port.speed if capacity is not None and port.speed else None
    same = tuple(p for p in device.ports if cls.name in p.classes and p.speed == port.speed)
    key = (
        device.vendor,
        _known_release(device),
        device.platform.file if device.platform is not None else None,
        device.asic.file if device.asic is not None else None,
        device.hwsku,
        tier,
        device.buffers,
        device.pools,
        count,
        frozenset((p.cable, p.alpha) for p in same),
        port.speed,
        port.cable,
        port.mtu,
        port.faces,
        port.alpha,
        port.room,
        port.headroom,
        port.watchdog,
        cls.name,
        cls.profiled,
        cls.ecn_at(port.speed),
    )
    if key not in found:
        found[key] = _Found(PortKind(device, port, cls, same, count, (), 0, tier), {}, 0)
    known = found[key]
    if port.names:
        known.reach.setdefault(port.key, []).append(device)
        found[key] = known._replace(total=known.total + len(port.names) * len(device.names))


def _known_release(device: Device) -> str | None:
    """The device's release, or the one assumed; None where nobody can place it."""
    if device.vendor is None or device.nos is None:
        return None
    release = device.release or device.nos.default_release
    try:
        release_key(device.vendor, release)
    except ValueError:
        return None
    return release
