"""A switch as an intent writes it: settings, classes and ports as texts, and notes on what it has no word for."""

from __future__ import annotations

from collections.abc import Mapping

from rocecfg.core.nodeset import name_set
from rocecfg.core.records import NamedTuple
from rocecfg.importing.curves import Curve
from rocecfg.importing.portsets import by_number, fold_short
from rocecfg.importing.timers import WatchdogText
from rocecfg.importing.unsupported import Unsaid, first_span
from rocecfg.model import Device
from rocecfg.model.catalogue import list_spread, setting
from rocecfg.model.lanes import find_clashes
from rocecfg.source.write import Value
from rocecfg.vendors import part

SHARES = ("bandwidth", "max_rate", "guaranteed")  # what a class may leave unsaid
SPREAD = list_spread("ports[]")
UNLESS_SAID = {key: value for key in SPREAD if (value := setting(f"ports[].{key}").default) is not None}


class ClassText(NamedTuple):
    """A traffic class of one switch."""

    tc: int
    dscps: tuple[int, ...]
    priority: int
    queue: int
    pg: int
    lossless: bool
    shares: Mapping[str, Value]  # of SHARES, those that are said


class PortText(NamedTuple):
    """Ports that are told the same."""

    names: tuple[str, ...]
    settings: Mapping[str, Value]  # speed, cable, mtu, ...: keys of a port in an intent
    crossing: frozenset[int]  # traffic classes
    pfc: tuple[int, ...]  # priorities with PFC
    ecn: Mapping[int, Curve]  # curve of each traffic class that crosses
    timers: WatchdogText  # of the watchdog
    headroom: Value | None
    own: Mapping[int, ClassText] = {}  # classes that cross, as these ports sort them, where not as the switch does

    @property
    def speed(self) -> str | None:
        """As written; None: not known."""
        return str(self.settings["speed"]) if "speed" in self.settings else None


class SwitchText(NamedTuple):
    """One switch."""

    name: str
    settings: Mapping[str, Value]  # vendor, version, platform, ...: keys of a device in an intent
    classes: Mapping[int, ClassText]  # by traffic class
    ports: tuple[PortText, ...]
    notes: tuple[Unsaid, ...]  # what an intent cannot say of it
    unset: bool = False  # classes and queues are those that its system has anyway
    trimmed: frozenset[int] = frozenset()  # queues whose packets are trimmed on some port
    typed: tuple[str, str] | None = None  # what its configuration has of its role, and the role that it amounts to

    def without_classes(self) -> SwitchText:
        """The switch without its classes."""
        return self._replace(classes={}, ports=tuple(p._replace(crossing=frozenset(), ecn={}) for p in self.ports))

    @property
    def vendor(self) -> Value | None:
        """The vendor, where it is known."""
        return self.settings.get("vendor")


# -- switches that are not what their configuration calls them ---------------------------------------------------------


_KIND, _VOQ = "switch_type", "voq"


def fit_switch(switch: SwitchText, device: Device) -> SwitchText:
    """The switch in terms that an intent can have of it: one that says otherwise would not load, or not render.

    `device`: as its configuration has it.
    """
    return _drop_unreal_type(_drop_unfit_platform(switch, device), device)


def _drop_unreal_type(switch: SwitchText, device: Device) -> SwitchText:
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
    return switch._replace(settings=settings, notes=(*switch.notes, Unsaid(wording, first_span(device.at(_KIND)))))


def _drop_unfit_platform(switch: SwitchText, device: Device) -> SwitchText:
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
    clash = find_clashes(of, tuple((port.names, port.speed) for port in device.ports)) if of is not None else ()
    if strange:
        wording = f"platform {platform} has no port {fold_short(strange)}"
    elif clash:
        ports = sorted({name for each in clash for _, name in (each.first, *each.others)}, key=by_number)
        wording = f"platform {platform} has not the lanes for ports of these names: {fold_short(ports)}"
    else:
        return switch
    settings = {key: value for key, value in switch.settings.items() if key not in ("platform", "hwsku")}
    if device.asic is not None:
        settings["asic"] = device.asic.name
        wording += ", for its chip: neither platform nor HwSKU is known"
    return switch._replace(
        settings=settings, notes=(*switch.notes, Unsaid(wording, first_span(device.at("hwsku", "platform"))))
    )
