"""From text to values: what a wrong value is called, where, with which fix, and that it is called wrong only once."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from intents import FABRIC, POLICY, Found, findings, judged, loaded, rules
from loops import loop

from rocecfg.intent import Loaded, load
from rocecfg.linting.run import lint
from rocecfg.report.json_format import render
from rocecfg.report.text import render_concise, render_full
from rocecfg.source.document import Sources


def only(tmp_path: Path, text: str, files: dict[str, str | bytes] | None = None) -> Found:
    """The one thing that is wrong in a text."""
    (found,) = findings(tmp_path, text, files)
    return found


def test_the_examples_of_the_format_are_clean(tmp_path: Path) -> None:
    assert findings(tmp_path, POLICY) == []
    assert judged(tmp_path, FABRIC)[0] == []


# -- one slip, one finding ---------------------------------------------------------------------------------------------

WATCHDOG = "watchdog: {detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}"
CURVE = "ecn: {kmin: 400KB, kmax: 1600KB, pmax: 5%}"
CNP = "  cnp:     {carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}"

# what stands in POLICY, what stands there instead, the one rule that must say so, the text it must underline
POLICY_SLIPS = [
    ("priority: 3", "priority: 8", "schema-priority-range", "8"),
    ("priority: 3", "priority: three", "schema-type", "three"),
    ("priority: 3", "priorty: 3", "schema-unknown-key", "priorty"),
    ("priority: 3", "prio: 3", "schema-unknown-key", "prio"),
    ("priority: 3", "priority: [3]", "schema-type", "[3]"),
    ("priority: 3", "priority: -1", "schema-priority-range", "-1"),
    ("priority: 3", "priority: 0x8", "schema-priority-range", "0x8"),
    ("priority: 3", "priority: 3, tc: 8", "schema-priority-range", "8"),
    ("priority: 3, ", "", "schema-required", "rdma"),
    ("dscp: 26", "dscp: 99", "schema-dscp-range", "99"),
    ("dscp: 26", "dcsp: 26", "schema-unknown-key", "dcsp"),
    ("dscp: 26", "dscp: cs9", "schema-value", "cs9"),
    ("dscp: 26", "dscp: 31-24", "schema-dscp-range", "31-24"),
    ("dscp: 26", "dscp: {a: 1}", "schema-type", "{a: 1}"),
    ("dscp: 26", "dscp: [26, 26]", "schema-dscp-range", "26"),
    ("dscp: 26", "dscp: [26, 64]", "schema-dscp-range", "64"),
    ("dscp: rest", "dscp: [rest]", "schema-value", "rest"),
    ("dscp: rest", "dscp: reste", "schema-value", "reste"),
    ("dscp: 48", "dscp: rest", "schema-rest", "rest"),
    ("lossless: true", "lossless: flase", "schema-type", "flase"),
    ("lossless: true", "losless: true", "schema-unknown-key", "losless"),
    ("lossless: true", "lossless: 1", "schema-type", "1"),
    ("bandwidth: 60", "bandwidth: 600%", "schema-range", "600%"),
    ("bandwidth: 60", "bandwidth: 600", "schema-range", "600"),
    ("bandwidth: 60", "bandwith: 60", "schema-unknown-key", "bandwith"),
    ("bandwidth: 60", "bandwidth: stric", "schema-type", "stric"),
    ("kmin: 400KB", "kmin: 400", "schema-unit", "400"),
    ("kmin: 400KB", "kmin: 400kb", "schema-unit", "400kb"),
    ("kmin: 400KB", "kmn: 400KB", "schema-unknown-key", "kmn"),
    ("kmin: 400KB", "start: 400KB", "schema-unknown-key", "start"),
    ("kmin: 400KB", "kmin: 0.5B", "schema-unit", "0.5B"),
    ("kmin: 400KB", "kmin: -4KB", "schema-unit", "-4KB"),
    ("kmin: 400KB, ", "", "schema-required", "ecn"),
    ("pmax: 5%", "pmax: 0.05", "schema-unit", "0.05"),
    ("pmax: 5%", "pmax: 5%, weight: 16", "schema-range", "16"),
    ("pmax: 5%", "pmax: 5%, colors: [grean]", "schema-value", "grean"),
    ("pmax: 5%", "pmax: 5%, colors: pink", "schema-value", "pink"),
    ("pmax: 5%", "pmax: 5%, by_speed: {400: {kmin: 1KB, kmax: 2KB, pmax: 1%}}", "schema-unit", "400"),
    ("pmax: 5%", "pmax: 5%, by_speed: {400G: {kmin: 1KB, kmax: 2KB}}", "schema-required", "400G"),
    ("pmax: 5%", "pmax: 5%, by_speed: {400G: 5}", "schema-type", "5"),
    (CURVE, "ecn: of", "schema-value", "of"),
    (CURVE, "ecm: {kmin: 400KB, kmax: 1600KB, pmax: 5%}", "schema-unknown-key", "ecm"),
    ("carries: [rdma]", "carries: {rdma: 1}", "schema-type", "{rdma: 1}"),
    ("carries: [rdma]", "caries: [rdma]", "schema-unknown-key", "caries"),
    ("carries: [rdma]", "carries: ['a b']", "schema-name", "'a b'"),
    ("detection_time: 200ms", "detection_time: 200", "schema-unit", "200"),
    ("detection_time: 200ms", "detection_time: 200MS", "schema-unit", "200MS"),
    ("detection_time: 200ms", "detction_time: 200ms", "schema-unknown-key", "detction_time"),
    ("detection_time: 200ms", "detect: 200ms", "schema-unknown-key", "detect"),
    ("detection_time: 200ms, ", "", "schema-required", "watchdog"),
    ("restoration_time: 400ms", "restoration_time: 400", "schema-unit", "400"),
    ("poll_interval: 100ms", "poll_interval: 100", "schema-unit", "100"),
    ("action: drop", "action: dorp", "schema-value", "dorp"),
    ("action: drop", "action: drop, priorities: [8]", "schema-priority-range", "8"),
    ("action: drop", "action: drop, priorities: [3, 3]", "schema-priority-range", "3"),
    (WATCHDOG, "watchdog: on", "schema-value", "on"),
    (WATCHDOG, "watchdog:", "schema-value", ""),
    ("  watchdog:", "  wachdog:", "schema-unknown-key", "wachdog"),
    ("pfc:\n", "pcf:\n", "schema-unknown-key", "pcf"),
    (f"pfc:\n  {WATCHDOG}", "pfc: 5", "schema-type", "5"),
    ("classes:\n", "clases:\n", "schema-unknown-key", "clases"),
    ("fabric: {name: lab}", "fabric: {nam: lab}", "schema-unknown-key", "nam"),
    ("fabric: {name: lab}", "fabric: {}", "schema-required", "fabric"),
    ("fabric: {name: lab}", "fabric: lab", "schema-type", "lab"),
    ("fabric: {name: lab}", "fabirc: {name: lab}", "schema-unknown-key", "fabirc"),
    ("name: lab", "name: a/b", "schema-name", "a/b"),
    ("name: lab", "name: lab, kind: front", "schema-value", "front"),
    ("name: lab", "name: lab, mtu: 9k", "schema-type", "9k"),
    ("name: lab", "name: lab, path_mtu: 1500", "schema-range", "1500"),
    ("name: lab", "name: lab, workload: ai-traning", "schema-ref", "ai-traning"),
    ("name: lab", "name: lab, transport: efa", "schema-transport-scope", "efa"),
    ("name: lab", "name: lab, congestion_control: swift", "schema-value", "swift"),
    ("name: lab", "name: lab, congestion_control: {kind: swift}", "schema-value", "swift"),
    ("name: lab", "name: lab, mode: losless", "schema-value", "losless"),
    ("rocecfg: 1", "rocecfg: 2", "schema-range", "2"),
    ("rocecfg: 1", "rocecfg: v1", "schema-type", "v1"),
    (CNP, "  cnp: x", "schema-type", "x"),
    (CNP, "  cnp: [1]", "schema-type", "[1]"),
    ("  cnp:     {", "  'c n p':     {", "schema-name", "'c n p'"),
]

FABRIC_SLIPS = [
    ("vendor: sonic", "vendor: sonik", "schema-value", "sonik"),
    ("vendor: sonic", "vender: sonic", "schema-unknown-key", "vender"),
    ("platform: arista-7060x6-64pe", "platform: arista-7060x6-64p", "schema-ref", "arista-7060x6-64p"),
    ("platform: arista", "platfrom: arista", "schema-unknown-key", "platfrom"),
    ("arista-7060x6-64pe", "arista-7060x6-64pe\n  asic: tomahawk4", "schema-platform", "tomahawk4"),
    ('sonic: "202511"', 'sonci: "202511"', "schema-unknown-key", "sonci"),
    ('sonic: "202511"', 'sonic: "20 2505"', "schema-name", '"20 2505"'),
    ("faces: host", "faces: hots", "schema-value", "hots"),
    ("faces: host", "face: host", "schema-unknown-key", "face"),
    ("speed: 400G", "speed: 400", "schema-unit", "400"),
    ("cable: 3m}", "cable: 3}", "schema-unit", "3"),
    ("cable: 3m}", "cable: 0m}", "schema-range", "0m"),
    ("[storage, default, control]", "[storag, default, control]", "schema-ref", "storag"),
    ("classes: [storage, default, control]", "classes: {rdma: of}", "schema-value", "of"),
    ("classes: [storage, default, control]", "classes: {rdma: {bandwidth: 4}}", "schema-port-class", "4"),
    ("classes: [storage, default, control]", "classes: {rdma: {ecn: {kmin: 1MB}}}", "schema-required", "ecn"),
    ("detection_time: 400ms", "detection_time: 400", "schema-unit", "400"),
    ("detection_time: 400ms", "detection: 400ms", "schema-unknown-key", "detection"),
    ("rdma: {ecn: {kmin: 1MB", "rdam: {ecn: {kmin: 1MB", "schema-ref", "rdam"),
    ("rdma: {ecn: {kmin: 1MB", "rdma: {enc: {kmin: 1MB", "schema-unknown-key", "enc"),
    ("rdma: {ecn: {kmin: 1MB, ", "rdma: {ecn: {", "schema-required", "ecn"),
    ('"leaf01:Ethernet[256-312/8]"', '"leaf01:Ethernet[256-304/8]"', "schema-pair", '"spine01:Ethernet[1-8]/1"'),
    ('"leaf01:Ethernet[256-312/8]"', '"leaf1:Ethernet[256-312/8]"', "schema-ref", '"leaf1:Ethernet[256-312/8]"'),
    ('"leaf01:Ethernet[256-312/8]"', "leaf01", "schema-nodeset", "leaf01"),
    ('"leaf01:Ethernet[256-312/8]"', '"leaf01:Ethernet[256"', "schema-nodeset", "Ethernet[256"),
    ('{a: "leaf01:Ethernet[256-312/8]"', '{aa: "leaf01:Ethernet[256-312/8]"', "schema-unknown-key", "aa"),
    ('{a: "leaf01:Ethernet[256-312/8]", b', "{b", "schema-required", '{b: "spine01:Ethernet[1-8]/1"}'),
    ("cable: 30m}\n  - {a", "cable: 30}\n  - {a", "schema-unit", "30"),
    ("links:\n", "lniks:\n", "schema-unknown-key", "lniks"),
    ("devices:\n", "devces:\n", "schema-unknown-key", "devces"),
    ("hosts:\n", "hoasts:\n", "schema-unknown-key", "hoasts"),
    ("leaf[01-02]:", "leaf[01-2]:", "schema-nodeset", "leaf[01-2]"),
    ("leaf[01-02]:", "leaf[02-01]:", "schema-nodeset", "leaf[02-01]"),
    ("leaf[01-02]:", "'leaf [01-02]':", "schema-nodeset", "'leaf [01-02]'"),
    ('"Ethernet[0-248/8]": ', '"Ethernet[0-248/0]": ', "schema-nodeset", '"Ethernet[0-248/0]"'),
    ('"Ethernet[384]"', '"Ethernet[3840]"', "schema-port-name", '"Ethernet[3840]"'),
    ('"Ethernet[384]"', '"!thernet384"', "schema-name", '"!thernet384"'),
    ("pfc_priorities: [3]", "pfc_priorities: [8]", "schema-priority-range", "8"),
    ("rdma_dscp: 26", "rdma_dscp: 260", "schema-dscp-range", "260"),
    ("gpus: 2", "gpus: two", "schema-type", "two"),
    ("cable_len: 3m", "cable_len: 3", "schema-unit", "3"),
    ("  gpu[01-32]:", "  gpu[32-01]:", "schema-nodeset", "gpu[32-01]"),
    ("headroom: auto", "headroom: autp", "schema-type", "autp"),
    ("headroom: auto", "headroom: {xon: 1KB}", "schema-required", "{xon: 1KB}"),
    ("headroom: auto", "headroom: {siz: 1KB}", "schema-unknown-key", "siz"),
    ("800G: {kmin: 900KB", "800: {kmin: 900KB", "schema-unit", "800"),
    ("800G: {kmin: 900KB", "800G: {kmin: 900", "schema-unit", "900"),
    ("kind: backend", "kind: bakend", "schema-value", "bakend"),
    ("mtu: 9000", "mtu: 90000", "schema-range", "90000"),
    ("role: leaf", "role: [leaf]", "schema-type", "[leaf]"),
]


@loop(("there", "instead", "rule", "underlined"), POLICY_SLIPS)
def test_one_slip_in_a_policy_is_one_finding(
    there: str, instead: str, rule: str, underlined: str, tmp_path: Path
) -> None:
    assert POLICY.count(there) == 1 or there in {"priority: 3, ", "pmax: 5%"}
    found = only(tmp_path, POLICY.replace(there, instead, 1))
    assert (found.rule, found.text) == (rule, underlined)


@loop(("there", "instead", "rule", "underlined"), FABRIC_SLIPS)
def test_one_slip_in_a_fabric_is_one_finding(
    there: str, instead: str, rule: str, underlined: str, tmp_path: Path
) -> None:
    assert there in FABRIC
    found = only(tmp_path, FABRIC.replace(there, instead, 1))
    assert (found.rule, found.text) == (rule, underlined)


@given(
    st.integers(0, FABRIC.count("\n") - 1),
    st.sampled_from(["", "x", "5", "-1", "[1, 2]", "{a: b}", "'q\"uote'", "~", "99999999999999999999", "400", "off"]),
)
@example(FABRIC.splitlines().index("    ports:", FABRIC.splitlines().index("  spine[01-02]:")), "{a: b}")
@example(46, "off")  # RDMA off on the spines: two findings of one cause
@settings(max_examples=120, deadline=None)
def test_any_value_may_be_anything(line: int, value: str) -> None:
    """Whatever stands behind a key, reading ends in findings, and no rule raises."""
    lines = FABRIC.splitlines()
    key, colon, _ = lines[line].partition(":")
    if not colon:
        return
    depth = len(key) - len(key.lstrip())
    end = line + 1
    while end < len(lines) and len(lines[end]) - len(lines[end].lstrip()) > depth:
        end += 1
    text = "\n".join([*lines[:line], f"{key}: {value}", *lines[end:]]) + "\n"
    read = _judged(text)
    assert [e for e in read.errors if not e.message.startswith("not YAML")] == []


@given(
    st.integers(0, len(FABRIC)),
    st.integers(0, 12),
    st.sampled_from(
        ["", " ", "\n", ":", "[", "]", "{", "}", "-", "'", '"', "#", "&a ", "*a", "9", "x", "\t", "\u2028", "\0"]
    ),
)
@settings(max_examples=250, deadline=None)
def test_any_edit_of_an_intent_ends_in_findings(at: int, deleted: int, inserted: str) -> None:
    text = FABRIC[:at] + inserted + FABRIC[at + deleted :]
    read = _judged(text)
    assert (read.fabric is None) is bool(read.errors)


def _judged(text: str) -> Loaded:
    """A text as far as it could be read; each report can be made of it, and no rule raises."""
    folder = Path(tempfile.mkdtemp())
    try:
        (folder / "fabric.yaml").write_text(text, newline="")
        sources = Sources()
        read = load(str(folder / "fabric.yaml"), sources)
        run = lint([read], sources)
    finally:
        shutil.rmtree(folder)
    assert run.failed == []
    shown, _ = run.fold_over_files()
    assert all(f.message in report for f in shown for report in (render_full(run), render_concise(run)))
    assert sum(1 + len(f.folded) for f in shown) == len(run.findings)
    assert len(json.loads(render(run))["findings"]) == len(run.causes)
    return read


# -- messages ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("there", "instead", "words"),
    [
        ("priority: 3", "priorty: 3", "unknown key 'priorty' in a class did you mean priority?"),
        ("detection_time: 200ms", "detection_time: 200", "200 has no unit write 200ms if that is intended"),
        ("kmin: 400KB", "kmin: 400", "400 has no unit write 400KB if that is intended"),
        ("kmin: 400KB", "kmin: 400kb", "'kb' is not a unit of a size; write KB"),
        ("dscp: 26", "dscp: 107", "DSCP 107 is not in 0-63 107 looks like a ToS byte: its DSCP is 26"),
        ("dscp: 26", "dscp: 106", "DSCP 106 is not in 0-63 106 looks like a ToS byte: its DSCP is 26"),
        ("dscp: 26", "dscp: 103", "DSCP 103 is not in 0-63"),
        ("dscp: 26", "dscp: 31-24", "31-24 runs backwards write 24-31"),
        ("name: lab", "name: lab, transport: infiniband", "infiniband is not RoCEv2"),
        ("name: lab", "name: lab, transport: uec", "uec is not RoCEv2: its endpoints reorder, retransmit"),
        ("action: drop", "action: dorp", "'dorp' is not one of drop | forward | alert | errdisable did you mean drop?"),
        ("pmax: 5%", "pmax: 5", "5 has no unit write 5% if that is intended"),
        ("pmax: 5%", "pmax: 0.05", "0.05 has no unit write 5% (0.05 as a fraction of 1) if that is intended"),
        ("pmax: 5%", "pmax: 1", "1 has no unit write 1% (100% as a fraction of 1) if that is intended"),
        ("kmin: 400KB", "kmin: 150000", "150000 has no unit write 150KB (150000 bytes) if that is intended"),
        ("detection_time: 200ms", "detection_time: 0.2", "0.2 has no unit write 0.2s if that is intended"),
        (
            "fabric:",
            "links: links.csv\nfabric:",
            "expected a list of links, meshes and files of links, not 'links.csv' write links: [links.csv]",
        ),
        ("priority: 3", "priority: 3, <<: *x", "unknown key '<<' in a class merge keys are YAML 1.1"),
    ],
)
def test_messages_give_the_fix(there: str, instead: str, words: str, tmp_path: Path) -> None:
    text = POLICY.replace(there, instead, 1)
    if "*x" in text:
        text = text.replace("name: lab", "name: &x lab")
    found = only(tmp_path, text)
    assert f"{found.message} {found.help}".startswith(words)


def test_a_duplicate_key_shows_both_places(tmp_path: Path) -> None:
    found = only(tmp_path, POLICY.replace("priority: 3", "priority: 3, priority: 4"))
    assert (found.rule, found.text, found.line) == ("schema-duplicate-key", "priority", 4)
    assert found.related == ((4, "the first one, which is used"),)


def test_the_first_of_two_values_is_used(tmp_path: Path) -> None:
    read, _ = loaded(tmp_path, POLICY.replace("priority: 3", "priority: 3, priority: 4"))
    assert read.fabric is not None
    assert read.fabric.devices[0].cls("rdma").priority == 3


def test_all_that_is_wrong_is_found_at_once(tmp_path: Path) -> None:
    text = POLICY.replace("kmin: 400KB", "kmin: 400").replace("dscp: 48", "dscp: 99").replace("200ms", "200")
    assert sorted(rules(tmp_path, text)) == ["schema-dscp-range", "schema-unit", "schema-unit"]


def test_a_hexadecimal_number_is_one_in_any_yaml(tmp_path: Path) -> None:
    read, _ = loaded(tmp_path, POLICY.replace("priority: 3", "priority: 0x3"))
    assert read.problems == []
    assert read.fabric is not None
    assert read.fabric.devices[0].cls("rdma").priority == 3


def test_the_rest_of_the_file_is_still_judged(tmp_path: Path) -> None:
    text = POLICY.replace("bandwidth: 40", "bandwidth: 30").replace("name: lab", "name: lab, kidn: backend")
    assert sorted(rules(tmp_path, text)) == ["ets-sum", "schema-unknown-key"]


@pytest.mark.parametrize(
    ("there", "instead", "value"),
    [
        ("lossless: true", "lossless: on", True),
        ("lossless: true", "lossless: yes", True),
        ("priority: 3", "priority: 03", 3),
        ("priority: 3", "priority: 0_3", 3),
    ],
)
def test_what_yaml_1_1_tools_read_otherwise_is_a_warning(
    there: str, instead: str, value: object, tmp_path: Path
) -> None:
    text = POLICY.replace(there, instead)
    found = only(tmp_path, text)
    assert (found.severity, found.rule) == ("warning", "schema-yaml-trap")
    read, _ = loaded(tmp_path, text)
    assert read.fabric is not None
    assert getattr(read.fabric.devices[0].cls("rdma"), there.split(":", maxsplit=1)[0]) == value


@pytest.mark.parametrize(
    "instead",
    ["name: no", "name: lab\n  description: 11:11", 'name: "no"', "name: lab\n  description: 2026-03-31"],
)
def test_text_never_changes_type(instead: str, tmp_path: Path) -> None:
    text = POLICY.replace("fabric: {name: lab}", f"fabric:\n  {instead}")
    read, _ = loaded(tmp_path, text)
    assert read.fabric is not None
    assert read.fabric.name in {"no", "lab"}
    expected = ["schema-yaml-trap"] if instead == "name: no" else []
    assert rules(tmp_path, text) == expected


def test_an_unquoted_release_is_a_trap_and_a_quoted_one_is_none(tmp_path: Path) -> None:
    assert rules(tmp_path, POLICY + "defaults: {version: 5.10}\n") == ["schema-yaml-trap"]
    assert rules(tmp_path, POLICY + 'defaults: {version: "5.10"}\n') == []
    assert rules(tmp_path, POLICY + "defaults: {version: 4.33.2F}\n") == []


def test_kb_and_kib_in_one_file_are_told(tmp_path: Path) -> None:
    found = only(tmp_path, POLICY.replace("1600KB", "1600KiB"))
    assert (found.severity, found.rule, found.text) == ("info", "schema-kib", "1600KiB")
    assert found.related == ((5, "the other kind, first used here"),)


@pytest.mark.parametrize(
    ("stated", "points"),
    [
        ("26", {26}),
        ('"24-31"', set(range(24, 32))),
        ("24-31", set(range(24, 32))),
        ("af31", {26}),
        ("AF31", {26}),
        ("ef", {46}),
        ("cs3", {24}),
        ("be", {0}),
        ("[26, cs4, 40-41]", {26, 32, 40, 41}),
        ("[]", set()),
    ],
)
def test_dscps_are_numbers_ranges_names_and_lists(stated: str, points: set[int], tmp_path: Path) -> None:
    read, _ = loaded(tmp_path, POLICY.replace("dscp: 26", f"dscp: {stated}"))
    assert read.problems == []
    assert read.fabric is not None
    assert set(read.fabric.devices[0].cls("rdma").dscps) == points


# -- include -----------------------------------------------------------------------------------------------------------

CLASSES = POLICY[POLICY.index("classes:") : POLICY.index("pfc:")]
PFC = POLICY[POLICY.index("pfc:") :]
TOP = "rocecfg: 1\nfabric: {name: lab}\n"


def test_files_are_merged_by_key(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "parts/classes.yaml": CLASSES,
        "parts/pfc.yaml": f"include: [racks/*.yaml]\n{PFC}",
        "parts/racks/r1.yaml": "devices: {leaf1: {role: leaf}}\n",
        "parts/racks/r2.yaml": "devices: {leaf2: {role: leaf}}\nlinks: [{a: leaf1:Ethernet0, b: leaf2:Ethernet0}]\n",
        "links.yaml": "links: [{a: leaf1:Ethernet8, b: leaf2:Ethernet8}]\n",
    }
    text = f"{TOP}include: [parts/classes.yaml, parts/pfc.yaml, links.yaml]\n"
    read, _ = loaded(tmp_path, text, files)
    assert read.problems == []
    assert read.fabric is not None
    assert [d.key for d in read.fabric.devices] == ["leaf1", "leaf2"]
    assert len(read.fabric.links) == 2
    assert sorted(Path(f).name for f in read.files) == sorted(
        ["fabric.yaml", "classes.yaml", "pfc.yaml", "r1.yaml", "r2.yaml", "links.yaml"]
    )


def test_one_file_may_be_named_without_a_list(tmp_path: Path) -> None:
    assert findings(tmp_path, f"{TOP}include: rest.yaml\n", {"rest.yaml": CLASSES + PFC}) == []


def test_a_folder_with_brackets_in_its_name_is_no_pattern(tmp_path: Path) -> None:
    folder = tmp_path / "fabric[1]"
    files: dict[str, str | bytes] = {"parts/a.yaml": CLASSES, "parts/b.yaml": PFC}
    assert findings(folder, f"{TOP}include: [parts/*.yaml]\n", files) == []


def test_a_file_included_by_two_is_read_once(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "a.yaml": "include: [common.yaml]\n",
        "b.yaml": f"include: [common.yaml]\n{PFC}",
        "common.yaml": f"{CLASSES}links: [{{a: x:Ethernet0, b: y:Ethernet0}}]\n",
    }
    read, _ = loaded(tmp_path, f"{TOP}include: [a.yaml, b.yaml]\n", files)
    assert (read.problems, read.errors) == ([], [])
    assert read.fabric is not None
    assert len(read.fabric.links) == 1


def test_one_key_with_two_values_shows_both_places(tmp_path: Path) -> None:
    more = "classes:\n  rdma: {priority: 4, lossless: true}\n"
    found = only(tmp_path, f"include: [more.yaml]\n{POLICY}", {"more.yaml": more})
    assert (found.rule, found.path, found.line, found.text) == ("schema-duplicate-key", "more.yaml", 2, "4")
    assert "classes.rdma.priority" in found.message
    assert found.related == ((5, "the other value, which is used"),)


def test_one_value_that_cannot_be_read_is_no_second_value(tmp_path: Path) -> None:
    more = "fabric: {mtu: 9x}\n"
    found = only(
        tmp_path, f"include: [more.yaml]\n{POLICY.replace('name: lab', 'name: lab, mtu: 9000')}", {"more.yaml": more}
    )
    assert (found.rule, found.path) == ("schema-type", "more.yaml")


@pytest.mark.parametrize("pattern", ["nothing.yaml", "nothing/*.yaml", "parts"])
def test_an_include_that_matches_nothing_is_told(pattern: str, tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    found = only(tmp_path, f"{POLICY}include: [{pattern}]\n")
    assert (found.rule, found.text) == ("schema-ref", pattern)


def test_an_include_loop_names_the_way_round(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"a.yaml": "include: [b.yaml]\n", "b.yaml": "x: 1\ninclude: [a.yaml]\n"}
    read, _ = loaded(tmp_path, f"{POLICY}include: [a.yaml]\n", files)
    (error,) = read.errors
    assert error.message == "include loop: fabric.yaml -> a.yaml -> b.yaml -> a.yaml"
    assert (Path(error.path).name, error.line, error.column) == ("b.yaml", 2, 11)
    assert read.fabric is None


def test_a_loop_through_a_link_is_a_loop(tmp_path: Path) -> None:
    (tmp_path / "here").symlink_to(".")
    read, _ = loaded(tmp_path, f"{POLICY}include: [here/fabric.yaml]\n")
    assert [e.message for e in read.errors] == ["include loop: fabric.yaml -> fabric.yaml"]


def test_two_links_upwards_do_not_make_a_pattern_endless(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "up").symlink_to("..")
    (tmp_path / "parts" / "again").symlink_to(".")
    files: dict[str, str | bytes] = {"parts/deep/classes.yaml": CLASSES + PFC}
    found = only(tmp_path, f"{TOP}include: ['parts/**/*.yaml']\n", files)
    assert found.message == "include loop: fabric.yaml -> fabric.yaml"


def test_a_thousand_files_in_a_chain_are_refused(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {f"f{i}.yaml": f"include: [f{i + 1}.yaml]\n" for i in range(1000)}
    read, _ = loaded(tmp_path, f"{POLICY}include: [f0.yaml]\n", files)
    assert ["nested deeper" in e.message for e in read.errors] == [True]


def test_an_unreadable_part_leaves_the_rest_unjudged(tmp_path: Path) -> None:
    """What the part says is not known: that there is no watchdog, for one, must not be said."""
    files: dict[str, str | bytes] = {"pfc.yaml": "pfc: {watchdog: [\n"}
    assert rules(tmp_path, f"{TOP}include: [pfc.yaml]\n{CLASSES}", files) == ["schema-syntax"]
    files = {"pfc.yaml": b"pfc: \xff\n"}
    assert rules(tmp_path, f"{TOP}include: [pfc.yaml]\n{CLASSES}", files) == ["schema-syntax"]


def test_what_a_narrower_set_takes_back_from_a_wider_one_repeats_nothing(tmp_path: Path) -> None:
    text = (
        POLICY
        + """defaults: {mtu: 9100, speed: 400G, faces: switch}
devices:
  "leaf[1-2]": {mtu: 9000, classes: {rdma: {bandwidth: 55}, default: {bandwidth: 45}}, ports: {Ethernet0: {}}}
  leaf1: {mtu: 9100, classes: {rdma: {bandwidth: 60}, default: {bandwidth: 40}}}
"""
    )
    assert [f.rule for f in findings(tmp_path, text)] == []
    alone = text.replace('"leaf[1-2]"', "leaf2")
    assert [f.rule for f in findings(tmp_path, alone)] == ["schema-dead-override"] * 3
