"""Which devices change together: one small group after the other, so that what they serve has other ways.

From the hosts upwards, as Guo et al. (SIGCOMM'16, section 5) and Bai et al. (NSDI'23, section 8.1) roll out: one device
of a tier first, then the rest of the tier in parts. A part takes at most a quarter of a tier, and of what any host or
lower switch is connected to (ops-stage); the ends of a link whose lossless priority moves stay together
(ops-both-ends).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rocecfg.analysis.graph import Graph, graph
from rocecfg.analysis.tiers import tiers
from rocecfg.core.records import NamedTuple
from rocecfg.model import Fabric
from rocecfg.rollout.links import ChangingLinks

AT_ONCE = 0.25  # of a tier, and of what anything below hangs on


class StageGroup(NamedTuple):
    """The devices of a stage, and why they are one."""

    devices: tuple[str, ...]
    title: str
    why: str
    breaks: tuple[str, ...] = ()  # what cannot be kept, and the way around


class Staging:
    """Groups devices of a fabric."""

    def __init__(self, fabric: Fabric, ends: ChangingLinks, at_once: float = AT_ONCE) -> None:
        self.graph: Graph = graph(fabric)
        self.tiers = tiers(fabric)
        self.ends = ends
        self.at_once = at_once
        self.cabled = bool(self.graph.bundles)

    def group_devices(self, names: Sequence[str]) -> list[StageGroup]:
        """All of the devices, each in one group, in the order in which they change."""
        units = _join_coupled(names, self.ends)
        order = {name: n for n, name in enumerate(names)}
        alone: dict[int, list[str]] = {}
        coupled: dict[int, list[tuple[str, ...]]] = {}
        for unit in units:
            tier = max(map(self.tier, unit))
            if len(unit) == 1:
                alone.setdefault(tier, []).append(unit[0])
            else:
                coupled.setdefault(tier, []).append(tuple(sorted(unit, key=order.__getitem__)))
        out: list[StageGroup] = []
        for tier in sorted({*alone, *coupled}, key=lambda t: (t == 0, t)):
            out += self._group_tier(tier, alone.get(tier, []))
            out += [
                self._group_coupled(unit) for unit in sorted(coupled.get(tier, []), key=lambda u: (len(u), order[u[0]]))
            ]
        return out

    def tier(self, name: str) -> int:
        """The tier of a device, from 1 at the hosts; 0: not known."""
        number = self.graph.numbers.get(name)
        return self.tiers.of[number] if number is not None and number < self.graph.switches else 0

    def role(self, tier: int) -> str:
        """What a tier is called."""
        return self.tiers.role(tier) if tier else "switch"

    def find_stranded(self, devices: Iterable[str]) -> list[str]:
        """Hosts and switches with several ways up, all of which these devices are."""
        chosen = {self.graph.numbers[name] for name in devices if name in self.graph.numbers}
        below = dict.fromkeys(node for n in chosen for node in self.graph.near[n] if node not in chosen)
        out = []
        for node in below:
            ups = self._find_uplinks(node)
            if len(ups) > 1 and chosen.issuperset(ups):
                out.append(self.graph.names[node])
        return out

    def find_whole_tiers(self, devices: Iterable[str]) -> list[int]:
        """Tiers of two or more devices, all of which these are."""
        chosen = {self.graph.numbers.get(name, -1) for name in devices}
        return [
            tier
            for tier in range(1, self.tiers.top + 1)
            if len(self.tiers.switches(tier)) > 1 and chosen.issuperset(self.tiers.switches(tier))
        ]

    def _find_uplinks(self, node: int) -> list[int]:
        """The switches above a node; of a flat fabric, those beside it."""
        here = self.tiers.of[node] if node < self.graph.switches else 0
        near = [n for n in self.graph.near[node] if n < self.graph.switches]
        above = [n for n in near if self.tiers.of[n] > here]
        return above or (near if self.tiers.top <= 1 else [])

    def _group_tier(self, tier: int, names: list[str]) -> list[StageGroup]:
        if not names:
            return []
        role = self.role(tier)
        first, *rest = names
        total = len(self.tiers.switches(tier))
        title, why = f"first {role}", f"canary: one {role} first"
        if total == 1:
            title, why = role, f"the only {role}: it has no redundant switch"
        elif not rest:
            title, why = role, f"the only {role} that changes"
        out = [StageGroup((first,), title, why)]
        out += [
            StageGroup(tuple(part), role, self._explain_part(part, role, total))
            for part in self._split_tier(tier, rest)
        ]
        return out

    def _explain_part(self, part: list[str], role: str, total: int) -> str:
        if not self.cabled:
            return f"one {role} at a time: the intent has no links that show which devices are redundant"
        if role == self.role(0):
            return "a switch without a path to a host in the links"
        return (
            f"{len(part)} of {total} in tier {role}: every host and switch below keeps its other paths, if it has any"
        )

    def _split_tier(self, tier: int, names: list[str]) -> list[list[str]]:
        """As few parts as keep to the limits, filled in order."""
        total = len(self.tiers.switches(tier))
        limit = min(_take_share(total, self.at_once), max(total - 1, 1)) if self.cabled and tier else 1
        parts: list[list[str]] = []
        loads: list[dict[int, int]] = []
        for name in names:
            below = self._find_limits(name)
            for part, load in zip(parts, loads, strict=True):
                if len(part) < limit and all(load.get(node, 0) < most for node, most in below.items()):
                    break
            else:
                part, load = [], {}
                parts.append(part)
                loads.append(load)
            part.append(name)
            for node in below:
                load[node] = load.get(node, 0) + 1
        return parts

    def _find_limits(self, name: str) -> dict[int, int]:
        """What hangs on a device, and how many of the devices it hangs on may change at once."""
        number = self.graph.numbers.get(name)
        out = {}
        for node in self.graph.near[number] if number is not None else ():
            ups = self._find_uplinks(node)
            if number in ups:
                out[node] = min(_take_share(len(ups), self.at_once), max(len(ups) - 1, 1))
        return out

    def _group_coupled(self, unit: tuple[str, ...]) -> StageGroup:
        links = sum(a[0] in unit and b[0] in unit for a, b in self.ends.together)
        return StageGroup(
            unit,
            "both ends together",
            f"a lossless priority moves at both ends of {links} link{'s' * (links != 1)} between these {len(unit)} "
            "devices: a link with only one end changed drops lossless packets, so they change in one window, drained",
            tuple(
                f"ops-stage: all switches of tier {self.role(tier)} change at once, because every smaller stage loses "
                "packets. If the fabric must not stop: add the new priority as a second lossless class with its own "
                "DSCP, move the hosts to it, then remove the old class; each is a plan of its own"
                for tier in self.find_whole_tiers(unit)
            ),
        )


def _take_share(count: int, share: float) -> int:
    return max(1, int(count * share))


def _join_coupled(names: Sequence[str], ends: ChangingLinks) -> list[tuple[str, ...]]:
    """Devices that have to change together, the others alone, in order of their first."""
    root = {name: name for name in names}

    def find(name: str) -> str:
        while root[name] != name:
            root[name] = root[root[name]]
            name = root[name]
        return name

    for (a, _), (b, _) in ends.together:
        if a in root and b in root:
            root[find(a)] = find(b)
    units: dict[str, list[str]] = {}
    for name in names:
        units.setdefault(find(name), []).append(name)
    return [tuple(unit) for unit in units.values()]
