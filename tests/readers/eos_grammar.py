"""The independent grammar of EOS that ships with the validators, and lines made from its patterns."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from types import ModuleType

UNDER = {  # the grammar's modes, and what a line of them stands below
    "global": [],
    "eth": ["interface Ethernet1/1"],
    "qos-profile": ["qos profile P"],
    "tx-queue": ["qos profile P", "tx-queue 3"],
    "uc-tx-queue": ["interface Ethernet1/1", "uc-tx-queue 3"],
    "mc-tx-queue": ["qos profile P", "mc-tx-queue 3"],
    "mmu": ["platform trident mmu queue profile M"],
    "vxlan": ["interface Vxlan1"],
}
FILLED = {"W": "NAME", "REST": "anything", "IFS": "Ethernet1/1"}


@cache
def load_grammar(tool: str) -> ModuleType:
    """The validator at this path, as a module."""
    loader = SourceFileLoader("validate_eos", tool)
    spec = spec_from_loader("validate_eos", loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def line_of(pattern: str, chance: random.Random) -> str:
    """A line that the grammar's pattern matches: values drawn from its ranges."""

    def fill(token: re.Match[str]) -> str:
        body = token[1]
        if body in FILLED:
            return FILLED[body]
        name, colon, limits = body.partition(":")
        if colon and re.match(r"^[a-z0-9]+\*?$", name):
            low, high = limits.split("-")
            number = chance.uniform(float(low), float(high))
            places = 2 if name.startswith("f2") else 3 if name.startswith("f3") else 0
            return f"{number:.{places}f}" if places else str(round(number) if float(high) < 1e6 else low)
        return chance.choice(body.split("|"))

    return re.sub(r"\{([^{}]+)\}", fill, choose(pattern, lambda: chance.random() < 0.5))


def choose(pattern: str, keeps: Callable[[], bool]) -> str:
    """A pattern with each part that may be left out kept or not, from the innermost: `length[ threshold[s] {n}]`."""
    while "[" in pattern:
        pattern = re.sub(r"\[([^\[\]]*)\]", lambda found: found[1] if keeps() else "", pattern)
    return pattern


def text_below(mode: str, line: str) -> str:
    """The line below what it belongs to."""
    above = UNDER[mode]
    return "\n".join([*("   " * n + text for n, text in enumerate(above)), "   " * len(above) + line, ""])


TOKEN = re.compile(r"\{([^{}]+)\}")
_NAMES = {  # what stands for them; REST as `no vxlan qos` has it
    "W": ("NAME", "OTHER"),
    "REST": ("ecn propagation", "dscp ecn rewrite bridged enabled"),
    "IFS": ("Ethernet1/1", "Ethernet2/1"),
}
_MANY = 10**6


@cache
def values(body: str) -> tuple[str, ...]:
    """What stands for a token of the grammar: all words, or some numbers in the range, the ends among them."""
    if body in _NAMES:
        return _NAMES[body]
    name, colon, limits = body.partition(":")
    if not (colon and re.match(r"^[a-z0-9]+\*?$", name)):
        return tuple(body.split("|"))
    low, high = map(float, limits.split("-"))
    places = int(name[1]) if re.match(r"f\d", name) else 0
    chosen = (low, high) if high - low < 2 else (low, low + (min(high, _MANY) - low) // 2, min(high, _MANY))
    return tuple(dict.fromkeys(f"{number:.{places}f}" for number in chosen))


def refused(body: str) -> str:
    """A value that the token does not take; empty where it takes anything."""
    return "" if body in _NAMES else "99999999999" if ":" in body else "nonsense"


def lines(pattern: str) -> Iterator[tuple[str, list[str]]]:
    """The pattern with and without what may be left out, and the tokens of each."""
    for whole in (True, False) if "[" in pattern else (False,):
        full = choose(pattern, lambda: whole)  # noqa: B023 - used at once
        yield full, [found[1] for found in TOKEN.finditer(full)]


def permuted(words: tuple[str, ...], by: int) -> Iterator[str]:
    """Three of the words, begun with another one for each token: so 0 is not always mapped to 0."""
    return (words[(by + n) % len(words)] for n in (0, -1, 1))


def filled(pattern: str, words: list[str]) -> str:
    each = iter(words)
    return TOKEN.sub(lambda _: next(each), pattern)


def written(pattern: str) -> Iterator[str]:
    """Some lines that the pattern matches."""
    for form, tokens in lines(pattern):
        for words in zip(*(permuted(values(body), n) for n, body in enumerate(tokens)), strict=True):
            yield filled(form, [*words])
        if not tokens:
            yield form
