"""What a finding on a SONiC switch tells to type: each rule that can fire there has it, and the switch takes it."""

from __future__ import annotations

import re
from typing import Any

import pytest
import sonic_text
from sonic_clean import PORTS, changed, each

from rocecfg.profiles import SHIPPED
from rocecfg.rules import ALL, OFF
from rocecfg.vendors.sonic.fixes import FIXES

# What a command begins with, and how it goes on: the usage of sonic-utilities, 202311 to 202605.
COMMANDS = (
    r"sudo pfcwd start --action (drop|forward|alert) PORT (DETECTION|\d+) --restoration-time (RESTORATION|\d+)",
    r"sudo pfcwd interval \d+",
    r"sudo pfcwd stop PORT",
    r"sudo pfcwd counter_poll enable",
    r"sudo pfcwd big_red_switch disable",
    r"sudo config ecn -profile NAME -gmin BYTES -gmax BYTES -gdrop PERCENT",
    r"sudo config mmu -p PROFILE (-a -?\d|-t off)",
    r"sudo config switch-hash global ecmp-hash FIELD \.\.\. L4_SRC_PORT",
    r"sudo config switch-trimming global --size BYTES --dscp DSCP --queue QUEUE",
    r"sudo config interface pfc (priority PORT PRIORITY (on|off)|asymmetric PORT off)",
    r"sudo config interface cable-length PORT \d+m",
    r"sudo config interface (shutdown|startup) PORT",
    r"sudo config interface speed PORT MBPS",
    r"sudo config interface mtu PORT \d+",
    r"sudo config interface fec PORT rs",
    r"sudo config qos reload --dry_run FILE",
    r"sonic-db-cli CONFIG_DB (HSET|HDEL|DEL) '[A-Z_]+\|[A-Za-z_]+(\|[A-Z0-9-]+)?'",
)
# Intents alone give cause for these: what classes carry, and what hosts, telemetry and rollouts are.
# An erratum has its fix in the profile; watchdog-poll-eos is of systems whose watchdog needs several polls a time.
_OTHERS = {
    "nos-erratum",
    "watchdog-poll-eos",
    "mix-storage-roce",
    "mix-cnp",
    "mix-cnp-control",
    "mix-k8s",
    "mix-mcast",
    "ets-cnp-cap",
    "ecn-weight",
    "pfc-global-pause",
    "pfc-dcbx",
    "pfc-macsec",
    "pfc-lossy-cc-only",
}


def on_sonic() -> set[str]:
    """The rules that a SONiC switch's own configuration can break."""
    return {
        r.name
        for r in ALL
        if r.scope not in ("source", "fabric")  # of the former, what is wrong tells its fix itself
        and r.by_kind.get("running") != OFF
        and (not r.vendors or "sonic" in r.vendors)
        and not set(r.needs) & {"hosts", "telemetry", "rollout", "links", "routing"}
        and not r.name.startswith(("ops-", "hygiene-"))
    }


def test_every_rule_that_can_fire_has_a_fix() -> None:
    assert on_sonic() - FIXES.keys() - _OTHERS == set()
    assert SHIPPED.nos("sonic").watchdog_polls == 1
    assert all(erratum.fix for erratum in SHIPPED.nos("sonic").errata)


def test_every_fix_is_of_a_rule() -> None:
    assert {rule.partition(":")[0] for rule in FIXES} - {r.name for r in ALL} == set()


@pytest.mark.parametrize("rule", sorted(FIXES))
def test_a_fix_is_one_line_that_the_switch_would_take(rule: str) -> None:
    text = FIXES[rule]
    assert text.isprintable()
    assert len(text) < 240
    assert not re.search(r"\b(kmin|kmax|pmax|fabric\.|lossless: true|carries|headroom:)", text), "words of an intent"
    for found in re.finditer(r"sudo \S+|sonic-db-cli", text):
        assert any(re.match(command, text[found.start() :]) for command in COMMANDS), text[found.start() :]


def test_no_fix_is_about_priority_3_whatever_the_switch_has() -> None:
    assert [rule for rule, text in FIXES.items() if re.search(r"\|3|sw_enable 3|PRIORITY 3|class 3", text)] == []


def on(*priorities: int) -> dict[str, Any]:
    """The clean leaf with these lossless priorities instead of 3."""
    listed = ",".join(map(str, priorities))
    old = {f"{p}|3": None for p in PORTS}
    new = {f"{p}|{n}": n for p in PORTS for n in priorities}
    dscps = {26: priorities[0], 28: priorities[-1], 48: 6}
    return changed(
        PORT_QOS_MAP=each({"pfc_enable": listed, "pfcwd_sw_enable": listed}),
        DSCP_TO_TC_MAP={"AZURE": {str(d): str(dscps.get(d, 0)) for d in range(64)}},
        TC_TO_PRIORITY_GROUP_MAP={"AZURE": {str(n): str(n if n in priorities else 0) for n in range(7)}},
        QUEUE=old | {key: {"scheduler": "scheduler.1", "wred_profile": "AZURE_LOSSLESS"} for key in new},
        BUFFER_PG=old | {key: {"profile": "pg_lossless_400000_40m_profile"} for key in new},
        BUFFER_QUEUE=old | {key: {"profile": "egress_lossless_profile"} for key in new},
    )


