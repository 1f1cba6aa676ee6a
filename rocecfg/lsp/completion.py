"""What may be written at a place: keys, closed words, and names that profiles, classes and rules have."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping

from lsprotocol.types import CompletionItem, CompletionItemKind, TextEdit

from rocecfg.core.records import NamedTuple
from rocecfg.intent.dscp import NAMES as DSCP_NAMES
from rocecfg.lsp import schema
from rocecfg.lsp.cursor import WORD, Spot, find_spots, find_word, list_section_keys
from rocecfg.lsp.profiles import find_kind, find_own_folder
from rocecfg.lsp.schema import Path
from rocecfg.lsp.texts import OpenText
from rocecfg.model.traffic import KINDS_OF_TRAFFIC
from rocecfg.rules import ALL, find_rule
from rocecfg.source.document import SourceError

_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_CODE_POINTS = (("dscp",), ("marks",))
_WAIVER = re.compile(r"(?:^|\s)#[ \t]*rocecfg: ignore\[([^\]]*)$")


class Names(NamedTuple):
    """The names that a fabric has, each with what it is."""

    classes: Mapping[str, str] = {}
    own_rules: Mapping[str, str] = {}  # of the team's own
    nodes: Mapping[str, str] = {}  # devices and hosts, as their sections name them
    roles: Mapping[str, str] = {}


def list_completions(buffer: OpenText, offset: int, path: str, names: Names) -> list[CompletionItem]:
    """What may stand at an offset of a file of a fabric."""
    text = buffer.text
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    waiver = _WAIVER.search(line)
    if waiver is not None:
        return _complete_rules(buffer, offset, waiver[1], names.own_rules)
    start, end = find_word(text, offset)
    at = buffer.lines.range(start, end)
    names = names._replace(classes={**dict.fromkeys(list_section_keys(text, "classes"), ""), **names.classes})
    quoted = text[start - 1 : start] in ("'", '"')
    out: dict[str, CompletionItem] = {}
    for spot in find_spots(text, start, end):
        if spot.role == "key":
            items = _complete_keys(spot, text[end:], names)
        else:
            items = _complete_values(spot, text[start:end], path, names, quoted=quoted)
        for item in items:
            item.text_edit = TextEdit(at, item.insert_text or item.label)
            item.insert_text = None
            out.setdefault(item.label, item)
    return list(out.values())


def _complete_keys(spot: Spot, after: str, names: Names) -> Iterator[CompletionItem]:
    colon = "" if after.lstrip(" ").startswith(":") else ":"
    for name, below in schema.list_keys(spot.path).items():
        if name in spot.beside:
            continue
        kinds = schema.list_alternatives(below)
        scalar = spot.flow or any(one.get("type") not in ("object", "array") for one in kinds)
        yield CompletionItem(
            label=name,
            kind=CompletionItemKind.Property,
            detail=schema.describe(kinds) or None,
            documentation=below.get("description"),
            insert_text=name + (f"{colon} " if colon and scalar else colon),
        )
    named: Mapping[str, str] = {}
    if spot.path[-1:] == ("classes",) and len(spot.path) > 1:
        named = names.classes
    elif spot.path == ("fabric", "oversubscription"):
        named = names.roles
    for item in _complete_references(named, spot.path[-1]) if named else ():
        if item.label not in spot.beside:
            item.insert_text = item.label + colon
            yield item


def _complete_values(spot: Spot, written: str, path: str, names: Names, *, quoted: bool) -> Iterator[CompletionItem]:
    place = (*spot.path, schema.ITEM) if spot.role == "item" else spot.path
    keys = tuple(part for part in spot.path if part != schema.ITEM)
    about = schema.describe_key(keys) or None
    for word in schema.list_words(place):
        detail = f"DSCP {DSCP_NAMES[word]}" if keys[-1:] in _CODE_POINTS and word in DSCP_NAMES else None
        yield CompletionItem(label=word, kind=CompletionItemKind.EnumMember, detail=detail, documentation=about)
    number = _NUMBER.match(written)
    if number is not None:
        for unit, meaning in schema.list_units(place, number[0]).items():
            label = number[0] + unit
            yield CompletionItem(label=label, kind=CompletionItemKind.Unit, detail=meaning, documentation=about)
    if keys[-1:] == ("carries",):
        for word in KINDS_OF_TRAFFIC:
            yield CompletionItem(label=word, kind=CompletionItemKind.EnumMember, detail="traffic", documentation=about)
    if (keys[-1:] == ("classes",) and len(keys) > 1) or (keys[:1], keys[2:]) == (("vlans",), ("class",)):
        yield from _complete_references(names.classes, "class")
    elif _names_nodes(keys):
        for item in _complete_references(names.nodes, "device or host"):
            if not quoted and "[" in item.label:
                item.label = f'"{item.label}"'
            yield item
    elif keys[-1:] == ("role",):
        yield from _complete_references(names.roles, "role")
    kind = find_kind(spot.path)
    if kind is not None:
        yield from _complete_profiles(kind, path)


def _names_nodes(keys: Path) -> bool:
    """Whether devices or hosts are named at a place."""
    named = (("links", "a"), ("links", "b"), ("routing", "bounces", "at"), ("rollout", "stages", "devices"))
    return keys in named or keys[:2] == ("links", "mesh") or (keys[:1], keys[2:]) == (("vlans",), ("devices",))


def _complete_references(named: Mapping[str, str], kind: str) -> Iterator[CompletionItem]:
    for name, about in named.items():
        yield CompletionItem(label=name, kind=CompletionItemKind.Reference, detail=kind, documentation=about or None)


def _complete_profiles(kind: str, path: str) -> Iterator[CompletionItem]:
    from rocecfg.profiles import KINDS, library_in

    library = library_in(find_own_folder(path) or os.path.dirname(path))
    for name in library.names(kind):
        try:
            title = library.title(kind, name)
        except (SourceError, LookupError):  # one that is being written
            title = ""
        yield CompletionItem(label=name, kind=CompletionItemKind.Value, detail=KINDS[kind], documentation=title or None)


def _complete_rules(buffer: OpenText, offset: int, written: str, own_rules: Mapping[str, str]) -> list[CompletionItem]:
    text = buffer.text
    start = end = offset
    while start and text[start - 1] in WORD | {"/"}:
        start -= 1
    while end < len(text) and text[end] in WORD | {"/"}:
        end += 1
    at = buffer.lines.range(start, end)
    named = {word.strip() for word in written.split(",")[:-1]}
    known = {rule.name for rule in map(find_rule, named) if rule is not None} | named
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
        CompletionItem(
            label=name,
            kind=CompletionItemKind.Value,
            detail="house rule",
            documentation=about or None,
            text_edit=TextEdit(at, name),
        )
        for name, about in own_rules.items()
        if name not in known
    ]
    return out
