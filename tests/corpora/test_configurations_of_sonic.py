"""Stock configurations of each HwSKU and release, and those among the tests of SONiC's tools: what lint says, argued.

What is said of which stands in `stock.txt` and `samples.txt` (`reduced.py`), and why that is right in `argued.tsv`. A
run takes some of them, with `--all` all.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import sampling
from imported import check_import
from linted import SAMPLES, STOCK, said, with_local
from reduced import Config, Reduced, read

COUNTS = {STOCK: 40, SAMPLES: 25}  # configurations of each corpus that a usual run lints
IMPORTS = 2  # that it imports: each takes a quarter of a second
ALL_IMPORTS = 60  # that a run with --all imports
KEPT = (  # of the schema, in an intent that was imported
    "SCH020.*(it is not rendered|the share is rounded|headroom without buffers.alpha)",  # import lists them, too
    "SCH010: nvidia-sn5600 has no 10M port",  # a slip of 202605: docs/published.md
    "SCH009.*with the headroom table it needs",  # Arista-7060X6-64PE-O128S2: empty up to 202411
    "SCH010.*the ports add up to",  # 65 ports of 100G on a Tofino, and test inputs
    "sonic-net/sonic-buildimage (29221|21552|26248)",  # open faults of the release, as of the configuration itself
    "SCH.*PFC would run without|SCH.*accepts speed from 1M to 800G, not 1600G",  # as of the configuration itself
)


class Argued(NamedTuple):
    """An error or a warning that remains, and why it is right: of SONiC, of the file, or of how it is rendered."""

    rule: str
    message: str  # what it says, as a regular expression
    why: str


ARGUED = [
    Argued(*line.split("\t"))
    for line in (Path(__file__).parent / "argued.tsv").read_text(encoding="utf-8").splitlines()[1:]
]


def is_argued(rule: str, message: str) -> bool:
    return any(rule == each.rule and re.search(each.message, message) for each in ARGUED)


def chosen(cases: list[tuple[str, Reduced]], count: int, most: int | None = None) -> list[tuple[str, Reduced]]:
    """So many of them, by the commit; with --all the most, or all."""
    count = (most or len(cases)) if sampling.everything else count
    return random.Random(sampling.seed()).sample(cases, count)  # noqa: S311


def cases_of(path: Path) -> list[tuple[str, Reduced]]:
    return [(name, each) for each in read(path) for name in each.names]


def named(path: Path) -> Iterator[tuple[str, frozenset[str]]]:
    for each in read(path):
        yield from each.names.items()


def configured(path: Path, name: str, each: Reduced) -> Config:
    return with_local(each.config(), name) if path == STOCK else each.config()


@pytest.mark.parametrize("path", [STOCK, SAMPLES], ids=["stock", "samples"])
def test_what_is_said_is_argued(path: Path) -> None:
    wrong = []
    for name, each in chosen(cases_of(path), COUNTS[path]):
        found = said(configured(path, name, each))
        if {rule for _, rule, _ in found} != each.names[name]:
            wrong.append(f"{name}: {sorted({rule for _, rule, _ in found} ^ each.names[name])}")
        wrong += [f"{name}: {rule}: {message}" for _, rule, message in found if not is_argued(rule, message)]
    assert not wrong, "\n".join(wrong)


def test_each_rule_that_is_argued_is_found() -> None:
    listed = {rule for path in (STOCK, SAMPLES) for _, rules in named(path) for rule in rules}
    assert listed == {each.rule for each in ARGUED}


@pytest.mark.parametrize("path", [STOCK, SAMPLES], ids=["stock", "samples"])
def test_what_is_imported_is_what_was(path: Path, tmp_path: Path) -> None:
    every = [(next(iter(each.names)), each) for each in read(path)]
    for number, (name, each) in enumerate(chosen(every, IMPORTS, ALL_IMPORTS)):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "config_db.json").write_text(json.dumps(configured(path, name, each)), encoding="utf-8")
        check_import(folder / "config_db.json", folder / "made", KEPT)
