"""Settings files: where they are found, what they change, and what is said of one that is wrong."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from checkout import ROOT, clean_environment, run
from intents import POLICY, rocecfg, write
from loops import loop

from rocecfg.config.globs import matches
from rocecfg.config.toml import parse
from rocecfg.source.document import Document

BAD = POLICY.replace("bandwidth: 40}", "bandwidth: 30}").replace("kmax: 1600KB", "kmax: 300KB")  # ets-sum, ecn-order
BARE = POLICY[: POLICY.index("pfc:")]  # watchdog-missing, which no comment silences


def lint(cwd: Path, *arguments: str, expect: int | None = None) -> list[str]:
    """`path: severity rule` of what a run finds, but for absent sections."""
    out = rocecfg(cwd, "lint", "--format", "concise", *arguments, expect=expect).stdout.splitlines()[:-1]
    parts = [(line.split(":")[0], line.split()) for line in out if "hygiene-absent" not in line]
    return [f"{path}: {words[1]} {words[3].rstrip(':')}" for path, words in parts]


def place(folder: Path, settings: str, intent: str = BAD, *, name: str = "rocecfg.toml") -> None:
    write(folder, {name: settings, "fabric.yaml": intent})


BOTH = ["fabric.yaml: error ecn-order", "fabric.yaml: error ets-sum"]


# -- where -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["rocecfg.toml", "pyproject.toml"])
@pytest.mark.parametrize("above", ["", "a/", "a/b/"])
def test_the_nearest_file_upward_counts(name: str, above: str, tmp_path: Path) -> None:
    head = "[tool.rocecfg]\n" if name == "pyproject.toml" else ""
    write(tmp_path, {f"{above}{name}": f'{head}ignore = ["ets"]\n', "a/b/fabric.yaml": BAD})
    assert lint(tmp_path / "a" / "b", expect=1) == BOTH[:1]
    assert lint(tmp_path, "a/b/fabric.yaml", expect=1) == ["a/b/fabric.yaml: error ecn-order"]
    assert lint(tmp_path, expect=1) == ["a/b/fabric.yaml: error ecn-order"]


def test_one_nearer_hides_one_further_up(tmp_path: Path) -> None:
    write(
        tmp_path, {"rocecfg.toml": 'ignore = ["ets"]\n', "a/rocecfg.toml": 'ignore = ["ecn"]\n', "a/fabric.yaml": BAD}
    )
    assert lint(tmp_path, expect=1) == ["a/fabric.yaml: error ets-sum"]


def test_its_own_file_comes_before_pyproject_and_a_pyproject_of_others_is_passed_over(tmp_path: Path) -> None:
    other = '[tool.other]\nx = "rocecfg"\n'
    place(tmp_path, 'ignore = ["ets"]\n')
    write(tmp_path, {"pyproject.toml": '[tool.rocecfg]\nignore = ["ecn"]\n', "sub/pyproject.toml": other})
    write(tmp_path, {"sub/fabric.yaml": BAD})
    assert lint(tmp_path, "fabric.yaml", expect=1) == BOTH[:1]
    assert lint(tmp_path, "sub", expect=1) == ["sub/fabric.yaml: error ecn-order"]


def test_the_top_of_a_repository_ends_the_search(tmp_path: Path) -> None:
    write(tmp_path, {"rocecfg.toml": 'ignore = ["ets", "ecn"]\n', "repo/.git/HEAD": "", "repo/fabric.yaml": BAD})
    assert lint(tmp_path / "repo", expect=1) == BOTH
    write(tmp_path, {"repo/rocecfg.toml": 'ignore = ["ets"]\n'})
    assert lint(tmp_path / "repo", expect=1) == BOTH[:1]


def test_each_fabric_of_a_run_has_its_own(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a/rocecfg.toml": 'ignore = ["ets"]\nfail-on = "warning"\n[severity]\necn-order = "info"\n',
            "a/fabric.yaml": BAD,
            "b/rocecfg.toml": '[severity]\necn-order = "warning"\nets-sum = "off"\n',
            "b/fabric.yaml": BAD,
        },
    )
    assert lint(tmp_path, expect=0) == ["a/fabric.yaml: info ecn-order", "b/fabric.yaml: warning ecn-order"]
    assert lint(tmp_path, "b", "--fail-on", "warning", expect=1) == ["b/fabric.yaml: warning ecn-order"]


def test_a_part_of_a_fabric_is_judged_by_the_settings_of_its_root(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "fabric.yaml": "include: [racks/classes.yaml]\n" + BAD[: BAD.index("classes:")],
            "racks/classes.yaml": BAD[BAD.index("classes:") :],
            "rocecfg.toml": 'ignore = ["ets"]\n',
            "racks/rocecfg.toml": 'ignore = ["ecn"]\n',
        },
    )
    assert lint(tmp_path, "racks/classes.yaml", expect=1) == ["racks/classes.yaml: error ecn-order"]


def test_config_names_a_file_and_isolated_takes_none(tmp_path: Path) -> None:
    place(tmp_path, 'ignore = ["ets"]\n')
    write(tmp_path, {"other/ci.toml": 'ignore = ["ecn"]\n', "other/pyproject.toml": '[tool.rocecfg]\nselect = "ets"\n'})
    assert lint(tmp_path, "--config", "other/ci.toml", expect=1) == BOTH[1:]
    assert lint(tmp_path, "--config", "other/pyproject.toml", expect=1) == BOTH[1:]
    assert lint(tmp_path, "--no-config", expect=1) == lint(tmp_path, "--isolated", expect=1) == BOTH
    assert "gone.toml" in rocecfg(tmp_path, "lint", "--config", "gone.toml", expect=2).stderr


def test_without_settings_none_of_it_is_loaded(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY, "pyproject.toml": "[project]\nname = 'x'\n", ".git/HEAD": ""})
    script = (
        "import sys\nfrom rocecfg.cli import cli\n"
        "try:\n    cli(['lint', 'fabric.yaml'], prog_name='rocecfg')\n"
        "finally:\n    names = ('tomllib', 'rocecfg.config', 'rocecfg.linting.baseline')\n"
        "    print(sorted(m for m in sys.modules if m.startswith(names)))\n"
    )
    out = run(sys.executable, "-c", script, cwd=tmp_path, env=clean_environment(PYTHONPATH=str(ROOT))).stdout
    loaded = out.splitlines()[-1]
    assert "tomllib" not in loaded
    assert "rocecfg.config.find" in loaded
    assert "rocecfg.config.policy" not in loaded
    assert "rocecfg.linting.baseline" not in loaded


# -- what they change --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "arguments", "found"),
    [
        ('select = ["ets"]', [], BOTH[1:]),
        ('select = "ETS501"', [], BOTH[1:]),
        ('ignore = ["ets-sum", "ECN"]', [], []),
        ('[severity]\nets-sum = "off"', [], BOTH[:1]),
        ('[severity]\nETS501 = "warning"', [], [BOTH[0], "fabric.yaml: warning ets-sum"]),
        ('[per-file-ignores]\n"fabric.yaml" = ["ets"]', [], BOTH[:1]),
        ('[per-file-ignores]\n"*.yaml" = ["ets"]\n"other.yaml" = ["ecn"]', [], BOTH[:1]),
        ('select = ["ets"]', ["--select", "ecn"], BOTH[:1]),
        ('ignore = ["ets"]', ["--select", "ets"], BOTH[1:]),
        ('[severity]\nets-sum = "off"', ["--select", "ets"], BOTH[1:]),
        ('ignore = ["ets"]', ["--ignore", "ecn"], []),
        ('select = ["ets", "ecn"]', ["--ignore", "ets"], BOTH[:1]),
    ],
)
def test_rules_and_severities(settings: str, arguments: list[str], found: list[str], tmp_path: Path) -> None:
    place(tmp_path, settings)
    assert lint(tmp_path, *arguments) == found


@pytest.mark.parametrize(
    ("fail_on", "arguments", "code"),
    [("info", [], 1), ("warning", [], 1), ("error", [], 0), ("warning", ["--fail-on", "error"], 0)],
)
def test_what_fails_a_run(fail_on: str, arguments: list[str], code: int, tmp_path: Path) -> None:
    place(tmp_path, f'fail-on = "{fail_on}"\n[severity]\nets-sum = "warning"\necn-order = "info"\n')
    lint(tmp_path, *arguments, expect=code)


def test_a_rule_that_no_comment_silences_is_ignored_by_its_whole_name_alone(tmp_path: Path) -> None:
    found = ["fabric.yaml: error watchdog-missing"]
    for settings in ('ignore = ["watchdog"]', '[per-file-ignores]\n"*.yaml" = ["WDG"]'):
        place(tmp_path, settings, BARE)
        assert lint(tmp_path, expect=1) == found
    code = "WDG201"
    for settings in ('ignore = ["watchdog-missing"]', f'ignore = ["{code}"]', f'[severity]\n{code} = "off"'):
        place(tmp_path, settings, BARE)
        assert lint(tmp_path, expect=0) == []


def test_a_waiver_of_a_rule_that_settings_leave_out_is_not_unused(tmp_path: Path) -> None:
    waived = BAD.replace("bandwidth: 30}", "bandwidth: 30}  # rocecfg: ignore[ets-sum] -- migration")
    place(tmp_path, 'ignore = ["ets"]', waived)
    assert lint(tmp_path) == BOTH[:1]
    place(tmp_path, '[per-file-ignores]\n"*.yaml" = ["ets"]', waived)
    assert lint(tmp_path) == BOTH[:1]


def test_what_cannot_be_read_is_told_whatever_they_say(tmp_path: Path) -> None:
    place(tmp_path, 'select = ["ets"]\n[per-file-ignores]\n"*" = ["sch", "hyg"]', "rocecfg: [")
    assert lint(tmp_path, expect=2) == ["fabric.yaml: error schema-syntax"]


def test_outputs_are_written_beside_the_settings(tmp_path: Path) -> None:
    write(tmp_path, {"sub/rocecfg.toml": 'output = ["concise", "json=out.json"]\n', "sub/fabric.yaml": BAD})
    done = rocecfg(tmp_path, "lint", "sub", expect=1)
    assert "sub/fabric.yaml:8:69: error ETS501 ets-sum" in done.stdout
    assert '"ets-sum"' in (tmp_path / "sub" / "out.json").read_text()
    (tmp_path / "sub" / "out.json").unlink()
    assert rocecfg(tmp_path, "lint", "sub", "--format", "json", expect=1).stdout.startswith("{")
    assert not (tmp_path / "sub" / "out.json").exists()


def test_two_settings_that_want_different_outputs_are_an_error(tmp_path: Path) -> None:
    for name in "ab":
        write(tmp_path, {f"{name}/rocecfg.toml": 'output = "concise"\n', f"{name}/fabric.yaml": BAD})
    assert "b/rocecfg.toml" in rocecfg(tmp_path, "lint", expect=2).stderr
    assert len(lint(tmp_path, expect=1)) == 4  # with --format


# -- environments ------------------------------------------------------------------------------------------------------

ENVIRONMENTS = """\
fail-on = "warning"
[severity]
ecn-order = "warning"
[environments.lab]
paths = ["lab/**"]
fail-on = "error"
severity = {ecn-order = "info"}
ignore = ["ets"]
[environments.production]
paths = ["prod*/"]
select = ["ets"]
[environments.staging]
severity = {ets-sum = "off"}
"""


@pytest.mark.parametrize(
    ("path", "arguments", "found", "code"),
    [
        ("lab/x/fabric.yaml", [], ["info ecn-order"], 0),
        ("prod-eu/fabric.yaml", [], ["error ets-sum"], 1),
        ("other/fabric.yaml", [], ["warning ecn-order", "error ets-sum"], 1),
        ("lab/x/fabric.yaml", ["--environment", "staging"], ["warning ecn-order"], 1),
        ("other/fabric.yaml", ["--environment", "lab"], ["info ecn-order"], 0),
        ("lab/x/fabric.yaml", ["--fail-on", "info"], ["info ecn-order"], 1),
        ("lab/x/fabric.yaml", ["--select", "ets"], ["error ets-sum"], 1),
    ],
)
def test_an_environment_by_path_or_by_name(
    path: str, arguments: list[str], found: list[str], code: int, tmp_path: Path
) -> None:
    write(tmp_path, {"rocecfg.toml": ENVIRONMENTS, path: BAD})
    assert lint(tmp_path, *arguments, expect=code) == [f"{path}: {one}" for one in found]


def test_an_environment_that_is_not_there_or_not_the_only_one(tmp_path: Path) -> None:
    place(tmp_path, '[environments.a]\npaths = ["*.yaml"]\n[environments.b]\npaths = ["fabric.*"]\n')
    wrong = rocecfg(tmp_path, "lint", "--environment", "c", expect=2)
    assert "no environment 'c'" in wrong.stderr
    assert "known: a, b" in wrong.stderr
    two = rocecfg(tmp_path, "lint", expect=2).stderr
    assert "a (rocecfg.toml:1)" in two
    assert "b (rocecfg.toml:3)" in two
    assert lint(tmp_path, "--environment", "b", expect=1) == BOTH


# -- mistakes ----------------------------------------------------------------------------------------------------------


@loop(
    ("settings", "line", "column", "words"),
    [
        ("selct = []", 1, 1, ["'selct'", "did you mean select?"]),
        ("# x\nfail_on = 'error'", 2, 1, ["did you mean fail-on?"]),
        ('ignore = ["ets", "ecn-oder"]', 1, 18, ["'ecn-oder'", "did you mean ecn-order?"]),
        ('ignore = [\n  "ets", # ]\n  "nope",\n]', 3, 3, ["'nope'"]),
        ('ignore = "nope"', 1, 1, ["'nope'"]),
        ("ignore = [3]", 1, 11, ["3", "quote it"]),
        ("select = {}", 1, 1, ["list"]),
        ('ignore = ["hygiene-waiver"]', 1, 11, ["whole name", "hygiene-waiver-unused"]),
        ('ignore = ["schema-syntax"]', 1, 1, ["schema-syntax"]),
        ('fail-on = "never"', 1, 1, ["'never'", "error, warning, info"]),
        ('[severity]\n\n"ets-sum" = "high"', 3, 1, ["'high'", "off"]),
        ('[severity]\nets = "off"', 2, 1, ["begins the names of several rules"]),
        ('[severity]\nets-sun = "off"', 2, 1, ["did you mean ets-sum?"]),
        ('[severity]\nets-sum = "off"\nETS501 = "info"', 3, 1, ["two severities"]),
        ('severity.schema-syntax = "info"', 1, 10, ["fixed"]),
        ("severity = 3", 1, 1, ["table"]),
        ('[per-file-ignores]\n"a/*.yaml" = ["ets-sum", "nope"]', 2, 26, ["'nope'"]),
        ('[environments.lab]\npath = ["lab/**"]', 2, 1, ["'path'", "did you mean paths?"]),
        ('[environments.lab]\noutput = "json"', 2, 1, ["'output'"]),
        ('[environments]\nlab = {severity = {ets-sum = "no"}}', 2, 20, ["'no'"]),
        ("environments = []", 1, 1, ["table"]),
        ("baseline = 1", 1, 1, ["file"]),
        ("x = [", 1, 6, ["not TOML"]),
        ('a = """\nb\n', 2, 2, ["not TOML"]),
    ],
)
def test_a_mistake_has_its_place_and_its_fix(
    settings: str, line: int, column: int, words: list[str], tmp_path: Path
) -> None:
    place(tmp_path, settings)
    done = rocecfg(tmp_path, "lint", "fabric.yaml", expect=2)
    assert done.stdout == ""
    assert done.stderr.startswith(f"rocecfg: rocecfg.toml:{line}:{column}: ")
    assert [w for w in words if w not in done.stderr] == []


