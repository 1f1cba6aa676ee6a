"""Where CONFIG_DB says the settings of the catalogue: each field of the tables on RoCE, what it takes, and since when.

Facts of src/sonic-yang-models of sonic-buildimage (202311 to 202605 and master) and of orchagent in sonic-swss.
A row's `says` are settings that are not known where its field is refused or not judged; the first of `sure`, else of
`says`, is what the field is compared as between two configurations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from math import frexp
from typing import Any

from rocecfg.core.records import NamedTuple
from rocecfg.model import Span
from rocecfg.model.catalogue import What
from rocecfg.model.stated import Section, Val
from rocecfg.vendors.sonic.reading.rows import Row as Stated
from rocecfg.vendors.sonic.reading.rows import parse_number, parse_priorities
from rocecfg.vendors.table import Row, Table, make_rows

MAPS = {  # table: keys, values
    "DSCP_TO_TC_MAP": ("dscp", "tc"),
    "DOT1P_TO_TC_MAP": ("eight", "tc"),
    "TC_TO_QUEUE_MAP": ("tc", "queue"),
    "TC_TO_PRIORITY_GROUP_MAP": ("tc", "eight"),
    "MAP_PFC_PRIORITY_TO_QUEUE": ("eight", "eight"),
    "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": ("eight", "eight"),
    "TC_TO_DSCP_MAP": ("tc", "dscp"),
}
COLORS = ("green", "yellow", "red")
ECN_MODES: Mapping[str, tuple[str, ...]] = {  # and the colours each marks
    "ecn_none": (),
    "ecn_green": ("green",),
    "ecn_yellow": ("yellow",),
    "ecn_red": ("red",),
    "ecn_green_yellow": ("green", "yellow"),
    "ecn_green_red": ("green", "red"),
    "ecn_yellow_red": ("yellow", "red"),
    "ecn_all": COLORS,
}


class Field(NamedTuple):
    """What a field takes. Numbers without bounds of their own are judged by the profile of the operating system."""

    kind: str  # ref | refs | mask | number | word | any | refused: orchagent takes no row that has it
    table: str = ""  # that a reference is to
    words: tuple[str, ...] = ()  # that it takes; of a number: in its place
    low: int = 0
    high: int | None = None
    since: int | None = None  # first release
    until: int | None = None  # last release
    required: bool = False  # YANG refuses a row without it
    default: str | None = None  # where a row leaves it out: of the YANG models, else what the daemon named takes
    modelled: tuple[int, int] | None = None  # its range, of which rules on the model tell where the row is in use
    unit: int = 1  # how many of the setting's one of it is
    power: bool = False  # the setting is two to the power of it
    meant: Mapping[str, object] = {}  # the setting's value of a word, where that is another

    def __call__(self, text: str) -> Any:
        """The setting's value; None: what stands there says nothing of it."""
        if self.kind == "word":
            return self.meant.get(text, text) if text in self.words else None
        if self.kind == "mask":
            return parse_priorities(text)
        number = parse_number(text)
        if number is None or number < self.low or (self.power and self.high is not None and number > self.high):
            return None
        return (2**number if number >= 0 else 2.0**number) if self.power else number * self.unit

    def write(self, value: Any) -> str:
        """The text of a value of the setting."""
        if self.kind == "word" or value in self.words:
            return next((word for word, meant in self.meant.items() if meant == value), None) or str(value)
        if self.kind == "mask":
            return ",".join(map(str, value))
        return str(frexp(value)[1] - 1 if self.power else int(value / self.unit) if self.unit > 1 else int(value))


def _number(low: int = 0, high: int | None = None, **more: Any) -> Field:
    return Field("number", low=low, high=high, **more)


def _word(*words: str, **more: Any) -> Field:
    return Field("word", words=words, **more)


def _ref(table: str, **more: Any) -> Field:
    return Field("ref", table, **more)


