"""Advice as text in detail: now, advised and why, 110 columns wide."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from rocecfg.advice.advise import Advice, Advised
from rocecfg.advice.checks import Bound, BoundCheck
from rocecfg.advice.marking import CURVE
from rocecfg.advice.port_kinds import AdvisedSetting
from rocecfg.advice.predict import LEFT_OUT, MODEL, Prediction
from rocecfg.advice.wording import Citations, show_about, show_about_time, show_share, show_value
from rocecfg.core.units import show_length, show_number, show_percent, show_rate
from rocecfg.core.visible import visible, visible_text
from rocecfg.model import EcnPercent
from rocecfg.source.document import Sources

_WIDTH = 110
_LABEL, _VALUE = 21, 15
_WHY = _WIDTH - 2 - _LABEL - 2 * _VALUE
LABELS = {
    "headroom_xoff_bytes": "headroom xoff",
    "headroom_xon_bytes": "headroom xon",
    "headroom_size_bytes": "headroom size",
    "kmin_bytes": "ECN kmin",
    "kmax_bytes": "ECN kmax",
    "pmax_percent": "ECN pmax",
    "weight": "ECN weight",
    "watchdog_action": "watchdog action",
}
_TIMERS = ("watchdog_detection_ms", "watchdog_restoration_ms", "watchdog_poll_ms")
_RARE = ("weight", "watchdog_action")  # a row only where they differ


def render(found: Iterable[Advised], sources: Sources) -> str:
    """The whole text, ending in a line break."""
    cites = Citations(sources)
    lines: list[str] = []
    fabrics = list(found)
    for one in fabrics:
        lines += [*_fabric(one, cites), ""]
    if any(one.advices for one in fabrics):
        lines.append(f"The predictions are of {MODEL}. It leaves out:")
        for item in LEFT_OUT:
            lines += wrap(item, "  - ")
        lines += ["", "Sources:"]
        for word, number in cites.words.items():
            lines += wrap(word, f"  [{number}] ")
    while lines and not lines[-1]:
        lines.pop()
    return visible_text(lines)


def wrap(text: str, lead: str) -> list[str]:
    """Lines of that width, the first after `lead`, the others below its end."""
    return textwrap.wrap(
        visible(text), _WIDTH, initial_indent=lead, subsequent_indent=" " * len(lead), break_on_hyphens=False
    )


def heading(of: Advised, cites: Citations, *, sourced: bool = True) -> Iterator[str]:
    """What a fabric has, and under what it is checked; `sourced`: with the numbers of the sources."""
    count = len(of.advices)
    yield f"fabric {of.fabric.name} ({of.root}): {count or 'no'} kind{'s' * (count != 1)} of lossless port"
    for note in of.notes:
        yield from wrap(note, "  note: ")
    if not count:
        return
    aims, params = of.aims, of.params
    incast = f"{aims.incast} senders" if aims.incast is not None else "unknown"
    rtt = show_about_time(aims.rtt * 1e3) if aims.rtt is not None else "unknown"
    senders = of.nic.title if of.nic is not None else "published"
    yield from wrap(
        f"incast {incast}, base round trip {rtt}{cites(aims.inputs) if sourced else ''}, {_describe_basis(of)}; DCQCN "
        f"as {senders}, {show_number(params.delay_us)}us from a mark to the cut, "
        f"packets of {params.packet:g} B",
        "  ",
    )


def describe_far(of: Advice) -> str:
    """What the cable adds to the way of marks, where it is longer than the base round trip; else empty."""
    if not of.far_us:
        return ""
    return f"marks come back {show_about_time(of.far_us)} later, over {show_length(of.kind.port.cable or 0)} of cable"


def _describe_basis(of: Advised) -> str:
    """What `ecn: auto` begins with on these ports."""
    aims = of.aims
    family = f"ECN family {aims.family.name if aims.family is not None else 'unknown'}"
    chips = {(k.device.asic.name, k.port.speed) for k in (a.kind for a in of.advices) if k.device.asic is not None}
    tables = [(aims.tables(name) if aims.tables is not None else None, speed) for name, speed in chips]
    served = [table is not None and table.curve(speed or 0, None) is not None for table, speed in tables]
    if not any(served):
        return family
    return "`ecn: auto` from the chip's table" + ("" if all(served) else f", else {family}")


def _fabric(of: Advised, cites: Citations) -> Iterator[str]:
    yield from heading(of, cites)
    for number, advice in enumerate(of.advices, 1):
        yield ""
        yield from _kind(number, advice, cites)


def _kind(number: int, of: Advice, cites: Citations) -> Iterator[str]:
    kind, port, device = of.kind, of.kind.port, of.kind.device
    where = f"{number}. {kind.where}"
    yield where if len(where) <= _WIDTH else f"{where[: _WIDTH - 3]}..."
    facts = [
        f"{kind.total} port{'s' * (kind.total != 1)}" if kind.total else "",
        f"class {kind.cls.name}",
        show_rate(port.speed) if port.speed is not None else "speed unknown",
        f"cable {show_length(port.cable)}" if port.cable is not None else "cable unknown",
        f"MTU {port.mtu}" if port.mtu is not None else "MTU unknown",
        f"to {port.faces}" if port.faces else "",
        kind.role or "",
        " ".join(filter(None, (device.vendor, kind.chip.release))),
        device.platform.name if device.platform is not None else "",
        device.asic.title if device.asic is not None else "chip unknown",
        f"pool B {show_about(device.pools.lossless)}" if device.pools.lossless is not None else "pool unknown",
        f"shared by n = {kind.sharing} ports" if kind.sharing is not None else "",
        describe_far(of),
    ]
    yield from wrap(", ".join(filter(None, facts)) + cites((device.pools.origins.get("lossless"),)), "   ")
    yield from wrap(summary(of), "   => ")
    yield _row("", "now", "advised", "why")[0]
    above = ""
    for setting in shown_settings(of.settings):
        why = "as above" if setting.why == above else setting.why
        above = setting.why
        yield from _row(
            LABELS.get(setting.key, setting.key),
            show_value(setting.key, setting.now),
            "same" if setting.same else show_value(setting.key, setting.advised),
            why + cites((*setting.origins, setting.now_at)),
        )
    unknown: dict[str, list[str]] = {}
    for check in of.checks:
        if check.advised.limit is None and check.now.limit is None:
            unknown.setdefault(check.formula, []).append(check.what)
        else:
            yield from _check_row(check)
    for why, bounds in unknown.items():
        yield from _row(f"{', '.join(dict.fromkeys(bounds))} ?", "-", "-", why)
    yield from _prediction_rows(of)
    yield from _describe_pauses(of)


def summary(of: Advice) -> str:
    """What there is to do, in a line. A curve where none is stated is for information: who left it out may know why."""
    differing = [s.key for s in of.settings if s.advised is not None and not s.same]
    better = of.verdict is not None and of.verdict.change
    other_curve = not better and any(key in CURVE for key in differing)
    differing = [key for key in differing if better or key not in CURVE]
    change = dict.fromkeys(LABELS.get(key, key.partition("_")[0]) for key in differing)
    beyond = [check.grave for check in of.checks if check.now.holds is False]
    clauses = [f"change {', '.join(change)}" if change else "nothing to change"]
    if any(beyond):
        clauses.append(f"{sum(beyond)} bound{'s' * (sum(beyond) != 1)} BROKEN now")
    if not all(beyond):
        clauses.append(f"{beyond.count(False)} exceeded now")
    if show_percent_curve(of):
        clauses.append("ECN not checked")
    if other_curve:
        clauses.append("for information: the curve that `ecn: auto` gives")
    return "; ".join(clauses)


def show_percent_curve(of: Advice) -> str:
    """The curve that is stated in percent of the queue's buffer; empty where none is."""
    curve = of.kind.cls.ecn_at(of.kind.port.speed)
    if not isinstance(curve, EcnPercent):
        return ""
    return f"ECN {show_percent(curve.kmin)}/{show_percent(curve.kmax)}/{show_percent(curve.pmax)}"


