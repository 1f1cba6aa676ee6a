"""What the files of a fabric hold: open texts in place of their files, and files that did not change read only once."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping
from types import MappingProxyType

from lsprotocol import types

from rocecfg.core.records import NamedTuple
from rocecfg.linting.discover import Overlaid
from rocecfg.lsp.protocol import BOM, Lines, path_of
from rocecfg.source.document import MAX_BYTES, Document, SourceError, decode, read_bytes

# -- what the editor holds ---------------------------------------------------------------------------------------------


_HALVES = dict.fromkeys(range(0xD800, 0xE000), 0xFFFD)  # of a character: no YAML reader takes them


class OpenText(NamedTuple):
    """An open text, as of one version."""

    uri: str  # as the editor writes it
    version: int | None
    lines: Lines

    @property
    def text(self) -> str:
        """What a file with this text would be read as: without a byte order mark."""
        return self.lines.text.removeprefix(BOM)


Snapshot = Mapping[str, OpenText]  # by absolute path; it never changes


class OpenTexts:
    """All open texts. A text that is not a file's is not kept."""

    def __init__(self) -> None:
        self.encoding: types.PositionEncodingKind = types.PositionEncodingKind.Utf16
        self._open: dict[str, OpenText] = {}

    def open(self, item: types.TextDocumentItem) -> str | None:
        """Take a text; gives its path."""
        path = path_of(item.uri)
        if path is not None:
            self._open[path] = OpenText(item.uri, item.version, self._make_lines(item.text))
        return path

    def change(
        self, known: types.VersionedTextDocumentIdentifier, changes: Iterable[types.TextDocumentContentChangeEvent]
    ) -> str | None:
        """Make changes, each on top of the one before; gives the path. None where the text is not open."""
        path = path_of(known.uri)
        buffer = self._open.get(path) if path is not None else None
        if path is None or buffer is None:
            return None
        lines = buffer.lines
        for change in changes:
            at = change.range if isinstance(change, types.TextDocumentContentChangePartial) else None
            lines = self._make_lines(lines.changed(at, change.text))
        self._open[path] = OpenText(buffer.uri, known.version, lines)
        return path

    def close(self, uri: str) -> str | None:
        """Forget a text; gives its path. None where it was not open."""
        path = path_of(uri)
        return path if path is not None and self._open.pop(path, None) is not None else None

    def find(self, uri: str) -> tuple[str, OpenText] | None:
        """The path and the text of a URI, where it is open."""
        path = path_of(uri)
        buffer = self._open.get(path) if path is not None else None
        return (path, buffer) if path is not None and buffer is not None else None

    def snapshot(self) -> Snapshot:
        """All open texts as of now."""
        return MappingProxyType(dict(self._open))

    def _make_lines(self, text: str) -> Lines:
        return Lines(text if text.isascii() else text.translate(_HALVES), self.encoding)


# -- what files hold ---------------------------------------------------------------------------------------------------


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
        known = self.find_known(path)
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

    def read_bytes_of(self, path: str) -> bytes:
        """What the file holds, or the text that stands for it. Raises SourceError."""
        buffer = self._buffers.get(os.path.abspath(path))
        return buffer.text.encode() if buffer is not None else read_bytes(path)