_ANY, _MASK = Field("any"), Field("mask", default="")  # qosorch: no priority
_NUMBER = _number()
_U64, _U32, _I32 = _number(high=2**64 - 1), _number(high=2**32 - 1), (0, 2**31 - 1)
_ALPHA = _number(-8, 7, power=True)
_STATUS = _word("enable", "disable")
_PROFILE, _PROFILES = _ref("BUFFER_PROFILE", required=True), Field("refs", "BUFFER_PROFILE")
_MBIT = 10**6  # PORT counts Mbit/s
_BITS = 8  # SCHEDULER counts bytes
_SENDING, _MARKS, _BUFFERS = "shares max_rate guaranteed", "dscp pcp", "group headroom buffers pool"
_RATES, _SIZES, _POOLS = "max_rate guaranteed", "buffers pool", "BUFFER_POOL PROFILE"
_SORTS = "dscp pcp maps stops pauses"  # of a port: by the maps that it binds
_PAUSES = "pfc obeys sends"
_GROUPS = f"headroom group {_PAUSES}"  # lossless ones
_SIZED = f"{_SIZES} {_GROUPS}"
_WATCHES = "watchdog watchdog.action watchdog.detection_time watchdog.restoration_time watchdog.priorities"
_QOS, _DOG, _LENT = "PORT_QOS_MAP MEMBER", "PFC_WD MEMBER", "DEFAULT_LOSSLESS_BUFFER_PARAMETER PROFILE"
_MADE_OF = "what a port is made of, and what its link comes up by"
_BOX = "which box it is, its routing and management"
_COUNTED = _word("true", "false", "True", "False")


def _curve(color: str) -> Iterator[tuple[Row, ...]]:
    """The rows of one colour; of green, which packets are without a policer, the model tells what is out of range."""
    at, ours = f"WRED_PROFILE PROFILE {color}", color == "green"
    ends = _number(modelled=_I32) if ours else _number(*_I32)  # orchagent reads thresholds as signed
    most = _number(default="100", modelled=(0, 100)) if ours else _number(high=100, default="100")
    on = _word("true", "false", default="false", meant={"true": True, "false": False})
    yield make_rows(f"WRED_PROFILE PROFILE wred_{color}_enable", "ecn discards", by="ecn ecn.colors discards",
                    take=on, into=color, key="enabled")  # fmt: skip
    for name, key, take in (("min_threshold", "kmin", ends), ("max_threshold", "kmax", ends),
                            ("drop_probability", "pmax", most)):  # fmt: skip
        yield make_rows(f"{at}_{name}", "ecn discards", by=f"ecn ecn.{key} ecn.curves discards",
                        take=take, into=color, key=key)  # fmt: skip


