"""Load balancing: what ECMP hashes, as an intent and as SWITCH_HASH call it (sonic-hash.yang, hash-field)."""

from __future__ import annotations

HASHED = {
    "src-ip": "SRC_IP",
    "dst-ip": "DST_IP",
    "protocol": "IP_PROTOCOL",
    "src-port": "L4_SRC_PORT",
    "dst-port": "L4_DST_PORT",
    "ingress-port": "IN_PORT",
    "flow-label": "IPV6_FLOW_LABEL",
}
