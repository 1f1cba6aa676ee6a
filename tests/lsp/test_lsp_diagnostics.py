"""What is found while one types: in which files, at which columns, and gone once it is fixed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from checkout import wait_until
from intents import POLICY
from lsp_client import Client, Json, place, spot

CLASSES, _, REST = POLICY.partition("pfc:\n")
ROOT = "rocecfg: 1\nfabric: {name: lab}\ninclude: [parts/*.yaml]\n"
PART = CLASSES[CLASSES.index("classes:") :] + "pfc:\n" + REST


def _codes(found: list[Json]) -> list[str]:
    return sorted(one["code"] for one in found if one["severity"] < 3)


def _of(found: list[Json], code: str) -> Json:
    return next(one for one in found if one.get("code") == code)


def test_a_finding_stands_where_it_is_written_and_goes_when_fixed(editor: Client, tmp_path: Path) -> None:
    text = POLICY.replace("kmin: 400KB", "kmin: 400")
    uri = editor.open(tmp_path / "fabric.yaml", text)
    found = _of(editor.diagnostics(uri), "SCH006")
    line, column = spot(text, "400")
    assert found["range"] == place(line, column, column + 3)
    assert (found["severity"], found["source"]) == (1, "rocecfg")
    assert "400 has no unit" in found["message"]
    assert "help: write" in found["message"]
    version = editor.change(uri, {"range": place(line, column + 3, column + 3), "text": "KB"})
    assert _codes(editor.diagnostics(uri, version)) == []


def test_related_places_and_severities(editor: Client, tmp_path: Path) -> None:
    text = POLICY.replace("fabric: {name: lab}", "fabric: {name: lab, name: lob, dual_tor: yes}")
    text = text.replace("action: drop", "action: drop, priorities: [4, 3]")
    uri = editor.open(tmp_path / "fabric.yaml", text)
    found = editor.diagnostics(uri)
    twice = _of(found, "SCH002")
    related = twice["relatedInformation"][0]
    assert related["location"] == {"uri": uri, "range": place(*spot(text, "lab"), spot(text, "lab")[1] + 3)}
    assert "which is used" in related["message"]
    assert (twice["severity"], _of(found, "SCH003")["severity"], _of(found, "HYG908")["severity"]) == (1, 2, 3)


def test_findings_of_a_whole_fabric_reach_files_that_are_not_open(editor: Client, tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    part = tmp_path / "parts" / "a b.yaml"
    part.write_text(PART.replace("kmin: 400KB", "kmin: 400"), encoding="utf-8")
    root = tmp_path / "fabric.yaml"
    root.write_text(ROOT, encoding="utf-8")
    uri = editor.open(root)
    assert _codes(editor.diagnostics(uri)) == []
    closed = part.as_uri()
    assert closed.endswith("a%20b.yaml")
    wait_until(lambda: editor.last(closed))
    assert _codes(editor.last(closed) or []) == ["SCH006"]
    editor.open(part, PART)
    editor.diagnostics(closed)
    wait_until(lambda: _codes(editor.last(closed) or []) == [])


def test_the_root_is_found_from_an_included_file(editor: Client, tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    part = tmp_path / "parts" / "classes.yaml"
    part.write_text(PART, encoding="utf-8")
    (tmp_path / "fabric.yaml").write_text(ROOT.replace("lab}", "lab, kind: backen}"), encoding="utf-8")
    uri = editor.open(part)
    assert _codes(editor.diagnostics(uri)) == []
    closed = (tmp_path / "fabric.yaml").as_uri()
    wait_until(lambda: _codes(editor.last(closed) or []) == ["SCH016"])


def test_an_open_root_stands_for_its_file(editor: Client, tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    part = tmp_path / "parts" / "classes.yaml"
    part.write_text(PART, encoding="utf-8")
    root = tmp_path / "fabric.yaml"
    root.write_text(ROOT, encoding="utf-8")
    root_uri, part_uri = editor.open(root), editor.open(part)
    editor.diagnostics(part_uri)
    version = editor.replace(root_uri, ROOT + "classes: {rdma: {priority: 4}}\n")  # never saved
    editor.diagnostics(root_uri, version)
    wait_until(lambda: _codes((editor.last(root_uri) or []) + (editor.last(part_uri) or [])) == ["SCH002"])


def test_text_that_is_broken_while_it_is_typed(editor: Client, tmp_path: Path) -> None:
    uri = editor.open(tmp_path / "fabric.yaml", POLICY)
    assert _codes(editor.diagnostics(uri)) == []
    version = editor.replace(uri, POLICY + "devices: {leaf[01]: ")
    found = editor.diagnostics(uri, version)
    assert [one["code"] for one in found] == ["SCH000"]
    assert found[0]["range"]["start"]["line"] == POLICY.count("\n")
    version = editor.replace(uri, POLICY)
    assert _codes(editor.diagnostics(uri, version)) == []


def test_a_member_that_is_broken_stays_one(editor: Client, tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    part = tmp_path / "parts" / "classes.yaml"
    part.write_text(PART, encoding="utf-8")
    root = tmp_path / "fabric.yaml"
    root.write_text(ROOT, encoding="utf-8")
    root_uri, part_uri = editor.open(root), editor.open(part)
    editor.diagnostics(part_uri)
    editor.diagnostics(root_uri, editor.replace(root_uri, ROOT + "{"))
    version = editor.replace(part_uri, PART.replace("400KB", "400"))
    editor.diagnostics(part_uri, version)
    version = editor.replace(root_uri, ROOT)
    assert _codes(editor.diagnostics(root_uri, version)) == []
    wait_until(lambda: _codes(editor.last(part_uri) or []) == ["SCH006"])


def test_the_last_of_many_changes_counts(tmp_path: Path) -> None:
    """The pause before a text is judged never ends here, but for the question."""
    editor = Client(tmp_path, before="import rocecfg.lsp.server as s; s._DELAY = 1e6")
    uri = editor.open(tmp_path / "fabric.yaml", POLICY)
    editor.diagnostics(uri)
    since = len(editor.notes)
    for number in range(40):
        version = editor.replace(uri, POLICY.replace("400KB", "400" if number % 2 else "300"))
    editor.actions(uri, place(0, 0, 0))  # needs what is known of the last text
    assert "400 has no unit" in _of(editor.diagnostics(uri, version), "SCH006")["message"]
    stated = [p for p in editor.stated("textDocument/publishDiagnostics", since) if p["uri"] == uri]
    assert [p["version"] for p in stated] == [version]  # not one for each
    assert editor.stop() == (0, "")


def test_a_file_on_disk_is_read_again_once_it_changed(editor: Client, tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    part = tmp_path / "parts" / "classes.yaml"
    part.write_text(PART, encoding="utf-8")
    root = tmp_path / "fabric.yaml"
    root.write_text(ROOT, encoding="utf-8")
    uri = editor.open(root)
    editor.diagnostics(uri)
    part.write_text(PART.replace("400KB", "400"), encoding="utf-8")
    editor.report("workspace/didChangeWatchedFiles", {"changes": [{"uri": part.as_uri(), "type": 2}]})
    wait_until(lambda: _codes(editor.last(part.as_uri()) or []) == ["SCH006"])
    part.unlink()
    editor.save(uri)
    wait_until(lambda: editor.last(part.as_uri()) == [])
    wait_until(lambda: "SCH008" in _codes(editor.last(uri) or []))  # the pattern matches no file any more


def test_closing_the_last_file_of_a_fabric_takes_all_back(editor: Client, tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    part = tmp_path / "parts" / "classes.yaml"
    part.write_text(PART.replace("400KB", "400"), encoding="utf-8")
    root = tmp_path / "fabric.yaml"
    root.write_text(ROOT.replace("lab}", "lab, kind: backen}"), encoding="utf-8")
    uri = editor.open(root)
    editor.diagnostics(uri)
    wait_until(lambda: editor.last(part.as_uri()))
    editor.close(uri)
    wait_until(lambda: editor.last(part.as_uri()) == [] and editor.last(uri) == [])


def test_a_closed_text_is_its_file_again(editor: Client, tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    part = tmp_path / "parts" / "classes.yaml"
    part.write_text(PART, encoding="utf-8")
    root = tmp_path / "fabric.yaml"
    root.write_text(ROOT, encoding="utf-8")
    editor.open(root)
    uri = editor.open(part, PART.replace("400KB", "400"))
    assert _codes(editor.diagnostics(uri)) == ["SCH006"]
    editor.close(uri)  # without saving
    wait_until(lambda: editor.last(uri) == [])


def test_two_fabrics_of_one_file(editor: Client, tmp_path: Path) -> None:
    part = tmp_path / "classes.yaml"
    part.write_text(PART.replace("400KB", "400"), encoding="utf-8")
    for name in ("a", "b"):
        text = f"rocecfg: 1\nfabric: {{name: {name}}}\ninclude: classes.yaml\n"
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    uri = editor.open(part)
    assert _codes(editor.diagnostics(uri)) == ["SCH006"]  # one cause, told once
    version = editor.replace(uri, PART)
    assert _codes(editor.diagnostics(uri, version)) == []


def test_settings_count(editor: Client, tmp_path: Path) -> None:
    settings = tmp_path / "rocecfg.toml"
    settings.write_text('ignore = ["schema-unit"]\n', encoding="utf-8")
    uri = editor.open(tmp_path / "fabric.yaml", POLICY.replace("kmin: 400KB", "kmin: 400"))
    assert _codes(editor.diagnostics(uri)) == []
    settings.write_text('ignore = ["no-such-rule"]\n', encoding="utf-8")
    editor.save(uri)
    wait_until(lambda: editor.last(settings.as_uri()))
    wrong = (editor.last(settings.as_uri()) or [])[0]
    assert "no-such-rule" in wrong["message"]
    assert wrong["severity"] == 1
    settings.unlink()
    editor.save(uri)
    wait_until(lambda: editor.last(settings.as_uri()) == [])
    wait_until(lambda: _codes(editor.last(uri) or []) == ["SCH006"])


def test_house_rules_count(editor: Client, tmp_path: Path) -> None:
    rules = tmp_path / "rocecfg-rules.yaml"
    rules.write_text("rules: [", encoding="utf-8")
    uri = editor.open(tmp_path / "fabric.yaml", POLICY)
    editor.diagnostics(uri)
    wait_until(lambda: editor.last(rules.as_uri()))
    assert (editor.last(rules.as_uri()) or [])[0]["code"] == "SCH000"


def test_other_yaml_is_left_alone(editor: Client, tmp_path: Path) -> None:
    uri = editor.open(tmp_path / "compose.yaml", "services: {web: {imag: x}}\n")
    assert editor.diagnostics(uri) == []
    assert editor.complete(uri, 0, 0) == {}
    assert editor.hover(uri, 0, 2) == ""
    assert editor.actions(uri, place(0, 0, 9)) == {}


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8", "utf-32"])
def test_columns_in_the_units_agreed_on(encoding: str, tmp_path: Path) -> None:
    offered: Any = {"general": {"positionEncodings": [encoding]}} if encoding != "utf-16" else {}
    editor = Client(tmp_path, **offered)
    try:
        assert editor.capabilities["positionEncoding"] == encoding
        before = 'fabric: {description: "Gänge 🚀🚀 für", '
        text = POLICY.replace("fabric: {", f"{before}kinnd: backend, ")
        uri = editor.open(tmp_path / "fabric.yaml", text)
        units = {"utf-16": len(before) + 2, "utf-8": len(before.encode()), "utf-32": len(before)}[encoding]
        at = place(1, units, units + 5)
        assert _of(editor.diagnostics(uri), "SCH001")["range"] == at
        assert "kind" in editor.complete(uri, 1, units + 2)
        version = editor.change(uri, {"range": at, "text": "kind"}, {"range": place(1, 0, 0), "text": "#🚀\n"})
        assert _codes(editor.diagnostics(uri, version)) == []
        assert "backend: only RDMA" in editor.hover(uri, 2, units + 4)
        assert editor.hover(uri, 2, units - 1) == ""
    finally:
        assert editor.stop() == (0, "")


@pytest.mark.parametrize(
    ("head", "line"),
    [
        pytest.param("\ufeff", 0, id="byte order mark"),
        pytest.param("# a\r\n# b\r\n", 2, id="CR LF"),
        pytest.param("# a\r# b\r", 2, id="CR"),
        pytest.param("# one\u2028# line\x85# still\n", 1, id="breaks of Unicode that are none to editors"),
    ],
)
def test_lines_as_editors_count_them(editor: Client, tmp_path: Path, head: str, line: int) -> None:
    uri = editor.open(tmp_path / "fabric.yaml", head + "vlan: {}\n" + POLICY)
    wrong = _of(editor.diagnostics(uri), "SCH001")
    start = 1 if head == "\ufeff" else 0
    assert wrong["range"] == place(line, start, start + 4)
    version = editor.change(uri, {"range": place(line, start + 4, start + 4), "text": "s"})
    assert _codes(editor.diagnostics(uri, version)) == []
