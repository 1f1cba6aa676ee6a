"""One lint run: fabrics in, findings that stand out, in a stable order."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import chain

from rocecfg.core.progress import Progress
from rocecfg.core.records import NamedTuple
from rocecfg.custom_rules.files import files_of
from rocecfg.intent import Loaded
from rocecfg.linting.causes import count_folded, fold_by_cause, fold_over_files
from rocecfg.linting.finding import Finding
from rocecfg.linting.judge import RuleFailed, find_silent_rules, judge, select_all_rules, select_as_severe
from rocecfg.linting.suppressions import apply
from rocecfg.model import Fabric
from rocecfg.rules import ERROR, INFO, SEVERITIES, Rule
from rocecfg.source.document import Sources

TYPE_CHECKING = False
if TYPE_CHECKING:  # loaded where there are settings
    from typing import Any

    from rocecfg.config.policy import Policy
    from rocecfg.linting.changed import Lines
    from rocecfg.linting.ignored import PassedOver
    from rocecfg.model.fates import Fates


class Summary(NamedTuple):
    """What was checked, and how much was found."""

    files: int
    fabrics: int
    devices: int
    ports: int
    errors: int  # causes, as the next two
    warnings: int
    infos: int
    suppressed: int  # by waivers, per-file ignores and a baseline
    not_understood: int = 0  # statements of device configurations, whether findings on them are shown or not
    folded: int = 0  # findings that are shown under others
    silent_rules: int = 0  # rules that had nothing to look at in some fabric, since it lacks their section
    elsewhere: int = 0  # findings on lines that did not change, where only those on changed ones are asked for
    ignored_files: int = 0  # passed over by .gitignore, as the folders
    ignored_folders: int = 0
    excluded_files: int = 0  # passed over by `exclude` of the settings, as the folders
    excluded_folders: int = 0
    absent: tuple[str, ...] = ()  # what parts of configurations say nothing about, so that it was not judged
    unset: tuple[str, ...] = ()  # what whole ones have no line on, so that it was judged as off
    silent_sections: tuple[str, ...] = ()  # those that are lacking
    fates: Fates | None = None  # of the statements of device configurations; None: there are none
    unmodelled: str = ""  # why models of switches' systems did not judge all syntax


class Run(NamedTuple):
    """The outcome of a run."""

    findings: list[Finding]  # every one, in order of their places
    summary: Summary
    failed: list[RuleFailed]  # rules that raised: exit 3
    unreadable: bool  # some file could not be read at all: exit 2
    sources: Sources
    failing: bool = False  # some finding is at or above what its fabric fails on: exit 1
    known: int = 0  # how many findings the baselines hold
    baselines: tuple[tuple[str, str], ...] = ()  # path and new text, where an update was asked for
    silent: tuple[tuple[str, dict[str, tuple[str, ...]]], ...] = ()  # root of a fabric -> absent section -> rules
    rules: Mapping[str, frozenset[str]] = {}  # names of those that were asked for, by the root file of the fabric

    @property
    def causes(self) -> list[Finding]:
        """What machines are told: the findings, each cause of a file once."""
        return fold_by_cause(self.findings)

    def fold_over_files(self) -> tuple[list[Finding], Summary]:
        """What people are shown: each cause once over all files of its fabric, and the totals counted so."""
        found = fold_over_files(self.causes)
        return found, self.summary._replace(folded=count_folded(found), **_count_by_severity(found))


_Task = tuple[Loaded, tuple[Rule, ...], Mapping[str, tuple[str, ...]]]  # what `judge` takes


class _Asked(NamedTuple):
    """One fabric, and what it is to be checked by."""

    loaded: Loaded
    policy: Policy | None
    rules: tuple[Rule, ...]  # all of them
    own: tuple[Rule, ...]  # the team's own
    left: Mapping[str, tuple[str, ...]]  # further rules, not loaded, by the section that they need

    @property
    def task(self) -> _Task:
        """What `judge` takes."""
        return self.loaded, self.rules, self.left


class _Part(NamedTuple):
    """One fabric's part of a run."""

    loaded: Loaded
    policy: Policy | None
    findings: list[Finding]
    suppressed: int  # by waivers and per-file ignores
    judged: frozenset[str]  # names of the rules that had all of it before them
    own: tuple[Rule, ...]  # the team's own rules for it
    silent: dict[str, tuple[str, ...]]  # its rules that had nothing to look at, by the section that it lacks


