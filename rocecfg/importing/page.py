"""YAML for people: blocks where they are long, one line where it fits, comments above a key or beside it.

ruamel.yaml writes it. What YAML 1.1 would read as another type than text (`on`, `yes`, `11:11`) stands in quotes, since
other tools of the user may read the file too.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterable
from functools import lru_cache
from io import StringIO

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.nodes import ScalarNode
from ruamel.yaml.representer import RoundTripRepresenter
from ruamel.yaml.resolver import VersionedResolver
from ruamel.yaml.scalarstring import DoubleQuotedScalarString
from yaml import ScalarNode as OldScalarNode
from yaml.resolver import Resolver as OldResolver

from rocecfg.core.records import NamedTuple
from rocecfg.core.visible import visible
from rocecfg.importing.format import Quoted
from rocecfg.source.write import Value

WIDTH = 120
_INDENT = 2
_STRING = "tag:yaml.org,2002:str"
_TYPED = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?|true|false")  # what every YAML reads as the same number or truth
_SAFE = re.compile(
    r"[A-Za-z0-9_/](?:[A-Za-z0-9_./%+() -]*[A-Za-z0-9_./%+()-])?"
)  # plain to every YAML, in brackets too
_OLD_TRUTH = frozenset("yYnN")  # of YAML 1.1's words for true and false, those that PyYAML leaves out


class PageKey(NamedTuple):
    """A key with its value, or with entries of its own; comments without their #. No key: a blank line."""

    key: str
    value: Value | tuple[PageKey, ...] = ()
    above: tuple[str, ...] = ()
    beside: str = ""


GAP = PageKey("")


class _Typed(str):
    """A number or a truth value, as text."""

    __slots__ = ()


class _Representer(RoundTripRepresenter):
    """Writes numbers and truth values as they stand in the text."""

    def typed(self, text: _Typed) -> ScalarNode:
        """The node that is read as what the text says."""
        tag = self.dumper.resolver.resolve(ScalarNode, text, (True, False))
        return self.represent_scalar(tag, str(text))


_Representer.add_representer(_Typed, _Representer.typed)


def write_page(entries: Iterable[PageKey], head: Iterable[str] = ()) -> str:
    """The text of a file that begins with these comments."""
    root = _make_block(entries, 0)
    if comments := _wrap_comments(head, 0):
        root.yaml_set_start_comment("\n".join(comments))
    writer = YAML()
    writer.Representer = _Representer
    writer.width = sys.maxsize  # a flow that is broken into lines is hard to read
    writer.indent(mapping=_INDENT, sequence=2 * _INDENT, offset=_INDENT)
    out = StringIO()
    writer.dump(root, out)
    return out.getvalue()


def _make_block(entries: Iterable[PageKey], indent: int) -> CommentedMap:
    out = CommentedMap()
    gap = False
    for key, value, above, beside in entries:
        if not key:
            gap = True
            continue
        name = _make_key(key)
        out[name] = _make_value(name, value, indent)
        comments = [*([""] if gap else ()), *_wrap_comments(above, indent)]
        if comments:
            out.yaml_set_comment_before_after_key(name, before="\n".join(comments) or "\n", indent=indent)
        if beside:
            out.yaml_add_eol_comment(visible(beside), name, column=0)
        gap = False
    return out


def _make_value(name: str, value: Value | tuple[PageKey, ...], indent: int) -> object:
    """A value below a key: in a block of its own where it is long, or a list of mappings."""
    if isinstance(value, tuple):
        return _make_block(value, indent + _INDENT)
    listed = isinstance(value, list) and any(isinstance(item, dict) for item in value)
    if isinstance(value, str) or not value or (indent + len(name) + 4 + _measure_length(value) <= WIDTH and not listed):
        return _make_flow(value)
    if isinstance(value, dict):
        return _make_block((PageKey(k, v) for k, v in value.items()), indent + _INDENT)
    return CommentedSeq(map(_make_flow, value))


def _measure_length(value: Value) -> int:
    """Characters of a value on one line, the quotes of some texts aside."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum(len(key) + 4 + _measure_length(part) for key, part in value.items())
    return sum(2 + _measure_length(part) for part in value)


def _make_flow(value: Value) -> object:
    """A value on one line."""
    if isinstance(value, str):
        return _make_scalar(value, isinstance(value, Quoted))
    out: CommentedMap | CommentedSeq
    if isinstance(value, dict):
        out = CommentedMap((_make_key(key), _make_flow(part)) for key, part in value.items())
    else:
        out = CommentedSeq(map(_make_flow, value))
    out.fa.set_flow_style()
    return out


@lru_cache(maxsize=4096)
def _make_scalar(text: str, quoted: bool) -> str:
    if not quoted and _TYPED.fullmatch(text):
        return _Typed(text)
    return DoubleQuotedScalarString(text) if quoted or _needs_quotes(text) else text


@lru_cache(maxsize=4096)
def _make_key(key: str) -> str:
    """A key; node sets in quotes."""
    return DoubleQuotedScalarString(key) if _needs_quotes(key) else key


@lru_cache(maxsize=1)
def _make_old_resolver() -> OldResolver:
    return OldResolver()


@lru_cache(maxsize=1)
def _make_new_resolver() -> VersionedResolver:
    return VersionedResolver()


def _needs_quotes(text: str) -> bool:
    """Whether some YAML may read something else than this text where it stands without quotes."""
    if text in _OLD_TRUTH or not _SAFE.fullmatch(text):
        return True
    read: str = _make_old_resolver().resolve(OldScalarNode, text, (True, False))  # type: ignore[no-untyped-call]
    return read != _STRING or _make_new_resolver().resolve(ScalarNode, text, (True, False)) != _STRING


def _wrap_comments(texts: Iterable[str], indent: int) -> list[str]:
    """Comments as lines that fit."""
    width = WIDTH - indent - 2
    return [
        line
        for text in texts
        for line in textwrap.wrap(visible(text), width, break_long_words=False, break_on_hyphens=False)
    ]
