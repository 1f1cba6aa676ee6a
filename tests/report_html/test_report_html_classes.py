"""The DSCP grid, the chain of each class and the shares: the model's, and readable on both grounds."""

from __future__ import annotations

from pathlib import Path

import pytest
from checkout import ROOT
from html_pages import page, page_of, parsed
from intents import FABRIC, POLICY, write
from intents import fabric as resolved

from rocecfg import load
from rocecfg.report.html.palette import COLOURS, DARK, LIGHT
from rocecfg.report.html.qos import list_treatments


def test_the_grid_has_each_code_point_once_and_in_its_place() -> None:
    (one,) = list_treatments(load(str(ROOT / "examples" / "converged" / "fabric.yaml")))
    cells = [cell for row in one.grid for cell in row]
    assert [cell.dscp for cell in cells] == list(range(64))
    assert [len(row) for row in one.grid] == [8] * 8
    # classes.yaml: af11 10, af21 18, af22 20, cs2 16
    claimed = {cell.dscp: (cell.cls, cell.tc, cell.lossless) for cell in cells if cell.cls != "default"}
    assert claimed == {
        10: ("kubernetes", "1", False),
        16: ("management", "4", False),
        18: ("storage", "2", False),
        20: ("storage", "2", False),
        26: ("rdma", "3", True),
        48: ("cnp", "6", False),
        56: ("control", "7", False),
    }
    assert {cell.colour for cell in cells if cell.cls == "default"} == {"rest"}
    assert cells[26].stated == "DSCP 26 (AF31): rdma, lossless, to traffic class 3"


def test_the_chain_and_the_shares_of_each_class() -> None:
    (one,) = list_treatments(load(str(ROOT / "examples" / "converged" / "fabric.yaml")))
    rdma = next(c for c in one.chains if c.cls == "rdma")
    assert (rdma.dscps, rdma.tc, rdma.queue, rdma.pg, rdma.priority) == ("26", 3, "3", "3", "3")
    assert rdma.pfc == "pauses queue 3"
    assert {c.pfc for c in one.chains if c.cls != "rdma"} == {"off"}
    assert [(s.label, s.percent) for s in one.shares] == [
        ("queue 7: control, strict", 0),
        ("queue 6: cnp, strict", 0),
        ("queue 4: management, 5%", 5),
        ("queue 3: rdma, 50%", 50),
        ("queue 2: storage, 20%", 20),
        ("queue 1: kubernetes, 10%", 10),
        ("queue 0: default, 15%", 15),
    ]


@pytest.mark.parametrize("intent", [POLICY, POLICY.replace("bandwidth: 60", "bandwidth: 12.5")])
def test_the_schedulers_bars_are_as_wide_as_the_shares(intent: str, tmp_path: Path) -> None:
    (one,) = list_treatments(resolved(tmp_path, intent))
    shares = page(tmp_path, {"fabric.yaml": intent}, str(tmp_path / "fabric.yaml")).one("div", "shares")
    bars = {row.one("span", "label").text: row.one("span", "share") for row in shares.all("li")}
    assert list(bars) == [share.label for share in one.shares if not share.strict]
    styles = [bar.attributes["style"] or "" for bar in bars.values()]
    assert all(style.startswith("width: ") and style.endswith("%") for style in styles), styles
    widths = [float(style.removeprefix("width: ").removesuffix("%")) for style in styles]
    assert widths == [share.percent for share in one.shares if not share.strict]
    assert 0 < sum(widths) <= 100
    assert len({bar.parent.tag if bar.parent else "" for bar in bars.values()}) == 1


def test_a_strict_queue_is_drawn_as_no_share(tmp_path: Path) -> None:
    shares = page(tmp_path, {"fabric.yaml": POLICY}, str(tmp_path / "fabric.yaml")).one("div", "shares")
    strict = list(shares.all("span", "strict"))
    assert [one.text for one in strict] == ["queue 7: control, strict", "queue 6: cnp, strict"]
    assert all("style" not in one.attributes and not list(one.all("span")) for one in strict)
    assert "Served first, without a share:" in shares.one("p").text
    assert all(not row.text.endswith("strict") for row in shares.all("li"))


def test_switches_that_treat_classes_otherwise_are_told_apart(tmp_path: Path) -> None:
    text = FABRIC.replace("      rdma: {ecn:", "      storage: {priority: 1}\n      rdma: {ecn:")
    found = list_treatments(resolved(tmp_path, text))
    assert [one.where for one in found] == ["leaf[01-02]", "spine[01-02]"]
    tcs = [next(c.tc for c in one.chains if c.cls == "storage") for one in found]
    assert tcs == [2, 1]


def test_code_points_of_no_class_are_said(tmp_path: Path) -> None:
    text = POLICY.replace("dscp: rest", 'dscp: "0-7"')
    grid = page(tmp_path, {"fabric.yaml": text}, str(tmp_path / "fabric.yaml")).one("table", "dscp")
    assert "53 code points belong to no class" in grid.one("caption").text  # 64 - 8 - 3
    cells = list(grid.all("td"))
    assert cells[9].text == "9 TC ? no class"
    assert cells[9].attributes["title"] == "DSCP 9: claimed by no class, to by the chip's default"
    assert cells[7].text == "7 TC 0 default"


def test_a_code_point_that_two_classes_claim_names_both(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY.replace("dscp: 48", "dscp: [26, 48]")})
    whole = parsed(page_of(str(tmp_path / "fabric.yaml")))
    cells = [td for td in whole.one("table", "dscp").all("td") if td.one("b").text == "26"]
    assert cells[0].one("span").text == "rdma + cnp"


# -- colours -----------------------------------------------------------------------------------------------------------


def luminance(colour: str) -> float:
    """WCAG 2.2, relative luminance."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_measured_as_it_should_be() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_every_text_can_be_read_on_what_is_behind_it(colours: dict[str, str]) -> None:
    behind = ["ground", "raised", "mark", "rest", "host", "tier1", "tier2", "tier3"]
    behind += [f"c{n}" for n in range(COLOURS)]
    for name in behind:
        assert contrast(colours["text"], colours[name]) >= 4.5, name
    for name in ("quiet", "link", "error", "warning", "info", "good", "oversub", "egress", "ingress", "limit"):
        for ground in ("ground", "raised"):
            assert contrast(colours[name], colours[ground]) >= 4.5, (name, ground)
    for name in ("host", "tier1", "tier2", "tier3", "raised"):
        assert contrast(colours["quiet"], colours[name]) >= 4.5, name


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_lines_stand_out_from_the_ground(colours: dict[str, str]) -> None:
    for name in ("egress", "ingress", "limit", "error", "quiet"):
        assert contrast(colours[name], colours["ground"]) >= 3


def test_both_schemes_have_the_same_colours() -> None:
    assert list(LIGHT) == list(DARK)
    assert len({LIGHT[f"c{n}"] for n in range(COLOURS)}) == COLOURS
