"""YAML as positioned nodes, composed from PyYAML's C events (its pure parser where there is no C one).

Scalars stay text: they are typed by the schema that reads them, so YAML 1.1's `on`, `03` and `11:11` never change
type. Duplicate keys are kept for the reader to judge. Depth, size and what aliases expand to are bounded while
reading, because libyaml itself takes any nesting.
"""

from __future__ import annotations

import re

from rocecfg.core.records import NamedTuple
from rocecfg.source.document import Document, SourceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Rows = tuple[str, Callable[["Map"], Any]]


MAX_DEPTH = 64
_LOOKED_THROUGH = 100_000  # characters that the parser in Python reads in a moment
MAX_ALIASED = 1_000_000  # nodes that aliases may stand for in one file


class Scalar(NamedTuple):
    """A scalar: its text, unquoted; `plain` if it stood without quotes."""

    start: int
    end: int
    text: str
    plain: bool


class Seq(NamedTuple):
    """A sequence; `end` is the end of its last item, or of its closing bracket."""

    start: int
    end: int
    items: list[Any]  # of Node: a recursive type alias costs mypy more than it tells


class Map(NamedTuple):
    """A mapping as written: pairs in order, duplicates included."""

    start: int
    end: int
    pairs: list[tuple[Scalar, Any]]


Node = Scalar | Seq | Map


def has_c_parser() -> bool:
    """Whether PyYAML was built with libyaml; without it reading is some twenty times slower."""
    import yaml

    return bool(yaml.__with_libyaml__)


def compose(document: Document, rows: Rows | None = None) -> Node | None:
    """The root node of a text; None if it is empty. Raises SourceError for what is not YAML, or out of bounds.

    `rows`: the key of a list in the root mapping, and what is made of each mapping in it as soon as it is read, None
    to keep its nodes: of a list of a million rows no nodes are left.
    """
    import yaml  # late: a `config_db.json` needs none of it

    # without libyaml: the pure reader, scanner and parser in one, which gives the same events
    parser: Any = yaml.CLoader if yaml.__with_libyaml__ else yaml.Loader
    try:
        return _compose(parser(document.text), document, *(rows or (None, None)))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        # the mark's own line is one too many at the end of a text, and counts line breaks that editors do not
        line, column = document.place(min(mark.index, len(document.text))) if mark else (1, 1)
        message = error.problem or str(error)
        if "nesting depth" in message:  # libyaml has a bound too, since 0.2.6, and looks ahead up to it
            if mark and mark.index < _LOOKED_THROUGH:
                return _compose(yaml.Loader(document.text), document, *(rows or (None, None)))  # tells where ours is
            raise SourceError(document.path, f"nested deeper than {MAX_DEPTH} levels", "", line, column) from None
        began = error.context_mark.index if error.context_mark is not None else None
        help = suggest_fix(document, mark.index if mark else 0, error.context or "", began)
        raise SourceError(document.path, f"not YAML: {message}", help, line, column) from None
    except yaml.reader.ReaderError as error:
        # libyaml's position is in bytes of its own encoding: look for the character itself
        line, column = document.place(max(0, document.text.find(chr(error.character))))
        raise SourceError(document.path, f"not YAML: {error.reason}", "", line, column) from None
    except RecursionError:
        raise SourceError(document.path, f"nested deeper than {MAX_DEPTH} levels") from None


