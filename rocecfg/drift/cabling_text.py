"""What drift of cables is told as: text, and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from rocecfg.cabling import LEFT_OUT, ONE_SIDED, Cabling, Doubt
from rocecfg.core.nodeset import fold
from rocecfg.drift.cabling import LENGTH, MISSING, SWAPPED, UNEXPECTED, UNSEEN, CableFinding, ComparedCables
from rocecfg.model import Span
from rocecfg.source.document import Document

_MOST = 20  # findings of a kind; all of them are in the JSON


def select_doubts(found: Cabling, names: set[str]) -> list[Doubt]:
    """What is ambiguous or contradictory at devices of the fabric, and which answers are not whole."""
    return [
        note
        for note in found.notes
        if note.kind not in (LEFT_OUT, ONE_SIDED)
        and (not any(note.a) or note.a.device in names or note.b.device in names)
    ]


def render_text(compared: ComparedCables, unsure: Sequence[Doubt], documents: Sequence[Document]) -> str:
    """Findings, the most urgent first; then what was not seen, and the sum."""
    lines: list[str] = []
    kinds = dict.fromkeys(finding.kind for finding in compared.findings)
    for kind in kinds:
        same = [finding for finding in compared.findings if finding.kind == kind]
        lines += [_render_finding(finding, documents) for finding in same[:_MOST]]
        if len(same) > _MOST:
            lines.append(f"{kind}: {len(same) - _MOST} more; --format json has them all")
    lines += [
        f"{note.kind}: {_prefix_port(note)}{note.why} ({_render_place(note.document, note.at, documents)})"
        for note in unsure[:_MOST]
    ]
    if compared.unseen:
        devices = dict.fromkeys(end.device for wire in compared.unseen for end in (wire.near, wire.far))
        unseen = _count_cables(len(compared.unseen))
        lines.append(f"not seen: {unseen}: no neighbour is known there ({_fold_devices(list(devices))})")
    differing = compared.meant - compared.same - len(compared.unseen)
    sums = [
        f"{differing} of {_count_cables(compared.meant)} are not as intended" if differing else "",
        _describe_unexpected(compared),
    ]
    reported = "; ".join(filter(None, sums)) or f"no drift in {_count_cables(compared.same)}"
    return "\n".join([*lines, reported]) + "\n"


def _prefix_port(note: Doubt) -> str:
    return f"{note.a}: " if any(note.a) else ""


def _describe_unexpected(compared: ComparedCables) -> str:
    count = sum(finding.kind == UNEXPECTED for finding in compared.findings)
    return f"{_count_cables(count)} more than are intended" if count else ""


def _count_cables(number: int) -> str:
    return f"{number} cable{'s' * (number != 1)}"


def _fold_devices(devices: list[str]) -> str:
    folded = fold(tuple(devices))
    return folded if len(folded) <= 100 else f"{folded[:97]}..."


def _render_finding(finding: CableFinding, documents: Sequence[Document]) -> str:
    kind, port, meant, seen, note, meant_at, seen_at = finding
    where = f" ({_render_place(*seen_at, documents)})" if seen_at is not None else ""
    wanted = (
        f"intended {meant} ({_render_place(meant_at.doc, meant_at.start, documents)})" if meant and meant_at else ""
    )
    if kind == UNEXPECTED:
        return f"{kind}: {port} -- {seen}: no link of the intent{where}"
    if kind == LENGTH:
        return f"{kind}: {port} -- {meant}: {note}{where}"
    if kind == MISSING:
        return f"{kind}: {port}: {wanted}, but no neighbour is seen there"
    joined = f", {note}" if kind == SWAPPED else f": {note}" if note else ""
    return f"{kind}: {port}: {wanted}, seen {seen}{where}{joined}"


def _render_place(document: int, offset: int, documents: Sequence[Document]) -> str:
    of = documents[document]
    return f"{of.path}:{of.place(offset)[0]}"


def render_json(compared: ComparedCables, unsure: Sequence[Doubt], documents: Sequence[Document]) -> str:
    """The same, all of it."""
    value = {
        "version": 1,
        "findings": [_make_entry(finding, documents) for finding in compared.findings],
        "doubts": [
            {
                "kind": note.kind,
                "device": note.a.device or None,
                "port": note.a.port or None,
                "message": note.why,
                **_make_place("", Span(note.document, note.at, note.at), documents),
            }
            for note in unsure
        ],
        "not_seen": [
            {"device": wire.near.device, "port": wire.near.port, "meant": str(wire.far)} for wire in compared.unseen
        ],
        "summary": {
            "cables": compared.meant,
            "as_meant": compared.same,
            **{_make_json_key(kind): number for kind, number in _count_by_kind(compared)},
        },
    }
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def _count_by_kind(compared: ComparedCables) -> Iterator[tuple[str, int]]:
    for kind in (SWAPPED, "miswired", MISSING, UNEXPECTED, LENGTH):
        yield kind, sum(finding.kind == kind for finding in compared.findings)
    yield UNSEEN, len(compared.unseen)


def _make_json_key(kind: str) -> str:
    return kind.replace("-", "_")


def _make_entry(finding: CableFinding, documents: Sequence[Document]) -> dict[str, object]:
    seen = Span(finding.seen_at[0], finding.seen_at[1], finding.seen_at[1]) if finding.seen_at is not None else None
    return {
        "kind": finding.kind,
        "device": finding.port.device,
        "port": finding.port.port,
        "meant": str(finding.meant) if finding.meant is not None else None,
        "seen": str(finding.seen) if finding.seen is not None else None,
        "note": finding.note or None,
        **_make_place("meant_", finding.meant_at, documents),
        **_make_place("seen_", seen, documents),
    }


def _make_place(which: str, at: Span | None, documents: Sequence[Document]) -> dict[str, object]:
    of = documents[at.doc] if at is not None else None
    line = of.place(at.start)[0] if of is not None and at is not None else None
    return {f"{which}path": of.path if of is not None else None, f"{which}line": line}
