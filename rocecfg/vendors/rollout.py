"""What a vendor's `rollout` is asked, and what it gives: a device's change in order, and what goes around it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device
from rocecfg.source.document import Document
from rocecfg.vendors.changes import Change, Step, Wanted, without_save
from rocecfg.vendors.procedure import Procedure

TITLES = {  # of the parts of a change: model.catalogue.PHASES
    "map": "Maps and trust",
    "buffers": "Buffers and headroom",
    "ecn": "ECN and scheduling",
    "watchdog": "Watchdog",
    "pfc": "PFC",
}


class Moves(NamedTuple):
    """The ports whose PFC priorities change: what they were and what they become."""

    before: Mapping[str, tuple[int, ...]]
    after: Mapping[str, tuple[int, ...]]

    @property
    def ports(self) -> tuple[str, ...]:
        """In the intent's order."""
        return tuple(port for port in self.after if self.before.get(port, ()) != self.after[port])

    @property
    def shrinks(self) -> bool:
        """Whether PFC is only taken away."""
        return all(set(self.after[port]) < set(self.before.get(port, ())) for port in self.ports)


class RolloutTask(NamedTuple):
    """What a device runs and is to run."""

    running: Document
    meant: str  # the text that is rendered for it
    device: Device  # what that is rendered for
    wanted: Wanted  # the settings that are to become as meant
    moves: Moves  # of these, PFC
    order: tuple[str, ...]  # of PHASES


class Act(NamedTuple):
    """One thing that is done on a device."""

    title: str
    step: Step


class Ends(NamedTuple):
    """What a device runs before a change, and after it."""

    before: Document
    after: str
    refused: str | None = None  # why the system's own model refuses what runs; "": it takes it; None: nobody knows


class Acts(NamedTuple):
    """All that is done on a device, in order."""

    acts: tuple[Act, ...]
    after: str | None = None  # what they lead to, where the change was worked out anew part by part; None: as it was


class Safeguards(NamedTuple):
    """What is done around a change on one system."""

    save: tuple[str, ...]
    drain: tuple[str, ...]
    undrain: tuple[str, ...]
    keep: tuple[str, ...]  # the one save, last of all, when traffic is back; (): what puts it in force saves it too
    keep_note: str  # what a reboot brings back before that
    verify: tuple[str, ...]
    back: tuple[str, ...]
    back_note: str


PlanActs = Callable[[Change, RolloutTask], Acts]
PlanSafeguards = Callable[[Device, Sequence[Act], tuple[str, ...], str, Ends], Safeguards]


def at_once(
    procedure_of: Callable[[Device], Procedure], verify: Callable[[Device, tuple[str, ...]], Sequence[str]]
) -> tuple[PlanActs, PlanSafeguards]:
    """`plan_acts` and `plan_safeguards` of a system that takes a change at once: all of it is in force, or none.

    Its acts save nothing: traffic is not back yet. `verify`: the commands that show how some ports work.
    """

    def plan_acts(change: Change, task: RolloutTask) -> Acts:
        title = procedure_of(task.device).title
        return Acts(tuple(Act(title, step) for step in without_save(change.steps)))

    def plan_safeguards(device: Device, _: Sequence[Act], ports: tuple[str, ...], label: str, __: Ends) -> Safeguards:
        return make_safeguards(procedure_of(device), verify(device, ports), label)

    return plan_acts, plan_safeguards


def make_safeguards(procedure: Procedure, verify: Sequence[str], label: str) -> Safeguards:
    """What a system's procedure has around a change. `label`: names what is set aside."""
    aside, back = ([line.format(label=label) for line in lines] for lines in (procedure.aside, procedure.back))
    return Safeguards(
        save=tuple(aside),
        drain=procedure.drain,
        undrain=procedure.undrain,
        keep=procedure.save.lines,
        keep_note=procedure.save.until,
        verify=tuple(verify),
        back=tuple(back),
        back_note=procedure.back_note,
    )
