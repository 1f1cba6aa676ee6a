"""What stands under the pointer: the key or value, and where in the format that is."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.lsp.cursor import spots
from rocecfg.lsp.schema import ITEM, Path
from rocecfg.source.document import Document, SourceError
from rocecfg.source.yaml import Map, Node, Scalar, compose

WORD = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")


class Pointed(NamedTuple):
    """A key, its value, or an item of the list that it has."""

    path: Path  # down to the key, or the item
    start: int  # of what is pointed at
    end: int
    is_key: bool
    key: Scalar | None = None  # the pair it belongs to; None where the text cannot be parsed
    value: Node | None = None


def pointed(text: str, offset: int) -> Pointed | None:
    """What stands at an offset; None where that is no key and no value."""
    try:
        root = compose(Document(0, "", text))
    except SourceError:
        return _broken(text, offset)
    return _in(root, offset, (), None) if root is not None else None


def _in(node: Node, offset: int, path: Path, pair: tuple[Scalar, Node] | None) -> Pointed | None:
    if isinstance(node, Scalar):
        if not node.start <= offset <= node.end:
            return None
        key, value = pair if pair is not None else (None, None)
        return Pointed(path, node.start, node.end, is_key=False, key=key, value=value)
    if isinstance(node, Map):
        for key, value in node.pairs:
            if key.start <= offset <= key.end:
                return Pointed((*path, key.text), key.start, key.end, is_key=True, key=key, value=value)
            if value.start <= offset <= value.end:
                return _in(value, offset, (*path, key.text), (key, value))
        return None
    for item in node.items:
        if item.start <= offset <= item.end:
            return _in(item, offset, (*path, ITEM), pair)
    return None


def _broken(text: str, offset: int) -> Pointed | None:
    """The same in a text that cannot be parsed, as far as it is whole before the place."""
    start, end = word_at(text, offset)
    if start == end:
        return None
    word = text[start:end]
    for spot in spots(text, start, end):
        if spot.role == "key":
            return Pointed((*spot.path, word), start, end, is_key=True)
        return Pointed(spot.path if spot.role == "value" else (*spot.path, ITEM), start, end, is_key=False)
    return None


def word_at(text: str, offset: int) -> tuple[int, int]:
    """Begin and end of the word at an offset, or of none."""
    start = end = min(offset, len(text))
    while start and text[start - 1] in WORD:
        start -= 1
    while end < len(text) and text[end] in WORD:
        end += 1
    return start, end
