"""What an intent states and no running configuration of a system is compared in, and why."""

from __future__ import annotations

from collections.abc import Mapping

from rocecfg.vendors import VENDORS

_UNREAD = "not read from configurations of {}"
_NONE = "{} has no such setting"
_SIZES = "no setting of {}: sizes follow from it, and these are compared"


def _say_of(why: str, *vendors: str) -> Mapping[str, str]:
    return dict.fromkeys(vendors or VENDORS, why)


UNCOMPARED: Mapping[str, Mapping[str, str]] = {  # path in the catalogue -> system -> why; {}: the system's title
    "device.switch_type": _say_of(_NONE, "spectrum", "arista", "junos"),
    "device.dcbx": _say_of(_NONE, "spectrum"),
    "device.arp_timeout": _say_of(_UNREAD),
    "device.mac_age": _say_of(_UNREAD),
    "device.drop_incomplete_arp": _say_of(_UNREAD),
    "device.buffers.model": _say_of(_NONE, "spectrum", "arista", "junos"),
    "device.buffers.template": _say_of(_SIZES),
    "device.buffers.response": _say_of(_SIZES),
    "device.buffers.private_headroom": _say_of(_SIZES),
    "device.buffers.queue_limit": _say_of(_SIZES),
    "device.buffers.lossless_mtu": _say_of(_NONE, "spectrum", "arista"),
    "device.buffers.small_packets": _say_of(_NONE, "spectrum", "arista", "junos"),
    "classes[].pg": _say_of(_NONE, "spectrum"),
    "ports[].cable": _say_of(_NONE, "arista"),
    "ports[].macsec": _say_of(_UNREAD, "spectrum", "arista", "junos"),
}
OF_DYNAMIC_MODEL: Mapping[str, Mapping[str, str]] = {  # in the traditional buffer model of SONiC they are no settings
    f"device.buffers.{key}": _say_of("they are settings of the dynamic buffer model of {}", "sonic")
    for key in ("lossless_mtu", "small_packets")
}
