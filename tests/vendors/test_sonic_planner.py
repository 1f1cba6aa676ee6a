"""The steps between two sets of tables, each rule of the planner by itself."""

from __future__ import annotations

import json
import shlex
from copy import deepcopy
from random import Random
from typing import Any

import jsonpatch
import pytest
from loops import loop
from sonic_factory import device, dynamic, ports, stock
from sonic_orch import Switch, numbers

from rocecfg.profiles import SHIPPED
from rocecfg.source.document import Document
from rocecfg.vendors.changes import BRIEF_PAUSE, HITLESS, PORT_FLAP, Step, What
from rocecfg.vendors.sonic.change import held, make_target, plan_change, plan_steps, safe, switch_of
from rocecfg.vendors.sonic.change.steps import list_refused
from rocecfg.vendors.sonic.change.tables import with_names_of_switch
from rocecfg.vendors.sonic.keys import referenced_name

Config = dict[str, Any]
BOX = device(ports("Ethernet0", "Ethernet8"), version="202505")
UNGATED = device(ports("Ethernet0"), version="202211")  # a release whose apply-patch takes everything
WATCHED = {"GLOBAL": {"POLL_INTERVAL": "100"}}


def running() -> Config:
    """Stock rows of two ports."""
    return {**stock("Ethernet0", "Ethernet8"), "PFC_WD": deepcopy(WATCHED)}


def planned(config: Config, after: Config, dev: Any = BOX, own: Config | None = None) -> tuple[Step, ...]:
    return plan_steps(switch_of(dev, config, own or {}), after)


def changed(config: Config, *values: tuple[str, str, str, str | None]) -> Config:
    """Table, key, field, value; None: the field goes."""
    after = deepcopy(config)
    for table, key, field, value in values:
        row = after.setdefault(table, {}).setdefault(key, {})
        if value is None:
            del row[field]
        else:
            row[field] = value
    return after


def reported(made: tuple[Step, ...]) -> list[str]:
    """The tables of patches, and the commands."""
    out = []
    for step in made:
        tables = dict.fromkeys(op["path"].split("/")[1] for op in step.operations)
        out.append(" ".join(tables) if tables else " / ".join(line.partition(" $PORT")[0][:60] for line in step.lines))
    return out


def test_nothing_is_nothing() -> None:
    assert planned(running(), running()) == ()


def test_what_is_referred_to_comes_first_and_it_is_saved_once() -> None:
    config = running()
    after = changed(
        config,
        ("QUEUE", "Ethernet0|3", "scheduler", "own"),
        ("PORT_QOS_MAP", "Ethernet0", "dscp_to_tc_map", "OWN"),
        ("BUFFER_QUEUE", "Ethernet0|5-6", "profile", "egress_lossless_profile"),
        ("BUFFER_PROFILE", "own", "size", "0"),
        ("CABLE_LENGTH", "AZURE", "Ethernet99", "5m"),
        ("SCHEDULER", "own", "weight", "7"),
        ("DSCP_TO_TC_MAP", "OWN", "0", "0"),
        ("FLEX_COUNTER_TABLE", "PG_DROP", "FLEX_COUNTER_STATUS", "enable"),
    )
    made = planned(config, after, UNGATED)
    assert reported(made) == [
        "DSCP_TO_TC_MAP SCHEDULER",
        "BUFFER_PROFILE CABLE_LENGTH",
        "BUFFER_QUEUE PORT_QOS_MAP QUEUE",
        "FLEX_COUNTER_TABLE",
    ]
    assert [step.mark for step in made] == [HITLESS, BRIEF_PAUSE, PORT_FLAP, HITLESS]
    assert [step.save for step in made] == ["", "", "", "sudo config save -y"]
    text = deepcopy(config)
    for step in made:
        text = jsonpatch.apply_patch(text, [dict(op) for op in step.operations])
    assert text == after


@pytest.mark.parametrize(
    ("place", "mark"),
    [
        (("TC_TO_PRIORITY_GROUP_MAP", "AZURE", "5", "3"), BRIEF_PAUSE),
        (("MAP_PFC_PRIORITY_TO_QUEUE", "AZURE", "3", "4"), BRIEF_PAUSE),
        (("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", "AZURE", "3", "4"), BRIEF_PAUSE),
        (("LOSSLESS_TRAFFIC_PATTERN", "AZURE", "mtu", "9000"), BRIEF_PAUSE),
        (("DEFAULT_LOSSLESS_BUFFER_PARAMETER", "AZURE", "default_dynamic_th", "1"), BRIEF_PAUSE),
        (("CABLE_LENGTH", "AZURE", "Ethernet99", "5m"), BRIEF_PAUSE),
        (("TC_TO_QUEUE_MAP", "AZURE", "5", "3"), HITLESS),
        (("BUFFER_POOL", "ingress_lossless_pool", "xoff", "1"), BRIEF_PAUSE),
        (("PORT", "Ethernet0", "mtu", "9216"), BRIEF_PAUSE),
        (("QUEUE", "Ethernet0|3", "scheduler", "scheduler.0"), PORT_FLAP),
        (("BUFFER_PG", "Ethernet0|0", "profile", "egress_lossy_profile"), PORT_FLAP),
        (("BUFFER_QUEUE", "Ethernet0|0-2", "profile", "egress_lossless_profile"), PORT_FLAP),
        (("PFC_WD", "GLOBAL", "POLL_INTERVAL", "200"), HITLESS),
        (("DEVICE_METADATA", "localhost", "default_pfcwd_status", "enable"), HITLESS),
        (("PORT", "Ethernet0", "fec", "fc"), PORT_FLAP),  # as all that nobody looked up
        (("DEVICE_METADATA", "localhost", "buffer_model", "dynamic"), PORT_FLAP),
    ],
)
def test_what_a_row_disturbs(place: tuple[str, str, str, str], mark: str) -> None:
    config = running()
    (step,) = planned(config, changed(config, place))
    assert step.mark == mark


@pytest.mark.parametrize("table", ["QUEUE", "BUFFER_QUEUE"])
def test_a_table_that_is_not_there_yet_flaps_the_ports_of_its_rows(table: str) -> None:
    after = running()
    (step,) = planned({name: rows for name, rows in after.items() if name != table}, after, UNGATED)
    assert [(op["op"], op["path"]) for op in step.operations] == [("add", f"/{table}")]
    assert step.mark == PORT_FLAP


def test_a_port_that_is_down_does_not_flap() -> None:
    config = changed(running(), ("PORT", "Ethernet0", "admin_status", "down"))
    (step,) = planned(config, changed(config, ("QUEUE", "Ethernet0|3", "scheduler", "scheduler.0")))
    assert step.mark == HITLESS
    for place in (
        ("PORT_QOS_MAP", "Ethernet0", "pfc_enable", "3"),
        ("BUFFER_QUEUE", "Ethernet0|0-2", "profile", "egress_lossless_profile"),
        ("BUFFER_PG", "Ethernet0|0", "profile", "egress_lossy_profile"),
    ):
        (step,) = planned(config, changed(config, place))
        assert step.mark == BRIEF_PAUSE


