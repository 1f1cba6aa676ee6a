"""Junos: `show lldp neighbors`, with `detail`, as text, XML and JSON; descriptions of ports in configurations.

Those of Juniper's validated designs name the far end: `facing_DEVICE:PORT`.
"""

from __future__ import annotations

import re
from typing import Any

from rocecfg.cabling.columns import table_rows
from rocecfg.cabling.names import device_name, port_name
from rocecfg.cabling.neighbours import neighbour_statement
from rocecfg.cabling.statements import LEFT_OUT, CableEnd, LeftOut, StatedCable, Statements
from rocecfg.cabling.tree import PlacedMapping, as_items, as_mappings, as_text, get_in
from rocecfg.cabling.xmltree import Element

TABLE = re.compile(
    r"^Local Interface\s+Parent Interface\s+Chassis Id\s+Port info\s+System Name\s*$", re.MULTILINE | re.IGNORECASE
)
DETAIL = re.compile(r"^LLDP Neighbor Information:", re.MULTILINE)
_FIELD = re.compile(
    r"^(Local Interface|Port ID|Port description|System name|Port type)\s*:[ \t]*(.*)$", re.MULTILINE | re.IGNORECASE
)
_ENTRY = "lldp-neighbor-information"
_LOCAL = ("lldp-local-interface", "lldp-local-port-id")


def is_json(value: Any) -> bool:
    """`{"lldp-neighbors-information": ...}`."""
    return isinstance(value, dict) and f"{_ENTRY}".replace("neighbor-", "neighbors-") in value


def read_json(value: Any, local: str) -> Statements:
    """`| display json`: each value in a list of `{"data": value}`."""
    for table in as_mappings(value["lldp-neighbors-information"]):
        for entry in as_mappings(table.get(_ENTRY)):
            words = {key: _unwrap_data(below) for key, below in entry.items()}
            yield _read_neighbour(local, words, entry.at)


def _unwrap_data(value: Any) -> str:
    found = as_items(value)
    return as_text(
        get_in(found[0], "data") if found and isinstance(found[0], PlacedMapping) else found[0] if found else ""
    )


def read_xml(root: Element, local: str) -> Statements:
    """`| display xml`, with or without the rpc-reply around it."""
    tables = [root] if root.name == "lldp-neighbors-information" else root.below("lldp-neighbors-information")
    for table in tables:
        for entry in table.below(_ENTRY):
            yield _read_neighbour(local, {child.name: child.text.strip() for child in entry.children}, entry.at)


def _read_neighbour(local: str, words: dict[str, str], at: int) -> Any:
    kind = words.get("lldp-remote-port-id-subtype", "").casefold()
    return neighbour_statement(
        local,
        next((words[key] for key in _LOCAL if words.get(key)), ""),
        words.get("lldp-remote-system-name", ""),
        words.get("lldp-remote-port-id", ""),
        words.get("lldp-remote-port-description", ""),
        at,
        kind="mac" if kind.startswith("mac") else "",
        chassis=words.get("lldp-remote-chassis-id", ""),
    )


def read_table(given: str, local: str) -> Statements:
    """`show lldp neighbors`."""
    for at, (port, _, chassis, far_port, device, *_) in table_rows(given, TABLE):
        yield neighbour_statement(local, port, device, far_port, "", at, chassis=chassis)


def read_detail(given: str, local: str) -> Statements:
    """`show lldp neighbors interface ...` and `detail`: blocks; of this end's fields the first counts."""
    starts = [match.start() for match in DETAIL.finditer(given)]
    for number, start in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(given)
        block = given[start:end]
        head, _, rest = block.partition("Neighbour Information:")
        own, far = _parse_fields(head), _parse_fields(rest or head)
        yield neighbour_statement(
            local,
            own.get("local interface", ""),
            far.get("system name", ""),
            far.get("port id", ""),
            far.get("port description", ""),
            start,
            kind="mac" if far.get("port type", "").casefold().startswith("mac") else "",
        )


def _parse_fields(block: str) -> dict[str, str]:
    out: dict[str, str] = {}
    for field in _FIELD.finditer(block):
        out.setdefault(field[1].casefold(), field[2].strip())
    return out


# -- descriptions of ports in configurations ---------------------------------------------------------------------------


_HOST = re.compile(r"^\s*host-name\s+\"?([\w.-]+)\"?;", re.MULTILINE)
INTERFACES = re.compile(r"^interfaces \{", re.MULTILINE)
_LINE = re.compile(r"^    (?:(?P<port>[\w/.:-]+) \{|    description \"?(?P<words>[^\"\n]*?)\"?;)[ \t]*$", re.MULTILINE)
_FACING = re.compile(r"(?:facing_|facing |to[_ ])?(?P<device>[A-Za-z][\w.-]*):(?P<port>[a-z]{2}-\d+/\d+/\d+(?::\d+)?)")


def local_name(text: str) -> str:
    """The host name of the configuration."""
    found = _HOST.search(text)
    return found[1] if found is not None else ""


def read_descriptions(text: str, local: str) -> Statements:
    """A statement for each port whose description names a device and its port."""
    begin = INTERFACES.search(text)
    port = ""
    for found in _LINE.finditer(text, begin.end() if begin is not None else 0):
        if found["port"] is not None:
            port = found["port"]
            continue
        here = CableEnd(device_name(local), port_name(port))
        facing = _FACING.fullmatch(found["words"].strip())
        if facing is None:
            why = f"the description names no port ({found['words'].strip()})"
            yield LeftOut(LEFT_OUT, here, CableEnd("", ""), why, found.start())
        else:
            yield StatedCable(
                here, CableEnd(device_name(facing["device"]), facing["port"]), found.start(), by=here.device
            )
