"""Every way to install rocecfg finds its templates, profiles and rule pages; nothing here needs a network."""

from __future__ import annotations

import filecmp
import shutil
import site
import sys
import sysconfig
import tarfile
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from checkout import ROOT, clean_environment, copy_project, run

import rocecfg

PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")
OFFLINE = ("--no-deps", "--no-index", "--no-build-isolation")
EXAMPLE = ROOT / "examples" / "converged"  # all three vendors, and a platform of each
DATA = ("templates", "profiles")
PAGES = "rocecfg/rules/pages"

Rocecfg = Callable[..., str]


def _files(root: Path, *folders: str) -> set[str]:
    found = (p for folder in folders for p in (root / folder).rglob("*") if p.is_file())
    return {p.relative_to(root).as_posix() for p in found if "__pycache__" not in p.parts}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_project(tmp_path_factory.mktemp("project") / "rocecfg-copy")


@pytest.fixture(scope="module")
def built(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the sdist."""
    out = tmp_path_factory.mktemp("dist")
    build = ("build", "--target", "sdist", "--target", "wheel", "--directory", out)
    run(sys.executable, "-m", "hatchling", *build, cwd=project, env=clean_environment())
    return out


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    return built / f"rocecfg-{rocecfg.__version__}-py3-none-any.whl"


@pytest.fixture(scope="module")
def sdist(built: Path) -> Path:
    return built / f"rocecfg-{rocecfg.__version__}.tar.gz"


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the bare checkout renders."""
    folder = tmp_path_factory.mktemp("bare")
    shutil.copytree(EXAMPLE, folder / "fabric")
    _importing_from(ROOT, folder)("render", "fabric", "--vendor", "all", "-o", "rendered")
    return folder / "rendered"


def _importing_from(folder: Path, cwd: Path) -> Rocecfg:
    """`python -m rocecfg` in `cwd` with `folder` as the only place that is added to the path."""
    env = clean_environment(PYTHONPATH=str(folder))
    at = run(sys.executable, "-c", "import rocecfg; print(rocecfg.__file__)", cwd=cwd, env=env).stdout
    assert at == f"{folder / 'rocecfg' / '__init__.py'}\n"
    return lambda *arguments: run(sys.executable, "-m", "rocecfg", *arguments, cwd=cwd, env=env).stdout


def _check(installed: Rocecfg, cwd: Path, bare: Path) -> None:
    """What needs a template, a profile or a page works, and gives what the bare checkout gives."""
    shutil.copytree(EXAMPLE, cwd / "fabric")
    assert installed("explain", "pfc-count") == (ROOT / PAGES / "pfc-count.md").read_text(encoding="utf-8")
    known = set(installed("profiles").replace(":", " ").split())
    assert {p.stem for kind in ("asics", "platforms") for p in (ROOT / "profiles" / kind).iterdir()} <= known
    installed("render", "fabric", "--vendor", "all", "-o", "installed")
    names = sorted(p.name for p in bare.iterdir())
    assert len(names) >= 3
    same, different, trouble = filecmp.cmpfiles(bare, cwd / "installed", names, shallow=False)
    assert (sorted(same), different, trouble) == (names, [], [])


def test_wheel_holds_all_data(wheel: Path, project: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {n for n in archive.namelist() if not n.endswith("/")}
    assert {n for n in names if n.startswith("rocecfg/_data/")} == {
        f"rocecfg/_data/{n}" for n in _files(project, *DATA)
    }
    assert {n for n in names if n.startswith("rocecfg/") and "/_data/" not in n} == _files(project, "rocecfg")
    assert f"{PAGES}/pfc-count.md" in names
    assert "rocecfg/py.typed" in names
    about = f"rocecfg-{rocecfg.__version__}.dist-info"
    assert {n for n in names if not n.startswith("rocecfg/")} == {
        f"{about}/{n}" for n in ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE")
    }


def test_sdist_holds_the_project(sdist: Path, project: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {m.name.partition("/")[2] for m in archive.getmembers() if m.isfile()}
    assert names - {"PKG-INFO"} == _files(project, ".")


def test_bare_checkout_works(bare: Path, tmp_path: Path) -> None:
    _check(_importing_from(ROOT, tmp_path), tmp_path, bare)


def test_wheel_works(wheel: Path, bare: Path, tmp_path: Path) -> None:
    target = tmp_path / "site"
    run(*PIP, "install", *OFFLINE, "--target", target, wheel, cwd=tmp_path, env=clean_environment())
    _check(_importing_from(target, tmp_path), tmp_path, bare)


def test_sdist_works(sdist: Path, bare: Path, tmp_path: Path) -> None:
    target = tmp_path / "site"
    run(*PIP, "install", *OFFLINE, "--target", target, sdist, cwd=tmp_path, env=clean_environment())
    _check(_importing_from(target, tmp_path), tmp_path, bare)


def test_editable_install_follows_the_checkout(bare: Path, tmp_path: Path) -> None:
    project = copy_project(tmp_path / "checkout")
    venv.create(tmp_path / "venv", with_pip=False)
    python = tmp_path / "venv" / "bin" / "python"
    env = clean_environment()
    # pip, hatchling and the dependencies come from the environment of the tests, searched last
    here = dict.fromkeys([*site.getsitepackages(), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")])
    inside = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=tmp_path, env=env).stdout
    (Path(inside.strip()) / "zz-tests.pth").write_text("\n".join(here) + "\n", encoding="utf-8")
    run(python, *PIP[1:], "install", *OFFLINE, "--editable", project, cwd=tmp_path, env=env)

    at = run(python, "-c", "import rocecfg; print(rocecfg.__file__)", cwd=tmp_path, env=env).stdout
    assert at == f"{project / 'rocecfg' / '__init__.py'}\n"
    script = tmp_path / "venv" / "bin" / "rocecfg"
    _check(lambda *arguments: run(script, *arguments, cwd=tmp_path, env=env).stdout, tmp_path, bare)

    asics = project / "profiles" / "asics"
    shutil.copy(asics / "tomahawk5.yaml", asics / "just-added.yaml")
    assert "just-added" in run(script, "profiles", cwd=tmp_path, env=env).stdout.split()
