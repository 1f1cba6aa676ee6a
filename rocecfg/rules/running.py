"""What reading a switch's own configuration finds, and ports that its box does not have: rules DEV701 to DEV709."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from rocecfg.core.nodeset import fold, name_set
from rocecfg.core.port_names import front_kind
from rocecfg.model import Device, Fabric, PortGroup
from rocecfg.rules.base import ERROR, INFO, RUNNING, WARNING, Hit, Rule, rule, running_rule, source_rule

_READ = "the configuration as the switch has it, against what its operating system documents"


@lru_cache(maxsize=256)
def _list_kinds(ports: str) -> frozenset[str]:
    """What the names of a box's ports begin with."""
    return frozenset(kind for kind in map(front_kind, name_set(ports)) if kind is not None)


@rule(
    "DEV707",
    "device-port",
    WARNING,
    source="profiles/platforms: the ports of each box, those of breakouts and for service included",
    on=RUNNING,
)
def device_port(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """A port that the box does not have, by the model that the configuration names."""
    box, platform = device.box, device.platform
    if device.running is None or box is None or platform is None or box.layout is None:
        return
    if box.hwsku is not None and box.headroom is None:
        return  # a HwSKU of which nothing is known may name its ports otherwise
    own = name_set(box.ports)
    kinds = _list_kinds(box.ports)
    strange = [n for n in port.names if n not in own and front_kind(n) in kinds]
    if strange:
        yield Hit(
            f"{platform.name} has no port {fold(tuple(strange))}: its settings apply to no port, and the system may "
            f"refuse the whole change for it; the box has ports {box.ports} ({box.source})",
            (port.at(),),
        )


RULES: tuple[Rule, ...] = (
    device_port,
    running_rule(
        "DEV701",
        "device-unknown",
        WARNING,
        "A command or field that the switch's operating system does not have: it is refused, or does nothing.",
        source=_READ,
    ),
    source_rule("DEV702", "device-value", ERROR, "A value that the switch refuses.", source=_READ, on=RUNNING),
    source_rule(
        "DEV703", "device-ref", ERROR, "A reference to a map or profile that is not defined.", source=_READ, on=RUNNING
    ),
    source_rule("DEV704", "device-unbound", INFO, "A profile or map that nothing uses.", source=_READ, on=RUNNING),
    running_rule(
        "DEV705",
        "device-unread",
        INFO,
        "A setting on queues, buffers or pauses that rocecfg recognises but does not check.",
        source=_READ,
    ),
    running_rule(
        "DEV708",
        "device-second-way",
        INFO,
        "Something outside the configuration may change PFC, queues or buffers: a script, a snippet, a program.",
        source=_READ,
    ),
    running_rule(
        "DEV706",
        "device-conflict",
        WARNING,
        "The configuration has two values for one setting: which one applies depends on the switch.",
        source=_READ,
    ),
)
