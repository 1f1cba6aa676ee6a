"""A finding: one cause, where it stands, and how far it reaches."""

from __future__ import annotations

from typing import NamedTuple

from rocecfg.model import Span
from rocecfg.rules import Rule


class Finding(NamedTuple):
    """What a rule found, folded over all devices and ports that the cause reaches."""

    rule: Rule
    severity: str
    message: str
    help: str
    at: Span | None  # None: no place in a text (a file that could not be decoded has path, line, column instead)
    related: tuple[tuple[Span, str], ...] = ()
    devices: tuple[str, ...] = ()
    ports: tuple[str, ...] = ()  # names, where one device is concerned
    port_count: int = 0  # devices times ports
    cls: str | None = None
    path: str = ""  # where `at` is None
    line: int = 1
    column: int = 1
