"""Our examples with QFX switches in the place of others: rendered, taken by the models, read back."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from checkout import ROOT
from intents import rocecfg
from junos_text import RELEASES, validate

SHARES = "ecn: {kmin: 55%, kmax: 90%, pmax: 100%}"


def rail(folder: Path, release: str) -> Path:
    """rail-1024 with spines that run Junos: their ports by Junos's names, their curve in percent."""
    out = folder / "rail"
    shutil.copytree(ROOT / "examples" / "rail-1024", out)
    for path in out.rglob("*.yaml"):
        text = path.read_text(encoding="utf-8")
        text = re.sub(r"(spine\d:)Ethernet\[1-64\]/1", r"\1et-0/0/[0-63]", text)
        text = text.replace('"Ethernet[1-64]/1"', '"et-0/0/[0-63]"')
        text = text.replace(
            "vendor: arista", f'vendor: junos\n    version: "{release}"\n    platform: juniper-qfx5240-64od'
        )
        text = text.replace("ecn: {kmin: 800KB, kmax: 2400KB, pmax: 20%}", SHARES)
        path.write_text(text, encoding="utf-8")
    return out


@pytest.mark.conformance
@pytest.mark.parametrize("release", RELEASES)
def test_rail_1024_with_junos_spines(release: str, junos_validator: Path, tmp_path: Path) -> None:
    folder = rail(tmp_path, release)
    rocecfg(folder, "render", "--vendor", "junos", "-o", "out", expect=0)
    texts = sorted((folder / "out").glob("*.conf"))
    assert [path.stem for path in texts] == [f"spine{n}" for n in range(1, 9)]
    text = texts[0].read_text(encoding="utf-8")
    assert text.count("congestion-notification-profile ROCE-PFC;") == 64
    status, reported = validate(junos_validator, "--strict", "--release", release, text=text)
    assert status == 0, reported
    rocecfg(folder, "lint", "out", expect=0)


@pytest.mark.conformance
def test_a_starter_is_taken_by_the_models(junos_validator: Path, tmp_path: Path) -> None:
    for platform in ("juniper-qfx5240-64od", "juniper-qfx5230-64cd", "juniper-qfx5130-32cd", "juniper-qfx5120-48y"):
        folder = tmp_path / platform
        folder.mkdir()
        rocecfg(folder, "init", "--yes", "--vendor", "juniper", "--platform", platform, expect=0)
        text = rocecfg(folder, "render", "--vendor", "qfx", "--device", "leaf01", expect=0).stdout
        status, reported = validate(junos_validator, "--strict", text=text)
        assert status == 0, reported
        assert "fill-level [ 55 90 ]" in text
