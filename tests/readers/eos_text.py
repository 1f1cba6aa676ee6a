"""The shortest way from a text to the model that it makes, and to what is found in it."""

from __future__ import annotations

from one_switch import findings_of, loaded_as, only_device

from rocecfg.intent import Loaded
from rocecfg.linting.finding import Finding
from rocecfg.model import Device
from rocecfg.model.switch import Switch
from rocecfg.source.document import Sources
from rocecfg.vendors.arista.reader import read

HEAD = "hostname leaf01\n"  # with a hostname a text is all that the switch has


def switches(text: str, release: str | None = None) -> list[Switch]:
    """What the reader makes of a text."""
    return read(Sources().add("leaf01.cfg", text), release)


def switch(text: str, release: str | None = None) -> Switch:
    """The one switch of a text."""
    (found,) = switches(text, release)
    return found


def loaded(text: str) -> Loaded:
    """The fabric of the text's switch."""
    return loaded_as("arista", "leaf01.cfg", text)[0]


def device(text: str) -> Device:
    """The device that the text's switch is in the model."""
    return only_device(loaded(text))


def findings(text: str) -> list[Finding]:
    """All that is found in a text."""
    return findings_of(loaded(text))


def rules(text: str) -> set[str]:
    """The rules that find something in a text."""
    return {found.rule.name for found in findings(text)}


def lines_of(text: str, rule: str) -> list[int]:
    """The lines that a rule points at, ascending."""
    places = (found.at for found in findings(text) if found.rule.name == rule)
    return sorted(text.count("\n", 0, at.start) + 1 for at in places if at is not None)
