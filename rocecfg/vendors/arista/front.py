"""The front ports of a switch by the names that EOS gives them."""

from __future__ import annotations


def whole_ports(names: tuple[str, ...], _: int) -> list[str]:
    """Those of all port names that stand for a whole port.

    Ethernet1/1 is the first lane of port 1; a port of a single lane is Ethernet1.
    """
    return list({name.rpartition("/")[0] or name: name for name in reversed(names)}.values())[::-1]


def lacks_voq(_: str) -> bool:
    """Nothing is known by a HwSKU: this system has none."""
    return False
