"""What editors, users and file systems do to a server: it answers what it can, says what it cannot, and lives."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from checkout import HANG, ROOT, clean_environment, wait_until
from intents import POLICY
from lsp_client import Client, place, spot

import rocecfg


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Client]:
    """An editor of the test's own, whose session need not end in order."""
    client = Client(tmp_path)
    yield client
    if client.process.poll() is None:
        client.stop()


def _alive(editor: Client, folder: Path) -> bool:
    """Whether an intent is still judged."""
    uri = editor.open(folder / "alive.yaml", POLICY.replace("400KB", "400"))
    return any(one["code"] == "SCH006" for one in editor.diagnostics(uri))


def test_texts_that_are_no_files(editor: Client, tmp_path: Path) -> None:
    for uri in ("untitled:Untitled-1", "git:/fabric.yaml?%7B%22ref%22%3A%22HEAD%22%7D", "file://", "http://[", "x"):
        editor.open(uri, POLICY)
        editor.change(uri, {"text": "rocecfg: 2\n"})
        assert editor.hover(uri, 0, 1) == ""
        assert editor.complete(uri, 0, 0) == {}
        assert editor.actions(uri, place(0, 0, 5)) == {}
        editor.save(uri)
        editor.close(uri)
        assert editor.last(uri) is None
    assert _alive(editor, tmp_path)


@pytest.mark.parametrize(
    "uri",
    ["file:///c%3A/Users/J%C3%B6rg%20X/fabric.yaml", "file:///C:/fabrics/a.yaml", "file://server/share/fabric.yaml"],
)
def test_uris_come_back_as_the_editor_wrote_them(editor: Client, uri: str) -> None:
    editor.open(uri, POLICY.replace("kmin: 400KB", "kmin: 400, kmin: 300KB"))
    found = editor.diagnostics(uri)
    twice = next(one for one in found if one["code"] == "SCH002")
    assert twice["relatedInformation"][0]["location"]["uri"] == uri


def test_percent_signs_and_encoded_letters_name_one_file(editor: Client, tmp_path: Path) -> None:
    folder = tmp_path / "100% böse #1"
    folder.mkdir()
    (folder / "part.yaml").write_text("defaults: {vendor: sonik}\n", encoding="utf-8")
    root = folder / "fabric.yaml"
    root.write_text(POLICY + "include: part.yaml\n", encoding="utf-8")
    written = root.as_uri().replace("fabric", "%66abric")
    editor.open(written, POLICY + "include: part.yaml\nxx: 1\n")
    assert "SCH001" in {one["code"] for one in editor.diagnostics(written)}
    part = (folder / "part.yaml").as_uri()
    wait_until(lambda: editor.last(part))


def test_messages_that_make_no_sense(own: Client, tmp_path: Path) -> None:
    own.send_raw(b"{not json")
    own.send_raw(json.dumps({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"x": 1}}).encode())
    own.report("no/suchNotification", {})
    own.change_unopened((tmp_path / "never-opened.yaml").as_uri())
    own.close((tmp_path / "never-opened.yaml").as_uri())
    missing = own.answer(own.start("no/suchRequest", {}))
    assert missing["error"]["code"] == -32601
    uri = own.open(tmp_path / "fabric.yaml", POLICY)
    own.change(uri, {"range": place(500, 7, 9), "text": "\n# at the end\n"})
    own.change(uri, {"range": place(0, 900, 901), "text": " # beyond the line"})
    assert [d for d in own.diagnostics(uri) if d["severity"] < 3] == []
    assert own.stated("window/logMessage")  # the first two were reported, not shown
    assert own.stated("window/showMessage") == []
    assert own.stop() == (0, "")


def test_characters_that_no_yaml_may_hold(editor: Client, tmp_path: Path) -> None:
    for character in ("\ud83d", "\x00", "\x07", "\ufffe"):
        text = POLICY.replace("lab", f"l{character}b")
        uri = editor.open(tmp_path / f"{ord(character)}.yaml", text)
        assert [one for one in editor.diagnostics(uri) if one["severity"] == 1], hex(ord(character))
        line, column = spot(text, "kmin")
        editor.hover(uri, line, column)
        editor.complete(uri, line, column)
        editor.actions(uri, place(1, 0, 30))


def test_nested_without_end(editor: Client, tmp_path: Path) -> None:
    text = POLICY + "devices: " + "[" * 3000 + "\n"
    uri = editor.open(tmp_path / "fabric.yaml", text)
    assert "SCH000" in {one["code"] for one in editor.diagnostics(uri)}
    assert editor.hover(uri, 5, 4)
    editor.complete(uri, text.count("\n") - 1, 3009)


