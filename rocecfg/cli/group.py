"""The commands: each is a thin module, imported only when it runs."""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING

import click

from rocecfg import __version__, facts_day

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_GROUPS = {  # in the order in which --help lists them
    "Every day": {
        "init": "write a commented starter intent, and what pre-commit and editors need",
        "lint": "check intents and running configurations against the rules",
        "render": "print or write the configuration of a vendor's devices",
        "show": "print every effective value and where it came from",
        "explain": "print a rule's page, or the rules on a word",
        "drift": "compare an intent with the running configurations of its devices",
    },
    "To change a fabric": {
        "import": "write an intent from running configurations",
        "plan": "plan the rollout of a change, stage by stage",
        "report": "write an HTML page: findings, the fabric, its buffers and classes drawn",
        "validate": "check configurations by the switches' own models (NVUE, SONiC, Junos) and a grammar of EOS",
    },
    "More": {
        "advise": "recommend thresholds for lossless ports, and predict DCQCN with them",
        "measured": "compare results of perftest and nccl-tests with the prediction of the intent",
        "profiles": "list known platforms, ASICs and workloads",
        "rules": "print the table of all rules",
        "test": "check fabrics against a team's own expectations",
    },
    "For programs": {
        "completion": "print the script that completes words in a shell",
        "lsp": "serve an editor: findings as one types, completion, definitions, fixes",
        "mcp": "serve language models and scripts: lint, explain, render and fix as tools",
        "schema": "print the JSON Schema of the intent",
    },
}
_COMMANDS = dict(sorted(item for group in _GROUPS.values() for item in group.items()))
_MODULES = {"import": "import_"}  # where a command's name cannot be its module's


class _LazyGroup(click.Group):
    """Knows the commands' names without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            ctx.fail(f"there is no command {cmd_name!r}; {_suggest_command(cmd_name)}")
        command: click.Command = importlib.import_module(f"rocecfg.cli.{_MODULES.get(cmd_name, cmd_name)}").command
        if "_ROCECFG_COMPLETE" in os.environ:  # a shell asks for words
            importlib.import_module("rocecfg.cli.completion").set_completions(cmd_name, command)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        names = [CompletionItem(name, help=about) for name, about in _COMMANDS.items() if name.startswith(incomplete)]
        return names + click.Command.shell_complete(self, ctx, incomplete)  # the group's own would import them all

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, commands in _GROUPS.items():
            with formatter.section(title):
                formatter.write_dl(list(commands.items()), col_max=10)


def _suggest_command(word: str) -> str:
    """What could be meant by a word that is not a command."""
    from rocecfg.cli.other_words import COMMANDS
    from rocecfg.intent.values import near

    if word in COMMANDS:
        return f"write rocecfg {COMMANDS[word]}"
    part = next((part for part in word.replace("_", "-").split("-") if part in _COMMANDS), None)
    first = part or near(word, _COMMANDS)
    if first is None:
        return f"known: {', '.join(_COMMANDS)}"
    second = near(word, [name for name in _COMMANDS if name != first])
    return f"did you mean {first if second is None else f'{first} or {second}'}?"


def _suggest_option(error: click.NoSuchOption) -> None:
    """Offer what an option of another tool is called here, if the command has it; otherwise what is spelled alike."""
    from rocecfg.cli.other_words import OPTIONS

    known = {name for param in error.ctx.command.params for name in param.opts} if error.ctx is not None else set()
    for offer in OPTIONS.get(error.option_name, ()):
        if offer.partition(" ")[0] in known:
            error.possibilities = [offer]  # type: ignore[misc]  # as with `message` below
            return


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(
    __version__, prog_name="rocecfg", message=f"%(prog)s, version %(version)s\nnewest source of its facts: {facts_day}"
)
def cli() -> None:
    """Generate and lint RoCEv2 switch configuration for SONiC, Cumulus Linux, EOS, Junos, NX-OS and SR Linux."""


def run_cli() -> int:
    """Run what the command line asks for; the exit code. Commands raise SystemExit too, and whatever they fail with."""
    try:
        # not standalone: that would end on Ctrl-C as it does on findings
        return cli.main(prog_name="rocecfg", standalone_mode=False) or 0
    except click.ClickException as error:
        from rocecfg.core.visible import visible

        if isinstance(error, click.NoSuchOption):
            _suggest_option(error)
        error.message = visible(error.message)  # type: ignore[misc]  # final for subclasses; there is no other way in
        error.show()
        return error.exit_code
    except click.Abort:
        return 130
    except Exception as error:
        from rocecfg.cli.common import stop_if_missing

        stop_if_missing(error)
        raise
