"""The hooks, run by pre-commit itself: a commit that breaks an intent is refused, one that fixes it passes."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from checkout import ROOT, clean_environment, copy_project, run

PRE_COMMIT = (sys.executable, "-m", "pre_commit")
WATCHED = "  watchdog: {detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}\n"
UNWATCHED = "  watchdog: off\n"


class Repository:
    """A user's git repository with an intent and hooks."""

    def __init__(self, at: Path, hooks: list[dict[str, object]], **environment: str) -> None:
        self.at = at
        self.env = clean_environment(
            GIT_CONFIG_GLOBAL=os.devnull,
            GIT_CONFIG_NOSYSTEM="1",
            GIT_AUTHOR_NAME="a",
            GIT_AUTHOR_EMAIL="a@example.org",
            GIT_COMMITTER_NAME="a",
            GIT_COMMITTER_EMAIL="a@example.org",
            **environment,
        )
        at.mkdir()
        self.git("init", "-q")
        self.write(".pre-commit-config.yaml", yaml.safe_dump({"repos": hooks}))
        shutil.copytree(ROOT / "examples" / "policy", at / "lab")
        run(*PRE_COMMIT, "install", cwd=at, env=self.env)

    def git(self, *arguments: str, expect: int | None = 0) -> subprocess.CompletedProcess[str]:
        return run("git", *arguments, cwd=self.at, env=self.env, expect=expect)

    def write(self, name: str, text: str) -> None:
        (self.at / name).parent.mkdir(parents=True, exist_ok=True)
        (self.at / name).write_text(text, encoding="utf-8")

    def change(self, name: str, old: str, new: str) -> None:
        text = (self.at / name).read_text(encoding="utf-8")
        assert text.count(old) == 1
        self.write(name, text.replace(old, new))

    def commits(self) -> int:
        return int(self.git("rev-list", "--all", "--count").stdout)

    def accepts(self) -> str:
        """Commit everything; what git and the hooks said."""
        before = self.commits()
        self.git("add", "--all")
        done = self.git("commit", "-qm", "change")
        assert self.commits() == before + 1
        return done.stdout + done.stderr

    def refuses(self) -> str:
        """Try to commit everything; what the hooks said."""
        before = self.commits()
        self.git("add", "--all")
        done = self.git("commit", "-qm", "change", expect=1)
        assert self.commits() == before
        return done.stdout + done.stderr


def _local(**arguments: list[str]) -> list[dict[str, object]]:
    """The shipped hooks of those ids, run from this checkout instead of being installed."""
    shipped = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    hooks = [hook | {"args": arguments[key]} for hook in shipped if (key := hook["id"].replace("-", "_")) in arguments]
    assert len(hooks) == len(arguments)
    for hook in hooks:
        hook["entry"] = hook["entry"].replace("rocecfg", f"{shlex.quote(sys.executable)} -m rocecfg", 1)
        hook["language"] = "system"
    return [{"repo": "local", "hooks": hooks}]


def _here(tmp_path: Path, **arguments: list[str]) -> Repository:
    return Repository(
        tmp_path / "user", _local(**arguments), PYTHONPATH=str(ROOT), PRE_COMMIT_HOME=str(tmp_path / "pre-commit")
    )


def _line_of(repository: Repository, name: str, text: str) -> int:
    return (repository.at / name).read_text(encoding="utf-8").splitlines(keepends=True).index(text) + 1


def _breaks_and_fixes(repository: Repository) -> None:
    repository.accepts()
    repository.change("lab/fabric.yaml", WATCHED, UNWATCHED)
    stated = repository.refuses()
    assert "watchdog-missing" in stated
    assert f"lab/fabric.yaml:{_line_of(repository, 'lab/fabric.yaml', UNWATCHED)}:" in stated
    repository.change("lab/fabric.yaml", UNWATCHED, WATCHED)
    repository.change("lab/fabric.yaml", "{name: lab}", "{name: lab, description: fixed}")
    repository.accepts()


def test_broken_commit_is_refused_and_fixed_one_passes(tmp_path: Path) -> None:
    _breaks_and_fixes(_here(tmp_path, rocecfg_lint=[]))


def test_included_file_stands_for_its_fabric(tmp_path: Path) -> None:
    repository = _here(tmp_path, rocecfg_lint=[])
    intent = (repository.at / "lab" / "fabric.yaml").read_text(encoding="utf-8")
    top, watchdog = intent.split("pfc:\n")
    repository.write("lab/fabric.yaml", f"{top}include: [common/pfc.yaml]\n")
    repository.write("lab/common/pfc.yaml", f"pfc:\n{watchdog}")
    repository.accepts()
    repository.change("lab/common/pfc.yaml", WATCHED, UNWATCHED)
    assert "lab/common/pfc.yaml:" in repository.refuses()


