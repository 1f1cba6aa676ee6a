"""What the two ends of a link have to agree on, in intents and in the configurations of switches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from intents import POLICY, Found, fabric
from intents import findings as found_in

from rocecfg.linting.finding import Finding
from rocecfg.linting.judge import judge
from rocecfg.rules import BY_NAME
from rocecfg.rules.cabling import find_differences, follow_cabling
from rocecfg.rules.links import RULES as AGREEMENT
from rocecfg.rules.links_ends import RULES as ENDS
from rocecfg.source.document import Sources
from rocecfg.vendors.running import fabric_of, read_drafts

RULES = (*AGREEMENT, *ENDS)
NAMES = {rule.name for rule in RULES}
ONE = 'links: [{a: "leaf1:Ethernet0", b: "spine1:Ethernet0"}]\n'


def links(folder: Path, text: str, policy: str = POLICY) -> list[Found]:
    """What the rules on links find in a policy with these devices."""
    return [f for f in found_in(folder, policy + text) if f.rule in NAMES]


def pair(leaf: str = "speed: 400G", spine: str = "speed: 400G", *, of_spine: str = "") -> str:
    """A leaf and a spine, each with one port, and a cable between them."""
    return (
        f"devices:\n  leaf1: {{ports: {{Ethernet0: {{{leaf}}}}}}}\n"
        f"  spine1: {{ports: {{Ethernet0: {{{spine}}}}}{', ' if of_spine else ''}{of_spine}}}\n{ONE}"
    )


# -- one finding for one cause -----------------------------------------------------------------------------------------


def test_a_difference_is_told_once_with_both_places(tmp_path: Path) -> None:
    text = """devices:
  leaf[1-4]: {ports: {"Ethernet[0-15]": {speed: 400G}}}
  spine1: {ports: {"Ethernet[0-63]": {speed: 400G}}, classes: {rdma: {priority: 4}}}
links: [{a: "leaf[1-4]:Ethernet[0-15]", b: "spine1:Ethernet[0-63]"}]
"""
    (found,) = links(tmp_path, text)
    assert found.rule == "link-pfc"
    assert found.severity == "error"
    assert "leaf1:Ethernet0 -- spine1:Ethernet0 and 63 more links" in found.message
    assert "priority 3 at the first end, priority 4" in found.message
    assert (found.line, found.text) == (13, "4")  # the spine's, which overrides
    assert found.related == ((4, "priority 3 at leaf1:Ethernet0"),)


def test_two_causes_are_two_findings(tmp_path: Path) -> None:
    text = """devices:
  leaf1: {ports: {"Ethernet[0-3]": {speed: 400G}}}
  spine1: {ports: {"Ethernet[0-1]": {speed: 100G}}}
  spine2: {ports: {"Ethernet[0-1]": {speed: 200G}}}
links: [{a: "leaf1:Ethernet[0-3]", b: "spine[1-2]:Ethernet[0-1]"}]
"""
    assert [f.message.partition(" differ")[0] for f in links(tmp_path, text)] == [
        "the ends of leaf1:Ethernet0 -- spine1:Ethernet0 and 1 more link",
        "the ends of leaf1:Ethernet2 -- spine2:Ethernet0 and 1 more link",
    ]


def test_a_cable_that_both_ends_tell_of_is_one(tmp_path: Path) -> None:
    twice = """devices:
  leaf[1-2]: {ports: {Ethernet0: {speed: 400G}}}
  spine1: {ports: {"Ethernet[0-1]": {speed: 400G}}}
links:
  - {a: "leaf[1-2]:Ethernet0", b: "spine1:Ethernet[0-1]"}
  - {a: "spine1:Ethernet1", b: "leaf2:Ethernet0"}
"""
    plan = follow_cabling(fabric(tmp_path, POLICY + twice))
    assert [joint.links for joint in plan.joints] == [2]
    assert plan.taken == ()


def test_switches_alike_are_judged_once_however_they_are_cabled(tmp_path: Path) -> None:
    text = """devices:
  leaf[1-100]: {ports: {"Ethernet[0-31]": {speed: 400G}}}
  spine[1-32]: {ports: {"Ethernet[0-99]": {speed: 400G}}}
