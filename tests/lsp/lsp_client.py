"""A client of the language server protocol over a process's standard streams, and nothing between."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from checkout import HANG, ROOT, clean_environment

Json = dict[str, Any]


class Client:
    """An editor that starts the server, speaks to it, and keeps what it says."""

    def __init__(self, cwd: Path, *, start: bool = True, before: str = "", **capabilities: Any) -> None:
        """`start`: whether to initialize the session at once; `before`: Python that runs before the server does."""
        run = f"import sys; {before}; from rocecfg.cli import main; sys.argv[1:] = ['lsp']; main()"
        self.process = subprocess.Popen(
            [sys.executable, *(["-c", run] if before else ["-m", "rocecfg", "lsp", "--stdio"])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=clean_environment(PYTHONPATH=str(ROOT)),
        )
        self._answers: dict[int | str, Json] = {}
        self._came = threading.Condition()
        self.notes: list[Json] = []  # notifications and requests of the server, in order
        self.nameless: list[Json] = []  # errors that answer no request that could be told
        self.strays: queue.Queue[bytes] = queue.Queue()  # what stood on standard output between messages
        self._versions: dict[str, int] = {}
        self.open_uris: set[str] = set()
        self._ids = 0
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()
        self._cwd = cwd
        self.capabilities: Json = {}
        self.server: Json = {}
        if start:
            self.initialize(**capabilities)

    def initialize(self, **capabilities: Any) -> None:
        """Begin the session."""
        params = {"processId": None, "rootUri": self._cwd.as_uri(), "capabilities": capabilities}
        initialized = self.ask("initialize", params)
        self.capabilities = initialized["capabilities"]
        self.server = initialized["serverInfo"]
        self.report("initialized", {})

    # -- messages ------------------------------------------------------------------------------------------------------

    def _listen(self) -> None:
        assert self.process.stdout is not None
        size = 0
        while line := self.process.stdout.readline():
            name, _, value = line.decode().partition(":")
            if name == "Content-Length":
                size = int(value)
            elif line == b"\r\n":
                message = json.loads(self.process.stdout.read(size))
                with self._came:
                    if "method" in message:
                        self.notes.append(message)
                    elif message["id"] is None:
                        self.nameless.append(message)
                    else:
                        self._answers[message["id"]] = message
                    self._came.notify_all()
            elif name != "Content-Type":
                self.strays.put(line)

    def send_raw(self, body: bytes) -> None:
        self.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def _send(self, message: Json) -> None:
        self.send_raw(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def report(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def start(self, method: str, params: Any) -> int:
        self._ids += 1
        self._send({"id": self._ids, "method": method, "params": params})
        return self._ids

    def answer(self, number: int | str) -> Json:
        with self._came:
            assert self._came.wait_for(lambda: number in self._answers, HANG), "no answer"
            return self._answers.pop(number)

    def refused(self, number: int | str | None = None) -> Json:
        """The error that answers a request, or a message without one."""
        if number is not None:
            error: Json = self.answer(number)["error"]
        else:
            with self._came:
                assert self._came.wait_for(lambda: self.nameless, HANG), "no answer"
                error = self.nameless.pop(0)["error"]
        return error

    def unread(self) -> dict[int | str, Json]:
        """Answers that nobody took."""
        with self._came:
            return dict(self._answers)

    def ask(self, method: str, params: Any) -> Any:
        message = self.answer(self.start(method, params))
        assert "error" not in message, message["error"]
        return message["result"]

    def stated(self, method: str, since: int = 0) -> list[Any]:
        """The parameters of what the server sent with this method."""
        with self._came:
            return [note.get("params") for note in self.notes[since:] if note["method"] == method]

    def wait_for(self, method: str, wanted: Any, since: int = 0) -> Any:
        """The last parameters sent with this method that `wanted` is true of."""
        found: list[Any] = []

        def there() -> bool:
            found[:] = [n["params"] for n in self.notes[since:] if n["method"] == method and wanted(n["params"])]
            return bool(found)

        with self._came:
            assert self._came.wait_for(there, HANG), (method, self.notes[since:])
            return found[-1]

    # -- texts ---------------------------------------------------------------------------------------------------------

    def open(self, path: Path | str, text: str | None = None) -> str:
        """Open a file, or a text by its URI; gives the URI."""
        uri = path.as_uri() if isinstance(path, Path) else path
        if text is None:
            assert isinstance(path, Path)
            text = path.read_bytes().decode()
        self._versions[uri] = 1
        self.open_uris.add(uri)
        item = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
        self.report("textDocument/didOpen", {"textDocument": item})
        return uri

    def change(self, uri: str, *changes: Json) -> int:
        """Make changes; gives the version that they make."""
        self._versions[uri] += 1
        of = {"uri": uri, "version": self._versions[uri]}
        self.report("textDocument/didChange", {"textDocument": of, "contentChanges": list(changes)})
        return self._versions[uri]

    def replace(self, uri: str, text: str) -> int:
        return self.change(uri, {"text": text})

    def change_unopened(self, uri: str) -> None:
        """Change a text that was never opened."""
        of = {"uri": uri, "version": 2}
        self.report("textDocument/didChange", {"textDocument": of, "contentChanges": [{"text": "x"}]})

    def save(self, uri: str) -> None:
        self.report("textDocument/didSave", {"textDocument": {"uri": uri}})

    def close(self, uri: str) -> None:
        self.open_uris.discard(uri)
        self.report("textDocument/didClose", {"textDocument": {"uri": uri}})

    def diagnostics(self, uri: str, version: int | None = None) -> list[Json]:
        """What is found in a text: of its current version, unless another is asked for."""
        wanted = version if version is not None else self._versions.get(uri)
        params = self.wait_for(
            "textDocument/publishDiagnostics", lambda p: p["uri"] == uri and p.get("version") == wanted
        )
        found: list[Json] = params["diagnostics"]
        return found

    def last(self, uri: str) -> list[Json] | None:
        """What the server said last about a text."""
        stated = [p for p in self.stated("textDocument/publishDiagnostics") if p["uri"] == uri]
        return stated[-1]["diagnostics"] if stated else None

    def at(self, uri: str, line: int, character: int) -> Json:
        return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}

    def hover(self, uri: str, line: int, character: int) -> str:
        found = self.ask("textDocument/hover", self.at(uri, line, character))
        return str(found["contents"]["value"]) if found else ""

    def complete(self, uri: str, line: int, character: int) -> dict[str, Json]:
        found = self.ask("textDocument/completion", self.at(uri, line, character))
        return {item["label"]: item for item in found}

    def resolve(self, action: Json) -> Json:
        """The action's edit, by URI."""
        chosen = self.ask("codeAction/resolve", action) if "edit" not in action else action
        if "edit" not in chosen:
            return {}
        edit = chosen["edit"]
        if "documentChanges" in edit:
            return {c["textDocument"]["uri"]: c["edits"] for c in edit["documentChanges"]}
        changes: Json = edit["changes"]
        return changes

    def actions(self, uri: str, at: Json, only: list[str] | None = None) -> dict[str, Json]:
        context: Json = {"diagnostics": []} | ({"only": only} if only else {})
        params = {"textDocument": {"uri": uri}, "range": at, "context": context}
        return {action["title"]: action for action in self.ask("textDocument/codeAction", params)}

    def stop(self) -> tuple[int, str]:
        """End the session in order; gives the exit code and standard error."""
        self.ask("shutdown", None)
        self.report("exit", None)
        return self.ended()

    def ended(self) -> tuple[int, str]:
        """The exit code and standard error of a process that is ending."""
        assert self.process.stdin is not None
        assert self.process.stderr is not None
        code = self.process.wait(HANG)
        self._thread.join(HANG)
        error = self.process.stderr.read().decode()
        for stream in (self.process.stdin, self.process.stderr, self.process.stdout):
            if stream is not None:
                stream.close()
        return code, error


def edited(text: str, edits: list[Json], codec: str = "utf-16-le") -> str:
    """A text after edits whose columns count the codec's units."""
    width = len("x".encode(codec))
    starts = [0]
    lines = text.splitlines(keepends=True)
    for line in lines:
        starts.append(starts[-1] + len(line))

    def offset(at: Json) -> int:
        line = lines[at["line"]] if at["line"] < len(lines) else ""
        return starts[at["line"]] + len(line.encode(codec)[: at["character"] * width].decode(codec))

    for edit in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
        text = text[: offset(edit["range"]["start"])] + edit["newText"] + text[offset(edit["range"]["end"]) :]
    return text


def place(line: int, start: int, end: int) -> Json:
    """A range in one line."""
    return {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}


def spot(text: str, part: str, more: int = 0) -> tuple[int, int]:
    """Line and character, in code points from 0, of where a part of a text first stands."""
    at = text.index(part) + more
    return text.count("\n", 0, at), at - (text.rfind("\n", 0, at) + 1)
