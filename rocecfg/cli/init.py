"""`rocecfg init`."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import click

from rocecfg import __version__
from rocecfg.cli.common import stop, stop_unread, stop_unwritten
from rocecfg.cli.files import check_links, create_file
from rocecfg.cli.inputs import VendorChoice, WholeNumber
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
    plan_cluster,
)
from rocecfg.core.units import parse_rate, show_rate
from rocecfg.core.visible import visible
from rocecfg.intent.dscp import NAMES
from rocecfg.intent.schema import json_schema
from rocecfg.intent.types import NAME
from rocecfg.intent.values import nearest
from rocecfg.profiles import Library, library_in, release_key
from rocecfg.profiles.releases import is_build_of
from rocecfg.profiles.spelling import find_same
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
_LEAVES, _SPINES, _HOSTS, _GPUS, _RAILS = (
    WholeNumber(*of) for of in ((2, 4096), (1, 1024), (1, 512), (1, 64), (1, 64))
)
_DSCP, _PRIORITY = WholeNumber(0, 63, {"af31": NAMES["af31"]} | NAMES), WholeNumber(*LOSSLESS)
_Sizes = tuple[str | None, ...]  # of a cluster, as its options say: leaves, spines, hosts at a leaf, GPUs, rails, NIC
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
@click.option("--leaves", metavar="NUMBER", type=_LEAVES, help="leaves of a whole cluster")
@click.option("--spines", metavar="NUMBER", type=_SPINES, help="spines, each linked to each leaf")
@click.option("--hosts-per-leaf", "hosts", metavar="NUMBER", type=_HOSTS, help="hosts at each leaf")
@click.option("--gpus", metavar="NUMBER", type=_GPUS, help="GPUs per host, one NIC each; default: 8")
@click.option("--rails", metavar="NUMBER", type=_RAILS, help="leaves that each host connects to; default: 1")
@click.option("--nic", metavar="NAME", help="NIC of the hosts (`rocecfg profiles` lists them); default: by the speed")
@click.option("--name", help="name of the fabric; default: the folder's")
@click.option("--dscp", metavar="NUMBER", type=_DSCP, help="DSCP of RDMA packets: 26 (default), or a name such as af31")
@click.option("--priority", metavar="NUMBER", type=_PRIORITY, help="lossless priority of RDMA; default: 3")
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
        sizes = (*map(_format_number, (leaves, spines, hosts, gpus, rails)), nic)
        wanted = _ask_choices(ask, library, folder, vendor, platform, version, speed, name, dscp, priority, sizes)
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
    where = "" if os.path.normpath(folder) == "." else f" {shlex.quote(folder)}"
    out = shlex.quote(_join_path(folder, "rendered"))
    for line in (f"lint{where}", f"show{where}", f"render{where} --vendor {wanted.vendor} -o {out}"):
        click.echo(visible(f"try   rocecfg {line}"))


def _refuse_taken(folder: str, schema: str) -> None:
    path = _join_path(folder, FILE)
    if os.path.lexists(path):
        stop(f"{path} exists: name another folder, rocecfg init DIR")
    path = _join_path(folder, SCHEMA)
    if os.path.lexists(path) and _read_file(path) != schema:
        stop(f"{path} exists and is not what `rocecfg schema` prints: move it away first")
    if os.path.lexists(folder) and not os.path.isdir(folder):
        stop(f"{folder} is not a folder")


class _Ask:
    """Asks for options not given, on a terminal; else takes the default. A wrong answer is asked again."""

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
    sizes: _Sizes,
) -> StarterChoices:
    guess = _guess_vendor(library, platform, version)
    vendor = ask("vendor", vendor, f"vendor ({', '.join(VENDORS)})", guess, _read_vendor)
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

    def read_release(text: str) -> str:
        release = _read_release(text, library, vendor, box)
        if ask.on and release != old:  # what cannot be is told at once, where somebody can answer again
            speed = list_speeds(library, vendor, box, release)[-1] if box is not None else _SPEED
            try:
                make_starter(StarterChoices(vendor, box, release, "lab", 26, 3, speed), library, folder)
            except StarterRefused as refused:
                raise ValueError(str(refused)) from None
        return release

    running = ask("release", version, f"release of {of} that runs", old, read_release)
    rates = list_speeds(library, vendor, box, running) if box is not None else []
    usual = _SPEED if not rates or _SPEED in rates else rates[-1]
    choice = f"port speed ({', '.join(map(show_rate, rates))})" if rates else "port speed"
    rate = ask("speed", speed, choice, show_rate(usual), lambda text: _read_speed(text, rates, box))
    cluster = _ask_cluster(ask, library, sizes, vendor, box, running, rate)
    return StarterChoices(
        vendor,
        box,
        running,
        ask("name", name, "name of the fabric", _suggest_name(folder), _read_name),
        ask("dscp", _format_number(dscp), "DSCP of RDMA packets", "26", _read_dscp),
        ask("priority", _format_number(priority), "priority of RDMA, the lossless one", "3", _PRIORITY.read),
        rate,
        cluster,
    )


def _ask_cluster(
    ask: _Ask, library: Library, sizes: _Sizes, vendor: str, box: str | None, release: str, speed: int
) -> Cluster | None:
    """The cluster that is wanted; None: one leaf. On a terminal, one that the box has no ports for is asked anew."""
    given = any(size is not None for size in sizes)
    if box is None or not (given or ask.on):
        if given:
            stop("a cluster needs a platform")
        return None
    if not ask.on and None in sizes[:3]:
        needed = ("--leaves", "--spines", "--hosts-per-leaf")
        lacking = [option for option, size in zip(needed, sizes[:3], strict=True) if size is None]
        stop(f"a cluster needs {', '.join(needed[:-1])} and {needed[-1]}: give {' and '.join(lacking)} too")
    leaves, spines, hosts, gpus, rails, nic = sizes
    at_leaves = ask(
        "leaves", leaves, "leaves (1: one alone, without a cluster)", "1", lambda text: _LEAVES.read(text, 1)
    )
    if at_leaves == 1:
        return None
    at_spines = ask("spines", spines, "spines, each linked to each leaf", "2", _SPINES.read)
    at_each = ask("hosts-per-leaf", hosts, "hosts at each leaf", "8", _HOSTS.read)
    of_host = ask("gpus", gpus, "GPUs per host, one NIC each", "8", _GPUS.read)
    planes = ask(
        "rails",
        rails,
        "rails: leaves that each host connects to",
        "1",
        lambda text: _read_rails(text, at_leaves, of_host),
    )
    usual = next((name for most, name in _CARDS if speed <= most), _CARDS[-1][1])
    card = ask("nic", nic, "NIC of the hosts", usual, lambda text: _read_card(text, library))
    cluster = Cluster(at_leaves, at_spines, at_each, of_host, planes, card)
    try:
        plan_cluster(cluster, library, vendor, box, release, speed)
    except StarterRefused as refused:
        if not ask.on or None not in sizes:
            raise
        click.echo(visible(f"Error: {refused}"))
        return _ask_cluster(ask, library, sizes, vendor, box, release, speed)
    return cluster


def _read_rails(text: str, leaves: int, gpus: int) -> int:
    rails = _RAILS.read(text)
    if leaves % rails or gpus % rails:
        raise ValueError(f"{leaves} leaves and {gpus} GPUs a host must both be multiples of {rails} rails")
    return rails


def _read_card(text: str, library: Library) -> str:
    names = library.names("nics")
    card = find_same(text, names)
    if card is None:
        raise ValueError(f"{text!r} is not a known NIC; {nearest(text, names)}")
    return card


def _format_number(number: int | None) -> str | None:
    return None if number is None else str(number)


def _guess_vendor(library: Library, platform: str | None, version: str | None) -> str:
    """The vendor to take where none is named: the first that the platform runs, and that has the release."""
    named = () if platform in (None, _NONE) else library.find_meant("platforms", str(platform))[:1]
    runs = [v for v in VENDORS if all(v in library.platform(name).boxes for name in named)]
    having = [v for v in runs if version is None or v in _list_systems(version, library)]
    return (having or runs or VENDORS)[0]


def _list_systems(version: str, library: Library) -> list[str]:
    """The vendors of whose releases this is one, or a build of one."""
    known = ((v, library.nos(v).releases) for v in VENDORS)
    return [v for v, releases in known if any(r == version or is_build_of(v, version, r) for r in releases)]


def _read_vendor(text: str) -> str:
    try:
        return VendorChoice().convert(text, None, None)
    except click.BadParameter as error:
        raise ValueError(error.message) from None


def _read_platform(text: str, library: Library, vendor: str, known: list[str]) -> str | None:
    if text == "?":
        raise ValueError("known: " + ", ".join(known))
    of = row(vendor)
    chip = library.find_chip(text)
    if chip is not None:
        boxes = [name for name in library.list_boxes(chip) if name in known]
        raise ValueError(f"{text!r} is a chip: name a box, {', '.join(boxes) or f'but {vendor} runs on none with it'}")
    if text == _NONE and of.chip_matters:
        raise ValueError(f"{of.title} differs between chip families: a starter for {vendor} needs a platform")
    if text == _NONE:
        return None
    bare = [name for name in known if name.partition("-")[2] == text.lower()]  # SN5600 of nvidia-sn5600
    if len(bare) == 1:
        return bare[0]
    if text in known:
        return text
    meant = library.find_meant("platforms", text)
    here = [name for name in meant if name in known]
    if here:
        raise ValueError(f"there is no platform {text!r}; did you mean {here[0]}?")
    others = [v for v in VENDORS if meant and v in library.platform(meant[0]).boxes and v != vendor]
    if others:
        raise ValueError(f"{meant[0]} runs {' or '.join(others)}: lossless ports of it under {vendor} are unknown")
    raise ValueError(f"unknown platform {text!r}; `rocecfg profiles --kind platforms` lists all")


def _read_release(text: str, library: Library, vendor: str, box: str | None) -> str:
    try:
        key = release_key(vendor, text)
    except ValueError as error:
        others = " or ".join(v for v in _list_systems(text, library) if v != vendor)
        raise ValueError(f"{error}; {text} is one of {others}" if others else str(error)) from None
    since = library.platform(box).boxes[vendor].since if box is not None else None
    if since is not None and key < release_key(vendor, since):
        raise ValueError(
            f"{library.nos(vendor).title} {text} does not support {box}: the first release that does is {since}"
        )
    return text


def _read_speed(text: str, known: list[int], platform: str | None) -> int:
    if not text[:1].isdigit():
        raise ValueError(f"{text!r} is not a rate such as 400G")
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


def _read_dscp(text: str) -> int:
    dscp = _DSCP.read(text)
    if dscp in TAKEN:
        raise ValueError(f"DSCP {dscp} is that of {TAKEN[dscp]} in the starter: give another, change both later")
    return dscp


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
