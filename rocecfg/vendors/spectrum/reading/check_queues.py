"""Egress queues: thresholds in KB, shares that starve RDMA, marks on the queue of CNPs, shapers that contradict."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from rocecfg.core.units import show_number, show_rate
from rocecfg.model.stated import Problem, Val
from rocecfg.physics.headroom import roce_frame
from rocecfg.vendors.spectrum.reading.known import ResolvedConfig, find_mappings, format_numbers, format_ports
from rocecfg.vendors.spectrum.reading.qos import DSCP_TRUSTED
from rocecfg.vendors.spectrum.reading.schema_qos import GLOBAL, UNLIMITED

_FRAME = 9216  # bytes of the largest packet
_ROCE_FRAME = roce_frame(4096)  # bytes
_KB = 1000
_USUAL_SHARE = 12  # percent, which Cumulus Linux gives a queue of eight unless told otherwise
_CNP_DSCP = 48  # NICs' default; BGP and BFD have it as well
_CNP_QUEUE = 6  # of `qos roce`


def check_thresholds(known: ResolvedConfig) -> Iterator[Problem]:
    """Thresholds below one packet: kilobytes, as Onyx counts them, taken for bytes."""
    for name, node in known.qos.tree.items("congestion-control"):
        for tc, stated in node.items("traffic-class"):
            ecn = stated.val("ecn")
            if ecn is not None and ecn.value == "disable":
                continue
            most, least = stated.val("max-threshold"), stated.val("min-threshold")
            if most is not None and most.value < _FRAME:
                yield _report_threshold(name, tc, "max", most, "all is marked")
            elif least is not None and least.value < _ROCE_FRAME:
                why = (
                    f"of {_ROCE_FRAME} B: the first waiting packet may be marked, and senders slow down without "
                    "congestion"
                )
                yield _report_threshold(name, tc, "min", least, why)


def _report_threshold(name: str, tc: str, end: str, stated: Val, why: str) -> Problem:
    join = " " if why.startswith("of") else ": "
    return Problem(
        "nvue-threshold-kb",
        stated.at,
        f"{end}-threshold {stated.value} of traffic class {tc} is {stated.value} bytes, less than one packet{join}"
        f"{why}. Onyx counts kilobytes, NVUE bytes",
        f"nv set qos congestion-control {quote(name)} traffic-class {tc} {end}-threshold {stated.value * _KB}",
    )


def check_marked_cnps(known: ResolvedConfig) -> Iterator[Problem]:
    """ECN on the queue in which `qos roce` puts CNPs: marks that no sender answers, meant for another queue."""
    sorted_there = [sp for sp, tc in enumerate(known.qos.queues) if tc.value == _CNP_QUEUE]
    if not known.basis.classic or sorted_there != [_CNP_QUEUE] or _CNP_QUEUE in known.lossless:
        return
    for name, node in known.qos.tree.items("congestion-control"):
        stated = node.val("traffic-class", str(_CNP_QUEUE), "ecn")
        if stated is not None and stated.value == "enable":
            yield Problem(
                "ecn-queue",
                stated.at,
                f"ECN marks traffic class {_CNP_QUEUE}, which `qos roce` reserves for CNPs: a CNP is the answer to a "
                "mark, and no sender reacts to a marked CNP",
                f"nv unset qos congestion-control {quote(name)} traffic-class {_CNP_QUEUE}, and mark RDMA's traffic "
                "class",
                severity="warning",
            )


def check_strict_shares(known: ResolvedConfig) -> Iterator[Problem]:
    """A share of a queue that is strict."""
    for name, node in known.qos.tree.items("egress-scheduler"):
        for tc, stated in node.items("traffic-class"):
            mode, share = stated.val("mode"), stated.val("bw-percent")
            if mode is not None and mode.value == "strict" and share is not None and share.value:
                yield Problem(
                    "device-conflict",
                    share.at,
                    f"traffic class {tc} is strict and has bw-percent {share.value}: a strict queue has no share",
                    f"nv unset qos egress-scheduler {quote(name)} traffic-class {tc} bw-percent",
                    ((mode.at, "strict"),),
                )


def check_starved_rdma(known: ResolvedConfig) -> Iterator[Problem]:
    """Schedulers in which RDMA gets what unmarked traffic leaves, or next to nothing."""
    mapping = known.qos.mapping(GLOBAL)
    trusted = mapping.trust is not None and mapping.trust.value in DSCP_TRUSTED
    usual = known.qos.queues[(mapping.dscp[0] if trusted else mapping.default).value].value
    rdma = {known.qos.queues[sp].value for sp in known.lossless}
    used = {place.in_force("egress-scheduler") for place in known.places} or {GLOBAL}
    for name, node in known.qos.tree.items("egress-scheduler"):
        turns = known.qos.bandwidth(name) if name in used else {}
        shares = {tc: turn.value for tc, turn in turns.items() if turn.value != "strict"}
        own = [tc for tc in sorted(rdma) if shares.get(tc)]
        if not own:
            continue
        first = node.val("traffic-class", str(usual), "mode")
        if first is not None and first.value == "strict" and usual not in rdma:
            yield Problem(
                "ets-rdma-share",
                first.at,
                f"traffic class {usual}, the class of unmarked packets, is strict: it is served first; lossless "
                f"traffic class {format_numbers(own)} gets the rest and pauses its senders",
                f"nv set qos egress-scheduler {quote(name)} traffic-class {usual} mode dwrr, with a bw-percent",
            )
            continue
        part = 100 * sum(shares[tc] for tc in own) / sum(shares.values())
        stated = node.get("traffic-class", str(own[0]))
        if part < _USUAL_SHARE and stated is not None:
            parts = " + ".join(f"{share} of traffic class {tc}" for tc, share in shares.items() if share)
            yield Problem(
                "ets-rdma-share",
                turns[own[0]].at,
                f"lossless traffic class {format_numbers(own)} has {show_number(round(part, 1))}% of all shares "
                f"({parts}), less than the default {_USUAL_SHARE}% of a queue: it drains last under load, and pauses "
                "its senders",
                f"nv set qos egress-scheduler {quote(name)} traffic-class {own[0]} bw-percent 50, and less for the "
                "others",
            )


def check_cnps_behind_bulk(known: ResolvedConfig) -> Iterator[Problem]:
    """DSCP 48 stated to share the queue of packets without a mark, where other queues are strict."""
    for name, (mapping, _) in find_mappings(known).items():
        if mapping.trust is None or mapping.trust.value not in DSCP_TRUSTED:
            continue
        sp = mapping.dscp[_CNP_DSCP]
        queue = known.qos.queues[sp.value]
        stated = known.qos.tree.get("egress-queue-mapping", GLOBAL, "switch-priority", str(sp.value))
        if _CNP_DSCP not in mapping.stated and stated is None:
            continue
        strict = [tc for tc, turn in known.qos.bandwidth(GLOBAL).items() if turn.value == "strict"]
        bulk = known.qos.queues[mapping.dscp[0].value].value
        if sp.value in known.lossless or queue.value != bulk or not strict or bulk in strict:
            continue
        there = f"dscp {_CNP_DSCP} switch-priority SP, one that maps to traffic class {strict[-1]}"
        yield Problem(
            "mix-cnp",
            sp.at if _CNP_DSCP in mapping.stated else queue.at,
            f"DSCP {_CNP_DSCP}, used by NICs for CNPs and by routers for BGP and BFD, maps to traffic class {bulk} "
            f"with unmarked packets instead of strict traffic class {format_numbers(strict)}: in congestion the "
            "signal that would end it waits, or is dropped",
            f"nv set qos mapping {quote(name)} {there}",
        )


def check_shapers(known: ResolvedConfig) -> Iterator[Problem]:
    """Shapers whose rates contradict each other, or exceed the port's."""
    for name, node in known.qos.tree.items("egress-shaper"):
        mode, port = node.val("mode"), node.val("port-max-rate")
        unit = "packets/s" if mode is not None and mode.value == "pps" else "kbit/s"
        for tc, rates in node.items("traffic-class"):
            least, most = rates.val("min-rate"), rates.val("max-rate")
            if most is not None and most.value == 0:
                continue  # `note_shapers`
            if least is not None and most is not None and least.value > most.value:
                yield Problem(
                    "device-conflict",
                    least.at,
                    f"traffic class {tc} of egress-shaper profile {name} has min-rate {least.value} {unit}, above its "
                    f"max-rate {most.value}",
                    f"nv set qos egress-shaper {quote(name)} traffic-class {tc} min-rate, not above max-rate",
                    ((most.at, "the most"),),
                )
            elif most is not None and port is not None and 0 < port.value < most.value != UNLIMITED:
                yield Problem(
                    "device-value",
                    most.at,
                    f"max-rate {most.value} of traffic class {tc} is above port-max-rate {port.value} of "
                    f"egress-shaper profile {name}: NVUE refuses it",
                    f"nv set qos egress-shaper {quote(name)} traffic-class {tc} max-rate {port.value}",
                    ((port.at, "of the port"),),
                )
        if port is not None and port.value != UNLIMITED and unit == "kbit/s":
            yield from _check_above_speed(known, name, port)


def _check_above_speed(known: ResolvedConfig, name: str, rate: Val) -> Iterator[Problem]:
    for place, port in zip(known.places, known.ports, strict=False):
        speed = port.section.get("speed")
        if place.in_force("egress-shaper") == name and speed is not None and rate.value * _KB > speed.value:
            yield Problem(
                "device-value",
                rate.at,
                f"port-max-rate {rate.value} kbit/s of egress-shaper profile {name} is above the "
                f"{show_rate(speed.value)} of {format_ports(place.names)}: NVUE refuses more than the port's speed",
                f"nv set qos egress-shaper {quote(name)} port-max-rate {speed.value // _KB}",
                ((speed.at, "the speed"),),
            )
            return


CHECKS = (
    check_thresholds,
    check_marked_cnps,
    check_strict_shares,
    check_starved_rdma,
    check_cnps_behind_bulk,
    check_shapers,
)