links:
""" + "".join(f'  - {{a: "leaf{n}:Ethernet[0-31]", b: "spine[1-32]:Ethernet{n - 1}"}}\n' for n in range(1, 101))
    of = fabric(tmp_path, POLICY + text)
    asked: list[object] = []
    assert list(find_differences(of, asked.append)) == []  # type: ignore[func-returns-value]
    assert len(asked) == 1
    assert follow_cabling(of).joints[0].links == 3200


# -- each rule ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "rule", "words", "severity"),
    [
        (
            pair(of_spine="classes: {rdma: {priority: 4}}"),
            "link-pfc",
            "priority 3 at the first end, priority 4",
            "error",
        ),
        (pair(spine="speed: 400G, classes: [default]"), "link-pfc", "priority 3 at the first end, none", "error"),
        (pair(of_spine="pfc: {watchdog: off}"), "link-wd", "has a PFC watchdog, leaf1:Ethernet0:", "info"),
        (pair(of_spine="classes: {rdma: {ecn: off}}"), "link-ecn", "marks RDMA with ECN, leaf1:Ethernet0:", "info"),
        (pair(spine="speed: 400G, classes: {rdma: {ecn: off}}"), "link-ecn", "ECN, leaf1:Ethernet0:", "info"),
        (
            pair(of_spine="classes: {rdma: {dscp: 24}}"),
            "path-map",
            "DSCP 26 into rdma (TC 3) at the first end; DSCP 24 into rdma (TC 3), DSCP 26 into default",
            "error",
        ),
        (pair(of_spine="classes: {cnp: {dscp: 50}}"), "path-map", "DSCP 48 into cnp (TC 6)", "error"),
        (pair("speed: 400G, mtu: 9216", "speed: 400G, mtu: 1500"), "link-mtu", "9216 B and 1500 B", "error"),
        (pair("speed: 400G, mtu: 9216", "speed: 400G, mtu: 9000"), "link-mtu", "9216 B and 9000 B", "warning"),
        (pair("speed: 400G", "speed: 100G"), "link-speed", "400G and 100G", "error"),
        (pair("fec: rs", "fec: none"), "link-speed", "FEC rs and FEC none", "error"),
        (pair("cable: 3m", "cable: 300m"), "link-cable", "3 m and 300 m", "warning"),
    ],
)
def test_ends_that_differ(text: str, rule: str, words: str, severity: str, tmp_path: Path) -> None:
    (found,) = links(tmp_path, text)
    assert (found.rule, found.severity) == (rule, severity)
    assert words in found.message
    assert "leaf1:Ethernet0 -- spine1:Ethernet0" in found.message
    assert len(found.related) == 1
    assert found.help


@pytest.mark.parametrize(
    "text",
    [
        pair(),
        pair("speed: 400G, mtu: 9100, fec: rs, cable: 3m", "speed: 400G"),  # one end states it
        pair("fec: rs", "fec: auto"),
        pair("fec: fc", "fec: baser"),  # two names of one code
        pair("faces: management, speed: 400G, mtu: 9100", "speed: 400G, mtu: 1500"),
        pair("cable: 3m, classes: [default]", "cable: 300m, classes: [default]"),  # no headroom depends on it
        pair("classes: [default, control]", "classes: [default, control]", of_spine="pfc: {watchdog: off}"),
        pair(of_spine="pfc: {watchdog: {detection_time: 400ms, restoration_time: 800ms}}"),
        pair(of_spine="classes: {rdma: {ecn: {kmin: 1MB, kmax: 2MB, pmax: 5%}}}"),
        pair(of_spine="classes: {rdma: {tc: 4, queue: 4, pg: 4}}"),  # numbers of its own for the same class
        pair(of_spine="classes: {rdma: {lossless: false}}"),  # pfc-missing-rdma
        pair("speed: 400G, faces: edge, classes: [default]"),  # pfc-edge
        f"devices:\n  leaf1: {{ports: {{Ethernet0: {{speed: 400G}}}}}}\n  spine1: {{}}\n{ONE}",  # no ports listed
    ],
)
def test_ends_that_agree_as_far_as_is_known(text: str, tmp_path: Path) -> None:
    assert links(tmp_path, text) == []


@pytest.mark.parametrize("mode", ["lossy", "semi-lossless"])
def test_where_switches_do_not_pause(mode: str, tmp_path: Path) -> None:
    policy = POLICY.replace("{name: lab}", f"{{name: lab, mode: {mode}}}")
    text = pair("cable: 3m", "cable: 30m", of_spine="pfc: {watchdog: off}, classes: {rdma: {priority: 4}}")
    assert links(tmp_path, text, policy) == []


def test_between_two_tors_more_is_lossless(tmp_path: Path) -> None:
    bounced = "bounced2: {carries: [rdma], dscp: 2, priority: 2, lossless: true, bandwidth: 5, ecn: auto}"
    text = pair("speed: 400G", "speed: 400G, classes: [rdma, cnp, control, default]")
    for dual, expected in (("true", []), ("false", ["link-pfc"])):
        policy = POLICY.replace("{name: lab}", f"{{name: lab, dual_tor: {dual}}}").replace(
            "  cnp:", f"  {bounced}\n  cnp:", 1
        )
        assert [f.rule for f in links(tmp_path, text, policy)] == expected


def test_fabrics_without_congestion_control_mark_nothing(tmp_path: Path) -> None:
    policy = POLICY.replace(
        "{name: lab}", "{name: lab, congestion_control: {kind: none, reason: a test, admission_control: true}}"
    )
    assert links(tmp_path, pair(of_spine="classes: {rdma: {ecn: off}}"), policy) == []


# -- link-cable and link-one-end ---------------------------------------------------------------------------------------


def test_a_link_and_its_port_with_two_lengths(tmp_path: Path) -> None:
    text = pair("speed: 400G, cable: 3m").replace('Ethernet0"}]', 'Ethernet0", cable: 30m}]')
    (found,) = links(tmp_path, text)
    assert (found.rule, found.text) == ("link-cable", "30m")
    assert "a cable of 30 m, but its port one of 3 m" in found.message
    assert [word for _, word in found.related] == ["3 m at the port"]


def test_a_link_may_override_the_defaults(tmp_path: Path) -> None:
    text = "defaults: {cable: 3m}\n" + pair().replace('Ethernet0"}]', 'Ethernet0", cable: 30m}]')
    assert links(tmp_path, text) == []


def test_a_port_that_is_not_listed(tmp_path: Path) -> None:
    text = pair().replace(ONE, 'links: [{a: "leaf1:Ethernet[0-2]", b: "spine1:Ethernet[0-2]"}]\n')
    found = links(tmp_path, text)
    assert [(f.rule, f.message.partition(",")[0]) for f in found] == [
        ("link-one-end", "a link ends at leaf1:Ethernet1 and 1 more"),
        ("link-one-end", "a link ends at spine1:Ethernet1 and 1 more"),
    ]


def test_a_port_that_two_links_use(tmp_path: Path) -> None:
    text = """devices:
  leaf[1-2]: {ports: {Ethernet0: {speed: 400G}}}
  spine1: {ports: {Ethernet0: {speed: 400G}}}
