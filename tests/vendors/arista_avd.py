"""A device of the model as Arista AVD's structured configuration, built apart from the writer: AVD prints the same?

AVD has no key for some lines; `EXEMPT` names each with the reason, and the test compares the rest.
"""

from __future__ import annotations

import re
from typing import Any

from arista_devices import family_of
from arista_lines import Line

from rocecfg.model import Device, Ecn, Headroom, PortGroup, TrafficClass, Watchdog

ACTIONS = {"drop": "drop", "alert": "notify-only", "errdisable": "errdisable"}

# name -> (mode, line, reason); mode and line are whole-match patterns
EXEMPT = {
    "flowcontrol send": ("interface .*", "flowcontrol send (on|off)", "AVD has flowcontrol.received only"),
    "priority not no-drop": (
        "qos profile .*",
        "no priority-flow-control priority [0-7]",
        "AVD says it as `drop`; the running-config says `no`",
    ),
    "watchdog off": (
        "qos profile .*",
        "no priority-flow-control pause watchdog",
        "AVD prints nothing for watchdog.enabled: false, and EOS has it on by default",
    ),
    "no marking": (r"(uc-)?tx-queue \d", "no random-detect ecn", "AVD cannot take a curve away"),
    "no share": (r"(uc-)?tx-queue \d", "no bandwidth percent", "AVD cannot take a share away"),
    "guarantee as a rate": (r"(uc-)?tx-queue \d", r"bandwidth guaranteed \d+", "AVD has the percent form only"),
    "DCBX": ("interface .*", "(no dcbx mode|dcbx mode ieee)", "AVD has no key for DCBX"),
}


def exemption(line: Line) -> str | None:
    """The name of the exemption that covers a line, if one does."""
    path, text = line
    for name, (mode, pattern, _reason) in EXEMPT.items():
        if path and re.fullmatch(mode, path[-1]) and re.fullmatch(pattern, text):
            return name
    return None


def structured(device: Device, profile_names: dict[str, str]) -> dict[str, Any]:
    """The structured configuration of a device whose port groups (by key) use these profiles.

    Names of profiles are the writer's choice and are given; everything else comes from the model.
    """
    queue = "uc_tx_queue" if family_of(device) == "strata" else "tx_queue"
    watched = [p.watchdog for p in device.ports if p.pfc and p.watchdog]
    ecn = any(isinstance(c.ecn_at(p.speed), Ecn) for p in device.ports for c in device.classes_on(p))
    config: dict[str, Any] = {
        "hostname": "switch",
        "qos": {"map": {"dscp": _dscps(device), "traffic_class": _queues(device, queue)}},
        "priority_flow_control": {"watchdog": _global(watched)},
        "qos_profiles": _unique([_profile(device, p, profile_names[p.key], queue, watched) for p in device.ports]),
        "ethernet_interfaces": [_interface(device, p, n, profile_names[p.key]) for p in device.ports for n in p.names],
    }
    if any(p.trust != "dscp" for p in device.ports):
        tc_of = {c.priority: c.tc for c in device.classes}
        config["qos"]["map"]["cos"] = [f"{cos} to traffic-class {tc_of.get(cos, 0)}" for cos in range(8)]
    if family_of(device) == "sand" and ecn:
        config["hardware_counters"] = {"features": [{"name": "ecn", "direction": "out"}]}
    if any(w.action == "errdisable" for w in watched):
        config["errdisable"] = {"recovery": {"causes": [{"name": "stuck-queue"}]}}
    return config | _platform(device)


def _dscps(device: Device) -> list[str]:
    by_tc: dict[int, list[str]] = {}
    for dscp, tc in enumerate(device.maps.dscp_to_tc):
        if tc is not None:
            by_tc.setdefault(tc, []).append(str(dscp))
    return [f"{' '.join(dscps)} to traffic-class {tc}" for tc, dscps in by_tc.items()]


def _queues(device: Device, queue: str) -> list[str]:
    return [f"{tc} to {queue.replace('_', '-')} {q}" for tc, q in enumerate(device.maps.tc_to_queue) if tc != 7]


def _seconds(ms: float) -> str:
    return f"{ms / 1000:.2f}"


def _global(watched: list[Watchdog]) -> dict[str, str]:
    if not watched or any(w.vendor_default for w in watched):
        return {}
    first = watched[0]  # in the fixed devices the first group has most ports
    actions = [ACTIONS[str(w.action)] for w in watched]
    assert first.detection is not None
    assert first.restoration is not None
    assert first.poll is not None
    return {
        "timeout": _seconds(first.detection),
        "recovery_time": _seconds(first.restoration),
        "polling_interval": _seconds(first.poll),
        "action": "errdisable" if "errdisable" in actions else actions[0],
    }


