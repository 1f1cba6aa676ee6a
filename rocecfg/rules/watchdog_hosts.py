"""The PFC watchdog and what it depends on beside its timers: chip, NICs and retries. Rules WDG212 to WDG214."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.analysis.hosts import FirstKind, each_stated, stated_hosts
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_time
from rocecfg.model import Device, Fabric, Origin, PortGroup, Span, Watchdog, kept_with_fabric
from rocecfg.model.fix import Fix, replace
from rocecfg.physics.watchdog import ack_timeout, action_window, effective_time, usual_restoration
from rocecfg.rules.amounts import show_wait
from rocecfg.rules.base import ERROR, INFO, OFF, WARNING, Hit, Rule, rule
from rocecfg.rules.common import LOSSY_OFF, join_words, paused_priorities
from rocecfg.rules.watchdog import TIMER_KEYS, acting_timers, judged_watchdog, kept_restoration, locate_watchdog_field

_BROADCOM = "broadcom"  # what SONiC calls Broadcom's on-chip-buffer switches
_SONIC_ACTIONS = frozenset(("drop", "forward", "alert"))  # others are nos-unsupported's
_MOST_RETRIES = 7  # a field of 3 bits, and what NCCL sets
_LONGEST_TIMEOUT = 31  # the largest n
_LENIENT = 4  # how many times its ACK timeout a NIC may wait (InfiniBand Architecture Specification)
_SLOW = 1000  # ms; a watchdog slower than this is to blame itself


# -- the chip ----------------------------------------------------------------------------------------------------------


@rule(
    "WDG212",
    "watchdog-action-hw",
    WARNING,
    source="sonic-swss, orchagent/pfcwdorch.cpp: with PFC_DLR_INIT the first port's action is the whole switch's",
    by_kind=LOSSY_OFF,
    needs=("devices",),
    vendors=("sonic",),
)
def watchdog_action_hw(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """Broadcom chips that end pause storms in hardware have one watchdog action for the whole switch."""
    if device.family != _BROADCOM:
        return
    first: dict[str, tuple[PortGroup, Watchdog]] = {}
    for port in device.ports:
        dog = judged_watchdog(port)
        if dog is not None and dog.action in _SONIC_ACTIONS:
            first.setdefault(dog.action, (port, dog))
    if len(first) < 2:
        return
    usual = "drop" if "drop" in first else min(first)
    action = min(first.keys() - {usual})  # whatever the order of ports
    (_, other), (port, dog) = first[usual], first[action]
    yield Hit(
        f"ports of one switch have different watchdog actions, {join_words(first)}: if the SDK ends pause storms in "
        "hardware, orchagent applies the action of the first port to all and refuses the watchdog on ports with "
        f"{action}",
        locate_watchdog_field(port, dog, "action"),
        f"set one action for all ports of the switch: {usual}",
        ((other.at("action"), f"action {usual}"),),
        fix=_make_action_fix(device, usual),
    )


def _make_action_fix(device: Device, action: str) -> Fix | None:
    dogs = [dog for port in device.ports if (dog := judged_watchdog(port)) is not None and dog.action in _SONIC_ACTIONS]
    stated = {dog.origins.get("action") for dog in dogs if dog.action != action}
    changes = tuple(replace(at, action) for at in stated if isinstance(at, Span))
    return (
        Fix(f"write action: {action}", safe=False, changes=tuple(sorted(changes)))
        if len(changes) == len(stated)
        else None
    )


# -- NICs --------------------------------------------------------------------------------------------------------------


@rule(
    "WDG213",
    "watchdog-nic",
    WARNING,
    source="Guo et al., SIGCOMM'16, section 4.3: NIC and switch watchdogs are two lines against a NIC's pause storm",
    by_kind={"lossy": OFF, "semi-lossless": INFO},
    needs=("hosts",),
)
def watchdog_nic(fabric: Fabric) -> Iterator[Hit]:
    """The NICs have no storm prevention: only the switch protects the fabric from a hung NIC."""
    if not any(paused_priorities(device) for device in fabric.devices):
        return
    first = FirstKind()
    for nics, prevention in each_stated(fabric, "storm_prevention"):
        pausing = nics.value.get("pfc_priorities")
        if prevention.value is not False or (pausing is not None and not pausing.value):
            continue  # on, or a NIC that pauses nobody
        if not first.takes(prevention.at, nics):
            continue
        yield Hit(
            f"the NICs of {nics.key} have storm prevention off: a hung NIC pauses its switch port without end, and "
            "the fabric is stopped until the switch's watchdog acts",
            (prevention.at,),
            "turn it on in the NIC, which then stops its own pauses (usually after 100 ms), and set "
            "storm_prevention: true",
        )


# -- retries -----------------------------------------------------------------------------------------------------------


class Patience(NamedTuple):
    """How long RDMA connections of a group of hosts go without an answer."""

    ms: float
    hosts: str
    exponent: int
    retries: int
    stated: bool  # whether the number of retries is
    at: Origin

    def working(self) -> str:
        """The formula with its numbers."""
        retries = f"{self.retries} retries" if self.stated else f"{self.retries} retries (the maximum)"
        return f"4.096us x 2^{self.exponent} x ({retries} + 1)"


def _compute_patience(retries: int, exponent: int) -> float:
    """Milliseconds after which a connection fails: each try waits for the ACK timeout at least."""
    return (retries + 1) * ack_timeout(exponent)


@kept_with_fabric  # asked for every group of ports
def find_least_patient(fabric: Fabric) -> Patience | None:
    """The hosts whose connections fail first, of those that state a timeout."""
    found: list[Patience] = []
    for key, host in stated_hosts(fabric).items():
        timeout, retry = host.value.get("ib_timeout"), host.value.get("ib_retry")
        if timeout is None or timeout.value == 0:  # 0: waits forever
            continue
        retries = _MOST_RETRIES if retry is None else retry.value
        ms = _compute_patience(retries, timeout.value)
        found.append(Patience(ms, key, timeout.value, retries, retry is not None, timeout.at))
    return min(found, key=lambda p: p.ms, default=None)


@rule(
    "WDG214",
    "watchdog-retry",
    ERROR,
    source="InfiniBand Architecture Specification: ACK timeout 4.096 us * 2^n, at most 7 retries; worst case d_eff + p",
    by_kind=LOSSY_OFF,
    needs=("hosts",),
)
def watchdog_retry(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """RDMA connections run out of retries before the watchdog ends a pause storm or restores the queue: jobs fail."""
    watchdog = judged_watchdog(port)
    hosts = find_least_patient(fabric)
    timers = acting_timers(device, watchdog) if watchdog is not None else None
    if watchdog is None or timers is None or hosts is None:
        return
    detection, poll = timers.detection, timers.poll
    poll = None if poll is not None and poll > detection else poll  # that is watchdog-poll's
    latest = action_window(detection, poll)[1]
    restored = effective_time(kept_restoration(device, watchdog) or 0, poll) if watchdog.action == "drop" else 0
    needed = max(latest, restored / _LENIENT)
    if needed <= hosts.ms:
        return
    own = [n for n in range(_LONGEST_TIMEOUT + 1) if n and _compute_patience(hosts.retries, n) >= needed]
    fixes = [f"ib_timeout: {own[0]} or more for these hosts (NCCL_IB_TIMEOUT)"] if own else []
    if latest <= hosts.ms:
        usual = usual_restoration(detection, poll)
        if usual / _LENIENT <= hosts.ms:
            fixes.insert(0, f"{TIMER_KEYS['restoration']}: {show_time(usual)} (twice the detection time)")
        yield Hit(
            f"after a pause storm the queue discards packets for {show_time(restored)}, but RDMA connections of "
            f"{hosts.hosts} fail after {show_wait(hosts.ms)} to {show_wait(_LENIENT * hosts.ms)} without an answer: "
            f"each pause storm fails jobs, however short. Timeout: {hosts.working()}",
            locate_watchdog_field(port, watchdog, "restoration"),
            f"set {', or '.join(fixes)}",
            ((hosts.at, f"ib_timeout is {hosts.exponent}"),),
            severity=WARNING,
        )
        return
    here: tuple[Origin, ...] = (hosts.at,)
    whose = "the switch's own detection time" if timers.own else "detection_time"
    related = ((watchdog.at("detection"), f"{whose} is {show_time(detection)}"),)
    if latest > _SLOW:
        here = locate_watchdog_field(port, watchdog, "detection")
        related = ((hosts.at, f"ib_timeout is {hosts.exponent}"),)
        fixes.insert(0, "a shorter detection_time")
    yield Hit(
        f"a pause storm can last {show_time(latest)} before the watchdog acts, but RDMA connections of "
        f"{hosts.hosts} fail after {show_wait(hosts.ms)} without an answer: jobs fail before the pause storm "
        f"ends. Timeout: {hosts.working()}",
        here,
        f"set {', or '.join(fixes)}",
        related,
    )


RULES: tuple[Rule, ...] = (
    watchdog_action_hw,
    watchdog_nic,
    watchdog_retry,
)
