"""Runs the rules on a fabric: once for each thing that differs, and one finding for each cause."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator, Mapping
from itertools import repeat

from rocecfg.analysis.ports import alike_devices
from rocecfg.core.progress import Progress
from rocecfg.intent import Loaded
from rocecfg.linting.finding import Finding
from rocecfg.linting.folding import Reach, find_concerned_ports, fold_repeated, label_repeats
from rocecfg.model import Device, Fabric, PortGroup, Span, spans_of
from rocecfg.model.stated import Problem
from rocecfg.model.views import make_views
from rocecfg.rules import (
    ERROR,
    INFO,
    OFF,
    ON_DEMAND,
    SEVERITIES,
    Chosen,
    Hit,
    Rule,
    get_rule,
    name_fabric_kinds,
    select_rules,
)
from rocecfg.rules.base import ALL_CLASSES, EVERY_CLASS
from rocecfg.sizing.chip import name_other_tables

_Levels = list[tuple[Rule, str]]  # rules, and how severe what they find is here
_REFUSED = ("device-unknown", "device-value", "device-ref")
_WEAKER = ("schema-nos-range", "device-unread")
_RARE = ("vlans",)  # sections that most fabrics have no use for


class RuleFailed(Exception):
    """A rule raised: our fault, never the user's."""

    def __init__(self, rule: Rule, device: str, error: Exception) -> None:
        self.rule = rule
        super().__init__(f"rule {rule.name} failed on {device or 'the fabric'}: {type(error).__name__}: {error}")


def select_all_rules(loaded: Loaded, least: str = INFO) -> Chosen:
    """All rules that can find something in a fabric: what only switches' own configurations decide is rarely loaded.

    `least`: those that find nothing as severe as that are left out.
    """
    if loaded.fabric is not None and not loaded.fabric.running:
        return select_rules(loaded.fabric.sections, least)
    from rocecfg.rules import ALL

    return Chosen(select_as_severe(tuple(r for r in ALL if r.name not in ON_DEMAND), least), {})


def select_as_severe(rules: tuple[Rule, ...], least: str) -> tuple[Rule, ...]:
    """Those of some rules that find something as severe as that."""
    severe = SEVERITIES[SEVERITIES.index(least) :]
    return tuple(r for r in rules if r.worst in severe)


def judge(
    loaded: Loaded,
    rules: tuple[Rule, ...] | None = None,
    left: Mapping[str, tuple[str, ...]] | None = None,
    progress: Progress | None = None,
) -> tuple[list[Finding], list[RuleFailed]]:
    """All findings of one fabric, unsorted and before waivers; and the rules that failed.

    `rules`: None for all. `left`: the names of further ones that were not loaded, by the section that they need.
    `progress`: counts what is judged.
    """
    if rules is None:
        rules, left = select_all_rules(loaded)
    chosen = frozenset(r.name for r in rules)
    running = loaded.fabric is not None and loaded.fabric.running
    problems = [p for p in dict.fromkeys(loaded.problems) if p.rule in chosen]
    findings = [
        _convert_problem(p, again) for p, again in (fold_repeated(problems) if running else zip(problems, repeat(())))
    ]
    for error in loaded.errors:
        rule = get_rule("schema-syntax")
        findings.append(
            Finding(
                rule,
                rule.severity,
                error.message,
                error.help,
                None,
                path=error.path,
                line=error.line,
                column=error.column,
            )
        )
    if loaded.fabric is None:
        return findings, []
    failed: list[RuleFailed] = []
    unread = any((p.severity or get_rule(p.rule).severity) == ERROR for p in loaded.problems)
    findings += _Run(loaded.fabric, rules, failed, unread=unread).judge(progress or Progress())
    findings += _report_absent_sections(loaded.fabric, rules, left or {})
    return _add_refused(findings, [problem for problem in loaded.refused if problem.rule in chosen]), failed


