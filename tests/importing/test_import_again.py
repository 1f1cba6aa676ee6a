"""An import is tried at once: rendered, and compared with the configurations that it was made from."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from rocecfg.cli import cli

EOS = """\
hostname leaf1
!
qos map dscp 48 to traffic-class 6
!
qos profile ROCE
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   uc-tx-queue 3
      no priority
      bandwidth percent 60
      bandwidth guaranteed 100
   uc-tx-queue 0
      no priority
      bandwidth percent 40
!
interface Ethernet1/1
   service-profile ROCE
!
"""


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, list(args))


def imported(folder: Path, name: str, text: str, *args: str) -> tuple[str, str]:
    """The intent of one configuration, and what was said of it."""
    (folder / "run").mkdir()
    (folder / "run" / name).write_text(text, encoding="utf-8")
    done = run("import", str(folder / "run"), "-o", str(folder / "fabric.yaml"), *args)
    assert done.exit_code == 0, done.stderr
    return (folder / "fabric.yaml").read_text(encoding="utf-8"), done.stderr


def drift(folder: Path) -> str:
    return run("drift", str(folder / "fabric.yaml"), "--running", str(folder / "run")).output


# -- EOS without the line that names its model -------------------------------------------------------------------------


def test_eos_of_an_unknown_model_is_said_to_be_no_good_for_drift(tmp_path: Path) -> None:
    text, reported = imported(tmp_path, "leaf1.cfg", EOS)
    wording = "leaf1 cannot be rendered, nor compared by drift: nos-unsupported: EOS 4"
    assert wording in reported
    assert wording in " ".join(line.removeprefix("# ") for line in text.splitlines())
    assert "cannot be rendered" in drift(tmp_path)


def test_the_platform_that_a_configuration_does_not_tell_can_be_said(tmp_path: Path) -> None:
    text, reported = imported(tmp_path, "leaf1.cfg", EOS, "--platform", "arista-7060x6-64pe")
    assert "platform: arista-7060x6-64pe" in text
    assert "cannot be rendered" not in text + reported
    assert "no drift" in drift(tmp_path)


def test_the_platform_that_a_configuration_tells_is_kept(tmp_path: Path) -> None:
    head = "! device: leaf1 (DCS-7060X6-64PE, EOS-4.33.2F)\n"
    text, _ = imported(tmp_path, "leaf1.cfg", head + EOS, "--platform", "arista-7280cr3-32p4")
    assert "platform: arista-7060x6-64pe" in text


def test_a_platform_that_nobody_knows_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "leaf1.cfg").write_text(EOS, encoding="utf-8")
    done = run("import", str(tmp_path / "leaf1.cfg"), "--platform", "arista-7060x6-64p")
    assert done.exit_code == 2
    assert done.stdout == ""
    assert "did you mean arista-7060x6-64pe?" in done.stderr


# -- a release that no configuration tells -----------------------------------------------------------------------------


def test_the_release_is_told_to_be_guessed_where_no_configuration_tells_it(tmp_path: Path) -> None:
    eos = "! device: leaf1 (DCS-7060X6-64PE, EOS-4.33.2F)\n" + EOS
    for name, (config, said) in {
        "usual": (_sonic("Mellanox-SN4600C-C64"), "SONiC 202405, the usual one here"),
        "newer": (_sonic("Mellanox-SN5640-C448O16"), "SONiC 202505, the first that knows Mellanox-SN5640-C448O16"),
        "told": (_sonic("Mellanox-SN5640-C448O16", "version_202511_01"), ""),
        "eos": (EOS, "EOS 4.33.2F, the usual one here"),
        "eos-told": (eos, ""),
    }.items():
        folder = tmp_path / name
        folder.mkdir()
        text, reported = imported(folder, "config_db.json" if config.startswith("{") else "leaf1.cfg", config)
        head = " ".join(line.removeprefix("# ") for line in text.splitlines() if line.startswith("# "))
        for where in (head, reported):
            assert ("guessed: the release of" in where) is bool(said), (name, where)
            assert said in where, (name, where)
        assert ("version:" in text) is not bool(said), name
        assert "which begins with" not in run("lint", str(folder / "fabric.yaml")).output


def _sonic(hwsku: str, version: str | None = None) -> str:
    config: dict[str, dict[str, dict[str, str]]] = {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf1", "hwsku": hwsku}},
        "PORT": {"Ethernet0": {"lanes": "0,1,2,3", "speed": "100000", "admin_status": "up"}},
    }
    if version is not None:
        config["VERSIONS"] = {"DATABASE": {"VERSION": version}}
    return json.dumps(config)


# -- classes as a person would write them ------------------------------------------------------------------------------


def test_a_switch_on_which_no_class_is_set_has_none(tmp_path: Path) -> None:
    text, _ = imported(tmp_path, "spine1.cfg", "hostname spine1\n!\ninterface Ethernet1/1\n   mtu 9000\n!\n")
    assert yaml.safe_load(text)["classes"] == {}
    assert "# none: no DSCP map, PFC or scheduler is set" in text


def test_a_switch_on_which_one_queue_is_set_has_classes(tmp_path: Path) -> None:
    config = "hostname spine1\n!\ninterface Ethernet1/1\n   uc-tx-queue 4\n      bandwidth percent 20\n!\n"
    text, _ = imported(tmp_path, "spine1.cfg", config)
    assert {"default", "tc4"} <= yaml.safe_load(text)["classes"].keys()


SONIC = {
    "DEVICE_METADATA": {"localhost": {"hostname": "leaf1", "hwsku": "Force10-S6000", "type": "ToRRouter"}},
    "DSCP_TO_TC_MAP": {"AZURE": {str(n): "3" if n == 26 else "4" if n == 10 else "0" for n in range(64)}},
    "TC_TO_QUEUE_MAP": {"AZURE": {str(n): str(n) for n in range(8)}},
    "TC_TO_PRIORITY_GROUP_MAP": {"AZURE": {str(n): "3" if n == 3 else "0" for n in range(8)}},
    "MAP_PFC_PRIORITY_TO_QUEUE": {"AZURE": {str(n): str(n) for n in range(8)}},
    "SCHEDULER": {f"s{w}": {"type": "DWRR", "weight": str(w)} for w in (1, 100)},
}
MAPS = {
    "dscp_to_tc_map": "AZURE",
    "tc_to_queue_map": "AZURE",
    "tc_to_pg_map": "AZURE",
    "pfc_to_queue_map": "AZURE",
    "pfc_enable": "3",
}


def sonic(*ports: str, **tables: object) -> str:
    """A whole configuration, its queues 0, 3 and 4 weighted 1 to 100 to 1."""
    config = {
        **SONIC,
        "PORT": {p: {"lanes": str(n), "speed": "40000", "admin_status": "up"} for n, p in enumerate(ports)},
        "CABLE_LENGTH": {"AZURE": dict.fromkeys(ports, "5m")},
        "PORT_QOS_MAP": dict.fromkeys(ports, MAPS),
        "QUEUE": {f"{p}|{q}": {"scheduler": "s100" if q == 3 else "s1"} for p in ports for q in (0, 3, 4)},
        **tables,
    }
    return json.dumps(config, indent=2)


def test_shares_are_whole_numbers_that_sum_to_100_and_no_drift(tmp_path: Path) -> None:
    """Weights of 1, 100 and 1: 0.9804 %, 98.0392 % and 0.9804 %."""
    text, reported = imported(tmp_path, "leaf1.json", sonic("Ethernet0"))
    classes = yaml.safe_load(text)["classes"]
    assert {name: cls["bandwidth"] for name, cls in classes.items()} == {"rdma": 98, "tc4": 1, "default": 1}
    assert "drift would find" not in reported
    assert "shares of the queues" not in drift(tmp_path)


def test_ports_that_are_neither_up_nor_bound_to_maps_are_left_out_and_named(tmp_path: Path) -> None:
    ports = {p: {"lanes": str(n), "speed": "40000"} for n, p in enumerate(("Ethernet0", "Ethernet4", "Ethernet8"))}
    ports["Ethernet0"]["admin_status"] = ports["Ethernet8"]["admin_status"] = "up"
    text, _ = imported(tmp_path, "leaf1.json", sonic("Ethernet0", PORT=ports))
    assert "# not in this intent: Ethernet4: left out: neither up nor bound to any map" in text
    named = yaml.safe_load(text)["devices"]["leaf1"]["ports"]
    assert set(named) == {"Ethernet0", "Ethernet8"}  # that an up port has no maps is for drift to say
    assert "Ethernet8" in drift(tmp_path)


# -- a switch that its configuration calls what its chip is not --------------------------------------------------------


@pytest.mark.parametrize(("hwsku", "kept"), [("Force10-S6000", False), ("Nokia-IXR7250E-36x400G", True), ("", True)])
def test_a_box_without_virtual_output_queues_is_none_with_them(tmp_path: Path, hwsku: str, kept: bool) -> None:
    local = {"hostname": "leaf1", "hwsku": hwsku, "switch_type": "voq"}
    text, reported = imported(tmp_path, "leaf1.json", sonic("Ethernet0", DEVICE_METADATA={"localhost": local}))
    assert ("switch_type" in yaml.safe_load(text)["defaults"]) is kept
    assert ("cannot be rendered" in reported) is kept
    note = "# not in this intent: switch_type voq: the chip of HwSKU Force10-S6000 has no virtual output queues"
    assert (note in text) is not kept


# -- the samples -------------------------------------------------------------------------------------------------------

SAMPLES = {  # what drift finds once the sample is imported, and why it is right to
    "eos/avd-5stage-spine-dangling-profile.cfg": "cannot be rendered",  # of no known model
    "eos/avd-platform-mmu.cfg": "cannot be rendered",
    "eos/avd-qos.cfg": "cannot be rendered",
    "eos/real-7260cx-4.19.1F-run-all.cfg": "cannot be rendered",
    "nvue/era-2-8-9-400-core-01.nv": "",
    "nvue/era-2-8-9-400-core-01.yaml": "",
    "sonic/buffers-sn4600c-t1-dynamic.json": "lossless priority group 3",  # and no map that leads to it
    "sonic/qos-arista7060x6-th5.json": "ECN of queue 3",  # of service ports without PFC
    "sonic/qos-brackets-3_0_1.json": "cannot be rendered",  # no cable lengths
    "sonic/qos-config-reload-output.json": "",
    "sonic/qos-dell9332-th3.json": "",
    "sonic/voq-t2-linecard-newfmt.json": "maps bound to the port",  # ports that are up without any
}


@pytest.mark.parametrize(("name", "found"), SAMPLES.items())
def test_what_drift_finds_in_an_import_is_said_at_once(shared: Path, tmp_path: Path, name: str, found: str) -> None:
    path = shared / "samples" / name
    if not path.is_file():
        pytest.skip(f"no device configuration at {path}")
    _, reported = imported(tmp_path, path.name, path.read_text(encoding="utf-8"))
    assert run("lint", str(tmp_path / "fabric.yaml")).exit_code in (0, 1)
    differing = [line for line in reported.splitlines() if "drift would find" in line or "compared by drift" in line]
    assert [found in line for line in differing] == [True] * bool(found), reported
    states = drift(tmp_path)
    assert bool(re.search(r"^(drift|leftover): |cannot be rendered", states, re.MULTILINE)) is bool(found), states


def test_switch_priorities_that_share_a_queue_are_one_class(shared: Path, tmp_path: Path) -> None:
    """NVIDIA's `qos roce` leads six of eight switch priorities into queue 0."""
    path = shared / "samples" / "nvue" / "era-2-8-9-400-core-01.yaml"
    if not path.is_file():
        pytest.skip(f"no device configuration at {path}")
    text, _ = imported(tmp_path, path.name, path.read_text(encoding="utf-8"))
    classes = yaml.safe_load(text)["classes"]
    assert {name: (cls["dscp"], cls["priority"]) for name, cls in classes.items()} == {
        "rdma": ("24-31", 3),
        "tc6": ("48-55", 6),
        "default": ("rest", 0),
    }
