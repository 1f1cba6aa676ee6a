"""TOML with places: tomllib gives values without them, so the text is walked once more for its keys."""

from __future__ import annotations

import re
from typing import Any

from rocecfg.source.document import Document, SourceError

Path = tuple[str | int, ...]  # keys, and numbers of items of arrays


def parse(document: Document) -> tuple[dict[str, Any], dict[Path, int]]:
    """The values of a text, and the offset at which each key or item of an array begins. Raises SourceError."""
    import tomllib

    try:
        values = tomllib.loads(document.text)
        places = _Walk(document.text).find_places()
    except tomllib.TOMLDecodeError as error:
        message, _, place = str(error).rpartition(" (at ")
        numbers = re.findall(r"\d+", place)
        if len(numbers) == 2:
            line, column = int(numbers[0]), int(numbers[1])
        else:
            line, column = document.place(len(document.text.rstrip()))
        raise SourceError(document.path, f"not TOML: {message or error}", "", line, column) from None
    except RecursionError:
        raise SourceError(document.path, "nested too deep", "settings need a few levels") from None
    return values, places


_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*+")
_KEY = re.compile(r"""[ \t]*("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[A-Za-z0-9_-]+)[ \t]*""")
_STRING = re.compile(r'''"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*\'''', re.DOTALL)
_BARE = re.compile(r"[^,\]\}\n#]+")


class _Walk:
    """Walks a text that tomllib has taken: what it does not check is known to be right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.found: dict[Path, int] = {}
        self.tables: dict[Path, int] = {}  # arrays of tables: how many so far

    def find_places(self) -> dict[Path, int]:
        table: Path = ()
        self._skip_blank()
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                table = self._read_header()
            else:
                self._read_pair(table)
            self._skip_blank()
        return self.found

    def _skip_blank(self) -> None:
        match = _BLANK.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def _read_header(self) -> Path:
        many = self.text.startswith("[[", self.at)
        self.at += 1 + many
        path = self._read_keys(())
        self.at += 1 + many
        if many:
            if isinstance(path[-1], int):  # its second table: the name led to the first
                path = path[:-1]
            count = self.tables[path] = self.tables.get(path, -1) + 1
            path = (*path, count)
        return path

    def _read_keys(self, path: Path) -> Path:
        """A dotted key below `path`; each of its parts is noted where it first stands."""
        while True:
            match = _KEY.match(self.text, self.at)
            if match is None:  # pragma: no cover - tomllib has read the same key
                raise AssertionError(self.text[self.at : self.at + 20])
            path = (*path, _unquote(match[1]))
            if path in self.tables:
                path = (*path, self.tables[path])
            self.found.setdefault(path, match.start(1))
            self.at = match.end()
            if not self.text.startswith(".", self.at):
                return path
            self.at += 1

    def _read_pair(self, table: Path) -> None:
        path = self._read_keys(table)
        self.at += 1  # the equals sign
        self._skip_blank()
        self._skip_value(path)

    def _skip_value(self, path: Path) -> None:
        first = self.text[self.at]
        if first in "\"'":
            match = _STRING.match(self.text, self.at)
        elif first in "[{":
            self._walk_inside(path, first)
            return
        else:
            match = _BARE.match(self.text, self.at)
        self.at = match.end() if match else self.at + 1

    def _walk_inside(self, path: Path, opening: str) -> None:
        number = 0
        self.at += 1
        self._skip_blank()
        while self.text[self.at] not in "]}":
            if opening == "[":
                self.found[*path, number] = self.at
                self._skip_value((*path, number))
                number += 1
            else:
                self._read_pair(path)
            self._skip_blank()
            if self.text[self.at] == ",":
                self.at += 1
                self._skip_blank()
        self.at += 1


def _unquote(key: str) -> str:
    if key[0] == "'":
        return key[1:-1]
    if key[0] != '"':
        return key
    import tomllib

    return next(iter(tomllib.loads(f"{key} = 0")))
