"""Profiles and what they are bound to: references, bonds and their members, and what a bound profile drops."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from rocecfg.intent.values import nearest
from rocecfg.model.stated import Problem
from rocecfg.vendors.spectrum.ranges import parse_port
from rocecfg.vendors.spectrum.reading.implied import MULTI_TC
from rocecfg.vendors.spectrum.reading.known import ResolvedConfig, format_numbers, format_ports
from rocecfg.vendors.spectrum.reading.schema_qos import GLOBAL
from rocecfg.vendors.spectrum.settings import PROFILED

_SHIPPED = {("remark", "lossy-multi-tc-host-group"), ("remark", "lossy-multi-tc-network-group")}


def check_references(known: ResolvedConfig) -> Iterator[Problem]:
    """A profile that is bound and nowhere defined."""
    tree = known.qos.tree
    for names, node in known.interfaces:
        for kind in PROFILED:
            bound = node.val("qos", kind, "profile")
            if bound is None or bound.value == GLOBAL or known.qos.profile(kind, bound.value) is not None:
                continue
            if not known.stated.whole and tree.get(kind) is None:
                continue  # a part: the switch may have it already
            if known.basis.mode == MULTI_TC and (kind, bound.value) in _SHIPPED:
                continue
            defined = [name for name, _ in tree.items(kind)]
            yield Problem(
                "device-ref",
                bound.at,
                f"{format_ports(names)}: there is no {kind} profile {bound.value}",
                nearest(bound.value, defined) if defined else f"define it: nv set qos {kind} {quote(bound.value)} ...",
            )


def check_unbound_profiles(known: ResolvedConfig) -> Iterator[Problem]:
    """A profile that is defined and bound to nothing."""
    if known.stated.tree.get("interface") is None and not known.stated.whole:
        return
    used = {
        (kind, bound.value)
        for _, node in known.interfaces
        for kind in PROFILED
        if (bound := node.val("qos", kind, "profile")) is not None
    }
    for kind in PROFILED:
        for name, node in known.qos.tree.items(kind):
            if name != GLOBAL and node.below and (kind, name) not in used:
                yield Problem(
                    "device-unbound",
                    node.at,
                    f"{kind} profile {name} is bound to no port",
                    f"nv set interface PORTS qos {kind} profile {quote(name)}, or nv unset qos {kind} {quote(name)}",
                )


def check_bond_members(known: ResolvedConfig) -> Iterator[Problem]:
    """A profile bound to a member of a bond: NVUE takes it at the bond alone."""
    for names, node in known.interfaces:
        inside = [name for name in names if name in known.members]
        bound = [(kind, given) for kind in PROFILED if (given := node.val("qos", kind, "profile")) is not None]
        if not inside or not bound:
            continue
        bond, at = known.members[inside[0]]
        for kind, given in bound:
            yield Problem(
                "nvue-bond-member",
                given.at,
                f"{kind} profile {given.value} is bound to {format_ports(inside)}, of bond {bond}: NVUE refuses QoS "
                "at the members of a bond, except the watchdog",
                f"nv set interface {quote(bond)} qos {kind} profile {quote(given.value)}",
                ((at, f"{inside[0]} becomes a member here"),),
            )


def check_other_interfaces(known: ResolvedConfig) -> Iterator[Problem]:
    """Profiles at interfaces that are neither ports of the chip nor bonds."""
    for names, node in known.interfaces:
        qos = node.get("qos")
        name = names[0]
        if qos is None or parse_port(name) is not None or known.is_bond(name, node):
            continue
        kind = node.val("type")
        if "." in name or name.startswith(("eth", "lo", "vlan")) or (kind is not None and kind.value == "swp"):
            yield Problem(
                "device-unread",
                qos.at,
                f"QoS at {format_ports(names)}, which is neither a front-panel port nor a bond: not checked",
                "bind profiles to swp ports and bonds",
            )


def check_dropped_marks(known: ResolvedConfig) -> Iterator[Problem]:
    """Traffic classes that ECN marks everywhere but where a profile of the port's own does not name them."""
    usual = known.qos.marking(GLOBAL)
    marked = {tc for tc, of in usual.items() if of.ecn is not None and isinstance(of.ecn.value, dict)}
    queues = known.qos.queues
    lossless = {queues[sp].value for sp in known.lossless}  # ecn-missing's
    for name, node in known.qos.tree.items("congestion-control"):
        named = {int(tc) for tc, _ in node.items("traffic-class")}
        left = marked - named - lossless
        if name != GLOBAL and left:
            yield Problem(
                "nvue-ecn-profile",
                node.at,
                f"congestion-control profile {name} does not name traffic class {format_numbers(left)}, which ECN "
                "marks on other ports: a bound profile replaces the global one, so that class is not marked on its "
                "ports",
                f"nv set qos congestion-control {quote(name)} traffic-class {format_numbers(left)} ecn enable, or ecn "
                "disable if that is intended",
            )


CHECKS = (check_references, check_unbound_profiles, check_bond_members, check_other_interfaces, check_dropped_marks)
