"""Packet trimming from the intent to a switch and back: what is written is valid, read back, compared and changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conformance import SonicYang, run_validator
from intents import fabric as fabric_of
from intents import findings, rocecfg, write
from sonic_checks import faults, validate

from rocecfg import CannotRender, read_config
from rocecfg.drift.intended import read_switches
from rocecfg.linting.rendering import render_files
from rocecfg.model import Device
from rocecfg.model.catalogue import What
from rocecfg.source.document import Document
from rocecfg.vendors.sonic.change import make_target

PORTS = {"spectrum": "swp[1-2]", "sonic": "Ethernet[0,8]", "arista": "Ethernet[1-2]/1", "junos": "et-0/0/[0-1]"}
TRIMMING = "{size: 256B, dscp: 5, classes: [rdma]}"


def intent(vendor: str, release: str, trimming: str = TRIMMING, platform: str = "nvidia-sn5600") -> str:
    return f"""\
rocecfg: 1
fabric: {{name: trim, kind: backend, mode: lossy}}
classes:
  rdma: {{carries: [rdma], dscp: 26, priority: 3, bandwidth: 60, ecn: {{kmin: 400KB, kmax: 1600KB, pmax: 5%}}}}
  trimmed: {{carries: [trimmed], dscp: 5, priority: 5, queue: 4, bandwidth: strict}}
  cnp: {{carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}}
  default: {{carries: [default], dscp: rest, priority: 0, bandwidth: 40}}
trimming: {trimming}
defaults: {{vendor: {vendor}, version: "{release}", platform: {platform}}}
devices:
  leaf1: {{ports: {{"{PORTS[vendor]}": {{speed: 400G, cable: 3m}}}}}}
