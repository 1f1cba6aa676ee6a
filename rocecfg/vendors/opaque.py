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
        """`moves`: begin and end of each word that is longer or shorter, ascending, and by how much."""
        self.renamed = renamed  # the words that are others, and what they are
        self._starts = [start for start, _, _ in moves]
        self._ends = [end for _, end, _ in moves]
        total = 0
        self._before = [0]
        for _, _, more in moves:
            total += more
            self._before.append(total)

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


class Shape:
    """A text, as one whose opaque words may be others."""

    __slots__ = ("_counts", "_lines", "_starts", "_telling", "_text", "_words")

    def __init__(self, text: str, lines: list[str]) -> None:
        """`lines`: of the text, without their line feeds."""
        self._text = text
        self._lines = lines
        self._words: list[tuple[_Word, ...]] = []  # of each line, once another text is compared
        self._starts: list[int] = []
        self._telling = -1  # a line without opaque words by which the last text differed: the next often does, too
        self._counts: Counter[_KindAndWord] = Counter()

    def compare(self, text: str, lines: list[str]) -> Moved | None:
        """How a text of as many lines differs; None where it does so in more than opaque words."""
        mine, telling = self._lines, self._telling
        if telling >= 0 and mine[telling] != lines[telling]:
            return None
        words = self._words = self._words or _words_of_lines(mine)
        numbers = list(compress(count(), map(ne, mine, lines)))
        for number in numbers:
            if not words[number]:
                self._telling = number
                return None
        renamed: dict[_KindAndWord, str] = {}
        seen: list[_KindAndWord] = []
        moves: list[tuple[int, int, int]] = []
        for number, now in zip(numbers, _words_of_lines([lines[number] for number in numbers]), strict=False):
            if not self._compare_line(number, lines[number], now, renamed, seen, moves):
                return None
        counted = Counter(seen)
        if not self._is_one_to_one(renamed, counted):
            return None
        for (kind, word), other in renamed.items():  # a name that stands elsewhere is more than a name
            times = counted[kind, word]
            if kind == NAME and (self._text.count(word) != times or text.count(other) != times):
                return None
        return Moved({known: word for known, word in renamed.items() if known[1] != word}, moves)

    def _compare_line(
        self,
        number: int,
        new: str,
        now: tuple[_Word, ...],
        renamed: dict[_KindAndWord, str],
        seen: list[_KindAndWord],
        moves: list[tuple[int, int, int]],
    ) -> bool:
        """Whether a line differs in opaque words alone, which are `now`; what they are and where goes to the others."""
        old, was = self._lines[number], self._words[number]
        if len(was) != len(now):
            return False
        at_old = at_new = 0
        for (start, end, kind), (start_new, end_new, kind_new) in zip(was, now, strict=True):
            if kind != kind_new or old[at_old:start] != new[at_new:start_new]:
                return False
            known = kind, old[start:end]
            other = new[start_new:end_new]
            if renamed.setdefault(known, other) != other:
                return False
            seen.append(known)
            longer = end_new - start_new - (end - start)
            if longer:
                begin = self._start_of_line(number)
                moves.append((begin + start, begin + end, longer))
            at_old, at_new = end, end_new
        return old[at_old:] == new[at_new:]

    def count_words(self) -> Iterable[_KindAndWord]:
        """All opaque words of the text, each with its kind."""
        return self._count_all()

    def _is_one_to_one(self, renamed: dict[_KindAndWord, str], seen: Counter[_KindAndWord]) -> bool:
        """Whether words are equal in the one text where they are in the other."""
        counts = self._count_all()
        if any(seen[known] != counts[known] for known, other in renamed.items() if other != known[1]):
            return False  # elsewhere it is as it was
        others = {(kind, other) for (kind, _), other in renamed.items()}
        # no two became one, and none became one that is still there
        return len(others) == len(renamed) and all(other in renamed or other not in counts for other in others)

    def _start_of_line(self, number: int) -> int:
        if not self._starts:
            self._starts = list(accumulate((len(line) + 1 for line in self._lines), initial=0))
        return self._starts[number]

    def _count_all(self) -> Counter[_KindAndWord]:
        if not self._counts:
            words = self._words or _words_of_lines(self._lines)
            self._counts.update(
                (kind, line[start:end])
                for line, found in zip(self._lines, words, strict=True)
                for start, end, kind in found
            )
        return self._counts
