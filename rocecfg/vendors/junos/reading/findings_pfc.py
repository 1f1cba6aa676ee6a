"""Halves of PFC: profiles, no-loss classes and ports that do not go together."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.model.stated import Problem
from rocecfg.vendors.junos.limits import OBEYED, bits
from rocecfg.vendors.junos.reading.cos import DSCP, WIDTH, CongestionProfile, Cos
from rocecfg.vendors.junos.reading.findings_ports import find_missing_classifier
from rocecfg.vendors.junos.reading.kinds import Kind
from rocecfg.vendors.junos.reading.sorting import Sorter, find_paused_priorities, queue_of, split_by_pause

_CNP = 48  # DSCP of CNPs, as NICs send them unless told otherwise


def check_profiles(cos: Cos, kinds: list[Kind], sorter: Sorter) -> Iterator[Problem]:
    """What is wrong with the profiles of ports."""
    for kind in kinds:
        name = kind.binding.get("profile")
        profile = cos.profiles.get(name.value) if name is not None else None
        if name is None or profile is None:
            continue
        yield from _find_lossy_code_points(cos, kind, name.value, profile, sorter)
        yield from _find_partly_paused(cos, kind, name.value, profile, sorter)
        yield from _check_output(cos, kind, name.value, profile, sorter)
        if profile.watchdog is not None and not profile.output:
            yield Problem(
                "device-conflict",
                profile.watched_at,
                f"profile {name.value} has a pfc-watchdog but no output side: the watchdog watches the queues listed "
                "there, and commit refuses it without them",
                f"set class-of-service congestion-notification-profile {name.value} output ieee-802.1 code-point PPP "
                "flow-control-queue N for each no-loss class",
                severity="error",
            )
        if len(profile.code_point_kinds) > 1:
            yield Problem(
                "device-conflict",
                profile.at,
                f"profile {name.value} has PFC by DSCP and by 802.1p: a profile can have only one of them (Juniper)",
                "write one profile for each, and bind them to different ports",
            )


def _find_lossy_code_points(
    cos: Cos, kind: Kind, name: str, profile: CongestionProfile, sorter: Sorter
) -> Iterator[Problem]:
    """PFC for code points whose class is not lossless."""
    for (by, code), given in profile.input.items():
        classifier = kind.binding.get(by)
        codes = cos.classifiers.get((by, classifier.value)) if classifier is not None else None
        if "pfc" not in given or codes is None or classifier is None:
            continue
        of = codes.get(code)
        queue = queue_of(cos, of.value, of.at) if of is not None else None
        if of is not None and (queue is None or queue.value in sorter.lossless):
            continue
        words = f"{by} {bits(code, WIDTH[by])} ({code})"
        why = (
            f"classifier {classifier.value} maps it to class {of.value}, which is not no-loss"
            if of is not None
            else f"classifier {classifier.value} has no class for it, so it is best effort"
        )
        yield Problem(
            "junos-pfc-lossy",
            given["pfc"].at,
            f"profile {name} has PFC on for {words}, but {why}: these packets are not lossless",
            f"map {words} to a class with no-loss and a pfc-priority, or delete the code point from the profile",
        )


def _find_partly_paused(
    cos: Cos, kind: Kind, name: str, profile: CongestionProfile, sorter: Sorter
) -> Iterator[Problem]:
    """Code points of a no-loss class that are not paused, beside others of it that are."""
    for number, on, off in split_by_pause(cos, profile, kind.binding):
        if on and off:
            words = ", ".join(f"{code} ({bits(code, 6)})" for code in off)
            yield Problem(
                "junos-pfc-part",
                profile.input[DSCP, on[0]]["pfc"].at,
                f"profile {name} has PFC on for DSCP {', '.join(map(str, on))} of class {sorter.lossless[number][0]}, "
                f"but not for DSCP {words}, which is in that class too: nothing pauses those senders, and the class "
                "is no longer lossless",
                f"set class-of-service congestion-notification-profile {name} input dscp code-point "
                f"{bits(off[0], 6)} pfc",
            )


def _check_output(cos: Cos, kind: Kind, name: str, profile: CongestionProfile, sorter: Sorter) -> Iterator[Problem]:
    """The output side: whether the queues of what the switch pauses obey pauses themselves."""
    sent = find_paused_priorities(cos, profile, kind.binding, sorter.at)
    queues = {sorter.priority[queue].value: queue for queue in sorter.lossless}
    for priority, at in sent.items():
        queue = queues.get(priority)
        if queue is None:
            continue
        stopped = [val.value for val in profile.output.get(priority, [])]
        if not profile.output:
            if OBEYED.get(priority) == queue:
                continue
            yield Problem(
                "junos-no-output",
                at,
                f"profile {name} sends pauses of priority {priority} but has no output side: by default the system "
                f"obeys priorities 3 and 4 on queues 3 and 4, so queue {queue} keeps sending when the far end pauses "
                "it",
                f"set class-of-service congestion-notification-profile {name} output ieee-802.1 code-point "
                f"{bits(priority, 3)} flow-control-queue {queue}",
            )
        elif queue not in stopped:
            does = f"stops queue {', '.join(map(str, stopped))}" if stopped else "stops no queue"
            yield Problem(
                "junos-pause-queue",
                profile.output[priority][0].at if priority in profile.output else at,
                f"profile {name}: a pause of priority {priority} {does}, but the traffic that the switch pauses with "
                f"{priority} waits in queue {queue}: that queue keeps sending when the far end pauses it, and the far "
                "end drops packets",
                f"set class-of-service congestion-notification-profile {name} output ieee-802.1 code-point "
                f"{bits(priority, 3)} flow-control-queue {queue}",
            )
    if not sorter.lossless and profile.output and (cos.whole or cos.classes):
        first = next(iter(profile.output.values()))[0]
        yield Problem(
            "junos-obeys-only",
            first.at,
            f"profile {name} obeys pauses, but no forwarding class is no-loss: a pause from a host stops a queue "
            "without protection, which then drops packets",
            f"make the class of that queue no-loss, or delete congestion-notification-profile {name}",
        )


def check_classes(cos: Cos, kinds: list[Kind], sorter: Sorter, *, whole: bool) -> Iterator[Problem]:
    """No-loss classes without PFC, and those that pause each other."""
    sent = {
        priority
        for kind in kinds
        if "profile" in kind.binding and kind.binding["profile"].value in cos.profiles
        for priority in find_paused_priorities(
            cos, cos.profiles[kind.binding["profile"].value], kind.binding, sorter.at
        )
    }
    if any(
        find_missing_classifier(kind, cos.profiles[kind.binding["profile"].value])
        for kind in kinds
        if "profile" in kind.binding and kind.binding["profile"].value in cos.profiles
    ):
        whole = False  # whether PFC is on for a class is not known where its packets are not sorted: that is told
    by_priority: dict[int, list[str]] = {}
    for queue, (name, at) in sorter.lossless.items():
        priority = sorter.priority[queue].value
        stated = cos.classes[name].get("pfc-priority")
        if stated is not None:
            by_priority.setdefault(priority, []).append(name)
        if priority not in sent and whole and any(kind.names for kind in kinds):
            yield Problem(
                "junos-no-loss-unused",
                at.at,
                f"class {name} is no-loss, but no port has PFC on for it: its packets fill the lossless partition and "
                "are then dropped",
                "bind a congestion-notification-profile with its code points to the ports, or delete no-loss",
            )
    yield from _find_unnumbered(cos, kinds, sorter)
    for priority, names in by_priority.items():
        if len(names) > 1:
            yield Problem(
                "junos-shared-priority",
                cos.classes[names[1]]["pfc-priority"].at,
                f"classes {' and '.join(names)} share pfc-priority {priority}: congestion of one pauses both",
                "give each no-loss class a pfc-priority of its own, at both ends of every link",
            )


def _find_unnumbered(cos: Cos, kinds: list[Kind], sorter: Sorter) -> Iterator[Problem]:
    """No-loss classes that ports pause by DSCP, and no priority to pause them by."""
    by_dscp = {
        queue
        for kind in kinds
        if "profile" in kind.binding and kind.binding["profile"].value in cos.profiles
        for queue, on, _ in split_by_pause(cos, cos.profiles[kind.binding["profile"].value], kind.binding)
        if on
    }
    for queue, (name, at) in sorter.lossless.items():
        if queue in by_dscp and "pfc-priority" not in cos.classes[name]:
            yield Problem(
                "junos-pfc-number",
                at.at,
                f"PFC for class {name} uses DSCP, but the class has no pfc-priority: a pause frame has a priority and "
                "no DSCP, so it is unknown which one pauses this class",
                f"set class-of-service forwarding-classes class {name} pfc-priority N, the priority that its senders "
                "obey",
            )


def _may_be_uplink(kind: Kind) -> bool:
    """Whether ports lead to a switch by their description or, where that does not say, are routed."""
    routed = "layer" in kind.section and kind.section["layer"].value == 3
    return routed if kind.uplink is None else kind.uplink


def check_classified_ports(cos: Cos, kinds: list[Kind], sorter: Sorter) -> Iterator[Problem]:
    """Ports that sort into a lossless queue and have no PFC for it; classes that a port's map leaves out."""
    bare = [kind for kind in kinds if "map" in kind.binding and DSCP in kind.binding and kind.up is not False]
    with_pfc = any("profile" in kind.binding for kind in kinds)
    for kind in bare:
        codes = cos.classifiers.get((DSCP, kind.binding[DSCP].value), {})
        into = {queue_of(cos, val.value, val.at): val for val in codes.values()}
        led = {queue.value: val for queue, val in into.items() if queue is not None}
        lossless = [sorter.lossless[queue][0] for queue in led if queue in sorter.lossless]
        if lossless and with_pfc and _may_be_uplink(kind) and "profile" not in kind.binding:
            names = ", ".join(kind.names[:5]) + (f" and {len(kind.names) - 5} more" if len(kind.names) > 5 else "")
            yield Problem(
                "junos-port-bare",
                kind.binding["map"].at,
                f"{names} ({'to another switch' if kind.uplink else 'routed'}) classifies into no-loss class "
                f"{lossless[0]}, but has no congestion-notification-profile: the port neither sends nor obeys pauses, "
                "and congestion drops packets",
                "bind the profile of the other ports to it"
                + ("" if kind.uplink else "; a port that no RDMA crosses needs no classifier of the no-loss class"),
                severity=None if kind.uplink else "warning",
            )
        scheduled = cos.maps.get(kind.binding["map"].value)
        for val in led.values() if scheduled is not None else ():
            if scheduled is not None and val.value not in scheduled:
                yield Problem(
                    "junos-unscheduled",
                    kind.binding["map"].at,
                    f"scheduler map {kind.binding['map'].value} leaves out class {val.value}, which classifier "
                    f"{kind.binding[DSCP].value} maps packets to: no bandwidth is guaranteed to it",
                    f"set class-of-service scheduler-maps {kind.binding['map'].value} forwarding-class {val.value} "
                    "scheduler NAME",
                )


