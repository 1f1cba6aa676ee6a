"""A line on the terminal while work lasts; nothing before a second has passed, and nothing where nobody looks."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rocecfg.source.document import Sources

_AFTER = 1.0  # seconds
_EVERY = 0.25
_CLEAR = "\r\x1b[K"


@contextmanager
def progress(sources: Sources) -> Iterator[None]:
    """Say on standard error how many files were read, from the first second on; the line is gone afterwards."""
    import os

    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield
        return
    import threading

    done = threading.Event()

    def show() -> None:
        if done.wait(_AFTER):
            return
        while True:
            count = len(sources.documents)
            sys.stderr.write(f"{_CLEAR}rocecfg: {count} file{'s' * (count != 1)} read")
            sys.stderr.flush()
            if done.wait(_EVERY):
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
