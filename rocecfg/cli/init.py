"""`rocecfg init`."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TypeVar

import click

from rocecfg import __version__
from rocecfg.cli.common import stop, stop_unread, stop_unwritten
from rocecfg.cli.files import check_links, create_file
from rocecfg.cli.inputs import VendorChoice
from rocecfg.cli.starter import (
    FILE,
    LOSSLESS,
    TAKEN,
    Cluster,
    StarterChoices,
    StarterRefused,
    list_platforms,
    list_speeds,
    make_starter,
)
from rocecfg.core.digits import is_number
from rocecfg.core.units import parse_rate, show_rate
from rocecfg.core.visible import visible
from rocecfg.intent.schema import json_schema
from rocecfg.intent.types import NAME
from rocecfg.intent.values import nearest
from rocecfg.profiles import Library, library_in, release_key
from rocecfg.source.bounds import find_repository_folder
from rocecfg.source.document import SourceError, decode, read_bytes
from rocecfg.vendors import VENDORS, row

SCHEMA = "intent.schema.json"
HOOKS = ".pre-commit-config.yaml"
_NONE = "none"  # instead of a platform
_SPEED = 400_000_000_000
_CARDS = ((_SPEED, "connectx-7"), (2 * _SPEED, "connectx-8"))  # the fastest port, and a card that has it
_LOCAL = f"""\
  # The rocecfg on PATH. pre-commit can install one instead:
  # {{repo: URL of a clone, rev: v{__version__}, hooks: [{{id: rocecfg-lint}}]}}
  - repo: local
    hooks:
      - id: rocecfg-lint
        name: rocecfg lint
        entry: rocecfg lint --only-intents
        language: system
        files: \\.(ya?ml|csv)$
        require_serial: true
