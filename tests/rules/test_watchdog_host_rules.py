"""The watchdog against the chip, the NICs and the retries of RDMA connections."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import rule_factory
from host_facts import hosts
from rule_factory import POLICY, hits

from rocecfg.model import Device, PortGroup, Span, Watchdog
from rocecfg.rules import watchdog_hosts
from rocecfg.rules.base import INFO

ALL_CLASSES = ("rdma", "cnp", "control", "default")


def port(dog: Watchdog | None, name: str = "Ethernet0", **more: Any) -> PortGroup:
    return PortGroup((name,), name, ALL_CLASSES, **{"pfc": (3,), "watchdog": dog, **more})


def switch(*ports: PortGroup, **more: Any) -> Device:
    return replace(rule_factory.device(*POLICY, ports=ports), **more)


def dog(
    time: float | None = 200, poll: float | None = 100, action: str | None = "drop", *, at: Span | None = None
) -> Watchdog:
    origins = {} if at is None else {"detection": at}
    return Watchdog(time, None if time is None else 2 * time, poll, action, origins=origins)


# -- watchdog-action-hw ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("family", "actions", "fires"),
    [
        ("broadcom", ("drop", "alert"), True),
        ("broadcom", ("forward", "alert"), True),
        ("broadcom", ("drop", "drop"), False),
        ("broadcom", ("drop", None), False),  # vendor-default: not known
        ("broadcom", ("drop", "errdisable"), False),  # nos-unsupported
        ("broadcom-dnx", ("drop", "alert"), False),
        ("mellanox", ("drop", "alert"), False),
        (None, ("drop", "alert"), False),
    ],
)
def test_one_action_for_a_broadcom_switch(family: str | None, actions: tuple[str | None, ...], fires: bool) -> None:
    ports = [port(dog(action=a), f"Ethernet{n}") for n, a in enumerate(actions)]
    assert bool(hits(watchdog_hosts.watchdog_action_hw, switch(*ports, family=family, vendor="sonic"))) is fires


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_action_that_does_not_end_storms_is_the_one_to_change(order: tuple[int, int]) -> None:
    forwarding = replace(dog(action="forward"), origins={"action": Span(0, 1, 2)})
    dropping = replace(dog(action="drop"), origins={"action": Span(0, 30, 34)})
    ports = [port(forwarding), port(dropping, "Ethernet8")]
    (hit,) = hits(watchdog_hosts.watchdog_action_hw, switch(*(ports[n] for n in order), family="broadcom"))
    assert hit.at[0] == Span(0, 1, 2)
    assert hit.related[0] == (Span(0, 30, 34), "action drop")
    assert hit.help.endswith("drop")


def test_an_action_without_pfc_does_not_count() -> None:
    idle = port(dog(action="alert"), "Ethernet8", pfc=())
    assert not hits(watchdog_hosts.watchdog_action_hw, switch(port(dog()), idle, family="broadcom"))


# -- watchdog-nic ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stated", "fires"),
    [
        ({"storm_prevention": False}, True),
        ({"storm_prevention": False, "pfc_priorities": [3]}, True),
        ({"storm_prevention": False, "pfc_priorities": []}, False),
        ({"storm_prevention": True}, False),
        ({"nic": "connectx-7"}, False),
    ],
)
def test_storm_prevention(stated: dict[str, Any], fires: bool) -> None:
    found = hits(watchdog_hosts.watchdog_nic, switch(port(dog())), facts=hosts(web={}, gpu=stated))
    assert len(found) == fires
    for hit in found:
        assert "gpu" in hit.message
        assert hit.at == (Span(0, 100, 101),)


def test_no_storm_where_nothing_is_paused() -> None:
    of = switch(port(None, pfc=()))
    assert not hits(watchdog_hosts.watchdog_nic, of, facts=hosts(gpu={"storm_prevention": False}))
    assert watchdog_hosts.watchdog_nic.by_kind["semi-lossless"] == INFO


# -- watchdog-retry ----------------------------------------------------------------------------------------------------


def outlasts(watchdog: Watchdog, **stated: int) -> bool:
    return bool(hits(watchdog_hosts.watchdog_retry, switch(port(watchdog)), facts=hosts(gpu=stated)))


@pytest.mark.parametrize(
    ("stated", "latest", "fires"),
    [
        ({"ib_timeout": 14}, 536, False),  # 8 x 4.096 us x 2^14 = 536.870912 ms
        ({"ib_timeout": 14}, 537, True),
        ({"ib_timeout": 14, "ib_retry": 7}, 537, True),
        ({"ib_timeout": 14, "ib_retry": 3}, 268, False),  # 268.435456 ms
        ({"ib_timeout": 14, "ib_retry": 3}, 269, True),
        ({"ib_timeout": 14, "ib_retry": 0}, 68, True),  # 67.108864 ms
        ({"ib_timeout": 20}, 5000, False),  # 34 s
        ({"ib_timeout": 0}, 5000, False),  # waits for ever
        ({"ib_retry": 0}, 5000, False),  # the timeout is not stated
    ],
)
def test_the_last_retry(stated: dict[str, int], latest: int, fires: bool) -> None:
    assert outlasts(dog(latest, None), **stated) is fires


def test_the_worst_case_has_whole_polls_and_one_more() -> None:
    assert not outlasts(dog(400, 100), ib_timeout=14)  # 500 ms
    assert outlasts(dog(450, 100), ib_timeout=14)  # 500 + 100 ms
    assert not outlasts(dog(450, 1000), ib_timeout=14)  # watchdog-poll's
    assert not outlasts(dog(None, None, None), ib_timeout=1)  # vendor-default


def test_a_port_without_pfc_has_no_storm() -> None:
    of = switch(port(dog(3000), pfc=()))
    assert not hits(watchdog_hosts.watchdog_retry, of, facts=hosts(gpu={"ib_timeout": 10}))


def test_the_least_patient_hosts_are_named_and_what_fixes_it() -> None:
    watchdog = dog(600, 100, at=Span(1, 5, 9))
    facts = hosts(store={"ib_timeout": 18}, gpu={"ib_timeout": 14, "ib_retry": 7}, web={"ib_retry": 0})
    (hit,) = hits(watchdog_hosts.watchdog_retry, switch(port(watchdog)), facts=facts)
    assert "700ms" in hit.message
    assert "of gpu fail after 536.9ms" in hit.message
    assert "4.096us x 2^14 x (7 retries + 1)" in hit.message
    assert hit.at == (Span(0, 100, 101),)
    assert hit.related == ((Span(1, 5, 9), "detection_time is 600ms"),)
    assert "ib_timeout: 15 or more" in hit.help
    assert not outlasts(watchdog, ib_timeout=15)


def test_a_slow_watchdog_is_to_blame_itself() -> None:
    watchdog = dog(3000, 100, at=Span(1, 5, 9))
    (hit,) = hits(watchdog_hosts.watchdog_retry, switch(port(watchdog)), facts=hosts(gpu={"ib_timeout": 14}))
    assert hit.at[0] == Span(1, 5, 9)
    assert hit.related[0][0] == Span(0, 0, 1)
    assert "shorter detection_time" in hit.help
    assert "(the maximum)" in hit.message
