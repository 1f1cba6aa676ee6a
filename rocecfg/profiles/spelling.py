"""The profile that a misspelt name most likely means: the one table of spellings, used by every entry point."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable

from rocecfg.core.names import edit_distance

_LEAST = 3  # letters of a word that is looked for within names
_ALIKE = 0.75  # of 1, as difflib counts
_MOST = 8  # names that a word may be a part of and still mean something


_SHORT = {"cx": "connectx", "bf": "bluefield", "th": "tomahawk", "td": "trident"}  # as people write them


def squash(text: str) -> str:
    """A name without case, blanks and marks: `SN5600`, `sn-5600` and `sn5600` are one."""
    return "".join(c for c in text.casefold() if c.isalnum())


def find_same(word: str, names: Iterable[str]) -> str | None:
    """The name that a word is in another spelling, or in the short one that people use: `ConnectX-7`, `cx7`."""
    bare = squash(word)
    stem = bare.rstrip("0123456789")
    same = {bare, _SHORT.get(stem, stem) + bare[len(stem) :]}
    return next((name for name in names if squash(name) in same), None)


def find_meant(word: str, names: Iterable[str], read: Callable[[str], str] | None = None) -> tuple[str, ...]:
    """The names that a word may mean, best first.

    It is a name in another spelling, or a part of one, such as a box without its maker; it holds one, as a product's
    full name does; it stands in what is written of it (`read`): a HwSKU, a title, a chip; or it is a slip of one.
    """
    bare, known = squash(word), {name: squash(name) for name in names}
    same = find_same(word, known)
    if same is not None:
        return (same,)
    if len(bare) < _LEAST:
        return _find_near(word, known)
    said = re.compile(rf"(?<![\w.+-]){re.escape(word)}(?![\w.+-])", re.IGNORECASE)
    tries: tuple[Callable[[str], bool], ...] = (
        lambda name: known[name].endswith(bare) or known[name].startswith(bare),
        lambda name: bare in known[name],
        lambda name: known[name] in bare or squash(name.partition("-")[2] or name) in bare,
        lambda name: not Counter(_split_runs(word)) - Counter(_split_runs(name)),  # in another order
        lambda name: read is not None and said.search(read(name)) is not None,
    )
    for fits in tries:
        found = [name for name in known if fits(name)]
        if found:
            return tuple(sorted(found, key=lambda name: (len(known[name]), name))[:_MOST])
    return _find_near(word, known)


def _split_runs(text: str) -> list[str]:
    """Its runs of letters and of digits: nokia, ixr, 7220, h, 4."""
    return re.findall(r"[a-z]+|\d+", text.casefold())


def _find_near(word: str, known: dict[str, str]) -> tuple[str, ...]:
    from difflib import get_close_matches  # 2 ms of import, for the error only

    near = get_close_matches(word.casefold(), known, 3)
    if not near:  # a box without its maker
        bare = {name.partition("-")[2]: name for name in known}
        alike = get_close_matches(word.casefold(), filter(None, bare), 3, _ALIKE)
        near = [bare[each] for each in sorted(alike, key=lambda each: edit_distance(word.casefold(), each))]
    return tuple(near or (name for name in known if known[name] in get_close_matches(squash(word), known.values(), 3)))
