"""How a change is brought to a switch is said once: rendered notes, scripts, drift, plan and Ansible agree."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from checkout import ROOT
from intents import POLICY, rocecfg, write

from rocecfg.model import Device, QosMaps
from rocecfg.profiles import SHIPPED
from rocecfg.vendors import VENDORS, part
from rocecfg.vendors.arista.procedure import PROCEDURE as EOS
from rocecfg.vendors.changes import BRIEF_PAUSE, HITLESS, MARKS, PORT_FLAP
from rocecfg.vendors.junos.procedure import PROCEDURE as JUNOS
from rocecfg.vendors.junos.settings import COS
from rocecfg.vendors.junos.settings import TABLE as OF_JUNOS
from rocecfg.vendors.nxos.procedure import PROCEDURE as NXOS
from rocecfg.vendors.procedure import Procedure, judge_commands
from rocecfg.vendors.spectrum.procedure import procedure_in, procedure_of
from rocecfg.vendors.spectrum.settings import TABLE
from rocecfg.vendors.srlinux.procedure import PROCEDURE as SRLINUX
from rocecfg.vendors.srlinux.settings import TABLE as OF_SRLINUX
from rocecfg.vendors.table import ANY, MEMBER, PORT, PROFILE, N

AUTO = ROOT / "examples" / "auto"
RELEASES = [(5, 3), (5, 8), (5, 9), (5, 12), (5, 13), (5, 14), (5, 18), (5, 30), ()]
FORMS = {"spectrum": "commands", "arista": "cli", "junos": "set", "nxos": "cli", "srlinux": "set"}
CASES = {
    "spectrum-5.11": 'load_balancing: {mode: adaptive}\ndefaults: {vendor: spectrum, version: "5.11"}\n',
    "spectrum-5.14": 'load_balancing: {mode: adaptive}\ndefaults: {vendor: spectrum, version: "5.14"}\n',
    "spectrum-off": 'load_balancing: {mode: ecmp}\ndefaults: {vendor: spectrum, version: "5.14"}\n',
    "spectrum-plain": 'defaults: {vendor: spectrum, version: "5.8"}\n',
    "arista": 'defaults: {vendor: arista, platform: arista-7060x6-64pe, version: "4.33.2F"}\n',
    "junos": 'defaults: {vendor: junos, platform: juniper-qfx5240-64od, version: "23.4R2"}\n'
    "buffers: {queue_limit: 4MB}\n",
    "nxos": 'defaults: {vendor: nxos, platform: cisco-9364d-gx2a, version: "10.5(1)"}\n',
    "srlinux": 'defaults: {vendor: srlinux, platform: nokia-ixr7220-h4-32d, version: "25.3"}\n'
    "buffers: {queue_limit: 4MB}\n",
}
PORTS = {"spectrum": "swp[1-2]", "arista": "Ethernet[1-2]/1", "junos": "et-0/0/[0-1]"}
PORTS |= {"nxos": "Ethernet1/[1-2]", "srlinux": "ethernet-1/[1-2]"}


def procedure_at(release: tuple[int, ...]) -> Procedure:
    """NVUE's, with known faults of a release."""
    maps, version = QosMaps((), (), (), (), ()), ".".join(map(str, release)) or None
    nos = SHIPPED.nos("spectrum")
    return procedure_of(Device(("a",), "a", "spectrum", None, (), maps, (), version=version, nos=nos))


def mark_of(procedure: Procedure, command: str) -> str:
    return judge_commands(procedure, [command]).mark


@pytest.mark.parametrize(
    "line",
    ["qos map dscp 26 to traffic-class 3", "no priority", "bandwidth percent 10", "service-profile ROCE", "mtu 9000"],
)
def test_queues_maps_and_buffers_of_eos_are_not_called_hitless(line: str) -> None:
    assert mark_of(EOS, line) == PORT_FLAP


