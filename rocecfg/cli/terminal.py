"""Standard output and error as every command has them, and a line on the terminal while work lasts."""

from __future__ import annotations

import io
import os
import sys
from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from threading import Event
    from typing import Any

    from rocecfg.source.document import Sources


class _Output(io.FileIO):
    """What is written when nobody reads any more, as behind `head`, goes nowhere.

    The command still runs to its end: it writes its files, and its exit code says what it found.
    """

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            _discard_output(self.fileno())
            return len(data)


def prepare_streams() -> None:
    """Set up sys.stdout and sys.stderr of this process: UTF-8 under any locale, and a reader may leave early."""
    for number, name in ((1, "stdout"), (2, "stderr")):
        stream = getattr(sys, name)
        if stream is None:  # closed by who started this, as `>&-` does
            _discard_output(number)
        elif not isinstance(stream, io.TextIOWrapper):
            continue
        raw = _Output(number if stream is None else stream.fileno(), "w", closefd=False)
        lines = stream is not None and stream.line_buffering
        # names of files may not be UTF-8
        text = io.TextIOWrapper(io.BufferedWriter(raw), "utf-8", errors="backslashreplace", line_buffering=lines)
        setattr(sys, name, text)


def _discard_output(number: int) -> None:
    """Have a file descriptor take what is written and keep none of it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    if nowhere != number:
        os.dup2(nowhere, number)
        os.close(nowhere)


_AFTER = 1.0  # seconds
_EVERY = 0.25
_CLEAR = "\r\x1b[K"


def _wait(done: Event, seconds: float) -> bool:
    """Let time pass until the work is done; False where all of it passed before. Tests have a clock of their own."""
    return done.wait(seconds)


@contextmanager
def show_work(sources: Sources) -> Iterator[None]:
    """Say how many files were read of those that are known so far, then what is done with them, as `show_progress`."""

    def tell() -> str:
        count = len(sources.documents)
        return str(sources.progress) or tell_files(count, max(count, sources.awaited), "read")

    with show_progress(tell):
        yield


def tell_files(done: int, total: int, what: str) -> str:
    """How many files are done: `3 of 5 files read`."""
    return f"{done} of {total} file{'s' * (total != 1)} {what}"


@contextmanager
def show_progress(tell: Callable[[], str]) -> Iterator[None]:
    """Say on standard error how far a work is, from the first second on; the line is gone afterwards.

    `tell`: that, as it is when it is asked. Nothing is said where nobody looks.
    """
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield
        return
    import threading

    done = threading.Event()

    def show() -> None:
        if _wait(done, _AFTER):
            return
        while True:
            sys.stderr.write(f"{_CLEAR}rocecfg: {tell()}")
            sys.stderr.flush()
            if _wait(done, _EVERY):
                break
        sys.stderr.write(_CLEAR)
        sys.stderr.flush()

    watcher = threading.Thread(target=show, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
