"""Whether a text is of EOS, and not of another system whose lines look alike."""

from __future__ import annotations

import re

from rocecfg.vendors.protocol import Match

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
    r"priority-flow-control (?:priority [0-7] no-drop|pause watchdog )|"
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


def detect(head: str) -> Match | None:
    """Lines that EOS prints or takes: surely its own, or such as others have, and then not beside those of others."""
    if head.lstrip()[:1] in ("{", "[") or not _EOS.search(head):
        return None
    sure = _EOS_SURELY.search(head) is not None
    return Match(sure, ours=sure or not _OTHER.search(head))
