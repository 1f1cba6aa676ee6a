"""A finding: one cause, where it stands, and how far it reaches."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.model import Span
from rocecfg.model.fix import Fix
from rocecfg.rules import Rule, find_rule, get_rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Finding(NamedTuple):
    """What a rule found, folded over all devices and ports that the cause reaches."""

    rule: Rule
    severity: str
    message: str
    help: str
    at: Span | None  # None: no place in a text (a file that could not be decoded has path, line, column instead)
    related: tuple[tuple[Span, str], ...] = ()
    devices: tuple[str, ...] = ()
    ports: tuple[str, ...] = ()  # names, where one device is concerned
    port_count: int = 0  # devices times ports
    cls: str | None = None
    path: str = ""  # where `at` is None
    line: int = 1
    column: int = 1
    fix: Fix | None = None  # where the fix has only one answer
    alike: str = ""  # what others of its kind in the file have in common with it; empty: their messages are equal
    explains: tuple[
        str, ...
    ] = ()  # names of rules: what they find at one of its places, or on its ports, follows from it
    root: str = ""  # of the fabric that it is about
    folded: tuple[Finding, ...] = ()  # the same at other places, and what follows from it; see `fold_by_cause`

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled with the rule's name, since a rule holds a function: whoever lints many fabrics uses processes."""
        rule = self.rule
        if find_rule(rule.name) is not rule:  # a team's own: all but its function
            facts = {name: getattr(rule, name) for name in rule.__slots__}
            return _build_with_own_rule, ({**facts, "check": None, "by_kind": dict(rule.by_kind)}, *self[1:])
        return _build_by_rule_name, (rule.name, *self[1:])


def _build_with_own_rule(facts: dict[str, Any], *rest: Any) -> Finding:
    return Finding(Rule(**facts), *rest)


def _build_by_rule_name(rule: str, *rest: Any) -> Finding:
    return Finding(get_rule(rule), *rest)
