"""Rows of CONFIG_DB with their places, and the notes taken on them: one for each mistake, however many rows make it."""

from __future__ import annotations

import re
from collections.abc import ItemsView, Iterable, Iterator, Mapping, ValuesView
from functools import lru_cache

from rocecfg.core.digits import is_number
from rocecfg.core.records import NamedTuple
from rocecfg.core.visible import visible
from rocecfg.model import Span
from rocecfg.model.stated import Problem
from rocecfg.source.json import Array, Flat, Left, Member, Object

_NONE = {"NULL": "NULL"}  # as redis has a row without fields
_LEADING = re.compile(r"\s*(\d+)")
_MOST_SHOWN = 40  # characters of a value that a message quotes


class Cell(NamedTuple):
    """A field's value as CONFIG_DB holds it: text. The place counts from the beginning of the row."""

    text: str
    start: int
    end: int
    key_start: int
    key_end: int
    kind: str = "text"  # text | number | list, or what JSON has and CONFIG_DB does not: bool | null | object


_new = tuple.__new__  # a NamedTuple's own __new__ costs twice as much, and there are thousands of rows


class Cells(Mapping[str, Cell]):
    """The fields of rows that are equal, by name; their places are made when asked for."""

    __slots__ = ("_made", "_members", "plain", "texts")

    def __init__(self, texts: Mapping[str, str], made: dict[str, Cell] | None, members: Iterable[Member] = ()) -> None:
        """`texts`: of all fields. `made`: the fields; None: they are `members`, which are strings all."""
        self.texts = texts
        self._made = made
        self._members = members
        self.plain = made is None  # nothing but strings

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def __len__(self) -> int:
        return len(self.texts)

    def __contains__(self, name: object) -> bool:
        return name in self.texts

    def __getitem__(self, name: str) -> Cell:
        return self._cells_by_name()[name]

    def items(self) -> ItemsView[str, Cell]:
        """As a dictionary has them: Mapping's own would look up each."""
        return self._cells_by_name().items()

    def values(self) -> ValuesView[Cell]:
        """As a dictionary has them."""
        return self._cells_by_name().values()

    def _cells_by_name(self) -> dict[str, Cell]:
        if self._made is None:
            self._made = {
                key: _new(Cell, (text, start, end, key_start, key_end, "text"))
                for key, key_start, key_end, text, start, end in self._members
            }
        return self._made


def cells_of(made: dict[str, Cell]) -> Cells:
    """Fields that are made already."""
    return Cells({name: cell.text for name, cell in made.items()}, made)


class Row(NamedTuple):
    """A row: its key, and its fields, which equal rows share."""

    doc: int
    key: str
    key_start: int
    key_end: int
    start: int  # where what cells count from begins
    cells: Cells

    @property
    def at(self) -> Span:
        """Where the key stands."""
        return Span(self.doc, self.key_start, self.key_end)

    def get(self, field: str) -> str | None:
        """A field's text; None where the row does not have it."""
        return self.cells.texts.get(field)

    def locate(self, field: str) -> Span:
        """Where a field's value stands, else the row."""
        cell = self.cells.get(field)
        return self.at if cell is None else self.locate_cell(cell)

    def locate_cell(self, cell: Cell) -> Span:
        """Where a value of this row stands."""
        return Span(self.doc, self.start + cell.start, self.start + cell.end)

    def locate_name(self, cell: Cell) -> Span:
        """Where a field's name stands."""
        return Span(self.doc, self.start + cell.key_start, self.start + cell.key_end)

    def absolute_cells(self) -> dict[str, Cell]:
        """The fields, their places counted from the beginning of the text."""
        by = self.start
        return {
            name: Cell(c.text, by + c.start, by + c.end, by + c.key_start, by + c.key_end, c.kind)
            for name, c in self.cells.items()
        }

    def overlaid_with(self, other: Row) -> Row:
        """The row with the fields of another laid upon its own."""
        return Row(
            self.doc,
            self.key,
            self.key_start,
            self.key_end,
            0,
            cells_of(self.absolute_cells() | other.absolute_cells()),
        )


Table = dict[str, Row]  # by key; of rows written twice the last


def distinct_rows(rows: Iterable[Row]) -> list[Row]:
    """One row for each that differs in its fields from the others: the first."""
    found: dict[int, Row] = {}
    for row in rows:
        if id(row.cells) not in found:
            found[id(row.cells)] = row
    return list(found.values())


