"""Rules that only a switch's own configuration can decide, on models built by hand."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rule_factory import CURVE, RDMA, device, hits, traffic

from rocecfg.intent import load
from rocecfg.linting.judge import judge
from rocecfg.linting.rendering import render_files
from rocecfg.model import (
    Buffers,
    Device,
    Ecn,
    Headroom,
    PortGroup,
    Running,
    RunningGroup,
    RunningPool,
    RunningPort,
    RunningQueue,
    Span,
    Watchdog,
)
from rocecfg.profiles import SHIPPED
from rocecfg.rules import BY_NAME
from rocecfg.source.document import Sources
from rocecfg.vendors.running import fabric_of, read_drafts

G = 10**9
MB = 10**6
DOG = Watchdog(200, 400, 100, "drop", (3,))
LOSSLESS = replace(RDMA, name="tc3")
BULK = traffic("tc0", (0,), 0, 40, carries=())
CONTROL = traffic("tc6", (48,), 6, "strict", carries=())
CLASSES = (LOSSLESS, BULK, CONTROL)


def port(**more: Any) -> PortGroup:
    """A lossless port of 400G over 40 m as a switch's configuration has it."""
    running = more.pop("running", {})
    known: dict[str, Any] = {
        "names": ("Ethernet0",), "key": "Ethernet0", "classes": tuple(c.name for c in CLASSES), "pfc": (3,),
        "speed": 400 * G, "cable": 40.0, "watchdog": DOG, "running": RunningPort(**running),
    }  # fmt: skip
    return PortGroup(**{**known, **more})


def switch(*ports: PortGroup, vendor: str = "sonic", classes: Any = CLASSES, **more: Any) -> Device:
    """A switch with these ports, or with one lossless port."""
    running = Running(more.pop("kind", "config_db"), **more.pop("running", {}))
    return replace(device(*classes, vendor=vendor, ports=ports or (port(),)), running=running, **more)


def reported(rule: str, of: Device) -> list[str]:
    """The messages of a rule."""
    return [hit.message for hit in hits(BY_NAME[rule], of, running=True)]


def severities(rule: str, of: Device) -> list[str]:
    return [hit.severity or BY_NAME[rule].severity for hit in hits(BY_NAME[rule], of, running=True)]


# -- PFC ---------------------------------------------------------------------------------------------------------------


def test_pauses_that_are_sent_but_not_obeyed() -> None:
    (message,) = reported("pfc-one-way", switch(port(running={"obeys": ()}), vendor="spectrum"))
    assert "sends pauses of priority 3" in message


def test_pauses_that_are_obeyed_but_not_sent() -> None:
    (message,) = reported("pfc-one-way", switch(port(running={"sends": ()}), vendor="spectrum"))
    assert "obeys pauses of priority 3" in message


def test_a_switch_that_sends_no_pauses_at_all_may_be_meant_so() -> None:
    mute = port(running={"sends": ()})
    assert severities("pfc-one-way", switch(mute, vendor="spectrum")) == ["info"]
    other = port(names=("Ethernet4",), key="Ethernet4")
    assert severities("pfc-one-way", switch(mute, other, vendor="spectrum")) == ["warning"]


@pytest.mark.parametrize(
    "silent",
    [
        port(),
        port(running={"obeys": (3,), "sends": (3,)}),
        port(running={"obeys": tuple(range(8))}),  # SONiC's pfc_asym: more are obeyed than sent
        port(running={"obeys": (), "sends": ()}),  # then there is no PFC
        port(running={"obeys": ()}, faces="host"),  # not a link of the fabric
        port(running={"obeys": ()}, names=("eth0",)),
        port(running={"obeys": ()}, pfc=()),
    ],
)
def test_pauses_both_ways_or_on_ports_to_hosts_are_left_alone(silent: PortGroup) -> None:
    assert reported("pfc-one-way", switch(silent, vendor="spectrum")) == []


