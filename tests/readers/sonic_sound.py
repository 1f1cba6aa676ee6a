"""Sound configurations of SONiC switches of several kinds, none with anything wrong with it: what tests change."""

from __future__ import annotations

from typing import Any

from sonic_clean import PORTS, changed, clean, each, lay

HOST, UPLINKS = "Ethernet0", ("Ethernet16", "Ethernet24")
_REFERRED = {
    "dscp_to_tc_map": "DSCP_TO_TC_MAP",
    "tc_to_queue_map": "TC_TO_QUEUE_MAP",
    "tc_to_pg_map": "TC_TO_PRIORITY_GROUP_MAP",
    "pfc_to_queue_map": "MAP_PFC_PRIORITY_TO_QUEUE",
    "scheduler": "SCHEDULER",
    "wred_profile": "WRED_PROFILE",
    "pool": "BUFFER_POOL",
    "profile": "BUFFER_PROFILE",
}


def leaf() -> dict[str, Any]:
    """Tomahawk 4, whose headroom is looked up."""
    return clean()


def dynamic() -> dict[str, Any]:
    """Spectrum-4, which works its headroom out."""
    ends = (("min", "200000"), ("max", "800000"))
    curve = {f"{color}_{end}_threshold": size for color in ("green", "yellow", "red") for end, size in ends}
    config = changed(WRED_PROFILE={"AZURE_LOSSLESS": curve})
    config["DEVICE_METADATA"]["localhost"] |= {
        "hwsku": "ACS-SN5600",
        "platform": "x86_64-nvidia_sn5600-r0",
        "buffer_model": "dynamic",
    }
    config["BUFFER_POOL"] = {
        "ingress_lossless_pool": {"type": "ingress", "mode": "dynamic"},
        "ingress_lossy_pool": {"type": "ingress", "mode": "dynamic"},
        "egress_lossless_pool": {"type": "egress", "mode": "dynamic", "size": "158229504"},
        "egress_lossy_pool": {"type": "egress", "mode": "dynamic"},
    }
    config["BUFFER_PROFILE"] = {
        "ingress_lossy_profile": {"pool": "ingress_lossy_pool", "size": "0", "dynamic_th": "3"},
        "egress_lossless_profile": {"pool": "egress_lossless_pool", "size": "0", "dynamic_th": "7"},
        "egress_lossy_profile": {"pool": "egress_lossy_pool", "size": "9216", "dynamic_th": "7"},
    }
    config["DEFAULT_LOSSLESS_BUFFER_PARAMETER"] = {"AZURE": {"default_dynamic_th": "0", "over_subscribe_ratio": "0"}}
    config["LOSSLESS_TRAFFIC_PATTERN"] = {"AZURE": {"mtu": "4200", "small_packet_percentage": "50"}}
    return lay(config, {"BUFFER_PG": {f"{port}|3": {"profile": "NULL"} for port in PORTS}})


def shared() -> dict[str, Any]:
    """Spectrum-4 with two lossless priorities that share their headroom."""
    config = dynamic()
    config["DEFAULT_LOSSLESS_BUFFER_PARAMETER"]["AZURE"]["over_subscribe_ratio"] = "2"
    profile = {"profile": "NULL"}
    return lay(config, _second({"BUFFER_PG": {f"{port}|4": dict(profile) for port in PORTS}}))


def linked() -> dict[str, Any]:
    """A leaf that knows its neighbours: two hosts, and a LAG to a spine."""
    config = clean()
    config["DEVICE_NEIGHBOR"] = {
        "Ethernet0": {"name": "gpu1", "port": "eth0"},
        "Ethernet8": {"name": "gpu2", "port": "eth0"},
        "Ethernet16": {"name": "spine1", "port": "Ethernet0"},
        "Ethernet24": {"name": "spine1", "port": "Ethernet8"},
    }
    config["DEVICE_NEIGHBOR_METADATA"] = {
        "gpu1": {"type": "Server"},
        "gpu2": {"type": "Server"},
        "spine1": {"type": "LeafRouter"},
    }
    config["PORTCHANNEL"] = {"PortChannel1": {"admin_status": "up", "mtu": "9100"}}
    config["PORTCHANNEL_MEMBER"] = {f"PortChannel1|{port}": {} for port in UPLINKS}
    config["PORTCHANNEL_INTERFACE"] = {"PortChannel1": {}, "PortChannel1|10.0.0.0/31": {}}
    return config