def shown_settings(settings: tuple[AdvisedSetting, ...]) -> Iterator[AdvisedSetting]:
    """The settings worth a row, the watchdog's timers in one."""
    timers = {s.key: s for s in settings if s.key in _TIMERS}
    for setting in settings:
        if setting.key == "watchdog":
            yield _join_timers(setting, [timers[key] for key in _TIMERS])
        elif setting.key in _TIMERS or (setting.key in _RARE and (setting.same or setting.advised is None)):
            continue
        elif setting.now is not None or setting.advised is not None or setting.key == "alpha":
            yield setting


def _join_timers(state: AdvisedSetting, timers: list[AdvisedSetting]) -> AdvisedSetting:
    """`200/400/100ms`: detection, restoration and poll interval."""

    def joined(values: list[object]) -> str:
        return "/".join(show_number(v) if isinstance(v, (int, float)) else "-" for v in values) + "ms"

    now = joined([t.now for t in timers]) if state.now == "on" else state.now
    why = f"detection, restoration, poll: {'; '.join(t.why for t in timers)}"
    if all(t.advised is None for t in timers):  # the system has times of its own, or no watchdog
        return state._replace(now=now, now_at=timers[0].now_at)
    origins = tuple(origin for t in timers for origin in t.origins)
    return AdvisedSetting("watchdog", now, timers[0].now_at, joined([t.advised for t in timers]), why, origins)


