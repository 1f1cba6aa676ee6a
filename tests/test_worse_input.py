"""Worse numbers are found at least as bad, and what a finding or `advise` tells to set passes the next rule."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from intents import findings, rocecfg
from loops import loop
from sampling import part

from rocecfg.intent import load
from rocecfg.model import Ecn
from rocecfg.profiles import SHIPPED
from rocecfg.rules import SEVERITIES
from rocecfg.source.document import Sources
from rocecfg.vendors import VENDORS

POLICY = """\
rocecfg: 1
fabric: {name: f, kind: backend, workload: ai-training, mtu: @MTU, rtt: @RTT, incast: @INCAST}
classes:
  rdma:
    carries: [rdma]
    dscp: 26
    priority: 3
    lossless: true
    bandwidth: @SHARE
    ecn: {kmin: @KMIN, kmax: @KMAX, pmax: @PMAX}
  cnp: {carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}
  control: {carries: [control], dscp: 56, priority: 7, bandwidth: strict}
  default: {carries: [default], dscp: rest, priority: 0, bandwidth: @OTHERS}
pfc:
  headroom: @HEADROOM
  watchdog: {detection_time: @DETECTION, restoration_time: @RESTORATION, poll_interval: @POLL, action: drop}
@BUFFERS
defaults: {@SYSTEM, speed: 400G}
devices:
  leaf01: {role: leaf, ports: {"@PORTS": {faces: host, cable: @CABLE}}}
hosts:
  "gpu[1-4]": {ib_timeout: @TIMEOUT}
