"""References between rows, ports that rows are for, and tables that nobody knows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rocecfg.core.records import NamedTuple
from rocecfg.intent.values import near
from rocecfg.vendors.sonic.domain import (
    BY_OTHER_WAYS,
    OTHER_WORDS,
    OTHERS,
    QOS,
    REFERRED,
    STEMS,
    STOCK,
)
from rocecfg.vendors.sonic.reading.context import Context, referenced_name
from rocecfg.vendors.sonic.reading.rows import Cell, Row, distinct_rows, shorten
from rocecfg.vendors.sonic.settings import FIELDS, MAPS, Field

_COMPUTED = "NULL"  # dynamic buffer model: "calculate for me"
_BRACKETS_UNTIL = 202106
_BY_MANAGER = "pg_lossless_"  # profiles that buffermgrd makes itself
_TUNNEL = {
    "decap_dscp_to_tc_map": Field("ref", "DSCP_TO_TC_MAP"),
    "decap_tc_to_pg_map": Field("ref", "TC_TO_PRIORITY_GROUP_MAP"),
    "encap_tc_to_dscp_map": Field("ref", "TC_TO_DSCP_MAP"),
    "encap_tc_to_queue_map": Field("ref", "TC_TO_QUEUE_MAP"),
}
_USERS: Mapping[str, tuple[str, ...]] = {  # the tables that name rows of another
    **dict.fromkeys(MAPS, ("PORT_QOS_MAP",)),
    "SCHEDULER": ("QUEUE", "PORT_QOS_MAP"),
    "WRED_PROFILE": ("QUEUE",),
    "BUFFER_PROFILE": ("BUFFER_PG", "BUFFER_QUEUE"),
}
_STOCK_PROFILES = ("ingress_", "egress_", "q_lossy", "queue")
_MOST_NAMED = 6
_LONG = 64  # characters of a word that is compared with others


class ReferenceFault(NamedTuple):
    """Something wrong with a reference, whichever rows make it."""

    rule: str
    cell: Cell
    words: str
    help: str
    severity: str | None = None


def check_tables(ctx: Context) -> None:
    """Tables whose names are slips of those that SONiC knows, or that are about RoCE and not judged."""
    for name, at in ctx.space.left.items():
        if name in OTHERS or name in QOS:
            continue
        meant = OTHER_WORDS.get(name) or (near(name, QOS) if len(name) > 4 else None)
        if meant is not None:
            words = "SONiC has no such table: it does nothing"
            ctx.notes.report("device-unknown", shorten(name), "", at, words, f"did you mean {meant}?")
        elif (effect := next((BY_OTHER_WAYS[w] for w in BY_OTHER_WAYS if name.startswith(w)), None)) is not None:
            words = f"a table that is not checked, of {effect}"
            ctx.notes.report("device-unread", shorten(name), "", at, words)
        elif any(stem in name for stem in STEMS):
            words = "a table on queues, buffers or pauses that is not checked"
            ctx.notes.report("device-unread", shorten(name), "", at, words)


def check_refs(ctx: Context) -> None:
    """References to rows that are not there or not spelt as the release wants, and rows that nobody refers to."""
    used: set[tuple[str, str]] = set()
    for table, fields in {**FIELDS, "TUNNEL": _TUNNEL}.items():
        refs = {name: field for name, field in fields.items() if field.kind in ("ref", "refs")}
        if not refs:
            continue
        rows, found = ctx.table(table).values(), {}
        for row in distinct_rows(rows):
            named = list(_list_refs(table, row, refs))
            used.update((to, referenced_name(text, to)) for _, text, to in named)
            wrong = [w for ref in named for w in _check_ref(ctx, table, *ref)]
            if wrong:
                found[id(row.cells)] = wrong
        for row in rows if found else ():
            for rule, cell, words, help, severity in found.get(id(row.cells), ()):
                ctx.notes.report(rule, table, row.key, row.locate_cell(cell), words, help, severity=severity)
    if not ctx.patch:
        _note_unbound(ctx, used)


def _list_refs(table: str, row: Row, fields: Mapping[str, Field]) -> Iterator[tuple[Cell, str, str]]:
    for name, field in fields.items():
        cell = row.cells.get(name)
        if cell is None:
            continue
        for text in cell.text.split(",") if field.kind == "refs" else (cell.text,):
            if text and not (table == "BUFFER_PG" and text in (_COMPUTED, "0")):
                yield cell, text, field.table


def _check_ref(ctx: Context, table: str, cell: Cell, text: str, to: str) -> Iterator[ReferenceFault]:
    name = referenced_name(text, to)
    sure = ctx.stated_release
    if sure is not None and sure.bracketed != (text != name):
        if text != name:
            words = (
                f"{shorten(text)}: SONiC {sure.name} refuses references in brackets (they end with {_BRACKETS_UNTIL})"
            )
        else:
            words = f"{shorten(text)}: SONiC {sure.name} wants references as [TABLE|name]"
        yield ReferenceFault(
            "device-value", cell, words, f"write {shorten(name) if text != name else f'[{to}|{shorten(name)}]'}"
        )
    rows = ctx.table(to)
    if name in rows or ctx.patch or not (ctx.ported or rows):
        return
    meant = near(name, rows) if len(name) < _LONG else None
    harm = "orchagent waits for it forever"
    if table == "PORT_QOS_MAP":
        harm += ", and the port gets none of its maps"
    help = (
        f"did you mean {shorten(meant)}?" if meant is not None else f"define it, or name one of {_format_names(rows)}"
    )
    # a part of a configuration may name what the switch has already, but hardly under a name so near to one of its own
    severity = None if meant is not None else ctx.severity_of_absence
    words = f"{to} has no {shorten(name)}: {harm}"
    if not ctx.whole and not ctx.has(to):
        words, severity = f"this part has no {to}: the switch must have {shorten(name)}, or {harm}", "info"
    yield ReferenceFault("device-ref", cell, words, help, severity)


def _format_names(names: Iterable[str]) -> str:
    listed = [shorten(name) for name in names]
    return ", ".join(listed[:_MOST_NAMED]) + (" ..." if len(listed) > _MOST_NAMED else "") or "its rows"


def _note_unbound(ctx: Context, used: set[tuple[str, str]]) -> None:
    """What nobody refers to, one note a table. Stock rows are there whether they are used or not."""
    for table in REFERRED:
        if not all(ctx.table(user) for user in _USERS[table][:1]):
            continue
        idle = [
            row for name, row in ctx.table(table).items() if (table, name) not in used and not _is_stock(table, name)
        ]
        if not idle:
            continue
        what = "it" if len(idle) == 1 else f"any of these {len(idle)}: {_format_names(row.key for row in idle)}"
        users = " or ".join(_USERS[table])
        words = f"no row of {users} uses {what}"
        help = f"name it in a row of {users}, or remove it"
        ctx.notes.report("device-unbound", table, idle[0].key, idle[0].at, words, help)
        ctx.notes.add_places("device-unbound", table, words, (row.at for row in idle[1:]))


def _is_stock(table: str, name: str) -> bool:
    if table == "BUFFER_PROFILE":
        return name.startswith((_BY_MANAGER, *_STOCK_PROFILES))
    return name in STOCK or name.startswith("AZURE_")
