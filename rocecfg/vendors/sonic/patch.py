"""From what a device runs to what it is to run: an RFC 6902 patch for `config apply-patch`.

Rows of ours are made exactly as rendered, rows that contradict them go, and nothing else is touched. A row that
overlaps one that stays or comes is not deleted by it: apply-patch sorts what is in a patch, and in the wrong order the
other one loses its profile (`overlap`). Such rows stay until the steps after the patch.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, Origin
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.sonic import egress, gate, looked_up, overlap, ranges
from rocecfg.vendors.sonic.buffers import joined
from rocecfg.vendors.sonic.change.difference import ORDER, operations_of
from rocecfg.vendors.sonic.change.settings import settle_pool
from rocecfg.vendors.sonic.change.steps import FIRST_RELEASE
from rocecfg.vendors.sonic.headroom import COMPUTED
from rocecfg.vendors.sonic.view import Plan

Row = dict[str, str]
Table = dict[str, Row]

# Fields that the rendered row rules: a running one that it does not name goes. Tables not listed are only added to,
# except for _WHOLE, whose rows are ours entirely.
_RULED = {
    "PORT_QOS_MAP": ("dscp_to_tc_map", "dot1p_to_tc_map", "pfc_enable", "pfcwd_sw_enable"),
    "QUEUE": ("wred_profile",),
    "PFC_WD": ("action", "detection_time", "restoration_time"),
}
_WHOLE = (
    "DSCP_TO_TC_MAP",
    "DOT1P_TO_TC_MAP",
    "TC_TO_QUEUE_MAP",
    "TC_TO_PRIORITY_GROUP_MAP",
    "MAP_PFC_PRIORITY_TO_QUEUE",
    "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
    "SCHEDULER",
    "WRED_PROFILE",
    "BUFFER_PROFILE",
    "BUFFER_PG",
)


class Made(NamedTuple):
    """A patch, what runs before and after it, and what is to run: the latter two differ in rows whose order matters."""

    operations: list[dict[str, object]]
    before: dict[str, Table]
    after: dict[str, Table]
    target: dict[str, Table]


def make(device: Device, plan: Plan, body: str, running: str | None) -> Made:
    """What leads from `running`, the text of a whole config_db.json, to the rendered `body`.

    CannotRender if the running configuration cannot be used, or if the gate of this release refuses an operation.
    """
    here = (device.at("version"),)
    if plan.release.number < FIRST_RELEASE:
        raise CannotRender(f"SONiC {plan.release.name} has no config apply-patch", "use the form config_db", here)
    config = _read(running)
    wanted = _parse(body, "the template's output", "mend the template that wins over config_db.json.j2")
    missing = sorted({p for group in plan.view["groups"] for p in group["ports"]} - config.get("PORT", {}).keys())
    if missing:
        raise CannotRender(
            f"the running configuration has no PORT row for {_some(missing)}",
            "give the device's whole config_db.json; apply-patch refuses rows of ports that it does not know",
            here,
        )
    target = _target(plan, config, wanted)
    after = {**config, **_with_overlapping(device, config, target)}
    operations, removed = operations_of(config, after, ORDER)
    sku = config.get("DEVICE_METADATA", {}).get("localhost", {}).get("hwsku") or device.hwsku
    chip = gate.chip_of(sku, device.asic.name if device.asic is not None else None, plan.release)
    _refuse(gate.refused(operations, removed, plan.release, chip), plan, sku, chip, here)
    return Made(operations, config, after, {**config, **target})


def _with_overlapping(device: Device, config: dict[str, Table], target: dict[str, Table]) -> dict[str, Table]:
    """The target with the rows that cannot go in a patch: those that overlap one that stays, comes, or is made."""
    out = dict(target)
    made: set[str] = set()
    if looked_up.is_traditional(config, device):
        made = {key for port in target.get("PORT_QOS_MAP", {}) for key in looked_up.keys_made(target, port)}
    for table in overlap.TABLES:
        have, want = config.get(table, {}), set(target.get(table, {}))
        first = overlap.deleted_first(table, have, want | made if table == "BUFFER_PG" else want)
        out[table] = {**{key: have[key] for key in first if key not in want}, **target.get(table, {})}
    return out


def _refuse(
    refusals: list[gate.Refusal], plan: Plan, sku: str | None, chip: str | None, here: tuple[Origin, ...]
) -> None:
    if not refusals:
        return
    why = "" if chip is not None else " (an HwSKU that it does not list)"
    mend = "use the form config_db with sudo config load, which has no such gate (config replace has it too)"
    if any(refusal.path in ("/PFC_WD", "/PFC_WD/GLOBAL") for refusal in refusals):
        mend += "; PFC_WD must exist with its row GLOBAL first: sudo pfcwd interval MS"
    if any(refusal.move for refusal in refusals):
        mend += "; a row equal to one that goes counts as moved, which is refused: stop the old ones first"
    paths = _some(refusal.path for refusal in refusals)
    raise CannotRender(
        f"config apply-patch of SONiC {plan.release.name} on {sku or 'an unknown HwSKU'}{why} refuses {paths}",
        mend,
        here,
    )


def _read(running: str | None) -> dict[str, Table]:
    if running is None:
        raise CannotRender(
            "a patch starts from what the device runs", "give its whole config_db.json with --running FILE"
        )
    config = _parse(
        running, "the running configuration", "give the device's config_db.json, as `config save` writes it"
    )
    if "PORT" not in config:
        several = " (a multi-ASIC file: give the one of a single ASIC)" if "localhost" in config else ""
        raise CannotRender(
            f"the running configuration has no table PORT{several}",
            "give the device's whole config_db.json (/etc/sonic/config_db.json)",
        )
    return config


def _parse(text: str, what: str, mend: str) -> dict[str, Table]:
    """Tables of rows of strings; CannotRender if the text is no such JSON."""
    try:
        config = json.loads(text)
    except ValueError as error:
        raise CannotRender(f"{what} is not JSON: {error}", mend) from error
    tables = config if isinstance(config, dict) else {}
    good = {
        table: {key: row for key, row in rows.items() if isinstance(row, dict)}
        for table, rows in tables.items()
        if isinstance(rows, dict)
    }
    if not good:
        raise CannotRender(f"{what} is not a mapping of tables", mend)
    return good


def _target(plan: Plan, config: Mapping[str, Table], wanted: Mapping[str, Table]) -> dict[str, Table]:
    """The tables of `ORDER` as they are to be."""
    target: dict[str, Table] = {}
    kept_map = {"dscp_to_tc_map"} if plan.keeps_map else set()
    for table in ORDER:
        rows = dict(config.get(table, {}))
        for key, fields in wanted.get(table, {}).items():
            ruled = set(_RULED.get(table, ())) - kept_map if key != "global" else set()
            old = {} if table in _WHOLE else {k: v for k, v in rows.get(key, {}).items() if k not in ruled}
            rows[key] = {**old, **fields}
            if table == "BUFFER_POOL":
                settle_pool(rows[key], fields)
        target[table] = rows
    ours = {port: i for i, group in enumerate(plan.view["groups"]) for port in group["ports"]}
    _one_cable_group(target["CABLE_LENGTH"], wanted.get("CABLE_LENGTH", {}))
    _priority_groups(plan, ours, target, wanted.get("BUFFER_PG", {}))
    lossless = {port: plan.ports[i].pfc for port, i in ours.items()}
    egress.bind(target, lossless, plan.release.ref("BUFFER_PROFILE", egress.LOSSLESS))
    target["QUEUE"] = ranges.settle(target["QUEUE"], wanted.get("QUEUE", {}))
    if not plan.view["default_watchdog"]:
        for port, i in ours.items():
            if not plan.view["groups"][i]["watchdog"]:
                target["PFC_WD"].pop(port, None)
    return target


def _one_cable_group(table: Table, wanted: Mapping[str, Row]) -> None:
    """A port's cable length stands in one group only: buffermgrd takes whichever it reads last."""
    for name, fields in list(table.items()):
        if name not in wanted:
            table[name] = {p: v for p, v in fields.items() if not any(p in row for row in wanted.values())}


def _priority_groups(plan: Plan, ours: Mapping[str, int], target: dict[str, Table], wanted: Table) -> None:
    """Lossless BUFFER_PG rows that no longer fit the PFC priorities of their port go; lossy ones make room."""
    rows = target["BUFFER_PG"]
    for key in list(rows):
        port, _, groups = key.partition("|")
        if key in wanted or port not in ours or groups in joined(plan.ports[ours[port]].pfc):
            continue
        name = rows[key].get("profile", "").strip("[]").rpartition("|")[2]
        if name == COMPUTED or name.startswith("pg_lossless_") or "xoff" in target["BUFFER_PROFILE"].get(name, {}):
            del rows[key]
    target["BUFFER_PG"] = ranges.settle(rows, wanted)


def _some(names: Iterable[str], most: int = 12) -> str:
    listed = list(names)
    rest = len(listed) - most
    return ", ".join(listed[:most]) + (f" and {rest} more" if rest > 0 else "")