"""
GOOD = {
    "MTU": "9000",
    "RTT": "10us",
    "INCAST": "4",
    "SHARE": "90",
    "OTHERS": "10",
    "KMIN": "400KB",
    "KMAX": "1MB",
    "PMAX": "5%",
    "HEADROOM": "auto",
    "BUFFERS": "",
    "CABLE": "3m",
    "DETECTION": "200ms",
    "RESTORATION": "400ms",
    "POLL": "100ms",
    "TIMEOUT": "20",
}
SONIC = {"SYSTEM": 'vendor: sonic, version: "202505", platform: nvidia-sn4700', "PORTS": "Ethernet[0-24/8]"}
SYSTEMS = {
    "sonic": SONIC,
    "spectrum": {"SYSTEM": 'vendor: spectrum, version: "5.14", platform: nvidia-sn5600', "PORTS": "swp[1-32]"},
    "arista": {
        "SYSTEM": "vendor: arista, version: 4.33.1F, platform: arista-7060dx5-64s",
        "PORTS": "Ethernet[1-32]/1",
    },
    "junos": {
        "SYSTEM": "vendor: junos, version: 23.4R2, platform: juniper-qfx5240-64od",
        "PORTS": "et-0/0/[0-31]",
        "KMIN": "20%",
        "KMAX": "60%",
    },
    "nxos": {
        "SYSTEM": "vendor: nxos, version: 10.5(1), platform: cisco-9332d-gx2b",
        "PORTS": "Ethernet1/[1-32]",
    },
    "srlinux": {
        "SYSTEM": 'vendor: srlinux, version: "25.3", platform: nokia-ixr7220-h4-64d',
        "PORTS": "ethernet-1/[1-32]",
    },
}
_BYTES = tuple(vendor for vendor in VENDORS if vendor != "junos")  # that take thresholds in bytes
_OWN_TIMES = ("nxos",)  # whose watchdog has times of its own, and which sizes headroom itself
_SIZED = tuple(vendor for vendor in _BYTES if vendor not in _OWN_TIMES)
_TIMED = tuple(vendor for vendor in VENDORS if vendor not in ("spectrum", *_OWN_TIMES))
_DETECTS = tuple(vendor for vendor in VENDORS if SHIPPED.nos(vendor).knows("port.watchdog.detection"))
_POLLS = tuple(vendor for vendor in VENDORS if SHIPPED.nos(vendor).knows("port.watchdog.poll"))
_RESTORES = tuple(vendor for vendor in VENDORS if vendor != "spectrum")  # whose watchdog has a restoration time


class Worse(NamedTuple):
    """A quantity, from a value that is well to ever worse ones."""

    key: str
    values: tuple[str, ...]
    least: str | None = "warning"  # what the worst one is found as, at least; None: as nothing
    systems: tuple[str, ...] = VENDORS
    given: Mapping[str, str] = {}


def worse(key: str, values: str, *rest: Any, **more: Any) -> Worse:
    return Worse(key, tuple(values.split()), *rest, **more)


WORSE = {
    "round trip": worse("RTT", "10us 50us 90us 100us 101us 200us 500us 1ms 2ms 10ms 100ms"),
    "round trip and timeout": worse("RTT", "10us 1ms 10ms 67ms 68ms 1s", given={"TIMEOUT": "14"}),
    "timeout": worse("TIMEOUT", "20 18 14 12 10 8 5 4 2 1", "error"),
    "cable": worse("CABLE", "3m 30m 100m 300m 301m 500m 501m 1km 2km 10km 40km 100km", "error", systems=_SIZED),
    "cable of Junos": worse("CABLE", "3m 30m 100m 300m 301m 500m 1km 10km 100km", "error", systems=("junos",)),
    "short cable": worse("CABLE", "3m 2m 1m 0.5m 0.1m", None),
    "detection": worse("DETECTION", "200ms 400ms 800ms 1s 2s 5s 10s 60s 200s"),
    "fast detection": worse("DETECTION", "200ms 100ms 50ms 10ms 1ms", "error", _DETECTS),
    "restoration": worse("RESTORATION", "400ms 1s 2s 5s 10s 60s 200s 1000s", "warning", _RESTORES),
    "fast restoration": worse("RESTORATION", "400ms 200ms 100ms 50ms 10ms", "error", _TIMED),
    "poll": worse("POLL", "100ms 200ms 400ms 1s 2s 10s", "error", _POLLS),
    "headroom": worse("HEADROOM", "400KB 200KB 120KB 60KB 20KB 5KB 1KB", "error", ("spectrum", "arista")),
    "too much headroom": worse("HEADROOM", "400KB 1MB 4MB 20MB 100MB", "warning", ("spectrum", "arista")),
    "low kmin": worse("KMIN", "400KB 300KB 150KB 100KB 50KB 20KB 5KB 1KB 100", "error", _BYTES),
    "high kmin": worse("KMIN", "400KB 600KB 900KB 1MB 2MB 20MB", "error", _BYTES),
    "high kmax": worse("KMAX", "1MB 2MB 5MB 10MB 50MB 500MB", "error", _BYTES),
    "low kmax": worse("KMAX", "1MB 800KB 500KB 401KB 400KB 300KB 100KB", "error", _BYTES),
    "kmin in percent": worse("KMIN", "20% 40% 59% 60% 80%", "error", ("junos",)),
    "kmax in percent": worse("KMAX", "60% 40% 21% 20% 10%", "error", ("junos",)),
    "pmax": worse("PMAX", "5% 2% 1% 0.5% 0.1% 0%", "error"),
    "senders": worse("INCAST", "4 16 64 256 1024 10000 100000", "warning", _BYTES),
    "small MTU": worse("MTU", "9000 4200 4096 2048 1500 1024 576 256"),
    "large MTU": worse("MTU", "9000 9100 9216 10000 65000"),
    "share": Worse("SHARE", ("90", "70", "50", "30", "10", "1")),
    "shared headroom": Worse(
        "BUFFERS",
        tuple(f"buffers: {{shared_headroom: {size}}}" for size in ("8MB", "1MB", "500KB", "100KB", "10KB", "1KB")),
        systems=_BYTES,
    ),
    "much shared headroom": Worse(
        "BUFFERS",
        tuple(f"buffers: {{shared_headroom: {size}}}" for size in ("8MB", "16MB", "30MB", "60MB", "100MB", "500MB")),
        "error",
        _SIZED,
    ),
    "over-subscription": Worse(
        "BUFFERS",
        tuple(f"buffers: {{shared_headroom: 100KB, oversubscribe: {n}}}" for n in (8, 4, 2, 1)),
        systems=("sonic",),
    ),
}


def policy(system: str = "sonic", **changed: str) -> str:
    text = POLICY
    for key, value in {**GOOD, **SYSTEMS[system], **changed}.items():
        text = text.replace(f"@{key}", value)
    return text


@loop("quantity", part(WORSE, "rocecfg/rules/", "profiles/nos/"))
def test_severity_does_not_fall_as_a_value_gets_worse(quantity: str, tmp_path: Path) -> None:
    of = WORSE[quantity]
    for system in of.systems:
        before = -1
        for value in of.values:
            more = {"OTHERS": str(100 - int(value))} if of.key == "SHARE" else {}
            found = findings(tmp_path, policy(system, **{**of.given, of.key: value, **more}))
            worst = max((SEVERITIES.index(f.severity) for f in found), default=-1)
            assert worst >= before, f"{system}, {of.key} {value}: {[f.rule for f in found]}"
            before = worst
        assert of.least is None or before >= SEVERITIES.index(of.least), f"{system}, {of.key} {value}"


@loop("detection", WORSE["detection"].values[1:])
def test_timers_that_a_help_tells_to_set_lint_clean(detection: str, tmp_path: Path) -> None:
    for finding in findings(tmp_path, policy(DETECTION=detection)):
        told = dict(re.findall(r"(detection|restoration)_time: (\w+)", finding.help))
        if not told:
            continue  # what the system takes at most is another rule's to judge
        there = {"DETECTION": detection, **{key.upper(): value for key, value in told.items()}}
        assert not findings(tmp_path, policy(**there)), finding.help


def test_a_bare_headroom_is_not_told_a_size_alone(tmp_path: Path) -> None:
    (found,) = findings(tmp_path, policy(HEADROOM="100"))
    assert found.rule == "schema-unit"
    assert "xoff" in found.help


TIERS = """\
  leaf[1-2]: {role: leaf, ports: {"Ethernet[0-56/8]": {faces: host}, "Ethernet[128-184/8]": {faces: switch}}}
  agg[1-2]: {role: agg, ports: {"Ethernet[0-120/8]": {faces: switch}, "Ethernet[128-184/8]": {faces: switch}}}
  core1: {role: core, ports: {"Ethernet[0-120/8]": {faces: switch}}}
