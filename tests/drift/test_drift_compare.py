"""What counts as drift and what does not: names, order, rounding, and parts of a configuration."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from drift_cases import EXAMPLES, change, compared, running, stated, typed_in
from intents import POLICY

import rocecfg
from rocecfg.drift.run import find_drift
from rocecfg.intent import load
from rocecfg.source.document import Sources
from rocecfg.vendors.changes import HITLESS, PORT_FLAP, align_names

Config = dict[str, Any]


def leaf() -> Config:
    config: Config = json.loads(running("auto", "leaf01"))
    return config


def drift_of(config: Config, tmp_path: Path) -> list[tuple[str, int | None, str]]:
    return stated(compared("auto", {"leaf01.json": json.dumps(config)}, tmp_path))


# -- what is no drift --------------------------------------------------------------------------------------------------


def renamed(config: Config) -> Config:
    """The same, with an operator's own names for everything that has one."""
    names = {"AZURE": "ROCE", "AZURE_LOSSLESS": "lossless_q3", "rdma_800G": "uplink_q3", "scheduler.dwrr90": "rdma"}
    text = json.dumps({key: rows for key, rows in config.items() if key != "CABLE_LENGTH"})
    for old, new in names.items():
        text = text.replace(f'"{old}"', f'"{new}"')
    return {**json.loads(text), "CABLE_LENGTH": config["CABLE_LENGTH"]}


def test_other_names_are_no_drift(tmp_path: Path) -> None:
    assert drift_of(renamed(leaf()), tmp_path) == []


def test_another_profile_for_each_queue_is_no_drift(tmp_path: Path) -> None:
    config = leaf()
    for key, row in config["QUEUE"].items():
        if "wred_profile" in row:
            own = f"WRED_{key.replace('|', '_')}"
            config["WRED_PROFILE"][own] = config["WRED_PROFILE"][row["wred_profile"]]
            row["wred_profile"] = own
    assert drift_of(config, tmp_path) == []


def test_weights_in_the_same_proportion_are_no_drift(tmp_path: Path) -> None:
    config = leaf()
    config["SCHEDULER"]["scheduler.dwrr10"]["weight"] = "1"
    config["SCHEDULER"]["scheduler.dwrr90"]["weight"] = "9"
    assert drift_of(config, tmp_path) == []


def test_another_numbering_of_traffic_classes_is_no_drift(tmp_path: Path) -> None:
    """Code points that reach the same queue and priority group by another traffic class."""
    config = leaf()
    dscp = config["DSCP_TO_TC_MAP"]["AZURE"]
    config["DSCP_TO_TC_MAP"]["AZURE"] = {code: "1" if tc == "0" else tc for code, tc in dscp.items()}
    config["TC_TO_QUEUE_MAP"]["AZURE"]["1"] = "0"
    assert drift_of(config, tmp_path) == []


@pytest.mark.parametrize(("off", "drifts"), [(0, False), (253, False), (-253, False), (254, True), (-254, True)])
def test_less_than_a_cell_is_no_drift(tmp_path: Path, off: int, drifts: bool) -> None:
    """Tomahawk 5 has cells of 254 bytes."""
    config = leaf()
    kmin = int(config["WRED_PROFILE"]["AZURE_LOSSLESS"]["green_min_threshold"])
    config["WRED_PROFILE"]["AZURE_LOSSLESS"]["green_min_threshold"] = str(kmin + off)
    assert (drift_of(config, tmp_path) != []) == drifts


@pytest.mark.parametrize(("kmin", "drifts"), [(405504, False), (393217, False), (393216, True), (405505, True)])
def test_spectrum_rounds_thresholds_up(tmp_path: Path, kmin: int, drifts: bool) -> None:
    """400000 bytes are read back as 33 x 64 cells of 192 bytes: 405504."""
    text = "\n".join(typed_in("train-256", "leaf01")).replace("min-threshold 400000", f"min-threshold {kmin}")
    found = compared("train-256", {"leaf01.nv": text + "\n"}, tmp_path)
    assert (stated(found) != []) == drifts


def test_scheduler_of_a_queue_that_nothing_uses_is_no_drift(tmp_path: Path) -> None:
    config = leaf()
    for queue in (1, 2, 4, 5):
        config["QUEUE"][f"Ethernet0|{queue}"] = {"scheduler": "scheduler.dwrr10"}
    assert drift_of(config, tmp_path) == []


def test_what_rocecfg_has_no_word_for_is_no_drift(tmp_path: Path) -> None:
    config = leaf() | {"BGP_NEIGHBOR": {"10.0.0.1": {"asn": "65000"}}, "VLAN": {"Vlan10": {"vlanid": "10"}}}
    assert drift_of(config, tmp_path) == []


