"""The order of a change on SONiC, its steps taken one after the other on the configuration that runs."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import jsonpatch
import pytest
from click.testing import CliRunner
from rollout_cases import LOSSY, MARKED, MOVED, RDMA, Case, clos, intent, planned
from sonic_orch import Switch

from rocecfg.cli import cli
from rocecfg.drift.intended import read_switches
from rocecfg.drift.match import SwitchComparer, wanted_of
from rocecfg.rollout.types import Act
from rocecfg.source.document import Document
from rocecfg.vendors.changes import Step

Config = dict[str, dict[str, dict[str, str]]]
_SHELL = r"""
out() { printf '%s\x1f' "$@"; printf '\n'; }
sudo() { out "$@"; }
sonic-db-cli() { out sonic-db-cli "$@"; }
"""


def typed(lines: Iterable[str]) -> Iterator[list[str]]:
    """The commands that a shell makes of lines, as words."""
    done = subprocess.run(
        ["bash", "-euc", _SHELL + "\n".join(lines)], check=True, capture_output=True, encoding="utf-8"
    )
    for line in done.stdout.splitlines():
        yield line.split("\x1f")[:-1]


def taken(config: Config, act: Act) -> Config:
    """The configuration after one step, as the switch's own tools would leave it."""
    if act.step.operations:
        patched: Config = jsonpatch.apply_patch(config, [dict(each) for each in act.step.operations])
        return patched
    config = json.loads(json.dumps(config))
    for command, *words in typed(line for line in act.step.lines if "| grep" not in line):
        if command == "config":
            assert words[:2] in (["interface", "shutdown"], ["interface", "startup"])
            config["PORT"][words[2]]["admin_status"] = {"shutdown": "down", "startup": "up"}[words[1]]
        elif command == "pfcwd":
            watchdog(config, words)
        else:
            assert (command, words[0]) == ("sonic-db-cli", "CONFIG_DB")
            write(config, words[1:])
    return config


def watchdog(config: Config, words: list[str]) -> None:
    """What `pfcwd stop` and `pfcwd start` of sonic-utilities do to CONFIG_DB."""
    rows = config.setdefault("PFC_WD", {})
    if words[0] == "stop":
        for port in words[1:]:
            del rows[port]
        return
    assert words[0] == "start"
    row: dict[str, str] = {}
    rest = words[1:]
    while rest[0].startswith("--"):
        flag = rest[0] == "--pfc-stat-history"
        row[rest[0].removeprefix("--").replace("-", "_")] = "enable" if flag else rest[1]
        rest = rest[1 if flag else 2 :]
    *ports, row["detection_time"] = rest
    for port in ports:
        assert config["PORT_QOS_MAP"][port].get("pfc_enable"), "pfcwd start skips a port without PFC"
        rows[port] = dict(row)


def write(config: Config, words: list[str]) -> None:
    verb, key, *fields = words
    table, _, row = key.partition("|")
    rows = config.setdefault(table, {})
    if verb == "HSET":
        rows.setdefault(row, {}).update(zip(fields[::2], fields[1::2], strict=True))
    elif verb == "HDEL":
        for field in fields:
            del rows[row][field]
    else:
        assert verb == "DEL"
        rows.pop(row, None)


def states(case: Case, device: str) -> list[tuple[str, Config]]:
    """What runs before, and after each step."""
    (part,) = [p for s in case.plan.stages for p in s.parts if device in p.devices]
    config: Config = json.loads(case.differing[device].found.document.text)
    out = [("before", config)]
    for act in part.acts:
        config = taken(config, act)
        out.append((act.title, config))
    return out


def drift(case: Case, device: str, config: Config) -> Any:
    one = case.differing[device]
    (switch,) = read_switches(Document(one.found.document.number, "after", json.dumps(config)), one.meant.device)
    return wanted_of(SwitchComparer().find_differing(one.meant, switch))


