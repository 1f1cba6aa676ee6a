"""A text with its name, and places in it."""

from __future__ import annotations

import os
import stat
from bisect import bisect_right
from collections.abc import Iterable
from contextlib import suppress
from functools import cache

from rocecfg.core.names import edit_distance
from rocecfg.core.progress import Progress

_MOST_SLIPS = 2  # letters of a name
MAX_BYTES = 64 * 1024 * 1024  # one file; a fabric of 10,000 switches is 20 MB
_READ_ONLY = os.O_RDONLY | getattr(os, "O_BINARY", 0)  # O_BINARY: on Windows
_STREAMS = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/")  # what a shell hands over: `<(command)`, `< file`


class SourceError(Exception):
    """What cannot be read at all: the file, the place where known, what is wrong and the fix."""

    def __init__(self, path: str, message: str, help: str = "", line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.path = path
        self.message = message
        self.help = help
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[type[SourceError], tuple[str, str, str, int, int]]:
        """Pickled whole: `Exception` itself would keep the message alone."""
        return type(self), (self.path, self.message, self.help, self.line, self.column)

    def __str__(self) -> str:
        tail = f" ({self.help})" if self.help else ""
        return f"{self.path}:{self.line}:{self.column}: {self.message}{tail}"


class Document:
    """One source text. Offsets are code points; lines and columns are computed when somebody asks."""

    __slots__ = ("_starts", "_text", "number", "path")

    def __init__(self, number: int, path: str, text: str | None) -> None:
        """`text`: None for a file that is read when somebody asks for its text."""
        self.number = number
        self.path = path
        self._text = text
        self._starts: list[int] | None = None

    @property
    def text(self) -> str:
        """The text. Raises SourceError for a file that is read only now, and cannot be."""
        if self._text is None:
            self._text = decode(self.path, read_bytes(self.path))
        return self._text

    @property
    def is_read(self) -> bool:
        """Whether anybody asked for the text."""
        return self._text is not None

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1; columns count code points."""
        starts = self._starts
        if starts is None:
            starts = [0]
            find = self.text.find
            at = find("\n")
            while at >= 0:
                starts.append(at + 1)
                at = find("\n", at + 1)
            self._starts = starts
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line, without its end."""
        begin, end = self._bounds_of_line(number)
        return self.text[begin:end].removesuffix("\r")

    def span_of_line(self, number: int) -> tuple[int, int]:
        """The offsets of what stands on a line, without the blanks around it."""
        begin, end = self._bounds_of_line(number)
        text = self.text[begin:end]
        return begin + len(text) - len(text.lstrip()), begin + len(text.rstrip())

    def _bounds_of_line(self, number: int) -> tuple[int, int]:
        self.place(0)  # works them out
        begin = (self._starts or [0])[number - 1]
        end = self.text.find("\n", begin)
        return begin, end if end >= 0 else len(self.text)


class Sources:
    """All texts of one run, by number; each file is read once."""

    __slots__ = ("_by_path", "allowed", "awaited", "by_shape", "documents", "progress", "refused")

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        """`allowed`: folders outside the repository that the command line lets a fabric's files be in."""
        self.allowed = tuple(allowed)
        self.by_shape = True  # texts that differ in digits alone are read once; False: each in full, with equal results
        self.refused: dict[str, SourceError] = {}  # files that are not to be read
        self.documents: list[Document] = []
        self.awaited = 0  # how many files will be read, as far as is known
        self.progress = Progress()  # of what is done with them
        self._by_path: dict[str, Document] = {}

    def admit(self, path: str) -> None:
        """Raises SourceError for a file that is not to be read."""
        if path in self.refused:
            raise self.refused[path]

    def read(self, path: str) -> Document:
        """The text of a file: strict UTF-8, a byte order mark stripped. Raises SourceError."""
        self.admit(path)
        known = self._by_path.get(path)
        if known is None:
            return self.add(path, decode(path, read_bytes(path)))
        if not known.is_read:
            _ = known.text  # now, while whoever reads minds what is wrong with it
        return known

    def expect(self, paths: Iterable[str]) -> None:
        """Number these files, in this order, of which most will not be read."""
        for path in paths:
            document = Document(len(self.documents), path, None)
            self.documents.append(document)
            self._by_path[path] = document

    def find_known(self, path: str) -> Document | None:
        """The text read under this name, if any was."""
        return self._by_path.get(path)

    def add(self, path: str, text: str) -> Document:
        """Take a text that came from elsewhere (standard input) under this name."""
        document = Document(len(self.documents), path, text)
        self.documents.append(document)
        self._by_path[path] = document
        return document


def read_bytes(path: str) -> bytes:
    """The bytes of a regular file of at most MAX_BYTES, or of what a shell hands over. Raises SourceError."""
    try:
        known = os.stat(path)
        if not stat.S_ISREG(known.st_mode):
            if path.startswith(_STREAMS) and not stat.S_ISDIR(known.st_mode):
                return _read_stream(path)
            # a pipe would be waited for, a device may have no end
            raise SourceError(path, "is not a file", "a pipe is read as - or /dev/stdin, or as the shell's <(command)")
        size = known.st_size
        file = os.open(path, _READ_ONLY)  # a file object takes a third longer, and there are thousands
        try:
            # a read of MAX_BYTES at once would set that much aside for every little file
            data = b"" if size > MAX_BYTES else os.read(file, size + 1)
            while size < len(data) <= MAX_BYTES:  # the file may be growing
                size = len(data)
                data += os.read(file, 1 << 20)
        finally:
            os.close(file)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        help = _find_alike(path) if isinstance(error, FileNotFoundError) else ""
        raise SourceError(path, f"cannot be read: {getattr(error, 'strerror', None) or error}", help) from None
    return _refuse_too_large(path, data, max(size, len(data)))


def _find_alike(path: str) -> str:
    """What may be meant by a path that is not there: a name beside it that is a slip or two away."""
    folder, name = os.path.split(os.path.normpath(path))
    with suppress(OSError):
        beside = sorted((edit_distance(name, each), each) for each in os.listdir(folder or os.curdir))
        if beside and 0 < beside[0][0] <= min(_MOST_SLIPS, len(name) // 2):
            return f"did you mean {os.path.join(folder, beside[0][1])}?"
    return ""


@cache
def _read_stream(path: str) -> bytes:
    """What a stream gives, which it does only once. Raises SourceError, OSError."""
    with open(path, "rb") as stream:
        data = stream.read(MAX_BYTES + 1)
    return _refuse_too_large(path, data, len(data))


def _refuse_too_large(path: str, data: bytes, size: int) -> bytes:
    if size > MAX_BYTES:
        raise SourceError(
            path,
            f"the file has more than the {MAX_BYTES} bytes that are read",
            "one switch's configuration is never that large; split an intent with `include:`, or use node sets",
        )
    return data


UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # how such a text begins


def decode(path: str, data: bytes) -> str:
    """Strict UTF-8 without byte order mark. Raises SourceError with the place of the first bad byte."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        begin = data.rfind(b"\n", 0, error.start) + 1
        column = len(data[begin : error.start].decode("utf-8", "replace")) + 1
        fix = "save the file as UTF-8"
        if data.startswith(UTF_16):
            fix += "; Windows PowerShell's > writes UTF-16: COMMAND | Out-File -Encoding utf8 FILE"
        raise SourceError(path, f"byte 0x{data[error.start]:02x} is not UTF-8", fix, line, column) from None
    return text.removeprefix("\ufeff")
