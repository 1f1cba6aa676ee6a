"""Writing files so that nobody ever sees half of one."""

from __future__ import annotations

import os
from contextlib import suppress


def write_atomically(path: str, text: str) -> None:
    """Write beside the file and rename over it. Raises OSError; then the old file stands as it was."""
    partial = f"{path}.{os.getpid()}.partial"
    try:
        with open(partial, "x", encoding="utf-8", errors="backslashreplace", newline="") as stream:
            stream.write(text)
        os.replace(partial, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(partial)
        raise
