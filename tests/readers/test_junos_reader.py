"""The Junos reader: both forms, groups and wildcards, what is inactive, defaults, and what is no configuration."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from intents import rocecfg, write
from junos_text import INTENTS, device, findings, rendered, rules, switch, switches
from loops import loop
from one_switch import findings_of, loaded_as
from seen import seen

from rocecfg import read_config
from rocecfg.model import Span
from rocecfg.source.document import Document, SourceError
from rocecfg.vendors.detect import vendor_of
from rocecfg.vendors.junos.reading.set_lines import parse_set_lines

COS = """\
set class-of-service classifiers dscp C forwarding-class RDMA loss-priority low code-points af31
set class-of-service forwarding-classes class RDMA queue-num 4 no-loss pfc-priority 3
set class-of-service congestion-notification-profile P input dscp code-point 011010 pfc
set class-of-service congestion-notification-profile P output ieee-802.1 code-point 011 flow-control-queue 4
set class-of-service scheduler-maps M forwarding-class RDMA scheduler S
set class-of-service schedulers S transmit-rate percent 90
"""
HEAD = "set version 23.4R2-S3-EVO\nset system host-name leaf01\n"
PORTS = "set interfaces et-0/0/0 mtu 9216\nset interfaces et-0/0/1:0 mtu 9216\nset interfaces xe-0/0/5 mtu 9216\n"
BOUND = """\
set class-of-service interfaces et-* congestion-notification-profile P
set class-of-service interfaces et-* scheduler-map M
set class-of-service interfaces et-* unit * classifiers dscp C
"""


def pfc(text: str) -> dict[str, tuple[int, ...]]:
    return {name: tuple(port.pfc) for port in switch(text).ports for name in port.names}


def test_a_wildcard_reaches_ports_of_its_kind() -> None:
    assert pfc(HEAD + PORTS + COS + BOUND) == {"et-0/0/0": (3,), "et-0/0/1:0": (3,), "xe-0/0/5": ()}


@pytest.mark.parametrize("pattern", ["et-0/0/[0-3]", "et-0/0/0", "all", "et-0/0/?", "*"])
def test_other_patterns(pattern: str) -> None:
    assert pfc(HEAD + PORTS + COS + BOUND.replace("et-*", pattern))["et-0/0/0"] == (3,)


def test_a_port_named_outright_goes_before_a_wildcard() -> None:
    other = "set class-of-service congestion-notification-profile Q input dscp code-point 011011 pfc\n"
    text = HEAD + PORTS + COS + BOUND + other
    text += "set class-of-service interfaces et-0/0/0 congestion-notification-profile Q\n"
    assert pfc(text)["et-0/0/0"] == ()
    assert pfc(text)["et-0/0/1:0"] == (3,)


def test_groups_stand_where_they_are_applied() -> None:
    grouped = re.sub(r"(?m)^set class-of-service", "set groups ROCE class-of-service", COS)
    assert pfc(HEAD + PORTS + BOUND + grouped) == dict.fromkeys(("et-0/0/0", "et-0/0/1:0", "xe-0/0/5"), ())
    assert pfc(HEAD + PORTS + BOUND + grouped + "set apply-groups ROCE\n")["et-0/0/0"] == (3,)


def test_wildcards_of_groups_reach_what_is_there() -> None:
    group = "set groups MTU interfaces <et-*> mtu 9014\nset interfaces apply-groups MTU\n"
    text = HEAD + "set interfaces et-0/0/0 description a\nset interfaces xe-0/0/5 description b\n" + group
    mtus = {name: port.section["mtu"].value for port in switch(text).ports for name in port.names}
    assert mtus == {"et-0/0/0": 9000, "xe-0/0/5": 1500}


def test_the_first_name_of_a_group_that_fits_counts_and_the_others_add_to_it() -> None:
    group = (
        "set groups MTU interfaces <et-*> mtu 9014\nset groups MTU interfaces <*> mtu 4014\n"
        "set groups MTU interfaces <*> speed 100g\nset apply-groups MTU\n"
    )
    text = HEAD + "set interfaces et-0/0/0 description a\nset interfaces xe-0/0/5 description b\n" + group
    ports = {name: port.section for port in switch(text).ports for name in port.names}
    assert {name: section["mtu"].value for name, section in ports.items()} == {"et-0/0/0": 9000, "xe-0/0/5": 4000}
    assert {section["speed"].value for section in ports.values()} == {100 * 10**9}


def test_what_is_said_itself_goes_before_a_group() -> None:
    group = "set groups MTU interfaces <et-*> mtu 9014\nset interfaces apply-groups MTU\n"
    text = HEAD + "set interfaces et-0/0/0 mtu 4014\n" + group
    assert [port.section["mtu"].value for port in switch(text).ports] == [4000]
    excepted = HEAD + "set interfaces et-0/0/0 description a\nset interfaces et-0/0/0 apply-groups-except MTU\n" + group
    assert [port.section["mtu"].value for port in switch(excepted).ports] == [1500]


def test_a_group_that_is_not_there_is_told() -> None:
    assert "device-ref" in rules(HEAD + PORTS + "set apply-groups NONE\n")


@pytest.mark.parametrize("number", ["³", "9" * 5000])
def test_what_is_no_number_is_no_mtu_and_no_port(number: str) -> None:
    lines = (
        *("set interfaces et-0/0/0 mtu 9014", f"set interfaces et-0/0/1 mtu {number}"),
        f"set interfaces et-0/0/0 unit 0 family inet mtu {number}",
        f"set interfaces interface-range R member-range et-0/0/{number} to et-0/0/{number}",
        f"set interfaces interface-range R member et-0/0/[{number}]",
        "set interfaces interface-range R mtu 4014",
        f"set class-of-service forwarding-classes class X queue-num {number}",
        f"set class-of-service schedulers X shaping-rate {number}",
        f"set class-of-service schedulers X transmit-rate percent {number}",
    )
    mtus = {name: port.section["mtu"].value for port in switch(HEAD + "\n".join(lines)).ports for name in port.names}
    assert mtus["et-0/0/0"] == 9000
    assert set(mtus.values()) <= {9000, 1500}


def test_interface_ranges_are_written_out() -> None:
    text = HEAD + "set interfaces interface-range R member et-0/0/[0-1]\nset interfaces interface-range R mtu 9014\n"
    assert [(port.names, port.section["mtu"].value) for port in switch(text).ports] == [
        (("et-0/0/0", "et-0/0/1"), 9000)
    ]


def test_what_is_inactive_does_nothing_and_is_known(tmp_path: Path) -> None:
    text = rendered(INTENTS["leaf"], tmp_path)
    dog = text.index("            pfc-watchdog {")
    off = f"{text[:dog]}            inactive: {text[dog:].lstrip()}"
    found = switch(off)
    first = found.ports[0].section["pfc"].value["watchdog"]
    assert first.value == "off"
    assert any("inactive: class-of-service congestion-notification-profile ROCE-PFC" in one.text for one in found.idle)
    lines = rendered(INTENTS["leaf"], tmp_path, "set")
    deactivated = f"{lines}deactivate class-of-service congestion-notification-profile ROCE-PFC pfc-watchdog\n"
    assert seen([switch(deactivated)]) == seen([found])


def test_edit_and_delete_are_followed() -> None:
    typed = HEAD + PORTS + "edit class-of-service\n" + COS.replace("set class-of-service ", "set ") + "top\n" + BOUND
    assert pfc(typed) == pfc(HEAD + PORTS + COS + BOUND)
    assert pfc(f"{typed}delete class-of-service interfaces et-* congestion-notification-profile\n")["et-0/0/0"] == ()


_WORDS = st.lists(st.sampled_from("abc"), min_size=1, max_size=5).map(tuple)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.sampled_from(("set", "set", "set", "delete")), _WORDS), max_size=30))
def test_what_is_deleted_goes_with_all_below_it(lines: list[tuple[str, tuple[str, ...]]]) -> None:
    left: dict[tuple[str, ...], None] = {}
    for verb, words in lines:
        if verb == "set":
            left[words] = None
        else:
            left = {other: None for other in left if other[: len(words)] != words}
    text = "".join(f"{verb} {' '.join(words)}\n" for verb, words in lines)
    assert [one.words for one in parse_set_lines(Document(0, "leaf01.set", text)).active] == list(left)


def test_prompts_and_comments_say_nothing(tmp_path: Path) -> None:
    text = rendered(INTENTS["leaf"], tmp_path)
    shown = f"admin@leaf01> show configuration\n## Last commit: 2026-01-01\n{text}\n{{master:0}}\nadmin@leaf01>\n"
    assert seen([switch(shown)]) == seen([switch(text)])
    commented = text.replace("class-of-service {", "/* mine { */\nclass-of-service { # {\n")
    assert seen([switch(commented)]) == seen([switch(text)])
    assert seen([switch(text.replace("\n", "\r\n"))]) == seen([switch(text)])


def test_defaults_where_nothing_is_said() -> None:
    text = (
        HEAD + PORTS + COS + BOUND + "set class-of-service congestion-notification-profile P pfc-watchdog detection 4\n"
    )
    (first, *_) = switch(text).ports
    dog = {key: val.value for key, val in first.section["pfc"].value["watchdog"].value.items() if key != "priorities"}
    assert dog == {"detection_time": 400, "restoration_time": 200, "poll_interval": 100, "action": "drop"}
    assert first.section["mtu"].value == 9202


def test_a_port_that_nothing_runs_over_is_none() -> None:
    """A wildcard gives it PFC, and there is no address, VLAN, description or MTU."""
    text = HEAD + PORTS + COS + BOUND + "set interfaces et-0/0/9 unit 0 family inet\n"
    assert "et-0/0/9" not in pfc(text)


def test_a_split_port_is_its_parts() -> None:
    text = HEAD + "set interfaces et-0/0/1 speed 400g\nset interfaces et-0/0/1 number-of-sub-ports 2\n" + PORTS
    found = {name: port.section.get("speed") for port in switch(text).ports for name in port.names}
    assert "et-0/0/1" not in found
    assert found["et-0/0/1:0"] is not None
    assert found["et-0/0/1:0"].value == 400 * 10**9


@pytest.mark.parametrize(
    "description",
    ["facing_spine1:et-0/0/4:0", "to spine1:et-0/0/4:0", "spine1 et-0/0/4:0", "to.spine1:et-0/0/4:0"],
)
def test_descriptions_name_the_far_end(description: str) -> None:
    text = f'{HEAD}set interfaces et-0/0/0 description "{description}"\n'
    (found,) = switch(text).neighbours
    assert (found.port, found.device, found.far_port) == ("et-0/0/0", "spine1", "et-0/0/4:0")


def test_a_switch_without_class_of_service_is_not_held_to_it() -> None:
    assert findings(HEAD + PORTS) == []


def test_what_is_not_judged_makes_its_settings_uncovered() -> None:
    filters = (
        "set interfaces et-0/0/0 unit 0 family inet filter input MARK\n"
        "set firewall family inet filter MARK term 1 then forwarding-class RDMA\n"
    )
    found = switch(HEAD + PORTS + COS + BOUND + filters)
    assert {one.ports for one in found.unread if one.ports} == {("et-0/0/0",)}
    assert all("filter MARK" in one.message for one in found.unread)


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("set class-of-service forwarding-classes class X queue-num 12", "device-value"),
        (
            "set class-of-service classifiers dscp C forwarding-class RDMA loss-priority low code-points 26",
            "device-value",
        ),
        ("set class-of-service drop-profiles D interpolate fill-level 101", "device-value"),
        ("set class-of-service schedulers S transmit-rates percent 5", "device-unknown"),
        ("set class-of-service quues 5", "device-unknown"),
        ("set class-of-service interfaces et-* scheduler-map NONE", "device-ref"),
        ("set class-of-service interfaces et-* dedicated-buffer-profile NONE", "device-ref"),
    ],
)
def test_what_a_switch_would_not_take_is_told(line: str, rule: str) -> None:
    text = f"{HEAD}{PORTS}{COS}{BOUND}{line}\n"
    places = [one for one in findings(text) if one.rule.name == rule]
    assert places
    assert text.count("\n", 0, places[0].at.start) + 1 == text.count("\n")  # type: ignore[union-attr]


def test_a_watchdog_without_an_output_side_is_refused_by_commit(tmp_path: Path) -> None:
    text = rendered(INTENTS["leaf"], tmp_path, "set")
    lines = [line for line in text.splitlines() if " output " not in line]
    assert len(lines) < len(text.splitlines())
    found = [one for one in findings("\n".join(lines)) if one.rule.name == "device-conflict"]
    assert {one.severity for one in found} == {"error"}
    assert all("has a pfc-watchdog" in one.message for one in found)
    assert "device-conflict" not in rules(text)


def test_ports_without_a_classifier_are_one_finding() -> None:
    """A wildcard without one is said once, whatever else sets its ports apart."""
    text = HEAD + PORTS + COS + BOUND
    assert "junos-no-classifier" not in rules(text)
    bare = "".join(f"{line}\n" for line in text.splitlines() if not ("et-*" in line and "classifiers" in line))
    assert bare != text
    (found,) = (one for one in findings(bare) if one.rule.name == "junos-no-classifier")
    assert "no dscp classifier" in found.message
    assert "junos-no-loss-unused" not in rules(bare)


@pytest.mark.parametrize(
    ("lines", "reported"),
    [
        (("B egress",), "states no buffer-size and is bound to no port"),
        (("B ingress buffer-size 900",), "is bound to no port"),
        (("B egress", "et-0/0/0"), "states no buffer-size: its ports"),
        (("B egress buffer-size 900", "et-0/0/0"), ""),
        (("B egress buffer-size 900", "all"), ""),
    ],
)
def test_dedicated_buffers_that_change_nothing(lines: tuple[str, ...], reported: str) -> None:
    stated, *ports = lines
    text = f"{HEAD}{PORTS}{COS}{BOUND}set class-of-service dedicated-buffer-profile {stated}\n"
    text += "".join(f"set class-of-service interfaces {port} dedicated-buffer-profile B\n" for port in ports)
    found = [one.message for one in findings(text) if one.rule.name == "junos-dedicated-buffer"]
    assert len(found) == bool(reported)
    assert all(reported in message for message in found)


@pytest.mark.parametrize(
    ("port", "description", "more", "passed_over"),
    [
        ("xe-0/0/6", "facing_spine1:et-0/0/0", "", True),
        ("xe-0/0/6", "facing_boob1:et-0/0/0", "", True),
        ("xe-0/0/6", "facing_spine1:et-0/0/0", "set routing-instances blue interface xe-0/0/6.0\n", True),
        ("xe-0/0/6", "facing_oob-sw1:xe-0/0/7", "", False),
        ("xe-0/0/6", "to MGMT-leaf1:ge-0/0/7", "", False),
        ("xe-0/0/6", "facing_spine1:et-0/0/0", "set routing-instances mgmt_junos interface xe-0/0/6.0\n", False),
        ("ge-0/0/6", "facing_core1:ge-0/0/7", "", False),
    ],
)
def test_links_of_the_management_network_may_be_passed_over(
    port: str, description: str, more: str, *, passed_over: bool
) -> None:
    text = f'{HEAD}{PORTS}{COS}{BOUND}set interfaces {port} description "{description}"\n{more}'
    assert ("junos-passed-over" in rules(text)) == passed_over
    for line in ("scheduler-map M", "unit * classifiers dscp C"):  # sorted into the no-loss class
        text += f"set class-of-service interfaces {port} {line}\n"
    assert ("junos-port-bare" in rules(text)) == passed_over


@pytest.mark.parametrize(
    ("port", "lines", "severity"),
    [
        ("xe-0/0/6", ("description uplink1", "unit 0 family inet address 192.0.2.1/31"), ["warning"]),
        ("xe-0/0/6", ("unit 0 family inet address 192.0.2.1/31",), ["warning"]),
        ("xe-0/0/6", ("description facing_spine1:et-0/0/0", "unit 0 family inet address 192.0.2.1/31"), ["error"]),
        ("xe-0/0/6", ('description "to gpu01:nic0"', "unit 0 family inet address 192.0.2.1/31"), []),
        ("xe-0/0/6", ("description oob", "unit 0 family inet address 192.0.2.1/31"), []),
        ("ge-0/0/6", ("unit 0 family inet address 192.0.2.1/31",), []),
        ("xe-0/0/6", ("description uplink1",), []),
    ],
)
def test_a_routed_port_without_pfc_is_found_whatever_its_description(
    port: str, lines: tuple[str, ...], severity: list[str]
) -> None:
    text = f"{HEAD}{PORTS}{COS}{BOUND}" + "".join(f"set interfaces {port} {line}\n" for line in lines)
    for line in ("scheduler-map M", "unit * classifiers dscp C"):
        text += f"set class-of-service interfaces {port} {line}\n"
    assert [f.severity for f in findings(text) if f.rule.name == "junos-port-bare"] == severity


# -- what is none ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "place", "reported"),
    [
        ("class-of-service {\n    schedulers {\n        S {\n", "3:11", "not closed: the text is cut off"),
        ("class-of-service {\n}\n}\n", "3:1", "this '}' has no '{'"),
        ("class-of-service {\n    schedulers S\n}\n", "2:5", "';' is missing"),
        ("class-of-service {\n    a [ b c;\n}\n", "2:7", "this '[' has no ']'"),
        ("class-of-service {\n    a ] b;\n}\n", "2:7", "this ']' has no '['"),
        ('class-of-service {\n    a "b;\n}\n', "2:7", "quotes has no end"),
        ("class-of-service {\n/* a\n}\n", "2:1", "comment has no end"),
        ("set system host-name a\nset class-of-service a { b;\n", "2:24", "'{' in a set line"),
        ("set system host-name a\nclass-of-service x\n", "2:1", "a set line cannot begin with"),
        ("set system host-name a\nset a [ b c\n", "2:11", "a list without ']'"),
        ("set system host-name a\nset\n", "2:1", "no statement"),
        ("forwarding-classes {\n    class A queue-num 1;\n}\n", "2:5", "class-of-service"),
        ("routing-options {\n    router-id 1.1.1.1;\n}\n", "1:1", "no Junos statement that RoCE needs"),
        ("a { " * 70, "1:259", "nested more than 64 deep"),
        ("class-of-service {\n}\nset class-of-service a b\n", "3:1", "a set line in a text with braces"),
        (
            "set system host-name a\nset apply-groups G\ninterfaces {\n    a;\n    b;\n}\n",
            "1:1",
            "a set line in a text",
        ),
    ],
)
def test_what_is_cut_off_or_mixed_is_refused_with_its_place(text: str, place: str, reported: str) -> None:
    with pytest.raises(SourceError) as error:
        switch(text)
    assert f"{error.value.line}:{error.value.column}" == place
    assert reported in error.value.message


@pytest.mark.parametrize(
    "text",
    [
        "set system host-name mx1\nset chassis network-services enhanced-ip\nset interfaces xe-0/0/0 mtu 9192\n",
        "system {\n    host-name srx;\n}\nsecurity {\n    zones {\n    }\n}\nchassis {\n}\n",
        "class-of-service {\n    classifiers {\n        dscp {{ name }} {\n        }\n    }\n}\n",
        "interface Ethernet1/1\n   mtu 9214\n",
    ],
    ids=["MX", "SRX", "template", "EOS"],
)
def test_another_systems_text_is_not_taken_for_junos(text: str) -> None:
    assert vendor_of(text) != "junos"


@pytest.mark.parametrize(
    ("line", "reported"),
    [
        ("chassis network-services enhanced-ip", "line cards (MX)"),
        ("chassis fpc 0 pic 0 tunnel-services bandwidth 10g", "tunnels on the line card"),
        ("interfaces lt-0/0/10 unit 0 family inet", "an interface of a router"),
        ("interfaces xe-0/0/5 hierarchical-scheduler", "scheduling by unit"),
        ("class-of-service interfaces xe-0/0/5 unit 0 scheduler-map M", "scheduling by unit"),
        ("class-of-service interfaces xe-0/0/5 scheduler-map-chassis M", "scheduling of a router"),
        ("bridge-domains B vlan-id 5", "a QFX has vlans"),
        ("services service-set S interface-service service-interface ms-1/0/0", "a services card"),
        ("groups R class-of-service fabric scheduler-map priority low scheduler S\nset apply-groups R", "line cards"),
    ],
)
def test_what_only_routers_have_is_refused_with_its_place(line: str, reported: str) -> None:
    with pytest.raises(SourceError) as error:
        switch(f"{HEAD}{PORTS}set {line}\n")
    assert (error.value.line, error.value.column) == (6, 1)
    assert reported in error.value.message


def test_a_router_on_one_line_is_refused() -> None:
    with pytest.raises(SourceError) as error:
        switch("system { host-name mx1; } chassis { network-services enhanced-ip; } interfaces { xe-0/0/0 { mtu 9; } }")
    assert (error.value.line, error.value.column) == (1, 37)


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        (f"{HEAD}{PORTS}set protocols mpls interface xe-0/0/5\n", True),
        (f"{HEAD.replace('leaf01', 'p1-ptx10003')}{PORTS}", True),
        (f"{HEAD}{PORTS}{COS}{BOUND}set protocols mpls interface xe-0/0/5\n", False),  # it has PFC: a QFX, it is likely
        (f"{HEAD}{PORTS}set protocols bgp group G type external\n", False),
        (f"{HEAD.replace('leaf01', 'rack-mx1')}{PORTS}", False),
    ],
)
def test_what_may_be_a_router_is_read_and_named(text: str, *, reported: bool) -> None:
    found = [one.message for one in findings(text) if one.rule.name == "device-unread"]
    assert any("read as those of a QFX" in message for message in found) == reported


def test_bad_input_ends_with_its_place_and_no_traceback(tmp_path: Path) -> None:
    good = rendered(INTENTS["leaf"], tmp_path)
    write(tmp_path, {"run/cut.conf": good[: len(good) // 2], "run/good.conf": good})
    done = rocecfg(tmp_path, "lint", "--format", "concise", "run/cut.conf", "run/good.conf", expect=2)
    assert re.search(r"run/cut\.conf:\d+:\d+: .*cut off", done.stdout + done.stderr)
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("text", "place", "reported"),
    [
        ("class-of-service {\n    interfaces {\n        {{ port }} {\n        }\n    }\n}\n", "3:9", "is a template"),
        ("class-of-service {\n    interfaces {\n        ${port} {\n        }\n    }\n}\n", "3:9", "is a template"),
        ("set class-of-service interfaces {{ port }} scheduler-map M\n", "1:33", "is a template"),
        ("forwarding-classes {\n    class A queue-num 1;\n}\n", "2:5", "class-of-service"),
        ("set forwarding-classes class A queue-num 1\n", "1:1", "class-of-service"),
        (  # with its interfaces, which are none of the switch's
            "set interfaces et-0/0/0 unit 0 classifiers dscp C\nset classifiers dscp C import default\n",
            "2:1",
            "class-of-service",
        ),
        ("chassis {\n    network-services enhanced-ip;\n}\n", "1:1", "routers (MX, PTX)"),
    ],
    ids=["Jinja", "Terraform", "a configlet of set lines", "a part of it", "a part as set lines", "with ports", "MX"],
)
def test_what_is_none_is_one_finding_with_its_place(text: str, place: str, reported: str, tmp_path: Path) -> None:
    write(tmp_path, {"leaf01.conf": text})
    output = rocecfg(tmp_path, "lint", "leaf01.conf", expect=2).stdout
    assert reported in output
    assert f"leaf01.conf:{place}" in output
    assert "1 error in 1 fabric" in output


def calls(text: str) -> int:
    """How many calls of functions it takes to read a text: its time, whatever else the machine does."""
    count = 0

    def profile(_frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(profile)
    try:
        switch(text)
    finally:
        sys.setprofile(None)
    return count


def test_twice_the_ports_take_twice_the_time() -> None:
    def ports(many: int) -> str:
        each = "set interfaces et-0/{0}/0 mtu 9216\nset class-of-service interfaces et-0/{0}/0 scheduler-map M\n"
        return HEAD + COS + BOUND + "".join(each.format(n) for n in range(many))

    switch(ports(10))  # what is compiled once
    assert calls(ports(400)) < 2.2 * calls(ports(200))


def test_the_vendor_is_told_by_its_text(tmp_path: Path) -> None:
    for form in ("curly", "set"):
        assert vendor_of(rendered(INTENTS["leaf"], tmp_path, form)) == "junos"
    assert device(rendered(INTENTS["leaf"], tmp_path)).vendor == "junos"


def test_a_rate_that_cannot_be_read_is_a_finding(tmp_path: Path) -> None:
    write(tmp_path, {"leaf01.conf": HEAD + PORTS + COS.replace("percent 90", "percent090") + BOUND})
    done = rocecfg(tmp_path, "lint", "leaf01.conf", expect=None)
    assert done.returncode in (0, 1)
    assert "percent090" in done.stdout


def test_a_part_says_of_the_ports_that_it_binds_that_they_trust_nothing_and_of_others_nothing() -> None:
    part = "set class-of-service scheduler-maps M forwarding-class RDMA scheduler S\n"
    part += "set class-of-service interfaces et-0/0/0 scheduler-map M\nset interfaces et-0/0/1 mtu 9000\n"
    for whole in ("", "set version 24.4R2\nset system host-name leaf01\n"):
        (of,) = read_config(
            whole + "set class-of-service scheduler-maps M forwarding-class RDMA scheduler S\n" + part
        ).devices
        stated = {name: isinstance(p.origins.get("trust"), Span) and p.trust for p in of.ports for name in p.names}
        assert stated == {"et-0/0/0": "none", "et-0/0/1": "none" if whole else False}


def test_dcbx_is_named_as_what_is_not_judged() -> None:
    text = "set system host-name leaf01\nset interfaces et-0/0/1 mtu 9000\n"
    for line, told in (("", []), ("set protocols dcbx interface all\n", ["DCBX is not checked"])):
        (of,) = switches(text + line)
        assert [each.message for each in of.unread if "DCBX" in each.message] == told
        assert [each.topics for each in of.unread if "DCBX" in each.message] == [("dcbx",)] * len(told)


@loop(
    "words",
    [
        "interfaces et-0/0/0",
        "interfaces et-0/0/0 unit 0",
        "scheduler-maps M forwarding-class RDMA",
        "schedulers S",
        "schedulers S shaping-rate",
        "classifiers dscp C forwarding-class RDMA loss-priority low",
        "drop-profiles D",
        "shared-buffer ingress",
        "congestion-notification-profile P input",
        "congestion-notification-profile P input dscp code-point 011010",
        "congestion-notification-profile P output",
        "rewrite-rules dscp R forwarding-class RDMA loss-priority low",
        "forwarding-classes class RDMA",
    ],
)
def test_a_word_that_is_not_known_is_told_wherever_it_stands_below_class_of_service(words: str) -> None:
    text = f"{HEAD}{COS}{PORTS}set class-of-service {words} new-in-99 5\n"
    found = [f for f in findings(text) if "new-in-99" in f.message]
    assert [f.rule.name for f in found] == ["device-unknown"], found


def test_a_tunnel_is_named_as_not_judged() -> None:
    """Whether its outer header has DSCP and ECN no page of Juniper's tells of a QFX."""
    text = "set system host-name leaf01\nset interfaces et-0/0/0 mtu 9216\n"
    ends = ("source 10.1.1.1", "destination 10.1.1.2")
    tunnel = "".join(f"set interfaces gr-0/0/0 unit 0 tunnel {end}\n" for end in ends)
    for whole, named in ((text + tunnel, ["tunnel gr-0/0/0"]), (text, [])):
        found = findings_of(loaded_as("junos", "leaf01.conf", whole)[0])
        assert [f.message.partition(",")[0] for f in found if f.rule.name == "device-unread"] == named
