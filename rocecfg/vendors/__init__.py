"""The network operating systems that are written and read, one package each. The one table of them is here.

The table is plain text: asking it loads no vendor. `part` loads a module of one, and only that; `fix` says what to type
against a finding, in the words of a vendor's own configuration.
"""

from __future__ import annotations

import re

from rocecfg.core.records import NamedTuple
from rocecfg.profiles.releases import ALSO_CALLED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from collections.abc import Set as AbstractSet
    from types import ModuleType
    from typing import Literal, overload

    from rocecfg.vendors.protocol import Changes, Detect, Fixes, Front, Procedures, Reader, Rollout, Stating, Writer


class VendorRow(NamedTuple):
    """A row of the table; what a vendor's package offers is `rocecfg.vendors.protocol.Vendor`."""

    name: str  # in intents, on the command line, and of its package
    title: str  # what people call the system
    language: str  # what people call that in which it is configured
    reads: str  # which texts of it are read
    forms: tuple[str, ...]  # in which it is rendered, the usual one first
    fetch: str  # the commands that give a whole configuration, for whoever has only a part of one
    suffix: str  # of a file of lines to type or run
    platform: str  # that a starter is for, until another is named
    ports_implied: bool  # its configurations need not name a port that has what all have
    chip_matters: bool  # what is rendered depends on the family of the chip: a starter needs a platform
    model_package: str = ""  # the package that its models, or what reads them, come in; empty: they come with rocecfg
    model_folder: bool = False  # its models are in a folder that the user names

    @property
    def aliases(self) -> tuple[str, ...]:
        """What else the command line takes for it."""
        return ALSO_CALLED.get(self.name, ())


TABLE = (
    VendorRow(
        "sonic",
        "SONiC",
        "SONiC",
        "SONiC's config_db.json",
        ("config_db", "patch", "ansible"),
        "show runningconfiguration all, or /etc/sonic/config_db.json",
        ".sh",
        "nvidia-sn5600",
        ports_implied=False,
        chip_matters=False,
        model_package="oopt_gnpy_libyang",
        model_folder=True,
    ),
    VendorRow(
        "spectrum",
        "Cumulus Linux",
        "NVUE",
        "NVUE's YAML and nv set lines",
        ("nvue", "commands", "ansible"),
        "nv config show -o yaml, or nv config show -o commands",
        ".sh",
        "nvidia-sn5600",
        ports_implied=True,
        chip_matters=False,
        model_package="nvueschema",
    ),
    VendorRow(
        "arista",
        "EOS",
        "EOS",
        "the running-config of EOS",
        ("cli", "ansible"),
        "show running-config",
        ".cfg",
        "arista-7060x6-64pe",
        ports_implied=False,
        chip_matters=True,
    ),
    VendorRow(
        "junos",
        "Junos",
        "Junos",
        "Junos configurations of QFX switches with braces and as set lines",
        ("curly", "set", "ansible"),
        "show configuration, or show configuration | display set",
        ".conf",
        "juniper-qfx5240-64od",
        ports_implied=False,
        chip_matters=False,
    ),
    VendorRow(
        "nxos",
        "NX-OS",
        "NX-OS",
        "the running-config of NX-OS",
        ("cli", "ansible"),
        "show running-config",
        ".cfg",
        "cisco-9332d-gx2b",
        ports_implied=False,
        chip_matters=False,
    ),
    VendorRow(
        "srlinux",
        "SR Linux",
        "SR Linux",
        "SR Linux configurations of info, info flat and config.json",
        ("set",),
        "info flat at the top of the tree, or /etc/opt/srlinux/config.json",
        ".cli",
        "nokia-ixr7220-h4-64d",
        ports_implied=False,
        chip_matters=True,
    ),
)
VENDORS = tuple(vendor.name for vendor in TABLE)
_PLAIN = re.compile(r"[\w.,:/|+-]+", re.ASCII)  # between quotes means the same to every shell, and to `re.sub`
_BY_NAME = {vendor.name: vendor for vendor in TABLE}
_BY_ALIAS = {alias: vendor.name for vendor in TABLE for alias in vendor.aliases}


