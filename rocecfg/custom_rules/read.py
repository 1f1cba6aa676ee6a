"""Reading house rules: what the files say, and what is wrong in them, each with its place and its fix."""

from __future__ import annotations

import re
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
from rocecfg.rules.base import ERROR, INFO, WARNING
from rocecfg.source.document import Document, SourceError
from rocecfg.source.yaml import Map, Node, Scalar, compose

_PLACEHOLDER = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
_OWN = ("value", "wanted", "path", "fabric", "device", "class", "port", "of")  # placeholders besides paths


class Condition(NamedTuple):
    """A value that must be so for a rule to apply."""

    bound: BoundPath
    test: Comparison


class HouseRule(NamedTuple):
    """A rule as its file says it."""

    name: str
    scope: str  # fabric | device | class | port
    where: tuple[Condition, ...]
    bound: BoundPath
    test: Comparison
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
RULE = Obj(
    "a house rule",
    {
        "name": Key(Text("a name", _is_name, f"^{_NAME}$"), "what the rule is called: house/NAME in findings"),
        "for": Key(Words(*SCOPES), "what is checked: the fabric, each device, each class of a device, each port"),
        "where": Key(
            Keyed("conditions", _PATH, Raw("a value, or {operator: value}")), "checked only where all of these hold"
        ),
        "path": Key(_PATH, "the value that is checked"),
        "operator": Key(Words(*operators.OPERATORS), "its condition"),
        "value": Key(Raw("a value of the path's type, with its unit"), "the value to compare with"),
        "message": Key(
            PROSE, "what a finding says; {value}, {wanted}, {device}, {port}, {class} and paths are filled in"
        ),
        "severity": Key(Words(ERROR, WARNING, INFO), "error unless stated"),
        "help": Key(PROSE, "how to fix it, filled in likewise"),
        "source": Key(PROSE, "why: a ticket, a page"),
    },
    required=("name", "for", "path", "operator"),
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
    bound = find_bound_path(scope, fields["path"].value, fields["path"].at, ctx)
    where = [c for name, val in _where_items(fields) for c in _read_where(scope, name, val, ctx)]
    test = None
    if bound is not None:
        wanted = fields.get("value")
        span = fields["operator"].at
        operator = Scalar(span.start, span.end, fields["operator"].value, plain=True)
        node = wanted.value if wanted is not None else None
        test = operators.read_operator(
            fields["operator"].value, node, bound.path.kind, operator, ctx, classes=scope == "class" and not bound.via
        )
    placeholders = _read_placeholders(scope, fields.get("message"), ctx) | _read_placeholders(
        scope, fields.get("help"), ctx
    )
    if bound is None or test is None or len(ctx.problems) > before:
        return None
    texts = {key: fields[key].value if key in fields else "" for key in ("message", "help", "source")}
    severity = fields["severity"].value if "severity" in fields else ERROR
    name_at = fields["name"].at
    return HouseRule(
        fields["name"].value,
        scope,
        tuple(where),
        bound,
        test,
        texts["message"],
        placeholders,
        severity,
        texts["help"],
        texts["source"],
        name_at,
    )


def _where_items(fields: dict[str, Any]) -> list[tuple[str, Any]]:
    where = fields.get("where")
    return list(where.value.items()) if where is not None and where.value is not MISSING else []


def _read_where(scope: str, name: str, val: Any, ctx: Context) -> list[Condition]:
    bound = find_bound_path(scope, name, val.at, ctx)
    if bound is None:
        return []
    if bound.path.grouped:
        node = Scalar(val.at.start, val.at.end, name, plain=True)
        help = "use what distinguishes them: role, vendor, faces, speed"
        ctx.report(
            "schema-value", node, f"{name} is not a condition: devices and ports that are alike are checked once", help
        )
        return []
    return [Condition(bound, test) for test in read_condition(bound, val.value, ctx, classes=False)]


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
