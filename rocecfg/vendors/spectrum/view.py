"""From the model to the plain values that the templates print: every decision is made here, none in a template."""

from __future__ import annotations

from math import inf

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, Fabric, PortGroup
from rocecfg.profiles import SHIPPED
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.spectrum.balancing import Balancing, balancing_of, is_adaptive, on_and_off
from rocecfg.vendors.spectrum.pfc import PfcProfile, Timers, pfc_of, timers_of, watchdog_state
from rocecfg.vendors.spectrum.priorities import PriorityChain, chains_of
from rocecfg.vendors.spectrum.profiles import (
    BoundProfiles,
    NamedProfile,
    bind_profiles,
    ecn_label,
    pfc_label,
    share_profiles,
)
from rocecfg.vendors.spectrum.queues import Marking, Rates, Turn, marking_of, scheduler_of, shaper_of
from rocecfg.vendors.spectrum.ranges import NumberedTable, fold_numbers, fold_ports, parse_port
from rocecfg.vendors.spectrum.reading.schema_qos import ALPHAS
from rocecfg.vendors.spectrum.release import STATE, WATCHDOG, Release, release_of
from rocecfg.vendors.spectrum.settings import TRUST

_TRUST = {trusted: word for word, trusted in reversed(TRUST.items())}
_EMPTY: NumberedTable[int] = NumberedTable((), ())


class Trim(NamedTuple):
    """`system forwarding packet-trim`."""

    size: int  # bytes
    dscp: int
    priority: int  # switch priority that trimmed packets go on with


def _trimming_of(device: Device, chain: PriorityChain) -> Trim | None:
    """How packets are trimmed."""
    trimming = device.trimming
    if trimming is None:
        return None
    queue = device.trim_queue
    owner = next((c.priority for c in device.classes if trimming.dscp in c.dscps and c.queue == queue), None)
    priority = owner if owner is not None else next(sp for sp, tc in chain.queues.rows if tc == queue)
    return Trim(trimming.size, trimming.dscp, priority)


def _trimmed_on(device: Device, port: PortGroup) -> tuple[int, ...]:
    """The traffic classes of a port whose packets are trimmed, ascending."""
    if device.trimming is None:
        return ()
    return tuple(sorted({c.queue for c in device.classes_on(port) if c.name in device.trimming.classes}))


class QosMapping(NamedTuple):
    """What classifies a packet on arrival."""

    trust: str  # l3 | l2 | port
    default_sp: int
    dscp: NumberedTable[int]  # -> SP
    pcp: NumberedTable[int]  # -> SP


class Interface(NamedTuple):
    """Ports and what is bound to them."""

    ports: str  # a key of `interface`
    profiles: tuple[tuple[str, str], ...]  # (object, profile)
    watchdog: str | None  # enable | disable
    trimmed: tuple[int, ...] = ()  # traffic classes
    adaptive: str | None = None  # adaptive routing: on, in the words of the release


class View(NamedTuple):
    """All that one device's text says."""

    release: Release
    roce_key: str
    roce_value: str
    lossless: bool
    pools: tuple[Pool, ...]
    alpha: str | None
    mappings: tuple[NamedProfile[QosMapping], ...]
    queues: NumberedTable[int]  # SP -> TC
    pfc: tuple[NamedProfile[PfcProfile], ...]
    congestion: tuple[NamedProfile[NumberedTable[Marking]], ...]
    schedulers: tuple[NamedProfile[NumberedTable[Turn]], ...]
    shapers: tuple[NamedProfile[NumberedTable[Rates]], ...]
    timers: Timers | None
    balancing: Balancing | None
    trim: Trim | None
    interfaces: tuple[Interface, ...]


class _Bound(NamedTuple):
    """What a group of ports gets beyond the global settings."""

    profiles: tuple[tuple[str, str], ...]
    watchdog: str | None
    trimmed: tuple[int, ...]
    adaptive: str | None


