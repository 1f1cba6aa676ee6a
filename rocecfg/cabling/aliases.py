"""Far ports by other names than their devices use: SONiC announces a port's alias, and its name only as description."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from rocecfg.cabling.statements import End, Said

Ports = Mapping[str, AbstractSet[str]]  # of each device that says what it sees: the ports on which it does


def called_as_there(stated: Iterable[Said]) -> list[Said]:
    """The statements of devices on their neighbours, each far port by the name under which its own device speaks of it.

    A far device that reports, and not on a port of that name, may call it by another one: the one that its neighbour
    heard as description; or the only port on which it sees this device under a name that is none of its either.
    """
    found = list(stated)
    ports: dict[str, set[str]] = defaultdict(set)
    for one in found:
        if one.by is not None:
            ports[one.by].add(one.a.port)
    named = [_described(one, ports) for one in found]
    return _alone(named, ports)


def _is_strange(one: Said, ports: Ports) -> bool:
    return one.by is not None and one.b.device in ports and one.b.port not in ports[one.b.device]


def _described(one: Said, ports: Ports) -> Said:
    if _is_strange(one, ports) and one.described in ports[one.b.device]:
        return one._replace(b=End(one.b.device, one.described))
    return one


def _alone(named: Sequence[Said], ports: Ports) -> list[Said]:
    strange: dict[tuple[str, str], list[End]] = defaultdict(list)  # from one device to another: the near ports
    for one in named:
        if _is_strange(one, ports):
            strange[one.a.device, one.b.device].append(one.a)
    out = []
    for one in named:
        here = strange.get((one.a.device, one.b.device), [])
        back = strange.get((one.b.device, one.a.device), [])
        alone = _is_strange(one, ports) and len(here) == len(back) == 1
        out.append(one._replace(b=back[0]) if alone else one)
    return out
