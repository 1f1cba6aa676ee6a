"""File URIs as editors write them, and paths."""

from __future__ import annotations

import os
from urllib.parse import quote, unquote_to_bytes, urlsplit

_WINDOWS = os.name == "nt"


def path_of(uri: str) -> str | None:
    """The absolute path that a `file:` URI names, percent-encoded or not; None for any other URI."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme != "file" or not parts.path:
        return None
    path = os.fsdecode(unquote_to_bytes(parts.path))
    if parts.netloc not in ("", "localhost"):
        path = f"//{parts.netloc}{path}"
    if _WINDOWS and path[2:3] == ":":  # /c:/fabrics
        path = path[1:]
    return None if "\0" in path else os.path.abspath(path)


def uri_of(path: str) -> str:
    """The URI of a file, for one that the editor has not named itself."""
    full = os.path.abspath(path)
    if _WINDOWS:
        full = "/" + full.replace("\\", "/")
    return "file://" + quote(os.fsencode(full), safe="/:" if _WINDOWS else "/")
