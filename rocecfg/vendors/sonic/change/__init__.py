"""The one planner of changes: what the tables of a running switch become, and the steps that lead there.

`render --as patch`, `drift` and `plan` ask it alike. Names of maps and profiles are the switch's own where these serve
the same ports and queues.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import deepcopy

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device
from rocecfg.source.document import Document
from rocecfg.vendors.changes import Change, Wanted, settings_in_order
from rocecfg.vendors.sonic import commands
from rocecfg.vendors.sonic.change.kept import bind_other_rows
from rocecfg.vendors.sonic.change.settings import Rows
from rocecfg.vendors.sonic.change.steps import SwitchState, plan_steps
from rocecfg.vendors.sonic.change.tables import Tables, tables_in, text_with, with_names_of_switch
from rocecfg.vendors.sonic.looked_up import is_traditional
from rocecfg.vendors.sonic.release import release_of
from rocecfg.vendors.sonic.trimmed import trimmed_queues

_SEVERAL = "the file is of a multi-ASIC switch: the ASIC of a row is unknown"
POLLED = "FLEX_COUNTER_TABLE"  # counters are no setting that is compared: a patch brings them all


class TargetTables(NamedTuple):
    """What tables are to become, and what no row fixes."""

    tables: Tables
    beyond: tuple[str, ...]


def make_target(
    running: Tables, rendered: Tables, scope: Wanted, device: Device, *, polled: bool = False
) -> TargetTables:
    """`running` with what `rendered` says of the settings in `scope`, and with all `polled` counters if so asked."""
    meant = with_names_of_switch(rendered, running)
    mtus = {name: group.mtu for group in device.ports for name in group.names}
    trims = {name: trimmed_queues(device, group) for group in device.ports for name in group.names}
    rows = Rows(meant, deepcopy(running), mtus, trims, looked_up=is_traditional(running, device))
    for port, what in settings_in_order(scope):
        rows.fix_setting(port, what)
    if polled:
        for key, row in meant.get(POLLED, {}).items():
            rows.target.setdefault(POLLED, {}).setdefault(key, {}).update(row)
    _keep_watchdog_row(running, rows.target)
    bind_other_rows(running, rows.target)
    return TargetTables(rows.target, tuple(rows.beyond))


def _keep_watchdog_row(running: Tables, target: Tables) -> None:
    """PFC_WD|GLOBAL stays, once it is there: its deletion crashes orchagent (`commands.FORGET_FORCED_DROP`).

    A poll interval that goes is written as what it is without: orchagent keeps the old one until it is restarted.
    """
    before = running.get("PFC_WD", {}).get("GLOBAL", {})
    after = target.get("PFC_WD", {}).get("GLOBAL", {})
    if before and (not after or ("POLL_INTERVAL" in before and "POLL_INTERVAL" not in after)):
        target.setdefault("PFC_WD", {}).setdefault("GLOBAL", {})["POLL_INTERVAL"] = commands.POLL


def plan_change(meant_text: str, running: Document, wanted: Wanted, device: Device, *, polled: bool = False) -> Change:
    """What leads from `running` to what `meant_text`, a rendering, says of the settings that are `wanted`.

    The rows that `config apply-patch` takes are a patch, in the order in which they are made; what its gate refuses of
    this release and HwSKU is written to CONFIG_DB directly, as `config load` does.
    """
    config = tables_in(running)
    if config is None:
        return Change((), running.text, (_SEVERAL,))
    rendered: Tables = json.loads(meant_text)
    found = make_target(config, rendered, wanted, device, polled=polled)
    switch = switch_of(device, config, rendered)
    return Change(plan_steps(switch, found.tables), text_with(running, found.tables), found.beyond)


def switch_of(device: Device, config: Tables, rendered: Mapping[str, object]) -> SwitchState:
    """A switch that runs `config` and is to run what is rendered for a device."""
    own = rendered.get("BUFFER_PG", {})
    assert isinstance(own, dict)
    return SwitchState(release_of(device), device, config, frozenset(own))


__all__ = ["TargetTables", "make_target", "plan_change", "plan_steps", "switch_of"]