def test_a_large_file(editor: Client, tmp_path: Path) -> None:
    ports = "".join(f"      Ethernet{n}: {{speed: 400G, cable: 3m}} # {'x' * 80}\n" for n in range(10_000))
    text = POLICY + "devices:\n  leaf1:\n    ports:\n" + ports
    uri = editor.open(tmp_path / "fabric.yaml", text)
    editor.diagnostics(uri)
    line = text.count("\n") - 1
    column = text.splitlines()[-1].index("speed")
    version = editor.change(uri, {"range": place(line, column, column + 5), "text": "sped"})
    assert "SCH001" in {one["code"] for one in editor.diagnostics(uri, version)}
    assert "speed" in editor.complete(uri, line, column + 4)
    assert "**cable**" in editor.hover(uri, line, column + 13)


def test_files_that_vanish(editor: Client, tmp_path: Path) -> None:
    folder = tmp_path / "fabric"
    folder.mkdir()
    part = folder / "part.yaml"
    part.write_text("defaults: {vendor: sonik}\n", encoding="utf-8")
    root = folder / "fabric.yaml"
    root.write_text(POLICY + "include: part.yaml\n", encoding="utf-8")
    uri = editor.open(part)
    assert "SCH016" in {one["code"] for one in editor.diagnostics(uri)}
    root.unlink()
    version = editor.replace(uri, "defaults: {vendor: sonic, no: 1}\n")
    assert editor.diagnostics(uri, version) == []  # nothing includes it any more
    part.unlink()
    folder.rmdir()
    editor.save(uri)
    assert editor.complete(uri, 0, 0) == {}
    assert _alive(editor, tmp_path)


def test_it_says_who_it_is(editor: Client) -> None:
    assert editor.server == {"name": "rocecfg", "version": rocecfg.__version__}


def test_several_folders(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "fabric.yaml").write_text(POLICY.replace("400KB", "400"), encoding="utf-8")
    editor = Client(tmp_path / "a", workspace={"workspaceFolders": True})
    added = [{"uri": (tmp_path / "b").as_uri(), "name": "b"}]
    editor.report("workspace/didChangeWorkspaceFolders", {"event": {"added": added, "removed": []}})
    for name in ("a", "b"):
        uri = editor.open(tmp_path / name / "fabric.yaml")
        assert "SCH006" in {one["code"] for one in editor.diagnostics(uri)}
    assert editor.stop() == (0, "")


def test_a_question_that_is_taken_back(own: Client, tmp_path: Path) -> None:
    uri = own.open(tmp_path / "fabric.yaml", POLICY)
    numbers = [own.start("textDocument/hover", own.at(uri, 1, 2)) for _ in range(20)]
    for number in numbers:
        own.report("$/cancelRequest", {"id": number})
    for number in numbers:
        answer = own.answer(number)
        assert "result" in answer or answer["error"]["code"] == -32800
    assert _alive(own, tmp_path)


def test_it_asks_to_be_told_of_changed_files(tmp_path: Path) -> None:
    editor = Client(tmp_path, workspace={"didChangeWatchedFiles": {"dynamicRegistration": True}})
    asked = editor.wait_for("client/registerCapability", bool)
    (registration,) = asked["registrations"]
    assert registration["method"] == "workspace/didChangeWatchedFiles"
    patterns = [watcher["globPattern"] for watcher in registration["registerOptions"]["watchers"]]
    assert "**/*.{yaml,yml}" in patterns
    assert editor.stop() == (0, "")


def test_how_it_ends(tmp_path: Path) -> None:
    editor = Client(tmp_path)
    uri = editor.open(tmp_path / "fabric.yaml", POLICY)
    editor.replace(uri, POLICY + "#\n")
    assert editor.stop() == (0, "")  # with work under way
    assert editor.strays.empty()
    editor = Client(tmp_path)
    editor.report("exit", None)
    assert editor.ended() == (1, "")  # nobody asked for the end
    editor = Client(tmp_path)
    editor.open(tmp_path / "fabric.yaml", POLICY)
    assert editor.process.stdin is not None
    editor.process.stdin.close()  # the editor is gone
    assert editor.ended() == (1, "")


def test_without_the_extra_it_says_which(tmp_path: Path) -> None:
    code = "import sys; sys.modules['pygls'] = None; from rocecfg.cli import main; sys.argv[1:] = ['lsp']; main()"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        timeout=HANG,
        env=clean_environment(PYTHONPATH=str(ROOT)),
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "pip install 'rocecfg[lsp]'" in done.stderr
