"""What becomes of each line of a running-config of NX-OS: checked, compared as text, none of RoCE's, or unknown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rocecfg.model.fates import FOREIGN, JUDGED, Fates
from rocecfg.model.stated import Problem
from rocecfg.vendors.fates import (
    NOBODY_KNOWS,
    Fate,
    FateTable,
    Noted,
    Path,
    Statement,
    as_text,
    foreign,
    make_statement,
    may_change,
    weigh,
)
from rocecfg.vendors.nxos.reading.config import Config
from rocecfg.vendors.nxos.settings import OTHER_PORT, SYSTEM, TABLE

_OPENED = Fate(JUDGED)  # a block
_BESIDE = Fate(FOREIGN, "nothing that is compared hangs on it")
_ROWS = (
    *foreign(
        "of the interface, and no queue, buffer or pause frame",
        "interface * description|shutdown|spanning-tree|lldp|cdp|udld|duplex|beacon|load-interval|medium|delay|snmp",
        "interface * logging|bandwidth|mdix|storm-control|link|lacp|ip|ipv6|vrf|vpc|switchport|encapsulation",
        "interface * hsrp|ospf|isis|bfd|evpn|mpls|mac-address|negotiate|channel-group|speed|fec|carrier-delay|ptp",
        "interface * private-vlan|dampening|fabric|hardware|cts|dot1x|mac|access-group|breakout|pim|arp|hostname|fex",
    ),
    *foreign("no port with queues: loopback, management, VLANs, tunnels", OTHER_PORT),
    *foreign(
        "management of the box: logins, time, names, logs",
        "hostname|switchname|version|vdc|banner|username|user|password|userpassphrase|aaa|tacacs-server|tacacs|radius-server",
        "ssh|telnet|snmp-server|rmon|ntp|clock|logging|line|boot|cli|terminal|cfs|callhome|license|fips|crypto|key|role",
        "nxapi|grpc|telemetry|scheduler|event|power|environment|errdisable|install|archive|alias|kernel|icam|no|install",
        "feature-set|feature|domain-lookup|domain-name|name-server|service|cdp|lldp|udld|bash|guestshell",
        "rpm|sflow|flow|monitor|configure|exec-timeout|copp|control-plane|limit-resource|userpassphrase|encryption|ngoam",
        "nve|track|object-group|time-range|ethanalyzer|debug|ptp|poap|system|feature|hostname|diagnostic|slot|module|sup",
        "mac|fabric|switching-mode|itd|catena|openflow|hw-module|no-hostname|locator-led|logging|switch-profile|dot1x",
        "device|cts|xml|login|radius|ldap-server|virtual-service|app-hosting|certificate|callhome|interface-breakout",
    ),
    *foreign(
        "routing: which way packets go, not how they queue",
        "router|route-map|ip|ipv6|vrf|hsrp|vpc|vlan|spanning-tree|evpn|port-channel|key-chain|prefix-list|bfd|mpls|segment-routing",
        "arp|l2vpn|fabricpath|otv|overlay|ospf|isis|pim|msdp|igmp|interface-vlan|lacp|mst|vtp|community-list|multicast",
        "as-path|pbr|nv|vn-segment|vxlan|lisp|rip|eigrp|rsvp|traffic-eng",
    ),
    *foreign("classes and policers of the switch's own processor", "class-map|policy-map control-plane"),
    *foreign("a note for people", "class-map|policy-map * * description"),
    *foreign(
        "how the chip's tables are shared",
        "hardware access-list|forwarding|ecmp|rate-limiter|multicast|ip",
        "hardware profile tcam|portmode|front|forwarding-mode|ecmp|multicast|unicast",
    ),
    *as_text("what the chip does with queues and buffers", "hardware", "platform", "link-level-flow-control"),
    *as_text("counters of queues", "qos statistics|qos-policies|shared-policer|copy"),
    *may_change("a profile of ports, which may have settings of PFC and queues", "port-profile"),
    *may_change("a script that the switch runs by itself", "event manager", "scheduler job"),
)
_TABLE = FateTable(_ROWS)


def _find(path: Path) -> Fate:
    if path[-1:] == ("{",):  # a block that is opened
        owned = path[0] in ("class-map", "policy-map", SYSTEM, "interface") and path[1:2] != ("control-plane",)
        return _OPENED if owned else (_TABLE.find(path[:-1]) or NOBODY_KNOWS)
    row = TABLE.find(path)
    if row is not None and row.key:
        return _BESIDE if row.beside else _OPENED
    return _TABLE.find(path) or NOBODY_KNOWS


def weigh_lines(config: Config, problems: Iterable[Problem], doc: int) -> Fates:
    """The fates of all lines."""

    def list_statements(is_noted: Noted) -> Iterator[Statement]:
        del is_noted  # every line has its place
        for line in config.lines:
            path = line.whole if line.path[:1] != ("interface",) else ("interface", line.names[0], *line.words)
            yield make_statement(path if line.words else (*path, "{"), line.at.start, line.at.end)

    return weigh(list_statements, _find, problems, doc)
