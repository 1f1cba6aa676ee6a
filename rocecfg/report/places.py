"""Places of findings as lines and columns, and their reach in words: what every format needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rocecfg.core.nodeset import fold_set
from rocecfg.core.records import NamedTuple
from rocecfg.linting.causes import count_following_rules, count_same_elsewhere
from rocecfg.linting.finding import Finding
from rocecfg.model import Span
from rocecfg.source.document import Sources

_LONGEST = 60  # characters of a node set


class Place(NamedTuple):
    """Path, and lines and columns from 1; the end is exclusive."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


def locate_span(span: Span, sources: Sources) -> Place:
    """A span as lines and columns."""
    document = sources.documents[span.doc]
    line, column = document.place(span.start)
    end_line, end_column = document.place(max(span.end, span.start))
    return Place(document.path, line, column, end_line, end_column)


def locate_finding(finding: Finding, sources: Sources) -> Place:
    """Where a finding stands."""
    if finding.at is None:
        return Place(finding.path, finding.line, finding.column, finding.line, finding.column)
    return locate_span(finding.at, sources)


def fold_devices(finding: Finding) -> str | None:
    """The devices as a short node set; None for findings about no device."""
    return fold_set(finding.devices) if finding.devices else None


def fold_ports(finding: Finding) -> str | None:
    """The ports as a short node set, where the finding is about ports."""
    return fold_set(finding.ports) if finding.ports else None


def describe_reach(finding: Finding) -> str:
    """How far one cause reaches: devices, and their ports by name where it is the same ones of each; else empty."""
    devices = len(finding.devices)
    same = devices * len(finding.ports) == finding.port_count
    named = (fold_devices(finding), fold_ports(finding) if same else None)
    where = " ".join(_shorten(names) for names in named if names is not None)
    if devices == 0 or (devices == 1 and finding.port_count <= 1):
        return where if finding.ports else ""
    counted = f"{devices} device{'s' * (devices != 1)}"
    if finding.port_count:
        counted += f", {finding.port_count} port{'s' * (finding.port_count != 1)}"
    return f"{where} ({counted})"


def _shorten(names: str) -> str:
    return names if len(names) <= _LONGEST else f"{names[: _LONGEST - 3]}..."


def list_notes(finding: Finding, sources: Sources, shown: Callable[[str], str] = str) -> list[str]:
    """The second places, the fix, the reach and what follows: a line each. `shown`: a path as the format shows it."""
    out = []
    for span, word in finding.related:
        there = locate_span(span, sources)
        out.append(f"{shown(there.path)}:{there.line}:{there.column}: {word}")
    if finding.help:
        out.append(f"help: {finding.help}")
    far = describe_reach(finding)
    if far:
        out.append(f"reaches {far}")
    if more := [*count_following_rules(finding)]:
        count = sum(times for _, times in more)
        rules = ", ".join(f"{name} ({times})" if times > 1 else name for name, times in more)
        out.append(f"{count} finding{'s follow' if count != 1 else ' follows'} from it, in --format json: {rules}")
    return out


def describe_folded(finding: Finding) -> Iterator[str]:
    """How much is shown under a finding, in words: `at 37 more places`, `26 findings follow`."""
    if places := count_same_elsewhere(finding):
        yield f"at {places} more place{'s' * (places != 1)}"
    if more := sum(times for _, times in count_following_rules(finding)):
        yield f"{more} finding{'s follow' if more != 1 else ' follows'}"
