"""Where settings are: the nearest file upward from a fabric, `rocecfg.toml` before `pyproject.toml`.

Whoever may write a file above a fabric must not thereby say where reports go and what is told: settings of another
owner are passed over, as are those above the repository.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # what reads a file is loaded when there is one
    from collections.abc import Callable, Iterable

    from rocecfg.config.policy import Policies
    from rocecfg.config.values import Settings

OWN = "rocecfg.toml"
SHARED = "pyproject.toml"
_ROOT = 0
_MOST_READ = 1 << 20  # bytes of a pyproject.toml in which its tables are looked for


def _print_to_stderr(message: str) -> None:
    sys.stderr.write(f"rocecfg: {message}\n")


class Finder:
    """Looks for settings, in each folder and each file once a run."""

    def __init__(
        self, *, given: str | None = None, isolated: bool = False, report: Callable[[str], None] = _print_to_stderr
    ) -> None:
        """`given`: the file that counts for every fabric; `isolated`: none does; `report` gets what is not taken.

        Raises SourceError for `given`.
        """
        self._by_folder: dict[str, Settings | None] = {}
        self._given: Settings | None = _read_given(given) if given is not None else None
        self._isolated = isolated
        self._report = report

    def find_settings(self, path: str) -> Settings | None:
        """The settings for a fabric by its root file, or for a folder; None where there are none.

        Looked for up to the repository's top. Raises SourceError for a settings file that is wrong.
        """
        if self._given is not None or self._isolated:
            return self._given
        full = os.path.abspath(path)
        return self._find_upwards(full if os.path.isdir(full) else os.path.dirname(full))

    def _find_upwards(self, folder: str) -> Settings | None:
        if folder not in self._by_folder:
            found = self._find_in(folder)
            up = os.path.dirname(folder)
            if found is None and up != folder:
                if os.path.lexists(os.path.join(folder, ".git")):
                    self._report_those_above(up)
                else:
                    found = self._find_upwards(up)
            self._by_folder[folder] = found
        return self._by_folder[folder]

    def _find_in(self, folder: str) -> Settings | None:
        own = os.path.join(folder, OWN)
        if os.path.isfile(own) and self._is_taken(own):
            from rocecfg.config.read import read_settings

            return read_settings(os.path.relpath(own))
        shared = os.path.join(folder, SHARED)
        if os.path.isfile(shared) and _may_have_our_section(shared) and self._is_taken(shared):
            from rocecfg.config.read import read_section

            return read_section(os.path.relpath(shared))
        return None

    def _is_taken(self, path: str) -> bool:
        """Whether a file is of an owner whose settings count. Raises SourceError for a link out of the repository."""
        if os.path.islink(path):
            from rocecfg.source.bounds import Bounds
            from rocecfg.source.document import SourceError

            if not Bounds(os.path.dirname(path)).hold(path):
                fix = "put the settings themselves there, or name their file with --config"
                raise SourceError(os.path.relpath(path), "is a link that leads out of the repository", fix)
        if {os.lstat(path).st_uid, os.stat(path).st_uid} <= _find_trusted_owners(os.path.dirname(path)):
            return True
        shown = os.path.relpath(path)
        self._report(
            f"{shown} belongs to another owner and is ignored: --config {shown} uses it, --no-config hides this"
        )
        return False

    def _report_those_above(self, folder: str) -> None:
        while not os.path.isfile(os.path.join(folder, OWN)):
            above = os.path.dirname(folder)
            if above == folder:
                return
            folder = above
        shown = os.path.relpath(os.path.join(folder, OWN))
        self._report(
            f"{shown} is above the repository and is ignored: --config {shown} uses it, --no-config hides this"
        )


def find_policies(finder: Finder, roots: Iterable[str], environment: str | None = None) -> Policies | None:
    """What `rocecfg lint` without options judges fabrics by, from their root files; None where nothing is set.

    What reads settings is loaded only where there are some. Raises SourceError for a settings file that is wrong.
    """
    if not environment and all(finder.find_settings(root) is None for root in roots):
        return None
    from rocecfg.config.policy import Policies
    from rocecfg.config.values import Layer

    return Policies(finder, Layer(), environment)


def _find_trusted_owners(folder: str) -> set[int]:
    """The users whose settings in a folder count: this one and root; for root, who owns the repository too.

    In a container root lints what another user checked out: settings are taken as the rest of that checkout is.
    """
    me = os.geteuid()
    if me != _ROOT:
        return {me, _ROOT}
    from rocecfg.source.bounds import find_repository_folder

    return {me, os.stat(find_repository_folder(folder) or folder).st_uid}


def _may_have_our_section(path: str) -> bool:
    """Whether a file could have a section of ours: most projects' have none, and a TOML parser costs start-up time."""
    try:
        with open(path, "rb") as stream:
            text = stream.read(_MOST_READ)
            return b"rocecfg" in text and (b"tool.rocecfg" in text or b"[tool]" in text or b"tool." not in text)
    except OSError:
        return True  # let the reader say what is wrong


def _read_given(path: str) -> Settings:
    from rocecfg.config.read import read_section, read_settings
    from rocecfg.source.document import SourceError

    if os.path.basename(path) != SHARED:
        return read_settings(path)
    found = read_section(path)
    if found is None:
        raise SourceError(path, "has no [tool.rocecfg]")
    return found
