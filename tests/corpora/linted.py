"""The configurations of a corpus as lint reads them, and what is said of them."""

from __future__ import annotations

import json
from pathlib import Path

from one_switch import findings_of, loaded_as
from reduced import Config
from statements import count_statements

HERE = Path(__file__).parent
STOCK, SAMPLES = HERE / "stock.txt", HERE / "samples.txt"
ROLES = {
    "t0": "ToRRouter",
    "t1": "LeafRouter",
    "t2": "SpineRouter",
    "lt2": "LowerSpineRouter",
    "ft2": "FabricSpineRouter",
    "def": "",
}
"""The end of the name of a buffers_defaults_*.j2, and a device type that buffers_config.j2 takes it for."""


def without_local(config: Config) -> Config:
    """Without the row that its name tells."""
    return {table: rows for table, rows in config.items() if table != "DEVICE_METADATA"}


def with_local(config: Config, name: str) -> Config:
    """A HwSKU's configuration as a switch has it: with what the name says of it, and its ports up."""
    name, _, release = name.partition(" @")
    path, role, *model = name.split(" ")
    platform, hwsku, *_ = path.split("/")
    local = {"hostname": "switch", "hwsku": hwsku, "platform": platform, "type": ROLES[role]}
    local["buffer_model"] = model[0] if model else ""
    ports = {port: {"admin_status": "up", "mtu": "9100", **row} for port, row in config["PORT"].items()}
    out = {**config, "DEVICE_METADATA": {"localhost": {k: v for k, v in local.items() if v}}, "PORT": ports}
    return out | ({"VERSIONS": {"DATABASE": {"VERSION": f"version_{release}_01"}}} if release else {})


def said(config: Config) -> list[tuple[str, str, str]]:
    """Severity, rule and message of each error and warning."""
    loaded = loaded_as("sonic", "config_db.json", text := json.dumps(config))[0]
    assert loaded.fates is not None
    assert loaded.fates.total == count_statements("sonic", text)
    found = findings_of(loaded)
    return [(f.severity, f.rule.name, f.message) for f in found if f.severity != "info"]
