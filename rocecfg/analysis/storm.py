"""What one pause storm costs: GPUs that wait behind a stuck host port, until the watchdog acts or the storm ends."""

from __future__ import annotations

from rocecfg.analysis.blast import worst_blast
from rocecfg.analysis.graph import graph
from rocecfg.analysis.hosts import stated_hosts
from rocecfg.core.nodeset import name_set
from rocecfg.core.records import NamedTuple
from rocecfg.model import Fabric
from rocecfg.physics.watchdog import action_window

_MS_IN_HOUR = 3.6e6


class StormCost(NamedTuple):
    """One storm, as wide as it can spread. Collectives are in step: who waits for a paused host waits as long."""

    hosts: int  # paused, the stuck one among them
    gpus: int | None  # in them, at most; None: of some hosts nobody states how many they have
    longest: float | None  # ms until the watchdog has acted; None: there is none, or its timers are not stated
    why_not: str  # where `longest` is None

    @property
    def gpu_hours(self) -> float | None:
        """`GPUs x time / 3600 s`; None where one of both is unknown."""
        if self.gpus is None or self.longest is None:
            return None
        return gpu_hours(self.gpus, self.longest)


def storm_cost(fabric: Fabric) -> StormCost | None:
    """The cost of the widest storm (`worst_blast`); None where hosts are not cabled, or routes unknown."""
    blast = worst_blast(fabric)
    if blast is None or blast.host is None:
        return None
    hosts = blast.senders + 1
    longest, why_not = _watchdog_delay(fabric, graph(fabric).names[blast.switch])
    return StormCost(hosts, _most_gpus(fabric, hosts), longest, why_not)


class Radius(NamedTuple):
    """Who waits for a stuck host, by how far its pause goes."""

    name: str
    hosts: int
    gpus: int  # in them, at most


def radii(fabric: Fabric) -> list[Radius]:
    """The stuck host alone, the hosts of its switch, those that a pause can reach, and all; each size once.

    [] where hosts are not cabled, routes are unknown, or of some hosts nobody states how many GPUs they have.
    """
    blast = worst_blast(fabric)
    if blast is None or blast.host is None:
        return []
    found = graph(fabric)
    sizes = (
        ("the stuck host", 1),
        (f"hosts of {found.names[blast.switch]}", len(found.hosts(blast.switch))),
        ("all that the pause can reach", blast.senders + 1),
        ("one job on all hosts", blast.all_senders + 1),
    )
    out: dict[int, Radius] = {}
    for name, hosts in sizes:
        gpus = _most_gpus(fabric, hosts)
        if gpus is None:
            return []
        out.setdefault(hosts, Radius(name, hosts, gpus))
    return sorted(out.values(), key=lambda one: one.hosts)


def gpu_hours(gpus: int, ms: float) -> float:
    """What waiting costs: `GPUs x time / 3600 s`, time in ms."""
    return gpus * ms / _MS_IN_HOUR


def _most_gpus(fabric: Fabric, hosts: int) -> int | None:
    """The most GPUs that so many hosts have."""
    each: list[int] = []
    for key, host in stated_hosts(fabric).items():
        gpus = host.value.get("gpus")
        if gpus is None:
            return None
        each += [gpus.value] * len(name_set(key))
    return sum(sorted(each, reverse=True)[:hosts]) if len(each) >= hosts else None


def _watchdog_delay(fabric: Fabric, switch: str) -> tuple[float | None, str]:
    """The latest, in ms, that the watchdog of a switch acts on a lossless port to hosts: `d_eff + poll`."""
    device = next((d for d in fabric.devices if switch in d.names), None)
    ports = [p for p in device.ports if p.pfc and p.faces == "host"] if device is not None else []
    latest = 0.0
    for port in ports:
        if port.watchdog is None:
            return None, "no watchdog ends it"
        if port.watchdog.vendor_default or port.watchdog.detection is None:
            return None, "the watchdog's timers are the switch's own"
        latest = max(latest, action_window(port.watchdog.detection, port.watchdog.poll)[1])
    return (latest, "") if ports else (None, "what port it begins at is unknown")
