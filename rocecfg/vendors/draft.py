"""A switch's configuration in the terms of the model, before profiles add what its box, chip and system make of it.

Ports that are told the same are one group. Of the device is said how most of its ports send; what ports send otherwise
are changes of its classes there.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping

from rocecfg.core.nodeset import fold
from rocecfg.core.port_names import is_front_port
from rocecfg.core.records import NamedTuple
from rocecfg.intent.classes import build_class, build_maps, sorting_key
from rocecfg.intent.port_settings import ALL_CLASSES, CrossingClasses, build_port, cross_all, resolve_watchdog
from rocecfg.intent.precedence import EMPTY
from rocecfg.model import Default, Device, PortGroup, QosMaps, RunningPort, Span, TrafficClass
from rocecfg.model.catalogue import list_sent
from rocecfg.model.fates import Fates
from rocecfg.model.frozen import replace
from rocecfg.model.stated import OFF, Problem, Section, Unread, Val, make_section, strip_places
from rocecfg.model.switch import TCS, Chain, Neighbour, Port, Switch
from rocecfg.vendors.in_use import is_in_use

_LOSSY = Default("a class is lossy unless PFC is on for its priority")
_SENT = list_sent()


class Draft(NamedTuple):
    """What one switch's configuration says, small enough to be handed from one process to another."""

    name: str | None
    at: Span
    stated: Section  # of the switch: vendor, version, hwsku, buffers ...
    device: Device  # without its name, and without what profiles and that section make of it (`Boxes.complete`)
    unset: bool = False  # maps and queues are those that its system has anyway: nothing is said of them
    broken: frozenset[str] = frozenset()  # classes with values that could not be read
    problems: tuple[Problem, ...] = ()
    neighbours: tuple[Neighbour, ...] = ()
    unread: tuple[Unread, ...] = ()  # statements on queues, PFC and buffers
    fates: Fates = Fates()  # of all statements


def draft_of(switch: Switch) -> Draft:
    """A switch, as a reader gives it, in the terms of the model."""
    return _Drafter(switch).draft()


