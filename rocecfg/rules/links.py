"""What the two ends of a link have to agree on: rules LNK901 to LNK907.

Of links to hosts MTU and speed are compared here; what else a host says of its own end is for the rules on hosts. What
one end does not state is not known, and nothing is said about it.
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.analysis.ports import PortEnd
from rocecfg.core.units import ranges, show_number, show_rate
from rocecfg.model import Device, Fabric, Origin, PortGroup, TrafficClass
from rocecfg.model.catalogue import FEC
from rocecfg.rules.base import ERROR, INFO, OFF, WARNING, Hit, Rule, rule
from rocecfg.rules.buffer_headroom import UNPAUSED_OFF, path_mtu
from rocecfg.rules.cabling import CableDifference, Joint, find_differences
from rocecfg.rules.common import format_priorities, is_dual_tor, is_judged_by_priority, is_management
from rocecfg.rules.hosts_links import judge_nic_mtus, judge_nic_speeds

_BOUNCED = frozenset((2, 6))  # lossless between two ToRs of a host, and not beyond
_SENT_ALIKE = frozenset(("rdma", "cnp", "control"))  # what must stay in its class from end to end
_MOST_CODE_POINTS = 4


def _joins_front_ports(joint: Joint) -> bool:
    return not (is_management(joint.a.port) or is_management(joint.b.port))


def _is_partial(device: Device) -> bool:
    """Whether that is a part of a configuration, whose silence says nothing."""
    return device.running is not None and not device.running.whole


# -- PFC ---------------------------------------------------------------------------------------------------------------


@rule(
    "LNK901",
    "link-pfc",
    ERROR,
    source="IEEE 802.1Qbb: a pause names a priority, and stops only what the other end sends with it",
    by_kind=UNPAUSED_OFF,
    needs=("links",),
)
def link_pfc(fabric: Fabric) -> Iterator[Hit]:
    """The ends of a link have PFC on different priorities."""
    for found in find_differences(fabric, lambda joint: _compare_pfc(fabric, joint)):
        yield found.hit(
            f"the ends of {found.where} have PFC on different priorities: {found.difference.a} at the first end, "
            f"{found.difference.b} at the second. When one end pauses, the other keeps sending, and packets are "
            "dropped",
            "give both ends the same lossless classes, with the same priorities",
        )._replace(explains=("path-map", "link-ecn", "link-wd"))


def _compare_pfc(fabric: Fabric, joint: Joint) -> CableDifference | None:
    a, b = joint.a, joint.b
    differing = set(a.port.pfc).symmetric_difference(b.port.pfc)
    if not differing or not (is_judged_by_priority(a.port) and is_judged_by_priority(b.port)):
        return None
    if "edge" in (a.port.faces, b.port.faces):
        return None  # pfc-edge
    if any(_is_partial(end.device) and not end.port.pfc for end in (a, b)):
        return None
    if differing <= _BOUNCED and (is_dual_tor(fabric, a.device) or is_dual_tor(fabric, b.device)):
        return None
    if _has_lossy_rdma(a) or _has_lossy_rdma(b):
        return None  # pfc-missing-rdma
    cls = next((c for end in (a, b) for c in _lossless_classes(end) if c.priority in differing), None)
    name = cls.name if cls else None
    pfc = [format_priorities(end.port.pfc, none="none") for end in (a, b)]
    return CableDifference(pfc[0], pfc[1], _locate_pfc(a, name), _locate_pfc(b, name), name)


def _has_lossy_rdma(end: PortEnd) -> bool:
    return any("rdma" in c.carries and not c.lossless for c in end.device.classes_on(end.port))


def _lossless_classes(end: PortEnd) -> list[TrafficClass]:
    return [c for c in end.device.classes_on(end.port) if c.lossless]


def _locate_pfc(end: PortEnd, cls: str | None) -> tuple[Origin, ...]:
    """Where it is said which priorities are paused. `cls`: the class that makes the difference."""
    stated = end.port.at("classes")
    if end.device.running is not None:
        return (stated, end.port.at())
    return (
        *end.device.off_at(cls or ""),
        *(c.at("priority") for c in _lossless_classes(end)),
        stated,
        end.port.at(),
        end.device.at(),
    )


@rule(
    "LNK902",
    "link-wd",
    INFO,  # what is wrong at the one end is told there, by another rule: this is what it means for the link
    source="Bai et al., NSDI'23: the PFC watchdog is on every switch, at the ends of every link",
    by_kind=UNPAUSED_OFF,
    needs=("links",),
)
def link_wd(fabric: Fabric) -> Iterator[Hit]:
    """Only one end of a link between switches has a PFC watchdog."""
    for found in find_differences(fabric, _compare_watchdogs):
        yield found.hit(
            f"only one end of {found.where} has a PFC watchdog, {found.one_of('on')}: a pause storm from that end "
            "keeps the other paused for as long as it lasts",
            "set the same pfc.watchdog at both ends",
        )


def _compare_watchdogs(joint: Joint) -> CableDifference | None:
    a, b = joint.a, joint.b
    if not (a.port.pfc and b.port.pfc and _joins_front_ports(joint)) or (a.port.watchdog is None) == (
        b.port.watchdog is None
    ):
        return None
    if any(_is_partial(end.device) and end.port.watchdog is None for end in (a, b)):
        return None
    words = ["on" if end.port.watchdog is not None else "off" for end in (a, b)]
    at = [(end.port.at("watchdog"), end.port.at(), end.device.at()) for end in (a, b)]
    return CableDifference(words[0], words[1], at[0], at[1])


# -- marking and maps --------------------------------------------------------------------------------------------------


@rule(
    "LNK903",
    "link-ecn",
    INFO,  # what is wrong at the one end is told there, by another rule: this is what it means for the link
    source="Zhu et al., SIGCOMM'15 (DCQCN): every switch on the path is a congestion point, and marks",
    by_kind={"no-cc": OFF},
    needs=("links",),
)
def link_ecn(fabric: Fabric) -> Iterator[Hit]:
    """One end of a link marks RDMA with ECN, but the other does not."""
    for found in find_differences(fabric, _compare_marking):
        yield found.hit(
            f"only one end of {found.where} marks RDMA with ECN, {found.one_of('marks')}: in the other direction only "
            "PFC slows senders down",
            "give the class ecn at both ends",
        )


def _compare_marking(joint: Joint) -> CableDifference | None:
    a, b = joint.a, joint.b
    if not _joins_front_ports(joint) or _is_partial(a.device) or _is_partial(b.device):
        return None
    there = {c.priority: c for c in _rdma_classes(b)}
    for cls in _rdma_classes(a):
        other = there.get(cls.priority)
        if other is None:
            continue
        marks = [c.ecn_at(end.port.speed) is not None for c, end in ((cls, a), (other, b))]
        if marks[0] != marks[1]:
            words = ["marks" if marked else "does not mark" for marked in marks]
            at = [(c.at("ecn"), end.port.at(), end.device.at()) for c, end in ((cls, a), (other, b))]
            return CableDifference(words[0], words[1], at[0], at[1], cls.name)
    return None


def _rdma_classes(end: PortEnd) -> list[TrafficClass]:
    return [c for c in end.device.classes_on(end.port) if "rdma" in c.carries]


@rule(
    "LNK904",
    "path-map",
    ERROR,
    source="RFC 2474: each node maps code points to what it does with them by a configuration of its own",
    needs=("links",),
)
def path_map(fabric: Fabric) -> Iterator[Hit]:
    """The ends of a link map a DSCP of RDMA, CNPs or control to different classes."""
    for found in find_differences(fabric, lambda joint: _compare_maps(fabric, joint)):
        yield found.hit(
            f"the ends of {found.where} classify packets differently: {found.difference.a} at the first end; "
            f"{found.difference.b} at the second. Packets change class on the way and lose its protection",
            "give the class the same dscp on all devices",
        )


def _compare_maps(fabric: Fabric, joint: Joint) -> CableDifference | None:
    a, b = joint.a, joint.b
    ours, theirs = (end.device.maps_on(end.port).dscp_to_tc for end in (a, b))
    if ours == theirs and not _have_other_classes(a, b):
        return None
    if not _joins_front_ports(joint) or "pcp" in (a.port.trust, b.port.trust) or "none" in (a.port.trust, b.port.trust):
        return None
    mine, other = _classes_by_dscp(a), _classes_by_dscp(b)
    differing = [
        d for d in sorted(mine.keys() & other.keys()) if _sorts_differently(fabric, d, mine[d], other[d], a, b)
    ]
    if not differing:
        return None
    shared = [d for d in mine.keys() & other.keys() if d not in differing and _is_sent_alike(mine[d], other[d])]
    first = differing[0]
    named = _pick_sent_alike(mine[first], other[first])
    return CableDifference(
        _format_mapping(differing, mine),
        _format_mapping(differing, other),
        (*a.device.off_at(named.name), *_locate_map(mine[first], a)),
        (*b.device.off_at(named.name), *_locate_map(other[first], b)),
        named.name,
        # which code points are in use is not known of switches: that they agree on some is the usual state
        WARNING if fabric.running and shared else None,
    )


def _have_other_classes(a: PortEnd, b: PortEnd) -> bool:
    if a.device.running is not None:
        return False
    mine, other = (end.device.all_classes_on(end.port) for end in (a, b))
    return [(c.name, c.tc) for c in mine] != [(c.name, c.tc) for c in other]


def _classes_by_dscp(end: PortEnd) -> dict[int, TrafficClass]:
    """The class of each code point that has one crossing this port."""
    return {dscp: cls for cls in end.device.classes_on(end.port) for dscp in cls.dscps}


def _is_sent_alike(a: TrafficClass, b: TrafficClass) -> bool:
    return not _SENT_ALIKE.isdisjoint((*a.carries, *b.carries))


def _pick_sent_alike(a: TrafficClass, b: TrafficClass) -> TrafficClass:
    return b if _SENT_ALIKE.isdisjoint(a.carries) else a


def _sorts_differently(
    fabric: Fabric, dscp: int, a: TrafficClass, b: TrafficClass, here: PortEnd, there: PortEnd
) -> bool:
    if not _is_sent_alike(a, b):
        return False
    if fabric.running:
        return a.tc != b.tc
    if a.name == b.name:
        return False  # one class with other numbers: link-pfc tells where that matters
    named = {c.name for c in here.device.classes} & {c.name for c in there.device.classes}
    return a.name in named or b.name in named


def _format_mapping(dscps: list[int], classes: dict[int, TrafficClass]) -> str:
    """`DSCP 26 into rdma (TC 3)`."""
    by_class: dict[str, list[int]] = {}
    for dscp in dscps:
        cls = classes[dscp]
        name = f"TC {cls.tc}" if cls.name in (f"tc{cls.tc}", f"sp{cls.tc}") else f"{cls.name} (TC {cls.tc})"
        by_class.setdefault(name, []).append(dscp)
    parts = [f"DSCP {ranges(of)} into {name}" for name, of in by_class.items()]
    return ", ".join(parts[:_MOST_CODE_POINTS])


def _locate_map(cls: TrafficClass, end: PortEnd) -> tuple[Origin, ...]:
    if end.device.running is not None:
        return (end.device.maps_on(end.port).at("dscp_to_tc"), cls.at("dscp"), end.device.at())
    if cls.rest:  # what the class that should have it says instead is the better place
        kept = [c for c in end.device.all_classes_on(end.port) if not _SENT_ALIKE.isdisjoint(c.carries) and not c.rest]
        return (*(c.at("dscp") for c in kept[:1]), end.device.at())
    return (cls.at("dscp"), end.device.at())


# -- the cable ---------------------------------------------------------------------------------------------------------


@rule(
    "LNK905",
    "link-mtu",
    ERROR,
    source="IEEE 802.3: a frame longer than a port takes is dropped, and RoCE packets are never fragmented",
    needs=("links",),
)
def link_mtu(fabric: Fabric) -> Iterator[Hit]:
    """The ends of a link have different MTUs."""
    for found in find_differences(fabric, lambda joint: _compare_mtus(fabric, joint)):
        yield found.hit(
            f"the ends of {found.where} have different MTUs: {found.difference.a} and {found.difference.b}. Only "
            "full frames are dropped, so small tests pass",
            "set the same mtu at both ends",
        )
    yield from judge_nic_mtus(fabric)


def _compare_mtus(fabric: Fabric, joint: Joint) -> CableDifference | None:
    a, b = joint.a.port, joint.b.port
    if a.mtu is None or b.mtu is None or a.mtu == b.mtu or not _joins_front_ports(joint):
        return None
    # where both take the largest RoCE packet, other traffic is what suffers
    severity = WARNING if path_mtu(fabric, a) == path_mtu(fabric, b) else None
    return CableDifference(f"{a.mtu} B", f"{b.mtu} B", (a.at("mtu"), a.at()), (b.at("mtu"), b.at()), severity=severity)


@rule(
    "LNK906",
    "link-speed",
    ERROR,
    source="IEEE 802.3: both ends of a link run one speed and one forward error correction",
    needs=("links",),
)
def link_speed(fabric: Fabric) -> Iterator[Hit]:
    """The ends of a link have different speeds, or another forward error correction."""
    for found in find_differences(fabric, _compare_speeds):
        yield found.hit(
            f"the ends of {found.where} differ: {found.difference.a} and {found.difference.b}. The link stays down",
            "set the same speed and fec at both ends",
        )
    yield from judge_nic_speeds(fabric)


def _list_speeds(port: PortGroup) -> tuple[int, ...]:
    """The speeds that a link may have at this end: those that it offers, or the one that is set; (): not known."""
    offers = port.running.offers if port.running is not None else None
    if offers is not None:
        return offers
    return (port.speed,) if port.speed is not None else ()


def _format_rates(speeds: tuple[int, ...]) -> str:
    return " or ".join(map(show_rate, speeds))


def _compare_speeds(joint: Joint) -> CableDifference | None:
    a, b = joint.a.port, joint.b.port
    ours, theirs = _list_speeds(a), _list_speeds(b)
    if ours and theirs and not set(ours) & set(theirs):
        return CableDifference(
            _format_rates(ours), _format_rates(theirs), (a.at("speed"), a.at()), (b.at("speed"), b.at())
        )
    our_fec, their_fec = FEC.get((a.fec or "").lower()), FEC.get((b.fec or "").lower())
    if our_fec is None or their_fec is None or our_fec == their_fec:
        return None
    return CableDifference(f"FEC {a.fec}", f"FEC {b.fec}", (a.at("fec"), a.at()), (b.at("fec"), b.at()))


@rule(
    "LNK907",
    "link-cable",
    WARNING,
    source="IEEE 802.1Qbb, annex O: headroom grows with the length of the cable, at each end for itself",
    by_kind=UNPAUSED_OFF,
    needs=("links",),
)
def link_cable(fabric: Fabric) -> Iterator[Hit]:
    """One link has two cable lengths."""
    for found in find_differences(fabric, lambda joint: _compare_cables(fabric, joint)):
        yield found.hit(
            f"the ends of {found.where} state different cable lengths: {found.difference.a} and "
            f"{found.difference.b}. Headroom depends on them, and one of the two is wrong",
            "state the length once, as cable of the link",
        )


def _compare_cables(fabric: Fabric, joint: Joint) -> CableDifference | None:
    a, b = joint.a.port, joint.b.port
    if (
        a.cable is None
        or b.cable is None
        or a.cable == b.cable
        or not _joins_front_ports(joint)
        or not (a.pfc or b.pfc)
    ):
        return None
    if fabric.running and joint.a.device.vendor != joint.b.device.vendor:
        return None  # SONiC knows a few lengths, and takes the next one
    return CableDifference(
        f"{show_number(a.cable)} m", f"{show_number(b.cable)} m", (a.at("cable"), a.at()), (b.at("cable"), b.at())
    )


RULES: tuple[Rule, ...] = (
    link_pfc,
    link_wd,
    link_ecn,
    path_map,
    link_mtu,
    link_speed,
    link_cable,
)
