"""What a command loads: start-up time is what a pre-commit hook costs on every commit."""

from __future__ import annotations

import ast
import inspect
import json
import sys
from pathlib import Path

import pytest
from checkout import ROOT, clean_environment, run

import rocecfg
from rocecfg.cli.lint import command
from rocecfg.cli.linted import lint_paths

# Runs the command line, and at its end prints the modules that it loaded.
WATCH = """
import sys
before = set(sys.modules)
from rocecfg.cli import cli  # `main` leaves the process at once
try:
    cli(sys.argv[1:], prog_name="rocecfg")
finally:
    import json
    print("\\nloaded", json.dumps(sorted(set(sys.modules) - before)))
"""
SLOW = ("jinja2", "netaddr", "ruamel", "importlib.metadata", "importlib.resources", "rocecfg.vendors")
JUDGES = ("nvueschema", "pydantic", "oopt_gnpy_libyang", "jsonpatch", "rocecfg.validation")
OF_DEVICES = ("rocecfg.rules.registry", "rocecfg.rules.running", "rocecfg.rules.running_sonic")  # no intent needs these


def _loaded(cwd: Path, *arguments: str) -> list[str]:
    env = clean_environment(PYTHONPATH=str(ROOT))
    done = run(sys.executable, "-c", WATCH, *arguments, cwd=cwd, env=env)
    modules = json.loads(done.stdout.rpartition("\nloaded ")[2])
    assert "click" in modules
    return [str(name) for name in modules]


def _of(modules: list[str], packages: tuple[str, ...]) -> list[str]:
    return [m for m in modules if any(m == p or m.startswith(f"{p}.") for p in packages)]


@pytest.mark.parametrize("format_", ["full", "concise", "json"])
def test_lint_loads_nothing_slow(format_: str, tmp_path: Path) -> None:
    intent = tmp_path / "fabric.yaml"
    intent.write_text((ROOT / "examples" / "policy" / "fabric.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    modules = _loaded(tmp_path, "lint", "--format", format_, intent.name)
    assert "rocecfg.linting.judge" in modules
    assert _of(modules, (*SLOW, *OF_DEVICES)) == []


def test_render_loads_what_judges_only_where_it_is_asked_to(tmp_path: Path) -> None:
    example = str(ROOT / "examples" / "converged")
    modules = _loaded(tmp_path, "render", example, "--vendor", "spectrum", "--device", "leaf01")
    assert "rocecfg.vendors.spectrum.writer" in modules
    assert _of(modules, JUDGES) == []


def test_validate_loads_the_judge_of_what_it_is_given_alone(tmp_path: Path) -> None:
    (tmp_path / "leaf01.cfg").write_text("interface Ethernet1\n   priority-flow-control on\n", encoding="utf-8")
    modules = _loaded(tmp_path, "validate", "leaf01.cfg")
    assert "rocecfg.validation.arista" in modules
    assert _of(modules, (*JUDGES[:-1], "rocecfg.validation.sonic", "rocecfg.validation.spectrum", "jinja2")) == []


def test_nvue_is_judged_without_the_classes_of_its_schema(tmp_path: Path) -> None:
    text = "# leaf01: for Cumulus Linux 5.14\nnv set qos roce mode lossless\n"
    (tmp_path / "leaf01.nv").write_text(text, encoding="utf-8")
    modules = _loaded(tmp_path, "validate", "leaf01.nv")
    assert "rocecfg.validation.spectrum" in modules
    assert _of(modules, ("nvueschema", "pydantic", "importlib.metadata", "rocecfg.vendors.running")) == []


def test_version_loads_no_command(tmp_path: Path) -> None:
    modules = _loaded(tmp_path, "--version")
    assert _of(modules, (*SLOW, "yaml")) == []
    assert _of(modules, ("rocecfg",)) == ["rocecfg", "rocecfg.cli", "rocecfg.cli.group"]


def test_version_is_told_without_what_parses_options(tmp_path: Path) -> None:
    env = clean_environment(PYTHONPATH=str(ROOT))
    done = run(sys.executable, "-X", "importtime", "-m", "rocecfg", "--version", cwd=tmp_path, env=env)
    assert "click" not in done.stderr
    output = run(sys.executable, "-c", "from rocecfg.cli import cli; cli(['--version'])", cwd=tmp_path, env=env).stdout
    newest = f"newest source of its facts: {rocecfg.facts_day}"
    assert done.stdout == output == f"rocecfg, version {rocecfg.__version__}\n{newest}\n"


@pytest.mark.parametrize(("words", "code"), [((), 2), (("--only-intents",), 0)])
def test_a_lint_of_paths_needs_nothing_that_parses_options(words: tuple[str, ...], code: int, tmp_path: Path) -> None:
    env = clean_environment(PYTHONPATH=str(ROOT))
    (tmp_path / "notes.yaml").write_text("notes: none\n", encoding="utf-8")
    asked = ("lint", *words, str(ROOT / "examples" / "policy"), "notes.yaml")
    done = run(sys.executable, "-X", "importtime", "-m", "rocecfg", *asked, cwd=tmp_path, env=env, expect=code)
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
    assert "rocecfg.linting.judge" in loaded
    assert loaded.isdisjoint({"click", "inspect", "rocecfg.cli.lint"})
    parsed = "import sys; from rocecfg.cli import cli; cli(sys.argv[1:])"
    same = run(sys.executable, "-c", parsed, *asked, cwd=tmp_path, env=env, expect=code)
    assert done.stdout == same.stdout
    assert ("notes.yaml" in done.stdout) == (not words)  # which is no intent


def test_an_option_that_is_not_given_means_the_same_to_who_parses_none() -> None:
    given = command.make_context("lint", []).params
    assumed = {name: parameter.default for name, parameter in inspect.signature(lint_paths).parameters.items()}
    assert given == {**assumed, "paths": ()}


def test_version_is_a_literal() -> None:
    tree = ast.parse((ROOT / "rocecfg" / "__init__.py").read_text(encoding="utf-8"))
    values = [n.value for n in tree.body if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "__version__"]
    assert [v.value for v in values if isinstance(v, ast.Constant)] == [rocecfg.__version__]
