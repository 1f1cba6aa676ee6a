"""Partitions of the buffer, dedicated buffers, curves of drop profiles, and watchdogs that contradict each other."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.core.records import NamedTuple
from rocecfg.model import Span
from rocecfg.model.stated import Problem, Val
from rocecfg.vendors.junos.limits import OWN_CLASSES
from rocecfg.vendors.junos.reading.cos import Cos
from rocecfg.vendors.junos.reading.kinds import Kind
from rocecfg.vendors.junos.reading.queues import STRICT, marks_otherwise
from rocecfg.vendors.junos.reading.sorting import Sorter, queue_of

_CONTROL, _WHOLE = "network-control", 100  # percent


def check_partitions(cos: Cos) -> Iterator[Problem]:
    """Partitions that do not add up, or leave lossless traffic without room."""
    sides: dict[str, dict[str, Val]] = {}
    for (side, name), given in cos.partitions.items():
        if name and "percent" in given:
            sides.setdefault(side, {})[name] = given["percent"]
    for side, parts in sides.items():
        yield from _check_total(side, parts)
    yield from _check_lossless_room(sides.get("ingress", {}), sides.get("egress", {}))


def _check_total(side: str, parts: dict[str, Val]) -> Iterator[Problem]:
    """Partitions of one side that are more than the buffer, or, all of them stated, less."""
    total = sum(val.value for val in parts.values())
    first = next(iter(parts.values()))
    wording = " + ".join(f"{val.value}" for val in parts.values())
    whole = {"lossless", "lossless-headroom", "lossy"} if side == "ingress" else {"lossless", "lossy"}
    if total > 100 or (total < 100 and whole <= parts.keys()):
        refused = side == "ingress" or total > 100
        yield Problem(
            "junos-partitions",
            first.at,
            f"{side} partitions are {wording} = {total} percent of the shared buffer: "
            + ("they must add up to 100 (Juniper)" if refused else f"{100 - total} percent are unused"),
            "make them add up to 100",
            severity="error" if refused else "info",
        )


def _check_lossless_room(ingress: dict[str, Val], egress: dict[str, Val]) -> Iterator[Problem]:
    """Partitions that leave lossless traffic without headroom, or with less on its way out than on its way in."""
    room = ingress.get("lossless-headroom")
    if room is not None and room.value == 0 and "lossless" in ingress and ingress["lossless"].value > 0:
        yield Problem(
            "junos-partitions",
            room.at,
            f"lossless-headroom is 0 percent, with a lossless partition of {ingress['lossless'].value}: packets that "
            "arrive after a pause are dropped",
            "give headroom a share of the ingress buffer (24 percent in Juniper's validated design)",
            severity="error",
        )
    if "lossless" in ingress and "lossless" in egress and egress["lossless"].value < ingress["lossless"].value:
        yield Problem(
            "junos-partitions",
            egress["lossless"].at,
            f"the lossless partition is {egress['lossless'].value} percent at egress and {ingress['lossless'].value} "
            "at ingress: packets that ingress admits may be dropped at egress",
            "make the egress partition at least as large",
            severity="warning",
        )


class DedicatedProfiles(NamedTuple):
    """The dedicated-buffer-profiles of a switch."""

    stated: dict[str, Span]  # by name, where the first statement of each is
    sized: set[str]  # those that state a size
    bound: list[Val]  # names that ports have, wildcards among these ports


def collect_dedicated_profiles(cos: Cos) -> DedicatedProfiles:
    """The dedicated-buffer-profiles that there are, and those that ports have."""
    out = DedicatedProfiles({}, set(), [])
    for line in cos.lines:
        match line.words:
            case ("dedicated-buffer-profile", name, *rest):
                out.stated.setdefault(name, line.at)
                if "buffer-size" in rest:
                    out.sized.add(name)
            case ("interfaces", _, "dedicated-buffer-profile", name):
                out.bound.append(Val(name, line.at))
    return out


def check_dedicated_profiles(cos: Cos) -> Iterator[Problem]:
    """Dedicated-buffer-profiles that no port has, or without a size: the system's own sizes hold."""
    found = collect_dedicated_profiles(cos)
    bound = {val.value for val in found.bound}
    for name, at in found.stated.items():
        if name in bound and name in found.sized:
            continue
        size = f"set class-of-service dedicated-buffer-profile {name} egress buffer-size N, in cells"
        bind = f"set class-of-service interfaces PORT dedicated-buffer-profile {name}"
        if name in bound:
            what, fix = "states no buffer-size: its ports", size
        elif name in found.sized:
            what, fix = "is bound to no port: all ports", bind
        else:
            what, fix = "states no buffer-size and is bound to no port: all ports", f"{size}, and {bind}"
        yield Problem(
            "junos-dedicated-buffer",
            at,
            f"dedicated-buffer-profile {name} {what} keep the dedicated buffers that the system computes",
            f"{fix}; or delete class-of-service dedicated-buffer-profile {name}",
        )