def _add_refused(findings: list[Finding], refused: list[Problem]) -> list[Finding]:
    """The findings with what models refuse, one a line: a rule that calls it wrong tells what follows for RoCE.

    Where a model is sure, neither a limit from elsewhere is told beside it, nor that nobody looked at the setting;
    where it is not, each of these is enough.
    """
    if not refused:
        return findings
    wrong = _Lines(at for finding in findings if _says_wrong(finding) for at in _list_places(finding))
    doubted = _Lines(at for finding in findings if finding.rule.name in _WEAKER for at in _list_places(finding))
    left = [
        problem
        for problem in dict.fromkeys(refused)
        if not wrong.hold_any(problem.at) and not (problem.severity is not None and doubted.hold_any(problem.at))
    ]
    kept = []
    for finding in findings:
        places = _list_places(finding)
        weaker = finding.rule.name in _WEAKER and finding.severity != ERROR
        if not (weaker and places and all(any(_holds(problem, at) for problem in left) for at in places)):
            kept.append(finding)
    return kept + [_convert_problem(problem, again) for problem, again in fold_repeated(left)]


class _Lines:
    """Places, by where they begin."""

    def __init__(self, places: Iterable[Span]) -> None:
        self._begins = sorted((at.doc, at.start) for at in places)

    def hold_any(self, line: Span) -> bool:
        """Whether one of them begins on a line."""
        number = bisect_left(self._begins, (line.doc, line.start))
        return number < len(self._begins) and self._begins[number] < (line.doc, line.end)


def _holds(problem: Problem, at: Span) -> bool:
    """Whether a model is sure that what stands on the line of a place is wrong."""
    line = problem.at
    return problem.severity is None and line.doc == at.doc and line.start <= at.start < line.end


def _says_wrong(finding: Finding) -> bool:
    return finding.severity == ERROR or finding.rule.name in _REFUSED


def _list_places(finding: Finding) -> list[Span]:
    return [one.at for one in (finding, *finding.folded) if one.at is not None]


def _convert_problem(problem: Problem, again: tuple[Span, ...]) -> Finding:
    """What was found while reading; `again`: where else in the text."""
    rule = get_rule(problem.rule)
    finding = Finding(
        rule,
        problem.severity or rule.severity,
        problem.message,
        problem.help,
        problem.at,
        (*problem.related, *label_repeats(again)),
        (problem.device,) if problem.device else (),
        fix=problem.fix,
        alike=problem.alike,
    )
    return finding._replace(folded=_copy_to_places(finding, again))


def _copy_to_places(finding: Finding, places: Iterable[Span]) -> tuple[Finding, ...]:
    """The same finding at other places."""
    return tuple(finding._replace(at=place, related=(), fix=None) for place in places)


