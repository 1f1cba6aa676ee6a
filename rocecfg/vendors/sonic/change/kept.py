"""Rows that lose a field: orchagent keeps what the field said, so queues are bound to a row of another name.

A row of SCHEDULER or WRED_PROFILE that is written sets the attributes of the fields that it has, and no other; a field
that is taken out changes nothing until the row is created again (sonic-swss orchagent/qosorch.cpp, handleSchedulerTable
and WredMapHandler::modifyQosItem, from 202311 to master). A row cannot be created again while a queue has it: its
deletion waits, and writes of that name after it (m_pendingRemove).
"""

from __future__ import annotations

from rocecfg.vendors.sonic.change.tables import Row, Tables
from rocecfg.vendors.sonic.keys import referenced_name
from rocecfg.vendors.sonic.settings import BURSTS, COLORS, QUEUE_REFERENCES

_METER, _BYTES = "meter_type", "bytes"


def bind_other_rows(running: Tables, target: Tables) -> None:
    """Bind queues to new rows where `target` takes out of a row that runs what would stay in force."""
    for field, table in QUEUE_REFERENCES.items():
        effect = _EFFECTS[table]
        for name, before in running.get(table, {}).items():
            after = target.get(table, {}).get(name)
            if after is None or effect({**before, **after}) == effect(after):
                continue
            new = _find_free_name(name, running.get(table, {}), target[table])
            target[table] |= {name: dict(before), new: _without_loose_bursts(after)}
            for row in target.get("QUEUE", {}).values():
                if referenced_name(row.get(field, "")) == name:
                    row[field] = f"[{table}|{new}]" if row[field].startswith("[") else new


def _find_free_name(name: str, *taken: dict[str, Row]) -> str:
    names = (f"{name}_{n}" for n in range(2, 2 + sum(map(len, taken)) + 1))
    return next(new for new in names if all(new not in rows for rows in taken))


def _without_loose_bursts(row: Row) -> Row:
    loose = {burst for rate, burst in BURSTS.items() if rate not in row}
    return {field: text for field, text in row.items() if field not in loose}


def _schedule(row: Row) -> Row:
    """What of a row schedules: no weight beside strict, no unit without a rate."""
    said = {field: text for field, text in row.items() if field not in ("priority", _METER)}
    if any(rate in row for rate in BURSTS):
        said[_METER] = row.get(_METER, _BYTES)
    if row.get("type") == "STRICT":
        said.pop("weight", None)
    return said


def _mark(row: Row) -> Row:
    """What of a row marks and drops: nothing of a color that is not on."""
    said = {"ecn": row.get("ecn", "ecn_none")}
    for color in COLORS:
        if row.get(f"wred_{color}_enable") == "true":
            said |= {field: text for field, text in row.items() if color in field.split("_")}
    return said


_EFFECTS = {"SCHEDULER": _schedule, "WRED_PROFILE": _mark}
