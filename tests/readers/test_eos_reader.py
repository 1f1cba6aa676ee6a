"""What a switch with EOS is told, and what it then does: each setting in the forms in which it is met."""

from __future__ import annotations

from typing import Any

import pytest
from eos_text import HEAD, device, findings, rules, switch, switches

from rocecfg.model import AUTO, Ecn, PortGroup, Span, Watchdog

LOSSLESS = "   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n"
TH5 = "! device: leaf01 (DCS-7060X6-64PE, EOS-4.33.1F)\n"
JERICHO = "! device: spine01 (DCS-7280CR3-32P4, EOS-4.31.2F)\n"


def port(text: str, name: str = "Ethernet1/1") -> PortGroup:
    (found,) = [p for p in device(text).ports if name in p.names]
    return found


def lossless(*lines: str, head: str = HEAD, after: str = "") -> str:
    """A routed port with PFC on priority 3 and these lines."""
    own = "".join(f"   {line}\n" for line in lines)
    return f"{head}interface Ethernet1/1\n   no switchport\n{LOSSLESS}{own}{after}"


def ecn(text: str, queue: int = 3) -> Any:
    """The curve of a queue: kmin, kmax, pmax, weight."""
    found = device(text)
    (own,) = [c for c in found.classes_on(found.ports[0]) if c.queue == queue]
    return (own.ecn.kmin, own.ecn.kmax, own.ecn.pmax, own.ecn.weight) if isinstance(own.ecn, Ecn) else own.ecn


# -- which switch ------------------------------------------------------------------------------------------------------


def test_the_head_of_a_running_config() -> None:
    found = device(f"! Command: show running-config\n{TH5}!\nhostname gpu-leaf\ninterface Ethernet1/1\n")
    assert found.names == ("gpu-leaf",)
    assert (found.version, found.family) == ("4.33.1F", "strata")
    assert found.platform is not None
    assert found.platform.name == "arista-7060x6-64pe"


@pytest.mark.parametrize(
    ("model", "chip", "family"),
    [
        ("DCS-7060X6-64PE-F", "tomahawk5", "strata"),  # -F: front to rear fans
        ("DCS-7060X6-32PE", "tomahawk5", "strata"),
        ("DCS-7050CX3M-32S", "trident3", "strata"),  # no profile has it, its series is known
        ("DCS-7280CR3-32P4-F", "jericho2", "sand"),
        ("DCS-7260CX3-64", "tomahawk2", "strata"),
        ("DCS-7050SX3-48YC12", "trident3", "strata"),
        ("vEOS-lab", None, None),
    ],
)
def test_models_of_switches(model: str, chip: str | None, family: str | None) -> None:
    found = device(f"! device: leaf01 ({model}, EOS-4.33.1F)\nhostname leaf01\ninterface Ethernet1/1\n")
    assert (found.asic.name if found.asic else None, found.family) == (chip, family)
    assert found.version == "4.33.1F"


def test_a_release_that_is_given_holds() -> None:
    assert switch(f"{TH5}hostname x\n", "4.30.3M").section["version"].value == "4.30.3M"
    assert switch("! boot system flash:/EOS64-4.28.2F.swi\nhostname x\n").section["version"].value == "4.28.2F"


def test_several_switches_in_one_text() -> None:
    head = "! Command: show running-config\n! device: a (DCS-7060X6-64PE, EOS-4.33.1F)\n"
    one = f"{head}interface Ethernet1/1\n   mtu 9000\n"
    other = one.replace("device: a", "device: b").replace("9000", "9214")
    first, second = switches(one + other)
    assert (first.name, second.name) == ("a", "b")
    (found,) = second.ports
    assert found.section["mtu"].value == 9214
    assert found.at.start > len(one)


# -- ports -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stated", "names"),
    [
        ("Ethernet1", ("Ethernet1",)),
        ("Ethernet1-3", ("Ethernet1", "Ethernet2", "Ethernet3")),
        ("Ethernet1/1,3/1", ("Ethernet1/1", "Ethernet3/1")),
        ("Ethernet1/1-4", ("Ethernet1/1", "Ethernet1/2", "Ethernet1/3", "Ethernet1/4")),
        ("Ethernet1/1-3/1", ("Ethernet1/1", "Ethernet2/1", "Ethernet3/1")),
        ("Ethernet3/1/1-2", ("Ethernet3/1/1", "Ethernet3/1/2")),
        ("Et1,Et7", ("Ethernet1", "Ethernet7")),
        ("ethernet 4", ("Ethernet4",)),
        ("Port-Channel7", ("Port-Channel7",)),
    ],
)
def test_names_and_ranges_of_interfaces(stated: str, names: tuple[str, ...]) -> None:
    (found,) = switch(f"{HEAD}interface {stated}\n   mtu 9214\n").ports
    assert found.names == names


