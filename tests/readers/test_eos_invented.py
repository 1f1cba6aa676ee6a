"""Lines that nobody's EOS has: each is refused where it stands, with the line that is right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from invented_eos import INVENTED, configuration
from loops import loop

from rocecfg.cli import cli

CASES = [(kind, *case) for kind, cases in INVENTED.items() for case in cases]


def _at(mode: str, line: str, tmp_path: Path) -> list[dict[str, Any]]:
    """What is found at the line."""
    text = configuration(mode, line)
    (number,) = (n for n, each in enumerate(text.splitlines(), 1) if each.strip() == line)
    file = tmp_path / "leaf01.cfg"
    file.write_text(text, encoding="utf-8")
    done = CliRunner().invoke(cli, ["lint", str(file), "--format", "json"])
    return [found for found in json.loads(done.stdout)["findings"] if found["line"] == number]


def test_there_are_at_least_23_kinds() -> None:
    assert len(INVENTED) >= 23


@loop(("kind", "mode", "line", "right"), CASES)
def test_an_invented_line_is_refused_with_the_right_one(
    kind: str, mode: str, line: str, right: str, tmp_path: Path
) -> None:
    refused = [found for found in _at(mode, line, tmp_path) if found["name"] == "device-unknown"]
    assert len(refused) == 1, kind
    assert " is not a" in refused[0]["message"]
    assert right in (refused[0]["help"] or ""), refused[0]["help"]


@pytest.mark.parametrize(
    ("mode", "line"),
    [
        ("queue", "random-detect ecn minimum-threshold 400 kbytes maximum-threshold 1600 kbytes"),
        ("queue", "random-detect ecn count"),
        ("queue", "bandwidth guaranteed 100"),
        ("port", "flowcontrol receive off"),
        ("port", "queue-monitor length thresholds 512 256"),
        ("port", "traffic-loopback source system device mac"),
        ("global", "hardware counter feature ecn out"),
        ("global", "traffic-policies"),
        ("global", "system l1"),
        ("global", "queue-monitor length"),
    ],
)
def test_a_line_of_eos_that_is_like_one_is_taken(mode: str, line: str, tmp_path: Path) -> None:
    assert [found["message"] for found in _at(mode, line, tmp_path) if found["name"] == "device-unknown"] == []