def paused(config: Config, port: str) -> set[str]:
    return set(config.get("PORT_QOS_MAP", {}).get(port, {}).get("pfc_enable", "").split(",")) - {""}


CHANGES = {"moves": (RDMA, MOVED), "back": (MOVED, RDMA), "comes": (LOSSY, RDMA), "goes": (RDMA, LOSSY)}


@pytest.mark.parametrize("change", [*CHANGES, "ecn"])
def test_the_steps_lead_to_what_is_meant(tmp_path: Path, change: str) -> None:
    old, new = CHANGES.get(change, (MARKED, RDMA))
    fabric = clos(leaves=2, spines=1)
    case = planned(tmp_path, intent(old, *fabric), intent(new, *fabric))
    for device in ("leaf1", "spine1"):
        *_, (_, last) = states(case, device)
        assert not drift(case, device, last)
        assert all(part.left == 0 and not part.beyond for stage in case.plan.stages for part in stage.parts)


@pytest.mark.parametrize("change", CHANGES)
def test_no_watchdog_watches_while_pfc_changes(tmp_path: Path, change: str) -> None:
    fabric = clos(leaves=2, spines=1)
    case = planned(tmp_path, *(intent(rdma, *fabric) for rdma in CHANGES[change]))
    run = states(case, "leaf1")
    ports = list(json.loads(case.differing["leaf1"].found.document.text)["PORT"])
    for (_, before), (title, after) in pairwise(run):
        for port in ports:
            if paused(before, port) != paused(after, port):
                assert title == "PFC"
                assert port not in before.get("PFC_WD", {})
                assert port not in after.get("PFC_WD", {})
    last = run[-1][1]
    assert all((port in last.get("PFC_WD", {})) == bool(paused(last, port)) for port in ports)


@pytest.mark.parametrize(
    ("change", "titles"),
    [
        ("moves", ["Maps and trust", "ECN and scheduling", "Stop the watchdog", "PFC", "Start the watchdog"]),
        ("comes", ["Maps and trust", "Buffers and headroom", "PFC", "Start the watchdog"]),
        ("goes", ["Stop the watchdog", "PFC", "Maps and trust"]),
    ],
)
def test_pfc_is_last_where_it_comes_and_first_where_it_goes(tmp_path: Path, change: str, titles: list[str]) -> None:
    fabric = clos(leaves=2, spines=1)
    case = planned(tmp_path, *(intent(rdma, *fabric) for rdma in CHANGES[change]))
    got = [title for title, _ in states(case, "leaf1")[1:]]
    assert [title for title in dict.fromkeys(got) if title in titles] == titles
    assert set(got) <= {*titles, "What is left", "ECN and scheduling", "Watchdog", "Buffers and headroom"}


@pytest.mark.parametrize("change", CHANGES)
def test_ports_are_down_while_their_watchdog_is_stopped(tmp_path: Path, change: str) -> None:
    """Between two steps no port that is up has PFC and no watchdog."""
    fabric = clos(leaves=2, spines=1)
    case = planned(tmp_path, *(intent(rdma, *fabric) for rdma in CHANGES[change]))
    run = states(case, "leaf1")
    for title, config in run:
        for port, row in config["PORT"].items():
            watched = port in config.get("PFC_WD", {})
            assert row["admin_status"] == "down" or not paused(config, port) or watched, (title, port)
    assert all(row["admin_status"] == "up" for row in run[-1][1]["PORT"].values())


def test_headroom_and_pfc_are_one_piece_where_the_user_has_pfc_first(tmp_path: Path) -> None:
    """The cable length comes before PFC even so: with none, buffermgrd makes no headroom."""
    fabric = clos(leaves=2, spines=1)
    new = intent(RDMA, *fabric, "rollout: {order: [pfc, ecn, map]}\n")
    case = planned(tmp_path, intent(LOSSY, *fabric), new)
    for title, config in states(case, "leaf1"):
        for port in config["PORT"]:
            assert not paused(config, port) or config["CABLE_LENGTH"]["AZURE"][port] == "5m", title


