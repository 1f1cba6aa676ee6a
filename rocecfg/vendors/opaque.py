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
from itertools import compress, count
from operator import ne

NAME = "name"  # the kind of word that is the switch's own name
_Word = tuple[int, int, str]  # begin and end in its line, and its kind
_Known = tuple[str, str]  # kind and word

_FOUR = r"(?<![\w.:-])(?:\d{1,3}\.){3}\d{1,3}"
_OWN = r"[A-Za-z][A-Za-z0-9_-]*\d[A-Za-z0-9_-]*"
_PROSE = r"(?=[a-z ]*\d)(?:[A-Za-z]+|\d+)(?: (?:[A-Za-z]+|\d+))*"  # a letter beside a digit could be a far end's name
_OPAQUE = re.compile(
    rf"(?P<v4>{_FOUR})(?=/\d)"
    r"|(?P<v6>(?<![\w:.])[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{1,4})*::(?:[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{1,4})*)?)(?=/\d)"
    r'|(?:"local_addr": "|router-id |neighbor )'
    rf"(?P<host>{_FOUR})(?![\w.-])"
    rf'|"(?P<key>{_FOUR})": '
    r'|(?:router bgp |remote-as |autonomous-system:? |"bgp_asn": "|"asn": ")(?P<asn>\d{1,10})(?![\w.])'
    r'|(?:^hostname |^! device: |"hostname": "|^ +hostname: |^nv set system hostname |host-name )'
    rf"(?P<{NAME}>{_OWN})(?![^\s\",;])"
    rf'|(?:^ +description |"description": ")(?P<prose>{_PROSE})(?=["\r]*,?$)'
)
_ALIKE = {"v4": "ip", "host": "ip", "key": "ip"}  # words of one kind, wherever they stand


_MASK = str.maketrans("123456789", "0" * 9)


def _words(line: str) -> tuple[_Word, ...]:
    """The opaque words of a line."""
    return _places(line.translate(_MASK))  # which digits they are is nothing to the expression


@lru_cache(4096)
def _places(masked: str) -> tuple[_Word, ...]:
    found = []
    for match in _OPAQUE.finditer(masked):
        group = match.lastgroup or ""
        found.append((*match.span(group), _ALIKE.get(group, group)))
    return tuple(found)


class Moved:
    """How a text differs from another of its shape: other words, and with them other places."""

    __slots__ = ("_before", "_ends", "_starts", "renamed")

    def __init__(self, renamed: dict[_Known, str], moves: Sequence[tuple[int, int, int]]) -> None:
        """`moves`: begin and end of each word that is longer or shorter, ascending, and by how much."""
        self.renamed = renamed  # the words that are others, and what they are
        self._starts = [start for start, _, _ in moves]
        self._ends = [end for _, end, _ in moves]
        total = 0
        self._before = [0]
        for _, _, more in moves:
            total += more
            self._before.append(total)

    def places(self, offsets: Sequence[int]) -> list[int] | None:
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


class Shape:
    """A text, as one whose opaque words may be others."""

    __slots__ = ("_counts", "_lines", "_of_line", "_starts", "_telling", "_text")

    def __init__(self, text: str, lines: list[str]) -> None:
        """`lines`: of the text, without their line feeds."""
        self._text = text
        self._lines = lines
        self._of_line: dict[int, tuple[_Word, ...]] = {}
        self._starts: list[int] = []
        self._telling = -1  # a line without opaque words by which the last text differed: the next often does, too
        self._counts: Counter[_Known] = Counter()

    def moved(self, text: str, lines: list[str]) -> Moved | None:
        """How a text of as many lines differs; None where it does so in more than opaque words."""
        mine, telling = self._lines, self._telling
        if telling >= 0 and mine[telling] != lines[telling]:
            return None
        renamed: dict[_Known, str] = {}
        seen: Counter[_Known] = Counter()
        moves = []
        for number in compress(count(), map(ne, mine, lines)):
            old, new = mine[number], lines[number]
            was, now = self._words_of(number), _words(new)
            if not was:
                self._telling = number
            if not was or len(was) != len(now):
                return None
            at_old = at_new = 0
            for (start, end, kind), (start_new, end_new, kind_new) in zip(was, now, strict=True):
                if kind != kind_new or old[at_old:start] != new[at_new:start_new]:
                    return None
                word = old[start:end]
                if renamed.setdefault((kind, word), new[start_new:end_new]) != new[start_new:end_new]:
                    return None
                seen[kind, word] += 1
                longer = end_new - start_new - (end - start)
                if longer:
                    begin = self._start(number)
                    moves.append((begin + start, begin + end, longer))
                at_old, at_new = end, end_new
            if old[at_old:] != new[at_new:]:
                return None
        if not self._one_to_one(renamed, seen):
            return None
        for (kind, word), other in renamed.items():  # a name that stands elsewhere is more than a name
            if kind == NAME and (self._text.count(word) != seen[kind, word] or text.count(other) != seen[kind, word]):
                return None
        return Moved({known: word for known, word in renamed.items() if known[1] != word}, moves)

    def words(self) -> Iterable[_Known]:
        """All opaque words of the text, each with its kind."""
        return self._all()

    def _one_to_one(self, renamed: dict[_Known, str], seen: Counter[_Known]) -> bool:
        """Whether words are equal in the one text where they are in the other."""
        counts = self._all()
        kept = 0
        for known, other in renamed.items():
            if other == known[1]:
                kept += 1
            elif seen[known] != counts[known]:
                return False  # elsewhere it is as it was
        others = {(kind, other) for (kind, _), other in renamed.items()}
        # no two became one, and none became one that is still there
        return len(others) == len(renamed) and all(other in renamed or other not in counts for other in others)

    def _words_of(self, number: int) -> tuple[_Word, ...]:
        found = self._of_line.get(number)
        if found is None:
            found = self._of_line[number] = _words(self._lines[number])
        return found

    def _start(self, number: int) -> int:
        if not self._starts:
            at = 0
            for line in self._lines:
                self._starts.append(at)
                at += len(line) + 1
        return self._starts[number]

    def _all(self) -> Counter[_Known]:
        if not self._counts:
            for number, line in enumerate(self._lines):
                self._counts.update((kind, line[start:end]) for start, end, kind in self._words_of(number))
        return self._counts
