"""A drawing of the queue against time for both curves, with their thresholds: one SVG for a kind of port.

No scripts, fonts or pictures from elsewhere; the same input gives the same bytes; readable on light and dark ground.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor, log10
from xml.sax.saxutils import escape, quoteattr

from rocecfg.advice.advise import Advice, Advised, Side
from rocecfg.advice.predict import CAVEAT, LEFT_OUT
from rocecfg.advice.wording import show_about, show_share
from rocecfg.core.units import show_rate, show_size

_WIDE, _HIGH = 1000, 690
_LEFT, _RIGHT = 88, 170
_PLOT_W, _PLOT_H = _WIDE - _LEFT - _RIGHT, 240
_TOPS = {"now": 72, "advised": 376}  # of the two panels
_LEAST = 1e3  # bytes: the axis ends there, and what is less lies on it
_LABEL_GAP = 14  # px between two labels
_TITLE = 110  # letters

# Plain colours and no variables: not only browsers draw this.
_STYLE = """\
svg { color: #1d2430; color-scheme: light dark; font: 12px sans-serif; }
text { fill: currentColor; }
.ground { fill: #ffffff; }
.grid { stroke: #d5dae1; }
.axis { stroke: currentColor; fill: none; }
.title { font-size: 15px; font-weight: bold; }
.outcome { font-size: 13px; }
.queue { fill: none; stroke: #1d4ed8; stroke-linejoin: round; }
.threshold { stroke-width: 1.4; }
.kmin { stroke: #15803d; stroke-dasharray: 2 3; }
.kmax { stroke: #b45309; stroke-dasharray: 7 4; }
.pause { stroke: #b91c1c; stroke-dasharray: 12 3 2 3; }
@media (prefers-color-scheme: dark) {
  svg { color: #e5e9f0; }
  .ground { fill: #171a21; }
  .grid { stroke: #3a414d; }
  .queue { stroke: #7aa2ff; }
  .kmin { stroke: #4ade80; }
  .kmax { stroke: #f59e0b; }
  .pause { stroke: #f87171; }
}
"""


def draw(of: Advised, number: int) -> str | None:
    """The drawing of the fabric's kind of port of that number, from 1; None where nothing is predicted for it."""
    advice = of.advices[number - 1]
    sides = (("now", advice.now), ("advised", advice.advised))
    known = [side.prediction for _, side in sides if side.prediction is not None]
    if not known:
        return None
    tops = [size for _, side in sides for _, _, size in _thresholds(side)]
    scale = _Scale(max(*tops, *(one.high for one in known)))
    seconds = max(one.times_us[-1] for one in known) / 1e6
    title = _title(of, advice)
    size = f'viewBox="0 0 {_WIDE} {_HIGH}" width="{_WIDE}" height="{_HIGH}"'
    shown = title if len(title) <= _TITLE else f"{title[: _TITLE - 3]}..."
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="title desc">',
        f'<title id="title">{escape(title)}</title>',
        f'<desc id="desc">{escape(_describe(sides))}</desc>',
        f"<style>\n{_STYLE}</style>",
        f'<rect class="ground" width="{_WIDE}" height="{_HIGH}"/>',
        f'<text class="title" x="16" y="28">{escape(shown)}</text>',
    ]
    for name, side in sides:
        parts += _panel(name, side, scale, seconds)
    end = f"{CAVEAT}: DCQCN, {of.params.delay_us:g} us from a mark to the cut of the rate"
    parts += [f'<text x="{_WIDE - 16}" y="{_HIGH - 10}" text-anchor="end">{escape(end)}</text>', "</svg>"]
    return "\n".join(parts) + "\n"


class _Scale:
    """Bytes to a share of the height, by their logarithm: thresholds lie decades apart."""

    def __init__(self, top: float) -> None:
        self.low = log10(_LEAST)
        self.high = max(log10(max(top, _LEAST)) * 1.02, self.low + 1)

    def part(self, size: float) -> float:
        return (log10(max(size, _LEAST)) - self.low) / (self.high - self.low)

    def ticks(self) -> Iterator[int]:
        """1, 2 and 5 of each decade; decades alone where there are many."""
        steps = (1, 2, 5) if self.high - self.low < 4 else (1,)
        for decade in range(floor(self.low), ceil(self.high) + 1):
            for step in steps:
                size = step * 10**decade
                if self.low <= log10(size) <= self.high:
                    yield size


def _thresholds(side: Side) -> list[tuple[str, str, float]]:
    """Class, words and height of each line."""
    found: list[tuple[str, str, float]] = []
    if side.curve is not None:
        found = [("kmin", "kmin", side.curve.kmin), ("kmax", "kmax", side.curve.kmax)]
    if side.pause is not None:
        found.append(("pause", "PFC pause", side.pause))
    return found


def _panel(name: str, side: Side, scale: _Scale, seconds: float) -> Iterator[str]:
    top = _TOPS[name]
    bottom, right = top + _PLOT_H, _LEFT + _PLOT_W

    def height(size: float) -> float:
        return top + _PLOT_H * (1 - scale.part(size))

    yield f'<g class="{name}">'
    yield f'<text class="outcome" x="{_LEFT}" y="{top - 8}">{escape(_outcome(name, side))}</text>'
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
    yield (
        f'<text x="20" y="{middle:g}" text-anchor="middle" transform="rotate(-90 20 {middle:g})">'
        f"queue, log scale from {show_size(int(_LEAST))}</text>"
    )
    if side.prediction is not None:
        points = " ".join(
            f"{_LEFT + _PLOT_W * us / (seconds * 1e6):.1f},{height(size):.1f}"
            for us, size in zip(side.prediction.times_us, side.prediction.queues, strict=True)
        )
        yield f'<polyline class="queue" points="{points}"/>'
    lowest = 0.0
    for class_, words, bound in sorted(_thresholds(side), key=lambda line: -line[2]):
        y = height(bound)
        lowest = max(y + 4, lowest + _LABEL_GAP)
        yield (
            f'<line class="threshold {class_}" data-name={quoteattr(words)} data-bytes="{bound:.0f}" '
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


def _outcome(name: str, side: Side) -> str:
    got = side.prediction
    if got is None:
        return f"{name}: not computed, {side.why_not}"
    low, high, mean = show_about(got.low), show_about(got.high), show_about(got.mean)
    return f"{name}: from {low} to {high}, mean {mean}, p* {show_share(got.marking)}"


def _describe(sides: tuple[tuple[str, Side], ...]) -> str:
    """What stands for the drawing where it cannot be seen."""
    sentences = []
    for name, side in sides:
        lines = ", ".join(f"{words} {show_about(size)}" for _, words, size in _thresholds(side))
        sentences.append(f"{_outcome(name, side)}; {lines or 'no thresholds'}")
    return f"Queue against time: {CAVEAT}. {'. '.join(sentences)}. Left out: {'; '.join(LEFT_OUT)}."
