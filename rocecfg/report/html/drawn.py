"""What of a fabric is drawn: boxes in tiers from the hosts up, and the cables between two boxes as one bundle.

A small fabric is drawn switch by switch; of a large one, switches with equal settings and equal neighbours share a
box, then those with equal settings, then those of one role. Every cable of the links counts, whatever it carries.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from rocecfg.analysis.graph import graph
from rocecfg.analysis.ports import PortPlan, list_wires, plans
from rocecfg.analysis.tiers import tiers
from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, Fabric
from rocecfg.report.html.words import format_count, format_speeds, shorten_names

_ROLES = {1: "leaf", 2: "spine", 3: "superspine"}


class DrawingLimits(NamedTuple):
    """For how much a drawing has room."""

    row: int  # boxes side by side
    letters: int  # in the names of a row's boxes, where each is a switch: more cannot be read
    hosts: int  # boxes of hosts, where those of one name are kept together


WIDE = DrawingLimits(16, 120, 8)
NARROW = DrawingLimits(3, 40, 3)
"""On screens as narrow as a telephone's."""


class DrawnBox(NamedTuple):
    """Switches, or hosts, drawn as one."""

    names: tuple[str, ...]
    title: str  # the names as a short node set
    tier: int  # 0: hosts; -1: switches of which no path to a host is known
    role: str
    about: str  # platforms and operating systems

    @property
    def counted(self) -> str:
        """How many switches or hosts it stands for, in words."""
        return format_count(len(self.names), "host" if self.tier == 0 else "switch")


class DrawnBundle(NamedTuple):
    """All cables between two boxes; `a` is the lower one. Numbers of boxes."""

    a: int
    b: int
    cables: int
    speeds: tuple[tuple[int | None, int], ...]  # bit/s and cables at it, fastest first; None: unknown

    @property
    def rate(self) -> int | None:
        """What all of them carry, bit/s; None where a speed is unknown."""
        known = [(speed, number) for speed, number in self.speeds if speed is not None]
        return sum(speed * number for speed, number in known) if len(known) == len(self.speeds) else None

    @property
    def cables_in_words(self) -> str:
        """The cables by their speed, in words."""
        return format_speeds(self.speeds)


class Drawn(NamedTuple):
    """A fabric as it is drawn."""

    boxes: tuple[DrawnBox, ...]
    bundles: tuple[DrawnBundle, ...]
    each: bool  # every box is one switch, or hosts
    by: str  # what shares a box, in words


class Cables(NamedTuple):
    """The cables of a fabric counted by the nodes that they join: switches first, then hosts, by number."""

    names: tuple[str, ...]
    plans: tuple[PortPlan, ...]  # of the switches
    tier: tuple[int, ...]  # of the switches
    between: dict[tuple[int, int], dict[int | None, int]]  # the smaller number first; bit/s -> cables

    def neighbours(self) -> list[list[int]]:
        """The nodes next to each."""
        out: list[list[int]] = [[] for _ in self.names]
        for a, b in self.between:
            out[a].append(b)
            if a != b:
                out[b].append(a)
        return out


def count_cables(fabric: Fabric) -> Cables:
    """All cables of a fabric, each once: both its ends may tell of it."""
    known = plans(fabric)
    names = list(known)
    numbers = {name: n for n, name in enumerate(names)}
    tier = dict(zip(graph(fabric).names, tiers(fabric).of, strict=False))
    between: dict[tuple[int, int], dict[int | None, int]] = {}
    seen: set[tuple[str, str]] = set()
    for wire in list_wires(fabric.links):
        a, b = wire[:2], wire[2:4]
        ends = [plan.end(port) for name, port in (a, b) if (plan := known.get(name)) is not None]
        if not ends or None in ends or a in seen or b in seen:
            continue  # two hosts; a port that is not there; a cable told of twice
        seen.add(a)
        seen.add(b)
        pair = []
        for name, _ in (a, b):
            if name not in numbers:
                numbers[name] = len(names)
                names.append(name)
            pair.append(numbers[name])
        known_speeds = [end.port.speed for end in ends if end is not None and end.port.speed is not None]
        counted = between.setdefault((min(pair), max(pair)), {})
        speed = min(known_speeds) if known_speeds else None
        counted[speed] = counted.get(speed, 0) + 1
    return Cables(tuple(names), tuple(known.values()), tuple(tier.get(name, 0) for name in known), between)


