"""What rules of several families ask of the model, and how they put lists into words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache, wraps
from typing import TypeVar

from rocecfg.core.units import show_rate
from rocecfg.model import Device, Fabric, PortGroup, TrafficClass
from rocecfg.rules.base import OFF

LOSSY_OFF: Mapping[str, str] = {"lossy": OFF}  # `by_kind` of rules on PFC: nothing is paused there
SIGNALS = frozenset({"cnp", "control"})  # traffic that is sent first, and that no ECN-aware sender stands behind
PRIORITIES = 8
_USUAL = 400_000_000_000  # bit/s of a port whose speed nobody states
_DUAL_TOR = frozenset((2, 3, 4, 6))  # 3 and 4 from hosts, 2 and 6 for what bounces to the other ToR
_FIELDS = {"priority": "priority", "tc": "TC", "queue": "queue", "pg": "priority group"}

# -- words -------------------------------------------------------------------------------------------------------------


UNDER_WAY = "; only noted while rollout.state is under-way"


def is_under_way(fabric: Fabric) -> bool:
    """Whether a rollout is stated to be under way: two releases, or two settings, are then meant to be there."""
    rollout = fabric.facts.get("rollout")
    state = rollout.get("state") if isinstance(rollout, dict) else None
    return state is not None and state.value == "under-way"


def describe_role(device: Device) -> str:
    """The role of a switch, with what it is guessed from where its own configuration does not say it."""
    typed = device.running.typed if device.running is not None else None
    return f"role {device.role}" if typed is None else f"role {device.role} (guessed from {typed[0]})"


def join_words(words: Iterable[str]) -> str:
    """One word or more as a sentence has them: `a, b and c`."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def describe_class(cls: TrafficClass) -> str:
    """The class's name, and what it carries where the name does not say it."""
    return cls.name if cls.carries in ((), (cls.name,)) else f"{cls.name} ({', '.join(cls.carries)})"


def format_fields(fields: Mapping[str, int]) -> list[str]:
    """Fields of a class with their numbers, in words: `TC 3`, `priority group 0`."""
    return [f"{_FIELDS[field]} {number}" for field, number in fields.items()]


def format_priorities(priorities: Collection[int], *, none: str = "no priority") -> str:
    """`priority 3`, `priorities 3, 4`; `none` where there is none."""
    if not priorities:
        return none
    return f"{'priority' if len(priorities) == 1 else 'priorities'} {', '.join(map(str, priorities))}"


# -- devices ---------------------------------------------------------------------------------------------------------

_T = TypeVar("_T")


def kept_with_device(ask: Callable[[Device], _T]) -> Callable[[Device], _T]:
    """What is asked of a device's ports together, for rules that are run for each port: computed once a device."""
    kept: tuple[Device, _T] | None = None

    @wraps(ask)
    def asked(device: Device) -> _T:
        nonlocal kept
        last = kept
        if last is None or last[0] is not device:
            last = kept = (device, ask(device))
        return last[1]

    return asked


@kept_with_device
def count_ports(device: Device) -> int:
    """How many ports a device has."""
    return sum(len(port.names) for port in device.ports)


# -- ports and priorities ----------------------------------------------------------------------------------------------


def is_management(port: PortGroup) -> bool:
    """Whether these are management or console ports: the intent says so, or the name of one of them does."""
    return port.faces == "management" or _has_management_name(port.names)


@lru_cache(maxsize=1024)  # nearly every rule on ports asks, and devices share their port names
def _has_management_name(names: tuple[str, ...]) -> bool:
    return any(map(_is_management_name, names))


def _is_management_name(name: str) -> bool:
    """`eth0`, `mgmt0`, `Management0/1`, `ma1`, `console1`; not `eth1`, `Eth0` or `Ethernet0`: these are front ports."""
    low = name.lower()
    return (
        name == "eth0"  # spelled just so by Linux; Eth0 is short for Ethernet0
        or low.startswith(("mgmt", "management", "console"))
        or (low[:2] == "ma" and low[2:3].isdigit())
    )


@kept_with_device
def paused_priorities(device: Device) -> frozenset[int]:
    """The priorities with PFC on, on any port."""
    return frozenset(p for port in device.ports for p in port.pfc)


def is_judged_by_priority(port: PortGroup) -> bool:
    """Whether rules on single priorities have a say: not where the port, or PFC on all eight, is the mistake."""
    return len(port.pfc) < PRIORITIES and not is_management(port)


