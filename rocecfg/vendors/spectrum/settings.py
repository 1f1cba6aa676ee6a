"""Where NVUE says the settings of the catalogue: below `qos`, at interfaces, and of the switch as a whole."""

from __future__ import annotations

from rocecfg.core.units import parse_rate
from rocecfg.model.catalogue import find_compared_setting
from rocecfg.model.stated import Section
from rocecfg.vendors.spectrum.reading.nodes import Node
from rocecfg.vendors.spectrum.reading.schema_qos import GLOBAL, UNLIMITED
from rocecfg.vendors.table import PORT, PROFILE, Path, Row, Table, make_rows

_TRIM = "system forwarding packet-trim"
TRIMMING: Path = tuple(_TRIM.split())
HASH: Path = ("system", "forwarding", "ecmp-hash")
ROUTING: Path = ("router", "adaptive-routing")
TRIMMED: Path = ("packet-trim", "egress-eligibility", "traffic-class")  # of an interface
TRUST = {"l3": "dscp", "both": "dscp", "l2": "pcp", "port": "none"}  # what sorts packets, as an intent has it
_BUFFERS = "qos advance-buffer-config *"
_QUEUE = "qos congestion-control PROFILE traffic-class N"
_RATES = "qos egress-shaper PROFILE"
_TIMERS = "watchdog.detection_time watchdog.restoration_time watchdog.poll_interval"


def _is_enabled(word: str) -> bool:
    return word == "enable"


