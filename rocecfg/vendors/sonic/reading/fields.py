"""Each field against what CONFIG_DB takes: unknown fields, and values that YANG or orchagent refuses.

Equal rows are checked once. What the model shows as well (timers, thresholds and sizes out of range) is left to the
rules on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from shlex import quote

from rocecfg.core.records import NamedTuple
from rocecfg.intent.values import near, nearest
from rocecfg.vendors.sonic import domain
from rocecfg.vendors.sonic.reading.context import Context
from rocecfg.vendors.sonic.reading.rows import Cell, Cells, Row, distinct_rows, parse_number, parse_priorities, shorten
from rocecfg.vendors.sonic.settings import BESIDE, FIELDS, METADATA, PFC_WD_GLOBAL, PORT, Field

MASK = re.compile(r"(?:[0-7](?:,[0-7])*)?")  # a list of priorities
_KINDS = {
    "bool": "a bare {0} becomes the text {1}",
    "null": "null is not a value of CONFIG_DB",
    "object": "an object where a text belongs",
}
_WATCHDOG, _MARKS = "PFCWD", "WRED_ECN_QUEUE"
_EVERYWHERE = ("PFC_WD", "GLOBAL")
_NAME, _VALUE = "name", "value"
_REFUSING = ("SCHEDULER", "WRED_PROFILE", "PFC_WD")


class FieldFault(NamedTuple):
    """Something wrong with a row, whichever rows have it."""

    rule: str
    cell: Cell | None  # None: the row as such
    part: str  # which part of the cell is meant: _NAME or _VALUE
    words: str
    help: str = ""
    severity: str | None = None


def check_fields(ctx: Context) -> None:
    """Notes what is wrong in the fields of all tables on RoCE."""
    for table, fields in FIELDS.items():
        rows: Iterable[Row] = ctx.table(table).values()
        if table == _EVERYWHERE[0]:
            rows = [row for row in rows if row.key != _EVERYWHERE[1]]
        _check_all_fields(ctx, table, rows, fields)
    _check_rows_of_switch(ctx)
    metadata = ctx.row("DEVICE_METADATA", "localhost")
    if metadata is not None:
        _check_known_fields(ctx, "DEVICE_METADATA", (metadata,), METADATA)
        _check_typos(ctx, "DEVICE_METADATA", (metadata,), METADATA)
    _check_known_fields(ctx, "PORT", ctx.table("PORT").values(), PORT)
    _check_typos(ctx, "PORT", ctx.table("PORT").values(), PORT)
    for key, row in ctx.table("PORT").items() if ctx.whole else ():
        if "speed" not in row.cells:
            ctx.notes.report(
                "device-value", "PORT", key, row.at, "speed is missing, and YANG refuses the row without it"
            )
    _check_counters(ctx)


def _check_rows_of_switch(ctx: Context) -> None:
    """The rows that are for the switch as a whole and not for a port."""
    everywhere = ctx.row(*_EVERYWHERE)
    if everywhere is not None:
        _check_all_fields(ctx, _EVERYWHERE[0], (everywhere,), PFC_WD_GLOBAL)
    row = ctx.row("PORT_QOS_MAP", "global")
    for name, cell in row.cells.items() if row is not None else ():
        if row is not None and name in FIELDS["PORT_QOS_MAP"] and name != "dscp_to_tc_map":
            words = f"{name} does nothing for the whole switch: only dscp_to_tc_map does"
            ctx.notes.report(
                "device-unknown", "PORT_QOS_MAP", "global", row.locate_name(cell), words, "write it for each port"
            )


def _check_all_fields(ctx: Context, table: str, rows: Iterable[Row], fields: Mapping[str, Field]) -> None:
    """Judges all fields of rows, unknown ones among them."""
    found = {}
    for row in distinct_rows(rows):
        wrong = [
            *_find_unknown(ctx, table, row.cells, fields),
            *_find_refused(ctx, row.cells, fields),
            *_find_missing(ctx, table, row),
            *_check_together(table, row.cells),
        ]
        if wrong:
            found[id(row.cells)] = wrong
    for row in rows if found else ():
        _report_faults(ctx, table, row, found.get(id(row.cells), ()))


def _check_known_fields(ctx: Context, table: str, rows: Iterable[Row], fields: Mapping[str, Field]) -> None:
    """Judges some fields of rows that hold others too: once what many rows say, where nothing is wrong with it."""
    good = set()
    for row in rows:
        cells = row.cells
        stated = tuple([cells.texts.get(name) for name in fields])
        if cells.plain and stated in good:
            continue
        wrong = list(_find_refused(ctx, {name: cells[name] for name in fields if name in cells}, fields))
        _report_faults(ctx, table, row, wrong)
        if cells.plain and not wrong:
            good.add(stated)


def _check_typos(ctx: Context, table: str, rows: Iterable[Row], fields: Mapping[str, Field]) -> None:
    """Fields of tables that hold more than RoCE's which are nobody's, and hardly differ from one that is judged."""
    known = {*fields, *BESIDE[table]}
    seen: set[str] = set()
    for row in rows:
        fresh = [name for name in row.cells if name not in known and name not in seen]
        seen.update(name for name in fresh if near(name, fields) is None)
        for name in fresh:
            meant = near(name, fields) if name not in seen else None
            if meant is not None and meant not in row.cells:
                words = f"there is no field {shorten(name)} here; orchagent does nothing with it, and YANG refuses it"
                at = row.locate_name(row.cells[name])
                ctx.notes.report("device-unknown", table, row.key, at, words, f"did you mean {meant}?")


def _report_faults(ctx: Context, table: str, row: Row, wrong: Iterable[FieldFault]) -> None:
    for rule, cell, part, words, help, severity in wrong:
        at = row.at if cell is None else row.locate_name(cell) if part == _NAME else row.locate_cell(cell)
        ctx.notes.report(rule, table, row.key, at, words, help, severity=severity)


def _find_unknown(ctx: Context, table: str, cells: Cells, fields: Mapping[str, Field]) -> Iterator[FieldFault]:
    for name, cell in cells.items():
        if name in fields:
            continue
        if ctx.newer_than is not None and near(name, fields) is None:
            words = f"SONiC up to {ctx.newer_than} has no field {shorten(name)} here: its effect is unknown"
            yield FieldFault("device-unknown", cell, _NAME, words, "", "warning")
            continue
        refused = table in _REFUSING
        harm = (
            "orchagent refuses the whole row for it"
            if refused
            else "orchagent does nothing with it, and YANG refuses it"
        )
        if name == "POLL_INTERVAL" and table == "PFC_WD":
            harm, refused = "POLL_INTERVAL applies to the whole switch: it belongs in the row GLOBAL", True
        words = f"there is no field {shorten(name)} here; {harm}"
        if refused and ctx.release.assumed and near(name, fields) is None:
            words, refused = f"{words}, unless the switch runs a release later than those known here", False
        yield FieldFault("device-unknown", cell, _NAME, words, nearest(name, fields), "error" if refused else "warning")


def _find_refused(ctx: Context, cells: Mapping[str, Cell], fields: Mapping[str, Field]) -> Iterator[FieldFault]:
    for name, cell in cells.items():
        field = fields.get(name)
        if field is None or field.kind == "any":
            continue
        if field.kind == "refused" and (field.until is None or ctx.release.number > field.until):
            words = f"orchagent knows no {name}, though YANG does, and refuses the whole row for it"
            yield FieldFault("device-unknown", cell, _NAME, words, "leave the field out", "error")
            continue
        if cell.kind in _KINDS:
            text = cell.text or "value"
            words = f"{name}: {_KINDS[cell.kind].format(text.lower(), text)}, which SONiC refuses"
            yield FieldFault("device-value", cell, _VALUE, words, "write it in quotes: CONFIG_DB holds only text")
            continue
        if cell.kind == "list" and field.kind != "refs":
            words = f"{name} is a list, which CONFIG_DB holds under the name {name}@: orchagent does not find it"
            yield FieldFault("device-value", cell, _VALUE, words, f'write "{shorten(cell.text)}"')
        yield from _check_value(ctx, name, cell, field)


def _check_value(ctx: Context, name: str, cell: Cell, field: Field) -> Iterator[FieldFault]:
    text = cell.text
    sure = ctx.stated_release
    if field.since is not None and sure is not None and sure.number < field.since:
        words = f"SONiC {sure.name} has no field {name}, which came with {field.since}"
        yield FieldFault("device-unknown", cell, _NAME, words, "remove it, or run a later release")
    if field.kind == "mask":
        yield from _check_mask(ctx, name, cell)
    elif field.kind == "word" and text not in field.words:
        words = f"{name} {shorten(text)!r} is not one of {', '.join(field.words)}"
        yield FieldFault("device-value", cell, _VALUE, words, nearest(text, field.words) if len(text) < 64 else "")
    elif field.kind == "number" and text not in field.words:
        value = parse_number(text)
        if value is None:
            yield FieldFault("device-value", cell, _VALUE, f"{name} {shorten(text)!r} is not a whole number")
        elif value < field.low or (field.high is not None and value > field.high):
            bounds = f"{field.low} to {field.high}" if field.high is not None else f"{field.low} or more"
            yield FieldFault("device-value", cell, _VALUE, f"{name} {shorten(text)} is out of range: {bounds}")
    elif field.kind == "ref" and not text:
        words = f"{name} is empty: orchagent waits for a row of that name forever, and sets nothing on the port"
        yield FieldFault("device-value", cell, _VALUE, words, "leave the field out")


def _check_mask(ctx: Context, name: str, cell: Cell) -> Iterator[FieldFault]:
    text = cell.text
    if MASK.fullmatch(text) is None:
        read = ",".join(map(str, parse_priorities(text))) or "none"
        words = f"{name} {shorten(text)!r} is not a list of priorities: YANG refuses it, orchagent reads {read}"
        yield FieldFault(
            "device-value", cell, _VALUE, words, 'write single priorities with commas between, such as "3,4"'
        )
    elif not text and ctx.stated_release is not None and not ctx.stated_release.empty_mask:
        words = f"{name} is empty; SONiC {ctx.stated_release.name} refuses (YANG takes it from 202505)"
        yield FieldFault("device-value", cell, _VALUE, words, "leave the field out")


def _find_missing(ctx: Context, table: str, row: Row) -> Iterator[FieldFault]:
    if ctx.patch:
        return
    if (table, row.key) == _EVERYWHERE and "POLL_INTERVAL" not in row.cells:
        words = "POLL_INTERVAL is missing: YANG then refuses all timers; orchagent polls at 100 ms"
        yield FieldFault("device-value", None, _VALUE, words, "sudo pfcwd interval 100", "warning")
    for name, field in FIELDS.get(table, {}).items():
        if name in row.cells or not field.required:
            continue
        if row.get("headroom_type") == "dynamic":  # as `config buffer profile add --dynamic_th` writes it
            words = f"{name} is missing; buffermgrd computes it, but YANG, and so config apply-patch, refuses the row"
            yield FieldFault("device-value", None, _VALUE, words, severity="info")
        else:
            yield FieldFault("device-value", None, _VALUE, f"{name} is missing: the row is refused")
    if table == "PFC_WD" and row.key != "GLOBAL" and "detection_time" not in row.cells:
        words = "detection_time is missing: orchagent refuses the row, and no watchdog runs there"
        fix = f"sudo pfcwd start --action drop {quote(shorten(row.key))} 200 --restoration-time 400"
        yield FieldFault("device-value", None, _VALUE, words, fix)


def _check_together(table: str, cells: Cells) -> Iterator[FieldFault]:
    """What YANG asks of several fields of a row together."""

    def value_of(name: str) -> int:
        cell = cells.get(name)
        return (parse_number(cell.text) if cell is not None else None) or 0

    if table == "SCHEDULER":
        for name, base in (("pir", "cir"), ("cbs", "cir"), ("pbs", "pir")):
            if name in cells and not value_of(base):
                yield FieldFault("device-value", cells[name], _NAME, f"{name} needs {base} above 0 beside it")
        for name, base, unlimited in (("pir", "cir", ", which means no limit on the chip (SAI),"), ("pbs", "cbs", "")):
            if name not in cells or value_of(name) >= value_of(base) or parse_number(cells[name].text) is None:
                continue
            words, remedy = f"{name} {value_of(name)} is below {base} {value_of(base)}", ""
            if not value_of(name):
                words = f"{name} 0{unlimited} is below {base} {value_of(base)}: sonic-scheduler.yang refuses it"
                remedy = f"delete {name} if no limit is intended"
            yield FieldFault("device-value", cells[name], _VALUE, words, remedy)
    elif table == "WRED_PROFILE":
        for color in ("green", "yellow", "red"):
            low, high = f"{color}_min_threshold", f"{color}_max_threshold"
            if high in cells and low not in cells:
                yield FieldFault("device-value", cells[high], _NAME, f"{high} needs {low} beside it")
            elif color != "green" and high in cells and value_of(low) > value_of(high):
                words = f"{low} {value_of(low)} is above {high} {value_of(high)}: orchagent refuses the profile"
                yield FieldFault("device-value", cells[low], _VALUE, words)
    elif table == "BUFFER_POOL" and "size" in cells and "percentage" in cells:
        yield FieldFault("device-value", cells["percentage"], _NAME, "percentage and size exclude each other")


def _check_counters(ctx: Context) -> None:
    """The group of counters that the watchdog reads."""
    table = "FLEX_COUNTER_TABLE"
    for key, row in ctx.table(table).items():
        if key == _WATCHDOG:
            _check_all_fields(ctx, table, (row,), domain.WATCHDOG_COUNTERS)
        elif key == _MARKS:
            _check_all_fields(ctx, table, (row,), domain.MARK_COUNTERS)
        elif near(key, (_WATCHDOG,)) is not None:
            words = "there is no such group of counters: it does nothing"
            ctx.notes.report("device-unknown", table, key, row.at, words, f"did you mean {_WATCHDOG}?")
