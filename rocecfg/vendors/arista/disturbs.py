"""What a line of EOS disturbs when it is committed: one answer for what is rendered, fixed and planned.

Arista documents for no command on queues, maps, PFC or buffers whether ports flap at commit. So all of these count as
if they did, but for counters and for the watchdog's own settings, which touch neither queues nor buffers.
"""

from __future__ import annotations

import re

from rocecfg.vendors.changes import HITLESS, PORT_FLAP

NOT_DOCUMENTED = "whether ports flap is not documented: drain them first if jobs run"
WHY = {
    HITLESS: "takes effect at commit: it touches neither queues nor buffers",
    PORT_FLAP: f"changes at commit for all traffic; {NOT_DOCUMENTED}",
}
_QUIET = re.compile(
    r"(?:(?:no|default) )?(?:priority-flow-control pause watchdog (?:default|action|override|port)|"
    r"random-detect ecn count|hardware counter|errdisable recovery)\b"
)


def mark_of(line: str) -> str:
    """What a line disturbs: one of `vendors.changes.MARKS`."""
    return HITLESS if _QUIET.match(line) else PORT_FLAP
