"""What holds for the whole switch, and what is found wrong while it is read."""

from __future__ import annotations

import os

from rocecfg.model import Span
from rocecfg.model.stated import Problem, Val
from rocecfg.source.document import Document
from rocecfg.vendors.arista.reading.blocks import Block, ConfigBlocks
from rocecfg.vendors.arista.reading.commands import Key
from rocecfg.vendors.arista.reading.modes import DEFAULTS, GLOBAL, MMU, PROFILE
from rocecfg.vendors.arista.reading.names import Head, box_of, family_of, read_head
from rocecfg.vendors.arista.reading.parse import State, read_state

_PHYSICAL = ("Ethernet", "Et")


class Switchwide:
    """The settings of a switch beside those of its ports.

    `whole`: it is all that the switch has; else a part, whose silence says nothing.
    """

    def __init__(self, document: Document, config: ConfigBlocks, release: str | None) -> None:
        self.document = document
        self.config = config
        self.problems: list[Problem] = []
        self.unread: dict[str, list[Span]] = {}  # what is not judged, and its lines
        self.overridden: list[tuple[Key, Val]] = []  # lines that a later one says otherwise
        self.head: Head = read_head(config.comments)
        self.globals = self.read_block(config.globals, GLOBAL)
        self.profiles: dict[str, State] = {
            name: self.read_block(block, PROFILE) for name, block in config.profiles.items()
        }
        self.mmus: dict[str, State] = {name: self.read_block(block, MMU) for name, block in config.mmu.items()}
        for block in config.lost:
            self.read_block(block, block.mode)  # for what is wrong in it
        defaults = [self.read_block(block, DEFAULTS) for block in config.defaults]
        self.mtu = next((s["mtu"] for s in reversed(defaults) if "mtu" in s), None)
        named = self.globals.get("hostname")
        self.name: str | None = named.value if named is not None else self.head.device
        self.at = named.at if named is not None else self._find_first_line()
        ported = any(block.name.startswith(_PHYSICAL) for block in config.ports)  # EOS lists each, set or not
        self.whole = ported and not self.head.part and (named is not None or self.head.running)
        self.release = release or self.head.release
        self.box = box_of(self.head.model) if self.head.model is not None else None
        self.family = family_of(self.head.model)
        self.routed = "routed" in self.globals
        self._cell: int | None = None
        self._cell_asked = False

    def read_block(self, block: Block, mode: str, before: State | None = None) -> State:
        """What the lines of a block set, over what was set `before`; what is wrong with them is noted."""
        return read_state(block, mode, self.problems, self.unread, self.overridden, before)

    def report(self, rule: str, at: Span, message: str, help: str = "") -> None:
        """Note something that is wrong."""
        self.problems.append(Problem(rule, at, message, help))

    def note_unjudged(self, topic: str, at: Span) -> None:
        """Note something that is not judged."""
        self.unread.setdefault(topic, []).append(at)

    def locate_in_head(self, text: str, at: int) -> Span:
        """A place in the head of the text."""
        return Span(self.document.number, at, at + len(text))

    @property
    def cell(self) -> int | None:
        """Bytes of a buffer cell, which EOS calls segment; None where the switch's chip is not known."""
        if not self._cell_asked and self.box is not None:
            self._cell_asked = True
            from rocecfg.profiles import library_in  # few texts count in cells

            library = library_in(os.path.dirname(self.document.path))
            kind, name = self.box
            self._cell = library.asic(library.platform(name).asic if kind == "platform" else name).cell
        return self._cell

    def _find_first_line(self) -> Span:
        """The first line that says anything, where nothing names the switch."""
        if self.head.running:
            return Span(self.document.number, self.head.at, self.head.at + 1)
        config = self.config
        blocks = [*config.profiles.values(), *config.ports, *config.mmu.values(), *config.vxlan, *config.virtual]
        places = [b.at for b in blocks]
        if config.globals.lines:
            at = config.globals.span(0)
            places.append(Span(at.doc, at.start, at.start + 1))  # of the switch, and not what the line says
        return min(places, key=lambda at: at.start, default=Span(self.document.number, 0, 0))
