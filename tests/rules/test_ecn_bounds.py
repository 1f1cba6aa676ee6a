"""ECN thresholds against pauses, round trip, delay and deep buffers: bounds met to the byte."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import rule_factory
from intents import POLICY, Found, findings
from rule_factory import CNP, CURVE, DEFAULT, RDMA, hits

from rocecfg.model import Asic, Computed, Device, Ecn, Origin, Pools, PortGroup, ProfileFact, Span, StockCurve, Workload
from rocecfg.profiles import SHIPPED
from rocecfg.rules import ecn_bounds
from rocecfg.rules.base import ERROR, INFO, WARNING

G100, G400 = 100 * 10**9, 400 * 10**9
CHIP = Asic("chip", "asics/chip", "A chip", nos=("sonic", "arista"), speeds=(G100, G400), capacity=4 * 10**12)
SPECTRUM = replace(CHIP, nos=("sonic", "spectrum"), headroom_formula="spectrum")
DEEP = replace(CHIP, shallow=False, stock_ecn=(StockCurve("sonic", "stock", 2_000_000, 10_000_000, 5, ()),))
POOL = 6_600_000  # with alpha 1 and 10 ports: 3.3 MB, 330 KB and 600 KB
WORKLOAD = Workload(
    "w", "workloads/w", "w", (), {}, "", "", "D", None, None, 0.16, None, None, sources={}, marks={"queue_delay": "V"}
)


def ports(count: int = 10, speed: int | None = G400, alpha: float | None = 1, **more: Any) -> PortGroup:
    names = tuple(f"Ethernet{n}" for n in range(count))
    return PortGroup(names, "Ethernet", ("rdma", "cnp", "default"), (3,), speed, alpha=alpha, **more)


def switch(
    ecn: Ecn | None = CURVE, *groups: PortGroup, asic: Asic | None = CHIP, pool: int | None = POOL, **more: Any
) -> Device:
    of = rule_factory.device(replace(RDMA, ecn=ecn, **more), CNP, DEFAULT, ports=groups or (ports(),))
    return replace(
        of, asic=asic, pools=Pools(lossless=pool, origins={"lossless": ProfileFact("asics/chip", "pool", "")})
    )


@pytest.mark.parametrize(
    ("kmin", "kmax", "severity", "reported"),
    [
        (329_999, 599_999, None, ""),
        (330_000, 599_999, WARNING, "Threshold: alpha B/(n (1 + alpha))"),
        (329_999, 600_000, WARNING, "Threshold: alpha B/(1 + n alpha)"),
        (329_999, 3_299_999, WARNING, "alpha B/(1 + n alpha)"),
        (329_999, 3_300_000, ERROR, "Threshold: alpha B/(1 + alpha)"),
    ],
)
def test_marks_come_before_pauses(kmin: int, kmax: int, severity: str | None, reported: str) -> None:
    found = hits(ecn_bounds.ecn_before_pfc, switch(Ecn(kmin, kmax, 5)))
    assert [h.severity for h in found] == ([severity] if severity else [])
    for hit in found:
        assert reported in hit.message
        assert "B 6.6MB (profile asics/chip)" in hit.message
        assert hit.help == "kmin: 329KB or less, kmax: 599KB or less"


def test_a_template_does_not_tell_what_the_dynamic_model_leaves_for_lossless_traffic() -> None:
    """SN2010 of a T1: 3.3 MB where all its cables had 300 m; with 5 m it has several times that of its 16 MB."""

    def said(kmax: int, model: str = "dynamic", *, stated: bool = False, total: int | None = 16_000_000) -> list[str]:
        of = switch(Ecn(200_000, kmax, 5), asic=SPECTRUM)
        size: Origin = ProfileFact("f", "pool", "") if stated else Computed("template t1 assumed", ())
        pools = Pools(total, POOL, None, {"lossless": size})
        of = replace(of, buffers=replace(of.buffers, model=model), pools=pools)
        return [h.severity for h in hits(ecn_bounds.ecn_before_pfc, of)]

    assert said(4_000_000) == [INFO]
    assert said(8_000_000) == [ERROR]  # 16 MB / 2: whatever the pool is
    assert said(4_000_000, total=None) == [ERROR]
    assert said(4_000_000, "traditional") == said(4_000_000, stated=True) == [ERROR]


def test_what_is_told_to_pass_passes_however_the_chip_rounds() -> None:
    step = 12_288
    (hit,) = hits(ecn_bounds.ecn_before_pfc, switch(Ecn(1_000_000, 2_000_000, 5), asic=replace(CHIP, ecn_step=step)))
    kmin, kmax = (int(part.split()[1].removesuffix("KB")) * 1000 for part in hit.help.split(", "))
    assert -(-kmin // step) * step < 330_000
    assert -(-kmax // step) * step < 600_000
    assert not hits(ecn_bounds.ecn_before_pfc, switch(Ecn(kmin, kmax, 5), asic=replace(CHIP, ecn_step=step)))


def test_a_pool_that_sonic_ships_for_other_chips_is_no_bound() -> None:
    """12766208 B is Trident II's, and stands in templates of Tomahawk 4 too."""
    curve, pool = Ecn(1_000_000, 12_000_000, 5), 12_766_208
    own = replace(CHIP, usable_buffer=pool)
    for asic, reported in ((own, True), (replace(CHIP, usable_buffer=113_620_296), False), (None, False)):
        of = replace(switch(curve, asic=asic, pool=pool), nos=SHIPPED.nos("sonic"))
        assert bool(hits(ecn_bounds.ecn_before_pfc, of)) == reported
    other = replace(
        switch(curve, asic=replace(CHIP, usable_buffer=113_620_296), pool=pool + 1), nos=SHIPPED.nos("sonic")
    )
    assert hits(ecn_bounds.ecn_before_pfc, other)


