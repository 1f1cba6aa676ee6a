"""Names of devices and ports: one spelling for what systems abbreviate, and which are of the management network."""

from __future__ import annotations

import re
from functools import lru_cache

from rocecfg.cabling.statements import CableEnd
from rocecfg.core.names import is_device_name, is_port_name

_REMEMBERED = 16_384  # names: a fabric says each many times
_FULL = {
    "Et": "Ethernet",
    "Eth": "Ethernet",
    "Fa": "FastEthernet",
    "Fas": "FastEthernet",
    "Gi": "GigabitEthernet",
    "Gig": "GigabitEthernet",
    "Te": "TenGigabitEthernet",
    "Ten": "TenGigabitEthernet",
    "Twe": "TwentyFiveGigE",
    "Fo": "FortyGigabitEthernet",
    "For": "FortyGigabitEthernet",
    "Hu": "HundredGigE",
    "Ma": "Management",
}
_SHORT = re.compile(rf"({'|'.join(sorted(_FULL, key=len, reverse=True))}) ?(\d[\d/:.]*)")
_BLANK = re.compile(r"([A-Za-z]*(?:Ethernet|GigE)) (\d[\d/:.]*)")  # GigabitEthernet 0/2
_UNIT = re.compile(r"([a-z]{2,3}-?\d[\d/:]*|[a-z]{2}\d)\.0")  # Junos: the logical interface of a port
_SERIAL = re.compile(r"\([A-Za-z0-9-]+\)$")  # CDP: spine01(9WTLX6IZ9YW)
_MAC = re.compile(r"(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}|(?:[0-9A-Fa-f]{4}\.){2}[0-9A-Fa-f]{4}")
_MANAGEMENT = re.compile(
    r"eth0|mgmt(?:0|[-_.]?eth\d*)?|Management\d+(?:/\d+)?|me0|fxp0|em0|vme|oob\d*",
    re.IGNORECASE,
)
_OUT_OF_BAND = re.compile(r"(?:^|[-_.])(?:oob|mgmt|dhcp)(?:$|[-_.0-9])", re.IGNORECASE)
_OTHER = re.compile(r"(?:psu|power|outlet|pdu|console|serial|aux|rear|front|splice)", re.IGNORECASE)


@lru_cache(_REMEMBERED)
def device_name(text: str) -> str:
    """A device as it is called: without the serial number that CDP adds, and the last dot of a full name."""
    return _SERIAL.sub("", text.strip().strip('"')).rstrip(".")


@lru_cache(_REMEMBERED)
def port_name(text: str) -> str:
    """A port in full: Ethernet1/1 for Et1/1 and Eth1/1, GigabitEthernet0/2 for Gi0/2, xe-0/0/0 for its unit 0."""
    name = text.strip().strip('"')
    short = _SHORT.fullmatch(name)
    if short is not None:
        return _FULL[short[1]] + short[2]
    blank = _BLANK.fullmatch(name)
    if blank is not None:
        return blank[1] + blank[2]
    unit = _UNIT.fullmatch(name)
    return unit[1] if unit is not None else name


def is_mac(text: str) -> bool:
    """Whether that is a MAC address, which names a card and no port of it."""
    return _MAC.fullmatch(text) is not None


def is_management(end: CableEnd) -> bool:
    """Whether a port is of the management network by its name, or by that of its device."""
    return _is_management_port(end.port) or is_out_of_band(end.device)


@lru_cache(_REMEMBERED)
def _is_management_port(port: str) -> bool:
    return _MANAGEMENT.fullmatch(port) is not None


@lru_cache(_REMEMBERED)
def is_out_of_band(device: str) -> bool:
    """Whether a device is of the management network by its name."""
    return _OUT_OF_BAND.search(device) is not None


def is_other(port: str) -> bool:
    """Whether a port is by its name no port for data: for power, for a console, or of a patch panel."""
    return _OTHER.match(port) is not None


def why_unsayable(end: CableEnd) -> str | None:
    """What is wrong with the names of an end for an intent; None: nothing."""
    if not end.device:
        return "its device is not named"
    if not end.port:
        return "its port is not named"
    if not is_device_name(end.device):
        return f"{end.device!r} cannot be the name of a device in an intent"
    if not is_port_name(end.port):
        return f"{end.port!r} cannot be the name of a port in an intent"
    return None
