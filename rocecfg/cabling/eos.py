"""EOS: `show lldp neighbors` as a table, with `detail`, and both with `| json`.

Columns and keys after EOS's own output as recorded by ntc-templates, napalm and suzieq.
"""

from __future__ import annotations

import re
from typing import Any

from rocecfg.cabling.columns import table_rows
from rocecfg.cabling.neighbours import neighbour_statement
from rocecfg.cabling.statements import Broken, Statements
from rocecfg.cabling.tree import PlacedMapping, as_items, as_mappings, as_text, get_in

TABLE = re.compile(r"^Port\s+Neighbor Device ID\s+Neighbor Port ID\s+TTL\s*$", re.MULTILINE)
DETAIL = re.compile(r"^Interface (\S+) detected (\d+) LLDP neighbors?:", re.MULTILINE)
_NEIGHBOUR = re.compile(r"^\s+Neighbor (\S+?)/", re.MULTILINE)
_FIELD = re.compile(r"^\s+(?:- )?(Port ID|Port Description|System Name|Port ID type)\s*:[ \t]*(.*)$", re.MULTILINE)


def unwrap_answer(value: Any) -> Any:
    """What is in the answer of eAPI, or the value itself: the first part with neighbours."""
    for part in (value, *as_items(get_in(value, "result"))):
        if isinstance(part, PlacedMapping) and "lldpNeighbors" in part:
            return part["lldpNeighbors"]
    return None


def read_json(value: Any, local: str) -> Statements:
    """A list of neighbours, or with `detail` an object by port."""
    found = unwrap_answer(value)
    if not isinstance(found, dict):
        for entry in as_mappings(found):
            near, device, far_port = (as_text(entry.get(key)) for key in ("port", "neighborDevice", "neighborPort"))
            yield neighbour_statement(local, near, device, far_port, "", entry.at)
        return
    for port, below in found.items():
        for entry in as_mappings(get_in(below, "lldpNeighborInfo")):
            far = entry.get("neighborInterfaceInfo")
            yield neighbour_statement(
                local,
                port,
                as_text(entry.get("systemName")),
                as_text(get_in(far, "interfaceId") or get_in(far, "interfaceId_v2")),
                as_text(get_in(far, "interfaceDescription")),
                entry.at,
                kind="mac" if as_text(get_in(far, "interfaceIdType")) == "macAddress" else "",
                chassis=as_text(entry.get("chassisId")),
            )


def read_table(given: str, local: str) -> Statements:
    """`show lldp neighbors`; some releases draw a line below the heading."""
    for at, (port, device, far_port, ttl) in table_rows(given, TABLE):
        if not ttl.isdigit():
            raise Broken("ends in the middle of a row: the file was cut off", "fetch it again, whole", at)
        yield neighbour_statement(local, port, device, far_port, "", at)


def read_detail(given: str, local: str) -> Statements:
    """`show lldp neighbors detail`."""
    ports = list(DETAIL.finditer(given))
    for number, match in enumerate(ports):
        end = ports[number + 1].start() if number + 1 < len(ports) else len(given)
        seen = list(_NEIGHBOUR.finditer(given, match.end(), end))
        for count, start in enumerate(seen):
            until = seen[count + 1].start() if count + 1 < len(seen) else end
            fields: dict[str, str] = {}
            for field in _FIELD.finditer(given, start.start(), until):
                fields.setdefault(field[1], field[2].strip().strip('"'))
            yield neighbour_statement(
                local,
                match[1],
                fields.get("System Name", ""),
                fields.get("Port ID", ""),
                fields.get("Port Description", ""),
                start.start(),
                kind="mac" if fields.get("Port ID type", "").startswith("MAC") else "",
                chassis=start[1],
            )
