"""`what:` of a NOS profile: a setting's path with at most one predicate, checked where the profile is read."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
from agreement_cases import CASES, LACKING, dog, lacking, pair, written
from checkout import ROOT
from intents import POLICY, loaded, rocecfg, write

from rocecfg.core.units import BYTES, METRES, MS, NUMBER, PERCENT, RATE
from rocecfg.custom_rules.paths import SCOPES
from rocecfg.model.catalogue import setting
from rocecfg.profiles import SHIPPED, Library
from rocecfg.profiles.page import page
from rocecfg.profiles.schema import json_schema
from rocecfg.profiles.settings import EVERYTHING, NUMBERS, PREDICATES, SETTINGS, Asked, parse_what
from rocecfg.rules.nos_settings import read_settings
from rocecfg.rules.per_port import read_differences

INTENT = POLICY + "defaults: {vendor: sonic}\n"
CITED = "mark: V, source: measured on ours"
GROUPS = {"device.trimming", EVERYTHING, "device.buffers.pools"}  # of settings: no value of theirs is shown
LACK = "severity: error, message: none, fix: none"


def own(folder: Path, text: str) -> None:
    write(folder, {"fabric.yaml": INTENT, "rocecfg-profiles/nos/sonic.yaml": f"extends: sonic\n{text}\n"})


@pytest.mark.parametrize(
    ("entry", "place", "message"),
    [
        ("limits: [{what: port.watchdog.detction, low: 1ms", "2:17", "did you mean port.watchdog.detection?"),
        ("limits: [{what: watchdog.poll_interval, low: 1ms", "2:17", "did you mean port.watchdog.poll?"),
        ("limits: [{what: port.watchdog.poll by port, low: 1ms", "2:17", "port.watchdog.poll by port is not a number"),
        ("limits: [{what: port.watchdog.poll, unit: B, low: 1ms", "2:43", "write one of ms"),
        ("limits: [{what: port.watchdog.poll, low: 100", "2:42", "unit"),
        ("limits: [{what: port.watchdog.poll", "2:10", "write at least one of them"),
        ('limits: [{what: port.mtu, low: 1B, since: "5.14"', "2:43", "is not a release of sonic"),
        (f"lacks: [{{what: class.bandwith, {LACK}", "2:16", "did you mean class.bandwidth?"),
        (f"lacks: [{{what: class.bandwidth by prt, {LACK}", "2:16", "no rule asks for 'class.bandwidth by prt'"),
        (f"lacks: [{{what: class.bandwidth%1, {LACK}", "2:16", "no rule asks for 'class.bandwidth%1'"),
        (f"lacks: [{{what: class.bandwidth step 0, {LACK}", "2:16", "'0' is not a step"),
        (f"lacks: [{{what: class.bandwidth step 0.5, {LACK}", "2:16", "'0.5' is not a step"),
        (f"lacks: [{{what: port.flowcontrol step 1, {LACK}", "2:16", "port.flowcontrol is not a number"),
        (f"lacks: [{{what: class.bandwidth step 1 step 2, {LACK}", "2:16", "no rule asks for 'class.bandwidth step 1'"),
        (f"lacks: [{{what: port.flowcontrol power of 2, {LACK}", "2:16", "port.flowcontrol is not a number"),
        (f"lacks: [{{what: class.bandwidth, until: 202413, {LACK}", "2:40", "is not a release of sonic"),
        (f"lacks: [{{what: device.mtu, on: [dynamic], {LACK}", "2:16", "no rule asks for 'device.mtu'"),
        (f"lacks: [{{what: port.mtu, on: [dynmic], {LACK}", "2:31", "did you mean dynamic?"),
        (f"lacks: [{{what: port.mtu, on: [strata], {LACK}", "2:31", "'strata', which is none that is known"),
        ("refuses: [{what: ecn.kmin > ecn.kmax", "2:18", "class.ecn.kmin above kmax"),
    ],
)
def test_a_slip_in_what_a_nos_limits_or_lacks_has_its_place(
    entry: str, place: str, message: str, tmp_path: Path
) -> None:
    own(tmp_path, f"{entry}, {CITED}}}]")
    for command in (("lint", "fabric.yaml"), ("profiles", "nos/sonic")):
        done = rocecfg(tmp_path, *command, expect=2)
        output = done.stdout + done.stderr
        assert re.search(rf"nos/sonic\.yaml:{place}\b", output), output
        assert message in output
        assert "Traceback" not in output


def test_ones_own_limit_and_lack_are_found(tmp_path: Path) -> None:
    limit = f"{{what: port.watchdog.poll, low: 300ms, {CITED}}}"
    lack = f"{{what: class.ecn.pmax step 10, severity: error, message: whole tens, fix: round it, {CITED}}}"
    own(tmp_path, f"limits: [{limit}]\nlacks: [{lack}]")
    output = rocecfg(tmp_path, "lint", "--format", "concise", "fabric.yaml").stdout
    assert "accepts watchdog.poll_interval from 300ms on, not 100ms (measured on ours)" in output
    assert "cannot express ecn.pmax 5%: whole tens" in output


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("class.bandwidth", Asked("class.bandwidth")),
        ("class.max_rate step 1000", Asked("class.max_rate", 1000)),
        ("device.buffers.alpha power of 2", Asked("device.buffers.alpha", 0)),
        ("port.headroom by port", Asked("port.headroom by port")),
    ],
)
def test_a_path_has_at_most_one_predicate(text: str, wanted: Asked) -> None:
    assert parse_what(text) == wanted


def test_paths_are_those_of_show_and_house_rules() -> None:
    known = {f"{scope}.{name}" for scope, paths in SCOPES.items() for name in paths} | GROUPS
    for asked in SETTINGS:
        assert asked.partition(" ")[0] in known, asked


def test_units_are_those_of_the_catalogue() -> None:
    words = {BYTES: "B", MS: "ms", RATE: "bit/s", PERCENT: "percent", METRES: "m", NUMBER: ""}
    for path in (
        asked for asked in NUMBERS if " " not in asked and asked != "port.mtu"
    ):  # which profiles write as 9216B
        row = setting(path.replace("port.", "ports[].").replace("class.", "classes[]."))
        assert SETTINGS[path].unit == words[row.unit], path


def test_every_predicate_is_explained_and_used() -> None:
    used = {asked.partition(" ")[2] for asked in SETTINGS} - {""}
    explained = [word for word in PREDICATES if word not in ("step N", "power of 2", "sum above 100%", "above")]
    for predicate in used:
        assert any(predicate == word or predicate.startswith(f"{word} ") for word in explained), predicate
    for word in explained:
        assert any(predicate == word or predicate.startswith(f"{word} ") for predicate in used), word


NONE = {"first": "trust: none"}
STATIC = (
    "extends: arista-7060x6-64pe\nnos: {sonic: {pools: [{hwskus: [Arista-7060X6-64PE-O128S2], templates: [t0], "
    f"mode: static, ingress_lossless: 1MB, {CITED}}}]}}}}\n"
)
OWN = "own: {carries: [our-own], dscp: 20, priority: 1, "
MORE = (  # what no case of agreement has
    ("arista", {"first": "classes: {rdma: {dscp: 24}}"}),
    ("spectrum", {"first": "classes: {rdma: {queue: 4}}"}),
    ("spectrum", {"first": "classes: {rdma: {priority: 1}}", "more": f"{OWN}bandwidth: 5}}"}),
    ("spectrum", {"first": "classes: {rdma: {priority: 2, queue: 1}}", "more": f"{OWN}bandwidth: 5}}"}),
    ("sonic", {"more": f"{OWN}max_rate: 10G}}"}),
    ("sonic", {"more": f"{OWN}ecn: {{kmin: 55%, kmax: 90%, pmax: 5%}}}}"}),
    ("sonic", {"first": "mtu: 1500"}),
    ("sonic", {"first": "fec: rs"}),
    ("sonic", {"first": "autoneg: on"}),
    ("sonic", {"first": "layer: 3"}),
    ("sonic", {"first": "layer: 2\n        mtu: 9000"}),
    ("sonic", {"rest": "buffers: {template: t0, private_headroom: 20KB, queue_limit: 1MB, response: '802.3'}"}),
    ("sonic", {"switch": "arp_timeout: 1500s\n  mac_age: 1800s\n  drop_incomplete_arp: true"}),
    (
        "spectrum",
        {"rest": "trimming: {size: 256B, dscp: 48, classes: [default]}\nload_balancing: {mode: ecmp, hash: [src-ip]}"},
    ),
    ("spectrum", {"pfc": dog(priorities="[4]")}),
    ("spectrum", {"more": pair(", guaranteed: 1G}", ", guaranteed: 2G}")}),
    ("spectrum", {"more": pair(", guaranteed: 1G}", "}")}),
    ("arista", {"more": f"{OWN}bandwidth: 5}}\n  own2: {{carries: [our-own], dscp: 21, priority: 1, tc: 2}}", **NONE}),
)


def texts() -> Iterator[str]:
    """Intents that ask for all of it."""
    for vendor, stated in [*((vendor, stated) for vendor, stated, _ in CASES.values()), *MORE]:
        yield written(vendor, stated)
    yield written(
        "sonic", {"switch": "platform: ours\n  hwsku: Arista-7060X6-64PE-O128S2", "rest": "buffers: {alpha: 1}"}
    )
    for case in LACKING:
        yield lacking(case)[1]
    yield re.sub(r"(?m)^  (cnp|control|default): .*\n", "", written("spectrum", {}))


def asked(tmp_path: Path) -> dict[str, set[type]]:
    """What rules ask about all cases, with the types of the values."""
    out: dict[str, set[type]] = {}
    for n, text in enumerate(texts()):
        of = loaded(tmp_path / str(n), text, {"rocecfg-profiles/platforms/ours.yaml": STATIC})[0].fabric
        assert of is not None
        for device in of.devices:
            for reading in (*read_settings(of, device), *read_differences(device)):
                out.setdefault(reading[0], set()).add(type(reading[1]))
    return out


def test_rules_ask_for_every_setting_and_no_other(tmp_path: Path) -> None:
    found = asked(tmp_path)
    assert set(found) - set(SETTINGS) == set()
    assert set(SETTINGS) - set(found) == set()
    for what, types in found.items():
        if what in NUMBERS and "shared_headroom" not in what:  # which may be off
            assert str not in types, what


def test_code_asks_profiles_for_settings_that_are_there() -> None:
    asking = ("least", "takes", "knows")
    calls = [
        (path.name, node.args[0].value)
        for path in sorted((ROOT / "rocecfg").rglob("*.py"))
        if any(word in (text := path.read_text(encoding="utf-8")) for word in asking)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in asking
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
    ]
    assert len(calls) > 5
    assert [call for call in calls if call[1] not in SETTINGS] == []


@pytest.mark.parametrize("nos", SHIPPED.names("nos"))
def test_the_schema_knows_the_same_words(nos: str) -> None:
    checker = jsonschema.Draft202012Validator(json_schema("nos"))
    base = {
        "title": nos,
        "holds": "any",
        "releases": ["1"],
        "default_release": "1",
        "as_of": "2026-01-31",
        "mark": "V",
        "source": "s",
    }
    rest = {"severity": "error", "message": "m", "fix": "m", "mark": "V", "source": "s"}
    for what, good in (("class.ecn.pmax step 10", True), ("class.ecn.pmax%10", False), ("port.lag step 1", False)):
        stated = {**base, "lacks": [{"what": what, **rest}]}
        assert checker.is_valid(json.loads(json.dumps(stated))) is good, what


def test_a_system_without_limits_or_lacks_has_a_page(tmp_path: Path) -> None:
    dated = 'title: Ours\nholds: known\nreleases: ["202405"]\ndefault_release: "202405"\nas_of: "2026-01-31"\n'
    bare = f"{dated}{CITED.replace(', ', chr(10))}\n"
    write(tmp_path, {"rocecfg-profiles/nos/sonic.yaml": bare})
    text = page(Library(str(tmp_path / "rocecfg-profiles")), "nos", "sonic")
    assert "# Ours" in text
    assert "Releases: 202405" in text
    assert "| setting" not in text
