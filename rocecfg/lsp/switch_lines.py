"""Configurations that are lines: EOS, and NVUE's commands."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lsprotocol.types import SymbolKind

from rocecfg.lsp.mentions import Mention
from rocecfg.lsp.outline import OutlineEntry

_LINE = re.compile(r"^([ \t]*)(\S[^\r\n]*?)[ \t]*\r?$", re.MULTILINE)

# -- EOS ---------------------------------------------------------------------------------------------------------------

_PORT, _QOS, _POLICY, _CLASS, _QUEUES, _SHAPE = (
    "interface",
    "qos profile",
    "policy-map",
    "class-map",
    "mmu queue profile",
    "interface profile",
)
_HEADS = (  # what is declared by the line that opens its mode
    (re.compile(r"interface profile (\S+)$"), _SHAPE, SymbolKind.Class),
    (re.compile(r"interface (?!defaults)(\S+(?: \d\S*)?)$"), _PORT, SymbolKind.Interface),
    (re.compile(r"qos profile (\S+)$"), _QOS, SymbolKind.Class),
    (re.compile(r"policy-map (?:type \S+ )?(\S+)$"), _POLICY, SymbolKind.Class),
    (re.compile(r"class-map (?:type \S+ )?(?:match-(?:any|all) )?(\S+)$"), _CLASS, SymbolKind.Class),
    (re.compile(r"platform trident mmu queue profile (\S+)$"), _QUEUES, SymbolKind.Class),
)
_BOUND = (  # a line that names what another declares
    (re.compile(r"service-profile (\S+)"), _QOS),
    (re.compile(r"service-policy (?:type \S+ )?(?:input|output) (\S+)"), _POLICY),
    (re.compile(r"class (?:type \S+ )?(?!class-default)(\S+)$"), _CLASS),
    (re.compile(r"platform trident mmu queue profile (\S+) apply$"), _QUEUES),
    (re.compile(r"profile (\S+)$"), _SHAPE),
)
_CHANNEL = re.compile(r"channel-group (\d+) ")
_ALONE = re.compile(r"(?:qos (?:map|rewrite|random-detect)|priority-flow-control|hardware counter feature ecn)\b")
_SAID = re.compile(r"(?:service-profile|description|channel-group) ")


def scan_eos(text: str, mentions: list[Mention]) -> list[OutlineEntry]:
    """The parts of a running configuration of EOS; the names in it are added to `mentions`."""
    lines = [(len(found[1]), found[2], found.start(2)) for found in _LINE.finditer(text) if found[2][0] != "!"]
    entries: list[OutlineEntry] = []
    for number, (depth, line, at) in enumerate(lines):
        mentions += _find_names(line, at, depth)
        if depth == 0:
            inside = _find_mode_end(lines, number)
            entries += _make_entry(line, at, lines[number + 1 : inside])
    return entries


def _find_mode_end(lines: list[tuple[int, str, int]], number: int) -> int:
    """The first line behind the mode that a line opens."""
    depth = lines[number][0]
    end = number + 1
    while end < len(lines) and lines[end][0] > depth:
        end += 1
    return end


def _find_names(line: str, at: int, depth: int) -> Iterator[Mention]:
    for pattern, kind, _ in _HEADS if depth == 0 else ():
        if (found := pattern.match(line)) is not None:
            yield Mention(kind, found[1], at + found.start(1), at + found.end(1), declared=True)
            return
    for pattern, kind in _BOUND:
        if (found := pattern.match(line)) is not None and (depth or kind == _QUEUES):
            yield Mention(kind, found[1], at + found.start(1), at + found.end(1))
    if depth and (found := _CHANNEL.match(line)) is not None:
        yield Mention(_PORT, f"Port-Channel{found[1]}", at + found.start(1), at + found.end(1))


def _make_entry(line: str, at: int, body: list[tuple[int, str, int]]) -> Iterator[OutlineEntry]:
    end = body[-1][2] + len(body[-1][1]) if body else at + len(line)
    for pattern, _, kind in _HEADS:
        if pattern.match(line):
            stated = next((inner for _, inner, _ in body if _SAID.match(inner)), "")
            yield OutlineEntry(line, kind, at, end, at, at + len(line), stated, list(_make_mode_entries(body)))
            return
    if _ALONE.match(line):
        yield OutlineEntry(line, SymbolKind.Property, at, end, at, at + len(line))


def _make_mode_entries(body: list[tuple[int, str, int]]) -> Iterator[OutlineEntry]:
    """What is opened inside a mode: queues of a profile, classes of a policy."""
    least = body[0][0] if body else 0
    for number, (depth, line, at) in enumerate(body):
        end = _find_mode_end(body, number)
        if depth == least and end > number + 1:
            last = body[end - 1]
            yield OutlineEntry(line, SymbolKind.Field, at, last[2] + len(last[1]), at, at + len(line))


# -- NVUE's commands ---------------------------------------------------------------------------------------------------

_COMMAND = re.compile(r"\bnv (?:set|unset)((?:[ \t]+[^\s#;]+)+)")
_WORD = re.compile(r"\S+")


def scan_nvue_commands(text: str, mentions: list[Mention]) -> list[OutlineEntry]:
    """The parts of a script of `nv set`: each interface and profile where it is first named."""
    known: set[tuple[str, str]] = set()
    entries: list[OutlineEntry] = []
    for found in _COMMAND.finditer(text):
        if "#" in text[text.rfind("\n", 0, found.start()) + 1 : found.start()]:
            continue
        words = [(w[0], found.start(1) + w.start(), found.start(1) + w.end()) for w in _WORD.finditer(found[1])]
        path = [word for word, _, _ in words]
        for kind, number, bound in _find_command_names(path):
            name, start, end = words[number]
            first = not bound and (kind, name) not in known
            mentions.append(Mention(f"nvue {kind}", name, start, end, declared=first))
            if first:
                known.add((kind, name))
                shown = f"{kind} {name}"
                symbol = SymbolKind.Interface if kind == "interface" else SymbolKind.Class
                entries.append(OutlineEntry(shown, symbol, found.start(), found.end(), start, end))
    return entries


def _find_command_names(path: list[str]) -> Iterator[tuple[str, int, bool]]:
    """The names in a command's words: the kind, which word, whether it is bound there and declared elsewhere."""
    if path[0] == "interface" and len(path) > 1:
        yield "interface", 1, False
        if len(path) > 5 and path[2] == "qos" and path[4] == "profile":
            yield path[3], 5, True
        if len(path) > 4 and path[2:4] == ["bond", "member"]:
            yield "interface", 4, True
    elif path[0] == "qos" and len(path) > 3:
        yield path[1], 2, False
