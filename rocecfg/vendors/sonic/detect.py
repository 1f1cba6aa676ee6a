"""Whether a text is of CONFIG_DB, told by its tables."""

from __future__ import annotations

import re

from rocecfg.vendors.protocol import Match

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
_CONFIG_DB_PATH = re.compile(r'"path"\s*:\s*"/[A-Z][A-Z0-9_]+[/"]')


def detect(head: str) -> Match | None:
    """JSON with tables of CONFIG_DB; lists of rows as swssconfig takes them, and of patches of them."""
    begin = head.lstrip()[:1]
    if begin not in ("{", "["):
        return None
    if not _CONFIG_DB.search(head) and (begin == "{" or not _is_list(head)):
        return None
    return Match(sure=True, ours=True)


def _is_list(head: str) -> bool:
    return bool(_SWSSCONFIG.search(head) or (_PATCH.search(head) and _CONFIG_DB_PATH.search(head)))
