"""Switches of one role that differ: rules ROL901 and ECN321.

Where most agree, the others are told; what a role's switches are compared by is what an intent states for them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

from rocecfg.analysis.hosts import stated_hosts
from rocecfg.analysis.ports import alike_devices
from rocecfg.analysis.tiers import tier_by_links
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import BYTES, ranges, show, show_number, show_rate, show_time
from rocecfg.model import Computed, Device, Ecn, EcnPercent, Fabric, Origin, PortGroup, Span, Watchdog, kept_with_fabric
from rocecfg.physics.ecn import rtt_of_cable_us
from rocecfg.profiles.releases import release_key
from rocecfg.rules.base import INFO, OFF, WARNING, Hit, Rule, rule
from rocecfg.rules.common import UNDER_WAY, describe_role, is_dual_tor, is_management, is_under_way, paused_priorities
from rocecfg.rules.hosts_ends import nic_ends

_MOST_NAMED = 3
_ENDS = frozenset(("host", "storage", "edge", None))
_BY_PURPOSE = frozenset(("rdma", "storage"))
_RELEASE = "the release"
_TRAIN = 2  # numbers of a release that tell trains apart: 202405, 4.33, 5.14


class _EqualSwitches(NamedTuple):
    """Switches of a role with equal settings."""

    devices: tuple[Device, ...]
    switches: int

    @property
    def device(self) -> Device:
        """The first of them, which stands for all."""
        return self.devices[0]


class _Trait(NamedTuple):
    """One thing that switches of a role have in common, or should."""

    among: Hashable  # only those with the same are compared
    what: str
    value: Hashable
    words: str
    at: tuple[Origin, ...]  # best first
    kind: _EqualSwitches


class _Deviation(NamedTuple):
    """Switches that differ from most of their role."""

    usual: _Trait
    odd: _Trait  # the first of them
    names: tuple[str, ...]  # node sets of all of them


def _find_deviations(fabric: Fabric, traits: Iterable[_Trait]) -> Iterator[_Deviation]:
    """The values that fewer switches have than the usual one: of equally many the first is usual."""
    groups: dict[Hashable, dict[Hashable, list[_Trait]]] = {}
    places: dict[int, int] = {}  # of devices in the fabric
    for trait in traits:
        groups.setdefault((trait.what, trait.among), {}).setdefault(trait.value, []).append(trait)
    for values in groups.values():
        if len(values) == 1:
            continue
        usual = max(values, key=lambda value: sum(t.kind.switches for t in values[value]))
        places = places or {id(device): place for place, device in enumerate(fabric.devices)}
        for value, found in values.items():
            if value != usual:
                odd = sorted({places[id(device)] for trait in found for device in trait.kind.devices})
                names = tuple(dict.fromkeys(fabric.devices[place].key for place in odd))
                yield _Deviation(values[usual][0], found[0], names)


def _make_hit(found: _Deviation, message: str, help: str) -> Hit:
    return Hit(
        message,
        found.odd.at,
        help,
        ((next(iter(found.usual.at)), f"{found.usual.words} on {found.usual.kind.device.key}"),),
        vendors=frozenset((found.odd.kind.device.vendor,)),
    )


def _format_names(names: tuple[str, ...]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _iter_equal_switches(fabric: Fabric) -> Iterator[_EqualSwitches]:
    """The devices that state a role, equal ones together."""
    for devices in alike_devices(fabric):
        if devices[0].role is not None and devices[0].names:
            yield _EqualSwitches(devices, sum(len(device.names) for device in devices))


# -- settings ----------------------------------------------------------------------------------------------------------


@rule(
    "ROL901",
    "role-skew",
    WARNING,
    source="Guo et al., SIGCOMM'16, section 6.2: switches of a new model, set unlike those beside them, paused many",
    needs=("devices",),
)
def role_skew(fabric: Fabric) -> Iterator[Hit]:
    """Switches of one role run another release, chip, watchdog or alpha, or treat traffic in another way."""
    traits = [t for kind in _iter_equal_switches(fabric) for t in _iter_traits(fabric, kind)]
    for found in _find_deviations(fabric, traits):
        under_way = found.odd.what == _RELEASE and is_under_way(fabric)
        hit = _make_hit(
            found,
            f"{_format_names(found.names)} with {describe_role(found.odd.kind.device)} "
            f"differ{'s' * (len(found.names) == 1)} from {found.usual.kind.device.key} in {found.odd.what}: "
            f"{found.odd.words} here; {found.usual.words} there" + (UNDER_WAY if under_way else ""),
            "set them alike, or give the switches that differ on purpose a role of their own",
        )
        yield hit._replace(severity=INFO) if under_way else hit


def _iter_traits(fabric: Fabric, kind: _EqualSwitches) -> Iterator[_Trait]:
    device = kind.device
    alike = (device.role, device.vendor, _find_purpose(fabric, device))
    train = _release_train(device)
    if train is not None:
        yield _Trait(alike, _RELEASE, train, device.version or "", (device.at("version"),), kind)
    if device.asic is not None:
        at = (device.at("asic", "platform"), device.at())
        yield _Trait(alike, "the chip", device.asic.name, device.asic.name, at, kind)
        yield from _iter_alpha_traits((*alike, device.asic.name), kind)
    for tier, part in _split_by_tier(fabric, kind):
        yield from _iter_watchdog_traits((*alike, tier), part)
    if not _has_links(fabric):  # else path-map and link-pfc tell, with the links that it breaks
        yield from _iter_qos_traits(fabric, kind)


def _find_purpose(fabric: Fabric, device: Device) -> Hashable:
    """What the switch is for: leaves of GPUs and leaves of storage may share a role word, and differ for a reason."""
    if fabric.running:
        return None  # what hangs on a port, and what classes carry, is a guess there
    ports = [port for port in device.ports if port.faces in _ENDS and not is_management(port)]
    carried = {word for port in ports for cls in device.classes_on(port) for word in cls.carries}
    return (
        frozenset(port.faces for port in ports),
        frozenset(carried & _BY_PURPOSE),
        _find_hosts_with_gpus(fabric).get(id(device)),
    )


@kept_with_fabric  # asked for every device
def _find_hosts_with_gpus(fabric: Fabric) -> dict[int, frozenset[bool]]:
    """Whether the hosts that switches are cabled to have GPUs, by the switch; where the intent says it of any."""
    hosts = stated_hosts(fabric)
    gpus = {key: bool(stated.value) for key, host in hosts.items() if (stated := host.value.get("gpus")) is not None}
    if not any(gpus.values()):
        return {}
    found: dict[int, set[bool]] = {}
    for key, ends in nic_ends(fabric).items():
        for end in ends:
            found.setdefault(id(end.device), set()).add(gpus.get(key, False))
    return {device: frozenset(kinds) for device, kinds in found.items()}


def _iter_alpha_traits(among: Hashable, kind: _EqualSwitches) -> Iterator[_Trait]:
    """The share of the free pool that lossless priority groups may take.

    None, of an intent: none is stated, and the switch's own is not known.
    """
    device = kind.device
    stated = device.buffers.origins.get("alpha")
    found: set[float | None] = set()
    for port in device.ports:
        unread = port.alpha is None and (device.running is not None or stated is not None)
        if port.pfc and not unread and not is_management(port):
            found.add(port.alpha)
    if found:
        values = tuple(sorted(found, key=lambda alpha: alpha or 0))
        words = " and ".join("the switch's own" if alpha is None else show_number(alpha) for alpha in values)
        if device.running is None and device.buffers.alpha is None and values != (None,):
            words += " (not stated)"
        at = (device.at(),) if stated is None else (stated, device.at())
        yield _Trait(among, "alpha", values, words, at, kind)


def _has_links(fabric: Fabric) -> bool:
    if not (fabric.running or "links" in fabric.sections):
        return False
    from rocecfg.rules.cabling import is_cabled

    return is_cabled(fabric)


def _release_train(device: Device) -> tuple[int, ...] | None:
    if device.version is None or device.vendor is None:
        return None
    try:
        train = device.nos.train if device.nos is not None else None
        return release_key(device.vendor, device.version)[: train or _TRAIN]
    except ValueError:
        return None


def _split_by_tier(fabric: Fabric, kind: _EqualSwitches) -> Iterator[tuple[int | None, _EqualSwitches]]:
    """The switches apart by tier, where links put those of one role on several: an upper tier is to act later."""
    found = {id(device): _find_tiers(fabric).get(device.role, {}).get(id(device)) for device in kind.devices}
    for tier in dict.fromkeys(found.values()):
        devices = tuple(device for device in kind.devices if found[id(device)] == tier)
        yield tier, _EqualSwitches(devices, sum(len(device.names) for device in devices))


@kept_with_fabric  # asked for every kind of device
def _find_tiers(fabric: Fabric) -> dict[str | None, dict[int, int]]:
    """The tiers of the switches of each role that links put on several, by the device."""
    if fabric.running or "links" not in fabric.sections:
        return {}
    found: dict[str | None, dict[int, int]] = {}
    for device in fabric.devices:
        if tier := tier_by_links(fabric, device):
            found.setdefault(device.role, {})[id(device)] = tier
    return {role: of for role, of in found.items() if len(set(of.values())) > 1}


def _iter_watchdog_traits(among: Hashable, kind: _EqualSwitches) -> Iterator[_Trait]:
    """The watchdogs of lossless ports, apart for what they face: staggered times are intended so."""
    device = kind.device
    by_faces: dict[str | None, dict[str, PortGroup]] = {}
    for port in device.ports:
        dog = port.watchdog
        if port.pfc and dog is not None and _are_timers_known(device, dog) and not is_management(port):
            by_faces.setdefault(port.faces, {}).setdefault(_format_timers(dog), port)
    for faces, ports in by_faces.items():
        port = next(iter(ports.values()))
        words = " and ".join(sorted(ports))
        at = (port.at("watchdog"), device.at())
        yield _Trait(among, f"the watchdog{_format_faces(faces)}", words, words, at, kind)


_FACES = {"host": "hosts", "switch": "switches"}


def _format_faces(faces: str | None) -> str:
    return "" if faces is None else f" of ports to {_FACES.get(faces, faces)}"


def _are_timers_known(device: Device, watchdog: Watchdog) -> bool:
    """Whether its timers are known. An intent has all of them, or one could not be read; a switch may never restore."""
    if watchdog.vendor_default or device.running is not None:
        return True
    return None not in (watchdog.detection, watchdog.restoration, watchdog.action)


def _format_timers(watchdog: Watchdog) -> str:
    if watchdog.vendor_default:
        return "vendor-default"
    times = [show_time(t) if t is not None else "never" for t in (watchdog.detection, watchdog.restoration)]
    return f"{times[0]}, restored after {times[1]}, {watchdog.action}"


def _iter_qos_traits(fabric: Fabric, kind: _EqualSwitches) -> Iterator[_Trait]:
    device = kind.device
    if fabric.broken.intersection(("", *(cls.name for cls in device.classes if cls.lossless or "rdma" in cls.carries))):
        return  # the number of one could not be read: what differs is not known
    among = (device.role, _find_purpose(fabric, device))
    priorities = paused_priorities(device)
    if priorities and fabric.mode == "lossless" and not is_dual_tor(fabric, device):
        lossless = next((c for c in device.classes if c.lossless), None)
        at = ((lossless.at("priority"),) if lossless is not None else ()) + (device.at(),)
        words = f"priority {ranges(sorted(priorities))}"
        yield _Trait(among, "PFC", priorities, words, at, kind)
    rdma = sorted(dscp for cls in device.rdma for dscp in cls.dscps)
    if rdma:
        at = (device.rdma[0].at("dscp"), device.at())
        yield _Trait(among, "the DSCPs of RDMA", tuple(rdma), f"DSCP {ranges(rdma)}", at, kind)


# -- marking -----------------------------------------------------------------------------------------------------------


@rule(
    "ECN321",
    "ecn-role-skew",
    WARNING,
    source="Guo et al., SIGCOMM'16, section 6.2: a new model with another buffer threshold sent many pauses",
    by_kind={"no-cc": OFF},
    needs=("devices",),
)
def ecn_role_skew(fabric: Fabric) -> Iterator[Hit]:
    """Switches of one role and chip mark at different thresholds on ports of one speed."""
    traits = [t for kind in _iter_equal_switches(fabric) for t in _iter_curve_traits(fabric, kind)]
    for found in _find_deviations(fabric, traits):
        yield _make_hit(
            found,
            f"{_format_names(found.names)} with {describe_role(found.odd.kind.device)} "
            f"mark{'s' * (len(found.names) == 1)} {found.odd.what} at {found.odd.words}, but "
            f"{found.usual.kind.device.key} at {found.usual.words}: "
            "they slow flows down differently",
            "set the same ecn for all switches of the role",
        )


def _iter_curve_traits(fabric: Fabric, kind: _EqualSwitches) -> Iterator[_Trait]:
    """The curves of RDMA, by what ports face and their speed: those that somebody wrote, and what `auto` came to.

    A cable longer than the base round trip asks for another ramp, so switches with such a one are apart.
    """
    device = kind.device
    if device.asic is None:
        return
    found: dict[tuple[str, str | None, int, bool], dict[str, Origin]] = {}
    for port in device.ports:
        if port.speed is None or is_management(port):
            continue
        for cls in device.classes_on(port):
            curve = cls.ecn_at(port.speed)
            if "rdma" in cls.carries and isinstance(curve, (Ecn, EcnPercent)):
                origin = curve.origins.get("kmin")
                if isinstance(origin, (Span, Computed)):
                    # of `auto`: where that is written
                    place = origin if isinstance(origin, Span) else cls.at("ecn")
                    key = cls.name, port.faces, port.speed, isinstance(curve, EcnPercent)
                    found.setdefault(key, {}).setdefault(_format_curve(curve), place)
    for (name, faces, speed, in_percent), curves in found.items():
        words = " and ".join(sorted(curves))
        # of percent and bytes nobody knows which is more
        among = (device.role, device.asic.name, faces, _find_long_cable(fabric, device, name, speed), in_percent)
        at = (next(iter(curves.values())), device.at())
        yield _Trait(among, f"{name} on ports of {show_rate(speed)}", words, words, at, kind)


def _find_long_cable(fabric: Fabric, device: Device, cls: str, speed: int) -> float | None:
    """The longest cable at that speed that a class crosses, in metres; None where the base round trip is longer."""
    longest = max((p.cable or 0 for p in device.ports if p.speed == speed and cls in p.classes), default=0)
    return longest if fabric.rtt is not None and rtt_of_cable_us(longest) > fabric.rtt * 1e3 else None


def _format_curve(curve: Ecn | EcnPercent) -> str:
    if isinstance(curve, EcnPercent):
        ends = f"{show_number(curve.kmin)} to {show_number(curve.kmax)} % of the buffer"
        return f"{ends}, {show_number(curve.pmax)} %"
    return f"{show(BYTES, curve.kmin)} to {show(BYTES, curve.kmax)}, {show_number(curve.pmax)} %"


RULES: tuple[Rule, ...] = (role_skew, ecn_role_skew)