class _Drafter:
    def __init__(self, switch: Switch) -> None:
        self.switch = switch
        self.problems: list[Problem] = []
        self.broken: set[str] = set()
        self.usual = _find_usual_sendings(switch.ports)
        self.lossless: dict[int, Span] = {}
        # what ports with a chain of their own pause says nothing of the switch's classes
        for port in [port for port in switch.ports if port.chain is None] or switch.ports:
            for priority, at in port.pfc.items():
                self.lossless.setdefault(priority, at)
        self.stated = dict(switch.section)
        for port in switch.ports:
            if not port.names:  # every port, none of which is named
                self.stated.update(port.section)
        self.known = self._make_classes()
        self.classes = {self._name_class(of): self._build_class(of) for of in self.known.values()}
        self.maps = build_maps(tuple(self.classes.values()))
        self._own_maps: dict[QosMaps, QosMaps] = {}

    def draft(self) -> Draft:
        switch = self.switch
        groups: dict[Hashable, tuple[Port, CrossingClasses, list[str]]] = {}
        alike: dict[Hashable, list[str]] = {}  # by what readers share: queues that are one object need no second look
        for port in switch.ports:
            if not port.names:
                continue
            used = is_in_use(port, switch) and all(map(is_front_port, port.names))
            running = replace(port.running, in_use=True) if used and port.running is not None else port.running
            given = strip_places(port.section), running
            shared = (id(port.queues), id(port.chain), *given, tuple(port.pfc))
            names = alike.get(shared)
            if names is None:
                crossing = self._find_crossing(port)
                key = (*given, crossing._replace(at=switch.at))
                one = port._replace(running=running)
                names = alike[shared] = groups.setdefault(key, (one, crossing, []))[2]
            names.extend(port.names)
        ports = [
            self._make_port_group(tuple(names), port.section, port.at, crossing, port.running)
            for port, crossing, names in groups.values()
        ]
        classes = tuple(self.classes.values())
        if not ports:
            ports = [self._make_port_group((), EMPTY, switch.at, cross_all(classes, ALL_CLASSES), None)]
        return Draft(
            switch.name,
            switch.at,
            self.stated,
            Device(
                names=(),
                key="",
                vendor=None,
                role=None,
                classes=classes,
                maps=self.maps,
                ports=tuple(ports),
                running=switch.running,
                origins={"": switch.at},
            ),
            self._is_unset(),
            frozenset(self.broken),
            (*switch.problems, *self.problems),
            switch.neighbours,
            # a statement that is about several queues or ports counts once
            tuple(dict.fromkeys(Unread(one.at, one.message) for one in switch.unread)),
            switch.fates,
        )

    # -- classes -------------------------------------------------------------------------------------------------------

    def _make_classes(self) -> dict[int, Section]:
        """One class for each traffic class that packets are sorted into, or that PFC is on for.

        Of each what maps, PFC and the queue that it leaves by make of it, in an intent's keys; its place is its `tc`.
        """
        chain = self.switch.chain
        into = _group_by_class(chain)
        out: dict[int, Section] = {}
        for tc in TCS:
            paused = self.lossless.get(chain.priority[tc].value)
            dscps = into.get(tc, [])
            if dscps or paused is not None:
                of = _state_class(chain, tc, dscps, paused, paused or dscps[0].at)
                out[tc] = of | self.usual.get(chain.queue[tc].value, {})
        return out

    def _name_class(self, of: Section) -> str:
        return f"{self.switch.word}{of['tc'].value}"

    def _is_unset(self) -> bool:
        """Whether nothing is said of maps, queues and PFC. Implied is what stands at the switch, or a port's line."""
        if self.lossless or any(port.chain is not None for port in self.switch.ports):
            return False
        implied = {self.switch.at, *(port.at for port in self.switch.ports)}
        sent = [of[key] for of in self.known.values() for key in _SENT if key in of]
        points = [point for of in self.known.values() for point in of["dscp"].value]
        return all(part.at in implied or part.value in (None, OFF) for part in (*sent, *points))

    def _build_class(self, of: Section) -> TrafficClass:
        return build_class(self._name_class(of), of, of["tc"].at, self.problems, self.broken, lossy=_LOSSY)

    # -- ports ---------------------------------------------------------------------------------------------------------

    def _make_port_group(
        self, names: tuple[str, ...], own: Section, at: Span, crossing: CrossingClasses, running: RunningPort | None
    ) -> PortGroup:
        watched = resolve_watchdog(self.problems, self.stated, own)
        key, layers = fold(names) if names else "", (own, self.stated)
        return build_port(names, key, {"": at}, layers, crossing, watched, running=running)

    def _find_crossing(self, port: Port) -> CrossingClasses:
        at = next(iter(port.pfc.values()), port.at)
        here = (
            self._list_classes_by_switch(port) if port.chain is None else self._list_classes_by_chain(port.chain, port)
        )
        usual = {id(of) for of in self.known.values()}
        every = {n: self.classes[n] if id(of) in usual else self._build_class(of) for n, (of, _) in here.items()}
        changed = {name: cls for name, cls in every.items() if cls != self.classes.get(name)}
        names = tuple(name for name, (_, crosses) in here.items() if crosses)
        paused = tuple(sorted({cls.priority for name in names if (cls := every[name]).lossless}))
        maps = None
        if any(sorting_key(cls) != sorting_key(self.classes.get(name)) for name, cls in changed.items()):
            maps = build_maps(tuple(every.values()))
            maps = self.maps if maps == self.maps else self._own_maps.setdefault(maps, maps)
        return CrossingClasses(names, paused, at, tuple(changed.values()), maps)

    def _list_classes_by_switch(self, port: Port) -> dict[str, tuple[Section, bool]]:
        """The classes on a port that sorts as the switch does, and whether they cross it.

        All but the lossless ones that it has no PFC for do.
        """
        out: dict[str, tuple[Section, bool]] = {}
        for of in self.known.values():
            crosses = "lossless" not in of or of["priority"].value in port.pfc
            out[self._name_class(of)] = _send_on_port(of, port) if crosses else of, crosses
        return out

    def _list_classes_by_chain(self, chain: Chain, port: Port) -> dict[str, tuple[Section, bool]]:
        """The classes on a port that sorts by a chain of its own; those that the switch has, first."""
        into = _group_by_class(chain)
        looked_at = any(to.value is not None for to in chain.dscp)  # else packets are sorted by their tag
        out = {self._name_class(of): (of, True) for of in self.known.values()}
        for tc in TCS:
            usual = self.known.get(tc)
            paused = port.pfc.get(chain.priority[tc].value)
            dscps = into.get(tc, [])
            if usual is None and not dscps and paused is None:
                continue
            of = _state_class(chain, tc, dscps, paused, paused or (dscps[0].at if dscps else chain.queue[tc].at))
            crosses = True
            if usual is not None:
                of, crosses = _change_class(of, usual, looked_at=looked_at)
            out[self._name_class(of)] = _send_on_port(of, port), crosses
        return out


