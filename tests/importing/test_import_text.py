"""The text of an import: what stands where, what things are called, what is said of guesses and of what is lost."""

from __future__ import annotations

import re

import pytest
from importing_switches import AT, G, curve, dog, import_of, lines, linted, loaded, ports, section, switch, val

from rocecfg.core.nodeset import node_set
from rocecfg.core.roles import guess_role
from rocecfg.importing.express import round_to_whole
from rocecfg.importing.portsets import by_number, fold_short
from rocecfg.model import Running, RunningPool, RunningPort, RunningQueue
from rocecfg.model.switch import Neighbour


def unwrapped(text: str) -> str:
    """A text with its comments as long lines."""
    return re.sub(r"\n *# (?!not in this|unlike|guessed|what)", " ", text)


# -- classes -----------------------------------------------------------------------------------------------------------


def test_classes_have_the_names_that_people_give_them() -> None:
    found = lines([switch("leaf1", ports("Ethernet[0-24/8]"))])
    assert "rdma: {carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 60}" in found
    assert "cnp: {carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}" in found
    assert "control: {carries: [control], dscp: 56, priority: 7, bandwidth: strict}" in found
    assert "default: {carries: [default], dscp: rest, priority: 0, bandwidth: 40}" in found
    for name in ("rdma", "cnp", "control", "default"):
        at = next(n for n, line in enumerate(found) if line.startswith(f"{name}:"))
        assert found[at - 1].startswith("# guessed: ")


def test_what_a_class_carries_is_not_made_up() -> None:
    found = lines([switch("leaf1", ports("Ethernet0"), dscp={26: 3, 48: 6, 49: 6, 56: 7, 10: 1, 18: 2, 20: 2})])
    assert "tc1: {dscp: 10, priority: 1}" in found
    assert "tc2: {dscp: [18, 20], priority: 2}" in found
    # BGP is marked 48 as CNPs are: with others on the queue it may be either
    assert "tc6: {dscp: [48, 49], priority: 6, bandwidth: strict}" in found
    assert found.count("# the traffic of classes named by number is unknown: rename them, or state carries") == 1


def test_several_lossless_classes_are_told_apart_by_number() -> None:
    both = {3: 3, 4: 4, 48: 6, 56: 7}
    found = lines([switch("leaf1", ports("Ethernet0", pfc=(3, 4)), dscp=both, groups={4: 4})])
    assert "rdma: {carries: [rdma], dscp: 3, priority: 3, lossless: true, bandwidth: 60}" in found
    assert "rdma-tc4: {carries: [rdma], dscp: 4, priority: 4, lossless: true}" in found


def test_the_lossless_class_of_each_switch_is_one_class_whatever_its_number() -> None:
    usual = [switch(f"leaf{n}", ports("Ethernet0")) for n in (1, 2)]
    other = switch(
        "leaf3", ports("Ethernet0", pfc=(4,), shares={0: 40, 4: 60}), dscp={26: 4, 48: 6, 56: 7}, groups={4: 4}
    )
    text = import_of([*usual, other]).text
    assert "rdma: {carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 60}" in text
    assert "  leaf3:\n    role: leaf # guessed from the hostname\n    classes: {rdma: {priority: 4}}\n" in text


def test_a_switch_without_pfc_is_seen_to_be_the_odd_one() -> None:
    switches = [switch(f"leaf{n}", ports("Ethernet0", pfc=(3,) if n < 4 else ())) for n in range(1, 5)]
    text = import_of(switches).text
    assert '"leaf[1-4]":' in text
    assert "  # unlike the others:\n  leaf4:\n    classes: {rdma: {pg: 3, lossless: false}}\n" in text


def test_a_class_of_a_few_switches_stands_with_them() -> None:
    switches = [switch(f"leaf{n}", ports("Ethernet0")) for n in range(1, 4)]
    switches.append(switch("leaf4", ports("Ethernet0"), dscp={26: 3, 48: 6, 56: 7, 10: 1}))
    found = lines(switches)
    assert "tc1: {dscp: 10, priority: 1}" in found
    assert found.index("tc1: {dscp: 10, priority: 1}") > found.index("leaf4:")
    assert "tc1: off" not in found


