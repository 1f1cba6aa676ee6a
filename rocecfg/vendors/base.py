"""What every writer gives back, and the strict, sandboxed environment its templates run in."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from rocecfg.core.data import data_path
from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, Origin
from rocecfg.profiles.releases import newest_before, newest_known
from rocecfg.source.bounds import is_below
from rocecfg.source.document import SourceError, read_bytes

if TYPE_CHECKING:
    from jinja2 import BaseLoader, Environment, Template

    from rocecfg.vendors.procedure import Disturbance, Procedure, Save


class Do(NamedTuple):
    """One thing to do at a switch: in words, and the lines that are typed, where the words do not have them."""

    words: str
    lines: tuple[str, ...] = ()


class Apply(NamedTuple):
    """How a text is brought to a switch, for whoever reads it and as a script. One sentence or command each."""

    about: str  # what it is, and for which release
    disturbs: str
    order: tuple[Do, ...]  # what is done by hand, in order, up to the save
    check: tuple[Do, ...]  # what is looked at before the save
    save: Save | None  # None: there is nothing to apply
    more: tuple[str, ...] = ()  # what else is to be known
    script: tuple[str, ...] = ()  # the same in bash, for `set -eu` and $FILE; (): no shell of the switch takes it
    confirm: tuple[str, ...] = ()  # commands after the check, else it returns by itself; (): it does not
    drained: bool = True  # whether the switch is to be drained for it
    confirm_note: str = ""  # of a procedure


def apply_with_timer(procedure: Procedure, notes: Sequence[str], disturbs: Disturbance, verify: Sequence[str]) -> Apply:
    """How a file with these notes is applied, whose lines a switch takes at once and gives back unless confirmed.

    No script: the lines are typed into the system's own command line, not into a shell.
    """
    minutes = procedure.minutes
    return Apply(
        notes[0],
        disturbs.why,
        (
            Do("In the folder of this note, copy the file to the switch.", (procedure.copy,)),
            Do(
                f"Load it there. Nothing takes effect until the commit, which rolls back after {minutes} minutes if it "
                "is not confirmed.",
                (*procedure.load_file, *procedure.show, *procedure.commit),
            ),
        ),
        (Do(f"Check that it works as intended, within the {minutes} minutes.", tuple(verify)),),
        procedure.save,
        tuple(line for line in notes[1:] if not line.startswith(("Apply: ", "Disturbs: "))),
        confirm=procedure.confirm,
        drained=disturbs.drained,
    )


class RenderedText(NamedTuple):
    """The configuration of one device, but for its name, so that equal devices are rendered once."""

    body: str  # what goes to the switch
    notes: tuple[str, ...]  # how to apply it, the release it is for, what flaps: one line each
    comment: str | None  # how a comment line of the format begins ("# ", "! "); None: it has no comments (JSON)
    suffix: str  # ".json", ".yaml", ".nv", ".cfg"
    apply: Apply | None = None  # None: no configuration of a switch

    def file(self, device: str | None, name: str = "") -> str:
        """The whole file: the notes as comment lines where the format has comments, then the body. `name`: its own."""
        if self.comment is None:
            return self.body
        title = f"{device}: " if device else ""
        called = name or (f"{device}{self.suffix}" if device else "FILE")
        notes = (re.sub(r"\bFILE\b", lambda _: called, line) for line in self.notes)
        head = "".join(f"{self.comment}{title if i == 0 else ''}{line}".rstrip() + "\n" for i, line in enumerate(notes))
        return head + self.body


class File(NamedTuple):
    """One file to write: its name, which is safe below any folder, its text, and the rendering behind it."""

    name: str
    text: str
    device: str | None  # None: the policy, for every device
    vendor: str
    rendering: RenderedText


class CannotRender(Exception):
    """A device that this writer must not render: what is missing or cannot be said, where, and the fix."""

    def __init__(self, message: str, help: str = "", at: tuple[Origin, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.help = help
        self.at = at

    def __str__(self) -> str:
        return f"{self.message} ({self.help})" if self.help else self.message


def name_facts(device: Device) -> Iterator[str]:
    """The facts that a rendered text rests on: up to which release and of which day, and whose tables."""
    nos, box = device.nos, device.box
    if nos is None:
        return
    newest = newest_known(nos.releases)
    told = f"Facts: {nos.title}{f' up to {newest}' if newest is not None else ''}, as of {nos.as_of}"
    if device.version is not None and newest_before(nos.releases, nos.name, device.version) is not None:
        told += f"; {device.version} is later, and may take more or other things"
    if box is not None and box.release is not None and (box.headroom is not None or box.pools):
        told += f"; tables of HwSKU {box.hwsku} of {box.release} ({nos.commits[box.release]})"
    yield told


def environment(vendor: str, overrides: str | None = None) -> Environment:
    """The template environment of a vendor; `overrides` is a user's folder whose files win over ours.

    Undefined names raise, and the sandbox keeps a template of somebody's repository from reaching into Python; what is
    shipped needs none, which would look at every call.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    kind = Environment
    if overrides is not None:
        from jinja2.sandbox import ImmutableSandboxedEnvironment

        kind = ImmutableSandboxedEnvironment
    shipped = FileSystemLoader(data_path("templates", vendor))
    return kind(
        loader=_with_overrides(overrides, vendor, shipped) if overrides else shipped,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,  # one process, one reading
        autoescape=False,  # switch configuration, not HTML; the intent's schema refuses what could break out
    )


@lru_cache(maxsize=64)
def load_template(vendor: str, name: str, overrides: str | None) -> Template:
    """An outermost template, compiled once per process and folder; so are those it includes."""
    return environment(vendor, overrides).get_template(name)


def _with_overrides(folder: str, vendor: str, shipped: BaseLoader) -> BaseLoader:
    """The files of a vendor in a user's folder, then the shipped ones."""
    from jinja2 import ChoiceLoader, FunctionLoader
    from jinja2.loaders import split_template_path

    def load(name: str) -> tuple[str, str, None] | None:
        path = os.path.join(folder, vendor, *split_template_path(name))
        if not os.path.lexists(path):
            return None
        if not is_below(os.path.realpath(path), os.path.realpath(folder)):
            raise OSError(f"{vendor}/{name} is a link that leads out of it")
        try:
            return read_bytes(path).decode("utf-8"), path, None
        except SourceError as error:
            raise OSError(f"{vendor}/{name} {error.message}") from None

    return ChoiceLoader([FunctionLoader(load), shipped])


def fill_template(
    template: Callable[[str, str | None], Template], name: str, overrides: str | None, /, **values: object
) -> str:
    """The text that a template gives. `template`, a function of a module, gets it by its name, compiled.

    With `overrides` it is filled in a process that is bounded in time and memory. What fails in a file of `overrides`,
    or takes too much, is the user's: CannotRender with its place. What fails in ours is raised as is.
    """
    if overrides is None:
        return template(name, None).render(values)
    from rocecfg.vendors.bounded import Failed, fill_in_process

    try:
        return fill_in_process(template, name, overrides, values)
    except Failed as error:
        if error.path is None and error.kind != "Exceeded":
            raise
        folder, place = overrides, f"{name}, or one that it includes, in {overrides}"
        if error.path is not None:
            file = os.path.normpath(os.path.join(overrides, error.path))
            folder = os.path.dirname(file) if error.line else file
            place = f"{file}:{error.line}" if error.line else f"folder {file}"
        what = f"takes {error.message}" if error.kind == "Exceeded" else f"{error.kind}: {error.message}"
        raise CannotRender(
            f"the template {place}: {what}", f"fix it in {folder}, or remove it there and ours is used"
        ) from error
