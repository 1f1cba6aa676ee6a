"""What becomes of each field of CONFIG_DB: checked, compared as text, none of RoCE's, or unknown.

The tables are those of src/sonic-yang-models of sonic-buildimage (202311 to 202605 and master) and of sonic-utilities.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Any

from rocecfg.model.fates import TEXT, WAY, Fates
from rocecfg.model.stated import Problem
from rocecfg.source.json import Left, Object
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
    weigh,
)
from rocecfg.vendors.sonic.domain import (
    COUNTED,
    COUNTED_BESIDE,
    DOMAIN,
    QOS,
    is_unjudged,
)
from rocecfg.vendors.sonic.reading.forms import StatedPart
from rocecfg.vendors.sonic.settings import BESIDE, FIELDS, METADATA, PORT, TABLE

_FILTERS = ("ACL_TABLE", "ACL_RULE")


def _fields(words: str) -> frozenset[str]:
    return frozenset(words.split())


_KNOWN: Mapping[str, frozenset[str] | None] = {  # fields of the other tables that are read; None: any
    "PORT": frozenset((*PORT, *BESIDE["PORT"])),
    "DEVICE_METADATA": frozenset((*METADATA, *BESIDE["DEVICE_METADATA"])),
    **dict.fromkeys(("DEVICE_NEIGHBOR_METADATA", "VERSIONS", "FLEX_COUNTER_TABLE")),
    "ACL_RULE": _fields(
        "AETH_SYNDROME BTH_OPCODE DEI DSCP DST_IP DST_IPV6 DST_MAC ETHER_TYPE ICMPV6_CODE ICMPV6_TYPE"
        " ICMP_CODE ICMP_TYPE INNER_ETHER_TYPE INNER_IP_PROTOCOL INNER_L4_DST_PORT INNER_L4_SRC_PORT"
        " INNER_SRC_IP INNER_SRC_IPV6 IN_PORTS IP_PROTOCOL INNER_SRC_MAC_REWRITE_ACTION IP_TYPE"
        " L4_DST_PORT L4_DST_PORT_RANGE L4_SRC_PORT OUT_PORTS L4_SRC_PORT_RANGE MIRROR_EGRESS_ACTION"
        " MIRROR_INGRESS_ACTION PACKET_ACTION PCP PRIORITY SRC_IP SRC_IPV6 SRC_MAC TC TCP_FLAGS"
        " TUNNEL_TERM TUNNEL_VNI VLAN_ID NEXT_HEADER DSCP_ACTION MIRROR_ACTION RULE_DESCRIPTION OUT_PORTS"
    ),
    "ACL_TABLE": _fields("policy_desc ports services stage type"),
    "DEVICE_NEIGHBOR": _fields("local_port mgmt_addr name peer_name port type"),
    **dict.fromkeys(
        ("INTERFACE", "PORTCHANNEL_INTERFACE"),
        _fields(
            "family ip_prefix ipv6_use_link_local_only loopback_action mac_addr mpls name nat_zone scope"
            " vnet_name vrf_name"
        ),
    ),
    "PORTCHANNEL": _fields(
        "admin_status description fallback fast_rate lacp_key members min_links mode mtu name system_mac tpid"
    ),
    "PORTCHANNEL_MEMBER": _fields("name port"),
    "SWITCH_HASH": _fields("ecmp_hash ecmp_hash_algorithm lag_hash lag_hash_algorithm"),
    "TUNNEL": _fields(
        "decap_dscp_to_tc_map decap_tc_to_pg_map dscp_mode dst_ip ecn_mode encap_ecn_mode"
        " encap_tc_to_dscp_map encap_tc_to_queue_map src_ip ttl_mode tunnel_type"
    ),
    "VLAN_MEMBER": _fields("name port tagging_mode"),
    "VXLAN_TUNNEL": _fields("dst_ip src_ip ttl_mode dscp dscp_mode ecn_mode"),
}
_COUNTERS = "FLEX_COUNTER_TABLE"
_UNMODELLED = Fate(TEXT, "a field without a model here: compared as it is written")
_AS_TEXT = Fate(TEXT, "a table on queues, buffers or pauses without a model here: compared as it is written")
_TABLE = FateTable(
    (
        *judged(*QOS),
        *(row for table in _KNOWN for row in judged(table, noted=WAY if table in _FILTERS else TEXT)),
        *(
            made
            for row in TABLE.rows
            if not row.judged
            for made in foreign(row.beside, f"{row.path[0]} {row.path[-1]}")
        ),
        *foreign(
            "counters of other things than queues, buffers and ports", *(f"{_COUNTERS} * {g}" for g in COUNTED_BESIDE)
        ),
        *foreign(
            "routing protocols and routes: which way packets go, not how they queue",
            "BGP_AGGREGATE_ADDRESS|BGP_ALLOWED_PREFIXES|BGP_BBR|BGP_DEVICE_GLOBAL|BGP_GLOBALS|BGP_GLOBALS_AF",
            "BGP_GLOBALS_AF_AGGREGATE_ADDR|BGP_GLOBALS_AF_NETWORK|BGP_GLOBALS_LISTEN_PREFIX|BGP_INTERNAL_NEIGHBOR",
            "BGP_MONITORS|BGP_NEIGHBOR|BGP_NEIGHBOR_AF|BGP_PEER_GROUP|BGP_PEER_GROUP_AF|BGP_PEER_RANGE|BGP_SENTINELS",
            "BGP_VOQ_CHASSIS_NEIGHBOR|BMP|AS_PATH_SET|COMMUNITY_SET|EXTENDED_COMMUNITY_SET|PREFIX|PREFIX_LIST",
            "PREFIX_SET|ROUTE_MAP|ROUTE_MAP_SET|ROUTE_REDISTRIBUTE|STATIC_ROUTE|VRF|LOOPBACK_INTERFACE|FG_NHG",
            "FG_NHG_MEMBER|FG_NHG_PREFIX|SRV6_MY_LOCATORS|SRV6_MY_SIDS|LEAK_CONTROL_POLICY|LEAK_PROFILE|NEIGH",
            "OSPFV2_ROUTER|OSPFV2_INTERFACE|OSPFV2_ROUTER_AREA|BFD_PEER_SINGLE_HOP|BFD_PEER_MULTI_HOP|BFD_PROFILE",
        ),
        *as_text("the largest packet that a routed VLAN takes", "VLAN mtu"),
        *foreign(
            "VLANs, addresses and tunnels: who talks to whom, not how packets queue",
            "VLAN|VLAN_INTERFACE|VLAN_SUB_INTERFACE|FDB|MCLAG_DOMAIN|MCLAG_INTERFACE|MCLAG_UNIQUE_IP|MAC_MOVE_GUARD",
            "SAG|SUBNET_DECAP|EVPN_ETHERNET_SEGMENT|EVPN_MH_GLOBAL|VXLAN_EVPN_NVO|VXLAN_TUNNEL_MAP|VNET|VNET_ROUTE",
            "VNET_ROUTE_TUNNEL|NVGRE_TUNNEL|NVGRE_TUNNEL_MAP|PEER_SWITCH|MUX_CABLE|MUX_LINKMGR|STP|STP_VLAN|STP_PORT",
            "STP_VLAN_PORT|STP_MST|STP_MST_INST|STP_MST_PORT|VOQ_INBAND_INTERFACE",
        ),
        *foreign(
            "address translation and DPUs, which no switch port of a RoCE fabric uses for RDMA",
            "NAT_BINDINGS|NAT_GLOBAL|NAT_POOL|STATIC_NAPT|STATIC_NAT|DASH_ACL_GROUP|DASH_ACL_IN|DASH_ACL_OUT",
            "DASH_ACL_RULE|DASH_APPLIANCE|DASH_ENI|DASH_ROUTE_TABLE|DASH_ROUTING_TYPE|DASH_VNET|DPU|DPUS",
            "DASH_VNET_MAPPING_TABLE|DASH_HA_GLOBAL_CONFIG|REMOTE_DPU|VDPU|DPU_PORT|MID_PLANE_BRIDGE",
        ),
        *foreign(
            "management of the box: logins, time, names, logs, SNMP, telemetry",
            "AAA|ALARM|ALARM_STATS|AUTO_TECHSUPPORT|AUTO_TECHSUPPORT_FEATURE|BANNER_MESSAGE|CONSOLE_PORT",
            "CONSOLE_SWITCH|CONTACT|DHCPV4_RELAY|DHCP_RELAY|DHCP_SERVER|DHCP_SERVER_IPV4|DHCP_SERVER_IPV4_PORT",
            "DHCP_SERVER_IPV4_CUSTOMIZED_OPTIONS|DHCP_SERVER_IPV4_RANGE|DNS_NAMESERVER|DNS_OPTIONS|EVENT|EVENT_STATS",
            "FEATURE|FIPS|GNMI|GNMI_CLIENT_CERT|GRPCCLIENT|HEARTBEAT|KDUMP|KUBERNETES_MASTER|LDAP|LDAP_SERVER|LLDP",
            "LLDP_PORT|LOCATION|LOGGER|MEMORY_STATISTICS|MGMT_INTERFACE|MGMT_PORT|MGMT_VRF_CONFIG|NTP|NTP_KEY",
            "NTP_SERVER|PASSW_HARDENING|RADIUS|RADIUS_SERVER|RESTAPI|SERIAL_CONSOLE|SNMP|SNMP_AGENT_ADDRESS_CONFIG",
            "SNMP_COMMUNITY|SNMP_USER|SSH_SERVER|STORMOND_CONFIG|SYSLOG_CONFIG|SYSLOG_CONFIG_FEATURE|SYSLOG_SERVER",
            "SYSTEM_DEFAULTS|TACPLUS|TACPLUS_SERVER|TELEMETRY|TELEMETRY_CLIENT|TELEMETRY_SUBSCRIPTION|WARM_RESTART",
            "XCVRD_LOG|ZTP|SUPPRESS_ASIC_SDK_HEALTH_EVENT|LOCAL_USERS_PASSWORDS_RESET|BMC|BGP_ROUTER_ID|ASIC_SENSORS",
            "ASIC_SENSORS_POLLER_INTERVAL|ASIC_SENSORS_POLLER_STATUS|PROCESS|SYSTEM_PORT|CHASSIS_MODULE|FABRIC_PORT",
            "FABRIC_MONITOR|MACSEC_PROFILE|SWITCH_FAST_LINKUP|BREAKOUT_CFG",
        ),
        *foreign(
            "counters, samples and limits of tables: they watch packets and change none",
            "CRM|DEBUG_COUNTER|DEBUG_COUNTER_DROP_REASON|DEBUG_DROP_MONITOR|FLOW_COUNTER_ROUTE_PATTERN|SFLOW",
            "SFLOW_COLLECTOR|SFLOW_SESSION|HIGH_FREQUENCY_TELEMETRY_GROUP|HIGH_FREQUENCY_TELEMETRY_PROFILE",
            "WATERMARK_TABLE",
        ),
        *foreign(
            "traffic that RoCE is not: packets to the CPU, copies, floods",
            "COPP_GROUP|COPP_TRAP|MIRROR_SESSION|PORT_STORM_CONTROL|POLICER",
        ),
    )
)


@lru_cache(maxsize=8192)
def _find(path: Path) -> Fate:
    known = _KNOWN.get(path[0])
    if known is not None and len(path) > 1 and path[1] and path[1] not in known:
        return NOBODY_KNOWS
    if path[0] == _COUNTERS and len(path) > 2 and path[2] not in (*COUNTED, *COUNTED_BESIDE):
        return NOBODY_KNOWS
    field = FIELDS.get(path[0], {}).get(path[1]) if len(path) > 1 else None
    if field is not None and field.kind == "any":
        return _UNMODELLED
    return _TABLE.find(path) or (_AS_TEXT if is_unjudged(path[0]) else NOBODY_KNOWS)


def weigh_rows(text: str, parts: list[StatedPart], problems: Iterable[Problem], doc: int) -> Fates:
    """The fates of all fields, and of rows without any."""
    return weigh(partial(_list_statements, text, parts), _find, problems, doc)


def _list_statements(text: str, parts: list[StatedPart], is_noted: Noted) -> Iterator[Statement]:
    for part in parts:
        if part.table not in DOMAIN:  # what is said of it is the same for all its fields
            yield from (one._replace(path=(part.table,)) for one in _list_of_part(text, part, is_noted))
        else:
            yield from _list_of_part(text, part, is_noted)


def _list_of_part(text: str, part: StatedPart, is_noted: Noted) -> Iterator[Statement]:
    value, above = part.value, (part.at.start,)
    if isinstance(value, Left):
        yield Statement((part.table,), part.at.start, value.end, _count_fields(text[value.start : value.end]))
    elif not isinstance(value, Object):
        yield Statement((part.table,), part.at.start, part.at.end)
    elif part.key or (not value.members and not part.key):
        yield from _list_fields(part.table, part.key, value, above, part.at.start)
    elif is_noted(part.at.start, value.end) or part.table == _COUNTERS:
        for member in value.members:
            at = value.start + member.key_start
            yield from _list_fields(part.table, member.key, member.value, (*above, at), at)
    else:
        yield from _list_equal_rows(part.table, value, above)


def _list_equal_rows(table: str, value: Object, above: tuple[int, ...]) -> Iterator[Statement]:
    """The fields of a table that no finding is about: those of equal rows together, which share their members."""
    alike: dict[int, list[Any]] = {}
    for member in value.members:
        row = member.value
        known = alike.setdefault(id(row.members) if isinstance(row, Object) else id(member), [member, 0])
        known[1] += 1
    for member, number in alike.values():
        at = value.start + member.key_start
        for one in _list_fields(table, member.key, member.value, (*above, at), at):
            yield one._replace(number=number)


def _list_fields(table: str, key: str, row: Any, above: tuple[int, ...], at: int) -> Iterator[Statement]:
    """The fields of a row, each once; of rows that stand below parts of a key, too."""
    if not isinstance(row, Object) or not row.members:
        yield Statement((table, "", key), at, at + 1, 1, above)
        return
    counted = (key,) if table == _COUNTERS else ()  # which counters a row is of says its key
    for member in row.members:
        start = row.start + member.key_start
        if isinstance(member.value, Object):
            yield from _list_fields(table, key, member.value, (*above, start), start)
        else:
            yield make_statement((table, member.key, *counted), start, row.start + member.end, above)


def _count_fields(text: str) -> int:
    from json import loads

    return _count_leaves(loads(text, object_pairs_hook=tuple, parse_int=str))


def _count_leaves(value: Any) -> int:
    """How many fields stand in what was not read; one of what is not a table."""
    pairs = value if isinstance(value, tuple) else ()
    return sum(_count_leaves(below) for _, below in pairs) if pairs else 1