def lag(*members: PortGroup) -> Device:
    named = [
        replace(member, names=(f"Ethernet{4 * n}",), key=f"Ethernet{4 * n}", lag="PortChannel1")
        for n, member in enumerate(members)
    ]
    return switch(*named)


@pytest.mark.parametrize(
    ("other", "what"),
    [
        (port(pfc=()), "PFC, priority 3 and none"),
        (port(watchdog=None), "whether a watchdog runs"),
        (port(watchdog=replace(DOG, detection=400)), "watchdog settings"),
        (port(headroom=Headroom(1000)), "headroom"),
    ],
)
def test_ports_of_a_lag_that_differ(other: PortGroup, what: str) -> None:
    (message,) = reported("pfc-lag", lag(port(), port(), other))
    assert message.startswith("ports of PortChannel1 differ")
    assert what in message
    assert "Ethernet0; Ethernet8" in message


@pytest.mark.parametrize(
    "other",
    [
        port(),
        port(cable=100.0, headroom=Headroom(1000)),  # a longer cable takes another headroom
        port(watchdog=None, pfc=()),
        port(mtu=9100),
    ],
)
def test_ports_of_a_lag_that_are_alike_where_it_matters(other: PortGroup) -> None:
    first = replace(other, cable=40.0, headroom=None) if other.pfc else other
    assert reported("pfc-lag", lag(first, other)) == []


def test_ports_of_two_lags_may_differ() -> None:
    a, b = port(lag="PortChannel1"), port(lag="PortChannel2", pfc=(), names=("Ethernet4",))
    assert reported("pfc-lag", switch(a, b)) == []


# -- watchdog ----------------------------------------------------------------------------------------------------------


def test_eos_may_not_watch_a_queue_without_a_guarantee() -> None:
    (message,) = reported("watchdog-guarantee-eos", switch(vendor="arista"))
    assert all(part in message for part in ("queue 3", "no guaranteed bandwidth", "strict queue 6"))
    assert "EOS reportedly" in message  # one source only


@pytest.mark.parametrize(
    "of",
    [
        switch(vendor="arista", classes=(replace(LOSSLESS, guaranteed_rate=100_000), BULK, CONTROL)),
        switch(vendor="arista", classes=(replace(LOSSLESS, guaranteed_percent=5.0), BULK, CONTROL)),
        switch(vendor="arista", classes=(LOSSLESS, BULK, replace(CONTROL, strict=False, bandwidth=5))),
        switch(vendor="arista", classes=(LOSSLESS, replace(BULK, strict=True))),  # below it: starves nobody
        switch(port(watchdog=None), vendor="arista"),
        replace(switch(vendor="arista"), running=None),  # of an intent: the writer adds a guarantee
    ],
)
def test_eos_queues_with_a_guarantee_or_nothing_above_them(of: Device) -> None:
    assert reported("watchdog-guarantee-eos", of) == []


def test_big_red_switch_left_on() -> None:
    assert len(reported("watchdog-big-red", switch(running={"watchdog_forced": True}))) == 1
    assert reported("watchdog-big-red", switch(running={"watchdog_forced": False})) == []
    assert reported("watchdog-big-red", switch()) == []


def test_a_watchdog_whose_counters_are_off() -> None:
    blind = {"watchdog_blind": True}
    assert len(reported("watchdog-counter-poll", switch(running=blind))) == 1
    assert reported("watchdog-counter-poll", switch(running={"watchdog_blind": False})) == []
    assert reported("watchdog-counter-poll", switch()) == []
    assert reported("watchdog-counter-poll", switch(port(watchdog=None), running=blind)) == []  # watchdog-missing's


def test_a_queue_that_is_never_restored() -> None:
    def of(*, whole: bool = True, **dog: Any) -> list[str]:
        on = port(watchdog=replace(DOG, **{"restoration": None, **dog}))
        return reported("watchdog-no-restore", switch(on, running={"whole": whole}))

    (message,) = of()
    assert "restoration_time is missing" in message
    assert len(of(action="forward")) == 1
    assert of(restoration=400) == []
    assert of(action="alert") == []  # nothing is dropped
    assert of(whole=False) == []  # a part is merged into the row that the switch has


