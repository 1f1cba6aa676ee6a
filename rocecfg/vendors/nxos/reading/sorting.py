"""Where packets go: the qos-group of each mark, which is queue and traffic class too, and what pauses each group."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.core.records import NamedTuple
from rocecfg.model import Span
from rocecfg.model.stated import Val
from rocecfg.model.switch import TCS, Chain
from rocecfg.vendors.nxos.reading.config import DEFAULT, Config, PolicyMap
from rocecfg.vendors.nxos.settings import NETWORK, QOS, Pause


class NoDrop(NamedTuple):
    """A class of the network-qos policy in force that pauses."""

    group: int
    pause: Val  # its value is a Pause
    name: str


def find_network_policy(config: Config) -> tuple[str, PolicyMap] | None:
    """The network-qos policy in force; of a part without `system qos` the only one that is defined."""
    bound = config.system.get(NETWORK)
    policy = config.find_policy(NETWORK, bound)
    if bound is not None and policy is not None:
        return bound.value, policy
    known = [(name, each) for (kind, name), each in config.policies.items() if kind == NETWORK]
    return known[0] if len(known) == 1 and config.system_at is None else None


def list_no_drop(config: Config) -> tuple[NoDrop, ...]:
    """The qos-groups that are paused."""
    found = find_network_policy(config)
    out = []
    for name, stated in found[1].classes.items() if found is not None else ():
        group = config.group_of(NETWORK, name)
        if "pause" in stated and group is not None:
            out.append(NoDrop(group, stated["pause"], name))
    return tuple(out)


def priorities_of(config: Config, no_drop: NoDrop) -> tuple[int, ...]:
    """The priorities that pause a qos-group: as stated, or of CoS that its own class-map matches, or its number."""
    pause: Pause = no_drop.pause.value
    if pause.priorities:
        return pause.priorities
    own = config.class_maps.get((NETWORK, no_drop.name))
    matched = [val.value for key, val in own.matches if key == "cos"] if own is not None else []
    return matched[0] if matched else (no_drop.group,)


class Marks(NamedTuple):
    """What a policy that classifies says. None: it does not go by such marks."""

    dscp: tuple[Val, ...] | None
    cos: tuple[Val, ...] | None


class Sorter:
    """The chains of a switch's ports: those that sort alike have one object."""

    def __init__(self, config: Config, at: Span) -> None:
        self.config = config
        self.at = at
        self.no_drop = list_no_drop(config)
        given = Span(at.doc, at.start, at.start)  # queue and group have one number: in a part too
        self._own = tuple(Val(number, given) for number in TCS)
        self.priority = self._find_priorities()
        self._known: dict[str | None, Chain] = {}

    def _find_priorities(self) -> tuple[Val, ...]:
        """The PFC priority of each group: as stated; of others their own number, unless another group has it."""
        found = {each.group: Val(priorities_of(self.config, each)[0], each.pause.at) for each in self.no_drop}
        taken = {val.value for val in found.values()}
        free = [n for n in TCS if n not in taken]
        for group in (n for n in TCS if n not in found and n in free):
            found[group] = Val(group, self.at)
            free.remove(group)
        for group in (n for n in TCS if n not in found):
            found[group] = Val(free.pop(0) if free else group, self.at)
        return tuple(found[group] for group in TCS)

    def chain_of(self, name: str | None) -> Chain:
        """How a port sorts packets by a policy; without one all are in group 0."""
        if name not in self._known:
            marks = self.read_marks(name)
            unknown = tuple(Val(None, self.at) for _ in range(64))
            stops = {p: each for each in self.no_drop for p in priorities_of(self.config, each)}
            self._known[name] = Chain(
                marks.dscp if marks.dscp is not None else unknown,
                self._own,
                self._own,
                self.priority,
                marks.cos or (),
                tuple(Val(stops[p].group, stops[p].pause.at) if p in stops else Val(None, self.at) for p in TCS)
                if stops
                else (),
            )
        return self._known[name]

    def read_marks(self, name: str | None) -> Marks:
        """The qos-group of each mark by a policy: the first class that takes it counts."""
        policy = self.config.policies.get((QOS, name)) if name is not None else None
        dscp: list[Val | None] = [None] * 64
        cos: list[Val | None] = [None] * 8
        kinds: set[str] = set()
        rest = Val(0, self.at)
        for of, group, at in self.list_classes(policy) if policy is not None else ():
            if of == DEFAULT:
                rest = Val(group, at)
                continue
            for key, val in self.config.class_maps[QOS, of].matches if (QOS, of) in self.config.class_maps else ():
                if key not in ("dscp", "cos"):
                    continue
                kinds.add(key)
                table = dscp if key == "dscp" else cos
                for code in val.value:
                    table[code] = table[code] or Val(group, val.at)
        unknown = name is not None and policy is None
        by_dscp = None if unknown or kinds == {"cos"} else tuple(val or rest for val in dscp)
        return Marks(by_dscp, tuple(val or rest for val in cos) if "cos" in kinds else None)

    def list_classes(self, policy: PolicyMap) -> Iterator[tuple[str, int, Span]]:
        """The classes of a policy that classifies in order, the group of each, and where it is said."""
        for of, stated in policy.classes.items():
            group = stated.get("group")
            yield of, group.value if group is not None else 0, group.at if group is not None else policy.places[of]


def list_doubled(config: Config, policy: PolicyMap) -> Iterator[tuple[Span, Span, str]]:
    """Marks that an earlier class of a policy takes already: the place, the earlier one, and the mark."""
    taken: dict[tuple[str, int], tuple[Span, str]] = {}
    for of in policy.classes:
        for key, val in config.class_maps[QOS, of].matches if (QOS, of) in config.class_maps else ():
            for code in val.value if key in ("dscp", "cos") else ():
                known = taken.setdefault((key, code), (val.at, of))
                if known[1] != of:
                    yield val.at, known[0], f"{'DSCP' if key == 'dscp' else 'CoS'} {code}"


__all__ = ["Marks", "NoDrop", "Sorter", "find_network_policy", "list_doubled", "list_no_drop", "priorities_of"]
