"""What a finding on a SONiC switch tells to type: each rule that can fire there has it, and the switch takes it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import sonic_text
from sonic_clean import PORTS, changed, each
from sonic_orch import Switch

from rocecfg.profiles import SHIPPED
from rocecfg.rules import ALL, OFF
from rocecfg.vendors.sonic.fixes import FIXES


class Command(NamedTuple):
    """A form of command that is printed for SONiC. …: what the code fills in."""

    form: str  # a regular expression, from its beginning
    source: str  # what has it, up to which of its effects is known: branches 202311 to 202605
    effect: str
    emptied: str = ""  # what happens when it deletes a row, or takes the last field of one: the row goes with it


_UTILITIES = "sonic-utilities "
_QOS = "sonic-swss orchagent/qosorch.cpp "
_NAME = r"[\w$.,…{}-]+"
COMMANDS = (
    Command(
        rf"sudo pfcwd start( (--action (drop|forward|alert) {_NAME} |…)| *$)",
        f"{_UTILITIES}pfcwd/main.py start",
        "writes the row of PFC_WD of a port that has pfc_enable",
    ),
    Command(r"sudo pfcwd start_default", f"{_UTILITIES}pfcwd/main.py start_default", "the same for neighbors' ports"),
    Command(
        r"sudo pfcwd stop",
        f"{_UTILITIES}pfcwd/main.py stop",
        "deletes rows of PFC_WD of ports, of all ports where none is named; GLOBAL stays",
        emptied="the watchdog of the port stops",
    ),
    Command(r"sudo pfcwd interval (\d+|MS)", f"{_UTILITIES}pfcwd/main.py interval", "HSET of POLL_INTERVAL"),
    Command(r"sudo pfcwd counter_poll enable", f"{_UTILITIES}pfcwd/main.py counter_poll", "HSET of a counter group"),
    Command(
        r"sudo pfcwd big_red_switch disable",
        f"{_UTILITIES}pfcwd/main.py big_red_switch",
        "HSET of BIG_RED_SWITCH, which no YANG model has: it is taken out after",
    ),
    Command(
        r"sudo config ecn -profile NAME -gmin BYTES -gmax BYTES -gdrop PERCENT",
        f"{_UTILITIES}scripts/ecnconfig",
        "HSET of a row of WRED_PROFILE",
    ),
    Command(r"sudo config mmu -p PROFILE (-a -?\d|-t (on|off))", f"{_UTILITIES}scripts/mmuconfig", "-t: from 202505"),
    Command(
        r"sudo config switch-hash global ecmp-hash FIELD \.\.\.",
        f"{_UTILITIES}config/plugins/sonic-hash.py",
        "202311 on",
    ),
    Command(
        r"sudo config switch-trimming global --size BYTES --dscp DSCP --queue QUEUE",
        f"{_UTILITIES}config/plugins/sonic-trimming.py",
        "202505 on",
    ),
    Command(r"sudo config interface pfc asymmetric PORT off", f"{_UTILITIES}pfc/main.py", "HSET of pfc_asym in PORT"),
    Command(r"sudo config interface cable-length PORT \d+m", f"{_UTILITIES}config/main.py", "dynamic model alone"),
    Command(rf"sudo config interface (shutdown|startup) {_NAME}", f"{_UTILITIES}config/main.py", "admin_status"),
    Command(r"sudo config interface speed PORT (MBPS|MBIT)", f"{_UTILITIES}config/main.py", "HSET of PORT"),
    Command(r"sudo config interface advertised-speeds PORT MBIT", f"{_UTILITIES}config/main.py", "portconfig -S"),
    Command(rf"sudo config interface mtu {_NAME} (\d+|…)", f"{_UTILITIES}config/main.py", "HSET of PORT"),
    Command(r"sudo config interface fec PORT rs", f"{_UTILITIES}config/main.py", "HSET of PORT"),
    Command(r"sudo config qos reload --dry_run FILE", f"{_UTILITIES}config/main.py", "writes a file, no row"),
    Command(r"sudo config bgp (shutdown|startup) all", f"{_UTILITIES}config/main.py", "admin_status of BGP_NEIGHBOR"),
    Command(r"sudo config apply-patch", f"{_UTILITIES}generic_config_updater", "the whole must hold in YANG"),
    Command(r"sudo config (checkpoint|rollback) …", f"{_UTILITIES}generic_config_updater", "a rollback is a patch"),
    Command(r"sudo config load( -y|, which)", f"{_UTILITIES}config/main.py load", "merges; no row and no field goes"),
    Command(
        r"sudo config reload( -y| restores)",
        f"{_UTILITIES}config/main.py reload",
        "restarts the services; from 202505 YANG judges a file that is named, up to 202411 if its name has golden",
    ),
    Command(r"sudo config save -y", f"{_UTILITIES}config/main.py save", "writes a file, no row"),
    Command(r"sudo cp … /etc/sonic/config_db.json", "coreutils", "what the next reload takes, which does not judge it"),
    Command(r"show [a-z]", f"{_UTILITIES}show/main.py", "shows"),
    Command(r"sonic-db-cli (> /dev/null|(APPL|ASIC|COUNTERS|CONFIG)_DB (HGET|KEYS) )", "redis", "shows"),
    Command(r"sonic-db-cli CONFIG_DB HSET( '[A-Z_0-9]+\|[\w|-]+' |$)", "redis", "adds and changes fields"),
    Command(
        r"sonic-db-cli CONFIG_DB HSETNX 'PFC_WD\|GLOBAL' POLL_INTERVAL (100|…)", "redis", "where there is no such field"
    ),
    Command(
        r"sonic-db-cli CONFIG_DB HDEL 'PFC_WD\|GLOBAL' BIG_RED_SWITCH",
        "sonic-swss orchagent/pfcwdorch.cpp deleteEntry",
        "the field goes; up to 202605 orchagent crashes where the row goes with it (pull request 4760)",
        emptied="never: POLL_INTERVAL is written before",
    ),
    Command(
        r"sonic-db-cli CONFIG_DB HDEL 'QUEUE\|PORT\|QUEUE' wred_profile",
        f"{_QOS}handleQueueTable",
        "a profile that is named no more comes off the queue",
        emptied="the same: nothing else was in the row",
    ),
    Command(
        r"sonic-db-cli CONFIG_DB HDEL 'PORT_QOS_MAP\|PORT' pfc_enable pfcwd_sw_enable",
        f"{_QOS}handlePortQosMapTable",
        "a mask that is absent is none: PFC is off",
        emptied="the same: maps that were not in the row were not bound",
    ),
    Command(
        r"sonic-db-cli CONFIG_DB DEL '(BUFFER_PG|TABLE)\|(PORT\|(3|3-4|GROUPS|KEY)|\{0\})'",
        "sonic-swss orchagent/bufferorch.cpp processPriorityGroup",
        "deletes a row, with the port down",
        emptied="each number of the key loses its profile: buffermgrd or who types it writes another row then",
    ),
    Command(
        r"sonic-db-cli CONFIG_DB DEL 'PORT_QOS_MAP\|global'",
        f"{_QOS}handleGlobalQosMap",
        "ports without a DSCP map of their own sort no more",
        emptied="the switch's map is none",
    ),
    # Beginnings, to which the code adds rows: stock rows (rocecfg/vendors/sonic/stock.py) and those of a change.
    Command(
        r"sonic-db-cli CONFIG_DB (HDEL|DEL|…)$",
        "the planner's tests and those below",
        "rows of a change",
        emptied="as of its table above; PFC_WD|GLOBAL is not one of them",
    ),
)
_COMMAND = re.compile(r"sudo \w|sonic-db-cli|show (?:pfc|pfcwd|queue|ecn|priority-group|runningconfiguration)\b")
_REMOVES = re.compile(r"sonic-db-cli CONFIG_DB (HDEL|DEL|…)|sudo pfcwd (stop|big_red_switch)")
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
    assert len(text) < 480
    assert not re.search(r"\b(kmin|kmax|pmax|fabric\.|lossless: true|carries|headroom:)", text), "words of an intent"
    for command in commands_in(text):
        assert find_form(command) is not None, command


def commands_in(text: str) -> Iterator[str]:
    """Each command in a text, with all that stands behind it."""
    yield from (text[found.start() :] for found in _COMMAND.finditer(text))


def find_form(command: str) -> Command | None:
    return next((known for known in COMMANDS if re.match(known.form, command)), None)


def texts_in(path: Path) -> Iterator[str]:
    """What of a file may be printed: strings of code, with … for what is filled in; code in Markdown."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        yield from re.findall(r"`+([^`]+)`", text)
        return
    if path.suffix == ".yaml":  # a profile, whose messages are told
        yield from re.findall(r"\(([^()]+)\)", " ".join(text.split()))
        return
    tree = ast.parse(text)
    filled = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    parts = {id(part) for node in filled for part in node.values}
    for node in filled:
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            yield node.value


def test_every_form_of_command_stands_in_the_table() -> None:
    """In fixes, notes, plans, scripts and pages: a new one is looked up in SONiC's source, and written down with it."""
    root = Path(__file__).parents[2]
    paths = [
        *(root / "rocecfg" / "vendors" / "sonic").rglob("*.py"),
        *(root / "rocecfg" / "rules").glob("*.py"),
        *(root / "rocecfg" / "rules" / "pages").glob("*.md"),
        *(root / "docs").rglob("*.md"),
        *(root / "examples").rglob("*.md"),
        *(root / "profiles").rglob("*.yaml"),
        root / "README.md",
    ]
    found = {command: path.name for path in paths for text in texts_in(path) for command in commands_in(text)}
    found |= {command: rule for rule, text in FIXES.items() for command in commands_in(text)}
    assert len(found) > 60
    unknown = {command[:90]: name for command, name in found.items() if find_form(command) is None}
    assert unknown == {}
    seen = {form.form for form in map(find_form, found) if form is not None}
    assert [known.form for known in COMMANDS if known.form not in seen] == [], "printed no more"


def test_what_removes_says_what_becomes_of_the_row() -> None:
    for known in COMMANDS:
        removes = _REMOVES.match(known.form.replace(r"\|", "|").replace("(HDEL|DEL|…)", "DEL")) is not None
        assert known.source
        assert known.effect
        assert not removes or known.emptied or "BIG_RED" in known.effect, known.form


def test_pfc_is_not_turned_on_and_off_by_a_command_that_fails_or_leaves_an_empty_mask() -> None:
    assert [rule for rule, text in FIXES.items() if "interface pfc priority" in text] == []


@pytest.mark.parametrize("armed", [True, False])
@pytest.mark.parametrize(
    "rule", [rule for rule, text in FIXES.items() if "pfcwd_sw_enable" in text and "LIST" not in text]
)
def test_a_fix_of_the_watchdogs_mask_typed_as_it_stands_has_the_watchdog_watch_it(rule: str, armed: bool) -> None:
    """Orchagent takes the mask when a row of PFC_WD comes, and not when the mask does (qosorch.cpp, pfcwdorch.cpp)."""
    row = {"pfc_enable": "3,4", "pfcwd_sw_enable": "3"}
    dogs = {"Ethernet0": {"action": "drop", "detection_time": "200", "restoration_time": "400"}} if armed else {}
    ports = {"Ethernet0": {"admin_status": "up", "speed": "400000", "lanes": "1"}}
    switch = Switch({"PORT": ports, "PORT_QOS_MAP": {"Ethernet0": row}, "PFC_WD": dogs}, 202511)
    assert switch.without_watchdog()
    filled = FIXES[rule].replace("PRIORITIES", "3,4").replace("DETECTION", "200").replace("RESTORATION", "400")
    for command in commands_in(re.sub(r"\bPORT\b", "Ethernet0", filled)):
        switch.type(re.sub(r"(Ethernet0 200) (--restoration-time 400)", r"\2 \1", command.partition(";")[0]))
    assert switch.without_watchdog() == []


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
    assert f"HSET 'PORT_QOS_MAP|PORT' pfcwd_sw_enable {listed}; " in help
    other = on(*priorities)
    for p in PORTS:
        other["PORT_QOS_MAP"][p]["pfcwd_sw_enable"] = "2"
    (help,) = helps(other, "watchdog-priorities")
    assert f"pfcwd_sw_enable {listed}; " in help
    for rule, field in (("ecn-missing", "wred_profile"), ("sonic-unscheduled", "scheduler")):
        bare = on(*priorities)
        for p in PORTS:
            for n in priorities:
                del bare["QUEUE"][f"{p}|{n}"][field]
        assert {re.search(r"'QUEUE\|PORT\|(\d)'", help)[1] for help in helps(bare, rule)} == set(listed.split(","))
    off = on(*priorities)
    off["PORT_QOS_MAP"][PORTS[0]]["pfc_enable"] = ""
    (help,) = helps(off, "sonic-unpaused")
    assert f"LIST (comma-separated, with {listed if len(priorities) == 1 else 'PRIORITY'})" in help


def test_a_control_priority_is_turned_off_and_not_another() -> None:
    (help,) = helps(on(3, 6), "pfc-control-prio")
    assert help.startswith("sudo pfcwd stop PORT; sonic-db-cli CONFIG_DB HSET 'PORT_QOS_MAP|PORT' pfc_enable LIST ")
    assert "without 6; if none is left: sonic-db-cli CONFIG_DB HDEL 'PORT_QOS_MAP|PORT' pfc_enable pfcw" in help


def test_a_lossless_class_whose_dscp_row_is_wrong_gets_its_row_back() -> None:
    (found,) = sonic_text.findings(changed(DSCP_TO_TC_MAP={"AZURE": {"26": "1"}}))
    assert (found.rule.name, found.severity) == ("pfc-rdma-only", "error")  # no RDMA is lossless any more
    assert found.message.startswith("PFC is on for priority 3")
    assert "no DSCP" in found.message
    assert "RDMA" in found.message
    assert found.help.startswith(
        "map RDMA's code point to it: sonic-db-cli CONFIG_DB HSET 'DSCP_TO_TC_MAP|AZURE' DSCP 3"
    )
    assert not found.help.startswith("sudo pfcwd stop")


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
    assert "if no RDMA uses it, sudo pfcwd stop PORT; " in found.help
    assert "without 4; " in found.help


def test_fixes_stand_beside_findings() -> None:
    (missing,) = sonic_text.findings(changed(PFC_WD=None))
    assert missing.help.endswith("sudo pfcwd start --action drop PORT 200 --restoration-time 400")
    (asym,) = sonic_text.findings(changed(PORT=each({"pfc_asym": "on"})))
    assert asym.help == "sudo config interface pfc asymmetric PORT off"
    assert asym.ports == PORTS
