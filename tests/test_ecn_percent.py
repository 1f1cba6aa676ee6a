"""ECN thresholds in percent of the queue's buffer: read, shown and judged as such, and never taken for bytes."""

from __future__ import annotations

from pathlib import Path

import pytest
from intents import POLICY, rocecfg, write

from rocecfg.core.units import Percent
from rocecfg.intent import load
from rocecfg.model import EcnPercent

CURVE = "ecn: {kmin: 400KB, kmax: 1600KB, pmax: 5%}"


def intent(curve: str, defaults: str = "") -> str:
    assert CURVE in POLICY
    return POLICY.replace(CURVE, f"ecn: {{{curve}}}") + defaults


def findings(folder: Path, text: str) -> str:
    write(folder, {"fabric.yaml": text})
    return rocecfg(folder, "lint", "--format", "concise").stdout


def test_thresholds_in_percent_are_no_sizes(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": intent("kmin: 55%, kmax: 90%, pmax: 100%")})
    loaded = load(str(tmp_path / "fabric.yaml"))
    assert loaded.fabric is not None
    (curve,) = (cls.ecn for cls in loaded.fabric.devices[0].classes if cls.lossless)
    assert isinstance(curve, EcnPercent)
    assert (curve.kmin, curve.kmax, curve.pmax) == (Percent(55), Percent(90), 100)
    assert "55%" in rocecfg(tmp_path, "show", "--key", "ecn.kmin", expect=0).stdout
    assert findings(tmp_path, intent("kmin: 55%, kmax: 90%, pmax: 100%")).startswith("clean ")


@pytest.mark.parametrize(
    ("curve", "rule", "reported"),
    [
        ("kmin: 90%, kmax: 55%, pmax: 100%", "ecn-order", "kmin 90% is above kmax 55%"),
        ("kmin: 0%, kmax: 55%, pmax: 100%", "ecn-order", "warning ECN302 ecn-order: kmin is 0%"),
        ("kmin: 0%, kmax: 0%, pmax: 100%", "ecn-order", "error ECN302 ecn-order: kmin is 0%"),
        ("kmin: 55%, kmax: 55%, pmax: 100%", "ecn-step", "both 55%"),
        ("kmin: 55%, kmax: 90%, pmax: 0%", "ecn-pmax", "below kmax 90%"),
        ("kmin: 55%, kmax: 900KB, pmax: 5%", "schema-value", "one threshold as a size"),
        ("kmin: 55%, kmax: 190%, pmax: 5%", "schema-range", "190% is out of range"),
        ("kmin: 55, kmax: 90%, pmax: 5%", "schema-unit", "55 has no unit"),
    ],
)
def test_what_is_wrong_with_shares_is_told_in_percent(curve: str, rule: str, reported: str, tmp_path: Path) -> None:
    out = findings(tmp_path, intent(curve))
    assert rule in out
    assert reported in out


@pytest.mark.parametrize(
    ("vendor", "of", "name"),
    [
        ("sonic", "platform: nvidia-sn5600", "SONiC"),
        ("spectrum", "platform: nvidia-sn5600", "Cumulus Linux"),
        ("arista", "platform: arista-7060x6-64pe", "EOS"),
    ],
)
def test_a_system_that_counts_bytes_refuses_shares_by_name(vendor: str, of: str, name: str, tmp_path: Path) -> None:
    text = intent("kmin: 55%, kmax: 90%, pmax: 100%", f"defaults: {{vendor: {vendor}, {of}}}\n")
    out = findings(tmp_path, text)
    for end in ("kmin", "kmax"):
        assert f"cannot express ecn.{end} in percent of the queue's buffer" in out
    done = rocecfg(tmp_path, "render", "--vendor", vendor, "--no-lint", expect=2)
    assert f"{name} " in done.stderr
    assert "cannot express ecn.kmin in percent of the queue's buffer" in done.stderr
    by_speed = text.replace("pmax: 100%", "pmax: 100%, by_speed: {400G: {kmin: 55%, kmax: 90%, pmax: 100%}}")
    write(tmp_path, {"fabric.yaml": by_speed})
    assert "sizes in bytes" in rocecfg(tmp_path, "render", "--vendor", vendor, "--no-lint", expect=2).stderr


def test_advice_takes_shares_for_no_bytes(tmp_path: Path) -> None:
    ports = 'devices: {leaf01: {ports: {"et-0/0/[0-3]": {speed: 800G, faces: host, cable: 3m}}}}\n'
    of = "defaults: {vendor: junos, platform: juniper-qfx5240-64od}\n"
    write(tmp_path, {"fabric.yaml": intent("kmin: 55%, kmax: 90%, pmax: 100%", of + ports)})
    out = rocecfg(tmp_path, "advise", expect=0).stdout
    assert "=> nothing to change; ECN not checked" in out
    assert "now, ECN 55%/90%/100%: not predicted" in out
    assert "no ECN" not in out
    assert "ECN kmin             55%" in rocecfg(tmp_path, "advise", "--details", expect=0).stdout
    assert "whose size in bytes is unknown" in " ".join(out.split())
    assert '"now": "55%"' in rocecfg(tmp_path, "advise", "--format", "json", expect=0).stdout