def test_watchdog_that_is_left_to_the_switch(tmp_path: Path) -> None:
    """`pfcwd start_default` writes timers that grow with the port count: its own are what is meant, no others."""
    text = (EXAMPLES / "auto" / "fabric.yaml").read_text(encoding="utf-8")
    text = re.sub(r"watchdog: \{.*?\}", "watchdog: vendor-default", text)
    (tmp_path / "fabric.yaml").write_text(text, encoding="utf-8")
    sources = Sources()
    loaded = load(str(tmp_path / "fabric.yaml"), sources)
    differs = [("watchdog", None, "")]

    def drifting(rows: dict[str, dict[str, str]], poll: str = "200") -> list[tuple[str, int | None, str]]:
        config = leaf()
        ports = [port for port in config["PFC_WD"] if port != "GLOBAL"]
        config["PFC_WD"] = {"GLOBAL": {"POLL_INTERVAL": poll}} | {port: rows.get(port, STOCK) for port in ports}
        (tmp_path / "leaf01.json").write_text(json.dumps(config), encoding="utf-8")
        found = find_drift([loaded], [str(tmp_path / "leaf01.json")], sources)
        return stated(found)

    assert drifting({}) == []
    assert drifting({"Ethernet0": {"action": "drop", "detection_time": "300", "restoration_time": "300"}}) == differs
    assert drifting({"Ethernet0": {"action": "drop", "detection_time": "200", "restoration_time": "400"}}) == differs
    assert drifting({"Ethernet0": {"action": "alert", "detection_time": "200", "restoration_time": "200"}}) == differs
    assert drifting({"Ethernet0": {"action": "drop", "detection_time": "800", "restoration_time": "800"}}) == differs
    assert drifting({}, poll="100") == differs
    config = leaf()
    config.pop("PFC_WD", None)
    (tmp_path / "leaf01.json").write_text(json.dumps(config), encoding="utf-8")
    found = find_drift([loaded], [str(tmp_path / "leaf01.json")], sources)
    assert stated(found) == differs
    assert any("pfcwd start_default" in line for line in change(found).change.beyond)


STOCK = {"action": "drop", "detection_time": "200", "restoration_time": "200"}  # up to 32 ports


def test_eos_watchdog_that_is_left_to_the_switch_is_not_compared_with_timers(tmp_path: Path) -> None:
    """EOS's own times are not published: whether timers that are set are those, nobody can say."""
    (tmp_path / "fabric.yaml").write_text(
        POLICY[: POLICY.index("pfc:")]
        + "pfc: {watchdog: vendor-default}\ndevices:\n  leaf01: {vendor: arista, platform: arista-7060x6-64pe, "
        'version: "4.33.2F", ports: {"Ethernet1/1": {speed: 800G, faces: host, cable: 3m}}}\n'
    )
    sources = Sources()
    loaded = load(str(tmp_path / "fabric.yaml"), sources)
    assert loaded.fabric is not None
    (text,) = rocecfg.render(loaded.fabric, "arista").values()
    path = tmp_path / "leaf01.cfg"
    for line, uncovered in (("", False), ("priority-flow-control pause watchdog default timeout 0.20\n", True)):
        path.write_text(f"! device: leaf01 (DCS-7060X6-64PE, EOS-4.33.2F)\nhostname leaf01\n{line}{text}")
        found = find_drift([loaded], [str(path)], sources)
        assert stated(found) == []
        assert bool(found.uncovered) == uncovered


# -- parts of a configuration ------------------------------------------------------------------------------------------


def part(*tables: str) -> Config:
    return {table: leaf()[table] for table in tables}


@pytest.mark.parametrize(
    "tables",
    [
        ("PFC_WD",),
        ("WRED_PROFILE", "QUEUE", "SCHEDULER"),
        ("DSCP_TO_TC_MAP", "TC_TO_QUEUE_MAP"),
        ("CABLE_LENGTH",),
        ("PORT_QOS_MAP",),
    ],
)
def test_what_a_part_does_not_say_is_no_drift(tmp_path: Path, tables: tuple[str, ...]) -> None:
    assert drift_of(part(*tables), tmp_path) == []


def test_what_a_part_says_is_compared(tmp_path: Path) -> None:
    config = part("WRED_PROFILE", "QUEUE", "SCHEDULER")
    config["WRED_PROFILE"]["AZURE_LOSSLESS"]["green_min_threshold"] = "1048576"
    assert drift_of(config, tmp_path) == [("ecn", 3, "kmin")]


def test_part_of_nvue(tmp_path: Path) -> None:
    text = "nv set qos congestion-control default-global traffic-class 3 min-threshold 150000\n"
    found = compared("train-256", {"leaf01.nv": text}, tmp_path)
    assert stated(found) == []  # which ports the profile is for stands elsewhere


# -- the smallest change -----------------------------------------------------------------------------------------------


def operations(config: Config, tmp_path: Path) -> list[dict[str, Any]]:
    found = compared("auto", {"leaf01.json": json.dumps(config)}, tmp_path)
    return [dict(op) for step in change(found).change.steps for op in step.operations]


