"""Mutants of rocecfg: those that no test kills are shown. Not part of CI.

    python tests/mutation.py --reach reach.json                                  # a sample of all of rocecfg
    python tests/mutation.py --reach reach.json --sample 40 --seed 7 rocecfg/vendors/sonic rocecfg/model/compare.py

A mutant is one change of the syntax tree: a comparison turned, a condition negated, `and` for `or`, another number or
word, a statement dropped. Each is written to a copy of the checkout, where the tests that run its function run, those
that run the least beside it first, until one fails. Which tests run which function is measured once by a run of all
(ten minutes), and kept in the file after `--reach` until the code or its tests change.

With `--all` what survives is tried once more, by the large sweeps and properties with every case (tests/sampling.py):
what they kill is what a usual run lets through.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import hashlib
import json
import os
import random
import re
import shutil
import signal
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

import hypothesis  # noqa: F401 - what every run needs is loaded once
import pytest
import yaml  # noqa: F401

ROOT = Path(__file__).resolve().parent.parent
_OWN = (ROOT, ROOT / "tests")
HANG = 600  # seconds; a mutant that takes longer is killed by that
LONGEST = (
    60.0  # seconds that the tests of one mutant take by themselves; those that run the most functions are left out
)
_SAMPLED = re.compile(r"^(?:from|import) (?:hypothesis|sampling|changed_configurations)\b", re.MULTILINE)
_OF_THE_TEXT = ("tests/test_contributing", "tests/test_docs", "tests/test_install", "tests/test_time_limits")


# -- which tests run which function ------------------------------------------------------------------------------------

_AT_START = """
import atexit, builtins, json, os
if not hasattr(builtins, "_reached"):
    seen = set()
    builtins._reached = seen.add
    def tell(test="", seconds=0):
        test = test or os.environ.get("PYTEST_CURRENT_TEST", "")
        with open(os.path.join(os.environ["ROCECFG_REACH"], str(os.getpid())), "a") as file:
            file.write(json.dumps([test.partition(" (")[0], sorted(seen), seconds]) + "\\n")
        seen.clear()
    builtins._tell = tell
    os.register_at_fork(after_in_child=seen.clear)
    atexit.register(tell)
    leave = os._exit
    def tell_and_leave(code):
        tell()
        leave(code)
    os._exit = tell_and_leave
