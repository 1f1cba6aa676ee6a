"""What a team expects of its fabrics: the files of `rocecfg test`, read."""

from __future__ import annotations

import os
from typing import Any

from rocecfg.core.nodeset import NodeSetError, names_of
from rocecfg.core.records import NamedTuple
from rocecfg.custom_rules.files import house_rule_name
from rocecfg.custom_rules.kinds import MISSING
from rocecfg.custom_rules.lookup import BoundPath
from rocecfg.custom_rules.operators import Comparison
from rocecfg.custom_rules.read import CONDITIONS, errors_of, read_conditions
from rocecfg.intent.shapes import Key, Keyed, Listed, Obj
from rocecfg.intent.types import NAME, PATH, PROSE, Int, System, Text, Words
from rocecfg.intent.values import Context
from rocecfg.model import Span
from rocecfg.rules import find_rule
from rocecfg.rules.base import SEVERITIES, WARNING
from rocecfg.source.document import Document, SourceError
from rocecfg.source.yaml import Map, Node, Scalar, compose

SUFFIXES = (".rocecfg-test.yaml", ".rocecfg-test.yml")
EVERY = "*"
_LINE = Text("a line of text", lambda t: 0 < len(t) <= 200 and t.isprintable(), "^.{1,200}$")


class ExpectedElement(NamedTuple):
    """The part of a fabric that values are expected of."""

    written: str
    scope: str  # fabric | device | class | port
    devices: tuple[str, ...] | None = None  # None: every one
    ports: tuple[str, ...] | None = None
    cls: str | None = None


class ExpectedValue(NamedTuple):
    """A value expected somewhere."""

    element: ExpectedElement
    bound: BoundPath
    test: Comparison
    at: Span


class ExpectedFinding(NamedTuple):
    """A finding that is expected."""

    rule: str  # its name
    times: int | None  # how many of them; None: one or more
    severity: str | None
    device: str | None
    port: str | None
    cls: str | None
    path: str | None  # of its place: the end of the path is enough
    line: int | None
    message: str | None  # a part of it
    at: Span


class Case(NamedTuple):
    """One test."""

    name: str
    fabric: str  # path of the intent
    vendor: str | None
    values: tuple[ExpectedValue, ...]
    findings: tuple[ExpectedFinding, ...] | None  # None: not looked at
    severity: str  # findings below it are not in the way
    at: Span


WANTED = Obj(
    "an expected finding",
    {
        "rule": Key(_LINE, "name or code of the rule"),
        "count": Key(Int(0, 1_000_000), "how many; one or more unless stated"),
        "severity": Key(Words(*SEVERITIES), "its severity"),
        "device": Key(_LINE, "a device that it reaches"),
        "port": Key(_LINE, "a port that it reaches"),
        "class": Key(NAME, "the class concerned"),
        "at": Key(_LINE, "where it stands: FILE or FILE:LINE"),
        "message": Key(PROSE, "a part of its message"),
    },
    required=("rule",),
)
TEST = Obj(
    "a test",
    {
        "name": Key(_LINE, "what is tested, for people"),
        "fabric": Key(PATH, "the intent, as seen from this file; default: that of the file"),
        "vendor": Key(System(), "for devices that name none"),
        "expect": Key(
            Keyed("elements", _LINE, CONDITIONS),
            "values by element: fabric, DEVICE, DEVICE / PORT, DEVICE / class NAME; node sets, or * for every one",
        ),
        "findings": Key(Listed(WANTED), "the findings expected, and no others; [] for none"),
        "severity": Key(Words(*SEVERITIES), "the least severity of findings looked at: warning unless stated"),
    },
    required=("name",),
)
TESTS = Obj(
    "the tests",
    {"fabric": Key(PATH, "the intent, as seen from this file"), "tests": Key(Listed(TEST, apart=True), "the tests")},
    required=("tests",),
)


def read(document: Document) -> tuple[list[Case], list[SourceError]]:
    """The tests of a file, and what is wrong in it. Never raises for what the file says."""
    ctx = Context(document.number, [])
    try:
        node = compose(document)
    except SourceError as error:
        return [], [error]
    if node is None:
        return [], [SourceError(document.path, "the file is empty", "write tests: [...], or remove it")]
    value = TESTS.read(node, ctx)
    cases: list[Case] = []
    if isinstance(value, dict) and "tests" in value and value["tests"].value is not MISSING:
        wide = value.get("fabric")
        for val in value["tests"].value:
            case = _read_case(val.value, val.at, wide, document, ctx)
            if case is not None:
                cases.append(case)
    return cases, errors_of(ctx, document)


