"""Verdicts for people: each fault with its place, then which files were checked by what, and what was not judged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rocecfg.core.nodeset import fold_some
from rocecfg.core.visible import visible
from rocecfg.validation.run import JudgedFile, ValidationRun, group_alike_faults

_NUMBER = re.compile(r"\d+")
_SHOWN = 4  # places of faults alike that are named


def render(run: ValidationRun) -> str:
    """Faults alike are one line, with the first place and how many more there are."""
    return "".join(f"{visible(line)}\n" for line in _report_lines(run))


def verdicts(run: ValidationRun) -> Iterator[str]:
    """Which files were judged by what, what was assumed and what not judged; those alike together."""
    alike: dict[tuple[object, ...], list[JudgedFile]] = {}
    for one in run.judged:
        verdict = one.verdict
        stated = _NUMBER.sub("", f"{verdict.assumed}{verdict.unjudged}")  # how many lines it is of differs file by file
        alike.setdefault((one.valid, verdict.model, stated), []).append(one)
    for those in alike.values():
        verdict = those[0].verdict
        names = fold_some(tuple(one.path for one in those))
        yield f"{'valid' if those[0].valid else 'refused'}: {names}"
        yield f"  checked by {verdict.model}"
        assumed = _notes(those, [one.verdict.assumed for one in those])
        unjudged = _notes(those, [one.verdict.unjudged for one in those])
        yield from (f"  assumed: {each}" for each in assumed)
        yield from (f"  not checked: {each}" for each in unjudged)


def _notes(those: Sequence[JudgedFile], notes: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Notes that files share but for their numbers; where these differ, those of the first file."""
    for number, note in enumerate(notes[0]):
        alike = all(each[number] == note for each in notes)
        yield note if alike else f"{note} (in {those[0].path})"


def faults(run: ValidationRun) -> Iterator[str]:
    """One line for faults that are alike."""
    for those in group_alike_faults(run.judged):
        one, number = those[0]
        fault = one.verdict.faults[number]
        place = f"{one.path}:{fault.line}" if fault.line is not None else one.path
        where = f"{fault.where}: " if fault.where else ""
        yield f"{place}: {where}{fault.message}{_count_more(those)}"


def summary(run: ValidationRun) -> str:
    """The totals, also of what was not judged."""
    refused = len(run.refused)
    parts = [f"{len(run.judged) - refused} valid"]
    if refused:
        count = sum(len(one.verdict.faults) for one in run.refused)
        parts.append(f"{refused} refused with {count} fault{'s' * (count != 1)}")
    unjudged = []
    if run.errors or run.unable:
        unjudged.append(
            _count_files(len(run.errors) + sum(len(each.paths) for each in run.unable), "that should have been")
        )
    if run.others:
        unjudged.append(_count_files(len(run.others), "of folders that are not a configuration"))
    if run.ignored:
        unjudged.append(_count_files(run.ignored, "or folders that .gitignore or `exclude` of the settings name"))
    tail = f"; not checked: {', '.join(unjudged)}" if unjudged else ""
    return f"{_count_files(len(run.judged), 'checked')}: {', '.join(parts)}{tail}"


def _report_lines(run: ValidationRun) -> Iterator[str]:
    found = list(faults(run))
    yield from found
    if found:
        yield ""
    yield from verdicts(run)
    yield summary(run)


def _count_more(those: Sequence[tuple[JudgedFile, int]]) -> str:
    """How many more faults are alike: in this file, with where, and in how many others."""
    first = those[0][0]
    here = list(dict.fromkeys(one.verdict.faults[number].where for one, number in those[1:] if one is first))
    files = {one.path for one, _ in those} - {first.path}
    parts = []
    if here:
        rest = len(here) - _SHOWN
        parts.append(f"{len(here)} more: {', '.join(here[:_SHOWN])}{', ...' if rest > 0 else ''}")
    if files:
        parts.append(f"in {_count_files(len(files), 'more')}")
    return f" [and {', and '.join(parts)}]" if parts else ""


def _count_files(count: int, what: str) -> str:
    return f"{count} file{'s' * (count != 1)} {what}"
