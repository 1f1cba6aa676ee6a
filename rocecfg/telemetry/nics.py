"""Alerts on what the network cards count, and on marks of the switches that no card answers."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.model.watched import CNP, ECN, SEQUENCE
from rocecfg.telemetry import records
from rocecfg.telemetry.alerts import (
    HERE,
    LASTING,
    alert_on_paused_time,
    expected_labels,
    exported_series,
    series_of_fabric,
)
from rocecfg.telemetry.parts import Alert, Sample, find_sources, level_samples, round_up_to_ticks, steady_samples
from rocecfg.telemetry.plan import WatchPlan


def alerts(plan: WatchPlan) -> Iterator[Alert]:
    """The alerts that need the counters of network cards; none where nothing is known to export them."""
    yield from _alert_on_no_cnp(plan)
    yield from _alert_on_unanswered(plan)
    yield from alert_on_paused_time(
        plan, "nic-pfc-rx-duration", "RoceNicPausedTime",
        "Measured by the time paused. The switch port, or the path behind it, carries less than the card sends."
    )  # fmt: skip
    yield from _alert_on_reordered(plan)


def _alert_on_no_cnp(plan: WatchPlan) -> Iterator[Alert]:
    """A card that receives marked packets and sends no CNP."""
    marks, cnps = (series_of_fabric(plan, records.RATES[key]) for key in ("nic-ecn-marked", "nic-cnp-sent"))
    yield from _alert_without_cnps(
        plan,
        "nic-ecn-marked",
        "RoceNicSendsNoCnp",
        f"{marks} > 0\nunless on (device, port) {cnps} > 0",
        f"marked packets and no CNP, {HERE}",
        "The card receives marked RoCE packets and sends no CNP, so nobody slows down and PFC does the work: DCQCN's "
        "notification point is off, or off for this priority.",
    )


def _alert_on_unanswered(plan: WatchPlan) -> Iterator[Alert]:
    """Marks of the switches, and no CNP from any card of the fabric."""
    marks, cnps = (
        f"sum by (fabric) ({series_of_fabric(plan, records.RATES[key])})" for key in ("ecn-marked", "nic-cnp-sent")
    )
    yield from _alert_without_cnps(
        plan,
        "ecn-marked",
        "RoceMarksWithoutCnps",
        f"{marks} > 0\nand on (fabric) {cnps} == 0",
        "switches mark packets and no card of {{ $labels.fabric }} sends a CNP",
        "Marks do not reach the receivers as such, or their notification point is off: ECN is rewritten on the way, "
        "the packets are not ECN-capable, or DCQCN is off.",
        {"fabric": plan.fabric},
    )


def _alert_without_cnps(
    plan: WatchPlan,
    marks: str,
    name: str,
    expression: str,
    summary: str,
    description: str,
    labels: dict[str, str] | None = None,
) -> Iterator[Alert]:
    """An alert on marks that no CNP answers. `marks`: the subject that counts them; `labels`: None: those of marks."""
    marked, sent = (next(iter(find_sources(plan, key)), None) for key in (marks, "nic-cnp-sent"))
    if marked is None or sent is None:
        return
    hold = round_up_to_ticks(plan, LASTING)
    after = round_up_to_ticks(plan, hold + 2 * plan.window)
    yield Alert(
        name=name,
        expression=expression,
        hold=hold,
        severity="warning",
        summary=summary,
        description=description,
        about=(ECN, CNP),
        samples=(
            Sample(exported_series(marked), steady_samples(plan, after, 40), steady_samples(plan, after, 40)),
            Sample(exported_series(sent), level_samples(plan, after, 7), steady_samples(plan, after, 1)),
        ),
        expected=expected_labels(plan, marked) if labels is None else labels,
        after=after,
    )


def _alert_on_reordered(plan: WatchPlan) -> Iterator[Alert]:
    """Packets out of sequence: some were lost, unless routing is adaptive and lets them overtake each other."""
    source = next(iter(find_sources(plan, "nic-out-of-sequence")), None)
    if source is None or plan.reorders:
        return
    hold = round_up_to_ticks(plan, LASTING)
    after = round_up_to_ticks(plan, hold + 2 * plan.window)
    yield Alert(
        name="RoceNicOutOfSequence",
        expression=f"{series_of_fabric(plan, records.RATES['nic-out-of-sequence'])} > 0",
        hold=hold,
        severity="warning",
        summary=f"packets out of sequence, {HERE}",
        description="Packets before them were lost: in a lossless fabric by errors of a link or wrong settings.",
        about=(SEQUENCE,),
        samples=(Sample(exported_series(source), steady_samples(plan, after, 1), level_samples(plan, after, 9)),),
        expected=expected_labels(plan, source),
        after=after,
    )