def _profile(device: Device, port: PortGroup, name: str, queue: str, watched: list[Watchdog]) -> dict[str, Any]:
    trust = {"dscp": "dscp", "pcp": "cos", "none": "disabled"}[port.trust]
    pfc: dict[str, Any] = {"enabled": bool(port.pfc)}
    if port.pfc:
        pfc["priorities"] = [{"priority": p, "no_drop": True} for p in port.pfc]
        pfc["watchdog"] = _watchdog(port.watchdog, _global(watched))
    queues = [_queue(device, port, c) for c in device.classes if not _fixed(device, c)]
    return {"name": name, "trust": trust, "priority_flow_control": pfc, f"{queue}s": queues}


def _fixed(device: Device, cls: TrafficClass) -> bool:
    return family_of(device) == "sand" and cls.queue == 7 and cls.strict


def _watchdog(watchdog: Watchdog | None, switch: dict[str, str]) -> dict[str, Any]:
    if watchdog is None:
        return {"enabled": False}
    if watchdog.detection is None or watchdog.restoration is None or watchdog.poll is None:
        return {"enabled": True}
    timer = {
        "timeout": _seconds(watchdog.detection),
        "polling_interval": _seconds(watchdog.poll),
        "recovery_time": _seconds(watchdog.restoration),
    }
    own: dict[str, Any] = {"enabled": True}
    if timer.items() - switch.items():
        own["timer"] = timer
    action = ACTIONS[str(watchdog.action)]
    if action not in (switch.get("action"), "errdisable"):
        own["action"] = action
    return own


def _queue(device: Device, port: PortGroup, cls: TrafficClass) -> dict[str, Any]:
    queue: dict[str, Any] = {"id": cls.queue, "priority": "priority strict" if cls.strict else "no priority"}
    if cls.bandwidth is not None:
        queue["bandwidth_percent"] = int(cls.bandwidth)
    if cls.guaranteed_percent is not None:
        queue["bandwidth_guaranteed_percent"] = int(cls.guaranteed_percent)
    if cls.max_percent is not None:
        queue["shape"] = {"rate": f"{cls.max_percent} percent"}
    if cls.max_rate is not None:
        queue["shape"] = {"rate": f"{cls.max_rate // 1000} kbps"}
    ecn = cls.ecn_at(port.speed)
    if cls.name in port.classes and isinstance(ecn, Ecn):
        threshold = {
            "units": "bytes", "min": ecn.kmin, "max": ecn.kmax, "max_probability": int(ecn.pmax), "weight": ecn.weight,
        }  # fmt: skip
        queue["random_detect"] = {"ecn": {"threshold": threshold, "count": _count_in_profile(device)}}
    return queue


def _count_in_profile(device: Device) -> bool:
    return family_of(device) == "sand" or device.version != "4.30.3M"


def _interface(device: Device, port: PortGroup, name: str, profile: str) -> dict[str, Any]:
    received = "on" if port.flowcontrol in ("rx", "on") else "off"
    interface: dict[str, Any] = {"name": name, "flowcontrol": {"received": received}, "service_profile": profile}
    if port.mtu:
        interface["mtu"] = port.mtu
    if not _count_in_profile(device):
        marked = [c.queue for c in device.classes_on(port) if isinstance(c.ecn_at(port.speed), Ecn)]
        interface["uc_tx_queues"] = [{"id": q, "random_detect": {"ecn": {"count": True}}} for q in marked]
    return interface


def _unique(profiles: list[dict[str, Any]]) -> list[dict[str, Any]]:
    by_name: dict[str, dict[str, Any]] = {}
    for profile in profiles:
        assert by_name.setdefault(profile["name"], profile) == profile, "one name, two profiles"
    return list(by_name.values())


def _platform(device: Device) -> dict[str, Any]:
    headroom = {p.headroom.size for p in device.ports if p.pfc and isinstance(p.headroom, Headroom)}
    mmu: dict[str, Any] = {}
    ingress: dict[str, Any] = {}
    if device.buffers.alpha:
        ingress["threshold"] = f"1/{round(1 / device.buffers.alpha)}"
    if headroom:
        ingress["headroom"] = {"unit": "bytes", "memory": headroom.pop()}
    if ingress:
        mmu = {"active_profile": "ROCE", "queue_profiles": [{"name": "ROCE", "ingress": ingress}]}
    if device.buffers.shared_headroom:
        mmu["headroom_pool"] = {"unit": "bytes", "limit": device.buffers.shared_headroom}
    return {"platform": {"trident": {"mmu": mmu}}} if mmu else {}
