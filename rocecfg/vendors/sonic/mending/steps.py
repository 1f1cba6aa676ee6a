"""From rows that run and rows that are meant to the steps between: what apply-patch takes, and what it refuses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from rocecfg.model import Device
from rocecfg.records import NamedTuple
from rocecfg.vendors.mending import BRIEF_PAUSE, HITLESS, PORT_FLAP, Step
from rocecfg.vendors.sonic import gate
from rocecfg.vendors.sonic.mending.tables import MAPS, Tables
from rocecfg.vendors.sonic.patch import FIRST_RELEASE, ORDER, difference
from rocecfg.vendors.sonic.release import Release

_FLAPPING = ("BUFFER_PG", "BUFFER_QUEUE", "PORT_QOS_MAP", "QUEUE")
_BUFFERS = (
    *("BUFFER_POOL", "BUFFER_PROFILE", "BUFFER_PG", "BUFFER_QUEUE", "CABLE_LENGTH"),
    *("DEFAULT_LOSSLESS_BUFFER_PARAMETER", "LOSSLESS_TRAFFIC_PATTERN"),
)
_PORTS = "PORT"  # whose MTU is part of headroom: buffermgrd works that out anew
_PAUSES = ("TC_TO_PRIORITY_GROUP_MAP", "MAP_PFC_PRIORITY_TO_QUEUE", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP")
_BY_KEY = ("CABLE_LENGTH", *MAPS.values())  # tables whose fields are ports and numbers
_APPLY = "sudo config apply-patch FILE (try it with -d first); then: sudo config save -y"
_WRITE = "run it on the switch: it writes CONFIG_DB as config load does, unchecked; then: sudo config save -y"
_WHY = {
    HITLESS: "takes effect while traffic runs",
    BRIEF_PAUSE: "buffers and PFC change under traffic, and packets may be lost for a moment: use a window",
    PORT_FLAP: "apply-patch shuts a port that is up before it changes its queues, priority groups or maps",
}

Operation = Mapping[str, Any]


class Switch(NamedTuple):
    """What decides how rows can be changed."""

    release: Release
    device: Device
    config: Tables


class _Line(NamedTuple):
    """A command on one row, in quotes: what stands before its key and behind it."""

    before: str
    key: str
    after: str


class _Way(NamedTuple):
    refused: str | None
    mark: str


def steps(switch: Switch, target: Tables) -> tuple[Step, ...]:
    """The steps from what runs to `target`, referred rows first; neighbours that are applied alike are one step."""
    operations: list[dict[str, Any]] = []
    removed: list[object] = []
    for table in (*ORDER, _PORTS):
        difference(table, switch.config.get(table, {}), target.get(table, {}), operations, removed)
    forced = [op for op in operations if str(op["path"]).startswith("/PFC_WD/GLOBAL/BIG_RED_SWITCH")]
    operations = [op for op in operations if op not in forced]
    refusal = _refusals(switch, operations, removed)
    ways: list[tuple[_Way, Operation]] = []
    for _, of_table in groupby(operations, key=_table):
        alike: dict[_Way, list[Operation]] = {}
        for op in of_table:
            alike.setdefault(_way(switch, op, refusal.get(str(op["path"]))), []).append(op)
        ways += [(way, op) for way, ops in alike.items() for op in ops]
    made = [_step(switch, way, [op for _, op in same]) for way, same in groupby(ways, key=lambda pair: pair[0])]
    if forced:
        line = "sudo pfcwd big_red_switch disable"
        made.append(Step("run it on the switch", HITLESS, "the watchdog's emergency drop ends", (line,)))
    return tuple(made)


def _table(operation: Operation) -> str:
    return str(operation["path"]).split("/")[1]


def _refusals(switch: Switch, operations: Sequence[Operation], removed: list[object]) -> dict[str, str]:
    """Why apply-patch does not take operations, by their path."""
    release = switch.release
    if "PORT" not in switch.config:
        why = "a patch starts from the whole config_db.json, and this is a part of it ({})"
        return {str(op["path"]): why for op in operations}
    if release.number < FIRST_RELEASE:
        return {str(op["path"]): f"SONiC {release.name} has no config apply-patch ({{}})" for op in operations}
    sku = switch.config.get("DEVICE_METADATA", {}).get("localhost", {}).get("hwsku") or switch.device.hwsku
    chip = gate.chip_of(sku, switch.device.asic.name if switch.device.asic is not None else None, release)
    unknown = "" if chip is not None else ", an HwSKU that its gate does not list,"
    why = f"config apply-patch of SONiC {release.name} on {sku or 'an unknown HwSKU'}{unknown} refuses {{}}"
    return {each.path: why for each in gate.refused(operations, removed, release, chip)}


def _way(switch: Switch, operation: Operation, refused: str | None) -> _Way:
    table = _table(operation)
    if refused is None and table in _FLAPPING and any(_is_up(switch, port) for port in _ports(switch, operation)):
        return _Way(None, PORT_FLAP)
    changes_pfc = table in _PAUSES or (table == "PORT_QOS_MAP" and "pfc_enable" in repr(operation))
    return _Way(refused, BRIEF_PAUSE if table in (*_BUFFERS, _PORTS) or changes_pfc else HITLESS)


def _is_up(switch: Switch, port: str) -> bool:
    return switch.config.get("PORT", {}).get(port, {}).get("admin_status") == "up"


def _ports(switch: Switch, operation: Operation) -> list[str]:
    _, table, *rest = str(operation["path"]).split("/")
    keys = rest[:1] or list(operation.get("value") or switch.config.get(table, {}))
    return [_plain(key).partition("|")[0] for key in keys]


def _step(switch: Switch, way: _Way, operations: list[Operation]) -> Step:
    why = _WHY[way.mark]
    if way.refused is None:
        return Step(_APPLY, way.mark, why, operations=tuple(operations))
    refused = way.refused.format(", ".join(dict.fromkeys(map(_fields, operations))))
    return Step(_WRITE, way.mark, why, tuple(_looped(_written(operations, switch.config))), refused=refused)


def _fields(operation: Operation) -> str:
    """What an operation changes, without the row: `PFC_WD detection_time`."""
    table, *rest = str(operation["path"]).split("/")[1:]
    if len(rest) < 2:
        return f"rows of {table}"
    return table if table in _BY_KEY else f"{table} {_plain(rest[1])}"


def _looped(lines: Iterable[_Line]) -> Iterator[str]:
    """Commands as they are typed; one loop over ports that are told the same."""
    for (before, after), same in groupby(lines, key=lambda line: (line.before, line.after)):
        keys = [line.key for line in same]
        apart = [key.partition("|") for key in keys]
        rest = {f"{bar}{index}" for _, bar, index in apart}
        if len(keys) == 1 or len(rest) > 1:
            yield from (f"{before}{key}'{after}" for key in keys)
        else:
            ports = " ".join(port for port, _, _ in apart)
            command = before.replace("'", '"')
            yield f'for PORT in {ports}; do {command}$PORT{rest.pop()}"{after}; done'


def _written(operations: Iterable[Operation], config: Tables) -> Iterator[_Line]:
    """Operations as commands that write CONFIG_DB directly, one for what happens to a row."""
    done: dict[tuple[str, str, str], list[str]] = {}
    for operation in operations:
        table, *rest = (_plain(part) for part in str(operation["path"]).split("/")[1:])
        if operation["op"] == "remove":
            for key in rest[:1] or list(config.get(table, {})):
                done.setdefault(("HDEL" if rest[1:] else "DEL", table, key), []).extend(map(_quoted, rest[1:]))
            continue
        rows: dict[str, dict[str, str]] = operation["value"] if not rest else {}
        if rest:
            rows = {rest[0]: operation["value"] if len(rest) == 1 else {rest[1]: operation["value"]}}
        for key, row in rows.items():
            words = [_quoted(word) for field, text in (row or {"NULL": "NULL"}).items() for word in (field, text)]
            done.setdefault(("HSET", table, key), []).extend(words)
    for (verb, table, key), words in done.items():
        yield _Line(f"sonic-db-cli CONFIG_DB {verb} '{table}|", key, "".join(f" {word}" for word in words))


def _quoted(text: str) -> str:
    return text if text and all(c.isalnum() or c in "._-,+/" for c in text) else f"'{text}'"


def _plain(part: str) -> str:
    return part.replace("~1", "/").replace("~0", "~")