def test_maps_that_do_not_lead_straight_are_said() -> None:
    found = lines([switch("leaf1", ports("Ethernet0"), groups={3: 4, 7: 0, 6: 7})])
    assert "rdma: {carries: [rdma], dscp: 26, priority: 3, pg: 4, lossless: true, bandwidth: 60}" in found
    assert "control: {carries: [control], dscp: 56, priority: 7, pg: 0, bandwidth: strict}" in found
    assert "cnp: {carries: [cnp], dscp: 48, priority: 6, pg: 7, bandwidth: strict}" in found


@pytest.mark.parametrize(
    ("shares", "stated"),
    [
        ((100 / 3, 200 / 3), ("33", "67")),
        ((0.5, 99.5), ("1", "99")),
        ((40, 60), ("40", "60")),
        ((12.5, 87.5), ("13", "87")),
        ((0.01, 99.99), ("1", "99")),  # weights of 1 and 9999: 1 % is the least that there is
    ],
)
def test_shares_are_whole_numbers_where_they_are_of_the_whole(
    shares: tuple[float, float], stated: tuple[str, str]
) -> None:
    of = {0: shares[0], 3: shares[1], 6: "strict", 7: "strict"}
    found = lines([switch("leaf1", ports("Ethernet0", shares=of))])
    assert f"default: {{carries: [default], dscp: rest, priority: 0, bandwidth: {stated[0]}}}" in found
    assert f"rdma: {{carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: {stated[1]}}}" in found


def test_shares_that_are_less_than_the_whole_stay_as_they_are_and_lint_is_told_so() -> None:
    found = lines([switch("leaf1", ports("Ethernet0", shares={0: 10, 3: 100 / 3, 6: "strict", 7: "strict"}))])
    assert "rdma: {carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 33.3333}" in found
    (waiver,) = (n for n, line in enumerate(found) if line.startswith("# rocecfg: ignore[ets-sum] -- "))
    assert found[waiver + 1] == "bandwidth: 10"


def test_equal_shares_stay_equal() -> None:
    """Weights of 20, 10 and 70 among 130, as SONiC ships them for Tomahawk 5."""
    weights = {0: 10, 1: 10, 3: 20, 4: 10, 5: 10, 6: 70}
    assert round_to_whole({q: w * 100 / 130 for q, w in weights.items()}) == {0: 8, 1: 8, 3: 15, 4: 8, 5: 8, 6: 53}


# -- marking -----------------------------------------------------------------------------------------------------------


def test_curves_by_speed_stand_once() -> None:
    slow, fast = curve(400_000, 1_600_000), curve(800_000, 3_200_000)
    leaf = ports("Ethernet[0-56/8]", speed=400 * G, ecn=slow), ports("Ethernet[64,72]", speed=800 * G, ecn=fast)
    spine = ports("Ethernet[0,8]", speed=800 * G, ecn=fast)
    text = import_of([switch("leaf1", *leaf), switch("leaf2", *leaf), switch("spine1", spine)]).text
    assert "ecn: {kmin: 400KB, kmax: 1600KB, pmax: 5%, by_speed: {800G: {kmin: 800KB, kmax: 3200KB, pmax: 5%}}}" in text
    assert text.count("kmin") == 2


