"""Switches of one role that differ from most of it, in intents and in the configurations of switches."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from intents import POLICY, Found
from intents import findings as found_in

from rocecfg.linting.judge import judge
from rocecfg.source.document import Sources
from rocecfg.vendors.running import fabric_of, read_drafts

NAMES = {"role-skew", "ecn-role-skew"}
PORTS = 'ports: {"Ethernet[1-4]/1": {speed: 400G, faces: switch}}'


def skews(folder: Path, devices: str, policy: str = POLICY) -> list[Found]:
    """What the rules on roles find in a policy with these devices, each on a line."""
    lines = "".join(f"  {line}\n" for line in devices.splitlines())
    return [f for f in found_in(folder, f"{policy}devices:\n{lines}") if f.rule in NAMES]


ARISTA = "vendor: arista, asic: tomahawk5, "


def leaves(odd: str, usual: str = "") -> str:
    """Three leaves, and a fourth that says something else."""
    return f"leaf[1-3]: {{role: leaf, {usual}{PORTS}}}\nleaf4: {{role: leaf, {odd}{PORTS}}}"


@pytest.mark.parametrize(
    ("odd", "usual", "words"),
    [
        (
            'vendor: arista, version: "4.31.1F", ',
            'vendor: arista, version: "4.33.2F", ',
            "the release: 4.31.1F here; 4.33",
        ),
        (
            "vendor: arista, asic: tomahawk4, ",
            "vendor: arista, asic: tomahawk5, ",
            "the chip: tomahawk4 here; tomahawk5",
        ),
        (
            "pfc: {watchdog: {detection_time: 400ms, restoration_time: 800ms}}, ",
            "",
            "the watchdog of ports to switches: 400ms, restored after 800ms, drop here; 200ms, restored after 400ms",
        ),
        (
            "vendor: arista, asic: tomahawk5, buffers: {alpha: 0.125}, ",
            "vendor: arista, asic: tomahawk5, buffers: {alpha: 1}, ",
            "alpha: 0.125 here; 1 there",
        ),
        (
            "vendor: arista, asic: tomahawk5, buffers: {alpha: 0.125}, ",
            "vendor: arista, asic: tomahawk5, ",
            "alpha: 0.125 here; 1 (not stated) there",
        ),
        ("classes: {rdma: {priority: 4}}, ", "", "PFC: priority 4 here; priority 3"),
        ("classes: {rdma: {dscp: 24}}, ", "", "the DSCPs of RDMA: DSCP 24 here; DSCP 26"),
    ],
)
def test_one_that_is_not_like_the_others(odd: str, usual: str, words: str, tmp_path: Path) -> None:
    (found,) = [f for f in skews(tmp_path, leaves(odd, usual)) if f.rule == "role-skew"]
    assert found.severity == "warning"
    assert found.message.startswith(f"leaf4 with role leaf differs from leaf[1-3] in {words}")
    assert found.line == 13
    assert len(found.related) == 1


def test_the_majority_is_counted_in_switches(tmp_path: Path) -> None:
    devices = leaves('vendor: arista, version: "4.31.1F", ', 'vendor: arista, version: "4.33.2F", ')
    devices = devices.replace("leaf4:", "leaf[4-9]:")
    (found,) = skews(tmp_path, devices)
    assert found.message.startswith("leaf[1-3] with role leaf differs from leaf[4-9] in the release")


def test_all_odd_ones_are_told_together(tmp_path: Path) -> None:
    usual = f"leaf[1-9]: {{role: leaf, {PORTS}}}"
    odd = [f"leaf{n}: {{role: leaf, classes: {{rdma: {{dscp: 24}}}}, {PORTS}}}" for n in (10, 11, 12, 13)]
    (found,) = skews(tmp_path, "\n".join([usual, *odd]))
    assert found.message.startswith("leaf10, leaf11, leaf12 and 1 more with role leaf differ from leaf[1-9]")


@pytest.mark.parametrize(
    "devices",
    [
        leaves(""),
        leaves("").replace("speed: 400G", "speed: 100G", 1),
        leaves('vendor: arista, version: "4.33.1F", ', 'vendor: arista, version: "4.33.2F", '),  # a patch
        leaves('vendor: arista, version: "4.33.2F", ', "vendor: arista, "),  # not stated
        leaves('vendor: sonic, version: "202505", ', 'vendor: arista, version: "4.33.2F", '),  # two vendors
        leaves("pfc: {watchdog: {detection_time: 400ms, restoration_time: 800ms}}, ").replace(
            "leaf4: {role: leaf", "spine1: {role: spine"
        ),
        leaves("classes: {rdma: {dscp: 24}}, ").replace("role: leaf, ", ""),  # no role
        leaves(f"{ARISTA}buffers: {{alpha: 1}}, ", f"{ARISTA}buffers: {{alpha: 1.0}}, "),
        leaves("vendor: arista, asic: trident3, buffers: {alpha: 2}, ", f"{ARISTA}buffers: {{alpha: 1}}, ").replace(
            "leaf4: {role: leaf", "leaf4: {role: border"
        ),
        # values that could not be read
        leaves("pfc: {watchdog: {detection_time: 400}}, "),
        leaves("pfc: {watchdog: {restoration_time: 800}}, "),
        leaves("pfc: {watchdog: {action: shut}}, "),
        leaves("classes: {rdma: {dscp: 99}}, "),
        leaves("classes: {rdma: {priority: 9}}, "),
        leaves(f"{ARISTA}buffers: {{alpha: much}}, ", f"{ARISTA}buffers: {{alpha: 1}}, "),
        leaves("vendor: arista, version: 4.x, ", 'vendor: arista, version: "4.33.2F", '),
    ],
)
def test_what_is_no_skew(devices: str, tmp_path: Path) -> None:
    assert skews(tmp_path, devices) == []


@pytest.mark.parametrize(
    ("state", "severity"), [("", "warning"), ("state: planned, ", "warning"), ("state: under-way, ", "info")]
)
def test_two_releases_are_meant_only_while_one_is_rolled_out(state: str, severity: str, tmp_path: Path) -> None:
    devices = leaves('vendor: arista, version: "4.31.1F", ', 'vendor: arista, version: "4.33.2F", ')
    rollout = f"rollout: {{{state}stages: [{{devices: leaf4}}]}}\n"
    (found,) = skews(tmp_path, devices, POLICY + rollout)
    assert found.severity == severity
    assert ("rollout.state is under-way" in found.message) == (severity == "info")


OLD = 'vendor: arista, version: "4.31.1F", asic: trident4, pfc: {watchdog: {detection_time: 400ms}}'
CABLED = (
    'hosts: {"gpu[1-3]": {gpus: 8}, disk1: {GPUS}}\n'
    'links: [{a: "gpu[1-3]:nic0", b: "leaf[1-3]:Ethernet1/1"}, {a: "disk1:nic0", b: "leaf4:Ethernet1/1"}]\n'
)


@pytest.mark.parametrize(
    ("port", "sections", "skewed"),
    [
        ("faces: host", "", True),
        ("faces: storage", "", False),  # the ports say what hangs there
        ("faces: host, classes: [control, default]", "", False),  # what crosses them does
        ("faces: host", CABLED.replace("GPUS", "gpus: 8"), True),
        ("faces: host", CABLED.replace("GPUS", ""), False),  # what is cabled to them does
    ],
)
def test_leaves_of_storage_may_share_the_role_word_of_those_of_gpus(
    port: str, sections: str, skewed: bool, tmp_path: Path
) -> None:
    new = f'{ARISTA}version: "4.33.2F"'
    devices = (
        f'leaf[1-3]: {{role: leaf, {new}, ports: {{"Ethernet[1-4]/1": {{speed: 400G, faces: host}}}}}}\n'
        f'leaf4: {{role: leaf, {OLD}, ports: {{"Ethernet[1-4]/1": {{speed: 400G, {port}}}}}}}'
    )
    assert bool(skews(tmp_path, devices, POLICY + sections)) == skewed


def test_with_links_the_rules_on_links_tell_of_maps(tmp_path: Path) -> None:
    devices = leaves("classes: {rdma: {dscp: 24}}, ") + f"\nspine1: {{role: spine, {PORTS}}}"
    links = 'links: [{a: "leaf4:Ethernet1/1", b: "spine1:Ethernet1/1"}]\n'
    assert skews(tmp_path, devices, POLICY + links) == []


# -- marking -----------------------------------------------------------------------------------------------------------

CHIP = "vendor: arista, asic: tomahawk5, "
OTHER = f"{CHIP}classes: {{rdma: {{ecn: {{kmin: 1MB, kmax: 3MB, pmax: 5%}}}}}}, "


def test_a_curve_of_its_own(tmp_path: Path) -> None:
    (found,) = skews(tmp_path, leaves(OTHER, CHIP))
    assert (found.rule, found.severity, found.text) == ("ecn-role-skew", "warning", "1MB")
    assert "leaf4 with role leaf marks rdma on ports of 400G at 1MB to 3MB, 5 %" in found.message
    assert "leaf[1-3] at 400KB to 1.6MB, 5 %" in found.message
    assert [line for line, _ in found.related] == [5]


def test_what_auto_comes_to_is_compared_too(tmp_path: Path) -> None:
    (found,) = skews(tmp_path, leaves(f"{CHIP}classes: {{rdma: {{ecn: auto}}}}, ", CHIP))
    assert (found.rule, found.text) == ("ecn-role-skew", "auto")
    assert "leaf[1-3] at 400KB to 1.6MB, 5 %" in found.message


def test_one_curve_for_the_spines_of_a_tier(tmp_path: Path) -> None:
    """Four spines of one chip with 8, 16, 32 and 64 lossless ports, which had 1.6 to 3.2 MB of `auto`."""
    chip = "role: spine, vendor: arista, asic: tomahawk5, classes: {rdma: {ecn: auto}}"
    devices = "\n".join(
        f'spine{n}: {{{chip}, ports: {{"Ethernet[1-{ports}]/1": {{speed: 800G, faces: switch}}}}}}'
        for n, ports in enumerate((8, 16, 32, 64), 1)
    )
    assert [f for f in skews(tmp_path, devices) if f.rule == "ecn-role-skew"] == []


FAR = "speed: 800G, faces: switch, cable: 10km"
NEAR = "speed: 800G, faces: switch, cable: 30m"
ROUND_TRIP = POLICY.replace("{name: lab}", "{name: lab, rtt: 8us}")


def spines(odd: str, usual: str, ecn: str = "auto") -> str:
    """Three spines, and a fourth with other ports."""
    chip = "role: spine, " + CHIP.rstrip(", ")
    return "\n".join(
        f'{names}: {{{chip}, classes: {{rdma: {{ecn: {curve}}}}}, ports: {{"Ethernet[1-4]/1": {{{port}}}}}}}'
        for names, port, curve in (("spine[1-3]", usual, "auto"), ("spine4", odd, ecn))
    )


def test_auto_on_a_spine_with_a_long_cable_needs_another_ramp(tmp_path: Path) -> None:
    assert [f for f in skews(tmp_path, spines(FAR, NEAR), ROUND_TRIP) if f.rule == "ecn-role-skew"] == []


def test_among_spines_with_cables_as_long_one_curve_is_meant(tmp_path: Path) -> None:
    own = "{kmin: 1MB, kmax: 3MB, pmax: 5%}"
    for port in (FAR, NEAR):
        (found,) = skews(tmp_path, spines(port, port, own), ROUND_TRIP)
        assert (found.rule, found.text) == ("ecn-role-skew", "1MB")


@pytest.mark.parametrize(
    "devices",
    [
        leaves(OTHER, CHIP).replace("speed: 400G", "speed: 800G", 1),  # another speed
        leaves(OTHER, CHIP).replace("leaf4: {role: leaf", "spine1: {role: spine"),
        leaves(OTHER, CHIP).replace("faces: switch", "faces: host", 1),
        leaves(OTHER.replace(CHIP, ""), ""),  # whose chips are not known
        leaves(f"{CHIP}classes: {{rdma: {{ecn: auto}}}}, ", f"{CHIP}classes: {{rdma: {{ecn: auto}}}}, "),
    ],
)
def test_curves_that_may_differ(devices: str, tmp_path: Path) -> None:
    assert [f for f in skews(tmp_path, devices) if f.rule == "ecn-role-skew"] == []


def test_without_congestion_control(tmp_path: Path) -> None:
    policy = POLICY.replace(
        "{name: lab}", "{name: lab, congestion_control: {kind: none, reason: a test, admission_control: true}}"
    )
    assert skews(tmp_path, leaves(OTHER, CHIP), policy) == []


# -- configurations of switches ----------------------------------------------------------------------------------------


def sonic(name: str, kind: str, detection: str) -> str:
    return json.dumps(
        {
            "DEVICE_METADATA": {"localhost": {"hostname": name, "hwsku": "Lab-400G", "type": kind}},
            "PORT": {"Ethernet0": {"speed": "400000", "lanes": "1,2,3,4"}},
            "DSCP_TO_TC_MAP": {"AZURE": {str(d): "3" if d == 26 else "0" for d in range(64)}},
            "PORT_QOS_MAP": {"Ethernet0": {"dscp_to_tc_map": "AZURE", "pfc_enable": "3", "pfcwd_sw_enable": "3"}},
            "PFC_WD": {"Ethernet0": {"action": "drop", "detection_time": detection, "restoration_time": "400"}},
        },
        indent=2,
    )


def running(*texts: str) -> list[str]:
    sources = Sources()
    documents = [sources.add(f"switch{n}.json", text) for n, text in enumerate(texts)]
    found, failed = judge(fabric_of(".", [(d, read_drafts(d, "sonic")) for d in documents], [], sources))
    assert not failed, failed
    return [f.message for f in found if f.rule.name in NAMES]


GUESSED = "tor3 with role leaf (guessed from type ToRRouter) differs from tor0 in"


def test_switches_of_one_type() -> None:
    alike = [sonic(f"tor{n}", "ToRRouter", "200") for n in range(3)]
    assert running(*alike) == []
    (message,) = running(*alike, sonic("tor3", "ToRRouter", "300"))
    assert message.startswith(
        "tor3 with role leaf (guessed from type ToRRouter) differs from tor0 in the watchdog: 300ms"
    )
    assert running(*alike, sonic("t1", "LeafRouter", "300")) == []  # another tier


def buffered(name: str, threshold: str, hwsku: str = "Arista-7060CX-32S-C32") -> str:
    """As `sonic`, with a lossless priority group whose profile has that dynamic_th: alpha = 2^n."""
    config = json.loads(sonic(name, "ToRRouter", "200"))
    config["DEVICE_METADATA"]["localhost"]["hwsku"] = hwsku
    config["PORT"] = {"Ethernet0": {"speed": "100000", "lanes": "1,2,3,4"}}
    pool = {"size": "10875072", "type": "ingress", "mode": "dynamic", "xoff": "4194112"}
    config["BUFFER_POOL"] = {"ingress_lossless_pool": pool}
    profile = {"pool": "ingress_lossless_pool", "size": "1248", "xon": "2288", "xoff": "134784", "xon_offset": "2288"}
    config["BUFFER_PROFILE"] = {"pg_lossless_100000_40m_profile": profile | {"dynamic_th": threshold}}
    config["BUFFER_PG"] = {"Ethernet0|3": {"profile": "pg_lossless_100000_40m_profile"}}
    return json.dumps(config, indent=2)


def test_switches_of_one_type_with_another_alpha() -> None:
    """The incident of SIGCOMM'16: 1/16 on most, 1/64 on the new model."""
    alike = [buffered(f"tor{n}", "-4") for n in range(3)]
    assert running(*alike) == []
    (message,) = running(*alike, buffered("tor3", "-6"))
    assert message.startswith(
        "tor3 with role leaf (guessed from type ToRRouter) differs from tor0 in alpha: 0.015625 here; 0.0625 there"
    )


