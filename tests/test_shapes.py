"""Files that differ in digits alone are read once: what is read, and found, is what reading each in full gives."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from checkout import ROOT
from click.testing import CliRunner
from sampling import part, share

import rocecfg.intent.filling
from rocecfg.cli import cli
from rocecfg.intent import load
from rocecfg.intent.filling import FabricReader
from rocecfg.intent.repeated import unfold
from rocecfg.model.fabric import WithOrigins
from rocecfg.model.stated import Problem, Val
from rocecfg.source.document import Document, SourceError, Sources

LEAF = """# rack 12
devices:
  p0001-leaf1:
    role: leaf
    platform: arista-7060x6-64pe
    description: pod 1, rack 12, leaf 1 of 8   # until 2026-01-31
    hostname: "p0001-leaf1.example.net"
    address: 10.0.12.0/32
    rail: 3
    version: '202505'
    mtu: 9100
    arp_timeout: 14400s
    classes: {rdma: {ecn: {kmin: 400KB, kmax: 1600KB, pmax: 20%}, dscp: [24, 26], marks: 24-26}}
    pfc: {watchdog: {detection_time: 200ms, restoration_time: 400ms, priorities: [2, 3]}}
    ports:
      "Ethernet[256-316/4]": {speed: 400G, faces: switch, cable: 30m}
      "Ethernet[320-380/4]": {speed: 400G, faces: host, cable: 5m, lag: "po[01-16]"}
      Ethernet384: {speed: 400G, faces: storage, cable: 1.5m, classes: [storage, control, default]}
links:
  - {a: "p0001-leaf1:Ethernet256", b: "p0001-spine1:Ethernet256", cable: 30m, description: C00000-00}
  - {a: "p0001-leaf1:Ethernet260", b: "p0001-spine1:Ethernet260", description: pod 1 -> spine}
  - {b: p0001-spine1:Ethernet264, a: p0001-leaf1:Ethernet264}
"""
ROOT_FILE = """\ufeffrocecfg: 1\r
fabric: {name: fabric-17, mtu: 9000, path_mtu: 4096, rtt: 8us, incast: 16, oversubscription: 2:1}\r
classes:\r
  rdma: {carries: [rdma], dscp: 26, priority: 3, lossless: true, ecn: {kmin: 400KiB, kmax: 1MiB, pmax: 5%}}\r
  cnp: {carries: [cnp], dscp: [48, 49], priority: 0x6, bandwidth: strict, max_rate: 10G}\r
pfc: {headroom: {by_speed: {400G: 100KB, 800G: {size: 180KB, xon: 10KB}}}}\r
defaults: {vendor: sonic, version: "202505", buffers: {alpha: 0.125, pools: {lossless: 60%}}}\r
devices: {"leaf[01-04]": {ports: {"Ethernet[0-8/8]": {speed: 400G}, "Ethernet[16-24/8]": {speed: 800G}}}}\r
hosts: {"gpu[01-04]": {}}\r
vlans: {100: {devices: "leaf[01-02]", class: rdma}, 200: {devices: leaf03}}\r
links: [{a: "leaf[01-04]:Ethernet0", b: "gpu[01-04]:eth0", cable: 3m}, cables-1.csv]\r
rollout: {stages: [{devices: leaf01, window: 22:00-23:59}], at_once: 25%}\r
"""
ABOUT = ("rocecfg/intent", "rocecfg/source")
HARD = """devices:
  "leaf1\\x41": &one1
    description: |2
        pod 12
    rail: 0x11
  leaf2: *one1
  leaf3: {description: "it's 1\\ttab", rail: 08, mtu: 9_000, hostname: !!str leaf3, cable: ~}
  leaf4: {description: 'it''s 4', version: 4.33, address: 11:11::1/64, rail: +1,
    role: multi
      line 5}
