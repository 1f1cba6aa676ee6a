"""What the page asks of rocecfg: the commands that people run, on one text. Runs in the browser."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import sys
from contextlib import redirect_stderr, redirect_stdout

from rocecfg.cli.group import cli

_WORK = "/work"


def _run(*words: str, text: str | None = None) -> tuple[int, str, str]:
    """A command in a folder with the text as its only file: exit code, what it prints, what it complains of."""
    if os.path.isdir(_WORK):
        os.chdir("/")
        shutil.rmtree(_WORK)
    os.makedirs(_WORK)
    os.chdir(_WORK)
    if text is not None:
        with open(_name(text), "w", encoding="utf-8", errors="surrogatepass") as stream:
            stream.write(text)
        words = (*words, _name(text))
    out, err = io.BytesIO(), io.BytesIO()
    with redirect_stdout(_text(out)), redirect_stderr(_text(err)):
        try:
            cli.main(words, "rocecfg")
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        except Exception as error:  # noqa: BLE001 - shown to who asked: there is nobody else
            code = 3
            print(f"internal error, please report it: {type(error).__name__}: {error}", file=sys.stderr)
        return code, out.getvalue().decode(), err.getvalue().decode().strip()  # while there is who writes to them


def _text(stream: io.BytesIO) -> io.TextIOWrapper:
    return io.TextIOWrapper(stream, "utf-8", write_through=True)


def _name(text: str) -> str:
    return "fabric.yaml" if re.search(r"^rocecfg\s*:", text, re.MULTILINE) else "switch"


def lint(text: str) -> str:
    """Findings and totals as JSON, or an error."""
    _, out, error = _run("lint", "--format", "json", "--jobs", "1", text=text)
    return out if out.startswith("{") else json.dumps({"error": error or out})


def explain(rule: str) -> str:
    """The page of a rule."""
    _, out, error = _run("explain", rule)
    return json.dumps(out or error)


def render(text: str, vendor: str) -> str:
    """Name -> text of the files, or an error. `vendor`: of devices that name none, or `all`."""
    code, out, error = _run("render", "--vendor", vendor, "-o", "rendered", text=text)
    if code:
        return json.dumps({"error": f"{out}\n{error}".strip()})
    names = sorted(os.listdir("rendered"), key=lambda name: (name.startswith("APPLY-"), name))
    files = {}
    for name in names:
        with open(os.path.join("rendered", name), encoding="utf-8") as stream:
            files[name] = stream.read()
    return json.dumps({"files": files})


def report(text: str) -> str:
    """The page of `rocecfg report`, or an error."""
    code, out, error = _run("report", "-o", "-", text=text)
    return json.dumps({"error": error} if code else {"html": out})