def test_a_switch_with_other_curves_says_them_whole() -> None:
    usual, other = curve(400_000, 1_600_000), curve(400_000, 2_000_000, weight=4)
    switches = [switch(f"leaf{n}", ports("Ethernet[0,8]", speed=400 * G, ecn=usual)) for n in range(3)]
    switches.append(switch("leaf3", ports("Ethernet[0,8]", speed=400 * G, ecn=other)))
    switches += [
        switch(f"leaf{n}", ports("Ethernet[0,8]", speed=400 * G, ecn=curve(1_000, 2_000))) for n in range(4, 8)
    ]
    switches.append(switch("leaf8", ports("Ethernet[0,8]", speed=400 * G, ecn=curve(1_000, 3_000))))
    text = import_of(switches).text
    assert "classes: {rdma: {ecn: {kmin: 400KB, kmax: 2MB, pmax: 5%, weight: 4}}}" in text
    assert "classes: {rdma: {ecn: {kmin: 1KB, kmax: 3KB, pmax: 5%}}}" in text
    assert loaded(text).problems == []


def test_a_port_with_another_curve_says_it() -> None:
    usual, other = curve(400_000, 1_600_000), curve(100_000, 200_000)
    found = lines(
        [switch("leaf1", ports("Ethernet[0-24/8]", ecn=usual), ports("Ethernet32", ecn=other), ports("Ethernet40"))]
    )
    assert "Ethernet32: {classes: {rdma: {ecn: {kmin: 100KB, kmax: 200KB, pmax: 5%}}}}" in found
    assert 'Ethernet40: {classes: {rdma: {ecn: "off"}}}' in found


def test_marking_at_unknown_thresholds_is_not_called_absent() -> None:
    made = import_of([switch("leaf1", ports("Ethernet0", ecn="auto"))])
    assert "ecn: auto}" in made.text
    assert "# not in this intent: Ethernet0: the thresholds at which tc 3 is marked (switches.txt:1)" in made.text
    assert "ecn-missing" not in {finding.rule.name for finding in linted(made.text).findings}


@pytest.mark.parametrize(
    ("kmin", "kmax", "stated"),
    [
        (1_048_576, 2_097_152, "kmin: 1MiB, kmax: 2MiB"),
        (1_000_000, 2_500_000, "kmin: 1MB, kmax: 2500KB"),
        (150_000, 2_097_152, "kmin: 150KB, kmax: 2097152B"),  # one family of units in a file
        (150_001, 1_599_946, "kmin: 150001B, kmax: 1599946B"),
    ],
)
def test_sizes_are_whole_numbers_of_one_family(kmin: int, kmax: int, stated: str) -> None:
    made = import_of([switch("leaf1", ports("Ethernet0", ecn=curve(kmin, kmax)))])
    assert stated in made.text
    assert loaded(made.text).problems == []


# -- watchdog, headroom ------------------------------------------------------------------------------------------------


def test_the_watchdog_of_most_ports_stands_above_and_what_differs_below() -> None:
    leaf = ports("Ethernet[0-24/8]", watchdog=dog(200)), ports("Ethernet32", watchdog=dog(200, action="alert"))
    spine = ports("Ethernet[0,8]", watchdog=dog(400))
    text = import_of([switch("leaf1", *leaf), switch("leaf2", *leaf), switch("spine1", spine)]).text
    assert "watchdog: {detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}" in text
    assert "Ethernet32: {pfc: {watchdog: {action: alert}}}" in text
    assert "pfc: {watchdog: {detection_time: 400ms, restoration_time: 800ms}}" in text


def test_ports_without_a_watchdog_do_not_come_to_have_one() -> None:
    with_dog, without = ports("Ethernet[0-24/8]", watchdog=dog(200)), ports("Ethernet32")
    unpaused = ports("Ethernet40", pfc=())
    text = import_of([switch("leaf1", with_dog, without, unpaused)]).text
    assert 'Ethernet32: {pfc: {watchdog: "off"}}' in text
    assert 'Ethernet40: {classes: {rdma: "off"}}' in text  # there is nothing there to be watched
    assert "watchdog-missing" in {finding.rule.name for finding in linted(text).findings}


