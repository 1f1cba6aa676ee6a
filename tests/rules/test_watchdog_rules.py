"""Watchdog rules on models as device configurations give them, and on times that nobody wrote down."""

from __future__ import annotations

from dataclasses import replace

import pytest
import rule_factory
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from rule_factory import found

from rocecfg.core.units import parse_time
from rocecfg.model import Device, Lack, Nos, PortGroup, Span, Watchdog
from rocecfg.rules import Hit, watchdog
from rocecfg.vendors import VENDORS

RDMA = replace(rule_factory.RDMA, origins={"lossless": Span(0, 1, 5)})
GOOD = Watchdog(200, 400, 100, "drop")


def port(dog: Watchdog | None = GOOD, *, pfc: tuple[int, ...] = (3,), **more: object) -> PortGroup:
    """Ports that the RDMA class crosses."""
    names = more.pop("names", ("Ethernet0",))
    return PortGroup(names, "Ethernet0", ("rdma",), pfc, watchdog=dog, **more)  # type: ignore[arg-type]


def switch(*ports: PortGroup, vendor: str | None = "sonic", version: str | None = None) -> Device:
    """A switch with these ports."""
    return replace(rule_factory.device(RDMA, vendor=vendor, ports=ports), version=version)


def hits(of: Device, *, dual_tor: bool = False) -> list[tuple[str, Hit]]:
    """What the watchdog rules for its vendor find on the switch, with the names of the rules."""
    return found("WDG", of, dual_tor=dual_tor)


def names(device: Device, *, dual_tor: bool = False) -> list[str]:
    """Only the names."""
    return [name for name, _ in hits(device, dual_tor=dual_tor)]


def times(
    detection: float | None, restoration: float | None, poll: float | None, vendor: str | None = "sonic"
) -> list[str]:
    """Names of what is found on a watchdog with these timers, in ms."""
    return names(switch(port(Watchdog(detection, restoration, poll, "drop")), vendor=vendor))


def offers(hit: Hit) -> dict[str, float]:
    """The times that a fix's first offer sets, in ms."""
    out = {}
    for part in hit.help.removeprefix("set ").split(", or ")[0].split(" (")[0].replace(" and ", ", ").split(", "):
        key, _, value = part.partition(": ")
        out[{"detection_time": "detection", "restoration_time": "restoration", "poll_interval": "poll"}[key]] = (
            parse_time(value)
        )
    return out


def test_the_usual_timers_are_silent_on_every_system() -> None:
    for vendor in (None, *VENDORS):
        assert names(switch(port(), vendor=vendor)) == []


def test_ports_that_nothing_can_pause_need_no_watchdog() -> None:
    bad = Watchdog(50, 10, 700, "alert", (1,))
    assert names(switch(port(None, pfc=()), port(bad, pfc=(), faces="host"))) == []


def test_pfc_on_a_management_port_is_not_a_missing_watchdog() -> None:
    assert names(switch(port(None, faces="management"), port(None, names=("eth0",)))) == []


def test_no_watchdog_anywhere_is_said_at_the_class_and_the_same_for_all_ports() -> None:
    first, second = (
        hit for _, hit in hits(switch(port(None, origins={"": Span(0, 50, 59)}), port(None, faces="switch")))
    )
    assert first.at[0] == RDMA.at("lossless") == second.at[0]
    assert first.message == second.message


def test_one_port_without_watchdog_among_others_is_said_at_that_port() -> None:
    key = Span(0, 50, 59)
    ((name, hit),) = hits(switch(port(), port(None, origins={"": key})))
    assert name == "watchdog-missing"
    assert hit.at[0] == key


def test_watchdog_turned_off_is_said_where_it_was_turned_off() -> None:
    off = Span(0, 70, 73)
    (_, hit), _ = hits(switch(port(None, origins={"watchdog": off}), port(None)))
    assert hit.at[0] == off


@pytest.mark.parametrize("faces", ["host", "storage"])
def test_unguarded_nics_beside_guarded_uplinks_are_one_finding(faces: str) -> None:
    guard = Span(0, 7, 9)
    uplink = port(faces="switch", origins={"watchdog": guard})
    ((name, hit),) = hits(switch(port(None, faces=faces), uplink))
    assert name == "watchdog-host"
    assert hit.related[0][0] == guard


def test_uplinks_without_pfc_guard_nothing() -> None:
    assert names(switch(port(None, faces="host"), port(faces="switch", pfc=()))) == ["watchdog-missing"]


def test_a_missing_watchdog_cannot_be_silenced_in_a_line() -> None:
    assert not watchdog.watchdog_missing.ignorable
    assert not watchdog.watchdog_host.ignorable


