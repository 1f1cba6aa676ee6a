"""A Junos configuration as statements: one for each line that `show configuration | display set` would print.

Text with braces and set lines become the same: the words from the top of the hierarchy down, a list in brackets as one
statement for each of its values. What is inactive is kept apart.
"""

from __future__ import annotations

import re

from rocecfg.source.document import Document
from rocecfg.vendors.junos.reading.braces import parse_braces
from rocecfg.vendors.junos.reading.grammar import Words
from rocecfg.vendors.junos.reading.lexing import Statement, Statements, join_words
from rocecfg.vendors.junos.reading.set_lines import SET, parse_set_lines

_BRACES = re.compile(r"[{;}][ \t]*(?:#[^\n]*)?\r?$", re.MULTILINE)


def parse_statements(document: Document) -> Statements:
    """The statements of a text. Raises SourceError, with the place, for one that is not a configuration."""
    return parse_set_lines(document) if is_set_lines(document.text) else parse_braces(document)


def is_set_lines(text: str) -> bool:
    """Whether a text is set lines: else it has braces."""
    commands = len(SET.findall(text))
    return commands > 0 and commands >= len(_BRACES.findall(text))


__all__ = ["Statement", "Statements", "Words", "is_set_lines", "join_words", "parse_statements"]
