"""The kinds of profiles, how sure a figure is, and what is raised for a name nobody wrote."""

from __future__ import annotations

KINDS = {
    "nos": "NOS",
    "asics": "ASIC",
    "platforms": "platform",
    "headroom": "headroom table",
    "workloads": "workload",
    "ecn": "ECN family",
    "curves": "marking curves",
    "nics": "NIC",
    "exporters": "exporter",
    "errata": "table of errata",
}
MARKS = {"V": "verified", "M": "from memory of the source", "D": "derived", "U": "unverified"}
FOLDER = "rocecfg-profiles"  # beside an intent: the user's own profiles
PACKAGE = "rocecfg_profiles"  # an installed package of such, which may be newer than the program
LONGEST = 64  # characters of a name


class UnknownProfile(LookupError):
    """No profile of that kind has that name; `near` are the known names most like it, best first."""

    def __init__(self, kind: str, name: str, near: tuple[str, ...], *, chip: bool = False) -> None:
        """`chip`: the name is that of a chip, where a box is wanted, and `near` are boxes with it."""
        shown = name if len(name) <= LONGEST else f"{name[:LONGEST]}..."
        super().__init__(f"no {KINDS[kind]} profile is called {shown!r}")
        self.kind = kind
        self.name = name
        self.near = near
        self.chip = chip

    @property
    def help(self) -> str:
        """What to name instead."""
        if self.chip:
            return f"it is a chip: name a box with it, such as {', '.join(self.near[:3])}, or write it as asic"
        return f"did you mean {self.near[0]}?" if self.near else "`rocecfg profiles` lists those known"
