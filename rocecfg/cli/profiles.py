"""`rocecfg profiles`."""

from __future__ import annotations

import json
import os

import click

from rocecfg.cli.common import stop, stop_unread
from rocecfg.cli.inputs import allow_outside_option
from rocecfg.cli.paged import print_lines
from rocecfg.profiles import FOLDER, KINDS, Library, library_in
from rocecfg.source.document import SourceError

_MOST = 4  # names that are offered


@click.command("profiles")
@click.argument("name", required=False)
@click.option("--kind", type=click.Choice(list(KINDS)), help="only this kind")
@click.option("--age", is_flag=True, help="number of facts, their confidence, and the date of their newest source")
@click.option("--in", "folder", default=".", type=click.Path(), help=f"where {FOLDER}/ is looked for; default: here")
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
@allow_outside_option
def command(
    name: str | None, kind: str | None, age: bool, folder: str, format_: str, allow_outside: tuple[str, ...]
) -> None:
    """List the profiles known; NAME or kind/NAME shows one.

    Shows each figure with its source and confidence, and which are unknown. A folder rocecfg-profiles/ beside an intent
    adds or changes profiles.
    """
    library = library_in(folder, allow_outside)
    kinds = (kind,) if kind is not None else tuple(KINDS)
    try:
        if age:
            if name is not None or kind is not None:
                stop("--age is of all profiles: leave out the name and --kind")
            _print_age(library, format_)
            return
        if name is None:
            if format_ == "json":
                _print_json([_make_entry(library, each, one) for each in kinds for one in library.names(each)])
            else:
                print_lines(line for each in kinds for line in _list_profiles(library, each))
            return
        wanted, slash, rest = name.partition("/")
        if slash and wanted in KINDS:
            kinds, name = (wanted,), rest
        found = [each for each in kinds if name in library.names(each)]
        if not found:
            stop(f"there is no profile {name!r}; {_suggest_profile(library, name, kinds)}")
        if format_ == "json":
            _print_json([_make_entry(library, each, name) | library.entry(each, name).everything() for each in found])
            return
        from rocecfg.profiles.page import page

        print_lines("\n".join(page(library, each, name) for each in found).splitlines())
    except SourceError as error:
        stop_unread(error)


def _print_age(library: Library, format_: str) -> None:
    from rocecfg.profiles.age import format_bodies, list_bodies

    bodies = list_bodies(library)
    if format_ == "json":
        click.echo(json.dumps({"version": 1, "age": [body._asdict() for body in bodies]}, indent=1))
        return
    print_lines(format_bodies(bodies))
    for folder, version in library.versions().items():
        if version is not None:
            click.echo(f"{folder} is version {version}")


def _suggest_profile(library: Library, name: str, kinds: tuple[str, ...]) -> str:
    """What could be meant by a name that no profile has."""
    likely = list(dict.fromkeys(each for kind in kinds for each in library.find_meant(kind, name)))
    return f"did you mean {' or '.join(likely[:_MOST])}?" if likely else "`rocecfg profiles` lists them"


def _make_entry(library: Library, kind: str, name: str) -> dict[str, object]:
    return {"kind": kind, "name": name, "title": library.title(kind, name), "own": library.is_own(kind, name)}


def _print_json(found: list[dict[str, object]]) -> None:
    click.echo(json.dumps({"version": 1, "profiles": found}, indent=1, ensure_ascii=False))


def _list_profiles(library: Library, kind: str) -> list[str]:
    """The profiles of a kind, a line each."""
    names = library.names(kind)
    wide = max(map(len, names), default=0)
    lines = [f"{kind} ({len(names)})"]
    for name in names:
        own = f"  [{os.path.dirname(library.file(kind, name))}]" if library.is_own(kind, name) else ""
        lines.append(f"  {name:<{wide}}  {library.title(kind, name)}{own}")
    return lines