def find_dropping_system(devices: Iterable[Device]) -> str:
    """A system that drops packets without ECT where it marks RDMA's others; empty if none of the devices runs one."""
    marking = (d for d in devices if d.nos is not None and any(c.ecn or c.ecn_by_speed for c in d.rdma))
    return next((d.nos.title for d in marking if d.nos is not None and d.nos.drops_without_ect), "")


def is_dual_tor(fabric: Fabric, device: Device) -> bool:
    """Whether hosts hang on two ToRs: the intent says so, or a switch whose system ships that has its priorities."""
    if fabric.dual_tor or not fabric.running:
        return fabric.dual_tor
    return (
        bool(device.nos is not None and device.nos.dual_tor) and paused_priorities(device.whole or device) == _DUAL_TOR
    )


def dual_tor_priorities(fabric: Fabric, device: Device) -> frozenset[int]:
    """The priorities that are lossless because hosts hang on two ToRs, whatever the classes carry."""
    return _DUAL_TOR if is_dual_tor(fabric, device) else frozenset()


def lossless_classes_of_priority(device: Device, port: PortGroup, priority: int) -> list[TrafficClass]:
    """The lossless classes on that priority that cross the port."""
    return [c for c in device.classes_on(port) if c.lossless and c.priority == priority]


def lossless_dscps(device: Device, ports: Iterable[PortGroup]) -> dict[int, TrafficClass]:
    """The code points that some of these ports sort into a class that they pause, each with its class."""
    return {
        dscp: cls
        for port in ports
        for cls in device.classes_on(port)
        if cls.lossless and cls.priority in port.pfc
        for dscp in cls.dscps
    }


@kept_with_device
def usual_lossless_dscps(device: Device) -> dict[int, TrafficClass]:
    """Those of the ports that sort as the device does otherwise."""
    return lossless_dscps(device, (p for p in device.ports if p.maps is None))


def find_dropped_dscps(fabric: Fabric, device: Device, port: PortGroup) -> dict[int, TrafficClass]:
    """Of a switch as it runs, the code points that are lossless on most ports and drop on these, each with its class.

    Only of ports that sort by maps of their own and pause something. `device`: as these ports sort.
    """
    whole = device.whole
    if whole is None or port.maps is None or device.running is None or not port.pfc or port.trust != "dscp":
        return {}
    if is_dual_tor(fabric, device) or is_management(port):
        return {}  # downlinks sort otherwise than uplinks
    lost = usual_lossless_dscps(whole).keys() - lossless_dscps(device, (port,)).keys()
    taking = {dscp: c for c in device.classes for dscp in c.dscps if dscp in lost}
    return dict(sorted(taking.items()))


# -- classes -----------------------------------------------------------------------------------------------------------


def classes_by_dscp(device: Device) -> list[list[TrafficClass]]:
    """For each of the 64 DSCPs, the classes that claim it."""
    out: list[list[TrafficClass]] = [[] for _ in range(64)]
    for cls in device.classes:
        for dscp in cls.dscps:
            out[dscp].append(cls)
    return out


def queue_of(device: Device, cls: TrafficClass) -> int:
    """The queue that the class's traffic class is sent from; the class's own where the map does not say."""
    mapped = device.maps.tc_to_queue[cls.tc]
    return cls.queue if mapped is None else mapped


def suggest_cap(device: Device) -> str:
    """5% of a port, as the device's system takes a cap: a percentage, or a rate."""
    if device.nos is None or device.nos.knows("class.max_percent"):
        return "5%"
    return show_rate(max((port.speed for port in device.ports if port.speed is not None), default=_USUAL) // 20)


def find_shared_fields(device: Device, a: TrafficClass, b: TrafficClass) -> dict[str, int]:
    """What two classes have in common of priority, traffic class and queue, by field, with its number."""
    queue = queue_of(device, a)
    both = {
        "priority": (a.priority, b.priority),
        "tc": (a.tc, b.tc),
        "queue": (queue, queue_of(device, b)),
    }
    return {field: mine for field, (mine, other) in both.items() if mine == other}


def find_class_ahead_of_cnps(device: Device, cnp: TrafficClass) -> TrafficClass | None:
    """The class of bulk traffic that a class of CNPs waits behind, itself included; None if it has its own queue.

    Sharing with RDMA or with network control is other rules' to tell.
    """
    if not _carries_only_signals(cnp):
        return None if "rdma" in cnp.carries or "control" in cnp.carries else cnp
    for other in device.classes:
        if _carries_only_signals(other) or "rdma" in other.carries or other.name == cnp.name:
            continue
        if {"tc", "queue"}.intersection(find_shared_fields(device, cnp, other)):
            return other
    return None


def _carries_only_signals(cls: TrafficClass) -> bool:
    return SIGNALS.issuperset(cls.carries)
