"""The buffer of a kind of port on one axis of bytes: the marking curve, and a row for each threshold and size.

The axis is logarithmic, since thresholds lie decades apart: places are compared on it, lengths are not.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor, log10

from markupsafe import Markup

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_number, show_size
from rocecfg.model import Ecn
from rocecfg.report.html.buffers import Buffer, BufferMark
from rocecfg.report.html.safe import fill_markup, join_markup
from rocecfg.rules.amounts import format_rough_size

_CURVE, _TOP = 64, 14
_TICK = 6.2  # px of a letter of a tick
_POINTS = 24  # of a ramp
_UNITS = ((1_000_000, "MB"), (1000, "KB"))
_LEAST = 10_000  # bytes from which on a largest size is in KB


class BufferLayout(NamedTuple):
    """Where things stand, px. `stacked`: names stand above what they name, for screens as narrow as a telephone's."""

    css: str
    left: int  # of the axis
    plot: int  # its length
    right: int  # beside it
    row: int  # height
    stacked: bool

    @property
    def wide(self) -> int:
        """Of the drawing."""
        return self.left + self.plot + self.right


WIDE = BufferLayout("buffer", 262, 560, 98, 22, stacked=False)
NARROW = BufferLayout("narrow", 14, 316, 30, 38, stacked=True)


class Axis:
    """Bytes to px, by their logarithm: whole decades around all that is shown."""

    def __init__(self, sizes: list[float], layout: BufferLayout = WIDE) -> None:
        self.left, self.plot = layout.left, layout.plot
        self.low = floor(log10(min(sizes)))
        self.high = max(ceil(log10(max(sizes))), self.low + 1)
        self.factor, unit = next((u for u in _UNITS if min(sizes) >= u[0]), (1, "B"))
        if self.factor == 1 and max(sizes) >= _LEAST:
            self.factor, unit = _UNITS[-1]
        self.unit = unit if self.factor == 1 else f"{unit} ({self.factor} B)"

    def x(self, size: float) -> float:
        """Where a size is; what is off the axis is at its end."""
        part = (log10(max(size, 1.0)) - self.low) / (self.high - self.low)
        return self.left + self.plot * min(max(part, 0.0), 1.0)

    def figure(self, size: float) -> str:
        """A size as a number in the unit of the axis, of four digits or more."""
        number = size / self.factor
        for least, places in ((1000, 0), (100, 1), (10, 2)):
            if number >= least:
                return f"{number:,.{places}f}".removesuffix(".0").removesuffix(".00")
        return show_number(round(number, 3))

    def ticks(self) -> Iterator[tuple[int, bool]]:
        """1, 2 and 5 of each decade, and whether it is the decade."""
        for decade in range(self.low, self.high + 1):
            for step in (1, 2, 5) if decade < self.high else (1,):
                yield step * 10**decade, step == 1


def draw_buffer(of: Buffer, layout: BufferLayout = WIDE) -> Markup | None:
    """The drawing; None where no size is known."""
    marks = [mark for mark in of.marks if mark.size > 0]  # an xon of 0 is in the table
    if not marks:
        return None
    axis = Axis([mark.size for mark in marks], layout)
    top = _TOP + 8 if layout.stacked else _TOP
    curve = _CURVE + 18 if of.ecn is not None and 0 < of.ecn.kmin <= of.ecn.kmax else 0
    bottom = top + curve + layout.row * len(marks) + 4
    high = bottom + (40 if layout.stacked else 24)
    description = f"Buffer of class {of.cls} on {of.title}: " + ", ".join(f"{m.name} {format_size(m)}" for m in marks)
    form = '<svg class="{}" viewBox="0 0 {} {}" role="img" aria-label="{}">'
    parts = [fill_markup(form, layout.css, layout.wide, high, description)]
    free = 0.0  # from which x on a tick has room for its number
    for size, decade in axis.ticks():
        x = f"{axis.x(size):.1f}"
        kind = "grid" if decade else "grid minor"
        parts.append(fill_markup('<path class="{}" d="M{} {}V{}"/>', kind, x, top, bottom))
        figure = axis.figure(size)
        half = len(figure) * _TICK / 2
        if decade and axis.x(size) - half >= free:
            parts.append(fill_markup('<text class="tick" x="{}" y="{}">{}</text>', x, bottom + 16, figure))
            free = axis.x(size) + half + 4
    at = (layout.left, bottom + 34, "start") if layout.stacked else (layout.left - 30, bottom + 16, "end")
    parts.append(fill_markup('<text class="unit" x="{}" y="{}" text-anchor="{}">{}</text>', *at, axis.unit))
    if curve and of.ecn is not None:
        parts += _draw_ramp(of.ecn, axis, top, layout)
    for number, mark in enumerate(marks):
        parts.append(_draw_row(mark, axis, top + curve + layout.row * number, layout))
    return join_markup([*parts, Markup("</svg>")])


