"""Every form of an independent grammar of EOS, written, changed and misspelt: none passes in silence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from eos_grammar import UNDER, filled, lines, load_grammar, refused, text_below, values, written
from eos_text import findings, switches
from seen import Seen, noted, seen

from rocecfg.model.switch import Switch

pytestmark = pytest.mark.conformance

_SWITCH = """\
! Command: show running-config
! device: leaf01 (DCS-7060X6-64PE, EOS-4.33.2F)
!
hostname leaf01
!
policy-map type quality-of-service NAME
   class class-default
      set traffic-class 0
!
platform trident mmu queue profile M
   ingress threshold 1/4
!
platform trident mmu queue profile M apply
!
qos profile P
   {trust}
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   !
   uc-tx-queue 3
      no priority
      bandwidth percent 60
      random-detect ecn minimum-threshold 400000 bytes maximum-threshold 1600000 bytes max-mark-probability 13 weight 0
!
interface Ethernet1/1
   mtu 9000
   service-profile P
!
interface Vxlan1
   vxlan source-interface Loopback0
!
"""
_TRUSTING = [_SWITCH.format(trust=trust) for trust in ("qos trust dscp", "qos trust cos", "no qos trust")]
BASES = (*_TRUSTING, re.sub(r"(?s)(qos profile P\n).*?\n!\n", r"\1!\n", _TRUSTING[0]))  # the last says nothing of QoS

# What nobody is shown, and why.
SILENT = {
    r".*: qos (traffic-class|\{tx-queue\|.*) .* name .*": "a label that nothing uses",
    r".*: qos map (exp .*|traffic-class .* to exp .*)": "MPLS's field; RoCEv2 is sorted by DSCP or 802.1p",
    r".*: qos map traffic-class .* to cos .*": "does nothing but under qos rewrite cos, which is noted",
    r".*: (tx|uc-tx|mc-tx)-queue \{q:0-7\}": "opens the mode of a queue: what stands in it counts",
    r"global: (class-map|policy-map) .*": "sorts nothing until a port binds it, and that is noted",
    r"(global|eth): (no )?queue-monitor .*": "LANZ: reports of queue lengths",
    r"global: hardware counter feature qos.*": "counters of policy-maps",
    r"global: (port-channel load-balance|load-balance cluster).*": "chooses among equal paths, and no queue",
}
ANY_NAME = r"no service-profile \S+"  # there is one, and it is taken back whatever it is called
FLOW_SETS = r"ip hardware fib load-balance distribution dynamic.*"  # how many flows it remembers is no mode of it
BOUND = r"service-policy type pbr input \S+"  # that one is bound is told, whichever it is
EITHER_DCBX = r"dcbx mode (ieee|cee)"  # an intent says that it is on, not which of the two
# Lines of which no value is looked at.
FREE = "|".join(f"(?:{pattern})" for pattern in SILENT)


class Statement(NamedTuple):
    """A form of the grammar in one of the modes that take it."""

    mode: str
    pattern: str

    @property
    def name(self) -> str:
        return f"{self.mode}: {self.pattern}"


@pytest.fixture(scope="module")
def statements(eos_validator: Path) -> list[Statement]:
    grammar = load_grammar(str(eos_validator))
    forms = [(modes, pattern) for modes, pattern, _, _, platform in grammar.GRAMMAR if platform != "plain"]
    forms += [(modes, f"no {pattern}") for modes, pattern, _ in grammar.NEG]
    return [Statement(mode, pattern) for modes, pattern in forms for mode in modes if mode in UNDER]


def below(mode: str, line: str) -> str:
    return text_below(mode, line) if line else ""


@cache
def shown(text: str) -> Seen:
    return seen(switches(text))


@cache
def judged(text: str) -> Seen:
    return frozenset((each.rule.name, each.message) for each in findings(text))


def differ(one: str, other: str) -> bool:
    """Whether a user can tell two switches apart: by settings and notes, or by what lint finds."""
    return shown(one) != shown(other) or judged(one) != judged(other)


def bases(statement: Statement, grammar: list[Statement]) -> Iterator[str]:
    """Switches that the statement is added to; what it takes back is there."""
    mode, pattern = statement
    head = re.split(r"[\[{]", pattern.removeprefix("no "))[0].strip()
    if not pattern.startswith("no "):
        yield from BASES
        yield BASES[0] + below(mode, f"no {head}")
        return
    there = [other for other in grammar if other.mode == mode and other.pattern.startswith(head)]
    every = [below(mode, line) for other in there for line in written(other.pattern)]
    yield from (BASES[0], BASES[0] + "".join(every))
    yield from (BASES[0] + line for line in every)


def excused(name: str) -> bool:
    return any(re.fullmatch(pattern, name) for pattern in SILENT)


def home(statement: Statement, grammar: list[Statement]) -> str | None:
    """A switch on which the statement shows; None: there is none."""
    for base in bases(statement, grammar):
        if any(differ(base + below(statement.mode, line), base) for line in written(statement.pattern)):
            return base
    return None


def test_every_statement_shows(statements: list[Statement]) -> None:
    assert len(statements) > 150
    silent = {each.name for each in statements if home(each, statements) is None}
    assert silent == {each.name for each in statements if excused(each.name)}
    unneeded = [pattern for pattern in SILENT if not any(re.fullmatch(pattern, name) for name in silent)]
    assert (unneeded, len(SILENT) <= 30) == ([], True)


def changes(statement: Statement) -> Iterator[tuple[str, str]]:
    """Two lines that differ in it alone."""
    for form, tokens in lines(statement.pattern):
        first = [values(body)[0] for body in tokens]
        for n, body in enumerate(tokens):
            for pair in pairwise(values(body)):
                one, other = (filled(form, [*first[:n], word, *first[n + 1 :]]) for word in pair)
                yield one, other


@cache
def unjudged(base: str, line: str) -> bool:
    """Whether it is said that the line, or what it names, is not understood or not judged."""
    before, after = switches(base), switches(base + line)
    return bool(noted(after) - noted(before)) or count_unjudged(after) > count_unjudged(before)


def count_unjudged(those: Iterable[Switch]) -> int:
    """What is counted as neither judged nor foreign, and compared as it is written."""
    return sum(sum(each.fates.counts[2:]) for each in those)


def tell_apart(base: str, one: str, other: str) -> bool:
    """Whether it shows on a switch which of two lines it has, or that neither is judged."""
    return (unjudged(base, one) and unjudged(base, other)) or differ(base + one, base + other)


def test_every_value_shows(statements: list[Statement]) -> None:
    tried, missed = 0, []
    for each in statements:
        for one, other in changes(each) if not excused(each.name) else ():
            tried += 1
            texts = [below(each.mode, line) for line in (one, other)]
            if not any(tell_apart(base, *texts) for base in bases(each, statements)):
                missed.append((each.name, one, other))
    assert tried > 400
    assert [each for each in missed if not re.fullmatch(f"{ANY_NAME}|{BOUND}|{EITHER_DCBX}|{FLOW_SETS}", each[1])] == []


def test_every_value_that_eos_refuses_is_told(statements: list[Statement]) -> None:
    tried, missed = 0, []
    for each in statements:
        for form, tokens in lines(each.pattern) if not re.match(FREE, each.name) else ():
            first = [values(body)[0] for body in tokens]
            for n, body in enumerate(tokens):
                word = refused(body)
                if word:
                    tried += 1
                    text = below(each.mode, filled(form, [*first[:n], word, *first[n + 1 :]]))
                    if not unjudged(BASES[0], text):
                        missed.append((each.mode, text))
    assert tried > 150
    assert missed == [], missed
