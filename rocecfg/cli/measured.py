"""`rocecfg measured`."""

from __future__ import annotations

import sys

import click

from rocecfg.cli.common import stop, stop_unread
from rocecfg.cli.inputs import allow_outside_option, find_fabrics, require_readable
from rocecfg.core.units import parse_rate
from rocecfg.core.visible import visible
from rocecfg.source.document import Document, SourceError, Sources

_LEAST = 90.0  # percent: a bound of our own


@click.command("measured")
@click.argument("intent", type=click.Path())
@click.argument("results", nargs=-1, required=True, type=click.Path())
@click.option("--speed", metavar="RATE", help="speed of the NICs that perftest ran on, where the intent has several")
@click.option(
    "--least", type=click.FloatRange(1, 100), default=_LEAST, show_default=True, help="percent that is good enough"
)
@allow_outside_option
def command(
    intent: str, results: tuple[str, ...], speed: str | None, least: float, allow_outside: tuple[str, ...]
) -> None:
    """Compare results of perftest and nccl-tests with the prediction of the intent.

    RESULTS are files of perftest's --out_json_file (run with --report_gbits, as `rocecfg plan` has it) and what
    nccl-tests prints. A link carries its speed less the headers of each packet; the bus bandwidth of a collective is
    bounded by the NICs of a host.

    Exit codes: 0 all good; 1 some less than --least percent, wrong, or not compared; 2 could not run.
    """
    from rocecfg.rollout.measured import judge_result, render_verdict
    from rocecfg.rollout.results import read_result

    sources = Sources(allow_outside)
    fabrics = find_fabrics(intent, sources, None)
    if len(fabrics) != 1:
        stop(f"{intent} has {len(fabrics)} fabrics: name the file of one")
    fabric = require_readable(fabrics[0], sources).fabric
    if fabric is None:
        stop(f"{intent} cannot be resolved: rocecfg lint says why")
    try:
        rate = None if speed is None else int(parse_rate(speed))
    except ValueError as error:
        stop(f"--speed {speed}: {error}")
    good = True
    for path in results:
        try:
            verdict = judge_result(fabric, read_result(Document(0, path, None)), speed=rate, least=least)
        except SourceError as error:
            stop_unread(error)
        good = good and verdict.good
        for line in render_verdict(verdict, least):
            click.echo(visible(line))
    sys.exit(0 if good else 1)
