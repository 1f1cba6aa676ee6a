"""A running-config as blocks: which command stands in which mode.

As EOS does when a text is pasted, a command is looked for in the current mode and then in those around it; `!` ends
nothing. Indentation says only where the modes of other features end, whose commands are not known here.
"""

from __future__ import annotations

import re
from functools import lru_cache

from rocecfg.intent.values import near
from rocecfg.model import Span
from rocecfg.vendors.arista.reading.blocks import IN_QUEUE, Block, ConfigBlocks
from rocecfg.vendors.arista.reading.commands import WORDS
from rocecfg.vendors.arista.reading.modes import (
    ACCESS,
    DEFAULTS,
    FOREIGN,
    GLOBAL,
    GLOBAL_ONLY,
    IGNORED,
    IN_PORT,
    MMU,
    NEVER_FOREIGN,
    OF_ECMP,
    OF_SWITCH,
    OTHERS,
    PLAIN,
    POLICY,
    PORT,
    PROFILE,
    QUEUE,
    QUEUES,
    SPECIAL,
    TEXTS,
    VIRTUAL,
    VXLAN,
    WHOLLY_OWNED,
    WITHIN_FOREIGN,
    WRITTEN_WRONG,
)
from rocecfg.vendors.arista.reading.parse import parse_line

_SIGNS = frozenset({"no", "default"})
_PROMPT = re.compile(r"[^\s#>()]+(?:\([^()]*\))?[#>] ?(.*)")
_PAGED = ("--More--", "\x08", "\x1b")  # where a terminal with a pager was recorded
# What a pager leaves before a line: its word, blanks over it, and the movements of the cursor that hid it.
_PAGER = re.compile(r"(?:\x1b\[[0-9;?]*[A-Za-z]|\x08|\r(?!$)|[ \t]*--More--|[ \t]+(?=[\x08\x1b]|\r(?!$)))+")
_IP = frozenset({"ip", "ipv6"})
_COMMON = frozenset({"ip", "ipv6", "mac", "switchport", "priority"})
_PORTS = ("et", "po", "ma")  # Ethernet, Port-Channel, Management


def scan(text: str, doc: int, start: int = 0) -> ConfigBlocks:
    """The blocks of a text that begins at offset `start` of document `doc`."""
    return _Scanner(text, doc, start).run()


