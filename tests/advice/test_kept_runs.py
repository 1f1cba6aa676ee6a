"""Simulations that are kept are those of the model as it is."""

from __future__ import annotations

import importlib
import shutil
from pathlib import Path
from typing import Any

import kept_runs
import pytest
from checkout import ROOT
from sampling import few, part

from rocecfg.physics import dcqcn_random
from rocecfg.physics.dcqcn import PAPER, Curve


def test_what_is_kept_is_of_this_source() -> None:
    first = kept_runs.FILE.read_text(encoding="utf-8").partition("\n")[0]
    assert first == kept_runs.head()[0], "the simulation has changed: python tests/kept_runs.py"


def test_what_is_kept_is_what_the_model_gives() -> None:
    kept = kept_runs.read()
    if not kept:
        pytest.skip("what is kept is of another source or arithmetic, and not used")
    for question in part(few(kept)):
        module, given, named = kept_runs.from_text(question)
        run = kept_runs.to_text(importlib.import_module(module).simulate(*given, **named))
        found, before = (figures(kept_runs.from_text(text)) for text in (run, kept[question]))
        assert found == pytest.approx(before, rel=1e-9), question


def figures(of: Any) -> list[float]:
    return [figure for part in of for figure in figures(part)] if isinstance(of, tuple) else [of]


def test_what_is_kept_is_refused_where_source_or_arithmetic_is_another(tmp_path: Path) -> None:
    files = kept_runs.sources(ROOT)
    assert {"dcqcn", "dcqcn_network", "dcqcn_random", "dcqcn_senders"} <= {path.stem for path in files}
    for path in files:
        copy = tmp_path / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    source, arithmetic = right = kept_runs.head(tmp_path)
    assert right == kept_runs.head()  # of the files, wherever they stand
    for number, lines in enumerate((right, [source, "# 0"], ["# 0", arithmetic], [source], [])):
        kept = tmp_path / f"{number}.txt"
        kept.write_text("\n".join([*lines, "asked\tfound", ""]), encoding="utf-8")
        assert kept_runs.read(kept, tmp_path) == ({"asked": "found"} if lines == right else {})
    for path in files:
        copy = tmp_path / path.relative_to(ROOT)
        before = copy.read_bytes()
        copy.write_bytes(before + b"# changed\n")
        assert kept_runs.head(tmp_path)[0] != source, path
        copy.write_bytes(before)


def test_a_kept_run_is_simulated_only_where_its_course_is_looked_at(tmp_path: Path) -> None:
    given, named = (1e9, 1, Curve(5e3, 2e5, 0.01), PAPER), {"seconds": 0.01, "samples": 9}
    run = dcqcn_random.simulate(*given, **named)  # type: ignore[arg-type]
    question = repr((dcqcn_random.__name__, given, named))
    simulate = kept_runs.keeping(dcqcn_random, tmp_path, {question: kept_runs.to_text(run)})
    found = simulate(*given, **named)
    assert (found.mean, found.sd, list(tmp_path.iterdir())) == (run.mean, run.sd, [])
    assert (tuple(found.times_us), tuple(found.queues)) == (run.times_us, run.queues)
    assert len(list(tmp_path.iterdir())) == 1
    assert simulate(*given, **named, seed=2) != run  # which is not kept
