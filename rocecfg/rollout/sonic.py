"""SONiC: no commit that holds everything, so the order of what is applied is the plan's own.

Where PFC priorities of ports change, the watchdog is stopped on them before and started after: orchagent arms it for
the priorities that a port has when its row comes, and for none on a port without PFC (sonic-swss, pfcwdorch.cpp,
registerInWdDb). `pfcwd stop` deletes the rows of PFC_WD (sonic-utilities, pfcwd/main.py), and `config bgp shutdown`
writes CONFIG_DB too: so nothing is saved before the watchdog is started and traffic is back, and then once. Until that
a reboot brings back the whole of what was saved before. Elsewhere the change is as drift shows it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import groupby

from rocecfg.drift.changes import Mended, mend
from rocecfg.drift.files import Found
from rocecfg.drift.intended import read
from rocecfg.drift.match import NO_PORT, Pairs, wanted_of
from rocecfg.drift.run import Compared
from rocecfg.model import Device
from rocecfg.rollout.device import Around, Moves, left_of
from rocecfg.rollout.types import TITLES, Act, phase
from rocecfg.source.document import Document
from rocecfg.vendors.mending import HITLESS, Step, Wanted
from rocecfg.vendors.sonic import commands
from rocecfg.vendors.sonic.change import changes
from rocecfg.vendors.sonic.change.steps import unsaved
from rocecfg.vendors.sonic.change.tables import Row, tables_in, text_with
from rocecfg.vendors.sonic.patch import FIRST_RELEASE
from rocecfg.vendors.sonic.release import release_of

_UNKNOWN = "unknown"  # an HwSKU that neither the intent nor a platform states
_ON_SWITCH = "run it on the switch"
_STOPPED = (
    "the watchdog keeps the priorities that it was armed for: it is stopped while they change, and these ports have "
    "none until it is started again"
)
_ONE_PIECE = ("buffers", "pfc")
_STARTED = "armed anew, for the priorities that the ports have now"


def acts(one: Compared, mended: Mended, moves: Moves, order: Sequence[str]) -> tuple[tuple[Act, ...], int]:
    """One change where PFC stays as it is; else part by part, the watchdog held meanwhile."""
    tables = tables_in(one.found.document) if one.found.alone else None
    steps = unsaved(mended.change.steps)
    if not moves.ports or tables is None or not steps:
        return tuple(Act(_title(step), step) for step in steps), left_of(mended)
    work = _InParts(one, moves)
    work.stop()
    phases: list[tuple[str, ...]] = [(name,) for name in order]
    if any(step.ordered for step in steps):  # lengths, PFC and the rows of both are one piece: see vendors.sonic, held
        phases = [_ONE_PIECE if name == "pfc" else (name,) for name in order if name != "buffers"]
    for names in reversed(phases) if moves.shrinks else phases:
        work.phase(names)
    work.start()
    return tuple(work.acts), work.rest()


def _title(step: Step) -> str:
    if step.ordered:
        return TITLES["buffers"]
    return "Patch" if step.operations else "Rows written directly"


class _InParts:
    """The change of one device taken apart: each part is worked out on what the parts before it lead to."""

    def __init__(self, one: Compared, moves: Moves) -> None:
        self.one = one
        self.moved = moves.ports
        self.document = one.found.document
        self.acts: list[Act] = []
        self.held: tuple[str, ...] = ()  # ports whose watchdog was stopped

    def stop(self) -> None:
        """Stop the watchdog of the ports whose priorities change."""
        tables = deepcopy(tables_in(self.document) or {})
        rows = tables.get("PFC_WD", {})
        self.held = tuple(port for port in self.moved if port in rows)
        if not self.held:
            return
        for port in self.held:
            del rows[port]
        if not rows:
            del tables["PFC_WD"]
        line = f"sudo pfcwd stop {' '.join(self.held)}"
        self.acts.append(Act("Stop the watchdog", Step(_ON_SWITCH, HITLESS, _STOPPED, (line,))))
        self._goes_on(text_with(self.document, tables))

    def phase(self, names: Sequence[str]) -> None:
        """Apply the settings of one part, or of several in one piece."""
        wanted = self._wanted(names)
        if not wanted:
            return
        change = changes(self.one.meant.text, self.document, wanted, self.one.meant.device)
        for step in unsaved(change.steps):
            masks = any(str(op["path"]).startswith("/PORT_QOS_MAP") for op in step.operations)
            name = names[0] if len(names) == 1 or not masks else "pfc"
            self.acts.append(Act(TITLES[name], step))
        self._goes_on(change.after)

    def start(self) -> None:
        """Start the watchdog of the ports whose priorities changed, with the timers that are meant."""
        meant = tables_in(Document(self.document.number, "", self.one.meant.text)) or {}
        rows = {port: row for port, row in meant.get("PFC_WD", {}).items() if port in self.moved}
        lines = tuple(_start(rows))
        if not lines:
            return
        tables = deepcopy(tables_in(self.document) or {})
        tables.setdefault("PFC_WD", {}).update(
            {port: row for port, row in rows.items() if {"detection_time", "restoration_time"} <= row.keys()}
        )
        self.acts.append(Act("Start the watchdog", Step(_ON_SWITCH, HITLESS, _STARTED, lines)))
        self._goes_on(text_with(self.document, tables))

    def rest(self) -> int:
        """Apply what the parts left over, so that the whole is what is meant; how many settings differ even then."""
        switch = next(iter(read(self.document, self.one.meant.device)))
        left = wanted_of(Pairs().parts(self.one.meant, switch))
        if not left:
            return 0
        found = Found(self.document, self.one.found.vendor, switch, self.one.name, alone=True)
        last = mend(Compared(self.one.name, self.one.meant, found, left))
        self.acts += [Act("What is left", step) for step in unsaved(last.change.steps)]
        return left_of(last)

    def _wanted(self, names: Sequence[str]) -> Wanted:
        """The settings of some parts; the watchdog of ports whose priorities change waits for its start."""
        out = {}
        for port, settings in self.one.wanted.items():
            if NO_PORT in settings:
                continue
            mine = frozenset(w for w in settings if phase(w.topic) in names)
            if "watchdog" in names and port in self.moved:
                mine = frozenset(w for w in mine if w.topic != "watchdog" or w.part == "poll_interval")
            if mine:
                out[port] = mine
        return out

    def _goes_on(self, text: str) -> None:
        self.document = Document(self.document.number, self.document.path, text)


def _start(rows: Mapping[str, Row]) -> Iterator[str]:
    """`pfcwd start` for rows, those alike in one line; rows without a restoration time are left to a patch."""

    def said(port: str) -> tuple[str, str, str]:
        row = rows[port]
        return row.get("detection_time", ""), row.get("restoration_time", ""), row.get("action", "")

    for (detection, restoration, action), alike in groupby(sorted(rows, key=said), key=said):
        if detection and restoration:
            ports = set(alike)
            words = f"--action {action} " if action else ""
            names = [port for port in rows if port in ports]
            yield f"sudo pfcwd start {words}--restoration-time {restoration} {' '.join(names)} {detection}"


def around(one: Compared, acts: Sequence[Act], ports: tuple[str, ...], label: str) -> Around:  # noqa: ARG001 - as of every system
    """Checkpoints of the generic config updater, a copy of config_db.json, BGP sessions (sonic-utilities)."""
    release = release_of(one.meant.device)
    copy = f"/etc/sonic/config_db.{label}.json"
    save: tuple[str, ...] = (f"sudo config save -y {copy}",)
    back: tuple[str, ...] = (f"sudo config reload -y {copy}", "sudo config save -y")
    note = "config reload restarts the services of the switch: its links go down, so drain it first"
    if release.number >= FIRST_RELEASE:
        save = (f"sudo config checkpoint {label}", *save)
        if any(act.step.refused for act in acts):
            note = (
                "what was written directly because config apply-patch refuses it, config rollback is refused too: "
                "config reload is the way back, and it restarts the services of the switch, so drain it first"
            )
        elif any(act.step.ordered for act in acts):
            note = (
                "config rollback sorts its changes by itself and starts no port for a cable length, and a priority "
                "group can lose its headroom by that: config reload is the way back, and it restarts the services of "
                "the switch, so drain it first"
            )
        else:
            reload = back[0]
            back = (f"sudo config rollback {label}", "sudo config save -y")
            note = f"ports may flap as on the way there; if it is refused: {reload}, which restarts the services"
    counted = ("show queue wredcounters",) if release.ecn_counters else ()
    return Around(
        save=save,
        drain=("sudo config bgp shutdown all",),
        undrain=("sudo config bgp startup all",),
        keep=(commands.SAVE,),
        verify=(
            "show pfc priority",
            "show pfc counters",
            "show pfcwd config",
            "show pfcwd stats",
            "show ecn",
            *counted,
            "show priority-group drop counters",
            "show priority-group watermark headroom",
            "show queue counters",
        ),
        back=back,
        back_note=note,
    )


def whole(body: str, name: str, device: Device) -> str:
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
