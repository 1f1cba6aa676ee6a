"""What goes wrong with Junos in particular, and only its own configuration shows: JUN801 to JUN823.

The reader of its configurations finds these: each is about statements, of which the model has only what they come to.
JUN811 and JUN812 are about marking curves, which intents have, too: `ecn_values`.
"""

from __future__ import annotations

from rocecfg.rules.base import ERROR, INFO, WARNING, Rule, running_rule

_PROFILE = "Juniper, congestion-notification-profile (QFX)"

RULES: tuple[Rule, ...] = (
    running_rule(
        "JUN801",
        "junos-pfc-lossy",
        ERROR,
        "Junos: PFC is on for a code point whose forwarding class is not no-loss.",
        source=f"{_PROFILE}; Juniper, Configuring PFC by DSCP at layer 3",
    ),
    running_rule(
        "JUN802",
        "junos-no-output",
        ERROR,
        "Junos: a profile sends pauses, and the queue that it protects does not obey any.",
        source=f"{_PROFILE}: without output, queues 3 and 4 obey priorities 3 and 4",
    ),
    running_rule(
        "JUN803",
        "junos-pause-queue",
        ERROR,
        "Junos: a received pause stops another queue than the one in which the paused traffic waits.",
        source=f"{_PROFILE}: flow-control-queue",
    ),
    running_rule(
        "JUN804",
        "junos-no-loss-unused",
        ERROR,
        "Junos: a no-loss class without PFC on any port.",
        source="Juniper, class (forwarding classes): no-loss, pfc-priority",
    ),
    running_rule(
        "JUN805",
        "junos-shared-priority",
        ERROR,
        "Junos: two no-loss classes with one pfc-priority pause each other.",
        source="Juniper, pfc-priority",
    ),
    running_rule(
        "JUN806",
        "junos-port-bare",
        ERROR,
        "Junos: a port classifies into a no-loss class without PFC, while other ports have it.",
        source="Bai et al., NSDI'23, section 2.4: RDMA is lossless only where every port on its way is",
    ),
    running_rule(
        "JUN807",
        "junos-unscheduled",
        WARNING,
        "Junos: a scheduler map leaves out a class that the port's classifier uses.",
        source="Juniper, CoS scheduling: a class that a map leaves out has no guaranteed bandwidth",
    ),
    running_rule(
        "JUN808",
        "junos-partitions",
        ERROR,
        "Junos: partitions of the shared buffer do not add up, or leave lossless traffic without headroom.",
        source="Juniper, buffer-partition (ingress and egress)",
    ),
    running_rule(
        "JUN809",
        "junos-threshold",
        WARNING,
        "Junos: buffer-dynamic-threshold on a lossless queue, which does not have it.",
        source="Juniper, buffer-dynamic-threshold",
    ),
    running_rule(
        "JUN810",
        "junos-ecn-no-profile",
        ERROR,
        "Junos: explicit-congestion-notification without a drop profile for its thresholds.",
        source="Juniper, Understanding CoS explicit congestion notification",
    ),
    running_rule(
        "JUN813",
        "junos-watchdog-action",
        ERROR,
        "Junos: profiles with different watchdog actions, but a switch has only one.",
        source="Juniper, PFC watchdog",
    ),
    running_rule(
        "JUN814",
        "junos-obeys-only",
        INFO,
        "Junos: a profile obeys pauses on a switch without a no-loss class.",
        source=f"{_PROFILE}; Juniper/jvd 005ab344, storage leaf of the 5-stage fabric",
    ),
    running_rule(
        "JUN815",
        "junos-strict-unbounded",
        WARNING,
        "Junos: a strict-high queue without a shaping-rate can starve all others.",
        source="Juniper, Defining CoS Queue Scheduling Priority: strict-high goes before all other queues",
    ),
    running_rule(
        "JUN816",
        "junos-pfc-part",
        ERROR,
        "Junos: PFC is on for some code points of a no-loss class, and not for others.",
        source=f"{_PROFILE}: PFC is turned on by code point",
    ),
    running_rule(
        "JUN817",
        "junos-no-classifier",
        ERROR,
        "Junos: a port pauses by code points, but has no classifier for them.",
        source="Juniper, Configuring PFC by DSCP at layer 3: classifier and profile on each interface",
    ),
    running_rule(
        "JUN818",
        "junos-passed-over",
        WARNING,
        "Junos: a port to another switch that no wildcard of class-of-service matches.",
        source="Juniper, interfaces (class of service): a wildcard is for the names that fit it",
    ),
    running_rule(
        "JUN819",
        "junos-family-mtu",
        WARNING,
        "Junos: the MTU of a family is larger than what the physical MTU leaves.",
        source="Juniper, Setting the Protocol MTU: the media MTU is at least the protocol's and the encapsulation's",
    ),
    running_rule(
        "JUN821",
        "junos-lossy-obeys",
        INFO,
        "Junos: a lossy class on a queue that obeys pauses by default.",
        source=f"{_PROFILE}: without output, queues 3 and 4 obey priorities 3 and 4",
    ),
    running_rule(
        "JUN822",
        "junos-dedicated-buffer",
        INFO,
        "Junos: a dedicated-buffer-profile that no port has, or that states no size.",
        source="Juniper, Configuring Ingress and Egress Dedicated Buffer: a profile sizes the buffer of the ports that "
        "have it",
    ),
    running_rule(
        "JUN823",
        "junos-pfc-number",
        ERROR,
        "Junos: PFC by DSCP for a no-loss class without a pfc-priority.",
        source="Juniper, Configuring PFC by DSCP at layer 3: a no-loss class is mapped to a PFC priority",
    ),
)
