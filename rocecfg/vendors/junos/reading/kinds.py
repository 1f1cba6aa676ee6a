"""Ports that are told the same."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.model import Span
from rocecfg.model.stated import Section


class Kind(NamedTuple):
    """Ports that are told the same."""

    names: list[str]  # []: all ports, none of which is named
    at: Span
    binding: Section  # profile, map, dscp, ieee-802.1, fixed, rewrite
    section: Section  # in the terms of an intent
    up: bool | None
    uplink: bool | None  # leads to a switch, and is not for management, by its description; None: that does not say