# -- marking -----------------------------------------------------------------------------------------------------------


def pausing_at(static: int, curve: Ecn = CURVE) -> Device:
    group = RunningGroup(3, profile="static", lossless=True, static=static)
    return switch(port(running={"groups": (group,)}), classes=(replace(LOSSLESS, ecn=curve), BULK, CONTROL))


def test_a_fixed_pause_level_below_kmax() -> None:
    (message,) = reported("ecn-static-xoff", pausing_at(500_000))  # kmin 400 KB, kmax 1.6 MB
    assert "pauses at a fixed 500KB (profile static), not above kmax 1.6MB" in message
    (message,) = reported("ecn-static-xoff", pausing_at(200_000))
    assert "before ECN marks any packet" in message
    assert len(reported("ecn-static-xoff", pausing_at(1_600_000))) == 1  # at kmax: too late still


def test_a_fixed_pause_level_above_kmax() -> None:
    assert reported("ecn-static-xoff", pausing_at(1_600_001)) == []
    dynamic = RunningGroup(3, lossless=True, alpha=1)
    assert reported("ecn-static-xoff", switch(port(running={"groups": (dynamic,)}))) == []
    other = RunningGroup(0, static=1000)  # lossy traffic's
    assert reported("ecn-static-xoff", switch(port(running={"groups": (other,)}))) == []


def dropping(number: int, *, ecn: Ecn | None) -> Device:
    queue = RunningQueue(number, discards=True)
    return switch(port(running={"queues": (queue,)}), classes=(replace(LOSSLESS, ecn=ecn), BULK, CONTROL))


def test_wred_that_drops_on_a_lossless_queue() -> None:
    assert severities("ecn-red-drop", dropping(3, ecn=None)) == ["error"]
    assert severities("ecn-red-drop", dropping(3, ecn=CURVE)) == ["warning"]  # only what does not say ECT


def test_wred_that_drops_elsewhere() -> None:
    assert reported("ecn-red-drop", dropping(0, ecn=None)) == []
    marking = RunningQueue(3, discards=False)
    assert reported("ecn-red-drop", switch(port(running={"queues": (marking,)}))) == []
    assert reported("ecn-red-drop", switch(port(pfc=(), running={"queues": (RunningQueue(3, discards=True),)}))) == []


# -- classes -----------------------------------------------------------------------------------------------------------


def test_rdma_that_leaves_with_the_mark_of_another_class() -> None:
    (message,) = reported("mix-remark", switch(running={"remarks": ((3, 10), (0, 0))}))
    assert "traffic class 3 with DSCP 10, but tc3 takes DSCP 26" in message


def test_marks_that_stay_in_their_class() -> None:
    assert reported("mix-remark", switch(running={"remarks": ((3, 26), (0, 10))})) == []
    assert reported("mix-remark", switch()) == []


def test_a_tunnel_without_dscp_and_ecn() -> None:
    assert len(reported("mix-tunnel", switch(running={"tunnels": True, "copies_dscp": False}))) == 1


@pytest.mark.parametrize(
    "running",
    [
        {},
        {"tunnels": True, "copies_dscp": True},
        {"tunnels": True},  # whether it copies them is not known
        {"tunnels": False, "copies_dscp": False},
    ],
)
def test_tunnels_that_copy_or_may_copy(running: dict[str, Any]) -> None:
    assert reported("mix-tunnel", switch(running=running)) == []


def two_lossless(three: tuple[int, ...], four: tuple[int, ...], pfc: tuple[int, ...] = (3, 4)) -> Device:
    first = replace(LOSSLESS, dscps=three)
    second = replace(LOSSLESS, name="tc4", dscps=four, priority=4, tc=4, queue=4, pg=4, carries=("rdma",))
    both = tuple(c for c in (first, second) if c.priority in pfc)
    classes = (*both, BULK)
    return switch(port(pfc=pfc, classes=tuple(c.name for c in classes)), classes=classes)


