"""The queue of a port under the incast, with its mean and standard deviation and the thresholds: for the page.

The same axis as the drawings of `rocecfg advise --svg`, in the page's colours; one layout for wide screens, one for
narrow ones.
"""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from rocecfg.advice.advise import Advice, JudgedCurve
from rocecfg.advice.svg import Scale, describe_outcome, is_same_curve, list_thresholds
from rocecfg.advice.wording import show_about
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_size
from rocecfg.report.html.safe import fill_markup, join_markup

_SPAN = 0.2e6  # us of the axis where no run was simulated
_GAP = 13  # px between two names of thresholds
_HEAD, _FOOT = 22, 34  # px above and below a pane


class QueueLayout(NamedTuple):
    """Where things stand, px. `inside`: thresholds are named in the plot, for screens as narrow as a telephone's."""

    css: str
    left: int
    plot: int
    right: int
    high: int  # of a pane's plot
    points: int  # of a queue's course, at most
    inside: bool

    @property
    def wide(self) -> int:
        """Of the drawing."""
        return self.left + self.plot + self.right


WIDE = QueueLayout("queue", 78, 620, 222, 170, 300, inside=False)
NARROW = QueueLayout("narrow queue", 58, 292, 10, 150, 150, inside=True)


def list_panes(of: Advice) -> list[tuple[str, JudgedCurve]]:
    """The sides that are drawn: one where nothing changes."""
    return [("as it is", of.now)] if is_same_curve(of) else [("now", of.now), ("advised", of.advised)]


def draw_queue(of: Advice, layout: QueueLayout = WIDE) -> Markup | None:
    """The drawing; None where nothing is predicted."""
    sides = list_panes(of)
    if all(side.prediction is None for _, side in sides):
        return None
    scale = Scale(side for _, side in sides)
    runs = [side.prediction.times_us for _, side in sides if side.prediction is not None]
    span = max((times[-1] for times in runs if times), default=_SPAN)
    pane = _HEAD + layout.high + _FOOT
    text = ". ".join(describe_outcome(name, side) for name, side in sides)
    parts = [
        fill_markup(
            '<svg class="{}" viewBox="0 0 {} {}" role="img" aria-label="{}">',
            layout.css,
            layout.wide,
            pane * len(sides),
            f"Queue against time. {text}",
        )
    ]
    for number, (name, side) in enumerate(sides):
        parts += _draw_pane(name, side, pane * number + _HEAD, scale, span, layout)
    return join_markup([*parts, Markup("</svg>")])


def _draw_pane(
    name: str, side: JudgedCurve, top: int, scale: Scale, span: float, layout: QueueLayout
) -> Iterator[Markup]:
    left, bottom, right = layout.left, top + layout.high, layout.left + layout.plot

    def height(size: float) -> str:
        return f"{bottom - layout.high * scale.part(size):.1f}"

    for size in scale.ticks():
        y = height(size)
        yield fill_markup('<path class="grid" d="M{} {}H{}"/>', left, y, right)
        yield fill_markup(
            '<text class="scale" x="{}" y="{}">{}</text>', left - 6, f"{float(y) + 4:.1f}", show_size(size)
        )
    for part in range(5):
        x = left + layout.plot * part / 4
        yield fill_markup('<path class="grid" d="M{} {}V{}"/>', f"{x:g}", top, bottom)
        yield fill_markup(
            '<text class="tick" x="{}" y="{}">{}</text>', f"{x:g}", bottom + 15, f"{span / 1e3 * part / 4:g}"
        )
    yield fill_markup('<text class="unit" x="{}" y="{}">ms</text>', left - 24, bottom + 15)
    got = side.prediction
    if got is not None:
        high, low = float(height(got.mean + got.sd)), float(height(max(got.mean - got.sd, 0.0)))
        form = '<rect class="band" x="{}" y="{}" width="{}" height="{}"/>'
        yield fill_markup(form, left, f"{high:.1f}", layout.plot, f"{low - high:.1f}")
        if got.simulated:
            every = -(-len(got.queues) // layout.points)
            points = " ".join(
                f"{left + layout.plot * us / span:.1f},{height(size)}"
                for us, size in zip(got.times_us[::every], got.queues[::every], strict=True)
            )
            yield fill_markup('<polyline class="course" points="{}"/>', points)
        yield fill_markup('<path class="mean" d="M{} {}H{}"/>', left, height(got.mean), right)
    beyond = []
    lowest = float(top) - _GAP
    for css, words, bound in sorted(list_thresholds(side), key=lambda line: -line[2]):
        text = f"{words} {show_about(bound)}"
        if bound > scale.high:
            beyond.append(f"{text} above")
            continue
        y = height(bound)
        yield fill_markup(
            '<path class="threshold {}" d="M{} {}H{}"><title>{}</title></path>', css, left, y, right, text
        )
        lowest = max(float(y) + (-3 if layout.inside else 4), lowest + _GAP)
        at = (right - 4, "end") if layout.inside else (right + 8, "start")
        yield fill_markup(
            '<text class="of {}" x="{}" y="{}" text-anchor="{}">{}</text>', css, at[0], f"{lowest:.1f}", at[1], text
        )
    yield fill_markup('<text class="name" x="{}" y="{}">{}</text>', left, top - 8, name)
    yield fill_markup(
        '<text class="unit" x="{}" y="{}" text-anchor="end">{}</text>', layout.wide - 4, top - 8, "; ".join(beyond)
    )
