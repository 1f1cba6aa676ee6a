"""Which files of a folder could be a switch's configuration."""

from __future__ import annotations

import os
from collections.abc import Iterator

from rocecfg.linting.ignored import Ignored
from rocecfg.linting.roots import peek
from rocecfg.source.bounds import Bounds
from rocecfg.source.document import UTF_16, SourceError, Sources
from rocecfg.source.walk import walk_files
from rocecfg.vendors.detect import vendor_of

_BINARY = 4096  # bytes looked at for a NUL
_TEXTS = frozenset((".json", ".yaml", ".yml", ".txt", ".config", ".log", "")) | frozenset(
    (".cfg", ".conf", ".set", ".cli", ".info", ".nv", ".sh", ".eos")
)
_BESIDE = frozenset((".bcm", ".profile"))  # beside a switch's configuration


def find_config_files(folder: str, sources: Sources, ignored: Ignored | None = None) -> Iterator[str]:
    """The files in a folder and below it that could be a switch's configuration, by their names.

    One that a link brings from elsewhere is not read: `sources` tell so of a configuration, and anything else is
    passed over.
    """
    bounds = Bounds(folder, sources.allowed)
    for full in walk_files(folder, ignored):
        known = os.path.splitext(full)[1].lower() in (_TEXTS | _BESIDE)
        if not known or not os.path.isfile(full) or is_binary(full):
            continue
        if os.path.islink(full) and not bounds.hold(full):
            if vendor_of(peek(full).decode("latin-1")) is None:
                continue
            sources.refused[full] = SourceError(full, *bounds.describe_refusal(full, full))
        yield full


def is_binary(path: str) -> bool:
    """Whether a file is no text, by its beginning; one that cannot be read is for its reader to tell."""
    try:
        with open(path, "rb") as stream:
            head = stream.read(_BINARY)
            return b"\0" in head and not head.startswith(UTF_16)
    except OSError:
        return False
