"""SONiC's minigraph.xml: DeviceInterfaceLinks of its physical network. Ports of SONiC switches are called by alias."""

from __future__ import annotations

from rocecfg.cabling.names import device_name, port_name
from rocecfg.cabling.statements import LEFT_OUT, End, Left, Said, Statements
from rocecfg.cabling.xmltree import Element

_CABLE = "DeviceInterfaceLink"


def read_minigraph(root: Element, _: str) -> Statements:
    """A link each; what is no cable between ports (consoles, management) says so in ElementType."""
    for link in root.below("DeviceLinkBase"):
        a = End(device_name(link.get("StartDevice")), port_name(link.get("StartPort")))
        b = End(device_name(link.get("EndDevice")), port_name(link.get("EndPort")))
        kind = link.get("ElementType") or link.attributes.get("type", _CABLE)
        if kind != _CABLE:
            yield Left(LEFT_OUT, a, b, f"the link is a {kind}", link.at)
        elif link.get("ChassisInternal").casefold() == "true":
            yield Left(LEFT_OUT, a, b, "the link is within one chassis", link.at)
        else:
            yield Said(a, b, link.at, out_of_band=False)  # eth0 of a server is the port for data there