@pytest.mark.parametrize(("hwsku", "patched"), [("ACS-SN5600", True), ("Homemade", False)])
def test_pfc_and_the_row_of_the_watchdog_are_never_one_patch(hwsku: str, *, patched: bool) -> None:
    """apply-patch adds rows before it changes fields, and the watchdog is armed for the fields of that moment."""
    config = running()
    for port in ("Ethernet0", "Ethernet8"):
        config["PORT_QOS_MAP"][port] |= {"pfc_enable": "", "pfcwd_sw_enable": ""}
    config["BUFFER_PG"] = {"Ethernet0|3": {"profile": "NULL"}}
    config["DEVICE_METADATA"]["localhost"] |= {"hwsku": hwsku, "buffer_model": "dynamic"}
    dev = dynamic(ports("Ethernet0"), version="202505")
    after = changed(
        config,
        ("PORT_QOS_MAP", "Ethernet0", "pfc_enable", "3"),
        ("PORT_QOS_MAP", "Ethernet0", "pfcwd_sw_enable", "3"),
        ("PFC_WD", "Ethernet0", "detection_time", "200"),
        ("PFC_WD", "Ethernet0", "restoration_time", "400"),
        ("PFC_WD", "GLOBAL", "POLL_INTERVAL", "200"),
    )
    made = planned(config, after, dev)
    interval = "PFC_WD" if patched else "sonic-db-cli CONFIG_DB HSET 'PFC_WD|GLOBAL' POLL_INTERVAL 20"
    assert reported(made)[:5] == [
        "sudo config interface shutdown Ethernet0",
        "PORT_QOS_MAP",
        interval,
        "sudo pfcwd start --restoration-time 400 Ethernet0 200",
        "sudo config interface startup Ethernet0",
    ]
    refused = [op["path"] for op in list_refused(switch_of(dev, config, {}), after)]
    assert refused == ([] if patched else ["/PFC_WD/GLOBAL/POLL_INTERVAL"])
    assert all(step.ordered for step in made if "interface" in step.lines[0:1] or "pfcwd" in str(step.lines))


def test_the_watchdog_is_stopped_for_other_priorities_and_started_by_command_or_row() -> None:
    config = running()
    timers = {"detection_time": "200", "restoration_time": "400"}
    config["PFC_WD"] |= {
        "Ethernet0": {**timers, "action": "drop"},
        "Ethernet8": {"detection_time": "200"},  # pfcwd start would make up a restoration time
    }
    config["BUFFER_PG"] = {}
    values = [
        ("PORT_QOS_MAP", port, mask, "3")
        for port in ("Ethernet0", "Ethernet8")
        for mask in ("pfc_enable", "pfcwd_sw_enable")
    ]
    after = changed(config, *values)
    made = planned(config, after, UNGATED)
    lines = [line for step in made for line in step.lines]
    assert "sudo pfcwd stop Ethernet0 Ethernet8" in lines
    assert "sudo pfcwd start --action drop --restoration-time 400 Ethernet0 200" in lines
    assert "sonic-db-cli CONFIG_DB HSET 'PFC_WD|Ethernet8' detection_time 200" in lines
    assert not any("PFC_WD" in op["path"] for step in made for op in step.operations)
    assert all(step.ordered for step in made if step.lines)
    shut, start = (next(n for n, line in enumerate(lines) if word in line) for word in ("shutdown", "startup"))
    assert shut < lines.index("sudo pfcwd stop Ethernet0 Ethernet8") < start
    assert not any(
        "pfcwd stop" in line for step in planned(config, changed(config, *values[::2])) for line in step.lines
    )


@pytest.mark.parametrize(
    ("release", "history", "started"),
    [
        ("202511", "enable", "sudo pfcwd start --restoration-time 400 --pfc-stat-history Ethernet0 200"),
        ("202511", "disable", "sudo pfcwd start --restoration-time 400 Ethernet0 200"),
        ("202505", "enable", "sonic-db-cli CONFIG_DB HSET 'PFC_WD|Ethernet0'"),  # whose command has no such flag
        ("202511", "always", "sonic-db-cli CONFIG_DB HSET 'PFC_WD|Ethernet0'"),
    ],
)
def test_a_watchdog_that_the_command_line_started_is_started_by_it(release: str, history: str, started: str) -> None:
    """From 202511 `pfcwd start` writes a fourth field (sonic-utilities, pfcwd/main.py)."""
    config = running()
    row = {"detection_time": "200", "restoration_time": "400", "pfc_stat_history": history}
    config["PFC_WD"]["Ethernet0"] = row
    config["BUFFER_PG"] = {}
    after = changed(config, *(("PORT_QOS_MAP", "Ethernet0", mask, "3") for mask in ("pfc_enable", "pfcwd_sw_enable")))
    made = planned(config, after, device(ports("Ethernet0"), version=release))
    masks, starts = (
        [n for n, step in enumerate(made) if found(step)]
        for found in (
            lambda step: any("PORT_QOS_MAP" in op["path"] for op in step.operations),
            lambda step: any(line.startswith(started) for line in step.lines),
        )
    )
    assert max(masks) < starts[0]
    assert not any("PFC_WD" in op["path"] for step in made for op in step.operations)


def test_the_priorities_that_a_watchdog_is_for_are_those_of_pfc_before_there_was_a_mask() -> None:
    config = running()
    config["PFC_WD"]["Ethernet0"] = {"detection_time": "200", "restoration_time": "400"}
    config["BUFFER_PG"] = {}
    old = device(ports("Ethernet0"), version="202111")
    after = changed(config, ("PORT_QOS_MAP", "Ethernet0", "pfc_enable", "3"))
    assert any("pfcwd stop Ethernet0" in line for step in planned(config, after, old) for line in step.lines)
    assert not any("pfcwd" in line for step in planned(config, after) for line in step.lines)


def test_big_red_switch_has_a_command_of_its_own() -> None:
    config = changed(running(), ("PFC_WD", "GLOBAL", "BIG_RED_SWITCH", "enable"))
    poll, forget = (
        "sonic-db-cli CONFIG_DB HSETNX 'PFC_WD|GLOBAL' POLL_INTERVAL 100",
        "sonic-db-cli CONFIG_DB HDEL 'PFC_WD|GLOBAL' BIG_RED_SWITCH",
    )
    (step,) = planned(config, running())
    assert step.lines == ("sudo pfcwd big_red_switch disable", poll, forget)
    first, *rest = planned(config, changed(running(), ("WRED_PROFILE", "AZURE_LOSSLESS", "green_min_threshold", "1")))
    assert first.lines == step.lines  # beside that field YANG refuses the patch
    assert rest
    assert planned(running(), running()) == ()
    gone = {table: rows for table, rows in running().items() if table != "PFC_WD"}
    assert not any("big_red" in line for step in planned(config, gone) for line in step.lines)


def test_direct_writes_where_there_is_no_patch() -> None:
    """A release without apply-patch: rows of ports alike in one loop, words that a shell takes apart in quotes."""
    config = running()
    after = changed(
        config,
        ("QUEUE", "Ethernet0|3", "scheduler", "scheduler.0"),
        ("QUEUE", "Ethernet8|3", "scheduler", "scheduler.0"),
        ("QUEUE", "Ethernet8|4", "wred_profile", None),
        ("SCHEDULER", "odd name", "type", "DWRR;"),
    )
    del after["QUEUE"]["Ethernet0|6"]
    made = planned(config, after, device(ports("Ethernet0"), version="202012"))
    assert [line for step in made for line in step.lines] == [
        "sonic-db-cli CONFIG_DB HSET 'SCHEDULER|odd name' type 'DWRR;'",
        "sonic-db-cli CONFIG_DB DEL 'QUEUE|Ethernet0|6'",
        'for PORT in Ethernet0 Ethernet8; do sonic-db-cli CONFIG_DB HSET "QUEUE|$PORT|3" scheduler scheduler.0; done',
        "sonic-db-cli CONFIG_DB HDEL 'QUEUE|Ethernet8|4' wred_profile",
    ]
    assert "SONiC 202012 has no config apply-patch that works (rows of SCHEDULER" in (made[0].refused or "")
    part = {table: rows for table, rows in config.items() if table != "PORT"}
    after.pop("PORT")
    assert "this is only a part" in (planned(part, after)[0].refused or "")


