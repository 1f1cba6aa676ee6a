"""What several statements show together, and why statements are not judged."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.core.units import show_size
from rocecfg.model import Span
from rocecfg.model.stated import Problem, Val
from rocecfg.vendors.srlinux.limits import DEFAULT_MAP, OWN_RESERVATION
from rocecfg.vendors.srlinux.reading.kinds import Kind
from rocecfg.vendors.srlinux.reading.objects import OWN_CLASS, OWN_PFC_QUEUE, OWN_QUEUE, Objects
from rocecfg.vendors.srlinux.reading.queues import find_limit, find_slope, read_groups, read_headroom
from rocecfg.vendors.srlinux.reading.sorting import Sorter
from rocecfg.vendors.srlinux.reading.statements import join_words

Reported = dict[Span, str]
_SENDERS = 2  # the fewest ports that make a queue grow beyond what one of them may hold back
_MOST = 7  # pfc-mapping-profile: max-elements
_DEFAULT = "default"  # of each kind of profile the system has one
_NAMED = {  # what a row of an interface names: what it is of, and its kind
    "mapping": ("pfc-mapping-profile", "mappings"),
    "groups": ("buffer-allocation-profile", "allocations"),
    "limits": ("buffer-allocation-profile", "allocations"),
    "scheduler": ("scheduler-policy", "schedulers"),
    "dscp": ("dscp-policy", "dscp"),
    "ipv4": ("dscp-policy", "dscp"),
    "ipv6": ("dscp-policy", "dscp"),
    "dot1p": ("dot1p-policy", "dot1p"),
    "rewrite": ("rewrite-rules dscp-policy", "rewrites"),
}
_QUEUE, _CLASS, _PFC_QUEUE = "queue", "forwarding-class", "pfc-queue"


def find_problems(
    objects: Objects,
    kinds: list[Kind],
    sorter: Sorter,
    *,
    whole: bool,
) -> tuple[tuple[Problem, ...], Reported]:
    """What is wrong, and why statements are not checked, by their place."""
    reported: Reported = {}
    found: list[Problem] = []
    for line in objects.unknown:
        reported[line.at] = f"`{join_words(line.words)[:100]}` is in no list of what rocecfg knows below qos"
        found.append(Problem("device-unknown", line.at, reported[line.at], "check what commit validate says of it"))
    for at, message, fix in objects.wrong:
        reported[at] = message
        found.append(Problem("device-value", at, message, fix))
    for line, row in objects.unjudged:
        reported[line.at] = row.unjudged
        found.append(Problem("device-unread", line.at, row.unjudged))
    found += _find_undefined(objects, whole=whole)
    if whole:
        found += _find_unbound(objects)
    found += _check_pfc(objects, kinds, sorter, whole=whole)
    found += _check_marking(objects, kinds, whole=whole)
    found += _check_limits(objects, kinds, sorter)
    found += _check_buffers(objects, kinds, whole=whole)
    found += _check_rows(kinds, sorter, whole=whole)
    return tuple(dict.fromkeys(found)), reported


def _find_undefined(objects: Objects, *, whole: bool) -> Iterator[Problem]:
    """Names that nothing defines: of a part of a configuration only where it defines others of the kind."""
    places: dict[tuple[str, str], dict[Span, None]] = {}
    for what, kind, val in _list_names_used(objects):
        own = {_QUEUE: OWN_QUEUE, _CLASS: OWN_CLASS, _PFC_QUEUE: OWN_PFC_QUEUE}.get(what)
        reserved = (
            val.value == _DEFAULT if own is None else own.fullmatch(val.value) or val.value.startswith("multicast-")
        )
        if not reserved and (val.value,) not in objects.of(kind) and (whole or objects.of(kind)):
            places.setdefault((what, val.value), {})[val.at] = None
    for (what, name), (first, *more) in places.items():
        message = f"{what} {name[:60]} is named here but not defined"
        yield Problem("device-ref", first, message, "define it, or name another", places=tuple(more))


def _list_names_used(objects: Objects) -> Iterator[tuple[str, str, Val]]:
    """Each name that is used: what it is of, the kind of what defines it, and where."""
    for row in objects.of("bound").values():
        yield from ((*_NAMED[key], val) for key, val in row.items() if key in _NAMED)
    for row in objects.of("bound-queues").values():
        yield from (("queue-management-profile", "managements", val) for val in row.values())
    for kind in ("dscp", "dot1p"):
        yield from ((_CLASS, "classes", own["class"]) for own in objects.of(kind).values() if "class" in own)
    for own in objects.of("sent").values():
        yield from ((_CLASS, "classes", val) for val in own.several.get("classes[]", []))
    yield from ((_QUEUE, "queues", own["queue"]) for own in objects.of("classes").values() if "queue" in own)
    yield from ((_QUEUE, "queues", own["queue"]) for own in objects.of("inputs").values() if "queue" in own)
    for kind, what, defined in (
        ("obeyed", _QUEUE, "queues"),
        ("limits", _QUEUE, "queues"),
        ("bound-queues", _QUEUE, "queues"),
        ("sent", _PFC_QUEUE, "pfc-queues"),
        ("groups", _PFC_QUEUE, "pfc-queues"),
    ):
        yield from ((what, defined, Val(names[1], own.at)) for names, own in objects.of(kind).items())


def _find_unbound(objects: Objects) -> Iterator[Problem]:
    """Profiles that no port has."""
    used: set[tuple[str, str]] = set()
    for row in objects.of("bound").values():
        used.update((_NAMED[key][1], val.value) for key, val in row.items() if key in _NAMED)
    for row in objects.of("bound-queues").values():
        used.update(("managements", val.value) for val in row.values())
    for kind, what in (
        ("mappings", "pfc-mapping-profile"),
        ("managements", "queue-management-profile"),
        ("allocations", "buffer-allocation-profile"),
        ("schedulers", "scheduler-policy"),
    ):
        for names, own in objects.of(kind).items():
            if (kind, names[0]) not in used:
                message = f"{what} {names[0][:60]} is bound to no port: it does nothing"
                yield Problem("device-unbound", own.at, message, "bind it below qos interfaces, or remove it")


def _check_pfc(objects: Objects, kinds: list[Kind], sorter: Sorter, *, whole: bool) -> Iterator[Problem]:
    off: dict[Span, int] = {}
    unmapped: dict[Span, int] = {}
    for kind in kinds:
        given = kind.binding.port
        mapping, on = given.get("mapping"), given.get("pfc")
        if mapping is not None and (on.value is False if on is not None else whole):
            off[(on or mapping).at] = off.get((on or mapping).at, 0) + len(kind.names)
        if whole and on is not None and on.value and (mapping is None or mapping.value == _DEFAULT):
            unmapped[on.at] = unmapped.get(on.at, 0) + len(kind.names)
    unused = whole and not any(k.binding.port["pfc"].value for k in kinds if "pfc" in k.binding.port)
    if off or (unused and objects.of("mappings")):
        places = list(off) or [own.at for own in objects.of("mappings").values()]
        count = f"{sum(off.values())} port{'s' * (sum(off.values()) > 1)}" if off else "any port"
        yield Problem(
            "srlinux-pfc-off",
            places[0],
            f"a pfc-mapping-profile is there, but pfc-enable is not true on {count}: no pause is sent or obeyed there, "
            "and RDMA is lossy",
            "bind the profile and set pfc-enable true at each port",
            places=tuple(places[1:]),
        )
    for at in list(unmapped)[:1]:
        yield Problem(
            "srlinux-no-mapping",
            at,
            "pfc-enable is true, but no pfc-mapping-profile is bound: the default one holds, which no text states",
            "bind a pfc-mapping-profile of your own",
            places=tuple(list(unmapped)[1:]),
        )
    told = set()
    for kind in kinds:
        profile, on = sorter.pfc_of(kind.binding), kind.binding.port.get("pfc")
        if profile is None or on is None or not on.value:
            continue
        for queue, at in profile.empty:
            if at not in told:
                told.add(at)
                yield Problem(
                    "srlinux-pfc-queue",
                    at,
                    f"no forwarding class and no 802.1p value fills pfc-queue {queue[:40]}: it sends no pause",
                    "name the class of RDMA: forwarding-class below the pfc-queue",
                )


def _check_marking(objects: Objects, kinds: list[Kind], *, whole: bool) -> Iterator[Problem]:
    """Slopes that mark, while ECN is off on the whole switch, or both units of thresholds are there."""
    globally = objects.get("system") is not None
    for (profile, *_), slope in objects.of("slopes").items():
        both = {"kmin", "kmax"} & slope.keys() and {"kmin%", "kmax%"} & slope.keys()
        if both:
            message = (
                f"queue-management-profile {profile[:40]} has thresholds in bytes and in percent: SR Linux refuses both"
            )
            yield Problem("device-conflict", slope.at, message, "keep one unit")
    marking = []
    for kind in kinds:
        for val in kind.binding.managements.values():
            found = find_slope(objects, val.value, marking=True)
            if found is not None:
                marking.append(found.at)
    if whole and marking and not globally:
        yield Problem(
            "srlinux-ecn-off",
            marking[0],
            "a slope with enable-ecn is bound, but explicit-congestion-notification is missing: ECN is off on all "
            "interfaces",
            "set / qos explicit-congestion-notification",
            places=tuple(dict.fromkeys(marking[1:])),
        )


def _check_buffers(objects: Objects, kinds: list[Kind], *, whole: bool) -> Iterator[Problem]:
    """Headroom of the whole switch, which is 1 percent where nothing is said."""
    if not whole or any("percent" in own for own in objects.of("reserve").values()):
        return
    for kind in kinds:
        on = kind.binding.port.get("pfc")
        mapping = kind.binding.port.get("mapping")
        profile = objects.below("sent", mapping.value) if mapping is not None else {}
        if on is not None and on.value and profile:  # 7250 IXR has no such statement, and no received-traffic
            yield Problem(
                "srlinux-reservation",
                on.at,
                f"PFC is on and pfc-buffer-reservation is not stated: all ports share {OWN_RESERVATION} percent of the "
                "buffer as headroom, and packets that arrive after a pause are dropped once it is full",
                "set / qos linecard 1 forwarding-complex 0 input pfc-buffer-reservation 10",
            )
            return


def _check_limits(objects: Objects, kinds: list[Kind], sorter: Sorter) -> Iterator[Problem]:
    """Limits of lossless queues below what waits at ingress before a pause, and queues that mark without a limit."""
    told: set[Span] = set()
    for kind in kinds:
        binding = kind.binding
        for name, val in binding.managements.items():
            queue, profile = objects.queue_of(name), binding.port.get("limits")
            here = objects.whole or (profile is not None and objects.get("allocations", profile.value) is not None)
            if queue is not None and here and val.at not in told and find_limit(objects, binding, queue) is None:
                told.add(val.at)
                message = (
                    f"queue {name[:40]} has a queue-management-profile, but no maximum-burst-size: that is refused"
                )
                yield Problem(
                    "device-value", val.at, message, "state it in the buffer-allocation-profile of its output"
                )
        pfc, on = sorter.pfc_of(binding), binding.port.get("pfc")
        if pfc is None or on is None or not on.value or not pfc.maps_received:
            continue
        groups = {group.number: group for group in read_groups(objects, binding, pfc.numbers, kind.at, shared=True)}
        room = read_headroom(objects, binding, pfc.numbers)
        for queue, number in pfc.group.items():
            limit, group = find_limit(objects, binding, queue), groups.get(number.value)
            waits = group.static if group is not None else None
            if limit is None or waits is None or limit.at in told:
                continue
            each = waits + (room.value if room is not None else 0)
            if limit.value < _SENDERS * each:
                told.add(limit.at)
                yield Problem(
                    "srlinux-tail-drop",
                    limit.at,
                    f"output queue {queue} of a lossless class holds {show_size(limit.value)} at most, and drops what "
                    f"is beyond: each of {_SENDERS} ports that send to it may have {show_size(each)} wait before its "
                    "pause takes effect",
                    "raise maximum-burst-size of the queue, or lower that of the PFC queues",
                )


def _check_rows(kinds: list[Kind], sorter: Sorter, *, whole: bool) -> Iterator[Problem]:
    """Subinterfaces of one port that sort otherwise, ports with PFC that sort by the default policy; and too many."""
    bare: list[Span] = []
    partly: dict[Span, str] = {}
    for kind in kinds:
        policies = {val.value: val for val in kind.binding.list_dscps()}
        if len(policies) > 1:
            first, second, *_ = policies.values()
            yield Problem(
                "device-conflict",
                second.at,
                f"subinterfaces of one port have different dscp-policies, {first.value[:40]} and {second.value[:40]}: "
                "the first is checked",
                "bind one policy to all subinterfaces, unless the difference is intended",
                ((first.at, "the other one"),),
            )
        for unit, row in kind.binding.astray:
            message = f"subinterface {unit[:10]} is named here, and its port has none of that number"
            yield Problem("device-ref", row.at, message, "name one that is there")
        on = kind.binding.port.get("pfc")
        if whole and on is not None and on.value and sorter.pfc_of(kind.binding):
            if not kind.binding.sorting:
                bare.append(on.at)
            else:
                partly.update({at: unit for unit, at in kind.binding.bare})
    if bare:
        yield Problem(
            "srlinux-default-map",
            bare[0],
            f"no subinterface of a port with PFC has a dscp-policy: {DEFAULT_MAP}",
            "bind a dscp-policy of your own to each subinterface",
            places=tuple(bare[1:]),
        )
    if partly:
        begin, *more = partly
        yield Problem(
            "srlinux-default-map",
            begin,
            f"subinterface {partly[begin][:10]} of a port with PFC has no dscp-policy: {DEFAULT_MAP}",
            "bind the dscp-policy to it, too",
            places=tuple(more),
        )
    profiles = list(sorter.objects.of("mappings").values())
    if len(profiles) > _MOST:
        message = f"{len(profiles)} pfc-mapping-profiles: SR Linux takes {_MOST} beside its own"
        yield Problem("device-value", profiles[_MOST].at, message, "bind fewer profiles")
