"""A switch's text as `lint` reads it: its fabric, the device that it is in the model, and what is found in it."""

from __future__ import annotations

from rocecfg.intent import Loaded
from rocecfg.linting.finding import Finding
from rocecfg.linting.judge import judge
from rocecfg.model import Device
from rocecfg.source.document import Sources
from rocecfg.vendors.running import fabric_of, read_drafts


def loaded_as(vendor: str, path: str, text: str, release: str | None = None) -> tuple[Loaded, Sources]:
    """The fabric of a text's switch; `path`: of the file that it is taken to stand in."""
    sources = Sources()
    document = sources.add(path, text)
    return fabric_of(path, [(document, read_drafts(document, vendor, release))], [], sources), sources


def only_device(loaded: Loaded) -> Device:
    """The one device of a fabric."""
    assert loaded.fabric is not None
    (found,) = loaded.fabric.devices
    return found


def findings_of(loaded: Loaded) -> list[Finding]:
    """All that is found in a fabric. No rule may fail."""
    found, failed = judge(loaded)
    assert not failed, failed
    return found
