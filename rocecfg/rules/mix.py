"""Keeping traffic apart: rules MIX401 to MIX409.

One mistake is one finding, so the rules give way to each other. A class that shares the priority, traffic class or
queue of RDMA is `mix-class-shared`, and its code points, priority group and ECN are not told again; a CNP or control
class on a paused priority is `pfc-cnp` or `pfc-control-prio`, other classes on control's queue are `ets-control`,
and a code point claimed twice is `mix-dscp-dup` whatever follows from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rocecfg.model import Device, Fabric, PortGroup, TrafficClass
from rocecfg.rules.base import ERROR, OFF, WARNING, Hit, Rule, rule

_KINDS = frozenset(
    {"rdma", "cnp", "storage", "management", "kubernetes", "control", "multicast", "telemetry", "default"}
)  # what the format knows; any other word is the user's own
_FOREIGN = _KINDS - {"rdma", "cnp", "control", "storage"}  # never RDMA, whatever stands beside it
_SONIC_STOCK = {3: 3, 4: 4, 5: 2, 8: 0, 46: 5, 48: 6}  # all others: TC 1 (sonic-buildimage, qos_config.j2)
_NAMES = {"sonic": "SONiC", "spectrum": "Cumulus Linux", "arista": "EOS"}
_CNP_DSCP = 48  # what ConnectX and Thor send CNPs with unless told otherwise

DscpMap = tuple[int | None, ...]


def ranges(points: Iterable[int]) -> str:
    """Ascending numbers in few words: `0-7, 9`."""
    runs: list[list[int]] = []
    for point in points:
        if runs and point == runs[-1][1] + 1:
            runs[-1][1] = point
        else:
            runs.append([point, point])
    return ", ".join(f"{low}" if low == high else f"{low}-{high}" for low, high in runs)


def paused(device: Device) -> frozenset[int]:
    """The priorities with PFC on, on any port."""
    return frozenset(p for port in device.ports for p in port.pfc)


def shared(device: Device, a: TrafficClass, b: TrafficClass) -> tuple[tuple[str, str], ...]:
    """What two classes have in common of priority, traffic class and queue: the field, and words for it."""
    queue = _queue(device, a)
    return tuple(
        (field, words)
        for field, words, same in (
            ("priority", f"priority {a.priority}", a.priority == b.priority),
            ("tc", f"TC {a.tc}", a.tc == b.tc),
            ("queue", f"queue {queue}", queue == _queue(device, b)),
        )
        if same
    )


def behind(device: Device, cnp: TrafficClass) -> TrafficClass | None:
    """The class of bulk traffic that a class of CNPs waits behind, itself included; None if it has its own queue.

    Sharing with RDMA or with network control is other rules' to tell.
    """
    if not _only_signals(cnp):
        return None if "rdma" in cnp.carries or "control" in cnp.carries else cnp
    for other in device.classes:
        if _only_signals(other) or "rdma" in other.carries or other.name == cnp.name:
            continue
        if {"tc", "queue"} & {field for field, _ in shared(device, cnp, other)}:
            return other
    return None


def _only_signals(cls: TrafficClass) -> bool:
    return {"cnp", "control"}.issuperset(cls.carries)


def _queue(device: Device, cls: TrafficClass) -> int:
    mapped = device.maps.tc_to_queue[cls.tc]
    return cls.queue if mapped is None else mapped


def described(cls: TrafficClass) -> str:
    """The class's name, and what it carries where the name does not say it."""
    return cls.name if cls.carries in ((), (cls.name,)) else f"{cls.name} ({', '.join(cls.carries)})"


