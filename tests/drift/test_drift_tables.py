"""NVUE's and SONiC's tables of settings: what another value writes stands in rows that say so, and it sets these."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from change_pairs import Case
from drift_cases import ROOT, WHOLE
from sampling import part

from rocecfg import CannotRender, IntentError
from rocecfg.source.document import Document
from rocecfg.vendors.sonic import settings as sonic
from rocecfg.vendors.sonic.change import plan_change as make_change
from rocecfg.vendors.sonic.change.tables import Tables, tables_in, with_names_of_switch
from rocecfg.vendors.spectrum.change import leaves, plan_change
from rocecfg.vendors.spectrum.domain import settings_of
from rocecfg.vendors.spectrum.settings import TABLE

LEFT = {"cable", "dscp"}  # of a port that loses its PFC: headroom is for nothing then; and a map that is not trusted


@pytest.fixture(scope="module")
def support() -> Iterator[ModuleType]:
    """The module that gives each setting two values, of which docs/support.md is made."""
    sys.path.insert(0, str(ROOT / "docs"))
    yield importlib.import_module("support")
    sys.path.remove(str(ROOT / "docs"))


def test_what_another_value_writes_to_nvue_is_of_a_row_that_says_so_and_is_set_by_it(
    support: ModuleType, tmp_path: Path
) -> None:
    """Every setting of the catalogue with samples, in a release that has them all: no leaf stands without a row."""
    column = support.Column("spectrum", "Cumulus Linux", "5.18")
    rows = part(list(support.settings()), "rocecfg/vendors/spectrum", "rocecfg/model/catalogue")
    for path, one, two in _list_sides(support, column, rows, str(tmp_path)):
        case, running = Case(two.fabric, two.device), WHOLE["spectrum"]("leaf01", one.device, one.text)
        wanted = case.drift(running)
        said, meant = (leaves.rendered_leaves(Document(1, path, of.text), of.device).all for of in (one, two))
        differ = [leaf for leaf in {*said, *meant} if said.get(leaf) != meant.get(leaf)]
        settings = {what for of in wanted.values() for what in of}
        set_by = {row for what in settings for row in TABLE.list_set_by(what)}
        topics = {what.topic for what in settings} | LEFT
        for leaf in differ if wanted else ():
            assert TABLE.find(leaf) in set_by or not topics.isdisjoint(settings_of(leaf)), (path, leaf)
        change = plan_change(two.text, Document(1, path, running), wanted, two.device)
        assert (change.beyond, case.drift(change.after)) == ((), {}), path


def test_what_another_value_writes_to_config_db_is_of_a_row_that_says_so(support: ModuleType, tmp_path: Path) -> None:
    """Every field that differs is of a row that the settings set; names of profiles and maps are no difference."""
    column = support.Column("sonic", "SONiC", "202505")
    rows = part(list(support.settings()), "rocecfg/vendors/sonic", "rocecfg/model/catalogue")
    for path, one, two in _list_sides(support, column, rows, str(tmp_path)):
        running = WHOLE["sonic"]("leaf01", one.device, one.text)
        wanted = Case(two.fabric, two.device).drift(running)
        if make_change(two.text, Document(1, path, running), wanted, two.device).beyond:
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
