"""The configurations of switches, as far as names go: their ports, maps and profiles, and who is bound to which.

What the lines mean is the readers' business. Here a text may be half typed: what stands in it counts, valid or not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from lsprotocol.types import SymbolKind

from rocecfg.core.records import NamedTuple
from rocecfg.linting.devices import written_by
from rocecfg.lsp.cursor import readable
from rocecfg.lsp.mentions import Mention, inner
from rocecfg.lsp.outline import Entry
from rocecfg.lsp.switch_lines import commands, statements
from rocecfg.source.yaml import Map, Node, Scalar, Seq


class Scan(NamedTuple):
    """What a configuration holds."""

    mentions: tuple[Mention, ...]
    entries: list[Entry]


def scan(text: str) -> Scan | None:
    """The names and parts of a configuration; None of a text that no switch that is known wrote."""
    if written_by(text) is None:
        return None
    mentions: list[Mention] = []
    if text.lstrip()[:1] in ("{", "["):
        root = json_nodes(text)
        entries = _nvue(root, text, mentions) if _is_nvue(root) else _config_db(root, text, mentions)
    elif _COMMANDS.search(text):
        entries = commands(text, mentions)
    elif _YAML.search(text):
        entries = _nvue(readable(text), text, mentions)
    else:
        entries = statements(text, mentions)
    return Scan(tuple(mentions), entries)


_COMMANDS = re.compile(r"^[^#\n]*\bnv (?:set|unset) ", re.MULTILINE)
_YAML = re.compile(r"^(?:- )?[\"']?(?:header|set|unset|qos|interface|system|router)[\"']?:", re.MULTILINE)


def _is_nvue(root: Node | None) -> bool:
    """Whether a text is NVUE's tree rather than tables, whose names are in capitals."""
    return any(
        key.text in ("header", "set", "unset", "qos", "interface") for body in _maps(root) for key, _ in body.pairs
    )


def _maps(root: Node | None) -> list[Map]:
    return [part for part in (root.items if isinstance(root, Seq) else [root]) if isinstance(part, Map)]


# -- SONiC -------------------------------------------------------------------------------------------------------------

_TABLES = {  # a field -> the table that its value is a row of: leafrefs of sonic-yang-models
    "profile": "BUFFER_PROFILE",
    "profile_list": "BUFFER_PROFILE",
    "pool": "BUFFER_POOL",
    "scheduler": "SCHEDULER",
    "wred_profile": "WRED_PROFILE",
    "dscp_to_tc_map": "DSCP_TO_TC_MAP",
    "dot1p_to_tc_map": "DOT1P_TO_TC_MAP",
    "tc_to_queue_map": "TC_TO_QUEUE_MAP",
    "tc_to_pg_map": "TC_TO_PRIORITY_GROUP_MAP",
    "tc_to_dscp_map": "TC_TO_DSCP_MAP",
    "pfc_to_queue_map": "MAP_PFC_PRIORITY_TO_QUEUE",
    "pfc_to_pg_map": "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
    "decap_dscp_to_tc_map": "DSCP_TO_TC_MAP",
    "decap_tc_to_pg_map": "TC_TO_PRIORITY_GROUP_MAP",
    "encap_tc_to_dscp_map": "TC_TO_DSCP_MAP",
    "encap_tc_to_queue_map": "TC_TO_QUEUE_MAP",
}
_BY_PORT = frozenset(  # tables whose keys begin with ports
    (
        "BUFFER_PG",
        "BUFFER_QUEUE",
        "BUFFER_PORT_INGRESS_PROFILE_LIST",
        "BUFFER_PORT_EGRESS_PROFILE_LIST",
        "QUEUE",
        "PORT_QOS_MAP",
        "PFC_WD",
    )
)
_ROW = "row of "
_NAMED_ROW = re.compile(r"\[([A-Z0-9_]+?)(?:_TABLE)?[|:]([^\]|:]+)\]")  # until 202012: [BUFFER_PROFILE|pg_lossless]
_NAME = re.compile(r"[^,\s]+")


def _config_db(root: Node | None, text: str, mentions: list[Mention]) -> list[Entry]:
    entries: list[Entry] = []
    for of in _maps(root):
        for key, value in of.pairs:
            table, bar, row = _table(key.text)
            if not isinstance(value, Map):
                continue
            at = inner(text, key)
            if bar:  # a row by itself, as redis and swssconfig have it
                cut = (at[0] + len(key.text) - len(row), at[1])
                mentions += _row(table, row, cut, value, text)
                entries.append(_entry(key.text, SymbolKind.Object, key, value))
                continue
            rows = []
            for name, fields in value.pairs:
                mentions += _row(table, name.text, inner(text, name), fields, text)
                kind = SymbolKind.Interface if table == "PORT" else SymbolKind.Object
                rows.append(_entry(name.text, kind, name, fields))
            entries.append(_entry(table, SymbolKind.Namespace, key, value)._replace(below=rows, detail=_count(rows)))
    return entries


def _table(key: str) -> tuple[str, str, str]:
    """The table and, where a key names one, the row."""
    if "|" in key:
        return key.partition("|")
    table, bar, row = key.partition("_TABLE:")
    return table, bar, row.replace(":", "|")


def _row(table: str, name: str, at: tuple[int, int], fields: Node, text: str) -> Iterator[Mention]:
    start, end = at
    yield Mention(_ROW + table, name, start, end, declared=True)
    if table in _BY_PORT and end - start == len(name):
        ports = re.split(r"[|]", name, maxsplit=1)[0]
        yield from (
            Mention(f"{_ROW}PORT", part[0], start + part.start(), start + part.end()) for part in _NAME.finditer(ports)
        )
    for key, value in fields.pairs if isinstance(fields, Map) else ():
        if table == "CABLE_LENGTH":
            yield Mention(f"{_ROW}PORT", key.text, *inner(text, key))
        if isinstance(value, Scalar):
            yield from _bound(key.text, value, text)


