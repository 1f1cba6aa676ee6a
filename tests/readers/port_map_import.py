"""What is rendered, as `rocecfg import` makes an intent of it again."""

from __future__ import annotations

from rocecfg.importing import import_intent
from rocecfg.intent import load
from rocecfg.linting.discover import Overlaid
from rocecfg.model import Device
from rocecfg.source.document import Sources
from rocecfg.vendors.running import read_drafts


def again(body: str, vendor: str, release: str | None) -> tuple[str, Device]:
    """The text of the imported intent, and its switch."""
    sources = Sources()
    document = sources.add("leaf1.cfg", body)
    text = import_intent("leaf1.cfg", [(document, read_drafts(document, vendor, release))], sources).text
    loaded = load("imported.yaml", Overlaid("imported.yaml", text.encode()))
    assert not loaded.errors
    assert not loaded.problems, text
    assert loaded.fabric is not None
    return text, loaded.fabric.devices[0]
