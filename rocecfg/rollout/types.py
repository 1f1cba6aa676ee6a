"""What a plan is made of: stages, in each the devices that take the same change, and what is done to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rocecfg.core.records import NamedTuple
from rocecfg.report.fates_json import LocatedFates
from rocecfg.vendors.changes import MARKS
from rocecfg.vendors.rollout import Act


class Part(NamedTuple):
    """Devices of a stage that take the same change."""

    devices: tuple[str, ...]
    vendor: str
    ports: tuple[str, ...]  # that change
    pfc: tuple[str, ...]  # of these, the ports whose PFC priorities change
    save: tuple[str, ...]  # commands, before anything else
    drain: tuple[str, ...]  # commands that take traffic away; (): not needed
    acts: tuple[Act, ...]
    undrain: tuple[str, ...]
    keep: tuple[str, ...]  # the one save, last of all; (): what puts the change in force saves it too
    keep_note: str  # what a reboot brings back before that
    verify: tuple[str, ...]  # commands
    back: tuple[str, ...]  # commands that return to what was saved
    back_note: str
    beyond: tuple[str, ...]  # what the change does not fix, and why
    left: int  # settings that differ even after it

    @property
    def mark(self) -> str:
        """The worst that the change disturbs."""
        return worst_mark(act.step.mark for act in self.acts)


class Stage(NamedTuple):
    """Devices that are changed together."""

    number: int
    title: str
    why: str
    given: bool  # by the intent's rollout.stages
    window: str | None  # when, in the intent's words
    parts: tuple[Part, ...]
    breaks: tuple[str, ...]  # what a stage that was given breaks
    hosts: tuple[str, ...]  # whose NICs change with it: a lossless priority of their ports moves
    together: tuple[str, ...]  # links whose ends change their lossless priority here, as `leaf01:Ethernet0 -- ...`
    split: tuple[str, ...]  # links whose ends differ in PFC until a later stage, though nothing lossless is lost
    validate: tuple[str, ...]  # counters, perftest, nccl-tests

    @property
    def devices(self) -> tuple[str, ...]:
        """All its devices."""
        return tuple(name for part in self.parts for name in part.devices)

    @property
    def mark(self) -> str:
        """The worst that it disturbs."""
        return worst_mark(part.mark for part in self.parts)


class Test(NamedTuple):
    """A test with RDMA traffic of one class."""

    cls: str
    dscp: int
    tos: int  # the byte: DSCP and ECT(0)
    perftest: tuple[str, ...]
    nccl: str


class Campaign(NamedTuple):
    """A test by a traffic generator: what it does, what must come of it, and its configuration."""

    device: str  # the switch that it is connected to
    file: str  # below the folder of the plan
    does: str
    expects: str
    config: Mapping[str, Any]


class Covered(NamedTuple):
    """How much of what is intended was compared with what runs."""

    settings: int  # over all ports and devices
    ports: int
    uncovered: int  # settings that were not: a statement was not understood, or a part does not say them
    statements: str = ""  # what became of those of what runs
    fates: LocatedFates | None = None  # the same, for programs


class Plan(NamedTuple):
    """The whole."""

    fabric: str
    origin: str | None  # the older intent; None: running configurations
    stages: tuple[Stage, ...]
    changes: tuple[str, ...]  # what differs, in words
    same: tuple[str, ...]
    absent: tuple[str, ...]
    gone: tuple[str, ...]
    tests: tuple[Test, ...]
    rollback: bool  # whether the way back is wanted
    notes: tuple[str, ...]
    refused: tuple[str, ...]
    campaigns: tuple[Campaign, ...] = ()
    covered: Covered | None = None  # None: an older intent says all


def worst_mark(marks: Iterable[str]) -> str:
    """The most disturbing of some marks; the least there is, for none."""
    found = [MARKS.index(mark) for mark in marks]
    return MARKS[max(found, default=0)]