class _Scanner:
    def __init__(self, text: str, doc: int, begin: int) -> None:
        self.text = text
        self.begin = begin  # of the text in the document
        self.doc = doc
        self.config = ConfigBlocks(doc)
        self.flat = "\n " not in text and "\n\t" not in text
        self.until = ""  # the line that ends a text of many lines

    def run(self) -> ConfigBlocks:
        """The text as blocks."""
        offset = self.begin
        here = top = self.config.globals
        paged = any(mark in self.text for mark in _PAGED)
        for raw in self.text.split("\n"):
            begin = offset
            offset += len(raw) + 1
            if paged and (left := _PAGER.match(raw)):
                begin += left.end()
                raw = raw[left.end() :]  # noqa: PLW2901 - what was seen on the terminal
            line = raw.strip()
            if not line:
                continue
            if line[0] == "!" or self.until:
                if line == self.until:
                    self.until = ""
                elif line[:3] == "! d" or line[:3] == "! C" or line[:3] == "! b":
                    self.config.comments.append((line, begin))
                continue
            if "  " in line or "\t" in line or " !" in line:
                line = " ".join(line.partition(" !")[0].split())
            word = line.partition(" ")[0]
            if word in _SIGNS:
                word = line.partition(" ")[2].partition(" ")[0]
            if line in TEXTS:
                self.until = "EOF"
                continue
            if (
                here.mode == FOREIGN
                and raw[0] <= " "
                and _measure_indent(raw) > here.indent
                and _is_foreign(word, line)
            ):
                self._keep_foreign_line(here, line, begin + raw.index(line[0]))
                continue
            kind = here.words.get(word)
            if kind == PLAIN:
                here.lines.append(here.prefix + line)
                here.places.append((begin + raw.index(line[0]), begin + len(raw.rstrip())))
            elif kind != IGNORED:
                here = self._find_mode_after(here, line, word, raw, begin + raw.index(line[0])) or top
        return self.config

    def _enter_access_list(self, line: str, start: int, indent: int) -> Block:
        """The mode after a line on IP that is not an interface's: that of an access list, or the global one."""
        words = line.split(" ")
        if OF_ECMP.match(line):
            self._keep_line(self.config.globals, line, start)
        if words[1] != "access-list" or len(words) < 3 or words[0] in _SIGNS:
            return self.config.globals
        block = Block(ACCESS, words[-1], Span(self.doc, start, start + len(line)), indent, self.config.globals)
        self.config.lists[f"{words[0]} {words[-1]}"] = block
        return block

    def _keep_foreign_line(self, here: Block, line: str, start: int) -> None:
        """Keep a line of another feature's mode if it bears on queues."""
        within = WITHIN_FOREIGN.get(here.name)
        if within is not None and line.startswith(within):
            self._keep_line(self.config.globals, line, start)

    def _find_mode_after(self, here: Block, line: str, word: str, raw: str, start: int) -> Block | None:
        """The mode after a line that is not a plain line of the current one."""
        if word in _IP and OF_SWITCH.match(line):
            return self._enter_access_list(line, start, _measure_indent(raw))
        block: Block | None = here
        while block is not None and word not in block.words:
            block = block.parent
        if block is not None:
            found = self._take_line(block, line, word, raw, start)
            if found is None or found is here or word == "exit" or found.mode in (FOREIGN, POLICY, QUEUE):
                return found
            # EOS leaves a mode for a line that one around it takes: what none takes leaves it where it is
            refused = found.lines and found.places[-1][0] == start and parse_line(found.mode, found.lines[-1]).fault
            return here if refused and here.mode != FOREIGN else found
        prompt = _PROMPT.fullmatch(line) if "#" in word or ">" in word else None
        if prompt is not None:
            return self._take_typed_line(here, prompt[1], raw, start + prompt.start(1)) if prompt[1] else here
        return self._take_unknown_line(here, line, word, raw, start)

    def _take_typed_line(self, here: Block, line: str, raw: str, start: int) -> Block | None:
        """The mode after a line that was typed behind a prompt."""
        words = line.split(" ", 2)
        word = words[1] if words[0] in _SIGNS and len(words) > 1 else words[0]
        return here if word == "show" else self._find_mode_after(here, line, word, raw, start)

    def _take_unknown_line(self, here: Block, line: str, word: str, raw: str, start: int) -> Block | None:
        """The mode after a line that no mode here knows: one of the current block, else of another feature."""
        slip = _is_slip(word)
        owned = here.mode in WHOLLY_OWNED
        if (slip and (owned or here.mode == PORT)) or (owned and word in WORDS[PORT]):
            self._keep_line(here, line, start)
            return here  # no mode around it takes it, so EOS stays in this one
        indent = _measure_indent(raw)
        block = _find_mode_around(here, indent) if not self.flat or word in OTHERS else here
        wrong = _find_meant_mode(line)
        if wrong:
            self._keep_line(self.config.globals, line, start)
            return self._enter_lost_mode(wrong, line, start, indent)
        if block is not None and block.mode == ACCESS:
            return self._keep_line(block, line, start)
        return self._leave_for_feature(block, line, word, start, indent, slip=slip)

    def _leave_for_feature(
        self, block: Block | None, line: str, word: str, start: int, indent: int, *, slip: bool
    ) -> Block | None:
        """The mode after a line of another feature or a slip, which stands in `block`: that one, or the feature's."""
        beside = self.flat and block is not None and block.mode in WHOLLY_OWNED and not slip
        if beside and word not in OTHERS:
            return block  # a line of another feature, or of none: where EOS is after it is not known
        if beside or block is None or block.mode in (GLOBAL, FOREIGN):
            if slip:
                self._keep_line(self.config.globals, line, start)
            return Block(FOREIGN, word, Span(self.doc, start, start), indent, self.config.globals)
        if slip or block.mode in WHOLLY_OWNED:
            self._keep_line(block, line, start)
        return block

    def _enter_lost_mode(self, mode: str, line: str, start: int, indent: int) -> Block:
        """A mode that no switch enters by this line: what is wrong with the lines in it is told all the same."""
        block = Block(mode, line, Span(self.doc, start, start + len(line)), indent, self.config.globals)
        self.config.lost.append(block)
        return block

    def _keep_line(self, block: Block, line: str, start: int) -> Block:
        """Keep a line of the block that begins at `start`, in these words."""
        end = self.text.find("\n", start - self.begin)
        length = len((self.text[start - self.begin :] if end < 0 else self.text[start - self.begin : end]).rstrip())
        block.lines.append(block.prefix + line)
        block.places.append((start, start + length))
        return block

    def _take_line(self, block: Block, line: str, word: str, raw: str, start: int) -> Block | None:
        """The mode after a line of `block`, which is the current mode or one around it."""
        if block.words[word] != SPECIAL:
            return self._keep_line(block, line, start) if block.words[word] == PLAIN else block
        if word == "exit":
            return block.parent
        if word in ("end", "banner"):
            self.until = "EOF" if word == "banner" else ""
            return self.config.globals
        signed = line.split(" ", 1)[0] in _SIGNS
        body = line.partition(" ")[2] if signed else line
        if block.mode != GLOBAL and body.startswith(GLOBAL_ONLY) and not body.startswith(IN_PORT):
            return self._take_line(self.config.globals, line, word, raw, start)
        if block.mode == VIRTUAL and word != "exit":
            return self._keep_line(block, line, start) if word != "hardware" else block
        if word in _COMMON:
            return self._keep_common_line(block, line, start)
        return (
            self._remove_mode(block, line, body, start) if signed else self._enter_mode(block, line, word, raw, start)
        )

    def _keep_common_line(self, block: Block, line: str, start: int) -> Block:
        """Keep what lines that other features have too say of layer and queues, without what differs by port."""
        words = line.split(" ", 2)
        if words[1:2] == ["address"]:
            self._keep_line(block, "ip address", start)
        elif words[-1] in ("switchport", "strict", "no-drop", "lossless") or words[1:2] == ["access-group"]:
            self._keep_line(block, line, start)
        elif words[0] == "switchport" and words[1] in ("mode", "access", "trunk"):
            self._keep_line(block, "switchport mode", start)
        return block

    def _remove_mode(self, block: Block, line: str, body: str, start: int) -> Block:
        """A mode that is taken back, with all that was said in it; or a plain line of several words."""
        config = self.config
        words = body.split()
        if words[0] in ("interface", "int") and len(words) > 1:
            config.ports = [b for b in config.ports if b.name != " ".join(words[1:])]
            return config.globals
        if words[:2] == ["qos", "profile"] and len(words) == 3:
            config.profiles.pop(words[2], None)
            return config.globals
        if body.startswith("platform trident mmu queue profile ") and len(words) == 6:
            config.mmu.pop(words[5], None)
            return config.globals
        return self._keep_line(block, line, start)

    def _enter_mode(self, block: Block, line: str, word: str, raw: str, start: int) -> Block:
        """The mode that a line opens; the one it stands in, if none."""
        words = line.split(" ")
        at = Span(self.doc, start, start + len(line))
        if word in ("interface", "int") and len(words) > 1 and words[1] != "range":
            return self._enter_interface(" ".join(words[1:]), at, _measure_indent(raw))
        if words[:2] == ["qos", "profile"] and len(words) == 3:
            return self._enter_named_block(self.config.profiles, PROFILE, words[2], at, _measure_indent(raw))
        if line.startswith("platform trident mmu queue profile ") and len(words) == 6:
            return self._enter_named_block(self.config.mmu, MMU, words[5], at, _measure_indent(raw))
        wrong = _find_meant_mode(line)
        self._keep_line(self.config.globals if wrong else block, line, start)
        if wrong:
            return self._enter_lost_mode(wrong, line, start, _measure_indent(raw))
        if word in ("class-map", "policy-map"):
            if word == "policy-map":
                self.config.policies[words[-1]] = at
            policy = Block(POLICY, line, at, _measure_indent(raw), self.config.globals)
            self.config.sorting.setdefault(words[-1], []).append(policy)
            return policy
        if word in QUEUES and block.mode != GLOBAL:
            number = words[1] if len(words) == 2 else "-"  # of a queue that there is not
            queue = Block(QUEUE, number, at, _measure_indent(raw), block)
            queue.lines, queue.places, queue.prefix = block.lines, block.places, f"{word} {number}{IN_QUEUE}"
            return queue
        return block

    def _enter_named_block(self, known: dict[str, Block], mode: str, name: str, at: Span, indent: int) -> Block:
        """The block of that name, entered again or for the first time."""
        if name not in known:
            known[name] = Block(mode, name, at, indent, self.config.globals)
        known[name].indent = indent
        return known[name]

    def _enter_interface(self, name: str, at: Span, indent: int) -> Block:
        kind = name[:2].lower()
        config = self.config
        if kind == "de":
            mode, blocks = DEFAULTS, config.defaults
        elif kind in _PORTS and "." not in name:
            mode, blocks = PORT, config.ports
        elif kind == "vx":
            mode, blocks = VXLAN, config.vxlan
        else:
            mode, blocks = VIRTUAL, config.virtual
        block = Block(mode, name, at, indent, config.globals)
        blocks.append(block)
        return block


