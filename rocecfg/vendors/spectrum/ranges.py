"""Numbers, tables and port names in the short forms of NVUE: `0-3,5-7`, `swp1-4,swp6`, `swp1s0-1,swp2s0-1`."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache
from typing import Generic, TypeVar

from rocecfg.core.digits import is_number
from rocecfg.core.records import NamedTuple

V = TypeVar("V", bound=Hashable)
_WIDTH = 100  # characters of one key: readable, and far below the 1024 that YAML allows a simple key


class NumberedTable(NamedTuple, Generic[V]):
    """What stands under numbered keys, key by key (YAML) and as runs of keys with equal values (commands)."""

    rows: tuple[tuple[int, V], ...]  # ascending
    runs: tuple[tuple[str, V], ...]  # in order of their first key


@lru_cache(maxsize=4096)
def make_table(rows: tuple[tuple[int, V], ...]) -> NumberedTable[V]:
    """A table of (key, value) pairs."""
    ordered = tuple(sorted(rows, key=lambda r: r[0]))
    keys: dict[V, list[int]] = {}
    for key, value in ordered:
        keys.setdefault(value, []).append(key)
    return NumberedTable(ordered, tuple((fold_numbers(found), value) for value, found in keys.items()))


def _split_runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    first: int | None = None
    last = -1
    for number in numbers:
        if first is None:
            first = number
        elif number != last + 1:
            yield first, last
            first = number
        last = number
    if first is not None:
        yield first, last


def fold_numbers(numbers: Iterable[int]) -> str:
    """Ascending numbers as NVUE writes ranges over keys: `0-25,27-47`."""
    return ",".join(str(low) if low == high else f"{low}-{high}" for low, high in _split_runs(numbers))


class FrontPort(NamedTuple):
    """`swp7` or, broken out, `swp7s1`; sorts as the front panel does."""

    front: int
    lane: int  # -1: not broken out


@lru_cache(maxsize=65536)
def parse_port(name: str) -> FrontPort | None:
    """The front-panel port of a name; None where NVUE has no such name."""
    front, split, lane = name.removeprefix("swp").partition("s")
    if not name.startswith("swp") or not _is_plain_number(front) or (split and not _is_plain_number(lane)):
        return None
    return FrontPort(int(front), int(lane) if split else -1)


def _is_plain_number(digits: str) -> bool:
    return is_number(digits, 4) and (digits == "0" or digits[0] != "0")


@lru_cache(maxsize=4096)
def fold_ports(names: tuple[str, ...]) -> tuple[str, ...]:
    """Front-panel ports as a few keys of `interface`, each within a readable width; front-panel order, none twice."""
    ports = sorted({p for p in map(parse_port, names) if p is not None})
    whole = [p.front for p in ports if p.lane < 0]
    lanes: dict[int, list[int]] = {}
    for port in ports:
        if port.lane >= 0:
            lanes.setdefault(port.front, []).append(port.lane)
    pieces = [(low, f"swp{low}" if low == high else f"swp{low}-{high}") for low, high in _split_runs(whole)]
    pieces += [
        (front, f"swp{front}s{low}" if low == high else f"swp{front}s{low}-{high}")
        for front, found in lanes.items()
        for low, high in _split_runs(found)
    ]
    return tuple(_join_keys(text for _, text in sorted(pieces, key=lambda p: p[0])))


def _join_keys(pieces: Iterable[str]) -> Iterator[str]:
    line = ""
    for piece in pieces:
        if line and len(line) + 1 + len(piece) > _WIDTH:
            yield line
            line = piece
        else:
            line = f"{line},{piece}" if line else piece
    if line:
        yield line
