"""What the incast does to the queues of each kind of lossless port, as `rocecfg advise` predicts it."""

from __future__ import annotations

import os

from markupsafe import Markup

from rocecfg.advice.advise import Advice, Advised, JudgedCurve, Overrides, advise
from rocecfg.advice.port_kinds import PortKind, find_port_kinds
from rocecfg.advice.predict import LEFT_OUT, MODEL, physics_curve
from rocecfg.advice.wording import show_about, show_share
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_number, show_rate, show_size
from rocecfg.intent import Loaded
from rocecfg.model import Ecn
from rocecfg.profiles import library_in
from rocecfg.report.html import queue_svg
from rocecfg.source.document import SourceError, Sources

MOST = 8  # curves that are predicted: each takes up to some seconds


class PredictedQueue(NamedTuple):
    """Ports of one speed and class that get one prediction."""

    title: str
    where: tuple[str, ...]
    stated: str  # whether another curve is advised, and why
    pictures: tuple[tuple[str, Markup], ...]  # CSS class of the screens that it is for, and the drawing
    figures: tuple[tuple[str, ...], ...]  # of each curve


class Predictions(NamedTuple):
    """What is predicted of a fabric."""

    under: str  # what is assumed
    left_out: tuple[str, ...]
    kinds: tuple[PredictedQueue, ...]
    unknown: str  # why nothing is predicted; empty: it is


def predict_queues(loaded: Loaded, sources: Sources) -> Predictions | None:
    """What is predicted for the queues of a fabric; None where no port is lossless, or no incast is stated."""
    fabric = loaded.fabric
    if fabric is None or fabric.running or fabric.incast is None:
        return None
    kinds = find_port_kinds(fabric)
    curves = {(kind.cls.name, kind.port.speed, _make_shape(kind)) for kind in kinds}
    if not kinds or len(curves) > MOST:
        more = f"{len(curves)} kinds of port differ, more than {MOST}, and each takes seconds"
        return Predictions("", (), (), more) if kinds else None
    try:
        library = library_in(os.path.dirname(loaded.root), sources.allowed)
        found = advise(fabric, loaded.root, Overrides(library=library))
    except SourceError as error:  # a team's own table of curves
        return Predictions("", (), (), str(error))
    params = found.params
    under = (
        f"{fabric.incast} senders to one port (incast), as a model of one bottleneck predicts it: {MODEL}; "
        f"{params.packet:g} B a packet, {show_number(params.delay_us)} us from a mark to the cut of the rate. "
        "The band is mean and standard deviation."
    )
    return Predictions(under, LEFT_OUT, tuple(_list_kinds(found)), "")


def _make_shape(kind: PortKind) -> object:
    curve = kind.cls.ecn_at(kind.port.speed)
    return physics_curve(curve) if isinstance(curve, Ecn) else str(curve)


def _list_kinds(found: Advised) -> list[PredictedQueue]:
    groups: dict[object, list[Advice]] = {}
    for advice in found.advices:
        kind = advice.kind
        sides = tuple(
            (physics_curve(s.curve) if s.curve is not None else s.why_not, s.pause)
            for s in (advice.now, advice.advised)
        )
        groups.setdefault((kind.cls.name, kind.port.speed, sides), []).append(advice)
    return [_make_queue(advices) for advices in list(groups.values())[:MOST]]


def _make_queue(advices: list[Advice]) -> PredictedQueue:
    first = advices[0]
    rate = show_rate(first.kind.port.speed) if first.kind.port.speed is not None else "speed unknown"
    screens = (("roomy", queue_svg.draw_queue(first)), ("small", queue_svg.draw_queue(first, queue_svg.NARROW)))
    stated = first.verdict.why if first.verdict is not None else ""
    if first.verdict is not None:
        stated = f"{'Another curve is advised' if first.verdict.change else 'The curve stays'}: {stated}"
    return PredictedQueue(
        f"{first.kind.cls.name} at {rate}",
        tuple(advice.kind.where for advice in advices),
        stated,
        tuple((css, svg) for css, svg in screens if svg is not None),
        tuple(_list_figures(name, side) for name, side in queue_svg.list_panes(first)),
    )


def _list_figures(name: str, side: JudgedCurve) -> tuple[str, ...]:
    got, curve = side.prediction, side.curve
    ecn = "off"
    if curve is not None:
        ecn = f"{show_size(curve.kmin)} / {show_size(curve.kmax)} / {show_number(curve.pmax)}%"
    if got is None:
        return name, ecn, f"not predicted: {side.why_not}", "", "", "", ""
    return (
        name,
        ecn,
        f"{show_about(got.mean)} ± {show_about(got.sd)}",
        f"{show_about(got.low)} to {show_about(got.high)}",
        show_share(got.utilisation),
        show_share(got.beyond),
        show_share(got.paused) if got.paused is not None else "unknown",
    )
