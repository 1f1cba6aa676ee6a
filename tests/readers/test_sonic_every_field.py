"""Every field of SONiC's YANG models on QoS, buffers and PFC: none passes in silence."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from seen import Seen, noted, seen
from sonic_checks import RELEASES, faults, validate
from sonic_clean import changed, clean, each
from sonic_text import findings, switches
from yang import Leaf, tables

from rocecfg.vendors.sonic import domain

pytestmark = pytest.mark.conformance

NEWEST = "master"
PORT = "Ethernet0"
Config = dict[str, Any]


class Setting(NamedTuple):
    """A field of a row of the configuration."""

    table: str
    row: str
    field: str


_OTHER = {  # a second row that references may lead to
    "DSCP_TO_TC_MAP": {"26": "6", "48": "3"},
    "DOT1P_TO_TC_MAP": {"3": "4", "4": "3"},
    "TC_TO_QUEUE_MAP": {"3": "6", "6": "3"},
    "TC_TO_PRIORITY_GROUP_MAP": {"3": "7", "7": "3"},
    "TC_TO_DSCP_MAP": {"3": "18"},
    "MAP_PFC_PRIORITY_TO_QUEUE": {"3": "4", "4": "3"},
    "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": {"3": "4", "4": "3"},
    "WRED_PROFILE": {"green_min_threshold": "300000"},
}


def _sized() -> Config:
    """Buffers as configured: the traditional model. Every field that the models have is in some row."""
    config = changed(
        DEVICE_METADATA={"localhost": {"default_pfcwd_status": "enable"}},
        PORT={PORT: {"pfc_asym": "off"}},
        BUFFER_POOL={"egress_lossy_pool": {"type": "egress", "mode": "dynamic", "size": "20000000"}},
        BUFFER_PROFILE={
            "egress_lossy_profile": {"pool": "egress_lossy_pool", "size": "0", "dynamic_th": "3"},
            "egress_lossless_profile": {"packet_discard_action": "drop"},
            "pg_lossless_400000_40m_profile": {"headroom_type": "static"},
        },
        BUFFER_QUEUE={f"{PORT}|0": {"profile": "egress_lossy_profile"}},
        BUFFER_PORT_INGRESS_PROFILE_LIST={PORT: {"profile_list": "ingress_lossy_profile"}},
        BUFFER_PORT_EGRESS_PROFILE_LIST={PORT: {"profile_list": "egress_lossless_profile"}},
        SCHEDULER={
            "scheduler.1": {"meter_type": "bytes", "cir": "1000", "pir": "5000", "cbs": "8192", "pbs": "8192"},
        },
        PORT_QOS_MAP=each(
            {
                "dot1p_to_tc_map": "AZURE",
                "pfc_to_pg_map": "AZURE",
                "tc_to_dscp_map": "AZURE",
                "scheduler": "scheduler.1",
            }
        ),
        DOT1P_TO_TC_MAP={"AZURE": {str(n): str(n) for n in range(8)}},
        TC_TO_DSCP_MAP={"AZURE": {str(n): {3: "26", 6: "48"}.get(n, "0") for n in range(8)}},
        PFC_PRIORITY_TO_PRIORITY_GROUP_MAP={"AZURE": {str(n): str(n) for n in range(8)}},
        PFC_WD=each({"pfc_stat_history": "disable"}),
        SWITCH_TRIMMING={"GLOBAL": {"size": "256", "dscp_value": "48", "queue_index": "6"}},
        FLEX_COUNTER_TABLE={
            "PFCWD": {"FLEX_COUNTER_DELAY_STATUS": "false"},
            "WRED_ECN_QUEUE": {"FLEX_COUNTER_STATUS": "enable", "POLL_INTERVAL": "10000"},
        },
    )
    del config["PORT_QOS_MAP"]["global"]
    for table, other in _OTHER.items():
        config[table]["OTHER"] = {**next(iter(config[table].values())), **other}
    return config


def _computed() -> Config:
    """Buffers that the switch works out, the dynamic model; and one map of DSCP for all ports."""
    config = _sized()
    config["PORT_QOS_MAP"]["global"] = {"dscp_to_tc_map": "AZURE"}
    for port in config["PORT"]:
        del config["PORT_QOS_MAP"][port]["dscp_to_tc_map"]
        del config["PORT_QOS_MAP"][port]["dot1p_to_tc_map"]
    config["DEVICE_METADATA"]["localhost"]["buffer_model"] = "dynamic"
    config["DEFAULT_LOSSLESS_BUFFER_PARAMETER"] = {"AZURE": {"default_dynamic_th": "0", "over_subscribe_ratio": "2"}}
    config["BUFFER_POOL"]["egress_lossy_pool"] = {"type": "egress", "mode": "dynamic", "percentage": "20"}
    config["LOSSLESS_TRAFFIC_PATTERN"] = {"AZURE": {"mtu": "4096", "small_packet_percentage": "50"}}
    for port in list(config["PORT"]):
        config["BUFFER_PG"][f"{port}|3"] = {"profile": "own"}
    config["BUFFER_PROFILE"]["own"] = {
        "pool": "ingress_lossless_pool",
        "headroom_type": "dynamic",
        "dynamic_th": "1",
        "size": "0",
    }
    del config["BUFFER_PROFILE"]["pg_lossless_400000_40m_profile"]
    return config


def _by_tag() -> Config:
    """Ports that sort by 802.1p; and what excludes settings of the other configurations."""
    config = clean()
    del config["PORT_QOS_MAP"]["global"]
    for port in config["PORT"]:
        del config["PORT_QOS_MAP"][port]["dscp_to_tc_map"]
        config["PORT_QOS_MAP"][port]["dot1p_to_tc_map"] = "AZURE"
    config["DOT1P_TO_TC_MAP"] = {"AZURE": {str(n): str(n) for n in range(8)}}
    config["SWITCH_TRIMMING"] = {
        "GLOBAL": {"size": "256", "dscp_value": "from-tc", "tc_value": "6", "queue_index": "dynamic"}
    }
    return config


BASES = {"sized": _sized(), "computed": _computed(), "by tag": _by_tag()}
RELEASE = "202605"  # that the configurations are read as

# What nobody is shown, and why. A pattern: table, row, field, and the value set, or "gone".
SILENT = {
    r"DEVICE_METADATA\|localhost default_pfcwd_status .*": "read when a configuration is made: at first boot, by "
    "config load_minigraph and pfcwd start_default, not of a switch that runs one",
    r"PORT\|\S+ admin_status .*": "a port that is down sends nothing; findings on links leave it out",
    r"PORT\|\S+ mtu gone": "portmgrd sets 9100",
    r"PORT\|\S+ fec .*": "of the link alone: judged where both ends are known",
    r"PORT\|\S+ pfc_asym gone": "off by default (YANG)",
    r"SCHEDULER\|\S+ meter_type gone": "bytes by default (YANG, SAI)",
    r"PFC_WD\|\S+ action gone": "drop by default (pfcwdorch)",
    r"PFC_WD\|\S+ pfc_stat_history .*": "counters, which change nothing that is sent",
    r"BUFFER_PROFILE\|egress_lossy_profile .*": "of lossy queues no intent says how much they may hold",
    r"BUFFER_PROFILE\|egress_lossless_profile (pool egress_lossy_pool|size .*|static_th .*)": "what lossless "
    "queues may hold is judged where it is less than ingress admits (BUF615)",
    r"BUFFER_PROFILE\|\S+ packet_discard_action gone": "drop by default (YANG)",
    r"BUFFER_PROFILE\|pg_lossless_\S+ headroom_type .*": "buffermgrd of the traditional model does not read it",
    r"FLEX_COUNTER_TABLE\|PFCWD FLEX_COUNTER_STATUS gone": "init_cfg.json enables it",
    r"FLEX_COUNTER_TABLE\|PFCWD FLEX_COUNTER_DELAY_STATUS .*": "for how long after a boot counters are not polled",
    r"FLEX_COUNTER_TABLE\|WRED_ECN_QUEUE .*": "counters of marked packets, which change nothing that is sent",
    r"BUFFER_PORT_\w+_PROFILE_LIST\|\S+ profile_list .*": "what a port may hold in all, of which no intent says "
    "anything: a profile of the wrong side is told",
    r"DOT1P_TO_TC_MAP\|AZURE 0 gone": "what a map leaves out goes to 0 (SAI)",
}
OF_SHARED = {
    "PORT": tuple(domain.PORT),
    "DEVICE_METADATA": tuple(domain.METADATA),
    "FLEX_COUNTER_TABLE": ("FLEX_COUNTER_STATUS", "FLEX_COUNTER_DELAY_STATUS", "POLL_INTERVAL"),
}


@cache
def _shown(text: str) -> Seen:
    return seen(switches(text, RELEASE))


@cache
def _noted(text: str) -> Seen:
    return noted(switches(text, RELEASE))


@cache
def _judged(text: str) -> Seen:
    return frozenset((each.rule.name, each.message) for each in findings(text, RELEASE))


def differ(one: str, other: str) -> bool:
    return _shown(one) != _shown(other) or _judged(one) != _judged(other)


@pytest.fixture(scope="module")
def models(shared: Path) -> dict[str, Any]:
    return tables(shared / "sonic-yang" / NEWEST)


def settings(config: Config) -> Iterator[Setting]:
    """The settings on QoS, of ports those of the first."""
    for table, rows in config.items():
        if table not in domain.QOS and table not in OF_SHARED:
            continue
        for key, row in rows.items():
            if key == "OTHER":
                continue
            of = key.partition("|")[0]
            if of in config["PORT"] and of != PORT:
                continue
            for field in row:
                if table in OF_SHARED and field not in OF_SHARED[table]:
                    continue
                if table == "CABLE_LENGTH" and field != PORT:
                    continue
                if table == "DSCP_TO_TC_MAP" and field not in ("0", "26", "48"):
                    continue
                yield Setting(table, key, field)


def with_(config: Config, setting: Setting, value: str | None) -> str:
    """The configuration with another value; without the field where it is None."""
    out = {**config, setting.table: {**config[setting.table]}}
    row = out[setting.table][setting.row] = dict(config[setting.table][setting.row])
    if value is None:
        del row[setting.field]
    else:
        row[setting.field] = value
    return json.dumps(out)


def leaf_of(models: dict[str, Any], setting: Setting) -> Leaf:
    for rows in models[setting.table]:
        if rows.row in ("", setting.row) and setting.field in rows.fields:
            return rows.fields[setting.field]
    values = [leaf for rows in models[setting.table] for name, leaf in rows.fields.items() if name in MAPPED]
    return values[0] if values and setting.table in domain.MAPS else Leaf()


MAPPED = ("tc", "qindex", "pg", "dscp")


def values(config: Config, models: dict[str, Any], setting: Setting) -> tuple[list[str], list[str]]:
    """Other values that the field takes, and one that it does not."""
    now = config[setting.table][setting.row][setting.field]
    leaf = leaf_of(models, setting)
    own = {"PORT": domain.PORT, "DEVICE_METADATA": domain.METADATA, "FLEX_COUNTER_TABLE": domain.MARK_COUNTERS}
    known = {**domain.PFC_WD_GLOBAL, **own.get(setting.table, domain.FIELDS.get(setting.table, {}))}.get(setting.field)
    kind = known.kind if known is not None else "any"
    words = leaf.words or (known.words if known is not None else ())
    good, bad = [str(int(now) + 1), str(int(now) * 2 + 2)] if now.isdigit() else ["true"], "x"
    if words:
        good = ["17", "5", *words] if kind == "number" else [*words]
    elif known is not None and kind in ("ref", "refs"):
        good, bad = list(config.get(known.table, {})), "NOWHERE"
    elif kind == "mask":
        good = ["4", "3,4"]
    elif setting.table == "CABLE_LENGTH":
        good = ["5m", "300m"]
    elif leaf.low is not None and leaf.high is not None and now.lstrip("-").isdigit():
        good = [str(n) for n in (leaf.low, leaf.high, int(now) + 1) if leaf.low <= n <= leaf.high]
    return [value for value in dict.fromkeys(good) if value != now][:3], [bad]


def shows(config: Config, setting: Setting, value: str | None) -> bool:
    """Whether a user sees that a field has another value, or is gone; or is told that it is not judged."""
    before, after = json.dumps(config), with_(config, setting, value)
    return differ(before, after) or (value is not None and bool(_noted(before) - _noted(with_(config, setting, None))))


def name_of(setting: Setting, value: str | None) -> str:
    return f"{setting.table}|{setting.row} {setting.field} {'gone' if value is None else value}"


def excused(name: str) -> bool:
    return any(re.fullmatch(pattern, name) for pattern in SILENT)


def test_no_field_passes_in_silence(models: dict[str, Any]) -> None:
    """Each shows on one of the configurations at least, and so does what SONiC refuses."""
    found: dict[str, bool] = {}
    taken: dict[str, bool] = {}
    for config in BASES.values():
        for setting in settings(config):
            good, bad = values(config, models, setting)
            for value in (None, *good):
                name = name_of(setting, value)
                found[name] = found.get(name, False) or shows(config, setting, value)
            for value in bad:
                name = name_of(setting, value)
                taken[name] = taken.get(name, True) and not shows(config, setting, value)
    silent = {name for name, shown in found.items() if not shown}
    assert len(found) > 450
    assert sorted(name for name in silent if not excused(name)) == []
    assert sorted(name for name, silently in taken.items() if silently) == []
    assert [pattern for pattern in SILENT if not any(re.fullmatch(pattern, name) for name in silent)] == []
    assert len(SILENT) <= 30


def test_the_configurations_are_valid(shared: Path, tmp_path: Path) -> None:
    for name, config in BASES.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(config), encoding="utf-8")
    verdicts = validate(shared, NEWEST, *sorted(tmp_path.glob("*.json")))
    assert len(verdicts) == len(BASES)
    assert faults(verdicts) == {}


def test_the_configurations_hold_every_field(models: dict[str, Any]) -> None:
    held = {(table, field) for config in BASES.values() for table, _, field in settings(config)}
    wanted = {
        (table, field)
        for table in domain.QOS - set(domain.MAPS) - {"CABLE_LENGTH"}
        for rows in models[table]
        for field in rows.fields
    }
    assert wanted - held == {("SCHEDULER", "priority")}  # YANG alone has it
    assert {table for table, _ in held} >= domain.QOS


@pytest.mark.parametrize("release", RELEASES)
def test_the_domain_is_that_of_the_models(shared: Path, release: str) -> None:
    """Tables that are about QoS by their names, and all fields of theirs, are in the reader's facts, and no others."""
    found = tables(shared / "sonic-yang" / release)
    known = domain.DOMAIN | domain.OTHERS
    assert [name for name in found if any(stem in name for stem in domain.STEMS) and name not in known] == []
    number = int(release) if release.isdigit() else 999999
    for table, fields in domain.FIELDS.items():
        theirs = {field: leaf for rows in found.get(table, ()) for field, leaf in rows.fields.items()}
        own = {field for field, of in fields.items() if of.since is None or of.since <= number}
        own |= set(domain.PFC_WD_GLOBAL) if table == "PFC_WD" else set()
        assert theirs.keys() - own == set(), table
        assert {
            field for field in theirs if field in fields and set(theirs[field].words) - set(fields[field].words)
        } == set()
    for table, judged in (("PORT", domain.PORT), ("DEVICE_METADATA", domain.METADATA)):
        theirs = {field: leaf for rows in found[table] if rows.row != "bmc" for field, leaf in rows.fields.items()}
        assert theirs.keys() - judged.keys() - set(domain.BESIDE[table]) == set()


def test_a_priority_of_a_scheduler_is_told() -> None:
    """YANG takes it; orchagent has not since 202211 (qosorch.cpp), and refuses the whole row."""
    config = changed(SCHEDULER={"scheduler.0": {"priority": "1"}})
    (found,) = (p for s in switches(config, "202505") for p in s.problems if "priority" in p.message and p.severity)
    assert (found.rule, found.severity) == ("device-unknown", "error")
    assert [p for s in switches(config, "202205") for p in s.problems if "priority, though" in p.message] == []
