"""The buffer of each kind of port: the model's numbers, on one axis, each with where it came from."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from checkout import ROOT
from html_pages import Element, page_of, parsed
from hypothesis import given, settings
from hypothesis import strategies as st
from intents import FABRIC, POLICY
from intents import fabric as resolved

from rocecfg import load
from rocecfg.core.units import parse_size, show_size
from rocecfg.model import Ecn, Fabric
from rocecfg.report.html.buffer_svg import Axis, draw_buffer, trace_ramp
from rocecfg.report.html.buffers import Buffer, BufferMark, list_buffers


def example(name: str) -> Fabric:
    return load(str(ROOT / "examples" / name / "fabric.yaml"))


def kind(of: list[Buffer], *words: str) -> Buffer:
    """The kind of port with these words in its title or its ports."""
    (one,) = (b for b in of if all(w in " ".join((b.cls, b.title, *b.where)) for w in words))
    return one


def sizes(of: Buffer) -> dict[str, float]:
    return {mark.name: mark.size for mark in of.marks}


def test_thresholds_and_what_they_must_keep_to() -> None:
    leaf = kind(list_buffers(example("train-256")), "400G")
    got = sizes(leaf)
    assert (got["kmin"], got["kmax"]) == (400_000, 1_400_000)
    # 90% of the 158,229,504 bytes of a Spectrum-4, alpha 1, 64 + 32 lossless ports: B/2, B/97, B/192
    assert got["pool B"] == pytest.approx(142.4e6, rel=1e-3)
    assert got["alone"] == pytest.approx(71.2e6, rel=1e-3)
    assert got["all ports"] == pytest.approx(1468e3, rel=1e-3)
    assert got["one to all"] == pytest.approx(742e3, rel=1e-3)
    assert leaf.ports == 256  # four leaves with 32 cages of two ports
    assert leaf.where == ("swp[1-32]s[0-1] of leaf[01-04]",)
    assert leaf.missing == ("headroom: the switch computes it, value unknown",)


def test_headroom_is_what_the_switch_will_give(tmp_path: Path) -> None:
    fabric = resolved(tmp_path, FABRIC.replace("headroom: auto", "headroom: {size: 500KB, xon: 20KB, xoff: 480KB}"))
    got = sizes(kind(list_buffers(fabric), "400G"))
    assert (got["size"], got["xon"], got["xoff"]) == (500_000, 20_000, 480_000)


def test_headroom_of_which_only_the_size_is_known_is_not_split(tmp_path: Path) -> None:
    fabric = resolved(tmp_path, FABRIC.replace("headroom: auto", "headroom: 500KB"))
    one = kind(list_buffers(fabric), "400G")
    assert sizes(one)["headroom"] == 500_000
    assert not {"size", "xon", "xoff"} & set(sizes(one))
    assert one.missing == ("xoff and xon are unknown, only the headroom's size is known",)


def test_numbers_are_those_of_the_model() -> None:
    fabric = example("rail-1024")
    for device in fabric.devices:
        for port in device.ports:
            found = [b for b in list_buffers(fabric) if any(port.key in w for w in b.where)]
            assert found
            for one in found:
                if port.room is not None:
                    assert (sizes(one)["size"], sizes(one)["xoff"]) == (port.room.size, port.room.xoff)
                assert one.alpha is not None
                assert one.alpha[0] == port.alpha


def test_ports_of_the_same_figures_are_told_of_once() -> None:
    found = list_buffers(example("rail-1024"))
    assert len(found) == 3  # up and down ports of 16 leaves, ports of 8 spines
    assert sum(b.ports for b in found) == 16 * 96 + 8 * 64
    assert "of rail[0-7]-leaf[1-2]" in found[0].where[0]


def test_classes_with_the_same_figures_share_a_drawing(tmp_path: Path) -> None:
    more = FABRIC.replace(
        "  cnp:     {carries",
        "  bulk: {carries: [x], dscp: 30, priority: 4, lossless: true, bandwidth: 1,\n"
        "    ecn: {kmin: 700KB, kmax: 2300KB, pmax: 5%}}\n  cnp:     {carries",
        1,
    )
    one = kind(list_buffers(resolved(tmp_path, more)), "400G")
    assert one.cls == "rdma, bulk"
    assert one.ports == 64  # two leaves with 32: each port once
    (kmin,) = (m for m in one.marks if m.name == "kmin")
    assert kmin.places == 2


def test_a_lossy_class_with_ecn_has_no_headroom(tmp_path: Path) -> None:
    text = FABRIC.replace(
        "storage: {carries: [storage],", "storage: {carries: [storage], ecn: {kmin: 1MB, kmax: 2MB, pmax: 10%},"
    )
    one = kind(list_buffers(resolved(tmp_path, text)), "storage", "100G")
    assert sizes(one) == {"kmin": 1_000_000, "kmax": 2_000_000}
    assert "lossy" in one.missing[0]


def test_a_policy_of_no_known_chip_says_what_is_missing(tmp_path: Path) -> None:
    (one,) = list_buffers(resolved(tmp_path, POLICY))
    assert sizes(one) == {"kmin": 400_000, "kmax": 1_600_000}
    assert [word.partition(" ")[0] for word in one.missing] == ["headroom:", "alpha", "the"]


def test_cells_are_those_of_the_chip() -> None:
    leaf = kind(list_buffers(example("rail-1024")), "400G")
    (kmin,) = (m for m in leaf.marks if m.name == "kmin")
    assert kmin.cells == "1574.8 x 254B"  # a cell of a Tomahawk 5; 400000 / 254
    assert {m.cells for m in leaf.marks if not m.exact} == {""}


# -- the axis ----------------------------------------------------------------------------------------------------------


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(1, 10**11), min_size=1, max_size=9))
def test_a_larger_size_is_never_further_left(some: list[int]) -> None:
    axis = Axis([float(size) for size in some])
    places = [axis.x(size) for size in sorted(some)]
    assert places == sorted(places)
    assert all(262 <= x <= 822 for x in places)
    ticks = [axis.x(tick) for tick, _ in axis.ticks()]
    assert ticks == sorted(ticks)
    assert ticks[0] == 262
    assert ticks[-1] == pytest.approx(822)


def test_a_decade_is_as_wide_as_the_next() -> None:
    axis = Axis([1e3, 1e6])
    assert [round(axis.x(10**n), 1) for n in (3, 4, 5, 6)] == [262, 448.7, 635.3, 822]


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 10**8), st.integers(1, 10**8), st.floats(0.1, 100))
def test_the_ramp_rises_to_pmax_and_then_to_all(kmin: int, more: int, pmax: float) -> None:
    ecn = Ecn(kmin, kmin + more, pmax)
    points = trace_ramp(ecn, Axis([kmin, kmin + more]))
    assert points == sorted(points)
    assert points[-3][1] == pytest.approx(pmax / 100)
    assert points[-1][1] == points[-2][1] == 1.0


def test_rows_of_the_drawing_stand_where_their_sizes_are() -> None:
    one = kind(list_buffers(example("converged")), "400G to host", "Ethernet")
    drawn = draw_buffer(one)
    assert drawn is not None
    axis = Axis([m.size for m in one.marks])
    places = [(float(x), name) for x, name in _circles(parsed(drawn))]
    assert [name for _, name in places] == [m.name for m in one.marks]
    for (x, _), mark in zip(places, one.marks, strict=True):
        assert x == pytest.approx(axis.x(mark.size), abs=0.06)


def _circles(of: Element) -> list[tuple[str, str]]:
    return [
        (row.one("circle").attributes["cx"] or "", row.one("title").text.partition(",")[0])
        for row in of.all("g", "mark")
    ]


def test_nothing_known_draws_nothing(tmp_path: Path) -> None:
    (one,) = list_buffers(resolved(tmp_path, POLICY))
    assert draw_buffer(one._replace(marks=())) is None


# -- the table ---------------------------------------------------------------------------------------------------------


def test_each_figure_says_where_it_came_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "examples")
    whole = parsed(page_of("rail-1024"))
    article = next(a for a in whole.all("article", "kind") if "400G" in a.one("h4").text)
    rows = {row[0]: row[1:] for row in article.one("table").rows()[1:]}
    lines = (ROOT / "examples" / "rail-1024" / "classes.yaml").read_text().splitlines()
    line = next(n for n, text in enumerate(lines, 1) if "kmin: 400KB" in text)
    assert rows["kmin"] == ["ECN starts to mark", "400KB", "1574.8 x 254B", f"rail-1024/classes.yaml:{line}"]
    assert rows["pmax"][1] == "20%"
    assert re.match(r"computed: row 400G, 30 m of the headroom table", rows["xoff"][3])
    assert rows["alone"][3].startswith("computed: alpha B/(1 + alpha), alpha 1, B ")
    assert all(row[-1] for row in rows.values())
    assert rows["xon"][1] == "0B"  # this chip's tables have an offset instead; 0 has no place on the axis
    assert "xon" not in {name for _, name in _circles(article)}


def test_sizes_in_the_table_are_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "examples")
    whole = parsed(page_of("train-256"))
    fabric = example("train-256")
    pool = fabric.devices[0].pools.lossless
    assert pool is not None
    (row, *_) = (r for t in whole.all("table") for r in t.rows() if r[0] == "pool B")
    assert parse_size(row[2]) == pool
    assert row[2] == show_size(pool)


def test_a_mark_of_unknown_cell_has_no_cells() -> None:
    mark = BufferMark("kmin", "", 1000, exact=True, lane="egress", origin=example("policy").at("name"))
    assert mark.cells == ""
