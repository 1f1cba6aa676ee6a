"""The form "patch": a change as one RFC 6902 patch for `config apply-patch`, and what is typed before and after it."""

from __future__ import annotations

import json
from typing import Any

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device
from rocecfg.source.document import Document
from rocecfg.vendors import join_some
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.changes import Change, Step
from rocecfg.vendors.sonic.change import switch_of
from rocecfg.vendors.sonic.change.steps import is_refused_as_move, list_refused, list_refused_as_one
from rocecfg.vendors.sonic.change.tables import Tables, tables_in
from rocecfg.vendors.sonic.release import FIRST_PATCHED, Release


class Folded(NamedTuple):
    """The operations of a change, in the order of its steps, and the steps around them."""

    operations: list[dict[str, Any]]
    before: tuple[Step, ...]
    after: tuple[Step, ...]
    beyond: tuple[str, ...]  # what no change fixes, and why


def fold_change(change: Change) -> Folded:
    """A change whose operations are all taken by apply-patch, as one patch: between its steps nothing else writes rows.

    What stands between two patches takes ports and watchdogs down, and may come before both.
    """
    steps = change.steps
    last = max((n for n, step in enumerate(steps) if step.operations), default=-1)
    operations = [dict(op) for step in steps for op in step.operations]
    before = tuple(step for step in steps[:last] if not step.operations) if last > 0 else ()
    return Folded(operations, before, steps[last + 1 :], change.beyond)


def check_start(device: Device, release: Release, running: str) -> None:
    """Raises CannotRender for what no patch starts from: a release without apply-patch, a part of a configuration."""
    here = (device.at("version"),)
    if release.number < FIRST_PATCHED:
        raise CannotRender(f"SONiC {release.name} has no config apply-patch that works", "use the form config_db", here)
    config = _parse_tables(running)
    if "PORT" not in config:
        several = " (a multi-ASIC file: give the one of a single ASIC)" if "localhost" in config else ""
        raise CannotRender(
            f"the running configuration has no table PORT{several}",
            "give the device's whole config_db.json (/etc/sonic/config_db.json)",
        )
    missing = sorted({name for port in device.ports for name in port.names} - config["PORT"].keys())
    if missing:
        raise CannotRender(
            f"the running configuration has no PORT row for {join_some(missing, 12)}",
            "give the device's whole config_db.json; apply-patch refuses rows of ports that it does not know",
            here,
        )


def check_gate(device: Device, running: Document, change: Change, rendered: str) -> None:
    """Raises CannotRender where the gate of the release refuses an operation of a change. `rendered`: the tables."""
    config, target = tables_in(running), tables_in(Document(running.number, running.path, change.after))
    if config is None or target is None:
        return
    switch = switch_of(device, config, json.loads(rendered))
    operations = [*list_refused(switch, target), *list_refused_as_one(switch, fold_change(change).operations)]
    if not operations:
        return
    on = switch.sku or "an unknown HwSKU"
    on += "" if switch.chip is not None else " (an HwSKU that it does not list)"
    fix = "use the form config_db with sudo config load, which has no such gate (config replace has it too)"
    paths = list(dict.fromkeys(str(op["path"]) for op in operations))
    if any(path in ("/PFC_WD", "/PFC_WD/GLOBAL") for path in paths):
        fix += "; PFC_WD must exist with its row GLOBAL first: sudo pfcwd interval MS"
    if any(is_refused_as_move(switch, op) for op in operations):
        fix += "; a row equal to one that goes counts as moved, which is refused: stop the old ones first"
    raise CannotRender(
        f"config apply-patch of SONiC {switch.release.name} on {on} refuses {join_some(paths, 12)}",
        f"{fix}; rocecfg drift has the commands that write them directly",
        (switch.device.at("version"),),
    )


def _parse_tables(text: str) -> Tables:
    """Tables of rows of strings; CannotRender if the text is no such JSON."""
    fix = "give the device's config_db.json, as `config save` writes it"
    try:
        config = json.loads(text)
    except ValueError as error:
        raise CannotRender(f"the running configuration is not JSON: {error}", fix) from error
    tables = config if isinstance(config, dict) else {}
    good = {
        table: {key: row for key, row in rows.items() if isinstance(row, dict)}
        for table, rows in tables.items()
        if isinstance(rows, dict)
    }
    if not good:
        raise CannotRender("the running configuration is not a mapping of tables", fix)
    return good
