"""Switches with ports that the profile of their platform does not know: an intent that names it would not load."""

from __future__ import annotations

from rocecfg.importing.facts import Facts
from rocecfg.importing.sets import by_number, short
from rocecfg.importing.unsaid import Note
from rocecfg.model import Device, Span, spans_of
from rocecfg.nodeset import name_set


def boxed(switch: Facts, device: Device) -> Facts:
    """The switch as it is where its platform has all its ports; else with the platform's chip alone, and a note.

    The ports are there, whether a profile knows of them or not: a breakout it does not list, or ports for service.
    """
    box, platform = device.box, switch.settings.get("platform")
    if box is None or platform is None:
        return switch
    known = name_set(box.ports)
    strange = sorted((name for ports in switch.ports for name in ports.names if name not in known), key=by_number)
    if not strange:
        return switch
    settings = {key: value for key, value in switch.settings.items() if key not in ("platform", "hwsku")}
    told = f"platform {platform} has no port {short(strange)}"
    if device.asic is not None:
        settings["asic"] = device.asic.name
        told += ", so that its chip is said, and neither it nor the HwSKU"
    at = next(iter(spans_of(device.at("hwsku", "platform"))), Span(0, 0, 0))
    return switch._replace(settings=settings, notes=(*switch.notes, Note(told, at)))
