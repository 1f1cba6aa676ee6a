"""Headroom rules at their bounds, on switches with shipped chips; numbers in tests are worked out by hand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
import rule_factory
from rule_factory import RDMA, device, fabric, hits

from rocecfg.core.units import parse_size
from rocecfg.model import AUTO, Buffers, Device, Fabric, Headroom, PortGroup, Span
from rocecfg.profiles import SHIPPED
from rocecfg.rules import ALL, BY_NAME, OFF, Hit

G = 10**9
TH5 = SHIPPED.asic("tomahawk5")
SPECTRUM4 = SHIPPED.asic("spectrum4")
HERE = Span(0, 10, 20)
FAMILY = ("buffer-headroom", "buffer-headroom-waste", "buffer-peer-response")


def stated(size: int, xon: int | None = None, xoff: int | None = None, at: Span = HERE) -> Headroom:
    """A headroom as an intent states it."""
    return Headroom(size, xon, xoff, {"": at, "size": at, "xon": at, "xoff": at})


def port(
    headroom: Headroom | str | None, speed: int | None = 400 * G, cable: float | None = 300, **more: object
) -> PortGroup:
    """Lossless ports; what they get is what is stated, unless `room` says otherwise."""
    names = more.pop("names", ("Ethernet0",))
    room = more.pop("room", headroom if isinstance(headroom, Headroom) else None)
    known = {"mtu": 9000, "pfc": (3,), **more}
    return PortGroup(names, "p", ("rdma",), speed=speed, cable=cable, headroom=headroom, room=room, **known)  # type: ignore[arg-type]


def switch(*ports: PortGroup, asic: object = None, vendor: str | None = "arista", **more: object) -> Device:
    """A switch with these ports."""
    return replace(device(RDMA, vendor=vendor, ports=ports), asic=asic, **more)  # type: ignore[arg-type]


def found(*devices: Device, **facts: object) -> Iterator[tuple[str, Hit]]:
    """What the rules on headroom find in a fabric of these switches, for each group of ports."""
    whole: Fabric = replace(fabric(devices[0], **facts), devices=devices)
    for name in FAMILY:
        check = BY_NAME[name].check
        assert check is not None
        for of in devices:
            for group in of.ports:
                for hit in check(whole, of, group):
                    yield name, hit


def reported(*devices: Device, **facts: object) -> list[tuple[str, str]]:
    """Names and severities alone."""
    return [(name, hit.severity or BY_NAME[name].severity) for name, hit in found(*devices, **facts)]


ERROR, WARNING = ("buffer-headroom", "error"), ("buffer-headroom", "warning")


# -- what no chip can do without ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mtu", "path_mtu", "floor"),
    [
        # 2 x 300 m x 5 ns x 50 B/ns + 3840 + 84 + 2 x (path MTU + 82 + 20)
        (9000, None, 150_000 + 3924 + 2 * 4198),
        (None, None, 150_000 + 3924 + 2 * 4198),
        (9000, 1024, 150_000 + 3924 + 2 * 1126),
        (1500, None, 150_000 + 3924 + 2 * 1126),  # 2048 + 60 do not fit
        (1500, 4096, 150_000 + 3924 + 2 * 1126),
        (4156, None, 150_000 + 3924 + 2 * 4198),  # 4096 + 60 just fit
        (4155, None, 150_000 + 3924 + 2 * 2150),
    ],
)
def test_the_error_begins_below_the_physical_floor(mtu: int | None, path_mtu: int | None, floor: int) -> None:
    assert reported(switch(port(stated(floor), mtu=mtu)), path_mtu=path_mtu) == []
    assert reported(switch(port(stated(floor - 1), mtu=mtu)), path_mtu=path_mtu) == [ERROR]


def test_the_message_has_number_bound_formula_and_what_passes() -> None:
    ((_, hit),) = found(switch(port(stated(100_000))))
    assert "100KB" in hit.message
    assert "400G over 300 m" in hit.message
    assert "150000 cable 300 m" in hit.message
    assert "162320 B" in hit.message
    assert hit.at[0] == HERE
    assert offered(hit) == stated(163_000)


def offered(hit: Hit) -> Headroom:
    """The headroom that a fix offers."""
    sizes = {key: parse_size(text) for key, text in re.findall(r"(size|xon|xoff): ([0-9.]+\w+)", hit.help)}
    if not sizes:
        sizes = {"size": parse_size(re.findall(r"headroom: ([0-9.]+\w+)", hit.help)[0])}
    return stated(sizes["size"], sizes.get("xon"), sizes.get("xoff"))


def test_of_sizes_told_apart_xoff_counts() -> None:
    assert reported(switch(port(stated(300_000, 10_000, 162_320)))) == []
    assert reported(switch(port(stated(300_000, 10_000, 162_319)))) == [ERROR]


def test_what_the_switch_itself_gives_is_held_against_the_floor_only() -> None:
    table = Headroom(500_000, 0, 170_000)  # 790 KB by Tomahawk 5's own figures
    assert reported(switch(port(AUTO, room=table), asic=TH5)) == []
    short = port(None, room=replace(table, xoff=162_319), origins={"cable": HERE})
    ((_, hit),) = found(switch(short, asic=TH5))
    assert hit.severity is None  # the rule's own: error
    assert hit.at[0] == HERE
    assert "xoff: 791KB" in hit.help


# -- what a chip needs -------------------------------------------------------------------------------------------------

# 3.024 x (9038 + 84 + 150000 + 57920 + 0.83 us x 50 B/ns) + 9038: frames of 9018 B and 20 B gap, 905 quanta
NEED_TH5 = 790_870
# 3 x (9038 + 84 + 150000 + 57920 + 0.12 us x 50 B/ns + 819.2) + 9038
NEED_SPECTRUM4 = 680_622


@pytest.mark.parametrize(("asic", "need"), [(TH5, NEED_TH5), (SPECTRUM4, NEED_SPECTRUM4)])
def test_the_warning_begins_below_what_the_chip_needs(asic: object, need: int) -> None:
    assert reported(switch(port(stated(need)), asic=asic)) == []
    ((name, hit),) = found(switch(port(stated(need - 1)), asic=asic))
    assert (name, hit.severity) == WARNING
    assert f"{need} B" in hit.message
    assert "MTU 9000 B" in hit.message
    assert reported(switch(port(offered(hit)), asic=asic)) == []


def test_a_stated_response_time_replaces_the_chips() -> None:
    legacy = Buffers(response="legacy")
    assert reported(switch(port(stated(640_000)), asic=TH5)) == [WARNING]
    assert reported(switch(port(stated(640_000)), asic=TH5, buffers=legacy)) == []  # 54 KB x 3.024 less


def test_nobody_is_warned_who_states_what_the_switch_would_take() -> None:
    platform = SHIPPED.platform("nokia-ixr7220-h5-64d")
    box = SHIPPED.box("nokia-ixr7220-h5-64d", "sonic", None)
    assert box is not None
    assert box.headroom is not None
    row = box.headroom.rows[800 * G][300]
    of = switch(
        port(stated(row.size, row.xon, row.xoff), 800 * G),
        asic=TH5,
        vendor="sonic",
        platform=platform,
        box=box,
        buffers=Buffers(model="traditional"),
    )
    assert reported(of) == []
    less = replace(of, ports=(port(stated(row.size, row.xon, row.xoff - 1), 800 * G),))
    assert reported(less) == [WARNING]


def test_an_unknown_chip_has_only_the_floor() -> None:
    unknown = replace(TH5, packing=None)
    assert reported(switch(port(stated(163_000)), asic=unknown)) == []
    assert reported(switch(port(stated(162_000)), asic=unknown)) == [ERROR]


@pytest.mark.parametrize(
    "silent",
    [
        port(stated(12_320), speed=None),  # 3840 response + 84 PFC frame + two frames of 4198, and no cable
        port(stated(12_320), cable=None),
        port(stated(1), pfc=()),
        port(stated(1), faces="management"),
        port(None),
        port(AUTO),
    ],
)
def test_what_is_not_known_or_not_lossless_is_left_alone(silent: PortGroup) -> None:
    assert reported(switch(silent, asic=TH5)) == []


def test_headroom_below_what_any_link_needs_is_found_without_speed_and_length() -> None:
    for unknown in (port(stated(12_319), speed=None), port(stated(12_319), cable=None)):
        assert reported(switch(unknown, asic=TH5)) == [ERROR]


def test_fabrics_whose_switches_pause_nobody_are_left_alone() -> None:
    rules = [r for r in ALL if r.code.startswith("BUF")]
    assert len(rules) == 21
    assert {r.by_kind["lossy"] for r in rules} == {OFF}
    assert [r.name for r in rules if r.by_kind.get("semi-lossless") != OFF] == ["buffer-nic"]  # NICs pause there


# -- one headroom for many ports ---------------------------------------------------------------------------------------


def test_one_headroom_is_one_finding_that_names_the_worst_and_offers_enough_for_all() -> None:
    room = stated(100_000)
    leaf = switch(port(room, 400 * G, 5), port(room, 800 * G, 300), asic=TH5)
    spine = switch(port(room, 800 * G, 500), asic=TH5)
    hits = [hit for _, hit in found(leaf, spine)]
    assert len(hits) == 2  # not the 400G ports: 14820 B are enough there to be no error
    assert len({(hit.message, hit.at[0]) for hit in hits}) == 1
    assert "800G over 500 m" in hits[0].message
    assert "800G over 300 m needs 312320 B" in hits[0].message
    enough = offered(hits[0])
    assert (
        reported(
            *(
                replace(of, ports=tuple(replace(p, headroom=enough, room=enough) for p in of.ports))
                for of in (leaf, spine)
            )
        )
        == []
    )


def test_headrooms_stated_in_two_places_are_two() -> None:
    one, two = stated(100_000), stated(100_000, at=Span(0, 30, 40))
    hits = [hit for _, hit in found(switch(port(one), port(two)))]
    assert [hit.at[0] for hit in hits] == [HERE, Span(0, 30, 40)]


# -- more than enough --------------------------------------------------------------------------------------------------


def test_waste_begins_beyond_twice_the_need() -> None:
    assert reported(switch(port(stated(2 * NEED_TH5)), asic=TH5)) == []
    ((name, hit),) = found(switch(port(stated(2 * NEED_TH5 + 1)), asic=TH5))
    assert (name, hit.severity or BY_NAME[name].severity) == ("buffer-headroom-waste", "info")
    assert reported(switch(port(offered(hit)), asic=TH5)) == []


def test_a_headroom_that_one_switch_needs_is_no_waste_on_another() -> None:
    room = stated(850_000)
    leaf = switch(port(room, cable=3), asic=TH5)
    spine = switch(port(room, cable=300), asic=TH5)
    assert reported(leaf) == [("buffer-headroom-waste", "info")]
    assert reported(leaf, spine) == []


@pytest.mark.parametrize("asic", [None, SHIPPED.asic("jericho2"), replace(TH5, response=None)])
def test_waste_is_not_told_of_deep_buffers_nor_where_the_need_is_unknown(asic: object) -> None:
    assert reported(switch(port(stated(50_000_000), cable=3), asic=asic)) == []


# -- 905 or 1810 quanta ------------------------------------------------------------------------------------------------

# at 800G over 30 m on Spectrum-4: 3 x (9038 + 84 + 30000 + response + 12000 + 819.2) + 9038
NEED_905, NEED_1810 = 338_622, 512_382


def test_the_response_time_is_asked_for_only_where_it_decides() -> None:
    def at(size: int, buffers: Buffers | None = None) -> list[tuple[str, str]]:
        return reported(switch(port(stated(size), 800 * G, 30), asic=SPECTRUM4, buffers=buffers or Buffers()))

    assert at(NEED_905 - 1) == [WARNING]
    assert at(NEED_905) == [("buffer-peer-response", "info")]
    assert at(NEED_1810 - 1) == [("buffer-peer-response", "info")]
    assert at(NEED_1810) == []
    assert at(NEED_905, buffers=Buffers(response="802.3")) == []
    assert reported(switch(port(stated(400_000), 400 * G, 30), asic=SPECTRUM4)) == []


def test_where_the_chips_own_school_has_1810_too_little_is_a_warning() -> None:
    # Tomahawk 5: 3.024 x (9038 + 84 + 30000 + 115840 + 83000) + 9038 = 728636
    assert reported(switch(port(stated(728_635), 800 * G, 30), asic=TH5)) == [WARNING]
    assert reported(switch(port(stated(728_636), 800 * G, 30), asic=TH5)) == []


# -- cables ------------------------------------------------------------------------------------------------------------


def cables(of: Device) -> list[Hit]:
    return hits(BY_NAME["buffer-cable-missing"], of)


DYNAMIC = Buffers(model="dynamic")


def test_a_missing_cable_is_told_where_it_is_missing() -> None:
    bare, other = port(None, cable=None, origins={"": HERE}), port(None, cable=5)
    sonic = replace(switch(bare, bare, vendor="sonic", buffers=DYNAMIC), origins={"": Span(0, 1, 2)})
    assert {hit.at[0] for hit in cables(sonic)} == {Span(0, 1, 2)}  # no port has one: once, at the switch
    assert [hit.at[0] for hit in cables(replace(sonic, ports=(bare, other)))] == [HERE]


@pytest.mark.parametrize(
    "of",
    [
        switch(port(None, cable=5), vendor="sonic", buffers=DYNAMIC),
        switch(port(stated(10**6), cable=None), vendor="sonic", buffers=DYNAMIC),
        switch(port(None, cable=None), vendor="sonic"),  # a model that is not known
        switch(port(None, cable=None, pfc=()), vendor="sonic", buffers=DYNAMIC),
        switch(port(None, cable=None, implied=True, names=()), vendor="sonic", buffers=DYNAMIC),
        switch(
            port(None, cable=None, origins={"cable": HERE}), vendor="sonic", buffers=DYNAMIC
        ),  # there, but unreadable
    ],
)
def test_a_cable_is_not_missed_where_it_decides_nothing(of: Device) -> None:
    assert cables(of) == []


def test_cables_are_the_business_of_two_systems() -> None:
    assert not cables(switch(port(None, cable=None), vendor="arista", buffers=DYNAMIC))  # EOS takes none
    assert len(cables(switch(port(None, cable=None), vendor="sonic", buffers=DYNAMIC))) == 1
    assert len(cables(switch(port(None, cable=None), vendor="spectrum"))) == 1


def test_the_smallest_policy_is_silent() -> None:
    assert rule_factory.names("BUF", device(*rule_factory.POLICY)) == []
