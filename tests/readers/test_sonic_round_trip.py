"""Rendered for SONiC and read back: the same model, whatever the intent."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sonic_text
from hypothesis import given, settings
from same_model import differences, facts
from sonic_factory import box, device, dynamic, fabric, pools, ports
from test_sonic_properties import devices as random_devices

from rocecfg.intent import load
from rocecfg.linting.rendering import render_device as render
from rocecfg.model import Buffers, Device, Headroom, PortGroup, Watchdog
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.sonic.headroom import room_on

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*/fabric.yaml"))
# What the rendered tables say; speed and MTU are PORT's, headroom mostly the switch's own tables'.
RENDERED = ("pfc", "watchdog", "ecn", "chain", "shares", "rates", "trust", "flowcontrol")


def as_rendered(dev: Device) -> Device:
    """The device as CONFIG_DB can say it: whole weights, marking on the instantaneous queue, cables rounded up."""
    return replace(dev, ports=tuple(_port(dev, port) for port in dev.ports))


def _port(dev: Device, port: PortGroup) -> PortGroup:
    cable = None
    if port.pfc:
        cable = room_on(dev, port, dev.buffers.model or (dev.box.buffer_model if dev.box else None)).cable
    return replace(port, cable=cable)


def compared(dev: Device, text: str, aspects: tuple[str, ...] = RENDERED) -> list[str]:
    """What the model of a text says otherwise than the device that it was rendered from."""
    back = sonic_text.device(text, dev.version)
    one, other = facts(as_rendered(dev)), facts(back)
    assert one.keys() == other.keys()
    paused = {n for port in dev.ports for n in port.pfc}
    if any(port.trust == "dscp" for port in dev.ports):
        used = {c.queue for c in dev.classes if c.dscps or c.priority in paused}
    else:  # the text then tells of lossless traffic alone where it goes
        used = {c.queue for c in dev.classes if c.priority in paused}
        aspects = tuple(aspect for aspect in aspects if aspect not in ("chain", "shares"))
    out = []
    for name in one:
        for stated in (one[name], other[name]):
            stated["shares"] = _whole(stated["shares"], used)
            stated["rates"] = {q: tuple(map(_bytes, rates)) for q, rates in stated["rates"].items() if q in used}
            stated["ecn"] = {q: (*c[:3], 0, *c[4:]) for q, c in stated["ecn"].items() if q in used}
        out += [
            f"{name} {aspect}: {one[name][aspect]} != {other[name][aspect]}"
            for aspect in aspects
            if one[name][aspect] != other[name][aspect]
        ]
    return out


def _whole(shares: dict[int, Any], used: set[int]) -> dict[int, Any]:
    """Shares of the queues in use, as the whole weights that a scheduler takes."""
    strict = {q: s for q, s in shares.items() if s == "strict" and q in used}
    weights = {q: s for q, s in shares.items() if s != "strict" and q in used}
    total = sum(weights.values()) or 1
    return strict | {q: round(100 * s / total) for q, s in weights.items()}


def _bytes(rate: float | None) -> int | None:
    return None if rate is None else int(rate // 8)


def policy(dev: Device) -> bool:
    """A policy names no ports: nothing of what ports bind is rendered."""
    return not any(port.names for port in dev.ports)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.parent.name)
def test_every_example_comes_back(path: Path) -> None:
    found = load(str(path), vendor="sonic").fabric
    assert found is not None
    for dev in found.devices:
        if dev.vendor != "sonic" or policy(dev):
            continue
        try:
            text = render(found, dev).body
        except CannotRender:
            continue
        assert compared(dev, text) == []
        assert sonic_text.reported(text, release=dev.version) == []
        around = json.dumps(sonic_text.whole(json.loads(text), dev))
        assert compared(dev, around, (*RENDERED, "cable", "speed", "mtu", "headroom")) == []


@settings(max_examples=80, deadline=None)
@given(random_devices())
def test_every_random_model_comes_back(dev: Device) -> None:
    text = render(fabric(dev), dev).body
    assert compared(dev, text) == []
    found = sonic_text.reported(text, release=dev.version)
    if any(0 in port.pfc for port in dev.ports):  # where unclaimed 802.1p values go as well
        found = [p for p in found if "DOT1P_TO_TC_MAP" not in p.message]
    assert found == []


@settings(max_examples=80, deadline=None)
@given(random_devices())
def test_every_random_model_comes_back_from_a_whole_configuration(dev: Device) -> None:
    config = json.loads(render(fabric(dev), dev).body)
    around = json.dumps(sonic_text.whole(config, dev))
    assert compared(dev, around, (*RENDERED, "cable", "speed")) == []


SIZED = Headroom(200_000, 18_432, 150_000)


@pytest.mark.parametrize("model", ["traditional", "dynamic"])
@pytest.mark.parametrize("release", ["202405", "202511"])
def test_buffers_that_are_stated_come_back(model: str, release: str) -> None:
    stated = Buffers(model=model, alpha=0.25, oversubscribe=2 if model == "dynamic" else None)
    if model == "dynamic":
        stated = replace(stated, lossless_mtu=4096, small_packets=25.0)
    group = ports("Ethernet0", "Ethernet8", headroom=SIZED, cable=40)
    dev = (dynamic if model == "dynamic" else device)(group, buffers=stated, version=release)
    config = sonic_text.whole(json.loads(render(fabric(dev), dev).body), dev, hwsku="unknown")
    back = sonic_text.device(config, release)
    assert {p.headroom for p in back.ports} == {SIZED}
    assert (back.buffers.model, back.buffers.alpha) == (model, 0.25)
    if model == "dynamic":
        assert (back.buffers.oversubscribe, back.buffers.lossless_mtu, back.buffers.small_packets) == (2, 4096, 25)
    (port,) = back.ports
    assert port.running is not None
    (pg,) = port.running.groups
    assert (pg.number, pg.lossless, pg.size, pg.xon, pg.xoff, pg.alpha) == (3, True, 200_000, 18_432, 150_000, 0.25)


def test_pool_shares_and_shared_headroom_come_back() -> None:
    box_ = box("dynamic", pools=(pools(),))
    stated = Buffers(model="dynamic", lossless_pool=40.0, lossy_pool=60.0, shared_headroom=3_000_000)
    dev = dynamic(buffers=stated, box=box_, version="202405")
    back = sonic_text.device(sonic_text.whole(json.loads(render(fabric(dev), dev).body), dev, hwsku="unknown"))
    assert (back.buffers.lossless_pool, back.buffers.lossy_pool) == (40, 60)
    assert back.buffers.shared_headroom == 3_000_000


def test_a_watchdog_left_to_the_switch_comes_back() -> None:
    dog = Watchdog(None, None, None, None, vendor_default=True)
    dev = device(ports("Ethernet0", watchdog=dog))
    text = render(fabric(dev), dev).body
    assert differences(dev, sonic_text.device(text), ("watchdog",)) == []