def test_headroom_is_there_before_the_pause(tmp_path: Path) -> None:
    fabric = clos(leaves=2, spines=1)
    case = planned(tmp_path, intent(LOSSY, *fabric), intent(RDMA, *fabric))
    for _, config in states(case, "leaf1"):
        for port in config["PORT"]:
            # the traditional model makes the lossless profile from the cable's length
            assert not paused(config, port) or config["CABLE_LENGTH"]["AZURE"][port] == "5m"


def test_the_order_is_the_users(tmp_path: Path) -> None:
    fabric = clos(leaves=2, spines=1)
    new = intent(MOVED, *fabric, "rollout: {order: [ecn, map, pfc]}\n")
    case = planned(tmp_path, intent(RDMA, *fabric), new)
    got = list(dict.fromkeys(title for title, _ in states(case, "leaf1")[1:]))
    assert got.index("ECN and scheduling") < got.index("Maps and trust") < got.index("PFC")
    assert not drift(case, "leaf1", states(case, "leaf1")[-1][1])


def test_the_watchdog_is_started_with_the_timers_that_are_meant(tmp_path: Path) -> None:
    fabric = clos(leaves=2, spines=1)
    case = planned(tmp_path, intent(RDMA, *fabric), intent(MOVED, *fabric))
    lines = [x for s in case.plan.stages for p in s.parts for a in p.acts for x in a.step.lines if "pfcwd" in x]
    stops = [x for x in lines if x.startswith("sudo pfcwd stop ")]
    starts = [x for x in lines if x.startswith("sudo pfcwd start ")]
    assert len(stops) == len(starts) == 2  # of the two leaves, which are alike, and of the spine
    start = re.compile(r"sudo pfcwd start --action drop --restoration-time 400 (Ethernet\d+ )+200")
    assert all(start.fullmatch(x) for x in starts)


@pytest.mark.parametrize("release", ["202012", "202405"])
def test_what_is_written_directly_and_disturbs_nothing_is_returned_from_by_its_inverse(
    tmp_path: Path, release: str
) -> None:
    fabric = clos(leaves=2, spines=1)
    old, new = (intent(r, *fabric).replace('sonic: "202511"', f'sonic: "{release}"') for r in (MARKED, RDMA))
    case = planned(tmp_path, old, new)
    (part, *_) = case.plan.stages[0].parts
    assert any(act.step.refused for act in part.acts)
    assert {act.step.mark for act in part.acts} == {"hitless"}
    (_, before), *_, (_, after) = states(case, part.devices[0])
    *lines, save = part.back
    assert save == "sudo config save -y"
    assert before != after
    assert taken(after, Act("back", Step("", "", "", tuple(lines)))) == before
    assert "config reload -y, also not validated; it restarts" in part.back_note


# -- a leaf on the switch as sonic-swss has it: stock rows, 40 m, 3 and 4 lossless; 3 alone and 300 m are meant --------

APPLY = Path(__file__).parent.parent / "drift" / "sonic_apply"


def part_of(*words: str) -> dict[str, Any]:
    """The plan of the one device, as JSON."""
    done = CliRunner().invoke(cli, ["plan", *words, "--format", "json"])
    assert done.exit_code == 0, done.output
    part: dict[str, Any] = json.loads(done.stdout)["stages"][0]["parts"][0]
    return part


def run_on(switch: Switch, part: dict[str, Any]) -> None:
    """All that the part says, in its order; the ways out and back of traffic aside."""
    for step in part["steps"]:
        if step["operations"]:
            switch.patch(step["operations"])
        assert [text for line in step["lines"] for text in switch.type(line)] == []
    for line in part["keep"]:
        switch.type(line)


def at_first(part: dict[str, Any], words: str) -> int:
    return next(n for n, step in enumerate(part["steps"]) if words in json.dumps(step))