def test_a_mistake_in_pyproject_has_its_place(tmp_path: Path) -> None:
    place(tmp_path, '[project]\nname = "x"\n[tool.rocecfg]\nignore = [\n"nope"]\n', name="pyproject.toml")
    assert "pyproject.toml:5:1: there is no rule 'nope'" in rocecfg(tmp_path, "lint", expect=2).stderr
    place(tmp_path, "[tool]\nrocecfg = 3\n", name="pyproject.toml")
    assert "pyproject.toml:2:1: rocecfg must be a table" in rocecfg(tmp_path, "lint", expect=2).stderr


def test_an_unknown_format_names_the_line_that_asks_for_it(tmp_path: Path) -> None:
    place(tmp_path, 'output = [\n"full",\n"yaml=x"]\n')
    assert "rocecfg.toml:3: output yaml=x: no format 'yaml'" in rocecfg(tmp_path, "lint", expect=2).stderr


def test_settings_that_are_no_text_are_an_error(tmp_path: Path) -> None:
    write(tmp_path, {"rocecfg.toml": b"ignore = ['\xff']", "fabric.yaml": BAD})
    assert "rocecfg.toml:1:12: byte 0xff is not UTF-8" in rocecfg(tmp_path, "lint", expect=2).stderr


# -- places of keys ----------------------------------------------------------------------------------------------------


