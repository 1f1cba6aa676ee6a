"""Runs the rules on a fabric: once for each thing that differs, and one finding for each cause."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rocecfg.engine.finding import Finding
from rocecfg.intent import Loaded
from rocecfg.model import Device, Fabric, PortGroup, Span, spans_of
from rocecfg.model.fix import Fix
from rocecfg.rules import ALL, BY_NAME, OFF, SEVERITIES, Hit, Rule, kinds

# Rules that judge all classes together: a class that could not be read whole makes them guess.
_WHOLE_TABLE = ("mix-", "ets-", "pfc-missing", "ecn-missing")
_LACKING = ("mix-cnp",)  # of these, also what names a class: another one, unread, may be what is lacking


class RuleFailed(Exception):
    """A rule raised: our fault, never the user's."""

    def __init__(self, rule: Rule, device: str, error: Exception) -> None:
        self.rule = rule
        super().__init__(f"rule {rule.name} failed on {device or 'the fabric'}: {type(error).__name__}: {error}")


class _Reach:
    """A hit and all it reaches, while it is being folded."""

    __slots__ = ("devices", "fix", "hit", "port_count", "ports", "rule", "severity")

    def __init__(self, rule: Rule, severity: str, hit: Hit) -> None:
        self.rule = rule
        self.severity = severity
        self.hit = hit
        self.fix = hit.fix
        self.devices: dict[str, None] = {}
        self.ports: dict[str, None] = {}
        self.port_count = 0


def judge(loaded: Loaded, rules: tuple[Rule, ...] = ALL) -> tuple[list[Finding], list[RuleFailed]]:
    """All findings of one fabric, unsorted and before waivers; and the rules that failed."""
    chosen = frozenset(r.name for r in rules)
    findings = [
        Finding(BY_NAME[p.rule], p.severity or BY_NAME[p.rule].severity, p.message, p.help, p.at, p.related, fix=p.fix)
        for p in dict.fromkeys(loaded.problems)
        if p.rule in chosen
    ]
    for error in loaded.errors:
        rule = BY_NAME["schema-syntax"]
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
    findings += _Run(loaded.fabric, rules, failed).findings()
    findings += _absent(loaded.fabric, rules)
    return findings, failed


def _absent(fabric: Fabric, rules: Iterable[Rule]) -> Iterator[Finding]:
    silent: dict[str, list[str]] = {}
    for rule in rules:
        for section in rule.needs:
            if section not in fabric.sections:
                silent.setdefault(section, []).append(rule.name)
    about = BY_NAME["hygiene-absent"]
    spans = spans_of(fabric.at(""))
    if silent and spans and about in rules and fabric.sections:
        told = ", ".join(
            f"{section} ({len(names)} rule{'s' * (len(names) != 1)})" for section, names in sorted(silent.items())
        )
        yield Finding(
            about,
            about.severity,
            f"the intent has no such section, and the rules on it are silent: {told}",
            "add what the fabric has of it; `rocecfg rules` lists the rules",
            spans[0],
        )


