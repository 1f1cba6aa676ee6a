"""File patterns as `.gitignore` writers expect them: `*` stays within a folder, `**` crosses folders.

Python's own `re` would take years to see that a name does not fit `*a*a*a*a*a*b`: see `rocecfg.source.regex`.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rocecfg.source.regex import Regex


def matches(path: str, folder: str, pattern: str) -> bool:
    """Whether a pattern, relative to an absolute folder, matches a path.

    A pattern without a slash is about the file's name, in whatever folder it is; one that ends with a slash is about
    all that is below.
    """
    relative = os.path.relpath(os.path.abspath(path), folder).replace(os.sep, "/")
    if "/" not in pattern:
        relative = relative.rpartition("/")[2]
    return _matches(relative, pattern)


def check_pattern(pattern: str) -> None:
    """Raises RegexError, with what is wrong, for a pattern that cannot be matched."""
    _compile(pattern)


@lru_cache(4096)
def _matches(name: str, pattern: str) -> bool:
    return _compile(pattern).fullmatch(name)


@lru_cache(256)
def _compile(pattern: str) -> Regex:
    from rocecfg.source.regex import Regex  # where there is a pattern at all

    if pattern.endswith("/"):
        pattern += "**"
    out = []
    at = 0
    pattern = pattern.removeprefix("./")
    while at < len(pattern):
        if pattern.startswith("**/", at) and (at == 0 or pattern[at - 1] == "/"):
            out.append("(?:.*/)?")
            at += 3
        elif pattern.startswith("**", at):
            out.append(".*")
            at += 2
        elif pattern[at] in "*?":
            out.append("[^/]*" if pattern[at] == "*" else "[^/]")
            at += 1
        elif pattern[at] == "[" and pattern.find("]", at + 2) > 0:
            end = pattern.index("]", at + 2)
            inner = re.sub(r"([\\\[\]&~|])", r"\\\1", pattern[at + 1 : end])
            out.append(f"[^{inner[1:]}]" if inner[:1] in {"!", "^"} else f"[{inner}]")
            at = end + 1
        else:
            out.append(re.escape(pattern[at]))
            at += 1
    return Regex("".join(out), re.DOTALL)
