"""Whether a fabric is as a test expects: its values, and what lint finds in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rocecfg.core.nodeset import fold
from rocecfg.core.records import NamedTuple
from rocecfg.custom_rules.expect import Case, ExpectedElement, ExpectedFinding, ExpectedValue
from rocecfg.custom_rules.lookup import ModelElement
from rocecfg.custom_rules.operators import OPERATORS
from rocecfg.custom_rules.paths import Reading
from rocecfg.model import Device, Fabric, Origin, PortGroup, Span
from rocecfg.rules.base import SEVERITIES

_NOTHING = "nothing"


class FoundFinding(NamedTuple):
    """A finding, as far as a test looks at it."""

    rule: str
    severity: str
    message: str
    path: str
    line: int
    devices: tuple[str, ...]
    ports: tuple[str, ...]
    cls: str | None


class Failure(NamedTuple):
    """Something that is not as expected."""

    at: Span  # in the file of tests
    what: str  # the element and the path, or what findings are spoken of
    expected: str
    got: str
    origin: Origin | None = None  # where the value came from


def check_case(case: Case, fabric: Fabric, findings: Sequence[FoundFinding]) -> list[Failure]:
    """What is not as the test expects, in the order of its file."""
    failures = [failure for value in case.values for failure in _check_value(value, fabric)]
    if case.findings is not None:
        failures += _check_findings(case, case.findings, findings)
    return failures


def count_expectations(case: Case) -> int:
    """How many things a test looks at."""
    return len(case.values) + (max(1, len(case.findings)) if case.findings is not None else 0)


# -- values ------------------------------------------------------------------------------------------------------------


def _check_value(value: ExpectedValue, fabric: Fabric) -> Iterator[Failure]:
    expected = value.test.expected()
    lacking = _find_lacking(value.element, fabric)
    if lacking:
        yield Failure(value.at, f"{value.element.written} {value.bound.written}", expected, lacking)
        return
    for where, here in _find_places(value.element, fabric):
        what = f"{where} {value.bound.written}" if where else value.bound.written
        readings = list(value.bound.readings(here))
        if value.test.operator == "absent":
            yield from (_value_failure(value, what, expected, reading) for reading in readings)
        elif not readings:
            yield Failure(value.at, what, expected, _NOTHING)
        else:
            vendor = here.device.vendor if here.device is not None else None
            for reading in readings:
                if _is_out_of_order(value, reading) or not value.test.holds(reading.value, vendor):
                    yield _value_failure(value, what, expected, reading)


def _is_out_of_order(value: ExpectedValue, reading: Reading) -> bool:
    """A word, as strict, where a number of some size is expected."""
    return OPERATORS[value.test.operator].kinds == "ordered" and reading.value in value.bound.path.kind.words


def _value_failure(value: ExpectedValue, what: str, expected: str, reading: Reading) -> Failure:
    of = f" of {reading.of}" if reading.of else ""
    return Failure(value.at, f"{what}{of}", expected, value.bound.path.kind.shown(reading.value), reading.at)


def _find_lacking(element: ExpectedElement, fabric: Fabric) -> str:
    """What the fabric does not have of an element; empty if it has all of it."""
    devices = [d for d in fabric.devices if _has_any(element.devices, d)]
    known = {name for device in devices for name in device.names}
    missing = [name for name in element.devices or () if name not in known]
    if missing:
        return f"no device {fold(tuple(missing))}"
    if element.cls is not None and not any(c.name == element.cls for d in devices for c in d.classes):
        return f"no class {element.cls}"
    if element.ports is not None:
        for device in devices:
            ports = {name for port in device.ports for name in port.names}
            missing = [name for name in element.ports if name not in ports]
            if missing:
                return f"no port {fold(tuple(missing))} on {fold(_select_names(device, element.devices))}"
    return ""


def _has_any(names: tuple[str, ...] | None, device: Device) -> bool:
    return names is None or not frozenset(names).isdisjoint(device.names)


def _select_names(of: Device | PortGroup, names: tuple[str, ...] | None) -> tuple[str, ...]:
    """The names of a group that are intended."""
    return of.names if names is None else tuple(name for name in names if name in of.names)


def _find_places(element: ExpectedElement, fabric: Fabric) -> Iterator[tuple[str, ModelElement]]:
    """The parts of the fabric that an element stands for, each with its name; alike ones are one."""
    if element.scope == "fabric":
        yield "fabric", ModelElement(fabric)
        return
    for device in fabric.devices:
        if not _has_any(element.devices, device):
            continue
        name = fold(_select_names(device, element.devices)) or "every device"
        if element.scope == "device":
            yield name, ModelElement(fabric, device)
        elif element.scope == "class":
            yield from (
                (f"{name} / class {c.name}", ModelElement(fabric, device, c))
                for c in device.classes
                if c.name == element.cls
            )
        else:
            for port in device.ports:
                named = _select_names(port, element.ports)
                if named or element.ports is None:
                    yield f"{name} / {fold(named) or 'every port'}", ModelElement(fabric, device, None, port)


# -- findings ----------------------------------------------------------------------------------------------------------


def _check_findings(
    case: Case, wanted: Iterable[ExpectedFinding], findings: Sequence[FoundFinding]
) -> Iterator[Failure]:
    reported: set[int] = set()
    for each in wanted:
        hits = [number for number, found in enumerate(findings) if _matches(each, found)]
        reported.update(hits)
        if len(hits) != each.times and not (each.times is None and hits):
            expected = (
                f"{each.times} of {_describe_finding(each)}" if each.times is not None else _describe_finding(each)
            )
            yield Failure(each.at, "findings", expected, str(len(hits)) if hits else "none")
    least = SEVERITIES.index(case.severity)
    for number, found in enumerate(findings):
        if number not in reported and SEVERITIES.index(found.severity) >= least:
            place = f"{found.path}:{found.line}"
            yield Failure(
                case.at, "findings", "no others", f"{found.severity} {found.rule} at {place}: {found.message}"
            )


def _matches(wanted: ExpectedFinding, found: FoundFinding) -> bool:
    return (
        found.rule == wanted.rule
        and wanted.severity in (None, found.severity)
        and (wanted.device is None or wanted.device in found.devices)
        and (wanted.port is None or wanted.port in found.ports)
        and wanted.cls in (None, found.cls)
        and (wanted.path is None or f"/{found.path}".endswith(f"/{wanted.path.removeprefix('./')}"))
        and wanted.line in (None, found.line)
        and (wanted.message is None or wanted.message in found.message)
    )


def _describe_finding(wanted: ExpectedFinding) -> str:
    parts = [wanted.rule]
    if wanted.severity is not None:
        parts.insert(0, wanted.severity)
    for word, value in (("on", wanted.device), ("port", wanted.port), ("class", wanted.cls)):
        if value is not None:
            parts.append(f"{word} {value}")
    if wanted.path is not None:
        parts.append(f"at {wanted.path}" + (f":{wanted.line}" if wanted.line is not None else ""))
    if wanted.message is not None:
        parts.append(f"saying {wanted.message!r}")
    return " ".join(parts)
