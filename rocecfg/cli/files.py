"""Writing files so that nobody ever sees half of one."""

from __future__ import annotations

import os
import stat
from contextlib import suppress


def write_atomically(path: str, text: str) -> None:
    """Write beside the file and rename over it. Raises OSError; then the old file stands as it was.

    The file keeps its mode; a new one gets what the umask leaves. A symbolic link stays one: its target is written.
    What is no regular file (a pipe, /dev/stdout) is written to as it is.
    """
    try:
        mode: int | None = os.stat(path).st_mode
    except FileNotFoundError:  # also a link that leads nowhere
        mode = None
    if mode is not None and not stat.S_ISREG(mode):
        with open(path, "w", encoding="utf-8", errors="backslashreplace", newline="") as stream:
            stream.write(text)
        return
    target = os.path.realpath(path)
    partial = f"{target}.{os.getpid()}.partial"
    try:
        with open(partial, "x", encoding="utf-8", errors="backslashreplace", newline="") as stream:
            stream.write(text)
        if mode is not None:
            os.chmod(partial, stat.S_IMODE(mode))
        os.replace(partial, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(partial)
        raise
