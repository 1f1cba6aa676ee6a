"""One-token changes of configurations: what a slip, another release or another system would make of them."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

_TOKEN = re.compile(r"\d+(?:\.\d+)?|[A-Za-z][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*")
_WORDS = ("on", "off", "true", "0", "-1", "8", "64", "65536", "nonsense", "lossless", "no")


def mutants(text: str, count: int, seed: str, *, head: int = 0) -> Iterator[tuple[str, str]]:
    """`count` changes: what was changed, and the text. `head`: lines at the beginning that stay."""
    chance = random.Random(seed)  # noqa: S311 - the same changes in every run
    lines = text.splitlines(keepends=True)
    begin = sum(map(len, lines[:head]))
    tokens = list(_TOKEN.finditer(text, begin))
    for _ in range(count):
        token = chance.choice(tokens)
        new = _changed(token[0], chance, tokens)
        at = text.count("\n", 0, token.start()) + 1
        yield f"line {at}: {token[0]} -> {new}", text[: token.start()] + new + text[token.end() :]


def without_a_line(text: str, count: int, seed: str, *, head: int = 0) -> Iterator[tuple[str, str]]:
    """The same with a line left out."""
    chance = random.Random(seed)  # noqa: S311
    lines = text.splitlines(keepends=True)
    for _ in range(count):
        at = chance.randrange(head, len(lines))
        yield f"line {at + 1} left out: {lines[at].strip()}", "".join(lines[:at] + lines[at + 1 :])


def _changed(token: str, chance: random.Random, tokens: list[re.Match[str]]) -> str:
    kind = chance.randrange(5)
    if token[0].isdigit() and kind < 3:
        number = float(token) if "." in token else int(token)
        return str(chance.choice((number + 1, number - 1, number * 10, number * 1000, -number)))
    if kind == 0 and len(token) > 1:  # a slip
        at = chance.randrange(len(token))
        return token[:at] + token[at + 1 :]
    if kind == 1:
        return token.upper() if token.upper() != token else token.lower()
    if kind == 2:
        return token + chance.choice("s1x")
    if kind == 3:
        return chance.choice(_WORDS)
    return chance.choice(tokens)[0]
