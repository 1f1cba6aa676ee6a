"""Set lines, as `show configuration | display set` prints them, and as they are typed."""

from __future__ import annotations

import re

from rocecfg.model import Span
from rocecfg.source.document import Document
from rocecfg.vendors.junos.reading.grammar import Words
from rocecfg.vendors.junos.reading.lexing import (
    PROMPT,
    Setting,
    Statement,
    Statements,
    Token,
    Written,
    make_error,
    split_line,
    tokenize,
)

SET = re.compile(r"^[ \t]*(?:[\w.-]+@[^\s>#%]+[>#%] ?)?(set|delete|deactivate|edit|top) +(?![={])", re.MULTILINE)
_TYPED = re.compile(r"[ \t]*(?:[\w.-]+@[^\s>#%]+[>#%] ?)?")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_EDITS = frozenset({"set", "delete", "deactivate", "activate", "edit"})
_MOVES = frozenset({"top", "up", "exit", "quit"})
_STRANGE = frozenset({"rename", "copy", "insert", "replace", "wildcard"})
_HEAD = 3  # words
_SILENT = frozenset(
    {"annotate", "protect", "unprotect", "show", "commit", "configure", "run", "load", "rollback", "status", "save"}
)


def parse_set_lines(document: Document) -> Statements:
    """The statements that set lines leave. Raises SourceError for a line that is none."""
    text = _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), document.text)
    reader = _SetLinesReader(document)
    start = 0
    for line in text.split("\n"):
        begin, start = start, start + len(line) + 1
        if PROMPT.match(line) and not SET.match(line):
            continue
        typed = _TYPED.match(line)
        begin += typed.end() if typed is not None else 0
        found = list(tokenize(document, text, begin, start - 1))
        if found:
            reader.read_line(found)
    return reader.finish()


class _SetLinesReader:
    """What the lines amount to, one after the other."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._path: list[Words] = []  # of edit
        self._set: dict[Words, Statement] = {}
        self._single: dict[Words, Words] = {}  # of leaves with one value: what is set
        self._by_head: dict[Words, set[Words]] = {}  # what is set, by its first words: a delete looks there alone
        self._off: dict[Words, Statement] = {}
        self._strange: list[Statement] = []

    def read_line(self, line: list[Token]) -> None:
        verb, *rest = line
        at = Span(self._document.number, verb.start, line[-1].end)
        if verb.text in _STRANGE:
            self._strange.append(Statement(tuple(token.text for token in line), at))
        elif verb.text in _MOVES:
            self._change_path(verb.text, rest)
        elif verb.text in _EDITS:
            self._read_edit(verb, rest, at)
        elif verb.text not in _SILENT:
            raise make_error(
                self._document,
                verb.start,
                f"a set line cannot begin with '{verb.text[:60]}'",
                "give only set lines (show configuration | display set), or only the text with braces",
            )

    def finish(self) -> Statements:
        active: list[Statement] = []
        inactive: list[Statement] = []
        for words, one in self._set.items():
            off = bool(self._off) and any(words[:n] in self._off for n in range(1, len(words) + 1))
            (inactive if off else active).append(one)
        return Statements(active, inactive, self._strange, list(self._off))

    def _change_path(self, verb: str, rest: list[Token]) -> None:
        self._path = [] if verb == "top" else self._path[:-1]
        if verb == "top" and rest:
            self.read_line(rest)

    def _read_edit(self, verb: Token, rest: list[Token], at: Span) -> None:
        written = self._join_lists(rest)
        path = tuple(word for part in self._path for word in part)
        if not (path or written):
            raise make_error(self._document, verb.start, f"{verb.text} has no statement after it")
        if verb.text == "edit":
            self._path.append(tuple(each.item for each in written if isinstance(each.item, str)))
            return
        for setting in split_line(path, written, at):
            self._apply_edit(verb.text, setting)

    def _apply_edit(self, verb: str, setting: Setting) -> None:
        one = setting.statement
        words = one.words
        if verb == "set":
            if setting.single:
                other = self._single.get(words[:-1])
                if other is not None:
                    self._delete(other)
                self._single[words[:-1]] = words
            self._set[words] = one
            self._by_head.setdefault(words[:_HEAD], set()).add(words)
        elif verb == "delete":
            self._delete(words)
        elif verb == "deactivate":
            self._off[words] = one
        else:
            self._off.pop(words, None)

    def _delete(self, words: Words) -> None:
        heads = [words[:_HEAD]] if len(words) >= _HEAD else [head for head in self._by_head if _begins(head, words)]
        for head in heads:
            have = self._by_head.get(head, set())
            for path in [path for path in have if _begins(path, words)]:
                have.remove(path)
                del self._set[path]

    def _join_lists(self, line: list[Token]) -> list[Written]:
        """The words of a line, the values of a list in brackets as one."""
        out: list[Written] = []
        values: list[str] | None = None
        begin = 0
        for token in line:
            mark = token.mark
            if mark in ("{", "}", ";"):
                fix = "write set lines, or text with braces, not both"
                raise make_error(self._document, token.start, f"'{mark}' in a set line", fix)
            if mark == "[":
                values, begin = [], token.start
            elif mark == "]":
                out.append(Written(tuple(values or ()), begin, token.end))
                values = None
            elif values is None:
                out.append(Written(token.text, token.start, token.end))
            else:
                values.append(token.text)
        if values is not None:
            fix = "write the whole line"
            raise make_error(self._document, line[-1].start, "a list without ']': the line is cut off", fix)
        return out


def _begins(path: Words, words: Words) -> bool:
    return path[: len(words)] == words
