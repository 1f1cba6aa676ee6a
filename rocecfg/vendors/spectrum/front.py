"""The front ports of a switch by the names that Cumulus Linux gives them."""

from __future__ import annotations


def whole_ports(names: tuple[str, ...], _: int) -> list[str]:
    """Those of all port names that no split makes: ports of the form swp1s0 are parts of swp1."""
    return [name for name in names if name.removeprefix("swp").isdigit()]


def lacks_voq(_: str) -> bool:
    """Nothing is known by a HwSKU: this system has none."""
    return False
