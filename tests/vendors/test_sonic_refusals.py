"""What the SONiC writer must not print: each case names what is wrong, and where."""

from __future__ import annotations

from dataclasses import replace

import pytest
from loops import loop
from sonic_factory import (
    CLASSES,
    CNP,
    CURVE,
    RDMA,
    TIMERS,
    G,
    asic,
    box,
    cls,
    device,
    dynamic,
    fabric,
    policy,
    pools,
    ports,
    single,
)

from rocecfg.linting.rendering import render_device as render
from rocecfg.model import Buffers, Device, Ecn, Headroom, Span, TrafficClass, Watchdog
from rocecfg.vendors.base import CannotRender


def classes(**rdma: object) -> tuple[TrafficClass, ...]:
    return (replace(RDMA, **rdma), *CLASSES[1:])  # type: ignore[arg-type]


def dog(**changes: object) -> Device:
    return device(ports("Ethernet0", watchdog=replace(TIMERS, **changes)))  # type: ignore[arg-type]


DEFAULT = Watchdog(None, None, None, None, vendor_default=True)
ROOM = Headroom(1270, 0, 446_024)
MATRIX = {
    "no such release": (device(version="4.2.0-Enterprise"), "names no SONiC branch"),
    "month 13": (device(version="202413"), "names no SONiC branch"),
    "action errdisable": (
        dog(action="errdisable"),
        "cannot express watchdog.action errdisable: PFC_WD knows drop, forward and alert",
    ),
    "no detection time": (dog(detection=None), "no detection_time"),
    "half milliseconds": (
        dog(detection=200.5),
        "cannot express watchdog.detection_time 200.5ms: timers are whole milliseconds",
    ),
    "detection too long": (
        dog(detection=5001),
        "accepts watchdog.detection_time from 100ms to 5000ms, not 5001ms (sonic-pfcwd.yang",
    ),
    "restoration too short": (
        dog(restoration=99, poll=None),
        "accepts watchdog.restoration_time from 100ms to 1min, not 99ms (sonic-pfcwd.yang",
    ),
    "poll above 1 s from 202511": (
        device(ports("Ethernet0", watchdog=Watchdog(2000, 2000, 1500, "drop")), version="202511"),
        "accepts watchdog.poll_interval from 100ms to 1000ms, not 1500ms (sonic-pfcwd.yang",
    ),
    "detection below poll": (
        dog(poll=300),
        "poll_interval 300ms is longer than detection_time 200ms",
    ),
    "two polls": (
        device(ports("Ethernet0"), ports("Ethernet8", watchdog=replace(TIMERS, poll=200))),
        "cannot express watchdog.poll_interval by port (100ms and 200ms): one POLL_INTERVAL holds",
    ),
    "default and own timers": (
        device(ports("Ethernet0"), ports("Ethernet8", watchdog=DEFAULT)),
        "cannot express watchdog by port (vendor-default and own timers): `pfcwd start_default`",
    ),
    "forward on Cisco": (
        device(ports("Ethernet0", watchdog=replace(TIMERS, action="forward")), asic=asic("silicon-one-g100")),
        "cannot express watchdog.action forward: orchagent refuses forward on Cisco's chips",
    ),
    "ecn auto": (
        device(classes=classes(ecn="auto")),
        "is not known to express ecn auto: no profile has thresholds for this chip and speed",
    ),
    "ecn auto in a policy": (
        policy(classes=classes(ecn="auto")),
        "is not known to express ecn auto: no profile has thresholds for this chip and speed",
    ),
    "kmax below kmin": (
        device(classes=classes(ecn=Ecn(2, 1, 5))),
        "kmin 2B is above kmax 1B: marking cannot rise between them",
    ),
    "beyond 2 GiB": (device(classes=classes(ecn=Ecn(1, 2**31, 5))), "2147483647"),
    "by_speed of a policy": (
        policy(classes=classes(ecn_by_speed=((G, Ecn(2, 1, 5)),))),
        "kmin 2B is above kmax 1B on 1G ports: marking cannot rise between them",
    ),
    "half a percent": (device(classes=classes(ecn=Ecn(1, 2, 0.5))), "pmax 0.5%"),
    "no colour": (
        device(classes=classes(ecn=replace(CURVE, colors=()))),
        "cannot express ecn.colors none: a profile that marks no colour marks nothing",
    ),
    "two curves on a queue": (
        device(
            ports("Ethernet0", classes=(*(c.name for c in CLASSES), "bulk")),
            classes=(*CLASSES, cls("bulk", 1, (27,), queue=3, ecn=Ecn(1, 2, 3), bandwidth=60)),
        ),
        "cannot express different ecn on a queue (queue 3: rdma, bulk): a queue has one WRED",
    ),
    "two schedulers on a queue": (
        device(classes=(*CLASSES, cls("bulk", 1, (27,), queue=0, bandwidth=10))),
        "cannot express different bandwidth on a queue (queue 0: default, bulk): a queue has one",
    ),
    "strict and not on a queue": (
        device(classes=(*CLASSES, cls("bulk", 1, (27,), queue=6, bandwidth=10))),
        "cannot express different bandwidth on a queue (queue 6: cnp, bulk): a queue has one",
    ),
    "two queues for a traffic class": (
        device(classes=(*CLASSES, cls("bulk", 0, (27,), queue=1, bandwidth=10))),
        "cannot express different queues of one TC (TC 0: default, bulk): TC_TO_QUEUE_MAP has",
    ),
    "two priority groups for a traffic class": (
        device(classes=(*CLASSES, cls("bulk", 0, (27,), pg=1))),
        "cannot express different priority groups of one TC (TC 0: default, bulk):",
    ),
    "no bandwidth": (device(classes=classes(bandwidth=0)), "accepts bandwidth from 0.5% to 100%, not 0%"),
    "percent of an unknown speed": (
        dynamic(ports("Ethernet0", speed=None), classes=(RDMA, replace(CNP, max_percent=5), *CLASSES[2:])),
        "is not known to express max_rate in percent without the port's speed 5: rates are",
    ),
    "maximum below the guarantee": (
        device(classes=classes(max_rate=8 * G, guaranteed_rate=16 * G)),
        "cannot express max_rate below guaranteed (8G below 16G): pir is at least cir",
    ),
    "rate without a kind": (
        device(classes=classes(bandwidth=None, max_rate=8 * G)),
        "cannot express max_rate without bandwidth (rdma): a scheduler that has a rate and no",
    ),
    "no cable length": (
        device(ports("Ethernet0", cable=None)),
        "is not known to express headroom without the cable's length: without CABLE_LENGTH",
    ),
    "cable too long": (
        device(ports("Ethernet0", cable=301)),
        "has no cable of 301 m at 400G in the headroom table of HwSKU Arista-7060X6-64PE, which",
    ),
    "speed not in the table": (
        device(ports("Ethernet0", speed=200 * G)),
        "has no 200G in the headroom table of HwSKU Arista-7060X6-64PE, which has 100G, 400G,",
    ),
    "no table known": (device(box=None, buffers=Buffers(model="traditional")), "no pg_profile_lookup.ini"),
    "buffer model unknown": (
        device(box=None),
        "is not known to express headroom without a known buffer model: the dynamic and the",
    ),
    "platform without lossless buffers": (
        device(box=box(lossless=False)),
        "ships no lossless headroom for HwSKU Arista-7060X6-64PE of this box: PFC would run",
    ),
    "headroom without xoff": (
        dynamic(ports("Ethernet0", headroom=Headroom(9)), buffers=Buffers(alpha=1)),
        "without xon and xoff",
    ),
    "headroom without alpha": (
        dynamic(ports("Ethernet0", headroom=ROOM)),
        "cannot express headroom without buffers.alpha: a buffer profile with sizes of its own",
    ),
    "headroom in a static pool": (
        device(ports("Ethernet0", headroom=ROOM, alpha=1), box=box(pools=(single(mode="static"),))),
        "cannot express headroom in a static pool: a profile needs a limit in bytes in its",
    ),
    "headroom beside the table's of the same length": (
        device(ports("Ethernet0", cable=3), ports("Ethernet8", cable=5, headroom=ROOM, alpha=1)),
        "cannot express different headroom for one speed and cable (400G, 5 m): buffermgrd has",
    ),
    "beyond the table, and nobody computed it": (
        device(ports("Ethernet0", cable=301)),
        "has no cable of 301 m at 400G in the headroom table of HwSKU Arista-7060X6-64PE, which",
    ),
    "shares of one ingress pool": (
        dynamic(box=box("dynamic", pools=(single(),)), buffers=Buffers(lossless_pool=60)),
        "has one ingress pool for lossless and lossy traffic",
    ),
    "shares before 202405": (
        dynamic(box=box("dynamic", pools=(pools(),)), buffers=Buffers(lossy_pool=60), version="202311"),
        "cannot express buffers.pools: BUFFER_POOL has a percentage from 202405 only",
    ),
    "half a percent of the buffer": (
        dynamic(box=box("dynamic", pools=(pools(),)), buffers=Buffers(lossless_pool=50.5)),
        "cannot express buffers.lossless_pool 50.5%: percentage is a whole number",
    ),
    "more than the buffer": (
        dynamic(box=box("dynamic", pools=(pools(),)), buffers=Buffers(lossless_pool=60, lossy_pool=50)),
        "accepts buffers.pools together up to 100%, not 110%",
    ),
    "nothing left for lossy traffic": (
        device(box=box(pools=(pools(),)), buffers=Buffers(lossless_pool=100)),
        "accepts buffers.lossless_pool alone up to 99%, not 100%",
    ),
    "shared headroom off and oversubscribed": (
        dynamic(buffers=Buffers(shared_headroom=0, oversubscribe=2)),
        "cannot express buffers.oversubscribe beside shared_headroom off: a ratio above 0 turns",
    ),
    "alpha that is not a power of two": (
        dynamic(buffers=Buffers(alpha=0.3)),
        "cannot express buffers.alpha 0.3: dynamic_th is the n of alpha = 2^n, from -8 to 7",
    ),
    "alpha beyond 128": (dynamic(buffers=Buffers(alpha=256)), "accepts buffers.alpha from 0.003906 to 128, not 256"),
    "two headrooms for one length": (
        device(
            ports("Ethernet0", headroom=ROOM),
            ports("Ethernet8", headroom=replace(ROOM, xoff=1)),
            buffers=Buffers(alpha=1),
        ),
        "cannot express different headroom for one speed and cable (400G, 3 m): buffermgrd has",
    ),
    "half an oversubscription": (dynamic(buffers=Buffers(oversubscribe=1.5)), "oversubscribe 1.5"),
    "lossless mtu": (
        dynamic(buffers=Buffers(lossless_mtu=9217)),
        "accepts buffers.lossless_mtu from 1B to 9KiB, not 9217B",
    ),
    "small packets": (dynamic(buffers=Buffers(small_packets=50.5)), "small_packets 50.5%"),
    "pause for all": (
        device(ports("Ethernet0", flowcontrol="rx")),
        "cannot express flowcontrol rx: CONFIG_DB has no 802.3x pause",
    ),
    "another queue than priority": (
        device(classes=classes(queue=4)),
        "cannot express queue of a lossless class (4 for priority 3): the PFC watchdog and",
    ),
    "another priority group": (
        device(classes=classes(pg=4)),
        "cannot express pg of a lossless class (4 for priority 3): the PFC watchdog and buffermgrd",
    ),
    "VOQ": (device(switch_type="voq"), "VOQ switch"),
    "a key that breaks out": (device(ports('Ethernet0": {}, "x')), "cannot be a port's key"),
    "a port that is two": (device(ports("Ethernet0|3")), "cannot be a port's key"),
}


