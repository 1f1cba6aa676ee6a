"""What the writer prints for a device, read back: the same model, in both forms."""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import Any

import pytest
import spectrum_devices as make
from hypothesis import given, settings
from nvue_text import device as read_back
from nvue_text import lint, rules
from same_model import differences, facts
from test_spectrum_property import devices as random_devices

from rocecfg.intent import load
from rocecfg.linting.rendering import render_device as render
from rocecfg.model import Device, Fabric, PortGroup, Watchdog
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.spectrum.ranges import parse_port
from rocecfg.vendors.spectrum.writer import FORMS as ALL_FORMS

FORMS = tuple(form for form in ALL_FORMS if form != "ansible")  # its tasks carry the form nvue

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*/fabric.yaml"))
# What NVUE says by port; of the headroom where it is stated.
ASPECTS = ("pfc", "watchdog", "rates", "headroom", "trust", "cable", "mtu", "speed", "flowcontrol")
ASSUMED = 100  # metres, where the intent states no cable
SPEEDS = {make.G * n: f"{n}G" for n in (10, 25, 40, 50, 100, 200, 400, 800)}


def text_of(fabric: Fabric, device: Device, form: str) -> str:
    """The rendered file in a switch's own configuration: with a name, and what ports have beside QoS."""
    body = render(fabric, device, form=form).file("leaf01")
    links: list[tuple[str, str]] = [("system hostname", "leaf01")]
    for group in device.ports:
        for name in group.names:
            links.append((f"interface {name} type", "swp"))
            if group.mtu is not None:
                links.append((f"interface {name} link mtu", str(group.mtu)))
            if group.speed is not None:
                links.append((f"interface {name} link speed", SPEEDS[group.speed]))
            if group.lag is not None:
                links.append((f"interface {group.lag} bond member", name))
    if form == "commands":
        return body + "".join(f"nv set {path} {value}\n" for path, value in links)
    tree: dict[str, Any] = {}
    for path, value in links:
        at = tree
        *words, last = path.split(" ")
        for word in words:
            at = at.setdefault(word, {})
        if last == "member":
            at.setdefault(last, {})[value] = {}
        else:
            at[last] = value
    return f"{body}- set: {_flow(tree)}\n"


def _flow(tree: Any) -> str:
    if not isinstance(tree, dict):
        return f"'{tree}'"
    return "{" + ", ".join(f"{key}: {_flow(value)}" for key, value in tree.items()) + "}"


def as_rendered(device: Device) -> Device:
    """The device as NVUE can say it: cables in whole metres, timers in whole polls, restored after one of them."""
    return replace(device, ports=tuple(_port(device, group) for group in device.ports))


def _port(device: Device, group: PortGroup) -> PortGroup:
    cable = None
    if group.pfc:
        cable = ASSUMED if group.cable is None else max(1, ceil(group.cable))
    mtu = group.mtu or device.mtu or 9216
    names = tuple(name for name in group.names if parse_port(name) is not None)
    return replace(group, names=names, cable=cable, mtu=mtu, watchdog=_watchdog(group.watchdog), room=None)


def _watchdog(dog: Watchdog | None) -> Watchdog | None:
    if dog is None:
        return None
    if dog.vendor_default or dog.detection is None:
        return Watchdog(300, 100, 100, "drop")
    poll = dog.poll or 100
    return Watchdog(ceil(dog.detection / poll) * poll, poll, poll, "drop")


def sorting(device: Device) -> list[tuple[int, int, bool]]:
    """For each DSCP the switch priority, the queue, and whether it is lossless on some port."""
    paused = {sp for group in device.ports for sp in group.pfc}
    found = {d: (c.priority, c.queue, c.priority in paused) for c in device.classes for d in c.dscps}
    return [found[d] for d in range(64)]


def shares(device: Device) -> dict[int, Any]:
    """Strict or percent by queue, of those that packets reach."""
    used = [c for c in device.classes if c.dscps]
    return {c.queue: "strict" if c.strict else c.bandwidth for c in used}


def marking(device: Device, used: set[int]) -> dict[str, Any]:
    """The curve of each queue in use, by port."""
    return {name: {q: c for q, c in stated["ecn"].items() if q in used} for name, stated in facts(device).items()}


