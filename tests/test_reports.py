"""Reports: what a finding looks like to a person and to a program."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from intents import FABRIC, POLICY, judged, rocecfg, write

from rocecfg.report import json_format, text
from rocecfg.rules.index import ROWS


def full(tmp_path: Path, intent: str, files: dict[str, str | bytes] | None = None) -> list[str]:
    """The full report of an intent, cut into findings."""
    run = judged(tmp_path, intent, files)[1]
    report = text.render_full(run).replace(f"{tmp_path}/", "")
    return report.split("\n\n")


def total(line: str) -> str:
    """The last line without its count of rules that had nothing to look at, which grows with each rule."""
    assert re.search(r"; \d+ rules skipped: no [a-z_, ]+$", line)
    return line.rpartition("; ")[0]


def marked(block: str) -> str:
    """What the carets of a finding stand under, as a terminal shows it, one cell a column."""
    lines = block.splitlines()
    at = next(i for i, line in enumerate(lines) if re.fullmatch(r" *\| *\^+", line))
    cells = _cells(lines[at - 1])
    return "".join(cells[i] for i, c in enumerate(lines[at]) if c == "^" and i < len(cells))


def _cells(line: str) -> list[str]:
    """A line as a terminal lays it out: wide characters take a second, empty cell; combining ones none."""
    cells: list[str] = []
    for c in line:
        if c in "日本語テキスト":
            cells += [c, ""]
        elif c == "\u0301":
            cells[-1] += c
        else:
            cells.append(c)
    return cells


def test_full_shows_line_place_fix_and_reach(tmp_path: Path) -> None:
    intent = POLICY.replace("bandwidth: 40}", "bandwidth: 30}")
    intent += 'devices:\n  leaf[1-4]: {ports: {"Ethernet[0-31]": {speed: 400G, faces: host}}}\n'
    (block, totals) = full(tmp_path, intent)
    lines = block.splitlines()
    assert re.fullmatch(r"error\[ETS\d+\] ets-sum: shares sum to 90%, not 100%.*", lines[0])
    assert lines[1] == " --> fabric.yaml:8:69"
    assert lines[2] == "  |"
    assert lines[3] == "8 |   default: {carries: [default], dscp: rest, priority: 0, bandwidth: 30}"
    assert lines[4].index("^") == lines[3].index("30}")
    assert lines[-1] == "  = reaches leaf[1-4] (4 devices, 128 ports)"
    assert total(totals.rstrip("\n")) == "1 error in 1 fabric, 1 file, 4 devices, 128 ports"


def test_full_shows_the_second_place(tmp_path: Path) -> None:
    (block, _) = full(tmp_path, f"include: [more.yaml]\n{FABRIC}", {"more.yaml": "fabric: {mtu: 1500}\n"})
    assert block.splitlines()[1] == " --> more.yaml:1:15"
    assert "  = fabric.yaml:9:8: the other value, which is used" in block


@pytest.mark.parametrize(
    "before",
    [
        "name: lab, ",
        "name: lab,\t",
        "name: lab, description: 'ÄÖÜ', ",
        "name: lab, description: '日本語テキスト', ",
        "name: lab, description: 'e\u0301e\u0301', ",
        f"name: lab, description: '{'x' * 1000}', ",
        f"name: lab, description: '{'日' * 300}', ",
    ],
)
@pytest.mark.parametrize("after", ["", f", oversubscription: '{'y' * 500}'"])
def test_carets_stand_under_the_place(before: str, after: str, tmp_path: Path) -> None:
    (block,) = (
        b for b in full(tmp_path, POLICY.replace("name: lab", f"{before}kin: 3{after}")) if "schema-unknown-key" in b
    )
    assert marked(block) == "kin"
    assert max(map(len, block.splitlines())) < 430  # 200 characters are shown, and some take two columns


def test_carets_of_a_place_over_several_lines_end_with_the_first(tmp_path: Path) -> None:
    intent = POLICY.replace("fabric: {name: lab}", "fabric: [\n  lab]")
    (block,) = (b for b in full(tmp_path, intent) if "schema-type" in b)
    assert marked(block) in {"[", "fabric"}


def test_a_syntax_error_shows_its_line_too(tmp_path: Path) -> None:
    block, totals = full(tmp_path, "rocecfg: 1\nfabric: x: y\n")
    assert block.splitlines()[1:] == [
        " --> fabric.yaml:2:10",
        "  |",
        "2 | fabric: x: y",
        "  |          ^",
        '  = help: fabric and x are on one line: write fabric: {x: ...}; if "x: ..." is a text, quote it',
    ]
    assert totals == "1 error in 1 fabric, 1 file\n"


@pytest.mark.parametrize(
    "intent", ["rocecfg: 1\nfabric: {name: x", "rocecfg: 1\nfabric: {name: x\n", "rocecfg: [\n\n\n"]
)
def test_an_error_at_the_end_of_the_text_has_a_line(intent: str, tmp_path: Path) -> None:
    block, _ = full(tmp_path, intent)
    match = re.search(r"--> fabric.yaml:(\d+):(\d+)", block)
    assert match is not None
    assert 1 <= int(match[1]) <= intent.count("\n") + 1


def test_nothing_in_a_source_line_steers_the_terminal(tmp_path: Path) -> None:
    intent = POLICY + "links: [cabling.csv]\n"
    blocks = full(tmp_path, intent, {"cabling.csv": "leaf1,\x1b[2JEthernet0,\u202espine1\n"})
    assert any("cabling.csv:1:1" in b for b in blocks)
    assert not set("".join(blocks)) & set("\x1b\u202e")


def test_concise_is_one_line_a_finding(tmp_path: Path) -> None:
    intent = POLICY.replace("bandwidth: 40}", "bandwidth: 30}") + "devices:\n  leaf[1-4]: {}\n"
    run = judged(tmp_path, intent)[1]
    lines = text.render_concise(run).replace(f"{tmp_path}/", "").splitlines()
    assert re.fullmatch(
        r"fabric\.yaml:8:69: error ETS\d+ ets-sum: shares sum to 90%.* \[leaf\[1-4\] \(4 devices\)\]", lines[0]
    )
    assert list(map(total, lines[1:])) == ["1 error in 1 fabric, 1 file, 4 devices, 0 ports"]


def test_a_clean_run_says_so(tmp_path: Path) -> None:
    run = judged(tmp_path, FABRIC)[1]
    assert total(text.render_concise(run).rstrip("\n")) == "clean in 1 fabric, 1 file, 4 devices, 130 ports"
    assert text.render_full(run) == text.render_concise(run)


# -- JSON --------------------------------------------------------------------------------------------------------------

FINDING = {
    "rule",
    "name",
    "severity",
    "message",
    "path",
    "line",
    "column",
    "end_line",
    "end_column",
    "device",
    "port",
    "class",
    "related",
    "fix",
    "url",
}
SUMMARY = {"files", "fabrics", "devices", "ports", "errors", "warnings", "infos", "suppressed", "not_understood"}
SUMMARY |= {"folded", "silent_rules", "silent_sections", "elsewhere", "absent", "unset", "unmodelled"}
SUMMARY |= {"ignored_files", "ignored_folders", "excluded_files", "excluded_folders"}


def parsed(tmp_path: Path, intent: str, files: dict[str, str | bytes] | None = None) -> Any:
    run = judged(tmp_path, intent, files)[1]
    return json.loads(json_format.render(run))


def test_json_has_the_shape_of_the_contract(tmp_path: Path) -> None:
    intent = POLICY.replace("bandwidth: 40}", "bandwidth: 30}")
    intent += 'devices:\n  leaf[1-4]: {ports: {"Ethernet[0-31]": {speed: 400G, faces: management, classes: [rdma]}}}\n'
    report = parsed(tmp_path, intent)
    assert report["version"] == 1
    assert set(report) == {"version", "findings", "summary", "statements"}
    assert report["statements"] is None  # an intent has none of a device
    assert set(report["summary"]) == SUMMARY
    for found in report["findings"]:
        assert set(found) >= FINDING
    by_name = {f["name"]: f for f in report["findings"]}
    ets, mgmt = by_name["ets-sum"], by_name["pfc-mgmt-port"]
    assert (ets["path"], ets["line"], ets["column"]) == (f"{tmp_path}/fabric.yaml", 8, 69)
    assert (ets["end_line"], ets["end_column"]) == (8, 71)
    assert (ets["device"], ets["port"]) == ("leaf[1-4]", None)
    assert ets["fix"] == {"safe": False, "description": "scale the shares to 100%"}
    assert (mgmt["device"], mgmt["port"]) == ("leaf[1-4]", "Ethernet[0-31]")
    assert "links" in report["summary"].pop("silent_sections")
    assert report["summary"].pop("silent_rules") > len({row for row in ROWS if "links" in row[3]})
    assert report["summary"] == {
        "files": 1,
        "fabrics": 1,
        "devices": 4,
        "ports": 128,
        "errors": sum(f["severity"] == "error" for f in report["findings"]),
        "warnings": sum(f["severity"] == "warning" for f in report["findings"]),
        "infos": 0,
        "suppressed": 0,
        "not_understood": 0,
        "folded": 0,
        "elsewhere": 0,
        "absent": [],
        "unset": [],
        "unmodelled": "",
        **dict.fromkeys(("ignored_files", "ignored_folders", "excluded_files", "excluded_folders"), 0),
    }


def test_json_names_the_class_and_the_second_place(tmp_path: Path) -> None:
    intent = POLICY.replace("kmax: 1600KB", "kmax: 300KB").replace("priority: 6", "priority: 6, priority: 5")
    by_name = {f["name"]: f for f in parsed(tmp_path, intent)["findings"]}
    assert by_name["ecn-order"]["class"] == "rdma"
    assert by_name["ecn-order"]["device"] is None
    assert by_name["schema-duplicate-key"]["class"] is None
    (second,) = by_name["schema-duplicate-key"]["related"]
    assert set(second) == {"path", "line", "column", "message"}
    assert (second["line"], second["message"]) == (6, "the first one, which is used")


@pytest.mark.parametrize(
    ("files", "place"),
    [
        ({"fabric.yaml": "rocecfg: 1\nx: [\n"}, ("fabric.yaml", 3, 1)),
        ({"fabric.yaml": b"rocecfg: 1\nx: \xff\n"}, ("fabric.yaml", 2, 4)),
        ({"fabric.yaml": "rocecfg: 1\ninclude: [fabric.yaml]\n"}, ("fabric.yaml", 2, 11)),
        ({}, ("fabric.yaml", 1, 1)),
        ({"fabric.yaml/x": ""}, ("fabric.yaml", 1, 1)),
        ({"fabric.yaml": "no: intent\n"}, ("fabric.yaml", 1, 1)),
    ],
)
def test_what_cannot_be_read_is_a_finding_in_every_format(
    files: dict[str, str | bytes], place: tuple[str, int, int], tmp_path: Path
) -> None:
    write(tmp_path, files)
    done = rocecfg(tmp_path, "lint", "fabric.yaml", "--format", "json", "--output", "concise=out.txt", expect=2)
    (found,) = json.loads(done.stdout)["findings"]
    assert (found["name"], found["rule"], found["severity"]) == ("schema-syntax", "SCH000", "error")
    assert (found["path"], found["line"], found["column"]) == place
    assert (
        (tmp_path / "out.txt").read_text().startswith(f"{place[0]}:{place[1]}:{place[2]}: error SCH000 schema-syntax")
    )


# -- outputs and colour ------------------------------------------------------------------------------------------------


def test_several_outputs_at_once(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY.replace("bandwidth: 40}", "bandwidth: 30}")})
    done = rocecfg(
        tmp_path, "lint", "--format", "concise", "--output", "json=a.json", "--output", "full=b.txt", expect=1
    )
    assert done.stdout == rocecfg(tmp_path, "lint", "--format", "concise", expect=1).stdout
    assert (tmp_path / "a.json").read_text() == rocecfg(tmp_path, "lint", "--format", "json", expect=1).stdout
    assert (tmp_path / "b.txt").read_text() == rocecfg(tmp_path, "lint", expect=1).stdout
    quiet = rocecfg(tmp_path, "lint", "--output", "json=c.json", expect=1)
    assert quiet.stdout == ""
    assert (tmp_path / "c.json").read_bytes() == (tmp_path / "a.json").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--output", "yaml"], "no format 'yaml'"),
        (["--format", "yaml"], "'yaml' is not one of"),
        (["--format", "full", "--output", "json"], "two formats for standard output"),
        (["--output", "json=no/such/folder/x.json"], "no/such/folder/x.json cannot be written"),
        (["--output", "json=taken"], "taken cannot be written"),
    ],
)
def test_an_output_that_cannot_be_is_refused(arguments: list[str], word: str, tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY, "taken/x": ""})
    done = rocecfg(tmp_path, "lint", *arguments, expect=2)
    assert word in done.stderr
    assert [p.name for p in tmp_path.rglob("*.partial")] == []


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [
        ({"NO_COLOR": ""}, False),
        ({"NO_COLOR": "", "FORCE_COLOR": "1"}, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
    ],
)
def test_colour_only_where_it_is_wanted(environment: dict[str, str], coloured: bool, tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY.replace("bandwidth: 40}", "bandwidth: 30}")})
    plain = rocecfg(tmp_path, "lint", expect=1, NO_COLOR="1").stdout
    out = rocecfg(tmp_path, "lint", "--output", "full", "--output", "concise=f.txt", expect=1, **environment).stdout
    assert ("\x1b[" in out) is coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", out) == plain
    assert "\x1b" not in (tmp_path / "f.txt").read_text()
    assert "\x1b" not in rocecfg(tmp_path, "lint", "--format", "json", expect=1, **environment).stdout


@pytest.mark.parametrize("format_", ["full", "concise", "json"])
def test_any_locale_gives_the_same_bytes(format_: str, tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY.replace("name: lab", "name: lab, description: 'ü 日本', kin: 1")})
    outs = [
        rocecfg(tmp_path, "lint", "--format", format_, expect=1, **env).stdout
        for env in ({}, {"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"})
    ]
    assert outs[0] == outs[1] == outs[2]
    assert "fabric.yaml" in outs[0]


def test_a_file_name_that_is_not_utf8_is_escaped(tmp_path: Path) -> None:
    (tmp_path / "b\udcff.yaml").write_text("rocecfg: 1\nx: [\n")
    for format_ in ("full", "concise", "json"):
        done = rocecfg(tmp_path, "lint", "--format", format_, "--output", "json=out.json", expect=2)
        assert "b\\udcff.yaml" in done.stdout
    assert json.loads((tmp_path / "out.json").read_text())["summary"]["errors"] == 1
