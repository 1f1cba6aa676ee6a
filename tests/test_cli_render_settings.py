"""What stops `render` is what `lint` finds with the fabric's own settings; what cannot be read stops it always."""

from __future__ import annotations

from pathlib import Path

import pytest
from intents import FABRIC, rocecfg, write

WRONG = FABRIC.replace("bandwidth: 60", "bandwidth: 50")  # ets-sum, an error
ODD = FABRIC.replace("      pmax: 5%\n", "      pmax: 5%\n      weight: 3\n")  # ecn-weight, a warning
RENDER = ("render", "--vendor", "all", "-o", "out")


def rendered(folder: Path, *more: str) -> bool:
    """Whether the files are written; a refusal writes none."""
    done = rocecfg(folder, *RENDER, *more)
    assert done.returncode in (0, 1), done.stderr
    assert (folder / "out").exists() is (done.returncode == 0)
    return done.returncode == 0


@pytest.mark.parametrize(
    ("intent", "settings", "passes"),
    [
        (WRONG, "", False),
        (WRONG, 'ignore = ["ets-sum"]\n', True),
        (WRONG, 'ignore = ["ecn"]\n', False),
        (WRONG, 'select = ["pfc", "watchdog"]\n', True),
        (WRONG, '[severity]\nets-sum = "warning"\n', True),
        (WRONG, '[severity]\nets-sum = "off"\n', True),
        (WRONG, '[per-file-ignores]\n"fabric.yaml" = ["ets-sum"]\n', True),
        (WRONG, '[per-file-ignores]\n"other.yaml" = ["ets-sum"]\n', False),
        (WRONG, '[environments.lab]\npaths = ["fabric.yaml"]\nignore = ["ets-sum"]\n', True),
        (WRONG, '[environments.lab]\npaths = ["lab/*"]\nignore = ["ets-sum"]\n', False),
        (ODD, "", True),
        (ODD, 'fail-on = "warning"\n', True),  # the exit code of lint; an error it is not
        (ODD, '[severity]\necn-weight = "error"\n', False),
    ],
)
def test_the_settings_of_the_fabric_count(intent: str, settings: str, passes: bool, tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": intent, "rocecfg.toml": settings})
    assert rendered(tmp_path) is passes


def test_settings_are_found_from_the_intents_folder(tmp_path: Path) -> None:
    lax = 'ignore = ["ets-sum"]\n'
    write(tmp_path, {"lab/fabric.yaml": WRONG, "lab/rocecfg.toml": lax, "strict/fabric.yaml": WRONG})
    rocecfg(tmp_path, "render", "lab/fabric.yaml", "--vendor", "all", "-o", "out", expect=0)
    rocecfg(tmp_path, "render", "strict/fabric.yaml", "--vendor", "all", "-o", "out", expect=1)
    rocecfg(tmp_path / "lab", "render", "../strict/fabric.yaml", "--vendor", "all", "-o", "out", expect=1)


def test_what_a_baseline_knows_does_not_stop_it(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": WRONG, "rocecfg.toml": 'baseline = "known.json"\n'})
    rocecfg(tmp_path, "lint", "--update-baseline")
    assert rendered(tmp_path)


@pytest.mark.parametrize(("severity", "passes"), [("error", False), ("warning", True)])
def test_house_rules_count_as_in_lint(severity: str, passes: bool, tmp_path: Path) -> None:
    rule = "{name: slow, for: port, expect: {watchdog.detection: {le: 100ms}}}"
    settings = f'[severity]\n"house/slow" = "{severity}"\n'
    write(tmp_path, {"fabric.yaml": FABRIC, "rocecfg-rules.yaml": f"rules: [{rule}]\n", "rocecfg.toml": settings})
    assert rendered(tmp_path) is passes


@pytest.mark.parametrize("settings", ['select = ["pfc"]\n', 'ignore = ["schema-unit"]\n', ""])
def test_what_cannot_be_read_stops_it_whatever_they_say(settings: str, tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": FABRIC.replace("kmin: 700KB", "kmin: 700"), "rocecfg.toml": settings})
    done = rocecfg(tmp_path, *RENDER, expect=1)
    assert "schema-unit" in done.stderr


def test_wrong_settings_are_told_as_lint_tells_them(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": FABRIC, "rocecfg.toml": 'ignroe = ["ets-sum"]\n'})
    assert rocecfg(tmp_path, *RENDER, expect=2).stderr == rocecfg(tmp_path, "lint", expect=2).stderr
    # nothing is judged by them, but `exclude` says which fabrics of a folder are meant; a file is meant by its name
    assert "ignroe" in rocecfg(tmp_path, *RENDER, "--no-lint", expect=2).stderr
    rocecfg(tmp_path, *RENDER, "fabric.yaml", "--no-lint", expect=0)
