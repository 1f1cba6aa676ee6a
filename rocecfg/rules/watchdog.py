"""Where the PFC watchdog is, what it watches and what it does: rules WDG201 to WDG203 and WDG210.

Ports without PFC need none, and PFC on a management port is `pfc-mgmt-port`'s: all rules on the watchdog are silent on
both.
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import MS, show_time
from rocecfg.model import Device, Fabric, Origin, PortGroup, Span, TrafficClass, Watchdog, kept_with_fabric
from rocecfg.model.catalogue import list_fields
from rocecfg.model.fix import Fix, Table, Value, find_root, put, remove, replace
from rocecfg.profiles import applies
from rocecfg.rules.base import ERROR, OFF, WARNING, Hit, Rule, rule, unsafe_fix
from rocecfg.rules.common import LOSSY_OFF, count_ports, is_dual_tor, is_management, kept_with_device
from rocecfg.sizing.watchdog import own_timers

TYPE_CHECKING = False
if TYPE_CHECKING:  # what only profiles make is loaded with them
    from rocecfg.model import Lack

USUAL = "detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms"
TIMER_KEYS = {field: key for key, field in list_fields("watchdog", MS).items()}
SLOW = 1000  # ms that a fabric may stand still
_WATCHDOG = "port.watchdog"
_RESTORATION = "port.watchdog.restoration"
_POLL = "port.watchdog.poll"
_NO_SPREAD = {"lossy": OFF, "semi-lossless": WARNING}  # pauses are honoured but not passed on: one port hangs, not all
_HOSTS = frozenset(("host", "storage"))  # a NIC at the other end: where storms begin
_SWITCHED = 2  # the layer of ports that switch frames
_DUAL_TOR_BOUNCE = frozenset((2, 6))  # lossless for what bounces between ToRs; SONiC watches 3 and 4 only
_BROADCOM = "broadcom"  # the family with one action for the whole switch
_FEW, _ALONE = 16, 4  # of a switch's ports, one in so many; and where it is but one
_ACTIONS = {
    "alert": "only reports a pause storm from a host: the fabric stays frozen until somebody intervenes",
    "forward": "discards nothing that is queued for a host in a pause storm: the queue keeps taking buffer from others",
    "errdisable": "takes links between switches down: capacity is lost, and the reroute moves the pause storm",
}


def judged_watchdog(port: PortGroup) -> Watchdog | None:
    """The watchdog to judge, if the port needs one and has one."""
    return port.watchdog if port.pfc and not is_management(port) else None


def kept_restoration(device: Device, watchdog: Watchdog) -> float | None:
    """The restoration time, ms, where it reaches the switch: what an intent states for a NOS without one does not.

    `nos-unsupported` tells of that.
    """
    kept = device.nos is None or device.nos.knows(_RESTORATION)
    return watchdog.restoration if kept else None


def kept_poll(device: Device, watchdog: Watchdog) -> float | None:
    """The poll interval, ms, where it reaches the switch: a NOS without one has no times that count in it."""
    kept = device.nos is None or device.nos.knows(_POLL)
    return watchdog.poll if kept else None


class ActingTimers(NamedTuple):
    """By which times a watchdog acts, ms."""

    detection: float
    poll: float | None
    own: bool  # left to the system, whose own these are


def acting_timers(device: Device, watchdog: Watchdog) -> ActingTimers | None:
    """By which times a watchdog acts: as stated, or the system's own where it is left to that; None if not known."""
    if not watchdog.vendor_default:
        poll = kept_poll(device, watchdog)
        return None if watchdog.detection is None else ActingTimers(watchdog.detection, poll, own=False)
    own = own_timers(device.nos, device.release, count_ports(device))
    return None if own is None else ActingTimers(own.detection, own.poll, own=True)


def locate_watchdog_field(port: PortGroup, watchdog: Watchdog, field: str) -> tuple[Origin, ...]:
    """Where that field of the watchdog was set, else the watchdog."""
    return watchdog.at(field), watchdog.at(), port.at("watchdog")


