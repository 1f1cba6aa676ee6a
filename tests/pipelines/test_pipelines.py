"""action.yml, the GitLab component and the container file: their own scripts, run as far as a machine without them can.

What is not run here: GitHub's and GitLab's runners themselves, and a build of the image, which needs base images.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from checkout import HANG, ROOT, clean_environment

ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
SPEC, JOB = yaml.safe_load_all((ROOT / "templates" / "lint.yml").read_text(encoding="utf-8"))
CLEAN, BROKEN = "train-256", "train-256-as-published"
OWN = Path(sys.executable).parent / "rocecfg"


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two fabrics, one of them with errors, as the current folder."""
    shutil.copytree(ROOT / "examples" / CLEAN, tmp_path / "repo" / "fabrics" / CLEAN)
    shutil.copytree(ROOT / "examples" / BROKEN, tmp_path / "repo" / "fabrics" / BROKEN)
    (tmp_path / "repo" / ".git").mkdir()
    monkeypatch.chdir(tmp_path / "repo")
    return tmp_path / "repo"


def _bash(script: str, **env: str) -> subprocess.CompletedProcess[str]:
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]  # as both runners call it
    return subprocess.run(
        shell, env=clean_environment(**env), capture_output=True, text=True, check=False, timeout=HANG
    )


# -- GitHub ------------------------------------------------------------------------------------------------------------


