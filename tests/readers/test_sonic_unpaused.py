"""SONiC: PFC off on a port, or on all, while rows for lossless traffic are left there."""

from __future__ import annotations

from typing import Any

import pytest
import sonic_text
from sonic_clean import PORTS, changed, each

from rocecfg.linting.finding import Finding

RULE = "sonic-unpaused"
PG = "pg_lossless_400000_40m_profile"
NO_GROUPS = {f"{p}|3": None for p in PORTS}
NO_MARKS = {f"{p}|3": {"wred_profile": None} for p in PORTS}


def found(release: str | None = None, **tables: Any) -> list[Finding]:
    return [f for f in sonic_text.findings(changed(**tables), release) if f.rule.name == RULE]


@pytest.mark.parametrize(
    ("qos", "why"),
    [
        ({"pfc_enable": ""}, "(pfc_enable is empty)"),
        ({"pfc_enable": None}, "(its row of PORT_QOS_MAP has no pfc_enable)"),
    ],
)
def test_pfc_off_on_one_port_while_lossless_rows_remain(qos: dict[str, Any], why: str) -> None:
    (finding,) = found("202505", PORT_QOS_MAP={"Ethernet8": qos})
    assert (finding.severity, finding.ports) == ("error", ("Ethernet8",))
    assert finding.message.startswith(f"PFC is off for priority 3 here {why}, but rows for lossless traffic are left: ")
    assert f"BUFFER_PG 3 ({PG}), QUEUE 3 (AZURE_LOSSLESS) and pfcwd_sw_enable 3." in finding.message
    assert "config interface pfc priority PORT N off" in finding.message  # what leaves them so
    masks = (
        "sonic-db-cli CONFIG_DB HSET 'PORT_QOS_MAP|PORT' pfc_enable LIST pfcwd_sw_enable LIST (comma-separated, with 3)"
    )
    assert masks in finding.help  # `config interface pfc priority` fails there up to 202505


@pytest.mark.parametrize(("release", "told"), [("202505", False), (None, True)])
def test_an_empty_mask_is_refused_by_the_models_up_to_202411(release: str | None, *, told: bool) -> None:
    (finding,) = found(release, PORT_QOS_MAP={"Ethernet8": {"pfc_enable": ""}})
    assert ("YANG up to 202411 refuses every patch" in finding.message) is told


def test_a_port_without_a_row_of_port_qos_map() -> None:
    (finding,) = found(PORT_QOS_MAP={"Ethernet8": None})
    assert "(PORT_QOS_MAP has no row for it)" in finding.message
    assert f"BUFFER_PG 3 ({PG}) and QUEUE 3 (AZURE_LOSSLESS)." in finding.message


def test_pfc_off_on_all_ports_is_one_finding() -> None:
    (finding,) = found("202505", PORT_QOS_MAP=each({"pfc_enable": ""}))
    assert (finding.severity, finding.ports) == ("error", PORTS)
    assert "PFC is off for priority 3 here, as on every port (pfc_enable is empty)" in finding.message


def test_one_of_two_priorities_off_on_one_port() -> None:
    both = each({"pfc_enable": "3,4", "pfcwd_sw_enable": "3,4"})
    both["Ethernet8"] = {"pfc_enable": "3", "pfcwd_sw_enable": "3"}
    rows = {f"{p}|4": {"profile": PG} for p in PORTS}
    (finding,) = found(PORT_QOS_MAP=both, BUFFER_PG=rows)
    assert finding.ports == ("Ethernet8",)
    assert "PFC is off for priority 4 here (pfc_enable is 3)" in finding.message
    assert f"BUFFER_PG 4 ({PG})." in finding.message


def test_marks_and_watchdog_are_enough_where_buffermgrd_has_made_no_group() -> None:
    (finding,) = found(PORT_QOS_MAP=each({"pfc_enable": None}), BUFFER_PG=NO_GROUPS)
    assert finding.severity == "error"
    assert "QUEUE 3 (AZURE_LOSSLESS) and pfcwd_sw_enable 3." in finding.message


def test_a_watchdog_alone_has_nothing_to_watch() -> None:
    (finding,) = found(PORT_QOS_MAP=each({"pfc_enable": None}), BUFFER_PG=NO_GROUPS, QUEUE=NO_MARKS)
    assert finding.severity == "warning"
    assert "pfcwd_sw_enable 3. The watchdog has nothing to watch." in finding.message


LOSSY = {"pfc_enable": None, "pfcwd_sw_enable": None}
STOCK = {f"{p}|3": None for p in PORTS} | {f"{p}|3-4": {"profile": PG} for p in PORTS}


@pytest.mark.parametrize(
    "tables",
    [
        {},
        # a lossy port without such rows, and one whose queue marks: RDMA without PFC is meant so at times
        {"PORT_QOS_MAP": {"Ethernet8": LOSSY}, "BUFFER_PG": {"Ethernet8|3": None}, "PFC_WD": {"Ethernet8": None}},
        {"PORT_QOS_MAP": each(LOSSY), "BUFFER_PG": NO_GROUPS, "PFC_WD": each(None)},
        # the stock rows for 3 and 4, of which both or one are paused on all ports
        {"PORT_QOS_MAP": each({"pfc_enable": "3,4", "pfcwd_sw_enable": "3,4"}), "BUFFER_PG": STOCK},
        {"BUFFER_PG": STOCK},
        # a lossy profile is no lossless row
        {
            "PORT_QOS_MAP": {"Ethernet8": LOSSY},
            "BUFFER_PG": {"Ethernet8|3": {"profile": "ingress_lossy_profile"}},
            "PFC_WD": {"Ethernet8": None},
        },
        # nobody uses the port
        {"PORT_QOS_MAP": {"Ethernet8": {"pfc_enable": None}}, "PORT": {"Ethernet8": {"admin_status": "down"}}},
        # a row of PFC_WD watches nothing without pfcwd_sw_enable
        {"PORT_QOS_MAP": {"Ethernet8": LOSSY}, "BUFFER_PG": {"Ethernet8|3": None}},
    ],
)
def test_near_misses_of_leftover_lossless_rows(tables: dict[str, Any]) -> None:
    assert found(**tables) == []


def test_a_part_of_a_configuration_without_port_qos_map_says_nothing_of_pfc() -> None:
    part = {key: changed()[key] for key in ("BUFFER_PG", "BUFFER_PROFILE", "BUFFER_POOL", "QUEUE", "WRED_PROFILE")}
    assert RULE not in sonic_text.names(part)
