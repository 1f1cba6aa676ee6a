"""No test measures time: on a loaded machine it would fail for what other work does. `benchmarks/` measures."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from checkout import ROOT
from hypothesis import settings

LEAST = 60  # seconds before a test gives something up
WAITING = frozenset(("communicate", "join", "wait", "wait_for"))
CLOCKS = frozenset(("monotonic", "perf_counter", "process_time", "thread_time", "time"))


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


def _measured(nodes: list[ast.AST]) -> Iterator[ast.expr]:
    """Differences of two readings of a clock."""
    for node in nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and isinstance(node.left, ast.Call):
            read = node.left.func
            if isinstance(read, ast.Attribute) and read.attr in CLOCKS and ast.unparse(read.value) == "time":
                yield node


def test_no_test_measures_time_or_gives_up_soon() -> None:
    found = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        nodes = list(ast.walk(tree))
        wrong = (*_short(tree, nodes), *_deadlines(nodes), *_measured(nodes))
        found += [f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}" for node in wrong]
    assert found == []


def test_examples_have_no_deadline() -> None:
    assert settings().deadline is None
