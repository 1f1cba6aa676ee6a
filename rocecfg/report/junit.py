"""Findings as JUnit XML, in the subset that GitLab and Jenkins both show.

A suite a file, a case a finding. An error is a failed case, and a file that cannot be read, or a rule that broke, a
case in error. Warnings and infos are skipped cases: both systems list those with their text, and neither takes them
for a failure. A run that finds nothing has one passed case, since Jenkins refuses a report without any.

GitLab compares a branch with its target by class name and name, and keeps one of those that are equal: a name is the
rule and the message, without the line, and a number tells equal ones apart. Text stands in the element and not only
in its `message`, for GitLab shows nothing else.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from rocecfg.core.visible import visible
from rocecfg.linting.finding import Finding
from rocecfg.linting.run import Run
from rocecfg.report.ci import UNREADABLE, find_repository, list_details, locate_in_repository

_TOOL = "rocecfg"
_RESULTS = ("failure", "error", "skipped")


def render(run: Run, *, color: bool = False) -> str:
    """An XML document, without times; `color` is unused."""
    del color
    root = find_repository()
    report = Element("testsuites", name=_TOOL)
    suites: dict[str, Element] = {}
    taken: dict[tuple[str, str], int] = {}
    for finding in run.causes:
        _add_finding(finding, run, root, suites, taken)
    for failure in run.failed:
        case = _add_case(suites, taken, _TOOL, f"rule {failure.rule.name}")
        _add_result(case, "error", "internal error", str(failure), [])
    if not suites:
        _add_case(suites, taken, _TOOL, "no findings")
    report.extend(suites.values())
    for suite in suites.values():
        _set_counts(suite)
    _set_counts(report)
    indent(report, " ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(report, encoding="unicode")}\n'


def _add_finding(
    finding: Finding, run: Run, root: str, suites: dict[str, Element], taken: dict[tuple[str, str], int]
) -> None:
    at = locate_in_repository(finding, run.sources, root)
    path = visible(at.path) if at is not None else _TOOL
    rule = finding.rule
    case = _add_case(suites, taken, path, f"{rule.name}: {visible(finding.message)}")
    if at is not None:
        case.set("file", path)
        case.set("line", str(at.line))
    where = f"{path}:{at.line}:{at.column}: " if at is not None else ""
    text = [f"{where}{finding.severity} {rule.code} {rule.name}: {visible(finding.message)}"]
    kind = "error" if rule.name == UNREADABLE else "failure" if finding.severity == "error" else "skipped"
    _add_result(case, kind, finding.severity, finding.message, [*text, *list_details(finding, run.sources, root)])


def _add_case(suites: dict[str, Element], taken: dict[tuple[str, str], int], path: str, name: str) -> Element:
    """A new case in the suite of a path. Jenkins takes what stands before the last dot for a package."""
    suite = suites.get(path)
    if suite is None:
        suite = suites[path] = Element("testsuite", name=path)
    classname = path if path == _TOOL else f"{_TOOL}.{path.replace('.', '_')}"
    number = taken[classname, name] = taken.get((classname, name), 0) + 1
    return SubElement(
        suite, "testcase", classname=classname, name=name if number == 1 else f"{name} ({number})", time="0"
    )


def _add_result(case: Element, kind: str, type_: str, message: str, lines: list[str]) -> None:
    given = {"message": visible(message)}
    if kind != "skipped":
        given["type"] = type_
    SubElement(case, kind, given).text = "\n".join(lines) or given["message"]


def _set_counts(of: Element) -> None:
    of.set("tests", str(len(list(of.iter("testcase")))))
    for kind, plural in zip(_RESULTS, ("failures", "errors", "skipped"), strict=True):
        of.set(plural, str(len(list(of.iter(kind)))))
    of.set("time", "0")
