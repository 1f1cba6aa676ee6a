"""Each command as a process of its own, as a shell starts it: it answers as a forked call does (forked.py)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from checkout import ROOT, clean_environment, run
from intents import FABRIC, POLICY, rocecfg, write

CONVERGED, AUTO, RAILS = (str(ROOT / "examples" / name) for name in ("converged", "auto", "rail-512"))
BAD = POLICY.replace("lossless: true", "lossless: false").replace("kmin: 400KB", "kmin: 4MB")
COMMANDS = {  # and their exit codes
    ("lint", "bad.yaml"): 1,
    ("lint", "--format", "json", "bad.yaml", "fabric.yaml"): 1,
    ("lint", "--format", "sarif", "--fix", "--unsafe-fixes", "--diff", "bad.yaml"): 1,
    ("lint", "running"): 0,
    ("render", CONVERGED, "-o", "out"): 0,
    ("render", "policy.yaml", "--vendor", "junos"): 1,  # drop profiles are in percent
    ("render", "fabric.yaml", "--vendor", "host", "-o", "hosts"): 0,
    ("show", AUTO, "leaf01"): 0,
    ("show", RAILS, "--topology"): 0,
    ("report", CONVERGED, "-o", "report.html"): 0,
    ("import", "running"): 0,
    ("drift", CONVERGED, "--running", "running"): 1,  # of EOS a part is not compared
    ("plan", CONVERGED, "--running", "running"): 2,  # what is rendered is a part of a configuration
    ("validate", "running"): 2,  # SONiC's models are not part of rocecfg
    ("advise", "policy.yaml"): 0,
    ("init", "new"): 0,
    ("test", "team.rocecfg-test.yaml"): 1,
    ("completion", "bash"): 0,
    ("explain", "watchdog-missing"): 0,
    ("rules", "--format", "json"): 0,
    ("profiles", "tomahawk5"): 0,
    ("schema",): 0,
    ("--help",): 0,
    ("gone",): 2,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tests = "fabric: fabric.yaml\ntests:\n  - {name: quick, expect: {'*': {name: leaf01}}}\n"
    files = {"bad.yaml": BAD, "fabric.yaml": FABRIC, "policy.yaml": POLICY, "team.rocecfg-test.yaml": tests}
    write(tmp_path, files)
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(Path(word).name for word in command))
def test_a_process_and_a_forked_call_are_one(command: tuple[str, ...], folder: Path, tmp_path: Path) -> None:
    answers = []
    for name in ("process", "forked"):
        here = tmp_path / name
        here.mkdir()
        write(here, {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.yaml")})
        if "running" in command:
            rocecfg(here, "render", CONVERGED, "-o", "running", expect=0)
        if name == "process":
            env = clean_environment(PYTHONPATH=str(ROOT))
            done = run(sys.executable, "-m", "rocecfg", *command, cwd=here, env=env, expect=None)
        else:
            done = rocecfg(here, *command)
        written = {str(p.relative_to(here)): p.read_bytes() for p in sorted(here.rglob("*")) if p.is_file()}
        answers.append((done.returncode, done.stdout, done.stderr, written))
    assert answers[0] == answers[1]
    assert answers[0][0] == COMMANDS[command], answers[0][2]
