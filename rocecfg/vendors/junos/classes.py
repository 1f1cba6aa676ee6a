"""Forwarding classes: the classes of the intent that share a queue, and the marks that lead to each."""

from __future__ import annotations

import re

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, TrafficClass
from rocecfg.model.views import find_sorted_apart
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.junos.limits import QUEUES, bits

_UNSAFE = re.compile(r"[^A-Za-z0-9_-]")
_OWN = frozenset({"no-loss", "fcoe", "best-effort", "network-control", "mcast"})


class ForwardingClass(NamedTuple):
    """A forwarding class: the classes of the intent that share a queue."""

    name: str
    queue: int
    priority: int | None  # of PFC; None: it is lossy
    codes: tuple[str, ...]  # DSCPs in bits
    tags: tuple[str, ...]  # 802.1p values in bits


def check_sorting(device: Device) -> None:
    """CannotRender where ports sort otherwise than others, or a code point is of two classes, or DCBX is stated."""
    apart = find_sorted_apart(device)
    if apart is not None:
        port, cls, field = apart
        raise CannotRender(
            f"ports {port.key} sort {f'class {cls.name}' if cls is not None else 'packets'} otherwise than others: one "
            "classifier is written for the whole switch, and forwarding classes have one queue and priority each",
            "give the class the same dscp, queue and priority on all ports",
            (cls.at(field) if cls is not None else port.at("classes"),),
        )
    taken: dict[int, TrafficClass] = {}
    for cls in device.classes:
        for code in cls.dscps:
            other = taken.setdefault(code, cls)
            if other is not cls and other.queue != cls.queue:
                raise CannotRender(
                    f"DSCP {code} is of class {other.name} and of class {cls.name}: a classifier has one class for it",
                    "give each code point to one class",
                    (cls.at("dscp"), other.at("dscp")),
                )
    if device.dcbx is not None:
        raise CannotRender(
            "dcbx: which QFX have DCBX, and whether it is on by itself, is not known",
            "leave dcbx out",
            (device.at("dcbx"),),
        )


def make_classes(device: Device) -> tuple[ForwardingClass, ...]:
    """The forwarding classes of a device, by queue; CannotRender where classes that share one differ in PFC."""
    queues: dict[int, list[TrafficClass]] = {}
    for cls in device.classes:
        if cls.queue not in QUEUES:
            raise CannotRender(f"class {cls.name} has queue {cls.queue}: there are 0 to 7", "", (cls.at("queue"),))
        queues.setdefault(cls.queue, []).append(cls)
    tags = _tags_by_queue(device)
    out: list[ForwardingClass] = []
    priorities: dict[int, TrafficClass] = {}
    for queue, members in sorted(queues.items()):
        first = members[0]
        odd = next((c for c in members if c.lossless != first.lossless), None)
        if odd is not None:
            raise CannotRender(
                f"classes {first.name} and {odd.name} share queue {queue}, and one of them is lossless: a forwarding "
                "class "
                "is no-loss or not",
                "give each a queue of its own",
                (odd.at("lossless", "queue"), first.at("lossless", "queue")),
            )
        if first.lossless:
            other = next((c for c in members if c.priority != first.priority), None)
            if other is not None:
                raise CannotRender(
                    f"classes {first.name} and {other.name} share queue {queue}, but not the PFC priority",
                    "give both the same priority, or queues of their own",
                    (other.at("priority"), first.at("priority")),
                )
            same = priorities.setdefault(first.priority, first)
            if same is not first:
                raise CannotRender(
                    f"classes {same.name} and {first.name} have PFC priority {first.priority} in different queues: "
                    "congestion of one would pause both",
                    "give each a priority of its own",
                    (first.at("priority"), same.at("priority")),
                )
        codes = sorted({code for cls in members for code in cls.dscps})
        out.append(
            ForwardingClass(
                _class_name(first.name, [one.name for one in out]),
                queue,
                first.priority if first.lossless else None,
                tuple(bits(code, 6) for code in codes),
                tuple(bits(tag, 3) for tag in tags.get(queue, ())),
            )
        )
    return tuple(out)


def _class_name(name: str, taken: list[str]) -> str:
    """A forwarding class's name: none that the system has itself, of which some are lossless unasked."""
    stem = _UNSAFE.sub("-", name).upper()[:56]
    stem = f"{stem}-CLASS" if stem.lower() in _OWN else stem
    out, number = stem, 2
    while out in taken:
        out, number = f"{stem}-{number}", number + 1
    return out


def _tags_by_queue(device: Device) -> dict[int, list[int]]:
    """802.1p values by queue, where some port goes by them: those that nobody claims go where `rest` goes."""
    if all(port.trust != "pcp" for port in device.ports):
        return {}
    claimed: dict[int, TrafficClass] = {}
    for cls in device.classes:
        other = claimed.setdefault(cls.priority, cls)
        if other.queue != cls.queue:
            raise CannotRender(
                f"classes {other.name} and {cls.name} share 802.1p value {cls.priority}, but not the queue: a port "
                "that "
                "trusts it cannot tell them apart",
                "give each class a priority of its own, or write trust: dscp",
                (cls.at("priority"), other.at("priority")),
            )
    rest = next((cls.queue for cls in device.classes if cls.rest), None)
    out: dict[int, list[int]] = {}
    for tag in range(8):
        queue = claimed[tag].queue if tag in claimed else rest
        if queue is not None:
            out.setdefault(queue, []).append(tag)
    return out


def class_of_untrusted(device: Device, names: dict[int, str]) -> str | None:
    """The forwarding class of all that comes in where no mark is trusted. `names`: forwarding class of each queue.

    None: the switch has no classes, and what it does by itself holds.
    """
    if not device.classes:
        return None
    cls = next((c for c in device.classes if c.rest or 0 in c.dscps), None)
    if cls is None:
        raise CannotRender(
            "ports that trust no mark need a class for all that comes in, and no class takes DSCP 0 or the rest",
            "add a class with dscp: rest",
            (device.at("classes"),),
        )
    return names[cls.queue]
