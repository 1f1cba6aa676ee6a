"""From a setting that is not as meant to the leaves of NVUE that say it."""

from __future__ import annotations

from collections.abc import Mapping

from rocecfg.core.records import NamedTuple
from rocecfg.model.catalogue import What
from rocecfg.vendors.spectrum.mending.leaves import MEMBER, Leaves, Path, names
from rocecfg.vendors.spectrum.reading.schema import GLOBAL

_CURVE = {"kmin": "min-threshold", "kmax": "max-threshold", "pmax": "probability"}
_LEAVES = {  # settings of a port that stand together in a profile: its kind, and the leaves
    "cable": ("pfc", ("cable-length",)),
    "headroom": ("pfc", ("port-buffer", "xoff-threshold", "xon-threshold")),
    "group": ("pfc", ("port-buffer", "xoff-threshold", "xon-threshold")),
    "trust": ("mapping", ("trust", "port-default-sp", "pcp")),
    "unmarked": ("mapping", ("port-default-sp",)),
}
_MARKS = ("dscp", "pcp")
_TIMERS = ("detection_time", "restoration_time", "poll_interval")
_RATES = {"max_rate": "max-rate", "guaranteed": "min-rate"}
_POOLS = ("default-lossless", "roce-lossless")
_KINDS = ("mapping", "pfc", "congestion-control", "egress-shaper", "egress-scheduler")


class Made(NamedTuple):
    """What is set and what is unset, in this order."""

    set: dict[Path, str]
    unset: tuple[Path, ...]