def test_a_time_that_cumulus_linux_lacks_is_not_said_of_it() -> None:
    watched = section({"detection_time": 200, "poll_interval": 100, "action": "drop"})
    made = import_of(
        [
            switch("leaf1", ports("swp[1-4]", watchdog=watched), vendor="spectrum"),
            switch("leaf2", ports("Ethernet[0-24/8]", watchdog=dog(200))),
        ]
    )
    assert "watchdog: {detection_time: 200ms, poll_interval: 100ms, action: drop}" in made.text
    assert "restoration" not in made.text
    fabric = loaded(made.text).fabric
    assert fabric is not None
    assert {p.watchdog.restoration for d in fabric.devices for p in d.ports if p.watchdog} == {400}


def test_a_restoration_time_is_said_where_another_would_be_inherited() -> None:
    made = import_of(
        [
            switch("leaf1", ports("swp[1-4]", watchdog=dog(200)), vendor="spectrum"),
            switch("leaf2", ports("Ethernet[0-56/8]", watchdog=dog(200, 300))),
            switch("leaf3", ports("Ethernet[0-24/8]", watchdog=dog(400))),
        ]
    )
    assert "pfc: {watchdog: {detection_time: 400ms, restoration_time: 800ms}}" in made.text
    fabric = loaded(made.text).fabric
    assert fabric is not None
    assert [d.ports[0].watchdog.restoration for d in fabric.devices[1:] if d.ports[0].watchdog] == [300, 800]


def test_what_no_intent_can_say_of_a_watchdog_is_told() -> None:
    watched = dog(200)
    watched["restoration_time"] = val(None)
    text = import_of([switch("leaf1", ports("Ethernet[0-24/8]", watchdog=watched))]).text
    assert (
        "# not in this intent: Ethernet[0-24/8]: after a storm the watchdog never restores the queue by itself" in text
    )


def test_headroom_stands_by_speed() -> None:
    leaf = (
        ports("Ethernet[0-24/8]", speed=400 * G, headroom=section({"size": 60_000, "xon": 20_000, "xoff": 40_000})),
        ports("Ethernet32", speed=800 * G, headroom=120_000),
        ports("Ethernet40", speed=800 * G, headroom=130_000),
        ports("Ethernet48", speed=800 * G, headroom=120_000),
    )
    found = lines([switch("leaf1", *leaf)])
    assert "headroom: {by_speed: {400G: {size: 60KB, xon: 20KB, xoff: 40KB}, 800G: 120KB}}" in found
    assert "Ethernet40: {speed: 800G, pfc: {headroom: 130KB}}" in found
    assert '"Ethernet[32,48]": {speed: 800G}' in found


# -- devices, ports ----------------------------------------------------------------------------------------------------


def test_equal_switches_and_ports_stand_under_one_key_in_the_order_that_people_count() -> None:
    alike = [
        ports("Ethernet100,Ethernet4,Ethernet0,Ethernet96", speed=100 * G, cable=0.5),
        ports("Ethernet8", speed=100 * G, cable=40),
    ]
    found = lines([switch(name, *alike) for name in ("leaf10", "leaf2", "leaf1", "leaf9")])
    assert '"leaf[1-2,9-10]":' in found
    assert '"Ethernet[0,4,96,100]": {speed: 100G, cable: 0.5m}' in found
    assert "Ethernet8: {speed: 100G, cable: 40m}" in found


@pytest.mark.parametrize(
    ("names", "stated"),
    [
        ([f"swp{n}s{m}" for n in range(1, 33) for m in (0, 1)], "swp[1-32]s[0-1]"),
        ([f"Ethernet{n}/{m}" for n in (1, 2, 5) for m in range(1, 5)], "Ethernet[1-2,5]/[1-4]"),
        (["swp1s0", "swp1s1", "swp2s0", "swp3"], "swp1s[0-1],swp2s0,swp3"),
        (["leaf01", "leaf02", "spine1"], "leaf[01-02],spine1"),
        (["eth0"], "eth0"),
    ],
)
def test_names_fold_to_what_gives_them_back(names: list[str], stated: str) -> None:
    assert fold_short(names) == stated
    assert node_set(stated).names == tuple(names)
    backwards = names[::-1]
    assert sorted(backwards, key=by_number) == names