class RowMaker:
    """Makes rows of JSON objects; what equal objects share is made once."""

    __slots__ = ("_known", "doc", "repeated")

    def __init__(self, doc: int) -> None:
        self.doc = doc
        self._known: dict[int, tuple[Flat | list[Member], Cells]] = {}  # the members too: they keep the identity theirs
        self.repeated: list[tuple[Span, str]] = []  # fields written twice in one row

    def fill_table(self, rows: Table, table: Object) -> list[tuple[Row, Row]]:
        """Puts the rows of a table, its members that are objects, to others. Gives those that take another's place."""
        doc, start, known = self.doc, table.start, self._known
        repeated = []
        for key, key_start, key_end, value, _, _ in table.members:
            if value.__class__ is Object:
                at, _, members = value
                shared = known.get(id(members))
                cells = shared[1] if shared is not None else self._share_cells(value)
                row = _new(Row, (doc, key, start + key_start, start + key_end, at, cells))
                if key in rows:
                    repeated.append((rows[key], row))
                rows[key] = row
        return repeated

    def read_nested(self, table: Object, above: str = "") -> Iterator[Row]:
        """The rows of a table in which the parts of a key may stand below each other."""
        for member in table.members:
            value, key = member.value, above + member.key
            if not isinstance(value, Object):
                continue
            first = next(iter(value.members), None)
            if first is not None and isinstance(first.value, Object):
                yield from self.read_nested(value, f"{key}|")
            else:
                start = table.start
                yield self.make_row(key, start + member.key_start, start + member.key_end, value)

    def make_row(self, key: str, key_start: int, key_end: int, value: Object) -> Row:
        """The row of an object."""
        known = self._known.get(id(value.members))
        cells = known[1] if known is not None else self._share_cells(value)
        return Row(self.doc, key, key_start, key_end, value.start, cells)

    def _share_cells(self, value: Object) -> Cells:
        cells = self._make_cells(value)
        self._known[id(value.members)] = value.members, cells
        return cells

    def _make_cells(self, value: Object) -> Cells:
        members = value.members
        strings = members.strings if isinstance(members, Flat) and "@" not in members.text else None
        if strings is not None and strings != _NONE:
            return Cells(strings, None, members)
        cells: dict[str, Cell] = {}
        for member in members:
            name = member.key.removesuffix("@")  # as redis has lists
            cell = _make_cell(member)
            if (name, cell.text) in _NONE.items():
                continue
            if name in cells:
                at = Span(self.doc, value.start + cell.key_start, value.start + cell.key_end)
                self.repeated.append((at, name))
            cells[name] = cell
        return cells_of(cells)


def _make_cell(member: Member) -> Cell:
    value = member.value
    text, kind = "", "object"
    if isinstance(value, str):
        text, kind = value, "text"
    elif isinstance(value, bool):
        text, kind = str(value), "bool"  # what sonic-cfggen writes of it
    elif value is None:
        kind = "null"
    elif isinstance(value, (int, float)):
        text, kind = str(value), "number"
    elif isinstance(value, Array):
        parts = [item.value for item in value.items]
        if all(isinstance(part, (str, int)) for part in parts):
            text, kind = ",".join(map(str, parts)), "list"
    elif isinstance(value, (Object, Left)):
        pass
    return Cell(text, member.start, member.end, member.key_start, member.key_end, kind)


def shorten(text: str) -> str:
    """A word of the text as a message quotes it: printable, and short."""
    return f"{visible(text[:_MOST_SHOWN])}…" if len(text) > _MOST_SHOWN else visible(text)


@lru_cache(maxsize=4096)
def parse_number(text: str | None) -> int | None:
    """A whole number, with a sign or blanks around it; None for anything else."""
    bare = (text or "").strip()
    digits = bare[1:] if bare[:1] in ("-", "+") else bare
    return int(bare) if is_number(digits, 19) else None


def parse_priorities(text: str) -> tuple[int, ...]:
    """The priorities in a comma list as orchagent takes them: of each item the number that it begins with."""
    found = (_LEADING.match(part) for part in text.split(","))
    return tuple(sorted({n for m in found if m is not None and len(m[1]) < 4 and (n := int(m[1])) <= 7}))


class _Note:
    __slots__ = ("at", "help", "keys", "places", "related", "severity")

    def __init__(
        self, at: Span, help: str, related: tuple[tuple[Span, str], ...], severity: str | None, key: str
    ) -> None:
        self.at = at
        self.help = help
        self.related = related
        self.severity = severity
        self.keys = {key: None}
        self.places: dict[Span, None] = {}  # those of the other rows


class Notes:
    """What is wrong in the text. The same said of many rows becomes one problem, at the first of them."""

    __slots__ = ("_found",)

    def __init__(self) -> None:
        self._found: dict[tuple[str, str, str], _Note] = {}

    def report(
        self,
        rule: str,
        table: str,
        key: str,
        at: Span,
        words: str,
        help: str = "",
        *,
        related: tuple[tuple[Span, str], ...] = (),
        severity: str | None = None,
    ) -> None:
        """Note that `words` is so of the row `key` of a table; an empty key: of the table itself."""
        note = self._found.get((rule, table, words))
        if note is None:
            self._found[rule, table, words] = _Note(at, help, related, severity, key)
        else:
            note.keys[key] = None
            note.places[at] = None

    def add_places(self, rule: str, table: str, words: str, places: Iterable[Span]) -> None:
        """Other places that a note is about."""
        self._found[rule, table, words].places.update(dict.fromkeys(places))

    def list_notes(self) -> Iterator[tuple[str, str, tuple[str, ...], Span, str]]:
        """Each note: its rule, the table and the keys of its rows, the place of the first, and the words."""
        for (rule, table, words), note in self._found.items():
            yield rule, table, tuple(note.keys), note.at, words

    def list_problems(self) -> Iterator[Problem]:
        """One problem for each mistake, in the order found."""
        for (rule, table, words), note in self._found.items():
            first, *rest = note.keys
            where = f"{table}|{shorten(first)}" if first else table
            more = f" (and {len(rest)} more)" if rest else ""
            wording = f"{where}{more}: {words}"
            places = tuple(at for at in note.places if at != note.at)
            yield Problem(rule, note.at, wording, note.help, note.related, note.severity, places=places)