def test_ports_that_are_told_the_same_are_one_group() -> None:
    text = HEAD + "".join(
        f"interface Ethernet{n}\n   description host {n}\n   mtu 9214\n   no switchport\n   ip address 10.0.{n}.1/31\n"
        for n in range(1, 49)
    )
    (found,) = switch(text).ports
    assert len(found.names) == 48


def test_an_interface_that_is_entered_twice_is_one() -> None:
    text = (
        f"{HEAD}interface Ethernet1/1\n   mtu 9000\ninterface Ethernet2/1\n   mtu 1500\ninterface Et1/1\n   mtu 9214\n"
    )
    assert port(text).mtu == 9214


@pytest.mark.parametrize(
    ("line", "speed"),
    [
        ("speed 400g-8", 400), ("speed 800g", 800), ("speed forced 100gfull", 100), ("speed auto 25gfull", 25),
        ("speed 200g-4", 200), ("speed forced 10000full", 10), ("speed 1.6t-8", 1600), ("speed auto", None),
        ("no speed", None),
    ],
)  # fmt: skip
def test_speeds(line: str, speed: int | None) -> None:
    assert port(f"{HEAD}interface Ethernet1/1\n   {line}\n").speed == (speed * 10**9 if speed else None)


@pytest.mark.parametrize(
    ("line", "speed", "fastest", "negotiates"),
    [
        ("speed auto 400gfull 100gfull", None, 400, True),  # which of them, both ends choose
        ("speed auto 100gfull 400gfull", None, 400, True),
        ("speed auto 25gfull", 25, 25, True),
        ("speed auto", None, None, False),
        ("speed 400g-8", 400, 400, False),
    ],
)
def test_the_speed_is_what_autonegotiation_may_choose(
    line: str, speed: int | None, fastest: int | None, *, negotiates: bool
) -> None:
    of = port(f"{HEAD}interface Ethernet1/1\n   {line}\n")
    assert (of.speed, of.fastest) == (speed and speed * 10**9, fastest and fastest * 10**9)
    assert of.negotiates == negotiates


@pytest.mark.parametrize(
    ("lines", "layer", "trust"),
    [
        (["no switchport"], 3, "dscp"),
        ([], 2, "pcp"),
        (["switchport access vlan 20"], 2, "pcp"),
        (["ip address 10.0.0.1/31"], 2, "pcp"),  # EOS keeps it, and ignores it on a port that is not routed
        (["qos trust dscp"], 2, "dscp"),
        (["no switchport", "qos trust cos"], 3, "pcp"),
        (["no switchport", "no qos trust"], 3, "none"),
        (["no switchport", "default qos trust"], 3, "dscp"),
    ],
)
def test_trust_hangs_on_the_layer(lines: list[str], layer: int, trust: str) -> None:
    text = f"{HEAD}interface Ethernet1/1\n" + "".join(f"   {line}\n" for line in lines)
    assert (port(text).layer, port(text).trust) == (layer, trust)


def test_ports_are_routed_where_that_is_the_default() -> None:
    found = port(f"{HEAD}switchport default mode routed\ninterface Ethernet1/1\n   load-interval 5\n")
    assert (found.layer, found.trust, found.mtu) == (3, "dscp", 1500)


@pytest.mark.parametrize(
    ("command", "whole"),
    [
        ("show running-config", True),
        ("show running-config all", True),
        ("show running-config sanitized", True),
        ("show running-config interfaces Ethernet1/1", False),
        ("show running-config section qos", False),
    ],
)
def test_what_was_asked_of_the_switch_tells_whether_it_is_all(command: str, whole: bool) -> None:
    text = f"! Command: {command}\n{TH5}interface Ethernet1/1\n   no switchport\n"
    assert switch(text).running.whole is whole


def test_a_part_of_a_configuration_says_nothing_by_silence() -> None:
    found = switch("interface Ethernet1/1\n   tx-queue 3\n      no priority\n")
    assert not found.running.whole
    (own,) = found.ports
    assert set(own.section) == set()
    assert set(own.queues) == {3, 7}  # queue 7 is control traffic's


