"""The configurations of switches, as far as names go: their ports, maps and profiles, and who is bound to which.

What the lines mean is the readers' business. Here a text may be half typed: what stands in it counts, valid or not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from lsprotocol.types import SymbolKind

from rocecfg.core.records import NamedTuple
from rocecfg.linting.devices import find_vendor
from rocecfg.lsp.cursor import read_leniently
from rocecfg.lsp.mentions import Mention, find_inner
from rocecfg.lsp.outline import OutlineEntry
from rocecfg.lsp.switch_lines import scan_eos, scan_nvue_commands
from rocecfg.source.yaml import Map, Node, Scalar, Seq


class Scan(NamedTuple):
    """What a configuration holds."""

    mentions: tuple[Mention, ...]
    entries: list[OutlineEntry]


def scan_text(text: str) -> Scan | None:
    """The names and parts of a configuration; None of a text that no switch that is known wrote."""
    if find_vendor(text) is None:
        return None
    mentions: list[Mention] = []
    if text.lstrip()[:1] in ("{", "["):
        root = read_json_leniently(text)
        entries = _scan_nvue(root, text, mentions) if _is_nvue(root) else _scan_config_db(root, text, mentions)
    elif _COMMANDS.search(text):
        entries = scan_nvue_commands(text, mentions)
    elif _YAML.search(text):
        entries = _scan_nvue(read_leniently(text), text, mentions)
    else:
        entries = scan_eos(text, mentions)
    return Scan(tuple(mentions), entries)


_COMMANDS = re.compile(r"^[^#\n]*\bnv (?:set|unset) ", re.MULTILINE)
_YAML = re.compile(r"^(?:- )?[\"']?(?:header|set|unset|qos|interface|system|router)[\"']?:", re.MULTILINE)


def _is_nvue(root: Node | None) -> bool:
    """Whether a text is NVUE's tree rather than tables, whose names are in capitals."""
    return any(
        key.text in ("header", "set", "unset", "qos", "interface") for body in _list_maps(root) for key, _ in body.pairs
    )


def _list_maps(root: Node | None) -> list[Map]:
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


def _scan_config_db(root: Node | None, text: str, mentions: list[Mention]) -> list[OutlineEntry]:
    entries: list[OutlineEntry] = []
    for of in _list_maps(root):
        for key, value in of.pairs:
            table, bar, row = _split_key(key.text)
            if not isinstance(value, Map):
                continue
            at = find_inner(text, key)
            if bar:  # a row by itself, as redis and swssconfig have it
                cut = (at[0] + len(key.text) - len(row), at[1])
                mentions += _find_row_names(table, row, cut, value, text)
                entries.append(_make_entry(key.text, SymbolKind.Object, key, value))
                continue
            rows = []
            for name, fields in value.pairs:
                mentions += _find_row_names(table, name.text, find_inner(text, name), fields, text)
                kind = SymbolKind.Interface if table == "PORT" else SymbolKind.Object
                rows.append(_make_entry(name.text, kind, name, fields))
            entries.append(
                _make_entry(table, SymbolKind.Namespace, key, value)._replace(below=rows, detail=_count_rows(rows))
            )
    return entries


def _split_key(key: str) -> tuple[str, str, str]:
    """The table and, where a key names one, the row."""
    if "|" in key:
        return key.partition("|")
    table, bar, row = key.partition("_TABLE:")
    return table, bar, row.replace(":", "|")


def _find_row_names(table: str, name: str, at: tuple[int, int], fields: Node, text: str) -> Iterator[Mention]:
    start, end = at
    yield Mention(_ROW + table, name, start, end, declared=True)
    if table in _BY_PORT and end - start == len(name):
        ports = re.split(r"[|]", name, maxsplit=1)[0]
        yield from (
            Mention(f"{_ROW}PORT", part[0], start + part.start(), start + part.end()) for part in _NAME.finditer(ports)
        )
    for key, value in fields.pairs if isinstance(fields, Map) else ():
        if table == "CABLE_LENGTH":
            yield Mention(f"{_ROW}PORT", key.text, *find_inner(text, key))
        if isinstance(value, Scalar):
            yield from _find_bound_names(key.text, value, text)


