"""Which rules the running values break that what is intended does not."""

from __future__ import annotations

from collections.abc import Mapping

from rocecfg.core.records import NamedTuple
from rocecfg.drift.changes import DeviceFix
from rocecfg.drift.differences import MARKS, BrokenRule, Difference
from rocecfg.drift.run import Drift
from rocecfg.linting.finding import Finding
from rocecfg.linting.judge import RuleFailed, judge
from rocecfg.model.catalogue import list_rules
from rocecfg.model.switch import Switch
from rocecfg.model.values import OFF, Way
from rocecfg.source.document import Document, Sources
from rocecfg.vendors.draft import draft_of
from rocecfg.vendors.running import fabric_of


class _Class(NamedTuple):
    """A traffic class of a switch, as a finding names it."""

    queue: int
    priority: int


def add_broken_rules(drift: Drift, changed: Mapping[str, DeviceFix]) -> tuple[Drift, list[RuleFailed]]:
    """The drift with the rules that its running values break and the fixed ones do not; and the rules that failed."""
    before = [(one.name, one.found.switch, one.found.document) for one in drift.differing]
    if not before:
        return drift, []
    found, failed = _judge_switches(before, drift.sources)
    after = [(name, now, at) for name, _, at in before if (now := changed[name].after) is not None]
    known = {(f.rule.name, f.message, name) for f in _judge_switches(after, drift.sources)[0] for name in f.devices}
    fresh = [f for f in found if any((f.rule.name, f.message, name) not in known for name in f.devices)]
    switches = {name: switch for name, switch, _ in before}
    broken: list[dict[str, BrokenRule]] = [{} for _ in drift.differences]
    for finding in fresh:
        one = BrokenRule(finding.rule.code, finding.rule.name, finding.severity, finding.message)
        for number in _find_causes(finding, drift.differences, switches):
            broken[number].setdefault(one.name, one)
    out = [d._replace(breaks=tuple(b.values())) for d, b in zip(drift.differences, broken, strict=True)]
    return drift._replace(differences=out), failed


def _judge_switches(
    switches: list[tuple[str, Switch, Document]], sources: Sources
) -> tuple[list[Finding], list[RuleFailed]]:
    read = [(document, [draft_of(switch)._replace(name=name)]) for name, switch, document in switches]
    return judge(fabric_of("", read, [], sources))


def _find_causes(finding: Finding, differences: list[Difference], switches: dict[str, Switch]) -> list[int]:
    """The differences that a finding comes of; where only one reaches its place, it is that."""
    near = [n for n, d in enumerate(differences) if not d.down and _reaches(finding, d)]
    return [n for n in near if _concerns(finding, differences[n], switches)] or (near if len(near) == 1 else [])


def _reaches(finding: Finding, difference: Difference) -> bool:
    devices, ports = set(finding.devices), set(finding.ports)
    return any(
        devices & set(reach.devices) and (not ports or not reach.ports or ports & set(reach.ports))
        for reach in difference.reach
    )


def _concerns(finding: Finding, difference: Difference, switches: dict[str, Switch]) -> bool:
    """Whether a finding is about the setting: at the very value, or by a rule on such settings and of its queue."""
    places = {value.running_at for value in difference.values if value.running_at is not None}
    if finding.at in places or any(span in places for span, _ in finding.related):
        return True
    judging = tuple(rule for value in difference.values for rule in list_rules(difference.topic, value.part))
    if not finding.rule.name.startswith(judging):
        return False
    if finding.rule.name == "ecn-missing" and difference.topic == "ecn":
        return any(not value.part and value.running in (None, OFF) for value in difference.values)
    cls = _find_class(finding, switches)
    return cls is None or _has_class(difference, cls)


def _find_class(finding: Finding, switches: dict[str, Switch]) -> _Class | None:
    """The traffic class that a finding is about; None where it is about none."""
    switch = next((switches[name] for name in finding.devices if name in switches), None)
    number = (finding.cls or "").removeprefix(switch.word if switch is not None else "")
    if switch is None or not number.isdigit():
        return None
    chain = switch.chain
    return _Class(chain.queue[int(number)].value, chain.priority[int(number)].value)


def _has_class(difference: Difference, cls: _Class) -> bool:
    value = difference.values[0]
    if difference.topic == "pfc":  # of the priorities that are too many or too few
        sides = [set(side) if isinstance(side, tuple) else set() for side in (value.meant, value.running)]
        return cls.priority in sides[0] ^ sides[1]
    if difference.topic in MARKS:
        return cls.queue in [way.queue for way in (value.meant, value.running) if isinstance(way, Way)]
    if difference.topic == "shares":
        return any(value.part == str(cls.queue) for value in difference.values)
    return difference.number is None or cls.queue == difference.number
