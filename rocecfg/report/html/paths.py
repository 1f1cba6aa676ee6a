"""What the fabric as a whole amounts to: oversubscription, circles of pauses, how far one spreads and what it costs."""

from __future__ import annotations

from rocecfg.analysis.blast import worst_blast
from rocecfg.analysis.capacity import SwitchLoad, capacity, show_ratio, summarize_loads
from rocecfg.analysis.deadlock import DeadlockVerdict, Failures, Hop, judge_deadlock, judge_failures
from rocecfg.analysis.graph import Graph, graph
from rocecfg.analysis.paths import PairKind, PathCounts, Paths, Survey, SwitchLoss, paths, worst_losses
from rocecfg.analysis.routes import Lossless
from rocecfg.analysis.storm import gpu_hours, radii, storm_cost
from rocecfg.analysis.tiers import tiers
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_number, show_rate, show_time
from rocecfg.model import Fabric
from rocecfg.report.html.words import format_count, format_rate
from rocecfg.rules.topology_capacity import intended_ratio

_EXACT = 1 + 1e-9


class Ratio(NamedTuple):
    """A ratio in words, and CSS classes: `oversub` above 1:1, with `meant` as far as the intent means it."""

    text: str
    classes: str = ""


class Tier(NamedTuple):
    """One tier that sends up. Ratios as `1:1`; what is not known is said so."""

    name: str
    switches: str
    down: str  # of one switch
    up: str
    usual: Ratio
    worst: Ratio
    without_way: str
    without_cable: str


def list_oversubscription(fabric: Fabric) -> list[Tier]:
    """Each tier that takes in RDMA from below and sends it up, the lowest first."""
    known, levels = capacity(fabric), tiers(fabric)
    out = []
    for number in range(1, levels.top + 1):
        loads = known.tier(number)
        if not loads:
            continue
        found = summarize_loads(loads)
        out.append(
            Tier(
                levels.role(number),
                format_count(found.switches, "switch"),
                _format_rates([load.down for load in loads]),
                _format_rates([load.up for load in loads]),
                _make_ratio(fabric, loads, found.usual),
                _make_ratio(fabric, loads, found.worst),
                _format_lost(loads, found.without_way),
                _format_ratio(found.without_cable),
            )
        )
    return out


def _make_ratio(fabric: Fabric, loads: list[SwitchLoad], ratio: float | None) -> Ratio:
    if ratio is None or ratio <= _EXACT:
        return Ratio(_format_ratio(ratio))
    limit = min(intended_ratio(fabric, load) for load in loads if load.ratio == ratio)
    return Ratio(_format_ratio(ratio), "oversub meant" if ratio <= limit * _EXACT else "oversub")


def _format_lost(loads: list[SwitchLoad], ratio: float | None) -> str:
    return "unknown: no links" if all(load.from_ports for load in loads) else _format_ratio(ratio)


def _format_rates(rates: list[int | None]) -> str:
    """A rate that all switches have, or its range."""
    known = sorted({r for r in rates if r is not None})
    if not known or None in rates:
        return "unknown"
    return format_rate(known[0]) if len(known) == 1 else f"{format_rate(known[0])} to {format_rate(known[-1])}"


def _format_ratio(ratio: float | None) -> str:
    return "unknown" if ratio is None else show_ratio(ratio)


# -- pauses ------------------------------------------------------------------------------------------------------------

_PROOFS = {
    "ranks": "links have ranks that rise along every route",
    "switches": "no switch waits for itself",
    "links": "no link waits for itself",
}


class Pauses(NamedTuple):
    """How pauses spread. `circle`: pairs of switches whose links wait for each other."""

    rows: tuple[tuple[str, str], ...]
    circle: frozenset[frozenset[str]]
    unjudged: str  # why deadlock was not judged; empty: it was


def judge_pauses(fabric: Fabric) -> Pauses | None:
    """Whether lossless packets can wait for each other in a circle, and what one stuck port can pause at most.

    None where no links between switches are known, or nothing is lossless on any: then there is nothing to say.
    """
    found = graph(fabric)
    if not Lossless(found).all(range(found.switches)):
        return None
    judged = judge_deadlock(fabric)
    after = judge_failures(fabric)
    circle = judged.cycle or after.cycle
    rows = [
        ("routing", judged.routing.algorithm or "unknown"),
        ("PFC deadlock", _describe_circle(found, judged)),
        *_describe_failures(found, after),
        *_describe_spread(fabric, found),
    ]
    return Pauses(
        tuple(rows), frozenset(frozenset((found.names[u], found.names[v])) for u, v, _ in circle), judged.unknown
    )