# fmt: off
_ROWS = (
    make_rows("DSCP_TO_TC_MAP", "dscp", sure="tc_of_dscp", by="dscp trust"),
    make_rows("DOT1P_TO_TC_MAP", "pcp", sure="tc_of_pcp", by="pcp trust"),
    make_rows("TC_TO_QUEUE_MAP", _MARKS, sure="queue_of"),
    make_rows("TC_TO_PRIORITY_GROUP_MAP", _MARKS, sure="group_of"),
    make_rows("MAP_PFC_PRIORITY_TO_QUEUE", _MARKS, sure="stops", by=f"stops pauses {_MARKS}"),
    make_rows("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", _MARKS, sure="pauses", by=f"stops pauses {_MARKS}"),
    make_rows("TC_TO_DSCP_MAP", sure="remarks"),
    make_rows("PORT_QOS_MAP", f"pfc trust {_MARKS}", sure="maps", by=""),
    make_rows(f"{_QOS} dscp_to_tc_map", _MARKS, sure="maps", by=f"{_SORTS} trust", take=_ref("DSCP_TO_TC_MAP")),
    make_rows(f"{_QOS} dot1p_to_tc_map", "pcp", sure="maps", by=f"{_SORTS} trust", take=_ref("DOT1P_TO_TC_MAP")),
    make_rows(f"{_QOS} tc_to_queue_map", _MARKS, sure="maps", by=_SORTS, take=_ref("TC_TO_QUEUE_MAP")),
    make_rows(f"{_QOS} tc_to_pg_map", _MARKS, sure="maps", by=_SORTS, take=_ref("TC_TO_PRIORITY_GROUP_MAP")),
    make_rows(f"{_QOS} pfc_to_queue_map", _MARKS, sure="maps", by=_SORTS, take=_ref("MAP_PFC_PRIORITY_TO_QUEUE")),
    make_rows(f"{_QOS} pfc_to_pg_map", f"pfc trust {_MARKS}", sure="maps", by=_SORTS,
              take=_ref("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP")),
    make_rows(f"{_QOS} tc_to_dscp_map", "remarks", sure="maps", take=_ref("TC_TO_DSCP_MAP", since=202411)),
    make_rows(f"{_QOS} tc_to_dot1p_map|mpls_tc_to_tc_map|dscp_to_fc_map|exp_to_fc_map", f"pfc trust {_MARKS}",
              sure="maps", by="", take=_ANY),
    make_rows(f"{_QOS} scheduler", _SENDING, sure="scheduler", by="", take=_ref("SCHEDULER")),
    make_rows(f"{_QOS} pfc_enable", "pfc", by=_PAUSES, take=_MASK, into="masks", key="pfc"),
    make_rows(f"{_QOS} pfcwd_sw_enable", "watchdog", by=f"{_PAUSES} {_WATCHES}", take=_MASK,
              into="masks", key="watched"),
    make_rows("SCHEDULER", _SENDING, sure="scheduling", by=""),
    make_rows("SCHEDULER PROFILE type", _SENDING, sure="scheduling", by="shares scheduling",
              take=_word("DWRR", "WRR", "STRICT", default="WRR"), into="scheduler", key="type"),
    make_rows("SCHEDULER PROFILE weight", _SENDING, sure="scheduling", by="shares scheduling",
              take=_number(1, 100, default="1"), into="scheduler", key="weight"),
    make_rows("SCHEDULER PROFILE priority", _SENDING, sure="scheduling", by="",
              take=Field("refused", until=202205)),  # YANG has it; orchagent does not
    make_rows("SCHEDULER PROFILE cir", _SENDING, sure="guaranteed", by=_RATES, take=_U64._replace(unit=_BITS),
              into="scheduler", key="guaranteed"),
    make_rows("SCHEDULER PROFILE pir", _SENDING, sure="max_rate", by=_RATES, take=_U64._replace(unit=_BITS),
              into="scheduler", key="max_rate"),
    make_rows("SCHEDULER PROFILE meter_type", _SENDING, sure="scheduling", by=_RATES,
              take=_word("packets", "bytes", default="bytes"), into="scheduler", key="meter"),
    make_rows("SCHEDULER PROFILE cbs", "guaranteed", by="", take=_U32),
    make_rows("SCHEDULER PROFILE pbs", "max_rate", by="", take=_U32),
    make_rows("QUEUE", f"shares ecn discards {_RATES}", by=""),
    make_rows("QUEUE MEMBER scheduler", _SENDING, sure="scheduling", by=f"{_SENDING} scheduling",
              take=_ref("SCHEDULER")),
    make_rows("QUEUE MEMBER wred_profile", "ecn discards", take=_ref("WRED_PROFILE")),
    make_rows("WRED_PROFILE", "ecn discards", by=""),
    make_rows("WRED_PROFILE PROFILE ecn", "ecn discards", by="ecn ecn.colors discards",
              take=_word(*ECN_MODES, default="ecn_none")),
    *(rows for color in COLORS for rows in _curve(color)),
    make_rows("BUFFER_POOL", _BUFFERS, sure="pool", by=""),
    make_rows(f"{_POOLS} type", _BUFFERS, sure="pool", by=_SIZES,
              take=_word("ingress", "egress", "both", required=True), into="pool", key="direction"),
    make_rows(f"{_POOLS} mode", _BUFFERS, sure="pool", by=_SIZES, take=_word("static", "dynamic", required=True),
              into="pool", key="mode"),
    make_rows(f"{_POOLS} size", _BUFFERS, sure="pool", by=_SIZES, take=_U64, into="pool", key="size"),
    make_rows(f"{_POOLS} xoff", _BUFFERS, sure="pool", by=_SIZES, take=_U64._replace(default="0"),
              into="pool", key="shared_headroom"),
    make_rows(f"{_POOLS} percentage", _BUFFERS, sure="pool", by=_SIZES, take=_number(high=255, since=202405),
              into="pool", key="percent"),
    make_rows("BUFFER_PROFILE", _BUFFERS, by=""),  # compared as what the row says that binds it
    make_rows("BUFFER_PROFILE PROFILE pool", _BUFFERS, by=_SIZED, take=_ref("BUFFER_POOL", required=True)),
    make_rows("BUFFER_PROFILE PROFILE size", _BUFFERS, by=_SIZED, take=_U64._replace(required=True), into="profile"),
    make_rows("BUFFER_PROFILE PROFILE dynamic_th", _BUFFERS, by=_SIZED, take=_ALPHA, into="profile", key="alpha"),
    make_rows("BUFFER_PROFILE PROFILE static_th", _BUFFERS, by=_SIZED, take=_U64, into="profile", key="static"),
    make_rows("BUFFER_PROFILE PROFILE xon", _BUFFERS, by=_SIZED, take=_U64._replace(default="0"), into="profile"),
    # xoff has no default: with it, a profile is a lossless one
    make_rows("BUFFER_PROFILE PROFILE xoff", _BUFFERS, by=_SIZED, take=_U64, into="profile"),
    make_rows("BUFFER_PROFILE PROFILE xon_offset", _BUFFERS, by=_SIZED, take=_U64._replace(default="0"),
              into="profile"),
    make_rows("BUFFER_PROFILE PROFILE headroom_type", _BUFFERS, by=_SIZED,
              take=_word("static", "dynamic", default="static")),
    make_rows("BUFFER_PROFILE PROFILE packet_discard_action", _BUFFERS, by=_SIZED,
              take=_word("drop", "trim", since=202505, default="drop")),  # bufferorch
    make_rows("BUFFER_PG", _BUFFERS, by=""),
    make_rows("BUFFER_PG MEMBER profile", _BUFFERS, by=_GROUPS, take=_PROFILE),
    make_rows("BUFFER_QUEUE", _BUFFERS, sure="egress", by=""),
    make_rows("BUFFER_QUEUE MEMBER profile", _BUFFERS, sure="egress", by="egress trimmed", take=_PROFILE),
    make_rows("BUFFER_PORT_INGRESS_PROFILE_LIST|BUFFER_PORT_EGRESS_PROFILE_LIST", sure="port_buffers", by=""),
    make_rows("BUFFER_PORT_INGRESS_PROFILE_LIST|BUFFER_PORT_EGRESS_PROFILE_LIST MEMBER profile_list",
              sure="port_buffers", by="", take=_PROFILES),
    make_rows("DEFAULT_LOSSLESS_BUFFER_PARAMETER|LOSSLESS_TRAFFIC_PATTERN", sure="buffers", by=""),
    make_rows(f"{_LENT} default_dynamic_th", sure="buffers", by=_SIZES, take=_ALPHA._replace(required=True),
              into="parameter", key="alpha"),
    make_rows(f"{_LENT} over_subscribe_ratio", sure="buffers", by=_SIZES, take=_number(high=65535),
              into="parameter", key="oversubscribe"),
    make_rows(f"{_LENT} max_headroom_size", sure="buffers", by=_SIZES, take=_ANY),
    make_rows("LOSSLESS_TRAFFIC_PATTERN PROFILE mtu", sure="buffers", by=_SIZES, take=_number(required=True),
              into="pattern", key="lossless_mtu"),
    make_rows("LOSSLESS_TRAFFIC_PATTERN PROFILE small_packet_percentage", sure="buffers", by=_SIZES,
              take=_number(required=True), into="pattern", key="small_packets"),
    make_rows("SWITCH_TRIMMING", sure="trimming", by=""),
    make_rows("SWITCH_TRIMMING GLOBAL size", sure="trimming", by="trimming", take=_U32, into="trimming", key="size"),
    make_rows("SWITCH_TRIMMING GLOBAL dscp_value", sure="trimming", by="trimming",
              take=_number(words=("from-tc",), high=63), into="trimming", key="dscp"),
    make_rows("SWITCH_TRIMMING GLOBAL tc_value", sure="trimming", by="trimming", take=_number(high=255)),
    make_rows("SWITCH_TRIMMING GLOBAL queue_index", sure="trimming", by="trimming",
              take=_number(words=("dynamic",), high=255), into="trimming", key="queue"),
    make_rows("PFC_WD", "watchdog", by=""),
    make_rows(f"{_DOG} action", "watchdog", by="watchdog watchdog.action",
              take=_word("drop", "forward", "alert", default="drop"), into="watchdog", key="action"),
    make_rows(f"{_DOG} detection_time", "watchdog", by="watchdog watchdog.detection_time",
              take=_number(modelled=(100, 5000)), into="watchdog", key="detection_time"),  # ms, as those below
    make_rows(f"{_DOG} restoration_time", "watchdog", by="watchdog watchdog.restoration_time",
              take=_number(modelled=(100, 60000)), into="watchdog", key="restoration_time"),
    make_rows(f"{_DOG} pfc_stat_history", "watchdog", by="",
              take=_word("enable", "disable", since=202511, default="disable")),
    make_rows("PFC_WD GLOBAL POLL_INTERVAL", "watchdog", by="watchdog watchdog.poll_interval",  # to 1000 from 202511
              take=_number(default="100", modelled=(100, 3000)), into="polls", key="poll_interval"),
    make_rows("PFC_WD GLOBAL BIG_RED_SWITCH", "watchdog", by="watchdog_forced",
              take=_STATUS._replace(default="disable")),  # pfcwdorch
    make_rows("CABLE_LENGTH", "cable"),
    make_rows("PORT MEMBER speed", "speed", by="", take=_number(1, unit=_MBIT), into="port", key="speed"),
    make_rows("PORT MEMBER mtu", "mtu", take=_number(1, default="9100"), into="port", key="mtu"),  # portmgrd
    make_rows("PORT MEMBER fec", "fec", by="", take=_word("rs", "fc", "none", "auto"), into="port", key="fec"),
    make_rows("PORT MEMBER autoneg", "autoneg", by="", into="port", key="autoneg",
              take=_word("on", "off", "1", "0",  # numbers in port_config.ini, and before 202106: db_migrator.py
                         meant={"1": "on", "0": "off"})),
    make_rows("PORT MEMBER admin_status", "up", by="", into="state", key="up",
              take=_word("up", "down", default="down", meant={"up": True, "down": False})),  # portmgrd
    make_rows("PORT MEMBER pfc_asym", "pfc", by="", take=_word("on", "off", default="off")),  # portsorch
    make_rows("DEVICE_METADATA localhost buffer_model", "buffers", by="", take=_word("dynamic", "traditional")),
    make_rows("DEVICE_METADATA localhost default_pfcwd_status", "watchdog", by=_WATCHES,
              take=_STATUS._replace(default="disable")),
    # fields of tables that hold more than RoCE's: the first of each pair are read for what they tell of it
    make_rows("PORT MEMBER lanes|adv_speeds|subport|index|role|macsec|pfc_encryption_mode", by="", beside=_MADE_OF),
    make_rows("PORT MEMBER alias|description|link_training|interface_type|adv_interface_types|asic_port_name|"
              "dom_polling|tpid|mux_cable|tx_power|laser_freq|core_id|core_port_id|num_voq|mode|dhcp_rate_limit|"
              "fast_linkup", by="", beside=_MADE_OF, judged=False),
    make_rows("DEVICE_METADATA localhost hwsku|hostname|platform|type|subtype|switch_type|asic_name", by="",
              beside=_BOX),
    make_rows("DEVICE_METADATA localhost mac|switch_id|asic_id|max_cores|sub_role|downstream_subrole|slice_type|"
              "location_type|resource_type|cloudtype|region|cluster|deployment_id|storage_device|peer_switch|"
              "chassis_hostname|default_bgp_status|docker_routing_config_mode|frr_mgmt_framework_config|"
              "bgp_asn|bgp_adv_lo_prefix_as_128|bgp_router_id|suppress-fib-pending|nexthop_group|zebra_nexthop|"
              "t2_group_asns|anchor_route_source|synchronous_mode|yang_config_validation|dhcp_server|"
              "has_sonic_dhcpv4_relay|rack_mgmt_map|timezone|mgmt_type|syslog_with_osversion|syslog_counter|"
              "ring_thread_enabled|orch_dash_zmq_enabled|orch_route_zmq_enabled|"
              "orch_northbond_dash_zmq_enabled|orch_northbond_route_zmq_enabled|orch_southbound_zmq_enabled|"
              "async_swss_rec|route_state_async_publish|use_template_render_for_restore|dpu_auto_recovery|"
              "create_only_config_db_buffers|supporting_bulk_counter_groups", by="", beside=_BOX, judged=False),
    make_rows("FLEX_COUNTER_TABLE", sure="counters", by=""),
    make_rows("FLEX_COUNTER_TABLE * FLEX_COUNTER_STATUS", sure="counters", by="watchdog_blind", take=_STATUS),
    make_rows("FLEX_COUNTER_TABLE * FLEX_COUNTER_DELAY_STATUS", sure="counters", by="", take=_COUNTED),
    make_rows("FLEX_COUNTER_TABLE * POLL_INTERVAL|BULK_CHUNK_SIZE", sure="counters", by="", take=_NUMBER),
    make_rows("FLEX_COUNTER_TABLE * BULK_CHUNK_SIZE_PER_PREFIX", sure="counters", by="", take=_ANY),
)
# fmt: on
TABLE = Table(row for rows in _ROWS for row in rows)
_ROW_OF = {(row.path[0], row.path[-1] if len(row.path) > 1 else ""): row for row in TABLE.rows}
_ALL: dict[str, dict[str, Field]] = {}  # by table; of rows of the switch's own by table and key
_READ: dict[str, dict[str, tuple[str, Field]]] = {}  # by what a row is read as, the values: their fields
for _row in TABLE.rows:
    if isinstance(_row.take, Field):
        _table, _key, _name = _row.path
        _ALL.setdefault("polls" if (_table, _key) == ("PFC_WD", "GLOBAL") else _table, {})[_name] = _row.take
        if _row.into:
            _READ.setdefault(_row.into, {})[_row.key or _name] = _name, _row.take
