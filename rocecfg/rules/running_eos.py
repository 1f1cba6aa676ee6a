"""What goes wrong with EOS in particular, and only its own configuration shows: EOS801 to 806, and 840 to 844."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.model import Device, Ecn, Fabric, PortGroup, TrafficClass
from rocecfg.rules.base import ERROR, INFO, RUNNING, WARNING, Hit, Rule, rule, running_rule
from rocecfg.rules.common import LOSSY_OFF
from rocecfg.rules.watchdog import judged_watchdog

_UNPUBLISHED = {
    "detection": "the watchdog has no detection timeout: EOS's default is not published, and without one the "
    "watchdog may never act",
    "restoration": "the watchdog has no recovery time: EOS's default is not published, and until a stuck queue "
    "recovers its packets are dropped",
}
_MANUAL = "Arista EOS manual (by second sources)"


@rule(
    "EOS802",
    "eos-watchdog-timeout",
    WARNING,
    source="AVD's schema and Arista's AI guide set all times; those that hold where none is set are not published",
    by_kind=LOSSY_OFF,
    vendors=("arista",),
    on=RUNNING,
)
def eos_watchdog_timeout(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """EOS: the watchdog of lossless ports has no timeout or no recovery time, so its timing is unknown."""
    watchdog = judged_watchdog(port)
    if device.running is None or not device.running.whole or watchdog is None:
        return
    missing = [timer for timer in _UNPUBLISHED if getattr(watchdog, timer) is None]
    if not watchdog.vendor_default:  # what is there, but refused, is device-value or device-unknown
        missing = [timer for timer in missing if timer in watchdog.origins]
    if watchdog.action == "errdisable" and "restoration" in missing:
        missing.remove("restoration")  # the port is down, and comes back by errdisable recovery
    if missing:
        yield Hit(_UNPUBLISHED[missing[0]], (watchdog.at(missing[0]), port.at("watchdog"), port.at()))


@rule(
    "EOS803",
    "eos-watchdog-errdisable",
    WARNING,
    source="AVD schema: the action is errdisable unless set; errdisable recovery cause stuck-queue",
    by_kind=LOSSY_OFF,
    vendors=("arista",),
    on=RUNNING,
)
def eos_watchdog_errdisable(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """EOS: the watchdog disables the port, and nothing brings it back."""
    watchdog, running = judged_watchdog(port), device.running
    if watchdog is None or running is None or running.recovers is not False:
        return
    if watchdog.action == "errdisable" or watchdog.vendor_default:
        yield Hit(
            "the watchdog's action is errdisable, but no port recovers from stuck-queue by itself: after one pause "
            "storm the port stays down until somebody re-enables it",
            (watchdog.at("action"), port.at("watchdog")),
        )


@rule(
    "EOS806",
    "eos-ecn-count",
    INFO,
    source="EOS: random-detect ecn count on each queue; hardware counter feature ecn out on Jericho switches",
    vendors=("arista",),
    on=RUNNING,
)
def eos_ecn_count(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """EOS: packets are marked but not counted."""
    if device.running is None or device.running.counts_marks is not False:
        return
    marking = [c for c in device.rdma if isinstance(_find_curve(device, c), Ecn)]
    if marking:
        yield Hit(
            "marked packets are not counted: nobody can see whether ECN slows senders down before PFC pauses them",
            (marking[0].at("ecn"), device.at()),
            cls=marking[0].name,
        )


def _find_curve(device: Device, cls: TrafficClass) -> object:
    """The curve of the class, on any of its ports."""
    return next((c.ecn for p in device.ports for c in device.classes_on(p) if c.name == cls.name and c.ecn), cls.ecn)


RULES: tuple[Rule, ...] = (
    running_rule(
        "EOS801",
        "eos-pfc-half",
        WARNING,
        "EOS: PFC is on without a no-drop priority, or priorities are no-drop where PFC is off.",
        source="AVD's reference configurations 01 and 02, which pyavd and EOS take without a word",
    ),
    eos_watchdog_timeout,
    eos_watchdog_errdisable,
    running_rule(
        "EOS804",
        "eos-map-direction",
        WARNING,
        "EOS: a map from traffic class to DSCP: it rewrites packets and does not classify them, and rewriting is off.",
        source="AMD ROCm documentation has it so; EOS: qos map traffic-class to dscp goes with qos rewrite dscp",
    ),
    running_rule(
        "EOS805",
        "eos-default-map",
        INFO,
        "EOS: DSCPs that are lossless only because the map does not list them.",
        source=f"{_MANUAL}: eight code points a traffic class, DSCP 24 to 31 to 3",
    ),
    eos_ecn_count,
    running_rule(
        "EOS840",
        "eos-port-bare",
        WARNING,
        "EOS: a port in use has no profile and no PFC, while nearly all similar ports are lossless.",
        source="Bai et al., NSDI'23, section 2.4: RDMA is lossless only where every port on its way is",
    ),
    running_rule(
        "EOS841",
        "eos-port-own",
        WARNING,
        "EOS: a line below one port adds to its profile what the other ports with that profile do not have.",
        source="EOS user manual: what stands below a port holds beside its service-profile",
    ),
    running_rule(
        "EOS842",
        "eos-unit",
        WARNING,
        "EOS: a threshold or shaper in a unit that cannot be intended.",
        source="AVD schema: bytes, kbytes, mbytes or segments behind each threshold; shape rate counts in kbit/s",
    ),
    running_rule(
        "EOS843",
        "eos-strict-below",
        INFO,
        "EOS: a queue is strict below a round-robin one, where EOS reportedly serves both in turn.",
        source="Arista EOS user manual, tx-queue priority (from memory): no device has confirmed it",
    ),
    running_rule(
        "EOS844",
        "eos-fec",
        ERROR,
        "EOS: FEC is off or fire-code on a port whose lanes need Reed-Solomon.",
        source="IEEE 802.3bs and 802.3ck: 50G, 100G and 200G lanes are defined with RS-FEC alone",
    ),
)
