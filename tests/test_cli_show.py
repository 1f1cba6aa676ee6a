"""`rocecfg show`, `explain`, `rules` and `profiles`: what is known, and where it came from."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from intents import FABRIC, POLICY, rocecfg, write

from rocecfg.rules import ALL


@pytest.fixture
def fabric(tmp_path: Path) -> Path:
    write(tmp_path, {"fabric.yaml": FABRIC})
    return tmp_path


def shown(folder: Path, *arguments: str) -> dict[str, tuple[str, str]]:
    """Each value that is shown, by the block it stands in and its name: the value and its origin."""
    out = {}
    block: list[str] = []
    for line in rocecfg(folder, "show", *arguments, expect=0).stdout.splitlines():
        depth = (len(line) - len(line.lstrip())) // 2
        words = line.split()
        if words[0] in {"fabric", "device", "class", "ports"} and "  " not in line.strip():
            block = [*block[:depth], " ".join(words[:2])]
            continue
        match = re.fullmatch(
            r" *(\S+) +(.*?) {1,}((?:\S+\.ya?ml:\d+|default:|computed:|profile |the repository).*)", line
        )
        assert match is not None, line
        out[f"{'/'.join(block[:depth])}/{match[1]}"] = (match[2].strip(), match[3])
    return out


def line_of(text: str) -> int:
    """The line of FABRIC that a text stands in."""
    return next(n for n, line in enumerate(FABRIC.splitlines(), 1) if text in line)


def test_every_value_is_shown_with_where_it_came_from(fabric: Path) -> None:
    values = shown(fabric, "fabric.yaml", "leaf01")
    device = "device leaf[01-02]"
    assert values["fabric train-64/kind"] == ("backend", f"fabric.yaml:{line_of('kind:')}")
    assert values["fabric train-64/mode"] == ("lossless", "default: lossless unless stated")
    assert values[f"{device}/vendor"] == ("sonic", f"fabric.yaml:{line_of('vendor: sonic')}")
    assert values[f"{device}/role"] == ("leaf", f"fabric.yaml:{line_of('role: leaf')}")
    assert values[f"{device}/mtu"] == ("9000", f"fabric.yaml:{line_of('mtu: 9000')}")
    asic = values[f"{device}/asic"]
    assert asic[0] == "tomahawk5"
    assert asic[1].startswith("profile platforms/arista-7060x6-64pe asic (")
    rdma = f"{device}/class rdma"
    assert values[f"{rdma}/dscp"] == ("26", f"fabric.yaml:{line_of('dscp: [26]')}")
    assert values[f"{rdma}/tc"] == ("3", f"computed: the priority [fabric.yaml:{line_of('priority: 3')}]")
    assert values[f"{rdma}/ecn.kmin"] == ("700KB", f"fabric.yaml:{line_of('kmin: 700KB')}")
    assert values[f"{rdma}/ecn.800G.kmin"] == ("900KB", f"fabric.yaml:{line_of('800G: {kmin')}")
    assert values[f"{device}/class cnp/ecn"] == ("off", "default: off unless stated")
    assert values[f"{device}/class storage/dscp"][0] == "18 20"
    assert values[f"{device}/class default/dscp"][0] == "0-17 19 21-25 27-47 49-55 57-63"
    assert values[f"{device}/class default/dscp"][1].endswith("(rest)")
    port = f"{device}/ports Ethernet[0-248/8]"
    assert values[f"{port}/speed"] == ("400G", f"fabric.yaml:{line_of('Ethernet[0-248/8]')}")
    assert values[f"{port}/cable"][0] == "3m"
    assert values[f"{port}/watchdog.detection"] == ("200ms", f"fabric.yaml:{line_of('watchdog: {detection_time: 200')}")
    assert values[f"{port}/pfc"][0] == "3"
    assert values[f"{device}/ports Ethernet[384]/classes"][0] == "control storage default"


def test_a_device_is_shown_by_its_name_alone(fabric: Path) -> None:
    by_name = rocecfg(fabric, "show", "spine02", expect=0).stdout
    assert by_name == rocecfg(fabric, "show", ".", "spine02", expect=0).stdout
    assert by_name == rocecfg(fabric, "show", "fabric.yaml", "spine02", expect=0).stdout
    assert "device spine[01-02] (2 devices, 16 ports each)" in by_name
    assert "leaf" not in by_name.replace("two leaves", "")
    assert "400ms" in by_name


def test_all_devices_are_shown_without_a_name(fabric: Path) -> None:
    out = rocecfg(fabric, "show", expect=0).stdout
    assert [line.split()[1] for line in out.splitlines() if line.startswith("device ")] == [
        "leaf[01-02]",
        "spine[01-02]",
    ]


def test_a_release_that_nobody_names_is_shown_as_assumed(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY + "defaults: {vendor: sonic}\n"})
    out = rocecfg(tmp_path, "show", expect=0).stdout
    assert re.search(r"^  version +\d{6} +default: assumed", out, re.MULTILINE)


def test_a_policy_is_shown_for_the_vendor_asked(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY})
    out = rocecfg(tmp_path, "show", "--vendor", "arista", expect=0).stdout
    assert "device every device" in out
    assert re.search(r"^  vendor +arista +default: the vendor asked for", out, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["leaf99"], "there is no device leaf99"),
        (["fabric.yaml", "leaf99"], "there is no device leaf99"),
        (["gone.yaml", "leaf01"], "gone.yaml:1:1: cannot be read"),
        (["stray.yaml"], "stray.yaml belongs to no intent"),
        (["broken.yaml"], "broken.yaml:2:1: not YAML"),
    ],
)
def test_what_cannot_be_shown_is_said(arguments: list[str], word: str, tmp_path: Path) -> None:
    folder = tmp_path / "a"
    write(folder, {"fabric.yaml": FABRIC, "stray.yaml": "x: 1\n", ".git/x": ""})
    if "broken.yaml" in arguments:
        write(folder, {"broken.yaml": "rocecfg: [\n"})
    done = rocecfg(folder, "show", *arguments, expect=2)
    assert word in done.stderr


def test_a_fabric_with_findings_is_shown_all_the_same(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": FABRIC.replace("priority: 3", "priority: 9")})
    assert "device leaf[01-02]" in rocecfg(tmp_path, "show", expect=0).stdout


# -- explain, rules, profiles ------------------------------------------------------------------------------------------


def test_explain_prints_a_page_by_name_or_code(tmp_path: Path) -> None:
    by_name = rocecfg(tmp_path, "explain", "watchdog-missing", expect=0).stdout
    assert by_name.startswith("# watchdog-missing (")
    code = next(r.code for r in ALL if r.name == "watchdog-missing")
    for word in (code, code.lower()):
        assert rocecfg(tmp_path, "explain", word, expect=0).stdout == by_name


@pytest.mark.parametrize(
    ("word", "answer"),
    [("watchdog-mising", "did you mean watchdog-missing?"), ("junk", "`rocecfg rules` lists them")],
)
def test_explain_offers_what_could_be_meant(word: str, answer: str, tmp_path: Path) -> None:
    done = rocecfg(tmp_path, "explain", word, expect=2)
    assert done.stderr == f"rocecfg: there is no rule '{word}'; {answer}\n"


def test_rules_are_listed_in_each_format(tmp_path: Path) -> None:
    text = rocecfg(tmp_path, "rules", expect=0).stdout.splitlines()
    rows = json.loads(rocecfg(tmp_path, "rules", "--format", "json", expect=0).stdout)["rules"]
    table = rocecfg(tmp_path, "rules", "--format", "markdown", expect=0).stdout.splitlines()
    assert {row["name"] for row in rows} == {r.name for r in ALL}
    assert len(text) == len(rows) == len(table) - 2 == len(ALL)
    assert [line.split()[0] for line in text] == sorted(r.code for r in ALL)


def test_profiles_are_listed_and_printed(tmp_path: Path) -> None:
    out = rocecfg(tmp_path, "profiles", expect=0).stdout
    assert "tomahawk5" in out
    assert "arista-7060x6-64pe" in out
    assert "source" in rocecfg(tmp_path, "profiles", "tomahawk5", expect=0).stdout
    assert "there is no profile 'nope'" in rocecfg(tmp_path, "profiles", "nope", expect=2).stderr
    assert rocecfg(tmp_path, "profiles", "../../pyproject", expect=2).stdout == ""


def test_maps_of_ports_are_shown_where_they_differ(tmp_path: Path) -> None:
    text = POLICY + (
        "devices:\n  leaf1:\n    ports:\n      Ethernet0: {speed: 400G, faces: host, cable: 3m}\n"
        "      Ethernet8: {speed: 400G, faces: host, cable: 3m, classes: {rdma: {dscp: [24], priority: 4}}}\n"
    )
    write(tmp_path, {"fabric.yaml": text})
    values = shown(tmp_path)
    here = "device leaf1/ports Ethernet8"
    assert {name.removeprefix(f"{here}/"): value for name, (value, _) in values.items() if "rdma." in name} == {
        "rdma.dscp": "24",
        "rdma.priority": "4",
        "rdma.tc": "4",
        "rdma.queue": "4",
        "rdma.pg": "4",
    }
    assert values[f"{here}/rdma.dscp"][1] == "fabric.yaml:15"
    assert values[f"{here}/default.dscp"][0].startswith("0-23 25-47")
