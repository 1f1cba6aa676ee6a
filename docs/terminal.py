"""A terminal as a picture: what a command prints, with its colours, as SVG."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.sax.saxutils import escape

_COLUMNS = 104
_CELL = (8.4, 19)  # width and height of a character, px
_MARGIN = 18
_BAR = 30  # the window's title bar
_SGR = re.compile(r"\x1b\[([0-9;]*)m")
_COLOURS = {"31": "#ff8f86", "32": "#7fd99b", "33": "#ffc266", "34": "#8ab8ff", "36": "#7fd6d6"}
_GROUND, _TEXT, _QUIET = "#14171c", "#eef1f6", "#3d4653"

_SPACE = "\u00a0"  # one that no reader of SVG folds

_Run = tuple[str, str]  # SGR codes, text without line ends


def picture(command: str, printed: str, title: str) -> str:
    """SVG of a terminal in which `command` was typed and `printed` (with SGR codes, as `--color always`) came back.

    Long lines are broken between words. `title` is what a reader hears who cannot see it.
    """
    lines = [
        line for text in (f"\x1b[32m$\x1b[0m \x1b[1m{command}\x1b[0m", *printed.splitlines()) for line in _rows(text)
    ]
    width = round(_COLUMNS * _CELL[0] + 2 * _MARGIN)
    height = len(lines) * _CELL[1] + _BAR + _MARGIN
    dots = "".join(f'<circle cx="{_MARGIN + 18 * n}" cy="17" r="5" fill="{_QUIET}"/>' for n in range(3))
    text = "\n".join(_text(line, _BAR + _CELL[1] * (n + 1)) for n, line in enumerate(lines))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">\n<title>{escape(title)}</title>\n'
        f'<rect width="{width}" height="{height}" rx="8" fill="{_GROUND}"/>{dots}\n'
        f'<g fill="{_TEXT}" font-family="ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="14"'
        f">\n{text}\n</g>\n</svg>\n"
    )


def _rows(line: str) -> Iterator[list[_Run]]:
    """A printed line as rows of the terminal, each in runs of one style."""
    row: list[_Run] = []
    left, style = _COLUMNS, ""
    for n, part in enumerate(_SGR.split(line)):
        if n % 2:
            style = "" if part in ("", "0") else part
            continue
        text = part
        while len(text) > left:
            at = text.rfind(" ", 0, left) + 1 or left
            yield [*row, (style, text[:at].rstrip())]
            row, text, left = [], text[at:], _COLUMNS
        if text:
            row.append((style, text))
            left -= len(text)
    yield row


def _text(row: list[_Run], y: int) -> str:
    spans, column = [], 0
    for style, text in row:
        codes = style.split(";")
        colour = next((_COLOURS[code] for code in codes if code in _COLOURS), "")
        fill = f' fill="{colour}"' if colour else ""
        bold = ' font-weight="bold"' if "1" in codes else ""
        x = _MARGIN + column * _CELL[0]
        # the length is stated, so that columns stay columns in whatever font there is
        long = f' textLength="{len(text) * _CELL[0]:.1f}"'
        spans.append(f'<tspan x="{x:.1f}"{long}{fill}{bold}>{escape(text).replace(" ", _SPACE)}</tspan>')
        column += len(text)
    return f'<text y="{y}">{"".join(spans)}</text>'
