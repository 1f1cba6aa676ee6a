"""Intents that several tests start from, and what linting a text finds."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from checkout import HANG, ROOT, clean_environment
from forked import run_command

from rocecfg.intent import Loaded, load
from rocecfg.linting.finding import Finding
from rocecfg.linting.run import Run, lint
from rocecfg.model import Device, Fabric, PortGroup, Span
from rocecfg.report.places import locate_finding, locate_span
from rocecfg.rules import ALL
from rocecfg.source.document import Sources

CURVE = "{kmin: 400KB, kmax: 1600KB, pmax: 5%}"  # of POLICY
POLICY = """\
rocecfg: 1
fabric: {name: lab}
classes:
  rdma:    {carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 60,
            ecn: {kmin: 400KB, kmax: 1600KB, pmax: 5%}}
  cnp:     {carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}
  control: {carries: [control], dscp: 56, priority: 7, bandwidth: strict}
  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 40}
pfc:
  watchdog: {detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}
"""

FABRIC = """\
rocecfg: 1
fabric:
  name: train-64
  description: two leaves, two spines, 32 hosts with 2 x 400G
  kind: backend
  workload: ai-training
  topology: clos
  mtu: 9000
classes:
  rdma:
    carries: [rdma]
    dscp: [26]
    priority: 3
    lossless: true
    bandwidth: 60
    ecn:
      kmin: 700KB
      kmax: 2300KB
      pmax: 5%
      by_speed:
        800G: {kmin: 900KB, kmax: 2500KB, pmax: 5%}
  cnp:     {carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}
  control: {carries: [control], dscp: 56, priority: 7, bandwidth: strict}
  storage: {carries: [storage], dscp: [18, 20], priority: 2, bandwidth: 20}
  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 20}
pfc:
  watchdog: {detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}
  headroom: auto
defaults:
  vendor: sonic
  platform: arista-7060x6-64pe
  version: {sonic: "202511", spectrum: "5.14", arista: "4.33.2F"}
devices:
  leaf[01-02]:
    role: leaf
    ports:
      "Ethernet[0-248/8]":   {speed: 400G, faces: host, cable: 3m}
      "Ethernet[256-376/8]": {speed: 800G, faces: switch, cable: 30m}
      "Ethernet[384]":       {speed: 100G, faces: storage, cable: 10m, classes: [storage, default, control]}
  spine[01-02]:
    role: spine
    vendor: arista
    pfc: {watchdog: {detection_time: 400ms, restoration_time: 800ms}}
    ports:
      "Ethernet[1-16]/1": {speed: 800G, faces: switch, cable: 30m}
    classes:
      rdma: {ecn: {kmin: 1MB, kmax: 2400KB, pmax: 5%}}
links:
  - {a: "leaf01:Ethernet[256-312/8]", b: "spine01:Ethernet[1-8]/1"}
  - {a: "leaf01:Ethernet[320-376/8]", b: "spine02:Ethernet[1-8]/1"}
  - {a: "leaf02:Ethernet[256-312/8]", b: "spine01:Ethernet[9-16]/1", cable: 30m}
  - {a: "leaf02:Ethernet[320-376/8]", b: "spine02:Ethernet[9-16]/1"}
  - {a: "gpu[01-32]:nic0", b: "leaf01:Ethernet[0-248/8]"}
  - {a: "gpu[01-32]:nic1", b: "leaf02:Ethernet[0-248/8]"}
hosts:
  gpu[01-32]:
    nic: connectx-7
    gpus: 2
    ports: {nic0: {rail: 0}, nic1: {rail: 1}}
    rdma_dscp: 26
    cnp_dscp: 48
    pfc_priorities: [3]
    trust: dscp
    cable_len: 3m
