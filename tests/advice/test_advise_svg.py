"""The drawings of `rocecfg advise --svg`."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from advice_cases import AS_PUBLISHED, PAPER, SWITCH, advised
from intents import rocecfg, write

SVG = "{http://www.w3.org/2000/svg}"


def panel(root: ET.Element, name: str) -> ET.Element:
    return next(g for g in root.iter(f"{SVG}g") if g.get("class") == name)


def heights(of: ET.Element) -> list[tuple[float, float]]:
    """Bytes and height of the axis' ticks."""
    return [
        (float(t.get("data-bytes", "")), float(t.get("data-y", "")))
        for t in of.iter(f"{SVG}text")
        if t.get("class") == "tick"
    ]


def between(ticks: list[tuple[float, float]], size: float) -> float:
    """Where a size lies on a linear axis with these ticks."""
    (low, low_y), (high, high_y) = ticks[0], ticks[-1]
    return low_y + (high_y - low_y) * (size - low) / (high - low)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> tuple[ET.Element, dict[str, float], bytes]:
    folder = tmp_path_factory.mktemp("svg")
    swings = SWITCH.replace("ecn: auto", "ecn: {kmin: 737280B, kmax: 1462272B, pmax: 3%}")
    kind = advised(folder, swings, "--incast", "48", "--svg", "out")["kinds"][0]
    assert sorted(file.name for file in (folder / "out").iterdir()) == ["two-01.svg", "two-02.svg"]
    data = (folder / "out" / "two-01.svg").read_bytes()
    reported = kind["settings"]
    expected = {
        "now kmin": reported["kmin_bytes"]["now"],
        "now kmax": reported["kmax_bytes"]["now"],
        "advised kmin": reported["kmin_bytes"]["advised"],
        "advised kmax": reported["kmax_bytes"]["advised"],
    }
    assert expected["now kmin"] != expected["advised kmin"]
    return ET.fromstring(data), expected, data  # noqa: S314 - our own


def test_thresholds_lie_where_the_axis_has_them(drawn: tuple[ET.Element, dict[str, float], bytes]) -> None:
    root, expected, _ = drawn
    for name, size in expected.items():
        side, _, word = name.partition(" ")
        part = panel(root, side)
        line = next(x for x in part.iter(f"{SVG}line") if x.get("data-name") == word)
        assert float(line.get("data-bytes", "")) == pytest.approx(size, rel=1e-5)
        assert line.get("y1") == line.get("y2")
        assert float(line.get("y1", "")) == pytest.approx(between(heights(part), size), abs=0.05)


def test_mean_and_deviation_are_drawn_to_scale(tmp_path: Path) -> None:
    (kind,) = advised(tmp_path, PAPER, "--incast", "10", "--svg", "out", *AS_PUBLISHED)["kinds"]
    root = ET.parse(tmp_path / "out" / "lab-01.svg").getroot()  # noqa: S314
    own = panel(root, "kept")
    now = kind["prediction"]["now"]
    mean, sd = now["queue_mean_bytes"], now["queue_sd_bytes"]
    band = next(rect for rect in own.iter(f"{SVG}rect") if rect.get("class") == "band")
    top = float(band.get("y", ""))
    assert top == pytest.approx(between(heights(own), mean + sd), abs=0.1)
    assert top + float(band.get("height", "")) == pytest.approx(between(heights(own), max(mean - sd, 0)), abs=0.1)
    line = next(x for x in own.iter(f"{SVG}line") if x.get("class") == "mean")
    assert float(line.get("y1", "")) == pytest.approx(between(heights(own), mean), abs=0.1)
    course = next(own.iter(f"{SVG}polyline"))  # what was simulated is drawn, too
    points = [tuple(map(float, pair.split(","))) for pair in (course.get("points") or "").split()]
    assert [x for x, _ in points] == sorted(x for x, _ in points)
    assert len(points) > 400


def test_one_pane_is_drawn_where_nothing_changes_and_two_where_the_curve_does(
    drawn: tuple[ET.Element, dict[str, float], bytes], tmp_path: Path
) -> None:
    def panes(root: ET.Element) -> list[str | None]:
        return [g.get("class") for g in root.iter(f"{SVG}g")]

    assert panes(drawn[0]) == ["now", "advised"]
    advised(tmp_path, SWITCH, "--svg", "out")
    root = ET.parse(tmp_path / "out" / "two-01.svg").getroot()  # noqa: S314
    assert panes(root) == ["kept"]
    assert float(root.get("height", "")) < 400
    assert any((text.text or "").startswith("PFC pause 81.") for text in root.iter(f"{SVG}text"))  # far above the axis


def test_axes_have_units_and_words_stand_for_the_drawing(drawn: tuple[ET.Element, dict[str, float], bytes]) -> None:
    root = drawn[0]
    words = [text.text or "" for text in root.iter(f"{SVG}text")]
    assert words.count("time, ms") == 2
    assert words.count("queue") == 2
    assert any(word.startswith("now: ") for word in words)
    assert "1MB" in words
    assert "0B" in words
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert desc is not None
    assert "48 senders to one 400G port" in (title.text or "")
    assert "Left out: one bottleneck" in (desc.text or "")


def test_it_needs_nothing_from_elsewhere_and_suits_light_and_dark(
    drawn: tuple[ET.Element, dict[str, float], bytes],
) -> None:
    text = drawn[2].decode("ascii")
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    for word in ("<script", "href", "url(", "@import", "<image", "<foreignObject"):
        assert word not in text
    assert "prefers-color-scheme: dark" in text
    assert "currentColor" in text


def test_the_same_intent_gives_the_same_drawing(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": PAPER.replace("name: lab", "name: a-b")})
    for folder, seed in (("one", "1"), ("two", "2")):
        done = rocecfg(tmp_path, "advise", "--incast", "17", "--svg", folder, expect=0, PYTHONHASHSEED=seed)
        assert done.stderr == f"1 drawing written to {folder}\n"
    assert (tmp_path / "one" / "a-b-01.svg").read_bytes() == (tmp_path / "two" / "a-b-01.svg").read_bytes()


def test_what_is_not_predicted_is_not_drawn(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": PAPER})
    done = rocecfg(tmp_path, "advise", "--svg", "out", expect=0)
    assert "kind 1 of lab not drawn: no incast is stated" in done.stderr
    assert list((tmp_path / "out").iterdir()) == []
