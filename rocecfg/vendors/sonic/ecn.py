"""WRED profiles: one row for each marking curve in use, and which queue of which port takes which."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rocecfg.core.units import show_rate
from rocecfg.model import ALL_COLORS, AUTO, Device, Ecn, PortGroup, TrafficClass
from rocecfg.vendors.agreement import curve_in_bytes
from rocecfg.vendors.sonic.settings import write_values

MAIN = "AZURE_LOSSLESS"  # the stock name: `config load` merges, so our curve overwrites the stock one
_MAX_NAME = 32  # sonic-wred-profile.yang
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")

Row = dict[str, str]
Curves = dict[int, tuple[TrafficClass, Ecn]]  # queue -> the class and its curve
Use = tuple[TrafficClass, int | None, Ecn]  # class, speed in bit/s (None: the class's plain curve), curve


def curves_on(device: Device, port: PortGroup) -> Curves:
    """Queue -> class and curve on these ports."""
    found: Curves = {}
    for cls in device.classes_on(port):
        curve = curve_in_bytes(cls, port.speed)
        if curve is not None:
            found.setdefault(cls.queue, (cls, curve))
    return found


def name_curves(device: Device, ports: Sequence[PortGroup], curves: Sequence[Curves]) -> dict[Ecn, str]:
    """The profile name of every curve in use, main one first; `curves` is what `curves_on` gave for each port group.

    Without ports (a policy) every curve of every class counts, by_speed included. The first lossless class keeps the
    stock name AZURE_LOSSLESS; the others are called after their class, and speed where that is what differs.
    """
    uses = _uses_on_ports(device, ports, curves) if ports else _stated_uses(device)
    main = next((curve for cls, _, curve in uses if cls.lossless), None)
    names: dict[Ecn, str] = {} if main is None else {main: MAIN}
    taken = {MAIN}
    for cls, speed, curve in uses:
        if curve not in names:
            tail = f"_{show_rate(speed)}" if speed is not None else ""
            names[curve] = _make_profile_name(cls.name, tail, taken)
    return names


def _stated_uses(device: Device) -> list[Use]:
    """Every curve that a class states, its plain one first; of `auto`, those of the speeds it was computed for."""
    uses: list[Use] = []
    for cls in device.classes:
        speeds = [speed for speed, _ in cls.ecn_by_speed]
        for speed in speeds if cls.ecn == AUTO and speeds else (None, *speeds):
            curve = curve_in_bytes(cls, speed)
            if curve is not None:
                uses.append((cls, speed, curve))
    return uses


def _uses_on_ports(device: Device, ports: Sequence[PortGroup], curves: Sequence[Curves]) -> list[Use]:
    """Every curve that some port has, in the order of the classes, a class's plain one first."""
    order = {cls.name: i for i, cls in enumerate(device.classes)}
    uses: list[Use] = []
    for port, here in zip(ports, curves, strict=True):
        for cls, curve in here.values():
            plain = curve == device.classes[order[cls.name]].ecn
            uses.append((cls, None if plain else port.speed, curve))
    return sorted(uses, key=lambda use: (order[use[0].name], use[1] is not None))


def _make_profile_name(class_name: str, tail: str, taken: set[str]) -> str:
    """A profile name made of the class's name, legal for the YANG pattern and not taken yet; it is taken now."""
    tail = _UNSAFE.sub("-", tail)
    stem = _UNSAFE.sub("-", class_name).lstrip("-_") or "class"
    name, count = stem[: _MAX_NAME - len(tail)] + tail, 1
    while name in taken:
        count += 1
        more = f"{tail}_{count}"
        name = stem[: _MAX_NAME - len(more)] + more
    taken.add(name)
    return name


def wred_row(curve: Ecn) -> Row:
    """The WRED_PROFILE row of a curve: bytes and percent, the same for the three colours.

    Only the colours that are marked have WRED on: WRED without ECN drops. Every field is written, so that nothing of
    an older row survives the merge.
    """
    marked = [color for color in ALL_COLORS if color in curve.colors]
    fields = {"ecn": "ecn_all" if len(marked) == len(ALL_COLORS) else "ecn_" + "_".join(marked)}
    for color in ALL_COLORS:
        fields |= write_values(color, enabled=color in marked, kmin=curve.kmin, kmax=curve.kmax, pmax=curve.pmax)
    return fields
