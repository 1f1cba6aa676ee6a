"""Standard output and error as every command has them: UTF-8, and a reader that leaves early ends nothing."""

from __future__ import annotations

import io
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class _Output(io.FileIO):
    """What is written when nobody reads any more, as behind `head`, goes nowhere.

    The command still runs to its end: it writes its files, and its exit code says what it found.
    """

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            _to_nowhere(self.fileno())
            return len(data)


def prepare() -> None:
    """Set up sys.stdout and sys.stderr of this process. The bytes are the same under any locale."""
    for number, name in ((1, "stdout"), (2, "stderr")):
        stream = getattr(sys, name)
        if stream is None:  # closed by who started this, as `>&-` does
            _to_nowhere(number)
        elif not isinstance(stream, io.TextIOWrapper):
            continue
        raw = _Output(number if stream is None else stream.fileno(), "w", closefd=False)
        lines = stream is not None and stream.line_buffering
        # names of files may not be UTF-8
        text = io.TextIOWrapper(io.BufferedWriter(raw), "utf-8", errors="backslashreplace", line_buffering=lines)
        setattr(sys, name, text)


def _to_nowhere(number: int) -> None:
    """Have a file descriptor take what is written and keep none of it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    if nowhere != number:
        os.dup2(nowhere, number)
        os.close(nowhere)