def test_the_other_lossless_class_of_sonic_left_over() -> None:
    (message,) = reported("mix-sonic-tc4", two_lossless((26,), (4,)))
    assert message.startswith("DSCP 26 maps to lossless TC 3, but TC 4 is still lossless")
    (message,) = reported("mix-sonic-tc4", two_lossless((3,), (24, 26)))
    assert message.startswith("DSCP 24, 26 map to lossless TC 4, but TC 3 is still lossless")


@pytest.mark.parametrize(
    "of",
    [
        two_lossless((3,), (4,)),  # as shipped, and used so: Azure's two
        two_lossless((26,), (28,)),  # two classes of somebody's own
        two_lossless((26,), (4,), pfc=(3,)),
        two_lossless((26,), ()),  # pfc-rdma-only's
    ],
)
def test_two_lossless_classes_that_somebody_wants(of: Device) -> None:
    assert reported("mix-sonic-tc4", of) == []


@pytest.mark.parametrize(("mtu", "payload"), [(1500, 1024), (4155, 2048), (2000, 1024)])
def test_an_mtu_without_room_for_the_largest_packets(mtu: int, payload: int) -> None:
    (message,) = reported("rdma-mtu", switch(port(mtu=mtu)))
    assert message.startswith(f"MTU {mtu} B on a lossless port has room for {payload} B of RoCE payload")
    assert "take 4156 B over IPv4 and 4176 B over IPv6" in message


def test_an_mtu_that_holds_them_or_is_nobodys() -> None:
    for silent in (port(mtu=4156), port(mtu=9100), port(), port(mtu=1500, pfc=()), port(mtu=1500, names=("eth0",))):
        assert reported("rdma-mtu", switch(silent)) == []


# -- buffers -----------------------------------------------------------------------------------------------------------


def test_a_switch_that_makes_no_headroom_says_why() -> None:
    of = switch(port(running={"no_headroom": "the cable length is 0m"}))
    (message,) = reported("buffer-cable-bucket", of)
    assert message.startswith("PFC is on for priority 3, but the port gets no headroom: the cable length is 0m.")


@pytest.mark.parametrize(
    ("profile", "fires"),
    [
        ("pg_lossless_400000_5m_profile", True),  # a 40 m cable
        ("pg_lossless_100000_40m_profile", True),  # a 400G port
        ("pg_lossless_400000_40m_profile", False),
        ("pg_lossless_400000_300m_profile", False),  # waste is another rule's
        ("my_lossless", False),
        (None, False),
    ],
)
def test_headroom_made_for_another_link(profile: str | None, *, fires: bool) -> None:
    group = RunningGroup(3, profile=profile, lossless=True)
    assert bool(reported("buffer-cable-bucket", switch(port(running={"groups": (group,)})))) == fires


def test_a_calculated_profile_in_a_model_that_looks_up() -> None:
    group = RunningGroup(3, profile="NULL", lossless=True)
    of = port(running={"groups": (group,)})
    assert len(reported("buffer-model-mix", switch(of, buffers=Buffers(model="traditional")))) == 1
    assert reported("buffer-model-mix", switch(of, buffers=Buffers(model="dynamic"))) == []
    assert reported("buffer-model-mix", switch(of)) == []  # the model is not stated
    own = port(running={"groups": (RunningGroup(3, profile="my_lossless"),)})
    assert reported("buffer-model-mix", switch(own, buffers=Buffers(model="dynamic"))) == []  # an override is allowed


def test_pfc_on_a_group_with_a_lossy_profile() -> None:
    lossy = RunningGroup(3, profile="ingress_lossy_profile", lossless=False)
    (message,) = reported("buffer-lossy-group", switch(port(running={"groups": (lossy,)})))
    assert "fill priority group 3, whose buffer profile (ingress_lossy_profile) is lossy" in message
    for silent in (
        port(running={"groups": (replace(lossy, lossless=True),)}),
        port(running={"groups": (replace(lossy, lossless=None),)}),
        port(running={"groups": (replace(lossy, number=0),)}),
        port(running={"groups": (lossy,)}, pfc=()),
    ):
        assert reported("buffer-lossy-group", switch(silent)) == []