def test_the_first_release_with_apply_patch_gets_one() -> None:
    """202012 has none, and that of 202106 raises NotImplementedError (sonic-utilities, generic_updater.py)."""
    after = changed(running(), ("SCHEDULER", "scheduler.1", "weight", "7"))
    for release, patched in (("202111", True), ("202106", False), ("202012", False)):
        (step,) = planned(running(), after, device(ports("Ethernet0"), version=release))
        assert (bool(step.operations), step.refused is None) == (patched, patched)


def test_names_that_a_shell_would_take_apart_stay_words() -> None:
    """A name of the switch is typed as it is: nothing in it is run, and no loop goes over its words."""
    names = ("own $(reboot)", "o'dd")
    config = running()
    config["SCHEDULER"] |= {name: {"type": "DWRR", "weight": "1"} for name in names}
    after = changed(config, *(("SCHEDULER", name, "weight", "7") for name in names))
    made = planned(config, after, device(ports("Ethernet0"), version="202012"))
    lines = [line for step in made for line in step.lines]
    assert [shlex.split(line) for line in lines] == [
        ["sonic-db-cli", "CONFIG_DB", "HSET", f"SCHEDULER|{name}", "weight", "7"] for name in names
    ]
    assert lines[0] == "sonic-db-cli CONFIG_DB HSET 'SCHEDULER|own $(reboot)' weight 7"


def test_what_the_switch_says_is_run_by_no_command_while_ports_are_down() -> None:
    """A key without a number is none that buffermgrd writes: the patch takes it away, and no command is made of it."""
    config = changed(
        running(),
        ("BUFFER_PG", "Ethernet0|3$(reboot)", "profile", "pg_lossless_400000_300m_profile"),
        ("CABLE_LENGTH", "AZURE", "Ethernet0", "300m;reboot"),
        ("PORT_QOS_MAP", "Ethernet0", "pfcwd_sw_enable", "4"),
    )
    timers = {"action": "drop {};reboot", "detection_time": "200;reboot", "restoration_time": "400;reboot"}
    config["PFC_WD"]["Ethernet0"] = timers
    after = changed(config, *(("PORT_QOS_MAP", "Ethernet0", mask, "3") for mask in ("pfc_enable", "pfcwd_sw_enable")))
    for key in ("Ethernet0|3-4", "Ethernet0|3$(reboot)"):
        del after["BUFFER_PG"][key]
    made = planned(config, after, UNGATED)
    lines = [line for step in made for line in step.lines]
    patched = [op["path"] for step in made for op in step.operations if "reboot" in repr(op)]
    assert patched == ["/BUFFER_PG/Ethernet0|3$(reboot)"]
    words = [shlex.split(line) for line in lines if "reboot" in line]
    watchdog = ["sudo", "pfcwd", "start", "--action", timers["action"], "--restoration-time", "400;reboot", "Ethernet0"]
    assert [*watchdog, "200;reboot"] in words
    assert [each[-3:] for each in words if "grep" in each] == [["grep", "-v", "pg_lossless_400000_300m;reboot_profile"]]
    assert len(words) == 2


@pytest.mark.parametrize("number", ["³", "0-999999999999", "9" * 5000])
def test_what_is_no_number_is_no_queue_and_no_priority(number: str) -> None:
    """No row of RoCE has it, so nothing overlaps it; it is not counted either."""
    odd = changed(running(), ("QUEUE", f"Ethernet0|{number}", "scheduler", "scheduler.0"))
    for port in ("Ethernet0", "Ethernet8"):
        odd["PORT_QOS_MAP"][port]["pfc_enable"] = f"3,4,{number}"
    rendered = changed(running(), ("PORT_QOS_MAP", "Ethernet0", "pfc_enable", "3"))
    after = make_target(odd, rendered, {"Ethernet0": frozenset({What("pfc"), What("ecn", 3)})}, BOX).tables
    made = planned(odd, after)
    patched = [op["path"] for step in made for op in step.operations]
    assert patched == ["/PORT_QOS_MAP/Ethernet0/pfc_enable"]
    assert not any(number in line for step in made for line in step.lines)


def test_tables_that_come_and_go_whole_and_rows_without_fields() -> None:
    config = running()
    after = {**config, "PFC_WD": {}, "DOT1P_TO_TC_MAP": {"A/B": {"0": "0"}}}
    operations = [dict(op) for step in planned(config, after, UNGATED) for op in step.operations]
    assert operations == [
        {"op": "add", "path": "/DOT1P_TO_TC_MAP", "value": {"A/B": {"0": "0"}}},
        {"op": "remove", "path": "/PFC_WD"},
    ]
    config = after
    after = changed({**after, "QUEUE": {**after["QUEUE"], "Ethernet0|6": {}}}, ("DOT1P_TO_TC_MAP", "A/B", "0", "1"))
    operations = [dict(op) for step in planned(config, after, UNGATED) for op in step.operations]
    assert operations == [
        {"op": "replace", "path": "/DOT1P_TO_TC_MAP/A~1B/0", "value": "1"},
        {"op": "remove", "path": "/QUEUE/Ethernet0|6"},
    ]


def test_a_row_without_fields_is_written_as_redis_keeps_it() -> None:
    """A hash without fields is none: CONFIG_DB has NULL there (sonic-swss-common, ConfigDBConnector)."""
    config = running()
    before = {**config, "PORT_QOS_MAP": {k: v for k, v in config["PORT_QOS_MAP"].items() if k != "Ethernet8"}}
    after = {**before, "PORT_QOS_MAP": {**before["PORT_QOS_MAP"], "Ethernet8": {}}}
    made = planned(before, after, device(ports("Ethernet0"), version="202012"))
    assert [line for step in made for line in step.lines] == [
        "sonic-db-cli CONFIG_DB HSET 'PORT_QOS_MAP|Ethernet8' NULL NULL"
    ]


def test_trimming_is_the_row_that_is_meant() -> None:
    row = {"size": "256", "dscp_value": "5", "queue_index": "6"}
    config = {**running(), "SWITCH_TRIMMING": {"GLOBAL": {**row, "size": "512"}}}
    rendered = {**running(), "SWITCH_TRIMMING": {"GLOBAL": row}}
    assert make_target(config, rendered, {None: frozenset({What("trimming")})}, BOX).tables["SWITCH_TRIMMING"] == {
        "GLOBAL": row
    }


def test_what_a_port_writes_into_packets_is_no_part_of_how_it_sorts() -> None:
    config = changed(running(), ("PORT_QOS_MAP", "Ethernet0", "tc_to_dscp_map", "OWN"))
    scope = {"Ethernet0": frozenset({What("dscp", 26)})}
    assert make_target(config, running(), scope, BOX).tables["PORT_QOS_MAP"]["Ethernet0"]["tc_to_dscp_map"] == "OWN"


def test_pfc_before_the_cable_length_that_is_meant_is_a_danger() -> None:
    config = running()
    for port in ("Ethernet0", "Ethernet8"):
        config["PORT_QOS_MAP"][port] |= {"pfc_enable": "", "pfcwd_sw_enable": ""}
        config["PFC_WD"][port] = {"detection_time": "200"}
    on = (("PORT_QOS_MAP", "Ethernet0", "pfc_enable", "3"), ("PORT_QOS_MAP", "Ethernet0", "pfcwd_sw_enable", "3"))
    after = changed(config, *on, ("CABLE_LENGTH", "AZURE", "Ethernet0", "40m"))
    for between, expected in ((changed(config, *on), ["cable length before PFC"]), (after, [])):
        moment = safe.Moment(between, after, "pfcwd_sw_enable")
        assert [danger.name for danger, _ in safe.find_endangered(config, moment)] == expected