def _describe_circle(found: Graph, judged: DeadlockVerdict) -> str:
    if judged.unknown:
        return f"not checked: {judged.unknown}"
    if judged.cycle:
        return f"possible, by a cyclic buffer dependency: {_describe_hops(found, judged.cycle)}"
    if not judged.how:
        return "none found, but not proven: the tiers do not order all links"
    proof = f"none: {_PROOFS[judged.how]}, so pauses cannot deadlock"
    if judged.turns_up is not None:
        proof += f"; {found.names[judged.turns_up]} turns packets back up"
    return proof


def _describe_hops(found: Graph, cycle: tuple[Hop, ...]) -> str:
    """The links of a circle, each by the port that it leaves from and the one that it comes to."""
    steps = (f"{' to '.join(found.ports(u, v))} priority {priority}" for u, v, priority in cycle)
    return ", ".join(steps)


def _describe_failures(found: Graph, after: Failures) -> list[tuple[str, str]]:
    if not after.tried:
        return []
    cases = f"{after.tried} of {after.classes}" if after.tried < after.classes else str(after.tried)
    if not after.lost:
        return [("after one failure", f"none in {cases} kinds of link or switch tried")]
    lost = " -- ".join(found.names[n] for n in after.lost)
    return [("after one failure", f"possible once {lost} fails: {_describe_hops(found, after.cycle)}")]


def _describe_spread(fabric: Fabric, found: Graph) -> list[tuple[str, str]]:
    blast = worst_blast(fabric)
    if blast is None:
        return []
    cabled = len(found.names) > found.switches
    who = "other hosts" if cabled else "switches with hosts"
    widest = (
        f"a port of {found.names[blast.switch]} to {blast.host or 'a host'} stuck in a pause storm can pause "
        f"{blast.senders:,} of {blast.all_senders:,} {who} ({show_number(round(blast.share, 1))}%) and "
        f"{blast.links:,} of {blast.all_links:,} links, each direction counted, up to "
        f"{format_count(blast.hops, 'hop')} away, if any host sends to any other"
    )
    return [("widest spread of a pause", widest), *_describe_cost(fabric)]


def _describe_cost(fabric: Fabric) -> list[tuple[str, str]]:
    """What such a storm costs, with its working."""
    storm = storm_cost(fabric)
    if storm is None:
        return []
    who = format_count(storm.hosts, "host")
    if storm.gpus is None:
        return [("cost of such a storm", f"{who} wait; their number of GPUs is not stated (hosts: gpus)")]
    waiting = f"{storm.gpus:,} GPUs in {who} wait"
    lasting = f"{storm.gpus:,} GPU-hours for each hour that it lasts"
    if storm.gpu_hours is None or storm.longest is None:
        return [("cost of such a storm", f"{waiting}, and {storm.why_not}: {lasting}")]
    bounded = (
        f"{waiting} up to {show_time(storm.longest)} until the watchdog acts (detection in whole polls, and one poll "
        f"more): {storm.gpu_hours:.3g} GPU-hours = {storm.gpus:,} x {show_number(storm.longest / 1e3)} s / 3600"
    )
    return [("cost of such a storm", f"{bounded}; without it {lasting}")]


# -- between hosts -----------------------------------------------------------------------------------------------------


class HostPaths(NamedTuple):
    """What is said of paths. `examples`: the path of a kind of pairs, cable by cable."""

    routes: str
    rows: tuple[tuple[str, ...], ...]  # ends, switches crossed, pairs, share, paths by switch, by cable, narrowest
    examples: tuple[tuple[str, tuple[str, ...]], ...]
    notes: tuple[str, ...]
    losses: tuple[str, ...]


def survey_host_paths(fabric: Fabric) -> HostPaths | None:
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
            rows.append(_make_row(survey, kind))
            if kind.crossed not in named:
                named.add(kind.crossed)
                hops = tuple(f"{hop.out} -> {hop.into}" for hop in kind.example)
                examples.append((f"over {format_count(kind.crossed, 'switch')}", hops))
        notes += _list_notes(survey)
    return HostPaths(
        _describe_routes(known), tuple(rows), tuple(examples), tuple(notes), tuple(_describe_losses(fabric))
    )


def _describe_routes(known: Paths) -> str:
    if known.unknown:
        return f"unknown: {known.unknown}"
    words = {"up-down": "shortest up-down routes", "dimension-order": "dimension-order routes"}
    routes = words.get(known.algorithm, "shortest routes")
    if known.algorithm == "non-minimal":
        routes += "; non-minimal ones may be longer"
    if known.bounces:
        routes += ", those with bounces left out"
    return routes if known.stated else f"{routes} assumed: the intent states no known routing algorithm"


def _make_row(survey: Survey, kind: PairKind) -> tuple[str, ...]:
    return (
        _name_pair(survey.ends),
        str(kind.crossed),
        f"{kind.pairs:,}",
        f"{_format_percent(kind.pairs, survey.pairs)}",
        _describe_path_counts(kind.by_switch),
        _describe_path_counts(kind.by_cable),
        show_rate(kind.narrowest) if kind.narrowest is not None else "unknown",
    )


