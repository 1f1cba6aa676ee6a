"""NVUE's table of settings: what another value writes stands in rows that say so, and a change of it sets these."""

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


def test_what_another_value_writes_is_of_a_row_that_says_so_and_is_set_by_it(
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