def lay_out_fabric(fabric: Fabric, room: DrawingLimits = WIDE) -> Drawn | None:
    """The boxes and bundles of a fabric, as fine as there is room for; None where it names no switch."""
    found = count_cables(fabric)
    if not found.plans:
        return None
    near = found.neighbours()
    neighbours = [frozenset(n) for n in near]
    ways: list[tuple[str, Callable[[int], Hashable]]] = [
        ("", lambda n: n),
        ("equal settings and the same neighbours", lambda n: (_find_settings(found, n), neighbours[n])),
        ("equal settings", lambda n: _find_settings(found, n)),
        ("one role", lambda n: (found.tier[n], found.plans[n].device.role)),
    ]
    for by, key in ways[:-1]:
        made = _make_drawn(found, neighbours, key, by, room)
        if made is not None:
            return made
    by, key = ways[-1]
    made = _make_drawn(found, neighbours, key, by, room)
    if made is not None:
        return made
    return _make_drawn(found, neighbours, lambda n: found.tier[n], "one tier", room, must=True)


def _find_settings(found: Cables, n: int) -> Hashable:
    """What switches share that are one kind; each of a switch's own configuration is its own, and its chip decides."""
    device = found.plans[n].device
    if device.running is not None:
        return found.tier[n], device.vendor, device.hwsku, device.asic.name if device.asic else None
    return found.tier[n], id(found.plans[n])


def _make_drawn(
    found: Cables,
    neighbours: list[frozenset[int]],
    key: Callable[[int], Hashable],
    by: str,
    room: DrawingLimits,
    *,
    must: bool = False,
) -> Drawn | None:
    """Boxes of the switches with one key; None where a tier then has more than there is room for, unless it must."""
    switches = len(found.plans)
    members: dict[Hashable, list[int]] = {}
    for n in range(switches):
        members.setdefault((found.tier[n], key(n)), []).append(n)
    of: dict[int, int] = {}
    for number, nodes in enumerate(members.values()):
        of.update(dict.fromkeys(nodes, number))
    rows: dict[int, int] = {}
    letters: dict[int, int] = {}
    for nodes in members.values():
        tier = found.tier[nodes[0]]
        rows[tier] = rows.get(tier, 0) + 1
        letters[tier] = letters.get(tier, 0) + len(found.names[nodes[0]])
    hosts = _group_hosts(found, neighbours, of, room.hosts)
    if not must and (max(rows.values()) > room.row or len(hosts) > room.row):
        return None
    if not by and max(letters.values()) > room.letters:
        return None
    boxes = [_make_switch_box(found, nodes) for nodes in members.values()]
    for number, nodes in enumerate(hosts, len(boxes)):
        of.update(dict.fromkeys(nodes, number))
        boxes.append(_make_host_box(found, nodes))
    return Drawn(tuple(boxes), _make_bundles(found, of, boxes), len(members) == switches, by)


def _group_hosts(found: Cables, neighbours: list[frozenset[int]], of: dict[int, int], most: int) -> list[list[int]]:
    """Hosts that are cabled to the same boxes; those of other names apart, where that makes no more than `most`."""
    named: dict[Hashable, list[int]] = {}
    alike: dict[Hashable, list[int]] = {}
    for n in range(len(found.plans), len(found.names)):
        boxes = frozenset(of[s] for s in neighbours[n] if s in of)
        named.setdefault((boxes, found.names[n].rstrip("0123456789")), []).append(n)
        alike.setdefault(boxes, []).append(n)
    return list((named if len(named) <= most else alike).values())


def _make_switch_box(found: Cables, nodes: list[int]) -> DrawnBox:
    names = tuple(found.names[n] for n in nodes)
    devices = [found.plans[n].device for n in nodes]
    tier = found.tier[nodes[0]]
    roles = dict.fromkeys(device.role for device in devices)
    role = next(iter(roles)) if len(roles) == 1 else None
    about = ", ".join(dict.fromkeys(filter(None, map(_describe_device, devices))))
    return DrawnBox(names, shorten_names(names), tier or -1, role or _ROLES.get(tier, "switch"), about)


def _describe_device(device: Device) -> str:
    box = device.platform.name if device.platform is not None else device.asic.name if device.asic is not None else ""
    nos = device.nos.title if device.nos is not None else device.vendor or ""
    return " ".join(filter(None, (box, f"({nos})" if nos and box else nos)))


def _make_host_box(found: Cables, nodes: list[int]) -> DrawnBox:
    names = tuple(found.names[n] for n in nodes)
    return DrawnBox(names, shorten_names(names), 0, "host", "")


def _make_bundles(found: Cables, of: dict[int, int], boxes: list[DrawnBox]) -> tuple[DrawnBundle, ...]:
    counts: dict[tuple[int, int], dict[int | None, int]] = {}
    for (a, b), counted in found.between.items():
        low, high = sorted((of[a], of[b]), key=lambda n: (boxes[n].tier, n))
        total = counts.setdefault((low, high), {})
        for speed, number in counted.items():
            total[speed] = total.get(speed, 0) + number
    return tuple(
        DrawnBundle(a, b, sum(total.values()), tuple(sorted(total.items(), key=lambda each: -(each[0] or 0))))
        for (a, b), total in sorted(counts.items(), key=lambda item: (boxes[item[0][0]].tier, item[0]))
    )
