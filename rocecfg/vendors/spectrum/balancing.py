"""Load balancing: what ECMP hashes, and adaptive routing, which is turned on for the switch and at its uplinks."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, PortGroup
from rocecfg.vendors.spectrum.release import STATE, Release

HASHED = {  # fields of an intent as `ecmp-hash` has them, and whether each is hashed unless it is set
    "src-ip": ("source-ip", True),
    "dst-ip": ("destination-ip", True),
    "protocol": ("ip-protocol", True),
    "src-port": ("source-port", True),
    "dst-port": ("destination-port", True),
    "ingress-port": ("ingress-interface", False),
    "flow-label": ("ipv6-label", True),
}


class Balancing(NamedTuple):
    """What is said for the switch as a whole."""

    key: str  # of adaptive routing: state | enable
    adaptive: str | None  # None: nothing is said
    hashed: tuple[tuple[str, str], ...]  # leaf of `ecmp-hash`, word


def on_and_off(release: Release) -> tuple[str, str]:
    """What on and off are called."""
    return ("enabled", "disabled") if release.number >= STATE else ("on", "off")


def balancing_of(device: Device, release: Release) -> Balancing | None:
    """What is said of load balancing."""
    stated = device.load_balancing
    if stated is None:
        return None
    on, off = on_and_off(release)
    hashed = tuple((leaf, on if name in stated.hash else off) for name, (leaf, _) in HASHED.items())
    return Balancing(
        "state" if release.number >= STATE else "enable",
        None if stated.mode is None else on if stated.mode == "adaptive" else off,
        hashed if stated.hash else (),
    )


def is_adaptive(device: Device, port: PortGroup) -> bool:
    """Whether adaptive routing is to be on at ports: routed ones that lead to switches and are in no bond."""
    stated = device.load_balancing
    return stated is not None and stated.mode == "adaptive" and port.faces == "switch" and port.lag is None
