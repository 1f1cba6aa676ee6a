"""`rocecfg lint`: which files, which rules, which exit code."""

from __future__ import annotations

import fcntl
import io
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import threading
from pathlib import Path

import pytest
from checkout import HANG, ROOT, clean_environment, run
from click.testing import CliRunner, Result
from forked import run_command
from intents import POLICY, rocecfg, write

from rocecfg.cli import cli, terminal
from rocecfg.core.progress import Progress

BAD = POLICY.replace("bandwidth: 40}", "bandwidth: 30}")  # one error
WARN = POLICY.replace("lossless: true", "lossless: on")  # one warning, and an info
CLASSES = POLICY[POLICY.index("classes:") : POLICY.index("pfc:")]
PFC = POLICY[POLICY.index("pfc:") :]
TOP = "rocecfg: 1\nfabric: {name: lab}\n"


def places(done: subprocess.CompletedProcess[str]) -> list[str]:
    """`path: rule` of the findings of a concise report, but for absent sections."""
    lines = done.stdout.splitlines()[:-1]
    return [f"{line.split(':')[0]}: {line.split()[3].rstrip(':')}" for line in lines if "hygiene-absent" not in line]


def concise(cwd: Path, *arguments: str, expect: int) -> list[str]:
    return places(rocecfg(cwd, "lint", "--format", "concise", *arguments, expect=expect))


