"""lint, import, report and plan say how much they did not understand; drift's own tests say what it compared."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rocecfg.cli import cli

sys.path += [str(Path(__file__).resolve().parent / folder) for folder in ("drift", "vendors", "readers")]
from sonic_switches import Case

UNREAD = {"SWITCH_TRIMMING": {"GLOBAL": {"size": "256", "dscp_value": "from-tc", "tc_value": "6", "queue_index": "6"}}}


def run(*args: str) -> Result:
    result = CliRunner().invoke(cli, list(args))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


class Folder:
    """An intent, and a switch that runs it but for its watchdog's time."""

    def __init__(self, path: Path, **tables: Any) -> None:
        self.case = Case("sized", path)
        self.intent = str(path / "fabric.yaml")
        self.switch = str(path / "running" / "leaf01.json")
        config = self.case.config() | tables
        config["PFC_WD"]["Ethernet0"]["detection_time"] = "400"
        (path / "running").mkdir()
        Path(self.switch).write_text(json.dumps(config, indent=1), encoding="utf-8")


@pytest.fixture(params=[0, 1], ids=["all understood", "one statement not"])
def not_understood(request: pytest.FixtureRequest) -> int:
    count: int = request.param
    return count


@pytest.fixture
def folder(tmp_path: Path, not_understood: int) -> Folder:
    return Folder(tmp_path, **(UNREAD if not_understood else {}))


def test_lint_and_import_count_what_they_do_not_check_once(folder: Folder, not_understood: int) -> None:
    """In the totals by fate alone: a statement that these call checked is not called not understood beside them."""
    last = run("lint", folder.switch).output.splitlines()[-1]
    assert ("4 as text" in last) == bool(not_understood)
    assert "not understood" not in last
    # the count does not depend on which findings are shown
    assert ("4 as text" in run("lint", folder.switch, "--select", "ecn-order").output) == bool(not_understood)
    found = json.loads(run("lint", folder.switch, "--format", "json").stdout)
    assert found["summary"]["not_understood"] == not_understood
    read = run("import", folder.switch).stderr
    assert ("4 as text" in read) == bool(not_understood)
    assert "not understood" not in read


def test_a_statement_of_many_ports_counts_once(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    config = json.loads(Path(folder.switch).read_text(encoding="utf-8"))
    for port in config["PORT"]:
        config["PORT_QOS_MAP"][port]["scheduler"] = "scheduler.0"
    Path(folder.switch).write_text(json.dumps(config), encoding="utf-8")
    assert json.loads(run("lint", folder.switch, "--format", "json").stdout)["summary"]["not_understood"] == 1


def test_report_says_how_much_it_did_not_understand(folder: Folder, not_understood: int) -> None:
    assert ("effect of 1 statement" in run("report", folder.switch, "-o", "-").stdout) == bool(not_understood)


def test_plan_says_how_much_it_compared(folder: Folder, not_understood: int) -> None:
    running = ("plan", folder.intent, "--running", folder.switch)
    summary = json.loads(run(*running, "--format", "json").stdout)["summary"]
    assert summary["not_compared"] == not_understood
    assert (summary["settings"] > 100, summary["ports"]) == (True, 2)
    words = f"Compared: {summary['settings']} settings of 2 ports; not compared: {not_understood} setting"
    assert words in run(*running).stdout


def test_a_plan_from_an_older_intent_compares_all(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    older = tmp_path / "older" / "fabric.yaml"
    older.parent.mkdir()
    text = Path(folder.intent).read_text(encoding="utf-8")
    older.write_text(text.replace("detection_time: 200ms", "detection_time: 300ms"), encoding="utf-8")
    result = run("plan", folder.intent, "--running-intent", str(older), "--format", "json")
    summary = json.loads(result.stdout)["summary"]
    assert (summary["changing"], summary["settings"], summary["not_compared"]) == (1, None, None)
