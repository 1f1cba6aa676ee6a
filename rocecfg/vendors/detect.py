"""Which switch wrote a text, or which host: told by its content, since names like `leaf01.txt` say nothing."""

from __future__ import annotations

import re

from rocecfg.vendors import VENDORS, MissingPart, part
from rocecfg.vendors.unsupported import names_other_system

_HEAD = 200_000  # characters looked at

_HOST = re.compile(  # output of mlnx_qos, dcb, ethtool -a, mlxconfig, and of Windows' Get-NetAdapterQos and Get-NetQos*
    r"^(?:DCBX mode: (?:OS|Firmware) controlled|Priority trust state: |PFC configuration:|Pause parameters for \S+:|"
    r"pfc-cap \d+ macsec-bypass |prio-pfc 0:(?:on|off) |willing (?:on|off) ets-cap |dscp-prio \S+:\d|"
    r"(?:tc-bw|tc-maxrate|prio-tc|prio-buffer) 0:\d|fw-lldp-agent *: *(?:on|off)\b|"
    r"OperationalFlowControl *:| +NumTCs\(Max/ETS/PFC\) *:|NetworkProfile *:|Priority +Enabled +PolicySet\b|"
    r"Name +Algorithm +Bandwidth\(%\)|[* \t]*(?:RO\s+)?LLDP_NB_(?:DCBX|[RT]X_MODE)_P\d+\s+\w+\(\d\))",
    re.MULTILINE,
)


def is_host_output(text: str) -> bool:
    """Whether a text holds what a host's tools say of its NICs; asked of what is not a switch's configuration."""
    return _HOST.search(text[:_HEAD]) is not None


def vendor_of(text: str) -> str | None:
    """The vendor whose configuration a text is; None where it is none that is known."""
    head = text[:_HEAD]
    likely: str | None = None
    foreign = False
    for vendor in VENDORS:
        try:
            match = part(vendor, "detect").detect(head)
        except MissingPart:  # whose texts nothing tells yet
            continue
        if match is None:
            continue
        if match.sure:
            return vendor if match.ours else None
        if not match.ours:
            foreign = True
        elif likely is None:
            likely = vendor
    return None if foreign or (likely is not None and names_other_system(head)) else likely
