"""Whole SONiC configurations to change one statement of: made from the models, from an intent, and real ones."""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

from sonic_clean import changed, clean, each

import rocecfg
from rocecfg.linting.rendering import render_files
from rocecfg.vendors.sonic import domain

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))
import configurations
import generate

Config = dict[str, Any]
PORT = "Ethernet0"

_COUNTED = {"FLEX_COUNTER_STATUS": "enable", "FLEX_COUNTER_DELAY_STATUS": "false", "POLL_INTERVAL": "10000"}
_OTHER = {  # a second row that references may lead to
    "DSCP_TO_TC_MAP": {"26": "6", "48": "3"},
    "DOT1P_TO_TC_MAP": {"3": "4", "4": "3"},
    "TC_TO_QUEUE_MAP": {"3": "6", "6": "3"},
    "TC_TO_PRIORITY_GROUP_MAP": {"3": "7", "7": "3"},
    "TC_TO_DSCP_MAP": {"3": "18"},
    "MAP_PFC_PRIORITY_TO_QUEUE": {"3": "4", "4": "3"},
    "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": {"3": "4", "4": "3"},
    "WRED_PROFILE": {"green_min_threshold": "300000"},
}


def _sized() -> Config:
    """Buffers as configured: the traditional model. Every field that the models have is in some row."""
    config = changed(
        DEVICE_METADATA={"localhost": {"default_pfcwd_status": "enable"}},
        PORT={PORT: {"pfc_asym": "off", "autoneg": "off"}},
        BUFFER_POOL={"egress_lossy_pool": {"type": "egress", "mode": "dynamic", "size": "20000000"}},
        BUFFER_PROFILE={
            "egress_lossy_profile": {"pool": "egress_lossy_pool", "size": "0", "dynamic_th": "3"},
            "egress_lossless_profile": {"packet_discard_action": "drop"},
            "pg_lossless_400000_40m_profile": {"headroom_type": "static"},
        },
        BUFFER_QUEUE={f"{PORT}|0": {"profile": "egress_lossy_profile"}},
        BUFFER_PORT_INGRESS_PROFILE_LIST={PORT: {"profile_list": "ingress_lossy_profile"}},
        BUFFER_PORT_EGRESS_PROFILE_LIST={PORT: {"profile_list": "egress_lossless_profile"}},
        SCHEDULER={
            "scheduler.1": {"meter_type": "bytes", "cir": "1000", "pir": "5000", "cbs": "8192", "pbs": "8192"},
        },
        PORT_QOS_MAP=each(
            {
                "dot1p_to_tc_map": "AZURE",
                "pfc_to_pg_map": "AZURE",
                "tc_to_dscp_map": "AZURE",
                "scheduler": "scheduler.1",
            }
        ),
        DOT1P_TO_TC_MAP={"AZURE": {str(n): str(n) for n in range(8)}},
        TC_TO_DSCP_MAP={"AZURE": {str(n): {3: "26", 6: "48"}.get(n, "0") for n in range(8)}},
        PFC_PRIORITY_TO_PRIORITY_GROUP_MAP={"AZURE": {str(n): str(n) for n in range(8)}},
        PFC_WD=each({"pfc_stat_history": "disable"}),
        SWITCH_TRIMMING={"GLOBAL": {"size": "256", "dscp_value": "48", "queue_index": "6"}},
        FLEX_COUNTER_TABLE={group: dict(_COUNTED) for group in domain.COUNTED}
        | {
            group: {**_COUNTED, "BULK_CHUNK_SIZE": "64", "BULK_CHUNK_SIZE_PER_PREFIX": "SAI_QUEUE_STAT_PACKETS:16"}
            for group in ("PG_DROP", "PG_WATERMARK", "PORT", "PORT_BUFFER_DROP", "QUEUE", "QUEUE_WATERMARK")
        },
    )
    for group in ("PFCWD", "PORT_RATES"):
        del config["FLEX_COUNTER_TABLE"][group]["POLL_INTERVAL"]
    del config["PORT_QOS_MAP"]["global"]
    for table, other in _OTHER.items():
        config[table]["OTHER"] = {**next(iter(config[table].values())), **other}
    return config


def _computed() -> Config:
    """Buffers that the switch works out, the dynamic model; and one map of DSCP for all ports."""
    config = _sized()
    config["PORT_QOS_MAP"]["global"] = {"dscp_to_tc_map": "AZURE"}
    for port in config["PORT"]:
        del config["PORT_QOS_MAP"][port]["dscp_to_tc_map"]
        del config["PORT_QOS_MAP"][port]["dot1p_to_tc_map"]
    config["DEVICE_METADATA"]["localhost"]["buffer_model"] = "dynamic"
    config["DEFAULT_LOSSLESS_BUFFER_PARAMETER"] = {"AZURE": {"default_dynamic_th": "0", "over_subscribe_ratio": "2"}}
    config["BUFFER_POOL"]["egress_lossy_pool"] = {"type": "egress", "mode": "dynamic", "percentage": "20"}
    config["LOSSLESS_TRAFFIC_PATTERN"] = {"AZURE": {"mtu": "4096", "small_packet_percentage": "50"}}
    for port in list(config["PORT"]):
        config["BUFFER_PG"][f"{port}|3"] = {"profile": "own"}
    config["BUFFER_PROFILE"]["own"] = {
        "pool": "ingress_lossless_pool",
        "headroom_type": "dynamic",
        "dynamic_th": "1",
        "size": "0",
    }
    del config["BUFFER_PROFILE"]["pg_lossless_400000_40m_profile"]
    return config


def _by_tag() -> Config:
    """Ports that sort by 802.1p; and what excludes settings of the other configurations."""
    config = clean()
    del config["PORT_QOS_MAP"]["global"]
    for port in config["PORT"]:
        del config["PORT_QOS_MAP"][port]["dscp_to_tc_map"]
        config["PORT_QOS_MAP"][port]["dot1p_to_tc_map"] = "AZURE"
    config["DOT1P_TO_TC_MAP"] = {"AZURE": {str(n): str(n) for n in range(8)}}
    config["SWITCH_TRIMMING"] = {
        "GLOBAL": {"size": "256", "dscp_value": "from-tc", "tc_value": "6", "queue_index": "dynamic"}
    }
    return config


# Each statement of the models stands in one of these at least; some exclude each other.
SCHEMA = {"sized": _sized(), "computed": _computed(), "by tag": _by_tag()}


@cache
def _from_intent(release: str, folder: Path) -> str:
    path = generate.write(folder / release, 10, "nodesets", "sonic")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(f'"{generate.NAMINGS["sonic"].version}"', f'"{release}"'), encoding="utf-8")
    fabric = rocecfg.load(str(path))
    device = fabric.devices[0]
    file = next(file for file in render_files(fabric, "sonic") if file.device == device.names[0])
    make = configurations.KINDS["sonic"][2]
    text = make(device.names[0], 0, device, file.text)
    return text.replace("version_202505_01", f"version_{release}_01")


def from_intent(release: str, folder: Path) -> Config:
    """A whole switch of a release family that runs what an intent means."""
    config: Config = json.loads(_from_intent(release, folder))
    return config


def sample(shared: Path, name: str) -> Config:
    """A real one."""
    config: Config = json.loads((shared / "samples" / "sonic" / f"{name}.json").read_text(encoding="utf-8"))
    return config
