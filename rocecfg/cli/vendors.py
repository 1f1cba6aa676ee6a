"""Vendors as words of the command line: their names, which help lists, and their aliases."""

from __future__ import annotations

import click

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

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
        from rocecfg.vendors import plain_name

        name: str = self._choice().convert(plain_name(value), param, ctx)
        return name

    def get_metavar(self, *of: Any, **more: Any) -> str | None:
        """The names, as help lists them."""
        return self._choice().get_metavar(*of, **more)

    def get_missing_message(self, *of: Any, **more: Any) -> str:
        """The names, where a vendor has to be said."""
        return self._choice().get_missing_message(*of, **more)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The names that begin so."""
        return self._choice().shell_complete(ctx, param, incomplete)
