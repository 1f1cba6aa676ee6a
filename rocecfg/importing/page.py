"""YAML for people: blocks where they are long, one line where it fits, comments above a key or beside it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from functools import lru_cache

from rocecfg.importing.plain import Quoted
from rocecfg.records import NamedTuple
from rocecfg.source.write import Value, scalar
from rocecfg.visible import visible

WIDTH = 120
_INDENT = "  "


class Entry(NamedTuple):
    """A key with its value, or with entries of its own; comments without their #. No key: a blank line."""

    key: str
    value: Value | tuple[Entry, ...] = ()
    above: tuple[str, ...] = ()
    beside: str = ""


GAP = Entry("")


def page(entries: Iterable[Entry], head: Iterable[str] = ()) -> str:
    """The text of a file that begins with these comments."""
    lines = [*_comments(head, ""), *_lines(entries, "")]
    return "".join(f"{line}\n" for line in lines)


def _lines(entries: Iterable[Entry], indent: str) -> Iterator[str]:
    for key, value, above, beside in entries:
        if not key:
            yield ""
            continue
        yield from _comments(above, indent)
        name = f"{indent}{_key(key)}:"
        tail = f" # {visible(beside)}" if beside else ""
        if isinstance(value, tuple):
            yield f"{name}{tail}" if value else f"{name} {{}}{tail}"
            yield from _lines(value, indent + _INDENT)
            continue
        line = f"{name} {flow(value)}"
        listed = isinstance(value, list) and any(isinstance(item, dict) for item in value)
        if isinstance(value, str) or not value or (len(line) <= WIDTH and not listed):
            yield line + tail
        elif isinstance(value, dict):
            yield name + tail
            yield from _lines((Entry(k, v) for k, v in value.items()), indent + _INDENT)
        else:
            yield name + tail
            yield from (f"{indent}{_INDENT}- {flow(item)}" for item in value)


def _comments(texts: Iterable[str], indent: str) -> Iterator[str]:
    for text in texts:
        for line in textwrap.wrap(
            visible(text), WIDTH - len(indent) - 2, break_long_words=False, break_on_hyphens=False
        ):
            yield f"{indent}# {line}"


def flow(value: Value, *, inside: bool = False) -> str:
    """A value on one line. `inside`: the place is within brackets."""
    if isinstance(value, str):
        return _scalar(value, isinstance(value, Quoted), inside)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(k, inside=True)}: {flow(v, inside=True)}" for k, v in value.items()) + "}"
    return "[" + ", ".join(flow(item, inside=True) for item in value) + "]"


@lru_cache(maxsize=4096)
def _scalar(text: str, quoted: bool, inside: bool) -> str:
    return scalar(text, '"' if quoted else "", flow=inside)


@lru_cache(maxsize=4096)
def _key(key: str, *, inside: bool = False) -> str:
    """A key; node sets in quotes, so that they can be moved into brackets as they are."""
    return scalar(key, '"' if "[" in key or "," in key else "", flow=inside, key=True)
