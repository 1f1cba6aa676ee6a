"""`nv set` and `nv unset` lines of a shell script, or of `nv config show -o commands`, as YAML nodes with places."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import dropwhile
from typing import Any

from rocecfg.core.records import NamedTuple
from rocecfg.source.document import Document, SourceError
from rocecfg.source.yaml import Map, Scalar
from rocecfg.vendors.spectrum.reading.names import is_address
from rocecfg.vendors.spectrum.reading.objects import find_slip

# What a shell sees of a line: blanks, the end of a statement, quotes, escapes, and runs of all else.
_TOKEN = re.compile(
    r"(?P<blank>[^\S\n]+|\\\r?(?:\n|\Z))|(?P<end>\n|;|&&|\|\||\||&)|'(?P<single>[^']*)'|\"(?P<double>(?:[^\"\\]|\\.)*)\"|"
    r"\\(?P<escaped>.)|(?P<plain>[^\s;&|'\"\\]+)|(?P<open>['\"])",
    re.DOTALL,
)
_SPECIAL = re.compile(r"[\n'\"\\;&|#]")
_WORD = re.compile(r"\S+")
_QUOTABLE = re.compile(r"\\([\"\\$`\n])")
_PROMPT = re.compile(r"\S*[$#>]")  # cumulus@leaf01:mgmt:~$
_NV = re.compile(r"\bnv[ \t]+(?:set|unset|config)\b")
VERBS = ("set", "unset")
_OTHER_VERBS = ("show", "action", "config", "list")
_OURS = ("qos", "interface")  # a slip of these is no other object of NVUE
APPLY = "apply"


_END = ""  # no word
_ADDRESSES = "/"  # no word either: any address
_new = tuple.__new__  # a NamedTuple's own __new__ costs twice as much: a script may have a million words


class NvCommand(NamedTuple):
    """A statement. `tree`: {word: {word: ...}}; None for `nv config apply`. `slip`: what is written for the verb."""

    verb: str
    tree: Any
    slip: Scalar | None = None


class IdleWords:
    """The words of statements that made objects and set no value: what begins like them changes nothing more.

    A script says thousands of times that there is a `router policy`, and that a port has an address.
    """

    __slots__ = ("_next",)

    def __init__(self) -> None:
        self._next: dict[str, Any] = {}  # word -> what may follow; None: whatever follows is not read

    def add(self, words: list[str], *, whole: bool) -> None:
        """Remember the words of a statement that were read; `whole`: it ends with them."""
        at = self._next
        for word in words[:-1]:
            at = at.setdefault(word, {})
        if whole:
            at.setdefault(words[-1], {})[_END] = None
        else:  # where one address is not read, no other is
            at[_ADDRESSES if is_address(words[-1]) else words[-1]] = None

    def has(self, words: list[str]) -> bool:
        """Whether a statement of these words, behind `nv set`, changes nothing."""
        at = self._next
        for word in words:
            if word not in at:
                return _ADDRESSES in at and is_address(word)
            at = at[word]
            if at is None:
                return True
        return _END in at

    def forget(self) -> None:
        """Remember none: what was unset can be made again."""
        self._next = {}


def are_commands(text: str) -> bool:
    """Whether a text is lines of commands, not YAML: some line begins with one."""
    for match in _NV.finditer(text):
        begin = text.rfind("\n", 0, match.start()) + 1
        before = text[begin : match.start()].split()
        if all(_PROMPT.fullmatch(word) or word == "sudo" for word in before):
            return True
    return False


def parse_commands(document: Document, objects: frozenset[str], idle: IdleWords) -> Iterator[NvCommand]:
    """The statements of a script that set or unset one of these objects, and those that apply what was set.

    Of those that are `idle` most are left out. Slips of verbs and of `qos` and `interface` are among them.

    Raises SourceError for a quote that is never closed.
    """

    @cache
    def concerns(about: str) -> bool:
        return about in objects or find_slip(about, _OURS) is not None

    for statement in _split_statements(document, concerns, idle):
        words = list(dropwhile(_leads_to_command, statement))
        if len(words) < 3 or words[0].text != "nv":
            continue
        verb, about = words[1].text, words[2].text
        if verb == "config" and about == APPLY:
            yield NvCommand(APPLY, None)
        elif not concerns(about):
            continue
        elif verb in VERBS:
            yield NvCommand(verb, _nest_words(words[2:]))
        elif verb not in _OTHER_VERBS and (meant := find_slip(verb, VERBS)) is not None:
            yield NvCommand(meant, _nest_words(words[2:]), words[1])


def list_statements(document: Document) -> Iterator[list[Scalar]]:
    """The words of every statement of a script, without prompts; comments left out."""
    for statement in _split_statements(document, lambda _: True, IdleWords()):
        yield list(dropwhile(_leads_to_command, statement)) or statement


def _leads_to_command(word: Scalar) -> bool:
    """Whether a word only leads to the command: a prompt, or sudo."""
    return word.text == "sudo" or (word.plain and _PROMPT.fullmatch(word.text) is not None)


def _nest_words(words: list[Scalar]) -> Any:
    end = words[-1].end
    found: Any = words[-1]
    for word in reversed(words[:-1]):
        found = Map(word.start, end, [(word, found)])
    return found if len(words) > 1 else Map(found.start, end, [(found, None)])


def _split_statements(document: Document, concerns: Callable[[str], bool], idle: IdleWords) -> Iterator[list[Scalar]]:
    """The words of each statement, comments left out; and most of those that set what nobody here reads, or nothing.

    `concerns`: whether an object is read.
    """
    text = document.text
    words: list[Scalar] = []
    parts: list[str] = []  # of the word at hand
    start = at = 0
    plain = True
    while at < len(text):
        if not words and not parts:
            special = _SPECIAL.search(text, at)
            end = special.start() if special is not None else len(text)
            if end == len(text) or text[end] == "\n":  # a line without quotes and the like: nearly all are
                if simple := _split_simple_line(text, at, end, concerns, idle):
                    yield simple
                at = end + 1
                continue
        match = _TOKEN.match(text, at)
        assert match is not None  # every character is in one of the groups, but for a backslash at the end
        kind = match.lastgroup
        if kind == "plain" and not parts and match[0][0] == "#":
            at = text.find("\n", at)
            at = len(text) if at < 0 else at
            continue
        if kind in ("blank", "end"):
            if parts:
                words.append(Scalar(start, at, "".join(parts), plain))
                parts, plain = [], True
            if kind == "end" and words:
                yield words
                words = []
        elif kind == "open":
            raise SourceError(
                document.path, "a quote that is never closed", "close it on the line it belongs to", *document.place(at)
            )
        else:
            if not parts:
                start = at
            parts.append(_unquote(match))
            plain = plain and kind == "plain"
        at = match.end()
    if parts:
        words.append(Scalar(start, at, "".join(parts), plain))
    if words:
        yield words


def _split_simple_line(text: str, at: int, end: int, concerns: Callable[[str], bool], idle: IdleWords) -> list[Scalar]:
    """The words of a line without quotes and the like; none where it sets what nobody here reads, or nothing."""
    words = text[at:end].split()
    if len(words) > 2 and words[0] == "nv" and words[1] in VERBS and not concerns(words[2]):
        return []
    if len(words) > 2 and words[0] == "nv" and words[1] == "set" and idle.has(words[2:]):
        return []
    return [_new(Scalar, (m.start(), m.end(), m[0], True)) for m in _WORD.finditer(text, at, end)]


def _unquote(match: re.Match[str]) -> str:
    double = match["double"]
    if double is not None:
        return _QUOTABLE.sub(lambda m: "" if m[1] == "\n" else m[1], double)
    return match["single"] if match["single"] is not None else match["escaped"] or match["plain"] or ""
