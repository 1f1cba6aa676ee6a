"""Files of links that others wrote: LLDP's neighbours, inventories, labs. All of an intent are put together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rocecfg.intent.read import Read
from rocecfg.model import Link, Span
from rocecfg.model.stated import Problem
from rocecfg.source.document import Document, SourceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rocecfg.cabling import Doubt

COLUMNS = ("a_device", "a_port", "b_device", "b_port", "cable")
_MANAGEMENT = "of the management network"
_RULE = "schema-pair"
_NUMBERED, _MOST_CELLS = 2, 6  # of a row of links, one cell too many among them
_NAMED = 2  # statements that a finding names


def is_foreign(text: str) -> bool:
    """Whether a text is not a file of links in the five columns: told by its first line that is not a comment."""
    import csv  # most intents name no files of links

    line = next((line for line in text.splitlines() if line.strip() and not line.startswith("#")), "")
    try:
        cells = [cell.strip() for cell in next(csv.reader([line]), [])]
    except csv.Error:
        return True
    if not line or tuple(cells[:4]) == COLUMNS[:4]:
        return False
    # a row of links has names with a number, and at least two of them; a heading has words alone
    numbered = sum(any(c.isdigit() for c in cell) for cell in cells)
    return numbered < _NUMBERED or len(cells) > _MOST_CELLS or line[0] in "{[<" or " -- " in line


def read_foreign_links(documents: Iterable[Document], known: frozenset[str] | None, read: Read) -> Iterator[Link]:
    """The links that foreign files amount to. `known`: devices and hosts; a cable of none of these is left out.

    What is not understood goes to the errors of `read`, what is not sure to its problems: one for each file and kind.
    """
    from rocecfg.cabling import put_together, statements_of  # most intents have none

    given = []
    for document in documents:
        try:
            given.append((document, statements_of(document)))
        except SourceError as error:
            read.errors.append(error)
    found = put_together(given)
    ends = {document.number: _Lines(document) for document, _ in given}
    for cable in found.cables:
        if known is None or cable.a.device in known or cable.b.device in known:
            start, end = ends[cable.document].line(cable.at)
            where = (cable.document, start, end, start, end, start, end)
            yield Link(*cable.a, *cable.b, cable.metres, *where)
    read.problems += _report_doubts(found.notes, ends, known)


class _Lines:
    """Lines of a text by offset: of a file of cables many are asked for, in their order."""

    def __init__(self, document: Document) -> None:
        self._text = document.text

    def line(self, at: int) -> tuple[int, int]:
        """Begin and end of what stands at an offset, to the end of its line."""
        end = self._text.find("\n", at)
        return at, end if end >= 0 else len(self._text)


def _report_doubts(notes: Iterable[Doubt], ends: dict[int, _Lines], known: frozenset[str] | None) -> Iterator[Problem]:
    """A finding for each file and kind of doubt, at the first statement."""
    from rocecfg.cabling import LEFT_OUT, ONE_SIDED

    alike: dict[tuple[int, str], list[Doubt]] = {}
    for note in notes:
        here = known is None or not any(note.a) or note.a.device in known or note.b.device in known
        if here and note.kind != ONE_SIDED and note.why != _MANAGEMENT:
            alike.setdefault((note.document, note.kind), []).append(note)
    for (document, kind), same in alike.items():
        first = same[0]
        named = "; ".join(f"{note.ends}: {note.why}" if any(note.a) else note.why for note in same[:_NAMED])
        more = f"; and {len(same) - _NAMED} more" if len(same) > _NAMED else ""
        yield Problem(
            _RULE,
            Span(document, *ends[document].line(first.at)),
            f"{kind} in the cables of this file: {named}{more}",
            "`rocecfg import --links` lists all; write the intended links",
            severity="info" if kind == LEFT_OUT else "warning",
        )