"""
ODD = "0123456789xX~:#'\"\\&*!|>%@`[]{},-?. \t\r\n\ufeff\u0661é$Aa_/"


def _problem(problem: Problem) -> tuple[object, ...]:
    return tuple(problem)


def _read(reader: FabricReader, number: int, text: str) -> object:
    """All that reading a text leaves behind, places included."""
    problems: list[Problem] = []
    try:
        section, context = reader.read(Document(number, f"{number}.yaml", text), problems)
    except SourceError as error:
        return str(error)
    devices = section.get("devices") if isinstance(section, dict) else None
    if devices is not None and isinstance(devices.value, dict):
        whole = {key: Val(unfold(val.value), val.at) for key, val in devices.value.items()}
        section = {key: Val(whole, val.at) if key == "devices" else val for key, val in section.items()}
    keyed = repr(section)  # tells 1 from True, and the order of keys
    return section, keyed, list(map(_problem, problems)), context.decimal, context.binary, context.nameless


def _digits(text: str, chance: random.Random) -> str:
    """A text of the same shape with other digits, of which most mean as much."""
    return "".join(str(chance.randint(0, 9)) if c.isdigit() and chance.random() < 0.02 else c for c in text)


def _changes(text: str, chance: random.Random, count: int) -> Iterator[str]:
    """Each digit as another one; each number longer or shorter; then one character as any, put in or taken out."""
    for at, char in enumerate(text):
        if char in "0123456789":
            yield f"{text[:at]}{chance.choice([d for d in '0123456789' if d != char])}{text[at + 1 :]}"
    for number in re.finditer(r"\d+", text):
        yield f"{text[: number.end()]}{chance.randint(0, 99)}{text[number.end() :]}"
        yield text[: number.start()] + text[number.start() + 1 :]
    for _ in range(count):
        at = chance.randrange(len(text))
        new = chance.choice(("", *ODD))
        yield text[:at] + new + text[at + chance.randint(0, 1) :]


TEXTS = {"leaf": LEAF, "crlf": LEAF.replace("\n", "\r\n"), "root": ROOT_FILE.removeprefix("\ufeff"), "hard": HARD}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_what_is_filled_in_is_what_is_read(text: str) -> None:
    chance = random.Random(text)  # noqa: S311
    shaped, full = FabricReader(by_shape=True), FabricReader(by_shape=False)
    for number, changed in enumerate((text, text, *part(_changes(text, chance, 600), *ABOUT))):
        assert _read(shaped, number, changed) == _read(full, number, changed), changed
    for number in range(share(200, *ABOUT)):
        changed = _digits(text, chance)
        assert _read(shaped, number, changed) == _read(full, number, changed), changed


@pytest.mark.parametrize("kind", ["leaf", "crlf", "root"])
def test_two_files_of_a_shape_are_read_in_full_and_the_others_filled_in(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader, compose, read = FabricReader(by_shape=True), rocecfg.intent.filling.compose, []

    def watched(document: Document, rows: None) -> object:
        read.append(document.path)
        return compose(document, rows)

    monkeypatch.setattr(rocecfg.intent.filling, "compose", watched)
    for number in range(9):
        _read(reader, number, TEXTS[kind].replace("leaf1", f"leaf{number}").replace("mtu: 9000", f"mtu: 900{number}"))
    assert read == ["0.yaml", "1.yaml"]


def test_longer_numbers_shift_what_is_behind_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only two files are parsed; each value of the others has the place that parsing gives it."""
    reader, full, compose, read = (
        FabricReader(by_shape=True),
        FabricReader(by_shape=False),
        rocecfg.intent.filling.compose,
        [],
    )
    texts = [LEAF.replace("leaf1", f"leaf{n}").replace("mtu: 9100", f"mtu: {9100 - n * n}") for n in (1, 2, 10, 40, 95)]
    expected = [_read(full, number, text) for number, text in enumerate(texts)]

    def watched(document: Document, rows: None) -> object:
        read.append(document.path)
        return compose(document, rows)

    monkeypatch.setattr(rocecfg.intent.filling, "compose", watched)
    assert [_read(reader, number, text) for number, text in enumerate(texts)] == expected
    assert read == ["0.yaml", "1.yaml"]


def test_a_number_that_makes_a_key_too_long_is_told_as_ever() -> None:
    """YAML takes no key of more than 1,024 characters: a longer number in it is an error of the whole file."""
    reader, full = FabricReader(by_shape=True), FabricReader(by_shape=False)
    for number, zeros in enumerate((1010, 1010, 1010, 1011, 1024, 1040)):
        text = f'devices:\n  "{"0" * zeros}": {{role: leaf}}\n'
        assert _read(reader, number, text) == _read(full, number, text)


LINKS = """rocecfg: 1
links:
  - {a: leaf1:Ethernet0, b: spine1:Ethernet0, cable: 3m}
  - &first {a: "leaf1:Ethernet[8-16/8]", b: "spine1:Ethernet[8-16/8]", description: two}
  - *first
  - a: leaf1:Ethernet24
    b: spine1:Ethernet24
  - {a: leaf1, b: spine1:Ethernet0}
  - {a: leaf1:Ethernet0, a: leaf2:Ethernet0, b: spine1:Ethernet0, colour: red}
  - cables-1.csv
  - {a: leaf1:Ethernet32, b: spine1:Ethernet32, cable: 3}
"""