"""


def rendered(folder: Path, *stated: str) -> tuple[Device, str]:
    """The device of an intent, and its text."""
    found = fabric_of(folder, intent(*stated))
    return found.devices[0], next(render_files(found, stated[0])).rendering.body


@pytest.mark.conformance
@pytest.mark.parametrize("release", ["202505", "202605"])
def test_sonic_takes_the_table(sonic_yang: SonicYang, tmp_path: Path, release: str) -> None:
    _, text = rendered(tmp_path, "sonic", release)
    assert json.loads(text)["SWITCH_TRIMMING"] == {
        "GLOBAL": {"size": "256", "dscp_value": "5", "queue_index": "4"}
    }  # fmt: skip
    file = tmp_path / "leaf1.json"
    file.write_text(text, encoding="utf-8")
    assert faults(validate(sonic_yang, release, "--fragment", file)) == {}
    file.write_text(text.replace('"dscp_value": "5"', '"dscp_value": "64"'), encoding="utf-8")
    assert "dscp_value" in str(faults(validate(sonic_yang, release, "--fragment", file)))


@pytest.mark.conformance
@pytest.mark.parametrize("release", ["5.14", "5.18"])
def test_nvue_takes_the_objects(nvue_validator: Path, tmp_path: Path, release: str) -> None:
    device, text = rendered(tmp_path, "spectrum", release)
    assert device.trim_queue == 4
    assert "switch-priority: 5" in text  # of the class that has DSCP 5 and queue 4
    for name, body in (("good", text), ("bad", text.replace("size: 256", "size: 2048"))):
        (tmp_path / f"{name}.yaml").write_text(body, encoding="utf-8")
    done = run_validator(nvue_validator, "--version", release, "good.yaml", "bad.yaml", folder=tmp_path)
    assert "good.yaml: valid (" in done.stdout
    assert "bad.yaml: valid (" not in done.stdout


@pytest.mark.parametrize(("vendor", "release"), [("sonic", "202511"), ("spectrum", "5.16")])
def test_what_is_rendered_is_read_back(tmp_path: Path, vendor: str, release: str) -> None:
    device, text = rendered(tmp_path, vendor, release)
    found = read_config(text, vendor, name="leaf1", release=release).devices[0]
    assert found.trimming is not None
    assert (found.trimming.size, found.trimming.dscp, found.trimming.queue) == (256, 5, 4)
    switch = read_switches(Document(0, "leaf1", text), device, rendered=True)[0]
    trimmed = {port.running.trimmed for port in switch.ports if port.running is not None}
    assert trimmed == ({(3,)} if vendor == "spectrum" else {None})


@pytest.mark.parametrize(
    ("vendor", "release", "platform", "words"),
    [
        ("sonic", "202411", "nvidia-sn5600", "packet trimming came with 202505"),
        ("spectrum", "5.13", "nvidia-sn5600", "packet trimming came with 5.14"),
        ("spectrum", "5.16", "nvidia-sn4700", "the chip does not trim packets"),
        ("arista", "4.33.2F", "arista-7060x6-64pe", "no command for it is published"),
        ("junos", "24.4R1", "juniper-qfx5240-64od", "in no published model"),
    ],
)
def test_who_does_not_trim_refuses_by_name(
    tmp_path: Path, vendor: str, release: str, platform: str, words: str
) -> None:
    stated = [f for f in findings(tmp_path, intent(vendor, release, platform=platform)) if f.rule == "nos-unsupported"]
    assert sum(words in f.message for f in stated) == 1
    off = findings(tmp_path, intent(vendor, release, "off", platform))
    assert not any(words in f.message for f in off)


def test_nvue_refuses_a_size_that_it_does_not_take(tmp_path: Path) -> None:
    sizes = {"260B": [], "258B": ["nos-unsupported"], "1028B": ["schema-nos-range"], "128B": ["schema-nos-range"]}
    for size, rules in sizes.items():
        stated = findings(tmp_path, intent("spectrum", "5.16", f"{{size: {size}, dscp: 5, classes: [rdma]}}"))
        assert [f.rule for f in stated if f.rule in ("nos-unsupported", "schema-nos-range")] == rules


def test_nvue_needs_the_classes(tmp_path: Path) -> None:
    with pytest.raises(CannotRender, match="no class is named"):
        rendered(tmp_path, "spectrum", "5.16", "{size: 256B, dscp: 5}")


def test_of_nvue_the_size_alone_is_changed_where_it_alone_differs(tmp_path: Path) -> None:
    _, text = rendered(tmp_path, "spectrum", "5.16")
    (tmp_path / "intent.yaml").write_text(intent("spectrum", "5.16"), encoding="utf-8")
    (tmp_path / "run").mkdir()
    (tmp_path / "run/leaf1.yaml").write_text(text.replace("size: 256", "size: 512"), encoding="utf-8")
    output = rocecfg(tmp_path, "drift", "intent.yaml", "--running", "run", expect=1).stdout
    typed = [line.strip() for line in output.splitlines() if line.strip().startswith("nv ")]
    assert typed == ["nv set system forwarding packet-trim size 256"]


def test_drift_names_what_differs_and_the_change(tmp_path: Path) -> None:
    _, text = rendered(tmp_path, "spectrum", "5.16")
    (tmp_path / "intent.yaml").write_text(intent("spectrum", "5.16"), encoding="utf-8")
    other = text.replace("size: 256", "size: 512").replace("              '3': {}", "              '0': {}")
    (tmp_path / "run").mkdir()
    (tmp_path / "run/leaf1.yaml").write_text(other, encoding="utf-8")
    output = rocecfg(tmp_path, "drift", "intent.yaml", "--running", "run", expect=1).stdout
    assert "size: meant 256B" in output
    assert "running 512B" in output
    assert "queues whose packets are trimmed" in output
    for line in (
        "nv set system forwarding packet-trim size 256",
        "nv set interface swp1-2 packet-trim egress-eligibility traffic-class 3",
        "nv unset interface swp1-2 packet-trim egress-eligibility traffic-class 0",
    ):
        assert line in output


def test_import_names_the_classes_that_are_trimmed(tmp_path: Path) -> None:
    _, text = rendered(tmp_path, "spectrum", "5.16")
    (tmp_path / "leaf1.yaml").write_text(text, encoding="utf-8")
    output = rocecfg(tmp_path, "import", "leaf1.yaml", expect=0).stdout
    assert "trimming: {size: 256B, dscp: 5, queue: 4, classes: [tc3]}" in output


# -- queues that trim, of SONiC ----------------------------------------------------------------------------------------

POOLS = {"egress_lossy_pool": {"type": "egress", "mode": "dynamic", "size": "10000000"}}
LOSSY = {"pool": "egress_lossy_pool", "size": "1518", "dynamic_th": "3"}


def sonic(folder: Path, queues: dict[str, str], profiles: dict[str, dict[str, str]], meant: str = TRIMMING) -> Path:
    """A folder with the intent, and what runs: as rendered, with these rows of BUFFER_QUEUE and their profiles."""
    _, text = rendered(folder, "sonic", "202511")
    config = json.loads(text)
    config["BUFFER_POOL"] = POOLS
    config["BUFFER_PROFILE"] = profiles
    config["BUFFER_QUEUE"] = {key: {"profile": name} for key, name in queues.items()}
    ports = {"Ethernet0": "1,2,3,4,5,6,7,8", "Ethernet8": "9,10,11,12,13,14,15,16"}
    config["PORT"] = {
        name: {"lanes": lanes, "speed": "400000", "admin_status": "up", "alias": name, "index": "1", "mtu": "9100"}
        for name, lanes in ports.items()
    }
    config["DEVICE_METADATA"] = {"localhost": {"hostname": "leaf1", "hwsku": "ACS-SN5600"}}
    (folder / "intent.yaml").write_text(intent("sonic", "202511", meant), encoding="utf-8")
    (folder / "run").mkdir(exist_ok=True)
    (folder / "run/leaf1.json").write_text(json.dumps(config, indent=1), encoding="utf-8")
    return folder


def after(folder: Path, release: str, sonic_yang: SonicYang) -> dict[str, Any]:
    """What runs once the change of drift is made; the models take it, and nothing differs then."""
    device = fabric_of(folder, (folder / "intent.yaml").read_text()).devices[0]
    config = json.loads((folder / "run/leaf1.json").read_text())
    scope = {name: frozenset({What("trimmed")}) for name in ("Ethernet0", "Ethernet8")}
    body = next(render_files(fabric_of(folder, (folder / "intent.yaml").read_text()), "sonic")).rendering.body
    found = make_target(config, json.loads(body), scope, device)
    assert found.beyond == ()
    text = json.dumps({**config, **found.tables}, indent=1)
    (folder / "run/leaf1.json").write_text(text, encoding="utf-8")
    assert faults(validate(sonic_yang, release, "--fragment", folder / "run/leaf1.json")) == {}
    output = rocecfg(folder, "drift", "intent.yaml", "--running", "run", "--partial").stdout
    assert "queues whose packets are trimmed" not in output
    return found.tables


@pytest.mark.conformance
def test_a_profile_of_such_queues_alone_trims(sonic_yang: SonicYang, tmp_path: Path) -> None:
    queues = {
        f"{port}|{index}": "rdma" if index == "3" else "rest"
        for port in ("Ethernet0", "Ethernet8")
        for index in ("0-2", "3")
    }
    sonic(tmp_path, queues, {"rdma": LOSSY, "rest": LOSSY})
    output = rocecfg(tmp_path, "drift", "intent.yaml", "--running", "run", "--partial", expect=1).stdout
    assert "meant 3 (intent.yaml:8), running none" in output
    assert "packet_discard_action" in output
    tables = after(tmp_path, "202511", sonic_yang)
    assert tables["BUFFER_PROFILE"] == {"rdma": {**LOSSY, "packet_discard_action": "trim"}, "rest": LOSSY}
    assert tables["BUFFER_QUEUE"]["Ethernet0|3"] == {"profile": "rdma"}


@pytest.mark.conformance
def test_of_a_shared_profile_the_queue_gets_a_copy(sonic_yang: SonicYang, tmp_path: Path) -> None:
    sonic(tmp_path, {"Ethernet0|0-7": "q_lossy", "Ethernet8|0-7": "q_lossy"}, {"q_lossy": LOSSY})
    tables = after(tmp_path, "202511", sonic_yang)
    assert tables["BUFFER_PROFILE"]["q_lossy"] == LOSSY
    assert tables["BUFFER_PROFILE"]["q_lossy_trim"] == {**LOSSY, "packet_discard_action": "trim"}
    bound = {key: row["profile"] for key, row in tables["BUFFER_QUEUE"].items() if key.startswith("Ethernet8")}
    assert bound == {"Ethernet8|3": "q_lossy_trim", "Ethernet8|0-2": "q_lossy", "Ethernet8|4-7": "q_lossy"}


@pytest.mark.conformance
@pytest.mark.parametrize("meant", ["off", "{size: 256B, dscp: 5, classes: [default]}"])
def test_a_queue_that_trims_and_is_not_meant_to_stops(sonic_yang: SonicYang, tmp_path: Path, meant: str) -> None:
    trims = {**LOSSY, "packet_discard_action": "trim"}
    sonic(
        tmp_path,
        {"Ethernet0|0": "d", "Ethernet8|0": "d", "Ethernet0|3": "r", "Ethernet8|3": "r"},
        {"d": LOSSY, "r": trims},
        meant,
    )
    output = rocecfg(tmp_path, "drift", "intent.yaml", "--running", "run", "--partial", expect=1).stdout
    assert f"meant {'none' if meant == 'off' else '0'} (intent.yaml:8), running 3" in output
    tables = after(tmp_path, "202511", sonic_yang)
    assert tables["BUFFER_PROFILE"]["r"]["packet_discard_action"] == "drop"
    assert tables["BUFFER_PROFILE"]["d"].get("packet_discard_action", "drop") == ("drop" if meant == "off" else "trim")


def test_what_nobody_states_is_not_compared(tmp_path: Path) -> None:
    trims = {**LOSSY, "packet_discard_action": "trim"}
    sonic(tmp_path, {"Ethernet0|3": "r", "Ethernet8|3": "r"}, {"r": trims})
    text = (tmp_path / "intent.yaml").read_text().replace(f"trimming: {TRIMMING}\n", "")
    (tmp_path / "intent.yaml").write_text(text, encoding="utf-8")
    assert "trimmed" not in rocecfg(tmp_path, "drift", "intent.yaml", "--running", "run", "--partial").stdout


def test_a_queue_without_a_profile_is_told(tmp_path: Path) -> None:
    sonic(tmp_path, {"Ethernet0|0-2": "r"}, {"r": LOSSY})
    output = rocecfg(tmp_path, "drift", "intent.yaml", "--running", "run", "--partial").stdout
    assert "queue 3 of Ethernet0 has no buffer profile in BUFFER_QUEUE" in " ".join(output.split())


def test_import_of_sonic_names_the_classes_that_are_trimmed(tmp_path: Path) -> None:
    sonic(tmp_path, {"Ethernet0|3": "r"}, {"r": {**LOSSY, "packet_discard_action": "trim"}})
    output = rocecfg(tmp_path, "import", "run/leaf1.json", expect=0).stdout
    assert "trimming: {size: 256B, dscp: 5, queue: 4, classes: [tc3]}" in output


def test_off_is_turned_off_at_the_switch(tmp_path: Path) -> None:
    _, text = rendered(tmp_path, "spectrum", "5.16")
    (tmp_path / "intent.yaml").write_text(intent("spectrum", "5.16", "off"), encoding="utf-8")
    (tmp_path / "run").mkdir()
    (tmp_path / "run/leaf1.yaml").write_text(text, encoding="utf-8")
    output = rocecfg(tmp_path, "drift", "intent.yaml", "--running", "run", expect=1).stdout
    assert "meant off (intent.yaml:8), running on (size 256B)" in output
    assert "nv set system forwarding packet-trim state disabled" in output
    assert "nv unset interface swp1-2 packet-trim" in output
    off = text.replace("packet-trim:\n          state: enabled", "packet-trim:\n          state: disabled")
    (tmp_path / "run/leaf1.yaml").write_text(off, encoding="utf-8")
    assert "packet trimming" not in rocecfg(tmp_path, "drift", "intent.yaml", "--running", "run").stdout


@pytest.mark.parametrize(
    ("trimming", "message"),
    [
        ("{dscp: 5}", "size"),
        ("{size: 256, dscp: 5}", "unit"),
        ("{size: 256B, dscp: 64}", "63"),
        ("{size: 256B, dscp: 5, queue: 8}", "7"),
        ("on", "off"),
    ],
)
def test_bad_input_is_an_error_in_its_place(tmp_path: Path, trimming: str, message: str) -> None:
    (tmp_path / "fabric.yaml").write_text(intent("sonic", "202505", trimming), encoding="utf-8")
    done = rocecfg(tmp_path, "render", "fabric.yaml", expect=1)
    assert "fabric.yaml:8:" in done.stderr + done.stdout
    assert message in done.stderr + done.stdout


def test_trimming_without_any_class_is_no_failure(tmp_path: Path) -> None:
    text = "rocecfg: 1\nfabric: {name: lab}\ntrimming: {size: 128B, dscp: 44, classes: [default]}\n"
    write(tmp_path, {"fabric.yaml": text + "devices: {leaf01: {vendor: spectrum}}\n"})
    found = rocecfg(tmp_path, "lint", "--no-config", "--format", "concise", "fabric.yaml", expect=1).stdout
    assert "fabric.yaml:2:1: error SCH018 schema-required: the intent lacks classes" in found
