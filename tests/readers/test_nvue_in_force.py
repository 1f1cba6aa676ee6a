"""What is in force where the text says little: RoCE's modes, a fresh switch's defaults, profiles bound to ports."""

from __future__ import annotations

import pytest
from nvue_text import device, lint, on, port, rules, switch

from rocecfg.model import Ecn, Headroom

ROCE = "nv set qos roce mode lossless\n"
WHOLE = "nv set system hostname leaf01\n"  # more than QoS: all that the switch has
G = 10**9


def marked(text: str, name: str = "swp1") -> dict[str, tuple[int, int, float]]:
    """Curve by class on a port."""
    found = on(device(text), name)
    return {n: (c.ecn.kmin, c.ecn.kmax, c.ecn.pmax) for n, c in found.items() if isinstance(c.ecn, Ecn)}


# -- modes -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", ["roce", "roce state enabled", "roce enable on", "roce mode lossless"])
def test_roce_is_lossless_unless_told_otherwise(words: str) -> None:
    assert device(f"nv set qos {words}\n").ports[0].pfc == (3,)


@pytest.mark.parametrize("words", ["roce state disabled", "roce enable off", "roce mode lossy"])
def test_roce_without_pauses(words: str) -> None:
    found = device(f"nv set qos roce mode lossless\nnv set qos {words}\n")
    assert found.ports[0].pfc == ()
    assert found.rdma == ()


def test_lossy_has_the_queues_and_marks_of_lossless() -> None:
    lossy, lossless = device("nv set qos roce mode lossy\n"), device(ROCE)
    for a, b in zip(lossy.classes, lossless.classes, strict=True):
        assert (a.dscps, a.queue, a.strict, a.bandwidth, a.ecn) == (b.dscps, b.queue, b.strict, b.bandwidth, b.ecn)


def test_single_pool_is_lossless() -> None:
    text = "nv set qos roce mode lossless-single-ipool\nnv set interface swp1 qos pfc-watchdog\n"
    assert port(text, "swp1").pfc == (3,)
    found = device(text).running
    assert found is not None
    assert [(p.name, p.percent) for p in found.pools] == [("default-lossy", 100)]


@pytest.mark.parametrize(("release", "last"), [("5.14", 0), ("5.16", 5)])
def test_many_classes_without_pauses(release: str, last: int) -> None:
    """The tables of `nv show qos roce` in the guides of 5.14 and 5.16."""
    found = device("nv set qos roce mode lossy-multi-tc\nnv set interface swp1 type swp\n", release)
    to = {d: c.priority for c in found.classes for d in c.dscps}
    assert [to[d] for d in (0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 40)] == [0, 1, 1, 2, 2, 3, 3, 0, 0, 4, 4]
    assert {to[d] for d in range(41, 51)} == {last}
    assert {to[d] for d in range(51, 64)} == {0}
    of = on(found, "swp1")
    assert {n: c.bandwidth for n, c in of.items() if n in ("sp0", "sp1", "sp2", "sp3", "sp4")} == {
        "sp0": 4, "sp1": 8, "sp2": 18, "sp3": 22, "sp4": 22,
    }  # fmt: skip
    assert {n for n, c in of.items() if c.ecn is not None} == {"sp1", "sp2", "sp3"}
    curve = of["sp1"].ecn
    assert isinstance(curve, Ecn)
    assert (curve.kmin, curve.kmax, curve.pmax) == (163 * 1024, 234 * 1024, 5)


def test_between_data_centres_is_not_known() -> None:
    text = "nv set qos roce mode dci-1\nnv set interface swp1 type swp\n"
    assert [t.rule for t in lint(text, "5.18")] == ["device-unread"]
    stated = text + "nv set qos pfc default-global switch-priority 3\n"
    assert port(stated, "swp1").pfc == (3,)


def test_a_fresh_switch() -> None:
    """What NVUE has of itself: trust l2, eight queues of 12 and 13 %, ECN on traffic class 0."""
    text = WHOLE + "nv set interface swp1 type swp\n"
    found = device(text)
    assert found.ports[0].trust == "pcp"
    assert [(c.priority, c.queue, c.bandwidth) for c in found.classes] == [(n, n, 12 + n % 2) for n in range(8)]
    assert marked(text) == {"sp0": (150_000, 1_500_000, 100)}
    assert found.ports[0].pfc == ()
    assert lint(text) == []


