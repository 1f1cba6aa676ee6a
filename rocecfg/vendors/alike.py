"""Reading many configurations of switches: of those that differ in opaque words alone, one is read in full.

The others get its draft at their own places. What comes of it is what reading each in full gives, only sooner.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from rocecfg.core.records import NamedTuple
from rocecfg.source.document import Document, SourceError
from rocecfg.vendors.draft import Draft
from rocecfg.vendors.opaque import Moved, Shape
from rocecfg.vendors.renewed import Renewal, Unfit

VendorText = tuple[Document, str]  # and its vendor
Read = list[Draft] | SourceError
_KEPT = 16_000_000  # characters of texts that others are compared with


class _AlikeText(NamedTuple):
    """A text as it differs from an earlier one."""

    first: int
    moved: Moved


class Batch:
    """Texts that are read together, in the order in which they are added."""

    def __init__(self, expect: Callable[[VendorText], None], *, by_shape: bool) -> None:
        """`expect` gets each text that is like no other before it; `by_shape`: False to read all of them in full."""
        self.texts: list[VendorText] = []
        self._expect = expect
        self._by_shape = by_shape
        self._shapes: dict[int, Shape] = {}  # by number of the text
        self._by_lines: dict[int, list[int]] = {}  # numbers of texts that others are compared with
        self._recent: deque[tuple[int, int]] = deque()  # number and lines of each, the oldest first
        self._left = _KEPT
        self._like: dict[int, _AlikeText] = {}

    def add(self, document: Document, vendor: Callable[[str], str | None]) -> bool:
        """Take a text, unless `vendor`, asked of a text that is like no other, says that it is nobody's."""
        text = document.text
        lines = text.split("\n") if self._by_shape else []
        for first in self._by_lines.get(len(lines), ()) if self._by_shape else ():
            moved = self._shapes[first].compare(text, lines)
            if moved is not None:
                self._like[len(self.texts)] = _AlikeText(first, moved)
                self.texts.append((document, self.texts[first][1]))
                return True
        kind = vendor(text)
        if kind is None:
            return False
        if self._by_shape:
            self._keep_shape(len(self.texts), Shape(text, lines), len(lines), len(text))
        self.texts.append((document, kind))
        self._expect((document, kind))
        return True

    def _keep_shape(self, number: int, shape: Shape, lines: int, size: int) -> None:
        self._shapes[number] = shape
        self._by_lines.setdefault(lines, []).append(number)
        self._recent.append((number, lines))
        self._left -= size
        while self._left < 0 and len(self._recent) > 1:
            oldest, lines = self._recent.popleft()
            self._by_lines[lines].remove(oldest)
            self._left += len(self.texts[oldest][0].text)

    def find_alike(self) -> dict[int, int]:
        """Documents that differ from an earlier one in opaque words alone, all of which are as sound as its own."""
        number = [document.number for document, _ in self.texts]
        return {number[n]: number[one.first] for n, one in self._like.items() if one.moved.keeps_sound()}

    def read(self, expected: Iterable[Read], again: Callable[[list[VendorText]], Iterable[Read]]) -> list[Read]:
        """What the texts amount to, in their order.

        `expected`: what those do that `expect` got, each read in full. `again` reads those so that seemed to be alike.
        """
        like = self._like
        alone = (number for number in range(len(self.texts)) if number not in like)
        found = dict(zip(alone, expected, strict=True))
        renewals: dict[int, Renewal | None] = {}
        odd = []
        for number, (first, moved) in like.items():
            if first not in renewals:
                renewals[first] = self._make_renewal(first, found[first])
            renewal = renewals[first]
            draft = renewal(self.texts[number][0].number, moved) if renewal is not None else None
            if draft is None:
                odd.append(number)
            else:
                found[number] = [draft]
        found |= zip(odd, again([self.texts[number] for number in odd]), strict=True)
        return [found[number] for number in range(len(self.texts))]

    def _make_renewal(self, number: int, read: Read) -> Renewal | None:
        """How drafts of this text's shape are made; None where each is to be read."""
        if isinstance(read, SourceError) or len(read) != 1:
            return None
        try:
            return Renewal(read[0], self._shapes[number].count_words())
        except Unfit:
            return None
