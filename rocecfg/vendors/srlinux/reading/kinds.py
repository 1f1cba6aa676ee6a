"""Ports that are told the same."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.model import Span
from rocecfg.model.stated import Section
from rocecfg.vendors.srlinux.reading.binding import Binding


class Kind(NamedTuple):
    """Ports that are told the same."""

    names: list[str]
    at: Span
    binding: Binding
    section: Section  # in the terms of an intent
    up: bool | None
