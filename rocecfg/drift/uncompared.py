"""Settings that an intent states and that no running configuration is compared in: named, so that nobody relies on it.

In all others two are compared, or it is said of each device why not (`coverage`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rocecfg.core.records import NamedTuple
from rocecfg.custom_rules.paths import SCOPES
from rocecfg.model import Device, Fabric, Span
from rocecfg.model.catalogue import setting
from rocecfg.rules.nos import nos_unsupported
from rocecfg.sizing.templates import buffer_model
from rocecfg.vendors import row
from rocecfg.vendors.uncompared import OF_DYNAMIC_MODEL, UNCOMPARED, Why, find_why_uncompared


class Uncompared(NamedTuple):
    """Settings that a device states and that are not compared for one reason."""

    titles: tuple[str, ...]  # (): `why` names it
    why: str
    at: Span  # where the first is stated


def find_uncompared(fabric: Fabric, device: Device) -> tuple[Uncompared, ...]:
    """What a device of an intent states in vain, as far as drift goes: what is not read, and what its system lacks."""
    return (*_find_unread(device), *_find_unsaid(fabric, device))


def _find_unsaid(fabric: Fabric, device: Device) -> Iterator[Uncompared]:
    """What the device's system or release cannot express: nothing is rendered of it, and so nothing is intended."""
    known = set()
    for hit in nos_unsupported.check(fabric, device) if nos_unsupported.check is not None else ():
        at = next((place for place in hit.at if isinstance(place, Span)), None)
        if at is not None and hit.message not in known:
            known.add(hit.message)
            yield Uncompared((), hit.message, at)


def _find_unread(device: Device) -> tuple[Uncompared, ...]:
    found: dict[Why, tuple[dict[str, None], Span]] = {}
    why_not = {path: find_why_uncompared(path, device) for path in UNCOMPARED}
    if buffer_model(device) != "dynamic":
        of_model = {path: of.get(device.vendor or "") for path, of in OF_DYNAMIC_MODEL.items()}
        why_not = {**why_not, **{path: why for path, why in of_model.items() if why is not None}}
    for path, why in why_not.items():
        at = next(_find_places(device, path), None) if why is not None else None
        if why is not None and at is not None:
            of = setting(path)
            found.setdefault(why, ({}, at))[0][of.title or of.intent.replace("_", " ")] = None
    system = row(device.vendor or "").title if found else ""
    return tuple(Uncompared(tuple(titles), why.text.format(system), at) for why, (titles, at) in found.items())


def is_compared(path: str, device: Device) -> bool:
    """Whether a setting is compared on the device's system and release."""
    return find_why_uncompared(path, device) is None


def _find_places(device: Device, path: str) -> Iterator[Span]:
    """Where an intent states a setting of a device."""
    scope, _, name = path.partition(".")
    elements: Mapping[str, Iterable[object]] = {
        "device": (device,),
        "classes[]": device.classes,
        "ports[]": device.ports,
    }
    read = SCOPES[{"classes[]": "class", "ports[]": "port"}.get(scope, scope)][name].read
    for element in elements[scope]:
        for reading in read(element):
            if isinstance(reading.at, Span):
                yield reading.at
