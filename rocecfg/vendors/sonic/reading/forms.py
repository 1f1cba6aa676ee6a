"""The forms that CONFIG_DB comes in, as tables of rows.

A whole config_db.json; parts of it, wrapped or not; dumps of redis with `TABLE|key` or `TABLE:key` as keys; lists of
such rows as swssconfig takes them; lists of tables, which merge as configlets do; one mapping for each ASIC; and
patches, of which what they add and replace is read.
"""

from __future__ import annotations

import re
from typing import Any

from rocecfg.core.records import NamedTuple
from rocecfg.model import Span
from rocecfg.source.document import Document
from rocecfg.source.json import Array, Left, Member, Object, parse
from rocecfg.vendors.sonic.domain import DOMAIN, is_unjudged
from rocecfg.vendors.sonic.reading.rows import Row, RowMaker, Table, cells_of

HOST = "localhost"  # the namespace of what is not of one ASIC
_SPACE = re.compile(rf"{HOST}|asic\d+")
_TABLE = re.compile(r"[A-Z][A-Z0-9_]*")
_FLAT = re.compile(r"([A-Z][A-Z0-9_]*)[|:](.+)", re.DOTALL)
_DUMPED = frozenset({"type", "value", "ttl", "expireat"})  # what redis-dump tells of a key
_ADDING = ("add", "replace")


class StatedPart(NamedTuple):
    """A table, a row of one or a field, whether it is read or not."""

    table: str
    key: str  # of the row; empty: the table
    at: Span  # of its name
    value: Any


class Namespace:
    """The tables of one namespace: of the switch, or of one of its ASICs."""

    __slots__ = ("changed", "left", "name", "repeated", "stated", "tables", "tops", "unjudged")

    def __init__(self, name: str | None) -> None:
        self.name = name
        self.tables: dict[str, Table] = {}
        self.tops: dict[str, Span] = {}  # where each table, read or left out, begins
        self.left: dict[str, Span] = {}  # tables that are none of RoCE's, or not judged
        self.unjudged: dict[str, Table] = {}  # the latter
        self.repeated: list[tuple[str, str, Span, Span]] = []  # table, key ("": the table), where, and where again
        self.changed: list[tuple[str, str, str, Span, Span]] = []  # the same of fields
        self.stated: list[StatedPart] = []  # all that the text says, in its order

    def table(self, name: str) -> Table:
        """The rows of a table; none where it is absent."""
        return self.tables.get(name, {})

    def row(self, table: str, key: str) -> Row | None:
        """One row."""
        return self.table(table).get(key)


class ConfigDb:
    """What a text holds."""

    __slots__ = ("patch", "places", "skipped", "spaces", "strays")

    def __init__(self, doc: int) -> None:
        self.places = RowMaker(doc)
        self.spaces: dict[str | None, Namespace] = {}
        self.patch = False
        self.skipped: list[tuple[Span, str]] = []  # operations of a patch that are not read
        self.strays: list[StatedPart] = []  # what stands beside tables and is none

    def get_or_add_space(self, name: str | None) -> Namespace:
        """The namespace of that name, made where it is new."""
        known = self.spaces.get(name)
        if known is None:
            known = self.spaces[name] = Namespace(name)
        return known


def read_config_db(document: Document) -> ConfigDb:
    """The tables of a text. Raises SourceError for what is not JSON."""
    found = _ConfigDbReader(document.number).read(parse(document, _is_wanted))
    if any(space.tables for space in found.spaces.values()) or not any(s.left for s in found.spaces.values()):
        return found
    return _ConfigDbReader(document.number).read(parse(document))  # the tables may be deeper than usual


def _is_wanted(depth: int, key: str) -> bool:
    """Whether to read what stands below a key: the outermost are tables, of which most have nothing to do with RoCE."""
    if depth or key in DOMAIN or is_unjudged(key):
        return True
    flat = _FLAT.fullmatch(key)
    if flat is not None:
        return _table_name(flat[1]) in DOMAIN or is_unjudged(flat[1])
    return _TABLE.fullmatch(key) is None or key.endswith("_JSON")


