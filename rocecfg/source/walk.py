"""The files below a folder that somebody may have meant: neither hidden ones, nor what a broken-off run left behind."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

PREFIX = ".rocecfg-"  # of files while they are written
SUFFIX = ".partial"
_DEEPEST = 64  # folders below one another: more is no fabric, and would exhaust the stack of what handles paths


def is_partial(name: str) -> bool:
    """Whether a file's name is that of one which is being written, or was when its writer was killed.

    Up to version 0.1.0 that was NAME.PROCESS.partial.
    """
    if not name.endswith(SUFFIX):
        return False
    return name.startswith(PREFIX) or name[: -len(SUFFIX)].rpartition(".")[2].isdecimal()


def walk_files(top: str, ignored: Callable[[str, bool], bool] | None = None) -> Iterator[str]:
    """The files in a folder and below it, sorted, those of a folder before those below.

    Links to folders are not entered. Hidden ones, `__…__` folders and partial files are passed over, and what is
    `ignored`, which is asked with a path and whether it is a folder.
    """
    folders = [(top, 0)]
    while folders:
        folder, depth = folders.pop()
        try:
            with os.scandir(folder) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            continue
        below = []
        for entry in found:
            if entry.name.startswith("."):
                continue
            is_folder = entry.is_dir(follow_symlinks=False)
            if is_folder:
                never = entry.name.startswith("__") or depth >= _DEEPEST
            else:
                never = is_partial(entry.name) or os.path.isdir(entry.path)
            if never or (ignored is not None and ignored(entry.path, is_folder)):
                continue
            if is_folder:
                below.append((os.path.join(folder, entry.name), depth + 1))
            else:
                yield os.path.normpath(entry.path)
        folders += reversed(below)
