"""The PFC watchdog of ports, and its text where a wider level of the intent says a part of it already."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import MS
from rocecfg.importing.format import format_number, format_time
from rocecfg.importing.unsupported import Unsaid, first_span
from rocecfg.model import Origin, Span, Watchdog
from rocecfg.model.catalogue import list_fields
from rocecfg.model.stated import OFF
from rocecfg.source.write import Value

_TIMES = list_fields("watchdog", MS)
_ACTIONS = ("drop", "forward", "alert", "errdisable")
_DEFAULT = "vendor-default"
_LONGEST = 86_400_000  # ms that an intent takes


class WatchdogText(NamedTuple):
    """A watchdog, times in ms; or `word`: off, vendor-default."""

    word: str | None = None
    detection: float | None = None
    restoration: float | None = None  # None: twice the detection time, or nothing to be said
    poll: float | None = None
    action: str | None = None
    priorities: tuple[int, ...] | None = None  # None: those with PFC


NONE = WatchdogText(OFF)


def express_timers(dog: Watchdog | None, pfc: tuple[int, ...], where: Origin) -> tuple[WatchdogText, list[Unsaid]]:
    """The watchdog of ports with PFC on these priorities, stated at `where`, and what of it an intent cannot say."""
    if dog is None or not (dog.vendor_default or _is_stated(dog, "detection", "action")):
        return NONE, []  # none, or none that can be read
    if dog.vendor_default:
        return WatchdogText(_DEFAULT), []
    notes: list[Unsaid] = []
    times: list[float | None] = []
    for key, field in _TIMES.items():
        ms = getattr(dog, field) if _is_stated(dog, field) else None
        if ms is not None and not 0 <= ms <= _LONGEST:
            notes.append(Unsaid(f"watchdog {key} {format_number(ms)} ms", first_span(dog.at(field))))
            ms = None
        times.append(ms)
    if dog.restoration is None and _is_stated(dog, "restoration"):
        never = "after a storm the watchdog never restores the queue by itself"
        notes.append(Unsaid(never, first_span(dog.at("restoration"))))
    detection, restoration, poll = times
    if detection is None:
        return WatchdogText(_DEFAULT), [*notes, Unsaid("when the watchdog detects a pause storm", first_span(where))]
    known = dog.action if dog.action in _ACTIONS and _is_stated(dog, "action") else None
    return WatchdogText(
        None, detection, restoration, poll, known, None if dog.priorities == pfc else dog.priorities
    ), notes


def _is_stated(dog: Watchdog, *fields: str) -> bool:
    """Whether the configuration says one of these, and they are not the format's default."""
    return any(isinstance(dog.origins.get(field), Span) for field in fields)


def format_timers(of: WatchdogText, inherited: WatchdogText, *, restores: bool = True) -> Value | None:
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
    given: dict[str, Value] = {}
    for key, value, known in zip(_TIMES, (of.detection, restoration, of.poll), inherited[1:4], strict=True):
        if value is not None and value != known:
            given[key] = format_time(value)
    if of.action is not None and of.action != inherited.action:
        given["action"] = of.action
    return given or None
