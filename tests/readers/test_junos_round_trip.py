"""What the writer says of a device, the reader makes of it again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from junos_text import INTENTS, device, findings, intent, loaded, rendered
from loops import loop
from same_model import differences, facts

from rocecfg.model import Device, EcnPercent
from rocecfg.physics.watchdog import effective_time

ASPECTS = ("pfc", "watchdog", "chain", "shares", "trust", "mtu", "flowcontrol", "cable")


def meant(of: Device) -> dict[str, Any]:
    """What a device does, the detection time in whole polls."""
    out = facts(of)
    for port in out.values():
        dog = port["watchdog"]
        if isinstance(dog, tuple):
            port["watchdog"] = (effective_time(dog[0], dog[2]), *dog[1:])
    return out


def curves(of: Device) -> dict[str, Any]:
    """The marking curves by port and queue."""
    return {
        name: {
            cls.queue: (float(curve.kmin), float(curve.kmax), curve.pmax)
            for cls in of.classes_on(port)
            if isinstance(curve := cls.ecn_at(port.speed), EcnPercent)
        }
        for port in of.ports
        for name in port.names
    }


def shapers(of: Device) -> dict[int, Any]:
    """The shaper of each queue, as a rate or as a share."""
    return {cls.queue: (cls.max_rate, cls.max_percent) for cls in of.classes}


NAMED = [name for name in INTENTS if name not in ("policy", "lag")]


@loop("form", ["curly", "set"])
@loop("name", NAMED)
def test_an_intent_is_read_back(name: str, form: str, tmp_path: Path) -> None:
    of = intent(INTENTS[name], tmp_path).devices[0]
    back = device(rendered(INTENTS[name], tmp_path, form))
    one, other = meant(of), facts(back)
    assert one.keys() == other.keys()
    for port, stated in one.items():
        for aspect in ASPECTS:
            if aspect == "mtu":
                stated[aspect] = stated[aspect] or of.mtu
            if aspect == "watchdog" and stated[aspect] == "vendor-default":
                assert other[port][aspect] in ("vendor-default", None)
            elif aspect == "chain":
                assert stated["trust"] != "dscp" or _ways(stated[aspect]) == _ways(other[port][aspect]), (port, aspect)
            else:
                assert stated[aspect] == other[port][aspect], (port, aspect)
    assert curves(of) == curves(back)
    assert shapers(of) == shapers(back)
    assert (back.buffers.alpha, back.buffers.lossless_pool, back.buffers.lossy_pool, back.buffers.lossless_mtu) == (
        *(of.buffers.alpha, of.buffers.lossless_pool, of.buffers.lossy_pool, of.buffers.lossless_mtu),
    )


def _ways(chain: Any) -> Any:
    """Queue and PFC priority of each code point. Those that no class claims Junos makes best effort."""
    ways = [(0, None) if way is None else way for way in chain]
    return [(queue, paused[1] if paused is not None else None) for queue, paused in ways]


@loop("name", NAMED)
def test_nothing_is_found_in_what_is_rendered(name: str, tmp_path: Path) -> None:
    """But for what the intent itself asks for."""
    text = rendered(INTENTS[name], tmp_path)
    assert loaded(text).unread == ()
    asked = {"no watchdog": {"watchdog-missing"}, "partial": {"mix-map-total"}, "tagged": {"mix-trust"}}.get(
        name, set()
    )
    found = {one.rule.name for one in findings(text) if one.severity == "error"}
    assert found - asked == set()


def test_a_policy_is_for_every_port(tmp_path: Path) -> None:
    (port,) = device(rendered(INTENTS["policy"], tmp_path)).ports
    assert port.implied
    assert port.pfc == (3,)


def test_a_lag_has_it_for_its_ports(tmp_path: Path) -> None:
    text = rendered(INTENTS["lag"], tmp_path)
    members = "".join(
        f"    et-0/0/{n} {{\n        ether-options {{\n            802.3ad ae1;\n        }}\n    }}\n" for n in (2, 3)
    )
    text = text.replace("interfaces {\n", f"interfaces {{\n{members}", 1)
    back = facts(device(text))
    for name in ("et-0/0/2", "et-0/0/3"):
        assert back[name]["pfc"] == (3,)
        assert back[name]["mtu"] == 9000
        assert back[name]["cable"] == 30


@settings(max_examples=40, deadline=None)
@given(
    queue=st.sampled_from([1, 2, 3, 4, 5]),
    priority=st.sampled_from([1, 2, 3, 4, 5]),
    dscp=st.sampled_from([8, 24, 26, 34, 46]),
    share=st.integers(1, 99),
    low=st.integers(1, 98),
    poll=st.sampled_from([50, 100, 200]),
    cable=st.sampled_from(["1m", "2.5m", "30m", "500m"]),
)
def test_random_numbers_are_read_back(
    queue: int,
    priority: int,
    dscp: int,
    share: int,
    low: int,
    poll: int,
    cable: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    text = (
        INTENTS["leaf"]
        .replace("dscp: 26, priority: 3,", f"dscp: {dscp}, priority: {priority}, queue: {queue},")
        .replace("bandwidth: 40", f"bandwidth: {100 - share}.0")
        .replace("bandwidth: 60", f"bandwidth: {share}")
        .replace("kmin: 55%, kmax: 90%", f"kmin: {low}%, kmax: {low + 1}%")
        .replace("poll_interval: 100ms", f"poll_interval: {poll}ms")
        .replace("3m}", f"{cable}}}")
    )
    folder = tmp_path_factory.mktemp("random")
    of, back = intent(text, folder).devices[0], device(rendered(text, folder, "set"))
    (one,) = (cls for cls in back.classes if cls.lossless)
    assert (one.queue, one.priority, one.dscps, one.bandwidth) == (queue, priority, (dscp,), share)
    assert curves(of) == curves(back)
    assert differences(of, back, ("pfc", "shares", "trust")) == []