def test_files_of_no_intent_are_passed_over(tmp_path: Path) -> None:
    repository = _here(tmp_path, rocecfg_lint=[])
    repository.write("compose.yaml", "services: {db: {image: postgres}}\n")
    repository.write("broken.yml", "a: [\n")
    repository.write("table.csv", "a,b\n1,2\n")
    repository.write("latin-1.yaml", "")
    (repository.at / "latin-1.yaml").write_bytes("name: Zürich\n".encode("latin-1"))
    assert "Passed" in repository.accepts()


def test_lint_all_sees_a_file_that_went_away(tmp_path: Path) -> None:
    repository = _here(tmp_path, rocecfg_lint=[], rocecfg_lint_all=[])
    repository.change("lab/fabric.yaml", "fabric: {name: lab}\n", "fabric: {name: lab}\ninclude: [extra.yaml]\n")
    repository.write("lab/extra.yaml", "defaults: {mtu: 9000}\n")
    repository.accepts()
    (repository.at / "lab" / "extra.yaml").unlink()
    assert "extra.yaml" in repository.refuses()


def test_render_keeps_the_folder_in_step(tmp_path: Path) -> None:
    arguments = ["lab", "--vendor", "spectrum", "-o", "rendered"]
    repository = _here(tmp_path, rocecfg_render=arguments)
    run(sys.executable, "-m", "rocecfg", "render", *arguments, cwd=repository.at, env=repository.env)
    rendered = repository.at / "rendered" / "lab-spectrum.yaml"
    repository.accepts()
    before = rendered.read_text(encoding="utf-8")
    repository.change("lab/fabric.yaml", "kmax: 1600KB", "kmax: 1700KB")
    stated = repository.refuses()
    assert "files were modified by this hook" in stated
    assert "out of step with the intent until now: rendered/lab-spectrum.yaml; git add" in stated
    assert rendered.read_text(encoding="utf-8") != before
    repository.accepts()


def test_render_fails_when_it_made_a_new_file(tmp_path: Path) -> None:
    """pre-commit sees no file that is not tracked: the command itself has to fail."""
    repository = _here(tmp_path, rocecfg_render=["lab", "--vendor", "spectrum", "-o", "rendered"])
    stated = repository.refuses()
    assert "exit code: 1" in stated
    assert "rendered/lab-spectrum.yaml" in stated
    assert "git add --all rendered" in stated
    repository.accepts()
    tracked = repository.git("ls-files", "rendered").stdout.split()
    assert tracked == [
        f"rendered/{name}" for name in ("APPLY-lab-spectrum.md", "APPLY-lab-spectrum.sh", "lab-spectrum.yaml")
    ]


def test_render_hook_with_check_writes_nothing(tmp_path: Path) -> None:
    repository = _here(tmp_path, rocecfg_render=["lab", "--vendor", "spectrum", "-o", "rendered", "--check"])
    assert "rendered/lab-spectrum.yaml: missing" in repository.refuses()
    assert not (repository.at / "rendered").exists()


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """This project as a git repository that pre-commit can clone, and its revision."""
    project = copy_project(tmp_path_factory.mktemp("published") / "rocecfg-hooks")
    env = clean_environment(GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_NOSYSTEM="1")
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    run("git", "init", "-q", cwd=project, env=env)
    run("git", "add", "--all", cwd=project, env=env)
    run("git", *identity, "commit", "-qm", "all", cwd=project, env=env)
    return project, run("git", "rev-parse", "HEAD", cwd=project, env=env).stdout.strip()


@pytest.mark.skipif(
    os.environ.get("ROCECFG_REQUIRE_CONFORMANCE") != "1",
    reason="pre-commit installs hooks from the network: .ci/run runs this (ROCECFG_REQUIRE_CONFORMANCE=1)",
)
def test_installed_hooks(published: tuple[Path, str], tmp_path: Path) -> None:
    """As a user has it: pre-commit clones the project and installs it into an environment of its own."""
    project, revision = published
    rendering = ["lab", "--vendor", "sonic", "-o", "rendered"]
    hooks = [{"id": "rocecfg-lint"}, {"id": "rocecfg-lint-all"}, {"id": "rocecfg-render", "args": rendering}]
    repository = Repository(
        tmp_path / "user",
        [{"repo": str(project), "rev": revision, "hooks": hooks}],
        PRE_COMMIT_HOME=str(tmp_path / "pre-commit"),
    )
    run(*PRE_COMMIT, "install-hooks", cwd=repository.at, env=repository.env)
    assert "git add --all rendered" in repository.refuses()
    _breaks_and_fixes(repository)
    assert sorted(p.suffix for p in (repository.at / "rendered").iterdir()) == [".json", ".md", ".sh"]
