"""Fabrics that are rolled out, written as intents, and the plan between two of them."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterable
from contextlib import chdir
from pathlib import Path
from typing import NamedTuple

from click.testing import CliRunner

from rocecfg.cli import cli
from rocecfg.drift.run import Compared
from rocecfg.intent import Loaded, load
from rocecfg.rollout.config import read_rollout
from rocecfg.rollout.plan import make_plan
from rocecfg.rollout.previous import compare_with_older
from rocecfg.rollout.types import Plan, Stage
from rocecfg.source.document import Sources

RDMA = (
    "{carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 60, "
    "ecn: {kmin: 400KB, kmax: 1600KB, pmax: 5%}}"
)
MOVED = RDMA.replace("priority: 3", "priority: 4")
LOSSY = RDMA.replace("lossless: true, ", "")
MARKED = RDMA.replace("kmin: 400KB", "kmin: 300KB")
_REST = """
  cnp: {carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}
  control: {carries: [control], dscp: 56, priority: 7, bandwidth: strict}
  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 40}
pfc:
  watchdog: {detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}
defaults: {vendor: sonic, platform: arista-7060x6-64pe, version: {sonic: "202511"}}
"""


class Cable(NamedTuple):
    """Two ends: device and number of the port, from 0."""

    a: str
    a_port: int
    b: str
    b_port: int


def intent(rdma: str, roles: dict[str, str], cables: Iterable[Cable], more: str = "") -> str:
    """A fabric of SONiC switches; names without a role are hosts."""
    cables = list(cables)
    lines = [f"rocecfg: 1\nfabric: {{name: lab, mtu: 9000}}\nclasses:\n  rdma: {rdma}{_REST}devices:"]
    for name, role in roles.items():
        lines.append(f"  {name}:\n    role: {role}\n    ports:")
        for port, faces in sorted(_ports(name, roles, cables).items()):
            lines.append(f"      Ethernet{8 * port}: {{speed: 400G, faces: {faces}, cable: 5m}}")
    lines.append("links:")
    lines += [
        f'  - {{a: "{c.a}:{_port(c.a, c.a_port, roles)}", b: "{c.b}:{_port(c.b, c.b_port, roles)}"}}' for c in cables
    ]
    return "\n".join(lines) + f"\n{more}"


def _ports(name: str, roles: dict[str, str], cables: list[Cable]) -> dict[int, str]:
    out = {}
    for a, a_port, b, b_port in cables:
        for here, port, far in ((a, a_port, b), (b, b_port, a)):
            if here == name:
                out[port] = "switch" if far in roles else "host"
    return out


def _port(name: str, port: int, roles: dict[str, str]) -> str:
    return f"Ethernet{8 * port}" if name in roles else f"nic{port}"


def clos(leaves: int, spines: int, homes: int = 1, hosts: int = 2) -> tuple[dict[str, str], list[Cable]]:
    """Every leaf at every spine; hosts at `homes` leaves that follow each other, `hosts` of them from each leaf on."""
    roles = {f"leaf{n}": "leaf" for n in range(1, leaves + 1)} | {f"spine{n}": "spine" for n in range(1, spines + 1)}
    cables = [Cable(f"leaf{i}", s, f"spine{s + 1}", i - 1) for i in range(1, leaves + 1) for s in range(spines)]
    used = dict.fromkeys(range(1, leaves + 1), spines)
    for first in range(1, leaves + 1):
        for h in range(hosts):
            for nic in range(homes):
                leaf = (first - 1 + nic) % leaves + 1
                cables.append(Cable(f"gpu{first}x{h}", nic, f"leaf{leaf}", used[leaf]))
                used[leaf] += 1
    return roles, cables


class Case(NamedTuple):
    """A plan, and what it was made from."""

    plan: Plan
    differing: dict[str, Compared]
    new: Loaded


def planned(folder: Path, old: str, new: str) -> Case:
    """The plan from one intent to another."""
    sources = Sources()
    read = []
    for name, text in (("new", new), ("old", old)):
        path = folder / f"{name}.yaml"
        path.write_text(text, encoding="utf-8")
        loaded = load(str(path), sources)
        assert not loaded.errors
        assert not loaded.problems, [p.message for p in loaded.problems]
        read.append(loaded)
    basis = compare_with_older(read[0], read[1], sources, templates={})
    assert not basis.refused, basis.refused
    fabric = read[0].fabric
    assert fabric is not None
    made = make_plan(fabric, basis, read_rollout(fabric, sources))
    return Case(made, {one.name: one for one in basis.differing}, read[0])


def stage_of(made: Plan) -> dict[str, Stage]:
    """Each device's stage; fails where a device has two."""
    out: dict[str, Stage] = {}
    for stage in made.stages:
        for name in stage.devices:
            assert name not in out, f"{name} is in stages {out[name].number} and {stage.number}"
            out[name] = stage
    return out


class Done(NamedTuple):
    """How a command ended."""

    stdout: str
    stderr: str


def rocecfg(folder: Path, *arguments: object, expect: int) -> Done:
    """Run the command line in this process, in a folder; fail unless it exits with `expect`."""
    with chdir(folder):
        done = CliRunner(env={**os.environ, "NO_COLOR": "1"}).invoke(cli, [str(each) for each in arguments])
    gc.enable()  # which the command turns off
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exc_info
    assert done.exit_code == expect, f"exit {done.exit_code}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
    return Done(done.stdout, done.stderr)
