"""Shorthand of the NVUE writer's tests: one changed class or port, and what is printed for it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import spectrum_devices as make
from spectrum_tree import Config, from_yaml

from rocecfg.linting.rendering import render_device as render
from rocecfg.model import Device, TrafficClass
from rocecfg.vendors.base import RenderedText


def rendered(device: Device, form: str = "nvue", **fabric: Any) -> RenderedText:
    """The text of a device; `fabric` is what differs in its fabric."""
    return render(make.fabric(device, **fabric), device, form=form)


def config(device: Device, **fabric: Any) -> Config:
    """The configuration that the YAML form says, by object."""
    return Config(from_yaml(rendered(device, **fabric).body))


def notes(device: Device, **fabric: Any) -> str:
    """The notes at the head of the file."""
    return "\n".join(rendered(device, **fabric).notes)


def only(*classes: TrafficClass, **ports: Any) -> Device:
    """One port that these classes cross."""
    classes = make.with_rest(*classes)
    return make.device(classes, (make.ports("swp1", ["swp1"], classes, **ports),))


def changed(name: str, **values: Any) -> Device:
    """One port, the class of that name changed."""
    return only(*(replace(c, **values) if c.name == name else c for c in make.CLASSES))


def one_port(**values: Any) -> Device:
    """One port, changed."""
    return only(*make.CLASSES, **values)
