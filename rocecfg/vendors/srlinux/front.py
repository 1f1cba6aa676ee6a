"""The front ports of a switch by the names that SR Linux gives them."""

from __future__ import annotations


def whole_ports(names: tuple[str, ...], count: int) -> list[str]:
    """Those of all port names that no split makes: ethernet-1/1, not ethernet-1/1/2."""
    return [name for name in names if name.count("/") == 1][:count]


def lacks_voq(_: str) -> bool:
    """Nothing is known by a HwSKU: this system has none."""
    return False