def _table_name(table: str) -> str:
    """A table's name in CONFIG_DB: swssconfig's files and APPL_DB add _TABLE to it."""
    bare = table.removesuffix("_TABLE")
    return bare if bare in DOMAIN else table


class _ConfigDbReader:
    def __init__(self, doc: int) -> None:
        self.doc = doc
        self.form = ConfigDb(doc)
        self.places = self.form.places
        self._listed = False  # elements of a list are loaded one after the other: what each says is laid upon the rest

    def read(self, value: Any) -> ConfigDb:
        if isinstance(value, Object):
            self._read_tables(value, None)
        elif isinstance(value, Array):
            self._listed = True
            for item in value.items:
                if isinstance(item.value, Object):
                    self._read_element(item.value)
        return self.form

    def _read_element(self, value: Object) -> None:
        """An element of a list: an operation of a patch, or rows with what to do with them."""
        stated = {m.key: m for m in value.members}
        path = stated.get("path")
        if path is not None and isinstance(path.value, str) and "op" in stated:
            self.form.patch = True
            self._read_operation(value, stated, path.value)
        elif "OP" not in stated or stated["OP"].value == "SET":
            self._read_tables(value, None)

    def _read_tables(self, value: Object, space: str | None) -> None:
        seen: set[str] = set()
        for member in value.members:
            below = member.value
            if not isinstance(below, (Object, Left, Array)):
                self._keep_stray(value, member)
                continue
            flat = _FLAT.fullmatch(member.key)
            if flat is not None:
                self._read_flat_row(value, member, flat, space)
            elif _SPACE.fullmatch(member.key) and isinstance(below, Object) and space is None:
                self.form.get_or_add_space(member.key)
                self._read_tables(below, member.key)
            elif isinstance(below, Object) and self._wraps_tables(member.key, below):
                self._read_tables(below, space)
            elif _TABLE.fullmatch(member.key):
                self._read_table(value, member, space, again=member.key in seen)
                seen.add(member.key)
            else:
                self._keep_stray(value, member)

    def _keep_stray(self, value: Object, member: Member) -> None:
        """What is not a table of a switch."""
        if not (self._listed and member.key == "OP"):
            self.form.strays.append(StatedPart(member.key, "", self._key_span(value, member), member.value))

    def _wraps_tables(self, key: str, below: Object) -> bool:
        """Whether tables stand below a key that is none itself."""
        if key in DOMAIN:
            return False
        return any(m.key in DOMAIN and isinstance(m.value, Object) for m in below.members)

    def _read_flat_row(self, value: Object, member: Member, flat: re.Match[str], space: str | None) -> None:
        """A row as redis has it: the table and the key in one."""
        name, key, row = _table_name(flat[1]), flat[2], member.value
        at = self._key_span(value, member)
        if isinstance(row, Object):
            stated = {m.key: m for m in row.members}
            if "value" in stated and stated.keys() <= _DUMPED and isinstance(stated["value"].value, Object):
                row = stated["value"].value
        here = self.form.get_or_add_space(space)
        here.stated.append(StatedPart(name, key, at, row))
        here.tops.setdefault(name, at)
        if name not in DOMAIN or not isinstance(row, Object):
            here.left.setdefault(name, at)
            if isinstance(row, Object) and is_unjudged(name):
                made = self.places.make_row(key, at.start, at.end, row)
                here.unjudged.setdefault(name, {})[key] = made
        else:
            self._add_row(here, name, self.places.make_row(key, at.start, at.end, row))

    def _read_table(self, whole: Object, member: Member, space: str | None, *, again: bool) -> None:
        here = self.form.get_or_add_space(space)
        name, at = member.key, self._key_span(whole, member)
        here.stated.append(StatedPart(name, "", at, member.value))
        if not isinstance(member.value, Object) or name not in DOMAIN:
            here.left.setdefault(name, at)
            here.tops.setdefault(name, at)
            if isinstance(member.value, Object) and is_unjudged(name):
                self.places.fill_table(here.unjudged.setdefault(name, {}), member.value)
            return
        if again:
            here.repeated.append((name, "", here.tops[name], at))
            here.tables[name] = {}  # the last one counts, as with every reader of JSON
        here.tops[name] = at
        rows = here.tables.setdefault(name, {})
        if self._listed:
            for row in self.places.read_nested(member.value):
                self._add_row(here, name, row)
            return
        for lost, row in self.places.fill_table(rows, member.value):
            here.repeated.append((name, row.key, lost.at, row.at))

    def _add_row(self, here: Namespace, table: str, row: Row) -> None:
        rows = here.tables.setdefault(table, {})
        known = rows.get(row.key)
        if known is None:
            rows[row.key] = row
        elif self._listed:
            for field in row.cells.keys() & known.cells.keys():
                if row.get(field) != known.get(field):
                    here.changed.append((table, row.key, field, known.locate(field), row.locate(field)))
            rows[row.key] = known.overlaid_with(row)
        else:
            here.repeated.append((table, row.key, known.at, row.at))
            rows[row.key] = row

    def _key_span(self, value: Object, member: Member) -> Span:
        return Span(self.doc, value.start + member.key_start, value.start + member.key_end)

    # -- patches -------------------------------------------------------------------------------------------------------

    def _read_operation(self, value: Object, stated: dict[str, Member], path: str) -> None:
        """What an operation adds or replaces; what it removes is not in the text, and says nothing."""
        op, given = stated["op"].value, stated.get("value")
        place = Span(self.doc, value.start + stated["path"].start, value.start + stated["path"].end)
        if op in ("move", "copy"):
            self.form.skipped.append((place, op))
        if op not in _ADDING or given is None:
            return
        parts = [part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:]]
        space = None
        if parts and _SPACE.fullmatch(parts[0]):
            space = parts.pop(0)
        if not parts or parts == [""]:
            if isinstance(given.value, Object):
                self._read_tables(given.value, space)
            return
        self._put_value(self.form.get_or_add_space(space), _table_name(parts[0]), parts[1:], value, given, place)

    def _put_value(
        self, here: Namespace, table: str, parts: list[str], value: Object, given: Member, place: Span
    ) -> None:
        here.stated.append(StatedPart(table, parts[0] if parts else "", place, _name_field(parts, given)))
        here.tops.setdefault(table, place)
        if table not in DOMAIN:
            here.left.setdefault(table, place)
            return
        rows = here.tables.setdefault(table, {})
        if not parts and isinstance(given.value, Object):
            start = given.value.start
            for m in given.value.members:
                if isinstance(m.value, Object):
                    rows[m.key] = self.places.make_row(m.key, start + m.key_start, start + m.key_end, m.value)
        elif len(parts) == 1 and isinstance(given.value, Object):
            rows[parts[0]] = self.places.make_row(parts[0], place.start, place.end, given.value)
        elif len(parts) >= 2:
            rows[parts[0]] = self._with_field(rows.get(parts[0]), parts, value, given, place)

    def _with_field(self, row: Row | None, parts: list[str], value: Object, given: Member, place: Span) -> Row:
        """The row with one field more; its places count from the beginning of the text."""
        field = Member(parts[1], 0, 0, given.value, 0, 0)
        made = self.places.make_row(parts[0], place.start, place.end, Object(0, 0, [field]))
        cells = row.absolute_cells() if row is not None else {}
        for name, cell in made.cells.items():
            cells[name] = cell._replace(
                start=value.start + given.start,
                end=value.start + given.end,
                key_start=place.start,
                key_end=place.end,
            )
        return Row(self.doc, parts[0], place.start, place.end, 0, cells_of(cells))


def _name_field(parts: list[str], given: Member) -> Any:
    """What an operation adds, with the name of the field where it adds one alone."""
    return Object(0, 0, [given._replace(key=parts[1])]) if len(parts) > 1 else given.value
