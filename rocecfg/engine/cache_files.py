"""Where caches are kept, and how one is read and written: by the user alone, whole or not at all.

A cache holds plain tuples as `marshal` writes them: reading it runs nobody's code. That is no format for data of
others, so a folder that somebody else owns or may write to is not used. What is cut off, damaged or of another
version is as good as none, and where nothing can be written nothing is.
"""

from __future__ import annotations

import marshal
import os
import stat
from binascii import crc32
from contextlib import suppress

from rocecfg import __file__ as _package
from rocecfg import __version__
from rocecfg.data import ROOT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

VARIABLE = "ROCECFG_CACHE_DIR"
_MAGIC = b"rocecfg cache 1\n"
_NUMBER = 8  # bytes of a number in the head
_HEAD = len(_MAGIC) + 2 * _NUMBER  # and the length and the sum of the index
_SUFFIX = ".cache"
_MOST_FILES = 64
_MOST_BYTES = 256 * 1024 * 1024
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH

Place = tuple[int, int, int]  # start, length and sum of a part


def folder() -> str | None:
    """Where caches are kept; None where nobody says, and there is no home."""
    named = os.environ.get(VARIABLE)
    if named:
        return named
    above = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(above, "rocecfg") if os.path.isabs(above) else None


def made_by() -> tuple[Any, ...]:
    """What a cache is no longer good for when it changes: rocecfg and its profiles, Python, the format."""
    import sys

    about = os.stat(_package)
    return __version__, sys.version, _package, about.st_mtime_ns, about.st_ino, _checkout()


def _checkout() -> tuple[Any, ...]:
    """Of a checkout every file, since people change it and its version stays; of an installed package none."""
    package = os.path.dirname(_package)
    if ROOT.startswith(package):
        return ()
    found = []
    for top in (package, os.path.join(ROOT, "profiles")):
        for above, _, names in os.walk(top):
            paths = (os.path.join(above, name) for name in names if name.endswith((".py", ".yaml")))
            found += [os.stat(path).st_mtime_ns for path in paths]
    return tuple(found)


class Opened:
    """A cache that was found: its index, and the parts that are looked at when they are wanted."""

    def __init__(self, index: tuple[Any, ...], data: bytes, start: int) -> None:
        """`data`: the whole file, in which the parts begin at `start`."""
        self.index = index
        self._data = data
        self._start = start

    def part(self, place: Place) -> Any:
        """The part at that place among all. Raises ValueError, TypeError or EOFError where it is damaged."""
        return marshal.loads(self.raw(place))  # noqa: S302 - our own file, in a folder that only the user writes to

    def raw(self, place: Place) -> bytes:
        """The same as it is written."""
        start, length, check = place
        return _checked(self._data, self._start + start, length, check)


def load(place: str) -> Opened | None:
    """The cache for a folder of intents; None where there is none that can be used."""
    home = folder()
    path = _path(home, place)
    if home is None or path is None:
        return None
    try:
        with open(path, "rb", buffering=0) as stream:
            if not (_is_ours(os.stat(home)) and _is_ours(os.fstat(stream.fileno()))):
                return None
            data = stream.readall()
        if not data.startswith(_MAGIC):
            return None
        length, check = (
            int.from_bytes(data[at : at + _NUMBER], "big") for at in (_HEAD - 2 * _NUMBER, _HEAD - _NUMBER)
        )
        made, at, *index = marshal.loads(_checked(data, _HEAD, length, check))  # noqa: S302 - as above
        return Opened(tuple(index), data, _HEAD + length) if (made, at) == (made_by(), place) else None
    except (OSError, ValueError, EOFError, TypeError, MemoryError):
        return None


def store(place: str, index: Sequence[Any], parts: bytes) -> None:
    """Write the cache for a folder of intents, in the place of what was there; nothing where that cannot be done."""
    home = folder()
    path = _path(home, place)
    if home is None or path is None:
        return
    temporary = f"{path}.{os.urandom(8).hex()}.tmp"  # process 1 of the next container is another one
    try:
        data = marshal.dumps((made_by(), place, *index))
        head = _MAGIC + len(data).to_bytes(_NUMBER, "big") + crc32(data).to_bytes(_NUMBER, "big")
        os.makedirs(home, mode=0o700, exist_ok=True)
        if not _is_ours(os.stat(home)):
            return
        try:
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with open(handle, "wb") as stream:
                stream.write(head + data + parts)
            os.replace(temporary, path)
        except OSError:
            with suppress(OSError):
                os.unlink(temporary)
        _clean(home)
    except OSError:
        return


def dumped(value: Any) -> bytes:
    """A part of plain tuples."""
    return marshal.dumps(value)


def packed(parts: Iterable[bytes]) -> tuple[tuple[Place, ...], bytes]:
    """Parts one behind the other, and the place of each."""
    places = []
    out = bytearray()
    for part in parts:
        places.append((len(out), len(part), crc32(part)))
        out += part
    return tuple(places), bytes(out)


def _path(home: str | None, place: str) -> str | None:
    """One file for each folder of intents; the names of the folders stay among those who know them."""
    return os.path.join(home, f"{crc32(os.fsencode(place)):08x}{_SUFFIX}") if home is not None else None


def _is_ours(found: os.stat_result) -> bool:
    return found.st_uid == os.geteuid() and not found.st_mode & _OTHERS_WRITE


def _checked(data: bytes, start: int, length: int, check: int) -> bytes:
    """What stands at a place. Raises ValueError where it is cut off, or is not what was written."""
    found = data[start : start + length]
    if len(found) != length or crc32(found) != check:
        raise ValueError("damaged")
    return found


def _clean(home: str) -> None:
    """Remove what was not written for the longest time, beyond what is kept."""
    found = [(os.stat(entry.path), entry.path) for entry in os.scandir(home) if entry.name.endswith((_SUFFIX, ".tmp"))]
    found.sort(key=lambda one: -one[0].st_mtime_ns)
    total = 0
    for number, (about, path) in enumerate(found):
        total += about.st_size
        if number >= _MOST_FILES or total > _MOST_BYTES:
            with suppress(OSError):
                os.unlink(path)
