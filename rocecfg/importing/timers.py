"""The PFC watchdog of ports, and its text where a wider level of the intent says a part of it already."""

from __future__ import annotations

from typing import Any

from rocecfg.core.records import NamedTuple
from rocecfg.importing.format import number, time
from rocecfg.importing.unsupported import Note
from rocecfg.model.stated import MISSING, OFF, Section, Val
from rocecfg.source.write import Value

_TIMES = ("detection_time", "restoration_time", "poll_interval")
_ACTIONS = ("drop", "forward", "alert", "errdisable")
_DEFAULT = "vendor-default"
_LONGEST = 86_400_000  # ms that an intent takes


class Timers(NamedTuple):
    """A watchdog, times in ms; or `word`: off, vendor-default."""

    word: str | None = None
    detection: float | None = None
    restoration: float | None = None  # None: twice the detection time, or nothing to be said
    poll: float | None = None
    action: str | None = None
    priorities: tuple[int, ...] | None = None  # None: those with PFC


NONE = Timers(OFF)


def timers(val: Val | None, pfc: tuple[int, ...]) -> tuple[Timers, list[Note]]:
    """The watchdog of ports with PFC on these priorities, and what of it an intent cannot say."""
    if val is None or val.value in (OFF, None, MISSING):
        return NONE, []
    if not isinstance(val.value, dict):
        return Timers(_DEFAULT), []
    said: Section = val.value
    notes: list[Note] = []

    def get(key: str) -> Any:
        part = said.get(key)
        return None if part is None or part.value is MISSING else part.value

    times: list[float | None] = []
    for key in _TIMES:
        ms = get(key)
        if ms is not None and not 0 <= ms <= _LONGEST:
            notes.append(Note(f"watchdog {key} {number(ms)} ms", said[key].at))
            ms = None
        times.append(ms)
    if "restoration_time" in said and get("restoration_time") is None:
        never = "after a storm the watchdog never gives the queue back by itself"
        notes.append(Note(never, said["restoration_time"].at))
    detection, restoration, poll = times
    if detection is None:
        return Timers(_DEFAULT), [*notes, Note("when the watchdog calls a pause a storm", val.at)]
    action, priorities = get("action"), get("priorities")
    watched = tuple(sorted(part.value for part in priorities)) if priorities is not None else None
    known = action if action in _ACTIONS else None
    return Timers(None, detection, restoration, poll, known, None if watched == pfc else watched), notes


def text(of: Timers, inherited: Timers, *, restores: bool = True) -> Value | None:
    """What has to be said of a watchdog where another is inherited; None: nothing.

    `restores`: whether the operating system has a restoration time; without one, any that is inherited does no harm.
    """
    if of == inherited:
        return None
    if of.word is not None:
        return of.word
    restoration = of.restoration
    if restoration is None and inherited.restoration is not None and restores and of.detection is not None:
        restoration = 2 * of.detection
    said: dict[str, Value] = {}
    for key, value, known in zip(_TIMES, (of.detection, restoration, of.poll), inherited[1:4], strict=True):
        if value is not None and value != known:
            said[key] = time(value)
    if of.action is not None and of.action != inherited.action:
        said["action"] = of.action
    return said or None
