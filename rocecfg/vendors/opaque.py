"""Words of a switch's configuration that no reader looks into: its name, addresses, AS numbers, numbers of racks.

A reader may compare such words, so that two which are equal have to stay equal; none works with what is in them. So two
texts that differ in these alone say the same, each at its own places.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, compress, count
from operator import ne

NAME = "name"  # the kind of word that is the switch's own name
_Word = tuple[int, int, str]  # begin and end in its line, and its kind
_KindAndWord = tuple[str, str]  # kind and word
_Parts = tuple[tuple[tuple[_KindAndWord, str, int, int], ...], str]  # of a line; nothing of one without words

_FOUR = r"(?<![\w.:-])(?:\d{1,3}\.){3}\d{1,3}"
_OWN = r"[A-Za-z][A-Za-z0-9_-]*\d[A-Za-z0-9_-]*"
_PROSE = r"(?=[a-z ]*\d)(?:[A-Za-z]+|\d+)(?: (?:[A-Za-z]+|\d+))*"  # a letter beside a digit could be a far end's name
_OPAQUE = re.compile(
    rf"(?P<v4>{_FOUR})(?=/\d)"
    r"|(?P<v6>(?<![\w:.])[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{1,4})*::(?:[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{1,4})*)?)(?=/\d)"
    r'|(?:"local_addr": "|router-id |neighbor )'
    rf"(?P<host>{_FOUR})(?![\w.-])"
    rf'|"(?P<key>{_FOUR})": '
    r'|(?:router bgp |remote-as |peer-as |autonomous-system:? |"bgp_asn": "|"asn": ")(?P<asn>\d{1,10})(?![\w.])'
    r'|(?:^hostname |^! device: |"hostname": "|^ +hostname: |^nv set system hostname |host-name )'
    rf"(?P<{NAME}>{_OWN})(?![^\s\",;])"
    rf'|(?:^ +description |"description": ")(?P<prose>{_PROSE})(?=["\r]*,?$)'
)
_ALIKE = {"v4": "ip", "host": "ip", "key": "ip"}  # words of one kind, wherever they stand


_MASK = bytes.maketrans(b"123456789", b"0" * 9)


def _words_of_lines(lines: Iterable[str]) -> list[tuple[_Word, ...]]:
    """The opaque words of each line; which digits they have is nothing to the expression."""
    masked = "\n".join(lines).encode("utf-8", "surrogatepass").translate(_MASK).decode("utf-8", "surrogatepass")
    return list(map(_find_words, masked.split("\n")))


@lru_cache(4096)
def _find_words(masked: str) -> tuple[_Word, ...]:
    found = []
    for match in _OPAQUE.finditer(masked):
        group = match.lastgroup or ""
        found.append((*match.span(group), _ALIKE.get(group, group)))
    return tuple(found)


class Moved:
    """How a text differs from another of its shape: other words, and with them other places."""

    __slots__ = ("_before", "_ends", "_starts", "renamed")

    def __init__(self, renamed: dict[_KindAndWord, str], moves: Sequence[tuple[int, int, int]]) -> None:
        """`renamed`: the words that are others, and what they are.

        `moves`: begin and end of each word that is longer or shorter, ascending, and by how much.
        """
        self.renamed = renamed
        self._starts = [start for start, _, _ in moves]
        self._ends = [end for _, end, _ in moves]
        self._before = list(accumulate((more for _, _, more in moves), initial=0))

    def keeps_sound(self) -> bool:
        """Whether no word became one that a system could refuse as no address or number."""
        return all(_is_sound(kind, other) for (kind, _), other in self.renamed.items())

    def move_offsets(self, offsets: Sequence[int]) -> list[int] | None:
        """Where offsets of the one text are in the other; None if one is inside a word of another length."""
        starts, ends, before = self._starts, self._ends, self._before
        if not starts:
            return list(offsets)
        out = []
        last = len(starts)
        for offset in offsets:
            at = bisect_right(ends, offset)
            if at < last and starts[at] < offset:
                return None
            out.append(offset + before[at])
        return out


def _is_sound(kind: str, word: str) -> bool:
    """Whether a word is an address, a number, a name that every system takes, as far as can be told at once."""
    if kind == "ip":
        return all(0 <= int(part) < 256 and str(int(part)) == part for part in word.split("."))
    if kind == "asn":
        return 0 < int(word) < 2**32
    return kind in {NAME, "prose"} and len(word) < 64


class Shape:
    """A text, as one whose opaque words may be others."""

    __slots__ = ("_counts", "_lines", "_parts", "_telling", "_text")

    def __init__(self, text: str, lines: list[str]) -> None:
        """`lines`: of the text, without their line feeds."""
        self._text = text
        self._lines = lines
        self._parts: list[_Parts] = []  # of each line, once another text is compared
        self._telling = -1  # a line without opaque words by which the last text differed: the next often does, too
        self._counts: Counter[_KindAndWord] = Counter()

    def compare(self, text: str, lines: list[str]) -> Moved | None:
        """How a text of as many lines differs; None where it does so in more than opaque words."""
        mine, telling = self._lines, self._telling
        if telling >= 0 and mine[telling] != lines[telling]:
            return None
        numbers = list(compress(count(), map(ne, mine, lines)))
        parts = self._parts = self._parts or _split_lines(mine)
        for number in numbers:
            if not parts[number][0]:
                self._telling = number
                return None
        renamed: dict[_KindAndWord, str] = {}
        seen: list[_KindAndWord] = []
        moves: list[tuple[int, int, int]] = []
        others = [lines[number] for number in numbers]
        for number, line, now in zip(numbers, others, _words_of_lines(others), strict=False):
            was, tail = parts[number]
            if len(was) != len(now):
                return None
            at = 0
            for (known, before, begin, end), (start, stop, kind) in zip(was, now, strict=True):
                if kind != known[0] or line[at:start] != before:
                    return None
                other = line[start:stop]
                if renamed.setdefault(known, other) != other:
                    return None
                seen.append(known)
                longer = stop - start - (end - begin)
                if longer:
                    moves.append((begin, end, longer))
                at = stop
            if line[at:] != tail:
                return None
        renamed = {known: other for known, other in renamed.items() if known[1] != other}
        return Moved(renamed, moves) if self._is_renaming(renamed, Counter(seen), text) else None

    def count_words(self) -> Counter[_KindAndWord]:
        """How often each opaque word stands in the text, each with its kind."""
        if not self._counts:
            parts = self._parts = self._parts or _split_lines(self._lines)
            self._counts.update(word[0] for words, _ in parts if words for word in words)
        return self._counts

    def _is_renaming(self, renamed: dict[_KindAndWord, str], seen: Counter[_KindAndWord], text: str) -> bool:
        """Whether words that were equal are so still, and no others; `seen`: those of the lines that differ."""
        counts = self.count_words()
        if any(map(ne, map(seen.__getitem__, renamed), map(counts.__getitem__, renamed))):
            return False  # elsewhere it is as it was
        now = {(kind, other) for (kind, _), other in renamed.items()}
        if len(now) != len(renamed) or not counts.keys().isdisjoint(now - renamed.keys()):
            return False  # two became one, or one became another that is still there
        return all(  # a name that stands elsewhere is more than a name
            self._text.count(known[1]) == text.count(other) == seen[known]
            for known, other in renamed.items()
            if known[0] == NAME
        )


def _split_lines(lines: list[str]) -> list[_Parts]:
    """The opaque words of each line of a text, each with what stands before it and its place, and what follows."""
    words = _words_of_lines(lines)
    begins = list(accumulate(map(len, lines), initial=0))
    out: list[_Parts] = [((), "")] * len(lines)
    for number in compress(count(), words):
        line, begin = lines[number], begins[number] + number  # line feeds
        at = 0
        parts = []
        for start, end, kind in words[number]:
            parts.append(((kind, line[start:end]), line[at:start], begin + start, begin + end))
            at = end
        out[number] = tuple(parts), line[at:]
    return out
