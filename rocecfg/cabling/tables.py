"""CSV files of cables: each kind is told by its heading.

SONiC's lab links (sonic-mgmt), AVD's fabric topology, NetBox's and Nautobot's tables and their form for bulk import,
and the five columns that links of an intent have.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from itertools import accumulate

from rocecfg.cabling.lengths import parse_metres
from rocecfg.cabling.names import device_name, is_other, port_name
from rocecfg.cabling.statements import LEFT_OUT, Broken, CableEnd, LeftOut, StatedCable, Statements
from rocecfg.core.records import NamedTuple


class Columns(NamedTuple):
    """Which columns name the ends, and which the rest: lower case, one of several names each."""

    a_device: tuple[str, ...]
    a_port: tuple[str, ...]
    b_device: tuple[str, ...]
    b_port: tuple[str, ...]
    by_name: bool = False  # other ports (power, consoles) are told by their names alone


_KINDS = (
    Columns(("a_device",), ("a_port",), ("b_device",), ("b_port",)),
    Columns(("startdevice",), ("startport",), ("enddevice",), ("endport",), by_name=True),
    Columns(("node",), ("node interface",), ("peer node",), ("peer interface",)),
    Columns(("device a",), ("termination a",), ("device b",), ("termination b",), by_name=True),
    Columns(("side_a_device",), ("side_a_name",), ("side_b_device",), ("side_b_name",), by_name=True),
    Columns(
        ("termination_a__device__name", "device_a"),
        ("termination_a__name", "termination_a", "interface_a"),
        ("termination_b__device__name", "device_b"),
        ("termination_b__name", "termination_b", "interface_b"),
        by_name=True,
    ),
    Columns(
        ("local_device", "source_device", "local device", "source device", "device", "hostname", "from_device"),
        ("local_port", "source_port", "local port", "source port", "local_interface", "local interface", "from_port"),
        ("remote_device", "dest_device", "remote device", "neighbor", "neighbor_device", "destination_device",
         "destination device", "to_device"),
        ("remote_port", "dest_port", "remote port", "neighbor_port", "remote_interface", "neighbor_interface",
         "destination_port", "destination port", "to_port"),
    ),
)  # fmt: skip
_NO_DATA = {"baudrate": "a console", "endfeed": "a power supply", "bmcip": "a BMC"}  # sonic-mgmt: other kinds of links
_TYPES = ("side_a_type", "side_b_type", "termination_a_type", "termination_b_type")
_LENGTHS = ("cable", "length", "cable_length", "cable length")
_UNITS = ("length_unit", "length unit")
_STATUS = ("status", "status__name")


class Row(NamedTuple):
    """A row by the names of its columns, and where it begins."""

    at: int
    cells: Mapping[str, str]


def columns_of(heading: Sequence[str]) -> dict[str, str] | None:
    """The columns that name the ends: a_device and so on -> as the file calls them; None: no table of cables."""
    known = {word.strip().lower(): word.strip().lower() for word in heading}
    for kind in _KINDS:
        found = [next((name for name in names if name in known), None) for names in kind[:4]]
        if None not in found:
            by_name = {"by_name": ""} if kind.by_name else {}
            ends = zip(Columns._fields[:4], found, strict=False)
            return {**{field: name for field, name in ends if name is not None}, **by_name}
    return None


def heading_of(text: str) -> tuple[list[str], str] | None:
    """The cells of the first line that says anything, and what parts them; None where nothing does."""
    line = next((line for line in text.splitlines() if line.strip() and not line.startswith("#")), "")
    for parts in (",", ";", "\t"):
        if parts in line:
            return next(csv.reader([line], delimiter=parts)), parts
    return None


def read_table(text: str) -> Statements:
    """The statements of a table of cables. Raises Broken at the first row that is not one of its."""
    heading, parts = heading_of(text) or ([], ",")
    columns = columns_of(heading)
    assert columns is not None
    for row in _read_rows(text, [word.strip().lower() for word in heading], parts):
        statement = _read_statement(row, columns)
        yield statement
        if isinstance(statement, StatedCable) and statement.metres is None and (length := _read_length(row)):
            why = f"its length is left out: {length!r} is none with a unit (m, cm, ft, in)"
            yield LeftOut(LEFT_OUT, statement.a, statement.b, why, row.at)


def _read_rows(text: str, heading: Sequence[str], parts: str) -> Iterator[Row]:
    lines = list(StringIO(text, newline=""))
    starts = [0, *accumulate(map(len, lines))]
    reader = csv.reader(lines, delimiter=parts, strict=True)
    headed, line = False, 0
    try:
        for cells in reader:
            at, line = starts[line], reader.line_num
            if not any(cells) or cells[0].startswith("#"):
                continue
            if not headed:
                headed = True
                continue
            if len(cells) != len(heading):
                what = f"{len(cells)} cells where the heading has {len(heading)}"
                raise Broken(f"{what}: the file is cut off, or no table from here on", "", at)
            yield Row(at, dict(zip(heading, (cell.strip() for cell in cells), strict=True)))
    except csv.Error as error:
        raise Broken(f"is not a table from here on: {error}", "", starts[line]) from None


def _read_statement(row: Row, columns: Mapping[str, str]) -> StatedCable | LeftOut:
    a = CableEnd(device_name(row.cells[columns["a_device"]]), port_name(row.cells[columns["a_port"]]))
    b = CableEnd(device_name(row.cells[columns["b_device"]]), port_name(row.cells[columns["b_port"]]))
    strange = next((kind for key in _TYPES if (kind := row.cells.get(key, "")) and _is_no_interface(kind)), None)
    other = next((what for column, what in _NO_DATA.items() if column in row.cells), None)
    if other is not None:
        return LeftOut(LEFT_OUT, a, b, f"the link is {other}'s", row.at)
    if strange is not None:
        return LeftOut(LEFT_OUT, a, b, f"a termination is not an interface ({strange})", row.at)
    if not (a.device and b.device):
        return LeftOut(LEFT_OUT, a, b, "one end is at no device (a circuit, a power feed, or nothing)", row.at)
    if "by_name" in columns and (is_other(a.port) or is_other(b.port) or _get_cell(row, ("type",)) == "power"):
        return LeftOut(LEFT_OUT, a, b, "not a data port, by its name or the type of the cable", row.at)
    if _get_cell(row, _STATUS) == "decommissioning":
        return LeftOut(LEFT_OUT, a, b, "the cable is being removed (decommissioning)", row.at)
    return StatedCable(a, b, row.at, metres=parse_metres(_read_length(row)))


def _read_length(row: Row) -> str:
    """The length as it is written, with its unit where that stands in a column of its own."""
    length = _get_cell(row, _LENGTHS)
    return length if length[-1:].isalpha() or not length else f"{length}{_get_cell(row, _UNITS)}"


def _is_no_interface(kind: str) -> bool:
    return kind.rpartition(".")[2].casefold() != "interface"


def _get_cell(row: Row, names: Sequence[str]) -> str:
    return next((row.cells[name].casefold() for name in names if name in row.cells), "")
