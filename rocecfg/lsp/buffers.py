"""The texts that the editor holds; they stand for their files until they are closed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from lsprotocol import types

from rocecfg.core.records import NamedTuple
from rocecfg.lsp.lines import BOM, Lines
from rocecfg.lsp.uris import path_of

_HALVES = dict.fromkeys(range(0xD800, 0xE000), 0xFFFD)  # of a character: no YAML reader takes them


class Buffer(NamedTuple):
    """An open text, as of one version."""

    uri: str  # as the editor writes it
    version: int | None
    lines: Lines

    @property
    def text(self) -> str:
        """What a file with this text would be read as: without a byte order mark."""
        return self.lines.text.removeprefix(BOM)


Snapshot = Mapping[str, Buffer]  # by absolute path; it never changes


class Buffers:
    """All open texts. A text that is no file's is not kept."""

    def __init__(self) -> None:
        self.encoding: types.PositionEncodingKind = types.PositionEncodingKind.Utf16
        self._open: dict[str, Buffer] = {}

    def open(self, item: types.TextDocumentItem) -> str | None:
        """Take a text; gives its path."""
        path = path_of(item.uri)
        if path is not None:
            self._open[path] = Buffer(item.uri, item.version, self._lines(item.text))
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
            lines = self._lines(lines.changed(at, change.text))
        self._open[path] = Buffer(buffer.uri, known.version, lines)
        return path

    def close(self, uri: str) -> str | None:
        """Forget a text; gives its path. None where it was not open."""
        path = path_of(uri)
        return path if path is not None and self._open.pop(path, None) is not None else None

    def at(self, uri: str) -> tuple[str, Buffer] | None:
        """The path and the text of a URI, where it is open."""
        path = path_of(uri)
        buffer = self._open.get(path) if path is not None else None
        return (path, buffer) if path is not None and buffer is not None else None

    def snapshot(self) -> Snapshot:
        """All open texts as of now."""
        return MappingProxyType(dict(self._open))

    def _lines(self, text: str) -> Lines:
        return Lines(text if text.isascii() else text.translate(_HALVES), self.encoding)
