"""What runs and is no drift: another release or box, and headroom where the intent leaves it to the switch.

No change of settings fixes these.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rocecfg.core.nodeset import fold_set
from rocecfg.core.units import show_size
from rocecfg.drift.intended import IntendedDevice
from rocecfg.model import Device, Span
from rocecfg.model.catalogue import What
from rocecfg.model.compare import lacks_headroom
from rocecfg.model.stated import Section
from rocecfg.model.switch import Switch
from rocecfg.model.values import of_port
from rocecfg.profiles import is_build_of

_HEADROOM = What("headroom", None, "size")


def note_release_and_box(device: Device, switch: Switch) -> Iterator[str]:
    """Where a switch is not what its intent was made for, a line each."""
    given = switch.section
    release = _get_text(given, "version")
    stated = device.version
    if release is not None and stated is not None and not is_build_of(device.vendor or "", release, stated):
        yield f"runs release {release}, but the intent is for {stated}"
    hwsku = _get_text(given, "hwsku")
    if hwsku is not None and device.hwsku is not None and hwsku != device.hwsku:
        assumed = "" if isinstance(device.at("hwsku"), Span) else ", which the platform has by default"
        yield f"has HwSKU {hwsku}, but the intent is for {device.hwsku}{assumed}: headroom and pools differ"
    platform = _get_text(given, "platform")
    if platform is not None and device.platform is not None and platform != device.platform.name:
        yield f"is a {platform}, but the intent is for {device.platform.name}"


def note_down_ports(meant: IntendedDevice, switch: Switch, told: Collection[str]) -> Iterator[str]:
    """The ports that the intent names and that are shut, but those whose differences are told as that.

    None of their settings counts as compared.
    """
    down = tuple(
        name
        for port in switch.ports
        if port.running is not None and port.running.up is False
        for name in port.names
        if name in meant.ports and name not in told
    )
    if down:
        yield f"has {fold_set(down)} shut down, though the intent names it: its settings are not counted"


def note_kept_headroom(meant: IntendedDevice, running: Switch, before: Switch | None = None) -> Iterator[str]:
    """The headroom that lossless ports have set on the switch, and that the intent leaves to it: a line each size.

    `before`: the switch before a change; then it is of the ports that are lossless with the change alone.
    """
    paused = {name for port in (before.ports if before is not None else ()) if port.pfc for name in port.names}
    sizes: dict[int, list[str]] = {}
    for port in running.ports:
        facts = of_port(port) if port.pfc else {}
        fact = facts.get(_HEADROOM)
        if fact is None or not isinstance(fact.value, int) or any(what.topic == "bound" for what in facts):
            continue  # bound by cable length: it is what the switch looks up for the length, and that is compared
        if lacks_headroom(facts):
            continue  # told as a difference
        sizes.setdefault(fact.value, []).extend(
            name
            for name in port.names
            if name not in paused
            and (wanted := meant.ports.get(name)) is not None
            and all(what.topic != _HEADROOM.topic for what in wanted.facts)
        )
    becomes = "lossless with this change, with" if before is not None else "lossless with"
    for size, names in sizes.items():
        if names:
            yield (
                f"{fold_set(tuple(names))}: {becomes} the headroom set on the switch, {show_size(size)}: the intent "
                "leaves it to the switch; state pfc.headroom, or remove it from the switch"
            )


def _get_text(section: Section, key: str) -> str | None:
    val = section.get(key)
    return val.value if val is not None and isinstance(val.value, str) else None
