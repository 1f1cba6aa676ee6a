"""Forwarding classes: the classes of the intent that share a queue, and the marks that lead to each."""

from __future__ import annotations

import re

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, TrafficClass
from rocecfg.vendors.junos.limits import bits

_UNSAFE = re.compile(r"[^A-Za-z0-9_-]")
_OWN = frozenset({"no-loss", "fcoe", "best-effort", "network-control", "mcast"})


class ForwardingClass(NamedTuple):
    """A forwarding class: the classes of the intent that share a queue."""

    name: str
    queue: int
    priority: int | None  # of PFC; None: it is lossy
    codes: tuple[str, ...]  # DSCPs in bits
    tags: tuple[str, ...]  # 802.1p values in bits


def make_classes(device: Device) -> tuple[ForwardingClass, ...]:
    """The forwarding classes of a device, by queue."""
    queues: dict[int, list[TrafficClass]] = {}
    for cls in device.classes:
        queues.setdefault(cls.queue, []).append(cls)
    tags = _tags_by_queue(device)
    out: list[ForwardingClass] = []
    for queue, members in sorted(queues.items()):
        first = members[0]
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
    claimed = {cls.priority: cls for cls in reversed(device.classes)}
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
    return next(names[c.queue] for c in device.classes if c.rest or 0 in c.dscps)
