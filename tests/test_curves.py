"""profiles/curves: what `ecn: auto` renders is what the model chooses, and taking it runs no model."""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from checkout import ROOT, clean_environment, run
from intents import CURVE, POLICY, write

from rocecfg.intent import load
from rocecfg.model import Ecn
from rocecfg.physics.ecn import dctcp_kmin
from rocecfg.profiles import SHIPPED

G = 10**9
CHIPS = SHIPPED.names("curves")
INTENT = POLICY.replace(CURVE, "auto")


@cache
def script() -> ModuleType:
    """docs/curves.py."""
    spec = importlib.util.spec_from_file_location("curves", ROOT / "docs" / "curves.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["curves"] = module  # for its tuples, which are pickled
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("chip", "speed", "senders"),
    [("spectrum4", 400, (2, 16)), ("tomahawk5", 800, (17, 64)), ("trident3", 100, (2, 16))],
)
def test_the_model_says_of_a_row_what_the_table_has(chip: str, speed: int, senders: tuple[int, int]) -> None:
    curves = script()
    row = SHIPPED.curves(chip).rows[speed * G][senders]
    sizes = (size / 1e3 / speed for size in (row.kmin, row.kmax))
    kmin, kmax = (
        min(grid, key=lambda value: abs(value - size))
        for grid, size in zip((curves.KMIN, curves.KMAX), sizes, strict=True)
    )
    flows = curves.RANGES[f"{senders[0]}-{senders[1]}"]
    runs = [curves.solve(curves.Point(speed * G, kmin, kmax, row.pmax, n)) for n in flows]
    assert min(run.used for run in runs) * 100 == pytest.approx(row.used, abs=0.006)
    assert max(run.wait for run in runs) == pytest.approx(row.wait, abs=0.06)


def test_the_script_chooses_what_the_table_has() -> None:
    curves, asic = script(), SHIPPED.asic("spectrum4")
    most = curves.bounds(asic, 400 * G)
    below = [p for p in curves.grid(400 * G) if p.kmin * 4e5 < most[0] and p.kmax * 4e5 < most[1] and p.flows < 64]
    found = dict.fromkeys(curves.grid(400 * G), curves.Found(0.0, 1e9)) | {p: curves.solve(p) for p in below}
    got = curves.choose(400 * G, "2-16", most, found)
    row = SHIPPED.curves("spectrum4").rows[400 * G][2, 16]
    assert (got.kmin, got.kmax, got.pmax) == (row.kmin, row.kmax, row.pmax)


@pytest.mark.parametrize("chip", CHIPS)
def test_curves_are_published_shapes_within_the_chips_bounds(chip: str) -> None:
    asic, table = SHIPPED.asic(chip), SHIPPED.curves(chip)
    assert table.rows
    for speed, ranges in table.rows.items():
        assert None in ranges
        kmin, kmax = script().bounds(asic, speed)
        for row in ranges.values():
            assert dctcp_kmin(speed, 8e-3) < row.kmin < kmin
            assert row.kmin < row.kmax < kmax
            assert row.pmax in {5, 20, 100}
            assert 90 < row.used <= 100
            assert 0 < row.wait < 1000


def test_leaves_and_spines_of_one_chip_and_speed_have_one_curve(tmp_path: Path) -> None:
    """Four spines with 8 to 64 lossless ports; with the family scaled they had 1.6 to 3.2 MB."""
    spines = "".join(
        f'  spine{n}: {{role: spine, ports: {{"Ethernet[1-{ports}]/1": {{speed: 800G, faces: switch}}}}}}\n'
        for n, ports in enumerate((8, 16, 32, 64), 1)
    )
    leaf = '  leaf1: {role: leaf, ports: {"Ethernet[1-8]/1": {speed: 800G, faces: host}}}\n'
    head = INTENT.replace("{name: lab}", "{name: lab, incast: 12}")
    write(tmp_path, {"fabric.yaml": f"{head}defaults: {{vendor: arista, asic: tomahawk5}}\ndevices:\n{leaf}{spines}"})
    fabric = load(str(tmp_path / "fabric.yaml")).fabric
    assert fabric is not None
    table = SHIPPED.curves("tomahawk5").rows[800 * G]
    step = SHIPPED.asic("tomahawk5").ecn_step or 1
    for device in fabric.devices:
        row = table[2, 16]
        curve = device.cls("rdma").ecn_at(800 * G)
        assert isinstance(curve, Ecn)
        assert abs(curve.kmin - row.kmin) <= step
        assert abs(curve.kmax - row.kmax) <= step
        assert curve.pmax == row.pmax
        assert "by the model the link is used" in str(curve.at("pmax"))


def test_a_longer_round_trip_raises_the_whole_ramp(tmp_path: Path) -> None:
    """200 us at 400G: kmin at least C x RTT / 7 = 1 428 571 B, and kmax as many times what the table has."""
    head = INTENT.replace("{name: lab}", "{name: lab, incast: 12, rtt: 200us}")
    ports = '  leaf1: {role: leaf, ports: {"Ethernet[1-4]/1": {speed: 400G, faces: host}}}\n'
    write(tmp_path, {"fabric.yaml": f"{head}defaults: {{vendor: arista, asic: tomahawk5}}\ndevices:\n{ports}"})
    fabric = load(str(tmp_path / "fabric.yaml")).fabric
    assert fabric is not None
    curve = fabric.devices[0].cls("rdma").ecn_at(400 * G)
    assert isinstance(curve, Ecn)
    row = SHIPPED.curves("tomahawk5").rows[400 * G][2, 16]
    assert 1_428_571 <= curve.kmin <= 1_428_571 + 254
    assert curve.kmax / curve.kmin == pytest.approx(row.kmax / row.kmin, rel=1e-3)
    assert "by the model" not in str(curve.at("pmax"))  # it looked at another curve


def test_taking_a_curve_runs_no_model(tmp_path: Path) -> None:
    head = INTENT.replace("{name: lab}", "{name: lab, incast: 12}")
    write(tmp_path, {"fabric.yaml": f"{head}defaults: {{vendor: arista, asic: tomahawk5, speed: 400G}}\n"})
    code = (
        "import sys; from rocecfg.intent import load; "
        "print(load('fabric.yaml').fabric.devices[0].cls('rdma').ecn_at(400 * 10**9).kmax); "
        "print(*(name for name in sys.modules if 'dcqcn' in name))"
    )
    out = run(sys.executable, "-c", code, cwd=tmp_path, env=clean_environment()).stdout.split()
    assert out[0].isdecimal()
    assert out[1:] == []
