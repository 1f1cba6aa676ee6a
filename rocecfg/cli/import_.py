"""`rocecfg import`."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

import click

from rocecfg.cli.common import print_message, save, stop, stop_unread
from rocecfg.cli.inputs import VendorChoice, allow_outside_option
from rocecfg.cli.terminal import show_work
from rocecfg.intent import Loaded
from rocecfg.source.document import SourceError, Sources, decode

if TYPE_CHECKING:
    from rocecfg.importing.refusals import Tried

_STDIN = "<stdin>"
_MOST_NAMED = 4  # files in a message
_NEW = "fabric.yaml"  # as which a text for standard output is tried


@click.command("import")
@click.argument("paths", nargs=-1, required=True, type=click.Path(), metavar="FILE...")
@click.option(
    "--from",
    "vendor",
    type=VendorChoice(),
    help="system of the files; default: recognised by their content",
)
@click.option(
    "-o", "--output", type=click.Path(), metavar="FILE", help="write the intent here instead of standard output"
)
@click.option(
    "--platform",
    metavar="NAME",
    help="platform of switches whose configuration does not name it (`rocecfg profiles` lists them)",
)
@click.option("--links", is_flag=True, help="write the cables that files list instead: LLDP, NetBox, AVD, labs, CSV")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["csv", "json"]),
    help="with --links: the five columns of `links` files (default), or JSON that also lists what is left out and why",
)
@click.option("--management", is_flag=True, help="with --links: also the cables of the management network")
@allow_outside_option
def command(
    paths: tuple[str, ...],
    vendor: str | None,
    output: str | None,
    platform: str | None,
    links: bool,
    format_: str | None,
    management: bool,
    allow_outside: tuple[str, ...],
) -> None:
    """Write an intent from running configurations: one fabric of all files, and folders of them.

    Takes SONiC's config_db.json, NVUE as YAML, JSON or `nv set` lines, running-configs of EOS and NX-OS, Junos with
    braces or as set lines, and SR Linux as info, info flat or JSON, mixed. FILE - reads one from standard input.

    Settings that switches share are written once, at the highest level that holds for all; equal switches and equal
    ports become node sets. Comments mark guesses: what classes carry, roles, links; and, with file and line, settings
    for which an intent has no key. Facts that switches do not know are left out: hosts, workload, what ports connect
    to. Descriptions, users, keys and communities are not imported.

    Rendered again, the intent gives the same queues, PFC, ECN and buffers, with rocecfg's own names of maps and
    profiles. Import tests this at once: it leaves out and lists what the system cannot express, and lists lint errors
    in the intent, switches that cannot be rendered, and whatever drift finds between the intent and its
    configurations. EOS depends on the chip: if no `! device:` line names the model, give --platform. `rocecfg lint
    FILE...` checks the configurations themselves; import lists how many findings it saw while reading.

    With --links, import reads no configurations but cable lists: LLDP neighbours, exports of NetBox and Nautobot,
    AVD, containerlab, topology.dot, SONiC's minigraph.xml, CSV. Each file is recognised by its content
    (docs/cabling.md). It writes the columns a_device,a_port,b_device,b_port,cable; cables that are left out, seen by
    one end only, ambiguous or contradictory go to standard error.

    Exit codes: 0 written, 2 could not run, and nothing is written, 3 internal error.
    """
    gc.disable()  # a short life, and no cycles worth a collection
    if output is not None and os.path.exists(output) and any(_is_same_file(path, output) for path in paths):
        stop(f"-o {output}: that is one of the files to be read; it stays as it is")
    sources = Sources(allow_outside)
    if links:
        if vendor is not None or platform is not None:
            stop("--from and --platform are for configurations, and --links reads none")
        from rocecfg.cli.cabling import write_links

        stdin = _read_stdin_or_stop() if "-" in paths else None
        write_links(paths, output, format_ or "csv", sources, management=management, stdin=stdin)
        return
    if format_ is not None or management:
        stop("--format and --management are for --links")
    stdin = _read_stdin_or_stop() if "-" in paths else None
    paths = tuple(_STDIN if path == "-" else path for path in paths)
    made, messages = _import_intent(paths, stdin, vendor, platform, output or _NEW, sources)
    if output is None:
        sys.stdout.write(made.text)
    else:
        save(output, made.text)
        print_message(f"{output} written")
    _report_problems(made.running, sources, paths, vendor)
    for message in messages:
        print_message(message)
    if _STDIN not in paths:
        _report_drift(output or _NEW, made.text, paths, allow_outside)


def _import_intent(
    paths: tuple[str, ...], stdin: bytes | None, vendor: str | None, platform: str | None, output: str, sources: Sources
) -> Tried:
    """The intent, linted and rendered as a trial, and what that shows; stops where there is none.

    `output`: the file as which it is tried.
    """
    from rocecfg.importing import WouldNotLoad, import_intent, read_configurations
    from rocecfg.importing.refusals import try_out

    try:
        if stdin is not None:
            sources.add(_STDIN, decode(_STDIN, stdin))
        root = _find_root(paths)
        _check_platform(platform, root)
        with show_work(sources):
            read = read_configurations(paths, sources, vendor)
            sources.progress.start("trying the intent out")
            return try_out(output, import_intent(root, read, sources, platform))
    except SourceError as error:
        stop_unread(error)
    except WouldNotLoad as error:
        stop(f"internal error, please report it: what was imported does not load: {error}", 3)


def _check_platform(name: str | None, root: str) -> None:
    """Stop at the name of a platform that nobody knows."""
    if name is None:
        return
    from rocecfg.profiles import UnknownProfile, library_in

    try:
        library_in(root if os.path.isdir(root) else os.path.dirname(root)).platform(name)
    except UnknownProfile as error:
        stop(f"--platform {name}: {error}: {error.help}")


def _report_drift(intent: str, text: str, paths: tuple[str, ...], allow_outside: tuple[str, ...]) -> None:
    """What differs between the intent and the configurations that it was made from: the titles, and the command."""
    from rocecfg.drift.labels import label_difference, label_settings
    from rocecfg.drift.run import find_drift
    from rocecfg.intent import load
    from rocecfg.linting.discover import Overlaid

    sources = Overlaid(intent, text.encode(), allow_outside)
    found = find_drift([load(intent, sources)], paths, sources)
    uncovered = (each for each in found.uncovered if not each.silent)
    for words in dict.fromkeys(f"{', '.join(label_settings(each.settings))}: {each.why}" for each in uncovered):
        print_message(f"drift cannot compare {words}")
    if not found.differences:
        return
    titles = list(dict.fromkeys(label_difference(difference) for difference in found.differences))
    named = ", ".join(titles)
    devices = found.counts.drifting
    print_message(
        f"drift would find differences on {devices} switch{'es' * (devices != 1)}: {named}; "
        "`rocecfg drift` shows what and where"
    )


def _read_stdin_or_stop() -> bytes:
    from rocecfg.drift.files import read_stdin

    try:
        return read_stdin()
    except SourceError as error:
        stop_unread(error)


def _find_root(paths: tuple[str, ...]) -> str:
    """The file or folder that stands for all: the one that was given, else the folder that holds them."""
    if len(paths) == 1 or _STDIN in paths:
        return paths[0]
    folders = [path if os.path.isdir(path) else os.path.dirname(path) for path in map(os.path.abspath, paths)]
    return os.path.commonpath(folders)


def _is_same_file(path: str, output: str) -> bool:
    return os.path.exists(path) and os.path.samefile(path, output)


def _report_problems(running: Loaded, sources: Sources, paths: tuple[str, ...], vendor: str | None) -> None:
    """How much was found while reading, and the command that shows it."""
    from rocecfg.report.fates import describe_fates
    from rocecfg.rules import BY_NAME, SEVERITIES

    found = [p.severity or BY_NAME[p.rule].severity for p in dict.fromkeys(running.problems)]
    counts = [f"{found.count(s)} {s}{'s' * (found.count(s) != 1)}" for s in reversed(SEVERITIES) if s in found]
    if running.fates is not None:
        print_message(f"read {describe_fates(running.fates, sources)}")
    if counts:
        files = " ".join(paths) if len(paths) <= _MOST_NAMED and _STDIN not in paths else "FILE..."
        kind = f"--from {vendor} " if vendor is not None else ""
        print_message(f"while reading: {', '.join(counts)}; `rocecfg lint {kind}{files}` shows them")