links:
  - {a: "leaf[1-2]:Ethernet[128-152/8]", b: "agg1:Ethernet[0-56/8]"}
  - {a: "leaf[1-2]:Ethernet[160-184/8]", b: "agg2:Ethernet[0-56/8]"}
  - {a: "agg[1-2]:Ethernet[128-184/8]", b: "core1:Ethernet[0-120/8]"}
"""


def test_advised_timers_rise_with_the_tiers_whatever_these_are_called(tmp_path: Path) -> None:
    text = policy().split("devices:")[0].replace("{kmin: 400KB, kmax: 1MB, pmax: 5%}", "auto")
    (tmp_path / "fabric.yaml").write_text(f"{text}devices:\n{TIERS}", encoding="utf-8")
    kinds = json.loads(rocecfg(tmp_path, "advise", "fabric.yaml", "--format", "json", expect=0).stdout)
    assert re.findall(r"'watchdog_detection_ms'.{0,200}?'advised': (\d+)", str(kinds)) == ["200", "200", "400", "600"]


@loop("speed", ["10G", "25G", "100G", "400G"])
def test_automatic_marking_begins_above_one_frame_of_the_mtu(speed: str, tmp_path: Path) -> None:
    text = policy().replace("{kmin: 400KB, kmax: 1MB, pmax: 5%}", "auto").replace("speed: 400G", f"speed: {speed}")
    (tmp_path / "fabric.yaml").write_text(text.replace("nvidia-sn4700", "nvidia-sn5600"), encoding="utf-8")
    (device,) = load(str(tmp_path / "fabric.yaml"), Sources()).fabric.devices
    curves = [curve for cls in device.classes for _, curve in cls.ecn_by_speed if isinstance(curve, Ecn)]
    assert curves
    assert all(curve.kmin >= 9022 for curve in curves)
