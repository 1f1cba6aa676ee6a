"""What a fabric's files and folders looked like, and whether they still do.

A file is what it was while its size, times and inode are. Where it was written so short a time before it was looked
at that a second change could leave all of these alone, its text is compared too.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rocecfg.engine.roots import above, is_including, is_yaml
from rocecfg.records import NamedTuple
from rocecfg.source.document import Document, read_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_CLOCK = 2 * 10**9  # nanoseconds in which file systems and servers may give two changes one time
_MAGIC = frozenset("*?[")

State = tuple[int, int, int, int]


class Folder(NamedTuple):
    """A folder that files were looked for in."""

    path: str  # relative to the root file's folder
    watched: tuple[str, ...]  # patterns of includes for what is directly in it; (): no include looks here
    names: tuple[str, ...]
    peeked: tuple[tuple[str, State], ...]  # YAML files that are none of the fabric, and hold no root
    members: tuple[tuple[str, int, State], ...]  # files of the fabric: name, number


class Gone(Exception):
    """What was there is not what it was, in a way that only looking at all of it can deal with."""


def state_of(about: os.stat_result) -> State:
    """What differs where a file was written, or replaced."""
    return about.st_size, about.st_mtime_ns, about.st_ctime_ns, about.st_ino


def digest(data: bytes) -> bytes:
    """What tells texts apart; a byte order mark is no part of the text."""
    import hashlib

    return hashlib.blake2b(data.removeprefix(b"\xef\xbb\xbf"), digest_size=16).digest()


# -- looking the first time --------------------------------------------------------------------------------------------


def survey(
    documents: Sequence[Document],
    included: Mapping[int, list[tuple[str, list[str]]]],
    plain: Sequence[bool],
    begun: int,
) -> tuple[list[Folder], dict[int, bytes]]:
    """The folders of a fabric whose files were read not before `begun` (ns), and the digests of those just written.

    `plain`: files that cannot be roots. Raises Gone where a file can be something else than it seems to be.
    """
    base = os.path.dirname(documents[0].path) or os.curdir
    members: dict[str, dict[str, Document]] = {}
    for document in documents:
        folder, name = os.path.split(document.path)
        members.setdefault(os.path.normpath(folder), {})[name] = document
    watching: dict[str, list[str]] = {}
    for number, found in included.items():
        for pattern, _ in found:
            for folder, part in _watched(os.path.dirname(documents[number].path), pattern):
                watching.setdefault(os.path.normpath(folder), []).append(part)
    chain = {folder for path in members for folder in above(os.path.join(path, "x"))}
    folders: list[Folder] = []
    digests: dict[int, bytes] = {}
    for folder in dict.fromkeys((*members, *watching, *sorted(chain))):
        own = members.get(folder, {})
        names = _names(folder)
        if not names.issuperset(own):
            raise Gone
        patterns = tuple(dict.fromkeys(watching.get(folder, ())))
        others = sorted(names.difference(own))
        if any(_matches(name, patterns) and not os.path.isdir(os.path.join(folder, name)) for name in others):
            raise Gone
        states = []
        for name, document in own.items():
            states.append((name, document.number, _state(document, digests, begun)))
            if document.number and not plain[document.number] and is_including(document.path):
                raise Gone  # another root
        peeked = tuple(_peeked(folder, others, begun)) if folder in chain else ()
        folders.append(Folder(os.path.relpath(folder, base), patterns, (*own, *others), peeked, tuple(states)))
    return folders, digests


def _watched(folder: str, pattern: str) -> Iterator[tuple[str, str]]:
    """The folders that an include's pattern is matched in, each with its part of the pattern."""
    *parts, last = pattern.split("/")
    folders = [folder]
    for part in parts:
        if _MAGIC.isdisjoint(part):
            folders = [os.path.join(one, part) for one in folders]
            continue
        yield from ((one, part) for one in folders)
        below = [os.path.join(one, name) for one in folders for name in sorted(_names(one)) if _matches(name, (part,))]
        folders = [one for one in below if os.path.isdir(one)]
    yield from ((one, last) for one in folders)


def _names(folder: str) -> frozenset[str]:
    """What is in a folder; nothing where there is no such folder."""
    try:
        return frozenset(os.listdir(folder or os.curdir))
    except OSError:
        return frozenset()


def _matches(name: str, patterns: Iterable[str]) -> bool:
    """Whether an include means a name; as `glob` has it, one that begins with a point only if the pattern does too."""
    from fnmatch import fnmatchcase

    return any(fnmatchcase(name, p) for p in patterns if p.startswith(".") or not name.startswith("."))


def _state(document: Document, digests: dict[int, bytes], begun: int) -> State:
    about = os.lstat(document.path)
    if not stat.S_ISREG(about.st_mode):
        raise Gone  # a link has two states
    state = state_of(about)
    if is_fresh(state, begun):
        digests[document.number] = digest_of(document)
    return state


def is_fresh(state: State, begun: int) -> bool:
    """Whether a file was written so short a time before it was read that another change may not show."""
    _, modified, changed, _ = state
    return max(modified, changed) + _CLOCK >= begun


def digest_of(document: Document) -> bytes:
    """What tells the text of a file apart."""
    return digest(document.text.encode("utf-8", "surrogatepass"))


def _peeked(folder: str, names: Iterable[str], begun: int) -> Iterator[tuple[str, State]]:
    """The YAML files among these that need not be looked at again, with their states. Raises Gone for a root."""
    for name in filter(is_yaml, names):
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            if is_including(path):
                raise Gone
            state = state_of(os.stat(path))
            if not is_fresh(state, begun):
                yield name, state


# -- looking again -----------------------------------------------------------------------------------------------------


def changed(
    base: str, folders: Iterable[tuple[Any, ...]], digests: Mapping[int, bytes], chain: frozenset[str]
) -> dict[int, State]:
    """The numbers of the files that are not as they were, and what they are now.

    `base`: the root file's folder as seen from here. `chain`: the folders, relative to it, above the files that are
    asked about. Raises Gone where a file came or went that includes match, or a root may have come.
    """
    out: dict[int, State] = {}
    for path, watched, names, peeked, members in folders:
        if not (watched or members or path in chain):
            continue
        folder = os.path.normpath(os.path.join(base, path))
        found = _names(folder)
        if len(found) != len(names) or not found.issuperset(names):
            moved = found.symmetric_difference(names)
            if any(_matches(name, watched) for name in moved) or not found.issuperset(m[0] for m in members):
                raise Gone
        before = os.path.join(folder, "")
        for name, number, state in members:
            about = os.lstat(before + name)
            if (about.st_size, about.st_mtime_ns, about.st_ctime_ns, about.st_ino) != state:
                if not stat.S_ISREG(about.st_mode):
                    raise Gone
                out[number] = state_of(about)
        if path in chain:
            _check_peeked(folder, found.difference(m[0] for m in members), {*peeked})
    for path, _, _, _, members in folders if digests else ():
        for name, number, state in members:
            if number in digests and digests[number] != digest(read_bytes(os.path.join(base, path, name))):
                out.setdefault(number, state)
    return out


def _check_peeked(folder: str, names: Iterable[str], known: set[tuple[str, State]]) -> None:
    """Raises Gone for a YAML file that may be a root with includes, and was not before."""
    for name in filter(is_yaml, names):
        path = os.path.join(folder, name)
        try:
            state = state_of(os.stat(path))
        except OSError:
            continue  # a link that leads nowhere
        if (name, state) not in known and is_including(path):
            raise Gone
