"""Keeping classes apart: rules MIX403, MIX404, MIX406, MIX408 and MIX409.

One mistake is one finding, so the rules give way to each other. A class that shares the priority, traffic class or
queue of RDMA is `mix-class-shared`, and its code points, priority group and ECN are not told again; RDMA on priority 0
is `pfc-prio0` with all that shares it; a CNP or control class on a paused priority is `pfc-cnp` or `pfc-control-prio`,
and other classes on control's queue are `ets-control`.
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.core.units import ranges
from rocecfg.model import Device, Fabric, Origin, PortGroup, TrafficClass
from rocecfg.model.fix import replace
from rocecfg.model.traffic import KINDS_OF_TRAFFIC
from rocecfg.rules.base import ALL_CLASSES, ERROR, EVERY_CLASS, OFF, WARNING, Hit, Rule, rule, unsafe_fix
from rocecfg.rules.bound import is_mapped
from rocecfg.rules.common import (
    LOSSY_OFF,
    classes_by_dscp,
    describe_class,
    find_class_ahead_of_cnps,
    find_dropping_system,
    find_shared_fields,
    format_fields,
    is_judged_by_priority,
    join_words,
    paused_priorities,
)

_FOREIGN = frozenset(KINDS_OF_TRAFFIC) - {"rdma", "cnp", "control", "storage"}  # never RDMA, whatever stands beside it
_CNP_DSCP = 48  # what ConnectX and Thor send CNPs with unless told otherwise


@rule(
    "MIX403",
    "mix-class-shared",
    ERROR,
    source="Bai et al., NSDI'23, section 3: two uses of RDMA on two priorities; DCQCN answers to any queue",
    classes=ALL_CLASSES,
    by_maps=True,
)
def mix_class_shared(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """Other traffic shares the priority, traffic class or queue of RDMA."""
    classes = [c for c in device.classes if is_mapped(device, c)]
    owners = [c for c in classes if "rdma" in c.carries]
    for number, cls in enumerate(classes):
        if "rdma" in cls.carries:
            yield from _judge_mixed_class(device, cls)
            for other in classes[:number]:
                if "rdma" in other.carries:
                    yield from _judge_rdma_pair(device, other, cls)
            continue
        if "control" in cls.carries or ("cnp" in cls.carries and cls.priority in paused_priorities(device)):
            continue  # ets-control, pfc-control-prio and pfc-cnp know these
        for owner in owners:
            common = _find_reportable_fields(fabric, device, cls, owner)
            if common:
                yield Hit(
                    f"class {describe_class(cls)} shares {join_words(format_fields(common))} with {owner.name}: "
                    f"{_describe_harm(cls, owner)}",
                    tuple(cls.at(field) for field in common),
                    f"give class {cls.name} a priority of its own",
                    _relate_first_shared(owner, common),
                    severity=_rate_sharing(fabric, cls),
                    cls=cls.name,
                )
                break


def _find_reportable_fields(fabric: Fabric, device: Device, cls: TrafficClass, owner: TrafficClass) -> dict[str, int]:
    """What a class shares with a class of RDMA, without what another rule tells: fields and their numbers."""
    if owner.name in fabric.broken:
        return {}
    common = find_shared_fields(device, cls, owner)
    if common.get("priority") == 0 and _is_rdma_misplaced(fabric, device, cls, owner):
        return {field: number for field, number in common.items() if number != 0}
    return common


def _is_rdma_misplaced(fabric: Fabric, device: Device, cls: TrafficClass, owner: TrafficClass) -> bool:
    """Whether `pfc-prio0` tells, and no milder, that RDMA is on priority 0: moving RDMA ends the sharing as well."""
    if cls.lossless or "cnp" in cls.carries:  # misplaced on priority 0 itself
        return False
    if fabric.mode == "lossy":  # pfc-prio0 is off
        return False
    if fabric.kind == "backend" and _rate_sharing(fabric, cls) == ERROR:  # pfc-prio0 is a warning
        return False
    return any(is_judged_by_priority(port) and owner.name in port.classes for port in device.ports)


def _relate_first_shared(other: TrafficClass, common: dict[str, int]) -> tuple[tuple[Origin, str], ...]:
    """Where the other class has the first of what is in common, as a related place."""
    return ((other.at(next(iter(common))), f"{other.name} has {format_fields(common)[0]} here"),)


def _describe_harm(cls: TrafficClass, owner: TrafficClass) -> str:
    if "cnp" in cls.carries:
        return "congestion holds back the signal that would end it"
    if owner.lossless:
        return "its bursts pause RDMA, and DCQCN slows RDMA down for congestion that is not RDMA's"
    return "DCQCN slows RDMA down for congestion that is not RDMA's"


def _rate_sharing(fabric: Fabric, cls: TrafficClass) -> str:
    """Unknown words may be RDMA too; on a backend fabric, default is what little else there is."""
    if len(cls.unknown_kinds) == len(cls.carries):
        return WARNING
    return WARNING if fabric.kind == "backend" and set(cls.carries) == {"default"} else ERROR


def _judge_mixed_class(device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """Traffic of another kind put into the RDMA class itself."""
    foreign = [kind for kind in cls.carries if kind in _FOREIGN]
    # Beside a class that is RDMA alone, rdma and storage together are storage over RDMA.
    if "storage" in cls.carries and all("storage" in c.carries for c in device.rdma):
        foreign.append("storage")
    if foreign:
        storage = foreign == ["storage"]
        dropping = find_dropping_system((device,)) if cls.ecn or cls.ecn_by_speed else ""
        yield Hit(
            f"class {cls.name} carries {join_words(foreign)} with RDMA: its bursts pause RDMA, and DCQCN slows RDMA "
            "down for congestion that is not RDMA's"
            + (f". {dropping} drops its packets without ECT from kmin on" if dropping else ""),
            (cls.at("carries"),),
            f"give {join_words(foreign)} a class and a priority of its own"
            + ("; if all of it is storage over RDMA, write carries: [rdma]" if storage else ""),
            cls=cls.name,
        )


def _judge_rdma_pair(device: Device, first: TrafficClass, second: TrafficClass) -> Iterator[Hit]:
    common = find_shared_fields(device, second, first)
    if not common and second.pg == first.pg:
        common = {"pg": second.pg}
    if common:
        yield Hit(
            f"the RDMA classes {first.name} and {second.name} share {join_words(format_fields(common))}: "
            "congestion of either pauses both",
            tuple(second.at(field) for field in common),
            "give each a priority of its own, or make them one class",
            _relate_first_shared(first, common),
            severity=WARNING,
            cls=second.name,
        )


@rule(
    "MIX404",
    "mix-dscp-dup",
    ERROR,
    source="a switch keeps one traffic class a DSCP: the last writer wins",
    classes=ALL_CLASSES,
    by_maps=True,
)
def mix_dscp_dup(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """Two classes claim the same DSCP."""
    pairs: dict[tuple[str, str], list[int]] = {}
    for dscp, claimants in enumerate(classes_by_dscp(device)):
        if len(claimants) < 2:
            continue
        winner = min(claimants, key=lambda c: c.claim, default=None)
        for number, cls in enumerate(claimants):
            if winner is not None and cls is not winner:
                pair = (winner, cls) if claimants.index(winner) < number else (cls, winner)
                pairs.setdefault((pair[0].name, pair[1].name), []).append(dscp)
    by_name = {c.name: c for c in reversed(device.classes)}  # the first of that name
    for (first, second), dscps in pairs.items():
        a, b = by_name[first], by_name[second]
        tcs = {device.maps.dscp_to_tc[d] for d in dscps}
        wins = next((c for c in (b, a) if tcs == {c.tc}), None) if a.tc != b.tc else None
        winner, loser = (b, a) if wins is b else (a, b)  # at one place, whichever of them is written first
        yield Hit(
            f"classes {first} and {second} both claim DSCP {ranges(dscps)}: a switch keeps one"
            + (f", here {wins.name}'s TC {wins.tc}, and {loser.name} loses it" if wins else ""),
            (loser.at("dscp"),),
            f"take DSCP {ranges(dscps)} out of one of them",
            ((winner.at("dscp"), f"class {winner.name} claims it here"),),
            cls=loser.name,
        )


def _list_lossy_in_group(device: Device, cls: TrafficClass, group: int) -> tuple[list[TrafficClass], list[int]]:
    """The lossy classes in a priority group of a lossless one, and the traffic classes there that no class uses."""
    lossless = {c.tc for c in device.classes if c.lossless}
    lossy = [tc for tc, other in enumerate(device.maps.tc_to_pg) if other == group and tc not in lossless]
    nobody = [tc for tc in lossy if all(c.tc != tc for c in device.classes)]
    return [c for tc in lossy for c in device.classes if c.tc == tc and not find_shared_fields(device, c, cls)], nobody


@rule(
    "MIX406",
    "mix-pg-shared",
    ERROR,
    source="SONiC's stock map keeps lossy traffic classes in priority group 0, apart from 3, 4 and 7",
    by_kind=LOSSY_OFF,
    classes=ALL_CLASSES,
    by_maps=True,
)
def mix_pg_shared(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """A lossy traffic class fills the priority group of a lossless one."""
    group = device.maps.tc_to_pg[cls.tc]
    if not cls.lossless or group is None or (group == 0 and cls.priority == 0):
        return  # RDMA on priority 0 is pfc-prio0's
    if not is_mapped(device, cls):
        return
    if any(c.tc == cls.tc and not c.lossless for c in device.classes):
        return  # mix-class-shared's; and the group of that TC is whichever class wrote it last
    inside, nobody = _list_lossy_in_group(device, cls, group)
    harm = f"it uses up headroom of class {cls.name} and pauses it"
    if inside and group == 0:  # where all lossy traffic is: the lossless class is the one misplaced
        yield Hit(
            f"class {cls.name} is lossless in priority group 0, with {join_words(c.name for c in inside)}: lossy "
            "traffic uses up its headroom and pauses it",
            (cls.at("pg"),),
            f"pg: {cls.priority}",
            tuple((c.at("pg"), f"class {c.name} is in priority group 0") for c in inside),
            cls=cls.name,
            fix=unsafe_fix(f"write pg: {cls.priority}", replace, cls.origins.get("pg"), str(cls.priority)),
        )
        return
    for other_class in inside:
        yield Hit(
            f"class {other_class.name} is lossy, in priority group {group} of class {cls.name}: {harm}",
            (other_class.at("pg"),),
            "pg: 0",
            ((cls.at("pg"), f"class {cls.name} has priority group {group}"),),
            cls=other_class.name,
            fix=unsafe_fix("write pg: 0", replace, other_class.origins.get("pg"), "0"),
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
    "MIX408",
    "mix-trust",
    ERROR,
    source="Guo et al., SIGCOMM'16, section 3: 802.1p is lost at a routed hop, DSCP is not",
    classes=ALL_CLASSES,
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
        + ("; if the port is switched and its frames are tagged, state layer: 2" if port.trust == "pcp" else ""),
        fix=unsafe_fix("write trust: dscp", replace, port.origins.get("trust"), "dscp"),
    )


@rule(
    "MIX409",
    "mix-cnp",
    WARNING,
    source="Zhu et al., SIGCOMM'15 (DCQCN), section 3.3: CNPs are sent with high priority",
    by_kind={"no-cc": OFF},
    classes=EVERY_CLASS,
    by_maps=True,
)
def mix_cnp(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """CNPs wait behind bulk traffic."""
    late = "CNPs wait behind it, and senders slow down late"
    remedy = "give CNPs a class of their own: carries: [cnp], priority 6 (usual), bandwidth: strict"
    cnps = [c for c in device.classes if "cnp" in c.carries]
    for cls in cnps:
        bulk = find_class_ahead_of_cnps(device, cls) if cls.priority not in paused_priorities(device) else None
        if bulk is cls:
            others = join_words(kind for kind in cls.carries if kind != "cnp")
            yield Hit(f"class {cls.name} carries CNPs and {others}: {late}", (cls.at("carries"),), remedy, cls=cls.name)
        elif bulk is not None:
            common = {
                field: number for field, number in find_shared_fields(device, cls, bulk).items() if field != "priority"
            }
            yield Hit(
                f"class {cls.name} carries CNPs and shares {join_words(format_fields(common))} with "
                f"{describe_class(bulk)}: {late}",
                tuple(cls.at(field) for field in common),
                remedy,
                _relate_first_shared(bulk, common),
                cls=cls.name,
            )
    if not cnps and any(c.ecn is not None or c.ecn_by_speed for c in device.rdma):
        for cls in classes_by_dscp(device)[_CNP_DSCP]:
            if "default" in cls.carries:
                yield Hit(
                    f"no class carries CNPs: NICs send them with DSCP {_CNP_DSCP} by default, so they land in class "
                    f"{cls.name}, and senders slow down late",
                    (cls.at("dscp"), device.at("")),
                    remedy,
                    cls=cls.name,
                )


RULES: tuple[Rule, ...] = (
    mix_class_shared,
    mix_dscp_dup,
    mix_pg_shared,
    mix_trust,
    mix_cnp,
)
