"""Links that end nowhere, where another one ends or where none is meant, or that are stated twice: LNK908, LNK910."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rocecfg.analysis.bundles import LooseEnd, RepeatedCable, TakenPort
from rocecfg.core.nodeset import fold_some
from rocecfg.model import Fabric, Origin, Span
from rocecfg.rules.base import ERROR, OFF, WARNING, Hit, Rule, rule
from rocecfg.rules.cabling import follow_cabling
from rocecfg.rules.hosts_ends import nic_ends

_BUNDLE = re.compile(r".*:(?:bond|team|lag)", re.IGNORECASE)  # what a host calls ports that it bundles: several cables


@rule(
    "LNK908",
    "link-one-end",
    ERROR,
    source="rocecfg, the intent format: a cable joins two ports, and a port takes one cable",
    by_kind={"running": WARNING},
    needs=("links",),
)
def link_one_end(fabric: Fabric) -> Iterator[Hit]:
    """A link names a port that its device does not list, or two links end at one port, or are the same."""
    plan = follow_cabling(fabric)
    if not fabric.running and "ports" not in fabric.nameless:
        by_place: dict[object, list[str]] = {}
        for end in plan.loose:
            by_place.setdefault((end.at, end.device.key), []).append(end.name)
        first = {(end.at, end.device.key): end for end in reversed(plan.loose)}
        for key, names in by_place.items():
            end = first[key]  # type: ignore[index]
            more = f" and {len(names) - 1} more" if len(names) > 1 else ""
            yield Hit(
                f"a link ends at {names[0]}{more}, but {end.device.key} lists no such port",
                (end.at,),
                "correct the name, or list the port under ports of the device",
                ((end.device.at(), "the device"),),
                alike="a link ends at a port that is not listed",
            )
    yield from _report_taken_twice(taken for taken in plan.taken if taken.device is not None)
    if not fabric.running:  # neighbour entries of switches name ports of hosts as it comes
        yield from _report_taken_at_hosts(plan.taken)
        yield from _report_repeated(plan.repeated)
        yield from _report_loops(plan.loops)


def _report_taken_twice(ports: Iterable[TakenPort]) -> Iterator[Hit]:
    """A hit for each pair of links that end at the same ports."""
    pairs: dict[tuple[Span, Span], list[TakenPort]] = {}
    for taken in ports:
        pairs.setdefault((taken.first_at, taken.at), []).append(taken)
    for (first_at, at), found in pairs.items():
        first = fold_some(tuple(taken.first for taken in found))
        each = "each of " if len(found) > 1 else ""
        yield Hit(
            f"two links end at {each}{fold_some(tuple(taken.name for taken in found))}: one leads to {first}, the "
            f"other to {fold_some(tuple(taken.second for taken in found))}",
            (at,),
            "a port takes one cable: correct one of the two",
            ((first_at, f"the link to {first}"),),
            alike="two links end at one port",
            explains=("topology-single-spine", "topology-uneven-uplinks"),
            vendors=frozenset(taken.device.vendor for taken in found if taken.device is not None),
        )


def _report_taken_at_hosts(ports: Iterable[TakenPort]) -> Iterator[Hit]:
    """The same at ports of hosts, where a bundle may have several cables and a split port has several names."""
    for hit in _report_taken_twice(t for t in ports if t.device is None and not _BUNDLE.match(t.name)):
        yield hit._replace(
            severity=WARNING,
            help="a NIC port takes one cable: correct one of the two, or name what it is split into (nic0p0, nic0p1)",
            alike="two links end at one NIC port",
        )


def _report_repeated(cables: Iterable[RepeatedCable]) -> Iterator[Hit]:
    """A hit for each pair of links that are the same, from the same end."""
    pairs: dict[tuple[Span, Span], list[str]] = {}
    for cable in cables:
        pairs.setdefault((cable.first_at, cable.at), []).append(cable.name)
    for (first_at, at), names in pairs.items():
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        yield Hit(
            f"{names[0]}{more} is stated twice but counts once: a second cable would end at other ports",
            (at,),
            "write the ports of the second cable, or remove the line",
            ((first_at, "the same link"),),
            severity=WARNING,
            alike="a link is stated twice",
        )


def _report_loops(ends: Iterable[LooseEnd]) -> Iterator[Hit]:
    """A hit for each line whose two ends are one port."""
    by_place: dict[Span, list[str]] = {}
    for end in ends:
        by_place.setdefault(end.at, []).append(end.name)
    for at, names in by_place.items():
        yield Hit(
            f"a link leads from {fold_some(tuple(names))} to itself, so it counts for nothing",
            (at,),
            "correct one of its two ends",
            alike="a link leads from a port to itself",
        )


# -- what ports face ---------------------------------------------------------------------------------------------------


@rule(
    "LNK910",
    "link-faces",
    WARNING,
    source="rocecfg, the intent format: faces says what is at the other end; without it that follows from the link",
    needs=("links",),
    by_kind={"running": OFF},  # a switch does not state what its ports face
)
def link_faces(fabric: Fabric) -> Iterator[Hit]:
    """A port faces a switch, but its link leads to a host, or the other way round."""
    found: dict[tuple[Origin, bool], list[str]] = {}
    to_hosts = (
        (end.port, f"{far}:{end.nic}", here)
        for ends in nic_ends(fabric).values()
        for end in ends
        for far, here in zip(end.hosts, end.names, strict=True)
    )
    for port, far, here in to_hosts:
        if port.faces == "switch":
            found.setdefault((port.at("faces"), True), []).append(f"{here} -- {far}")
    for joint in follow_cabling(fabric).joints:
        for end, ends in ((joint.a, (joint.a_name, joint.b_name)), (joint.b, (joint.b_name, joint.a_name))):
            if end.port.faces == "host":
                names = found.setdefault((end.port.at("faces"), False), [])
                names += [" -- ".join(ends)] * joint.links
    for (at, hosts), links in found.items():
        more = f" and {len(links) - 1} more" if len(links) > 1 else ""
        stated, leads = ("switch", "host") if hosts else ("host", "switch")
        missed = (
            "it is checked as a link between switches, and not for pause storms of a NIC"
            if hosts
            else "it is checked as a port to a NIC, and not counted as an uplink"
        )
        yield Hit(
            f"a port with faces: {stated} has a link to a {leads}: {links[0]}{more}. So {missed}",
            (at,),
            f"write faces: {'host' if hosts else 'switch'}, or leave it out: it follows from the links",
            alike="a port faces another thing than its link leads to",
        )


RULES: tuple[Rule, ...] = (link_one_end, link_faces)
