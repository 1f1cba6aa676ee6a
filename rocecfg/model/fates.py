"""What becomes of each statement of a switch's configuration: exactly one of five fates."""

from __future__ import annotations

from collections.abc import Iterable

from rocecfg.core.records import NamedTuple
from rocecfg.model.origin import Span

JUDGED = "judged"  # read into the model
FOREIGN = "foreign"  # cannot touch RoCE: the vendor's table says why
TEXT = "as text"  # RoCE's, without a model: compared as it is written
WAY = "second way"  # can change RoCE from outside: snippets, scripts, filters that are not judged
UNKNOWN = "unknown"  # in no list
FATES = (JUDGED, FOREIGN, TEXT, WAY, UNKNOWN)


class UnjudgedStatements(NamedTuple):
    """Statements of one kind and fate, neither checked nor foreign."""

    at: Span  # the first of them
    fate: str
    number: int
    why: str
    what: str  # the words that they begin with, without names of ports
    places: tuple[tuple[Span, ...], ...] = ()  # of each: its own, and where what it stands below begins


class Fates(NamedTuple):
    """How many statements of a configuration have which fate."""

    counts: tuple[int, ...] = (0,) * len(FATES)  # by FATES
    unjudged: tuple[UnjudgedStatements, ...] = ()  # in the order of the text

    @property
    def total(self) -> int:
        """All statements."""
        return sum(self.counts)


def add_up_fates(each: Iterable[Fates]) -> Fates:
    """Those of several configurations together."""
    given = list(each)
    counts = [sum(column) for column in zip(*(one.counts for one in given), strict=True)] if given else Fates().counts
    return Fates(tuple(counts), tuple(group for one in given for group in one.unjudged))
