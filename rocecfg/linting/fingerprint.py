"""What tells one finding from another when lines move: where it stands in the text's own terms, and what it says.

A fingerprint holds the rule, the path of the file, the keys that lead to the place (`classes.rdma.ecn.kmin`), the
value written there, the class, and the words of the message without its numbers. It does not hold lines and columns,
the order of keys, nor how many devices and ports the cause reaches: none of these makes an old finding look new.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import lru_cache

from rocecfg.core.records import NamedTuple
from rocecfg.linting.finding import Finding
from rocecfg.source.document import Document, SourceError, Sources
from rocecfg.source.yaml import Map, Node, Scalar, Seq, compose

_MOST = 120  # characters of a text that stands for a place
_ONE_LINE = 2000  # characters of a line that is a whole file, whose beginning says nothing of the place
_YAML = (".yaml", ".yml", ".json")


class Identity(NamedTuple):
    """A finding as a baseline keeps it."""

    path: str  # of its file, relative to a folder, with `/`
    place: str  # the keys that lead there, or the text of the line where a file has no keys
    key: str  # a digest of all but the path


def fingerprint(finding: Finding, sources: Sources, folder: str = "") -> str:
    """32 hexadecimal digits that stay the same while the finding does; two findings of one cause may share them.

    `folder`: what the path of the file is taken relative to; empty: the current folder.
    """
    found = identify_finding(finding, sources, folder)
    return _digest(found.path, found.key)


def fingerprints(findings: Iterable[Finding], sources: Sources, folder: str = "") -> list[str]:
    """As `fingerprint`, and those that several findings share are told apart by their number among them."""
    seen: dict[str, int] = {}
    out = []
    for finding in findings:
        one = fingerprint(finding, sources, folder)
        seen[one] = seen.get(one, 0) + 1
        out.append(one if seen[one] == 1 else _digest(one, str(seen[one])))
    return out


def identify_finding(finding: Finding, sources: Sources, folder: str = "") -> Identity:
    """What stays the same of a finding when its text is moved about."""
    path, place, text = finding.path, "", ""
    if finding.at is not None:
        document = sources.documents[finding.at.doc]
        path = document.path
        place, text = _find_symbolic_place(document, finding.at.start, finding.at.end)
    relative = os.path.relpath(os.path.abspath(path), folder or os.getcwd()).replace(os.sep, "/")
    name = finding.rule.name
    return Identity(
        relative, place, _digest(name, place, text, finding.cls or "", _reduce_message(name, finding.message))[:16]
    )


def _reduce_message(rule: str, message: str) -> str:
    """The words of a message without its numbers and its order, which is that of keys."""
    if rule == "hygiene-absent":
        return ""  # what is absent is no part of it: the next section a fabric gets would make it new
    return " ".join(sorted(set(re.sub(r"\d+(?:\.\d+)?", "", message).split())))


def _digest(*parts: str) -> str:
    import hashlib

    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _find_symbolic_place(document: Document, start: int, end: int) -> tuple[str, str]:
    """The keys that lead to a span, and the text it marks where that is one value or no value of the text at all."""
    marked = document.text[start:end]
    node = _parse_root(document)
    if node is None:
        line = document.line(document.place(start)[0])
        return _shorten(line if len(line) <= _ONE_LINE else marked), _shorten(marked)
    keys: list[str] = []
    while not (node.start == start and node.end == end):
        step = _step_down(node, start, end, document)
        if step is None:
            break
        key, inner = step
        keys.append(key)
        if inner is None:
            return ".".join(keys), ""
        node = inner
    whole = node.start == start and node.end == end and not isinstance(node, Scalar)
    return ".".join(keys), "" if whole else _shorten(marked)


def _step_down(node: Node, start: int, end: int, document: Document) -> tuple[str, Node | None] | None:
    """One level down towards a span: the key, and the node below it, None where the span is the key itself."""
    if isinstance(node, Map):
        for key, value in node.pairs:
            if key.start <= start and end <= key.end:
                return key.text, None
            if value.start <= start and end <= value.end:
                return key.text, value
    elif isinstance(node, Seq):
        for item in node.items:
            if item.start <= start and end <= item.end:
                text = document.text[item.start : item.end]
                return (f"[{_shorten(text)}]" if len(text) <= _MOST else "[]"), item
    return None


def _shorten(text: str) -> str:
    return " ".join(text.split())[:_MOST]


@lru_cache(4)  # findings come file by file
def _parse_root(document: Document) -> Node | None:
    if not document.path.endswith(_YAML):
        return None  # a file of links: its lines are its places
    try:
        return compose(document)
    except SourceError:
        return None
