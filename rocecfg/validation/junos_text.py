"""Text of Junos as it is written: blocks in braces, or lines of `set`, `delete` and their like."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rocecfg.core.records import NamedTuple

# a word may hold a range in brackets that touches it: et-0/0/[0-3], <et-0/0/[0-3]>
_TOKEN = re.compile(r'/\*|"(?:\\.|[^"\\])*"|[{};\[\]]|#|[^\s{};\[\]"#](?:[^\s{};\[\]"]|\[[\w,*!-]+\])*|"|\n', re.DOTALL)
_REMARKS = re.compile(r"/\*.*?\*/", re.DOTALL)
_PROMPT = re.compile(r"^\S+@[\w.-]+[>#%] ")
_ASKED = re.compile(r"^[ \t]*(?:\S+@\S+[>#%][ \t]*)?show [^\n;{]*$", re.MULTILINE)
_SET_LINE = re.compile(r"(?:set|delete|deactivate|activate|edit|insert|rename|top)\b")
_TEMPLATE = re.compile(r"\{\{.*\}\}|\{%")
_TAGS = ("inactive:", "replace:", "protect:", "delete:", "active:", "unprotect:")
_OUT = frozenset({"inactive:", "delete:"})
JUDGED = ("set", "delete", "deactivate", "activate", "protect", "unprotect", "edit")
_LEVELS = ("top", "up", "exit", "quit")
_OTHER = "annotate rename copy insert replace wildcard load commit run show status rollback configure save"
_VERBS = frozenset((*JUDGED, *_LEVELS, *_OTHER.split()))


class Word(NamedTuple):
    """A word with its line. `place`: `[` opens a list, `in` stands in one."""

    text: str
    line: int
    place: str = ""


class JunosStatement:
    """A statement in braces: its words, the block after them (None: it ends with a semicolon), whether it is active."""

    __slots__ = ("block", "out", "words")

    def __init__(self) -> None:
        self.words: list[Word] = []
        self.block: list[JunosStatement] | None = None
        self.out = False  # inactive: or delete: stands before it


class JunosLine(NamedTuple):
    """A line of `set` and its like, with the words of `edit` before its own."""

    number: int
    verb: str
    path: list[Word]


class SyntaxFault(NamedTuple):
    """What is no text of Junos, and where."""

    line: int
    message: str


class _Unclosed(Exception):
    """A quotation or remark without end."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.wrong = SyntaxFault(line, message)


def join_words(words: list[Word]) -> str:
    """Words as they are written."""
    return " ".join(word.text for word in words)


def strip_prompts(text: str) -> str:
    """A text without what was typed to get it."""
    return _ASKED.sub("", text.replace("\r\n", "\n"))


def template_line(text: str) -> int | None:
    """The line in which a template's markup stands; None for a text without any."""
    found = _TEMPLATE.search(text)
    return None if found is None else text.count("\n", 0, found.start()) + 1