"""
"""Begins rocecfg/__init__.py while it is measured: each process writes what functions it ran, under its test."""


class Reach(NamedTuple):
    """Tests and the functions that they run."""

    tests: list[tuple[str, float]]  # name without its case, seconds; those that run the fewest functions come first
    by_function: dict[str, list[tuple[int, int, list[int]]]]  # module -> first line, last line, tests
    of: str  # digest of the code and its tests

    def of_line(self, module: str, line: int) -> list[str]:
        """The tests that run the innermost function around a line, in the order to try them.

        A constant of the module is any function's, and of the tests whose file names the module.
        """
        functions = self.by_function.get(module, [])
        around = [each for each in functions if each[0] <= line <= each[1]]
        innermost = [min(around, key=lambda each: each[1] - each[0])] if around else functions
        running = {test for _, _, tests in innermost for test in tests}
        if not around:
            dotted = module.removesuffix(".py").replace("/", ".")
            running |= {n for n, (name, _) in enumerate(self.tests) if dotted in _text(name.partition("::")[0])}
        chosen, seconds = [], 0.0
        for name, takes in (self.tests[test] for test in sorted(running)):
            if seconds + takes <= LONGEST or not chosen:
                chosen.append(name)
                seconds += takes
        return chosen


@cache
def _text(file: str) -> str:
    path = ROOT / file
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def digest() -> str:
    """Of all code and tests."""
    files = (path for room in ("rocecfg", "tests") for path in sorted((ROOT / room).rglob("*.py")))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def mark(tree: ast.Module, first: int) -> list[tuple[int, int]]:
    """Have each function of a module say that it runs, by numbers from `first` on; the lines of each."""
    lines = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            says = ast.Expr(ast.Call(ast.Name("_reached", ast.Load()), [ast.Constant(first + len(lines))], []))
            node.body.insert(int(ast.get_docstring(node) is not None), says)
            lines.append((node.lineno, node.end_lineno or node.lineno))
    return lines


def measure() -> Reach:
    """Run all tests on a copy of the checkout whose functions say that they run."""
    found: dict[str, list[tuple[int, int, list[int]]]] = {}
    functions: list[list[int]] = []
    with tempfile.TemporaryDirectory() as folder:
        checkout, told = copied(Path(folder)), Path(folder) / "told"
        told.mkdir()
        for module in modules_below(["rocecfg"]):
            tree = ast.parse((checkout / module).read_text(encoding="utf-8"))
            lines = mark(tree, len(functions))
            functions += [[] for _ in lines]
            found[module] = [(a, b, tests) for (a, b), tests in zip(lines, functions[-len(lines) :], strict=False)]
            if module == "rocecfg/__init__.py":
                after = next(n for n, node in enumerate(tree.body) if not _is_first(node))
                tree.body[after:after] = ast.parse(_AT_START).body
            (checkout / module).write_text(ast.unparse(ast.fix_missing_locations(tree)) + "\n", encoding="utf-8")
        _pass((), checkout, reach=told)
        seconds: dict[str, float] = defaultdict(float)
        ran: dict[str, set[int]] = defaultdict(set)
        for file in told.iterdir():
            for line in file.read_text(encoding="utf-8").splitlines():
                test, numbers, took = json.loads(line)
                name = test.partition("[")[0]
                if "::" in name and not name.startswith(_OF_THE_TEXT):
                    ran[name].update(numbers)
                    seconds[name] += took
    tests = sorted(ran, key=lambda name: (len(ran[name]), name))
    for number, name in enumerate(tests):
        for function in ran[name]:
            functions[function].append(number)
    return Reach([(name, seconds[name]) for name in tests], found, digest())


def _is_first(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) or (isinstance(node, ast.ImportFrom) and node.module == "__future__")


def reach(kept: Path | None) -> Reach:
    """What was measured before, where it is of this code; else measured, and kept."""
    with suppress(OSError, ValueError, TypeError):
        before = Reach(**json.loads((kept or Path(os.devnull)).read_text(encoding="utf-8")))
        if before.of == digest():
            return before
    sys.stderr.write("measuring which tests run which function: one run of all tests\n")
    found = measure()
    if kept is not None:
        kept.write_text(json.dumps(found._asdict()), encoding="utf-8")
    return found


class _Telling:
    """Has pytest's own process tell, after each test, what functions it ran and how long it took."""

    seconds = 0.0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds += report.duration

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        tell: Callable[[str, float], None] = getattr(builtins, "_tell", lambda *_: None)
        tell("between tests", 0)
        self.seconds = 0.0
        result = yield
        getattr(builtins, "_tell", lambda *_: None)(item.nodeid, self.seconds)
        return result


def copied(folder: Path) -> Path:
    """A copy of the checkout."""
    copy = folder / "rocecfg"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".git", ".hypothesis", "__pycache__"))
    return copy


def modules_below(named: Iterable[str]) -> list[str]:
    """The modules of rocecfg at or below some paths, without the generated index of rules."""
    paths = (
        path
        for name in named
        for path in ([ROOT / name] if name.endswith(".py") else sorted((ROOT / name).rglob("*.py")))
    )
    return [name for path in paths if (name := path.relative_to(ROOT).as_posix()) != "rocecfg/rules/index.py"]


# -- mutants -----------------------------------------------------------------------------------------------------------

_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


class Mutant(NamedTuple):
    """One change of a module."""

    module: str
    line: int
    what: str
    text: str  # of the module


def count(module: str) -> int:
    """How many mutants a module has."""
    return len(list(_places(ast.parse((ROOT / module).read_text(encoding="utf-8")))))


