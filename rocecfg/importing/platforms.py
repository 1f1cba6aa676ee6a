"""Switches that are not what their configuration calls them: an intent that says so would not load, or not render."""

from __future__ import annotations

from rocecfg.core.nodeset import name_set
from rocecfg.importing.portsets import by_number, short
from rocecfg.importing.texts import SwitchText
from rocecfg.importing.unsupported import Note
from rocecfg.model import Device, Span, spans_of
from rocecfg.model.lanes import clashes
from rocecfg.vendors import part

_KIND, _VOQ = "switch_type", "voq"


def fitted(switch: SwitchText, device: Device) -> SwitchText:
    """The switch in terms that an intent can have of it; `device`: as its configuration has it."""
    return _real(_boxed(switch, device), device)


def _real(switch: SwitchText, device: Device) -> SwitchText:
    """The switch as it is where its chip can be what its configuration calls it; else without that, and a note.

    A virtual switch bears the HwSKU of a box, and may play a line card of a chassis that the box is not.
    """
    hwsku, vendor = switch.settings.get("hwsku"), switch.vendor
    if switch.settings.get(_KIND) != _VOQ or not isinstance(hwsku, str) or not isinstance(vendor, str):
        return switch
    if not part(vendor, "front").lacks_voq(hwsku):
        return switch
    wording = f"{_KIND} {_VOQ}: the chip of HwSKU {hwsku} has no virtual output queues"
    settings = {key: value for key, value in switch.settings.items() if key != _KIND}
    return switch._replace(settings=settings, notes=(*switch.notes, Note(wording, _place(device, _KIND))))


def _boxed(switch: SwitchText, device: Device) -> SwitchText:
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
        wording = f"platform {platform} has no port {short(strange)}"
    elif clash:
        ports = sorted({name for each in clash for _, name in (each.first, *each.others)}, key=by_number)
        wording = f"platform {platform} has not the lanes for ports of these names: {short(ports)}"
    else:
        return switch
    settings = {key: value for key, value in switch.settings.items() if key not in ("platform", "hwsku")}
    if device.asic is not None:
        settings["asic"] = device.asic.name
        wording += ", so that its chip is said, and neither it nor the HwSKU"
    return switch._replace(settings=settings, notes=(*switch.notes, Note(wording, _place(device, "hwsku", "platform"))))


def _place(device: Device, *fields: str) -> Span:
    return next(iter(spans_of(device.at(*fields))), Span(0, 0, 0))
