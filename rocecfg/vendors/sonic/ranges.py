"""Row keys that end in a number or a range, `Ethernet0|3-4`: no two of a port may overlap."""

from __future__ import annotations

from collections.abc import Mapping

from rocecfg.vendors.sonic.buffers import join_priorities

Row = dict[str, str]


def parse_range(text: str) -> range:
    """The numbers of `3` or `3-4`; none for what is neither."""
    low, _, high = text.partition("-")
    if not low.isdigit() or not (high or low).isdigit():
        return range(0)
    return range(int(low), int(high or low) + 1)


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
