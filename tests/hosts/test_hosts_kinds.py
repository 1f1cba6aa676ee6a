"""Hosts with NICs of several kinds: what is stated once for all of them, for one kind, and compared where it leads."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from intents import FABRIC, findings, loaded, rocecfg, write

from rocecfg.analysis.hosts import host_nics
from rocecfg.hosts.files import render_files

NICS = """\
    nics:
      gpu[0-1]: {kind: connectx-7, pfc_priorities: [3], rdma_dscp: 26}
      stor0: {kind: bluefield-3, pfc_priorities: [2], rdma_dscp: 18, cable_len: 10m}
"""
STORAGE = """\
  storage: {carries: [storage, rdma], dscp: [18, 20], priority: 2, bandwidth: 20, lossless: true,
            ecn: {kmin: 700KB, kmax: 2300KB, pmax: 5%}}
"""
KINDS = (
    FABRIC.replace("    nic: connectx-7\n", "")
    .replace("    pfc_priorities: [3]\n", NICS)
    .replace("    rdma_dscp: 26\n", "")
    .replace("nic0", "gpu0")
    .replace("nic1", "gpu1")
    .replace('  - {a: "gpu[01-32]:gpu1"', '  - {a: "gpu01:stor0", b: "leaf01:Ethernet384"}\n  - {a: "gpu[01-32]:gpu1"')
    .replace('      "Ethernet[384]":', '      "Ethernet384":')
    .replace("  storage: {carries: [storage], dscp: [18, 20], priority: 2, bandwidth: 20}\n", STORAGE)
)
NIC_RULES = {
    "nic-pfc",
    "nic-trust",
    "nic-global-pause",
    "nic-firmware",
    "nic-unlisted",
    "mix-host-tc",
    "mix-nic-tos",
    "ecn-nic",
    "ecn-nic-gen",
    "ecn-cnp-dscp",
    "buffer-nic",
    "link-mtu",
    "link-speed",
    "topology-rail",
    "watchdog-nic",
    "pfc-global-pause",
}


def on_nics(folder: Path, text: str) -> list[tuple[str, str]]:
    """The rules on hosts that speak, or on what could not be read, and what they underline."""
    found = findings(folder, text)
    return [(f.rule, f.text) for f in found if f.rule in NIC_RULES or f.rule.startswith("schema-")]


def test_a_host_with_two_kinds_of_nic_is_read_and_clean(tmp_path: Path) -> None:
    assert on_nics(tmp_path, KINDS) == []
    fabric = loaded(tmp_path, KINDS)[0].fabric
    assert fabric is not None
    gpu, storage = host_nics(fabric)
    assert (gpu.key, storage.key) == ("gpu[01-32]:gpu[0-1]", "gpu[01-32]:stor0")
    # the host's own values hold for each of its kinds that says nothing else
    assert [n.value["nic"].value for n in (gpu, storage)] == ["connectx-7", "bluefield-3"]
    assert [n.value["trust"].value for n in (gpu, storage)] == ["dscp", "dscp"]
    assert [n.value["cable_len"].value for n in (gpu, storage)] == [3, 10]


@pytest.mark.parametrize(
    ("old", "new", "rule", "text", "who"),
    [
        ("pfc_priorities: [3]", "pfc_priorities: [4]", "nic-pfc", "pfc_priorities", "gpu[01-32]:gpu[0-1]"),
        ("pfc_priorities: [2]", "pfc_priorities: [3]", "nic-pfc", "pfc_priorities", "gpu[01-32]:stor0"),
        ("rdma_dscp: 26", "rdma_dscp: 10", "mix-host-tc", "10", "gpu[01-32]:gpu[0-1]"),
        ("rdma_dscp: 18,", "rdma_dscp: 18, trust: pcp,", "nic-trust", "pcp", "gpu[01-32]:stor0"),
        ("cable_len: 10m", "cable_len: 2m", "buffer-nic", "2m", "leaf01:Ethernet384"),
        ("rdma_dscp: 18,", "rdma_dscp: 18, cnp_dscp: 10,", "ecn-cnp-dscp", "10", "gpu[01-32]:stor0"),
        ("rdma_dscp: 18,", "rdma_dscp: 18, ecn: off,", "ecn-nic", "off", "gpu[01-32]:stor0"),
        ("rdma_dscp: 18,", "rdma_dscp: 18, storm_prevention: false,", "watchdog-nic", "false", "gpu[01-32]:stor0"),
        ("rdma_dscp: 18,", "rdma_dscp: 18, global_pause: true,", "pfc-global-pause", "true", "gpu[01-32]:stor0"),
        ("rdma_dscp: 26}", "rdma_dscp: 26, mtu: 1500}", "link-mtu", "1500", "gpu[01-32]:gpu[0-1]"),
        ("rdma_dscp: 26}", "rdma_dscp: 26, speed: 200G}", "link-speed", "200G", "gpu[01-32]"),
    ],
)  # fmt: skip
def test_each_kind_is_judged_by_the_ports_it_is_cabled_to(
    old: str, new: str, rule: str, text: str, who: str, tmp_path: Path
) -> None:
    assert KINDS.count(old) == 1
    found = [f for f in findings(tmp_path, KINDS.replace(old, new)) if f.rule in NIC_RULES]
    assert [(f.rule, f.text) for f in found] == [(rule, text)]
    assert who in found[0].message


def test_what_the_host_states_for_all_its_kinds_is_told_once(tmp_path: Path) -> None:
    text = KINDS.replace("    trust: dscp\n", "    trust: pcp\n    ecn: off\n    cnp_dscp: 10\n").replace(
        "    cnp_dscp: 48\n", ""
    )
    assert sorted(on_nics(tmp_path, text)) == [("ecn-cnp-dscp", "10"), ("ecn-nic", "off"), ("nic-trust", "pcp")]


def test_a_kind_takes_a_value_of_the_host_back(tmp_path: Path) -> None:
    text = KINDS.replace("    cnp_dscp: 48\n", "    cnp_dscp: 10\n").replace(
        "rdma_dscp: 26}", "rdma_dscp: 26, cnp_dscp: default}"
    )
    (one,) = [f for f in findings(tmp_path, text) if f.rule == "ecn-cnp-dscp"]
    assert "gpu[01-32]:stor0" in one.message  # the others are as the card has them


def test_nics_that_are_listed_under_no_kind_are_not_passed_over_in_silence(tmp_path: Path) -> None:
    text = KINDS.replace("      gpu[0-1]: {kind", "      gpu0: {kind")
    (one,) = [f for f in findings(tmp_path, text) if f.rule in NIC_RULES]
    assert (one.rule, one.text, one.severity) == ("nic-unlisted", "nics", "warning")
    assert "gpu1" in one.message


def test_sets_of_nics_overlap_as_other_sets_do(tmp_path: Path) -> None:
    text = KINDS.replace("      stor0:", "      gpu1: {cable_len: 1m}\n      stor0:")
    fabric = loaded(tmp_path, text)[0].fabric
    assert fabric is not None
    assert {n.key: n.value["cable_len"].value for n in host_nics(fabric)} == {
        "gpu[01-32]:gpu0": 3,
        "gpu[01-32]:gpu1": 1,
        "gpu[01-32]:stor0": 10,
    }
    assert on_nics(tmp_path, text) == [("buffer-nic", "1m")]


def test_hosts_under_several_keys_merge_as_devices_do(tmp_path: Path) -> None:
    text = FABRIC + "  gpu07: {cable_len: 1m}\n"
    found = [(f.rule, f.text) for f in findings(tmp_path, text)]
    assert [f for f in found if f[0] != "nos-erratum"] == [("buffer-nic", "1m")]
    stated = loaded(tmp_path, text)[0].fabric
    assert stated is not None
    assert [n.hosts for n in host_nics(stated)] == ["gpu[01-06,08-32]", "gpu07"]
    disputed = FABRIC + "  gpu[07-40]: {cable_len: 1m}\n"
    (one,) = [f for f in findings(tmp_path, disputed) if f.rule == "schema-overlap"]
    assert "host gpu07 gets two values for cable_len" in one.message


def test_files_of_each_kind(tmp_path: Path) -> None:
    fabric = loaded(tmp_path, KINDS)[0].fabric
    assert fabric is not None
    found = {file.name: file.text for file in render_files(fabric, form="script")}
    assert list(found) == ["gpu01-32-gpu0-1-roce.sh", "gpu01-32-stor0-roce.sh"]
    gpu, storage = found.values()
    assert "PFC=0,0,0,1,0,0,0,0" in gpu
    assert "TOS=106 # of RDMA: DSCP 26 x 4 + 2 (ECN bits)" in gpu
    assert "PFC=0,0,1,0,0,0,0,0" in storage
    assert "TOS=74 # of RDMA: DSCP 18 x 4 + 2 (ECN bits)" in storage
    assert "RDMA_PRIORITIES=(2)" in storage
    assert "takes the Ethernet ports of driver" not in gpu  # the other kind has the same driver
    env = {file.name: file.text for file in render_files(fabric, form="env")}
    assert list(env) == ["gpu01-32-gpu0-1-roce.env"]  # jobs have one environment, and it is not the storage NICs'
    assert "NCCL_IB_TC=106" in env["gpu01-32-gpu0-1-roce.env"]


def test_the_kubernetes_resource_of_a_kind_names_its_ports_alone(tmp_path: Path) -> None:
    fabric = loaded(tmp_path, KINDS)[0].fabric
    assert fabric is not None
    gpu, storage = (file.text for file in render_files(fabric, form="kubernetes"))
    assert 'pciAddresses: ["${PCI_ADDRESS}"]' in storage
    assert "pciAddresses: [${PCI_ADDRESSES}]" in gpu
    # a node can have one label of a name: both resources select it by the same
    assert all(
        yaml.safe_load(text.replace("${PCI_ADDRESSES}", "").replace("${NUM_VFS}", "0"))["spec"]["nodeSelector"]
        == {"rocecfg-hosts": "gpu01-32"}
        for text in (gpu, storage)
    )
    filled = gpu.replace("${PCI_ADDRESSES}", '"0000:03:00.0", "0000:04:00.0"').replace("${NUM_VFS}", "0")
    assert yaml.safe_load(filled)["spec"]["nicSelector"]["pciAddresses"] == ["0000:03:00.0", "0000:04:00.0"]


def test_rails_are_of_the_gpus_nics(tmp_path: Path) -> None:
    """stor0 ends in 0 as gpu0 does, and is on no rail."""
    text = KINDS.replace("topology: clos", "topology: rail").replace("ports: {gpu0: {rail: 0}, gpu1: {rail: 1}}", "")
    assert [f for f in on_nics(tmp_path, text) if f[0] == "topology-rail"] == []


def test_output_of_a_nic_is_compared_with_its_own_kind(tmp_path: Path) -> None:
    output = "$ mlnx_qos -i ens1f0\nPFC configuration:\n\tpriority    0   1   2   3   4   5   6   7\n\tenabled     {}\n"
    for nic, flags, fires in (
        ("stor0", "0   0   1   0   0   0   0   0", False),
        ("stor0", "0   0   0   1   0   0   0   0", True),
        ("gpu0", "0   0   0   1   0   0   0   0", False),
        ("gpu0", "0   0   1   0   0   0   0   0", True),
    ):
        write(tmp_path, {"fabric.yaml": KINDS, f"gpu01-{nic}.txt": output.format(flags)})
        done = rocecfg(tmp_path, "lint", "fabric.yaml", f"gpu01-{nic}.txt", "--format", "concise")
        assert ("nic-pfc" in done.stdout) is fires, (nic, flags, done.stdout)
        (tmp_path / f"gpu01-{nic}.txt").unlink()


def test_kinds_stand_in_the_schema_and_slips_in_them_are_errors(tmp_path: Path) -> None:
    for old, new, rule, text in (
        ("kind: connectx-7", "knd: connectx-7", "schema-unknown-key", "knd"),
        ("rdma_dscp: 18,", "rdma_dscp: 64,", "schema-dscp-range", "64"),
        ("stor0: {kind", "'stor[0-': {kind", "schema-nodeset", "'stor[0-'"),
    ):
        assert (rule, text) in on_nics(tmp_path, KINDS.replace(old, new))
