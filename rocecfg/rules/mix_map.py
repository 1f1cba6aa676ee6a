"""Where DSCPs lead: rules MIX401, MIX402, MIX405 and MIX407, on the chain DSCP -> traffic class -> queue and group.

One mistake is one finding, so the rules give way: classes that share a traffic class or queue are `mix-class-shared`,
and a code point claimed twice is `mix-dscp-dup` whatever follows from it.
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.core.units import ranges
from rocecfg.model import Device, Fabric, TrafficClass
from rocecfg.model.fix import Fix, put, replace
from rocecfg.rules.base import ALL_CLASSES, ERROR, OFF, WARNING, Hit, Rule, rule, unsafe_fix
from rocecfg.rules.bound import is_mapped
from rocecfg.rules.common import LOSSY_OFF, classes_by_dscp, find_shared_fields, join_words, queue_of

DscpMap = tuple[int | None, ...]  # traffic class of each DSCP

_LOSSLESS_TCS = (3, 4)  # that SONiC ships lossless, in qos_config.j2


def _keeps_vendor_map(fabric: Fabric) -> bool:
    return fabric.classification == "vendor"


def _stock_map(device: Device) -> DscpMap | None:
    """The DSCP to TC map that the device's system ships; None where that is not known."""
    return device.nos.stock_map if device.nos is not None else None


def _is_reported_by_mix_sonic_stock(fabric: Fabric, device: Device) -> bool:
    """Whether the map in force is a stock map that `mix-sonic-stock` tells of."""
    return device.vendor in mix_sonic_stock.vendors and (
        _keeps_vendor_map(fabric) or device.maps.dscp_to_tc == _stock_map(device)
    )


def _map_in_force(fabric: Fabric, device: Device) -> DscpMap | None:
    """The DSCP to TC map in force; None where the vendor whose map is kept is not stated."""
    if _keeps_vendor_map(fabric):
        return _stock_map(device)
    return device.maps.dscp_to_tc


def _describe_map(fabric: Fabric, device: Device) -> str:
    """Words for the map in force."""
    if not _keeps_vendor_map(fabric):
        return "the DSCP map"
    return (
        f"{device.nos.title if device.nos is not None else 'the vendor'}'s own map, which fabric.classification keeps,"
    )


def _format_tcs(tc_of: DscpMap, dscps: list[int]) -> str:
    """Words for the traffic classes that these code points lead to."""
    return ranges(sorted({tc for d in dscps if (tc := tc_of[d]) is not None}))