def lint(  # noqa: PLR0913 - most are options of the command
    fabrics: list[Loaded],
    sources: Sources,
    *,
    rules: tuple[Rule, ...] | None = None,
    focus: frozenset[str] | None = None,
    waivers: bool = True,
    today: str = "",
    policies: Callable[[str], Policy] | None = None,
    update_baselines: bool = False,
    jobs: int | None = 1,
    changed: Mapping[str, Lines] | None = None,
    passed: PassedOver | None = None,
    least: str = INFO,
) -> Run:
    """Judge fabrics. `focus`: absolute paths; only findings that touch one of these files are reported.

    `changed`: lines, by absolute path; only findings that concern one of these are, and the rest is counted.

    `today` is an ISO date, against which waivers expire. `policies`: what is asked of a fabric, by its root file;
    without it every fabric is checked by `rules` (None: all, the team's own too) and fails on errors. `jobs`:
    processes that judge, where there are several fabrics; None: as many as are worth it. `passed`: what was passed
    over when they were looked for. `least`: rules that find nothing as severe as that are not asked, unless settings
    change what is severe. Raises SourceError for settings and baselines that cannot be used.
    """
    files: set[str] = set()
    asked = [_choose_rules(read, sources, rules, policies, files, least) for read in fabrics]
    parts: list[_Part] = []
    failed: list[RuleFailed] = []
    for one, (findings, broke) in zip(
        asked, _judge_all([one.task for one in asked], jobs, sources.progress), strict=True
    ):
        failed += broke
        files.update(one.loaded.files, (error.path for error in one.loaded.errors))
        parts.append(_apply_suppressions(one, findings, broke, sources, today if waivers else None))
    parts, about, known, baselines = _compare_with_baselines(parts, sources, focus, update=update_baselines)
    parts, elsewhere = _narrow(parts, sources, focus, changed)
    failing = any(_fails(part.findings, part.policy) for part in parts) or any(_fails([f], p) for f, p in about)
    findings = _sort([f for part in parts for f in part.findings] + [f for f, _ in about], sources)
    summary = _summarize(fold_by_cause(findings), parts, len(files), known)._replace(elsewhere=elsewhere)
    if passed is not None:
        summary = summary._replace(**passed._asdict())
    unreadable = any(part.loaded.errors for part in parts)
    silent = tuple((part.loaded.root, part.silent) for part in parts if part.silent)
    by_root = {one.loaded.root: frozenset(r.name for r in one.rules).union(*one.left.values()) for one in asked}
    return Run(findings, summary, failed, unreadable, sources, failing, known, baselines, silent, by_root)


def _choose_rules(
    read: Loaded,
    sources: Sources,
    rules: tuple[Rule, ...] | None,
    policies: Callable[[str], Policy] | None,
    files: set[str],
    least: str,
) -> _Asked:
    """What a fabric is checked by: its policy, the given rules, or all. `files` gets those of the team's own rules."""
    policy = policies(read.root) if policies is not None else None
    if policy is None and rules is not None:
        return _Asked(read, None, rules, (), {})
    loaded, own = _load_custom_rules(read, sources, files)
    if policy is not None:
        chosen = (*policy.rules, *policy.select_own(own))
        return _Asked(loaded, policy, chosen if policy.severity else select_as_severe(chosen, least), own, {})
    chosen, left = select_all_rules(loaded, least)
    return _Asked(loaded, None, (*chosen, *own), own, left)


