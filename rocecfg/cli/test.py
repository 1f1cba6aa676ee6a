"""`rocecfg test`."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from rocecfg.cli.common import print_message, stop
from rocecfg.cli.inputs import allow_outside_option
from rocecfg.config.find import Finder, find_policies
from rocecfg.core.records import NamedTuple
from rocecfg.core.visible import visible, visible_text
from rocecfg.custom_rules.check import Failure, FoundFinding, check_case, count_expectations
from rocecfg.custom_rules.expect import SUFFIXES, Case, read
from rocecfg.intent import load
from rocecfg.linting.run import lint
from rocecfg.model import Fabric
from rocecfg.report.places import locate_finding, locate_span
from rocecfg.report.plan import Origins
from rocecfg.source.bounds import Bounds
from rocecfg.source.document import SourceError, Sources
from rocecfg.source.walk import walk_files

if TYPE_CHECKING:
    from rocecfg.linting.run import Run


class ShownFailure(NamedTuple):
    """A failure as it is told."""

    path: str
    line: int
    column: int
    what: str
    expected: str
    got: str
    origin: str | None  # where the value came from

    def text(self) -> str:
        """Without its place."""
        came = f" ({self.origin})" if self.origin else ""
        return f"{self.what}: expected {self.expected}, got {self.got}{came}"


class Result(NamedTuple):
    """What came of one test."""

    path: str
    line: int
    name: str
    checks: int
    failures: tuple[ShownFailure, ...]


class TestOutcome(NamedTuple):
    """What came of all."""

    files: int
    results: list[Result]
    errors: list[SourceError]  # what kept a test from being run

    @property
    def failed(self) -> int:
        """How many tests failed."""
        return sum(bool(result.failures) for result in self.results)


@click.command("test")
@click.argument("paths", nargs=-1, type=click.Path())
@click.option("--format", "format_", type=click.Choice(["text", "json", "junit"]), default="text", show_default=True)
@allow_outside_option
def command(paths: tuple[str, ...], format_: str, allow_outside: tuple[str, ...]) -> None:
    """Test a team's expectations of its fabrics: resolved values, and the findings of lint.

    PATH is a file of tests, or a folder with such files (*.rocecfg-test.yaml) in it or below; default: here.

    Exit codes: 0 all pass, 1 a test fails, 2 could not run, 3 internal error.
    """
    files = [file for path in paths or (".",) for file in _find_test_files(path)]
    if not files:
        stop(f"no file *{SUFFIXES[0]} in {', '.join(paths) or '.'} or below")
    outcome = _Runner(allow_outside).run(list(dict.fromkeys(files)))
    if format_ == "json":
        click.echo(_render_json(outcome), nl=False)
    elif format_ == "junit":
        click.echo(_render_junit(outcome), nl=False)
    else:
        click.echo(_render_text(outcome), nl=False)
    for error in outcome.errors:
        print_message(str(error))
    sys.exit(2 if outcome.errors else int(outcome.failed > 0))


def _find_test_files(path: str) -> Iterator[str]:
    if not os.path.isdir(path):
        yield os.path.normpath(path)
        return
    yield from (file for file in walk_files(path) if file.endswith(SUFFIXES))


class _Runner:
    """Runs tests; each fabric is loaded and checked once for each vendor asked for."""

    def __init__(self, allowed: tuple[str, ...]) -> None:
        self._sources = Sources(allowed)
        self._finder = Finder()
        self._known: dict[tuple[str, str | None], tuple[Fabric, list[FoundFinding]] | SourceError] = {}
        self._say = Origins(self._sources)

    def run(self, files: list[str]) -> TestOutcome:
        """The tests of these files, in order."""
        out = TestOutcome(len(files), [], [])
        for file in files:
            bounds = Bounds(os.path.dirname(file), self._sources.allowed)
            try:
                bounds.check(file)
                cases, errors = read(self._sources.read(file))
            except SourceError as error:
                out.errors.append(error)
                continue
            out.errors.extend(errors)
            for case in cases:
                fabric = self._find_fabric(case, bounds)
                if isinstance(fabric, SourceError):
                    out.errors.extend([fabric] * (fabric not in out.errors))  # once, for all tests of it
                else:
                    at = locate_span(case.at, self._sources)
                    failures = tuple(self._locate_failure(failure) for failure in check_case(case, *fabric))
                    out.results.append(Result(at.path, at.line, case.name, count_expectations(case), failures))
        return out

    def _find_fabric(self, case: Case, bounds: Bounds) -> tuple[Fabric, list[FoundFinding]] | SourceError:
        if not bounds.hold(case.fabric):
            at = locate_span(case.at, self._sources)
            return SourceError(
                at.path, *bounds.describe_refusal(f"fabric {case.fabric}", case.fabric), at.line, at.column
            )
        key = case.fabric, case.vendor
        if key not in self._known:
            try:
                self._known[key] = self._load_fabric(case)
            except SourceError as error:
                self._known[key] = error
        return self._known[key]

    def _load_fabric(self, case: Case) -> tuple[Fabric, list[FoundFinding]]:
        """Raises SourceError for a fabric, its settings or house rules that cannot be read."""
        loaded = load(case.fabric, self._sources, case.vendor)
        if loaded.fabric is None:
            raise loaded.errors[0]
        today = time.strftime("%Y-%m-%d")
        policies = find_policies(self._finder, [case.fabric])
        run = lint([loaded], self._sources, today=today, policies=policies)
        for failure in run.failed:
            stop(f"internal error: {failure}", 3)
        if run.unreadable:
            unread = next(f for f in run.findings if f.at is None)
            raise SourceError(unread.path, unread.message, unread.help, unread.line, unread.column)
        return loaded.fabric, _list_findings(run)

    def _locate_failure(self, failure: Failure) -> ShownFailure:
        at = locate_span(failure.at, self._sources)
        origin = self._say(failure.origin) if failure.origin is not None else None
        return ShownFailure(at.path, at.line, at.column, failure.what, failure.expected, failure.got, origin)


def _list_findings(run: Run) -> list[FoundFinding]:
    out = []
    for finding in run.findings:
        at = locate_finding(finding, run.sources)
        out.append(
            FoundFinding(
                finding.rule.name,
                finding.severity,
                finding.message,
                at.path,
                at.line,
                finding.devices,
                finding.ports,
                finding.cls,
            )
        )
    return out


# -- formats -----------------------------------------------------------------------------------------------------------


def _render_text(outcome: TestOutcome) -> str:
    """A line a failure, and what was tested."""
    lines = [f"{f.path}:{f.line}: {r.name}: {f.text()}" for r in outcome.results for f in r.failures]
    tests = len(outcome.results)
    checks = sum(result.checks for result in outcome.results)
    scope = f"{checks} expectation{'s' * (checks != 1)} in {outcome.files} file{'s' * (outcome.files != 1)}"
    if outcome.failed:
        return visible_text(lines) + f"{outcome.failed} of {tests} test{'s' * (tests != 1)} failed; {scope}\n"
    return f"{tests} test{'s' * (tests != 1)} passed; {scope}\n"


def _render_json(outcome: TestOutcome) -> str:
    import json

    def make_entry(result: Result) -> dict[str, Any]:
        return {
            "path": result.path,
            "line": result.line,
            "name": result.name,
            "passed": not result.failures,
            "failures": [failure._asdict() for failure in result.failures],
        }

    errors = [{"path": e.path, "line": e.line, "column": e.column, "message": e.message} for e in outcome.errors]
    summary = {"files": outcome.files, "tests": len(outcome.results), "failed": outcome.failed, "errors": len(errors)}
    whole = {"version": 1, "tests": list(map(make_entry, outcome.results)), "errors": errors, "summary": summary}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def _render_junit(outcome: TestOutcome) -> str:
    """A suite a file, a case a test; what kept one from being run is a case in error."""
    from xml.etree.ElementTree import Element, SubElement, indent, tostring

    report = Element("testsuites", name="rocecfg test")
    suites: dict[str, Element] = {}

    def add_case(path: str, line: int, name: str) -> Element:
        if path not in suites:
            suites[path] = SubElement(report, "testsuite", name=path)
        return SubElement(suites[path], "testcase", classname=path, name=name, file=path, line=str(line), time="0")

    for result in outcome.results:
        its = add_case(visible(result.path), result.line, visible(result.name))
        for failure in result.failures:
            text = f"{failure.path}:{failure.line}: {failure.text()}"
            SubElement(its, "failure", message=visible(failure.text())).text = visible(text)
    for error in outcome.errors:
        its = add_case(visible(error.path), error.line, "cannot be run")
        SubElement(its, "error", message=visible(error.message)).text = visible(str(error))
    for of in (*suites.values(), report):
        cases = list(of.iter("testcase"))
        of.set("tests", str(len(cases)))
        of.set("failures", str(sum(c.find("failure") is not None for c in cases)))
        of.set("errors", str(sum(c.find("error") is not None for c in cases)))
    indent(report, " ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(report, encoding="unicode")}\n'
