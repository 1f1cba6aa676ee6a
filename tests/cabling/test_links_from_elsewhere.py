"""A NetBox export, or a folder of what switches see by LLDP, in place of the links that a fabric states."""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections import defaultdict
from pathlib import Path

import pytest
from checkout import ROOT
from click.testing import CliRunner

import rocecfg
from rocecfg.analysis.ports import list_wires
from rocecfg.cli import cli

HEADER = ["ID", "Label", "Termination A", "Termination B", "Device A", "Device B", "Status", "Type", "Length"]
Cable = tuple[str, str, str, str]


def netbox(cables: list[Cable]) -> None:
    """NetBox's table of cables as it is exported: CRLF, a type and a length with its unit."""
    with Path("cables.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(HEADER)
        for number, (a, a_port, b, b_port) in enumerate(cables, 1):
            length = "5.00 m" if a.startswith("gpu") else "30.00 m"
            rows.writerow([number, "", a_port, b_port, a, b, "Connected", "mmf-om4", length])


def lldp(cables: list[Cable]) -> None:
    """`lldpctl -f json` of every switch; hosts answer, nobody asks them."""
    seen: dict[str, list[object]] = defaultdict(list)
    for a, a_port, b, b_port in cables:
        for here, port, there, far in ((a, a_port, b, b_port), (b, b_port, a, a_port)):
            if not here.startswith("gpu"):
                chassis = {there: {"id": {"type": "mac", "value": "44:38:39:22:01:01"}}}
                seen[here].append(
                    {port: {"via": "LLDP", "chassis": chassis, "port": {"id": {"type": "ifname", "value": far}}}}
                )
    Path("lldp").mkdir()
    for switch, interfaces in seen.items():
        text = json.dumps({"lldp": {"interface": interfaces}}, indent=2)
        Path("lldp", f"{switch}.lldpctl.json").write_text(text, encoding="utf-8")


@pytest.mark.parametrize(("written", "source"), [(netbox, "cables.csv"), (lldp, "lldp")], ids=["NetBox", "LLDP"])
def test_cables_that_others_know_lint_clean(
    written: object, source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "examples" / "train-256", tmp_path / "train")
    monkeypatch.chdir(tmp_path)
    stated = sorted(cable[:4] for cable in list_wires(rocecfg.load("train/fabric.yaml").links))
    assert callable(written)
    written(stated)
    done = CliRunner().invoke(cli, ["import", "--links", source, "-o", "train/links.csv"])
    assert (done.exit_code, done.stdout) == (0, ""), done.stderr
    assert "384 links" in done.stderr
    cabling = Path("train/cabling.yaml")
    text = cabling.read_text(encoding="utf-8")
    cabling.write_text(
        re.sub(r"^links:\n(?:  .*\n)+", "links: [links.csv]\n", text, flags=re.MULTILINE), encoding="utf-8"
    )
    lint = CliRunner().invoke(cli, ["lint", "train"])
    assert (lint.exit_code, lint.output.partition(";")[0]) == (0, "clean in 1 fabric, 5 files, 6 devices, 512 ports")
    read = rocecfg.load("train/fabric.yaml")
    cables = [tuple(cable[:4]) for cable in list_wires(read.links)]
    assert {frozenset((c[:2], c[2:])) for c in cables} == {frozenset((c[:2], c[2:])) for c in stated}
    lengths = {link.cable for *_, link in list_wires(read.links)}
    assert (lengths == {None}) is (source == "lldp")  # LLDP does not know them
