"""What each kind of port has: PFC, watchdog, trust, MTU, whether its headroom is enough, and the NICs at it."""

from __future__ import annotations

from pathlib import Path

import pytest
from checkout import ROOT
from html_pages import Element, page, page_of, parsed
from intents import FABRIC, fabric, rocecfg, rules, write

from rocecfg import load
from rocecfg.report.html.ports import KindOfPort, list_port_kinds

NICS = FABRIC.replace("    trust: dscp\n", "    trust: dscp\n    ecn: on\n    mtu: 9000\n    storm_prevention: true\n")
BARE = FABRIC.partition("hosts:")[0]  # of hosts nothing is said
SMALL = FABRIC.replace("headroom: auto", "headroom: {size: 30KB, xon: 10KB, xoff: 20KB}")


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def seen(folder: Path, text: str, word: str) -> KindOfPort:
    """The kind of ports with this word in its title."""
    (one,) = (kind for kind in list_port_kinds(fabric(folder, text), ()) if word in kind.title)
    return one


def test_a_kind_of_port_says_watchdog_trust_and_mtu(tmp_path: Path) -> None:
    one = seen(tmp_path, FABRIC, "400G to host")
    assert one.pfc.text == "priority 3"
    assert one.watchdog.text == "acts after 200ms, restores after 400ms, polls each 100ms; drop"
    assert one.trust.text == "dscp"
    assert one.mtu.text == "9000 B"
    assert (one.ports, one.where) == (64, ("Ethernet[0-248/8] of leaf[01-02]",))


def test_a_watchdog_that_restores_by_its_polls_is_told_so_as_meant_and_as_running(tmp_path: Path) -> None:
    """NVUE has no restoration time: 400 ms that an intent states for all its switches are none there."""
    text = FABRIC.replace("    role: leaf\n", "    role: leaf\n    vendor: spectrum\n")
    one = seen(tmp_path, text, "400G to host")
    words = "acts after 200ms, restores after one poll without pauses (100ms), polls each 100ms; drop"
    assert one.watchdog.text == words
    running = """\
- header: {model: SN5600, version: Cumulus Linux 5.14.0}
- set:
    interface: {swp1: {qos: {pfc-watchdog: {state: enable}}}}
    qos: {pfc-watchdog: {polling-interval: 100, robustness: 2}, roce: {enable: on, mode: lossless}}
"""
    write(tmp_path, {"leaf01.yaml": running})
    assert words in report_of(tmp_path, "leaf01.yaml")


def report_of(folder: Path, name: str) -> str:
    """The page of a configuration."""
    rocecfg(folder, "report", name, "-o", "page.html", expect=0)
    return (folder / "page.html").read_text(encoding="utf-8")


def test_ports_that_differ_in_nothing_are_told_of_once(tmp_path: Path) -> None:
    split = FABRIC.replace(
        '"Ethernet[0-248/8]":   {speed: 400G, faces: host, cable: 3m}',
        '"Ethernet[0-120/8]": {speed: 400G, faces: host, cable: 3m}\n'
        '      "Ethernet[128-248/8]": {speed: 400G, faces: host, cable: 3m}',
    )
    assert seen(tmp_path, split, "400G to host").ports == 64
    assert len(list_port_kinds(load(str(ROOT / "examples" / "rail-1024" / "fabric.yaml")), ())) == 3


def test_lossy_ports_need_neither_watchdog_nor_headroom(tmp_path: Path) -> None:
    one = seen(tmp_path, FABRIC, "100G to storage")
    assert (one.pfc.text, one.watchdog.text, one.headroom.text) == ("off", "not needed", "not needed")
    assert {cell.level for cell in (one.pfc, one.watchdog, one.headroom)} == {""}


def test_a_lossless_port_without_watchdog_stands_out(tmp_path: Path) -> None:
    text = FABRIC.replace(
        "  watchdog: {detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}\n", ""
    )
    assert seen(tmp_path, text, "400G to host").watchdog == ("none", "error")


@pytest.mark.parametrize("xoff", ["20KB", "60KB", "90KB", "400KB"])
def test_headroom_is_judged_as_lint_judges_it(xoff: str, tmp_path: Path) -> None:
    text = FABRIC.replace("headroom: auto", f"headroom: {{size: 600KB, xon: 10KB, xoff: {xoff}}}")
    found = "buffer-headroom" in rules(tmp_path, text)
    levels = {kind.headroom.level for kind in list_port_kinds(fabric(tmp_path, text), ())}
    assert bool(levels & {"error", "warning"}) == found


def test_a_small_headroom_says_how_much_is_needed(tmp_path: Path) -> None:
    # 800 Gbit/s, 30 m: 2 x 30 m x 5 ns/m x 100 B/ns = 30000 B, and 3840 + 84 + 2 x (4178 + 20) = 12320 B more
    (one,) = {
        k.headroom
        for k in list_port_kinds(fabric(tmp_path, SMALL), ())
        if "800G to switch" in k.title and "error" in k.headroom
    }
    assert one.text == "too small: xoff 20,000 B, and any chip needs 42,320 B"


def test_headroom_that_nobody_can_know_is_not_called_enough(tmp_path: Path) -> None:
    one = seen(tmp_path, FABRIC.replace(", cable: 3m", ""), "400G to host")
    assert "unknown" in one.headroom.text
    assert one.headroom.level == ""


def test_nics_stand_beside_the_ports_they_are_cabled_to(tmp_path: Path) -> None:
    one = seen(tmp_path, NICS, "400G to host")
    assert (
        one.nics.text
        == "gpu[01-32] (connectx-7): PFC on priority 3, trust dscp, DCQCN on, MTU 9000 B, storm prevention on"
    )
    assert one.nics.level == ""
    assert list_port_kinds(fabric(tmp_path, NICS), ())[1].nics.text == ""
    assert seen(tmp_path, BARE, "400G to host").nics.text == "not stated"


@pytest.mark.parametrize(("old", "new"), [("[3]", "[4]"), ("trust: dscp", "trust: pcp"), ("ecn: on", "ecn: off")])
def test_nics_that_do_not_fit_stand_out(old: str, new: str, tmp_path: Path) -> None:
    one = seen(tmp_path, NICS.replace(old, new), "400G to host")
    assert one.nics.level == "error"


def test_the_page_has_a_table_of_them(tmp_path: Path) -> None:
    whole = page(tmp_path, {"fabric.yaml": SMALL})
    table = whole.one("table", "ports")
    head, *rows = table.rows()
    assert head == ["ports", "PFC", "watchdog", "trust", "MTU", "headroom", "NICs"]
    assert len(rows) == 4  # to hosts, storage and switches of the leaves, to switches of the spines
    bad = [e.text for e in table.all("td", "error")]
    assert any(text.startswith("too small") for text in bad)


def test_running_switches_have_the_table_too(tmp_path: Path) -> None:
    write(tmp_path, {"in/fabric.yaml": FABRIC})
    rocecfg(tmp_path, "render", "in", "--vendor", "sonic", "-o", "run", "--no-lint", expect=0)
    whole: Element = parsed(page_of("run"))
    text = whole.one("table", "ports").text
    assert "acts after 200ms" in text
    assert "not in a switch's configuration" in text
