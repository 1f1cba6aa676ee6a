"""WRED profiles: one row for each marking curve in use, and which queue of which port takes which."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rocecfg.core.units import show_rate
from rocecfg.model import ALL_COLORS, AUTO, Device, Ecn, PortGroup, TrafficClass
from rocecfg.vendors.base import CannotRender

MAIN = "AZURE_LOSSLESS"  # the stock name: `config load` merges, so our curve overwrites the stock one
_MAX_THRESHOLD = 2**31 - 1  # orchagent reads thresholds with a signed 32-bit conversion and throws beyond
_MAX_NAME = 32  # sonic-wred-profile.yang
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")

Row = dict[str, str]
Curves = dict[int, tuple[TrafficClass, Ecn]]  # queue -> the class and its curve
Use = tuple[TrafficClass, int | None, Ecn]  # class, speed in bit/s (None: the class's plain curve), curve


def curves_on(device: Device, port: PortGroup) -> Curves:
    """Queue -> class and curve on these ports. CannotRender for `auto` and for two curves on one queue."""
    found: Curves = {}
    for cls in device.classes_on(port):
        curve = _writable_curve(device, cls, cls.ecn_at(port.speed), port.speed)
        if curve is None:
            continue
        other = found.setdefault(cls.queue, (cls, curve))
        if other[1] != curve:
            raise CannotRender(
                f"classes {other[0].name} and {cls.name} share queue {cls.queue} but not their ECN thresholds",
                "a queue has one WRED profile: give the classes the same ecn, or queues of their own",
                (other[0].at("ecn"), cls.at("ecn")),
            )
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
    """Every curve that a class states, its plain one first; of `auto`, those of the speeds it was worked out for."""
    uses: list[Use] = []
    for cls in device.classes:
        plain = None if cls.ecn == AUTO and cls.ecn_by_speed else _writable_curve(device, cls, cls.ecn, None)
        if plain is not None:
            uses.append((cls, None, plain))
        for speed, stated in cls.ecn_by_speed:
            curve = _writable_curve(device, cls, stated, speed)
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


def _writable_curve(device: Device, cls: TrafficClass, curve: object, speed: int | None) -> Ecn | None:
    """The curve if it can be printed, None if there is none; CannotRender otherwise."""
    if curve is None:
        return None
    if curve == AUTO:
        chip = device.asic.title if device.asic is not None else "an unknown ASIC"
        pace = f" at {show_rate(speed)}" if speed is not None else ""
        raise CannotRender(
            f"class {cls.name}: ecn is auto, and no profile knows its thresholds for {chip}{pace}",
            "state kmin, kmax and pmax, or name a platform whose profile has them",
            (cls.at("ecn"),),
        )
    if not isinstance(curve, Ecn):
        raise _refuse_percent(cls)
    _check_bounds(cls, curve)
    return curve


def _refuse_percent(cls: TrafficClass) -> CannotRender:
    return CannotRender(
        f"class {cls.name}: ECN thresholds in percent of the queue's buffer: SONiC takes bytes",
        "write sizes, such as kmin: 400KB",
        (cls.at("ecn"),),
    )


def _check_bounds(cls: TrafficClass, curve: Ecn) -> None:
    if not 0 <= curve.kmin <= curve.kmax <= _MAX_THRESHOLD:
        raise CannotRender(
            f"class {cls.name}: kmin {curve.kmin} B, kmax {curve.kmax} B; want 0 <= kmin <= kmax <= {_MAX_THRESHOLD}",
            "sonic-wred-profile.yang wants max >= min; orchagent reads thresholds as signed 32-bit numbers",
            (curve.at("kmin"), curve.at("kmax")),
        )
    if not 0 <= curve.pmax <= 100 or curve.pmax != int(curve.pmax):
        raise CannotRender(
            f"class {cls.name}: pmax {curve.pmax:g}% is not a whole percentage from 0 to 100",
            "green_drop_probability holds whole percents",
            (curve.at("pmax"),),
        )
    if not curve.colors or not set(curve.colors) <= set(ALL_COLORS):
        raise CannotRender(
            f"class {cls.name}: ecn colors {', '.join(curve.colors) or 'none'}", "", (curve.at("colors"),)
        )


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
        fields[f"wred_{color}_enable"] = "true" if color in marked else "false"
        fields[f"{color}_min_threshold"] = str(curve.kmin)
        fields[f"{color}_max_threshold"] = str(curve.kmax)
        fields[f"{color}_drop_probability"] = str(int(curve.pmax))
    return fields
