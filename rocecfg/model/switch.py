"""What every reader gives back: a switch's configuration in the terms of the intent, each value with its place.

A reader fills in `Switch` with what its text says, defaults of the release included where the text is silent.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping

from rocecfg.core.records import NamedTuple
from rocecfg.model import Running, RunningPort, Span
from rocecfg.model.catalogue import What
from rocecfg.model.fates import Fates
from rocecfg.model.stated import Problem, Section, Unread, Val

TCS = range(8)


class Chain(NamedTuple):
    """How packets are sorted. Every entry is in force: a default of the release where the text says nothing."""

    dscp: tuple[Val, ...]  # 64: traffic class
    queue: tuple[Val, ...]  # 8: queue of each traffic class
    group: tuple[Val, ...]  # 8: priority group of each traffic class
    priority: tuple[Val, ...]  # 8: PFC priority that pauses each traffic class
    tags: tuple[Val, ...] = ()  # 8: traffic class of each 802.1p value; (): no port is known to sort by them
    stops: tuple[Val, ...] = ()  # 8: queue that a received pause of each PFC priority stops; (): the same number
    pauses: tuple[Val, ...] = ()  # 8: priority group that each PFC priority is sent for; (): the same number


class Port(NamedTuple):
    """A port, or ports said together. `section`: intent keys other than classes (speed, mtu, cable, trust, pfc ...)."""

    names: tuple[str, ...]  # (): every port, where the configuration names none
    at: Span
    section: Section
    pfc: Mapping[int, Span]  # priorities with PFC on, and where that is said
    queues: Mapping[int, Section]  # by number: how each sends, in keys of an intent's class; what none says is unknown
    running: RunningPort | None = None
    unpaused: Span | None = None  # where it is said that no priority has PFC
    chain: Chain | None = None  # how packets are sorted here, where that is not as on the switch otherwise; one object
    # for the ports that sort alike


class Neighbour(NamedTuple):
    """The far end of a port, where the configuration tells."""

    port: str
    device: str
    far_port: str | None
    at: Span


class Idle(NamedTuple):
    """A statement that is understood and has no effect here: nothing applies its profile, or what it is for is off."""

    at: Span
    text: str  # with its values, and with the profile that it stands in
    ports: tuple[str, ...] = ()  # (): it is of none, or of the switch


class Fact(NamedTuple):
    """A setting's value, and where the configuration says or implies it."""

    value: Hashable
    at: Span


Facts = dict[What, Fact]


class Switch(NamedTuple):
    """One switch as its configuration has it."""

    name: str | None  # its hostname
    at: Span  # the whole: where findings about the switch itself point
    section: Section  # intent keys of a device other than classes and ports: vendor, version, hwsku, buffers ...
    chain: Chain
    ports: tuple[Port, ...]
    running: Running
    problems: tuple[Problem, ...] = ()
    neighbours: tuple[Neighbour, ...] = ()
    word: str = "tc"  # what its vendor counts: classes are named tc3, or sp3
    unread: tuple[Unread, ...] = ()
    idle: tuple[Idle, ...] = ()
    # every setting in its vendor's own terms, by port, those of the switch by "": references are followed, and defaults
    # filled in, which stand at the switch; two configurations are compared by these, too
    in_force: Callable[[], Mapping[str, Facts]] = dict
    weigh: Callable[[], Fates] = Fates  # finds the fates of all statements of its text

    @property
    def fates(self) -> Fates:
        """The fates of all statements of its text: they are weighed anew, as most who read a switch do not ask."""
        return self.weigh()