@rule(
    "WDG201",
    "watchdog-missing",
    ERROR,
    source="Guo et al., SIGCOMM'16, section 4.3, and Bai et al., NSDI'23, section 3.1: one NIC can stop the network",
    by_kind=_NO_SPREAD,
    ignorable=False,
)
def watchdog_missing(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """A lossless port without PFC watchdog: one broken NIC can freeze the whole fabric."""
    if not port.pfc or port.watchdog is not None or is_management(port) or _find_watched_uplink(device, port):
        return
    if device.running is not None and not device.running.whole and "watchdog" not in port.origins:
        return  # a part of a configuration, which may be in another
    lossless = _find_asking_classes(device, port)
    has_watched_hosts = port.faces == "switch" and _are_hosts_watched(fabric)
    others = _describe_watched_ports(fabric, device, port)
    published = device.nos is not None and bool(device.nos.unwatched_cores)
    usual, lack = _advised_settings(device), _find_lack(device)
    yield Hit(
        _describe_harm(has_watched_hosts, others),
        (*(c.at("lossless") for c in lossless), port.at("watchdog")),
        f"{lack.message}: {lack.fix}"
        if lack is not None
        else f"set pfc: {{watchdog: {{{', '.join(f'{key}: {value}' for key, value in usual)}}}}}",
        cls=lossless[0].name if lossless else None,
        # where published, it may be waived
        severity=WARNING if published and (has_watched_hosts or others) else None,
        fix=_make_watchdog_fix(fabric, device, port, Table(usual)) if lack is None else None,
    )


@kept_with_device
def _is_any_watched(device: Device) -> bool:
    return any(port.watchdog is not None for port in device.ports)


def _find_asking_classes(device: Device, port: PortGroup) -> list[TrafficClass]:
    """The lossless classes of a port where nothing is written of a watchdog: they ask for one, once for all ports."""
    if "watchdog" in port.origins or _is_any_watched(device):
        return []
    return sorted((c for c in device.classes_on(port) if c.lossless), key=lambda c: c.claim)


def _describe_harm(has_watched_hosts: bool, others: str) -> str:
    """What is missing, and what follows. `others`: which other ports of the switch are watched, in words."""
    if has_watched_hosts:
        return (
            "PFC without a watchdog: ports to hosts have one, which ends the pause storm of a NIC, but nothing ends a "
            "pause storm that a switch sends to this port"
        )
    harm = "one NIC that never stops pausing freezes every queue behind it, and jobs hang instead of failing"
    if others:
        return f"{others}. If any of the others faces a host or storage, {harm}"
    return f"PFC without a watchdog: {harm}"


def _find_lack(device: Device) -> Lack | None:
    """Why the device's system has no watchdog in its release; None where it has one, or that is not known."""
    nos = device.nos
    if nos is None:
        return None
    release = device.release or nos.default_release
    try:
        found = (each for each in nos.lacks if each.what == _WATCHDOG)
        return next((each for each in found if applies(each.since, each.until, nos.name, release)), None)
    except ValueError:  # a release that nobody can place
        return None


def _advised_settings(device: Device) -> tuple[tuple[str, str], ...]:
    """The watchdog that is advised, as far as the device's system has settings for it."""
    times = [(key, time) for key, _, time in (part.partition(": ") for part in USUAL.split(", "))]
    if device.nos is not None and not device.nos.knows(_RESTORATION):
        times = [pair for pair in times if pair[0] != "restoration_time"]
    return (*times, ("action", "drop"))


@kept_with_fabric  # asked for every group of ports between switches
def _are_hosts_watched(fabric: Fabric) -> bool:
    """Whether the fabric has lossless ports to hosts, and each of them a watchdog."""
    found = [port for device in fabric.devices for port in device.ports if port.pfc and port.faces in _HOSTS]
    return bool(found) and all(port.watchdog is not None for port in found)


def _describe_watched_ports(fabric: Fabric, device: Device, port: PortGroup) -> str:
    """Of a switch as it runs, which ports are watched, where switched ones are and none of this kind; else nothing.

    What faces hosts is not known there, and ports to hosts are rather switched than routed.
    """
    if device.running is None or port.faces is not None:
        return ""
    watched = _count_watched(fabric).get(id(device))
    kinds, switched, count, total = _describe_watched(device) if watched is None else watched
    if _describe_layer(port) in kinds or not switched:
        return ""
    return (
        f"{total - count} of {total} PFC ports have no watchdog; the {count} that do are {' or '.join(sorted(kinds))}"
    )


@kept_with_fabric  # asked for every group of ports
def _count_watched(fabric: Fabric) -> dict[int, tuple[frozenset[str], bool, int, int]]:
    return {id(device): _describe_watched(device) for device in fabric.devices if device.running is not None}


def _describe_watched(device: Device) -> tuple[frozenset[str], bool, int, int]:
    """Of the watched ports: their layers, whether any is switched or of a host, their number; and of all with PFC."""
    found = [p for p in device.ports if p.names and judged_watchdog(p) is not None]
    kinds = frozenset(map(_describe_layer, found))
    total = sum(len(p.names) for p in device.ports if p.pfc and not is_management(p))
    return kinds, any(p.faces in _HOSTS or p.layer == _SWITCHED for p in found), sum(len(p.names) for p in found), total


def _describe_layer(port: PortGroup) -> str:
    layer = "switched" if port.layer == _SWITCHED else "routed"
    return f"{layer} LAG members" if port.lag is not None else f"{layer} ports outside LAGs"


def _make_watchdog_fix(fabric: Fabric, device: Device, port: PortGroup, timers: Value) -> Fix | None:
    """The fix that gives a port a watchdog: once for the fabric if there is none in it, since others would inherit."""
    stated = port.origins.get("watchdog")
    if stated is not None:  # the word off: somebody meant it
        return unsafe_fix("turn the watchdog on", replace, stated, timers)
    at = fabric.at("")
    if _has_any_watchdog(fabric):
        at = port.at("") if port.names else device.at("")
    elif isinstance(at, Span):
        at = find_root(at)
    if not isinstance(at, Span):
        return None
    return Fix("add a watchdog", safe=False, changes=(put(at, ("pfc", "watchdog"), timers),))


@kept_with_fabric  # asked for every group of ports without one
def _has_any_watchdog(fabric: Fabric) -> bool:
    return any("watchdog" in port.origins for device in fabric.devices for port in device.ports)


def _find_watched_uplink(device: Device, port: PortGroup) -> PortGroup | None:
    """For a port to hosts without watchdog: the ports to switches that have one."""
    if port.faces not in _HOSTS or port.watchdog is not None:
        return None
    return next((p for p in device.ports if p.faces == "switch" and judged_watchdog(p) is not None), None)


@rule(
    "WDG202",
    "watchdog-host",
    ERROR,
    source="Guo et al., SIGCOMM'16, section 4.3: the watchdog sits on the ports to servers, where storms begin",
    by_kind=_NO_SPREAD,
    needs=("devices",),
    ignorable=False,
)
def watchdog_host(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """Ports to switches have a watchdog, but ports to hosts, where pause storms begin, have none."""
    guarded = _find_watched_uplink(device, port)
    if guarded is None or not port.pfc or is_management(port):
        return
    yield Hit(
        f"ports to {'storage' if port.faces == 'storage' else 'hosts'} have PFC but no watchdog, "
        "while ports to switches have one: pause storms begin at NICs, and nothing stops them there",
        (port.at("watchdog"),),
        "give these ports the same watchdog",
        ((guarded.at("watchdog"), "the watchdog of the ports to switches"),),
        fix=_make_watchdog_fix(fabric, device, port, _format_watchdog(guarded.watchdog))
        if guarded.watchdog is not None
        else None,
    )


def _format_watchdog(watchdog: Watchdog) -> Value:
    if watchdog.vendor_default:
        return "vendor-default"
    times = ((key, getattr(watchdog, field)) for key, field in list_fields("watchdog", MS).items())
    pairs = [(key, show_time(time)) for key, time in times if time is not None]
    return Table((*pairs, ("action", watchdog.action)) if watchdog.action is not None else pairs)


@rule(
    "WDG203",
    "watchdog-priorities",
    ERROR,
    source="SONiC qos_config.j2 writes pfc_enable and pfcwd_sw_enable from one list",
    by_kind=LOSSY_OFF,
)
def watchdog_priorities(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """The watchdog does not watch the priorities that have PFC."""
    watchdog = judged_watchdog(port)
    if watchdog is None or watchdog.priorities is None:
        return
    bare = sorted(set(port.pfc).difference(watchdog.priorities))
    idle = sorted(set(watchdog.priorities).difference(port.pfc))
    if is_dual_tor(fabric, device) and not idle and _DUAL_TOR_BOUNCE.issuperset(bare):
        return
    parts = []
    if bare:
        parts.append(f"priority {', '.join(map(str, bare))} has PFC but is not watched, so a storm there never ends")
    if idle:
        parts.append(f"priority {', '.join(map(str, idle))} is watched but has no PFC")
    if parts:
        yield Hit(
            "; ".join(parts),
            locate_watchdog_field(port, watchdog, "priorities"),
            f"set priorities: {list(port.pfc)}, or remove priorities: then the watchdog follows PFC",
            fix=unsafe_fix("leave priorities out", remove, watchdog.origins.get("priorities")),
        )


@rule(
    "WDG210",
    "watchdog-action",
    WARNING,
    source="SONiC pfcwd actions drop, forward, alert (default drop); EOS drop, errdisable, notify-only",
    by_kind=LOSSY_OFF,
)
def watchdog_action(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """The watchdog action does not end a pause storm from a host, or takes a link between switches down."""
    watchdog = judged_watchdog(port)
    if watchdog is None or watchdog.action not in _ACTIONS:
        return
    action = watchdog.action
    if device.nos is not None and not device.nos.takes("port.watchdog.action", action):
        return  # nos-unsupported
    everywhere = port.faces is None and (port.implied or _reaches_hosts(fabric, device, action))
    concerned = port.faces == "switch" if action == "errdisable" else port.faces in _HOSTS
    if concerned or everywhere:
        yield Hit(
            f"watchdog action {action} {_ACTIONS[action]}",
            locate_watchdog_field(port, watchdog, "action"),
            "set action: drop" + (", or errdisable on ports to hosts only" if action == "errdisable" else ""),
        )


def _reaches_hosts(fabric: Fabric, device: Device, action: str) -> bool:
    """Whether a switch as it runs, which does not say what its ports face, leaves storms of hosts as they are.

    That is so where all ports have the action, and likely where one or very few do: uplinks are more, and alike. A port
    that is taken down is another matter: it may face hosts on each of them.
    """
    if not fabric.running or action == "errdisable":
        return False
    ports = [(len(port.names), dog.action) for port in device.ports if (dog := judged_watchdog(port)) is not None]
    having = sum(count for count, own in ports if own == action)
    total = sum(count for count, _ in ports)
    if having == total:
        return True
    if device.family == _BROADCOM:
        return False  # watchdog-action-hw
    return having * (_ALONE if having == 1 else _FEW) <= total


RULES: tuple[Rule, ...] = (
    watchdog_missing,
    watchdog_host,
    watchdog_priorities,
    watchdog_action,
)
