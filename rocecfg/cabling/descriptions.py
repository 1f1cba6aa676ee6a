"""Descriptions of ports in Junos configurations, in Juniper's validated designs: `facing_DEVICE:PORT`."""

from __future__ import annotations

import re

from rocecfg.cabling.names import device_name, port_name
from rocecfg.cabling.statements import LEFT_OUT, End, Left, Said, Statements

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
        here = End(device_name(local), port_name(port))
        facing = _FACING.fullmatch(found["words"].strip())
        if facing is None:
            why = f"the description names no port ({found['words'].strip()})"
            yield Left(LEFT_OUT, here, End("", ""), why, found.start())
        else:
            yield Said(here, End(device_name(facing["device"]), facing["port"]), found.start(), by=here.device)