def bracketed() -> dict[str, Any]:
    """References as SONiC has them up to 202106."""
    config = clean()
    for table in ("PORT_QOS_MAP", "QUEUE", "BUFFER_PROFILE", "BUFFER_PG", "BUFFER_QUEUE"):
        for row in config[table].values():
            row.update({f: f"[{_REFERRED[f]}|{name}]" for f, name in row.items() if f in _REFERRED})
    return config


def line_card() -> dict[str, Any]:
    """A line card with virtual output queues."""
    config = clean()
    config["DEVICE_METADATA"]["localhost"] |= {"switch_type": "voq", "asic_name": "Asic0"}
    for table in ("QUEUE", "BUFFER_QUEUE"):
        config[table] = {f"leaf01|asic0|{key}": row for key, row in config[table].items()}
    return config


def tagged() -> dict[str, Any]:
    """A storage backend that sorts by the priority of the VLAN tag."""
    config = changed(DSCP_TO_TC_MAP=None, DOT1P_TO_TC_MAP={"AZURE": {str(n): str(n) for n in range(8)}})
    del config["PORT_QOS_MAP"]["global"]
    for row in config["PORT_QOS_MAP"].values():
        del row["dscp_to_tc_map"]
        row["dot1p_to_tc_map"] = "AZURE"
    config["VLAN"] = {"Vlan10": {"vlanid": "10"}}
    config["VLAN_MEMBER"] = {f"Vlan10|{port}": {"tagging_mode": "tagged"} for port in PORTS}
    return config


def two_classes() -> dict[str, Any]:
    """RDMA of two kinds, on priorities 3 and 4."""
    profile = {"profile": "pg_lossless_400000_40m_profile"}
    groups = {f"{port}|3": None for port in PORTS} | {f"{port}|3-4": dict(profile) for port in PORTS}
    return lay(clean(), _second({"BUFFER_PG": groups}))


def _second(tables: dict[str, Any]) -> dict[str, Any]:
    """What priority 4 needs to be lossless too, beside its priority groups."""
    queue = {"scheduler": "scheduler.1", "wred_profile": "AZURE_LOSSLESS"}
    return {
        "DSCP_TO_TC_MAP": {"AZURE": {"34": "4"}},
        "TC_TO_PRIORITY_GROUP_MAP": {"AZURE": {"4": "4"}},
        "PORT_QOS_MAP": each({"pfc_enable": "3,4", "pfcwd_sw_enable": "3,4"}),
        "SCHEDULER": {"scheduler.1": {"weight": "30"}},
        "QUEUE": {f"{port}|4": dict(queue) for port in PORTS},
        "BUFFER_QUEUE": {f"{port}|4": {"profile": "egress_lossless_profile"} for port in PORTS},
        **tables,
    }


def numbers() -> dict[str, Any]:
    """Bare numbers, as tools write them that know JSON: sonic-cfggen makes texts of them, and YANG takes them."""
    config = changed(PORT_QOS_MAP=each({"pfc_enable": 3, "pfcwd_sw_enable": 3}))
    for row in config["PORT"].values():
        row |= {"speed": 400000, "mtu": 9100}
    return config


def parts() -> list[dict[str, Any]]:
    """A list of tables, of which the later ones add fields to rows of the former."""
    first, second = clean(), {"PORT_QOS_MAP": {}}
    for port in PORTS:
        second["PORT_QOS_MAP"][port] = {"pfcwd_sw_enable": first["PORT_QOS_MAP"][port].pop("pfcwd_sw_enable")}
    return [first, second]


def unmanaged() -> dict[str, Any]:
    """Ports beside the fabric's: one for service at 10G, and one that is down, without any QoS."""
    config = clean()
    config["PORT"] |= {
        "Ethernet256": {"lanes": "512", "speed": "10000", "admin_status": "up", "mtu": "9100"},
        "Ethernet257": {"lanes": "513", "speed": "10000", "admin_status": "down", "mtu": "1500", "fec": "none"},
    }
    maps = ("dscp_to_tc_map", "tc_to_queue_map", "tc_to_pg_map", "pfc_to_queue_map")
    config["PORT_QOS_MAP"]["Ethernet256"] = dict.fromkeys(maps, "AZURE")
    return config


SOUND = {
    "leaf": leaf,
    "dynamic": dynamic,
    "shared": shared,
    "linked": linked,
    "bracketed": bracketed,
    "line card": line_card,
    "tagged": tagged,
    "two classes": two_classes,
    "numbers": numbers,
    "parts": parts,
    "unmanaged": unmanaged,
}
