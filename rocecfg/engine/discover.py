"""Which intents a user means: the root files below a folder, or the fabric that a given file belongs to."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from rocecfg.house.files import files_of, folder_of
from rocecfg.intent import Loaded, load
from rocecfg.records import NamedTuple
from rocecfg.source.document import MAX_BYTES, Document, SourceError, Sources, decode, read_bytes

_SUFFIXES = (".yaml", ".yml")
# A key of the root mapping: at the margin, behind its brace, or, as JSON is laid out, on a line of its own below it.
_ROOT = re.compile(rb"""^(?:\xef\xbb\xbf)?(?:\{[ \t]*)?["']?rocecfg["']?[ \t]*:""", re.MULTILINE)
_ROOT_BRACED = re.compile(rb"""^[ \t]+["']?rocecfg["']?[ \t]*:""", re.MULTILINE)
_INCLUDES = re.compile(rb"""^[ \t{,]*["']?include["']?[ \t]*:|[.]csv\b""", re.MULTILINE)  # or names files of links
_MOST_ABOVE = 32  # folders looked at above a file


class Found(NamedTuple):
    """The fabrics meant, each loaded once, and the files asked about (None: all)."""

    fabrics: list[Loaded]
    focus: frozenset[str] | None
    strangers: list[str]  # given files that belong to no intent


class Overlaid(Sources):
    """Sources in which given bytes stand for one file, by whatever path it is reached."""

    __slots__ = ("_data", "_path")

    def __init__(self, path: str, data: bytes) -> None:
        super().__init__()
        self._path = os.path.abspath(path)
        self._data = data

    def bytes_of(self, path: str) -> bytes:
        """What the file holds, or what stands for it. Raises SourceError."""
        if os.path.abspath(path) != self._path:
            return read_bytes(path)
        if len(self._data) > MAX_BYTES:
            raise SourceError(path, f"has more than the {MAX_BYTES} bytes that are read")
        return self._data

    def read(self, path: str) -> Document:
        """As of any sources."""
        return self.known(path) or self.add(path, decode(path, self.bytes_of(path)))


def discover(paths: tuple[str, ...], sources: Sources, vendor: str | None = None) -> Found:
    """The fabrics of the given files and folders (none: the current folder).

    What cannot be read, or holds no intent, is a fabric with that error, so that it does not hide the others.
    """
    seen = _Seen(sources, vendor)
    roots: dict[str, Loaded] = {}
    focus: set[str] = set()
    strangers: list[str] = []
    for path in paths or (".",):
        try:
            folder = path if os.path.isdir(path) else folder_of(path)
            owners = _below(folder, seen) if folder is not None else _owners(path, seen)
        except SourceError as error:
            owners = [Loaded(path, None, (), [], [error])]
        if not owners:
            strangers.append(path)
        focus.add(os.path.abspath(path))
        for owner in owners:
            roots.setdefault(os.path.abspath(owner.root), owner)
            if os.path.isdir(path) or os.path.abspath(owner.root) == os.path.abspath(path):
                # a root stands for its fabric: what is wrong in a file it includes is wrong with it
                focus |= _members(owner)
    return Found(list(roots.values()), frozenset(focus), strangers)


class _Seen:
    """What was looked at, so that no file is read and no fabric loaded twice."""

    def __init__(self, sources: Sources, vendor: str | None) -> None:
        self._sources = sources
        self._vendor = vendor
        self._loaded: dict[str, Loaded] = {}  # by absolute path of the root
        self._including: dict[str, list[str]] = {}  # folder -> root files with includes in it

    def load(self, root: str) -> Loaded:
        key = os.path.abspath(root)
        if key not in self._loaded:
            self._loaded[key] = load(root, self._sources, self._vendor)
        return self._loaded[key]

    def bytes_of(self, path: str) -> bytes:
        """What a given file holds. Raises SourceError."""
        return self._sources.bytes_of(path) if isinstance(self._sources, Overlaid) else read_bytes(path)

    def including(self, folder: str) -> list[str]:
        """The root files in a folder that include others; none where the folder may not be read."""
        if folder not in self._including:
            found = []
            try:
                names = sorted(os.listdir(folder))
            except OSError:
                names = []
            for name in names:
                path = os.path.normpath(os.path.join(folder, name))
                data = _peek(path) if name.endswith(_SUFFIXES) else b""
                if _is_root(data) and _INCLUDES.search(data):
                    found.append(path)
            self._including[folder] = found
        return self._including[folder]


def _is_root(data: bytes) -> bool:
    if _ROOT.search(data):
        return True
    return data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{" and _ROOT_BRACED.search(data) is not None


def _peek(path: str) -> bytes:
    """What begins a file that nobody named; empty where it cannot be read: only who includes it need care."""
    try:
        if not os.path.isfile(path):
            return b""  # reading from a pipe would wait for who writes to it
        with open(path, "rb") as stream:
            return stream.read(MAX_BYTES)
    except OSError:
        return b""


def _owners(path: str, seen: _Seen) -> list[Loaded]:
    """The fabrics that a file is part of: those further up that include it, else its own."""
    own = os.path.abspath(path)
    root = _is_root(seen.bytes_of(path))  # raises where there is no such file
    above = [seen.load(c) for folder in _above(path) for c in seen.including(folder) if os.path.abspath(c) != own]
    owners = [loaded for loaded in above if own in _members(loaded)]
    return owners or ([seen.load(path)] if root else [])


def _members(loaded: Loaded) -> set[str]:
    files = (loaded.root, *loaded.files, *(e.path for e in loaded.errors), *files_of(loaded.root))
    return {os.path.abspath(f) for f in files}


def _above(path: str) -> Iterator[str]:
    """The file's folder and those above it, up to the repository's top, as seen from the current folder."""
    relative = os.path.dirname(path) or "."
    folder = os.path.abspath(relative)
    for _ in range(_MOST_ABOVE):
        yield relative
        above = os.path.dirname(folder)
        if above == folder or os.path.exists(os.path.join(folder, ".git")):
            break
        folder = above
        relative = os.path.normpath(os.path.join(relative, ".."))


def _below(path: str, seen: _Seen) -> list[Loaded]:
    """The fabrics in a folder and below it. Raises SourceError where there is none."""
    found: list[Loaded] = []
    included: set[str] = set()
    for folder, folders, files in os.walk(path):
        folders[:] = sorted(f for f in folders if not f.startswith((".", "__")))
        for name in sorted(files):
            full = os.path.normpath(os.path.join(folder, name))
            if not name.endswith(_SUFFIXES) or name.startswith(".") or os.path.abspath(full) in included:
                continue  # what a root above includes need not be looked at again: it may be 10,000 files
            if _is_root(_peek(full)):
                found.append(seen.load(full))
                included |= _members(found[-1]) - {os.path.abspath(full)}
    if not found:
        raise SourceError(path, "no intent here or below", "an intent is a YAML file with the key rocecfg: 1")
    return sorted((one for one in found if os.path.abspath(one.root) not in included), key=lambda one: one.root)
