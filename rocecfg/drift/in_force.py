"""Two configurations of one vendor in its own terms: what is in force, whether an intent has a word for it or not."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping

from rocecfg.model import Span
from rocecfg.model.catalogue import What
from rocecfg.model.compare import Gap
from rocecfg.model.switch import InForce, Stated, Switch
from rocecfg.model.values import Fact


def in_force(one: Switch, other: Switch) -> tuple[InForce, InForce] | None:
    """What is in force on both; None where a vendor's reader does not tell that."""
    return (one.in_force(), other.in_force()) if one.in_force and other.in_force else None


def differing(
    one: Mapping[What, Stated], other: Mapping[What, Stated], known: Iterable[Gap], near: Span
) -> tuple[Gap, ...]:
    """The settings that are not the same on both sides. `near`: where what nothing says would be said.

    `known`: differences in terms of the model; what is the same setting with the same two values is not given again.
    """
    shown = {(gap.what.topic, gap.what.number, *_values(gap)) for gap in known}
    gaps = []
    for what in dict.fromkeys((*one, *other)):
        gap = Gap(what, _fact(one.get(what), near), _fact(other.get(what), near))
        before, after = _values(gap)
        if before != after and (what.topic, what.number, before, after) not in shown:
            gaps.append(gap)
    return tuple(gaps)


def _values(gap: Gap) -> tuple[Hashable, Hashable]:
    return gap.meant.value if gap.meant else None, gap.running.value if gap.running else None


def _fact(stated: Stated | None, near: Span) -> Fact | None:
    return Fact(stated.value, stated.at or near) if stated is not None else None
