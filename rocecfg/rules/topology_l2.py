"""RDMA in VLANs: rules PFC117 and TOP916. Flooding takes lossless packets where no route would."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.core.nodeset import names_of
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_time
from rocecfg.model import Device, Fabric, Span
from rocecfg.rules.base import ERROR, OFF, WARNING, Hit, Rule, rule
from rocecfg.rules.buffer_headroom import UNPAUSED_OFF


class _Segment(NamedTuple):
    """A VLAN that carries a lossless class of RDMA, and the switches it spans."""

    number: int
    cls: str
    at: Span  # where they are written
    names: frozenset[str]


def _iter_segments(fabric: Fabric) -> Iterator[_Segment]:
    lossless = {c.name for device in fabric.devices for c in device.rdma if c.lossless}
    for number, vlan in fabric.facts.get("vlans", {}).items():
        devices, cls = vlan.value.get("devices"), vlan.value.get("class")
        if devices is not None and cls is not None and cls.value in lossless:
            yield _Segment(number, cls.value, devices.at, frozenset(names_of(devices.value)))


@rule(
    "TOP916",
    "topology-l2",
    WARNING,
    source="Guo et al., SIGCOMM'16, section 4.2: flooding in a VLAN broke up-down routing and deadlocked",
    by_kind={**UNPAUSED_OFF, "running": OFF},
    needs=("vlans",),
)
def topology_l2(fabric: Fabric) -> Iterator[Hit]:
    """A VLAN that carries RDMA spans several switches."""
    for found in _iter_segments(fabric):
        if len(found.names) > 1:
            yield Hit(
                f"VLAN {found.number} carries {found.cls} and spans {len(found.names)} switches: packets to an "
                "unknown MAC address are flooded to all of them, down and up again",
                (found.at,),
                "route between switches: a VLAN for RDMA on one switch, or none",
                cls=found.cls,
            )


@rule(
    "PFC117",
    "pfc-bum",
    ERROR,
    source="Guo et al., SIGCOMM'16, section 4.2: ARP entries of 4 h outlived MAC entries of 5 min, and lossless "
    "packets were flooded until they deadlocked",
    by_kind={**UNPAUSED_OFF, "running": OFF},
    needs=("vlans",),
)
def pfc_bum(fabric: Fabric) -> Iterator[Hit]:
    """Lossless packets in a VLAN are flooded once the MAC address of a host is forgotten."""
    for found in _iter_segments(fabric):
        for device in fabric.devices:
            if found.names.isdisjoint(device.names) or not _has_lossless_class(device, found.cls):
                continue
            arp, mac, drops = device.arp_timeout, device.mac_age, device.drop_incomplete_arp
            if drops or (arp is None or mac is None) or arp <= mac:
                continue
            yield Hit(
                f"ARP entries live {show_time(arp)} but MAC entries only {show_time(mac)}: in between, lossless "
                f"packets of {found.cls} in VLAN {found.number} are flooded to every port, and can deadlock",
                (device.at("mac_age"), device.at("arp_timeout"), device.at()),
                "set mac_age to at least arp_timeout, and drop lossless packets whose entry is incomplete "
                "(drop_incomplete_arp: true)",
                ((found.at, f"VLAN {found.number}"),),
                cls=found.cls,
                vendors=frozenset((device.vendor,)),
            )


def _has_lossless_class(device: Device, name: str) -> bool:
    return any(c.name == name and c.lossless for c in device.classes)


RULES: tuple[Rule, ...] = (pfc_bum, topology_l2)
