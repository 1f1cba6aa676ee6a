"""Intents that tests of telemetry start from, what is rendered from them, and what promtool says of that."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from conformance import lacking

from rocecfg.intent import load
from rocecfg.profiles import library_in
from rocecfg.source.document import Sources
from rocecfg.telemetry.rendering import render_files

CLASSES = """\
rocecfg: 1
fabric: {name: lab, kind: backend, mtu: 9000}
classes:
  rdma: {carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 90,
         ecn: {kmin: 800KB, kmax: 2400KB, pmax: 5%, by_speed: {400G: {kmin: 400KB, kmax: 1200KB, pmax: 5%}}}}
  cnp: {carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}
  control: {carries: [control], dscp: 56, priority: 7, bandwidth: strict}
  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 10}
pfc:
  watchdog: {detection_time: 200ms, poll_interval: 100ms, action: drop}
"""
DEVICES = """\
defaults:
  version: {sonic: "202505", spectrum: "5.14", arista: "4.33.2F"}
devices:
  leaf[01-02]:
    role: leaf
    vendor: sonic
    platform: arista-7060x6-64pe
    ports:
      "Ethernet[0-24/8]": {speed: 400G, faces: host, cable: 3m}
      "Ethernet[256-264/8]": {speed: 800G, faces: switch, cable: 5m}
  spine01:
    role: spine
    vendor: spectrum
    platform: nvidia-sn5600
    ports: {"swp[1-2]": {speed: 800G, faces: switch, cable: 5m}}
  spine02:
    role: spine
    vendor: arista
    platform: arista-7060x6-64pe
    ports: {"Ethernet[1-2]/1": {speed: 800G, faces: switch, cable: 5m}}
hosts: {"gpu[01-04]": {nic: connectx-7}}
"""
TELEMETRY = """\
telemetry:
  exporter: {sonic: sonic-exporter, spectrum: cumulus-otlp, arista: gnmic-openconfig}
  device_label: {spectrum: host_name}
  hosts: node-exporter
  scrape_interval: 30s
"""
WHOLE = CLASSES + DEVICES + TELEMETRY
POLICY = CLASSES + "telemetry: {exporter: sonic-exporter}\n"
OURS = """\
extends: sonic-exporter
metrics:
  pfc-rx-frames: {value: "our_pfc{priority}_total", labels: {port: port}, mark: V, source: our exporter}
  pfc-rx-duration: {value: our_paused_us, labels: {port: port, priority: prio}, unit: us, mark: V, source: our exporter}
  watchdog-detected: {value: our_storms, labels: {port: port, queue: queue}, mark: V, source: our exporter}
  watchdog-restored: {value: our_restored, labels: {port: port, queue: queue}, mark: V, source: our exporter}
  headroom-watermark: {value: our_xoff_room, labels: {port: port, pg: pg}, unit: B, mark: V, source: our exporter}
  ecn-marked: {value: our_marked, labels: {port: port, queue: queue}, mark: V, source: our exporter}
"""


def written(folder: Path, text: str, ours: str | None = None) -> Path:
    """An intent in a folder, with a profile of the user's for sonic-exporter."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "fabric.yaml").write_text(text, encoding="utf-8")
    if ours is not None:
        own = folder / "rocecfg-profiles" / "exporters"
        own.mkdir(parents=True)
        (own / "sonic-exporter.yaml").write_text(ours, encoding="utf-8")
    return folder


def rendered(folder: Path, text: str, ours: str | None = None) -> dict[str, str]:
    """The files that watch an intent, by name; written beside it."""
    written(folder, text, ours)
    loaded = load(str(folder / "fabric.yaml"), Sources())
    assert not loaded.errors
    assert loaded.fabric is not None
    out = {file.name: file.text for file in render_files(loaded.fabric, library_in(str(folder)))}
    for name, body in out.items():
        (folder / name).write_text(body, encoding="utf-8")
    return out


def needed(program: str) -> str:
    """Where a program of Debian's package `prometheus` is; without it the test is skipped, unless it is required."""
    found = shutil.which(program)
    if found is None:
        lacking(f"{program} is not installed (Debian: apt-get install prometheus)")
    return found


def promtool(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """What promtool says."""
    command = [needed("promtool"), *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
