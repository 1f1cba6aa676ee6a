"""Mutants of rocecfg: those that no test kills are shown. Not part of CI.

    python tests/mutation.py                       # a sample of what plans changes, compares and finds deadlocks
    python tests/mutation.py --rooms --jobs 2      # a sample of the rooms that read, judge, compare and write
    python tests/mutation.py --sample 20 --seed 7 rocecfg/model/compare.py

With `--all` what survives is tried once more, by the large sweeps and properties with every case (tests/sampling.py):
what they kill is what a usual run lets through.

A mutant is one change of the syntax tree: a comparison turned, a condition negated, `and` for `or`, another number or
word, a statement dropped. Each is written to a copy of the checkout, where its tests run until the first that fails.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

import hypothesis  # noqa: F401 - what every run needs is loaded once
import pytest
import yaml  # noqa: F401

ROOT = Path(__file__).resolve().parent.parent
_OWN = (ROOT, ROOT / "tests")
HANG = 600  # seconds; a mutant that takes longer is killed by that
_SLOW = ("whatever", "headroom_too", "patch_form", "any_change", "steps_lead", "takes_every", "taken_by", "_takes_the_")
QUICK = " and ".join(f"not {each}" for each in _SLOW)  # hypothesis and validators take most of the time, and kill few
_CHANGE = (
    "tests/vendors/test_sonic_planner.py",
    "tests/vendors/test_sonic_patch.py",
    "tests/drift/test_drift_compare.py",
    "tests/drift/test_drift_sonic_ports.py",
    "tests/drift/test_drift_sonic_order.py",
    "tests/drift/test_drift_port_maps.py",
    "tests/vendors/test_trimming.py::test_a_queue_without_a_profile_is_told",
)
_COMPARE = (
    "tests/drift/test_gaps.py",
    "tests/drift/test_drift_compare.py",
    "tests/drift/test_drift_marks.py",
    "tests/drift/test_drift_dcbx.py",
    "tests/drift/test_drift_sonic_ports.py",
)
_NVUE = (
    "tests/vendors/test_spectrum_change_back.py",
    "tests/drift/test_drift_spectrum.py",
    "tests/drift/test_drift_port_maps.py",
    "tests/vendors/test_spectrum_change.py",
    "tests/vendors/test_load_balancing.py::test_drift_names_what_differs_and_the_change",
    "tests/vendors/test_load_balancing.py::test_a_hash_alone_is_meant_by_ecmp",
    "tests/vendors/test_trimming.py::test_off_is_turned_off_at_the_switch",
    "tests/vendors/test_trimming.py::test_drift_names_what_differs_and_the_change",
    "tests/vendors/test_trimming.py::test_of_nvue_the_size_alone_is_changed_where_it_alone_differs",
)
_JUNOS = (
    "tests/vendors/test_junos_change_back.py",
    "tests/vendors/test_junos_change.py",
    "tests/vendors/test_load_balancing.py::test_junos_changes_what_is_hashed",
    "tests/vendors/test_load_balancing.py::test_junos_turns_dynamic_balancing_off",
    "tests/vendors/test_load_balancing.py::test_junos_changes_one_way_for_the_other",
)
_EOS = (
    "tests/vendors/test_arista_change_back.py",
    "tests/drift/test_drift_arista.py",
    "tests/vendors/test_arista_change.py",
    "tests/drift/test_drift_dcbx.py",
    "tests/vendors/test_load_balancing.py::test_drift_of_eos",
)
_TWO = ("tests/drift/test_two_configurations.py", "tests/drift/test_drift_two_configurations.py")
TARGETS = {  # module -> the tests that hold it, the quickest first
    **{f"rocecfg/vendors/sonic/change/{name}.py": _CHANGE for name in ("settings", "steps", "held", "safe")},
    **{f"rocecfg/vendors/sonic/change/{name}.py": _CHANGE for name in ("difference", "tables", "written", "__init__")},
    **{f"rocecfg/vendors/spectrum/change/{name}.py": _NVUE for name in ("leaves", "steps", "target")},
    **{f"rocecfg/vendors/arista/change/{name}.py": _EOS for name in ("steps", "target", "tree")},
    **{f"rocecfg/vendors/junos/change/{name}.py": _JUNOS for name in ("config", "steps", "target")},
    "rocecfg/model/compare.py": _COMPARE,
    "rocecfg/drift/configurations.py": _TWO,
    "rocecfg/analysis/deadlock.py": ("tests/topology/test_deadlock.py", "tests/topology/test_routes.py"),
}


def _named(text: str, readers: str, writers: str) -> tuple[str, ...]:
    """Tests of a vendor by what their names end with."""
    found = [f"tests/readers/test_{text}_{name}.py" for name in readers.split()]
    return (*found, *(f"tests/vendors/test_{name}.py" for name in writers.split()))


_PAGES = "tests/test_rule_pages.py"
ROOMS = {  # what a module's path begins with -> tests that hold it, the large sweeps among them; TARGETS come first
    "rocecfg/vendors/sonic/": _named(
        "sonic", "round_trip pitfalls one_fault port_maps every_field", "sonic_writer sonic_refusals sonic_properties"
    ),
    "rocecfg/vendors/spectrum/": _named(
        "nvue",
        "round_trip findings one_fault many_commands coverage",
        "spectrum_writer spectrum_refusals spectrum_property",
    ),
    "rocecfg/vendors/arista/": _named(
        "eos", "round_trip findings one_fault lines coverage", "arista_writer arista_refusals arista_property"
    ),
    "rocecfg/vendors/junos/": _named("junos", "round_trip reader coverage", "junos_writer junos_change"),
    "rocecfg/rules/": (_PAGES, "tests/rules", "tests/test_lint_properties.py"),
    "rocecfg/drift/": ("tests/drift",),
    "rocecfg/model/": (_PAGES, "tests/test_resolve.py", "tests/test_lanes.py", "tests/drift"),
    "rocecfg/intent/": (
        "tests/test_read.py",
        "tests/test_resolve.py",
        "tests/test_schema.py",
        _PAGES,
        "tests/test_shapes.py",
    ),
    "rocecfg/source/": ("tests/source", "tests/test_yaml.py", "tests/test_fixes.py", "tests/test_bad_input.py"),
}
_SAMPLED = re.compile(r"^(?:from|import) (?:hypothesis|sampling|changed_configurations)\b", re.MULTILINE)


def sampled(tests: Iterable[str]) -> tuple[str, ...]:
    """The files among tests that draw examples or take a part of their cases."""
    named = (ROOT / test.partition("::")[0] for test in tests)
    files = (file for path in named for file in (sorted(path.rglob("test_*.py")) if path.is_dir() else [path]))
    drawing = (file for file in files if _SAMPLED.search(file.read_text(encoding="utf-8")))
    return tuple(dict.fromkeys(file.relative_to(ROOT).as_posix() for file in drawing))


def tests_of(module: str) -> tuple[str, ...]:
    """The tests that hold a module."""
    return TARGETS.get(module) or next(tests for room, tests in ROOMS.items() if module.startswith(room))


def modules_of_rooms() -> list[str]:
    """The modules of the rooms, without those of rules' generated index."""
    every = (path.relative_to(ROOT).as_posix() for room in ROOMS for path in sorted((ROOT / room).rglob("*.py")))
    return [module for module in every if module != "rocecfg/rules/index.py"]


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


