"""Templates of others, filled in a process of their own that may use so much time and memory and no more.

The sandbox keeps a template from reaching into Python, not from looping forever or doubling a text until memory is
gone. A process can be bounded from outside, whatever it is at. It is started with the first such template, and fills
all others: what is shipped needs no bounds, and is filled where it is asked for.
"""

from __future__ import annotations

import atexit
import os
import pickle
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from traceback import extract_tb
from typing import IO, TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from jinja2 import Template

SECONDS: float = 5  # of processor time for one file; the largest switch takes a tenth of one
MEMORY = 2 << 30  # bytes, of address space
CHARACTERS = 64 << 20  # of one file

_HEAD = 8  # bytes that say how many follow
_START = "import sys; sys.path[:] = {path!r}; from rocecfg.vendors.bounded import serve; serve()"
_lock = threading.Lock()
_worker: subprocess.Popen[bytes] | None = None


class Exceeded(Exception):
    """A template that takes more than it may."""


class Failed(Exception):
    """What a template failed with: the error's class and text, and the file below the user's folder with its line.

    No file: it is not one of the user's. No line: the folder is intended.
    """

    def __init__(self, kind: str, message: str, path: str | None = None, line: int = 0) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind
        self.message = message
        self.path = path
        self.line = line


def fill_in_process(
    template: Callable[[str, str | None], Template], name: str, overrides: str, values: Mapping[str, object]
) -> str:
    """The text that a template gives; `template` is a function of a module, which gets it by these two.

    Raises Failed.
    """
    request = pickle.dumps((SECONDS, template, name, os.path.abspath(overrides), dict(values)))
    with _lock:
        worker = _start_process()
        assert worker.stdin is not None
        assert worker.stdout is not None
        try:
            _send(worker.stdin, request)
            answer = _receive(worker.stdout)
        except (OSError, EOFError):
            _stop_process()
            message = f"more than {SECONDS} s of processor time, or more than {MEMORY >> 30} GiB of memory"
            raise Failed("Exceeded", message) from None
    if answer[:1] == b"T":
        return answer[1:].decode("utf-8", "surrogatepass")
    raise Failed(*pickle.loads(answer[1:]))  # noqa: S301 - texts, which our own process packed


def _start_process() -> subprocess.Popen[bytes]:
    global _worker  # noqa: PLW0603 - one for all templates of this process
    if _worker is None or _worker.poll() is not None:
        _stop_process()
        # No module of the current folder is taken: -P does not add it, and its names "" and "." are left out.
        path = [folder for folder in sys.path if os.path.isabs(folder)]
        path.append(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))  # where we are from
        _worker = subprocess.Popen(  # noqa: S603 - Python itself
            [sys.executable, "-P", "-c", _START.format(path=path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    return _worker


@atexit.register
def _stop_process() -> None:
    global _worker  # noqa: PLW0603 - as above
    if _worker is not None:
        _worker.kill()
        with suppress(OSError):
            _worker.communicate()
        _worker = None


def _send(stream: IO[bytes], data: bytes) -> None:
    stream.write(len(data).to_bytes(_HEAD, "big") + data)
    stream.flush()


def _receive(stream: IO[bytes]) -> bytes:
    """Raises EOFError where the other side is gone."""
    size = int.from_bytes(_read_exactly(stream, _HEAD), "big")
    return _read_exactly(stream, size)


def _read_exactly(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) != size:
        raise EOFError
    return data


# -- in the process of its own -----------------------------------------------------------------------------------------


def serve() -> None:
    """Fill templates until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who asks
    with suppress(OSError, ValueError):  # not every system has it
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while True:
        try:
            request = _receive(requests)
        except EOFError:
            return
        _send(answers, _answer_request(*pickle.loads(request)))  # noqa: S301 - what `fill_in_process` packed


def _answer_request(
    seconds: float, template: Callable[[str, str | None], Template], name: str, overrides: str, values: dict[str, Any]
) -> bytes:
    _limit_time(seconds)
    try:
        return b"T" + _fill_template(template(name, overrides), values).encode("utf-8", "surrogatepass")
    except Exception as error:  # noqa: BLE001 - whatever a template raises
        signal.setitimer(signal.ITIMER_PROF, 0)
        message = str(getattr(error, "message", None) or error)
        kind = type(error).__name__
        if isinstance(error, MemoryError):
            kind, message = "Exceeded", f"more than {MEMORY >> 30} GiB of memory"
        return b"F" + pickle.dumps((kind, message, *_find_place(overrides, error)))
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _find_place(folder: str, error: Exception) -> tuple[str | None, int]:
    """The file, as seen from `folder`, and the line where an error was raised below it; None if not from there."""
    inside = os.path.join(folder, "")
    for frame in reversed(extract_tb(error.__traceback__)):
        if frame.filename.startswith(inside):
            return frame.filename.removeprefix(inside), frame.lineno or 0
    return ("." if isinstance(error, (OSError, UnicodeError)) else None), 0


def _limit_time(seconds: float) -> None:
    """Have the template interrupted when its time is over; and the process ended where that does not help."""

    def end(*_: object) -> NoReturn:
        raise Exceeded(f"more than {seconds} s of processor time")

    signal.signal(signal.SIGPROF, end)
    used = resource.getrusage(resource.RUSAGE_SELF)
    last = int(used.ru_utime + used.ru_stime + 2 * seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (last, resource.getrlimit(resource.RLIMIT_CPU)[1]))
    signal.setitimer(signal.ITIMER_PROF, seconds, 0.5)  # again and again: a template's own code may swallow one


def _fill_template(template: Template, values: dict[str, Any]) -> str:
    pieces = []
    size = 0
    stream = template.generate(values)
    for piece in stream:
        pieces.append(piece)
        size += len(piece)
        if size > CHARACTERS:
            # raised where the template is, so that its line is known
            stream.throw(Exceeded(f"more than {CHARACTERS >> 20} MiB of text"))  # type: ignore[attr-defined]
    return "".join(pieces)
