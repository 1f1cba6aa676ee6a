"""Where SR Linux says the settings of the catalogue: below `/qos`, at interfaces, and of the system.

The paths are those of Nokia's models of v24.10.3 and v25.3.1 (nokia/srlinux-yang-models); what 25.7 and 25.10 have
besides is from their lists of paths (srl-labs/yang-browser).
"""

from __future__ import annotations

import re
from typing import Any

from rocecfg.core.digits import is_number
from rocecfg.core.records import NamedTuple
from rocecfg.vendors.table import VALUE, Path, Row, Table, make_rows

QOS = "qos"
_MODEL = "srl_nokia-qos, v25.3.1"
_SENDING = "shares ecn max_rate discards"
_PFC = "pfc obeys sends stops pauses watchdog"
_SORTING = "dscp pcp"
_BUFFERS = "group egress"
_ALL = f"{_SORTING} {_PFC} {_SENDING} {_BUFFERS}"
DSCP_NAMES = {
    "BE": 0, "CS0": 0, "EF": 46, "VA": 44, "LE": 1, "DF": 0, "NC1": 48, "NC2": 56,
    **{f"CS{n}": 8 * n for n in range(1, 8)},
    **{f"AF{n}{drop}": 8 * n + 2 * drop for n in range(1, 5) for drop in range(1, 4)},
}  # fmt: skip


class Whole(NamedTuple):
    """A whole number in its range."""

    low: int
    high: int

    def __call__(self, text: str) -> int | None:
        """None: it is none."""
        return int(text) if is_number(text, 19) and self.low <= int(text) <= self.high else None


class OneOf(NamedTuple):
    """One of some words, and what each means; (): a word means itself."""

    words: tuple[str, ...]
    means: tuple[Any, ...] = ()

    def __call__(self, text: str) -> Any:
        """None: it is none of them."""
        return None if text not in self.words else (self.means or self.words)[self.words.index(text)]


def take_dscp(text: str) -> int | None:
    """A DSCP by its number or its name; None for a word that is neither."""
    return DSCP_NAMES.get(text.upper(), Whole(0, 63)(text))


FLAG = OneOf(("true", "false"), (True, False))
STATE = OneOf(("enable", "disable"), (True, False))
_INDEX, _PRIORITY, _PERCENT, _BYTES = Whole(0, 11), Whole(0, 7), Whole(0, 100), Whole(0, 2**32 - 1)
_WIDE = Whole(0, 2**63)
_LOSS = OneOf(("low", "medium", "high"))


def _qos(path: str, says: str = "", by: str | None = None, **more: Any) -> tuple[Row, ...]:
    return make_rows(f"{QOS} {path}", says, by=by, **more)


_SLOPE = "wred wred-slope traffic-type KEY drop-probability KEY enable-ecn KEY"
_QUEUES = "buffer-management buffer-allocation-profile PROFILE queues"
_SENT = "pfc-mapping-profile PROFILE received-traffic unicast-mapping pfc-queue KEY"
_OBEYED = "pfc-mapping-profile PROFILE received-pfc-pause-frames queue KEY"
_DEADLOCK = "pfc-mapping-profile PROFILE received-pfc-pause-frames deadlock"
_INPUT = "scheduler-policies scheduler-policy PROFILE scheduler KEY input KEY"
_BOUND = "interfaces interface PROFILE"