def mutant(module: str, number: int) -> Mutant:
    """One mutant of a module. Words of messages, types and docstrings are left alone: no behaviour hangs on them."""
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    line, what, make = list(_places(tree))[number]
    make()
    return Mutant(module, line, what, ast.unparse(tree))


_Place = tuple[int, str, Callable[[], None]]


def _places(tree: ast.Module) -> Iterator[_Place]:
    for node in ast.walk(tree):
        for body in (getattr(node, field, None) for field in ("body", "orelse")):
            if isinstance(body, list) and not isinstance(node, (ast.Module, ast.ClassDef)):
                yield from _statements(body)
        if isinstance(node, ast.Compare):
            yield node.lineno, f"{ast.unparse(node)}: turned", _turn(node)
        elif isinstance(node, ast.BoolOp):
            yield node.lineno, f"{ast.unparse(node)}: and/or", _swap(node)
        elif isinstance(node, (ast.If, ast.IfExp, ast.While)):
            yield node.test.lineno, f"if {ast.unparse(node.test)}: negated", _negate(node)
        elif isinstance(node, ast.comprehension):
            yield from ((test.lineno, f"{ast.unparse(test)}: dropped", _drop(node.ifs, test)) for test in node.ifs)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Module)):
            yield from _constants(node)


def _statements(body: list[ast.stmt]) -> Iterator[_Place]:
    for statement in body:
        call = isinstance(statement, ast.Expr) and not isinstance(statement.value, ast.Constant)
        if call or isinstance(statement, (ast.AugAssign, ast.Continue, ast.Break, ast.Delete)):
            yield statement.lineno, f"{ast.unparse(statement)}: dropped", _drop(body, statement)


def _constants(scope: ast.FunctionDef | ast.ClassDef | ast.Module) -> Iterator[_Place]:
    own = [node for node in scope.body if not isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    spared = {id(part) for node in own for part in _spared(node)}
    for statement in own:
        for node in ast.walk(statement):
            if isinstance(node, ast.Constant) and id(node) not in spared:
                other = _other(node.value)
                if other is not None:
                    yield node.lineno, f"{node.value!r} -> {other!r} in {_near(statement)}", _set(node, other)


def _spared(statement: ast.stmt) -> Iterator[ast.AST]:
    """Docstrings, annotations, the texts of messages, and the names of `__all__`."""
    if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "__all__":
        yield from ast.walk(statement)
    for node in ast.walk(statement):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value
        for part in (getattr(node, "annotation", None), node if isinstance(node, ast.JoinedStr) else None):
            if isinstance(part, ast.AST):
                yield from ast.walk(part)


def _other(value: object) -> object:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str) and value and " " not in value:
        return f"{value}x"
    return None


def _near(statement: ast.stmt) -> str:
    return ast.unparse(statement).partition("\n")[0][:80]


def _turn(node: ast.Compare) -> Callable[[], None]:
    def make() -> None:
        node.ops[0] = _TURNED[type(node.ops[0])]()

    return make


def _swap(node: ast.BoolOp) -> Callable[[], None]:
    def make() -> None:
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()

    return make


def _negate(node: ast.If | ast.IfExp | ast.While) -> Callable[[], None]:
    def make() -> None:
        node.test = ast.UnaryOp(ast.Not(), node.test)

    return make


def _drop(siblings: list[ast.stmt] | list[ast.expr], node: ast.AST) -> Callable[[], None]:
    def make() -> None:
        at = next(n for n, each in enumerate(siblings) if each is node)
        if isinstance(node, ast.stmt):
            siblings[at] = ast.Pass()  # type: ignore[call-overload]
        else:
            siblings[at] = ast.Constant(value=True)  # type: ignore[call-overload]

    return make


def _set(node: ast.Constant, other: object) -> Callable[[], None]:
    def make() -> None:
        node.value = other  # type: ignore[assignment]

    return make


def survives(made: Mutant, tests: Iterable[str], checkout: Path, *, every: bool = False) -> bool:
    """Whether tests pass with a mutant in a copy of the checkout.

    `every`: those that draw or take a part of their cases, with all of them.
    """
    path = checkout / made.module
    original = path.read_bytes()
    path.write_text(made.text, encoding="utf-8")
    try:
        tests = [test for test in tests if not every or _draws(test.partition("::")[0])]
        return not tests or _pass(tests, checkout, made.module, every=every)
    finally:
        path.write_bytes(original)


