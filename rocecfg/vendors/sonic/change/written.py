"""Rows that are written to CONFIG_DB directly: operations of a patch as commands."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from itertools import groupby

from rocecfg.core.records import NamedTuple
from rocecfg.vendors.sonic.change.difference import Operation, unescape
from rocecfg.vendors.sonic.change.tables import Tables
from rocecfg.vendors.sonic.commands import for_each_port

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
