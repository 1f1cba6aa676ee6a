"""The EOS writer, line by line: watchdog, interfaces, policies and the names of profiles."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import arista_factory as make
import pytest
from arista_lines import no_drop, profile_of, read, watchdog_times
from arista_render import body, refused, text

from rocecfg.model import Ecn, Watchdog

# --- watchdog


def test_watchdog_times_are_seconds() -> None:
    switch = read(body(make.device()))
    assert watchdog_times(switch, profile_of(switch, "Ethernet1/1")) == {
        "timeout": "0.20", "recovery-time": "0.40", "polling-interval": "0.10", "action": "drop",
    }  # fmt: skip


def test_most_ports_set_the_switch_wide_times_and_the_others_name_theirs() -> None:
    other = replace(make.SLOW_WATCHDOG, poll=None, action="alert")
    switch = read(body(make.device(ports=(make.HOSTS, replace(make.UPLINKS, watchdog=other)))))
    assert "priority-flow-control pause watchdog default timeout 0.20" in switch.globals
    assert watchdog_times(switch, profile_of(switch, "Ethernet49/1")) == {
        "timeout": "0.40", "recovery-time": "0.80", "polling-interval": "auto", "action": "notify-only",
    }  # fmt: skip
    assert not any("port timer" in line for line in profile_of(switch, "Ethernet1/1")["lines"])


def test_errdisable_is_said_switch_wide_and_recovers() -> None:
    errdisable = replace(make.WATCHDOG, action="errdisable")
    written = text(make.device(ports=(make.HOSTS, replace(make.UPLINKS, watchdog=errdisable))))
    switch = read(written.body)
    assert "errdisable recovery cause stuck-queue" in switch.globals
    assert watchdog_times(switch, profile_of(switch, "Ethernet49/1"))["action"] == "errdisable"
    assert watchdog_times(switch, profile_of(switch, "Ethernet1/1"))["action"] == "drop"
    assert any("errdisable recovery interval" in note for note in written.notes)


def test_drop_needs_no_errdisable_recovery() -> None:
    assert "errdisable" not in body(make.device())


def test_a_watchdog_left_to_eos_is_on_without_times() -> None:
    left = Watchdog(None, None, None, None, vendor_default=True)
    written = text(make.one_port(watchdog=left))
    switch = read(written.body)
    profile = profile_of(switch, "Ethernet1/1")
    assert watchdog_times(switch, profile) == {}
    assert "priority-flow-control pause watchdog" in profile["lines"]
    assert not any("watchdog" in line for line in switch.globals)
    assert any("errdisable recovery cause stuck-queue" in note for note in written.notes)


def test_times_of_some_ports_do_not_reach_ports_left_to_eos() -> None:
    left = Watchdog(None, None, None, None, vendor_default=True)
    switch = read(body(make.device(ports=(make.HOSTS, replace(make.UPLINKS, watchdog=left)))))
    assert watchdog_times(switch, profile_of(switch, "Ethernet49/1")) == {}
    assert watchdog_times(switch, profile_of(switch, "Ethernet1/1"))["timeout"] == "0.20"


def test_ports_with_times_of_their_own_must_state_both() -> None:
    half = replace(make.WATCHDOG, detection=300, restoration=None)
    problem = refused(make.device(ports=(make.HOSTS, replace(make.UPLINKS, watchdog=half))))
    assert "detection_time and restoration_time both" in problem.message
    alone = read(body(make.one_port(watchdog=half)))  # switch-wide, each time has a line of its own
    assert "priority-flow-control pause watchdog default timeout 0.30" in alone.globals
    assert not any("recovery-time" in line for line in alone.globals)


@pytest.mark.parametrize(
    ("field", "ms", "near"),
    [
        ("detection", 205, "write a multiple of 10ms"),
        ("restoration", 60_500, "write 1min or less"),
        ("poll", 100.5, "write whole milliseconds"),
        ("poll", 2, "write 5ms or more"),
    ],
)
def test_times_that_eos_cannot_say_are_refused_with_the_nearest(field: str, ms: float, near: str) -> None:
    change: dict[str, Any] = {field: ms}
    problem = refused(make.one_port(watchdog=replace(make.WATCHDOG, **change)))
    assert problem.help.startswith(near)


def test_polling_has_a_third_decimal() -> None:
    switch = read(body(make.one_port(watchdog=replace(make.WATCHDOG, poll=55))))
    assert "priority-flow-control pause watchdog default polling-interval 0.055" in switch.globals


def test_forward_is_no_action_of_eos() -> None:
    assert "forward" in refused(make.one_port(watchdog=replace(make.WATCHDOG, action="forward"))).message


def test_watching_some_lossless_priorities_only_is_refused() -> None:
    classes = (make.RDMA, replace(make.STORAGE, lossless=True, pg=2), *make.CLASSES[1:3], make.DEFAULT)
    port = replace(make.HOSTS, pfc=(2, 3), watchdog=replace(make.WATCHDOG, priorities=(3,)))
    assert "priorities 3" in refused(make.device(classes=classes, ports=(port,))).message
    both = replace(port, watchdog=replace(make.WATCHDOG, priorities=(2, 3)))
    assert no_drop(profile_of(read(body(make.device(classes=classes, ports=(both,)))), "Ethernet1/1")) == (2, 3)


# --- interfaces


def test_interface_lines() -> None:
    switch = read(body(make.device()))
    assert len(switch.interfaces) == 64
    assert switch.interfaces["Ethernet64/1"] == [
        "mtu 9000", "flowcontrol send off", "flowcontrol receive off", "service-profile ROCE-STORAGE",
    ]  # fmt: skip


def test_interfaces_come_in_the_order_of_eos() -> None:
    names = ("Ethernet10/1", "Ethernet2/1", "Ethernet2/3", "Ethernet1/1")
    device = make.device(ports=(make.ports("mixed", names), make.ports("po", ("Port-Channel1",))))
    assert list(read(body(device)).interfaces) == [*sorted(names, key=lambda n: int(n[8:-2])), "Port-Channel1"]


@pytest.mark.parametrize(
    ("flowcontrol", "send", "receive"),
    [("off", "off", "off"), ("rx", "off", "on"), ("tx", "on", "off"), ("on", "on", "on")],
)
def test_flowcontrol_by_direction(flowcontrol: str, send: str, receive: str) -> None:
    lines = read(body(make.one_port(flowcontrol=flowcontrol))).interfaces["Ethernet1/1"]
    assert f"flowcontrol send {send}" in lines
    assert f"flowcontrol receive {receive}" in lines


def test_mtu_of_the_device_stands_in_and_no_mtu_says_nothing() -> None:
    assert "mtu 9214" in read(body(replace(make.one_port(mtu=None), mtu=9214))).interfaces["Ethernet1/1"]
    assert "mtu" not in body(make.one_port(mtu=None))


def test_mtu_beyond_9214_is_refused() -> None:
    problem = refused(make.one_port(mtu=9216))
    assert "9214" in problem.help


@pytest.mark.parametrize("name", ["swp1", "Ethernet0", "Management1", "Ethernet1/1.100", "Ethernet1\n   shutdown"])
def test_names_that_are_no_eos_ports_are_refused(name: str) -> None:
    device = make.device(ports=(make.ports("odd", (name,)),))
    assert "EOS interface" in refused(device).message


def test_members_of_a_lag_are_noted() -> None:
    assert any("LAG ports: check" in note for note in text(make.one_port(lag="po1")).notes)
    assert not any("LAG ports: check" in note for note in text(make.one_port()).notes)


@pytest.mark.parametrize(("dcbx", "line"), [("on", "dcbx mode ieee"), ("off", "no dcbx mode")])
def test_dcbx(dcbx: str, line: str) -> None:
    assert line in read(body(make.device(dcbx=dcbx))).interfaces["Ethernet1/1"]
    assert "dcbx" not in body(make.device())
    assert "willing" in refused(make.device(dcbx="willing")).message


# --- policy


def test_a_policy_prints_everything_but_interfaces_and_says_how_to_attach_it() -> None:
    port = make.ports("", (), implied=True, faces=None, speed=None)
    written = text(make.device(names=(), key="", ports=(port,)))
    switch = read(written.body)
    assert not switch.interfaces
    assert no_drop(switch.profiles["ROCE"]) == (3,)
    assert sorted(switch.tc_of) == list(range(64))
    (note,) = (note for note in written.notes if note.startswith("Names no port"))
    assert note.endswith(": mtu 9000; flowcontrol send off; flowcontrol receive off; service-profile ROCE")


# --- profile names


def test_one_kind_of_port_needs_no_suffix_and_equal_kinds_share_a_profile() -> None:
    switch = read(body(make.device()))
    assert sorted(switch.profiles) == ["ROCE", "ROCE-STORAGE"]  # hosts and uplinks are equal


def test_same_faces_are_told_apart_by_speed_and_then_by_number() -> None:
    def curve(kmin: int) -> tuple[object, ...]:
        return (replace(make.RDMA, ecn=Ecn(kmin=kmin, kmax=9000, pmax=1)),)

    ports = (
        make.ports("a", ("Ethernet1/1",), overrides=curve(1000)),
        make.ports("b", ("Ethernet2/1",), overrides=curve(2000), speed=800 * make.GBIT),
        make.ports("c", ("Ethernet3/1",), overrides=curve(3000), speed=800 * make.GBIT),
    )
    assert sorted(read(body(make.device(ports=ports))).profiles) == [
        "ROCE-HOST-400G", "ROCE-HOST-800G", "ROCE-HOST-800G-2",
    ]  # fmt: skip
