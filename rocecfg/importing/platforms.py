"""Switches whose ports are not those of their platform's profile: an intent that names it would not load."""

from __future__ import annotations

from rocecfg.core.nodeset import name_set
from rocecfg.importing.facts import Facts
from rocecfg.importing.portsets import by_number, short
from rocecfg.importing.unsupported import Note
from rocecfg.model import Device, Span, spans_of
from rocecfg.model.lanes import clashes


def boxed(switch: Facts, device: Device) -> Facts:
    """The switch as it is where its platform can have all its ports; else with the platform's chip alone, and a note.

    The ports are there, whether a profile knows of them or not: a breakout it does not list, ports for service, or
    names that count something else than lanes.
    """
    box, platform = device.box, switch.settings.get("platform")
    if box is None or platform is None:
        return switch
    known = name_set(box.ports)
    strange = sorted((name for ports in switch.ports for name in ports.names if name not in known), key=by_number)
    of = box.layout
    clash = clashes(of, tuple((port.names, port.speed) for port in device.ports)) if of is not None else ()
    if strange:
        told = f"platform {platform} has no port {short(strange)}"
    elif clash:
        ports = sorted({name for each in clash for _, name in (each.first, *each.others)}, key=by_number)
        told = f"platform {platform} has not the lanes for ports of these names: {short(ports)}"
    else:
        return switch
    settings = {key: value for key, value in switch.settings.items() if key not in ("platform", "hwsku")}
    if device.asic is not None:
        settings["asic"] = device.asic.name
        told += ", so that its chip is said, and neither it nor the HwSKU"
    at = next(iter(spans_of(device.at("hwsku", "platform"))), Span(0, 0, 0))
    return switch._replace(settings=settings, notes=(*switch.notes, Note(told, at)))
