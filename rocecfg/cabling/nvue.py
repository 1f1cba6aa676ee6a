"""NVUE: `nv show interface lldp -o json` and its like: neighbours below each interface.

Key names of chassis and port vary by release: the neighbour's key, and `system-name`, name the device.
"""

from __future__ import annotations

from typing import Any

from rocecfg.cabling.neighbours import neighbour
from rocecfg.cabling.statements import Statements
from rocecfg.cabling.tree import get, text


def is_json(value: Any) -> bool:
    """An object by interface, of which some has `lldp`."""
    return isinstance(value, dict) and any(isinstance(get(below, "lldp"), dict) for below in value.values())


def read_json(value: Any, local: str) -> Statements:
    """A statement for each neighbour of each interface."""
    for port, below in value.items():
        neighbours = get(below, "lldp", "neighbor")
        for key, entry in neighbours.items() if isinstance(neighbours, dict) else ():
            chassis, far = get(entry, "chassis"), get(entry, "port")
            yield neighbour(
                local,
                port,
                text(get(chassis, "system-name")) or key,
                text(get(far, "name") or get(far, "id") or get(far, "port-id")),
                text(get(far, "description") or get(far, "descr")),
                getattr(entry, "at", 0),
                kind=text(get(far, "type")),
                chassis=text(get(chassis, "chassis-id")),
            )
