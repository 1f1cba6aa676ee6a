"""What goes wrong with NVUE in particular, as only the switch's own configuration shows: rules NVU801 to 816, 850."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.core.units import show_number
from rocecfg.model import Device, Fabric, RunningPool
from rocecfg.rules.base import ERROR, INFO, RUNNING, WARNING, Hit, Rule, rule, running_rule
from rocecfg.rules.common import join_words

_GUIDE = "Cumulus Linux user guide"
_QOS = f"{_GUIDE}, Quality of Service"
_ROCE = f"{_GUIDE}, RDMA over Converged Ethernet"


@rule(
    "NVU801",
    "nvue-pool-sum",
    ERROR,
    source=f"{_QOS}, flow control buffers: at most 100 % in all, which default-lossy has at first",
    vendors=("spectrum",),
    on=RUNNING,
)
def nvue_pool_sum(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """The traffic pools take more than the whole buffer: NVUE refuses the configuration."""
    pools = device.running.pools if device.running is not None else ()
    reported: set[tuple[str, ...]] = set()
    for way in ("ingress", "egress"):
        here = [pool for pool in pools if pool.direction in (way, "both") and pool.percent is not None]
        total = sum(pool.percent or 0 for pool in here)
        names = tuple(pool.name for pool in here)
        if total > 100 and names not in reported:
            reported.add(names)
            largest = max(here, key=lambda pool: pool.percent or 0)
            yield Hit(
                f"pools take {show_number(total)} % of the buffer, above 100 %: {join_words(map(_format_share, here))}",
                (largest.at("percent"),),
                "lower one of the pools",
            )


def _format_share(pool: RunningPool) -> str:
    return f"{pool.name} {show_number(pool.percent or 0)} %"


RULES: tuple[Rule, ...] = (
    nvue_pool_sum,
    running_rule(
        "NVU802",
        "nvue-lossless-pool",
        ERROR,
        "PFC without a lossless traffic pool, with two of them, or with the one that does not go with `qos roce`.",
        source=f"{_QOS}, traffic pools: roce-lossless with RoCE, default-lossless without, one at a time",
    ),
    running_rule(
        "NVU803",
        "nvue-pool-priorities",
        ERROR,
        "A switch priority in two traffic pools or in none, or a lossless one in a lossy pool.",
        source=f"{_QOS}, traffic pools; {_ROCE}, changing the configuration",
    ),
    running_rule(
        "NVU804",
        "nvue-watchdog-port",
        ERROR,
        "The PFC watchdog on a port without PFC, or on a bond: Cumulus Linux does not accept it there.",
        source=f"{_QOS}, PFC watchdog: physical ports with PFC or link pause; members of a bond, not the bond",
    ),
    running_rule(
        "NVU805",
        "nvue-explicit-buffer",
        WARNING,
        "Headroom with fixed sizes, which Cumulus Linux would compute; an error if they contradict each other.",
        source=f"{_QOS}, priority flow control: leave buffer and thresholds to Cumulus Linux; xon counts below xoff",
    ),
    running_rule(
        "NVU806",
        "nvue-cable-default",
        INFO,
        "A port's own PFC profile without cable length: headroom for 10 m, but `qos roce` assumes 100 m.",
        source=f"{_QOS}, port groups, PFC: the default is 10 metres; `nv show qos roce`: 100",
    ),
    running_rule(
        "NVU807",
        "nvue-default-map",
        INFO,
        "DSCPs that are lossless only because the map does not list them.",
        source=f"{_ROCE}, nv show qos roce: all 64 code points are mapped, eight to a switch priority",
    ),
    running_rule(
        "NVU808",
        "nvue-moved-priority",
        WARNING,
        "PFC is moved to another switch priority, but no DSCP maps to it.",
        source=f"{_ROCE}, changing the configuration: PFC, egress queues, trust and DSCP move together",
    ),
    running_rule(
        "NVU809",
        "nvue-ecn-profile",
        INFO,
        "A bound ECN profile that does not name a traffic class which the global one marks.",
        source=f"{_QOS}, port groups: a profile overrides the global settings",
    ),
    running_rule(
        "NVU810",
        "nvue-threshold-kb",
        WARNING,
        "An ECN threshold below one packet: kilobytes, as Onyx counts them, taken for bytes.",
        source=f"{_QOS}, congestion control: thresholds in bytes; Onyx: `minimum-absolute 150` is 150 KB",
    ),
    running_rule(
        "NVU811",
        "nvue-breakout-apply",
        INFO,
        "QoS on ports that the same step breaks out: applying both at once may fail.",
        source=f"{_QOS}, caveats: breakout ports are applied before QoS; release notes, issue 3362113",
    ),
    running_rule(
        "NVU812",
        "nvue-roce-mode",
        INFO,
        "`qos roce` without mode, so a lossy switch stays lossy; or a lossy mode together with PFC.",
        source=f"{_ROCE}, RoCE lossless: nv set qos roce does not change the mode; RoCE lossy: it has no PFC",
    ),
    running_rule(
        "NVU813",
        "nvue-adaptive-routing",
        WARNING,
        "Adaptive routing on an interface that does not have it.",
        source=f"{_GUIDE}, Equal Cost Multipath, adaptive routing: routed ports of the default VRF, no bonds, no SVIs",
    ),
    running_rule(
        "NVU814",
        "nvue-packet-trim",
        ERROR,
        "Packet trimming with WJH buffer drops or SPAN session 0, which exclude it.",
        source=f"{_QOS}, packet trimming",
    ),
    running_rule(
        "NVU815",
        "nvue-service-pool",
        ERROR,
        "A buffer region whose kind of threshold is not its service pool's, or a switch priority in no priority group.",
        source=f"{_QOS}, advanced buffer tuning: shared-alpha with dynamic pools, shared-bytes with static ones",
    ),
    running_rule(
        "NVU816",
        "nvue-bond-member",
        ERROR,
        "A QoS profile bound to a member of a bond: NVUE accepts it only on the bond.",
        source=f"{_QOS}, caveats: NVUE rejects QoS at the members of a bond",
    ),
    running_rule(
        "NVU850",
        "nvue-cable-short",
        WARNING,
        "Headroom for cables of 1 m on more ports than can be within a metre of their switch.",
        source=f"{_QOS}, priority flow control: incorrect cable length settings cause packet drops",
    ),
)
