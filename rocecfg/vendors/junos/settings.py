"""Where Junos says the settings of the catalogue: below `class-of-service`, at interfaces, and of the switch."""

from __future__ import annotations

from typing import Any

from rocecfg.core.digits import is_number
from rocecfg.core.records import NamedTuple
from rocecfg.vendors.junos.balancing import EXCLUDED, FAMILIES, HASH, KINDS, MODE, OTHERS, PATH
from rocecfg.vendors.junos.limits import rate
from rocecfg.vendors.table import Path, Row, Table, make_rows

COS = "class-of-service"
CNP = "congestion-notification-profile"
PROFILES, SCHEDULERS, MAPS = (COS, CNP), (COS, "schedulers"), (COS, "scheduler-maps")
_CLI = "juniper.net, Junos CLI reference"
_MODEL = "Juniper's native configuration model of 24.4R1 (Juniper/yang)"
_SENDING = "shares ecn max_rate guaranteed discards"
_OF_CLASSES = f"dscp pcp pfc {_SENDING}"
_OF_PFC = "pfc obeys stops watchdog cable"
_PAUSES = "pfc obeys sends stops pauses"
_CODES = "input dscp|ieee-802.1 code-point N"
_FLOW = "interfaces PORT ether-options|gigether-options|aggregated-ether-options"


class Whole(NamedTuple):
    """A whole number in its range."""

    low: int
    high: int

    def __call__(self, text: str) -> int | None:
        """None: it is none."""
        return int(text) if is_number(text) and self.low <= int(text) <= self.high else None


_PERCENT, _QUEUE = Whole(0, 100), Whole(0, 11)


def _cos(path: str, says: str = "", by: str = "", **more: Any) -> tuple[Row, ...]:
    return make_rows(f"{COS} {path}", says, by=by, **more)


