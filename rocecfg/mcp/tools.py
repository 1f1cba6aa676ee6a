"""The tools: what each takes, and the command that it runs.

A tool is a run of rocecfg in a process of its own, below one folder, with a time limit. So it judges, refuses and ends
as the command does, and what one call does leaves nothing behind for the next. Nothing is written to that folder
unless the server was started with permission to.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from typing import Any

from rocecfg.core.records import NamedTuple
from rocecfg.source.bounds import is_below
from rocecfg.vendors import TABLE, VENDORS

SECONDS = 120.0  # of one call
MOST_FINDINGS = 50  # in one answer, unless more are asked for
MOST_TEXT = 400_000  # characters of files in one answer

_TEXT = {"type": "string", "description": "the text itself, instead of a path: an intent, or what a switch runs"}
_PATH = {"type": "string", "description": "file or folder, relative to the folder that is served"}
_LIMIT = {"type": "integer", "minimum": 1, "description": f"most findings in the answer; default {MOST_FINDINGS}"}
_VENDOR = {"type": "string", "enum": [*VENDORS], "description": "of devices that name none"}


class ToolError(Exception):
    """A call that cannot be made, in words for whoever made it."""


class Answer(NamedTuple):
    """What a call gives: as data, and whether it failed."""

    data: dict[str, Any]
    failed: bool = False


class ServedFolder(NamedTuple):
    """Where tools work."""

    root: str  # absolute, links resolved
    write: bool  # whether files below it may be changed


class Tool(NamedTuple):
    """One tool."""

    name: str
    title: str
    about: str
    takes: Mapping[str, dict[str, Any]]
    run: Callable[[ServedFolder, Mapping[str, Any]], Answer]
    needs: tuple[str, ...] = ()
    writes: bool = False

    def schema(self) -> dict[str, Any]:
        """JSON Schema of the arguments."""
        return {
            "type": "object",
            "properties": dict(self.takes),
            "required": list(self.needs),
            "additionalProperties": False,
        }


class Call:
    """A call of a tool, which another thread may end."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ended = False
        self._process: subprocess.Popen[bytes] | None = None

    def end(self) -> None:
        """End its process, and have it start no other."""
        with self._lock:
            self._ended = True
            if self._process is not None:
                self._process.terminate()

    def start(self, command: Sequence[str], folder: str, env: Mapping[str, str]) -> subprocess.Popen[bytes]:
        """A process with its three streams. Raises ToolError in a call that was ended."""
        with self._lock:
            if self._ended:
                raise ToolError("the call was cancelled")
            pipe = subprocess.PIPE
            self._process = subprocess.Popen(command, cwd=folder, env=env, stdin=pipe, stdout=pipe, stderr=pipe)  # noqa: S603 - ourselves; words that others chose stand behind `--` or are checked
            return self._process


_current: ContextVar[Call] = ContextVar("call")


def call_tool(name: str, arguments: Mapping[str, Any], place: ServedFolder, call: Call | None = None) -> Answer:
    """Run a tool. Raises ToolError for one that is not there, for arguments it does not take, and after SECONDS."""
    _current.set(call or Call())
    tool = next((tool for tool in TOOLS if tool.name == name), None)
    if tool is None:
        raise ToolError(f"there is no tool {name!r}; known: {', '.join(tool.name for tool in TOOLS)}")
    _check_arguments(tool, arguments)
    return tool.run(place, arguments)


_TYPES: dict[str, type] = {"string": str, "integer": int, "boolean": bool}


def _check_arguments(tool: Tool, arguments: Mapping[str, Any]) -> None:
    for name, value in arguments.items():
        if name not in tool.takes:
            raise ToolError(f"{tool.name} takes no {name!r}; it takes {', '.join(tool.takes)}")
        wanted = tool.takes[name]
        is_right = isinstance(value, _TYPES[wanted["type"]]) and (wanted["type"] == "boolean" or value is not True)
        if not is_right or (wanted["type"] == "integer" and value < wanted.get("minimum", value)):
            raise ToolError(f"{name} must be of type {wanted['type']}, and is {json.dumps(value)[:80]}")
        if "enum" in wanted and value not in wanted["enum"]:
            raise ToolError(f"{name} must be one of {', '.join(wanted['enum'])}, and is {value[:80]!r}")
    missing = [name for name in tool.needs if name not in arguments]
    if missing:
        raise ToolError(f"{tool.name} needs {', '.join(missing)}")
    if "text" in tool.takes and ("text" in arguments) == ("path" in arguments):
        raise ToolError(f"{tool.name} needs a path or a text, and one of the two")


