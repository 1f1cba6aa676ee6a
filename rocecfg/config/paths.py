"""Which files settings may name: a branch of somebody else brings its own settings, and lint runs on it.

They may name what is below their own folder, and never what git keeps. A report may hold words of whoever wrote the
branch, so it may go only to a file of a kind that nothing runs: not over a script, a Makefile or what a shell reads.
"""

from __future__ import annotations

import os

from rocecfg.source.bounds import is_below

_TEXT = (".txt", ".log")
_SUFFIXES = {
    "full": _TEXT,
    "concise": _TEXT,
    "github": _TEXT,
    "json": (".json",),
    "sarif": (".sarif", ".json"),
    "gitlab": (".json",),
    "junit": (".xml",),
}
_COMMAND = "; any file may be named on the command line alone, --output FORMAT=FILE"


def refused(folder: str, name: str) -> tuple[str, str] | None:
    """Why settings in an absolute folder may not name a file, and the mend; None where they may."""
    try:
        real = os.path.realpath(os.path.join(folder, name))
    except ValueError:
        return f"{name!r} cannot be the name of a file", "leave out the NUL"
    top = os.path.realpath(folder)
    if not is_below(real, top) or real == top:
        return f"{name} is not below the folder of the settings", "name a file beside them or below"
    if any(part.casefold() == ".git" for part in (*name.split("/"), *_below(real, top))):
        return f"{name} is among what git keeps", "name a file outside .git"
    return None


def refused_output(folder: str, word: str) -> tuple[str, str] | None:
    """The same of FORMAT=FILE, to be written."""
    format_, _, name = word.partition("=")
    if not name:
        return None
    wrong = refused(folder, name)
    if wrong is not None:
        return wrong[0], wrong[1] + _COMMAND
    path = os.path.join(folder, name)
    if os.path.islink(path):
        return f"{name} is a link, and settings write over none", "remove the link, or name another file"
    if os.path.lexists(path) and not os.path.isfile(path):
        return f"{name} is no regular file", "name another"
    real = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
    if any(part.startswith(".") and part not in (".", "..") for part in _below(real, os.path.realpath(folder))):
        return f"{name} is hidden: a name in it begins with a point", "name another" + _COMMAND
    suffixes = _SUFFIXES.get(format_, ())
    if suffixes and not name.endswith(suffixes):
        return f"a report as {format_} ends in {' or '.join(suffixes)}, and {name} does not", "name another" + _COMMAND
    return None


def _below(real: str, top: str) -> list[str]:
    return os.path.relpath(real, top).split(os.sep)
