"""The fabric as a whole in text, for `rocecfg show --topology`: tiers, cables, capacity, rails, pauses and losses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from rocecfg.analysis.capacity import capacity
from rocecfg.analysis.graph import Graph, graph
from rocecfg.analysis.rails import rails
from rocecfg.analysis.tiers import Tiers, tier_of_role, tiers
from rocecfg.core.units import ranges
from rocecfg.model import Fabric
from rocecfg.report.html import collectives, paths
from rocecfg.report.html.paths import oversubscription, pauses
from rocecfg.report.html.words import count, rate, short, speeds

WIDE = 100  # columns
_LABEL = 24
_MOST_NAMED = 4  # roles, groups, planes


def lines(fabric: Fabric) -> Iterator[str]:
    """The topology of a fabric, in lines of at most 100 columns. The same fabric gives the same lines."""
    found, levels = graph(fabric), tiers(fabric)
    hosts = len(found.names) - found.switches
    cables = sum(bundle.cables for bundle in found.bundles.values())
    size = f"{count(found.switches, 'switch')}, {count(hosts, 'host')}, {count(cables, 'cable')} that RDMA crosses"
    if not found.switches:
        size = "the intent names no devices, so there is no topology"
    yield from _paragraph(f"fabric {fabric.name}", size, label=0)
    if not found.switches:
        return
    yield ""
    yield from _tiers(found, levels)
    if found.bundles:
        yield ""
        yield from _cables(found, levels)
    yield ""
    yield from _capacity(fabric)
    yield ""
    asked = collectives.rows(fabric)
    for name, text in asked:
        yield from _paragraph(name, text)
    if asked:
        yield from _paragraph("", collectives.ASSUMED)
        yield ""
    yield from _paragraph("planes", _planes(fabric, found))
    for row in _rails(fabric):
        yield from _paragraph("rails", row)
    yield ""
    yield from _pauses(fabric)
    yield from _paths(fabric)


# -- tables and paragraphs ---------------------------------------------------------------------------------------------


def _paragraph(name: str, text: str, label: int = _LABEL) -> Iterator[str]:
    """A name, and a text beside it that goes on below itself."""
    first = f"{name:<{label}} " if label else f"{name}: "
    indent = " " * (label + 1) if label else "  "
    yield from wrap(text, WIDE, initial_indent=first, subsequent_indent=indent, break_on_hyphens=False)


def _table(heading: Sequence[str], rows: Sequence[Sequence[str]], numbers: frozenset[int]) -> Iterator[str]:
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


def _tiers(found: Graph, levels: Tiers) -> Iterator[str]:
    rows = []
    for tier in (*range(levels.top, 0, -1), 0):
        switches = levels.switches(tier)
        if not switches:
            continue
        name = levels.role(tier) if tier else "unknown"
        rows.append(
            (name, f"{len(switches):,}", _roles(found, switches, tier), short(found.names[n] for n in switches))
        )
    hosts = found.names[found.switches :]
    if hosts:
        rows.append(("hosts", f"{len(hosts):,}", "", short(hosts)))
    yield from _table(("tier", "count", "role", "names"), rows, frozenset((1,)))


def _roles(found: Graph, switches: list[int], tier: int) -> str:
    """What the intent calls switches of a tier, and whether that is where the tier is from."""
    if not tier:
        return "no path to a host known"
    roles = [found.plans[n].device.role for n in switches]
    named = dict.fromkeys(role for role in roles if role is not None)
    words = [role if tier_of_role(role) else f"{role}, tier inferred" for role in named]
    if None in roles:
        words.append("inferred" if not named else "none, inferred")
    return "; ".join(words[:_MOST_NAMED]) + ("; ..." if len(words) > _MOST_NAMED else "")


def _cables(found: Graph, levels: Tiers) -> Iterator[str]:
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
        whole = "not known" if 0 in by_speed else rate(sum(speed * number for speed, number in fastest_first))
        by_speed_shown = speeds((speed or None, number) for speed, number in fastest_first)
        rows.append((" - ".join(names), f"{sum(by_speed.values()):,}", whole, by_speed_shown))
    yield from _table(("between", "cables", "together", "speeds"), rows, frozenset((1, 2)))


def _capacity(fabric: Fabric) -> Iterator[str]:
    rows = [
        (t.name, t.usual.text, t.worst.text, t.without_way, t.without_cable, f"{t.down} by {t.up}")
        for t in oversubscription(fabric)
    ]
    if not rows:
        yield from _paragraph("oversubscription", "not known: ports to hosts and uplinks are not both known")
        return
    heading = ("oversubscription", "usual", "worst", "a switch above lost", "an uplink lost", "down by up, of each")
    yield from _table(heading, rows, frozenset(range(1, 5)))
    if any(load.from_ports for load in capacity(fabric).loads):
        yield from _paragraph("", "by what ports face, where links do not name all uplinks", label=1)


def _planes(fabric: Fabric, found: Graph) -> str:
    parts = capacity(fabric).parts
    if len(parts) < 2:
        return "one: cables join all switches" if found.switches > 1 else "one switch"
    named = [short(found.names[n] for n in part) for part in parts[:_MOST_NAMED]]
    more = f" and {len(parts) - _MOST_NAMED} more" if len(parts) > _MOST_NAMED else ""
    return f"{len(parts)} that no cable between switches joins: {'; '.join(named)}{more}"


def _rails(fabric: Fabric) -> list[str]:
    known = rails(fabric)
    if not known.numbers:
        return ["none: no host says of which rail its ports are"]
    out = [f"{ranges(known.numbers)}, in {count(len(known.groups), 'group')} of hosts that are cabled alike"]
    for group in known.groups[:_MOST_NAMED]:
        leaves = dict.fromkeys(leaf for each in group.leaves.values() for leaf in each)
        on = f"{count(len(leaves), 'leaf').replace('leafs', 'leaves')}, {short(leaves)}"
        out.append(f"{count(len(group.hosts), 'host')} ({short(group.hosts)}) on {on}")
    if len(known.groups) > _MOST_NAMED:
        out.append(f"{len(known.groups) - _MOST_NAMED} more groups")
    astray = len({(s.nic.host, s.nic.port) for s in known.strays} | {(d.nic.host, d.nic.port) for d in known.declared})
    if astray:
        out.append(f"{count(astray, 'NIC port')} not on the leaf of their rail: see topology-rail, topology-rail-cross")
    return out


def _pauses(fabric: Fabric) -> Iterator[str]:
    found = pauses(fabric)
    if found is None:
        yield from _paragraph("PFC deadlock", "nothing is lossless on any link between switches")
        return
    for name, text in found.rows:
        yield from _paragraph(name, text)


def _paths(fabric: Fabric) -> Iterator[str]:
    """How far hosts are from each other, and what the loss of a switch takes from them."""
    found = paths.host_paths(fabric)
    if found is None:
        return
    yield ""
    yield from _paragraph("paths", found.routes)
    if found.rows:
        heading = ("between", "switches", "pairs", "share", "narrowest", "paths of equal cost")
        rows = [(*row[:4], row[6], _equal_cost(*row[4:6])) for row in found.rows]
        yield from _table(heading, rows, frozenset((1, 2, 3, 4)))
    for name, hops in found.examples:
        yield from _paragraph(name, ", ".join(hops))
    for note in found.notes:
        yield from _paragraph("paths", note)
    for row in found.losses:
        yield from _paragraph("loss of a switch", row)


def _equal_cost(by_switch: str, by_cable: str) -> str:
    return by_switch if by_switch == by_cable else f"{by_switch} by switch; {by_cable} by cable"
