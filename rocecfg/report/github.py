"""Findings as workflow commands of GitHub Actions, which shows them at their lines in a pull request.

One step may have ten errors, ten warnings and ten notices; GitHub shows no more, and the log has the rest.
"""

from __future__ import annotations

from rocecfg.core.visible import visible
from rocecfg.linting.finding import Finding
from rocecfg.linting.run import Run
from rocecfg.report.ci import find_last_line, find_repository, list_details, locate_in_repository
from rocecfg.source.document import Sources

_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}


def render(run: Run, *, color: bool = False) -> str:
    """One command a finding, and one for each rule that failed; empty where there is nothing to tell.

    The log shows a command's message alone, so it names the place again. `color` is unused.
    """
    del color
    root = find_repository()
    commands = [_render_finding(f, run.sources, root) for f in run.causes]
    commands += [_render_command("error", {"title": "rocecfg: internal error"}, visible(str(f))) for f in run.failed]
    return "".join(commands)


def _render_finding(finding: Finding, sources: Sources, root: str) -> str:
    at = locate_in_repository(finding, sources, root)
    properties: dict[str, str | int] = {}
    where = ""
    if at is not None:
        path = visible(at.path)
        where = f"{path}:{at.line}:{at.column}: "
        properties = {"file": path, "line": at.line, "endLine": find_last_line(at)}
        if at.end_line == at.line:  # GitHub takes columns only where there is one line
            properties |= {"col": at.column, "endColumn": at.end_column}
    properties["title"] = f"{finding.rule.code} {finding.rule.name}"
    message = [where + visible(finding.message), *list_details(finding, sources, root)]
    return _render_command(_COMMANDS[finding.severity], properties, "\n".join(message))


def _render_command(name: str, properties: dict[str, str | int], message: str) -> str:
    given = ",".join(f"{key}={_escape_property(str(value))}" for key, value in properties.items())
    return f"::{name} {given}::{_escape_data(message)}\n"


def _escape_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape_data(text).replace(":", "%3A").replace(",", "%2C")
