"""From rows that run and rows that are to run to the steps between: the one planner of patch, drift and plan.

What is referred to comes first (`difference.ORDER`), neighbours that are applied alike are one step, and ports for
which one of the dangers of `safe` would stand between two steps are down meanwhile (`held`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device
from rocecfg.model.facts import WATCHDOG_STOPPED
from rocecfg.profiles.systems import tell_errata
from rocecfg.vendors.changes import HITLESS, PORT_FLAP, Step
from rocecfg.vendors.sonic import commands, gate, looked_up, stock
from rocecfg.vendors.sonic.change import held, safe
from rocecfg.vendors.sonic.change.difference import (
    ORDER,
    Operation,
    apply_operations,
    operations_of,
    table_of,
    unescape,
)
from rocecfg.vendors.sonic.change.tables import Row, Table, Tables
from rocecfg.vendors.sonic.change.written import write_commands
from rocecfg.vendors.sonic.procedure import PROCEDURE
from rocecfg.vendors.sonic.release import FIRST_PATCHED, Release
from rocecfg.vendors.sonic.settings import SORTING

FLAPPING = ("BUFFER_PG", "BUFFER_QUEUE", "PORT_QOS_MAP", "QUEUE")  # of a port: apply-patch shuts it for a change
_BY_KEY = ("CABLE_LENGTH", *SORTING.values())  # tables whose fields are ports and numbers
_APPLY = "sudo config apply-patch FILE (try it with -d first)"
_WRITE = "run it on the switch: like config load, it writes CONFIG_DB without validation"
_DOWN = "the ports are down until a later step starts them"
_SHUT = "apply-patch shuts a port that is up before it changes its queues, priority groups or maps"
_SETTLE = "sleep 5  # until orchagent has taken the deletions: what is pending together is worked off port by port"
_ACTIONS = (
    "if the SDK ends pause storms in hardware, one action applies to all ports, and orchagent refuses another one "
    "while any port is watched: all are stopped, then started as intended; for some seconds no pause storm is ended"
)
_FORCED = (
    "the watchdog's emergency drop ends, and its field is removed first: YANG refuses every patch with it; the row "
    "needs another field, since orchagent crashes when PFC_WD|GLOBAL is deleted (sonic-swss 4760)"
)


class SwitchState(NamedTuple):
    """What decides how rows can be changed."""

    release: Release
    device: Device
    config: Tables  # what runs
    own: frozenset[str] = frozenset()  # keys of BUFFER_PG that are rendered, and not left to the switch
    down: frozenset[str] = frozenset()  # ports that are taken down for the change

    @property
    def traditional(self) -> bool:
        """Whether headroom is looked up by speed and cable length."""
        return looked_up.is_traditional(self.config, self.device)

    @property
    def sku(self) -> str | None:
        """The HwSKU that the switch says, or the intent."""
        return self.config.get("DEVICE_METADATA", {}).get("localhost", {}).get("hwsku") or self.device.hwsku

    @property
    def chip(self) -> str | None:
        """What the gate of apply-patch takes the switch for; None: it does not list its HwSKU."""
        return gate.chip_of(self.sku, self.device.asic.name if self.device.asic is not None else None, self.release)


class _Way(NamedTuple):
    refused: str | None
    mark: str
    why: str


class _Piece(NamedTuple):
    """Neighbouring operations that are applied alike, on what runs before."""

    way: _Way
    operations: list[Operation]
    config: Tables


def with_save(made: Sequence[Step]) -> tuple[Step, ...]:
    """Steps that end with a save: one, since before it a reboot brings back the whole of what was saved, not a half."""
    return (*made[:-1], *(step._replace(save=commands.SAVE) for step in made[-1:]))


def plan_steps(switch: SwitchState, target: Tables) -> tuple[Step, ...]:
    """The steps from what runs to `target`, from the difference of the two alone."""
    done: list[Step] = []
    if _ends_forced_drop(switch.config, target):
        done.append(Step("run it on the switch", HITLESS, _FORCED, commands.END_FORCED_DROP))
        switch = switch._replace(config=_without_forced_drop(switch.config))
    between = _with_actions_that_run(switch, target)
    done += [_make_step(each) if isinstance(each, _Piece) else each for each in _plan_pieces(switch, between)]
    if between is not target:
        done.append(_change_actions(switch.device, between, target))
    return with_save(done)


def list_refused(switch: SwitchState, target: Tables) -> list[Operation]:
    """The operations of a change that apply-patch does not take, of this release and HwSKU."""
    pieces = [each for each in _plan_pieces(switch, _with_actions_that_run(switch, target)) if isinstance(each, _Piece)]
    return [operation for piece in pieces if piece.way.refused is not None for operation in piece.operations]


def list_refused_as_one(switch: SwitchState, operations: Sequence[Operation]) -> list[Operation]:
    """The operations of patches that apply-patch does not take once they are one patch."""
    removed = [_get_removed(switch, operation) for operation in operations if operation["op"] == "remove"]
    paths = set(gate.find_refusals(operations, removed, switch.release, switch.chip))
    return [operation for operation in operations if operation["path"] in paths]


def _get_removed(switch: SwitchState, operation: Operation) -> object:
    """What runs where an operation removes."""
    value: object = switch.config
    for part in str(operation["path"]).split("/")[1:]:
        value = value.get(unescape(part)) if isinstance(value, dict) else None
    return value


def is_refused_as_move(switch: SwitchState, operation: Operation) -> bool:
    """Whether a refused operation is so only since an equal value goes elsewhere in the same patch."""
    return not gate.find_refusals([operation], [], switch.release, switch.chip)


def _plan_pieces(switch: SwitchState, target: Tables) -> Iterable[Step | _Piece]:
    rebound = held.find_rebound_by_switch(switch.config, target, switch.own) if switch.traditional else ()
    if rebound:  # no operation of ours: the rows stay as they are until the switch binds them anew
        as_it_runs = {key: switch.config["BUFFER_PG"][key] for key in rebound}
        target = {**target, "BUFFER_PG": {**target["BUFFER_PG"], **as_it_runs}}
    hold = held.find_held(switch.config, target, switch.release, rebound, traditional=switch.traditional)
    made = _patch_pieces(switch, target, ORDER)
    exposed = _exposed_ports(switch, target, made)
    if not hold.any and not exposed:
        return made
    hold = hold._replace(ports=tuple(dict.fromkeys((*hold.ports, *exposed))))
    return list(_plan_while_down(_hold_flapping_ports(switch, target, hold), switch, target))


def _exposed_ports(switch: SwitchState, target: Tables, made: Sequence[_Piece]) -> dict[str, None]:
    """The ports for which a danger would stand between two of the steps."""
    found: dict[str, None] = {}
    tables = switch.config
    for piece in made[:-1]:
        tables = apply_operations(tables, piece.operations)
        moment = safe.Moment(tables, target, switch.release.watched_by)
        found |= dict.fromkeys(place[0] for _, place in safe.find_endangered(switch.config, moment))
    return found


def _ends_forced_drop(config: Tables, target: Tables) -> bool:
    """Whether the watchdog's BIG_RED_SWITCH goes: it has a command of its own."""
    before, after = (tables.get("PFC_WD", {}).get("GLOBAL") for tables in (config, target))
    return before is not None and after is not None and "BIG_RED_SWITCH" in before.keys() - after.keys()