def join_names(words: Iterable[str], join: str = "and") -> str:
    """What vendors are called, in a sentence: `SONiC, NVUE and EOS`."""
    *most, last = words
    return f"{', '.join(most)} {join} {last}" if most else last


def join_some(names: Iterable[str], most: int) -> str:
    """The first names of many: `Ethernet0, Ethernet4 and 12 more`."""
    listed = list(names)
    rest = len(listed) - most
    return ", ".join(listed[:most]) + (f" and {rest} more" if rest > 0 else "")


LANGUAGES = tuple(vendor.language for vendor in TABLE)
KNOWN_TEXTS = f"known: {', '.join(vendor.reads for vendor in TABLE)}"  # to whom a text is none that can be read


def row(name: str) -> VendorRow:
    """The row of a vendor by its name; ValueError for any other word."""
    found = _BY_NAME.get(name)
    if found is None:
        raise ValueError(f"{name!r} is not a vendor; known: {', '.join(VENDORS)}")
    return found


def resolve_alias(word: str) -> str:
    """The name of the vendor that a word is an alias of; any other word as it is."""
    return _BY_ALIAS.get(word.casefold(), word.casefold() if word.casefold() in VENDORS else word)


class MissingPart(Exception):
    """A vendor of the table whose package has not all of its modules yet: one that is being added."""


if TYPE_CHECKING:

    @overload
    def part(name: str, module: Literal["detect"]) -> Detect: ...
    @overload
    def part(name: str, module: Literal["front"]) -> Front: ...
    @overload
    def part(name: str, module: Literal["change"]) -> Changes: ...
    @overload
    def part(name: str, module: Literal["fixes"]) -> Fixes: ...
    @overload
    def part(name: str, module: Literal["procedure"]) -> Procedures: ...
    @overload
    def part(name: str, module: Literal["reader"]) -> Reader: ...
    @overload
    def part(name: str, module: Literal["rollout"]) -> Rollout: ...
    @overload
    def part(name: str, module: Literal["stating"]) -> Stating: ...
    @overload
    def part(name: str, module: Literal["writer"]) -> Writer: ...


def part(name: str, module: str) -> ModuleType:
    """A module of a vendor's package, loaded now. ValueError for an unknown vendor, MissingPart for no such module."""
    return load_part(name, f"{__name__}.{row(name).name}.{module}")


def load_part(name: str, path: str) -> ModuleType:
    """What serves a vendor, by its path; MissingPart where there is no such module."""
    from importlib import import_module

    try:
        return import_module(path)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{path}.".startswith(f"{error.name}."):
            raise  # something that it imports
        message = f"{name} cannot be served here yet: there is no {path} (CONTRIBUTING.md, A vendor)"
        raise MissingPart(message) from None


def fix_for(vendors: AbstractSet[str | None], rule: str, which: str = "", fill: Mapping[str, str] | None = None) -> str:
    """What fixes a rule's finding on a switch of these vendors; empty where they differ, or none is known.

    `which`: the fix of that name, where a vendor has several for the rule; `fill`: what words in capitals stand for.
    """
    found = {
        _fixes_of(vendor).get(f"{rule}:{which}") or _fixes_of(vendor).get(rule, "")
        for vendor in vendors
        if vendor is not None
    }
    text = found.pop() if len(found) == 1 else ""
    for word, value in {**_stock_words(vendors), **(fill or {})}.items():
        if _PLAIN.fullmatch(value):  # else the word stays: a shell would take the name apart, in quotes or not
            text = re.sub(rf"\b{word}\b", value, text)
    return text


def _stock_words(vendors: AbstractSet[str | None]) -> dict[str, str]:
    """What words in capitals stand for unless a switch says otherwise."""
    known = [getattr(part(vendor, "fixes"), "STOCK", {}) for vendor in vendors if vendor is not None]
    return dict(known[0]) if len(known) == 1 else {}


def _fixes_of(vendor: str) -> Mapping[str, str]:
    return part(vendor, "fixes").FIXES
