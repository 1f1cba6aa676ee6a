"""The shortest way from a Junos text to what is read and found in it; and intents whose every output is tried."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from conformance import run_validator
from one_switch import findings_of, loaded_as, only_device

from rocecfg.intent import Loaded, load
from rocecfg.linting.finding import Finding
from rocecfg.linting.rendering import render_device as render
from rocecfg.model import Device, Fabric
from rocecfg.model.switch import Switch
from rocecfg.source.document import Sources
from rocecfg.vendors.junos.reader import read

HEAD = "rocecfg: 1\nfabric: {name: lab, mtu: 9000}\n"
RDMA = (
    "{carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 60, ecn: {kmin: 55%, kmax: 90%, pmax: 100%}}"
)
CLASSES = f"""\
classes:
  rdma:    {RDMA}
  cnp:     {{carries: [cnp], dscp: 48, priority: 6, bandwidth: strict, max_rate: 5%}}
  control: {{carries: [control], dscp: 56, priority: 7, bandwidth: strict, max_rate: 10G}}
  default: {{carries: [default], dscp: rest, priority: 0, bandwidth: 40}}
"""
WATCHDOG = "{detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}"
PFC = f"pfc: {{watchdog: {WATCHDOG}}}\n"
QFX5240 = "defaults: {vendor: junos, platform: juniper-qfx5240-64od}\n"
QFX5120 = "defaults: {vendor: junos, platform: juniper-qfx5120-48y}\n"
LEAF = """\
devices:
  leaf01:
    role: leaf
    ports:
      "et-0/0/[0-1]:[0-1]": {speed: 400G, faces: host, cable: 3m}
      "et-0/0/[2-3]": {speed: 800G, faces: switch, cable: 30m}
      "et-0/0/64": {speed: 10G, faces: management}
"""
INTENTS = {
    "leaf": HEAD + CLASSES + PFC + QFX5240 + LEAF,
    "policy": HEAD + CLASSES + PFC + "defaults: {vendor: junos}\n",
    "buffers": HEAD + CLASSES + PFC + QFX5240 + LEAF + "buffers: {pools: {lossless: 66%, lossy: 10%}, alpha: 2}\n",
    "alpha": HEAD + CLASSES + PFC + QFX5240 + LEAF + "buffers: {alpha: 1/4}\n".replace("1/4", "0.25"),
    "mru": HEAD + CLASSES + PFC + QFX5240 + LEAF + "buffers: {lossless_mtu: 4200B}\n",
    "own watchdog": HEAD + CLASSES + "pfc: {watchdog: vendor-default}\n" + QFX5240 + LEAF,
    "no watchdog": HEAD + CLASSES + "pfc: {watchdog: off}\n" + QFX5240 + LEAF,
    "forward": HEAD + CLASSES + PFC.replace("drop", "forward") + QFX5240 + LEAF,
    "odd detection": HEAD + CLASSES + PFC.replace("200ms", "250ms") + QFX5240 + LEAF,
    "two lossless": HEAD
    + CLASSES.replace("bandwidth: 40", "bandwidth: 30")
    + "  storage: {carries: [rdma], dscp: [34, 35], priority: 4, lossless: true, bandwidth: 10, ecn: off}\n".replace(
        "off}", "{kmin: 30%, kmax: 60%, pmax: 20%}}"
    )
    + PFC
    + QFX5240
    + LEAF,
    "other queue": HEAD + CLASSES.replace("priority: 3,", "priority: 3, queue: 4,") + PFC + QFX5240 + LEAF,
    "shared queue": HEAD
    + CLASSES
    + "  telemetry: {carries: [telemetry], dscp: 18, priority: 1, queue: 0, bandwidth: 40}\n"
    + PFC
    + QFX5240
    + LEAF,
    "by speed": HEAD
    + CLASSES.replace("pmax: 100%}", "pmax: 100%, by_speed: {800G: {kmin: 40%, kmax: 80%, pmax: 50%}}}")
    + PFC
    + QFX5240
    + LEAF,
    "tagged": HEAD + CLASSES + PFC + QFX5240 + LEAF.replace("faces: host,", "faces: host, trust: pcp,"),
    "untrusted": HEAD + CLASSES + PFC + QFX5240 + LEAF.replace("faces: management", "faces: management, trust: none"),
    "lag": HEAD + CLASSES + PFC + QFX5240 + LEAF.replace("faces: switch,", "faces: switch, lag: ae1,"),
    "balanced": HEAD + CLASSES + PFC + QFX5240 + LEAF + "load_balancing: {mode: flowlet}\n",
    "partial": HEAD + CLASSES.replace("dscp: rest", "dscp: 0") + PFC + QFX5240 + LEAF,
    "junos os": HEAD
    + CLASSES
    + PFC
    + QFX5120
    + 'devices: {leaf01: {ports: {"et-0/0/[48-51]": {speed: 100G, cable: 2m}}}}\n',
    "junos os paused": HEAD
    + CLASSES
    + PFC
    + QFX5120
    + 'devices: {leaf01: {ports: {"et-0/0/48": {speed: 100G}, "et-0/0/49": {speed: 100G, flowcontrol: rx, '
    + "classes: [default]}}}}\n",
}
RELEASES = ("23.4R1", "23.4R2", "24.4R1")


@cache
def intent(text: str, folder: Path) -> Fabric:
    """The fabric of an intent."""
    path = folder / "fabric.yaml"
    path.write_text(text, encoding="utf-8")
    fabric = load(str(path)).fabric
    assert fabric is not None
    return fabric


def rendered(text: str, folder: Path, form: str = "curly") -> str:
    """What the first device of an intent is rendered to, its notes before it."""
    fabric = intent(text, folder)
    return render(fabric, fabric.devices[0], form=form).file("leaf01")


def switches(text: str) -> list[Switch]:
    """What the reader makes of a text."""
    return read(Sources().add("leaf01.conf", text))


def switch(text: str) -> Switch:
    """The one switch of a text."""
    (found,) = switches(text)
    return found


def loaded(text: str) -> Loaded:
    """The fabric of the text's switch."""
    return loaded_as("junos", "leaf01.conf", text)[0]


