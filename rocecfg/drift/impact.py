"""Which rules the running values break that what is meant does not."""

from __future__ import annotations

from collections.abc import Mapping

from rocecfg.core.records import NamedTuple
from rocecfg.drift.changes import DeviceFix
from rocecfg.drift.differences import MARKS, BrokenRule, Difference
from rocecfg.drift.run import Drift
from rocecfg.linting.finding import Finding
from rocecfg.linting.judge import RuleFailed, judge
from rocecfg.model.switch import Switch
from rocecfg.model.values import OFF, Way
from rocecfg.source.document import Document, Sources
from rocecfg.vendors.draft import draft_of
from rocecfg.vendors.running import fabric_of

# Rules that judge a setting, by the beginning of their name.
ABOUT: dict[str, tuple[str, ...]] = {
    "pfc": (
        *("pfc-", "watchdog-missing", "watchdog-priorities", "ecn-missing", "mix-pg-shared", "mix-tc-chain"),
        *("eos-pfc", "eos-port", "nvue-moved", "nvue-lossless"),
        *("junos-pfc", "junos-no-loss", "junos-port", "junos-no-classifier", "junos-shared", "junos-passed"),
    ),
    "watchdog": ("watchdog-", "eos-watchdog", "nvue-watchdog", "sonic-one-poll", "junos-watchdog"),
    "ecn": ("ecn-", "eos-unit", "nvue-ecn", "nvue-threshold", "junos-ecn", "junos-early", "junos-late"),
    "discards": ("ecn-red-drop",),
    "roce": ("nvue-", "pfc-", "buffer-"),
    "unmarked": ("mix-",),
    "dcbx": ("pfc-dcbx",),
    "shares": ("ets-", "eos-strict", "sonic-unscheduled", "junos-strict", "junos-unscheduled"),
    "scheduling": ("ets-",),
    "max_rate": ("ets-shaper", "ets-cnp-cap", "eos-unit", "junos-strict"),
    "guaranteed": ("watchdog-guarantee",),
    "dscp": ("mix-", "eos-default-map", "eos-map", "nvue-default-map", "junos-pfc"),
    "pcp": ("mix-",),
    "maps": ("mix-", "device-ref"),
    "stops": ("mix-tc-chain", "junos-pause", "junos-no-output"),
    "pauses": ("mix-tc-chain",),
    "trust": ("mix-trust", "pfc-vlan-l3", "junos-no-classifier"),
    "flowcontrol": ("pfc-global-pause",),
    "cable": ("buffer-cable", "buffer-headroom", "buffer-long", "nvue-cable"),
    "bound": ("buffer-cable", "buffer-headroom"),
    "mtu": ("buffer-mtu", "link-mtu", "rdma-mtu", "junos-family"),
    "headroom": ("buffer-headroom", "buffer-xon", "buffer-zero", "buffer-pool", "nvue-explicit"),
    "group": ("buffer-", "sonic-group"),
    "egress": ("buffer-egress", "buffer-lossy-queue"),
    "fec": ("link-fec",),
    "buffers": ("buffer-", "nvue-pool", "sonic-pool", "junos-partitions", "junos-threshold"),
    "pool": ("buffer-", "nvue-pool", "sonic-pool", "junos-partitions"),
    "obeys": ("pfc-one-way", "junos-no-output", "junos-obeys", "junos-lossy"),
    "sends": ("pfc-one-way",),
    "remarks": ("mix-remark",),
    "watchdog_blind": ("watchdog-counter",),
    "watchdog_forced": ("watchdog-big-red",),
    "load_balancing": ("topology-hash",),
    "trimming": ("mix-trimmed",),
    "trimmed": ("mix-trimmed",),
    "recovers": ("eos-watchdog-errdisable",),
}
# Of the rules on the watchdog, those on one part of it.
PARTS: dict[str, tuple[str, ...]] = {
    "detection_time": (
        *("watchdog-slow", "watchdog-fast", "watchdog-multiple", "watchdog-poll", "watchdog-restore"),
        "eos-watchdog-timeout",
    ),
    "restoration_time": (
        *("watchdog-multiple", "watchdog-poll", "watchdog-restore", "watchdog-no-restore"),
        "eos-watchdog-timeout",
    ),
    "poll_interval": ("watchdog-poll", "watchdog-multiple", "watchdog-slow", "watchdog-fast", "sonic-one-poll"),
    "action": ("watchdog-action", "eos-watchdog-errdisable", "junos-watchdog-action"),
    "priorities": ("watchdog-priorities",),
}


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
    if not finding.rule.name.startswith(_find_rules(difference)):
        return False
    if finding.rule.name == "ecn-missing" and difference.topic == "ecn":
        return any(not value.part and value.running in (None, OFF) for value in difference.values)
    cls = _find_class(finding, switches)
    return cls is None or _has_class(difference, cls)


def _find_rules(difference: Difference) -> tuple[str, ...]:
    parts = {value.part for value in difference.values}
    if difference.topic == "watchdog" and parts <= PARTS.keys():
        return tuple(rule for part in parts for rule in PARTS[part])
    return ABOUT.get(difference.topic, ())


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
