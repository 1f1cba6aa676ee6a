"""Classes on a switch as it runs: leftovers, marks, tunnels, odd ports. Rules MIX415 to 417, 421, 430 and 440."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.core.units import ranges
from rocecfg.model import Device, Fabric, PortGroup, TrafficClass
from rocecfg.rules.base import ALL_CLASSES, ERROR, INFO, RUNNING, WARNING, Hit, Rule, rule, running_rule
from rocecfg.rules.common import (
    LOSSY_OFF,
    find_dropped_dscps,
    format_priorities,
    is_dual_tor,
    join_words,
    lossless_dscps,
    paused_priorities,
    usual_lossless_dscps,
)

_SERVICE = 8  # code points that begin with the same three bits
_ALL_SERVICES = 7  # of eight: that port sorts nothing, all it carries is one class
_STOCK = {3: (3,), 4: (4,)}  # DSCPs of the two lossless traffic classes in SONiC's template


@rule(
    "MIX415",
    "mix-remark",
    ERROR,
    source="RFC 2474 and RFC 3168: the DSCP decides the class at every hop, and marks of congestion stand beside it",
    on=RUNNING,
    classes=ALL_CLASSES,
)
def mix_remark(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """The switch rewrites the DSCP of RDMA to that of another class: the next hop treats it as other traffic."""
    if device.running is None:
        return
    written = dict(device.running.remarks)
    for cls in device.rdma:
        dscp = written.get(cls.tc)
        if dscp is None or not cls.dscps or dscp in cls.dscps:
            continue
        yield Hit(
            f"the switch sends traffic class {cls.tc} with DSCP {dscp}, but {cls.name} takes DSCP "
            f"{ranges(cls.dscps)}: a next hop with the same map puts it into another class, where it is not lossless",
            (device.running.at("remarks"), cls.at("dscp"), device.at()),
            related=((cls.at("dscp"), f"what {cls.name} takes"),),
            cls=cls.name,
        )


@rule(
    "MIX416",
    "mix-tunnel",
    WARNING,
    source="RFC 6040: ECN bits are copied into the tunnel's header, and back from it",
    on=RUNNING,
    classes=ALL_CLASSES,
)
def mix_tunnel(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """A tunnel that does not carry DSCP and ECN: RDMA in it is treated as other traffic, and marks are lost."""
    running = device.running
    if running is None or not running.tunnels or running.copies_dscp is not False or not device.rdma:
        return
    yield Hit(
        "tunnels of this switch do not copy DSCP and ECN into the outer header, or not back: RDMA in them is "
        "treated as other traffic, and congestion marks on the way are lost",
        (running.at("copies_dscp", "tunnels"), device.at()),
    )


@rule(
    "MIX417",
    "mix-sonic-tc4",
    WARNING,
    source="sonic-buildimage, files/build_templates/qos_config.j2: PFC on 3 and 4, DSCP 3 and 4 lead there",
    by_kind=LOSSY_OFF,
    vendors=("sonic",),
    on=RUNNING,
    classes=ALL_CLASSES,
)
def mix_sonic_tc4(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """SONiC: RDMA has a lossless traffic class with DSCPs of its own, and the other stock one is still lossless."""
    if device.running is None or is_dual_tor(fabric, device):
        return
    lossless = {c.tc: c for c in device.rdma if c.priority in paused_priorities(device)}
    if not _STOCK.keys() <= lossless.keys():
        return
    kept = [tc for tc, dscps in _STOCK.items() if lossless[tc].dscps == dscps]
    if len(kept) != 1:
        return  # both as shipped, or both somebody's own
    spare = lossless[kept[0]]
    used = lossless[next(tc for tc in _STOCK if tc != spare.tc)]
    if not used.dscps:
        return
    yield Hit(
        f"DSCP {ranges(used.dscps)} map{'s' * (len(used.dscps) == 1)} to lossless TC {used.tc}, but TC {spare.tc} "
        f"is still lossless, as SONiC ships it, for DSCP {ranges(spare.dscps)}: every port also keeps headroom for "
        f"it, and any packet marked {ranges(spare.dscps)} can pause the fabric",
        (spare.at("lossless"), spare.at("dscp")),
        related=((used.at("dscp"), f"TC {used.tc} has marks of its own"),),
        cls=spare.name,
    )


@rule(
    "MIX421",
    "mix-port-map",
    ERROR,
    source="IEEE 802.1Qbb: a port pauses for the priority that its own map sorts a packet into",
    by_kind=LOSSY_OFF,
    vendors=("sonic", "spectrum"),  # EOS has one DSCP map a switch
    on=RUNNING,
    classes=ALL_CLASSES,
    by_maps=True,
)
def mix_port_map(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """Ports with PFC map RDMA to a class that drops, by maps of their own; it is lossless on the rest of the switch."""
    lost = find_dropped_dscps(fabric, device, port)
    if not lost or device.whole is None or port.running is None:
        return
    elsewhere = usual_lossless_dscps(device.whole)
    usual = dict.fromkeys(elsewhere[dscp].name for dscp in lost)
    names = list(dict.fromkeys(cls.name for cls in lost.values()))
    own = sorted(lossless_dscps(device, (port,)).keys() - elsewhere.keys())
    taker = next(iter(lost.values()))
    wording = f"DSCP {ranges(lost)}, lossless on the rest of the switch ({join_words(usual)}), "
    where = f"map{'s' * (len(lost) == 1)} to {join_words(names)} here, which drops"
    yield Hit(
        wording
        + where
        + (
            f": RDMA is lossless here only where its senders mark DSCP {ranges(own)}"
            if own
            else f": congestion loses RDMA that comes in on these ports, and PFC on {format_priorities(port.pfc)} "
            "protects nothing"
        ),
        (port.running.at("dscp_to_tc_map", "mapping", "maps"), port.at("classes")),
        related=((taker.at("dscp"), "the map"),),
        severity=WARNING if own else None,  # hosts of another generation, or a slip: the configuration does not say
    )


@rule(
    "MIX430",
    "mix-lossless-dscp",
    INFO,
    source="RFC 2474 and RFC 4594: code points of one service have their first three bits in common",
    by_kind=LOSSY_OFF,
    on=RUNNING,
    classes=ALL_CLASSES,
    by_maps=True,
)
def mix_lossless_dscp(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """One lossless traffic class takes DSCPs of several services: those that are not RDMA can pause it."""
    if not cls.lossless or is_dual_tor(fabric, device):
        return
    reported = {0, 48, cls.tc}  # pfc-prio0 and pfc-cnp tell of the first two; the last is SONiC's own for the class
    blocks: dict[int, list[int]] = {}
    for dscp in cls.dscps:
        if dscp not in reported:
            blocks.setdefault(dscp // _SERVICE, []).append(dscp)
    if not 1 < len(blocks) < _ALL_SERVICES:
        return
    yield Hit(
        f"DSCP {ranges(sorted(d for block in blocks.values() for d in block))} all map to {cls.name}, which is "
        "lossless, but belong to different services: those that are not RDMA can pause the fabric, and the "
        "configuration does not tell which they are",
        (cls.at("dscp"), cls.at("lossless")),
        cls=cls.name,
    )


RULES: tuple[Rule, ...] = (
    mix_remark,
    mix_tunnel,
    mix_sonic_tc4,
    mix_port_map,
    mix_lossless_dscp,
    running_rule(
        "MIX440",
        "mix-rdma-acl",
        ERROR,
        "A filter or policy drops, polices, marks or re-sorts RoCEv2 (UDP port 4791), or makes other packets lossless.",
        source="IBTA, annex A17: RoCEv2 has UDP destination port 4791; filters and policies act before the maps",
    ),
)
