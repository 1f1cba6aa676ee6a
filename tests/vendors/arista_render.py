"""The shortest way from a device to its text, or to why there is none."""

from __future__ import annotations

import arista_factory as make
import pytest

from rocecfg.linting.rendering import render_device as render
from rocecfg.model import Device
from rocecfg.vendors.base import CannotRender, RenderedText


def text(device: Device) -> RenderedText:
    """Text and notes of a device, alone in its fabric."""
    return render(make.fabric(device), device)


def body(device: Device) -> str:
    """What goes to the switch."""
    return text(device).body


def refused(device: Device) -> CannotRender:
    """Why a device is not rendered; fails if it is."""
    with pytest.raises(CannotRender) as caught:
        text(device)
    return caught.value
