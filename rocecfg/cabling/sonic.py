"""SONiC: `show lldp table`, as sonic-utilities' lldpshow prints it; DeviceInterfaceLinks of minigraph.xml.

In a minigraph, ports of SONiC switches are called by alias.
"""

from __future__ import annotations

import re

from rocecfg.cabling.columns import table_rows
from rocecfg.cabling.names import device_name, port_name
from rocecfg.cabling.neighbours import neighbour_statement
from rocecfg.cabling.statements import LEFT_OUT, CableEnd, LeftOut, StatedCable, Statements
from rocecfg.cabling.xmltree import Element

TABLE = re.compile(r"^LocalPort\s+RemoteDevice\s+RemotePortID\s+Capability(?:\s+RemotePortDescr)?\s*$", re.MULTILINE)


def read_table(given: str, local: str) -> Statements:
    """A neighbour a row; the number of them below a rule."""
    for at, cells in table_rows(given, TABLE, counted=True):
        port, device, far_port = cells[:3]
        yield neighbour_statement(
            local, port, device, far_port, _read_port_description(cells[4]) if len(cells) > 4 else "", at
        )


def _read_port_description(words: str) -> str:
    """A description that is a port's name: `leaf1:Ethernet4`, said of this end, is none."""
    return port_name(words) if ":" not in words else ""


# -- minigraph.xml -----------------------------------------------------------------------------------------------------


_CABLE = "DeviceInterfaceLink"


def read_minigraph(root: Element, _: str) -> Statements:
    """A link of the physical network each; ElementType says what is not a cable between ports: consoles, management."""
    for link in root.below("DeviceLinkBase"):
        a = CableEnd(device_name(link.get("StartDevice")), port_name(link.get("StartPort")))
        b = CableEnd(device_name(link.get("EndDevice")), port_name(link.get("EndPort")))
        kind = link.get("ElementType") or link.attributes.get("type", _CABLE)
        if kind != _CABLE:
            yield LeftOut(LEFT_OUT, a, b, f"the link is a {kind}", link.at)
        elif link.get("ChassisInternal").casefold() == "true":
            yield LeftOut(LEFT_OUT, a, b, "the link is within one chassis", link.at)
        else:
            yield StatedCable(a, b, link.at, out_of_band=False)  # eth0 of a server is the port for data there