class Paths:
    """The leaves as they are to be."""

    def __init__(
        self, meant: Leaves, have: Leaves, lags: Mapping[str, str | None], mtus: Mapping[str, int | None]
    ) -> None:
        """`lags`: the ports of the intent, each with the bond that it belongs to; `mtus`: theirs, not rendered."""
        self.meant = meant
        self.have = have
        self.target = dict(have.all)
        self.at = {port: lag or port for port, lag in lags.items()}  # profiles of a bond's member are the bond's
        self.names = {kind: names(kind, meant, have, self.at) for kind in _KINDS}
        self.mtus = mtus
        self.beyond: dict[str, None] = {}

    def made(self) -> Made:
        """What leads to the leaves as they are to be."""
        changed = {path: value for path, value in self.target.items() if self.have.all.get(path) != value}
        gone = tuple(path for path in self.have.all if path not in self.target)
        return Made(changed, _outermost(gone, self.target))

    def mend(self, port: str | None, what: What) -> None:
        """Make one setting what is meant; None: a setting of the switch as a whole."""
        topic = what.topic
        if port is None:
            self._of_switch(what)
        elif topic in ("pfc", "obeys", "sends"):
            self._pfc(port)
        elif topic in _LEAVES:
            kind, leaves = _LEAVES[topic]
            self._leaves(port, kind, *((leaf,) for leaf in leaves))
        elif topic in _MARKS:
            self._leaves(port, "mapping", (topic, str(what.number), "switch-priority"))
        elif topic == "watchdog":
            self._watchdog(port, what.part)
        elif topic in ("ecn", "discards"):
            self._curve(port, str(what.number), what.part)
        elif topic == "shares":
            turn = ("traffic-class", what.part)
            self._leaves(port, "egress-scheduler", (*turn, "mode"), (*turn, "bw-percent"))
        elif topic in _RATES:
            self._leaves(port, "egress-shaper", ("traffic-class", str(what.number), _RATES[topic]))
        elif topic == "mtu":
            self.target["interface", self.at.get(port, port), "link", "mtu"] = str(self.mtus[port])
        elif topic == "flowcontrol":
            self._drop(("interface", self.at.get(port, port), "qos", "link-pause"))
        else:
            self.beyond[f"{port}: {topic} is not set in NVUE's objects on QoS"] = None

    def _of_switch(self, what: What) -> None:
        if what.topic in _MARKS:
            self._code(what.topic, str(what.number))
        elif what.topic in ("buffers", "pool"):
            self._copy(("qos", "advance-buffer-config"))
            for names in self.names["pfc"].items():
                self._take(names, "pfc", ("small-packet-probability",))
            for path, value in self.meant.below("qos", "traffic-pool").items():
                if path[1:] == ("memory-percent",):
                    self.target["qos", "traffic-pool", *path] = value
            if what.part.endswith(".priorities"):
                self._pools()
        elif what.topic == "roce":
            self._copy(("qos", "roce"))
        elif what.topic == "remarks":
            self._drop(("qos", "remark", GLOBAL, "rewrite"))
        else:
            self.beyond[f"{what.topic} is not set in NVUE's objects on QoS"] = None

    # -- ports ---------------------------------------------------------------------------------------------------------

    def _profile(self, kind: str, port: str) -> tuple[str, str]:
        """The profile that is meant for a port, bound to it: its name in the rendering, and on the switch."""
        at = self.at.get(port, port)
        meant = self.meant.bound(kind).get(at, GLOBAL)
        name = self.names[kind].get(meant, meant)
        binding = ("interface", at, "qos", kind, "profile")
        if name == GLOBAL:
            self._drop(binding)
        elif self.have.bound(kind).get(at) != name:
            self.target[binding] = name
        if name not in {path[2] for path in self.have.all if path[:2] == ("qos", kind) and len(path) > 2}:
            self._copy(("qos", kind, meant), ("qos", kind, name))
        return meant, name

    def _pfc(self, port: str) -> None:
        self._leaves(port, "pfc", ("switch-priority",), ("tx",), ("rx",))
        if any(path[:2] == ("qos", "roce") for path in self.have.all):
            self._copy(("qos", "roce"))
        self._pools()

    def _pools(self) -> None:
        """The priorities of traffic pools, where they are said: the lossless pool has those with PFC."""
        said = {path[0] for path in self.have.below("qos", "traffic-pool") if path[1:2] == ("switch-priority",)}
        usual = {
            path[2:]
            for path in self.meant.below("qos", "traffic-pool")
            if path[:2] == ("roce-lossless", "switch-priority")
        }
        if not said and usual <= {("3",)}:
            return
        lossless = next((pool for pool in _POOLS if pool in said), _POOLS[-1])
        for pool in dict.fromkeys(path[0] for path in self.meant.below("qos", "traffic-pool")):
            name = lossless if pool in _POOLS else pool
            source = ("qos", "traffic-pool", pool, "switch-priority")
            self._copy(source, ("qos", "traffic-pool", name, "switch-priority"))

    def _watchdog(self, port: str, part: str) -> None:
        if part in _TIMERS:
            self._copy(("qos", "pfc-watchdog"))
            return
        state = ("interface", port, "qos", "pfc-watchdog", "state")
        meant = self.meant.all.get(state)
        if meant is not None:
            self.target[state] = meant
            for path, value in self.meant.below("qos", "pfc-watchdog").items():
                self.target.setdefault(("qos", "pfc-watchdog", *path), value)
        else:
            self._drop(state)

    def _curve(self, port: str, queue: str, part: str) -> None:
        leaves = (_CURVE[part],) if part in _CURVE else ("ecn", "red", *_CURVE.values())
        self._leaves(port, "congestion-control", *(("traffic-class", queue, leaf) for leaf in leaves))

    # -- the switch ----------------------------------------------------------------------------------------------------

    def _code(self, mark: str, code: str) -> None:
        """The way of a code point or 802.1p value: its switch priority, and the traffic class of that."""
        for meant, name in self.names["mapping"].items():
            if mark == "pcp" and not self.meant.below("qos", "mapping", meant, "pcp"):
                continue  # a profile that does not sort by it
            priority = self.meant.all.get(("qos", "mapping", meant, mark, code, "switch-priority"))
            self._take((meant, name), "mapping", (mark, code, "switch-priority"))
            for each in (priority,) if priority is not None else map(str, range(8)):  # None: NVIDIA's own map is meant
                way = ("qos", "egress-queue-mapping", GLOBAL, "switch-priority", each, "traffic-class")
                if way in self.meant.all:
                    self.target[way] = self.meant.all[way]

    # -- leaves --------------------------------------------------------------------------------------------------------

    def _leaves(self, port: str, kind: str, *paths: Path) -> None:
        """Make leaves of the profile of a port what is meant."""
        names = self._profile(kind, port)
        for path in paths:
            self._take(names, kind, path)

    def _take(self, names: tuple[str, str], kind: str, path: Path) -> None:
        meant, name = names
        self._copy(("qos", kind, meant, *path), ("qos", kind, name, *path))

    def _copy(self, source: Path, to: Path | None = None) -> None:
        """Make what is set at a path and below it what is meant."""
        to = source if to is None else to
        wanted = {(*to, *path[len(source) :]): v for path, v in self.meant.all.items() if path[: len(source)] == source}
        if not wanted or wanted == {to: MEMBER}:
            self._drop(to)
            return
        for path in [path for path in self.target if path[: len(to)] == to and path not in wanted]:
            del self.target[path]
        self.target.update(wanted)

    def _drop(self, path: Path) -> None:
        for found in [found for found in self.target if found[: len(path)] == path]:
            del self.target[found]


def _outermost(gone: tuple[Path, ...], target: Mapping[Path, str]) -> tuple[Path, ...]:
    """Paths that take all of `gone` away and nothing else: a profile that goes whole is one of them."""
    kept = {path[:size] for path in target for size in range(1, len(path) + 1)}
    out: dict[Path, None] = {}
    for path in gone:
        size = len(path)
        while size > _LEAST.get(path[0], 3) and path[: size - 1] not in kept:
            size -= 1
        out[path[:size]] = None
    return tuple(out)


_LEAST = {"interface": 4}  # no more than an object of QoS goes whole
