"""Rows for lossless traffic on priorities without PFC: what is left where pfc_enable was emptied or lost.

PFC off deletes none of them: `config interface pfc priority PORT N off` writes pfc_enable alone, and buffermgrd makes
rows of BUFFER_PG for what is on, and keeps those that are there.
"""

from __future__ import annotations

from collections.abc import Mapping

from rocecfg.model import RunningGroup, RunningLeft, Span
from rocecfg.vendors.sonic.reading.context import Context, mask, target
from rocecfg.vendors.sonic.reading.rows import Row

_PRIORITIES = range(8)
_NOT_MARKING = (None, "ecn_none")


def left(
    ctx: Context,
    qos: Row | None,
    dog: Row | None,
    enabled: tuple[int, ...],
    groups: Mapping[int, RunningGroup],
    queues: Mapping[int, tuple[Row | None, Row | None]],
) -> RunningLeft | None:
    """The lossless rows of a port on priorities that are not `enabled`; None: no such row, or PFC is not known.

    `qos`, `dog`: its rows of PORT_QOS_MAP and PFC_WD; `groups`, `queues`: by number, as BUFFER_PG and QUEUE have them.
    """
    if not ctx.whole and (qos is None or (ctx.patch and "pfc_enable" not in qos.cells)):
        return None  # another part of the configuration may turn PFC on
    watched = mask(qos.get("pfcwd_sw_enable") or "") if qos is not None and dog is not None else ()
    rows = []
    first: Span | None = None
    for n in _PRIORITIES:
        if n in enabled:
            continue
        group, (_, wred) = groups.get(n), queues.get(n, (None, None))
        if group is not None and group.lossless:
            rows.append(("BUFFER_PG", n, group.profile or ""))
            at = group.at("profile")
            first = first or (at if isinstance(at, Span) else None)
        if wred is not None and (name := _marks(ctx, wred)) is not None:
            rows.append(("QUEUE", n, name))
        if n in watched:
            rows.append(("pfcwd_sw_enable", n, ""))
    if not rows:
        return None
    at = qos.of("pfc_enable") if qos is not None else first or ctx.at
    return RunningLeft(_why(qos), tuple(rows), {"": at, "rows": first or at})


def _why(qos: Row | None) -> str:
    if qos is None:
        return "PORT_QOS_MAP has no row for it"
    stated = qos.get("pfc_enable")
    if stated is None:
        return "its row of PORT_QOS_MAP has no pfc_enable"
    return f"pfc_enable is {stated}" if mask(stated) else "pfc_enable is empty"


def _marks(ctx: Context, queue: Row) -> str | None:
    """The WRED profile of a row of QUEUE, if it marks."""
    name = target(queue.get("wred_profile") or "", "WRED_PROFILE")
    row = ctx.row("WRED_PROFILE", name)
    return name if row is not None and row.get("ecn") not in _NOT_MARKING else None
