"""Recording rules: whatever the exporters call them, the counters under one name and with the same labels.

Every series has the labels fabric, device and port, and where they are known speed, class and the number of the
priority, queue or priority group.
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.profiles.exporters import UNITS
from rocecfg.telemetry.parts import Record, Source, find_pulses, find_sources, scrape_window
from rocecfg.telemetry.plan import WatchPlan
from rocecfg.telemetry.promql import relabel, select, show_duration, show_plain_number

EVENTS = 300_000  # ms: the window of what happens once, such as a storm
LINK = 900_000  # ms: the window of a link's errors and flaps
RATES = {  # subjects that are looked at as so many a second
    "pfc-rx-frames": "roce:pfc_rx_frames:rate",
    "pfc-tx-frames": "roce:pfc_tx_frames:rate",
    "ecn-marked": "roce:ecn_marked_packets:rate",
    "nic-pfc-rx-frames": "roce:nic_pfc_rx_frames:rate",
    "nic-pfc-tx-frames": "roce:nic_pfc_tx_frames:rate",
    "nic-ecn-marked": "roce:nic_ecn_marked_packets:rate",
    "nic-cnp-sent": "roce:nic_cnp_sent:rate",
    "nic-cnp-handled": "roce:nic_cnp_handled:rate",
    "nic-out-of-sequence": "roce:nic_out_of_sequence_packets:rate",
}
COUNTS = {  # subjects of which one is too many: name and window, ms
    "watchdog-detected": ("roce:watchdog_storms:increase", EVENTS),
    "queue-drops": ("roce:queue_dropped_packets:increase", EVENTS),
    "pg-drops": ("roce:pg_dropped_packets:increase", EVENTS),
    "carrier-changes": ("roce:link_changes:increase", LINK),
    "fec-uncorrected": ("roce:fec_uncorrected:increase", LINK),
    "port-errors": ("roce:port_errors:increase", LINK),
}
TIMES = {"pfc-rx-duration": "roce:pfc_rx_paused:ratio", "nic-pfc-rx-duration": "roce:nic_pfc_rx_paused:ratio"}
OPEN = "roce:watchdog_storms:open"
QUEUE = "roce:queue_watermark:bytes"
QUEUE_KMAX = "roce:queue_watermark:kmax_ratio"
QUEUE_KMIN = "roce:queue_watermark:kmin_ratio"
HEADROOM = "roce:headroom_watermark:bytes"
HEADROOM_RATIO = "roce:headroom_watermark:ratio"
REPORTING = "roce:device:series"


def make_records(plan: WatchPlan) -> list[Record]:
    """All recording rules of a plan. Those that would give series of one name and labels are one, joined by `or`."""
    out: dict[tuple[str, tuple[tuple[str, str], ...]], Record] = {}
    for record in _make_records(plan):
        key = (record.name, tuple(sorted(record.labels.items())))
        same = out.get(key)
        if same is None:
            out[key] = record
        elif record.expression not in same.expression:
            sources_ = same.source if record.source in same.source else f"{same.source}; {record.source}"
            out[key] = same._replace(expression=f"{same.expression}\nor\n{record.expression}", source=sources_)
    return list(out.values())


def _make_records(plan: WatchPlan) -> Iterator[Record]:
    window_of_rates = show_duration(plan.window)
    for key, name in RATES.items():
        for source in find_sources(plan, key):
            yield _make_record(plan, source, name, f"rate({_select_series(source)}[{window_of_rates}])")
    for key, name in TIMES.items():
        for source in find_sources(plan, key):
            units = UNITS[source.metric.unit or "s"]
            scaled = f" / {show_plain_number(units)}" if units != 1 else ""
            yield _make_record(plan, source, name, f"rate({_select_series(source)}[{window_of_rates}]){scaled}")
    for key, (name, least) in COUNTS.items():
        for source in find_sources(plan, key):
            yield _make_record(
                plan, source, name, f"increase({_select_series(source)}[{scrape_window(plan, least)[1]}])"
            )
    yield from _record_changes(plan)
    yield from _record_open_storms(plan)
    yield from _record_watermarks(plan)
    yield from _record_reporting(plan)


def _select_series(source: Source) -> str:
    return select(source.metric, source.group.place, source.number)


def _make_record(plan: WatchPlan, source: Source, name: str, expression: str) -> Record:
    return Record(
        name,
        relabel(expression, source.metric, source.group.place),
        source.labels(plan),
        f"{source.metric.name}: {source.metric.source}",
    )


def _record_changes(plan: WatchPlan) -> Iterator[Record]:
    """Link changes from a state, where nobody counts them: those between two scrapes go unseen."""
    name, least = COUNTS["carrier-changes"]
    for source in find_sources(plan, "oper-status"):
        if "carrier-changes" not in source.group.exporter.metrics:
            yield _make_record(
                plan, source, name, f"changes({_select_series(source)}[{scrape_window(plan, least)[1]}])"
            )


def _record_open_storms(plan: WatchPlan) -> Iterator[Record]:
    """Storms that were detected and are not over."""
    restored = {(id(s.group), s.classes): s for s in find_sources(plan, "watchdog-restored")}
    for source in find_sources(plan, "watchdog-detected"):
        other = restored.get((id(source.group), source.classes))
        if other is not None:
            detected, over = (relabel(_select_series(s), s.metric, s.group.place) for s in (source, other))
            yield Record(
                OPEN,
                f"{detected}\n- on (device, port)\n{over}",
                source.labels(plan),
                f"{source.metric.name}, {other.metric.name}: {source.metric.source}",
            )


def _record_watermarks(plan: WatchPlan) -> Iterator[Record]:
    for source in find_sources(plan, "queue-watermark"):
        yield _make_record(plan, source, QUEUE, _select_series(source))
        kmins, kmaxs = {c.kmin for c in source.classes}, {c.kmax for c in source.classes}
        for name, limits in ((QUEUE_KMIN, kmins), (QUEUE_KMAX, kmaxs)):
            limit = next(iter(limits)) if len(limits) == 1 else None
            if limit:
                yield _make_record(plan, source, name, f"{_select_series(source)} / {limit}")
    for source in find_sources(plan, "headroom-watermark"):
        yield _make_record(plan, source, HEADROOM, _select_series(source))
        rooms = {c.headroom for c in source.classes}
        limit = next(iter(rooms)) if len(rooms) == 1 else None
        if limit:
            yield _make_record(plan, source, HEADROOM_RATIO, f"{_select_series(source)} / {limit}")


def _record_reporting(plan: WatchPlan) -> Iterator[Record]:
    """How many series each switch has of the metric that asks for the least: none where it is not scraped."""
    for exporter, metric, place, _, number_ in find_pulses(plan):
        yield Record(
            REPORTING,
            f"count by (device) ({relabel(select(metric, place, number_), metric, place)})",
            {"fabric": plan.fabric, "exporter": exporter},
            f"{metric.name}: {metric.source}",
        )
