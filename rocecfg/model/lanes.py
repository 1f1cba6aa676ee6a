"""Lanes of a box: how many each cage has, on which of them a port begins, how many it takes, and which ports clash.

A cage holds one module. A port takes 1, 2, 4 or 8 of its lanes, beginning at a multiple of as many. At one speed a port
may take few fast lanes or many slow ones: here it takes the fewest, so that what clashes does so on any module.
"""

from __future__ import annotations

from functools import lru_cache

from rocecfg.core.nodeset import fold, fold_grid, node_set
from rocecfg.core.records import NamedTuple

_SPLIT_MARKS = ("s", ":", "/")  # swp1s0, et-0/0/1:0, ethernet-1/1/2
WHOLE = -1  # a port that is its cage, where the parts of a split one have names of their own


class Cages(NamedTuple):
    """Cages in a row that are alike."""

    number: int  # how many there are
    lanes: int  # of each
    lane: int  # bit/s: the fastest rate of a lane
    fewest: tuple[tuple[int, int], ...] = ()  # (bit/s, lanes): where a port takes more than that rate asks for

    def count_lanes(self, speed: int) -> int:
        """The fewest lanes that a port of `speed` bit/s takes: ceil(speed / lane), up to a power of two; at most all.

        The power of two is how Ethernet's lanes are bundled; the figures are the platform's.
        """
        for known, lanes in self.fewest:
            if known == speed:
                return lanes
        return min(self.lanes, power_of_two(-(-speed // self.lane)))


class Cage(NamedTuple):
    """A cage, and the names that ports on it may have."""

    of: Cages
    whole: str | None  # the port that is all of it, where parts have names of their own
    names: tuple[str, ...]  # the port that begins at each lane; of a split cage: its parts


class Clash(NamedTuple):
    """Ports of one cage that cannot all be. Ports are (number of their group, name)."""

    kind: str  # overlap | past the end | between | whole and split | too many parts
    cage: int
    first: tuple[int, str]  # the port that takes the lanes
    others: tuple[tuple[int, str], ...]  # the ports that it leaves none to
    ways: int = 1  # parts that the cage is split into


class Layout:
    """The cages of a box under the names that a NOS gives their ports."""

    __slots__ = ("cages", "places")

    def __init__(self, cages: tuple[Cage, ...]) -> None:
        self.cages = cages
        self.places: dict[str, tuple[int, int]] = {}  # name -> its cage; the lane it begins at, or its part, or WHOLE
        for n, cage in enumerate(cages):
            if cage.whole is not None:
                self.places[cage.whole] = n, WHOLE
            self.places.update((name, (n, at)) for at, name in enumerate(cage.names))

    def list_valid(self, speed: int) -> str:
        """The ports that there can be together at `speed` bit/s, as node sets; "" where no cage carries it."""
        plain, parts = self.list_ports_at(speed)
        return fold_names(plain) + (f", or split {fold_names(parts)}" if parts else "")

    def whole(self) -> str:
        """The ports that are cages as they are, not split, as a node set."""
        return fold_names(tuple(cage.whole if cage.whole is not None else cage.names[0] for cage in self.cages))

    def list_ports_at(self, speed: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The same names one by one: those named for their lane or their whole cage, and the parts of split cages."""
        fit = [c for c in self.cages if c.of.lanes * c.of.lane >= speed]
        whole = [c.whole for c in fit if c.whole is not None]
        ports = [c.names[:: c.of.count_lanes(speed)] for c in fit if c.whole is None]
        parts = [c.names[: c.of.lanes // c.of.count_lanes(speed)] for c in fit if c.whole is not None]
        return (*whole, *(n for names in ports for n in names)), tuple(n for ns in parts if len(ns) > 1 for n in ns)


def fold_names(names: tuple[str, ...]) -> str:
    """Names as one node set, the shorter of two ways."""
    return min(fold(names), fold_grid(names), key=len)


def power_of_two(number: int) -> int:
    """The first power of two that is not below `number`."""
    return 1 << max(number - 1, 0).bit_length()


@lru_cache(maxsize=256)
def build_layout(ports: str, cages: tuple[Cages, ...]) -> Layout | None:
    """The cages under the names of `ports`, a node set in the order of the cages and their lanes.

    A name that is another one's with `s`, `:` or `/` and a number (`swp1s0`, `et-0/0/1:0`, `ethernet-1/1/2`) is a part
    of that split cage; otherwise there is a name for each lane, or one for each cage. None where the names are more or
    fewer; where parts have names, cages of one lane behind all others may have none (SFP+ beside the front ports).
    """
    names = node_set(ports).names
    each = [run for run in cages for _ in range(run.number)]
    parts = _find_split_parts(names)
    if parts:
        wholes = [name for name in names if name not in parts]
        split: dict[str, list[str]] = {}
        for part, whole in parts.items():
            split.setdefault(whole, []).append(part)
        unnamed = each[len(wholes) :]
        if len(wholes) > len(each) or any(run.lanes > 1 for run in unnamed):
            return None
        return Layout(tuple(Cage(of, w, tuple(split.get(w, ()))) for of, w in zip(each, wholes, strict=False)))
    widths = [1 if len(names) == len(each) else run.lanes for run in each]
    if sum(widths) != len(names):
        return None
    out, start = [], 0
    for of, width in zip(each, widths, strict=True):
        out.append(Cage(of, None, names[start : start + width]))
        start += width
    return Layout(tuple(out))


def _find_split_parts(names: tuple[str, ...]) -> dict[str, str]:
    """Names of parts of split cages, and the cage's own."""
    have = frozenset(names)
    out = {}
    for name in names:
        for mark in _SPLIT_MARKS:
            whole, _, part = name.rpartition(mark)
            if part.isdigit() and whole in have:
                out[name] = whole
    return out


@lru_cache(maxsize=4096)
def find_clashes(of: Layout, groups: tuple[tuple[tuple[str, ...], int | None], ...]) -> tuple[Clash, ...]:
    """Ports that cannot all be, cage by cage; `groups`: names of ports, and their speed in bit/s where it is known."""
    used: dict[int, list[tuple[int, int, int, str]]] = {}  # cage -> where, lanes taken, group, name
    for group, (names, speed) in enumerate(groups):
        for name in names:
            place = of.places.get(name)
            if place is not None:
                takes = 1 if speed is None else of.cages[place[0]].of.count_lanes(speed)
                used.setdefault(place[0], []).append((place[1], takes, group, name))
    out: list[Clash] = []
    for n in sorted(used):
        cage = of.cages[n]
        out += (
            _find_split_clashes(n, cage, sorted(used[n]))
            if cage.whole is not None
            else _find_lane_clashes(n, cage, sorted(used[n]))
        )
    return tuple(out)


def _find_split_clashes(n: int, cage: Cage, ports: list[tuple[int, int, int, str]]) -> list[Clash]:
    """A cage is whole or split, and split into 2, 4 or 8 parts of equally many lanes."""
    parts = [port for port in ports if port[0] != WHOLE]
    if not parts:
        return []
    if len(parts) < len(ports):
        return [Clash("whole and split", n, ports[0][2:], tuple(port[2:] for port in parts))]
    ways = max(2, power_of_two(parts[-1][0] + 1))
    wide: dict[int, list[tuple[int, str]]] = {}  # by the lanes they take
    for _, takes, group, name in parts:
        if takes * ways > cage.of.lanes:
            wide.setdefault(takes, []).append((group, name))
    return [Clash("too many parts", n, first, tuple(others), ways) for first, *others in wide.values()]


def _find_lane_clashes(n: int, cage: Cage, ports: list[tuple[int, int, int, str]]) -> list[Clash]:
    """A port takes lanes from the one that it is named for."""
    out: list[Clash] = []
    taker: tuple[int, int, int, str] | None = None  # the last port that reaches furthest
    shared: list[tuple[int, str]] = []
    for port in ports:
        at, takes, *_ = port
        if taker is not None and at < taker[0] + taker[1]:
            shared.append(port[2:])
            continue
        if taker is not None and shared:
            out.append(Clash("overlap", n, taker[2:], tuple(shared)))
        taker, shared = port, []
        if at + takes > cage.of.lanes:
            out.append(Clash("past the end", n, port[2:], ()))
        elif at % takes:
            out.append(Clash("between", n, port[2:], ()))
    if taker is not None and shared:
        out.append(Clash("overlap", n, taker[2:], tuple(shared)))
    return out
