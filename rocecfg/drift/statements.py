"""What is rendered against what runs, statement by statement: what runs otherwise, and why to the same effect.

Asked of a switch whose settings are all as meant: what it states in other words, under other names or not at all then
amounts to the same, and a table of its system says why where it is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rocecfg.core.records import NamedTuple
from rocecfg.model import Span
from rocecfg.source.document import Document
from rocecfg.vendors import part

_ANY = "*"
_AS_MEANT = "in other words, or by default, the switch does what the intent states"
_Words = tuple[str, ...]
Stated = tuple[_Words, int, int]  # words of a statement, and where it stands


class SameEffect(NamedTuple):
    """A statement that is rendered and does not run so, and why it has the same effect."""

    text: str
    why: str


def list_rendered(vendor: str, document: Document) -> tuple[Stated, ...]:
    """The statements of a rendering."""
    return tuple(part(vendor, "stating").list_stated(document))


def find_same_effect(
    vendor: str, rendered: Iterable[Stated], running: Document, told: Iterable[Span]
) -> Iterator[SameEffect]:
    """The statements of a rendering that do not run as they are, without those that settings are `told` of."""
    runs = {words for words, _, _ in part(vendor, "stating").list_stated(running)}
    missing = [one for one in rendered if one[0] not in runs]
    if not missing:
        return
    begun = {words[:end] for words in runs for end in range(1, len(words) + 1)}
    places = {at.start for at in told}
    for words, start, end in missing:
        if not any(start <= place < end for place in places):
            yield SameEffect(" ".join(words), _find_reason(vendor, words, begun))


def _find_reason(vendor: str, words: _Words, begun: set[_Words]) -> str:
    """The reason of the table, if what the statement stands below is there under the name that is rendered."""
    for row, why in part(vendor, "stating").REASONS:
        if len(row) <= len(words) and all(own in (_ANY, word) for own, word in zip(row, words, strict=False)):
            named = max((n for n, own in enumerate(row, 1) if own == _ANY), default=0)
            return why if not named or words[:named] in begun else _AS_MEANT
    return _AS_MEANT
