"""Dynamic load balancing: what `enhanced-hash-key ecmp-dlb` spreads over equal paths, and by which statements."""

from __future__ import annotations

from rocecfg.model import Device

PATH = ("forwarding-options", "enhanced-hash-key", "ecmp-dlb")
KINDS = {"flowlet": "flowlet", "per-packet": "adaptive"}  # statements, and the mode of an intent that each is
OTHERS = ("assigned-flow",)  # that exclude these, and are no mode of an intent
INTERVAL = (
    128  # us without a packet, after which what follows may take another path: Juniper's validated design, QFX5240
)


def statements_of(device: Device) -> tuple[str, ...]:
    """The statements below `ecmp-dlb`; () for a hash alone, which is what Junos does by itself."""
    stated = device.load_balancing
    if stated is None or stated.mode is None:
        return ()
    return {"flowlet": (f"flowlet inactivity-interval {INTERVAL}",), "adaptive": ("per-packet",)}.get(stated.mode, ())
