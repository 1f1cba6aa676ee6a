"""How traffic is spread over equal paths, at both ends: rules TOP918, TOP952 and NIC963."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.analysis.hosts import FirstKind, host_nics
from rocecfg.model import Device, Fabric, LoadBalancing, Origin
from rocecfg.model.fabric import REORDERING
from rocecfg.profiles import MARKS, SHIPPED, UnknownProfile
from rocecfg.rules.base import ERROR, WARNING, Hit, Rule, rule
from rocecfg.rules.common import listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_HASHED = {"5-tuple": "the 5-tuple", "dest-qp": "the destination queue pair"}  # words of `routing.hash`
_BY_QUEUE_PAIR = ("src-port", "dest-qp", "flow-label")  # what differs between the queue pairs of two hosts


@rule(
    "TOP918",
    "topology-hash",
    WARNING,
    source="IBTA, Annex A17 (RoCEv2): UDP destination port 4791; the source port may carry entropy of the queue pair",
)
def topology_hash(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """ECMP hashes nothing that differs between queue pairs: all that two hosts exchange takes one path."""
    stated = device.load_balancing
    if stated is None or not stated.hash or stated.mode in REORDERING or set(stated.hash) & set(_BY_QUEUE_PAIR):
        return
    yield Hit(
        f"ECMP hashes {listed(stated.hash)} and not the UDP source port, the one field of the 5-tuple in which queue "
        "pairs of two hosts differ (the destination port is 4791 for all): all that they exchange takes one path",
        (stated.at("hash"), stated.at("")),
        "add src-port to hash",
    )


@rule(
    "TOP952",
    "topology-balancing-conflict",
    WARNING,
    source="rules on deadlock, entropy and NICs, and alerts on packets out of sequence, go by both sections",
    needs=("routing",),
)
def topology_balancing_conflict(fabric: Fabric) -> Iterator[Hit]:
    """What `routing` says of adaptive routing and of the hash is not what `load_balancing` has switches do."""
    routing = fabric.facts.get("routing")
    if not isinstance(routing, dict):
        return
    adaptive, hashed = routing.get("adaptive"), routing.get("hash")
    stated = [device.load_balancing for device in fabric.devices if device.load_balancing is not None]
    if adaptive is not None:
        yield from _of_mode(adaptive, [own for own in stated if own.mode is not None])
    if hashed is not None:
        yield from _of_hash(hashed, [own for own in stated if own.hash and own.mode not in REORDERING])


def _of_mode(adaptive: Any, stated: list[LoadBalancing]) -> Iterator[Hit]:
    """`adaptive: true` where every switch that says balances by flow, or `adaptive: false` where one does not."""
    spread = [own for own in stated if own.mode in REORDERING]
    if adaptive.value:
        # one tier with a single way down may hash; flowlets go by load too
        against = [] if spread else [own for own in stated if own.mode == "ecmp"]
        if len(against) != len(stated):
            return
    else:
        against = spread
    for at, mode in {own.at("mode"): own.mode for own in against}.items():
        means = (
            "and switches are told to keep each flow on one path"
            if adaptive.value
            else "and switches are told to send the packets of a flow over several paths"
        )
        word = "true" if adaptive.value else "false"
        yield Hit(
            f"routing has adaptive: {word}, {means} (mode: {mode}): rules and alerts go by the one or the other",
            (at,),
            f"state adaptive: {'false' if adaptive.value else 'true'} under routing, or "
            f"{'mode: adaptive' if adaptive.value else 'mode: ecmp'} here",
            ((adaptive.at, f"adaptive: {word}"),),
        )


def _of_hash(hashed: Any, stated: list[LoadBalancing]) -> Iterator[Hit]:
    """The destination queue pair is hashed by one section alone."""
    for at, fields in {own.at("hash"): own.hash for own in stated}.items():
        if ("dest-qp" in fields) != (hashed.value == "dest-qp"):
            yield Hit(
                f"routing says that ECMP hashes {_HASHED[hashed.value]}, and switches hash {listed(fields)}",
                (at,),
                "state the same in both: dest-qp in load_balancing.hash goes with hash: dest-qp under routing",
                ((hashed.at, f"hash: {hashed.value}"),),
            )


def _reordered(fabric: Fabric) -> tuple[Origin, str] | None:
    """Where it is stated that packets of a flow take several paths, and how; None where nobody states it."""
    for device in fabric.devices:
        stated = device.load_balancing
        if stated is not None and stated.mode in REORDERING:
            return stated.at("mode"), f"mode: {stated.mode}"
    routing = fabric.facts.get("routing")
    adaptive = routing.get("adaptive") if isinstance(routing, dict) else None
    return (adaptive.at, "adaptive: true") if adaptive is not None and adaptive.value else None


@rule(
    "NIC963",
    "nic-reorder",
    WARNING,
    source="NVIDIA, out-of-order data placement and ROCE_ADAPTIVE_ROUTING_EN; Mittal et al., SIGCOMM'18: a RoCE NIC "
    "takes a packet out of order for a loss, and goes back",
    needs=("hosts",),
)
def nic_reorder(fabric: Fabric) -> Iterator[Hit]:
    """Switches send packets of a flow over several paths, and NICs take those that overtake others for losses."""
    found = _reordered(fabric)
    if found is None:
        return
    at, words = found
    first = FirstKind()
    harm = "a packet that overtakes another counts as a loss there, and the sender goes back and sends again"
    for nics in host_nics(fabric):
        stated, card = nics.value.get("adaptive_routing"), nics.value.get("nic")
        if stated is not None:
            if not stated.value and first.takes(stated.at, nics):
                yield Hit(
                    f"the NICs of {nics.key} take packets in order alone, and switches spread them ({words}): {harm}",
                    (stated.at,),
                    "turn it on (mlxconfig -d DEVICE set ROCE_ADAPTIVE_ROUTING_EN=1, then reset the NIC) and state "
                    "adaptive_routing: true; or balance by flow: mode: ecmp",
                    ((at, words),),
                    severity=ERROR,
                )
            continue
        try:
            known = SHIPPED.nic(card.value) if card is not None else None
        except UnknownProfile:
            continue
        if card is None or known is None or known.adaptive_routing != "off" or not first.takes(card.at, nics):
            continue
        mark = known.marks.get("adaptive_routing", "U")
        sure = "" if mark == "V" else f" ({MARKS[mark]})"
        yield Hit(
            f"switches spread packets of a flow ({words}), and {known.title} does not take them out of order until "
            f"told to{sure}: {harm}",
            (card.at,),
            "set ROCE_ADAPTIVE_ROUTING_EN=1 (mlxconfig) on the NICs, and state adaptive_routing: true",
            ((at, words),),
        )


RULES: tuple[Rule, ...] = (topology_hash, topology_balancing_conflict, nic_reorder)
