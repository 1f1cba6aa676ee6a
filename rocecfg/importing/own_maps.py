"""Classes of ports that sort packets by maps of their own: which class of the switch each of theirs is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rocecfg.intent.classes import IN_MAPS
from rocecfg.intent.precedence import ECN_WHOLE, overlay, section
from rocecfg.model.stated import OFF, Section, Val
from rocecfg.model.switch import TCS

_SHARES = ("bandwidth", "max_rate", "guaranteed")
OnPort = Mapping[str, Section]  # what crosses a port: the name of the switch's class -> all that is said of it there


def matched(classes: Section, ports: Sequence[Val | None]) -> tuple[Section, list[OnPort | None]]:
    """The classes of a switch, and what each of its ports makes of them; None for ports that change no numbers.

    `ports`: what the section of each port says of classes. What crosses a port with maps of its own is taken for the
    class of the switch that has its code points, or that nothing else there stands for, lossless for lossless: so moves
    of a class are read, as of RDMA to another DSCP and priority. One that is nobody's becomes a class of the switch
    without code points.
    """
    found = [_crossing(classes, said) for said in ports]
    if all(own is None for own in found):
        return classes, list(found)
    usual = {name for said, own in zip(ports, found, strict=True) if own is None for name in _named(classes, said)}
    known = {name: val for name, val in classes.items() if section(val)["dscp"].value or name in usual}
    out: list[OnPort | None] = []
    for said, own in zip(ports, found, strict=True):
        if own is None:
            out.append(None)
            continue
        twins = _twins({name: val for name, val in known.items() if name not in _kept(classes, said)}, own)
        for name, part in own.items():
            if name not in twins:
                twins[name], known[twins[name]] = _added(name, part, known)
        out.append({twins[name]: part for name, part in own.items()})
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


def _kept(classes: Section, said: Val | None) -> set[str]:
    """The classes that do not cross a port with maps of its own, and that packets are sorted into all the same."""
    changes = {name: section(change) for name, change in section(said).items() if "crosses" in section(change)}
    return {n for n, change in changes.items() if overlay(section(classes.get(n)), change)["dscp"].value}


def _named(classes: Section, said: Val | None) -> set[str]:
    """The classes that cross a port with the switch's maps."""
    if said is not None and isinstance(said.value, list):
        return {item.value for item in said.value}
    return {name for name in classes if name not in section(said) or section(said)[name].value != OFF}


def _added(name: str, said: Section, known: Section) -> tuple[str, Val]:
    """A class of the switch for one that only ports have, and its name: without code points and share.

    By its own numbers, unless a class of the switch has them, which is somebody else's there.
    """
    at = said["dscp"].at
    whole = {**{key: val for key, val in said.items() if key not in _SHARES}, "dscp": Val([], at)}
    if name not in known:
        return name, Val(whole, at)
    taken = {section(val)["tc"].value for val in known.values()}
    free = next(number for number in TCS if number not in taken)  # there are as many as classes on a port
    numbers = ("tc", "priority", "queue", "pg") if is_lossless(said) else ("tc", "priority", "queue")
    return f"{name} {free}", Val({**whole, **{key: Val(free, at) for key in numbers}}, at)


def _twins(known: Section, own: Mapping[str, Section]) -> dict[str, str]:
    """The class of the switch that each class of ports stands for, where one does.

    By the code points that they share, most first; what is left by being lossless or not.
    """
    points = {name: {val.value for val in section(val)["dscp"].value} for name, val in known.items()}
    shared = {
        (name, other): len(points[other].intersection(val.value for val in said["dscp"].value))
        for name, said in own.items()
        for other in known
    }
    alike = {(n, o): is_lossless(own[n]) == is_lossless(section(known[o])) for n, o in shared}
    out: dict[str, str] = {}
    for name, other in sorted(shared, key=lambda pair: (-shared[pair], not alike[pair], pair[0] != pair[1])):
        if name not in out and other not in out.values():
            out[name] = other
    return out


def is_lossless(said: Section) -> bool:
    """Whether PFC is on for the class."""
    return "lossless" in said and bool(said["lossless"].value)
