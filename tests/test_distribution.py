"""The wheel and the sdist: what is in them, and what they say of themselves."""

from __future__ import annotations

import email
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from checkout import ROOT, clean_environment, copy_project, run, settings

import rocecfg

NAME = f"rocecfg-{rocecfg.__version__}"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    project = copy_project(folder / "project")
    build = ("build", "--target", "sdist", "--target", "wheel", "--directory", folder)
    run(sys.executable, "-m", "hatchling", *build, cwd=project, env=clean_environment())
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> zipfile.ZipFile:
    return zipfile.ZipFile(built / f"{NAME}-py3-none-any.whl")


@pytest.fixture(scope="module")
def sdist(built: Path) -> list[str]:
    with tarfile.open(built / f"{NAME}.tar.gz") as archive:
        return [name.removeprefix(f"{NAME}/") for name in archive.getnames()]


def test_the_wheel_says_what_it_is(wheel: zipfile.ZipFile) -> None:
    about = email.message_from_bytes(wheel.read(f"{NAME}.dist-info/METADATA"))
    assert (about["Name"], about["Version"]) == ("rocecfg", rocecfg.__version__)
    assert about["Requires-Python"] == ">=3.11"
    assert about["License-Expression"] == "Apache-2.0"
    assert f"{NAME}.dist-info/licenses/LICENSE" in wheel.namelist()
    assert about["Description-Content-Type"] == "text/markdown"
    assert about.get_payload().startswith("# rocecfg")
    extras = about.get_all("Provides-Extra") or []
    assert set(extras) == set(settings()["project"]["optional-dependencies"])
    needed = [line for line in about.get_all("Requires-Dist") or [] if "extra ==" not in line]
    names = {re.split(r"[<>=!]", line)[0].lower().replace(".", "-") for line in needed}
    assert names == {"click", "jinja2", "netaddr", "pyyaml", "ruamel-yaml"}


def test_the_wheel_holds_the_package_alone(wheel: zipfile.ZipFile) -> None:
    names = wheel.namelist()
    assert {name.split("/")[0] for name in names} == {"rocecfg", f"{NAME}.dist-info"}
    assert [name for name in names if "__pycache__" in name or name.endswith((".pyc", ".orig", "~"))] == []
    assert "rocecfg/py.typed" in names
    assert len([name for name in names if name.startswith("rocecfg/rules/pages/")]) > 200
    assert [
        info.filename for info in wheel.infolist() if info.external_attr >> 16 & 0o111 and info.file_size == 0
    ] == []
    assert sum(info.compress_size for info in wheel.infolist()) < 4_000_000


def test_the_sdist_holds_what_git_tracks_and_no_more(sdist: list[str]) -> None:
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True,
        text=True,
        check=False,
        env=clean_environment(),
    )
    if listed.returncode != 0:
        pytest.skip("not in a git checkout: what is tracked is not known")
    tracked = set(listed.stdout.split("\0")) - {""}
    assert set(sdist) - tracked <= {"PKG-INFO"}
    assert tracked - set(sdist) == set()


def test_no_link_leads_out_of_the_sdist(built: Path) -> None:
    with tarfile.open(built / f"{NAME}.tar.gz") as archive:
        for member in archive.getmembers():
            assert member.isreg(), member.name
            assert member.name.startswith(f"{NAME}/")
            assert not member.mode & 0o022, f"{member.name} is writable for others"


def test_the_same_tree_gives_the_same_bytes(built: Path, tmp_path: Path) -> None:
    project = copy_project(tmp_path / "again")
    build = ("build", "--target", "wheel", "--directory", tmp_path)
    run(sys.executable, "-m", "hatchling", *build, cwd=project, env=clean_environment())
    name = f"{NAME}-py3-none-any.whl"
    assert (tmp_path / name).read_bytes() == (built / name).read_bytes()
