"""How a change is brought to a switch of one system and release: order, effect, save and way back, said once.

Each vendor's package has the `procedure` of a device. Notes and scripts of render, drift, plan and task lists of
Ansible ask it, and state none of it themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rocecfg.core.digits import is_number
from rocecfg.core.records import NamedTuple
from rocecfg.model import Device
from rocecfg.vendors.changes import HITLESS, MARKS, PORT_FLAP, Step

Release = tuple[int, ...]  # as far as it is numbers: 5.14 -> (5, 14); (): not known
LINES = "(the lines)"  # in a procedure: what is typed of the change itself


class Effect(NamedTuple):
    """What a kind of command disturbs when it is put in force, and who says so."""

    command: str  # a regular expression, from the beginning of the command
    mark: str  # one of MARKS
    why: str
    source: str
    since: Release = ()  # the first release that it holds for; (): all
    last: Release = ()  # the last one; (): all

    def holds_in(self, release: Release) -> bool:
        """Whether it holds in a release; in one that is not known it may."""
        known = release[:2]
        return not known or ((not self.since or known >= self.since) and (not self.last or known <= self.last))


class Save(NamedTuple):
    """What makes a change outlast a reboot."""

    lines: tuple[str, ...]  # commands; (): what puts it in force saves it too
    until: str  # what a reboot brings back before them
    unfinished: str  # of a script that stops before them: what is in force, and what brings the old back


class Procedure(NamedTuple):
    """How a change is applied. Commands in order; {label} stands for the name of what is set aside."""

    title: str  # what takes the whole change; "": it is applied in parts
    load: tuple[str, ...]  # makes it pending, LINES among them
    show: tuple[str, ...]  # what would change; nothing is in force
    commit: tuple[str, ...]  # put it in force
    minutes: int  # until what is not confirmed returns by itself; 0: it does not
    confirm: tuple[str, ...]
    save: Save
    aside: tuple[str, ...]  # before anything else: what is returned to
    drain: tuple[str, ...]
    undrain: tuple[str, ...]
    back: tuple[str, ...]
    back_note: str
    confirm_note: str = ""  # what is not known of how it is confirmed, and how to see it
    validating: str = ""  # commands that are refused where the system's model refuses what runs; "": none
    effects: tuple[Effect, ...] = ()  # the first that says something about a command counts
    unchecked: str = ""  # a regular expression: commands that no source was found for; "": none
    copy: str = ""  # copies FILE from here to SWITCH; "": notes say it themselves
    load_file: tuple[str, ...] = ()  # as `load`, of FILE, once it is there

    @property
    def way(self) -> str:
        """All of it up to the save, in one line."""
        begin = "; ".join((*self.load, *self.show, *self.commit))
        back = f" (it rolls back after {self.minutes} minutes)" if self.minutes else ""
        note = f" ({self.confirm_note})" if self.confirm_note else ""
        return f"{begin}{back}; then {'; '.join(self.confirm)} to keep it{note}" if self.confirm else begin

    @property
    def unlisted(self) -> Effect:
        """What a command disturbs that no effect is known of: as much as the worst of them, and no less than a port."""
        worst = max((PORT_FLAP, *(effect.mark for effect in self.effects)), key=MARKS.index)
        return Effect(
            "",
            worst,
            "its effect on traffic is unknown: drain the switch first",
            "none: no page was found for a command",
        )

    def find_effects(self, commands: Iterable[str]) -> list[Effect]:
        """What commands disturb, the worst first; each effect once."""
        found = dict.fromkeys(self._find_effect(line) for line in commands)
        return sorted(found, key=lambda effect: -MARKS.index(effect.mark))

    def _find_effect(self, command: str) -> Effect:
        return next((effect for effect in self.effects if re.match(effect.command, command)), None) or self.unlisted


class Disturbance(NamedTuple):
    """What a change disturbs, in all."""

    mark: str  # the worst
    why: str

    @property
    def drained(self) -> bool:
        """Whether the switch is to be drained for it."""
        return needs_drain(self.mark)

    @property
    def question(self) -> str:
        """What a script asks before it goes on."""
        asked = "Is the switch drained?" if self.drained else "Is this the window?"
        return f"{self.why[:1].upper()}{self.why[1:]}. {asked}"


def needs_drain(mark: str) -> bool:
    """Whether what disturbs so much needs a switch that is drained."""
    return MARKS.index(mark) >= MARKS.index(PORT_FLAP)


def judge_commands(procedure: Procedure, commands: Iterable[str]) -> Disturbance:
    """What commands disturb together; what disturbs nothing is named only where nothing else does."""
    lines = tuple(commands)
    found = procedure.find_effects(lines)
    named = [effect.why for effect in found if effect.mark != HITLESS] or [effect.why for effect in found]
    doubted = dict.fromkeys(line for line in lines if procedure.unchecked and re.match(procedure.unchecked, line))
    if doubted:
        named.append(f"no source was found for {', '.join(doubted)}: check that the switch accepts it")
    return Disturbance(found[0].mark, "; ".join(dict.fromkeys(named)))


def make_step(procedure: Procedure, commands: Iterable[str], lines: Iterable[str]) -> Step:
    """A change that is applied at once. `lines`: as they are typed; `commands`: each as what disturbs is known by."""
    disturbs = judge_commands(procedure, commands)
    return Step(procedure.way, disturbs.mark, disturbs.why, tuple(lines), save="; ".join(procedure.save.lines))


def in_release(effects: Sequence[Effect], release: Release) -> tuple[Effect, ...]:
    """The effects that hold in a release."""
    return tuple(effect for effect in effects if effect.holds_in(release))


def release_number(device: Device) -> Release:
    """The release of a device as numbers, as far as it has any."""
    return tuple(int(word) for word in (device.release or "").split(".") if is_number(word))
