"""`rocecfg mcp`."""

from __future__ import annotations

import os
import sys

import click

from rocecfg import __version__
from rocecfg.cli.common import stop


@click.command("mcp")
@click.option(
    "--root",
    type=click.Path(),
    default=".",
    metavar="DIR",
    help="folder that all paths must be below  [default: this folder]",
)
@click.option("--write", is_flag=True, help="let the tool `fix` change files below it")
def command(root: str, write: bool) -> None:
    """Serve language models and scripts: lint, validate, explain, render and fix as tools.

    Programs start it, and speak the Model Context Protocol over its standard input and output. It only reads, unless
    --write is given, and opens no connection.
    """
    if not os.path.isdir(root):
        stop(f"--root {root}: there is no such folder")
    try:
        from rocecfg.mcp.server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("anyio", "mcp"):
            raise
        stop("mcp needs the package mcp 2 or newer: pip install 'rocecfg[mcp]'")
    if sys.stdin.isatty():
        stop("mcp is started by a program, which speaks to it; docs/mcp.md says how to set that up")
    from rocecfg.mcp.tools import ServedFolder

    serve(__version__, ServedFolder(os.path.realpath(root), write))
