"""lldpd's neighbours (SONiC, Cumulus Linux, hosts): lldpctl as JSON in both forms, as XML, as key=value, as text.

Forms after lldpd's src/client: json_writer.c, xml_writer.c, kv_writer.c, text_writer.c.
"""

from __future__ import annotations

import re
from typing import Any

from rocecfg.cabling.neighbours import neighbour_statement
from rocecfg.cabling.statements import Statements
from rocecfg.cabling.tree import PlacedMapping, as_items, as_mappings, as_text, get_in
from rocecfg.cabling.xmltree import Element

_BELOW = frozenset(("id", "name", "descr", "mgmt-ip", "mgmt-iface", "capability", "ttl"))  # of a chassis, not its name
_KEY = re.compile(r"lldp\.(.+?)\.(via|rid|age|chassis|port|vlan|pi|lldp-med|ppvid|unknown-tlvs?)(?:\.([\w.-]+))?=(.*)")
_PORT_KINDS = ("ifname", "local", "ifalias", "mac", "ip")
TEXT = re.compile(r"^[ \t]*(?:LLDP neighbors:[ \t]*$|Interface:[ \t]+\S+?,[ \t]*via:)", re.MULTILINE)
_BLOCK = re.compile(r"^[ \t]*Interface:[ \t]+([^\s,]+)(?:,.*)?[ \t]*$", re.MULTILINE)
_FIELD = re.compile(r"^\s+(SysName|PortID|PortDescr):[ \t]*(.*)$", re.MULTILINE)


def is_json(value: Any) -> bool:
    """`{"lldp": {"interface": ...}}`, or a list of such."""
    lldp = get_in(value, "lldp")
    return any("interface" in each for each in as_mappings(lldp)) or lldp in ({}, [], [{}])


def local_name(value: Any) -> str:
    """The device's own name, where `lldpcli show chassis` was recorded beside the neighbours."""
    chassis = get_in(value, "lldp_loc_chassis", "local-chassis", "chassis") or get_in(value, "local-chassis", "chassis")
    return _chassis_name(chassis)[0]


def read_json(value: Any, local: str) -> Statements:
    """The neighbours of both JSON forms: lists with a name in each (json0), or objects by name (json)."""
    for lldp in as_mappings(get_in(value, "lldp")):
        for interface in as_mappings(lldp.get("interface")):
            named = [(_unwrap_value(interface["name"]), interface)] if "name" in interface else list(interface.items())
            for port, entries in named:
                for entry in as_mappings(entries):
                    device, described = _chassis_name(_first_item(entry.get("chassis")))
                    far = _first_item(entry.get("port"))
                    known = _first_item(get_in(far, "id"))
                    yield neighbour_statement(
                        local,
                        port,
                        device,
                        _unwrap_value(get_in(known, "value")),
                        _unwrap_value(get_in(far, "descr")),
                        entry.at,
                        kind=_unwrap_value(get_in(known, "type")),
                        chassis=described,
                    )


def _chassis_name(chassis: Any) -> tuple[str, str]:
    """The system name of a chassis, and its id."""
    if not isinstance(chassis, dict):
        return "", ""
    if "name" in chassis:
        return _unwrap_value(chassis["name"]), _unwrap_value(get_in(_first_item(chassis.get("id")), "value"))
    name = next((key for key, below in chassis.items() if key not in _BELOW and isinstance(below, dict)), "")
    inner = chassis.get(name) if name else chassis
    return name, _unwrap_value(get_in(_first_item(get_in(inner, "id")), "value"))


def _first_item(value: Any) -> Any:
    found = as_items(value)
    return found[0] if found else None


def _unwrap_value(value: Any) -> str:
    """A value of either form: a word, `{"value": word}`, or a list of one such."""
    value = _first_item(value)
    return as_text(value.get("value")) if isinstance(value, PlacedMapping) else as_text(value)


def read_xml(root: Element, local: str) -> Statements:
    """`lldpctl -f xml`."""
    for interface in root.below("interface"):
        chassis = next(interface.below("chassis"), None)
        port = next(interface.below("port"), None)
        if chassis is None or port is None:
            continue
        known = next(port.below("id"), None)
        yield neighbour_statement(
            local,
            interface.attributes.get("name", ""),
            chassis.get("name"),
            known.text.strip() if known is not None else "",
            port.get("descr"),
            interface.at,
            kind=known.attributes.get("type", "") if known is not None else "",
            chassis=chassis.get("id"),
        )


def read_keyvalue(given: str, local: str) -> Statements:
    """`lldpctl -f keyvalue`: a neighbour begins with its `via`."""
    found: list[tuple[str, int, dict[str, str]]] = []
    offset = 0
    for line in given.splitlines(keepends=True):
        match = _KEY.match(line.rstrip("\r\n"))
        if match is not None:
            port, group, name, value = match.groups()
            if group == "via" or not found or found[-1][0] != port:
                found.append((port, offset, {}))
            found[-1][2].setdefault(f"{group}.{name or ''}", value)
        offset += len(line)
    for port, at, stated in found:
        kind = next((kind for kind in _PORT_KINDS if f"port.{kind}" in stated), "")
        yield neighbour_statement(
            local,
            port,
            stated.get("chassis.name", ""),
            stated.get(f"port.{kind}", ""),
            stated.get("port.descr", ""),
            at,
            kind=kind,
            chassis=stated.get("chassis.mac", ""),
        )


def read_text(given: str, local: str) -> Statements:
    """`lldpctl`, SONiC's `show lldp neighbors`, `nv show interface lldp-detail`: a block for each `Interface:`."""
    starts = list(_BLOCK.finditer(given))
    for number, match in enumerate(starts):
        end = starts[number + 1].start() if number + 1 < len(starts) else len(given)
        fields: dict[str, str] = {}
        for field in _FIELD.finditer(given, match.end(), end):
            fields.setdefault(field[1], field[2].strip())
        kind, _, port = fields.get("PortID", "").partition(" ")
        yield neighbour_statement(
            local, match[1], fields.get("SysName", ""), port, fields.get("PortDescr", ""), match.start(), kind=kind
        )
