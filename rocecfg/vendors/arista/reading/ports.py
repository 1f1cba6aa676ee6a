"""What a kind of port does: layer, trust, speed, PFC and its watchdog."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from rocecfg.model import RunningPort, Span
from rocecfg.model.catalogue import plain_coding
from rocecfg.model.frozen import replace
from rocecfg.model.stated import MISSING, OFF, Section, Val
from rocecfg.model.switch import Port
from rocecfg.vendors.arista.reading.buffers import MmuProfile, get_mmu_profile
from rocecfg.vendors.arista.reading.commands import ACTIONS, ITSELF, PAUSES, REFUSED
from rocecfg.vendors.arista.reading.parse import State
from rocecfg.vendors.arista.reading.port_groups import AlikePorts
from rocecfg.vendors.arista.reading.queues import read_running_port, read_sendings
from rocecfg.vendors.arista.reading.switchwide import Switchwide

_SPEED = re.compile(r"(\d{1,6}(?:\.\d)?)([gt]?)(?:full|half)?(?:-\d+)?")
_SCALE = {"g": 10**9, "t": 10**12, "": 10**6}
_PAUSES = {ways: word for word, ways in PAUSES.items()}
_ROUTED_MTU = 1500  # bytes, of a routed port that states none


def find_lossless(switch: Switchwide, kind: AlikePorts) -> dict[int, Span]:
    """The priorities that PFC is on for, and where that is said."""
    if "pfc" not in kind.state or "all off" in switch.globals:
        return {}
    return find_no_drop(kind.state)


def find_no_drop(state: State) -> dict[int, Span]:
    """The priorities that are said to be lossless, whether PFC is on or not, ascending."""
    found = {key[1]: val.at for key, val in state.items() if key[0] == "prio" and val.value is True}
    return {int(priority): found[priority] for priority in sorted(found)}


def read_port(switch: Switchwide, kind: AlikePorts, mmu: MmuProfile, sorted_into: tuple[int, ...] = ()) -> Port:
    """What ports of one kind do. `mmu`: the profile of the whole switch; `sorted_into`: by a policy."""
    pfc = find_lossless(switch, kind)
    own = kind.state.get("mmu")
    if own is not None:
        mmu = get_mmu_profile(switch, own)
    section: Section = dict(_read_link(kind))
    section.update(_read_layer_settings(switch, kind))
    if pfc:
        given: Section = {"watchdog": read_watchdog(kind.state, switch.globals, pfc, kind.at)}
        if mmu.headroom is not None:
            given["headroom"] = Val({"size": mmu.headroom}, mmu.headroom.at)
        section["pfc"] = Val(given, next(iter(pfc.values())))
    speed = section.get("speed")
    queues = dict(read_sendings(switch, kind, speed.value if speed is not None else None))
    return Port(
        kind.names,
        kind.at,
        section,
        pfc,
        queues,
        _with_offers(kind, read_running_port(kind, mmu, pfc, sorted_into)),
        _find_pfc_off(switch, kind, pfc),
    )


def _find_pfc_off(switch: Switchwide, kind: AlikePorts, pfc: Collection[int]) -> Span | None:
    """Where it is said that no priority has PFC."""
    if pfc:
        return None
    off = switch.globals.get("all off") or kind.state.get("no pfc")
    if off is None and "pfc" in kind.state:
        off = next((val for key, val in kind.state.items() if key[0] == "no prio"), None)
    return None if off is None else off.at


def sorts_by_tag(port: Port) -> bool:
    """Whether ports sort packets by the 802.1p value of their tag."""
    trust = port.section.get("trust")
    return trust is not None and trust.value == "pcp"


def get_trust(switch: Switchwide, kind: AlikePorts) -> str | None:
    """What ports sort by: dscp, pcp or none; None: not known."""
    trust = dict(_read_layer_settings(switch, kind)).get("trust")
    return None if trust is None else trust.value


_NEGOTIATES = {ITSELF: "on", "forced": "off"}  # by the first word of `speed`; else it is as the rate has it


def _read_link(kind: AlikePorts) -> Iterator[tuple[str, Val]]:
    """What a port's cable ends in: speed, FEC, 802.3x, its LAG."""
    state = kind.state
    speed = _parse_speed(state.get("speed"))
    if speed is not None:
        yield "speed", speed
    way = _NEGOTIATES.get(state["speed"].value.lower().split()[0]) if "speed" in state else None
    if way is not None:
        yield "autoneg", Val(way, state["speed"].at)
    send, receive = state.get("send"), state.get("receive")
    pausing = [val for val in (send, receive) if val is not None]
    if pausing:
        on = next((val for val in pausing if val.value), pausing[0])
        yield "flowcontrol", Val(_PAUSES[_is_on(send), _is_on(receive)], on.at)
    fec = state.get("fec")
    if fec is not None:
        yield "fec", Val(plain_coding(fec.value.replace(" ", "-")), fec.at)
    group = state.get("group")
    if group is not None:
        yield "lag", Val(f"Port-Channel{group.value}", group.at)
    if kind.is_management:
        yield "faces", Val("management", kind.at)


