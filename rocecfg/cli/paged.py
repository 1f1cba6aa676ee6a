"""Long answers for people: folded to the width of the terminal, and through a pager where they are longer than it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from itertools import chain, islice

import click

from rocecfg.core.visible import visible

_LEAST = 40  # columns that a narrower terminal is taken to have


def print_lines(lines: Iterable[str], indent: int = 0) -> None:
    """Print lines, made visible; where nobody looks, they are printed as they are and as they come.

    `indent`: columns by which what does not fit in a line is set in below it; 0: as much as the line itself is, and
    two more.
    """
    shown = (visible(line) for line in lines)
    if not sys.stdout.isatty():
        for line in shown:
            click.echo(line)
        return
    size = shutil.get_terminal_size()
    width = max(size.columns, _LEAST)
    folded = (part for line in shown for part in _fold_line(line, width, indent))
    first = list(islice(folded, size.lines))
    if len(first) < size.lines or os.environ.get("TERM") == "dumb" or not sys.stdin.isatty():
        for line in chain(first, folded):
            click.echo(line)
    else:
        click.echo_via_pager(f"{line}\n" for line in chain(first, folded))


def _fold_line(line: str, width: int, indent: int) -> Iterator[str]:
    """A line in parts of at most `width` columns, broken between words; a word that is longer stands alone."""
    start = len(line) - len(line.lstrip())
    within = min(indent or start + 2, width // 2)
    while len(line) > width:
        cut = line.rfind(" ", start + 1, width + 1)
        if cut < 0 or not line[start:cut].strip():
            cut = line.find(" ", width)
        if cut < 0:
            break
        yield line[:cut].rstrip()
        line, start = " " * within + line[cut:].lstrip(), within
    yield line
