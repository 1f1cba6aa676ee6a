"""`rocecfg test`: what a team expects of its fabric, and what it is told when that is not so."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from intents import FABRIC, POLICY, rocecfg, write

from rocecfg.rules import BY_NAME

TESTS = "fabric.rocecfg-test.yaml"
BAD = FABRIC.replace("bandwidth: 20}", "bandwidth: 10}")  # shares add up to 80: one error
SLOW = """\
rules:
  - {name: slow, for: port, where: {device.role: leaf}, expect: {watchdog.detection: {le: 100ms}}}
"""


def run(folder: Path, *lines: str, text: str = FABRIC, expect: int) -> subprocess.CompletedProcess[str]:
    """Run one test whose lines, after its name, are given."""
    body = "".join(f"    {line}\n" for line in lines)
    write(folder, {"fabric.yaml": text, TESTS: f"fabric: fabric.yaml\ntests:\n  - name: one\n{body}"})
    return rocecfg(folder, "test", expect=expect)


def failures(folder: Path, *lines: str, text: str = FABRIC) -> list[str]:
    """What it says of a test that fails, without its name and the total."""
    *reported, _ = run(folder, *lines, text=text, expect=1).stdout.splitlines()
    return [line.partition(": one: ")[2] for line in reported]


def line_of(text: str, part: str) -> int:
    (number,) = (n for n, line in enumerate(text.splitlines(), 1) if part in line)
    return number


PLACE = 1 + BAD[: BAD.rindex("bandwidth: 10}")].count("\n")  # where lint tells it


# -- values ------------------------------------------------------------------------------------------------------------


def test_what_is_so_passes(tmp_path: Path) -> None:
    done = run(
        tmp_path,
        "expect:",
        "  fabric: {name: train-64, kind: backend, workload: ai-training}",
        "  leaf01: {role: leaf, vendor: sonic, version: '202511', name: {contains: leaf02}}",
        "  '*': {mtu: 9000, buffers.alpha: {absent: true}}",
        "  leaf[01-02] / Ethernet[0-248/8]: {speed: 400G, watchdog.detection: 200ms, cable: {le: 5m}, pfc: [3]}",
        "  leaf01 / Ethernet384: {classes: [control, storage, default], rdma.priority: {absent: true}}",
        "  spine[01-02] / *: {watchdog: on, watchdog.detection: 400ms, rdma.ecn.kmin: 1MB}",
        "  '* / class rdma': {dscp: 26, lossless: true, bandwidth: 60, ecn.pmax: 5%}",
        "  leaf02 / class cnp: {bandwidth: strict, ecn: off}",
        "findings: []",
        expect=0,
    )
    assert done.stdout == "1 test passed; 25 expectations in 1 file\n"


def test_what_is_not_is_told_with_both_places(tmp_path: Path) -> None:
    lines = ("expect:", "  leaf01 / Ethernet0:", "    watchdog.detection: 300ms")
    done = run(tmp_path, *lines, expect=1)
    at = line_of(FABRIC, "detection_time: 200ms")
    assert done.stdout == (
        f"{TESTS}:6: one: leaf01 / Ethernet0 watchdog.detection: expected 300ms, got 200ms (fabric.yaml:{at})\n"
        "1 of 1 test failed; 1 expectation in 1 file\n"
    )


@pytest.mark.parametrize(
    ("element", "wanted", "reported"),
    [
        ("fabric", "mode: lossy", "fabric mode: expected lossy, got lossless (default: lossless unless stated)"),
        ("fabric", "topology: {absent: true}", "fabric topology: expected nothing, got clos (fabric.yaml:7)"),
        (
            "fabric",
            "rtt: {gt: 1s}",
            "fabric rtt: expected above 1000ms, got 8us (profile workloads/ai-training rtt",
        ),
        ("leaf01", "dcbx: {exists: true}", "leaf01 dcbx: expected a value, got nothing"),
        ("leaf01", "dcbx: {ne: on}", "leaf01 dcbx: expected not be on, got nothing"),
        ("leaf01", "role: [tor, spine]", "leaf01 role: expected one of tor, spine, got leaf (fabric.yaml:"),
        ("leaf01", "name: {matches: 'x.*'}", "leaf01 name: expected match x.*, got leaf01 leaf02 (fabric.yaml:"),
        (
            "'* / class rdma'",
            "ecn.kmin: {ge: 1MB}",
            "leaf[01-02] / class rdma ecn.kmin: expected at least 1MB, got 700KB",
        ),
        ("leaf01 / class rdma", "ecn.kmin: 700KB", "leaf01 / class rdma ecn.kmin of 800G: expected 700KB, got 900KB"),
        (
            "leaf01 / class cnp",
            "bandwidth: {ge: 10}",
            "leaf01 / class cnp bandwidth: expected at least 10%, got strict",
        ),
        ("leaf02 / Ethernet[0,8]", "cable: 5m", "leaf02 / Ethernet[0,8] cable: expected 5m, got 3m (fabric.yaml:"),
        ("leaf02 / *", "trust: pcp", "leaf02 / Ethernet[0-248/8] trust: expected pcp, got dscp (default: dscp"),
        ("leaf09", "role: leaf", "leaf09 role: expected leaf, got no device leaf09"),
        ("leaf[01-03]", "role: leaf", "leaf[01-03] role: expected leaf, got no device leaf03"),
        ("leaf01 / Ethernet1", "speed: 1G", "leaf01 / Ethernet1 speed: expected 1G, got no port Ethernet1 on leaf01"),
        ("'* / class rmda'", "priority: 3", "* / class rmda priority: expected 3, got no class rmda"),
    ],
)
def test_each_way_to_fail(element: str, wanted: str, reported: str, tmp_path: Path) -> None:
    assert failures(tmp_path, "expect:", f"  {element}: {{{wanted}}}")[0].startswith(reported)


def test_a_policy_has_no_names(tmp_path: Path) -> None:
    lines = (
        "expect:",
        "  '*': {role: {absent: true}}",
        "  '* / *': {watchdog.poll: 100ms}",
        "  '* / class cnp': {pg: 3}",
    )
    (reported,) = failures(tmp_path, *lines, text=POLICY)
    assert reported.startswith("every device / class cnp pg: expected 3, got 0 (")


# -- findings ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wanted",
    [
        "[{rule: ets-sum}]",
        "[{rule: CODE, count: 1, severity: error, device: leaf01}]",
        f"[{{rule: ets-sum, at: fabric.yaml:{PLACE}, message: '80'}}]",
        "[{rule: ets-sum, at: ./fabric.yaml}, {rule: pfc-all, count: 0}]",
    ],
)
def test_an_expected_finding(wanted: str, tmp_path: Path) -> None:
    wanted = wanted.replace("CODE", BY_NAME["ets-sum"].code)
    assert "1 test passed" in run(tmp_path, f"findings: {wanted}", text=BAD, expect=0).stdout


@pytest.mark.parametrize(
    ("wanted", "reported"),
    [
        ("[{rule: ets-sum, count: 2}]", "findings: expected 2 of ets-sum, got 1"),
        ("[{rule: ets-sum, count: 0}]", "findings: expected 0 of ets-sum, got 1"),
        ("[{rule: ets-sum}, {rule: pfc-all}]", "findings: expected pfc-all, got none"),
        (
            "[{rule: ets-sum}, {rule: ets-sum, severity: info, device: x, port: e1, class: zz, at: a:1, message: m}]",
            "findings: expected info ets-sum on x port e1 class zz at a:1 saying 'm', got none",
        ),
        ("[]", "findings: expected no others, got error ets-sum at fabric.yaml:"),
    ],
)
def test_findings_that_are_not_as_expected(wanted: str, reported: str, tmp_path: Path) -> None:
    (line,) = failures(tmp_path, f"findings: {wanted}", text=BAD)
    assert line.startswith(reported)


def test_severity_says_from_where_on_others_disturb(tmp_path: Path) -> None:
    text = POLICY.replace("lossless: true", "lossless: on").replace("400KB", "390KiB")  # a warning, and an info
    assert "schema-yaml-trap" in failures(tmp_path, "findings: []", text=text)[0]
    run(tmp_path, "findings: []", "severity: error", text=text, expect=0)
    reported = failures(tmp_path, "findings: [{rule: schema-yaml-trap}]", "severity: info", text=text)
    assert reported
    assert all(line.startswith("findings: expected no others, got info ") for line in reported)


def test_house_rules_settings_and_waivers_count_as_in_lint(tmp_path: Path) -> None:
    write(tmp_path, {"rocecfg-rules.yaml": SLOW})
    run(tmp_path, "findings: [{rule: house/slow, count: 1, device: leaf02}]", expect=0)
    write(tmp_path, {"rocecfg.toml": '[severity]\n"house/slow" = "info"\n'})
    run(tmp_path, "findings: []", expect=0)
    waiver = "action: drop}  # rocecfg: ignore[house/slow] -- agreed"
    write(tmp_path, {"rocecfg.toml": ""})
    run(tmp_path, "findings: []", text=FABRIC.replace("action: drop}", waiver), expect=0)


# -- files -------------------------------------------------------------------------------------------------------------

ONE = "tests: [{name: NAME, fabric: FABRIC, expect: {fabric: {name: WANTED}}}]\n"


def one(name: str, fabric: str, wanted: str = "train-64") -> str:
    return ONE.replace("NAME", name).replace("FABRIC", fabric).replace("WANTED", wanted)


def test_files_are_found_below_folders(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "fabrics/a/fabric.yaml": FABRIC,
            "tests/a.rocecfg-test.yaml": one("a", "../fabrics/a/fabric.yaml"),
            "tests/deep/b.rocecfg-test.yml": one("b", "../../fabrics/a/fabric.yaml", "lab"),
            "tests/.hidden/c.rocecfg-test.yaml": "tests: [",
            "tests/other.yaml": "tests: [",
            ".git/HEAD": "",  # all of it is one repository, in whatever folder the command runs
            "named.yaml": one("named", "fabrics/a/fabric.yaml"),
        },
    )
    done = rocecfg(tmp_path, "test", expect=1)
    assert done.stdout.splitlines() == [
        "tests/deep/b.rocecfg-test.yml:1: b: fabric name: expected lab, got train-64 (fabrics/a/fabric.yaml:3)",
        "1 of 2 tests failed; 2 expectations in 2 files",
    ]
    assert rocecfg(tmp_path, "test", "named.yaml", expect=0).stdout.startswith("1 test passed")
    assert rocecfg(tmp_path / "tests", "test", "a.rocecfg-test.yaml", ".", expect=1).stdout.endswith("in 2 files\n")
    assert "no file *.rocecfg-test.yaml in fabrics or below" in rocecfg(tmp_path, "test", "fabrics", expect=2).stderr


def test_vendor_is_for_devices_that_name_none(tmp_path: Path) -> None:
    lines = ("expect: {'*': {vendor: sonic}}", "vendor: sonic")
    run(tmp_path, *lines, text=POLICY, expect=0)
    assert failures(tmp_path, lines[0], text=POLICY) == ["every device vendor: expected sonic, got nothing"]


@pytest.mark.parametrize(
    ("lines", "place", "words"),
    [
        (["expect: {leaf01: {rol: leaf}}"], "4:23", "a device has no path 'rol' (did you mean role?)"),
        (["expect: {leaf01 / Ethernet0: {speed: 400}}"], "4:42", "400 has no unit (write 400G if that is intended)"),
        (["expect: {leaf01 / a / b: {speed: 1G}}"], "4:14", "'leaf01 / a / b' is not an element"),
        (["expect: {'leaf[01': {role: leaf}}"], "4:14", "leaf[01"),
        (["expect: {leaf01: {role: {is: leaf}}}"], "4:30", "there is no operator 'is'"),
        (["expect: {leaf01: {mtu: {unique: true}}}"], "4:29", "only the classes of a device"),
        (["findings: [{rule: ets-summ}]"], "4:23", "there is no rule 'ets-summ'"),
        (["findings: [{rule: ets-sum, count: some}]"], "4:39", "expected a whole number"),
        (["expects: {}"], "4:5", "did you mean expect?"),
        ([], "3:5", "a test expects nothing"),
    ],
)
def test_slips_are_told_with_place_and_fix(lines: list[str], place: str, words: str, tmp_path: Path) -> None:
    done = run(tmp_path, *lines, expect=2)
    assert any(
        stated.startswith(f"rocecfg: {TESTS}:{place}: ") and words in stated for stated in done.stderr.splitlines()
    )


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({TESTS: "tests: ["}, "not YAML"),
        ({TESTS: ""}, "the file is empty"),
        ({TESTS: "tests: [{name: a, findings: []}]"}, "a test lacks fabric"),
        ({TESTS: one("a", "gone.yaml")}, "gone.yaml:1:1: cannot be read"),
        ({TESTS: one("a", "fabric.yaml"), "fabric.yaml": "rocecfg: ["}, "fabric.yaml:1:11: not YAML"),
        (
            {TESTS: one("a", "fabric.yaml"), "fabric.yaml": FABRIC, "rocecfg-rules.yaml": "rules: 3"},
            "rocecfg-rules.yaml:1:",
        ),
        ({TESTS: one("a", "fabric.yaml"), "fabric.yaml": FABRIC, "rocecfg.toml": "selec = 3"}, "rocecfg.toml:1:"),
    ],
)
def test_what_cannot_be_run_is_told_and_the_rest_is_run(files: dict[str, str], words: str, tmp_path: Path) -> None:
    write(tmp_path, {**files, "z/fabric.yaml": FABRIC, "z/z.rocecfg-test.yaml": one("z", "fabric.yaml", "lab")})
    (tmp_path / "z" / "rocecfg.toml").write_text("", encoding="utf-8")
    done = rocecfg(tmp_path, "test", expect=2)
    assert words in done.stderr
    assert "z: fabric name: expected lab" in done.stdout


# -- formats -----------------------------------------------------------------------------------------------------------


def test_json_and_junit_say_the_same(tmp_path: Path) -> None:
    write(
        tmp_path, {"gone.rocecfg-test.yaml": one("gone", "gone.yaml"), "ok.rocecfg-test.yaml": one("ok", "fabric.yaml")}
    )
    run(tmp_path, "expect: {leaf01: {role: spine}}", expect=2)
    report = json.loads(rocecfg(tmp_path, "test", "--format", "json", expect=2).stdout)
    assert report["summary"] == {"files": 3, "tests": 2, "failed": 1, "errors": 1}
    assert [(t["path"], t["name"], t["passed"]) for t in report["tests"]] == [
        (TESTS, "one", False),
        ("ok.rocecfg-test.yaml", "ok", True),
    ]
    (failure,) = report["tests"][0]["failures"]
    role = line_of(FABRIC, "role: leaf")
    assert failure == {
        "path": TESTS,
        "line": 4,
        "column": 29,
        "what": "leaf01 role",
        "expected": "spine",
        "got": "leaf",
        "origin": f"fabric.yaml:{role}",
    }
    assert [(e["path"], e["line"]) for e in report["errors"]] == [("gone.yaml", 1)]
    suites = ET.fromstring(rocecfg(tmp_path, "test", "--format", "junit", expect=2).stdout)  # noqa: S314
    assert {k: suites.get(k) for k in ("tests", "failures", "errors")} == {"tests": "3", "failures": "1", "errors": "1"}
    reported = [(case.get("classname"), [child.tag for child in case]) for case in suites.iter("testcase")]
    assert reported == [(TESTS, ["failure"]), ("ok.rocecfg-test.yaml", []), ("gone.yaml", ["error"])]


def test_lint_passes_over_files_of_tests(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": FABRIC, TESTS: one("a", "fabric.yaml")})
    done = rocecfg(tmp_path, "lint", "--ignore", "nos-erratum", expect=0)
    assert done.stdout.startswith("clean in 1 fabric, 1 file")
    rocecfg(tmp_path, "lint", "--only-intents", TESTS, expect=0)
