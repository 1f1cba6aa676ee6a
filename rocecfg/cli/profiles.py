"""`rocecfg profiles`."""

from __future__ import annotations

import os

import click

from rocecfg.cli.common import stop, stop_unread
from rocecfg.cli.inputs import allow_outside_option
from rocecfg.core.visible import visible_text
from rocecfg.profiles import FOLDER, KINDS, Library, library_in
from rocecfg.source.document import SourceError


@click.command("profiles")
@click.argument("name", required=False)
@click.option("--kind", type=click.Choice(list(KINDS)), help="of this kind only")
@click.option("--in", "folder", default=".", type=click.Path(), help=f"where {FOLDER}/ is looked for; default: here")
@allow_outside_option
def command(name: str | None, kind: str | None, folder: str, allow_outside: tuple[str, ...]) -> None:
    """List the profiles known; NAME or kind/NAME shows one.

    Shown is each figure with its source and how sure it is, and what nobody knows. A folder rocecfg-profiles/ beside
    an intent adds profiles, and changes them.
    """
    library = library_in(folder, allow_outside)
    kinds = (kind,) if kind is not None else tuple(KINDS)
    try:
        if name is None:
            for each in kinds:
                click.echo(visible_text(_list(library, each)), nl=False)
            return
        wanted, slash, rest = name.partition("/")
        if slash and wanted in KINDS:
            kinds, name = (wanted,), rest
        found = [each for each in kinds if name in library.names(each)]
        if not found:
            stop(f"there is no profile {name!r}; `rocecfg profiles` lists them")
        from rocecfg.profiles.page import page

        click.echo("\n".join(page(library, each, name) for each in found), nl=False)
    except SourceError as error:
        stop_unread(error)


def _list(library: Library, kind: str) -> list[str]:
    """The profiles of a kind, a line each."""
    names = library.names(kind)
    wide = max(map(len, names), default=0)
    lines = [f"{kind} ({len(names)})"]
    for name in names:
        own = f"  [{os.path.join(FOLDER, kind)}]" if library.is_own(kind, name) else ""
        lines.append(f"  {name:<{wide}}  {library.title(kind, name)}{own}")
    return lines
