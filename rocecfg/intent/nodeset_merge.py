"""Node sets as keys: a name may stand under several; they merge, and a proper subset wins over its superset.

So are ports stated, whose LAGs may be paired with them in written order, and hosts, with the NICs in them by kind.
"""

from __future__ import annotations

from rocecfg.core.nodeset import disjoint, fold, names_of, node_set
from rocecfg.core.records import NamedTuple
from rocecfg.intent.host_schema import HOST, NIC
from rocecfg.intent.precedence import ECN_WHOLE, EMPTY, drop_unreadable, overlay, report_repeats, section, settle
from rocecfg.intent.read import is_same
from rocecfg.intent.repeated import unfold
from rocecfg.model import Span
from rocecfg.model.stated import MISSING, Problem, Section, Val

_MOST_LAGS = 32  # for one name: each is compared with each


class MergedNames(NamedTuple):
    """Names that share one merged section."""

    key: str  # node set as written, or folded where sets overlap
    names: tuple[str, ...]
    section: Section
    at: Span  # the key of the narrowest set
    alone: bool = True  # whether one key says all of it

    def unfold(self) -> MergedNames:
        """The group with all of a section that repeats another's."""
        whole = unfold(self.section)
        return self if whole is self.section else self._replace(section=whole)


def merge_groups(keyed: dict[str, Val], what: str, problems: list[Problem]) -> list[MergedNames]:
    """The groups of a keyed section, in written order. Values that two overlapping sets dispute are reported.

    The section of a device that stands alone may be a Repeated one.
    """
    keyed = {k: v if v.value is not MISSING else Val(EMPTY, v.at) for k, v in keyed.items()}
    if len(keyed) <= 1 or disjoint(tuple(keyed)):
        return [MergedNames(key, names_of(key), val.value, val.at) for key, val in keyed.items()]
    keyed = {key: Val(unfold(val.value), val.at) for key, val in keyed.items()}
    texts = list(keyed)
    members: dict[str, list[int]] = {}
    for i, text in enumerate(texts):
        for name in node_set(text).names:
            where = members.setdefault(name, [])
            if not where or where[-1] != i:
                where.append(i)
    together: dict[tuple[int, ...], list[str]] = {}
    for name, where in members.items():
        together.setdefault(tuple(where), []).append(name)
    sets = [frozenset(node_set(t).names) for t in texts]
    out = []
    disputed: set[tuple[Span, Span]] = set()
    for where_, names in together.items():
        order = sorted(where_, key=lambda i: (-len(sets[i]), i))  # widest first
        if len(order) > _MOST_LAGS:
            wording = f"{what} {names[0]} is under {len(order)} keys; the limit is {_MOST_LAGS}"
            problems.append(
                Problem("schema-overlap", keyed[texts[order[-1]]].at, wording, "give it one key of its own")
            )
            order = order[:1]
        sections: list[Section] = [keyed[texts[i]].value for i in order]
        _report_disputes(sections, [sets[i] for i in order], f"{what} {names[0]}", disputed, problems)
        merged: Section = {}
        for each in sections:
            merged = overlay(merged, each, ECN_WHOLE)
        whole = len(order) == 1 and len(names) == len(sets[order[0]])
        key = texts[order[0]] if whole else fold(tuple(names))
        out.append(MergedNames(key, tuple(names), merged, keyed[texts[order[-1]]].at, len(order) == 1))
    return out


def _report_disputes(
    given: list[Section],
    sets: list[frozenset[str]],
    name: str,
    seen: set[tuple[Span, Span]],
    problems: list[Problem],
) -> None:
    """Report what sections of one name say differently, of which neither stands for a part of the other's names.

    `said`, `sets`: the sections, and the names that each is for, widest first.
    """
    for n, own in enumerate(sets):
        for m, other in enumerate(sets[:n]):
            if not own < other:
                settled: Section = {}
                for k in range(n + 1, len(sets)):
                    if sets[k] < own and sets[k] < other:
                        settled = overlay(settled, given[k])
                _report_dispute(given[n], given[m], settled, name, seen, problems)


