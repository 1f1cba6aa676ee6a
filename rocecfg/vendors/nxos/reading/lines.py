"""The lines of a running-config, or of a script that is typed, each with the blocks that it stands in.

A switch goes by modes; what it prints is indented. So an indented line is in the block above it, and one that is not
belongs to the open block where its first word is one of that mode and the block has no indented line. Prompts and
echoes of a session are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rocecfg.core.records import NamedTuple
from rocecfg.model import Span
from rocecfg.source.document import Document
from rocecfg.vendors.nxos.reading.names import PORT, expand_interfaces
from rocecfg.vendors.nxos.settings import NETWORK, OTHER_PORT, QOS, QUEUING, SYSTEM
from rocecfg.vendors.table import Path

_PROMPT = re.compile(r"[\w.-]{1,64}(?:\(config[\w-]*\))?[#>][ \t]*(?=\S|$)")
_BANNER = re.compile(r"banner (?:motd|exec) (\S)(.*)")
_ECHO = re.compile(r"(?:show|sh|conf(?:ig)?(?:ure)?(?: t\w*)?|configure terminal|terminal length|copy run\S*)\b.*")
_KINDS = ("match-any", "match-all", "match-first")
_TYPES = (QOS, NETWORK, QUEUING, "control-plane")
_CHILDREN = {  # first words of what stands in a mode, for lines that are not indented
    "class-map": frozenset({"match", "description", "no"}),
    "policy-map": frozenset({"class", "description", "no"}),
    "class": frozenset(
        ("set", "mtu", "pause", "bandwidth", "random-detect", "priority", "shape", "queue-limit", "police")
    ).union(("congestion-control", "afd", "no")),
    SYSTEM: frozenset({"service-policy", "fex", "no"}),
    "interface": frozenset(
        ("description", "no", "shutdown", "switchport", "mtu", "priority-flow-control", "service-policy", "flowcontrol")
    ).union(
        ("ip", "ipv6", "spanning-tree", "speed", "fec", "negotiate", "channel-group", "lldp", "duplex", "vrf"),
        ("storm-control", "load-interval", "cdp", "beacon", "medium", "udld"),
    ),
}


class Line(NamedTuple):
    """A line. `words`: its own, without `no`; none where it opens a block."""

    path: Path  # of the block that it stands in, or that it opens
    words: Path
    negated: bool
    at: Span
    names: tuple[str, ...] = ()  # interfaces of the block, where it is one of those with queues
    kind: str = ""  # match-any, match-all: of a class-map that it opens

    @property
    def whole(self) -> Path:
        """Its words behind those of its blocks."""
        return (*self.path, *self.words)


class _Block:
    """A block that is open."""

    __slots__ = ("indent", "indented", "mode", "names", "path")

    def __init__(self, mode: str, path: Path, indent: int, names: tuple[str, ...] = ()) -> None:
        self.mode = mode
        self.path = path
        self.indent = indent
        self.names = names
        self.indented = False  # it has an indented line


def parse_lines(document: Document) -> list[Line]:
    """All lines that say something, in order."""
    return list(_Walker(document).walk())


class _Walker:
    def __init__(self, document: Document) -> None:
        self.document = document
        self.stack: list[_Block] = []

    def walk(self) -> Iterator[Line]:
        begin, until = 0, ""
        for raw in self.document.text.split("\n"):
            start, begin = begin, begin + len(raw) + 1
            text = raw.rstrip()
            if until:
                until = "" if until in text else until
                continue
            body = text.lstrip()
            indent = len(text) - len(body)
            prompt = _PROMPT.match(body) if indent == 0 else None
            if prompt is not None:
                body = body[prompt.end() :]
                indent = 0
            if not body or body[0] in "!#" or (indent == 0 and _ECHO.fullmatch(body)):
                continue
            banner = _BANNER.match(body)
            if banner is not None:
                until = banner[1] if banner[1] not in banner[2] else ""
            at = Span(self.document.number, start + len(text) - len(body), start + len(text))
            line = self._read(tuple(body.split()), indent, at)
            if line is not None:
                yield line

    def _read(self, words: Path, indent: int, at: Span) -> Line | None:
        if words == ("exit",):
            del self.stack[max(0, len(self.stack) - 1) :]
            return None
        if words == ("end",):
            self.stack.clear()
            return None
        self._close(words, indent)
        top = self.stack[-1] if self.stack else None
        if top is not None and indent > top.indent:
            top.indented = True
        negated = words[0] == "no" and len(words) > 1
        own = words[1:] if negated else words
        opened = None if negated else _open_block(own, top, indent)
        if opened is not None:
            kind = next((word for word in own[:-1] if word in _KINDS), "") if opened.mode == "class-map" else ""
            self.stack.append(opened)
            return Line(opened.path, (), negated, at, opened.names, kind)
        path, names = (top.path, top.names) if top is not None else ((), ())
        if top is None or top.mode == "other":  # what others stand below
            self.stack.append(_Block("other", (*path, *own), indent, names))
        return Line(path, own, negated, at, names)

    def _close(self, words: Path, indent: int) -> None:
        """Leave the blocks that a line is not in."""
        while self.stack:
            top = self.stack[-1]
            child = words[0] in _CHILDREN.get(top.mode, ()) and words[:2] != ("priority-flow-control", "watch-dog")
            if indent > top.indent or (child and not top.indented and indent == top.indent):
                return
            self.stack.pop()


def _open_block(words: Path, top: _Block | None, indent: int) -> _Block | None:
    match words:
        case ("class-map" | "policy-map", *rest) if top is None or top.mode != "interface":
            more = [word for word in rest if word not in _KINDS]
            of = more[1] if more[:1] == ["type"] and len(more) > 2 else QOS
            return _Block(words[0], (words[0], of, more[-1]), indent) if more else None
        case ("class", *rest) if top is not None and top.mode in ("policy-map", "class"):
            name = rest[2] if rest[:1] == ["type"] and len(rest) > 2 else rest[0] if rest else ""
            path = top.path if top.mode == "policy-map" else top.path[:3]
            return _Block("class", (*path, "class", name), indent) if name else None
        case ("system", "qos"):
            return _Block(SYSTEM, (SYSTEM,), indent)
        case ("interface", *rest) if rest:
            text = " ".join(rest)
            names = expand_interfaces(text)
            named = tuple(name for name in names if PORT.fullmatch(name))
            if named:
                return _Block("interface", ("interface", named[0] if len(named) == 1 else text), indent, named)
            return _Block("interface", (OTHER_PORT, text.lower()), indent)
    return None
