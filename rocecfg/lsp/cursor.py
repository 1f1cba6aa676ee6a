"""Where in the format a half-typed word stands: found by reading the text as if the word were a key, or a value.

The text need not be whole. The parser gives what stands before the word, and an error behind it does no harm; one
before it costs the line it stands in, a few times over.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

from rocecfg.core.records import NamedTuple
from rocecfg.lsp.schema import ITEM, Path
from rocecfg.source.document import Document, SourceError
from rocecfg.source.yaml import Map, Node, Scalar, compose

_MARK = "x"  # takes the word's place
_MOST_BROKEN = 4  # lines that are passed over
_MOST_BLANKED = 12  # the same, where the whole text is wanted
_TWO_LINES = "mapping values are not allowed"
_UNCLOSED = ("while parsing a flow ", "while scanning a quoted ", "while scanning a simple key")
_MOST_DEEP = 64


class Spot(NamedTuple):
    """What a word is: a key of the mapping at `path`, its value, or an item of the list there."""

    role: Literal["key", "value", "item"]
    path: Path
    beside: frozenset[str] = frozenset()  # the other keys of the mapping
    flow: bool = False  # in brackets


def find_spots(text: str, start: int, end: int) -> list[Spot]:
    """What the word from `start` to `end`, which may be empty, can be; nothing in comments and quoted texts."""
    if start and text[start - 1] in "\"'":
        start -= 1
        end += text[end : end + 1] == text[start]
    before, after = text[:start], text[end:]
    lead = before[before.rfind("\n") + 1 :]
    found = [_find_spot(before, _MARK, after)]
    at_margin = not lead.strip(" -") and not after.lstrip(" ").startswith(":")
    if at_margin and (found[0] is None or not found[0].flow):
        found.append(_find_spot(before, f"{_MARK}: ", after))
    return [spot for spot in found if spot is not None]


def list_section_keys(text: str, name: str) -> list[str]:
    """The keys of a top-level section, as far as the text can be read."""
    reader = _Reader(-1)
    _run_reader(reader, text)
    return reader.sections.get(name, [])


@lru_cache(maxsize=2)  # an outline is asked for with every change, and names are right after it
def read_leniently(text: str) -> Node | None:
    """The nodes of a text, as far as it can be read: lines that keep it from being read are left out."""
    text += "\n"
    for _ in range(_MOST_BLANKED):
        try:
            return compose(Document(0, "", text))
        except SourceError as error:
            at = _find_break(text)
            at = _find_line_start(text, error.line) if at is None else at
        begin, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
        while begin and not text[begin:end].strip():  # the text ended too early: the last line that says something
            begin, end = text.rfind("\n", 0, begin - 1) + 1, begin - 1
        if not text[begin:end].strip():
            break
        text = f"{text[:begin]}{' ' * (end - begin)}{text[end:]}"
    return None


def _find_line_start(text: str, line: int) -> int:
    at = 0
    for _ in range(line - 1):
        at = text.find("\n", at) + 1
    return at


def _find_break(text: str) -> int | None:
    """Where a text stops being YAML: where what is not closed began, else where the parser stopped; None: elsewhere."""
    import yaml

    parser: Any = yaml.CLoader(text) if yaml.__with_libyaml__ else yaml.Loader(text)
    try:
        while not isinstance(parser.get_event(), yaml.StreamEndEvent):
            pass
    except yaml.MarkedYAMLError as error:
        began = error.context is not None and error.context.startswith(_UNCLOSED)
        mark = error.context_mark if began and error.context_mark is not None else error.problem_mark
        if mark is None:
            return None
        at = min(mark.index, len(text) - 1)
        if error.problem is not None and error.problem.startswith(_TWO_LINES):  # a word alone, and a pair below it
            before = text[: text.rfind("\n", 0, at) + 1].rstrip()
            if _is_half_typed(before[before.rfind("\n") + 1 :]):
                return len(before) - 1
        return at
    except (yaml.YAMLError, RecursionError):  # characters that no YAML may hold; nested without end
        pass
    return None


def _find_spot(before: str, word: str, after: str) -> Spot | None:
    return _find_leniently(f"{before}{word}{after}", len(before)) or _find_leniently(f"{before}{word}\n", len(before))


def _find_leniently(text: str, start: int) -> Spot | None:
    for _ in range(_MOST_BROKEN):
        spot, wrong = _read_spot(text, start)
        shorter = _blank_broken_line(text, start, wrong) if spot is None else None
        if shorter is None:
            return spot
        text = shorter
    return None


def _blank_broken_line(text: str, start: int, wrong: int | None) -> str | None:
    """The text, as long as before, with the line left blank that most likely keeps the place from being read."""
    margin = text.rfind("\n", 0, start) + 1
    end = margin if wrong is None or wrong >= margin else (text.find("\n", wrong) + 1 or margin)
    line = text[:end].rfind("\n", 0, max(0, end - 1)) + 1
    while end and not _is_half_typed(text[line:end]):
        end, line = line, text.rfind("\n", 0, max(0, line - 1)) + 1
    if not end:
        if wrong is None or wrong >= margin:
            return None
        line, end = text.rfind("\n", 0, wrong) + 1, text.find("\n", wrong) + 1
    return f"{text[:line]}{' ' * (end - line - 1)}\n{text[end:]}"


def _is_half_typed(line: str) -> bool:
    """Whether a line holds a word and nothing that makes it a pair, an item or a part of a collection."""
    word = line.strip()
    return bool(word) and not word.startswith(("#", "- ")) and not any(mark in word for mark in ":{}[],")


class _Open:
    """A collection that is being read."""

    __slots__ = ("flow", "key", "keys", "mapping", "path")

    def __init__(self, path: Path, *, mapping: bool, flow: bool) -> None:
        self.path = path
        self.mapping = mapping
        self.flow = flow
        self.key: str | None = None  # whose value comes next
        self.keys: list[str] = []

    def get_path_below(self) -> Path:
        """The path of what comes next in it."""
        return (*self.path, self.key or "") if self.mapping else (*self.path, ITEM)


class _Reader:
    """Takes the parser's events until it is known what the scalar at `start` is."""

    def __init__(self, start: int) -> None:
        self.spot: Spot | None = None
        self.sections: dict[str, list[str]] = {}  # keys of the top-level ones
        self._start = start
        self._around: _Open | None = None  # the mapping that a key was found in: its other keys are waited for
        self._stack: list[_Open] = []

    def take_event(self, event: Any) -> bool:
        """Whether enough is known."""
        import yaml

        stack = self._stack
        if isinstance(event, yaml.CollectionStartEvent):
            path = stack[-1].get_path_below() if stack else ()
            mapping = isinstance(event, yaml.MappingStartEvent)
            stack.append(_Open(path, mapping=mapping, flow=bool(event.flow_style)))
            return len(stack) > _MOST_DEEP
        if isinstance(event, yaml.CollectionEndEvent):
            done = stack.pop() is self._around
            if stack:
                stack[-1].key = None
            return done
        if stack and isinstance(event, yaml.ScalarEvent | yaml.AliasEvent):
            return self._take_leaf(event, stack[-1], "" if isinstance(event, yaml.AliasEvent) else event.value)
        return isinstance(event, yaml.StreamEndEvent)

    def _take_leaf(self, event: Any, top: _Open, text: str) -> bool:
        is_key = top.mapping and top.key is None
        if event.start_mark.index == self._start:
            role: Literal["key", "value", "item"] = "key" if is_key else "value" if top.mapping else "item"
            self.spot = Spot(role, top.get_path_below() if role == "value" else top.path, flow=top.flow)
            self._around = top
        elif is_key:
            top.keys.append(text)
            if len(top.path) == 1:
                self.sections.setdefault(top.path[0], []).append(text)
        top.key = text if is_key else None
        return self.spot is not None and self.spot.role != "key"

    def get_spot(self) -> Spot | None:
        """What the scalar is, as far as it was reached."""
        if self.spot is None or self._around is None:
            return None
        return self.spot._replace(beside=frozenset(self._around.keys))


