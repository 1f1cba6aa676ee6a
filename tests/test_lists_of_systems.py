"""What lists the systems lists all of them: help texts, tools for language models, the top of the documentation."""

from __future__ import annotations

import re

import click
from checkout import ROOT

from rocecfg.cli import cli
from rocecfg.mcp.tools import TOOLS
from rocecfg.vendors import TABLE, join_names

_CALLED = {
    "sonic": r"SONiC",
    "spectrum": r"Cumulus|NVUE|Spectrum",
    "arista": r"\bEOS\b|Arista",
    "junos": r"Junos|Juniper",
    "nxos": r"NX-OS|Cisco",
    "srlinux": r"SR Linux|Nokia",
}


def _texts() -> dict[str, str]:
    context = click.Context(cli, info_name="rocecfg")
    out = {"rocecfg": cli.get_help(context)}
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command is not None
        for part in (command.help or "").split("\n\n"):
            out[f"rocecfg {name}: {part[:30]}"] = part
    out |= {f"tool {tool.name}": tool.about for tool in TOOLS}
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    out["pyproject.toml"] = next(line for line in project.splitlines() if line.startswith("description"))
    out["README.md"] = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## ")[0]
    return out


def test_a_list_of_systems_leaves_none_out() -> None:
    assert _CALLED.keys() == {system.name for system in TABLE}
    assert join_names(system.title for system in TABLE) in (cli.help or "")
    short = {}
    for where, text in _texts().items():
        lacking = [name for name, words in _CALLED.items() if not re.search(words, text)]
        if len(lacking) == 1:  # one or two are told of for themselves
            short[where] = lacking
    assert short == {}
