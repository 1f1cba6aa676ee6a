"""Random devices that EOS can be told to be, and a list of fixed ones with every kind of line."""

from __future__ import annotations

from dataclasses import replace

import arista_factory as make
from hypothesis import strategies as st

from rocecfg.model import Buffers, Device, Ecn, Headroom, PortGroup, TrafficClass, Watchdog

LEFT_TO_EOS = Watchdog(None, None, None, None, vendor_default=True)


def fixed() -> dict[str, Device]:
    """One device a feature, by name."""
    errdisable = replace(make.WATCHDOG, action="errdisable")
    mixed = (make.HOSTS, replace(make.UPLINKS, watchdog=replace(make.SLOW_WATCHDOG, action="alert")), make.STORAGE_PORT)
    headroom = tuple(replace(p, headroom=Headroom(64_000)) for p in (make.HOSTS, make.UPLINKS))
    shaped = (replace(make.RDMA, guaranteed_percent=10, max_rate=350 * make.GBIT), replace(make.CNP, max_percent=5))
    return {
        "leaf": make.device(),
        "leaf, counters on interfaces": make.device(version="4.30.3M"),
        "leaf, two watchdogs": make.device(ports=mixed),
        "leaf, some ports left to EOS": make.device(ports=(make.HOSTS, replace(make.UPLINKS, watchdog=LEFT_TO_EOS))),
        "leaf, errdisable": make.device(ports=(replace(make.HOSTS, watchdog=errdisable), make.UPLINKS)),
        "leaf, no watchdog": make.one_port(watchdog=None),
        "leaf, trust CoS": make.one_port(trust="pcp", flowcontrol="rx"),
        "leaf, trust nothing": make.one_port(trust="none", flowcontrol="on"),
        "leaf, shaped": make.device(classes=(*shaped, *make.CLASSES[2:])),
        "leaf, no shares": make.with_class(bandwidth=None),
        "leaf, buffers": make.device(ports=headroom, buffers=Buffers(alpha=0.25, shared_headroom=4_000_000)),
        "leaf, DCBX": make.device(dcbx="on"),
        "leaf, static PFC": make.device(dcbx="off"),
        "leaf, policy": make.device(names=(), ports=(make.ports("", (), implied=True),)),
        "spine": make.spine(),
        "spine, old": make.spine(version="4.30.3M"),
        "spine, weighted queue 7": make.spine(
            classes=(*make.CLASSES[:2], replace(make.CONTROL, strict=False, bandwidth=5), *make.CLASSES[3:])
        ),
        "spine, policy": make.spine(names=(), ports=(make.ports("", (), implied=True),)),
    }


def family_of(device: Device) -> str:
    """The family of a device of this module, as its chip says."""
    assert device.asic is not None
    return device.asic.families["arista"]


_curves = st.builds(
    lambda low, more, pmax, weight: Ecn(kmin=low, kmax=low + more, pmax=pmax, weight=weight),
    st.integers(1, 10_000_000), st.integers(0, 100_000_000), st.integers(1, 100), st.integers(0, 15),
)  # fmt: skip
_watchdogs = st.one_of(
    st.none(),
    st.just(LEFT_TO_EOS),
    st.builds(
        lambda detection, restoration, poll, action: Watchdog(10 * detection, 10 * restoration, poll, action),
        st.integers(1, 6000), st.integers(1, 6000), st.integers(5, 30_000),
        st.sampled_from(("drop", "alert", "errdisable")),
    ),
)  # fmt: skip


@st.composite
def _classes(draw: st.DrawFn) -> tuple[TrafficClass, ...]:
    numbers = draw(st.lists(st.integers(0, 6), min_size=1, max_size=6, unique=True))
    owner = draw(st.lists(st.sampled_from(numbers), min_size=64, max_size=64))
    found = []
    for number in numbers:
        lossless = draw(st.booleans())
        strict = draw(st.booleans())
        found.append(
            make.traffic_class(
                f"class{number}",
                tuple(d for d in range(64) if owner[d] == number),
                number,
                lossless=lossless,
                pg=number if lossless else 0,
                strict=strict,
                bandwidth=None if strict else draw(st.integers(1, 100)),
                ecn=draw(st.none() | _curves),
                guaranteed_percent=draw(st.none() | st.integers(1, 100)),
                max_percent=draw(st.none() | st.integers(1, 100)),
            )
        )
    return tuple(found)


@st.composite
def _port(draw: st.DrawFn, classes: tuple[TrafficClass, ...], index: int) -> PortGroup:
    crossing = tuple(c for c in classes if draw(st.booleans()))
    return make.ports(
        f"Ethernet[{index}]/1",
        tuple(f"Ethernet{index}/{lane}" for lane in range(1, draw(st.integers(1, 4)) + 1)),
        classes=tuple(c.name for c in crossing),
        pfc=tuple(sorted(c.priority for c in crossing if c.lossless)),
        speed=draw(st.sampled_from((None, 100 * make.GBIT, 400 * make.GBIT, 800 * make.GBIT))),
        faces=draw(st.sampled_from((None, "host", "switch", "storage", "edge"))),
        mtu=draw(st.none() | st.integers(68, 9214)),
        watchdog=draw(_watchdogs),
        flowcontrol=draw(st.sampled_from(("off", "rx", "tx", "on"))),
        trust=draw(st.sampled_from(("dscp", "pcp", "none"))),
    )


@st.composite
def devices(draw: st.DrawFn) -> Device:
    """A device with up to six classes and four kinds of ports, each setting drawn on its own."""
    classes = draw(_classes())
    ports = tuple(draw(_port(classes, i)) for i in range(1, draw(st.integers(1, 4)) + 1))
    version = draw(st.sampled_from((None, "4.30.3M", "4.33.2F", "4.35.1F")))
    return make.device(
        classes=classes, ports=ports, version=version, asic=make.asic(draw(st.sampled_from(("strata", "sand"))))
    )