# fmt: off
_ROWS = (
    make_rows("qos roce", "pfc trust ecn shares dscp pcp", sure="roce", by="roce"),
    make_rows("qos traffic-pool", "buffers pool", by=""),  # a pool has either of two names: change.target
    make_rows("qos advance-buffer-config", "buffers pool", sure="group", judged=False),
    make_rows(f"{_BUFFERS} ingress-pool|egress-pool|ingress-service-pool|egress-service-pool N memory-percent|mode",
              "buffers pool", by=""),
    make_rows(f"{_BUFFERS} ingress-lossless-buffer shared-alpha|shared-bytes", "buffers", sure="group", by=""),
    make_rows(f"{_BUFFERS} ingress-lossy-buffer priority-group * switch-priority|name", "pool", by=""),
    make_rows(f"{_BUFFERS} * service-pool", "pool", by=""),
    make_rows(f"{_BUFFERS} * * N service-pool", "pool", by=""),
    make_rows("qos mapping PROFILE trust", "trust dscp pcp", by="trust"),
    make_rows("qos mapping PROFILE port-default-sp", sure="unmarked", by="unmarked trust"),
    make_rows("qos mapping PROFILE dscp N", "dscp"),
    make_rows("qos mapping PROFILE pcp N", "pcp", by="pcp trust"),
    make_rows("qos egress-queue-mapping", "dscp pcp", by=""),
    make_rows("qos pfc PROFILE switch-priority", "pfc obeys sends"),
    make_rows("qos pfc PROFILE tx", "sends pfc obeys", take=_is_enabled),
    make_rows("qos pfc PROFILE rx", "obeys pfc sends", take=_is_enabled),
    make_rows("qos pfc PROFILE port-buffer", "headroom.size", by="headroom"),
    make_rows("qos pfc PROFILE xoff-threshold", "headroom.xoff", by="headroom"),
    make_rows("qos pfc PROFILE xon-threshold", "headroom.xon", by="headroom"),
    make_rows("qos pfc PROFILE cable-length", "cable", take=float),
    make_rows("qos pfc PROFILE small-packet-probability", sure="buffers", by="buffers pool"),
    make_rows("qos pfc-watchdog", "watchdog", by=_TIMERS, judged=False),
    make_rows("qos pfc-watchdog polling-interval|robustness", "watchdog", by=""),
    make_rows(f"{_QUEUE} ecn", "ecn discards"),
    make_rows(f"{_QUEUE} red", "discards ecn", take=_is_enabled),
    make_rows(f"{_QUEUE} min-threshold", "ecn.kmin", by="ecn.kmin ecn discards"),
    make_rows(f"{_QUEUE} max-threshold", "ecn.kmax", by="ecn.kmax ecn discards"),
    make_rows(f"{_QUEUE} probability", "ecn.pmax", by="ecn.pmax ecn discards"),
    make_rows(f"{_QUEUE} mode|min-threshold-percent|max-threshold-percent", "ecn", by="", judged=False),
    make_rows("qos egress-scheduler PROFILE traffic-class", "shares"),  # all: NVUE refuses a sum beyond 100
    make_rows(f"{_RATES} mode|port-max-rate", "max_rate guaranteed", by="", judged=False),
    make_rows(f"{_RATES} traffic-class N max-rate", "max_rate",
              take=lambda kbps: kbps * 1000 if 0 < kbps < UNLIMITED else None),
    make_rows(f"{_RATES} traffic-class N min-rate", "guaranteed", take=lambda kbps: kbps * 1000 or None),
    make_rows("qos link-pause PROFILE", "flowcontrol", by=""),
    make_rows("qos remark PROFILE", "remarks", by="", judged=False),
    make_rows(f"qos remark {GLOBAL} switch-priority N dscp", "remarks", by=""),
    make_rows(f"qos remark {GLOBAL} rewrite", "remarks", judged=False),
    make_rows("interface MEMBER qos pfc-watchdog state", "watchdog", take=_is_enabled),
    make_rows("interface PORT qos link-pause", "flowcontrol"),
    make_rows("interface PORT qos headroom|shared-headroom-pool", "headroom", by="", judged=False),
    make_rows("interface PORT link speed", "speed", by="",
              take=lambda word: parse_rate(word) if word != "auto" else None),
    make_rows("interface PORT link mtu", "mtu"),
    make_rows("interface PORT link fec", "fec", by="", take=lambda word: word if "auto" not in word else None),
    make_rows("interface PORT link auto-negotiate", "autoneg", by="",
              take=lambda word: {"enabled": "on", "disabled": "off"}.get(word, word)),
    make_rows("interface PORT link breakout", "port", by=""),
    make_rows("interface PORT link state", "up", by=""),
    make_rows(_TRIM, "trimming", by="trimming trimmed", keeps=True, judged=False),
    make_rows(f"{_TRIM} state", "trimming", by=""),
    make_rows(f"{_TRIM} size", "trimming.size", by=""),
    make_rows(f"{_TRIM} remark dscp", "trimming.dscp", by="",
              take=lambda dscp: dscp if isinstance(dscp, int) else None),
    make_rows(f"{_TRIM} switch-priority", "trimming.queue", by=""),
    make_rows(f"interface MEMBER {' '.join(TRIMMED)}", "trimmed"),
    # adaptive routing is of no use at a port without that of the switch
    make_rows(" ".join(HASH), "load_balancing", by="load_balancing adaptive", keeps=True),
    make_rows(" ".join(ROUTING), "load_balancing", by="load_balancing adaptive", keeps=True),
    make_rows(f"interface PORT {' '.join(ROUTING)}", "load_balancing", by="load_balancing adaptive", keeps=True),
)
# fmt: on
TABLE = Table(row for rows in _ROWS for row in rows)
PROFILED = tuple(dict.fromkeys(row.path[1] for row in TABLE.rows if row.path[2:3] == (PROFILE,)))
OF_LINK = tuple(  # that an intent has of a port, too
    row.says[0]
    for row in TABLE.rows
    if row.path[:3] == ("interface", PORT, "link") and (known := find_compared_setting(row.says[0])) and known.intent
)
_READ: dict[str, dict[str, Row]] = {}  # what bears on several settings is read as the first
for _row in (row for row in TABLE.rows if row.judged and row.says):
    _topic, _, _part = _row.says[0].partition(".")
    _READ.setdefault(f"{_topic}.*" if _part else _topic, {})[_part or _topic] = _row


def read_values(node: Node, *settings: str) -> Section:
    """What stands at a node, or below it, of settings, by their names; of `ecn.*` all parts, by theirs."""
    found: Section = {}
    for setting in settings:
        for name, row in _READ[setting].items():
            stated = node.val(*row.below)
            if stated is not None and row.take is not None:
                stated = stated._replace(value=row.take(stated.value))
            if stated is not None and stated.value is not None:
                found[name] = stated
    return found
