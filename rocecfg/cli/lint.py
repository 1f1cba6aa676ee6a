"""`rocecfg lint`."""

from __future__ import annotations

import gc
import importlib
import sys

import click

from rocecfg.cli.common import stop, use_color
from rocecfg.engine.discover import discover
from rocecfg.engine.run import Run, lint
from rocecfg.intent import Loaded
from rocecfg.rules import ALL, Rule, find
from rocecfg.source.document import SourceError, Sources

_FORMATS = {"full": ("text", "full"), "concise": ("text", "concise"), "json": ("json_format", "render")}
_LEVELS = {"error": 2, "warning": 1, "info": 0}


@click.command("lint")
@click.argument("paths", nargs=-1, type=click.Path())
@click.option("--format", "format_", type=click.Choice(list(_FORMATS)), help="the same as one --output")
@click.option(
    "--output", "outputs", multiple=True, metavar="FORMAT[=FILE]", help="full, concise or json; may be repeated"
)
@click.option("--select", multiple=True, metavar="RULE", help="only these rules (name, code, or their beginning)")
@click.option("--ignore", multiple=True, metavar="RULE", help="not these rules")
@click.option("--fail-on", type=click.Choice(list(_LEVELS)), default="error", show_default=True)
@click.option("--no-ignores", is_flag=True, help="report waived findings too")
@click.option("--only-intents", is_flag=True, help="skip given files that belong to no intent (for hooks)")
def command(
    paths: tuple[str, ...],
    format_: str | None,
    outputs: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    fail_on: str,
    no_ignores: bool,
    only_intents: bool,
) -> None:
    """Judge intents. Given files, the whole fabric they belong to is loaded, and what touches them is reported.

    Exit codes: 0 nothing at or above --fail-on, 1 findings, 2 could not run, 3 internal error.
    """
    gc.disable()  # a short life, and no cycles worth a collection
    wanted = _outputs(format_, outputs)
    rules = _chosen(select, ignore)
    sources = Sources()
    found = discover(paths, sources)
    fabrics = found.fabrics + [_stranger(path) for path in found.strangers if not only_intents]
    run = lint(fabrics, sources, rules=rules, focus=found.focus, waivers=not no_ignores, today=_today())
    for name, file in wanted:
        _write(run, name, file)
    for failure in run.failed:
        click.echo(f"rocecfg: internal error: {failure}", err=True)
    _note_slow_parser()
    if run.failed:
        sys.exit(3)
    if run.unreadable:
        sys.exit(2)
    level = _LEVELS[fail_on]
    sys.exit(int(any(_LEVELS[f.severity] >= level for f in run.findings)))


def _stranger(path: str) -> Loaded:
    error = SourceError(path, "belongs to no intent", "it lacks rocecfg: 1, and no intent includes it")
    return Loaded(path, None, (), [], [error])


def _outputs(format_: str | None, outputs: tuple[str, ...]) -> list[tuple[str, str | None]]:
    wanted: list[tuple[str, str | None]] = [(format_, None)] if format_ else []
    for item in outputs:
        name, _, file = item.partition("=")
        if name not in _FORMATS:
            stop(f"--output {item}: no format {name!r}; known: {', '.join(_FORMATS)}")
        wanted.append((name, file or None))
    if sum(file is None for _, file in wanted) > 1:
        stop("two formats for standard output: give all but one a file, --output FORMAT=FILE")
    return wanted or [("full", None)]


def _chosen(select: tuple[str, ...], ignore: tuple[str, ...]) -> tuple[Rule, ...]:
    def matching(words: tuple[str, ...]) -> set[str]:
        names: set[str] = set()
        for word in (w for item in words for w in item.split(",") if w):
            exact = find(word)
            hits = [exact] if exact else [r for r in ALL if r.name.startswith(word) or r.code.startswith(word.upper())]
            if not hits:
                stop(f"there is no rule {word!r}; `rocecfg rules` lists them")
            names.update(r.name for r in hits)
        return names

    chosen, left_out = matching(select), matching(ignore)
    return tuple(r for r in ALL if (not select or r.name in chosen) and r.name not in left_out)


def _today() -> str:
    import time

    return time.strftime("%Y-%m-%d")


def _write(run: Run, name: str, file: str | None) -> None:
    module, function = _FORMATS[name]
    make = getattr(importlib.import_module(f"rocecfg.report.{module}"), function)
    text: str = make(run, color=file is None and use_color())
    if file is None:
        sys.stdout.write(text)
        return
    from rocecfg.cli.files import write_atomically

    try:
        write_atomically(file, text)
    except OSError as error:
        stop(f"{file} cannot be written: {error.strerror or error}")


def _note_slow_parser() -> None:
    from rocecfg.source.yaml import has_c_parser

    if not has_c_parser():
        click.echo("rocecfg: PyYAML has no C parser here; large fabrics load some twenty times slower", err=True)
