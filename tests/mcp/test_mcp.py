"""`rocecfg mcp`, spoken to by the client of the protocol's own package."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from checkout import HANG, ROOT, clean_environment, run, wait_until

pytestmark = pytest.mark.skipif(importlib.util.find_spec("mcp") is None, reason="needs the extra mcp")

BROKEN = "train-256-as-published/fabric.yaml"
Ask = Callable[..., Awaitable[Any]]
Script = Callable[[Ask, Any], Awaitable[None]]


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    shutil.copytree(ROOT / "examples", folder)
    return folder


@contextlib.asynccontextmanager
async def connected(folder: Path, *options: str) -> AsyncIterator[tuple[Ask, Any]]:
    """Start the server in a folder: what calls its tools, and the session."""
    import anyio
    from mcp import ClientSession, StdioServerParameters, stdio_client

    command = ["-m", "rocecfg", "mcp", *options]
    server = StdioServerParameters(command=sys.executable, args=command, env=clean_environment(), cwd=str(folder))
    with anyio.fail_after(2 * HANG):
        async with stdio_client(server) as (incoming, outgoing), ClientSession(incoming, outgoing) as session:
            await session.initialize()

            async def ask(tool: str, **arguments: Any) -> Any:
                return await session.call_tool(tool, arguments)

            yield ask, session


def talk(folder: Path, script: Script, *options: str) -> None:
    """Start the server in a folder, and let a script call its tools."""
    import anyio

    async def main() -> None:
        async with connected(folder, *options) as (ask, session):
            await script(ask, session)

    anyio.run(main)


class Server(NamedTuple):
    """A server that runs."""

    folder: Path
    talk: Callable[[Script], None]  # lets a script call its tools


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server of all tests that want no other, which may only read."""
    from anyio.from_thread import start_blocking_portal

    folder = tmp_path_factory.mktemp("mcp") / "repo"
    shutil.copytree(ROOT / "examples", folder)
    before = _files(folder)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(connected(folder)) as (ask, session):
        yield Server(folder, lambda script: portal.call(script, ask, session))
    assert _files(folder) == before


def _files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_tools_are_listed_and_only_read(server: Server) -> None:
    async def script(_: Ask, session: Any) -> None:
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
        assert set(tools) == {"lint", "validate", "explain", "render", "fix"}
        assert all(tool.annotations.read_only_hint for tool in tools.values())
        assert all(tool.input_schema["additionalProperties"] is False for tool in tools.values())

    server.talk(script)


def test_a_fabric_is_judged_explained_fixed_and_rendered(server: Server) -> None:
    async def script(ask: Ask, _: Any) -> None:
        lint = (await ask("lint", path=BROKEN, limit=2)).structured_content
        assert (lint["exit_code"], len(lint["findings"]), lint["left_out"]) == (1, 2, lint["summary"]["errors"] + 4)
        found = lint["findings"][0]
        assert (found["name"], found["line"]) == ("watchdog-missing", 17)
        page = (await ask("explain", rule=found["rule"])).structured_content
        assert "## Why" in page["page"]

        text = (server.folder / BROKEN).read_text(encoding="utf-8")
        again = (await ask("lint", text=text)).structured_content
        assert [f["name"] for f in again["findings"][:2]] == [f["name"] for f in lint["findings"]]

        shown = (await ask("fix", path=BROKEN, unsafe=True)).structured_content
        assert "+    watchdog:" in shown["diff"] or "watchdog: {detection_time" in shown["diff"]
        fixed = (await ask("fix", text=text, unsafe=True)).structured_content
        assert "watchdog-missing" not in fixed["left"]
        assert "detection_time" in fixed["text"]

        refused = await ask("render", path=BROKEN)
        assert refused.is_error
        assert "nothing rendered" in refused.structured_content["error"]
        policy = (server.folder / "policy" / "fabric.yaml").read_text(encoding="utf-8")
        files = (await ask("render", text=policy, vendor="sonic")).structured_content["files"]
        assert any("DSCP_TO_TC_MAP" in text for text in files.values())
        files = (await ask("render", path="converged", device="spine01")).structured_content["files"]
        assert "qos profile ROCE-SWITCH" in files["spine01.cfg"]

    server.talk(script)


def test_an_invented_line_is_refused_with_the_right_one(server: Server) -> None:
    async def script(ask: Ask, _: Any) -> None:
        text = "! device: l1 (DCS-7060X6-64PE, EOS-4.33.2F)\nhostname l1\ninterface Ethernet1/1\n   pfc enable\nend\n"
        found = (await ask("validate", text=text)).structured_content["findings"]
        assert [(f["line"], f["name"]) for f in found if f["severity"] == "error"] == [(4, "device-unknown")]
        assert "priority-flow-control on" in found[0]["help"]

    server.talk(script)


