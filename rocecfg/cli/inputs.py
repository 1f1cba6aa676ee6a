"""What several commands take: vendors by their names, intents by a path, and the options that say what runs now."""

from __future__ import annotations

import os

import click

from rocecfg.cli.common import print_message, stop, stop_unread
from rocecfg.core.digits import advise_number, is_number
from rocecfg.intent import Loaded
from rocecfg.intent.values import UNREADABLE
from rocecfg.linting.discover import discover
from rocecfg.source.bounds import Bounds
from rocecfg.source.document import SourceError, Sources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from click.decorators import FC
    from click.shell_completion import CompletionItem

    _Type = click.ParamType[str]
else:
    _Type = click.ParamType  # generic to type checkers alone, before click 8.5


class VendorChoice(_Type):
    """A vendor by its name or an alias of it, or one of other words; gives the name.

    The table of vendors is loaded where the option is used, or help is shown: a lint of an intent does not need it.
    """

    name = "choice"

    def __init__(self, *others: str) -> None:
        self._others = others

    @property
    def choices(self) -> tuple[str, ...]:
        """What help and messages list."""
        from rocecfg.vendors import VENDORS

        return (*VENDORS, *self._others)

    def _choice(self) -> click.Choice[str]:
        return click.Choice(self.choices)

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The vendor's name for a word of the command line; click.BadParameter for what is none."""
        from rocecfg.vendors import resolve_alias

        name = resolve_alias(value)
        if name in self.choices:
            return name
        from rocecfg.intent.types import System

        meant = System().suggest_word(value)
        more = "" if meant.startswith("known: ") else f": {meant.partition('; known: ')[0]}"
        words = f"{value!r} is not one of {', '.join(self.choices)}{more}"
        raise click.BadParameter(words, ctx=ctx, param=param)

    def get_metavar(self, *of: Any, **more: Any) -> str | None:
        """The names, as help lists them."""
        return self._choice().get_metavar(*of, **more)

    def get_missing_message(self, *of: Any, **more: Any) -> str:
        """The names, where a vendor has to be said."""
        return self._choice().get_missing_message(*of, **more)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The names that begin so."""
        return self._choice().shell_complete(ctx, param, incomplete)


class WholeNumber(click.IntRange):
    """A whole number of a range, or a name of one; says what to write instead of anything else."""

    def __init__(self, low: int, high: int, names: Mapping[str, int] | None = None) -> None:
        super().__init__(low, high)
        self._names = names or {}

    def read(self, text: str, low: int | None = None) -> int:
        """The number that a text is; ValueError for any other. `low`: the least, where it is another."""
        least, most = int(self.min or 0) if low is None else low, int(self.max or 0)
        if text.casefold() in self._names:
            return self._names[text.casefold()]
        if is_number(text, len(str(most))) and least <= int(text) <= most:
            return int(text)
        advice = advise_number(text, least, most)
        named = f", or a name such as {next(iter(self._names))}" if self._names else ""
        raise ValueError(f"{text!r} is not a whole number from {least} to {most}{named}" + (advice and f"; {advice}"))

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number of a word of the command line; click.BadParameter for what is none."""
        try:
            return self.read(str(value))
        except ValueError as error:
            raise click.BadParameter(str(error), ctx=ctx, param=param) from None


vendor_option = click.option("--vendor", type=VendorChoice(), help="for devices that name none")
allow_outside_option = click.option(
    "--allow-outside",
    multiple=True,
    type=click.Path(exists=True, file_okay=False),
    metavar="DIR",
    help="folder outside the repository that a fabric may use; may be repeated",
)


def gone_option(name: str, why: str, *, is_flag: bool = False) -> Callable[[FC], FC]:
    """An option that went: still accepted, with a warning that says why. Stability.md says for how long."""

    def warn(_: click.Context, __: click.Parameter, given: object) -> None:
        if given:
            print_message(f"{name} has no effect any longer: {why}")

    return click.option(name, is_flag=is_flag, hidden=True, expose_value=False, callback=warn)


def intent_and_running(command: Any) -> Any:
    """INTENT and what runs now: `--running`, which may be repeated (`paths`), and further files behind it (`more`)."""
    options = (
        click.argument("intent", type=click.Path()),
        click.argument("more", nargs=-1, type=click.Path(), metavar="[FILE…]"),
        click.option(
            "--running",
            "paths",
            multiple=True,
            type=click.Path(),
            metavar="DIR|FILE|-",
            help="what devices run: files, or folders of them; - reads one from standard input; more files may follow",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def find_fabrics(path: str, sources: Sources, vendor: str | None, *, running: bool = False) -> list[Loaded]:
    """The fabrics whose intents a path holds; stops where there is none, or a file cannot be read.

    `running`: those of switches' configurations too.
    """
    found = discover((path,), sources, vendor, running=running)
    if found.unowned:
        stop(f"{path} belongs to no intent{'' if running else ': it lacks rocecfg: 1, and no intent includes it'}")
    for loaded in found.fabrics:
        if loaded.errors:
            stop_unread(loaded.errors[0])
    return found.fabrics


def require_readable(loaded: Loaded, sources: Sources) -> Loaded:
    """An intent of which everything could be read; stops for any other."""
    if loaded.errors:
        stop_unread(loaded.errors[0])
    for problem in loaded.problems:
        if problem.rule in UNREADABLE:
            document = sources.documents[problem.at.doc]
            line, column = document.place(problem.at.start)
            stop(f"{document.path}:{line}:{column}: {problem.message}: the intent is unknown")
    return loaded


def find_templates(loaded: Loaded, sources: Sources) -> str | None:
    """The folder of the user's own templates, beside the intent; stops where it is elsewhere, by a link."""
    beside = os.path.join(os.path.dirname(loaded.root), "rocecfg-templates")
    if not os.path.isdir(beside):
        return None
    try:
        Bounds(os.path.dirname(loaded.root), sources.allowed).check(beside)
    except SourceError as error:
        stop_unread(error)
    return beside


def index_templates(sources: Sources, *read: Loaded) -> dict[str, str]:
    """The same of several intents, by their root files: they shape what is intended as they shape what is rendered."""
    return {loaded.root: folder for loaded in read if (folder := find_templates(loaded, sources)) is not None}
