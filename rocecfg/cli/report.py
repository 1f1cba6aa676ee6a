"""`rocecfg report`."""

from __future__ import annotations

import gc
import os
import sys
import time

import click

from rocecfg import __version__, facts_day
from rocecfg.cli.common import print_message, save, stop, stop_unread
from rocecfg.cli.inputs import VendorChoice, allow_outside_option, vendor_option
from rocecfg.cli.linted import ask_models
from rocecfg.config.find import Finder, find_policies
from rocecfg.linting.discover import Discovered, discover
from rocecfg.linting.run import lint
from rocecfg.source.document import SourceError, Sources
from rocecfg.vendors import LANGUAGES, join_names


@click.command("report")
@click.argument("paths", nargs=-1, type=click.Path())
@click.option(
    "-o", "--output", "file", type=click.Path(), required=True, metavar="FILE", help="the page; - is standard output"
)
@click.option("--title", default="", metavar="TEXT", help="heading of the page; default: the names of the fabrics")
@vendor_option
@click.option("--from", "written_by", type=VendorChoice(), help="treat all files as configurations of this system")
@click.option("--no-ignores", is_flag=True, help="also report findings that comments waive")
@click.option(
    "--config", type=click.Path(), metavar="FILE", help="use these settings instead of the nearest rocecfg.toml"
)
@click.option("--no-config", "--isolated", "no_config", is_flag=True, help="use no settings file")
@click.option("--environment", metavar="NAME", help="an environment of the settings (lab, staging, production)")
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="processes that read configurations")
@allow_outside_option
def command(
    paths: tuple[str, ...],
    file: str,
    title: str,
    vendor: str | None,
    written_by: str | None,
    no_ignores: bool,
    config: str | None,
    no_config: bool,
    environment: str | None,
    jobs: int | None,
    allow_outside: tuple[str, ...],
) -> None:
    """Write one self-contained HTML page on fabrics: findings, and the fabric, its buffers and its classes drawn.

    PATHS are as in `rocecfg lint`: intents, configurations of switches, or folders of them. Each fabric is reported
    whole, whichever of its files is named. Settings and waivers count as they do there.

    Exit codes: 0 the page is written, whatever it reports; 2 could not run, or a file could not be read (the page
    then says which); 3 internal error.
    """
    gc.disable()  # a short life, and no cycles worth a collection
    sources = Sources(allow_outside)
    try:
        finder = Finder(given=config, isolated=no_config)
        found = discover(paths, sources, vendor, running=True, written_by=written_by, jobs=jobs)
        _stop_unowned(found)
        policies = find_policies(finder, [loaded.root for loaded in found.fabrics], environment)
        today = time.strftime("%Y-%m-%d")
        fabrics = ask_models(found.fabrics, sources, finder, jobs)
        run = lint(fabrics, sources, waivers=not no_ignores, today=today, policies=policies)
    except SourceError as error:
        stop_unread(error)
    from rocecfg.report.html.page import render

    text = render(fabrics, run, version=f"{__version__}, newest source of its facts: {facts_day}", title=title)
    if file == "-":
        sys.stdout.write(text)
    else:
        _save_page(file, text)
    for loaded in found.fabrics:
        for unread in loaded.errors:
            print_message(str(unread))
    for failure in run.failed:
        print_message(f"internal error: {failure}")
    sys.exit(3 if run.failed else 2 if run.unreadable else 0)


def _stop_unowned(found: Discovered) -> None:
    if found.unowned:
        stop(
            f"{found.unowned[0]} belongs to no intent, and is not a configuration of {join_names(LANGUAGES, 'or')} "
            "(see `rocecfg report --help`, --from)"
        )
    if all(loaded.fabric is None and loaded.errors for loaded in found.fabrics):
        stop_unread(found.fabrics[0].errors[0])


def _save_page(file: str, text: str) -> None:
    if os.path.isdir(file):
        stop(f"{file} cannot be written: it is a folder; -o takes a file, such as report.html")
    save(file, text)
