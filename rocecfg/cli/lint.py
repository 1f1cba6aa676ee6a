"""`rocecfg lint`: its options. What they ask for is done in `linted`, which needs nothing that parses options."""

from __future__ import annotations

import click

from rocecfg.cli.inputs import VendorChoice, allow_outside_option
from rocecfg.cli.linted import FORMATS, lint_paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


_OFTEN = {  # what most ask for, by what for; the rest are advanced
    "What is reported": ("format_", "outputs", "select", "ignore", "fail_on", "since", "baseline", "quiet"),
    "Fixes": ("fix", "unsafe_fixes", "diff"),
}


class _Lint(click.Command):
    """Lists its options in groups."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        rows = {option.name: row for option in options if (row := option.get_help_record(ctx)) is not None}
        for title, names in _OFTEN.items():
            with formatter.section(title):
                formatter.write_dl([rows.pop(name) for name in names])
        with formatter.section("Advanced"):
            formatter.write_dl(list(rows.values()))


@click.command("lint", cls=_Lint)
@click.argument("paths", nargs=-1, type=click.Path())
@click.option("--format", "format_", type=click.Choice(list(FORMATS)), help="the same as one --output")
@click.option(
    "--output", "outputs", multiple=True, metavar="FORMAT[=FILE]", help=f"{', '.join(FORMATS)}; may be repeated"
)
@click.option("--select", multiple=True, metavar="RULE", help="only these rules (name, code, or their beginning)")
@click.option("--ignore", multiple=True, metavar="RULE", help="not these rules")
@click.option(
    "--fail-on", type=click.Choice(["error", "warning", "info"]), help="what ends with exit code 1  [default: error]"
)
@click.option("--fix", is_flag=True, help="fix what has one answer; what is rendered stays byte-equal")
@click.option("--unsafe-fixes", is_flag=True, help="with --fix or --diff: fixes that change what is rendered too")
@click.option("--diff", is_flag=True, help="print what --fix would change, and write nothing; 1 if there is something")
@click.option("--no-ignores", is_flag=True, help="report what comments waive too")
@click.option("--baseline", type=click.Path(), metavar="FILE", help="report only what this file does not know")
@click.option("--since", metavar="REF", help="report only what concerns lines changed since this branch left REF (git)")
@click.option("--update-baseline", is_flag=True, help="write what is found now to the baseline")
@click.option("--statistics", is_flag=True, help="count findings by rule instead of showing each")
@click.option("--no-models", is_flag=True, help="do not ask the models of switches' systems what they refuse")
@click.option("--list-unjudged", is_flag=True, help="list the statements of configurations that were not judged")
@click.option("-q", "--quiet", is_flag=True, help="findings alone: no totals where all was read")
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="auto: on terminals",
)
@click.option("--profile-rules", is_flag=True, help="print on standard error how long each rule takes")
@click.option("--stdin-filename", type=click.Path(), metavar="NAME", help="the file that PATH - (standard input) is")
@click.option("--config", type=click.Path(), metavar="FILE", help="these settings, not the nearest rocecfg.toml")
@click.option("--no-config", "--isolated", "no_config", is_flag=True, help="no settings file")
@click.option("--environment", metavar="NAME", help="an environment of the settings (lab, staging, production)")
@click.option("--show-settings", is_flag=True, help="print every setting in force and where it came from")
@click.option("--from", "written_by", type=VendorChoice(), help="take all files for configurations of such switches")
@click.option(
    "--jobs",
    type=click.IntRange(1),
    metavar="N",
    help="processes that read configurations and judge intents  [default: cores]",
)
@click.option("--only-intents", is_flag=True, help="skip given files that belong to no intent (for hooks)")
@click.option("--fix-below", type=click.Path(), hidden=True)  # --fix changes no file outside: `rocecfg mcp` asks it
@click.option("--no-shapes", is_flag=True, hidden=True)  # reads each file in full: tests compare
@allow_outside_option
def command(**options: Any) -> None:
    """Judge intents, and configurations of switches. Each file is recognised by its content.

    Given files of an intent, the whole fabric they belong to is loaded, and what touches them is reported. Files
    that switches wrote are judged together as one fabric, and so are those below a folder without an intent.
    PATH - reads standard input.

    Exit codes: 0 nothing at or above --fail-on, 1 findings, 2 could not run, 3 internal error.
    """
    lint_paths(**options)
