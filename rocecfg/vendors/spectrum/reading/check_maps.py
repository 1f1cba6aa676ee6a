"""Maps and marking: code points that are lossless by default alone, priorities moved in part, thresholds in KB."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.model.stated import Problem
from rocecfg.vendors.spectrum.reading.implied import ROCE_PRIORITY, WITH_PFC
from rocecfg.vendors.spectrum.reading.known import Known, numbers, ports_in
from rocecfg.vendors.spectrum.reading.qos import PRIORITIES, Mapping
from rocecfg.vendors.spectrum.reading.schema_qos import GLOBAL

_DSCP_TRUSTED = ("l3", "both")
_ROCE_DSCP = 26  # what RDMA has unless told otherwise
_FRAME = 9216  # bytes of the largest packet
_KB = 1000


def _mappings(known: Known) -> dict[str, tuple[Mapping, list[str]]]:
    """The maps in force, with the ports that each is for."""
    found: dict[str, tuple[Mapping, list[str]]] = {}
    for place in known.places:
        name = place.in_force("mapping")
        found.setdefault(name, (known.qos.mapping(name), []))[1].extend(place.names)
    return found or {GLOBAL: (known.qos.mapping(GLOBAL), [])}


def lossless_by_default(known: Known) -> Iterator[Problem]:
    """Code points that lead into a lossless priority only because nothing is said of them."""
    for name, (mapping, _) in _mappings(known).items():
        if mapping.trust is None or mapping.trust.value not in _DSCP_TRUSTED:
            continue
        for sp in known.lossless:
            led = [d for d, to in enumerate(mapping.dscp) if to.value == sp and d not in mapping.stated]
            if len(led) < 2:
                continue  # that of RDMA, with all others mapped away
            said = known.qos.profile("mapping", name)
            other = next((other for other in PRIORITIES if other not in known.lossless), 0)
            yield Problem(
                "nvue-default-map",
                said.at if said is not None else mapping.dscp[led[0]].at,
                f"DSCP {numbers(led)} are lossless only by default, which is eight code points to a switch priority, "
                f"here {sp}: whatever else carries one of them may pause the fabric",
                f"map all but RDMA's own: nv set qos mapping {name} dscp {numbers(led)} switch-priority {other}",
            )


def moved_in_part(known: Known) -> Iterator[Problem]:
    """PFC taken from RoCE's switch priority 3 to another one that no code point is mapped to."""
    pfc = known.qos.pfc(GLOBAL)
    if known.basis.mode not in WITH_PFC or pfc.name is None or ROCE_PRIORITY in pfc.priorities:
        return
    mapping = known.qos.mapping(GLOBAL)
    if mapping.trust is None or mapping.trust.value not in _DSCP_TRUSTED:
        return  # mix-trust's
    for sp, at in pfc.priorities.items():
        if any(mapping.dscp[d].value == sp for d in mapping.stated):
            continue
        usual = [d for d, to in enumerate(mapping.dscp) if to.value == sp]
        still = [d for d, to in enumerate(mapping.dscp) if to.value == ROCE_PRIORITY]
        if not usual or _ROCE_DSCP not in still:
            continue  # the map is written anew: nothing was left behind
        yield Problem(
            "nvue-moved-priority",
            at,
            f"PFC is on for switch priority {sp} instead of 3, and no DSCP is mapped there: DSCP {numbers(usual)} are "
            f"lossless by default, and {numbers(still)}, RDMA's 26 among them, lead to priority 3, which drops",
            f"nv set qos mapping default-global trust both, dscp 26 switch-priority {sp}, and map the others away",
        )


def thresholds(known: Known) -> Iterator[Problem]:
    """Thresholds below one packet: kilobytes, as Onyx counts them, taken for bytes."""
    for name, node in known.qos.tree.items("congestion-control"):
        for tc, said in node.items("traffic-class"):
            most, ecn = said.val("max-threshold"), said.val("ecn")
            if most is None or most.value >= _FRAME or (ecn is not None and ecn.value == "disable"):
                continue
            yield Problem(
                "nvue-threshold-kb",
                most.at,
                f"max-threshold {most.value} of traffic class {tc} is {most.value} bytes, less than one packet: all is "
                "marked. Onyx counts kilobytes, NVUE bytes",
                f"nv set qos congestion-control {name} traffic-class {tc} max-threshold {most.value * _KB}",
            )


def strict_shares(known: Known) -> Iterator[Problem]:
    """A share of a queue that is strict."""
    for name, node in known.qos.tree.items("egress-scheduler"):
        for tc, said in node.items("traffic-class"):
            mode, share = said.val("mode"), said.val("bw-percent")
            if mode is not None and mode.value == "strict" and share is not None and share.value:
                yield Problem(
                    "device-conflict",
                    share.at,
                    f"traffic class {tc} is strict and has bw-percent {share.value}: a strict queue has no share",
                    f"nv unset qos egress-scheduler {name} traffic-class {tc} bw-percent",
                    ((mode.at, "strict"),),
                )


def unmarked_into_lossless(known: Known) -> Iterator[Problem]:
    """A lossless priority for whatever is not marked."""
    for name, (mapping, names) in _mappings(known).items():
        sp = mapping.default.value
        if sp and sp in known.lossless and known.qos.profile("mapping", name) is not None:
            where = f" on {ports_in(names)}" if names else ""
            yield Problem(
                "mix-into-lossless",
                mapping.default.at,
                f"port-default-sp {sp}{where}: what carries no trusted marking gets switch priority {sp}, which is "
                "lossless, and may pause the fabric",
                f"nv set qos mapping {name} port-default-sp 0",
            )


CHECKS = (
    lossless_by_default,
    moved_in_part,
    thresholds,
    strict_shares,
    unmarked_into_lossless,
)
