"""Where conformance tests find their validators: in CI those of another hand, in any clone rocecfg's own.

`ROCECFG_SHARED` names the folder of the others: `tools/validate-nvue`, `tools/validate-sonic`, `tools/validate-eos`,
`tools/validate-junos` and `sonic-yang/RELEASE`. Without it `rocecfg.validation` judges, behind the same command lines
(`own_validators.py`).
"""

from __future__ import annotations

import os
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
        'if __name__ == "__main__":',
        f"    sys.exit({COMMANDS[kind]}(sys.argv[1:]))",
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