def _lint_step(tmp_path: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """The step that lints, with the defaults of action.yml and some inputs."""
    step = next(step for step in ACTION["runs"]["steps"] if step.get("id") == "lint")
    given = {name: str(declared.get("default", "")) for name, declared in ACTION["inputs"].items()} | inputs
    env = {"GITHUB_OUTPUT": str(tmp_path / "output"), "GITHUB_ACTIONS": "true"}
    for name, value in step["env"].items():
        text = re.sub(r"\$\{\{ inputs\.([a-z-]+) \}\}", lambda found: given[found[1]], value)
        env[name] = text.replace("${{ github.action_path }}", str(ROOT)).replace("${{ runner.temp }}", str(tmp_path))
    env["ROCECFG"] = str(OWN)
    assert [name for name, value in env.items() if "${{" in value] == []
    return _bash(step["run"], **env)


@pytest.mark.usefixtures("checkout")
def test_the_action_annotates_and_writes_sarif(tmp_path: Path) -> None:
    done = _lint_step(tmp_path)
    assert done.returncode == 1, done.stderr
    assert f"::error file=fabrics/{BROKEN}/fabric.yaml,line=17" in done.stdout
    sarif = tmp_path / "rocecfg.sarif"  # beside the checkout, which may hold a link of any name
    assert json.loads(sarif.read_text(encoding="utf-8"))["version"] == "2.1.0"
    assert (tmp_path / "output").read_text(encoding="utf-8") == f"sarif={sarif}\n"


def test_the_action_writes_through_no_link_of_the_branch(checkout: Path, tmp_path: Path) -> None:
    (tmp_path / ".bashrc").write_text("# mine\n", encoding="utf-8")
    (checkout / "rocecfg.sarif").symlink_to("../.bashrc")
    assert _lint_step(tmp_path).returncode == 1
    asked = _lint_step(tmp_path, sarif="rocecfg.sarif")
    assert asked.returncode == 2
    assert "rocecfg.sarif is a link in a repository" in asked.stderr
    assert (tmp_path / ".bashrc").read_text(encoding="utf-8") == "# mine\n"


SHADOWED = ("venv", "ensurepip", "pip", "importlib", "subprocess", "sysconfig", "site", "sitecustomize", "logging")


def _shadow(checkout: Path) -> None:
    for name in SHADOWED:
        (checkout / f"{name}.py").write_text(
            f"open({str(checkout / 'ran')!r}, 'a').write(__name__)\n", encoding="utf-8"
        )


def test_the_action_installs_with_no_module_of_the_branch(checkout: Path, tmp_path: Path) -> None:
    _shadow(checkout)
    (install,) = (step for step in ACTION["runs"]["steps"] if step["name"] == "install rocecfg")
    venv = tmp_path / "venv"
    env = {"ROCECFG_PYTHON": sys.executable, "ROCECFG_VENV": str(venv), "ROCECFG_SOURCE": str(_package(tmp_path))}
    done = _bash(install["run"], **env)
    assert done.returncode == 0, done.stderr
    assert not (checkout / "ran").exists(), (checkout / "ran").read_text()
    assert list(venv.glob("lib/python*/site-packages/stand_in.py")) != []


def _package(folder: Path) -> Path:
    """A wheel that stands for rocecfg, and needs nothing of a registry."""
    wheel = folder / "stand_in-1-py3-none-any.whl"
    about = {"METADATA": "Metadata-Version: 2.1\nName: stand_in\nVersion: 1\n", "RECORD": "stand_in.py,,\n"}
    about["WHEEL"] = "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("stand_in.py", "")
        for name, text in about.items():
            archive.writestr(f"stand_in-1.dist-info/{name}", text)
    return wheel


def test_the_action_takes_paths_and_options_line_by_line(checkout: Path, tmp_path: Path) -> None:
    assert _lint_step(tmp_path, paths=f"\n  fabrics/{CLEAN}\n").returncode == 0
    both = f"fabrics/{CLEAN}\nfabrics/{BROKEN}\n"
    assert _lint_step(tmp_path, paths=both).returncode == 1
    quiet = "--select\ntopology-cbd\n--no-config"
    assert _lint_step(tmp_path, paths=both, arguments=quiet).returncode == 0
    (checkout / "with blank").mkdir()
    shutil.copytree(checkout / "fabrics" / CLEAN, checkout / "with blank" / CLEAN)
    assert _lint_step(tmp_path, paths="with blank", **{"fail-on": "info"}).returncode == 0


@pytest.mark.parametrize(
    "inputs", [{"paths": "$(touch pwned)"}, {"arguments": "; touch pwned"}, {"sarif": "`touch pwned`"}]
)
def test_inputs_of_the_action_are_never_commands(inputs: dict[str, str], checkout: Path, tmp_path: Path) -> None:
    assert _lint_step(tmp_path, **inputs).returncode in (1, 2)
    assert not (checkout / "pwned").exists()


def test_no_script_of_the_action_holds_an_input() -> None:
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step["run"], step["name"]


def test_an_older_python_is_named() -> None:
    (install,) = (step for step in ACTION["runs"]["steps"] if step["name"] == "install rocecfg")
    first = install["run"].splitlines()[0].replace("(3, 11)", "(99, 0)")
    done = _bash(first, ROCECFG_PYTHON=sys.executable)
    assert (done.returncode, done.stderr) == (1, "rocecfg needs Python 3.11 or newer\n")


# -- GitLab ------------------------------------------------------------------------------------------------------------


def _filled(value: Any, inputs: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {_filled(key, inputs): _filled(below, inputs) for key, below in value.items()}
    if isinstance(value, list):
        return [_filled(below, inputs) for below in value]
    return re.sub(r"\$\[\[ inputs\.([a-z-]+) \]\]", lambda found: inputs[found[1]], value)


def _job(**inputs: str) -> Any:
    """The job of the component with its inputs filled in."""
    defaults = {name: str(about.get("default", "SOURCE")) for name, about in SPEC["spec"]["inputs"].items()}
    (job,) = _filled(JOB, defaults | inputs).values()
    assert "$[[" not in str(job)
    return job


def _run_job(**inputs: str) -> subprocess.CompletedProcess[str]:
    job = _job(**inputs)
    path = f"{OWN.parent}{os.pathsep}{os.environ['PATH']}"
    return _bash("\n".join(job["script"]), PATH=path, GITLAB_CI="true", **job["variables"])


def test_the_component_reports_quality_and_junit(checkout: Path) -> None:
    done = _run_job()
    assert done.returncode == 1, done.stderr
    reports = _job()["artifacts"]["reports"]
    quality = json.loads((checkout / reports["codequality"]).read_text(encoding="utf-8"))
    assert {f"fabrics/{BROKEN}/fabric.yaml"} == {found["location"]["path"] for found in quality}
    assert (checkout / reports["junit"]).read_text(encoding="utf-8").startswith("<?xml")
    assert "watchdog-missing" in done.stdout


def test_the_component_runs_and_writes_through_nothing_of_the_branch(checkout: Path, tmp_path: Path) -> None:
    _shadow(checkout)
    job = _job(source=str(_package(tmp_path)))
    done = _bash(
        "\n".join(job["before_script"]), CI_PROJECT_DIR=str(checkout), TMPDIR=str(tmp_path), **job["variables"]
    )
    assert done.returncode == 0, done.stderr
    assert not (checkout / "ran").exists(), (checkout / "ran").read_text()
    for name in _job()["artifacts"]["reports"].values():
        (tmp_path / ".bashrc").write_text("# mine\n", encoding="utf-8")
        (checkout / name).symlink_to("../.bashrc")
        done = _run_job()
        assert (done.returncode, done.stdout) == (2, "")
        assert f"{name} is a link in a repository" in done.stderr
        assert (tmp_path / ".bashrc").read_text(encoding="utf-8") == "# mine\n"
        (checkout / name).unlink()
    assert not (checkout / "ran").exists(), (checkout / "ran").read_text()


def test_the_component_takes_its_inputs(checkout: Path) -> None:
    assert _run_job(paths=f"fabrics/{CLEAN}").returncode == 0
    assert _run_job(paths=f"fabrics/{CLEAN} fabrics/{BROKEN}").returncode == 1
    assert _run_job(paths="$(touch pwned) ;touch pwned").returncode == 2
    assert not (checkout / "pwned").exists()
    (checkout / "rocecfg.toml").write_text('select = ["hygiene-absent"]\n', encoding="utf-8")
    assert _run_job(paths=f"fabrics/{CLEAN}").returncode == 0
    assert _run_job(paths=f"fabrics/{CLEAN}", **{"fail-on": "info"}).returncode == 1


# -- container ---------------------------------------------------------------------------------------------------------


def _copied() -> Iterator[str]:
    for line in (ROOT / "Containerfile").read_text(encoding="utf-8").splitlines():
        words = line.split()
        if words[:1] == ["COPY"] and not words[1].startswith("--from"):
            yield from words[1:-1]


def test_what_the_image_copies_is_all_that_a_wheel_needs(tmp_path: Path) -> None:
    kept = (ROOT / ".containerignore").read_text(encoding="utf-8").splitlines()
    assert (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() == kept
    assert kept[0] == "*"
    source = tmp_path / "src"
    source.mkdir()
    for name in _copied():
        assert f"!{name}" in kept
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, source)
    wheel = (sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path))
    subprocess.run(wheel, cwd=source, env=clean_environment(), check=True, capture_output=True, timeout=HANG)
    (built,) = tmp_path.glob("*.whl")
    target = tmp_path / "installed"
    shutil.unpack_archive(built, target, "zip")
    out = subprocess.run(
        [sys.executable, "-m", "rocecfg", "render", str(ROOT / "examples" / "policy"), "--vendor", "sonic"],
        env=clean_environment(PYTHONPATH=str(target)),
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        timeout=HANG,
    ).stdout
    assert "DSCP_TO_TC_MAP" in json.loads(out)
