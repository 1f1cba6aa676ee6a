"""LAGs of ports: one for all ports of a key, or a node set of as many, paired with them in written order."""

from __future__ import annotations

from rocecfg.core.nodeset import fold, names_of, node_set
from rocecfg.core.records import NamedTuple
from rocecfg.intent.nodeset_merge import Group, groups
from rocecfg.model.stated import MISSING, Problem, Section, Val

_KEY = "lag"


class _Paired(NamedTuple):
    """The LAG of each port of a key."""

    ports: tuple[str, ...]
    lags: tuple[str, ...]


def port_groups(keyed: dict[str, Val], problems: list[Problem]) -> list[Group]:
    """The groups of ports below `ports`, each in one LAG or in none. Node sets that do not pair are reported."""
    paired = {key: _paired(key, val, problems) for key, val in keyed.items()}
    found = groups(paired, "port", problems)
    return [part for group in found for part in _parts(group)]


def _paired(key: str, val: Val, problems: list[Problem]) -> Val:
    """The section of a key, with the LAG of each of its ports where several are named."""
    given = val.value.get(_KEY) if isinstance(val.value, dict) else None
    if given is None or given.value is MISSING or not {"[", ","} & {*given.value}:
        return val
    ports, lags = node_set(key).names, names_of(given.value)
    section: Section = {**val.value, _KEY: Val(_Paired(ports, lags), given.at)}
    if len(ports) != len(lags):
        message = f"{len(lags)} LAGs for {len(ports)} ports: they are paired in written order"
        help = "name one LAG for all ports of the key, or as many as it has ports"
        problems.append(Problem("schema-pair", given.at, message, help, ((val.at, f"{len(ports)} ports"),)))
        section[_KEY] = Val(MISSING, given.at)
    return Val(section, val.at)


def _parts(group: Group) -> list[Group]:
    """A group of ports, apart where their LAGs differ."""
    given = group.section.get(_KEY)
    if given is None or not isinstance(given.value, _Paired):
        return [group]
    lag_of = dict(zip(given.value.ports, given.value.lags, strict=True))
    members: dict[str, list[str]] = {}
    for port in group.names:
        members.setdefault(lag_of[port], []).append(port)
    return [
        group._replace(
            key=group.key if len(members) == 1 else fold(tuple(ports)),
            names=tuple(ports),
            section={**group.section, _KEY: Val(lag, given.at)},
        )
        for lag, ports in members.items()
    ]
