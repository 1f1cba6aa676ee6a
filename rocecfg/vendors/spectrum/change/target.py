"""What the configuration of NVUE becomes: its leaves, with the settings in scope as they are rendered."""

from __future__ import annotations

from collections.abc import Iterable

from rocecfg.model.catalogue import What
from rocecfg.vendors.changes import Wanted, align_names, name_unsettable, settings_in_order
from rocecfg.vendors.spectrum.change.leaves import Leaves, Path
from rocecfg.vendors.spectrum.reading.balancing import HASH, ROUTING
from rocecfg.vendors.spectrum.reading.ports import PROFILES
from rocecfg.vendors.spectrum.reading.schema import GLOBAL
from rocecfg.vendors.spectrum.reading.trimming import AT_PORT, PATH

_CURVE = {"kmin": "min-threshold", "kmax": "max-threshold", "pmax": "probability"}
_LEAVES = {  # settings of a port that stand together in a profile: its kind, and the leaves
    "pfc": ("pfc", ("switch-priority", "tx", "rx")),
    "obeys": ("pfc", ("switch-priority", "tx", "rx")),
    "sends": ("pfc", ("switch-priority", "tx", "rx")),
    "cable": ("pfc", ("cable-length",)),
    "headroom": ("pfc", ("port-buffer", "xoff-threshold", "xon-threshold")),
    "trust": ("mapping", ("trust", "port-default-sp", "pcp")),
    "unmarked": ("mapping", ("port-default-sp",)),
}
_MARKS = ("dscp", "pcp")  # of packets
_TIMERS = ("detection_time", "restoration_time", "poll_interval")
_RATES = {"max_rate": "max-rate", "guaranteed": "min-rate"}
_OF_SWITCH = ("buffers", "pool", "roce", "remarks", "trimming", "load_balancing")
_POOLS = ("default-lossless", "roce-lossless")
_KINDS = ("mapping", "pfc", "congestion-control", "egress-shaper", "egress-scheduler")
_WAYS = ("qos", "egress-queue-mapping", GLOBAL, "switch-priority")


def make_target(running: Leaves, rendered: Leaves, scope: Wanted) -> Leaves:
    """What `running` becomes: in all that is in scope as `rendered`, else as it is.

    `scope`: by port the settings that differ. Profiles keep the names that they have on the switch where they serve the
    same ports.
    """
    made = _TargetLeaves(running, rendered)
    for port, what in settings_in_order(scope):
        if port is None:
            made.fix_switch(what)
        else:
            made.fix_port(port, what)
    made.unbind_emptied()
    if running.whole:  # of a part nobody knows what else is bound
        made.forget_unused()
    return Leaves(made.leaves, whole=running.whole)


def list_unsettable(scope: Wanted) -> tuple[str, ...]:
    """What in a scope no leaf that is rendered sets."""
    return name_unsettable(scope, _is_settable, "in NVUE's objects on QoS")


def _is_settable(port: str | None, what: What) -> bool:
    """Whether some leaf that is rendered sets it."""
    return what.topic in ((*_MARKS, *_OF_SWITCH) if port is None else _OF_PORT)


_OF_PORT = (
    *_LEAVES,
    *_MARKS,
    *_RATES,
    "watchdog",
    "ecn",
    "discards",
    "shares",
    "mtu",
    "flowcontrol",
    "trimmed",
    "adaptive",
)


