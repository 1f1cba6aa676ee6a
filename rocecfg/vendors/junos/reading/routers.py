"""Statements of Junos that only routers and firewalls have: their queues and buffers are not those of a QFX."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rocecfg.core.records import NamedTuple
from rocecfg.vendors.junos.reading.statements import Statement, Words

# Interfaces that no QFX has: SONET, T1 to E3, ATM, services cards, subscribers, logical tunnels, redundant Ethernet.
_PORT = re.compile(
    r"(?:so|t1|t3|e1|e3|at|ms|sp|si|lsq|vt|lt)-\d+/\d+/\d+(?::\d+)?|(?:reth|rlt|mams|ams|ps|demux|pp)\d\S*"
)
_SECTIONS = {
    ("chassis", "network-services"): "the mode of a router's line cards (MX)",
    ("dynamic-profiles",): "subscribers of a router (MX)",
    ("bridge-domains",): "bridging of a router (MX, ACX): a QFX has vlans",
    ("security", "zones"): "a firewall (SRX)",
    ("security", "policies"): "a firewall (SRX)",
    ("services", "service-set"): "a services card of a router (MX)",
    ("class-of-service", "fabric"): "priorities between the line cards of a router (MX, PTX)",
}
_OF_COS = ("scheduler-map-chassis", "interface-set", "input-traffic-control-profile", "output-traffic-control-profile")
_MODEL = re.compile(r"(?<![a-z])(?:ptx|acx|mx|srx)\d{2,5}", re.IGNORECASE)
_LABELS = frozenset({"mpls", "rsvp", "ldp", "source-packet-routing"})


class ForeignStatement(NamedTuple):
    """A statement, and what it is of."""

    line: Statement
    what: str


def find_router_statement(lines: Sequence[Statement]) -> ForeignStatement | None:
    """The first statement that no QFX has; None where there is none."""
    for line in lines:
        what = _describe_router_statement(line.words)
        if what is not None:
            return ForeignStatement(line, what)
    return None


def _describe_router_statement(words: Words) -> str | None:
    found = _SECTIONS.get(words[:2]) or _SECTIONS.get(words[:1])
    if found is not None:
        return found
    match words:
        case ("chassis", "fpc", _, "pic", _, "tunnel-services", *_):
            return "tunnels on the line card of a router (MX)"
        case ("interfaces", name, *rest):
            if _PORT.fullmatch(name):
                return "an interface of a router or a firewall"
            if rest[:1] in (["hierarchical-scheduler"], ["per-unit-scheduler"]):
                return "scheduling by unit, which routers have (MX)"
        case ("class-of-service", "interfaces", _, key, *_) if key in _OF_COS[:2]:
            return "scheduling of a router (MX)"
        case ("class-of-service", "interfaces", _, "unit", _, key, *_) if key in (*_OF_COS, "scheduler-map"):
            return "scheduling by unit, which routers have (MX)"
    return None


def find_router_hint(lines: Sequence[Statement]) -> ForeignStatement | None:
    """A statement that routers have far more often than a QFX, which may have it too; None where there is none."""
    for line in lines:
        match line.words:
            case ("protocols", word, *_) if word in _LABELS:
                return ForeignStatement(line, "labels, which routers (MX, PTX, ACX) have far more often than a QFX")
            case ("system", "host-name", name) if _MODEL.search(name) is not None:
                return ForeignStatement(line, "the name of a router or firewall")
    return None
