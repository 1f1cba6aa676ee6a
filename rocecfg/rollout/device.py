"""The change of one device as acts in order, and what goes around it: save, drain, look, return."""

from __future__ import annotations

from collections.abc import Sequence

from rocecfg.core.records import NamedTuple
from rocecfg.drift.changes import DeviceFix, work_out_fix
from rocecfg.drift.files import RunningConfiguration
from rocecfg.drift.intended import read_switches
from rocecfg.drift.match import NO_PORT, SwitchComparer, wanted_of
from rocecfg.drift.run import Compared
from rocecfg.model.switch import Switch
from rocecfg.rollout.types import Part, worst_mark
from rocecfg.source.document import Document
from rocecfg.vendors import part
from rocecfg.vendors.changes import Wanted
from rocecfg.vendors.procedure import needs_drain
from rocecfg.vendors.rollout import Act, Ends, Moves, RolloutTask

_LEFT = "What is left"  # the title of what parts of a change leave over


def find_pfc_moves(one: Compared) -> Moves:
    """Which ports change their PFC priorities."""
    after = index_pfc_priorities(one.meant.switch)
    before = index_pfc_priorities(one.found.switch)
    changing = {port for port, settings in one.wanted.items() if port and any(w.topic == "pfc" for w in settings)}
    return Moves(
        {port: before.get(port, ()) for port in one.meant.ports},
        {port: after.get(port, ()) if port in changing else before.get(port, ()) for port in one.meant.ports},
    )


def index_pfc_priorities(switch: Switch) -> dict[str, tuple[int, ...]]:
    """The priorities with PFC on, by port."""
    return {name: tuple(sorted(port.pfc)) for port in switch.ports for name in port.names}


def list_changing_ports(one: Compared) -> tuple[str, ...]:
    """The ports that change; where only the switch as a whole does, those that carry a lossless priority."""
    changing = tuple(port for port in one.meant.ports if port in one.wanted)
    return changing or tuple(port for port, found in index_pfc_priorities(one.meant.switch).items() if found)


class DeviceChange(NamedTuple):
    """The change of devices that run and mean the same."""

    fixed: DeviceFix
    acts: tuple[Act, ...]
    left: int


def work_out_change(one: Compared, order: Sequence[str]) -> DeviceChange:
    """The change of a device as acts in order."""
    fixed = work_out_fix(one)
    system = part(one.found.vendor, "rollout")
    task = _make_task(one, find_pfc_moves(one), order)
    acts, after = system.plan_acts(fixed.change, task)
    if after is None:
        return DeviceChange(fixed, acts, _count_settings(fixed.left))
    rest = _compare_rest(one, after)
    if not rest.wanted:
        return DeviceChange(fixed, acts, 0)
    last = work_out_fix(rest)
    more = system.plan_acts(last.change, _make_task(rest, Moves({}, {}), order)).acts
    return DeviceChange(fixed, (*acts, *(act._replace(title=_LEFT) for act in more)), _count_settings(last.left))


def _make_task(one: Compared, moves: Moves, order: Sequence[str]) -> RolloutTask:
    wanted = {port: settings for port, settings in one.wanted.items() if NO_PORT not in settings}
    return RolloutTask(one.found.document, one.meant.text, one.meant.device, wanted, moves, tuple(order))


def _compare_rest(one: Compared, after: str) -> Compared:
    """What parts that were applied one by one leave over, on a device that runs what they lead to."""
    document = Document(one.found.document.number, one.found.document.path, after)
    switch = next(iter(read_switches(document, one.meant.device)))
    found = RunningConfiguration(document, one.found.vendor, switch, one.name, alone=True)
    return Compared(one.name, one.meant, found, wanted_of(SwitchComparer().find_differing(one.meant, switch)))


def _count_settings(wanted: Wanted) -> int:
    return sum(map(len, wanted.values()))


def make_part(one: Compared, worked: DeviceChange, label: str, *, moving: bool, refused: str | None = None) -> Part:
    """A device's part of a stage. `moving`: a lossless priority of its links moves, so nothing may use them.

    `refused`: why its system's model refuses what runs; "": it takes it; None: nobody knows.
    """
    ports = list_changing_ports(one)
    ends = Ends(one.found.document, worked.fixed.change.after, refused)
    around = part(one.found.vendor, "rollout").plan_safeguards(one.meant.device, worked.acts, ports, label, ends)
    drained = moving or needs_drain(worst_mark(act.step.mark for act in worked.acts))
    return Part(
        (one.name,),
        one.found.vendor,
        ports,
        find_pfc_moves(one).ports,
        around.save,
        around.drain if drained else (),
        worked.acts,
        around.undrain if drained else (),
        around.keep if worked.acts else (),
        around.keep_note if worked.acts else "",
        around.verify,
        around.back,
        around.back_note,
        worked.fixed.change.beyond,
        worked.left,
    )
