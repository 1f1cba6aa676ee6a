"""What `rocecfg advise` proposes for a fabric, written into its intent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rocecfg.advice.advise import Advice, Overrides, advise
from rocecfg.advice.port_kinds import AdvisedSetting
from rocecfg.core.nodeset import names_of
from rocecfg.intent import load
from rocecfg.source import edit
from rocecfg.source.document import Sources
from rocecfg.source.tree import parse

_CURVE = {"kmin": "kmin_bytes", "kmax": "kmax_bytes", "pmax": "pmax_percent", "weight": "weight"}
_TIMERS = {"detection_time": "detection", "restoration_time": "restoration", "poll_interval": "poll"}
_ROOM = ("size", "xon", "xoff")
Path_ = tuple[str, ...]


def _text(number: Any, unit: str = "") -> str:
    return number if isinstance(number, str) else f"{number:.10g}{unit}"


def _changed(*settings: AdvisedSetting) -> bool:
    return any(one.advised is not None and not one.same for one in settings)


def proposals(of: Advice) -> Iterator[tuple[Path_, Any]]:
    """The keys below a port, a device or the policy that are to change, with their values."""
    known = {setting.key: setting for setting in of.settings}
    curve = {key: known[name] for key, name in _CURVE.items()}
    if _changed(*curve.values()):
        units = {"kmin": "B", "kmax": "B", "pmax": "%", "weight": ""}
        values = {key: _text(one.advised, units[key]) for key, one in curve.items() if one.advised is not None}
        yield ("classes", of.kind.cls.name, "ecn"), values
    timers = {key: known[f"watchdog_{name}_ms"] for key, name in _TIMERS.items()}
    if _changed(known["watchdog"], *timers.values(), known["watchdog_action"]):
        dog = {key: _text(one.advised, "ms") for key, one in timers.items() if one.advised is not None}
        action = known["watchdog_action"].advised
        yield ("pfc", "watchdog"), {**dog, "action": str(action)} if dog else str(known["watchdog"].advised)
    room = {part: known[f"headroom_{part}_bytes"] for part in _ROOM if f"headroom_{part}_bytes" in known}
    if _changed(*room.values()):
        size = room["size"].advised
        sizes = {part: _text(one.advised, "B") for part, one in room.items() if one.advised is not None}
        yield ("pfc", "headroom"), size if isinstance(size, str) else sizes
    if _changed(known["alpha"]):
        yield ("alpha",), _text(known["alpha"].advised)


def follow(path: Path, vendor: str | None = None) -> str | None:
    """The intent with all that is proposed, written once where all ports agree, else by device, else by port."""
    sources = Sources()
    fabric = load(str(path), sources, vendor).fabric
    if fabric is None:
        return None
    found = [(advice, dict(proposals(advice))) for advice in advise(fabric, str(path), Overrides()).advices]
    text = path.read_text(encoding="utf-8")
    for key in dict.fromkeys(key for _, wanted in found for key in wanted):
        for place, value in _places(found, key, {name: one.key for one in fabric.devices for name in one.names}):
            tree = parse(text)
            text = edit.apply(tree, [edit.put(tree, 0, 0, place, value)])
    return text


def _places(found: list[tuple[Advice, dict[Path_, Any]]], key: Path_, keys: dict[str, str]) -> list[tuple[Path_, Any]]:
    """Where a value is to stand: the fewest places that say it of these ports alone. `keys`: of devices, by name."""
    values = [wanted.get(key) for _, wanted in found]
    if all(value == values[0] for value in values):
        return [(("buffers", *key) if key == ("alpha",) else key, values[0])]
    out: dict[Path_, Any] = {}
    for advice, wanted in found:
        if wanted.get(key) is None:
            continue
        for device, ports in _reach(advice, keys):
            beside = [other.get(key) for one, other in found if device in dict(_reach(one, keys))]
            if all(value == beside[0] for value in beside) and key != ("alpha",):
                out["devices", device, *key] = wanted[key]
            else:
                out["devices", device, "ports", ports, *key] = wanted[key]
    return list(out.items())


def _reach(of: Advice, keys: dict[str, str]) -> list[tuple[str, str]]:
    """The devices of a kind of port, each with its ports."""
    return [(keys[name], ports) for devices, ports in of.kind.reach for name in names_of(devices)]