def check_schedulers(cos: Cos, kinds: list[Kind], sorter: Sorter) -> Iterator[Problem]:
    """What is wrong with the schedulers of ports: marking, thresholds, strict queues."""
    maps = {kind.binding["map"].value for kind in kinds if "map" in kind.binding}
    moved = any(line.words[:2] == ("host-outbound-traffic", "forwarding-class") for line in cos.lines)
    for name in sorted(maps):
        yield from _check_network_control(cos, name) if not moved else ()
        for of, scheduler in cos.maps.get(name, {}).items():
            given = cos.schedulers.get(scheduler.value, {})
            queue = queue_of(cos, of, scheduler.at)
            if queue is None:
                continue
            if "threshold" in given and queue.value in sorter.lossless:
                yield Problem(
                    "junos-threshold",
                    given["threshold"].at,
                    f"buffer-dynamic-threshold of scheduler {scheduler.value} is for class {of}, which is no-loss: "
                    "lossless "
                    "queues do not have it (Juniper)",
                    f"delete class-of-service schedulers {scheduler.value} buffer-dynamic-threshold",
                )
            if "ecn" in given and "drops" not in given and not marks_otherwise(cos, scheduler.value):
                yield Problem(
                    "junos-ecn-no-profile",
                    given["ecn"].at,
                    f"scheduler {scheduler.value} has explicit-congestion-notification without a drop-profile-map: "
                    "ECN needs the fill levels of a drop profile, and without one it has no threshold",
                    f"set class-of-service schedulers {scheduler.value} drop-profile-map loss-priority any protocol "
                    "any "
                    "drop-profile NAME",
                )
            strict = given.get("priority")
            if (
                strict is not None
                and strict.value == STRICT
                and queue.value not in sorter.lossless
                and not {"percent", "rate", "shaped", "shaped percent"} & given.keys()
            ):
                yield Problem(
                    "junos-strict-unbounded",
                    strict.at,
                    f"scheduler {scheduler.value} of class {of} is strict-high without a shaping-rate: any sender of "
                    "packets for it can starve all other queues",
                    f"set class-of-service schedulers {scheduler.value} shaping-rate percent 5",
                )


def _check_network_control(cos: Cos, name: str) -> Iterator[Problem]:
    """A map whose classes take all there is, where the switch's own packets wait in a queue that it leaves out."""
    rows = cos.maps.get(name, {})
    if not (cos.whole or cos.classes):  # which queue each class is, another part says
        return
    queues = {queue.value for of in rows if (queue := queue_of(cos, of, rows[of].at)) is not None}
    shares = [given["percent"] for val in rows.values() if "percent" in (given := cos.schedulers.get(val.value, {}))]
    if OWN_CLASSES[_CONTROL][0] in queues or sum(share.value for share in shares) < _WHOLE:
        return
    yield Problem(
        "junos-unscheduled",
        next(iter(rows.values())).at,
        f"scheduler map {name} leaves out {_CONTROL} (queue {OWN_CLASSES[_CONTROL][0]}), which by default sends the "
        "switch's own BGP, BFD and LLDP, but its classes take 100 percent: no bandwidth is guaranteed to it",
        f"set class-of-service scheduler-maps {name} forwarding-class {_CONTROL} scheduler NAME, strict-high with a "
        "shaping-rate, or with a few percent taken from the others",
        severity="info",
    )


def check_watchdogs(cos: Cos, kinds: list[Kind]) -> Iterator[Problem]:
    """Profiles with different watchdog actions."""
    used = {kind.binding["profile"].value for kind in kinds if "profile" in kind.binding}
    actions: dict[str, Val] = {}
    for name in sorted(used):
        profile = cos.profiles.get(name)
        if profile is None or profile.watchdog is None:
            continue
        action = profile.watchdog.get("watchdog-action", Val("drop", profile.watched_at))
        actions.setdefault(action.value, action)
    if len(actions) > 1:
        first, second = list(actions.values())[:2]
        yield Problem(
            "junos-watchdog-action",
            second.at,
            f"profiles have the watchdog actions {first.value} and {second.value}: a switch has only one (Juniper)",
            "write the same watchdog-action in all profiles",
        )