class _TargetLeaves:
    def __init__(self, running: Leaves, rendered: Leaves) -> None:
        self.running = running
        self.rendered = rendered
        self.leaves = dict(running.all)
        self.bound = {kind: rendered.bound_profiles(kind) for kind in _KINDS}
        self.known = {kind: running.profile_names(kind) for kind in _KINDS}
        self.sorted = False  # whether all ports are bound to their mappings
        self.names = {kind: _match_profile_names(kind, running, rendered) for kind in _KINDS}

    def fix_switch(self, what: What) -> None:
        if what.topic in _MARKS:
            self._fix_code_point(what.topic, str(what.number))
        elif what.topic in ("buffers", "pool"):
            self._fix_buffers()
            if what.part.endswith(".priorities"):
                self._fix_pool_priorities()
        elif what.topic == "roce":
            self._copy_leaves(("qos", "roce"))
        elif what.topic == "trimming":
            self._fix_trimming()
        elif what.topic == "load_balancing":
            self._fix_balancing()
        elif what.topic == "remarks":
            self._drop_leaves(("qos", "remark", GLOBAL, "rewrite"))

    def fix_port(self, port: str, what: What) -> None:
        topic = what.topic
        if topic in _LEAVES:
            kind, leaves = _LEAVES[topic]
            self._fix_profile(port, kind, *((leaf,) for leaf in leaves))
            meant = self.rendered.below("qos", kind, self._rendered_profile(port, kind))
            if "tx" in leaves:
                self._fix_pool_priorities()
                self._fix_queue_mapping(path[1] for path in meant if path[0] == "switch-priority")
            elif "port-default-sp" in leaves:
                self._fix_queue_mapping(value for path, value in meant.items() if path == ("port-default-sp",))
        elif topic in _MARKS:
            self._fix_profile(port, "mapping", (topic, str(what.number), "switch-priority"))
            self._fix_traffic_class(self._rendered_profile(port, "mapping"), topic, str(what.number))
        elif topic == "watchdog":
            self._fix_watchdog(port, what.part)
        elif topic in ("ecn", "discards"):
            leaves = (_CURVE[what.part],) if what.part in _CURVE else ("ecn", "red", *_CURVE.values())
            self._fix_profile(
                port, "congestion-control", *(("traffic-class", str(what.number), leaf) for leaf in leaves)
            )
        elif topic == "shares":
            self._fix_profile(port, "egress-scheduler", ("traffic-class",))  # all: NVUE refuses a sum beyond 100
        elif topic in _RATES:
            self._fix_profile(port, "egress-shaper", ("traffic-class", str(what.number), _RATES[topic]))
        elif topic == "mtu":
            self._copy_leaves(("interface", self._interface_of(port), "link", "mtu"))
        elif topic == "adaptive":  # of no use at a port without that of the switch
            self._fix_balancing()
        elif topic == "trimmed":
            self._fix_trimming()
            self._copy_leaves(("interface", port, *AT_PORT))
        elif topic == "flowcontrol":
            self._drop_leaves(("interface", self._interface_of(port), "qos", "link-pause"))

    def unbind_emptied(self) -> None:
        """Bind no interface to a profile of which nothing is left: it is gone then, and NVUE refuses the binding."""
        left = {path[:3] for path in self.leaves}
        for kind in PROFILES:
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

    def _fix_profile(self, port: str, kind: str, *paths: Path) -> None:
        """Leaves of the profile of a port: it is bound, and defined if it is not there."""
        at = self._interface_of(port)
        meant = self._rendered_profile(port, kind)
        name = self.names[kind].get(meant, meant)
        binding = ("interface", at, "qos", kind, "profile")
        if name == GLOBAL:
            self._drop_leaves(binding)
        else:
            self.leaves[binding] = name
        if name not in self.known[kind]:
            self._copy_leaves(("qos", kind, meant), ("qos", kind, name))
        for path in paths:
            self._copy_leaves(("qos", kind, meant, *path), ("qos", kind, name, *path))

    def _fix_watchdog(self, port: str, part: str) -> None:
        if part in _TIMERS:
            self._copy_leaves(("qos", "pfc-watchdog"))
            return
        self._copy_leaves(("interface", port, "qos", "pfc-watchdog", "state"))

    def _fix_trimming(self) -> None:
        """What is rendered of trimming; where nothing is, it is meant to be off."""
        self._take_below(PATH)
        state = (*PATH, "state")
        if state not in self.rendered.all and state in self.leaves:
            self.leaves[state] = "disabled"

    def _take_below(self, path: Path) -> None:
        """What is rendered below a path; what stands there besides stays."""
        self.leaves |= {found: value for found, value in self.rendered.all.items() if found[: len(path)] == path}

    def _fix_balancing(self) -> None:
        """What is rendered of load balancing: of the switch, and at the ports that adaptive routing is for."""
        for path in (HASH, ROUTING, *(("interface", at, *ROUTING) for at in self.rendered.at.values())):
            self._take_below(path)

    # -- the switch ----------------------------------------------------------------------------------------------------

    def _fix_code_point(self, mark: str, code: str) -> None:
        """The way of a code point or 802.1p value: its switch priority, and the traffic class of that."""
        if not self.sorted:  # whoever is bound to another profile goes on sorting otherwise
            self.sorted = True
            for port in self.rendered.at:
                self._fix_profile(port, "mapping")
        for meant, name in self.names["mapping"].items():
            if mark == "pcp" and not self.rendered.below("qos", "mapping", meant, "pcp"):
                continue  # a profile that does not sort by it
            path = (mark, code, "switch-priority")
            self._copy_leaves(("qos", "mapping", meant, *path), ("qos", "mapping", name, *path))
            self._fix_traffic_class(meant, mark, code)

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

    def _fix_buffers(self) -> None:
        self._copy_leaves(("qos", "advance-buffer-config"))
        for meant, name in self.names["pfc"].items():
            self._copy_leaves(
                ("qos", "pfc", meant, "small-packet-probability"), ("qos", "pfc", name, "small-packet-probability")
            )
        self._fix_pools("memory-percent")

    def _fix_pool_priorities(self) -> None:
        """The priorities of traffic pools, where they are said: the lossless pool has those with PFC."""
        stated = any(path[1:2] == ("switch-priority",) for path in self.running.below("qos", "traffic-pool"))
        usual = self.rendered.below("qos", "traffic-pool", "roce-lossless", "switch-priority").keys()
        if stated or not usual <= {("3",)}:
            self._fix_pools("switch-priority")

    def _fix_pools(self, leaf: str) -> None:
        """A leaf of each traffic pool: the lossless one has either of two names, and goes where none is meant."""
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
