"""The files of `profiles/`, of `rocecfg-profiles/` beside an intent and of an installed package: which, and what.

Every scalar arrives as text, whatever YAML 1.1 would make of it. `Entry` types it and refuses keys it does not know,
so that a slip in a profile is an error with its place and not a fact that is silently missing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache

from rocecfg.core.data import data_path
from rocecfg.core.records import NamedTuple
from rocecfg.profiles.kinds import KINDS, LONGEST, MARKS, PACKAGE
from rocecfg.source.bounds import Bounds
from rocecfg.source.document import Document, SourceError, decode, read_bytes
from rocecfg.source.yaml import Map, Scalar, compose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    T = TypeVar("T")

EXTENDS = "extends"
SUFFIX = ".yaml"
ABOUT = "about"  # the file of a folder that says which format and version its profiles have
FORMAT = "1"  # of profiles: another one where a file of before would be read otherwise
_FIRST = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_REST = _FIRST | frozenset(".-")


class ProfileError(SourceError):
    """A profile that does not keep to its format: the file, the place, what is wrong and the fix."""


class Folder(NamedTuple):
    """A folder with a sub-folder for each kind of profile."""

    path: str
    shown: str  # how its profiles are cited: "" for the shipped ones
    bounds: Bounds | None = None  # of the fabrics that the user's profiles stand beside

    def names(self, kind: str) -> tuple[str, ...]:
        """The names of the profiles of a kind, sorted; none where there is no such sub-folder."""
        try:
            files = os.listdir(os.path.join(self.path, kind))
        except OSError:
            return ()
        return tuple(sorted(f[: -len(SUFFIX)] for f in files if f.endswith(SUFFIX)))

    def file(self, kind: str, name: str) -> str:
        """The path of a profile's file."""
        return os.path.join(self.path, kind, name + SUFFIX)


SHIPPED_FOLDER = Folder(data_path("profiles"), "")


@cache
def shipped_names(kind: str) -> tuple[str, ...]:
    """The names of the shipped profiles of a kind, sorted."""
    return SHIPPED_FOLDER.names(kind)


@cache
def find_package() -> Folder | None:
    """The installed package of profiles; None: there is none.

    One in the current folder, which `python -m` puts first, is a repository's and nobody installed it.
    """
    from importlib.util import find_spec  # where a profile is asked for, and then once

    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None or spec.origin.rpartition(os.sep)[2] != "__init__.py":
        return None
    path = os.path.dirname(os.path.realpath(spec.origin))
    return Folder(path, PACKAGE) if os.path.dirname(path) != os.path.realpath(os.curdir) else None


def is_plausible_name(name: str) -> bool:
    """Whether a name can be a profile's: one that cannot never reaches the file system."""
    return 0 < len(name) <= LONGEST and name[0] in _FIRST and not (frozenset(name) - _REST)


class _Leaf(NamedTuple):
    text: str
    document: Document
    at: int


class _List(NamedTuple):
    items: list[Any]
    document: Document
    at: int


class _Tree(NamedTuple):
    keys: dict[str, Any]
    document: Document
    at: int


def _error_at(where: _Leaf | _List | _Tree, message: str, help: str = "") -> ProfileError:
    line, column = where.document.place(where.at)
    return ProfileError(where.document.path, message, help, line, column)


def _to_stated(node: Any, document: Document) -> Any:
    if type(node) is Scalar:
        return _Leaf(node.text, document, node.start)
    if type(node) is not Map:
        return _List([_to_stated(item, document) for item in node.items], document, node.start)
    keys: dict[str, Any] = {}
    for key, value in node.pairs:
        if key.text in keys:
            line, column = document.place(key.start)
            raise ProfileError(document.path, f"{key.text} appears twice here", "remove one", line, column)
        keys[key.text] = _to_stated(value, document)
    return _Tree(keys, document, node.start)


def read(folder: Folder, kind: str, name: str) -> Entry:
    """What a profile says. Raises SourceError where it cannot be read, or is not a mapping."""
    path = folder.file(kind, name)
    shown = os.path.join("profiles", kind, name + SUFFIX) if not folder.shown else path
    if folder.bounds is not None:
        folder.bounds.check(path)
    document = Document(0, shown, decode(path, read_bytes(path)))
    node = compose(document)
    if type(node) is not Map:
        raise ProfileError(
            shown, f"a profile of {KINDS.get(kind, 'a folder')} is a mapping", "see `rocecfg schema --profile`"
        )
    return Entry(_to_stated(node, document))


