"""The figures that the explanations print are what the formulas give."""

from __future__ import annotations

from checkout import ROOT

from rocecfg.physics.headroom import cable_bytes, first_principles, response_bytes, roce_frame
from rocecfg.physics.pause import full_pause_rate, longest_pause
from rocecfg.physics.pools import fill_us

G = 10**9


def _page(name: str) -> str:
    return (ROOT / "docs" / "explanation" / f"{name}.md").read_text(encoding="utf-8")


def test_pause_storms() -> None:
    page = _page("pause-storms")
    assert f"1 MB at 100G in {fill_us(10**6, 100 * G):.0f} µs, at 400G in {fill_us(10**6, 400 * G):.0f} µs" in page
    assert f"{1000 * longest_pause(100 * G):.0f} µs at\n100G, {1000 * longest_pause(400 * G):.0f} µs at 400G" in page
    assert f"{full_pause_rate(400 * G):.0f} frames a second at 400G" in page


def test_headroom_and_its_picture() -> None:
    terms = first_principles(400 * G, 30, 9018, roce_frame(4096), response_bytes(400 * G) or 0)
    page = _page("headroom")
    assert f"{terms.total:,} bytes" in page
    assert f"at 400G {cable_bytes(400 * G, 1):.0f} bytes a metre" in page
    assert "9018 bytes of own frame, 4178 of RoCE" in page
    assert f"over 30 m: {terms.total:,} bytes" in (ROOT / "docs" / "images" / "headroom.svg").read_text("utf-8")
