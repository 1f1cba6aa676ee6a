"""What a statement disturbs when it is committed: one answer for what is rendered, fixed and planned."""

from __future__ import annotations

import re

from rocecfg.vendors.changes import BRIEF_PAUSE, HITLESS, PORT_FLAP

WHY = {
    HITLESS: "takes effect at commit, and touches neither queues nor buffers",
    BRIEF_PAUSE: "classification and scheduling change at commit; how long that disturbs a port is not documented",
    PORT_FLAP: "a change of PFC blocks the port, and loses packets of all its queues, until it is done; a change of "
    "buffers stops traffic on all ports (Juniper)",
}
_BLOCKS = re.compile(
    r"(?:set|delete) (?:class-of-service (?:congestion-notification-profile |shared-buffer|dedicated-buffer|"
    r"forwarding-classes|interfaces \S+ congestion-notification-profile)|interfaces \S+ (?:mtu|ether-options|"
    r"aggregated-ether-options))"
)
_QUIET = re.compile(r"(?:set|delete) class-of-service congestion-notification-profile \S+ pfc-watchdog")


def mark_of(line: str) -> str:
    """What a set or delete line disturbs: one of `vendors.changes.MARKS`."""
    if _QUIET.match(line):
        return HITLESS
    return PORT_FLAP if _BLOCKS.match(line) else BRIEF_PAUSE
