"""Cables from what others know of them: LLDP, inventories, labs. The formats, and how each is told: docs/cabling.md."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rocecfg.cabling.detect import DetectedPart, detect_parts
from rocecfg.cabling.merge import Cabling, Doubt, MergedCable, merge_statements
from rocecfg.cabling.statements import (
    AMBIGUOUS,
    CONTRADICTORY,
    INCOMPLETE,
    LEFT_OUT,
    ONE_SIDED,
    Broken,
    CableEnd,
    Statement,
    UnreadableCables,
)
from rocecfg.source.document import Document, SourceError

__all__ = [
    "AMBIGUOUS",
    "CONTRADICTORY",
    "INCOMPLETE",
    "LEFT_OUT",
    "ONE_SIDED",
    "CableEnd",
    "Cabling",
    "Doubt",
    "MergedCable",
    "NoCables",
    "put_together",
    "statements_of",
]


class NoCables(SourceError):
    """A file of no kind that is known: in a folder it may be passed over."""


def statements_of(document: Document) -> Sequence[Statement]:
    """All that a text says of cables.

    Raises SourceError with the place of what is not understood, of which nothing is taken; NoCables where that is all.
    """
    try:
        return [statement for table in detect_parts(document) for statement in _statements_in(table)]
    except UnreadableCables as error:
        at = min(error.at, len(document.text))
        kind = SourceError if isinstance(error, Broken) else NoCables
        raise kind(document.path, error.message, error.help, *document.place(at)) from None


def _statements_in(table: DetectedPart) -> Iterable[Statement]:
    """The statements of a part of a text. Raises UnreadableCables."""
    try:
        for statement in table.read(table.value, table.local):
            yield statement._replace(at=statement.at + table.start) if table.start else statement
    except UnreadableCables as error:
        error.at += table.start
        raise


def put_together(
    read: Iterable[tuple[Document, Sequence[Statement]]], *, management: bool = False, names: Iterable[str] = ()
) -> Cabling:
    """One list of cables from what each text says. `names`: what devices are called, where that is known."""
    return merge_statements(
        ((document.number, stated) for document, stated in read), management=management, names=names
    )
