"""One lint run: fabrics in, findings that stand out, in a stable order."""

from __future__ import annotations

from typing import NamedTuple

from rocecfg.engine.finding import Finding
from rocecfg.engine.judge import RuleFailed, judge
from rocecfg.engine.waivers import apply
from rocecfg.intent import Loaded
from rocecfg.rules import ALL, Rule
from rocecfg.source.document import Sources


class Summary(NamedTuple):
    """What was judged, and how much was found."""

    files: int
    fabrics: int
    devices: int
    ports: int
    errors: int
    warnings: int
    infos: int
    suppressed: int


class Run(NamedTuple):
    """The outcome of a run."""

    findings: list[Finding]
    summary: Summary
    failed: list[RuleFailed]  # rules that raised: exit 3
    unreadable: bool  # some file could not be read at all: exit 2
    sources: Sources


def lint(
    fabrics: list[Loaded],
    sources: Sources,
    *,
    rules: tuple[Rule, ...] = ALL,
    focus: frozenset[str] | None = None,
    waivers: bool = True,
    today: str = "",
) -> Run:
    """Judge fabrics. `focus`: absolute paths; only findings that touch one of these files are reported.

    `today` is an ISO date, against which waivers expire.
    """
    import os

    findings: list[Finding] = []
    failed: list[RuleFailed] = []
    suppressed = devices = ports = 0
    files: set[str] = set()
    for loaded in fabrics:
        found, broke = judge(loaded, rules)
        failed += broke
        files.update(loaded.files)
        files.update(e.path for e in loaded.errors)
        if waivers:
            mine = set(loaded.files)
            documents = [d for d in sources.documents if d.path in mine]
            found, silenced = apply(found, documents, today, rules, _judged(loaded, rules, broke))
            suppressed += silenced
        findings += found
        if loaded.fabric is not None:
            for device in loaded.fabric.devices:
                devices += len(device.names)
                ports += len(device.names) * sum(len(p.names) for p in device.ports)
    paths = [d.path for d in sources.documents]
    if focus is not None:
        absolute = {p: os.path.abspath(p) for p in paths}
        findings = [
            f
            for f in findings
            if f.at is None  # a file of the fabric that cannot be read: nothing can be said of the others
            or absolute[paths[f.at.doc]] in focus
            or any(absolute[paths[s.doc]] in focus for s, _ in f.related)
        ]
    findings.sort(
        key=lambda f: (
            (paths[f.at.doc], f.at.start) if f.at is not None else (f.path, -1),
            f.rule.code,
            f.message,
        )
    )
    counts = {s: sum(f.severity == s for f in findings) for s in ("error", "warning", "info")}
    summary = Summary(
        len(files), len(fabrics), devices, ports, counts["error"], counts["warning"], counts["info"], suppressed
    )
    return Run(findings, summary, failed, any(loaded.errors for loaded in fabrics), sources)


def _judged(loaded: Loaded, rules: tuple[Rule, ...], failed: list[RuleFailed]) -> frozenset[str]:
    """The names of the rules that had all of a fabric before them: only their silence says something."""
    if loaded.fabric is None:
        return frozenset()
    broken = {failure.rule.name for failure in failed}
    whole = not loaded.fabric.broken
    return frozenset(r.name for r in rules if r.name not in broken and (whole or r.check is None))