def test_what_all_have_in_common_is_a_default() -> None:
    one = {"platform": "nvidia-sn4700", "hwsku": "ACS-MSN4700", "version": "202405"}
    found = lines(
        [switch("leaf1", ports("Ethernet0", mtu=9000), **one), switch("leaf2", ports("Ethernet0", mtu=9000), **one)]
    )
    at = found.index("defaults:")
    assert found[at + 1 : at + 5] == [
        "vendor: sonic",
        "platform: nvidia-sn4700",
        "hwsku: ACS-MSN4700",
        'version: "202405"',
    ]
    assert found[found.index("fabric:") + 2] == "mtu: 9000"
    assert '"leaf[1-2]":' in found


def test_releases_of_several_vendors_stand_side_by_side() -> None:
    found = lines(
        [
            switch("leaf1", ports("Ethernet0"), version="202405"),
            switch("leaf2", ports("Ethernet0"), version="202405"),
            switch("leaf3", ports("Ethernet0"), version="202311"),
            switch("spine1", ports("swp1"), vendor="spectrum", version="5.14"),
        ]
    )
    assert 'version: {sonic: "202405", spectrum: "5.14"}' in found
    assert found[found.index("leaf3:") + 1] == 'version: "202311"'


def test_a_release_that_is_not_known_is_not_made_up() -> None:
    switches = [switch("leaf1", ports("Ethernet0"), version="202405"), switch("leaf2", ports("Ethernet0"))]
    fabric = loaded(import_of(switches).text).fabric
    assert fabric is not None
    assert {name: d.version for d in fabric.devices for name in d.names} == {"leaf1": "202405", "leaf2": None}


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("leaf01", "leaf"),
        ("dc1-LEAF-3a", "leaf"),
        ("rack7-tor1", "leaf"),
        ("spine2.example.net", "spine"),
        ("dc1-super-spine1", "superspine"),
        ("superspine1", "superspine"),
        ("core-01", None),
        ("storage1", None),  # it has `tor` in it
        ("spineleaf", None),
        ("spine-leaf-gw", None),
    ],
)
def test_roles_are_guessed_only_from_whole_words(name: str, role: str | None) -> None:
    assert guess_role(name) == role


def test_a_role_that_is_said_is_not_called_a_guess() -> None:
    found = lines([switch("spine1", ports("Ethernet0"), role="leaf"), switch("spine2", ports("Ethernet0"))])
    assert "role: leaf" in found
    assert "role: spine # guessed from the hostname" in found


def test_trust_is_said_where_it_is_not_dscp() -> None:
    of = ports("Ethernet[0-24/8]", trust="dscp", flowcontrol="off"), ports("Ethernet32", trust="pcp", flowcontrol="rx")
    text = import_of([switch("leaf1", *of)]).text
    assert "Ethernet32: {trust: pcp, flowcontrol: rx}" in text
    assert text.count("trust") == text.count("flowcontrol") == 1


# -- links -------------------------------------------------------------------------------------------------------------


def _wired(**ends: list[tuple[str, str, str | None]]) -> list[str]:
    """Lines of the links of switches with ports Ethernet0 to 24; each switch with port, far switch, far port."""
    made = [
        switch(name, ports("Ethernet[0-24/8]"), neighbours=tuple(Neighbour(p, d, q, AT) for p, d, q in reported))
        for name, reported in ends.items()
    ]
    text = import_of(made).text
    assert loaded(text).problems == []
    return [line.strip() for line in text.partition("\nlinks:")[2].splitlines() if line.strip()]


def test_a_link_is_told_by_one_end_or_both() -> None:
    one_end = _wired(leaf1=[("Ethernet0", "spine1", "Ethernet8")], spine1=[])
    assert one_end == ['- {a: "leaf1:Ethernet0", b: "spine1:Ethernet8"}']
    both = _wired(
        leaf1=[("Ethernet0", "SPINE1.example.net", "Ethernet8")], spine1=[("Ethernet8", "leaf1", "Ethernet0")]
    )
    assert both == one_end