def read_version(folder: Folder) -> str | None:
    """The version that a folder of profiles says it has; None: none, or no `about.yaml`.

    Raises SourceError where its format is not the one that is read here; of a package, whose program may be another
    one, where it says none, or has a folder that no profile is read from.
    """
    path = folder.file("", ABOUT)
    if folder.shown == PACKAGE:
        if not os.path.isfile(path):
            told = f"{ABOUT}{SUFFIX} is missing: which format these profiles are of"
            raise ProfileError(path, told, f'write format: "{FORMAT}", and a version')
        strange = sorted(each.name for each in os.scandir(folder.path) if each.is_dir() and each.name not in KINDS)
        strange = [name for name in strange if name != "__pycache__"]
        if strange:
            told = f"{strange[0]} is no kind of profile: nothing in it is read"
            raise ProfileError(path, told, f"name the folder one of {', '.join(KINDS)}")
    if not os.path.isfile(path):
        return None
    about = read(folder, "", ABOUT)
    form = about.text("format")
    if form != FORMAT:
        told = f"these profiles are of format {form}, and this rocecfg reads format {FORMAT}"
        raise about.fail(told, "take profiles that are made for it, or another rocecfg")
    version = about.maybe("version")
    about.done()
    return version


def overlay(base: Entry, over: Entry) -> Entry:
    """`over` laid upon `base` key by key; a cited figure, one with `value`, and a list are replaced whole."""
    return Entry(_overlay(base.tree_, over.tree_))


def _overlay(base: Any, over: Any) -> Any:
    if type(base) is not _Tree or type(over) is not _Tree or "value" in over.keys:
        return over
    keys = dict(base.keys)
    for key, value in over.keys.items():
        keys[key] = _overlay(keys[key], value) if key in keys else value
    return over._replace(keys=keys)