PFC_WD_GLOBAL, PORT, METADATA, COUNTERS = (
    _ALL.pop(name) for name in ("polls", "PORT", "DEVICE_METADATA", "FLEX_COUNTER_TABLE")
)
FIELDS: Mapping[str, Mapping[str, Field]] = _ALL
BINDINGS = {name: field.table for name, field in FIELDS["PORT_QOS_MAP"].items() if field.table in MAPS}
SORTING = {field: table for field, table in BINDINGS.items() if table != "TC_TO_DSCP_MAP"}  # not what rewrites
BESIDE = {  # fields that are no setting; one that is in no row is one that nobody has looked at
    table: tuple(row.path[-1] for row in TABLE.rows if row.beside and row.path[0] == table)
    for table in ("PORT", "DEVICE_METADATA")
}
TRUSTED = {"dscp": "DSCP_TO_TC_MAP", "pcp": "DOT1P_TO_TC_MAP"}  # by what a port trusts
BURSTS = {"cir": "cbs", "pir": "pbs"}  # of SCHEDULER: a burst without its rate is refused by sonic-scheduler.yang
QUEUE_REFERENCES = {name: field.table for name, field in FIELDS["QUEUE"].items()}


def topics_of(table: str, field: str = "") -> tuple[str, ...]:
    """The settings that are not known where a field is refused or not judged; of another word: those of its table."""
    row = _ROW_OF.get((table, field)) or _ROW_OF.get((table, ""))
    return row.says if row is not None else ()


