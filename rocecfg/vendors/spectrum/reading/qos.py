"""The profiles of `qos`, complete: what each of them sets, and what is in force where it says nothing.

A profile bound to a port replaces the global settings there, those that `qos roce` implies included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from rocecfg.core.records import NamedTuple
from rocecfg.model import Span
from rocecfg.model.stated import OFF, Section, Val, make_section
from rocecfg.vendors.spectrum.reading.implied import CURVE, Basis, ImpliedCurve
from rocecfg.vendors.spectrum.reading.nodes import Node
from rocecfg.vendors.spectrum.reading.schema_qos import GLOBAL
from rocecfg.vendors.spectrum.settings import read_values

T = TypeVar("T")
PRIORITIES = range(8)
DSCP_TRUSTED = ("l3", "both")  # ways of trust by which IP packets are sorted by DSCP
_RATES = ("max_rate", "guaranteed")


class PriorityMapping(NamedTuple):
    """What sorts packets on arrival, into switch priorities."""

    trust: Val | None  # l2 | l3 | both | port; None: unknown
    default: Val  # of packets that nothing is trusted of
    dscp: tuple[Val, ...]  # 64
    pcp: tuple[Val, ...]  # 8
    stated: frozenset[int]  # the DSCPs that the text itself maps


class PortPfc(NamedTuple):
    """PFC of a port."""

    name: str | None  # the profile; None: what `qos roce` implies
    at: Span
    priorities: dict[int, Span]
    sends: Val  # bool
    obeys: Val  # bool
    cable: Val  # metres
    cable_stated: bool
    headroom: Val  # auto, or a section of size, xon, xoff in bytes
    small_packets: Val | None  # percent


class QueueMarking(NamedTuple):
    """ECN and RED of a traffic class."""

    ecn: Val | None  # a section of kmin, kmax, pmax, or OFF; None: unknown
    red: Val | None  # bool


class QosProfiles:
    """The profiles in force; each is computed once."""

    def __init__(self, tree: Node, basis: Basis) -> None:
        self.tree = tree.get("qos") or Node(basis.at)
        self.basis = basis
        self._known: dict[tuple[str, str], Any] = {}
        self.shaped = any(node.get("traffic-class") for _, node in self.tree.items("egress-shaper"))

    def profile(self, kind: str, name: str) -> Node | None:
        """What the text sets of a profile."""
        return self.tree.get(kind, name)

    def _read_once(self, kind: str, name: str, read: Callable[[str], T]) -> T:
        """A profile, or the global one where it is not defined: that is told, and nothing else made of it."""
        key = kind, name if self.profile(kind, name) is not None else GLOBAL
        if key not in self._known:
            self._known[key] = read(key[1])
        found: T = self._known[key]
        return found

    @property
    def queues(self) -> tuple[Val, ...]:
        """The traffic class of each switch priority."""
        given = self.tree.get("egress-queue-mapping", GLOBAL, "switch-priority") or Node(self.basis.at)
        return tuple(
            given.val(str(sp), "traffic-class") or Val(tc, self.basis.at) for sp, tc in enumerate(self.basis.queues)
        )

    def mapping(self, name: str) -> PriorityMapping:
        """A profile of `qos mapping`."""
        return self._read_once("mapping", name, self._read_mapping)

    def _read_mapping(self, name: str) -> PriorityMapping:
        basis = self.basis
        node = self.profile("mapping", name) or Node(basis.at)
        trust = node.val("trust")
        if trust is None and name == GLOBAL and basis.trust is not None:
            trust = Val(basis.trust, basis.at)
        dscps = node.get("dscp") or Node(basis.at)
        pcps = node.get("pcp") or Node(basis.at)
        usual = Val(0, basis.at)
        return PriorityMapping(
            trust,
            node.val("port-default-sp") or usual,
            tuple(dscps.val(str(d), "switch-priority") or Val(sp, basis.at) for d, sp in enumerate(basis.dscp)),
            tuple(pcps.val(str(p), "switch-priority") or Val(p, basis.at) for p in PRIORITIES),
            frozenset(int(d) for d, given in dscps.below.items() if given.val("switch-priority") is not None),
        )

    def pfc(self, name: str) -> PortPfc:
        """A profile of `qos pfc`."""
        return self._read_once("pfc", name, self._read_pfc)

    def _read_pfc(self, name: str) -> PortPfc:
        basis = self.basis
        bound = name != GLOBAL
        given = self.profile("pfc", name)
        node = given or Node(basis.at)
        stated = node.get("switch-priority")
        priorities = {} if bound else basis.pauses
        if stated is not None and stated.below:
            priorities = {int(sp): member.at for sp, member in stated.below.items()}
        said = read_values(node, "sends", "obeys", "cable")
        sends, obeys = (said.get(way, Val(value=True, at=node.at)) for way in ("sends", "obeys"))
        if not (sends.value or obeys.value):
            priorities = {}
        return PortPfc(
            name if given is not None else None,
            node.at,
            dict(sorted(priorities.items())),
            sends,
            obeys,
            said.get("cable", basis.cable(bound=bound)),
            "cable" in said,
            Val(read_headroom(node) or "auto", node.at),
            node.val("small-packet-probability"),
        )

    def marking(self, name: str) -> dict[int, QueueMarking]:
        """A profile of `qos congestion-control`: every traffic class."""
        return self._read_once("congestion-control", name, self._read_marking)

    def _read_marking(self, name: str) -> dict[int, QueueMarking]:
        return dict(self._iter_marking(name))

    def _iter_marking(self, name: str) -> Iterator[tuple[int, QueueMarking]]:
        basis = self.basis
        node = self.profile("congestion-control", name)
        given = (node.get("traffic-class") if node is not None else None) or Node(basis.at)
        implied = basis.marked if name == GLOBAL else ()
        if given.below and not basis.classic and name == GLOBAL:
            implied = ()  # what is set replaces the list of marked queues that a fresh switch has
        for tc in PRIORITIES:
            own = given.get(str(tc))
            if own is not None:
                yield tc, _read_queue_marking(own, basis.curve if implied is not None and tc in implied else CURVE)
            elif implied is None:
                yield tc, QueueMarking(None, None)
            else:
                yield (
                    tc,
                    QueueMarking(_make_curve({}, basis.curve, basis.at) if tc in implied else Val(OFF, given.at), None),
                )

    def bandwidth(self, name: str) -> dict[int, Val]:
        """A profile of `qos egress-scheduler`: percent or `strict` by traffic class, as far as known."""
        return self._read_once("egress-scheduler", name, self._read_bandwidth)

    def _read_bandwidth(self, name: str) -> dict[int, Val]:
        basis = self.basis
        node = self.profile("egress-scheduler", name)
        given = (node.get("traffic-class") if node is not None else None) or Node(basis.at)
        turns = basis.turns
        found: dict[int, Val] = {}
        if turns is not None and name == GLOBAL and (basis.mode is not None or not given.below):
            found = {tc: Val(turns.get(tc, 0), basis.at) for tc in PRIORITIES}
        elif given.below and turns is not None:  # one that a profile does not name is served when nobody else sends
            found = {tc: Val(0, given.at) for tc in PRIORITIES}
        for tc in PRIORITIES:
            own = given.get(str(tc))
            if own is not None:
                found[tc] = _read_turn(own, found.get(tc))
        return found

    def rates(self, name: str | None) -> dict[int, Section]:
        """A profile of `qos egress-shaper`: the most and the least by traffic class, bit/s; None: no bound."""
        node = self.profile("egress-shaper", name) if name is not None else None
        found: dict[int, Section] = {}
        packets = node is not None and node.get("mode") is not None and node.below["mode"].value == "pps"
        for tc in PRIORITIES:
            own = (node.get("traffic-class", str(tc)) if node is not None and not packets else None) or Node(
                self.tree.at
            )
            # of 0 as the most NVIDIA's pages say nothing: no amount, and `check_unread` tells of it
            found[tc] = dict.fromkeys(_RATES, Val(None, own.at)) | read_values(own, *_RATES)
        return found

    def sending(self, marking: str, scheduler: str, shaper: str | None) -> dict[int, Section]:
        """How the queues of ports send that these profiles are in force on."""
        key = "sending", f"{marking} {scheduler} {shaper}"
        known: dict[int, Section] | None = self._known.get(key)
        if known is None:
            marks, turns = self.marking(marking), self.bandwidth(scheduler)
            rates = self.rates(shaper) if self.shaped else {}
            known = self._known[key] = {
                tc: make_section(bandwidth=turns.get(tc), ecn=marks[tc].ecn, **rates.get(tc, {})) for tc in PRIORITIES
            }
        return known


def read_headroom(node: Node) -> Section | None:
    """The sizes that a profile of `pfc` fixes, as an intent has them; None: it leaves them to Cumulus Linux.

    NVUE counts from the other end: its xoff is the fill at which the pause goes out (here: the bytes still to come
    after that), its xon the drop below that fill at which the pause ends (here: the fill itself).
    """
    stated = read_values(node, "headroom.*")
    size, level, drop = (stated.get(part) for part in ("size", "xoff", "xon"))
    if size is None:
        return None
    found: Section = {"size": size}
    if level is not None and level.value <= size.value:
        found["xoff"] = Val(size.value - level.value, level.at)
        if drop is not None and drop.value < level.value:
            found["xon"] = Val(level.value - drop.value, drop.at)
    return found


def _make_curve(stated: Section, usual: ImpliedCurve, at: Span) -> Val:
    return Val({part: stated.get(part, Val(value, at)) for part, value in usual._asdict().items()}, at)


def _read_queue_marking(node: Node, usual: ImpliedCurve) -> QueueMarking:
    drops = read_values(node, "discards").get("discards")
    ecn = node.val("ecn")
    if ecn is not None and ecn.value == "disable":
        return QueueMarking(Val(OFF, ecn.at), drops)
    mode = node.val("mode")
    if mode is not None and mode.value == "relative":
        return QueueMarking(None, drops)
    at = (ecn or Val(None, node.at)).at
    return QueueMarking(_make_curve(read_values(node, "ecn.*"), usual, at), drops)


def _read_turn(node: Node, usual: Val | None) -> Val:
    mode, share = node.val("mode"), node.val("bw-percent")
    if mode is not None and mode.value == "strict":
        return Val("strict", mode.at)
    if mode is None and usual is not None and (share is None or usual.value == "strict"):
        return usual
    if share is not None:
        return share
    return Val(0, (mode or Val(None, node.at)).at)  # DWRR without a share has weight 0