def _find_bound_names(field: str, value: Scalar, text: str) -> Iterator[Mention]:
    begin, end = find_inner(text, value)
    if end - begin != len(value.text):
        return
    named = list(_NAMED_ROW.finditer(value.text))
    for row in named:
        yield Mention(_ROW + row[1], row[2], begin + row.start(), begin + row.end())
    if not named and field in _TABLES:
        for name in _NAME.finditer(value.text):
            yield Mention(_ROW + _TABLES[field], name[0], begin + name.start(), begin + name.end())


# -- NVUE --------------------------------------------------------------------------------------------------------------


def _scan_nvue(root: Node | None, text: str, mentions: list[Mention]) -> list[OutlineEntry]:
    entries: list[OutlineEntry] = []
    for body in _list_bodies(root):
        for key, value in body.pairs:
            if not isinstance(value, Map):
                continue
            if key.text == "interface":
                below = [_make_entry(k.text, SymbolKind.Interface, k, v) for k, v in value.pairs]
                for name, of in value.pairs:
                    mentions += _find_interface_names(name, of, text)
            elif key.text == "qos":
                below = [_scan_profiles(k, v, text, mentions) for k, v in value.pairs]
            else:
                below = []
            entries.append(_make_entry(key.text, SymbolKind.Namespace, key, value)._replace(below=below))
    return entries


def _list_bodies(root: Node | None) -> Iterator[Map]:
    for part in _list_maps(root):
        sets = [value for key, value in part.pairs if key.text in ("set", "unset") and isinstance(value, Map)]
        heading = isinstance(root, Seq) and any(key.text == "header" for key, _ in part.pairs)
        yield from sets or ([] if heading else [part])


def _scan_profiles(key: Scalar, value: Node, text: str, mentions: list[Mention]) -> OutlineEntry:
    """The profiles of one kind: pfc, mapping, egress-scheduler, congestion-control, ..."""
    below = []
    for name, of in value.pairs if isinstance(value, Map) else ():
        if isinstance(of, Map):
            mentions.append(Mention(f"nvue {key.text}", name.text, *find_inner(text, name), declared=True))
            below.append(_make_entry(name.text, SymbolKind.Class, name, of))
    return _make_entry(key.text, SymbolKind.Namespace, key, value)._replace(below=below)


def _find_interface_names(name: Scalar, of: Node, text: str) -> Iterator[Mention]:
    yield Mention("nvue interface", name.text, *find_inner(text, name), declared=True)
    qos = _get_child(of, "qos")
    for kind, settings in qos.pairs if isinstance(qos, Map) else ():
        profile = _get_child(settings, "profile")
        if isinstance(profile, Scalar) and profile.text:
            yield Mention(f"nvue {kind.text}", profile.text, *find_inner(text, profile))
    members = _get_child(_get_child(of, "bond"), "member")
    for member, _ in members.pairs if isinstance(members, Map) else ():
        yield Mention("nvue interface", member.text, *find_inner(text, member))


def _get_child(node: Node | None, key: str) -> Node | None:
    return next((value for k, value in node.pairs if k.text == key), None) if isinstance(node, Map) else None


# -- both --------------------------------------------------------------------------------------------------------------


def _make_entry(name: str, kind: SymbolKind, key: Scalar, value: Node) -> OutlineEntry:
    return OutlineEntry(name or "(no name)", kind, key.start, max(key.end, value.end), key.start, key.end)


def _count_rows(rows: list[OutlineEntry]) -> str:
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

    def close(self, end: int) -> Map | Seq:
        """The whole of it."""
        return Map(self.start, end, self.pairs) if self.is_map else Seq(self.start, end, self.items)


def read_json_leniently(text: str) -> Node | None:
    """The nodes of a JSON text; of one that is half typed, those that are there."""
    stack = [_Open(0, is_map=False)]
    for token in _TOKEN.finditer(text):
        word = token[0]
        if word in ("{", "["):
            stack.append(_Open(token.start(), is_map=word == "{"))
        elif word in ("}", "]"):
            if len(stack) > 1:
                node = stack.pop().close(token.end())
                stack[-1].add(node)
        elif word == ",":
            stack[-1].key = None
        else:
            stack[-1].add(Scalar(token.start(), token.end(), _unquote(word), not word.startswith('"')))
    while len(stack) > 1:
        node = stack.pop().close(len(text))
        stack[-1].add(node)
    return stack[0].items[0] if stack[0].items else None


def _unquote(word: str) -> str:
    if not word.startswith('"'):
        return word
    if "\\" not in word:
        return word.strip('"')
    try:
        return str(json.loads(word))
    except ValueError:
        return word.strip('"')
