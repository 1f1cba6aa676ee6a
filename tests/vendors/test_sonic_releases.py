"""The first release of what SONiC's tables hold, as the models at the heads of its branches have it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from rocecfg.profiles import SHIPPED
from rocecfg.vendors.sonic.release import Release, assume_release
from rocecfg.vendors.sonic.settings import FIELDS

FIELD_OF = {"PORT_QOS_MAP": "sonic-port-qos-map", "BUFFER_POOL": "sonic-buffer-pool"} | {
    "BUFFER_PROFILE": "sonic-buffer-profile",
    "PFC_WD": "sonic-pfcwd",
}
FACTS: dict[str, tuple[Callable[[Release], object], Callable[[Path], object]]] = {
    "an empty mask": (
        lambda release: release.empty_mask,
        lambda models: "([0-7](,[0-7])*)?" in _read(models, "sonic-port-qos-map"),
    ),
    "the longest poll": (
        lambda release: release.poll_max,
        lambda models: int(_search(r"POLL_INTERVAL \{.*?range 100\.\.(\d+)", _read(models, "sonic-pfcwd"))),
    ),
    "trimming": (lambda release: release.trims, lambda models: (models / "sonic-trimming.yang").exists()),
}


def _read(models: Path, module: str) -> str:
    return (models / f"{module}.yang").read_text(encoding="utf-8")


def _search(pattern: str, text: str) -> str:
    found = re.search(pattern, text, re.DOTALL)
    assert found is not None
    return found[1]


def _branches(shared: Path) -> dict[Release, Path]:
    found = {assume_release(folder.name): folder / "yang-models" for folder in (shared / "sonic-yang").iterdir()}
    assert len(found) >= 7
    return found


@pytest.mark.parametrize("fact", FACTS)
def test_what_a_release_has_is_what_the_head_of_its_branch_has(shared: Path, fact: str) -> None:
    stated, read = FACTS[fact]
    for release, models in _branches(shared).items():
        assert stated(release) == read(models), release.name


def test_a_field_is_known_from_the_release_whose_branch_has_it(shared: Path) -> None:
    late = [(t, n, f.since) for t, fields in FIELDS.items() for n, f in fields.items() if f.since is not None]
    assert len(late) >= 4
    for table, name, since in late:
        for release, models in _branches(shared).items():
            has = re.search(rf"leaf {name}\b", _read(models, FIELD_OF[table])) is not None
            assert has is (release.number >= since), (table, name, release.name)


def test_marks_are_counted_from_the_release_that_counts_them() -> None:
    """Branch 202505 of sonic-swss and sonic-utilities is the first that has WRED_ECN_QUEUE; 202411 has it nowhere."""
    assert [assume_release(name).ecn_counters for name in ("202405", "202411", "202505", "master")] == [0, 0, 1, 1]
    assert SHIPPED.nos("sonic").counts_marks == "202505"
