"""Node sets as keys: a name may stand under several; they merge, and a proper subset wins over its superset."""

from __future__ import annotations

from rocecfg.core.nodeset import disjoint, fold, node_set
from rocecfg.core.records import NamedTuple
from rocecfg.intent.precedence import ECN_WHOLE, EMPTY, overlay, section
from rocecfg.intent.read import same
from rocecfg.model import Span
from rocecfg.model.stated import MISSING, Problem, Section, Val

_MOST_KEYS = 32  # for one name: each is compared with each


class Group(NamedTuple):
    """Names that share one merged section."""

    key: str  # node set as written, or folded where sets overlap
    names: tuple[str, ...]
    section: Section
    at: Span  # the key of the narrowest set
    alone: bool = True  # whether one key says all of it


def groups(keyed: dict[str, Val], what: str, problems: list[Problem]) -> list[Group]:
    """The groups of a keyed section, in written order. Values that two overlapping sets dispute are reported."""
    keyed = {k: v if v.value is not MISSING else Val(EMPTY, v.at) for k, v in keyed.items()}
    if len(keyed) <= 1 or disjoint(tuple(keyed)):
        return [Group(key, node_set(key).names, val.value, val.at) for key, val in keyed.items()]
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
        if len(order) > _MOST_KEYS:
            wording = f"{what} {names[0]} stands under {len(order)} keys; at most {_MOST_KEYS} are taken"
            problems.append(
                Problem("schema-overlap", keyed[texts[order[-1]]].at, wording, "give it one key of its own")
            )
            order = order[:1]
        sections: list[Section] = [keyed[texts[i]].value for i in order]
        _disputes(sections, [sets[i] for i in order], f"{what} {names[0]}", disputed, problems)
        merged: Section = {}
        for each in sections:
            merged = overlay(merged, each, ECN_WHOLE)
        whole = len(order) == 1 and len(names) == len(sets[order[0]])
        key = texts[order[0]] if whole else fold(tuple(names))
        out.append(Group(key, tuple(names), merged, keyed[texts[order[-1]]].at, len(order) == 1))
    return out


def _disputes(
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
                _dispute(given[n], given[m], settled, name, seen, problems)


def _dispute(
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
            _dispute(val.value, have.value, section(settled.get(key)), name, seen, problems, f"{path}{key}.")
        elif key not in settled and not same(val.value, have.value):
            seen.add((have.at, val.at))
            problems.append(
                Problem(
                    "schema-overlap",
                    val.at,
                    f"{name} gets two values for {path}{key} from node sets that overlap, neither within the other",
                    "take the name out of one set, or give it a key of its own",
                    ((have.at, "the other value"),),
                )
            )