def helps(config: dict[str, Any], rule: str) -> set[str]:
    found = {f.help for f in sonic_text.findings(config) if f.rule.name == rule}
    assert found, rule
    return found


@pytest.mark.parametrize("priorities", [(4,), (3, 4), (5,)])
def test_fixes_name_the_priorities_of_the_switch(priorities: tuple[int, ...]) -> None:
    listed = ",".join(map(str, priorities))
    dogless = on(*priorities)
    del dogless["PFC_WD"]
    (help,) = helps(dogless, "watchdog-missing")
    assert help.endswith(f"HSET 'PORT_QOS_MAP|PORT' pfcwd_sw_enable {listed}")
    other = on(*priorities)
    for p in PORTS:
        other["PORT_QOS_MAP"][p]["pfcwd_sw_enable"] = "2"
    (help,) = helps(other, "watchdog-priorities")
    assert help.endswith(f"pfcwd_sw_enable {listed}")
    for rule, field in (("ecn-missing", "wred_profile"), ("sonic-unscheduled", "scheduler")):
        bare = on(*priorities)
        for p in PORTS:
            for n in priorities:
                del bare["QUEUE"][f"{p}|{n}"][field]
        assert {re.search(r"'QUEUE\|PORT\|(\d)'", help)[1] for help in helps(bare, rule)} == set(listed.split(","))
    off = on(*priorities)
    off["PORT_QOS_MAP"][PORTS[0]]["pfc_enable"] = ""
    (help,) = helps(off, "sonic-unpaused")
    assert f"priority PORT {listed if len(priorities) == 1 else 'PRIORITY'} on" in help


def test_a_control_priority_is_turned_off_and_not_another() -> None:
    (help,) = helps(on(3, 6), "pfc-control-prio")
    assert help.startswith("sudo config interface pfc priority PORT 6 off")


def test_a_lossless_class_whose_dscp_row_is_wrong_gets_its_row_back() -> None:
    (found,) = sonic_text.findings(changed(DSCP_TO_TC_MAP={"AZURE": {"26": "1"}}))
    assert (found.rule.name, found.severity) == ("pfc-rdma-only", "error")  # no RDMA is lossless any more
    assert found.message.startswith("PFC is on for priority 3, and no DSCP leads to tc3: ")
    assert "RDMA" in found.message
    assert found.help.startswith(
        "map RDMA's code point to it: sonic-db-cli CONFIG_DB HSET 'DSCP_TO_TC_MAP|AZURE' DSCP 3"
    )
    assert not found.help.startswith("sudo config interface pfc")


@pytest.mark.parametrize("name", [r"a\1", r"a\g<x>", "a'b", "a$(reboot)", "OWN-2"])
def test_a_map_is_named_where_a_shell_leaves_its_name_alone(name: str) -> None:
    strayed = {str(dscp): "1" if dscp == 26 else "0" for dscp in range(64)}
    config = changed(DSCP_TO_TC_MAP={name: strayed}, PORT_QOS_MAP=each({"dscp_to_tc_map": name}))
    (help,) = helps(config, "pfc-rdma-only")
    shown = name if name == "OWN-2" else "DSCP_MAP"
    assert help.startswith(f"map RDMA's code point to it: sonic-db-cli CONFIG_DB HSET 'DSCP_TO_TC_MAP|{shown}' DSCP 3")


def test_a_second_lossless_class_that_nothing_reaches_may_be_turned_off() -> None:
    spare = on(3, 4)
    spare["DSCP_TO_TC_MAP"]["AZURE"]["28"] = "3"
    (found,) = [f for f in sonic_text.findings(spare) if f.rule.name == "pfc-rdma-only"]
    assert found.severity == "warning"
    assert "if no RDMA is meant for it, sudo config interface pfc priority PORT 4 off" in found.help


def test_fixes_stand_beside_findings() -> None:
    (missing,) = sonic_text.findings(changed(PFC_WD=None))
    assert missing.help.startswith("sudo pfcwd start --action drop PORT 200 --restoration-time 400")
    (asym,) = sonic_text.findings(changed(PORT=each({"pfc_asym": "on"})))
    assert asym.help == "sudo config interface pfc asymmetric PORT off"
    assert asym.ports == PORTS
