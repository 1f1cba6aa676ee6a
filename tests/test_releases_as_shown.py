"""Releases written as switches show them count as the plain ones do: to rules, to what is rendered, and in drift."""

from __future__ import annotations

from pathlib import Path

import pytest

from rocecfg.drift.notes import note_release_and_box
from rocecfg.intent import load
from rocecfg.linting.judge import judge
from rocecfg.linting.rendering import render_files
from rocecfg.source.document import Sources
from rocecfg.vendors.sonic.reader import read

FABRIC = """\
rocecfg: 1
fabric: {name: f, kind: backend}
defaults: {vendor: %(vendor)s, version: "%(version)s", platform: %(platform)s}
classes:
  rdma: {carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 60, ecn: auto}
  cnp: {carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}
  control: {carries: [control], dscp: 56, priority: 7, bandwidth: strict}
  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 40}
pfc: {watchdog: {detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}}
devices:
  "leaf[01-02]": {role: leaf, ports: {%(port)s: {speed: 400G, cable: 3m, faces: host}}}
  leaf03: {role: leaf, version: "%(other)s", ports: {%(port)s: {speed: 400G, cable: 3m, faces: host}}}
"""
BOXES = {
    "sonic": {"platform": "arista-7060x6-64pe", "port": "Ethernet0"},
    "spectrum": {"platform": "nvidia-sn5600", "port": "swp1"},
    "arista": {"platform": "arista-7060x6-64pe", "port": "Ethernet1/1"},
}
SHOWN = [  # vendor, as shown, plain
    ("sonic", "SONiC.202505.123-abc", "202505"),
    ("sonic", "SONiC-OS-202505", "202505"),
    ("spectrum", "Cumulus Linux 5.14", "5.14"),
    ("arista", "EOS-4.33.2F", "4.33.2F"),
]


def intent(folder: Path, vendor: str, version: str, other: str) -> Path:
    path = folder / "fabric.yaml"
    path.write_text(FABRIC % {**BOXES[vendor], "vendor": vendor, "version": version, "other": other}, encoding="utf-8")
    return path


def reported(path: Path) -> list[tuple[str, str, str]]:
    found, failed = judge(load(str(path), Sources()))
    assert not failed
    return [(f.severity, f.rule.name, f.message) for f in found if f.severity != "info"]


@pytest.mark.parametrize(("vendor", "shown", "plain"), SHOWN)
def test_one_release_in_two_spellings_is_one(vendor: str, shown: str, plain: str, tmp_path: Path) -> None:
    assert reported(intent(tmp_path, vendor, plain, plain)) == []
    assert reported(intent(tmp_path, vendor, shown, plain)) == []  # not role-skew either


@pytest.mark.parametrize(
    ("vendor", "shown", "plain"),
    [
        ("sonic", "SONiC.202305", "202305"),
        ("spectrum", "Cumulus Linux 5.2", "5.2"),
        ("arista", "EOS-4.22.0F", "4.22.0F"),
    ],
)
def test_what_an_old_release_lacks_is_told_in_any_spelling(vendor: str, shown: str, plain: str, tmp_path: Path) -> None:
    without = [(severity, rule) for severity, rule, _ in reported(intent(tmp_path, vendor, plain, plain))]
    assert without
    assert [(severity, rule) for severity, rule, _ in reported(intent(tmp_path, vendor, shown, shown))] == without


def test_a_release_that_nobody_can_place_is_not_called_too_old(tmp_path: Path) -> None:
    path = intent(tmp_path, "sonic", "SONiC.mybranch.0-dirty-20250510", "SONiC.mybranch.0-dirty-20250510")
    assert "schema-asic-nos" not in [rule for _, rule, _ in reported(path)]


@pytest.mark.parametrize(("vendor", "shown", "plain"), SHOWN)
def test_what_is_rendered_is_the_same(vendor: str, shown: str, plain: str, tmp_path: Path) -> None:
    texts = []
    for version in (shown, plain):
        fabric = load(str(intent(tmp_path, vendor, version, version)), Sources()).fabric
        assert fabric is not None
        texts.append([file.text.replace(f"{plain}.123", plain) for file in render_files(fabric, vendor)])
    assert texts[0] == texts[1]


@pytest.mark.parametrize(
    ("runs", "other"), [("SONiC.202505", False), ("202505", False), ("20250512.04", False), ("SONiC.202405", True)]
)
def test_drift_compares_releases_and_not_texts(runs: str, *, other: bool, tmp_path: Path) -> None:
    fabric = load(str(intent(tmp_path, "sonic", "SONiC.202505", "SONiC.202505")), Sources()).fabric
    assert fabric is not None
    (switch,) = read(Sources().add("leaf01.json", '{"PORT": {"Ethernet0": {"speed": "400000"}}}'), runs)
    found = [note for note in note_release_and_box(fabric.devices[0], switch) if "release" in note]
    assert bool(found) == other
