"""Rows that are written to CONFIG_DB directly: operations of a patch as commands."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from rocecfg.core.records import NamedTuple
from rocecfg.vendors.sonic.change.difference import Operation, unescape
from rocecfg.vendors.sonic.change.tables import Row, Tables
from rocecfg.vendors.sonic.commands import HISTORY, for_each_port, start_watchdog
from rocecfg.vendors.sonic.release import Release

_PLAIN = re.compile(r"[\w.,+/|:-]+", re.ASCII)  # what a shell leaves alone between double quotes, and in a list


class _RowCommand(NamedTuple):
    """A command on one row: its verb, the table, the key, and what stands behind these."""

    verb: str
    table: str
    key: str
    after: str


def _loop_over_ports(lines: Iterable[_RowCommand]) -> Iterator[str]:
    """Commands as they are typed; one loop over ports that are told the same."""
    for (verb, table, after), same in groupby(lines, key=lambda line: (line.verb, line.table, line.after)):
        keys = [line.key for line in same]
        apart = [key.partition("|") for key in keys]
        rest = {f"{bar}{index}" for _, bar, index in apart}
        command = f"sonic-db-cli CONFIG_DB {verb}"
        if len(keys) == 1 or len(rest) > 1 or not all(map(_PLAIN.fullmatch, keys)):
            yield from (f"{command} {shlex.quote(f'{table}|{key}')}{after}" for key in keys)
        else:
            yield for_each_port([port for port, _, _ in apart], f'{command} "{table}|$PORT{rest.pop()}"{after}')


def write_commands(operations: Iterable[Operation], config: Tables) -> tuple[str, ...]:
    """Operations as commands that write CONFIG_DB directly, one for what happens to a row, as they are typed."""
    return tuple(_loop_over_ports(_row_commands(operations, config)))


_TIMERS = {"detection_time", "restoration_time"}


def start_commands(rows: Mapping[str, Row], release: Release) -> tuple[str, ...]:
    """What starts stopped watchdogs with these rows of PFC_WD: `pfcwd start`, and what it would not write as a row."""
    by_row = {port: row for port, row in rows.items() if not _is_started_by_command(row, release)}
    written = [{"op": "add", "path": "/PFC_WD", "value": by_row}] if by_row else []
    by_command = {port: row for port, row in rows.items() if port not in by_row}
    return (*start_watchdog(by_command), *write_commands(written, {}))


def _is_started_by_command(row: Row, release: Release) -> bool:
    """Whether `pfcwd start` writes just this row: it makes up a restoration time, and knows no other fields."""
    history = {HISTORY} if release.watch_history else set()
    known = row.get(HISTORY, "disable") in ("enable", "disable")
    return known and _TIMERS <= row.keys() <= _TIMERS | {"action"} | history


def _row_commands(operations: Iterable[Operation], config: Tables) -> Iterator[_RowCommand]:
    done: dict[tuple[str, str, str], list[str]] = {}
    for operation in operations:
        table, *rest = (unescape(part) for part in str(operation["path"]).split("/")[1:])
        if operation["op"] == "remove":
            for key in rest[:1] or list(config.get(table, {})):
                done.setdefault(("HDEL" if rest[1:] else "DEL", table, key), []).extend(map(shlex.quote, rest[1:]))
            continue
        rows: dict[str, dict[str, str]] = operation["value"] if not rest else {}
        if rest:
            rows = {rest[0]: operation["value"] if len(rest) == 1 else {rest[1]: operation["value"]}}
        for key, row in rows.items():
            words = [shlex.quote(word) for field, text in (row or {"NULL": "NULL"}).items() for word in (field, text)]
            done.setdefault(("HSET", table, key), []).extend(words)
    for (verb, table, key), words in done.items():
        yield _RowCommand(verb, table, key, "".join(f" {word}" for word in words))
