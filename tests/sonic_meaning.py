"""What rows of CONFIG_DB do to packets, by whatever names and ranges they say it. Independent of rocecfg."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

Config = dict[str, Any]

MAPS = {
    "dscp_to_tc_map": "DSCP_TO_TC_MAP",
    "dot1p_to_tc_map": "DOT1P_TO_TC_MAP",
    "tc_to_queue_map": "TC_TO_QUEUE_MAP",
    "tc_to_pg_map": "TC_TO_PRIORITY_GROUP_MAP",
    "pfc_to_queue_map": "MAP_PFC_PRIORITY_TO_QUEUE",
    "pfc_to_pg_map": "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
}
NAMED = {"profile": "BUFFER_PROFILE", "scheduler": "SCHEDULER", "wred_profile": "WRED_PROFILE"}


def numbers(index: str) -> list[int]:
    low, _, high = index.partition("-")
    return list(range(int(low), int(high or low) + 1))


def amounts_to(config: Config, port: str) -> dict[str, Any]:
    """Names followed, ranges taken apart; entries that nothing uses are left out."""
    row = config["PORT_QOS_MAP"].get(port, {})
    everywhere = config["PORT_QOS_MAP"].get("global", {})
    if "dscp_to_tc_map" in everywhere:  # a port without one of its own sorts by that of the switch
        row = {"dscp_to_tc_map": everywhere["dscp_to_tc_map"], **row}
    maps = {field: config[table][row[field]] for field, table in MAPS.items() if field in row}
    sorting = {field: maps[field] for field in ("dscp_to_tc_map", "dot1p_to_tc_map") if field in maps}
    ways = {
        (field, mark): (maps["tc_to_queue_map"].get(tc, "0"), maps["tc_to_pg_map"].get(tc, "0"))
        for field, entries in sorting.items()
        for mark, tc in entries.items()
    }
    paused = [p for p in row.get("pfc_enable", "").split(",") if p]
    watched = [p for p in row.get("pfcwd_sw_enable", "").split(",") if p]
    used = {int(queue) for queue, _ in ways.values()}
    out: dict[str, Any] = {
        "ways": ways,
        "pauses": [{p: maps[f].get(p) for p in paused} for f in ("pfc_to_queue_map", "pfc_to_pg_map") if f in maps],
        "pfc": paused,
        "watched": watched,
        "other maps": sorted(field for field in row.keys() - maps.keys() if field.endswith("_map")),
        "cable": [rows[port] for rows in config.get("CABLE_LENGTH", {}).values() if port in rows],
        "watchdog": config.get("PFC_WD", {}).get(port),
    }
    for table in ("QUEUE", "BUFFER_QUEUE", "BUFFER_PG"):
        for key, fields in config.get(table, {}).items():
            of, _, index = key.rpartition("|")
            for n in numbers(index) if of == port else ():
                if table == "QUEUE" and n not in used:
                    continue
                for field, to in fields.items():
                    rows: dict[str, Any] = config.get(NAMED[field], {})
                    out.setdefault(table, {})[n, field] = rows.get(to, to)
    return out


def same_queues(one: dict[Any, Any], other: dict[Any, Any]) -> bool:
    """Whether queues are served alike: shares are percentages of weights, less than a point is nothing."""
    shares, meant = _shares(one), _shares(other)
    plain = [{at: _without_weight(row) for at, row in rows.items()} for rows in (one, other)]
    return (
        plain[0] == plain[1] and shares.keys() == meant.keys() and all(abs(shares[at] - meant[at]) < 1 for at in meant)
    )


def _shares(queues: dict[Any, Any]) -> dict[Any, Fraction]:
    weights = {at: int(row["weight"]) for at, row in queues.items() if isinstance(row, dict) and "weight" in row}
    return {at: Fraction(100 * weight, sum(weights.values())) for at, weight in weights.items()}


def _without_weight(row: Any) -> Any:
    return {field: value for field, value in row.items() if field != "weight"} if isinstance(row, dict) else row
