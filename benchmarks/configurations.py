"""Write whole configurations as switches hold them: what rocecfg renders, and beside it what is none of RoCE's matter.

    python configurations.py OUT COUNT

Writes COUNT files each to a folder below OUT for each kind: eos, sonic, nvue, nv, junos, set and nxos; COUNT being a
multiple of ten. The same arguments give the same bytes. Needs rocecfg.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import generate

import rocecfg
from rocecfg.linting.rendering import render_files
from rocecfg.model import Device, Fabric

_LANES = {800: 8, 400: 4}


def main(out: str, count: str) -> None:
    """Write them; print nothing."""
    for kind, (vendor, form, make) in KINDS.items():
        folder = Path(out, kind)
        folder.mkdir(parents=True)
        fabric = _fabric(int(count), vendor)
        devices = {name: device for device in fabric.devices for name in device.names}
        for number, file in enumerate(render_files(fabric, vendor, form=form)):
            name = f"{kind}-{file.device}"
            text = make(name, number, devices[file.device or ""], file.text)
            Path(folder, f"{name}{Path(file.name).suffix}").write_text(text, encoding="utf-8")


def _fabric(switches: int, vendor: str) -> Fabric:
    with tempfile.TemporaryDirectory() as name:
        return rocecfg.load(str(generate.write(Path(name, "fabric"), switches, "nodesets", vendor)))


def _ports(device: Device) -> Iterator[tuple[str, int]]:
    """Each port, and its speed in Gbit/s."""
    for group in device.ports:
        for port in group.names:
            yield port, (group.speed or 0) // 10**9


def _eos(name: str, number: int, device: Device, text: str) -> str:
    speeds = dict(_ports(device))
    body = re.sub(r"\A(?:! .*\n)+", "", text)  # a switch keeps no comments
    lines = [
        f"! Command: show running-config\n! device: {name} (DCS-7060X6-64PE, EOS-{device.version})\n!\n",
        f"hostname {name}\nip name-server vrf default 10.0.0.53\n!\nspanning-tree mode none\n!\n",
        "vlan 100\n   name servers\n!\naaa authorization exec default local\n!\nip routing\n!\n",
    ]
    for line in body.splitlines(keepends=True):
        lines.append(line)
        port = line.split()[-1] if line.startswith("interface ") else ""
        if port in speeds:
            at = len(lines)
            lines.append(f"   description rack {number} port {at}\n   speed {speeds[port]}g-{_LANES[speeds[port]]}\n")
            lines.append(f"   no switchport\n   ip address 10.{number >> 8}.{number & 255}.{at % 128 * 2}/31\n")
    lines.append(f"!\nrouter bgp {65000 + number}\n   router-id 10.255.{number >> 8}.{number & 255}\n")
    lines += [f"   neighbor 10.1.{number & 255}.{n} remote-as {64000 + n}\n" for n in range(60)]
    return "".join((*lines, "!\nend\n"))


def _sonic(name: str, number: int, device: Device, text: str) -> str:
    config: dict[str, Any] = json.loads(text)
    ports = list(_ports(device))
    config["VERSIONS"] = {"DATABASE": {"VERSION": "version_202505_01"}}
    local = config.setdefault("DEVICE_METADATA", {}).setdefault("localhost", {})
    role = (device.role or "leaf").capitalize()
    local |= {
        "hostname": name,
        "hwsku": "Arista-7060X6-64PE-P64",
        "type": f"{role}Router",
        "bgp_asn": f"{65000 + number}",
    }
    config["PORT"] = {port: _sonic_port(at, port, speed) for at, (port, speed) in enumerate(ports)}
    config["INTERFACE"] = {}
    config["BGP_NEIGHBOR"] = {}
    for at, (port, _) in enumerate(ports):
        address = f"10.{number & 255}.{at}"
        config["INTERFACE"] |= {port: {}, f"{port}|{address}.0/31": {}, f"{port}|fc00:{number:x}:{at:x}::/127": {}}
        config["BGP_NEIGHBOR"][f"{address}.1"] = {
            "asn": str(64000 + at),
            "holdtime": "180",
            "keepalive": "60",
            "local_addr": f"{address}.0",
            "name": f"far{at}",
            "nhopself": "0",
            "rrclient": "0",
        }
    return json.dumps(config, indent=4)


def _sonic_port(at: int, port: str, speed: int) -> dict[str, str]:
    lanes = _LANES[speed]
    first = int(port.removeprefix("Ethernet")) + 1
    return {
        "admin_status": "up",
        "alias": f"etp{at + 1}",
        "description": f"port {at}",
        "fec": "rs",
        "index": str(first // 8 + 1),
        "lanes": ",".join(map(str, range(first, first + lanes))),
        "mtu": "9100",
        "speed": str(speed * 1000),
        "subport": "0",
        "tpid": "0x8100",
    }


def _nvue(name: str, number: int, device: Device, text: str) -> str:
    lines = [
        f"- header:\n    model: SN5600\n    nvue-api-version: nvue_v1\n    version: Cumulus Linux {device.version}.0\n",
        re.sub(r"\A(?:# .*\n)+", "", text),
        f"- set:\n    system:\n      hostname: {name}\n",
        f"    router:\n      bgp:\n        autonomous-system: {65000 + number}\n    interface:\n",
    ]
    for at, (port, _) in enumerate(_ports(device)):
        lines.append(f"      {port}:\n        ip:\n          address:\n            10.{number & 255}.{at}.0/31: {{}}\n")
    return "".join(lines)


def _nv(name: str, number: int, device: Device, text: str) -> str:
    lines = [re.sub(r"\A(?:# .*\n)+", "", text), f"nv set system hostname {name}\n"]
    lines.append(f"nv set router bgp autonomous-system {65000 + number}\n")
    lines += [
        f"nv set interface {port} ip address 10.{number & 255}.{at}.0/31\n"
        for at, (port, _) in enumerate(_ports(device))
    ]
    return "".join(lines)


def _junos(name: str, number: int, device: Device, text: str) -> str:
    body = re.sub(r"\A(?:# .*\n)+", "", text).replace("replace: ", "")
    head = f"version {device.version}-EVO;\nsystem {{\n    host-name {name};\n}}\n"
    units = [
        f'    {port} {{\n        description "port {at}";\n        unit 0 {{\n            family inet {{\n'
        f"                address 10.{number & 255}.{at}.0/31;\n            }}\n        }}\n    }}\n"
        for at, (port, _) in enumerate(_ports(device))
    ]
    return "".join(
        (head, body, "interfaces {\n", *units, f"}}\nrouting-options {{\n    autonomous-system {65000 + number};\n}}\n")
    )


def _set(name: str, number: int, device: Device, text: str) -> str:
    lines = [f"set version {device.version}-EVO\nset system host-name {name}\n"]
    lines += [line for line in text.splitlines(keepends=True) if line.startswith("set ")]
    for at, (port, _) in enumerate(_ports(device)):
        lines.append(f'set interfaces {port} description "port {at}"\n')
        lines.append(f"set interfaces {port} unit 0 family inet address 10.{number & 255}.{at}.0/31\n")
    return "".join((*lines, f"set routing-options autonomous-system {65000 + number}\n"))


def _nxos(name: str, number: int, device: Device, text: str) -> str:
    lines = [f"!Command: show running-config\nversion {device.version} Bios:version 01.10\nhostname {name}\n", text]
    for at, (port, _) in enumerate(_ports(device)):
        lines.append(f"interface {port}\n  description port {at}\n  no switchport\n")
        lines.append(f"  ip address 10.{number & 255}.{at}.0/31\n  no shutdown\n")
    return "".join((*lines, f"router bgp {65000 + number}\n"))


KINDS: dict[str, tuple[str, str | None, Callable[[str, int, Device, str], str]]] = {
    "eos": ("arista", None, _eos),
    "sonic": ("sonic", None, _sonic),
    "nvue": ("spectrum", "nvue", _nvue),
    "nv": ("spectrum", "commands", _nv),
    "junos": ("junos", "curly", _junos),
    "set": ("junos", "set", _set),
    "nxos": ("nxos", None, _nxos),
}


if __name__ == "__main__":
    main(*sys.argv[1:])