def test_a_link_whose_far_port_nobody_names_is_told_where_there_is_only_one() -> None:
    assert _wired(leaf1=[("Ethernet0", "spine1", None)], spine1=[("Ethernet8", "leaf1", None)]) == [
        '- {a: "leaf1:Ethernet0", b: "spine1:Ethernet8"}'
    ]
    two = [("Ethernet0", "spine1", None), ("Ethernet8", "spine1", None)]
    assert _wired(leaf1=two, spine1=[("Ethernet8", "leaf1", None)]) == []


def test_what_leads_elsewhere_is_no_link() -> None:
    reported = [
        ("Ethernet0", "gpu01", "eth0"),
        ("Ethernet8", "leaf1", "Ethernet16"),
        ("Ethernet99", "leaf2", "Ethernet0"),
    ]
    assert _wired(leaf1=reported, leaf2=[]) == []


def test_ends_that_contradict_each_other_are_left_out_and_named() -> None:
    switches = [
        switch("leaf1", ports("Ethernet[0-24/8]"), neighbours=(Neighbour("Ethernet0", "spine1", "Ethernet8", AT),)),
        switch("spine1", ports("Ethernet[0-24/8]"), neighbours=(Neighbour("Ethernet8", "leaf1", "Ethernet16", AT),)),
        switch("leaf2", ports("Ethernet[0-24/8]"), neighbours=(Neighbour("Ethernet0", "spine1", "Ethernet0", AT),)),
    ]
    text = import_of(switches).text
    assert "left out if statements on a port's far end contradict each other: spine1:Ethernet8." in unwrapped(text)
    assert 'links:\n  - {a: "spine1:Ethernet0", b: "leaf2:Ethernet0"}\n' in text


def test_uplinks_are_paired_node_sets() -> None:
    ends = {
        f"leaf{n}": [(f"Ethernet{8 * m}", f"spine{m + 1}", f"Ethernet{8 * (n - 1)}") for m in (0, 1)] for n in (1, 2, 3)
    }
    assert _wired(**ends, spine1=[], spine2=[]) == [
        '- {a: "leaf[1-3]:Ethernet0", b: "spine1:Ethernet[0-16/8]"}',
        '- {a: "leaf[1-3]:Ethernet8", b: "spine2:Ethernet[0-16/8]"}',
    ]


# -- what an intent cannot say -----------------------------------------------------------------------------------------


def test_what_an_intent_has_no_word_for_is_listed_with_its_place() -> None:
    pool = RunningPool("egress_pool", "egress", lossless=False, mode="dynamic", size=32_000_000)
    third = RunningPool("multicast", "egress", percent=5)
    running = Running("config_db", pools=(pool, third), remarks=((3, 46),), watchdog_forced=True)
    of = RunningPort(up=False, obeys=(3, 4), sends=(3,), queues=(RunningQueue(0, discards=True),))
    text = unwrapped(import_of([switch("leaf1", ports("Ethernet[0-24/8]", running=of), running=running)]).text)
    for reported in (
        "Ethernet[0-24/8]: PFC is not the same both ways: pauses are obeyed on priorities 3 4 (switches.txt:1)",
        "Ethernet[0-24/8]: administratively down (switches.txt:1)",
        "Ethernet[0-24/8]: WRED drops in queues 0 (switches.txt:1)",
        "buffer pools: egress_pool egress dynamic 32MB; multicast egress 5% (switches.txt:1)",
        "DSCP is rewritten in what is sent: tc 3 to 46 (switches.txt:1)",
        "the watchdog is forced on: lossless queues drop, storm or not (switches.txt:1)",
    ):
        assert f"# not in this intent: {reported}" in text


