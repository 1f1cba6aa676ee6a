"""The shortest way from a text to the model that it makes, and to what is found in it."""

from __future__ import annotations

from rocecfg.intent import Loaded
from rocecfg.linting.finding import Finding
from rocecfg.linting.judge import judge
from rocecfg.model import Device
from rocecfg.model.switch import Switch
from rocecfg.source.document import Sources
from rocecfg.vendors.arista.reader import read
from rocecfg.vendors.running import fabric_of, stated

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
    sources = Sources()
    document = sources.add("leaf01.cfg", text)
    return fabric_of("leaf01.cfg", [(document, stated(document, "arista"))], [], sources)


def device(text: str) -> Device:
    """The device that the text's switch is in the model."""
    fabric = loaded(text).fabric
    assert fabric is not None
    (found,) = fabric.devices
    return found


def findings(text: str) -> list[Finding]:
    """All that is found in a text."""
    found, failed = judge(loaded(text))
    assert not failed
    return found


def rules(text: str) -> set[str]:
    """The rules that find something in a text."""
    return {found.rule.name for found in findings(text)}


def lines_of(text: str, rule: str) -> list[int]:
    """The lines that a rule points at, ascending."""
    places = (found.at for found in findings(text) if found.rule.name == rule)
    return sorted(text.count("\n", 0, at.start) + 1 for at in places if at is not None)
