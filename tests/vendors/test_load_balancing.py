"""Load balancing from the intent to a switch and back: what ECMP hashes, and adaptive routing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from conformance import SonicYang, run_validator
from intents import POLICY, findings, rocecfg
from intents import fabric as fabric_of
from sonic_checks import faults, validate

from rocecfg import CannotRender, read_config
from rocecfg.linting.rendering import render_files

PORTS = {"spectrum": "swp[1-2]", "sonic": "Ethernet[0,8]", "arista": "Ethernet[1-2]/1", "junos": "et-0/0/[0-1]"}
HASH = "[src-ip, dst-ip, protocol, src-port]"
BOTH = f"{{mode: adaptive, hash: {HASH}}}"


def intent(vendor: str, release: str, balancing: str, ports: str = "faces: switch", box: str = "nvidia-sn5600") -> str:
    return POLICY + (
        f"load_balancing: {balancing}\n"
        f'defaults: {{vendor: {vendor}, version: "{release}", platform: {box}}}\n'
        f'devices: {{leaf1: {{ports: {{"{PORTS[vendor]}": {{speed: 400G, cable: 3m, {ports}}}}}}}}}\n'
    )


def rendered(folder: Path, vendor: str, *stated: str) -> str:
    return next(render_files(fabric_of(folder, intent(vendor, *stated)), vendor)).rendering.body


@pytest.mark.conformance
@pytest.mark.parametrize("release", ["202311", "202605"])
def test_sonic_takes_the_table(sonic_yang: SonicYang, tmp_path: Path, release: str) -> None:
    text = rendered(tmp_path, "sonic", release, f"{{hash: {HASH}}}")
    hashed = json.loads(text)["SWITCH_HASH"]["GLOBAL"]["ecmp_hash"]
    assert hashed == ["SRC_IP", "DST_IP", "IP_PROTOCOL", "L4_SRC_PORT"]
    file = tmp_path / "leaf1.json"
    file.write_text(text, encoding="utf-8")
    assert faults(validate(sonic_yang, release, "--fragment", file)) == {}
    file.write_text(text.replace('"L4_SRC_PORT"', '"DEST_QP"'), encoding="utf-8")
    assert "DEST_QP" in str(faults(validate(sonic_yang, release, "--fragment", file)))


@pytest.mark.conformance
@pytest.mark.parametrize(("release", "word"), [("5.14", "enable: on"), ("5.15", "state: enabled")])
def test_nvue_takes_the_objects(nvue_validator: Path, tmp_path: Path, release: str, word: str) -> None:
    text = rendered(tmp_path, "spectrum", release, BOTH)
    assert text.count(f"adaptive-routing:\n            {word}") == 1  # at the ports
    assert text.count(f"adaptive-routing:\n        {word}") == 1  # and for the switch
    bad = text.replace("source-port: ", "source-port: not-")
    for name, body in (("good", text), ("bad", bad)):
        (tmp_path / f"{name}.yaml").write_text(body, encoding="utf-8")
    done = run_validator(nvue_validator, "--version", release, "good.yaml", "bad.yaml", folder=tmp_path)
    assert "good.yaml: valid (" in done.stdout
    assert "bad.yaml: valid (" not in done.stdout


@pytest.mark.parametrize(
    ("vendor", "release", "mode"),
    [("sonic", "202405", None), ("spectrum", "5.14", "adaptive"), ("spectrum", "5.16", "ecmp")],
)
def test_what_is_rendered_is_read_back(tmp_path: Path, vendor: str, release: str, mode: str | None) -> None:
    stated = f"{{hash: {HASH}}}" if mode is None else f"{{mode: {mode}, hash: {HASH}}}"
    text = rendered(tmp_path, vendor, release, stated)
    found = read_config(text, vendor, name="leaf1", release=release).devices[0].load_balancing
    assert found is not None
    assert (found.mode, found.hash) == (mode, ("src-ip", "dst-ip", "protocol", "src-port"))


@pytest.mark.parametrize(
    ("vendor", "release", "balancing", "box", "words"),
    [
        ("sonic", "202405", "{mode: adaptive}", "nvidia-sn5600", "community SONiC balances by a hash"),
        ("sonic", "202305", "{hash: [src-ip, src-port]}", "nvidia-sn5600", "known from 202311 on"),
        ("sonic", "202405", "{hash: [dest-qp]}", "nvidia-sn5600", "RoCE's transport header"),
        ("sonic", "202411", "{hash: [flow-label]}", "nvidia-sn5600", "came with 202505"),
        ("spectrum", "5.16", "{mode: spray}", "nvidia-sn5600", "adaptive routing by packet"),
        ("spectrum", "5.16", "{mode: adaptive}", "nvidia-sn4700", "for Spectrum-4 and later"),
        ("spectrum", "5.16", "{hash: [dest-qp]}", "nvidia-sn5600", "RoCE's transport header"),
        ("junos", "23.4R2", "{mode: spray}", "juniper-qfx5240-64od", "uses the load of each path"),
        ("junos", "23.4R2", "{mode: adaptive}", "juniper-qfx5120-48y", "balance per packet is unknown"),
        ("junos", "23.4R2", "{hash: [src-port, dest-qp]}", "juniper-qfx5240-64od", "by themselves"),
        ("junos", "23.4R2", "{hash: [src-port, flow-label]}", "juniper-qfx5240-64od", "only for QFX10000"),
        ("arista", "4.33.2F", "{mode: adaptive}", "arista-7060x6-64pe", "no command for single packets"),
        ("arista", "4.33.2F", "{mode: flowlet}", "arista-7050cx3-32s", "only for Tomahawk 3 to 5"),
        ("arista", "4.33.2F", "{mode: flowlet}", "arista-7280cr3-32p4", "only for Tomahawk 3 to 5"),
        ("arista", "4.33.2F", "{hash: [src-ip]}", "arista-7060x6-64pe", "no published command"),
    ],
)
def test_what_cannot_be_said_is_refused_by_name(
    tmp_path: Path, vendor: str, release: str, balancing: str, box: str, words: str
) -> None:
    stated = findings(tmp_path, intent(vendor, release, balancing, box=box))
    assert any(f.rule == "nos-unsupported" and words in f.message for f in stated)


def test_adaptive_routing_needs_uplinks(tmp_path: Path) -> None:
    with pytest.raises(CannotRender, match="lead to switches"):
        rendered(tmp_path, "spectrum", "5.16", "{mode: adaptive}", "faces: host")
    with pytest.raises(CannotRender, match="lead to switches"):
        rendered(tmp_path, "spectrum", "5.16", "{mode: adaptive}", "faces: switch, lag: bond1")


@pytest.mark.parametrize(
    ("release", "mark", "why", "on", "off"),
    [
        ("5.12", "service-restart", "restarts switchd", "enable on", "enable: off"),
        ("5.16", "brief-pause", "reloads switchd", "state enabled", "state: disabled"),
    ],
)
def test_drift_names_what_differs_and_the_change(
    tmp_path: Path, release: str, mark: str, why: str, on: str, off: str
) -> None:
    text = rendered(tmp_path, "spectrum", release, BOTH)
    (tmp_path / "intent.yaml").write_text(intent("spectrum", release, BOTH), encoding="utf-8")
    (tmp_path / "run").mkdir()
    leaf, word = on.split()
    other = text.replace(f"source-port: {word}", f"source-port: {off.split()[1]}")
    uplinks = "adaptive-routing:\n            "
    assert f"{uplinks}{leaf}: {word}" in other
    other = other.replace(f"{uplinks}{leaf}: {word}", f"{uplinks}{off}")
    (tmp_path / "run/leaf1.yaml").write_text(other, encoding="utf-8")
    output = rocecfg(tmp_path, "drift", "intent.yaml", "--running", "run", expect=1).stdout
    assert "meant src-ip dst-ip protocol src-port" in output
    assert f"{mark}: " in output
    assert why in output
    assert f"nv set system forwarding ecmp-hash source-port {word}" in output
    assert f"nv set interface swp1-2 router adaptive-routing {on}" in output


def test_a_hash_alone_is_meant_by_ecmp(tmp_path: Path) -> None:
    text = rendered(tmp_path, "spectrum", "5.16", "{mode: adaptive}")
    (tmp_path / "intent.yaml").write_text(intent("spectrum", "5.16", "{mode: ecmp}"), encoding="utf-8")
    (tmp_path / "run").mkdir()
    (tmp_path / "run/leaf1.yaml").write_text(text, encoding="utf-8")
    output = rocecfg(tmp_path, "drift", "intent.yaml", "--running", "run", expect=1).stdout
    assert "mode: meant ecmp" in output
    assert "nv set router adaptive-routing state disabled" in output
    silent = intent("spectrum", "5.16", "{mode: default}")
    (tmp_path / "intent.yaml").write_text(silent, encoding="utf-8")
    assert "adaptive" not in rocecfg(tmp_path, "drift", "intent.yaml", "--running", "run").stdout


def test_of_sonic_the_change_of_a_hash_is_told(tmp_path: Path) -> None:
    balancing = f"{{hash: {HASH}}}"
    text = json.loads(rendered(tmp_path, "sonic", "202405", balancing))
    (tmp_path / "intent.yaml").write_text(intent("sonic", "202405", balancing), encoding="utf-8")
    text["SWITCH_HASH"]["GLOBAL"]["ecmp_hash"] = ["SRC_IP", "DST_IP"]
    (tmp_path / "run").mkdir()
    (tmp_path / "run/leaf1.json").write_text(json.dumps(text), encoding="utf-8")
    output = rocecfg(tmp_path, "drift", "intent.yaml", "--running", "run", "--partial").stdout
    assert "meant src-ip dst-ip protocol src-port" in output
    assert "running src-ip dst-ip" in output


def test_parts_of_a_section_come_from_several_layers(tmp_path: Path) -> None:
    text = intent("spectrum", "5.16", BOTH).replace("leaf1: {ports", "leaf1: {load_balancing: {mode: ecmp}, ports")
    found = fabric_of(tmp_path, text).devices[0].load_balancing
    assert found is not None
    assert (found.mode, found.hash) == ("ecmp", ("src-ip", "dst-ip", "protocol", "src-port"))
    taken = fabric_of(tmp_path, text.replace("{mode: ecmp}", "{mode: default, hash: default}")).devices[0]
    assert taken.load_balancing is None


EOS = "ip hardware fib load-balance distribution"
TH5 = "arista-7060x6-64pe"


@pytest.mark.conformance
@pytest.mark.parametrize(("mode", "word"), [("flowlet", "dynamic"), ("ecmp", "hash")])
def test_eos_takes_the_line_and_it_is_read_back(eos_validator: Path, tmp_path: Path, mode: str, word: str) -> None:
    text = rendered(tmp_path, "arista", "4.33.2F", f"{{mode: {mode}}}", "faces: switch", TH5)
    good, bad = tmp_path / "good.eos", tmp_path / "bad.eos"
    assert text.splitlines().count(f"{EOS} {word}") == 1
    good.write_text(text, encoding="utf-8")
    bad.write_text(text.replace(f"{EOS} {word}", f"{EOS} per-packet"), encoding="utf-8")
    for file, code in ((good, 0), (bad, 1)):
        assert run_validator(eos_validator, "--strict", "--platform", "strata", file).returncode == code
    found = read_config(text, "arista", name="leaf1", release="4.33.2F").devices[0].load_balancing
    assert found is not None
    assert (found.mode, found.hash) == (mode, ())


def test_eos_says_that_the_chip_is_derived(tmp_path: Path) -> None:
    written = [
        next(
            render_files(fabric_of(tmp_path, intent("arista", "4.33.2F", stated, "faces: switch", TH5)), "arista")
        ).rendering
        for stated in ("{mode: flowlet}", "{mode: default}")
    ]
    about = [[note for note in one.notes if note.startswith("Load balancing: ")] for one in written]
    assert [len(notes) for notes in about] == [1, 0]


def test_eos_prints_what_avd_prints(tmp_path: Path) -> None:
    pyavd = pytest.importorskip("pyavd")
    config = {"ip_hardware": {"fib": {"load_balance_distribution": {"dynamic": {"enabled": True}}}}}
    assert not pyavd.validate_structured_config(config).validation_result.violations
    lines = pyavd.get_device_config(config).splitlines()
    text = rendered(tmp_path, "arista", "4.33.2F", "{mode: flowlet}", "faces: switch", TH5).splitlines()
    assert set(lines) & set(text) - {"!"} == {f"{EOS} dynamic"}


def test_dlb_of_eos_needs_a_chip_and_a_release(tmp_path: Path) -> None:
    with pytest.raises(CannotRender, match=r"from 4\.24\.2F on"):
        rendered(tmp_path, "arista", "4.24.1F", "{mode: flowlet}", "faces: switch", TH5)
    assert EOS not in rendered(tmp_path, "arista", "4.33.2F", "{mode: ecmp}", "faces: switch", "arista-7050cx3-32s")


@pytest.mark.parametrize(
    ("box", "meant", "runs", "change"),
    [
        (TH5, "flowlet", "", f"{EOS} dynamic"),
        (TH5, "ecmp", f"{EOS} dynamic\n{EOS} dynamic flow-set-size 5\n", f"{EOS} hash"),
        ("arista-7050cx3-32s", "ecmp", f"{EOS} dynamic\n", f"no {EOS} dynamic"),
        (TH5, "ecmp", "", None),
        (TH5, "default", f"{EOS} dynamic\n", None),
    ],
)
def test_drift_of_eos(tmp_path: Path, box: str, meant: str, runs: str, change: str | None) -> None:
    text = rendered(tmp_path, "arista", "4.33.2F", "{mode: default}", "faces: switch", box)
    (tmp_path / "intent.yaml").write_text(
        intent("arista", "4.33.2F", f"{{mode: {meant}}}", "faces: switch", box), encoding="utf-8"
    )
    (tmp_path / "run").mkdir()
    (tmp_path / "run/leaf1.cfg").write_text(f"hostname leaf1\n{runs}{text}", encoding="utf-8")
    output = rocecfg(tmp_path, "drift", "intent.yaml", "--running", "run", "--partial").stdout
    if change is None:
        assert not re.search("^not compared: .*load balancing", output, re.MULTILINE)
    else:
        assert change in [line.strip() for line in output.splitlines()]


JUNOS = POLICY.replace("kmin: 400KB, kmax: 1600KB", "kmin: 55%, kmax: 90%") + (
    'defaults: {vendor: junos, version: "23.4R2", platform: juniper-qfx5240-64od}\n'
    'devices: {leaf1: {ports: {"et-0/0/[0-1]": {speed: 400G, cable: 3m, faces: switch}}}}\n'
)


@pytest.mark.conformance
@pytest.mark.parametrize(
    ("mode", "statement"), [("flowlet", "flowlet inactivity-interval 128"), ("adaptive", "per-packet")]
)
def test_junos_takes_the_statements(junos_validator: Path, tmp_path: Path, mode: str, statement: str) -> None:
    found = fabric_of(tmp_path, f"{JUNOS}load_balancing: {{mode: {mode}}}\n")
    text = "version 23.4R2.13;\n" + next(render_files(found, "junos")).rendering.body
    good, bad = tmp_path / "good.conf", tmp_path / "bad.conf"
    good.write_text(text, encoding="utf-8")
    bad.write_text(text.replace(f"{statement};", "per-flow;"), encoding="utf-8")
    for file, code in ((good, 0), (bad, 1)):
        assert run_validator(junos_validator, file).returncode == code
    read = read_config(text, "junos", name="leaf1", release="23.4R2").devices[0].load_balancing
    assert read is not None
    assert read.mode == mode


def _junos_whole(text: str) -> str:
    links = "".join(f"    et-0/0/{n} {{ speed 400g; unit 0 {{ family inet; }} }}\n" for n in (0, 1))
    return f"version 23.4R2;\nsystem {{\n    host-name leaf1;\n}}\ninterfaces {{\n{links}}}\n{text}"


@pytest.mark.conformance
@pytest.mark.parametrize(
    ("fields", "lines"),
    [
        ("[src-ip, dst-ip, protocol, src-port]", ["no-l4-destination-port;", "no-l4-destination-port;"]),
        ("[src-ip, dst-ip, protocol, src-port, dst-port]", []),
        (
            "[src-ip, dst-ip, src-port, dst-port]",
            ["no-protocol;", "no-next-header;"],
        ),
    ],
)
def test_junos_takes_fields_out_of_the_hash(
    junos_validator: Path, tmp_path: Path, fields: str, lines: list[str]
) -> None:
    found = fabric_of(tmp_path, f"{JUNOS}load_balancing: {{hash: {fields}}}\n")
    text = next(render_files(found, "junos")).rendering.body
    assert [line.strip() for line in text.splitlines() if line.strip().startswith("no-")] == lines
    file = tmp_path / "leaf1.conf"
    file.write_text(text, encoding="utf-8")
    assert run_validator(junos_validator, "--strict", file).returncode == 0
    read = read_config(text, "junos", name="leaf1", release="23.4R2").devices[0].load_balancing
    assert read is not None
    assert (read.mode, list(read.hash)) == (None, fields.strip("[]").split(", "))


@pytest.mark.parametrize(
    ("runs", "change"),
    [
        ("", "set forwarding-options enhanced-hash-key inet no-l4-destination-port"),
        (
            "inet { no-l4-source-port; } inet6 { no-l4-source-port; }",
            "delete forwarding-options enhanced-hash-key inet6 no-l4-source-port",
        ),
    ],
)
def test_junos_changes_what_is_hashed(tmp_path: Path, runs: str, change: str) -> None:
    plain = next(render_files(fabric_of(tmp_path, JUNOS), "junos")).rendering.body
    (tmp_path / "intent.yaml").write_text(f"{JUNOS}load_balancing: {{hash: {HASH}}}\n", encoding="utf-8")
    (tmp_path / "run").mkdir()
    other = f"forwarding-options {{ enhanced-hash-key {{ {runs} }} }}\n" if runs else ""
    (tmp_path / "run/leaf1.conf").write_text(_junos_whole(plain + other), encoding="utf-8")
    output = rocecfg(tmp_path, "drift", "intent.yaml", "--running", "run", expect=1).stdout
    assert "meant src-ip dst-ip protocol src-port" in output
    assert change in output


def test_junos_turns_dynamic_balancing_off(tmp_path: Path) -> None:
    text = next(
        render_files(fabric_of(tmp_path, f"{JUNOS}load_balancing: {{mode: flowlet}}\n"), "junos")
    ).rendering.body
    (tmp_path / "intent.yaml").write_text(f"{JUNOS}load_balancing: {{mode: ecmp}}\n", encoding="utf-8")
    (tmp_path / "run").mkdir()
    (tmp_path / "run/leaf1.conf").write_text(_junos_whole(text), encoding="utf-8")
    output = rocecfg(tmp_path, "drift", "intent.yaml", "--running", "run", expect=1).stdout
    assert "meant ecmp" in output
    assert "delete forwarding-options enhanced-hash-key ecmp-dlb" in output


def test_junos_changes_one_way_for_the_other(tmp_path: Path) -> None:
    meant = f"{JUNOS}load_balancing: {{mode: flowlet}}\n"
    text = next(render_files(fabric_of(tmp_path, meant), "junos")).rendering.body
    whole = _junos_whole(text)
    (tmp_path / "intent.yaml").write_text(meant, encoding="utf-8")
    (tmp_path / "run").mkdir()
    running = whole.replace("flowlet inactivity-interval 128;", "assigned-flow;")
    (tmp_path / "run/leaf1.conf").write_text(running, encoding="utf-8")
    output = rocecfg(tmp_path, "drift", "intent.yaml", "--running", "run", expect=1).stdout
    assert "set forwarding-options enhanced-hash-key ecmp-dlb flowlet inactivity-interval 128" in output
    assert "delete forwarding-options enhanced-hash-key ecmp-dlb assigned-flow" in output
    packets = meant.replace("flowlet", "adaptive")
    (tmp_path / "intent.yaml").write_text(packets, encoding="utf-8")
    output = rocecfg(tmp_path, "drift", "intent.yaml", "--running", "run", expect=1).stdout
    assert "set forwarding-options enhanced-hash-key ecmp-dlb per-packet" in output
    assert "delete forwarding-options enhanced-hash-key ecmp-dlb assigned-flow" in output  # the two exclude each other