def device(text: str) -> Device:
    """The device that the text's switch is in the model."""
    return only_device(loaded(text))


def findings(text: str) -> list[Finding]:
    """All that is found in a text."""
    return findings_of(loaded(text))


def rules(text: str) -> set[str]:
    """The rules that find something in a text."""
    return {found.rule.name for found in findings(text)}


def validate(tool: Path, *options: str, text: str) -> tuple[int, str]:
    """What the validator says of a text: its exit status, and its messages."""
    done = run_validator(tool, *options, "-", text=text)
    return done.returncode, done.stdout + done.stderr


def typed(text: str, change: tuple[str, ...]) -> str:
    """What a switch runs after set and delete lines: a line machine that knows words and nothing of what they mean.

    A statement of one value takes the place of another; `several` has those that stand beside one another.
    """
    several = {"code-points", "fill-level", "drop-probability", "flow-control-queue", "address"}
    have: dict[tuple[str, ...], None] = {}
    for line in (*text.splitlines(), *change):
        verb, *words = line.split()
        path = tuple(words)
        if verb == "delete":
            for other in [each for each in have if each[: len(path)] == path]:
                del have[other]
        elif verb == "set":
            one_value = len(path) > 1 and path[-2] not in several
            for other in [each for each in have if one_value and each[:-1] == path[:-1] and _is_value(each, path)]:
                del have[other]
            have[path] = None
    return "".join(f"set {' '.join(path)}\n" for path in have)


def _is_value(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether the last words of two statements are values of one leaf, and not two flags side by side."""
    leaves = {
        *("mtu", "percent", "queue-num", "pfc-priority", "priority", "shaping-rate", "scheduler", "detection", "mru"),
        *("recovery", "poll-interval", "watchdog-action", "cable-length", "dynamic-threshold", "scheduler-map"),
        *("congestion-notification-profile", "drop-profile", "dscp", "ieee-802.1", "forwarding-class", "host-name"),
        *("rx-buffers", "tx-buffers"),
    }
    return one[-2] in leaves and len(one) == len(other) and one != other and one[-3:-2] != ("loss-priority",)


def displayed(text: str) -> str:
    """Set lines with one setting each, as `display set` prints them."""
    out = []
    for line in text.splitlines():
        found = re.fullmatch(r"(set class-of-service forwarding-classes class \S+) queue-num (\d)(.*)", line)
        if found is None:
            out.append(line)
            continue
        out.append(f"{found[1]} queue-num {found[2]}")
        rest = found[3].split()
        out += [f"{found[1]} no-loss", f"{found[1]} pfc-priority {rest[-1]}"] if rest else []
    return "".join(f"{line}\n" for line in out if not line.startswith("#"))
