"""SONiC: the change that drift shows, taken on a switch as sonic-swss has it: every group with PFC keeps its headroom.

The inputs of the folder sonic_apply: a leaf with two 400G ports, traditional buffer model, 202505. `both.json` has rows
of BUFFER_PG for 3 and for 3-4, `conv40.json` for 3 alone, both over 40 m; `conv40_after.json` has CABLE_LENGTH 300m and
still the profile of 40 m; `run40.json` is stock. The intents mean 40 m and 300 m.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sonic_orch import Switch, Tables, runs

from rocecfg.cli import cli
from rocecfg.drift.changes import DeviceFix, work_out_fix
from rocecfg.drift.run import find_drift
from rocecfg.intent import load
from rocecfg.source.document import Sources
from rocecfg.vendors.changes import Step

CASES = Path(__file__).parent / "sonic_apply"
RELEASES = ("202311", "202405", "202411", "202505", "202511")


def config(name: str) -> Tables:
    tables: Tables = json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))
    return tables


def change(folder: Path, intent: str, running: Tables, *words: tuple[str, str]) -> DeviceFix | None:
    """What drift shows; None: no drift."""
    text = (CASES / f"{intent}.yaml").read_text(encoding="utf-8")
    for old, new in words:
        text = text.replace(old, new)
    (folder / "intent.yaml").write_text(text, encoding="utf-8")
    (folder / "leaf01.json").write_text(json.dumps(running), encoding="utf-8")
    sources = Sources()
    found = find_drift([load(str(folder / "intent.yaml"), sources)], [str(folder / "leaf01.json")], sources)
    assert not found.refused
    return work_out_fix(found.differing[0]) if found.differing else None


def take(switch: Switch, steps: Iterable[Step]) -> None:
    """Step by step, each as it says; what is to print nothing does so before the next is begun."""
    for step in steps:
        if step.operations:
            switch.patch(step.operations)
        printed = [text for line in step.lines for text in switch.type(line)]
        assert not printed, f"{step.lines} printed {printed}"


def typed(steps: Iterable[Step]) -> list[str]:
    return [line for step in steps for line in step.lines]


# -- the switch itself: without this, the rest shows nothing -----------------------------------------------------------


@pytest.mark.parametrize("release", [int(release) for release in RELEASES])
def test_the_row_that_overlaps_takes_the_profile_with_it(release: int) -> None:
    """The change that was shown once: the DEL of 3-4 unbinds 3, and a second SET of 3 is skipped."""
    switch = Switch(config("both"), release)
    assert switch.without_headroom() == []
    switch.type("sonic-db-cli CONFIG_DB DEL 'BUFFER_PG|Ethernet0|3-4'")
    switch.type("sonic-db-cli CONFIG_DB HSET 'BUFFER_PG|Ethernet0|3' profile pg_lossless_400000_40m_profile")
    assert switch.config["BUFFER_PG"]["Ethernet0|3"] == {"profile": "pg_lossless_400000_40m_profile"}
    assert switch.without_headroom() == [("Ethernet0", 3)]
    assert switch.type("sonic-db-cli ASIC_DB HGET ASIC_STATE:SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP:Ethernet0:3 X") == [
        "oid:0x0"
    ]


def test_a_deletion_that_is_not_taken_yet_is_one_write_with_the_next() -> None:
    """So both rows are deleted, and that is seen, before one comes again."""
    switch = Switch(config("both"), 202505, lazy=lambda: True)
    for line in ("DEL 'BUFFER_PG|Ethernet0|3'", "DEL 'BUFFER_PG|Ethernet0|3-4'"):
        switch.type(f"sonic-db-cli CONFIG_DB {line}")
    switch.type("sonic-db-cli CONFIG_DB HSET 'BUFFER_PG|Ethernet0|3' profile pg_lossless_400000_40m_profile")
    assert switch.without_headroom() == [("Ethernet0", 3)]


@pytest.mark.parametrize(("release", "acts"), [(202311, False), (202505, False), (202511, True)])
def test_a_new_cable_length_alone_does_nothing_before_202511(release: int, acts: bool) -> None:
    switch = Switch(config("conv40"), release)
    switch.type("sonic-db-cli CONFIG_DB HSET 'CABLE_LENGTH|AZURE' Ethernet0 300m")
    bound = switch.config["BUFFER_PG"]["Ethernet0|3"]["profile"]
    assert bound == f"pg_lossless_400000_{'300m' if acts else '40m'}_profile"


def test_a_field_that_goes_is_taken_off_its_queue_and_the_last_one_is_the_row() -> None:
    switch = Switch(config("conv40"), 202405)
    row = dict(switch.config["QUEUE"]["Ethernet0|3"])
    assert row.keys() == {"scheduler", "wred_profile"}
    switch.type("sonic-db-cli CONFIG_DB HDEL 'QUEUE|Ethernet0|3' wred_profile")
    bound = {field: switch.bound[field, "Ethernet0", 3] for field in row}
    assert bound == {"scheduler": row["scheduler"], "wred_profile": "null"}
    switch.type("sonic-db-cli CONFIG_DB HDEL 'QUEUE|Ethernet0|3' scheduler")
    assert "Ethernet0|3" not in switch.config["QUEUE"]
    assert switch.bound["scheduler", "Ethernet0", 3] == "null"


def test_a_group_has_a_name_while_a_row_binds_it() -> None:
    switch = Switch(config("conv40"), 202405)
    name = "sonic-db-cli COUNTERS_DB HGET COUNTERS_PG_NAME_MAP Ethernet0:3"
    assert switch.type(name) == ["Ethernet0:3"]
    switch.type("sonic-db-cli CONFIG_DB DEL 'BUFFER_PG|Ethernet0|3'")
    assert switch.type(name) == [""]


def test_rows_come_before_fields_and_port_by_port_in_a_patch() -> None:
    """One patch with a row of PFC_WD and its mask: the watchdog is armed for the old one."""
    running = config("run40")
    row = running["PFC_WD"].pop("Ethernet0")
    switch = Switch(running, 202511)
    masks = [
        {"op": "replace", "path": f"/PORT_QOS_MAP/{port}/{mask}", "value": "3"}
        for port in ("Ethernet0", "Ethernet8")
        for mask in ("pfc_enable", "pfcwd_sw_enable")
    ]
    switch.patch([*masks, {"op": "add", "path": "/PFC_WD/Ethernet0", "value": row}])
    assert switch.config["PFC_WD"]["Ethernet0"] == row
    assert switch.armed["Ethernet0"] == {"3", "4"}


@pytest.mark.parametrize("release", [202405, 202511])
@pytest.mark.parametrize(
    ("typed_last", "stopped", "right"),
    [("PORT_QOS_MAP", False, False), ("PORT_QOS_MAP", True, True), ("PFC_WD", False, True), (None, True, True)],
)
def test_a_load_arms_the_watchdog_by_the_table_that_was_served_last(
    release: int, typed_last: str | None, *, stopped: bool, right: bool
) -> None:
    """A stop directly before it makes orchagent serve PORT_QOS_MAP first, whatever was written before."""
    running = config("run40")
    for row in running["PORT_QOS_MAP"].values():
        row |= {"pfc_enable": "4", "pfcwd_sw_enable": "4"}
    switch = Switch(running, release)
    switch.files["FILE"] = {
        table: config("run40")[table] | {"GLOBAL": {"POLL_INTERVAL": "100"}} if table == "PFC_WD" else rows
        for table, rows in config("run40").items()
        if table in ("PORT_QOS_MAP", "PFC_WD")
    }
    for row in switch.files["FILE"]["PORT_QOS_MAP"].values():
        row |= {"pfc_enable": "3", "pfcwd_sw_enable": "3"}
    touch = {
        "PORT_QOS_MAP": "HSET 'PORT_QOS_MAP|Ethernet0' pfc_enable 4",
        "PFC_WD": "HSET 'PFC_WD|GLOBAL' POLL_INTERVAL 200",
    }
    if typed_last is not None:
        switch.type(f"sonic-db-cli CONFIG_DB {touch[typed_last]}")
    if stopped:
        switch.type("sudo pfcwd stop Ethernet0 Ethernet8")
    switch.type("sudo config load -y FILE")
    armed = switch.armed["Ethernet0"]
    assert ("3" in armed) == right
    if stopped:
        assert armed == {"3"}


# -- overlapping rows --------------------------------------------------------------------------------------------------


def test_overlapping_rows_are_deleted_together_and_one_is_written_after_a_check(tmp_path: Path) -> None:
    fixed = change(tmp_path, "i40", config("both"))
    assert fixed is not None
    assert not fixed.left
    lines = typed(fixed.change.steps)
    first = {
        words: next(n for n, line in enumerate(lines) if words in line)
        for words in ("shutdown", "DEL", "APPL_DB", "HSET", "startup", "ASIC_DB")
    }
    assert list(first.values()) == sorted(first.values())
    assert {'DEL "BUFFER_PG|$PORT|3"', 'DEL "BUFFER_PG|$PORT|3-4"'} <= {
        line[line.index("DEL") : line.index("; done")] for line in lines if "DEL" in line
    }
    assert not any("BUFFER_PG" in str(op["path"]) for step in fixed.change.steps for op in step.operations)
    switch = Switch(config("both"), 202505, lazy=lambda: True)
    take(switch, fixed.change.steps)
    assert switch.without_headroom() == []
    assert switch.bound["BUFFER_PG", "Ethernet0", 4] == "null"


GROUPS = ("2", "3", "4", "5", "2-3", "3-4", "4-5", "2-4", "3-5", "2-5", "3-7")


def undecided(data: st.DataObject) -> Callable[[], bool]:
    """What nobody can tell of a switch, drawn at random."""
    chance = Random(data.draw(st.integers(0, 2**16)))  # noqa: S311 - no secret
    return lambda: chance.random() < 0.5


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
@pytest.mark.parametrize("vendor", ["broadcom", "mellanox"])
def test_every_group_with_pfc_has_its_profile_whatever_rows_there_were(
    tmp_path: Path, vendor: str, data: st.DataObject
) -> None:
    """Rows of every layout, stock masks, other lengths, one port down; orchagent takes them as it likes."""
    release = data.draw(st.sampled_from(RELEASES))
    running = config("conv40")
    length = data.draw(st.sampled_from(["5m", "40m", "300m"]))
    mask = data.draw(st.sampled_from(["3", "4", "3,4", "2,3,4", "3,5"]))
    keys = data.draw(st.lists(st.sampled_from(GROUPS), unique=True, max_size=4))
    down = data.draw(st.booleans())
    for port in ("Ethernet0", "Ethernet8"):
        running["PORT_QOS_MAP"][port] |= {"pfc_enable": mask, "pfcwd_sw_enable": mask}
        running["CABLE_LENGTH"]["AZURE"][port] = length
    profile = running["BUFFER_PROFILE"]["pg_lossless_400000_40m_profile"]
    running["BUFFER_PROFILE"] |= {f"pg_lossless_400000_{m}_profile": dict(profile) for m in ("5m", "40m")}
    made = f"pg_lossless_400000_{data.draw(st.sampled_from(['5m', '40m']))}_profile"
    indexes = dict.fromkeys([*runs(mask), *keys])
    running["BUFFER_PG"] = {f"{p}|{index}": {"profile": made} for index in indexes for p in ("Ethernet0", "Ethernet8")}
    if down:
        running["PORT"]["Ethernet8"]["admin_status"] = "down"
    wanted = data.draw(st.sampled_from(["i40", "i300"]))
    fixed = change(tmp_path, wanted, running, ('"202505"', f'"{release}"'))
    switch = Switch(running, int(release), vendor=vendor, lazy=undecided(data))
    if fixed is None:
        return
    assert not fixed.left
    take(switch, fixed.change.steps)
    assert switch.config["PORT_QOS_MAP"]["Ethernet0"]["pfc_enable"] == "3"
    assert switch.without_headroom() == []
    meant = f"pg_lossless_400000_{'40m' if wanted == 'i40' else '300m'}_profile"
    assert switch.bound["BUFFER_PG", "Ethernet0", 3] == meant
    assert switch.config["PORT"]["Ethernet8"]["admin_status"] == ("down" if down else "up")


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_the_dynamic_model_keeps_headroom_too(tmp_path: Path, data: st.DataObject) -> None:
    running = config("conv40")
    release = data.draw(st.sampled_from(RELEASES))
    words = [
        ("dell-z9664f", "nvidia-sn5600"),
        ("DellEMC-Z9664f-O64", "ACS-SN5600"),
        ('"202505"', f'"{release}"'),
    ]
    running["DEVICE_METADATA"]["localhost"] |= {"hwsku": "ACS-SN5600", "buffer_model": "dynamic"}
    keys = data.draw(st.lists(st.sampled_from(GROUPS), unique=True, min_size=1, max_size=4))
    running["BUFFER_PG"] = {f"{p}|{index}": {"profile": "NULL"} for index in keys for p in ("Ethernet0", "Ethernet8")}
    fixed = change(tmp_path, "i40", running, *words)
    switch = Switch(running, int(release), dynamic=True, vendor="mellanox", lazy=undecided(data))
    if fixed is not None:
        take(switch, fixed.change.steps)
    assert switch.without_headroom() == []


# -- the watchdog ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mask", ["4", "3,4", "2,3,4"])
def test_the_watchdog_is_armed_for_the_priorities_that_the_ports_have_then(tmp_path: Path, mask: str) -> None:
    """Its row of PFC_WD stays the same, and orchagent arms it for what pfcwd_sw_enable said when that came."""
    running = config("run40")
    for row in running["PORT_QOS_MAP"].values():
        row |= {"pfc_enable": mask, "pfcwd_sw_enable": mask}
    running["BUFFER_PG"] = {
        f"{port}|{key}": {"profile": "pg_lossless_400000_40m_profile"} for port in running["PORT"] for key in runs(mask)
    }
    fixed = change(tmp_path, "i40", running)
    assert fixed is not None
    assert not fixed.left
    switch = Switch(running, 202505)
    for step in fixed.change.steps:
        take(switch, [step])
        assert switch.without_watchdog() == [], step.lines or step.operations
    assert switch.armed == {"Ethernet0": {"3"}, "Ethernet8": {"3"}}


def test_a_watchdog_whose_priorities_stay_is_not_stopped(tmp_path: Path) -> None:
    running = config("conv40")
    running["PFC_WD"]["Ethernet0"]["detection_time"] = "400"
    fixed = change(tmp_path, "i40", running)
    assert fixed is not None
    assert not any("pfcwd" in line or "shutdown" in line for line in typed(fixed.change.steps))


# -- cable length ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("name", ["conv40", "conv40_after"])
def test_a_length_is_made_headroom_of(tmp_path: Path, name: str, release: str) -> None:
    fixed = change(tmp_path, "i300", config(name), ('"202505"', f'"{release}"'))
    assert fixed is not None, "the profile that is bound is that of 40 m"
    assert not fixed.left
    switch = Switch(config(name), int(release), lazy=lambda: True)
    take(switch, fixed.change.steps)
    assert switch.without_headroom() == []
    assert switch.bound["BUFFER_PG", "Ethernet0", 3] == "pg_lossless_400000_300m_profile"
    assert not any("pg_lossless" in line for line in typed(fixed.change.steps) if "HSET" in line)
    titles = [line.split()[-2] for line in typed(fixed.change.steps) if "config interface" in line]
    bounced = name == "conv40_after" or release < "202511"
    assert bool(titles) == bounced


def test_another_length_bound_is_drift_and_breaks_its_rule() -> None:
    done = CliRunner().invoke(cli, ["drift", str(CASES / "i300.yaml"), "--running", str(CASES / "conv40_after.json")])
    assert done.exit_code == 1
    assert "headroom bound to priority group 3, by cable length" in done.stdout
    assert "running 40m (" in done.stdout
    assert "BUF604" in done.stdout


def test_the_length_that_is_meant_is_no_drift() -> None:
    done = CliRunner().invoke(cli, ["drift", str(CASES / "i40.yaml"), "--running", str(CASES / "conv40.json")])
    _, last = done.stdout.splitlines()  # behind what it stands on
    assert (done.exit_code, last) == (0, "no drift in 128 settings of 2 ports on 1 device")


# -- lint --------------------------------------------------------------------------------------------------------------


def lint(tmp_path: Path, running: Tables) -> str:
    path = tmp_path / "leaf01.json"
    path.write_text(json.dumps(running), encoding="utf-8")
    return CliRunner().invoke(cli, ["lint", str(path)]).output


@pytest.mark.parametrize("table", ["BUFFER_PG", "BUFFER_QUEUE", "QUEUE"])
def test_lint_names_rows_that_overlap(tmp_path: Path, table: str) -> None:
    running = config("conv40")
    rows = running[table]
    here = {key: row for key, row in rows.items() if key.startswith("Ethernet0|") and "3" in key}
    key, row = next(iter(here.items()))
    rows["Ethernet0|3" if key == "Ethernet0|3-4" else "Ethernet0|3-4"] = dict(row)
    text = lint(tmp_path, running)
    assert "sonic-overlap" in text
    assert f"{table} has rows for" in text


def test_lint_of_both_rows_says_how_to_be_rid_of_one() -> None:
    text = CliRunner().invoke(cli, ["lint", str(CASES / "both.json")]).output
    assert "warning[SON806] sonic-overlap" in text
    both = "DEL 'BUFFER_PG|PORT|3' 'BUFFER_PG|PORT|3-4'"
    order = ["shutdown PORT", both, "APPL_DB has neither", "write the correct one", "start the port"]
    assert [text.index(word) for word in order] == sorted(text.index(word) for word in order)


@pytest.mark.parametrize("indexes", [("3", "4"), ("0-2", "3-4"), ("3-4",)])
def test_rows_that_follow_each_other_do_not_overlap(tmp_path: Path, indexes: tuple[str, ...]) -> None:
    running = config("conv40")
    made = {"profile": "pg_lossless_400000_40m_profile"}
    running["BUFFER_PG"] = {f"{port}|{n}": dict(made) for port in ("Ethernet0", "Ethernet8") for n in indexes}
    assert "overlap" not in lint(tmp_path, running)


def test_a_profile_of_another_length_is_not_fixed_by_a_shorter_cable() -> None:
    text = CliRunner().invoke(cli, ["lint", str(CASES / "conv40_after.json")]).output
    assert "BUF604" in text
    assert "sudo config interface shutdown PORT; sudo config interface startup PORT" in text
    assert "PORT 40m" not in text


# -- one patch ---------------------------------------------------------------------------------------------------------


def test_a_change_with_an_order_is_not_given_as_one_patch() -> None:
    words = ["drift", str(CASES / "i300.yaml"), "--running", str(CASES / "conv40.json"), "--patch"]
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert "an order that one patch does not keep" in done.stderr


def test_a_change_of_commands_alone_is_given_as_they_are_typed() -> None:
    words = ["drift", str(CASES / "i40.yaml"), "--running", str(CASES / "both.json"), "--patch"]
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 1
    switch = Switch(config("both"), 202505)
    assert [text for line in done.stdout.splitlines() for text in switch.type(line)] == []
    assert switch.without_headroom() == []


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_the_patch_form_is_done_with_what_its_notes_say(tmp_path: Path, data: st.DataObject) -> None:
    """`render --as patch`: what is typed before it, the patch in whatever order, what is typed after it."""
    release = data.draw(st.sampled_from(["202505", "202511"]))  # the first that has this box
    running = config("conv40")
    mask = data.draw(st.sampled_from(["3", "4", "3,4", "2,3,4"]))
    keys = data.draw(st.lists(st.sampled_from(GROUPS), unique=True, max_size=3))
    for port in ("Ethernet0", "Ethernet8"):
        running["PORT_QOS_MAP"][port] |= {"pfc_enable": mask, "pfcwd_sw_enable": mask}
    made = {"profile": "pg_lossless_400000_40m_profile"}
    rows = dict.fromkeys((*runs(mask), *keys))
    running["BUFFER_PG"] = {f"{port}|{row}": dict(made) for row in rows for port in ("Ethernet0", "Ethernet8")}
    wanted = data.draw(st.sampled_from(["i40", "i300"]))
    text = (CASES / f"{wanted}.yaml").read_text(encoding="utf-8").replace('"202505"', f'"{release}"')
    (tmp_path / "intent.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "leaf01.json").write_text(json.dumps(running), encoding="utf-8")
    words = ["render", str(tmp_path / "intent.yaml"), "--vendor", "sonic", "--as", "patch"]
    done = CliRunner().invoke(cli, [*words, "--running", str(tmp_path / "leaf01.json")])
    assert done.exit_code == 0, done.stderr
    switch = Switch(running, int(release), lazy=undecided(data))
    notes = [line.removeprefix("#").strip() for line in done.stderr.splitlines()]
    place = next((n for n, line in enumerate(notes) if line.endswith(". Apply the patch.")), 0)
    listed = [n for n, line in enumerate(done.stderr.splitlines()) if line.startswith("#    ")]
    for n in listed:
        if n < place:
            assert switch.type(notes[n]) == []
            assert switch.without_headroom() == []
    switch.patch(json.loads(done.stdout))
    for n in listed:
        if n > place:
            assert switch.type(notes[n]) == []
            assert switch.without_headroom() == []
    switch.take()
    length = "40m" if wanted == "i40" else "300m"
    assert switch.bound["BUFFER_PG", "Ethernet0", 3] == f"pg_lossless_400000_{length}_profile"


# -- saving ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("intent", "name"), [("i40", "both"), ("i300", "conv40"), ("i2", "run40"), ("i40", "run40")])
def test_the_change_is_saved_once_and_last(tmp_path: Path, intent: str, name: str) -> None:
    fixed = change(tmp_path, intent, config(name))
    assert fixed is not None
    *before, last = fixed.change.steps
    assert last.told.endswith("; then: sudo config save -y")
    assert not any("save" in text for step in before for text in (step.told, *step.lines))
    assert all(a != b for a, b in pairwise(fixed.change.steps))
