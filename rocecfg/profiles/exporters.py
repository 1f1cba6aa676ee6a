"""What an exporter calls the counters of switches and network cards: `profiles/exporters/`.

A metric is a figure whose `value` is its name, with the labels that say which port and which queue. One that a profile
does not have is not known: nobody guesses at it.
"""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.profiles.files import Entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

SIDES = ("switch", "host")
UNITS = {"us": 1e6, "ns": 1e9, "ms": 1e3, "s": 1.0, "B": 1.0}  # how many of them are a second, or a byte
PRIORITY = "{priority}"  # stands in a metric's name for the number of the priority


class Subject(NamedTuple):
    """Something that can be counted, whoever exports it."""

    key: str
    means: str
    side: str  # of SIDES
    kind: str  # counter | gauge
    by: str  # what it is counted by besides the port: priority, queue, pg, or "" for nothing
    units: tuple[str, ...] = ()  # those its value may be in; (): a plain count


_TIMES = ("us", "ns", "ms", "s")
SUBJECTS = {
    subject.key: subject
    for subject in (
        Subject("pfc-rx-frames", "PFC frames received for a priority", "switch", "counter", "priority"),
        Subject("pfc-tx-frames", "PFC frames sent for a priority", "switch", "counter", "priority"),
        Subject("pfc-rx-duration", "time a priority was paused by its peer", "switch", "counter", "priority", _TIMES),
        Subject("watchdog-detected", "storms that the PFC watchdog detected", "switch", "counter", "queue"),
        Subject("watchdog-restored", "storms after which it restored the queue", "switch", "counter", "queue"),
        Subject("queue-drops", "packets that a queue dropped", "switch", "counter", "queue"),
        Subject("pg-drops", "packets that were dropped on their way into a priority group", "switch", "counter", "pg"),
        Subject("ecn-marked", "packets that a queue marked", "switch", "counter", "queue"),
        Subject("queue-watermark", "longest queue of late", "switch", "gauge", "queue", ("B",)),
        Subject("headroom-watermark", "most headroom in use of late", "switch", "gauge", "pg", ("B",)),
        Subject("carrier-changes", "times a link went up or down", "switch", "counter", ""),
        Subject("oper-status", "whether a link is up", "switch", "gauge", ""),
        Subject("fec-uncorrected", "errors that FEC did not correct", "switch", "counter", ""),
        Subject("port-errors", "frames received with errors", "switch", "counter", ""),
        Subject("nic-pfc-rx-frames", "PFC frames received for a priority", "host", "counter", "priority"),
        Subject("nic-pfc-tx-frames", "PFC frames sent for a priority", "host", "counter", "priority"),
        Subject("nic-pfc-rx-duration", "time a priority was paused", "host", "counter", "priority", _TIMES),
        Subject("nic-ecn-marked", "marked packets received", "host", "counter", ""),
        Subject("nic-cnp-sent", "CNPs sent for marked packets", "host", "counter", ""),
        Subject("nic-cnp-handled", "CNPs received and acted upon", "host", "counter", ""),
        Subject("nic-out-of-sequence", "packets received out of sequence", "host", "counter", ""),
    )
}


class Metric(NamedTuple):
    """What an exporter calls one subject."""

    subject: Subject
    name: str  # PRIORITY stands for the number of the priority
    labels: Mapping[str, str]  # port, priority, queue, pg -> the label that holds it
    where: Mapping[str, str]  # labels that must have these values
    unit: str | None  # None: a plain count, or not known
    needs: str | None  # what has to be turned on for it
    source: str
    mark: str

    @property
    def by_index(self) -> bool:
        """Whether its series tell the priorities (queues, priority groups) apart in a way that is known."""
        return not self.subject.by or self.subject.by in self.labels or PRIORITY in self.name

    @property
    def measured(self) -> bool:
        """Whether what its numbers mean is known."""
        return not self.subject.units or self.unit is not None


class Exporter(NamedTuple):
    """An exporter's metrics by the subject's key."""

    name: str
    file: str
    title: str
    side: str  # of SIDES
    device: str | None  # the label that names the switch or host; None: not known
    metrics: Mapping[str, Metric]


def load_exporter(name: str, file: str, stated: Entry) -> Exporter:
    """An exporter as its profile says it; ProfileError where that does not keep to the format."""
    side = stated.word("on", SIDES)
    device = None
    if "device" in stated:
        of = stated.entry("device")
        of.cited()
        device = of.text("value")
        of.done()
    metrics = {}
    for key, entry in stated.named("metrics"):
        subject = SUBJECTS.get(key)
        if subject is None or subject.side != side:
            known = ", ".join(s.key for s in SUBJECTS.values() if s.side == side)
            raise entry.fail(f"{key} is nothing that is counted on a {side}", f"known: {known}")
        metrics[key] = _read_metric(subject, entry)
    title = stated.text("title")
    stated.done()
    return Exporter(name, file, title, side, device, metrics)


def _read_metric(subject: Subject, stated: Entry) -> Metric:
    source, mark = stated.cited()
    metric = Metric(
        subject=subject,
        name=stated.text("value"),
        labels=stated.pairs("labels"),
        where=stated.pairs("where"),
        unit=stated.word("unit", subject.units) if "unit" in stated else None,
        needs=stated.maybe("needs"),
        source=source,
        mark=mark,
    )
    if "port" not in metric.labels:
        raise stated.fail(f"{subject.key} does not state which label holds the port", "write labels: {port: ...}")
    strange = [name for name in metric.labels if name not in ("port", subject.by)]
    if strange:
        raise stated.fail(f"{subject.key} is not counted by {strange[0]}", f"its labels: {_show_dimensions(subject)}")
    if not metric.by_index and metric.needs is None:
        raise stated.fail(
            f"{subject.key} does not state which label holds the {subject.by}",
            f"write labels: {{port: ..., {subject.by}: ...}}, or needs: what keeps others out of it",
        )
    bare = metric.name.replace(PRIORITY, "3")
    for name in (bare, *metric.labels.values(), *metric.where):
        if not is_name(name):
            raise stated.fail(
                f"{name!r} is not a name of a metric or label of Prometheus", "letters, digits, underscores"
            )
    stated.done()
    return metric


def is_name(text: str) -> bool:
    """Whether Prometheus takes a name for a metric or label: ASCII letters, digits, underscores, no digit first."""
    return text.isascii() and text.isidentifier()


def _show_dimensions(subject: Subject) -> str:
    return ", ".join(name for name in ("port", subject.by) if name)
