"""NVUE: `nv show interface lldp`, as a table and with `-o json`; `net show lldp` of Cumulus Linux 3 and 4.

Key names of chassis and port vary by release: the neighbour's key, and `system-name`, name the device.
"""

from __future__ import annotations

import re
from typing import Any

from rocecfg.cabling.columns import table_rows
from rocecfg.cabling.neighbours import neighbour_statement
from rocecfg.cabling.statements import Statements
from rocecfg.cabling.tree import as_text, get_in

NET_SHOW = re.compile(r"^[ \t]*LocalPort\s+Speed\s+Mode\s+RemoteHost\s+RemotePort[ \t]*$", re.MULTILINE)
TABLE = re.compile(r"^[ \t]*Interface\s+Speed\s+Type\s+Remote Host\s+Remote Port[ \t]*$", re.MULTILINE)


def read_table(given: str, local: str) -> Statements:
    """Both tables have the same five columns."""
    for at, (port, _, _, device, far_port) in table_rows(given, TABLE if TABLE.search(given) else NET_SHOW):
        yield neighbour_statement(local, port, device, far_port, "", at)


def is_json(value: Any) -> bool:
    """An object by interface, of which some has `lldp`."""
    return isinstance(value, dict) and any(isinstance(get_in(below, "lldp"), dict) for below in value.values())


def read_json(value: Any, local: str) -> Statements:
    """A statement for each neighbour of each interface."""
    for port, below in value.items():
        neighbours = get_in(below, "lldp", "neighbor")
        for key, entry in neighbours.items() if isinstance(neighbours, dict) else ():
            chassis, far = get_in(entry, "chassis"), get_in(entry, "port")
            yield neighbour_statement(
                local,
                port,
                as_text(get_in(chassis, "system-name")) or key,
                as_text(get_in(far, "name") or get_in(far, "id") or get_in(far, "port-id")),
                as_text(get_in(far, "description") or get_in(far, "descr")),
                getattr(entry, "at", 0),
                kind=as_text(get_in(far, "type")),
                chassis=as_text(get_in(chassis, "chassis-id")),
            )
