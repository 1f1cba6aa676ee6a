"""`rocecfg lint --fix` and `--diff`: what the engine fixed, written to the files or shown."""

from __future__ import annotations

import os
import sys

import click

from rocecfg.cli.common import print_message, save, stop
from rocecfg.linting.fixes import Fixed, FixedText
from rocecfg.linting.fixes import format_diff as changes
from rocecfg.report.places import locate_finding
from rocecfg.source.bounds import find_repository_folder, is_below
from rocecfg.source.document import SourceError, decode, read_bytes

_BOM = b"\xef\xbb\xbf"


Output = tuple[str, str | None]  # a format and its file; None: standard output


def write_fixes(
    fixed: Fixed, wanted: list[Output], *, diff: bool, piped: str | None, below: str | None
) -> list[Output]:
    """Write what was fixed; gives the outputs that are left to write.

    With `diff` the changes are printed instead, and the process ends: 1 if there are any. `piped`: the file that
    standard input is, whose fixed text goes to standard output in place of findings. `below`: a folder; where a file
    outside of it would be changed, none is.
    """
    if diff:
        click.echo(changes(fixed.texts), nl=False)
        _report_fixes(fixed, "would be fixed")
        run = fixed.run
        sys.exit(3 if run.failed else 2 if run.unreadable else int(bool(fixed.texts)))
    texts = [d.text for d in fixed.run.sources.documents if piped and os.path.abspath(d.path) == os.path.abspath(piped)]
    if not piped:
        _save_fixed(fixed, below)
    for text in texts[:1]:
        sys.stdout.write(text)
        wanted = [output for output in wanted if output[1] is not None]
    _report_fixes(fixed, "fixed")
    return wanted


def _save_fixed(fixed: Fixed, below: str | None) -> None:
    """Write the changed files; stops with exit code 2 where one cannot be written or is no longer what was read."""
    for text in fixed.texts:
        real = os.path.realpath(text.path)
        if below is not None and not is_below(real, os.path.realpath(below)):
            stop(f"{text.path} is not below {below}, and would be changed: nothing is written")
        top = find_repository_folder(os.path.dirname(os.path.abspath(text.path)))
        if top is not None and not is_below(real, os.path.realpath(top)):
            stop(f"{text.path} is a link out of its repository, and would be changed: name where it leads")
    try:
        marks = [_read_byte_order_mark(text) for text in fixed.texts]
    except SourceError as error:
        stop(str(error))
    for text, mark in zip(fixed.texts, marks, strict=True):
        save(os.path.realpath(text.path), mark + text.after)  # where it was read, which is inside the repository


def _read_byte_order_mark(text: FixedText) -> str:
    """The byte order mark that the file begins with, if it does; stops where it was changed since it was read."""
    data = read_bytes(text.path)
    if decode(text.path, data) != text.before:
        stop(f"{text.path} has changed since it was read: nothing is written")
    return "\ufeff" if data.startswith(_BOM) else ""


def _report_fixes(fixed: Fixed, done: str) -> None:
    if fixed.fixed or fixed.unsafe:
        files = f" in {_format_count(len(fixed.texts), 'file')}" if fixed.texts else ""
        more = f"; {fixed.unsafe} more with --unsafe-fixes" if fixed.unsafe else ""
        print_message(f"{_format_count(fixed.fixed, 'finding')} {done}{files}{more}")
    for finding, why in fixed.refused:
        at = locate_finding(finding, fixed.run.sources)
        print_message(f"{at.path}:{at.line}: {finding.rule.name} is not fixed: {why}")


def _format_count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