def test_names_of_the_switch_are_kept_where_they_serve_the_same() -> None:
    config = running()
    rendered = deepcopy(config)
    for key, row in rendered["QUEUE"].items():
        if key.endswith("|3"):
            row["wred_profile"] = "[WRED_PROFILE|roce]"
        elif key.endswith("|4"):
            del row["wred_profile"]  # what runs there is a leftover
    rendered["WRED_PROFILE"] = {"roce": {**config["WRED_PROFILE"]["AZURE_LOSSLESS"], "green_min_threshold": "7"}}
    meant = with_names_of_switch(rendered, config)
    assert set(meant["WRED_PROFILE"]) == {"AZURE_LOSSLESS"}
    assert meant["QUEUE"]["Ethernet0|3"]["wred_profile"] == "[WRED_PROFILE|AZURE_LOSSLESS]"
    config["QUEUE"]["Ethernet99|3"] = {"wred_profile": "AZURE_LOSSLESS"}  # a port that the intent does not name
    meant = with_names_of_switch(rendered, config)
    assert set(meant["WRED_PROFILE"]) == {"roce"}
    assert referenced_name("[WRED_PROFILE|AZURE]") == referenced_name("AZURE") == "AZURE"


def test_a_map_of_the_switch_is_kept_where_it_serves_the_same_ports() -> None:
    config = running()
    config["DSCP_TO_TC_MAP"]["OWN"] = config["DSCP_TO_TC_MAP"].pop("AZURE")
    for row in config["PORT_QOS_MAP"].values():
        row["dscp_to_tc_map"] = "OWN"
    rendered = changed(running(), ("DSCP_TO_TC_MAP", "AZURE", "26", "3"))
    after = make_target(config, rendered, {None: frozenset({What("dscp", 26)})}, BOX).tables
    assert after == changed(config, ("DSCP_TO_TC_MAP", "OWN", "26", "3"))


def test_a_scheduler_of_the_switch_is_kept_where_it_serves_the_same_queues() -> None:
    config = running()
    config["SCHEDULER"]["own"] = config["SCHEDULER"].pop("scheduler.1")
    for row in config["QUEUE"].values():
        row["scheduler"] = row["scheduler"].replace("scheduler.1", "own")
    rendered = changed(running(), ("SCHEDULER", "scheduler.1", "weight", "60"))
    scope = {port: frozenset({What("shares", None, "3")}) for port in ("Ethernet0", "Ethernet8")}
    after = make_target(config, rendered, scope, BOX).tables
    assert after == changed(config, ("SCHEDULER", "own", "weight", "60"))


def test_a_file_of_several_asics_is_left_as_it_is() -> None:
    """A row names its port alone: of which ASIC it is to be changed would be a guess."""
    asics = {asic: stock(port) for asic, port in (("asic0", "Ethernet0"), ("asic1", "Ethernet8"))}
    document = Document(0, "config_db.json", json.dumps(asics))
    meant = json.dumps(changed(running(), ("SCHEDULER", "scheduler.1", "weight", "60")))
    made = plan_change(meant, document, {"Ethernet0": frozenset({What("shares", None, "3")})}, BOX)
    assert (made.steps, made.after) == ((), document.text)
    assert "multi-ASIC switch" in made.beyond[0]


def test_a_target_takes_what_is_in_scope_and_no_more() -> None:
    config = running()
    rendered = changed(
        config,
        ("TC_TO_QUEUE_MAP", "AZURE", "3", "4"),
        ("SCHEDULER", "scheduler.1", "weight", "60"),
        ("FLEX_COUNTER_TABLE", "PG_DROP", "FLEX_COUNTER_STATUS", "enable"),
    )
    scope = {"Ethernet0": frozenset({What("shares", None, "3")})}
    found = make_target(config, rendered, scope, BOX)
    assert found.beyond == ()
    assert found.tables == changed(config, ("SCHEDULER", "scheduler.1", "weight", "60"))
    assert make_target(config, rendered, {}, BOX).tables == config
    polled = make_target(config, rendered, {}, BOX, polled=True).tables
    assert polled == changed(config, ("FLEX_COUNTER_TABLE", "PG_DROP", "FLEX_COUNTER_STATUS", "enable"))
    assert json.loads(json.dumps(config)) == running()  # what was given is left as it was


def test_rows_come_in_the_order_of_their_numbers() -> None:
    """Scopes are sets, which have none: one change is printed alike however often it is asked for."""
    rendered = running()
    queues = [key for key in rendered["QUEUE"] if key.startswith("Ethernet0|")]
    config = {**running(), "QUEUE": {key: row for key, row in rendered["QUEUE"].items() if key not in queues}}
    scope = {"Ethernet0": frozenset(What("max_rate", number) for number in range(8))}
    after = make_target(config, rendered, scope, BOX).tables["QUEUE"]
    assert len(queues) > 5
    assert [key for key in after if key in queues] == sorted(queues)


def schedule(config: Config, weights: dict[int, int], names: dict[int, str]) -> Config:
    """Queues of both ports with weights, by schedulers of these names."""
    out = deepcopy(config)
    for queue, weight in weights.items():
        out["SCHEDULER"][names[queue]] = {"type": "DWRR", "weight": str(weight)}
        for port in ("Ethernet0", "Ethernet8"):
            out["QUEUE"].setdefault(f"{port}|{queue}", {})["scheduler"] = names[queue]
    return out


def test_weights_that_become_equal_are_changed_in_place() -> None:
    """One field where it stands is hitless; to fold two schedulers into one would move queues, and flap each port."""
    config = schedule(running(), {1: 10, 2: 20, 5: 30}, {1: "own.a", 2: "own.b", 5: "own.c"})
    dwrr = {n: f"scheduler.dwrr{w}" for n, w in {1: 10, 2: 10, 5: 20}.items()}
    meant = with_names_of_switch(schedule(running(), {1: 10, 2: 10, 5: 20}, dwrr), config)
    queues = {queue: meant["QUEUE"][f"Ethernet8|{queue}"]["scheduler"] for queue in (1, 2, 5)}
    assert queues == {1: "own.a", 2: "own.b", 5: "own.c"}
    scope = {port: frozenset(What("shares", None, str(n)) for n in (1, 2, 5)) for port in ("Ethernet0", "Ethernet8")}
    after = make_target(config, meant, scope, BOX).tables
    assert after == changed(config, ("SCHEDULER", "own.b", "weight", "10"), ("SCHEDULER", "own.c", "weight", "20"))
    assert [step.mark for step in planned(config, after, UNGATED)] == [HITLESS]
    curves = changed(
        config,
        *(("QUEUE", f"{port}|4", "wred_profile", "FOUR") for port in ("Ethernet0", "Ethernet8")),
        *(("WRED_PROFILE", "FOUR", field, text) for field, text in config["WRED_PROFILE"]["AZURE_LOSSLESS"].items()),
        ("WRED_PROFILE", "FOUR", "green_min_threshold", "7"),
    )
    meant = with_names_of_switch(running(), curves)
    assert meant["WRED_PROFILE"]["FOUR"] == meant["WRED_PROFILE"]["AZURE_LOSSLESS"]
    assert {row["wred_profile"] for key, row in meant["QUEUE"].items() if key.endswith("|4")} == {"FOUR"}


