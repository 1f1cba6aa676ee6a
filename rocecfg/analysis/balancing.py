"""Whether packets of a flow may overtake each other on their way, and where that is stated."""

from __future__ import annotations

from rocecfg.model import Fabric, Origin
from rocecfg.model.fabric import REORDERING


def find_reordering(fabric: Fabric) -> tuple[Origin, str] | None:
    """Where it is stated that packets of a flow take several paths, and in which words; None where nobody states it."""
    for device in fabric.devices:
        stated = device.load_balancing
        if stated is not None and stated.mode in REORDERING:
            return stated.at("mode"), f"mode: {stated.mode}"
    routing = fabric.facts.get("routing")
    adaptive = routing.get("adaptive") if isinstance(routing, dict) else None
    return (adaptive.at, "adaptive: true") if adaptive is not None and adaptive.value else None


def find_ordering(fabric: Fabric) -> tuple[Origin, str] | None:
    """Where it is stated that packets of a flow keep to one path, and in which words; None where that is not sure."""
    if find_reordering(fabric) is not None:
        return None
    routing = fabric.facts.get("routing")
    adaptive = routing.get("adaptive") if isinstance(routing, dict) else None
    if adaptive is not None:
        return adaptive.at, "adaptive: false"
    modes = [d.load_balancing for d in fabric.devices if d.load_balancing is not None and d.load_balancing.mode]
    if not modes or len(modes) != len(fabric.devices):
        return None
    return modes[0].at("mode"), f"mode: {modes[0].mode}"