def test_the_cable_length_comes_before_pfc_and_the_port_is_started_after_both() -> None:
    part = part_of(str(APPLY / "i2.yaml"), "--running", str(APPLY / "run40.json"))
    order = ("interface shutdown", "/CABLE_LENGTH/AZURE/Ethernet0", "pfc_enable", " DEL ", "interface startup")
    found = [at_first(part, words) for words in order]
    assert found == sorted(found)
    switch = Switch(json.loads((APPLY / "run40.json").read_text(encoding="utf-8")), 202505, lazy=lambda: True)
    run_on(switch, part)
    assert switch.without_headroom() == []
    assert switch.bound["BUFFER_PG", "Ethernet0", 3] == "pg_lossless_400000_300m_profile"
    assert switch.bound["BUFFER_PG", "Ethernet0", 4] == "null"
    assert set(switch.config["BUFFER_PG"]) >= {"Ethernet0|3", "Ethernet8|3"}
    assert not {"Ethernet0|3-4", "Ethernet8|3-4"} & set(switch.config["BUFFER_PG"])


def test_what_is_saved_has_the_watchdog_and_a_reboot_before_it_finds_the_old_state() -> None:
    """`pfcwd stop` deletes rows of PFC_WD, and `config bgp shutdown` writes rows: a save in between keeps both."""
    part = part_of(str(APPLY / "i2.yaml"), "--running", str(APPLY / "run40.json"))
    assert any(line.startswith("sudo pfcwd stop") for step in part["steps"] for line in step["lines"])
    assert part["keep"] == ["sudo config save -y"]
    assert not any("config save" in json.dumps(step) for step in part["steps"])
    assert part["drain"]
    assert part["undrain"]
    switch = Switch(json.loads((APPLY / "run40.json").read_text(encoding="utf-8")), 202505)
    run_on(switch, part)
    (saved,) = switch.saved
    assert saved["PFC_WD"]["Ethernet0"] == {"action": "drop", "detection_time": "200", "restoration_time": "400"}
    assert saved["PFC_WD"]["Ethernet8"] == saved["PFC_WD"]["Ethernet0"]
    assert saved == switch.config


def test_the_plan_for_people_saves_after_the_watchdog_and_the_traffic_are_back() -> None:
    done = CliRunner().invoke(cli, ["plan", str(APPLY / "i2.yaml"), "--running", str(APPLY / "run40.json")])
    text = done.stdout.partition("### Rollback of this stage")[0]
    saves = [n.start() for n in re.finditer(r"sudo config save -y$", text, re.MULTILINE)]
    assert len(saves) == 1
    assert text.index("sudo pfcwd start") < text.index("sudo config bgp startup all") < saves[0]


def test_what_needs_its_order_is_returned_from_by_a_reload() -> None:
    part = part_of(str(APPLY / "i300.yaml"), "--running", str(APPLY / "conv40.json"))
    assert part["rollback"] == [
        "sudo cp /etc/sonic/config_db.rocecfg-stage-1.json /etc/sonic/config_db.json",
        "sudo config reload -y",  # a file that is named is validated from 202505 on
    ]
    assert "starts no port for a cable length" in part["rollback_note"]


def test_every_step_of_the_plan_is_a_file_of_its_own(tmp_path: Path) -> None:
    """A check stands between two of them, so no script runs on over it."""
    words = ["plan", str(APPLY / "i40.yaml"), "--running", str(APPLY / "both.json"), "-o", f"{tmp_path}/"]
    assert CliRunner().invoke(cli, words).exit_code == 0
    texts = [path.read_text(encoding="utf-8") for path in sorted(tmp_path.rglob("*.sh"))]
    assert [" DEL " in text for text in texts].index(True) < [" HSET " in text for text in texts].index(True)
    assert not any(" DEL " in text and " HSET " in text for text in texts)