def test_files_are_changed_only_where_the_server_may(server: Server, repo: Path) -> None:
    async def reader(ask: Ask, _: Any) -> None:
        refused = await ask("fix", path=BROKEN, unsafe=True, write=True)
        assert refused.is_error
        assert "rocecfg mcp --write" in refused.structured_content["error"]

    before = _files(server.folder)
    server.talk(reader)
    assert _files(server.folder) == before

    async def writer(ask: Ask, session: Any) -> None:
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
        assert [name for name, tool in tools.items() if not tool.annotations.read_only_hint] == ["fix"]
        done = (await ask("fix", path=BROKEN, unsafe=True, write=True)).structured_content
        assert done["written"]

    talk(repo, writer, "--write")
    changed = {name for name, text in _files(repo).items() if before.get(name) != text}
    assert changed == {BROKEN}


def test_a_call_that_takes_too_long_is_ended(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rocecfg.mcp import tools

    monkeypatch.setattr(tools, "SECONDS", 0.0)
    with pytest.raises(tools.ToolError, match=r"^no answer within 0 s$"):
        tools.call_tool("lint", {"path": BROKEN}, tools.ServedFolder(str(repo), write=False))


def test_nothing_outside_the_folder_is_read(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.yaml").write_text("rocecfg: 1\nfabric: {name: s3cr3t}\n", encoding="utf-8")
    (repo / "link.yaml").symlink_to(tmp_path / "secret.yaml")

    async def script(ask: Ask, _: Any) -> None:
        for path in ("../secret.yaml", str(tmp_path / "secret.yaml"), "link.yaml", "/etc/passwd", "a\0b"):
            for tool in ("lint", "validate", "render", "fix"):
                refused = await ask(tool, path=path)
                assert refused.is_error, (tool, path)
                assert "s3cr3t" not in str(refused.content)
        for path in ("--fix", "--output=sarif=x", "-"):
            assert (await ask("lint", path=path)).is_error

    before = _files(repo)
    talk(repo, script)
    assert _files(repo) == before


def test_what_is_above_the_folder_is_not_changed(repo: Path) -> None:
    (repo / ".git").mkdir()
    sub = repo / "sub"
    sub.mkdir()
    text = (repo / BROKEN).read_text(encoding="utf-8")
    (repo / "common.yaml").write_text(text.replace("rocecfg: 1\n", ""), encoding="utf-8")
    (sub / "above.yaml").write_text("rocecfg: 1\ninclude: [../common.yaml]\n", encoding="utf-8")
    (sub / "own.yaml").write_text(text, encoding="utf-8")
    (repo / "rocecfg.toml").write_text('output = ["json=report.json"]\n', encoding="utf-8")
    before = _files(repo)

    async def script(ask: Ask, _: Any) -> None:
        shown = (await ask("fix", path="above.yaml", unsafe=True)).structured_content
        assert "common.yaml" in shown["diff"]
        refused = await ask("fix", path="above.yaml", unsafe=True, write=True)
        assert refused.is_error
        assert "common.yaml is not below" in refused.structured_content["error"]
        assert _files(repo) == before
        assert (await ask("fix", path="own.yaml", unsafe=True, write=True)).structured_content["written"]

    talk(sub, script, "--write")
    assert {name for name, data in _files(repo).items() if before.get(name) != data} == {"sub/own.yaml"}


class Session:
    """A client that may say what the protocol's own does not."""

    def __init__(self, folder: Path, **environment: str) -> None:
        command = [sys.executable, "-m", "rocecfg", "mcp"]
        env, pipe = clean_environment(**environment), subprocess.PIPE
        self.server = subprocess.Popen(command, cwd=folder, env=env, stdin=pipe, stdout=pipe, text=True)
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
        self.say("initialize", hello, 0)
        self.hear()
        self.say("notifications/initialized", {})

    def say(self, method: str, params: dict[str, Any], number: int | None = None) -> None:
        assert self.server.stdin is not None
        message = {"jsonrpc": "2.0", "method": method, "params": params} | ({} if number is None else {"id": number})
        self.server.stdin.write(json.dumps(message) + "\n")
        self.server.stdin.flush()

    def call(self, number: int, name: str, **arguments: Any) -> None:
        self.say("tools/call", {"name": name, "arguments": arguments}, number)

    def hear(self) -> Any:
        assert self.server.stdout is not None
        return json.loads(self.server.stdout.readline())

    def close(self) -> None:
        self.server.communicate(timeout=HANG)


def test_half_a_surrogate_pair_is_answered(repo: Path) -> None:
    session = Session(repo)
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("lint", {"text": "rocecfg: 1\nfabric: {name: '\ud800'}\n"}),
        ("fix", {"path": "a\udcff.yaml"}),
        ("explain", {"\ud83d": 1}),
        ("\ud800", {}),
    ]
    for number, (tool, arguments) in enumerate(wrong, 1):
        session.call(number, tool, **arguments)
        answer = session.hear()
        assert (answer["id"], answer["error"]["code"]) == (number, -32700), answer
    (repo / os.fsdecode(b"sub\xff")).mkdir()
    shutil.copy(repo / BROKEN, repo / os.fsdecode(b"sub\xff") / "fabric.yaml")  # a name that is no text
    session.call(9, "lint", path=".", limit=1000)
    assert "watchdog-missing" in str(session.hear()["result"])
    session.close()


@pytest.mark.parametrize("how", ["cancelled", "closed"])
def test_a_call_that_nobody_waits_for_ends(how: str, repo: Path, tmp_path: Path) -> None:
    waits = f"""\
import os, signal, sys
if "lint" in sys.orig_argv:
    os.symlink(str(os.getpid()), {str(tmp_path / "started")!r})
    signal.pause()
"""
    (tmp_path / "sitecustomize.py").write_text(waits, encoding="utf-8")
    session = Session(repo, PYTHONPATH=f"{tmp_path}{os.pathsep}{ROOT}")
    session.call(1, "lint", path="policy")
    wait_until(lambda: os.path.lexists(tmp_path / "started"))
    process = int(os.readlink(tmp_path / "started"))
    if how == "cancelled":
        session.say("notifications/cancelled", {"requestId": 1, "reason": "enough"})
        session.call(2, "explain", rule="watchdog-missing")
        while (answer := session.hear())["id"] != 2:  # that of the cancelled call, if any
            assert "error" in answer
        wait_until(lambda: not _runs(process))
    session.close()
    assert not _runs(process)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_wrong_calls_are_answered_and_the_server_goes_on(server: Server) -> None:
    async def script(ask: Ask, _: Any) -> None:
        wrong: list[tuple[str, dict[str, Any], str]] = [
            ("lint", {}, "a path or a text"),
            ("lint", {"path": "policy", "text": "x"}, "a path or a text"),
            ("lint", {"path": 7}, "path must be of type string"),
            ("lint", {"path": "policy", "limit": 0}, "limit must be of type integer"),
            ("lint", {"path": "policy", "depth": 1}, "takes no 'depth'"),
            ("explain", {"rule": "watchdog-mising"}, "watchdog-missing"),
            ("explain", {}, "needs rule"),
            ("render", {"path": "policy", "vendor": "juniper"}, "one of sonic, spectrum, arista"),
            ("render", {"path": "gone"}, "gone"),
            ("format_disk", {}, "there is no tool"),
        ]
        for tool, arguments, words in wrong:
            answer = await ask(tool, **arguments)
            assert answer.is_error, (tool, arguments)
            assert words in answer.structured_content["error"], answer.content
        assert (await ask("lint", path="policy")).structured_content["exit_code"] == 0

    server.talk(script)


def test_a_module_in_the_folder_is_not_run(repo: Path) -> None:
    (repo / "rocecfg").mkdir()
    (repo / "rocecfg" / "__init__.py").write_text("import os; os.mknod('pwned')\n", encoding="utf-8")
    (repo / "json.py").write_text("import os; os.mknod('pwned')\n", encoding="utf-8")
    env = clean_environment(PYTHONPATH=str(ROOT))
    call = (
        "from rocecfg.mcp.tools import ServedFolder, call_tool; "
        f"folder = ServedFolder({os.path.realpath(repo)!r}, False); "
        "print(call_tool('lint', {'path': 'policy'}, folder).data['exit_code'])"
    )
    assert run(sys.executable, "-P", "-c", call, cwd=repo, env=env).stdout == "0\n"
    assert not (repo / "pwned").exists()


def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    hide = "import sys; sys.modules['mcp'] = None; from rocecfg.cli import main; sys.argv = ['rocecfg', 'mcp']; main()"
    done = run(sys.executable, "-c", hide, cwd=tmp_path, env=clean_environment(PYTHONPATH=str(ROOT)), expect=2)
    assert "pip install 'rocecfg[mcp]'" in done.stderr
    assert "Traceback" not in done.stderr