def _compose(  # noqa: C901, PLR0912, PLR0915 - one loop, the hottest
    parser: Any, document: Document, listed: str | None, row: Callable[[Map], Any] | None
) -> Node | None:
    import yaml

    get_event = parser.get_event
    new = tuple.__new__  # a NamedTuple's own __new__ costs twice as much, and there are millions
    alias_event, scalar_event = yaml.AliasEvent, yaml.ScalarEvent
    map_start, map_end = yaml.MappingStartEvent, yaml.MappingEndEvent
    seq_start, seq_end = yaml.SequenceStartEvent, yaml.SequenceEndEvent

    anchors: dict[str, tuple[Node, int]] = {}  # anchor -> node, how many nodes it stands for
    sizes: dict[int, int] = {}  # of nodes below anchors, by identity
    aliased = 0
    in_rows = False  # whether the list of rows is open
    last = 0  # where the last of them ended
    stack: list[tuple[list[Any], Any, bool, str | None]] = []  # open collections
    items: list[Any] = []  # of the innermost open one: nodes; a mapping's keys and values take turns
    root: Node | None = None
    documents = 0
    node: Node
    while True:
        event = get_event()
        kind = event.__class__
        if kind is scalar_event:
            node = new(Scalar, (event.start_mark.index, event.end_mark.index, event.value, event.implicit[0]))
            if event.anchor is not None:
                anchors[event.anchor] = (node, 1)
            items.append(node)
        elif kind is map_start or kind is seq_start:
            if len(stack) >= MAX_DEPTH:
                raise _build_error(document, event, f"nested deeper than {MAX_DEPTH} levels")
            if row is not None and len(stack) == 1 and kind is seq_start:
                in_rows = len(items) % 2 == 1 and getattr(items[-1], "text", None) == listed
            stack.append((items, event.start_mark.index, event.flow_style, event.anchor))
            if event.anchor is not None:
                anchors.pop(event.anchor, None)
            items = []
        elif kind is map_end or kind is seq_end:
            inner = items
            items, start, flow, anchor = stack.pop()
            # a block's end mark points at the next token: its end is that of its last child
            if flow:
                end = event.end_mark.index
            elif in_rows and len(stack) == 1:
                end = getattr(inner[-1], "end", last) if inner else start
            else:
                end = inner[-1].end if inner else start
            if kind is map_end:
                keys = inner[::2]
                for key in keys:
                    if key.__class__ is not Scalar:
                        line, column = document.place(key.start)
                        raise SourceError(
                            document.path,
                            "a mapping key must be a single word",
                            'quote it if it is a node set: "leaf[01-02]"',
                            line,
                            column,
                        )
                node = new(Map, (start, end, list(zip(keys, inner[1::2], strict=True))))
            else:
                node = new(Seq, (start, end, inner))
            if anchor is not None:
                anchors[anchor] = (node, _count_values(node, sizes))
            if in_rows:
                if len(stack) == 1:
                    in_rows = False
                elif len(stack) == 2:
                    last = end
                    if row is not None and node.__class__ is Map:
                        node = row(node) or node
            items.append(node)
        elif kind is alias_event:
            found = anchors.get(event.anchor)
            if found is None:
                raise _build_error(
                    document, event, f"the alias *{event.anchor} has no anchor before it, or stands in itself"
                )
            aliased += found[1]
            if aliased > MAX_ALIASED:
                raise _build_error(
                    document, event, f"aliases expand to more than {MAX_ALIASED} values", "write node sets"
                )
            items.append(found[0])
        elif kind is yaml.DocumentStartEvent:
            documents += 1
            if documents > 1:
                raise _build_error(document, event, "a second YAML document", "one document a file: give it its own")
        elif kind is yaml.DocumentEndEvent:
            root = items.pop() if items else None
        elif kind is yaml.StreamEndEvent:
            return root


def _count_values(node: Node, known: dict[int, int]) -> int:
    """How many values a node stands for, what it repeats by alias counted each time."""
    size = known.get(id(node))
    if size is None:
        parts: list[Node] = []
        if isinstance(node, Seq):
            parts = node.items
        elif isinstance(node, Map):
            parts = [part for pair in node.pairs for part in pair]
        size = known[id(node)] = 1 + sum(_count_values(part, known) for part in parts)
    return size


def _build_error(document: Document, event: Any, message: str, help: str = "") -> SourceError:
    return SourceError(document.path, message, help, *document.place(event.start_mark.index))


# -- what fixes a text that is no YAML ---------------------------------------------------------------------------------

# Braces, brackets, commas and quotes that are missing, or one too many.


_FLOW = "while parsing a flow "  # how the parser begins to say where it was
_BLOCK = "while parsing a block mapping"
_LIST = "while parsing a block collection"
_QUOTED = "while scanning a quoted"
_CLOSES = {"{": "}", "[": "]"}
_ITEM = " \t-"  # what may stand before the first word of a line
_ENDS_WORD = frozenset(" \t\r\n,[]{}")


def suggest_fix(document: Document, index: int, context: str, began: int | None) -> str:
    """What fixes an error of the parser at `index`; empty where nothing is known.

    `context`: what the parser was at, in its words; `began`: where that began.
    """
    text = document.text
    here = text[index : index + 1]
    if context.startswith(_FLOW) and here == ",":
        return "this comma is one too many: take it out"
    if context.startswith(_QUOTED) and began is not None:
        return f"the quote of {_locate(document, began)} is not closed"
    if context.startswith(_FLOW) and began is not None and text[began : began + 1] in _CLOSES:
        return _suggest_flow_fix(document, index, began)
    if here and here in _CLOSES.values():
        return f"this {here} closes nothing: take it out, or write what it closes before it"
    line, column = document.place(min(index, len(text)))
    if any("\t" in _read_line(document, n) for n in (line, line - 1)):
        return "indent with blanks, not tabs"
    if context.startswith(_LIST) and began is not None:
        return f"the list of {_locate(document, began)} goes on here without -: give each of its lines one, or none"
    return _suggest_column(document, line, column) if context == _BLOCK else _suggest_split(document, line, column)