@pytest.mark.parametrize(
    ("lines", "word"),
    [
        (["flowcontrol send off", "flowcontrol receive off"], "off"),
        (["flowcontrol receive on"], "rx"),
        (["flowcontrol send desired"], "tx"),
        (["flowcontrol send on", "flowcontrol receive on"], "on"),
        (["no flowcontrol send", "no flowcontrol receive"], "off"),
    ],
)
def test_pauses_of_802_3x(lines: list[str], word: str) -> None:
    text = f"{HEAD}interface Ethernet1/1\n" + "".join(f"   {line}\n" for line in lines)
    assert port(text).flowcontrol == word


def test_other_settings_of_a_port() -> None:
    found = port(
        f"{HEAD}interface Ethernet1/1\n   error-correction encoding reed-solomon\n   channel-group 12 mode active\n"
        "   shutdown\n   dcbx mode ieee\n"
    )
    assert (found.fec, found.lag) == ("rs", "Port-Channel12")
    assert found.running is not None
    assert found.running.up is False
    assert device(f"{HEAD}interface Ethernet1/1\n   dcbx mode ieee\n").dcbx == "on"


def test_management_ports_count_where_roce_is_set_on_them() -> None:
    text = f"{lossless(after=_TIMES)}interface Management1\n   ip address 10.0.0.1/24\n"
    assert {name for p in device(text).ports for name in p.names} == {"Ethernet1/1"}
    paused = f"{text}{LOSSLESS}"
    assert port(paused, "Management1").faces == "management"
    assert "pfc-mgmt-port" in rules(paused)


def test_a_lag_without_members_is_a_port() -> None:
    text = f"{HEAD}interface Port-Channel5\n   no switchport\n{LOSSLESS}"
    assert port(text, "Port-Channel5").pfc == (3,)


def test_the_default_of_all_interfaces() -> None:
    assert port(f"{HEAD}interface defaults\n   mtu 9214\n!\ninterface Ethernet1/1\n   no switchport\n").mtu == 9214


# -- profiles ----------------------------------------------------------------------------------------------------------

PROFILE = f"""qos profile ROCE
   qos trust dscp
{LOSSLESS}   !
   uc-tx-queue 3
      no priority
      bandwidth percent 60
      random-detect ecn minimum-threshold 256 kbytes maximum-threshold 512 kbytes
!
"""


def test_what_the_port_says_wins_over_its_profile() -> None:
    text = (
        f"{HEAD}{PROFILE}interface Ethernet1/1\n   qos trust cos\n   service-profile ROCE\n   uc-tx-queue 3\n"
        "      bandwidth percent 40\n      random-detect ecn count\n"
    )
    (own,) = switch(text).ports
    assert port(text).trust == "pcp"
    assert own.queues[3]["bandwidth"].value == 40
    assert "ecn" in own.queues[3]  # counting takes nothing away
    reported = [f.message for f in findings(text) if f.rule.name == "device-conflict"]
    assert len(reported) == 2
    assert any("qos trust cos" in message for message in reported)


def test_what_the_port_takes_back_is_the_profiles_again() -> None:
    text = f"{HEAD}{PROFILE}interface Ethernet1/1\n   no priority-flow-control\n   service-profile ROCE\n"
    assert port(text).pfc == (3,)
    assert "device-conflict" in rules(text)  # whoever wrote the line meant PFC to be off


def test_a_profile_defined_below_its_use() -> None:
    assert port(f"{HEAD}interface Ethernet1/1\n   service-profile ROCE\n!\n{PROFILE}").pfc == (3,)


def test_a_profile_that_is_cleared_first() -> None:
    text = f"no qos profile ROCE\n{PROFILE}no qos profile ROCE\nqos profile ROCE\n   qos trust dscp\n"
    assert device(text).ports[0].pfc == ()


def test_defaults_that_show_run_all_prints_below_a_port_do_not_win() -> None:
    own = "   priority-flow-control pause watchdog\n   uc-tx-queue 3\n      priority strict\n"
    text = f"! Command: show running-config all\n{HEAD}{PROFILE}interface Ethernet1/1\n   service-profile ROCE\n{own}"
    (found,) = switch(text).ports
    assert found.queues[3]["bandwidth"].value == 60
    assert "device-conflict" not in rules(text)


