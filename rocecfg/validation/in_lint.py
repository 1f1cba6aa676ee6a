"""What the models of switches' systems refuse, as what lint finds: one verdict for all files of a shape.

A model refuses a value of what it knows: that is an error. What it does not know may be newer than the model: of that
it is told that the model lacks it, as a warning where the model is of the very release that the file names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from importlib.util import find_spec

from rocecfg.core.records import NamedTuple
from rocecfg.intent import Loaded
from rocecfg.linting.workers import count_cores, map_in_processes
from rocecfg.model import Span, spans_of
from rocecfg.model.stated import Problem
from rocecfg.source.document import Document, SourceError, Sources
from rocecfg.validation.referee import judge
from rocecfg.validation.verdict import CannotJudge, Fault, JudgeOptions, Verdict
from rocecfg.vendors import row

_MANY = 96  # texts that are worth further processes
_NAME = re.compile(r"(?=.*\d)[A-Za-z][A-Za-z0-9-]{2,62}")  # that every system takes
_SHOWN = 2  # reasons why texts are not judged
_EXTRA = "install rocecfg[validate]"
_HELP = "rocecfg validate names the models and what was assumed; --no-models turns this off"


class _Task(NamedTuple):
    """A text to judge."""

    document: Document
    vendor: str
    asked: JudgeOptions
    device: str

    @property
    def shape(self) -> tuple[str, str]:
        """Equal for texts that differ in the device's name alone, as rendered ones do."""
        text = self.document.text
        return self.vendor, text.replace(self.device, "\0") if _NAME.fullmatch(self.device) else text


def add_verdicts(
    fabrics: Iterable[Loaded], sources: Sources, models: Callable[[str], str | None], jobs: int | None = None
) -> list[Loaded]:
    """The fabrics of running switches with what models refuse of their files. `models`: SONiC's for a root, if any.

    Raises SourceError for settings that are wrong.
    """
    return [_add_to_fabric(one, sources, models, jobs or count_cores()) for one in fabrics]


def _add_to_fabric(loaded: Loaded, sources: Sources, models: Callable[[str], str | None], jobs: int) -> Loaded:
    fabric = loaded.fabric
    if fabric is None or not fabric.running:
        return loaded
    vendors: dict[int, tuple[str, str]] = {}  # by document: vendor, and the name of the device
    for device in fabric.devices:
        at = next(iter(spans_of(device.at(""))), None)
        if at is not None and device.vendor is not None:
            vendors.setdefault(at.doc, (device.vendor, device.key))
    used = {vendor for vendor, _ in vendors.values()}
    missing = {vendor for vendor in used if not _is_installed(row(vendor).model_package)}
    by_folder = {vendor for vendor in used if row(vendor).model_folder}
    folder = models(loaded.root) if by_folder else None
    why = [_EXTRA] if missing else []
    why += [
        f"settings name no folder of {row(vendor).title}'s models" for vendor in sorted(by_folder) if folder is None
    ]
    left = used - missing - (by_folder if folder is None else set())
    asked = JudgeOptions(models=folder, any_release=True)
    tasks = {
        number: _Task(sources.documents[number], vendor, asked, device)
        for number, (vendor, device) in vendors.items()
        if vendor in left
    }
    found = _judge_by_shape(tasks, loaded.alike, jobs)
    why += dict.fromkeys(verdict if isinstance(verdict, str) else verdict.left for verdict in found.values())
    refused = [
        problem
        for number, verdict in found.items()
        if not isinstance(verdict, str)
        for problem in _to_problems(tasks[number], verdict)
    ]
    return loaded._replace(refused=refused, unmodelled="; ".join([*filter(None, why)][:_SHOWN]))


def _is_installed(package: str) -> bool:
    """Whether a package is there, without loading it; an empty name is of none that is needed."""
    return not package or find_spec(package) is not None


def _judge_by_shape(tasks: Mapping[int, _Task], alike: Mapping[int, int], jobs: int) -> dict[int, Verdict | str]:
    """The verdict of each text, or why there is none.

    Of those alike the first is judged, and the others only where it has faults, since these may quote their words.
    """
    firsts: dict[tuple[str, str], int] = {}
    like = {number: alike[number] for number in tasks if alike.get(number) in tasks}
    for number in tasks:
        if number not in like and (first := firsts.setdefault(tasks[number].shape, number)) != number:
            like[number] = first
    found = _judge_all(tasks, [number for number in tasks if number not in like], jobs)
    same = {number: found[first] for number, first in like.items() if first in found}
    found |= {number: verdict for number, verdict in same.items() if _is_clean(verdict)}
    found |= _judge_all(tasks, [number for number in tasks if number not in found], jobs)
    return {number: found[number] for number in tasks}


def _judge_all(tasks: Mapping[int, _Task], numbers: list[int], jobs: int) -> dict[int, Verdict | str]:
    texts = [tasks[number] for number in numbers]
    return dict(zip(numbers, map_in_processes(_judge, texts, jobs if len(texts) >= _MANY else 1), strict=True))


def _is_clean(verdict: Verdict | str) -> bool:
    return not isinstance(verdict, str) and not verdict.faults and not verdict.newer


def _judge(task: _Task) -> Verdict | str:
    try:
        return judge(task.document, task.vendor, task.asked)
    except (SourceError, CannotJudge) as error:
        return error.message


def _to_problems(task: _Task, verdict: Verdict) -> list[Problem]:
    return [_to_problem(task.document, verdict, fault, task.device) for fault in (*verdict.faults, *verdict.newer)]


def _to_problem(document: Document, verdict: Verdict, fault: Fault, device: str) -> Problem:
    """A model is sure of values at the release that it is of, and of words that it lacks nowhere else."""
    sure = verdict.exact if fault.unknown else verdict.exact is not False
    where = f"{fault.where}: " if fault.where and fault.where not in document.line(fault.line or 1) else ""
    tail = f"{verdict.model} {'lacks' if fault.unknown else 'refuses'} this"
    return Problem(
        "device-unknown" if fault.unknown else "device-value",
        Span(document.number, *document.span_of_line(fault.line or 1)),
        f"{where}{fault.message.rstrip('.')}: {tail}{'' if sure else ', which the release of the switch may take'}",
        _HELP,
        severity=None if sure else "info",
        device=device,
        alike=fault.alike,
    )
