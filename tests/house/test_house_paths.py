"""The paths of house rules and tests are what `rocecfg show` prints, with the same values."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from checkout import ROOT
from intents import FABRIC, fabric, rocecfg, write

from rocecfg.core.units import NUMBERS, WORD, WORDS
from rocecfg.custom_rules.kinds import OF_UNIT
from rocecfg.custom_rules.lookup import ModelElement, find_path, known_paths
from rocecfg.custom_rules.paths import SCOPES
from rocecfg.intent import load
from rocecfg.model import Fabric
from rocecfg.model.catalogue import CATALOGUE

OTHERS = {"template", "ecn.400G.published", "ecn.800G.published"}  # lines of show that are no values of the model
EXAMPLES = ("auto", "converged", "policy", "train-256")


def shown(path: Path) -> list[tuple[str, str, str]]:
    """What `rocecfg show` prints: the element (as `device leaf[01-02] / class rdma`), the name, the value."""
    out = []
    device = element = ""
    for line in rocecfg(path, "show", ".", expect=0).stdout.splitlines():
        depth = len(line) - len(line.lstrip())
        if depth == 0:
            device = element = re.sub(r" \(\d+ devices?.*", "", line)
        elif depth == 2 and line.split()[0] in ("class", "ports"):
            element = f"{device} / {line.strip()}"
        else:
            name, value = line[depth:].split(maxsplit=1)
            value = value[: 26 - len(name) + depth + 24] if len(value) > 24 else value
            out.append((element, name, re.split(r"\s{2,}", value)[0]))
    return out


def elements(of: Fabric) -> dict[str, tuple[str, ModelElement]]:
    """Each element as show calls it, with its scope."""
    found = {f"fabric {of.name}": ("fabric", ModelElement(of))}
    for device in of.devices:
        name = f"device {device.key or 'every device'}"
        found[name] = ("device", ModelElement(of, device))
        for cls in device.classes:
            found[f"{name} / class {cls.name}"] = ("class", ModelElement(of, device, cls))
        for port in device.ports:
            found[f"{name} / ports {port.key or 'every port'}"] = ("port", ModelElement(of, device, None, port))
    return found


@pytest.mark.parametrize("example", EXAMPLES)
def test_what_show_prints_is_found_with_the_same_value(example: str) -> None:
    folder = ROOT / "examples" / example
    of = load(str(folder / "fabric.yaml")).fabric
    assert of is not None
    by_name = elements(of)
    compared = 0
    for element, name, value in shown(folder):
        if name in OTHERS:
            continue
        scope, here = by_name[element]
        speed = re.fullmatch(r"(?P<before>.*ecn)\.(?P<speed>[0-9.]+[GMT])\.(?P<field>\w+)", name)
        path = f"{speed['before']}.{speed['field']}" if speed else name
        bound = find_path(scope, path)
        assert bound is not None, f"{element}: {name} is not a path"
        kind = bound.path.kind
        readings = list(bound.readings(here))
        if value in ("unknown", "none"):
            continue
        of_speed = [r for r in readings if not speed or speed["speed"] in r.of or len(readings) == 1]
        reported = [kind.shown(r.value) for r in of_speed]
        assert reported, f"{element}: show has {name} {value}"
        if kind.listed:
            continue  # show folds lists
        first = value.split()[0]
        assert first in reported or first.removesuffix(".0") in reported, (element, name, value, reported)
        compared += 1
    assert compared > 20


def test_every_path_has_a_value_somewhere(tmp_path: Path) -> None:
    """No path of the table is a name that nothing is ever found under."""
    text = FABRIC.replace(
        "  mtu: 9000\n", "  mtu: 9000\n  path_mtu: 4096\n  rtt: 8us\n  incast: 32\n  dual_tor: false\n"
    )
    text = text.replace(
        "    role: leaf\n",
        "    role: leaf\n    dcbx: off\n    switch_type: npu\n"
        "    arp_timeout: 1500s\n    mac_age: 1800s\n    drop_incomplete_arp: true\n"
        "    load_balancing: {mode: ecmp, hash: [src-ip, src-port]}\n"
        "    trimming: {size: 256B, dscp: 5, queue: 5, classes: default}\n"
        "    buffers: {model: traditional, template: t0, alpha: 2, pools: {lossless: 60%, lossy: 40%},"
        " shared_headroom: 1MB, private_headroom: 20KB, queue_limit: 2MB,"
        " oversubscribe: 2, lossless_mtu: 4KB, small_packets: 50%,"
        " response: '802.3'}\n",
    )
    more = "fec: rs, autoneg: on, layer: 3, lag: PortChannel1, macsec: {pfc_frames: clear}"
    text = text.replace("faces: host, cable: 3m", f"faces: host, cable: 3m, {more}")
    text = text.replace("action: drop}", "action: drop, priorities: [3]}")
    text = text.replace(
        "  storage: {",
        "  storage: {networks: 10.0.0.0/8, marks: 18, max_rate: 10G, guaranteed: 5%, ",
    ).replace("  default: {", "  default: {max_rate: 50%, guaranteed: 1G, ")
    write(tmp_path, {"fabric.yaml": text})
    found: dict[str, set[str]] = {scope: set() for scope in SCOPES}
    for path in (tmp_path, *(ROOT / "examples" / name for name in EXAMPLES)):
        of = load(str(path / "fabric.yaml")).fabric
        assert of is not None
        for scope, here in elements(of).values():
            for name in SCOPES[scope]:
                bound = find_path(scope, name)
                assert bound is not None
                for reading in bound.readings(here):
                    found[scope].add(name)
                    assert bound.path.kind.shown(reading.value)
    missing = {scope: set(paths) - found[scope] for scope, paths in SCOPES.items()}
    assert missing == {"fabric": set(), "device": set(), "class": set(), "port": set()}


def test_values_of_every_unit_can_be_written() -> None:
    assert {row.unit for row in CATALOGUE} - OF_UNIT.keys() == {NUMBERS, WORD, WORDS}  # by the type of the intent's key


def test_a_class_on_a_port_has_the_curve_of_its_speed(tmp_path: Path) -> None:
    of = fabric(tmp_path, FABRIC)
    bound = find_path("port", "rdma.ecn.kmin")
    assert bound is not None
    leaf = next(d for d in of.devices if "leaf01" in d.names)
    kmin = {p.key: [r.value for r in bound.readings(ModelElement(of, leaf, None, p))] for p in leaf.ports}
    assert kmin == {"Ethernet[0-248/8]": [700_000], "Ethernet[256-376/8]": [900_000], "Ethernet[384]": []}


def test_what_surrounds_an_element_is_in_reach() -> None:
    assert {"device.role", "fabric.kind", "speed"} <= set(known_paths("port"))
    assert find_path("device", "fabric.mode") is not None
    assert find_path("fabric", "device.role") is None
    assert find_path("device", "rdma.priority") is None
    assert find_path("class", "watchdog.detection") is None