# -- queues and marking ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("queue", ["tx-queue", "uc-tx-queue"])
def test_both_words_for_queues(queue: str) -> None:
    text = lossless(
        f"{queue} 3", "no priority", "bandwidth percent 40", "bandwidth guaranteed 100", "shape rate 5 percent",
        after=f"qos map traffic-class 3 to {queue} 3\nqos map traffic-class 5 to {queue} 2\n",
    )  # fmt: skip
    found = device(text)
    own = found.cls("tc3")
    assert (own.strict, own.bandwidth, own.guaranteed_rate, own.max_percent) == (False, 40, 100_000, 5)
    assert found.maps.tc_to_queue == (0, 1, 2, 3, 4, 2, 6, 7)


def test_queues_are_strict_unless_told_otherwise() -> None:
    assert device(lossless()).cls("tc3").strict
    below = device(lossless("tx-queue 4", "no priority", "bandwidth percent 60"))
    assert not below.cls("tc3").strict  # a round-robin queue above: whether this one is strict is not known
    assert below.cls("tc5").strict


@pytest.mark.parametrize(
    ("units", "curve"),
    [
        (("256000 bytes", "512000 bytes"), (256_000, 512_000)),
        (("256 kbytes", "512 kbytes"), (256_000, 512_000)),
        (("1 mbytes", "2 mbytes"), (1_000_000, 2_000_000)),
        (("1000 segments", "2000 segments"), (254_000, 508_000)),  # Tomahawk 5: 254 B
    ],
)
def test_thresholds_in_bytes_and_cells(units: tuple[str, str], curve: tuple[int, int]) -> None:
    line = f"random-detect ecn minimum-threshold {units[0]} maximum-threshold {units[1]}"
    assert ecn(lossless("uc-tx-queue 3", f"{line} max-mark-probability 20 weight 2", head=TH5 + HEAD)) == (
        *curve,
        20,
        2,
    )
    assert ecn(lossless("uc-tx-queue 3", line, head=TH5 + HEAD)) == (*curve, 100, 0)


def test_thresholds_in_units_of_time_take_the_ports_speed() -> None:
    line = "random-detect ecn minimum-threshold 320 microseconds maximum-threshold 1 milliseconds"
    at_100g = lossless("speed 100g", "tx-queue 3", line, head=JERICHO + HEAD)
    assert ecn(at_100g) == (4_000_000, 12_500_000, 100, 0)  # 100 Gbit/s is 12.5 GB/s
    assert "device-unread" not in rules(at_100g)
    unknown = lossless("tx-queue 3", line, head=JERICHO + HEAD)
    assert ecn(unknown) == AUTO
    assert "device-unread" in rules(unknown)
    assert "ecn-missing" not in rules(unknown)


def test_marking_by_waiting_time_is_marking() -> None:
    text = lossless("random-detect ecn delay threshold 3 milliseconds", head=JERICHO + HEAD)
    assert ecn(text) == AUTO
    assert "device-unread" in rules(text)
    assert "ecn-missing" not in rules(text)


def test_marking_that_is_taken_back() -> None:
    line = "random-detect ecn minimum-threshold 256 kbytes maximum-threshold 512 kbytes"
    assert ecn(lossless("tx-queue 3", line, "no random-detect ecn")) is None
    assert "ecn-missing" in rules(lossless("tx-queue 3", line, "no random-detect ecn"))


def test_queues_that_drop_early() -> None:
    line = "random-detect drop minimum-threshold 1 kbytes maximum-threshold 10 kbytes drop-probability 100"
    assert "ecn-red-drop" in rules(lossless("tx-queue 3", line))
    assert "ecn-red-drop" not in rules(lossless("tx-queue 2", line))


# -- the watchdog ------------------------------------------------------------------------------------------------------

_DOG = "priority-flow-control pause watchdog"
_TIMES = (
    f"{_DOG} default timeout 0.20\n{_DOG} default recovery-time 0.4\n{_DOG} default polling-interval 0.005\n"
    f"{_DOG} action notify-only\n"
)


@pytest.mark.parametrize(
    ("own", "after", "dog"),
    [
        ([], _TIMES, (200, 400, 5, "alert")),
        ([f"{_DOG} port action drop"], _TIMES, (200, 400, 5, "drop")),
        (
            [f"{_DOG} port timer timeout 0.05 polling-interval auto recovery-time 1.11 forced"],
            _TIMES,
            (50, 1110, None, "alert"),
        ),
        (
            [f"{_DOG} port timer timeout 60 polling-interval 0.1 recovery-time 60"],
            _TIMES,
            (60_000, 60_000, 100, "alert"),
        ),
        ([], f"{_TIMES}{_DOG} override action drop\n", (200, 400, 5, "drop")),
        ([], f"{_DOG} default timeout 0.2\n", (200, None, None, "errdisable")),
    ],
)
def test_times_and_actions(own: list[str], after: str, dog: tuple[Any, ...]) -> None:
    found = port(lossless(*own, after=after)).watchdog
    assert isinstance(found, Watchdog)
    assert (found.detection, found.restoration, found.poll, found.action) == dog
    assert found.priorities == (3,)


