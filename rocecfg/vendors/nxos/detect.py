"""Whether a text is of NX-OS, and not of another system whose lines look alike."""

from __future__ import annotations

import re

from rocecfg.vendors.protocol import Match

_BEFORE = r"^[ \t]*(?:[\w.-]{1,64}(?:\(config[\w-]*\))?# ?)?"  # blanks, and a prompt
_SURELY = re.compile(  # what no other system prints or takes
    rf"^!Command: show running-config|^!RANCID-CONTENT-TYPE: cisco-nx|{_BEFORE}(?:"
    r"vdc \S+ id \d|boot nxos |vrf context \S|copp profile \w|version \d+\.\d+\(\S+\) Bios:|"
    r"hardware access-list tcam region |"
    r"feature (?:lldp|lacp|interface-vlan|nv overlay|vpc|ospf|bgp|pim|nxapi|fabric forwarding|hsrp|scp-server)\s*$|"
    r"(?:policy-map|class-map|class) type (?:network-qos|queuing) |service-policy type (?:queuing|network-qos) |"
    r"class-map type qos match-all |pause (?:pfc-cos|no-drop)|system qos\s*$|"
    r"(?:no )?priority-flow-control (?:watch-dog|override-interface|mode (?:on|off|auto))|set qos-group \d)",
    re.MULTILINE,
)
_LIKELY = re.compile(  # and what EOS takes, too
    rf"{_BEFORE}(?:(?:policy-map|class-map) type qos |service-policy type qos input )", re.MULTILINE
)
_OTHER = re.compile(  # OS10 and IOS XE share words; templates are nobody's
    r"^(?:! Version 10\.|!! IOS XR|service timestamps |Building configuration|Current configuration : )|"
    r"^[ \t]*(?:interface ethernet\d+/\d+/\d+|service-policy (?:input|output) type |trust-map |trust dscp-map |"
    r"qos-map (?:traffic-class|dscp-tc|dot1p-tc) |qos buffer init |"
    r"pfc-cos \d|interface (?:\w*GigabitEthernet|\w*GigE|xe|ce|cd|mgmt )\d)|"
    r"\{\{[^{}]*\}\}|\{%-? ?\w|\$\{\w",
    re.MULTILINE,
)
_SHOWN = re.compile(r"^ *\(queuing\) (?:output|input):|^\s+Service-policy \(", re.MULTILINE)  # of `show policy-map`


def detect(head: str) -> Match | None:
    """Lines that NX-OS prints or takes."""
    sure = _SURELY.search(head) is not None
    if head.lstrip()[:1] in ("{", "[", "<") or not (sure or _LIKELY.search(head)):
        return None
    return Match(sure, ours=_OTHER.search(head) is None and _SHOWN.search(head) is None)
