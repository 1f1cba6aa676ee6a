"""House rules as rules of the engine."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile

from rocecfg.core.nodeset import fold
from rocecfg.core.records import NamedTuple
from rocecfg.custom_rules.files import PREFIX, files_of
from rocecfg.custom_rules.lookup import ModelElement
from rocecfg.custom_rules.paths import Reading
from rocecfg.custom_rules.read import Condition, HouseRule, fill_in, read
from rocecfg.intent.values import nearest
from rocecfg.model import Device, Fabric, Origin, PortGroup, TrafficClass
from rocecfg.rules.base import Hit, Rule
from rocecfg.source.bounds import Bounds
from rocecfg.source.document import SourceError, Sources

_SHOWN = 80  # characters of a value in a message


class House(NamedTuple):
    """The house rules of an intent, and what is wrong in their files."""

    rules: tuple[Rule, ...] = ()
    errors: tuple[SourceError, ...] = ()
    files: tuple[str, ...] = ()


def rules_for(root: str, sources: Sources) -> House:
    """The house rules beside the root file of an intent. What is wrong in their files is in `errors`."""
    files = tuple(files_of(root))
    rules: dict[str, Rule] = {}
    places: dict[str, str] = {}
    errors: list[SourceError] = []
    bounds = Bounds(os.path.dirname(root), sources.allowed)
    for path in files:
        try:
            bounds.check(path)
            document = sources.read(path)
        except SourceError as error:
            errors.append(error)
            continue
        found, wrong = read(document)
        errors += wrong
        for rule in found:
            line, column = document.place(rule.at.start)
            if rule.name in rules:
                fix = f"the other one is at {places[rule.name]}: rename one"
                errors.append(SourceError(path, f"a second house rule {rule.name!r}", fix, line, column))
                continue
            places[rule.name] = f"{path}:{line}"
            rules[rule.name] = _make_rule(rule, places[rule.name])
    return House(tuple(rules.values()), tuple(errors), files)


def names_for(roots: Iterable[str]) -> list[str]:
    """The names of the house rules beside any of these root files; those in files with slips where they are whole."""
    sources = Sources()
    return list(dict.fromkeys(rule.name for root in roots for rule in rules_for(root, sources).rules))


def _make_rule(rule: HouseRule, place: str) -> Rule:
    check = _HouseCheck(rule)
    of: dict[str, Callable[..., Iterator[Hit]]] = {
        "fabric": check.fabric,
        "device": check.device,
        "class": check.cls,
        "port": check.port,
    }
    return Rule(
        of[rule.scope],
        f"HOUSE-{rule.name}",
        f"{PREFIX}{rule.name}",
        rule.severity,
        rule.severity,
        "; ".join(f"{c.bound.written} of a {rule.scope} {c.test.requirement()}" for c in rule.expect),
        rule.source or place,
        {"class": "cls"}.get(rule.scope, rule.scope),
    )


class _HouseCheck:
    """A house rule's function, for each scope; it is only called for its own."""

    def __init__(self, rule: HouseRule) -> None:
        self._rule = rule
        bounds = [*(c.bound for c in (*rule.expect, *rule.where)), *rule.placeholders.values()]
        self._classes = dict.fromkeys(b.via for b in bounds if b.via not in ("", "fabric", "device"))
        self._lacking: tuple[Fabric, list[str]] | None = None

    def fabric(self, fabric: Fabric) -> Iterator[Hit]:
        """Of a rule on the fabric."""
        return self._judge(ModelElement(fabric))

    def device(self, fabric: Fabric, device: Device) -> Iterator[Hit]:
        """Of a rule on devices."""
        return self._judge(ModelElement(fabric, device))

    def cls(self, fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
        """Of a rule on classes."""
        return self._judge(ModelElement(fabric, device, cls))

    def port(self, fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
        """Of a rule on ports."""
        return self._judge(ModelElement(fabric, device, None, port))

    def _judge(self, here: ModelElement) -> Iterator[Hit]:
        rule = self._rule
        lacking = self._missing_classes(here.fabric) if self._classes else []
        for name in lacking:
            yield Hit(
                f"house rule {rule.name} speaks of a class {name!r}, which the fabric does not have",
                (rule.at,),
                nearest(name, dict.fromkeys(c.name for d in here.fabric.devices for c in d.classes)),
            )
        if lacking or not all(_is_met(condition, here) for condition in rule.where):
            return
        for wanted in rule.expect:
            yield from self._judge_value(wanted, here)

    def _judge_value(self, wanted: Condition, here: ModelElement) -> Iterator[Hit]:
        readings = list(wanted.bound.readings(here))
        if wanted.test.operator == "exists":
            if not readings:
                yield self._make_hit(wanted, here, None)
        elif wanted.test.operator == "unique":
            yield from self._shared_values(wanted, here, readings)
        else:
            vendor = here.device.vendor if here.device is not None else None
            for reading in readings:
                if not wanted.test.holds(reading.value, vendor):
                    yield self._make_hit(wanted, here, reading)

    def _missing_classes(self, fabric: Fabric) -> list[str]:
        """The classes that the rule names and no device has; computed once for a fabric."""
        if self._lacking is None or self._lacking[0] is not fabric:
            have = {c.name for d in fabric.devices for c in d.classes}
            self._lacking = fabric, [name for name in self._classes if name not in have]
        return self._lacking[1]

    def _shared_values(self, wanted: Condition, here: ModelElement, readings: list[Reading]) -> Iterator[Hit]:
        """The values that a class before this one in the table has too."""
        classes = here.device.classes if here.device is not None else ()
        before = list(takewhile(lambda other: other is not here.cls, classes))
        for reading in readings:
            for other in before:
                same = [r for r in wanted.bound.readings(here._replace(cls=other)) if r.value == reading.value]
                if same:
                    hit = self._make_hit(wanted, here, reading)
                    yield hit._replace(related=((same[0].at, f"class {other.name} has it too"), *hit.related))
                    break

    def _make_hit(self, wanted: Condition, here: ModelElement, reading: Reading | None) -> Hit:
        rule, bound = self._rule, wanted.bound
        words = self._placeholder_words(wanted, here, reading)
        return Hit(
            fill_in(rule.message, words) if rule.message else _default_message(wanted, reading),
            _finding_places(bound.path.name, bound.via, here, reading),
            fill_in(rule.help, words),
            ((rule.at, f"the house rule{': ' + rule.source if rule.source else ''}"),),
            cls=bound.via if bound.via in self._classes else None,
        )

    def _placeholder_words(self, wanted: Condition, here: ModelElement, reading: Reading | None) -> dict[str, str]:
        rule = self._rule
        words = {
            "value": _show_value(wanted, reading),
            "of": reading.of if reading is not None else "",
            "wanted": wanted.test.wanted_shown(),
            "path": wanted.bound.written,
            "fabric": here.fabric.name,
            "device": (here.device.key if here.device is not None else "") or "every device",
            "port": (here.port.key if here.port is not None else "") or "every port",
            "class": here.cls.name if here.cls is not None else wanted.bound.via,
        }
        for name, bound in rule.placeholders.items():
            found = [bound.path.kind.shown(r.value) for r in bound.readings(here)]
            words[name] = _shorten(", ".join(dict.fromkeys(found)) or "absent")
        return words


def _default_message(wanted: Condition, reading: Reading | None) -> str:
    of = f" of {reading.of}" if reading is not None and reading.of else ""
    return f"{wanted.bound.written}{of} is {_show_value(wanted, reading)} and {wanted.test.requirement()}"


def _show_value(wanted: Condition, reading: Reading | None) -> str:
    if reading is None:
        return "absent"
    if wanted.bound.path.grouped:
        wrong = tuple(n for n in reading.value if not wanted.test.holds(n))
        return _shorten(fold(wrong or reading.value))
    return _shorten(wanted.bound.path.kind.shown(reading.value))


def _is_met(condition: Condition, here: ModelElement) -> bool:
    readings = list(condition.bound.readings(here))
    if condition.test.operator == "absent":
        return not readings
    vendor = here.device.vendor if here.device is not None else None
    return bool(readings) and all(condition.test.holds(r.value, vendor) for r in readings)


def _finding_places(path: str, via: str, here: ModelElement, reading: Reading | None) -> tuple[Origin, ...]:
    """Where a finding may stand: what set the value, else the innermost element that could have."""
    elements = [here.cls, here.port, here.device, here.fabric]
    if via == "fabric":
        elements = [here.fabric]
    elif via == "device":
        elements = [here.device, here.fabric]
    places: list[Origin] = [reading.at] if reading is not None else []
    for element in elements:
        if element is not None:
            places.append(element.at(path.partition(".")[0]))
            places.append(element.at(""))
    return tuple(places)


def _shorten(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
