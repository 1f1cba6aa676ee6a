"""Values in several layers (fabric, defaults, device, port): which one wins, and which repeat what holds anyway."""

from __future__ import annotations

from rocecfg.intent.read import is_same
from rocecfg.model import Origin, ProfileFact, Span
from rocecfg.model.fix import Fix, remove
from rocecfg.model.stated import MISSING, TAKEN_BACK, Problem, Section, Val

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

EMPTY: Section = {}
ECN_WHOLE = frozenset({"ecn"})  # what replaces the inherited value as a whole, by_speed included
_WHOLE = ECN_WHOLE | {"headroom"}  # as a whole too: the parts of these cannot be left out one by one


def pick(key: str, *layers: Section) -> Val | None:
    """The value of a key in the first layer that has it: narrowest first.

    None if absent, wrong where it stands, or taken back there.
    """
    for layer in layers:
        val = layer.get(key)
        if val is not None:
            return None if val.value is MISSING or val.value is TAKEN_BACK else val
    return None


def pick_plain(key: str, origins: dict[str, Origin], *layers: Section, name: str | None = None) -> Any:
    """Like `pick`, giving the bare value and noting its origin."""
    val = pick(key, *layers)
    if val is None:
        return None
    origins[name or key] = val.at
    return val.value


def recommend(key: str, origins: dict[str, Origin], facts: Mapping[str, ProfileFact], *layers: Section) -> None:
    """Note the profile as origin of a value that a workload recommends and none of these layers states."""
    if key in facts and not any(key in layer for layer in layers):
        origins[key] = facts[key]


def section(val: Val | None) -> Section:
    """The section a value is, or an empty one."""
    return val.value if val is not None and isinstance(val.value, dict) else EMPTY


def drop_unreadable(value: Any) -> Any:
    """A value without what could not be read in it."""
    if isinstance(value, dict):
        return {key: Val(drop_unreadable(val.value), val.at) for key, val in value.items() if val.value is not MISSING}
    if isinstance(value, list):
        return [Val(drop_unreadable(val.value), val.at) for val in value]
    return value


def overlay(base: Section, over: Section, whole: frozenset[str] = frozenset()) -> Section:
    """`over` laid upon `base` key by key; keys in `whole` are replaced, not merged."""
    if not over:
        return base
    out = dict(base)
    for key, val in over.items():
        have = out.get(key)
        if have is not None and key not in whole and isinstance(have.value, dict) and isinstance(val.value, dict):
            out[key] = Val(overlay(have.value, val.value, whole), val.at)
        else:
            out[key] = val
    return out


def settle(given: Section) -> Section:
    """A section that inherits no more, without what was taken back in it."""
    if not any(val.value is TAKEN_BACK or isinstance(val.value, dict) for val in given.values()):
        return given
    return {
        key: Val(settle(val.value), val.at) if isinstance(val.value, dict) else val
        for key, val in given.items()
        if val.value is not TAKEN_BACK
    }


def report_repeats(narrow: Section, wide: Section, problems: list[Problem], where: str) -> None:
    """Report each value that only repeats the one it would inherit anyway."""
    for key, val in narrow.items():
        have = wide.get(key)
        if have is None or val.value is MISSING or have.value is MISSING:
            continue
        if key not in _WHOLE and isinstance(val.value, dict) and isinstance(have.value, dict):
            report_repeats(val.value, have.value, problems, f"{where}{key}.")
        elif is_same(val.value, have.value):
            problems.append(
                Problem(
                    "schema-dead-override",
                    val.at,
                    f"{where}{key} repeats the value it would inherit",
                    "remove it, or a later change of the inherited value will not reach here",
                    ((have.at, "the inherited value"),),
                    fix=_plan_removal(val.at, where),
                )
            )


def _plan_removal(at: Span, where: str) -> Fix:
    empties = where.split(".")[:-1]  # pfc.watchdog. or, of a class, rdma.
    return Fix("remove it", safe=True, changes=(remove(at, *empties, "classes"),))
