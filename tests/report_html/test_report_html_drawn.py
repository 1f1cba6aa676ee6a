"""What is drawn of a fabric: every cable counted once, boxes that stand apart, and labels that cover nothing."""

from __future__ import annotations

from itertools import combinations, product
from pathlib import Path

import pytest
from checkout import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st
from intents import FABRIC, POLICY
from intents import fabric as resolved

from rocecfg import load
from rocecfg.core.nodeset import node_set
from rocecfg.report.html.drawn import WIDE as ROOM
from rocecfg.report.html.drawn import Drawn, DrawnBox, DrawnBundle, lay_out_fabric
from rocecfg.report.html.fabric_svg import WIDE, clip_text, draw_fabric, place_boxes, place_lines
from rocecfg.report.html.words import format_rate, format_speeds, shorten_names

HIGH = 46  # px of a box


def bundles(found: Drawn) -> dict[tuple[str, str], tuple[int, int | None]]:
    """Cables and bit/s by the titles of both boxes."""
    return {(found.boxes[b.a].title, found.boxes[b.b].title): (b.cables, b.rate) for b in found.bundles}


def example(name: str) -> Drawn:
    found = lay_out_fabric(load(str(ROOT / "examples" / name / "fabric.yaml")))
    assert found is not None
    return found


def test_a_small_fabric_is_drawn_switch_by_switch() -> None:
    found = example("train-256")
    assert found.each
    got = bundles(found)
    leaves, spines = [f"leaf0{n}" for n in range(1, 5)], ["spine01", "spine02"]
    # 16 x 800G from each leaf to each spine; two 400G ports of each of 32 hosts on each leaf
    assert got == dict.fromkeys(product(leaves, spines), (16, 12_800_000_000_000)) | {
        ("gpu[01-32]", leaf): (64, 25_600_000_000_000) for leaf in leaves
    }


def test_switches_that_are_alike_share_a_box_where_there_are_many() -> None:
    found = example("rail-1024")
    assert not found.each
    assert found.by == "equal settings and the same neighbours"
    # 8 rails: leaf 1 of each has hosts 1 to 64, leaf 2 the others; four cables from each leaf to each of 8 spines
    assert bundles(found) == {
        ("rail[0-7]-leaf1", "spine[1-8]"): (256, 204_800_000_000_000),
        ("rail[0-7]-leaf2", "spine[1-8]"): (256, 204_800_000_000_000),
        ("gpu[001-064]", "rail[0-7]-leaf1"): (512, 204_800_000_000_000),
        ("gpu[065-128]", "rail[0-7]-leaf2"): (512, 204_800_000_000_000),
    }


def test_hosts_are_told_apart_by_name_where_there_is_room() -> None:
    titles = {box.title for box in example("converged").boxes if box.tier == 0}
    assert titles == {"gpu[01-12]", "oob[01-02]", "storage[01-08]", "storage[09-16]", "k8s[01-06]", "k8s[07-12]"}


def test_a_cable_that_both_ends_tell_of_counts_once(tmp_path: Path) -> None:
    again = '  - {a: "spine01:Ethernet[1-8]/1", b: "leaf01:Ethernet[256-312/8]"}\nhosts:\n'
    found = lay_out_fabric(resolved(tmp_path, FABRIC.replace("hosts:\n", again)))
    assert found is not None
    assert bundles(found)["leaf01", "spine01"] == (8, 6_400_000_000_000)


def test_without_links_the_switches_are_drawn(tmp_path: Path) -> None:
    found = lay_out_fabric(resolved(tmp_path, FABRIC.partition("links:")[0]))
    assert found is not None
    assert found.bundles == ()
    assert [(box.title, box.tier) for box in found.boxes] == [
        ("leaf01", 1),
        ("leaf02", 1),
        ("spine01", 2),
        ("spine02", 2),
    ]


def test_a_policy_draws_nothing(tmp_path: Path) -> None:
    assert lay_out_fabric(resolved(tmp_path, POLICY)) is None


PODS = (
    FABRIC.partition("devices:")[0]
    + """\
devices:
  "p[01-20]-leaf[01-32]":
    role: leaf
    ports: {"Ethernet[0-120/8]": {speed: 800G, faces: switch, cable: 30m}}
  "p[01-20]-spine[01-16]":
    role: spine
    pfc: {watchdog: {detection_time: 400ms, restoration_time: 800ms}}
    ports: {"Ethernet[0-504/8]": {speed: 800G, faces: switch, cable: 30m}}
  "core[01-40]":
    role: superspine
    pfc: {watchdog: {detection_time: 600ms, restoration_time: 1200ms}}
    ports: {"Ethernet[0-504/8]": {speed: 800G, faces: switch, cable: 30m}}
links:
"""
    + "".join(
        f'  - {{a: "p{pod:02}-leaf[01-32]:Ethernet{8 * s}", b: "p{pod:02}-spine{s + 1:02}:Ethernet[0-248/8]"}}\n'
        for pod in range(1, 21)
        for s in range(16)
    )
)


