"""The words of a Junos configuration, and the statements that they make up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from rocecfg.core.records import NamedTuple
from rocecfg.model import Span
from rocecfg.source.document import Document, SourceError
from rocecfg.vendors.junos.reading.grammar import Item, Words, split_leaves

_TOKEN = re.compile(
    r'(?s:/\*.*?\*/)|/\*|#[^\n]*|"(?:\\.|[^"\\])*"|[{};\[\]]|'
    # a word may hold a range in brackets that touches it: et-0/0/[0-3]
    r'[^\s{};\[\]"#](?:[^\s{};\[\]"]|\[[\w,*!-]+\])*|"'
)
_PLAIN = re.compile(r'[^\s;{}\[\]#"]+')
PROMPT = re.compile(  # and what stands around it: which routing engine, which hierarchy
    r"^[ \t]*(?:[\w.-]+@[^\s>#%]+[>#%][^\n]*|\{(?:master|backup|primary|linecard)[^\n}]*\}[ \t\r]*|"
    r"\[edit[^\n]*\][ \t\r]*)$",
    re.MULTILINE,
)


class Statement(NamedTuple):
    """A statement: its words from the top of the hierarchy down, and where its own are written."""

    words: Words
    at: Span


class Written(NamedTuple):
    """A word of a line, or a list in brackets, and where it is written."""

    item: Item
    start: int
    end: int


class Setting(NamedTuple):
    """A statement of a line. `single`: it takes the place of another value of its leaf."""

    statement: Statement
    single: bool


class Statements(NamedTuple):
    """What a text states."""

    active: list[Statement]
    inactive: list[Statement]
    strange: list[Statement]  # commands whose effect is not worked out: rename, copy, insert
    off: list[Words]  # what is deactivated as a whole, as `activate` names it


class Token(NamedTuple):
    """A word or a mark, and where it is written."""

    text: str
    quoted: bool
    start: int
    end: int

    @property
    def mark(self) -> str:
        """What it is where it stands for itself; nothing of a text in quotes."""
        return "" if self.quoted else self.text


def make_error(document: Document, at: int, message: str, help: str = "") -> SourceError:
    """What is wrong at a place of a text."""
    return SourceError(document.path, message, help, *document.place(at))


def tokenize(document: Document, text: str, start: int, end: int) -> Iterator[Token]:
    """The words and marks of a part of a text, comments left out. Raises SourceError for what has no end."""
    for found in _TOKEN.finditer(text, start, end):
        word = found[0]
        first = word[0]
        if first == '"':
            if len(word) == 1:
                raise make_error(
                    document, found.start(), "this text in quotes has no end", "close it, or give the whole text"
                )
            yield Token(re.sub(r"\\(.)", r"\1", word[1:-1]), True, found.start(), found.end())  # noqa: FBT003
        elif first == "/" and word.startswith("/*"):
            if len(word) == len("/*"):
                raise make_error(document, found.start(), "this comment has no end", "write */, or give the whole text")
        elif first != "#":
            yield Token(word, False, found.start(), found.end())  # noqa: FBT003


def split_line(path: Words, line: Sequence[Written], at: Span) -> Iterator[Setting]:
    """What a line below a path sets, each setting with its own place; a line of one has that of the line."""
    skip = len(path)
    for leaf in split_leaves((*path, *(each.item for each in line))):
        start = at.start if leaf.first <= skip else line[leaf.first - skip].start
        end = at.end if leaf.last == skip + len(line) - 1 else line[max(0, leaf.last - skip)].end
        yield Setting(Statement(leaf.words, at._replace(start=start, end=end)), leaf.single)


def join_words(words: Iterable[str]) -> str:
    """The words of a statement as a set line has them behind `set`."""
    return " ".join(
        word if _PLAIN.fullmatch(word) else '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"' for word in words
    )
