"""ECN values as such: stock curves, scale, pmax against incast, colours and steps."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import rule_factory
from rule_factory import CNP, CURVE, DEFAULT, RDMA, hits

from rocecfg.model import (
    AUTO,
    Asic,
    Computed,
    Default,
    Device,
    Ecn,
    Family,
    Origin,
    Pools,
    PortGroup,
    Span,
    StockCurve,
)
from rocecfg.rules import ecn_values
from rocecfg.rules.base import INFO

G25, G40, G100, G400, G800 = (n * 10**9 for n in (25, 40, 100, 400, 800))
CHIP = Asic("chip", "asics/chip", "A chip", nos=("sonic",))
STOCK = (
    StockCurve("sonic", "OWN", 128_000, 256_000, 5, (G400,)),
    StockCurve("arista", "OTHER", 77_000, 770_000, 10, ()),
)
FAMILY = Family("fam", "ecn/fam", "", True, G25, 100_000, 400_000, 20, "", "", "V")  # noqa: FBT003 - scaled
NAMED: dict[str, Any] = {"ecn_family": FAMILY, "origins": {"ecn_family": Span(0, 1, 2)}}


def ports(speed: int | None = G100, count: int = 1, **more: Any) -> PortGroup:
    names = tuple(f"Ethernet{n}" for n in range(count))
    return PortGroup(names, "Ethernet", ("rdma", "cnp", "default"), (3,), speed, **more)


def switch(
    ecn: Ecn | None = CURVE,
    *groups: PortGroup,
    vendor: str | None = "sonic",
    asic: Asic | None = None,
    pool: int | None = None,
    **more: Any,
) -> Device:
    of = rule_factory.device(replace(RDMA, ecn=ecn, **more), CNP, DEFAULT, vendor=vendor, ports=groups or (ports(),))
    return replace(of, asic=asic, pools=Pools(lossless=pool))


# -- stock -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("curve", "vendor", "speed", "fires"),
    [
        (Ecn(1_048_576, 2_097_152, 5), "sonic", G100, True),  # of SONiC's template, whatever the chip
        (Ecn(1_048_576, 2_097_152, 5), "arista", G100, False),
        (Ecn(1_048_576, 2_097_152, 5), None, G100, False),
        (Ecn(1_048_577, 2_097_152, 5), "sonic", G100, False),
        (Ecn(1_048_576, 2_097_152, 6), "sonic", G100, False),
        (Ecn(150_000, 1_500_000, 100), "spectrum", G100, True),
        (Ecn(150_000, 1_500_000, 100), "sonic", G100, False),
        (Ecn(128_000, 256_000, 5), "sonic", G400, True),
        (Ecn(128_000, 256_000, 5), "sonic", G100, False),  # shipped for 400G
        (Ecn(128_000, 256_000, 5), "sonic", None, False),
        (Ecn(77_000, 770_000, 10), "sonic", G100, False),
        (Ecn(77_000, 770_000, 10), "arista", G100, True),
    ],
)
def test_stock_values_of_the_switchs_own_system(curve: Ecn, vendor: str | None, speed: int | None, fires: bool) -> None:
    of = switch(curve, ports(speed), vendor=vendor, asic=replace(CHIP, stock_ecn=STOCK))
    assert len(hits(ecn_values.ecn_vendor_default, of)) == fires


def test_stock_values_that_were_measured_are_not_told() -> None:
    stock = Ecn(1_048_576, 2_097_152, 5)
    assert not hits(ecn_values.ecn_vendor_default, switch(stock, profiled=True))
    auto: Origin = Computed("...", (Span(0, 7, 11),))
    came = replace(stock, origins={"": auto, "kmin": auto})
    (hit,) = hits(ecn_values.ecn_vendor_default, switch(None, ecn_by_speed=((G100, came),)))
    assert hit.help.startswith("set ecn: auto without ecn_family")  # which named the stock values


def test_stock_values_on_tcp_are_nobodys_mistake() -> None:
    tcp = replace(DEFAULT, ecn=Ecn(1_048_576, 2_097_152, 5))
    of = rule_factory.device(RDMA, CNP, tcp, vendor="sonic")
    assert not hits(ecn_values.ecn_vendor_default, of)


# -- scale -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kmin", "kmax", "reported"),
    [  # the family: 400 KB and 1.6 MB at 100G
        (100_000, 400_000, None),
        (99_999, 400_000, "kmin 99999B on 100G ports is below 100KB"),
        (100_000, 399_999, "kmax 399999B on 100G ports is below 400KB"),
        (1_600_000, 6_400_000, None),
        (1_600_001, 6_400_000, "kmin 1600001B on 100G ports is above 1.6MB"),
        (1_600_000, 6_400_001, "kmax 6400001B on 100G ports is above 6.4MB"),
    ],
)
def test_a_quarter_to_four_times_the_family(kmin: int, kmax: int, reported: str | None) -> None:
    roomy = switch(Ecn(kmin, kmax, 5), ports(alpha=1), asic=CHIP, pool=10**9)
    found = hits(ecn_values.ecn_scale, roomy, **NAMED)
    assert len(found) == (reported is not None)
    for hit in found:
        assert reported is not None
        assert reported in hit.message
        assert "family fam (as stated)" in hit.message
        assert hit.help.startswith("kmin: 100KB to 1.6MB, kmax: 400KB to 6.4MB")


def test_the_lower_edge_gives_way_to_pauses() -> None:
    # 10 ports: kmin below 200 KB and kmax below 363,636 B, a quarter of which are 50,000 B and 90,909 B
    small = {"asic": CHIP, "pool": 4_000_000}
    assert not hits(ecn_values.ecn_scale, switch(Ecn(50_000, 90_910, 5), ports(count=10, alpha=1), **small), **NAMED)
    (hit,) = hits(ecn_values.ecn_scale, switch(Ecn(49_999, 90_910, 5), ports(count=10, alpha=1), **small), **NAMED)
    assert "delay to 200KB" in hit.message
    assert hit.help.startswith("kmin: 50KB to 199KB, kmax: 91KB to 363KB")
    passing = switch(Ecn(199_000, 363_000, 5), ports(count=10, alpha=1), **small)
    assert not hits(ecn_values.ecn_scale, passing, **NAMED)


def test_without_a_known_pool_only_the_upper_edge_is_judged() -> None:
    assert not hits(ecn_values.ecn_scale, switch(Ecn(1000, 2000, 5)), **NAMED)
    assert hits(ecn_values.ecn_scale, switch(Ecn(1_700_000, 2_000_000, 5)), **NAMED)
    lossy = switch(Ecn(1000, 2000, 5), ports(), lossless=False)
    assert hits(ecn_values.ecn_scale, lossy, mode="lossy", **NAMED)  # no pause bounds it from above


@pytest.mark.parametrize(
    "facts",
    [
        {},
        {"ecn_family": FAMILY, "origins": {"ecn_family": Default("nobody chose")}},
        {**NAMED, "ecn_family": FAMILY._replace(scaled=False)},
    ],
)
def test_scale_asks_for_a_chosen_family(facts: dict[str, Any]) -> None:
    assert not hits(ecn_values.ecn_scale, switch(Ecn(8_000_000, 9_000_000, 5)), **facts)


def test_the_worst_speed_is_told() -> None:
    (hit,) = hits(ecn_values.ecn_scale, switch(Ecn(2_000_000, 4_000_000, 5), ports(G25), ports(G100)), **NAMED)
    assert "on 25G ports" in hit.message
    assert "by_speed" in hit.help


# -- pmax --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("senders", "fires"), [(8, False), (32, True)])
def test_one_percent_at_40g_ends_at_some_twelve_senders(senders: int, fires: bool) -> None:
    # CoNEXT'16 has 0.46 % for 8 senders and 2.6 % for 32 with packets of 1000 B; cut one by one they need 28 % more
    of = switch(Ecn(5_000, 200_000, 1), ports(G40))
    found = hits(ecn_values.ecn_fixed_point, of, incast=senders, path_mtu=1024, origins={"incast": Span(0, 1, 2)})
    assert bool(found) == fires
    for hit in found:
        assert "needs 3.4" in hit.message
        assert "32 (as stated)" in hit.message
        held = int(hit.message.rpartition("is enough for ")[2].split()[0])
        assert 10 <= held <= 13
        assert hit.help == "pmax: 4% or more"


def test_the_pmax_told_to_pass_passes_and_the_incast_told_to_be_held_is() -> None:
    (hit,) = hits(ecn_values.ecn_fixed_point, switch(Ecn(5_000, 200_000, 5), ports(G100)), incast=200)
    pmax = int(hit.help.removeprefix("pmax: ").partition("%")[0])
    held = int(hit.message.rpartition("is enough for ")[2].split()[0])

    def fires(percent: float, senders: int) -> bool:
        of = switch(Ecn(5_000, 200_000, percent), ports(G100))
        return bool(hits(ecn_values.ecn_fixed_point, of, incast=senders))

    assert (fires(pmax, 200), fires(pmax - 1, 200)) == (False, True)
    assert (fires(5, held), fires(5, held + 1)) == (False, True)


@pytest.mark.parametrize(
    ("of", "facts"),
    [
        (switch(Ecn(5_000, 200_000, 1)), {}),
        (switch(Ecn(5_000, 200_000, 1)), {"incast": 900, "congestion_control": "none"}),
        (switch(Ecn(5_000, 200_000, 1), ports(None)), {"incast": 900}),
        (switch(Ecn(5_000, 200_000, 1), ports(faces="switch")), {"incast": 900}),
        (switch(Ecn(5_000, 200_000, 1), profiled=True), {"incast": 900}),
        (switch(Ecn(5_000, 200_000, 0.5)), {"incast": 900}),  # ecn-pmax
        (switch(Ecn(200_000, 200_000, 1)), {"incast": 900}),  # ecn-step
    ],
)
def test_fixed_point_is_silent(of: Device, facts: dict[str, Any]) -> None:
    assert not hits(ecn_values.ecn_fixed_point, of, **facts)


# -- colours and steps -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("colors", "vendor", "fires"),
    [
        (("red", "yellow"), "sonic", True),
        (("red",), None, True),
        (("green",), "sonic", False),
        (("red",), "arista", False),
        (("red",), "spectrum", False),
        ((), "sonic", False),  # nos-unsupported
    ],
)
def test_green_is_what_has_to_be_marked(colors: tuple[str, ...], vendor: str | None, fires: bool) -> None:
    assert bool(hits(ecn_values.ecn_color, switch(replace(CURVE, colors=colors), vendor=vendor))) == fires


@pytest.mark.parametrize(
    ("kmin", "kmax", "step", "field"),
    [
        (122_880, 1_000_000, 12_288, None),
        (150_000, 1_500_000, 12_288, None),  # 159,744: 6.5 %
        (100_000, 1_500_000, 12_288, "kmin"),  # 110,592: 10.6 %
        (40_000, 100_000, 12_288, "kmin"),  # both, and kmin more so
        (98_304, 100_000, 12_288, "kmax"),
        (40_000, 100_000, 254, None),
        (2_000, 100_000, 254, "kmin"),  # 1,778: 11 %
        (2_000, 100_000, None, None),
    ],
)
def test_rounding_is_told_where_it_is_felt(kmin: int, kmax: int, step: int | None, field: str | None) -> None:
    found = hits(ecn_values.ecn_cell, switch(Ecn(kmin, kmax, 5), asic=replace(CHIP, ecn_step=step)))
    assert [h.message.split()[0] for h in found] == ([field] if field else [])
    assert ecn_values.ecn_cell.severity == INFO


def test_what_the_chip_makes_of_it() -> None:
    (hit,) = hits(ecn_values.ecn_cell, switch(Ecn(10_000, 150_000, 5), asic=replace(CHIP, ecn_step=12_288)))
    assert hit.help == "kmin: 12288B"
    (hit,) = hits(ecn_values.ecn_cell, switch(Ecn(40_000, 150_000, 5), asic=replace(CHIP, ecn_step=12_288)))
    assert hit.help == "kmin: 36864B or 49152B"


def test_auto_on_ports_of_unknown_speed_is_nothing_to_judge() -> None:
    of = switch(None, ports(None))
    of = replace(of, classes=(replace(of.classes[0], ecn=AUTO), *of.classes[1:]))
    for rule in ecn_values.RULES:
        assert not hits(rule, of, incast=900, **NAMED)
