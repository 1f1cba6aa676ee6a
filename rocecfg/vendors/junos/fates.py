"""What becomes of each statement of Junos: checked, compared as text, none of RoCE's, or unknown.

The hierarchies are those of Juniper's native configuration models (Juniper/yang, 23.4R1 to 24.4R1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from rocecfg.model.fates import FOREIGN, JUDGED, WAY, Fates
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
    judged,
    make_statement,
    may_be_way,
    may_change,
    weigh,
)
from rocecfg.vendors.junos.reading.grammar import INTERFACE_LEAVES, NOTE
from rocecfg.vendors.junos.reading.interfaces import PORT
from rocecfg.vendors.junos.reading.lexing import Statements
from rocecfg.vendors.junos.settings import is_beside

_COS = "class-of-service"
_OTHER = "other-interfaces"  # in the place of `interfaces` where what is named is no port
_ETHER = "ether-options|gigether-options|aggregated-ether-options"
_LEAVES = {where: "|".join(leaves) for where, leaves in INTERFACE_LEAVES.items()}
_ROWS = (
    *judged("version", "system host-name", _COS, "apply-groups|apply-groups-except"),
    *judged("forwarding-options enhanced-hash-key ecmp-resilient-hash|no-mpls|vxlan-vnid|symmetric|ecmp-dlb|inet"),
    *judged("forwarding-options enhanced-hash-key inet6|hash-mode|hash-parameters|conditional-match|resilient-hash"),
    *judged("forwarding-options vxlan-disable-copy-tos-encap|vxlan-disable-copy-tos-decap"),
    *judged("forwarding-options vxlan-routing", "vlans * vxlan", "switch-options vtep-source-interface"),
    *as_text("what a switch tells hosts of its settings", "protocols dcbx"),
    *judged("firewall filter|family|policer|three-color-policer|hierarchical-policer|interface-set", noted=WAY),
    *judged("forwarding-options family", "vlans * forwarding-options|filter", noted=WAY),
    *judged("routing-instances * interface"),
    *judged(f"interfaces|{_OTHER} * unit * family * filter", f"interfaces|{_OTHER} * unit * filter", noted=WAY),
    *may_be_way("an event policy that changes no class of service, interface, filter or group", "event-options"),
    *may_be_way("a commit script", "system scripts commit"),
    *foreign("in which language scripts are, and how they are kept", "system scripts"),
    *may_change("a script, which may change the configuration", "system scripts op|snmp|extension-service file"),
    *may_change("agents and applications of others, which may configure the switch", "system extensions"),
    *may_change(
        "a policer, or a check of the way back: it may drop RoCEv2",
        "interfaces * unit * family * policer|rpf-check",
        f"{_OTHER} irb unit * family * policer|rpf-check",
    ),
    *may_change("MACsec: it may hold pause frames back", "security macsec"),
    *foreign("when commits are made, and kept", "system commit"),
    *foreign(
        "of the interface, and no queue, buffer or pause frame",
        f"interfaces * {_LEAVES['port']}|hold-time|damping|optics-options|otn-options|esi|apply-macro|apply-groups",
        f"interfaces * {_ETHER} {_LEAVES['ethernet']}|lacp|802.3ad|mc-ae|bfd-liveness-detection",
        f"interfaces * unit * {_LEAVES['unit']}|esi|apply-macro|vlan-tags|input-vlan-map|output-vlan-map|arp-resp",
        "interfaces * unit * family mpls|iso|mpls|vpls|ccc|any|evpn",
        f"interfaces * unit * family * {_LEAVES['family']}|sampling|dhcp|storm-control",
        "interfaces * unit * family * neighbor|targeted-broadcast|unnumbered-address|recovery-timeout|apply-macro",
    ),
    *judged(
        "interfaces * mtu|speed|number-of-sub-ports|disable|description|vlan-tagging|flexible-vlan-tagging",
        "interfaces * native-vlan-id|encapsulation",
        "interfaces * unit * vlan-id|tunnel",
        "interfaces * unit * family inet|inet6|ethernet-switching mtu|address|interface-mode|vlan",
        f"interfaces * {_ETHER} 802.3ad|flow-control|no-flow-control|configured-flow-control|fec",
    ),
    *foreign("no port with queues: loopback, management, routed VLANs", _OTHER),
    *as_text("the largest packet that a routed VLAN takes", f"{_OTHER} irb mtu", f"{_OTHER} irb unit * family * mtu"),
    *foreign(
        "management of the box: logins, time, names, logs",
        "system accounting|archival|arp|authentication-order|auto-snapshot|autoinstallation|backup-router|boot",
        "system compress-configuration-files|configuration|configuration-database|default-address-selection",
        "system domain-name|domain-search|dynamic-profile-options|encrypt-configuration-files|export-format|fips",
        "system icmpv4-rate-limit|icmpv6-rate-limit|internet-options|kernel-replication|ldap-options|license|location",
        "system login|management-instance|master-password|max-configurations-on-flash|max-configuration-rollbacks",
        "system mirror-flash-on-disk|name-resolution|name-server|no-redirects|no-multicast-echo|no-ping-record-route",
        "system ntp|packet-forwarding-options|pic-console-authentication|ports|processes|proxy|radius-options",
        "system radius-server|rng|root-authentication|root-login|saved-core-context|saved-core-files|security-profile",
        "system services|static-host-mapping|storage|switchover-on-routing-crash|syslog|tacplus-options|tacplus-server",
        "system time-zone|tracing|use-imported-time-zones|watchdog|ddos-protection|no-compress-configuration-files",
        "system no-ping-time-stamp|health-monitor|resiliency|phone-home|json|disable-lcd|diag-port-authentication",
        "snmp|accounting-options|access|access-profile|poe|jsrc|diameter|tenants|vmhost|unified-edge|services",
    ),
    *foreign(
        "which ports a box has, and how the chip's tables are shared: speed and splits are checked at the ports",
        "chassis aggregated-devices|alarm|auto-image-upgrade|config-button|craft-lockout|disk-partition|display|fpc",
        "chassis maximum-ecmp|network-services|node-group|redundancy|routing-engine|forwarding-options|pem|fpc-resync",
        "chassis evpn-vxlan-default-switch-support|loopback|led|environment|fru-poweron-sequence|power|usb|error",
    ),
    *foreign(
        "routing: which way packets go, not how they queue",
        "routing-options|routing-instances|policy-options|multicast-snooping-options",
        "protocols bfd|bgp|bgp-sharding|evpn|igmp|igmp-host|igmp-snooping|isis|iso|layer2-control|ldp|loop-detect|mld",
        "protocols mld-host|mld-snooping|mpls|msdp|mstp|mvrp|ospf|ospf3|pim|rip|ripng|router-advertisement",
        "protocols router-discovery|rstp|rsvp|source-packet-routing|uplink-failure-detection|vrrp|vstp|xstp|amt|pgm",
        "forwarding-options evpn-vxlan|hash-key|load-balance|multicast-replication|no-hierarchical-ecmp|next-hop-group",
        "forwarding-options tunnel-termination|vrf-fallback|vxlan-flexflow|rpf-loose-mode-discard",
    ),
    *foreign("protocols with neighbours and hosts", "protocols dot1x|iccp|lacp|lldp|lldp-med|oam|protection-group|ptp"),
    *foreign("protocols with neighbours and hosts", "protocols clock-synchronization|l2-learning|neighbor-discovery"),
    *foreign("samples and copies of packets, floods", "protocols sflow"),
    *foreign(
        "samples and copies of packets, floods, DHCP",
        "forwarding-options accounting|analyzer|dhcp-relay|dhcp-security|helpers|monitoring|packet-capture",
        "forwarding-options port-mirroring|sampling|storm-control-profiles|access-security|flex-flow-export|satellite",
    ),
    *foreign(
        "VLANs and tunnels: who talks to whom, not how packets queue",
        "switch-options|bridge-domains",
        "vlans * apply-groups|community-vlans|description|domain-type|interface|isolated-vlan|l3-interface|mac|mcae",
        "vlans * no-mac-learning|private-vlan|service-id|switch-options|vlan-id|vlan-id-list|vlan-range|vlan-tags",
        "vlans * vlan-prune|no-local-switching|no-irb-layer-2-copy|bridge-options|mcae-mac-synchronize|vxlan-prune",
    ),
    *foreign("several boxes as one", "virtual-chassis|multi-chassis|fabric|logical-systems"),
    *foreign("logins, keys and guards of the box", "security"),
    *foreign("named ports and addresses of applications, for filters", "applications"),
    *foreign("a note beside other statements", "rcsid|groups"),
)
_TABLE = FateTable(_ROWS)
_OF_BUFFERS = FateTable(  # of what no setting hangs on here
    (
        *as_text(
            "buffers of queues and ports, which no intent states",
            f"{_COS} schedulers * buffer-size",
            f"{_COS} dedicated-buffer|dedicated-buffer-profile",
            f"{_COS} interfaces * dedicated-buffer-profile",
        ),
        *as_text(
            "marks that switches or packets of another kind may be sorted by",
            f"{_COS} rewrite-rules|classifiers ieee-802.1|dscp-ipv6",
            f"{_COS} interfaces * rewrite-rules|classifiers ieee-802.1|dscp-ipv6",
            f"{_COS} interfaces * unit * rewrite-rules|classifiers ieee-802.1|dscp-ipv6",
        ),
        *as_text("which queue packets of the switch itself wait in, and their marks", f"{_COS} host-outbound-traffic"),
    )
)
_RANGE, _OF_RANGE, _MEMBERS = "interface-range", 3, ("member", "member-range")  # which ports it stands for
_OPENED = Fate(JUDGED)  # a port, unit or family without a statement in it
_BESIDE = Fate(FOREIGN, "nothing that is compared hangs on it")
_NOTE = Fate(FOREIGN, "a note beside other statements, which scripts alone read")


def _find(path: Path) -> Fate:
    if NOTE in path:
        return _NOTE
    if path[0] == _COS and len(path) > 1 and is_beside(path[1:]):
        return _OF_BUFFERS.find(path) or _BESIDE
    if path[0] == "interfaces" and len(path) in (2, 4, 6) and path[2::2] == ("unit", "family")[: len(path) // 2 - 1]:
        return _OPENED
    return _TABLE.find(path) or NOBODY_KNOWS


def weigh_statements(given: Statements, problems: Iterable[Problem], doc: int) -> Fates:
    """The fates of all statements, those of groups as what they are of."""
    return weigh(partial(_list_statements, given), _find, problems, doc)


def _list_statements(given: Statements, is_noted: Noted) -> Iterator[Statement]:
    del is_noted  # every statement has its place
    for one in (*given.active, *given.inactive, *given.strange):
        words = one.words
        if words[0] == "groups" and len(words) > 2:
            words = words[2:]
        if words[:2] == ("interfaces", _RANGE) and len(words) > _OF_RANGE and words[_OF_RANGE] not in _MEMBERS:
            words = ("interfaces", "*", *words[_OF_RANGE:])
        if words[0] == "interfaces" and len(words) > 1 and PORT.fullmatch(words[1]) is None and "*" not in words[1]:
            words = (_OTHER, *words[1:])
        yield make_statement(words, one.at.start, one.at.end)