class Entry:
    """A mapping of a profile. Each key is taken once; `done` refuses what is left over."""

    __slots__ = ("_left", "tree_")

    def __init__(self, stated: Any) -> None:
        if type(stated) is not _Tree:
            raise _error_at(stated, "this is to be a mapping")
        self.tree_: _Tree = stated
        self._left: dict[str, Any] = dict(stated.keys)

    def __contains__(self, key: str) -> bool:
        return key in self._left

    def fail(self, message: str, help: str = "") -> ProfileError:
        """An error about this mapping as a whole."""
        return _error_at(self.tree_, message, help)

    def _take(self, key: str) -> Any:
        if key not in self._left:
            raise self.fail(f"{key} is missing", f"write {key}: ...")
        return self._left.pop(key)

    def _take_leaf(self, key: str) -> _Leaf:
        value = self._take(key)
        if type(value) is not _Leaf or not value.text:
            raise _error_at(value, f"{key} is to be a text")
        return value

    def text(self, key: str) -> str:
        """The text under a key that must be there."""
        return self._take_leaf(key).text

    def maybe(self, key: str) -> str | None:
        """The text under a key that may be absent."""
        return self.text(key) if key in self._left else None

    def is_text(self, key: str) -> bool:
        """Whether a text stands under a key, not a mapping or a list."""
        return type(self._left.get(key)) is _Leaf

    def is_empty(self, key: str) -> bool:
        """Whether nothing stands under a key that is there: no text, and no key of a mapping."""
        value = self._left.get(key)
        return (type(value) is _Leaf and not value.text) or (type(value) is _Tree and not value.keys)

    def word(self, key: str, words: tuple[str, ...]) -> str:
        """One of some words."""
        value = self._take_leaf(key)
        if value.text not in words:
            raise _error_at(value, f"{key} is {value.text}", f"write one of {', '.join(words)}")
        return value.text

    def flag(self, key: str, *, absent: bool) -> bool:
        """true or false."""
        return self.word(key, ("true", "false")) == "true" if key in self else absent

    def _take_leaves(self, key: str) -> list[_Leaf]:
        value = self._left.pop(key, None)
        if value is None:
            return []
        if type(value) is not _List or any(type(v) is not _Leaf for v in value.items):
            raise _error_at(value, f"{key} is to be a list of texts", "write [a, b]")
        return value.items

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; () where the key is absent."""
        return tuple(leaf.text for leaf in self._take_leaves(key))

    def words(self, key: str, known: tuple[str, ...]) -> tuple[str, ...]:
        """A list of some words; () where the key is absent."""
        leaves = self._take_leaves(key)
        for leaf in leaves:
            if leaf.text not in known:
                from difflib import get_close_matches  # 2 ms of import, for the error only

                near = get_close_matches(leaf.text[:80], known, 1)
                help = f"did you mean {near[0]}?" if near else f"write some of {', '.join(known[:8])} ..."
                raise _error_at(leaf, f"{key} names {leaf.text[:80]!r}, which is none that is known", help)
        return tuple(leaf.text for leaf in leaves)

    def parsed(self, key: str, parse: Callable[[str], T]) -> tuple[T, ...]:
        """A list of quantities, each as `parse` of rocecfg.core.units reads it; () where the key is absent."""
        return tuple(_parse_leaf(leaf, key, parse) for leaf in self._take_leaves(key))

    def quantity(self, key: str, parse: Callable[[str], T]) -> T:
        """The quantity under a key that must be there, as `parse` of rocecfg.core.units reads it."""
        return _parse_leaf(self._take_leaf(key), key, parse)

    def maybe_quantity(self, key: str, parse: Callable[[str], T]) -> T | None:
        """The quantity under a key that may be absent."""
        return self.quantity(key, parse) if key in self._left else None

    def pairs(self, key: str) -> dict[str, str]:
        """A mapping of texts to texts; empty where the key is absent."""
        value = self._left.pop(key, None)
        if value is None:
            return {}
        if type(value) is not _Tree or any(type(v) is not _Leaf for v in value.keys.values()):
            raise _error_at(value, f"{key} is to be a mapping of texts", "write {a: b}")
        return {name: leaf.text for name, leaf in value.keys.items()}

    def entry(self, key: str) -> Entry:
        """The mapping under a key that must be there."""
        return Entry(self._take(key))

    def entries(self, key: str) -> Iterator[Entry]:
        """The mappings listed under a key; none where it is absent."""
        value = self._left.pop(key, None)
        if value is None:
            return
        if type(value) is not _List:
            raise _error_at(value, f"{key} is to be a list")
        yield from map(Entry, value.items)

    def named(self, key: str) -> Iterator[tuple[str, Entry]]:
        """The mappings under a key that must be there, by their names."""
        value = self._take(key)
        for name, stated in Entry(value).tree_.keys.items():
            yield name, Entry(stated)

    def quantities(self, parse: Callable[[str], T]) -> Iterator[tuple[T, Entry]]:
        """All mappings in here by their keys, which are quantities."""
        left, self._left = self._left, {}
        for name, stated in left.items():
            yield _parse_leaf(_Leaf(name, self.tree_.document, stated.at), name, parse), Entry(stated)

    def numbers(self, parse: Callable[[str], T]) -> tuple[tuple[T, int], ...]:
        """All whole numbers in here, by their keys, which are quantities."""
        out = []
        for name in list(self._left):
            number = self.quantity(name, int)
            out.append((_parse_leaf(_Leaf(name, self.tree_.document, self.tree_.at), name, parse), number))
        return tuple(out)

    def tree(self, key: str) -> dict[str, Any]:
        """Nested mappings of texts as they stand; empty where the key is absent."""
        value = self._left.pop(key, None)
        if value is None:
            return {}
        if type(value) is not _Tree:
            raise _error_at(value, f"{key} is to be a mapping")
        return {name: _to_python(stated) for name, stated in value.keys.items()}

    def everything(self) -> dict[str, Any]:
        """All of it as nested mappings and lists of texts."""
        return {key: _to_python(stated) for key, stated in self.tree_.keys.items()}

    def cited(self) -> tuple[str, str]:
        """The source of what stands here, and the mark that says how sure it is."""
        mark = self.word("mark", tuple(MARKS))
        return self.text("source"), mark

    def is_done(self) -> bool:
        """Whether all keys were asked for."""
        return not self._left

    def done(self) -> None:
        """Refuse keys nobody asked for."""
        for key, value in self._left.items():
            raise _error_at(value, f"{key} is not a key of this profile", "see `rocecfg schema --profile`")


def _parse_leaf(leaf: _Leaf, key: str, parse: Callable[[str], T]) -> T:
    try:
        return parse(leaf.text)
    except ValueError as error:
        raise _error_at(leaf, f"{key}: {error}") from None


def _to_python(stated: Any) -> Any:
    if type(stated) is _Leaf:
        return stated.text
    if type(stated) is _List:
        return [_to_python(item) for item in stated.items]
    return {key: _to_python(value) for key, value in stated.keys.items()}