# Below an interface of class-of-service, `unit N` is left out of the words.
# fmt: off
_ROWS = (
    _cos("forwarding-classes", _OF_CLASSES),
    _cos("forwarding-classes class PROFILE", into="classes"),
    _cos("forwarding-classes class PROFILE queue-num VALUE", into="classes", key="queue", take=_QUEUE),
    _cos("forwarding-classes class PROFILE no-loss", into="classes", key="no-loss"),
    _cos("forwarding-classes class PROFILE pfc-priority VALUE", into="classes", key="pfc-priority", take=Whole(0, 7)),
    _cos("forwarding-classes class PROFILE policing-priority", beside="for policers", source=f"{_MODEL}, {COS}"),
    _cos("forwarding-classes queue VALUE PROFILE", into="classes", key="queue", take=_QUEUE),
    _cos("classifiers", "dscp pcp"),
    _cos("classifiers dscp|ieee-802.1 PROFILE", into="classifiers"),
    _cos("classifiers dscp|ieee-802.1 PROFILE import VALUE", "dscp pcp", into="classifiers", key="import",
         unjudged="the code points that classifier {2} takes from {4} are unknown"),
    _cos("classifiers dscp|ieee-802.1 PROFILE forwarding-class VALUE loss-priority low code-points|code-point N",
         into="classifiers"),
    _cos("classifiers dscp|ieee-802.1 PROFILE forwarding-class VALUE loss-priority * code-points|code-point N", "ecn",
         into="classifiers",
         unjudged="classifier {2} gives packets loss-priority {6}: which curve they get is not checked"),
    _cos("code-point-aliases", "dscp pcp", beside="names of code points: what uses them is read",
         source=f"{_CLI}, classifiers (CoS): code-points (alias | bits)"),
    _cos("drop-profiles", "ecn discards"),
    _cos("drop-profiles PROFILE", into="drops"),
    _cos("drop-profiles PROFILE interpolate", into="drops"),
    _cos("drop-profiles PROFILE interpolate fill-level VALUE", into="drops", key="fill-level", take=_PERCENT),
    _cos("drop-profiles PROFILE interpolate drop-probability VALUE", into="drops", key="drop-probability",
         take=_PERCENT),
    _cos("drop-profiles PROFILE fill-level KEY drop-probability VALUE", into="drops", key="drop-probability",
         take=_PERCENT),
    _cos("shared-buffer", "buffers pool", by="buffers pool"),
    _cos("shared-buffer ingress|egress percent VALUE", "buffers pool", into="partitions", key="percent", take=_PERCENT,
         unjudged="how much of the {1} buffer is shared at all is not checked"),
    _cos("shared-buffer ingress|egress percent 100", into="partitions", key="percent", take=_PERCENT),
    _cos("shared-buffer ingress|egress buffer-partition PROFILE percent VALUE", into="partitions", key="percent",
         take=_PERCENT),
    _cos("shared-buffer ingress|egress buffer-partition PROFILE dynamic-threshold VALUE", into="partitions",
         key="dynamic-threshold", take=Whole(0, 10)),
    _cos(CNP, _OF_PFC),
    _cos(f"{CNP} PROFILE", into="profiles"),
    _cos(f"{CNP} PROFILE input", into="profiles"),
    _cos(f"{CNP} PROFILE input cable-length", by="cable"),
    _cos(f"{CNP} PROFILE input cable-length VALUE", into="profiles", take=Whole(1, 200_000)),
    _cos(f"{CNP} PROFILE {_CODES}", into="profiles"),
    _cos(f"{CNP} PROFILE {_CODES} pfc", by=_PAUSES, into="profiles", key="pfc"),
    _cos(f"{CNP} PROFILE {_CODES} mru", by="buffers.lossless_mtu"),
    _cos(f"{CNP} PROFILE {_CODES} mru VALUE", into="profiles", key="mru", take=Whole(1, 100_000)),
    _cos(f"{CNP} PROFILE {_CODES} xon VALUE", "group", into="profiles", key="xon", take=Whole(0, 100_000),
         unjudged="xon counts in cells below a threshold that nothing states"),
    _cos(f"{CNP} PROFILE output", by=f"{_PAUSES} watchdog", into="profiles"),  # what it watches, and it needs some
    _cos(f"{CNP} PROFILE output ieee-802.1", into="profiles"),
    _cos(f"{CNP} PROFILE output ieee-802.1 code-point N flow-control-queue VALUE", into="profiles", take=Whole(0, 7)),
    _cos(f"{CNP} PROFILE pfc-watchdog", by="watchdog", into="profiles"),
    _cos(f"{CNP} PROFILE pfc-watchdog poll-interval VALUE", into="profiles", key="poll-interval", take=Whole(1, 65535)),
    _cos(f"{CNP} PROFILE pfc-watchdog detection VALUE", into="profiles", key="detection", take=Whole(1, 2**32 - 1)),
    _cos(f"{CNP} PROFILE pfc-watchdog recovery VALUE", into="profiles", key="recovery", take=Whole(1, 65535)),
    _cos(f"{CNP} PROFILE pfc-watchdog watchdog-action drop|forward", into="profiles", key="watchdog-action"),
    _cos("scheduler-maps", _SENDING),
    _cos("scheduler-maps PROFILE", into="maps"),
    _cos("scheduler-maps PROFILE forwarding-class KEY scheduler VALUE", into="maps"),
    _cos("schedulers", f"{_SENDING} egress"),
    _cos("schedulers PROFILE", into="schedulers"),
    _cos("schedulers PROFILE transmit-rate", by="shares guaranteed"),
    _cos("schedulers PROFILE transmit-rate percent VALUE", into="schedulers", key="percent", take=_PERCENT),
    _cos("schedulers PROFILE transmit-rate exact|rate-limit", into="schedulers", key="cap"),  # the rate is a cap, too
    _cos("schedulers PROFILE transmit-rate VALUE", into="schedulers", key="rate", take=rate),
    _cos("schedulers PROFILE shaping-rate", by="max_rate"),
    _cos("schedulers PROFILE shaping-rate percent VALUE", into="schedulers", key="shaped percent", take=Whole(1, 100)),
    _cos("schedulers PROFILE shaping-rate VALUE", into="schedulers", key="shaped", take=rate),
    _cos("schedulers PROFILE priority", by="shares"),
    _cos("schedulers PROFILE priority VALUE", into="schedulers", key="priority"),
    _cos("schedulers PROFILE explicit-congestion-notification", by="ecn discards", into="schedulers", key="ecn"),
    _cos("schedulers PROFILE drop-profile-map", by="ecn discards"),
    _cos("schedulers PROFILE drop-profile-map loss-priority any|low protocol * drop-profile VALUE", into="schedulers",
         key="drops"),
    _cos("schedulers PROFILE drop-profile-map loss-priority * protocol * drop-profile VALUE", "ecn discards",
         into="schedulers", key="other drops", unjudged="curves for packets of loss-priority {4} are not checked"),
    _cos("schedulers PROFILE buffer-dynamic-threshold VALUE", into="schedulers", key="threshold", take=Whole(0, 10)),
    _cos("schedulers PROFILE buffer-size", beside="a queue's own part of the buffer, which no intent states",
         source=f"{_MODEL}, {COS}/schedulers/buffer-size"),
    _cos("rewrite-rules", "remarks"),
    _cos("rewrite-rules dscp PROFILE", into="rewrites"),
    _cos("rewrite-rules dscp PROFILE forwarding-class KEY loss-priority * code-point N", into="rewrites"),
    _cos("rewrite-rules ieee-802.1", beside="tags of what leaves, by which no switch behind is known to sort",
         source=f"{_CLI}, rewrite-rules (CoS)"),
    _cos("classifiers|rewrite-rules exp|inet-precedence|ieee-802.1ad|dscp-ipv6",
         beside="labels, precedence, service tags, and IPv6 beside what dscp says of it",
         source=f"{_CLI}, classifiers (CoS)"),
    _cos("interfaces", f"trust {_SENDING} pfc"),
    _cos("interfaces PROFILE", into="bound"),
    _cos(f"interfaces PROFILE {CNP}", _OF_PFC),
    _cos(f"interfaces PROFILE {CNP} VALUE", into="bound", key="profile"),
    _cos("interfaces PROFILE scheduler-map", _SENDING),
    _cos("interfaces PROFILE scheduler-map VALUE", into="bound", key="map"),
    _cos("interfaces PROFILE classifiers", "dscp pcp trust", by="dscp pcp trust unmarked"),
    _cos("interfaces PROFILE classifiers dscp VALUE", into="bound", key="dscp"),
    _cos("interfaces PROFILE classifiers ieee-802.1 VALUE", into="bound", key="ieee-802.1"),
    _cos("interfaces PROFILE forwarding-class", "trust unmarked", by="dscp pcp trust unmarked"),
    _cos("interfaces PROFILE forwarding-class VALUE", into="bound", key="fixed"),
    _cos("interfaces PROFILE rewrite-rules", "remarks", by="remarks"),
    _cos("interfaces PROFILE rewrite-rules dscp VALUE", into="bound", key="rewrite"),
    _cos("interfaces PROFILE rewrite-rules ieee-802.1|exp", beside="tags and labels of what leaves",
         source=f"{_CLI}, rewrite-rules (CoS)"),
    _cos("interfaces PROFILE classifiers exp", beside="labels", source=f"{_CLI}, classifiers (CoS)"),
    _cos("interfaces PROFILE forwarding-class-set|output-traffic-control-profile", _SENDING),
    _cos("interfaces PROFILE shaping-rate", "shares max_rate"),
    _cos("interfaces PROFILE dedicated-buffer-profile", f"trust {_SENDING} pfc",
         beside="its minimum buffers, which no intent states", source=f"{_MODEL}, {COS}/interfaces"),
    _cos("traffic-control-profiles|forwarding-class-sets", _SENDING),
    _cos("forwarding-policy", "dscp"),
    _cos("system-defaults", _OF_CLASSES),
    _cos("drop-congestion-notification", "discards"),
    _cos("multi-destination", _OF_CLASSES, beside="classifiers of multicast, which is not RDMA",
         source=f"{_CLI}, multi-destination (Class of Service): BUM traffic"),
    _cos("host-outbound-traffic", _OF_CLASSES, beside="marks of what the switch itself sends",
         source=f"{_CLI}, host-outbound-traffic (Class-of-Service): no packets in transit"),
    _cos("dedicated-buffer-profile", _OF_CLASSES, beside="minimum buffers of single ports, which no intent states",
         source=f"{_MODEL}, {COS}/dedicated-buffer-profile; what it does to lossless queues: unverified"),
    _cos("dedicated-buffer", _OF_CLASSES, beside="the part of the buffer that is not shared, which no intent states",
         source=f"{_MODEL}, {COS}/dedicated-buffer; what it does to lossless queues: unverified"),
    _cos("tri-color", _OF_CLASSES, beside="colours of policers",
         source=f"{_CLI}, three-color-policer; that the statement alone changes no queue: unverified"),
    _cos("traceoptions", _OF_CLASSES, beside="traces", source=f"{_MODEL}, {COS}/traceoptions"),
    make_rows("interfaces PORT mtu", "mtu"),
    make_rows(f"{_FLOW} flow-control|no-flow-control|configured-flow-control", "flowcontrol"),
    make_rows(f"{' '.join(PATH)} {'|'.join((*KINDS, *OTHERS))}", "load_balancing"),
    make_rows(f"{' '.join(HASH)} {MODE[0]}", "load_balancing.hash"),
    *(make_rows(f"{' '.join(HASH)} {family} {words[n]}", "load_balancing.hash")
      for n, family in enumerate(FAMILIES) for words in EXCLUDED.values()),
)
# fmt: on
TABLE = Table(row for rows in _ROWS for row in rows)


def without_unit(words: Path) -> Path:
    """The words of a statement below class-of-service, those of an interface without its unit."""
    stated = words[0] == "interfaces" and words[2:3] == ("unit",) and len(words) > 3
    return (*words[:2], *words[4:]) if stated else words


def settings_of(words: Path) -> tuple[str, ...]:
    """The settings, by their names in the catalogue, that a statement below class-of-service may bear on."""
    path = (COS, *without_unit(words))
    found = next((row.says for end in (4, 2) if (row := TABLE.find(path[:end])) is not None and row.says), None)
    return tuple(_OF_CLASSES.split()) if found is None else found


def is_beside(words: Path) -> bool:
    """Whether nothing that is compared hangs on a statement below class-of-service."""
    row = TABLE.find((COS, *without_unit(words)))
    return row is not None and bool(row.beside)
