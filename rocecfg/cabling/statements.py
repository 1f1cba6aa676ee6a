"""What a foreign file says of cables, statement by statement, before anything is made of it."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.core.records import NamedTuple

LEFT_OUT, ONE_SIDED, AMBIGUOUS, CONTRADICTORY = "left-out", "one-sided", "ambiguous", "contradictory"
INCOMPLETE = "incomplete"


class CableEnd(NamedTuple):
    """A port of a device, as a file writes it or as it is called; empty where the file does not say."""

    device: str
    port: str

    def __str__(self) -> str:
        return f"{self.device or '?'}:{self.port or '?'}"


class StatedCable(NamedTuple):
    """One statement: that a cable joins two ports."""

    a: CableEnd
    b: CableEnd
    at: int  # where, as an offset in the text
    by: str | None = None  # the device that saw its neighbour; None: a table of cables says it
    described: str = ""  # of the far port, what its device calls it besides
    metres: float | None = None
    management: bool = False  # of the management network, by what the file says of its ends
    out_of_band: bool = True  # whether names like eth0 are of the management network in such a file


class LeftOut(NamedTuple):
    """A statement of which no link can be made, or which was not taken, and why."""

    kind: str  # left-out | ambiguous
    a: CableEnd
    b: CableEnd
    why: str
    at: int


class Page(NamedTuple):
    """A part of a longer answer: the list that it is of, how many records it has and how many there are in all."""

    of: str  # the address that was asked, without the question
    held: int
    total: int
    before: str  # address of the page before it; empty: it is the first
    after: str  # address of the page after it; empty: it is the last
    at: int


Statement = StatedCable | LeftOut | Page
Statements = Iterator[Statement]


class UnreadableCables(Exception):
    """A file that says nothing of cables that is understood: what it looks like, and what to give instead."""

    def __init__(self, message: str, help: str = "", at: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.help = help
        self.at = at  # offset


class Broken(UnreadableCables):
    """A file of a kind that is known, and that does not hold together: cut off, or two in one."""
