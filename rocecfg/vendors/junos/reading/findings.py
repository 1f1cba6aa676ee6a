"""What several statements show together, and why statements are not judged."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from rocecfg.model import Span
from rocecfg.model.stated import Problem, Val
from rocecfg.vendors.junos.limits import OWN_CLASSES
from rocecfg.vendors.junos.reading.cos import DSCP, TAG, Cos
from rocecfg.vendors.junos.reading.findings_buffers import (
    check_dedicated_profiles,
    check_partitions,
    check_schedulers,
    check_watchdogs,
    collect_dedicated_profiles,
)
from rocecfg.vendors.junos.reading.findings_pfc import check_classes, check_classified_ports, check_cnps, check_profiles
from rocecfg.vendors.junos.reading.findings_ports import check_ports
from rocecfg.vendors.junos.reading.idle import UsedObjects
from rocecfg.vendors.junos.reading.interfaces import Interface
from rocecfg.vendors.junos.reading.kinds import Kind
from rocecfg.vendors.junos.reading.routers import find_router_hint
from rocecfg.vendors.junos.reading.sorting import Sorter
from rocecfg.vendors.junos.reading.statements import Statement, join_words
from rocecfg.vendors.junos.reading.unread import list_scripts

Reported = dict[Span, str]


def find_problems(
    cos: Cos,
    kinds: list[Kind],
    missing: list[Statement],
    sorter: Sorter,
    of_ports: Mapping[str, Interface],
    lines: Sequence[Statement],
    *,
    whole: bool,
) -> tuple[tuple[Problem, ...], Reported]:
    """What is wrong, and why statements are not checked, by their place."""
    reported: Reported = {}
    found: list[Problem] = []
    for line in cos.unknown:
        reported[line.at] = f"`{join_words(line.words)[:100]}` is not a known statement of class-of-service"
        fix = "check what show | compare prints for it"
        one = f"{line.at.doc}:{line.at.start}"  # a statement of a group stands for each object that it applies to
        found.append(Problem("device-unknown", line.at, reported[line.at], fix, alike=one))
    for at, message, fix in cos.wrong:
        reported[at] = message
        found.append(Problem("device-value", at, message, fix))
    for line in missing if whole else ():
        message = f"apply-groups names group {line.words[-1]}, which is not defined"
        found.append(Problem("device-ref", line.at, message, "define it, or leave it out"))
    found += _find_undefined(cos, whole=whole)
    if whole:
        found += _find_unbound(cos, kinds)
    found += [
        Problem("device-unread" if line.words[0] == "interfaces" else "device-second-way", line.at, message)
        for line, message in list_scripts(lines)
    ]
    found += check_profiles(cos, kinds, sorter)
    found += check_classes(cos, kinds, sorter, whole=whole)
    found += check_classified_ports(cos, kinds, sorter)
    found += check_cnps(cos, kinds, sorter)
    if whole and not any("profile" in kind.binding for kind in kinds):
        found += _check_for_router(lines)
    if whole:
        found += check_ports(cos, kinds, sorter, of_ports)
        found += check_dedicated_profiles(cos)
    found += check_partitions(cos)
    found += check_schedulers(cos, kinds, sorter)
    found += check_watchdogs(cos, kinds)
    return tuple(dict.fromkeys(found)), reported


def _check_for_router(lines: Sequence[Statement]) -> Iterator[Problem]:
    """That a switch without PFC may be a router: its statements on queues are read as a QFX's."""
    perhaps = find_router_hint(lines)
    if perhaps is not None:
        yield Problem(
            "device-unread",
            perhaps.line.at,
            f"`{join_words(perhaps.line.words)[:80]}`: {perhaps.what}; queues and buffers are read as those of a QFX",
            "if it is not a QFX, leave its configuration out",
        )


def _find_undefined(cos: Cos, *, whole: bool) -> Iterator[Problem]:
    """Names that nothing defines: of a part of a configuration only where it defines others of the kind."""
    places: dict[tuple[str, str], dict[Span, None]] = {}
    for what, val, names, own in _list_names_used(cos):
        if val.value not in names and val.value not in own and (whole or names):
            places.setdefault((what, val.value), {})[val.at] = None
    for (what, name), (first, *more) in places.items():
        message = f"{what} {name[:60]} is named here but not defined"
        yield Problem("device-ref", first, message, "define it, or name another", places=tuple(more))


def _list_names_used(cos: Cos) -> Iterator[tuple[str, Val, Collection[str], Collection[str]]]:
    """Each name that is used: what it is of, what the text defines of that, and what the system has by itself."""
    defined: dict[str, tuple[str, Collection[str], Collection[str]]] = {
        "profile": ("congestion-notification-profile", cos.profiles, ()),
        "map": ("scheduler map", cos.maps, ()),
        "rewrite": ("rewrite rule", cos.rewrites, _OWN),
        "fixed": ("forwarding class", cos.classes, OWN_CLASSES),
    }
    for kind in (DSCP, TAG):
        defined[kind] = f"classifier {kind}", {name for of, name in cos.classifiers if of == kind}, _OWN
    for given in cos.bound.values():
        yield from ((what, given[key], names, own) for key, (what, names, own) in defined.items() if key in given)
    sized = collect_dedicated_profiles(cos)
    yield from (("dedicated-buffer-profile", val, sized.stated, ()) for val in sized.bound)
    for of in cos.maps.values():
        yield from (("scheduler", scheduler, cos.schedulers, ()) for scheduler in of.values())
    for scheduler in cos.schedulers.values():
        if "drops" in scheduler:
            yield "drop profile", scheduler["drops"], cos.drops, ()
    for codes in cos.classifiers.values():
        yield from (("forwarding class", val, cos.classes, OWN_CLASSES) for val in codes.values())


_OWN = frozenset({"default"})


def _find_unbound(cos: Cos, kinds: list[Kind]) -> Iterator[Problem]:
    """Profiles with PFC that no port has."""
    used = UsedObjects(cos, kinds)
    for name, profile in cos.profiles.items():
        if name not in used.profiles and (profile.input or profile.output):
            yield Problem(
                "device-unbound",
                profile.at,
                f"congestion-notification-profile {name} is bound to no port in use: it does nothing",
                f"bind it: set class-of-service interfaces NAME congestion-notification-profile {name}",
            )
