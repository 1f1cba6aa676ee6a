"""SONiC: no commit that holds everything, so the order of what is applied is the plan's own.

Where PFC priorities of ports change, the change is applied part by part, each computed by the one planner
(`vendors.sonic.change`) on what the parts before it lead to; elsewhere it is as drift shows it. `pfcwd stop` deletes
rows of PFC_WD (sonic-utilities, pfcwd/main.py), and `config bgp shutdown` writes CONFIG_DB too: so nothing is saved
before all parts are applied and traffic is back, and then once. Until that a reboot brings back the whole of what was
saved before.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from rocecfg.model import Device
from rocecfg.model.catalogue import phase_of
from rocecfg.source.document import Document
from rocecfg.vendors.changes import HITLESS, Change, Step, Wanted, without_save
from rocecfg.vendors.rollout import TITLES, Act, Acts, Ends, RolloutTask, Safeguards, make_safeguards
from rocecfg.vendors.sonic import commands
from rocecfg.vendors.sonic.change import plan_change
from rocecfg.vendors.sonic.change.inverse import list_inverse
from rocecfg.vendors.sonic.procedure import procedure_of
from rocecfg.vendors.sonic.release import FIRST_PATCHED, release_of

_UNKNOWN = "unknown"  # an HwSKU that neither the intent nor a platform states
_ONE_PIECE = ("buffers", "pfc")
_INVERSE = (
    "the inverse of the change, with the values that the plan found: like the change, it disturbs nothing and is not "
    "validated. Otherwise: {}, also not validated; it restarts the services of the switch"
)
_REFUSED = "config rollback is refused for the same reason as config apply-patch: use config reload"
_UNSORTED = (
    "config rollback sorts its changes by itself, starts no port for a cable length and restarts no watchdog: a "
    "priority group can lose its headroom, and a class its watchdog. Use config reload"
)
_PATCHED = (
    "ports may flap, as with the change. YANG validates the whole running configuration; if it is refused: {}, which "
    "is not validated and restarts the services of the switch, so drain it first"
)
_WATCHDOG = {"sudo pfcwd stop ": "Stop the watchdog", "sudo pfcwd start ": "Start the watchdog"}


def plan_acts(change: Change, task: RolloutTask) -> Acts:
    """One change where PFC stays as it is; else part by part."""
    steps = without_save(change.steps)
    if not task.moves.ports or not steps:
        return Acts(tuple(Act(_title_of(step), step) for step in steps))
    work = _InParts(task)
    phases: list[tuple[str, ...]] = [(name,) for name in task.order]
    early = not task.moves.shrinks and task.order.index("pfc") < task.order.index("buffers")
    if early or any(step.ordered for step in steps):  # lengths come before PFC, and ports are down for both: see change
        phases = [_ONE_PIECE if name == "pfc" else (name,) for name in task.order if name != "buffers"]
    for names in reversed(phases) if task.moves.shrinks else phases:
        work.apply_phases(names)
    return Acts(tuple(work.acts), work.document.text)


def _title_of(step: Step) -> str:
    """What a step of a change that is in one part is called."""
    if step.ordered:
        return _watchdog_title(step) or TITLES["buffers"]
    return "Patch" if step.operations else "Rows written directly"


def _watchdog_title(step: Step) -> str | None:
    """What a step on the watchdog alone is called; None for others."""
    if step.lines and all("'PFC_WD|" in line or '"PFC_WD|' in line for line in step.lines):
        return TITLES["watchdog"]
    if len(step.lines) > 1 and step.lines[0].startswith("sudo pfcwd stop "):
        return TITLES["watchdog"]  # all are stopped, and started again
    return next((title for word, title in _WATCHDOG.items() if step.lines and step.lines[0].startswith(word)), None)


class _InParts:
    """The change of one device taken apart: each part is computed on what the parts before it lead to."""

    def __init__(self, task: RolloutTask) -> None:
        self.task = task
        self.moved = task.moves.ports
        self.document = task.running
        self.acts: list[Act] = []

    def apply_phases(self, names: Sequence[str]) -> None:
        """Apply the settings of one part, or of several in one piece."""
        wanted = self._wanted_in(names)
        if not wanted:
            return
        change = plan_change(self.task.meant, self.document, wanted, self.task.device)
        for step in without_save(change.steps):
            masks = len(names) > 1 and any(str(op["path"]).startswith("/PORT_QOS_MAP") for op in step.operations)
            self.acts.append(Act(_watchdog_title(step) or TITLES["pfc" if masks else names[0]], step))
        self.document = Document(self.document.number, self.document.path, change.after)

    def _wanted_in(self, names: Sequence[str]) -> Wanted:
        """The settings of some parts; the watchdog of ports whose priorities change goes with these."""
        out = {}
        for port, settings in self.task.wanted.items():
            with_pfc = {"watchdog"} if port in self.moved else set()
            mine = frozenset(w for w in settings if ("pfc" if w.topic in with_pfc else phase_of(w.topic)) in names)
            if mine:
                out[port] = mine
        return out


def plan_safeguards(
    device: Device,
    acts: Sequence[Act],
    ports: tuple[str, ...],  # noqa: ARG001 - as of every system
    label: str,
    ends: Ends,
) -> Safeguards:
    """Checkpoints of the generic config updater, a copy of config_db.json, BGP sessions (sonic-utilities)."""
    release = release_of(device)
    verify = commands.verify_commands(ecn_counters=release.ecn_counters)
    around = make_safeguards(procedure_of(device), verify, label)
    patches = release.number >= FIRST_PATCHED
    if patches:
        around = around._replace(save=(f"sudo config checkpoint {label}", *around.save))
    ordered = any(act.step.ordered for act in acts)
    refused = any(act.step.refused for act in acts) or bool(ends.refused) or not patches
    hitless = not ordered and all(act.step.mark == HITLESS for act in acts)
    inverse = list_inverse(ends.before, ends.after) if hitless and refused else ()
    reload = "; ".join(around.back)
    if inverse:
        return around._replace(back=(*inverse, commands.SAVE), back_note=_INVERSE.format(reload))
    if not patches:
        return around
    if refused or ordered:
        return around._replace(back_note=f"{_REFUSED if refused else _UNSORTED}. {around.back_note}")
    back = (f"sudo config rollback {label}", commands.SAVE)
    return around._replace(back=back, back_note=_PATCHED.format(reload))


def complete_config(body: str, name: str, device: Device) -> str:
    """With the rows that make a config_db.json whole: its ports are up, as what is planned for them must assume."""
    config = json.loads(body)
    local = config.setdefault("DEVICE_METADATA", {}).setdefault("localhost", {})
    local.update({"hostname": name, "hwsku": device.hwsku or _UNKNOWN})
    config["PORT"] = {
        port: {"admin_status": "up", "speed": str((group.speed or 0) // 10**6)}
        for group in device.ports
        for port in group.names
    }
    return json.dumps(config, indent=4)
