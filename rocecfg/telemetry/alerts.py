"""Alerts on what the switches count, with the thresholds that the model gives, each with series that prove it.

How much is too much, where physics does not say it, is chosen here and stated in the alert: a tenth of the time paused,
four fifths of the headroom, two changes of a link in the window.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor

from rocecfg.core.units import show_number, show_rate
from rocecfg.model.watched import DROP, ERRORS, FLAPS, INGRESS, PAUSE, QUEUE, WATCHDOG
from rocecfg.physics.pause import full_pause_rate, longest_pause
from rocecfg.profiles.exporters import UNITS
from rocecfg.telemetry import records
from rocecfg.telemetry.parts import (
    Alert,
    Pulse,
    Sample,
    Source,
    find_pulses,
    find_sources,
    jump_samples,
    level_samples,
    raw_series,
    round_up_to_ticks,
    scrape_window,
    steady_samples,
)
from rocecfg.telemetry.plan import WatchPlan
from rocecfg.telemetry.promql import show_plain_number, write_series

OFTEN = 0.1  # share of the time that a priority may be paused
FULL = 0.8  # share of the headroom that may be in use
FLAPPING = 2.5  # changes in the window: one flap makes two, and increase() extrapolates a little
_MOST_PROVEN = 256  # switches of which a test has a series each
_SOON = 60_000  # ms
LASTING = 300_000
_STANDING = 900_000
HERE = "{{ $labels.device }} {{ $labels.port }}"
_CLASS = f"class {{{{ $labels.class }}}} of {HERE}"


def alerts(plan: WatchPlan) -> Iterator[Alert]:
    """The alerts on switches, worst first; those that no exporter of the plan has a metric for are not among them."""
    yield from _alert_on_storms(plan)
    yield from _alert_on_drops(plan)
    yield from _alert_on_pauses(plan)
    yield from _alert_on_paused_time(plan)
    yield from _alert_on_headroom(plan)
    yield from _alert_on_queues(plan)
    yield from _alert_on_links(plan)
    yield from _alert_on_silence(plan)


def expected_labels(plan: WatchPlan, source: Source) -> dict[str, str]:
    """The labels of an alert on a source."""
    return {**source.ends, **source.labels(plan)}


def exported_series(source: Source) -> str:
    """One of its series, as the exporter has it."""
    return raw_series(source.metric, source.group.place, source.ends, source.number)


def series_of_fabric(plan: WatchPlan, name: str) -> str:
    """The series of one name of this fabric."""
    return write_series(name, {"fabric": plan.fabric})


def _alert_on_counter(
    plan: WatchPlan, key: str, name: str, severity: str, about: tuple[str, ...], summary: str, description: str
) -> Iterator[Alert]:
    """An alert on a counter of which one is too many."""
    record, least = records.COUNTS[key]
    source = next(iter(find_sources(plan, key)), None)
    if source is None:
        return
    ms, shown = scrape_window(plan, least)
    after = round_up_to_ticks(plan, ms)
    yield Alert(
        name=name,
        expression=f"{series_of_fabric(plan, record)} > 0",
        severity=severity,
        summary=summary,
        description=f"{description} Counted over {shown}.",
        about=about,
        samples=(Sample(exported_series(source), jump_samples(plan, after), level_samples(plan, after, 5)),),
        expected=expected_labels(plan, source),
        after=after,
    )


def _alert_on_storms(plan: WatchPlan) -> Iterator[Alert]:
    yield from _alert_on_counter(
        plan,
        "watchdog-detected",
        "RoceWatchdogStorm",
        "critical",
        (WATCHDOG,),
        f"PFC watchdog: a storm on {_CLASS}",
        "The peer kept the queue paused for longer than the detection time, so the watchdog acts on RDMA packets. "
        "Check the device behind the port: it pauses again until it is fixed.",
    )
    source = next(iter(find_sources(plan, "watchdog-detected")), None)
    other = next(iter(find_sources(plan, "watchdog-restored")), None)
    if source is None or other is None or source.group is not other.group:
        return
    hold = round_up_to_ticks(plan, _SOON)
    after = round_up_to_ticks(plan, hold + _SOON)
    yield Alert(
        name="RoceWatchdogStormLasts",
        expression=f"{series_of_fabric(plan, records.OPEN)} > 0",
        hold=hold,
        severity="critical",
        summary=f"PFC watchdog: the storm on {_CLASS} is not over",
        description="More storms were detected than restored: the queue is still not lossless.",
        about=(WATCHDOG,),
        samples=(
            Sample(exported_series(source), level_samples(plan, after, 4), level_samples(plan, after, 4)),
            Sample(exported_series(other), level_samples(plan, after, 3), level_samples(plan, after, 4)),
        ),
        expected=expected_labels(plan, source),
        after=after,
    )


def _alert_on_drops(plan: WatchPlan) -> Iterator[Alert]:
    why = "A lossless queue drops only where headroom, maps or PFC are wrong, and RDMA retransmits for each packet."
    yield from _alert_on_counter(
        plan,
        "queue-drops",
        "RoceLosslessQueueDrops",
        "critical",
        (DROP,),
        f"drops in the lossless queue, {_CLASS}",
        why,
    )
    yield from _alert_on_counter(
        plan, "pg-drops", "RoceLosslessGroupDrops", "critical", (DROP,), f"drops at the ingress, {_CLASS}",
        "The priority group ran out of headroom: its size, the cable length or the peer's response is not as planned."
    )  # fmt: skip


def _alert_on_pauses(plan: WatchPlan) -> Iterator[Alert]:
    """By the frames received, one alert a speed: it takes so many to keep a priority paused."""
    done = set()
    for source in find_sources(plan, "pfc-rx-frames"):
        speed = source.group.speed
        if speed is None or speed in done:
            continue
        done.add(speed)
        full = full_pause_rate(speed)
        formula = (
            f"one frame pauses for at most 65535 quanta of 512 bit, {show_number(longest_pause(speed) * 1000)}us at "
            f"{show_rate(speed)}, so it takes {full:.0f} frames/s to keep it paused"
        )
        for name, least, hold, severity, share in (
            ("RocePfcPausedAlways", floor(full), _SOON, "critical", "may be paused all the time"),
            ("RocePfcPausedOften", floor(full * OFTEN), LASTING, "warning", "may be paused a tenth of the time"),
        ):
            yield _pause_alert(plan, source, (name, least, round_up_to_ticks(plan, hold), severity, share, formula))


def _pause_alert(plan: WatchPlan, source: Source, what: tuple[str, int, float, str, str, str]) -> Alert:
    name, least, hold, severity, share, formula = what
    after = round_up_to_ticks(plan, hold + 2 * plan.window)
    step = plan.scrape / 1000
    rate = write_series(records.RATES["pfc-rx-frames"], {"fabric": plan.fabric, "speed": source.group.shown_speed})
    return Alert(
        name=name,
        expression=f"{rate} >= {least}",
        hold=hold,
        severity=severity,
        labels={"speed": source.group.shown_speed},  # two alerts of one name and labels are one to promtool
        summary=f"PFC: {_CLASS} {share}",
        description=f"It receives {least} PFC frames/s or more: {formula}. Shorter pauses need more frames.",
        about=(PAUSE,),
        samples=(
            Sample(
                exported_series(source),
                steady_samples(plan, after, ceil((least + 1) * step)),
                steady_samples(plan, after, floor((least - 1) * step)),
            ),
        ),
        expected=expected_labels(plan, source),
        after=after,
    )


def _alert_on_paused_time(plan: WatchPlan) -> Iterator[Alert]:
    yield from alert_on_paused_time(
        plan, "pfc-rx-duration", "RocePfcPausedTime",
        "Measured by the time paused. The peer, or a device behind it, accepts less than it is sent."
    )  # fmt: skip


def alert_on_paused_time(plan: WatchPlan, key: str, name: str, description: str) -> Iterator[Alert]:
    """By the time that a peer kept a priority paused, where the unit of that counter is known."""
    source = next(iter(find_sources(plan, key)), None)
    if source is None:
        return
    hold = round_up_to_ticks(plan, LASTING)
    after = round_up_to_ticks(plan, hold + 2 * plan.window)
    a_scrape = plan.scrape / 1000 * UNITS[source.metric.unit or "s"]  # as long as the time between two scrapes
    yield Alert(
        name=name,
        expression=f"{series_of_fabric(plan, records.TIMES[key])} > {show_plain_number(OFTEN)}",
        hold=hold,
        severity="warning",
        summary=f"PFC: {_CLASS} is paused more than a tenth of the time",
        description=description,
        about=(PAUSE,),
        samples=(
            Sample(
                exported_series(source),
                steady_samples(plan, after, a_scrape * (OFTEN + 0.01)),
                steady_samples(plan, after, a_scrape * (OFTEN - 0.01)),
            ),
        ),
        expected=expected_labels(plan, source),
        after=after,
    )


def _alert_on_headroom(plan: WatchPlan) -> Iterator[Alert]:
    source = next((s for s in find_sources(plan, "headroom-watermark") if _common_threshold(s, "headroom")), None)
    if source is None:
        return
    room = _common_threshold(source, "headroom")
    yield _watermark_alert(
        plan, source, f"{series_of_fabric(plan, records.HEADROOM_RATIO)} > {show_plain_number(FULL)}",
        ("RoceHeadroomNearlyFull", "warning", (INGRESS,), 0, f"headroom of {_CLASS} nearly full"),
        "More than 80 % of the planned headroom was in use: packets that exceed the headroom are dropped.",
        (floor(room * FULL) + 1, floor(room * FULL) - 1),
    )  # fmt: skip


def _alert_on_queues(plan: WatchPlan) -> Iterator[Alert]:
    found = [
        s
        for s in find_sources(plan, "queue-watermark")
        if _common_threshold(s, "kmax") and _common_threshold(s, "kmin")
    ]
    if not found:
        return
    source = found[0]
    kmin, kmax = _common_threshold(source, "kmin"), _common_threshold(source, "kmax")
    yield _watermark_alert(
        plan, source, f"{series_of_fabric(plan, records.QUEUE_KMAX)} > 1",
        ("RoceQueueAboveKmax", "warning", (QUEUE,), round_up_to_ticks(plan, LASTING), f"queue beyond kmax, {_CLASS}"),
        "The queue grows past kmax, from where every packet is marked: the senders do not slow down, or not soon "
        "enough, and PFC is next.",
        (kmax + 1, kmax),
    )  # fmt: skip
    yield _watermark_alert(
        plan, source, f"{series_of_fabric(plan, records.QUEUE_KMIN)} > 1",
        ("RoceQueueAboveKmin", "info", (QUEUE,), round_up_to_ticks(plan, _STANDING), f"queue beyond kmin, {_CLASS}"),
        "The queue kept reaching kmin, where marking begins: congestion that DCQCN should resolve.",
        (kmin + 1, kmin),
    )  # fmt: skip


def _common_threshold(source: Source, limit: str) -> int:
    """The threshold that all classes of a source share; 0 where they do not, or it is not known."""
    values = {getattr(cls, limit) for cls in source.classes}
    return next(iter(values)) or 0 if len(values) == 1 else 0


def _watermark_alert(
    plan: WatchPlan,
    source: Source,
    expression: str,
    what: tuple[str, str, tuple[str, ...], float, str],
    description: str,
    values: tuple[int, int],
) -> Alert:
    name, severity, about, hold, summary = what
    after = round_up_to_ticks(plan, hold + _SOON)
    return Alert(
        name=name,
        expression=expression,
        hold=hold,
        severity=severity,
        summary=summary,
        description=description,
        about=about,
        samples=(
            Sample(
                exported_series(source), level_samples(plan, after, values[0]), level_samples(plan, after, values[1])
            ),
        ),
        expected=expected_labels(plan, source),
        after=after,
    )


def _alert_on_links(plan: WatchPlan) -> Iterator[Alert]:
    yield from _alert_on_counter(
        plan, "fec-uncorrected", "RoceFecUncorrected", "warning", (ERRORS,), f"errors that FEC did not correct, {HERE}",
        "RDMA retransmits from each lost frame on: check optics, cable and connectors."
    )  # fmt: skip
    yield from _alert_on_counter(
        plan, "port-errors", "RocePortErrors", "warning", (ERRORS,), f"frames received with errors, {HERE}",
        "RDMA retransmits from each lost frame on: check optics, cable and connectors, and the peer's FEC."
    )  # fmt: skip
    record, least = records.COUNTS["carrier-changes"]
    counted = [*find_sources(plan, "carrier-changes"), *find_sources(plan, "oper-status")]
    if not counted:
        return
    source = counted[0]
    ms, shown = scrape_window(plan, least)
    after = round_up_to_ticks(plan, ms)
    if source.metric.subject.key == "carrier-changes":
        values = (jump_samples(plan, after, height=4), jump_samples(plan, after, height=2))
    else:
        values = ("1+0x3 0+0x0 1+0x0 0+0x0 1+0x{n}", "1+0x3 0+0x0 1+0x{n}")
        values = tuple(v.replace("{n}", str(ceil(after / plan.scrape))) for v in values)  # type: ignore[assignment]
    yield Alert(
        name="RoceLinkFlaps",
        expression=f"{series_of_fabric(plan, record)} > {FLAPPING}",
        severity="warning",
        summary=f"the link flaps, {HERE}",
        description=f"It went down and came back more than once in {shown}: routes move, and pauses with them.",
        about=(FLAPS,),
        samples=(Sample(exported_series(source), values[0], values[1]),),
        expected=expected_labels(plan, source),
        after=after if source.metric.subject.key == "carrier-changes" else round_up_to_ticks(plan, 10 * plan.scrape),
    )


def _alert_on_silence(plan: WatchPlan) -> Iterator[Alert]:
    """Switches that are not scraped: by name where one was within the hour, by their number where one never was."""
    found = find_pulses(plan)
    if not found:
        return
    hold = round_up_to_ticks(plan, max(3 * plan.scrape, _SOON))
    count = sum(len(pulse.place.devices) for pulse in found)
    reporting = series_of_fabric(plan, records.REPORTING)
    after = round_up_to_ticks(plan, hold + _SOON)
    yield Alert(
        name="RoceSwitchesMissing",
        expression=f"(count(count by (device) ({reporting})) or vector(0)) < {count}",
        hold=hold,
        severity="warning",
        labels={"fabric": plan.fabric},
        summary=f"fewer than the {count} switches of {plan.fabric} are scraped",
        description=f"The intent names {count} switches; what happens on the others goes unseen.",
        about=(),
        samples=tuple(_all_but_one(plan, found, count, after)),
        expected={},
        after=after,
        alone=True,
    )
    first = found[0]
    device = first.place.devices[0]
    after = round_up_to_ticks(plan, 3 * hold)
    here = raw_series(first.metric, first.place, {"device": device, "port": first.port}, first.number)
    seen = level_samples(plan, hold / 2, 1)
    yield Alert(
        name="RoceSwitchSilent",
        expression=f"max_over_time({reporting}[1h])\nunless on (device) {reporting}",
        hold=hold,
        severity="warning",
        summary="{{ $labels.device }} is not scraped any more",
        description="It was scraped within the last hour. It does not answer, its exporter is down, or it was removed.",
        about=(),
        samples=(Sample(here, f"{seen} stale", level_samples(plan, after, 1)),),
        expected={"device": device, "fabric": plan.fabric, "exporter": first.exporter},
        after=after,
        alone=True,
    )


def _all_but_one(plan: WatchPlan, found: list[Pulse], count: int, after: float) -> Iterator[Sample]:
    """A series of each switch, and of the first one only where nothing is wrong; of two where there are too many."""
    proven = count <= _MOST_PROVEN
    pairs = [(pulse, name) for pulse in found for name in pulse.place.devices]
    for n, (pulse, name) in enumerate(pairs if proven else pairs[:2]):
        here = raw_series(pulse.metric, pulse.place, {"device": name, "port": pulse.port}, pulse.number)
        yield Sample(
            here, level_samples(plan, after, 1) if n else "_x2", level_samples(plan, after, 1) if proven else ""
        )