class _Profiles(NamedTuple):
    """The profiles of each object, and which of them each group of ports is bound to."""

    mappings: BoundProfiles[QosMapping]
    pfc: BoundProfiles[PfcProfile]
    congestion: BoundProfiles[NumberedTable[Marking]]
    schedulers: BoundProfiles[NumberedTable[Turn]]
    shapers: BoundProfiles[NumberedTable[Rates]]

    def bindings_of(self, number: int) -> tuple[tuple[str, str], ...]:
        """Object and profile of a group of ports, by its place."""
        objects = (
            ("mapping", self.mappings.bound),
            ("pfc", self.pfc.bound),
            ("congestion-control", self.congestion.bound),
            ("egress-scheduler", self.schedulers.bound),
            ("egress-shaper", self.shapers.bound),
        )
        return tuple((name, profile) for name, bound in objects if (profile := bound[number]) is not None)


def view_of(fabric: Fabric, device: Device) -> View:
    """What the text of a device says."""
    release = release_of(device)
    chains = chains_of(fabric, device)
    chain = chains[0][1]
    groups = tuple(g for g in device.ports if _is_front(g))
    if not groups:
        raise CannotRender(
            "the device has no front-panel port", "name its ports: swp1, swp1s0 ...", (device.at("ports", ""),)
        )
    lossless = bool(chain.lossless)
    profiles = _make_profiles(fabric, device, groups, chains, release)
    alpha = _alpha_of(device) if lossless else None
    watches = release.number >= WATCHDOG
    bound = [
        _Bound(
            profiles.bindings_of(i),
            watchdog_state(g) if watches else None,
            _trimmed_on(device, g),
            on_and_off(release)[0] if is_adaptive(device, g) else None,
        )
        for i, g in enumerate(groups)
    ]
    since_state = release.number >= STATE
    words = ("enabled", "disabled") if since_state else ("on", "off")
    return View(
        release=release,
        roce_key="state" if since_state else "enable",
        roce_value=words[0] if lossless else words[1],
        lossless=lossless,
        pools=_pools_of(device, chain),
        alpha=alpha,
        mappings=profiles.mappings.profiles,
        queues=chain.queues,
        pfc=profiles.pfc.profiles,
        congestion=profiles.congestion.profiles,
        schedulers=profiles.schedulers.profiles,
        shapers=profiles.shapers.profiles,
        timers=timers_of(device),
        balancing=balancing_of(device, release),
        trim=_trimming_of(device, chain),
        interfaces=_list_interfaces(groups, bound),
    )


def _make_profiles(
    fabric: Fabric,
    device: Device,
    groups: tuple[PortGroup, ...],
    chains: tuple[tuple[Device, PriorityChain], ...],
    release: Release,
) -> _Profiles:
    sorted_by = {id(port): (there, chain) for there, chain in chains for port in there.ports}
    here = [(g, *sorted_by[id(g)]) for g in groups]  # with the device as these ports see it
    mappings = share_profiles(groups, [_make_mapping(g, chain) for g, _, chain in here], mapping_label)
    schedulers = share_profiles(groups, [scheduler_of(chain) for _, _, chain in here], lambda *_: "scheduler")
    congestion = share_profiles(groups, [marking_of(device, g) for g in groups], ecn_label)
    pfc: BoundProfiles[PfcProfile] = share_profiles(
        groups, [pfc_of(fabric, device, g, release) for g in groups], pfc_label
    )
    rates = [shaper_of(g, chain) for g, _, chain in here]
    shapers: BoundProfiles[NumberedTable[Rates]] = bind_profiles(groups, rates, lambda *_: "shaper")
    if not chains[0][1].lossless:
        pfc = BoundProfiles((), (None,) * len(groups))
    return _Profiles(mappings, pfc, congestion, schedulers, shapers)


