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
    EcnPercent,
    Fabric,
    Headroom,
    Link,
    Links,
    LoadBalancing,
    Pools,
    PortGroup,
    QosMaps,
    TrafficClass,
    Trimming,
    Watchdog,
    kept_with_fabric,
)
from rocecfg.model.origin import Computed, Default, Origin, ProfileFact, Span, spans_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rocecfg.model.facts import (
        Asic,
        Box,
        CurveTable,
        Family,
        HeadroomRow,
        HeadroomTable,
        Lack,
        Limit,
        Nic,
        Nos,
        Platform,
        PoolSet,
        StockCurve,
        Workload,
    )
    from rocecfg.model.running import Running, RunningGroup, RunningLeft, RunningPool, RunningPort, RunningQueue

__all__ = [
    "ALL_COLORS",
    "AUTO",
    "Asic",
    "Box",
    "Buffers",
    "Computed",
    "CurveTable",
    "Default",
    "Device",
    "Ecn",
    "EcnPercent",
    "Fabric",
    "Family",
    "Headroom",
    "HeadroomRow",
    "HeadroomTable",
    "Lack",
    "Limit",
    "Link",
    "Links",
    "LoadBalancing",
    "Nic",
    "Nos",
    "Origin",
    "Platform",
    "PoolSet",
    "Pools",
    "PortGroup",
    "ProfileFact",
    "QosMaps",
    "Running",
    "RunningGroup",
    "RunningLeft",
    "RunningPool",
    "RunningPort",
    "RunningQueue",
    "Span",
    "StockCurve",
    "TrafficClass",
    "Trimming",
    "Watchdog",
    "Workload",
    "kept_with_fabric",
    "spans_of",
]


def __getattr__(name: str) -> Any:
    """What profiles and running switches say is loaded when first asked for: a policy needs none of it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name.startswith("Running"):
        from rocecfg.model import running

        return getattr(running, name)
    from rocecfg.model import facts

    return getattr(facts, name)
