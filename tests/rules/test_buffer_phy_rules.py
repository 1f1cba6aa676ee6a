"""Stated headroom against the delay of MACsec and gearboxes."""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from typing import Any

import pytest
import rule_factory
from rule_factory import POLICY, hits

from rocecfg.model import Box, Device, Headroom, PortGroup
from rocecfg.profiles import SHIPPED
from rocecfg.rules import buffer_phy
from rocecfg.rules.buffer_headroom import link_kind, needed_headroom

G = 10**9
MACSEC = 3.024 * 2 * 120e-9 * 400 * G / 8  # Tomahawk 4's packing: 36,288 B


def link(room: int | None, *, box: Box | None = None, **more: Any) -> Device:
    stated: dict[str, Any] = {"pfc": (3,), "speed": 400 * G, "cable": 3.0, "mtu": 9000, "macsec": "clear", **more}
    headroom = None if room is None else Headroom(room)
    port = PortGroup(("Ethernet0",), "Ethernet0", tuple(c.name for c in POLICY), headroom=headroom, **stated)
    return replace(rule_factory.device(*POLICY, ports=(port,), box=box), asic=SHIPPED.asic("tomahawk4"))


def bare() -> int:
    of = link(1)
    found = link_kind(rule_factory.fabric(of), of, of.ports[0])
    assert found is not None
    terms = needed_headroom(found)
    assert terms is not None
    return terms.total


@pytest.mark.parametrize(
    ("over", "fires"), [(-1, False), (0, True), (ceil(MACSEC) - 1, True), (ceil(MACSEC), False), (10**6, False)]
)
def test_between_the_need_and_the_need_with_macsec(over: int, fires: bool) -> None:
    found = hits(buffer_phy.buffer_gearbox, link(bare() + over))
    assert len(found) == fires
    for hit in found:
        assert "MACsec 120 ns each way" in hit.message
        assert "36288 B more" in hit.message


def test_what_is_offered_is_enough() -> None:
    (hit,) = hits(buffer_phy.buffer_gearbox, link(bare()))
    offered = int(hit.help.partition(" to ")[2].split("KB")[0]) * 1000
    assert offered >= bare() + MACSEC
    assert not hits(buffer_phy.buffer_gearbox, link(offered))


@pytest.mark.parametrize("more", [{"macsec": None}, {"speed": None}, {"cable": None}, {"pfc": ()}])
def test_nothing_between_or_nothing_known(more: dict[str, Any]) -> None:
    assert not hits(buffer_phy.buffer_gearbox, link(bare(), **more))


def test_headroom_of_the_switchs_own() -> None:
    assert not hits(buffer_phy.buffer_gearbox, link(None))


def test_a_gearbox_adds_its_own_delay() -> None:
    box = Box("sonic", None, "", (), None, lossless=True, buffer_model=None, pfc_to_pg=False, headroom=None, source="",
              gearbox=0.0004)  # fmt: skip
    (hit,) = hits(buffer_phy.buffer_gearbox, link(bare(), box=box))
    assert "MACsec 120 ns and the gearbox of the platform 400 ns each way" in hit.message
    (hit,) = hits(buffer_phy.buffer_gearbox, link(bare(), box=box, macsec=None))
    assert "MACsec" not in hit.message
