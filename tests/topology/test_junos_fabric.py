"""Eight QFX5240 of one fabric, linted as one: two are real, the other six are made from them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rocecfg.linting import devices
from rocecfg.linting.finding import Finding
from rocecfg.linting.judge import judge
from rocecfg.model import Fabric
from rocecfg.source.document import Sources

LEAVES = {"gpu-r1-l1": 0, "gpu-r1-l2": 1, "gpu-r2-l1": 4, "gpu-r2-l2": 5}  # which port of a spine each is on
SPINES = {"spine1": 0, "spine2": 1, "spine3": 32, "spine4": 33}  # which port of a leaf each is on

pytestmark = pytest.mark.conformance


def fabric_files(shared: Path, folder: Path) -> list[Path]:
    """The eight configurations: a leaf and a spine as they are, the others with their own names and far ends."""
    samples = shared / "samples" / "junos"
    leaf = (samples / "mtb-leaf1-qfx5240.conf").read_text(encoding="utf-8")
    spine = (samples / "mtb-spine1-qfx5240.conf").read_text(encoding="utf-8")
    out = []
    for name, port in LEAVES.items():
        text = leaf.replace("host-name GPU-R1-L1;", f"host-name {name};")
        out.append((name, re.sub(r"(facing_spine\d:et-0/0/)0(:\d)", rf"\g<1>{port}\g<2>", text)))
    for name, port in SPINES.items():
        text = spine.replace("host-name spine1;", f"host-name {name};")
        out.append((name, re.sub(r"(facing_gpu-r\d-l\d:et-0/0/)0(:\d)", rf"\g<1>{port}\g<2>", text)))
    paths = []
    for name, text in out:
        path = folder / f"{name}.conf"
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths


def linted(folder: Path) -> tuple[Fabric, list[Finding]]:
    paths = sorted(str(path) for path in folder.glob("*.conf"))
    loaded = devices.load(str(folder), paths, Sources(), None, given=True)
    assert loaded is not None
    assert loaded.fabric is not None
    found, failed = judge(loaded)
    assert not failed
    return loaded.fabric, found


def test_the_eight_are_one_fabric(shared: Path, tmp_path: Path) -> None:
    fabric_files(shared, tmp_path)
    fabric, found = linted(tmp_path)
    assert {name for device in fabric.devices for name in device.names} == {*LEAVES, *SPINES}
    links = {frozenset(((link.a_device, link.a_port), (link.b_device, link.b_port))) for link in fabric.links}
    assert len(links) == len(LEAVES) * len(SPINES) * 2
    assert frozenset((("gpu-r2-l1", "et-0/0/32:1"), ("spine3", "et-0/0/4:1"))) in links
    told = {(one.severity, one.rule.name) for one in found}
    assert told == {("info", "junos-partitions"), ("info", "pfc-odd-port")}  # two ports to a traffic generator


def broken(folder: Path, name: str, old: str, new: str) -> set[tuple[str, str]]:
    path = folder / f"{name}.conf"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    return {(one.severity, one.rule.name) for one in linted(folder)[1]}


@pytest.mark.parametrize(
    ("name", "old", "new", "rule"),
    [
        # the classifier of one leaf marks another code point: RDMA from elsewhere is not in its lossless class
        ("gpu-r1-l2", "code-points 011010", "code-points 011000", "junos-pfc-lossy"),
        # a spine pauses as priority 4 what the leaves know as 3
        ("spine2", "no-loss pfc-priority 3", "no-loss pfc-priority 4", "link-pfc"),
        ("spine4", "            congestion-notification-profile cnp;\n", "", "link-pfc"),
        ("gpu-r2-l2", "mtu 9170;", "mtu 4170;", "link-mtu"),
        ("spine1", "            pfc-watchdog;\n", "", "watchdog-missing"),
    ],
)
def test_what_one_of_them_has_otherwise_is_found(
    name: str, old: str, new: str, rule: str, shared: Path, tmp_path: Path
) -> None:
    fabric_files(shared, tmp_path)
    assert rule in {each for _, each in broken(tmp_path, name, old, new)}
