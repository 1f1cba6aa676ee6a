"""What may be written at a place: keys, closed words, and names that profiles, classes and rules have."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from lsprotocol.types import CompletionItem, CompletionItemKind, TextEdit

from rocecfg.intent.schema import KINDS_OF_TRAFFIC
from rocecfg.lsp import schema
from rocecfg.lsp.cursor import WORD, Spot, section_keys, spots, word_at
from rocecfg.lsp.profiles import kind_at, own_folder
from rocecfg.lsp.texts import OpenText
from rocecfg.rules import ALL, find
from rocecfg.source.document import SourceError

_WAIVER = re.compile(r"(?:^|\s)#[ \t]*rocecfg: ignore\[([^\]]*)$")


def completions(
    buffer: OpenText, offset: int, path: str, classes: Iterable[str], own_rules: Iterable[str]
) -> list[CompletionItem]:
    """What may stand at an offset of a file. `classes`: names of the fabric's; `own_rules`: of the team's own."""
    text = buffer.text
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    waiver = _WAIVER.search(line)
    if waiver is not None:
        return _rules(buffer, offset, waiver[1], own_rules)
    start, end = word_at(text, offset)
    at = buffer.lines.range(start, end)
    classes = dict.fromkeys((*classes, *section_keys(text, "classes")))
    out: dict[str, CompletionItem] = {}
    for spot in spots(text, start, end):
        for item in _keys(spot, text[end:], classes) if spot.role == "key" else _words(spot, path, classes):
            item.text_edit = TextEdit(at, item.insert_text or item.label)
            item.insert_text = None
            out.setdefault(item.label, item)
    return list(out.values())


def _keys(spot: Spot, after: str, classes: Iterable[str]) -> Iterator[CompletionItem]:
    colon = "" if after.lstrip(" ").startswith(":") else ":"
    for name, below in schema.keys(spot.path).items():
        if name in spot.beside:
            continue
        kinds = schema.flat(below)
        scalar = spot.flow or any(one.get("type") not in ("object", "array") for one in kinds)
        yield CompletionItem(
            label=name,
            kind=CompletionItemKind.Property,
            detail=schema.describe(kinds) or None,
            documentation=below.get("description"),
            insert_text=name + (f"{colon} " if colon and scalar else colon),
        )
    if spot.path[-1:] == ("classes",) and len(spot.path) > 1:
        for name in classes:
            if name not in spot.beside:
                yield CompletionItem(
                    label=name, kind=CompletionItemKind.Reference, detail="class", insert_text=name + colon
                )


def _words(spot: Spot, path: str, classes: Iterable[str]) -> Iterator[CompletionItem]:
    place = (*spot.path, schema.ITEM) if spot.role == "item" else spot.path
    for word in schema.words(place):
        yield CompletionItem(label=word, kind=CompletionItemKind.EnumMember)
    keys = tuple(part for part in spot.path if part != schema.ITEM)
    if keys[-1:] == ("carries",):
        for word in KINDS_OF_TRAFFIC:
            yield CompletionItem(label=word, kind=CompletionItemKind.EnumMember, detail="traffic")
    if (keys[-1:] == ("classes",) and len(keys) > 1) or (keys[:1], keys[2:]) == (("vlans",), ("class",)):
        for name in classes:
            yield CompletionItem(label=name, kind=CompletionItemKind.Reference, detail="class")
    kind = kind_at(spot.path)
    if kind is not None:
        yield from _profiles(kind, path)


def _profiles(kind: str, path: str) -> Iterator[CompletionItem]:
    from rocecfg.profiles import KINDS, library_in

    library = library_in(own_folder(path) or os.path.dirname(path))
    for name in library.names(kind):
        try:
            title = library.title(kind, name)
        except (SourceError, LookupError):  # one that is being written
            title = ""
        yield CompletionItem(label=name, kind=CompletionItemKind.Value, detail=KINDS[kind], documentation=title or None)


def _rules(buffer: OpenText, offset: int, written: str, own_rules: Iterable[str]) -> list[CompletionItem]:
    text = buffer.text
    start = end = offset
    while start and text[start - 1] in WORD | {"/"}:
        start -= 1
    while end < len(text) and text[end] in WORD | {"/"}:
        end += 1
    at = buffer.lines.range(start, end)
    named = {word.strip() for word in written.split(",")[:-1]}
    known = {rule.name for rule in map(find, named) if rule is not None} | named
    out = [
        CompletionItem(
            label=rule.name,
            kind=CompletionItemKind.Value,
            detail=f"{rule.code}, {rule.severity}",
            documentation=rule.summary,
            text_edit=TextEdit(at, rule.name),
        )
        for rule in ALL
        if rule.ignorable and rule.name not in known
    ]
    out += [
        CompletionItem(label=name, kind=CompletionItemKind.Value, detail="house rule", text_edit=TextEdit(at, name))
        for name in own_rules
        if name not in known
    ]
    return out
