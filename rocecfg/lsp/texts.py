"""What the files of a fabric hold: open texts in place of their files, and files that did not change read only once."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection

from rocecfg.linting.discover import Overlaid
from rocecfg.lsp.buffers import Snapshot
from rocecfg.source.document import MAX_BYTES, Document, SourceError, decode, read_bytes

_State = tuple[int, int, int, int]  # what differs where a file was written


class Stale(Exception):
    """What is being read is no longer wanted."""


class Cache:
    """Texts of files, each as long as the file is what it was."""

    def __init__(self, allowed: tuple[str, ...] = ()) -> None:
        """`allowed`: folders outside the repository that files may be in."""
        self.allowed = allowed
        self._known: dict[str, tuple[_State, str]] = {}

    def read(self, path: str) -> str:
        """The text of a file. Raises SourceError."""
        try:
            found = os.stat(path)
        except OSError:
            return decode(path, read_bytes(path))  # which says what is wrong
        state = (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)
        known = self._known.get(path)
        if known is None or known[0] != state:
            known = self._known[path] = (state, decode(path, read_bytes(path)))
        return known[1]

    def keep(self, paths: Collection[str]) -> None:
        """Forget all others."""
        self._known = {path: known for path, known in self._known.items() if path in paths}


class Texts(Overlaid):
    """Sources of one run. `stale` is asked before each file, so that a run nobody waits for ends early."""

    __slots__ = ("_buffers", "_cache", "_stale")

    def __init__(self, buffers: Snapshot, cache: Cache, stale: Callable[[], bool]) -> None:
        super().__init__("", b"", cache.allowed)
        self._buffers = buffers
        self._cache = cache
        self._stale = stale

    def read(self, path: str) -> Document:
        """As of any sources. Raises Stale too."""
        known = self.known(path)
        if known is not None:
            return known
        if self._stale():
            raise Stale
        buffer = self._buffers.get(os.path.abspath(path))
        if buffer is None:
            return self.add(path, self._cache.read(path))
        if len(buffer.text) > MAX_BYTES:
            raise SourceError(path, f"has more than the {MAX_BYTES} characters that are read")
        return self.add(path, buffer.text)

    def bytes_of(self, path: str) -> bytes:
        """What the file holds, or the text that stands for it. Raises SourceError."""
        buffer = self._buffers.get(os.path.abspath(path))
        return buffer.text.encode() if buffer is not None else read_bytes(path)
