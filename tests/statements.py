"""How many statements a text has, as its system counts them, told without a reader of ours but for Junos."""

from __future__ import annotations

import json
import re
from typing import Any

import yaml

from rocecfg.source.document import Sources
from rocecfg.vendors.junos.reading.statements import parse_statements


def count_statements(vendor: str, text: str) -> int:
    """The statements of a text, as its system has them."""
    if vendor == "sonic":
        return count_leaves(json.loads(text), lists=False)
    if vendor == "spectrum" and re.search(r"^nv (un)?set ", text, re.MULTILINE) is None:
        return sum(count_leaves(below) for one in yaml.safe_load(text) for below in one.values())
    if vendor == "junos":  # as `display set` has them: a line may set several leaves, and a list has many values
        given = parse_statements(Sources().add("leaf01.conf", text))
        return len(given.active) + len(given.inactive) + len(given.strange)
    if vendor == "spectrum":  # words in quotes may have several lines
        text = re.sub(r"\"[^\"]*\"|'[^']*'", "x", text)
    ends = ("exit", "end") if vendor == "arista" else ()
    mark = "!" if vendor == "arista" else "#"
    return sum(line.strip() not in ("", *ends) and not line.strip().startswith(mark) for line in text.splitlines())


def count_leaves(value: Any, *, lists: bool = True) -> int:
    """The leaves of a tree; `lists`: a list has many, else it is the value of one field."""
    if value and isinstance(value, dict):
        return sum(count_leaves(one, lists=lists) for one in value.values())
    return len(value) if value and lists and isinstance(value, list) else 1