# -- running -----------------------------------------------------------------------------------------------------------


class _Done(NamedTuple):
    code: int
    out: str
    err: str


def _run_rocecfg(folder: str, *words: str, text: str | None = None) -> _Done:
    """A run of rocecfg in a folder. `-P`: a folder called rocecfg there is nobody's module."""
    command = [sys.executable, "-P", "-m", "rocecfg", *words]
    env = {**os.environ, "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8:surrogateescape"}
    with _current.get().start(command, folder, env) as process:
        try:
            out, err = process.communicate((text or "").encode("utf-8", "surrogatepass"), SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            raise ToolError(f"no answer within {SECONDS:.0f} s") from None
    return _Done(process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace").strip())


def _resolve_inside(place: ServedFolder, path: str) -> str:
    """A path below the folder that is served, as the command line takes it. Raises ToolError for any other."""
    if "\0" in path:
        raise ToolError("a path holds no NUL")
    real = os.path.realpath(os.path.join(place.root, path))
    if not is_below(real, place.root):
        raise ToolError(f"{path} is not below the folder that is served")
    return os.path.relpath(real, place.root)


def _make_failure(done: _Done) -> Answer:
    return Answer({"exit_code": done.code, "error": done.err or done.out.strip()}, failed=True)


# -- the tools ---------------------------------------------------------------------------------------------------------


def _lint(place: ServedFolder, arguments: Mapping[str, Any], *options: str) -> Answer:
    if "text" in arguments:
        done = _run_rocecfg(place.root, "lint", "--format", "json", *options, "--", "-", text=arguments["text"])
    else:
        done = _run_rocecfg(
            place.root, "lint", "--format", "json", *options, "--", _resolve_inside(place, arguments["path"])
        )
    if not done.out.startswith("{"):
        return _make_failure(done)
    report = json.loads(done.out)
    most = arguments.get("limit", MOST_FINDINGS)
    found = report["findings"]
    data = {"exit_code": done.code, "findings": found[:most], "summary": report["summary"]}
    if len(found) > most:
        data["left_out"] = len(found) - most
    if done.err:
        data["notes"] = done.err
    return Answer(data, failed=done.code > 1)


def _validate(place: ServedFolder, arguments: Mapping[str, Any]) -> Answer:
    """Form alone: rules of the schema, and on configurations statements that no switch takes."""
    return _lint(place, arguments, "--select", "SCH", "--select", "DEV", "--no-config")


def _explain(place: ServedFolder, arguments: Mapping[str, Any]) -> Answer:
    done = _run_rocecfg(place.root, "explain", "--format", "json", "--", arguments["rule"])
    return Answer(json.loads(done.out)) if done.code == 0 else _make_failure(done)


def _render(place: ServedFolder, arguments: Mapping[str, Any]) -> Answer:
    with tempfile.TemporaryDirectory(prefix="rocecfg-mcp-") as folder:
        work, intent = place.root, ""
        if "text" in arguments:
            work, intent = folder, "fabric.yaml"
            _write_text(os.path.join(folder, intent), arguments["text"])
        else:
            intent = _resolve_inside(place, arguments["path"])
        out = os.path.join(folder, "rendered")
        words = [word for name in ("vendor", "device") if name in arguments for word in (f"--{name}", arguments[name])]
        done = _run_rocecfg(work, "render", *words, "-o", out, "--", intent)
        if done.code != 0:
            return _make_failure(done)
        return Answer(_read_files(out))


def _read_files(folder: str) -> dict[str, Any]:
    """The files of a folder, as many as an answer holds; the others are named."""
    files: dict[str, str] = {}
    left: list[str] = []
    size = 0
    for name in sorted(os.listdir(folder), key=lambda name: (name.startswith("APPLY-"), name)):
        with open(os.path.join(folder, name), encoding="utf-8") as stream:
            text = stream.read()
        if files and size + len(text) > MOST_TEXT:
            left.append(name)
            continue
        size += len(text)
        files[name] = text
    return {"exit_code": 0, "files": files} | ({"left_out": left} if left else {})


def _fix(place: ServedFolder, arguments: Mapping[str, Any]) -> Answer:
    unsafe = ["--unsafe-fixes"] if arguments.get("unsafe") else []
    if "text" in arguments:
        return _fix_text(arguments["text"], unsafe)
    path = _resolve_inside(place, arguments["path"])
    if arguments.get("write") and not place.write:
        raise ToolError("this server only reads: it is started with `rocecfg mcp --write` to change files")
    shown = _run_rocecfg(place.root, "lint", "--diff", *unsafe, "--", path)
    if shown.code > 1:
        return _make_failure(shown)
    data: dict[str, Any] = {"exit_code": shown.code, "diff": shown.out, "written": False}
    if arguments.get("write") and shown.out:
        # --format: settings then have no report written; --fix-below: what includes name may be above, and only read
        done = _run_rocecfg(
            place.root, "lint", "--format", "full", "--fix", "--fix-below", place.root, *unsafe, "--", path
        )
        if done.code > 1:
            return _make_failure(done)
        data |= {"exit_code": done.code, "written": True, "notes": done.err}
    return Answer(data)


def _fix_text(text: str, unsafe: list[str]) -> Answer:
    with tempfile.TemporaryDirectory(prefix="rocecfg-mcp-") as folder:
        path = os.path.join(folder, "fabric.yaml")
        _write_text(path, text)
        done = _run_rocecfg(folder, "lint", "--quiet", "--fix", *unsafe, "--no-config", "--", "fabric.yaml")
        if done.code > 1:
            return _make_failure(done)
        with open(path, encoding="utf-8") as stream:
            return Answer({"exit_code": done.code, "text": stream.read(), "left": done.out, "notes": done.err})


def _write_text(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8", errors="surrogatepass") as stream:
        stream.write(text)


TOOLS = (
    Tool(
        "lint",
        "Check a fabric",
        f"Check an intent, or running configurations ({', '.join(system.reads for system in TABLE)}), for RoCEv2: "
        "PFC, watchdog, ECN, queues, buffers, headroom, deadlock. Each finding has line, message, help and the page "
        "of its rule. Exit code 1: findings that matter; an empty list means that nothing was found in the stated "
        "settings.",
        {"path": _PATH, "text": _TEXT, "limit": _LIMIT},
        _lint,
    ),
    Tool(
        "validate",
        "Check that a text is understood",
        "Check form alone: unknown keys and units of an intent; lines of a switch's configuration that no release"
        " takes, each with the line that is right. Ask this of every configuration before it is shown to a person.",
        {"path": _PATH, "text": _TEXT, "limit": _LIMIT},
        _validate,
    ),
    Tool(
        "explain",
        "Explain a rule",
        "The page of a rule, by name or code: why it matters, when it fires and when not, how to fix it, the source.",
        {"rule": {"type": "string", "description": "name or code, as watchdog-missing or WDG201"}},
        _explain,
        ("rule",),
    ),
    Tool(
        "render",
        "Render switch configuration",
        "The configuration of the switches of an intent, and how it is applied (APPLY-…): order, what it disturbs,"
        " checks. Refused where lint finds errors. Nothing is written.",
        {
            "path": _PATH,
            "text": _TEXT | {"description": "the text of an intent, instead of a path"},
            "vendor": _VENDOR,
            "device": {"type": "string", "description": "this device alone"},
        },
        _render,
    ),
    Tool(
        "fix",
        "Fix an intent",
        "Fix what has one answer: gives the difference, of a text the fixed text. Files are changed only with write,"
        " where the server may. unsafe adds fixes that change what is rendered, such as a missing watchdog.",
        {
            "path": _PATH,
            "text": _TEXT | {"description": "the text of an intent, instead of a path"},
            "unsafe": {"type": "boolean", "description": "also fixes that change what switches do; default: false"},
            "write": {"type": "boolean", "description": "change the files; default: false"},
        },
        _fix,
        writes=True,
    ),
)