_OPENERS = (
    (PROFILE, re.compile(r"qos[-_ ]?profiles?\b(?! \S+$)|qos[-_]profiles? \S+$|qosprofile ")),
    (PORT, re.compile(r"interface range |(?!interface |int )i\w{4,10} (?:Et|et|Po|po|Ma)[a-z-]*[1-9]")),
)


def _find_meant_mode(line: str) -> str:
    """The mode that a line was to open, which no switch opens by it; empty if it is no such line."""
    return next((mode for mode, form in _OPENERS if form.match(line)), "")


def _is_foreign(word: str, line: str) -> bool:
    """Whether a line below the mode of another feature is that feature's: `qos dscp` there marks the switch's own."""
    return word not in NEVER_FOREIGN or line.removeprefix("no ").startswith(("qos dscp", "qos cos"))


@lru_cache(maxsize=4096)
def _is_slip(word: str) -> bool:
    """Whether a word that no mode knows looks like one of these commands."""
    return word not in OTHERS and near(word, WRITTEN_WRONG) is not None


def _find_mode_around(block: Block, indent: int) -> Block | None:
    """The mode that a line so far indented stands in; None: none."""
    found: Block | None = block
    while found is not None and indent <= found.indent:
        found = found.parent
    return found


def _measure_indent(raw: str) -> int:
    """How far a line is indented; a tab counts to the next multiple of 8."""
    if "\t" in raw:
        raw = raw.expandtabs()
    return len(raw) - len(raw.lstrip())