@pytest.mark.parametrize(
    ("pfc", "watched", "words"),
    [
        ((3, 4), (4,), "priority 3 has PFC but is not watched"),
        ((3,), (3, 4), "priority 4 is watched but has no PFC"),
        ((3,), (), "priority 3 has PFC but is not watched"),
        ((3,), (4,), "; priority 4 is watched"),
    ],
)
def test_pfcwd_sw_enable_other_than_pfc_enable(pfc: tuple[int, ...], watched: tuple[int, ...], words: str) -> None:
    ((name, hit),) = hits(switch(port(replace(GOOD, priorities=watched), pfc=pfc)))
    assert name == "watchdog-priorities"
    assert words in hit.message


def test_dual_tor_leaves_the_bounce_priorities_unwatched() -> None:
    four = port(replace(GOOD, priorities=(3, 4)), pfc=(2, 3, 4, 6))
    assert names(switch(four), dual_tor=True) == []
    assert names(switch(four)) == ["watchdog-priorities"]
    assert names(switch(port(replace(GOOD, priorities=(3,)), pfc=(2, 3, 4, 6))), dual_tor=True) == [
        "watchdog-priorities"
    ]


@pytest.mark.parametrize(
    ("vendor", "timers", "found"),
    [
        ("sonic", (200, 400, 400), ["watchdog-poll"]),  # d < p: nothing else is said of the same slip
        ("sonic", (400, 100, 200), ["watchdog-poll"]),  # r < p <= d: r is the slip, watchdog-restore has the same fix
        ("sonic", (200, 100, 400), ["watchdog-poll", "watchdog-restore"]),  # both: another poll leaves r < d
        ("arista", (200, 400, 400), ["watchdog-poll"]),
        ("arista", (200, 200, 200), ["watchdog-poll-eos"]),
        ("sonic", (200, 200, 200), []),
        ("arista", (200, 450, 150), ["watchdog-poll-eos"]),  # not also watchdog-multiple: the poll interval must change
        ("sonic", (200, 450, 150), ["watchdog-multiple"]),
        ("sonic", (3200, 3200, 1000), ["watchdog-multiple", "watchdog-slow"]),  # SONiC's stock timers with 512 ports
        ("sonic", (400, 399, 100), ["watchdog-multiple", "watchdog-restore"]),
        ("arista", (50, 100, 10), ["watchdog-fast"]),
        ("arista", (100, 200, 50), []),
        ("sonic", (900, 1800, 100), []),
        ("sonic", (1000, 2000, 100), ["watchdog-slow"]),
    ],
)
def test_one_slip_is_one_finding(vendor: str, timers: tuple[float, float, float], found: list[str]) -> None:
    assert times(*timers, vendor=vendor) == found


def test_no_poll_interval_is_proposed_that_the_system_refuses() -> None:
    short = Span(0, 9, 14)
    found = dict(hits(switch(port(Watchdog(10, 400, 100, "drop", origins={"detection": short})))))
    assert found["watchdog-poll"].help == "set detection_time: 200ms (twice poll_interval) or more"
    assert found["watchdog-poll"].at[0] == short
    found = dict(hits(switch(port(Watchdog(200, 400, 400, "drop")))))
    assert found["watchdog-poll"].help == "set poll_interval: 100ms"


def test_timers_that_a_configuration_leaves_out_are_not_guessed() -> None:
    assert times(None, None, None) == []
    assert times(200, None, None) == []  # SONiC: never restored by itself
    assert times(200, 400, None) == []
    assert times(None, 400, 100) == []
    assert times(1200, 2400, None) == ["watchdog-slow"]  # whatever the poll interval is


def test_slow_names_the_formula_and_blames_the_poll_interval_where_that_is_enough() -> None:
    poll = Span(0, 9, 14)
    ((_, hit),) = hits(switch(port(Watchdog(600, 1200, 600, "drop", origins={"poll": poll}))))
    assert "1200ms before the watchdog acts (detection_time 600ms + poll_interval 600ms" in hit.message
    assert hit.at[0] == poll


@pytest.mark.parametrize(
    ("action", "faces", "implied", "found"),
    [
        ("alert", "host", False, True),
        ("forward", "storage", False, True),
        ("errdisable", "host", False, False),
        ("errdisable", "switch", False, True),
        ("alert", "switch", False, False),
        ("alert", None, False, False),  # a configuration that does not say what the port faces
        ("alert", None, True, True),  # a policy: every port
        ("errdisable", None, True, True),
        ("drop", "host", False, False),
        (None, "host", False, False),
    ],
)
def test_action_by_what_the_port_faces(*, action: str | None, faces: str | None, implied: bool, found: bool) -> None:
    dog = replace(GOOD, action=action)
    of = replace(switch(port(dog, faces=faces, implied=implied)), nos=None)  # whatever a system lacks
    assert (names(of) == ["watchdog-action"]) is found


def test_action_that_the_system_lacks_is_told_by_the_rule_about_that() -> None:
    lack = Lack("port.watchdog.action", ("forward",), "error", "no such action", None, None, "a manual")
    nos = Nos("arista", "EOS", ("4.33",), "4.33", "2026-03-12", (), (lack,))
    host = replace(switch(port(replace(GOOD, action="forward"), faces="host"), vendor="arista"), nos=nos)
    assert names(host) == []
    reported = replace(switch(port(replace(GOOD, action="alert"), faces="host"), vendor="arista"), nos=nos)
    assert names(reported) == ["watchdog-action"]


