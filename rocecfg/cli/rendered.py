"""The folder that `rocecfg render -o` keeps: what is written there, what is removed, and how it differs."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence

import click

from rocecfg.cli.common import print_message, print_note, stop, stop_unwritten
from rocecfg.cli.files import read_below, write_below
from rocecfg.cli.terminal import show_progress, tell_files
from rocecfg.core.nodeset import fold_set
from rocecfg.core.records import NamedTuple
from rocecfg.core.visible import visible, visible_diff
from rocecfg.vendors.apply import Group, Mark, find_left_over
from rocecfg.vendors.base import File

_MOST = 8  # groups, and files, that are listed one by one
_LONG = 60  # characters of a node set


class Rendered(NamedTuple):
    """What a folder is to hold."""

    files: Sequence[File]
    how: Sequence[Group]  # how they are applied
    marks: Sequence[Mark]  # those of groups that may be no more

    def collect_texts(self) -> list[tuple[str, str]]:
        """Name and text of each file; stops where two fabrics have a device of one name."""
        texts = [(file.name, file.text) for file in self.files]
        twice = [name for name, count in Counter(name for name, _ in texts).items() if count > 1]
        if twice:
            stop(f"{len(twice)} names stand for devices of several fabrics ({twice[0]}): render each fabric by itself")
        return [*texts, *(file for group in self.how for file in group.files)]


def compare_folder(rendered: Rendered, folder: str, *, show: bool) -> int:
    """Tell which files of a folder are not as rendered, or `show` how; the exit code, 1 if there are any."""
    texts = rendered.collect_texts()
    whole = os.path.realpath(folder)
    differing = 0
    for name, text in texts:
        path = os.path.join(folder, name)
        try:
            have = read_below(folder, whole, name)
        except OSError as error:
            stop(f"{path} cannot be read: {error.strerror or error}")
        if have == text:
            continue
        differing += 1
        if show:
            sys.stdout.write(visible_diff(have or "", text, path, f"{path} (rendered)"))
        else:
            click.echo(visible(f"{path}: {'missing' if have is None else 'not what the intent says'}"))
    gone = find_left_over(folder, rendered.marks, [name for name, _ in texts])
    for name in gone:
        click.echo(visible(f"{os.path.join(folder, name)}: its group of devices no longer exists"))
    return int(bool(differing or gone))


def write_folder(rendered: Rendered, folder: str, *, strict: bool) -> int:
    """Write what is not as rendered, each file whole, and remove what is of groups that are no more; the exit code.

    `strict`: 1 where anything was written or removed, which is then listed.
    """
    texts = rendered.collect_texts()
    gone = find_left_over(folder, rendered.marks, [name for name, _ in texts])
    whole = os.path.realpath(folder)
    try:
        # all of them first: a name that is taken by a folder shows before anything is written
        changed = [(name, text) for name, text in texts if read_below(folder, whole, name) != text]
        written = [0]
        with show_progress(lambda: tell_files(written[-1], len(changed), "written")):
            write_below(folder, changed, written.append)
        for name in gone:
            os.unlink(os.path.join(folder, name))
    except OSError as error:
        stop_unwritten(error.filename or folder, error)
    print_note(f"{len(changed)} of {len(texts)} files written to {folder}{f', {len(gone)} removed' if gone else ''}")
    for line in _describe_application(rendered.how, folder):
        print_note(line)
    _print_notes(rendered.files)
    if not strict or not (changed or gone):
        return 0
    paths = [os.path.join(folder, name) for name in (*(name for name, _ in changed), *gone)]
    print_message(
        f"out of step with the intent until now: {_join_first(paths)}; git add --all {folder}, and commit again"
    )
    return 1


def _describe_application(how: Sequence[Group], folder: str) -> Iterator[str]:
    """Where it stands how to apply the files; a few lines, however many groups there are."""
    if not how:
        return
    yield "How to apply them, in which order, and what it disturbs:"
    for group in how[:_MOST]:
        devices = group.devices if len(group.devices) <= _LONG else f"{group.devices[:_LONG]}…"
        yield f"  {devices}: {' and '.join(os.path.join(folder, name) for name, _ in group.files)}"
    if len(how) > _MOST:
        yield f"  and {len(how) - _MOST} more groups of devices: {os.path.join(folder, 'APPLY-*.md')}"


def _print_notes(files: Sequence[File]) -> None:
    """The notes of files that have no comments and are no configuration of a switch, such as a dashboard."""
    noted: dict[tuple[str, ...], list[str]] = {}
    for file in files:
        if file.rendering.comment is None and file.rendering.apply is None and file.rendering.notes:
            noted.setdefault(file.rendering.notes, []).append(file.name)
    for notes, names in noted.items():
        print_note(f"{fold_set(tuple(names))}:")
        for line in notes:
            print_note(f"  {line}")


def _join_first(paths: Sequence[str]) -> str:
    rest = len(paths) - _MOST
    return ", ".join(paths[:_MOST]) + (f" and {rest} more" if rest > 0 else "")
