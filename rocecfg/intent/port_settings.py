"""Ports as `model.PortGroup` has them, of what is stated there or wider: of an intent and of a running switch alike."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_time
from rocecfg.intent.precedence import overlay, pick, pick_plain, section, settle
from rocecfg.model import (
    AUTO,
    Computed,
    Default,
    Headroom,
    Origin,
    PortGroup,
    QosMaps,
    RunningPort,
    Span,
    TrafficClass,
    Watchdog,
)
from rocecfg.model.catalogue import list_plain
from rocecfg.model.stated import MISSING, OFF, TAKEN_BACK, Problem, Section
from rocecfg.physics.watchdog import usual_restoration

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Literal

Watched = tuple["Watchdog | None", "Origin | None"]  # a watchdog, and where it, or the word off, was said
_TRUST = Default("dscp: the marking that survives routing")
_PFC = Computed("priorities of the lossless classes that cross it")
ALL_CLASSES = Default("all classes of the device")
_PLAIN = list_plain("ports[]")
_FLOWCONTROL = Default("off: 802.3x and PFC exclude each other")


class CrossingClasses(NamedTuple):
    """What crosses ports."""

    names: tuple[str, ...]  # of classes, in the order of the device's
    paused: tuple[int, ...]  # priorities of the lossless ones, ascending
    at: Origin
    overrides: tuple[TrafficClass, ...] = ()  # classes that are not as on the device otherwise
    maps: QosMaps | None = None  # where classes are not sorted, or paused, as on the device otherwise


def cross_all(classes: Iterable[TrafficClass], at: Origin) -> CrossingClasses:
    """These classes, as the device has them."""
    found = tuple(classes)
    return CrossingClasses(tuple(c.name for c in found), tuple(sorted({c.priority for c in found if c.lossless})), at)


def build_port(
    names: tuple[str, ...],
    key: str,
    origins: dict[str, Origin],
    layers: tuple[Section, ...],
    crossing: CrossingClasses,
    watched: Watched,
    *,
    faces: str | None = None,
    running: RunningPort | None = None,
) -> PortGroup:
    """Ports, without what profiles make of them. `names`: () for every port, where none is named.

    `origins` has their own place. `layers`: what they say and inherit, narrowest first. `faces`: if none says it.
    """
    own = layers[0]
    origins |= {"trust": _TRUST, "flowcontrol": _FLOWCONTROL, "classes": crossing.at, "pfc": _PFC}
    plain: dict[str, Any] = {key: pick_plain(key, origins, *layers) or default for key, default in _PLAIN.items()}
    unreadable = next((layer["cable"] for layer in layers if "cable" in layer), None)
    if unreadable is not None and unreadable.value is MISSING:
        origins["cable"] = unreadable.at  # stated, if not readable: not missing
    dog, dog_at = watched
    headroom, headroom_at = _resolve_headroom(plain["speed"], *layers)
    origins |= {key: at for key, at in (("watchdog", dog_at), ("headroom", headroom_at)) if at is not None}
    return PortGroup(
        names=names,
        key=key,
        classes=crossing.names,
        pfc=crossing.paused,
        faces=pick_plain("faces", origins, *layers) or faces,
        cable=pick_plain("cable", origins, *layers),
        mtu=pick_plain("mtu", origins, *layers),
        watchdog=dog,
        headroom=headroom,
        lag=pick_plain("lag", origins, own),
        rail=pick_plain("rail", origins, own),
        macsec=_resolve_macsec(origins, own),
        implied=not names,
        overrides=crossing.overrides,
        maps=crossing.maps,
        running=running,
        origins=origins,
        **plain,
    )


def resolve_watchdog(problems: list[Problem], *layers: Section) -> Watched:
    """The watchdog that layers (widest first) amount to, and where it, or the word off, was said."""
    given: Section | str | None = None
    at: Span | None = None
    for layer in layers:
        pfc = layer.get("pfc")
        val = pfc if pfc is not None and pfc.value is MISSING else section(pfc).get("watchdog")
        if val is None:
            continue
        if val.value is TAKEN_BACK:
            given = at = None
            continue
        if val.value is MISSING:  # there, but unreadable: not absent
            given = "unreadable"
        elif isinstance(val.value, dict) and isinstance(given, dict):
            given = overlay(given, val.value)
        else:
            given = val.value
        at = val.at
    if given is None or at is None:
        return None, None
    if given == OFF:
        return None, at
    if not isinstance(given, dict):
        return Watchdog(None, None, None, None, vendor_default=given == "vendor-default", origins={"": at}), at
    return _resolve_timers(given, at, problems), at


def _resolve_timers(given: Section, at: Span, problems: list[Problem]) -> Watchdog:
    given = settle(given)
    origins: dict[str, Origin] = {"": at}
    detection = pick_plain("detection_time", origins, given, name="detection")
    restoration = pick_plain("restoration_time", origins, given, name="restoration")
    poll = pick_plain("poll_interval", origins, given, name="poll")
    action = pick_plain("action", origins, given)
    priorities = pick_plain("priorities", origins, given)
    if "detection_time" not in given:
        problems.append(
            Problem(
                "schema-required",
                at,
                "the watchdog has no detection_time",
                "write detection_time: 200ms, or watchdog: vendor-default",
            )
        )
    if "poll_interval" not in given:
        poll = 100
        origins["poll"] = Default("100 ms, what SONiC's orchagent and NVUE poll at by default")
    if "restoration_time" not in given and detection is not None:
        too_slow = poll is not None and poll > detection  # `watchdog-poll` tells: with another one it is twice
        restoration = usual_restoration(detection, None if too_slow else poll)
        whole = "" if restoration == 2 * detection else f", and in whole polls {show_time(restoration)}"
        origins["restoration"] = Computed(
            f"2 x detection_time = {show_time(2 * detection)}, as SONiC's `pfcwd start` does{whole}",
            (origins["detection"],) if not whole else tuple(origins[timer] for timer in ("detection", "poll")),
        )
    if "action" not in given:
        action = "drop"
        origins["action"] = Default("drop, the default of SONiC and the only action of NVUE")
    watched = tuple(sorted(v.value for v in priorities)) if priorities is not None else None
    return Watchdog(detection, restoration, poll, action, watched, origins=origins)


def _resolve_headroom(speed: int | None, *layers: Section) -> tuple[Headroom | Literal["auto"] | None, Origin | None]:
    """The headroom that the narrowest layer (first) states for ports of `speed` bit/s."""
    for layer in layers:
        val = section(layer.get("pfc")).get("headroom")
        if val is None or val.value is MISSING:
            continue
        if val.value is TAKEN_BACK:
            break
        by_speed = val.value.get("by_speed") if isinstance(val.value, dict) else None
        if by_speed is not None:
            val = by_speed.value.get(speed) if isinstance(by_speed.value, dict) else None
            if val is None:
                continue
        if val.value == AUTO:
            return AUTO, val.at
        if isinstance(val.value, int):
            return Headroom(val.value, origins={"size": val.at, "": val.at}), val.at
        if isinstance(val.value, dict) and pick("size", val.value) is not None:
            origins: dict[str, Origin] = {"": val.at}
            parts = [pick_plain(key, origins, val.value) for key in ("size", "xon", "xoff")]
            return Headroom(parts[0], parts[1], parts[2], origins), val.at
    return None, None


def _resolve_macsec(origins: dict[str, Origin], given: Section) -> str | None:
    """How PFC frames go over a port with MACsec: clear, encrypted, or unstated; None where it has none."""
    val = pick("macsec", given)
    if val is None:
        return None
    origins["macsec"] = val.at
    frames = section(val).get("pfc_frames")
    if frames is None:
        return "unstated"
    return None if frames.value is MISSING else str(frames.value)
