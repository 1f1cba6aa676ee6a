"""Names of switches and ports as short node sets, in the order that people count."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rocecfg.core.nodeset import fold, node_set

_NUMBER = re.compile(r"(\d+)")


def by_number(name: str) -> list[tuple[str, int, str, str]]:
    """A key to sort names by, so that Ethernet4 comes before Ethernet16; numbers of any length."""
    parts = [*_NUMBER.split(name), ""]
    pairs = zip(parts[::2], parts[1::2], strict=True)
    return [(text, len(digits.lstrip("0")) if digits else -1, digits.lstrip("0"), digits) for text, digits in pairs]


def fold_short(names: Iterable[str]) -> str:
    """Names as a node set that gives them in this order: swp[1-32]s[0-1] where two numbers vary."""
    names = tuple(names)
    plain = fold(names)
    if "," not in plain:
        return plain
    rows: list[tuple[str, str, list[str]]] = []  # what is before the last number, and what is after, with the number
    for name in names:
        head, number, tail = _split_last_number(name)
        if rows and rows[-1][:2] == (head, tail):
            rows[-1][2].append(number)
        else:
            rows.append((head, tail, [number]))
    terms: list[str] = []
    at = 0
    while at < len(rows):
        _, tail, numbers = rows[at]
        end = at + 1
        while end < len(rows) and rows[end][1:] == (tail, numbers):
            end += 1
        heads = fold(tuple(head for head, _, _ in rows[at:end]))
        inner = fold(tuple(f"x{number}{tail}" for number in numbers))[1:]
        terms += [f"{head}{inner}" for head in _split_terms(heads)]
        at = end
    both = ",".join(terms)
    return both if len(both) < len(plain) and node_set(both).names == names else plain


def _split_last_number(name: str) -> tuple[str, str, str]:
    found = list(_NUMBER.finditer(name))
    if not found:
        return name, "", ""
    last = found[-1]
    return name[: last.start()], last.group(), name[last.end() :]


def _split_terms(text: str) -> list[str]:
    """The terms of a node set: commas in brackets part none."""
    out, depth = [""], 0
    for char in text:
        depth += (char == "[") - (char == "]")
        if char == "," and depth == 0:
            out.append("")
        else:
            out[-1] += char
    return out
