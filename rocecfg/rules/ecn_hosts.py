"""The NIC end of congestion control: rules ECN315 and ECN316, on CNPs."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.model import Device, Fabric, Origin
from rocecfg.rules.amounts import us
from rocecfg.rules.base import ERROR, WARNING, Hit, Rule, rule
from rocecfg.rules.common import listed, ranges
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
    """NICs mark CNPs with a DSCP that is not the CNP class's."""
    own = [c for c in device.classes if "cnp" in c.carries]
    known = sorted({d for c in own for d in c.dscps if not c.rest})
    if not known:
        return  # mix-cnp's, or a class whose code points nobody wrote
    tcs = {c.tc for c in own}
    for key, host in fabric.facts.get("hosts", {}).items():
        said = host.value.get("cnp_dscp")
        if said is None:
            continue
        dscp: int = said.value
        taking = [c for c in device.classes if dscp in c.dscps]
        if any(c.tc in tcs for c in taking) or (not taking and fabric.classification == "vendor"):
            continue  # they share a queue, which mix-class-shared tells; or the vendor's own map knows where it leads
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
            f"the NICs of {key} send CNPs with DSCP {dscp}, which is not in class {own[0].name}: {lands}",
            (said.at,),
            f"set cnp_dscp: {known[0]} there and on the NICs"
            if len(known) == 1
            else f"set cnp_dscp to one of {ranges(known)}, there and on the NICs",
            related,
            cls=own[0].name,
        )


@rule(
    "ECN316",
    "ecn-nic-gen",
    WARNING,
    source="Bai et al., NSDI'23, section 7.2: generations thin out CNPs at the receiver (50 us) or the sender (4 us)",
    by_kind=UNHEARD,
    needs=("hosts",),
)
def ecn_nic_gen(fabric: Fabric) -> Iterator[Hit]:
    """NICs of several kinds without one CNP interval."""
    nics: dict[str, Origin] = {}
    intervals: set[float | None] = set()
    for host in fabric.facts.get("hosts", {}).values():
        nic, interval = host.value.get("nic"), host.value.get("cnp_interval")
        if nic is None:
            continue
        nics.setdefault(nic.value, nic.at)
        intervals.add(interval.value if interval is not None else None)
    if len(nics) < 2 or (len(intervals) == 1 and None not in intervals):
        return
    (_, first), *others = nics.items()
    stated = sorted(i for i in intervals if i is not None)
    told = f"cnp_interval is {listed(map(us, stated))}" if len(stated) > 1 else "not all hosts state a cnp_interval"
    yield Hit(
        f"NICs are {listed(nics)}, and {told}: kinds of NIC differ in who thins out CNPs and how "
        "much, and senders that get more of them than others are cut to a smaller share",
        (others[0][1],),
        "set one cnp_interval on all of them, and state it for every host with a NIC",
        ((first, "the other kind of NIC"),),
    )


RULES: tuple[Rule, ...] = (
    ecn_cnp_dscp,
    ecn_nic_gen,
)
