"""NX-OS: `show lldp neighbors` and `show cdp neighbors`, with `detail`, as text and with `| json`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from rocecfg.cabling.neighbours import neighbour_statement
from rocecfg.cabling.statements import Statements
from rocecfg.cabling.tree import PlacedMapping, as_items, as_mappings, as_text

_LLDP = ("ROW_nbor", "ROW_nbor_detail")
_CDP = ("ROW_cdp_neighbor_brief_info", "ROW_cdp_neighbor_detail_info")
DETAIL = re.compile(r"^Chassis id:.*\n(?:.*\n){0,4}?Local Port id:", re.MULTILINE)
CDP_DETAIL = re.compile(r"^Device ID:[ \t]*(\S+)", re.MULTILINE)
_INTERFACES = re.compile(r"Interface:[ \t]*(\S+?),[ \t]*Port ID \(outgoing port\):[ \t]*(\S+)")
TABLE = re.compile(r"^Device[ -]ID\s+Local Intf\w*\s+(?:Hold-time|Hldtme)\s+Capability\s+.*Port ID\s*$", re.MULTILINE)
_ROW = re.compile(r"^(\S+)?\s+(?:(?P<port>(?:Eth|mgmt|Ethernet)\S+)\s+(?P<hold>\d+)\s+(?P<rest>.*\S))\s*$")
_FIELD = re.compile(r"^(Chassis id|Port id|Local Port id|Port Description|System Name):[ \t]*(.*)$", re.MULTILINE)


def is_json(value: Any) -> bool:
    """Tables of neighbours below `TABLE_...`, of LLDP or CDP."""
    return any(True for _ in _find_rows(value, (*_LLDP, *_CDP))) or _is_empty(value)


def _is_empty(value: Any) -> bool:
    return isinstance(value, dict) and "neigh_hdr" in value


def _find_rows(value: Any, rows: tuple[str, ...]) -> Iterator[PlacedMapping]:
    """Rows of these names, wherever they are: NX-API wraps the answer."""
    for below in as_items(value):
        if isinstance(below, PlacedMapping):
            for key, inner in below.items():
                if key in rows:
                    yield from as_mappings(inner)
                elif isinstance(inner, (dict, list)):
                    yield from _find_rows(inner, rows)


def read_json(value: Any, local: str) -> Statements:
    """Both protocols may stand in one file; what they agree on is one cable."""
    for entry in _find_rows(value, _LLDP):
        chassis = as_text(entry.get("chassis_id"))
        yield neighbour_statement(
            local,
            as_text(entry.get("l_port_id")),
            as_text(entry.get("sys_name")) or chassis,
            as_text(entry.get("port_id")),
            as_text(entry.get("port_desc")),
            entry.at,
            kind="mac" if "mac" in as_text(entry.get("port_type")).casefold() else "",
            chassis=chassis,
        )
    for entry in _find_rows(value, _CDP):
        port, device, far_port = (as_text(entry.get(key)) for key in ("intf_id", "device_id", "port_id"))
        yield neighbour_statement(local, port, device, far_port, "", entry.at)


def read_detail(given: str, local: str) -> Statements:
    """`show lldp neighbors detail`: a neighbour from each `Chassis id:` on."""
    starts = [match.start() for match in re.finditer(r"^Chassis id:", given, re.MULTILINE)]
    for number, start in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(given)
        fields: dict[str, str] = {}
        for field in _FIELD.finditer(given, start, end):
            fields.setdefault(field[1], field[2].strip())
        device = fields.get("System Name", "")
        yield neighbour_statement(
            local,
            fields.get("Local Port id", ""),
            "" if device == "null" else device,
            fields.get("Port id", ""),
            fields.get("Port Description", ""),
            start,
            chassis=fields.get("Chassis id", ""),
        )


def read_cdp_detail(given: str, local: str) -> Statements:
    """`show cdp neighbors detail`."""
    starts = list(CDP_DETAIL.finditer(given))
    for number, match in enumerate(starts):
        end = starts[number + 1].start() if number + 1 < len(starts) else len(given)
        found = _INTERFACES.search(given, match.end(), end)
        if found is not None:
            yield neighbour_statement(local, found[1], match[1], found[2], "", match.start())


def read_table(given: str, local: str) -> Statements:
    """`show lldp neighbors`, `show cdp neighbors`: a long name stands on a line of its own."""
    found = TABLE.search(given)
    offset = found.end() + 1 if found is not None else len(given)
    device = ""
    for line in given[offset:].splitlines(keepends=True):
        at, offset = offset, offset + len(line)
        if not line.strip() or line.startswith("Total"):
            continue
        row = _ROW.match(line)
        if row is None:
            device = line.strip() if " " not in line.strip() else ""
            continue
        yield neighbour_statement(local, row["port"], row[1] or device, row["rest"].split()[-1], "", at)
        device = ""
