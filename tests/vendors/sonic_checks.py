"""What every rendered config_db.json must satisfy, whatever the device: found problems as text, none if all is well.

Beyond the YANG models: these are the mistakes that they let through and the switch answers with silence.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import jsonpatch
from conformance import SonicYang, run_validator
from sonic_meaning import same_queues
from sonic_orch import Switch

from rocecfg.drift.changes import render_patch
from rocecfg.model import Device, Fabric
from rocecfg.source.document import Sources
from rocecfg.vendors.base import RenderedText

RELEASES = ("202311", "202405", "202411", "202505", "202511", "202605", "master")  # those whose YANG models are at hand

LEAFREFS = {
    "PORT_QOS_MAP": {
        "dscp_to_tc_map": "DSCP_TO_TC_MAP",
        "dot1p_to_tc_map": "DOT1P_TO_TC_MAP",
        "tc_to_queue_map": "TC_TO_QUEUE_MAP",
        "tc_to_pg_map": "TC_TO_PRIORITY_GROUP_MAP",
        "pfc_to_queue_map": "MAP_PFC_PRIORITY_TO_QUEUE",
        "pfc_to_pg_map": "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
    },
    "QUEUE": {"scheduler": "SCHEDULER", "wred_profile": "WRED_PROFILE"},
    "BUFFER_PG": {"profile": "BUFFER_PROFILE"},
    "BUFFER_PROFILE": {"pool": "BUFFER_POOL"},
}


def load(text: str) -> dict[str, Any]:
    """The JSON, with duplicate keys refused (json.loads alone lets the last one win)."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in pairs]
        assert len(set(keys)) == len(keys), f"duplicate keys: {keys}"
        return dict(pairs)

    config: dict[str, Any] = json.loads(text, object_pairs_hook=unique)
    return config


def problems(config: dict[str, Any]) -> list[str]:
    """Everything wrong with a rendered configuration of a plain (not bracketed) release."""
    return [*_strings(config), *_references(config), *_ranges(config), *_numbers(config), *_chain(config)]


def _strings(config: dict[str, Any]) -> list[str]:
    return [
        f"{table}|{key}|{field}: {value!r}"
        for table, rows in config.items()
        for key, row in rows.items()
        for field, value in row.items()
        if not isinstance(value, str)
    ] + [f"{table} is empty" for table, rows in config.items() if not rows]


def _references(config: dict[str, Any]) -> list[str]:
    return [
        f"{table}|{key} {field} names no row of {to}: {row[field]}"
        for table, fields in LEAFREFS.items()
        for key, row in config.get(table, {}).items()
        for field, to in fields.items()
        if field in row and row[field] != "NULL" and row[field] not in config.get(to, {})
    ]


def _ranges(config: dict[str, Any]) -> list[str]:
    found = []
    for table in ("QUEUE", "BUFFER_PG"):
        seen: set[tuple[str, int]] = set()
        for key in config.get(table, {}):
            port, index = key.split("|")
            low, _, high = index.partition("-")
            for n in range(int(low), int(high or low) + 1):
                if (port, n) in seen or not 0 <= n <= 7:
                    found.append(f"{table}|{key} overlaps another row or leaves 0..7")
                seen.add((port, n))
    return found


def _numbers(config: dict[str, Any]) -> list[str]:
    return [*_shares(config), *_curves(config), *_timers(config), *_cables(config)]


def _shares(config: dict[str, Any]) -> list[str]:
    found = []
    for name, row in config.get("SCHEDULER", {}).items():
        if row["type"] == "DWRR" and not 1 <= int(row["weight"]) <= 100:
            found.append(f"{name}: weight")
        if "pir" in row and not int(row["pir"]) >= int(row["cir"]) > 0:
            found.append(f"{name}: pir needs cir > 0 and pir >= cir")
    return found


def _curves(config: dict[str, Any]) -> list[str]:
    found = []
    for name, row in config.get("WRED_PROFILE", {}).items():
        for color in ("green", "yellow", "red"):
            if not 0 <= int(row[f"{color}_min_threshold"]) <= int(row[f"{color}_max_threshold"]) < 2**31:
                found.append(f"{name}: {color} thresholds")
            if not 0 <= int(row[f"{color}_drop_probability"]) <= 100:
                found.append(f"{name}: {color} probability")
            marked = row["ecn"] == "ecn_all" or color in row["ecn"].split("_")
            if (row[f"wred_{color}_enable"] == "true") != marked:
                found.append(f"{name}: {color} is marked without WRED or dropped by it")
    return found


