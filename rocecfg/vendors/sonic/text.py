"""The templates of SONiC, compiled once a process, with the filters that give JSON its shape."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from rocecfg.vendors.base import environment

if TYPE_CHECKING:
    from jinja2 import Template

PORT = "\x00"  # stands for the port's name in a block; no name of CONFIG_DB can hold it


@cache
def template(name: str, overrides: str | None) -> Template:
    """A compiled template; `overrides` is the user's folder, whose files win over ours."""
    env = environment("sonic", overrides)
    env.filters.update(row=_row, lines=_lines, each_port=_each_port, no_last_comma=_no_last_comma)
    return env.get_template(name)


def _row(value: object) -> str:
    return json.dumps(value)


def _lines(mapping: Mapping[str, str], indent: int) -> str:
    pad = "\n" + " " * indent
    body = json.dumps(mapping, separators=("," + pad + "    ", ": "))
    return "{" + pad + "    " + body[1:-1] + pad + "}"


def _each_port(block: str, ports: Sequence[str]) -> str:
    """The loop over ports, done outside the template: the block is rendered once for all ports of a group."""
    parts = block.split(PORT)
    return "".join([port.join(parts) for port in ports])


def _no_last_comma(block: str) -> str:
    head, _, tail = block.rpartition(",")
    return head + tail