def test_a_lossless_group_of_an_empty_pool() -> None:
    group = RunningGroup(3, profile="roce", lossless=True, pool="ingress_lossless_pool")
    for size, told in ((0, True), (30 * MB, False), (None, False)):  # not stated: the switch works it out
        pool = RunningPool("ingress_lossless_pool", "ingress", lossless=True, size=size)
        of = switch(port(running={"groups": (group,)}), running={"pools": (pool,)})
        assert any("whose size is 0" in message for message in reported("buffer-lossy-group", of)) == told


INGRESS = RunningPool("ingress_lossless_pool", "ingress", lossless=True, size=30 * MB)
EGRESS = RunningPool("egress_lossless_pool", "egress", lossless=True, mode="static", size=32 * MB)


def sending(pool: RunningPool = EGRESS, ingress: RunningPool = INGRESS, **limit: Any) -> Device:
    queue = RunningQueue(3, pool=pool.name, **limit)
    group = RunningGroup(3, lossless=True, pool=ingress.name)
    of = port(running={"queues": (queue,), "groups": (group,)})
    return switch(of, running={"pools": (ingress, pool)})


def test_a_lossless_queue_that_is_limited_below_its_pool() -> None:
    (message,) = reported("buffer-egress-drop", sending(static=4 * MB))
    assert message.startswith("lossless queue 3 may hold 4MB of the 32MB in egress_lossless_pool")
    assert severities("buffer-egress-drop", sending(static=4 * MB)) == ["error"]
    assert severities("buffer-egress-drop", sending(alpha=0.5)) == ["error"]  # a third of the pool


def test_limits_that_boxes_come_with_are_only_told() -> None:
    assert severities("buffer-egress-drop", sending(static=17 * MB)) == ["info"]  # half of a divided memory
    assert severities("buffer-egress-drop", sending(alpha=8)) == ["info"]


@pytest.mark.parametrize("limit", [{"static": 32 * MB}, {"static": 33 * MB}, {"alpha": 128}, {}])
def test_lossless_queues_without_a_limit(limit: dict[str, Any]) -> None:
    assert reported("buffer-egress-drop", sending(**limit)) == []


def test_one_pool_for_both_directions_is_left_alone() -> None:
    both = RunningPool("ingress_lossless_pool", "both", lossless=True, size=6000 * MB)
    assert reported("buffer-egress-drop", sending(both, both, alpha=0.5)) == []


def test_an_egress_pool_smaller_than_ingress() -> None:
    small = replace(EGRESS, size=29 * MB)
    (message,) = reported("buffer-egress-drop", sending(small, static=29 * MB))
    assert message.startswith("egress_lossless_pool has 29MB, less than the 30MB that ingress_lossless_pool admits")
    assert severities("buffer-egress-drop", sending(small, static=29 * MB)) == ["warning"]
    unsized = replace(INGRESS, size=None)  # the switch works it out
    assert reported("buffer-egress-drop", sending(small, unsized, static=29 * MB)) == []


def pools(*found: RunningPool) -> Device:
    return switch(running={"pools": found})


def test_a_lossy_egress_pool_larger_than_ingress() -> None:
    lossy = RunningPool("egress_lossy_pool", "egress", lossless=False, size=31 * MB)
    (message,) = reported("buffer-lossy-pool", pools(INGRESS, EGRESS, lossy))
    assert message.startswith("egress_lossy_pool has 31MB, more than the 30MB that ingress_lossless_pool admits")
    for silent in (
        pools(INGRESS, EGRESS, replace(lossy, size=30 * MB)),
        pools(INGRESS, RunningPool("ingress_lossy_pool", "ingress", lossless=False, size=30 * MB), lossy),
        pools(replace(INGRESS, size=None), lossy),
        pools(lossy),
    ):
        assert reported("buffer-lossy-pool", silent) == []


