"""Load balancing: SR Linux balances by a hash unasked; what it is told of that is not read or written here."""

from __future__ import annotations

from rocecfg.model import Device


def is_stated(device: Device) -> bool:
    """Whether a device states any, which is refused by its profile."""
    return device.load_balancing is not None
