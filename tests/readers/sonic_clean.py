"""A whole configuration of a leaf with nothing wrong with it: what a test changes is all that is found."""

from __future__ import annotations

import copy
from typing import Any

PORTS = tuple(f"Ethernet{n}" for n in range(0, 32, 8))
HWSKU = "DellEMC-Z9664f-O64"  # its table lists 5, 40 and 300 m for 400G
_CURVE = {"ecn": "ecn_all"}
for _color in ("green", "yellow", "red"):
    _CURVE |= {f"wred_{_color}_enable": "true", f"{_color}_min_threshold": "400000"}
    _CURVE |= {f"{_color}_max_threshold": "1600000", f"{_color}_drop_probability": "5"}
_QOS = {
    "dscp_to_tc_map": "AZURE",
    "tc_to_queue_map": "AZURE",
    "tc_to_pg_map": "AZURE",
    "pfc_to_queue_map": "AZURE",
    "pfc_enable": "3",
    "pfcwd_sw_enable": "3",
}
_DOG = {"action": "drop", "detection_time": "200", "restoration_time": "400"}
_PG = "pg_lossless_400000_40m_profile"

CLEAN: dict[str, Any] = {
    "DEVICE_METADATA": {
        "localhost": {
            "hostname": "leaf01",
            "hwsku": HWSKU,
            "platform": "x86_64-dellemc_z9664f_o2-r0",
            "type": "ToRRouter",
            "buffer_model": "traditional",
        }
    },
    "PORT": {
        p: {"lanes": str(n), "speed": "400000", "admin_status": "up", "mtu": "9100", "fec": "rs"}
        for n, p in enumerate(PORTS)
    },
    "DSCP_TO_TC_MAP": {"AZURE": {str(d): {26: "3", 48: "6"}.get(d, "0") for d in range(64)}},
    "TC_TO_QUEUE_MAP": {"AZURE": {str(n): str(n) for n in range(8)}},
    "TC_TO_PRIORITY_GROUP_MAP": {"AZURE": {str(n): {3: "3", 7: "7"}.get(n, "0") for n in range(8)}},
    "MAP_PFC_PRIORITY_TO_QUEUE": {"AZURE": {str(n): str(n) for n in range(8)}},
    "SCHEDULER": {
        "scheduler.0": {"type": "DWRR", "weight": "40"},
        "scheduler.1": {"type": "DWRR", "weight": "60"},
        "scheduler.strict": {"type": "STRICT"},
    },
    "WRED_PROFILE": {"AZURE_LOSSLESS": _CURVE},
    "PORT_QOS_MAP": {"global": {"dscp_to_tc_map": "AZURE"}} | {p: dict(_QOS) for p in PORTS},
    "QUEUE": {
        f"{p}|{q}": dict(row)
        for p in PORTS
        for q, row in {
            0: {"scheduler": "scheduler.0"},
            3: {"scheduler": "scheduler.1", "wred_profile": "AZURE_LOSSLESS"},
            6: {"scheduler": "scheduler.strict"},
        }.items()
    },
    "PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "100"}} | {p: dict(_DOG) for p in PORTS},
    "CABLE_LENGTH": {"AZURE": dict.fromkeys(PORTS, "40m")},
    "BUFFER_POOL": {
        "ingress_lossless_pool": {"type": "ingress", "mode": "dynamic", "size": "113620296", "xoff": "50708040"},
        "egress_lossless_pool": {"type": "egress", "mode": "static", "size": "113620296"},
    },
    "BUFFER_PROFILE": {
        "ingress_lossy_profile": {"pool": "ingress_lossless_pool", "size": "0", "static_th": "113620296"},
        "egress_lossless_profile": {"pool": "egress_lossless_pool", "size": "0", "static_th": "113620296"},
        _PG: {
            "pool": "ingress_lossless_pool",
            "size": "1270",
            "xon": "0",
            "xon_offset": "2540",
            "xoff": "424434",
            "dynamic_th": "0",
        },
    },
    "BUFFER_PG": {
        f"{p}|{n}": {"profile": name} for p in PORTS for n, name in {"0": "ingress_lossy_profile", "3": _PG}.items()
    },
    "BUFFER_QUEUE": {f"{p}|3": {"profile": "egress_lossless_profile"} for p in PORTS},
    "FLEX_COUNTER_TABLE": {"PFCWD": {"FLEX_COUNTER_STATUS": "enable"}},
}


def clean() -> dict[str, Any]:
    """A copy to change."""
    return copy.deepcopy(CLEAN)


def changed(**tables: Any) -> dict[str, Any]:
    """The clean configuration with rows laid upon it: a row or field of None goes, any other replaces or adds."""
    return lay(clean(), tables)


def lay(config: dict[str, Any], tables: dict[str, Any]) -> dict[str, Any]:
    """The configuration itself, with rows laid upon it as `changed` has it."""
    for table, rows in tables.items():
        if rows is None:
            del config[table]
            continue
        here = config.setdefault(table, {})
        for key, row in rows.items():
            if row is None:
                here.pop(key, None)
            elif isinstance(row, dict):
                fields = here.setdefault(key, {})
                for name, value in row.items():
                    if value is None:
                        fields.pop(name, None)
                    else:
                        fields[name] = value
            else:
                here[key] = row
    return config


def each(row: Any, *ports: str) -> dict[str, Any]:
    """The same for each port, or for those named."""
    return {p: (dict(row) if isinstance(row, dict) else row) for p in ports or PORTS}
