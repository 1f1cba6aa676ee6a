"""The names in the files of a fabric: intents, files of links, house rules, profiles."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from io import StringIO

from rocecfg.custom_rules.files import PREFIX, folder_of, house_rule_name
from rocecfg.intent.foreign_links import COLUMNS, is_foreign
from rocecfg.linting.suppressions import MARK
from rocecfg.lsp import profiles
from rocecfg.lsp.cursor import read_leniently
from rocecfg.lsp.mentions import CLASS, FILE, LAG, NODE, PORT, PROFILE, ROLE, RULE, Mention, find_inner
from rocecfg.lsp.schema import ITEM, Path
from rocecfg.rules import find_rule
from rocecfg.source.tree import ALIAS, NotYaml, parse
from rocecfg.source.yaml import Map, Node, Scalar

ANCHOR = "anchor"
_END = "end"  # of a link: a device and its port


class _Place:
    """What names mean at a place of a format: as a key, and as a value; and the places below it."""

    __slots__ = ("below", "key", "value")

    def __init__(self) -> None:
        self.key: tuple[str, bool] | None = None  # the kind of name, whether it is declared
        self.value: tuple[str, bool] | None = None
        self.below: dict[str, _Place] = {}

    def at(self, path: Path) -> _Place:
        """The place of a path, made where there is none yet."""
        place = self
        for part in path:
            place = place.below.setdefault(part, _Place())
        return place


_PORTS = ("devices", "*", "ports", "*")
_KEYS = {
    ("classes", "*"): (CLASS, True),
    ("defaults", "classes", "*"): (CLASS, False),
    ("devices", "*", "classes", "*"): (CLASS, False),
    (*_PORTS, "classes", "*"): (CLASS, False),
    ("devices", "*"): (NODE, True),
    ("hosts", "*"): (NODE, True),
    _PORTS: (PORT, True),
    ("hosts", "*", "ports", "*"): (PORT, True),
    ("hosts", "*", "nics", "*"): (PORT, True),
    ("fabric", "oversubscription", "*"): (ROLE, False),
}
_VALUES = {
    (*_PORTS, "classes"): (CLASS, False),
    (*_PORTS, "classes", ITEM): (CLASS, False),
    ("vlans", "*", "class"): (CLASS, False),
    ("vlans", "*", "devices"): (NODE, False),
    ("routing", "bounces", ITEM, "at"): (NODE, False),
    ("rollout", "stages", ITEM, "devices"): (NODE, False),
    ("links", ITEM, "a"): (_END, False),
    ("links", ITEM, "b"): (_END, False),
    ("links", ITEM, "mesh", "*"): (_END, False),
    ("links", ITEM): (FILE, False),
    ("include",): (FILE, False),
    ("include", ITEM): (FILE, False),
    ("routes",): (FILE, False),
    ("rollout", "from"): (FILE, False),
    ("defaults", "role"): (ROLE, True),
    ("devices", "*", "role"): (ROLE, True),
    (*_PORTS, "lag"): (LAG, True),  # every port says it for itself: these are what makes it up
    **{path: (PROFILE + kind, False) for path, kind in profiles.list_places().items()},
}
_HOUSE_RULES = {
    ("rules", ITEM, "name"): (RULE, True),
    ("rules", ITEM, "where", "role"): (ROLE, False),
    ("rules", ITEM, "where", "device.role"): (ROLE, False),
}


def _make_format(keys: dict[Path, tuple[str, bool]], values: dict[Path, tuple[str, bool]]) -> _Place:
    top = _Place()
    for path, kind in keys.items():
        top.at(path).key = kind
    for path, kind in values.items():
        top.at(path).value = kind
    return top


_INTENT = _make_format(_KEYS, _VALUES)
_RULES = _make_format({}, _HOUSE_RULES)
_WAIVER = re.compile(rf"#[ \t]*{MARK}\[([^\]\r\n]*)")
_NAMES = re.compile(r"[^,\s]+")


def find_mentions(path: str, text: str) -> tuple[Mention, ...]:
    """The names in a file of a fabric, by its path: an intent's, its links', its house rules', a profile's."""
    if path.endswith(".csv"):
        return tuple(_find_in_csv(text))
    if folder_of(path) is not None:
        return tuple(_find_in_text(_RULES, text))
    kind = profiles.kind_of_file(path)
    if kind is not None:
        values = {at: (PROFILE + named, False) for at, named in profiles.list_places_in(kind).items()}
        return tuple(_find_in_text(_make_format({}, values), text))
    return (*_find_in_text(_INTENT, text), *_find_waivers(text), *_find_anchors(text))


def _find_in_text(top: _Place, text: str) -> Iterator[Mention]:
    root = read_leniently(text)
    if root is not None:
        yield from _walk(root, top, (), text)


def _walk(node: Node, place: _Place, trail: tuple[str, ...], text: str) -> Iterator[Mention]:
    """The names below a node. `trail`: the keys that lead to it."""
    if isinstance(node, Scalar):
        if place.value is not None and node.text:
            yield from _make_mentions(node, place.value, trail, text)
    elif isinstance(node, Map):
        for key, value in node.pairs:
            below = place.below.get(key.text) or place.below.get("*")
            if below is None:
                continue
            if below.key is not None:
                yield from _make_mentions(key, below.key, trail, text)
            yield from _walk(value, below, (*trail, key.text), text)
    elif ITEM in place.below:
        for item in node.items:
            yield from _walk(item, place.below[ITEM], trail, text)


def _make_mentions(scalar: Scalar, what: tuple[str, bool], trail: tuple[str, ...], text: str) -> Iterator[Mention]:
    kind, declared = what
    start, end = find_inner(text, scalar)
    if kind == _END:
        device, colon, port = scalar.text.partition(":")
        cut = start + len(device) if end - start == len(scalar.text) else end
        yield Mention(NODE, device, start, cut)
        if colon:
            yield Mention(PORT, port, min(cut + 1, end), end, of=device)
    elif kind in (PORT, LAG):
        yield Mention(kind, scalar.text, start, end, declared, trail[1])
    elif kind == RULE:
        yield Mention(kind, PREFIX + scalar.text, start, end, declared)
    else:
        yield Mention(kind, scalar.text, start, end, declared)


def _find_waivers(text: str) -> Iterator[Mention]:
    """The rules that waivers name, each by its own name."""
    for waiver in _WAIVER.finditer(text) if MARK in text else ():
        for word in _NAMES.finditer(text, *waiver.span(1)):
            rule = find_rule(word[0])
            name = rule.name if rule is not None else house_rule_name(word[0]) or word[0]
            yield Mention(RULE, name, *word.span())


def _find_anchors(text: str) -> Iterator[Mention]:
    """YAML's own names: `&name`, and `*name` for the same again; an anchor that is set again ends the one before."""
    if "&" not in text or "*" not in text:
        return
    try:
        tree = parse(text)
    except NotYaml:
        return
    nodes = [tree.root] if tree.root is not None else []
    while nodes:
        node = nodes.pop()
        nodes += node.children
        if node.anchor is not None and node.kind != ALIAS and node.users:
            name = f"{node.anchor} at {node.start}"
            yield Mention(ANCHOR, name, node.start, node.start + 1 + len(node.anchor), declared=True)
            yield from (Mention(ANCHOR, name, user.start, user.end) for user in node.users)


def _find_in_csv(text: str) -> Iterator[Mention]:
    """The ends of links in a file with our own columns; of other files the fabric itself knows them, line by line."""
    if is_foreign(text):
        return
    offset = 0
    for line in text.splitlines(keepends=True):
        begin, offset = offset, offset + len(line)
        try:
            row = next(csv.reader(StringIO(line)), [])
        except csv.Error:
            continue
        if len(row) not in (4, 5) or row[0].strip().startswith("#") or tuple(map(str.strip, row[:4])) == COLUMNS[:4]:
            continue
        at = 0
        for number, cell in enumerate(cell.strip() for cell in row[:4]):
            found = line.find(cell, at)
            if not cell or found < 0:
                break
            at = found + len(cell)
            place = (begin + found, begin + at)
            yield Mention(PORT, cell, *place, of=row[number - 1].strip()) if number % 2 else Mention(NODE, cell, *place)
