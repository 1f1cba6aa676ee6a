"""The fabric as an SVG: boxes in rows, hosts at the bottom, and a line for each bundle of cables.

Where everything stands is computed here, in px of the drawing; colours are the page's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from math import log2

from markupsafe import Markup

from rocecfg.core.records import NamedTuple
from rocecfg.report.html.drawn import Drawn, DrawnBox, DrawnBundle
from rocecfg.report.html.safe import fill_markup, join_markup
from rocecfg.report.html.words import format_rate

_GAP = 14
_BOX_H = 46
_ROW_H = 150
_SIDE = 10  # px between the tiers' names and the boxes
_MOST_W = 190
_LABELS = 16  # bundles between two rows that have a label each; of more, the sum at the left tells
_LETTER = 6.7  # px of a letter of 12 px, on average
_SMALL = 6.0  # px of one of 11 px
_TOP = 16
_BEND = 88.0  # px that lines between boxes of one row are bent by, at most
_STEPS = (0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78)  # where on a line its label may stand, best first
_TIERS = {0: "hosts", 1: "leaf", 2: "spine", 3: "superspine"}


class FabricLayout(NamedTuple):
    """How wide the drawing is, and where its boxes begin, px: the tiers' names stand before them, if there is room."""

    css: str
    wide: int
    left: int


WIDE = FabricLayout("fabric", 1120, 118)
NARROW = FabricLayout("narrow", 360, 0)
"""For screens as narrow as a telephone's."""


class BoxPosition(NamedTuple):
    """Where a box stands."""

    x: float
    y: float
    wide: float

    @property
    def middle(self) -> float:
        """Of its width."""
        return self.x + self.wide / 2


class BundleLine(NamedTuple):
    """Where a bundle runs, and its label; None: there is no room for it."""

    bundle: DrawnBundle
    start: tuple[float, float]
    end: tuple[float, float]
    bend: float  # px that it is bent by, where it joins boxes of one row; 0: straight
    label: tuple[float, float] | None


def arrange_rows(of: Drawn) -> list[tuple[int, list[int]]]:
    """The tiers from the top down, each with the numbers of its boxes."""
    by_tier: dict[int, list[int]] = {}
    for number, box in enumerate(of.boxes):
        by_tier.setdefault(box.tier, []).append(number)
    known = sorted((tier for tier in by_tier if tier >= 0), reverse=True)
    return [(tier, by_tier[tier]) for tier in (*known, *(t for t in by_tier if t < 0))]


def place_boxes(of: Drawn, layout: FabricLayout = WIDE) -> dict[int, BoxPosition]:
    """Where each box stands: rows fill the width, and are centred."""
    out: dict[int, BoxPosition] = {}
    room = layout.wide - layout.left
    for number, (_, boxes) in enumerate(arrange_rows(of)):
        wide = min(_MOST_W, (room - _GAP * (len(boxes) - 1)) / len(boxes))
        step = min(room / len(boxes), _MOST_W * 2) if len(boxes) > 1 else 0
        left = layout.left + (room - step * (len(boxes) - 1)) / 2
        for at, box in enumerate(boxes):
            out[box] = BoxPosition(left + step * at - wide / 2, _TOP + number * _ROW_H, wide)
    return out


def place_lines(of: Drawn, at: dict[int, BoxPosition], layout: FabricLayout = WIDE) -> list[BundleLine]:
    """Each bundle's line; labels only where they cover nothing."""
    taken = [(spot.x - 4, spot.y - 4, spot.x + spot.wide + 4, spot.y + _BOX_H + 4) for spot in at.values()]
    fan: dict[tuple[int, bool], list[int]] = {}  # box and whether at its top -> the other boxes
    for bundle in of.bundles:
        up = at[bundle.b].y < at[bundle.a].y
        fan.setdefault((bundle.a, up), []).append(bundle.b)
        fan.setdefault((bundle.b, not up), []).append(bundle.a)
    between: Counter[tuple[int, int]] = Counter()
    for bundle in of.bundles:
        between[of.boxes[bundle.a].tier, of.boxes[bundle.b].tier] += 1
    for others in fan.values():
        others.sort(key=lambda n: (at[n].middle, n))
    out = []
    for bundle in of.bundles:
        low, high = at[bundle.a], at[bundle.b]
        if low.y == high.y:
            apart = abs(high.middle - low.middle)
            aside = 0.0 if apart else low.wide / 4  # cables between switches of one box go out and come back
            start, end = (low.middle - aside, low.y + _BOX_H), (high.middle + aside, high.y + _BOX_H)
            bend = min(_BEND, 30 + apart * 0.06)
        else:
            up = high.y < low.y
            start = _find_foot(low, fan[bundle.a, up], bundle.b), low.y + (0 if up else _BOX_H)
            end = _find_foot(high, fan[bundle.b, not up], bundle.a), high.y + (_BOX_H if up else 0)
            bend = 0.0
        crowded = between[of.boxes[bundle.a].tier, of.boxes[bundle.b].tier] > _LABELS
        label = None if crowded else _place_label(bundle.cables_in_words, start, end, bend, taken, layout.wide)
        out.append(BundleLine(bundle, start, end, bend, label))
    return out


