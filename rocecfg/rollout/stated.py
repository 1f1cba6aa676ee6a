"""Stages that the intent gives: they are kept, and what they break is said."""

from __future__ import annotations

from collections.abc import Sequence

from rocecfg.core.nodeset import fold
from rocecfg.core.records import NamedTuple
from rocecfg.rollout.config import RolloutSettings, StatedStage
from rocecfg.rollout.links import ChangingLinks
from rocecfg.rollout.stages import Staging

_MOST = 8  # names in a sentence
OWN = "the intent's rollout.stages"


class GivenStage(NamedTuple):
    """A stage that was given, with the devices of it that change."""

    stated: StatedStage
    devices: tuple[str, ...]
    breaks: tuple[str, ...]


def take_given_stages(
    rollout: RolloutSettings, names: Sequence[str], staging: Staging, ends: ChangingLinks
) -> tuple[list[GivenStage], tuple[str, ...]]:
    """The given stages in which something changes, and the devices that none of them names."""
    left = dict.fromkeys(names)
    stage_of: dict[str, int] = {}
    taken: list[tuple[StatedStage, tuple[str, ...]]] = []
    for stated in rollout.stages:
        devices = tuple(name for name in dict.fromkeys(stated.devices) if name in left)
        for name in devices:
            del left[name]
            stage_of[name] = len(taken)
        if devices:
            taken.append((stated, devices))
    out = [
        GivenStage(stated, devices, tuple(_find_breaks(number, devices, stage_of, staging, ends)))
        for number, (stated, devices) in enumerate(taken)
    ]
    return out, tuple(left)


def _find_breaks(
    number: int, devices: tuple[str, ...], stage_of: dict[str, int], staging: Staging, ends: ChangingLinks
) -> list[str]:
    out = []
    cut = [
        (a, b)
        for a, b in ends.together
        if number in (stage_of.get(a[0]), stage_of.get(b[0])) and stage_of.get(a[0]) != stage_of.get(b[0])
    ]
    if cut:
        (a, b), more = cut[0], len(cut) - 1
        others = f" and {more} more link{'s' * (more != 1)}" if more else ""
        out.append(
            f"ops-both-ends: a lossless priority moves on {':'.join(a)} -- {':'.join(b)}{others}, but the far end "
            "changes in another stage: in between the link drops lossless packets"
        )
    out += [
        f"ops-stage: all switches of tier {staging.role(tier)} change at once: none is left as it was"
        for tier in staging.find_whole_tiers(devices)
    ]
    stranded = staging.find_stranded(devices)
    if stranded:
        out.append(f"ops-stage: {fold_names(stranded)} lose all paths at once")
    roles = {staging.tier(name) for name in devices} - {0}
    if len(roles) > 1 and not cut and not any(a[0] in devices and b[0] in devices for a, b in ends.together):
        out.append(
            f"ops-stage: {' and '.join(staging.role(tier) for tier in sorted(roles))} change together: failures of "
            "the two tiers cannot be told apart"
        )
    return out


def fold_names(names: Sequence[str]) -> str:
    """Devices as a node set; their number where that is long."""
    folded = fold(tuple(names))
    return folded if folded.count(",") < _MOST else f"{len(names)} devices ({', '.join(names[:_MOST])} ...)"
