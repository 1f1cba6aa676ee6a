"""What a setting of NVUE disturbs when it is applied: one answer for what is rendered, fixed and planned.

From the Cumulus Linux user guide, Quality of Service ("switchd and QoS", 4.4 to 5.19): the reload of switchd by which
NVUE applies QoS leaves traffic alone, but where buffers, link pause or PFC change it may lose packets for a moment.
"""

from __future__ import annotations

from rocecfg.vendors.changes import BRIEF_PAUSE, HITLESS

LOSS = "packets may be lost for a moment"
WHY = {
    HITLESS: "takes effect while traffic runs",
    "service-restart": "adaptive routing is turned on or off: up to 5.12 switchd restarts for it, "
    "and all ports go down; from 5.13 on it reloads",
    BRIEF_PAUSE: f"buffers are written anew, and {LOSS}: use a window",
}
_BUFFERS = ("mtu", "roce", "pfc", "link-pause", "traffic-pool", "advance-buffer-config", "egress-queue-mapping")


def mark_of(path: tuple[str, ...]) -> str:
    """What a setting at a path disturbs: one of `vendors.changes.MARKS`."""
    if "adaptive-routing" in path:
        return "service-restart"
    kind = path[3] if path[0] == "interface" and len(path) > 3 else path[1]
    return BRIEF_PAUSE if kind in _BUFFERS else HITLESS
