"""Where a policy-map sends RoCEv2, and what else it makes lossless: beside the maps, and before them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rocecfg.core.nodeset import fold
from rocecfg.model.stated import Problem
from rocecfg.vendors.arista.reading.maps import OWN
from rocecfg.vendors.arista.reading.policies import (
    ROCE_PORT,
    Action,
    Packet,
    PolicyMap,
    find_odd_entries,
    find_outcomes,
    list_traffic_classes,
    read_policy_map,
)
from rocecfg.vendors.arista.reading.port_groups import AlikePorts
from rocecfg.vendors.arista.reading.ports import find_lossless, get_trust
from rocecfg.vendors.arista.reading.switchwide import Switchwide

_TCS = tuple(range(8))
_MOST = 3  # code points of RDMA that are asked for: those of one class are treated alike
# What everybody sends, unmarked; and BGP, with CS6.
_PLAIN = (Packet("tcp", 443, 0), Packet("udp", 53, 0), Packet("tcp", 179, 48))


def find_policy_classes(switch: Switchwide, kind: AlikePorts) -> tuple[int, ...]:
    """The traffic classes that a policy on the port may put packets into; all of them where that is not known."""
    given = kind.state.get("policy")
    if given is None or given.value is None:
        return ()
    policy = read_policy_map(switch.config, given.value)
    return _TCS if policy is None or policy.unclear else tuple(sorted(list_traffic_classes(policy)))


def check_policies(switch: Switchwide, kinds: list[AlikePorts]) -> Iterator[Problem]:
    """What is wrong with the policy-maps that sort what comes in, once each."""
    reported: set[tuple[str, int]] = set()
    for problem in _check_all_policies(switch, kinds):
        key = problem.message, problem.at.start
        if key not in reported:
            reported.add(key)
            yield problem


def _check_all_policies(switch: Switchwide, kinds: list[AlikePorts]) -> Iterator[Problem]:
    by_policy: list[tuple[AlikePorts, PolicyMap]] = []
    for kind in kinds:
        given = kind.state.get("policy")
        if given is None or given.value is None:
            continue
        policy = read_policy_map(switch.config, given.value)
        if policy is None and switch.whole:
            yield Problem(
                "device-ref",
                given.at,
                f"service-policy {given.value[:100]}: there is no policy-map of that name",
                f"define policy-map type quality-of-service {given.value[:100]}, or remove the line",
            )
        if policy is None:
            continue
        for name, at in policy.dangling if switch.whole else ():
            yield Problem(
                "device-ref",
                at,
                f"policy-map {policy.name[:100]}: there is no {name[:100]}, so it classifies nothing",
                f"define {name[:100]}, or name an existing one",
            )
        if policy.dangling and switch.whole:
            continue
        if policy.unclear or policy.dangling:  # of a part nobody knows what the rest sorts
            switch.note_unjudged(
                (f"policy-map {policy.name[:100]}, which classifies packets before the maps do"), given.at
            )
        if find_lossless(switch, kind) and not policy.dangling:
            by_policy.append((kind, policy))
    for kind, policy in by_policy:
        yield from _check_policy(switch, kind, policy)
    yield from _check_left_out_ports(switch, kinds, by_policy)


def _map_to_class(switch: Switchwide, dscp: int) -> int:
    given = switch.globals.get(("dscp", dscp))
    return OWN[dscp] if given is None else int(given.value)


def _find_rdma_dscps(switch: Switchwide, kind: AlikePorts) -> list[int]:
    """The code points that the maps make lossless on the port."""
    paused = find_lossless(switch, kind)
    return (
        [dscp for dscp in range(64) if _map_to_class(switch, dscp) in paused]
        if get_trust(switch, kind) == "dscp"
        else []
    )


def _check_policy(switch: Switchwide, kind: AlikePorts, policy: PolicyMap) -> Iterator[Problem]:
    """What the policy does to RoCEv2 and to other packets, where the text tells."""
    paused = find_lossless(switch, kind)
    marks = _find_rdma_dscps(switch, kind)
    odd = [
        Problem("mix-rdma-acl", entry.at, f"`{entry.line[:100]}` does not match RoCEv2: {entry.why}",
                f"write permit udp any any eq {ROCE_PORT}", severity="error")
        for entry in find_odd_entries(switch.config, policy)
    ]  # fmt: skip
    yield from odd
    asked: list[int | None] = [*marks[:_MOST]] or [None]
    for dscp in asked:
        action = _find_sure_outcome(switch, policy, Packet("udp", ROCE_PORT, dscp))
        if action is None and not policy.unclear:
            at = kind.state["policy"].at
            switch.note_unjudged(
                f"policy-map {policy.name[:100]}, which classifies RoCEv2 by its own addresses or marks", at
            )
        wrong = (
            []
            if action is None or odd
            else [*_check_loss(policy, action, paused, dscp, by_dscp=get_trust(switch, kind) == "dscp")]
        )
        wrong += [] if action is None else _check_remarking(switch, policy, action, paused, marks)
        wrong += [] if action is None else _check_policing(policy, action)
        if wrong:
            yield from wrong
            break  # of code points that fare alike one is enough
    for packet in _PLAIN:
        action = _find_sure_outcome(switch, policy, packet)
        if action is not None and action.tc in paused:
            marked = f"DSCP {packet.dscp}" if packet.dscp else "no mark"
            yield Problem(
                "mix-rdma-acl",
                action.at,
                f"policy-map {policy.name[:100]}: class {action.name[:100]} puts packets that are not RoCEv2 and have "
                f"{marked} into traffic class {action.tc}, which is lossless: any of them may pause the fabric, and "
                "pauses hold them back",
                f"match udp any any eq {ROCE_PORT} in that class, and set traffic-class N for all else",
                severity="error",
            )
            return


def _find_sure_outcome(switch: Switchwide, policy: PolicyMap, packet: Packet) -> Action | None:
    """What surely happens to such packets; None where the text does not tell."""
    found = find_outcomes(switch.config, policy, packet)
    return found[0] if len(found) == 1 else None


def _check_loss(
    policy: PolicyMap, action: Action, paused: Mapping[int, object], dscp: int | None, *, by_dscp: bool
) -> Iterator[Problem]:
    """RoCEv2 in a traffic class that drops: put there, or, where the maps make nothing lossless, left to them."""
    marked = "" if dscp is None else f" with DSCP {dscp}"
    if action.tc is not None and action.tc not in paused:
        yield Problem(
            "mix-rdma-acl",
            action.at,
            f"policy-map {policy.name[:100]}: class {action.name[:100]} puts RoCEv2 (UDP {ROCE_PORT}){marked} into "
            f"traffic class {action.tc}, which is not lossless here: congestion drops it, despite the maps",
            f"set traffic-class {next(iter(paused))} for udp {ROCE_PORT}",
            severity="error",
        )
    elif action.tc is None and dscp is None and by_dscp:
        yield Problem(
            "mix-rdma-acl",
            action.at,
            f"policy-map {policy.name[:100]} leaves RoCEv2 (UDP {ROCE_PORT}) to the DSCP map, which maps nothing to a "
            "lossless traffic class: PFC protects nothing here",
            f"match udp any any eq {ROCE_PORT} in a class, with set traffic-class {next(iter(paused))}",
            severity="error",
        )


def _check_policing(policy: PolicyMap, action: Action) -> Iterator[Problem]:
    if action.police is not None:
        yield Problem(
            "mix-rdma-acl",
            action.police,
            f"policy-map {policy.name[:100]}: class {action.name[:100]} polices RoCEv2 (UDP {ROCE_PORT}): it drops "
            "packets above the rate before PFC can pause the sender",
            "take police out of that class",
            severity="error",
        )


def _check_remarking(
    switch: Switchwide, policy: PolicyMap, action: Action, paused: Mapping[int, object], marks: list[int]
) -> Iterator[Problem]:
    dscp = action.dscp
    if dscp is None or dscp in marks or _map_to_class(switch, dscp) in paused:
        return
    yield Problem(
        "mix-rdma-acl",
        action.at,
        f"policy-map {policy.name[:100]}: class {action.name[:100]} writes DSCP {dscp} into RoCEv2 (UDP {ROCE_PORT}), "
        f"which maps to traffic class {_map_to_class(switch, dscp)}: from the next hop on, switches with the same map "
        "drop it under congestion",
        "remove set dscp, or set the DSCP of RDMA",
        severity="error",
    )


def _check_left_out_ports(
    switch: Switchwide, kinds: list[AlikePorts], by_policy: list[tuple[AlikePorts, PolicyMap]]
) -> Iterator[Problem]:
    """Lossless ports without the policy by which alone RoCEv2 becomes lossless on the others."""
    needed = next(
        (
            (k, p)
            for k, p in by_policy
            if not _find_rdma_dscps(switch, k) and list_traffic_classes(p) & set(find_lossless(switch, k))
        ),
        None,
    )
    if needed is None or not switch.whole:
        return
    other, policy = needed
    for kind in kinds:
        if kind.is_management or not kind.names or kind.state.get("policy") is not None:
            continue
        if find_lossless(switch, kind) and not _find_rdma_dscps(switch, kind) and get_trust(switch, kind) == "dscp":
            yield Problem(
                "mix-rdma-acl",
                kind.at,
                f"{fold(kind.names)} {'has' if len(kind.names) == 1 else 'have'} no policy-map {policy.name[:100]}, "
                f"the only thing that makes RoCEv2 (UDP {ROCE_PORT}) lossless on this switch: what comes in here "
                "lands in a class that drops",
                f"write service-policy type qos input {policy.name[:100]} below the interface",
                ((other.at, "a port with the policy"),),
                severity="error",
            )
