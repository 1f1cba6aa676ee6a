"""The patch form: what it changes of a running configuration, what it leaves alone, and what it refuses."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from typing import Any

import pytest
import sonic_checks
from sonic_factory import CLASSES, RDMA, cls, device, dynamic, fabric, lossy, ports, stock
from sonic_meaning import amounts_to

from rocecfg.linting.rendering import render_device as render
from rocecfg.model import Buffers, Device, Ecn, Headroom, Watchdog
from rocecfg.vendors.base import CannotRender, RenderedText

PORTS = ("Ethernet0", "Ethernet8", "Ethernet16")
TIMERS = {"action": "drop", "detection_time": "200", "restoration_time": "400"}
LEAF = device(ports("Ethernet0", "Ethernet8"), lossy("Ethernet16"), version="202511")
SPECTRUM = dynamic(ports("Ethernet0", "Ethernet8"), lossy("Ethernet16"), version="202511")


def boxed(config: dict[str, Any]) -> dict[str, Any]:
    """At the speeds that the ports are meant to have: no change of QoS sets these."""
    config["PORT"]["Ethernet16"]["speed"] = "100000"
    return config


def running(**tables: Any) -> dict[str, Any]:
    """Stock rows and a watchdog that was started once: without the table PFC_WD the gate lets nothing in."""
    return (
        boxed(stock(*PORTS))
        | {"PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "200"}, "Ethernet16": {"detection_time": "400"}}}
        | tables
    )


def spectrum() -> dict[str, Any]:
    return boxed(stock(*PORTS, hwsku="ACS-SN5600", model="dynamic")) | {"PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "100"}}}


def patch(dev: Device, config: dict[str, Any]) -> RenderedText:
    return sonic_checks.patched(fabric(dev), dev, json.dumps(config))


def apply(dev: Device, config: dict[str, Any]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The operations, and the configuration after them (another implementation of RFC 6902) and after what is typed."""
    text = patch(dev, config)
    return json.loads(text.body), sonic_checks.after(text, config)


@pytest.mark.parametrize(("dev", "before"), [(LEAF, running()), (SPECTRUM, spectrum())], ids=["traditional", "dynamic"])
def test_afterwards_the_switch_runs_what_config_db_says(dev: Device, before: dict[str, Any]) -> None:
    _, after = apply(dev, before)
    wanted = sonic_checks.load(render(fabric(dev), dev).body)
    for port in PORTS:
        assert sonic_checks.lacks(amounts_to(after, port), amounts_to(wanted, port)) == {}
    for table in ("PFC_WD", "FLEX_COUNTER_TABLE"):
        for key, row in wanted[table].items():
            assert row.items() <= after[table][key].items(), f"{table}|{key}"
    assert [p for p in sonic_checks.problems(after) if "lossless without cable" not in p] == []
    for table in ("PORT", "BUFFER_POOL"):
        assert after[table] == before[table]
    assert after["DEVICE_METADATA"] == before["DEVICE_METADATA"]


@pytest.mark.parametrize(("dev", "before"), [(LEAF, running()), (SPECTRUM, spectrum())], ids=["traditional", "dynamic"])
def test_a_second_run_changes_nothing(dev: Device, before: dict[str, Any]) -> None:
    _, after = apply(dev, before)
    again = patch(dev, after)
    assert json.loads(again.body) == []
    assert "already runs this" in again.notes[0]


def test_overlapping_stock_rows_go_after_the_patch_and_not_in_it() -> None:
    """apply-patch sorts a patch: the DEL of 3-4 could come after the row 3, and take its profile with it."""
    operations, after = apply(LEAF, running())
    removed = {op["path"] for op in operations if op["op"] == "remove"}
    assert not any(path.startswith("/BUFFER_PG/Ethernet0|") for path in removed)
    before, then = sonic_checks.typed(patch(LEAF, running()))
    lines = [*before, *then]
    assert any("config interface shutdown" in line for line in before)
    order = ("shutdown", "DEL", "APPL_DB KEYS", "startup", "ASIC_DB")
    assert any("DEL" in line and "Ethernet16" in line and "3-4" in line for line in lines)  # nothing is lossless there
    assert [next(n for n, line in enumerate(lines) if word in line) for word in order] == sorted(
        next(n for n, line in enumerate(lines) if word in line) for word in order
    )
    assert any("pfcwd stop" in line and "Ethernet16" in line for line in before)
    assert "Ethernet16" not in after["PFC_WD"]
    assert "/QUEUE/Ethernet16|3/wred_profile" in removed
    assert after["BUFFER_PG"] == {f"{port}|0": {"profile": "ingress_lossy_profile"} for port in PORTS}