def _apply_suppressions(
    asked: _Asked, findings: list[Finding], failed: list[RuleFailed], sources: Sources, today: str | None
) -> _Part:
    """What was found in a fabric, less what comments waive (unless `today` is None) and its policy ignores."""
    loaded, policy = asked.loaded, asked.policy
    judged = _find_judged_rules(loaded, asked.rules, failed).union(*asked.left.values())
    suppressed = 0
    if today is not None:
        own = set(loaded.files)
        documents = [d for d in sources.documents if d.is_read and d.path in own]
        findings, suppressed = apply(findings, documents, today, asked.rules, judged, asked.own)
    if policy is not None:
        before = len(findings)
        findings = _apply_policy(findings, policy, sources)
        suppressed += before - len(findings)
    findings = [f._replace(root=loaded.root) for f in findings]
    silent = find_silent_rules(loaded.fabric, asked.rules, asked.left) if loaded.fabric is not None else {}
    return _Part(loaded, policy, findings, suppressed, judged, asked.own, silent)


def _summarize(findings: list[Finding], parts: list[_Part], files: int, known: int) -> Summary:
    """What was checked, and how many causes were found; `known`: findings that baselines hold."""
    extents = [part.loaded.fabric.extent() for part in parts if part.loaded.fabric is not None]
    counts = _count_by_severity(findings)
    return Summary(
        files,
        len(parts),
        sum(devices for devices, _ in extents),
        sum(ports for _, ports in extents),
        counts["errors"],
        counts["warnings"],
        counts["infos"],
        sum(part.suppressed for part in parts) + known,
        sum(len(part.loaded.unread) for part in parts),
        count_folded(findings),
        len({name for part in parts for names in part.silent.values() for name in names}),
        absent=_list_absent((part.loaded.fabric for part in parts), whole=False),
        unset=_list_absent((part.loaded.fabric for part in parts), whole=True),
        silent_sections=tuple(sorted({section for part in parts for section in part.silent})),
        fates=_add_up_fates(parts),
        unmodelled=next((part.loaded.unmodelled for part in parts if part.loaded.unmodelled), ""),
    )


def _add_up_fates(parts: list[_Part]) -> Fates | None:
    """What becomes of the statements of all configurations."""
    given = [part.loaded.fates for part in parts if part.loaded.fates is not None]
    if not given:
        return None
    from rocecfg.model.fates import add_up_fates

    return add_up_fates(given)


def _list_absent(fabrics: Iterable[Fabric | None], *, whole: bool) -> tuple[str, ...]:
    """What configurations say nothing about, each once: of whole ones, or of parts."""
    running = (
        device.running for fabric in fabrics if fabric is not None and fabric.running for device in fabric.devices
    )
    chosen = (one.absent for one in running if one is not None and one.whole == whole)
    return tuple(dict.fromkeys(chain.from_iterable(chosen)))


def _count_by_severity(findings: list[Finding]) -> dict[str, Any]:
    """How many errors, warnings and infos there are, by these words."""
    return {f"{severity}s": sum(f.severity == severity for f in findings) for severity in SEVERITIES}


def _judge_all(
    tasks: list[_Task], jobs: int | None, progress: Progress
) -> Iterator[tuple[list[Finding], list[RuleFailed]]]:
    if len(tasks) < 2:
        yield from (judge(*task, progress=progress) for task in tasks)
        return
    progress.start("fabrics checked", len(tasks))
    outcomes: Iterable[tuple[list[Finding], list[RuleFailed]]] = (judge(*task) for task in tasks)
    if jobs != 1:
        from rocecfg.linting.parallel import judge_in_processes

        outcomes = judge_in_processes(tasks, jobs)
    for outcome in outcomes:
        yield outcome
        progress.step()


def _load_custom_rules(loaded: Loaded, sources: Sources, files: set[str]) -> tuple[Loaded, tuple[Rule, ...]]:
    """The team's own rules beside a fabric, and the fabric with what is wrong in their files; `files` gets those."""
    if not files_of(loaded.root):
        return loaded, ()
    from rocecfg.custom_rules.rules import rules_for

    house = rules_for(loaded.root, sources)
    files.update(house.files)
    return loaded._replace(errors=[*loaded.errors, *house.errors]), house.rules


def _apply_policy(findings: list[Finding], policy: Policy, sources: Sources) -> list[Finding]:
    """Findings with the severities that settings give, less those ignored in their file."""
    out = []
    for finding in findings:
        path = sources.documents[finding.at.doc].path if finding.at is not None else finding.path
        if policy.is_ignored(finding.rule.name, path):
            continue
        level = policy.severity.get(finding.rule.name)
        out.append(finding._replace(severity=level.value) if level is not None else finding)
    return out


