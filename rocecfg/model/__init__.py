"""The waist: what a fabric is, free of files, vendors and rules.

Values are plain; `x.at("field")` tells where a value came from. Origins and names take no part in equality,
so two devices are equal when the same configuration and the same findings must come out of them.
"""

from __future__ import annotations

from rocecfg.model.fabric import (
    ALL_COLORS,
    AUTO,
    Buffers,
    Device,
    Ecn,
    Fabric,
    Headroom,
    Link,
    PortGroup,
    QosMaps,
    TrafficClass,
    Watchdog,
)
from rocecfg.model.facts import Asic, Box, Lack, Limit, Nos, Platform
from rocecfg.model.origin import Computed, Default, Fact, Origin, Span, spans_of

__all__ = [
    "ALL_COLORS",
    "AUTO",
    "Asic",
    "Box",
    "Buffers",
    "Computed",
    "Default",
    "Device",
    "Ecn",
    "Fabric",
    "Fact",
    "Headroom",
    "Lack",
    "Limit",
    "Link",
    "Nos",
    "Origin",
    "Platform",
    "PortGroup",
    "QosMaps",
    "Span",
    "TrafficClass",
    "Watchdog",
    "spans_of",
]
