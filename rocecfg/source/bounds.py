"""Which files a repository may name: those below its top folder, and below folders that the command line allows.

Lint runs on branches of others. What such a branch holds may be hostile: an `include:`, a link or a path in settings
that leads elsewhere would have files of the machine read, and their lines shown in a public log, or written over.
What counts is where a path really leads, links followed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from rocecfg.source.document import SourceError

_GIT = ".git"


def find_repository_folder(folder: str) -> str | None:
    """The nearest folder with a `.git`, at or above an absolute folder; None where there is none."""
    while not os.path.lexists(os.path.join(folder, _GIT)):
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above
    return folder


def find_top(folder: str) -> str:
    """The folder, links resolved, that all files of a fabric in `folder` are to be below.

    That is the repository's. Without a repository it is the current folder, if that is above, but never the home
    folder nor /, which hold more than what somebody meant to lint; else the fabric's own.
    """
    own = os.path.realpath(folder)
    top = find_repository_folder(own)
    if top is not None:
        return top
    here = os.path.realpath(os.curdir)
    wide = here == os.path.dirname(here) or here == os.path.realpath(os.path.expanduser("~"))
    return here if is_below(own, here) and not wide else own


def is_below(real: str, folder: str) -> bool:
    """Whether a resolved path is a resolved folder, or below it."""
    return real == folder or real.startswith(os.path.join(folder, ""))


class Bounds:
    """The folders that the files of one fabric are below."""

    def __init__(self, folder: str, allowed: Iterable[str] = ()) -> None:
        """`folder`: of the fabric's root file; `allowed`: folders named on the command line."""
        self.top = find_top(folder)
        self.allowed = tuple(allowed)
        self._tops = (self.top, *map(os.path.realpath, self.allowed))

    def hold(self, path: str) -> bool:
        """Whether a path leads to a place inside."""
        return self.hold_real(os.path.realpath(path))

    def hold_real(self, real: str) -> bool:
        """The same of a path whose links are resolved."""
        return any(is_below(real, top) for top in self._tops)

    def check(self, path: str) -> None:
        """Raises SourceError where a path leads outside."""
        if not self.hold(path):
            raise SourceError(path, *self.describe_refusal(path, path))

    def describe_refusal(self, named: str, path: str) -> tuple[str, str]:
        """What to say of something named so which leads to a path outside, and the fix."""
        target = os.path.dirname(os.path.realpath(path))
        where = (
            "the repository"
            if find_repository_folder(self.top) is not None
            else f"{self.top} (there is no .git above it)"
        )
        fix = f"move the file there; if all that is in its folder can be trusted: --allow-outside {target}"
        return f"{named} leads out of {where}", fix
