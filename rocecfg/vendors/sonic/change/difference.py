"""The operations of RFC 6902 between rows that run and rows that are to run: what is referred to comes first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rocecfg.vendors.sonic.change.tables import Table, Tables
from rocecfg.vendors.sonic.settings import SORTING

Operation = Mapping[str, Any]  # op, path, value

_DEFINITIONS = (*SORTING.values(), "SCHEDULER", "WRED_PROFILE", "BUFFER_POOL", "BUFFER_PROFILE")
ORDER = (
    *_DEFINITIONS,
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER",
    "LOSSLESS_TRAFFIC_PATTERN",
    "CABLE_LENGTH",
    "BUFFER_PG",
    "BUFFER_QUEUE",
    "PORT_QOS_MAP",
    "QUEUE",
    "PFC_WD",
    "SWITCH_TRIMMING",
    "DEVICE_METADATA",
    "FLEX_COUNTER_TABLE",
    "PORT",  # its MTU alone
)


def operations_of(config: Tables, target: Tables, tables: Iterable[str]) -> tuple[list[dict[str, Any]], list[object]]:
    """The operations of some tables, and the values that they take away."""
    operations: list[dict[str, Any]] = []
    removed: list[object] = []
    for table in tables:
        _add_operations(table, config.get(table, {}), target.get(table, {}), operations, removed)
    return operations, removed


def _add_operations(
    table: str, old: Table, new: Table, operations: list[dict[str, Any]], removed: list[object]
) -> None:
    """Add the operations of one table; one that empties goes whole, since apply-patch refuses empty ones."""
    new = {key: row for key, row in new.items() if row or not old.get(key)}
    if new == old:
        return

    def emit(op: str, *path: str, value: object = None) -> None:
        pointer = "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in (table, *path))
        operations.append(
            {"op": op, "path": pointer} if op == "remove" else {"op": op, "path": pointer, "value": value}
        )

    if not old:
        emit("add", value=new)
        return
    if not new:
        emit("remove")
        removed.append(old)
        return
    for key in [key for key in old if key not in new]:
        emit("remove", key)
        removed.append(old[key])
    for key, row in new.items():
        before = old.get(key)
        if before is None:
            emit("add", key, value=row)
            continue
        for field in [field for field in before if field not in row]:
            emit("remove", key, field)
            removed.append(before[field])
        for field, value in row.items():
            if field not in before:
                emit("add", key, field, value=value)
            elif str(before[field]) != value:
                emit("replace", key, field, value=value)


def apply_operations(config: Tables, operations: Iterable[Operation]) -> Tables:
    """The rows once operations of `operations_of` were made."""
    out = dict(config)
    for operation in operations:
        table, *rest = (unescape(part) for part in str(operation["path"]).split("/")[1:])
        value = operation.get("value")
        if not rest:
            out[table] = dict(value or {})
            continue
        rows = out[table] = dict(out.get(table, {}))
        key, *field = rest
        if field:
            row = {name: text for name, text in rows[key].items() if name != field[0]}
            rows[key] = row if value is None else {**row, field[0]: value}
        elif value is None:
            del rows[key]
        else:
            rows[key] = value
    return out


def table_of(operation: Operation) -> str:
    """The table that an operation is on."""
    return str(operation["path"]).split("/")[1]


def unescape(part: str) -> str:
    """A part of a JSON pointer without its escapes."""
    return part.replace("~1", "/").replace("~0", "~")
