"""Alerts on what the network cards count, and on marks of the switches that no card answers."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.rules.ops_words import CNP, ECN, SEQUENCE
from rocecfg.telemetry import records
from rocecfg.telemetry.alerts import HERE, LASTING, expected, in_fabric, paused_time, series
from rocecfg.telemetry.parts import Alert, Sample, level, sources, steady, ticks
from rocecfg.telemetry.plan import WatchPlan


def alerts(plan: WatchPlan) -> Iterator[Alert]:
    """The alerts that need the counters of network cards; none where nothing is known to export them."""
    yield from _no_cnp(plan)
    yield from _unanswered(plan)
    yield from paused_time(
        plan, "nic-pfc-rx-duration", "RoceNicPausedTime",
        "By the time the switch kept it paused: its port, or what lies behind, takes less than the card sends."
    )  # fmt: skip
    yield from _reordered(plan)


def _no_cnp(plan: WatchPlan) -> Iterator[Alert]:
    """A card that receives marked packets and sends no CNP."""
    marked, sent = (next(iter(sources(plan, key)), None) for key in ("nic-ecn-marked", "nic-cnp-sent"))
    if marked is None or sent is None:
        return
    hold = ticks(plan, LASTING)
    after = ticks(plan, hold + 2 * plan.window)
    yield Alert(
        name="RoceNicSendsNoCnp",
        expression=f"{in_fabric(plan, records.RATES['nic-ecn-marked'])} > 0\n"
        f"unless on (device, port) {in_fabric(plan, records.RATES['nic-cnp-sent'])} > 0",
        hold=hold,
        severity="warning",
        labels={},
        summary=f"marked packets and no CNP, {HERE}",
        description="The card receives marked RoCE packets and sends no CNP, so nobody slows down and PFC does the "
        "work: DCQCN's notification point is off, or off for this priority.",
        about=(ECN, CNP),
        samples=(
            Sample(series(marked), steady(plan, after, 40), steady(plan, after, 40)),
            Sample(series(sent), level(plan, after, 7), steady(plan, after, 1)),
        ),
        expected=expected(plan, marked),
        after=after,
    )


def _unanswered(plan: WatchPlan) -> Iterator[Alert]:
    """Marks of the switches, and no CNP from any card of the fabric."""
    marked, sent = (next(iter(sources(plan, key)), None) for key in ("ecn-marked", "nic-cnp-sent"))
    if marked is None or sent is None:
        return
    hold = ticks(plan, LASTING)
    after = ticks(plan, hold + 2 * plan.window)
    total = "sum by (fabric) ({})".format
    yield Alert(
        name="RoceMarksWithoutCnps",
        expression=f"{total(in_fabric(plan, records.RATES['ecn-marked']))} > 0\n"
        f"and on (fabric) {total(in_fabric(plan, records.RATES['nic-cnp-sent']))} == 0",
        hold=hold,
        severity="warning",
        labels={},
        summary="switches mark packets and no card of {{ $labels.fabric }} sends a CNP",
        description="Marks do not reach the receivers as such, or their notification point is off: ECN is rewritten on "
        "the way, the packets are not ECN-capable, or DCQCN is off.",
        about=(ECN, CNP),
        samples=(
            Sample(series(marked), steady(plan, after, 40), steady(plan, after, 40)),
            Sample(series(sent), level(plan, after, 7), steady(plan, after, 1)),
        ),
        expected={"fabric": plan.fabric},
        after=after,
    )


def _reordered(plan: WatchPlan) -> Iterator[Alert]:
    """Packets out of sequence: some were lost, unless routing is adaptive and lets them overtake each other."""
    source = next(iter(sources(plan, "nic-out-of-sequence")), None)
    if source is None or plan.reorders:
        return
    hold = ticks(plan, LASTING)
    after = ticks(plan, hold + 2 * plan.window)
    yield Alert(
        name="RoceNicOutOfSequence",
        expression=f"{in_fabric(plan, records.RATES['nic-out-of-sequence'])} > 0",
        hold=hold,
        severity="warning",
        labels={},
        summary=f"packets out of sequence, {HERE}",
        description="Packets before them were lost: in a lossless fabric by errors of a link or a fault of the plan.",
        about=(SEQUENCE,),
        samples=(Sample(series(source), steady(plan, after, 1), level(plan, after, 9)),),
        expected=expected(plan, source),
        after=after,
    )
