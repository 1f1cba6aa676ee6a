"""The command line: each command is a thin module, imported only when it runs."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from typing import NoReturn

import click

from rocecfg import __version__

_COMMANDS = {
    "explain": "print a rule's page",
    "lint": "judge intents against the rules",
    "profiles": "list what platforms, ASICs and workloads are known",
    "render": "print or write the configuration of a vendor's devices",
    "rules": "print the table of all rules",
    "schema": "print the JSON Schema of the intent",
    "show": "print every effective value and where it came from",
}


class _Lazy(click.Group):
    """Knows the commands' names without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"rocecfg.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="rocecfg")
def cli() -> None:
    """Generate and lint RoCEv2 switch configuration for SONiC, NVIDIA Spectrum and Arista EOS."""


def main() -> NoReturn:
    """Entry point. Exit codes: 0 nothing found, 1 findings, 2 could not run, 3 internal error."""
    code = 0
    try:
        cli(prog_name="rocecfg")
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BrokenPipeError:  # `rocecfg lint | head`: nobody reads the rest
        code = 1
    except KeyboardInterrupt:
        code = 130
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)  # freeing a fabric of 10,000 switches object by object takes a tenth of the run