def _with_actions_that_run(switch: SwitchState, target: Tables) -> Tables:
    """`target` with the watchdog actions that run, where one that changes may be refused; else `target` itself.

    Where the SDK ends storms in hardware, the first port's action holds for all, and orchagent refuses another one as
    long as any port is watched (pfcwdorch.cpp, createEntry, platform broadcom: the chips of which a SAI can do so).
    """
    if not stock.may_have_one_action(switch.device):
        return target
    before, after = _ports_watched(switch.config), _ports_watched(target)
    usual = min(map(_action_of, before.values()), default="")
    kept = {port: _action_of(before[port]) if port in before else usual for port in after} if before else {}
    if all(_action_of(after[port]) == action for port, action in kept.items()):
        return target
    rows = {port: {**row, "action": kept[port]} if port in kept else row for port, row in target["PFC_WD"].items()}
    return {**target, "PFC_WD": rows}


def _action_of(row: Row) -> str:
    return row.get("action", "drop")  # what orchagent takes without the field


def _change_actions(device: Device, between: Tables, target: Tables) -> Step:
    """Stop all watchdogs, and start them with the rows that are meant."""
    why = "; ".join((_ACTIONS, *tell_errata(device, WATCHDOG_STOPPED)))
    rows = _ports_watched(target)
    by_action: dict[str, list[str]] = {}
    for port, row in rows.items():
        by_action.setdefault(_action_of(row), []).append(port)
    written = write_commands([{"op": "add", "path": "/PFC_WD", "value": rows}], {})
    lines = (commands.stop_watchdog(tuple(_ports_watched(between))), _SETTLE, *written)
    return Step("run it on the switch", HITLESS, why + _say_refused(by_action), lines, ordered=True)


