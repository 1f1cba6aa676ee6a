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
    lossy,
    maps,
    policy,
    pools,
    ports,
    single,
)

from rocecfg.model import Buffers, Device, Ecn, Headroom, Span, TrafficClass, Watchdog
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.sonic.writer import render


def classes(**rdma: object) -> tuple[TrafficClass, ...]:
    return (replace(RDMA, **rdma), *CLASSES[1:])  # type: ignore[arg-type]


def dog(**changes: object) -> Device:
    return device(ports("Ethernet0", watchdog=replace(TIMERS, **changes)))  # type: ignore[arg-type]


DEFAULT = Watchdog(None, None, None, None, vendor_default=True)
ROOM = Headroom(1270, 0, 446_024)
MATRIX = {
    "no such release": (device(version="4.2.0-Enterprise"), "names no SONiC branch"),
    "month 13": (device(version="202413"), "names no SONiC branch"),
    "action errdisable": (dog(action="errdisable"), "errdisable cannot be said"),
    "no detection time": (dog(detection=None), "no detection_time"),
    "half milliseconds": (dog(detection=200.5), "not whole milliseconds"),
    "detection too long": (dog(detection=5001), "from 100 to 5000 ms"),
    "restoration too short": (dog(restoration=99, poll=None), "from 100 to 60000 ms"),
    "poll above 1 s from 202511": (
        device(ports("Ethernet0", watchdog=Watchdog(2000, 2000, 1500, "drop")), version="202511"),
        "from 100 to 1000 ms",
    ),
    "detection below poll": (dog(poll=300), "below the poll interval"),
    "two polls": (
        device(ports("Ethernet0"), ports("Ethernet8", watchdog=replace(TIMERS, poll=200))),
        "poll_interval is 100ms on some ports and 200ms on others",
    ),
    "default and own timers": (
        device(ports("Ethernet0"), ports("Ethernet8", watchdog=DEFAULT)),
        "vendor-default on some ports",
    ),
    "forward on Cisco": (
        device(ports("Ethernet0", watchdog=replace(TIMERS, action="forward")), asic=asic("silicon-one-g100")),
        "refused on cisco-8000",
    ),
    "ecn auto": (device(classes=classes(ecn="auto")), "class rdma: ecn is auto"),
    "ecn auto in a policy": (policy(classes=classes(ecn="auto")), "class rdma: ecn is auto"),
    "kmax below kmin": (device(classes=classes(ecn=Ecn(2, 1, 5))), "kmin 2 B, kmax 1 B"),
    "beyond 2 GiB": (device(classes=classes(ecn=Ecn(1, 2**31, 5))), "2147483647"),
    "by_speed of a policy": (policy(classes=classes(ecn_by_speed=((G, Ecn(2, 1, 5)),))), "kmin 2 B"),
    "half a percent": (device(classes=classes(ecn=Ecn(1, 2, 0.5))), "pmax 0.5%"),
    "no colour": (device(classes=classes(ecn=replace(CURVE, colors=()))), "ecn colors none"),
    "two curves on a queue": (
        device(
            ports("Ethernet0", classes=(*(c.name for c in CLASSES), "bulk")),
            classes=(*CLASSES, cls("bulk", 1, (27,), queue=3, ecn=Ecn(1, 2, 3), bandwidth=60)),
        ),
        "share queue 3 but not their ECN",
    ),
    "two schedulers on a queue": (
        device(classes=(*CLASSES, cls("bulk", 1, (27,), queue=0, bandwidth=10))),
        "share queue 0 but want different schedulers",
    ),
    "strict and not on a queue": (
        device(classes=(*CLASSES, cls("bulk", 1, (27,), queue=6, bandwidth=10))),
        "share queue 6 but want different schedulers",
    ),
    "two queues for a traffic class": (
        device(classes=(*CLASSES, cls("bulk", 0, (27,), queue=1, bandwidth=10))),
        "traffic class 0 is mapped to queue 1, and class default wants queue 0",
    ),
    "two priority groups for a traffic class": (
        device(classes=(*CLASSES, cls("bulk", 0, (27,), pg=1))),
        "traffic class 0 is mapped to priority group 1",
    ),
    "no bandwidth": (device(classes=classes(bandwidth=0)), "weight 0, outside 1..100"),
    "percent of an unknown speed": (
        dynamic(ports("Ethernet0", speed=None), classes=(RDMA, replace(CNP, max_percent=5), *CLASSES[2:])),
        "5% of a port whose speed is not stated",
    ),
    "maximum below the guarantee": (
        device(classes=classes(max_rate=8 * G, guaranteed_rate=16 * G)),
        "max_rate 1000000000 B/s is below the guaranteed rate 2000000000 B/s",
    ),
    "rate without a kind": (device(classes=classes(bandwidth=None, max_rate=8 * G)), "a rate without a bandwidth"),
    "no cable length": (device(ports("Ethernet0", cable=None)), "cable length is not stated"),
    "cable too long": (device(ports("Ethernet0", cable=301)), "longer than any that pg_profile_lookup.ini lists"),
    "speed not in the table": (device(ports("Ethernet0", speed=200 * G)), "no row for 200G"),
    "no table known": (device(box=None, buffers=Buffers(model="traditional")), "no pg_profile_lookup.ini"),
    "buffer model unknown": (device(box=None), "buffer model of the switch is unknown"),
    "platform without lossless buffers": (device(box=box(lossless=False)), "ships no lossless buffers"),
    "headroom without xoff": (
        dynamic(ports("Ethernet0", headroom=Headroom(9)), buffers=Buffers(alpha=1)),
        "without xon and xoff",
    ),
    "headroom without alpha": (dynamic(ports("Ethernet0", headroom=ROOM)), "needs buffers.alpha, which is not known"),
    "headroom in a static pool": (
        device(ports("Ethernet0", headroom=ROOM, alpha=1), box=box(pools=(single(mode="static"),))),
        "the lossless pool of Arista-7060X6-64PE is static",
    ),
    "headroom beside the table's of the same length": (
        device(ports("Ethernet0", cable=3), ports("Ethernet8", cable=5, headroom=ROOM, alpha=1)),
        "another headroom for the same speed and cable length is on ports Ethernet0",
    ),
    "beyond the table, and nobody computed it": (device(ports("Ethernet0", cable=301)), "up to 300 m"),
    "shares of one ingress pool": (
        dynamic(box=box("dynamic", pools=(single(),)), buffers=Buffers(lossless_pool=60)),
        "has one ingress pool for lossless and lossy traffic",
    ),
    "shares before 202405": (
        dynamic(box=box("dynamic", pools=(pools(),)), buffers=Buffers(lossy_pool=60), version="202311"),
        "BUFFER_POOL of SONiC 202311 has no percentage",
    ),
    "half a percent of the buffer": (
        dynamic(box=box("dynamic", pools=(pools(),)), buffers=Buffers(lossless_pool=50.5)),
        "50.5% is no whole percentage",
    ),
    "more than the buffer": (
        dynamic(box=box("dynamic", pools=(pools(),)), buffers=Buffers(lossless_pool=60, lossy_pool=50)),
        "60% and 50% are more than 100%",
    ),
    "nothing left for lossy traffic": (
        device(box=box(pools=(pools(),)), buffers=Buffers(lossless_pool=100)),
        "0% is no percentage from 1 to 100",
    ),
    "shared headroom off and oversubscribed": (
        dynamic(buffers=Buffers(shared_headroom=0, oversubscribe=2)),
        "turns on the shared headroom pool that shared_headroom: off turns off",
    ),
    "alpha that is no power of two": (dynamic(buffers=Buffers(alpha=0.3)), "0.3 is no power of two"),
    "alpha beyond 128": (dynamic(buffers=Buffers(alpha=256)), "no power of two from 1/256 to 128"),
    "two headrooms for one length": (
        device(
            ports("Ethernet0", headroom=ROOM),
            ports("Ethernet8", headroom=replace(ROOM, xoff=1)),
            buffers=Buffers(alpha=1),
        ),
        "another headroom for the same speed and cable length",
    ),
    "half an oversubscription": (dynamic(buffers=Buffers(oversubscribe=1.5)), "oversubscribe 1.5"),
    "lossless mtu": (dynamic(buffers=Buffers(lossless_mtu=9217)), "9217 B is outside 1..9216 B"),
    "small packets": (dynamic(buffers=Buffers(small_packets=50.5)), "small_packets 50.5%"),
    "pause for all": (device(ports("Ethernet0", flowcontrol="rx")), "flowcontrol rx cannot be said"),
    "another queue than priority": (
        device(classes=classes(queue=4)),
        "priority 3, queue 4 and priority group 3 differ",
    ),
    "another priority group": (device(classes=classes(pg=4)), "priority group 4 differ"),
    "pause stops another queue": (
        device(maps=replace(maps(CLASSES), pfc_to_queue=(0, 1, 2, 4, 4, 5, 6, 7))),
        "PFC priority 3 is mapped to queue 4",
    ),
    "VOQ": (device(switch_type="voq"), "VOQ switch"),
    "one port twice": (device(ports("Ethernet0"), lossy("Ethernet0")), "port Ethernet0 stands in two groups"),
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
    assert caught.value.at == (here,)
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
