"""Reading house rules: what the files say, and what is wrong in them, each with its place and its fix."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from rocecfg.core.records import NamedTuple
from rocecfg.custom_rules import operators
from rocecfg.custom_rules.kinds import MISSING
from rocecfg.custom_rules.lookup import BoundPath, find_path, known_paths
from rocecfg.custom_rules.operators import Comparison
from rocecfg.custom_rules.paths import SCOPES
from rocecfg.intent.shapes import Key, Keyed, Listed, Obj
from rocecfg.intent.types import PROSE, Text, Type, Words
from rocecfg.intent.values import Context, nearest
from rocecfg.model import Span
from rocecfg.model.stated import Val
from rocecfg.rules.base import ERROR, INFO, WARNING
from rocecfg.source.document import Document, SourceError
from rocecfg.source.yaml import Map, Node, Scalar, compose

_PLACEHOLDER = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
_OWN = ("value", "wanted", "path", "fabric", "device", "class", "port", "of")  # placeholders besides paths


class Condition(NamedTuple):
    """A value that must be so: for a rule to apply, or for it to find nothing."""

    bound: BoundPath
    test: Comparison


class HouseRule(NamedTuple):
    """A rule as its file says it."""

    name: str
    scope: str  # fabric | device | class | port
    where: tuple[Condition, ...]
    expect: tuple[Condition, ...]  # what is judged
    message: str  # ""; the rule's condition in words
    placeholders: dict[str, BoundPath]  # of message and help, those that are paths
    severity: str
    help: str
    source: str
    at: Span


class Raw(Type):
    """A value that is read when it is known of what kind it is."""

    def __init__(self, wants: str) -> None:
        self.wants = wants

    def read(self, node: Node, ctx: Context) -> Any:
        """The node itself."""
        del ctx  # nothing can be wrong yet
        return node

    def schema(self) -> dict[str, Any]:
        """Anything."""
        return {}


def _is_name(text: str) -> bool:
    return re.fullmatch(_NAME, text) is not None


_NAME = "[a-z][a-z0-9-]{0,63}"
_PATH = Text("a path that `rocecfg show` prints", lambda t: 0 < len(t) <= 100 and t.isprintable(), "^.{1,100}$")
CONDITIONS = Keyed("conditions", _PATH, Raw("a value, or {operator: value}"))


class _Rule(Obj):
    """A house rule. One with path, operator and value, as they were written before, expects just that."""

    def read(self, node: Node, ctx: Context) -> Any:
        given = {key.text: child for key, child in node.pairs} if type(node) is Map else {}
        path, operator = given.get("path"), given.get("operator")
        if type(node) is not Map or type(path) is not Scalar or type(operator) is not Scalar or "expect" in given:
            return super().read(node, ctx)
        wanted = given.get("value") or operator._replace(text="true")
        key = next(key for key, _ in node.pairs if key.text == "path")._replace(text="expect")
        asked = node._replace(pairs=[(path, node._replace(pairs=[(operator, wanted)]))])
        left = [(k, child) for k, child in node.pairs if k.text not in ("path", "operator", "value")]
        return super().read(node._replace(pairs=[*left, (key, asked)]), ctx)


RULE = _Rule(
    "a house rule",
    {
        "name": Key(Text("a name", _is_name, f"^{_NAME}$"), "what the rule is called: house/NAME in findings"),
        "for": Key(Words(*SCOPES), "what is checked: the fabric, each device, each class of a device, each port"),
        "where": Key(CONDITIONS, "checked only where all of these hold"),
        "expect": Key(CONDITIONS, "what must hold, by path: a finding where one does not"),
        "message": Key(
            PROSE, "what a finding says; {value}, {wanted}, {device}, {port}, {class} and paths are filled in"
        ),
        "severity": Key(Words(ERROR, WARNING, INFO), "error unless stated"),
        "help": Key(PROSE, "how to fix it, filled in likewise"),
        "source": Key(PROSE, "why: a ticket, a page"),
    },
    required=("name", "for", "expect"),
)
RULES = Obj("house rules", {"rules": Key(Listed(RULE, apart=True), "the rules")}, required=("rules",))


def read(document: Document) -> tuple[list[HouseRule], list[SourceError]]:
    """The rules of a file, and what is wrong in it. Never raises for what the file says."""
    ctx = Context(document.number, [])
    rules: list[HouseRule] = []
    try:
        node = compose(document)
    except SourceError as error:
        return [], [error]
    if node is None:
        return [], [SourceError(document.path, "the file is empty", "write rules: [...], or remove it")]
    value = RULES.read(node, ctx)
    for val in _rule_items(value):
        rule = _read_rule(val.value, ctx)
        if rule is not None:
            rules.append(rule)
    return rules, errors_of(ctx, document)


def _rule_items(value: Any) -> list[Any]:
    listed = value.get("rules") if isinstance(value, dict) else None
    return listed.value if listed is not None and listed.value is not MISSING else []


def errors_of(ctx: Context, document: Document) -> list[SourceError]:
    """What was reported while reading, as errors with their places, in the order of the text."""
    out = []
    for problem in sorted(dict.fromkeys(ctx.problems), key=lambda p: p.at):
        line, column = document.place(problem.at.start)
        out.append(SourceError(document.path, problem.message, problem.help, line, column))
    return out


def find_bound_path(scope: str, name: str, span: Span, ctx: Context) -> BoundPath | None:
    """The path of that name; None after it was reported that there is none."""
    found = find_path(scope, name)
    if found is None:
        node = Scalar(span.start, span.end, name, plain=True)
        ctx.report("schema-value", node, f"a {scope} has no path {name!r}", _suggest_path(scope, name))
    return found


def _suggest_path(scope: str, name: str) -> str:
    elsewhere = [other for other, paths in SCOPES.items() if name in paths]
    if elsewhere:
        return f"it is one of a {elsewhere[0]}"
    likely = nearest(name, known_paths(scope))
    return likely if likely.startswith("did you") else "`rocecfg show` prints them, docs/house.md lists them"


def read_condition(bound: BoundPath, node: Node, ctx: Context, *, classes: bool) -> list[Comparison]:
    """What is asked of a path: a value, or operators with theirs. What is wrong is reported."""
    if type(node) is not Map:
        word = "in" if not bound.path.kind.listed and not isinstance(node, Scalar) else "eq"
        test = operators.read_operator(word, node, bound.path.kind, node, ctx, classes=classes)
        return [test] if test is not None else []
    tests = [
        operators.read_operator(key.text, child, bound.path.kind, key, ctx, classes=classes)
        for key, child in node.pairs
    ]
    if not tests:
        ctx.report("schema-required", node, "an operator is missing here", "write a value, or {operator: value}")
    return [test for test in tests if test is not None]


def _read_rule(fields: dict[str, Any], ctx: Context) -> HouseRule | None:
    """One rule; None where something in it is wrong, which was reported."""
    if any(key not in fields for key in RULE.required) or any(val.value is MISSING for val in fields.values()):
        return None
    before = len(ctx.problems)
    scope: str = fields["for"].value
    where = list(read_conditions(scope, fields.get("where"), ctx, classes=False))
    for condition, val in where:
        _report_grouped(condition, val, ctx)
    expected = list(read_conditions(scope, fields["expect"], ctx, classes=scope == "class"))
    placeholders = _read_placeholders(scope, fields.get("message"), ctx) | _read_placeholders(
        scope, fields.get("help"), ctx
    )
    if not expected and len(ctx.problems) == before:
        ctx.report(
            "schema-required",
            Scalar(fields["expect"].at.start, fields["expect"].at.end, "", plain=True),
            "a house rule expects nothing",
            "write expect: {PATH: VALUE}",
        )
    if len(ctx.problems) > before:
        return None
    texts = {key: fields[key].value if key in fields else "" for key in ("message", "help", "source")}
    severity = fields["severity"].value if "severity" in fields else ERROR
    name_at = fields["name"].at
    return HouseRule(
        fields["name"].value,
        scope,
        tuple(condition for condition, _ in where),
        tuple(condition for condition, _ in expected),
        texts["message"],
        placeholders,
        severity,
        texts["help"],
        texts["source"],
        name_at,
    )


def read_conditions(scope: str, given: Any, ctx: Context, *, classes: bool) -> Iterator[tuple[Condition, Val]]:
    """What a mapping of paths asks, each with where that stands. `classes`: those of a device may have to differ."""
    for name, val in given.value.items() if given is not None and given.value is not MISSING else ():
        bound = find_bound_path(scope, name, val.at, ctx)
        if bound is not None:
            tests = read_condition(bound, val.value, ctx, classes=classes and not bound.via)
            yield from ((Condition(bound, test), val) for test in tests)


def _report_grouped(condition: Condition, val: Val, ctx: Context) -> None:
    """A condition on names: devices and ports that are alike are judged once."""
    if condition.bound.path.grouped:
        name = condition.bound.written
        node = Scalar(val.at.start, val.at.end, name, plain=True)
        help = "use what distinguishes them: role, vendor, faces, speed"
        ctx.report(
            "schema-value", node, f"{name} is not a condition: devices and ports that are alike are checked once", help
        )


def _read_placeholders(scope: str, message: Any, ctx: Context) -> dict[str, BoundPath]:
    out: dict[str, BoundPath] = {}
    if message is None or message.value is MISSING:
        return out
    node = Scalar(message.at.start, message.at.end, message.value, plain=True)
    for match in _PLACEHOLDER.finditer(message.value):
        word = match[1]
        if word is None or word in _OWN:
            continue
        bound = find_path(scope, word)
        if bound is None:
            known_here = [*_OWN, *known_paths(scope)]
            ctx.report("schema-value", node, f"there is nothing to put for {{{word}}}", nearest(word, known_here)[:200])
            continue
        out[word] = bound
    if "{" in _PLACEHOLDER.sub("", message.value) or "}" in _PLACEHOLDER.sub("", message.value):
        ctx.report("schema-value", node, "a single brace", "write {{ or }} for a literal brace")
    return out


def fill_in(message: str, words: dict[str, str]) -> str:
    """A message with its placeholders filled in."""

    def word(match: re.Match[str]) -> str:
        return match[0][0] if match[1] is None else words[match[1]]

    return _PLACEHOLDER.sub(word, message)
