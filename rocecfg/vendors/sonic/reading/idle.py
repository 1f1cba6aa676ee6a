"""What SONiC refuses of rows that nothing in use goes by: watchdogs of ports without PFC, WRED profiles of no class.

Of rows in use the rules on the model tell, with what it does to the fabric.
"""

from __future__ import annotations

from collections.abc import Container, Mapping

from rocecfg.vendors.sonic.domain import POLL, TIMES, WRED
from rocecfg.vendors.sonic.reading.context import Context, mask, number
from rocecfg.vendors.sonic.reading.rows import Row, shown

_GLOBAL = "GLOBAL"


def check_idle(ctx: Context, maps: Mapping[str, Row], marking: Container[str]) -> None:
    """Notes values out of range.

    `maps`: the rows of PORT_QOS_MAP by port; `marking`: the WRED profiles that packets in use are marked by.
    """
    _watchdogs(ctx, {port for port, row in maps.items() if mask(row.get("pfc_enable") or "")})
    for key, row in ctx.table("WRED_PROFILE").items():
        if key not in marking:
            _curve(ctx, row)


def _watchdogs(ctx: Context, paused: Container[str]) -> None:
    rows = ctx.table("PFC_WD")
    everywhere = rows.get(_GLOBAL)
    poll = number(everywhere.get("POLL_INTERVAL")) if everywhere is not None else None
    if everywhere is not None and not any(port in paused for port in rows):
        most = ctx.sure.poll_max if ctx.sure is not None else POLL[1]
        _number(ctx, "PFC_WD", everywhere, "POLL_INTERVAL", (POLL[0], most))
    for port, row in rows.items():
        if port == _GLOBAL or port in paused:
            continue
        for field, limits in TIMES.items():
            _number(ctx, "PFC_WD", row, field, limits)
            time = number(row.get(field))
            if time is not None and poll is not None and time < poll:
                words = f"{field} {time} is below POLL_INTERVAL {poll}: YANG refuses the configuration"
                ctx.notes.report(
                    "device-value", "PFC_WD", port, row.of(field), words, "times in ms, of one poll or more"
                )


def _curve(ctx: Context, row: Row) -> None:
    low, high = (number(row.get(f"green_{end}_threshold")) for end in ("min", "max"))
    for field, limits in WRED.items():
        _number(ctx, "WRED_PROFILE", row, field, limits)
    if low is not None and high is not None and low > high:
        words = f"green_min_threshold {low} is above green_max_threshold {high}: YANG refuses the configuration"
        ctx.notes.report("device-value", "WRED_PROFILE", row.key, row.of("green_min_threshold"), words)


def _number(ctx: Context, table: str, row: Row, field: str, limits: tuple[int, int]) -> None:
    value = number(row.get(field))
    if value is not None and not limits[0] <= value <= limits[1]:
        words = f"{field} {shown(str(value))} is out of range: {limits[0]} to {limits[1]}"
        ctx.notes.report("device-value", table, row.key, row.of(field), words)