@pytest.mark.parametrize(
    "text",
    [LINKS, f"{LINKS}devices: {{leaf1: {{}}}}\n", f"links: []\n{LINKS}", "links: [{a: leaf1:e0, b: s1:e0}, {a: x}]\n"],
)
def test_links_that_are_read_at_once_are_what_reading_them_from_nodes_gives(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = _read(FabricReader(by_shape=True), 0, text)
    monkeypatch.setattr(rocecfg.intent.filling, "_LARGE", 0)
    assert _read(FabricReader(by_shape=True), 0, text) == expected


def test_a_file_whose_numbers_are_wrong_is_reported_as_if_it_were_the_only_one() -> None:
    reader = FabricReader(by_shape=True)
    for number in range(3):
        _read(reader, number, LEAF)
    problems: list[Problem] = []
    reader.read(Document(3, "3.yaml", LEAF.replace("priorities: [2, 3]", "priorities: [2, 8]")), problems)
    assert [(p.rule, p.message) for p in problems] == [("schema-priority-range", "8 is not a whole number from 0 to 7")]
    assert LEAF[problems[0].at.start : problems[0].at.end] == "3"


FABRIC = """rocecfg: 1
include: [racks/*.yaml]
fabric: {name: a, mtu: 9000}
classes:
  rdma: {carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 80, ecn: {kmin: 400KB, kmax: 1MB, pmax: 9%}}
  cnp: {carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}
  control: {carries: [control], dscp: 56, priority: 7, bandwidth: strict}
  storage: {carries: [storage], dscp: [18, 20], priority: 2, bandwidth: 10}
  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 10}
pfc: {watchdog: {detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}}
defaults: {vendor: sonic, version: "202505"}
"""
PLAIN = """devices:
  p0001-leaf1:
    role: leaf
    platform: arista-7060x6-64pe
    description: pod 1, rack 12
    hostname: p0001-leaf1.example.net
    mtu: 9100
    ports:
      "Ethernet[256-316/4]": {speed: 400G, faces: switch, cable: 30m, description: up 1}
      "Ethernet[320-380/4]": {speed: 400G, faces: host, cable: 5m}
      Ethernet384: {speed: 400G, faces: host, cable: 10m, classes: [storage, control, default]}
links: [{a: "p0001-leaf1:Ethernet256", b: "p0002-leaf1:Ethernet256"}, {a: "p0001-leaf1:Ethernet384", b: "nic1:eth0"}]
"""
KINDS = {
    "plain": PLAIN,
    "watchdog": PLAIN.replace(
        "    mtu", "    pfc: {watchdog: {detection_time: 400ms, restoration_time: 800ms}}\n    mtu"
    ),
    "headroom": PLAIN.replace("    mtu", "    pfc: {headroom: 100KB}\n    buffers: {alpha: 0.125}\n    mtu"),
    "classes": PLAIN.replace("    mtu", "    classes: {rdma: {ecn: {kmin: 300KB, kmax: 1500KB, pmax: 20%}}}\n    mtu"),
    "ports": PLAIN.replace("up 1}", "up 1, classes: {rdma: {ecn: auto}, storage: {dscp: [18, 20, 22]}}}"),
    "linked": PLAIN.replace("faces: host, cable: 10m, ", ""),
    "defaults": f"defaults: {{fec: rs, mac_age: 300s}}\n{PLAIN}",
}


def _shown(value: object) -> object:
    """All of a part of the model, and where each value came from."""
    if isinstance(value, WithOrigins):
        return type(value).__name__, [
            dict(value.origins) if name == "origins" else _shown(getattr(value, name)) for name in value.__slots__
        ]
    if type(value) in (tuple, list):
        return [_shown(one) for one in value]
    return value


def _loaded(root: Path, *, by_shape: bool) -> object:
    sources = Sources()
    sources.by_shape = by_shape
    found = load(str(root), sources)
    fabric = found.fabric
    reported = [_shown(device) for device in fabric.devices] if fabric is not None else None
    return (
        reported,
        fabric and (fabric.links, fabric.broken, fabric.nameless),
        found.problems,
        list(map(str, found.errors)),
    )


@pytest.mark.parametrize("text", KINDS.values(), ids=KINDS)
def test_devices_made_from_an_equal_one_are_what_resolving_each_gives(text: str, tmp_path: Path) -> None:
    chance = random.Random(text)  # noqa: S311
    root = tmp_path / "fabric.yaml"
    root.write_text(FABRIC, encoding="utf-8")
    (tmp_path / "racks").mkdir()
    for number in range(1, 7):
        named = (
            text.replace("0001", f"000{number}")
            .replace("rack 12", f"rack {number * 7:02}")
            .replace("up 1", f"up {number}")
        )
        (tmp_path / "racks" / f"{number}.yaml").write_text(named, encoding="utf-8")
    assert _loaded(root, by_shape=True) == _loaded(root, by_shape=False)
    for changed in part(_changes(text.replace("0001", "0005"), chance, 30), *ABOUT):
        for name in chance.sample(("5", "6", "7"), 2):  # the same twice: of keys that several files have
            (tmp_path / "racks" / f"{name}.yaml").write_text(changed, encoding="utf-8", newline="")
        assert _loaded(root, by_shape=True) == _loaded(root, by_shape=False), changed


@pytest.mark.parametrize(
    ("more", "changed"),
    [("p0004-leaf1", [4]), ('"p000[4-5]-leaf1"', [4, 5]), ('"p000[2-9]-leaf1"', [2, 3, 4, 5, 6])],
    ids=["the same key", "a node set over two of them", "a node set over most of them"],
)
def test_what_a_second_file_says_of_some_of_many_equal_devices_holds_for_these_alone(
    more: str, changed: list[int], tmp_path: Path
) -> None:
    root = tmp_path / "fabric.yaml"
    root.write_text(FABRIC, encoding="utf-8")
    (tmp_path / "racks").mkdir()
    for number in range(1, 7):
        text = PLAIN.replace("0001", f"000{number}")
        (tmp_path / "racks" / f"{number}.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "racks" / "more.yaml").write_text(f"devices: {{{more}: {{mac_age: 77s}}}}\n", encoding="utf-8")
    fabric = load(str(root)).fabric
    assert fabric is not None
    found = {name: device.mac_age for device in fabric.devices for name in device.names if device.mac_age}
    assert {name: age for name, age in found.items() if int(name[4]) < 7} == {f"p000{n}-leaf1": 77_000 for n in changed}
    assert _loaded(root, by_shape=True) == _loaded(root, by_shape=False)


def test_the_last_of_three_files_whose_ports_overlap_says_so(tmp_path: Path) -> None:
    """Digits decide what is a duplicate, and what overlaps."""
    shutil.copytree(ROOT / "examples" / "policy", tmp_path, dirs_exist_ok=True)
    root = tmp_path / "fabric.yaml"
    root.write_text(f"{root.read_text(encoding='utf-8')}\ninclude: [racks/*.yaml]\n", encoding="utf-8")
    (tmp_path / "racks").mkdir()
    for number, last in enumerate(("08", "08", "16")):
        ports = f'"Ethernet[00-{last}/8]": {{speed: 400G}}, "Ethernet[16-24/8]": {{speed: 800G}}'
        (tmp_path / "racks" / f"{number}.yaml").write_text(f"devices: {{leaf{number}: {{ports: {{{ports}}}}}}}\n")
    found = _lint(tmp_path)
    assert found == _lint(tmp_path, "--no-shapes")
    assert found[1].count('"name": "schema-overlap"') == 1


def _lint(path: Path, *options: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, ["lint", str(path), "--format", "json", *options])
    return done.exit_code, done.output


@pytest.mark.parametrize(
    "path", sorted(p.parent for p in (ROOT / "examples").glob("*/fabric.yaml")), ids=lambda p: p.name
)
def test_examples_lint_the_same_with_and_without_shapes(path: Path) -> None:
    assert _lint(path) == _lint(path, "--no-shapes")


def test_a_waiver_whose_date_is_past_in_one_of_many_alike_is_reported_there(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples" / "policy", tmp_path, dirs_exist_ok=True)
    root = tmp_path / "fabric.yaml"
    root.write_text(f"{root.read_text(encoding='utf-8')}\ninclude: [racks/*.yaml]\n", encoding="utf-8")
    (tmp_path / "racks").mkdir()
    for number in range(5):
        year = 2099 if number != 3 else 2009
        text = f"devices:\n  leaf{number}: {{mtu: 900{number}}}  # rocecfg: ignore[link-mtu] until={year}-01-31 -- x\n"
        (tmp_path / "racks" / f"{number}.yaml").write_text(text, encoding="utf-8")
    found = _lint(tmp_path)
    assert found == _lint(tmp_path, "--no-shapes")
    assert "ended on 2009-01-31" in found[1]
    assert "2099" not in found[1]


def test_sources_read_by_shape_unless_told_otherwise() -> None:
    assert Sources().by_shape
