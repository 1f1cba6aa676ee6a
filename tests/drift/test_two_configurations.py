"""Two configurations of one switch: whatever differs is told, and nothing that does not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from drift_cases import compared
from drift_cases import running as running_text
from sonic_switches import Case

from rocecfg.drift.configurations import compare_configurations, with_unjudged_texts
from rocecfg.drift.configurations import fold_differences as all_differences
from rocecfg.drift.labels import label_meant, label_running
from rocecfg.model.fates import FATES, TEXT
from rocecfg.model.switch import Switch
from rocecfg.source.document import Sources
from rocecfg.vendors import part

EOS, NVUE = running_text("auto", "spine02"), running_text("auto", "spine01")
PAUSE = "      link-pause:\n        default-global: {tx: enable, rx: enable}\n      pfc:\n"
NVUE_PAUSE = NVUE.replace("      pfc:\n", PAUSE, 1)
EOS_COS = EOS.replace("interface Ethernet1/1\n", "interface Ethernet1/1\n   qos trust cos\n", 1)
EOS_DCBX = EOS.replace("interface Ethernet1/1\n", "interface Ethernet1/1\n   dcbx mode ieee\n", 1)
FEC = "error-correction encoding fire-code"
TUNNEL = "vxlan source-interface Loopback0"
VENDORS = {EOS: "arista", EOS_COS: "arista", EOS_DCBX: "arista", NVUE: "spectrum", NVUE_PAUSE: "spectrum"}


def read(text: str, vendor: str) -> Switch:
    (switch,) = part(vendor, "reader").read(Sources().add("switch", text))
    return switch


def differences(text: str, old: str, new: str) -> set[tuple[str, str]]:
    """Setting and part of what differs once a piece of a text is another one."""
    assert old in text
    one, other = (read(each, VENDORS[text]) for each in (text, text.replace(old, new, 1)))
    return {(gap.what.topic, gap.what.part) for apart in compare_configurations(one, other) for gap in apart.gaps}


@pytest.mark.parametrize("text", [EOS, NVUE], ids=["eos", "nvue"])
def test_the_same_is_the_same(text: str) -> None:
    assert compare_configurations(read(text, VENDORS[text]), read(text, VENDORS[text])) == ()


@pytest.mark.parametrize(
    ("old", "new", "setting"),
    [
        ("minimum-threshold 240030 bytes", "minimum-threshold 240031 bytes", ("ecn", "kmin")),  # a cell has 254
        ("   qos trust dscp\n", "   qos trust dscp\n   qos dscp 5\n", ("unmarked", "dscp")),
        ("qos map traffic-class 4 to uc-tx-queue 4\n", "qos map traffic-class 4 to uc-tx-queue 0\n", ("queue_of", "")),
    ],
)
def test_a_difference_of_configurations_and_none_of_what_is_meant(
    old: str, new: str, setting: tuple[str, str], tmp_path: Path
) -> None:
    """Within what the chip can tell apart, of what no intent states, of queues that carry nothing."""
    assert setting in differences(EOS, old, new)
    assert compared("auto", {"spine02.cfg": EOS.replace(old, new, 1)}, tmp_path).differences == []


@pytest.mark.parametrize(
    ("text", "old", "new", "setting"),
    [
        (EOS, "interface Ethernet1/1\n", "interface Ethernet1/1\n   shutdown\n", ("up", "")),
        (NVUE, "trust: l3", "trust: both", ("tc_of_pcp", "")),
        (EOS, "interface Ethernet1/1\n", "interface Ethernet1/1\n   channel-group 5 mode active\n", ("lag", "")),
        (EOS, "interface Ethernet1/1\n", "interface Ethernet1/1\n   no switchport\n", ("layer", "")),
        (EOS, "interface Ethernet1/1\n", f"interface Vxlan1\n   {TUNNEL}\n!\ninterface Ethernet1/1\n", ("tunnels", "")),
        (EOS_DCBX, "dcbx mode ieee", "dcbx mode cee", ("dcbx", "version")),
        (EOS, "interface Ethernet1/1\n", f"interface Ethernet1/1\n   {FEC}\n", ("fec", "")),
        (
            EOS_COS,
            "interface Ethernet1/1\n",
            "qos map cos 5 to traffic-class 4\ninterface Ethernet1/1\n",
            ("tc_of_pcp", ""),
        ),
        (NVUE_PAUSE, "rx: enable}", "rx: enable, cable-length: 50}", ("flowcontrol", "headroom")),
    ],
)
def test_what_no_intent_states_is_told(text: str, old: str, new: str, setting: tuple[str, str]) -> None:
    assert setting in differences(text, old, new)


@pytest.mark.parametrize(
    ("table", "number", "to", "topic"),
    [
        ("DSCP_TO_TC_MAP", 5, 4, "tc_of_dscp"),
        ("TC_TO_QUEUE_MAP", 5, 1, "queue_of"),  # no packet is in it
        ("TC_TO_PRIORITY_GROUP_MAP", 5, 1, "group_of"),
        ("MAP_PFC_PRIORITY_TO_QUEUE", 5, 1, "stops"),
        ("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", 5, 1, "pauses"),
    ],
)
def test_each_map_is_told_by_its_entry(table: str, number: int, to: int, topic: str, tmp_path: Path) -> None:
    config = Case("computed", tmp_path).config()
    one = read(json.dumps(config), "sonic")
    before = config[table]["AZURE"][str(number)]
    config[table]["AZURE"][str(number)] = str(to)
    (apart,) = compare_configurations(one, read(json.dumps(config), "sonic"))
    (gap,) = [gap for gap in apart.gaps if gap.what.topic == topic]
    assert gap.what.number == number
    assert (gap.meant and gap.meant.value, gap.running and gap.running.value) == (int(before), to)


def test_the_priority_that_pauses_a_class_is_told() -> None:
    of = "set system host-name spine1\nset class-of-service forwarding-classes class RDMA queue-num 3 no-loss"
    one, other = (read(f"{of} pfc-priority {priority}\n", "junos") for priority in (3, 4))
    gaps = [gap for apart in compare_configurations(one, other) for gap in apart.gaps]
    values = {(gap.what.topic, gap.what.number): [side and side.value for side in gap[1:3]] for gap in gaps}
    assert values["priority_of", 3] == [3, 4]


def test_a_port_that_sorts_otherwise_is_told(tmp_path: Path) -> None:
    """It is held to how the switch sorts, by which it went before: the other 63 code points are no difference."""
    config = Case("computed", tmp_path).config()
    one = read(json.dumps(config), "sonic")
    config["PORT_QOS_MAP"]["Ethernet8"]["dscp_to_tc_map"] = "OTHER"
    (apart,) = [each for each in compare_configurations(one, read(json.dumps(config), "sonic")) if each.ports]
    assert apart.ports == ("Ethernet8",)
    assert {(gap.what.topic, gap.what.number) for gap in apart.gaps} == {("dscp", 26), ("tc_of_dscp", 26)}
    assert all(gap.meant is not None and gap.running is not None for gap in apart.gaps)


def test_what_has_no_effect_is_told_by_its_text() -> None:
    assert differences(EOS, "hostname spine02\n", "hostname spine02\nqos profile OLD\n   qos trust cos\n!\n") >= {
        ("idle", "OLD: qos trust cos")
    }


def test_a_statement_without_effect_is_stated_on_one_side() -> None:
    one, other = read(EOS, "arista"), read(EOS.replace("end\n", "") + "qos map cos 5 to traffic-class 4\n", "arista")
    (difference,) = all_differences([("spine02", one, other)])[0]
    (value,) = difference.values
    assert (label_meant(difference, value), label_running(difference, value)) == ("nothing", "stated")


@pytest.mark.parametrize(
    "line", ["service-profile NONE", "platform trident mmu queue interface-profile NONE"], ids=["qos", "mmu"]
)
def test_a_name_of_nothing_is_told_by_its_text(line: str) -> None:
    text = EOS.replace("   service-profile ROCE-SWITCH\n", "", 1)
    one, other = (read(each, "arista") for each in (text, text.replace("1/1\n", f"1/1\n   {line}\n", 1)))
    gaps = [gap for apart in compare_configurations(one, other) for gap in apart.gaps]
    assert [(gap.what.topic, gap.what.part) for gap in gaps] == [("idle", line)]
    assert [gap.running.value for gap in gaps if gap.running is not None] == ["stated on Ethernet1/1"]


def test_a_turn_below_others_is_told() -> None:
    """EOS may have queues below a round-robin one take turns as well: where nothing is said, it is not known."""
    counted = "   uc-tx-queue 1\n      random-detect ecn count\n   !\n"
    text = EOS.replace("   uc-tx-queue 3\n", f"{counted}   uc-tx-queue 3\n")
    with_it = text.replace(" ecn count\n", " ecn count\n      no priority\n", 1)
    one, other = read(text, "arista"), read(with_it, "arista")
    gaps = [gap for apart in compare_configurations(one, other) for gap in apart.gaps]
    assert {(gap.what.topic, gap.what.number) for gap in gaps} == {("weight", 1)}
    assert {with_it[gap.running.at.start : gap.running.at.end] for gap in gaps if gap.running} == {"no priority"}


def test_a_share_of_a_queue_that_may_be_strict_is_told() -> None:
    share = "      bandwidth percent 7\n   !\n"
    one, other = (
        read(EOS.replace("   uc-tx-queue 3\n", f"   uc-tx-queue 1\n{turn}{share}   uc-tx-queue 3\n"), "arista")
        for turn in ("", "      no priority\n")
    )
    (gap,) = [gap for apart in compare_configurations(one, other) for gap in apart.gaps]
    assert (gap.meant and gap.meant.value, gap.running and gap.running.value) == ("7, unless it is strict", 7)


def test_what_a_part_does_not_say_is_not_its_default() -> None:
    """The priority of packets without a mark that one says is that of silence, where the other is a whole."""
    stated, part = EOS.replace("1/1\n", "1/1\n   qos cos 0\n", 1), EOS[EOS.index("qos ") :]
    for before, after, told in ((stated, EOS, False), (stated, part, True), (part, stated, True)):
        one, other = read(before, "arista"), read(after, "arista")
        gaps = [gap for apart in compare_configurations(one, other) for gap in apart.gaps]
        assert ("unmarked" in {gap.what.topic for gap in gaps}) == told


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("egress_lossy_profile", "renamed", set()),
        ("egress_lossless_profile", "renamed", set()),
        ('"Ethernet0|3": {"profile": "egress_lossless', '"Ethernet0|3": {"profile": "egress_lossy', {""}),
    ],
)
def test_an_egress_profile_is_told_by_what_it_says(old: str, new: str, told: set[str], tmp_path: Path) -> None:
    text = json.dumps(Case("computed", tmp_path).config())
    one, other = read(text, "sonic"), read(text.replace(old, new), "sonic")
    found = {(gap.what.topic, gap.what.part) for apart in compare_configurations(one, other) for gap in apart.gaps}
    assert {part for topic, part in found if topic == "egress"} >= told
    assert bool(found) == bool(told)


def test_a_part_of_an_egress_profile_is_told_once_and_where_it_stands(tmp_path: Path) -> None:
    config = Case("computed", tmp_path).config()
    one = read(json.dumps(config), "sonic")
    config["BUFFER_PROFILE"]["egress_lossless_profile"]["size"] = "512"
    text = json.dumps(config)
    (apart,) = compare_configurations(one, read(text, "sonic"))
    (gap,) = apart.gaps
    assert (gap.what.topic, gap.what.number, gap.what.part) == ("egress", 3, "size")
    assert gap.running is not None
    assert text[gap.running.at.start : gap.running.at.end] == '"512"'


def test_a_share_of_a_strict_queue_is_told_by_its_text() -> None:
    found = differences(EOS, "      priority strict\n", "      priority strict\n      bandwidth percent 7\n")
    assert found == {("idle", "bandwidth percent 7 (6)")}


def test_what_is_not_understood_is_told_by_its_text() -> None:
    assert differences(EOS, "hostname spine02\n", "hostname spine02\nqos rewrite cos\n") == {
        ("unread", "qos rewrite cos")
    }


def test_a_name_is_no_difference() -> None:
    other = EOS.replace("ROCE", "RDMA")
    assert other != EOS
    assert compare_configurations(read(EOS, "arista"), read(other, "arista")) == ()


def test_silence_is_the_default() -> None:
    assert differences(EOS, "   priority-flow-control pause watchdog\n", "") == set()
    assert differences(NVUE, "          port-default-sp: 0\n", "") == set()


def test_a_port_that_one_lacks() -> None:
    at = EOS.index("interface Ethernet1/1\n")
    block = EOS[at : EOS.index("!\n", at)]
    assert ("port", "") in differences(EOS, block, "")
    one, other = read(EOS, "arista"), read(EOS.replace(block, "", 1), "arista")
    for before, after, sides in ((one, other, (True, False)), (other, one, (False, True))):
        (apart,) = compare_configurations(before, after)
        (gap,) = apart.gaps
        assert (gap.meant is not None, gap.running is not None) == sides


def test_switches_that_differ_are_named() -> None:
    one, other = read(EOS, "arista"), read(EOS.replace("mtu 9000", "mtu 1500"), "arista")
    found, names = all_differences([("spine01", one, one), ("spine02", one, other)])
    assert names == ["spine02"]
    assert {(each.devices, each.down) for each in found} == {(("spine02",), False)}


def test_one_changed_statement_is_one_difference(tmp_path: Path) -> None:
    """In the system's own words alone, where these have it: not in terms of the model, too."""
    case = Case("computed", tmp_path)
    first = next(iter(case.config()["PORT"]))
    weighed = next(key for key, row in case.config()["SCHEDULER"].items() if row.get("weight"))
    for table, key, field, value in (
        ("FLEX_COUNTER_TABLE", "PFCWD", "FLEX_COUNTER_STATUS", "disable"),
        ("SCHEDULER", weighed, "weight", "33"),
        ("PORT", first, "pfc_asym", "on"),
        ("PORT_QOS_MAP", first, "pfcwd_sw_enable", None),
        ("PFC_WD", first, "detection_time", "300"),
    ):
        config = case.config()
        if value is None:
            del config[table][key][field]
        else:
            config[table][key][field] = value
        one, other = (
            part("sonic", "reader").read(Sources().add("leaf01.json", json.dumps(each)))[0]
            for each in (case.config(), config)
        )
        (told,) = all_differences([("leaf01", one, other)])[0]
        assert [value.part for value in told.values] == [field if table != "FLEX_COUNTER_TABLE" else f"PFCWD.{field}"]


