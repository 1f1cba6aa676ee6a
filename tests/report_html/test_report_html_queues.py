"""What the page says of queues under the incast: drawn to scale, in figures, or why not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from html_pages import Element, page
from intents import CURVE, POLICY

from rocecfg.core.units import parse_size

pytestmark = pytest.mark.usefixtures("kept_simulations")

SWITCH = """\
defaults: {vendor: sonic, version: {sonic: "202505"}, platform: arista-7060x6-64pe}
devices:
  leaf01: {role: leaf, ports: {"Ethernet[0-248/8]": {speed: 400G, faces: host, cable: 5m}}}
"""
FEW = POLICY.replace("{name: lab}", "{name: lab, mtu: 9000, rtt: 8us, incast: 4}").replace(
    CURVE, "{kmin: 150KB, kmax: 1500KB, pmax: 20%}"
)


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def between(svg: Element, size: float) -> float:
    """Where a size lies on the linear axis of the only pane."""
    ticks = [(float(parse_size(t.text)), float(t.attributes["y"] or "") - 4) for t in svg.all("text", "scale")]
    (low, low_y), (high, high_y) = ticks[0], ticks[-1]
    return low_y + (high_y - low_y) * (size - low) / (high - low)


def test_the_band_and_the_thresholds_lie_where_the_axis_has_them(tmp_path: Path) -> None:
    whole = page(tmp_path, {"fabric.yaml": FEW + SWITCH})
    (head, row) = next(t for t in whole.all("table") if "link used" in t.text).rows()
    reported = dict(zip(head, row, strict=True))
    assert reported["kmin / kmax / pmax"] == "150KB / 1.5MB / 20%"
    mean, sd = (parse_size(part) for part in reported["queue, mean ± sd"].split(" ± "))
    drawings = list(whole.all("svg", "queue"))
    assert [svg.classes for svg in drawings] == [["queue"], ["narrow", "queue"]]
    for svg in drawings:
        assert [t.text for t in svg.all("text", "name")] == ["as it is"]  # one pane, since nothing changes
        band = svg.one("rect", "band")
        top, high = (float(band.attributes[name] or "") for name in ("y", "height"))
        assert top == pytest.approx(between(svg, mean + sd), abs=0.3)
        assert top + high == pytest.approx(between(svg, mean - sd), abs=0.3)
        (kmin,) = svg.all("path", "kmin")
        y = re.fullmatch(r"M\d+ ([\d.]+)H\d+", kmin.attributes["d"] or "")
        assert y is not None
        assert float(y[1]) == pytest.approx(between(svg, 150_000), abs=0.1)
        wide = float((svg.attributes["viewbox"] or "").split()[2])
        assert all(0 <= float(text.attributes["x"] or "") <= wide for text in svg.all("text"))


def test_a_curve_that_is_to_be_replaced_stands_above_the_other(tmp_path: Path) -> None:
    swings = FEW.replace("150KB, kmax: 1500KB, pmax: 20%", "737280B, kmax: 1462272B, pmax: 3%")
    whole = page(tmp_path, {"fabric.yaml": swings.replace("incast: 4", "incast: 48") + SWITCH})
    svg = next(whole.all("svg", "queue"))
    assert [t.text for t in svg.all("text", "name")] == ["now", "advised"]
    assert "Another curve is advised: the queue is " in whole.text


def test_without_an_incast_nothing_is_said(tmp_path: Path) -> None:
    whole = page(tmp_path, {"fabric.yaml": FEW.replace(", incast: 4", "") + SWITCH})
    assert "queues" not in whole.one("nav").text
    assert not list(whole.all("svg", "queue"))


def test_more_curves_than_anybody_waits_for_are_named(tmp_path: Path) -> None:
    leaves = "\n".join(
        f"  leaf0{n}: {{role: leaf, classes: {{rdma: {{ecn: {{kmin: {n}00KB, kmax: 2MB, pmax: 20%}}}}}}, "
        'ports: {"Ethernet0": {speed: 400G}}}'
        for n in range(1, 10)
    )
    text = FEW + SWITCH.partition("  leaf01")[0] + leaves
    whole = page(tmp_path, {"fabric.yaml": text})
    assert "Not predicted here: 9 kinds of port differ, more than 8" in whole.text


def test_a_table_of_curves_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    files = {"fabric.yaml": FEW + SWITCH, "rocecfg-profiles/curves/tomahawk5.yaml": "title: ours\n"}
    whole = page(tmp_path, files, "fabric.yaml")
    assert "Not predicted here: rocecfg-profiles/curves/tomahawk5.yaml:1:1:" in whole.text
