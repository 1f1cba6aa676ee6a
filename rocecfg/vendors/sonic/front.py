"""What a box that runs SONiC is: its front ports by their names, its chip by its HwSKU."""

from __future__ import annotations

from rocecfg.vendors.sonic.gate_facts import lacks_voq


def whole_ports(names: tuple[str, ...], count: int) -> list[str]:
    """Those of all port names that no split makes; `count`: ports the box has.

    Every front port has as many numbers as lanes, and is named by its first.
    """
    numbers = [int(n.removeprefix("Ethernet")) for n in names]
    wide = 1
    while count and wide * 2 * count <= numbers[-1] - numbers[0] + 1:
        wide *= 2
    return [f"Ethernet{n}" for n in numbers if (n - numbers[0]) % wide == 0]


__all__ = ["lacks_voq", "whole_ports"]
