"""Ports on which something else holds than their neighbours show: no classifier, passed over, a larger packet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rocecfg.model import Span
from rocecfg.model.stated import Problem
from rocecfg.vendors.junos.limits import ETHERNET, OBEYED, OWN_MTU, TAG
from rocecfg.vendors.junos.reading.binding import is_pattern
from rocecfg.vendors.junos.reading.cos import WIDTH, CongestionProfile, Cos
from rocecfg.vendors.junos.reading.interfaces import Interface
from rocecfg.vendors.junos.reading.kinds import Kind
from rocecfg.vendors.junos.reading.sorting import Sorter, queue_of

_NAMES = 5  # of ports in one message


def find_missing_classifier(kind: Kind, profile: CongestionProfile) -> str | None:
    """By what a profile of these ports pauses, where they have no classifier for that; None where they have."""
    by = {of for (of, _), given in profile.input.items() if "pfc" in given}
    if "fixed" in kind.binding or kind.up is False:
        return None
    return next((of for of in WIDTH if of in by and of not in kind.binding), None)


def check_ports(cos: Cos, kinds: list[Kind], sorter: Sorter, ports: Mapping[str, Interface]) -> Iterator[Problem]:
    """All of these."""
    yield from _check_classifiers(cos, kinds)
    for kind in kinds:
        profile = _profile_of(cos, kind)
        if profile is not None:
            yield from _find_lossy_obeying(cos, kind, profile, sorter)
    yield from _find_passed_over(cos, kinds)
    yield from _check_family_mtu(ports)


def _profile_of(cos: Cos, kind: Kind) -> CongestionProfile | None:
    name = kind.binding.get("profile")
    return cos.profiles.get(name.value) if name is not None else None


def _format_names(names: Sequence[str]) -> str:
    return ", ".join(names[:_NAMES]) + (f" and {len(names) - _NAMES} more" if len(names) > _NAMES else "")


def _check_classifiers(cos: Cos, kinds: list[Kind]) -> Iterator[Problem]:
    """Profiles on ports that do not sort by what they pause for: one finding for each place where one is bound."""
    found: dict[tuple[Span, str, str], list[str]] = {}
    for kind in kinds:
        profile = _profile_of(cos, kind)
        by = find_missing_classifier(kind, profile) if profile is not None else None
        if by is not None:
            bound = kind.binding["profile"]
            found.setdefault((bound.at, bound.value, by), []).extend(kind.names)
    for (at, name, by), ports in found.items():
        words = {"dscp": "DSCP", "ieee-802.1": "802.1p value"}[by]
        port = ports[0] if len(ports) == 1 else "PORT"
        yield Problem(
            "junos-no-classifier",
            at,
            f"{_format_names(ports)}: profile {name} pauses by {words}, but no {by} classifier is bound: no packet "
            "lands in the no-loss class here, and PFC protects none",
            f"set class-of-service interfaces {port} unit * classifiers {by} NAME, as on other ports",
        )


def _find_lossy_obeying(cos: Cos, kind: Kind, profile: CongestionProfile, sorter: Sorter) -> Iterator[Problem]:
    """Lossy classes on queues that obey pauses by themselves, since the profile has no output side."""
    if profile.output or not profile.input or not sorter.lossless:
        return
    for name, given in cos.classes.items():
        queue = queue_of(cos, name, sorter.at)
        if queue is None or queue.value in sorter.lossless or queue.value not in OBEYED.values():
            continue
        priority = next(each for each, stopped in OBEYED.items() if stopped == queue.value)
        yield Problem(
            "junos-lossy-obeys",
            given["queue"].at if "queue" in given else queue.at,
            f"class {name} is lossy and on queue {queue.value}, Juniper's default lossless queue: profile "
            f"{kind.binding['profile'].value} has no output side, so a received pause of priority {priority} stops "
            "this queue",
            "state the output side (then only queues of no-loss classes obey), or move the class to another queue",
        )


def _find_passed_over(cos: Cos, kinds: list[Kind]) -> Iterator[Problem]:
    """Ports to other switches of which class-of-service says nothing, where its wildcards give others PFC."""
    wild = _list_wildcards(cos)
    if not any(_profile_of(cos, kind) is not None for kind in kinds):
        return
    for kind in kinds:
        if is_passed_over(cos, kind) and kind.names and kind.up is not False:
            yield Problem(
                "junos-passed-over",
                kind.at,
                f"{_format_names(kind.names)}: connects to another switch, but no entry of class-of-service "
                f"interfaces matches this name ({', '.join(wild[:_NAMES])}, which has PFC, does not): RDMA is lossy "
                "on this link",
                "set class-of-service interfaces for it too, or take RDMA off this link",
            )


def _list_wildcards(cos: Cos) -> list[str]:
    return [name for name, given in cos.bound.items() if is_pattern(name) and "profile" in given]


def is_passed_over(cos: Cos, kind: Kind) -> bool:
    """Whether these lead to another switch, and fit no name of class-of-service, whose wildcards give others PFC."""
    return bool(kind.uplink and not kind.binding and _list_wildcards(cos))


def _check_family_mtu(ports: Mapping[str, Interface]) -> Iterator[Problem]:
    """An MTU of IP for which the physical one has no room."""
    for name, port in ports.items():
        own = port.stated.get("mtu")
        if own is None or "lag" in port.stated:
            continue
        physical = port.stated["physical"].value if "physical" in port.stated else OWN_MTU
        tags = port.stated["tags"].value if "tags" in port.stated else 0
        room = physical - ETHERNET - TAG * tags
        if own.value > room:
            stated = "" if "physical" in port.stated else ", the system's own,"
            yield Problem(
                "junos-family-mtu",
                own.at,
                f"{name}: an IP packet of {own.value} B does not fit: physical MTU {physical} B{stated} - "
                f"{physical - room} B of Ethernet header{' and tags' if tags else ''} = {room} B",
                f"set interfaces {name} mtu {own.value + physical - room}, or lower the family's",
            )
