"""`rocecfg render --vendor host`: what the files say, and what the script does on a machine made of plain files."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from intents import FABRIC, POLICY, loaded, rocecfg, write

from rocecfg.hosts.files import render_files
from rocecfg.vendors.base import CannotRender

STEM = "gpu01-32-roce"
FILES = [f"{STEM}.env", f"{STEM}.k8s.yaml", f"{STEM}.service", f"{STEM}.sh"]
ALGORITHMS = "ets,vendor,ets,ets,vendor,vendor,strict,strict"
HOST = """\
hosts:
  "gpu[1-4]": {nic: connectx-7, ports: {nic0: {rail: 0}}}
"""


def rendered(folder: Path, text: str) -> dict[str, str]:
    """The files by name, as `-o out` writes them."""
    read, _ = loaded(folder, text)
    assert read.fabric is not None
    out = {file.name: file.text for file in render_files(read.fabric)}
    write(folder / "out", out)
    return out


def refused(folder: Path, text: str) -> str:
    """Why nothing is rendered, and the fix."""
    read, _ = loaded(folder, text)
    assert read.fabric is not None
    with pytest.raises(CannotRender) as caught:
        list(render_files(read.fabric))
    return f"{caught.value.message} ({caught.value.help})"


def bash_array(script: str, name: str) -> list[str]:
    """The words of an array that a script sets."""
    found = re.search(rf"^{name}=\((.*?)\)$", script, re.MULTILINE | re.DOTALL)
    assert found is not None
    return [w for line in found[1].splitlines() for w in line.split("#")[0].split()]


# -- a machine of plain files ------------------------------------------------------------------------------------------


class Machine(NamedTuple):
    """A folder that stands for /sys, and tools that write down how they are called."""

    root: Path
    script: Path

    def run(self, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            ["bash", str(self.script), *arguments],
            env={"PATH": f"{self.root}/bin:/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stderr
        return done

    def calls(self) -> list[str]:
        log = self.root / "calls"
        return log.read_text().splitlines() if log.exists() else []

    def read(self, path: str) -> str:
        return (self.root / "sys" / path).read_text().strip()


TOOL = '#!/bin/bash\necho "${{0##*/}} $*" >>"{root}/calls"\n{more}\n'
OFED = ("ecn/roce_np/cnp_dscp", "ecn/roce_np/cnp_802p_prio", "ecn/roce_np/min_time_between_cnps")


def machine(
    folder: Path, script: str, tools: tuple[str, ...], *, driver: str = "mlx5_core", ofed: bool = True
) -> Machine:
    """Two ports of a driver, and one of another."""
    root = folder / "machine"
    (root / "bin").mkdir(parents=True)
    for tool in ("ip", *tools):
        more = 'printf "prio-pfc 2:off 3:on\\n"' if tool == "dcb" else ""
        (root / "bin" / tool).write_text(TOOL.format(root=root, more=more))
    (root / "bin" / "ethtool").write_text(
        TOOL.format(
            root=root, more='[ "$1" != -a ] || printf "Pause parameters for x:\\nRX:\\t\\ton\\nTX:\\t\\toff\\n"'
        )
    )
    (root / "bin" / "id").write_text("#!/bin/bash\necho 0\n")
    for tool in (root / "bin").iterdir():
        tool.chmod(0o755)
    sys = root / "sys"
    for number, (name, of) in enumerate((("ens1f0", driver), ("ens2f0", driver), ("eno1", "igb"))):
        net, device = sys / "class/net" / name, sys / f"devices/0000:0{number}:00.0"
        (sys / "drivers" / of).mkdir(parents=True, exist_ok=True)
        net.mkdir(parents=True)
        device.mkdir(parents=True)
        (net / "device").symlink_to(device)
        (device / "driver").symlink_to(sys / "drivers" / of)
        (net / "type").write_text("1\n")
        (net / "mtu").write_text("1500\n")
        if of == "igb":
            continue
        (device / f"infiniband/rdma_{name}").mkdir(parents=True)
        places = [f"class/infiniband/rdma_{name}/tc/1/traffic_class"]
        places += [f"class/net/{name}/{f}" for f in OFED]
        places += [f"class/net/{name}/ecn/{side}/enable/{p}" for side in ("roce_np", "roce_rp") for p in range(8)]
        if not ofed:
            places = [f"kernel/debug/mlx5/0000:0{number}:00.0/cc_params/np_cnp_{f}" for f in ("dscp", "prio")]
        for file in places:
            (sys / file).parent.mkdir(parents=True, exist_ok=True)
            (sys / file).write_text("\n")
    path = root / "script.sh"
    path.write_text(script.replace("/sys/", f"{sys}/"))
    return Machine(root, path)


def test_the_script_sets_what_the_switch_has(tmp_path: Path) -> None:
    script = rendered(tmp_path, FABRIC)[f"{STEM}.sh"]
    here = machine(tmp_path, script, ("mlnx_qos", "cma_roce_tos"))
    here.run()
    own = [call for call in here.calls() if "ens1f0" in call]
    dscps = "".join(f" --dscp2prio set,{d},{p}" for d, p in enumerate(map(int, bash_array(script, "PRIORITY_OF"))))
    assert own == [
        "ip link set dev ens1f0 mtu 9000",
        "ethtool -a ens1f0",
        "ethtool -A ens1f0 rx off tx off",
        "mlnx_qos -i ens1f0 --dcbx os",
        "mlnx_qos -i ens1f0 --trust dscp",
        f"mlnx_qos -i ens1f0{dscps}",
        # rdma 60 %, storage and default 20 % each; CNPs and control strict; nobody is on 1, 4 and 5
        f"mlnx_qos -i ens1f0 --prio_tc 0,0,2,3,0,0,6,7 --tsa {ALGORITHMS} --tcbw 20,0,20,60,0,0,0,0",
        # in one call: before mlnx-tools 83b87d93 (2024-02-06) one with --cable_len alone sets pfc_en to 0
        "mlnx_qos -i ens1f0 --pfc 0,0,0,1,0,0,0,0 --cable_len 3",
        "cma_roce_tos -d rdma_ens1f0 -t 106",
    ]
    assert not any("eno1" in call for call in here.calls())
    for name in ("ens1f0", "ens2f0"):
        assert here.read(f"class/net/{name}/ecn/roce_np/cnp_dscp") == "48"
        assert here.read(f"class/net/{name}/ecn/roce_np/cnp_802p_prio") == "6"
        assert here.read(f"class/net/{name}/ecn/roce_np/min_time_between_cnps") == ""  # not stated
        for side in ("roce_np", "roce_rp"):
            on = [p for p in range(8) if here.read(f"class/net/{name}/ecn/{side}/enable/{p}") == "1"]
            assert on == [3]
        assert here.read(f"class/infiniband/rdma_{name}/tc/1/traffic_class") == "106"
    before = here.calls()
    here.run("ens1f0", "ens2f0")
    assert here.calls() == before * 2  # again the same, by name as by driver


def test_the_script_does_with_dcb_and_the_kernels_own_driver(tmp_path: Path) -> None:
    script = rendered(tmp_path, FABRIC)[f"{STEM}.sh"]
    here = machine(tmp_path, script, ("dcb", "cma_roce_tos"), ofed=False)
    done = here.run()
    own = [call for call in here.calls() if "ens2f0" in call and call.startswith("dcb")]
    algorithms = "".join(f" {n}:{word}" for n, word in enumerate(ALGORITHMS.split(",")))
    shares = "tc-bw 0:20 1:0 2:20 3:60 4:0 5:0 6:0 7:0"
    dscps = "".join(f" {d}:{p}" for d, p in enumerate(map(int, bash_array(script, "PRIORITY_OF"))))
    assert own == [
        "dcb dcbx set dev ens2f0 host ieee",
        f"dcb app replace dev ens2f0 dscp-prio{dscps}",
        f"dcb ets set dev ens2f0 prio-tc 0:0 1:0 2:2 3:3 4:0 5:0 6:6 7:7 tc-tsa{algorithms} {shares}",
        "dcb pfc set dev ens2f0 prio-pfc all:off 3:on delay 3",
    ]
    assert here.read("kernel/debug/mlx5/0000:01:00.0/cc_params/np_cnp_dscp") == "48"
    assert here.read("kernel/debug/mlx5/0000:01:00.0/cc_params/np_cnp_prio") == "6"
    assert "applications must mark RDMA themselves" in done.stderr
    assert "ROCE_CC_PRIO_MASK_P1" in done.stderr


def test_the_script_stops_where_it_cannot_know(tmp_path: Path) -> None:
    script = rendered(tmp_path, FABRIC)[f"{STEM}.sh"]
    here = machine(tmp_path, script.replace("= 2 ] ||", "= 4 ] ||"), ("mlnx_qos",))
    assert "found 2 ports of driver mlx5_core (ens1f0 ens2f0)" in here.run(code=1).stderr
    assert "eno1 is not of driver mlx5_core" in here.run("eno1", code=1).stderr
    assert "there is no interface ens9" in here.run("ens9", code=1).stderr
    assert here.calls() == []
    output = here.run("ens1f0", code=1).stderr
    assert "connections of rdma_cm are not set to ToS 106" in output  # no cma_roce_tos, no configfs
    assert "the rest is set" in output


def test_what_a_tool_says_is_shown(tmp_path: Path) -> None:
    script = rendered(tmp_path, FABRIC)[f"{STEM}.sh"]
    here = machine(tmp_path, script, ("mlnx_qos",))
    (here.root / "bin/mlnx_qos").write_text("#!/bin/bash\necho Priority trust state is not supported\nexit 1\n")
    assert "--dcbx os: Priority trust state is not supported" in here.run("ens1f0", code=1).stderr


def test_broadcom_is_set_by_its_own_script(tmp_path: Path) -> None:
    made = rendered(tmp_path, FABRIC.replace("connectx-7", "thor2"))
    assert sorted(made) == [f"{STEM}.env", f"{STEM}.service", f"{STEM}.sh"]  # NVIDIA's operator does not set it
    assert "Not set (no documented command is known): cable length" in made[f"{STEM}.sh"]
    here = machine(tmp_path, made[f"{STEM}.sh"], ("bnxt_setupcc.sh", "dcb"), driver="bnxt_en")
    here.run()
    assert [call for call in here.calls() if call.startswith("bnxt")] == [
        f"bnxt_setupcc.sh -d rdma_{name} -i {name} -m 3 -r 3 -s 26 -c 6 -p 48 -b 60" for name in ("ens1f0", "ens2f0")
    ]


# -- what the files say ------------------------------------------------------------------------------------------------


def test_a_script_a_unit_an_environment_and_a_resource(tmp_path: Path) -> None:
    made = rendered(tmp_path, FABRIC)
    assert sorted(made) == FILES
    for text in made.values():
        for word in ("# Apply:", "# Disturbs:", "# Lost:"):
            assert word in text
    assert "\nNCCL_IB_TC=106\n" in made[f"{STEM}.env"]
    assert "\nUCX_IB_TRAFFIC_CLASS=106\n" in made[f"{STEM}.env"]
    assert not re.search(r"^(NCCL_IB_GID_INDEX|NCCL_IB_TIMEOUT)", made[f"{STEM}.env"], re.MULTILINE)
    # what the profile of the card says, for whoever looks for it; nothing of it is set
    assert "A fresh one has" in made[f"{STEM}.sh"]
    assert "ai_rate 5M" in made[f"{STEM}.sh"]
    assert "ExecStart=/usr/local/sbin/gpu01-32-roce.sh" in made[f"{STEM}.service"]


def test_the_kubernetes_resource(tmp_path: Path) -> None:
    text = rendered(tmp_path, FABRIC)[f"{STEM}.k8s.yaml"]
    assert re.findall(r"\$\{(\w+)\}", text) == ["NUM_VFS"]  # no intent says it, and 0 would take virtual functions away
    found = yaml.safe_load(text.replace("${NUM_VFS}", "0"))
    assert found["apiVersion"] == "configuration.net.nvidia.com/v1alpha1"
    assert found["kind"] == "NicConfigurationTemplate"
    assert found["spec"]["nicSelector"] == {"nicType": "1021"}
    assert found["spec"]["nodeSelector"] == {"rocecfg-hosts": "gpu01-32"}
    template = found["spec"]["template"]
    assert (template["numVfs"], template["linkType"], template["roceOptimized"]["enabled"]) == (0, "Ethernet", True)
    assert template["roceOptimized"]["qos"] == {
        "trust": "dscp",
        "pfc": "0,0,0,1,0,0,0,0",
        "tos": 106,
        "cableLen": 3,
        "ecn": {"enabled": True, "priority": 3},
        "pauseFrames": {"enabled": False},
    }
    assert {"name": "CNP_DSCP_P1", "value": "48"} in template["rawNvConfig"]  # the operator's own is 4


def test_what_the_host_states_is_taken(tmp_path: Path) -> None:
    text = FABRIC.replace(
        "    cable_len: 3m\n",
        "    cable_len: 30m\n    mtu: 4200\n    nccl_ib_tc: 105\n    ib_timeout: 22\n    ib_retry: 7\n"
        "    cnp_interval: 4us\n",
    )
    made = rendered(tmp_path, text)
    script, env = made[f"{STEM}.sh"], made[f"{STEM}.env"]
    assert "--cable_len 30 " in script
    assert "mtu 4200" in script
    assert "TOS=105" in script
    assert 'echo 4 >"$np/min_time_between_cnps"' in script
    assert "NCCL_IB_TIMEOUT=22\nNCCL_IB_RETRY_CNT=7\n" in env
    assert "4.096 us x 2^22 = 17180 ms" in env


ADAPTIVE = FABRIC.replace("    cable_len: 3m\n", "    cable_len: 3m\n    adaptive_routing: true\n")
SPREAD = f"{ADAPTIVE}load_balancing: {{mode: adaptive}}\n"


def test_firmware_is_told_to_take_packets_in_any_order(tmp_path: Path) -> None:
    made = rendered(tmp_path, SPREAD)
    here = machine(tmp_path, made[f"{STEM}.sh"], ("mlnx_qos", "cma_roce_tos"))
    config = here.root / "bin" / "mlxconfig"
    prints = '[ "$3" != q ] || printf "Configurations:  Next Boot\\n  ROCE_ADAPTIVE_ROUTING_EN  False(0)\\n"'
    config.write_text(TOOL.format(root=here.root, more=prints))
    config.chmod(0o755)
    done = here.run()
    assert [call for call in here.calls() if call.startswith("mlxconfig") and "0000:00:00.0" in call] == [
        "mlxconfig -d 0000:00:00.0 q ROCE_ADAPTIVE_ROUTING_EN",
        "mlxconfig -y -d 0000:00:00.0 set ROCE_ADAPTIVE_ROUTING_EN=1",
    ]
    assert "ens1f0: ROCE_ADAPTIVE_ROUTING_EN=1 takes effect after mlxfwreset -d 0000:00:00.0 reset" in done.stderr
    config.write_text(config.read_text().replace("False(0)", "True(1)"))
    (here.root / "calls").unlink()
    assert "mlxfwreset" not in here.run().stderr
    assert not any("set ROCE_ADAPTIVE" in call for call in here.calls())  # what is set is left alone
    config.write_text(TOOL.format(root=here.root, more="exit 3"))
    assert "firmware has no such parameter" in here.run(code=1).stderr
    config.unlink()
    assert "neither mlxconfig (MFT) nor mstconfig" in here.run(code=1).stderr


def test_adaptive_routing_is_in_the_resource_and_the_environment(tmp_path: Path) -> None:
    made = rendered(tmp_path, SPREAD)
    found = yaml.safe_load(made[f"{STEM}.k8s.yaml"].replace("${NUM_VFS}", "0"))
    raw = found["spec"]["template"]["rawNvConfig"]
    assert {"name": "ROCE_ADAPTIVE_ROUTING_EN", "value": "1"} in raw
    assert "\nNCCL_IB_ADAPTIVE_ROUTING=1\n" in made[f"{STEM}.env"]
    stated = "    adaptive_routing: false\n    nccl_ib_adaptive_routing: false\n"
    off = rendered(tmp_path, FABRIC.replace("    cable_len: 3m\n", f"    cable_len: 3m\n{stated}"))
    assert "set ROCE_ADAPTIVE_ROUTING_EN=0" in off[f"{STEM}.sh"]
    assert "\nNCCL_IB_ADAPTIVE_ROUTING=0\n" in off[f"{STEM}.env"]


@pytest.mark.parametrize(
    "text", [ADAPTIVE, SPREAD.replace("    adaptive_routing: true\n", "")], ids=["no switch spreads", "NICs do not say"]
)
def test_nccl_is_left_as_it_is_where_either_end_does_not_say(text: str, tmp_path: Path) -> None:
    assert "NCCL_IB_ADAPTIVE_ROUTING" not in rendered(tmp_path, text)[f"{STEM}.env"]


def test_code_points_go_where_the_switch_has_them(tmp_path: Path) -> None:
    script = rendered(tmp_path, FABRIC.replace("priority: 3", "priority: 4"))[f"{STEM}.sh"]
    assert "PFC=0,0,0,0,1,0,0,0" in script
    priorities = [int(p) for p in bash_array(script, "PRIORITY_OF")]
    assert len(priorities) == 64
    assert (priorities[26], priorities[48], priorities[56]) == (4, 6, 7)
    assert priorities[32:40] == [0] * 8  # else they would be on RDMA's priority
    assert priorities[49:56] == [0] * 7  # nor beside CNPs, which go first
    assert priorities[40:48] == [5] * 8  # nobody's: as the NIC has it


def test_a_policy_does_for_hosts_without_links(tmp_path: Path) -> None:
    made = rendered(tmp_path, POLICY + HOST)
    script = made["gpu1-4-roce.sh"]
    assert "Matched with the classes of the fabric" in script
    assert "The MTU is unchanged: the intent states none." in script
    assert "The cable length is unchanged" in script
    assert "ip link" not in script
    assert "cable_len" not in script


def test_shares_that_a_nic_cannot_have_are_left_and_said(tmp_path: Path) -> None:
    text = FABRIC.replace("bandwidth: 60", "bandwidth: 60.5").replace(
        "bandwidth: 20}\n  default", "bandwidth: 19.5}\n  default"
    )
    script = rendered(tmp_path, text)[f"{STEM}.sh"]
    assert "ETS is unchanged: NICs accept whole percents, but class rdma has 60.5 %." in script
    assert "--tcbw" not in script


def test_no_congestion_control_turns_dcqcn_off(tmp_path: Path) -> None:
    text = FABRIC.replace(
        "  mtu: 9000\n", "  mtu: 9000\n  congestion_control: {kind: none, reason: receivers admit senders}\n"
    )
    script = rendered(tmp_path, text)[f"{STEM}.sh"]
    assert 'echo 0 >"$file"' in script
    assert "TOS=106" in script  # one byte for a DSCP everywhere; who does not mark does not look at ECT(0)


def test_ports_of_a_host_that_differ_get_files_of_their_own(tmp_path: Path) -> None:
    text = FABRIC.replace(
        '"Ethernet[0-248/8]":   {speed: 400G, faces: host, cable: 3m}',
        '"Ethernet[0-248/8]":   {speed: 400G, faces: host, cable: 3m, mtu: 9000}',
    ).replace(
        "  spine[01-02]:\n    role", "  leaf02: {ports: {'Ethernet[0-248/8]': {mtu: 4200}}}\n  spine[01-02]:\n    role"
    )
    made = rendered(tmp_path, text)
    assert len(made) == 8
    assert "mtu 9000" in made["gpu01-32-nic0-roce.sh"]
    assert "mtu 4200" in made["gpu01-32-nic1-roce.sh"]
    assert "name the interfaces of NIC port nic1" in made["gpu01-32-nic1-roce.sh"]
    assert 'pciAddresses: ["${PCI_ADDRESS}"]' in made["gpu01-32-nic1-roce.k8s.yaml"]


def test_a_nic_port_without_rdma_takes_discovery_away(tmp_path: Path) -> None:
    text = FABRIC.replace('"Ethernet[384]": ', '"Ethernet[384,388]": ').replace(
        "hosts:\n", "  - {a: 'gpu01:eth0', b: 'leaf01:Ethernet384'}\nhosts:\n"
    )
    script = rendered(tmp_path, text)[f"{STEM}.sh"]
    assert "name the interfaces: the NIC ports of these hosts carry RDMA differently" in script
    assert "interfaces+=" not in script


# -- refusals and options ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("    nic: connectx-7\n", "", ("names no NIC", "state nic")),
        ("nic: connectx-7", "nic: e810", ("NIC e810 are unknown",)),
        ("    rdma_dscp: 26\n", "", None),
        ("dscp: [26]", "dscp: [26, 28]", None),
        ("hosts:\n", "hosts:\n  gpu05: {nic: connectx-6-dx, cable_len: 3m}\n", None),  # a set within the other wins
    ],
)
def test_what_is_not_known_is_refused(old: str, new: str, words: tuple[str, ...] | None, tmp_path: Path) -> None:
    text = FABRIC.replace(old, new)
    assert text != FABRIC
    if words is None:
        assert all("DSCP 26 x 4" in body for name, body in rendered(tmp_path, text).items() if name.endswith(".sh"))
        return
    reported = refused(tmp_path, text)
    for word in words:
        assert word in reported


def test_several_code_points_need_a_word(tmp_path: Path) -> None:
    text = FABRIC.replace("dscp: [26]", "dscp: [26, 28]").replace("    rdma_dscp: 26\n", "")
    assert "class rdma has 2 DSCPs: the intent does not state which one the NICs of gpu[01-32] write" in refused(
        tmp_path, text
    )


def test_one_name_cannot_stand_for_two_settings(tmp_path: Path) -> None:
    text = FABRIC.replace(
        '      "Ethernet[256-376/8]": {speed: 800G, faces: switch, cable: 30m}\n',
        '      "Ethernet[256-376/8]": {speed: 800G, faces: switch, cable: 30m}\n      Ethernet0: {mtu: 4200}\n',
    )
    assert "connect to ports that need different NIC settings" in refused(tmp_path, text)


def test_no_hosts_and_none_that_rdma_reaches(tmp_path: Path) -> None:
    assert "the intent lists no hosts" in refused(tmp_path, POLICY)
    text = FABRIC.replace("faces: host, cable: 3m}", "faces: storage, cable: 3m, classes: [storage, default, control]}")
    assert rendered(tmp_path, text) == {}


def test_errors_of_lint_stop_it(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": FABRIC.replace("    trust: dscp\n", "    trust: pcp\n")})
    output = rocecfg(tmp_path, "render", "--vendor", "host", "-o", "out", expect=1).stderr
    assert "nic-trust" in output
    assert "nothing rendered" in output
    assert not (tmp_path / "out").exists()
    rocecfg(tmp_path, "render", "--vendor", "host", "-o", "out", "--no-lint", expect=0)
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == FILES
    assert "--trust dscp" in (tmp_path / f"out/{STEM}.sh").read_text()  # what the switch wants


def test_one_form_of_one_group_goes_to_standard_output(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": FABRIC})
    done = rocecfg(tmp_path, "render", "--vendor", "host", "--as", "env", "--device", "gpu07", expect=0)
    assert "NCCL_IB_TC=106" in done.stdout
    assert (
        "give -o DIR, or --as script" in rocecfg(tmp_path, "render", "--vendor", "host", "--no-lint", expect=2).stderr
    )
    nobody = rocecfg(tmp_path, "render", "--vendor", "host", "--no-lint", "--device", "gpu99", expect=2)
    assert "gpu99 is in no group of hosts that RDMA reaches" in nobody.stderr


def test_check_and_diff(tmp_path: Path) -> None:
    rendered(tmp_path, FABRIC)
    render = ("render", "--vendor", "host", "--no-lint", "-o", "out")
    rocecfg(tmp_path, *render, "--check", expect=0)
    write(tmp_path, {"fabric.yaml": FABRIC.replace("cable_len: 3m", "cable_len: 5m")})
    done = rocecfg(tmp_path, *render, "--check", expect=1)
    assert done.stdout.splitlines() == [
        f"out/{STEM}.sh: not what the intent says",
        f"out/{STEM}.k8s.yaml: not what the intent says",
    ]
    shown = rocecfg(tmp_path, *render, "--diff", expect=1).stdout
    assert "-        cableLen: 3\n+        cableLen: 5\n" in shown


# -- tools that check such files ---------------------------------------------------------------------------------------

VARIANTS = {
    "mlx5": FABRIC,
    "adaptive": SPREAD,
    "bnxt": FABRIC.replace("connectx-7", "thor2"),
    "policy": POLICY + HOST,
    "pcp": FABRIC.replace("    role: leaf\n", "    role: leaf\n    trust: pcp\n"),
    "no-cnp": POLICY.replace("  cnp:     {carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}\n", "") + HOST,
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_scripts_pass_bash_and_shellcheck(variant: str, tmp_path: Path) -> None:
    rendered(tmp_path, VARIANTS[variant])
    (script,) = (tmp_path / "out").glob("*.sh")
    subprocess.run(["bash", "-n", str(script)], check=True)
    if shutil.which("shellcheck"):
        done = subprocess.run(["shellcheck", "-s", "bash", str(script)], capture_output=True, text=True, check=False)
        assert done.stdout == ""


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_the_unit_passes_systemd(tmp_path: Path) -> None:
    rendered(tmp_path, FABRIC)
    script, unit = tmp_path / f"out/{STEM}.sh", tmp_path / f"out/{STEM}.service"
    script.chmod(0o755)
    unit.write_text(unit.read_text().replace("/usr/local/sbin/", f"{script.parent}/"))
    done = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)
    assert STEM not in done.stderr, done.stderr