def test_a_thousand_switches_are_a_few_boxes(tmp_path: Path) -> None:
    found = lay_out_fabric(resolved(tmp_path, PODS))
    assert found is not None
    assert {(b.title, len(b.names)) for b in found.boxes} == {
        ("p[01-20]-leaf[01-32]", 640),
        ("p[01-20]-spine[01-16]", 320),
        ("core[01-40]", 40),
    }
    assert bundles(found) == {("p[01-20]-leaf[01-32]", "p[01-20]-spine[01-16]"): (10_240, 8_192_000_000_000_000)}
    assert len(draw_fabric(found, "x")) < 10_000


# -- where things stand ------------------------------------------------------------------------------------------------


@st.composite
def fabrics(draw_: st.DrawFn) -> Drawn:
    """Boxes in up to four tiers, with bundles between any of them."""
    counts = draw_(st.lists(st.integers(1, ROOM.row), min_size=1, max_size=4))
    boxes = tuple(
        DrawnBox((f"t{tier}n{n}",), f"t{tier}n{n}" * draw_(st.integers(1, 4)), tier, "leaf", "chip")
        for tier, count in enumerate(counts)
        for n in range(count)
    )
    pair = st.tuples(st.integers(0, len(boxes) - 1), st.integers(0, len(boxes) - 1)).map(sorted)
    pairs = draw_(st.lists(pair, max_size=30, unique_by=tuple))
    speed = st.sampled_from([None, 100_000_000_000, 400_000_000_000])
    return Drawn(
        boxes, tuple(DrawnBundle(a, b, n, ((draw_(speed), n),)) for n, (a, b) in enumerate(pairs, 1)), each=True, by=""
    )


def overlap(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


@settings(max_examples=50, deadline=None)
@given(fabrics())
def test_boxes_and_labels_never_cover_each_other(of: Drawn) -> None:
    at = place_boxes(of)
    boxes = [(s.x, s.y, s.x + s.wide, s.y + HIGH) for s in at.values()]
    assert len(boxes) == len(of.boxes)
    assert all(x >= 0 and to <= WIDE.wide + 0.01 for x, _, to, _ in boxes)
    labels = []
    for line in place_lines(of, at):
        if line.label is not None:
            half = len(line.bundle.cables_in_words) * 3.0
            x, y = line.label
            labels.append((x - half, y - 8, x + half, y + 6))
    placed = boxes + labels
    assert not any(overlap(a, b) for a, b in combinations(placed, 2))


@settings(max_examples=50, deadline=None)
@given(fabrics())
def test_lines_end_at_their_boxes(of: Drawn) -> None:
    at = place_boxes(of)
    for line in place_lines(of, at):
        for (x, y), box in ((line.start, line.bundle.a), (line.end, line.bundle.b)):
            spot = at[box]
            assert spot.x <= x <= spot.x + spot.wide
            assert y in (spot.y, spot.y + HIGH)


@settings(max_examples=50, deadline=None)
@given(fabrics())
def test_every_bundle_is_drawn_and_told(of: Drawn) -> None:
    text = draw_fabric(of, "x")
    assert text.count("<path class=") == len(of.bundles)
    assert text.count("<g class=") == len(of.boxes)


# -- words -------------------------------------------------------------------------------------------------------------


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 9), st.integers(1, 12), st.integers(1, 5))
def test_short_names_stand_for_the_same_names(pods: int, leaves: int, hosts: int) -> None:
    names = [f"p{p}-l{q:02}-h{r}" for p in range(pods) for q in range(leaves) for r in range(hosts)]
    text = shorten_names(names)
    assert list(node_set(text).names) == names
    assert text.count(",") == 0


def test_a_node_set_beyond_measure_ends_in_an_ellipsis() -> None:
    text = shorten_names([f"{chr(97 + n % 26)}x{n * n}" for n in range(200)])
    assert len(text) == 160
    assert text.endswith("…")


@pytest.mark.parametrize(
    ("text", "wide", "seen"),
    [("leaf01", 100, "leaf01"), ("rail0-leaf1", 40, "ra…f1"), ("ab", 1, "ab"), ("abcdef", 1, "a…f")],
)
def test_clipped_names_keep_both_ends(text: str, wide: float, seen: str) -> None:
    assert clip_text(text, wide) == seen


def test_rates_have_their_unit() -> None:
    assert format_rate(25.6e12) == "25.6 Tbit/s"
    assert format_rate(16.384e15) == "16.38 Pbit/s"
    assert format_rate(400e9) == "400 Gbit/s"
    assert format_speeds([(400_000_000_000, 1200), (None, 2)]) == "1,200 x 400G + 2 x unknown speed"
