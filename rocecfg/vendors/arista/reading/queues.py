"""The egress queues of a kind of port: scheduling, marking, dropping."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rocecfg.model import AUTO, RunningGroup, RunningPort, RunningQueue
from rocecfg.model.stated import OFF, Problem, Section, Val, make_section
from rocecfg.vendors.arista.reading.buffers import MmuProfile
from rocecfg.vendors.arista.reading.commands import REFUSED
from rocecfg.vendors.arista.reading.curves import convert_curve
from rocecfg.vendors.arista.reading.parse import State, denied_key
from rocecfg.vendors.arista.reading.port_groups import AlikePorts
from rocecfg.vendors.arista.reading.switchwide import Switchwide

_QUEUES = range(8)
_CONTROL = 7
STRICT = "strict"  # the bandwidth of a queue that is sent before others


def read_sendings(switch: Switchwide, kind: AlikePorts, speed: int | None) -> Iterator[tuple[int, Section]]:
    """How each queue sends, on ports of `speed` bit/s.

    A part of a configuration says it of the queues it names, and of the one for control traffic, which is fixed.
    """
    if kind.is_management:
        return
    named = {key[1] for key in kind.state if isinstance(key, tuple) and key[0] not in ("prio", "no prio", "no queue")}
    for number in _QUEUES:
        if number in named or number == _CONTROL or switch.whole:
            state = kind.state
            sent = make_section(
                bandwidth=_read_bandwidth(switch, kind, number),
                ecn=_read_ecn(switch, kind, number, speed),
                max_rate=_read_rate(state, "shape", number),
                guaranteed=_read_rate(state, "guaranteed", number),
            )
            yield number, sent


def _read_rate(state: State, key: str, number: int) -> Val | None:
    """A rate in bit/s or percent; a value of None where it is taken back; None where nothing is said of it."""
    return state.get((key, number)) or state.get(denied_key((key, number)))


def _read_bandwidth(switch: Switchwide, kind: AlikePorts, number: int) -> Val | None:
    """A share, or strict, which queues are unless told `no priority`; None where that is not known.

    A queue below a round-robin one may be round robin too, whatever is said of it (not confirmed by a device): where
    nothing is said, it is not known to be strict.
    """
    state = kind.state
    strict, share = state.get(("strict", number)), state.get(("share", number))
    if strict is None and any((found := state.get(("strict", n))) and not found.value for n in range(number + 1, 8)):
        return share
    if strict is not None and strict.value is False:
        return share
    if share is not None:
        switch.report(
            "device-conflict",
            share.at,
            f"bandwidth percent {share.value} of queue {number}, which is strict: only round-robin queues have shares, "
            "and queues are strict by default",
            f"write no priority below queue {number}, or no bandwidth percent",
        )
    given = strict or (state.get(("queue", number)) if switch.whole else None)
    return Val(STRICT, kind.at if given is None else given.at)


def find_unsure_queues(kinds: list[AlikePorts]) -> Iterator[Problem]:
    """Queues of lossless ports of which it is not known whether they are strict: those below a round-robin one."""
    reported = set()
    for kind in kinds:
        strict = {int(key[1]): val for key, val in kind.state.items() if key[0] == "strict"}
        turns = {number: val for number, val in strict.items() if not val.value}
        if "pfc" not in kind.state or not turns:
            continue
        highest = max(turns)
        for number in range(highest):
            given, share = strict.get(number), kind.state.get(("share", number))
            val = given if given is not None and given.value else share if given is None else None
            if val is None or val.at in reported:
                continue
            reported.add(val.at)
            what = "is strict" if val is given else "has a share and no `no priority`, so it is strict by default,"
            yield Problem(
                "eos-strict-below",
                val.at,
                f"queue {number} {what} below round-robin queue {highest}: reportedly, EOS serves all queues below a "
                "round-robin one in turn, despite their configuration (not confirmed on a device)",
                f"write no priority and bandwidth percent N below queue {number}; only queues above all round-robin "
                "ones can be strict",
                ((turns[highest].at, f"queue {highest} takes its turn"),),
            )


def _read_ecn(switch: Switchwide, kind: AlikePorts, number: int, speed: int | None) -> Val | None:
    """The marking curve; AUTO where packets are marked by one that is not known in bytes; None: nothing is said."""
    given = kind.state.get(("ecn", number))
    if given is None:
        delay = kind.state.get(("delay", number)) or kind.state.get("delay")
        if delay is not None:
            return Val(AUTO, delay.at)
        gone = kind.state.get(denied_key(("ecn", number)))
        return None if gone is None else Val(OFF, gone.at)
    if given.value == REFUSED:
        return Val(AUTO, given.at)
    segments = "segments" in given.value
    curve = convert_curve(given.value, given.at, speed, switch.cell if segments else None)
    if curve.value == AUTO:
        unknown = "segments, cells of a chip that is" if segments else "times, on ports whose speed is"
        switch.note_unjudged(f"ECN thresholds in {unknown} not stated", given.at)
    return curve


def read_running_port(
    kind: AlikePorts, mmu: MmuProfile, pfc: Collection[int], sorted_into: tuple[int, ...]
) -> RunningPort:
    """What the ports say beyond what an intent can. `pfc`: their lossless priorities."""
    up = kind.state.get("up") or kind.state.get(denied_key("up"))
    drops = {int(key[1]): val for key, val in kind.state.items() if key[0] == "drop"}
    counts = {int(key[1]): val for key, val in kind.state.items() if key[0] == "count"}
    turns = {number: turn for number in _QUEUES if (turn := _read_turn(kind.state, number)) is not None}
    unmarked, untrusted = kind.state.get("unmarked"), kind.state.get("untrusted")
    dcbx, version = kind.state.get("dcbx"), kind.state.get("dcbx version")
    lag_mtu = kind.state.get("lag mtu")
    return RunningPort(
        up=up is None or up.value is not False,
        maps=() if kind.profile is None else (("qos profile", kind.profile.value),),
        groups=tuple(
            RunningGroup(
                number,
                mmu.name,
                lossless=number in pfc,
                alpha=alpha.value,
                origins={"": alpha.at, "alpha": alpha.at},
            )
            for number, alpha in sorted(mmu.groups.items())
        ),
        queues=tuple(
            _make_running_queue(number, drops.get(number), counts.get(number), mmu, turns.get(number))
            for number in sorted({*drops, *counts, *turns, *mmu.queues})
        ),
        lag_mtu=None if lag_mtu is None else lag_mtu.value,
        dcbx=None if dcbx is None else dcbx.value,
        dcbx_version=version.value if version is not None and dcbx is not None and dcbx.value == "on" else None,
        unmarked=None if unmarked is None else unmarked.value,
        sorted_into=sorted_into,
        unmarked_dscp=None if untrusted is None else untrusted.value,
        origins={
            "": kind.at,
            "up": up.at if up is not None else kind.at,
            **({} if lag_mtu is None else {"lag_mtu": lag_mtu.at}),
            **({} if dcbx is None else {"dcbx": dcbx.at}),
            **({} if version is None else {"dcbx_version": version.at}),
            **({} if unmarked is None else {"unmarked": unmarked.at}),
            **({} if untrusted is None else {"unmarked_dscp": untrusted.at}),
        },
    )


def _read_turn(state: State, number: int) -> Val | None:
    """Whether a queue is told to take turns; False: it has a share, and nothing is said; None: neither."""
    strict, share = state.get(("strict", number)), state.get(("share", number))
    given = strict or share
    return None if given is None or (strict is not None and strict.value) else Val(strict is not None, given.at)


def _make_running_queue(
    number: int, dropping: Val | None, counting: Val | None, mmu: MmuProfile, turn: Val | None
) -> RunningQueue:
    threshold = mmu.queues.get(number)
    places = {"discards": dropping, "counted": counting, "turns": turn, "alpha": threshold}
    origins = {key: val.at for key, val in places.items() if val is not None}
    return RunningQueue(
        number,
        discards=True if dropping is not None else None,
        counted=True if counting is not None else None,
        turns=turn.value if turn is not None else None,
        profile=mmu.name if threshold is not None else None,
        alpha=threshold.value if threshold is not None else None,
        origins={"": next(iter(origins.values())), **origins},
    )
