"""Advice in short: one block for each kind of lossless port, or for kinds of which all is the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rocecfg.advice.advise import Advice, Advised, JudgedCurve
from rocecfg.advice.checks import BoundCheck
from rocecfg.advice.predict import MODEL
from rocecfg.advice.text import (
    LABELS,
    describe_far,
    describe_late_answers,
    heading,
    show_bound,
    show_percent_curve,
    shown_settings,
    summary,
    wrap,
)
from rocecfg.advice.wording import Citations, show_about, show_share, show_value
from rocecfg.core.units import show_rate
from rocecfg.core.visible import visible_text
from rocecfg.model import Family
from rocecfg.source.document import Sources

_CURVE = ("kmin_bytes", "kmax_bytes", "pmax_percent")


def render(found: Iterable[Advised], sources: Sources) -> str:
    """The whole text, ending in a line break."""
    lines: list[str] = []
    for of in found:
        lines += [*heading(of, Citations(sources), sourced=False), ""]
        for numbers, advices in _group_alike(of.advices):
            lines += [*_block(numbers, advices), ""]
        if of.advices:
            lines += wrap(f"Predicted by {MODEL}. --details has every setting, bound and source.", "")
    while lines and not lines[-1]:
        lines.pop()
    return visible_text(lines)


def _group_alike(advices: tuple[Advice, ...]) -> Iterator[tuple[list[int], list[Advice]]]:
    """Kinds that have and get the same for the same reasons, with their numbers; in order of the first of each."""
    groups: dict[str, tuple[list[int], list[Advice]]] = {}
    for number, advice in enumerate(advices, 1):
        phrase = "\n".join((advice.kind.cls.name, str(advice.kind.port.speed), *_body(advice)))
        numbers, members = groups.setdefault(phrase, ([], []))
        numbers.append(number)
        members.append(advice)
    yield from groups.values()


def _block(numbers: list[int], advices: list[Advice]) -> Iterator[str]:
    for number, advice in zip(numbers, advices, strict=True):
        kind, port = advice.kind, advice.kind.port
        facts = [
            f"{kind.total} port{'s' * (kind.total != 1)}" if kind.total else "",
            show_rate(port.speed) if port.speed is not None else "speed unknown",
            f"to {port.faces}" if port.faces else "",
            f"class {kind.cls.name}",
            describe_far(advice),
        ]
        yield from wrap(f"{kind.where}: {', '.join(filter(None, facts))}", f"{number}. ")
    yield from _body(advices[0])


def _body(of: Advice) -> Iterator[str]:
    """What there is to do, why, and the figures that matter: the queue, the link's use, and pauses."""
    yield from wrap(summary(of), "   => ")
    for setting in shown_settings(of.settings):
        ours = setting.key in _CURVE and (of.verdict is None or not of.verdict.change)
        if setting.advised is not None and not setting.same and not ours:
            now, then = show_value(setting.key, setting.now), show_value(setting.key, setting.advised)
            why = "" if setting.key in _CURVE else f": {setting.why}"
            yield from wrap(f"{LABELS.get(setting.key, setting.key)} {now} -> {then}{why}", "   ")
    if of.verdict is not None:
        yield from wrap(f"{'ECN' if of.verdict.change else 'ECN stays'}: {of.verdict.why}", "   ")
    for check in of.checks:
        if check.now.holds is False:
            yield from wrap(_show_exceeded(check), "   ")
    yield from _figures("now", of.now, show_percent_curve(of))
    if of.advised != of.now and of.advised.curve is not None:
        yield from _figures("advised", of.advised)
    if of.published:
        yield from _show_published(of.published)


def _show_published(found: Iterable[tuple[Family, JudgedCurve]]) -> Iterator[str]:
    """What others set for such a port, a line each."""
    yield f"   {'published for such ports':<46} {'kmin / kmax / pmax':<26}{'queue, sd':<19}link used"
    for family, side in found:
        curve, got = side.curve, side.prediction
        assert curve is not None  # a family has one
        ecn = f"{show_value('kmin_bytes', curve.kmin)} / {show_value('kmax_bytes', curve.kmax)} / {curve.pmax:g}%"
        figures = "not predicted"  # for the same reason as the port's own
        if got is not None:
            figures = f"{f'{show_about(got.mean)}, {show_about(got.sd)}':<19}{show_share(got.utilisation)}"
            if got.paused:
                figures += f", paused {show_share(got.paused)}"
        yield from wrap(figures, f"     {family.title:<44} {ecn:<26}")


def _show_exceeded(of: BoundCheck) -> str:
    word = "BROKEN" if of.grave else "exceeded"
    return f"{word} now: {show_bound(of)}: {of.formula}"


def _figures(name: str, side: JudgedCurve, stated: str = "") -> Iterator[str]:
    got, curve = side.prediction, side.curve
    ecn = stated or "no ECN"
    if curve is not None:
        ecn = f"ECN {show_value('kmin_bytes', curve.kmin)}/{show_value('kmax_bytes', curve.kmax)}/{curve.pmax:g}%"
    if got is None:
        yield from wrap(f"{name}, {ecn}: not predicted: {side.why_not}", "   ")
        return
    pauses = "when PFC pauses is unknown"
    if side.pause is not None and got.paused is not None:
        pauses = f"PFC pauses at {show_about(side.pause)}, {show_share(got.paused)} of the time"
    queue = f"queue {show_about(got.mean)} with sd {show_about(got.sd)}"
    yield from wrap(f"{name}, {ecn}: {queue}; link {show_share(got.utilisation)} used; {pauses}", "   ")
    if side.late is not None:
        yield from wrap(f"{name}, {describe_late_answers(side.late)}", "   ")
