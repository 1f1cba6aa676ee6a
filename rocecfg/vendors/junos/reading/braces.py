"""Text with braces, as `show configuration` prints it."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.model import Span
from rocecfg.source.document import Document
from rocecfg.vendors.junos.reading.grammar import Words
from rocecfg.vendors.junos.reading.lexing import (
    PROMPT,
    Statement,
    Statements,
    Token,
    Written,
    make_error,
    split_line,
    tokenize,
)

_TAGS = frozenset({"inactive:", "replace:", "protect:", "delete:", "active:", "unprotect:"})
_INACTIVE = "inactive:"
_GONE = frozenset({_INACTIVE, "delete:"})
_MOST_DEEP = 64
_TYPED = frozenset({"set", "delete", "deactivate"})  # what begins a set line, and no statement


def parse_braces(document: Document) -> Statements:
    """The statements of a text with braces. Raises SourceError for braces and lists that do not pair."""
    text = PROMPT.sub(lambda found: " " * len(found[0]), document.text)
    reader = _BracesReader(document)
    for token in tokenize(document, text, 0, len(text)):
        reader.read_token(token)
    return reader.finish()


class _OpenBlock(NamedTuple):
    """A block that is not closed yet."""

    words: Words
    at: int  # of its brace
    begin: Span
    gone: bool
    filled: list[bool]  # of one: whether anything stands in it


class _BracesReader:
    def __init__(self, document: Document) -> None:
        self._document = document
        self._out = Statements([], [], [], [])
        self._opened: list[_OpenBlock] = []
        self._own: list[Token] = []
        self._written: list[Written] = []  # of them, and of lists
        self._tags: set[str] = set()
        self._listed: list[str] | None = None  # values of the list that is open
        self._bracket = 0

    def read_token(self, token: Token) -> None:
        mark = token.mark
        if self._listed is not None:
            self._read_list_token(token, mark)
        elif mark in ("[", "]"):
            self._open_list(token, mark)
        elif mark == "{":
            self._open_block(token)
        elif mark == "}":
            self._close_block(token)
        elif mark == ";":
            self._end_statement()
        elif mark in _TAGS and not self._own:
            self._tags.add(mark)
        else:
            self._own.append(token)
            self._written.append(Written(token.text, token.start, token.end))

    def finish(self) -> Statements:
        whole = "give the whole configuration"
        if self._listed is not None:
            raise make_error(self._document, self._bracket, "this '[' has no ']': the text is cut off", whole)
        if self._opened:
            last = self._opened[-1]
            words = " ".join(last.words[-2:])[:60]
            message = f"the '{{' of '{words}' is not closed: the text is cut off"
            raise make_error(self._document, last.at, message, whole)
        self._refuse_unended()
        return self._out

    def _read_list_token(self, token: Token, mark: str) -> None:
        if mark in ("{", "}", ";", "["):
            raise make_error(self._document, self._bracket, "this '[' has no ']'", "close the list")
        if mark == "]":
            self._written.append(Written(tuple(self._listed or ()), self._bracket, token.end))
            self._listed = None
            self._own.append(token._replace(text=""))
        elif self._listed is not None:
            self._listed.append(token.text)

    def _open_list(self, token: Token, mark: str) -> None:
        if mark == "]":
            raise make_error(self._document, token.start, "this ']' has no '['")
        if not self._own:
            raise make_error(self._document, token.start, "a list is not a statement")
        self._listed, self._bracket = [], token.start

    def _refuse_set_line(self) -> None:
        """A set line ends with its line, and would take what follows to be its own words."""
        if self._own and self._own[0].mark in _TYPED and not self._opened:
            raise make_error(
                self._document,
                self._own[0].start,
                "a set line in a text with braces",
                "give only set lines (show configuration | display set), or only the text with braces",
            )

    def _open_block(self, token: Token) -> None:
        self._refuse_set_line()
        if not self._own:
            raise make_error(self._document, token.start, "this '{' has no statement before it")
        if len(self._opened) >= _MOST_DEEP:
            raise make_error(self._document, token.start, f"statements are nested more than {_MOST_DEEP} deep")
        begin = Span(self._document.number, self._own[0].start, self._own[-1].end)
        words = self._full_words()
        gone = self._is_inactive()
        if _INACTIVE in self._tags:
            self._out.off.append(words)
        self._mark_filled()
        self._opened.append(_OpenBlock(words, token.start, begin, gone, [False]))
        self._reset_statement()

    def _close_block(self, token: Token) -> None:
        self._refuse_unended()
        if not self._opened:
            top = "give the text from the top of the hierarchy"
            raise make_error(self._document, token.start, "this '}' has no '{'", top)
        closed = self._opened.pop()
        if not closed.filled[0]:  # an empty block says that there is such a thing
            self._add_statement(Statement(closed.words, closed.begin), gone=closed.gone)

    def _end_statement(self) -> None:
        self._refuse_set_line()
        if self._own:
            at = Span(self._document.number, self._own[0].start, self._own[-1].end)
            gone = self._is_inactive()
            self._mark_filled()
            for setting in split_line(self._opened[-1].words if self._opened else (), self._written, at):
                self._add_statement(setting.statement, gone=gone)
                if _INACTIVE in self._tags:
                    words = setting.statement.words
                    self._out.off.append(words[:-1] if setting.single else words)
        self._reset_statement()

    def _reset_statement(self) -> None:
        self._own, self._written, self._tags = [], [], set()

    def _mark_filled(self) -> None:
        if self._opened:
            self._opened[-1].filled[0] = True

    def _full_words(self) -> Words:
        own = (token.text for token in self._own if token.text or token.quoted)
        return (*(self._opened[-1].words if self._opened else ()), *own)

    def _is_inactive(self) -> bool:
        return bool(self._opened and self._opened[-1].gone) or not _GONE.isdisjoint(self._tags)

    def _add_statement(self, one: Statement, *, gone: bool) -> None:
        (self._out.inactive if gone else self._out.active).append(one)

    def _refuse_unended(self) -> None:
        self._refuse_set_line()
        if self._own:
            words = " ".join(token.text for token in self._own)[:60]
            raise make_error(self._document, self._own[0].start, f"';' is missing after '{words}'", "end the statement")
