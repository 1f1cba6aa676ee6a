"""The forms of commands: what a line must look like, and the values in it.

A form is written as `random-detect ecn minimum-threshold {low:1-256000000} {unit:bytes|kbytes} [weight {weight:0-15}]`:
words as they are, values in braces with their range (`{t:0.01-60/2}`: a decimal with at most two places; `{d*:0-63}`:
a list of numbers; `{name}`: any one word; `{rest...}`: all that follows), what may be left out in brackets.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import groupby, takewhile
from typing import Any

from rocecfg.core.digits import is_number
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_number
from rocecfg.intent.values import near

Values = dict[str, Any]


class RefusedValue(NamedTuple):
    """A value that its range does not allow."""

    name: str
    text: str
    range: str  # in words: `0 to 7`
    places: int = 0  # decimals that it takes


class FormMatch(NamedTuple):
    """A line that has a form: its values by name; or what is wrong with them."""

    values: Values
    wrong: tuple[RefusedValue, ...]


class Placeholder(NamedTuple):
    """A token that stands for a value in the line."""

    name: str
    words: tuple[str, ...] = ()  # the only ones allowed; (): any, or a number
    low: float | None = None  # None: no number
    high: float = 0
    places: int = 0
    many: bool = False
    rest: bool = False


Token = str | Placeholder


@cache
def expand_pattern(pattern: str) -> tuple[tuple[Token, ...], ...]:
    """The sequences of tokens that a pattern stands for: with and without what may be left out."""
    head, bracket, tail = pattern.partition("[")
    if not bracket:
        return (tuple(_parse_token(word) for word in pattern.split()),)
    inside, _, after = tail.partition("]")
    return tuple(
        v for choice in (head + after, head + inside + after) for v in expand_pattern(" ".join(choice.split()))
    )


def _parse_token(word: str) -> Token:
    if word[0] != "{":
        return word
    name, _, of = word[1:-1].partition(":")
    if name.endswith("..."):
        return Placeholder(name[:-3], rest=True)
    many = name.endswith("*")
    name = name.rstrip("*")
    if not of:
        return Placeholder(name)
    low, dash, high = of.partition("-")
    if dash and low.replace(".", "").isdigit():
        top, _, places = high.partition("/")
        return Placeholder(name, (), float(low), float(top), int(places or 0), many)
    return Placeholder(name, tuple(of.split("|")))


@cache
def find_names(pattern: str) -> tuple[str, ...]:
    """The names of the values in a pattern, in order."""
    return tuple(token.name for token in expand_pattern(pattern)[-1] if not isinstance(token, str))


def loosen_pattern(head: str, pattern: str) -> tuple[str, ...]:
    """What is read behind `no` of a pattern: its head, with or without the rest, whatever values are in that."""
    rest = pattern[len(head) :].split()
    if not rest:
        return (head,)
    if any("[" in word for word in rest):
        begin = list(takewhile(lambda word: word[0] not in "[{", rest))
        return (head, " ".join((head, *begin, "[{what...}]")))
    loose = (re.sub(r"^{([^:}]*).*}$", r"{\1}", word) for word in rest)
    return (f"{head} [{' '.join(loose)}]",)


def match_form(pattern: str, words: Sequence[str]) -> FormMatch | None:
    """The values of a line in that form, or what is wrong with them; None if it has another form."""
    found = None
    for tokens in expand_pattern(pattern):
        got = _match_tokens(tokens, words)
        if got is not None and (found is None or len(got.wrong) < len(found.wrong)):
            found = got
    return found


def _match_tokens(tokens: tuple[Token, ...], words: Sequence[str]) -> FormMatch | None:
    values: Values = {}
    wrong: list[RefusedValue] = []
    at = 0
    for n, token in enumerate(tokens):
        if isinstance(token, str):
            if at >= len(words) or words[at] != token:
                return None
            at += 1
            continue
        end = at + 1
        if token.rest:
            end = len(words)
        elif token.many:
            following = tokens[n + 1] if n + 1 < len(tokens) else None
            while end < len(words) and words[end] != following:
                end += 1
        if at >= len(words) or not _read_value(token, words[at:end], values, wrong):
            return None
        at = end
    return FormMatch(values, tuple(wrong)) if at == len(words) else None


def _read_value(token: Placeholder, words: Sequence[str], values: Values, wrong: list[RefusedValue]) -> bool:
    """Read the words that stand for a token; whether they can."""
    text = " ".join(words)
    if token.low is None:
        if token.words and text not in token.words:
            return False
        values[token.name] = text
        return True
    if token.many:
        numbers = _parse_numbers(text)
        if numbers is None:
            return False
        bad = [n for n in numbers if not token.low <= n <= token.high]
        values[token.name] = [n for n in numbers if n not in bad]
        wrong += [RefusedValue(token.name, str(bad[0]), _format_range(token))] if bad else []
        return True
    whole, point, places = text.partition(".")
    if not is_number(whole) or (point and not (token.places and is_number(places))):
        return False
    value = float(text) if point else int(text)
    if token.low <= value <= token.high and len(places) <= token.places:
        values[token.name] = value
    else:
        wrong.append(RefusedValue(token.name, text, _format_range(token), token.places))
    return True


def find_misspelling(pattern: str, words: Sequence[str]) -> tuple[str, str] | None:
    """The one word of a line that keeps it from having that form, and the word that it is a slip of; None if none.

    A line that is right but for two letters of one word is a slip in every release: no other command is so near.
    """
    for tokens in expand_pattern(pattern):
        line = join_numbers(words) if any(isinstance(token, Placeholder) and token.many for token in tokens) else words
        if len(line) != len(tokens):
            continue
        wrong = [(token, word) for token, word in zip(tokens, line, strict=True) if not _may_stand_for(token, word)]
        if len(wrong) != 1:
            continue
        token, word = wrong[0]
        meant = near(word, (token,) if isinstance(token, str) else token.words)
        if meant is not None and not word[:1].isdigit():
            return word, meant
    return None


def join_numbers(words: Sequence[str]) -> list[str]:
    """The words, those of a list of numbers as one."""
    runs = groupby(words, lambda word: word[0].isdigit())
    return [joined for of_numbers, run in runs for joined in ((" ".join(run),) if of_numbers else run)]


def _may_stand_for(token: Token, word: str) -> bool:
    """Whether a word may stand for a token, whatever its range."""
    if isinstance(token, str):
        return token == word
    if token.words:
        return word in token.words
    if token.low is None or _parse_numbers(word) is not None:
        return True
    return token.places > 0 and all(map(is_number, word.split(".", 1)))


def _parse_numbers(text: str) -> list[int] | None:
    """`0-3,8 9` as numbers; None if it is not a list of them."""
    out: list[int] = []
    for part in text.replace(",", " ").split():
        low, dash, high = part.partition("-")
        if not is_number(low) or (dash and not is_number(high)):
            return None
        first, last = int(low), int(high or low)
        out += range(first, min(last, first + 64) + 1)
    return out or None


def _format_range(token: Placeholder) -> str:
    assert token.low is not None
    return f"{show_number(token.low)} to {show_number(token.high)}"


def format_pattern(pattern: str) -> str:
    """A form as people write it: `priority-flow-control priority N no-drop`, without what may be left out."""
    tokens = expand_pattern(pattern)[0]
    return " ".join(
        t if isinstance(t, str) else t.words[0] if len(t.words) == 1 else _format_placeholder(t) for t in tokens
    )


def _format_placeholder(token: Placeholder) -> str:
    return "|".join(token.words) if token.words else "N" if token.low is not None else token.name.upper()