def test_a_part_says_nothing_of_what_it_does_not_mention() -> None:
    text = "nv set qos pfc default-global switch-priority 3\nnv set interface swp1 qos pfc-watchdog\n"
    found = device(text)
    assert found.running is not None
    assert not found.running.whole
    assert {c.bandwidth for c in found.classes} == {None}
    assert rules(text) <= {"nvue-default-map", "ecn-missing"}
    assert found.ports[0].mtu is None


# -- what is set over what is implied ----------------------------------------------------------------------------------


def test_settings_are_laid_over_those_of_roce() -> None:
    text = (
        ROCE + "nv set interface swp1 type swp\n"
        "nv set qos mapping default-global dscp 26 switch-priority 4\n"
        "nv set qos egress-queue-mapping default-global switch-priority 4 traffic-class 3\n"
        "nv set qos egress-scheduler default-global traffic-class 3 bw-percent 70\n"
        "nv set qos egress-scheduler default-global traffic-class 0 bw-percent 30\n"
        "nv set qos congestion-control default-global traffic-class 3 probability 10\n"
        "nv set qos pfc default-global cable-length 40\n"
    )
    found = device(text)
    to = {d: c for c in found.classes for d in c.dscps}
    assert (to[26].priority, to[25].priority, to[26].queue) == (4, 3, 3)
    assert (to[26].bandwidth, to[0].bandwidth, to[48].strict) == (70, 30, True)
    assert marked(text)["sp3"] == (150_000, 1_500_000, 10)
    assert marked(text)["sp0"] == (150_000, 1_500_000, 100)
    assert port(text, "swp1").cable == 40


def test_a_list_of_priorities_takes_the_place_of_roces() -> None:
    """NVIDIA's example of moving the lossless priority from 3 to 2."""
    text = ROCE + (
        "nv set qos pfc default-global switch-priority 2\n"
        "nv set qos egress-queue-mapping default-global switch-priority 2 traffic-class 3\n"
        "nv set qos egress-queue-mapping default-global switch-priority 3 traffic-class 0\n"
        "nv set qos mapping default-global trust both\n"
        "nv set qos mapping default-global dscp 26 switch-priority 2\n"
        "nv set interface swp1 qos pfc-watchdog\n"
    )
    found = device(text)
    assert found.ports[0].pfc == (2,)
    (rdma,) = found.rdma
    assert (rdma.name, rdma.queue, 26 in rdma.dscps) == ("sp2", 3, True)
    # 16 to 23 are lossless now, storage's usual 18 and 20 among them
    assert rules(text) == {"nvue-default-map", "ecn-vendor-default", "mix-lossless-dscp"}


def test_marked_queues_that_are_set_replace_those_of_a_fresh_switch() -> None:
    """As `nv show qos congestion-control` has it in the guide: after setting 4, 5 and 7, traffic class 0 is gone."""
    text = WHOLE + (
        "nv set qos congestion-control default-global traffic-class 4,5,7 min-threshold 40000\n"
        "nv set qos congestion-control default-global traffic-class 4,5,7 max-threshold 200000\n"
        "nv set qos congestion-control default-global traffic-class 4,5,7 red enable\n"
        "nv set interface swp1 type swp\n"
    )
    assert marked(text) == {f"sp{n}": (40_000, 200_000, 100) for n in (4, 5, 7)}
    running = port(text, "swp1").running
    assert running is not None
    assert [(q.number, q.discards) for q in running.queues] == [(4, True), (5, True), (7, True)]


# -- bound profiles ----------------------------------------------------------------------------------------------------


