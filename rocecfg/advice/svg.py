"""A drawing of the queue for both curves, mean and standard deviation, with thresholds: one SVG for a kind of port.

Where nothing changes one pane is drawn. The axis is linear, from 0 to what the queue reaches, and kmax where that is
near; a kmax or a depth where PFC pauses that lies beyond is told in words.

No scripts, fonts or pictures from elsewhere; the same input gives the same bytes; readable on light and dark ground.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from math import floor, log10

from rocecfg.advice.advise import Advice, Advised, JudgedCurve
from rocecfg.advice.predict import LEFT_OUT, MODEL, physics_curve
from rocecfg.advice.wording import show_about, show_share
from rocecfg.core.units import show_rate, show_size

_WIDE, _PANE, _HEAD, _FOOT = 1000, 304, 72, 62
_LEFT, _RIGHT = 88, 170
_PLOT_W, _PLOT_H = _WIDE - _LEFT - _RIGHT, 240
_TICKS = 6  # about so many on the axis
_LABEL_GAP = 14  # px between two labels
_FLAT = 2.5  # times what the queue reaches: a kmax beyond that is told in words, or the queue were a line
_TITLE = 110  # letters
_SPAN = 0.2e6  # us of the axis where no run was simulated

# Plain colours and no variables: not only browsers draw this.
_STYLE = """\
svg { color: #1d2430; color-scheme: light dark; font: 12px sans-serif; }
text { fill: currentColor; }
.ground { fill: #ffffff; }
.grid { stroke: #d5dae1; }
.axis { stroke: currentColor; fill: none; }
.title { font-size: 15px; font-weight: bold; }
.outcome { font-size: 13px; }
.queue { fill: none; stroke: #1d4ed8; stroke-opacity: 0.6; stroke-linejoin: round; }
.band { fill: #1d4ed8; opacity: 0.18; }
.mean { stroke: #1d4ed8; stroke-width: 2; }
.threshold { stroke-width: 1.4; }
.kmin { stroke: #15803d; stroke-dasharray: 2 3; }
.kmax { stroke: #b45309; stroke-dasharray: 7 4; }
.pause { stroke: #b91c1c; stroke-dasharray: 12 3 2 3; }
@media (prefers-color-scheme: dark) {
  svg { color: #e5e9f0; }
  .ground { fill: #171a21; }
  .grid { stroke: #3a414d; }
  .queue, .mean { stroke: #7aa2ff; }
  .band { fill: #7aa2ff; }
  .kmin { stroke: #4ade80; }
  .kmax { stroke: #f59e0b; }
  .pause { stroke: #f87171; }
}
"""


def draw(of: Advised, number: int) -> str | None:
    """The drawing of the fabric's kind of port of that number, from 1; None where nothing is predicted for it."""
    advice = of.advices[number - 1]
    sides = [("now", advice.now), ("advised", advice.advised)]
    known = [side.prediction for _, side in sides if side.prediction is not None]
    if not known:
        return None
    if is_same_curve(advice):
        sides = [("kept", advice.now)]
    scale = Scale(side for _, side in sides)
    seconds = max((one.times_us[-1] for one in known if one.times_us), default=_SPAN) / 1e6
    title = _title(of, advice)
    high = _HEAD + _PANE * (len(sides) - 1) + _PLOT_H + _FOOT
    size = f'viewBox="0 0 {_WIDE} {high}" width="{_WIDE}" height="{high}"'
    shown = title if len(title) <= _TITLE else f"{title[: _TITLE - 3]}..."
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="title desc">',
        f'<title id="title">{escape(title)}</title>',
        f'<desc id="desc">{escape(_describe(sides))}</desc>',
        f"<style>\n{_STYLE}</style>",
        f'<rect class="ground" width="{_WIDE}" height="{high}"/>',
        f'<text class="title" x="16" y="28">{escape(shown)}</text>',
    ]
    for n, (name, side) in enumerate(sides):
        parts += _draw_panel(name, side, _HEAD + n * _PANE, scale, seconds)
    delay = of.params.delay_us + advice.far_us
    end = f"{MODEL}; {delay:g} us from a mark to the cut of the rate; band: mean and standard deviation"
    parts += [f'<text x="{_WIDE - 16}" y="{high - 10}" text-anchor="end">{escape(end)}</text>', "</svg>"]
    return "\n".join(parts) + "\n"


def is_same_curve(of: Advice) -> bool:
    """Whether the curve that is advised is the one that the ports have."""
    now, advised = of.now.curve, of.advised.curve
    return now is not None and advised is not None and physics_curve(now) == physics_curve(advised)


def _highest_shown(side: JudgedCurve) -> float:
    """What is to be seen of one side, bytes: the queue's extremes, kmin, and kmax unless the queue were flat for it."""
    got, curve = side.prediction, side.curve
    seen = [*(got.queues if got else ()), got.high if got else 0.0, curve.kmin if curve else 0.0, 1.0]
    if curve is not None and (got is None or curve.kmax <= _FLAT * max(seen)):
        seen.append(curve.kmax)
    return max(seen)


class Scale:
    """Bytes to a share of the height, such that the queues of both sides are seen; thresholds beyond are not."""

    def __init__(self, sides: Iterable[JudgedCurve]) -> None:
        self.high = max(map(_highest_shown, sides)) * 1.06

    def part(self, size: float) -> float:
        """A size as a share of the height."""
        return size / self.high

    def ticks(self) -> Iterator[int]:
        """Whole steps of 1, 2 or 5 times a power of ten."""
        power = 10 ** floor(log10(self.high / _TICKS))
        step = max(next(power * n for n in (1, 2, 5, 10) if power * n >= self.high / _TICKS), 1)
        size = 0
        while size <= self.high:
            yield int(size)
            size += step


def list_thresholds(side: JudgedCurve) -> list[tuple[str, str, float]]:
    """Class, words and height in bytes of each line."""
    found: list[tuple[str, str, float]] = []
    if side.curve is not None:
        found = [("kmin", "kmin", side.curve.kmin), ("kmax", "kmax", side.curve.kmax)]
    if side.pause is not None:
        found.append(("pause", "PFC pause", side.pause))
    return found


def _draw_panel(name: str, side: JudgedCurve, top: float, scale: Scale, seconds: float) -> Iterator[str]:
    bottom, right = top + _PLOT_H, _LEFT + _PLOT_W

    def height(size: float) -> float:
        return top + _PLOT_H * (1 - scale.part(size))

    yield f'<g class="{name}">'
    yield f'<text class="outcome" x="{_LEFT}" y="{top - 8}">{escape(describe_outcome(name, side))}</text>'
    for size in scale.ticks():
        y = height(size)
        yield f'<line class="grid" x1="{_LEFT}" x2="{right}" y1="{y:.2f}" y2="{y:.2f}"/>'
        yield (
            f'<text class="tick" data-bytes="{size}" data-y="{y:.2f}" x="{_LEFT - 6}" y="{y + 4:.2f}" '
            f'text-anchor="end">{show_size(size)}</text>'
        )
    for part in range(5):
        x = _LEFT + _PLOT_W * part / 4
        yield f'<line class="grid" x1="{x:.2f}" x2="{x:.2f}" y1="{top}" y2="{bottom}"/>'
        yield f'<text x="{x:.2f}" y="{bottom + 16}" text-anchor="middle">{seconds * 1e3 * part / 4:g}</text>'
    yield f'<text x="{right + 18}" y="{bottom + 16}">time, ms</text>'
    middle = top + _PLOT_H / 2
    yield (f'<text x="20" y="{middle:g}" text-anchor="middle" transform="rotate(-90 20 {middle:g})">queue</text>')
    got = side.prediction
    if got is not None:
        low, high = height(max(got.mean - got.sd, 0.0)), height(got.mean + got.sd)
        yield (
            f'<rect class="band" data-mean="{got.mean:.0f}" data-sd="{got.sd:.0f}" x="{_LEFT}" y="{high:.2f}" '
            f'width="{_PLOT_W}" height="{low - high:.2f}"/>'
        )
        if got.simulated:
            points = " ".join(
                f"{_LEFT + _PLOT_W * us / (seconds * 1e6):.1f},{height(size):.1f}"
                for us, size in zip(got.times_us, got.queues, strict=True)
            )
            yield f'<polyline class="queue" points="{points}"/>'
        yield f'<line class="mean" x1="{_LEFT}" x2="{right}" y1="{height(got.mean):.2f}" y2="{height(got.mean):.2f}"/>'
    lowest, beyond = 0.0, float(top) - 8
    for class_, words, bound in sorted(list_thresholds(side), key=lambda line: -line[2]):
        if bound > scale.high:
            text = f"{words} {show_about(bound)}, above"
            yield f'<text class="beyond" x="{right + 8}" y="{beyond:g}">{escape(text)}</text>'
            beyond -= _LABEL_GAP
            continue
        y = height(bound)
        lowest = max(y + 4, lowest + _LABEL_GAP)
        yield (
            f'<line class="threshold {class_}" data-name="{escape(words)}" data-bytes="{bound:.0f}" '
            f'x1="{_LEFT}" x2="{right}" y1="{y:.2f}" y2="{y:.2f}"/>'
        )
        shown_bound = show_about(bound) if class_ == "pause" else show_size(int(bound))
        yield f'<text x="{right + 8}" y="{lowest:.2f}">{escape(words)} {shown_bound}</text>'
    yield f'<path class="axis" d="M{_LEFT} {top}V{bottom}H{right}"/>'
    yield "</g>"


def _title(of: Advised, advice: Advice) -> str:
    kind = advice.kind
    rate = show_rate(kind.port.speed) if kind.port.speed is not None else ""
    return f"{of.aims.incast} senders to one {rate} port: {of.fabric.name}, class {kind.cls.name}, {kind.where}"


def describe_outcome(name: str, side: JudgedCurve) -> str:
    """What comes of a side, in a sentence."""
    got = side.prediction
    if got is None:
        return f"{name}: not computed, {side.why_not}"
    queue = (
        f"{name}: {show_about(got.mean)} with sd {show_about(got.sd)}, {show_about(got.low)} to {show_about(got.high)}"
    )
    return f"{queue} except 1 % of the time each, link {show_share(got.utilisation)} used"


def _describe(sides: list[tuple[str, JudgedCurve]]) -> str:
    """What stands for the drawing where it cannot be seen."""
    sentences = []
    for name, side in sides:
        lines = ", ".join(f"{words} {show_about(size)}" for _, words, size in list_thresholds(side))
        sentences.append(f"{describe_outcome(name, side)}; {lines or 'no thresholds'}")
    return f"The queue: {MODEL}. {'. '.join(sentences)}. Left out: {'; '.join(LEFT_OUT)}."
