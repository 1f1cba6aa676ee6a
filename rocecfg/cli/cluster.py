"""A whole cluster in the starter of `rocecfg init`: leaves, spines, their cables and the hosts, from a few numbers."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from rocecfg.core.nodeset import fold
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_number, show_rate
from rocecfg.model import Platform
from rocecfg.model.lanes import Cage, Layout

CNP_DSCP = 48
_ECT0 = 2  # the ECN bits of a traffic class byte, where senders take marks


class StarterRefused(Exception):
    """Nothing can be written that lints clean and renders; the text says why."""


class Cluster(NamedTuple):
    """What the user says of it."""

    leaves: int
    spines: int
    hosts: int  # at each leaf
    gpus: int  # of a host, each with a NIC
    rails: int  # leaves that a host's NICs are spread over
    nic: str  # profile of the cards


class ClusterCables(NamedTuple):
    """Which ports lead where, on each leaf and each spine."""

    down: tuple[str, ...]  # of a leaf, to hosts
    up: tuple[str, ...]  # of a leaf, to spines
    spine: tuple[str, ...]
    host_speed: int  # bit/s
    top: int  # bit/s, between switches

    @property
    def oversubscription(self) -> float:
        """Down to up, of a leaf."""
        return len(self.down) * self.host_speed / (len(self.up) * self.top)


def plan_cabling(of: Cluster, platform: Platform, layout: Layout | None, speed: int) -> ClusterCables:
    """The ports of leaves and spines. `speed`: of the hosts' ports, bit/s. Raises StarterRefused."""
    if of.leaves % of.rails or of.gpus % of.rails:
        raise StarterRefused(f"{of.leaves} leaves and {of.gpus} GPUs a host must both be multiples of {of.rails} rails")
    if layout is None:
        raise StarterRefused(f"which lanes the ports of {platform.title} have is unknown: name another platform")
    top = max(cage.of.lanes * cage.of.lane for cage in layout.cages)
    cages = [cage for cage in layout.cages if cage.of.lanes * cage.of.lane == top]
    wanted = of.hosts * (of.gpus // of.rails)
    each = [_list_ports(cage, speed) for cage in cages]
    taken = ceil(wanted / len(each[0]))
    even = ceil(ceil(wanted * speed / top) / of.spines)  # cables to each spine, so that no leaf is oversubscribed
    cables = min(even, (len(cages) - taken) // of.spines, len(cages) // of.leaves)
    if cables < 1:
        raise StarterRefused(
            f"{platform.title} has {len(cages)} ports of {show_rate(top)}. A leaf needs {taken} of them for {wanted} "
            f"NICs of {show_rate(speed)}, and one for each of {of.spines} spines; a spine needs one for each of "
            f"{of.leaves} leaves. Give fewer --hosts-per-leaf, or another number of --leaves or --spines"
        )
    whole = [_list_ports(cage, top)[0] for cage in cages]
    down = [port for ports in each[:taken] for port in ports][:wanted]
    up, spine = whole[taken : taken + cables * of.spines], whole[: cables * of.leaves]
    return ClusterCables(tuple(down), tuple(up), tuple(spine), speed, top)


def _list_ports(cage: Cage, speed: int) -> tuple[str, ...]:
    """The ports of a cage, all at one speed."""
    lanes = cage.of.count_lanes(speed)
    if cage.whole is None:
        return cage.names[::lanes]
    return (cage.whole,) if lanes == cage.of.lanes else cage.names[: cage.of.lanes // lanes]


def _number(stem: str, count: int, step: int = 1, first: int = 1) -> str:
    """leaf[01-64], or every step-th of them."""
    wide = max(2, len(str(count)))
    return fold(tuple(f"{stem}{n:0{wide}}" for n in range(first, count + 1, step)))


def render_cluster(
    of: Cluster, cabling: ClusterCables, dscp: int, priority: int, later: str, uplink: str
) -> Iterator[str]:
    """The lines of devices, links and hosts.

    `later`: the watchdog of spines, if it has times; `uplink`: ECN between switches.
    """
    own_ecn = f", classes: {{rdma: {{{uplink}}}}}" if uplink else ""
    leaves, spines = _number("leaf", of.leaves), _number("spine", of.spines)
    speed, top = show_rate(cabling.host_speed), show_rate(cabling.top)
    groups = of.leaves // of.rails
    hosts = groups * of.hosts
    nics = of.gpus // of.rails
    ports = fold(cabling.down)
    yield from (
        "",
        f"# {hosts} hosts with {of.gpus} GPUs, {hosts * of.gpus} in all. Keys are node sets: leaf[01-32] is 32.",
        "devices:",
        f'  "{leaves}":',
        "    role: leaf",
        "    ports:",
        f'      "{ports}": {{speed: {speed}, faces: host, cable: 3m}}',
        f'      "{fold(cabling.up)}": {{speed: {top}, faces: switch, cable: 30m{own_ecn}}}',
        f'  "{spines}":',
        "    role: spine",
        *(
            (
                "    # Waits until the leaves have dealt with a storm, or innocent traffic is dropped here too.",
                f"    pfc: {{watchdog: {{{later}}}}}",
            )
            if later
            else ()
        ),
        "    ports:",
        f'      "{fold(cabling.spine)}": {{speed: {top}, faces: switch, cable: 30m{own_ecn}}}',
        "",
        "# The ends of a cable are paired in written order: devices are the outer loop, ports the inner.",
        "links:",
    )
    every = _number("gpu", hosts)
    for rail in range(of.rails):
        own = fold(tuple(f"nic{n}" for n in range(rail * nics, (rail + 1) * nics)))
        at = _number("leaf", of.leaves, of.rails, rail + 1)
        yield f'  - {{a: "{every}:{own}", b: "{at}:{ports}"}}'
    yield f'  - {{mesh: {{leaf: "{leaves}:{fold(cabling.up)}", spine: "{spines}:{fold(cabling.spine)}"}}}}'
    yield from (
        "",
        "# The other end of the wire, so that both can be compared.",
        "hosts:",
        f'  "{every}":',
        f"    nic: {of.nic}",
        f"    gpus: {of.gpus}",
        "    ports:",
    )
    if of.rails > 1:
        yield from (f"      nic{n}: {{rail: {n}, speed: {speed}}}" for n in range(of.gpus))
    else:
        yield f'      "{fold(tuple(f"nic{n}" for n in range(of.gpus)))}": {{speed: {speed}}}'
    yield from (
        f"    rdma_dscp: {dscp}",
        f"    cnp_dscp: {CNP_DSCP}",
        f"    nccl_ib_tc: {dscp << 2 | _ECT0} # DSCP {dscp} << 2, ECT(0)",
        f"    pfc_priorities: [{priority}]",
        "    trust: dscp",
        "    cable_len: 3m",
        "    mtu: 9000",
        "",
        "routing: {algorithm: up-down}",
    )


def describe_oversubscription(cabling: ClusterCables) -> str | None:
    """The ratio to state, as 2:1; None where leaves have as much up as down."""
    ratio = cabling.oversubscription
    return f"{show_number(ceil(ratio * 100) / 100)}:1" if ratio > 1 else None