"""

TODAY = "2026-06-30"


class Found(NamedTuple):
    """A finding as a user sees it."""

    severity: str
    rule: str
    path: str
    line: int
    column: int
    text: str  # what the place underlines
    message: str
    help: str
    related: tuple[tuple[int, str], ...]  # line of each second place, and the word about it


def write(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Write files by name, folders made as needed."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def loaded(
    folder: Path, text: str, files: Mapping[str, str | bytes] | None = None, *, vendor: str | None = None
) -> tuple[Loaded, Sources]:
    """An intent of the given text beside other files."""
    write(folder, {"fabric.yaml": text, **(files or {})})
    sources = Sources()
    return load(str(folder / "fabric.yaml"), sources, vendor), sources


def fabric(
    folder: Path, text: str, files: Mapping[str, str | bytes] | None = None, *, vendor: str | None = None
) -> Fabric:
    """The resolved fabric of a text in which nothing is wrong."""
    read, _ = loaded(folder, text, files, vendor=vendor)
    assert read.errors == []
    wrong = [p for p in read.problems if p.rule not in ("schema-dead-override", "schema-kib", "link-cable")]
    assert wrong == []
    assert read.fabric is not None
    return read.fabric


def device(of: Fabric, name: str) -> Device:
    """The device group that a name stands in."""
    (one,) = (d for d in of.devices if name in d.names)
    return one


def port(of: Fabric, device_name: str, name: str) -> PortGroup:
    """The port group that a port of a device stands in."""
    (one,) = (p for p in device(of, device_name).ports if name in p.names)
    return one


def judged(
    folder: Path,
    text: str,
    files: Mapping[str, str | bytes] | None = None,
    *,
    waivers: bool = True,
    absent: bool = False,
    errata: bool = False,
) -> tuple[list[Found], Run]:
    """What linting a text finds, and the run itself. `absent`: with the info about sections that are not there.

    `errata`: with open faults of a release on a chip, which no text avoids.
    """
    read, sources = loaded(folder, text, files)
    unasked = {name for name, wanted in (("hygiene-absent", absent), ("nos-erratum", errata)) if not wanted}
    asked = tuple(r for r in ALL if r.name not in unasked)
    run = lint([read], sources, rules=asked, today=TODAY, waivers=waivers)
    return [_as_seen(f, sources, folder) for f in run.findings], run


def _as_seen(finding: Finding, sources: Sources, folder: Path) -> Found:
    at = locate_finding(finding, sources)
    text = ""
    if isinstance(finding.at, Span):
        text = sources.documents[finding.at.doc].text[finding.at.start : finding.at.end]
    related = tuple((locate_span(span, sources).line, word) for span, word in finding.related)
    return Found(
        finding.severity,
        finding.rule.name,
        os.path.relpath(at.path, folder),
        at.line,
        at.column,
        text,
        finding.message,
        finding.help,
        related,
    )


def findings(folder: Path, text: str, files: Mapping[str, str | bytes] | None = None) -> list[Found]:
    """What linting a text finds, but for the info about absent sections."""
    return judged(folder, text, files)[0]


def rules(folder: Path, text: str, files: Mapping[str, str | bytes] | None = None) -> list[str]:
    """The names of the rules that find something, each as often as it does."""
    return [f.rule for f in findings(folder, text, files)]


def rocecfg(
    cwd: Path,
    *arguments: str | Path,
    expect: int | None = None,
    stdin: str | None = None,
    **environment: str,
) -> subprocess.CompletedProcess[str]:
    """Run the command line as a user does; fail on a traceback, and unless it exits with `expect` (None: any)."""
    ran = run_command(
        [*map(str, arguments)],
        cwd,
        clean_environment(**{"PYTHONPATH": str(ROOT), **environment}),
        (stdin or "").encode("utf-8", "surrogateescape"),
        HANG,
    )
    out, err = (text.decode("utf-8", "surrogateescape").replace("\r\n", "\n") for text in (ran.stdout, ran.stderr))
    done = subprocess.CompletedProcess(ran.args, ran.returncode, out, err)
    wording = f"exit {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
    assert "Traceback" not in done.stdout + done.stderr, wording
    assert expect is None or done.returncode == expect, wording
    return done
