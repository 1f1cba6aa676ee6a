"""The front ports of a switch by the names that NX-OS gives them."""

from __future__ import annotations


def whole_ports(names: tuple[str, ...], _: int) -> list[str]:
    """Those of all port names that no split makes: Ethernet1/1, not Ethernet1/1/1."""
    return [name for name in names if name.count("/") == 1]


def lacks_voq(_: str) -> bool:
    """Nothing is known by a HwSKU: this system has none."""
    return False