def check(fabric: Fabric, device: Device) -> None:
    expected = as_rendered(device)
    used = {c.queue for c in device.classes if c.dscps}  # a queue that nothing leads to is nobody's
    sorts = any(group.trust == "dscp" for group in device.ports)
    models = [read_back(text_of(fabric, device, form)) for form in FORMS]
    for model in models:
        assert differences(expected, model, ASPECTS) == []
        assert marking(model, used) == marking(expected, used)
        if sorts:
            assert sorting(model) == sorting(device)
        if sorts and any(c.bandwidth is not None for c in device.classes):
            assert shares(model) == shares(device)
        crossing = {name for port in device.ports for name in port.classes}  # without any no lossless pool is written
        if any(c.lossless and c.name in crossing for c in device.classes) and device.buffers.lossless_pool is not None:
            lossy = device.buffers.lossy_pool
            assert model.buffers.lossless_pool == device.buffers.lossless_pool
            assert model.buffers.lossy_pool == (100 - device.buffers.lossless_pool if lossy is None else lossy)
        assert model.buffers.alpha == (device.buffers.alpha if any(g.pfc for g in device.ports) else None)
        assert {n: g.lag for g in model.ports for n in g.names} == {n: g.lag for g in expected.ports for n in g.names}
    assert models[0] == models[1]


@pytest.mark.parametrize(
    "name", [name for name, (_, d) in make.every_kind().items() if d.names and "vendor's" not in name]
)
def test_every_kind_of_device(name: str) -> None:
    check(*make.every_kind()[name])


def test_a_policy_holds_for_every_port() -> None:
    fabric, device = make.every_kind()["policy"]
    for form in FORMS:
        (group,) = read_back(render(fabric, device, form=form).file("leaf01")).ports
        assert group.implied
        assert (group.pfc, group.cable, group.trust) == ((3,), ASSUMED, "dscp")
        assert group.watchdog is None  # it stands at ports


def test_semi_lossless_obeys_and_does_not_send() -> None:
    fabric, device = make.every_kind()["semi-lossless"]
    (group,) = read_back(text_of(fabric, device, "nvue")).ports
    assert group.running is not None
    assert (group.running.obeys, group.running.sends) == (None, ())


def test_small_packets() -> None:
    device = make.leaf(version="5.17", buffers=make.Buffers(small_packets=20))
    assert read_back(text_of(make.fabric(device), device, "nvue")).buffers.small_packets == 20


def test_the_head_of_the_file_tells_the_release() -> None:
    device = make.leaf(version="5.16")
    text = render(make.fabric(device), device, form="commands").file("leaf01")
    assert read_back(text).version == "5.16"


@pytest.mark.sweep("rocecfg/vendors/spectrum", "templates/")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("release", ["5.6", "5.9", "5.14", "5.15", "5.16", "5.17", "5.18"])
def test_nothing_that_is_printed_is_strange(release: str, form: str) -> None:
    """No word that the release does not have, no value it refuses, nothing unread."""
    for fabric, device in make.every_kind().values():
        text = render(fabric, replace(device, version=release), form=form).file("leaf01")
        assert {reported.rule for reported in lint(text, release) if reported.rule.startswith("device-")} <= {
            "device-unread"
        }
        strange = [reported for reported in lint(text, release) if reported.rule == "device-unread"]
        assert strange == []


@settings(max_examples=40, deadline=None)
@given(random_devices())
def test_any_device(device: Device) -> None:
    check(make.fabric(device), device)


@settings(max_examples=20, deadline=None)
@given(random_devices())
def test_any_device_is_read_without_complaint(device: Device) -> None:
    """What the writer makes of a sane device, no rule of NVUE's own finds fault with."""
    text = text_of(make.fabric(device), device, "nvue")
    strange = {r for r in rules(text, device.version) if r.startswith(("nvue-", "device-"))}
    # curves are drawn from 1 B, and classes may be lossless that cross no port
    assert strange <= {"nvue-threshold-kb", "nvue-pool-priorities"}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.parent.name)
def test_examples(path: Path) -> None:
    fabric = load(str(path), vendor="spectrum").fabric
    assert fabric is not None
    done = 0
    for device in fabric.devices:
        if device.vendor != "spectrum" or not device.names:
            continue
        try:
            check(fabric, device)
        except CannotRender:
            continue
        done += 1
    assert (
        done or not any(d.vendor == "spectrum" and d.names for d in fabric.devices) or "published" in path.parent.name
    )
