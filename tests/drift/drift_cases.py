"""What switches run, made from what an intent renders, and changes made to it as an operator would type them."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import jsonpatch
from junos_text import displayed, typed

from rocecfg.drift.changes import DeviceFix, fix_devices
from rocecfg.drift.run import Drift, find_drift
from rocecfg.intent import Loaded, load
from rocecfg.linting.rendering import render_files
from rocecfg.model import Device
from rocecfg.source.document import Sources
from rocecfg.vendors.changes import Step

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "examples"
CASES = (  # example, vendor to give to devices that name none
    ("auto", None),
    ("converged", None),
    ("rail-1024", None),
    ("rail-512", None),
    ("train-256", None),
    ("policy", "sonic"),
    ("policy", "spectrum"),
    ("nexus-h4", None),
)
SUFFIX = {"sonic": ".json", "spectrum": ".yaml", "arista": ".cfg", "junos": ".conf", "nxos": ".cfg", "srlinux": ".cli"}


@cache
def _read(name: str, vendor: str | None) -> tuple[Loaded, Sources]:
    sources = Sources()
    return load(str(EXAMPLES / name / "fabric.yaml"), sources, vendor), sources


def example(name: str, vendor: str | None = None) -> Loaded:
    return _read(name, vendor)[0]


@cache
def rendered(name: str, vendor: str | None = None) -> dict[str, tuple[Device | None, str, str]]:
    """Device -> the device, its vendor and what is rendered for it."""
    fabric = example(name, vendor).fabric
    assert fabric is not None
    of = {each: device for device in fabric.devices for each in device.names}
    return {
        file.device or "any": (of.get(file.device or ""), file.vendor, file.text)
        for file in render_files(fabric, vendor)
    }


def running(name: str, device: str) -> str:
    """The whole configuration of a switch that was given what is rendered for it."""
    of, vendor, text = rendered(name)[device]
    assert of is not None
    return WHOLE[vendor](device, of, text)


@cache
def set_lines(name: str, device: str) -> str:
    """The whole configuration of a switch with Junos, as `display set` prints it."""
    fabric = example(name).fabric
    assert fabric is not None
    (file,) = render_files(fabric, "junos", form="set", device=device)
    of = rendered(name)[device][0]
    assert of is not None
    return WHOLE["junos"](device, of, file.text)


def _sonic(name: str, device: Device, text: str) -> str:
    config: dict[str, Any] = json.loads(text)
    ports = {port: group for group in device.ports for port in group.names}
    local = config.setdefault("DEVICE_METADATA", {}).setdefault("localhost", {})
    local |= {"hostname": name, "hwsku": device.hwsku or "Unknown", "type": "LeafRouter"}
    if device.buffers.model is not None:
        local["buffer_model"] = device.buffers.model
    config["PORT"] = {
        port: {
            "admin_status": "up",
            "alias": f"e{n}",
            "lanes": str(n),
            "mtu": str(max(group.mtu or 0, 9100)),
            "speed": str((group.speed or 400 * 10**9) // 10**6),
        }
        for n, (port, group) in enumerate(ports.items())
    }
    for port, group in ports.items():
        if group.lag is not None:
            config.setdefault("PORTCHANNEL", {})[group.lag] = {"admin_status": "up"}
            config.setdefault("PORTCHANNEL_MEMBER", {})[f"{group.lag}|{port}"] = {}
    return json.dumps(config, indent=4)


def _spectrum(name: str, device: Device, text: str) -> str:
    head = f"- header: {{model: SN5600, nvue-api-version: nvue_v1, version: Cumulus Linux {device.version}.0}}\n"
    more = f"- set:\n    system: {{hostname: {name}}}\n    interface:\n      eth0: {{}}\n"
    for port, lanes in breakouts(device).items():
        more += f"      {port}: {{link: {{breakout: {{{lanes}x: {{}}}}}}}}\n"
    for port, mtu in ((port, group.mtu) for group in device.ports for port in group.names):
        more += f"      {port}: {{link: {{mtu: {mtu}}}}}\n" if mtu is not None and mtu > 9216 else ""
    return head + text + more


def breakouts(device: Device) -> dict[str, int]:
    """Front-panel ports that are broken out, and into how many."""
    ports = [port.rpartition("s") for group in device.ports for port in group.names if port.count("s") > 1]
    lanes = {front: max(int(lane) for name, _, lane in ports if name == front) + 1 for front, _, _ in ports}
    return {front: next(n for n in (2, 4, 8) if n >= count) for front, count in lanes.items()}


def typed_in(name: str, device: str) -> list[str]:
    """What makes a switch with NVUE what is rendered, as the commands that were typed."""
    fabric = example(name).fabric
    assert fabric is not None
    (file,) = render_files(fabric, "spectrum", form="commands", device=device)
    of = rendered(name)[device][0]
    assert of is not None
    split = [f"nv set interface {port} link breakout {lanes}x" for port, lanes in breakouts(of).items()]
    return [f"nv set system hostname {device}", *split, *(x for x in file.text.splitlines() if x.startswith("nv "))]


def _arista(name: str, device: Device, text: str) -> str:
    head = f"! Command: show running-config\n! device: {name} (DCS-7060X6-64PE, EOS-{device.version})\n!\n"
    lags = {port: group.lag for group in device.ports if group.lag for port in group.names}
    numbers = {
        lag: f"9{n}" if (found := re.search(r"\d+$", lag)) is None else found[0]
        for n, lag in enumerate(set(lags.values()))
    }
    more = "".join(f"interface {port}\n   channel-group {numbers[lag]} mode active\n" for port, lag in lags.items())
    more += "".join(
        f"interface {port}\n   no switchport\n" for group in device.ports for port in group.names if group.layer == 3
    )
    return f"{head}hostname {name}\n!\n{text}{more}"


def _junos(name: str, device: Device, text: str) -> str:
    """As the switch prints it: with braces, or as set lines; what is replaced is a matter of loading.

    No switch is without interfaces: where none is rendered, its ports stand there with nothing said of them.
    """
    if text.startswith("set ") or "\nset " in text:
        shown = displayed(text)
        if "set interfaces " not in shown:
            names = [port for group in device.ports for port in group.names]
            shown = "".join(f"set interfaces {port} unit 0\n" for port in names) + shown
        return f"set system host-name {name}\n{shown}"
    return f"system {{\n    host-name {name};\n}}\n{text.replace('replace: ', '')}"


def _nxos(name: str, device: Device, text: str) -> str:
    head = f"!Command: show running-config\nversion {device.version or '10.5(1)'} Bios:version 01.10\nhostname {name}\n"
    more = ""
    for group in device.ports:
        for port in group.names:
            lines = ["  no switchport"] if group.layer == 3 else []
            lines += [f"  channel-group {re.sub(r'[^0-9]', '', group.lag)} mode active"] if group.lag else []
            more += "\n".join([f"interface {port}", *lines, ""]) if lines else ""
    return f"{head}{text}{more}"


def _srlinux(name: str, device: Device, text: str) -> str:
    lines = "".join(
        f"set / interface {port} admin-state enable\n"
        + (f"set / interface {port} ethernet aggregate-id {group.lag}\n" if group.lag else "")
        + (f"set / interface {group.lag or port} subinterface 0 type routed\n" if group.layer == 3 else "")
        for group in device.ports
        for port in group.names
    )
    return f"set / system name host-name {name}\n{text}{lines}"


WHOLE = {"sonic": _sonic, "spectrum": _spectrum, "arista": _arista, "junos": _junos, "nxos": _nxos, "srlinux": _srlinux}


def compared(name: str, texts: Mapping[str, str], folder: Path, vendor: str | None = None) -> Drift:
    """An example against texts by file name."""
    for file, text in texts.items():
        (folder / file).write_text(text, encoding="utf-8")
    loaded, read = _read(name, vendor)
    sources = Sources()
    sources.documents = list(read.documents)  # what is added stays out of the next run
    return find_drift([loaded], [str(folder / file) for file in texts], sources)


def change(found: Drift) -> DeviceFix:
    """The change for the one device that differs."""
    (one,) = fix_devices(found).values()
    return one


def stated(found: Drift) -> list[tuple[str, int | None, str]]:
    """What differs: topic, number and parts."""
    return [(d.topic, d.number, " ".join(value.part for value in d.values)) for d in found.differences]


def apply(text: str, steps: Iterable[Step], folder: Path) -> str:
    """A configuration after the steps were taken by hand, each as it says."""
    for step in steps:
        if step.operations:
            text = json.dumps(jsonpatch.apply_patch(json.loads(text), [dict(each) for each in step.operations]))
        elif any("_DB" in line or line.startswith("sudo ") or "; do sudo " in line for line in step.lines):
            text = _typed(text, step.lines, folder)
        elif text.startswith("set "):
            text = typed(text, step.lines)
        else:
            text = f"{text.rstrip()}\n" + "".join(f"{line}\n" for line in _in_form(text, step.lines))
    return text


def _in_form(text: str, lines: Iterable[str]) -> list[str]:
    """Lines as they go behind a text: commands of NVUE as operations where the text is YAML."""
    return as_operations(lines) if text.lstrip().startswith("-") else list(lines)


def as_operations(lines: Iterable[str]) -> list[str]:
    """Commands of NVUE as the list of operations that `nv config patch` takes."""
    out = []
    for line in lines:
        _, verb, *words = line.split()
        value: Any = {}
        if verb == "set" and not (words[-2] == "switch-priority" and words[1] in ("pfc", "traffic-pool")):
            value = words.pop()
        for word in reversed(words):
            value = {word: value}
        out.append(f"- {json.dumps({verb: value})}")
    return out


_SHELL = """\
sudo() { "$@"; }
config() { :; }
pfcwd() { printf '%s\\0' pfcwd "$@" $'\\n' >&3; }
sonic-db-cli() { printf '%s\\0' sonic-db-cli "$@" $'\\n' >&3; }
"""  # what buffermgrd makes of a port that is started, sonic_orch has


def _typed(text: str, lines: Iterable[str], folder: Path) -> str:
    """A config_db.json after commands were typed into a shell in which sonic-db-cli and pfcwd write that file."""
    log = folder / "typed"
    script = _SHELL + "\n".join(line for line in lines if "| grep" not in line)
    subprocess.run(["bash", "-euc", f"exec 3> {shlex.quote(str(log))}\n{script}"], check=True)
    config = json.loads(text)
    for call in log.read_text(encoding="utf-8").split("\n\0")[:-1]:
        tool, *words = call.split("\0")[:-1]
        (_watch if tool == "pfcwd" else _write)(config, *words)
    return json.dumps(config)


def _watch(config: dict[str, Any], verb: str, *words: str) -> None:
    """The `pfcwd` of sonic-utilities."""
    if verb == "big_red_switch":
        assert words == ("disable",), words
        config["PFC_WD"]["GLOBAL"].pop("BIG_RED_SWITCH", None)
    elif verb == "stop":
        assert words
        for port in words:
            config["PFC_WD"].pop(port, None)
    else:
        assert verb == "start", verb
        row = {}
        while words[0].startswith("--"):
            flag = words[0] == "--pfc-stat-history"
            row[words[0][2:].replace("-", "_")] = "enable" if flag else words[1]
            words = words[1 if flag else 2 :]
        *ports, row["detection_time"] = words
        for port in ports:
            if "pfc_enable" in config["PORT_QOS_MAP"].get(port, {}):  # else it is skipped
                config.setdefault("PFC_WD", {})[port] = dict(row)


def _write(config: dict[str, Any], database: str, verb: str, key: str, *words: str) -> None:
    """What `sonic-db-cli` does to CONFIG_DB; other databases are only asked."""
    if database in ("APPL_DB", "ASIC_DB", "COUNTERS_DB"):
        return
    assert database == "CONFIG_DB", database
    table, _, row = key.partition("|")
    rows = config.setdefault(table, {})
    if verb == "HSET":
        assert words, key
        assert len(words) % 2 == 0, words
        rows.setdefault(row, {}).update(zip(words[::2], words[1::2], strict=True))
    elif verb == "HSETNX":
        field, value = words
        rows.setdefault(row, {}).setdefault(field, value)
    elif verb == "HDEL":
        for word in words:
            rows.get(row, {}).pop(word, None)
        if not rows.get(row):
            rows.pop(row, None)  # as Redis: a hash without fields is none
    else:
        assert verb == "DEL", verb
        rows.pop(row, None)
