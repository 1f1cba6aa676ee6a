"""The files of `profiles/`: which there are, and what one says, as plain text scalars.

Every scalar arrives as a string, whatever YAML 1.1 would make of it. `Entry` types it and refuses
keys it does not know, so that a slip in a profile is an error and not a fact that is silently missing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, TypeVar

from rocecfg.data import data_path

KINDS = {"nos": "NOS", "asics": "ASIC", "platforms": "platform", "workloads": "workload", "nics": "NIC"}
MARKS = {"V": "verified", "M": "from memory of the source", "D": "derived", "U": "unverified"}
_SUFFIX = ".yaml"
_FIRST = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_REST = _FIRST | frozenset(".-")
_LONGEST = 64

T = TypeVar("T")


class UnknownProfile(LookupError):
    """No file of `profiles/KIND/` has that name; `near` are the known names most like it, best first."""

    def __init__(self, kind: str, name: str) -> None:
        from difflib import get_close_matches  # 2 ms of import, for the error only

        shown = name if len(name) <= _LONGEST else f"{name[:_LONGEST]}..."
        super().__init__(f"no {KINDS[kind]} profile is called {shown!r}")
        self.kind = kind
        self.name = name
        self.near = get_close_matches(name[:_LONGEST].casefold(), known(kind), 3)


class ProfileError(ValueError):
    """A profile that does not keep to its format: the file, the key and what is wrong."""


@cache
def _names(kind: str) -> tuple[str, ...]:
    folder = data_path("profiles", kind)
    return tuple(sorted(f[: -len(_SUFFIX)] for f in os.listdir(folder) if f.endswith(_SUFFIX)))


def known(kind: str) -> list[str]:
    """The names of the profiles of a kind (nos, asics, platforms, workloads, nics), sorted; else ValueError."""
    if kind not in KINDS:
        raise ValueError(f"{kind!r} is no kind of profile; known: {', '.join(KINDS)}")
    return list(_names(kind))


def read(kind: str, name: str) -> Entry:
    """What the profile says. Raises UnknownProfile; a name that cannot be one's never reaches the file system."""
    plausible = 0 < len(name) <= _LONGEST and name[0] in _FIRST and not (frozenset(name) - _REST)
    if not plausible or name not in _names(kind):
        raise UnknownProfile(kind, name)
    import yaml

    with open(data_path("profiles", kind, name + _SUFFIX), "rb") as file:
        text = file.read().decode("utf-8")
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    said = yaml.load(text, Loader=loader)  # noqa: S506  BaseLoader makes nothing but str, list and dict
    return Entry(said, f"profiles/{kind}/{name}{_SUFFIX}")


class Entry:
    """A mapping of a profile. Each key is taken once; `done` refuses what is left over."""

    __slots__ = ("_left", "where")

    def __init__(self, said: Any, where: str) -> None:
        if not isinstance(said, dict):
            raise ProfileError(f"{where} is no mapping")
        self._left: dict[str, Any] = dict(said)
        self.where = where

    def __contains__(self, key: str) -> bool:
        return key in self._left

    def _take(self, key: str) -> Any:
        if key not in self._left:
            raise ProfileError(f"{self.where} lacks {key}")
        return self._left.pop(key)

    def text(self, key: str) -> str:
        """The text under a key that must be there."""
        value = self._take(key)
        if not isinstance(value, str) or not value:
            raise ProfileError(f"{self.where}: {key} is no text")
        return value

    def maybe(self, key: str) -> str | None:
        """The text under a key that may be absent."""
        return self.text(key) if key in self._left else None

    def word(self, key: str, words: tuple[str, ...]) -> str:
        """One of some words."""
        value = self.text(key)
        if value not in words:
            raise ProfileError(f"{self.where}: {key} is {value}, none of {', '.join(words)}")
        return value

    def flag(self, key: str, absent: bool) -> bool:
        """true or false."""
        return self.word(key, ("true", "false")) == "true" if key in self else absent

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; () where the key is absent."""
        value = self._left.pop(key, [])
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            raise ProfileError(f"{self.where}: {key} is no list of texts")
        return tuple(value)

    def parsed(self, key: str, parse: Callable[[str], T]) -> tuple[T, ...]:
        """A list of quantities; () where the key is absent."""
        return tuple(self.quantity(key, text, parse) for text in self.texts(key))

    def quantity(self, key: str, text: str, parse: Callable[[str], T]) -> T:
        """`text`, found under `key`, as `parse` of rocecfg.units reads it."""
        try:
            return parse(text)
        except ValueError as error:
            raise ProfileError(f"{self.where}: {key}: {error}") from error

    def pairs(self, key: str) -> dict[str, str]:
        """A mapping of texts to texts; empty where the key is absent."""
        value = self._left.pop(key, {})
        if not isinstance(value, dict) or not all(isinstance(v, str) for v in value.values()):
            raise ProfileError(f"{self.where}: {key} is no mapping of texts")
        return value

    def entry(self, key: str) -> Entry:
        """The mapping under a key that must be there."""
        return Entry(self._take(key), f"{self.where}: {key}")

    def entries(self, key: str) -> Iterator[Entry]:
        """The mappings listed under a key; none where it is absent."""
        for n, value in enumerate(self._left.pop(key, [])):
            yield Entry(value, f"{self.where}: {key}[{n}]")

    def named(self, key: str) -> Iterator[tuple[str, Entry]]:
        """The mappings under a key by their names."""
        for name, value in self._take(key).items():
            yield name, Entry(value, f"{self.where}: {key}.{name}")

    def tree(self, key: str) -> dict[str, Any]:
        """Nested mappings of texts as they stand; empty where the key is absent."""
        value = self._left.pop(key, {})
        if not isinstance(value, dict):
            raise ProfileError(f"{self.where}: {key} is no mapping")
        return value

    def cited(self) -> tuple[str, str]:
        """The source of what stands here, and the mark that says how sure it is."""
        mark = self.word("mark", tuple(MARKS))
        return self.text("source"), mark

    def done(self) -> None:
        """Refuse keys nobody asked for."""
        if self._left:
            raise ProfileError(f"{self.where}: unknown {', '.join(self._left)}")