# -- rules on intents too, on what is known of a switch ----------------------------------------------------------------

PART = {"whole": False}


def test_a_lossless_class_that_no_packet_reaches() -> None:
    of = two_lossless((26,), ())
    (message,) = reported("pfc-rdma-only", of)
    assert message.startswith("PFC is on for priority 4")
    assert "tc4" in message
    assert severities("pfc-rdma-only", of) == ["warning"]


@pytest.mark.parametrize(
    "of",
    [
        two_lossless((26,), (4,)),
        replace(two_lossless((26,), ()), running=Running("config_db", whole=False)),  # its map may be in another part
        switch(port(trust="pcp"), classes=(replace(LOSSLESS, dscps=()), BULK)),  # sorted by tags
    ],
)
def test_lossless_classes_that_packets_may_reach(of: Device) -> None:
    assert reported("pfc-rdma-only", of) == []


def test_a_part_of_a_configuration_is_silent_about_what_it_does_not_say() -> None:
    bare = port(watchdog=None, cable=None)
    unmarked = (replace(LOSSLESS, ecn=None), BULK)
    for rule in ("watchdog-missing", "ecn-missing", "buffer-cable-missing"):
        whole = switch(bare, classes=unmarked, buffers=Buffers(model="traditional"))
        assert len(reported(rule, whole)) == 1, rule
        assert reported(rule, replace(whole, running=Running("config_db", whole=False))) == [], rule


def test_a_part_of_a_configuration_is_judged_by_what_it_says() -> None:
    given = Span(0, 1, 2)
    off = port(watchdog=None, origins={"watchdog": given})
    assert len(reported("watchdog-missing", switch(off, running=PART))) == 1
    unmarked = replace(LOSSLESS, ecn=None, origins={"ecn": given})
    assert len(reported("ecn-missing", switch(classes=(unmarked, BULK), running=PART))) == 1


def test_shares_of_queues_that_nothing_leads_to_are_not_missed() -> None:
    assert reported("ets-sum", switch(classes=(replace(LOSSLESS, bandwidth=12), replace(BULK, bandwidth=12)))) == []
    (message,) = reported("ets-sum", switch(classes=(replace(LOSSLESS, bandwidth=60), replace(BULK, bandwidth=60))))
    assert message.startswith("shares sum to 120%")


def test_a_queue_of_which_nothing_is_known_is_not_taken_for_starved() -> None:
    full = replace(LOSSLESS, bandwidth=100)
    assert reported("ets-zero", switch(classes=(full, replace(BULK, bandwidth=None)))) == []
    assert len(reported("ets-zero", switch(classes=(full, replace(BULK, bandwidth=0))))) == 1


def test_an_action_that_ends_no_storm_on_every_port() -> None:
    alert = port(watchdog=replace(DOG, action="alert"))
    other = port(names=("Ethernet4",), key="Ethernet4")
    assert len(reported("watchdog-action", switch(alert))) == 1
    assert reported("watchdog-action", switch(alert, other)) == []  # the other ports may be those to hosts
    down = port(watchdog=replace(DOG, action="errdisable"))
    assert reported("watchdog-action", switch(down, vendor="arista")) == []  # they may all be


def test_nvue_has_no_restoration_time_to_set() -> None:
    dog = replace(DOG, detection=300, restoration=100)
    assert reported("watchdog-restore", switch(port(watchdog=dog), vendor="spectrum")) == []
    assert len(reported("watchdog-restore", switch(port(watchdog=dog), vendor="sonic"))) == 1


def test_messages_have_no_words_of_an_intent() -> None:
    dog = replace(DOG, detection=250)
    (message,) = reported("watchdog-multiple", switch(port(watchdog=dog)))
    assert message.startswith("detection time 250ms is not a multiple of poll interval 100ms")
    strict = replace(LOSSLESS, strict=True, bandwidth=None)
    (message,) = reported("ets-rdma-strict", switch(classes=(strict, BULK)))
    assert message.startswith("class tc3 is lossless on strict queue 3")