def _find_foot(spot: BoxPosition, others: list[int], other: int) -> float:
    """Where on a box's edge the line to another one begins."""
    return spot.x + spot.wide * (others.index(other) + 1) / (len(others) + 1)


def _place_label(
    text: str,
    start: tuple[float, float],
    end: tuple[float, float],
    bend: float,
    taken: list[tuple[float, float, float, float]],
    wide: float,
) -> tuple[float, float] | None:
    """The middle of a label, and its place is taken from then on."""
    half = len(text) * _SMALL / 2 + 3
    for part in _STEPS if not bend else (0.5,):
        x = start[0] + (end[0] - start[0]) * part
        y = start[1] + (end[1] - start[1]) * part + bend * 0.75
        own = (x - half, y - 9, x + half, y + 7)
        if own[0] < 0 or own[2] > wide:
            continue
        if all(own[2] <= o[0] or own[0] >= o[2] or own[3] <= o[1] or own[1] >= o[3] for o in taken):
            taken.append(own)
            return x, y
    return None


def clip_text(text: str, wide: float, letter: float = _LETTER) -> str:
    """A text that fits a width in px, its middle left out where it does not."""
    most = max(3, int(wide / letter))
    if len(text) <= most:
        return text
    tail = (most - 1) // 2
    return f"{text[: most - 1 - tail]}…{text[len(text) - tail :]}"


def draw_fabric(
    of: Drawn, title: str, circle: frozenset[frozenset[str]] = frozenset(), layout: FabricLayout = WIDE
) -> Markup:
    """The drawing. `circle`: pairs of switches whose links are to stand out."""
    at = place_boxes(of, layout)
    found = arrange_rows(of)
    last = found[-1][0]
    peers = any(of.boxes[b.a].tier == of.boxes[b.b].tier == last for b in of.bundles)
    high = _TOP * 2 + _ROW_H * (len(found) - 1) + _BOX_H + (int(_BEND) if peers else 0)
    parts = [
        fill_markup(
            '<svg class="{}" viewBox="0 0 {} {}" role="img" aria-label="{}"><title>{}</title>',
            layout.css,
            layout.wide,
            high,
            title,
            title,
        )
    ]
    for number, (tier, _) in enumerate(found if layout.left else ()):
        y = _TOP + number * _ROW_H + _BOX_H / 2 + 4
        name = "switches" if tier == found[0][0] == 1 else _name_tier(tier)  # one tier alone is none
        parts.append(fill_markup('<text class="tier" x="4" y="{}">{}</text>', f"{y:.0f}", name))
    if layout.left:
        parts += _draw_sums(of, found, layout.left - _SIDE)
    drawn = place_lines(of, at, layout)
    stand_out = _find_boxes(of, circle)
    parts += [_draw_line(of, line, {line.bundle.a, line.bundle.b} in stand_out) for line in drawn]
    parts += [_draw_box(box, at[number]) for number, box in enumerate(of.boxes)]
    parts += [_draw_label(line) for line in drawn if line.label is not None]
    return join_markup([*parts, Markup("</svg>")])


def _name_tier(tier: int) -> str:
    return _TIERS.get(tier, "tier unknown" if tier < 0 else f"tier {tier}")