def test_what_srlinux_deletes_whole_disturbs_as_all_that_is_in_it() -> None:
    """The row of a port has its PFC and buffers beside its classifier."""
    for whole in ("interface ethernet-1/1", "interface ethernet-1/1 input", "interface ethernet-1/1 output"):
        assert mark_of(SRLINUX, f"delete / qos interfaces {whole}") == PORT_FLAP, whole
    assert mark_of(SRLINUX, "delete / qos interfaces interface ethernet-1/1.0 input classifiers") == BRIEF_PAUSE


@pytest.mark.parametrize(
    "line",
    [
        "priority-flow-control pause watchdog default timeout 0.40",
        "random-detect ecn count",
        "hardware counter feature ecn out",
    ],
)
def test_counters_and_the_watchdogs_times_are(line: str) -> None:
    assert mark_of(EOS, line) == HITLESS


@pytest.mark.parametrize(
    ("command", "release", "mark"),
    [
        ("set router adaptive-routing enable on", (5, 12), "service-restart"),
        ("set router adaptive-routing enable off", (5, 12), "service-restart"),
        ("set interface swp1 router adaptive-routing enable on", (5, 12), "service-restart"),
        ("set router adaptive-routing enable on", (5, 13), BRIEF_PAUSE),
        ("set router adaptive-routing state enabled", (5, 16), BRIEF_PAUSE),
        ("set router adaptive-routing state disabled", (5, 16), PORT_FLAP),
        ("unset interface swp1 router adaptive-routing", (5, 16), PORT_FLAP),
        ("set router adaptive-routing enable on", (), "service-restart"),  # not known: the worst
        ("set qos pfc default-global cable-length 40", (5, 14), BRIEF_PAUSE),
        ("unset interface swp1 qos", (5, 14), BRIEF_PAUSE),
        ("set interface swp1 qos pfc-watchdog state enable", (5, 14), HITLESS),
        ("set qos pfc-watchdog robustness 3", (5, 14), HITLESS),
        ("set interface swp1 link mtu 9216", (5, 14), BRIEF_PAUSE),
        ("set qos something-new 3", (5, 14), PORT_FLAP),
    ],
)
def test_nvue_disturbs_as_its_release_does(command: str, release: tuple[int, ...], mark: str) -> None:
    assert mark_of(procedure_at(release), command) == mark


@pytest.mark.parametrize("release", RELEASES)
def test_every_object_that_is_compared_has_an_effect_of_its_own(release: tuple[int, ...]) -> None:
    """What no row names counts as the worst: it is never taken for hitless."""
    procedure = procedure_in(release)
    words = {PORT: "swp1", MEMBER: "swp1", PROFILE: "NAME", N: "3", ANY: "X"}
    told = [
        "set " + " ".join(words.get(word, word) for word in row.path)
        for row in TABLE.rows
        if row.by or "qos" in row.path
    ]
    for command in told:
        assert procedure.find_effects([command])[0] != procedure.unlisted, command
    sections = {row.path[1] for row in OF_JUNOS.rows if row.path[0] == COS and row.says and not row.beside}
    sections -= {"system-defaults", "drop-congestion-notification", "interfaces"}
    for section in {*sections, "code-point-aliases"}:
        assert JUNOS.find_effects([f"set class-of-service {section} X"])[0] != JUNOS.unlisted, section
    stated = [row.path for row in OF_SRLINUX.rows if row.says and row.key and row.path[:2] != ("system", "mtu")]
    for path in stated:
        command = f"set / {' '.join(words.get(word, word) for word in path)}"
        assert SRLINUX.find_effects([command])[0] != SRLINUX.unlisted, command


