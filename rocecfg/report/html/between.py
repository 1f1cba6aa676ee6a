"""Paths between hosts and the loss of a switch, in words."""

from __future__ import annotations

from rocecfg.analysis.failures import Loss, losses
from rocecfg.analysis.graph import graph
from rocecfg.analysis.paths import Kind, Paths, Spread, Survey, paths
from rocecfg.analysis.tiers import tiers
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_number, show_rate
from rocecfg.model import Fabric
from rocecfg.report.html.words import count


class Told(NamedTuple):
    """What is said of paths. `examples`: the path of a kind of pairs, cable by cable."""

    routes: str
    rows: tuple[tuple[str, ...], ...]  # ends, switches crossed, pairs, share, paths by switch, by cable, narrowest
    examples: tuple[tuple[str, tuple[str, ...]], ...]
    notes: tuple[str, ...]
    losses: tuple[str, ...]


def told(fabric: Fabric) -> Told | None:
    """The paths of a fabric; None where there are no two hosts, nor two switches for them."""
    known = paths(fabric)
    if known is None:
        return None
    rows, examples, notes = [], [], []
    named: set[int] = set()
    for survey in known.surveys:
        for kind in survey.kinds:
            if not kind.example:
                continue
            rows.append(_row(survey, kind))
            if kind.crossed not in named:
                named.add(kind.crossed)
                hops = tuple(f"{hop.out} -> {hop.into}" for hop in kind.example)
                examples.append((f"over {count(kind.crossed, 'switch')}", hops))
        notes += _notes(survey)
    return Told(_routes(known), tuple(rows), tuple(examples), tuple(notes), tuple(_losses(fabric)))


def _routes(known: Paths) -> str:
    if known.unknown:
        return f"not known: {known.unknown}"
    words = {"up-down": "shortest up-down routes", "dimension-order": "dimension-order routes"}
    said = words.get(known.algorithm, "shortest routes")
    if known.algorithm == "non-minimal":
        said += "; non-minimal ones may be longer"
    if known.bounces:
        said += ", those with bounces left out"
    return said if known.stated else f"taken as {said}: the intent states no routing algorithm that is known"


def _row(survey: Survey, kind: Kind) -> tuple[str, ...]:
    return (
        _two(survey.ends),
        str(kind.crossed),
        f"{kind.pairs:,}",
        f"{_percent(kind.pairs, survey.pairs)}",
        _spread(kind.by_switch),
        _spread(kind.by_cable),
        show_rate(kind.narrowest) if kind.narrowest is not None else "not known",
    )


def _two(ends: str) -> str:
    return "two switches" if ends.startswith("switch") else f"two {ends}s"


def _plural(ends: str) -> str:
    return "switches with hosts" if ends.startswith("switch") else f"{ends}s"


def _percent(part: int, whole: int) -> str:
    """A share, never 0% or 100% of what is not none or all."""
    share = round(100 * part / whole, 1)
    if part and not share:
        return "<0.1%"
    if part < whole and share >= 100:
        return ">99.9%"
    return f"{show_number(share)}%"


def _spread(spread: Spread) -> str:
    if spread.least == spread.most:
        return f"{spread.least:,}"
    return f"{spread.least:,} to {spread.most:,}, usually {spread.usual:,}"


def _notes(survey: Survey) -> list[str]:
    out = []
    left_out = [kind.crossed for kind in survey.kinds if not kind.example]
    if left_out:
        out.append(f"{_plural(survey.ends)} over {left_out[0]} to {left_out[-1]} switches are left out")
    if survey.apart:
        out.append(f"no route joins {survey.apart:,} of {survey.pairs:,} pairs of {_plural(survey.ends)}")
    if survey.counted < survey.of:
        who = _plural(survey.ends)
        out.append(f"pairs of {survey.counted:,} of {survey.of:,} {who} with all others are counted, not all pairs")
    return out


def _losses(fabric: Fabric) -> list[str]:
    found, level = graph(fabric), tiers(fabric)
    hosts = len(found.names) - found.switches
    out = []
    for loss in losses(fabric):
        head = f"{found.names[loss.switch]} ({level.role(loss.tier)})"
        if loss.tried < loss.kinds:
            head += f", the worst of {loss.tried} of {loss.kinds} kinds tried"
        elif loss.kinds > 1:
            head += f", the worst of {loss.kinds} kinds"
        out.append(f"{head}: {_lost(loss, hosts)}")
    return out


def _lost(loss: Loss, hosts: int) -> str:
    parts = []
    if loss.hosts:
        parts.append(f"{count(loss.hosts, 'host')} of {hosts:,} cut off")
    if loss.pairs is None:
        parts.append("pairs of hosts that lose their last route are not counted: too many places differ")
    elif loss.pairs:
        parts.append(f"{loss.pairs:,} of {loss.of:,} pairs of hosts lose their last route")
    elif not parts:
        return (
            "every host still reaches all others" if loss.hosts is not None else "no pair of hosts loses its last route"
        )
    return ", ".join(parts)
