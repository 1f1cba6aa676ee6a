"""One statement of a configuration changed or deleted at a time, and whether a difference names it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from sonic_text import switches
from sonic_whole import Config
from yang import Leaf

from rocecfg.drift.configurations import PortGaps, compare_configurations
from rocecfg.model.catalogue import find_compared_setting
from rocecfg.model.switch import Switch
from rocecfg.vendors.sonic import domain, settings
from rocecfg.vendors.sonic.settings import Field

MAPPED = ("tc", "qindex", "pg", "dscp")  # what YANG calls the values of maps
_BY_PORT = ("PORT", "PORT_QOS_MAP", "QUEUE", "PFC_WD", "BUFFER_PG", "BUFFER_QUEUE")
_LISTS = ("BUFFER_PORT_INGRESS_PROFILE_LIST", "BUFFER_PORT_EGRESS_PROFILE_LIST")
Models = dict[str, Any]


class Statement(NamedTuple):
    """A field of a row; "": the row."""

    table: str
    row: str
    field: str


class Change(NamedTuple):
    """A statement with another value; None: deleted."""

    statement: Statement
    to: str | None
    valid: bool = True

    def __str__(self) -> str:
        table, row, field = self.statement
        return f"{table}|{row} {field} {'gone' if self.to is None else self.to}".replace("  ", " ")

    def of(self, config: Config) -> Config:
        table, key, field = self.statement
        out = {**config, table: dict(config[table])}
        if not field:
            del out[table][key]
            return out
        row = out[table][key] = dict(config[table][key])
        if self.to is None:
            del row[field]
        else:
            row[field] = self.to
        return out


def statements(config: Config, *, entries: bool = False) -> Iterator[Statement]:
    """Those of the domain, of ports that have equal rows of the first alone; of maps all `entries`, or a few."""
    alike = _first_ports(config)
    for table, rows in config.items():
        if table not in domain.QOS | _SHARED.keys() or not isinstance(rows, dict):
            continue
        for key, row in rows.items():
            of = _port(table, key)
            if of is not None and of not in alike:
                continue
            if table not in ("PORT", "DEVICE_METADATA", "CABLE_LENGTH") or (table == "CABLE_LENGTH" and len(row) < 2):
                yield Statement(table, key, "")
            for field in _FEW.intersection(row) if table in settings.MAPS and not entries else row:
                known = table not in _SHARED or field in _SHARED[table]
                if known and (table != "CABLE_LENGTH" or field in alike):
                    yield Statement(table, key, field)


_FEW = frozenset(("0", "3", "5", "6", "26", "63"))  # entries of maps
_SHARED = {
    "PORT": settings.PORT,
    "DEVICE_METADATA": settings.METADATA,
    "FLEX_COUNTER_TABLE": settings.COUNTERS,
}


def _port(table: str, key: str) -> str | None:
    """The port that a row is of."""
    parts = key.split("|")
    if table not in (*_BY_PORT, *_LISTS) or parts[0] in ("global", "GLOBAL"):
        return None
    return parts[2] if len(parts) > 3 else parts[0]


def _first_ports(config: Config) -> set[str]:
    first: dict[str, str] = {}
    for port, stated in _rows_by_port(config).items():
        first.setdefault(json.dumps(stated), port)
    return set(first.values())


def _rows_by_port(config: Config) -> dict[str, list[Any]]:
    rows: dict[str, list[Any]] = {}
    for table in (*_BY_PORT, *_LISTS):
        for key, row in config.get(table, {}).items():
            port = _port(table, key)
            if port is not None:
                stated = {f: v for f, v in row.items() if table != "PORT" or f in settings.PORT}
                rows.setdefault(port, []).append((table, key.replace(port, "", 1), sorted(stated.items())))
    for row in config.get("CABLE_LENGTH", {}).values():
        for port, length in row.items():
            rows.setdefault(port, []).append(("CABLE_LENGTH", length))
    return rows


def changes(config: Config, models: Models, *, entries: bool = False) -> Iterator[Change]:
    """Each statement deleted, set to two other values that it takes, and to one that it does not."""
    for statement in statements(config, entries=entries):
        yield Change(statement, None)
        if statement.field:
            good, bad = _values(config, models, statement)
            yield from (Change(statement, value) for value in good)
            yield Change(statement, bad, valid=False)


def field_of(statement: Statement) -> Field:
    table, row, name = statement
    if (table, row) == ("PFC_WD", "GLOBAL"):
        return settings.PFC_WD_GLOBAL.get(name, Field("any"))
    known = _SHARED.get(table) or settings.FIELDS.get(table, {})
    return known.get(name, Field("any"))


def leaf_of(models: Models, statement: Statement) -> Leaf:
    """What YANG says of a field."""
    table, row, name = statement
    for rows in models.get(table, ()):
        if rows.row in ("", row) and name in rows.fields:
            return rows.fields[name]
    if table in settings.MAPS:
        return next((leaf for rows in models[table] for n, leaf in rows.fields.items() if n in MAPPED), Leaf())
    return Leaf()


def _values(config: Config, models: Models, statement: Statement) -> tuple[list[str], str]:
    table, key, name = statement
    now = config[table][key][name]
    leaf, field = leaf_of(models, statement), field_of(statement)
    if table == "CABLE_LENGTH":
        good, bad = ["5m", "300m", "40m"], "forty"
    elif field.kind in ("ref", "refs"):
        rows = config.get(field.table, {})
        good, bad = [name for name, row in rows.items() if row != rows.get(now)], "NOWHERE"
        if field.kind == "refs":
            good.append(f"{now},{good[0]}" if good else now)
        good = [f"[{field.table}|{name}]" for name in good] if now.startswith("[") else good
    elif field.kind == "mask":
        good, bad = ["4", "3,4", ""], "9"
    elif table in settings.MAPS:
        low, high = domain.NUMBERS[settings.MAPS[table][1]]
        good, bad = [str(n) for n in (1, 4, 3, high) if low <= n <= min(high, 7)], "x"
    elif leaf.words or field.words:
        words = leaf.words or field.words
        good, bad = [*(["17", "5"] if field.kind == "number" else []), *words], "nonsense"
    elif now.lstrip("-").isdigit():
        ends = [n for n in (leaf.low, leaf.high) if n is not None]
        near = [n for n in (int(now) + 1, int(now) * 2 + 2, int(now) // 2) if not ends or ends[0] <= n <= ends[-1]]
        good, bad = [*map(str, near), *map(str, ends)], "x"
    else:
        good, bad = [f"{now}8", "other"], ""
    return [value for value in dict.fromkeys(good) if value != now][:2], bad


def topics(statement: Statement) -> frozenset[str]:
    """The settings that a difference may name for a statement."""
    table, _, name = statement
    if not name:
        known = settings.PFC_WD_GLOBAL if table == "PFC_WD" else settings.FIELDS.get(table, {})
        own = {topic for field in known for topic in topics(statement._replace(field=field))}
        return frozenset({settings.topic_of(table, ""), *own})
    if table == "BUFFER_PROFILE":
        return frozenset({"group", "egress", "port_buffers"})
    found = {settings.topic_of(table, name)}
    to = field_of(statement).table
    if to in settings.MAPS:
        found.add(settings.topic_of(to, ""))
    elif table == "QUEUE":
        found |= {settings.topic_of(to, field) for field in settings.FIELDS[to]}
    elif table == "SCHEDULER":
        found.add("scheduler")
    return frozenset(found)


def reduced(config: Config) -> Config:
    """The configuration with the first alone of ports that have equal rows."""
    first, every = _first_ports(config), set(_rows_by_port(config))
    out = {table: rows for table, rows in config.items() if table in domain.DOMAIN}
    for table in (*_BY_PORT, *_LISTS):
        if table in out:
            out[table] = {k: row for k, row in out[table].items() if _port(table, k) in (None, *first)}
    for key, row in out.get("CABLE_LENGTH", {}).items():
        lengths = {port: length for port, length in row.items() if port in first or port not in every}
        out["CABLE_LENGTH"] = {**out["CABLE_LENGTH"], key: lengths}
    return out


class Original:
    """A configuration, to compare changes of it with."""

    def __init__(self, config: Config, release: str | None = None) -> None:
        self.config = config
        self.release = release
        self.switches = [s._replace(in_force=cache(s.in_force)) for s in self._read(config)]

    def _read(self, config: Config) -> list[Switch]:
        return switches(json.dumps(config), self.release)

    def differences(self, config: Config) -> list[PortGaps]:
        """What drift's comparison of two configurations gives."""
        pairs = zip(self.switches, self._read(config), strict=True)
        return [apart for one, other in pairs for apart in compare_configurations(one, other)]

    def names(self, change: Change) -> bool:
        """Whether a difference names what was changed: the setting, and the port that it is of."""
        wanted, port = topics(change.statement), _port(change.statement.table, change.statement.row)
        row = f"{change.statement.table}|{change.statement.row}"
        for apart in self.differences(change.of(self.config)):
            for gap in apart.gaps:
                if gap.what.topic == "idle" and gap.what.part.startswith(row):
                    return True
                assert find_compared_setting(gap.what.topic) is not None, gap
                if gap.what.topic in wanted and (port is None or apart.ports is None or port in apart.ports):
                    return True
        return False

    def is_silence(self, change: Change) -> bool:
        """Whether what is deleted is what silence means: all is in force as before, and now nobody states it."""
        wanted, defaulted = topics(change.statement), False
        for one, other in zip(self.switches, self._read(change.of(self.config)), strict=True):
            others = other.in_force()
            for port, before in one.in_force().items():
                after = others[port]
                if before.keys() != after.keys():
                    return False
                for what, stated in before.items():
                    if stated.value != after[what].value:
                        return False
                    silenced = stated.at != one.at and after[what].at == other.at
                    defaulted = defaulted or (silenced and what.topic in wanted)
        return change.to is None and defaulted
