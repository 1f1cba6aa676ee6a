"""What a running-config is taken apart into: modes, the commands in them, and where each stands."""

from __future__ import annotations

from rocecfg.model import Span
from rocecfg.vendors.arista.reading.commands import WORDS
from rocecfg.vendors.arista.reading.modes import GLOBAL

IN_QUEUE = "\t"  # between the line that opens a queue and a line in it


class Block:
    """A mode that was entered: the commands in it, and where each stands.

    A queue's commands are in the block of its port or profile, each behind the line that opened the queue.
    """

    __slots__ = ("at", "indent", "lines", "mode", "name", "parent", "places", "prefix", "words")

    def __init__(self, mode: str, name: str, at: Span, indent: int, parent: Block | None) -> None:
        self.mode = mode
        self.name = name  # what follows the words that open the mode
        self.at = at
        self.indent = indent  # of the line that opened it
        self.parent = parent
        self.words = WORDS[mode]
        self.prefix = ""
        self.lines: list[str] = []
        self.places: list[tuple[int, int]] = []  # where each begins and ends in the text

    def span(self, index: int) -> Span:
        """Where a line stands."""
        return Span(self.at.doc, *self.places[index])


class ConfigBlocks:
    """The blocks of a text, in the order in which they were first entered."""

    def __init__(self, doc: int) -> None:
        self.globals = Block(GLOBAL, "", Span(doc, 0, 0), -1, None)
        self.ports: list[Block] = []
        self.profiles: dict[str, Block] = {}
        self.mmu: dict[str, Block] = {}
        self.vxlan: list[Block] = []
        self.defaults: list[Block] = []
        self.virtual: list[Block] = []  # interfaces without queues: VLANs, loopbacks, profiles of interfaces
        self.lost: list[Block] = []  # what follows a line that was to open a mode, and opens none
        self.lists: dict[str, Block] = {}  # access lists, by `ip NAME` or `ipv6 NAME`
        self.policies: dict[str, Span] = {}
        self.sorting: dict[str, list[Block]] = {}  # class-maps and policy-maps, by their names, each as it was entered
        self.comments: list[tuple[str, int]] = []  # those of the head of a running-config