def _read_spot(text: str, start: int) -> tuple[Spot | None, int | None]:
    """What the scalar at `start` is; else where an error, if one, keeps it from being read."""
    reader = _Reader(start)
    wrong = _run_reader(reader, text)
    return reader.get_spot(), wrong


def _run_reader(reader: _Reader, text: str) -> int | None:
    """Let a reader read; gives where an error ended that."""
    import yaml

    parser: Any = yaml.CLoader(text) if yaml.__with_libyaml__ else yaml.Loader(text)
    try:
        while not reader.take_event(parser.get_event()):
            pass
    except yaml.MarkedYAMLError as error:
        mark = error.context_mark if error.context == "while scanning a simple key" else error.problem_mark
        return mark.index if mark is not None else None
    except (yaml.YAMLError, RecursionError):  # characters that no YAML may hold; nested without end
        pass
    return None


# -- what stands there -------------------------------------------------------------------------------------------------

# What stands under the pointer: the key or value, and where in the format that is.


WORD = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")


class Pointed(NamedTuple):
    """A key, its value, or an item of the list that it has."""

    path: Path  # down to the key, or the item
    start: int  # of what is pointed at
    end: int
    is_key: bool
    key: Scalar | None = None  # the pair it belongs to; None where the text cannot be parsed
    value: Node | None = None


def find_pointed(text: str, offset: int) -> Pointed | None:
    """What stands at an offset; None where that is neither a key nor a value."""
    try:
        root = compose(Document(0, "", text))
    except SourceError:
        return _find_in_broken(text, offset)
    return _find_in(root, offset, (), None) if root is not None else None


def _find_in(node: Node, offset: int, path: Path, pair: tuple[Scalar, Node] | None) -> Pointed | None:
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
                return _find_in(value, offset, (*path, key.text), (key, value))
        return None
    for item in node.items:
        if item.start <= offset <= item.end:
            return _find_in(item, offset, (*path, ITEM), pair)
    return None


def _find_in_broken(text: str, offset: int) -> Pointed | None:
    """The same in a text that cannot be parsed, as far as it is whole before the place."""
    start, end = find_word(text, offset)
    if start == end:
        return None
    word = text[start:end]
    for spot in find_spots(text, start, end):
        if spot.role == "key":
            return Pointed((*spot.path, word), start, end, is_key=True)
        return Pointed(spot.path if spot.role == "value" else (*spot.path, ITEM), start, end, is_key=False)
    return None


def find_word(text: str, offset: int) -> tuple[int, int]:
    """Begin and end of the word at an offset, or of none."""
    start = end = min(offset, len(text))
    while start and text[start - 1] in WORD:
        start -= 1
    while end < len(text) and text[end] in WORD:
        end += 1
    return start, end