def test_a_scheduler_that_serves_other_queues_too_is_not_changed_for_one() -> None:
    config = schedule(running(), {1: 10, 2: 20, 5: 20}, {1: "own.a", 2: "own.b", 5: "own.b"})
    dwrr = {n: f"scheduler.dwrr{w}" for n, w in {1: 10, 2: 10, 5: 20}.items()}
    meant = with_names_of_switch(schedule(running(), {1: 10, 2: 10, 5: 20}, dwrr), config)
    queues = {queue: meant["QUEUE"][f"Ethernet8|{queue}"]["scheduler"] for queue in (1, 2, 5)}
    assert (queues[1], queues[2]) == ("own.a", "own.a")
    assert meant["SCHEDULER"][queues[5]]["weight"] == "20"


def test_what_covers_queues_of_other_rows_goes_with_them_and_they_are_written_after() -> None:
    """orchagent takes scheduler and WRED profile off each queue of a deleted row (qosorch.cpp, handleQueueTable)."""
    after = running()
    lines = [
        line
        for step in planned(changed(after, ("QUEUE", "Ethernet0|3-4", "scheduler", "own")), after)
        for line in step.lines
    ]
    gone = [f'sonic-db-cli CONFIG_DB DEL "QUEUE|Ethernet0|{queues}"' for queues in ("3", "3-4", "4")]
    rows = "scheduler scheduler.1 wred_profile AZURE_LOSSLESS"
    new = [f"sonic-db-cli CONFIG_DB HSET 'QUEUE|Ethernet0|{queue}' {rows}" for queue in (3, 4)]
    assert [line for line in lines if " CONFIG_DB " in line] == [*gone, *new]
    assert lines.index("sudo config interface shutdown Ethernet0") < lines.index(gone[0])
    assert lines.index(new[-1]) < lines.index("sudo config interface startup Ethernet0")


def test_a_range_that_is_split_keeps_what_it_says_of_each_queue() -> None:
    config = running()
    for queue in (3, 4):
        del config["QUEUE"][f"Ethernet0|{queue}"]
    config["QUEUE"]["Ethernet0|3-4"] = {"scheduler": "scheduler.1", "wred_profile": "OTHER"}
    rendered = changed(config, ("QUEUE", "Ethernet0|3", "wred_profile", "AZURE_LOSSLESS"))
    after = make_target(config, rendered, {"Ethernet0": frozenset({What("ecn", 3)})}, BOX).tables["QUEUE"]
    assert {key: row for key, row in after.items() if key.startswith("Ethernet0|") and key[-1] in "34"} == {
        "Ethernet0|3": {"scheduler": "scheduler.1", "wred_profile": "AZURE_LOSSLESS"},
        "Ethernet0|4": {"scheduler": "scheduler.1", "wred_profile": "OTHER"},
    }


@pytest.mark.parametrize(("stay", "other"), [("3", "3-4"), ("4", "3-4"), ("5-6", "6"), ("0-2", "1-3")])
@pytest.mark.parametrize("state", ["up", "down"])
@pytest.mark.parametrize("release", [202311, 202405, 202511])
def test_queues_of_a_shut_port_keep_a_zero_profile_and_nobody_waits_for_it_to_go(
    stay: str, other: str, release: int, state: str
) -> None:
    """The dynamic model leaves a deleted row of a shut port in APPL_DB until the port starts (buffermgrdyn.cpp)."""
    after = running()
    after["DEVICE_METADATA"]["localhost"] |= {"hwsku": "ACS-SN5600", "buffer_model": "dynamic"}
    after["BUFFER_PG"] = {"Ethernet0|3-4": {"profile": "NULL"}, "Ethernet8|3-4": {"profile": "NULL"}}
    rows = {"0-2": "egress_lossy_profile", stay: "egress_lossless_profile"}
    after["BUFFER_QUEUE"] = {f"Ethernet0|{index}": {"profile": profile} for index, profile in rows.items()}
    after["PORT"]["Ethernet0"]["admin_status"] = state
    config = changed(after, ("BUFFER_QUEUE", f"Ethernet0|{other}", "profile", "egress_lossy_profile"))
    made = planned(config, after, dynamic(ports("Ethernet0", "Ethernet8"), version=str(release)))
    assert any("APPL_DB" in line for step in made for line in step.lines)
    meant = {n: row["profile"] for key, row in after["BUFFER_QUEUE"].items() for n in numbers(key.rpartition("|")[2])}
    for seed in range(20):
        chance = Random(seed)  # noqa: S311 - no secret
        switch = Switch(
            config, release, dynamic=True, vendor="mellanox", lazy=lambda chance=chance: chance.random() < 0.5
        )
        for step in made:
            if step.operations:
                switch.patch(step.operations)
            assert [text for line in step.lines for text in switch.type(line)] == [], step.lines
        switch.take()
        assert switch.config["BUFFER_QUEUE"] == after["BUFFER_QUEUE"]
        bound = {n: switch.bound["BUFFER_QUEUE", "Ethernet0", n] for n in meant}
        assert state == "down" or bound == meant


@pytest.mark.parametrize(("kind", "expected"), [("egress", [("Ethernet0", "3"), ("Ethernet0", "4")]), ("both", [])])
def test_a_pool_for_both_directions_admits_at_ingress(kind: str, expected: list[tuple[str, str]]) -> None:
    config = changed(running(), ("BUFFER_POOL", "egress_lossless_pool", "type", kind))
    config["PORT_QOS_MAP"].pop("Ethernet8")
    config["BUFFER_QUEUE"]["Ethernet0|3-4"] = {"profile": "egress_lossy_profile"}
    (lossy,) = (danger for danger in safe.DANGERS if "lossy" in danger.name)
    assert list(lossy.places(safe.Moment(config, config, "pfcwd_sw_enable"))) == expected


def test_a_code_point_brings_its_own_way_and_no_other_entries() -> None:
    """Its traffic class, and the queue, priority group and PFC priorities of that."""
    rendered = running()
    rendered["DSCP_TO_TC_MAP"]["AZURE"]["26"] = "3"
    config = deepcopy(rendered)
    for table, entries in {
        "DSCP_TO_TC_MAP": {"26": "1", "30": "7"},
        "TC_TO_QUEUE_MAP": {"3": "1", "6": "0"},
        "TC_TO_PRIORITY_GROUP_MAP": {"3": "0", "6": "6"},
        "MAP_PFC_PRIORITY_TO_QUEUE": {"3": "1", "5": "1"},
    }.items():
        config[table]["AZURE"] |= entries
    after = make_target(config, rendered, {None: frozenset({What("dscp", 26)})}, BOX).tables
    assert after == changed(
        config,
        ("DSCP_TO_TC_MAP", "AZURE", "26", "3"),
        ("TC_TO_QUEUE_MAP", "AZURE", "3", "3"),
        ("TC_TO_PRIORITY_GROUP_MAP", "AZURE", "3", "3"),
        ("MAP_PFC_PRIORITY_TO_QUEUE", "AZURE", "3", "3"),
    )


def test_settings_that_are_not_in_the_tables_on_qos_are_said_and_nothing_changes() -> None:
    config = running()
    for scope in ({None: frozenset({What("recovers")})}, {"Ethernet0": frozenset({What("dcbx")})}):
        found = make_target(config, config, scope, BOX)
        assert found.tables == config
        (line,) = found.beyond
        assert "not set in CONFIG_DB's tables on QoS" in line
    (line,) = make_target(config, config, {"Ethernet0": frozenset({What("speed")})}, BOX).beyond
    assert "sudo config interface speed PORT MBIT" in line
    (line,) = make_target(config, config, {None: frozenset({What("buffers", None, "model")})}, BOX).beyond
    assert "restart swss" in line


