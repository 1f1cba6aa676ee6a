"""EOS: `show lldp neighbors` as a table, with `detail`, and both with `| json`.

Columns and keys after EOS's own output as recorded by ntc-templates, napalm and suzieq.
"""

from __future__ import annotations

import re
from typing import Any

from rocecfg.cabling.columns import rows
from rocecfg.cabling.neighbours import neighbour
from rocecfg.cabling.statements import Broken, Statements
from rocecfg.cabling.tree import Placed, get, items, mappings, text

TABLE = re.compile(r"^Port\s+Neighbor Device ID\s+Neighbor Port ID\s+TTL\s*$", re.MULTILINE)
DETAIL = re.compile(r"^Interface (\S+) detected (\d+) LLDP neighbors?:", re.MULTILINE)
_NEIGHBOUR = re.compile(r"^\s+Neighbor (\S+?)/", re.MULTILINE)
_FIELD = re.compile(r"^\s+(?:- )?(Port ID|Port Description|System Name|Port ID type)\s*:[ \t]*(.*)$", re.MULTILINE)


def answer(value: Any) -> Any:
    """What is in the answer of eAPI, or the value itself: the first part with neighbours."""
    for part in (value, *items(get(value, "result"))):
        if isinstance(part, Placed) and "lldpNeighbors" in part:
            return part["lldpNeighbors"]
    return None


def read_json(value: Any, local: str) -> Statements:
    """A list of neighbours, or with `detail` an object by port."""
    found = answer(value)
    if not isinstance(found, dict):
        for entry in mappings(found):
            near, device, far_port = (text(entry.get(key)) for key in ("port", "neighborDevice", "neighborPort"))
            yield neighbour(local, near, device, far_port, "", entry.at)
        return
    for port, below in found.items():
        for entry in mappings(get(below, "lldpNeighborInfo")):
            far = entry.get("neighborInterfaceInfo")
            yield neighbour(
                local,
                port,
                text(entry.get("systemName")),
                text(get(far, "interfaceId") or get(far, "interfaceId_v2")),
                text(get(far, "interfaceDescription")),
                entry.at,
                kind="mac" if text(get(far, "interfaceIdType")) == "macAddress" else "",
                chassis=text(entry.get("chassisId")),
            )


def read_table(given: str, local: str) -> Statements:
    """`show lldp neighbors`; some releases draw a line below the heading."""
    for at, (port, device, far_port, ttl) in rows(given, TABLE):
        if not ttl.isdigit():
            raise Broken("ends in the middle of a row: the file was cut off", "fetch it again, whole", at)
        yield neighbour(local, port, device, far_port, "", at)


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
            yield neighbour(
                local,
                match[1],
                fields.get("System Name", ""),
                fields.get("Port ID", ""),
                fields.get("Port Description", ""),
                start.start(),
                kind="mac" if fields.get("Port ID type", "").startswith("MAC") else "",
                chassis=start[1],
            )