# -- exit codes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "arguments", "code"),
    [
        (POLICY, [], 0),
        (POLICY, ["--fail-on", "warning"], 0),
        (POLICY, ["--fail-on", "info"], 0),
        (POLICY, ["--fail-on", "info", "--select", "hygiene-absent"], 1),
        (WARN, [], 0),
        (WARN, ["--fail-on", "error"], 0),
        (WARN, ["--fail-on", "warning"], 1),
        (BAD, [], 1),
        (BAD, ["--fail-on", "info"], 1),
        ("rocecfg: [", [], 2),
        ("no: intent", [], 2),
        (BAD, ["--fail-on", "never"], 2),
        (BAD, ["--no-such-option"], 2),
        (BAD, ["--select", "no-such-rule"], 2),
        (BAD, ["--ignore", "no-such-rule"], 2),
        (BAD, ["no-such-file.yaml"], 2),
    ],
)
def test_exit_codes(text: str, arguments: list[str], code: int, tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": text})
    done = rocecfg(tmp_path, "lint", "fabric.yaml", *arguments, expect=code)
    assert done.stdout or done.stderr


def test_the_worst_thing_that_happened_decides(tmp_path: Path) -> None:
    write(tmp_path, {"a.yaml": BAD, "b.yaml": "rocecfg: [", "c.yaml": POLICY})
    assert concise(tmp_path, expect=2) == ["a.yaml: ets-sum", "b.yaml: schema-syntax"]
    assert concise(tmp_path, "a.yaml", "c.yaml", expect=1) == ["a.yaml: ets-sum"]
    assert concise(tmp_path, "c.yaml", expect=0) == []
    assert concise(tmp_path, "b.yaml", "a.yaml", "gone.yaml", expect=2) == [
        "a.yaml: ets-sum",
        "b.yaml: schema-syntax",
        "gone.yaml: schema-syntax",
    ]


# -- rules -------------------------------------------------------------------------------------------------------------

THREE = BAD.replace("kmax: 1600KB", "kmax: 300KB").replace("priority: 6", "priority: 06")


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ([], ["ecn-order", "schema-yaml-trap", "ets-sum"]),
        (["--select", "ets-sum"], ["ets-sum"]),
        (["--select", "ets"], ["ets-sum"]),
        (["--select", "ECN"], ["ecn-order"]),
        (["--select", "ecn-,ets-"], ["ecn-order", "ets-sum"]),
        (["--select", "ecn", "--select", "schema"], ["ecn-order", "schema-yaml-trap"]),
        (["--ignore", "ecn,schema"], ["ets-sum"]),
        (["--ignore", "SCH003"], ["ecn-order", "ets-sum"]),
        (["--select", "e", "--ignore", "ets"], ["ecn-order"]),
    ],
)
def test_rules_are_chosen_by_name_code_or_beginning(arguments: list[str], names: list[str], tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": THREE})
    done = rocecfg(tmp_path, "lint", "--format", "concise", *arguments)
    assert places(done) == [f"fabric.yaml: {name}" for name in names]


def test_what_cannot_be_read_is_told_whatever_is_selected(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": "rocecfg: ["})
    assert concise(tmp_path, "--select", "ets", expect=2) == ["fabric.yaml: schema-syntax"]


# -- which files -------------------------------------------------------------------------------------------------------


def test_without_a_path_every_fabric_below_is_linted(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a/fabric.yaml": BAD,
            "b/deep/er/fabric.yml": BAD,
            "c/other.yaml": "kind: Deployment\n",
            "c/json.yaml": json.dumps({"rocecfg": 2}, indent=2),
            ".hidden/fabric.yaml": BAD,
            "d/notes.txt": BAD,
            "d/compose.yaml": "services:\n  rocecfg:\n    image: x\n  rocecfg: 1\n",
        },
    )
    assert concise(tmp_path, expect=1) == [
        "a/fabric.yaml: ets-sum",
        "b/deep/er/fabric.yml: ets-sum",
        "c/json.yaml: schema-range",
        "c/json.yaml: schema-required",
        "c/json.yaml: schema-required",
    ]
    assert concise(tmp_path, "a", expect=1) == ["a/fabric.yaml: ets-sum"]


@pytest.mark.parametrize(
    "head",
    [
        "rocecfg: 1\n",
        '"rocecfg": 1\n',
        "rocecfg : 1\n",
        "# a word\n\nrocecfg: 1\n",
        "\ufeffrocecfg: 1\n",
        "---\nrocecfg: 1\n",
    ],
)
def test_a_root_is_known_by_its_key(head: str, tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": BAD.replace("rocecfg: 1\n", head)})
    assert concise(tmp_path, expect=1) == ["fabric.yaml: ets-sum"]


def split(folder: Path, **more: str) -> None:
    """A fabric of four files; classes.yaml has an error, pfc.yaml a warning."""
    files: dict[str, str | bytes] = {
        "fabric.yaml": f"{TOP}include: [parts/classes.yaml, parts/pfc.yaml, parts/clean.yaml]\n",
        "parts/classes.yaml": CLASSES.replace("bandwidth: 40}", "bandwidth: 30}"),
        "parts/pfc.yaml": PFC.replace("detection_time: 200ms", "detection_time: 200"),
        "parts/clean.yaml": "devices: {leaf1: {}}\n",
    }
    write(folder, {**files, **more})


def test_given_a_part_its_fabric_is_loaded_and_what_touches_the_part_is_told(tmp_path: Path) -> None:
    split(tmp_path)
    (tmp_path / ".git").mkdir()
    assert concise(tmp_path, "parts/classes.yaml", expect=1) == ["parts/classes.yaml: ets-sum"]
    assert concise(tmp_path, "parts/pfc.yaml", expect=1) == ["parts/pfc.yaml: schema-unit"]
    assert concise(tmp_path, "parts/clean.yaml", expect=0) == []
    both = concise(tmp_path, "parts/pfc.yaml", "parts/classes.yaml", expect=1)
    assert both == ["parts/classes.yaml: ets-sum", "parts/pfc.yaml: schema-unit"]
    assert concise(tmp_path, "fabric.yaml", expect=1) == both
    assert concise(tmp_path, "fabric.yaml", "parts/clean.yaml", ".", expect=1) == both
    assert concise(tmp_path / "parts", "classes.yaml", expect=1) == ["classes.yaml: ets-sum"]
    assert concise(tmp_path, str(tmp_path / "parts" / "classes.yaml"), expect=1)[0].endswith("classes.yaml: ets-sum")


def test_a_finding_whose_second_place_is_in_the_part_touches_it(tmp_path: Path) -> None:
    split(tmp_path, **{"parts/clean.yaml": "fabric: {mtu: 9000}\n", "parts/pfc.yaml": f"{PFC}fabric: {{mtu: 5000}}\n"})
    (tmp_path / ".git").mkdir()
    assert concise(tmp_path, "parts/pfc.yaml", expect=1) == ["parts/clean.yaml: schema-duplicate-key"]


def test_a_part_of_two_fabrics_is_linted_in_both(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a.yaml": f"{TOP}include: [classes.yaml]\n{PFC}",
            "b.yaml": f"{TOP}include: [classes.yaml]\n",
            "classes.yaml": CLASSES,
            ".git/x": "",
        },
    )
    report = json.loads(rocecfg(tmp_path, "lint", "--format", "json", "classes.yaml", expect=1).stdout)
    assert report["summary"]["fabrics"] == 2
    assert [f["name"] for f in report["findings"]] == ["watchdog-missing"]


def test_an_unreadable_file_of_the_fabric_is_told_whichever_part_is_given(tmp_path: Path) -> None:
    split(tmp_path, **{"parts/pfc.yaml": "pfc: [\n"})
    (tmp_path / ".git").mkdir()
    assert concise(tmp_path, "parts/clean.yaml", expect=2) == ["parts/pfc.yaml: schema-syntax"]


def test_a_part_that_nothing_includes_is_a_stranger(tmp_path: Path) -> None:
    write(tmp_path, {"classes.yaml": CLASSES, "good.yaml": BAD, ".git/x": ""})
    done = rocecfg(tmp_path, "lint", "--format", "concise", "classes.yaml", "good.yaml", expect=2)
    assert places(done) == ["classes.yaml: schema-syntax", "good.yaml: ets-sum"]
    assert "belongs to no intent" in done.stdout
    assert concise(tmp_path, "--only-intents", "classes.yaml", "good.yaml", expect=1) == ["good.yaml: ets-sum"]
    assert concise(tmp_path, "--only-intents", "classes.yaml", expect=0) == []


def test_a_root_that_another_includes_is_no_fabric_of_its_own(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"fabric.yaml": f"{TOP}include: [base.yaml]\n", "base.yaml": f"rocecfg: 1\n{CLASSES}{PFC}", ".git/x": ""},
    )
    assert concise(tmp_path, expect=0) == []
    assert concise(tmp_path, "base.yaml", expect=0) == []


def test_neighbours_that_cannot_be_read_do_not_matter(tmp_path: Path) -> None:
    write(
        tmp_path, {"good/fabric.yaml": BAD, "good/binary.yaml": b"\xff\x00", "good/broken.yaml": "x: [", ".git/x": ""}
    )
    with (tmp_path / "good" / "big.yaml").open("wb") as stream:
        stream.truncate(100 * 1024 * 1024)
    os.mkfifo(tmp_path / "good" / "pipe.yaml")
    (tmp_path / "good" / "loop.yaml").symlink_to("loop.yaml")
    (tmp_path / "good" / "gone.yaml").symlink_to("nowhere.yaml")
    assert concise(tmp_path, expect=1) == ["good/fabric.yaml: ets-sum"]
    assert concise(tmp_path, "good/fabric.yaml", expect=1) == ["good/fabric.yaml: ets-sum"]


def test_a_folder_above_that_may_not_be_read_does_not_matter(tmp_path: Path) -> None:
    inner = tmp_path / "above" / "inner"
    write(inner, {"fabric.yaml": BAD})
    (tmp_path / "above").chmod(0o300)
    try:
        assert concise(inner, "fabric.yaml", expect=1) == ["fabric.yaml: ets-sum"]
    finally:
        (tmp_path / "above").chmod(0o700)


def test_a_folder_without_intents_says_so(tmp_path: Path) -> None:
    write(tmp_path, {"empty/readme.txt": "x", "good.yaml": BAD})
    done = rocecfg(tmp_path, "lint", "--format", "concise", "empty", "good.yaml", expect=2)
    assert places(done) == ["empty: schema-syntax", "good.yaml: ets-sum"]
    assert "no intent and no configuration of a switch here or below" in done.stdout


COUNTING = """
import atexit, collections, os, sys
opened = collections.Counter()
sys.addaudithook(lambda event, args: event == "open" and isinstance(args[0], str) and opened.update([args[0]]))
leave = os._exit
def told(code):
    most = max((n for name, n in opened.items() if name.endswith(".yaml")), default=0)
    sys.stderr.write(f"opened at most {most} times")
    sys.stderr.flush()
    leave(code)
os._exit = told  # the command leaves so
from rocecfg.cli import main
main()
"""


def test_parts_of_many_fabrics_are_not_read_again_for_each_other(tmp_path: Path) -> None:
    """Given 200 changed files in one folder, no file is read 200 times."""
    files: dict[str, str | bytes] = {".git/x": ""}
    for n in range(200):
        files[f"fabric{n}.yaml"] = f"{TOP}include: [part{n}.yaml]\n{PFC}"
        files[f"part{n}.yaml"] = CLASSES
    write(tmp_path, files)
    names = [name for name in files if name.startswith("part")]
    env = clean_environment(PYTHONPATH=str(ROOT))
    done = run(sys.executable, "-c", COUNTING, "lint", "--format", "json", *names, cwd=tmp_path, env=env)
    assert json.loads(done.stdout)["summary"]["fabrics"] == 200
    most = int(done.stderr.removeprefix("opened at most ").partition(" ")[0])
    assert 1 <= most <= 4


# -- standard input ----------------------------------------------------------------------------------------------------


def piped(cwd: Path, text: str | bytes, *arguments: str, expect: int) -> list[str]:
    """The findings of a text that comes from standard input, as an editor sends it."""
    command = ("lint", "--format", "concise", "-", *arguments)
    data = text if isinstance(text, bytes) else text.encode()
    done = run_command(command, cwd, clean_environment(PYTHONPATH=str(ROOT)), data, HANG)
    assert done.returncode == expect, done
    return places(subprocess.CompletedProcess(done.args, expect, done.stdout.decode(), done.stderr.decode()))


def test_standard_input_without_a_name(tmp_path: Path) -> None:
    assert piped(tmp_path, BAD, expect=1) == ["<stdin>: ets-sum"]
    assert piped(tmp_path, "x: [", expect=2) == ["<stdin>: schema-syntax"]
    assert piped(tmp_path, b"rocecfg: \xff", expect=2) == ["<stdin>: schema-syntax"]
    assert piped(tmp_path, CLASSES, expect=2) == ["<stdin>: schema-syntax"]  # belongs to no intent


def test_standard_input_stands_for_the_file_it_names(tmp_path: Path) -> None:
    split(tmp_path)
    (tmp_path / ".git").mkdir()
    good = (tmp_path / "parts" / "clean.yaml").read_text()
    worse = CLASSES.replace("bandwidth: 40}", "bandwith: 40}")
    assert piped(tmp_path, CLASSES, "--stdin-filename", "parts/classes.yaml", expect=0) == []
    assert piped(tmp_path, worse, "--stdin-filename", "parts/classes.yaml", expect=1) == [
        "parts/classes.yaml: schema-unknown-key"
    ]
    whole = str(tmp_path / "parts" / "classes.yaml")
    assert piped(tmp_path, worse, "--stdin-filename", whole, expect=1)[0].endswith("classes.yaml: schema-unknown-key")
    assert piped(tmp_path / "parts", worse, "--stdin-filename", "classes.yaml", expect=1) == [
        "classes.yaml: schema-unknown-key"
    ]
    assert piped(tmp_path / "parts", worse, "--stdin-filename", "../parts/classes.yaml", expect=1) == [
        "classes.yaml: schema-unknown-key"
    ]
    assert piped(tmp_path, good, "--stdin-filename", "parts/clean.yaml", expect=0) == []
    root = (tmp_path / "fabric.yaml").read_text() + "fabrik: {}\n"
    found = piped(tmp_path, root, "--stdin-filename", "fabric.yaml", expect=1)
    assert "fabric.yaml: schema-unknown-key" in found
    assert "parts/classes.yaml: ets-sum" in found  # includes are found beside the name


def test_standard_input_may_be_a_file_that_is_not_there_yet(tmp_path: Path) -> None:
    write(tmp_path, {".git/x": ""})
    assert piped(tmp_path, BAD, "--stdin-filename", "new/fabric.yaml", expect=1) == ["new/fabric.yaml: ets-sum"]


def test_the_settings_for_standard_input_are_those_of_its_name(tmp_path: Path) -> None:
    write(tmp_path, {"a/rocecfg.toml": 'ignore = ["ets"]\n'})
    assert piped(tmp_path, BAD, "--stdin-filename", "a/fabric.yaml", expect=0) == []


def test_a_name_without_standard_input_is_bad_usage(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY})
    done = rocecfg(tmp_path, "lint", "fabric.yaml", "--stdin-filename", "x.yaml", expect=2)
    assert "give - as PATH" in done.stderr


