"""Whole files, as a user gets them. Read them when they change: they are what goes to a switch."""

from __future__ import annotations

from pathlib import Path

import pytest
import spectrum_devices as make

from rocecfg.linting.rendering import render_device as render
from rocecfg.model import Device

GOLDEN = Path(__file__).parent / "spectrum_golden"
FILES: dict[str, tuple[Device, str, str | None]] = {
    "policy-5.14.yaml": (make.policy(), "nvue", None),
    "leaf-5.16.yaml": (make.leaf(version="5.16"), "nvue", "leaf01"),
    "leaf-5.16.nv": (make.leaf(version="5.16"), "commands", "leaf01"),
    "priority-5-5.9.nv": (make.moved(version="5.9"), "commands", "leaf01"),
}


@pytest.mark.parametrize("name", FILES)
def test_file(name: str) -> None:
    device, form, called = FILES[name]
    text = render(make.fabric(device), device, form=form)
    assert text.file(called) == (GOLDEN / name).read_text(encoding="utf-8")
    assert name.endswith(text.suffix)


def test_no_golden_file_is_left_over() -> None:
    assert {path.name for path in GOLDEN.iterdir()} == set(FILES)
