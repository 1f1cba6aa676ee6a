"""What several commands share: how they stop, and when to use colour."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from rocecfg.source.document import SourceError


def stop(message: str, code: int = 2) -> NoReturn:
    """One line to standard error, and the exit code: 2 could not run, 3 internal error."""
    sys.stderr.write(f"rocecfg: {message}\n")
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
