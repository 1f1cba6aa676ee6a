"""What is reported: one finding a cause, with those that say the same elsewhere and those that follow from it.

Waivers, baselines, fixes and exit codes work on every finding; only what is shown and counted is folded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rocecfg.linting.finding import Finding
from rocecfg.linting.folding import label_other_places
from rocecfg.rules import SEVERITIES


def fold_by_cause(findings: Sequence[Finding]) -> list[Finding]:
    """Findings, each cause once, at its first place and in the order given; `folded` of each has all the others.

    One file's findings of one rule that say the same are one. What a finding `explains` is folded under it where
    it stands at one of the same places, or on none but the same ports, and is not graver.
    """
    under = _find_explained(findings)
    following: dict[int, list[Finding]] = {}
    for number, cause in under.items():
        following.setdefault(cause, []).append(findings[number])
    alike: dict[object, list[int]] = {}
    for number, finding in enumerate(findings):
        if number not in under:
            alike.setdefault(_mistake_key(finding) or number, []).append(number)
    return [
        _merge([findings[n] for n in numbers], [f for n in numbers for f in following.get(n, ())])
        for numbers in alike.values()
    ]


def fold_over_files(reported: Sequence[Finding]) -> list[Finding]:
    """What `fold_by_cause` gives, for people: what a rule says alike in several files of a fabric is one.

    It stands at its first place. Machines annotate files, and are told of each file.
    """
    alike: dict[object, list[Finding]] = {}
    for number, finding in enumerate(reported):
        alike.setdefault(_message_key(finding) or number, []).append(finding)
    return [_merge(same, []) for same in alike.values()]


def _message_key(finding: Finding) -> tuple[object, ...] | None:
    """What findings that say the same have in common, in whichever file; None for one that stands in no text."""
    if finding.at is None:
        return None
    return finding.root, finding.rule.name, finding.severity, finding.message, finding.help, finding.cls


def _mistake_key(finding: Finding) -> tuple[object, ...] | None:
    """What findings of one mistake have in common; None for one that stands in no text."""
    if finding.at is None:
        return None
    stated = (finding.alike,) if finding.alike else (finding.message, finding.help, finding.cls)
    return finding.root, finding.at.doc, finding.rule.name, finding.severity, *stated


def _merge(same: list[Finding], following: list[Finding]) -> Finding:
    first, *others = same
    if not others and not following:
        return first
    folded = tuple(inner for one in (*others, *following) for inner in (one._replace(folded=()), *one.folded))
    if not others:
        return first._replace(folded=(*first.folded, *folded))
    reaches = {(f.devices, f.ports): f.port_count for f in same}
    everywhere = any(f.devices and not f.ports for f in same)
    words = [(f.at, f.message if f.alike else "the same here") for f in others if f.at is not None]
    return first._replace(
        devices=tuple(dict.fromkeys(name for f in same for name in f.devices)),
        ports=() if everywhere else tuple(dict.fromkeys(name for f in same for name in f.ports)),
        port_count=sum(reaches.values()),
        related=(*first.related, *label_other_places(words)),
        folded=(*first.folded, *folded),
    )


def _find_explained(findings: Sequence[Finding]) -> dict[int, int]:
    """The numbers of findings that follow from another one, and of that one."""
    known = [(number, _Cause(f)) for number, f in enumerate(findings) if f.explains]
    under: dict[int, int] = {}
    for number, finding in enumerate(findings) if known else ():
        for cause, of in known:
            if cause != number and of.explains(finding):
                under[number] = cause
                break
    return {number: _find_top_cause(under, cause) for number, cause in under.items()}


def _find_top_cause(under: dict[int, int], cause: int) -> int:
    while cause in under:
        cause = under[cause]
    return cause


class _Cause:
    """A finding that others may follow from."""

    def __init__(self, finding: Finding) -> None:
        self._of = finding
        self._level = SEVERITIES.index(finding.severity)
        self._places = {finding.at, *(span for span, _ in finding.related)}
        self._devices = frozenset(finding.devices)
        self._ports = frozenset(finding.ports)

    def explains(self, other: Finding) -> bool:
        """Whether the other one is there because of this one."""
        if other.rule.name not in self._of.explains or other.root != self._of.root:
            return False
        if SEVERITIES.index(other.severity) > self._level:
            return False
        return other.at in self._places or self._covers(other)

    def _covers(self, other: Finding) -> bool:
        """Whether the other one reaches no ports but those of this one; if all of a switch, this one most of it."""
        if not other.devices or not self._devices.issuperset(other.devices):
            return False
        if other.ports and self._ports:
            return self._ports.issuperset(other.ports)
        return not self._ports or 2 * self._of.port_count >= other.port_count


def count_following_rules(finding: Finding) -> Iterator[tuple[str, int]]:
    """The rules of what follows from a cause, each with how often; the most frequent first."""
    counts: dict[str, int] = {}
    for other in finding.folded:
        if other.rule is not finding.rule:
            counts[other.rule.name] = counts.get(other.rule.name, 0) + 1
    yield from sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def count_same_elsewhere(finding: Finding) -> int:
    """At how many other places the same is found."""
    return sum(other.rule is finding.rule for other in finding.folded)


def count_folded(reported: Iterable[Finding]) -> int:
    """How many findings are folded under those that are reported."""
    return sum(len(finding.folded) for finding in reported)