def _read_case(fields: dict[str, Any], at: Span, wide: Any, document: Document, ctx: Context) -> Case | None:
    """One test; None where something in it is wrong, which was reported."""
    before = len(ctx.problems)
    here = Scalar(at.start, at.start, "", plain=True)
    fabric = fields.get("fabric", wide)
    if fabric is None:
        ctx.report("schema-required", here, "a test lacks fabric", "write fabric: FILE here, or above tests")
    if "expect" not in fields and "findings" not in fields:
        ctx.report("schema-required", here, "a test expects nothing", "write expect: {...} or findings: []")
    values = [value for key, val in _pairs_of_mapping(fields.get("expect")) for value in _read_values(key, val, ctx)]
    findings = fields.get("findings")
    wanted = None
    if findings is not None and findings.value is not MISSING:
        wanted = tuple(w for val in findings.value if (w := _read_finding(val.value, val.at, ctx)) is not None)
    spoiled = any(val.value is MISSING for val in fields.values())
    if fabric is None or fabric.value is MISSING or spoiled or "name" not in fields or len(ctx.problems) > before:
        return None
    return Case(
        fields["name"].value,
        os.path.normpath(os.path.join(os.path.dirname(document.path), fabric.value)),
        fields["vendor"].value if "vendor" in fields else None,
        tuple(values),
        wanted,
        fields["severity"].value if "severity" in fields else WARNING,
        fields["name"].at,
    )


def _pairs_of_mapping(val: Any) -> list[tuple[str, Any]]:
    return list(val.value.items()) if val is not None and val.value is not MISSING else []


def _read_values(key: str, val: Any, ctx: Context) -> list[ExpectedValue]:
    if val.value is MISSING:
        return []
    place = Scalar(val.at.start, val.at.end, key, plain=True)
    element = _read_element(key, place, ctx)
    if element is None:
        return []
    return [
        ExpectedValue(element, condition.bound, condition.test, _place_of(wanted.value, wanted.at, ctx))
        for condition, wanted in read_conditions(element.scope, val, ctx, classes=False)
    ]


def _place_of(node: Node, key: Span, ctx: Context) -> Span:
    """Where a value is written; of several, where their key is."""
    return key if type(node) is Map else ctx.span(node)


def _read_element(key: str, place: Scalar, ctx: Context) -> ExpectedElement | None:
    """`fabric`, `leaf01`, `leaf[01-02] / Ethernet0`, `* / class rdma`; None after a problem was reported."""
    parts = [part.strip() for part in key.split(" / ")]
    if parts == ["fabric"]:
        return ExpectedElement(key, "fabric")
    if len(parts) > 2 or not all(parts):
        ctx.report(
            "schema-value", place, f"{key!r} is not an element", "fabric, DEVICE, DEVICE / PORT, DEVICE / class NAME"
        )
        return None
    try:
        devices = None if parts[0] == EVERY else names_of(parts[0])
        if len(parts) == 1:
            return ExpectedElement(key, "device", devices)
        if parts[1].startswith("class "):
            return ExpectedElement(key, "class", devices, cls=parts[1].removeprefix("class ").strip())
        return ExpectedElement(key, "port", devices, None if parts[1] == EVERY else names_of(parts[1]))
    except NodeSetError as error:
        ctx.report("schema-nodeset", place, str(error))
        return None


def _read_finding(fields: dict[str, Any], at: Span, ctx: Context) -> ExpectedFinding | None:
    if any(val.value is MISSING for val in fields.values()) or "rule" not in fields:
        return None
    word = fields["rule"].value
    known = find_rule(word)
    name = known.name if known is not None else house_rule_name(word)
    if name is None:
        span = fields["rule"].at
        node = Scalar(span.start, span.end, word, plain=True)
        ctx.report("schema-value", node, f"there is no rule {word!r}", "`rocecfg rules` lists them")
        return None

    def text(key: str) -> Any:
        return fields[key].value if key in fields else None

    path, line = text("at"), None
    if path is not None and path.rpartition(":")[2].isdigit():
        path, _, number = path.rpartition(":")
        line = int(number)
    return ExpectedFinding(
        name,
        text("count"),
        text("severity"),
        text("device"),
        text("port"),
        text("class"),
        path,
        line,
        text("message"),
        at,
    )
