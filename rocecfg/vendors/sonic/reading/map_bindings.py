"""Maps that ports bind: their names, and what is wrong with them that the model of the chain does not show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rocecfg.core.records import NamedTuple
from rocecfg.model.stated import Val
from rocecfg.model.switch import TCS, Chain
from rocecfg.vendors.sonic.reading.context import Context
from rocecfg.vendors.sonic.reading.rows import Row
from rocecfg.vendors.sonic.settings import BINDINGS

_OF_CLASSES, _OF_PFC = ("tc_to_queue_map", "tc_to_pg_map"), ("pfc_to_queue_map", "pfc_to_pg_map")
_HARM = {"pfc_to_queue_map": "which queue a pause stops", "pfc_to_pg_map": "for which priority a group pauses"}
USUAL = "AZURE"  # the name of stock maps

Bound = tuple[str | None, ...]  # names of maps, in the order of BINDINGS
MapEntries = dict[int, Val]  # from -> to


class Binding(NamedTuple):
    """A row of PORT_QOS_MAP, for how many ports it is."""

    row: Row
    ports: int
    pfc: tuple[int, ...]


def check_completeness(
    ctx: Context, tables: Mapping[str, str | None], found: Mapping[str, MapEntries], used: Iterable[int]
) -> None:
    """Maps in force that do not say where some of what is mapped goes."""
    dscps = [d for d in range(64) if d not in found["dscp_to_tc_map"]]
    for field, missing, what in (
        ("dscp_to_tc_map", dscps, "DSCP"),
        ("tc_to_queue_map", [tc for tc in sorted(used) if tc not in found["tc_to_queue_map"]], "traffic class"),
        ("tc_to_pg_map", [tc for tc in sorted(used) if tc not in found["tc_to_pg_map"]], "traffic class"),
    ):
        name = tables[field]
        row = ctx.row(BINDINGS[field], name) if name is not None else None
        if row is None or not missing or ctx.patch:
            continue
        to = {"dscp_to_tc_map": "traffic class", "tc_to_queue_map": "queue"}.get(field, "priority group")
        words = (
            f"no entry for {what} {_format_runs(missing)}: packets go where the chip sends them by default, "
            f"usually {to} 0"
        )
        # rows are merged on the switch, which may have the rest of the map
        severity = "warning" if ctx.ported else "info"
        ctx.notes.report(
            "mix-map-total", BINDINGS[field], row.key, row.at, words, "write all of them", severity=severity
        )


def check_maps_bound(ctx: Context, bindings: Iterable[Binding], maps: Mapping[int, Bound]) -> None:
    """Ports with PFC that bind no map to queues or priority groups: of those of PFC, none that other ports bind."""
    known = [(binding, dict(zip(BINDINGS, maps[id(binding)], strict=True))) for binding in bindings]
    bound = {field for binding, named in known for field in _OF_PFC if binding.pfc and named[field] is not None}
    if ctx.table(BINDINGS[_OF_PFC[0]]):  # which stock templates have, and bind, on all chips
        bound.add(_OF_PFC[0])
    for binding, named in known if ctx.whole else ():
        due = [*_OF_CLASSES, *(field for field in _OF_PFC if field in bound and field not in binding.row.cells)]
        lacking = [field for field in due if named[field] is None]
        if lacking and binding.pfc:
            row = binding.row
            harm = _HARM.get(lacking[0], "where packets go")
            words = f"PFC is on, but no {' and no '.join(lacking)} is bound: {harm} depends on the chip"
            fix = f"bind {' and '.join(f'{field} {USUAL}' for field in lacking)}"
            ctx.notes.report("mix-tc-chain", "PORT_QOS_MAP", row.key, row.at, words, fix, severity="warning")


def check_pfc_maps(
    ctx: Context, chain: Chain, stopped: tuple[Val, ...], pausing: tuple[Val, ...], enabled: Iterable[int]
) -> None:
    """Lossless traffic classes that pauses do not act on: the maps of PFC lead to another queue or group."""
    for tc in TCS:
        priority = chain.priority[tc].value
        if priority not in enabled:
            continue
        queue, group = chain.queue[tc], chain.group[tc]
        # where the map leads a priority to its own number, rules on the model see what is wrong
        if stopped[priority].value not in (queue.value, priority):
            words = (
                f"a pause of priority {priority} stops queue {stopped[priority].value}, but TC {tc} is sent from "
                f"queue {queue.value}: it keeps sending into a full peer"
            )
            ctx.notes.report("mix-tc-chain", "MAP_PFC_PRIORITY_TO_QUEUE", "", stopped[priority].at, words, _IDENTITY)
        if pausing[priority].value not in (group.value, priority) and group.value != 0:
            words = (
                f"priority {priority} pauses for group {pausing[priority].value}, but TC {tc} fills group {group.value}"
                ": no pause is sent when these packets fill the buffer"
            )
            table = "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"
            ctx.notes.report("mix-tc-chain", table, "", pausing[priority].at, words, _IDENTITY)


_IDENTITY = "map each number to itself: SONiC's buffer manager and watchdog assume it"


def check_tags(ctx: Context, found: MapEntries, chain: Chain, enabled: Iterable[int]) -> None:
    """Ports that trust 802.1p: a sender marks frames with the value that it takes pauses for."""
    for value, tc in sorted(found.items()):
        if value in TCS and tc.value in TCS and chain.priority[tc.value].value in enabled:
            priority = chain.priority[tc.value].value
            if value != priority:
                words = (
                    f"802.1p value {value} maps to TC {tc.value}, which is paused as priority {priority}: the sender "
                    f"obeys only pauses of {value}, and keeps sending"
                )
                ctx.notes.report("mix-tc-chain", "DOT1P_TO_TC_MAP", "", tc.at, words, "map it to itself")


def _format_runs(numbers: list[int]) -> str:
    runs: list[list[int]] = []
    for n in numbers:
        if runs and runs[-1][1] == n - 1:
            runs[-1][1] = n
        else:
            runs.append([n, n])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)
