"""Platforms among a team's own profiles, told by the HwSKU in a switch's configuration."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from rocecfg.profiles import FOLDER
from rocecfg.source.bounds import Bounds


class Owned:
    """The platforms in `rocecfg-profiles` of a folder."""

    def __init__(self, folder: str, allowed: Iterable[str] = ()) -> None:
        """`allowed`: folders outside the repository that they may be in."""
        self._bounds = Bounds(folder, allowed)
        self._folder = os.path.join(folder, FOLDER)
        self._known: dict[str, str] | None = None

    def platform_of(self, hwsku: str) -> str | None:
        """The platform whose own file lists a HwSKU, the first by name; None: there is none.

        Raises SourceError for a profile that cannot be read.
        """
        if self._known is None:
            self._known = {}
            for listed, name in self._listed() if os.path.isdir(self._folder) else ():
                self._known.setdefault(listed, name)
        return self._known.get(hwsku)

    def _listed(self) -> Iterator[tuple[str, str]]:
        from rocecfg.profiles.files import Folder, plausible, read  # only where a team has profiles

        folder = Folder(self._folder, FOLDER, self._bounds)
        for name in folder.names("platforms"):
            if not plausible(name):
                continue
            nos = dict(read(folder, "platforms", name).named("nos"))
            if "sonic" in nos:
                tables = nos["sonic"].entries("headroom")
                yield from ((sku, name) for table in tables for sku in table.pairs("hwskus"))
                yield from ((sku, name) for sku in nos["sonic"].pairs("lossy"))
