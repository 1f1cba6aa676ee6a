"""Figures on the page: one unit an axis, equal kinds once, and a ratio above 1:1 in a colour of its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from checkout import ROOT
from html_pages import page, page_of, parsed
from intents import FABRIC
from intents import fabric as resolved

from rocecfg import load
from rocecfg.report.html.buffers import list_buffers

pytestmark = pytest.mark.usefixtures("kept_simulations")

EXAMPLES = ("train-256", "rail-1024", "rail-512", "converged", "auto", "policy")


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_axis_has_one_unit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "examples")
    drawings = list(parsed(page_of(name)).all("svg", "buffer"))
    assert drawings
    for svg in drawings:
        unit = svg.one("text", "unit").text
        assert unit in ("B", "KB (1000 B)", "MB (1000000 B)")
        for text in (*svg.all("text", "tick"), *svg.all("text", "value")):
            assert re.fullmatch(r"[\d,]+(\.\d+)?", text.text), text.text  # a number, in the unit of the axis


def test_ticks_and_values_are_in_the_unit_of_the_axis(tmp_path: Path) -> None:
    whole = page(
        tmp_path, {"fabric.yaml": FABRIC.replace("headroom: auto", "headroom: {size: 512KiB, xon: 20KB, xoff: 480KB}")}
    )
    svg = next(s for s in whole.all("svg", "buffer") if "kmin 700" in (s.attributes["aria-label"] or ""))
    values = {g.one("title").text.partition(",")[0]: g.one("text", "value").text for g in svg.all("g", "mark")}
    assert svg.one("text", "unit").text.startswith("KB")
    assert (values["kmin"], values["xon"], values["xoff"]) == ("700", "20", "480")
    assert values["size"] == "524.3"  # 524288 B
    assert [t.text for t in svg.all("text", "tick")][:2] == ["10", "100"]


def test_kinds_of_port_with_the_same_figures_are_drawn_once() -> None:
    found = list_buffers(load(str(ROOT / "examples" / "converged" / "fabric.yaml")))
    drawn = [(b.ecn, [(m.name, m.size) for m in b.marks], b.alpha and b.alpha[0], b.missing, b.chip) for b in found]
    assert all(drawn.count(one) == 1 for one in drawn)
    spectrum = next(b for b in found if "swp[1-12]" in " ".join(b.where))
    assert spectrum.title == "400G to host, 5 m cable; 400G to switch, 30 m cable, NVIDIA Spectrum-3"
    assert spectrum.ports == 24 + 32


def test_kinds_with_other_headroom_are_drawn_apart(tmp_path: Path) -> None:
    found = list_buffers(resolved(tmp_path, FABRIC))
    sonic = [b for b in found if "leaf" in " ".join(b.where)]
    assert len(sonic) == 2  # 3 m and 30 m: another xoff


def ratios(whole: object) -> dict[str, list[str]]:
    cells = [c for c in whole.all("td") if re.fullmatch(r"[\d.]+:1(, as intended)?", c.text)]  # type: ignore[attr-defined]
    return {c.text.partition(",")[0]: c.classes for c in cells}


def test_eight_to_one_has_its_colour(tmp_path: Path) -> None:
    links = (
        "links:\n"
        '  - {a: "leaf[01-02]:Ethernet256", b: "spine01:Ethernet[1-2]/1"}\n'
        '  - {a: "leaf[01-02]:Ethernet320", b: "spine02:Ethernet[1-2]/1"}\n'
        '  - {a: "gpu[01-32]:nic0", b: "leaf01:Ethernet[0-248/8]"}\n'
        '  - {a: "gpu[01-32]:nic1", b: "leaf02:Ethernet[0-248/8]"}\n'
    )
    text = FABRIC.partition("links:")[0] + links
    got = ratios(page(tmp_path, {"fabric.yaml": text}))
    assert got["8:1"] == ["oversub"]  # 32 x 400G from hosts, 2 x 800G up


def test_a_ratio_that_is_no_oversubscription_has_none(tmp_path: Path) -> None:
    got = ratios(page(tmp_path, {"fabric.yaml": FABRIC}))
    assert got["1:1"] == []


def test_a_ratio_that_the_intent_means_is_no_alarm(tmp_path: Path) -> None:
    text = FABRIC.replace("  kind: backend\n", "  kind: backend\n  oversubscription: 3:1\n").replace(
        '  - {a: "leaf01:Ethernet[320-376/8]", b: "spine02:Ethernet[1-8]/1"}\n', ""
    )
    got = ratios(page(tmp_path, {"fabric.yaml": text}))
    assert got["2:1"] == ["oversub", "meant"]
