"""What becomes of each line of a running-config: checked, compared as text, none of RoCE's, or unknown.

The commands of other features: of 397 beginnings of lines 154 stand in configurations of AVD (aristanetworks/avd
3cac535c, ansible_collections/arista/avd/molecule, intended/configs: 620, in which 766 lines are of no row). The others
are of Arista's manual as others quote it [M], or the twin of one of these: `ipv6` beside `ip`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial

from rocecfg.model.fates import WAY, Fates
from rocecfg.model.stated import Problem
from rocecfg.vendors.arista.domain import is_beside
from rocecfg.vendors.arista.reading.blocks import IN_QUEUE, ConfigBlocks
from rocecfg.vendors.arista.reading.modes import ACCESS, POLICY, TEXTS
from rocecfg.vendors.fates import (
    NOBODY_KNOWS,
    Fate,
    FateTable,
    Noted,
    Path,
    Statement,
    as_text,
    foreign,
    judged,
    make_statement,
    may_be_way,
    may_change,
    unknown,
    weigh,
)

_READ, _FILTER, _BESIDE = "=", "==", "==="  # stand for lines that the reader keeps
_IN_PORT, _VLAN = "interface", "Vlan"
_LINE = re.compile(r"^([ \t]*)([^\s!].*)$", re.MULTILINE)
_SIGNS = ("no", "default")
_TAKEN = tuple(f"{sign} " for sign in _SIGNS)
_NO_COMMANDS = frozenset({"exit", "end"})
_ROWS = (
    *judged(_READ),
    *judged(_FILTER, f"{_READ} service-policy|traffic-policy", f"{_READ} ip|ipv6|mac access-group", noted=WAY),
    *judged(
        "interface * traffic-policy", "ip|ipv6|mac access-list", "traffic-policies", "class-map|policy-map", noted=WAY
    ),
    *foreign("nothing that is compared hangs on it", _BESIDE),
    *unknown(f"{_BESIDE} vxlan|hardware|platform|load-balance"),
    *may_change("written into the chip itself, below all that is configured", f"{_BESIDE} platform * diag"),
    *may_change("policy routing: it may drop packets, or send them another way", f"{_BESIDE} service-policy type pbr"),
    *foreign(
        "tunnels, tables and counters of the chip",
        f"{_BESIDE} vxlan source-interface|udp-port|vlan|vrf|vni|flood|virtual-router|learn-restrict|multicast-group",
        f"{_BESIDE} vxlan controller-client|arp|bridging|encapsulation|decapsulation|virtual-vtep|security|source|mlag",
        f"{_BESIDE} hardware access-list|counter|tcam|port-group|speed-group|forwarding|phy|module|system|table",
        f"{_BESIDE} hardware acl|next-hop|fan|power|storage|nexthop|interface|pbr|flow-tracking",
        f"{_BESIDE} platform sfe|barefoot|fpga|software",
        f"{_BESIDE} platform trident|tomahawk|strata forwarding-table|routing-table|l3|tcam|vxlan|fabric|counters|acl",
        f"{_BESIDE} platform sand|jericho lag|forwarding|mdb|fec|mld|tcam|l3|counter|vxlan|fabric|ecmp|multicast|acl",
        f"{_BESIDE} load-balance policies|cluster|sand|trident|profile",
    ),
    *may_be_way("runs commands that name no PFC, queue, port or configuration", "event-handler|schedule"),
    *may_change("a program on the switch, which may configure it", "daemon"),
    *may_change("a part of EOS that does not run, such as that of buffers or of QoS", "agent * shutdown"),
    *may_change("MACsec: it may hold pause frames back", "mac security", "interface * mac security"),
    *as_text("the largest packet that a routed VLAN takes", f"{_IN_PORT} {_VLAN} mtu"),
    *as_text("what takes a port down whose queue is stuck", f"{_BESIDE} errdisable detect cause stuck-queue"),
    *as_text("what a switch tells hosts of its settings", f"{_BESIDE} dcbx application"),
    *may_change("the largest frame at layer 2: longer ones are dropped", "interface * l2 mtu|mru"),
    *may_change("one direction alone: no pause comes back", "interface * unidirectional"),
    *foreign("a port that is looped back has no peer", "interface * traffic-loopback"),
    *may_change("a check of the way back, which drops what fails it", "interface * ip|ipv6 verify"),
    *foreign("streams telemetry to CloudVision", "daemon TerminAttr"),
    *foreign(
        "of the interface, and no queue, buffer or pause frame: addresses, VLANs, names, protocols",
        "interface * description|load-interval|lldp|lacp|spanning-tree|logging|snmp|sflow|bfd|vrf|phy|arp|ntp",
        "interface * ip|ipv6 address|helper-address|ospf|pim|igmp|attached-host|icmp|proxy-arp|arp|rip",
        "interface * ip|ipv6 virtual-router|mfib|nat|directed-broadcast|dhcp|redirects|unnumbered|gratuitous-arp|nd",
        "interface * ip|ipv6 local-proxy-arp|local|enable|router|neighbor|rpf|mroute|security|pbr|decap|mld|bgp",
        "interface * ip|ipv6 unreachables|multicast|attached-hosts|df-bit|access-group|local-interface|route-cache|tcp",
        "interface * mac|switchport|isis|ospf|pim|mpls|vlan|vmtracer|ptp|evpn|mlag|loopback|encapsulation|lanz",
        "interface * tunnel|autostate|mode|link|dot1x|poe|multicast|link-debounce|transceiver",
        "interface * link-flap|port-security|port-channel|storm-control|monitor|bgp|graceful-restart|comment|sync-e",
        "interface * mac-address|l2-protocol|identifier|designated-forwarder|shutdown|mtu",
        "interface * transmitter|received|channel|peer|flow|logging|nat|address|spanning|dhcp|tap|tool|msrp|mvrp",
        "interface * no-address|errdisable|default-profile|bridging|client|redundancy|destination|source|p2p",
        "interface * vrrp|node-segment",
        "interface * ethernet cfm",
        "interface * tcp mss",
    ),
    *foreign(
        "routing: which way packets go, not how they queue",
        "router|route-map|peer-filter|arp|bfd|mpls|track|vrf|dynamic|match-list|mcs|multicast|isis|ospf|bgp|pim",
        "ip|ipv6 routing|route|prefix-list|community-list|extcommunity-list|large-community-list|as-path|icmp|nat",
        "ip|ipv6 virtual-router|address|load-sharing|igmp|pim|mfib|multicast|msdp|unicast-routing|fib|hardware|arp",
        "ip|ipv6 security|nd|neighbor|nexthop-group|dynamic|mroute|rib|verify|attached-host|redirects|rip|bgp|pbr",
        "nexthop-group|neighbor|segment-routing|tunnel|traffic-engineering|msdp|rsvp|ldp",
    ),
    *foreign(
        "VLANs, bridging and tunnels: who talks to whom, not how packets queue",
        "vlan|spanning-tree|mlag|mac|lacp|port-channel|vxlan|switchport|link|evpn|l2-protocol|virtual|address|bridge",
    ),
    *foreign(
        "management of the box: logins, time, names, logs, SNMP, telemetry",
        "aaa|agent|alias|banner|boot|clock|control-plane|cvx|dhcp|dns|enable|env|environment|event-monitor|hostname",
        "ip|ipv6 name-server|domain|domain-name|domain-list|domain-lookup|host|dhcp|http|ssh|telnet|ftp|tftp|radius",
        "ip|ipv6 tacacs|client|local|helper-address|udp|tcp|dns|management|ntp|service|httpd|ssl",
        "license|lldp|logging|management|ntp|object-group|patch|prompt|ptp|radius-server|role|server|service|snmp",
        "snmp-server|ssh|stun|sync-e|system|tacacs-server|terminal|transceiver|trap|username|vmtracer|zerotouch|tcam",
        "configure|commit|abort|rollback|secret|trace|dot1x|poe|queue-monitor|maintenance|kernel|locator-led|module",
        "tap|cpu|watchdog|core|email|hardware|redundancy|xmpp|reload|power|file|exec|io|ipsec|group|xcvr|mirror",
    ),
    *foreign(
        "counters, samples and copies of packets: they watch traffic and change none",
        "load-interval|monitor|sflow|flow|sampled-flow|lanz|counters|telemetry|tap-aggregation|storm-control",
    ),
    *foreign("chooses among equal paths, and no queue", "load-balance policies|cluster|sand|trident|profile"),
)
_TABLE = FateTable(_ROWS)


@lru_cache(4096)
def _find(path: Path) -> Fate:
    return _TABLE.find(path) or NOBODY_KNOWS


def weigh_lines(text: str, start: int, config: ConfigBlocks, problems: Iterable[Problem], doc: int) -> Fates:
    """The fates of all commands. `start`: where in its document the text begins."""
    return weigh(partial(_list_statements, text, start, _index_kept(text, start, config)), _find, problems, doc)


def _index_kept(text: str, start: int, config: ConfigBlocks) -> dict[int, str]:
    """What stands for the lines that the reader keeps, by where they begin, with blanks, prompt and pager."""

    def begin_of(place: int) -> int:
        return text.rfind("\n", 0, place - start) + 1

    kept: dict[int, str] = {}
    for block in (
        *(config.globals, *config.ports, *config.profiles.values(), *config.mmu.values(), *config.vxlan),
        *(*config.defaults, *config.virtual, *config.lost, *config.lists.values()),
        *(block for blocks in config.sorting.values() for block in blocks),
    ):
        as_filter = block.mode in (POLICY, ACCESS)
        if block is not config.globals:
            kept[begin_of(block.at.start)] = _FILTER if as_filter else _READ
        for (place, _), line in zip(block.places, block.lines, strict=True):
            beside = not as_filter and is_beside(line.rpartition(IN_QUEUE)[2])
            kept[begin_of(place)] = _FILTER if as_filter else _BESIDE if beside else _READ
    return kept


def _list_statements(text: str, start: int, kept: dict[int, str], is_noted: Noted) -> Iterator[Statement]:
    del is_noted  # every line has its place
    head: Path = ()
    until, flat = "", "\n " not in text and "\n\t" not in text
    top: tuple[int, ...] = ()
    for found in _LINE.finditer(text):
        line = found[2].rstrip()
        if until:
            until = "" if line == until else until
            continue
        if line in TEXTS or line.startswith("banner "):
            until = "EOF"
        if line in _NO_COMMANDS:
            continue
        begin = start + found.start(2)
        words = _split_words(line)
        if not found[1] and (not flat or _opens(words)):
            head, top = words, (begin,)
        by = kept.get(found.start())
        path = (by, *words) if by is not None else words if words is head else _path_below(head, words)
        if line.startswith(_TAKEN) and _find(path).name == WAY:
            path = (_BESIDE,)  # what is taken back changes nothing
        yield make_statement(path, begin, begin + len(line), top)


@lru_cache(4096)
def _split_words(line: str) -> Path:
    """The first words of a command, without its sign."""
    words = tuple(line.split(None, 4)[:4])
    return words[1:] if words[0] in _SIGNS and len(words) > 1 else words


def _opens(words: Path) -> bool:
    """Whether a line of a text without indentation begins another mode, or stands in none."""
    return words[0] == _IN_PORT or (_TABLE.find(words) or NOBODY_KNOWS) is not NOBODY_KNOWS


def _path_below(head: Path, words: Path) -> Path:
    """Of a line below another: what stands in interfaces is told apart."""
    if head[:1] != (_IN_PORT,):
        return head or words
    return (_IN_PORT, _VLAN if head[1:] and head[1].startswith("Vl") else "", *words)
