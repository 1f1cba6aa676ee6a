"""`rocecfg drift KEPT --running NOW`: two configurations of a switch, without an intent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from drift_cases import SUFFIX, WHOLE
from intents import CURVE, POLICY, rocecfg, write

from rocecfg import load, render
from rocecfg.vendors import VENDORS

BOXES = {
    "sonic": ("nvidia-sn5600", "202505", "Ethernet[0-24/8]"),
    "spectrum": ("nvidia-sn5600", "5.14", "swp[1-4]"),
    "arista": ("arista-7060x6-64pe", "4.33.2F", "Ethernet[1-4]/1"),
    "junos": ("juniper-qfx5240-64od", "23.4X100-D31", "et-0/0/[0-3]"),
    "nxos": ("cisco-9332d-gx2b", "10.5(1)", "Ethernet1/[1-4]"),
    "srlinux": ("nokia-ixr7220-h4-64d", "25.3", "ethernet-1/[1-4]"),
}
CHANGES = {  # vendor -> what stands in the rendered text, what is there instead, and how it is shown
    "sonic": ('"green_max_threshold": "1600000"', '"green_max_threshold": "1500000"', "1.6MB", "1.5MB"),
    "spectrum": ("max-threshold: 1600000", "max-threshold: 1500000", "1.6MB", "1.5MB"),
    "arista": ("maximum-threshold 1600000 bytes", "maximum-threshold 1500000 bytes", "1.6MB", "1.5MB"),
    "junos": ("[ 20 60 ]", "[ 20 50 ]", "60%", "50%"),
    "nxos": ("maximum-threshold 1600000 bytes", "maximum-threshold 1500000 bytes", "1.6MB", "1.5MB"),
    "srlinux": ("max-threshold 1600000", "max-threshold 1500000", "1.6MB", "1.5MB"),
}


def rendered(folder: Path, vendor: str) -> str:
    """The whole configuration of a switch that was given what rocecfg writes."""
    platform, version, ports = BOXES[vendor]
    device = f"{{vendor: {vendor}, platform: {platform}, version: '{version}', ports: {{'{ports}': {{speed: 400G}}}}}}"
    policy = POLICY.replace(CURVE, "{kmin: 20%, kmax: 60%, pmax: 5%}") if vendor == "junos" else POLICY
    write(folder, {"intent/fabric.yaml": f"{policy}devices:\n  leaf01: {device}\n"})
    fabric = load(str(folder / "intent" / "fabric.yaml"))
    (text,) = render(fabric, vendor).values()
    return WHOLE[vendor]("leaf01", fabric.devices[0], text)


@pytest.mark.parametrize("vendor", VENDORS)
def test_one_changed_value_is_named(vendor: str, tmp_path: Path) -> None:
    text = rendered(tmp_path, vendor)
    old, new, was, now = CHANGES[vendor]
    assert old in text
    name = f"leaf01{SUFFIX[vendor]}"
    write(tmp_path, {f"kept/{name}": text, f"same/{name}": text, f"now/{name}": text.replace(old, new)})
    same = rocecfg(tmp_path, "drift", f"kept/{name}", "--running", f"same/{name}", expect=0)
    assert same.stdout.splitlines()[-1].startswith("no drift in ")
    output = rocecfg(tmp_path, "drift", f"kept/{name}", "--running", f"now/{name}", expect=1).stdout
    assert "drift: ECN of queue 3 on leaf01" in output
    assert was in output
    assert now in output
    assert "change for" not in output  # nothing is meant, so nothing is to be typed


def test_json_has_the_same_form_as_against_an_intent(tmp_path: Path) -> None:
    text = rendered(tmp_path, "sonic")
    old, new, *_ = CHANGES["sonic"]
    write(tmp_path, {"leaf01.json": text, "now/leaf01.json": text.replace(old, new)})
    done = rocecfg(tmp_path, "drift", "leaf01.json", "--running", "now", "--format", "json", expect=1)
    found = json.loads(done.stdout)
    assert found["changes"] == []
    assert {one["setting"] for one in found["differences"]} == {"ecn"}
    assert found["summary"] | {"settings": 0, "ports": 0} == {
        "differences": 1,
        "devices": 1,
        "drifting": 1,
        "absent": 0,
        "ports": 0,
        "settings": 0,
        "uncovered": 0,
        "unstated": 0,
    }


def test_another_system_is_refused(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"leaf01.json": rendered(tmp_path, "sonic"), "now/leaf01.cfg": "hostname leaf01\n!\ninterface Ethernet1\n"},
    )
    done = rocecfg(tmp_path, "drift", "leaf01.json", "--running", "now/leaf01.cfg", expect=2)
    assert "now/leaf01.cfg:1:1: is a configuration of EOS" in done.stderr
    assert "nothing was compared" in done.stdout


def test_options_of_intents_are_refused(tmp_path: Path) -> None:
    write(tmp_path, {"leaf01.json": rendered(tmp_path, "sonic")})
    done = rocecfg(tmp_path, "drift", "leaf01.json", "--running", "leaf01.json", "--patch", expect=2)
    assert "leaf01.json is a configuration" in done.stderr


def test_what_is_kept_and_does_not_run_is_said(tmp_path: Path) -> None:
    text = rendered(tmp_path, "sonic")
    others = {f"now/{name}.json": text.replace('"leaf01"', f'"{name}"') for name in ("leaf02", "leaf03")}
    write(tmp_path, {"leaf01.json": text, **others})
    done = rocecfg(tmp_path, "drift", "leaf01.json", "--running", "now", expect=2)
    assert "not compared: no configuration of leaf01" in done.stdout
