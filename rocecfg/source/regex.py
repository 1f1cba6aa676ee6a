"""Regular expressions of others, matched in linear time.

Python's `re` tries one way after another: `(a+)+b` takes it longer than anybody waits, on thirty letters. Here all ways
are followed at once, as Thompson's machine does: the time is at most the length of the text times that of the
expression. What needs to remember a way (backreferences, lookaround, possessive parts) cannot be matched so, and is
refused. The syntax is Python's, read by Python.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any, NamedTuple

_parser: Any = import_module("re._parser")  # what `re` itself reads expressions with
_MOST_STEPS = 5000  # of a machine: counted repetitions are written out
_MOST_KNOWN = 200_000  # steps in the transitions that are remembered

Test = Callable[[str], bool]
_CATEGORIES = {"DIGIT": r"\d", "NOT_DIGIT": r"\D", "SPACE": r"\s", "NOT_SPACE": r"\S", "WORD": r"\w", "NOT_WORD": r"\W"}
_REFUSED = {
    "GROUPREF": "a backreference",
    "GROUPREF_EXISTS": "a condition",
    "ASSERT": "lookaround",
    "ASSERT_NOT": "lookaround",
    "ATOMIC_GROUP": "an atomic group",
    "POSSESSIVE_REPEAT": "a possessive quantifier",
}


class RegexError(ValueError):
    """No regular expression, or one that cannot be matched in linear time; the text says why."""


class _Here(NamedTuple):
    """A place in a text: the characters around it, None at the ends."""

    before: str | None
    after: str | None
    last: bool  # whether `after` is the last one


class _Step(NamedTuple):
    """A step of the machine: takes a character, or holds at a place, or leads on to several."""

    takes: Test | None
    holds: Callable[[_Here], bool] | None
    to: tuple[int, ...]


_END = 0
_States = frozenset[int]


class Regex:
    """A regular expression that texts fit as a whole, or not."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        """Raises RegexError."""
        self.pattern = pattern
        try:
            tree = _parser.parse(pattern, flags)
            self._steps, start = _Compiler(tree.state.flags).compile_tree(tree)
        except (re.error, RecursionError, OverflowError) as error:
            raise RegexError(str(error)) from None
        self._start = frozenset((start,))
        self._known_next: dict[tuple[_States, str], _States] = {}
        self._known_ahead: dict[tuple[_States, _Here], _States] = {}
        self._size = 0

    def fullmatch(self, text: str) -> bool:
        """Whether the whole text fits."""
        states = self._start
        before = None
        last = len(text) - 1
        for at, character in enumerate(text):
            states = self._advance(self._follow_empty(states, _Here(before, character, at == last)), character)
            if not states:
                return False
            before = character
        return _END in self._follow_empty(states, _Here(before, None, last=False))

    def _follow_empty(self, states: _States, here: _Here) -> _States:
        """The steps that take a character, and the end, which these lead to at a place."""
        key = states, here
        found = self._known_ahead.get(key)
        if found is None:
            seen = set(states)
            todo = list(states)
            while todo:
                step = self._steps[todo.pop()]
                if step.takes is None and (step.holds is None or step.holds(here)):
                    fresh = [to for to in step.to if to not in seen]
                    seen.update(fresh)
                    todo += fresh
            found = frozenset(n for n in seen if n == _END or self._steps[n].takes is not None)
            self._remember(self._known_ahead, key, found)
        return found

    def _advance(self, states: _States, character: str) -> _States:
        key = states, character
        found = self._known_next.get(key)
        if found is None:
            steps = (self._steps[n] for n in states)
            found = frozenset(
                to for step in steps if step.takes is not None and step.takes(character) for to in step.to
            )
            self._remember(self._known_next, key, found)
        return found

    def _remember(self, known: dict[Any, _States], key: object, found: _States) -> None:
        self._size += len(found) + 1
        if self._size > _MOST_KNOWN:
            self._known_ahead.clear()
            self._known_next.clear()
            self._size = 0
        known[key] = found


class _Compiler:
    """Makes the machine from the end to the beginning: each part is given the step that follows it."""

    def __init__(self, flags: int) -> None:
        self._flags = flags
        self._steps = [_Step(None, None, ())]
        self._done = 0

    def compile_tree(self, tree: Any) -> tuple[list[_Step], int]:
        start = self._compile_sequence(tree, _END, self._flags)
        return self._steps, start

    def _compile_sequence(self, parts: Any, to: int, flags: int) -> int:
        for op, argument in reversed(list(parts)):
            to = self._compile_part(str(op), argument, to, flags)
        return to

    def _compile_part(self, op: str, argument: Any, to: int, flags: int) -> int:
        self._done += 1
        if self._done > _MOST_STEPS:
            raise RegexError(f"it comes to more than {_MOST_STEPS} steps: use smaller counts")
        if op in _REFUSED:
            raise RegexError(f"{_REFUSED[op]} cannot be matched in linear time")
        if op == "SUBPATTERN":
            _, added, removed, inner = argument
            return self._compile_sequence(inner, to, (flags | added) & ~removed)
        if op == "BRANCH":
            return self._add_step(
                _Step(None, None, tuple(self._compile_sequence(each, to, flags) for each in argument[1]))
            )
        if op in ("MAX_REPEAT", "MIN_REPEAT"):  # which of them is tried first does not matter to the whole
            least, most, inner = argument
            return self._compile_repeat((least, most), inner, to, flags)
        if op == "AT":
            return self._add_step(_Step(None, _build_place_test(str(argument), flags), (to,)))
        return self._add_step(_Step(_build_test(op, argument, flags), None, (to,)))

    def _compile_repeat(self, counts: tuple[int, Any], inner: Any, to: int, flags: int) -> int:
        least, most = counts
        if most is _parser.MAXREPEAT:
            loop = self._add_step(_Step(None, None, ()))
            self._steps[loop] = _Step(None, None, (self._compile_sequence(inner, loop, flags), to))
            start = loop
        else:
            start = to
            for _ in range(int(most) - least):
                start = self._add_step(_Step(None, None, (self._compile_copy(inner, start, flags), to)))
        for _ in range(least):
            start = self._compile_copy(inner, start, flags)
        return start

    def _compile_copy(self, inner: Any, to: int, flags: int) -> int:
        self._done += 1
        if self._done > _MOST_STEPS:
            raise RegexError(f"it comes to more than {_MOST_STEPS} steps: use smaller counts")
        return self._compile_sequence(inner, to, flags)

    def _add_step(self, step: _Step) -> int:
        self._steps.append(step)
        return len(self._steps) - 1


def _build_test(op: str, argument: Any, flags: int) -> Test:
    """Whether a part that stands for one character takes one."""
    if op == "ANY":
        return (lambda _: True) if flags & re.DOTALL else (lambda c: c != "\n")
    if op in ("LITERAL", "NOT_LITERAL"):
        return _build_set_test([("LITERAL", argument)], flags, negated=op == "NOT_LITERAL")
    if op == "IN":
        items = [(str(kind), value) for kind, value in argument]
        negated = items[0][0] == "NEGATE"
        return _build_set_test(items[negated:], flags, negated=negated)
    raise RegexError(f"{op.lower()} cannot be matched in linear time")


def _build_set_test(items: Iterable[tuple[str, Any]], flags: int, *, negated: bool) -> Test:
    tests = [_build_item_test(kind, value, flags) for kind, value in items]
    if not flags & re.IGNORECASE:
        return lambda c: any(test(c) for test in tests) != negated
    return lambda c: any(test(same) for same in (c, c.lower(), c.upper()) for test in tests) != negated


def _build_item_test(kind: str, value: Any, flags: int) -> Test:
    if kind == "LITERAL":
        return chr(value).__eq__
    if kind == "RANGE":
        low, high = chr(value[0]), chr(value[1])
        return lambda c: low <= c <= high
    known = re.compile(_CATEGORIES[str(value).removeprefix("CATEGORY_")], flags & re.ASCII)
    return lambda c: known.fullmatch(c) is not None


def _build_place_test(kind: str, flags: int) -> Callable[[_Here], bool]:
    """Whether a part that stands for a place holds at one."""
    lines = bool(flags & re.MULTILINE)
    word = _build_item_test("CATEGORY", "CATEGORY_WORD", flags)

    def is_edge(here: _Here) -> bool:
        before, after = (c is not None and word(c) for c in (here.before, here.after))
        return before != after

    places: dict[str, Callable[[_Here], bool]] = {
        "AT_BEGINNING": lambda here: here.before is None or (lines and here.before == "\n"),
        "AT_BEGINNING_STRING": lambda here: here.before is None,
        "AT_END": lambda here: here.after is None or (here.after == "\n" and (lines or here.last)),
        "AT_END_STRING": lambda here: here.after is None,
        "AT_BOUNDARY": is_edge,
        "AT_NON_BOUNDARY": lambda here: not is_edge(here),
    }
    return places[kind]
