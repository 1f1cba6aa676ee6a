"""Which intents a user means: the root files below a folder, or the fabric that a given file belongs to."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from rocecfg.intent import Loaded, load
from rocecfg.source.document import SourceError, Sources, read_bytes

_SUFFIXES = (".yaml", ".yml")
_ROOT = re.compile(rb"""^(?:\xef\xbb\xbf)?\s*\{?\s*["']?rocecfg["']?[ \t]*:""", re.MULTILINE)
_INCLUDES = re.compile(rb"^[\s{,]*[\"']?include[\"']?[ \t]*:", re.MULTILINE)


class Found(NamedTuple):
    """The fabrics meant, each loaded once, and the files asked about (None: all)."""

    fabrics: list[Loaded]
    focus: frozenset[str] | None
    strangers: list[str]  # given files that belong to no intent


def discover(paths: tuple[str, ...], sources: Sources, vendor: str | None = None) -> Found:
    """The fabrics of the given files and folders (none: the current folder). Raises SourceError for what is missing."""
    roots: dict[str, Loaded] = {}
    focus: set[str] = set()
    strangers: list[str] = []
    for path in paths or (".",):
        if os.path.isdir(path):
            found = _below(path, sources, vendor)
            if not found:
                raise SourceError(path, "no intent here or below", "an intent is a YAML file with the key rocecfg: 1")
            for loaded in found:
                roots.setdefault(os.path.normpath(loaded.root), loaded)
                focus.update(os.path.abspath(f) for f in loaded.files)
                focus.update(os.path.abspath(e.path) for e in loaded.errors)
            continue
        head = read_bytes(path)  # raises where there is no such file
        owner = _owner(path, head, sources, vendor, roots)
        if owner is None:
            strangers.append(path)
            continue
        roots.setdefault(os.path.normpath(owner.root), owner)
        focus.add(os.path.abspath(path))
        if os.path.normpath(owner.root) == os.path.normpath(path):
            # a root stands for its fabric: what is wrong in a file it includes is wrong with it
            focus.update(os.path.abspath(f) for f in owner.files)
            focus.update(os.path.abspath(e.path) for e in owner.errors)
    return Found(list(roots.values()), frozenset(focus), strangers)


def _owner(path: str, head: bytes, sources: Sources, vendor: str | None, known: dict[str, Loaded]) -> Loaded | None:
    """The fabric that a file is part of: one already loaded, one further up that includes it, or its own."""
    own = os.path.abspath(path)
    for loaded in known.values():
        if own in _members(loaded):
            return loaded
    for candidate in _above(path):
        if os.path.abspath(candidate) == own:
            continue
        loaded = load(candidate, sources, vendor)
        if own in _members(loaded):
            return loaded
    return load(path, sources, vendor) if _ROOT.search(head) else None


def _members(loaded: Loaded) -> set[str]:
    return {os.path.abspath(f) for f in (loaded.root, *loaded.files, *(e.path for e in loaded.errors))}


def _above(path: str) -> list[str]:
    """Root files with includes in the file's folder and those above it, up to the repository's top."""
    out = []
    folder = os.path.dirname(os.path.abspath(path))
    relative = os.path.dirname(path) or "."
    for _ in range(32):
        for name in sorted(os.listdir(folder)):
            full = os.path.normpath(os.path.join(relative, name))
            if name.endswith(_SUFFIXES) and os.path.isfile(full):
                data = read_bytes(full)
                if _ROOT.search(data) and _INCLUDES.search(data):
                    out.append(full)
        above = os.path.dirname(folder)
        if above == folder or os.path.exists(os.path.join(folder, ".git")):
            break
        folder = above
        relative = os.path.join(relative, "..") if relative != "." else ".."
    return out


def _below(path: str, sources: Sources, vendor: str | None) -> list[Loaded]:
    found: list[Loaded] = []
    included: set[str] = set()
    for folder, folders, files in os.walk(path):
        folders[:] = sorted(f for f in folders if not f.startswith((".", "__")))
        for name in sorted(files):
            full = os.path.normpath(os.path.join(folder, name))
            if not name.endswith(_SUFFIXES) or name.startswith(".") or os.path.abspath(full) in included:
                continue  # what a root above includes need not be looked at again: it may be 10,000 files
            try:
                data = read_bytes(full)
            except SourceError:
                continue  # unreadable and nobody named it: it is an error only where an intent includes it
            if _ROOT.search(data):
                found.append(load(full, sources, vendor))
                included.update(os.path.abspath(f) for f in found[-1].files if f != full)
    return sorted((one for one in found if os.path.abspath(one.root) not in included), key=lambda one: one.root)
