"""The fabric as a whole in text, for `rocecfg show --topology`: tiers, cables, capacity, rails, pauses and losses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from rocecfg.analysis.capacity import capacity
from rocecfg.analysis.graph import Graph, graph
from rocecfg.analysis.paths import NO_CABLES, lacks_cables
from rocecfg.analysis.rails import rails
from rocecfg.analysis.tiers import Tiers, tier_of_role, tiers
from rocecfg.core.units import ranges
from rocecfg.model import Fabric
from rocecfg.report.html import collectives, paths
from rocecfg.report.html.paths import judge_pauses, list_oversubscription
from rocecfg.report.html.words import format_count, format_rate, format_speeds, shorten_names

WIDE = 100  # columns
_LABEL = 24
_MOST_NAMED = 4  # roles, groups, planes


def render_topology(fabric: Fabric) -> Iterator[str]:
    """The topology of a fabric, in lines of at most 100 columns. The same fabric gives the same lines."""
    found, levels = graph(fabric), tiers(fabric)
    hosts = len(found.names) - found.switches
    cables = sum(bundle.cables for bundle in found.bundles.values())
    size = format_count(found.switches, "switch")
    if fabric.links:
        size += f", {format_count(hosts, 'host')}, {format_count(cables, 'cable')} that RDMA crosses"
    else:
        size += "; hosts on them, and cables, are unknown: there are no links"
    if not found.switches:
        size = "the intent names no devices, so there is no topology"
    yield from _render_paragraph(f"fabric {fabric.name}", size, label=0)
    if not found.switches:
        return
    yield ""
    yield from _render_tiers(found, levels)
    if found.bundles:
        yield ""
        yield from _render_cables(found, levels)
    yield ""
    yield from _render_capacity(fabric)
    yield ""
    asked = collectives.list_collectives(fabric)
    for name, text in asked:
        yield from _render_paragraph(name, text)
    if asked:
        yield from _render_paragraph("", collectives.ASSUMED)
        yield ""
    yield from _render_paragraph("planes", _describe_planes(fabric, found))
    for row in _describe_rails(fabric):
        yield from _render_paragraph("rails", row)
    yield ""
    yield from _render_pauses(fabric)
    yield from _render_paths(fabric)


# -- tables and paragraphs ---------------------------------------------------------------------------------------------


def _render_paragraph(name: str, text: str, label: int = _LABEL) -> Iterator[str]:
    """A name, and a text beside it that goes on below itself."""
    first = f"{name:<{label}} " if label else f"{name}: "
    indent = " " * (label + 1) if label else "  "
    yield from wrap(text, WIDE, initial_indent=first, subsequent_indent=indent, break_on_hyphens=False)


def _render_table(heading: Sequence[str], rows: Sequence[Sequence[str]], numbers: frozenset[int]) -> Iterator[str]:
    """Columns as wide as they need be; the last one goes on below itself, or is cut where it has no space to break."""
    widths = [max(len(row[n]) for row in (heading, *rows)) for n in range(len(heading) - 1)]
    for row in (heading, *rows):
        cells = [
            f"{cell:>{w}}" if n in numbers else f"{cell:<{w}}"
            for n, (cell, w) in enumerate(zip(row, widths, strict=False))
        ]
        start = "  ".join(cells) + "  "
        last = row[-1]
        below = " " * len(start)
        yield from (
            part.rstrip() for part in wrap(last, WIDE, initial_indent=start, subsequent_indent=below) or [start]
        )


# -- parts -------------------------------------------------------------------------------------------------------------


def _render_tiers(found: Graph, levels: Tiers) -> Iterator[str]:
    rows = []
    for tier in (*range(levels.top, 0, -1), 0):
        switches = levels.switches(tier)
        if not switches:
            continue
        name = levels.role(tier) if tier else "unknown"
        rows.append(
            (
                name,
                f"{len(switches):,}",
                _describe_roles(found, switches, tier),
                shorten_names(found.names[n] for n in switches),
            )
        )
    hosts = found.names[found.switches :]
    if hosts:
        rows.append(("hosts", f"{len(hosts):,}", "", shorten_names(hosts)))
    yield from _render_table(("tier", "count", "role", "names"), rows, frozenset((1,)))


def _describe_roles(found: Graph, switches: list[int], tier: int) -> str:
    """What the intent calls switches of a tier, and whether that is where the tier is from."""
    if not tier:
        return "no path to a host known"
    roles = [found.plans[n].device.role for n in switches]
    named = dict.fromkeys(role for role in roles if role is not None)
    words = [role if tier_of_role(role) else f"{role}, tier inferred" for role in named]
    if None in roles:
        words.append("inferred" if not named else "none, inferred")
    return "; ".join(words[:_MOST_NAMED]) + ("; ..." if len(words) > _MOST_NAMED else "")


def _render_cables(found: Graph, levels: Tiers) -> Iterator[str]:
    between: dict[tuple[int, int], dict[int, int]] = {}
    for bundle in found.bundles.values():
        ends = [levels.of[n] if n < found.switches else -1 for n in (bundle.a, bundle.b)]
        by_speed = between.setdefault((min(ends), max(ends)), {})
        for speed, number in bundle.speeds.items():
            by_speed[speed] = by_speed.get(speed, 0) + number
    rows = []
    for (low, high), by_speed in sorted(between.items()):
        names = ["hosts" if tier < 0 else levels.role(tier) if tier else "unknown" for tier in (low, high)]
        fastest_first = sorted(by_speed.items(), reverse=True)
        whole = "unknown" if 0 in by_speed else format_rate(sum(speed * number for speed, number in fastest_first))
        by_speed_shown = format_speeds((speed or None, number) for speed, number in fastest_first)
        rows.append((" - ".join(names), f"{sum(by_speed.values()):,}", whole, by_speed_shown))
    yield from _render_table(("between", "cables", "together", "speeds"), rows, frozenset((1, 2)))


def _render_capacity(fabric: Fabric) -> Iterator[str]:
    rows = [
        (t.name, t.usual.text, t.worst.text, t.without_way, t.without_cable, f"{t.down} by {t.up}")
        for t in list_oversubscription(fabric)
    ]
    if not rows:
        yield from _render_paragraph("oversubscription", "unknown: ports to hosts and uplinks are not both known")
        return
    heading = ("oversubscription", "usual", "worst", "a switch above lost", "an uplink lost", "down by up, of each")
    yield from _render_table(heading, rows, frozenset(range(1, 5)))
    if any(load.from_ports for load in capacity(fabric).loads):
        yield from _render_paragraph("", "by what ports face, where links do not name all uplinks", label=1)


def _describe_planes(fabric: Fabric, found: Graph) -> str:
    parts = capacity(fabric).parts
    if lacks_cables(fabric):
        return f"unknown: {NO_CABLES}"
    if len(parts) < 2:
        return "one: cables join all switches" if found.switches > 1 else "one switch"
    named = [shorten_names(found.names[n] for n in part) for part in parts[:_MOST_NAMED]]
    more = f" and {len(parts) - _MOST_NAMED} more" if len(parts) > _MOST_NAMED else ""
    return f"{len(parts)} that no cable between switches joins: {'; '.join(named)}{more}"


def _describe_rails(fabric: Fabric) -> list[str]:
    known = rails(fabric)
    if not known.numbers:
        return ["unknown: no host says of which rail its ports are"]
    out = [f"{ranges(known.numbers)}, in {format_count(len(known.groups), 'group')} of hosts that are cabled alike"]
    for group in known.groups[:_MOST_NAMED]:
        leaves = dict.fromkeys(leaf for each in group.leaves.values() for leaf in each)
        on = f"{format_count(len(leaves), 'leaf').replace('leafs', 'leaves')}, {shorten_names(leaves)}"
        out.append(f"{format_count(len(group.hosts), 'host')} ({shorten_names(group.hosts)}) on {on}")
    if len(known.groups) > _MOST_NAMED:
        out.append(f"{len(known.groups) - _MOST_NAMED} more groups")
    astray = len({(s.nic.host, s.nic.port) for s in known.strays} | {(d.nic.host, d.nic.port) for d in known.declared})
    if astray:
        out.append(
            f"{format_count(astray, 'NIC port')} not on the leaf of their rail: see topology-rail, topology-rail-cross"
        )
    return out


def _render_pauses(fabric: Fabric) -> Iterator[str]:
    found = judge_pauses(fabric)
    if found is None:
        told = "nothing is lossless on any link between switches"
        if lacks_cables(fabric):
            told = f"unknown: {NO_CABLES}"
        elif graph(fabric).switches < 2:
            told = "one switch"
        yield from _render_paragraph("PFC deadlock", told)
        return
    for name, text in found.rows:
        yield from _render_paragraph(name, text)


def _render_paths(fabric: Fabric) -> Iterator[str]:
    """How far hosts are from each other, and what the loss of a switch takes from them."""
    found = paths.survey_host_paths(fabric)
    if found is None:
        return
    yield ""
    yield from _render_paragraph("paths", found.routes)
    if found.rows:
        heading = ("between", "switches", "pairs", "share", "narrowest", "paths of equal cost")
        rows = [(*row[:4], row[6], _describe_equal_cost(*row[4:6])) for row in found.rows]
        yield from _render_table(heading, rows, frozenset((1, 2, 3, 4)))
    for name, hops in found.examples:
        yield from _render_paragraph(name, ", ".join(hops))
    for note in found.notes:
        yield from _render_paragraph("paths", note)
    for row in found.losses:
        yield from _render_paragraph("loss of a switch", row)


def _describe_equal_cost(by_switch: str, by_cable: str) -> str:
    return by_switch if by_switch == by_cable else f"{by_switch} by switch; {by_cable} by cable"