def test_the_watchdog_is_on_unless_turned_off() -> None:
    assert port(lossless()).watchdog == Watchdog(None, None, None, None, vendor_default=True)
    assert port(lossless(f"no {_DOG}", after=_TIMES)).watchdog is None
    assert "watchdog-missing" in rules(lossless(f"no {_DOG}", after=_TIMES))
    assert port(lossless(f"default {_DOG}", after=_TIMES)).watchdog is not None


# -- buffers -----------------------------------------------------------------------------------------------------------

_MMU = """platform trident mmu queue profile M
    ingress threshold 1/4
    ingress headroom cells 250
    ingress priority-group 3 threshold 1/8
    egress unicast queue 3 threshold 8
!
platform trident mmu queue profile OTHER
    ingress headroom bytes 9000
"""


def test_the_mmu_profile_in_force() -> None:
    text = lossless(after=f"{_MMU}platform trident mmu queue profile M apply\n", head=TH5 + HEAD)
    found = device(text)
    assert found.buffers.alpha == 0.25
    (own,) = found.ports
    assert own.headroom is not None
    assert own.headroom != AUTO
    assert own.headroom.size == 250 * 254
    assert own.running is not None
    assert [(g.number, g.alpha, g.lossless) for g in own.running.groups] == [(3, 0.125, True)]
    assert [(q.number, q.alpha) for q in own.running.queues] == [(3, 8)]


def test_an_mmu_profile_of_a_port() -> None:
    text = lossless("platform trident mmu queue interface-profile OTHER", after=_MMU)
    (own,) = device(text).ports
    assert own.headroom is not None
    assert own.headroom != AUTO
    assert own.headroom.size == 9000


@pytest.mark.parametrize(
    ("limit", "size"), [("bytes 4000000", 4_000_000), ("4000000", 4_000_000), ("cells 9600", 2_438_400)]
)
def test_the_headroom_pool(limit: str, size: int) -> None:
    text = f"{TH5}{HEAD}platform trident mmu headroom-pool limit {limit}\ninterface Ethernet1/1\n"
    assert device(text).buffers.shared_headroom == size


def test_cells_of_a_chip_that_is_not_known() -> None:
    text = f"{HEAD}platform trident mmu headroom-pool limit cells 9600\ninterface Ethernet1/1\n"
    assert device(text).buffers.shared_headroom is None
    assert "device-unread" in rules(text)


# -- the switch --------------------------------------------------------------------------------------------------------


def test_tunnels_and_counters() -> None:
    tunnel = f"{lossless()}interface Vxlan1\n   vxlan source-interface Loopback1\n"
    assert "mix-tunnel" in rules(tunnel)
    assert "mix-tunnel" not in rules(f"{tunnel}   vxlan qos ecn propagation\n")
    assert "mix-tunnel" not in rules(lossless())


def test_nothing_outside_of_roce_is_told_or_kept() -> None:
    text = (
        f"{HEAD}username admin privilege 15 secret sha512 $6$abcd\nsnmp-server community s3cret ro\n"
        "router bgp 65000\n   neighbor 10.0.0.1 password 7 xyzzy\n   vlan 10\n      shutdown\n"
        "banner login\nqos trust nobody\nEOF\nevent-handler x\n   action bash\n   priority-flow-control off\nEOF\n"
        "interface Ethernet1/1\n   description qos is fun\n   spanning-tree portfast\n"
        "   ip ospf authentication-key 7 abc\n"
    )
    assert rules(text) == {"device-second-way"}  # the event handler, whose line is none of the configuration
    assert port(text).running == device(f"{HEAD}interface Ethernet1/1\n").ports[0].running


def test_the_version_of_dcbx_and_what_copies_marks_have_their_lines() -> None:
    text = f"{HEAD}interface Ethernet1\n   dcbx mode cee\ninterface Vxlan1\n   vxlan qos ecn propagation\n"
    read = switch(text)
    (port,) = read.ports
    assert port.running is not None
    places = port.running.at("dcbx_version"), read.running.at("copied_by")
    assert [text[at.start : at.end].strip() for at in places if isinstance(at, Span)] == [
        "dcbx mode cee",
        "vxlan qos ecn propagation",
    ]
