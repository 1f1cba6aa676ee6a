"""Texts of NVUE as tests read them: the switch, its resolved model, and what is found."""

from __future__ import annotations

from typing import NamedTuple

from one_switch import findings_of, loaded_as, only_device

from rocecfg.intent import Loaded
from rocecfg.model import Device, PortGroup, TrafficClass
from rocecfg.model.switch import Switch
from rocecfg.source.document import Document, Sources
from rocecfg.vendors.spectrum.reader import read


class Found(NamedTuple):
    """A finding, as a user sees it."""

    rule: str
    line: int
    severity: str
    message: str
    help: str


def switch(text: str, release: str | None = None) -> Switch:
    """The one switch of a text."""
    (only,) = read(Document(0, "leaf01", text), release)
    return only


def loaded(text: str, release: str | None = None) -> tuple[Loaded, Sources]:
    """The fabric of one switch."""
    return loaded_as("spectrum", "leaf01.yaml", text, release)


def device(text: str, release: str | None = None) -> Device:
    """Its model."""
    return only_device(loaded(text, release)[0])


def port(text: str, name: str, release: str | None = None) -> PortGroup:
    """The model of one of its ports."""
    return next(p for p in device(text, release).ports if name in p.names)


def on(found: Device, name: str) -> dict[str, TrafficClass]:
    """The classes that cross a port, as they are there."""
    group = next(p for p in found.ports if name in p.names)
    return {c.name: c for c in found.classes_on(group)}


def lint(text: str, release: str | None = None) -> list[Found]:
    """Everything that is found, by place."""
    fabric, sources = loaded(text, release)
    out = []
    for f in findings_of(fabric):
        assert f.at is not None
        place = sources.documents[f.at.doc].place(f.at.start)
        out.append((place, Found(f.rule.name, place[0], f.severity, f.message, f.help)))
    return [reported for _, reported in sorted(out)]


def rules(text: str, release: str | None = None) -> set[str]:
    """The names of the rules that find something."""
    return {reported.rule for reported in lint(text, release)}
