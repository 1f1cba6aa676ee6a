"""What is passed over below a folder: by the .gitignore files of its repository, and by `exclude` of its settings.

Patterns are matched by ours, not by a library of them: a repository's files are anybody's, and Python's `re` can be
made to take years. What is named on the command line is never passed over.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable

from rocecfg.config.globs import check_pattern, matches
from rocecfg.core.records import NamedTuple
from rocecfg.source.bounds import find_repository_folder

_MOST_READ = 1 << 20  # bytes of a .gitignore


class _Pattern(NamedTuple):
    folder: str  # absolute: what it is relative to
    glob: str
    folders_only: bool
    again: bool  # takes in what an earlier pattern leaves out


class PassedOver(NamedTuple):
    """How much is passed over: a folder is one, whatever is in it."""

    ignored_files: int = 0  # by .gitignore
    ignored_folders: int = 0
    excluded_files: int = 0  # by `exclude` of the settings
    excluded_folders: int = 0


class Ignored:
    """Whether what is found below a folder is passed over. `found`: what was, and why."""

    def __init__(self, top: str, exclude: Iterable[tuple[str, str]] = ()) -> None:
        """`exclude`: absolute folders, and patterns relative to them."""
        self.found: dict[str, tuple[bool, bool]] = {}  # absolute path -> by `exclude`, is a folder
        self._excluded = [found for folder, line in exclude if (found := _parse_pattern(folder, line)) is not None]
        self._by_folder: dict[str, tuple[_Pattern, ...]] = {}
        self._repository = find_repository_folder(os.path.abspath(top))

    def __call__(self, path: str, is_folder: bool) -> bool:
        """Whether a file or folder is passed over; asked of what is in folders that are not."""
        full = os.path.abspath(path)
        ignoring = self._load_patterns(os.path.dirname(full))
        excluded = bool(self._excluded) and _is_matched(self._excluded, full, is_folder)
        if not excluded and not (ignoring and _is_matched(ignoring, full, is_folder)):
            return False
        self.found[full] = excluded, is_folder
        return True

    def _load_patterns(self, folder: str) -> tuple[_Pattern, ...]:
        """The patterns of the .gitignore files from the repository's top to a folder."""
        if self._repository is None:
            return ()
        found = self._by_folder.get(folder)
        if found is None:
            above = () if folder == self._repository else self._load_patterns(os.path.dirname(folder))
            found = self._by_folder[folder] = (*above, *_read_patterns(folder))
        return found


def count_passed_over(found: Iterable[Ignored], judged: Iterable[str]) -> PassedOver:
    """How much was passed over below folders; not what was `checked` all the same, such as what an intent includes.

    `checked`: absolute paths.
    """
    paths = {path: why for one in found for path, why in one.found.items()}
    if not paths:
        return PassedOver()
    for path in judged:
        at = path
        while at not in paths and (above := os.path.dirname(at)) != at:
            at = above
        paths.pop(at, None)
    counts = Counter(paths.values())
    return PassedOver(counts[False, False], counts[False, True], counts[True, False], counts[True, True])


def _is_matched(patterns: Iterable[_Pattern], full: str, is_folder: bool) -> bool:
    """As git has it: the last pattern that matches decides."""
    out = False
    for of in patterns:
        if out == of.again and (is_folder or not of.folders_only) and matches(full, of.folder, of.glob):
            out = not of.again
    return out


def _read_patterns(folder: str) -> list[_Pattern]:
    try:
        with open(os.path.join(folder, ".gitignore"), encoding="utf-8", errors="replace") as stream:
            lines = stream.read(_MOST_READ).splitlines()
    except OSError:
        return []
    return [found for line in lines if (found := _parse_pattern(folder, line)) is not None]


def _parse_pattern(folder: str, line: str) -> _Pattern | None:
    """A line of a .gitignore; None for comments, empty lines, and patterns that are none."""
    from rocecfg.source.regex import RegexError  # where there is a pattern at all

    text = line.rstrip("\r\n")
    text = text.rstrip(" ") + (" " if text.rstrip(" ").endswith("\\") and text.endswith(" ") else "")
    if not text or text.startswith("#"):
        return None
    again = text.startswith("!")
    text = text[1:] if again or text.startswith(("\\#", "\\!")) else text
    folders_only = text.endswith("/")
    glob = text.rstrip("/").replace("\\ ", " ")
    if not glob:
        return None
    if "/" in glob:
        glob = f"./{glob.removeprefix('/')}"  # with a slash it counts from the folder, whatever the rest is
    try:
        check_pattern(glob)
    except RegexError:
        return None  # it leaves nothing out
    return _Pattern(folder, glob, folders_only, again)
