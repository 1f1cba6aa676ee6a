"""The extension for VS Code: what it says of itself, what it starts, and what VS Code packs of it.

Nothing here is VS Code: `editor.cjs` stands for what `src/extension.js` asks of it. How the server is started and
spoken to is `src/server.js`, with Microsoft's client of the protocol. Needs node, and npm's packages (`npm ci --prefix
editors/vscode`, or ROCECFG_VSCODE): what is missing is said by the reason of a skip, and by .ci/run.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from checkout import ROOT, clean_environment, run

import rocecfg

EXTENSION = ROOT / "editors" / "vscode"
MODULES = Path(os.environ.get("ROCECFG_VSCODE") or EXTENSION / "node_modules")
MANIFEST = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
SETTINGS = MANIFEST["contributes"]["configuration"]["properties"]
HERE = Path(__file__).resolve().parent
DEFAULTS = {name.removeprefix("rocecfg."): setting["default"] for name, setting in SETTINGS.items()}
OURS = DEFAULTS | {"command": [sys.executable, "-m", "rocecfg"]}
INSTALL = "pip install 'rocecfg[lsp]', or name the program in the setting rocecfg.command"
BROKEN = ROOT / "examples" / "train-256-as-published" / "fabric.yaml"

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
needs_npm = pytest.mark.skipif(
    shutil.which("node") is None or not (MODULES / "vscode-languageserver-protocol").is_dir(),
    reason="needs node, and the extension's packages: npm ci --prefix editors/vscode, or ROCECFG_VSCODE=DIR",
)


def extension(folder: Path) -> Path:
    """A copy of the extension with its packages."""
    copy = folder / "editors" / "vscode"
    shutil.copytree(EXTENSION, copy, ignore=shutil.ignore_patterns("node_modules", "dist", "*.vsix", "LICENSE"))
    (copy / "node_modules").symlink_to(MODULES)
    shutil.copy2(ROOT / "LICENSE", folder / "LICENSE")
    return copy


def client(folder: Path, settings: dict[str, Any], file: Path) -> dict[str, Any]:
    """What a session of the extension's client with the server is told."""
    environment = clean_environment(PYTHONPATH=str(ROOT))
    done = run("node", HERE / "client.cjs", extension(folder), json.dumps(settings), file, cwd=folder, env=environment)
    stated: dict[str, Any] = json.loads(done.stdout)
    return stated


# -- what it says of itself --------------------------------------------------------------------------------------------


def test_it_has_the_version_of_what_it_starts() -> None:
    assert MANIFEST["version"] == rocecfg.__version__
    lock = json.loads((EXTENSION / "package-lock.json").read_text(encoding="utf-8"))
    assert lock["packages"][""]["dependencies"] == MANIFEST["dependencies"]
    assert [name for name, package in lock["packages"].items() if "resolved" in package] == []  # no registry is named


def test_a_workspace_that_is_not_trusted_does_not_say_what_runs() -> None:
    restricted = MANIFEST["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]
    assert sorted(restricted) == ["rocecfg.allowOutside", "rocecfg.command"]
    assert set(restricted) <= set(SETTINGS)


def test_no_page_tells_to_start_python_where_a_folder_of_others_is_its_path() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *EXTENSION.glob("*.[mj]*"), ROOT / "action.yml"]
    wrong = re.compile(r"python3?\\?[\"'`]*,? +\\?[\"'`]*-m\\?[\"'`]*,? +\\?[\"'`]*rocecfg\b")
    assert [page.name for page in pages if wrong.search(page.read_text(encoding="utf-8"))] == []
    assert wrong.search('["/opt/venv/bin/python", "-m", "rocecfg"]')


def test_its_settings_are_documented_where_people_look() -> None:
    for page in (EXTENSION / "README.md", ROOT / "docs" / "editors.md"):
        text = page.read_text(encoding="utf-8")
        assert [name for name in SETTINGS if f"`{name}`" not in text] == []


# -- what it starts ----------------------------------------------------------------------------------------------------


@needs_npm
def test_its_client_is_told_what_lint_finds(tmp_path: Path) -> None:
    shutil.copytree(BROKEN.parent, tmp_path / "intent")
    file = tmp_path / "intent" / "fabric.yaml"
    stated = client(tmp_path, OURS, file)
    assert stated["serverInfo"] == {"name": "rocecfg", "version": rocecfg.__version__}
    lint = run(
        *(sys.executable, "-m", "rocecfg", "lint", "--format", "json", "fabric.yaml"),
        cwd=file.parent,
        env=clean_environment(PYTHONPATH=str(ROOT)),
        expect=1,
    )
    shown = {(d["range"]["start"]["line"] + 1, d["code"]) for d in stated["diagnostics"]}
    found = {(f["line"], f["rule"]) for f in json.loads(lint.stdout)["findings"]}
    assert len(found) > 5
    assert found <= shown  # which has each place of what is folded
    assert any("Waive" in action["title"] for action in stated["actions"])
    assert stated["hover"]["contents"]["value"]
    assert stated["code"] == 0