def check_cnps(cos: Cos, kinds: list[Kind], sorter: Sorter) -> Iterator[Problem]:
    """CNPs that wait with unmarked packets, on ports that pause RDMA."""
    for kind in kinds:
        name = kind.binding.get(DSCP)
        codes = cos.classifiers.get((DSCP, name.value)) if name is not None else None
        profile = cos.profiles.get(kind.binding["profile"].value) if "profile" in kind.binding else None
        if name is None or codes is None or profile is None or (DSCP, name.value) in cos.imports:
            continue
        of, plain = ((queue_of(cos, codes[n].value, codes[n].at) if n in codes else None) for n in (_CNP, 0))
        queue = of.value if of is not None else 0  # what a classifier leaves out is best effort
        if queue in sorter.lossless or queue != (plain.value if plain is not None else 0):
            continue
        if not find_paused_priorities(cos, profile, kind.binding, sorter.at):
            continue
        why = (
            f"maps DSCP {_CNP} to class {codes[_CNP].value}"
            if _CNP in codes
            else f"has no class for DSCP {_CNP}, so it is best effort"
        )
        yield Problem(
            "mix-cnp",
            codes[_CNP].at if _CNP in codes else name.at,
            f"classifier {name.value} {why}, like unmarked packets: by default NICs send CNPs with DSCP {_CNP}; "
            "behind bulk traffic they arrive late, and senders slow down late",
            f"set class-of-service classifiers dscp {name.value} forwarding-class CNP loss-priority low code-points "
            f"{bits(_CNP, 6)}, and give that class a strict-high scheduler with a shaping-rate",
        )
