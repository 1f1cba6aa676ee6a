"""The lines that changed since a commit, as git tells them, and which findings concern them."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping

from rocecfg.linting.finding import Finding
from rocecfg.source.bounds import repository_of
from rocecfg.source.document import Sources

Lines = tuple[tuple[int, int], ...]  # first and last
_WHOLE: Lines = ((1, 10**9),)
_HUNK = re.compile(rb"^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@")
_LIMIT = 120  # seconds


class NoChanges(Exception):
    """git could not say what changed."""


def changed_since(ref: str, folder: str) -> Mapping[str, Lines]:
    """The lines of each file, by absolute path, that differ from where this branch left `ref`, or are new.

    Where lines were taken away, those beside the gap count as changed. Files that git does not track are new. Raises
    NoChanges, without a repository and for a commit that it has not.
    """
    top = repository_of(os.path.abspath(folder))
    if top is None:
        raise NoChanges(f"{folder} is in no git repository")
    if _git(top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}") is None:
        raise NoChanges(f"{ref!r} is no commit of this repository; a shallow clone may lack it")
    base = (_git(top, "merge-base", "--end-of-options", ref, "HEAD") or ref.encode()).decode().strip()
    # nothing that a repository names is run: no external diff, no text conversion
    flags = ("--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--diff-filter=d", base, "--")
    names = _git(top, "diff", "--name-only", "-z", *flags)
    diff = _git(top, "diff", "--unified=0", *flags)
    fresh = _git(top, "ls-files", "-z", "--others", "--exclude-standard")
    if names is None or diff is None or fresh is None:
        raise NoChanges(f"git could not compare with {ref!r}")
    parts = re.split(rb"^diff --git ", diff, flags=re.MULTILINE)[1:]  # lines of files begin with + or - here
    out: dict[str, Lines] = {}
    for name, part in zip(filter(None, names.split(b"\0")), parts, strict=True):
        out[_path(top, name)] = tuple(_hunks(part)) or _WHOLE  # a binary one has none
    out.update(dict.fromkeys((_path(top, name) for name in filter(None, fresh.split(b"\0"))), _WHOLE))
    return out


def _path(top: str, name: bytes) -> str:
    return os.path.join(top, os.fsdecode(name))


def _hunks(diff: bytes) -> Iterator[tuple[int, int]]:
    for line in diff.splitlines():
        found = _HUNK.match(line)
        if found is not None:
            start, count = int(found[1]), int(found[2] or b"1")
            yield (start, start + count - 1) if count else (max(start, 1), start + 1)


def _git(top: str, *arguments: str) -> bytes | None:
    """What git prints; None where it fails."""
    command = ["git", "--literal-pathspecs", "-C", top, *arguments]
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=_LIMIT, stdin=subprocess.DEVNULL)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoChanges(f"git cannot be run: {error}") from error
    return done.stdout if done.returncode == 0 else None


def concerns(finding: Finding, changed: Mapping[str, Lines], sources: Sources) -> bool:
    """Whether a finding, or a second place of it, stands in changed lines; of one in no line, whether its file is."""
    if finding.at is None:
        return os.path.abspath(finding.path) in changed
    for span in (finding.at, *(at for at, _ in finding.related)):
        document = sources.documents[span.doc]
        lines = changed.get(os.path.abspath(document.path), ())
        first, last = document.place(span.start)[0], document.place(span.end)[0]
        if any(start <= last and first <= end for start, end in lines):
            return True
    return False