# fmt: off
_ROWS = (
    make_rows(QOS, _ALL),
    _qos("queues queue PROFILE", _ALL, into="queues"),
    _qos("queues queue PROFILE queue-index VALUE", _ALL, into="queues", key="index", take=_INDEX),
    _qos("queues pfc-queue PROFILE", _PFC, into="pfc-queues"),
    _qos("queues pfc-queue PROFILE queue-index VALUE", _PFC, into="pfc-queues", key="index", take=_PRIORITY),
    _qos("queues queue-depth-sampling", beside="samples of the depth of queues", source=_MODEL),
    _qos("forwarding-classes forwarding-class PROFILE", _ALL, into="classes"),
    _qos("forwarding-classes forwarding-class PROFILE output unicast-queue VALUE", _ALL, into="classes", key="queue"),
    _qos("forwarding-classes forwarding-class PROFILE output multicast-queue VALUE",
         beside="queues of multicast, which PFC is not for", source="Nokia, Priority-based flow control, 25.10"),
    _qos("classifiers", _SORTING),
    _qos("classifiers dscp-policy PROFILE", "dscp", into="dscp"),
    _qos("classifiers dscp-policy PROFILE dscp N", "dscp", into="dscp"),
    _qos("classifiers dscp-policy PROFILE dscp N forwarding-class VALUE", "dscp", into="dscp", key="class"),
    _qos("classifiers dscp-policy PROFILE dscp N drop-probability VALUE", "ecn", into="dscp", key="drop", take=_LOSS),
    _qos("classifiers dot1p-policy PROFILE", "pcp", into="dot1p"),
    _qos("classifiers dot1p-policy PROFILE dot1p N", "pcp", into="dot1p"),
    _qos("classifiers dot1p-policy PROFILE dot1p N forwarding-class VALUE", "pcp", into="dot1p", key="class"),
    _qos("classifiers dot1p-policy PROFILE dot1p N drop-probability VALUE", "ecn", into="dot1p", key="drop",
         take=_LOSS),
    _qos("classifiers vxlan-default|mpls-traffic-class-policy|dscp-reclassify-policy",
         beside="packets of tunnels and with labels", source=_MODEL),
    _qos("pfc-mapping-profile", _PFC),
    _qos("pfc-mapping-profile PROFILE", _PFC, into="mappings"),
    _qos("pfc-mapping-profile PROFILE received-traffic|received-pfc-pause-frames", _PFC, into="mappings"),
    _qos("pfc-mapping-profile PROFILE received-traffic unicast-mapping", _PFC, into="mappings"),
    _qos(_SENT, _PFC, into="sent"),
    _qos(f"{_SENT} forwarding-class VALUE", _PFC, into="sent", key="classes[]"),
    _qos(f"{_SENT} dot1p VALUE", _PFC, into="sent", key="tags[]", take=_PRIORITY),
    _qos(f"{_SENT} pfc-pause-frame-priority VALUE", _PFC, into="sent", key="priority", take=_PRIORITY),
    _qos(_OBEYED, _PFC, into="obeyed"),
    _qos(f"{_OBEYED} pfc-pause-frame-priority VALUE", _PFC, into="obeyed", key="priority", take=_PRIORITY),
    _qos(f"{_OBEYED} enable-pfc VALUE", _PFC, into="obeyed", key="on", take=FLAG),
    _qos("pfc-mapping-profile PROFILE pfc-priority KEY", _PFC, into="priorities"),
    _qos("pfc-mapping-profile PROFILE pfc-priority KEY pfc-enable VALUE", _PFC, into="priorities", key="on", take=FLAG),
    _qos("pfc-mapping-profile PROFILE pfc-priority KEY pfc-operation-mode VALUE", _PFC, into="priorities", key="mode",
         unjudged="in which direction pfc-operation-mode has PFC work is not checked"),
    _qos(_DEADLOCK, "watchdog", into="mappings"),
    _qos(f"{_DEADLOCK} enable VALUE", "watchdog", into="mappings", key="watched", take=FLAG),
    _qos(f"{_DEADLOCK} detection-timer VALUE", "watchdog", into="mappings", key="detection", take=Whole(10, 1500)),
    _qos(f"{_DEADLOCK} recovery-timer VALUE", "watchdog", into="mappings", key="recovery", take=Whole(100, 1500)),
    _qos("buffer-management", f"{_BUFFERS} ecn discards"),
    _qos("buffer-management buffer-allocation-profile PROFILE", _BUFFERS, into="allocations"),
    _qos(f"{_QUEUES} queue KEY", "egress", by="", into="limits"),
    _qos(f"{_QUEUES} queue KEY maximum-burst-size VALUE", "egress ecn", by="ecn", into="limits", key="most",
         take=_BYTES),
    _qos(f"{_QUEUES} queue KEY committed-burst-size VALUE", "egress", by="", into="limits", key="least", take=_BYTES),
    _qos(f"{_QUEUES} queue KEY high-threshold-bytes VALUE", beside="a threshold that raises an alarm", source=_MODEL),
    _qos(f"{_QUEUES} pfc-queue KEY", "group", into="groups"),
    _qos(f"{_QUEUES} pfc-queue KEY maximum-burst-size VALUE", "group", into="groups", key="most", take=_BYTES),
    _qos(f"{_QUEUES} pfc-queue KEY committed-burst-size VALUE", "group", into="groups", key="least",
         take=Whole(1536, 262144)),
    _qos(f"{_QUEUES} pfc-queue KEY pfc-on-threshold VALUE", "group", into="groups", key="on", take=_PERCENT),
    _qos(f"{_QUEUES} pfc-queue KEY pfc-off-threshold VALUE", "group", into="groups", key="off", take=_PERCENT),
    _qos(f"{_QUEUES} pfc-queue KEY maximum-pfc-reserved-share-percentage VALUE", "group headroom", into="groups",
         key="share", take=_PERCENT),
    _qos(f"{_QUEUES} pfc-queue KEY maximum-pfc-reserved-share-bytes VALUE", "group headroom", into="groups",
         key="headroom", take=Whole(0, 104857600)),
    _qos(f"{_QUEUES} pfc-queue KEY use-dynamic-allocation VALUE", "group", into="groups", key="dynamic", take=FLAG,
         unjudged="how use-dynamic-allocation sizes a PFC queue is not checked"),
    _qos("buffer-management queue-management-profile PROFILE", "ecn discards", into="managements"),
    _qos("buffer-management queue-management-profile PROFILE wred", "ecn discards", into="managements"),
    _qos("buffer-management queue-management-profile PROFILE weight-factor VALUE", "ecn", into="managements",
         key="weight", take=Whole(0, 15)),
    _qos(f"buffer-management queue-management-profile PROFILE {_SLOPE}", "ecn discards", into="slopes"),
    *(_qos(f"buffer-management queue-management-profile PROFILE {_SLOPE} {leaf} VALUE", "ecn discards", into="slopes",
           key=key, take=take)
      for leaf, key, take in (("min-threshold", "kmin", _WIDE), ("max-threshold", "kmax", _WIDE),
                              ("min-threshold-percent", "kmin%", _PERCENT),
                              ("max-threshold-percent", "kmax%", _PERCENT),
                              ("max-drop-probability-percent", "pmax", _PERCENT), ("slope-enabled", "on", FLAG))),
    _qos(f"buffer-management queue-management-profile PROFILE {_SLOPE} slope-enabled false", "ecn discards",
         into="slopes", unjudged="whether packets are marked by a slope with slope-enabled false is not published"),
    _qos("scheduler-policies", "shares max_rate"),
    _qos("scheduler-policies scheduler-policy PROFILE", "shares max_rate", into="schedulers"),
    _qos("scheduler-policies scheduler-policy PROFILE scheduler KEY", "shares max_rate", into="sequences"),
    _qos("scheduler-policies scheduler-policy PROFILE scheduler KEY priority VALUE", "shares", into="sequences",
         key="priority", take=OneOf(("strict",))),
    _qos(_INPUT, "shares max_rate", into="inputs"),
    _qos(f"{_INPUT} input-type VALUE", "shares", into="inputs", key="type", take=OneOf(("queue",))),
    _qos(f"{_INPUT} queue-name VALUE", "shares max_rate", into="inputs", key="queue"),
    _qos(f"{_INPUT} peak-rate-percent VALUE", "max_rate", into="inputs", key="peak", take=Whole(1, 100)),
    _qos(f"{_INPUT} weight VALUE", "shares", into="inputs", key="weight", take=Whole(1, 255)),
    _qos(_BOUND, _ALL, into="bound"),
    *(_qos(f"{_BOUND} {path} VALUE", says, into="bound", key=key, take=take) for path, says, key, take in (
        ("interface-ref interface", _ALL, "interface", None),
        ("interface-ref subinterface", _ALL, "subinterface", Whole(0, 9999)),
        ("pfc pfc-mapping-profile", _PFC, "mapping", None),
        ("pfc pfc-enable", _PFC, "pfc", FLAG),
        ("input pfc-buffer-allocation-profile", "group headroom", "groups", None),
        ("input classifiers dscp-policy", "dscp trust", "dscp", None),
        ("input classifiers ipv4-dscp-policy", "dscp trust", "ipv4", None),
        ("input classifiers ipv6-dscp-policy", "dscp trust", "ipv6", None),
        ("input classifiers dot1p-policy", "pcp trust", "dot1p", None),
        ("output buffer-allocation-profile", "egress ecn", "limits", None),
        ("output scheduler scheduler-policy", "shares max_rate", "scheduler", None),
        ("output rewrite-rules dscp-policy", "remarks", "rewrite", None),
    )),
    _qos(f"{_BOUND} pfc|input|output|interface-ref", _ALL, into="bound"),
    _qos(f"{_BOUND} input classifiers", "dscp pcp trust", into="bound"),
    _qos(f"{_BOUND} output queues|scheduler|rewrite-rules", _ALL, into="bound"),
    _qos(f"{_BOUND} output queues queue KEY", "ecn discards", into="bound-queues"),
    _qos(f"{_BOUND} output queues queue KEY queue-management-profile VALUE", "ecn discards", into="bound-queues",
         key="management"),
    _qos(f"{_BOUND} dcbx", "dcbx", unjudged="DCBX is not checked: since 25.7 it finds mismatches, and sets nothing"),
    _qos("explicit-congestion-notification", "ecn", into="system", key="ecn"),
    _qos("explicit-congestion-notification ecn-dscp-policy VALUE", "ecn", into="system", key="ecn"),
    _qos("linecard KEY forwarding-complex KEY input pfc-buffer-reservation VALUE", "headroom", into="reserve",
         key="percent", take=_PERCENT),
    _qos("rewrite-rules dscp-policy PROFILE", "remarks", into="rewrites"),
    _qos("rewrite-rules dscp-policy PROFILE map KEY", "remarks", into="rewritten"),
    _qos("rewrite-rules dscp-policy PROFILE map KEY dscp VALUE", "remarks", into="rewritten", key="dscp",
         take=take_dscp),
    _qos("rewrite-rules dot1p-policy|mpls-traffic-class-policy",
         beside="tags and labels of what leaves", source=_MODEL),
    _qos("queue-templates", "egress ecn discards",
         unjudged="queue-templates, which releases up to 23.10 have in place of profiles, are not read"),
    make_rows("interface PORT mtu", "mtu"),
    make_rows("interface PORT mtu|admin-state|description|vlan-tagging VALUE"),
    make_rows("interface PORT ethernet port-speed|aggregate-id|auto-negotiate VALUE"),
    make_rows("interface PORT ethernet flow-control receive|transmit VALUE"),
    make_rows("interface PORT subinterface * type|ip-mtu|l2-mtu|admin-state|description VALUE"),
    make_rows("interface PORT subinterface * ip-mtu|l2-mtu", "mtu"),
    make_rows("interface PORT ethernet flow-control", "flowcontrol"),
    make_rows("interface PORT ethernet port-speed", "speed", by=""),
)
# fmt: on
TABLE = Table(row for rows in _ROWS for row in rows)
_LEAVES = frozenset(row.path[-2] for row in TABLE.rows if row.path[-1] == VALUE)


def settings_of(words: Path) -> tuple[str, ...]:
    """The settings, by their names in the catalogue, that a statement may bear on."""
    row = TABLE.find(words)
    return row.says if row is not None and row.says else tuple(_ALL.split())


def is_beside(words: Path) -> bool:
    """Whether nothing that is compared hangs on a statement."""
    row = TABLE.find(words)
    return row is not None and bool(row.beside)


def split_leaves(words: Path) -> list[Path]:
    """A line of several leaves as one statement for each: what follows a leaf with its value is its sibling."""
    out: list[Path] = []
    while True:
        cut = next(
            (
                end
                for end in range(3, len(words))
                if words[end - 2] in _LEAVES
                and (row := TABLE.find_whole(words[:end])) is not None
                and row.path[-1] == VALUE
            ),
            None,
        )
        if cut is None:
            return [*out, words]
        out.append(words[:cut])
        words = (*words[: cut - 2], *words[cut:])


def take_speed(text: str) -> int | None:
    """400G in bit/s; None where it is no speed."""
    found = re.fullmatch(r"(\d{1,4})([MGT])", text)
    return None if found is None else int(found[1]) * {"M": 10**6, "G": 10**9, "T": 10**12}[found[2]]
