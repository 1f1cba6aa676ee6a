"""`rocecfg lint`: its options. What they ask for is done in `linted`, which needs nothing that parses options."""

from __future__ import annotations

import click

from rocecfg.cli.inputs import VendorChoice, allow_outside_option, gone_option
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
@click.option("--format", "format_", type=click.Choice(list(FORMATS)), help="short for --output FORMAT")
@click.option(
    "--output", "outputs", multiple=True, metavar="FORMAT[=FILE]", help=f"{', '.join(FORMATS)}; may be repeated"
)
@click.option("--select", multiple=True, metavar="RULE", help="only these rules (name, code, or their beginning)")
@click.option("--ignore", multiple=True, metavar="RULE", help="skip these rules")
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "info"]),
    help="lowest severity that ends with exit code 1  [default: error]",
)
@click.option("--fix", is_flag=True, help="apply fixes that do not change rendered output")
@click.option("--unsafe-fixes", is_flag=True, help="with --fix or --diff: also fixes that change rendered output")
@click.option(
    "--diff", is_flag=True, help="print what --fix would change and write nothing; exit code 1 if there is a change"
)
@click.option("--no-ignores", is_flag=True, help="also report findings that comments waive")
@click.option("--baseline", type=click.Path(), metavar="FILE", help="report only findings that this file does not list")
@click.option("--since", metavar="REF", help="report only findings on lines changed since this branch left REF (git)")
@click.option("--update-baseline", is_flag=True, help="write the current findings to the baseline")
@click.option("--statistics", is_flag=True, help="count findings by rule instead of showing each")
@click.option("--no-models", is_flag=True, help="skip the checks by the installed models of switches' systems")
@click.option("--list-unjudged", is_flag=True, help="list the statements of configurations that were not checked")
@click.option("-q", "--quiet", is_flag=True, help="print only findings, and no totals if all was read")
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="auto: only on terminals",
)
@gone_option("--profile-rules", "no time is measured", is_flag=True)  # until 0.5
@click.option("--stdin-filename", type=click.Path(), metavar="NAME", help="file name for PATH - (standard input)")
@click.option(
    "--config", type=click.Path(), metavar="FILE", help="use these settings instead of the nearest rocecfg.toml"
)
@click.option("--no-config", "--isolated", "no_config", is_flag=True, help="use no settings file")
@click.option("--environment", metavar="NAME", help="an environment of the settings (lab, staging, production)")
@click.option("--show-settings", is_flag=True, help="print every setting in force and where it came from")
@click.option("--from", "written_by", type=VendorChoice(), help="treat all files as configurations of this system")
@click.option(
    "--jobs",
    type=click.IntRange(1),
    metavar="N",
    help="processes that read configurations and lint intents  [default: cores]",
)
@click.option("--only-intents", is_flag=True, help="skip given files that belong to no intent (for hooks)")
@click.option("--fix-below", type=click.Path(), hidden=True)  # --fix changes no file outside: `rocecfg mcp` asks it
@click.option("--no-shapes", is_flag=True, hidden=True)  # reads each file in full: tests compare
@allow_outside_option
def command(**options: Any) -> None:
    """Lint intents and switch configurations. Each file is recognised by its content.

    For a file of an intent, the whole fabric is loaded and findings that involve the file are reported. Switch
    configurations are checked together as one fabric, and so are those in a folder without an intent. PATH - reads
    standard input.

    Exit codes: 0 nothing at or above --fail-on, 1 findings, 2 could not run, 3 internal error.
    """
    lint_paths(**options)
