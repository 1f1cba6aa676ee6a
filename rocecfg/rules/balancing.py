"""How traffic is spread over equal paths, at both ends: rules TOP918, TOP952, NIC963, NIC964 and JUN820."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.analysis.balancing import find_ordering, find_reordering
from rocecfg.analysis.hosts import FirstKind, HostNics, host_nics
from rocecfg.model import Device, Fabric, LoadBalancing
from rocecfg.model.fabric import REORDERING
from rocecfg.profiles import MARKS, SHIPPED, UnknownProfile
from rocecfg.rules.base import ERROR, INFO, WARNING, Hit, Rule, rule
from rocecfg.rules.common import join_words
from rocecfg.rules.hosts_commands import MLX5, driver_of
from rocecfg.rules.hosts_gpu import gpu_initiated_libraries

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
    """ECMP hashes nothing that differs between queue pairs: all traffic between two hosts takes one path."""
    stated = device.load_balancing
    if stated is None or not stated.hash or stated.mode in REORDERING or set(stated.hash) & set(_BY_QUEUE_PAIR):
        return
    if device.nos is not None and not device.nos.knows("device.load_balancing.hash"):
        return  # what is stated never reaches the switch, and nos-unsupported says so
    yield Hit(
        f"ECMP hashes {join_words(stated.hash)}, but not the UDP source port: all traffic between two hosts uses one "
        "path, since no other field of the 5-tuple differs between their queue pairs (the destination port is 4791)",
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
    """`routing` contradicts `load_balancing` in adaptive routing or in the hash."""
    routing = fabric.facts.get("routing")
    if not isinstance(routing, dict):
        return
    adaptive, hashed = routing.get("adaptive"), routing.get("hash")
    stated = [device.load_balancing for device in fabric.devices if device.load_balancing is not None]
    if adaptive is not None:
        spreads = all(d.nos is None or d.nos.takes("device.load_balancing.mode", "adaptive") for d in fabric.devices)
        yield from _compare_mode(adaptive, [own for own in stated if own.mode is not None], spreads=spreads)
    if hashed is not None:
        yield from _compare_hash(hashed, [own for own in stated if own.hash and own.mode not in REORDERING])


def _compare_mode(adaptive: Any, stated: list[LoadBalancing], *, spreads: bool) -> Iterator[Hit]:
    """`adaptive: true` where every switch that says balances by flow, or `adaptive: false` where one does not.

    `spreads`: whether all systems have a way to spread single packets by load.
    """
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
            "but switches keep each flow on one path"
            if adaptive.value
            else "but switches send the packets of a flow over several paths"
        )
        word = "true" if adaptive.value else "false"
        yield Hit(
            f"routing has adaptive: {word}, {means} (mode: {mode}): rules and alerts use one or the other",
            (at,),
            f"state adaptive: {'false' if adaptive.value else 'true'} under routing"
            + (", or mode: ecmp here" if not adaptive.value else ", or mode: adaptive here" if spreads else ""),
            ((adaptive.at, f"adaptive: {word}"),),
        )


def _compare_hash(hashed: Any, stated: list[LoadBalancing]) -> Iterator[Hit]:
    """The destination queue pair is hashed by one section alone."""
    for at, fields in {own.at("hash"): own.hash for own in stated}.items():
        if ("dest-qp" in fields) != (hashed.value == "dest-qp"):
            yield Hit(
                f"routing states that ECMP hashes {_HASHED[hashed.value]}, but switches hash {join_words(fields)}",
                (at,),
                "hash: dest-qp under routing, or leave dest-qp out here"
                if "dest-qp" in fields
                else "hash: 5-tuple under routing, or add dest-qp here",
                ((hashed.at, f"hash: {hashed.value}"),),
            )


@rule(
    "NIC963",
    "nic-reorder",
    WARNING,
    worst=ERROR,
    source="NVIDIA, out-of-order data placement and ROCE_ADAPTIVE_ROUTING_EN; Mittal et al., SIGCOMM'18: a RoCE NIC "
    "takes a packet out of order for a loss, and goes back",
    needs=("hosts",),
)
def nic_reorder(fabric: Fabric) -> Iterator[Hit]:
    """Switches send packets of a flow over several paths, and NICs treat reordered packets as lost."""
    found = find_reordering(fabric)
    if found is None:
        return
    at, words = found
    first = FirstKind()
    harm = "a reordered packet counts as lost, and the sender goes back and resends"
    for nics in host_nics(fabric):
        stated, card = nics.value.get("adaptive_routing"), nics.value.get("nic")
        if stated is not None:
            if not stated.value and first.takes(stated.at, nics):
                mlx5 = driver_of(nics) == MLX5
                how = (
                    "mlxconfig -d DEVICE set ROCE_ADAPTIVE_ROUTING_EN=1, then reset the NIC"
                    if mlx5
                    else "by the card's own tool, if the card can"
                )
                yield Hit(
                    f"the NICs of {nics.key} take packets only in order, but switches spread them ({words}): {harm}",
                    (stated.at,),
                    f"turn it on ({how}) and state adaptive_routing: true; or balance by flow: {_restate(words)}",
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
            f"switches spread packets of a flow ({words}), but {known.title} does not take them out of order by "
            f"default{sure}: {harm}",
            (card.at,),
            "set ROCE_ADAPTIVE_ROUTING_EN=1 (mlxconfig) on the NICs, and state adaptive_routing: true",
            ((at, words),),
        )


def _restate(words: str, *, spread: bool = False) -> str:
    """What to write where `words`, of routing or of load_balancing, say the opposite."""
    if words.startswith("adaptive"):
        return f"adaptive: {'true' if spread else 'false'} under routing"
    return "mode: adaptive" if spread else "mode: ecmp"


def _is_reordering_known(nics: HostNics) -> bool:
    """Whether it is stated, or in the profile of the NIC, if packets are placed out of order."""
    if "adaptive_routing" in nics.value:
        return True
    card = nics.value.get("nic")
    try:
        return card is not None and SHIPPED.nic(card.value).adaptive_routing is not None
    except UnknownProfile:
        return False


@rule(
    "JUN820",
    "junos-per-packet",
    INFO,
    source="Juniper, Dynamic Load Balancing: order is kept where all packets of a flow take one path",
    vendors=("junos",),
)
def junos_per_packet(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """Junos: packets of one flow use several links, and arrive out of order."""
    stated = device.load_balancing
    if stated is None or stated.mode not in REORDERING or not any(port.pfc for port in device.ports):
        return
    of_hosts = host_nics(fabric)
    if of_hosts and all(_is_reordering_known(nics) for nics in of_hosts):
        return  # nic-reorder has what they cannot do
    yield Hit(
        "ecmp-dlb per-packet sends the packets of one flow over several links, so they arrive out of order: NICs "
        "that cannot place them out of order ask for all of them again",
        (stated.at("mode"), stated.at("")),
        "check that the NICs accept packets out of order, and state it (adaptive_routing: true in hosts); or set "
        "mode: flowlet",
    )


@rule(
    "NIC964",
    "nic-nccl-adaptive",
    WARNING,
    source="NCCL, environment variables: NCCL_IB_ADAPTIVE_ROUTING is 1 on InfiniBand and 0 on RoCE unless set; "
    "NCCL_IB_AR_THRESHOLD, 8192 B",
    needs=("hosts",),
)
def nic_nccl_adaptive(fabric: Fabric) -> Iterator[Hit]:
    """NCCL is set for routes that keep the order, but switches spread packets of a flow, or the reverse."""
    spread, kept, first = find_reordering(fabric), find_ordering(fabric), FirstKind()
    for nics in host_nics(fabric):
        stated = nics.host.get("nccl_ib_adaptive_routing") if nics.of_gpus else None
        if spread is not None and nics.of_gpus and not (stated is not None and stated.value):
            place = stated if stated is not None else _find_sign_of_nccl(nics)
            if place is not None and first.takes(place.at, nics):
                at, words = spread
                how = "is set to send" if stated is not None else "sends, by its default on RoCE,"
                yield Hit(
                    f"NCCL on {nics.hosts} {how} data and its completion as one write with immediate "
                    f"(NCCL_IB_ADAPTIVE_ROUTING 0), but switches spread packets of a flow ({words}): such a message "
                    "completes only in order, and gains little from the other paths",
                    (place.at,),
                    "state nccl_ib_adaptive_routing: true, and set NCCL_IB_ADAPTIVE_ROUTING=1 in the environment of "
                    "jobs (render --vendor host writes it)",
                    ((at, words),),
                    severity=WARNING if stated is not None else INFO,
                )
        elif kept is not None and stated is not None and stated.value and first.takes(stated.at, nics):
            at, words = kept
            yield Hit(
                f"NCCL on {nics.hosts} splits each transfer above 8192 B (NCCL_IB_AR_THRESHOLD) into its data and "
                f"an empty write that completes it, for adaptive routes that the switches do not use ({words}): the "
                "second work request is wasted",
                (stated.at,),
                f"remove nccl_ib_adaptive_routing, or have switches spread packets: {_restate(words, spread=True)}",
                ((at, words),),
                severity=INFO,
            )


def _find_sign_of_nccl(nics: HostNics) -> Any:
    """What says that NCCL runs here on NICs that take packets in any order, the variable aside; None: nothing."""
    takes = nics.value.get("adaptive_routing")
    runs = any(key.startswith("nccl_") for key in nics.host) or "nccl" in gpu_initiated_libraries(nics.host)
    return takes if takes is not None and takes.value and runs else None


RULES: tuple[Rule, ...] = (topology_hash, topology_balancing_conflict, nic_reorder, nic_nccl_adaptive, junos_per_packet)