"""
T = TypeVar("T")


@click.command("init")
@click.argument("folder", metavar="[DIR]", default=".", type=click.Path())
@click.option("--vendor", type=VendorChoice(), help="network operating system of the switches")
@click.option(
    "--platform", metavar="NAME", help="platform (`rocecfg profiles` lists them); without one: a policy without devices"
)
@click.option(
    "--release", "version", metavar="RELEASE", help="release of the operating system, such as 202405, 5.14 or 4.33.2F"
)
@click.option("--speed", metavar="RATE", help="speed of the ports, such as 400G")
@click.option("--leaves", metavar="NUMBER", type=click.IntRange(2, 4096), help="leaves of a whole cluster")
@click.option("--spines", metavar="NUMBER", type=click.IntRange(1, 1024), help="spines, each linked to each leaf")
@click.option("--hosts-per-leaf", "hosts", metavar="NUMBER", type=click.IntRange(1, 512), help="hosts at each leaf")
@click.option("--gpus", metavar="NUMBER", type=click.IntRange(1, 64), help="GPUs per host, one NIC each; default: 8")
@click.option(
    "--rails", metavar="NUMBER", type=click.IntRange(1, 64), help="leaves that each host connects to; default: 1"
)
@click.option("--nic", metavar="NAME", help="NIC of the hosts (`rocecfg profiles` lists them); default: by the speed")
@click.option("--name", help="name of the fabric; default: the folder's")
@click.option("--dscp", metavar="NUMBER", type=click.IntRange(0, 63), help="DSCP of RDMA packets; default: 26")
@click.option(
    "--priority", metavar="NUMBER", type=click.IntRange(*LOSSLESS), help="lossless priority of RDMA; default: 3"
)
@click.option("--hooks-from", metavar="URL", help="a clone of rocecfg that pre-commit installs; default: that on PATH")
@click.option("--yes", is_flag=True, help="never prompt; use defaults for options not given")
def command(
    folder: str,
    vendor: str | None,
    platform: str | None,
    version: str | None,
    speed: str | None,
    leaves: int | None,
    spines: int | None,
    hosts: int | None,
    gpus: int | None,
    rails: int | None,
    nic: str | None,
    name: str | None,
    dscp: int | None,
    priority: int | None,
    hooks_from: str | None,
    yes: bool,
) -> None:
    """Write a commented starter intent into DIR that lints clean and renders, and what pre-commit and editors need.

    On a terminal it asks for options not given; otherwise it uses defaults and lists them. It never overwrites a file.

    Exit codes: 0 done, 2 could not run.
    """
    schema = json.dumps(json_schema(), indent=1, ensure_ascii=False) + "\n"
    _refuse_taken(folder, schema)
    asking = sys.stdin.isatty() and not yes
    ask = _Ask(asking)
    try:
        library = library_in(folder)
        wanted = _ask_choices(ask, library, folder, vendor, platform, version, speed, name, dscp, priority)
        cluster = _read_cluster(leaves, spines, hosts, gpus, rails, nic, library, wanted.speed)
        wanted = wanted._replace(cluster=cluster)
        text = make_starter(wanted, library, folder)
    except SourceError as error:
        stop_unread(error)
    except StarterRefused as refused:
        stop(f"nothing written: {refused}")
    hooks = _join_path(_find_top(folder), HOOKS)
    stanza = _make_stanza(hooks_from)
    new = {_join_path(folder, SCHEMA): schema, _join_path(folder, FILE): text}
    if not os.path.lexists(hooks):
        new[hooks] = f"repos:\n{stanza}"
    _write_new_files(folder, {path: text for path, text in new.items() if _read_file(path) != text})
    if ask.took:
        click.echo(visible(f"took  {', '.join(f'--{option} {value}' for option, value in ask.took)}, the defaults"))
    for path in new:
        click.echo(visible(f"wrote {path}"))
    if hooks not in new:
        click.echo(visible(f"{hooks} stays as it is; to lint each commit, add below its `repos:`"))
        click.echo(stanza, nl=False)
    where = "" if os.path.normpath(folder) == "." else f" {folder}"
    for line in (f"lint{where}", f"show{where}", f"render{where} --vendor {wanted.vendor}"):
        click.echo(visible(f"try   rocecfg {line}"))


def _refuse_taken(folder: str, schema: str) -> None:
    path = _join_path(folder, FILE)
    if os.path.lexists(path):
        stop(f"{path} exists: say another folder, rocecfg init DIR")
    path = _join_path(folder, SCHEMA)
    if os.path.lexists(path) and _read_file(path) != schema:
        stop(f"{path} exists and is not what `rocecfg schema` prints: move it away first")
    if os.path.lexists(folder) and not os.path.isdir(folder):
        stop(f"{folder} is not a folder")


class _Ask:
    """Asks for what was not said, on a terminal; else takes the default. A wrong answer is asked again."""

    def __init__(self, on: bool) -> None:
        self.on = on
        self.took: list[tuple[str, str]] = []  # options for which a default was taken, and that

    def __call__(self, name: str, option: str | None, question: str, default: str, read: Callable[[str], T]) -> T:
        """The answer to what the option of that name would say, as `read` makes it; ValueError: what is wrong."""
        if option is None and not self.on:
            self.took.append((name, default))
        if option is not None or not self.on:
            try:
                return read(option if option is not None else default)
            except ValueError as error:
                stop(str(error))

        def proc(text: str) -> T:
            try:
                return read(text)
            except ValueError as error:
                raise click.UsageError(str(error)) from None

        answer: T = click.prompt(question, default=default, value_proc=proc)
        return answer


def _ask_choices(
    ask: _Ask,
    library: Library,
    folder: str,
    vendor: str | None,
    platform: str | None,
    version: str | None,
    speed: str | None,
    name: str | None,
    dscp: int | None,
    priority: int | None,
) -> StarterChoices:
    vendor = ask(
        "vendor",
        vendor,
        f"vendor ({', '.join(VENDORS)})",
        VENDORS[0],
        lambda text: _require_one_of(text, VENDORS, "vendor"),
    )
    known = list_platforms(library, vendor)
    box = ask(
        "platform",
        platform,
        "platform (? lists them)",
        row(vendor).platform,
        lambda text: _read_platform(text, library, vendor, known),
    )
    old = library.assumed_release(vendor, box)
    of = library.nos(vendor).title
    running = ask("release", version, f"release of {of} that runs", old, lambda text: _read_release(text, vendor))
    rates = list_speeds(library, vendor, box, running) if box is not None else []
    usual = _SPEED if not rates or _SPEED in rates else rates[-1]
    choice = f"port speed ({', '.join(map(show_rate, rates))})" if rates else "port speed"
    rate = ask("speed", speed, choice, show_rate(usual), lambda text: _read_speed(text, rates, box))
    return StarterChoices(
        vendor,
        box,
        running,
        ask("name", name, "name of the fabric", _suggest_name(folder), _read_name),
        ask("dscp", _format_number(dscp), "DSCP of RDMA packets", "26", _read_dscp),
        ask("priority", _format_number(priority), "priority of RDMA, the lossless one", "3", _read_priority),
        rate,
    )


def _read_cluster(
    leaves: int | None,
    spines: int | None,
    hosts: int | None,
    gpus: int | None,
    rails: int | None,
    nic: str | None,
    library: Library,
    speed: int,
) -> Cluster | None:
    """The cluster that options ask for; None: they say nothing of one."""
    if leaves is None and spines is None and hosts is None and gpus is None and rails is None and nic is None:
        return None
    if leaves is None or spines is None or hosts is None:
        stop("a cluster is --leaves, --spines and --hosts-per-leaf together")
    card = nic or next((name for most, name in _CARDS if speed <= most), _CARDS[-1][1])
    if card not in library.names("nics"):
        stop(f"{card!r} is not a NIC; {nearest(card, library.names('nics'))}")
    return Cluster(leaves, spines, hosts, gpus or 8, rails or 1, card)


def _format_number(number: int | None) -> str | None:
    return None if number is None else str(number)


def _require_one_of(text: str, known: Iterable[str], what: str) -> str:
    known = list(known)
    if text not in known:
        raise ValueError(f"{text!r} is no {what}; {nearest(text, known)}")
    return text


def _read_platform(text: str, library: Library, vendor: str, known: list[str]) -> str | None:
    if text == "?":
        raise ValueError("known: " + ", ".join(known))
    of = row(vendor)
    if text == _NONE and of.chip_matters:
        raise ValueError(f"{of.title} differs between chip families: a starter for {vendor} needs a platform")
    if text == _NONE:
        return None
    bare = [name for name in known if name.partition("-")[2] == text.lower()]  # SN5600 of nvidia-sn5600
    if len(bare) == 1:
        return bare[0]
    meant = [name for name in library.find_meant("platforms", text) if name in known] if text not in known else []
    if meant:
        raise ValueError(f"there is no platform {text!r}; did you mean {meant[0]}?")
    return _require_one_of(text, known, f"platform on which lossless ports of {vendor} are known")


def _read_release(text: str, vendor: str) -> str:
    release_key(vendor, text)
    return text


def _read_speed(text: str, known: list[int], platform: str | None) -> int:
    rate = parse_rate(text)
    if known and rate not in known:
        raise ValueError(f"the first ports of {platform} run at {', '.join(map(show_rate, known))}, not {text}")
    if not 10**9 <= rate <= 10**13:
        raise ValueError(f"{text} is not a speed of a port")
    return rate


def _read_name(text: str) -> str:
    if not NAME.fits(text):
        raise ValueError(f"{text!r} is not {NAME.wants}: it must match {NAME.pattern}")
    return text


def _suggest_name(folder: str) -> str:
    name = os.path.basename(os.path.abspath(folder))
    return name if NAME.fits(name) else "lab"


def _read_number(text: str, low: int, high: int) -> int:
    if not (is_number(text, 2) and low <= int(text) <= high):
        raise ValueError(f"{text!r} is not a whole number from {low} to {high}")
    return int(text)


def _read_dscp(text: str) -> int:
    dscp = _read_number(text, 0, 63)
    if dscp in TAKEN:
        raise ValueError(f"DSCP {dscp} is that of {TAKEN[dscp]} in the starter: say another, change both later")
    return dscp


def _read_priority(text: str) -> int:
    return _read_number(text, *LOSSLESS)


def _find_top(folder: str) -> str:
    """The top of the git repository that the folder is in, where pre-commit looks; else the folder itself."""
    top = find_repository_folder(os.path.abspath(folder))
    if top is None:
        return folder
    return top if os.path.isabs(folder) else os.path.relpath(top)


def _join_path(folder: str, name: str) -> str:
    return os.path.normpath(os.path.join(folder, name))


def _make_stanza(url: str | None) -> str:
    """An item of `repos:`."""
    if url is None:
        return _LOCAL
    return f"  - repo: {json.dumps(url)}\n    rev: v{__version__}\n    hooks:\n      - id: rocecfg-lint\n"


def _read_file(path: str) -> str | None:
    with suppress(SourceError):
        return decode(path, read_bytes(path))
    return None


def _write_new_files(folder: str, new: dict[str, str]) -> None:
    """All of the files or none, each whole, over none that is there."""
    made: list[str] = []
    path = folder
    try:
        check_links(folder)
        os.makedirs(folder, exist_ok=True)
        for path, text in new.items():
            create_file(path, text)
            made.append(path)
    except OSError as error:
        for path_made in made:
            with suppress(OSError):
                os.unlink(path_made)
        if isinstance(error, FileExistsError):
            stop(f"{path} exists")
        stop_unwritten(path, error)
