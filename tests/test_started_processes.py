"""Processes that rocecfg starts run no code of the folder it is called in: a branch may hold a file of any name."""

from __future__ import annotations

import ast
import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from checkout import HANG, ROOT, clean_environment, run
from intents import FABRIC, POLICY, write

CALLS = ("subprocess.", "os.exec", "os.spawn", "os.posix_spawn", "os.system", "os.popen", "os.fork", "pty.")
PORT = "interface Ethernet1/1\n   qos trust dscp\n"
SWEEP = ("advise", "fabric.yaml", "--sweep", "n=1000:9000:9")  # off the ramp: nothing is simulated
TEMPLATE = "rocecfg-templates/sonic/config_db.json.j2"
CALL = {"name": "lint", "arguments": {"path": "fabric.yaml"}}
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
ASKED: list[dict[str, Any]] = [
    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": CALL},
]

STARTING: dict[str, list[tuple[str, ...]]] = {
    "rocecfg/linting/workers.py": [
        ("lint", "switches", "--jobs", "2"),
        (*SWEEP, "--jobs", "2"),
    ],
    "rocecfg/vendors/bounded.py": [("render", "policy.yaml", "--vendor", "sonic", "-o", "out")],
    "rocecfg/linting/changed.py": [("lint", "fabric.yaml", "--since", "HEAD")],
    "rocecfg/mcp/tools.py": [("mcp",)],
}
"""Modules that start processes, and commands that have them do it."""


@pytest.fixture
def branch(tmp_path: Path) -> Path:
    """A repository whose top has a module for each name that Python, rocecfg and what it needs may import."""
    folder = tmp_path / "branch"
    write(folder, {"fabric.yaml": FABRIC, "second.yaml": FABRIC, "policy.yaml": POLICY, TEMPLATE: "{}"})
    for number in range(100):  # more than are worth a second process, no two alike
        write(folder, {f"switches/leaf{number}.cfg": f"hostname leaf{number}\n!\nvlan {number + 2}\n!\n{PORT}!\nend\n"})
    for command in (["init", "-q"], ["add", "-A"], ["-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "x"]):
        subprocess.run(["git", *command], cwd=folder, check=True, capture_output=True, env=clean_environment())
    installed = importlib.metadata.packages_distributions()
    for name in sorted(sys.stdlib_module_names | set(installed) | {"rocecfg", "sitecustomize", "usercustomize"}):
        if name.isidentifier():
            mark = f"open({str(tmp_path / 'ran')!r}, 'a').write({name + chr(10)!r})\n"
            (folder / f"{name}.py").write_text(mark, encoding="utf-8")
    return folder


def _command(folder: Path) -> Path:
    """What pip installs as `rocecfg`: a script, whose own folder comes first where modules are looked for."""
    script = folder / "bin" / "rocecfg"
    write(folder, {"bin/rocecfg": "from rocecfg.cli import main\nif __name__ == '__main__':\n    main()\n"})
    return script


@pytest.mark.parametrize("arguments", [words for several in STARTING.values() for words in several], ids=" ".join)
def test_no_process_runs_a_module_of_the_folder(arguments: tuple[str, ...], branch: Path, tmp_path: Path) -> None:
    if arguments == ("mcp",):
        pytest.importorskip("mcp")
    traced = tmp_path / "trace"
    write(traced, {"sitecustomize.py": f"open({str(tmp_path / 'started')!r}, 'a').write('x')\n"})
    environment = clean_environment(PYTHONPATH=f"{traced}{os.pathsep}{ROOT}")
    process = subprocess.Popen(
        [sys.executable, str(_command(tmp_path)), *arguments],
        cwd=branch,
        env=environment,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    if "mcp" in arguments:
        process.stdin.write("".join(json.dumps(message) + "\n" for message in ASKED))
        process.stdin.flush()
        while '"id":2' not in (line := process.stdout.readline()) and line:  # whoever leaves before has the call ended
            pass
    printed, _ = process.communicate(timeout=HANG)
    assert process.returncode in (0, 1), printed
    if "--since" not in arguments:  # which starts git
        assert len((tmp_path / "started").read_text()) > 1, "it started no process: the case shows nothing"
    assert not (tmp_path / "ran").exists(), (tmp_path / "ran").read_text()


def test_each_module_that_starts_a_process_has_a_case() -> None:
    found = {str(path.relative_to(ROOT)) for path in (ROOT / "rocecfg").rglob("*.py") if _starts(path)}
    assert found == set(STARTING)


def _starts(path: Path) -> bool:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    called = (ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call))
    return any(name.startswith(CALLS) or name in ("ProcessPoolExecutor", "Popen") for name in called)


def test_python_is_told_to_leave_the_folder_alone(branch: Path, tmp_path: Path) -> None:
    command = (sys.executable, "-P", "-m", "rocecfg", "lint", "fabric.yaml", "second.yaml", "--jobs", "2")
    run(*command, cwd=branch, env=clean_environment(PYTHONPATH=str(ROOT)))
    assert not (tmp_path / "ran").exists(), (tmp_path / "ran").read_text()


def test_where_no_variable_reaches_a_worker_none_is_started(branch: Path, tmp_path: Path) -> None:
    shutil.rmtree(branch / "rocecfg-templates")
    script = tmp_path / "start.py"
    script.write_text(f"import sys; sys.path.append({str(ROOT)!r})\nfrom rocecfg.cli import main\nmain()\n", "utf-8")
    command = (sys.executable, "-E", script, "lint", "switches", "--jobs", "2")
    run(*command, cwd=branch, env=clean_environment(), expect=None)
    assert not (tmp_path / "ran").exists(), (tmp_path / "ran").read_text()
