"""What RDMA crosses from host to host: rules LNK909, TOP913 to TOP915 and TOP917."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.analysis.blast import find_components, worst_blast
from rocecfg.analysis.graph import SHIFT, Bundle, Graph, graph
from rocecfg.analysis.hosts import stated_hosts
from rocecfg.analysis.ports import PortEnd
from rocecfg.analysis.routes import TIERED, are_joined_across_tiers, routing
from rocecfg.analysis.tiers import Tiers, tiers
from rocecfg.core.nodeset import fold_some, names_of
from rocecfg.core.units import show_number
from rocecfg.model import Device, Fabric, Origin, Span
from rocecfg.model.fabric import REORDERING, UP_DOWN
from rocecfg.rules.base import ERROR, OFF, WARNING, Hit, Rule, rule
from rocecfg.rules.buffer_headroom import UNPAUSED_OFF

_FEW = 4  # queue pairs a peer


def _format_ports(found: Graph, bundle: Bundle, a: int) -> str:
    """`leaf1:Ethernet0 -> spine1:Ethernet8`, of the first cable, from a."""
    names = f"{found.names[bundle.a]}:{bundle.first.a_port}", f"{found.names[bundle.b]}:{bundle.first.b_port}"
    return " -> ".join(names if a == bundle.a else names[::-1])


def _find_bare_bundle(found: Graph, a: int, b: int) -> Bundle | None:
    return found.bare.get((a << SHIFT | b) if a < b else (b << SHIFT | a))


# -- what a path crosses -----------------------------------------------------------------------------------------------


class _Gap:
    """Switches of one kind that RDMA has to cross, and no class for it does."""

    def __init__(self, end: PortEnd, path: str) -> None:
        self.end = end
        self.path = path  # of the first
        self.switches: set[int] = set()


def _find_gaps(found: Graph, level: Tiers) -> dict[int, _Gap]:
    """By the device: switches in the middle of a shortest way between two that carry RDMA to hosts."""
    out: dict[int, _Gap] = {}
    bare: dict[int, list[int]] = {}
    for bundle in found.bare.values():
        bare.setdefault(bundle.a, []).append(bundle.b)
        bare.setdefault(bundle.b, []).append(bundle.a)
    roles = {found.plans[n].device.role for n in range(found.switches) if len(found.uplinks(n)) > 1}
    for v, far in sorted(bare.items()):
        below = [x for x in far if 0 < level.of[x] < level.of[v] and found.near[x]]
        others = [y for y in (*far, *found.uplinks(v)) if 0 < level.of[y] < level.of[v] and found.near[y]]
        pair = next(
            ((x, y) for x in below for y in others if y != x and not _share_lower_switch(found, level, x, y)), None
        )
        if pair is None:
            continue
        parts = find_components(found)
        x, y = pair
        if parts[x] == parts[y] and found.plans[v].device.role not in roles:
            continue  # a border or a storage switch beside those that RDMA crosses
        first, then = _find_bare_bundle(found, x, v), _find_bare_bundle(found, v, y)
        if first is None:
            continue
        end = first.a_end if first.a == v else first.b_end
        if end is None:
            continue
        path = f"{_format_ports(found, first, x)}, {_format_ports(found, then or found.bundle(v, y), v)}"
        out.setdefault(id(end.device), _Gap(end, path)).switches.add(v)
    return out


def _share_lower_switch(found: Graph, level: Tiers, x: int, y: int) -> bool:
    """Whether a switch below both joins them: the way between their hosts is shorter then."""
    lower = [{n for n in found.uplinks(of) if level.of[n] < level.of[of]} for of in (x, y)]
    return not lower[0].isdisjoint(lower[1])


@rule(
    "LNK909",
    "path-cover",
    ERROR,
    source="Bai et al., NSDI'23, section 3: RDMA is lossless only if each switch on each path is set up for it",
    by_kind={**UNPAUSED_OFF, "running": OFF},
    needs=("links",),
    graph=True,
)
def path_cover(fabric: Fabric) -> Iterator[Hit]:
    """A switch on a shortest path between RDMA hosts has no class for RDMA on these links."""
    found = graph(fabric)
    for gap in _find_gaps(found, tiers(fabric)).values():
        device, port = gap.end
        first = found.names[min(gap.switches)]
        more = f" and {len(gap.switches) - 1} more" if len(gap.switches) > 1 else ""
        yield Hit(
            f"RDMA crosses {first}{more}, where no class carries it: a shortest path is {gap.path}. Routing ignores "
            "classes, so RDMA on these links is lossy",
            (port.at("classes"), device.at("classes"), port.at(), device.at()),
            "add the class of RDMA to these ports, at both ends; or, if they connect to no RDMA host, state faces: "
            "edge there",
            vendors=frozenset((device.vendor,)),
        )


@rule(
    "TOP913",
    "topology-disconnected",
    ERROR,
    source="follows from the cables: packets only go where some lead",
    by_kind={"running": OFF},
    needs=("links",),
    graph=True,
)
def topology_disconnected(fabric: Fabric) -> Iterator[Hit]:
    """No cables connect some RDMA hosts with others."""
    found = graph(fabric)
    joined = {b.a for b in found.bundles.values() if b.b < found.switches}
    if not joined:
        return  # cables between switches are not stated
    parts = find_components(found)
    _merge_parts(found, parts)
    yield from _judge_leaves_without_uplinks(found, tiers(fabric))
    yield from _judge_up_down(fabric, found)
    kinds: dict[tuple[frozenset[int], frozenset[str]], list[int]] = {}  # parts of the fabric, RDMA classes
    for host in range(found.switches, len(found.names)):
        own = frozenset(parts[n] for n in found.near[host])
        names = frozenset(name for n in found.near[host] for name in _rdma_class_names(found.bundle(n, host).a_end))
        kinds.setdefault((own, names), []).append(host)
    most = max(kinds, key=lambda k: len(kinds[k]), default=None)
    apart = [
        (kind, hosts)
        for kind, hosts in kinds.items()
        if most is not None and kind != most and not kind[0] & most[0] and kind[1] & most[1]
    ]
    pairing = tuple(_locate_pairing(found)) if apart else ()
    for _, hosts in apart:
        assert most is not None
        host, other = hosts[0], kinds[most][0]
        switch, there = found.near[host][0], found.near[other][0]
        more = f" and {len(hosts) - 1} more hosts" if len(hosts) > 1 else ""
        bundle = found.bundle(switch, host)
        yield Hit(
            f"no cables connect {found.names[host]}{more} to {found.names[other]} and the other hosts: the hosts of "
            f"{found.names[switch]} and those of {found.names[there]} are two fabrics",
            (bundle.first.link.a_at,),
            "write a line for each pair of switches, with ports of its own" * bool(pairing)
            or "list the links that are missing; two fabrics that never meet are two intents",
            ((found.bundle(there, other).first.link.a_at, f"{found.names[other]} is connected here"), *pairing),
            alike="no cables lead between hosts",
            explains=("topology-single-spine", "topology-uneven-uplinks"),
        )


def _judge_up_down(fabric: Fabric, found: Graph) -> Iterator[Hit]:
    """Routes of a fabric of tiers that are stated as up-down, where only links within a tier join hosts."""
    stated = fabric.topology in TIERED and routing(fabric, found).algorithm == UP_DOWN
    if stated and not are_joined_across_tiers(found, tiers(fabric)):
        yield Hit(
            "up-down routes use no link between switches of one tier, but only such links connect some of the RDMA "
            "hosts: there is no route between them",
            (fabric.facts["routing"]["algorithm"].at,),
            "cable these switches to switches above all of them, or state the real routing: algorithm: shortest",
        )


def _locate_pairing(found: Graph) -> Iterator[tuple[Origin, str]]:
    """Where one line joins several switches to several, each to one."""
    seen: set[Origin] = set()
    for bundle in found.bundles.values():
        link = bundle.first.link
        several = bundle.b < found.switches and "[" in link.a_device and "[" in link.b_device
        if several and link.a_at not in seen and len(names_of(link.a_device)) > 1 and len(names_of(link.b_device)) > 1:
            seen.add(link.a_at)
            yield link.a_at, "this line pairs device by device, in order: not each with each"


def _judge_leaves_without_uplinks(found: Graph, levels: Tiers) -> Iterator[Hit]:
    """Leaves of hosts that are joined elsewhere too: what hangs here reaches nothing else, since no cable leads up."""
    up = {n for n in range(found.switches) if found.uplinks(n)}
    kinds = {id(found.plans[n]) for n in up}
    roles = {found.plans[n].device.role for n in up if levels.of[n] == 1}
    alike: dict[object, list[int]] = {}
    for n in range(found.switches):
        device = found.plans[n].device
        known = id(found.plans[n]) in kinds or (device.role in roles and _faces_switches(device))
        if n in up or not known or levels.of[n] != 1 or _is_joined_bare(found, n):
            continue
        hosts = found.hosts(n)
        if hosts and all(len(found.near[host]) > 1 for host in hosts):  # else the hosts are told of
            alike.setdefault(id(device), []).append(n)
    for leaves in alike.values():
        host = found.hosts(leaves[0])[0]
        bundle = found.bundle(leaves[0], host)
        names = fold_some(tuple(found.names[n] for n in leaves))
        yield Hit(
            f"no cables lead up from {names}, unlike others with this role: {found.names[host]} and the other hosts "
            f"there reach the rest only by their other NICs, and nothing by {bundle.first.b_port}",
            (bundle.first.link.a_at,),
            "list the links that are missing",
            alike="no cables lead up",
        )


def _faces_switches(device: Device) -> bool:
    """Whether ports are stated to face switches that RDMA crosses."""
    return any(
        port.faces == "switch"
        and isinstance(port.origins.get("faces"), Span)
        and any("rdma" in cls.carries for cls in device.classes_on(port))
        for port in device.ports
    )


def _is_joined_bare(found: Graph, n: int) -> bool:
    return any(n in (bundle.a, bundle.b) for bundle in (*found.bare.values(), *found.half.values()))


def _merge_parts(found: Graph, parts: list[int]) -> None:
    """Take parts together that cables join which no RDMA crosses: path-cover and link-pfc tell of these."""
    leads = {part: part for part in parts}

    def lead(part: int) -> int:
        while leads[part] != part:
            part = leads[part]
        return part

    for bundle in (*found.bare.values(), *found.half.values()):
        leads[lead(parts[bundle.a])] = lead(parts[bundle.b])
    parts[:] = [lead(part) for part in parts]


def _rdma_class_names(end: PortEnd | None) -> tuple[str, ...]:
    return tuple(c.name for c in end.device.classes_on(end.port) if "rdma" in c.carries) if end is not None else ()


# -- how far a pause goes ----------------------------------------------------------------------------------------------


@rule(
    "TOP914",
    "topology-blast",
    WARNING,
    source="Guo et al., SIGCOMM'16, section 4.3: pauses from one host's port spread over the fabric",
    by_kind={**UNPAUSED_OFF, "running": OFF},
    needs=("links",),
    graph=True,
)
def topology_blast(fabric: Fabric) -> Iterator[Hit]:
    """One stuck host port can pause more hosts than the budget allows."""
    budget = fabric.facts.get("blast_radius")
    blast = worst_blast(fabric) if budget is not None else None
    if budget is None or blast is None or blast.share <= budget:
        return
    name = graph(fabric).names[blast.switch]
    port = f"the port of {name} to {blast.host}" if blast.host is not None else f"a host port of {name}"
    yield Hit(
        f"when {port} stays paused, {blast.senders} of {blast.all_senders} other "
        f"{'hosts' if blast.host is not None else 'switches with hosts'} can be paused too "
        f"({show_number(round(blast.share, 1))}%), over {blast.hops} links: fabric.blast_radius allows "
        f"{show_number(budget)}%",
        (fabric.at("blast_radius"),),
        "split the fabric into parts that share no switch, or raise the budget: a Clos in which any host may send to "
        "any other is one part",
    )


# -- load on equal paths -----------------------------------------------------------------------------------------------

_FINER = ("flowlet", *REORDERING)  # modes that spread what a flow sends, not flows


@rule(
    "TOP915",
    "topology-entropy",
    WARNING,
    source="Gangidi et al., SIGCOMM'24: hashing on the destination queue pair, with more of them, raised AllReduce by "
    "up to 40%",
    by_kind={"running": OFF},
    needs=("links", "routing", "hosts"),
    graph=True,
)
def topology_entropy(fabric: Fabric) -> Iterator[Hit]:
    """ECMP hashes few flows per peer over many links: some links are full while others are idle."""
    stated = fabric.facts.get("routing")
    hashed = stated.get("hash") if isinstance(stated, dict) else None
    adaptive = stated.get("adaptive") if isinstance(stated, dict) else None
    if hashed is None or hashed.value != "5-tuple" or (adaptive is not None and adaptive.value):
        return
    modes = {device.load_balancing.mode for device in fabric.devices if device.load_balancing is not None}
    if not modes.isdisjoint(_FINER):
        return
    found = graph(fabric)
    level = tiers(fabric)
    for key, host in stated_hosts(fabric).items():
        qps = host.value.get("qps")
        if qps is None or qps.value >= _FEW:
            continue
        ways = _count_uplink_cables(found, level, names_of(key))
        if ways > qps.value:
            yield Hit(
                f"{qps.value} queue pair{'s' * (qps.value != 1)} per peer and a hash of the 5-tuple only: a pair of "
                f"hosts uses at most {qps.value} of the {ways} links up from its switch, and large flows collide on "
                "some",
                (qps.at,),
                f"use {_FEW} queue pairs per peer or more, hash on the destination queue pair (hash: dest-qp), or "
                "route "
                "adaptively",
                ((hashed.at, "hashed here"),),
            )


def _count_uplink_cables(found: Graph, level: Tiers, hosts: tuple[str, ...]) -> int:
    """The most cables up from a switch that some of these hosts hang on."""
    switches = {n for name in hosts if name in found.numbers for n in found.near[found.numbers[name]]}
    return max(
        (
            sum(found.bundle(n, w).cables for w in found.uplinks(n) if level.of[w] > level.of[n] > 0)
            for n in switches
            if n < found.switches
        ),
        default=0,
    )


# -- two switches as one -----------------------------------------------------------------------------------------------


@rule(
    "TOP917",
    "topology-dualhome",
    WARNING,
    source="SONiC, tunnel DSCP remapping design: what bounces between two ToRs needs lossless priorities of its own",
    by_kind={**UNPAUSED_OFF, "running": OFF},
    needs=("links",),
    graph=True,
)
def topology_dualhome(fabric: Fabric) -> Iterator[Hit]:
    """RDMA can cross the peer link of an MLAG or dual-ToR pair."""
    if fabric.topology not in ("clos", "rail", None):
        return
    found = graph(fabric)
    level = tiers(fabric)
    reported: set[tuple[int, int]] = set()
    for bundle in found.bundles.values():
        a, b = bundle.a, bundle.b
        if b >= found.switches or level.of[a] != level.of[b] or not level.of[a]:
            continue
        a_end, b_end = bundle.a_end, bundle.b_end
        if a_end is None or b_end is None:
            continue
        lagged = _hosts_by_lag(found, a) & _hosts_by_lag(found, b)
        if not (lagged or (fabric.dual_tor and set(found.hosts(a)) & set(found.hosts(b)))):
            continue
        key = id(a_end), id(b_end)
        if key in reported:
            continue
        reported.add(key)
        yield Hit(
            f"RDMA can cross {_format_ports(found, bundle, a)}, the peer link of an MLAG or dual-ToR pair: such a "
            "packet came down and turns sideways, over a link that is not sized for it",
            (a_end.port.at("classes"), a_end.port.at(), b_end.port.at("classes"), b_end.port.at()),
            "remove the class of RDMA from these ports: classes: [control, default]",
            vendors=frozenset((a_end.device.vendor, b_end.device.vendor)),
        )


def _hosts_by_lag(found: Graph, switch: int) -> set[int]:
    """The hosts that a switch is joined to by ports of a LAG."""
    return {
        h
        for h in found.hosts(switch)
        if (end := found.bundle(switch, h).a_end) is not None and end.port.lag is not None
    }


RULES: tuple[Rule, ...] = (
    path_cover,
    topology_disconnected,
    topology_blast,
    topology_entropy,
    topology_dualhome,
)
