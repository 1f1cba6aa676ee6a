"""Buffers of Broadcom XGS switches: the MMU queue profile in force, and the headroom pool."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.model.stated import Section, Val
from rocecfg.vendors.arista.reading.parse import State
from rocecfg.vendors.arista.reading.switchwide import Switchwide


class Mmu(NamedTuple):
    """What an MMU queue profile says, each value with its place. Bytes; shares of the free pool."""

    name: str | None = None  # None: EOS's own
    alpha: Val | None = None
    headroom: Val | None = None
    groups: dict[int, Val] = {}  # noqa: RUF012 - never changed. Shares by priority group
    queues: dict[int, Val] = {}  # noqa: RUF012 - shares by unicast queue


def applied(switch: Switchwide, named: Val | None) -> Mmu:
    """The profile of that name; EOS's own where there is no name, or nothing behind it."""
    state = switch.mmus.get(named.value) if named is not None else None
    if named is None or state is None:
        return Mmu()
    alpha, headroom = state.get("alpha"), state.get("headroom")
    return Mmu(
        named.value,
        _share(alpha) if alpha is not None else None,
        _size(switch, headroom, "the headroom of an MMU queue profile") if headroom is not None else None,
        _shares(state, "group"),
        _shares(state, "threshold"),
    )


def pool(switch: Switchwide) -> Val | None:
    """The shared headroom pool, in bytes."""
    given = switch.globals.get("pool")
    return None if given is None else _size(switch, given, "the headroom pool")


def section(switch: Switchwide, mmu: Mmu) -> Section:
    """The intent's `buffers` of the switch."""
    given = {"alpha": mmu.alpha, "shared_headroom": pool(switch)}
    return {key: val for key, val in given.items() if val is not None}


def _shares(state: State, of: str) -> dict[int, Val]:
    return {key[1]: _share(val) for key, val in state.items() if isinstance(key, tuple) and key[0] == of}


def _share(val: Val) -> Val:
    """`1/8` as a number."""
    over, slash, under = val.value.partition("/")
    return Val(int(over) / int(under) if slash else int(over), val.at)


def _size(switch: Switchwide, val: Val, what: str) -> Val | None:
    """Bytes or cells as bytes; None where cells are of unknown size."""
    number, unit = val.value
    if unit == "bytes":
        return Val(number, val.at)
    if switch.cell is None:
        switch.unjudged(f"{what} in cells, whose size is the chip's: it is not stated", val.at)
        return None
    return Val(number * switch.cell, val.at)