def _draw_sums(of: Drawn, found: list[tuple[int, list[int]]], wide: float) -> Iterator[Markup]:
    """What joins each row to the one above, in words at the left, where they may be so wide."""
    for number, ((above, _), (below, _)) in enumerate(pairwise(found)):
        bundles = [b for b in of.bundles if {of.boxes[b.a].tier, of.boxes[b.b].tier} == {above, below}]
        if not bundles:
            continue
        cables = sum(b.cables for b in bundles)
        lines = [f"{cables:,} cable{'s' * (cables != 1)}"]
        rates = [b.rate for b in bundles]
        known = [r for r in rates if r is not None]
        if len(known) == len(rates):
            lines.append(format_rate(sum(known)))
        if len(bundles) > 1 and len({b.speeds for b in bundles}) == 1:
            lines.append(f"each {bundles[0].cables_in_words}")
        y = _TOP + number * _ROW_H + (_ROW_H + _BOX_H) / 2 + 4 - 7 * (len(lines) - 1)
        for line, text in enumerate(lines):
            yield fill_markup(
                '<text class="sum" x="4" y="{}">{}</text>', f"{y + 14 * line:.0f}", clip_text(text, wide, _SMALL)
            )


def _find_boxes(of: Drawn, circle: frozenset[frozenset[str]]) -> list[set[int]]:
    """The pairs of boxes that pairs of switches are in."""
    box = {name: number for number, one in enumerate(of.boxes) for name in one.names} if circle else {}
    return [{box[name] for name in pair} for pair in circle]


def _draw_line(of: Drawn, line: BundleLine, stands_out: bool) -> Markup:
    (x, y), (to_x, to_y) = line.start, line.end
    path = f"M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}"
    if line.bend:
        path = f"M{x:.1f} {y:.1f}Q{(x + to_x) / 2:.1f} {y + line.bend * 1.5:.1f} {to_x:.1f} {to_y:.1f}"
    return fill_markup(
        '<path class="{}" d="{}" stroke-width="{}"><title>{}</title></path>',
        "bundle circle" if stands_out else "bundle",
        path,
        f"{_choose_width(line.bundle):.1f}",
        describe_bundle(of, line.bundle),
    )


def describe_bundle(of: Drawn, bundle: DrawnBundle) -> str:
    """A bundle in words: which boxes, how many cables, what they carry."""
    total = f", {format_rate(bundle.rate)}" if bundle.rate is not None else ""
    return f"{of.boxes[bundle.a].title} to {of.boxes[bundle.b].title}: {bundle.cables_in_words}{total}"


def _choose_width(bundle: DrawnBundle) -> float:
    """px: wider by one each time a bundle carries four times as much; 1 where that is unknown."""
    return min(7.0, max(1.0, log2((bundle.rate or 0) / 1e11 + 1) / 2)) if bundle.rate else 1.0


def _draw_box(box: DrawnBox, spot: BoxPosition) -> Markup:
    kind = "hosts" if box.tier == 0 else f"t{max(0, min(box.tier, 3))}"
    under = box.counted if len(box.names) > 1 else box.about
    description = (
        f"{box.title}: {box.counted}" + (f", {box.role}" if box.tier else "") + (f", {box.about}" if box.about else "")
    )
    return fill_markup(
        '<g class="box {}"><title>{}</title><rect x="{}" y="{}" width="{}" height="{}" rx="6"/>'
        '<text x="{}" y="{}" text-anchor="middle">{}</text>'
        '<text class="under" x="{}" y="{}" text-anchor="middle">{}</text></g>',
        kind,
        description,
        f"{spot.x:.1f}",
        f"{spot.y:.1f}",
        f"{spot.wide:.1f}",
        _BOX_H,
        f"{spot.middle:.1f}",
        f"{spot.y + 19:.1f}",
        clip_text(box.title, spot.wide - 8),
        f"{spot.middle:.1f}",
        f"{spot.y + 35:.1f}",
        clip_text(under, spot.wide - 8, _SMALL),
    )


def _draw_label(line: BundleLine) -> Markup:
    assert line.label is not None  # asked for by whoever draws it
    x, y = line.label
    text = line.bundle.cables_in_words
    half = len(text) * _SMALL / 2 + 2
    return fill_markup(
        '<rect class="under-label" x="{}" y="{}" width="{}" height="15" rx="3"/>'
        '<text class="label" x="{}" y="{}" text-anchor="middle">{}</text>',
        f"{x - half:.1f}",
        f"{y - 8:.1f}",
        f"{half * 2:.1f}",
        f"{x:.1f}",
        f"{y + 3.5:.1f}",
        text,
    )
