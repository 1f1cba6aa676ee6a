"""An answer of NetBox or Nautobot that is one page of several: it is not taken for the whole of the cables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rocecfg.cli import cli

URL = "https://netbox.example.net/api/dcim/cables/?depth=1&limit=2"
INTENT = """\
rocecfg: 1
fabric: {name: lab}
classes:
  rdma: {carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 60}
  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 40}
pfc: {watchdog: {detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}}
devices:
  "leaf[01-05]": {vendor: spectrum, platform: nvidia-sn5600, version: "5.14", role: leaf, ports: {swp1: {to: switch}}}
"""


def _end(device: str) -> list[object]:
    return [{"object_type": "dcim.interface", "object": {"name": "swp1", "device": {"name": device}}}]


def _page(number: int, before: str | None, after: str | None) -> None:
    """Two cables of five, as `/api/dcim/cables/` answers; the last page has one."""
    cables = [
        {"a_terminations": _end(f"leaf{cable:02}"), "b_terminations": _end(f"gpu{cable:02}"), "status": "connected"}
        for cable in range(2 * number - 1, min(2 * number, 5) + 1)
    ]
    value = {"count": 5, "next": after, "previous": before, "results": cables}
    Path(f"page{number}.json").write_text(json.dumps(value, indent=1), encoding="utf-8")


@pytest.fixture(autouse=True)
def _pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _page(1, None, f"{URL}&offset=2")
    _page(2, URL, f"{URL}&offset=4")
    _page(3, f"{URL}&offset=2", None)


def _links(*names: str) -> Result:
    return CliRunner().invoke(cli, ["import", "--links", *names])


def test_all_pages_are_the_whole() -> None:
    done = _links("page3.json", "page1.json", "page2.json")
    assert done.exit_code == 0
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1 + 5


@pytest.mark.parametrize(
    ("names", "here", "missing"),
    [
        (["page1.json"], 2, f"{URL}&offset=2"),
        (["page1.json", "page2.json"], 4, f"{URL}&offset=4"),
        (["page1.json", "page3.json"], 3, f"{URL}&offset=2"),
        (["page3.json"], 1, f"{URL}&offset=2"),
    ],
)
def test_a_page_that_is_missing_is_named(names: list[str], here: int, missing: str) -> None:
    done = _links(*names)
    assert len(done.stdout.splitlines()) == 1 + here
    assert f"incomplete: {here} of 5 records were read; also fetch {missing}" in done.stderr
    found = json.loads(CliRunner().invoke(cli, ["import", "--links", "--format", "json", *names]).stdout)
    assert found["summary"]["incomplete"] == 1


def test_the_same_page_twice_is_one() -> None:
    Path("again.json").write_bytes(Path("page1.json").read_bytes())
    assert "incomplete: 2 of 5 records" in _links("page1.json", "again.json").stderr


def test_links_of_an_intent_are_not_taken_for_whole() -> None:
    Path("rocecfg.yaml").write_text(f"{INTENT}links: [page1.json]\n", encoding="utf-8")
    part = CliRunner().invoke(cli, ["lint", "rocecfg.yaml"]).stdout
    assert "incomplete in the cables of this file: 2 of 5 records were read" in part
    Path("rocecfg.yaml").write_text(f"{INTENT}links: ['page*.json']\n", encoding="utf-8")
    whole = CliRunner().invoke(cli, ["lint", "rocecfg.yaml"]).stdout
    assert "incomplete" not in whole


def test_drift_of_cables_is_not_clean_on_a_page() -> None:
    Path("rocecfg.yaml").write_text(
        f"{INTENT}links: [{{a: leaf01:swp1, b: gpu01:swp1}}, {{a: leaf02:swp1, b: gpu02:swp1}}]\n", encoding="utf-8"
    )
    done = CliRunner().invoke(cli, ["drift", "rocecfg.yaml", "--cabling", "page1.json"])
    assert "incomplete: 2 of 5 records" in done.stdout
    assert done.exit_code == 1