def _is_on(val: Val | None) -> bool:
    return val is not None and bool(val.value)


def _parse_speed(given: Val | None) -> Val | None:
    """The rate of `400g-8`, `forced 100gfull` or `auto 25gfull`; None where it is left to the port, or to both ends."""
    rates = _list_rates(given)
    return Val(rates[0], given.at) if given is not None and len(rates) == 1 else None


def _list_rates(given: Val | None) -> tuple[int, ...]:
    """The rates that a line names, ascending; of `auto` those that are advertised."""
    found = [_SPEED.fullmatch(word) for word in given.value.lower().split()] if given is not None else []
    return tuple(sorted({round(float(one[1]) * _SCALE[one[2]]) for one in found if one is not None}))


def _with_offers(kind: AlikePorts, running: RunningPort) -> RunningPort:
    """With the rates that autonegotiation offers: the link has one that both ends offer."""
    given = kind.state.get("speed")
    rates = _list_rates(given)
    if given is None or not rates or given.value.lower().split()[0] != ITSELF:
        return running
    return replace(running, offers=rates, fastest=rates[-1], origins={**running.origins, "fastest": given.at})


def _read_layer_settings(switch: Switchwide, kind: AlikePorts) -> Iterator[tuple[str, Val]]:
    """Layer, MTU and trust: what holds of the latter two where nothing is said hangs on the first."""
    layer = None if kind.is_management else _find_layer(switch, kind)
    routed = layer is not None and layer.value == 3
    if layer is not None:
        yield "layer", layer
    mtu = kind.state.get("mtu") or switch.mtu
    if mtu is not None:
        yield "mtu", mtu
    elif routed and switch.whole:
        yield "mtu", Val(_ROUTED_MTU, kind.at)
    trust = kind.state.get("trust")
    if trust is not None:
        yield "trust", trust
    elif layer is not None:
        yield "trust", Val("dscp" if routed else "pcp", layer.at)


def _find_layer(switch: Switchwide, kind: AlikePorts) -> Val | None:
    """2 or 3; None where nothing tells, and what is not in the text is not known.

    An address makes no routed port: EOS ignores it on one that is none, and prints it all the same. In a part of a
    configuration, which may leave out what ports are by default, it tells of one.
    """
    state = kind.state
    for key, layer in (("layer", None), ("routed", 3), ("vlans", 2)):
        if key in state and not (key == "routed" and switch.whole):
            return Val(layer or state[key].value, state[key].at)
    if not switch.whole:
        return None
    routed = switch.globals.get("routed")
    return Val(2, kind.at) if routed is None else Val(3, routed.at)


_TIMES = {"detection_time": "timeout", "restoration_time": "recovery", "poll_interval": "polling"}


def read_watchdog(own: State, globals_: State, pfc: Iterable[int], at: Span) -> Val:
    """The watchdog of a port with PFC on the priorities `pfc`. `own`: the port's settings, with its profile's.

    It is on unless `no priority-flow-control pause watchdog` is said. Where neither times nor action are said it is
    the vendor's default: EOS's own times are not published.
    """
    on = own.get("watchdog")
    if on is not None and on.value is False:
        return Val(OFF, on.at)
    given = {key: own.get(name) or globals_.get(name) for key, name in _TIMES.items()}
    action = _read_action(own, globals_)
    at = on.at if on is not None else at
    if action is None and all(val is None for val in given.values()):
        return Val("vendor-default", at)
    section: Section = {key: _convert_time(val, at) for key, val in given.items()}
    section["action"] = action if action is not None else Val("errdisable", at)  # what EOS does unless told
    section["priorities"] = Val([Val(priority, at) for priority in pfc], at)
    return Val(section, at)


def _read_action(own: State, globals_: State) -> Val | None:
    override = globals_.get("override")
    if override is not None:
        return Val("drop", override.at)
    given = own.get("action") or globals_.get("action")
    return None if given is None else Val(ACTIONS[given.value], given.at)


def _convert_time(given: Val | None, at: Span) -> Val:
    """Seconds as ms; None where EOS's own time holds."""
    if given is None or given.value == ITSELF:
        return Val(None, given.at if given is not None else at)
    return Val(MISSING if given.value == REFUSED else _convert_to_milliseconds(given.value), given.at)


def _convert_to_milliseconds(seconds: float) -> Any:
    ms = round(seconds * 1000, 6)
    return int(ms) if ms == int(ms) else ms
