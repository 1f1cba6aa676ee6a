"""`rocecfg import --links`: cables from foreign files as the five columns that links of an intent have."""

from __future__ import annotations

import csv
import json
import os
import sys
from collections.abc import Sequence
from io import StringIO

from rocecfg.cabling import (
    AMBIGUOUS,
    CONTRADICTORY,
    INCOMPLETE,
    LEFT_OUT,
    ONE_SIDED,
    Cabling,
    Doubt,
    NoCables,
    put_together,
    statements_of,
)
from rocecfg.cabling.statements import Statement
from rocecfg.cli.common import print_message, print_note, save, stop_unread
from rocecfg.core.units import show_number
from rocecfg.source.document import Document, SourceError, Sources, decode
from rocecfg.vendors import row
from rocecfg.vendors.detect import vendor_of

_COLUMNS = ("a_device", "a_port", "b_device", "b_port", "cable")
_KINDS = (INCOMPLETE, CONTRADICTORY, AMBIGUOUS, LEFT_OUT, ONE_SIDED)  # the most urgent first
_NAMED = 3  # links of those that have a note in common
_MOST_NOTES = 20  # of a kind; all of them are in the JSON
_STDIN = "<stdin>"


def write_links(
    paths: Sequence[str], output: str | None, form: str, sources: Sources, *, management: bool, stdin: bytes | None
) -> None:
    """Read files and folders, write their cables, and say on standard error what is left out or not sure."""
    read = read_cables(paths, sources, stdin)
    found = put_together(read, management=management)
    text = _render_json(found, sources, len(read)) if form == "json" else _render_csv(found)
    if output is None:
        sys.stdout.write(text)
    else:
        save(output, text)
        print_message(f"{output} written: {len(found.cables)} links")
    for line in _summarize_notes(found.notes, sources.documents):
        print_note(line)


def read_cables(
    paths: Sequence[str], sources: Sources, stdin: bytes | None = None
) -> list[tuple[Document, Sequence[Statement]]]:
    """What files and folders say of cables; stops at the first file that is not understood. `stdin`: what - is."""
    try:
        if stdin is not None:
            sources.add(_STDIN, decode(_STDIN, stdin))
        return [(document, statements_of(document)) for document in _open_documents(paths, sources)]
    except NoCables as error:
        stop_unread(_explain_configuration(error, sources) or error)
    except SourceError as error:
        stop_unread(error)


def _explain_configuration(error: NoCables, sources: Sources) -> SourceError | None:
    """What to say of a file that is a switch's configuration."""
    document = sources.find_known(error.path)
    kind = vendor_of(document.text) if document is not None else None
    if kind is None:
        return None
    help = "`rocecfg import` without --links takes the neighbours that configurations name"
    return SourceError(error.path, f"is {row(kind).reads}, which is not a list of cables", help)


def _open_documents(paths: Sequence[str], sources: Sources) -> list[Document]:
    """The files that are intended; of a folder those that say something of cables. Raises SourceError."""
    out: dict[str, Document] = {}
    for path in paths:
        name = _STDIN if path == "-" else path
        if not os.path.isdir(name):
            out.setdefault(name, sources.read(name))
            continue
        passed: list[NoCables] = []
        before = len(out)
        for file in _list_files(name):
            document = sources.read(file)
            try:
                statements_of(document)
            except NoCables as error:
                passed.append(error)
                continue
            out.setdefault(file, document)
        if len(out) == before:
            raise passed[0] if len(passed) == 1 else SourceError(name, "no file in it or below says anything of cables")
        for each in passed:
            print_message(f"passed over: {each}")
    return list(out.values())


def _list_files(folder: str) -> list[str]:
    """The files in a folder and below, hidden ones aside, in the order of their names."""
    return sorted(
        os.path.join(above, name)
        for above, folders, names in os.walk(folder)
        if not _drop_hidden(folders)
        for name in names
        if not name.startswith(".")
    )


def _drop_hidden(folders: list[str]) -> bool:
    """Keep os.walk out of hidden folders."""
    folders[:] = [name for name in folders if not name.startswith(".")]
    return False


def _render_csv(found: Cabling) -> str:
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows((*cable.a, *cable.b, _format_length(cable.metres) or "") for cable in found.cables)
    return out.getvalue()


def _format_length(metres: float | None) -> str | None:
    return None if metres is None else f"{show_number(metres)}m"


def _render_json(found: Cabling, sources: Sources, files: int) -> str:
    counts = {f"{kind.replace('-', '_')}": sum(note.kind == kind for note in found.notes) for kind in _KINDS}
    value = {
        "version": 1,
        "links": [
            {
                **dict(zip(_COLUMNS, (*cable.a, *cable.b, _format_length(cable.metres)), strict=True)),
                **_make_place(sources.documents[cable.document], cable.at),
            }
            for cable in found.cables
        ],
        "notes": [
            {
                "kind": note.kind,
                **{key: text or None for key, text in zip(_COLUMNS[:4], (*note.a, *note.b), strict=True)},
                "message": note.why,
                **_make_place(sources.documents[note.document], note.at),
            }
            for note in found.notes
        ],
        "summary": {"files": files, "links": len(found.cables), **counts},
    }
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def _make_place(document: Document, at: int) -> dict[str, object]:
    return {"path": document.path, "line": document.place(at)[0]}


def _summarize_notes(notes: Sequence[Doubt], documents: Sequence[Document]) -> list[str]:
    """Notes for people: those with one reason on a line."""
    lines = []
    for kind in _KINDS:
        alike: dict[str, list[Doubt]] = {}
        for note in notes:
            if note.kind == kind:
                alike.setdefault(note.why, []).append(note)
        for why, same in list(alike.items())[:_MOST_NOTES]:
            document = documents[same[0].document]
            named = ", ".join(note.ends for note in same[:_NAMED] if any(note.a))
            more = f" and {len(same) - _NAMED} more" if len(same) > _NAMED else ""
            line = document.place(same[0].at)[0]
            of = f"{named}{more}: " if named else ""
            lines.append(f"{kind}: {of}{why} ({document.path}:{line})")
        if len(alike) > _MOST_NOTES:
            lines.append(f"{kind}: {len(alike) - _MOST_NOTES} more reasons; --format json has them all")
    return lines