def survives(made: Mutant, checkout: Path, *, every: bool = False) -> bool:
    """Whether all tests of its module pass with a mutant in a copy of the checkout.

    `every`: those that draw or take a part of their cases, with all of them.
    """
    path = checkout / made.module
    original = path.read_bytes()
    path.write_text(made.text, encoding="utf-8")
    try:
        tests = tests_of(made.module)
        if every:
            tests = sampled(tests)
        return not tests or _pass(tests, checkout, made.module, every=every)
    finally:
        path.write_bytes(original)


def _pass(tests: Iterable[str], checkout: Path, changed: str = "", *, every: bool = False) -> bool:
    """Whether tests pass in a copy of the checkout: in a fork, which has its libraries and nothing of rocecfg's.

    `changed`: the path that the sweeps take as changed.
    """
    child = os.fork()
    if child == 0:
        status = 1
        try:
            nothing = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nothing, 1)
            os.dup2(nothing, 2)
            os.chdir(checkout)
            os.environ |= {"PYTHONPATH": str(checkout), "ROCECFG_SEED": "0", "ROCECFG_CHANGED": changed}
            sys.path[:] = [str(checkout), *(each for each in sys.path if Path(each or ".").resolve() not in _OWN)]
            sys.dont_write_bytecode = True
            signal.alarm(HANG)
            plain = ("-p", "no:cacheprovider", "-p", "no:xdist", "-W", "ignore::pytest.PytestAssertRewriteWarning")
            which = ("--all",) if every else ("-k", QUICK)
            status = int(pytest.main(["-x", "-q", *plain, *which, *tests]))
        finally:
            os._exit(status)
    return os.waitpid(child, 0)[1] == 0


def main() -> int:
    """Run a sample; print the survivors as a table, and exit with 1 where more than one in ten survives."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", default=list(TARGETS), metavar="MODULE")
    parser.add_argument("--sample", type=int, default=80, help="how many mutants, of all modules together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--rooms", action="store_true", help="modules of all rooms, not of the planners alone")
    parser.add_argument("--all", action="store_true", help="what survives a usual run is tried with every case, too")
    words = parser.parse_args()
    words.modules = modules_of_rooms() if words.rooms else words.modules
    every = [(module, number) for module in words.modules for number in range(count(module))]
    sample = random.Random(words.seed).sample(every, min(words.sample, len(every)))  # noqa: S311 - no secret
    alive: list[Mutant] = []
    with tempfile.TemporaryDirectory() as folder:
        free: SimpleQueue[Path] = SimpleQueue()
        for n in range(words.jobs):
            copy = Path(folder) / str(n) / "rocecfg"
            shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".git", ".hypothesis"))
            free.put(copy)
        for tests in {tests_of(module) for module in words.modules}:
            if not _pass(tests, copy):
                parser.error(f"{' '.join(tests)} fail without a mutant: nothing would be seen by them")

        def tried(which: tuple[str, int]) -> tuple[Mutant, str]:
            checkout, made = free.get(), mutant(*which)
            try:
                lives = survives(made, checkout)
                return made, ("s" if words.all and not survives(made, checkout, every=True) else "S") if lives else "."
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