def test_every_key_and_item_has_its_place() -> None:
    text = (
        "a.b = 1 # x = [\n"
        '"c d" = """\n[x]\ny = 1""" \n'
        "[t.\"u.v\".'w']\n"
        "k = ['''a\n]''', {m = 1, n = [true]}, 1979-05-27T07:32:00Z]\n"
        '[[s]]\nx = 1\n[[s]]\n  x = "\\"]"\n[s.y]\nz = +1.5e3\n'
    )
    values, places = parse(Document(0, "x", text))
    assert values["s"][1]["y"] == {"z": 1500.0}
    lines = text.splitlines()
    document = Document(0, "x", text)

    def at(*path: str | int) -> str:
        line, column = document.place(places[path])
        return f"{line}:{lines[line - 1][column - 1 :]}"

    assert at("a", "b").startswith("1:b = 1")
    assert at("c d").startswith('2:"c d"')
    assert at("t", "u.v", "w") == "5:'w']"
    assert at("t", "u.v", "w", "k", 0) == "6:'''a"
    assert at("t", "u.v", "w", "k", 1, "n", 0).startswith("7:true]}")
    assert at("t", "u.v", "w", "k", 2).startswith("7:1979")
    assert at("s", 1, "x").startswith("11:x")
    assert at("s", 1, "y", "z").startswith("13:z")
    assert ("y",) not in places


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("*.yaml", "a/b/c.yaml", True),
        ("lab/*.yaml", "lab/a.yaml", True),
        ("lab/*.yaml", "lab/x/a.yaml", False),
        ("./lab/*.yaml", "lab/a.yaml", True),
        ("lab/**", "lab/x/a.yaml", True),
        ("lab/**/*.yaml", "lab/a.yaml", True),
        ("lab/", "lab/x/a.yaml", True),
        ("**/lab/*", "x/y/lab/a", True),
        ("**/lab/*", "lab/a", True),
        ("lab/*", "collab/a", False),
        ("rack[0-3].yaml", "rack2.yaml", True),
        ("rack[!0-3].yaml", "rack2.yaml", False),
        ("rack?.yaml", "rack/.yaml", False),
        ("a.b", "aXb", False),
        ("rack[.yaml", "rack[.yaml", True),
        ("../x/*", "../x/a", True),
    ],
)
def test_patterns(pattern: str, path: str, *, expected: bool) -> None:
    assert matches(f"/top/{path}", "/top", pattern) is expected