def test_profile_under_the_operators_name_is_changed_in_place(tmp_path: Path) -> None:
    config = renamed(leaf())
    config["WRED_PROFILE"]["lossless_q3"]["green_min_threshold"] = "1048576"
    meant = leaf()["WRED_PROFILE"]["AZURE_LOSSLESS"]["green_min_threshold"]
    assert operations(config, tmp_path) == [
        {"op": "replace", "path": "/WRED_PROFILE/lossless_q3/green_min_threshold", "value": meant}
    ]


def test_profile_that_other_ports_use_is_left_alone(tmp_path: Path) -> None:
    """Ethernet512 is no port of the intent, and keeps the curve that it has."""
    config = leaf()
    config["PORT"]["Ethernet512"] = {"admin_status": "up", "lanes": "600", "speed": "100000"}
    config["QUEUE"]["Ethernet512|3"] = {"wred_profile": "AZURE_LOSSLESS"}
    config["WRED_PROFILE"]["AZURE_LOSSLESS"]["green_min_threshold"] = "1048576"
    found = compared("auto", {"leaf01.json": json.dumps(config)}, tmp_path)
    text = json.dumps([[*step.lines, *map(dict, step.operations)] for step in change(found).change.steps])
    assert "AZURE_LOSSLESS-2" in text
    assert '"/WRED_PROFILE/AZURE_LOSSLESS/' not in text


def test_one_port_bound_elsewhere_is_bound_back(tmp_path: Path) -> None:
    config = leaf()
    config["QUEUE"]["Ethernet0|3"]["wred_profile"] = "rdma_800G"
    assert operations(config, tmp_path) == [
        {"op": "replace", "path": "/QUEUE/Ethernet0|3/wred_profile", "value": "AZURE_LOSSLESS"}
    ]


def test_marks(tmp_path: Path) -> None:
    config = leaf()
    config["PFC_WD"]["Ethernet0"]["detection_time"] = "3200"
    config["PORT_QOS_MAP"]["Ethernet0"]["pfc_enable"] = "3,4"
    found = compared("auto", {"leaf01.json": json.dumps(config)}, tmp_path)
    marks = {step.mark: {op["path"] for op in step.operations} for step in change(found).change.steps}
    assert marks == {
        PORT_FLAP: {"/PORT_QOS_MAP/Ethernet0/pfc_enable"},
        HITLESS: {"/PFC_WD/Ethernet0/detection_time"},
    }


@pytest.mark.parametrize(("hwsku", "word"), [("Own-Box", "an HwSKU that its gate does not list"), (None, "")])
def test_what_the_gate_refuses_is_said_with_another_way(tmp_path: Path, hwsku: str | None, word: str) -> None:
    config = leaf()
    config["PFC_WD"]["Ethernet0"]["detection_time"] = "3200"
    if hwsku:
        config["DEVICE_METADATA"]["localhost"]["hwsku"] = hwsku
    found = compared("auto", {"leaf01.json": json.dumps(config)}, tmp_path)
    (step,) = change(found).change.steps
    assert bool(step.refused) == bool(hwsku)
    if hwsku:
        assert word in (step.refused or "")
        assert "PFC_WD detection_time" in (step.refused or "")
        assert step.lines == ("sonic-db-cli CONFIG_DB HSET 'PFC_WD|Ethernet0' detection_time 200",)


def test_eos_takes_lines_back_after_the_new_ones(tmp_path: Path) -> None:
    text = running("auto", "spine02").replace("   service-profile ROCE-SWITCH\n", "   qos trust cos\n", 1)
    found = compared("auto", {"spine02.cfg": text}, tmp_path)
    lines = [line.strip() for step in change(found).change.steps for line in step.lines]
    assert lines.index("service-profile ROCE-SWITCH") < lines.index("default qos trust")


# -- names -------------------------------------------------------------------------------------------------------------


def test_aligned_keeps_names_that_serve_the_same_places() -> None:
    meant = {1: "a", 2: "a", 3: "b"}
    assert align_names(meant, {1: "x", 2: "x", 3: "y"}, {}) == {"a": "x", "b": "y"}
    assert align_names(meant, {1: "x", 2: "x", 3: "x"}, {"x": False}) == {"a": "a", "b": "b"}
    assert align_names(meant, {}, {}) == {"a": "a", "b": "b"}


def test_aligned_takes_a_fresh_name_where_another_profile_has_it() -> None:
    assert align_names({1: "a"}, {1: "x", 8: "x", 9: "a"}, {"a": False, "x": False}) == {"a": "a-2"}
    assert align_names({1: "a"}, {1: "x", 8: "x", 9: "a"}, {"a": True, "x": False}) == {"a": "a"}
    assert align_names({1: "a"}, {9: "a", 8: "a-2"}, {"a": False}) == {"a": "a-3"}


def test_aligned_never_gives_one_name_twice() -> None:
    names = align_names({1: "a", 2: "b"}, {2: "a"}, {"a": False})
    assert len(set(names.values())) == 2
