"""What a text holds, for an editor's outline: sections, classes, devices, ports, links, rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from lsprotocol.types import DocumentSymbol, Location, SymbolInformation, SymbolKind

from rocecfg.core.records import NamedTuple
from rocecfg.custom_rules.files import folder_of
from rocecfg.lsp.cursor import read_leniently
from rocecfg.lsp.protocol import Lines
from rocecfg.source.yaml import Map, Node, Scalar, Seq

_WIDEST = 60  # characters beside a name
_MOST_LINKS = 2000  # in one file that are shown one by one: above that the outline says how many there are


class OutlineEntry(NamedTuple):
    """A part of a text: all of it, and its name."""

    name: str
    kind: SymbolKind
    start: int
    end: int
    name_start: int
    name_end: int
    detail: str = ""
    below: Any = ()  # Entry


_KINDS = {  # keys from the root -> what such a name is; * stands for any
    ("classes", "*"): SymbolKind.Class,
    ("devices", "*"): SymbolKind.Module,
    ("hosts", "*"): SymbolKind.Module,
    ("devices", "*", "ports", "*"): SymbolKind.Interface,
    ("hosts", "*", "ports", "*"): SymbolKind.Interface,
    ("hosts", "*", "nics", "*"): SymbolKind.Interface,
    ("vlans", "*"): SymbolKind.Object,
}
_OPEN = (("devices",), ("hosts",), ("devices", "*"), ("hosts", "*"))  # what is gone into, besides the sections
_OPEN_BELOW = ("ports", "nics")  # of devices and hosts


def make_outline(path: str, text: str) -> list[OutlineEntry]:
    """The parts of a file of a fabric; none of a file of links."""
    root = read_leniently(text)
    if not isinstance(root, Map) or path.endswith(".csv"):
        return []
    if folder_of(path) is not None:
        return list(_outline_rules(root))
    return list(_outline_pairs(root, ()))


def _outline_pairs(of: Map, path: tuple[str, ...]) -> Iterator[OutlineEntry]:
    for key, value in of.pairs:
        name = key.text or "(no name)"
        below: list[OutlineEntry] = []
        here = (*path, key.text)
        if isinstance(value, Map) and _is_open(here):
            below = list(_outline_pairs(value, here))
        elif isinstance(value, Seq) and here == ("links",) and len(value.items) <= _MOST_LINKS:
            below = list(_outline_links(value))
        yield OutlineEntry(
            name,
            _find_kind(here, value),
            key.start,
            max(key.end, value.end),
            key.start,
            key.end,
            _describe_value(value),
            below,
        )


def _is_open(path: tuple[str, ...]) -> bool:
    if len(path) == 1 or any(_fits(known, path) for known in _OPEN):
        return True
    return path[0] in ("devices", "hosts") and len(path) == 3 and path[2] in _OPEN_BELOW


def _find_kind(path: tuple[str, ...], value: Node) -> SymbolKind:
    for known, kind in _KINDS.items():
        if _fits(known, path):
            return kind
    return SymbolKind.Property if isinstance(value, Scalar) else SymbolKind.Namespace


def _fits(known: tuple[str, ...], path: tuple[str, ...]) -> bool:
    return len(known) == len(path) and all(a in ("*", b) for a, b in zip(known, path, strict=True))


def _outline_links(links: Seq) -> Iterator[OutlineEntry]:
    for item in links.items:
        if isinstance(item, Scalar):
            yield OutlineEntry(item.text or "(no name)", SymbolKind.File, item.start, item.end, item.start, item.end)
        elif isinstance(item, Map):
            ends = {key.text: value.text for key, value in item.pairs if isinstance(value, Scalar)}
            tiers = [
                end.text
                for _, of in item.pairs
                if isinstance(of, Map)
                for _, end in of.pairs
                if isinstance(end, Scalar)
            ]
            name = " - ".join(tiers) or f"{ends.get('a', '?')} - {ends.get('b', '?')}"
            yield OutlineEntry(
                name, SymbolKind.Event, item.start, item.end, item.start, item.end, ends.get("cable", "")
            )


def _outline_rules(root: Map) -> Iterator[OutlineEntry]:
    for key, value in root.pairs:
        if key.text != "rules" or not isinstance(value, Seq):
            continue
        for item in value.items:
            if isinstance(item, Map):
                stated = {k.text: v for k, v in item.pairs if isinstance(v, Scalar) and v.text}
                name = stated.get("name")
                at = (name.start, name.end) if name is not None else (item.start, item.end)
                detail = next((_describe_value(v) for k, v in item.pairs if k.text == "expect"), "")
                shown = name.text if name is not None else "(no name)"
                yield OutlineEntry(shown, SymbolKind.Function, item.start, max(item.end, at[1]), *at, _shorten(detail))


def _describe_value(value: Node) -> str:
    if isinstance(value, Scalar):
        return _shorten(value.text)
    if isinstance(value, Seq):
        words = [item.text for item in value.items if isinstance(item, Scalar)]
        return _shorten(", ".join(words)) if len(words) == len(value.items) else f"{len(value.items)} entries"
    return _shorten(", ".join(f"{key.text} {part.text}" for key, part in value.pairs if isinstance(part, Scalar)))


def _shorten(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"


# -- as the protocol has it --------------------------------------------------------------------------------------------


def make_symbols(entries: Iterable[OutlineEntry], lines: Lines) -> list[DocumentSymbol]:
    """Parts as a tree."""
    return [
        DocumentSymbol(
            name=entry.name,
            kind=entry.kind,
            range=lines.range(entry.start, entry.end),
            selection_range=lines.range(entry.name_start, entry.name_end),
            detail=entry.detail or None,
            children=make_symbols(entry.below, lines) or None,
        )
        for entry in entries
    ]


def make_flat_symbols(
    entries: Iterable[OutlineEntry], uri: str, lines: Lines, above: str | None = None
) -> list[SymbolInformation]:
    """The same for editors that know no tree: each part names the one above it."""
    out: list[SymbolInformation] = []
    for entry in entries:
        place = Location(uri, lines.range(entry.start, entry.end))
        out.append(SymbolInformation(place, entry.name, entry.kind, container_name=above))
        out += make_flat_symbols(entry.below, uri, lines, entry.name)
    return out
