"""The rows of SONiC's fields: what they name is in the catalogue, and what they write they read."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sonic_text import switches

from rocecfg.model.catalogue import find_compared_setting
from rocecfg.source.document import Document
from rocecfg.vendors.sonic import settings
from rocecfg.vendors.sonic.change.difference import ORDER
from rocecfg.vendors.sonic.domain import DOMAIN
from rocecfg.vendors.sonic.reading.forms import read_config_db
from rocecfg.vendors.sonic.settings import FIELDS, TABLE, Field, read_values, write_values

KINDS = {  # what a row is read as, and the values that settings can have
    "green": {"enabled": True, "kmin": 300_000, "kmax": 1_200_000, "pmax": 20},
    "scheduler": {"type": "DWRR", "weight": 50, "guaranteed": 10**10, "max_rate": 10**11, "meter": "bytes"},
    "pool": {"direction": "ingress", "mode": "dynamic", "size": 10**7, "shared_headroom": 10**6, "percent": 60},
    "profile": {"size": 80_000, "alpha": 2, "static": 9, "xon": 20_000, "xoff": 40_000, "xon_offset": 1},
    "parameter": {"alpha": 1 / 8, "oversubscribe": 2},
    "pattern": {"lossless_mtu": 1024, "small_packets": 50},
    "trimming": {"size": 256, "dscp": 5, "queue": 6},
    "watchdog": {"action": "drop", "detection_time": 200, "restoration_time": 400},
    "polls": {"poll_interval": 100},
    "port": {"speed": 4 * 10**11, "mtu": 9100, "fec": "rs", "autoneg": "on"},
    "state": {"up": False},
    "masks": {"pfc": (3, 4), "watched": ()},
}


def test_what_rows_name_is_in_the_catalogue() -> None:
    named = {name for row in TABLE.rows for name in (*row.says, *row.sure, *row.by)}
    assert {name for name in named if find_compared_setting(*name.split(".", 1)) is None} == set()
    assert {row.path[0] for row in TABLE.rows} <= DOMAIN | {"CABLE_LENGTH"}
    assert all(row.judged or row.beside for row in TABLE.rows)


def test_a_table_that_a_change_sets_has_its_place_in_the_safe_order() -> None:
    assert {row.path[0] for row in TABLE.rows if row.by} <= {*ORDER, "TC_TO_DSCP_MAP"}


@pytest.mark.parametrize("yellow", [False, True])
def test_what_is_written_is_read(*, yellow: bool) -> None:
    """Of every kind of row, in the units of settings: a value of each, and where it stands."""
    kinds = {**KINDS, "yellow": KINDS["green"]} if yellow else KINDS
    for kind, values in kinds.items():
        fields = write_values(kind, **values)
        assert len(fields) == len(values), kind
        (space,) = read_config_db(Document(1, "x", json.dumps({"PORT": {"Ethernet0": fields}}))).spaces.values()
        found = read_values(space.tables["PORT"]["Ethernet0"], kind)
        assert {name: val.value for name, val in found.items()} == values, kind


@given(st.integers(-10, 200), st.sampled_from([f for fields in FIELDS.values() for f in fields.values()]))
def test_a_number_is_written_as_it_stands(number: int, field: Field) -> None:
    """Or says nothing: below what the field takes, or where two to its power is no alpha."""
    value = field(str(number)) if field.kind == "number" else None
    assert value is None or field.write(value) == str(number)


def test_what_a_row_leaves_out_is_what_its_fields_mean_by_silence() -> None:
    (space,) = read_config_db(Document(1, "x", json.dumps({"WRED_PROFILE": {"A": {"ecn": "ecn_all"}}}))).spaces.values()
    row = space.tables["WRED_PROFILE"]["A"]
    assert read_values(row, "green") == {}
    found = {name: val.value for name, val in read_values(row, "green", silence=True).items()}
    assert found == {"enabled": False, "pmax": 100}  # sonic-wred-profile.yang: no default of thresholds


def test_a_field_that_is_refused_leaves_its_settings_unknown_and_no_others() -> None:
    """A mask that is no list: PFC, and nothing of maps. An unknown field: all that the table is about."""
    config = {
        "PORT": {"Ethernet0": {"lanes": "0", "speed": "400000"}},
        "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3;4"}},
        "WRED_PROFILE": {"A": {"green_min": "1"}},
    }
    (switch,) = switches(json.dumps(config), "202505")
    told = {each.message.partition(":")[0]: each.topics for each in switch.unread}
    assert told == {"PORT_QOS_MAP": ("pfc",), "WRED_PROFILE": ("ecn", "discards")}
    assert settings.topics_of("SCHEDULER", "pbs") == ("max_rate",)
