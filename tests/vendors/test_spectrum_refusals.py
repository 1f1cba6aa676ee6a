"""What the NVUE writer must not print: each with the words that name it, a fix and a place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import spectrum_devices as make
from loops import loop
from spectrum_short import changed, one_port, only, rendered

from rocecfg.linting.rendering import render_device as render
from rocecfg.model import AUTO, Buffers, Device, Ecn, Headroom, Span, TrafficClass, Watchdog
from rocecfg.vendors.base import CannotRender

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
        "is not known to express ecn auto: no profile has thresholds for this chip and speed",
    ),
    "ecn weight": (
        lambda: changed("rdma", ecn=replace(make.CURVE, weight=4)),
        "cannot express ecn.weight 4: NVUE has no averaging weight, marking uses the",
    ),
    "ecn colours": (
        lambda: changed("rdma", ecn=replace(make.CURVE, colors=("green",))),
        "cannot express ecn.colors green: ECN cannot be limited to some colours, every packet of",
    ),
    "ecn pmax 0.5": (
        lambda: changed("rdma", ecn=replace(make.CURVE, pmax=0.5)),
        "cannot express ecn.pmax 0.5%: the marking probability is a whole percentage",
    ),
    "ecn kmin 0": (lambda: changed("rdma", ecn=replace(make.CURVE, kmin=0)), "accepts ecn.kmin from 1B on, not 0B"),
    "ecn backwards": (
        lambda: changed("rdma", ecn=Ecn(2000, 1000, 5)),
        "kmin 2KB is above kmax 1KB: marking cannot rise between them",
    ),
    "ecn by unknown speed": (
        lambda: make.policy(with_rdma(ecn=None, ecn_by_speed=((make.G, make.CURVE),))),
        "is not known to express ecn by the speed of ports of all ports: curves are stated or",
    ),
    "two curves a queue": (
        lambda: only(
            *make.CLASSES[:3],
            replace(make.STORAGE, queue=0, bandwidth=20, ecn=make.CURVE),
            replace(make.CLASSES[4], ecn=make.FAST),
        ),
        "cannot express different ecn on a queue (queue 0: storage, default): a queue marks by",
    ),
    "watchdog action": (
        lambda: one_port(watchdog=replace(make.WATCHDOG, action="forward")),
        "cannot express watchdog.action forward: the watchdog always drops, and has no other",
    ),
    "watchdog leaves one out": (
        lambda: one_port(watchdog=replace(make.WATCHDOG, priorities=(4,))),
        "cannot express watchdog.priorities 4: the watchdog watches all lossless priorities of a",
    ),
    "poll too fast": (
        lambda: one_port(watchdog=replace(make.WATCHDOG, poll=50)),
        "accepts watchdog.poll_interval from 100ms to 5000ms, not 50ms (NVUE qos pfc-watchdog",
    ),
    "poll too slow": (
        lambda: one_port(watchdog=replace(make.WATCHDOG, poll=6000)),
        "accepts watchdog.poll_interval from 100ms to 5000ms, not 6000ms (NVUE qos pfc-watchdog",
    ),
    "too many polls": (
        lambda: one_port(watchdog=replace(make.WATCHDOG, detection=200_000)),
        "accepts watchdog.robustness from 1 to 1000, not 2000",
    ),
    "two timers": (
        lambda: two_groups(make.WATCHDOG, replace(make.WATCHDOG, detection=400)),
        "cannot express watchdog.robustness by port (2 and 4): one number of polls (detection_time",
    ),
    "timers and vendor's own": (
        lambda: two_groups(make.WATCHDOG, VENDOR_DEFAULT),
        "cannot express watchdog by port (vendor-default and own timers): one pair of timers holds",
    ),
    "cable in km": (
        lambda: one_port(cable=120_000),
        "accepts cable up to 100000m, not 120000m (NVUE qos pfc cable-length 1-100000 m, rounded",
    ),
    "headroom too small": (
        lambda: one_port(headroom=Headroom(1000, 100, 1000)),
        "accepts headroom.size - xoff from 1B on, not 0B",
    ),
    "headroom xon above": (
        lambda: one_port(headroom=Headroom(300_000, 60_000, 250_000)),
        "accepts headroom.size - xoff - xon from 1B on, not -10000B",
    ),
    "headroom xon alone": (
        lambda: one_port(headroom=Headroom(300_000, 60_000)),
        "is not known to express headroom.xon without xoff: xon-threshold is counted from",
    ),
    "headroom SONiC's way": (
        lambda: one_port(headroom=Headroom(300_000, 50_000, 250_000)),
        "accepts headroom.size - xoff - xon from 1B on, not 0B",
    ),
    "DSCP unclaimed": (
        lambda: only(*(replace(c, rest=False, dscps=(0,)) if c.rest else c for c in make.CLASSES)),
        "is not known to express classes for part of the code points: `qos roce` keeps its own",
    ),
    "DSCP twice": (
        lambda: changed("storage", dscps=(18, 26)),
        "classes rdma and storage both claim DSCP 26: a switch keeps one, here storage's TC 2,",
    ),
    "one priority, two queues": (
        lambda: changed("storage", priority=0),
        "cannot express different queues of one priority (priority 0: storage, default):",
    ),
    "one priority, half lossless": (
        lambda: changed("storage", priority=3, queue=3),
        "cannot express different bandwidth on a queue (queue 3: rdma, storage): a queue is",
    ),
    "lossy in the lossless queue": (
        lambda: changed("storage", queue=3, bandwidth=60),
        "cannot express lossless and lossy classes on a queue (queue 3: rdma, storage): a queue",
    ),
    "all lossless": (
        lambda: only(replace(make.RDMA, dscps=tuple(range(64)))),
        "cannot express lossless classes alone: what no class claims needs a lossy one to go to",
    ),
    "shares over 100": (
        lambda: changed("rdma", bandwidth=70),
        "shares sum to 110%, not 100%: rdma 70% + storage 20% + default 20%; each gets less than",
    ),
    "share of half a percent": (
        lambda: changed("rdma", bandwidth=59.5),
        "cannot express bandwidth 59.5%: bw-percent is a whole percentage",
    ),
    "share 0": (lambda: changed("storage", bandwidth=0), "accepts bandwidth from 1% to 100%, not 0%"),
    "one without share": (
        lambda: changed("storage", bandwidth=None),
        "cannot express bandwidth for part of the queues (storage has none): a DWRR queue",
    ),
    "strict and not": (
        lambda: changed("storage", queue=6, bandwidth=20),
        "cannot express different bandwidth on a queue (queue 6: cnp, storage): a queue is",
    ),
    "rate of one class of two in a queue": (
        lambda: only(*make.CLASSES[:3], replace(make.STORAGE, queue=0, max_rate=make.G), make.CLASSES[4]),
        "cannot express max_rate for part of a queue (queue 0: storage, default): a queue is",
    ),
    "rate beyond range": (
        lambda: changed("cnp", max_rate=3_000_000 * make.G),
        "accepts max_rate from 1K to 2147.483647G, not 3000T",
    ),
    "percent of no speed": (
        lambda: replace(changed("cnp", max_percent=5), ports=(replace(one_port().ports[0], speed=None),)),
        "is not known to express max_rate in percent without the port's speed 5: rates are",
    ),
    "rate in a policy": (
        lambda: make.policy(with_rdma(max_rate=make.G)),
        "is not known to express rates without ports: a shaper is bound to interfaces, and none",
    ),
    "pools over 100": (
        lambda: make.plain_leaf(buffers=Buffers(lossless_pool=60, lossy_pool=50)),
        "accepts buffers.pools together up to 100%, not 110%",
    ),
    "pool of half a percent": (
        lambda: make.plain_leaf(buffers=Buffers(lossless_pool=62.5)),
        "cannot express buffers.lossless_pool 62.5%: memory-percent is a whole percentage",
    ),
    "no lossy pool": (
        lambda: make.plain_leaf(buffers=Buffers(lossless_pool=100)),
        "accepts buffers.lossless_pool alone up to 99%, not 100%",
    ),
    "alpha between": (
        lambda: make.plain_leaf(buffers=Buffers(alpha=3)),
        "cannot express buffers.alpha 3: alpha is one of 1/128, 1/64 to 1/2, 1, 2 to 64",
    ),
    "802.3x": (
        lambda: one_port(flowcontrol="on"),
        "cannot express flowcontrol on: a port has link pause or PFC, and RoCE turns PFC on for",
    ),
    "SONiC's port name": (lambda: named("Ethernet0"), "Ethernet0 is not a front-panel port"),
    "padded port name": (lambda: named("swp01"), "swp01 is not a front-panel port"),
    "port with a line break": (lambda: named("swp1\nnv unset qos"), "not a front-panel port"),
    "only eth0": (lambda: make.device(groups=(make.ports("eth0", ["eth0"], (make.CONTROL,)),)), "no front-panel port"),
    "bond of two minds": (
        lambda: make.leaf(
            ports=(make.HOSTS, replace(make.UPLINKS, lag="bond1"), replace(make.STORAGE_PORTS, lag="bond1"))
        ),
        "cannot express different settings on ports of a LAG",
    ),
    "bond of a bad name": (
        lambda: one_port(lag="1;reboot"),
        "cannot express lag, which is not a Linux interface name, 1;reboot: a bond is a Linux",
    ),
    "no release": (lambda: make.plain_leaf(version="latest"), "'latest' is not a release"),
}


@loop("what", REFUSED)
def test_refused(what: str) -> None:
    build, words = REFUSED[what]
    device = build()
    with pytest.raises(CannotRender) as refusal:
        rendered(device)
    assert words in refusal.value.message
    assert refusal.value.help
    assert refusal.value.at


def test_lossy_fabric_with_a_lossless_class_is_refused() -> None:
    with pytest.raises(CannotRender, match="a lossless class in a lossy fabric"):
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
    with pytest.raises(CannotRender, match="needs no running configuration"):
        render(fabric, device, running="startup.yaml")
