"""Rows on queues, PFC and buffers that are not understood: which settings they may touch, and of which ports."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.model.switch import Port, Unread
from rocecfg.vendors.sonic.domain import BINDINGS, QOS
from rocecfg.vendors.sonic.reading.context import Context

_RULES = frozenset({"device-unread", "device-unknown", "device-value"})
_MARKS = ("dscp", "pcp")
_BUFFERS = ("group", "headroom", "buffers", "pool")
_TOPICS = {
    "PORT_QOS_MAP": ("pfc", "trust", *_MARKS),
    "QUEUE": ("shares", "ecn", "discards", "max_rate", "guaranteed"),
    "SCHEDULER": ("shares", "max_rate", "guaranteed"),
    "WRED_PROFILE": ("ecn", "discards"),
    "PFC_WD": ("watchdog",),
    "CABLE_LENGTH": ("cable",),
    "DSCP_TO_TC_MAP": ("dscp",),
    "DOT1P_TO_TC_MAP": ("pcp",),
    "TC_TO_QUEUE_MAP": _MARKS,
    "TC_TO_PRIORITY_GROUP_MAP": _MARKS,
    "MAP_PFC_PRIORITY_TO_QUEUE": _MARKS,
    "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": _MARKS,
    "BUFFER_POOL": _BUFFERS,
    "BUFFER_PROFILE": _BUFFERS,
    "BUFFER_PG": _BUFFERS,
    "BUFFER_QUEUE": _BUFFERS,
}
_OF_FIELD = {  # of a row with several settings, those of the field that a note begins with
    "pfc_enable": ("pfc",),
    "pfcwd_sw_enable": ("watchdog",),
    "scheduler": ("shares", "max_rate", "guaranteed"),
    "wred_profile": ("ecn", "discards"),
    "cbs": ("guaranteed",),
    "pbs": ("max_rate",),
    "dot1p_to_tc_map": ("pcp",),
    **dict.fromkeys(("dscp_to_tc_map", "tc_to_queue_map", "tc_to_pg_map", "pfc_to_queue_map"), _MARKS),
    "tc_to_dscp_map": ("remarks",),
}


def unread(ctx: Context, ports: tuple[Port, ...]) -> Iterator[Unread]:
    """What was noted of rows that are not judged, unknown or refused."""
    known = {name for port in ports for name in port.names}
    sorting = {name for port in ports if port.chain is not None for name in port.names}
    for rule, table, keys, at, words in ctx.notes.noted():
        if rule not in _RULES or not (table in QOS or rule == "device-unread"):
            continue
        field, _, rest = words.partition(" ")
        if rest.startswith("is missing"):
            continue  # compared as absent
        topics = _OF_FIELD.get(field, _TOPICS.get(table, ()))
        named = tuple(dict.fromkeys(name for key in keys for name in key.partition("|")[0].split(",") if name in known))
        if rule == "device-unread" and field in BINDINGS and named and sorting.issuperset(named):
            continue  # lint judges the maps of most ports alone; what these lead to is known all the same
        yield Unread(at, f"{table}: {words}", topics, named)
