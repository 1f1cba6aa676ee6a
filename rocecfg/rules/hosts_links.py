"""NIC ports against the switch ports they are cabled to: MTU and speed, for link-mtu and link-speed."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.analysis.hosts import FirstKind, HostNics, each_stated, host_nics
from rocecfg.core.nodeset import name_set
from rocecfg.core.units import show_rate
from rocecfg.model import Fabric, Origin
from rocecfg.profiles import MARKS, SHIPPED, UnknownProfile
from rocecfg.rules.base import WARNING, Hit
from rocecfg.rules.buffer_headroom import largest_payload
from rocecfg.rules.hosts_ends import NicEnd, rdma_ends

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def judge_nic_mtus(fabric: Fabric) -> Iterator[Hit]:
    """NICs whose MTU is not that of the switch ports they are cabled to."""
    first = FirstKind()
    for nics, stated in each_stated(fabric, "mtu"):
        judged: set[int] = set()
        for end in rdma_ends(fabric, nics):
            own, there = stated.value, end.port.mtu
            if there is None or there == own or there in judged or not first.takes(stated.at, nics):
                continue
            judged.add(there)
            fits, takes = largest_payload(own), largest_payload(there)
            words = f"the NICs of {nics.key} have an MTU of {own} B, but the switch has {there} B at {end.where}: "
            if fits > takes:
                words += f"the switch drops their RoCE packets of {fits} B, but small packets pass"
            elif fits < takes:
                words += f"RoCE does not fragment, so they send packets of {fits} B where {takes} B would fit"
            else:
                words += "the largest RoCE packets pass, but other full frames are dropped"
            yield Hit(
                words,
                (stated.at,),
                f"set the MTU of the NICs to {there}, and mtu in the intent",
                ((end.port.at("mtu"), f"{there} B on the switch"),),
                severity=None if fits > takes else WARNING,
            )


def judge_nic_speeds(fabric: Fabric) -> Iterator[Hit]:
    """NICs that do not run at the speed of the switch ports they are cabled to."""
    for nics in host_nics(fabric):
        judged: set[tuple[object, int]] = set()
        for end in rdma_ends(fabric, nics):
            at, _ = _find_stated_speed(nics, end.nic)
            if end.port.speed is None or (at or end.nic, end.port.speed) in judged:
                continue
            judged.add((at or end.nic, end.port.speed))
            yield from _judge_speed(nics, end, end.port.speed)


def _judge_speed(nics: HostNics, end: NicEnd, there: int) -> Iterator[Hit]:
    related: tuple[tuple[Origin, str], ...] = ((end.port.at("speed"), f"{show_rate(there)} on the switch"),)
    at, speed = _find_stated_speed(nics, end.nic)
    if speed is not None and speed != there:
        yield Hit(
            f"{end.nic} of {nics.hosts} runs at {show_rate(speed)}, but the switch port runs at {show_rate(there)} "
            f"at {end.where}: the link stays down",
            (at,),
            "set the same speed at both ends",
            related,
        )
        return
    card = nics.value.get("nic")
    try:
        known = SHIPPED.nic(card.value) if card is not None else None
    except UnknownProfile:
        return
    if card is not None and known is not None and known.speed is not None and known.speed < there:
        mark = known.marks.get("speed", "U")
        sure = "" if mark == "V" else f"; {MARKS[mark]}"
        yield Hit(
            f"the fastest port of {known.title} has {show_rate(known.speed)} (profile {known.file}{sure}), but the "
            f"switch runs {show_rate(there)} at {end.where}: the link stays down",
            (card.at,) if speed is None else (at, card.at),
            f"set the switch ports to {show_rate(known.speed)}, or correct the card; if its port is split, state "
            "the speed of each port of the host",
            related,
            alike=f"the fastest port of {known.title} is slower than the switch's",
        )


def _find_stated_speed(nics: HostNics, nic: str) -> tuple[Any, int | None]:
    """Where the speed of a NIC port is stated, and that in bit/s: of the port by itself, else of its kind."""
    ports = nics.host.get("ports")
    for names, port in ports.value.items() if ports is not None and isinstance(ports.value, dict) else ():
        speed = port.value.get("speed") if isinstance(port.value, dict) else None
        if speed is not None and nic in name_set(names):
            return speed.at, speed.value
    of_kind = nics.value.get("speed")
    return (of_kind.at, of_kind.value) if of_kind is not None else (None, None)