def _is_front(group: PortGroup) -> bool:
    """Whether these are ports of the chip. eth0 is not, so QoS does not reach it; any other name is refused."""
    for name in group.names:
        if parse_port(name) is None:
            if name.startswith("eth") and not group.pfc:
                return False
            raise CannotRender(
                f"{name} is not a front-panel port of Cumulus Linux",
                "its ports are swp1, swp2 ..., broken out swp1s0, swp1s1 ...",
                (group.at(""),),
            )
    return True


def _make_mapping(group: PortGroup, chain: PriorityChain) -> QosMapping:
    trust = _TRUST[group.trust]
    return QosMapping(
        trust, chain.default_sp, chain.dscp if trust == "l3" else _EMPTY, chain.pcp if trust == "l2" else _EMPTY
    )


def mapping_label(states: QosMapping, groups: list[PortGroup]) -> str:
    """`map` where its ports sort otherwise than others, else what they trust: `trust-l2`."""
    return "map" if any(group.maps is not None for group in groups) else f"trust-{states.trust}"


def _list_interfaces(groups: tuple[PortGroup, ...], bound: list[_Bound]) -> tuple[Interface, ...]:
    """Keys of `interface`. A bond takes the profiles of its members (NVUE refuses them there), never the rest."""
    ports: dict[_Bound, list[str]] = {}
    bonds: dict[str, tuple[tuple[str, str], ...]] = {}
    for group, what in zip(groups, bound, strict=True):
        states = what
        if group.lag is not None:
            bonds.setdefault(group.lag, what.profiles)
            states = _Bound((), what.watchdog, what.trimmed, None)
        if group.names and states != _Bound((), None, (), None):
            ports.setdefault(states, []).extend(group.names)
    found = [
        Interface(key, states.profiles, states.watchdog, states.trimmed, states.adaptive)
        for states, names in ports.items()
        for key in fold_ports(tuple(names))
    ]
    return (*found, *(Interface(bond, profiles, None) for bond, profiles in bonds.items() if profiles))


# -- traffic pools, and the share of the lossless pool that one priority group may take (alpha) ------------------------


_ALPHAS = {alpha: word for word, alpha in ALPHAS.items() if 0 < alpha < inf}


class Pool(NamedTuple):
    """A traffic pool: percent of the buffer, and the SPs in it."""

    name: str
    percent: int
    priorities: tuple[int, ...]
    text: str  # the same as a range


def _pools_of(device: Device, chain: PriorityChain) -> tuple[Pool, ...]:
    """The lossy pool and, where something is lossless, roce-lossless; every SP in exactly one of them."""
    stated = device.buffers
    if not chain.lossless:
        return (_make_pool("default-lossy", 100 if stated.lossy_pool is None else stated.lossy_pool, chain.lossy),)
    lossless, lossy = stated.lossless_pool, stated.lossy_pool
    if lossless is None:
        lossless = _stock_lossless_share(device) if lossy is None else 100 - lossy
    if lossy is None:
        lossy = 100 - lossless
    return _make_pool("default-lossy", lossy, chain.lossy), _make_pool("roce-lossless", lossless, chain.lossless)


def _stock_lossless_share(device: Device) -> float:
    """Percent of the buffer that the lossless pool has where nothing is stated."""
    share = (device.nos or SHIPPED.nos("spectrum")).lossless_share
    if share is None:
        raise CannotRender(
            "how the buffer is shared between lossless and lossy traffic is neither stated nor in the system's profile",
            "state buffers.pools.lossless",
            (device.at("vendor"),),
        )
    return share


def _make_pool(name: str, percent: float, priorities: tuple[int, ...]) -> Pool:
    return Pool(name, int(percent), priorities, fold_numbers(priorities))


def _alpha_of(device: Device) -> str | None:
    """NVUE's word for the alpha of lossless priority groups; None where the intent leaves it to Cumulus (1)."""
    alpha = device.buffers.alpha
    if alpha is None:
        return None
    return _ALPHAS[float(alpha)]
