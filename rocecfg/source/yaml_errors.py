"""What mends a text that is no YAML: braces, brackets, commas and quotes that are missing, or one too many."""

from __future__ import annotations

from rocecfg.source.document import Document

_FLOW = "while parsing a flow "  # how the parser begins to say where it was
_QUOTED = "while scanning a quoted"
_CLOSES = {"{": "}", "[": "]"}
_ITEM = " \t-"  # what may stand before the first word of a line
_ENDS_WORD = frozenset(" \t\r\n,[]{}")


def syntax_help(document: Document, index: int, context: str, began: int | None) -> str:
    """What mends an error of the parser at `index`; empty where nothing is known.

    `context`: what the parser was at, in its words; `began`: where that began.
    """
    text = document.text
    here = text[index : index + 1]
    if context.startswith(_QUOTED) and began is not None:
        return f"the quote of {_place(document, began)} is not closed"
    if context.startswith(_FLOW) and began is not None and text[began : began + 1] in _CLOSES:
        return _in_flow(document, index, began)
    if here and here in _CLOSES.values():
        return f"this {here} closes nothing: take it out, or write what it closes before it"
    line = document.place(min(index, len(text)))[0]
    return "indent with blanks, not tabs" if any("\t" in _line(document, n) for n in (line, line - 1)) else ""


def _in_flow(document: Document, index: int, began: int) -> str:
    """Inside {…} or […], where the parser wants a comma, or the end."""
    text = document.text
    opener, here = text[began], text[index : index + 1]
    closer = _CLOSES[opener]
    if here == "[" and text[index - 1] not in _ENDS_WORD:
        return 'quote node sets inside {…}: {"leaf[01-02]": …}'
    if here and here in _CLOSES.values():
        return f"the {opener} of {_place(document, began)} is not closed: write {closer} before this {here}"
    word = _word(text, index)
    last = _last_line(document, word if word is not None else len(text), began)
    if word is None or _leaves(document, word, began, last):
        return f"the {opener} of {_place(document, began)} is not closed: write {closer} at the end of line {last}"
    told = _shown(text, word)
    return f"a comma is missing before {told}, in the {opener} of {_place(document, began)}"


def _word(text: str, index: int) -> int | None:
    """Where the word begins that the parser did not want; None: the text is at its end.

    It may have taken that word with the value before it, and stopped at the colon behind it.
    """
    if text[index : index + 1] == ":":
        while index > 0 and text[index - 1] not in _ENDS_WORD:
            index -= 1
        return index
    return index if text[index:].strip() else None


def _leaves(document: Document, word: int, began: int, last: int) -> bool:
    """Whether a word is a line's first, and no deeper than the line in which the flow collection began."""
    line, column = document.place(word)
    here, outer = _line(document, line), _line(document, document.place(began)[0])
    first = not here[: column - 1].strip(_ITEM)
    return first and line > last and len(here) - len(here.lstrip()) <= len(outer) - len(outer.lstrip())


def _last_line(document: Document, end: int, began: int) -> int:
    """The last line before `end` with something in it besides a comment, from where the collection began."""
    first, line = document.place(began)[0], document.place(end)[0]
    if not _line(document, line)[: document.place(end)[1] - 1].strip(_ITEM):
        line -= 1
    while line > first and not _line(document, line).partition("#")[0].strip():
        line -= 1
    return max(line, first)


def _shown(text: str, start: int) -> str:
    """The word at a place, quoted as it is, and shortened."""
    quote = text[start]
    end = start + 1
    while end < len(text) and (
        text[end] != quote if quote in "\"'" else text[end] not in _ENDS_WORD and text[end] != ":"
    ):
        end += 1
    word = text[start : end + (quote in "\"'")]
    return word if len(word) <= 40 else f"{word[:40]}…"


def _place(document: Document, index: int) -> str:
    line, column = document.place(index)
    return f"line {line}, column {column}"


def _line(document: Document, number: int) -> str:
    try:
        return document.line(number) if number >= 1 else ""
    except IndexError:
        return ""
