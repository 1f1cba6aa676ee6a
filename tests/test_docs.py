"""Generated pages are fresh, and what the README shows is what happens."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
from functools import cache
from pathlib import Path
from types import ModuleType

import click
import pytest
import sampling
import yaml
from checkout import ROOT
from click.testing import CliRunner

import rocecfg
from rocecfg.cli import cli
from rocecfg.model.catalogue import setting
from rocecfg.profiles import SHIPPED
from rocecfg.rules import ALL

README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *(path for path in DOCS.rglob("*.md") if DOCS / "profiles" not in path.parents)]
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
RUN = [README, *((DOCS / f"{name}.md").read_text("utf-8") for name in ("apply", "hosts", "report"))]  # console blocks


MLNX_QOS = """\
DCBX mode: OS controlled
Priority trust state: dscp
Cable len: 3
PFC configuration:
\tpriority    0   1   2   3   4   5   6   7
\tenabled     0   0   0   1   0   0   0   0
"""


@cache  # what it works out is worked out once
def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("regenerate", ROOT / "docs" / "regenerate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def support() -> ModuleType:
    """The script that computes the support matrix."""
    module: ModuleType = _generator().support
    return module


def _cell(support: ModuleType, path: str, vendor: str, release: str, folder: Path) -> str:
    column = support.Column(vendor, SHIPPED.nos(vendor).title, release)
    return str(support.cell(setting(path), column, str(folder)))


@pytest.mark.parametrize(
    ("path", "vendor", "release", "cell"),
    [
        ("classes[].ecn.kmin", "sonic", "202405", "yes"),
        ("classes[].ecn.kmin", "spectrum", "5.14", "yes"),
        ("classes[].ecn.kmin", "arista", "4.33.2F", "yes"),
        ("ports[].watchdog.detection", "spectrum", "5.3", "refused"),  # NVUE's watchdog came with 5.6
        ("ports[].watchdog.action", "spectrum", "5.14", "refused"),  # it knows drop alone
        ("device.dcbx", "sonic", "202405", "refused"),
        ("device.dcbx", "arista", "4.33.2F", "yes"),
        ("device.buffers.oversubscribe", "sonic", "202405", "yes"),
        ("ports[].watchdog.poll", "arista", "4.33.2F", "yes"),
        ("device.buffers.small_packets", "arista", "4.33.2F", "-"),
    ],
)
def test_support_is_computed(
    support: ModuleType, path: str, vendor: str, release: str, cell: str, tmp_path: Path
) -> None:
    assert _cell(support, path, vendor, release, tmp_path) == cell


def test_a_row_of_the_matrix_leaves_the_next_ones_alone(support: ModuleType, tmp_path: Path) -> None:
    trust = ("ports[].trust", "arista", "4.33.2F")
    assert _cell(support, *trust, tmp_path) == "yes"
    _cell(support, "ports[].watchdog.action", "junos", "24.4R1", tmp_path)
    assert _cell(support, *trust, tmp_path) == "yes"


def test_a_setting_that_nobody_writes_or_refuses_is_no_row_of_the_matrix(
    support: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(support, "settings", lambda: [setting("device.role")])
    assert re.search(r"^\| .*`device\.role`.* \| rules on tiers \|$", support.page(), re.MULTILINE)
    monkeypatch.delitem(support.JUDGED, "device.role")
    monkeypatch.setitem(support.SAMPLES, "device.role", ("leaf", "spine"))
    with pytest.raises(ValueError, match=r"device\.role: it is rendered for no system, and none refuses it"):
        support.page()


def _blocks(language: str, page: str = README) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def test_generated_pages_are_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = _generator()
    matrix = (ROOT / "docs" / "support.md").read_text(encoding="utf-8")
    monkeypatch.setattr(generator.support, "page", lambda: matrix)  # the next test looks at it
    stale = [f"docs/{path.name}" for path in generator.stale()]
    assert stale == [], f"run: {generator.COMMAND}"


def test_the_support_matrix_is_fresh(support: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """A system and release is a column, and takes half a second."""
    published = _matrix((ROOT / "docs" / "support.md").read_text(encoding="utf-8"))
    every = support.columns()
    assert list(published["setting"]) == [f"{column.title} {column.release}" for column in every]
    taken = sampling.part(every, "rocecfg/vendors", "rocecfg/drift", "rocecfg/model", "templates", "profiles/nos")
    monkeypatch.setattr(support, "columns", lambda: taken)
    monkeypatch.setattr(support, "_check_rendered", lambda _: None)  # the columns left out may be the only ones
    computed = _matrix(support.page())
    assert computed == {name: {key: cells[key] for key in computed["setting"]} for name, cells in published.items()}


def _matrix(page: str) -> dict[str, dict[str, str]]:
    """Setting -> column -> cell, with the reason in place of its number."""
    why = dict(re.findall(r"^(\d+)\. (.*)$", page, re.MULTILINE))
    table = re.search(r"^\| setting \|(?:.*\n)+?\n", page, re.MULTILINE)
    assert table is not None
    head, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in table[0].splitlines() if line)
    columns = []
    for cell in head[1:]:
        first, *others = cell.split(" / ")
        columns.append([first, *(f"{first.rpartition(' ')[0]} {release}" for release in others)])
    out = {}
    for name, *systems in [[head[0], *(" / ".join(of) for of in columns)], *rows]:
        told = out[name] = {}
        for of, cells in zip(columns, systems, strict=True):
            parts = re.sub(r"no \((\d+)\)", lambda found: why[found[1]], cells).split(" / ")
            told |= dict(zip(of, parts * len(of) if len(parts) == 1 else parts, strict=True))
    return out


def test_pages_are_what_the_commands_print() -> None:
    rules = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    for r in ALL:
        assert f"\n- {r.code} [{r.name}](../rocecfg/rules/pages/{r.name}.md) ({r.severity}): {r.summary}\n" in rules
        assert (ROOT / "rocecfg" / "rules" / "pages" / f"{r.name}.md").is_file()
    schema = (ROOT / "docs" / "intent.schema.json").read_text(encoding="utf-8")
    assert schema == CliRunner().invoke(cli, ["schema"]).stdout


def test_readme_opens_with_two_commands() -> None:
    start = README.partition("\n## ")[0]
    assert _blocks("sh") == re.findall(r"^```sh\n(.*?)^```$", start, re.MULTILINE | re.DOTALL)
    install_and_run, install_and_test = _blocks("sh")
    assert install_and_run.count("\n") == install_and_test.count("\n") == 1
    assert "rocecfg lint" in install_and_run
    assert install_and_test.endswith("-m pytest -n auto\n")


def test_readme_intent_lints_clean(tmp_path: Path) -> None:
    intent = tmp_path / "fabric.yaml"
    intent.write_text(_blocks("yaml")[0], encoding="utf-8")
    result = CliRunner().invoke(cli, ["lint", str(intent)])
    assert (result.exit_code, result.output.partition("; ")[0]) == (0, "clean in 1 fabric, 1 file")


def test_the_waiver_that_is_shown_silences(tmp_path: Path) -> None:
    (waived,) = _blocks("yaml", (DOCS / "settings.md").read_text("utf-8"))
    intent = tmp_path / "fabric.yaml"
    text = re.sub(r"^  cnp: .*\n", lambda _: waived, _blocks("yaml")[0], flags=re.MULTILINE)
    intent.write_text(text.replace("bandwidth: 40", "bandwidth: 30"), encoding="utf-8")
    result = CliRunner().invoke(cli, ["lint", str(intent)])
    assert result.exit_code == 0
    assert result.output.startswith("clean in 1 fabric, 1 file; 1 waived; ")


def test_output_that_is_shown_is_real(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (shown,) = (block for block in _blocks("console") if block.count("\n") > 9)
    command, _, output = shown.partition("\n")
    printed = CliRunner().invoke(cli, command.split()[2:]).output
    parts = [part for part in output.split("…\n") if part]
    assert len(parts) > 1
    at = 0
    for part in parts:
        found = printed.find(part, at)
        assert found >= at, part
        at = found + len(part)


def _commands() -> list[str]:
    """Each command with a prompt in the README and the pages of RUN, without its comment, and the README's table."""
    blocks = [block for page in RUN for block in _blocks("console", page)]
    lines = [line.removeprefix("$ ") for block in blocks for line in block.splitlines() if line.startswith("$ ")]
    lines += re.findall(r"^\|[^|]*\| `(rocecfg [^`]*)` \|", README, re.MULTILINE)
    return [line.partition(" #")[0].strip() for line in lines]


