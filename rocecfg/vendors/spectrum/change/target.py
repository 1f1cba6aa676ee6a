"""What the configuration of NVUE becomes: its leaves, with the settings in scope as they are rendered."""

from __future__ import annotations

from collections.abc import Iterable

from rocecfg.model.catalogue import What
from rocecfg.vendors.changes import Wanted, align_names, name_unsettable, settings_in_order
from rocecfg.vendors.spectrum.change.leaves import Leaves, Path
from rocecfg.vendors.spectrum.reading.schema_qos import GLOBAL
from rocecfg.vendors.spectrum.settings import PROFILED, TABLE, TRIMMING
from rocecfg.vendors.table import MEMBER, PROFILE, Row, fill_number

_MARKS = ("dscp", "pcp")  # of packets
_PAUSES = ("pfc", "obeys", "sends")
_UNSORTED = ("trust", "unmarked")
_POOLS = ("default-lossless", "roce-lossless")
_WAYS = ("qos", "egress-queue-mapping", GLOBAL, "switch-priority")


def make_target(running: Leaves, rendered: Leaves, scope: Wanted) -> Leaves:
    """What `running` becomes: in all that is in scope as `rendered`, else as it is.

    `scope`: by port the settings that differ. Profiles keep the names that they have on the switch where they serve the
    same ports.
    """
    made = _TargetLeaves(running, rendered)
    for port, what in settings_in_order(scope):
        made.fix(port, what)
    made.unbind_emptied()
    if running.whole:  # of a part nobody knows what else is bound
        made.forget_unused()
    return Leaves(made.leaves, whole=running.whole)


def list_unsettable(scope: Wanted) -> tuple[str, ...]:
    """What in a scope no leaf that is rendered sets."""
    return name_unsettable(scope, lambda _, what: what.topic in TABLE.changed, "in NVUE's objects on QoS")


