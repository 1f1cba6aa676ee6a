"""Rows of a line card for ports of other cards: its virtual output queues, in which its own traffic to them waits.

orchagent binds WRED and buffer profiles to the VOQ of each system port (sonic-swss e6b0c5b5, applyWredProfileToQueue of
qosorch.cpp, processQueue of bufferorch.cpp); the scheduler is the other card's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rocecfg.core.records import NamedTuple
from rocecfg.model import Span
from rocecfg.model.stated import OFF
from rocecfg.model.switch import TCS, Chain, Port
from rocecfg.vendors.sonic.reading.buffers import Buffers
from rocecfg.vendors.sonic.reading.context import Context, parse_indexes, referenced_name
from rocecfg.vendors.sonic.reading.indexed import Entry, NumberedRows, RowsByPort
from rocecfg.vendors.sonic.reading.queues import Queues
from rocecfg.vendors.sonic.reading.rows import Row, shorten

_WAITS = "traffic to that card waits in this card's queue for the port"
_OTHERS = "rows for ports of other line cards are checked for marking and buffers, but not compared"


class _Own(NamedTuple):
    """A lossless queue as the card's own ports have it."""

    priority: int
    marked: Row | None  # the row of QUEUE by which it is marked
    bound: bool  # a row of BUFFER_QUEUE is for it


def check_other_cards(
    ctx: Context, indexed: RowsByPort, ports: Sequence[Port], chain: Chain, queues: Queues, buffers: Buffers
) -> None:
    """Notes lossless queues for ports of other cards that mark or keep less than those for the card's own ports do."""
    own = _list_own_queues(indexed, ports, chain) if indexed.elsewhere else {}
    for name, entries in indexed.elsewhere.items():
        rows = indexed.rows_by_number((name,))
        for table, _, row in entries:
            ctx.notes.report("device-unread", table, row.key, row.at, _OTHERS)
        for table, one, other, row in rows.overlaps:
            words = (
                f"rows {one} and {other} of one port overlap: when one is deleted, orchagent removes the settings "
                "of both"
            )
            ctx.notes.report("sonic-overlap", table, row.key, row.at, words)
        for q, known in own.items():
            _check_marking(ctx, q, known, rows, entries, queues)
            _check_buffer(ctx, q, known, rows, entries, buffers)


def _list_own_queues(indexed: RowsByPort, ports: Sequence[Port], chain: Chain) -> dict[int, _Own]:
    """The queues that lossless packets are sent from; those of ports without PFC are not looked at."""
    out: dict[int, _Own] = {}
    for port in ports:
        rows = indexed.rows_by_number(port.names)
        for tc in TCS:
            way = port.chain or chain
            priority, q = way.priority[tc].value, way.queue[tc].value
            if priority not in port.pfc or q not in TCS:
                continue
            ecn = port.queues.get(q, {}).get("ecn")
            marked = rows.queues.get(q, (None, None))[1] if ecn is not None and ecn.value is not OFF else None
            before = out.get(q, _Own(priority, None, bound=False))
            out[q] = _Own(priority, before.marked or marked, before.bound or q in rows.egress)
    return out


def _locate(entries: Iterable[Entry], table: str, q: int) -> tuple[str, Span]:
    """Key and place of the row that is for a queue, or of the port's first row of the table, or of its first one."""
    listed = list(entries)
    for fits in (
        lambda entry: entry[0] == table and q in (parse_indexes(entry[1]) or ()),
        lambda entry: entry[0] == table,
    ):
        found = next(filter(fits, listed), None)
        if found is not None:
            return found[2].key, found[2].at
    return listed[0][2].key, listed[0][2].at


def _check_marking(
    ctx: Context, q: int, own: _Own, rows: NumberedRows, entries: Sequence[Entry], queues: Queues
) -> None:
    if own.marked is None or not ctx.has("QUEUE"):
        return  # what is marked nowhere is told of the card's own ports
    key, at = _locate(entries, "QUEUE", q)
    wred = rows.queues.get(q, (None, None))[1]
    marking = queues.find_marking(wred) if wred is not None else None
    if wred is None or (marking is not None and marking.ecn.value is OFF):
        words = (
            f"queue {q} is lossless (priority {own.priority}), but no WRED profile marks it here, unlike on this "
            f"card's own ports: {_WAITS}, and PFC is the first reaction to congestion there"
        )
        ctx.notes.report("ecn-missing", "QUEUE", key, at, words, "bind the WRED profile of this card's own ports")
        return
    if marking is not None and marking.discards:
        words = f"WRED drops on queue {q}, which is lossless (priority {own.priority}): {_WAITS}, and is dropped there"
        ctx.notes.report("ecn-red-drop", "QUEUE", key, wred.locate("wred_profile"), words)
    mine, theirs = own.marked.get("wred_profile") or "", wred.get("wred_profile") or ""
    if marking is not None and queues.find_marking(own.marked) != marking:
        words = (
            f"queue {q} has WRED profile {shorten(referenced_name(theirs, 'WRED_PROFILE'))} here, and "
            f"{shorten(referenced_name(mine, 'WRED_PROFILE'))} for this card's own ports: only that one is checked"
        )
        ctx.notes.report("device-unread", "QUEUE", key, wred.locate("wred_profile"), words)


def _check_buffer(
    ctx: Context, q: int, own: _Own, rows: NumberedRows, entries: Sequence[Entry], buffers: Buffers
) -> None:
    row = rows.egress.get(q)
    if row is None:
        if own.bound:
            key, at = _locate(entries, "BUFFER_QUEUE", q)
            words = (
                f"lossless queue {q} (priority {own.priority}) of this port has no row: {_WAITS}, and its limit "
                "depends on the chip"
            )
            ctx.notes.report("buffer-lossy-queue", "BUFFER_QUEUE", key, at, words, severity="warning")
        return
    profile = buffers.find_lossy(row)
    if profile is not None:
        words = (
            f"queue {q}, which is lossless (priority {own.priority}), has buffer profile {shorten(profile)}, which is "
            f"for lossy traffic: {_WAITS}, and is dropped at its limit"
        )
        ctx.notes.report("buffer-lossy-queue", "BUFFER_QUEUE", row.key, row.locate("profile"), words)
