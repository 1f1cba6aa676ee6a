"""The change of one device as acts in order, and what goes around it: save, drain, look, return."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from rocecfg.core.records import NamedTuple
from rocecfg.drift.changes import Mended, mend
from rocecfg.drift.intended import release_of
from rocecfg.drift.run import Compared
from rocecfg.model import Device
from rocecfg.model.switch import Switch
from rocecfg.rollout.types import Act, Part, worst
from rocecfg.vendors import load_part, row
from rocecfg.vendors.changes import MARKS, PORT_FLAP


class Moves(NamedTuple):
    """The ports whose PFC priorities change: what they were and what they become."""

    before: dict[str, tuple[int, ...]]
    after: dict[str, tuple[int, ...]]

    @property
    def ports(self) -> tuple[str, ...]:
        """In the intent's order."""
        return tuple(port for port in self.after if self.before.get(port, ()) != self.after[port])

    @property
    def shrinks(self) -> bool:
        """Whether PFC is only taken away."""
        return all(set(self.after[port]) < set(self.before.get(port, ())) for port in self.ports)


class Around(NamedTuple):
    """What is done around a change on one system."""

    save: tuple[str, ...]
    drain: tuple[str, ...]
    undrain: tuple[str, ...]
    keep: tuple[str, ...]  # so that a reboot brings the change back, last of all; (): its acts do
    verify: tuple[str, ...]
    back: tuple[str, ...]
    back_note: str


class System(Protocol):
    """A module of this package on one network operating system."""

    def acts(self, one: Compared, mended: Mended, moves: Moves, order: Sequence[str]) -> tuple[tuple[Act, ...], int]:
        """The acts in order, and how many settings differ even then."""
        ...

    def around(self, one: Compared, acts: Sequence[Act], ports: tuple[str, ...], label: str) -> Around:
        """What is done around them. `label`: a name for what is saved."""
        ...

    def whole(self, body: str, name: str, device: Device) -> str:
        """A whole configuration that has what is rendered for a device, under a name."""
        ...


def system(vendor: str) -> System:
    """The module of a vendor's system."""
    module: Any = load_part(vendor, f"rocecfg.rollout.{row(vendor).name}")
    of: System = module
    return of


def moves(one: Compared) -> Moves:
    """Which ports change their PFC priorities."""
    after = priorities(one.meant.switch)
    before = priorities(one.found.switch)
    changing = {port for port, settings in one.wanted.items() if port and any(w.topic == "pfc" for w in settings)}
    return Moves(
        {port: before.get(port, ()) for port in one.meant.ports},
        {port: after.get(port, ()) if port in changing else before.get(port, ()) for port in one.meant.ports},
    )


def priorities(switch: Switch) -> dict[str, tuple[int, ...]]:
    """The priorities with PFC on, by port."""
    return {name: tuple(sorted(port.pfc)) for port in switch.ports for name in port.names}


def ports_of(one: Compared) -> tuple[str, ...]:
    """The ports that change; where only the switch as a whole does, those that carry a lossless priority."""
    changing = tuple(port for port in one.meant.ports if port in one.wanted)
    return changing or tuple(port for port, found in priorities(one.meant.switch).items() if found)


class Worked(NamedTuple):
    """The change of devices that run and mean the same."""

    mended: Mended
    acts: tuple[Act, ...]
    left: int


def work_out(one: Compared, order: Sequence[str]) -> Worked:
    """The change of a device as acts in order."""
    mended = mend(one)
    return Worked(mended, *system(one.found.vendor).acts(one, mended, moves(one), order))


def part(one: Compared, worked: Worked, label: str, *, moving: bool) -> Part:
    """A device's part of a stage. `moving`: a lossless priority of its links moves, so nothing may use them."""
    ports = ports_of(one)
    around = system(one.found.vendor).around(one, worked.acts, ports, label)
    flaps = MARKS.index(worst(act.step.mark for act in worked.acts)) >= MARKS.index(PORT_FLAP)
    drained = moving or flaps
    return Part(
        (one.name,),
        one.found.vendor,
        ports,
        moves(one).ports,
        around.save,
        around.drain if drained else (),
        worked.acts,
        around.undrain if drained else (),
        around.keep if worked.acts else (),
        around.verify,
        around.back,
        around.back_note,
        worked.mended.change.beyond,
        worked.left,
    )


def left_of(mended: Mended) -> int:
    """Settings that differ even after a change."""
    return sum(map(len, mended.left.values()))


def version(one: Compared) -> tuple[int, ...]:
    """The release of a device as numbers, as far as it has any: 5.14 -> (5, 14); (): not known."""
    text = release_of(one.meant.device) or ""
    return tuple(int(word) for word in text.split(".") if word.isdigit())