def test_a_bound_profile_replaces_the_global_settings() -> None:
    text = ROCE + (
        "nv set qos pfc default-global cable-length 30\n"
        "nv set qos pfc near switch-priority 3\n"
        "nv set qos pfc none tx disable\n"
        "nv set qos pfc none rx disable\n"
        "nv set qos congestion-control deep traffic-class 3 min-threshold 1000000\n"
        "nv set qos congestion-control deep traffic-class 3 max-threshold 2000000\n"
        "nv set qos mapping untrusted trust port\n"
        "nv set qos egress-scheduler half traffic-class 3,6 mode dwrr\n"
        "nv set qos egress-scheduler half traffic-class 3 bw-percent 60\n"
        "nv set qos egress-scheduler half traffic-class 6 bw-percent 40\n"
        "nv set interface swp1-6 type swp\n"
        "nv set interface swp2 qos pfc profile near\n"
        "nv set interface swp3 qos pfc profile none\n"
        "nv set interface swp4 qos congestion-control profile deep\n"
        "nv set interface swp5 qos mapping profile untrusted\n"
        "nv set interface swp6 qos egress-scheduler profile half\n"
    )
    assert [port(text, f"swp{n}").cable for n in (1, 2, 3)] == [30, 10, None]
    assert [port(text, f"swp{n}").pfc for n in (1, 2, 3)] == [(3,), (3,), ()]
    assert marked(text, "swp4") == {"sp3": (1_000_000, 2_000_000, 100)}
    assert marked(text, "swp1")["sp3"] == (150_000, 1_500_000, 100)
    assert [port(text, f"swp{n}").trust for n in (1, 5)] == ["dscp", "none"]
    of = on(device(text), "swp6")
    assert (of["sp3"].bandwidth, of["sp6"].bandwidth, of["sp6"].strict, of["sp0"].bandwidth) == (60, 40, False, 0)
    running = port(text, "swp4").running
    assert running is not None
    assert running.maps == (("congestion-control", "deep"),)


def test_a_bonds_profile_is_its_members() -> None:
    text = ROCE + (
        "nv set qos pfc far switch-priority 3\n"
        "nv set qos pfc far cable-length 80\n"
        "nv set interface bond1 bond member swp1-2\n"
        "nv set interface bond1 qos pfc profile far\n"
        "nv set interface bond1 bridge domain br_default access 10\n"
        "nv set interface bond1 link mtu 9000\n"
        "nv set interface swp1-3 qos pfc-watchdog\n"
    )
    group, other = port(text, "swp2"), port(text, "swp3")
    assert (group.cable, group.lag, group.layer, group.mtu) == (80, "bond1", 2, 9000)
    assert (other.cable, other.lag) == (100, None)
    assert "nvue-bond-member" not in rules(text)


def test_shapers() -> None:
    text = ROCE + (
        "nv set qos egress-shaper slow traffic-class 3 max-rate 50000000\n"
        "nv set qos egress-shaper slow traffic-class 3 min-rate 1000\n"
        "nv set qos egress-shaper slow traffic-class 6 max-rate 2147483647\n"
        "nv set interface swp1-2 qos pfc-watchdog\n"
        "nv set interface swp1 qos egress-shaper profile slow\n"
    )
    found = device(text)
    assert (on(found, "swp1")["sp3"].max_rate, on(found, "swp1")["sp3"].guaranteed_rate) == (50 * G, 10**6)
    assert on(found, "swp1")["sp6"].max_rate is None
    assert on(found, "swp2")["sp3"].max_rate is None


# -- PFC, headroom, watchdog -------------------------------------------------------------------------------------------


def test_fixed_headroom_counts_from_the_other_end() -> None:
    """Of 300000 B the pause goes out at 60000, so 240000 may still come; it ends 20000 below that."""
    text = ROCE + (
        "nv set qos pfc default-global port-buffer 300000\n"
        "nv set qos pfc default-global xoff-threshold 60000\n"
        "nv set qos pfc default-global xon-threshold 20000\n"
    )
    assert device(text).ports[0].headroom == Headroom(300_000, 40_000, 240_000)
    assert device(ROCE).ports[0].headroom == "auto"


def test_one_way() -> None:
    text = ROCE + "nv set qos pfc default-global tx disable\nnv set interface swp1 qos pfc-watchdog\n"
    running = port(text, "swp1").running
    assert running is not None
    assert (running.obeys, running.sends) == (None, ())


@pytest.mark.parametrize(
    ("words", "watched"),
    [("pfc-watchdog", True), ("pfc-watchdog state enable", True), ("pfc-watchdog state disable", False)],
)
def test_watchdog(words: str, watched: bool) -> None:
    dog = port(ROCE + f"nv set interface swp1 qos {words}\n", "swp1").watchdog
    assert (dog is not None) == watched
    if dog is not None:
        assert (dog.detection, dog.restoration, dog.poll, dog.action) == (300, 100, 100, "drop")


def test_link_pause() -> None:
    text = WHOLE + (
        "nv set qos traffic-pool default-lossy memory-percent 50\n"
        "nv set qos traffic-pool default-lossless memory-percent 50\n"
        "nv set qos link-pause hosts rx disable\n"
        "nv set interface swp1-2 type swp\n"
        "nv set interface swp1 qos link-pause profile hosts\n"
    )
    assert [port(text, f"swp{n}").flowcontrol for n in (1, 2)] == ["tx", "off"]
    assert lint(text) == []


