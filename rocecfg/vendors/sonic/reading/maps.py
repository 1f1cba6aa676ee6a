"""How packets are sorted: from the maps that ports bind to one chain for the switch.

Ports may bind different maps: the chain of the switch is that of most ports with PFC, and ports that sort otherwise
have a chain of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from rocecfg.core.records import NamedTuple
from rocecfg.model import Span
from rocecfg.model.stated import Val
from rocecfg.model.switch import TCS, Chain
from rocecfg.vendors.sonic.reading import map_bindings as bound_maps
from rocecfg.vendors.sonic.reading.context import Context, referenced_name
from rocecfg.vendors.sonic.reading.map_bindings import USUAL, Binding, Bound, MapEntries
from rocecfg.vendors.sonic.reading.rows import Row, parse_number, shorten
from rocecfg.vendors.sonic.settings import BINDINGS

_PFC_FIRST = 1000  # a port with PFC counts for so many without
_UNJUDGED = ("dot1p_to_tc_map", "tc_to_dscp_map")  # those of most ports stand for all


class Sorting(NamedTuple):
    """The chain, and what else the maps in force say."""

    chain: Chain
    remarks: tuple[tuple[int, int], ...]  # traffic class -> DSCP written into what is sent
    remarks_at: Span | None  # where that is said
    used: frozenset[int]  # traffic classes that packets are sorted into, or that PFC is on for
    maps: Bound = ()  # those of most ports
    enabled: tuple[int, ...] = ()  # priorities that PFC is on for, on some port


def find_maps(ctx: Context, row: Row) -> Bound:
    """The maps of a port: its own, and the switch's where it binds none of its own for DSCPs."""
    names = [referenced_name(row.get(field) or "", table) or None for field, table in BINDINGS.items()]
    everywhere = ctx.row("PORT_QOS_MAP", "global")
    if names[0] is None and everywhere is not None and "dscp_to_tc_map" in everywhere.cells:
        names[0] = referenced_name(everywhere.cells["dscp_to_tc_map"].text, "DSCP_TO_TC_MAP")
    return tuple(names)


def find_trust(maps: Bound) -> str:
    """What a port that binds these maps classifies by."""
    return "dscp" if maps[0] is not None else "pcp" if maps[1] is not None else "none"


def find_sorting(ctx: Context, bindings: Sequence[Binding]) -> Sorting:
    """The chain that the maps of most ports with PFC make; where no port binds any, those that are defined."""
    maps = {id(binding): find_maps(ctx, binding.row) for binding in bindings}
    enabled = dict.fromkeys(n for binding in bindings for n in binding.pfc)
    if not bindings:
        return _make_sorting(ctx, _list_defined_maps(ctx), None, enabled, None)
    chosen = _majority_maps(bindings, maps)
    for n, field in enumerate(BINDINGS):
        if field in _UNJUDGED:
            _note_differing(ctx, field, n, chosen[n], bindings, maps)
    trusted = {find_trust(m) for m in maps.values()}
    how = next(word for word in ("dscp", "pcp", "none") if word in trusted)
    bound_maps.check_maps_bound(ctx, bindings, maps)
    first = max(bindings, key=lambda b: (bool(b.pfc), b.ports))
    return _make_sorting(ctx, chosen, first, enabled, how, tagged="pcp" in trusted)


def _majority_maps(bindings: Sequence[Binding], maps: Mapping[int, Bound]) -> Bound:
    """The maps of most ports, those with PFC before others; of a kind that these do not bind, that of most that do."""

    def pick_majority(names: Iterable[tuple[Binding, Hashable]]) -> Any:
        votes: Counter[Hashable] = Counter()
        for binding, name in names:
            if name is not None:
                votes[name] += binding.ports * (_PFC_FIRST if binding.pfc else 1)
        return votes.most_common(1)[0][0] if votes else None

    usual = [pick_majority((b, maps[id(b)][n]) for b in bindings) for n in range(len(BINDINGS))]
    whole = ((b, tuple(name or other for name, other in zip(maps[id(b)], usual, strict=True))) for b in bindings)
    found: Bound = pick_majority(whole)
    return found


def find_own_chains(ctx: Context, usual: Sorting, bindings: Iterable[Binding]) -> dict[int, Chain]:
    """The chains of rows of PORT_QOS_MAP that sort otherwise than `usual`, by the identity of their cells.

    For a map that is not bound, or not there, that of most ports stands in: that is told as such.
    """
    out: dict[int, Chain] = {}
    known: dict[Bound, Chain | None] = {}
    for binding in bindings:
        maps = find_maps(ctx, binding.row)
        if maps not in known:
            known[maps] = _find_own_chain(ctx, usual, maps, binding) if maps != usual.maps else None
        chain = known[maps]
        if chain is not None:
            out[id(binding.row.cells)] = chain
    return out


def list_used_queues(chain: Chain, enabled: Iterable[int]) -> tuple[int, ...]:
    """The queues that packets are sent from, on ports that sort by a chain of their own and pause these priorities."""
    return tuple(sorted({chain.queue[tc].value for tc in _used_classes(chain, enabled)}))


