"""Which profile, scheduler map and classifier a port has: by its own name, by its LAG's, or by a wildcard."""

from __future__ import annotations

from rocecfg.model.stated import Section
from rocecfg.vendors.junos.reading.cos import Cos
from rocecfg.vendors.junos.reading.groups import fits

_WILD = frozenset("*?[<")


def is_pattern(name: str) -> bool:
    """Whether a name of class-of-service interfaces stands for several ports."""
    return name == "all" or not _WILD.isdisjoint(name)


def find_binding(cos: Cos, name: str, lag: str | None) -> Section:
    """What is bound to a port: by wildcards, the narrower before the wider, by its LAG before these, by its name first.

    Juniper says that a wildcard binds several ports, and not what becomes of two statements that fit one port: that
    what only the wider one says holds beside the narrower, and that the narrower goes before it, is assumed.
    """
    out: Section = {}
    if cos.wild is None:  # once, and not for each of thousands of ports
        patterns = [pattern for pattern in cos.bound if is_pattern(pattern)]
        cos.wild = sorted(patterns, key=lambda each: (each != "all", len(each.replace("*", ""))))
    for pattern in cos.wild:
        if pattern == "all" or fits(pattern, name):
            out.update(cos.bound[pattern])
    if lag is not None:
        out.update(cos.bound.get(lag, {}))
    out.update(cos.bound.get(name, {}))
    return out