@pytest.mark.parametrize(
    ("ports", "rule", "words"),
    [
        (32, "watchdog-default-scale", "after 200ms to 400ms"),
        (64, "watchdog-default-scale", "after 400ms to 800ms"),
        (65, "watchdog-slow", "can last 1200ms"),  # 3 x 200 ms and as much of polling
        (128, "watchdog-slow", "can last 1600ms"),
    ],
)
def test_the_timers_of_a_watchdog_left_to_sonic_are_judged(ports: int, rule: str, words: str) -> None:
    stock = port(
        Watchdog(None, None, None, None, vendor_default=True), names=tuple(f"Ethernet{n}" for n in range(ports))
    )
    ((name, hit),) = hits(switch(stock, version="202405"))
    assert name == rule
    assert words in hit.message


def test_vendor_default_says_what_it_comes_to_on_sonic_only() -> None:
    stock = port(Watchdog(None, None, None, None, vendor_default=True), names=tuple(f"Ethernet{n}" for n in range(512)))
    ((name, hit),) = hits(switch(stock, version="202511"))
    assert name == "watchdog-slow"
    assert "storm can last 5000ms" in hit.message
    assert "vendor-default on a SONiC switch with 512 ports" in hit.message
    for vendor in {None, *VENDORS} - {"sonic"}:
        assert names(switch(stock, vendor=vendor)) == []


@pytest.mark.parametrize(
    ("release", "window"),
    [
        ("202405", "can last 3200ms"),
        ("202511", "can last 3000ms"),
        ("master", "can last 3000ms"),
        ("ours", "can last 3000ms"),  # nobody knows which
    ],
)
def test_vendor_default_polls_at_least_once_a_second_from_202511_on(release: str, window: str) -> None:
    stock = port(Watchdog(None, None, None, None, vendor_default=True), names=tuple(f"Ethernet{n}" for n in range(256)))
    of = switch(stock, version=release)
    ((_, hit),) = hits(of)
    assert window in hit.message


def test_a_poll_interval_below_a_microsecond_is_judged_like_any_other() -> None:
    assert times(200, 400, 0.0004) == []
    assert times(2000, 4000, 0.0004) == ["watchdog-slow"]


whole_ms = st.integers(1, 60).map(lambda n: n * 50)


@settings(suppress_health_check=[HealthCheck.filter_too_much])
@given(detection=whole_ms, restoration=whole_ms, poll=whole_ms)
def test_the_multiples_that_are_offered_are_multiples(detection: int, restoration: int, poll: int) -> None:
    dog = Watchdog(detection, restoration, poll, "drop")
    odd = [hit for name, hit in hits(switch(port(dog))) if name == "watchdog-multiple"]
    assume(odd)
    assert "watchdog-multiple" not in names(switch(port(replace(dog, **offers(odd[0])))))


@given(detection=whole_ms, restoration=whole_ms, poll=whole_ms, vendor=st.sampled_from(["sonic", "arista"]))
def test_the_timers_offered_against_a_long_poll_interval_are_taken(
    detection: int, restoration: int, poll: int, vendor: str
) -> None:
    dog = Watchdog(detection, restoration, poll, "drop")
    about = ("watchdog-poll", "watchdog-poll-eos")
    wrong = [hit for name, hit in hits(switch(port(dog), vendor=vendor)) if name in about]
    assume(wrong)
    fixed = replace(dog, **offers(wrong[0]))
    assert not set(about).intersection(names(switch(port(fixed), vendor=vendor)))


@given(detection=whole_ms, poll=whole_ms)
def test_a_slow_watchdog_is_not_slow_any_more_with_what_is_offered(detection: int, poll: int) -> None:
    dog = Watchdog(detection, None, poll, "drop")
    slow = [hit for name, hit in hits(switch(port(dog))) if name == "watchdog-slow"]
    assume(slow)
    fixed = replace(dog, **offers(slow[0]))
    assert names(switch(port(fixed))) == []


def test_a_watchdog_that_is_off_is_one_finding_whatever_crosses_the_ports() -> None:
    off = {"watchdog": Span(0, 60, 63)}
    nvme = replace(RDMA, name="nvme", dscps=(28,), priority=4, tc=4, queue=4, pg=4)
    both = replace(port(None, pfc=(3, 4), origins=off), classes=("nvme", "rdma"))
    one = port(None, names=("Ethernet8",), origins=off)
    of = rule_factory.device(nvme, RDMA, vendor="sonic", ports=(both, one))
    assert {(hit.at[0], hit.cls) for name, hit in hits(of) if name == "watchdog-missing"} == {(Span(0, 60, 63), None)}
