"""Where the roots of intents are: above a file, and which files look like one. Nothing here is parsed."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from functools import cache

from rocecfg.source.document import MAX_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_SUFFIXES = (".yaml", ".yml")
ROOT_KEY = "rocecfg"  # without it no text is a root file
# A key of the root mapping: at the margin, behind its brace, or, as JSON is laid out, on a line of its own below it.
_ROOT = rb"""^(?:\xef\xbb\xbf)?(?:\{[ \t]*)?["']?rocecfg["']?[ \t]*:"""
_ROOT_BRACED = rb"""^[ \t]+["']?rocecfg["']?[ \t]*:"""
_INCLUDES = (  # or names files of links
    rb"""^[ \t{,]*["']?include["']?[ \t]*:|[.]csv\b|"""
    rb"""^[ \t]*-[ \t]+["']?[^\s"'{}#:]+[.](?:json|xml|dot|txt|log|ya?ml)\b"""
)
_MOST_ABOVE = 32  # folders looked at above a file


def is_yaml(name: str) -> bool:
    """Whether a file's name is that of YAML."""
    return name.endswith(_SUFFIXES)


def list_folders_above(path: str) -> Iterator[str]:
    """The file's folder and those above it, up to the repository's top, as seen from the current folder."""
    relative = os.path.dirname(path) or "."
    folder = os.path.abspath(relative)
    for _ in range(_MOST_ABOVE):
        yield relative
        up = os.path.dirname(folder)
        if up == folder or os.path.exists(os.path.join(folder, ".git")):
            break
        folder = up
        relative = os.path.normpath(os.path.join(relative, ".."))


def is_root(data: bytes) -> bool:
    """Whether a text looks like a root file."""
    if _compile(_ROOT).search(data):
        return True
    return data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{" and _compile(_ROOT_BRACED).search(data) is not None


def is_including(data: bytes) -> bool:
    """Whether a text looks like a root file that includes others."""
    return is_root(data) and _compile(_INCLUDES).search(data) is not None


def peek(path: str) -> bytes:
    """What begins a file that nobody named; empty where it cannot be read: only who includes it need care."""
    try:
        known = os.stat(path)
        if not stat.S_ISREG(known.st_mode):
            return b""  # reading from a pipe would wait for who writes to it
        with open(path, "rb", buffering=0) as stream:
            # a read of MAX_BYTES at once would set that much aside for every little file
            return stream.read(min(known.st_size, MAX_BYTES)) or b""
    except (OSError, ValueError):  # ValueError: a NUL in the path
        return b""


@cache
def _compile(pattern: bytes) -> re.Pattern[bytes]:
    import re

    return re.compile(pattern, re.MULTILINE)
