"""Every kind of device, in both forms, against the published NVUE model of several releases."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess

import pytest
import spectrum_devices as make
from conformance import run_validator
from intents import POLICY
from intents import fabric as fabric_of

from rocecfg.linting.rendering import render_device as render
from rocecfg.vendors.spectrum.writer import FORMS as ALL_FORMS

FORMS = tuple(form for form in ALL_FORMS if form != "ansible")  # its tasks carry the form nvue

pytestmark = pytest.mark.conformance


def check(validator: Path, release: str, files: list[Path]) -> CompletedProcess[str]:
    return run_validator(validator, "--version", release, *files)


@pytest.mark.parametrize("release", ["5.6", "5.9", "5.14", "5.15", "5.16", "5.17", "5.18"])
def test_valid(tmp_path: Path, nvue_validator: Path, release: str) -> None:
    files = []
    for n, (fabric, device) in enumerate(make.every_kind().values()):
        for form in FORMS:
            text = render(fabric, replace(device, version=release), form=form)
            files.append(tmp_path / f"{n}{text.suffix}")
            files[-1].write_text(text.file("leaf01"), encoding="utf-8")
    done = check(nvue_validator, release, files)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count(": valid (") == len(files)


@pytest.mark.parametrize("release", ["5.6", "5.14", "5.18"])
def test_maps_of_ports_are_valid(tmp_path: Path, nvue_validator: Path, release: str) -> None:
    intent = POLICY + (
        f'defaults: {{vendor: spectrum, platform: nvidia-sn5600, version: "{release}"}}\n'
        'devices: {leaf1: {ports: {"swp[1-3]": {speed: 400G, cable: 3m}, '
        "swp4: {speed: 400G, cable: 3m, classes: {rdma: {dscp: [24], priority: 4}}}}}}\n"
    )
    found = fabric_of(tmp_path, intent)
    files = []
    for form in FORMS:
        text = render(found, found.devices[0], form=form)
        assert "rocecfg-map" in text.body
        files.append(tmp_path / f"leaf1{text.suffix}")
        files[-1].write_text(text.file("leaf1"), encoding="utf-8")
    done = check(nvue_validator, release, files)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("form", FORMS)
def test_the_other_spelling_is_not(tmp_path: Path, nvue_validator: Path, form: str) -> None:
    """That the validator would see a fault: 5.14's word for RoCE is unknown to 5.16."""
    device = make.leaf(version="5.14")
    text = render(make.fabric(device), device, form=form)
    path = tmp_path / f"leaf{text.suffix}"
    path.write_text(text.body, encoding="utf-8")
    done = check(nvue_validator, "5.16", [path])
    assert done.returncode == 1
    assert "qos/roce/enable: no such key" in done.stdout
    assert "1 errors" in done.stdout