def bounced() -> Device:
    """SONiC's layout for hosts on two ToRs: 2 and 6 are lossless for what a tunnel bounces to the other ToR."""
    classes = tuple(
        replace(LOSSLESS, name=f"tc{n}", dscps=(n,) if n in (3, 4) else (), priority=n, tc=n, queue=n, pg=n)
        for n in (2, 3, 4, 6)
    )
    names = tuple(c.name for c in classes)
    up = port(pfc=(2, 3, 4, 6), classes=(*names, "tc0"), watchdog=replace(DOG, priorities=(3, 4)))
    down = port(names=("Ethernet4",), key="Ethernet4", pfc=(3, 4), classes=("tc3", "tc4", "tc0"))
    return switch(up, replace(down, watchdog=replace(DOG, priorities=(3, 4))), classes=(*classes, BULK))


@pytest.mark.parametrize(
    "rule", ["pfc-count", "pfc-rdma-only", "pfc-control-prio", "watchdog-priorities", "ets-control", "mix-sonic-tc4"]
)
def test_hosts_on_two_tors_are_told_by_their_priorities(rule: str) -> None:
    assert reported(rule, bounced()) == []


@pytest.mark.parametrize("rule", ["pfc-count", "pfc-rdma-only", "pfc-control-prio"])
def test_four_lossless_priorities_are_no_dual_tor_elsewhere(rule: str) -> None:
    assert reported(rule, replace(bounced(), vendor="arista", nos=SHIPPED.nos("arista")))


@pytest.mark.parametrize(
    "rule", ["nos-unsupported", "schema-asic-nos", "ops-nos-pin", "hygiene-unused"]
)  # an intent's matter: what a switch asks for it can express, and what it runs on runs it
def test_rules_on_what_an_intent_asks_for_are_off(rule: str) -> None:
    assert BY_NAME[rule].by_kind["running"] == "off"


# -- healthy devices stay clean ----------------------------------------------------------------------------------------

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
RENDERED = [  # example, vendor, and the chip for policies that name none
    ("policy", "sonic", ""),
    ("policy", "spectrum", ""),
    ("policy", "arista", "tomahawk5"),
    ("policy", "arista", "jericho2"),
    ("auto", "sonic", ""),
    ("auto", "spectrum", ""),
    ("auto", "arista", ""),
    ("train-256", "spectrum", ""),
    ("rail-1024", "sonic", ""),
    ("rail-1024", "arista", ""),
    ("rail-512", "junos", ""),
    ("converged", "sonic", ""),
    ("converged", "spectrum", ""),
    ("converged", "arista", ""),
]


def rendered(example: str, vendor: str, asic: str, folder: Path) -> list[tuple[str, str]]:
    """The files of an example for a vendor, equal ones once: name and text."""
    shutil.copytree(EXAMPLES / example, folder / example)
    root = folder / example / "fabric.yaml"
    if asic:
        root.write_text(f"{root.read_text(encoding='utf-8')}defaults: {{asic: {asic}}}\n", encoding="utf-8")
    read = load(str(root), Sources(), vendor)
    assert read.fabric is not None
    kinds = {id(file.rendering): (file.name, file.text) for file in render_files(read.fabric, vendor)}
    return list(kinds.values())


@pytest.mark.parametrize(("example", "vendor", "asic"), RENDERED)
def test_healthy_devices_stay_clean(example: str, vendor: str, asic: str, tmp_path: Path) -> None:
    texts = rendered(example, vendor, asic, tmp_path)
    assert texts
    for name, text in texts:
        sources = Sources()
        document = sources.add(name, text)
        read = fabric_of(name, [(document, read_drafts(document, vendor))], [], sources)
        assert read.fabric is not None
        (of,) = read.fabric.devices
        assert any(p.pfc for p in of.ports) or (example, vendor) == ("policy", "sonic")  # which has no ports
        found, failed = judge(read)
        assert failed == []
        assert [(f.severity, f.rule.name, f.message) for f in found if f.severity != "info"] == []
