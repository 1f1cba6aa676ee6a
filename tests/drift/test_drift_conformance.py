"""What is printed to be applied is what each system takes, by validators of its published models and grammar."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import test_drift_arista as arista
import test_drift_sonic as sonic
import test_drift_spectrum as spectrum
from conformance import SonicYang, run_validator
from drift_cases import apply, as_operations, change, compared, running

from rocecfg.vendors.changes import Step

pytestmark = pytest.mark.conformance


def steps(tmp_path: Path, example: str, file: str, text: str) -> tuple[Step, ...]:
    return change(compared(example, {file: text}, tmp_path)).change.steps


def test_sonic_takes_the_patches_and_the_rows(sonic_yang: SonicYang, tmp_path: Path) -> None:
    command = (sonic_yang.tool, "--json", "--backend", "wheel", "--models", sonic_yang.models / "202505")
    wrong, patched = [], 0
    for how, _ in sonic.CASES:
        if how in (sonic.big_red_switch, sonic.stock_group):  # rows that the models themselves refuse
            continue
        text = sonic.changed(how)
        made = steps(tmp_path, "auto", "leaf01.json", text)
        config = tmp_path / "config_db.json"
        config.write_text(text, encoding="utf-8")
        operations = [dict(op) for step in made for op in step.operations]
        if operations:
            patch = tmp_path / "patch.json"
            patch.write_text(json.dumps(operations), encoding="utf-8")
            done = run_validator(*command, "--patch", patch, config)
            patched += 1
        else:
            config.write_text(apply(text, made, tmp_path), encoding="utf-8")
            done = run_validator(*command, config)
        for line in done.stdout.splitlines():
            verdict = json.loads(line)
            if verdict["errors"] or verdict["tables_without_model"]:
                wrong.append((how.__name__, verdict["errors"], verdict["tables_without_model"]))
    assert wrong == []
    assert patched > len(sonic.CASES) / 2


def test_nvue_takes_the_commands(nvue_validator: Path, tmp_path: Path) -> None:
    files = []
    for n, (command, _) in enumerate(spectrum.CASES):
        made = steps(tmp_path, spectrum.WHOLE, "leaf01.nv", spectrum.typed(command))
        files.append(tmp_path / f"change-{n}.yaml")
        lines = as_operations(line for step in made for line in step.lines)
        files[-1].write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = run_validator(nvue_validator, "--version", "5.14", *files)
    assert done.returncode == 0, done.stdout + done.stderr


def test_eos_takes_the_lines(eos_validator: Path, tmp_path: Path) -> None:
    files = []
    for n, (lines, _) in enumerate(arista.CASES):
        text = running("auto", "spine02") + lines + "\n"
        made = steps(tmp_path, "auto", "spine02.cfg", text)
        files.append(tmp_path / f"change-{n}.cfg")
        files[-1].write_text("\n".join(line for step in made for line in step.lines) + "\n", encoding="utf-8")
    done = run_validator(eos_validator, "--strict", "--platform", "strata", *files)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning" not in done.stdout
