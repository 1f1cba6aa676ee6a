"""The real YANG models of SONiC, 202311 to master, on rendered files and on what patches make of running ones."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sonic_checks
from conformance import SonicYang
from sonic_checks import RELEASES, faults, validate
from sonic_factory import (
    CLASSES,
    CURVE,
    RDMA,
    G,
    box,
    cls,
    device,
    dynamic,
    fabric,
    lossy,
    policy,
    pools,
    ports,
    single,
    stock,
)

from rocecfg.linting.rendering import render_device as render
from rocecfg.model import Buffers, Device, Ecn, Headroom, Watchdog
from rocecfg.source.document import Document
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.changes import What
from rocecfg.vendors.sonic.change import plan_change

pytestmark = pytest.mark.conformance

STORAGE = cls("storage", 2, (18, 20), bandwidth=20, ecn=Ecn(500_000, 1_500_000, 10, colors=("green",)))
ALL = (replace(RDMA, ecn_by_speed=((800 * G, Ecn(800_000, 2_400_000, 5)),)), *CLASSES[1:], STORAGE)
CROSSING = tuple(c.name for c in ALL)
MIXED = (
    ports("Ethernet0", "Ethernet8", classes=CROSSING),
    ports("Ethernet16", classes=CROSSING, speed=800 * G, faces="switch", cable=29.5),
    lossy("Ethernet24", classes=("storage", "control", "default")),
)
STATED = Buffers(alpha=0.25, oversubscribe=2, lossless_mtu=4096, shared_headroom=4_000_000)
FAST = Ecn(800_000, 2_400_000, 5)
BY_LENGTH = tuple(
    ports(f"Ethernet{n}", speed=speed * G, cable=cable)
    for n, (speed, cable) in enumerate((s, c) for s in (100, 400, 800) for c in (1, 4, 39, 300))
)
DEFAULT = Watchdog(None, None, None, None, vendor_default=True)
DEVICES: dict[str, Device] = {
    "policy": policy(),
    "policy-by-speed": policy(classes=ALL),
    "traditional": device(),
    "traditional-mixed": device(*MIXED, classes=ALL),
    "traditional-headroom": device(ports("Ethernet0", headroom=Headroom(1270, 0, 446_024)), buffers=STATED),
    "dynamic": dynamic(),
    "dynamic-mixed": dynamic(*MIXED, classes=ALL, buffers=STATED),
    "dynamic-headroom": dynamic(ports("Ethernet0", headroom=Headroom(9, 3, 6)), buffers=Buffers(alpha=1)),
    "two-lossless": dynamic(ports("Ethernet0", pfc=(3, 4)), classes=(*CLASSES, cls("g", 4, (34,), lossless=True))),
    "dynamic-shared-size": dynamic(buffers=Buffers(shared_headroom=4_000_000)),
    "dynamic-shared-ratio": dynamic(buffers=Buffers(oversubscribe=4, alpha=0.5)),
    "dynamic-shared-off": dynamic(buffers=Buffers(shared_headroom=0)),
    "traditional-shared": device(box=box(pools=(single(),)), buffers=Buffers(shared_headroom=10_000_000)),
    "traditional-split": device(box=box(pools=(pools(),)), buffers=Buffers(lossless_pool=80)),
    "traditional-alpha": device(*BY_LENGTH, buffers=Buffers(alpha=0.25)),
    "traditional-lengths": device(*BY_LENGTH),
    "beyond-the-table": device(
        ports("Ethernet0", cable=450, room=Headroom(1270, 0, 700_000), alpha=1), ports("Ethernet8")
    ),
    "headroom-by-speed": device(
        *(
            ports(f"Ethernet{n}", speed=speed * G, headroom=Headroom(1270, 0, 1000 * speed), alpha=0.5)
            for n, speed in ((0, 100), (8, 400), (16, 800))
        )
    ),
    "breakout": device(
        ports(*(f"Ethernet{lane}" for lane in range(8)), speed=100 * G), ports("Ethernet8", speed=800 * G)
    ),
    "ecn-auto": device(
        ports("Ethernet0"),
        ports("Ethernet8", speed=800 * G),
        classes=(replace(RDMA, ecn="auto", ecn_by_speed=((400 * G, CURVE), (800 * G, FAST))), *CLASSES[1:]),
    ),
    "storage-only": device(lossy("Ethernet0")),
    "vendor-watchdog": device(ports("Ethernet0", watchdog=DEFAULT)),
    "pcp": device(ports("Ethernet0", trust="pcp"), ports("Ethernet8", trust="none")),
    "rates": device(classes=(replace(RDMA, max_percent=80, guaranteed_rate=G), *CLASSES[1:])),
}


@pytest.mark.parametrize("release", RELEASES)
def test_every_device_fits_the_models(sonic_yang: SonicYang, tmp_path: Path, release: str) -> None:
    files = []
    for name, dev in DEVICES.items():
        file = tmp_path / f"{name}.json"
        there = replace(dev, version=release)
        file.write_text(render(fabric(there), there).body, encoding="utf-8")
        files.append(file)
    verdicts = validate(sonic_yang, release, "--fragment", "--meta", "buffer_model=dynamic", *files)
    assert len(verdicts) == len(DEVICES)
    assert faults(verdicts) == {}


@pytest.mark.parametrize("release", [r for r in RELEASES if r >= "202405"])
def test_shares_of_the_dynamic_model_fit_the_models(sonic_yang: SonicYang, tmp_path: Path, release: str) -> None:
    """From 202405 the model knows the percentage, and only with that buffer model."""
    stated = Buffers(lossless_pool=80, shared_headroom=2_000_000)
    dev = dynamic(box=box("dynamic", pools=(pools(),)), buffers=stated, version=release)
    file = tmp_path / "split.json"
    file.write_text(render(fabric(dev), dev).body, encoding="utf-8")
    assert '"percentage": "20"' in file.read_text()
    assert faults(validate(sonic_yang, release, "--fragment", "--meta", "buffer_model=dynamic", file)) == {}
    assert "percentage" in str(faults(validate(sonic_yang, release, "--fragment", file))).lower()


def test_the_validator_can_fail(sonic_yang: SonicYang, tmp_path: Path) -> None:
    """So that the tests above mean something: one wrong digit is found."""
    dev = device()
    broken = tmp_path / "broken.json"
    broken.write_text(render(fabric(dev), dev).body.replace('"pfc_enable": "3"', '"pfc_enable": "8"', 1))
    assert "pfc_enable" in str(faults(validate(sonic_yang, "202405", "--fragment", broken)))


def running(names: tuple[str, ...], model: str) -> dict[str, Any]:
    hwsku = "ACS-SN5600" if model == "dynamic" else "Arista-7060X6-64PE"
    return stock(*names, hwsku=hwsku, model=model) | {"PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "100"}}}


PATCHED = (
    *("traditional-mixed", "dynamic-mixed", "dynamic-headroom", "storage-only", "beyond-the-table"),
    "headroom-by-speed",
)
GATED = ("202511", "202605", "master")  # releases whose gate judges a patch


def stocked(name: str) -> dict[str, Any]:
    """What a switch runs before it is given the patch of a device."""
    names = tuple(n for port in DEVICES[name].ports for n in port.names)
    return running(names, "dynamic" if name.startswith("dynamic") else "traditional")


@pytest.mark.parametrize("release", GATED)
def test_the_stock_configurations_fit_the_models(sonic_yang: SonicYang, tmp_path: Path, release: str) -> None:
    files = [tmp_path / f"{name}.json" for name in PATCHED]
    for name, file in zip(PATCHED, files, strict=True):
        file.write_text(json.dumps(stocked(name)))
    verdicts = validate(sonic_yang, release, *files)
    assert len(verdicts) == len(PATCHED)
    assert faults(verdicts) == {}


@pytest.mark.parametrize("release", GATED)
@pytest.mark.parametrize("name", PATCHED)
def test_what_a_patch_makes_of_a_stock_configuration(
    sonic_yang: SonicYang, tmp_path: Path, release: str, name: str
) -> None:
    dev = replace(DEVICES[name], version=release)
    if dev.buffers.shared_headroom is not None:  # the gate refuses BUFFER_POOL in these releases
        dev = replace(dev, buffers=replace(dev.buffers, shared_headroom=None))
    before = stocked(name)
    config, patch = tmp_path / "config_db.json", tmp_path / "patch.json"
    config.write_text(json.dumps(before))
    patch.write_text(sonic_checks.patched(fabric(dev), dev, json.dumps(before)).body)
    assert json.loads(patch.read_text())
    assert faults(validate(sonic_yang, release, "--patch", patch, config)) == {}


@pytest.mark.parametrize(
    ("sample", "hwsku", "first"),
    [("qos-arista7060x6-th5.json", "Arista-7060X6-64PE", "Ethernet0"), ("qos-dell9332-th3.json", None, "Ethernet0")],
)
def test_a_patch_on_configurations_of_real_switches(
    shared: Path, sonic_yang: SonicYang, tmp_path: Path, sample: str, hwsku: str | None, first: str
) -> None:
    """`qos reload` output, given the PORT rows that the rest of its config_db.json has."""
    before = json.loads((shared / "samples" / "sonic" / sample).read_text())
    names = [key for key in before["PORT_QOS_MAP"] if key != "global"]
    before["PORT"] = {p: {"lanes": str(i), "speed": "400000"} for i, p in enumerate(names)}
    before["DEVICE_METADATA"] = {"localhost": {"hwsku": hwsku or "Homemade"}}
    timers = device().ports[0].watchdog if hwsku else None  # the gate knows only listed HwSKUs
    if hwsku:
        before["PFC_WD"] = {"GLOBAL": {"POLL_INTERVAL": "100"}}
    dev = device(ports(first, watchdog=timers), lossy(names[1]), version="202511", hwsku=hwsku)
    config, patch = tmp_path / "config_db.json", tmp_path / "patch.json"
    config.write_text(json.dumps(before))
    patch.write_text(sonic_checks.patched(fabric(dev), dev, json.dumps(before)).body)
    assert faults(validate(sonic_yang, "202511", "--patch", patch, config)) == {}


def test_a_change_of_an_old_configuration_keeps_its_brackets(shared: Path) -> None:
    """A file as a 202106 switch saved it: its references have brackets, and so has what is written beside them."""
    sample = shared / "samples" / "sonic" / "qos-brackets-3_0_1.json"
    before = json.loads(sample.read_text())
    old = replace(device(ports("Ethernet0", speed=100 * G)), version="202106", hwsku=None)
    with pytest.raises(CannotRender, match="no config apply-patch that works"):
        sonic_checks.patched(fabric(old), old, json.dumps(before))
    meant = render(fabric(old), old).body
    wanted = {"Ethernet0": frozenset({What("scheduling", 7), What("pfc")})}
    change = plan_change(meant, Document(0, "running.json", sample.read_text()), wanted, old)
    after = json.loads(change.after)
    assert after["QUEUE"]["Ethernet0|7"] == {"scheduler": "[SCHEDULER|scheduler.strict]"}
    assert any("[SCHEDULER|scheduler.strict]" in line for step in change.steps for line in step.lines)
    assert "Ethernet0|3-4" in before["BUFFER_PG"]
    assert "Ethernet0|3-4" not in after["BUFFER_PG"]
