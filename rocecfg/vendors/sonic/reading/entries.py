"""Keys, entries of maps, lengths and lanes against what CONFIG_DB takes; what is written twice, or used by nothing."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping

from rocecfg.intent.values import nearest
from rocecfg.model import Span
from rocecfg.vendors.sonic import domain
from rocecfg.vendors.sonic.domain import NUMBERS
from rocecfg.vendors.sonic.reading.context import Context
from rocecfg.vendors.sonic.reading.rows import Row, parse_number, parse_priorities, shorten
from rocecfg.vendors.sonic.settings import FIELDS, MAPS, PFC_WD_GLOBAL

_LENGTH = re.compile(r"[0-9]+m")
_MORE_QUEUES = 202411  # first release with queues 8 and 9
_SIDES = {"dscp": "DSCP", "tc": "traffic class", "queue": "queue", "eight": "priority, queue or priority group"}


def check_entries(ctx: Context) -> None:
    """Notes what is wrong with keys, maps and lengths."""
    for table, (keys, values) in MAPS.items():
        for row in ctx.table(table).values():
            _check_map(ctx, table, row, keys, values)
    _check_keys(ctx)
    _check_cables(ctx)
    _check_speeds(ctx)
    _check_type(ctx)
    if not ctx.patch:  # which may take from one port what it gives to another
        _check_lanes(ctx)


def _check_keys(ctx: Context) -> None:
    """Keys that are a name."""
    for table in (*domain.NAMED_BY_PATTERN, *domain.NAMED_FREELY):
        for key, row in ctx.table(table).items():
            if table in domain.NAMED_FREELY:
                wrong = "the key has several parts, but keys of this table have one" if "|" in key else None
            else:
                wrong = "not a name that YANG accepts here: 1 to 32 letters, digits, - and _, a letter or digit first"
                wrong = wrong if domain.NAME.fullmatch(key) is None else None
            if wrong is not None:
                ctx.notes.report("device-value", table, key, row.at, wrong)


def _check_map(ctx: Context, table: str, row: Row, keys: str, values: str) -> None:
    """The entries of a map: whole numbers, plainly written, in the ranges of its two sides."""
    for name, cell in row.cells.items():
        for text, kind, at in ((name, keys, row.locate_name(cell)), (cell.text, values, row.locate_cell(cell))):
            low, high = NUMBERS[kind]
            if kind == "queue" and ctx.stated_release is not None and ctx.stated_release.number < _MORE_QUEUES:
                high = 7
            value = parse_number(text)
            if value is None or not low <= value <= high or str(value) != text or cell.kind not in ("text", "number"):
                words = f"{shorten(text)!r} is not a {_SIDES[kind]}: {low} to {high}"
                ctx.notes.report("device-value", table, row.key, at, words)


def _check_cables(ctx: Context) -> None:
    ports = ctx.table("PORT")
    for row in ctx.table("CABLE_LENGTH").values():
        for port, cell in row.cells.items():
            if ctx.ported and port not in ports:
                words = f"PORT has no {shorten(port)}, which YANG requires: the length applies to no port"
                at = row.locate_name(cell)
                ctx.notes.report("device-ref", "CABLE_LENGTH", row.key, at, words, severity=ctx.severity_of_absence)
            if _LENGTH.fullmatch(cell.text) is None:
                words = f"cable length {shorten(cell.text)!r} is not in whole metres"
                ctx.notes.report("device-value", "CABLE_LENGTH", row.key, row.locate_cell(cell), words, 'such as "40m"')


def _check_speeds(ctx: Context) -> None:
    """Speeds that no Ethernet has, which YANG takes; and ports of one LAG that differ in theirs."""
    ports = ctx.table("PORT")
    for key, row in ports.items():
        speed = parse_number(row.get("speed"))
        if speed is not None and speed > 0 and speed not in domain.SPEEDS:
            words = f"speed {speed} (Mbit/s) is not an Ethernet speed: orchagent refuses it"
            ctx.notes.report("device-value", "PORT", key, row.locate("speed"), words, "such as 100000 or 400000")
    first: dict[str, Row] = {}
    for key, row in ctx.table("PORTCHANNEL_MEMBER").items():
        lag, _, port = key.partition("|")
        member = ports.get(port)
        if member is None or parse_number(member.get("speed")) is None:
            continue
        other = first.setdefault(lag, member)
        if parse_number(other.get("speed")) != parse_number(member.get("speed")):
            words = (
                f"{shorten(port)} has speed {shorten(member.get('speed') or '')} and {shorten(other.key)}, of the "
                f"same LAG, {shorten(other.get('speed') or '')}: LACP bundles ports of one speed only, and the others "
                "stay out"
            )
            related = ((other.locate("speed"), "the other port"),)
            fix = "give all ports of a LAG one speed"
            ctx.notes.report("device-conflict", "PORTCHANNEL_MEMBER", key, row.at, words, fix, related=related)


def _check_type(ctx: Context) -> None:
    """The role of the switch, which YANG has a list of."""
    local = ctx.row("DEVICE_METADATA", "localhost")
    role = local.get("type") if local is not None else None
    if local is not None and role is not None and role not in domain.TYPES:
        words = f"type {shorten(role)!r} is not in SONiC's models: config apply-patch and replace refuse it"
        fix = nearest(role, domain.TYPES) or "such as ToRRouter or LeafRouter"
        ctx.notes.report(
            "device-value", "DEVICE_METADATA", local.key, local.locate("type"), words, fix, severity="warning"
        )


def _check_lanes(ctx: Context) -> None:
    """Rows of PORT that share a lane: one note, at the first of them."""
    local = ctx.row("DEVICE_METADATA", "localhost")
    hwsku = (local.get("hwsku") if local is not None else None) or ""
    meant = next((ports for sku, ports in domain.SHARED_LANES.items() if hwsku.startswith(sku)), ())
    if domain.ALL in meant:
        return
    first: dict[str, Row] = {}  # by lane
    shared: dict[str, tuple[Row, Row, list[str]]] = {}  # by port: its row, the other one, their lanes
    for key, row in ctx.table("PORT").items():
        if key in meant or row.get("role") in domain.INSIDE:  # the latter have numbers of their own
            continue
        for lane in (row.get("lanes") or "").replace(" ", "").split(","):
            other = first.setdefault(lane, row) if lane else row
            if other.key != key:
                shared.setdefault(key, (row, other, []))[2].append(lane)
    if not shared:
        return
    (row, other, lanes), *rest = shared.values()
    words = (
        f"lanes {','.join(lanes)} are {shorten(other.key)}'s too"
        if len(lanes) > 1
        else (f"lane {lanes[0]} is {shorten(other.key)}'s too")
    )
    more = f"; {len(rest)} more ports share lanes with another" if rest else ""
    help = "give each lane to one port: `show interfaces breakout` has the modes of a cage"
    related = ((other.locate("lanes"), "the other port"),)
    ctx.notes.report("schema-port-lanes", "PORT", row.key, row.locate("lanes"), words + more, help, related=related)


def check_repeats(ctx: Context, fields: Iterable[tuple[Span, str]]) -> None:
    """Tables, rows and fields that are written twice: the last one counts."""
    for table, key, first, again in ctx.space.repeated:
        what = "the row" if key else "the table"
        lost = "the first one is lost" if not key else "the last one counts"
        words = f"{what} is written twice, and {lost}"
        ctx.notes.report("device-conflict", table, key, again, words, "keep one", related=((first, "the first"),))
    for table, key, field, first, again in ctx.space.changed:
        words = f"{shorten(field)} is set twice, to different values, and the last one counts"
        ctx.notes.report("device-conflict", table, key, again, words, "keep one", related=((first, "the first"),))
    for at, name in fields:
        words = f"{shorten(name)} is written twice in one row, and the last one counts"
        ctx.notes.report("device-conflict", "a row", "", at, words, "keep one")


# -- rows that nothing in use goes by ----------------------------------------------------------------------------------


_GLOBAL = "GLOBAL"


def check_idle(ctx: Context, maps: Mapping[str, Row], marking: Container[str]) -> None:
    """Notes what SONiC refuses of watchdogs of ports without PFC, and of WRED profiles of no class.

    Of rows in use the rules on the model tell, with what it does to the fabric.
    `maps`: the rows of PORT_QOS_MAP by port; `marking`: the WRED profiles that packets in use are marked by.
    """
    _check_watchdogs(ctx, {port for port, row in maps.items() if parse_priorities(row.get("pfc_enable") or "")})
    for key, row in ctx.table("WRED_PROFILE").items():
        if key not in marking:
            _check_curve(ctx, row)


def _check_watchdogs(ctx: Context, paused: Container[str]) -> None:
    rows = ctx.table("PFC_WD")
    everywhere = rows.get(_GLOBAL)
    poll = parse_number(everywhere.get("POLL_INTERVAL")) if everywhere is not None else None
    if everywhere is not None and not any(port in paused for port in rows):
        least, most = PFC_WD_GLOBAL["POLL_INTERVAL"].modelled or (0, 0)
        most = ctx.stated_release.poll_max if ctx.stated_release is not None else most
        _check_number(ctx, "PFC_WD", everywhere, "POLL_INTERVAL", (least, most))
    for port, row in rows.items():
        if port == _GLOBAL or port in paused:
            continue
        for field, limits in _list_ranges("PFC_WD"):
            _check_number(ctx, "PFC_WD", row, field, limits)
            time = parse_number(row.get(field))
            if time is not None and poll is not None and time < poll:
                words = f"{field} {time} is below POLL_INTERVAL {poll}: YANG refuses the configuration"
                ctx.notes.report(
                    "device-value", "PFC_WD", port, row.locate(field), words, "times in ms, of one poll or more"
                )


def _check_curve(ctx: Context, row: Row) -> None:
    low, high = (parse_number(row.get(f"green_{end}_threshold")) for end in ("min", "max"))
    for field, limits in _list_ranges("WRED_PROFILE"):
        _check_number(ctx, "WRED_PROFILE", row, field, limits)
    if low is not None and high is not None and low > high:
        words = f"green_min_threshold {low} is above green_max_threshold {high}: YANG refuses the configuration"
        ctx.notes.report("device-value", "WRED_PROFILE", row.key, row.locate("green_min_threshold"), words)


def _list_ranges(table: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """The fields whose range rules on the model know too, for rows that the model does not have."""
    return ((name, field.modelled) for name, field in FIELDS[table].items() if field.modelled is not None)


def _check_number(ctx: Context, table: str, row: Row, field: str, limits: tuple[int, int]) -> None:
    value = parse_number(row.get(field))
    if value is not None and not limits[0] <= value <= limits[1]:
        words = f"{field} {shorten(str(value))} is out of range: {limits[0]} to {limits[1]}"
        ctx.notes.report("device-value", table, row.key, row.locate(field), words)