def _suggest_split(document: Document, line: int, column: int) -> str:
    """What is wrong where a second colon stands in what the parser takes for one value."""
    words = _read_line(document, line)[: column - 1]
    glued = re.search(r"(\S+):([{\[])", words)
    if glued is not None:
        return f"write a blank after the colon: {glued[1]}: {glued[2]}"
    if (bare := re.match(r"\s*(?:- +)?([^\s:#]+) +([{\[])", words)) is not None:
        return f"write a colon after {bare[1]}: {bare[1]}: {bare[2]}"
    if (two := re.fullmatch(r"\s*(?:- +)?([^\s#]+): +([\w.-]+)", words)) is not None:
        key, inner = two.groups()
        return (
            f'{key} and {inner} are on one line: write {key}: {{{inner}: ...}}; if "{inner}: ..." is a text, quote it'
        )
    above = line - 1
    while above and (not _read_line(document, above).strip() or _read_line(document, above).lstrip().startswith("#")):
        above -= 1
    upper = _read_line(document, above) if above else ""
    if (bare := re.fullmatch(r"\s*(?:- +)?([^\s:#]+)\s*", upper)) is not None:
        return f"line {above} has no colon: write {bare[1]}:"
    valued = re.match(r"(\s*)(?:- +)?([^\s:]+): +([^\s#{\[|>&'\"].*)", upper)
    if valued is None or len(valued[1]) >= len(words) - len(words.lstrip()):
        return ""
    return f"line {above} gives {valued[2]} a value, so it can have no lines below: take the value out, or these lines"


def _suggest_column(document: Document, line: int, column: int) -> str:
    """Where the first word of a line may begin, by the lines above it; empty: it begins where one of them does."""
    deeper = ""
    least = 0  # the column of the line that `deeper` names
    if _read_line(document, line)[: column - 1].strip():
        return ""
    for above in range(line - 1, 0, -1):
        words = _read_line(document, above)
        if not words.strip() or words.lstrip().startswith("#"):
            continue
        begins = len(words) - len(words.lstrip()) + 1
        if begins == column:
            return ""
        if begins < column:
            return f"it begins in column {column}: indent it to column {begins}, as line {above}{deeper}"
        if not deeper or begins < least:
            deeper, least = f", or to column {begins}, as line {above}", begins
    return ""


def _suggest_flow_fix(document: Document, index: int, began: int) -> str:
    """Inside {…} or […], where the parser wants a comma, or the end."""
    text = document.text
    opener, here = text[began], text[index : index + 1]
    closer = _CLOSES[opener]
    if here == "[" and text[index - 1] not in _ENDS_WORD:
        start = index
        while start > 0 and text[start - 1] not in _ENDS_WORD:
            start -= 1
        if not _leaves_collection(document, start, began, _find_last_line(document, start, began)):
            return 'quote node sets inside {…}: {"leaf[01-02]": …}'
        index = start  # a node set of a line below: the braces before it are not closed
    if here and here in _CLOSES.values():
        return f"the {opener} of {_locate(document, began)} is not closed: write {closer} before this {here}"
    word = _find_word(text, index)
    last = _find_last_line(document, word if word is not None else len(text), began)
    if word is None or _leaves_collection(document, word, began, last):
        return f"the {opener} of {_locate(document, began)} is not closed: write {closer} at the end of line {last}"
    word_shown = _quote_word(text, word)
    if text[:word].rstrip().endswith(";"):
        return f"write a comma instead of ; before {word_shown}"
    return f"a comma is missing before {word_shown}, in the {opener} of {_locate(document, began)}"


def _find_word(text: str, index: int) -> int | None:
    """Where the word begins that the parser did not want; None: the text is at its end.

    It may have taken that word with the value before it, and stopped at the colon behind it.
    """
    if text[index : index + 1] == ":":
        while index > 0 and text[index - 1] not in _ENDS_WORD:
            index -= 1
        return index
    return index if text[index:].strip() else None


def _leaves_collection(document: Document, word: int, began: int, last: int) -> bool:
    """Whether a word is a line's first, and no deeper than the line in which the flow collection began."""
    line, column = document.place(word)
    here, outer = _read_line(document, line), _read_line(document, document.place(began)[0])
    first = not here[: column - 1].strip(_ITEM)
    return first and line > last and len(here) - len(here.lstrip()) <= len(outer) - len(outer.lstrip())


def _find_last_line(document: Document, end: int, began: int) -> int:
    """The last line before `end` with something in it besides a comment, from where the collection began."""
    first, line = document.place(began)[0], document.place(end)[0]
    if not _read_line(document, line)[: document.place(end)[1] - 1].strip(_ITEM):
        line -= 1
    while line > first and not _read_line(document, line).partition("#")[0].strip():
        line -= 1
    return max(line, first)


def _quote_word(text: str, start: int) -> str:
    """The word at a place, quoted as it is, and shortened."""
    quote = text[start]
    end = start + 1
    while end < len(text) and (
        text[end] != quote if quote in "\"'" else text[end] not in _ENDS_WORD and text[end] != ":"
    ):
        end += 1
    word = text[start : end + (quote in "\"'")]
    return word if len(word) <= 40 else f"{word[:40]}…"


def _locate(document: Document, index: int) -> str:
    line, column = document.place(index)
    return f"line {line}, column {column}"


def _read_line(document: Document, number: int) -> str:
    try:
        return document.line(number) if number >= 1 else ""
    except IndexError:
        return ""
