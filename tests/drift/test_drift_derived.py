"""Values worked out from what an intent states: shown with how, and no change for what runs as it is stated."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import yaml
from drift_cases import EXAMPLES, WHOLE, compared, running
from intents import POLICY, rocecfg
from loops import loop

from rocecfg.drift.differences import Difference, Value
from rocecfg.drift.labels import label_change, label_running
from rocecfg.intent import load
from rocecfg.linting.rendering import render_files
from rocecfg.model import Span
from rocecfg.model.values import Way
from rocecfg.source.document import Sources

CABLED = f"""{POLICY}
defaults: {{vendor: sonic, platform: dell-z9664f, version: "202505", speed: 400G}}
devices:
  leaf01: {{role: leaf, ports: {{"Ethernet[0-4/4]": {{cable: 20m}}}}}}
"""


def _run(folder: Path, metres: int, **tables: Any) -> None:
    (folder / "fabric.yaml").write_text(CABLED, encoding="utf-8")
    fabric = load(str(folder / "fabric.yaml"), Sources()).fabric
    assert fabric is not None
    (file,) = render_files(fabric, "sonic")
    config = json.loads(WHOLE["sonic"]("leaf01", fabric.devices[0], file.text))
    assert set(config["CABLE_LENGTH"]["AZURE"].values()) == {"40m"}  # rows are of 5, 40 and 300 m
    config["CABLE_LENGTH"]["AZURE"] = dict.fromkeys(("Ethernet0", "Ethernet4"), f"{metres}m")
    config["DEVICE_METADATA"]["localhost"]["buffer_model"] = "traditional"
    for table, rows in tables.items():
        for key, row in rows.items():
            config[table][key] |= row
    (folder / "leaf01.json").write_text(json.dumps(config, indent=1), encoding="utf-8")


def test_the_length_that_is_stated_runs_and_is_not_listed(tmp_path: Path) -> None:
    """No change that shuts ports is offered, and it is not called 'no drift' either: a length without a row."""
    _run(tmp_path, 20)
    done = rocecfg(tmp_path, "drift", "fabric.yaml", "--running", "leaf01.json", expect=1)
    assert "not compared: cable length on leaf01 Ethernet[0,4] (2 ports)" in done.stdout.replace("[0-4/4]", "[0,4]")
    assert "20m is stated and running, but the headroom table lists 5m, 40m, 300m for 400G" in done.stdout
    assert "change for" not in done.stdout
    assert "no drift" not in done.stdout


def test_another_length_is_told_with_its_working(tmp_path: Path) -> None:
    _run(tmp_path, 5)
    done = rocecfg(tmp_path, "drift", "fabric.yaml", "--running", "leaf01.json", expect=1)
    line = next(line for line in done.stdout.splitlines() if "meant 40m" in line)
    assert "20m is stated; 40m is the next row of the headroom table [fabric.yaml:" in line
    assert "running 5m" in line
    assert "profile" not in line, "the figures behind a formula are told by show, and in JSON"
    value = json.loads(
        rocecfg(tmp_path, "drift", "fabric.yaml", "--running", "leaf01.json", "--format", "json", expect=1).stdout
    )["differences"][0]["values"][0]["meant"]
    assert (value["value"], value["path"]) == (40, "fabric.yaml")
    assert "20m is stated" in value["origin"]


def test_pfc_comes_with_a_length_that_has_headroom(tmp_path: Path) -> None:
    """A port without PFC: to turn it on at 20 m would leave it without headroom, so the length is changed with it."""
    _run(tmp_path, 20, PORT_QOS_MAP={port: {"pfc_enable": ""} for port in ("Ethernet0", "Ethernet4")})
    done = rocecfg(tmp_path, "drift", "fabric.yaml", "--running", "leaf01.json", "--format", "json", expect=1)
    operations = [
        op["path"] for of in json.loads(done.stdout)["changes"] for step in of["steps"] for op in step["operations"]
    ]
    assert any(path.endswith("/CABLE_LENGTH/AZURE/Ethernet0") for path in operations)


def test_percent_of_a_rate(tmp_path: Path) -> None:
    intent = yaml.safe_load(CABLED)
    intent["classes"]["cnp"]["max_rate"] = "10%"
    intent["defaults"] = {"vendor": "spectrum", "platform": "nvidia-sn5600", "version": "5.14", "speed": "400G"}
    intent["devices"]["leaf01"]["ports"] = {"swp1": {"cable": "5m"}}
    (tmp_path / "fabric.yaml").write_text(yaml.safe_dump(intent), encoding="utf-8")
    text = rocecfg(tmp_path, "render", "fabric.yaml", "--no-lint", expect=0).stdout
    assert "max-rate: 40000000" in text
    head = "- header: {model: SN5600, nvue-api-version: nvue_v1, version: Cumulus Linux 5.14.0}\n"
    more = "- set:\n    system: {hostname: leaf01}\n    interface: {eth0: {type: eth}}\n"
    (tmp_path / "leaf01.yaml").write_text(head + text.replace("40000000", "30000000") + more, encoding="utf-8")
    done = rocecfg(tmp_path, "drift", "fabric.yaml", "--running", "leaf01.yaml", expect=None)
    line = next(line for line in done.stdout.splitlines() if "meant 40G" in line)
    assert "10% is stated, of 400G [fabric.yaml:" in line
    assert "running 30G" in line


_OFFERS = {  # of a port that is meant to have 400G: what runs, and whether that is compared
    "all": ("", False),
    "100000": ("100G", True),
    "400000": ("", True),
    "100000,200000": ("by autonegotiation one of 100G, 200G", True),
    "100000,400000": ("", False),
}


def test_what_autonegotiation_offers_is_the_speed_that_runs(tmp_path: Path) -> None:
    """On SONiC PORT.speed stands beside it, and says nothing of the link."""
    config = json.loads(running("auto", "leaf01"))
    ports = dict(zip(config["PORT"], _OFFERS, strict=False))
    for port, offered in ports.items():
        config["PORT"][port] |= {"autoneg": "on", "adv_speeds": offered}
    found = compared("auto", {"leaf01.json": json.dumps(config, indent=1)}, tmp_path)
    told = dict.fromkeys(ports, "")
    for difference in found.differences:
        assert difference.topic == "speed"
        (value,) = difference.values
        told |= {name: label_running(difference, value) for reach in difference.reach for name in reach.ports}
    left = {name for group in found.own for reach in group.reach for name in reach.ports}
    assert {ports[name]: (text, name not in left) for name, text in told.items()} == _OFFERS


def test_import_writes_a_speed_that_is_offered(tmp_path: Path) -> None:
    """Else what it hands over differs from what it was read from."""
    config = json.loads(running("auto", "leaf01"))
    for port, offered in zip(config["PORT"], ("100000", "100000,200000", "400000", "all"), strict=False):
        config["PORT"][port] |= {"autoneg": "on", "adv_speeds": offered}
    (tmp_path / "leaf01.json").write_text(json.dumps(config, indent=1), encoding="utf-8")
    rocecfg(tmp_path, "import", "leaf01.json", "-o", "fabric.yaml", expect=0)
    told = rocecfg(tmp_path, "drift", "fabric.yaml", "--running", "leaf01.json", expect=None).stdout
    assert "drift: port speed" not in told
    assert "speed: 100G" in (tmp_path / "fabric.yaml").read_text(encoding="utf-8")


_SHUT = {
    "leaf01.json": lambda text: text.replace('"admin_status": "up"', '"admin_status": "down"', 1),
    "spine02.cfg": lambda text: text.replace("interface Ethernet1/1\n", "interface Ethernet1/1\n   shutdown\n", 1),
    "spine01.yaml": lambda text: text + "- set: {interface: {swp1: {link: {state: {down: {}}}}}}\n",
}


@loop("name", _SHUT)
def test_a_port_that_is_shut_is_told(name: str, tmp_path: Path) -> None:
    text = running("auto", name.partition(".")[0])
    (tmp_path / name).write_text(_SHUT[name](text), encoding="utf-8")
    told = rocecfg(tmp_path, "drift", EXAMPLES / "auto", "--running", name, expect=0).stdout
    port = {"leaf01.json": "Ethernet0", "spine02.cfg": "Ethernet1/1", "spine01.yaml": "swp1"}[name]
    assert re.search(rf"note: \w+ has {port} shut down", told), told


def test_a_pool_that_follows_from_others_is_shown_with_its_working(tmp_path: Path) -> None:
    """Junos has two sides, and an intent states one: the line that is named says neither 34 nor 10 percent."""
    text = POLICY.replace("kmin: 400KB, kmax: 1600KB, pmax: 5%", "kmin: 55%, kmax: 90%, pmax: 100%").replace(
        "priority: 3, ", "priority: 3, queue: 4, tc: 4, "
    )
    text += (
        "buffers: {pools: {lossless: 66%, lossy: 10%}}\n"
        'defaults: {vendor: junos, platform: juniper-qfx5240-64od, version: "23.4R2"}\n'
        'devices: {leaf01: {ports: {"et-0/0/[0-1]": {cable: 5m}}}}\n'
    )
    (tmp_path / "fabric.yaml").write_text(text, encoding="utf-8")
    fabric = load(str(tmp_path / "fabric.yaml"), Sources()).fabric
    assert fabric is not None
    (file,) = render_files(fabric, "junos")
    assert file.text.count("percent 34;") == 1
    (tmp_path / "leaf01.conf").write_text(file.text.replace("percent 34;", "percent 10;"), encoding="utf-8")
    told = rocecfg(tmp_path, "drift", "fabric.yaml", "--running", "leaf01.conf", "--partial", expect=None).stdout
    line = text.splitlines().index("buffers: {pools: {lossless: 66%, lossy: 10%}}") + 1
    working = f"lossless 66% and lossy 10% are stated; this follows from it [fabric.yaml:{line}]"
    assert f"meant 34% (computed: {working}), running 10%" in told


def test_a_port_that_the_intent_does_not_name_is_told_with_its_line(tmp_path: Path) -> None:
    """The text is kept where a place in it is shown, and nothing else differs."""
    text = running("auto", "spine02").replace(
        "interface Ethernet2/1\n", "interface Ethernet40/1\n   no switchport\n!\ninterface Ethernet2/1\n", 1
    )
    (tmp_path / "spine02.cfg").write_text(text, encoding="utf-8")
    line = text.splitlines().index("interface Ethernet40/1") + 1
    told = rocecfg(tmp_path, "drift", EXAMPLES / "auto", "--running", "spine02.cfg", expect=1).stdout
    assert f"Ethernet40/1 up and configured, but the intent does not name it (spine02.cfg:{line})" in told


def test_profiles_of_a_bond_are_those_of_its_ports(tmp_path: Path) -> None:
    """NVUE takes them at the bond; which ports are in it, what is rendered does not say."""
    text = POLICY + (
        'defaults: {vendor: spectrum, platform: nvidia-sn5600, version: "5.14", speed: 800G, cable: 5m}\n'
        "devices: {leaf01: {ports: {swp1: {}, swp2: {}, swp33: {cable: 30m, lag: bond1}}}}\n"
    )
    (tmp_path / "fabric.yaml").write_text(text, encoding="utf-8")
    fabric = load(str(tmp_path / "fabric.yaml"), Sources()).fabric
    assert fabric is not None
    (file,) = render_files(fabric, "spectrum")
    assert "'bond1'" in file.text
    bond = "- set: {interface: {bond1: {type: bond, bond: {member: {swp33: {}}}}}}\n"
    whole = WHOLE["spectrum"]("leaf01", fabric.devices[0], file.text) + bond
    for name, of, how in (("whole", whole, ()), ("part", file.text, ("--partial",))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "leaf01.yaml").write_text(of, encoding="utf-8")
        told = rocecfg(tmp_path, "drift", "fabric.yaml", "--running", f"{name}/leaf01.yaml", *how, expect=None).stdout
        assert "drift: " not in told, told
        assert "leftover: " not in told, told
    lacking = "\n".join(line for line in whole.splitlines() if "profile: rocecfg-pfc-30m" not in line)
    (tmp_path / "whole" / "leaf01.yaml").write_text(lacking, encoding="utf-8")
    told = rocecfg(tmp_path, "drift", "fabric.yaml", "--running", "whole/leaf01.yaml", expect=1).stdout
    assert "nv set interface bond1 qos pfc profile rocecfg-pfc-30m" in told


def test_of_a_way_that_changes_only_what_changes_is_told() -> None:
    for runs, meant, told in (
        (Way(3, None, None), Way(3, None, 3), "not paused becomes paused by priority 3"),
        (Way(3, 3, 3), Way(4, 4, 3), "queue 3 becomes queue 4, priority group 3 becomes priority group 4"),
        (Way(0, None, 3), Way(0, None, None), "paused by priority 3 becomes not paused"),
    ):
        at = Span(0, 0, 1)
        value = Value("", meant, runs, at, at, None)
        difference = Difference("dscp", None, (26,), (value,), leftover=False, down=False, reach=(), port_count=0)
        assert label_change(difference, value) == told