FILTER = """
version 24.4R1; system { host-name leaf1; }
class-of-service { forwarding-classes { class NO-LOSS queue-num 4 no-loss; } }
interfaces { et-0/0/0 { unit 0 { family inet { filter { input F; } } } } }
firewall { family inet { filter F { term a { then { ACTION forwarding-class NO-LOSS; accept; } } } } }
"""


def test_an_action_of_a_filter_that_is_not_known_is_told_with_its_filter_alone() -> None:
    both = []
    for action in ("", "of-tomorrow 3;"):
        document = Sources().add("leaf1.conf", FILTER.replace("ACTION", action))
        (switch,) = part("junos", "reader").read(document)
        both.append(with_unjudged_texts(switch, document))
    (told,) = all_differences([("leaf1", *both)])[0]
    assert len([value for value in told.values if "of-tomorrow 3" in value.part]) == 1


def test_the_mtu_of_each_routed_vlan_is_compared() -> None:
    """As text, as it is no setting of an intent: on all systems, and of which VLAN it is."""
    texts = {
        "sonic": json.dumps({"PORT": {}, "VLAN": {f"Vlan{n}": {"mtu": f"900{n}"} for n in (1, 2)}}),
        "spectrum": "".join(f"nv set interface vlan{n} link mtu 900{n}\n" for n in (1, 2)),
        "arista": "hostname a\n" + "".join(f"interface Vlan{n}\n   mtu 900{n}\n" for n in (1, 2)),
        "junos": "class-of-service { forwarding-classes { class A queue-num 3; } }\ninterfaces { irb { "
        + "".join(f"unit {n} {{ family inet {{ mtu 900{n}; }} }}\n" for n in (1, 2))
        + "} }\n",
    }
    for vendor, text in texts.items():
        both = []
        for one in (text, text.replace("9001", "9003").replace("9002", "9001").replace("9003", "9002")):  # swapped
            document = Sources().add("leaf1", one)
            (switch,) = part(vendor, "reader").read(document)
            assert switch.fates.counts[FATES.index(TEXT)] == 2
            both.append(with_unjudged_texts(switch, document))
        (told,) = all_differences([("leaf1", *both)])[0]
        assert len(told.values) == (2 if vendor == "sonic" else 4), vendor