def format_size(mark: BufferMark) -> str:
    """A size in words: as it is written where it is exact, else in four digits."""
    return show_size(int(mark.size)) if mark.exact else format_rough_size(mark.size)


def trace_ramp(ecn: Ecn, axis: Axis) -> list[tuple[float, float]]:
    """The marking curve: x in px, and the part of packets that are marked. Straight in bytes, bent on this axis."""
    out = [(float(axis.left), 0.0), (axis.x(ecn.kmin), 0.0)]
    for step in range(1, _POINTS + 1):
        part = step / _POINTS
        out.append((axis.x(ecn.kmin + (ecn.kmax - ecn.kmin) * part), part * ecn.pmax / 100))
    return [*out, (axis.x(ecn.kmax), 1.0), (float(axis.left + axis.plot), 1.0)]


def _draw_ramp(ecn: Ecn, axis: Axis, top: int, layout: BufferLayout) -> Iterator[Markup]:
    base = top + _CURVE
    points = [f"{x:.1f} {base - part * _CURVE:.1f}" for x, part in trace_ramp(ecn, axis)]
    yield fill_markup('<path class="ramp" d="M{}L{}V{}H{}Z"/>', points[0], "L".join(points[1:]), base, axis.left)
    if layout.stacked:
        yield fill_markup(
            '<text class="name" x="{}" y="{}">packets marked by ECN, 0 to 100%</text>', axis.left, top - 7
        )
    else:
        yield fill_markup('<text class="name" x="8" y="{}">packets marked by ECN</text>', top + _CURVE / 2 + 4)
        yield fill_markup('<text class="scale" x="{}" y="{}">100%</text>', axis.left - 6, top + 9)
        yield fill_markup('<text class="scale" x="{}" y="{}">0%</text>', axis.left - 6, base)
    y = base - ecn.pmax / 100 * _CURVE
    x = axis.x(ecn.kmax)
    yield fill_markup('<path class="pmax" d="M{} {}H{}"/>', f"{x - 16:.1f}", f"{y:.1f}", f"{x:.1f}")
    at = min(max(y - 4, top + 9), base - 3)
    yield fill_markup(
        '<text class="scale" x="{}" y="{}">pmax {}%</text>', f"{x - 6:.1f}", f"{at:.1f}", show_number(ecn.pmax)
    )


def _draw_row(mark: BufferMark, axis: Axis, top: float, layout: BufferLayout) -> Markup:
    """A mark: its name, and its place on the axis beside that, or below it. `top`: of its row."""
    x = axis.x(mark.size)
    y = top + (layout.row - 9 if layout.stacked else layout.row / 2)
    words = top + 15 if layout.stacked else y + 4
    return fill_markup(
        '<g class="mark {}"><title>{}</title><text class="name" x="{}" y="{}"><tspan class="key">{}</tspan> {}</text>'
        '<path class="lead" d="M{} {}H{}"/><circle cx="{}" cy="{}" r="5"/>'
        '<text class="value" x="{}" y="{}">{}</text></g>',
        mark.lane,
        f"{mark.name}, {mark.what}: {format_size(mark)}",
        layout.left if layout.stacked else 8,
        f"{words:.1f}",
        mark.name,
        mark.what,
        axis.left,
        f"{y:.1f}",
        f"{x:.1f}",
        f"{x:.1f}",
        f"{y:.1f}",
        layout.wide - 4,
        f"{words:.1f}",
        axis.figure(mark.size),
    )
