"""The lines that changed since a commit, as git tells them, and which findings concern them."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping

from rocecfg.linting.finding import Finding
from rocecfg.source.bounds import find_repository_folder
from rocecfg.source.document import Sources

Lines = tuple[tuple[int, int], ...]  # first and last
_WHOLE: Lines = ((1, 10**9),)
_HUNK = re.compile(rb"^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@")
_LIMIT = 120  # seconds


class NoChanges(Exception):
    """git could not say what changed."""


def find_changed_lines(ref: str, folder: str) -> Mapping[str, Lines]:
    """The lines of each file that git tracks, by absolute path, that differ from where this branch left `ref`.

    Where lines were taken away, those beside the gap count as changed; in a binary file, or one whose mode changed, all
    do. Raises NoChanges, without a repository and for a commit that it has not.
    """
    top = find_repository_folder(os.path.abspath(folder))
    if top is None:
        raise NoChanges(f"{folder} is in no git repository")
    if _run_git(top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}") is None:
        raise NoChanges(f"{ref!r} is not a commit of this repository; a shallow clone may lack it")
    base = (_run_git(top, "merge-base", "--end-of-options", ref, "HEAD") or ref.encode()).decode().strip()
    # nothing that a repository names is run: no external diff, no text conversion
    flags = (
        "--submodule=short",
        "--no-color",
        "--no-ext-diff",
        "--no-textconv",
        "--no-renames",
        "--diff-filter=d",
        base,
        "--",
    )
    names = _run_git(top, "diff", "--name-only", "-z", *flags)
    diff = _run_git(top, "diff", "--unified=0", *flags)
    tracked = _run_git(top, "ls-files", "-z")
    if names is None or diff is None or tracked is None:
        raise NoChanges(f"git could not compare with {ref!r}")
    found = [name for name in names.split(b"\0") if name]
    parts = re.split(rb"^diff --git ", diff, flags=re.MULTILINE)[1:]  # lines of files begin with + or - here
    if len(found) != len(parts):
        raise NoChanges("git cannot list changes while files are unmerged: finish the merge first")
    out: dict[str, Lines] = dict.fromkeys((_join_path(top, name) for name in tracked.split(b"\0") if name), ())
    out |= {_join_path(top, name): tuple(_parse_hunks(part)) or _WHOLE for name, part in zip(found, parts, strict=True)}
    return out


def _join_path(top: str, name: bytes) -> str:
    return os.path.join(top, os.fsdecode(name))


def _parse_hunks(diff: bytes) -> Iterator[tuple[int, int]]:
    for line in diff.splitlines():
        found = _HUNK.match(line)
        if found is not None:
            start, count = int(found[1]), int(found[2] or b"1")
            yield (start, start + count - 1) if count else (max(start, 1), start + 1)


def _run_git(top: str, *arguments: str) -> bytes | None:
    """What git prints; None where it fails."""
    command = ["git", "--literal-pathspecs", "-C", top, *arguments]
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=_LIMIT, stdin=subprocess.DEVNULL)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoChanges(f"git cannot be run: {error}") from error
    return done.stdout if done.returncode == 0 else None


def touches_changes(finding: Finding, changed: Mapping[str, Lines], sources: Sources) -> bool:
    """Whether a finding, or a second place of it, stands in changed lines; of one in no line, whether its file has any.

    Of a file that git does not track, new, ignored or of elsewhere, nothing says that it did not change.
    """
    if finding.at is None:
        return bool(changed.get(os.path.abspath(finding.path), _WHOLE))
    for span in (finding.at, *(at for at, _ in finding.related)):
        document = sources.documents[span.doc]
        lines = changed.get(os.path.abspath(document.path), _WHOLE)
        first, last = document.place(span.start)[0], document.place(span.end)[0]
        if any(start <= last and first <= end for start, end in lines):
            return True
    return False