def list_used_groups(chain: Chain) -> frozenset[int] | None:
    """The priority groups that packets are sorted into by their mark; None: where some go is not known."""
    marked = {val.value for val in (*chain.dscp, *chain.tags)}
    if not marked.intersection(TCS):
        return None
    return frozenset(chain.group[tc].value for tc in marked if tc in TCS)


def _used_classes(chain: Chain, enabled: Iterable[int]) -> set[int]:
    """The traffic classes that packets are sorted into, or that are paused."""
    paused = set(enabled)
    sorted_into = {val.value for val in (*chain.dscp, *chain.tags) if val.value in TCS}
    return sorted_into | {tc for tc in TCS if chain.priority[tc].value in paused}


def _find_own_chain(ctx: Context, usual: Sorting, maps: Bound, binding: Binding) -> Chain | None:
    tables = {
        field: name if name is not None and ctx.row(table, name) is not None else other
        for (field, table), name, other in zip(BINDINGS.items(), maps, usual.maps, strict=True)
    }
    found = {field: _parse_entries(ctx, table, tables[field]) for field, table in BINDINGS.items()}
    how = find_trust(maps) if find_trust(maps) != "none" else "dscp"
    enabled = dict.fromkeys(usual.enabled)
    chain = _make_chain(ctx, tables, found, binding.row.at, how, enabled, tagged=bool(usual.chain.tags))
    if _chain_values(chain) == _chain_values(usual.chain):
        return None
    own = {field: name if name != usual.maps[n] else None for n, (field, name) in enumerate(tables.items())}
    bound_maps.check_completeness(ctx, own, found, _used_classes(chain, binding.pfc))
    stopped, pausing = (
        _complete_entries(found[of], binding.row.at, same=True) for of in ("pfc_to_queue_map", "pfc_to_pg_map")
    )
    bound_maps.check_pfc_maps(ctx, chain, stopped, pausing, binding.pfc)
    return chain


def _chain_values(chain: Chain) -> list[list[object]]:
    return [[val.value for val in part] for part in chain]


def _list_defined_maps(ctx: Context) -> Bound:
    """The maps of a text in which no port binds any: of each table the usual one, or the first."""
    names = []
    for table in BINDINGS.values():
        rows = ctx.table(table)
        names.append(USUAL if USUAL in rows else next(iter(rows), None))
    return (*names[:-1], None)


def _note_differing(
    ctx: Context, field: str, n: int, chosen: str | None, bindings: Iterable[Binding], maps: Mapping[int, Bound]
) -> None:
    for binding in bindings:
        name = maps[id(binding)][n]
        if name is not None and name != chosen and _map_texts(ctx, field, name) != _map_texts(ctx, field, chosen):
            words = f"{field} {shorten(name)} is not that of most ports, {shorten(chosen or '')}: it is not checked"
            ctx.notes.report("device-unread", "PORT_QOS_MAP", binding.row.key, binding.row.locate(field), words)


def _map_texts(ctx: Context, field: str, name: str | None) -> dict[str, str]:
    row = ctx.row(BINDINGS[field], name) if name is not None else None
    return dict(row.cells.texts) if row is not None else {}


def _make_sorting(
    ctx: Context,
    maps: Bound,
    binding: Binding | None,
    enabled: Mapping[int, None],
    how: str | None,
    *,
    tagged: bool = False,
) -> Sorting:
    """`how`: what ports classify by; None: the text does not say. `tagged`: some go by 802.1p."""
    at = binding.row.at if binding is not None else ctx.at
    tables = dict(zip(BINDINGS, maps, strict=True))
    found = {field: _parse_entries(ctx, table, tables[field]) for field, table in BINDINGS.items()}
    chain = _make_chain(ctx, tables, found, at, how, enabled, tagged=tagged)
    _note_high_classes(ctx, tables["dscp_to_tc_map"], found["dscp_to_tc_map"], how)
    used = _used_classes(chain, enabled)
    bound_maps.check_completeness(ctx, tables, found, used)
    stopped, pausing = (
        _complete_entries(found[field], at, same=True) for field in ("pfc_to_queue_map", "pfc_to_pg_map")
    )
    bound_maps.check_pfc_maps(ctx, chain, stopped, pausing, enabled)
    if how == "pcp":
        bound_maps.check_tags(ctx, found["dot1p_to_tc_map"], chain, enabled)
    remarks = tuple((tc, val.value) for tc, val in sorted(found["tc_to_dscp_map"].items()) if tc in TCS)
    written = ctx.row("TC_TO_DSCP_MAP", tables["tc_to_dscp_map"] or "")
    remarks_at = (written.at if written is not None else at) if remarks else None
    return Sorting(chain, remarks, remarks_at, frozenset(used), maps, tuple(enabled))


