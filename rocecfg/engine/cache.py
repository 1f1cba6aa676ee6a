"""Linting a few files of a large fabric by what an earlier run knew of the others.

The cache holds no findings and no settings, only what the files of a fabric amount to: which of them have devices that
are alike. A later run reads the root, what was changed or asked about, and one file of each kind, and judges these by
the rules and settings of its own time; `Other` devices stand for the rest. Where that cannot give what reading all
files would, all files are read.
"""

from __future__ import annotations

import os

from rocecfg.engine.cache_files import Opened, load, store
from rocecfg.engine.roots import above
from rocecfg.source.document import SourceError, Sources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rocecfg.engine.cache_index import Index
    from rocecfg.engine.cache_recall import Recalled
    from rocecfg.engine.discover import Found
    from rocecfg.intent import Loaded

_LEAST = 20  # files of a fabric that is worth it


class Cached:
    """The cache for a fabric, and its root file as it is seen from the current folder."""

    def __init__(self, opened: Opened, root: str) -> None:
        self.root = root
        self._opened = opened

    def recall(self, paths: tuple[str, ...], allowed: tuple[str, ...] = ()) -> Recalled | None:
        """The fabric as far as these files need it; None where all of it has to be read.

        `allowed`: folders outside the repository that files may be in.
        """
        from rocecfg.engine.cache_recall import Seen

        try:
            return Seen(self._opened, self.root, allowed).recalled(paths)
        except Exception:  # noqa: BLE001 - Gone, or whatever else is wrong with it: the files themselves say it better
            return None


def cached(paths: tuple[str, ...]) -> Cached | None:
    """The cache for the fabric that given files may belong to, if there is one."""
    for folder in above(paths[0]) if paths else ():
        opened = load(os.path.abspath(folder))
        if opened is not None:
            return Cached(opened, os.path.normpath(os.path.join(folder, opened.index[0])))
    return None


def recall(paths: tuple[str, ...], allowed: tuple[str, ...] = ()) -> Recalled | None:
    """The fabric that given files belong to, read in part; None where that cannot be done."""
    known = cached(paths)
    return known.recall(paths, allowed) if known is not None else None


def keep(found: Found, sources: Sources, recalled: Recalled | None) -> None:
    """Write down what is known now of the fabric that given files belong to, where a later run gains by it."""
    if len(found.fabrics) != 1 or found.strangers:
        return
    (loaded,) = found.fabrics
    now = _noted(loaded, sources) if recalled is None else _updated(recalled)
    if now is not None:
        store(os.path.dirname(os.path.abspath(loaded.root)), *now)


def _noted(loaded: Loaded, sources: Sources) -> tuple[Index, bytes] | None:
    """What a whole fabric shows, if it is one that can be read in parts."""
    fabric, read = loaded.fabric, loaded.read
    if fabric is None or read is None or read.notes is None or loaded.errors or len(loaded.files) < _LEAST:
        return None
    if fabric.running or fabric.broken or read.nameless:
        return None
    from rocecfg.engine.cache_index import build
    from rocecfg.engine.cache_tree import Gone

    try:
        return build(loaded, sources.documents, read.notes)
    except (Gone, OSError, SourceError):
        return None


def _updated(recalled: Recalled) -> tuple[Index, bytes] | None:
    """What became of files that were changed since the cache was written, where these are too many to go on so."""
    if not recalled.reading.states and not recalled.reading.seen.index.digests:
        return None
    from rocecfg.engine.cache_update import updated

    return updated(recalled)
