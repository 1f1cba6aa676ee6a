"""Ports that are set unlike the many beside them: one left out, or one with lines of its own over its profile."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from rocecfg.core.nodeset import fold
from rocecfg.model.stated import Problem
from rocecfg.vendors.arista.reading.commands import REFUSED, Key
from rocecfg.vendors.arista.reading.parse import denied_key, quote_line
from rocecfg.vendors.arista.reading.port_groups import AlikePorts
from rocecfg.vendors.arista.reading.ports import find_no_drop
from rocecfg.vendors.arista.reading.switchwide import Switchwide

_FEW = 8  # one port in so many is taken for left out or touched by hand, more are taken for meant
_BY_HAND = 2  # ports that a line was typed below for the moment; more are a group that is meant so
_LEAST = 4  # ports that make a rule of what they have in common
_SAID = frozenset({"profile", "pfc", "no pfc", "no profile", "policy"})  # by which a port says what it does with RDMA
_LINK = ("speed", "layer", "group", "vlans", "routed")
# Settings of a port that its profile usually makes, but for those that older releases take below the port alone.
_OF_PROFILES = frozenset(
    {"pfc", "prio", "action", "timeout", "polling", "recovery", "strict", "share", "shape", "ecn", "drop", "delay"}
)


def find_odd_ports(switch: Switchwide, kinds: list[AlikePorts]) -> Iterator[Problem]:
    """Ports unlike the others. `kinds`: the ports of the text, those together that are told the same."""
    ports = [kind for kind in kinds if not kind.is_management and kind.names]
    if switch.whole:
        yield from _check_bare_ports(switch, ports)
    yield from _check_own_lines(switch, ports)
    yield from _check_denials(switch, ports)


def _check_bare_ports(switch: Switchwide, ports: list[AlikePorts]) -> Iterator[Problem]:
    """Ports in use that say nothing of PFC, while nearly all ports with such links are lossless."""
    if "all off" in switch.globals:
        return
    lossless: dict[Hashable, list[AlikePorts]] = {}
    bare: dict[Hashable, list[AlikePorts]] = {}
    for kind in ports:
        up = kind.state.get("up")
        if "pfc" in kind.state and find_no_drop(kind.state):
            lossless.setdefault(_link_key(switch, kind), []).append(kind)
        elif kind.stated and (up is None or up.value) and not _SAID.intersection(kind.state):
            bare.setdefault(_link_key(switch, kind), []).append(kind)
    for link, left in bare.items():
        others = lossless.get(link, [])
        names = tuple(name for kind in left for name in kind.names)
        most = sum(len(kind.names) for kind in others)
        if most < _LEAST or len(names) * (_FEW - 1) > most:
            continue
        profile = others[0].profile
        have = f"have service-profile {profile.value[:100]}" if profile is not None else "have PFC"
        yield Problem(
            "eos-port-bare",
            left[0].at,
            f"{fold(names)} {'has' if len(names) == 1 else 'have'} no qos profile and no PFC, but {most} ports "
            f"with similar links {have}: RDMA that crosses here is neither paused nor "
            "marked, and is dropped",
            f"write service-profile {profile.value[:100] if profile is not None else 'NAME'} below the interface; if "
            "no RDMA crosses it, `no priority-flow-control` states that",
            ((others[0].at, "a port with PFC"),),
        )


def _link_key(switch: Switchwide, kind: AlikePorts) -> Hashable:
    """What ports have in common that are used alike: speed, MTU, and whether they are routed, switched or in a LAG."""
    mtu = kind.state.get("mtu") or switch.mtu
    given = ((key, kind.state.get(key)) for key in _LINK)
    return (
        None if mtu is None else mtu.value,
        *((key, val.value if key in ("speed", "layer") else True) for key, val in given if val is not None),
    )


def _check_own_lines(switch: Switchwide, ports: list[AlikePorts]) -> Iterator[Problem]:
    """Lines of few ports that add to a profile what the other ports with it do not have."""
    bound: dict[str, list[AlikePorts]] = {}
    for kind in ports:
        if kind.profile is not None and kind.profile.value in switch.profiles:
            bound.setdefault(kind.profile.value, []).append(kind)
    for name, kinds in bound.items():
        many = sum(len(kind.names) for kind in kinds)
        reported = set()
        for kind in kinds:
            for key in _find_added_keys(switch, kind, name):
                val = kind.stated[key]
                having = tuple(n for other in kinds if key in other.stated for n in other.names)
                if many < _LEAST or len(having) > _BY_HAND or len(having) * _FEW > many or val.at in reported:
                    continue
                reported.add(val.at)
                line = switch.document.text[val.at.start : val.at.end].strip()
                where = "" if isinstance(key, str) or key[0] == "prio" else f" of queue {key[1]}"
                yield Problem(
                    "eos-port-own",
                    val.at,
                    f"{quote_line(line)}{where} is set below {fold(having)} with profile {name[:100]}, but "
                    f"{many - len(having)} other ports with that profile do not have it: this port differs, and its "
                    "profile does not show it",
                    f"set it in qos profile {name[:100]}, give the port a profile of its own, or remove the line",
                )


def _find_added_keys(switch: Switchwide, kind: AlikePorts, name: str) -> Iterator[Key]:
    of = switch.profiles[name]
    for key, val in kind.stated.items():
        if (key if isinstance(key, str) else key[0]) in _OF_PROFILES and key not in of and val.value != REFUSED:
            yield key


def _check_denials(switch: Switchwide, ports: list[AlikePorts]) -> Iterator[Problem]:
    """Lines below a port by which it is to be without what its profile says."""
    if switch.head.run_all:
        return  # prints a `no` for all that the port itself does not have
    for kind in ports:
        of = switch.profiles.get(kind.profile.value) if kind.profile is not None else None
        reported = set()
        for key in of or ():
            val = kind.stated.get(denied_key(key))
            if val is None or key in kind.stated or val.at in reported or key == "profile":
                continue
            reported.add(val.at)
            line = switch.document.text[val.at.start : val.at.end].strip()
            yield Problem(
                "device-conflict",
                val.at,
                f"{quote_line(line)} below {fold(kind.names)} removes a line of its profile "
                f"{kind.profile.value[:100]}, not one of the port: "  # type: ignore[union-attr]
                "which of the two applies is not documented",
                "give the port a profile of its own, without it",
                ((of[key].at, "the profile says it here"),) if of is not None else (),
            )
