"""Buffers of Broadcom XGS switches: the MMU queue profile in force, and the headroom pool."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.model.stated import Section, Val, make_section
from rocecfg.vendors.arista.reading.parse import State
from rocecfg.vendors.arista.reading.switchwide import Switchwide


class MmuProfile(NamedTuple):
    """What an MMU queue profile says, each value with its place. Bytes; shares of the free pool."""

    name: str | None = None  # None: EOS's own
    alpha: Val | None = None
    headroom: Val | None = None
    groups: dict[int, Val] = {}  # noqa: RUF012 - never changed. Shares by priority group
    queues: dict[int, Val] = {}  # noqa: RUF012 - shares by unicast queue


def get_mmu_profile(switch: Switchwide, named: Val | None) -> MmuProfile:
    """The profile of that name; EOS's own where there is no name, or nothing behind it."""
    state = switch.mmus.get(named.value) if named is not None else None
    if named is None or state is None:
        return MmuProfile()
    alpha, headroom = state.get("alpha"), state.get("headroom")
    return MmuProfile(
        named.value,
        _parse_share(alpha) if alpha is not None else None,
        _convert_to_bytes(switch, headroom, "the headroom of an MMU queue profile") if headroom is not None else None,
        _read_shares(state, "group"),
        _read_shares(state, "threshold"),
    )


def read_headroom_pool(switch: Switchwide) -> Val | None:
    """The shared headroom pool, in bytes."""
    given = switch.globals.get("pool")
    return None if given is None else _convert_to_bytes(switch, given, "the headroom pool")


def read_buffers(switch: Switchwide, mmu: MmuProfile) -> Section:
    """The intent's `buffers` of the switch."""
    return make_section(alpha=mmu.alpha, shared_headroom=read_headroom_pool(switch))


def _read_shares(state: State, of: str) -> dict[int, Val]:
    return {key[1]: _parse_share(val) for key, val in state.items() if isinstance(key, tuple) and key[0] == of}


def _parse_share(val: Val) -> Val:
    """`1/8` as a number."""
    over, slash, under = val.value.partition("/")
    return Val(int(over) / int(under) if slash else int(over), val.at)


def _convert_to_bytes(switch: Switchwide, val: Val, what: str) -> Val | None:
    """Bytes or cells as bytes; None where cells are of unknown size."""
    number, unit = val.value
    if unit == "bytes":
        return Val(number, val.at)
    if switch.cell is None:
        switch.note_unjudged(f"{what} in cells, whose size is the chip's: it is not stated", val.at)
        return None
    return Val(number * switch.cell, val.at)
