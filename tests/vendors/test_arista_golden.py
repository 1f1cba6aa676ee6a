"""Whole files as they go to a switch, read by a person once; a change to any line shows here."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import arista_factory as make
import pytest

from rocecfg.linting.rendering import render_device as render
from rocecfg.model import Device, Ecn, Headroom

GOLDEN = Path(__file__).parent / "arista_golden"


def leaf() -> Device:
    """Every kind of line that strata has: two watchdogs, curves by speed, errdisable, stated headroom."""
    fast = Ecn(kmin=1_600_000, kmax=4_800_000, pmax=5)
    classes = (
        replace(make.RDMA, ecn_by_speed=((800 * make.GBIT, fast),), guaranteed_percent=10),
        replace(make.CNP, max_percent=5),
        *make.CLASSES[2:],
    )
    hosts = make.ports("Ethernet[1-2]/1", ("Ethernet1/1", "Ethernet2/1"), headroom=Headroom(64_000))
    uplink = make.ports(
        "Ethernet63/1",
        ("Ethernet63/1",),
        speed=800 * make.GBIT,
        faces="switch",
        headroom=Headroom(64_000),
        watchdog=replace(make.SLOW_WATCHDOG, action="errdisable"),
    )
    return make.device(classes=classes, ports=(hosts, uplink, make.STORAGE_PORT))


def spine() -> Device:
    """Sand: tx-queue, counters, nothing about queue 7."""
    names = ("Ethernet3/1/1", "Ethernet3/2/1")
    return make.spine(
        ports=(make.ports("Ethernet3/[1-2]/1", names, faces="switch", mtu=9214, watchdog=make.SLOW_WATCHDOG),)
    )


def policy() -> Device:
    """No device named: maps, one profile, watchdog."""
    classes = (make.RDMA, make.CNP, make.CONTROL, replace(make.DEFAULT, bandwidth=40, dscps=_rest()))
    port = make.ports("", (), classes=tuple(c.name for c in classes), implied=True, faces=None, speed=None, mtu=None)
    return make.device(names=(), key="", classes=classes, ports=(port,), version=None)


def _rest() -> tuple[int, ...]:
    return tuple(d for d in range(64) if d not in (26, 48, 56))


@pytest.mark.parametrize(
    ("name", "device", "called"),
    [("leaf-strata", leaf(), "leaf01"), ("spine-sand", spine(), "spine01"), ("policy-strata", policy(), None)],
)
def test_golden(name: str, device: Device, called: str | None) -> None:
    assert render(make.fabric(device), device).file(called) == (GOLDEN / f"{name}.cfg").read_text()
