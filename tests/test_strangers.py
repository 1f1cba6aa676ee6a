"""Inputs of no known kind: what they are is said, the exit code is 2, and among intents nobody hears of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from intents import POLICY, rocecfg

from rocecfg.vendors.detect import vendor_of
from rocecfg.vendors.unsupported import identify_unsupported

KINDS = {
    "NCLU": "net add interface swp1 mtu 9216\nnet add bgp autonomous-system 65101\nnet commit\n",
    "interfaces of Linux": "auto swp51\niface swp51\n    address 10.1.1.1/31\n    mtu 9216\n",
    "FRR": "frr version 8.1\nfrr defaults datacenter\nhostname leaf1\n!\ninterface Ethernet0\n ip ospf area 0\n!\n",
    "Onyx": "hostname sw1\ndcb priority-flow-control enable force\ninterface ethernet 1/1 mtu 9216 force\n",
    "Dell OS10": "! Version 10.5.4.0\ninterface ethernet1/1/1\n mtu 9216\n priority-flow-control mode on\n",
    "IOS": "Current configuration : 4567 bytes\n!\nversion 16.12\ninterface TenGigabitEthernet1/0/1\n mtu 9198\n",
    "Junos": "set version 21.4R1.12\nset system host-name mx1\nset interfaces xe-0/0/0 mtu 9192\n"
    "set chassis network-services enhanced-ip\n",
    "H3C Comware": "#\n version 7.1.070, Release 6710\n#\n sysname tor\n#\ninterface FourHundredGigE1/0/1\n"
    " qos trust dscp\n#\n",
    "Huawei VRP": "#\nsysname leaf1\n#\ninterface 400GE1/0/1\n trust dscp\n#\nreturn\n",
    "Enterprise SONiC": "!\nqos map dscp-tc ROCE\n dscp 26 traffic-class 3\n!\ninterface Ethernet0\n"
    " priority-flow-control priority 3\n",
    "Aruba AOS-CX": "!\n!Version ArubaOS-CX GL.10.13\nhostname tor\ninterface 1/1/1\n    no shutdown\n",
    "AsterNOS": "interface mgmt 0\n ip address 10.1.1.2/24 gw 10.1.1.1\n",
    "SAI profile": "SAI_INIT_CONFIG_FILE=/usr/share/sonic/hwsku/th5.config.bcm\nSAI_NUM_ECMP_MEMBERS=64\n",
    "Broadcom chip (config.bcm": 'os=unix\npbmp_xport_xe=0x1fe\nmmu_init_config="MSFT-TH3-Tier0"\n',
    "properties of a Broadcom chip": "---\nbcm_device:\n    0:\n        global:\n            pktio_mode: 1\n",
    "switchd (qos_features.conf": "pfc.port_group_list = [roce]\npfc.roce.cos_list = [3]\n",
    "Ruijie RGOS": "Building configuration...\nCurrent configuration: 5713 bytes\n\nversion S6980_RGOS 12.5(2)B0605\n"
    "hostname leaf1\n!\ninterface HundredGigabitEthernet 0/1\n priority-flow-control enable\n",
    "OcNOS": "!\nhostname leaf7\ninterface xe1\n priority-flow-control mode on\n",
    "Nokia SR OS": "# TiMOS-B-22.10.R1 both/x86_64 Nokia 7750 SR\nexit all\nconfigure\n    system\n",
    "Cisco IOS XR": "!! IOS XR Configuration 7.11.1\nhostname leaf1\ninterface HundredGigE0/0/0/0\n"
    " priority-flow-control mode on\n!\n",
    "MikroTik RouterOS": "# 2026-01-01 00:00:00 by RouterOS 7.16\n/interface ethernet qos profile\nadd dscp=26\n",
    "Extreme EXOS": "#\n# Module devmgr configuration.\n#\nconfigure snmp sysName leaf1\n",
    "FortiOS": '#config-version=FS1E24-7.4.1\nconfig system global\n    set hostname "leaf1"\nend\n',
    "a manifest of Kubernetes": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n",
    "a playbook of Ansible": "- name: switches\n  hosts: leafs\n  tasks: []\n",
    "a template": "- set:\n    interface:\n      {{ port }}:\n        type: swp\n",
    "a DPU": "- header:\n    model: BLUEFIELD\n    version: HBN 2.4.0\n- set:\n    qos: {roce: {enable: on}}\n",
    "empty": " \n",
    "NUL": "r\0o\0c\0e\0",
}


MARKS = {  # one line of a system that is not read, alone or among lines that EOS has as well
    "H3C Comware": (
        "priority-flow-control no-drop dot1p 3",
        "priority-flow-control deadlock enable",
        "priority-flow-control auto",
        "[~tor] priority-flow-control enable",
        "port link-mode bridge",
        "qos wrr af5 group 1 byte-count 60",
        "qos wfq cs6 group sp",
    ),
    "Huawei VRP": (
        "dcb pfc",
        "dcb pfc enable mode manual",
        "interface 25GE1/0/5",
        "[~HUAWEI] dcb pfc",
        "ai-ecn enable",
    ),
    "Nokia SR OS": ("configure {\n    qos {", "configure {\n    card 1 {"),
    "IOS": ("Current configuration : 4567 bytes", "version 17.6"),
    "Dell OS10": (
        "interface ethernet1/1/1",
        " pfc-cos 3",
        "service-policy input type network-qos x",
        "trust-map dscp x",
    ),
    "Enterprise SONiC": ("roce enable", "buffer init lossless", "qos wred-policy x", "qos-map tc-queue x"),
    "Aruba AOS-CX": ("qos queue-profile x", "flow-control rxtx priority 3", "qos dscp-map 26 local-priority 3"),
    "Ruijie RGOS": (
        "interface AggregatePort 1",
        "aggregateport load-balance src-dst-ip",
        "sysmac d431.27d2.fc9e",
        "interface TFGigabitEthernet 0/15",
    ),
    "OcNOS": ("qos enable", "hardware-profile filter ingress-ipv4-qos enable", "interface ce49"),
    "Onyx": ("dcb priority-flow-control enable force", "roce lossless"),
    "AsterNOS": (
        "interface mgmt 0",
        "ip address 10.1.1.2/24 gw 10.1.1.1",
        " wred roce_lossless_5m_medium_200g_ecn",
        "diffserv-map roce_lossless_diffserv_map",
    ),
    "switchd": ("ecn_red.roce.egress_queue_list = [3]", "source.packet_priority_source_set = [dscp]"),
}


def test_one_line_of_theirs_names_a_system() -> None:
    for system, lines in MARKS.items():
        for line in lines:
            for text in (line, f"hostname x\ninterface Ethernet1/1\n   qos trust dscp\n{line}\n"):
                assert vendor_of(text) is None, line
                reported = identify_unsupported(text)
                assert reported is not None, line
                assert system in reported.what, line


@pytest.mark.parametrize(
    "text",
    [
        "interface Ethernet1/1\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n",
        "interface Ethernet1/1\n   priority-flow-control pause watchdog action drop\n",
        "interface Ethernet1/1\n   priority-flow-control mode on\n   priority-flow-control priority 3 no-drop\n",
        "interface Ethernet1/1\n   qos trust dscp\n   service-policy type qos input x\n",
        "policy-map type quality-of-service x\n!\ninterface Ethernet1\n   service-policy type qos input x\n",
        "qos map traffic-class 3 to tx-queue 3\n",
        "! Command: show running-config\ninterface Ethernet1\n   description sysname tor\n",
        "interface Ethernet1\n   description mgmt 0\n   ip address 10.1.1.2/24 secondary\n   qos trust dscp\n",
    ],
)
def test_parts_of_eos_stay_its_own(text: str) -> None:
    assert vendor_of(text) == "arista"


SHARED = {  # lines that several systems take: a port's name or another line says whose they are
    "interface 100GE1/0/1\n priority-flow-control enable\n": "Huawei VRP",
    "interface HundredGigE1/0/1\n priority-flow-control enable\n": "H3C Comware,",
    "Current configuration : 4567 bytes\nversion 17.6\ninterface HundredGigE1/0/1\n mtu 9198\n": "IOS",
    "class-map type network-qos C\n match qos-group 3\npolicy-map type network-qos P\n  pfc-cos 3\n": "Dell OS10",
    '{"openconfig-interfaces:interfaces": {"interface": [{"name": "ethernet-1/1"}]}}': "OpenConfig",
    "interface Eth1\n priority-flow-control enable\n": "H3C Comware, or a system like it",
    "interface FourHundredGigE0/0/0/1\n priority-flow-control mode on\n": "Cisco IOS XR",
    "interface ethernet1/1/1\n priority-flow-control mode on\n": "Dell OS10",
}


def test_lines_of_several_systems_are_of_whom_another_line_says() -> None:
    for text, name in SHARED.items():
        found = identify_unsupported(text)
        assert vendor_of(text) is None, text
        assert found is not None, text
        assert f"configuration of {name}" in found.what, (text, found)
        assert "not supported" in found.what, (text, found)
    own = "interface Ethernet1/1\n   priority-flow-control mode on\n   priority-flow-control priority 3 no-drop\n"
    assert vendor_of(f"{own}qos map dscp 26 to traffic-class 3\n") == "arista"  # a slip among EOS's own lines


@pytest.mark.parametrize("kind", KINDS)
def test_what_it_is_is_said(kind: str) -> None:
    assert vendor_of(KINDS[kind]) is None
    reported = identify_unsupported(KINDS[kind])
    assert reported is not None
    assert kind in reported[0]


@pytest.mark.parametrize(
    "text", ["some words\n", "a: 1\n", "[leaf]\nleaf01 ansible_host=10.0.0.1\n", "interface: x\n", "SAI: 1\nbuf = 3\n"]
)
def test_what_is_not_known_is_not_guessed(text: str) -> None:
    assert identify_unsupported(text) is None


def test_lint_and_import_say_it_with_exit_code_2(tmp_path: Path) -> None:
    (tmp_path / "leaf01.txt").write_text(KINDS["NCLU"], encoding="utf-8")
    done = rocecfg(tmp_path, "lint", "leaf01.txt", expect=2)
    assert "belongs to no intent, and is NCLU (net add)" in done.stdout
    assert "nv config show -o yaml" in done.stdout
    done = rocecfg(tmp_path, "import", "leaf01.txt", expect=2)
    assert (
        "it is NCLU (net add), the commands of Cumulus Linux before 5.0 (give the output of `nv config show"
        in done.stderr
    )


def test_drift_says_it_of_a_file_that_is_named(tmp_path: Path) -> None:
    (tmp_path / "fabric.yaml").write_text(POLICY, encoding="utf-8")
    (tmp_path / "leaf01.txt").write_text(KINDS["Junos"], encoding="utf-8")
    done = rocecfg(tmp_path, "drift", "fabric.yaml", "--running", "leaf01.txt", expect=2)
    assert "leaf01.txt:1:1: is not a switch configuration that is known: it is a Junos configuration" in done.stderr


def test_beside_an_intent_they_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "fabric.yaml").write_text(POLICY, encoding="utf-8")
    alone = rocecfg(tmp_path, "lint", "--format", "concise", ".").stdout
    for number, text in enumerate(KINDS.values()):
        (tmp_path / f"stranger{number}.{'yaml' if number % 2 else 'txt'}").write_text(text, encoding="utf-8")
    assert rocecfg(tmp_path, "lint", "--format", "concise", ".").stdout == alone
    assert "fabric.yaml" in alone or "clean" in alone


def test_a_folder_of_them_alone_holds_nothing_to_lint(tmp_path: Path) -> None:
    for number, text in enumerate(KINDS.values()):
        (tmp_path / f"stranger{number}.{'yaml' if number % 2 else 'txt'}").write_text(text, encoding="utf-8")
    (tmp_path / "again").symlink_to(tmp_path)
    done = rocecfg(tmp_path, "lint", "--format", "concise", ".", expect=2)
    assert done.stdout.splitlines()[0].endswith("no intent and no configuration of a switch here or below")
    assert "Traceback" not in done.stderr


def test_files_beside_a_configuration_are_second_ways(tmp_path: Path) -> None:
    """Found in its folder or named with it; alone they are refused, so never clean."""
    (tmp_path / "config_db.json").write_text('{"PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "100"}}}\n', encoding="utf-8")
    beside = {
        "sai.profile": "SAI profile",
        "th3.config.bcm": "Broadcom chip (config.bcm",
        "qos_features.conf": "switchd (qos_features.conf",
    }
    for name, kind in beside.items():
        (tmp_path / name).write_text(KINDS[kind], encoding="utf-8")
    (tmp_path / "notes.profile").write_text("export PATH=/usr/bin\n", encoding="utf-8")
    for paths in (["."], ["config_db.json", *beside]):
        found = rocecfg(tmp_path, "lint", "--format", "concise", *paths, expect=0).stdout
        assert found.count(" DEV708 device-second-way: ") == len(beside), paths
        assert all(f"{name}:" in found and "a second way beside" in found for name in beside), paths
    for name, kind in beside.items():
        assert kind in rocecfg(tmp_path, "lint", "--format", "concise", name, expect=2).stdout