def _say_refused(by_action: Mapping[str, Sequence[str]]) -> str:
    """Whose watchdog is refused where one action holds for all: with PFC on, and nothing but the log says so."""
    (first, _), *others = by_action.items()
    left = [f"{', '.join(ports)} with {action}" for action, ports in others]
    return (
        f". There {' and '.join(left)} would no longer be watched: give all ports {first}, or change none"
        if left
        else ""
    )


def _ports_watched(tables: Tables) -> Table:
    return {port: row for port, row in tables.get("PFC_WD", {}).items() if port != "GLOBAL"}


def _without_forced_drop(config: Tables) -> Tables:
    """What runs once it has ended."""
    left = {field: text for field, text in config["PFC_WD"]["GLOBAL"].items() if field != "BIG_RED_SWITCH"}
    row = {"POLL_INTERVAL": commands.POLL, **left}
    return {**config, "PFC_WD": {**config["PFC_WD"], "GLOBAL": row}}


def _hold_flapping_ports(switch: SwitchState, target: Tables, hold: held.Held) -> held.Held:
    """With the ports that apply-patch would shut in the same change: they go down once."""
    changed, _ = _operations_without_commands(switch.config, target, FLAPPING)
    more = [port for op in changed for port in _ports_of(switch, op) if safe.is_up(switch.config, port)]
    return hold._replace(ports=tuple(dict.fromkeys((*hold.ports, *more))))


def _plan_while_down(hold: held.Held, switch: SwitchState, target: Tables) -> Iterator[Step | _Piece]:
    """What apply-patch takes comes before the rows that have an order: it is one patch, where one is asked for."""
    definitions = ORDER[: ORDER.index("CABLE_LENGTH")]
    yield from _patch_pieces(switch, target, definitions)
    yield from held.delete_rows_of_queues(hold, traditional=switch.traditional)
    yield from held.shut_ports(hold)
    yield from held.stop_watchdog(hold)
    before = switch.config
    switch = switch._replace(down=frozenset(hold.ports), config=held.without_watchdogs(hold, switch.config))
    yield from _patch_pieces(
        switch, held.target_before_deletion(hold, switch.config, target), ORDER[len(definitions) :]
    )
    yield from held.delete_rows(hold, traditional=switch.traditional)
    yield from held.write_rows(held.rows_written_anew(hold, target))
    yield from held.start_watchdog(hold, switch.release)
    yield from held.start_ports(hold, target, traditional=switch.traditional)
    if switch.traditional:
        yield from held.delete_rows_again(hold, before, target)


