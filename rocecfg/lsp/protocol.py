"""What the protocol has in its own way: lines and columns from 0 in the units agreed on, edits, and file URIs."""

from __future__ import annotations

import os
from bisect import bisect_right
from difflib import SequenceMatcher
from urllib.parse import quote, unquote_to_bytes, urlsplit

from lsprotocol.types import Position, PositionEncodingKind, Range, TextEdit

_CODECS = {PositionEncodingKind.Utf8: "utf-8", PositionEncodingKind.Utf16: "utf-16-le"}
_WIDTHS = {PositionEncodingKind.Utf8: 1, PositionEncodingKind.Utf16: 2}  # bytes of a unit
BOM = "\ufeff"


class Lines:
    """A text by lines, which end with LF, CR LF or CR.

    Offsets leave a byte order mark out, as texts that are read do; positions count it, as the editor does.
    """

    __slots__ = ("_encoding", "_mark", "_starts", "text")

    def __init__(self, text: str, encoding: PositionEncodingKind) -> None:
        self.text = text
        self._encoding = encoding
        self._mark = int(text.startswith(BOM))
        starts = [0]
        find = text.find
        at = find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = find("\n", at + 1)
        at = find("\r")
        if at >= 0:
            alone = []
            while at >= 0:
                if text[at + 1 : at + 2] != "\n":
                    alone.append(at + 1)
                at = find("\r", at + 1)
            starts = sorted(starts + alone)
        self._starts = starts

    def offset(self, position: Position) -> int:
        """The offset of a position; one beyond a line's end is that end, one beyond the text the text's."""
        return max(0, self._raw_offset(position) - self._mark)

    def position(self, offset: int) -> Position:
        """The position of an offset."""
        raw = min(offset + self._mark, len(self.text))
        line = bisect_right(self._starts, raw) - 1
        begin = self._starts[line]
        return Position(line, self._count_units(self.text[begin : max(begin, min(raw, self._find_end(line)))]))

    def range(self, start: int, end: int) -> Range:
        """The range between two offsets."""
        return Range(self.position(start), self.position(max(start, end)))

    def changed(self, at: Range | None, text: str) -> str:
        """The whole text once a range has become another text; None: all of it."""
        if at is None:
            return text
        return self.text[: self._raw_offset(at.start)] + text + self.text[self._raw_offset(at.end) :]

    def _raw_offset(self, position: Position) -> int:
        if position.line >= len(self._starts):
            return len(self.text)
        begin, end = self._starts[position.line], self._find_end(position.line)
        return begin + self._count_points(self.text[begin:end], position.character)

    def _find_end(self, line: int) -> int:
        """Where a line ends, its line break aside."""
        if line + 1 == len(self._starts):
            return len(self.text)
        end = self._starts[line + 1] - 1
        return end - 1 if self.text[end] == "\n" and end > self._starts[line] and self.text[end - 1] == "\r" else end

    def _count_units(self, text: str) -> int:
        codec = _CODECS.get(self._encoding)
        if codec is None or text.isascii():
            return len(text)
        return len(text.encode(codec, "surrogatepass")) // _WIDTHS[self._encoding]

    def _count_points(self, text: str, units: int) -> int:
        """How many code points of a text make up that many units; one that is cut in two counts."""
        codec = _CODECS.get(self._encoding)
        if codec is None or text.isascii():
            return min(units, len(text))
        used = 0
        for n, character in enumerate(text):
            if used >= units:
                return n
            used += len(character.encode(codec, "surrogatepass")) // _WIDTHS[self._encoding]
        return len(text)


# -- edits -------------------------------------------------------------------------------------------------------------

# From one text to another by few small edits, so that cursors and folds in the editor stay where they are.


def make_text_edits(before: str, after: str, lines: Lines) -> list[TextEdit]:
    """The edits that make `after` of `before`, whose places `lines` knows; none overlap."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    out = []
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        was, now = "".join(old[i:j]), "".join(new[k:m])
        head = _count_common(was, now, "\r\n")
        tail = _count_common(was[head:][::-1], now[head:][::-1], "\n\r")
        at = lines.range(starts[i] + head, starts[j] - tail)
        out.append(TextEdit(at, now[head : len(now) - tail]))
    return out


def _count_common(a: str, b: str, whole: str) -> int:
    """How many characters two texts have in common at their beginning; `whole`, two characters, is not torn apart."""
    n = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        n += 1
    return n - int(n > 0 and a[n - 1 : n + 1] == whole)


# -- file URIs ---------------------------------------------------------------------------------------------------------


_WINDOWS = os.name == "nt"


def path_of(uri: str) -> str | None:
    """The absolute path that a `file:` URI names, percent-encoded or not; None for any other URI."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme != "file" or not parts.path:
        return None
    path = os.fsdecode(unquote_to_bytes(parts.path))
    if parts.netloc not in ("", "localhost"):
        path = f"//{parts.netloc}{path}"
    if _WINDOWS and path[2:3] == ":":  # /c:/fabrics
        path = path[1:]
    return None if "\0" in path else os.path.abspath(path)


def uri_of(path: str) -> str:
    """The URI of a file, for one that the editor has not named itself."""
    full = os.path.abspath(path)
    if _WINDOWS:
        full = "/" + full.replace("\\", "/")
    return "file://" + quote(os.fsencode(full), safe="/:" if _WINDOWS else "/")
