"""Tables of NVUE, EOS and SONiC: what another value writes stands in rows that say so, and it sets these."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from change_pairs import Case
from drift_cases import ROOT, WHOLE
from sampling import part

from rocecfg import CannotRender, IntentError
from rocecfg.model import Device
from rocecfg.model.catalogue import What
from rocecfg.source.document import Document
from rocecfg.vendors.arista.change import parse_tree
from rocecfg.vendors.arista.change import plan_change as plan_eos
from rocecfg.vendors.arista.domain import TABLE as EOS
from rocecfg.vendors.arista.domain import settings_of as of_line
from rocecfg.vendors.changes import Change
from rocecfg.vendors.sonic import settings as sonic
from rocecfg.vendors.sonic.change import plan_change as plan_sonic
from rocecfg.vendors.sonic.change.tables import Tables, tables_in, with_names_of_switch
from rocecfg.vendors.spectrum.change import leaves
from rocecfg.vendors.spectrum.change import plan_change as plan_nvue
from rocecfg.vendors.spectrum.domain import settings_of as of_leaf
from rocecfg.vendors.spectrum.settings import TABLE as NVUE

LEFT = {"cable", "dscp"}  # of a port that loses its PFC: headroom is for nothing then; and a map that is not trusted


@pytest.fixture(scope="module")
def support() -> Iterator[ModuleType]:
    """The module that gives each setting two values, of which docs/support.md is made."""
    sys.path.insert(0, str(ROOT / "docs"))
    yield importlib.import_module("support")
    sys.path.remove(str(ROOT / "docs"))


def _read_leaves(text: str, device: Device) -> dict[Any, Any]:
    return leaves.rendered_leaves(Document(1, "meant", text), device).all


def _read_lines(text: str, _: Device) -> dict[Any, Any]:
    """The lines of a text that set something, without the queue that they stand in."""
    blocks = parse_tree(text).blocks
    return {(*place, key, line.text): line.value for place, own in blocks.items() for key, line in own.items()}


class Table(NamedTuple):
    """How a vendor's table is asked: what a text says, and of each the rows and what it bears on."""

    vendor: str
    system: str
    release: str
    read: Callable[[str, Device], dict[Any, Any]]
    is_set: Callable[[Any, set[What]], bool]
    list_settings: Callable[[Any], tuple[str, ...]]
    plan: Callable[..., Change]


def _is_leaf_set(leaf: Any, settings: set[What]) -> bool:
    return any(NVUE.find(leaf) in NVUE.list_set_by(what) for what in settings)


def _is_line_set(line: Any, settings: set[What]) -> bool:
    """By the name of what it sets, or with the traffic class of its code point."""
    name = line[2] if isinstance(line[2], str) else line[2][0]
    return name == "tc" or any(row.key == name for what in settings for row in EOS.list_set_by(what))


TABLES = (
    Table("spectrum", "Cumulus Linux", "5.18", _read_leaves, _is_leaf_set, of_leaf, plan_nvue),
    Table("arista", "EOS", "4.33", _read_lines, _is_line_set, lambda line: of_line(line[-1]), plan_eos),
)


@pytest.mark.parametrize("table", TABLES, ids=[table.vendor for table in TABLES])
def test_what_another_value_writes_is_of_a_row_that_says_so_and_is_set_by_it(
    table: Table, support: ModuleType, tmp_path: Path
) -> None:
    """Every setting of the catalogue with samples, in a release that has them all: nothing stands without a row."""
    column = support.Column(table.vendor, table.system, table.release)
    rows = part(list(support.settings()), f"rocecfg/vendors/{table.vendor}", "rocecfg/model/catalogue")
    tried = 0
    for path, one, two in _list_sides(support, column, rows, str(tmp_path)):
        case, running = Case(two.fabric, two.device), WHOLE[table.vendor]("leaf01", one.device, one.text)
        wanted = case.drift(running)
        said, meant = (table.read(of.text, of.device) for of in (one, two))
        differ = [leaf for leaf in {*said, *meant} if said.get(leaf) != meant.get(leaf)]
        settings = {what for of in wanted.values() for what in of}
        topics = {what.topic for what in settings} | LEFT
        for leaf in differ if wanted else ():
            assert table.is_set(leaf, settings) or not topics.isdisjoint(table.list_settings(leaf)), (path, leaf)
        change = table.plan(two.text, Document(1, path, running), wanted, two.device)
        assert (change.beyond, case.drift(change.after)) == ((), {}), path
        tried += bool(wanted)
    assert tried


def test_what_another_value_writes_to_config_db_is_of_a_row_that_says_so(support: ModuleType, tmp_path: Path) -> None:
    """Every field that differs is of a row that the settings set; names of profiles and maps are no difference."""
    column = support.Column("sonic", "SONiC", "202505")
    rows = part(list(support.settings()), "rocecfg/vendors/sonic", "rocecfg/model/catalogue")
    for path, one, two in _list_sides(support, column, rows, str(tmp_path)):
        running = WHOLE["sonic"]("leaf01", one.device, one.text)
        wanted = Case(two.fabric, two.device).drift(running)
        if plan_sonic(two.text, Document(1, path, running), wanted, two.device).beyond:
            continue  # no row sets it: it is done by hand
        settings = {what for of in wanted.values() for what in of}
        runs, renders = (tables_in(Document(1, path, side.text)) or {} for side in (one, two))
        said, meant = (set(_list_fields(tables)) for tables in (runs, with_names_of_switch(renders, runs)))
        set_by = {(row.path[0], row.path[-1]) for what in settings for row in sonic.TABLE.list_set_by(what)}
        for table, _, field in said ^ meant if wanted else ():
            sets = not set_by.isdisjoint(((table, field), (table, table)))  # of maps all entries
            assert sets or "cable" in LEFT.intersection(sonic.topics_of(table, field)), (path, table, field, settings)


def _list_fields(tables: Tables) -> Iterator[tuple[str, str, str]]:
    """The fields of rows that hold settings, with their values."""
    for table in tables.keys() & {*sonic.FIELDS, *sonic.MAPS, "CABLE_LENGTH"}:
        yield from ((table, value, field) for row in tables[table].values() for field, value in row.items())


def _list_sides(support: ModuleType, column: Any, rows: list[Any], folder: str) -> Iterator[tuple[str, Any, Any]]:
    """By setting, what two of its values render."""
    watchdog = support.find_watchdog(column)
    for row in rows:
        first, *others = support.SAMPLES.get(row.path, (None,))
        for other in others:
            try:
                one, two = (support.resolve_side(row, column, value, watchdog, folder) for value in (first, other))
            except (CannotRender, IntentError):
                continue  # its system refuses it
            yield row.path, one, two
            break