def _whole(folder: Path) -> None:
    """Makes whole configurations of what is rendered: with the line by which EOS names its box, and SONiC's ports."""
    of = {name: d for d in rocecfg.load("examples/converged/fabric.yaml").devices for name in d.names}
    for path in folder.iterdir():
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".cfg":
            text = f"! device: {path.stem} (DCS-7280DR3A-36, EOS-4.33.2F)\n!\nhostname {path.stem}\n{text}"
        elif path.suffix == ".json":
            ports = [(name, group.speed or 0) for group in of[path.stem].ports for name in group.names]
            rows = {name: {"lanes": str(n), "speed": str(speed // 10**6)} for n, (name, speed) in enumerate(ports)}
            host = {"localhost": {"hostname": path.stem, "hwsku": "ACS-MSN4700", "buffer_model": "dynamic"}}
            version = {"DATABASE": {"VERSION": "version_202505_01"}}
            text = json.dumps(json.loads(text) | {"PORT": rows, "DEVICE_METADATA": host, "VERSIONS": version})
        path.write_text(text, encoding="utf-8")


def test_commands_that_are_shown_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them, in their order, in a folder with the examples and with what the reader is to have of their own."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    converged = ("render", "examples/converged", "--vendor", "all", "-o", "running")
    assert CliRunner().invoke(cli, converged).exit_code == 0
    _whole(Path("running"))
    shutil.copy("running/leaf03.json", "config_db.json")
    Path("hosts").mkdir()
    Path("hosts/gpu01-nic0.txt").write_text(MLNX_QOS, encoding="utf-8")
    Path("result.json").write_text('{"results": {"BW_average": 380}}', encoding="utf-8")
    commands = _commands()
    assert len(commands) > 18
    for command in commands:
        *before, words = command.split(" | ")
        switch = Path("config_db.json").read_text(encoding="utf-8") if before else None
        done = CliRunner().invoke(cli, words.split()[1:], input=switch)
        # two switches run a part of a configuration: drift does not call that no drift, plan plans nothing for them
        expected = {"drift": 1, "plan": 2}.get(words.split()[1], int("as-published" in command and "lint" in command))
        assert done.exit_code == expected, f"{command}\n{done.output}"
        assert "drift" not in command or "\nno difference in " in done.output
        assert expected < 2 or "leaf[01-02]: not planned: " in done.output
        assert done.output or " -o " in command or "--check" in command, command
    assert Path("rendered/spine01.cfg").is_file()
    assert {path.suffix for path in Path("hosts").iterdir()} >= {".sh", ".service", ".env", ".yaml"}


def test_no_option_or_command_is_named_that_is_not_there() -> None:
    context = click.Context(cli)
    commands = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    options = {word for command in commands.values() if command for p in command.params for word in p.opts}
    named: set[str] = set()
    for path in PAGES:
        page = path.read_text("utf-8")
        typed = [
            line for block in _FENCE.findall(page) for line in re.findall(r"^(?:\$ )?rocecfg .*", block, re.MULTILINE)
        ]
        typed += re.findall(r"`rocecfg [^`]*`", _FENCE.sub("", page))
        given = {word for line in typed for word in re.findall(r"(?<![\w-])--[a-z][a-z-]*", line.partition(" #")[0])}
        assert given - options - {"--help", "--version"} == set(), path.name
        here = {name for line in typed for name in re.findall(r"^[`$ ]*rocecfg ([a-z]+)", line)}
        assert here <= set(commands), path.name
        named |= here if path.name != "cli.md" else set()
    assert set(commands) - named == set()


def test_the_pre_commit_block_is_what_is_offered() -> None:
    (block,) = (
        block for block in _blocks("yaml", (DOCS / "howto" / "ci.md").read_text("utf-8")) if block.startswith("repos:")
    )
    offered = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert set(re.findall(r"id: (\S+)", block)) == {hook["id"] for hook in offered}
    assert yaml.safe_load(block)["repos"][0]["rev"] == f"v{rocecfg.__version__}"
    whole = re.sub(r"^      # ", "      ", block, flags=re.MULTILINE)
    assert [hook["id"] for hook in yaml.safe_load(whole)["repos"][0]["hooks"]] == re.findall(r"id: (\S+)", block)


def test_readme_limits_are_true(tmp_path: Path) -> None:
    """What it once said: that configurations of switches are not read, and the NIC end not configured."""
    limits = README.partition("## Limits")[2].partition("\n## ")[0]
    assert "not read yet" not in limits
    assert "not configured" not in limits
    text = (ROOT / "examples" / "policy" / "fabric.yaml").read_text(encoding="utf-8")
    boxes = (("sonic", "arista-7060x6-64pe", "Ethernet0"), ("arista", "arista-7060x6-64pe", "Ethernet1/1"))
    written = {}
    for vendor, box, port in (*boxes, ("spectrum", "nvidia-sn5600", "swp1")):
        intent = tmp_path / vendor / "fabric.yaml"
        intent.parent.mkdir()
        ports = f"ports: {{{port}: {{speed: 400G, cable: 5m}}}}"
        devices = f"devices: {{s1: {{vendor: {vendor}, platform: {box}, mtu: 9012, {ports}}}}}\n"
        intent.write_text(text + devices, encoding="utf-8")
        rendered = rocecfg.render(rocecfg.load(str(intent)), vendor)
        written[vendor] = any(re.search(r"^[^#]*9012", file, re.MULTILINE) for file in rendered.values())
    assert "(but on EOS) MTU" in limits
    assert written == {"sonic": False, "spectrum": False, "arista": True}


def test_readme_is_read_in_a_minute() -> None:
    prose = re.sub(r"^```.*?^```$", "", README, flags=re.MULTILINE | re.DOTALL)
    assert len(prose.split()) < 600
    assert len(README.split()) < 800
    for word in ("deadlock", "pause storm", "PFC watchdog", "headroom", "lossless", "AI backend"):  # what is searched
        assert word in README


def test_python_that_is_shown_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (code,) = _blocks("python", (DOCS / "mcp.md").read_text("utf-8"))
    names: dict[str, dict[str, str]] = {}
    for _ in range(2):  # the functions are still there once their modules are loaded
        exec(code, names)  # noqa: S102 - our own page
    assert sorted(names["files"]) == ["spine01.cfg", "spine02.cfg"]


def test_links_lead_somewhere() -> None:
    """In the README and every page; mkdocs looks at anchors."""
    links = {
        (path, target)
        for path in PAGES
        for target in re.findall(r"\]\((?![a-z]+:)([^)#\s]+)", _FENCE.sub("", path.read_text("utf-8")))
    }
    assert len(links) > 300
    assert [(path.name, target) for path, target in links if not (path.parent / target).exists()] == []


def test_changelog_begins_with_this_version_or_what_comes_next() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.findall(r"^## \[([^\]]+)\]", changelog, re.MULTILINE)[0]
    assert newest in ("Unreleased", rocecfg.__version__)
