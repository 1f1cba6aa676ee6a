"""Patterns of file names, expanded within bounds: those of somebody else's may mean more than there is time for."""

from __future__ import annotations

import os

from rocecfg.source.bounds import Bounds

_MAGIC = frozenset("*?[")
_MOST_NAMES = 500_000  # looked at for all patterns of a fabric; one of 10,000 switches has a file a switch


class TooMany(Exception):
    """Patterns that are matched against more names than are looked at."""

    help = "name the folders, or use fewer patterns"

    def __init__(self) -> None:
        super().__init__(f"is too much: patterns of a fabric are matched against at most {_MOST_NAMES} names")


def is_pattern(text: str) -> bool:
    """Whether a path stands for others."""
    return not _MAGIC.isdisjoint(text)


class Expansion:
    """Expands the patterns of one fabric.

    `*`, `?` and `[...]` stay within a folder. `**` means what `*` does: it would follow links, and two that lead
    upwards make it endless.
    """

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._left = _MOST_NAMES
        self.plain: set[str] = set()  # paths that were found, from the current folder: of files, none of them a link

    def list_paths(self, pattern: str, folder: str) -> list[str]:
        """The paths that a pattern means, both relative to a folder. Raises TooMany.

        In a folder out of bounds nothing is looked at: what is left of the pattern stands behind its name.
        """
        found = [""]
        outside: list[str] = []
        parts = pattern.split("/")
        for number, part in enumerate(parts):
            if not is_pattern(part):
                found = [f"{one}{part}/" for one in found]
                continue
            into: list[str] = []
            for one in found:
                above = os.path.join(folder, one)
                if self._bounds.hold(above or os.curdir):
                    into += [f"{one}{name}/" for name in self._list_matching(above, part)]
                elif os.path.isdir(above) or not is_pattern("/".join(parts[:number])):
                    outside.append(one + "/".join(parts[number:]))
            found = into
        return [*outside, *(one.removesuffix("/") for one in found)]

    def _list_matching(self, folder: str, pattern: str) -> list[str]:
        """The names in a folder that a pattern means; as in a shell, a hidden one only if the pattern is like it."""
        from fnmatch import filter as matched  # which is not slowed down by many asterisks

        try:
            with os.scandir(folder or os.curdir) as entries:
                is_plain = {entry.name: entry.is_file(follow_symlinks=False) for entry in entries}
        except OSError:
            is_plain = {}
        self._left -= len(is_plain) + 1
        if self._left < 0:
            raise TooMany
        names = [*is_plain] if pattern.startswith(".") else [n for n in is_plain if not n.startswith(".")]
        found = matched(names, pattern)
        self.plain.update(os.path.join(folder, name) for name in found if is_plain[name])
        return found
