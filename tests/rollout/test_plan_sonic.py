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
from rollout_cases import LOSSY, MARKED, MOVED, RDMA, Case, clos, intent, planned

from rocecfg.drift.meant import read
from rocecfg.drift.pairs import Pairs, wanted_of
from rocecfg.rollout.parts import Act
from rocecfg.source.document import Document

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
    for command, *words in typed(act.step.lines):
        if command == "pfcwd":
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
        row[rest[0].removeprefix("--").replace("-", "_")] = rest[1]
        rest = rest[2:]
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
        del rows[row]


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
    (switch,) = read(Document(one.found.document.number, "after", json.dumps(config)), one.meant.device)
    return wanted_of(Pairs().parts(one.meant, switch))


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
        ("moves", ["Stop the watchdog", "Maps and trust", "ECN and scheduling", "PFC", "Start the watchdog"]),
        ("comes", ["Maps and trust", "Buffers and headroom", "PFC", "Start the watchdog"]),
        ("goes", ["Stop the watchdog", "PFC", "Maps and trust"]),
    ],
)
def test_pfc_is_last_where_it_comes_and_first_where_it_goes(tmp_path: Path, change: str, titles: list[str]) -> None:
    fabric = clos(leaves=2, spines=1)
    case = planned(tmp_path, *(intent(rdma, *fabric) for rdma in CHANGES[change]))
    got = [title for title, _ in states(case, "leaf1")[1:]]
    assert [title for title in dict.fromkeys(got) if title in titles] == titles
    assert set(got) <= {*titles, "What is left", "ECN and scheduling"}


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


def test_what_is_refused_on_the_way_there_is_refused_on_the_way_back(tmp_path: Path) -> None:
    fabric = clos(leaves=2, spines=1)
    old, new = (intent(r, *fabric).replace('sonic: "202511"', 'sonic: "202405"') for r in (MARKED, RDMA))
    (part, *_) = planned(tmp_path, old, new).plan.stages[0].parts
    assert any(act.step.refused for act in part.acts)
    assert part.save[0] == "sudo config checkpoint rocecfg-stage-1"
    assert part.back[0] == "sudo config reload -y /etc/sonic/config_db.rocecfg-stage-1.json"
    assert "config rollback is refused too" in part.back_note
