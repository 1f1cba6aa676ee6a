"""Links between switches of one import, from what each knows of its neighbours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from rocecfg.core.records import NamedTuple
from rocecfg.importing.format import Quoted
from rocecfg.importing.portsets import by_number, fold_short
from rocecfg.model.switch import Neighbour
from rocecfg.source.write import Value

End = tuple[str, str]  # switch, port


class KnownSwitch(NamedTuple):
    """A switch: its name here, the name that others know it by, its ports and its neighbours."""

    name: str
    hostname: str | None
    ports: frozenset[str]
    neighbours: Sequence[Neighbour]


class FoundLinks(NamedTuple):
    """Links as an intent lists them; and ports whose two ends contradict each other, which are in none."""

    links: list[Value]
    disputed: list[End]


class _Line(NamedTuple):
    """An entry of `links`: switches are the outer loop, ports the inner, the ends paired in order."""

    a: tuple[str, ...]
    a_ports: tuple[str, ...]
    b: tuple[str, ...]
    b_ports: tuple[str, ...]


def find_links(switches: Sequence[KnownSwitch]) -> FoundLinks:
    """The links of switches to each other; what leads elsewhere is left out."""
    order = {switch.name: n for n, switch in enumerate(switches)}
    wires = _find_wires(switches)
    uses = Counter(end for wire in wires for end in wire)
    disputed = sorted((end for end, count in uses.items() if count > 1), key=lambda e: (order[e[0]], by_number(e[1])))
    sure = [sorted(wire, key=lambda e: order[e[0]]) for wire in wires if all(uses[end] == 1 for end in wire)]
    sure.sort(key=lambda w: (order[w[0][0]], order[w[1][0]], by_number(w[0][1])))
    lines: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for (a, a_port), (b, b_port) in sure:
        lines.setdefault((a, b), []).append((a_port, b_port))
    each = [
        _Line((a,), tuple(p for p, _ in ports), (b,), tuple(p for _, p in ports)) for (a, b), ports in lines.items()
    ]
    near, far = _join_near(each), _join_near(map(_turn, each))  # far: a leaf's link to each spine
    shortest = min((near, list(map(_turn, far))), key=len)
    return FoundLinks(
        [{"a": _format_end(line.a, line.a_ports), "b": _format_end(line.b, line.b_ports)} for line in shortest],
        disputed,
    )


def _find_wires(switches: Sequence[KnownSwitch]) -> list[frozenset[End]]:
    """Every link that one of its ends, or both, tell."""
    named = _index_by_hostname(switches)
    reported: dict[frozenset[End], None] = {}
    partly: list[tuple[str, str, str]] = []  # switch, port, the switch at its far end: of which the port is not known
    for switch in switches:
        for neighbour in switch.neighbours:
            far = named.get(neighbour.device.casefold()) or named.get(neighbour.device.partition(".")[0].casefold())
            if far is None or far is switch or neighbour.port not in switch.ports:
                continue
            if neighbour.far_port in far.ports:
                reported[frozenset(((switch.name, neighbour.port), (far.name, neighbour.far_port or "")))] = None
            else:
                partly.append((switch.name, neighbour.port, far.name))
    known = {end for wire in reported for end in wire}
    left: dict[tuple[str, str], dict[str, None]] = {}
    for here, port, there in partly:
        if (here, port) not in known:
            left.setdefault((here, there), {})[port] = None
    for (here, there), ports in left.items():
        back = left.get((there, here), {})
        if len(ports) == len(back) == 1:  # the only ones: they can but lead to each other
            reported[frozenset(((here, *ports), (there, *back)))] = None  # type: ignore[arg-type]
    return list(reported)


def _index_by_hostname(switches: Iterable[KnownSwitch]) -> dict[str, KnownSwitch]:
    """Switches by hostname; a name that two have tells nothing."""
    found: dict[str, dict[str, KnownSwitch]] = {}
    for switch in switches:
        for name in ((switch.hostname or switch.name).casefold(), switch.name.casefold()):
            for known_as in (name, name.partition(".")[0]):
                found.setdefault(known_as, {})[switch.name] = switch
    return {name: known.popitem()[1] for name, known in found.items() if len(known) == 1}


def _join_near(lines: Iterable[_Line]) -> list[_Line]:
    """Lines with the same far switch and the same near ports as one: every leaf's uplinks to a spine."""
    found: dict[object, _Line] = {}
    for line in lines:
        key = (line.b, line.a_ports)
        have = found.get(key)
        found[key] = line if have is None else have._replace(a=have.a + line.a, b_ports=have.b_ports + line.b_ports)
    return list(found.values())


def _turn(line: _Line) -> _Line:
    return _Line(line.b, line.b_ports, line.a, line.a_ports)


def _format_end(switches: tuple[str, ...], ports: tuple[str, ...]) -> Value:
    return Quoted(f"{fold_short(switches)}:{fold_short(ports)}")