links:
  - {a: "leaf1:Ethernet0", b: "spine1:Ethernet0"}
  - {a: "leaf2:Ethernet0", b: "spine1:Ethernet0"}
"""
    (found,) = links(tmp_path, text)
    assert found.message == (
        "two links end at spine1:Ethernet0: one leads to leaf1:Ethernet0, the other to leaf2:Ethernet0"
    )
    assert (found.line, found.related) == (16, ((15, "the link to leaf1:Ethernet0"),))


HOSTS = "hosts: {gpu1: {rdma_dscp: 26}}\n"


def test_of_a_link_to_a_host_the_switch_end_is_judged(tmp_path: Path) -> None:
    devices = "devices:\n  leaf1: {ports: {Ethernet0: {speed: 400G, faces: host}}}\n" + HOSTS
    assert links(tmp_path, devices + 'links: [{a: "gpu1:nic7", b: "leaf1:Ethernet0"}]\n') == []
    (found,) = links(tmp_path, devices + 'links: [{a: "gpu1:nic7", b: "leaf1:Ethernet8"}]\n')
    assert found.message.startswith("a link ends at leaf1:Ethernet8")
    two = 'links: [{a: "gpu1:nic0", b: "leaf1:Ethernet0"}, {a: "gpu1:nic1", b: "leaf1:Ethernet0"}]\n'
    (found,) = links(tmp_path, devices + two)
    assert found.message.startswith("two links end at leaf1:Ethernet0")


def test_a_link_to_a_device_that_is_not_there(tmp_path: Path) -> None:
    text = "devices: {leaf1: {ports: {Ethernet0: {speed: 400G}}}}\n" + ONE
    assert links(tmp_path, text) == []


def test_ports_whose_names_could_not_be_read_are_not_missed(tmp_path: Path) -> None:
    text = pair().replace("{Ethernet0: {speed: 400G}}", '{"Ethernet[0": {speed: 400G}}', 1)
    found = found_in(tmp_path, POLICY + text)
    assert "schema-nodeset" in {f.rule for f in found}
    assert NAMES.isdisjoint(f.rule for f in found)


def test_without_links_nothing_is_followed(tmp_path: Path) -> None:
    of = fabric(tmp_path, POLICY + pair().replace(ONE, ""))
    assert follow_cabling(of).joints == ()
    assert all(rule.needs == ("links",) for rule in RULES)


# -- configurations of switches ----------------------------------------------------------------------------------------

DSCP = {str(d): "3" if d in (24, 26) else "0" for d in range(64)}
IDENTITY = {str(n): str(n) for n in range(8)}


def sonic(name: str, far: str | None = None, **changes: Any) -> dict[str, Any]:
    """A switch with one lossless port, that knows where its cable leads."""
    config: dict[str, Any] = {
        "DEVICE_METADATA": {"localhost": {"hostname": name, "hwsku": "Lab-400G", "type": "LeafRouter"}},
        "PORT": {"Ethernet0": {"speed": "400000", "lanes": "1,2,3,4", "mtu": "9100", "admin_status": "up"}},
        "DSCP_TO_TC_MAP": {"AZURE": DSCP},
        "TC_TO_QUEUE_MAP": {"AZURE": IDENTITY},
        "PORT_QOS_MAP": {
            "Ethernet0": {
                "dscp_to_tc_map": "AZURE", "tc_to_queue_map": "AZURE", "pfc_enable": "3", "pfcwd_sw_enable": "3",
            }
        },
        "PFC_WD": {"Ethernet0": {"action": "drop", "detection_time": "200", "restoration_time": "400"}},
        "CABLE_LENGTH": {"AZURE": {"Ethernet0": "40m"}},
    }  # fmt: skip
    if far is not None:
        config["DEVICE_NEIGHBOR"] = {"Ethernet0": {"name": far, "port": "Ethernet0"}}
    for table, rows in changes.items():
        config[table] = {key: {**config[table].get(key, {}), **row} for key, row in rows.items()}
    return config


def running(vendor: str, *texts: str, suffix: str = "cfg") -> list[Finding]:
    """What the rules on links find in the configurations of several switches."""
    sources = Sources()
    documents = [sources.add(f"switch{n}.{suffix}", text) for n, text in enumerate(texts)]
    loaded = fabric_of(".", [(d, read_drafts(d, vendor)) for d in documents], [], sources)
    found, failed = judge(loaded)
    assert not failed, failed
    return [f for f in found if f.rule.name in NAMES]


def sonics(*configs: dict[str, Any]) -> list[Finding]:
    return running("sonic", *(json.dumps(config, indent=2) for config in configs), suffix="json")


def test_two_sonic_switches_that_agree() -> None:
    assert sonics(sonic("leaf01", "spine01"), sonic("spine01", "leaf01")) == []
    assert sonics(sonic("leaf01", "spine01"), sonic("spine01")) == []


@pytest.mark.parametrize(
    ("changes", "rules"),
    [
        ({"PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "4", "pfcwd_sw_enable": "4"}}}, ["link-pfc"]),
        ({"PORT": {"Ethernet0": {"speed": "100000"}}}, ["link-speed"]),
        ({"PORT": {"Ethernet0": {"mtu": "1500"}}}, ["link-mtu"]),
        ({"CABLE_LENGTH": {"AZURE": {"Ethernet0": "300m"}}}, ["link-cable"]),
        ({"PFC_WD": {}}, ["link-wd"]),
        ({"PORT": {"Ethernet0": {"speed": "100000", "admin_status": "down"}}}, []),  # shut: nothing goes over it
    ],
)
def test_a_sonic_switch_that_differs_from_its_neighbour(changes: dict[str, Any], rules: list[str]) -> None:
    found = sonics(sonic("leaf01", "spine01"), sonic("spine01", **changes))
    assert [f.rule.name for f in found] == rules
    for finding in found:
        assert "leaf01:Ethernet0 -- spine01:Ethernet0" in finding.message
        assert len(finding.related) == 1
        assert finding.help  # in SONiC's words
        assert "classes" not in finding.help


def test_code_points_of_sonic_switches() -> None:
    fewer = sonic("spine01", DSCP_TO_TC_MAP={"AZURE": {**DSCP, "24": "0"}})
    (found,) = sonics(sonic("leaf01", "spine01"), fewer)
    assert (found.rule.name, found.severity) == ("path-map", "warning")  # they agree on 26
    assert "DSCP 24 into TC 3 at the first end; DSCP 24 into TC 0" in found.message
    none = sonic("spine01", DSCP_TO_TC_MAP={"AZURE": {**DSCP, "24": "0", "26": "0", "28": "3"}})
    (found,) = sonics(sonic("leaf01", "spine01"), none)
    assert (found.rule.name, found.severity) == ("path-map", "error")


def test_a_neighbour_that_names_its_port_in_another_way() -> None:
    leaf = sonic("leaf01", "spine01", DEVICE_NEIGHBOR={"Ethernet0": {"port": "etp1"}})
    assert sonics(leaf, sonic("spine01", PORT={"Ethernet0": {"mtu": "1500"}})) == []


def test_neighbours_that_were_not_kept_up_to_date() -> None:
    found = sonics(sonic("leaf01", "spine01"), sonic("leaf02", "spine01"), sonic("spine01"))
    assert [(f.rule.name, f.severity) for f in found] == [("link-one-end", "warning")]
    assert found[0].message.startswith("two links end at spine01:Ethernet0")
    assert found[0].help.startswith("correct DEVICE_NEIGHBOR")


def eos(name: str, far: str = "", *lines: str) -> str:
    body = [f"description {far}", "mtu 9214", *lines] if far else ["mtu 9214", *lines]
    return f"hostname {name}\n!\ninterface Ethernet1/1\n" + "".join(f"   {line}\n" for line in body)


PAUSES = (
    "qos trust dscp",
    "priority-flow-control on",
    "priority-flow-control priority 3 no-drop",
    "priority-flow-control pause watchdog",
)


def test_two_eos_switches_with_descriptions() -> None:
    leaf = eos("leaf01", "spine01 Ethernet1/1", *PAUSES)
    assert running("arista", leaf, eos("spine01", "leaf01:Ethernet1/1", *PAUSES)) == []
    (found,) = running("arista", leaf, eos("spine01", "", *PAUSES).replace("priority 3", "priority 4"))
    assert found.rule.name == "link-pfc"
    assert "leaf01:Ethernet1/1 -- spine01:Ethernet1/1" in found.message
    assert "no-drop" in found.help
    (found,) = running("arista", leaf, eos("spine01", "", *PAUSES).replace("9214", "1500"))
    assert found.rule.name == "link-mtu"


def test_descriptions_that_name_nobody() -> None:
    leaf = eos("leaf01", "to the second core switch, port 3", *PAUSES)
    assert running("arista", leaf, eos("spine01", "", *PAUSES).replace("9214", "1500")) == []


def test_severities() -> None:
    assert {r.name: r.severity for r in RULES} == {
        **dict.fromkeys(NAMES, "error"),
        "link-cable": "warning",
        "link-faces": "warning",
        "link-ecn": "info",
        "link-wd": "info",
    }
    for name in ("link-pfc", "link-wd", "link-cable"):
        assert BY_NAME[name].by_kind["lossy"] == "off"
