"""What every writer gives back, and the strict, sandboxed environment its templates run in."""

from __future__ import annotations

import os
from collections.abc import Callable
from traceback import extract_tb
from typing import TYPE_CHECKING

from rocecfg.data import data_path
from rocecfg.model import Origin
from rocecfg.records import NamedTuple

if TYPE_CHECKING:
    from jinja2 import Environment, Template


class Text(NamedTuple):
    """The configuration of one device, but for its name, so that equal devices are rendered once."""

    body: str  # what goes to the switch
    notes: tuple[str, ...]  # how to apply it, the release it is for, what flaps: one line each
    comment: str | None  # how a comment line of the format begins ("# ", "! "); None: it has no comments (JSON)
    suffix: str  # ".json", ".yaml", ".nv", ".cfg"

    def file(self, device: str | None) -> str:
        """The whole file: the notes as comment lines where the format has comments, then the body."""
        if self.comment is None:
            return self.body
        title = f"{device}: " if device else ""
        head = "".join(
            f"{self.comment}{title if i == 0 else ''}{line}".rstrip() + "\n" for i, line in enumerate(self.notes)
        )
        return head + self.body


class CannotRender(Exception):
    """A device that this writer must not render: what is missing or cannot be said, where, and the mend."""

    def __init__(self, message: str, help: str = "", at: tuple[Origin, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.help = help
        self.at = at


def environment(vendor: str, overrides: str | None = None) -> Environment:
    """The template environment of a vendor; `overrides` is a user's folder whose files win over ours.

    Undefined names raise, and the sandbox keeps a template of somebody's repository from reaching into Python.
    """
    from jinja2 import FileSystemLoader, StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    folders = [f"{overrides}/{vendor}"] if overrides else []
    return ImmutableSandboxedEnvironment(
        loader=FileSystemLoader([*folders, data_path("templates", vendor)]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,  # one process, one reading
        autoescape=False,  # switch configuration, not HTML; the intent's schema refuses what could break out
    )


def fill(template: Callable[[], Template], overrides: str | None, **values: object) -> str:
    """The text that a template gives. `template` gets it, compiled: that may fail as well.

    What fails in a file of `overrides` is the user's: CannotRender with its place. What fails in ours is raised as is.
    """
    try:
        return template().render(values)
    except Exception as error:
        where = _place_in(overrides, error) if overrides is not None else None
        if where is None:
            raise
        raise CannotRender(
            f"the template {where[0]}: {type(error).__name__}: {getattr(error, 'message', None) or error}",
            f"mend it in {where[1]}, or remove it there and ours is used",
        ) from error


def _place_in(folder: str, error: Exception) -> tuple[str, str] | None:
    """The file with the line where an error was raised, and its folder, below `folder`; None if not from there."""
    inside = os.path.join(os.path.abspath(folder), "")
    for frame in reversed(extract_tb(error.__traceback__)):
        if os.path.abspath(frame.filename).startswith(inside):
            return f"{frame.filename}:{frame.lineno}", os.path.dirname(frame.filename)
    return (f"folder {folder}", folder) if isinstance(error, (OSError, UnicodeError)) else None
