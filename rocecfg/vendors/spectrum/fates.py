"""What becomes of each setting of NVUE: checked, compared as text, none of RoCE's, or unknown.

The objects are those of the OpenAPI documents that NVIDIA publishes for Cumulus Linux 5.0 to 5.18.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from rocecfg.model.fates import FOREIGN, JUDGED, TEXT, WAY, Fates
from rocecfg.model.stated import Problem
from rocecfg.source.document import Document
from rocecfg.source.yaml import Map, Seq
from rocecfg.vendors.fates import (
    NOBODY_KNOWS,
    WRITES,
    Fate,
    FateTable,
    Noted,
    Path,
    Statement,
    foreign,
    judged,
    make_statement,
    may_be_way,
    unknown,
    weigh,
)
from rocecfg.vendors.spectrum.domain import LINK_BESIDE, is_beside
from rocecfg.vendors.spectrum.reading.commands import VERBS, list_statements
from rocecfg.vendors.spectrum.reading.operations import HEADER, Configuration
from rocecfg.vendors.spectrum.settings import TABLE

_SHELL = "$"  # stands before what is no command of NVUE
_LINK = "|".join(sorted(LINK_BESIDE))
_ADAPTIVE = "router adaptive-routing state|enable|profile|link-utilization-threshold"
_ROWS = (
    *judged(f"header {'|'.join(HEADER)}", "qos", "system hostname", "platform hostname", "nve vxlan state|enable"),
    *judged("nve vxlan encapsulation|decapsulation dscp", _ADAPTIVE),
    *judged("system forwarding ecmp-hash|packet-trim"),
    *judged("acl", "interface * acl", noted=WAY),
    *judged("interface * type|description|link|qos|vrf|packet-trim", f"interface * {_ADAPTIVE}"),
    *judged("interface * bond member", "interface * bridge domain", "interface * ip|ipv4|ipv6 address|vrf"),
    *may_be_way(
        "files of routing, logs, time, SNMP, logins and interfaces, whose lines name no QoS",
        "system config snippet",
    ),
    *foreign("how a link comes up; its speed, FEC, MTU and state are checked", f"interface * link {_LINK}"),
    *foreign(
        "of the interface, and no queue, buffer or pause frame: addresses, VLANs, bonds, logins, time, samples",
        "interface * base-interface|bond|bridge|dot1x|evpn|ip|ipv4|ipv6|latency-measurement|link-tracking|lldp",
        "interface * neighbor|port-security|ptp|router|sflow|synce|telemetry|tunnel|vlan|ospf|pim|vrr|vrrp|mlag",
        "interface * storm-control|security|counter|device|loopback",
    ),
    *foreign(
        "routing: which way packets go, not how they queue",
        "router bfd|bgp|igmp|nexthop|ospf|ospf6|password-obfuscation|pbr|pim|policy|segment-routing|vrr|vrrp",
        "vrf",
    ),
    *foreign(
        "VLANs and tunnels: who talks to whom, not how packets queue",
        "bridge|evpn|mlag",
        "nve vxlan arp-nd-suppress|flooding|mac-learning|mlag|port|source|statistics|encapsulation|decapsulation",
    ),
    *foreign(
        "services of the box: DHCP, time, names, logs",
        "service control|dhcp-relay|dhcp-relay6|dhcp-server|dhcp-server6|ptp|ntp|dns|lldp|snmp-server|syslog|synce",
    ),
    *foreign("power, clocks and modules of the box", "platform"),
    *foreign("takes ports out of service, while it lasts", "maintenance"),
    *foreign(
        "management of the box: logins, time, names, logs, SNMP, telemetry",
        "system config apply|auto-save|backup",
        "system aaa|acl|api|cli|contact|control-plane|counter|date-time|dns|docker|dot1x|events|global",
        "system gnmi-server|grpc-tunnel|link|link-tracking|lldp|location|log|message|nat|ntp|packages|port-mirror",
        "system reboot|security|serial-console|sflow|snmp-server|ssh-server|synce|syslog|tech-support|telemetry",
        "system wjh|do-spx|timezone|ssl-certificate|factory-default|image|disk|health|profile|usb|version|ztp",
    ),
    *foreign(
        "tables of the chip, and the order of equal paths",
        "system forwarding ecmp-weight-normalisation|hash-seed|host-route-preference|lag-hash|profile|programming",
        "system forwarding resource-mode",
    ),
    *unknown("interface * router adaptive-routing", "router adaptive-routing"),
    *foreign("shows, applies or saves, and sets nothing", "$ nv"),
    *foreign(
        "of the shell around the commands, and no program that sets queues",
        f"{_SHELL} set|echo|printf|exit|sleep|if|then|else|elif|fi|for|do|done|while|case|esac|cd|true|false|read|test",
        f"{_SHELL} export|trap|local|return|cat|grep|sudo|date|[|{{|}}|:|#!/bin/bash|#!/bin/sh",
    ),
)
_TABLE = FateTable(_ROWS)
_AS_TEXT = Fate(TEXT, "of RoCE, and not in the model: compared as it is written")
_VLAN = re.compile(r"vlan\d")
_MTU = Fate(TEXT, "the largest packet that a routed VLAN takes")
_BESIDE = Fate(FOREIGN, "nothing that is compared hangs on it")
_WRITING = Fate(WAY, "a command that writes a file of the system, which may set PFC, ECN or buffers")


def _find(path: Path) -> Fate:
    if path[0] == "interface" and len(path) == 2:
        return Fate(JUDGED)  # there it is, and nothing is set there
    if path[0] == _SHELL and WRITES.search(" ".join(path)):
        return _WRITING
    if path[0] == "interface" and path[2:] == ("link", "mtu", *path[4:]) and _VLAN.match(path[1]) is not None:
        return _MTU
    fate = _TABLE.find(path) or NOBODY_KNOWS
    if fate.name != JUDGED or path[0] not in ("qos", "interface", "system", "router"):
        return fate
    row = TABLE.find(path)
    if row is not None and not row.judged:
        return _AS_TEXT
    return _BESIDE if row is None and is_beside(path) else fate


def weigh_settings(document: Document, given: Configuration, problems: Iterable[Problem]) -> Fates:
    """The fates of all leaves, or of all commands."""
    walk = partial(_list_commands, document) if given.operations is None else partial(_list_leaves, given)
    return weigh(walk, _find, problems, document.number)


def _list_commands(document: Document, is_noted: Noted) -> Iterator[Statement]:
    del is_noted  # every command has its place
    for words in list_statements(document):
        path = tuple(word.text for word in words)
        known = path[0] == "nv" and len(path) > 2 and path[1] in VERBS
        yield make_statement(path[2:] if known else (_SHELL, *path), words[0].start, words[-1].end)


def _list_leaves(given: Configuration, is_noted: Noted) -> Iterator[Statement]:
    del is_noted
    seen: set[int] = set()  # an alias stands at several places, and its text once
    for verb, key, node in given.operations or ():
        yield from _walk(node, ("header",) if verb == "header" else (), (key.start, key.end), (), seen)


def _walk(node: Any, path: Path, at: tuple[int, int], above: tuple[int, ...], seen: set[int]) -> Iterator[Statement]:
    if type(node) is Map and node.pairs:
        if id(node) not in seen:
            seen.add(id(node))
            for key, value in node.pairs:
                end = value.end if value is not None else key.end
                yield from _walk(value, (*path, key.text), (key.start, end), (*above, key.start), seen)
    elif type(node) is Seq and node.items:
        if id(node) not in seen:
            seen.add(id(node))
            for item in node.items:
                yield from _walk(item, path, (item.start, item.end), above, seen)
    else:
        yield make_statement(path or ("",), *at, above)