@rule(
    "MIX401",
    "mix-map-total",
    ERROR,
    source="vendors send an unmapped DSCP to different traffic classes; SONiC's stock map lists all 64",
    classes=ALL_CLASSES,
    by_maps=True,
)
def mix_map_total(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """A DSCP that no class claims: each vendor puts it into another traffic class."""
    missing = [d for d, tc in enumerate(device.maps.dscp_to_tc) if tc is None]
    if not missing or not device.classes or _keeps_vendor_map(fabric) or fabric.running:
        return  # of a switch as it runs, what a map leaves out is not known; where it matters, its reader tells
    takers = [c for c in device.classes if "default" in c.carries]
    places = tuple(c.at("dscp") for c in takers)
    yield Hit(
        f"no class takes DSCP {ranges(missing)}: each vendor's switches put such packets into another traffic class",
        (*places, device.maps.at(""), device.at("")),
        f"write dscp: rest in class {takers[0].name}"
        if takers
        else "add a class that carries default, with dscp: rest",
        fix=_make_rest_fix(takers[0]) if len(takers) == 1 and not any(c.rest for c in device.classes) else None,
    )


def _make_rest_fix(cls: TrafficClass) -> Fix | None:
    if cls.lossless:
        return None
    if "dscp" in cls.origins:
        return unsafe_fix("write dscp: rest", replace, cls.origins.get("dscp"), "rest")
    return unsafe_fix("write dscp: rest", put, cls.at(""), ("dscp",), "rest")


@rule(
    "MIX402",
    "mix-into-lossless",
    ERROR,
    source="what lands on a lossless priority may pause the fabric: the code points there must be RDMA's and no others",
    by_kind={"backend": WARNING, "lossy": OFF},
    classes=ALL_CLASSES,
    by_maps=True,
)
def mix_into_lossless(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """DSCPs of other traffic map to a lossless class."""
    tc_of = _map_in_force(fabric, device)
    if tc_of is None:
        return
    for cls in device.rdma:
        if cls.lossless:
            yield from _judge_foreign_dscps(fabric, device, cls, tc_of)
            yield from _judge_unmarked_dscps(cls)
            yield from _judge_foreign_marks(device, cls, tc_of)


def _judge_foreign_dscps(fabric: Fabric, device: Device, cls: TrafficClass, tc_of: DscpMap) -> Iterator[Hit]:
    """Code points that the map leads into the class, and that are not RDMA's."""
    foreign = _find_foreign_dscps(fabric, device, cls, tc_of)
    if foreign:
        kept = _keeps_vendor_map(fabric)
        yield Hit(
            f"{_describe_map(fabric, device)} also maps DSCP {ranges(foreign)} to TC {cls.tc} of class {cls.name}, "
            "which is lossless: any packet with these marks can pause the fabric",
            (fabric.at("classification") if kept else device.maps.at(""), cls.at("dscp")),
            "set fabric.classification: explicit, so that all 64 code points are written"
            if kept
            else "map them to a traffic class that is not lossless",
            ((cls.at("dscp"), f"class {cls.name} is for these"),),
            cls=cls.name,
            fix=_make_explicit_fix(fabric),
        )


def _make_explicit_fix(fabric: Fabric) -> Fix | None:
    """All 64 code points are written, where the vendor's map was kept."""
    if not _keeps_vendor_map(fabric):
        return None
    return unsafe_fix("write classification: explicit", replace, fabric.origins.get("classification"), "explicit")


def _find_foreign_dscps(fabric: Fabric, device: Device, cls: TrafficClass, tc_of: DscpMap) -> list[int]:
    """Code points that are not RDMA's and lead into the traffic class or queue of `cls`."""
    kept = _keeps_vendor_map(fabric) or _is_reported_by_mix_sonic_stock(fabric, device)
    if kept and any(tc_of[d] != cls.tc for d in cls.dscps):
        return []  # its own code points are lost, which mix-tc-chain or mix-sonic-stock tells
    into = {cls.tc} | {tc for tc, queue in enumerate(device.maps.tc_to_queue) if queue == queue_of(device, cls)}
    own = {d for c in device.rdma for d in c.dscps}
    found = [d for d, tc in enumerate(tc_of) if tc in into and d not in own]
    if _keeps_vendor_map(fabric):
        return found
    claimed = classes_by_dscp(device)
    return [d for d in found if len(claimed[d]) < 2 and not any(find_shared_fields(device, c, cls) for c in claimed[d])]


def _judge_unmarked_dscps(cls: TrafficClass) -> Iterator[Hit]:
    """Code points that the class takes and its senders do not use."""
    spare = [d for d in cls.dscps if d not in cls.marks]
    if cls.marks and spare and set(cls.marks) <= set(cls.dscps):
        yield Hit(
            f"class {cls.name} takes DSCP {ranges(cls.dscps)}, but its senders mark only "
            f"{ranges(sorted(cls.marks))}: any other packet with DSCP {ranges(spare)} becomes lossless too",
            (cls.at("dscp"),),
            f"narrow dscp of class {cls.name} to {ranges(sorted(cls.marks))}",
            ((cls.at("marks"), "what senders mark"),),
            severity=WARNING,
            cls=cls.name,
            fix=unsafe_fix(
                "narrow dscp to the marks", replace, cls.origins.get("dscp"), tuple(map(str, sorted(cls.marks)))
            ),
        )


def _judge_foreign_marks(device: Device, cls: TrafficClass, tc_of: DscpMap) -> Iterator[Hit]:
    """Marks of other classes' senders that lead into the class."""
    for other in device.classes:
        wrong = [d for d in sorted(other.marks) if d not in other.dscps and tc_of[d] == cls.tc]
        if wrong and not other.may_carry_rdma and not find_shared_fields(device, other, cls):
            yield Hit(
                f"senders of class {other.name} mark DSCP {ranges(wrong)}, which maps to TC {cls.tc} of class "
                f"{cls.name}: that traffic becomes lossless",
                (other.at("marks"),),
                f"have them mark the DSCPs that class {other.name} takes",
                ((cls.at("dscp"), f"class {cls.name} takes it"),),
                cls=other.name,
            )


@rule(
    "MIX405",
    "mix-tc-chain",
    ERROR,
    source="SONiC's map tables; its buffer manager and watchdog take priority n for queue n and priority group n",
    by_kind=LOSSY_OFF,
    classes=ALL_CLASSES,
    by_maps=True,
)
def mix_tc_chain(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """Packets use another traffic class, queue or priority group than the one that pauses act on."""
    yield from _judge_queue_conflict(device, cls)
    if not cls.lossless or any(
        c.tc == cls.tc or c.priority == cls.priority for c in device.classes if c.name != cls.name
    ):
        return  # two classes on one TC or priority are mix-class-shared's
    if not is_mapped(device, cls):
        return
    yield from _judge_lost_dscps(fabric, device, cls)
    maps = device.maps
    queue, stopped = maps.tc_to_queue[cls.tc], maps.pfc_to_queue[cls.priority]
    group, pausing = maps.tc_to_pg[cls.tc], maps.pfc_to_pg[cls.priority]
    nos = device.nos
    system = nos.title if nos is not None and nos.by_priority else None
    if queue is not None and stopped is not None and queue != stopped:
        yield Hit(
            f"a pause of priority {cls.priority} stops queue {stopped}, but TC {cls.tc} of class {cls.name} is sent "
            f"from queue {queue}: RDMA keeps sending into a full peer, and queue {stopped} stops for nothing",
            (cls.at("queue"), maps.at("")),
            f"map priority {cls.priority} and TC {cls.tc} to the same queue",
            cls=cls.name,
        )
    elif system and queue not in (None, cls.priority):
        yield Hit(
            f"class {cls.name} has priority {cls.priority} and queue {queue}: {system}'s PFC watchdog takes "
            f"priority {cls.priority} for queue {cls.priority} and watches that one",
            (cls.at("queue"), maps.at("")),
            f"queue: {cls.priority}",
            cls=cls.name,
            fix=unsafe_fix(f"write queue: {cls.priority}", replace, cls.origins.get("queue"), str(cls.priority)),
        )
    if group is not None and pausing is not None and group != pausing:
        yield Hit(
            f"TC {cls.tc} of class {cls.name} fills priority group {group}, but priority {cls.priority} pauses for "
            f"group {pausing}: no pause is sent when these packets fill the buffer",
            (cls.at("pg"), maps.at("")),
            f"map priority {cls.priority} and TC {cls.tc} to the same priority group",
            cls=cls.name,
        )
    elif system and group not in (None, 0, cls.priority) and not (device.box and device.box.pfc_to_pg):
        yield Hit(
            f"class {cls.name} has priority {cls.priority} and priority group {group}: {system} gives headroom to "
            f"priority group {cls.priority}, and the group of these packets has none",
            (cls.at("pg"), maps.at("")),
            f"pg: {cls.priority}",
            cls=cls.name,
            fix=unsafe_fix(f"write pg: {cls.priority}", replace, cls.origins.get("pg"), str(cls.priority)),
        )


def _judge_queue_conflict(device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """A class whose traffic class is sent from the queue of another class, not from its own."""
    if device.vendor is not None or cls.ecn is not None or cls.ecn_by_speed:
        return  # nos-unsupported tells what the vendor has one queue for, and ecn-queue what is never marked
    queue = device.maps.tc_to_queue[cls.tc]
    sharing = (c for c in device.classes if c.tc == cls.tc and c.queue == queue)
    owner = min(sharing, key=lambda c: c.claim, default=cls)
    if owner.queue == cls.queue or "rdma" in {*owner.carries, *cls.carries}:
        return  # what shares with RDMA is mix-class-shared's
    yield Hit(
        f"classes {owner.name} and {cls.name} share TC {cls.tc} but use queues {owner.queue} and {cls.queue}: a "
        "traffic class has one queue",
        (cls.at("queue"),),
        f"give class {cls.name} a tc of its own",
        ((owner.at("queue"), f"queue {owner.queue} of class {owner.name}"),),
        cls=cls.name,
    )


def _judge_lost_dscps(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """RDMA's code points, or the marks its senders use, that lead to traffic classes that are not RDMA's."""
    tc_of = _map_in_force(fabric, device)
    if tc_of is None or "rdma" not in cls.carries or _is_reported_by_mix_sonic_stock(fabric, device):
        return  # mix-sonic-stock tells of that map
    lossless: set[int | None] = {None, *(c.tc for c in device.classes if c.lossless and c.may_carry_rdma)}
    claimed = classes_by_dscp(device)
    harm = f"of class {cls.name}: these RDMA packets are not lossless"
    lost = [d for d in cls.dscps if tc_of[d] not in {None, cls.tc} and len(claimed[d]) == 1]
    if lost:
        yield Hit(
            f"{_describe_map(fabric, device)} maps DSCP {ranges(lost)} to TC {_format_tcs(tc_of, lost)}, not to TC "
            f"{cls.tc} {harm}",
            (cls.at("dscp"), device.maps.at("")),
            "set fabric.classification: explicit"
            if _keeps_vendor_map(fabric)
            else f"map DSCP {ranges(lost)} to TC {cls.tc}",
            ((fabric.at("classification"), "the vendor's map is kept"),) if _keeps_vendor_map(fabric) else (),
            cls=cls.name,
            fix=_make_explicit_fix(fabric),
        )
    stray = [d for d in sorted(cls.marks) if d not in cls.dscps and tc_of[d] not in lossless]
    if stray:
        yield Hit(
            f"senders mark DSCP {ranges(stray)}, which maps to TC {_format_tcs(tc_of, stray)}, not to TC {cls.tc} "
            f"{harm}",
            (cls.at("marks"),),
            f"add DSCP {ranges(stray)} to dscp of class {cls.name}, or change the marks of its senders",
            ((cls.at("dscp"), f"class {cls.name} takes these"),),
            cls=cls.name,
        )


@rule(
    "MIX407",
    "mix-sonic-stock",
    ERROR,
    source="sonic-buildimage, files/build_templates/qos_config.j2",
    vendors=("sonic",),
    classes=ALL_CLASSES,
    by_maps=True,
)
def mix_sonic_stock(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """SONiC's stock map is kept, and it maps DSCPs of a class to another traffic class."""
    stock = _stock_map(device)
    if stock is None or not _is_reported_by_mix_sonic_stock(fabric, device):
        return
    kept = [(tc, [d for d in range(64) if stock[d] == tc]) for tc in _LOSSLESS_TCS]
    only = " and ".join(f"DSCP {ranges(dscps)} into TC {tc}" for tc, dscps in kept if dscps)
    for cls in device.rdma:
        lost = [d for d in cls.dscps if stock[d] != cls.tc]
        if lost:
            yield Hit(
                f"SONiC's stock map sends DSCP {ranges(lost)} of class {cls.name} to TC {_format_tcs(stock, lost)}, "
                f"not to its TC {cls.tc}: it maps only {only}",
                (cls.at("dscp"), device.maps.at("")),
                "set fabric.classification: explicit, so that all 64 code points are written",
                ((fabric.at("classification"), "the stock map is kept"),) if _keeps_vendor_map(fabric) else (),
                cls=cls.name,
                fix=_make_explicit_fix(fabric),
            )
    if _keeps_vendor_map(fabric):
        yield from _judge_stock_map(fabric, device, stock)


def _judge_stock_map(fabric: Fabric, device: Device, stock: DscpMap) -> Iterator[Hit]:
    """Code points of other classes than RDMA, and of none, that SONiC's stock map sends elsewhere than intended.

    Those that it sends to a lossless class are `mix-into-lossless`'s.
    """
    reported = {d for cls in device.rdma if cls.lossless for d in _find_foreign_dscps(fabric, device, cls, stock)}
    claimed = classes_by_dscp(device)
    help = "set fabric.classification: explicit, so that all 64 code points are written"
    for cls in device.classes:
        if "rdma" in cls.carries:
            continue
        lost = [d for d in cls.dscps if stock[d] != cls.tc and d not in reported and len(claimed[d]) == 1]
        if lost:
            yield Hit(
                f"SONiC's stock map does not send all of class {cls.name} to its TC {cls.tc}: "
                f"{_describe_destinations(device, stock, lost)}",
                (cls.at("dscp"), fabric.at("classification")),
                help,
                ((fabric.at("classification"), "the stock map is kept"),),
                severity=ERROR if not cls.rest or 0 in lost else WARNING,  # 0: unmarked packets
                cls=cls.name,
                fix=_make_explicit_fix(fabric),
            )
    nobodys = [d for d in range(64) if not claimed[d] and d not in reported and not _classes_of_tc(device, stock[d])]
    if nobodys:
        yield Hit(
            f"SONiC's stock map sends DSCPs that no class has to TCs that no class has: "
            f"{_describe_destinations(device, stock, nobodys)}",
            (fabric.at("classification"), device.at("")),
            f"{help}, or add classes for these traffic classes",
            severity=WARNING,
            fix=_make_explicit_fix(fabric),
        )


def _classes_of_tc(device: Device, tc: int | None) -> list[TrafficClass]:
    """The classes that have a traffic class."""
    return [c for c in device.classes if c.tc == tc]


def _describe_destinations(device: Device, stock: DscpMap, dscps: list[int]) -> str:
    """Where SONiC's stock map sends code points: `DSCP 5 to TC 2 (queue 2: ...) and DSCP 46 to TC 6 of class cnp`."""
    to: dict[int, list[int]] = {}
    for dscp in sorted(dscps, key=lambda d: (stock[d] != 1, d)):  # most of all go to TC 1
        to.setdefault(stock[dscp] or 0, []).append(dscp)
    ways = []
    for tc, found in to.items():
        ways.append(f"DSCP {ranges(found)} to TC {tc}{_describe_tc_owner(device, tc)}")
    return join_words(ways)


def _describe_tc_owner(device: Device, tc: int) -> str:
    """Words for who has a traffic class, or the queue that it is sent from."""
    mapped = device.maps.tc_to_queue[tc]
    queue = tc if mapped is None else mapped
    for cls in device.classes:
        if cls.tc == tc:
            return f" of class {cls.name}"
        if queue_of(device, cls) == queue:
            return f" (queue {queue} of class {cls.name})"
    return f" (queue {queue}: no class, no scheduler)"


RULES: tuple[Rule, ...] = (
    mix_map_total,
    mix_into_lossless,
    mix_tc_chain,
    mix_sonic_stock,
)
