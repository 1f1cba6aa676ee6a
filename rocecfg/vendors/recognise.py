"""Which switch wrote a text, or which host: told by its content, since names like `leaf01.txt` say nothing."""

from __future__ import annotations

import re

VENDORS = ("sonic", "spectrum", "arista")
_HEAD = 200_000  # characters looked at

# A table of CONFIG_DB as a key of JSON, nested, in a list, or flat as redis dumps have it ("PORT|Ethernet0").
_CONFIG_DB = re.compile(
    r'"(?:PORT|PORT_QOS_MAP|DEVICE_METADATA|DSCP_TO_TC_MAP|DOT1P_TO_TC_MAP|TC_TO_(?:QUEUE|PRIORITY_GROUP|DSCP)_MAP|'
    r"MAP_PFC_PRIORITY_TO_QUEUE|PFC_PRIORITY_TO_PRIORITY_GROUP_MAP|SCHEDULER|QUEUE|WRED_PROFILE|PFC_WD|CABLE_LENGTH|"
    r"BUFFER_(?:POOL|PROFILE|PG|QUEUE|PORT_INGRESS_PROFILE_LIST|PORT_EGRESS_PROFILE_LIST)|"
    r"DEFAULT_LOSSLESS_BUFFER_PARAMETER|LOSSLESS_TRAFFIC_PATTERN|FLEX_COUNTER_TABLE|PORTCHANNEL(?:_MEMBER)?|"
    r'DEVICE_NEIGHBOR(?:_METADATA)?|INTERFACE|VLAN|LOOPBACK_INTERFACE|BREAKOUT_CFG)["|/:]'
)
_PATCH = re.compile(r'"op"\s*:\s*"(?:add|replace|remove|test|move|copy)"')
_NV = re.compile(r"^[ \t]*nv (?:set|unset|config) ", re.MULTILINE)
_NVUE_LIST = re.compile(r"^- (?:header|set|unset):", re.MULTILINE)
_NVUE_BODY = re.compile(r"^[\"']?(?:qos|interface|system|router|set)[\"']?:\s*(?:$|\{)", re.MULTILINE)
_NVUE_JSON = re.compile(r'"(?:set|qos|interface)"\s*:\s*\{')
_EOS = re.compile(
    r"^(?:! (?:device|Command): |!RANCID-CONTENT-TYPE: arista|"
    r"[ \t]*(?:interface (?:Ethernet|Port-Channel|Management)\S|"
    r"qos (?:profile|map|rewrite|random-detect) |priority-flow-control |service-profile |"
    r"platform (?:trident|sand|fap) |transceiver qsfp default-mode |daemon TerminAttr))",
    re.MULTILINE,
)
_HOST = re.compile(  # output of mlnx_qos, dcb and ethtool -a
    r"^(?:DCBX mode: (?:OS|Firmware) controlled|Priority trust state: |PFC configuration:|Pause parameters for \S+:|"
    r"pfc-cap \d+ macsec-bypass |prio-pfc 0:(?:on|off) |willing (?:on|off) ets-cap |tc-bw 0:\d+ |dscp-prio \S+:\d)",
    re.MULTILINE,
)


def is_host_output(text: str) -> bool:
    """Whether a text holds what a host's tools say of its NICs; asked of what is no switch's configuration."""
    return _HOST.search(text[:_HEAD]) is not None


def vendor_of(text: str) -> str | None:
    """The vendor whose configuration a text is; None where it is none that is known."""
    head = text[:_HEAD]
    begin = head.lstrip()[:1]
    if begin in ("{", "["):
        if _CONFIG_DB.search(head) or (begin == "[" and _PATCH.search(head) and _CONFIG_DB_PATH.search(head)):
            return "sonic"
        return "spectrum" if _NVUE_JSON.search(head) else None
    if _NV.search(head) or _NVUE_LIST.search(head):
        return "spectrum"
    if _EOS.search(head):
        return "arista"
    return "spectrum" if _NVUE_BODY.search(head) else None


_CONFIG_DB_PATH = re.compile(r'"path"\s*:\s*"/[A-Z][A-Z0-9_]+[/"]')
