"""What can be done about findings: each action is taken, and what comes of it is judged again."""

from __future__ import annotations

from pathlib import Path

from intents import POLICY
from lsp_client import Client, Json, edited, place, spot

EVERYWHERE: Json = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
YES = POLICY.replace("lossless: true", "lossless: yes")
RENAMED = POLICY.replace("carries: [cnp]", "carris: [cnp]")
BARE = POLICY.partition("pfc:\n")[0]  # without a watchdog
PART = "defaults:\n  pfc:\n    watchdog: {detection_time: 200ms, priorities: [3, 3]}\n"


def _found(editor: Client, uri: str, version: int | None = None) -> set[str]:
    return {one["code"] for one in editor.diagnostics(uri, version) if one["severity"] < 3}


def _at(text: str, part: str) -> Json:
    line, column = spot(text, part)
    return place(line, column, column)


def test_a_safe_fix_is_preferred_and_fixes(editor: Client, tmp_path: Path) -> None:
    uri = editor.open(tmp_path / "fabric.yaml", YES)
    assert _found(editor, uri) == {"SCH003"}
    action = editor.actions(uri, _at(YES, "yes"))["Write true [SCH003]"]
    assert (action["kind"], action["isPreferred"]) == ("quickfix", True)
    assert action["diagnostics"][0]["code"] == "SCH003"
    text = edited(YES, editor.resolve(action)[uri])
    assert text == POLICY
    assert _found(editor, uri, editor.replace(uri, text)) == set()


def test_an_unsafe_fix_says_so(editor: Client, tmp_path: Path) -> None:
    uri = editor.open(tmp_path / "fabric.yaml", RENAMED)
    assert "SCH001" in _found(editor, uri)
    action = editor.actions(uri, _at(RENAMED, "carris"))["Rename it carries [SCH001] (unsafe)"]
    assert "isPreferred" not in action
    assert edited(RENAMED, editor.resolve(action)[uri]) == POLICY


def test_only_what_is_at_the_place_is_offered(editor: Client, tmp_path: Path) -> None:
    text = YES.replace("carries: [cnp]", "carris: [cnp]")
    uri = editor.open(tmp_path / "fabric.yaml", text)
    editor.diagnostics(uri)
    assert "Write true [SCH003]" in editor.actions(uri, _at(text, "yes"), ["quickfix"])
    assert editor.actions(uri, _at(text, "default:"), ["quickfix"]) == {}
    assert editor.actions(uri, _at(text, "yes"), ["refactor"]) == {}


def test_a_missing_watchdog_is_added_with_the_fix(editor: Client, tmp_path: Path) -> None:
    uri = editor.open(tmp_path / "fabric.yaml", BARE)
    assert _found(editor, uri) == {"WDG201"}
    offered = editor.actions(uri, _at(BARE, "true"), ["quickfix"])
    assert not any("Waive WDG201" in title for title in offered)  # it cannot be silenced in a line
    action = next(a for title, a in offered.items() if "[WDG201]" in title)
    text = edited(BARE, editor.resolve(action)[uri])
    assert "watchdog" in text
    assert action["title"].endswith("(unsafe)")  # it changes what is rendered
    assert text.startswith(BARE.rstrip("\n"))
    assert _found(editor, uri, editor.replace(uri, text)) == set()


def test_all_safe_fixes_of_a_file_at_once(editor: Client, tmp_path: Path) -> None:
    text = YES.replace("carries: [cnp]", "carris: [cnp]").replace("name: lab", "dual_tor: no, name: lab 🚀")
    text = text.replace("lab 🚀", "lab, description: 🚀, dscp: 1")
    uri = editor.open(tmp_path / "fabric.yaml", text)
    editor.diagnostics(uri)
    offered = editor.actions(uri, _at(text, "rocecfg"), ["source.fixAll"])
    assert [action["kind"] for action in offered.values()] == ["source.fixAll.rocecfg"]
    (action,) = offered.values()
    fixed = edited(text, editor.resolve(action)[uri])
    assert fixed == text.replace("yes", "true").replace("dual_tor: no", "dual_tor: false")
    editor.replace(uri, fixed)
    assert editor.actions(uri, EVERYWHERE, ["source.fixAll.rocecfg"]) == {}


