"""What is no message, no request, or one that cannot be answered: each gets the error of JSON-RPC, and work goes on."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from checkout import HANG, ROOT, clean_environment
from intents import POLICY
from lsp_client import Client, spot

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
NOT_INITIALIZED = -32002
HERE = {"textDocument": {"uri": "file:///x.yaml"}, "position": {"line": 0, "character": 0}}


@pytest.fixture(scope="module")
def _session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    client = Client(tmp_path_factory.mktemp("workspace"))
    yield client
    assert client.stop() == (0, "")  # no traceback, whatever was sent
    assert client.strays.empty()


@pytest.fixture
def own(_session: Client) -> Iterator[Client]:
    """An editor that sends what editors do not; each answer is taken, and nothing is called a fault of ours."""
    since = len(_session.notes)
    yield _session
    for uri in list(_session.open_uris):
        _session.close(uri)
    assert _session.unread() == {}
    assert _session.nameless == []
    assert [n for n in _session.stated("window/logMessage", since) if "internal error" in n["message"]] == []


def _works(editor: Client, folder: Path) -> None:
    uri = editor.open(folder / "fabric.yaml", POLICY)
    assert "**kmin**" in editor.hover(uri, *spot(POLICY, "kmin"))


def _send(editor: Client, message: Any) -> None:
    editor.send_raw(json.dumps(message).encode())


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"{not json", id="not json"),
        pytest.param(b"{}}", id="more behind it"),
        pytest.param(b'{"jsonrpc": "2.0", "id": 1, "method": "shutd', id="cut off"),
        pytest.param(b'"\xff\xfe"', id="not UTF-8"),
        pytest.param(b"[" * 100_000, id="nested without end"),
        pytest.param(b"\n", id="blank"),
    ],
)
def test_what_is_no_json_is_a_parse_error(own: Client, tmp_path: Path, body: bytes) -> None:
    own.send_raw(body)
    error = own.refused()
    assert error["code"] == PARSE_ERROR
    _works(own, tmp_path)


@pytest.mark.parametrize(
    ("message", "number"),
    [
        pytest.param([], None, id="an empty batch"),
        pytest.param([{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}], None, id="a batch"),
        pytest.param(42, None, id="a number"),
        pytest.param({}, None, id="nothing"),
        pytest.param({"id": 7, "method": "shutdown"}, 7, id="no version"),
        pytest.param({"jsonrpc": "1.0", "id": 7, "method": "shutdown"}, 7, id="another version"),
        pytest.param({"jsonrpc": "2.0", "id": 7}, 7, id="no method"),
        pytest.param({"jsonrpc": "2.0", "id": 7, "method": 5}, 7, id="a method that is no text"),
        pytest.param({"jsonrpc": "2.0", "id": None, "method": "shutdown"}, None, id="id null"),
        pytest.param({"jsonrpc": "2.0", "id": {"a": 1}, "method": "shutdown"}, None, id="an id of another kind"),
        pytest.param({"jsonrpc": "2.0", "id": True, "method": "shutdown"}, None, id="id true"),
        pytest.param({"jsonrpc": "2.0", "id": "x", "method": "exit"}, "x", id="a notification with an id"),
        pytest.param(
            {"jsonrpc": "2.0", "id": 8, "method": "initialize", "params": {"processId": None, "capabilities": {}}},
            8,
            id="a second initialize",
        ),
        pytest.param(
            {"jsonrpc": "2.0", "id": 7, "method": "shutdown", "params": "now"}, 7, id="params of no structure"
        ),
    ],
)
def test_what_is_no_request_is_an_invalid_request(
    own: Client, tmp_path: Path, message: Any, number: int | str | None
) -> None:
    _send(own, message)
    error = own.refused(number)
    assert error["code"] == INVALID_REQUEST
    assert error["message"]
    _works(own, tmp_path)


@pytest.mark.parametrize(
    "method", ["no/suchRequest", "$/unknown", "textDocument/formatting", "", "textDocument/hover+"]
)
def test_an_unknown_method_is_said_to_be_unknown(own: Client, tmp_path: Path, method: str) -> None:
    for params in (HERE, [], {}):
        error = own.answer(own.start(method, params))["error"]
        assert error["code"] == METHOD_NOT_FOUND
        assert repr(method) in error["message"]
    _works(own, tmp_path)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        pytest.param("textDocument/hover", {}, id="missing"),
        pytest.param("textDocument/hover", [], id="a list"),
        pytest.param("textDocument/hover", HERE | {"position": {"line": -1, "character": 0}}, id="a negative line"),
        pytest.param("textDocument/hover", HERE | {"position": {"line": "x", "character": 0}}, id="a line of text"),
        pytest.param("textDocument/hover", HERE | {"textDocument": "x"}, id="a document that is a text"),
        pytest.param("textDocument/completion", {"textDocument": {}}, id="no URI"),
        pytest.param("textDocument/definition", {"position": None}, id="null"),
        pytest.param("textDocument/references", HERE, id="no context"),
        pytest.param("textDocument/documentSymbol", {}, id="no document"),
        pytest.param("codeAction/resolve", {"title": "x"}, id="an action that is not ours"),
        pytest.param("codeAction/resolve", {"title": "x", "data": {"root": 1}}, id="an action with other data"),
        pytest.param("workspace/executeCommand", {"command": "no.such"}, id="a command that there is not"),
    ],
)
def test_wrong_params_are_invalid_params(own: Client, tmp_path: Path, method: str, params: Any) -> None:
    error = own.answer(own.start(method, params))["error"]
    assert error["code"] == INVALID_PARAMS
    assert method in error["message"] or "no.such" in error["message"]
    assert "Traceback" not in json.dumps(error)
    _works(own, tmp_path)


def test_params_left_out(own: Client, tmp_path: Path) -> None:
    _send(own, {"jsonrpc": "2.0", "id": 70, "method": "textDocument/hover"})
    assert own.answer(70)["error"]["code"] == INVALID_PARAMS
    _works(own, tmp_path)


def test_notifications_are_never_answered(own: Client, tmp_path: Path) -> None:
    for method in ("no/suchNotification", "$/unknown", "textDocument/hover", "initialize", "shutdown"):
        own.report(method, {})
        _send(own, {"jsonrpc": "2.0", "method": method})
    own.report("$/cancelRequest", {"id": 12345})
    own.report("$/cancelRequest", {})
    own.report("textDocument/didOpen", {"textDocument": {"uri": 3}})
    own.report("textDocument/didChange", {"contentChanges": "x"})
    own.report("$/setTrace", {"value": "loud"})
    _send(own, {"jsonrpc": "2.0", "id": 99, "result": None})  # an answer to what was never asked
    _send(own, {"jsonrpc": "2.0", "id": "none", "error": {"code": 1, "message": "x"}})
    _send(own, {"jsonrpc": "2.0", "id": "none", "error": "x"})
    _works(own, tmp_path)


@pytest.mark.parametrize(
    "header",
    [
        pytest.param(b"Content-Length: many\r\n\r\n", id="no number"),
        pytest.param(b"Content-Length: -5\r\n\r\n", id="negative"),
        pytest.param(b"Content-Length:\r\n\r\n", id="empty"),
        pytest.param(b"Content-Length: 0\r\n\r\n", id="zero"),
        pytest.param(b"Content-Length: 99999999999999\r\n\r\n", id="more than there is memory"),
        pytest.param(b"Content-Length: 1" + b"0" * 5000 + b"\r\n\r\n", id="more digits than Python reads"),
        pytest.param(b"Content-Type: application/vscode-jsonrpc\r\n\r\n", id="missing"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", id="another protocol"),
        pytest.param(b"\xff\xfe\x00\r\n\r\n", id="no text"),
        pytest.param(b"Content-Length: 5\r\nContent-Length: 7\r\n\r\n", id="twice"),
    ],
)
def test_a_malformed_header_costs_its_message_and_no_other(own: Client, tmp_path: Path, header: bytes) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 500, "method": "textDocument/hover", "params": HERE}).encode()
    own.send_bytes(header + body)  # the next message follows without a line break
    _works(own, tmp_path)
    assert own.refused()["code"] == PARSE_ERROR


def test_a_length_that_is_not_the_messages(own: Client, tmp_path: Path) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 500, "method": "textDocument/hover", "params": HERE}).encode()
    own.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body) - 9, body))
    assert own.refused()["code"] == PARSE_ERROR
    _works(own, tmp_path)


@pytest.mark.parametrize(
    "header",
    [
        b"content-length: %d\r\n\r\n",
        b"CONTENT-LENGTH:%d  \r\n\r\n",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: %d\r\n\r\n",
        b"Content-Length: %d\r\nX-Other: 1\r\n\r\n",
        b"Content-Length: %d\n\n",
    ],
)
def test_headers_that_are_well_formed(own: Client, header: bytes) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 500, "method": "textDocument/hover", "params": HERE}).encode()
    own.send_bytes(header % len(body) + body)
    assert own.answer(500)["result"] is None


def test_a_request_after_shutdown_is_invalid(tmp_path: Path) -> None:
    own = Client(tmp_path)
    own.ask("shutdown", None)
    for method, params in (("textDocument/hover", HERE), ("shutdown", None), ("no/such", {})):
        error = own.answer(own.start(method, params))["error"]
        assert error["code"] == INVALID_REQUEST
        assert "shutdown" in error["message"]
    own.report("textDocument/didOpen", {"textDocument": {"uri": "file:///x.yaml"}})
    own.report("exit", None)
    assert own.ended() == (0, "")


def test_a_request_before_initialize(tmp_path: Path) -> None:
    editor = Client(tmp_path, start=False)
    editor.report("textDocument/didSave", {"textDocument": {"uri": "file:///x.yaml"}})
    for method, params in (("textDocument/hover", HERE), ("no/such", {})):
        assert editor.answer(editor.start(method, params))["error"]["code"] == NOT_INITIALIZED
    editor.initialize()
    _works(editor, tmp_path)
    assert editor.stop() == (0, "")


def test_an_exit_before_initialize(tmp_path: Path) -> None:
    editor = Client(tmp_path, start=False)
    editor.report("exit", None)
    assert editor.ended() == (1, "")


def test_an_editor_that_dies_in_the_middle_of_a_message(tmp_path: Path) -> None:
    editor = Client(tmp_path, start=False)
    editor.initialize()
    assert editor.process.stdin is not None
    editor.process.stdin.write(b"Content-Length: 40\r\n\r\n{")  # and then it dies
    editor.process.stdin.close()
    assert editor.ended() == (1, "")


def test_an_editor_that_reads_no_more(tmp_path: Path) -> None:
    ask = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "textDocument/hover", "params": HERE}).encode()
    process = subprocess.Popen(
        [sys.executable, "-m", "rocecfg", "lsp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env=clean_environment(PYTHONPATH=str(ROOT)),
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    with contextlib.suppress(BrokenPipeError):  # it ends as soon as it notices
        for _ in range(3):
            process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(ask), ask))
            process.stdin.flush()
    assert process.wait(HANG) == 1
    assert process.stderr.read() == b""
    process.stderr.close()
    with contextlib.suppress(BrokenPipeError):
        process.stdin.close()


def test_a_fault_of_our_own_is_answered_and_logged(tmp_path: Path) -> None:
    editor = Client(tmp_path, before="import rocecfg.lsp.server as s; s.is_in_format = lambda *_: {}['boom']")
    uri = editor.open(tmp_path / "fabric.yaml", POLICY)
    for _ in range(2):
        error = editor.answer(editor.start("textDocument/hover", editor.at(uri, 1, 2)))["error"]
        assert error["code"] == INTERNAL_ERROR
        assert "data" not in error  # no traceback
    (logged,) = editor.stated("window/logMessage")
    assert "KeyError" in logged["message"]
    assert editor.ask("textDocument/definition", editor.at(uri, 3, 3))  # what does not need it still works
    assert editor.stop() == (0, "")


def test_messages_that_follow_each_other_without_a_pause(own: Client) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 1000, "method": "textDocument/hover", "params": HERE}).encode()
    frames = [
        b"Content-Length: %d\r\n\r\n%s" % (len(b), b)
        for b in (body.replace(b"1000", b"%d" % n) for n in range(1000, 1050))
    ]
    own.send_bytes(b"".join(frames))
    for number in range(1000, 1050):
        assert own.answer(number)["result"] is None