def are_set_lines(text: str) -> bool:
    """Whether a text is lines of `set`, not blocks in braces."""
    lines = [line.strip() for line in _REMARKS.sub("", text).splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    typed = sum(_SET_LINE.match(line) is not None and not line.endswith(("{", ";")) for line in lines)
    return typed > 0 and typed >= sum(line.endswith(("{", ";", "}")) for line in lines)


def _tokens(text: str) -> Iterator[tuple[int, str, bool]]:
    """Line, word and whether it is quoted. Raises _Unclosed."""
    line = 1
    at = 0
    while (found := _TOKEN.search(text, at)) is not None:
        word = found[0]
        at = found.end()
        if word == "\n":
            line += 1
        elif word == "/*":
            end = text.find("*/", at)
            if end < 0:
                raise _Unclosed(line, "a remark without end")
            line += text.count("\n", at, end)
            at = end + 2
        elif word == "#":
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
        elif word == '"':
            raise _Unclosed(line, "a quotation without end")
        elif word[0] == '"':
            yield line, re.sub(r"\\(.)", r"\1", word[1:-1]), True
            line += word.count("\n")
        else:
            yield line, word, False


# -- braces ------------------------------------------------------------------------------------------------------------


def parse_blocks(text: str, wrong: list[SyntaxFault]) -> list[JunosStatement]:
    """The statements of a text in braces; what is no such text is added to `wrong`."""
    reader = _Braces(wrong)
    try:
        for line, word, quoted in _tokens(text):
            reader.take(line, word, quoted=quoted)
    except _Unclosed as error:
        del wrong[:]
        wrong.append(error.wrong)
        return []
    return reader.finish()


class _Braces:
    def __init__(self, wrong: list[SyntaxFault]) -> None:
        self._wrong = wrong
        self._top: list[JunosStatement] = []
        self._open: list[tuple[JunosStatement, int]] = []  # statements whose block is open, and their line
        self._block = self._top
        self._now = JunosStatement()
        self._listed: int | None = None  # the line of an open `[`

    def take(self, line: int, word: str, *, quoted: bool) -> None:
        """The next word."""
        now = self._now
        if not quoted and word in _TAGS and not now.words:
            now.out = now.out or word in _OUT
        elif quoted or word not in ("{", "}", ";", "[", "]"):
            now.words.append(Word(word, line, "in" if self._listed is not None else ""))
        elif word == "[":
            if self._listed is not None:
                self._refuse(line, "'[' inside '['")
            self._listed = line
            now.words.append(Word("[", line, "["))
        elif word == "]":
            if self._listed is None:
                self._refuse(line, "']' without '['")
            self._listed = None
        else:
            self._take_sign(line, word)

    def _take_sign(self, line: int, word: str) -> None:
        """A brace or a semicolon."""
        if self._listed is not None:
            self._refuse(self._listed, "'[' without ']'")
            self._listed = None
            if word != "{":
                self._now = JunosStatement()
            if word == ";":
                return
        if word == "{":
            self._open_block(line)
        elif word == "}":
            self._close_block(line)
        else:
            if self._now.words:
                self._block.append(self._now)
            else:
                self._refuse(line, "';' without a statement")
            self._now = JunosStatement()

    def _open_block(self, line: int) -> None:
        now = self._now
        if not now.words:
            self._refuse(line, "'{' without a statement")
            now.words.append(Word("?", line))
        now.block = []
        self._block.append(now)
        self._open.append((now, now.words[0].line))
        self._block = now.block
        self._now = JunosStatement()

    def _close_block(self, line: int) -> None:
        self._refuse_unended()
        if not self._open:
            self._refuse(line, "'}' without '{'")
            return
        self._open.pop()
        block = self._open[-1][0].block if self._open else self._top
        assert block is not None
        self._block = block

    def _refuse_unended(self) -> None:
        """What stands before a brace that closes, or before the end, has lost its semicolon."""
        if self._now.words:
            self._refuse(self._now.words[-1].line, f"';' is missing after '{join_words(self._now.words)}'")
            self._block.append(self._now)
        self._now = JunosStatement()

    def finish(self) -> list[JunosStatement]:
        """What was read."""
        self._refuse_unended()
        for _, line in reversed(self._open):
            self._refuse(line, "'{' without '}'")
        return self._top

    def _refuse(self, line: int, message: str) -> None:
        self._wrong.append(SyntaxFault(line, message))


# -- lines -------------------------------------------------------------------------------------------------------------


def parse_set_lines(text: str, wrong: list[SyntaxFault]) -> tuple[list[JunosLine], int]:
    """The lines that say what is to stand in a configuration, and how many others there are."""
    out: list[JunosLine] = []
    others = 0
    levels: list[list[Word]] = []  # of `edit`
    clean = _REMARKS.sub(lambda found: "\n" * found[0].count("\n"), text)
    for number, raw in enumerate(clean.split("\n"), 1):
        line = raw.strip()
        if not line or line[0] in "#[":
            continue
        line = re.sub(r"\s##\s.*$", "", _PROMPT.sub("", line))
        verb = line.split(None, 1)[0]
        if verb not in _VERBS:
            wrong.append(SyntaxFault(number, f"'{verb}' is not a configuration command"))
            continue
        words = _split_words(number, line[len(verb) :], wrong)
        if words is None:
            continue
        if verb == "top" and words and words[0].text in ("edit", "set", "delete"):
            levels = []
            verb, words = words[0].text, words[1:]
        if verb in _LEVELS:
            levels = _leave_levels(levels, verb, words)
            continue
        if verb not in JUDGED:
            others += 1
            continue
        path = [*(word for level in levels for word in level), *words]
        if verb == "edit":
            levels = [*levels, words]
        if path:
            out.append(JunosLine(number, verb, path))
        else:
            wrong.append(SyntaxFault(number, f"{verb} needs a {'path' if verb == 'edit' else 'statement'}"))
    return out, others


def _leave_levels(levels: list[list[Word]], verb: str, words: list[Word]) -> list[list[Word]]:
    """The levels that are open after a line that leaves some."""
    if verb == "top":
        return []
    count = int(words[0].text) if verb == "up" and words and re.fullmatch(r"[0-9]{1,4}", words[0].text) else 1
    return levels[:-count]


def _split_words(number: int, text: str, wrong: list[SyntaxFault]) -> list[Word] | None:
    out: list[Word] = []
    listed = False
    try:
        for _, word, quoted in _tokens(text):
            if quoted or word not in ("{", "}", ";", "[", "]"):
                out.append(Word(word, number, "in" if listed else ""))
            elif word == "[":
                listed = True
                out.append(Word("[", number, "["))
            elif word == "]":
                listed = False
            else:
                wrong.append(SyntaxFault(number, f"'{word}' in a set line"))
                return None
    except _Unclosed as error:
        wrong.append(SyntaxFault(number, error.wrong.message))
        return None
    if listed:
        wrong.append(SyntaxFault(number, "'[' without ']'"))
        return None
    return out
