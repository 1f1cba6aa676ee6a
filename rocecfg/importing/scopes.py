"""The levels of an intent while it is put together: the fabric, each switch, each group of its ports."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence

from rocecfg.importing.majority import Weighed
from rocecfg.importing.texts import PortText, SwitchText
from rocecfg.source.write import Value


class Level:
    """What is said at one place: its keys, those below `pfc` apart."""

    __slots__ = ("pfc", "stated")

    def __init__(self, stated: dict[str, Value] | None = None) -> None:
        self.stated: dict[str, Value] = stated if stated is not None else {}
        self.pfc: dict[str, Value] = {}

    def merge(self, order: Sequence[str]) -> dict[str, Value]:
        """All of it, the keys named first, in that order, then the others, and `pfc` and `classes` last."""
        stated = {**self.stated, **({"pfc": self.pfc} if self.pfc else {})}
        last = ("pfc", "classes")
        keys = [*(k for k in order if k in stated), *(k for k in stated if k not in (*order, *last))]
        return {key: stated[key] for key in [*keys, *(k for k in last if k in stated)]}


class Levels:
    """All places of an intent, parallel to the switches and their groups of ports."""

    def __init__(self, switches: Sequence[SwitchText]) -> None:
        self.switches = switches
        self.top = Level()  # for every switch and port: `defaults` and `pfc`
        self.buffers: dict[str, Value] = {}  # of every switch
        self.own = [Level() for _ in switches]
        self.ports = [[Level() for _ in switch.ports] for switch in switches]

    def collect_rows(self, value: Callable[[SwitchText, PortText], Hashable]) -> list[list[Weighed]]:
        """A value of every group of ports, and how many ports those are."""
        return [[Weighed(value(s, port), max(1, len(port.names))) for port in s.ports] for s in self.switches]

    def iter_groups(self) -> Iterator[tuple[int, int, Level, PortText]]:
        """Every group of ports: number of its switch, its own number there, its level, what is known of it."""
        for n, (levels, switch) in enumerate(zip(self.ports, self.switches, strict=True)):
            for p, (level, port) in enumerate(zip(levels, switch.ports, strict=True)):
                yield n, p, level, port
