"""Whatever a device wants, the text reads back as just that: a second, independent reader does what a switch would."""

from __future__ import annotations

import arista_factory as make
from arista_devices import devices, family_of
from arista_lines import lines_of, no_drop, profile_of, read, watchdog_times
from hypothesis import given, settings

from rocecfg.linting.rendering import render_device as render
from rocecfg.model import Device, Ecn, PortGroup, TrafficClass

ACTIONS = {"drop": "drop", "alert": "notify-only", "errdisable": "errdisable"}


@settings(max_examples=60, deadline=None)
@given(devices())
def test_the_text_says_what_the_model_says(device: Device) -> None:
    switch = read(render(make.fabric(device), device).body)
    assert switch.tc_of == dict(enumerate(device.maps.dscp_to_tc))
    assert switch.queue_of == {tc: q for tc, q in enumerate(device.maps.tc_to_queue) if tc != 7}
    assert sorted(switch.interfaces) == sorted(name for port in device.ports for name in port.names)
    for port in device.ports:
        for name in port.names:
            profile = profile_of(switch, name)
            assert no_drop(profile) == port.pfc
            assert watchdog_times(switch, profile) == _times(device, port)
            assert {n: sorted(q) for n, q in profile["queues"].items()} == {
                c.queue: sorted(_queue_lines(device, port, c)) for c in device.classes
            }


def _times(device: Device, port: PortGroup) -> dict[str, str]:
    if not port.pfc or port.watchdog is None:
        return {}
    action = port.watchdog.action
    if port.watchdog.vendor_default:
        # the action of EOS itself is errdisable: to say it for other ports changes nothing here
        other = {p.watchdog.action for p in device.ports if p.pfc and p.watchdog}
        return {"action": "errdisable"} if "errdisable" in other else {}
    assert action is not None
    times = {
        "timeout": _seconds(port.watchdog.detection),
        "recovery-time": _seconds(port.watchdog.restoration),
        "polling-interval": _seconds(port.watchdog.poll),
    }
    return times | {"action": ACTIONS[action]}


def _seconds(ms: float | None) -> str:
    assert ms is not None
    assert ms == int(ms)
    whole, thousandths = divmod(int(ms), 1000)
    return f"{whole}.{thousandths:03d}".removesuffix("0")


def _queue_lines(device: Device, port: PortGroup, cls: TrafficClass) -> list[str]:
    lines = ["priority strict"] if cls.strict else ["no priority", f"bandwidth percent {cls.bandwidth}"]
    if cls.guaranteed_percent:
        lines.append(f"bandwidth guaranteed percent {cls.guaranteed_percent}")
    elif cls.priority in port.pfc and port.watchdog:
        lines.append("bandwidth guaranteed 100")
    if cls.max_percent:
        lines.append(f"shape rate {cls.max_percent} percent")
    if cls.name not in port.classes or not isinstance(cls.ecn, Ecn):
        return [*lines, "no random-detect ecn"]
    lines.append(
        f"random-detect ecn minimum-threshold {cls.ecn.kmin} bytes maximum-threshold {cls.ecn.kmax} bytes "
        f"max-mark-probability {cls.ecn.pmax} weight {cls.ecn.weight}"
    )
    if family_of(device) == "sand" or device.version not in (None, "4.30.3M"):
        lines.append("random-detect ecn count")
    return lines


@settings(max_examples=20, deadline=None)
@given(devices())
def test_no_line_stands_twice_in_one_place(device: Device) -> None:
    found = lines_of(render(make.fabric(device), device).body)
    assert len(found) == len(set(found))
