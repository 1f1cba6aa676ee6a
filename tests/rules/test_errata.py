"""Errata of systems: what it takes for them to show, and advice that leads into none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from intents import judged
from loops import loop

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
    return {number: f.severity for f in found for number in re.findall(r"sonic-buildimage (\d+)", f.message)}


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


@loop(
    ("text", "old", "new", "number"),
    [
        (CUMULUS, "", "", "NVIDIA 4838527"),
        (CUMULUS, "5.14", "5.15", "NVIDIA 4838527"),
        (CUMULUS, "cumulus-otlp", "gnmic-openconfig", "NVIDIA 4838527"),
        (CUMULUS, "5.14", "5.16", None),  # fixed
        (CUMULUS, "5.14", "5.13", None),
        (CUMULUS, "swp[1-64]s[0-1]", "swp[1-64]", None),  # as many ports as cages
        (CUMULUS, "{watchdog: {", "{watchdog: off, x: {", None),
        (CUMULUS, "exporter: {spectrum: cumulus-otlp}", "exporter: {arista: gnmic-openconfig}", None),
        (SECURED, "", "", "sonic-net/sonic-buildimage 25675"),
        (SECURED, "lossless: true", "lossless: false", None),
        (SECURED, ", macsec: {pfc_frames: clear}", "", None),
        (SECURED, "vendor: sonic", "vendor: arista", None),
    ],
)
def test_each_fault_is_told_where_it_shows_and_only_there(
    text: str, old: str, new: str, number: str | None, tmp_path: Path
) -> None:
    found = [f for f in judged(tmp_path, text.replace(old, new), errata=True)[0] if f.rule == "nos-erratum"]
    assert [f.severity for f in found] == ["warning"] * (number is not None)
    assert all(number is not None and number in f.message for f in found)


def test_every_erratum_has_a_case_here() -> None:
    numbers = {
        erratum.number.rpartition(" ")[2] for name in SHIPPED.names("nos") for erratum in SHIPPED.nos(name).errata
    }
    assert numbers == {STOPPED, SHARED, "4838527", "25675"}


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
        ("sonic", "mark: V", 'mark: V, since: "202605", until: "202505"', "is not a release"),
        ("sonic", "mark: V", 'mark: V, since: "202505", until: "202505"', ""),  # one release
        ("sonic", "mark: V", "mark: V, on: [tomahawk55]", "tomahawk55"),
        ("sonic", "mark: V", "mark: V, sinse: x", "sinse"),
        ("sonic", ROW, ROW + ROW, "there twice"),
    ],
)
def test_a_table_of_errata_that_is_wrong_is_an_error_with_its_place(
    system: str, old: str, new: str, told: str, tmp_path: Path
) -> None:
    folder = tmp_path / system / "errata"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{system}.yaml").write_text(f"title: T\nerrata:{ROW.replace(old, new) if old else ROW}")
    if told:
        with pytest.raises(SourceError, match=told):
            Library(str(folder.parent)).errata(system)
    else:
        assert [erratum.number for erratum in Library(str(folder.parent)).nos(system).errata] == ["A 1"]
