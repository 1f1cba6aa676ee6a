"""What NVUE's settings bear on, below `qos` and at ports below `qos` and `link`; and of which nothing is to be known.

Every path there is read, or told as not judged, or stands in `BESIDE`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rocecfg.core.records import NamedTuple
from rocecfg.vendors.spectrum.reading.schema_qos import GLOBAL

OF_PORT = {  # settings of ports, by the object of `qos` that says them
    "roce": ("pfc", "trust", "ecn", "shares"),
    "mapping": ("trust",),
    "pfc": ("pfc", "obeys", "sends", "headroom", "cable"),
    "pfc-watchdog": ("watchdog",),
    "congestion-control": ("ecn", "discards"),
    "egress-scheduler": ("shares",),
    "egress-shaper": ("max_rate", "guaranteed"),
    "link-pause": ("flowcontrol",),
    "headroom": ("headroom",),
    "shared-headroom-pool": ("headroom",),
}
OF_SWITCH = {  # and those of the switch as a whole
    "roce": ("dscp", "pcp"),
    "mapping": ("dscp", "pcp"),
    "egress-queue-mapping": ("dscp", "pcp"),
    "remark": ("remarks",),
    "traffic-pool": ("buffers", "pool"),
    "advance-buffer-config": ("buffers", "pool"),
}
_BESIDES = {  # what they set that is known though something about them is not understood
    "roce": ("roce",),
    "mapping": ("unmarked",),
    "pfc": ("buffers",),
    "advance-buffer-config": ("group",),
}
OF_LINK = {  # of a port's link
    "mtu": ("mtu",),
    "speed": ("speed",),
    "fec": ("fec",),
    "breakout": ("port",),
    "state": ("up",),
}
PROFILED = ("mapping", "pfc", "congestion-control", "egress-scheduler", "egress-shaper", "link-pause", "remark")


class Beside(NamedTuple):
    """Paths of NVUE that set nothing which is compared: why not, and who says so."""

    path: str
    why: str
    source: str


LINK_BESIDE = frozenset(  # settings of `link` that no QoS hangs on; a key that is not known here is told
    {
        *("auto-negotiate", "duplex", "lanes", "fast-linkup", "flap-protection", "mac-address", "tx-squelch"),
        *("debounce", "apsu-mode", "module-precoding", "dot1x"),
    }
)
_SCHEMA = "NVUE schema of 5.14"
BESIDE = (
    Beside(
        f"interface \\S+ link (?:{'|'.join(sorted(LINK_BESIDE))}).*",
        "of the link, no QoS",
        f"{_SCHEMA}, /interface/{{interface-id}}/link",
    ),
    Beside(
        "qos advance-buffer-config \\S+ ingress-lossy-buffer priority-group \\S+ name",
        "a label, which nothing goes by",
        f"{_SCHEMA}, /qos/advance-buffer-config/{{profile-id}}/ingress-lossy-buffer/priority-group/"
        "{priority-group-id}: name, an alias",
    ),
    Beside(
        "interface \\S+ link breakout \\S+ .+",
        "which lanes; into how many is read",
        f"{_SCHEMA}, /interface/{{interface-id}}/link/breakout/{{mode-id}}",
    ),
)
# What is read of objects of which the rest is not judged.
TIMERS = ("polling-interval", "robustness")  # of pfc-watchdog
_MARKED = ("ecn", "red")  # of a traffic class with thresholds in percent
_POOLS = ("ingress-pool", "egress-pool", "ingress-service-pool", "egress-service-pool")
_OF_POOLS = ("memory-percent", "mode")
_OF_REGION = {  # of advanced buffers
    "ingress-lossless-buffer": ("shared-alpha", "shared-bytes", "service-pool"),
    "ingress-lossy-buffer": ("switch-priority", "service-pool", "name"),
}
_OF_OTHERS = ("service-pool",)
_BESIDE = re.compile("|".join(f"(?:{one.path})" for one in BESIDE))


def settings_of(path: Iterable[str]) -> tuple[str, ...]:
    """The settings, by their names in the catalogue, that what is set at a path bears on; (): not known which."""
    first, *rest = path
    if (first, *rest[:2]) == ("system", "forwarding", "ecmp-hash") or "adaptive-routing" in (rest[:1] + rest[2:3]):
        return ("load_balancing",)
    if (first, *rest[:2]) == ("system", "forwarding", "packet-trim"):
        return ("trimming",)
    if first == "interface" and rest[1:2] == ["packet-trim"]:
        return ("trimmed",)
    if first == "interface" and rest[1:2] == ["link"]:
        return OF_LINK.get(rest[2], ()) if len(rest) > 2 else ()
    rest = rest[2:] if first == "interface" and rest[1:2] == ["qos"] else rest if first == "qos" else []
    return tuple(each for of in (OF_PORT, OF_SWITCH, _BESIDES) for each in of.get(rest[0], ())) if rest else ()


def is_beside(path: Iterable[str]) -> bool:
    """Whether nothing that is compared hangs on what is set at a path."""
    return _BESIDE.fullmatch(" ".join(path)) is not None


def read_of(region: str) -> tuple[str, ...]:
    """What is read of a region of advanced buffers."""
    return _OF_POOLS if region in _POOLS else _OF_REGION.get(region, _OF_OTHERS)


def is_read(path: tuple[str, ...]) -> bool:
    """Whether a setting is read, of an object below `qos` of which something is not judged."""
    if path[:1] != ("qos",) or len(path) < 3:
        return False
    kind, name = path[1:3]
    if kind == "advance-buffer-config":
        return len(path) > 4 and not {path[-1], path[-2]}.isdisjoint(read_of(path[3]))
    if kind == "remark":
        return name == GLOBAL and path[-1] == "dscp"
    return {
        "mapping": True,
        "pfc-watchdog": name in TIMERS,
        "congestion-control": path[-1] in _MARKED,
    }.get(kind, False)
