"""The JSON Schema that editors use: it takes what the reader takes, and refuses what the reader calls wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from checkout import ROOT
from intents import FABRIC, POLICY, findings, rocecfg
from loops import loop
from test_read import FABRIC_SLIPS, POLICY_SLIPS

from rocecfg.intent.schema import CLASS, DEVICE, INTENT, PORT, json_schema
from rocecfg.intent.shapes import Obj
from rocecfg.model.catalogue import CATALOGUE


@pytest.fixture(scope="module")
def validator() -> Any:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def plain(text: str) -> Any:
    """A text as an editor's YAML 1.2 reader sees it."""
    ruamel = pytest.importorskip("ruamel.yaml")
    reader = ruamel.YAML(typ="safe", pure=True)
    reader.allow_duplicate_keys = True
    return json.loads(json.dumps(reader.load(text)))


def test_the_command_prints_the_schema(tmp_path: Path) -> None:
    done = rocecfg(tmp_path, "schema", expect=0)
    printed = json.loads(done.stdout)
    assert printed == json_schema()
    assert printed["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_every_key_is_described() -> None:
    undescribed = [key for key, known in INTENT.keys.items() if not known.doc]
    assert undescribed == []
    properties = json_schema()["properties"]
    assert set(properties) == set(INTENT.keys)
    assert all(properties[key]["description"] for key in properties)


@pytest.mark.parametrize("text", [POLICY, FABRIC], ids=["policy", "fabric"])
def test_the_intents_of_the_tests_fit(text: str, validator: Any) -> None:
    assert [e.message for e in validator.iter_errors(plain(text))] == []


@loop("path", sorted(ROOT.glob("examples/**/*.yaml")))
def test_the_examples_fit(path: Path, validator: Any) -> None:
    assert [e.message for e in validator.iter_errors(plain(path.read_text(encoding="utf-8")))] == []


# What only shows beside other values: names that must be defined, sums, pairs, profiles; and JSON has no quotes to look
# at, nor keys that stand twice.
BEYOND = {
    "schema-rest",
    "schema-ref",
    "schema-pair",
    "schema-required",
    "schema-platform",
    "schema-port-name",
    "schema-nodeset",
    "schema-port-class",
    "schema-dscp-range",
    "schema-name",
    "schema-transport-scope",
}
UNSEEN = ("kmin: 0.5B", "cable: 0m}")  # numbers in text


def shown(slips: list[tuple[str, str, str, str]]) -> list[tuple[str, str]]:
    return [(there, instead) for there, instead, rule, _ in slips if rule not in BEYOND and instead not in UNSEEN]


@loop(("there", "instead"), shown(POLICY_SLIPS))
def test_what_the_reader_refuses_in_a_policy_the_schema_refuses(there: str, instead: str, validator: Any) -> None:
    assert not validator.is_valid(plain(POLICY.replace(there, instead, 1)))


@loop(("there", "instead"), shown(FABRIC_SLIPS))
def test_what_the_reader_refuses_in_a_fabric_the_schema_refuses(there: str, instead: str, validator: Any) -> None:
    assert not validator.is_valid(plain(FABRIC.replace(there, instead, 1)))


@pytest.mark.parametrize(
    "part",
    [
        "hosts: {gpu1: {nic: connectx-7, firmware: '28.39', cnp_interval: 4us, buffer: 1MB, global_pause: false}}",
        "routing: {algorithm: up-down, bounces: [{at: 'leaf[1-2]', remap: {3: 2}}], hash: 5-tuple, ttl: 64}",
        "vlans: {100: {devices: 'leaf[1-2]'}}",
        "telemetry: none",
        "telemetry: {exporter: gnmi, scrape_interval: 10s, alerts: [pfc]}",
        "rollout: {from: old.yaml, stages: [{devices: leaf1}]}",
        "routes: routes.csv",
        "include: more.yaml",
        "include: [a.yaml, 'racks/*.yaml']",
        "links: [cabling.csv, {a: 'leaf1:Ethernet0', b: 'leaf2:Ethernet0', cable: 0.5m}]",
        "buffers: {model: dynamic, alpha: 0.5, pools: {lossless: 50%}, shared_headroom: off, small_packets: 10%}",
        "defaults: {fec: rs, layer: 3, dcbx: off, switch_type: voq, arp_timeout: 4min, trust: dscp, flowcontrol: off}",
        "devices: {leaf1: {hostname: a, ports: {e0: {lag: po1, address: 10.0.0.1/31, macsec: {pfc_frames: clear}}}}}",
    ],
)
def test_optional_facts_fit_reader_and_schema(part: str, validator: Any, tmp_path: Path) -> None:
    text = f"{POLICY}{part}\n"
    assert [e.message for e in validator.iter_errors(plain(text))] == []
    files: dict[str, str | bytes] = {
        "more.yaml": "",
        "a.yaml": "",
        "racks/r.yaml": "",
        "cabling.csv": "",
        "routes.csv": "",
    }
    assert [f for f in findings(tmp_path, text, files) if f.rule.startswith("schema") and f.severity == "error"] == []


@pytest.mark.parametrize("value", ["on", "off", "yes", "no"])
def test_words_that_yaml_1_1_takes_for_booleans_stay_words(value: str, validator: Any) -> None:
    assert validator.is_valid(plain(f"defaults: {{flowcontrol: {value}}}")) is (value in {"on", "off"})


FOR_PEOPLE = {"address", "asic", "description"}  # of a port: no rule, writer or comparison looks at them


@pytest.mark.parametrize(
    ("section", "paths", "beside"),
    [
        (PORT, "ports[].", FOR_PEOPLE),
        (CLASS, "classes[].", set()),
        (DEVICE, ("device.", "ports[]."), {"address", "description", "classes", "ports"}),  # it may speak for its ports
    ],
    ids=["port", "class", "device"],
)
def test_every_key_is_in_the_catalogue_of_settings(
    section: Obj, paths: str | tuple[str, ...], beside: set[str]
) -> None:
    """Else it is shown without its unit, drift has no word for it, and no rule of a team can ask for it."""
    stated = {row.intent.partition(".")[0] for row in CATALOGUE if row.path.startswith(paths)}
    assert section.keys.keys() - stated - beside == set()