def topic_of(table: str, field: str) -> str:
    """The setting that a field is compared as; of BUFFER_PROFILE that of the row which binds it."""
    row = _ROW_OF.get((table, field)) or _ROW_OF.get((table, ""))
    return next(iter((*row.sure, *row.says)), "idle") if row is not None else "idle"


@cache
def fields_set_by(table: str, what: What) -> tuple[str, ...]:
    """The fields of a table that a change of a setting sets."""
    return tuple(row.path[-1] for row in TABLE.list_set_by(what) if row.path[0] == table and len(row.path) > 1)


def read_values(row: Stated, kind: str, *, silence: bool = False) -> Section:
    """What the fields of a row say, by the names that the settings have. `silence`: what it leaves out, too."""
    out: Section = {}
    texts = row.cells.texts
    for name, (field, takes) in _READ[kind].items():
        text = texts.get(field, takes.default if silence else None)
        value = takes(text) if text is not None else None
        if value is not None:
            out[name] = Val(value, row.locate(field))
    return out


def locate_values(row: Stated, kind: str) -> dict[str, Span]:
    """Where the fields of a row stand, else the row, by the names that the settings have."""
    return {name: row.locate(field) for name, (field, _) in _READ[kind].items()}


def field_of(kind: str, name: str) -> str:
    """The field that says a setting."""
    return _READ[kind][name][0]


def write_values(kind: str, **values: Any) -> dict[str, str]:
    """The fields of a row that say so, in the order given; of what is None: none."""
    known = _READ[kind]
    pairs = ((*known[name], value) for name, value in values.items() if value is not None)
    return {field: takes.write(value) for field, takes, value in pairs}
