"""Classes of ports that sort packets by maps of their own: which class of the switch each of theirs is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rocecfg.intent.classes import IN_MAPS
from rocecfg.intent.precedence import ECN_WHOLE, overlay, section
from rocecfg.intent.values import OFF, Section, Val

OnPort = Mapping[str, Section]  # what crosses a port: the name of the switch's class -> all that is said of it there


def matched(classes: Section, ports: Sequence[Val | None]) -> tuple[Section, list[OnPort | None]]:
    """The classes of a switch, and what each of its ports makes of them; None for ports that change no numbers.

    `ports`: what the section of each port says of classes. A class that crosses only ports with maps of their own is
    taken for one of the switch's that does not cross these, lossless for lossless: so moves of a class are read, as
    of RDMA to another DSCP and priority. One that is nobody's stays a class of the switch without code points.
    """
    found = [_crossing(classes, said) for said in ports]
    if all(own is None for own in found):
        return classes, list(found)
    usual = {name for said, own in zip(ports, found, strict=True) if own is None for name in _named(classes, said)}
    known = {name: val for name, val in classes.items() if section(val)["dscp"].value or name in usual}
    out: list[OnPort | None] = []
    for own in found:
        if own is None:
            out.append(None)
            continue
        twins = _twins(known, own)
        out.append({twins.get(name, name): said for name, said in own.items()})
        for name, said in own.items():
            if name not in known and name not in twins:
                at = said["dscp"].at
                known[name] = Val({**said, "dscp": Val([], at)}, at)
    return known, out


def _crossing(classes: Section, said: Val | None) -> dict[str, Section] | None:
    changes = section(said)
    if not any(section(change).keys() & {*IN_MAPS, "crosses"} for change in changes.values()):
        return None
    out: dict[str, Section] = {}
    for name in dict.fromkeys((*classes, *changes)):
        change = changes.get(name)
        if change is not None and change.value == OFF:
            continue
        whole = overlay(section(classes.get(name)), section(change), ECN_WHOLE)
        if "crosses" not in whole and (whole["dscp"].value or is_lossless(whole)):
            out[name] = whole
    return out


def _named(classes: Section, said: Val | None) -> set[str]:
    """The classes that cross a port with the switch's maps."""
    if said is not None and isinstance(said.value, list):
        return {item.value for item in said.value}
    return {name for name in classes if name not in section(said) or section(said)[name].value != OFF}


def _twins(known: Section, own: Mapping[str, Section]) -> dict[str, str]:
    """The class of the switch that each class of ports alone stands for."""
    out: dict[str, str] = {}
    for lossless in (True, False):
        absent = [n for n, val in known.items() if n not in own and is_lossless(section(val)) == lossless]
        extra = [n for n, said in own.items() if n not in known and is_lossless(said) == lossless]
        out.update(zip(extra, absent, strict=False))
    return out


def is_lossless(said: Section) -> bool:
    """Whether PFC is on for the class."""
    return "lossless" in said and bool(said["lossless"].value)
