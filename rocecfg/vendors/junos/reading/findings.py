"""What several statements show together, and why statements are not judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from rocecfg.model import Span
from rocecfg.model.stated import Problem, Val
from rocecfg.vendors.junos.limits import OWN_CLASSES
from rocecfg.vendors.junos.reading.cos import DSCP, TAG, Cos
from rocecfg.vendors.junos.reading.findings_buffers import curves, dedicated, dedicated_profiles, partitions, watchdogs
from rocecfg.vendors.junos.reading.findings_pfc import classes, cnps, ports, profiles
from rocecfg.vendors.junos.reading.findings_ports import port_findings
from rocecfg.vendors.junos.reading.idle import Used
from rocecfg.vendors.junos.reading.interfaces import Interface
from rocecfg.vendors.junos.reading.kinds import Kind
from rocecfg.vendors.junos.reading.routers import perhaps_router
from rocecfg.vendors.junos.reading.sorting import Sorter
from rocecfg.vendors.junos.reading.statements import Statement, written

Reported = dict[Span, str]


def findings(
    cos: Cos,
    kinds: list[Kind],
    missing: list[Statement],
    sorter: Sorter,
    of_ports: Mapping[str, Interface],
    lines: Sequence[Statement],
    *,
    whole: bool,
) -> tuple[tuple[Problem, ...], Reported]:
    """What is wrong, and why statements are not judged, by their place."""
    reported: Reported = {}
    found: list[Problem] = []
    for line in cos.unknown:
        reported[line.at] = f"`{written(line.words)[:100]}` is no statement of class-of-service that is known"
        found.append(Problem("device-unknown", line.at, reported[line.at], "see what show | compare says of it"))
    for at, message, fix in cos.wrong:
        reported[at] = message
        found.append(Problem("device-value", at, message, fix))
    for line in missing if whole else ():
        message = f"apply-groups names group {line.words[-1]}, which nothing defines"
        found.append(Problem("device-ref", line.at, message, "define it, or leave it out"))
    found += _undefined(cos, whole=whole)
    if whole:
        found += _unbound(cos, kinds)
    found += profiles(cos, kinds, sorter)
    found += classes(cos, kinds, sorter, whole=whole)
    found += ports(cos, kinds, sorter)
    found += cnps(cos, kinds, sorter)
    if whole and not any("profile" in kind.binding for kind in kinds):
        found += _perhaps_router(lines)
    if whole:
        found += port_findings(cos, kinds, sorter, of_ports)
        found += dedicated(cos)
    found += partitions(cos)
    found += curves(cos, kinds, sorter)
    found += watchdogs(cos, kinds)
    return tuple(dict.fromkeys(found)), reported


def _perhaps_router(lines: Sequence[Statement]) -> Iterator[Problem]:
    """That a switch without PFC may be a router: its statements on queues are read as a QFX's."""
    perhaps = perhaps_router(lines)
    if perhaps is not None:
        yield Problem(
            "device-unread",
            perhaps.line.at,
            f"`{written(perhaps.line.words)[:80]}`: {perhaps.what}; queues and buffers are read as those of a QFX",
            "if it is no QFX, leave its configuration out",
        )


def _undefined(cos: Cos, *, whole: bool) -> Iterator[Problem]:
    """Names that nothing defines: of a part of a configuration only where it defines others of the kind."""
    seen: set[tuple[str, str]] = set()
    for what, val, known in _named(cos):
        names = known()
        if val.value in names or not (whole or names) or (what, val.value) in seen:
            continue
        seen.add((what, val.value))
        message = f"{what} {val.value[:60]} is named here, and nothing defines it"
        yield Problem("device-ref", val.at, message, "define it, or name another")


def _named(cos: Cos) -> Iterator[tuple[str, Val, Callable[[], set[str]]]]:
    """Each name that is used: what it is of, and what there is of that."""
    defined: dict[str, tuple[str, set[str]]] = {
        "profile": ("congestion-notification-profile", set(cos.profiles)),
        "map": ("scheduler map", set(cos.maps)),
        "rewrite": ("rewrite rule", {*cos.rewrites, "default"}),
    }
    for kind in (DSCP, TAG):
        defined[kind] = f"classifier {kind}", {"default", *(name for of, name in cos.classifiers if of == kind)}
    for given in cos.bound.values():
        for key, (what, names) in defined.items():
            if key in given:
                yield what, given[key], lambda names=names: names  # type: ignore[misc]
    sized = dedicated_profiles(cos)
    yield from (("dedicated-buffer-profile", val, lambda: set(sized.stated)) for val in sized.bound)
    classes = {*cos.classes, *OWN_CLASSES}
    for given in cos.bound.values():
        if "fixed" in given:
            yield "forwarding class", given["fixed"], lambda: classes
    for of in cos.maps.values():
        yield from (("scheduler", scheduler, lambda: set(cos.schedulers)) for scheduler in of.values())
    for own in cos.schedulers.values():
        if "drops" in own:
            yield "drop profile", own["drops"], lambda: set(cos.drops)
    for codes in cos.classifiers.values():
        yield from (("forwarding class", val, lambda: classes) for val in codes.values())


def _unbound(cos: Cos, kinds: list[Kind]) -> Iterator[Problem]:
    """Profiles with PFC that no port has."""
    used = Used(cos, kinds)
    for name, profile in cos.profiles.items():
        if name not in used.profiles and (profile.input or profile.output):
            yield Problem(
                "device-unbound",
                profile.at,
                f"congestion-notification-profile {name} is bound to no port in use: it does nothing",
                f"bind it: set class-of-service interfaces NAME congestion-notification-profile {name}",
            )