def _row(label: str, now: str, advised: str, why: str) -> list[str]:
    lines = textwrap.wrap(why, _WHY, break_on_hyphens=False) or [""]
    first = f"  {label:<{_LABEL - 1}} {now:<{_VALUE - 1}} {advised:<{_VALUE - 1}} {lines[0]}".rstrip()
    return [first, *(" " * (2 + _LABEL + 2 * _VALUE) + line for line in lines[1:])]


def show_bound(of: BoundCheck) -> str:
    """`kmax < 755.8KB`."""
    limit = of.advised.limit
    return f"{of.what} {show_about(limit) if limit is not None else '?'}"


def _check_row(of: BoundCheck) -> list[str]:
    limit = of.advised.limit
    label = show_bound(of)

    def side(bound: Bound) -> str:
        word = {True: "holds", False: "BROKEN" if of.grave else "beyond", None: "-"}[bound.holds]
        differs = bound.limit is not None and bound.limit != limit
        return f"{word} ({show_about(bound.limit)})" if differs and bound.limit is not None else word

    return _row(label, side(of.now), side(of.advised), of.formula)


def _prediction_rows(of: Advice) -> Iterator[str]:
    sides = (of.now, of.advised)
    if any(side.prediction is not None for side in sides):
        rows = [_prediction_cells(side.prediction) for side in sides]
        for n, (label, why) in enumerate(
            (
                ("marked p*", "the part of packets that holds each sender at its share"),
                ("queue q*", "where the curve marks just so many"),
                ("mean queue", "marks fall by chance: " + _describe_method(of)),
                ("delay behind it", ""),
                ("standard deviation", ""),
                ("lowest queue", "1 % of the time it is below"),
                ("highest queue", "1 % of the time it is above"),
                ("time empty", ""),
                ("time above kmax", "where every packet is marked"),
                ("link used", ""),
                ("time paused", "at alpha B/(1 + alpha), where PFC pauses a port that feeds this queue alone"),
            )
        ):
            yield from _row(label, rows[0][n], rows[1][n], why)
    for name, side in (("now", of.now), ("advised", of.advised)):
        if side.prediction is None and (name == "now" or side.why_not != of.now.why_not):
            yield from wrap(f"prediction {name}: not computed: {side.why_not}", "  ")
        if side.late is not None:
            yield from wrap(f"{name}, {describe_late_answers(side.late)}", "  ")
    if any(side.largest is not None for side in sides):
        most = [str(side.largest) if side.largest is not None else "-" for side in sides]
        yield from _row("most senders", most[0], most[1], "beyond, p* is above pmax")


def describe_late_answers(of: Prediction) -> str:
    """What is predicted with senders that answer a mark within tau at its end."""
    return (
        f"where marks soon after a CNP are answered late: queue {show_about(of.mean)} with sd {show_about(of.sd)}; "
        f"link {show_share(of.utilisation)} used"
    )


def _describe_pauses(of: Advice) -> Iterator[str]:
    """How soon PFC acts, and whether the first burst fits before it does."""
    sides = (of.now, of.advised)
    if any(side.fill_us is not None for side in sides):
        fills = [show_about_time(side.fill_us) if side.fill_us is not None else "-" for side in sides]
        why = "a port fills alpha B/(1 + alpha) that nothing drains, and PFC pauses its peer"
        yield from _row("time to pause", fills[0], fills[1], why)
    if of.burst is not None:
        burst = of.burst
        fits = [("fits" if burst <= s.burst_fits else "PFC acts") if s.burst_fits is not None else "-" for s in sides]
        enough = of.advised.burst_fits
        limit = (
            f"; PFC pauses senders from N alpha B/(1 + N alpha) = {show_about(enough)} on" if enough is not None else ""
        )
        why = f"(N - 1) x speed x delay / 8, at line rate until the first cut{limit}"
        yield from _row(f"first burst {show_about(burst)}", fits[0], fits[1], why)


def _describe_method(of: Advice) -> str:
    sides = (("now", of.now.prediction), ("advised", of.advised.prediction))
    words = {True: "senders simulated one by one", False: "noise around the fixed point, whose swings are small"}
    reported = {name: words[side.simulated] for name, side in sides if side is not None}
    if len(set(reported.values())) == 1:
        return next(iter(reported.values()))
    return "; ".join(f"{name}: {word}" for name, word in reported.items())


def _prediction_cells(of: Prediction | None) -> list[str]:
    if of is None:
        return ["-"] * 11
    return [
        show_share(of.marking),
        show_about(of.queue) if of.queue is not None else "off the ramp",
        show_about(of.mean),
        show_about_time(of.delay_us),
        show_about(of.sd),
        show_about(of.low),
        show_about(of.high),
        show_share(of.empty),
        show_share(of.beyond),
        show_share(of.utilisation),
        show_share(of.paused) if of.paused is not None else "unknown",
    ]
