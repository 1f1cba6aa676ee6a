"""`rocecfg lint`: which files, which rules, which exit code."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from checkout import ROOT, clean_environment
from intents import FABRIC, POLICY, rocecfg, write

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
        (POLICY, ["--fail-on", "info"], 1),
        (FABRIC, ["--fail-on", "info"], 0),
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
    split(tmp_path, **{"parts/clean.yaml": "fabric: {mtu: 9000}\n", "parts/pfc.yaml": f"{PFC}fabric: {{mtu: 1500}}\n"})
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
    assert "no intent here or below" in done.stdout


def test_many_parts_of_many_fabrics_take_no_longer_than_they_should(tmp_path: Path) -> None:
    """Given 400 changed files in one folder, no file is read 400 times."""
    files: dict[str, str | bytes] = {".git/x": ""}
    for n in range(200):
        files[f"fabric{n}.yaml"] = f"{TOP}include: [part{n}.yaml]\n{PFC}"
        files[f"part{n}.yaml"] = CLASSES
    write(tmp_path, files)
    names = [name for name in files if name.startswith("part")]
    begin = time.monotonic()
    done = rocecfg(tmp_path, "lint", "--format", "json", *names, expect=0)
    assert json.loads(done.stdout)["summary"]["fabrics"] == 200
    assert time.monotonic() - begin < 10


# -- a rude world ------------------------------------------------------------------------------------------------------


def _start(cwd: Path, *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "rocecfg", *arguments],
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
    assert process.wait(20) in {0, 1}
    assert stderr == b""


def test_an_interrupt_is_no_traceback(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "fabric.yaml": POLICY
            + "devices:\n"
            + "".join(f"  leaf{n}: {{mtu: {n % 9000 + 68}}}\n" for n in range(60_000))
        },
    )
    process = _start(tmp_path, "lint", "fabric.yaml")
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=20)
    assert b"Traceback" not in stdout + stderr
    assert process.returncode == 130


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
            timeout=20,
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
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env=clean_environment(PYTHONPATH=str(ROOT)),
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    assert done.returncode == 1
    assert done.stdout == rocecfg(tmp_path, "lint", "--format", "json", "fabric.yaml", expect=1).stdout
    assert "no C parser" in done.stderr