class _Run:
    def __init__(self, fabric: Fabric, rules: tuple[Rule, ...], failed: list[RuleFailed]) -> None:
        self.fabric = fabric
        self.failed = failed
        self.folded: dict[object, _Reach] = {}
        found = kinds(fabric.mode, fabric.kind, fabric.congestion_control, fabric.dual_tor)
        self.by_scope: dict[str, list[tuple[Rule, str]]] = {"fabric": [], "device": [], "cls": [], "port": []}
        for rule in rules:
            severity = rule.severity
            for kind in found:
                lowered = rule.by_kind.get(kind)
                if lowered is not None and (severity != OFF):
                    severity = lowered
            present = all(section in fabric.sections for section in rule.needs)
            if rule.check is not None and severity != OFF and present:
                self.by_scope[rule.scope].append((rule, severity))

    def findings(self) -> list[Finding]:
        fabric = self.fabric
        for rule, severity in self.by_scope["fabric"]:
            self._take(rule, severity, None, None, (fabric,))
        clean: set[tuple[Device, tuple[tuple[str, ...], ...]]] = set()
        for device in fabric.devices:
            key = (device, tuple(p.names for p in device.ports))
            if key in clean:
                continue
            if not self._device(device):
                clean.add(key)  # whatever equals it has no finding either
        return [self._finding(reach) for reach in self.folded.values()]

    def _device(self, device: Device) -> bool:
        any_hit = False
        vendor = device.vendor
        fabric = self.fabric
        for rule, severity in self.by_scope["device"]:
            if not rule.vendors or vendor in rule.vendors:
                any_hit |= self._take(rule, severity, device, None, (fabric, device))
        for rule, severity in self.by_scope["cls"]:
            if not rule.vendors or vendor in rule.vendors:
                for cls in device.classes:
                    any_hit |= self._take(rule, severity, device, None, (fabric, device, cls), cls.name)
        for rule, severity in self.by_scope["port"]:
            if not rule.vendors or vendor in rule.vendors:
                for port in device.ports:
                    any_hit |= self._take(rule, severity, device, port, (fabric, device, port))
        return any_hit

    def _take(
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
            for hit in check(*of):
                any_hit = True
                self._fold(rule, severity, hit if hit.cls or not cls else hit._replace(cls=cls), device, port)
        except Exception as error:  # noqa: BLE001 - one broken rule must not hide what the others find
            if not any(failure.rule is rule for failure in self.failed):  # once is enough, for 10,000 devices too
                self.failed.append(RuleFailed(rule, device.key if device else "", error))
        return any_hit

    def _fold(self, rule: Rule, severity: str, hit: Hit, device: Device | None, port: PortGroup | None) -> None:
        broken = self.fabric.broken
        if broken and (
            hit.cls in broken or rule.name.startswith(_LACKING) or (not hit.cls and rule.name.startswith(_WHOLE_TABLE))
        ):
            return
        if hit.severity is not None:
            # the lower of what the rule says of this hit and what the kind of fabric allows
            allowed = severity if severity != rule.severity else SEVERITIES[-1]
            severity = min(hit.severity, allowed, key=SEVERITIES.index)
        at = _first(hit)
        key = (rule.name, at, hit.message, hit.cls)
        reach = self.folded.get(key)
        if reach is None:
            reach = self.folded[key] = _Reach(rule, severity, hit)
        elif reach.fix != hit.fix:
            reach.fix = _both(reach.fix, hit.fix)
        if device is None:
            return
        ports = (port,) if port is not None else device.ports
        reach.devices.update(dict.fromkeys(device.names))
        if port is not None:
            reach.ports.update(dict.fromkeys(port.names))
        reach.port_count += len(device.names) * sum(len(p.names) for p in ports)

    def _finding(self, reach: _Reach) -> Finding:
        hit = reach.hit
        related = []
        for origin, word in hit.related:
            spans = spans_of(origin)
            if spans:
                related.append((spans[0], word))
        at = _first(hit) or next(iter(spans_of(self.fabric.at(""))), None)
        return Finding(
            reach.rule,
            reach.severity,
            hit.message,
            hit.help,
            at,
            tuple(related),
            tuple(reach.devices),
            tuple(reach.ports),
            reach.port_count,
            hit.cls,
            fix=reach.fix,
        )


def _both(a: Fix | None, b: Fix | None) -> Fix | None:
    """One fix at the places of both; None where they want different things: then there is not one answer."""
    if a is None or b is None or a[:2] != b[:2]:
        return None
    changes = tuple(dict.fromkeys((*a.changes, *b.changes)))
    return a._replace(changes=changes) if len({change.at for change in changes}) == len(changes) else None


def _first(hit: Hit) -> Span | None:
    for origin in hit.at:
        spans = spans_of(origin)
        if spans:
            return spans[0]
    return None
