"""The NIC end of congestion control: rules ECN315 and ECN316, on CNPs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from rocecfg.analysis.hosts import FirstKind, HostNics, each_stated, host_nics
from rocecfg.core.units import ranges
from rocecfg.model import Device, Fabric, Origin, TrafficClass
from rocecfg.rules.amounts import show_wait
from rocecfg.rules.base import ERROR, WARNING, Hit, Rule, rule
from rocecfg.rules.common import join_words
from rocecfg.rules.hosts_ends import find_misfit, rdma_classes_marked_by
from rocecfg.rules.marking import UNHEARD


@rule(
    "ECN315",
    "ecn-cnp-dscp",
    ERROR,
    source="NVIDIA nic-configuration-operator: CNPs with DSCP 4, which SONiC's stock map puts into a lossless class",
    by_kind=UNHEARD,
    needs=("hosts",),
)
def ecn_cnp_dscp(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """NICs mark CNPs with a DSCP that the CNP class does not have."""
    first = FirstKind()
    for nics, stated in each_stated(fabric, "cnp_dscp"):
        dscp: int = stated.value
        seen = find_misfit(fabric, device, nics.key, partial(_leads_to_cnps, dscp=dscp))
        if seen is None:
            continue
        own, known = _list_cnp_classes(seen)
        taking = [c for c in seen.classes if dscp in c.dscps]
        if not taking and fabric.classification == "vendor":
            continue  # the vendor's own map knows where it leads
        if not first.takes(stated.at, nics):
            continue
        related: tuple[tuple[Origin, str], ...] = ((own[0].at("dscp"), f"the DSCPs of class {own[0].name}"),)
        if not taking:
            lands = "no class takes it, and each vendor's switches treat it differently"
        else:
            cls = taking[0]
            related += ((cls.at("dscp"), f"class {cls.name} takes DSCP {dscp}"),)
            lands = f"they land in class {cls.name} ({'lossless, ' * cls.lossless}queue {cls.queue}), " + (
                "and a pause holds back the signal that would end the congestion"
                if cls.lossless and fabric.mode != "lossy"
                else "and wait behind its traffic while the congestion goes on"
            )
        yield Hit(
            f"the NICs of {nics.key} send CNPs with DSCP {dscp}, but class {own[0].name} does not have it: {lands}",
            (stated.at,),
            f"set cnp_dscp: {known[0]} in the intent and on the NICs"
            if len(known) == 1
            else f"set cnp_dscp to one of {ranges(known)}, in the intent and on the NICs",
            related,
            cls=own[0].name,
        )


def _list_cnp_classes(device: Device) -> tuple[list[TrafficClass], list[int]]:
    """The classes of CNPs, and the code points that somebody wrote for them."""
    own = [c for c in device.classes if "cnp" in c.carries]
    return own, sorted({d for c in own for d in c.dscps if not c.rest})


def _leads_to_cnps(device: Device, dscp: int) -> bool:
    """Whether the code point leads to CNPs' queue, or `mix-cnp` tells that there is none.

    What shares their traffic class is `mix-class-shared`'s.
    """
    own, known = _list_cnp_classes(device)
    tcs = {c.tc for c in own}
    return not known or any(c.tc in tcs for c in device.classes if dscp in c.dscps)


@rule(
    "ECN316",
    "ecn-nic-gen",
    WARNING,
    source="Bai et al., NSDI'23, section 7.2: generations thin out CNPs at the receiver (50 us) or the sender (4 us)",
    by_kind=UNHEARD,
    needs=("hosts",),
)
def ecn_nic_gen(fabric: Fabric) -> Iterator[Hit]:
    """NICs of different kinds without a common CNP interval."""
    for competing in _group_competing_nics(fabric):
        yield from _judge_cnp_intervals(competing)


def _group_competing_nics(fabric: Fabric) -> Iterator[list[HostNics]]:
    """The NICs that send RDMA in the same classes: all, but for those of hosts with several kinds, by their marks."""
    apart: dict[frozenset[str], list[HostNics]] = {}
    for nics in host_nics(fabric):
        own = (rdma_classes_marked_by(nics, device.classes) or device.rdma for device in fabric.devices)
        apart.setdefault(frozenset(c.name for classes in own for c in classes), []).append(nics)
    yield from apart.values()


def _judge_cnp_intervals(competing: list[HostNics]) -> Iterator[Hit]:
    cards: dict[str, Origin] = {}
    intervals: set[float | None] = set()
    for nics in competing:
        card, interval = nics.value.get("nic"), nics.value.get("cnp_interval")
        if card is None:
            continue
        cards.setdefault(card.value, card.at)
        intervals.add(interval.value if interval is not None else None)
    if len(cards) < 2 or (len(intervals) == 1 and None not in intervals):
        return
    (_, first), *others = cards.items()
    stated = sorted(i for i in intervals if i is not None)
    lack = (
        f"cnp_interval is {join_words(map(show_wait, stated))}"
        if len(stated) > 1
        else "not all hosts state a cnp_interval"
    )
    yield Hit(
        f"NICs are {join_words(cards)}, and {lack}: kinds of NIC limit their CNPs differently, and senders that get "
        "more CNPs are cut to a smaller share of the bandwidth",
        (others[0][1],),
        "set the same cnp_interval on all of them, and state it for every host with a NIC",
        ((first, "the other kind of NIC"),),
    )


RULES: tuple[Rule, ...] = (
    ecn_cnp_dscp,
    ecn_nic_gen,
)