def test_a_cable_length_stays_in_the_group_that_has_it_and_in_no_other() -> None:
    config = running()
    config["CABLE_LENGTH"] = {"HALL": {"Ethernet0": "40m"}, "AZURE": {"Ethernet0": "5m", "Ethernet8": "5m"}}
    rendered = {**config, "CABLE_LENGTH": {"AZURE": {"Ethernet0": "300m", "Ethernet8": "300m"}}}
    scope = {"Ethernet0": frozenset({What("cable")})}
    assert make_target(config, rendered, scope, BOX).tables["CABLE_LENGTH"] == {
        "HALL": {"Ethernet0": "300m"},
        "AZURE": {"Ethernet8": "5m"},
    }
    config["CABLE_LENGTH"] = {"HALL": {"Ethernet8": "5m"}}
    assert make_target(config, rendered, scope, BOX).tables["CABLE_LENGTH"] == {
        "HALL": {"Ethernet0": "300m", "Ethernet8": "5m"}
    }
    del config["CABLE_LENGTH"]
    assert make_target(config, rendered, scope, BOX).tables["CABLE_LENGTH"] == {"AZURE": {"Ethernet0": "300m"}}


def test_a_pool_has_a_size_or_a_share() -> None:
    config = running()
    rendered = deepcopy(config)
    rendered["BUFFER_POOL"]["ingress_lossless_pool"] = {"type": "ingress", "mode": "dynamic", "percentage": "60"}
    scope = {None: frozenset({What("buffers", None, "pools.lossless")})}
    pool = make_target(config, rendered, scope, BOX).tables["BUFFER_POOL"]["ingress_lossless_pool"]
    assert (pool.get("size"), pool["percentage"]) == (None, "60")
    back = make_target({**config, "BUFFER_POOL": {"ingress_lossless_pool": dict(pool)}}, config, scope, BOX).tables
    assert "percentage" not in back["BUFFER_POOL"]["ingress_lossless_pool"]
    assert back["BUFFER_POOL"]["ingress_lossless_pool"]["size"] == "161000000"


@pytest.mark.parametrize(("topic", "field"), [("stops", "pfc_to_queue_map"), ("pauses", "pfc_to_pg_map")])
def test_what_a_pause_acts_on_is_an_entry_and_the_maps_that_ports_bind(topic: str, field: str) -> None:
    table = {"stops": "MAP_PFC_PRIORITY_TO_QUEUE", "pauses": "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"}[topic]
    rendered = running() | {table: {"AZURE": {"3": "3", "4": "4"}}}
    for port in ("Ethernet0", "Ethernet8"):
        rendered["PORT_QOS_MAP"][port][field] = "AZURE"
    config = deepcopy(rendered)
    config[table] = {"AZURE": {"3": "5", "4": "5"}, "OTHER": {"3": "6"}}
    config["PORT_QOS_MAP"]["Ethernet8"][field] = "OTHER"
    after = make_target(config, rendered, {None: frozenset({What(topic, 3)})}, BOX).tables
    assert after[table] == {"AZURE": {"3": "3", "4": "5"}, "OTHER": {"3": "6"}}
    assert [after["PORT_QOS_MAP"][port][field] for port in ("Ethernet0", "Ethernet8")] == ["AZURE", "AZURE"]


