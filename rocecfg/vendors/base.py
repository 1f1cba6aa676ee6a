"""What every writer gives back, and the strict, sandboxed environment its templates run in."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rocecfg.data import data_path
from rocecfg.model import Origin

if TYPE_CHECKING:
    from jinja2 import Environment


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
        autoescape=False,  # switch configuration, not HTML; the intent's schema refuses what could break out
    )
