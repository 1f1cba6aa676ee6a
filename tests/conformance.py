"""Where conformance tests find their validators: in CI those of another hand, in any clone rocecfg's own.

`ROCECFG_SHARED` names the folder of the others: `tools/validate-nvue`, `tools/validate-sonic`, `tools/validate-eos`,
`tools/validate-junos` and `sonic-yang/RELEASE`. Without it `rocecfg.validation` judges, behind the same command lines
(`own_validators.py`).
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple, NoReturn

import pytest

HERE = Path(__file__).resolve().parent
REQUIRED = os.environ.get("ROCECFG_REQUIRE_CONFORMANCE") == "1"
COMMANDS = {"nvue": "nvue", "sonic": "sonic_yang", "eos": "eos", "junos": "junos_cli"}  # functions of own_validators.py
PACKAGES = {"nvue": "nvueschema", "sonic": "oopt_gnpy_libyang"}  # what the validators of either hand need


class SonicYang(NamedTuple):
    """A validator of CONFIG_DB, and the folder that has SONiC's models by release."""

    tool: Path
    models: Path


def shared_folder() -> Path:
    """The folder that tests share with others; it need not be there."""
    named = os.environ.get("ROCECFG_SHARED")
    return Path(named) if named else HERE.parent.parent / "shared"


def lacking(word: str) -> NoReturn:
    """Skip the test for something that is not here; where all has to be, fail it."""
    if REQUIRED:
        pytest.fail(word)
    pytest.skip(word)


def validator(kind: str, folder: Path) -> Path:
    """The validator of a kind: nvue, sonic, eos, junos. `folder`: where one of ours is written."""
    package = PACKAGES.get(kind)
    if package is not None and find_spec(package) is None:
        lacking(f"{package} is not installed: pip install 'rocecfg[validate]'")
    tools = shared_folder() / "tools"
    if tools.is_dir():
        return tools / f"validate-{kind}"
    if REQUIRED:
        pytest.fail(f"no validators at {shared_folder()}: set ROCECFG_SHARED to the folder that holds tools/")
    script = folder / f"validate-{kind}"
    lines = (
        "import sys",
        f"sys.path[:0] = [{str(HERE)!r}, {str(HERE.parent)!r}]",
        "from own_validators import *",
        "def main():",
        f"    return {COMMANDS[kind]}(sys.argv[1:])",
        'if __name__ == "__main__":',
        "    sys.exit(main())",
    )
    script.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return script


def sonic_models() -> Path:
    """The folder with SONiC's models by release."""
    named = os.environ.get("ROCECFG_SONIC_YANG")
    folder = Path(named) if named else shared_folder() / "sonic-yang"
    if not folder.is_dir():
        lacking(f"no YANG models at {folder}: ROCECFG_SONIC_YANG names a folder with src/sonic-yang-models by release")
    return folder


def run_validator(
    tool: Path, *arguments: str | Path, text: str | None = None, folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """What a validator answers to a command line: as if it were started for it, but started once (kept_validator.py).

    `text`: its standard input. `folder`: where it runs, by default here.
    """
    process = _started(tool)
    assert process.stdin is not None
    assert process.stdout is not None
    words = [str(word) for word in arguments]
    question = {"arguments": words, "text": text, "folder": str(folder or Path.cwd())}
    process.stdin.write(json.dumps(question) + "\n")
    process.stdin.flush()
    line = process.stdout.readline()
    if not line:
        _started.cache_clear()  # others ask another
        pytest.fail(f"{tool.name} {' '.join(words)} ended without a verdict: status {process.wait()}")
    answer = json.loads(line)
    return subprocess.CompletedProcess(words, answer["status"], answer["output"], answer["errors"])


@cache
def _started(tool: Path) -> subprocess.Popen[str]:
    command = [sys.executable, str(HERE / "kept_validator.py"), str(tool)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
    atexit.register(process.__exit__, None, None, None)  # without further questions it ends
    return process
