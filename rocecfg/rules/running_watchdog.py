"""What keeps a watchdog that is configured from acting, or makes it act always: rules WDG215 to WDG217 and WDG219."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.model import Device, Fabric, PortGroup, TrafficClass
from rocecfg.rules.base import ERROR, RUNNING, WARNING, Hit, Rule, rule
from rocecfg.rules.bound import running_lossless_classes
from rocecfg.rules.common import LOSSY_OFF, join_words, queue_of
from rocecfg.rules.watchdog import judged_watchdog


@rule(
    "WDG215",
    "watchdog-guarantee-eos",
    WARNING,
    source="Arista EOS manual (by second sources): the watchdog watches queues with guaranteed bandwidth",
    by_kind=LOSSY_OFF,
    vendors=("arista",),
    on=RUNNING,
)
def watchdog_guarantee_eos(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """EOS: a strict queue can starve a lossless queue without guaranteed bandwidth, which may then go unwatched."""
    if device.running is None or judged_watchdog(port) is None:
        return  # the writer adds a guarantee
    classes = device.classes_on(port)
    for cls in running_lossless_classes(device, port):
        above = [c for c in classes if c.strict and queue_of(device, c) > queue_of(device, cls)]
        if not above or _has_guarantee(cls):
            continue
        strict = sorted({queue_of(device, c) for c in above})
        yield Hit(
            f"lossless queue {queue_of(device, cls)} has no guaranteed bandwidth, and strict "
            f"queue{'s' * (len(strict) > 1)} {join_words(map(str, strict))} can starve it: EOS reportedly watches "
            "only queues with a guarantee, because it cannot tell a starved queue from a paused one",
            (cls.at("guaranteed", "bandwidth"), cls.at("lossless"), port.at("watchdog")),
            cls=cls.name,
        )


def _has_guarantee(cls: TrafficClass) -> bool:
    return bool(cls.guaranteed_rate or cls.guaranteed_percent)


@rule(
    "WDG216",
    "watchdog-big-red",
    ERROR,
    source="sonic-swss, orchagent/pfcwdsworch.cpp: BIG_RED_SWITCH puts a drop handler on all watched queues",
    vendors=("sonic",),
    on=RUNNING,
)
def watchdog_big_red(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """SONiC's BIG_RED_SWITCH is on: lossless queues drop packets, pause storm or not."""
    running = device.running
    if running is None or not running.watchdog_forced:
        return
    yield Hit(
        "BIG_RED_SWITCH is on: every queue that the watchdog watches drops its packets, and no pause storm is "
        "detected; it is for emergencies only, and SONiC's YANG models refuse later patches with it",
        (running.at("watchdog_forced"), device.at()),
    )


@rule(
    "WDG217",
    "watchdog-counter-poll",
    ERROR,
    source="sonic-utilities, pfcwd counter_poll: the watchdog reads what the PFCWD group of flex counters collects",
    by_kind=LOSSY_OFF,
    on=RUNNING,
)
def watchdog_counter_poll(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """The counters that the watchdog reads are off, so it detects no pause storm."""
    running = device.running
    if running is None or not running.watchdog_blind or not any(map(judged_watchdog, device.ports)):
        return
    yield Hit(
        "the counters that the PFC watchdog reads are off: it is configured but detects no pause storm",
        (running.at("watchdog_blind"), device.at()),
        related=tuple((p.at("watchdog"), "the watchdog") for p in device.ports[:1]),
    )


@rule(
    "WDG219",
    "watchdog-no-restore",
    WARNING,
    source="sonic-swss, orchagent/pfc_restore.lua skips queues without a restoration time; pfcwd config: infinite",
    by_kind=LOSSY_OFF,
    vendors=("sonic",),
    on=RUNNING,
)
def watchdog_no_restore(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """SONiC: without restoration_time, a queue drops packets permanently after one pause storm."""
    watchdog = judged_watchdog(port)
    if device.running is None or not device.running.whole:
        return  # the rest of the row may be on the switch
    if watchdog is None or watchdog.detection is None or watchdog.restoration is not None:
        return
    if watchdog.action == "alert":
        return  # nothing is dropped, so nothing is to be restored
    yield Hit(
        "restoration_time is missing: after one pause storm a queue never becomes lossless again; the watchdog "
        "acts on it until it is stopped on the port",
        (watchdog.at(), port.at("watchdog")),
    )


RULES: tuple[Rule, ...] = (watchdog_guarantee_eos, watchdog_big_red, watchdog_counter_poll, watchdog_no_restore)
