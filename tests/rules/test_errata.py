"""Errata of systems: what it takes for them to show, and advice that leads into none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from checkout import ROOT
from intents import judged, rocecfg, write
from loops import loop

from rocecfg.model.facts import ADAPTIVE_OFF, ERRATA_OF_CHANGES, ERRATA_UNASKED, WATCHDOG_STOPPED
from rocecfg.profiles import SHIPPED, Library
from rocecfg.source.document import SourceError

FABRIC = """rocecfg: 1
fabric: {name: lab, kind: backend, mtu: 9100}
classes:
  rdma: {carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 40, ecn: auto}
  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 60}
pfc: {watchdog: {detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}}
defaults: {vendor: sonic, asic: tomahawk6, version: "202605", speed: 400G, cable: 5m}
devices:
  leaf01: {role: leaf, ports: {"Ethernet[0-24/8]": {faces: host}}}
"""
NVME = "  nvme: {carries: [rdma, storage], dscp: 18, priority: 4, lossless: true, bandwidth: 20, ecn: auto}\n  default:"
STOPPED, SHARED = "29203", "29221"  # PFC off for all priorities of a port; one profile for all ports


def told(folder: Path, text: str) -> dict[str, str]:
    """Severity of each erratum that is told, by its number."""
    found = [f for f in judged(folder, text, errata=True)[0] if f.rule == "nos-erratum"]
    return {number: f.severity for f in found for number in re.findall(r"(?:sonic-\w+|NVIDIA) (\d+)", f.message)}


@loop(
    ("old", "new", "wanted"),
    [
        ("", "", {STOPPED: "info", SHARED: "warning"}),
        ("  default:", NVME, {STOPPED: "warning", SHARED: "warning"}),
        ("tomahawk6", "tomahawk5", {STOPPED: "info"}),
        ("tomahawk6", "tomahawk4", {STOPPED: "info"}),
        (", action: drop", "", {STOPPED: "info", SHARED: "warning"}),  # SONiC's own action is drop
        ("action: drop", "action: forward", {STOPPED: "info", SHARED: "warning"}),
        ("Ethernet[0-24/8]", "Ethernet0", {STOPPED: "info"}),  # one port shares its profile with none
        # near misses
        ("action: drop", "action: alert", {}),  # PFC stays as it is
        ("tomahawk6", "tomahawk3", {}),
        ("tomahawk6", "spectrum4", {}),
        ("vendor: sonic", "vendor: arista", {}),
        ("{watchdog: {", "{watchdog: off, x: {", {}),
        ("lossless: true", "lossless: false", {}),
    ],
)
def test_an_erratum_is_told_where_it_shows(old: str, new: str, wanted: dict[str, str], tmp_path: Path) -> None:
    assert told(tmp_path, FABRIC.replace(old, new)) == wanted


def test_a_lossless_priority_that_is_not_watched_keeps_the_counter(tmp_path: Path) -> None:
    """PFC stays on for it in each storm, so the port goes on counting; the profile that all ports share is told of."""
    two = FABRIC.replace("  default:", NVME)
    assert told(tmp_path, two.replace("action: drop", "action: drop, priorities: [3]")) == {SHARED: "warning"}


CUMULUS = (
    FABRIC.replace("vendor: sonic, asic: tomahawk6", "vendor: spectrum, platform: nvidia-sn5600")
    .replace('"202605"', '"5.14"')
    .replace("restoration_time: 400ms, ", "")
    .replace(", action: drop", "")
    .replace("Ethernet[0-24/8]", "swp[1-64]s[0-1]")
) + "telemetry: {exporter: {spectrum: cumulus-otlp}, scrape_interval: 15s}\n"
SECURED = FABRIC.replace("tomahawk6", "spectrum4").replace("faces: host", "faces: host, macsec: {pfc_frames: clear}")


DNX = FABRIC.replace("tomahawk6", "jericho2")
NEXTHOP = FABRIC.replace("asic: tomahawk6", "platform: nexthop-5010, hwsku: NH-5010-F-O64")
LD = CUMULUS.replace("nvidia-sn5600", "nvidia-sn6600-ld").replace('"5.14"', '"5.18"').replace("s[0-1]", "")
LD = LD.replace("cumulus-otlp", "gnmic-openconfig")
LINTED = [
    (CUMULUS, "", "", "4838527", True),
    (CUMULUS, "5.14", "5.15", "4838527", True),
    (CUMULUS, "cumulus-otlp", "gnmic-openconfig", "4838527", True),
    (CUMULUS, "5.14", "5.16", "4838527", False),  # fixed
    (CUMULUS, "5.14", "5.13", "4838527", False),
    (CUMULUS, "swp[1-64]s[0-1]", "swp[1-64]", "4838527", False),  # as many ports as cages
    (CUMULUS, "{watchdog: {", "{watchdog: off, x: {", "4838527", False),
    (CUMULUS, "exporter: {spectrum: cumulus-otlp}", "exporter: {arista: gnmic-openconfig}", "4838527", False),
    (SECURED, "", "", "25675", True),
    (SECURED, "lossless: true", "lossless: false", "25675", False),
    (SECURED, ", macsec: {pfc_frames: clear}", "", "25675", False),
    (SECURED, "vendor: sonic", "vendor: arista", "25675", False),
    (NEXTHOP, "", "", "27057", True),
    (NEXTHOP, ", action: drop", "", "27057", True),
    (NEXTHOP, '"202605"', '"202511"', "27057", False),  # has the setting
    (NEXTHOP, "platform: nexthop-5010, hwsku: NH-5010-F-O64", "asic: jericho3", "27057", False),  # another box with it
    (NEXTHOP, "action: drop", "action: alert", "27057", False),
    (DNX, '"202605"', '"202511"', "26248", True),
    (DNX, '"202605"', '"202511.3"', "26248", True),
    (DNX, "", "", "26248", False),
    (DNX, 'jericho2, version: "202605"', 'jericho3, version: "202511"', "26248", False),
    (DNX, '"202605"', '"202405"', "21552", True),
    (DNX, 'version: "202605", ', "", "21552", True),  # the release that is assumed
    (DNX, '"202605"', '"202505"', "21552", False),
    (DNX.replace('"202605"', '"202405"'), "Ethernet[0-24/8]", "Ethernet0", "21552", False),  # one port
    (DNX.replace('"202605"', '"202405"'), "action: drop", "action: forward", "21552", False),
    (CUMULUS, "5.14", "5.17", "5135125", True),
    (CUMULUS, "5.14", "5.18", "5135125", False),
    (CUMULUS.replace("5.14", "5.17"), "swp[1-64]s[0-1]", "swp[1-64]", "5135125", False),
    (CUMULUS.replace("5.14", "5.17"), "nvidia-sn5600", "nvidia-sn4700", "5135125", False),
    (LD, "", "", "5190122", True),
    (LD, "gnmic-openconfig", "cumulus-otlp", "5190122", False),
    (LD, "5.18", "5.19", "5190122", False),
    (LD, "nvidia-sn6600-ld", "nvidia-sn5600", "5190122", False),
]


@loop(("text", "old", "new", "number", "shows"), LINTED)
def test_each_fault_is_told_where_it_shows_and_only_there(
    text: str, old: str, new: str, number: str, shows: bool, tmp_path: Path
) -> None:
    assert old in text
    assert told(tmp_path, text.replace(old, new)).get(number) == ("warning" if shows else None)


def test_a_fault_of_an_assumed_release_says_so(tmp_path: Path) -> None:
    text = DNX.replace('version: "202605", ', "")
    (found,) = [f for f in judged(tmp_path, text, errata=True)[0] if "21552" in f.message]
    assert found.message.startswith("SONiC 202405 (assumed), ")


BALANCED = CUMULUS.partition("telemetry")[0].replace("swp[1-64]s[0-1]", "swp[1-2]")
BALANCED = BALANCED.replace('"swp[1-2]": {faces: host}', "swp1: {faces: host}, swp33: {faces: switch}")
BALANCED += "load_balancing: {mode: MODE}\n"
WATCHED = FABRIC.replace("tomahawk6", "tomahawk5").replace(
    '{role: leaf, ports: {"Ethernet[0-24/8]"', "{ports: {Ethernet0"
)


def changed(folder: Path, before: str, after: str) -> str:
    """What `plan` prints of a change from one intent to another."""
    write(folder, {"before.yaml": before, "after.yaml": after})
    return rocecfg(folder, "plan", "after.yaml", "--running-intent", "before.yaml").stdout


@loop(
    ("text", "before", "after", "release", "number", "shows"),
    [
        (BALANCED, "adaptive", "ecmp", "5.14", "NVIDIA 4423244", True),
        (BALANCED, "adaptive", "ecmp", "5.19", "NVIDIA 4423244", True),
        (BALANCED, "ecmp", "adaptive", "5.14", "NVIDIA 4423244", False),  # it is turned on
        (BALANCED, "adaptive", "ecmp", "5.8", "NVIDIA 4423244", False),
        (WATCHED, "drop", "forward", "202505", "sonic-swss 4667", True),
        (WATCHED, "drop", "forward", "202605", "sonic-swss 4667", False),
        (WATCHED, "200ms", "300ms", "202505", "sonic-swss 4667", False),  # the watchdog is not stopped
    ],
)
def test_a_change_that_shows_a_fault_says_so(
    text: str, before: str, after: str, release: str, number: str, shows: bool, tmp_path: Path
) -> None:
    text = text.replace('"5.14"', f'"{release}"').replace('"202605"', f'"{release}"').replace("MODE", before)
    assert before in text
    assert (number in changed(tmp_path, text, text.replace(before, after))) == shows


def test_what_is_rendered_names_the_fault_before_the_watchdog_is_stopped(tmp_path: Path) -> None:
    for release, shows in (("202505", True), ("202511", False)):
        write(tmp_path, {"fabric.yaml": WATCHED.replace('"202605"', f'"{release}"')})
        done = rocecfg(tmp_path, "render", "--no-lint", "fabric.yaml")
        text = done.stdout + done.stderr
        assert ("sonic-swss 4667" in text) == shows
        assert not shows or text.index("sonic-swss 4667") < text.index("stop the PFC watchdog of ")


AVOIDED = {  # the test that sees to it that what is printed avoids the fault, or the code
    "26359": "test_a_change_of_the_action_stops_the_watchdog",
    "4760": "tests/vendors/test_sonic_planner.py",
    "3362113": "vendors/spectrum/notes.py: apply the breakout before this file",
    "4449947": "tests/test_render_apply.py",
    "4616352": "tests/test_render_apply.py",
    "4891440": "test_no_command_is_printed_that_loads_the_switch",
    "5067214": "vendors/spectrum/notes.py: what differs is looked at, and nothing applied where nothing does",
}


def test_a_change_of_the_action_stops_the_watchdog(tmp_path: Path) -> None:
    lines = changed(tmp_path, WATCHED.replace("drop", "forward"), WATCHED).splitlines()
    stop, start = (next(n for n, line in enumerate(lines) if word in line) for word in ("pfcwd stop", "action drop"))
    assert stop < start


def test_no_command_is_printed_that_loads_the_switch() -> None:
    for file in (ROOT / "rocecfg" / "vendors" / "spectrum").rglob("*.py"):
        assert "qos-roce-status" not in file.read_text(encoding="utf-8"), file


def test_every_erratum_has_a_case_here() -> None:
    asked: dict[str, set[str]] = {}
    for name in SHIPPED.names("nos"):
        for erratum in SHIPPED.nos(name).errata:
            kind = erratum.when if erratum.when in (*ERRATA_OF_CHANGES, *ERRATA_UNASKED) else "lint"
            asked.setdefault(kind, set()).add(erratum.number.rpartition(" ")[2])
    hits, silent = ({number for *_, number, shows in LINTED if shows is told} for told in (True, False))
    assert asked.pop("lint") == {STOPPED, SHARED} | hits
    assert hits == silent
    assert asked.pop("what is printed avoids it") == AVOIDED.keys()
    assert asked.pop("no setting decides") == {"4581", "27606", "28840", "4783824", "4830228", "4743814"}
    assert asked == {WATCHDOG_STOPPED: {"4667"}, ADAPTIVE_OFF: {"4423244"}}


def test_no_erratum_is_told_how_to_avoid_by_what_shows_it_or_removes_protection() -> None:
    """One priority on a port shows the fault as well; no fix takes the watchdog, PFC or ECN away."""
    for name in SHIPPED.names("nos"):
        for erratum in SHIPPED.nos(name).errata:
            assert not re.search(
                r"keep one lossless priority|(?:turn|take|leave|switch)\b.*\boff\b|disable|action: alert", erratum.fix
            ), erratum


ROW = """
  - {number: A 1, when: several ports are watched, severity: info, message: m, fix: f, mark: V, source: s,
     looked: "2026-08"}
