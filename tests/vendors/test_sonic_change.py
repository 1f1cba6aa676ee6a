"""The one planner of changes, between any two devices that SONiC can express, its steps taken as a switch takes them.

The interpreter is not the planner's: jsonpatch for operations, and a switch of its own, `sonic_orch`, for the rest.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

import jsonpatch
import pytest
import sonic_checks
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sonic_factory import device, fabric, maps, ports, stock
from sonic_meaning import amounts_to
from sonic_orch import Switch
from test_sonic_properties import devices, traffic, watchdogs

from rocecfg.drift.changes import DeviceFix, work_out_fix
from rocecfg.drift.files import RunningConfiguration
from rocecfg.drift.intended import IntendedDevice, read_intended_settings, read_switches
from rocecfg.drift.match import SwitchComparer, wanted_of
from rocecfg.drift.run import Compared
from rocecfg.linting.judge import judge
from rocecfg.linting.rendering import render_device as render
from rocecfg.model import Device
from rocecfg.profiles import SHIPPED
from rocecfg.source.document import Document, Sources
from rocecfg.vendors.changes import Step, Wanted
from rocecfg.vendors.draft import draft_of
from rocecfg.vendors.running import fabric_of
from rocecfg.vendors.sonic.change import safe
from rocecfg.vendors.sonic.reader import read as read_sonic
from rocecfg.vendors.sonic.release import release_of

Config = dict[str, Any]


class Pair(NamedTuple):
    """What a switch runs, and what is meant for it."""

    runs: Config
    means: Device

    @property
    def dynamic(self) -> bool:
        return self.means.box is not None and self.means.box.buffer_model == "dynamic"


@st.composite
def pairs(draw: st.DrawFn, *, down: bool = True) -> Pair:
    """Two devices on one box, with the same ports at the same speeds; the first runs, beside stock rows."""
    old = draw(devices())
    if (old.version or "") < "202505":
        old = replace(old, version=draw(st.sampled_from(["202411", "202505", "202511"])))
    classes = draw(st.just(old.classes) | traffic())
    groups = []
    for group in old.ports:
        crossing = tuple(c for c in classes if draw(st.booleans()))
        dog = group.watchdog if draw(st.booleans()) else draw(st.none() | watchdogs())
        new = ports(
            *group.names,
            classes=tuple(c.name for c in crossing),
            pfc=tuple(sorted(c.priority for c in crossing if c.lossless)),
            speed=group.speed,
            cable=draw(st.sampled_from([group.cable, 3.0, 40.0, 250.0])),
            watchdog=dog,
            trust=draw(st.sampled_from([group.trust, "dscp", "pcp"])),
        )
        chosen = draw(st.sampled_from([group, new])) if classes == old.classes else new
        if chosen.pfc and chosen.trust == "none":  # nothing is sorted into what is lossless: lint refuses to mean that
            chosen = replace(chosen, trust="dscp")
        groups.append(chosen)
    means = replace(old, classes=classes, maps=maps(classes), ports=tuple(groups))
    config = running(old, means)
    if draw(st.booleans()):
        _with_own_names(config)
    for port in config["PORT"].values() if down else ():
        port["admin_status"] = draw(st.sampled_from(["up", "up", "up", "down"]))
    return Pair(config, means)


def running(device: Device, means: Device) -> Config:
    """What `config load` makes of stock rows, once the stock rows that its notes name are gone."""
    model = "dynamic" if device.box is not None and device.box.buffer_model == "dynamic" else "traditional"
    speeds = {name: str((group.speed or 0) // 10**6) for group in device.ports for name in group.names}
    config: Config = stock(*speeds, hwsku=device.hwsku or "", model=model)
    for name, speed in speeds.items():
        config["PORT"][name]["speed"] = speed
    config["BUFFER_PG"] = {key: row for key, row in config["BUFFER_PG"].items() if not key.endswith("|3-4")}
    config["QUEUE"], config["CABLE_LENGTH"] = {}, {}
    config["PORT_QOS_MAP"] = {"global": config["PORT_QOS_MAP"]["global"]}
    for table, rows in json.loads(render(fabric(device), device).body).items():
        for key, row in rows.items():
            config.setdefault(table, {}).setdefault(key, {}).update(row)
    config["FLEX_COUNTER_TABLE"] = json.loads(render(fabric(means), means).body)["FLEX_COUNTER_TABLE"]
    if model == "traditional":
        _as_buffermgrd(config, speeds)
    return {table: rows for table, rows in config.items() if rows}


def _as_buffermgrd(config: Config, speeds: dict[str, str]) -> None:
    """Its rows of BUFFER_PG, and the profiles that these name."""
    profile = next(row for name, row in config["BUFFER_PROFILE"].items() if name.startswith("pg_lossless"))
    config["BUFFER_PROFILE"] |= {
        f"pg_lossless_{speed}_{metres}m_profile": dict(profile)
        for speed in {*speeds.values()}
        for metres in (1, 5, 40, 300)
    }
    config["BUFFER_PG"] = Switch(config, 202411).config["BUFFER_PG"]
    switch = Switch(config, 202411)
    for port in speeds:
        switch.type(f"sudo config interface startup {port}")
    config["BUFFER_PG"] = switch.config["BUFFER_PG"]


def _with_own_names(config: Config) -> None:
    """Names that rocecfg would not give."""
    for table in ("TC_TO_QUEUE_MAP", "DSCP_TO_TC_MAP"):
        if "AZURE" in config.get(table, {}):
            config[table] = {"OURS": config[table].pop("AZURE"), **config[table]}
    for row in config["PORT_QOS_MAP"].values():
        row.update(
            {
                field: "OURS"
                for field, table in (("tc_to_queue_map", "TC_TO_QUEUE_MAP"), ("dscp_to_tc_map", "DSCP_TO_TC_MAP"))
                if row.get(field) == "AZURE" and "OURS" in config[table]
            }
        )


class Case:
    """A pair, compared."""

    def __init__(self, pair: Pair) -> None:
        # a queue that no class has keeps its scheduler, as the system's profile says
        means = replace(pair.means, nos=SHIPPED.nos("sonic"))
        self.pair = pair._replace(means=means)
        self.means: IntendedDevice = read_intended_settings(fabric(means), means, Sources(), None)

    def differs(self, config: Config, *, down: bool = False) -> Wanted:
        """What drift finds."""
        return wanted_of(self._parts(config)[1], down=down)

    def _parts(self, config: Config) -> tuple[RunningConfiguration, list[Any]]:
        document = Document(1, "running.json", json.dumps(config))
        (switch,) = read_switches(document, self.pair.means)
        found = RunningConfiguration(document, "sonic", switch, "leaf01", alone=True)
        return found, SwitchComparer().find_differing(self.means, switch)

    def fixed(self, *, patched: bool = False) -> DeviceFix:
        found, parts = self._parts(self.pair.runs)
        return work_out_fix(Compared("leaf01", self.means, found, wanted_of(parts, down=patched)), patched=patched)

    def switch(self) -> Switch:
        release, dynamic = release_of(self.pair.means).number, self.pair.dynamic
        return Switch(self.pair.runs, release, dynamic=dynamic, vendor="mellanox" if dynamic else "broadcom")


def take(switch: Switch, step: Step) -> None:
    if step.operations:
        switch.patch(step.operations)
    type_all(switch, step.lines)


def type_all(switch: Switch, commands: Iterable[str]) -> None:
    for command in commands:
        assert switch.type(command) == [], command


def rows(config: Config) -> Config:
    return {table: found for table, found in config.items() if found}


def errors(config: Config) -> set[str]:
    """The rules that find errors."""
    sources = Sources()
    document = sources.add("running.json", json.dumps(config))
    stated = [draft_of(switch)._replace(name=switch.name or "any") for switch in read_sonic(document)]
    findings, failed = judge(fabric_of("", [(document, stated)], [], sources))
    assert not failed
    return {f.rule.code for f in findings if f.severity == "error"}


KEPT = {
    "SON807"
}  # a queue that was lossless keeps its egress profile: an intent states nothing of lossy queues' buffers
UNUSED = {"weight", "meter_type"}  # of a strict scheduler, and of one without rates
QUICK = settings(
    derandomize=True,
    database=None,
    max_examples=40,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # devices are large: shrinking one takes minutes
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.large_base_example, HealthCheck.data_too_large],
)


@QUICK
@given(pairs())
def test_a_patch_is_empty_if_and_only_if_there_is_no_drift(pair: Pair) -> None:
    case = Case(pair)
    steps = case.fixed(patched=True).change.steps
    assert (steps == ()) == (case.differs(pair.runs, down=True) == {})
    if not case.differs(pair.runs):
        assert case.fixed().change.steps == ()


def armed_in(step: Step, config: Config, mask: str) -> set[str]:
    """Ports whose rows of PFC_WD come in one patch with the mask that they are armed for."""
    after = jsonpatch.apply_patch(json.loads(json.dumps(config)), [dict(op) for op in step.operations])

    def changes(table: str, field: str | None) -> set[str]:
        before, then = ({**{port: {} for port in config["PORT"]}, **rows.get(table, {})} for rows in (config, after))
        return {
            port
            for port, row in then.items()
            if (row.get(field) != before.get(port, {}).get(field) if field else bool(row) and not before.get(port))
        }

    return changes("PFC_WD", None) & changes("PORT_QOS_MAP", mask)


@QUICK
@given(pairs())
def test_the_change_leaves_no_drift_and_no_danger_between_its_steps(pair: Pair) -> None:
    case, switch = Case(pair), None
    fixed = case.fixed()
    assert fixed.left == {}
    by_hand = [_lossless_zero(text, pair.means) for text in fixed.change.beyond]
    switch = case.switch()
    bare = {*switch.without_headroom(), *((port, 0) for port, _ in by_hand)}
    unwatched = set(switch.without_watchdog())
    target = json.loads(fixed.change.after)
    meant_unwatched = {(p, n) for p, row in target["PORT_QOS_MAP"].items() for n in _unwatched(target, p, row)}
    for step in fixed.change.steps:
        assert armed_in(step, switch.config, release_of(pair.means).watched_by) == set()
        take(switch, step)
        moment = safe.Moment(rows(switch.config), target, release_of(pair.means).watched_by)
        assert [(danger.name, place) for danger, place in safe.find_endangered(pair.runs, moment)] == []
        assert set(switch.without_headroom()) <= bare
        assert set(switch.without_watchdog()) <= unwatched | meant_unwatched
    for port, commands in by_hand:
        type_all(switch, commands)
        assert (port, 0) not in switch.without_headroom()
    assert case.differs(rows(switch.config)) == {}
    assert {field for table, _, field in switch.forced_otherwise() if table == "SCHEDULER"} <= UNUSED
    for port, row in switch.config["PORT"].items():
        assert row["admin_status"] == pair.runs["PORT"][port]["admin_status"]
        if row["admin_status"] == "up":
            wanted = json.loads(case.means.text)
            assert sonic_checks.lacks(amounts_to(switch.config, port), amounts_to(wanted, port)) == {}


def _lossless_zero(text: str, means: Device) -> tuple[str, list[str]]:
    """The port and the commands of what a change leaves to hands: group 0, lossy by stock, is to be lossless."""
    found = re.fullmatch(r"BUFFER_PG\|(\w+)\|0 names a profile that is not looked up .* port starts: (.*)", text)
    assert found is not None, text
    (group,) = (group for group in means.ports if found[1] in group.names)
    assert any(c.lossless and c.pg == 0 and c.priority in group.pfc for c in means.classes)
    return found[1], found[2].split("; ")


def _unwatched(config: Config, port: str, row: dict[str, str]) -> list[str]:
    watched = row.get("pfcwd_sw_enable", "").split(",") if port in config.get("PFC_WD", {}) else []
    return [n for n in row.get("pfc_enable", "").split(",") if n and n not in watched]


@settings(QUICK, max_examples=15)
@given(pairs())
def test_lint_says_nothing_new_after_the_change(pair: Pair) -> None:
    case = Case(pair)
    switch = case.switch()
    change = case.fixed(patched=True).change
    for step in change.steps:
        take(switch, step)
    for _, commands in [_lossless_zero(text, pair.means) for text in change.beyond]:
        type_all(switch, commands)
    whole = running(pair.means, pair.means)
    if any(port.trust != "dscp" for port in pair.means.ports):
        del whole["PORT_QOS_MAP"]["global"]  # ports without a DSCP map sort by its
    kept = set(KEPT)
    if any(c.lossless and not c.strict and c.bandwidth is None for c in pair.means.classes):
        kept.add("ETS502")  # a queue for which no share is meant keeps its scheduler, strict or not
    assert errors(rows(switch.config)) - kept <= errors(pair.runs) | errors(whole)


@QUICK
@given(pairs(down=False))
def test_patch_and_drift_have_the_same_steps(pair: Pair) -> None:
    case = Case(pair)
    assert case.fixed(patched=True).change.steps == case.fixed().change.steps


@pytest.mark.parametrize("danger", safe.DANGERS, ids=lambda danger: danger.name)
def test_each_danger_has_a_moment_that_has_it(danger: safe.Danger) -> None:
    """And none has it where the port is down, or was so before, or is meant to be so."""
    safe_ = {
        "PORT": {"Ethernet0": {"admin_status": "up"}},
        "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3", "pfcwd_sw_enable": "3"}},
        "CABLE_LENGTH": {"AZURE": {"Ethernet0": "40m"}},
        "PFC_WD": {"Ethernet0": {"detection_time": "200"}},
        "BUFFER_POOL": {"egress_lossless_pool": {"type": "egress"}, "egress_lossy_pool": {"type": "egress"}},
        "BUFFER_PROFILE": {
            "egress_lossless_profile": {"pool": "egress_lossless_pool", "dynamic_th": "7"},
            "egress_lossy_profile": {"pool": "egress_lossy_pool", "dynamic_th": "3"},
        },
        "BUFFER_QUEUE": {"Ethernet0|3-4": {"profile": "egress_lossless_profile"}},
    }
    changes: dict[str, tuple[str, str, dict[str, str]]] = {
        "cable length before PFC": ("CABLE_LENGTH", "AZURE", {"Ethernet0": "5m"}),
        "profile before binding": ("PORT_QOS_MAP", "Ethernet0", {"dscp_to_tc_map": "AZURE"}),
        "no lossless queue on a lossy profile": ("BUFFER_QUEUE", "Ethernet0|3-4", {"profile": "egress_lossy_profile"}),
        "no class lossless without watchdog": ("PORT_QOS_MAP", "Ethernet0", {"pfcwd_sw_enable": "4"}),
    }
    table, key, fields = changes[danger.name]
    bad = json.loads(json.dumps(safe_))
    bad[table][key] |= fields

    def found(tables: Config, before: Config = safe_, target: Config = safe_) -> list[tuple[str, str]]:
        moment = safe.Moment(tables, target, "pfcwd_sw_enable")
        return [(each.name, place[0]) for each, place in safe.find_endangered(before, moment)]

    assert found(safe_) == []
    assert found(bad) == [(danger.name, "Ethernet0")]
    assert found(bad, before=bad) == []
    assert found(bad, target=bad) == []
    bad["PORT"]["Ethernet0"]["admin_status"] = "down"
    assert found(bad) == []


def test_a_scheduler_that_serves_other_queues_too_is_left_and_another_one_made() -> None:
    """Queue 2 is nobody's, but it is scheduled, and by the row that RDMA's queue is to part from."""
    means = device()
    config = running(means, means)
    config["SCHEDULER"]["scheduler.dwrr60"]["weight"] = "30"
    config["QUEUE"]["Ethernet0|2"] = config["QUEUE"]["Ethernet8|2"] = {"scheduler": "scheduler.dwrr60"}
    case = Case(Pair(config, means))
    after = json.loads(case.fixed().change.after)
    assert case.differs(after) == {}
    assert after["SCHEDULER"]["scheduler.dwrr60"]["weight"] == "30"
    for port in ("Ethernet0", "Ethernet8"):
        assert after["QUEUE"][f"{port}|2"] == {"scheduler": "scheduler.dwrr60"}
        name = after["QUEUE"][f"{port}|3"]["scheduler"]
        assert name != "scheduler.dwrr60"
        assert after["SCHEDULER"][name] == {"type": "DWRR", "weight": "60"}
