"""Row keys that end in a number or a range, `Ethernet0|3-4`: no two of a port may overlap; and references to rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rocecfg.core.digits import is_number

Row = dict[str, str]
_MOST_DIGITS = 3  # of a queue or a priority


def parse_range(text: str) -> range:
    """The numbers of `3` or `3-4`; none for what is neither."""
    low, _, high = text.partition("-")
    if not is_number(low, _MOST_DIGITS) or not is_number(high or low, _MOST_DIGITS):
        return range(0)
    return range(int(low), int(high or low) + 1)


def parse_priorities(mask: str) -> set[int]:
    """The priorities of a field such as pfc_enable, `3,4`."""
    return {int(each) for each in mask.split(",") if is_number(each, _MOST_DIGITS)}


def join_priorities(priorities: Iterable[int]) -> tuple[str, ...]:
    """Priorities as BUFFER_PG keys, neighbours joined as buffermgrd does: 2,3,4,6 -> ("2-4", "6")."""
    runs: list[list[int]] = []
    for n in sorted(priorities):
        if runs and runs[-1][1] == n - 1:
            runs[-1][1] = n
        else:
            runs.append([n, n])
    return tuple(str(low) if low == high else f"{low}-{high}" for low, high in runs)


def replace_overlapping(rows: Mapping[str, Row], wanted: Mapping[str, Row]) -> dict[str, Row]:
    """`rows` without those that overlap one of `wanted`; what such a row said of other numbers is kept.

    `wanted` rows are part of `rows`, and do not overlap each other.
    """
    taken: dict[str, set[int]] = {}
    for key in wanted:
        port, _, index = key.rpartition("|")
        taken.setdefault(port, set()).update(parse_range(index))
    settled: dict[str, Row] = {}
    for key, row in rows.items():
        port, _, index = key.rpartition("|")
        here = set(parse_range(index))
        if key in wanted or not here & taken.get(port, set()):
            settled[key] = row
            continue
        for rest in join_priorities(here - taken[port]):
            settled.setdefault(f"{port}|{rest}", row)
    return settled


def covering_key(rows: Iterable[str], port: str, number: int) -> str | None:
    """Which of these keys covers a number of a port."""
    for key in rows:
        owner, _, index = key.rpartition("|")
        if owner == port and number in parse_range(index):
            return key
    return None


def referenced_name(reference: str) -> str:
    """The row that a reference names, plain or in the brackets of old releases."""
    return reference.strip("[]").rpartition("|")[2]
