"""Whether the models of the switches' own systems take what runs: where not, ways there and back are refused."""

from __future__ import annotations

from collections.abc import Mapping

from rocecfg.core.nodeset import fold_set
from rocecfg.core.records import NamedTuple
from rocecfg.drift.run import Compared
from rocecfg.rollout.baseline import Baseline
from rocecfg.source.document import SourceError
from rocecfg.validation.run import judge
from rocecfg.validation.verdict import CannotJudge, JudgeOptions
from rocecfg.vendors import part

_REFUSED = (
    "{}: {} refuse what runs ({}). Until that is mended, {} are refused, and the way back is one that is not validated"
)
_UNKNOWN = "{}: whether its model takes what runs was not looked at ({}): where it does not, {} are refused"
_OLDER = "the older intent says only a part of what runs"


class Validated(NamedTuple):
    """What came of it. `refused`: by device, why; "": its model takes it; no entry: nobody knows."""

    refused: Mapping[str, str]
    notes: tuple[str, ...]


def validate_running(basis: Baseline, models: str | None) -> Validated:
    """Judge what the devices of a plan run, where their system does. `models`: the folder that the user names."""
    refused: dict[str, str] = {}
    told: dict[tuple[str, ...], list[str]] = {}
    known: dict[tuple[str, str | None], tuple[str | None, str, str]] = {}
    for one in basis.differing:
        ways = part(one.found.vendor, "procedure").procedure_of(one.meant.device).validating
        if not ways:
            continue
        key = one.found.document.text, one.meant.device.release
        if key not in known:
            known[key] = (None, "", _OLDER) if basis.origin is not None else _judge(one, models)
        why, model, unknown = known[key]
        if why is not None:
            refused[one.name] = why
        if why != "":
            told.setdefault((why or "", model, unknown, ways), []).append(one.name)
    return Validated(refused, tuple(_make_note(fold_set(tuple(names)), *words) for words, names in told.items()))


def _judge(one: Compared, models: str | None) -> tuple[str | None, str, str]:
    """Why its model refuses what a device runs, which model that is, and why nobody knows."""
    release = one.meant.device.release
    try:
        verdict = judge(
            one.found.document, one.found.vendor, JudgeOptions((release,) if release else (), models=models)
        )
    except (CannotJudge, SourceError) as error:
        return None, "", error.message
    if verdict.faults:
        first, *more = (f"{fault.where}: {fault.message}" for fault in verdict.faults)
        return first + (f", and {len(more)} more" if more else ""), verdict.model, ""
    return (None, "", "; ".join(verdict.unjudged)) if verdict.unjudged else ("", verdict.model, "")


def _make_note(names: str, why: str, model: str, unknown: str, ways: str) -> str:
    if not why:
        return _UNKNOWN.format(names, unknown, ways)
    return _REFUSED.format(names, model, why, ways)
