"""`rocecfg lint` of what switches wrote: told by content, judged together, and no file breaks it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from intents import POLICY, rocecfg, write

import rocecfg as package
from rocecfg.linting import devices
from rocecfg.linting.config_files import find_config_files
from rocecfg.linting.judge import judge
from rocecfg.source.document import Sources

SONIC = {
    "DEVICE_METADATA": {"localhost": {"hostname": "leaf01", "hwsku": "unknown-sku"}},
    "PORT": {f"Ethernet{n}": {"speed": "400000", "lanes": str(n), "admin_status": "up", "mtu": "9100"} for n in (0, 8)},
    "DSCP_TO_TC_MAP": {"AZURE": {str(n): "3" if n == 26 else "0" for n in range(64)}},
    "TC_TO_QUEUE_MAP": {"AZURE": {str(n): str(n) for n in range(8)}},
    "TC_TO_PRIORITY_GROUP_MAP": {"AZURE": {str(n): "3" if n == 3 else "0" for n in range(8)}},
    "PORT_QOS_MAP": {
        f"Ethernet{n}": {
            "dscp_to_tc_map": "AZURE",
            "tc_to_queue_map": "AZURE",
            "tc_to_pg_map": "AZURE",
            "pfc_enable": "3",
        }
        for n in (0, 8)
    },
    "QUEUE": {f"Ethernet{n}|3": {"wred_profile": "ROCE"} for n in (0, 8)},
    "WRED_PROFILE": {
        "ROCE": {
            "ecn": "ecn_all",
            "wred_green_enable": "true",
            "green_min_threshold": "400000",
            "green_max_threshold": "1600000",
            "green_drop_probability": "5",
        }
    },
    "CABLE_LENGTH": {"AZURE": {"Ethernet0": "5m", "Ethernet8": "5m"}},
}
NVUE = (
    "- set:\n    system: {hostname: leaf02}\n    qos:\n      roce: {enable: on, mode: lossless}\n"
    "    interface: {swp1: {type: swp}}\n"
)
EOS = """hostname leaf03
interface Ethernet1/1
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   no priority-flow-control pause watchdog
"""
JUNOS = "set class-of-service forwarding-classes class roce queue-num 3\n"


def config_db(**changes: object) -> str:
    return json.dumps({**SONIC, **changes}, indent=2)


def report(cwd: Path, *arguments: str, expect: int, stdin: str | None = None) -> list[tuple[str, int, str]]:
    """File, line and rule of every finding."""
    done = rocecfg(cwd, "lint", "--format", "json", *arguments, expect=expect, stdin=stdin)
    return [(f["path"], f["line"], f["name"]) for f in json.loads(done.stdout)["findings"]]


def test_each_file_is_told_by_its_content_whatever_its_name(tmp_path: Path) -> None:
    write(tmp_path, {"a.txt": config_db(), "b.txt": NVUE, "c.txt": EOS})
    found = report(tmp_path, "a.txt", "b.txt", "c.txt", expect=1)
    missing = {(path, line) for path, line, rule in found if rule == "watchdog-missing"}
    line = config_db().splitlines().index('      "pfc_enable": "3"') + 1
    assert missing == {("a.txt", line), ("b.txt", 4), ("c.txt", 6)}


def test_one_mistake_on_all_ports_is_one_finding_with_its_reach(tmp_path: Path) -> None:
    write(tmp_path, {"leaf01.json": config_db()})
    done = rocecfg(tmp_path, "lint", "--format", "json", "leaf01.json", expect=1)
    (missing,) = (f for f in json.loads(done.stdout)["findings"] if f["name"] == "watchdog-missing")
    assert missing["device"] == "leaf01"
    text = rocecfg(tmp_path, "lint", "leaf01.json", expect=1).stdout
    assert "help: " in text
    assert "pfcwd" in text  # SONiC's own command, no key of an intent
    assert "pfc: {watchdog" not in text


def test_a_folder_of_configurations_is_one_fabric(tmp_path: Path) -> None:
    write(tmp_path, {"run/leaf01.json": config_db(), "run/rack2/leaf02.yaml": NVUE, "run/README.md": "# x\n"})
    done = rocecfg(tmp_path, "lint", "run", expect=1)
    assert "in 1 fabric, 2 files, 2 devices" in done.stdout.splitlines()[-1]


def test_an_intent_in_the_folder_is_what_is_meant_there(tmp_path: Path) -> None:
    """What was rendered from it is not judged a second time."""
    write(tmp_path, {"fabric.yaml": POLICY, "rendered/leaf01.json": config_db()})
    assert "watchdog-missing" not in rocecfg(tmp_path, "lint", ".", expect=0).stdout
    assert {path for path, _, _ in report(tmp_path, "rendered", expect=1)} == {"rendered/leaf01.json"}


def test_intents_and_configurations_in_one_run(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY.replace("bandwidth: 40}", "bandwidth: 30}"), "leaf01.json": config_db()})
    found = {(path, rule) for path, _, rule in report(tmp_path, "fabric.yaml", "leaf01.json", expect=1)}
    assert {("fabric.yaml", "ets-sum"), ("leaf01.json", "watchdog-missing")} <= found


def test_standard_input(tmp_path: Path) -> None:
    named = report(tmp_path, "-", "--stdin-filename", "leaf01.json", expect=1, stdin=config_db())
    assert ("leaf01.json", "watchdog-missing") in {(path, rule) for path, _, rule in named}


def test_hooks_for_intents_pass_configurations_over(tmp_path: Path) -> None:
    write(tmp_path, {"leaf01.yaml": NVUE})
    assert report(tmp_path, "--only-intents", "leaf01.yaml", expect=0) == []


def test_settings_beside_the_configurations_count(tmp_path: Path) -> None:
    write(tmp_path, {"run/leaf01.json": config_db(), "run/rocecfg.toml": 'ignore = ["watchdog-missing"]\n'})
    assert "watchdog-missing" in {rule for _, _, rule in report(tmp_path, "--no-config", "run", expect=1)}
    assert "watchdog-missing" not in {rule for _, _, rule in report(tmp_path, "run", expect=1)}


def test_a_baseline_knows_what_a_configuration_had(tmp_path: Path) -> None:
    write(tmp_path, {"leaf01.json": config_db()})
    rocecfg(tmp_path, "lint", "leaf01.json", "--baseline", "known.json", "--update-baseline", expect=0)
    moved = config_db().replace('{\n  "DEVICE', '{\n\n\n  "DEVICE', 1)
    write(tmp_path, {"leaf01.json": moved})
    assert report(tmp_path, "leaf01.json", "--baseline", "known.json", expect=0) == []


def test_fixing_leaves_configurations_alone(tmp_path: Path) -> None:
    write(tmp_path, {"leaf01.json": config_db(), "c.cfg": EOS})
    rocecfg(tmp_path, "lint", "--fix", "--unsafe-fixes", "leaf01.json", "c.cfg", expect=1)
    assert (tmp_path / "leaf01.json").read_text() == config_db()
    assert (tmp_path / "c.cfg").read_text() == EOS


def test_each_form_that_is_rendered_is_found_in_a_folder(tmp_path: Path) -> None:
    """Set lines of Junos are files `.set`."""
    write(tmp_path, {"out/leaf01.set": "set system host-name leaf01\nset interfaces et-0/0/0 mtu 9216\n"})
    assert "1 file, 1 device" in rocecfg(tmp_path, "lint", "--format", "concise", "out", expect=0).stdout


# -- secrets -----------------------------------------------------------------------------------------------------------

HASH = "$6$rounds=5000$Zx81kQpL0vNm3aRt$Qq7PjYc2sWm8eLd5fGh1JkZ9xVb3NrTu6IoAy0XcE4"
PLAIN = "C0mmunityStr1ng"


@pytest.mark.parametrize("form", ["full", "concise", "json", "sarif", "github", "gitlab", "junit", "rdjson"])
def test_no_report_repeats_a_secret(form: str, tmp_path: Path) -> None:
    tables = {**SONIC, "TACPLUS": {"global": {"passkey": PLAIN}}, "SNMP_COMMUNITY": {PLAIN: {"TYPE": "RO"}}}
    texts = {
        "one-line.json": json.dumps(tables),  # the whole file is the line of every finding
        "leaf01.json": json.dumps(tables, indent=1),
        "leaf03.cfg": f"snmp-server community {PLAIN} ro\nusername admin secret sha512 {HASH}\n" + EOS,
        "leaf02.nv": f"nv set system aaa user a hashed-password '{HASH}'\nnv set qos roce enable on\n"
        f"nv set interface swp1 description {PLAIN}\n",
    }
    write(tmp_path, texts)
    done = rocecfg(tmp_path, "lint", "--format", form, *texts, expect=1)
    assert "watchdog" in done.stdout
    for secret in (HASH, PLAIN, HASH[:20]):
        assert secret not in done.stdout + done.stderr


# -- what is none ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "states"),
    [
        (config_db()[:1500], "not JSON"),
        ("{}", "belongs to no intent"),
        ("", "belongs to no intent"),
        ("[1, 2, 3]", "belongs to no intent"),
        ("trust-map dscp x\ninterface ethernet1/1/1\n", "belongs to no intent"),
        ('{"PORT":' * 5000, "nested deeper than"),
        (b"\x7fELF\0\0\0" + bytes(range(256)), "not UTF-8"),
        (b"hostname x\n\xff\xfeinterface Ethernet1\n", "not UTF-8"),
    ],
)
def test_what_cannot_be_read_ends_with_2_and_says_why(text: str | bytes, states: str, tmp_path: Path) -> None:
    write(tmp_path, {"x.txt": text, "good.json": config_db()})
    done = rocecfg(tmp_path, "lint", "--format", "concise", "x.txt", "good.json", expect=2)
    (bad,) = (line for line in done.stdout.splitlines() if "schema-syntax" in line)
    assert bad.startswith("x.txt:")
    assert states in bad
    assert "good.json" in done.stdout  # the others are judged all the same
    assert "Traceback" not in done.stderr


def test_what_another_switch_wrote_is_refused_by_the_reader_named(tmp_path: Path) -> None:
    write(tmp_path, {"junos.conf": JUNOS})
    done = rocecfg(tmp_path, "lint", "--from", "arista", "junos.conf", expect=2)
    assert "junos.conf:1:1" in done.stdout


def test_beside_configurations_a_binary_file_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path, {"run/leaf01.json": config_db(), "run/image.cfg": b"\0\1\2" * 100})
    assert {path for path, _, _ in report(tmp_path, "run", expect=1)} == {"run/leaf01.json"}


def test_a_configuration_of_200_megabytes_is_refused(tmp_path: Path) -> None:
    with open(tmp_path / "big.cfg", "wb") as stream:
        stream.write(EOS.encode())
        stream.truncate(200_000_000)
    done = rocecfg(tmp_path, "lint", "big.cfg", expect=2)
    assert "more than the 67108864 bytes" in done.stdout


def test_ten_megabytes_do_not_hang(tmp_path: Path) -> None:
    """Were anything in the readers quadratic in the lines, it would take hours; benchmarks measure the growth."""
    ports = "".join(f"interface Ethernet{n}\n   description {'x' * 200}\n   mtu 9214\n" for n in range(1, 40_000))
    write(tmp_path, {"leaf03.cfg": EOS + ports})
    rocecfg(tmp_path, "lint", "leaf03.cfg", expect=1)


# -- from Python -------------------------------------------------------------------------------------------------------


def test_a_configuration_from_python() -> None:
    fabric = package.read_config(config_db(), "sonic")
    (device,) = fabric.devices
    assert device.names == ("leaf01",)
    assert {name: port.pfc for port in device.ports for name in port.names} == {"Ethernet0": (3,), "Ethernet8": (3,)}
    assert "watchdog-missing" in {finding.rule.name for finding in package.lint(fabric)}
    assert package.read_config(EOS).devices[0].vendor == "arista"


def test_show_prints_what_a_configuration_amounts_to(tmp_path: Path) -> None:
    write(tmp_path, {"leaf01.json": config_db()})
    done: subprocess.CompletedProcess[str] = rocecfg(tmp_path, "show", "leaf01.json", expect=0)
    assert "leaf01" in done.stdout
    assert "leaf01.json:" in done.stdout  # where each value stands


def test_any_number_of_processes_gives_the_same_report(tmp_path: Path) -> None:
    texts = {f"run/{n}{end}": text for n in range(3) for end, text in ((".json", config_db()), (".cfg", EOS))}
    write(tmp_path, {**texts, "run/bad.json": config_db()[:900]})
    one, two = (rocecfg(tmp_path, "lint", "--jobs", jobs, "run", expect=2).stdout for jobs in ("1", "3"))
    assert one == two
    assert "bad.json" in one


def test_several_processes_read_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "_MANY", 2)  # few are not worth it
    texts = {f"{n}{end}": text for n in range(3) for end, text in ((".json", config_db()), (".cfg", EOS))}
    write(tmp_path, {**texts, "bad.json": config_db()[:900]})
    read = []
    for jobs in (1, 3):
        sources = Sources()
        sources.by_shape = False
        paths = find_config_files(str(tmp_path), sources)
        loaded = devices.load(str(tmp_path), paths, sources, None, given=False, jobs=jobs)
        assert loaded is not None
        assert len(loaded.errors) == 1
        read.append((loaded.files, judge(loaded)))
    assert read[0] == read[1]
    assert len(read[0][0]) == 6
