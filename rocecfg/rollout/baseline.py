"""What a plan starts from: for each device that differs, what is intended, what runs, and what is to be fixed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rocecfg.core.nodeset import fold_set
from rocecfg.core.records import NamedTuple
from rocecfg.drift.changes import find_unknown_settings
from rocecfg.drift.differences import Difference
from rocecfg.drift.labels import label_settings
from rocecfg.drift.run import Compared, find_drift
from rocecfg.intent import Loaded
from rocecfg.report.fates import describe_fates
from rocecfg.report.fates_json import locate_fates
from rocecfg.rollout.types import Covered
from rocecfg.source.document import Sources


class PlanBasis(NamedTuple):
    """The devices of an intent against what they run, or ran by an older intent."""

    origin: str | None  # the older intent; None: running configurations
    differing: list[Compared]
    same: tuple[str, ...]  # devices with nothing to do
    absent: tuple[str, ...]  # devices of which nothing is known: they are not planned
    gone: tuple[str, ...]  # devices of the older intent that the new one does not have
    differences: list[Difference]  # the widest first, those on ports that are down left out
    notes: tuple[str, ...]  # what else is to be known of what runs
    refused: tuple[str, ...]  # what could not be compared, and why: the plan is not whole
    covered: Covered | None = None  # of running configurations


def compare_with_running(
    fabrics: Iterable[Loaded],
    paths: Iterable[str],
    sources: Sources,
    *,
    templates: Mapping[str, str],
) -> PlanBasis:
    """The basis that running configurations are: files and folders of them, as `rocecfg drift` takes them."""
    found = find_drift(fabrics, paths, sources, templates=templates)
    unknown = {one.name: why for one in (*found.differing, *found.unclear) if (why := _explain_unplanned(one))}
    differing = [one for one in found.differing if one.name not in unknown]
    changing = {one.name for one in differing}
    notes = [f"{name} {note}" for note, names in found.notes.items() for name in names]
    notes += [f"{path} is not a device of the intent" for path, _ in found.strangers]
    notes += [
        f"{name} has PFC on ports that the intent does not name"
        for name, of in found.unnamed.items()
        if of[0].priorities
    ]
    notes += [
        f"{name}: the intent names no ports for it, so only settings of the whole switch are compared"
        for name, means in found.compared.items()
        if any(port.implied for port in means.device.ports)
    ]
    notes += [
        f"{one.name}: {', '.join(label_settings(each.settings))} not compared: {each.why}"
        for one in (*differing, *found.unclear)
        if one.name not in unknown
        for each in one.uncovered
    ]
    refused = [
        *(f"{each.name}: {each.error}" for each in found.refused),
        *map(str, found.running.errors),
        *_join_alike(unknown),
    ]
    return PlanBasis(
        None,
        differing,
        tuple(name for name in found.compared if name not in changing and name not in unknown),
        found.absent,
        (),
        [d for d in found.differences if not d.down and not unknown.keys() >= set(d.devices)],
        tuple(notes),
        tuple(refused),
        Covered(
            found.settings,
            found.ports,
            sum(each.total for each in found.uncovered),
            describe_fates(found.fates, found.sources) if found.fates.total else "",
            locate_fates(found.fates if found.fates.total else None, found.sources),
        ),
    )


def _explain_unplanned(one: Compared) -> str:
    """Why nothing is planned for a device: settings of it that a change would have to touch are not known."""
    settings, fix = find_unknown_settings(one)
    if not settings:
        return ""
    return f"not planned: the change would touch settings that are unknown: {', '.join(settings)}; {fix}"


def _join_alike(unknown: Mapping[str, str]) -> Iterable[str]:
    """One line for devices of which the same is not known."""
    found: dict[str, list[str]] = {}
    for name, why in unknown.items():
        found.setdefault(why, []).append(name)
    return (f"{fold_set(tuple(names))}: {why}" for why, names in found.items())