def test_on_spectrum_the_lesser_bounds_are_told_as_info() -> None:
    def severities(kmax: int) -> list[str | None]:
        return [h.severity for h in hits(ecn_bounds.ecn_before_pfc, switch(Ecn(100_000, kmax, 5), asic=SPECTRUM))]

    assert severities(600_000) == [INFO]
    assert severities(3_300_000) == [ERROR]


def test_the_worst_of_all_ports_is_told_once() -> None:
    bad = Ecn(100_000, 700_000, 5, origins={"": Span(0, 1, 9), "kmax": Span(0, 2, 4)})
    narrow = switch(bad, ports(6, G100, alpha=0.5), ports(4))
    wide = switch(bad, ports(20))
    fine = switch(bad, ports(5))
    whole = rule_factory.fabric(narrow, devices=(narrow, wide, fine))
    check = ecn_bounds.ecn_before_pfc.check
    assert check is not None
    (first,), (second,), third = ([*check(whole, d, d.classes[0])] for d in whole.devices)
    assert first._replace(ports=()) == second._replace(ports=())
    assert [len(hit.ports) for hit in (first, second)] == [2, 1]  # kinds of ports that are at fault, of each
    assert "n 20 ports" in first.message
    assert first.at == (Span(0, 2, 4),)
    assert third == []


@pytest.mark.parametrize(
    "of",
    [
        switch(asic=None, pool=None),
        switch(Ecn(1_000_000, 9_000_000, 5), ports(alpha=None)),
        switch(Ecn(1_000_000, 9_000_000, 5), asic=DEEP),
        switch(Ecn(1_000_000, 9_000_000, 5), lossless=False),
        switch(Ecn(9_000_000, 1_000_000, 5)),  # ecn-order's
        switch(None),
    ],
)
def test_silent_where_the_bound_is_unknown_or_does_not_hold(of: Device) -> None:
    assert not hits(ecn_bounds.ecn_before_pfc, of)


def test_a_policy_has_as_many_ports_as_its_chip() -> None:
    everywhere = ports(0, G400, implied=True)  # 4 Tbit/s / 400G = 10
    assert not hits(ecn_bounds.ecn_before_pfc, switch(Ecn(329_999, 599_999, 5), everywhere))
    assert len(hits(ecn_bounds.ecn_before_pfc, switch(Ecn(329_999, 600_000, 5), everywhere))) == 1
    unknown = ports(0, None, implied=True)
    assert not hits(ecn_bounds.ecn_before_pfc, switch(Ecn(329_999, 3_299_999, 5), unknown))
    assert [h.severity for h in hits(ecn_bounds.ecn_before_pfc, switch(Ecn(1, 3_300_000, 5), unknown))] == [ERROR]


def test_what_auto_came_to_is_judged_where_auto_is_written() -> None:
    auto: Origin = Computed("...", (Span(0, 7, 11), ProfileFact("ecn/x", "kmin", "")))
    came = Ecn(400_000, 600_000, 5, origins={"": auto, "kmin": auto, "kmax": auto})
    (hit,) = hits(ecn_bounds.ecn_before_pfc, switch(None, ecn_by_speed=((G400, came),)))
    assert hit.at == (auto,)


# -- round trip --------------------------------------------------------------------------------------------------------

