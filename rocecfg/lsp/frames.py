"""Messages out of a stream, each behind its header; what is not a header costs no message but its own."""

from __future__ import annotations

import re
from typing import BinaryIO

from rocecfg.source.document import MAX_BYTES

_NAME = b"content-length:"
_LENGTH = re.compile(rb"[ \t]*([0-9]{1,12})[ \t]*\r?\n")
_LARGEST = 8 * MAX_BYTES  # bytes of one message: the largest text, its characters escaped
_LONGEST_LINE = 1 << 20  # bytes looked at at once, where no line ends


class Malformed(Exception):
    """A header that does not say how long its message is."""


class Frames:
    """Reads the messages of the base protocol: header lines, an empty line, and as many bytes as a header says."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._lost = False  # where the next message begins is not known

    def lose_track(self) -> None:
        """Look for the next header from here: the last message was no JSON, so its length may be wrong."""
        self._lost = True

    def read_next(self) -> bytes | None:
        """The next message; None at the end of the stream. Raises Malformed, once for all up to the next header."""
        lengths: list[bytes] = []
        other = False  # whether anything stood there that is not a length
        while line := self._stream.readline(_LONGEST_LINE):
            at = line.lower().rfind(_NAME)
            if at >= 0:  # behind what is left of a message, too
                lengths.append(line[at + len(_NAME) :])
            elif line.strip():
                other = True
            elif lengths or other:
                size = _read_size(lengths)
                if size:
                    self._lost = False
                    body = self._stream.read(size)
                    return body if len(body) == size else None
                lengths, other, before, self._lost = [], False, self._lost, True
                if not before:
                    raise Malformed("a header Content-Length with the length of the message in bytes is missing")
        return None


def _read_size(lengths: list[bytes]) -> int | None:
    """How many bytes the headers say; None where they do not."""
    found = _LENGTH.fullmatch(lengths[0]) if len(lengths) == 1 else None
    size = int(found[1]) if found is not None else 0
    return size if 0 < size <= _LARGEST else None