def test_the_dynamic_model_swaps_the_lossless_group() -> None:
    _, after = apply(SPECTRUM, spectrum())
    assert {key for key, row in after["BUFFER_PG"].items() if row["profile"] == "NULL"} == {
        "Ethernet0|3",
        "Ethernet8|3",
    }


def test_it_is_minimal() -> None:
    """One field of one port differs: one operation."""
    _, settled = apply(LEAF, running())
    own = settled["QUEUE"]["Ethernet8|3"]["scheduler"]
    settled["QUEUE"]["Ethernet8|3"]["scheduler"] = "scheduler.0"
    operations, _ = apply(LEAF, settled)
    assert operations == [{"op": "replace", "path": "/QUEUE/Ethernet8|3/scheduler", "value": own}]


def test_rows_of_other_ports_queues_and_maps_are_left_alone() -> None:
    before = running()
    before["PORT"]["Ethernet99"] = {"lanes": "99", "speed": "400000"}
    before["QUEUE"]["Ethernet99|3"] = {"scheduler": "scheduler.1"}
    before["PORT_QOS_MAP"]["Ethernet99"] = {"pfc_enable": "3,4"}
    before["PORT_QOS_MAP"]["Ethernet99"]["scheduler"] = "scheduler.0"
    before["DSCP_TO_TC_MAP"]["MINE"] = {"1": "1"}
    _, after = apply(LEAF, before)
    assert after["QUEUE"]["Ethernet99|3"] == {"scheduler": "scheduler.1"}
    assert after["PORT_QOS_MAP"]["Ethernet99"] == {"pfc_enable": "3,4", "scheduler": "scheduler.0"}
    assert after["DSCP_TO_TC_MAP"]["MINE"] == {"1": "1"}
    assert after["QUEUE"]["Ethernet0|4"] == {"scheduler": "scheduler.1"}  # drift tells ECN on a queue that nothing uses


def test_a_range_row_is_split_and_keeps_what_it_said_of_other_queues() -> None:
    before = running()
    for queue in (3, 4):
        del before["QUEUE"][f"Ethernet0|{queue}"]
    before["QUEUE"]["Ethernet0|3-4"] = {"scheduler": "scheduler.1"}
    _, after = apply(LEAF, before)
    assert "Ethernet0|3-4" not in after["QUEUE"]
    assert after["QUEUE"]["Ethernet0|4"] == {"scheduler": "scheduler.1"}
    assert after["SCHEDULER"][after["QUEUE"]["Ethernet0|3"]["scheduler"]] == {"type": "DWRR", "weight": "60"}
    assert after["QUEUE"]["Ethernet0|3"]["wred_profile"] == "AZURE_LOSSLESS"


def test_a_lossless_queue_that_stock_has_as_lossy_is_bound_and_its_neighbours_stay() -> None:
    five = (replace(RDMA, priority=5, tc=5, queue=5, pg=5), *CLASSES[1:])
    dev = replace(LEAF, classes=five, ports=(ports("Ethernet0", pfc=(5,)),), maps=device(classes=five).maps)
    _, after = apply(dev, running())
    assert {k: v["profile"] for k, v in after["BUFFER_QUEUE"].items() if k.startswith("Ethernet0|")} == {
        "Ethernet0|0-2": "egress_lossy_profile",
        "Ethernet0|3-4": "egress_lossless_profile",
        "Ethernet0|5": "egress_lossless_profile",
        "Ethernet0|6": "egress_lossy_profile",
    }


def test_a_table_that_empties_goes_whole() -> None:
    before = spectrum() | {"BUFFER_PG": {"Ethernet16|3-4": {"profile": "NULL"}}}
    operations, after = apply(dynamic(lossy("Ethernet16"), version="202511"), before)
    assert {"op": "remove", "path": "/BUFFER_PG"} in operations
    assert "BUFFER_PG" not in after


def test_a_missing_table_is_added_whole() -> None:
    before = running()
    del before["SCHEDULER"]
    for row in before["QUEUE"].values():
        del row["scheduler"]
    operations, _ = apply(LEAF, before)
    (added,) = [op for op in operations if op["path"].startswith("/SCHEDULER")]
    assert (added["op"], added["path"], len(added["value"])) == ("add", "/SCHEDULER", 3)


