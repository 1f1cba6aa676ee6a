"""What all parts of the reader share: the tables of one switch, its release, and the notes taken."""

from __future__ import annotations

import re

from rocecfg.core.digits import is_number
from rocecfg.model import Span
from rocecfg.vendors.sonic.reading import boxes
from rocecfg.vendors.sonic.reading.forms import Namespace
from rocecfg.vendors.sonic.reading.rows import Notes, Row, Table
from rocecfg.vendors.sonic.release import MASTER, Release, assume_release, parse_release

_DB_VERSION = re.compile(r"version_(20\d\d(?:0[1-9]|1[0-2]))_\d+")


class Context:
    """One switch while it is being read."""

    __slots__ = ("at", "doc", "notes", "patch", "ported", "release", "release_at", "reported", "space", "whole")

    def __init__(self, doc: int, space: Namespace, host: Namespace, release: str | None, *, patch: bool) -> None:
        self.doc = doc
        self.space = space
        self.notes = Notes()
        self.patch = patch
        local = self.row("DEVICE_METADATA", "localhost")
        # a whole configuration says which box it is for, and names its ports
        self.whole = not patch and local is not None and "hwsku" in local.cells and bool(self.table("PORT"))
        # a text that has the lanes of ports has been a switch's own, or is meant to be all of it
        self.ported = self.whole or (not patch and any("lanes" in row.cells for row in self.table("PORT").values()))
        self.at = local.at if local is not None else next(iter(space.tops.values()), Span(doc, 0, 1))
        self.reported, self.release_at = self._find_release(release, host)
        self.release = (parse_release(self.reported) if self.reported is not None else None) or assume_release(
            *self._find_bracketing_release()
        )

    def _find_release(self, release: str | None, host: Namespace) -> tuple[str | None, Span]:
        """The release as somebody says it: the caller, else the database's own version where it names a branch."""
        row = self.row("VERSIONS", "DATABASE") or host.row("VERSIONS", "DATABASE")
        if release is not None or row is None:
            return release, self.at
        found = _DB_VERSION.fullmatch(row.get("VERSION") or "")
        return (found[1], row.locate("VERSION")) if found is not None else (None, self.at)

    def _find_bracketing_release(self) -> tuple[str, ...]:
        """The last release that takes references in brackets, where the text has them.

        Of those only late builds of 202012 have pfcwd_sw_enable.
        """
        rows = self.table("PORT_QOS_MAP").values()
        refs = next((row.get("dscp_to_tc_map") or "" for row in rows if "dscp_to_tc_map" in row.cells), "")
        if not refs.startswith("["):
            return ()
        return ("202012",) if any("pfcwd_sw_enable" in row.cells for row in rows) else ("202106",)

    @property
    def stated_release(self) -> Release | None:
        """The release, where somebody says it."""
        return None if self.release.assumed else self.release

    @property
    def newer_than(self) -> str | None:
        """The newest branch whose models and orchagent are known here, where the switch runs a later one."""
        if self.release.assumed or self.release.number == MASTER:
            return None
        newest = max(name for name in boxes.releases_with_tables() if name.isdigit())
        return newest if self.release.number > int(newest) else None

    @property
    def severity_of_absence(self) -> str | None:
        """How bad a reference to nothing is; None: as the rule says. The switch may have what a part does not."""
        return None if self.whole else "warning"

    def table(self, name: str) -> Table:
        """The rows of a table; none where it is absent."""
        return self.space.table(name)

    def has(self, name: str) -> bool:
        """Whether the text has the table, be it empty: of one that is absent nothing is known."""
        return name in self.space.tops or bool(self.table(name))

    def row(self, table: str, key: str) -> Row | None:
        """One row."""
        return self.space.row(table, key)


def referenced_name(text: str, table: str) -> str:
    """The name in a reference, however it is spelt: `name`, `[TABLE|name]`, `[TABLE_TABLE:name]`, `TABLE|name`."""
    bare = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    for head in (f"{table}|", f"{table}:", f"{table}_TABLE:"):
        if bare.startswith(head):
            return bare[len(head) :]
    return bare


def parse_indexes(text: str) -> range | None:
    """The numbers of `3` or `3-4`; None for what orchagent refuses: anything else, and a range that does not rise."""
    low, dash, high = text.partition("-")
    if not is_number(low, 3):
        return None
    if not dash:
        return range(int(low), int(low) + 1)
    if not is_number(high, 3) or int(high) <= int(low):
        return None
    return range(int(low), int(high) + 1)
