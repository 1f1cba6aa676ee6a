"""What a test finds is of the code alone: no clock, no chance, and nothing that another test left behind.

On a loaded machine a test with a clock fails for what other work does; `benchmarks/` measures. What takes long is told
by steps that are counted, or by a clock of the test's own; another process is waited for by `checkout.wait_until`.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from checkout import HANG, ROOT
from hypothesis import given, settings
from hypothesis import strategies as st

LEAST = HANG  # seconds before a test gives something up
WAITING = frozenset(("communicate", "fail_after", "join", "move_on_after", "wait", "wait_for"))
CLOCKS = frozenset(("asyncio", "datetime", "sched", "time", "timeit"))  # modules
PASSING = frozenset(("alarm", "getrusage", "setitimer", "sleep", "wait_for_timeout"))  # functions, of whatever
PROGRAMS = re.compile(
    r"(?:^|[;\n]) *(?:import [\w, ]*\btime\b(?!:)|from time import)|\btime\.[a-z_]+\(|(?:^|[;\n]|\bdo) *sleep(?: \d|$)"
)
"""A clock in a program that a test runs: Python or a shell."""

CLOCKS_OF_TESTS = {
    "checkout.py": "waits until another process has done something, or hangs",
    "mutation.py": "ends what hangs",
    "readers/test_nvue_met.py": "a script that somebody has: it is read, and not run",
    "sonic_orch.py": "names the command that takes no time here",
    "test_render_apply.py": "names the command that takes no time here",
    "vendors/test_sonic_planner.py": "the same",
}
SHARED = re.compile(
    r"os\.(?:chdir|putenv|umask|unsetenv)|sys\.set\w+|locale\.setlocale|random\.(?!Random$)\w+|"
    r"os\.environ\.(?:clear|pop|setdefault|update)|uuid\.\w+|secrets\.\w+|os\.urandom"
)
"""Functions that change the process of all tests, or draw what no seed tells; `monkeypatch` takes its changes back."""

SHARED_BY_TESTS = {
    "conftest.py": "before the tests, for the workers; taken back behind them",
    "forked.py": "in the process that becomes the command",
    "kept_validator.py": "a program of its own",
    "mutation.py": "a program of its own",
    "readers/test_junos_reader.py": "counts calls, and ends that",
    "test_cli_files.py": "a fixture takes the umask back",
    "test_completion_shells.py": "in the process that becomes the shell",
    "test_curves.py": "a module whose name nothing else has",
    "test_foreign_repository.py": "folders too deep for a path; the test goes back",
    "steps.py": "counts opcodes, and takes its trace back",
    "validation/test_one_verdict.py": "modules whose names nothing else has",
}
CLOCKS_OF_ROCECFG = {
    "cli/linted.py": "today, by which waivers end",
    "cli/plan.py": "today",
    "cli/render.py": "today",
    "cli/report.py": "today",
    "cli/terminal.py": "when progress is shown: tests have a clock of their own",
    "cli/test.py": "today",
    "linting/changed.py": "a limit on git, two minutes",
    "linting/parallel.py": "whether processes save time: tests give a clock",
    "linting/suppressions.py": "whether a text is a date: no clock",
    "lsp/fabrics.py": "today",
    "lsp/server.py": "runs the loop",
    "lsp/work.py": "the pause before a text is checked: tests set its length",
    "mcp/tools.py": "a limit on a call, two minutes",
    "vendors/bounded.py": "processor time of a template, which other work does not take",
}
"""Where rocecfg reads the day or a clock, or stops waiting, and why no test depends on it."""


def _number(node: ast.expr, known: dict[str, float]) -> float | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return node.value
    return known.get(node.id) if isinstance(node, ast.Name) else None


def _short(tree: ast.Module, nodes: list[ast.AST]) -> Iterator[ast.expr]:
    """Limits in seconds that are below the least one."""
    known = {
        target.id: float(of.value.value)
        for of in tree.body
        if isinstance(of, ast.Assign) and isinstance(of.value, ast.Constant) and isinstance(of.value.value, int | float)
        for target in of.targets
        if isinstance(target, ast.Name)
    }
    for call in nodes:
        if not isinstance(call, ast.Call):
            continue
        limits = [word.value for word in call.keywords if word.arg == "timeout"]
        if isinstance(call.func, ast.Attribute) and call.func.attr in WAITING:
            limits += call.args
        for limit in limits:
            number = _number(limit, known)
            if number is not None and number < LEAST:
                yield limit


def _deadlines(nodes: list[ast.AST]) -> Iterator[ast.expr]:
    """Time that an example of hypothesis has."""
    for node in nodes:
        if isinstance(node, ast.keyword) and node.arg == "deadline" and ast.unparse(node.value) != "None":
            yield node.value


def _clocks(nodes: list[ast.AST]) -> Iterator[ast.AST]:
    """Clocks that are read, and time that is let pass."""
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            if CLOCKS & {name.partition(".")[0] for name in names}:
                yield node
        elif isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and node.func.attr in PASSING:
                yield node
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and PROGRAMS.search(node.value):
            yield node


def _limits(nodes: list[ast.AST]) -> Iterator[ast.AST]:
    """Calls that give up after a while."""
    for node in nodes:
        if isinstance(node, ast.Call):
            waits = isinstance(node.func, ast.Attribute) and node.func.attr in WAITING - {"join"} and node.args
            if waits or any(word.arg == "timeout" for word in node.keywords):
                yield node


def _shared(nodes: list[ast.AST]) -> Iterator[ast.AST]:
    """Changes that other tests see, and chance without a seed."""
    imported = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    for node in nodes:
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            unseeded = name.rpartition(".")[2] == "Random" and not node.args
            if unseeded or (name.partition(".")[0] in imported and SHARED.fullmatch(name)):
                yield node
        elif (
            isinstance(node, ast.Subscript)
            and isinstance(node.ctx, ast.Store | ast.Del)
            and ast.unparse(node.value) in {"os.environ", "sys.modules"}
        ):
            yield node


def _paths(folder: str) -> list[Path]:
    return sorted(path for path in (ROOT / folder).rglob("*.py") if "node_modules" not in path.parts)


def _sources(folder: str, words: str = "") -> Iterator[tuple[str, ast.Module, list[ast.AST]]]:
    """The files below a folder of the checkout that hold one of these words: name, and what it says."""
    for path in _paths(folder):
        text = path.read_text(encoding="utf-8")
        if re.search(words, text):
            tree = ast.parse(text)
            yield path.relative_to(ROOT / folder).as_posix(), tree, list(ast.walk(tree))


def _show(file: str, node: ast.AST) -> str:
    return f"{file}:{getattr(node, 'lineno', 0)}: {ast.unparse(node)[:100]}"


def test_no_test_measures_time_or_gives_up_soon() -> None:
    found, timed, sharing = [], set(), set()
    for file, tree, nodes in _sources("tests"):
        found += [_show(file, node) for node in (*_short(tree, nodes), *_deadlines(nodes))]
        if file == "test_time_limits.py" or file.startswith("advice/referee/"):  # these are programs
            continue
        clocks, shared = list(_clocks(nodes)), list(_shared(nodes))
        timed |= {file} if clocks else set()
        sharing |= {file} if shared else set()
        found += [_show(file, node) for node in clocks if file not in CLOCKS_OF_TESTS]
        found += [_show(file, node) for node in shared if file not in SHARED_BY_TESTS]
    assert found == []
    assert timed == set(CLOCKS_OF_TESTS)  # the lists hold no more than there is
    assert sharing == set(SHARED_BY_TESTS)


@pytest.mark.parametrize(
    "line",
    [
        "import time",
        "from time import sleep",
        "from datetime import datetime",
        "page.wait_for_timeout(100)",
        "signal.alarm(3)",
        "PROGRAM = 'import os, time\\ntime.sleep(3)'",
        "run('sh', '-c', 'true; sleep 3')",
    ],
)
def test_a_clock_is_seen(line: str) -> None:
    assert list(_clocks(list(ast.walk(ast.parse(line)))))


@pytest.mark.parametrize(
    "line",
    [
        "import os\nos.chdir('x')",
        "os.environ['A'] = 'b'",
        "del os.environ['A']",
        "import random\nrandom.shuffle(x)",
        "random.Random()",
    ],
)
def test_what_tests_would_share_is_seen(line: str) -> None:
    assert list(_shared(list(ast.walk(ast.parse(line)))))


@pytest.mark.parametrize(
    "line",
    [
        "import os\npath = os.environ['PATH']",
        "monkeypatch.chdir(x)",
        "import random\nrandom.Random(7).shuffle(x)",
        "def test(random): random.shuffle(x)",  # of hypothesis
        "text = 'watchdog restoration time'",
        "wait_until(done)",
    ],
)
def test_what_depends_on_nothing_else_is_not(line: str) -> None:
    nodes = list(ast.walk(ast.parse(line)))
    assert [*_clocks(nodes), *_shared(nodes)] == []


def test_rocecfg_reads_no_clock_that_a_test_cannot_set() -> None:
    found = {}
    words = rf"\b(?:timeout|{'|'.join(sorted(CLOCKS | PASSING | WAITING - {'join'}))})\b"
    for file, _, nodes in _sources("rocecfg", words):
        clocks = [node for node in (*_clocks(nodes), *_limits(nodes)) if not isinstance(node, ast.Constant)]
        if clocks:
            found[file] = [_show(file, node) for node in clocks]
    assert found.keys() == CLOCKS_OF_ROCECFG.keys(), found


def test_no_two_modules_of_tests_have_one_name() -> None:
    """Folders of tests are no packages: of two modules of one name, the first that a test loads would be both."""
    names = Counter(path.name for folder in ("tests", "benchmarks", "docs") for path in _paths(folder))
    assert [name for name, number in names.items() if number > 1] == ["conftest.py"]


def _drawn() -> list[tuple[int, str]]:
    seen = []

    @settings(derandomize=True, max_examples=300, database=None)
    @given(st.integers(), st.text())
    def draw(number: int, text: str) -> None:
        seen.append((number, text))

    draw()
    return seen


def test_examples_are_the_same_whatever_else_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = _drawn()
    (tmp_path / "loaded_meanwhile.py").write_text("NUMBERS = [918273645, 777777, 31337]\nTEXT = 'quaint'\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("loaded_meanwhile")
    assert _drawn() == before


def test_examples_have_no_deadline() -> None:
    assert settings().deadline is None
