"""Intents and calls that the tests of `rocecfg advise` share."""

from __future__ import annotations

import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from intents import CURVE, POLICY, rocecfg, write

# The curve of the DCQCN paper on ports of its speed, with packets as in both papers.
PAPER = POLICY.replace(CURVE, "{kmin: 5KB, kmax: 200KB, pmax: 1%}")
PAPER += "defaults: {speed: 40G}\n"
AS_PUBLISHED = ("--packet", "1000B")

SWITCH = (
    POLICY.replace("{name: lab}", "{name: two, kind: backend, mtu: 9000, rtt: 8us, incast: 32}").replace(CURVE, "auto")
    + """\
  headroom: auto
defaults: {vendor: sonic, version: {sonic: "202511"}, platform: arista-7060x6-64pe}
devices:
  "leaf[01-02]":
    role: leaf
    ports:
      "Ethernet[0-248/8]": {speed: 400G, faces: host, cable: 5m}
      "Ethernet[256-376/8]": {speed: 800G, faces: switch, cable: 40m}
"""
)


@cache
def _advise(text: str, arguments: tuple[str, ...]) -> str:
    """Its output: many tests ask the same, and a simulation takes seconds."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), {"fabric.yaml": text})
        return rocecfg(Path(folder), "advise", "--format", "json", *arguments, expect=0).stdout


def advised(folder: Path, text: str, *arguments: str) -> dict[str, Any]:
    """What `rocecfg advise --format json` says of the one fabric of that text."""
    write(folder, {"fabric.yaml": text})
    if "--svg" in arguments:  # which writes files into the folder
        found = json.loads(rocecfg(folder, "advise", "--format", "json", *arguments, expect=0).stdout)
    else:
        found = json.loads(_advise(text, arguments))
    assert found["version"] == 1
    fabric: dict[str, Any] = found["fabrics"][0]
    return fabric