@loop("case", MATRIX)
def test_refused(case: str) -> None:
    dev, words = MATRIX[case]
    with pytest.raises(CannotRender) as caught:
        render(fabric(dev), dev)
    assert words in caught.value.message


def test_the_place_is_told() -> None:
    here = Span(0, 7, 9)
    dev = device(classes=(replace(RDMA, ecn="auto", origins={"ecn": here}), *CLASSES[1:]))
    with pytest.raises(CannotRender) as caught:
        render(fabric(dev), dev)
    assert caught.value.at[0] == here
    assert "kmin" in caught.value.help


@pytest.mark.parametrize(
    "dev",
    [
        device(ports("Ethernet0", watchdog=Watchdog(3000, 3000, 3000, "drop")), version="202505"),
        device(ports("Ethernet0", watchdog=replace(TIMERS, action="forward"))),
        device(ports("Ethernet0", cable=300)),
        dynamic(buffers=Buffers(alpha=128)),
        dynamic(buffers=Buffers(alpha=1 / 256)),
        dynamic(ports("Ethernet0", cable=2000, speed=None)),
        device(ports("Ethernet0", watchdog=None), ports("Ethernet8", watchdog=DEFAULT)),
    ],
)
def test_just_inside_is_rendered(dev: Device) -> None:
    assert render(fabric(dev), dev).body.startswith("{")