# -- outputs -----------------------------------------------------------------------------------------------------------


def test_several_outputs_of_one_run(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": BAD})
    names = ["json", "sarif", "github", "gitlab", "junit", "rdjson", "full"]
    arguments = [f"--output={name}={name}.out" for name in names]
    done = rocecfg(tmp_path, "lint", "fabric.yaml", *arguments, "--output", "concise", expect=1)
    assert places(done) == ["fabric.yaml: ets-sum"]
    for name in names:
        alone = rocecfg(tmp_path, "lint", "fabric.yaml", "--format", name, expect=1).stdout
        assert (tmp_path / f"{name}.out").read_text() == alone
        assert "sum to 90%" in alone
    assert rocecfg(tmp_path, "lint", "--format", "json", "--output", "full", expect=2).stderr
    assert "no format 'yaml'" in rocecfg(tmp_path, "lint", "--output", "yaml=x", expect=2).stderr


def test_an_output_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": BAD})
    done = rocecfg(tmp_path, "lint", "--output", "json=gone/out.json", expect=2)
    assert "gone/out.json cannot be written" in done.stderr


def test_statistics_count_by_rule(tmp_path: Path) -> None:
    write(tmp_path, {"a.yaml": THREE, "b.yaml": BAD})
    done = rocecfg(tmp_path, "lint", "--statistics", "--ignore", "hygiene", expect=1)
    lines = done.stdout.splitlines()
    rows = [line.split() for line in lines[:-1] if not line.startswith("no ")]
    assert [(row[0], row[1], row[3]) for row in rows] == [
        ("2", "error", "ets-sum"),
        ("1", "error", "ecn-order"),
        ("1", "warning", "schema-yaml-trap"),
    ]
    (hosts,) = (line for line in lines if line.startswith("no hosts "))
    assert hosts.startswith("no hosts in a.yaml, b.yaml, so skipped: ")
    both = rocecfg(tmp_path, "lint", "--statistics", "--ignore", "hygiene", "--format", "json", expect=1)
    assert json.loads(both.stdout)["summary"]["errors"] == 3
    assert both.stderr == done.stdout


# -- a terminal --------------------------------------------------------------------------------------------------------


LINT = ("-m", "rocecfg", "lint")


def on_a_terminal(
    cwd: Path,
    *arguments: str,
    python: tuple[str, ...] = LINT,
    columns: int = 80,
    rows: int = 24,
    **environment: str,
) -> str:
    """What a run shows on a terminal: standard output and standard error."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    process = subprocess.Popen(
        [sys.executable, *python, *arguments],
        cwd=cwd,
        env=clean_environment(**{"PYTHONPATH": str(ROOT), "TERM": "xterm", "NO_COLOR": "", **environment}),
        stdin=subprocess.DEVNULL,
        stdout=follower,
        stderr=follower,
    )
    os.close(follower)
    out = b""
    while True:
        try:
            data = os.read(leader, 1 << 16)
        except OSError:  # the other end is closed
            break
        if not data:
            break
        out += data
    process.wait(HANG)
    os.close(leader)
    return out.decode().replace("\r\n", "\n")


def _plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*[mK]", "", text)


LONG = BAD.replace("{name: lab}", f"{{name: lab, kin: 1, description: '{'word ' * 60}'}}")


def test_a_report_keeps_within_the_terminal(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": LONG})
    for columns in (60, 100):
        lines = _plain(on_a_terminal(tmp_path, "fabric.yaml", columns=columns)).splitlines()
        assert max(map(len, lines[:-1])) <= columns
        assert any("schema-unknown-key" in line for line in lines)
        words = " ".join(line.strip(" =") for line in lines)
        assert "shares sum to 90%, not 100%: rdma 60% + default 30%" in words
    wide = _plain(on_a_terminal(tmp_path, "fabric.yaml", columns=500))
    assert wide == rocecfg(tmp_path, "lint", "fabric.yaml", expect=1).stdout  # as in a file or a pipe


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False), ({"TERM": "dumb", "FORCE_COLOR": "1"}, True)],
)
def test_colour_on_a_terminal(environment: dict[str, str], *, coloured: bool, tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": BAD})
    assert ("\x1b[" in on_a_terminal(tmp_path, "fabric.yaml", **environment)) is coloured


def test_colour_goes_to_no_file(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": BAD})
    rocecfg(tmp_path, "lint", "--output", "full=out.txt", NO_COLOR="", FORCE_COLOR="1", expect=1)
    assert "\x1b" not in (tmp_path / "out.txt").read_text()
    assert "\x1b[" in rocecfg(tmp_path, "lint", NO_COLOR="", FORCE_COLOR="1", expect=1).stdout


OWN_CLOCK = """
import os, threading
import rocecfg.cli.terminal as terminal
import rocecfg.source.document as document

due, shown, passed = threading.Event(), threading.Event(), []

def wait(done, seconds):
    if passed:  # the line is there
        passed.clear()
        shown.set()
    while not done.is_set():
        if due.wait(0.01):
            due.clear()
            passed.append(seconds)
            return False
    return True

def held(function, name):
    def call(*arguments):
        if str(arguments[-1]).endswith(name):
            shown.clear()
            due.set()
            shown.wait()
        return function(*arguments)
    return call

terminal._wait = wait
document.read_bytes = held(document.read_bytes, "d/2.yaml")
os.replace = held(os.replace, "leaf299.yaml")
from rocecfg.cli import main
main()
"""
"""Time passes only before that file is read, and before that one is written, until progress is shown."""


def test_long_work_shows_progress_on_a_terminal_only(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": f"include: [d/*.yaml]\n{POLICY}", "small/.git/x": "", "small/fabric.yaml": POLICY})
    for n in range(4):
        write(tmp_path, {f"d/{n}.yaml": f"devices: {{leaf{n}: {{}}}}\n"})
    assert rocecfg(tmp_path, "lint", "fabric.yaml").stderr == ""
    shown = on_a_terminal(tmp_path, "lint", "fabric.yaml", python=("-c", OWN_CLOCK))
    assert re.findall(r"\r\x1b\[Krocecfg: (\d of \d files read)\r\x1b\[K", shown) == ["3 of 5 files read"]
    assert shown.count("files read") == 1  # and taken away
    assert "read" not in on_a_terminal(tmp_path, "small", python=("-c", OWN_CLOCK))  # no time passes: not worth a word


def test_render_shows_how_much_is_read_and_written(tmp_path: Path) -> None:
    included = {f"d/{n}.yaml": f"devices: {{'leaf{n}[01-99]': {{}}}}\n" for n in (1, 2)}
    write(tmp_path, {"fabric.yaml": f"include: [d/*.yaml]\n{POLICY}", **included})
    arguments = ("render", "fabric.yaml", "--vendor", "spectrum", "-o", "out")
    shown = on_a_terminal(tmp_path, *arguments, python=("-c", OWN_CLOCK))
    assert re.findall(r"\r\x1b\[Krocecfg: (.*?)\r\x1b\[K", shown) == ["2 of 3 files read", "128 of 200 files written"]
    again = on_a_terminal(tmp_path, *arguments, python=("-c", OWN_CLOCK.replace("d/2.yaml", "none")))
    assert "rocecfg:" not in again  # nothing is written, in no time


def test_what_takes_long_counts_what_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever looks is told how much of it is done, in lint, import, drift and plan; a pipe is told nothing."""
    seen: list[str] = []
    step = Progress.step

    def count(self: Progress) -> None:
        step(self)
        seen.append(str(self))

    monkeypatch.setattr(Progress, "step", count)
    monkeypatch.chdir(tmp_path)
    example = "fabric.yaml"
    switch = "defaults: {vendor: spectrum, version: '5.14', platform: nvidia-sn5600}\n"
    port = "{swp1: {speed: 400G, faces: host, cable: 3m}}"
    write(tmp_path, {example: f"{POLICY}{switch}devices: {{leaf01: {{ports: {port}}}}}\n"})

    def run_here(*arguments: str) -> Result:
        return CliRunner().invoke(cli, arguments)

    assert run_here("render", example, "-o", "running").exit_code == 0
    asked = {
        ("lint", example): "groups of devices checked",
        ("import", "running"): "files read",
        ("drift", example, "--running", "running"): "files compared",
        ("plan", example, "--running", "running"): "files compared",
    }
    for arguments, what in asked.items():
        seen.clear()
        done = run_here(*arguments)
        counts = [text.removesuffix(f" {what}") for text in seen if text.endswith(what)]
        assert counts, arguments
        last = counts[-1].split(" of ")
        assert last[0] == last[1], (arguments, counts[-1])
        assert what not in done.output


def test_a_second_passes_before_progress_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    stderr, passed = Terminal(), list[tuple[float, str]]()

    def wait(_: threading.Event, seconds: float) -> bool:
        passed.append((seconds, stderr.getvalue()))
        return len(passed) == 3  # then the work is done

    monkeypatch.setattr(terminal, "_wait", wait)
    monkeypatch.setattr(sys, "stderr", stderr)
    monkeypatch.setenv("TERM", "xterm")
    with terminal.show_progress(lambda: terminal.tell_files(len(passed), 7, "read")):
        pass
    first, second = (f"\r\x1b[Krocecfg: {n} of 7 files read" for n in (1, 2))
    assert passed[0] == (1.0, "")
    assert [said for _, said in passed[1:]] == [first, first + second]
    assert stderr.getvalue() == f"{first}{second}\r\x1b[K"


# -- a rude world ------------------------------------------------------------------------------------------------------


def _start(cwd: Path, *arguments: str, python: tuple[str, ...] = ("-m", "rocecfg")) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, *python, *arguments],
        cwd=cwd,
        env=clean_environment(PYTHONPATH=str(ROOT)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_a_reader_that_leaves_is_no_traceback(tmp_path: Path) -> None:
    unknown = "".join(f"key{n}: 1\n" for n in range(5000))
    write(tmp_path, {"fabric.yaml": POLICY + unknown})
    process = _start(tmp_path, "lint", "fabric.yaml")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    stderr = process.stderr.read()
    process.stderr.close()
    assert process.wait(HANG) == 1  # what was found, though nobody read it
    assert stderr == b""


INTERRUPTED = """
import signal, sys
from rocecfg.cli import main

left = {calls}

def count(frame, event, _):
    global left
    left -= event == "call" and "rocecfg" in frame.f_code.co_filename
    if left == 0:
        left = -1
        signal.raise_signal(signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
sys.setprofile(count)
main()
"""


@pytest.mark.parametrize("calls", [2, 3, 30, 300, 3_000, 30_000, 100_000])
def test_an_interrupt_is_no_traceback(calls: int, tmp_path: Path) -> None:
    """Ctrl-C after so many calls of functions: while modules are loaded, files are read, rules judge."""
    leaves = "".join(f"  leaf{n}: {{mtu: {n % 9000 + 68}}}\n" for n in range(3_000))
    write(tmp_path, {"fabric.yaml": f"{POLICY}devices:\n{leaves}"})
    process = _start(tmp_path, "lint", "fabric.yaml", python=("-c", INTERRUPTED.format(calls=calls)))
    stdout, stderr = process.communicate(timeout=HANG)
    assert b"Traceback" not in stdout + stderr
    assert process.returncode == 130, stdout + stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_an_error_of_one_line(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": BAD})
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "rocecfg", "lint", "fabric.yaml"],
            cwd=tmp_path,
            env=clean_environment(PYTHONPATH=str(ROOT)),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=HANG,
        )
    assert done.returncode == 2
    assert done.stderr == "rocecfg: standard output: No space left on device\n"


def test_help_and_version_work_and_name_no_internals(tmp_path: Path) -> None:
    assert rocecfg(tmp_path, "--version", expect=0).stdout.startswith("rocecfg, version ")
    for command in ("lint", "render", "show", "explain", "rules", "profiles", "schema"):
        done = rocecfg(tmp_path, command, "--help", expect=0)
        assert done.stdout.startswith(f"Usage: rocecfg {command}")
    assert rocecfg(tmp_path, "no-such-command", expect=2).stderr
    assert "Usage: rocecfg" in rocecfg(tmp_path, expect=2).stderr


def test_without_a_c_parser_lint_says_so_and_finds_the_same(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": BAD})
    script = (
        "import sys, yaml\n"
        "yaml.__with_libyaml__ = False\n"
        "sys.argv = ['rocecfg', 'lint', '--format', 'json', 'fabric.yaml']\n"
        "from rocecfg.cli import main\n"
        "main()\n"
    )
    done = run(sys.executable, "-c", script, cwd=tmp_path, env=clean_environment(PYTHONPATH=str(ROOT)), expect=1)
    assert done.stdout == rocecfg(tmp_path, "lint", "--format", "json", "fabric.yaml", expect=1).stdout
    assert "no C parser" in done.stderr
