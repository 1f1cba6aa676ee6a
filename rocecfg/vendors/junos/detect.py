"""Whether a text is of Junos on a switch, and not of a router, or of another system whose text has braces."""

from __future__ import annotations

import re

from rocecfg.vendors.protocol import Match

_SET = (
    r"set (?:version \"?\d+\.\d|system host-name |class-of-service |interfaces (?:et|xe|ge|ae|irb|lo)[-\d]|chassis |"
    r"groups \S+ |apply-groups |forwarding-options enhanced-hash-key )|"
    r"delete (?:class-of-service|interfaces)\b|deactivate (?:class-of-service|interfaces)\b"
)
_JUNOS = re.compile(
    rf"^[ \t]*(?:[\w.-]+@[^\s>#%]+[>#%] ?)?(?:{_SET}|## Last (?:commit|changed): |version \"?\d+\.\d+[RX]\d|"
    r"(?:inactive: |replace: )?(?:class-of-service|chassis|forwarding-options|routing-options) \{)",
    re.MULTILINE,
)
_HIERARCHY = re.compile(r"^(?:system|interfaces|groups|protocols) \{\r?$", re.MULTILINE)
_STATEMENT = re.compile(
    r"^\s+(?:host-name \S+;|(?:et|xe|ge)-\d+/\d+/\d+(?::\d+)? \{|root-authentication \{)", re.MULTILINE
)
_BELOW = re.compile(  # what stands below class-of-service, given without it: the reader says so
    r"^(?:set )?[ \t]*(?:classifiers|forwarding-classes|congestion-notification-profile|scheduler-maps|drop-profiles|"
    r"shared-buffer)\b(?=[^;]*(?:loss-priority|queue-num|code-point|forwarding-class|fill-level|buffer-partition) ?)",
    re.MULTILINE,
)
_OTHER = re.compile(  # routers and firewalls: their queues, and what feeds them, are not those of a QFX
    r"^[ \t]*(?:set )?(?:(?:security )?(?:zones|policies) \{|security (?:zones|policies) |dynamic-profiles |"
    r"chassis (?:network-services|fpc \d+ pic \d+ tunnel-services)|network-services (?:enhanced-ip|ip|ethernet)|"
    r"(?:traffic-control-profiles|hierarchical-scheduler)\b)|"
    r"^\s*(?:set )?(?:interfaces )?(?:so-\d|t[13]-\d|ms-\d|sp-\d|reth\d)|\{\{[^{}]*\}\}|\{%-? ?\w|\$\{\w",
    re.MULTILINE,
)


def detect(head: str) -> Match | None:
    """The hierarchy that Junos prints, or its set lines."""
    start = head.lstrip()[:1]
    if start in ("[", "<") or (start == "{" and not head.lstrip().startswith(("{master", "{backup", "{primary"))):
        return None
    if _JUNOS.search(head) is None and not (_HIERARCHY.search(head) and _STATEMENT.search(head)):
        return Match(sure=False, ours=True) if _BELOW.search(head) and _OTHER.search(head) is None else None
    return Match(sure=True, ours=_OTHER.search(head) is None)