def test_what_is_true_of_several_groups_is_told_once() -> None:
    running = Running("config_db", watchdog_forced=True)
    switches = [
        switch("leaf1", ports("Ethernet0", speed=400 * G), running=running),
        switch("leaf2", ports("Ethernet0", speed=100 * G), running=running),
        switch("leaf3", ports("Ethernet0", speed=10 * G)),
    ]
    text = unwrapped(import_of(switches).text)
    wording = "# not in this intent: leaf[1-2]: the watchdog is forced on: lossless queues drop, storm or not"
    assert text.count("not in this intent") == 1
    assert f"{wording} (switches.txt:1 and 1 more)\ndevices:" in text


def test_values_that_the_format_does_not_take_are_told_and_not_written() -> None:
    made = import_of([switch("leaf1", ports("Ethernet0", mtu=9, watchdog=dog(-5)), arp_timeout=10**12)])
    assert "arp_timeout:" not in made.text
    assert "mtu:" not in made.text
    for reported in ("Ethernet0: mtu 9 (", "Ethernet0: watchdog detection_time -5 ms (", "arp_timeout 1000000000s ("):
        assert f"# not in this intent: {reported}" in made.text
    assert loaded(made.text).problems == []


def test_curves_that_make_no_sense_are_told_and_not_written() -> None:
    lacking, huge = section({"kmin": 1000, "pmax": 5}), curve(1000, 2**50)
    of = (
        ports("Ethernet0", ecn=lacking),
        ports("Ethernet8", ecn=huge),
    )
    made = import_of([switch("leaf1", *of, drop_incomplete_arp=True)])
    reported = unwrapped(made.text)
    assert "# not in this intent: Ethernet0: ECN without kmin, kmax or pmax (tc 3)" in reported
    assert "# not in this intent: Ethernet8: ECN kmax 1125899906842624B (tc 3)" in reported
    assert "ecn" not in made.text.partition("devices:")[0]
    assert "drop_incomplete_arp: true" in made.text
    assert loaded(made.text).problems == []


def test_ports_with_names_that_no_intent_takes_are_counted() -> None:
    odd = ports("Ethernet0")._replace(names=("Ethernet0", "0(1)"))
    made = import_of([switch("leaf1", odd, ports("Ethernet8")._replace(names=("(8)",)))])
    assert "Ethernet0: {}" in made.text
    assert unwrapped(made.text).count("2 ports with a name that an intent does not accept") == 1
    assert loaded(made.text).problems == []


def test_a_long_list_of_losses_is_cut() -> None:
    of = [ports(f"Ethernet{n}", mtu=n + 1) for n in range(40)]
    text = import_of([switch("leaf1", *of)]).text
    assert text.count("# not in this intent: ") == 31
    assert "# not in this intent: 10 more things\n" in text


def test_some_colours_are_said_and_all_go_without_saying() -> None:
    green = curve(1000, 2000, colors=[val("green"), val("yellow")])
    every = curve(1000, 2000, colors=[val("yellow"), val("red"), val("green")])
    text = import_of([switch("leaf1", ports("Ethernet0", ecn=green), ports("Ethernet[8,16]", ecn=every))]).text
    assert "ecn: {kmin: 1KB, kmax: 2KB, pmax: 5%}" in text
    assert "ecn: {kmin: 1KB, kmax: 2KB, pmax: 5%, colors: [green, yellow]}" in text


def test_names_cannot_break_out_of_a_comment() -> None:
    pool = RunningPool("a\nrocecfg: 2\x1b[2J", "egress", size=1000)
    made = import_of([switch("leaf1", ports("Ethernet0"), running=Running("config_db", pools=(pool,)))])
    assert "# not in this intent: buffer pools: a\\nrocecfg: 2\\x1b[2J egress 1KB" in made.text
    assert loaded(made.text).problems == []


def test_switches_without_a_usable_name_get_one() -> None:
    made = import_of(
        [switch(None, ports("Ethernet0")), switch("-", ports("Ethernet0")), switch("-", ports("Ethernet8"))]
    )
    again = loaded(made.text)
    assert again.problems == []
    assert again.fabric is not None
    assert len({name for device in again.fabric.devices for name in device.names}) == 3
