"""Devices and ports as short node sets, broken-out ports too: `swp[1-32]s[0-1]`."""

from __future__ import annotations

import re
from itertools import groupby

from rocecfg.core.nodeset import fold

_LAST = re.compile(r"(.*\D)(\d+)(\D*)")


def short(names: tuple[str, ...]) -> str:
    """Names as a node set, order kept; those that differ in their last two numbers in two brackets."""
    parted = [_LAST.fullmatch(name) for name in names]
    if len(names) < 2 or any(found is None for found in parted):
        return fold(names)
    rows = [(found[1], found[2], found[3]) for found in parted if found is not None]
    products = [
        (prefix, tuple(last for _, last, _ in same), tail)
        for (prefix, tail), same in groupby(rows, key=lambda row: (row[0], row[2]))
    ]
    out = []
    for (numbers, tail), alike in groupby(products, key=lambda each: each[1:]):
        prefixes = [prefix for prefix, _, _ in alike]
        digits = fold(numbers) if len(numbers) > 1 else numbers[0]
        folded = fold(tuple(prefixes))
        apart = prefixes if _is_several(folded) else [folded]
        out += [f"{prefix}{digits}{tail}" for prefix in apart]
    folded = ",".join(out)
    plain = fold(names)
    return folded if len(folded) < len(plain) else plain


def _is_several(folded: str) -> bool:
    """Whether a node set has a comma outside of brackets: nothing can be put behind all of it."""
    return "," in re.sub(r"\[[^\]]*\]", "", folded)