def _timers(config: dict[str, Any]) -> list[str]:
    found = []
    dogs = config.get("PFC_WD", {})
    poll = int(dogs.get("GLOBAL", {}).get("POLL_INTERVAL", 100))
    for port, row in dogs.items():
        if port == "GLOBAL":
            if not 100 <= poll <= 1000:
                found.append(f"POLL_INTERVAL {poll}")
        elif not (100 <= int(row["detection_time"]) <= 5000 and int(row["detection_time"]) >= poll):
            found.append(f"{port}: detection_time")
        elif not (100 <= int(row["restoration_time"]) <= 60000 and int(row["restoration_time"]) >= poll):
            found.append(f"{port}: restoration_time")
    return found


def _cables(config: dict[str, Any]) -> list[str]:
    lengths = config.get("CABLE_LENGTH", {}).get("AZURE", {})
    return [f"{port}: cable {m}" for port, m in lengths.items() if not m.endswith("m") or int(m[:-1]) < 1]


def _chain(config: dict[str, Any]) -> list[str]:
    """PFC, watchdog, headroom and queue of each port hang together."""
    found = []
    maps = {t: config[t]["AZURE"] for t in ("TC_TO_QUEUE_MAP", "TC_TO_PRIORITY_GROUP_MAP", "MAP_PFC_PRIORITY_TO_QUEUE")}
    for table, mapping in maps.items():
        if list(mapping) != [str(i) for i in range(8)]:
            found.append(f"{table} does not map all eight")
    for port, row in config.get("PORT_QOS_MAP", {}).items():
        if port == "global":
            continue
        pfc = {n for n in row.get("pfc_enable", "").split(",") if n}
        watched = {n for n in row.get("pfcwd_sw_enable", "").split(",") if n}
        if port in config.get("PFC_WD", {}) and not watched:
            found.append(f"{port}: a watchdog that watches nothing")
        if watched - pfc:
            found.append(f"{port}: watches a priority without PFC")
        if bool(pfc) != (port in config.get("CABLE_LENGTH", {}).get("AZURE", {})):
            found.append(f"{port}: lossless without cable length, or the other way round")
    return found


def validate(sonic_yang: SonicYang, release: str, *arguments: str | Path) -> list[dict[str, Any]]:
    """The validator's verdicts, one a file."""
    models = ("--models", sonic_yang.models / release)
    done = run_validator(sonic_yang.tool, "--json", "--backend", "wheel", *models, *arguments)
    assert done.returncode in (0, 1), done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def faults(verdicts: Iterable[dict[str, Any]]) -> dict[str, Any]:
    return {
        v["file"]: [*v["errors"], *v["tables_without_model"]]
        for v in verdicts
        if v["errors"] or v["tables_without_model"]
    }


def lacks(there: dict[str, Any], meant: dict[str, Any]) -> dict[str, Any]:
    """What of the rows that are meant for a port a switch has otherwise; rows of its own may stand beside these."""
    out = {}
    for key, value in meant.items():
        pair = (there.get(key), value)
        if isinstance(value, dict) and key in ("QUEUE", "BUFFER_PG", "BUFFER_QUEUE"):
            have = there.get(key, {})
            if same_queues({at: have[at] for at in value if at in have}, value):
                continue
        if key == "watchdog" and pair[0]:  # what `pfcwd start` writes of itself, and what it is without
            pair = ({k: v for k, v in pair[0].items() if (k, v) != ("pfc_stat_history", "disable")}, value)
        if pair[0] != pair[1] and not (key == "cable" and not value):
            out[key] = pair
    return out


def patched(fabric: Fabric, device: Device, running: str) -> RenderedText:
    """`render --as patch` for a device built by hand."""
    return render_patch(fabric, device, "running.json", running, Sources(), None)


def after(text: RenderedText, config: dict[str, Any]) -> dict[str, Any]:
    """A configuration after a patch (another implementation of RFC 6902), and after what its notes say to type."""
    before, rest = typed(text)
    switch = Switch(config, 202505, dynamic=True)  # nothing writes rows but what is typed
    for line in before:
        assert switch.type(line) == []
    switch = Switch(jsonpatch.apply_patch(switch.config, json.loads(text.body)), 202505, dynamic=True)
    for line in rest:
        if " HGET " not in line:
            assert switch.type(line) == []
    return {table: rows for table, rows in switch.config.items() if rows}


def typed(text: RenderedText) -> tuple[list[str], list[str]]:
    """What the notes of a patch say to type before it, and after it."""
    place = next((n for n, line in enumerate(text.notes) if line.endswith(". Apply the patch.")), 0)
    lines = [
        [line.strip() for line in part if line.startswith("   ")] for part in (text.notes[:place], text.notes[place:])
    ]
    return lines[0], lines[1]