def find_silent_rules(
    fabric: Fabric, rules: Iterable[Rule], left: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    """The rules that have nothing to look at, by the section that the intent lacks; of switches, which have none, none.

    `rules`, `left`: as of `judge`.
    """
    if fabric.running or not fabric.sections:
        return {}
    silent = {section: [*names] for section, names in left.items() if names and section not in fabric.sections}
    for rule in rules:
        for section in rule.needs:
            if section not in fabric.sections:
                silent.setdefault(section, []).append(rule.name)
    return {section: tuple(names) for section, names in sorted(silent.items()) if section not in _RARE}


def _report_absent_sections(
    fabric: Fabric, rules: tuple[Rule, ...], left: Mapping[str, tuple[str, ...]]
) -> Iterator[Finding]:
    about = get_rule("hygiene-absent")
    if about not in rules:
        return
    if len(rules) == 1:  # asked for alone: what of all rules is silent
        from rocecfg.rules import ALL

        rules = ALL
    silent = find_silent_rules(fabric, rules, left)
    spans = spans_of(fabric.at(""))
    if silent and spans:
        sections = ", ".join(
            f"{section} ({len(names)} rule{'s' * (len(names) != 1)})" for section, names in silent.items()
        )
        yield Finding(
            about,
            about.severity,
            f"the intent lacks these sections, so their rules are skipped: {sections}",
            "add the sections that the fabric has; `rocecfg rules` lists the rules",
            spans[0],
        )


class _Run:
    def __init__(self, fabric: Fabric, rules: tuple[Rule, ...], failed: list[RuleFailed], *, unread: bool) -> None:
        self.fabric = fabric
        self.unread = unread  # something of the intent, so that nobody knows what it leaves out
        self.failed = failed
        self.folded: dict[object, Reach] = {}
        self.common: dict[object, object] = {}  # the keys of what is found on a device by the way in which ports sort
        found = name_fabric_kinds(
            fabric.mode, fabric.kind, fabric.congestion_control, fabric.dual_tor, running=fabric.running
        )
        self.of_vendor: dict[str | None, tuple[_Levels, _Levels, _Levels]] = {}
        self.by_scope: dict[str, _Levels] = {"fabric": [], "device": [], "cls": [], "port": []}
        for rule in rules:
            severity = rule.severity
            for kind in found:
                lowered = rule.by_kind.get(kind)
                if lowered is not None and (severity != OFF):
                    severity = lowered
            present = all(section in fabric.sections for section in rule.needs)
            if fabric.nameless and rule.graph:
                continue  # what could not be read of links and names leaves holes in the graph
            if rule.check is not None and severity != OFF and present:
                self.by_scope[rule.scope].append((rule, severity))

    def judge(self, progress: Progress) -> list[Finding]:
        fabric = self.fabric
        progress.start("rules asked of the fabric", len(self.by_scope["fabric"]))
        for rule, severity in self.by_scope["fabric"]:
            self._ask_rule(rule, severity, None, None, (fabric,))
            progress.step()
        if not (self.by_scope["device"] or self.by_scope["cls"] or self.by_scope["port"]):
            return [self._build_finding(reach) for reach in self.folded.values()]
        clean: set[Hashable] = set()
        devices = list(_devices_by_settings(fabric))
        progress.start("groups of devices checked", len(devices))
        for device, kind in devices:
            if kind not in clean and not self._judge_device(device):
                clean.add(kind)  # whatever equals it has no finding either
            progress.step()
        return [self._build_finding(reach) for reach in self.folded.values()]

    def _judge_device(self, device: Device) -> bool:
        any_hit = False
        fabric = self.fabric
        whole = (device,)
        sorting = make_views(device)
        of_device, of_class, of_port = self._select_rules(device.vendor)
        for rule, severity in of_device:
            for seen in sorting if rule.by_maps else whole:
                any_hit |= self._ask_rule(rule, severity, seen, None, (fabric, seen))
        for rule, severity in of_class:
            for seen in sorting if rule.by_maps else whole:
                for cls in seen.classes:
                    any_hit |= self._ask_rule(rule, severity, seen, None, (fabric, seen, cls), cls.name)
        for rule, severity in of_port:
            for seen in sorting if rule.by_maps else whole:
                for port in seen.ports:
                    if not _is_shut(port):
                        any_hit |= self._ask_rule(rule, severity, seen, port, (fabric, seen, port))
        return any_hit

    def _select_rules(self, vendor: str | None) -> tuple[_Levels, _Levels, _Levels]:
        """The rules that a vendor's devices, their classes and their ports are checked by."""
        found = self.of_vendor.get(vendor)
        if found is None:
            device, cls, port = (
                [(rule, level) for rule, level in self.by_scope[scope] if not rule.vendors or vendor in rule.vendors]
                for scope in ("device", "cls", "port")
            )
            found = self.of_vendor[vendor] = (device, cls, port)
        return found

    def _ask_rule(
        self,
        rule: Rule,
        severity: str,
        device: Device | None,
        port: PortGroup | None,
        of: tuple[object, ...],
        cls: str | None = None,
    ) -> bool:
        check = rule.check
        if check is None:
            return False
        any_hit = False
        try:
            for found in check(*of):
                any_hit = True
                hit = found if found.cls or not cls else found._replace(cls=cls)
                words = name_other_tables(device, port, rule.of_tables) if device is not None else ""
                if words not in hit.message:
                    hit = hit._replace(message=f"{hit.message} (tables{words})")
                self._fold_hit(rule, severity, hit, device, port)
        except Exception as error:  # noqa: BLE001 - one broken rule must not hide what the others find
            if not any(failure.rule is rule for failure in self.failed):  # once is enough, for 10,000 devices too
                self.failed.append(RuleFailed(rule, device.key if device else "", error))
        return any_hit

    def _fold_hit(self, rule: Rule, severity: str, hit: Hit, device: Device | None, port: PortGroup | None) -> None:
        broken = self.fabric.broken
        if hit.missing and self.unread:
            return
        if broken and (
            hit.cls in broken or rule.classes == EVERY_CLASS or (not hit.cls and rule.classes == ALL_CLASSES)
        ):
            return  # a class that could not be read whole makes it guess
        if hit.severity is not None:
            # the lower of what the rule says of this hit and what the kind of fabric allows
            allowed = severity if severity != rule.severity else rule.worst
            severity = min(hit.severity, allowed, key=SEVERITIES.index)
        at = find_first_place(hit)
        running = self.fabric.running
        if running and at is None and device is not None:
            at = next(iter(spans_of(device.at(""))), None)
        # each switch's file gets its own finding, and one for all places in it where the same is wrong
        file = at.doc if running and at is not None else None
        key: object = (rule.name, file, hit.message) if running else (rule.name, at, hit.message, hit.cls)
        if device is not None and device.whole is not None:  # what all ways of sorting have in common is one mistake
            key = self.common.setdefault((rule.name, id(device.whole), hit.message, hit.cls), key)
        reach = self.folded.get(key)
        if reach is None:
            reach = self.folded[key] = Reach(rule, severity, hit, at)
        else:
            reach.add_hit(hit, at)
        reach.vendors |= hit.vendors
        if device is not None:
            reach.add_device(device, (port,) if port is not None else _find_hit_ports(device, hit, at), once=running)

    def _build_finding(self, reach: Reach) -> Finding:
        hit = reach.hit
        related = []
        for origin, word in hit.related:
            spans = spans_of(origin)
            if spans:
                related.append((spans[0], word))
        related += label_repeats(reach.again)
        at = reach.at or next(iter(spans_of(self.fabric.at(""))), None)
        finding = Finding(
            reach.rule,
            reach.severity,
            reach.message,
            self._describe_fix(reach),
            at,
            tuple(related),
            tuple(reach.devices),
            tuple(reach.ports) if not reach.everywhere else (),
            reach.port_count,
            reach.cls,
            fix=reach.fix if not self.fabric.running else None,  # it would edit an intent
            alike=hit.alike,
            explains=hit.explains,
        )
        return finding._replace(folded=_copy_to_places(finding, reach.again)) if reach.again else finding

    def _describe_fix(self, reach: Reach) -> str:
        """The fix in the words of what is checked: an intent, or the configuration of a vendor's switch."""
        if not self.fabric.running:
            return reach.hit.help
        from rocecfg.vendors import fix_for

        return fix_for(reach.vendors, reach.rule.name, reach.hit.variant, reach.fill_words())


def _find_hit_ports(device: Device, hit: Hit, at: Span | None) -> tuple[PortGroup, ...]:
    """The ports of a device that a hit on it is about; (): all of them."""
    if hit.ports:
        return hit.ports if len(hit.ports) < len(device.ports) else ()
    return find_concerned_ports(device, hit.cls, at) if at is not None else ()


def _devices_by_settings(fabric: Fabric) -> Iterator[tuple[Device, Hashable]]:
    """The devices to judge, and what tells apart those with other settings."""
    if fabric.running:
        yield from ((device, (device, tuple(port.names for port in device.ports))) for device in fabric.devices)
        return
    number = {id(device): n for n, devices in enumerate(alike_devices(fabric)) for device in devices}
    yield from ((device, number[id(device)]) for device in fabric.devices)


def _is_shut(port: PortGroup) -> bool:
    """Whether ports are administratively down: they pause nobody, and nobody pauses them."""
    return port.running is not None and port.running.up is False


def find_first_place(hit: Hit) -> Span | None:
    """Where a finding is shown: the first of its places that is in a text."""
    for origin in hit.at:
        spans = spans_of(origin)
        if spans:
            return spans[0]
    return None