def test_a_cable_length_stands_in_one_group_only() -> None:
    before = running(CABLE_LENGTH={"HALL": {"Ethernet0": "300m", "Ethernet99": "5m"}, "AZURE": {"Ethernet8": "300m"}})
    _, after = apply(LEAF, before)
    assert after["CABLE_LENGTH"] == {
        "HALL": {"Ethernet0": "5m", "Ethernet99": "5m"},
        "AZURE": {"Ethernet8": "5m"},
    }
    before["CABLE_LENGTH"]["AZURE"]["Ethernet0"] = "300m"  # buffermgrd takes whichever it reads last
    _, after = apply(LEAF, before)
    assert [rows["Ethernet0"] for rows in after["CABLE_LENGTH"].values() if "Ethernet0" in rows] == ["5m"]


def test_slashes_in_a_port_s_name_are_escaped() -> None:
    dev = device(ports("Ethernet1/1"), version="202511")
    before = stock("Ethernet1/1") | {"PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "100"}}}
    operations, after = apply(dev, before)
    assert "/PORT_QOS_MAP/Ethernet1~11/pfc_enable" in [op["path"] for op in operations]
    assert after["PORT_QOS_MAP"]["Ethernet1/1"]["pfc_enable"] == "3"


def test_definitions_come_before_what_refers_to_them() -> None:
    paths = [op["path"] for op in apply(LEAF, running())[0]]
    first_use = next(i for i, path in enumerate(paths) if path.startswith("/QUEUE/"))
    last_definition = max(i for i, path in enumerate(paths) if path.startswith(("/SCHEDULER", "/WRED_PROFILE")))
    assert last_definition < first_use


def test_ports_that_flap_are_counted_and_named() -> None:
    text = "\n".join(patch(LEAF, running()).notes)
    assert "shuts 3 ports that are admin up and starts them again: Ethernet0, Ethernet8, Ethernet16." in text
    assert "apply-patch -d FILE" in text
    _, settled = apply(LEAF, running())
    settled["WRED_PROFILE"]["AZURE_LOSSLESS"]["green_min_threshold"] = "7"
    assert "No port flaps." in patch(LEAF, settled).notes


def test_output_does_not_depend_on_the_order_of_the_running_file_s_reading() -> None:
    assert patch(LEAF, running()).body == patch(LEAF, copy.deepcopy(running())).body


class TestRefusals:
    """What `config apply-patch` would reject is refused here, path by path."""

    @staticmethod
    def message(dev: Device, config: dict[str, Any] | str) -> str:
        text = json.dumps(config) if isinstance(config, dict) else config
        with pytest.raises(CannotRender) as caught:
            sonic_checks.patched(fabric(dev), dev, text)
        return f"{caught.value.message} | {caught.value.help}"

    def test_new_wred_profile_before_202511(self) -> None:
        storage = cls("storage", 2, (18,), bandwidth=20, ecn=Ecn(5, 6, 7))
        everything = (replace(RDMA, ecn=Ecn(1048576, 2097152, 5)), *CLASSES[1:], storage)
        group = ports("Ethernet0", classes=tuple(c.name for c in everything))
        dev = dynamic(group, classes=everything, version="202505")
        text = self.message(dev, spectrum())
        assert "202505 on ACS-SN5600 refuses /WRED_PROFILE/storage" in text
        assert "config load" in text
        apply(replace(dev, version="202511"), spectrum())

    def test_colours_that_the_gate_does_not_know_before_202511(self) -> None:
        text = self.message(replace(SPECTRUM, version="202411"), spectrum())
        assert "/WRED_PROFILE/AZURE_LOSSLESS/yellow_min_threshold" in text
        assert "/WRED_PROFILE/AZURE_LOSSLESS/green_min_threshold" not in text

    def test_buffer_pool_from_202511(self) -> None:
        dev = replace(SPECTRUM, buffers=Buffers(shared_headroom=1))
        assert "refuses /BUFFER_POOL/ingress_lossless_pool/xoff" in self.message(dev, spectrum())

    def test_unlisted_hwsku(self) -> None:
        before = running(DEVICE_METADATA={"localhost": {"hwsku": "Homemade"}})
        text = self.message(LEAF, before)
        assert "on Homemade (an HwSKU that it does not list) refuses" in text
        assert "/PFC_WD/GLOBAL/POLL_INTERVAL" in text

    def test_the_watchdog_table_must_exist(self) -> None:
        text = self.message(LEAF, stock(*PORTS))
        assert "refuses /PFC_WD" in text
        assert "sudo pfcwd interval" in text

    def test_a_row_that_moves_between_ports(self) -> None:
        """The gate's own diff calls it a move, which no rule allows."""
        config, _ = running(), None
        for port in PORTS[:2]:
            config["PORT_QOS_MAP"][port] |= {"pfc_enable": "3", "pfcwd_sw_enable": "3"}
        config["PFC_WD"] = {"GLOBAL": {"POLL_INTERVAL": "100"}, "Ethernet0": dict(TIMERS)}
        config["PFC_WD"]["Ethernet8"] = dict(TIMERS)
        dev = replace(LEAF, ports=(replace(ports("Ethernet0"), watchdog=None), ports("Ethernet8")))
        del config["PFC_WD"]["Ethernet8"]
        config["PORT_QOS_MAP"]["Ethernet0"]["pfcwd_sw_enable"] = ""
        text = self.message(dev, config)
        assert "refuses /PFC_WD/Ethernet8 |" in text
        assert "counts as moved" in text

    def test_a_value_that_moves_from_one_step_to_the_next(self) -> None:
        """Each step of drift is taken: ports go down for the row 3-4 between them. As one patch they are refused."""
        watchdog = Watchdog(200, 100, 100, "drop")
        leaf = replace(LEAF, ports=tuple(replace(port, watchdog=watchdog) for port in LEAF.ports))
        _, config = apply(leaf, running())
        config["SCHEDULER"]["scheduler.strict"] = {"type": "DWRR", "weight": "100"}
        config["BUFFER_PG"]["Ethernet0|3-4"] = {"profile": "pg_lossless_100000_300m_profile"}
        del config["PFC_WD"]["Ethernet8"]["restoration_time"]
        text = self.message(leaf, config)
        assert "refuses /PFC_WD/Ethernet8/restoration_time |" in text
        assert "counts as moved" in text

    def test_new_profile_only_from_202511(self) -> None:
        buffers = Buffers(alpha=1)
        dev = dynamic(ports("Ethernet0", headroom=Headroom(3, 1, 2)), buffers=buffers, version="202505")
        dev = replace(dev, classes=(replace(RDMA, ecn=Ecn(1048576, 2097152, 5)), *CLASSES[1:]))
        assert "refuses /BUFFER_PROFILE/roce_3_1_2_0" in self.message(dev, spectrum())
        apply(replace(dev, version="202511"), spectrum())

    def test_ports_that_the_device_does_not_have(self) -> None:
        assert "no PORT row for Ethernet16" in self.message(LEAF, stock("Ethernet0", "Ethernet8"))

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("{", "not JSON"),
            ("[]", "not a mapping of tables"),
            ("{}", "not a mapping of tables"),
            ('{"QUEUE": {}}', "no table PORT"),
            ('{"localhost": {"PORT": {}}, "asic0": {}}', "multi-ASIC"),
        ],
    )
    def test_unusable_running_configuration(self, text: str, words: str) -> None:
        assert words in self.message(LEAF, text)

    def test_a_patch_of_nothing(self) -> None:
        with pytest.raises(CannotRender) as caught:
            render(fabric(LEAF), LEAF, form="patch")
        assert "--running FILE" in caught.value.help

    def test_releases_without_the_command(self) -> None:
        assert "has no config apply-patch" in self.message(replace(LEAF, version="202012"), running())


def test_releases_without_a_gate_let_everything_pass() -> None:
    before = stock(*PORTS)
    _, after = apply(replace(LEAF, version="202211"), before)
    assert after["PFC_WD"]["Ethernet0"] == TIMERS


def test_only_green_changes_pass_the_gate_of_202505() -> None:
    """ECN tuning of the one colour that matters without policers."""
    stock_curve = (replace(RDMA, ecn=Ecn(1048576, 2097152, 5)), *CLASSES[1:])
    dev = dynamic(ports(*PORTS), classes=stock_curve, version="202505")
    before = stock(*PORTS, hwsku="ACS-SN5600", model="dynamic") | {"PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "100"}}}
    before["WRED_PROFILE"]["AZURE_LOSSLESS"]["green_min_threshold"] = "77"
    operations, _ = apply(dev, before)
    assert [op["path"] for op in operations if op["path"].startswith("/WRED")] == [
        "/WRED_PROFILE/AZURE_LOSSLESS/green_min_threshold"
    ]