def _state_class(chain: Chain, tc: int, dscps: list[Val], paused: Span | None, at: Span) -> Section:
    """A class as an intent would state it. `paused`: where PFC is said to be on for it; None: it is not."""
    return make_section(
        tc=Val(tc, at),
        dscp=Val(dscps, dscps[0].at if dscps else at),
        priority=chain.priority[tc],
        queue=chain.queue[tc],
        pg=chain.group[tc],
        carries=Val([Val("rdma", at)] if paused is not None else [], at),
        lossless=Val(value=True, at=paused) if paused is not None else None,
    )


def _change_class(of: Section, usual: Section, *, looked_at: bool) -> tuple[Section, bool]:
    """A class as a port with a chain of its own has it, in place of the switch's usual one; whether it crosses."""
    crosses = True
    own = {key: val for key, val in of.items() if key != "tc" and (key != "dscp" or looked_at)}
    if "lossless" not in of:
        own["carries"] = usual["carries"]
        if looked_at and not of["dscp"].value:
            crosses = False
        elif "lossless" in usual:
            points = {point.value for point in of["dscp"].value}
            if not looked_at or points.intersection(point.value for point in usual["dscp"].value):
                crosses = False  # as on other ports that do not pause it
            else:  # packets of another class
                own |= {"lossless": Val(value=False, at=of["tc"].at), "carries": Val([], of["tc"].at)}
    return usual | {key: _prefer_usual(val, usual.get(key)) for key, val in own.items()}, crosses


def _prefer_usual(own: Val, usual: Val | None) -> Val:
    """What holds on a port: the switch's own word where that is the same."""
    return usual if usual is not None and strip_places(own) == strip_places(usual) else own


def _group_by_class(chain: Chain) -> dict[int, list[Val]]:
    """The code points of each traffic class."""
    into: dict[int, list[Val]] = {}
    for dscp, to in enumerate(chain.dscp):
        into.setdefault(to.value, []).append(Val(dscp, to.at))
    return into


def _send_on_port(of: Section, port: Port) -> Section:
    """A class as its queue sends it on a port, the very object where that is as usual. What is not said is off."""
    sent, changed = port.queues.get(of["queue"].value, {}), {}
    for key in _SENT:
        here, usual = sent.get(key), of.get(key)
        if here is None and usual is not None and usual.value not in (None, OFF):
            changed[key] = Val(OFF if key == "ecn" else None, port.at)
        elif here is not None and here is not usual and strip_places(here) != strip_places(usual):
            changed[key] = here
    return of | changed if changed else of


def _find_usual_sendings(ports: Iterable[Port]) -> dict[int, Section]:
    """How each queue sends on most ports, those with PFC before others: what is said of the device."""
    alike: dict[int, tuple[Mapping[int, Section], int]] = {}  # readers share the queues of ports that send alike
    for port in ports:
        weight = len(port.names) * (1000 if port.pfc else 1)
        alike[id(port.queues)] = port.queues, alike.get(id(port.queues), (None, 0))[1] + weight
    counted: dict[int, dict[Hashable, tuple[int, Section]]] = {}
    for queues, weight in alike.values():
        for number, sending in queues.items():
            votes = counted.setdefault(number, {})
            before, first = votes.get(key := strip_places(sending), (0, sending))
            votes[key] = before + weight, first
    return {number: max(votes.values(), key=lambda vote: vote[0])[1] for number, votes in counted.items()}
