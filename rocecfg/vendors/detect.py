"""Which switch wrote a text, or which host: told by its content, since names like `leaf01.txt` say nothing."""

from __future__ import annotations

import re

_HEAD = 200_000  # characters looked at

# A table of CONFIG_DB as a key of JSON, nested, in a list, or flat as redis dumps have it ("PORT|Ethernet0").
_CONFIG_DB = re.compile(
    r'"(?:PORT|PORT_QOS_MAP|DEVICE_METADATA|DSCP_TO_TC_MAP|DOT1P_TO_TC_MAP|TC_TO_(?:QUEUE|PRIORITY_GROUP|DSCP)_MAP|'
    r"MAP_PFC_PRIORITY_TO_QUEUE|PFC_PRIORITY_TO_PRIORITY_GROUP_MAP|SCHEDULER|QUEUE|WRED_PROFILE|PFC_WD|CABLE_LENGTH|"
    r"BUFFER_(?:POOL|PROFILE|PG|QUEUE|PORT_INGRESS_PROFILE_LIST|PORT_EGRESS_PROFILE_LIST)|"
    r"DEFAULT_LOSSLESS_BUFFER_PARAMETER|LOSSLESS_TRAFFIC_PATTERN|FLEX_COUNTER_TABLE|PORTCHANNEL(?:_MEMBER)?|"
    r'DEVICE_NEIGHBOR(?:_METADATA)?|INTERFACE|VLAN|LOOPBACK_INTERFACE|BREAKOUT_CFG)["|/:]'
)
_SWSSCONFIG = re.compile(  # its lists of rows, under the names that APPL_DB has for the tables
    r'"(?:BUFFER_(?:POOL|PROFILE|PG|QUEUE)|PORT_QOS_MAP|QUEUE|SCHEDULER|WRED_PROFILE|DSCP_TO_TC_MAP|'
    r"TC_TO_(?:QUEUE|PRIORITY_GROUP)_MAP)_TABLE:"
)
_PATCH = re.compile(r'"op"\s*:\s*"(?:add|replace|remove|test|move|copy)"')
_NV = re.compile(  # as a script has them, or a terminal after its prompt
    r"^[ \t]*(?:[\w.-]{1,64}@[^\s#$>]{1,99}[#$>][ \t]*)?(?:sudo )?nv (?:set|unset) ", re.MULTILINE
)
_NVUE_LIST = re.compile(r"^- (?:header|set|unset):", re.MULTILINE)
_NVUE_BODY = re.compile(r"^[\"']?(?:qos|interface|system|router|set)[\"']?:\s*(?:$|\{)", re.MULTILINE)
_NVUE_JSON = re.compile(r'"(?:set|qos|interface)"\s*:\s*\{')
_NVUE_FIRST = re.compile(  # JSON of others has such keys too, deeper down
    r'\s*\[?\s*\{\s*"(?:header|set|unset|acl|bridge|evpn|interface|mlag|nve|platform|qos|router|service|system|vrf)"'
    r"\s*:\s*\{"
)
_NVUE_WORDS = re.compile(  # and so has the YAML of others; but not these
    r"\bswp\d|\bnvue|\b(?:default-global|br_default|congestion-control|egress-scheduler|egress-queue-mapping|traffic-pool)"
    r"[\"']?:|^[ \t]+[\"']?(?:roce|pfc|pfc-watchdog|mapping)[\"']?:\s*(?:$|\{)",
    re.MULTILINE,
)
_EOS = re.compile(
    r"^(?:! (?:device|Command): |!RANCID-CONTENT-TYPE: arista|"
    r"[ \t]*(?:interface (?:Ethernet|Port-Channel|Management)\S|"
    r"qos (?:profile|map|rewrite|random-detect) |priority-flow-control |service-profile |"
    r"platform (?:trident|sand|fap) |transceiver qsfp default-mode )|"
    r"[^\s#>()]{1,64}\(config[^\s#>()]{0,200}\)# ?(?:qos profile |qos map (?:dscp|traffic-class) \d|service-profile |"
    r"priority-flow-control (?:on\s*$|priority [0-7] no-drop|pause )))",  # typed behind a prompt
    re.MULTILINE,
)
_EOS_SURELY = re.compile(  # what no other system prints
    r"^(?:! (?:Command: |device: .*EOS|boot system flash)|!RANCID-CONTENT-TYPE: arista|"
    r"[ \t]*(?:qos profile |qos map (?:dscp|cos|exp|traffic-class) \d[\d ,-]* to |service-profile |"
    r"platform (?:trident|sand|fap) |transceiver qsfp default-mode |daemon TerminAttr))",
    re.MULTILINE,
)
_OTHER = re.compile(  # IOS, ASA, NX-OS, OS10 and the SONiC of others name ports as EOS does; EOS has no port 0
    r"^(?:!(?:Command|Time): |!RANCID-CONTENT-TYPE: (?!arista)|Building configuration\.\.\.|: Saved$|"
    r"Current configuration : \d|ASA Version |version \d+\.\d+(?:\(|\s*$)|boot-start-marker|boot nxos |"
    r"service timestamps (?:debug|log) |line (?:con|vty|aux) \d|spanning-tree extend system-id|vdc \S+ id \d|"
    r"vrf context |system qos\s*$|copp profile |feature (?:bgp|ospf|ospfv3|isis|eigrp|lacp|lldp|vpc|hsrp|vrrp|"
    r"interface-vlan|vn-segment-vlan-based|nxapi|bash-shell|telnet|nv overlay|fabric forwarding|pim|dhcp|udld)\s*$|"
    r"interface (?:Ethernet0\s*$|(?:Ethernet|Management)0/|ethernet\d+/\d+/\d)|"
    r"interface (?:FastEthernet|(?:Two|Five|Ten|TwentyFive|Forty|Hundred)?Gig\w*|HundredGigE|Serial)\d|"
    r"qos (?:map (?!traffic-class )\w+-|wred-policy |scheduler-policy ))",
    re.MULTILINE,
)
_NO_SWITCH = re.compile(  # a template, whose words stand for others; NVUE of a DPU
    r"""\{\{-? ?[$\w.]|\{%-? ?\w|^[ \t]+["']?version["']?:[ \t]*["']?HBN """, re.MULTILINE
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
        if _CONFIG_DB.search(head):
            return "sonic"
        if begin == "[" and (_SWSSCONFIG.search(head) or (_PATCH.search(head) and _CONFIG_DB_PATH.search(head))):
            return "sonic"
        ours = _NVUE_JSON.search(head) and (_NVUE_FIRST.match(head) or '"nvue-api-version"' in head)
        return "spectrum" if ours and not _NO_SWITCH.search(head) else None
    if _NV.search(head) or _NVUE_LIST.search(head):
        return None if _NO_SWITCH.search(head) else "spectrum"
    if _EOS.search(head):
        return None if _OTHER.search(head) and not _EOS_SURELY.search(head) else "arista"
    ours = _NVUE_BODY.search(head) and _NVUE_WORDS.search(head)
    return "spectrum" if ours and not _NO_SWITCH.search(head) else None


_CONFIG_DB_PATH = re.compile(r'"path"\s*:\s*"/[A-Z][A-Z0-9_]+[/"]')
