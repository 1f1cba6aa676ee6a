"""Intents and calls that the tests of `rocecfg advise` share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from intents import POLICY, rocecfg, write

# The curve of the DCQCN paper on ports of its speed, with packets as in both papers.
PAPER = POLICY.replace("{kmin: 400KB, kmax: 1600KB, pmax: 5%}", "{kmin: 5KB, kmax: 200KB, pmax: 1%}")
PAPER += "defaults: {speed: 40G}\n"
AS_PUBLISHED = ("--packet", "1000B")

SWITCH = """\
rocecfg: 1
fabric: {name: two, kind: backend, mtu: 9000, rtt: 8us, incast: 32}
classes:
  rdma:    {carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 60, ecn: auto}
  cnp:     {carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}
  control: {carries: [control], dscp: 56, priority: 7, bandwidth: strict}
  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 40}
pfc:
  watchdog: {detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}
  headroom: auto
defaults: {vendor: sonic, version: {sonic: "202505"}, platform: arista-7060x6-64pe}
devices:
  "leaf[01-02]":
    role: leaf
    ports:
      "Ethernet[0-248/8]": {speed: 400G, faces: host, cable: 5m}
      "Ethernet[256-376/8]": {speed: 800G, faces: switch, cable: 40m}
"""


def advised(folder: Path, text: str, *arguments: str) -> dict[str, Any]:
    """What `rocecfg advise --format json` says of the one fabric of that text."""
    write(folder, {"fabric.yaml": text})
    out = rocecfg(folder, "advise", "--format", "json", *arguments, expect=0, timeout=120).stdout
    found = json.loads(out)
    assert found["version"] == 1
    fabric: dict[str, Any] = found["fabrics"][0]
    return fabric