def _operations_without_commands(
    config: Tables, target: Tables, tables: Iterable[str]
) -> tuple[list[dict[str, object]], list[object]]:
    """The operations of some tables, and what they take away; without those that a command makes."""
    operations, removed = operations_of(config, target, tables)
    return [op for op in operations if not str(op["path"]).startswith("/PFC_WD/GLOBAL/BIG_RED_SWITCH")], removed


def _patch_pieces(switch: SwitchState, target: Tables, tables: Iterable[str]) -> list[_Piece]:
    operations, removed = _operations_without_commands(switch.config, target, tables)
    refusal = _explain_refusals(switch, operations, removed)
    ways: list[tuple[_Way, Operation]] = []
    for _, of_table in groupby(operations, key=table_of):
        alike: dict[_Way, list[Operation]] = {}
        for op in of_table:
            alike.setdefault(_choose_way(switch, op, refusal.get(str(op["path"]))), []).append(op)
        last = ways[-1][0] if ways else None
        ways += [(way, op) for way in sorted(alike, key=lambda way: way != last) for op in alike[way]]
    pieces = groupby(ways, key=lambda pair: pair[0])
    return [_Piece(way, [op for _, op in same], switch.config) for way, same in pieces]


def _explain_refusals(switch: SwitchState, operations: Sequence[Operation], removed: list[object]) -> dict[str, str]:
    """Why apply-patch does not take operations, by their path; `{}` stands for what it does not take."""
    release = switch.release
    if "PORT" not in switch.config:
        why = "a patch needs the whole config_db.json, but this is only a part ({})"
        return {str(op["path"]): why for op in operations}
    if release.number < FIRST_PATCHED:
        return {
            str(op["path"]): f"SONiC {release.name} has no config apply-patch that works ({{}})" for op in operations
        }
    unknown = "" if switch.chip is not None else ", an HwSKU that its gate does not list,"
    why = f"config apply-patch of SONiC {release.name} on {switch.sku or 'an unknown HwSKU'}{unknown} refuses {{}}"
    return dict.fromkeys(gate.find_refusals(operations, removed, release, switch.chip), why)


def _choose_way(switch: SwitchState, operation: Operation, refused: str | None) -> _Way:
    table = table_of(operation)
    ports = _ports_of(switch, operation) if table in FLAPPING else []
    if ports and switch.down.issuperset(ports):
        return _Way(refused, PORT_FLAP, _DOWN)
    rows = switch.config.get("PORT", {})
    if refused is None and any(rows.get(port, {}).get("admin_status") == "up" for port in ports):
        return _Way(None, PORT_FLAP, _SHUT)
    value = _get_removed(switch, operation) if operation["op"] == "remove" else operation["value"]
    effect = PROCEDURE.find_effects(_list_fields(str(operation["path"]), value))[0]
    return _Way(refused, effect.mark, effect.why)


def _list_fields(path: str, value: object) -> Iterator[str]:
    """The fields that an operation on a table, a row or a field writes or takes away, each as /TABLE/row/field."""
    if isinstance(value, dict) and value:
        for key, each in value.items():
            yield from _list_fields(f"{path}/{key}", each)
    else:
        yield path


def _ports_of(switch: SwitchState, operation: Operation) -> list[str]:
    _, table, *rest = str(operation["path"]).split("/")
    keys = rest[:1] or list(operation.get("value") or switch.config.get(table, {}))
    return [unescape(key).partition("|")[0] for key in keys]


def _make_step(piece: _Piece) -> Step:
    way, operations, config = piece
    if way.refused is None:
        return Step(_APPLY, way.mark, way.why, operations=tuple(operations))
    refused = way.refused.format(", ".join(dict.fromkeys(map(_name_changed, operations))))
    return Step(_WRITE, way.mark, way.why, write_commands(operations, config), refused=refused)


def _name_changed(operation: Operation) -> str:
    """What an operation changes, without the row: `PFC_WD detection_time`."""
    table, *rest = str(operation["path"]).split("/")[1:]
    if len(rest) < 2:
        return f"rows of {table}"
    return table if table in _BY_KEY else f"{table} {unescape(rest[1])}"