# -- what is in force --------------------------------------------------------------------------------------------------


def test_show_settings_says_where_each_came_from(tmp_path: Path) -> None:
    write(tmp_path, {"rocecfg.toml": f'{ENVIRONMENTS}[per-file-ignores]\n"*.csv" = ["sch"]\n', "lab/fabric.yaml": BAD})
    done = rocecfg(tmp_path, "lint", "--show-settings", "--ignore", "watchdog", expect=0)
    rows = [tuple(part.strip() for part in line.split("  ") if part.strip()) for line in done.stdout.splitlines()]
    assert rows[0] == ("lab/fabric.yaml",)
    for row in (
        ("settings", "rocecfg.toml", "found above it"),
        ("environment", "lab", "rocecfg.toml:4"),
        ("select", "every rule", "default"),
        ("ignore", "ets", "rocecfg.toml:8"),
        ("ignore", "watchdog", "--ignore"),
        ("severity.ecn-order", "info", "rocecfg.toml:7"),
        ('per-file-ignores."*.csv"', "sch", "rocecfg.toml:15"),
        ("fail-on", "error", "rocecfg.toml:6"),
        ("baseline", "none", "default"),
        ("output", "full", "default"),
    ):
        assert row in rows


def test_show_settings_names_what_a_beginning_does_not_cover(tmp_path: Path) -> None:
    place(tmp_path, 'ignore = ["watchdog"]')
    out = rocecfg(tmp_path, "lint", "--show-settings", expect=0).stdout
    assert "not watchdog-missing: that takes its whole name" in out


def test_show_settings_without_any(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY, ".git/HEAD": ""})
    out = rocecfg(tmp_path, "lint", "--show-settings", "--format", "json", expect=0).stdout
    assert [line.split() for line in out.splitlines()][1] == ["settings", "none", "default"]
    assert ["output", "json", "--output"] in [line.split() for line in out.splitlines()]


def test_the_settings_of_the_documentation_are_right(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    write(tmp_path, {"rocecfg.toml": text, "lab/fabric.yaml": BARE})
    found = lint(tmp_path, "--baseline", "known.json", "--update-baseline", expect=0)
    assert found == []
    rows = rocecfg(tmp_path, "lint", "--show-settings", expect=0).stdout
    for word in ("lab", "ecn-low, BUF", "watchdog-missing", "sarif=lint.sarif"):
        assert word in rows