RTT: dict[str, Any] = {"rtt": 0.007, "origins": {"rtt": Span(0, 1, 2)}}  # 400G: 50,000 B


def test_kmin_is_at_least_a_seventh_of_the_path() -> None:
    assert not hits(ecn_bounds.ecn_low, switch(Ecn(50_000, 90_000, 5)), **RTT)
    (hit,) = hits(ecn_bounds.ecn_low, switch(Ecn(49_999, 90_000, 5)), **RTT)
    assert "49999B on 400G ports is below 50KB, the least for RTT 7us (as stated)" in hit.message
    assert hit.help == "kmin: 50KB or more"
    assert not hits(ecn_bounds.ecn_low, switch(Ecn(49_999, 90_000, 5)))
    assert not hits(ecn_bounds.ecn_low, switch(Ecn(49_999, 90_000, 5), profiled=True), **RTT)
    assert not hits(ecn_bounds.ecn_low, switch(Ecn(49_999, 90_000, 5), asic=DEEP), **RTT)
    assert not hits(ecn_bounds.ecn_low, switch(Ecn(49_999, 90_000, 5), ports(speed=None)), **RTT)


def test_a_long_cable_is_a_longer_round_trip() -> None:
    (hit,) = hits(ecn_bounds.ecn_low, switch(Ecn(60_000, 90_000, 5), ports(cable=1400)), **RTT)
    assert "below 100KB" in hit.message
    assert "1400 m of cable" in hit.message


def test_whose_round_trip_it_is() -> None:
    fact = ProfileFact("workloads/w", "rtt", "", "M")
    (hit,) = hits(ecn_bounds.ecn_low, switch(Ecn(1000, 90_000, 5)), rtt=0.007, origins={"rtt": fact})
    assert "(profile workloads/w, from memory of the source)" in hit.message


def test_kmin_is_not_asked_for_what_pauses_leave_no_room_for() -> None:
    small = switch(Ecn(10_000, 20_000, 5), pool=1_000_000)  # kmin below 50,000
    (hit,) = hits(ecn_bounds.ecn_low, small, **RTT)
    assert "50KB or more comes after the PFC pause" in hit.message
    assert hit.help.startswith("kmin: 49KB")
    (hit,) = hits(ecn_bounds.ecn_low, switch(Ecn(49_000, 90_000, 5), pool=1_000_000), **RTT)
    assert hit.help.startswith("no thresholds suit so long a path")
    (hit,) = hits(ecn_bounds.ecn_low, switch(Ecn(10_000, 20_000, 5), pool=1_020_000), **RTT)
    assert hit.help.startswith("kmin: 50KB or more")


LONG: dict[str, Any] = {"rtt": 0.2, "origins": {"rtt": Span(0, 1, 2)}}  # 400G: 1 MB


@pytest.mark.parametrize(
    ("kmax", "rtt", "fires"), [(1_999_999, 0.2, True), (2_000_000, 0.2, False), (1_100_000, 0.1, False)]
)
def test_long_round_trips_need_a_wide_ramp(kmax: int, rtt: float, fires: bool) -> None:
    of = switch(Ecn(1_000_000, kmax, 1), asic=None, pool=None)
    found = hits(ecn_bounds.ecn_long_rtt, of, rtt=rtt, origins={"rtt": Span(0, 1, 2)})
    assert bool(found) == fires
    for hit in found:
        assert hit.help.startswith("kmax: 2MB or more")
        assert "RTT 200us" in hit.message


def test_the_ramp_is_moved_down_where_its_top_is_bounded_or_not_asked_for() -> None:
    short: dict[str, Any] = {"rtt": 0.15}  # 750 KB wide, with kmin at 1,071,429 B or above
    (hit,) = hits(ecn_bounds.ecn_long_rtt, switch(Ecn(1_000_000, 1_200_000, 1), pool=22_000_000), **short)
    assert hit.help.startswith("kmax: 1750KB or more")
    (hit,) = hits(ecn_bounds.ecn_long_rtt, switch(Ecn(1_500_000, 1_900_000, 1), pool=22_000_000), **short)
    assert hit.help.startswith("kmin: 1249KB, kmax: 1999KB")  # kmax must stay below 2 MB
    (hit,) = hits(ecn_bounds.ecn_long_rtt, switch(Ecn(300_000, 500_000, 1)), **LONG)  # 600 KB is all there is
    assert hit.help.startswith("no thresholds suit so long a path")


# -- delay and deep buffers --------------------------------------------------------------------------------------------


