"""The command line without its start: a process that has rocecfg loaded forks for each call.

Python and rocecfg take ten times as long to start as most calls take to run. A child starts as a new process would:
with the caller's folder, environment and standard streams, and no state of an earlier call. Only the modules are loaded
before, and what rocecfg reads once of its own files: profiles, templates, grammars. A missing import could hide;
`test_cli_processes.py` therefore runs each command as a real process, too.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import pkgutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import cache
from pathlib import Path
from typing import IO, Any

import kept_runs
from checkout import ROOT, clean_environment

_SERVED_ALONE = ("rocecfg.lsp", "rocecfg.mcp")  # servers: no test calls them and waits


def run_command(
    command: Sequence[str], cwd: Path, env: Mapping[str, str], text: bytes = b"", timeout: float | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run `rocecfg COMMAND`: the exit code, and the bytes of standard output and standard error.

    `text` is its standard input. Raises subprocess.TimeoutExpired as subprocess.run does.
    """
    if _read_at_start(env) != _read_at_start(_as_started()):
        words = [sys.executable, "-m", "rocecfg", *command]
        return subprocess.run(words, cwd=cwd, env=env, input=text, capture_output=True, check=False, timeout=timeout)
    streams = [tempfile.TemporaryFile() for _ in range(3)]  # noqa: SIM115 - closed below
    try:
        streams[0].write(text)
        streams[0].seek(0)
        asked = json.dumps({"cwd": os.path.abspath(cwd), "command": list(command), "env": dict(env)}).encode()
        code = _server().ask(asked, streams, timeout)
        out, err = (_written(stream) for stream in streams[1:])
    finally:
        for stream in streams:
            stream.close()
    return subprocess.CompletedProcess(["rocecfg", *command], code, out, err)


def _written(stream: IO[bytes]) -> bytes:
    stream.seek(0)
    return stream.read()


def _read_at_start(env: Mapping[str, str]) -> dict[str, str]:
    """What of an environment Python reads when it starts: a process that runs already cannot take it from a call."""
    return {name: value for name, value in env.items() if name.startswith(("PYTHON", "LC_", "LANG"))}


def _as_started() -> dict[str, str]:
    return clean_environment(PYTHONPATH=str(ROOT))


class _Server:
    def __init__(self) -> None:
        self._ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [sys.executable, str(Path(__file__)), str(theirs.fileno()), os.environ.get(kept_runs.FOLDER, "")]
        env = _as_started()
        self._process = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, pass_fds=(theirs.fileno(),))
        theirs.close()
        atexit.register(self.stop)

    def ask(self, asked: bytes, streams: Sequence[IO[bytes]], timeout: float | None) -> int:
        """The exit code of a call. A call that takes longer is killed."""
        with tempfile.TemporaryFile() as question:  # a message of a socket has a largest size
            question.write(asked)
            question.seek(0)
            socket.send_fds(self._ours, [b"?"], [question.fileno(), *(stream.fileno() for stream in streams)])
        self._ours.settimeout(timeout)
        child = int(self._answer())
        try:
            return int(self._answer())
        except TimeoutError:
            os.kill(child, signal.SIGKILL)
            self._ours.settimeout(None)
            self._answer()
            raise subprocess.TimeoutExpired(asked, timeout or 0) from None

    def _answer(self) -> bytes:
        answer = self._ours.recv(32)
        assert answer, f"the process that forks has ended: {self._process.wait()}"
        return answer

    def stop(self) -> None:
        self._ours.close()
        self._process.wait()


_server = cache(_Server)


# -- the process that forks --------------------------------------------------------------------------------------------


def _load_all(folder: Path) -> None:
    """All of rocecfg, and what it loads only when it needs it. `folder`: where results of simulations are kept."""
    for name in ("jinja2", "netaddr", "ruamel.yaml", "yaml"):
        importlib.import_module(name)
    package = importlib.import_module("rocecfg")
    for found in pkgutil.walk_packages(package.__path__, "rocecfg."):
        if not found.name.startswith(_SERVED_ALONE):
            importlib.import_module(found.name)
    _compile_templates()
    gc.set_threshold(100_000, 20, 50)
    kept_runs.use(map(importlib.import_module, kept_runs.USERS), folder)


_VENDORS = ("sonic", "spectrum", "arista", "junos", "nxos")
_READ_ONCE = (  # commands that read what most calls do
    *(f"init {name} --vendor {name}" for name in _VENDORS),
    *(f"render {name} -o {name}.d" for name in _VENDORS),
    *(f"drift {name} --running {name}.d" for name in _VENDORS),
    "lint sonic sonic.d spectrum.d arista.d junos.d nxos.d",
    "import sonic.d",
    "report sonic -o page.html",
)


def _read_once(folder: str) -> None:
    """Run commands in this process: its children find what was read of rocecfg's own files, half of a call's time."""
    group = importlib.import_module("rocecfg.cli.group")
    here = os.getcwd()
    os.chdir(folder)
    with open(os.devnull, "w", encoding="utf-8") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        for command in _READ_ONCE:
            with suppress(SystemExit):
                group.cli.main(command.split(), standalone_mode=False)
    os.chdir(here)


def _compile_templates() -> None:
    """The templates that writers begin with, and what these include: every call that renders would compile them."""
    from jinja2 import Environment, meta

    from rocecfg.vendors import VENDORS
    from rocecfg.vendors.base import environment

    def list_included(env: Environment, name: str) -> list[str]:
        source = env.loader.get_source(env, name)[0]
        return [each for each in meta.find_referenced_templates(env.parse(source)) if each is not None]

    for vendor in VENDORS:
        writer = importlib.import_module(f"rocecfg.vendors.{vendor}.writer")
        env = environment(vendor)
        names = env.list_templates()
        for name in set(names).difference(*(list_included(env, each) for each in names)):
            own = writer._template(name, None).environment  # noqa: SLF001 - it is what a call would ask
            left = [name]
            while left:
                left += list_included(own, left.pop())
                for each in left:
                    own.get_template(each)


def _serve(number: int, folder: str) -> None:
    channel = socket.socket(fileno=number)
    with tempfile.TemporaryDirectory(prefix="rocecfg-runs-") as own:
        _load_all(Path(folder or own))
        _read_once(own)
        gc.collect()
        gc.freeze()
        _answer_calls(channel)


def _answer_calls(channel: socket.socket) -> None:
    while True:
        message, fds, _, _ = socket.recv_fds(channel, 1, 4)
        if not message:
            return
        child = os.fork()
        if child == 0:
            channel.close()
            _call(fds)
        for fd in fds:
            os.close(fd)
        channel.send(str(child).encode())
        channel.send(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())


def _call(fds: list[int]) -> None:
    """Be `python -m rocecfg`. Never returns."""
    code = 1
    try:
        with os.fdopen(fds[0], "rb") as question:
            asked: dict[str, Any] = json.load(question)
        for number, fd in enumerate(fds[1:]):
            os.dup2(fd, number)
            os.close(fd)
        os.chdir(asked["cwd"])
        os.environ.clear()
        os.environ.update(asked["env"])
        sys.path[0] = asked["cwd"]  # where this file's folder stands, as `python -m` has it
        sys.modules["__main__"] = importlib.import_module("rocecfg.__main__")  # what its workers load
        sys.argv = [sys.modules["__main__"].__file__ or "", *asked["command"]]
        from rocecfg.cli import main

        main()
    except BaseException:  # noqa: BLE001 - the child ends here, whatever happens, and says why
        import traceback

        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


if __name__ == "__main__":
    _serve(int(sys.argv[1]), sys.argv[2])