def _make_chain(
    ctx: Context,
    tables: Mapping[str, str | None],
    found: Mapping[str, MapEntries],
    at: Span,
    how: str | None,
    enabled: Mapping[int, None],
    *,
    tagged: bool,
) -> Chain:
    """The chain that maps make; `at`: where a map is intended to be named that is not there."""
    nowhere = at if ctx.whole else ctx.at  # a map that a part of a configuration lacks may stand in another
    places = {
        field: row.at if (row := ctx.row(table, tables[field] or "")) is not None else nowhere
        for field, table in BINDINGS.items()
    }
    queue = _complete_entries(found["tc_to_queue_map"], places["tc_to_queue_map"])
    group = _complete_entries(found["tc_to_pg_map"], places["tc_to_pg_map"])
    stopped = _complete_entries(found["pfc_to_queue_map"], places["pfc_to_queue_map"], same=True)
    pausing = _complete_entries(found["pfc_to_pg_map"], places["pfc_to_pg_map"], same=True)
    return Chain(
        _classes_of_dscps(ctx, tables["dscp_to_tc_map"], found["dscp_to_tc_map"], at, how),
        queue,
        group,
        _priorities_of_classes(queue, group, stopped, pausing, enabled),
        _classes_of_tags(ctx, tables, found["dot1p_to_tc_map"]) if tagged else (),
        _blank_unmapped(found["pfc_to_queue_map"], stopped),
        _blank_unmapped(found["pfc_to_pg_map"], pausing),
    )


def _blank_unmapped(found: MapEntries, through: tuple[Val, ...]) -> tuple[Val, ...]:
    """Where numbers lead; None where a map has no entry for one: SAI does not say where it goes then."""
    return tuple(val if n in found or not found else Val(None, val.at) for n, val in enumerate(through))


def _parse_entries(ctx: Context, table: str, name: str | None) -> MapEntries:
    """The entries of a map that are numbers; none of one that is not there."""
    row = ctx.row(table, name) if name is not None else None
    if row is None:
        return {}
    entries = ((parse_number(key), parse_number(cell.text), cell) for key, cell in row.cells.items())
    return {
        k: Val(v, row.locate_cell(cell)) for k, v, cell in entries if k is not None and v is not None and 0 <= v < 64
    }


def _classes_of_dscps(ctx: Context, name: str | None, found: MapEntries, at: Span, how: str | None) -> tuple[Val, ...]:
    """The traffic class of each code point; None where the text does not say, or nobody looks at it."""
    row = ctx.row("DSCP_TO_TC_MAP", name) if name is not None else None
    if row is None:
        unsorted = Val(0 if how == "none" and ctx.whole else None, at)
        return (unsorted,) * 64
    if how == "pcp":
        return (Val(None, row.at),) * 64
    elsewhere = Val(0, row.at)
    known = (found.get(dscp, elsewhere) for dscp in range(64))
    return tuple(val if val.value in TCS else Val(None, val.at) for val in known)


def _note_high_classes(ctx: Context, name: str | None, found: MapEntries, how: str | None) -> None:
    """Notes traffic classes that nothing here has a place for."""
    row = ctx.row("DSCP_TO_TC_MAP", name) if name is not None else None
    high = sorted({val.value for val in found.values() if val.value not in TCS})
    if row is not None and how != "pcp" and high:
        words = f"traffic class {', '.join(map(str, high))} is above 7: packets mapped to it are not checked"
        ctx.notes.report("device-unread", "DSCP_TO_TC_MAP", row.key, row.at, words)


def _classes_of_tags(ctx: Context, tables: Mapping[str, str | None], found: MapEntries) -> tuple[Val, ...]:
    """The traffic class of each 802.1p value; nothing where the map is not in the text."""
    row = ctx.row(BINDINGS["dot1p_to_tc_map"], tables["dot1p_to_tc_map"] or "")
    if row is None:
        return ()
    sorted_to = (found.get(value) or Val(0, row.at) for value in TCS)
    return tuple(val if val.value in TCS else Val(None, val.at) for val in sorted_to)


def _complete_entries(found: MapEntries, at: Span, *, same: bool = False) -> tuple[Val, ...]:
    """Where each of eight numbers leads: as mapped; without a map to itself, and past its entries to 0, or itself."""
    return tuple(found.get(n) or Val(n if same or not found else 0, at) for n in TCS)


def _priorities_of_classes(
    queue: tuple[Val, ...],
    group: tuple[Val, ...],
    stopped: tuple[Val, ...],
    pausing: tuple[Val, ...],
    enabled: Iterable[int],
) -> tuple[Val, ...]:
    """The PFC priority of each traffic class: its own number, but where both maps of PFC agree on another."""
    out = []
    for tc in TCS:
        fits = [p for p in TCS if stopped[p].value == queue[tc].value and pausing[p].value == group[tc].value]
        own = stopped[tc].value == queue[tc].value or not fits or tc in enabled
        out.append(Val(tc, queue[tc].at) if own else Val(fits[0], stopped[fits[0]].at))
    for priority in enabled:
        if all(val.value != priority for val in out):
            out[priority] = Val(priority, queue[priority].at)
    return tuple(out)