def _stock(vendor: str | None) -> DscpMap | None:
    """The DSCP to TC map that a vendor ships; None where the vendor is not stated."""
    if vendor == "sonic":
        return tuple(_SONIC_STOCK.get(d, 1) for d in range(64))
    if vendor == "spectrum":  # under `qos roce`: eight code points a switch priority
        return tuple(d // 8 for d in range(64))
    if vendor == "arista":  # the same, with 0-7 and 8-15 the other way round
        return tuple({0: 1, 1: 0}.get(d // 8, d // 8) for d in range(64))
    return None


def _claims(device: Device) -> list[list[TrafficClass]]:
    """For each DSCP, the classes that claim it."""
    out: list[list[TrafficClass]] = [[] for _ in range(64)]
    for cls in device.classes:
        for dscp in cls.dscps:
            out[dscp].append(cls)
    return out


@rule(
    "MIX401",
    "mix-map-total",
    ERROR,
    source="vendors send an unmapped DSCP to different traffic classes; SONiC's stock map lists all 64",
)
def mix_map_total(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """A DSCP that no class claims lands where each vendor thinks best."""
    missing = [d for d, tc in enumerate(device.maps.dscp_to_tc) if tc is None]
    if not missing or not device.classes or fabric.classification == "vendor":
        return
    takers = [c for c in device.classes if "default" in c.carries]
    places = tuple(c.at("dscp") for c in takers)
    yield Hit(
        f"no class takes DSCP {ranges(missing)}: such packets land in another traffic class on each vendor's switches",
        (*places, device.maps.at(""), device.at("")),
        f"write dscp: rest in class {takers[0].name}"
        if takers
        else "add a class that carries default, with dscp: rest",
    )


@rule(
    "MIX402",
    "mix-into-lossless",
    ERROR,
    source="what lands on a lossless priority may pause the fabric: the code points there must be RDMA's and no others",
    by_kind={"backend": WARNING, "lossy": OFF},
)
def mix_into_lossless(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """Code points of other traffic lead into a lossless class."""
    rdma = [c for c in device.rdma if c.lossless]
    tc_of = _dscp_map(fabric, device)
    if tc_of is None:
        return
    for cls in rdma:
        foreign = _foreign(fabric, device, cls, tc_of)
        if foreign:
            yield Hit(
                f"{_whose(fabric, device)} sends DSCP {ranges(foreign)} to TC {cls.tc} of class {cls.name} too, "
                "which is lossless: whatever carries these marks may pause the fabric",
                (fabric.at("classification") if _keeps(fabric) else device.maps.at(""), cls.at("dscp")),
                "set fabric.classification: explicit, so that all 64 code points are written"
                if _keeps(fabric)
                else "map them to a traffic class that is not lossless",
                ((cls.at("dscp"), f"class {cls.name} is meant to take these"),),
                cls=cls.name,
            )
        spare = [d for d in cls.dscps if d not in cls.marks]
        if cls.marks and spare and set(cls.marks) <= set(cls.dscps):
            yield Hit(
                f"class {cls.name} takes DSCP {ranges(cls.dscps)}, but its senders mark {ranges(sorted(cls.marks))} "
                f"only: whatever else carries {ranges(spare)} becomes lossless",
                (cls.at("dscp"),),
                f"narrow dscp of class {cls.name} to {ranges(sorted(cls.marks))}",
                ((cls.at("marks"), "what senders mark"),),
                severity=WARNING,
                cls=cls.name,
            )
        for other in device.classes:
            wrong = [d for d in sorted(other.marks) if d not in other.dscps and tc_of[d] == cls.tc]
            if wrong and "rdma" not in other.carries and not shared(device, other, cls):
                yield Hit(
                    f"senders of class {other.name} mark DSCP {ranges(wrong)}, which leads to TC {cls.tc} of class "
                    f"{cls.name}: that traffic becomes lossless",
                    (other.at("marks"),),
                    f"have them mark what class {other.name} takes",
                    ((cls.at("dscp"), f"class {cls.name} takes it"),),
                    cls=other.name,
                )


def _foreign(fabric: Fabric, device: Device, cls: TrafficClass, tc_of: DscpMap) -> list[int]:
    """Code points that are not RDMA's and lead into the traffic class or queue of `cls`."""
    kept = _keeps(fabric) or _keeps_sonic_stock(fabric, device)
    if kept and any(tc_of[d] != cls.tc for d in cls.dscps):
        return []  # its own code points are lost, which mix-tc-chain or mix-sonic-stock tells
    into = {cls.tc} | {tc for tc, queue in enumerate(device.maps.tc_to_queue) if queue == _queue(device, cls)}
    own = {d for c in device.rdma for d in c.dscps}
    found = [d for d, tc in enumerate(tc_of) if tc in into and d not in own]
    if _keeps(fabric):
        return found
    claims = _claims(device)
    return [d for d in found if len(claims[d]) < 2 and not any(shared(device, c, cls) for c in claims[d])]


def _keeps(fabric: Fabric) -> bool:
    return fabric.classification == "vendor"


def _dscp_map(fabric: Fabric, device: Device) -> DscpMap | None:
    """The DSCP to TC map in force; None where the vendor whose map is kept is not stated."""
    return _stock(device.vendor) if _keeps(fabric) else device.maps.dscp_to_tc


def _whose(fabric: Fabric, device: Device) -> str:
    if not _keeps(fabric):
        return "the DSCP map"
    return f"{_NAMES.get(device.vendor or '', 'the vendor')}'s own map, which fabric.classification keeps,"


def _keeps_sonic_stock(fabric: Fabric, device: Device) -> bool:
    return device.vendor == "sonic" and (_keeps(fabric) or device.maps.dscp_to_tc == _stock("sonic"))


@rule(
    "MIX403",
    "mix-class-shared",
    ERROR,
    source="Bai et al., NSDI'23, section 3: two uses of RDMA on two priorities; DCQCN answers to any queue",
)
def mix_class_shared(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """Other traffic shares the priority, traffic class or queue of RDMA."""
    for number, cls in enumerate(device.classes):
        if "rdma" in cls.carries:
            yield from _within(device, cls)
            for other in device.classes[:number]:
                if "rdma" in other.carries:
                    yield from _two_of_rdma(device, other, cls)
            continue
        if "control" in cls.carries or ("cnp" in cls.carries and cls.priority in paused(device)):
            continue  # ets-control, pfc-control-prio and pfc-cnp know these
        for owner in device.rdma:
            common = shared(device, cls, owner)
            if common and owner.name not in fabric.broken:
                yield Hit(
                    f"class {described(cls)} shares {_listed(words for _, words in common)} with {owner.name}: "
                    f"{_harm(cls, owner)}",
                    tuple(cls.at(field) for field, _ in common),
                    f"give class {cls.name} a priority of its own",
                    tuple((owner.at(field), f"{owner.name} has {words} here") for field, words in common[:1]),
                    severity=_severity(fabric, cls),
                    cls=cls.name,
                )
                break


def _harm(cls: TrafficClass, owner: TrafficClass) -> str:
    if "cnp" in cls.carries:
        return "the congestion holds back the signal that would end it"
    if owner.lossless:
        return "its bursts pause RDMA, and DCQCN slows RDMA down for congestion that is not RDMA's"
    return "DCQCN slows RDMA down for congestion that is not RDMA's"


def _severity(fabric: Fabric, cls: TrafficClass) -> str:
    """Unknown words may be RDMA too; on a backend fabric, default is what little else there is."""
    if not _KINDS.intersection(cls.carries):
        return WARNING
    return WARNING if fabric.kind == "backend" and set(cls.carries) == {"default"} else ERROR


def _within(device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """Traffic of another kind put into the RDMA class itself."""
    foreign = [kind for kind in cls.carries if kind in _FOREIGN]
    # Beside a class that is RDMA alone, rdma and storage together are storage over RDMA.
    if "storage" in cls.carries and all("storage" in c.carries for c in device.rdma):
        foreign.append("storage")
    if foreign:
        storage = foreign == ["storage"]
        yield Hit(
            f"class {cls.name} carries {_listed(foreign)} beside RDMA: its bursts pause RDMA, "
            "and DCQCN slows RDMA down for congestion that is not RDMA's",
            (cls.at("carries"),),
            f"give {_listed(foreign)} a class and a priority of its own"
            + ("; if all of it is storage over RDMA, write carries: [rdma]" if storage else ""),
            cls=cls.name,
        )


def _two_of_rdma(device: Device, first: TrafficClass, second: TrafficClass) -> Iterator[Hit]:
    common = shared(device, second, first)
    if not common and second.pg == first.pg:
        common = (("pg", f"priority group {second.pg}"),)
    if common:
        yield Hit(
            f"the RDMA classes {first.name} and {second.name} share {_listed(words for _, words in common)}: "
            "congestion of either pauses both",
            tuple(second.at(field) for field, _ in common),
            "give each a priority of its own, or make them one class",
            tuple((first.at(field), f"{first.name} has {words} here") for field, words in common[:1]),
            severity=WARNING,
            cls=second.name,
        )


def _listed(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


@rule("MIX404", "mix-dscp-dup", ERROR, source="a switch keeps one traffic class a DSCP: the last writer wins")
def mix_dscp_dup(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """Two classes claim the same DSCP."""
    pairs: dict[tuple[str, str], list[int]] = {}
    for dscp, claimants in enumerate(_claims(device)):
        for later in claimants[1:]:
            pairs.setdefault((claimants[0].name, later.name), []).append(dscp)
    for (first, second), dscps in pairs.items():
        a, b = device.cls(first), device.cls(second)
        tcs = {device.maps.dscp_to_tc[d] for d in dscps}
        wins = next((c for c in (b, a) if tcs == {c.tc}), None) if a.tc != b.tc else None
        yield Hit(
            f"classes {first} and {second} both claim DSCP {ranges(dscps)}: a switch keeps one"
            + (f", here {wins.name}'s TC {wins.tc}, and {(a if wins is b else b).name} loses it" if wins else ""),
            (b.at("dscp"),),
            f"take DSCP {ranges(dscps)} out of one of them",
            ((a.at("dscp"), f"class {first} claims it here"),),
            cls=second,
        )


@rule(
    "MIX405",
    "mix-tc-chain",
    ERROR,
    source="SONiC's map tables; its buffer manager and watchdog take priority n for queue n and priority group n",
    by_kind={"lossy": OFF},
)
def mix_tc_chain(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """Packets are in another traffic class, queue or priority group than the one that pauses act on."""
    others = [c for c in device.classes if c.name != cls.name]
    if not cls.lossless or any(c.tc == cls.tc or c.priority == cls.priority for c in others):
        return  # two classes on one TC or priority are mix-class-shared's
    yield from _lost(fabric, device, cls)
    maps = device.maps
    queue, stopped = maps.tc_to_queue[cls.tc], maps.pfc_to_queue[cls.priority]
    group, pausing = maps.tc_to_pg[cls.tc], maps.pfc_to_pg[cls.priority]
    sonic = device.vendor == "sonic"
    if queue is not None and stopped is not None and queue != stopped:
        yield Hit(
            f"a pause of priority {cls.priority} stops queue {stopped}, but TC {cls.tc} of class {cls.name} is sent "
            f"from queue {queue}: RDMA goes on into a full peer, and queue {stopped} stands still for nothing",
            (cls.at("queue"), maps.at("")),
            f"map priority {cls.priority} and TC {cls.tc} to the same queue",
            cls=cls.name,
        )
    elif sonic and queue not in (None, cls.priority):
        yield Hit(
            f"class {cls.name} has priority {cls.priority} and queue {queue}: SONiC's PFC watchdog takes "
            f"priority {cls.priority} for queue {cls.priority} and watches that one",
            (cls.at("queue"), maps.at("")),
            f"queue: {cls.priority}",
            cls=cls.name,
        )
    if group is not None and pausing is not None and group != pausing:
        yield Hit(
            f"TC {cls.tc} of class {cls.name} fills priority group {group}, but priority {cls.priority} pauses for "
            f"group {pausing}: no pause is sent when these packets fill the buffer",
            (cls.at("pg"), maps.at("")),
            f"map priority {cls.priority} and TC {cls.tc} to the same priority group",
            cls=cls.name,
        )
    elif sonic and group not in (None, 0, cls.priority) and not (device.box and device.box.pfc_to_pg):
        yield Hit(
            f"class {cls.name} has priority {cls.priority} and priority group {group}: SONiC gives headroom to "
            f"group {cls.priority}, and the group that these packets fill has none",
            (cls.at("pg"), maps.at("")),
            f"pg: {cls.priority}",
            cls=cls.name,
        )


def _lost(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """RDMA's code points, or the marks its senders use, that lead to traffic classes that are not RDMA's."""
    tc_of = _dscp_map(fabric, device)
    if tc_of is None or "rdma" not in cls.carries or _keeps_sonic_stock(fabric, device):
        return  # mix-sonic-stock tells of that map
    lossless: set[int | None] = {None, *(c.tc for c in device.rdma if c.lossless)}
    claims = _claims(device)
    harm = f"of class {cls.name}: these RDMA packets are not lossless"
    lost = [d for d in cls.dscps if tc_of[d] not in {None, cls.tc} and len(claims[d]) == 1]
    if lost:
        yield Hit(
            f"{_whose(fabric, device)} sends DSCP {ranges(lost)} to TC {_tcs(tc_of, lost)}, not to TC {cls.tc} {harm}",
            (cls.at("dscp"), device.maps.at("")),
            "set fabric.classification: explicit" if _keeps(fabric) else f"map DSCP {ranges(lost)} to TC {cls.tc}",
            ((fabric.at("classification"), "the vendor's map is kept"),) if _keeps(fabric) else (),
            cls=cls.name,
        )
    stray = [d for d in sorted(cls.marks) if d not in cls.dscps and tc_of[d] not in lossless]
    if stray:
        yield Hit(
            f"senders mark DSCP {ranges(stray)}, which leads to TC {_tcs(tc_of, stray)}, not to TC {cls.tc} {harm}",
            (cls.at("marks"),),
            f"add DSCP {ranges(stray)} to dscp of class {cls.name}, or change what senders mark",
            ((cls.at("dscp"), f"class {cls.name} takes these"),),
            cls=cls.name,
        )


def _tcs(tc_of: DscpMap, dscps: list[int]) -> str:
    return ranges(sorted({tc for d in dscps if (tc := tc_of[d]) is not None}))


@rule(
    "MIX406",
    "mix-pg-shared",
    ERROR,
    source="SONiC's stock map keeps lossy traffic classes in priority group 0, apart from 3, 4 and 7",
    by_kind={"lossy": OFF},
)
def mix_pg_shared(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """A lossy traffic class fills the priority group of a lossless one."""
    group = device.maps.tc_to_pg[cls.tc]
    lossless = {c.tc for c in device.classes if c.lossless}
    if not cls.lossless or group is None or (group == 0 and cls.priority == 0):
        return  # RDMA on priority 0 is pfc-prio0's
    if any(c.tc == cls.tc and not c.lossless for c in device.classes):
        return  # mix-class-shared's; and the group of that TC is whichever class wrote it last
    inside: list[TrafficClass] = []
    nobody: list[int] = []
    for tc, other in enumerate(device.maps.tc_to_pg):
        if other != group or tc in lossless:
            continue
        here = [c for c in device.classes if c.tc == tc]
        if not here:
            nobody.append(tc)
        inside += [c for c in here if not shared(device, c, cls)]
    harm = f"it uses up headroom of class {cls.name} and pauses it"
    if inside and group == 0:  # where all lossy traffic is: the lossless class is the one misplaced
        yield Hit(
            f"class {cls.name} is lossless in priority group 0, with {_listed(c.name for c in inside)}: lossy traffic "
            "uses up its headroom and pauses it",
            (cls.at("pg"),),
            f"pg: {cls.priority}",
            tuple((c.at("pg"), f"class {c.name} is in priority group 0") for c in inside),
            cls=cls.name,
        )
        return
    for other_class in inside:
        yield Hit(
            f"class {other_class.name} is lossy, in priority group {group} of class {cls.name}: {harm}",
            (other_class.at("pg"),),
            "pg: 0",
            ((cls.at("pg"), f"class {cls.name} has priority group {group}"),),
            cls=other_class.name,
        )
    if nobody and group != 0:
        yield Hit(
            f"TC {ranges(nobody)}, which no class uses, leads into priority group {group} of class {cls.name}: "
            "what lands there uses up its headroom and pauses it",
            (device.maps.at(""), cls.at("pg")),
            "map lossy traffic classes to priority group 0",
            cls=cls.name,
        )


@rule(
    "MIX407",
    "mix-sonic-stock",
    ERROR,
    source="sonic-buildimage, files/build_templates/qos_config.j2",
    vendors=("sonic",),
)
def mix_sonic_stock(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """SONiC's stock map is kept, and it sends RDMA's DSCP to a lossy traffic class."""
    stock = _stock("sonic")
    if stock is None or not _keeps_sonic_stock(fabric, device):
        return
    for cls in device.rdma:
        lost = [d for d in cls.dscps if stock[d] != cls.tc]
        if lost:
            yield Hit(
                f"SONiC's stock map sends DSCP {ranges(lost)} of class {cls.name} to TC "
                f"{_tcs(stock, lost)}, not to its TC {cls.tc}: of all code points, it puts only "
                "DSCP 3 into TC 3 and DSCP 4 into TC 4",
                (cls.at("dscp"), device.maps.at("")),
                "set fabric.classification: explicit, so that all 64 code points are written",
                ((fabric.at("classification"), "the stock map is kept"),) if _keeps(fabric) else (),
                cls=cls.name,
            )


@rule(
    "MIX408",
    "mix-trust",
    ERROR,
    source="Guo et al., SIGCOMM'16, section 3: 802.1p is lost at a routed hop, DSCP is not",
)
def mix_trust(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """A port that carries RDMA does not classify by DSCP."""
    rdma = [c for c in device.classes_on(port) if "rdma" in c.carries]
    if not rdma or port.trust == "dscp" or (port.trust == "pcp" and port.layer == 2):
        return
    how = "trusts 802.1p, which a routed packet does not have" if port.trust == "pcp" else "trusts no marking"
    yield Hit(
        f"the port {how}: RDMA of class {rdma[0].name} arrives unclassified, and is sent with default traffic",
        (port.at("trust"),),
        "trust: dscp"
        + ("; if the port is switched and its frames are tagged, say layer: 2" if port.trust == "pcp" else ""),
    )


@rule(
    "MIX409",
    "mix-cnp",
    WARNING,
    source="Zhu et al., SIGCOMM'15 (DCQCN), section 3.3: CNPs are sent with high priority",
    by_kind={"no-cc": OFF},
)
def mix_cnp(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """CNPs wait behind bulk traffic."""
    late = "CNPs wait behind it, and senders slow down late"
    mend = "give CNPs a class of their own: carries: [cnp], priority 6 by custom, bandwidth: strict"
    cnps = [c for c in device.classes if "cnp" in c.carries]
    for cls in cnps:
        bulk = behind(device, cls) if cls.priority not in paused(device) else None
        if bulk is cls:
            others = _listed(kind for kind in cls.carries if kind != "cnp")
            yield Hit(f"class {cls.name} carries CNPs and {others}: {late}", (cls.at("carries"),), mend, cls=cls.name)
        elif bulk is not None:
            common = [(f, w) for f, w in shared(device, cls, bulk) if f != "priority"]
            yield Hit(
                f"class {cls.name} carries CNPs and shares {_listed(w for _, w in common)} with "
                f"{described(bulk)}: {late}",
                tuple(cls.at(field) for field, _ in common),
                mend,
                tuple((bulk.at(field), f"{bulk.name} has {words} here") for field, words in common[:1]),
                cls=cls.name,
            )
    if not cnps and any(c.ecn is not None or c.ecn_by_speed for c in device.rdma):
        for cls in _claims(device)[_CNP_DSCP]:
            if "default" in cls.carries:
                yield Hit(
                    f"no class carries CNPs: with DSCP {_CNP_DSCP}, which NICs send them with unless told otherwise, "
                    f"they land in class {cls.name}, and senders slow down late",
                    (cls.at("dscp"), device.at("")),
                    mend,
                    cls=cls.name,
                )


RULES: tuple[Rule, ...] = (
    mix_map_total,
    mix_into_lossless,
    mix_class_shared,
    mix_dscp_dup,
    mix_tc_chain,
    mix_pg_shared,
    mix_sonic_stock,
    mix_trust,
    mix_cnp,
)