def test_fixing_a_file_changes_no_other(editor: Client, tmp_path: Path) -> None:
    part = tmp_path / "part.yaml"
    part.write_text(PART, encoding="utf-8")
    text = YES + "include: part.yaml\n"
    uri = editor.open(tmp_path / "fabric.yaml", text)
    editor.diagnostics(uri)
    (action,) = editor.actions(uri, EVERYWHERE, ["source"]).values()
    assert {u: edited(text, e) for u, e in editor.resolve(action).items()} == {uri: text.replace("yes", "true")}


def test_a_waiver_asks_for_its_reason(editor: Client, tmp_path: Path) -> None:
    text = YES.replace("ecn: {", "# für 🚀\n            ecn: {")
    uri = editor.open(tmp_path / "fabric.yaml", text)
    editor.diagnostics(uri)
    line = text.splitlines()[3]
    action = editor.actions(uri, _at(text, "yes"))["Waive SCH003 on this line: a reason must follow"]
    waived = edited(text, editor.resolve(action)[uri])
    assert f"{line}  # rocecfg: ignore[schema-yaml-trap] -- \n" in waived
    assert _found(editor, uri, editor.replace(uri, waived)) == {"SCH003", "HYG901"}  # it counts once it has one
    reported = waived.replace("-- \n", "-- a colleague reads YAML 1.1\n")
    assert _found(editor, uri, editor.replace(uri, reported)) == set()


def test_a_second_rule_joins_the_waiver_of_a_line(editor: Client, tmp_path: Path) -> None:
    text = YES.replace("name: lab}", "name: lab, dual_tor: yes}  # rocecfg: ignore[ets-cnp] -- why")
    uri = editor.open(tmp_path / "fabric.yaml", text)
    editor.diagnostics(uri)
    action = editor.actions(uri, _at(text, "yes"))["Waive SCH003 on this line: a reason must follow"]
    assert "# rocecfg: ignore[schema-yaml-trap, ets-cnp] -- why\n" in edited(text, editor.resolve(action)[uri])


def test_a_waiver_stays_out_of_texts_of_several_lines(editor: Client, tmp_path: Path) -> None:
    text = POLICY.replace("fabric: {name: lab}", 'fabric: {dual_tor: yes, name: lab, description: "one\n  two"}')
    uri = editor.open(tmp_path / "fabric.yaml", text)
    editor.diagnostics(uri)
    action = editor.actions(uri, _at(text, "yes"))["Waive SCH003 on this line: a reason must follow"]
    waived = edited(text, editor.resolve(action)[uri])
    assert waived == text.replace("fabric:", "# rocecfg: ignore[schema-yaml-trap] -- \nfabric:")


def test_an_action_for_a_text_that_is_gone_changes_nothing(editor: Client, tmp_path: Path) -> None:
    uri = editor.open(tmp_path / "fabric.yaml", YES)
    editor.diagnostics(uri)
    action = editor.actions(uri, _at(YES, "yes"))["Write true [SCH003]"]
    since = len(editor.notes)
    editor.replace(uri, "# a line more\n" + YES)
    assert editor.resolve(action) == {}
    reported = editor.wait_for("window/showMessage", bool, since)
    assert "the text has changed since" in reported["message"]


def test_a_fix_that_would_bring_an_error_is_refused_with_the_reason(editor: Client, tmp_path: Path) -> None:
    text = POLICY.replace("carries: [cnp]", 'carris: ["!"]')
    uri = editor.open(tmp_path / "fabric.yaml", text)
    action = editor.actions(uri, _at(text, "carris"))["Rename it carries [SCH001] (unsafe)"]
    since = len(editor.notes)
    assert editor.resolve(action) == {}
    reported = editor.wait_for("window/showMessage", bool, since)
    assert "not changed: it would cause a new error: schema-name" in reported["message"]


def test_an_editor_that_cannot_ask_again_gets_the_edit_at_once(tmp_path: Path) -> None:
    editor = Client(tmp_path)
    uri = editor.open(tmp_path / "fabric.yaml", YES)
    editor.diagnostics(uri)
    action = editor.actions(uri, _at(YES, "yes"))["Write true [SCH003]"]
    assert edited(YES, action["edit"]["changes"][uri]) == POLICY
    assert editor.stop() == (0, "")


def test_edits_name_the_version_they_are_for(editor: Client, tmp_path: Path) -> None:
    uri = editor.open(tmp_path / "fabric.yaml", POLICY)
    version = editor.replace(uri, YES)
    action = editor.actions(uri, _at(YES, "yes"))["Write true [SCH003]"]
    (change,) = editor.ask("codeAction/resolve", action)["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": uri, "version": version}
