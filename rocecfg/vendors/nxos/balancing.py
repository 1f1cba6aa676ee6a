"""How traffic is spread over equal paths: by a hash, which NX-OS does by itself; nothing else is published to write."""

from __future__ import annotations

from rocecfg.model import Device


def lines_of(device: Device) -> tuple[str, ...]:
    """The lines that say it: none. What else an intent may state, the profile refuses."""
    del device
    return ()
