"""The front ports of a switch by the names that Junos gives them."""

from __future__ import annotations


def whole_ports(names: tuple[str, ...], count: int) -> list[str]:
    """Those of all port names that no split makes: et-0/0/1, not et-0/0/1:0."""
    return [name for name in names if ":" not in name][:count]


def lacks_voq(_: str) -> bool:
    """Nothing is known by a HwSKU: this system has none."""
    return False
