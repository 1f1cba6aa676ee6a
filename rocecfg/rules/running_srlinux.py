"""What goes wrong with SR Linux in particular, and only its own configuration shows: SRL801 to SRL807.

The reader of its configurations finds these: each is about statements, of which the model has only what they come to.
"""

from __future__ import annotations

from rocecfg.rules.base import ERROR, WARNING, Rule, running_rule

_MODEL = "nokia/srlinux-yang-models v25.3.1, srl_nokia-qos"

RULES: tuple[Rule, ...] = (
    running_rule(
        "SRL801",
        "srlinux-pfc-off",
        ERROR,
        "SR Linux: a pfc-mapping-profile without pfc-enable, which is false by default.",
        source=f"{_MODEL}: interfaces interface pfc pfc-enable, default false",
    ),
    running_rule(
        "SRL802",
        "srlinux-no-mapping",
        ERROR,
        "SR Linux: PFC is enabled on a port without a pfc-mapping-profile of its own.",
        source=f"{_MODEL}: there is always a profile assigned, named default",
    ),
    running_rule(
        "SRL803",
        "srlinux-pfc-queue",
        ERROR,
        "SR Linux: a PFC queue sends pauses, but no forwarding class fills it.",
        source=f"{_MODEL}: received-traffic unicast-mapping pfc-queue forwarding-class",
    ),
    running_rule(
        "SRL804",
        "srlinux-ecn-off",
        ERROR,
        "SR Linux: a queue has a slope that marks, but ECN is off on the whole switch.",
        source=f"{_MODEL}: explicit-congestion-notification, when present ECN is enabled on all interfaces",
    ),
    running_rule(
        "SRL805",
        "srlinux-reservation",
        WARNING,
        "SR Linux: PFC is on, and headroom is left at 1 percent of the buffer.",
        source=f"{_MODEL}: pfc-buffer-reservation, default 1",
    ),
    running_rule(
        "SRL806",
        "srlinux-tail-drop",
        WARNING,
        "SR Linux: the limit of a lossless output queue is below what two ports hold back before they pause.",
        source=f"{_MODEL}: maximum-burst-size, a non-zero value is a static limit; derived for two senders",
    ),
    running_rule(
        "SRL807",
        "srlinux-default-map",
        WARNING,
        "SR Linux: a port with PFC, or one of its subinterfaces, sorts packets by the default policy.",
        source="Nokia, Configuration Basics 21.3, QoS: the default dscp-policy",
    ),
)
