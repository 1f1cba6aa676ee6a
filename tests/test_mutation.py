"""What tests/mutation.py tries a mutant with: the tests that run its function."""

from __future__ import annotations

import ast
import builtins

import pytest
from mutation import LONGEST, Reach, count, mark, modules_below, mutant

SOURCE = '''
def outer(n):
    """Its docstring stays first."""
    def inner():
        return 1
    return inner() if n else 0
'''


def test_each_function_says_that_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[int] = []
    monkeypatch.setattr(builtins, "_reached", ran.append, raising=False)
    tree = ast.parse(SOURCE)
    assert mark(tree, 7) == [(2, 6), (4, 5)]
    names: dict[str, object] = {}
    exec(compile(ast.fix_missing_locations(tree), "marked", "exec"), names)  # noqa: S102 - the text above
    outer = names["outer"]
    assert callable(outer)
    assert outer.__doc__ == "Its docstring stays first."
    assert (outer(0), ran) == (0, [7])
    assert (outer(1), ran) == (1, [7, 7, 8])


def test_a_mutant_is_tried_with_the_tests_of_its_function() -> None:
    tests = [("narrow", 1.0), ("wide", 2.0), ("beside", 1.0), ("endless", LONGEST)]
    measured = Reach(tests, {"a.py": [(2, 6, [1, 2, 3]), (4, 5, [0, 1])]}, "")
    assert measured.of_line("a.py", 5) == ["narrow", "wide"]
    assert measured.of_line("a.py", 6) == ["wide", "beside"], "one that takes too long beside others is left out"
    assert measured.of_line("a.py", 9) == ["narrow", "wide", "beside"], "a constant of the module is any function's"
    assert measured.of_line("b.py", 1) == []


def test_a_mutant_of_a_constant_is_tried_with_the_tests_that_import_it() -> None:
    tests = [
        ("tests/drift/test_drift_breaks.py::test_every_rule_named_exists", 1.0),
        ("tests/test_units.py::test_x", 1.0),
    ]
    measured = Reach(tests, {"rocecfg/drift/impact.py": [(50, 60, [])]}, "")
    assert measured.of_line("rocecfg/drift/impact.py", 20) == [tests[0][0]]


def test_a_mutant_differs_in_one_place() -> None:
    (module,) = modules_below(["rocecfg/model/compare.py"])
    made = [mutant(module, number) for number in range(0, count(module), 25)]
    assert len({each.text for each in made}) == len(made) > 2
    assert module in modules_below(["rocecfg"])
