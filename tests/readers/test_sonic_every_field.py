"""Every statement of SONiC's configuration on QoS, buffers and PFC: two switches that differ in one are told apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conformance import SonicYang
from sampling import part
from sonic_changes import Original, changes, reduced, statements
from sonic_checks import RELEASES, faults, validate
from sonic_clean import changed
from sonic_text import switches
from sonic_whole import SCHEMA, Config, from_intent, sample
from yang import tables

from rocecfg.vendors.sonic import domain, settings

pytestmark = pytest.mark.conformance

NEWEST = "master"
SAMPLES = (
    "qos-arista7060x6-th5",
    "qos-dell9332-th3",
    "buffers-sn4600c-t1-dynamic",
    "qos-brackets-3_0_1",
    "qos-config-reload-output",
    "voq-t2-linecard-newfmt",
)
COUNTERS = "FLEX_COUNTER_TABLE"
RELEASE = "202605"  # that the configurations made from the models are read as


@pytest.fixture(scope="module")
def models(shared: Path) -> dict[str, Any]:
    return tables(shared / "sonic-yang" / NEWEST)


def silent(
    config: Config, models: dict[str, Any], release: str | None, *, entries: bool = False, beside: Config | None = None
) -> list[str]:
    """The changes that no difference names, but for what is deleted and was the default that silence means.

    `beside`: a configuration of which every statement is changed elsewhere: tables that are equal are left out.
    """
    original = Original(reduced(config), release)
    found = [
        change
        for change in changes(original.config, models, entries=entries)
        if beside is None or config[change.statement.table] != beside.get(change.statement.table)
    ]
    assert len(found) > 100
    tried = part(found, "rocecfg/vendors/sonic")
    return [str(each) for each in tried if not original.names(each) and not original.is_silence(each)]


@pytest.mark.parametrize("name", SCHEMA)
def test_every_statement_of_the_models_is_compared(models: dict[str, Any], name: str) -> None:
    """Between two configurations, a difference names the setting; there are no exceptions."""
    assert silent(SCHEMA[name], models, RELEASE, beside=None if name == "sized" else SCHEMA["sized"]) == []


def test_every_entry_of_maps_is_compared(models: dict[str, Any]) -> None:
    maps = {table: rows for table, rows in SCHEMA["sized"].items() if table in {*settings.MAPS, "PORT_QOS_MAP", "PORT"}}
    assert silent(maps, models, RELEASE, entries=True) == []


@pytest.mark.parametrize("release", RELEASES[:-1])
def test_every_statement_of_a_switch_of_each_release_is_compared(
    models: dict[str, Any], tmp_path_factory: pytest.TempPathFactory, release: str
) -> None:
    config = from_intent(release, tmp_path_factory.mktemp("made"))
    assert silent(config, models, None) == []


@pytest.mark.parametrize("name", SAMPLES)
def test_every_statement_of_real_switches_is_compared(models: dict[str, Any], shared: Path, name: str) -> None:
    assert silent(sample(shared, name), models, None) == []


@pytest.mark.parametrize("name", SAMPLES)
def test_a_configuration_is_no_other_than_itself(shared: Path, name: str) -> None:
    config = sample(shared, name)
    backwards = {table: dict(reversed(rows.items())) for table, rows in reversed(config.items())}
    assert Original(config).differences(config) == []
    # rows overlap in none of these, so their order says nothing
    assert Original(config).differences(backwards) == []


def test_names_of_profiles_and_maps_are_no_settings() -> None:
    config = SCHEMA["sized"]
    text = json.dumps(config).replace('"AZURE_LOSSLESS"', '"MARK"').replace('"scheduler.0"', '"low"')
    text = text.replace('"egress_lossy_profile"', '"q_lossy"')
    maps = {**config["DSCP_TO_TC_MAP"], "SORT": config["DSCP_TO_TC_MAP"]["AZURE"]}
    renamed = {**json.loads(text), "DSCP_TO_TC_MAP": maps}
    del renamed["DSCP_TO_TC_MAP"]["AZURE"]
    for row in renamed["PORT_QOS_MAP"].values():
        row["dscp_to_tc_map"] = "SORT"
    assert Original(config, RELEASE).differences(renamed) == []


def test_the_configurations_are_valid(sonic_yang: SonicYang, tmp_path: Path) -> None:
    for name, config in SCHEMA.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(config), encoding="utf-8")
    verdicts = validate(sonic_yang, NEWEST, *sorted(tmp_path.glob("*.json")))
    assert len(verdicts) == len(SCHEMA)
    assert faults(verdicts) == {}


def test_the_configurations_hold_every_field(models: dict[str, Any]) -> None:
    held = {(table, field) for config in SCHEMA.values() for table, _, field in statements(config) if field}
    wanted = {
        (table, field)
        for table in domain.QOS - set(settings.MAPS) - {"CABLE_LENGTH"}
        for rows in models[table]
        for field in rows.fields
    }
    counters = {
        f"{rows.row} {field}" for rows in models[COUNTERS] if rows.row in domain.COUNTED for field in rows.fields
    }
    assert wanted - held == {("SCHEDULER", "priority")}  # YANG alone has it
    assert {table for table, _ in held} >= domain.QOS
    assert counters <= {f"{group} {field}" for group, row in SCHEMA["sized"][COUNTERS].items() for field in row}
    for table, fields in (("PORT", settings.PORT), ("DEVICE_METADATA", settings.METADATA)):
        assert {field for of, field in held if of == table} == fields.keys()


def number_of(release: str) -> int:
    return int(release) if release.isdigit() else 999999


@pytest.mark.parametrize("release", RELEASES)
def test_the_domain_is_that_of_the_models(shared: Path, release: str) -> None:
    """Tables that are about QoS by their names, and all fields of theirs, are in the domain, and no others."""
    found = tables(shared / "sonic-yang" / release)
    known = domain.DOMAIN | domain.OTHERS
    assert [name for name in found if any(stem in name for stem in domain.STEMS) and name not in known] == []
    number = number_of(release)
    for table, fields in settings.FIELDS.items():
        theirs = {field: leaf for rows in found.get(table, ()) for field, leaf in rows.fields.items()}
        own = {field for field, of in fields.items() if of.since is None or of.since <= number}
        own |= set(settings.PFC_WD_GLOBAL) if table == "PFC_WD" else set()
        assert theirs.keys() - own == set(), table
        assert {
            field for field in theirs if field in fields and set(theirs[field].words) - set(fields[field].words)
        } == set()
        assert {field: leaf.table for field, leaf in theirs.items() if leaf.table} == {
            field: of.table for field, of in fields.items() if of.table and field in theirs
        }
    for table, judged in (("PORT", settings.PORT), ("DEVICE_METADATA", settings.METADATA)):
        theirs = {field: leaf for rows in found[table] if rows.row != "bmc" for field, leaf in rows.fields.items()}
        assert theirs.keys() - judged.keys() - set(settings.BESIDE[table]) == set()
    groups = {rows.row: rows.fields.keys() for rows in found[COUNTERS]}
    assert groups.keys() <= {*domain.COUNTED, *domain.COUNTED_BESIDE}
    assert (
        set().union(*(fields for group, fields in groups.items() if group in domain.COUNTED))
        <= settings.COUNTERS.keys()
    )


# Defaults that the models have and daemons do not take.
NO_DEFAULT = {
    ("BUFFER_PROFILE", "xoff"),  # given or not, it makes a profile of lossless traffic of the row (bufferorch.cpp)
    *((table, "profile") for table in ("BUFFER_PG", "BUFFER_QUEUE")),  # there is no profile 0: the row is refused
}


@pytest.mark.parametrize("release", RELEASES)
def test_defaults_are_those_of_the_models(shared: Path, release: str) -> None:
    found = tables(shared / "sonic-yang" / release)
    judged = {**settings.FIELDS, "PORT": settings.PORT, "DEVICE_METADATA": settings.METADATA}
    theirs = {
        (table, field): leaf.default
        for table, fields in judged.items()
        for rows in found.get(table, ())
        for field, leaf in rows.fields.items()
        if leaf.default is not None and field in fields and (table, field) not in NO_DEFAULT
    }
    own = {(table, field): judged[table][field].default for table, field in theirs}
    assert own == theirs
    assert len(theirs) > 5


def test_a_priority_of_a_scheduler_is_told() -> None:
    """YANG takes it; orchagent has not since 202211 (qosorch.cpp), and refuses the whole row."""
    config = changed(SCHEDULER={"scheduler.0": {"priority": "1"}})
    (found,) = (p for s in switches(config, "202505") for p in s.problems if "priority" in p.message and p.severity)
    assert (found.rule, found.severity) == ("device-unknown", "error")
    assert [p for s in switches(config, "202205") for p in s.problems if "priority, though" in p.message] == []
