"""The profile that a misspelt name most likely means: the one table of spellings, used by every entry point."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

_LEAST = 3  # letters of a word that is looked for within names
_MOST = 8  # names that a word may be a part of and still mean something


def squash(text: str) -> str:
    """A name without case, blanks and marks: `SN5600`, `sn-5600` and `sn5600` are one."""
    return "".join(c for c in text.casefold() if c.isalnum())


def find_meant(word: str, names: Iterable[str], read: Callable[[str], str] | None = None) -> tuple[str, ...]:
    """The names that a word may mean, best first.

    It is a name in another spelling, or a part of one, such as a box without its maker; it holds one, as a product's
    full name does; it stands in what is written of it (`read`): a HwSKU, a title, a chip; or it is a slip of one.
    """
    bare, known = squash(word), {name: squash(name) for name in names}
    if len(bare) < _LEAST:
        return _find_near(word, known)
    said = re.compile(rf"(?<![\w.+-]){re.escape(word)}(?![\w.+-])", re.IGNORECASE)
    tries: tuple[Callable[[str], bool], ...] = (
        lambda name: known[name] == bare,
        lambda name: known[name].endswith(bare) or known[name].startswith(bare),
        lambda name: bare in known[name],
        lambda name: known[name] in bare or squash(name.partition("-")[2] or name) in bare,
        lambda name: read is not None and said.search(read(name)) is not None,
    )
    for fits in tries:
        found = [name for name in known if fits(name)]
        if found:
            return tuple(sorted(found, key=lambda name: (len(known[name]), name))[:_MOST])
    return _find_near(word, known)


def _find_near(word: str, known: dict[str, str]) -> tuple[str, ...]:
    from difflib import get_close_matches  # 2 ms of import, for the error only

    near = get_close_matches(word.casefold(), known, 3)
    return tuple(near or (name for name in known if known[name] in get_close_matches(squash(word), known.values(), 3)))
