"""Maps: a row of each table for each way in which ports sort, and which of them a port binds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, PortGroup
from rocecfg.model.views import make_port_view
from rocecfg.vendors.sonic.release import Release
from rocecfg.vendors.sonic.settings import SORTING, TRUSTED

STOCK = "AZURE"  # the stock name of every map: `config load` merges, so ours overwrites the stock rows

Row = dict[str, str]
Chain = tuple[tuple[tuple[str, str], ...], ...]  # the entries of the map of each table; (): none is bound


class Maps(NamedTuple):
    """The rows of the maps, and what ports bind."""

    tables: dict[str, dict[str, Row]]  # table -> name -> entries
    bound: tuple[Row, ...]  # parallel to the ports: field of PORT_QOS_MAP -> map


def plan_maps(device: Device, ports: Sequence[PortGroup], release: Release, *, keeps_map: bool) -> Maps:
    """The maps of a device. The way in which most ports sort has the stock name; others are numbered behind it.

    `keeps_map`: the vendor's own DSCP map stays, so none is written or bound.
    """
    chains = [_make_chain(make_port_view(device, port), port.trust, keeps_map=keeps_map) for port in ports]
    counted: dict[Chain, int] = {}
    for chain, port in zip(chains, ports, strict=True):
        counted[chain] = counted.get(chain, 0) + max(len(port.names), 1)
    names: dict[str, dict[tuple[tuple[str, str], ...], str]] = {table: {} for table in SORTING.values()}
    for number, chain in enumerate(sorted(counted, key=lambda chain: -counted[chain]), 1):
        for entries, known in zip(chain, names.values(), strict=True):
            if entries and entries not in known:
                known[entries] = f"{STOCK}_{number}" if known else STOCK
    return Maps(
        {table: {name: dict(entries) for entries, name in known.items()} for table, known in names.items()},
        tuple(
            {
                field: release.ref(table, names[table][entries])
                for entries, (field, table) in zip(chain, SORTING.items(), strict=True)
                if entries
            }
            for chain in chains
        ),
    )


def _make_chain(device: Device, trust: str, *, keeps_map: bool) -> Chain:
    maps = device.maps
    tables = {
        "DSCP_TO_TC_MAP": () if keeps_map else _pairs(maps.dscp_to_tc),
        "DOT1P_TO_TC_MAP": _map_dot1p(device),
        "TC_TO_QUEUE_MAP": _pairs(maps.tc_to_queue),
        "TC_TO_PRIORITY_GROUP_MAP": _pairs(maps.tc_to_pg),
        "MAP_PFC_PRIORITY_TO_QUEUE": _pairs(maps.pfc_to_queue),
        "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": (
            _pairs(maps.pfc_to_pg) if device.box is not None and device.box.pfc_to_pg else ()
        ),
    }
    for word, table in TRUSTED.items():
        if word != trust:
            tables[table] = ()
    return tuple(tables[table] for table in SORTING.values())


def _pairs(mapping: Iterable[int | None]) -> tuple[tuple[str, str], ...]:
    """A map as strings; unmapped entries are left out."""
    return tuple((str(i), str(to)) for i, to in enumerate(mapping) if to is not None)


def _map_dot1p(device: Device) -> tuple[tuple[str, str], ...]:
    """802.1p value -> traffic class, all eight: values that no class claims go where the other code points go."""
    rest = next((c.tc for c in device.classes if c.rest), 0)
    claimed: dict[int, int] = {}
    for cls in device.classes:
        claimed.setdefault(cls.priority, cls.tc)
    return tuple((str(p), str(claimed.get(p, rest))) for p in range(8))
