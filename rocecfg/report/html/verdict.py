"""The sentence at the top of the page: how many findings there are, and what the gravest of them mean.

An effect is named only where a rule whose errors have it found one; every other rule speaks by its own summary.
"""

from __future__ import annotations

from collections.abc import Sequence

from rocecfg.core.records import NamedTuple
from rocecfg.linting.finding import Finding
from rocecfg.linting.run import Run
from rocecfg.report.html.words import format_count
from rocecfg.rules import ERROR, INFO, WARNING, Rule

_MOST = 2  # effects in the sentence


class Consequence(NamedTuple):
    """What findings of some rules mean for those who use the fabric; `{}` stands for which fabric it is."""

    text: str
    rules: tuple[str, ...]


ERRORS = (
    Consequence("a PFC deadlock can stop {}", ("topology-cbd", "topology-vc-count")),
    Consequence("a pause storm can freeze {}", ("watchdog-missing", "watchdog-host", "watchdog-counter-poll")),
    Consequence(
        "the PFC watchdog does not work as configured", ("watchdog-poll", "watchdog-poll-eos", "watchdog-priorities")
    ),
    Consequence(
        "RDMA packets can be dropped",
        (
            *("pfc-missing-rdma", "link-pfc", "nic-pfc", "path-cover", "mix-trust", "mix-tc-chain"),
            *("mix-port-map", "mix-remark", "pfc-lag", "sonic-unpaused", "watchdog-big-red", "ecn-red-drop"),
            *("buffer-headroom", "buffer-cable-bucket", "buffer-pool", "buffer-mtu", "buffer-long-link"),
            *("buffer-zero-shared", "buffer-egress-drop", "buffer-model-mix", "buffer-lossy-group"),
        ),
    ),
    Consequence("uplinks carry less than what comes from below", ("topology-oversub",)),
    Consequence("not all hosts of {} reach each other", ("topology-disconnected",)),
    Consequence(
        "pauses can stop other traffic than RDMA",
        (
            *("pfc-all", "pfc-global-pause", "pfc-control-prio", "pfc-cnp", "pfc-prio0", "pfc-rdma-only"),
            *("pfc-mgmt-port", "isol-mgmt", "mix-into-lossless", "mix-pg-shared"),
            "nic-global-pause",
        ),
    ),
    Consequence(
        "PFC pauses before ECN slows the senders down",
        ("ecn-missing", "ecn-before-pfc", "ecn-static-xoff", "ecn-color"),
    ),
)
"""What errors mean, the gravest first."""

WARNINGS = (Consequence("lossless ports are without a PFC watchdog", ("watchdog-missing", "watchdog-host")),)
"""What warnings mean, where the summary of their rule is about the errors that it finds."""


class VerdictPart(NamedTuple):
    """A part of the sentence, and the group of findings that it is about."""

    text: str
    anchor: str


class PageVerdict(NamedTuple):
    """The sentence: `level` (error | warning | info | good), how it begins, the effects, and what limits it."""

    level: str
    start: str
    parts: tuple[VerdictPart, ...]
    end: str
    limits: tuple[str, ...]  # further sentences: what was not judged


def make_anchor(rule: Rule, severity: str) -> str:
    """The place on the page of a rule's findings at a severity."""
    return f"{severity}-{rule.code}"


def make_verdict(
    run: Run, fabrics: int, *, running: bool, unread: int, unsized: int = 0, undecided: Sequence[str] = ()
) -> PageVerdict:
    """What a run found, in a sentence.

    `fabrics`: how many were checked; `running`: from configurations of switches, which need not be all there are;
    `unread`: files that could not be read; `unsized`: lossless ports whose headroom could not be checked;
    `undecided`: why deadlock was not checked, for each fabric with lossless links between switches where it was not.
    """
    summary = run.summary
    level = ERROR if summary.errors else WARNING if summary.warnings else "good"
    limits = tuple(_list_limits(run, unread, unsized, undecided))
    if level == "good":
        unknown = summary.fates is not None and summary.fates.counts[-1] > 0
        level = ERROR if unread or run.failed else INFO if summary.not_understood or unknown else level
        infos = f", {format_count(summary.infos, 'info')}" if summary.infos else ""
        waived = f"; {format_count(summary.suppressed, 'finding')} waived" if summary.suppressed else ""
        return PageVerdict(level, f"No errors and no warnings{infos}{waived}", (), ".", limits)
    number = (
        format_count(summary.errors, "error")
        if level == ERROR
        else f"No errors, {format_count(summary.warnings, 'warning')}"
    )
    which = "one of these fabrics" if fabrics > 1 else "the fabric" if running else "this fabric"
    parts = _list_parts([f for f in run.findings if f.severity == level], level, which)
    more = len(parts) - _MOST
    return PageVerdict(
        level,
        f"{number}: ",
        tuple(parts[:_MOST]),
        f"; and {format_count(more, 'more kind')} below." if more > 0 else ".",
        limits,
    )


def _list_limits(run: Run, unread: int, unsized: int, undecided: Sequence[str]) -> list[str]:
    out = []
    if unread:
        out.append(
            f"{format_count(unread, 'file')} could not be read, and {'was' if unread == 1 else 'were'} not checked."
        )
    if run.failed:
        out.append(f"{format_count(len(run.failed), 'rule')} failed, and checked nothing.")
    if number := run.summary.not_understood:
        out.append(f"The effect of {format_count(number, 'statement')} of the switches is not known.")
    if run.summary.fates is not None and (number := run.summary.fates.counts[-1]):
        is_ = "is" if number == 1 else "are"
        out.append(f"{format_count(number, 'statement')} of the switches {is_} unknown: in no list of what is checked.")
    if run.summary.unmodelled:
        out.append(f"Syntax was not checked by the models of the switches' systems: {run.summary.unmodelled}.")
    if run.summary.absent:
        out.append(f"Not checked, since the files do not contain it: {', '.join(run.summary.absent)}.")
    if run.summary.unset:
        out.append(f"Checked as not set, since the files have no line on it: {', '.join(run.summary.unset)}.")
    if unsized:
        out.append(f"Headroom of {format_count(unsized, 'lossless port')} could not be checked.")
    out += [f"Deadlock was not checked: {why}." for why in dict.fromkeys(undecided)]
    return out


def _list_parts(findings: list[Finding], level: str, which: str) -> list[VerdictPart]:
    """The effects of findings of one severity, gravest first; then the summaries of rules, widest reach first."""
    table = ERRORS if level == ERROR else WARNINGS
    rules = {f.rule.name: f.rule for f in findings}
    out = []
    for effect in table:
        known = [rules.pop(name) for name in effect.rules if name in rules]
        if known:
            out.append(VerdictPart(effect.text.format(which), make_anchor(known[0], level)))
    reach: dict[str, int] = {}
    for finding in findings:
        reach[finding.rule.name] = reach.get(finding.rule.name, 0) + max(finding.port_count, len(finding.devices))
    rest = sorted(rules.values(), key=lambda rule: (-reach[rule.name], rule.code))
    return out + [VerdictPart(_decapitalize(rule.summary), make_anchor(rule, level)) for rule in rest]


def _decapitalize(summary: str) -> str:
    """A rule's summary in the middle of a sentence: `A share ...` loses its capital, `RDMA ...` does not."""
    text = summary.strip().rstrip(".")
    return text if text[1:2].isupper() or text[1:2].isdigit() else text[:1].lower() + text[1:]
