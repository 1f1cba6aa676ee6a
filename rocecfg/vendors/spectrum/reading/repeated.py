"""Keys that stand twice in one mapping of YAML or JSON: of the two, most readers keep the last."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from rocecfg.model import Span
from rocecfg.model.stated import Problem
from rocecfg.source.yaml import Map, Seq

_QUOTABLE = re.compile(r"[\w.,'\"-]{1,40}")  # settings and names of ports; what else a key may be is not repeated


def repeated(root: Any, doc: int) -> Iterator[Problem]:
    """A finding for each key that stands again in its mapping, with what is lost at the first one."""
    waiting = [root]
    done: set[int] = set()  # an alias stands at several places
    while waiting:
        node = waiting.pop()
        if id(node) in done:
            continue
        done.add(id(node))
        if type(node) is Seq:
            waiting += node.items
        if type(node) is not Map:
            continue
        known: dict[str, tuple[Any, Any]] = {}
        for key, value in node.pairs:
            waiting.append(value)
            before = known.get(key.text)
            if before is not None:
                first, lost = before
                yield Problem(
                    "schema-duplicate-key",
                    Span(doc, key.start, key.end),
                    f"{_named(key.text)} stands twice in one mapping: most readers of YAML keep this one, and drop "
                    f"{_counted(_leaves(lost))} below the first without a word; others refuse the file",
                    "put what both say below one key",
                    ((Span(doc, first.start, first.end), "the first one"),),
                )
            known[key.text] = key, value


def _named(key: str) -> str:
    return key if _QUOTABLE.fullmatch(key) else "one key"


def _counted(leaves: int) -> str:
    return f"{leaves} setting{'s' * (leaves != 1)}"


def _leaves(node: Any) -> int:
    """How many settings stand at a node and below it."""
    if type(node) is Map and node.pairs:
        return sum(_leaves(value) for _, value in node.pairs)
    return len(node.items) if type(node) is Seq else 1
