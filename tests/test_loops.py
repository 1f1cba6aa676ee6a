"""A loop of cases finds what as many tests find."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest
from loops import loop


def test_every_wrong_case_is_named_and_the_others_are_tried(tmp_path: Path) -> None:
    tried = []

    @loop(("name", "number"), [("a", 1), ("b", 2), ("c", 3), ("d", 4)])
    def check(name: str, number: int, tmp_path: Path) -> None:
        tried.append(name)
        (tmp_path / "own").mkdir()
        if name == "d":
            with pytest.raises(ValueError, match="x"):
                int("5")
        assert number % 2

    assert list(inspect.signature(check).parameters) == ["tmp_path"]
    with pytest.raises(pytest.fail.Exception) as failed:
        check(tmp_path=tmp_path)
    assert tried == ["a", "b", "c", "d"]
    head, *wrong = str(failed.value).splitlines()
    assert head == "2 of 4 cases are wrong:"
    assert [line.split(": ")[::2] for line in wrong if line.startswith("(")] == [
        ["('b', 2)", "AssertionError", "assert (2 % 2)"][:2],
        ["('d', 4)", "Failed"],
    ]


def test_no_case_is_no_test() -> None:
    with pytest.raises(AssertionError):
        loop("name", [])
