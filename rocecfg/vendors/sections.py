"""A switch's configuration as the section that an intent would have for it below `devices`.

From it the resolver makes the model: so profiles, sizes and rules are the same for an intent and for what runs.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from rocecfg.core.nodeset import fold
from rocecfg.model import Span
from rocecfg.model.stated import OFF, Section, Val
from rocecfg.model.switch import TCS, Chain, Port, Sending, Switch

_DIFFERS = ("ecn", "bandwidth", "max_rate", "guaranteed")  # what of a class may differ by port


def section_of(switch: Switch) -> Section:
    """The section of a device that an intent would have for this switch."""
    base = _usual(switch.ports)
    lossless: dict[int, Span] = {}
    # what ports with a chain of their own pause says nothing of the switch's classes
    for port in [port for port in switch.ports if port.chain is None] or switch.ports:
        for priority, at in port.pfc.items():
            lossless.setdefault(priority, at)
    classes = _classes(switch, base, lossless)
    names = {tc: f"{switch.word}{tc}" for tc in TCS if f"{switch.word}{tc}" in classes}
    ports: dict[Hashable, tuple[list[str], Span, Section]] = {}
    alike: dict[Hashable, list[str]] = {}  # by what readers share: queues that are one object need no second look
    out = dict(switch.section)
    for port in switch.ports:
        if not port.names:  # every port, none of which is named
            out.update(port.section)
            continue
        said = _frozen(port.section), port.running, tuple(port.pfc)
        shared = (id(port.queues), id(port.chain), *said)
        known = alike.get(shared)
        if known is not None:
            known.extend(port.names)
            continue
        section = dict(port.section)
        if port.chain is None:
            section["classes"] = _crossing(switch.chain, port, base, names, classes, lossless)
        else:
            section["classes"] = _sorted_by(port.chain, port, switch.word, classes)
        key = *said[:2], _frozen(section["classes"])
        if port.running is not None:
            section["running"] = Val(port.running, port.at)
        group = ports.setdefault(key, ([], port.at, section))
        group[0].extend(port.names)
        alike[shared] = group[0]
    out["classes"] = Val(classes, switch.at)
    out["running"] = Val(switch.running, switch.at)
    out["ports"] = Val({fold(tuple(names)): Val(section, at) for names, at, section in ports.values()}, switch.at)
    return out


def _usual(ports: Iterable[Port]) -> dict[int, Sending]:
    """How each queue sends on most ports, those with PFC before others: what is said of the device."""
    alike: dict[int, tuple[Mapping[int, Sending], int]] = {}  # readers share the queues of ports that send alike
    for port in ports:
        weight = len(port.names) * (1000 if port.pfc else 1)
        alike[id(port.queues)] = port.queues, alike.get(id(port.queues), (None, 0))[1] + weight
    counted: dict[int, dict[Hashable, tuple[int, Sending]]] = {}
    for queues, weight in alike.values():
        for number, sending in queues.items():
            votes = counted.setdefault(number, {})
            before, first = votes.get(key := _frozen(sending), (0, sending))
            votes[key] = before + weight, first
    return {number: max(votes.values(), key=lambda vote: vote[0])[1] for number, votes in counted.items()}


def _classes(switch: Switch, base: Mapping[int, Sending], lossless: Mapping[int, Span]) -> Section:
    """One class for each traffic class that packets are sorted into, or that PFC is on for."""
    chain = switch.chain
    into: dict[int, list[Val]] = {}
    for dscp, to in enumerate(chain.dscp):
        into.setdefault(to.value, []).append(Val(dscp, to.at))
    out: Section = {}
    for tc in TCS:
        priority = chain.priority[tc]
        paused = lossless.get(priority.value)
        dscps = into.get(tc, [])
        if not dscps and paused is None:
            continue
        at = paused or dscps[0].at
        said: Section = {
            "carries": Val([Val("rdma", at)] if paused is not None else [], at),
            "dscp": Val(dscps, dscps[0].at if dscps else at),
            "priority": priority,
            "tc": Val(tc, at),
            "queue": chain.queue[tc],
            "pg": chain.group[tc],
        }
        if paused is not None:
            said["lossless"] = Val(value=True, at=paused)
        said.update(_sending(base.get(chain.queue[tc].value)))
        out[f"{switch.word}{tc}"] = Val(said, at)
    return out


def _sending(sending: Sending | None) -> Section:
    return {key: val for key in _DIFFERS if (val := getattr(sending, key, None)) is not None}


def _crossing(
    chain: Chain,
    port: Port,
    base: Mapping[int, Sending],
    names: Mapping[int, str],
    classes: Section,
    lossless: Mapping[int, Span],
) -> Val:
    """The classes that cross a port: all but the lossless ones that it has no PFC for; or what differs there."""
    off = [tc for tc in names if chain.priority[tc].value in lossless and chain.priority[tc].value not in port.pfc]
    changes: dict[str, Val] = {}
    for tc, name in names.items():
        if tc in off:
            continue
        queue = chain.queue[tc].value
        differing = _differing(_sending(port.queues.get(queue)), _sending(base.get(queue)), port.at)
        if differing:
            changes[name] = Val(differing, port.at)
    at = next(iter(port.pfc.values()), port.at)
    if not changes:
        return Val([Val(name, classes[name].at) for tc, name in names.items() if tc not in off], at)
    changes.update({names[tc]: Val(OFF, port.at) for tc in off})
    return Val(changes, at)


def _differing(own: Section, usual: Section, at: Span) -> Section:
    """What of a class is sent otherwise than usual, or not said."""
    if _frozen(own) == _frozen(usual):
        return {}
    out: Section = {k: v for k, v in own.items() if _frozen(v) != _frozen(usual.get(k))}
    lacking = [key for key in usual if key not in own and usual[key].value != OFF]
    out.update({key: Val(OFF if key == "ecn" else None, at) for key in lacking})
    return out


def _sorted_by(chain: Chain, port: Port, word: str, classes: Section) -> Val:
    """What differs of classes on a port that sorts by a chain of its own; classes that it alone has in full."""
    into: dict[int, list[Val]] = {}
    for dscp, to in enumerate(chain.dscp):
        into.setdefault(to.value, []).append(Val(dscp, to.at))
    looked_at = any(to.value is not None for to in chain.dscp)  # else packets are sorted by their tag
    changes: Section = {}
    for tc in TCS:
        name = f"{word}{tc}"
        known = classes.get(name)
        usual: Section = known.value if known is not None else {}
        paused = port.pfc.get(chain.priority[tc].value)
        dscps = into.get(tc, [])
        if known is None and not dscps and paused is None:
            continue
        at = paused or (dscps[0].at if dscps else chain.queue[tc].at)
        here: Section = {"priority": chain.priority[tc], "queue": chain.queue[tc], "pg": chain.group[tc]}
        if looked_at or known is None:
            here["dscp"] = Val(dscps, at if not dscps else dscps[0].at)
        if paused is not None:
            here["lossless"] = Val(value=True, at=paused)
            here["carries"] = Val([Val("rdma", paused)], paused)
        elif looked_at and not dscps:
            here["crosses"] = Val(value=False, at=port.at)
        elif "lossless" in usual:
            own = {val.value for val in dscps}
            if not looked_at or own.intersection(val.value for val in usual["dscp"].value):
                here["crosses"] = Val(value=False, at=port.at)  # as on other ports that do not pause it
            else:  # packets of another class
                here["lossless"], here["carries"] = Val(value=False, at=at), Val([], at)
        if known is None:
            here = {"carries": Val([], at), "tc": Val(tc, at), **here}
        changed: Section = {k: v for k, v in here.items() if _frozen(v) != _frozen(usual.get(k))}
        changed.update(_differing(_sending(port.queues.get(chain.queue[tc].value)), _sent(usual), port.at))
        if changed:
            changes[name] = Val(changed, at)
    return Val(changes, next(iter(port.pfc.values()), port.at))


def _sent(usual: Section) -> Section:
    return {key: usual[key] for key in _DIFFERS if key in usual}


def _frozen(value: Any) -> Hashable:
    """A value without its places, hashable: what two ports that are told the same have in common."""
    if isinstance(value, Val):
        value = value.value
    if isinstance(value, dict):
        return tuple((key, _frozen(part)) for key, part in value.items())
    if isinstance(value, list | tuple):
        return tuple(map(_frozen, value))
    hashable: Hashable = value
    return hashable
