"""What the writer says of a device, the reader makes of it again; whatever the text looks like."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import arista_factory as make
import pytest
from arista_devices import devices, fixed
from eos_text import device as read_back
from eos_text import loaded
from hypothesis import given, settings
from hypothesis import strategies as st
from same_model import facts

from rocecfg.intent import load
from rocecfg.linting.rendering import render_device as render
from rocecfg.model import Device, Ecn, Fabric, Headroom, PortGroup

ROOT = Path(__file__).resolve().parents[2]
FLOOR = 100_000  # bit/s; the writer gives it to watched queues, which the intent says nothing of
ASPECTS = ("pfc", "watchdog", "ecn", "chain", "trust", "mtu", "flowcontrol")
Does = dict[str, dict[str, Any]]


def _does(device: Device) -> Does:
    """What each port does, as far as EOS text says it."""
    out: Does = {}
    for name, stated in facts(device).items():
        (port,) = [p for p in device.ports if name in p.names]
        does = {aspect: stated[aspect] for aspect in ASPECTS}
        used = {queue for queue, _ in filter(None, does["chain"])} | set(port.pfc)
        does["ecn"] = {queue: curve for queue, curve in does["ecn"].items() if queue in used}
        does["queues"] = _queues(device, port, used)
        does["mtu"] = port.mtu if port.mtu is not None else device.mtu
        does["headroom"] = port.headroom.size if isinstance(port.headroom, Headroom) and port.pfc else None
        does["buffers"] = device.buffers.alpha, device.buffers.shared_headroom
        if does["watchdog"] is not None and does["watchdog"][:4] == (None, None, None, "errdisable"):
            does["watchdog"] = "vendor-default"  # EOS's own action is errdisable: to say so changes nothing
        out[name] = does
    return out


def _queues(device: Device, port: PortGroup, used: set[int]) -> dict[int, Any]:
    """How the queues in use are scheduled: strict, share, shaper, guarantee.

    Not of a class that is lossless elsewhere: it does not cross ports that have no PFC for it.
    """
    paused = {priority for p in device.ports for priority in p.pfc}
    changed = {c.name: c for c in port.overrides}
    own = [changed.get(c.name, c) for c in device.classes]
    return {
        c.queue: (c.strict, c.bandwidth, c.max_rate, c.max_percent, c.guaranteed_rate, c.guaranteed_percent)
        for c in own
        if c.queue in used and not (c.priority in paused and c.priority not in port.pfc)
    }


def meant(device: Device) -> Does:
    """What the device does, with the guarantee that the writer adds of its own."""
    out = _does(device)
    for port in device.ports:
        for name in port.names:
            queues = out[name]["queues"]
            for queue in port.pfc if port.watchdog else ():
                if queues[queue][4:] == (None, None):
                    queues[queue] = (*queues[queue][:4], FLOOR, None)
    return out


def is_read(text: str) -> Does:
    return _does(read_back(text))


def differing(one: Does, other: Does) -> list[str]:
    """What differs, one line each."""
    return [
        f"{port} {aspect}: {one.get(port, {}).get(aspect)} != {other.get(port, {}).get(aspect)}"
        for port in sorted(one.keys() | other.keys())
        for aspect in (one.get(port) or other[port])
        if one.get(port, {}).get(aspect) != other.get(port, {}).get(aspect)
    ]


@pytest.mark.parametrize("name", [name for name in fixed() if "policy" not in name])
def test_every_kind_of_line_is_read_back(name: str) -> None:
    device = fixed()[name]
    assert differing(is_read(render(make.fabric(device), device).body), meant(device)) == []


@pytest.mark.parametrize("name", [name for name in fixed() if "policy" in name])
def test_a_text_that_names_no_port_is_for_every_port(name: str) -> None:
    device = fixed()[name]
    found = read_back(render(make.fabric(device), device).body)
    (port,) = found.ports
    assert port.implied
    assert port.pfc == device.ports[0].pfc
    assert port.watchdog is not None
    assert port.watchdog.detection == 200
    assert [c.ecn for c in found.classes if c.queue == 3] == [make.CURVE]


@settings(max_examples=60, deadline=None)
@given(devices())
def test_random_devices_are_read_back(device: Device) -> None:
    assert differing(is_read(render(make.fabric(device), device).body), meant(device)) == []


@settings(max_examples=15, deadline=None)
@given(devices())
def test_what_the_writer_writes_is_understood(device: Device) -> None:
    found = loaded(render(make.fabric(device), device).body)
    by_cos = any(port.trust == "none" for port in device.ports)  # sorted by what ports mark packets with themselves
    strange = [p for p in found.problems if not (by_cos and p.message.startswith("qos map cos"))]
    # what is about values, which are random here
    values = {"eos-default-map", "eos-strict-below", "eos-unit", "mix-cnp", "mix-into-lossless", "mix-tc-chain"}
    assert {p.rule for p in strange} <= values


def _switches(name: str) -> tuple[Fabric, list[Device]]:
    fabric = load(str(ROOT / "examples" / name / "fabric.yaml")).fabric
    assert fabric is not None
    return fabric, [device for device in fabric.devices if device.vendor == "arista"]


@pytest.mark.parametrize("name", ["auto", "converged", "rail-1024"])
def test_examples_are_read_back(name: str) -> None:
    fabric, found = _switches(name)
    assert found
    for device in found:
        assert differing(is_read(render(fabric, device).body), meant(device)) == []


_INDENTS = st.sampled_from(["", " ", "  ", "    ", "\t", "\t\t"])


def _indented(text: str, unit: str, comment: str) -> str:
    """The same lines, indented by other blanks; with comments that EOS reads over."""
    out = []
    for line in text.splitlines():
        depth = (len(line) - len(line.lstrip())) // 3
        out.append(unit * depth + line.lstrip())
        if comment and depth:
            out.append(unit * depth + comment)
    return "\r\n".join(out)


@settings(max_examples=40, deadline=None)
@given(devices(), _INDENTS, st.sampled_from(["", "!", "!! for people", "! exit"]))
def test_indentation_and_comments_say_nothing(device: Device, unit: str, comment: str) -> None:
    text = render(make.fabric(device), device).body
    assert is_read(_indented(text, unit, comment)) == is_read(text)


def _blocks(text: str) -> list[str]:
    return [block.strip("\n") for block in text.split("\n!\n")]


@settings(max_examples=40, deadline=None)
@given(devices(), st.randoms())
def test_the_order_of_blocks_says_nothing(device: Device, random: Any) -> None:
    blocks = _blocks(render(make.fabric(device), device).body)
    text = "\n!\n".join(blocks)
    random.shuffle(blocks)
    assert is_read("\n!\n".join(blocks)) == is_read(text)


@settings(max_examples=20, deadline=None)
@given(devices())
def test_a_session_around_it_says_nothing(device: Device) -> None:
    text = render(make.fabric(device), device).body
    assert is_read(f"configure session roce\n{text}\nend\ncommit timer 00:05:00\n") == is_read(text)


@settings(max_examples=20, deadline=None)
@given(devices())
def test_typed_behind_prompts_it_says_the_same(device: Device) -> None:
    text = render(make.fabric(device), device).body
    typed = "\n".join(f"leaf01(config-s-roce)#{line.strip()}" for line in text.splitlines() if line.strip() != "!")
    assert is_read(f"leaf01>enable\nleaf01#show version\n{typed}") == is_read(text)


def test_the_comparison_would_notice() -> None:
    device = fixed()["leaf"]
    text = render(make.fabric(device), device).body
    for old, new in (
        ("timeout 0.20", "timeout 0.30"),
        ("to traffic-class 3", "to traffic-class 4"),
        ("max-mark-probability 5", "max-mark-probability 6"),
        ("bandwidth percent 60", "bandwidth percent 61"),
        ("mtu 9000", "mtu 9001"),
        ("qos trust dscp", "qos trust cos"),
        ("flowcontrol send off", "flowcontrol send on"),
        ("priority 3 no-drop", "priority 3 drop"),
    ):
        assert is_read(text.replace(old, new)) != is_read(text), new
    assert isinstance(make.RDMA.ecn, Ecn)
