"""Pause time and rate of PFC frames, held to published figures."""

from __future__ import annotations

import pytest

from rocecfg.physics.pause import full_pause_rate, longest_pause

G = 10**9


@pytest.mark.parametrize(
    ("speed", "us", "frames"),
    [(40, 838.8, 1192), (100, 335.5, 2980), (200, 167.8, 5961), (400, 83.9, 11921), (800, 41.9, 23842)],
)
def test_figures_by_speed(speed: int, us: float, frames: int) -> None:
    assert longest_pause(speed * G) * 1000 == pytest.approx(us, abs=0.05)
    assert full_pause_rate(speed * G) == pytest.approx(frames, abs=0.5)


def test_frames_at_that_rate_leave_no_gap() -> None:
    assert full_pause_rate(400 * G) * longest_pause(400 * G) == pytest.approx(1000)  # ms in a second
