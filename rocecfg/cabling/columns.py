"""Tables that commands print: columns that begin where their headings do."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rocecfg.cabling.statements import Broken

_HEADING = re.compile(r"\S+(?: \S+)*")  # words of one heading stand one blank apart
_TOTAL = re.compile(r"^Total entries displayed:\s*(\d+)", re.MULTILINE)
_RULED = re.compile(r"[-=\s]+")


def table_rows(given: str, heading: re.Pattern[str], *, counted: bool = False) -> Iterator[tuple[int, list[str]]]:
    """The rows below a heading up to an empty line or a rule, each with its offset; a cell for each column.

    A value that is wider than its column pushes the others: then the blanks between them part the cells. Raises Broken
    where there is a second heading, or fewer rows than the table says it has. `counted`: it always says so.
    """
    found = heading.search(given)
    if found is None:
        return
    again = heading.search(given, found.end())
    if again is not None:
        raise Broken(
            "contains the output of a second device from here on", "give each device a file of its own", again.start()
        )
    total = _TOTAL.search(given, found.end())
    body = list(_rows_below(given, found))
    if total is not None and int(total[1]) != len(body):
        raise Broken(
            f"lists {len(body)} neighbours and counts {total[1]}: the file was cut", "fetch it again", total.start()
        )
    if total is None and counted:
        raise Broken("ends before the count of its rows: the file was cut off", "fetch it again, whole", len(given))
    yield from body


def _rows_below(given: str, found: re.Match[str]) -> Iterator[tuple[int, list[str]]]:
    offset = found.end() + 1
    starts = [word.start() for word in _HEADING.finditer(found[0])]
    seen = False
    for line in given[offset:].splitlines(keepends=True):
        row = line.rstrip()
        at, offset = offset, offset + len(line)
        if not row or _RULED.fullmatch(row):
            if seen:
                return
            continue
        seen = True
        yield at, _split_cells(row, starts)


def _split_cells(row: str, starts: list[int]) -> list[str]:
    ends = [*starts[1:], len(row)]
    if all(start >= len(row) or row[start - 1 : start] in ("", " ") for start in starts):
        cells = [row[start:end].strip() for start, end in zip(starts, ends, strict=True)]
        if not any("  " in cell for cell in cells):
            return cells
    words = re.split(r"\s{2,}", row.strip())
    if len(words) < len(starts):
        words = row.split(None, len(starts) - 1)
    return [*words, *[""] * (len(starts) - len(words))][: len(starts)]