COMMANDS = """\
nv set system hostname leaf1
nv set qos roce mode lossless
nv set qos congestion-control default-global traffic-class 3 ecn enable
nv set interface swp1 link mtu 9216
"""


def test_what_names_nothing_that_is_defined_is_compared() -> None:
    """Lint calls it an error; it does nothing on the switch, and is a statement on queues or PFC all the same."""
    for text, vendor, added in (
        (EOS, "arista", "platform trident mmu queue profile GONE apply\n"),
        (EOS, "arista", "errdisable detect cause stuck-queue\n"),
        (EOS, "arista", "schedule Q interval 5 max-log-files 1 command bash echo 1 > /sys/class/x\n"),
        (EOS, "arista", "interface Ethernet1/1\n   traffic-policy input GONE\n"),
        (COMMANDS, "spectrum", "nv set interface swp1 qos congestion-control profile gone\n"),
    ):
        before = "interface Ethernet1/1\n" if vendor == "arista" else "nv set interface"
        changed = text.replace(before, f"{added}{before}", 1)
        assert changed != text
        both = []
        for one in (text, changed):
            document = Sources().add("leaf1", one)
            (switch,) = part(vendor, "reader").read(document)
            both.append(with_unjudged_texts(switch, document))
        found = all_differences([("leaf1", *both)])[0]
        assert [each.topic for each in found] in (["unread"], ["idle"]), added
