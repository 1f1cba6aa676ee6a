"""How traffic is spread over equal paths, at both ends: rules TOP918, NIC963 and JUN820."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.analysis.hosts import FirstKind, HostNics, host_nics
from rocecfg.model import Device, Fabric, Origin
from rocecfg.model.fabric import REORDERING
from rocecfg.profiles import MARKS, SHIPPED, UnknownProfile
from rocecfg.rules.base import ERROR, INFO, WARNING, Hit, Rule, rule
from rocecfg.rules.common import listed

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
    worst=ERROR,
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


def _is_known(nics: HostNics) -> bool:
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
    """Junos: packets of one flow are spread over several links, and overtake each other."""
    stated = device.load_balancing
    if stated is None or stated.mode not in REORDERING or not any(port.pfc for port in device.ports):
        return
    of_hosts = host_nics(fabric)
    if of_hosts and all(_is_known(nics) for nics in of_hosts):
        return  # nic-reorder has what they cannot do
    yield Hit(
        "ecmp-dlb per-packet sends the packets of one flow over several links, and they overtake each other: NICs that "
        "do not place them out of order ask for all of them again",
        (stated.at("mode"), stated.at("")),
        "see that the NICs take packets out of order, and state it (hosts: adaptive_routing: true); or mode: flowlet",
    )


RULES: tuple[Rule, ...] = (topology_hash, nic_reorder, junos_per_packet)
