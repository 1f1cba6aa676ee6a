"""What Junos's statements bear on: which settings one may set, and of which nothing is to be known."""

from __future__ import annotations

from rocecfg.vendors.junos.reading.lexing import Words

_OF_CLASSES = ("dscp", "pcp", "pfc", "shares", "ecn", "max_rate", "guaranteed", "discards")
_OF_SENDING = ("shares", "ecn", "max_rate", "guaranteed", "discards")
_TOPICS: dict[str, tuple[str, ...]] = {  # below class-of-service
    "forwarding-classes": _OF_CLASSES,
    "classifiers": ("dscp", "pcp"),
    "code-point-aliases": ("dscp", "pcp"),
    "drop-profiles": ("ecn", "discards"),
    "shared-buffer": ("buffers",),
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
OF_SWITCH = frozenset({"dscp", "pcp", "remarks", "buffers"})  # settings that no port has by itself
# Sections of which nothing is compared, and why.
BESIDE = {
    "multi-destination": "classifiers of multicast, which is no RDMA",
    "host-outbound-traffic": "marks of what the switch itself sends",
    "dedicated-buffer-profile": "minimum buffers of single ports, which no intent states",
    "dedicated-buffer": "the part of the buffer that is not shared, which no intent states",
    "tri-color": "colours of policers",
    "traceoptions": "traces",
    "code-point-aliases": "names of code points: what uses them is read",
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
