"""What Junos's statements bear on: which settings one may set, and of which nothing is to be known."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.vendors.junos.reading.grammar import Words

_OF_CLASSES = ("dscp", "pcp", "pfc", "shares", "ecn", "max_rate", "guaranteed", "discards")
_OF_SENDING = ("shares", "ecn", "max_rate", "guaranteed", "discards")
_TOPICS: dict[str, tuple[str, ...]] = {  # below class-of-service
    "forwarding-classes": _OF_CLASSES,
    "classifiers": ("dscp", "pcp"),
    "code-point-aliases": ("dscp", "pcp"),
    "drop-profiles": ("ecn", "discards"),
    "shared-buffer": ("buffers", "pool"),
    "congestion-notification-profile": ("pfc", "obeys", "stops", "watchdog", "cable"),
    "scheduler-maps": _OF_SENDING,
    "schedulers": (*_OF_SENDING, "egress"),
    "rewrite-rules": ("remarks",),
    "traffic-control-profiles": _OF_SENDING,
    "forwarding-class-sets": _OF_SENDING,
    "forwarding-policy": ("dscp",),
    "system-defaults": _OF_CLASSES,
    "drop-congestion-notification": ("discards",),
}
_OF_INTERFACES: dict[str, tuple[str, ...]] = {
    "congestion-notification-profile": ("pfc", "obeys", "stops", "watchdog", "cable"),
    "scheduler-map": _OF_SENDING,
    "classifiers": ("dscp", "pcp", "trust"),
    "forwarding-class": ("trust", "unmarked"),
    "rewrite-rules": ("remarks",),
    "forwarding-class-set": _OF_SENDING,
    "output-traffic-control-profile": _OF_SENDING,
    "shaping-rate": ("shares", "max_rate"),
}
OF_SWITCH = frozenset({"dscp", "pcp", "remarks", "buffers", "pool"})  # settings that no port has by itself


class Beside(NamedTuple):
    """Why nothing of a section is compared, and who says so."""

    why: str
    source: str


_CLI = "juniper.net, Junos CLI reference"
_MODEL = "Juniper's native configuration model of 24.4R1 (Juniper/yang)"
BESIDE = {  # sections of which nothing is compared
    "multi-destination": Beside(
        "classifiers of multicast, which is no RDMA", f"{_CLI}, multi-destination (Class of Service): BUM traffic"
    ),
    "host-outbound-traffic": Beside(
        "marks of what the switch itself sends",
        f"{_CLI}, host-outbound-traffic (Class-of-Service): no packets in transit",
    ),
    "dedicated-buffer-profile": Beside(
        "minimum buffers of single ports, which no intent states",
        f"{_MODEL}, class-of-service/dedicated-buffer-profile; what it does to lossless queues: unverified",
    ),
    "dedicated-buffer": Beside(
        "the part of the buffer that is not shared, which no intent states",
        f"{_MODEL}, class-of-service/dedicated-buffer; what it does to lossless queues: unverified",
    ),
    "tri-color": Beside(
        "colours of policers", f"{_CLI}, three-color-policer; that the statement alone changes no queue: unverified"
    ),
    "traceoptions": Beside("traces", f"{_MODEL}, class-of-service/traceoptions"),
    "code-point-aliases": Beside(
        "names of code points: what uses them is read", f"{_CLI}, classifiers (CoS): code-points (alias | bits)"
    ),
}


def settings_of(words: Words) -> tuple[str, ...]:
    """The settings, by their names in the catalogue, that a statement below class-of-service may bear on."""
    if words[0] == "interfaces":
        rest = words[4:] if words[2:3] == ("unit",) else words[2:]
        return next(
            (_OF_INTERFACES[word] for word in rest[:1] if word in _OF_INTERFACES), ("trust", *_OF_SENDING, "pfc")
        )
    return _TOPICS.get(words[0], _OF_CLASSES)


def is_beside(words: Words) -> bool:
    """Whether nothing that is compared hangs on a statement below class-of-service."""
    section = words[0]
    if section in BESIDE:
        return True
    if section == "interfaces":
        rewritten = "rewrite-rules" in words and "ieee-802.1" in words
        return rewritten or any(word in words[2:] for word in ("dedicated-buffer-profile", "exp"))
    if section == "schedulers":
        return len(words) > 2 and words[2] == "buffer-size"
    if section in ("classifiers", "rewrite-rules") and len(words) > 1:
        kinds = ("exp", "inet-precedence", "ieee-802.1ad", "dscp-ipv6")
        return words[1] in kinds or (section == "rewrite-rules" and words[1] == "ieee-802.1")
    return section == "forwarding-classes" and "policing-priority" in words