# -- pools, ports, the rest --------------------------------------------------------------------------------------------


def test_pools_and_alpha() -> None:
    text = ROCE + (
        "nv set qos traffic-pool default-lossy memory-percent 20\n"
        "nv set qos traffic-pool roce-lossless memory-percent 70\n"
        "nv set qos advance-buffer-config default-global ingress-lossless-buffer shared-alpha alpha_1_2\n"
        "nv set qos advance-buffer-config default-global ingress-service-pool 3 memory-percent 10\n"
    )
    found = device(text)
    assert (found.buffers.lossless_pool, found.buffers.lossy_pool, found.buffers.alpha) == (70, 20, 0.5)
    assert found.running is not None
    assert {(p.name, p.direction, p.percent) for p in found.running.pools} == {
        ("default-lossy", "both", 20),
        ("roce-lossless", "both", 70),
        ("ingress-service-pool 3", "ingress", 10),
    }


def test_links() -> None:
    text = """\
- header: {version: Cumulus Linux 5.16.0}
- set:
    interface:
      swp1: {link: {speed: 400G, fec: rs, state: {up: {}}}, ipv4: {address: {10.0.0.1/31: {}}}}
      swp2: {link: {speed: auto, fec: auto, mtu: 1500, state: {down: {}}}, bridge: {domain: {br_default: {}}}}
      swp3: {vrf: tenant}
      eth0: {type: eth, ipv4: {address: {dhcp: {}}}}
"""
    one, two, three = (port(text, f"swp{n}") for n in (1, 2, 3))
    assert (one.speed, one.fec, one.layer, one.mtu) == (400 * G, "rs", 3, 9216)
    assert (two.speed, two.fec, two.layer, two.mtu) == (None, None, 2, 1500)
    assert three.layer == 3
    assert one.running is not None
    assert two.running is not None
    assert (one.running.up, two.running.up) == (True, False)
    assert sorted(n for p in device(text).ports for n in p.names) == ["swp1", "swp2", "swp3"]


def test_parts_of_a_port_that_nobody_names() -> None:
    named = "nv set interface swp1s0 qos pfc-watchdog\nnv set interface swp2 type swp\n"
    text = f"{ROCE}nv set interface swp1 link breakout 4x\n{named}"
    names = {n for p in device(text).ports for n in p.names}
    assert names == {"swp1s0", "swp1s1", "swp1s2", "swp1s3", "swp2"}


@pytest.mark.parametrize(
    ("words", "far"),
    [
        ("to spine01:swp3", ("spine01", "swp3")),
        ("spine01 Ethernet1/1", ("spine01", "Ethernet1/1")),
        ("Link to gpu-07 port nic0", ("gpu-07", "nic0")),
        ("leaf01_swp51s1", ("leaf01", "swp51s1")),
        ("ISL to other core switch", None),
        ("Edge uplinks", None),
        ("spine01", None),
        ("customer 42, port 3", None),
    ],
)
def test_neighbours(words: str, far: tuple[str, str] | None) -> None:
    found = switch(f"nv set interface swp1 description '{words}'\n").neighbours
    assert [(n.port, n.device, n.far_port) for n in found] == ([("swp1", *far)] if far else [])


@pytest.mark.parametrize(
    ("model", "platform"), [("SN5600", "nvidia-sn5600"), ("MSN4700", "nvidia-sn4700"), ("vx", None), ("SN9999", None)]
)
def test_the_box(model: str, platform: str | None) -> None:
    text = (
        f"- header: {{model: {model}, version: Cumulus Linux 5.16.0}}\n- set: {{qos: {{roce: {{state: enabled}}}}}}\n"
    )
    box = device(text).platform
    assert (box.name if box is not None else None) == platform


def test_every_value_has_its_place() -> None:
    text = ROCE + "nv set qos pfc default-global cable-length 40\nnv set interface swp1 link mtu 9000\n"
    group = port(text, "swp1")
    for field, word in (("cable", "40"), ("mtu", "9000"), ("pfc", "")):
        at = group.origins.get(field)
        if word:
            assert text[at.start : at.end] == word  # type: ignore[union-attr]
    sp3 = device(text).cls("sp3")
    at = sp3.origins["lossless"]
    assert text[at.start : at.end] == "lossless"  # type: ignore[union-attr]
