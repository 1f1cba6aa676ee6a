"""Whole configurations of switches: what is rendered from a fabric, and around it what a switch has besides."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rocecfg.core.nodeset import node_set
from rocecfg.linting.rendering import render_files
from rocecfg.model import Device, Fabric, PortGroup
from rocecfg.vendors.base import File

_RELEASE = {"202505": "version_202505_01", "202511": "version_202511_01"}
_MODELS = {  # as the switches themselves say what they are
    "nvidia-sn5600": "SN5600",
    "nvidia-sn4700": "MSN4700",
    "arista-7060x6-64pe": "DCS-7060X6-64PE",
    "arista-7280dr3a-36": "DCS-7280DR3A-36",
}


def write_whole(fabric: Fabric, folder: Path, vendor: str | None = None) -> dict[str, str]:
    """Write a file for each switch; gives what was rendered, by switch."""
    folder.mkdir(parents=True, exist_ok=True)
    devices = {name: device for device in fabric.devices for name in device.names}
    far = _far_ends(fabric)
    rendered = list(render_files(fabric, vendor))
    for file in rendered:
        text = _WHOLE[file.vendor](file, devices[file.device or ""], far)
        (folder / file.name).write_text(text, encoding="utf-8")
    return {file.device or "": file.text for file in rendered}


Far = dict[tuple[str, str], tuple[str, str]]


def _far_ends(fabric: Fabric) -> Far:
    switches = {name for device in fabric.devices for name in device.names}
    out: Far = {}
    for link in fabric.links:
        a = [(d, p) for d in node_set(link.a_device) for p in node_set(link.a_port)]
        b = [(d, p) for d in node_set(link.b_device) for p in node_set(link.b_port)]
        for here, there in zip(a, b, strict=True):
            if here[0] in switches and there[0] in switches:
                out |= {here: there, there: here}
    return out


def _ports(device: Device) -> list[tuple[str, PortGroup]]:
    return [(name, port) for port in device.ports for name in port.names]


def _sonic(file: File, device: Device, far: Far) -> str:
    tables = json.loads(file.text)
    local = {"hostname": file.device, "hwsku": device.hwsku, "type": "ToRRouter", "mac": "00:11:22:33:44:55"}
    tables["DEVICE_METADATA"] = {"localhost": local}
    tables["PORT"] = {
        name: {
            "lanes": "1",
            "speed": str((port.speed or 0) // 10**6),
            "mtu": str(port.mtu),
            "admin_status": "up",
            "description": "password=hunter2-hunter2",
        }
        for name, port in _ports(device)
    }
    tables["VERSIONS"] = {"DATABASE": {"VERSION": _RELEASE[device.version or ""]}}
    tables["DEVICE_NEIGHBOR"] = {
        port: {"name": there[0], "port": there[1]} for (here, port), there in far.items() if here == file.device
    }
    tables["TACPLUS"] = {"global": {"passkey": "s3cr3t-of-tacacs"}}
    return json.dumps(tables, indent=4)


def _spectrum(file: File, device: Device, far: Far) -> str:
    lines = ["- header:", f"    model: {_model(device)}", "    nvue-api-version: nvue_v1", "    rev-id: 1.0"]
    lines += [
        f"    version: Cumulus Linux {device.version}.0",
        "- set:",
        "    system:",
        f"      hostname: {file.device}",
    ]
    lines += ["      aaa: {user: {cumulus: {hashed-password: '$6$salt$0123456789abcdefghijklmnopqrstuv'}}}"]
    lines += ["    interface:"]
    for name, port in _ports(device):
        there = far.get((file.device or "", name))
        about = f", description: '{there[0]}:{there[1]}'" if there else ""
        link = f"link: {{speed: {(port.speed or 0) // 10**9}G, mtu: {port.mtu}}}"
        lines.append(f"      {name}: {{type: swp, {link}{about}}}")
    return "\n".join(lines) + "\n" + file.text


def _arista(file: File, device: Device, far: Far) -> str:
    lines = [f"! device: {file.device} ({_model(device)}, EOS-{device.version})", "!", f"hostname {file.device}", "!"]
    lines += ["username admin privilege 15 secret sha512 $6$salt$0123456789abcdefghijklmnopqrstuv", "!"]
    for name, port in _ports(device):
        lines += [f"interface {name}", f"   speed {(port.speed or 0) // 10**9}g-{8 if (port.speed or 0) > 4e11 else 4}"]
        lines += [f"   mtu {port.mtu}"]
        there = far.get((file.device or "", name))
        if there:
            lines += [f"   description {there[0]}:{there[1]}"]
        lines += ["!"]
    return "\n".join(lines) + "\n" + file.text


def _junos(file: File, device: Device, far: Far) -> str:
    lines = [f"version {device.version}-EVO;", "system {", f"    host-name {file.device};"]
    lines += ['    root-authentication { encrypted-password "$6$salt$0123456789abcdefghijklmnopqrstuv"; }', "}"]
    lines += ["interfaces {"]
    cages: dict[str, int] = {}
    for name, port in _ports(device):
        cage = name.partition(":")[0]
        cages[cage] = cages.get(cage, 0) + 1
        there = far.get((file.device or "", name))
        lines += [f'    {name} {{ description "facing_{there[0]}:{there[1]}"; }}'] if there else []
        if cage == name or cages[cage] == 1:
            parts = "" if cage == name else " number-of-sub-ports 2;"
            lines += [f"    {cage} {{ speed {(port.speed or 0) // 10**9}g;{parts} }}"]
    return "\n".join([*lines, "}"]) + "\n" + file.text


def _model(device: Device) -> str:
    return _MODELS[device.platform.name] if device.platform else "unknown"


_WHOLE: dict[str, Any] = {"sonic": _sonic, "spectrum": _spectrum, "arista": _arista, "junos": _junos}