"""


@loop(
    ("system", "old", "new", "told"),
    [
        ("sonic", "", "", ""),
        ("onyx", "", "", "onyx is not a system"),
        ("sonic", 'looked: "2026-08"', "", "without looked"),
        ("sonic", "2026-08", "August", "is not a month"),
        ("sonic", "several ports are watched", "it rains", "it rains"),
        ("sonic", "mark: V", 'mark: V, since: "202605", until: "202505"', "until 202505 is before since 202605"),
        ("sonic", "mark: V", 'mark: V, since: "202505", until: "202505"', ""),  # one release
        ("sonic", "mark: V", "mark: V, on: [tomahawk55]", "tomahawk55"),
        ("sonic", "mark: V", "mark: V, boxes: [nexthop-5010]", ""),
        ("sonic", "mark: V", "mark: V, boxes: [nexthop-5011]", "nexthop-5011"),
        ("sonic", "mark: V", "mark: V, sinse: x", "sinse"),
        ("sonic", ROW, ROW + ROW, "there twice"),
    ],
)
def test_a_table_of_errata_that_is_wrong_is_an_error_with_its_place(
    system: str, old: str, new: str, told: str, tmp_path: Path
) -> None:
    folder = tmp_path / system / "errata"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{system}.yaml").write_text(f"title: T\nholds: known\nerrata:{ROW.replace(old, new) if old else ROW}")
    if told:
        with pytest.raises(SourceError, match=told):
            Library(str(folder.parent)).errata(system)
    else:
        assert [erratum.number for erratum in Library(str(folder.parent)).nos(system).errata] == ["A 1"]
