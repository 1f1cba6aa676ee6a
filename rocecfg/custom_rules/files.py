"""Where a team's own rules stand: `rocecfg-rules.yaml` beside the intent, or files in `rocecfg-rules/` there."""

from __future__ import annotations

import os

PREFIX = "house/"  # of the names of house rules
FILE = "rocecfg-rules.yaml"
FOLDER = "rocecfg-rules"
_SUFFIXES = (".yaml", ".yml")


def files_of(root: str) -> list[str]:
    """The files of house rules for an intent by its root file; none in most cases, and then it costs two looks."""
    beside = os.path.dirname(root)
    found = []
    single = os.path.join(beside, FILE)
    if os.path.lexists(single):
        found.append(single)
    folder = os.path.join(beside, FOLDER)
    try:
        names = sorted(os.listdir(folder))
    except OSError:  # there is no such folder
        names = []
    return found + [
        os.path.join(folder, name) for name in names if name.endswith(_SUFFIXES) and not name.startswith(".")
    ]


def folder_of(path: str) -> str | None:
    """The folder of the intents that a file holds house rules for; None where it is no such file."""
    folder, name = os.path.split(path)
    if name == FILE:
        return folder or "."
    above, last = os.path.split(os.path.abspath(folder))
    if last == FOLDER and name.endswith(_SUFFIXES):
        return os.path.normpath(os.path.join(folder, "..")) if folder else above
    return None


def house_rule_name(word: str) -> str | None:
    """The name of a house rule, or its beginning, that a name or code stands for; None for other rules.

    `house/x`, `HOUSE-x`, and `house` for all of them.
    """
    head, tail = word[: len(PREFIX) - 1], word[len(PREFIX) - 1 :]
    if head.casefold() != PREFIX[:-1] or tail[:1] not in ("", "/", "-"):
        return None
    return PREFIX + tail[1:]
