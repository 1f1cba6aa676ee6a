"""The rows that buffermgrd writes by itself in the traditional buffer model, and when it does.

sonic-swss, cfgmgr/buffermgr.cpp (doSpeedUpdateTask): for the priorities of pfc_enable, neighbours joined, it binds
`pg_lossless_SPEED_LENGTH_profile` in BUFFER_PG of CONFIG_DB. It does so when a row of PORT is written (admin_status and
speed are fields of it) and when pfc_enable changes; when CABLE_LENGTH changes only from 202511 on (doCableTask: before,
the length is remembered, and nothing else). Rows that fitted what was before stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from rocecfg.model import Device
from rocecfg.sizing.templates import buffer_model
from rocecfg.vendors.sonic.keys import join_priorities, parse_priorities

Row = dict[str, str]
Tables = Mapping[str, Mapping[str, Row]]

GENERATED = re.compile(r"\[?(?:BUFFER_PROFILE\|)?pg_lossless_(\d+)_(\d+m)_profile\]?")  # speed in Mbit/s, length


def is_traditional(config: Tables, device: Device) -> bool:
    """Whether the switch looks headroom up: DEVICE_METADATA says so, or nothing, and its platform comes so.

    docker-orchagent/buffermgrd.sh takes any buffer_model but `dynamic` for this one.
    """
    local = config.get("DEVICE_METADATA", {}).get("localhost", {})
    return (local.get("buffer_model") or buffer_model(device) or "traditional") != "dynamic"


def length_of(config: Tables, port: str) -> str | None:
    """The cable length of a port as written, `40m`; of several groups that name it the last."""
    return next((row[port] for row in reversed(list(config.get("CABLE_LENGTH", {}).values())) if port in row), None)


def keys_generated(config: Tables, port: str) -> tuple[str, ...]:
    """The keys of BUFFER_PG that buffermgrd writes for a port with these priorities: `Ethernet0|3-4`."""
    mask = config.get("PORT_QOS_MAP", {}).get(port, {}).get("pfc_enable", "")
    return tuple(f"{port}|{key}" for key in join_priorities(parse_priorities(mask)))


def profiles_generated(config: Tables, port: str) -> Iterator[tuple[str, str]]:
    """The rows of BUFFER_PG that buffermgrd writes for a port, and the profile that each is bound to."""
    speed, length = config.get("PORT", {}).get(port, {}).get("speed"), length_of(config, port)
    if speed is not None and length not in (None, "0m"):
        yield from ((key, f"pg_lossless_{speed}_{length}_profile") for key in keys_generated(config, port))


def find_stale(config: Tables) -> Iterator[tuple[str, str]]:
    """Rows of BUFFER_PG whose generated profile is that of another length, and the profile that the length means.

    Of the ports that have a speed and a length; another length is one that CABLE_LENGTH does not say.
    """
    for key, row in config.get("BUFFER_PG", {}).items():
        port = key.rpartition("|")[0]
        found = GENERATED.fullmatch(row.get("profile", ""))
        speed, length = config.get("PORT", {}).get(port, {}).get("speed"), length_of(config, port)
        if found is not None and speed is not None and length not in (None, "0m", found[2]):
            yield key, row["profile"].replace(f"{found[1]}_{found[2]}", f"{speed}_{length}")
