"""Lanes: ports that cannot all be, because they need the same lanes of one cage.

`hwskus.csv` has the ports of 299 HwSKUs as sonic-net/sonic-buildimage 086b03bd ships them (port_config.ini, or
hwsku.json and platform.json): each is a switch that runs, so none of them may be an error.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from intents import POLICY, Found, findings, rocecfg, write
from loops import loop
from page_cases import found_on_switch

from rocecfg.core.data import data_path
from rocecfg.core.nodeset import names_of, node_set
from rocecfg.core.units import parse_rate, show_rate
from rocecfg.model import Box
from rocecfg.model.lanes import find_clashes
from rocecfg.profiles import SHIPPED, ProfileError
from rocecfg.profiles.library import Library
from rocecfg.source.document import Document
from rocecfg.vendors.running import read_drafts

RULE = "schema-port-lanes"
G = 10**9
BOXES = [
    (name, nos) for name in SHIPPED.names("platforms") for nos, box in SHIPPED.platform(name).boxes.items() if box.cages
]


def intent(vendor: str, platform: str | None, ports: str) -> str:
    """An intent with one switch and these lines of ports."""
    box = f", platform: {platform}" if platform else ""
    lines = "".join(f"      {line}\n" for line in ports.splitlines())
    return f"{POLICY}defaults: {{vendor: {vendor}{box}}}\ndevices:\n  leaf01:\n    ports:\n{lines}"


def lanes(folder: Path, text: str) -> list[Found]:
    """What the rule finds in an intent."""
    return [f for f in findings(folder, text) if f.rule == RULE]


CLASSIC = [
    pytest.param(
        "sonic",
        "nvidia-sn4700",
        '"Ethernet[0-31]": {speed: 400G, faces: host, cable: 3m}',
        "Ethernet[0-248/8]",
        "32 ports in 4 cages",
        id="sonic",
    ),
    pytest.param(
        "spectrum",
        "nvidia-sn4700",
        '"swp1,swp1s[0-3]": {speed: 100G, faces: host, cable: 3m}',
        "swp[1-32]s[0-3]",
        "swp1 and swp1s[0-3]",
        id="nvue-whole-and-split",
    ),
    pytest.param(
        "spectrum",
        "nvidia-sn4700",
        '"swp1s[0-7]": {speed: 400G, faces: host, cable: 3m}',
        "swp[1-32]",
        "8 lanes",
        id="nvue-too-narrow",
    ),
    pytest.param(
        "arista",
        "arista-7060x6-64pe",
        '"Ethernet1/[1-8]": {speed: 800G, faces: host, cable: 3m}',
        "Ethernet[1-64]/1",
        "Ethernet1/[2-8]",
        id="eos",
    ),
]


@pytest.mark.parametrize(("vendor", "platform", "ports", "valid", "stated"), CLASSIC)
def test_ports_that_need_the_same_lanes_are_an_error(
    vendor: str, platform: str, ports: str, valid: str, stated: str, tmp_path: Path
) -> None:
    """One error at the line, with the overlap and the set of ports that there can be; nothing is rendered."""
    text = intent(vendor, platform, ports)
    found = lanes(tmp_path, text)
    assert [f.severity for f in found] == ["error"]
    assert stated in found[0].message
    assert valid in found[0].help
    write(tmp_path, {"fabric.yaml": text})
    assert rocecfg(tmp_path, "render", "fabric.yaml", "--vendor", vendor, "-o", "out").returncode != 0


# -- one finding for a cause -------------------------------------------------------------------------------------------


def test_ports_of_two_lines_are_one_finding_at_the_first_with_the_other_beside_it(tmp_path: Path) -> None:
    ports = (
        '"Ethernet[0-120/8]": {speed: 400G, faces: host, cable: 3m}\n'
        '"Ethernet[4-124/8]": {speed: 100G, faces: host, cable: 3m}'
    )
    (found,) = lanes(tmp_path, intent("sonic", "nvidia-sn4700", ports))
    assert found.text == '"Ethernet[0-120/8]"'
    assert found.related == ((found.line + 1, "the other ports"),)
    assert "Ethernet0 at 400G needs all 8 lanes in its cage (at most 50G a lane), but Ethernet4 uses" in found.message
    assert "32 ports in 16 cages, Ethernet[0-124/4]" in found.message
    assert found.help == "400G ports are Ethernet[0-248/8]; 100G ports are Ethernet[0-254/2]"


def test_links_that_part_the_ports_of_a_line_do_not_part_the_finding(tmp_path: Path) -> None:
    text = intent("sonic", "nvidia-sn4700", '"Ethernet[0-31]": {speed: 400G}')
    text += "  spine01: {ports: {Ethernet0: {speed: 400G}, Ethernet8: {speed: 400G}}}\n"
    text += 'links:\n  - {a: "leaf01:Ethernet[0,3]", b: "spine01:Ethernet[0,8]", cable: 10m}\n'
    (found,) = lanes(tmp_path, text)
    assert "32 ports in 4 cages, Ethernet[0-31]" in found.message


@pytest.mark.parametrize(
    ("ports", "message"),
    [
        (
            "Ethernet4: {speed: 400G}",
            "Ethernet4 at 400G needs 8 lanes (at most 50G a lane), but its cage has only 4 from",
        ),
        (
            "Ethernet2: {speed: 200G}",
            "Ethernet2 at 200G needs 4 lanes (at most 50G a lane), but begins at lane 3 of its",
        ),
    ],
)
def test_a_port_alone_that_its_cage_cannot_hold_there(ports: str, message: str, tmp_path: Path) -> None:
    (found,) = lanes(tmp_path, intent("sonic", "nvidia-sn4700", ports))
    assert message in found.message


def test_a_name_that_is_none_is_answered_with_those_of_its_speed(tmp_path: Path) -> None:
    """The names of all lanes, offered for 400G ports, would be the next mistake."""
    text = intent("sonic", "nvidia-sn4700", '"Ethernet[256-264/8]": {speed: 400G, faces: host, cable: 3m}')
    (found,) = [f for f in findings(tmp_path, text) if f.rule == "schema-port-name"]
    assert found.help == "its 400G ports are Ethernet[0-248/8]"


# -- what is not known -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("vendor", "platform", "ports", "stated"),
    [
        ("spectrum", None, '"swp[1-2],swp1s[0-1]": {speed: 200G}', "swp1 and swp1s[0-1] are one cage"),
        ("arista", None, '"Ethernet1,Ethernet1/[1-4]": {}', "Ethernet1 and Ethernet1/[1-4] are one cage"),
    ],
)
def test_without_lanes_names_alone_are_a_warning(
    vendor: str, platform: str | None, ports: str, stated: str, tmp_path: Path
) -> None:
    (found,) = lanes(tmp_path, intent(vendor, platform, ports))
    assert found.severity == "warning"
    assert stated in found.message


@pytest.mark.parametrize(
    ("vendor", "platform", "ports"),
    [
        ("sonic", None, '"Ethernet[0-31]": {speed: 400G}'),  # no platform
        ("sonic", "nokia-ixr7220-h3", '"Ethernet[0-124/4]": {speed: 400G}'),  # lanes not known
        ("sonic", "nvidia-sn4700", '"Ethernet[0-31]": {faces: host}'),  # no speed
        ("spectrum", None, '"swp1s[0-7]": {speed: 400G}'),
        ("arista", "arista-7808r4", '"Ethernet3/1/[1-8]": {speed: 800G}'),
        ("sonic", "arista-7050cx3-32s", '"Ethernet[128,132]": {speed: 10G}'),  # ports for service
    ],
)
def test_what_is_not_known_is_not_judged(vendor: str, platform: str | None, ports: str, tmp_path: Path) -> None:
    assert lanes(tmp_path, intent(vendor, platform, ports)) == []


def test_a_hwsku_with_names_of_its_own_is_not_judged(tmp_path: Path) -> None:
    text = intent("sonic", "dell-s5248f", '"Ethernet[48-55]": {speed: 100G}')
    assert len(lanes(tmp_path, text)) == 1
    text = text.replace("platform: dell-s5248f", "platform: dell-s5248f, hwsku: DellEMC-S5248f-P-10G")
    assert lanes(tmp_path, text) == []


# -- a switch's own configuration --------------------------------------------------------------------------------------


def config(**ports: str) -> str:
    """A CONFIG_DB with rows of PORT by their lanes."""
    rows = {name: {"lanes": at, "speed": "200000"} for name, at in ports.items()}
    return json.dumps({"DEVICE_METADATA": {"localhost": {"hwsku": "ACS-MSN4700"}}, "PORT": rows}, indent=1)


def test_rows_of_port_that_share_lanes_are_one_error() -> None:
    ports = {f"Ethernet{n}": f"{n},{n + 1},{n + 2},{n + 3}" for n in range(8)}
    assert RULE in found_on_switch("json", config(**ports))
    (switch,) = read_drafts(Document(0, "leaf01.json", config(**ports)), "sonic")
    (problem,) = [p for p in switch.problems if p.rule == RULE]
    assert problem.severity in (None, "error")
    assert "PORT|Ethernet1: lanes 1,2,3 are Ethernet0's too; 6 more ports share lanes with another" in problem.message


def test_rows_of_port_with_lanes_of_their_own_are_fine() -> None:
    """Whatever the ports are called: the lanes are what counts, and they may be spaced and in any order."""
    assert RULE not in found_on_switch("json", config(Ethernet0="3, 2,1,0", Ethernet1="4,5,6,7", Ethernet2=""))


# -- every platform ----------------------------------------------------------------------------------------------------


def clash(box: Box, *groups: tuple[tuple[str, ...], int | None]) -> bool:
    """Whether ports of a box clash; groups of names with their speed in bit/s."""
    assert box.layout is not None
    return bool(find_clashes(box.layout, groups))


def shipped() -> Iterator[tuple[str, str, str]]:
    """The HwSKUs that SONiC ships."""
    with (Path(__file__).parent / "hwskus.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            for hwsku in row["hwskus"].split():
                yield row["platform"], hwsku.partition("/")[0], row["ports"]


@loop(("platform", "hwsku", "ports"), shipped())
def test_no_hwsku_that_sonic_ships_is_an_error(platform: str, hwsku: str, ports: str) -> None:
    box = SHIPPED.box(platform, "sonic", hwsku)
    assert box is not None
    if box.layout is None:
        return
    groups = []
    for part in ports.split("; "):
        names, _, speed = part.partition(" ")
        assert set(names_of(names)) <= box.layout.places.keys()
        groups.append((names_of(names), parse_rate(speed) if speed else None))
    assert not clash(box, *groups)


@loop(("name", "nos"), BOXES)
def test_the_ports_that_a_message_prints_can_all_be(name: str, nos: str) -> None:
    """At each speed; what it prints is what is judged."""
    box = SHIPPED.platform(name).boxes[nos]
    assert box.layout is not None
    for speed in box.speeds or tuple(run.lanes * run.lane for run in box.cages):
        plain, parts = box.layout.list_ports_at(speed)
        if not plain:
            assert speed > max(run.lanes * run.lane for run in box.cages)
            continue
        assert not clash(box, (plain, speed))
        assert not parts or not clash(box, (parts, speed))
        shown = box.layout.list_valid(speed)
        sets = shown.split(", or split ")
        assert set(names_of(sets[0])) == set(plain)
        assert [set(names_of(s)) for s in sets[1:]] == ([set(parts)] if parts else [])


@loop(("name", "nos"), BOXES)
def test_ports_off_by_a_step_are_an_error(name: str, nos: str) -> None:
    """Every name in a cage at the speed that fills it; half of it shifted; whole and split at once."""
    box = SHIPPED.platform(name).boxes[nos]
    assert box.layout is not None
    for cage in box.layout.cages:
        full = cage.of.lanes * cage.of.lane
        if cage.whole is not None:
            if cage.names:
                assert clash(box, ((cage.whole, cage.names[0]), None))
                assert clash(box, (cage.names[:2], full))
                assert clash(box, (cage.names[:1], full))
            assert not clash(box, ((cage.whole,), full))
        elif len(cage.names) > 1:
            assert not clash(box, (cage.names[:1], full))
            assert clash(box, (cage.names, full))
            assert clash(box, (cage.names[1:2], full))
            assert clash(box, (cage.names[len(cage.names) // 2 :][:1], full))
            assert clash(box, (cage.names[:1], full), (cage.names[-1:], cage.of.lane))


# -- against lanes counted one by one ----------------------------------------------------------------------------------


class Lane(NamedTuple):
    cage: int
    number: int


class Counted:
    """Lanes counted one by one, from what the profile says and how each system names ports: no code of the rule."""

    def __init__(self, platform: str, nos: str) -> None:
        path = Path(data_path("profiles", "platforms", f"{platform}.yaml"))
        reported = yaml.load(path.read_text("utf-8"), Loader=yaml.CSafeLoader)
        self.cages: list[dict[str, Any]] = []
        for row in reported["cages"]["value"]:
            self.cages += [row] * row["count"]
        names = list(node_set(reported["nos"][nos]["ports"]))
        marks = {"spectrum": "s", "junos": ":", "nxos": "/", "srlinux": "/"}
        mark = marks.get(
            nos
        )  # between a split cage and the number of its part, the first of which is 0; behind / it is 1
        own = 1 if mark == "/" else 0  # of a front port's own name: Ethernet1/1
        fronts = [n for n in names if mark is None or n.removeprefix("swp").count(mark) == own]
        self.first: dict[str, Lane] = {}
        self.parts: dict[str, tuple[int, int]] = {}
        self.split = mark is not None
        if mark is not None or len(fronts) == len(self.cages):
            self.first = {name: Lane(n, 0) for n, name in enumerate(fronts)}
        else:
            every = [Lane(n, at) for n, cage in enumerate(self.cages) for at in range(cage["lanes"])]
            self.first = dict(zip(fronts, every, strict=True))
        for name in set(names) - set(fronts):
            front, _, part = name.rpartition(mark or "")
            self.parts[name] = (self.first[front].cage, int(part) - own)
        self.names = names

    def takes(self, cage: int, speed: int) -> int:
        row = self.cages[cage]
        known = {parse_rate(k): v for k, v in row.get("fewest", {}).items()}
        if speed in known:
            return int(known[speed])
        for count in (1, 2, 4, 8):
            if count * parse_rate(row["lane"]) >= speed or count >= row["lanes"]:
                return min(count, int(row["lanes"]))
        raise AssertionError

    def fits(self, ports: dict[str, int | None]) -> bool:
        """Whether each port has its lanes to itself."""
        holders: dict[Lane, str] = {}
        split: dict[int, dict[int, int]] = {}
        for name, speed in ports.items():
            if name in self.parts:
                cage, part = self.parts[name]
                split.setdefault(cage, {})[part] = 1 if speed is None else self.takes(cage, speed)
                continue
            cage, at = self.first[name]
            count = 1 if speed is None else self.takes(cage, speed)
            if self.split:
                count = self.cages[cage]["lanes"]
            if at % count:
                return False
            for lane in range(at, at + count):
                if lane >= self.cages[cage]["lanes"] or Lane(cage, lane) in holders:
                    return False
                holders[Lane(cage, lane)] = name
        for cage, parts in split.items():
            if any(lane.cage == cage for lane in holders):
                return False
            ways = [w for w in (2, 4, 8) if max(parts) < w <= self.cages[cage]["lanes"]]
            if not any(all(count <= self.cages[cage]["lanes"] // w for count in parts.values()) for w in ways):
                return False
        return True


COUNTED = {
    (name, nos): Counted(name, nos)
    for name in SHIPPED.names("platforms")
    for nos, box in SHIPPED.platform(name).boxes.items()
    if box.cages
}


@st.composite
def switches(draw: st.DrawFn) -> tuple[tuple[str, str], dict[str, int | None]]:
    """A platform, and some ports of a few of its cages, each at a speed that a cage carries or at none."""
    key = draw(st.sampled_from(sorted(COUNTED)))
    counted = COUNTED[key]
    start = draw(st.integers(0, len(counted.names) - 1))
    near = counted.names[start : start + 20]
    if counted.parts and draw(st.booleans()):  # wholes and parts of the same cages
        cages = {counted.parts[n][0] for n in draw(st.lists(st.sampled_from(sorted(counted.parts)), max_size=2))}
        near = [n for n in counted.names if (counted.parts.get(n) or counted.first[n])[0] in cages] or near
    of = st.sampled_from([None, *(n * G for n in (1, 10, 25, 40, 50, 100, 200, 400, 800))])
    names = draw(st.lists(st.sampled_from(near), unique=True, max_size=10))
    return key, {name: draw(of) for name in names}


@settings(max_examples=1500, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(switches())
def test_the_verdict_is_that_of_lanes_counted_one_by_one(case: tuple[tuple[str, str], dict[str, int | None]]) -> None:
    (platform, nos), ports = case
    box = SHIPPED.platform(platform).boxes[nos]
    by_speed: dict[int | None, list[str]] = {}
    for name, speed in ports.items():
        by_speed.setdefault(speed, []).append(name)
    groups = [(tuple(names), speed) for speed, names in by_speed.items()]
    stated = {name: show_rate(speed) if speed else "" for name, speed in ports.items()}
    assert clash(box, *groups) != COUNTED[platform, nos].fits(ports), (platform, nos, stated)


# -- profiles of one's own ---------------------------------------------------------------------------------------------


def test_cages_that_do_not_fit_the_ports_are_refused_with_their_place(tmp_path: Path) -> None:
    folder = tmp_path / "platforms"
    folder.mkdir()
    (folder / "ours.yaml").write_text(
        "extends: nvidia-sn4700\ncages: {value: [{count: 31, lanes: 8, lane: 50G}], mark: V, source: ours}\n", "utf-8"
    )
    with pytest.raises(ProfileError, match="256 names, which are neither the lanes of the cages nor the cages"):
        Library(str(tmp_path)).platform("ours")
