"""Many small cases in one test: collected and reported once, and every wrong case is named."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import pytest

Check = Callable[..., None]


def loop(
    names: str | tuple[str, ...], cases: Iterable[Any], ids: Callable[[Any], object] = repr
) -> Callable[[Check], Check]:
    """As `pytest.mark.parametrize`, but one test, which tries all cases and fails with those that are wrong.

    Each case has a `tmp_path` of its own; other fixtures are those of the test.
    """
    known = (names,) if isinstance(names, str) else names
    rows = list(cases)
    assert rows

    def decorate(check: Check) -> Check:
        @wraps(check)
        def try_all(**fixtures: Any) -> None:
            wrong, folder = [], fixtures.get("tmp_path")
            for number, row in enumerate(rows):
                if folder is not None:
                    fixtures["tmp_path"] = folder / str(number)
                    fixtures["tmp_path"].mkdir()
                values = (row,) if isinstance(names, str) else row
                try:
                    check(**dict(zip(known, values, strict=True)), **fixtures)
                except (Exception, pytest.fail.Exception) as failed:  # noqa: BLE001 - told below
                    line = traceback.extract_tb(failed.__traceback__)[1].lineno
                    wrong.append(f"{str(ids(row))[:300]}: line {line}: {type(failed).__name__}: {failed}")
            if wrong:
                pytest.fail("\n".join([f"{len(wrong)} of {len(rows)} cases are wrong:", *wrong]), pytrace=False)

        stated = inspect.signature(check)
        fixtures = [parameter for name, parameter in stated.parameters.items() if name not in known]
        try_all.__signature__ = stated.replace(parameters=fixtures)  # type: ignore[attr-defined]
        return try_all

    return decorate
