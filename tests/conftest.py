"""Fixtures all tests share. Conformance tests need validators: see conformance.py."""

from __future__ import annotations

import gc
import importlib
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import kept_runs
import pytest
import sampling
from conformance import SonicYang, lacking, shared_folder, sonic_models, validator
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

# Other work may run beside the tests: how long an example takes tells nothing. Examples are the same in every run.
settings.register_profile(
    "same", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True, database=None
)
settings.load_profile("same")
# Examples are a test's own: without this they hold constants of whatever modules other tests have loaded.
providers.is_local_module_file = lambda _: False
LEAST = 20  # examples of a property


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="run every case of the large sweeps (tests/sampling.py)")


def pytest_configure(config: pytest.Config) -> None:
    sampling.everything = config.getoption("--all")
    if kept_runs.FOLDER not in os.environ:  # workers have it from the process that starts them
        folder = tempfile.TemporaryDirectory(prefix="rocecfg-runs-")
        os.environ[kept_runs.FOLDER] = folder.name
        config.add_cleanup(folder.cleanup)
        config.add_cleanup(lambda: os.environ.pop(kept_runs.FOLDER))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """The tests of a file run in one process: what they have in common is made once."""
    from xdist.scheduler import LoadFileScheduling

    return LoadFileScheduling(config, log)


def pytest_report_header() -> str:
    """How to have the same cases again."""
    if sampling.everything:
        return "sweeps: every case"
    return f"sweeps: one case in {sampling.SHARE}, by ROCECFG_SEED={sampling.seed()}; every case with --all"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what only a whole run takes, and has properties try fewer examples."""
    if not sampling.everything:
        taken = {id(item) for item in _sample(items)}
        config.hook.pytest_deselected(items=[item for item in items if id(item) not in taken])
        items[:] = [item for item in items if id(item) in taken]


def _sample(items: list[pytest.Item]) -> Iterator[pytest.Item]:
    """The tests that a run takes; of sweeps those that are drawn."""
    sweeps: dict[str, list[pytest.Item]] = {}
    for item in items:
        mark = item.get_closest_marker("sweep")
        if mark is not None:
            sweeps.setdefault(item.nodeid.partition("[")[0], []).append(item)
        elif not item.get_closest_marker("nightly"):
            yield item
        _try_fewer(item)
    for cases in sweeps.values():
        for item in sampling.part(cases, *cases[0].get_closest_marker("sweep").args):
            if not item.get_closest_marker("nightly"):
                yield item


def pytest_collection_finish() -> None:
    """What is collected stays to the end: the search for garbage need not look at it again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)


def pytest_sessionfinish() -> None:
    """pytest ends with five searches of all there is; one finds what tests have left, as well."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Every second worker loads tests from the end, up to those that another has loaded.

    pytest rewrites the asserts of a module when it is first loaded, and keeps what it made. In a new checkout that is
    half of the time until the first test, and workers that load in one order would all do all of it.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0")
    if int(worker.removeprefix("gw")) % 2 == 0 or sys.dont_write_bytecode:
        return
    for path in sorted((session.config.rootpath / "tests").rglob("test_*.py"), reverse=True):
        if path.stem not in sys.modules and any(path.parent.glob(f"__pycache__/{path.stem}.*-pytest-*.pyc")):
            break
        if str(path.parent) not in sys.path:
            sys.path.insert(0, str(path.parent))  # as pytest does
        with suppress(Exception, pytest.skip.Exception):  # pytest tells of it, when it comes there
            importlib.import_module(path.stem)


def _try_fewer(item: pytest.Item) -> None:
    """A property that tries many examples tries a third of them, unless its file is called after what changed.

    Hypothesis keeps its settings at the function.
    """
    function = getattr(getattr(item, "obj", None), "__func__", getattr(item, "obj", None))
    own = getattr(function, "_hypothesis_internal_use_settings", None)
    fewer_will_do = not sampling.is_named(f"{item.path.parent.name}/{item.path.name}")
    if own is not None and own.max_examples > LEAST and fewer_will_do and not hasattr(function, "tries_fewer"):
        fewer = settings(own, max_examples=max(LEAST, own.max_examples // sampling.OF_EXAMPLES))
        function._hypothesis_internal_use_settings = fewer  # noqa: SLF001 - it offers no other way
        function.tries_fewer = True


@pytest.fixture
def kept_simulations(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the test's own process simulates is kept as what commands do: see kept_runs.py."""
    users = [importlib.import_module(name) for name in kept_runs.USERS]
    users += [request.module] if hasattr(request.module, "simulate") else []
    kept_runs.use(users, Path(os.environ[kept_runs.FOLDER]), monkeypatch.setattr)


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
