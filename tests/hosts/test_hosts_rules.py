"""The rules on hosts: how far a finding reaches, that it shows both places, and what stays silent."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from checkout import ROOT
from intents import FABRIC, POLICY, findings, loaded
from loops import loop

import rocecfg
from rocecfg.analysis.hosts import host_nics
from rocecfg.rules.hosts_ends import nic_ends, rdma_ends

OURS = {"nic-pfc", "nic-trust", "nic-global-pause", "nic-firmware", "mix-host-tc", "ecn-nic"}


def ours(folder: Path, text: str) -> list[tuple[str, str, tuple[int, ...]]]:
    """The rules that speak, what they underline, and the lines of their second places."""
    return [(f.rule, f.text, tuple(line for line, _ in f.related)) for f in findings(folder, text) if f.rule in OURS]


def line(text: str, of: str) -> int:
    return next(n for n, each in enumerate(text.splitlines(), 1) if of in each)


def test_a_right_fabric_is_silent(tmp_path: Path) -> None:
    assert ours(tmp_path, FABRIC) == []


def test_nic_ends_follow_the_links(tmp_path: Path) -> None:
    fabric = loaded(tmp_path, FABRIC)[0].fabric
    assert fabric is not None
    first, second = nic_ends(fabric)["gpu[01-32]"]
    assert (first.nic, first.hosts[4], first.names[4]) == ("nic0", "gpu05", "leaf01:Ethernet32")
    assert (second.nic, second.hosts[-1], second.names[-1]) == ("nic1", "gpu32", "leaf02:Ethernet248")
    assert first.where == "gpu01:nic0 -- leaf01:Ethernet0 and 31 more links"
    assert len(rdma_ends(fabric, host_nics(fabric)[0])) == 2


def test_one_cause_is_one_finding_with_both_places(tmp_path: Path) -> None:
    text = FABRIC.replace("pfc_priorities: [3]", "pfc_priorities: [4]")
    assert ours(tmp_path, text) == [("nic-pfc", "pfc_priorities", (line(text, "    priority: 3"),))]  # 64 links
    text = FABRIC.replace("    trust: dscp\n", "    trust: pcp\n")
    assert ours(tmp_path, text) == [("nic-trust", "pcp", (line(text, "dscp: [26]"),))]


def test_the_switch_that_differs_is_named(tmp_path: Path) -> None:
    text = FABRIC.replace(
        "  spine[01-02]:\n    role", "  leaf02: {classes: {rdma: {priority: 4}}}\n  spine[01-02]:\n    role"
    )
    (one,) = [f for f in findings(tmp_path, text) if f.rule == "nic-pfc"]
    assert "the switch has it on priority 4 at gpu01:nic1 -- leaf02:Ethernet0 and 31 more links" in one.message
    assert one.related == ((line(text, "leaf02: {classes"), "PFC of the switch is on priority 4"),)
    assert "mlnx_qos -i DEVICE --pfc 0,0,0,0,1,0,0,0" in one.help


@pytest.mark.parametrize("mode", ["lossy", "semi-lossless"])
def test_pfc_of_nics_is_not_judged_where_switches_pause_nobody(mode: str, tmp_path: Path) -> None:
    text = FABRIC.replace("  mtu: 9000\n", f"  mtu: 9000\n  mode: {mode}\n", 1).replace("[3]", "[4]")
    assert "nic-pfc" not in [rule for rule, *_ in ours(tmp_path, text)]


def test_rdma_without_pfc_on_the_switch_is_told_there_alone(tmp_path: Path) -> None:
    text = FABRIC.replace("    lossless: true\n", "    lossless: false\n")
    found = [f.rule for f in findings(tmp_path, text)]
    assert "pfc-missing-rdma" in found
    assert "nic-pfc" not in found


@pytest.mark.parametrize(
    ("priorities", "speaks"),
    [("[3]", False), ("[3, 4]", False), ("[2, 3, 4, 6]", False), ("[4]", True), ("[3, 5]", True)],
)
def test_two_tors_have_four_lossless_priorities(priorities: str, speaks: bool, tmp_path: Path) -> None:
    text = FABRIC.replace("  mtu: 9000\n", "  mtu: 9000\n  dual_tor: true\n", 1).replace("[3]", priorities)
    assert ("nic-pfc" in [rule for rule, *_ in ours(tmp_path, text)]) == speaks


@pytest.mark.parametrize("signal", ["cnp", "control"])
def test_a_signal_made_lossless_is_no_reason_to_pause_it_on_the_nics(signal: str, tmp_path: Path) -> None:
    text = FABRIC.replace(f"carries: [{signal}], ", f"carries: [{signal}], lossless: true, ")
    assert text != FABRIC
    found = [f.rule for f in findings(tmp_path, text)]
    assert {"cnp": "pfc-cnp", "control": "pfc-control-prio"}[signal] in found  # tells the cause
    assert "nic-pfc" not in found
    (one,) = [f for f in findings(tmp_path, text.replace("[3]", "[4]")) if f.rule == "nic-pfc"]
    assert one.help.startswith("set pfc_priorities: [3] in the intent")
    assert "mlnx_qos -i DEVICE --pfc 0,0,0,1,0,0,0,0" in one.help
    number = {"cnp": 6, "control": 7}[signal]
    both = text.replace("[3]", f"[3, {number}]")  # NICs as the switches are: the cause is told there
    assert "nic-pfc" not in [f.rule for f in findings(tmp_path, both)]


def test_hosts_of_another_kind_need_no_pfc(tmp_path: Path) -> None:
    assert ours(tmp_path, POLICY + 'hosts: {"web[1-4]": {pfc_priorities: []}}\n') == []
    assert ours(tmp_path, POLICY + 'hosts: {"gpu[1-4]": {pfc_priorities: [], rdma_dscp: 26}}\n') != []


def test_link_pause_is_told_once(tmp_path: Path) -> None:
    text = FABRIC.replace("    trust: dscp\n", "    trust: dscp\n    global_pause: true\n")
    found = [f.rule for f in findings(tmp_path, text) if "pause" in f.rule]
    assert found == ["pfc-global-pause"]


def test_firmware_of_fewer_hosts_is_the_odd_one(tmp_path: Path) -> None:
    hosts = """\
