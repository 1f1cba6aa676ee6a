"""Rows of ports that differ in nothing but their LAGs: as few as say which port is in which."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rocecfg.importing.build import Part
from rocecfg.importing.format import Block
from rocecfg.importing.portsets import by_number, short


def bundled(parts: Iterable[Part]) -> list[Part]:
    """The rows of a switch's ports, in the order that people count.

    Of ports that differ in their LAGs alone, a row for each LAG; or, where that is fewer, one for the first port of
    each, one for the second, and so on, with the LAGs as a node set that pairs with the ports.
    """
    alike: dict[Block, list[Part]] = {}
    for part in parts:
        alike.setdefault(Block({key: value for key, value in part.stated.items() if key != "lag"}), []).append(part)
    rows = [row for found in alike.values() for row in _rows(found)]
    return sorted(rows, key=lambda row: by_number(row.names[0]))


def _rows(parts: Sequence[Part]) -> list[Part]:
    """The rows of ports that differ in their LAGs alone."""
    without = [part for part in parts if "lag" not in part.stated]
    within = sorted((part for part in parts if "lag" in part.stated), key=lambda part: by_number(part.names[0]))
    most = max((len(part.names) for part in within), default=0)
    if len(within) <= most:
        return without + within
    rows = []
    for nth in range(most):
        having = [part for part in within if len(part.names) > nth]
        lags = short(str(part.stated["lag"]) for part in having)
        names = tuple(part.names[nth] for part in having)
        rows.append(Part(names, Block({**having[0].stated, "lag": lags})))
    return without + rows