@needs_npm
@pytest.mark.parametrize(
    ("command", "why"),
    [
        (
            ["rocecfg-not-here"],
            f"There is no program rocecfg-not-here: {INSTALL}",
        ),
        (
            [sys.executable, "-c", "import sys; sys.modules['pygls'] = None; from rocecfg.cli import main; main()"],
            "rocecfg: lsp needs pygls 2 or newer: pip install 'rocecfg[lsp]'",
        ),
    ],
)
def test_what_is_missing_is_said_with_what_to_do(tmp_path: Path, command: list[str], why: str) -> None:
    assert client(tmp_path, DEFAULTS | {"command": command}, BROKEN) == {"why": why}


@needs_node
def test_settings_reach_the_command_and_the_files(tmp_path: Path) -> None:
    settings = {
        "command": ["python3", "-m", "rocecfg"],
        "allowOutside": ["/srv/a", "b c"],
        "languages": ["yaml", "json"],
    }
    texts = {
        "rocecfg: 1\nfabric: {}\n": True,
        "# ours\r\n\r\nrocecfg: 1\r\n": True,
        "\ufeff'rocecfg': 1\n": True,
        "services:\n  rocecfg: 1\n": False,
        "rocecfg:latest\n": False,
        "my-rocecfg: 1\n": False,
        "text: |\n  rocecfg: 1\n": False,
    }
    script = (
        "const s = require(process.argv[1]); const [set, texts] = JSON.parse(process.argv[2]);"
        "console.log(JSON.stringify([s.started(set), s.selector(set), texts.map(s.isIntent)]))"
    )
    asked = json.dumps([settings, list(texts)])
    done = run("node", "-e", script, EXTENSION / "src" / "server.js", asked, cwd=tmp_path, env=clean_environment())
    started, selector, intents = json.loads(done.stdout)
    outside = ["--allow-outside", "/srv/a", "--allow-outside", "b c"]
    assert started == {"command": "python3", "args": ["-m", "rocecfg", "lsp", "--stdio", *outside]}
    assert selector == [{"scheme": "file", "language": "yaml"}, {"scheme": "file", "language": "json"}]
    assert intents == list(texts.values())


INTENT = "rocecfg: 1\n"
OTHER = "services: {}\n"


def editor(folder: Path, settings: dict[str, Any], *texts: str) -> list[Any]:
    """What the extension did when texts were opened, one after the other, and it was restarted and stopped."""
    asked: list[str | Path] = ["node", HERE / "editor.cjs", EXTENSION, json.dumps(settings), *texts]
    did: list[Any] = json.loads(run(*asked, cwd=folder, env=clean_environment(PYTHONPATH=str(ROOT))).stdout)
    return did


@needs_node
def test_other_yaml_starts_nothing_and_an_intent_one_server(tmp_path: Path) -> None:
    started = {"started": [*OURS["command"], "lsp", "--stdio"], "for": [{"scheme": "file", "language": "yaml"}]}
    did = editor(tmp_path, OURS, OTHER, INTENT, INTENT)
    assert did == ["opened", started, "opened", "opened", "stopped", started, "stopped"]


@needs_node
def test_no_module_of_the_folder_that_is_open_is_run(tmp_path: Path) -> None:
    for name in ("rocecfg", "importlib", "json", "pygls"):
        mark = tmp_path / f"{name} ran"
        (tmp_path / f"{name}.py").write_text(f"open({str(mark)!r}, 'w')\n", encoding="utf-8")
    did = editor(tmp_path, OURS, INTENT)
    assert did[0]["started"] == [*OURS["command"], "lsp", "--stdio"]
    assert list(tmp_path.glob("* ran")) == []


@needs_node
def test_a_missing_program_is_said_once_and_leads_to_the_setting(tmp_path: Path) -> None:
    stated = {"message": f"rocecfg: There is no program rocecfg-not-here: {INSTALL}", "buttons": ["Open settings"]}
    shown = {"command": ["workbench.action.openSettings", "rocecfg.command"]}
    did = editor(tmp_path, DEFAULTS | {"command": ["rocecfg-not-here"]}, INTENT, INTENT)
    assert did == [stated, shown, "opened", "opened", stated, shown]  # again where a user asks again


# -- what VS Code packs ------------------------------------------------------------------------------------------------


@needs_npm
def test_the_package_has_the_bundle_and_the_licences_of_what_is_in_it(tmp_path: Path) -> None:
    run("npm", "run", "package", "--silent", cwd=extension(tmp_path), env=clean_environment())
    (package,) = (tmp_path / "editors" / "vscode").glob("*.vsix")
    with zipfile.ZipFile(package) as archive:
        names = {name.removeprefix("extension/") for name in archive.namelist() if name.startswith("extension/")}
        licences = archive.read("extension/dist/LICENSES.txt").decode()
        bundle = archive.read("extension/dist/extension.js").decode()
    assert names == {"package.json", "readme.md", "LICENSE.txt", "dist/extension.js", "dist/LICENSES.txt"}
    assert "vscode-languageclient" in licences
    assert "Microsoft" in licences
    assert 'require("vscode")' in bundle
    assert 'require("vscode-languageclient' not in bundle
    assert package.stat().st_size < 200_000
