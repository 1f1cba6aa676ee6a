"""`rocecfg advise`."""

from __future__ import annotations

import os
import sys
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rocecfg.advice.advise import Advised, Overrides, advise
from rocecfg.advice.cards import UnknownCard
from rocecfg.cli.common import print_message, print_note, save_below, stop, stop_unread
from rocecfg.cli.inputs import allow_outside_option, gone_option, vendor_option
from rocecfg.core.units import MissingUnit, parse_size, parse_time
from rocecfg.core.visible import visible_text
from rocecfg.intent import Loaded
from rocecfg.linting.discover import discover
from rocecfg.profiles import UnknownProfile, library_in
from rocecfg.source.document import SourceError, Sources

if TYPE_CHECKING:
    from collections.abc import Callable


T = TypeVar("T")

_MOST_JOBS = 1024


@click.command("advise")
@click.argument("path", default=".", type=click.Path())
@vendor_option
@click.option("--incast", type=click.IntRange(1, 1_000_000), help="senders to one receiver; default: fabric.incast")
@click.option("--rtt", metavar="TIME", help="base round trip, as 8us; default: fabric.rtt")
@click.option("--family", metavar="NAME", help="a file of profiles/ecn/; default: fabric.ecn_family")
@click.option(
    "--feedback-delay",
    metavar="TIME",
    default="50us",
    show_default=True,
    help="time from a mark to the rate cut; a cable longer than the base round trip adds its own",
)
@click.option("--packet", metavar="SIZE", help="a packet's payload, as 1000B; default: fabric.path_mtu, else 4096B")
@click.option(
    "--nic", metavar="NAME", help="a file of profiles/nics/ with the DCQCN parameters to use; default: the paper's"
)
@click.option("--confirm", is_flag=True, help="also simulate senders with small swings, 3 runs each")
@click.option("--published", is_flag=True, help="also compare each published family of thresholds on such ports")
@click.option("--details", is_flag=True, help="every setting and bound of each kind of port, with sources")
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--svg", type=click.Path(), metavar="DIR", help="draw queue against time, a file for each kind of port")
@click.option("--sweep", "sweeps", multiple=True, metavar="RANGE", help="a range to try, see above; may be repeated")
@click.option("--jobs", type=click.IntRange(1, _MOST_JOBS), help="processes of a sweep; default: all cores")
@gone_option("--dask", "the sweep runs on the cores of this machine")  # until 0.5
@allow_outside_option
def command(
    path: str,
    vendor: str | None,
    incast: int | None,
    rtt: str | None,
    family: str | None,
    feedback_delay: str,
    packet: str | None,
    nic: str | None,
    confirm: bool,
    published: bool,
    details: bool,
    format_: str,
    svg: str | None,
    sweeps: tuple[str, ...],
    jobs: int | None,
    allow_outside: tuple[str, ...],
) -> None:
    """Print what rocecfg would set on each kind of lossless port, and why, next to what the intent has.

    For both it prints how DCQCN behaves under the incast: mean and standard deviation of the queue, link utilisation,
    time paused. It replaces a marking curve of the intent only if these figures improve by more than the model's
    error; if the intent states none, it shows the curve of `ecn: auto` for information.

    \b
    --sweep tries all combinations of ranges; other values are as advised:
      --sweep kmin=100KB:2MB:8          8 values from 100KB to 2MB, each the same factor above the last
      --sweep pmax=1%:20%:5:linear      5 values, each the same distance above the last
      --sweep kmax=400KB,1600KB         just these two
      --sweep n=2:512:9                 senders

    Exit codes: 0 done, 2 could not run, 3 internal error.
    """  # noqa: D301 - \b keeps click from joining the lines
    ranges = _parse_ranges(sweeps)
    if not ranges and jobs is not None:
        stop("--jobs is of a sweep: give --sweep too")
    if published and details:
        stop("--published and --details exclude each other: published curves follow the short form")
    delay = _parse_time_option("--feedback-delay", feedback_delay)
    asked = Overrides(
        incast,
        _parse_time_option("--rtt", rtt),
        None,
        (delay or 0) * 1e3,
        _parse_size_option("--packet", packet),
        None,
        confirm,
        published,
    )
    sources = Sources(allow_outside)
    found = discover((path,), sources, vendor)
    if found.unowned:
        stop(f"{path} belongs to no intent")
    advised = [_advise_fabric(loaded, asked, family, nic, allow_outside) for loaded in found.fabrics]
    swept = [_run_sweep(one, ranges, jobs) for one in advised] if ranges else []
    if svg is not None:
        _write_drawings(advised, svg)
    if format_ == "json":
        from rocecfg.advice.json_format import render
        from rocecfg.advice.sweep import as_json

        sys.stdout.write(render(advised, sources, [as_json(*one) for one in swept] or None))
        return
    from rocecfg.advice.sweep import show_tables

    if details:
        from rocecfg.advice.text import render as render_text
    else:
        from rocecfg.advice.brief import render as render_text

    sys.stdout.write(render_text(advised, sources))
    for one in swept:
        sys.stdout.write(visible_text(show_tables(*one)))


