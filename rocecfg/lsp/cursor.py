"""Where in the format a half-typed word stands: found by reading the text as if the word were a key, or a value.

The text need not be whole. The parser gives what stands before the word, and an error behind it does no harm; one
before it costs the line it stands in, a few times over.
"""

from __future__ import annotations

from typing import Any, Literal

from rocecfg.core.records import NamedTuple
from rocecfg.lsp.schema import ITEM, Path

_MARK = "x"  # takes the word's place
_MOST_BROKEN = 4  # lines that are passed over
_MOST_DEEP = 64


class Spot(NamedTuple):
    """What a word is: a key of the mapping at `path`, its value, or an item of the list there."""

    role: Literal["key", "value", "item"]
    path: Path
    beside: frozenset[str] = frozenset()  # the other keys of the mapping
    flow: bool = False  # in brackets


def spots(text: str, start: int, end: int) -> list[Spot]:
    """What the word from `start` to `end`, which may be empty, can be; nothing in comments and quoted texts."""
    if start and text[start - 1] in "\"'":
        start -= 1
        end += text[end : end + 1] == text[start]
    before, after = text[:start], text[end:]
    lead = before[before.rfind("\n") + 1 :]
    found = [_spot(before, _MARK, after)]
    at_margin = not lead.strip(" -") and not after.lstrip(" ").startswith(":")
    if at_margin and (found[0] is None or not found[0].flow):
        found.append(_spot(before, f"{_MARK}: ", after))
    return [spot for spot in found if spot is not None]


def section_keys(text: str, name: str) -> list[str]:
    """The keys of a top-level section, as far as the text can be read."""
    reader = _Reader(-1)
    _read_with(reader, text)
    return reader.sections.get(name, [])


def _spot(before: str, word: str, after: str) -> Spot | None:
    return _find(f"{before}{word}{after}", len(before)) or _find(f"{before}{word}\n", len(before))


def _find(text: str, start: int) -> Spot | None:
    for _ in range(_MOST_BROKEN):
        spot, wrong = _read(text, start)
        shorter = _without_broken_line(text, start, wrong) if spot is None else None
        if shorter is None:
            return spot
        text = shorter
    return None


def _without_broken_line(text: str, start: int, wrong: int | None) -> str | None:
    """The text, as long as before, with the line left blank that most likely keeps the place from being read."""
    margin = text.rfind("\n", 0, start) + 1
    end = margin if wrong is None or wrong >= margin else (text.find("\n", wrong) + 1 or margin)
    line = text[:end].rfind("\n", 0, max(0, end - 1)) + 1
    while end and not _half_typed(text[line:end]):
        end, line = line, text.rfind("\n", 0, max(0, line - 1)) + 1
    if not end:
        if wrong is None or wrong >= margin:
            return None
        line, end = text.rfind("\n", 0, wrong) + 1, text.find("\n", wrong) + 1
    return f"{text[:line]}{' ' * (end - line - 1)}\n{text[end:]}"


def _half_typed(line: str) -> bool:
    """Whether a line holds a word and nothing that makes it a pair, an item or a part of a collection."""
    told = line.strip()
    return bool(told) and not told.startswith(("#", "- ")) and not any(mark in told for mark in ":{}[],")


class _Open:
    """A collection that is being read."""

    __slots__ = ("flow", "key", "keys", "mapping", "path")

    def __init__(self, path: Path, *, mapping: bool, flow: bool) -> None:
        self.path = path
        self.mapping = mapping
        self.flow = flow
        self.key: str | None = None  # whose value comes next
        self.keys: list[str] = []

    def below(self) -> Path:
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

    def take(self, event: Any) -> bool:
        """Whether enough is known."""
        import yaml

        stack = self._stack
        if isinstance(event, yaml.CollectionStartEvent):
            path = stack[-1].below() if stack else ()
            mapping = isinstance(event, yaml.MappingStartEvent)
            stack.append(_Open(path, mapping=mapping, flow=bool(event.flow_style)))
            return len(stack) > _MOST_DEEP
        if isinstance(event, yaml.CollectionEndEvent):
            done = stack.pop() is self._around
            if stack:
                stack[-1].key = None
            return done
        if stack and isinstance(event, yaml.ScalarEvent | yaml.AliasEvent):
            return self._leaf(event, stack[-1], "" if isinstance(event, yaml.AliasEvent) else event.value)
        return isinstance(event, yaml.StreamEndEvent)

    def _leaf(self, event: Any, top: _Open, text: str) -> bool:
        is_key = top.mapping and top.key is None
        if event.start_mark.index == self._start:
            role: Literal["key", "value", "item"] = "key" if is_key else "value" if top.mapping else "item"
            self.spot = Spot(role, top.below() if role == "value" else top.path, flow=top.flow)
            self._around = top
        elif is_key:
            top.keys.append(text)
            if len(top.path) == 1:
                self.sections.setdefault(top.path[0], []).append(text)
        top.key = text if is_key else None
        return self.spot is not None and self.spot.role != "key"

    def found(self) -> Spot | None:
        """What the scalar is, as far as it was reached."""
        if self.spot is None or self._around is None:
            return None
        return self.spot._replace(beside=frozenset(self._around.keys))


def _read(text: str, start: int) -> tuple[Spot | None, int | None]:
    """What the scalar at `start` is; else where an error, if one, keeps it from being read."""
    reader = _Reader(start)
    wrong = _read_with(reader, text)
    return reader.found(), wrong


def _read_with(reader: _Reader, text: str) -> int | None:
    """Let a reader read; gives where an error ended that."""
    import yaml

    parser: Any = yaml.CLoader(text) if yaml.__with_libyaml__ else yaml.Loader(text)
    try:
        while not reader.take(parser.get_event()):
            pass
    except yaml.MarkedYAMLError as error:
        mark = error.context_mark if error.context == "while scanning a simple key" else error.problem_mark
        return mark.index if mark is not None else None
    except (yaml.YAMLError, RecursionError):  # characters that no YAML may hold; nested without end
        pass
    return None