def _report_dispute(
    a: Section,
    b: Section,
    settled: Section,
    name: str,
    seen: set[tuple[Span, Span]],
    problems: list[Problem],
    path: str = "",
) -> None:
    """Report what two sections say differently, unless `settled`, of node sets within both, says it too."""
    for key, val in a.items():
        have = b.get(key)
        if have is None or MISSING in (have.value, val.value) or (have.at, val.at) in seen:
            continue
        if isinstance(val.value, dict) and isinstance(have.value, dict):
            _report_dispute(val.value, have.value, section(settled.get(key)), name, seen, problems, f"{path}{key}.")
        elif key not in settled and not is_same(val.value, have.value):
            seen.add((have.at, val.at))
            problems.append(
                Problem(
                    "schema-overlap",
                    val.at,
                    f"{name} gets two values for {path}{key} from node sets that overlap, neither within the other",
                    "remove the name from one set, or give it its own key",
                    ((have.at, "the other value"),),
                )
            )


# -- ports, which LAGs may tell apart ----------------------------------------------------------------------------------


_LAG = "lag"


class _Paired(NamedTuple):
    """The LAG of each port of a key."""

    ports: tuple[str, ...]
    lags: tuple[str, ...]


def merge_port_groups(keyed: dict[str, Val], problems: list[Problem]) -> list[MergedNames]:
    """The groups of ports below `ports`, each in one LAG or in none. Node sets that do not pair are reported."""
    paired = {key: _pair_lags(key, val, problems) for key, val in keyed.items()}
    found = merge_groups(paired, "port", problems)
    return [part for group in found for part in _split_by_lag(group)]


def _pair_lags(key: str, val: Val, problems: list[Problem]) -> Val:
    """The section of a key, with the LAG of each of its ports where several are named."""
    given = val.value.get(_LAG) if isinstance(val.value, dict) else None
    if given is None or given.value is MISSING or not {"[", ","} & {*given.value}:
        return val
    ports, lags = node_set(key).names, names_of(given.value)
    section: Section = {**val.value, _LAG: Val(_Paired(ports, lags), given.at)}
    if len(ports) != len(lags):
        message = f"{len(lags)} LAGs for {len(ports)} ports: they are paired in written order"
        help = "name one LAG for all ports of the key, or as many as it has ports"
        problems.append(Problem("schema-pair", given.at, message, help, ((val.at, f"{len(ports)} ports"),)))
        section[_LAG] = Val(MISSING, given.at)
    return Val(section, val.at)


def _split_by_lag(group: MergedNames) -> list[MergedNames]:
    """A group of ports, apart where their LAGs differ."""
    given = group.section.get(_LAG)
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
            section={**group.section, _LAG: Val(lag, given.at)},
        )
        for lag, ports in members.items()
    ]


# -- hosts, and the NICs in them by kind -------------------------------------------------------------------------------


_OF_THE_HOST = HOST.keys.keys() - NIC.keys.keys() - {"nic"}  # not of its NICs
_ASKING = frozenset(("gpu_initiated",))  # what is judged by other keys that are absent


def resolve_hosts(stated: Section, problems: list[Problem]) -> Section:
    """The hosts that a section `hosts` states, by disjoint node sets, without what could not be read.

    Under `nics` of a host stands each kind of NIC by a node set of its ports, disjoint too, with what it inherits from
    the host; the profile it names is `nic` there, as on the host itself.
    """
    out: Section = {}
    for group in merge_groups({key: val for key, val in stated.items() if val.value is not MISSING}, "host", problems):
        host = settle(group.section)
        if any(val.value is MISSING for val in host.values()):
            # the answer may be what is not readable
            host = {key: val for key, val in host.items() if key not in _ASKING}
        kinds = group.section.get("nics")
        if kinds is not None and kinds.value is not MISSING:
            host = {**host, "nics": Val(_resolve_kinds(group.section, section(kinds), problems), kinds.at)}
        out[group.key] = Val(drop_unreadable(host), group.at)
    return out


def _resolve_kinds(host: Section, kinds: Section, problems: list[Problem]) -> Section:
    shared = {key: val for key, val in host.items() if key not in _OF_THE_HOST}
    out: Section = {}
    for group in merge_groups({key: val for key, val in kinds.items() if val.value is not MISSING}, "NIC", problems):
        own = {"nic" if key == "kind" else key: val for key, val in group.section.items()}
        if group.alone:
            report_repeats(own, shared, problems, "")
        out[group.key] = Val(settle(overlay(shared, own)), group.at)
    return out