class _TargetLeaves:
    def __init__(self, running: Leaves, rendered: Leaves) -> None:
        self.running = running
        self.rendered = rendered
        self.leaves = dict(running.all)
        self.bound = {kind: rendered.bound_profiles(kind) for kind in PROFILED}
        self.known = {kind: running.profile_names(kind) for kind in PROFILED}
        self.sorted = False  # whether all ports are bound to their mappings
        self.names = {kind: _match_profile_names(kind, running, rendered) for kind in PROFILED}

    def fix(self, port: str | None, what: What) -> None:
        """A setting of a port, or of the switch: what its rows say, and what goes with that."""
        if port is None and what.topic in _MARKS and not self.sorted:
            self.sorted = True  # whoever is bound to another profile goes on sorting otherwise
            for each in self.rendered.at:
                self._fix_profile(each, "mapping")
        for row in TABLE.list_set_by(what):
            self._set_row(row, port, fill_number(row.path, what.number))
        self._fix_followers(port, what)

    def _fix_followers(self, port: str | None, what: What) -> None:
        """What has to go with a setting: the queues that priorities lead to, and the pools that they draw from."""
        topic = what.topic
        if topic in _MARKS:
            for meant in self._list_profiles("mapping", topic, port):
                self._fix_traffic_class(meant, topic, str(what.number))
        elif topic in _PAUSES:
            self._fix_pool_priorities()
            for meant in self._list_profiles("pfc", "", port):
                paused = self.rendered.below("qos", "pfc", meant, "switch-priority")
                self._fix_queue_mapping(path[0] for path in paused)
        elif topic in _UNSORTED:
            for meant in self._list_profiles("mapping", "", port):
                unmarked = self.rendered.all.get(("qos", "mapping", meant, "port-default-sp"))
                self._fix_queue_mapping(() if unmarked is None else (unmarked,))
        elif topic in ("buffers", "pool"):
            self._fix_pools("memory-percent")
            if what.part.endswith(".priorities"):
                self._fix_pool_priorities()
        elif topic in ("trimming", "trimmed"):
            state = (*TRIMMING, "state")
            if state not in self.rendered.all and state in self.leaves:
                self.leaves[state] = "disabled"  # where nothing is rendered, it is meant to be off

    def unbind_emptied(self) -> None:
        """Bind no interface to a profile of which nothing is left: it is gone then, and NVUE refuses the binding."""
        left = {path[:3] for path in self.leaves}
        for kind in PROFILED:
            emptied = {name for name in self.running.profile_names(kind) if ("qos", kind, name) not in left}
            for at, name in Leaves(self.leaves).bound_profiles(kind).items() if emptied else ():
                if name in emptied:
                    self._drop_leaves(("interface", at, "qos", kind, "profile"))

    def forget_unused(self) -> None:
        """Take away the profiles that no interface is bound to any more."""
        for profile in self.running.used_profiles() - Leaves(self.leaves).used_profiles():
            if profile[2] != GLOBAL:
                self._drop_leaves(profile)

    # -- ports ---------------------------------------------------------------------------------------------------------

    def _interface_of(self, port: str) -> str:
        return self.rendered.at.get(port, port)

    def _rendered_profile(self, port: str, kind: str) -> str:
        """The profile that is rendered for a port."""
        return self.bound[kind].get(self._interface_of(port), GLOBAL)

    def _set_row(self, row: Row, port: str | None, path: Path) -> None:
        """What is rendered below the path of a row: at a port or in its profile, or wherever the switch has it."""
        set_leaves = self._add_leaves if row.keeps else self._copy_leaves
        if path[0] == "interface":
            for each in (port,) if port is not None and not row.keeps else self.rendered.at:
                set_leaves(("interface", each if path[1] == MEMBER else self._interface_of(each), *path[2:]))
        elif path[2:3] != (PROFILE,):
            set_leaves(path)
        elif port is not None:
            self._fix_profile(port, path[1], path[3:])
        else:
            for meant in self._list_profiles(path[1], path[3]):
                name = self.names[path[1]][meant]
                self._copy_leaves(("qos", path[1], meant, *path[3:]), ("qos", path[1], name, *path[3:]))

    def _list_profiles(self, kind: str, key: str, port: str | None = None) -> Iterable[str]:
        """The profile that is rendered for a port; or for all, but for those that do not sort by 802.1p values."""
        if port is not None:
            return (self._rendered_profile(port, kind),)
        return [meant for meant in self.names[kind] if key != "pcp" or self.rendered.below("qos", kind, meant, key)]

    def _fix_profile(self, port: str, kind: str, path: Path | None = None) -> None:
        """What stands at a path in the profile of a port: it is bound, and defined if it is not there."""
        at = self._interface_of(port)
        meant = self._rendered_profile(port, kind)
        name = self.names[kind].get(meant, meant)
        binding = ("interface", at, "qos", kind, "profile")
        if name == GLOBAL:
            self.leaves.pop(binding, None)
        else:
            self.leaves[binding] = name
        if name not in self.known[kind]:
            self._copy_leaves(("qos", kind, meant), ("qos", kind, name))
        elif path is not None:
            self._copy_leaves(("qos", kind, meant, *path), ("qos", kind, name, *path))

    # -- the switch ----------------------------------------------------------------------------------------------------

    def _fix_traffic_class(self, profile: str, mark: str, code: str) -> None:
        """The traffic class of a code point or 802.1p value, as a profile that is rendered sorts it."""
        priority = self.rendered.all.get(("qos", "mapping", profile, mark, code, "switch-priority"))
        self._fix_queue_mapping(
            (priority,) if priority is not None else map(str, range(8))
        )  # None: NVIDIA's own map is meant

    def _fix_queue_mapping(self, priorities: Iterable[str]) -> None:
        """The traffic classes that switch priorities lead to."""
        for priority in priorities:
            way = (*_WAYS, priority, "traffic-class")
            if way in self.rendered.all:
                self.leaves[way] = self.rendered.all[way]

    def _fix_pool_priorities(self) -> None:
        """The priorities of traffic pools, where they are said: the lossless pool has those with PFC."""
        stated = any(path[1:2] == ("switch-priority",) for path in self.running.below("qos", "traffic-pool"))
        usual = self.rendered.below("qos", "traffic-pool", "roce-lossless", "switch-priority").keys()
        if stated or not usual <= {("3",)}:
            self._fix_pools("switch-priority")

    def _fix_pools(self, leaf: str) -> None:
        """A leaf of each traffic pool: the lossless one has either of two names, and goes where none is intended."""
        meant, known = ({path[0] for path in of.below("qos", "traffic-pool")} for of in (self.rendered, self.running))
        # of both, which no switch takes at once, the one that is rendered
        lossless = next((pool for of in (known & meant, known) for pool in _POOLS if pool in of), _POOLS[-1])
        for pool in _POOLS:
            if pool != lossless:
                self._drop_leaves(("qos", "traffic-pool", pool, leaf))
        names = {pool: pool for pool in sorted(meant.difference(_POOLS))}
        names[next((pool for pool in _POOLS if pool in meant), lossless)] = lossless
        for pool, name in names.items():
            self._copy_leaves(("qos", "traffic-pool", pool, leaf), ("qos", "traffic-pool", name, leaf))

    # -- leaves --------------------------------------------------------------------------------------------------------

    def _copy_leaves(self, source: Path, to: Path | None = None) -> None:
        """Make what is set at a path and below it what is rendered at `source`."""
        to = source if to is None else to
        size = len(source)
        wanted = {(*to, *path[size:]): v for path, v in self.rendered.all.items() if path[:size] == source}
        for path in _paths_below(to, self.leaves):
            if path not in wanted:
                del self.leaves[path]
        self.leaves.update(wanted)

    def _add_leaves(self, path: Path) -> None:
        """Set what is rendered at a path and below it; what stands there besides stays."""
        self.leaves |= {found: value for found, value in self.rendered.all.items() if found[: len(path)] == path}

    def _drop_leaves(self, path: Path) -> None:
        for found in _paths_below(path, self.leaves):
            del self.leaves[found]


def _paths_below(path: Path, leaves: Iterable[Path]) -> list[Path]:
    return [found for found in leaves if found[: len(path)] == path]


def _match_profile_names(kind: str, running: Leaves, rendered: Leaves) -> dict[str, str]:
    """For each profile of a kind that is rendered, the name to use: the one that serves its ports already, if any.

    `default-global` serves ports that nobody lists too, so no profile takes its place.
    """
    want_at, have_at = rendered.bound_profiles(kind), running.bound_profiles(kind)
    want = {port: want_at.get(at, GLOBAL) for port, at in rendered.at.items()}
    found = {port: have_at.get(at, GLOBAL) for port, at in rendered.at.items()}
    serving = {at: name for at, name in have_at.items() if at not in rendered.at.values()}
    serving |= {port: name for port, name in found.items() if name != GLOBAL or want[port] == GLOBAL}
    same = {
        name: running.below("qos", kind, name) == rendered.below("qos", kind, name)
        for name in running.profile_names(kind)
    }
    out = align_names(want, serving, same)
    if GLOBAL in out and out[GLOBAL] not in (GLOBAL, *have_at.values()):
        out[GLOBAL] = GLOBAL
    return out
