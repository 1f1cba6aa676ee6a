"""Where settings are: the nearest file upward from a fabric, `rocecfg.toml` before `pyproject.toml`."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:  # what reads a file is loaded when there is one
    from rocecfg.settings.values import Settings

OWN = "rocecfg.toml"
SHARED = "pyproject.toml"


class Finder:
    """Looks for settings, in each folder and each file once a run."""

    def __init__(self, *, given: str | None = None, isolated: bool = False) -> None:
        """`given`: the file that counts for every fabric; `isolated`: none does. Raises SourceError for `given`."""
        self._by_folder: dict[str, Settings | None] = {}
        self._given: Settings | None = _read(given) if given is not None else None
        self._isolated = isolated

    def settings(self, path: str) -> Settings | None:
        """The settings for a fabric by its root file, or for a folder; None where there are none.

        Looked for up to the repository's top. Raises SourceError for a settings file that is wrong.
        """
        if self._given is not None or self._isolated:
            return self._given
        full = os.path.abspath(path)
        return self._above(full if os.path.isdir(full) else os.path.dirname(full))

    def _above(self, folder: str) -> Settings | None:
        if folder not in self._by_folder:
            found = _here(folder)
            up = os.path.dirname(folder)
            if found is None and up != folder and not os.path.exists(os.path.join(folder, ".git")):
                found = self._above(up)
            self._by_folder[folder] = found
        return self._by_folder[folder]


def _here(folder: str) -> Settings | None:
    own = os.path.join(folder, OWN)
    if os.path.isfile(own):
        from rocecfg.settings.read import read

        return read(os.path.relpath(own))
    shared = os.path.join(folder, SHARED)
    if os.path.isfile(shared) and _speaks_of_us(shared):
        from rocecfg.settings.read import read_section

        return read_section(os.path.relpath(shared))
    return None


def _speaks_of_us(path: str) -> bool:
    """Whether a file could have a section of ours: most projects' have none, and a TOML parser costs start-up time."""
    try:
        with open(path, "rb") as stream:
            text = stream.read()
            return b"rocecfg" in text and (b"tool.rocecfg" in text or b"[tool]" in text or b"tool." not in text)
    except OSError:
        return True  # let the reader say what is wrong


def _read(path: str) -> Settings:
    from rocecfg.settings.read import read, read_section
    from rocecfg.source.document import SourceError

    if os.path.basename(path) != SHARED:
        return read(path)
    found = read_section(path)
    if found is None:
        raise SourceError(path, "has no [tool.rocecfg]")
    return found