def test_kmax_is_no_longer_a_queue_than_the_workload_bears() -> None:
    slow = ports(speed=G100)
    assert not hits(ecn_bounds.ecn_delay, switch(Ecn(1, 2_000_000, 5), slow), workload=WORKLOAD)
    (hit,) = hits(ecn_bounds.ecn_delay, switch(Ecn(1, 3_000_000, 5), slow, ports()), workload=WORKLOAD)
    assert "kmax 3MB on 100G ports delays packets by 240us" in hit.message
    assert "may add only 160us (profile workloads/w)" in hit.message
    assert hit.help.startswith("kmax: 2MB or less on 100G ports; by_speed")
    assert hits(ecn_bounds.ecn_delay, switch(Ecn(1, 2_000_001, 5), slow), workload=WORKLOAD)
    assert not hits(ecn_bounds.ecn_delay, switch(Ecn(1, 3_000_000, 5), slow))
    unbounded = replace(WORKLOAD, queue_delay=None)
    assert not hits(ecn_bounds.ecn_delay, switch(Ecn(1, 3_000_000, 5), slow), workload=unbounded)


def test_a_speed_that_the_chip_does_not_have_is_not_judged() -> None:
    odd = ports(speed=10**9)
    assert not hits(ecn_bounds.ecn_delay, switch(Ecn(1, 3_000_000, 5), odd), workload=WORKLOAD)


@pytest.mark.parametrize(("kmax", "fires"), [(1_999_999, True), (2_000_000, False)])
def test_curves_for_shared_buffers_on_deep_ones(kmax: int, fires: bool) -> None:
    assert bool(hits(ecn_bounds.ecn_deep, switch(Ecn(1, kmax, 5), asic=DEEP))) == fires
    assert not hits(ecn_bounds.ecn_deep, switch(Ecn(1, kmax, 5), asic=DEEP, profiled=True))
    assert not hits(ecn_bounds.ecn_deep, switch(Ecn(1, kmax, 5)))
    assert not hits(ecn_bounds.ecn_deep, switch(Ecn(1, kmax, 5), asic=replace(DEEP, stock_ecn=())))


MIXED = """defaults: {cable: 30m, version: 4.33.2F, vendor: arista}
devices:
  leaf01: {asic: tomahawk2, LEAF, ports: {"Ethernet[1-64]/1": {speed: 100G, faces: host}}}
  spine01: {asic: tomahawk5, SPINE, ports: {"Ethernet[1-64]/1": {speed: 800G, faces: switch}}}
"""


def test_where_no_curve_suits_all_switches_each_kind_is_told_its_own(tmp_path: Path) -> None:
    def found(leaf: str, spine: str, ecn: str = "kmin: 600KB, kmax: 2400KB, pmax: 20%") -> list[Found]:
        policy = POLICY.replace("{name: lab}", "{name: lab, workload: ai-training}")
        policy = policy.replace("kmin: 400KB, kmax: 1600KB, pmax: 5%", ecn)
        text = policy + MIXED.replace("LEAF, ", leaf).replace("SPINE, ", spine)
        return [f for f in findings(tmp_path, text) if f.rule in ("ecn-before-pfc", "ecn-scale", "ecn-delay")]

    (help,) = [f.help for f in found("", "") if f.rule == "ecn-before-pfc"]
    assert help.startswith("no single curve suits all of these switches")
    assert "leaf01 (Broadcom Tomahawk 2 (BCM56970)): kmin: 260KB or less, kmax: 512KB or less" in help
    assert "spine01 (Broadcom Tomahawk 5 (BCM78900)): kmin: 1269KB or less, kmax: 2.5MB or less" in help
    own = "classes: {{rdma: {{ecn: {{kmin: {}, kmax: {}, pmax: 20%}}}}}}, "
    leaf, spine = own.format("250KB", "512KB"), own.format("800KB", "2.4MB")
    assert found(leaf, spine) == []
    small = found("", "", "kmin: 200KB, kmax: 512KB, pmax: 20%")  # what suits the leaf is too low for the spine
    assert [f.rule for f in small] == ["ecn-scale"]


def test_where_one_curve_suits_all_it_is_told(tmp_path: Path) -> None:
    text = POLICY.replace("kmin: 400KB, kmax: 1600KB", "kmin: 600KB, kmax: 2400KB") + MIXED.replace(
        "LEAF, ", ""
    ).replace("SPINE, ", "")  # no family is named, so no kmin is too low for the spine
    (help,) = [f.help for f in findings(tmp_path, text) if f.rule == "ecn-before-pfc"]
    assert help == "kmin: 260KB or less, kmax: 512KB or less"
