"""What the formats for CI systems share: paths as the repository has them, and texts that steer nothing."""

from __future__ import annotations

import os

from rocecfg.core.visible import visible
from rocecfg.linting.finding import Finding
from rocecfg.report.places import Place, list_notes, locate_finding
from rocecfg.source.bounds import find_repository_folder
from rocecfg.source.document import Sources

UNREADABLE = "schema-syntax"  # the rule whose findings are files that could not be read


def find_repository() -> str:
    """Absolute path of the git repository that the current folder is in; of the current folder where there is none.

    CI systems know a file by its path from there, wherever in the repository the job ran.
    """
    here = os.getcwd()
    return find_repository_folder(here) or here


def make_relative(path: str, root: str) -> str:
    """A path from an absolute root; one that is not below it begins with `..`."""
    direct = os.path.relpath(path, root)
    if not _is_above(direct):
        return direct
    folder, name = os.path.split(os.path.abspath(path))  # the root may have been named through a symbolic link
    real = os.path.relpath(os.path.join(os.path.realpath(folder), name), os.path.realpath(root))
    return direct if _is_above(real) else real


def _is_above(path: str) -> bool:
    return path == os.pardir or path.startswith(os.pardir + os.sep)


def locate_in_repository(finding: Finding, sources: Sources, root: str) -> Place | None:
    """Where a finding stands, its path from the root; None where it stands in no file."""
    at = locate_finding(finding, sources)
    return at._replace(path=make_relative(at.path, root)) if at.path else None


def find_last_line(at: Place) -> int:
    """The last line that has a character of the place: one that ends where a line begins leaves that line out."""
    return at.end_line - 1 if at.end_line > at.line and at.end_column == 1 else at.end_line


def list_details(finding: Finding, sources: Sources, root: str) -> list[str]:
    """The second places, the fix and the reach: a line each, with nothing that steers a terminal."""
    return [visible(line) for line in list_notes(finding, sources, lambda path: make_relative(path, root))]
