"""`rocecfg lsp`."""

from __future__ import annotations

import sys

import click

from rocecfg import __version__
from rocecfg.cli.common import stop
from rocecfg.cli.inputs import allow_outside_option


@click.command("lsp")
@click.option(
    "--stdio", is_flag=True, expose_value=False, help="accepted, since some editors add it; nothing else is served"
)
@allow_outside_option
def command(allow_outside: tuple[str, ...]) -> None:
    """Serve an editor: findings as one types, values and their origins, completion, definitions, outlines, fixes.

    Editors start it, and speak the Language Server Protocol over its standard input and output.
    """
    try:
        from rocecfg.lsp.server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("lsprotocol", "pygls"):
            raise
        stop("lsp needs pygls 2 or newer: pip install 'rocecfg[lsp]'")
    if sys.stdin.isatty():
        stop("lsp is started by an editor, which speaks to it; docs/editors.md says how to set that up")
    sys.exit(serve(__version__, allow_outside))
