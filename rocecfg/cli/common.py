"""What several commands share: how they stop, how they write files, and when to use colour."""

from __future__ import annotations

import os
import sys

from rocecfg.core.visible import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import NoReturn

    from rocecfg.intent import Loaded
    from rocecfg.linting.finding import Finding
    from rocecfg.linting.run import Run
    from rocecfg.source.document import SourceError, Sources
    from rocecfg.vendors.base import CannotRender


def print_message(message: str) -> None:
    """One line of ours to standard error, made visible."""
    print_note(f"rocecfg: {message}")


def print_note(line: str) -> None:
    """One line to standard error, made visible: names and values may hold anything."""
    sys.stderr.write(f"{visible(line)}\n")


def stop(message: str, code: int = 2) -> NoReturn:
    """One line to standard error, and the exit code: 2 could not run, 3 internal error."""
    print_message(message)
    sys.exit(code)


def stop_unread(error: SourceError) -> NoReturn:
    """The clear error for what could not be read."""
    stop(str(error))


def stop_if_missing(error: Exception) -> None:
    """Stops for a module that a vendor's package lacks; whatever else failed is left to the caller."""
    from rocecfg.vendors import MissingPart

    if isinstance(error, MissingPart):
        stop(str(error))


def stop_unwritten(path: str, error: OSError) -> NoReturn:
    """The clear error for a file that cannot be written."""
    stop(f"{path} cannot be written: {error.strerror or error}")


def save(path: str, text: str, *, follow: bool = True) -> None:
    """Write a file, whole or not at all; stops where it cannot be. `follow`: as of `write_atomically`."""
    from rocecfg.cli.files import write_atomically

    try:
        write_atomically(path, text, follow=follow)
    except OSError as error:
        stop_unwritten(path, error)


def check_output(path: str) -> None:
    """Stops where a file would not be written for a link, before anything else is done."""
    from rocecfg.cli.files import check_links

    try:
        check_links(path)
    except OSError as error:
        stop_unwritten(path, error)


def save_below(folder: str, files: Sequence[tuple[str, str]]) -> None:
    """Write texts to files of a folder, by their names in it; stops where one cannot be written."""
    from rocecfg.cli.files import write_below

    try:
        write_below(folder, files)
    except OSError as error:
        stop_unwritten(error.filename or folder, error)


def print_errors(run: Run, errors: list[Finding]) -> None:
    """The errors that stop a command, to standard error, as `rocecfg lint` shows them."""
    from rocecfg.report.text import render_full

    kept = run._replace(findings=errors)
    sys.stderr.write(render_full(kept, color=use_color() and sys.stderr.isatty()))


def locate_refused(error: CannotRender, sources: Sources) -> str:
    """`path:line:column: ` of what cannot be rendered; empty where no file says it."""
    from rocecfg.model import spans_of

    where = next((span for at in error.at for span in spans_of(at)), None)
    if where is None:
        return ""
    document = sources.documents[where.doc]
    line, column = document.place(where.start)
    return f"{document.path}:{line}:{column}: "


def use_color() -> bool:
    """Colour only on a terminal; NO_COLOR and FORCE_COLOR decide where they are set (no-color.org)."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def describe_no_device(name: str, fabrics: Iterable[Loaded]) -> str:
    """That no fabric has a device of a name, and the one that may be meant."""
    from rocecfg.intent.values import near

    names = [each for loaded in fabrics if loaded.fabric is not None for d in loaded.fabric.devices for each in d.names]
    meant = near(name, names)
    return f"there is no device {name}" + (f"; did you mean {meant}?" if meant is not None else "")
