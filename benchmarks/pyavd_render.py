"""The same EOS content by pyavd: what rocecfg rendered, as pyavd's structured configuration, rendered again and timed.

    python pyavd_render.py FOLDER

FOLDER holds what `rocecfg render --vendor arista -o FOLDER` wrote. Prints the seconds a device of the warm renderer
(imports, schema and templates loaded): wall time, CPU time; then the share of rocecfg's lines that pyavd printed too.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import pyavd

DEVICES = 20  # after one to warm up
_QUEUES = {"uc-tx-queue": "uc_tx_queues", "tx-queue": "tx_queues"}


def structured(text: str) -> dict[str, Any]:
    """EOS lines as pyavd's model has them; lines it cannot express are left out."""
    maps: dict[str, list[str]] = {"dscp": [], "traffic_class": []}
    watchdog: dict[str, Any] = {}
    profiles: list[dict[str, Any]] = []
    interfaces: list[dict[str, Any]] = []
    inside: dict[str, Any] = {}
    queue: dict[str, Any] = {}
    for line in text.splitlines():
        match line.split():
            case ["qos", "map", "dscp", *rest]:
                maps["dscp"].append(" ".join(rest))
            case ["qos", "map", "traffic-class", *rest]:
                maps["traffic_class"].append(" ".join(rest))
            case ["priority-flow-control", "pause", "watchdog", "default", what, value]:
                watchdog[what.replace("-", "_")] = value
            case ["priority-flow-control", "pause", "watchdog", "action", action]:
                watchdog["action"] = action
            case ["qos", "profile", name]:
                inside = {"name": name, "qos": {}, "priority_flow_control": {}}
                profiles.append(inside)
            case ["interface", name]:
                inside = {"name": name, "flowcontrol": {}}
                interfaces.append(inside)
            case ["mtu", mtu]:
                inside["mtu"] = int(mtu)
            case ["service-profile", name]:
                inside["service_profile"] = name
            case ["flowcontrol", "receive", "off"]:
                inside["flowcontrol"]["received"] = "off"
            case _:
                queue = _profile_line(line.split(), inside, queue)
    for profile in profiles:
        del profile["qos"]
    return {
        "qos": {"map": maps},
        "priority_flow_control": {"watchdog": watchdog},
        "qos_profiles": profiles,
        "ethernet_interfaces": interfaces,
    }


def _profile_line(words: list[str], profile: dict[str, Any], queue: dict[str, Any]) -> dict[str, Any]:
    """One line of a profile, or of a queue in it; the queue that the next line belongs to."""
    match words:
        case ["qos", "trust", kind]:
            profile["trust"] = kind
        case ["priority-flow-control", "on"]:
            profile["priority_flow_control"]["enabled"] = True
        case ["no", "priority-flow-control"]:
            profile["priority_flow_control"]["enabled"] = False
        case ["priority-flow-control", "priority", priority, "no-drop"]:
            profile["priority_flow_control"].setdefault("priorities", []).append(
                {"priority": int(priority), "no_drop": True}
            )
        case ["priority-flow-control", "pause", "watchdog"]:
            profile["priority_flow_control"]["watchdog"] = {"enabled": True}
        case [kind, number] if kind in _QUEUES:
            queue = {"id": int(number)}
            profile.setdefault(_QUEUES[kind], []).append(queue)
        case ["priority", "strict"] | ["no", "priority"]:
            queue["priority"] = " ".join(words)
        case ["bandwidth", "percent", share]:
            queue["bandwidth_percent"] = int(share)
        case ["random-detect", "ecn", "minimum-threshold", low, unit, _, high, _, _, probability, _, weight]:
            queue["random_detect"] = {
                "ecn": {
                    "threshold": {
                        "units": unit,
                        "min": int(low),
                        "max": int(high),
                        "max_probability": int(probability),
                        "weight": int(weight),
                    }
                }
            }
        case ["random-detect", "ecn", "count"]:
            queue["random_detect"]["ecn"]["count"] = True
    return queue


def _lines(text: str) -> set[str]:
    return {
        line.strip() for line in text.splitlines() if line.strip() and not line.startswith("!") and line.strip() != "!"
    }


def main(folder: str) -> None:
    """Render and compare."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(Path(folder).glob("*.cfg"))[: DEVICES + 1]]
    models = [structured(text) for text in texts]
    for model in models:
        checked = pyavd.validate_structured_config(model)
        if checked.validation_result.violations:
            sys.exit(f"pyavd refuses: {checked.validation_result.violations[0]}")
    pyavd.get_device_config(models[0])
    wall, cpu = time.perf_counter(), time.process_time()
    printed = [pyavd.get_device_config(model) for model in models[1:]]
    seconds = [time.perf_counter() - wall, time.process_time() - cpu]
    ours, theirs = (set().union(*map(_lines, some)) for some in (texts[1:], printed))
    each = [spent / len(printed) for spent in seconds]
    print(*each, len(ours & theirs) / len(ours))


if __name__ == "__main__":
    main(sys.argv[1])