def _draws(file: str) -> bool:
    """Whether tests of a file draw examples or take a part of their cases."""
    return _SAMPLED.search((ROOT / file).read_text(encoding="utf-8")) is not None


def _pass(
    tests: Iterable[str], checkout: Path, changed: str = "", *, every: bool = False, reach: Path | None = None
) -> bool:
    """Whether tests pass in a copy of the checkout: in a fork, which has its libraries and nothing of rocecfg's.

    `changed`: the path that the sweeps take as changed. `reach`: all tests run, and tell in that folder what they ran.
    """
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.setpgid(0, 0)
            nothing = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nothing, 1)
            os.dup2(nothing, 2)
            os.chdir(checkout)
            os.environ |= {"PYTHONPATH": str(checkout), "ROCECFG_SEED": "0", "ROCECFG_CHANGED": changed}
            sys.path[:] = [str(checkout), *(each for each in sys.path if Path(each or ".").resolve() not in _OWN)]
            sys.dont_write_bytecode = True
            plain = (
                "-q",
                "-p",
                "no:cacheprovider",
                "-p",
                "no:xdist",
                "-W",
                "ignore::pytest.PytestAssertRewriteWarning",
            )
            if reach is None:
                signal.alarm(HANG)
                status = int(pytest.main(["-x", *(["--all"] if every else []), *plain, *tests]))
            else:
                os.environ["ROCECFG_REACH"] = str(reach)
                status = int(pytest.main([*plain, *tests], plugins=[_Telling()]))
        finally:
            os._exit(status)
    outcome = os.waitpid(child, 0)[1]
    with suppress(OSError):
        os.killpg(child, signal.SIGKILL)  # what it started
    return outcome in (0, int(pytest.ExitCode.NO_TESTS_COLLECTED) << 8)


def main() -> int:
    """Run a sample; print the survivors as a table, and exit with 1 where more than one in ten survives."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", default=["rocecfg"], metavar="PATH", help="modules or rooms of rocecfg")
    parser.add_argument("--reach", type=Path, metavar="FILE", help="keeps which tests run which function")
    parser.add_argument("--sample", type=int, default=80, help="how many mutants, of all modules together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--all", action="store_true", help="what survives a usual run is tried with every case, too")
    words = parser.parse_args()
    every = [(module, number) for module in modules_below(words.modules) for number in range(count(module))]
    sample = random.Random(words.seed).sample(every, min(words.sample, len(every)))  # noqa: S311 - no secret
    measured = reach(words.reach)
    alive: list[Mutant] = []
    with tempfile.TemporaryDirectory() as folder:
        free: SimpleQueue[Path] = SimpleQueue()
        for n in range(words.jobs):
            free.put(copied(Path(folder) / str(n)))

        def tried(which: tuple[str, int]) -> tuple[Mutant, str]:
            checkout, made = free.get(), mutant(*which)
            tests = measured.of_line(made.module, made.line)
            try:
                if not survives(made, tests, checkout):
                    return made, "."
                return made, "s" if words.all and not survives(made, tests, checkout, every=True) else "S"
            finally:
                free.put(checkout)

        with ThreadPoolExecutor(words.jobs) as pool:
            for made, outcome in pool.map(tried, sample):
                sys.stderr.write(outcome)
                sys.stderr.flush()
                if outcome != ".":
                    alive.append(made)
                    more = " (killed with --all)" if outcome == "s" else ""
                    sys.stdout.write(f"{made.module}:{made.line}: {made.what}{more}\n")
                    sys.stdout.flush()
    sys.stdout.write(f"{len(alive)} of {len(sample)} survive ({len(every)} in all, seed {words.seed})\n")
    return int(len(alive) * 10 > len(sample))


if __name__ == "__main__":
    sys.exit(main())
