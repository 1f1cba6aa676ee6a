"""The benchmark's generator: both layouts load, lint clean, and say the same fabric."""

from __future__ import annotations

import importlib
import importlib.util
import json
import re
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

from rocecfg import load
from rocecfg.cli import cli
from rocecfg.core.nodeset import node_set
from rocecfg.model import Device, Fabric, Link, PortGroup

ROOT = Path(__file__).resolve().parent.parent
LAYOUTS = ("files", "nodesets")


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "benchmarks" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


generate = _generator()


def _switches(fabric: Fabric) -> dict[str, tuple[Device, dict[str, PortGroup]]]:
    """Each switch by name, with its ports by name: names take no part in the model's own equality."""
    return {
        name: (device, {port: group for group in device.ports for port in group.names})
        for device in fabric.devices
        for name in device.names
    }


def _wires(links: tuple[Link, ...]) -> Counter[tuple[str, str, str, str, float | None]]:
    """Each cable by its two ends."""
    wires: Counter[tuple[str, str, str, str, float | None]] = Counter()
    for link in links:
        a, b = (
            [(device, port) for device in node_set(devices) for port in node_set(ports)]
            for devices, ports in ((link.a_device, link.a_port), (link.b_device, link.b_port))
        )
        wires.update((*x, *y, link.cable) for x, y in zip(a, b, strict=True))
    return wires


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("vendor", generate.NAMINGS)
def test_lints_clean(tmp_path: Path, layout: str, vendor: str) -> None:
    root = generate.write(tmp_path / "fabric", 10, layout, vendor)
    result = CliRunner().invoke(cli, ["lint", "--format", "json", str(root.parent)])
    report = json.loads(result.stdout)
    assert result.exit_code == 0, result.output
    # but for an open fault of the release, which no setting avoids
    told = [(f["name"], f["severity"]) for f in report["findings"] if f["name"] != "hygiene-absent"]
    assert set(told) <= {("nos-erratum", "info")}
    assert report["summary"]["devices"] == 10


@pytest.mark.parametrize("vendor", generate.NAMINGS)
def test_layouts_say_the_same(tmp_path: Path, vendor: str) -> None:
    one, many = (
        load(str(generate.write(tmp_path / layout, 20, layout, vendor)), vendor=None)
        for layout in ("nodesets", "files")
    )
    assert len(_switches(one)) == 20
    assert _switches(one) == _switches(many)
    assert _wires(one.links) == _wires(many.links)


@pytest.mark.parametrize("vendor", generate.NAMINGS)
def test_is_cabled_right(tmp_path: Path, vendor: str) -> None:
    fabric = load(str(generate.write(tmp_path / "fabric", 20, "files", vendor)))
    switches = _switches(fabric)
    wires = _wires(fabric.links)
    ends = Counter(end for a, a_port, b, b_port, _ in wires for end in ((a, a_port), (b, b_port)))
    assert set(ends.values()) == {1}, "a port is cabled twice"
    between = [w for w in wires if w[2] in switches]
    assert len(between) == 2 * 8 * 16  # two pods, eight leaves, sixteen uplinks
    for a, a_port, b, b_port, _ in between:
        assert switches[a][1][a_port].speed == switches[b][1][b_port].speed
    for name, (_, ports) in switches.items():
        up = sum(p.speed or 0 for p in ports.values() if p.faces == "switch")
        down = sum(p.speed or 0 for p in ports.values() if p.faces == "host")
        assert "spine" in name or up == down == 16 * 400_000_000_000


def test_files_are_of_the_promised_size_and_differ() -> None:
    texts = {name: text for name, text in generate.files(100, "sonic").items() if name != "fabric.yaml"}
    assert len(texts) == 100
    assert 1700 < sum(map(len, texts.values())) / 100 < 2200
    assert len({re.sub(r"p\d{4}-\w+\d", "NAME", text) for text in texts.values()}) == 100
    assert generate.files(100, "sonic") == generate.files(100, "sonic")


def test_each_vendors_texts_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    kinds = importlib.import_module("configurations").KINDS
    assert {vendor for vendor, *_ in kinds.values()} == set(generate.NAMINGS)


@pytest.mark.parametrize("switches", [0, 5, 15, 10_010])
def test_refuses_other_sizes(tmp_path: Path, switches: int) -> None:
    with pytest.raises(ValueError, match="multiple of 10 from 10 to 10000"):
        generate.write(tmp_path / "fabric", switches, "files")
    assert not (tmp_path / "fabric").exists()


def test_overwrites_nothing(tmp_path: Path) -> None:
    kept = tmp_path / "fabric.yaml"
    kept.write_text("mine", encoding="utf-8")
    with pytest.raises(FileExistsError):
        generate.write(tmp_path, 10, "nodesets")
    assert kept.read_text(encoding="utf-8") == "mine"