def _compare_with_baselines(
    parts: list[_Part], sources: Sources, focus: frozenset[str] | None, *, update: bool
) -> tuple[list[_Part], list[tuple[Finding, Policy]], int, tuple[tuple[str, str], ...]]:
    """The fabrics without what their baselines know; findings about baselines; how many were known; new texts."""
    by_path: dict[str, list[int]] = {}
    for number, part in enumerate(parts):
        if part.policy is not None and part.policy.baseline is not None:
            by_path.setdefault(os.path.abspath(part.policy.baseline.value), []).append(number)
    if not by_path:
        return parts, [], 0, ()
    from rocecfg.linting.baseline import Baseline, Judged

    out = list(parts)
    about: list[tuple[Finding, Policy]] = []
    texts: list[tuple[str, str]] = []
    known = 0
    for path, numbers in by_path.items():
        baseline = Baseline(os.path.relpath(path), sources, must_exist=not update)
        judged = [
            Judged(p.loaded.root, p.findings, p.judged, p.loaded.fabric is not None, frozenset(r.name for r in p.own))
            for p in (parts[n] for n in numbers)
        ]
        if update:
            text = baseline.render_updated(judged)
            texts.append((baseline.path, text))
            baseline.use_text(text)
        fresh, stale = baseline.sift(judged, focus)
        for number, new in zip(numbers, fresh, strict=True):
            known += len(parts[number].findings) - len(new)
            out[number] = parts[number]._replace(findings=new)
        policy = parts[numbers[0]].policy
        if policy is not None:
            wanted = [f for f in stale if f.rule in policy.rules]
            about += [(f, policy) for f in _apply_policy(wanted, policy, sources)]
    return out, about, known, tuple(texts)


def _narrow(
    parts: list[_Part], sources: Sources, focus: frozenset[str] | None, changed: Mapping[str, Lines] | None
) -> tuple[list[_Part], int]:
    """The fabrics with the findings that touch files of the focus and concern changed lines; and how many do not."""
    if focus is not None:
        paths = [d.path for d in sources.documents]
        parts = [part._replace(findings=_select_touching(part.findings, paths, focus)) for part in parts]
    if changed is None:
        return parts, 0
    from rocecfg.linting.changed import touches_changes

    kept = [[f for f in part.findings if touches_changes(f, changed, sources)] for part in parts]
    elsewhere = sum(len(part.findings) - len(findings) for part, findings in zip(parts, kept, strict=True))
    return [part._replace(findings=findings) for part, findings in zip(parts, kept, strict=True)], elsewhere


def _sort(findings: list[Finding], sources: Sources) -> list[Finding]:
    """Findings by file and place."""
    paths = [d.path for d in sources.documents]

    def place(finding: Finding) -> tuple[tuple[str, int], str, str]:
        at = finding.at
        return (paths[at.doc], at.start) if at is not None else (finding.path, -1), finding.rule.code, finding.message

    return sorted(findings, key=place)


def _select_touching(findings: list[Finding], paths: list[str], focus: frozenset[str]) -> list[Finding]:
    """Those with a place in a file of the focus; `paths`: by number of the document."""

    @cache
    def wanted(number: int) -> bool:
        return os.path.abspath(paths[number]) in focus

    return [
        f
        for f in findings
        if f.at is None  # a file of the fabric that cannot be read: nothing can be said of the others
        or wanted(f.at.doc)
        or any(wanted(span.doc) for span, _ in f.related)
    ]


def _fails(findings: list[Finding], policy: Policy | None) -> bool:
    level = SEVERITIES.index(policy.fail_on.value if policy is not None else ERROR)
    return any(SEVERITIES.index(f.severity) >= level for f in findings)


def _find_judged_rules(loaded: Loaded, rules: tuple[Rule, ...], failed: list[RuleFailed]) -> frozenset[str]:
    """The names of the rules that had all of a fabric before them: only their silence says something."""
    if loaded.fabric is None:
        return frozenset()
    broken = {failure.rule.name for failure in failed}
    whole = not loaded.fabric.broken
    return frozenset(r.name for r in rules if r.name not in broken and (whole or r.check is None))
