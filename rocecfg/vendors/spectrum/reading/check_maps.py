"""Maps: code points that are lossless by default alone, priorities moved in part, marks that lead others astray."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from rocecfg.model.stated import Problem
from rocecfg.vendors.spectrum.reading.implied import ROCE_PRIORITY, WITH_PFC
from rocecfg.vendors.spectrum.reading.known import ResolvedConfig, find_mappings, format_numbers, format_ports
from rocecfg.vendors.spectrum.reading.qos import DSCP_TRUSTED, PRIORITIES
from rocecfg.vendors.spectrum.reading.schema_qos import GLOBAL

_ROCE_DSCP = 26  # what RDMA has unless told otherwise
_WRITES_DSCP = ("l3", "both")


def check_lossless_by_default(known: ResolvedConfig) -> Iterator[Problem]:
    """Code points that lead into a lossless priority only because nothing is said of them."""
    for name, (mapping, _) in find_mappings(known).items():
        if mapping.trust is None or mapping.trust.value not in DSCP_TRUSTED:
            continue
        for sp in known.lossless:
            led = [d for d, to in enumerate(mapping.dscp) if to.value == sp and d not in mapping.stated]
            if len(led) < 2:
                continue  # that of RDMA, with all others mapped away
            given = known.qos.profile("mapping", name)
            other = next((other for other in PRIORITIES if other not in known.lossless), 0)
            yield Problem(
                "nvue-default-map",
                given.at if given is not None else mapping.dscp[led[0]].at,
                f"DSCP {format_numbers(led)} are lossless only by default (eight DSCPs per switch priority, here "
                f"{sp}): any other packet with one of them may pause the fabric",
                f"map all except RDMA's own: nv set qos mapping {quote(name)} dscp {format_numbers(led)} "
                f"switch-priority {other}",
            )


def check_moved_in_part(known: ResolvedConfig) -> Iterator[Problem]:
    """PFC taken from RoCE's switch priority 3 to another one that no code point is mapped to."""
    pfc = known.qos.pfc(GLOBAL)
    if known.basis.mode not in WITH_PFC or pfc.name is None or ROCE_PRIORITY in pfc.priorities:
        return
    mapping = known.qos.mapping(GLOBAL)
    if mapping.trust is None or mapping.trust.value not in DSCP_TRUSTED:
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
            f"PFC is on for switch priority {sp} instead of 3, but no DSCP is mapped there: DSCP "
            f"{format_numbers(usual)} are lossless by default, and {format_numbers(still)}, RDMA's 26 among them, map "
            "to priority 3, which drops",
            f"nv set qos mapping default-global trust both, dscp 26 switch-priority {sp}, and map the others elsewhere",
        )


def check_unmarked_into_lossless(known: ResolvedConfig) -> Iterator[Problem]:
    """A lossless priority for whatever is not marked."""
    for name, (mapping, names) in find_mappings(known).items():
        sp = mapping.default.value
        if sp and sp in known.lossless and known.qos.profile("mapping", name) is not None:
            where = f" on {format_ports(names)}" if names else ""
            yield Problem(
                "mix-into-lossless",
                mapping.default.at,
                f"port-default-sp {sp}{where}: packets without a trusted marking get lossless switch priority {sp}, "
                "and may pause the fabric",
                f"nv set qos mapping {quote(name)} port-default-sp 0",
            )


def check_untagged_into_lossless(known: ResolvedConfig) -> Iterator[Problem]:
    """A lossless priority for frames with 802.1p value 0, which nobody has given one."""
    for name, (mapping, names) in find_mappings(known).items():
        sp = mapping.pcp[0]
        if mapping.trust is None or mapping.trust.value not in ("l2", "both") or not sp.value:
            continue
        if sp.value in known.lossless:
            what = "frames" if mapping.trust.value == "l2" else "frames other than IP"
            where = f" on {format_ports(names)}" if names else ""
            yield Problem(
                "mix-into-lossless",
                sp.at,
                f"802.1p value 0{where} has switch priority {sp.value}, which is lossless: {what} without a priority "
                "may pause the fabric",
                f"nv set qos mapping {quote(name)} pcp 0 switch-priority 0",
            )


def check_written_as_lossless(known: ResolvedConfig) -> Iterator[Problem]:
    """Other traffic that leaves with a DSCP which is lossless: the next switch takes it for RDMA."""
    remark, mapping = known.qos.profile("remark", GLOBAL), known.qos.mapping(GLOBAL)
    rewrite = remark.val("rewrite") if remark is not None else None
    if remark is None or rewrite is None or rewrite.value not in _WRITES_DSCP:
        return
    if mapping.trust is None or mapping.trust.value not in DSCP_TRUSTED:
        return
    for sp, of in remark.items("switch-priority"):
        stated = of.val("dscp")
        if stated is None or int(sp) in known.lossless or mapping.dscp[stated.value].value not in known.lossless:
            continue
        yield Problem(
            "mix-remark",
            stated.at,
            f"packets of switch priority {sp} leave with DSCP {stated.value}, the DSCP of lossless switch priority "
            f"{mapping.dscp[stated.value].value} here: the next switch treats them as RDMA, and they may pause it",
            f"nv unset qos remark {GLOBAL} switch-priority {sp} dscp",
            ((rewrite.at, "DSCPs are rewritten"),),
        )


CHECKS = (
    check_lossless_by_default,
    check_moved_in_part,
    check_unmarked_into_lossless,
    check_untagged_into_lossless,
    check_written_as_lossless,
)