def _name_pair(ends: str) -> str:
    return "two switches" if ends.startswith("switch") else f"two {ends}s"


def _pluralize_ends(ends: str) -> str:
    return "switches with hosts" if ends.startswith("switch") else f"{ends}s"


def _format_percent(part: int, whole: int) -> str:
    """A share, never 0% or 100% of what is not none or all."""
    share = round(100 * part / whole, 1)
    if part and not share:
        return "<0.1%"
    if part < whole and share >= 100:
        return ">99.9%"
    return f"{show_number(share)}%"


def _describe_path_counts(spread: PathCounts) -> str:
    if spread.least == spread.most:
        return f"{spread.least:,}"
    return f"{spread.least:,} to {spread.most:,}, usually {spread.usual:,}"


def _list_notes(survey: Survey) -> list[str]:
    out = []
    left_out = [kind.crossed for kind in survey.kinds if not kind.example]
    if left_out:
        out.append(f"{_pluralize_ends(survey.ends)} over {left_out[0]} to {left_out[-1]} switches are left out")
    if survey.apart:
        out.append(f"no route joins {survey.apart:,} of {survey.pairs:,} pairs of {_pluralize_ends(survey.ends)}")
    if survey.counted < survey.of:
        who = _pluralize_ends(survey.ends)
        out.append(f"pairs of {survey.counted:,} of {survey.of:,} {who} with all others are counted, not all pairs")
    return out


def _describe_losses(fabric: Fabric) -> list[str]:
    found, level = graph(fabric), tiers(fabric)
    hosts = len(found.names) - found.switches
    out = []
    for loss in worst_losses(fabric):
        head = f"{found.names[loss.switch]} ({level.role(loss.tier)})"
        if loss.tried < loss.kinds:
            head += f", the worst of {loss.tried} of {loss.kinds} kinds tried"
        elif loss.kinds > 1:
            head += f", the worst of {loss.kinds} kinds"
        out.append(f"{head}: {_describe_loss(loss, hosts)}")
    return out


def _describe_loss(loss: SwitchLoss, hosts: int) -> str:
    parts = []
    if loss.hosts:
        parts.append(f"{format_count(loss.hosts, 'host')} of {hosts:,} cut off")
    if loss.pairs is None:
        parts.append("pairs of hosts that lose their last route are not counted: too many places differ")
    elif loss.pairs:
        parts.append(f"{loss.pairs:,} of {loss.of:,} pairs of hosts lose their last route")
    elif not parts:
        return (
            "every host still reaches all others" if loss.hosts is not None else "no pair of hosts loses its last route"
        )
    return ", ".join(parts)


# -- what a pause storm costs in GPU-hours -----------------------------------------------------------------------------


_JOB_ENDS = 600_000.0  # ms: PyTorch's timeout of collectives over NCCL (pytorch/pytorch 110947)
_HOUR = 3_600_000.0
_SIZES = (1_024, 8_192, 65_536)  # GPUs of larger fabrics

STORM_FORMULA = (
    "GPU-hours = GPUs that wait × time / 3600 s. Collectives are in step, so any rank that waits for a paused host "
    "waits as long; in a fabric of another size the same share is assumed to stop. After 10 minutes a job with "
    "PyTorch's default NCCL timeout ends (pytorch/pytorch 110947). Not counted: work that a job repeats since its "
    "last checkpoint, GPUs × (half the interval between checkpoints + restart)."
)


class StormCosts(NamedTuple):
    """The table: its head, and a row for each number of GPUs that wait."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def table_storm_costs(fabric: Fabric) -> StormCosts | None:
    """What storms cost on a fabric, and on larger ones; None where its hosts' GPUs are not known, or none."""
    known, storm = radii(fabric), storm_cost(fabric)
    if not known or storm is None or not known[-1].gpus:
        return None
    times = [("10 min: the job ends", _JOB_ENDS), ("each hour", _HOUR)]
    if storm.longest is not None:
        times.insert(0, (f"{show_time(storm.longest)}: the watchdog acts", storm.longest))
    waiting = [(one.name, one.gpus) for one in known]
    all_gpus = known[-1].gpus
    reach = next(one for one in known if one.hosts == storm.hosts)
    share = reach.gpus / all_gpus
    waiting += [(f"a fabric of {size:,} GPUs", round(size * share)) for size in _SIZES if size > all_gpus]
    rows = tuple(
        (name, f"{gpus:,}", *(_format_hours(gpu_hours(gpus, ms)) for _, ms in times)) for name, gpus in waiting
    )
    return StormCosts(("who waits", "GPUs", *(name for name, _ in times)), rows)


def _format_hours(number: float) -> str:
    return f"{number:,.0f}" if number >= 1000 else f"{number:.4g}"