def test_what_no_list_knows_disturbs_as_much_as_the_worst_that_is_known() -> None:
    """On each system and release, whatever is typed: a field, a table or a command that nobody looked up."""
    unheard = ["/PORT/Ethernet0/fec", "/PORT/Ethernet0/speed", "/PORT/Ethernet0", "/PORT_QOS_MAP/Ethernet0/unheard_of"]
    unheard += ["/DEVICE_METADATA/localhost/buffer_model", "/SWITCH_HASH/GLOBAL/ecmp_hash", "/QUEUEING/X/y"]
    unheard += ["set qos unheard-of X", "set interface swp1 link speed 400G", "set class-of-service unheard-of X"]
    for procedure in (part("sonic", "procedure").PROCEDURE, EOS, JUNOS, NXOS, SRLINUX, *map(procedure_in, RELEASES)):
        known = [MARKS.index(effect.mark) for effect in procedure.effects]
        for command in unheard:
            found = judge_commands(procedure, [command])
            assert MARKS.index(found.mark) == max(*known, MARKS.index(PORT_FLAP)), command
            assert found.drained
            assert "drain" in found.why


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_procedure_is_whole(vendor: str) -> None:
    for procedure in map(procedure_in, RELEASES) if vendor == "spectrum" else [part(vendor, "procedure").PROCEDURE]:
        assert procedure.save.until.endswith(".")
        assert procedure.drain and procedure.undrain and procedure.aside and procedure.back  # noqa: PT018
        assert (procedure.minutes > 0) == bool(procedure.confirm)
        for effect in procedure.effects:
            assert effect.mark in MARKS
            assert effect.source
            assert effect.why
            re.compile(effect.command)
        assert procedure.effects
        assert not any("save" in line or "startup-config" in line for line in (*procedure.commit, *procedure.confirm))


def rendered(folder: Path, case: str, *options: str) -> Path:
    vendor = case.partition("-")[0]
    ports = f'devices: {{leaf01: {{ports: {{"{PORTS[vendor]}": {{speed: 400G, faces: switch, cable: 5m}}}}}}}}\n'
    policy = POLICY.replace("restoration_time: 400ms, ", "") if vendor == "spectrum" else POLICY
    write(folder, {"fabric.yaml": policy.replace("pfc:\n", "pfc:\n  headroom: auto\n") + CASES[case] + ports})
    rocecfg(folder, "render", "-o", "out", "--no-lint", *options, expect=0)
    return folder / "out"


@pytest.mark.parametrize("case", CASES)
def test_notes_say_what_the_lines_of_the_file_disturb(case: str, tmp_path: Path) -> None:
    """By the same table that drift and plan ask for each line, and no less."""
    vendor = case.partition("-")[0]
    out = rendered(tmp_path, case, "--as", FORMS[vendor])
    (file,) = (path for path in out.glob("leaf01.*"))
    lines = [line.strip().removeprefix("nv ") for line in file.read_text().splitlines() if line.strip(" !")]
    release = (5, int(case[-2:].strip("-."))) if case[-1].isdigit() else (5, 8) if case.endswith("plain") else (5, 14)
    procedure = {"arista": EOS, "junos": JUNOS, "nxos": NXOS, "srlinux": SRLINUX}.get(vendor) or procedure_at(release)
    typed = [line for line in lines if not line.startswith(("#", "!"))]
    found = procedure.find_effects(typed)
    notes = (out / "APPLY-leaf01.md").read_text().partition("## What it disturbs")[2].partition("## ")[0]
    for effect in found:
        assert effect.mark == HITLESS or effect.why in notes, effect
    assert procedure.unlisted not in found


def test_head_drift_and_plan_of_eos_agree(tmp_path: Path) -> None:
    """A change of scheduling alone: drain first, everywhere."""
    why = EOS.effects[-1].why
    rendered = rocecfg(tmp_path, "render", AUTO, "--vendor", "arista", "--device", "spine02", expect=0).stdout
    assert why in rendered
    text = rendered.replace("bandwidth percent 10\n", "bandwidth percent 40\n").replace("percent 90", "percent 60")
    (tmp_path / "spine02.cfg").write_text(
        f"! Command: show running-config\nhostname spine02\n!\n{text}", encoding="utf-8"
    )
    drift = rocecfg(tmp_path, "drift", AUTO, "--running", "spine02.cfg", expect=1).stdout
    plan = rocecfg(tmp_path, "plan", AUTO, "--running", "spine02.cfg", "--no-lint", expect=0).stdout
    for stated in (drift, plan):
        assert "bandwidth percent 10" in stated
        assert why in stated
        assert "hitless" not in stated
    assert "quiesce" in plan
    assert "; then: copy running-config startup-config" in drift
    assert plan.index("no quiesce") < plan.index("copy running-config startup-config")
