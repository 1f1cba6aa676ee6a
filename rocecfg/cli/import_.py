"""`rocecfg import`."""

from __future__ import annotations

import gc
import os
import sys

import click

from rocecfg.cli.common import print_message, save, stop, stop_unread
from rocecfg.cli.inputs import VendorChoice, allow_outside_option
from rocecfg.intent import Loaded
from rocecfg.source.document import MAX_BYTES, SourceError, Sources, decode

_STDIN = "<stdin>"
_MOST_NAMED = 4  # files in a message
_NEW = "fabric.yaml"  # as which a text for standard output is tried


@click.command("import")
@click.argument("paths", nargs=-1, required=True, type=click.Path(), metavar="FILE...")
@click.option(
    "--from",
    "vendor",
    type=VendorChoice(),
    help="what wrote the files; default: told by each",
)
@click.option("-o", "--output", type=click.Path(), metavar="FILE", help="write the intent here, not to standard output")
@allow_outside_option
def command(paths: tuple[str, ...], vendor: str | None, output: str | None, allow_outside: tuple[str, ...]) -> None:
    """Write the intent that running configurations amount to: one fabric of all the files, and folders of them.

    Takes SONiC's config_db.json, NVUE as YAML, JSON or `nv set` lines, and EOS running-configs, mixed. FILE - reads one
    from standard input.

    What switches share stands once, as widely as it holds; equal switches and equal ports are node sets. Comments tell
    what was guessed: what classes carry, roles, links; and, with file and line, what a switch says that an intent has
    no word for. What switches do not tell is left out: hosts, workload, what ports lead to. Descriptions, users, keys
    and communities are not taken over.

    Rendered again, it gives the same queues, PFC, ECN and buffers, with rocecfg's own names of maps and profiles.
    `rocecfg lint FILE...` judges the configurations themselves; how much it finds while reading is told at the end.

    Exit codes: 0 written, 2 could not run, and nothing is written, 3 internal error.
    """
    gc.disable()  # a short life, and no cycles worth a collection
    from rocecfg.importing import imported
    from rocecfg.importing.check import WouldNotLoad, check
    from rocecfg.importing.collect import gather

    if output is not None and os.path.exists(output) and any(_same(path, output) for path in paths):
        stop(f"-o {output}: that is one of the configurations; it stays as it is")
    sources = Sources(allow_outside)
    try:
        if "-" in paths:
            sources.add(_STDIN, decode(_STDIN, _stdin()))
        paths = tuple(_STDIN if path == "-" else path for path in paths)
        made = imported(_root(paths), gather(paths, sources, vendor), sources)
        check(output or _NEW, made.text, made.running)
    except SourceError as error:
        stop_unread(error)
    except WouldNotLoad as error:
        stop(f"internal error, please report it: what was imported does not load: {error}", 3)
    if output is None:
        sys.stdout.write(made.text)
    else:
        save(output, made.text)
        print_message(f"{output} written")
    _tell_problems(made.running, paths, vendor)


def _stdin() -> bytes:
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise SourceError(_STDIN, f"has more than the {MAX_BYTES} bytes that are read")
    return data


def _root(paths: tuple[str, ...]) -> str:
    """The file or folder that stands for all: the one that was given, else the folder that holds them."""
    if len(paths) == 1 or _STDIN in paths:
        return paths[0]
    folders = [path if os.path.isdir(path) else os.path.dirname(path) for path in map(os.path.abspath, paths)]
    return os.path.commonpath(folders)


def _same(path: str, output: str) -> bool:
    return os.path.exists(path) and os.path.samefile(path, output)


def _tell_problems(running: Loaded, paths: tuple[str, ...], vendor: str | None) -> None:
    """How much was found while reading, and the command that shows it."""
    from rocecfg.report.text import not_understood
    from rocecfg.rules import BY_NAME, SEVERITIES

    found = [p.severity or BY_NAME[p.rule].severity for p in dict.fromkeys(running.problems)]
    counts = [f"{found.count(s)} {s}{'s' * (found.count(s) != 1)}" for s in reversed(SEVERITIES) if s in found]
    if running.unread:
        counts.append(not_understood(len(running.unread)))
    if counts:
        files = " ".join(paths) if len(paths) <= _MOST_NAMED and _STDIN not in paths else "FILE..."
        kind = f"--from {vendor} " if vendor is not None else ""
        print_message(f"while reading: {', '.join(counts)}; `rocecfg lint {kind}{files}` shows them")
