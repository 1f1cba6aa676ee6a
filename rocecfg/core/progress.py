"""How much of a work is done, for whoever shows it: who works only counts."""

from __future__ import annotations


class Progress:
    """A step of the work, and how much of it is done."""

    __slots__ = ("done", "total", "what")

    def __init__(self) -> None:
        self.start("")

    def start(self, what: str, total: int = 0) -> None:
        """Begin a step, such as `devices judged`, of so many; 0: nobody knows, and `what` says what is being done."""
        self.what = what
        self.done = 0
        self.total = total

    def step(self) -> None:
        """One more is done."""
        self.done += 1

    def __str__(self) -> str:
        return f"{self.done} of {self.total} {self.what}" if self.total else self.what