def _bound(field: str, value: Scalar, text: str) -> Iterator[Mention]:
    begin, end = inner(text, value)
    if end - begin != len(value.text):
        return
    named = list(_NAMED_ROW.finditer(value.text))
    for row in named:
        yield Mention(_ROW + row[1], row[2], begin + row.start(), begin + row.end())
    if not named and field in _TABLES:
        for name in _NAME.finditer(value.text):
            yield Mention(_ROW + _TABLES[field], name[0], begin + name.start(), begin + name.end())


# -- NVUE --------------------------------------------------------------------------------------------------------------


def _nvue(root: Node | None, text: str, mentions: list[Mention]) -> list[Entry]:
    entries: list[Entry] = []
    for body in _bodies(root):
        for key, value in body.pairs:
            if not isinstance(value, Map):
                continue
            if key.text == "interface":
                below = [_entry(k.text, SymbolKind.Interface, k, v) for k, v in value.pairs]
                for name, of in value.pairs:
                    mentions += _interface(name, of, text)
            elif key.text == "qos":
                below = [_kind_of_profile(k, v, text, mentions) for k, v in value.pairs]
            else:
                below = []
            entries.append(_entry(key.text, SymbolKind.Namespace, key, value)._replace(below=below))
    return entries


def _bodies(root: Node | None) -> Iterator[Map]:
    for part in _maps(root):
        sets = [value for key, value in part.pairs if key.text in ("set", "unset") and isinstance(value, Map)]
        heading = isinstance(root, Seq) and any(key.text == "header" for key, _ in part.pairs)
        yield from sets or ([] if heading else [part])


def _kind_of_profile(key: Scalar, value: Node, text: str, mentions: list[Mention]) -> Entry:
    """The profiles of one kind: pfc, mapping, egress-scheduler, congestion-control, ..."""
    below = []
    for name, of in value.pairs if isinstance(value, Map) else ():
        if isinstance(of, Map):
            mentions.append(Mention(f"nvue {key.text}", name.text, *inner(text, name), declared=True))
            below.append(_entry(name.text, SymbolKind.Class, name, of))
    return _entry(key.text, SymbolKind.Namespace, key, value)._replace(below=below)


def _interface(name: Scalar, of: Node, text: str) -> Iterator[Mention]:
    yield Mention("nvue interface", name.text, *inner(text, name), declared=True)
    qos = _below(of, "qos")
    for kind, settings in qos.pairs if isinstance(qos, Map) else ():
        profile = _below(settings, "profile")
        if isinstance(profile, Scalar) and profile.text:
            yield Mention(f"nvue {kind.text}", profile.text, *inner(text, profile))
    members = _below(_below(of, "bond"), "member")
    for member, _ in members.pairs if isinstance(members, Map) else ():
        yield Mention("nvue interface", member.text, *inner(text, member))


def _below(node: Node | None, key: str) -> Node | None:
    return next((value for k, value in node.pairs if k.text == key), None) if isinstance(node, Map) else None


# -- both --------------------------------------------------------------------------------------------------------------


def _entry(name: str, kind: SymbolKind, key: Scalar, value: Node) -> Entry:
    return Entry(name or "(no name)", kind, key.start, max(key.end, value.end), key.start, key.end)


def _count(rows: list[Entry]) -> str:
    return f"{len(rows)} row{'s' if len(rows) != 1 else ''}"


_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*+"?|[{}\[\],]|[^\s{}\[\]:,"]+')


class _Open:
    """An object or a list that is being read."""

    __slots__ = ("is_map", "items", "key", "pairs", "start")

    def __init__(self, start: int, *, is_map: bool) -> None:
        self.start = start
        self.is_map = is_map
        self.items: list[Node] = []
        self.pairs: list[tuple[Scalar, Node]] = []
        self.key: Scalar | None = None

    def add(self, node: Node) -> None:
        """Take a key, a value, or an item."""
        if not self.is_map:
            self.items.append(node)
        elif self.key is not None:
            self.pairs.append((self.key, node))
            self.key = None
        elif isinstance(node, Scalar):
            self.key = node

    def closed(self, end: int) -> Map | Seq:
        """The whole of it."""
        return Map(self.start, end, self.pairs) if self.is_map else Seq(self.start, end, self.items)


def json_nodes(text: str) -> Node | None:
    """The nodes of a JSON text; of one that is half typed, those that are there."""
    stack = [_Open(0, is_map=False)]
    for token in _TOKEN.finditer(text):
        word = token[0]
        if word in ("{", "["):
            stack.append(_Open(token.start(), is_map=word == "{"))
        elif word in ("}", "]"):
            if len(stack) > 1:
                node = stack.pop().closed(token.end())
                stack[-1].add(node)
        elif word == ",":
            stack[-1].key = None
        else:
            stack[-1].add(Scalar(token.start(), token.end(), _unquoted(word), not word.startswith('"')))
    while len(stack) > 1:
        node = stack.pop().closed(len(text))
        stack[-1].add(node)
    return stack[0].items[0] if stack[0].items else None


def _unquoted(word: str) -> str:
    if not word.startswith('"'):
        return word
    if "\\" not in word:
        return word.strip('"')
    try:
        return str(json.loads(word))
    except ValueError:
        return word.strip('"')
