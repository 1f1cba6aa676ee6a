"""What several commands share: how they stop, and when to use colour."""

from __future__ import annotations

import os
import sys

from rocecfg.core.visible import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from rocecfg.source.document import SourceError


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


def use_color() -> bool:
    """Colour only on a terminal; NO_COLOR and FORCE_COLOR decide where they are set (no-color.org)."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