def _parse_time_option(option: str, text: str | None) -> float | None:
    """Milliseconds."""
    return _parse_option(option, text, parse_time, lambda found: 0 < found <= 1000, "above 0 and at most 1s", "us")


def _parse_size_option(option: str, text: str | None) -> int | None:
    """Bytes."""
    return _parse_option(option, text, parse_size, lambda found: 64 <= found <= 65536, "from 64B to 65536B", "B")


def _parse_option(
    option: str, text: str | None, parse: Callable[[str], T], fits: Callable[[T], bool], bounds: str, unit: str = ""
) -> T | None:
    """The number that an option's text stands for; stops where it is none, or does not fit. `unit`: of a bare one."""
    if text is None:
        return None
    try:
        found = parse(text)
    except MissingUnit as error:
        stop(f"{option}: {text} has no unit; did you mean {text + unit if unit else error.offer}?")
    except ValueError as error:
        stop(f"{option}: {error}")
    if not fits(found):
        stop(f"{option} {text}: it must be {bounds}")
    return found


def _parse_ranges(sweeps: tuple[str, ...]) -> dict[str, tuple[float, ...]]:
    from rocecfg.advice.sweep import parse_ranges

    try:
        return parse_ranges(sweeps)
    except ValueError as error:
        stop(f"--sweep {error}")


def _advise_fabric(
    loaded: Loaded, asked: Overrides, family: str | None, nic: str | None, allowed: tuple[str, ...]
) -> Advised:
    if loaded.errors or loaded.fabric is None:
        stop_unread(loaded.errors[0])
    library = library_in(os.path.dirname(loaded.root), allowed)
    asked = asked._replace(library=library)
    if family is not None:
        asked = asked._replace(family=_find_profile("--family", family, library.family))
    if nic is not None:
        asked = asked._replace(nic=_find_profile("--nic", nic, library.nic))
    try:
        return advise(loaded.fabric, loaded.root, asked)
    except UnknownCard as error:
        stop(f"--nic {nic}: {error}")


def _find_profile(option: str, name: str, find: Callable[[str], T]) -> T:
    try:
        return find(name)
    except UnknownProfile as error:
        stop(f"{option} {name}: {error}")
    except SourceError as error:
        stop_unread(error)


def _run_sweep(of: Advised, ranges: dict[str, tuple[float, ...]], jobs: int | None) -> Any:
    """The tables of a fabric, and the answers to their points."""
    from rocecfg.advice.sweep import Unsweepable, make_tables, solve
    from rocecfg.linting.workers import count_cores

    try:
        groups = make_tables(of, ranges)
    except Unsweepable as error:
        stop(f"{of.root}: --sweep: {error}")
    points = tuple(dict.fromkeys(point for table in groups for point in table.points))
    with _show_progress(len(points)) as bar:

        def tick(done: int) -> None:
            if bar is not None:
                bar.update(done)

        return groups, solve(points, of.params, jobs or count_cores(), tick)


def _show_progress(total: int) -> AbstractContextManager[Any]:
    """A bar on standard error, where that is a terminal."""
    if not sys.stderr.isatty():
        return nullcontext()
    bar: AbstractContextManager[Any] = click.progressbar(length=total, label="sweep", file=sys.stderr)
    return bar


def _write_drawings(advised: list[Advised], folder: str) -> None:
    from rocecfg.advice.svg import draw

    drawings: dict[str, str] = {}
    for of in advised:
        for number, advice in enumerate(of.advices, 1):
            drawing = draw(of, number)
            if drawing is None:
                print_message(f"kind {number} of {of.fabric.name} not drawn: {advice.now.why_not}")
                continue
            name = "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else "_" for c in of.fabric.name)
            file = f"{name or 'fabric'}-{number:02d}.svg"
            if file in drawings:
                stop(f"two fabrics are named {of.fabric.name}: draw each by itself")
            drawings[file] = drawing
    save_below(folder, list(drawings.items()))
    print_note(f"{len(drawings)} drawing{'s' * (len(drawings) != 1)} written to {folder}")
