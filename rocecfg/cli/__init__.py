"""The command line: each command is a thin module, imported only when it runs."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import sys
from typing import TYPE_CHECKING, NoReturn

import click

from rocecfg import __version__

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_COMMANDS = {
    "advise": "print what rocecfg would set on lossless ports, and what a model of DCQCN predicts",
    "completion": "print the script that completes words in a shell",
    "explain": "print a rule's page",
    "init": "write a commented starter intent, and what pre-commit and editors need",
    "lint": "judge intents against the rules",
    "lsp": "serve an editor: findings as one types, values, completion, fixes",
    "profiles": "list what platforms, ASICs and workloads are known",
    "render": "print or write the configuration of a vendor's devices",
    "rules": "print the table of all rules",
    "schema": "print the JSON Schema of the intent",
    "show": "print every effective value and where it came from",
    "test": "check what a team expects of its fabrics",
}


class _Lazy(click.Group):
    """Knows the commands' names without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"rocecfg.cli.{cmd_name}").command
        if "_ROCECFG_COMPLETE" in os.environ:  # a shell asks for words
            importlib.import_module("rocecfg.cli.completion").teach(cmd_name, command)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        names = [CompletionItem(name, help=about) for name, about in _COMMANDS.items() if name.startswith(incomplete)]
        return names + click.Command.shell_complete(self, ctx, incomplete)  # the group's own would import them all

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
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # the same bytes under any locale; names of files may not be UTF-8
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        # not standalone: that would end on Ctrl-C as it does on findings
        code = cli.main(prog_name="rocecfg", standalone_mode=False) or 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except BrokenPipeError:  # `rocecfg lint | head`: nobody reads the rest
        code = 1
    except (click.Abort, KeyboardInterrupt):
        code = 130
    except OSError as error:  # the disk is full, the terminal is gone
        code = _cannot(error)
    except Exception as error:  # noqa: BLE001 - never a traceback: it would hide what was already found
        import traceback

        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{os.path.basename(last.filename)}:{last.lineno}"
        click.echo(f"rocecfg: internal error, please report it: {type(error).__name__}: {error} ({place})", err=True)
        code = 3
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        pass
    except OSError as error:
        code = _cannot(error)
    with contextlib.suppress(OSError):
        sys.stderr.flush()
    os._exit(code)  # freeing a fabric of 10,000 switches object by object takes a tenth of the run


def _cannot(error: OSError) -> int:
    with contextlib.suppress(OSError):
        click.echo(f"rocecfg: {error.filename or 'standard output'}: {error.strerror or error}", err=True)
    return 2
