"""Where figures are from, in words."""

from __future__ import annotations

from collections.abc import Iterable

from rocecfg.model import Computed, Fact, Origin, Span
from rocecfg.source.document import Sources

_SURE = {"M": ", from memory of the source", "D": ", derived", "U": ", unverified"}


def leaves(origins: Iterable[Origin | None], sources: Sources) -> list[str]:
    """The places, profile figures and defaults behind origins, each once, in order."""
    found: dict[str, None] = {}
    for origin in origins:
        if origin is None:
            continue
        if isinstance(origin, Computed):
            found.update(dict.fromkeys(leaves(origin.inputs, sources)))
        else:
            found[_word(origin, sources)] = None
    return list(found)


def _word(origin: Origin, sources: Sources) -> str:
    if isinstance(origin, Span):
        document = sources.documents[origin.doc]
        return f"{document.path}:{document.place(origin.start)[0]}"
    if isinstance(origin, Fact):
        return f"profile {origin.profile} {origin.key}: {origin.source}{_SURE.get(origin.mark, '')}"
    assert not isinstance(origin, Computed)
    return origin.why


class Cites:
    """Numbers for sources, in the order in which they are first named."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self.words: dict[str, int] = {}

    def __call__(self, origins: Iterable[Origin | None]) -> str:
        """` [1,4]`, or nothing."""
        numbers = [self.words.setdefault(word, len(self.words) + 1) for word in leaves(origins, self._sources)]
        return f" [{','.join(map(str, numbers))}]" if numbers else ""
