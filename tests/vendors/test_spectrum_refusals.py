"""What the NVUE writer must not print: each with the words that name it, a fix and a place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import spectrum_devices as make
from loops import loop
from spectrum_short import changed, one_port, only, rendered

from rocecfg.model import AUTO, Buffers, Device, Ecn, Headroom, Span, TrafficClass, Watchdog
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.spectrum.writer import render

VENDOR_DEFAULT = Watchdog(None, None, None, None, vendor_default=True)


def with_rdma(**values: Any) -> tuple[TrafficClass, ...]:
    """All classes, rdma changed."""
    return make.with_rest(replace(make.RDMA, **values), *make.CLASSES[1:])


def named(*names: str) -> Device:
    """A device whose ports have these names."""
    return make.device(groups=(make.ports("x", list(names)),))


def two_groups(first: Watchdog | None, second: Watchdog | None) -> Device:
    return make.device(groups=(replace(make.HOSTS, watchdog=first), replace(make.UPLINKS, watchdog=second)))


REFUSED: dict[str, tuple[Callable[[], Device], str]] = {
    "ecn auto": (
        lambda: changed("rdma", ecn=AUTO),
        "ecn of class rdma is auto, and no profile gives a value .* at 400G",
    ),
    "ecn weight": (
        lambda: changed("rdma", ecn=replace(make.CURVE, weight=4)),
        "ecn of class rdma averages with weight 4",
    ),
    "ecn colours": (lambda: changed("rdma", ecn=replace(make.CURVE, colors=("green",))), "marks only green"),
    "ecn pmax 0.5": (lambda: changed("rdma", ecn=replace(make.CURVE, pmax=0.5)), "has pmax 0.5 %"),
    "ecn pmax 0": (lambda: changed("rdma", ecn=replace(make.CURVE, pmax=0)), "has pmax 0 %"),
    "ecn kmin 0": (lambda: changed("rdma", ecn=replace(make.CURVE, kmin=0)), "has kmin 0 B"),
    "ecn backwards": (lambda: changed("rdma", ecn=Ecn(2000, 1000, 5)), "kmin 2000 B above kmax 1000 B"),
    "ecn by unknown speed": (
        lambda: make.policy(with_rdma(ecn=None, ecn_by_speed=((make.G, make.CURVE),))),
        "stated by port speed",
    ),
    "two curves a queue": (
        lambda: only(
            *make.CLASSES[:3],
            replace(make.STORAGE, queue=0, bandwidth=20, ecn=make.CURVE),
            replace(make.CLASSES[4], ecn=make.FAST),
        ),
        "share queue 0 but not their ECN curve",
    ),
    "watchdog action": (lambda: one_port(watchdog=replace(make.WATCHDOG, action="forward")), "watchdog action forward"),
    "watchdog leaves one out": (
        lambda: one_port(watchdog=replace(make.WATCHDOG, priorities=(4,))),
        "leaves out lossless priority 3",
    ),
    "poll too fast": (
        lambda: one_port(watchdog=replace(make.WATCHDOG, poll=50)),
        "poll_interval 50ms.* from 100 to 5000",
    ),
    "poll too slow": (lambda: one_port(watchdog=replace(make.WATCHDOG, poll=6000)), "poll_interval 6000ms"),
    "too many polls": (lambda: one_port(watchdog=replace(make.WATCHDOG, detection=200_000)), "2000 polls"),
    "two timers": (lambda: two_groups(make.WATCHDOG, replace(make.WATCHDOG, detection=400)), r"2 x 100ms, 4 x 100ms"),
    "timers and vendor's own": (lambda: two_groups(make.WATCHDOG, VENDOR_DEFAULT), "the vendor's own"),
    "cable in km": (lambda: one_port(cable=120_000), "cable of 120000 m"),
    "headroom too small": (lambda: one_port(headroom=Headroom(1000, 100, 1000)), "leaves nothing of size 1KB"),
    "headroom xon above": (lambda: one_port(headroom=Headroom(300_000, 60_000, 250_000)), "would end at xon 60000 B"),
    "headroom xon alone": (lambda: one_port(headroom=Headroom(300_000, 60_000)), "xon is stated without xoff"),
    "headroom SONiC's way": (lambda: one_port(headroom=Headroom(300_000, 50_000, 250_000)), "NVUE wants that lower"),
    "DSCP unclaimed": (
        lambda: only(*(replace(c, rest=False, dscps=(0,)) if c.rest else c for c in make.CLASSES)),
        "DSCP 1-17,19",
    ),
    "DSCP twice": (lambda: changed("storage", dscps=(18, 26)), "DSCP 26 is in classes rdma and storage"),
    "one priority, two queues": (lambda: changed("storage", priority=0), "share priority 0 but differ in queue"),
    "one priority, half lossless": (
        lambda: changed("storage", priority=3, queue=3),
        "share priority 3 but differ in lossless",
    ),
    "lossy in the lossless queue": (
        lambda: changed("storage", queue=3, bandwidth=60),
        "rdma and class storage share queue 3",
    ),
    "all lossless": (lambda: only(replace(make.RDMA, dscps=tuple(range(64)))), "no lossy class"),
    "PFC on a lossy priority": (
        lambda: one_port(pfc=(2, 3)),
        "PFC is on for priority 2, which belongs to class storage",
    ),
    "PFC on no class": (lambda: one_port(pfc=(3, 5)), "priority 5, which belongs to no class"),
    "shares over 100": (lambda: changed("rdma", bandwidth=70), "sums to 110 %"),
    "share of half a percent": (lambda: changed("rdma", bandwidth=59.5), "bandwidth 59.5 of class rdma"),
    "share 0": (lambda: changed("storage", bandwidth=0), "bandwidth 0 of class storage"),
    "one without share": (lambda: changed("storage", bandwidth=None), "class storage states no bandwidth"),
    "strict and not": (
        lambda: changed("storage", queue=6, bandwidth=20),
        "cnp and storage share queue 6 but not the bandwidth",
    ),
    "rate of one class of two in a queue": (
        lambda: only(*make.CLASSES[:3], replace(make.STORAGE, queue=0, max_rate=make.G), make.CLASSES[4]),
        "storage and default share queue 0 but not their rates",
    ),
    "rate beyond range": (
        lambda: changed("cnp", max_rate=3_000_000 * make.G),
        "NVUE shapes from 1 to 2147483647 kbit/s",
    ),
    "percent of no speed": (
        lambda: replace(changed("cnp", max_percent=5), ports=(replace(one_port().ports[0], speed=None),)),
        "speed of ports swp1",
    ),
    "rate in a policy": (lambda: make.policy(with_rdma(max_rate=make.G)), "need ports"),
    "pools over 100": (lambda: make.plain_leaf(buffers=Buffers(lossless_pool=60, lossy_pool=50)), "60 % and 50 %"),
    "pool of half a percent": (lambda: make.plain_leaf(buffers=Buffers(lossless_pool=62.5)), "62.5 %"),
    "no lossy pool": (lambda: make.plain_leaf(buffers=Buffers(lossless_pool=100)), "lossy pool of 0 %"),
    "alpha between": (lambda: make.plain_leaf(buffers=Buffers(alpha=3)), "alpha 3: NVUE knows"),
    "802.3x": (lambda: one_port(flowcontrol="on"), "802.3x pause on ports swp1"),
    "SONiC's port name": (lambda: named("Ethernet0"), "Ethernet0 is no front-panel port"),
    "padded port name": (lambda: named("swp01"), "swp01 is no front-panel port"),
    "port with a line break": (lambda: named("swp1\nnv unset qos"), "no front-panel port"),
    "only eth0": (lambda: make.device(groups=(make.ports("eth0", ["eth0"], (make.CONTROL,)),)), "no front-panel port"),
    "bond of two minds": (
        lambda: make.leaf(
            ports=(make.HOSTS, replace(make.UPLINKS, lag="bond1"), replace(make.STORAGE_PORTS, lag="bond1"))
        ),
        "ports of bond bond1 differ",
    ),
    "bond of a bad name": (lambda: one_port(lag="1;reboot"), "no name of a bond"),
    "no release": (lambda: make.plain_leaf(version="latest"), "'latest' is no release"),
}


@loop("what", REFUSED)
def test_refused(what: str) -> None:
    build, words = REFUSED[what]
    device = build()
    with pytest.raises(CannotRender, match=words) as refusal:
        rendered(device)
    assert refusal.value.help
    assert refusal.value.at
    with pytest.raises(CannotRender, match=words):
        rendered(device, "commands")


def test_lossy_fabric_with_a_lossless_class_is_refused() -> None:
    with pytest.raises(CannotRender, match=r"fabric\.mode is lossy, but class rdma is lossless"):
        rendered(make.plain_leaf(), mode="lossy")


def test_the_place_of_a_refusal_is_where_it_was_said() -> None:
    place = Span(0, 10, 14)
    with pytest.raises(CannotRender) as refusal:
        rendered(one_port(watchdog=replace(make.WATCHDOG, action="alert", origins={"action": place})))
    assert refusal.value.at[0] == place


def test_unknown_form_and_running_configuration_are_refused() -> None:
    device = make.plain_leaf()
    fabric = make.fabric(device)
    with pytest.raises(CannotRender, match="no form 'patch'"):
        render(fabric, device, form="patch")
    with pytest.raises(CannotRender, match="no running configuration"):
        render(fabric, device, running="startup.yaml")
