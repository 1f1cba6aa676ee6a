"""The release of Cumulus Linux behind a text, and spellings that it does not have."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rocecfg.core.records import NamedTuple

if TYPE_CHECKING:
    from rocecfg.vendors.spectrum.reading.objects import ReadContext

Number = tuple[int, int]
FIRST: Number = (5, 0)  # the first release with NVUE
LAST: Number = (5, 19)  # the last one whose objects are known
SCHEMA: Number = (5, 18)  # the last one with a published schema; of 5.19 new commands are known, not all objects
_WRITTEN = re.compile(r"Cumulus Linux ([0-9]{1,3}\.[0-9]{1,3}(?:\.[0-9]{1,3})?)")
_NUMBER = re.compile(r"([0-9]{1,3})\.([0-9]{1,3})(?:\.[0-9]{1,3})?")


class SeenSpelling(NamedTuple):
    """A spelling that bounds the release: what is written, the first or last release that has it, what others write."""

    what: str
    bound: Number
    instead: str = ""


class Spelling:
    """What is known of the release: what the text or the user says of it, else what its spellings allow."""

    __slots__ = ("after", "before", "number", "text")

    def __init__(self, release: str | None) -> None:
        self.text = release
        self.number = parse_release(release) if release is not None else None
        self.after = SeenSpelling("", FIRST)  # the latest beginning of a spelling in use
        self.before = SeenSpelling("", LAST)  # the earliest end of one

    @property
    def release(self) -> str | None:
        """The release: as written, or the only one that has all spellings in use."""
        if self.text is not None:
            return self.text if self.number is not None else None
        only = self.after.bound == self.before.bound != LAST
        return format_number(self.after.bound) if only and self.after.what and self.before.what else None

    def is_at_least(self, number: Number) -> bool | None:
        """Whether the release is this one or later; None where that is not known."""
        if self.number is not None:
            return self.number >= number
        if self.after.bound >= number:
            return True
        return False if self.before.bound < number else None

    def note_use(
        self, text: ReadContext, node: Any, what: str, since: Number | None, until: Number | None, instead: str
    ) -> None:
        """Take note of a spelling of releases `since` to `until`; report it where the release cannot be among them."""
        if self.number is not None:
            self._check_release(text, node, what, since, until, instead)
            return
        if since is not None and since > self.after.bound:
            if since > self.before.bound:
                wording = f"`{what}` came with {format_number(since)}"
                self._report_contradiction(text, node, wording, self.before, "ended with", self.before.instead)
                return
            self.after = SeenSpelling(what, since, instead)
        if until is not None and until < self.before.bound:
            if until < self.after.bound:
                wording = f"`{what}` ended with {format_number(until)}"
                self._report_contradiction(text, node, wording, self.after, "came with", instead)
                return
            self.before = SeenSpelling(what, until, instead)

    def _check_release(
        self, text: ReadContext, node: Any, what: str, since: Number | None, until: Number | None, instead: str
    ) -> None:
        wording = ""
        if since is not None and self.number is not None and self.number < since:
            wording = f"came with {format_number(since)}"
        elif until is not None and self.number is not None and self.number > until:
            wording = f"ended with {format_number(until)}"
        if wording:
            fix = instead or "upgrade, or leave it out"
            text.report("device-unknown", node, f"Cumulus Linux {self.text} has no `{what}`: it {wording}", fix)

    @staticmethod
    def _report_contradiction(
        text: ReadContext, node: Any, reported: str, other: SeenSpelling, how: str, fix: str
    ) -> None:
        text.report(
            "device-unknown",
            node,
            f"{reported}, and `{other.what}`, used here too, {how} {format_number(other.bound)}: no release takes both",
            fix or "write one release's words throughout",
        )


def format_number(number: Number) -> str:
    """`5.14`."""
    return f"{number[0]}.{number[1]}"


def parse_release(release: str) -> Number | None:
    """The number of a release as written; None for what is not one of Cumulus Linux."""
    match = _NUMBER.fullmatch(release)
    return (int(match[1]), int(match[2])) if match is not None else None


def find_release(text: str) -> str | None:
    """The release that a text names as `Cumulus Linux 5.13.0`; None where it names none, or several."""
    found = set(_WRITTEN.findall(text))
    return found.pop() if len(found) == 1 else None