UNITS = """\
rocecfg: 1
fabric: {name: mixed, mtu: 9000}
classes:
  rdma: {carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 8, ecn: {kmin: 1MB, kmax: 2MB, pmax: 20%}}
  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 2}
defaults: {role: leaf, speed: 400G}
devices:
  leaf1: {vendor: sonic, asic: tomahawk4, ports: {"Ethernet[0-28/4]": {faces: host}}}
"""
JUNOS = 'vendor: junos, asic: tomahawk4, ports: {"et-0/0/[0-7]": {faces: host}}'


def marking(folder: Path, *percents: str) -> list[Found]:
    """What is found of a switch that marks by bytes beside switches that mark by these percentages."""
    lines = "".join(
        f"  leaf{n}: {{{JUNOS}, classes: {{rdma: {{ecn: {{{ends}, pmax: 20%}}}}}}}}\n"
        for n, ends in enumerate(percents, 2)
    )
    return [f for f in found_in(folder, UNITS + lines) if f.rule == "ecn-role-skew"]


def test_percent_and_bytes_are_not_compared(tmp_path: Path) -> None:
    assert marking(tmp_path, "kmin: 20%, kmax: 60%") == []
    (found,) = marking(tmp_path, "kmin: 20%, kmax: 60%", "kmin: 20%, kmax: 60%", "kmin: 5%, kmax: 9%")
    assert "5 to 9 % of the buffer" in found.message
    assert "20 to 60 % of the buffer" in found.message
