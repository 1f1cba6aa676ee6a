"""A switch as an intent writes it: settings, classes and ports as texts, and notes on what it has no word for."""

from __future__ import annotations

from collections.abc import Mapping

from rocecfg.core.records import NamedTuple
from rocecfg.importing.curves import Curve
from rocecfg.importing.timers import Timers
from rocecfg.importing.unsupported import Note
from rocecfg.model.stated import OFF
from rocecfg.source.write import Value

SHARES = ("bandwidth", "max_rate", "guaranteed")  # what a class may leave unsaid
SPREAD = ("mtu", "trust", "flowcontrol", "fec", "layer")  # of ports, said as widely as they hold
UNLESS_SAID = {"trust": "dscp", "flowcontrol": OFF}  # what holds where nothing is said


class ClassText(NamedTuple):
    """A traffic class of one switch."""

    tc: int
    dscps: tuple[int, ...]
    priority: int
    queue: int
    pg: int
    lossless: bool
    shares: Mapping[str, Value]  # of SHARES, those that are said


class PortText(NamedTuple):
    """Ports that are told the same."""

    names: tuple[str, ...]
    settings: Mapping[str, Value]  # speed, cable, mtu, ...: keys of a port in an intent
    crossing: frozenset[int]  # traffic classes
    pfc: tuple[int, ...]  # priorities with PFC
    ecn: Mapping[int, Curve]  # curve of each traffic class that crosses
    timers: Timers  # of the watchdog
    headroom: Value | None
    own: Mapping[int, ClassText] = {}  # classes that cross, as these ports sort them, where not as the switch does

    @property
    def speed(self) -> str | None:
        """As written; None: not known."""
        return str(self.settings["speed"]) if "speed" in self.settings else None


class SwitchText(NamedTuple):
    """One switch."""

    name: str
    settings: Mapping[str, Value]  # vendor, version, platform, ...: keys of a device in an intent
    classes: Mapping[int, ClassText]  # by traffic class
    ports: tuple[PortText, ...]
    notes: tuple[Note, ...]  # what an intent cannot say of it
    unset: bool = False  # classes and queues are those that its system has anyway
    trimmed: frozenset[int] = frozenset()  # queues whose packets are trimmed on some port

    def without_classes(self) -> SwitchText:
        """The switch without its classes."""
        return self._replace(classes={}, ports=tuple(p._replace(crossing=frozenset(), ecn={}) for p in self.ports))

    @property
    def vendor(self) -> Value | None:
        """The vendor, where it is known."""
        return self.settings.get("vendor")
