"""A running-config as the planner sees and edits it: its blocks, and the lines in each by what they set."""

from __future__ import annotations

from rocecfg.core.units import ranges
from rocecfg.model import Span
from rocecfg.source.document import Document
from rocecfg.vendors.nxos.reading.config import Config
from rocecfg.vendors.nxos.reading.kinds import group_ports
from rocecfg.vendors.nxos.reading.sorting import Sorter
from rocecfg.vendors.nxos.settings import QOS, SYSTEM, TABLE
from rocecfg.vendors.table import Path

GLOBALLY: Path = ()
Lines = dict[str, str]  # what a line sets -> its text
MARKS = ("dscp", "cos")  # whose values are each for itself in a class-map


def codes_of(lines: Lines, word: str) -> set[int]:
    """The values that the lines of a class-map match by a word."""
    return {code for text in lines if text.startswith(f"match {word} ") for code in _take_codes(text) or ()}


def _take_codes(text: str) -> tuple[int, ...] | None:
    words = ("class-map", QOS, "C", *text.split())
    row = TABLE.find(words)
    return row.take(words[len(row.path) :]) if row is not None and row.take is not None else None


def _take_back(block: Lines, words: Path) -> None:
    """What `no match` does: its values go, whichever lines have them."""
    gone = set(_take_codes(" ".join(words)) or ())
    if words[1] not in MARKS:  # match ip dscp, match precedence
        block.pop(" ".join(words), None)
        return
    for text in [text for text in block if text.startswith(f"match {words[1]} ")]:
        own = _take_codes(text) or ()
        if gone.intersection(own):
            del block[text]
            if left := [code for code in own if code not in gone]:
                kept = f"match {words[1]} {ranges(left)}"
                block[kept] = kept


class Tree:
    """The blocks of a text."""

    def __init__(self, document: Document) -> None:
        self.config = Config(document)
        self.sorter = Sorter(self.config, Span(document.number, 0, 0))
        self.whole = "name" in self.config.globals
        self.blocks: dict[Path, Lines] = {GLOBALLY: {}}
        for line in self.config.lines:
            paths: list[Path] = [("interface", name) for name in line.names] or [line.path]
            for path in paths:
                row = TABLE.find((*path, *line.words))
                if path and path[0] not in ("class-map", "policy-map", SYSTEM, "interface"):
                    continue
                block = self.blocks.setdefault(path, {}) if path else self.blocks[GLOBALLY]
                if row is None or not row.key or not line.words:
                    continue
                text = " ".join(line.words)
                key = text if path[:1] == ("class-map",) else row.key
                if line.negated and path[:1] == ("class-map",) and row.key in MARKS:
                    _take_back(block, line.words)
                elif line.negated:
                    block.pop(key, None)
                else:
                    block[key] = text
        self.blocks = {path: lines for path, lines in self.blocks.items() if not self._is_gone(path)}
        self.ports = [name for kind in group_ports(self.config) if kind.is_used for name in kind.names]

    def _is_gone(self, path: Path) -> bool:
        """Whether a later `no` took a block away."""
        if path[:1] == ("class-map",):
            return (path[1], path[2]) not in self.config.class_maps
        if path[:1] != ("policy-map",):
            return False
        found = self.config.policies.get((path[1], path[2]))
        return found is None or (len(path) > 3 and path[4] not in found.classes)

    def place_of(self, port: str) -> Path:
        """Where the settings of a port stand: below it, or below its port-channel."""
        own = self.config.ports.get(port)
        lag = own.stated.get("lag") if own is not None else None
        return ("interface", lag.value if lag is not None else port)

    def bound_to(self, port: str, key: str) -> str | None:
        """The policy of a port: its own, or that of the switch."""
        place = self.place_of(port)
        for name in (place[1],) if place in self.blocks else (place[1], port):  # a member's own does not hold
            own = self.config.ports.get(name)
            if own is not None and key in own.stated:
                return str(own.stated[key].value)
        of_switch = self.config.system.get(key)
        return of_switch.value if of_switch is not None else None

    def below(self, kind: str, name: str) -> dict[Path, Lines]:
        """The blocks of a policy."""
        return {path: lines for path, lines in self.blocks.items() if path[:3] == ("policy-map", kind, name)}

    def head_of(self, path: Path) -> tuple[str, ...]:
        """The lines that open a block."""
        if not path:
            return ()
        if path[0] == "class-map":
            own = self.config.class_maps.get((path[1], path[2]))
            kind = " match-all" if own is not None and own.all else " match-any"
            return (f"class-map type {path[1]}{kind} {path[2]}",)
        if path[0] == "policy-map":
            of = f"policy-map type {path[1]} {path[2]}"
            name = path[4] if len(path) > 4 else ""
            return (
                (of,) if not name else (of, f"  class {name}" if path[1] == QOS else f"  class type {path[1]} {name}")
            )
        return ("system qos",) if path == (SYSTEM,) else (f"interface {path[1]}",)