@loop(
    "table",
    [
        *("DSCP_TO_TC_MAP", "DOT1P_TO_TC_MAP", "TC_TO_QUEUE_MAP", "TC_TO_PRIORITY_GROUP_MAP"),
        *("MAP_PFC_PRIORITY_TO_QUEUE", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", "SCHEDULER", "WRED_PROFILE"),
        *("BUFFER_POOL", "BUFFER_PROFILE", "DEFAULT_LOSSLESS_BUFFER_PARAMETER", "LOSSLESS_TRAFFIC_PATTERN"),
        *("CABLE_LENGTH", "BUFFER_QUEUE", "PORT_QOS_MAP", "QUEUE", "PFC_WD", "DEVICE_METADATA", "FLEX_COUNTER_TABLE"),
    ],
)
def test_a_row_of_every_table_on_roce_comes_and_goes(table: str) -> None:
    config = running()
    key = "Ethernet8|7" if table in ("QUEUE", "BUFFER_QUEUE") else "new"
    after = changed(config, (table, key, "field", "1"))
    for before, then in ((config, after), (after, config)):
        text = deepcopy(before)
        for step in planned(before, then, UNGATED):
            text = jsonpatch.apply_patch(text, [dict(op) for op in step.operations])
        assert text == then


def test_a_watchdog_that_is_left_to_the_switch() -> None:
    rendered = changed(running(), ("DEVICE_METADATA", "localhost", "default_pfcwd_status", "enable"))
    del rendered["PFC_WD"]
    config = changed(running(), ("PFC_WD", "Ethernet0", "detection_time", "200"))
    found = make_target(config, rendered, {"Ethernet0": frozenset({What("watchdog")})}, BOX)
    assert found.tables == changed(config, ("DEVICE_METADATA", "localhost", "default_pfcwd_status", "enable"))
    assert "sudo pfcwd start_default" in found.beyond[0]


def test_the_row_for_all_comes_with_the_first_watchdog() -> None:
    rendered = {table: rows for table, rows in running().items() if table != "DEVICE_METADATA"}
    rendered["PFC_WD"] |= {"Ethernet0": {"detection_time": "200", "restoration_time": "400", "action": "drop"}}
    config = running()
    del config["PFC_WD"]
    scope = {"Ethernet0": frozenset({What("watchdog")})}
    assert make_target(config, rendered, scope, BOX).tables["PFC_WD"] == rendered["PFC_WD"]
    del rendered["PFC_WD"]["Ethernet0"]
    config["PFC_WD"] = {"Ethernet0": {"detection_time": "200"}, **WATCHED}
    assert make_target(config, rendered, scope, BOX).tables["PFC_WD"] == WATCHED


CURVE = "WRED_PROFILE|AZURE_LOSSLESS"
COLORS = ("green", "yellow", "red")
ENDS = {"kmin": "min_threshold", "kmax": "max_threshold", "pmax": "drop_probability"}


@pytest.mark.parametrize(
    ("what", "cells"),
    [
        *((What("ecn", 3, part), [f"{CURVE}|{c}_{end}" for c in COLORS]) for part, end in ENDS.items()),
        (What("ecn", 3, "curves"), [f"{CURVE}|{c}_{end}" for c in COLORS for end in ENDS.values()]),
        (What("ecn", 3, "colors"), [f"{CURVE}|ecn", *(f"{CURVE}|wred_{c}_enable" for c in COLORS)]),
        (What("shares", None, "3"), ["SCHEDULER|scheduler.1|type", "SCHEDULER|scheduler.1|weight"]),
        (What("scheduling", 3), ["SCHEDULER|scheduler.1|type", "SCHEDULER|scheduler.1|weight"]),
        (What("max_rate", 3), [f"SCHEDULER|scheduler.1|{field}" for field in ("cir", "pir", "meter_type")]),
        (What("guaranteed", 3), [f"SCHEDULER|scheduler.1|{field}" for field in ("cir", "pir", "meter_type")]),
        (What("watchdog", None, "detection_time"), ["PFC_WD|Ethernet0|detection_time"]),
        (What("watchdog", None, "restoration_time"), ["PFC_WD|Ethernet0|restoration_time"]),
        (What("watchdog", None, "action"), ["PFC_WD|Ethernet0|action"]),
        (What("watchdog", None, "poll_interval"), ["PFC_WD|GLOBAL|POLL_INTERVAL"]),
        (What("watchdog"), [f"PFC_WD|Ethernet0|{field}" for field in ("action", "detection_time", "restoration_time")]),
        (What("watchdog", None, "priorities"), []),
        (What("egress", 3), ["BUFFER_QUEUE|Ethernet0|3"]),
        (What("trust"), ["PORT_QOS_MAP|Ethernet0|dscp_to_tc_map"]),
    ],
    ids=str,
)
def test_a_setting_of_a_port_is_these_fields(what: What, cells: list[str]) -> None:
    """And pfcwd_sw_enable goes with every setting of the watchdog: without it nothing is watched."""
    config = {table: rows for table, rows in running().items() if table != "DEVICE_METADATA"}
    config["PFC_WD"]["Ethernet0"] = {"detection_time": "1", "restoration_time": "1", "action": "alert"}
    config["SCHEDULER"]["scheduler.1"] |= {"cir": "1", "pir": "1", "meter_type": "packets"}
    rendered = deepcopy(config)
    for row in (
        rendered[table][key] for table, key, *_ in (cell.split("|") for cell in cells) if table != "BUFFER_QUEUE"
    ):
        row.update({field: f"{value}0" for field, value in row.items() if field != "dscp_to_tc_map"})
    config["BUFFER_QUEUE"]["Ethernet0|3-4"] = {"profile": "egress_lossy_profile"}
    del config["PORT_QOS_MAP"]["Ethernet0"]["dscp_to_tc_map"]
    after = make_target(config, rendered, {"Ethernet0": frozenset({what})}, BOX).tables
    flat = [
        {f"{t}|{k}|{f}": v for t, rows in side.items() for k, row in rows.items() for f, v in row.items()}
        for side in (config, after)
    ]
    got = {cell for cell in {**flat[0], **flat[1]} if flat[0].get(cell) != flat[1].get(cell)}
    if what.topic == "egress":
        assert {cell for cell in got if cell in flat[1]} == {
            "BUFFER_QUEUE|Ethernet0|3|profile",
            "BUFFER_QUEUE|Ethernet0|4|profile",
        }
        assert after["BUFFER_QUEUE"]["Ethernet0|3"] == {"profile": "egress_lossless_profile"}
        assert after["BUFFER_QUEUE"]["Ethernet0|4"] == {"profile": "egress_lossy_profile"}
    else:
        assert got == set(cells)


def test_settings_of_the_switch() -> None:
    config = changed(
        running(),
        ("PFC_WD", "GLOBAL", "BIG_RED_SWITCH", "enable"),
        ("FLEX_COUNTER_TABLE", "PFCWD", "FLEX_COUNTER_STATUS", "disable"),
        ("PORT_QOS_MAP", "Ethernet0", "tc_to_dscp_map", "AZURE"),
    )

    def after(topic: str) -> Config:
        return make_target(config, running(), {None: frozenset({What(topic)})}, BOX).tables

    assert after("watchdog_forced") == changed(config, ("PFC_WD", "GLOBAL", "BIG_RED_SWITCH", None))
    enabled = ("FLEX_COUNTER_TABLE", "PFCWD", "FLEX_COUNTER_STATUS", "enable")
    assert after("watchdog_blind") == changed(config, enabled)
    assert after("remarks") == changed(config, ("PORT_QOS_MAP", "Ethernet0", "tc_to_dscp_map", None))


BROADCOM, OTHER = ({"asic": SHIPPED.asic(name), "platform": None} for name in ("tomahawk5", "spectrum4"))


@pytest.mark.parametrize("more", [BROADCOM, {"asic": None, "platform": None}])
def test_another_action_is_taken_while_no_port_is_watched(more: dict[str, Any]) -> None:
    """Where the SDK ends storms in hardware, orchagent refuses it else: m_pfcwd_ports is empty, or the row fails."""
    row = {"detection_time": "200", "restoration_time": "400"}
    ports_of = ("Ethernet0", "Ethernet8")
    config = running()
    config["PFC_WD"] |= {port: {**row, "action": "alert"} for port in ports_of}
    after = deepcopy(config)
    after["PFC_WD"]["Ethernet0"]["action"] = "drop"
    made = planned(config, after, device(ports("Ethernet0"), **more))
    assert not any("action" in str(op["path"]) for step in made for op in step.operations)
    stop, wait, *start = made[-1].lines
    assert (stop, wait.split("#")[0].strip()) == ("sudo pfcwd stop Ethernet0 Ethernet8", "sleep 5")
    assert start == [
        "sonic-db-cli CONFIG_DB HSET 'PFC_WD|Ethernet0' detection_time 200 restoration_time 400 action drop",
        "sonic-db-cli CONFIG_DB HSET 'PFC_WD|Ethernet8' detection_time 200 restoration_time 400 action alert",
    ]
    assert made[-1].ordered  # its inverse row by row would be refused
    assert "There Ethernet8 with alert would no longer be watched" in made[-1].why
    after["PFC_WD"]["Ethernet8"]["action"] = "drop"
    assert "would no longer be watched" not in planned(config, after, device(ports("Ethernet0"), **more))[-1].why


def test_another_action_is_a_field_where_each_port_has_its_own() -> None:
    config = running()
    config["PFC_WD"]["Ethernet0"] = {"action": "alert", "detection_time": "200", "restoration_time": "400"}
    after = changed(config, ("PFC_WD", "Ethernet0", "action", "drop"))
    assert not any(
        "pfcwd stop" in line
        for step in planned(config, after, device(ports("Ethernet0"), **OTHER))
        for line in step.lines
    )
    same = changed(config, ("PFC_WD", "Ethernet0", "detection_time", "300"))
    assert not any(
        "pfcwd stop" in line
        for step in planned(config, same, device(ports("Ethernet0"), **BROADCOM))
        for line in step.lines
    )


@pytest.mark.parametrize("row", [{"BIG_RED_SWITCH": "enable"}, {"POLL_INTERVAL": "200"}])
@pytest.mark.parametrize("version", ["202012", "202405"])
def test_the_global_row_of_the_watchdog_is_never_deleted_nor_emptied(row: dict[str, str], version: str) -> None:
    """Orchagent crashes at its deletion (sonic-swss 4760), and goes on polling as before at that of its interval."""
    config = {**running(), "PFC_WD": {"GLOBAL": row}}
    meant = {table: rows for table, rows in running().items() if table != "PFC_WD"}
    poll = What("watchdog", None, "poll_interval")
    wanted = {None: frozenset({What("watchdog_forced")}), "Ethernet0": frozenset({poll})}
    target = make_target(config, meant, wanted, BOX).tables
    assert target["PFC_WD"] == {"GLOBAL": {"POLL_INTERVAL": "100"}}
    lines = [
        line for step in planned(config, target, device(ports("Ethernet0"), version=version)) for line in step.lines
    ]
    assert not any("DEL 'PFC_WD|GLOBAL'" in line for line in lines if "BIG_RED" not in line)


@pytest.mark.parametrize("topic", ["pfc", "obeys", "sends"])
def test_pfc_is_both_masks_and_the_groups_that_fit_them(topic: str) -> None:
    config, rendered = running(), running()
    for mask in ("pfc_enable", "pfcwd_sw_enable"):
        rendered["PORT_QOS_MAP"]["Ethernet0"][mask] = "3"
    after = make_target(config, {**rendered, "BUFFER_PG": {}}, {"Ethernet0": frozenset({What(topic)})}, BOX).tables
    assert after["PORT_QOS_MAP"]["Ethernet0"] == rendered["PORT_QOS_MAP"]["Ethernet0"]
    assert {key for key in config["BUFFER_PG"] if key not in after["BUFFER_PG"]} == {"Ethernet0|3-4"}
    own = {"Ethernet0|3": {"profile": "NULL"}}
    after = make_target(config, {**rendered, "BUFFER_PG": own}, {"Ethernet0": frozenset({What(topic)})}, BOX).tables
    assert {key: row for key, row in after["BUFFER_PG"].items() if key.startswith("Ethernet0|")} == {
        "Ethernet0|0": {"profile": "ingress_lossy_profile"},
        **own,
    }
    row = rendered["PORT_QOS_MAP"].pop("Ethernet0")  # by templates of one's own, of a port without PFC
    after = make_target(config, {**rendered, "BUFFER_PG": {}}, {"Ethernet0": frozenset({What(topic)})}, BOX).tables
    maps = {field: value for field, value in row.items() if field.endswith("_map")}
    assert after["PORT_QOS_MAP"]["Ethernet0"] == maps


@pytest.mark.parametrize(
    ("table", "key", "field"),
    [
        ("QUEUE", "Ethernet0|3", "scheduler"),
        ("QUEUE", "Ethernet0|3", "wred_profile"),
        ("BUFFER_PG", "Ethernet0|0", "profile"),
        ("BUFFER_QUEUE", "Ethernet0|0-2", "profile"),
        *(("PORT_QOS_MAP", "Ethernet0", field) for field in ("tc_to_queue_map", "tc_to_pg_map", "pfc_to_queue_map")),
    ],
)
def test_a_row_that_is_bound_and_not_there_endangers_its_port(table: str, key: str, field: str) -> None:
    config = running()
    moment = safe.Moment(changed(config, (table, key, field, "nowhere")), config, "pfcwd_sw_enable")
    ((danger, place),) = safe.find_endangered(config, moment)
    assert (danger.name, place) == ("profile before binding", ("Ethernet0", f"{table}|{key} {field} nowhere"))
    before = changed(config, (table, key, field, None))
    assert list(safe.find_endangered(before, moment._replace(tables=config))) == []  # what it names is there
    by_switch = changed(config, ("BUFFER_PG", "Ethernet0|3-4", "profile", "pg_lossless_400000_5m_profile"))
    assert list(safe.find_endangered(config, moment._replace(tables=by_switch))) == []


@pytest.mark.parametrize("more", [{}, {"dscp_to_fc_map": "FC"}])
def test_a_port_that_trusts_802_1p_sorts_by_no_dscp_map_of_all_ports(more: dict[str, str]) -> None:
    config, rendered = running(), running()
    rendered["DOT1P_TO_TC_MAP"] = {"AZURE": {"3": "3"}}
    for port in ("Ethernet0", "Ethernet8"):
        del config["PORT_QOS_MAP"][port]["dscp_to_tc_map"]
    del rendered["PORT_QOS_MAP"]["Ethernet0"]["dscp_to_tc_map"]
    rendered["PORT_QOS_MAP"]["Ethernet0"]["dot1p_to_tc_map"] = "AZURE"
    rendered["PORT_QOS_MAP"].pop("global", None)
    config["PORT_QOS_MAP"]["global"] = {"dscp_to_tc_map": "AZURE", **more}
    after = make_target(config, rendered, {"Ethernet0": frozenset({What("trust")})}, BOX).tables
    assert "global" not in after["PORT_QOS_MAP"]  # where the field alone goes, orchagent keeps the map (qosorch.cpp)
    assert after["PORT_QOS_MAP"]["Ethernet0"].get("dscp_to_tc_map") is None
    assert after["PORT_QOS_MAP"]["Ethernet0"]["dot1p_to_tc_map"] == "AZURE"
    assert after["PORT_QOS_MAP"]["Ethernet8"]["dscp_to_tc_map"] == "AZURE"  # it sorted by that of all ports


def test_an_802_1p_value_brings_its_own_way() -> None:
    rendered = running()
    rendered["DOT1P_TO_TC_MAP"] = {"AZURE": {"3": "3", "5": "0"}}
    rendered["PORT_QOS_MAP"]["Ethernet0"]["dot1p_to_tc_map"] = "AZURE"
    config = changed(rendered, ("DOT1P_TO_TC_MAP", "AZURE", "3", "1"), ("DOT1P_TO_TC_MAP", "AZURE", "5", "2"))
    after = make_target(config, rendered, {None: frozenset({What("pcp", 3)})}, BOX).tables
    assert after == changed(config, ("DOT1P_TO_TC_MAP", "AZURE", "3", "3"))


def test_the_mtu_of_a_port_is_a_field_of_its_row() -> None:
    box = device(ports("Ethernet0", mtu=9216), ports("Ethernet8", mtu=4096), version="202505")
    found = make_target(running(), running(), {"Ethernet0": frozenset({What("mtu")})}, box)
    assert (found.tables, found.beyond) == (changed(running(), ("PORT", "Ethernet0", "mtu", "9216")), ())


@pytest.mark.parametrize(
    ("before", "then", "again"),
    [
        ("3,4", None, 1),  # buffermgrd remembers 3 and 4, and writes them at the start
        ("3,4", "", 0),  # it was told that there are none
        (None, "3", 0),  # the row of 3 is the one that it writes then
    ],
)
def test_rows_that_the_start_of_a_port_brings_back_are_deleted_again(
    before: str | None, then: str | None, again: int
) -> None:
    """A field that is removed changes nothing of what buffermgrd remembers (cfgmgr/buffermgr.cpp)."""
    config = changed(running(), ("PORT_QOS_MAP", "Ethernet0", "pfc_enable", before))
    after = changed(config, ("PORT_QOS_MAP", "Ethernet0", "pfc_enable", then))
    del after["BUFFER_PG"]["Ethernet0|3-4"]
    lines = [line for step in planned(config, after, UNGATED) for line in step.lines]
    start = lines.index("sudo config interface startup Ethernet0")
    deletion = 'sonic-db-cli CONFIG_DB DEL "BUFFER_PG|Ethernet0|3-4"'
    assert deletion in lines[:start]
    assert [line for line in lines[start:] if " DEL " in line] == [deletion] * again


@pytest.mark.parametrize(("traditional", "why"), [(True, "looks up headroom"), (False, "that are bound now")])
def test_ports_are_started_for_the_reason_of_their_buffer_model(*, traditional: bool, why: str) -> None:
    first = next(iter(held.start_ports(held.Held(("Ethernet0",), {}, (), {}), running(), traditional=traditional)))
    assert first.lines == ("sudo config interface startup Ethernet0",)
    assert why in first.why


def test_a_code_point_binds_the_maps_that_are_meant_on_every_port() -> None:
    rendered = running()
    config = deepcopy(rendered)
    for field, table in (("dscp_to_tc_map", "DSCP_TO_TC_MAP"), ("tc_to_queue_map", "TC_TO_QUEUE_MAP")):
        config[table]["OTHER"] = {"26": "1", "1": "5"}
        config["PORT_QOS_MAP"]["Ethernet8"][field] = "OTHER"
    found = make_target(config, rendered, {None: frozenset({What("dscp", 26)})}, BOX).tables
    bound = {row["dscp_to_tc_map"] for port, row in found["PORT_QOS_MAP"].items() if port != "global"}
    assert len(bound) == 1
    (name,) = bound
    assert found["DSCP_TO_TC_MAP"][name]["26"] == rendered["DSCP_TO_TC_MAP"]["AZURE"]["26"]
