"""Lanes of ports: which need the same ones of a cage, and which cannot do without error correction. SCH027 and LNK930.

The former is checked by the platform's lanes, or by names alone where they prove it.
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.core.units import show_rate
from rocecfg.model.catalogue import plain_coding
from rocecfg.model.lanes import Clash, Layout, find_clashes, fold_names
from rocecfg.rules.base import ERROR, OFF, WARNING, Hit, Rule, rule
from rocecfg.rules.common import kept_with_device

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rocecfg.model import Box, Device, Fabric, Origin, PortGroup

_EQUALS = 3  # ports with it for each one without: that one is odd
_NEEDS_RS = 200 * 10**9  # bit/s: lanes of such ports are PAM4


class _Lines:
    """The port groups of a device by the line that states them: links may have parted what one line says."""

    def __init__(self, groups: list[PortGroup]) -> None:
        self.groups = groups
        self.at: list[Origin] = []
        numbers: dict[Origin, int] = {}
        self.of: list[int] = []  # the line of each group
        for group in groups:
            number = numbers.setdefault(group.at(), len(numbers))
            self.of.append(number)
        self.at = list(numbers)

    def places(self, lines: tuple[int, ...]) -> tuple[tuple[Origin, ...], tuple[tuple[Origin, str], ...]]:
        """The first of these lines, and the others as second places."""
        first, *rest = lines
        return (self.at[first],), tuple((self.at[n], "the other ports") for n in rest)


@rule(
    "SCH027",
    "schema-port-lanes",
    ERROR,
    source="profiles/platforms: platform.json and port_config.ini of sonic-net/sonic-buildimage for the same box",
    by_kind={"running": OFF},  # a switch has the ports that it names
)
def port_lanes(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """Ports that need the same lanes of a cage."""
    lines = _Lines([group for group in device.ports if group.names])
    box = device.box
    of = box.layout if box is not None else None
    if box is None or of is None:
        yield from _judge_names(device, lines)
        return
    causes: dict[tuple[str, tuple[int, ...], tuple[int | None, ...]], list[Clash]] = {}
    for clash in find_clashes(of, tuple((group.names, group.speed) for group in lines.groups)):
        concerned = sorted({group for group, _ in (clash.first, *clash.others)})
        at = tuple(dict.fromkeys(lines.of[group] for group in concerned))
        speeds = tuple(dict.fromkeys(lines.groups[group].speed for group in concerned))
        causes.setdefault((clash.kind, at, speeds), []).append(clash)
    for (_, at, speeds), alike in causes.items():
        where, others = lines.places(at)
        yield Hit(_describe_clash(alike, of, lines, box.cages_source), where, _suggest_ports(of, speeds, box), others)


def _describe_clash(alike: list[Clash], of: Layout, lines: _Lines, source: str) -> str:
    """What clashes in the first cage, and how many ports do so in how many."""
    clash = alike[0]
    cage = of.cages[clash.cage].of
    group, name = clash.first
    others = tuple(name for _, name in clash.others)
    speed = lines.groups[group].speed
    takes = cage.count_lanes(speed) if speed is not None else 1
    need = f"{name} at {show_rate(speed)}" if speed is not None else name
    rate = f"at most {show_rate(cage.lane)} a lane"
    at = of.places[name][1]
    if clash.kind == "whole and split":
        words = f"{name} and {fold_names(others)} are one cage, which is either whole or split"
    elif clash.kind == "too many parts":
        words = (
            f"{fold_names((name, *others))} at {show_rate(speed or 0)} need {_format_lanes(takes)} each ({rate}), but "
            f"a cage of {cage.lanes} lanes that is split in {clash.ways} gives each {cage.lanes // clash.ways}"
        )
    elif clash.kind == "past the end":
        words = f"{need} needs {_format_lanes(takes)} ({rate}), but its cage has only {cage.lanes - at} from there on"
    elif clash.kind == "between":
        begin = ", ".join(str(n + 1) for n in range(0, cage.lanes, takes))
        words = (
            f"{need} needs {_format_lanes(takes)} ({rate}), but begins at lane {at + 1} of its cage instead of {begin}"
        )
    else:
        until = min(at + takes, cage.lanes)
        span = f"all {cage.lanes} lanes" if until - at == cage.lanes else f"lanes {at + 1}-{until} of {cage.lanes}"
        use = "uses" if len(others) == 1 else "use"
        words = f"{need} needs {span} in its cage ({rate}), but {fold_names(others)} {use} some of them"
    ports = [name for clash in alike for _, name in (clash.first, *clash.others)]
    if len(alike) > 1:
        words += f"; the same for {len(ports)} ports in {len(alike)} cages, {fold_names(tuple(ports))}"
    return f"{words} ({source})"


def _format_lanes(count: int) -> str:
    return "1 lane" if count == 1 else f"{count} lanes"


def _suggest_ports(of: Layout, speeds: tuple[int | None, ...], box: Box) -> str:
    """The ports that there can be at the speeds concerned."""
    sets = [(speed, of.list_valid(speed)) for speed in speeds if speed is not None]
    return "; ".join(f"{show_rate(speed)} ports are {ports}" for speed, ports in sets if ports) or (
        f"name each cage once, whole or split; all names there are: {box.ports}"
    )


def _judge_names(device: Device, lines: _Lines) -> Iterator[Hit]:
    """A port beside its parts, where nothing is known of the lanes: the names alone say so."""
    mark = device.nos.split_mark if device.nos is not None else None
    if mark is None:
        return
    lines_of = {name: line for group, line in zip(lines.groups, lines.of, strict=True) for name in group.names}
    causes: dict[tuple[int, int], dict[str, list[str]]] = {}
    for name, line in lines_of.items():
        whole, _, part = name.rpartition(mark)
        if part.isdigit() and whole in lines_of:
            causes.setdefault((lines_of[whole], line), {}).setdefault(whole, []).append(name)
    for (whole_at, parts_at), found in causes.items():
        where, others = lines.places(tuple(dict.fromkeys((whole_at, parts_at))))
        first, parts = next(iter(found.items()))
        more = f"; the same for {len(found)} ports, {fold_names(tuple(found))}" if len(found) > 1 else ""
        yield Hit(
            f"{first} and {fold_names(tuple(parts))} are one cage, which is either whole or split{more}",
            where,
            f"keep {first} or its parts",
            others,
            severity=WARNING,
        )


# -- forward error correction ------------------------------------------------------------------------------------------


@rule(
    "LNK930",
    "link-fec",
    ERROR,
    source="IEEE 802.3 clauses 119 and 172: RS(544,514) is part of 200G to 800G; sonic-buildimage issue 23561",
)
def link_fec(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """A port of 200G or more without Reed-Solomon FEC: its link does not come up."""
    if plain_coding(port.fec or "") not in ("none", "fc") or port.inside:
        return  # inside a box there is no module, and the other end is its own
    if port.speed is None:
        yield from _judge_own_speed(device, port)
    if port.speed is None or port.speed < _NEEDS_RS:
        return
    yield Hit(
        f"fec is {port.fec} on a {show_rate(port.speed)} port: links of 200G and more need Reed-Solomon FEC, and "
        "the other end expects it, so the link stays down",
        (port.at("fec"), port.at()),
        "set fec: rs, or remove fec",
        ((port.at("speed"), "the speed"),),
    )


@kept_with_device
def _count_fec(device: Device) -> tuple[int, int]:
    """How many ports that are fast, or may be, have Reed-Solomon error correction, and how many do not."""
    kinds: dict[str | None, int] = {}
    for port in device.ports:
        if port.speed is None or port.speed >= _NEEDS_RS:
            kind = plain_coding(port.fec or "")
            kinds[kind] = kinds.get(kind, 0) + len(port.names)
    return kinds.get("rs", 0), kinds.get("none", 0) + kinds.get("fc", 0)


def _judge_own_speed(device: Device, port: PortGroup) -> Iterator[Hit]:
    """Of ports of a switch that take their own speed: whole ones may be as fast as the box, parts as the others are."""
    box, mark = device.box, device.nos.split_mark if device.nos is not None else None
    fastest = max(box.speeds, default=0) if box is not None else 0
    split = any(mark and mark in name.removeprefix("swp") for name in port.names)  # swp1s0
    if device.running is None:
        return
    with_rs, without = _count_fec(device)
    if fastest >= _NEEDS_RS and not split:
        why = f"may be {show_rate(fastest)}"
    elif with_rs >= _EQUALS * without:
        why = f"is unknown, while {with_rs} other ports have Reed-Solomon FEC"
    else:
        return
    yield Hit(
        f"fec is {port.fec}, and the speed of the port {why}: at 200G and more the link stays down without "
        "Reed-Solomon FEC",
        (port.at("fec"), port.at()),
        "set fec: rs or auto, or state the speed if it is 100G or less",
        severity=WARNING,
    )


RULES: tuple[Rule, ...] = (port_lanes, link_fec)
