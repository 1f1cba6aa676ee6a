"""Fixtures all tests share. Conformance tests need the validators; see `shared` below."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent

# Other work may run beside the tests: how long an example takes tells nothing.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


@pytest.hookimpl(tryfirst=True)  # before `-m` looks at the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the tests that slow.txt names: whole files, or functions of them."""
    lines = (ROOT / "tests" / "slow.txt").read_text(encoding="utf-8").splitlines()
    slow = {line for line in lines if line and not line.startswith("#")}
    for item in items:
        name = item.nodeid.partition("[")[0]
        file = item.path.relative_to(ROOT).as_posix()
        if file in slow or f"{file}::{name.rpartition('::')[2]}" in slow:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with the validators and the SONiC YANG models.

    Point ROCECFG_SHARED at it: it holds `tools/validate-sonic`, `tools/validate-nvue`, `tools/validate-eos` and
    `sonic-yang/RELEASE/`. Without it these tests are skipped; with ROCECFG_REQUIRE_CONFORMANCE=1 they fail.
    """
    named = os.environ.get("ROCECFG_SHARED")
    folder = Path(named) if named else ROOT.parent / "shared"
    if (folder / "tools").is_dir():
        return folder
    word = f"no validators at {folder}: set ROCECFG_SHARED to the folder that holds tools/ and sonic-yang/"
    if os.environ.get("ROCECFG_REQUIRE_CONFORMANCE") == "1":
        pytest.fail(word)
    pytest.skip(word)