hosts:
  "gpu[1-2]": {nic: connectx-7, firmware: 28.39.3560}
  "gpu[3-9]": {nic: connectx-7, firmware: 28.43.1014}
  gpu10: {nic: connectx-7, firmware: 28.39.3560}
"""
    text = POLICY + hosts
    assert ours(tmp_path, text) == [("nic-firmware", "28.39.3560", (line(text, "gpu[3-9]"),))]
    (one,) = [f for f in findings(tmp_path, text) if f.rule == "nic-firmware"]
    assert "of gpu[1-2] and 1 more group run firmware" in one.message
    assert "7 of 10 hosts" in one.message
    planned = text + "rollout: {from: old.yaml, stages: []}\n"  # which silenced it for good
    assert [f.severity for f in findings(tmp_path, planned) if f.rule == "nic-firmware"] == ["warning"]
    under_way = planned.replace("{from", "{state: under-way, from")
    assert [f.severity for f in findings(tmp_path, under_way) if f.rule == "nic-firmware"] == ["info"]


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("nccl_ib_tc: 0", "mix-host-tc"),
        ("nccl_ib_tc: 26", "mix-host-tc"),
        ("nccl_ib_tc: 103", "mix-host-tc"),
        ("nccl_ib_tc: 104", None),
        ("nccl_ib_tc: 107", None),
        ("rdma_dscp: 26", None),
        ("rdma_dscp: 0", "mix-host-tc"),
        ("nccl_ib_tc: 0, tos: 104", None),
        ("ecn: on", None),
        ("ecn: off", "ecn-nic"),
        ("nic: connectx-7", None),
    ],
)
def test_marks_and_answers(words: str, rule: str | None, tmp_path: Path) -> None:
    found = ours(tmp_path, f'{POLICY}hosts: {{"gpu[1-4]": {{{words}}}}}\n')
    assert [name for name, *_ in found] == ([rule] if rule else [])


@pytest.mark.parametrize(
    ("vendor", "dropped"), [("sonic", "SONiC drops"), ("junos", ""), ("spectrum", ""), ("arista", "")]
)
def test_what_becomes_of_packets_without_ect_is_told_of_systems_of_which_it_is_known(
    vendor: str, dropped: str, tmp_path: Path
) -> None:
    """RFC 3168, section 5: WRED drops them where it marks others; NVUE has WRED off, and of Junos it is not known."""
    text = f'{POLICY}devices: {{leaf01: {{vendor: {vendor}}}}}\nhosts: {{"gpu[1-4]": {{ecn: off}}}}\n'
    (found,) = [f for f in findings(tmp_path, text) if f.rule == "ecn-nic"]
    assert ("without ECT" in found.message) is bool(dropped)
    assert dropped in found.message
    mixed = text.replace("carries: [rdma]", "carries: [rdma, storage]").replace("ecn: off}", "ecn: on}")
    (found,) = [f for f in findings(tmp_path, mixed) if f.rule == "mix-class-shared"]
    assert dropped in found.message
    assert ("without ECT" in found.message) is bool(dropped)


@pytest.mark.parametrize("word", ["nccl_ib_tc", "tos"])
@pytest.mark.parametrize("value", range(104, 108))
def test_104_to_107_are_one_dscp(word: str, value: int, tmp_path: Path) -> None:
    assert ours(tmp_path, f'{POLICY}hosts: {{"gpu[1-4]": {{{word}: {value}}}}}\n') == []


def test_the_byte_that_is_told_is_the_one_that_is_rendered(tmp_path: Path) -> None:
    for word in ("nccl_ib_tc", "tos"):
        text = f'{POLICY}hosts: {{"gpu[1-4]": {{{word}: 26}}}}\n'
        (one,) = [f for f in findings(tmp_path, text) if f.rule in ("mix-host-tc", "mix-nic-tos")]
        assert one.help.startswith(f"set {word}: 106 ")  # 26 * 4 + 2, ECT(0)


def test_two_wrong_words_for_one_mark_are_one_finding(tmp_path: Path) -> None:
    text = POLICY + 'hosts: {"gpu[1-4]": {nccl_ib_tc: 96, rdma_dscp: 24}}\n'
    assert [text for _, text, _ in ours(tmp_path, text)] == ["96"]


@pytest.mark.parametrize(
    ("agents", "dcbx", "speaks"),
    [
        ("[firmware, os]", "auto", True),
        ("[firmware, os]", "willing", True),
        ("[firmware, os]", "on", False),  # the switch pauses whatever its peer says
        ("[firmware, os]", "off", False),
        ("firmware", "auto", False),
        ("os", "auto", False),
    ],
)
def test_two_lldp_agents_on_a_link_where_pfc_is_negotiated(
    agents: str, dcbx: str, speaks: bool, tmp_path: Path
) -> None:
    text = FABRIC.replace("    trust: dscp\n", f"    trust: dscp\n    lldp_agents: {agents}\n")
    text = text.replace("    role: leaf\n", f"    role: leaf\n    vendor: spectrum\n    dcbx: {dcbx}\n")
    found = [f for f in findings(tmp_path, text) if f.rule == "nic-lldp-agent"]
    assert bool(found) is speaks
    for one in found:
        assert one.text == "lldp_agents"
        # without the firmware's agent nobody answers a switch that negotiates: PFC must be set there first
        assert one.help.index("dcbx: off") < one.help.index("LLDP_NB_TX_MODE_P1=0")


def test_a_system_without_dcbx_is_told_so_and_no_more(tmp_path: Path) -> None:
    text = FABRIC.replace("    trust: dscp\n", "    trust: dscp\n    lldp_agents: [firmware, os]\n")
    text = text.replace("    role: leaf\n", "    role: leaf\n    dcbx: auto\n")  # SONiC
    rules = {f.rule for f in findings(tmp_path, text)}
    assert "nos-unsupported" in rules
    assert "nic-lldp-agent" not in rules


def test_hosts_behind_ports_without_rdma_leave_no_doubt_about_marks(tmp_path: Path) -> None:
    """Storage and service hosts of the example state no mark: only where RDMA may come from them are marks unknown."""
    folder = ROOT / "examples" / "converged"
    shutil.copytree(folder, tmp_path / "site")
    classes = tmp_path / "site" / "classes.yaml"
    classes.write_text(classes.read_text("utf-8").replace("dscp: 26\n", "dscp: 24-31\n"), encoding="utf-8")

    def wide() -> list[str]:
        found = rocecfg.lint(rocecfg.load(tmp_path / "site" / "fabric.yaml"))
        return [f.message for f in found if f.rule.name == "mix-dscp-wide"]

    (one,) = wide()
    assert "takes DSCP 24-31, but hosts mark RDMA only with 26" in one
    leaves = tmp_path / "site" / "leaves.yaml"
    text = leaves.read_text("utf-8")
    leaves.write_text(
        text.replace("classes: [storage, control, default]", "classes: [rdma, storage, control, default]")
    )
    assert wide() == []


STATED = FABRIC.replace(
    "    cable_len: 3m\n", "    cable_len: 3m\n    mtu: 9000\n    ecn: on\n    global_pause: false\n"
)
AT_HOST_PORTS = '"Ethernet[0-248/8]":   {speed: 400G, '


@loop(
    ("old", "new", "rules"),
    [
        # at the host
        ("rdma_dscp: 26\n", "rdma_dscp: 18\n", {"mix-host-tc"}),
        ("    ecn: on\n", "    tos: 74\n", {"mix-nic-tos"}),
        ("cnp_dscp: 48\n", "cnp_dscp: 26\n", {"ecn-cnp-dscp"}),
        ("pfc_priorities: [3]", "pfc_priorities: [4]", {"nic-pfc"}),
        ("pfc_priorities: [3]", "pfc_priorities: []", {"nic-pfc"}),
        ("pfc_priorities: [3]", "pfc_priorities: [3, 5]", {"nic-pfc"}),
        ("    trust: dscp\n", "    trust: pcp\n", {"nic-trust"}),
        ("cable_len: 3m\n", "cable_len: 1m\n", {"buffer-nic"}),
        ("    mtu: 9000\n    ecn", "    mtu: 4200\n    ecn", {"link-mtu"}),
        ("    ecn: on\n", "    ecn: off\n", {"ecn-nic"}),
        ("global_pause: false", "global_pause: true", {"pfc-global-pause"}),
        ("nic0: {rail: 0}", "nic0: {rail: 0, speed: 200G}", {"link-speed"}),
        ("nic: connectx-7\n", "nic: connectx-6-dx\n", {"link-speed"}),  # 200G at most
        ("ports: {nic0: {rail: 0}", "ports: {nic0: {rail: 0, speed: 800G}", {"link-speed"}),
        # at the switch
        ("    priority: 3\n", "    priority: 4\n", {"nic-pfc"}),
        ("    dscp: [26]\n", "    dscp: [30]\n", {"mix-host-tc"}),
        ("dscp: 48,", "dscp: 46,", {"ecn-cnp-dscp"}),
        ("    lossless: true\n", "    lossless: false\n", {"pfc-missing-rdma"}),
        (AT_HOST_PORTS, AT_HOST_PORTS + "classes: [default, control], ", {"mix-host-tc"}),
        (AT_HOST_PORTS, AT_HOST_PORTS + "trust: pcp, layer: 2, ", {"nic-trust"}),
        (AT_HOST_PORTS, AT_HOST_PORTS + "trust: none, ", {"mix-trust"}),
        (AT_HOST_PORTS, AT_HOST_PORTS + "mtu: 4200, ", {"link-mtu"}),
        (AT_HOST_PORTS, AT_HOST_PORTS + "flowcontrol: on, ", {"pfc-global-pause"}),
        ("{speed: 400G, faces: host, cable: 3m}", "{speed: 400G, faces: host, cable: 5m}", {"buffer-nic"}),
        ("{speed: 400G, faces: host", "{speed: 800G, faces: host", {"link-speed"}),
    ],
)  # fmt: skip
def test_what_both_ends_state_is_compared_from_each_end(old: str, new: str, rules: set[str], tmp_path: Path) -> None:
    assert STATED.count(old) == 1, old
    assert ours(tmp_path, STATED) == []
    found = [f for f in findings(tmp_path, STATED.replace(old, new)) if f.severity in ("error", "warning")]
    assert rules & {f.rule for f in found}, [f.rule for f in found]


TWO_LOSSLESS = FABRIC.replace(
    "storage: {carries: [storage], dscp: [18, 20], priority: 2, bandwidth: 20}",
    "storage: {carries: [storage, rdma], dscp: 18, priority: 4, bandwidth: 20, lossless: true}",
)


@loop(
    ("marks", "pfc", "severity"),
    [
        ("rdma_dscp: 26", "[3]", None),
        ("rdma_dscp: 26", "[3, 4]", None),
        ("rdma_dscp: 26", "[4]", "error"),
        ("rdma_dscp: 26", "[]", "error"),
        ("rdma_dscp: 26", "[3, 5]", "error"),
        ("rdma_dscp: 18", "[4]", None),
        ("rdma_dscp: 18", "[3]", "error"),
        ("tos: 74", "[4]", None),
        ("tos: 74", "[3]", "error"),
        ("gpus: 2", "[3, 4]", None),
        ("gpus: 2", "[4]", "warning"),  # right if all they send is storage, which nothing says
        ("gpus: 2", "[]", "error"),
        ("gpus: 2", "[4, 5]", "error"),
    ],
)
def test_a_host_needs_pfc_on_what_it_sends(marks: str, pfc: str, severity: str | None, tmp_path: Path) -> None:
    text = TWO_LOSSLESS.replace("    gpus: 2\n", "").replace("rdma_dscp: 26", marks)
    found = [f.severity for f in findings(tmp_path, text.replace("[3]", pfc)) if f.rule == "nic-pfc"]
    assert found == ([severity] if severity else [])


WITHOUT_RDMA = FABRIC.replace(
    AT_HOST_PORTS, '"Ethernet[0-120/8]": {speed: 400G, faces: host, cable: 3m}\n'
    '      "Ethernet[128-248/8]": {classes: [default, control], speed: 400G, '
)  # fmt: skip


@loop(
    ("old", "new", "rule"),
    [
        ("gpus", "gpus", "mix-host-tc"),
        ("rdma_dscp: 26", "tos: 106", "mix-host-tc"),
        ("rdma_dscp: 26", "nccl_ib_tc: 106", "mix-host-tc"),
        ("    rdma_dscp: 26\n", "", "nic-pfc"),
        ("    rdma_dscp: 26\n    cnp_dscp: 48\n    pfc_priorities: [3]\n", "", None),
        ('speed: 400G, faces: host, cable: 3m}\n      "Ethernet[256', 'faces: management}\n      "Ethernet[256', None),
        # the other NIC of each of these hosts is cabled for RDMA
        ("gpu[01-32]:nic1", "gpu[17-32,01-16]:nic1", None),
    ],
)
def test_hosts_that_send_rdma_hang_on_ports_that_take_it(old: str, new: str, rule: str | None, tmp_path: Path) -> None:
    text = WITHOUT_RDMA.replace(old, new).replace(
        "{faces: management, classes: [default, control], speed: 400G, faces: host,",
        "{faces: management, classes: [default, control], speed: 400G,",
    )
    found = [f for f in findings(tmp_path, text) if f.rule in ("mix-host-tc", "nic-pfc")]
    assert [(f.rule, f.severity) for f in found] == ([(rule, "error")] if rule else [])
    assert all("gpu17:nic" in f.message for f in found)


def test_frames_have_a_pcp_in_a_vlan_alone(tmp_path: Path) -> None:
    """Kernel, Documentation/networking: a VLAN's egress-qos-map says which priority of the host becomes which PCP."""
    text = FABRIC.replace("    trust: dscp\n", "    trust: pcp\n").replace(
        AT_HOST_PORTS, AT_HOST_PORTS + "trust: pcp, layer: 2, "
    )
    (one,) = [f for f in findings(tmp_path, text) if f.rule == "nic-trust"]
    assert one.severity == "info"
    assert "egress-qos-map PRIORITY:3" in one.help
    stated = text + "vlans:\n  100: {devices: 'leaf[01-02]', class: rdma}\n"
    assert [f.rule for f in findings(tmp_path, stated) if f.rule == "nic-trust"] == []
