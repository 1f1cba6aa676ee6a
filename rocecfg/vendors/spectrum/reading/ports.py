"""Front-panel ports: what stands at their interface or their bond's, and the profiles in force on them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from rocecfg.core.records import NamedTuple
from rocecfg.model import RunningGroup, RunningPort, RunningQueue, Span
from rocecfg.model.stated import OFF, Section, Val
from rocecfg.model.switch import Chain, Neighbour, Port
from rocecfg.vendors.descriptions import far_end
from rocecfg.vendors.spectrum.ranges import parse_port
from rocecfg.vendors.spectrum.reading.forwarding import find_turned_on, list_trimmed_queues, read_switched
from rocecfg.vendors.spectrum.reading.nodes import Node
from rocecfg.vendors.spectrum.reading.operations import Configuration
from rocecfg.vendors.spectrum.reading.pools import get_advanced_buffers
from rocecfg.vendors.spectrum.reading.qos import PortPfc, PriorityMapping, QosProfiles
from rocecfg.vendors.spectrum.reading.schema_qos import GLOBAL
from rocecfg.vendors.spectrum.settings import OF_LINK, PROFILED, ROUTING, TRUST, read_values

_MTU = 9216  # of a port of Cumulus Linux unless it is set
_SIZES = ("cable-length", "port-buffer", "xoff-threshold", "xon-threshold")
_POLL, _ROBUSTNESS = 100, 3
_SPLIT = re.compile(r"([248])x[0-9A-Z]*")


class BoundPorts(NamedTuple):
    """Ports that are told the same things."""

    names: tuple[str, ...]
    node: Node  # of the interface
    bond: str | None
    bond_node: Node | None
    bound: Mapping[str, Val]  # the profile of each kind that is bound: at the bond, else at the ports

    def in_force(self, kind: str) -> str:
        """The profile of that kind in force."""
        bound = self.bound.get(kind)
        return GLOBAL if bound is None else str(bound.value)


def bind_ports(
    names: tuple[str, ...], node: Node, bond: str | None = None, bond_node: Node | None = None
) -> BoundPorts:
    """Ports, and the profiles that are bound to them or to their bond."""
    bound = {}
    for holder in (node, bond_node):
        qos = holder.get("qos") if holder is not None else None
        if qos is not None:
            bound.update({kind: profile for kind in PROFILED if (profile := qos.val(kind, "profile")) is not None})
    return BoundPorts(names, node, bond, bond_node, bound)


def find_bonds(tree: Node) -> dict[str, tuple[str, Span]]:
    """The bond of each port that is a member of one, and where that is said."""
    found: dict[str, tuple[str, Span]] = {}
    for name, node in tree.items("interface"):
        for member, given in node.items("bond", "member"):
            found[member] = name, given.at
    return found


def group_ports(tree: Node, members: Mapping[str, tuple[str, Span]], silent: Iterable[str] = ()) -> list[BoundPorts]:
    """All front-panel ports, those alike together; of a port that is broken out its parts.

    `members`: the bond of each port that is in one; `silent`: ports that the switch has besides, told nothing; not
    those of a port that the text has otherwise.
    """
    interfaces = tree.get("interface") or Node(tree.at)
    found: dict[str, Node] = {}
    parts: dict[str, Node] = {}
    for name, node in interfaces.below.items():
        port = parse_port(name)
        if port is None:
            continue
        split = list(_find_breakouts(node)) if port.lane < 0 else []
        if not split:
            found[name] = node
        for lanes, at in split:
            parts.update({f"{name}s{lane}": Node(at) for lane in range(lanes)})
    found = {**parts, **found}
    for member, (_, at) in members.items():  # a port may be named by its bond alone
        if member not in found and parse_port(member) is not None:
            found[member] = Node(at)
    fronts = {port.front for name in found if (port := parse_port(name)) is not None}
    nothing = Node(tree.at)
    for name in silent:
        port = parse_port(name)
        if port is not None and port.front not in fronts:
            found[name] = nothing
    alike: dict[tuple[int, str | None], list[str]] = {}
    for name in sorted(found, key=lambda n: parse_port(n) or (0, 0)):
        alike.setdefault((id(found[name]), members.get(name, (None,))[0]), []).append(name)
    out = []
    for (_, bond), names in alike.items():
        of_bond = interfaces.below.get(bond) if bond is not None else None
        out.append(bind_ports(tuple(names), found[names[0]], bond, of_bond))
    return out


def _find_breakouts(node: Node) -> Iterator[tuple[int, Span]]:
    """The breakouts of a port: into how many (0: the port is off), and where that is said."""
    for mode, given in node.items("link", "breakout"):
        match = _SPLIT.fullmatch(mode)
        if match is not None or mode == "disabled":
            yield int(match[1]) if match is not None else 0, given.at


def read_port(place: BoundPorts, given: Configuration, qos: QosProfiles) -> Port:
    """What is in force on ports."""
    node = place.node
    pfc = qos.pfc(place.in_force("pfc"))
    section: Section = dict(_read_link(place, given))
    mapping = qos.mapping(place.in_force("mapping"))
    if mapping.trust is not None:
        section["trust"] = Val(TRUST[mapping.trust.value], mapping.trust.at)
    paused = read_link_pause(place, qos)
    if paused is not None:
        section["flowcontrol"] = paused
    if pfc.priorities:
        section["cable"] = pfc.cable
        section["pfc"] = Val({**read_watchdog(place, qos, pfc), "headroom": pfc.headroom}, pfc.at)
    marking = place.in_force("congestion-control")
    shaper = place.bound.get("egress-shaper")
    queues = qos.sending(marking, place.in_force("egress-scheduler"), None if shaper is None else str(shaper.value))
    return Port(
        place.names,
        node.at,
        section,
        pfc.priorities,
        queues,
        _read_running(place, qos, pfc, marking, trims=find_turned_on(given.tree) is not None),
        None if pfc.sends.value or pfc.obeys.value else pfc.sends.at,
    )


def read_every_port(given: Configuration, qos: QosProfiles) -> Port:
    """What is in force on ports that the text does not name: its global profiles."""
    return read_port(bind_ports((), Node(qos.tree.at)), given._replace(whole=False), qos)


def find_usual_mapping(qos: QosProfiles, found: list[BoundPorts]) -> PriorityMapping:
    """The map that most ports sort by that go by DSCP; the global one where none does."""
    return qos.mapping(_find_most_used_mapping(qos, found, (None, "l3", "both")) or GLOBAL)


def find_tagged_mapping(qos: QosProfiles, found: list[BoundPorts]) -> PriorityMapping | None:
    """The map that most ports sort by that go by 802.1p; None where none does."""
    name = _find_most_used_mapping(qos, found, ("l2",))
    return None if name is None else qos.mapping(name)


def find_own_chain(place: BoundPorts, qos: QosProfiles, usual: Chain) -> Chain | None:
    """How ports sort whose mapping profile leads packets elsewhere than that of most does; None: they go as there."""
    mapping = qos.mapping(place.in_force("mapping"))
    trust = None if mapping.trust is None else mapping.trust.value
    if trust == "l2":
        differs = bool(usual.tags) and _strip_places(mapping.pcp) != _strip_places(usual.tags)
        return usual._replace(tags=mapping.pcp) if differs else None
    differs = trust != "port" and _strip_places(mapping.dscp) != _strip_places(usual.dscp)
    return usual._replace(dscp=mapping.dscp) if differs else None


def _strip_places(vals: Iterable[Val]) -> list[object]:
    return [val.value for val in vals]


def _find_most_used_mapping(qos: QosProfiles, found: list[BoundPorts], trusts: tuple[str | None, ...]) -> str | None:
    """The mapping profile of most ports with one of these trusts, those with PFC before others."""
    votes: Counter[str] = Counter()
    for place in found:
        name = place.in_force("mapping")
        trust = qos.mapping(name).trust
        if (None if trust is None else trust.value) in trusts:
            votes[name] += len(place.names) * (1000 if qos.pfc(place.in_force("pfc")).priorities else 1)
    return max(votes, key=lambda name: votes[name]) if votes else None


def _read_link(place: BoundPorts, given: Configuration) -> Iterator[tuple[str, Val]]:
    stated = read_values(place.node, *OF_LINK)
    mtu = stated.get("mtu") or (place.bond_node.val("link", "mtu") if place.bond_node is not None else None)
    if mtu is not None or given.whole:
        stated["mtu"] = mtu or Val(_MTU, place.node.at)
    yield from stated.items()
    if place.bond is not None:
        yield "lag", Val(place.bond, place.node.at)
    layer = _find_layer(place, given.tree)
    if layer is not None:
        yield "layer", layer


def _find_layer(place: BoundPorts, tree: Node) -> Val | None:
    """2 in a bridge; 3 with an address, in a VRF, or with a BGP neighbour on the link."""
    for node in (place.node, place.bond_node):
        if node is None:
            continue
        bridged = node.items("bridge", "domain")
        if bridged:
            return Val(2, bridged[0][1].at)
        for path in (("ip", "address"), ("ip", "vrf"), ("ipv4", "address"), ("ipv6", "address"), ("vrf",)):
            routed = node.get(*path)
            if routed is not None:
                return Val(3, routed.at)
    name = place.bond or (place.names[0] if place.names else "")
    for _, vrf in tree.items("vrf"):
        neighbour = vrf.get("router", "bgp", "neighbor", name)
        if neighbour is not None:
            return Val(3, neighbour.at)
    return None


def read_link_pause(place: BoundPorts, qos: QosProfiles) -> Val | None:
    """802.3x pause on ports: rx, tx or on; None where there is none."""
    profile = qos.profile("link-pause", place.in_force("link-pause"))
    if profile is None:
        return None
    rx, tx = (profile.val(key) for key in ("rx", "tx"))
    on = [key for key, given in (("rx", rx), ("tx", tx)) if given is None or given.value == "enable"]
    if not on:
        return None
    bound = place.bound.get("link-pause")
    return Val("on" if len(on) == 2 else on[0], bound.at if bound is not None else profile.at)


def read_watchdog_state(place: BoundPorts) -> Val | None:
    """Whether the watchdog is on, and where that is said; None where nothing is."""
    given = place.node.get("qos", "pfc-watchdog")
    return None if given is None else read_values(place.node, "watchdog").get("watchdog", Val(value=True, at=given.at))


def read_watchdog(place: BoundPorts, qos: QosProfiles, pfc: PortPfc) -> Section:
    """The watchdog of lossless ports: nothing where nothing is said of it."""
    on = read_watchdog_state(place)
    if on is None:
        return {}
    if not on.value:
        return {"watchdog": Val(OFF, on.at)}
    poll = qos.tree.val("pfc-watchdog", "polling-interval") or Val(_POLL, on.at)
    count = qos.tree.val("pfc-watchdog", "robustness") or Val(_ROBUSTNESS, poll.at)
    return {
        "watchdog": Val(
            {
                "detection_time": Val(poll.value * count.value, count.at),
                "restoration_time": poll,  # after one poll without a pause
                "poll_interval": poll,
                "action": Val("drop", on.at),
                "priorities": Val([Val(sp, at) for sp, at in pfc.priorities.items()], on.at),
            },
            on.at,
        )
    }


def _read_running(place: BoundPorts, qos: QosProfiles, pfc: PortPfc, marking: str, *, trims: bool) -> RunningPort:
    up, down = place.node.get("link", "state", "up"), place.node.get("link", "state", "down")
    mapping = qos.mapping(place.in_force("mapping"))
    pause = qos.profile("link-pause", place.in_force("link-pause"))
    origins = {"": place.node.at, "obeys": pfc.obeys.at, "sends": pfc.sends.at, "unmarked": mapping.default.at}
    lag_mtu = place.bond_node.val("link", "mtu") if place.bond_node is not None else None
    for key, stated in (("up", up or down), ("flowcontrol_headroom", pause), ("lag_mtu", lag_mtu)):
        if stated is not None:
            origins[key] = stated.at
    routed = read_switched(place.node.get(*ROUTING))
    return RunningPort(
        up=True if up is not None else False if down is not None else None,
        obeys=() if pfc.priorities and not pfc.obeys.value else None,
        sends=() if pfc.priorities and not pfc.sends.value else None,
        lag_mtu=lag_mtu.value if lag_mtu is not None else None,
        groups=tuple(_read_groups(qos, pfc)),
        maps=tuple((kind, str(place.bound[kind].value)) for kind in PROFILED if kind in place.bound) or None,
        queues=tuple(_list_dropping_queues(qos, marking)),
        unmarked=mapping.default.value,
        adaptive=True if routed is not None and routed.value else None,
        trimmed=list_trimmed_queues(place.node) if trims else (),
        tags=_read_tags(mapping),
        flowcontrol_headroom=() if pause is None else _read_pause_headroom(pause),
        origins=origins,
    )


def _list_dropping_queues(qos: QosProfiles, marking: str) -> Iterator[RunningQueue]:
    """The queues in which RED drops, by a profile of `qos congestion-control`."""
    for tc, of in qos.marking(marking).items():
        if of.red is not None and of.red.value:
            yield RunningQueue(tc, discards=True, origins={"": of.red.at, "discards": of.red.at})


def _read_tags(mapping: PriorityMapping) -> tuple[int, ...]:
    """The switch priority of each 802.1p value, where ports trust that beside DSCP."""
    both = mapping.trust is not None and mapping.trust.value == "both"
    return tuple(val.value for val in mapping.pcp) if both else ()


def _read_pause_headroom(profile: Node) -> tuple[tuple[str, int], ...]:
    """What a profile of `qos link-pause` says of headroom."""
    return tuple((key, val.value) for key in _SIZES if (val := profile.val(key)) is not None)


def _read_groups(qos: QosProfiles, pfc: PortPfc) -> Iterator[RunningGroup]:
    """The lossless priority groups where a fixed size of the pool is theirs."""
    static = get_advanced_buffers(qos).val("ingress-lossless-buffer", "shared-bytes")
    if static is not None:
        for sp in pfc.priorities:
            yield RunningGroup(sp, lossless=True, static=static.value, origins={"": static.at, "static": static.at})


def find_neighbours(tree: Node) -> tuple[Neighbour, ...]:
    """The far ends that descriptions name: a device with a number in its name, and a port."""
    found = []
    for name, node in tree.items("interface"):
        given = node.val("description") if parse_port(name) is not None else None
        far = far_end(given.value) if given is not None else None
        if far is not None and given is not None:
            found.append(Neighbour(name, *far, given.at))
    return tuple(found)
