"""What a hostile repository writes into names and values comes out visible: it steers no terminal and no CI log."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from checkout import HANG, ROOT, clean_environment
from intents import POLICY, write

from rocecfg.core.visible import visible

FORGED = "\n::error::forged\r\x1b[31m\x1b]0;title\x07\x9b2J\u202e\u2028\x7f"
NAME = FORGED.replace("/", "")  # of a file: anything but a slash
BAD = POLICY.replace("bandwidth: 40}", "bandwidth: 30}")  # one error
EOS = f"""\
! device: leaf01 (DCS-7060X6-64PE, EOS-4.33.2F)
hostname leaf01
qos rewrite dscp\x1b[2J\x9b1m \u202eevil
qos map dscp 26\x1b[31m to traffic-class 3
priority-flow-control pause watchdog\r::error::forged default timeout 1
vlan 7 {FORGED[2:]}
interface Ethernet1/1\x1b[8m
   speed 400g-8
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   tx-queue 3\x07
      random-detect ecn minimum-threshold 700 kbytes maximum-threshold 2300 kbytes max-mark-probability 5
interface Ethernet2/1
   qos trust dscp \x1b[31m
   priority-flow-control priority 3 no-drop\u2028::error::forged
"""
SONIC = {
    "DEVICE_METADATA": {"localhost": {"hostname": f"leaf01{FORGED}", "hwsku": f"x{FORGED}", "platform": FORGED}},
    "PORT": {f"Ethernet0{FORGED}": {"speed": "400000", "lanes": "1"}, "Ethernet8": {"speed": FORGED, "lanes": "9"}},
    "PORT_QOS_MAP": {
        "Ethernet0": {"pfc_enable": f"3{FORGED}", "dscp_to_tc_map": FORGED},
        f"Ethernet8{FORGED}": {"pfc_enable": "3", f"tc{FORGED}": "x"},
    },
    "DSCP_TO_TC_MAP": {FORGED: {"0": FORGED, FORGED: "1"}},
    "BUFFER_PG": {f"Ethernet0|3{FORGED}": {"profile": FORGED}, "Ethernet0|4": {"profile": FORGED}},
    "WRED_PROFILE": {FORGED: {"ecn": FORGED, "green_min_threshold": FORGED}},
    "QUEUE": {"Ethernet0|3": {"wred_profile": FORGED, "scheduler": FORGED}},
    f"PFC_WD{FORGED}": {"GLOBAL": {"POLL_INTERVAL": FORGED}},
    "PFC_WD": {"Ethernet0": {"action": FORGED, "detection_time": FORGED}},
}
NVUE = f"""\
- header: {{version: 5.9.0}}
- set:
    system: {{hostname: {json.dumps("leaf02" + FORGED)}}}
    qos:
      roce: {{enable: on, mode: {json.dumps(FORGED)}, {json.dumps(FORGED)}: 1}}
    interface:
      {json.dumps("swp1" + FORGED)}: {{qos: {{{json.dumps(FORGED)}: 1}}}}
"""
LINES = POLICY.replace("fabric: {name: lab}", 'fabric: {name: "l\\e[31m\\nab", x\x85\u2028::error::y: 1}')
FIXED = POLICY.replace("{name: lab}", "{name: lab, kidn: backend} # \u202e\t\u200b")


def run(folder: Path, *arguments: str, **environment: str) -> tuple[str, str, int]:
    """What a command prints, as bytes came: standard output, standard error, the exit code."""
    done = subprocess.run(
        [sys.executable, "-m", "rocecfg", *arguments],
        cwd=folder,
        env=clean_environment(PYTHONPATH=str(ROOT), **environment),
        capture_output=True,
        check=False,
        stdin=subprocess.DEVNULL,
        timeout=HANG,
    )
    out, err = done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
    assert "Traceback" not in out + err
    assert done.returncode != 3, err
    return out, err, done.returncode


def raw(text: str) -> list[str]:
    """Lines that hold what has no shape, or that a CI system takes for a command."""
    lines = text.split("\n")
    return [line for line in lines if not line.replace("\t", "").isprintable() or line.lstrip().startswith("::error")]


def assert_visible(folder: Path, *arguments: str) -> str:
    out, err, _ = run(folder, *arguments)
    assert raw(out) == [], arguments
    assert raw(err) == [], arguments
    return out + err


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A repository in which every name that its owner may choose is hostile."""
    write(
        tmp_path,
        {
            "intent.yaml": BAD,
            f"{NAME}/fabric.yaml": BAD,
            f"{NAME}/two{NAME}.yaml": "rocecfg: 1\nfabric: {name: [\n",
            "lines/fabric.yaml": LINES,
            f"{NAME}-fixed/fabric.yaml": FIXED,
            "escapes/fabric.yaml": BAD.replace("rdma:", json.dumps(f"rdma{FORGED}") + ":", 1).replace(
                "lab", json.dumps(FORGED)
            ),
            f"running/leaf01{NAME}.cfg": EOS,
            "running/config_db.json": json.dumps(SONIC),
            "running/leaf02.yaml": NVUE,
            f"running/notes{NAME}.txt": "nothing",
            "lab/fabric.yaml": POLICY
            + "devices:\n  leaf01: {vendor: arista, platform: arista-7060x6-64pe, ports: {Ethernet1/1: "
            "{speed: 400G, faces: host, cable: 3m}}}\n"
            "  leaf02: {vendor: spectrum, platform: nvidia-sn5600, ports: {swp1: {speed: 400G, faces: host}}}\n",
        },
    )
    return tmp_path


@pytest.mark.parametrize("form", ["full", "concise", "github"])
@pytest.mark.parametrize(
    "path", ["intent.yaml", NAME, f"{NAME}/two{NAME}.yaml", "lines", "escapes", "running", f"none{NAME}"]
)
def test_findings_show_what_has_no_shape(hostile: Path, form: str, path: str) -> None:
    out, err, _ = run(hostile, "lint", "--format", form, path)
    assert raw(err) == []
    lines = [line for line in raw(out) if form != "github" or not line.startswith("::error file=")]
    assert lines == []
    if path not in ("intent.yaml", "lines"):
        assert "\\x1b[31m" in out + err or "\\u2028" in out + err


@pytest.mark.parametrize(
    "arguments",
    [
        ("lint", "--statistics", NAME),
        ("lint", "--fix", "--unsafe-fixes", "--diff", f"{NAME}-fixed"),
        ("lint", "--show-settings", NAME),
        ("lint", "--select", f"no-rule{FORGED}", "intent.yaml"),
        ("lint", f"--none{FORGED}", "intent.yaml"),
        ("lint", "--format", f"sarif{FORGED}", "intent.yaml"),
        ("lint", "--output", f"concise=none{NAME}/out", "intent.yaml"),
        (f"none{FORGED}",),
        ("show", NAME),
        ("show", "escapes"),
        ("show", "running"),
        ("show", "intent.yaml", f"leaf{FORGED}"),
        ("render", NAME, "--vendor", "sonic", "--no-lint"),
        ("render", NAME, "--vendor", "arista"),
        ("render", "lab", "--vendor", "all", "-o", f"out{NAME}"),
        ("render", "lab", "--vendor", "sonic", "--device", f"leaf{FORGED}"),
        ("render", "escapes", "--vendor", "sonic", "-o", "x"),
        ("import", "running"),
        ("import", f"running/leaf01{NAME}.cfg"),
        ("import", f"running/leaf01{NAME}.cfg", "-o", f"out{NAME}.yaml"),
        ("import", "running/config_db.json"),
        ("drift", "lab", "--running", "running"),
        ("drift", "lab", "--running", f"running/leaf01{NAME}.cfg"),
        ("drift", "lab", "--running", "running/leaf02.yaml", "--device", "leaf02"),
        ("drift", "lab", "--running", f"running/leaf01{NAME}.cfg", "--patch"),
        ("drift", "lab", "--running", f"none{NAME}"),
        ("plan", "lab", "--running", "running"),
        ("plan", "lab", "--running-intent", NAME),
        ("advise", NAME),
        ("report", "running", "-o", f"page{NAME}.html"),
        ("report", NAME, "-o", f"none{NAME}/page.html"),
        ("explain", f"rule{FORGED}"),
        ("profiles", f"chip{FORGED}"),
        ("profiles", "--in", NAME),
        ("test", NAME),
        ("init", NAME, "--yes"),
        ("init", f"new{NAME}", "--yes"),
    ],
    ids=lambda words: " ".join(words).encode("unicode_escape").decode()[:60],
)
def test_commands_show_what_has_no_shape(hostile: Path, arguments: tuple[str, ...]) -> None:
    assert_visible(hostile, *arguments)


def test_baseline_entries_and_settings_are_shown_visible(tmp_path: Path) -> None:
    entry = {"rule": FORGED, "path": FORGED, "place": "", "message": FORGED, "times": 1, "key": "k"}
    gone = {**entry, "rule": "ets-sum", "path": f"fabric.yaml{FORGED}"}
    write(
        tmp_path,
        {
            "fabric.yaml": BAD,
            "known.json": json.dumps({"version": 1, "fabrics": {"fabric.yaml": [entry, gone]}}),
            "broken.json": json.dumps({"version": FORGED}),
            "entry.json": json.dumps({"version": 1, "fabrics": {"fabric.yaml": [FORGED]}}),
            "rocecfg.toml": f"per-file-ignores = {{{json.dumps(FORGED)[:-1]}*\" = ['ets-sum']}}\n"
            f"output = [{json.dumps('concise=o' + FORGED + '.txt')}]\n".replace("\x7f", "\\u007f"),
            "wrong/rocecfg.toml": f"{json.dumps(FORGED)} = 1\n".replace("\x7f", "\\u007f"),
            "wrong/fabric.yaml": BAD,
        },
    )
    shown = assert_visible(tmp_path, "lint", "--show-settings", "fabric.yaml")
    assert "per-file-ignores" in shown
    assert "\\x1b[31m" in shown
    for form in ("full", "concise"):
        shown = assert_visible(tmp_path, "lint", "--format", form, "--baseline", "known.json", "fabric.yaml")
        assert "hygiene-baseline" in shown
        assert "\\n::error::forged" in shown
        assert_visible(tmp_path, "lint", "--format", form, "--baseline", "broken.json", "fabric.yaml")
        assert_visible(tmp_path, "lint", "--format", form, "--baseline", "entry.json", "fabric.yaml")
        assert "\\x1b[31m" in assert_visible(tmp_path, "lint", "--format", form, "wrong")


def test_names_that_are_no_text_are_shown_as_bytes(tmp_path: Path) -> None:
    (tmp_path / "fabric.yaml").write_text(BAD)
    path = os.fsencode(tmp_path) + b"/bad\xff\x1b.yaml"
    try:
        Path(os.fsdecode(path)).write_text(BAD)
    except OSError:
        pytest.skip("the file system takes no such names")
    for form in ("full", "concise"):
        shown = assert_visible(tmp_path, "lint", "--format", form, os.fsdecode(path))
        assert "bad\\udcff\\x1b.yaml" in shown


def test_reports_for_programs_can_be_read_whatever_names_hold(hostile: Path) -> None:
    for path in (NAME, "running", "escapes"):
        for form in ("json", "sarif", "gitlab"):
            out, err, _ = run(hostile, "lint", "--format", form, path)
            assert json.loads(out)
            assert raw(err) == []
        out, err, _ = run(hostile, "lint", "--format", "junit", path)
        assert ET.fromstring(out).tag == "testsuites"  # noqa: S314 - our own output
        assert raw(out) == raw(err) == []


def test_own_colours_stay(hostile: Path) -> None:
    """What is coloured is coloured by us: nothing else begins with an escape."""
    for form in ("full", "concise"):
        out, _, _ = run(hostile, "lint", "--format", form, f"{NAME}/fabric.yaml", FORCE_COLOR="1", NO_COLOR="")
        assert "\x1b[31;1m" in out
        for code in ("0", "1", "31;1", "33;1", "34;1", "36;1"):
            out = out.replace(f"\x1b[{code}m", "")
        assert raw(out) == []


def test_the_place_is_underlined_where_a_line_holds_what_has_no_shape(tmp_path: Path) -> None:
    """Escapes are wider than what they stand for; the marks stand below the same text."""
    line = "priority-flow-control priority 3\x1b[31m\tno-dropp\n"
    write(tmp_path, {"leaf.cfg": f"hostname leaf01\ninterface Ethernet1/1\n   {line}"})
    out, _, _ = run(tmp_path, "lint", "--from", "arista", "--format", "full", "leaf.cfg")
    lines = out.splitlines()
    at = next(number for number, text in enumerate(lines) if text.startswith("3 |"))
    shown, marks = lines[at][3:], lines[at + 1][3:]
    assert "3\\x1b[31m no-dropp" in shown
    marked = shown[marks.index("^") : marks.rindex("^") + 1]
    assert marked == "priority-flow-control priority 3\\x1b[31m no-dropp"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, Größe, 機架", "plain, Größe, 機架"),
        ("a\nb\rc\x00\x1b\x7f", "a\\nb\\rc\\x00\\x1b\\x7f"),
        ("\x85\x9b\xa0", "\\x85\\x9b\\xa0"),
        ("\u202e\u2066\u2028\u2029\u200b", "\\u202e\\u2066\\u2028\\u2029\\u200b"),
        ("\udcff", "\\udcff"),
        ("a\tb", "a\\tb"),
    ],
)
def test_visible(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert visible(shown) == shown


def test_commands_write_to_standard_error_in_one_place() -> None:
    """A new message goes through `print_message`, `print_note` or `stop`, which make it visible."""
    own = {"common.py", "terminal.py"}  # the functions themselves, and a line of ours that clears itself
    for path in sorted((ROOT / "rocecfg" / "cli").glob("*.py")):
        for line in path.read_text(encoding="utf-8").splitlines() if path.name not in own else ():
            assert "sys.stderr.write" not in line, path
            assert "err=True" not in line or "click.echo(full(" in line, path
