"""Fixtures all tests share. Conformance tests need validators: see conformance.py."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from conformance import SonicYang, lacking, shared_folder, sonic_models, validator
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

ROOT = Path(__file__).resolve().parent.parent

# Other work may run beside the tests: how long an example takes tells nothing.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")
# Examples are a test's own: without this they hold constants of whatever modules other tests have loaded.
providers.is_local_module_file = lambda _: False


@cache
def _slow() -> frozenset[str]:
    """What slow.txt names: whole files, and functions of them."""
    lines = (ROOT / "tests" / "slow.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """The quick set does not even load files that are slow as a whole."""
    quick = config.getoption("markexpr") == "not slow" and collection_path.suffix == ".py"
    return True if quick and collection_path.relative_to(ROOT).as_posix() in _slow() else None


@pytest.hookimpl(tryfirst=True)  # before `-m` looks at the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the slow tests."""
    slow = _slow()
    for item in items:
        name = item.nodeid.partition("[")[0]
        file = item.path.relative_to(ROOT).as_posix()
        if file in slow or f"{file}::{name.rpartition('::')[2]}" in slow:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with samples, data and SONiC's models; ROCECFG_SHARED names it. Skipped, or failing, without it."""
    folder = shared_folder()
    if not (folder / "tools").is_dir():
        lacking(f"no samples and data at {folder}: set ROCECFG_SHARED to the folder that holds tools/ and samples/")
    return folder


@pytest.fixture(scope="session")
def nvue_validator(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A script that judges NVUE: `--version RELEASE FILE...`."""
    return validator("nvue", tmp_path_factory.mktemp("validators"))


@pytest.fixture(scope="session")
def eos_validator(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A script that judges EOS: `--strict --platform FAMILY FILE...`."""
    return validator("eos", tmp_path_factory.mktemp("validators"))


@pytest.fixture(scope="session")
def junos_validator(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A script that judges Junos: `--strict --release RELEASE FILE...`."""
    return validator("junos", tmp_path_factory.mktemp("validators"))


@pytest.fixture(scope="session")
def sonic_yang(tmp_path_factory: pytest.TempPathFactory) -> SonicYang:
    """A script that judges CONFIG_DB by SONiC's models: `--models DIR/RELEASE FILE...`, and the folder of models."""
    return SonicYang(validator("sonic", tmp_path_factory.mktemp("validators")), sonic_models())
