"""Every rule, by what it declares: `index` has a row for each, and a module is loaded with the first that is asked for.

An intent is checked by the rules whose sections it has; a switch's own configuration by ALL.
"""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.rules.base import ANY, ERROR, INFO, OFF, SEVERITIES, WARNING, Hit, Rule
from rocecfg.rules.index import ROWS
from rocecfg.rules.renamed import RENAMED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    ALL: tuple[Rule, ...]  # in the order of families and codes
    BY_NAME: dict[str, Rule]
    BY_CODE: dict[str, Rule]

ON_DEMAND = frozenset({"hygiene-absent"})  # finds something where it is asked for by name, or by how its name begins
_MODULE_OF = {word: module for code, name, module, _, _, _ in ROWS for word in (code, name)}
_loaded: dict[str, dict[str, Rule]] = {}  # by module: its rules by name and by code


def __getattr__(name: str) -> Any:
    if name not in ("ALL", "BY_CODE", "BY_NAME"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    every = tuple(_load_rules(module)[rule] for _, rule, module, _, _, _ in ROWS)
    globals().update(ALL=every, BY_NAME={r.name: r for r in every}, BY_CODE={r.code: r for r in every})
    return globals()[name]


def _load_rules(module: str) -> dict[str, Rule]:
    found = _loaded.get(module)
    if found is None:
        from importlib import import_module

        rules: tuple[Rule, ...] = import_module(f"rocecfg.rules.{module}").RULES
        found = _loaded[module] = {word: rule for rule in rules for word in (rule.name, rule.code)}
    return found


class Chosen(NamedTuple):
    """The rules that are loaded for a fabric."""

    rules: tuple[Rule, ...]
    left: Mapping[str, tuple[str, ...]]  # the names of those that are not: by the section that they need and it lacks


def select_rules(sections: frozenset[str], least: str = INFO) -> Chosen:
    """The rules that can find something in an intent with these sections, and others of their modules.

    `least`: leave out those that find nothing as severe as that.
    """
    severe = SEVERITIES[SEVERITIES.index(least) :]
    rows = [row for row in ROWS if row[4] == ANY and row[5] in severe]
    modules = {module for _, _, module, needs, _, _ in rows if sections.issuperset(needs)}
    left: dict[str, tuple[str, ...]] = {}
    rules = []
    for _, name, module, needs, _, _ in rows:
        if name in ON_DEMAND:
            continue
        if module in modules:
            rules.append(_load_rules(module)[name])
            continue
        for section in needs:
            left[section] = (*left.get(section, ()), name)
    return Chosen(tuple(rules), left)


def get_rule(name: str) -> Rule:
    """The rule of that name; KeyError if there is none."""
    return _load_rules(_MODULE_OF[name])[name]


def find_rule(word: str) -> Rule | None:
    """The rule of that name or code; a name that it had before is one of its names."""
    known = RENAMED.get(word, word)
    if known not in _MODULE_OF:
        known = word.upper()
    return get_rule(known) if known in _MODULE_OF else None


def name_fabric_kinds(
    mode: str, kind: str | None, congestion_control: str, dual_tor: bool, *, running: bool
) -> tuple[str, ...]:
    """The kinds of fabric, by which rules change their severity: what an intent's words amount to, or `running`."""
    out = [kind] if kind else []
    if running:
        out.append("running")
    if mode != "lossless":
        out.append(mode)
    if congestion_control == "none":
        out.append("no-cc")
    if dual_tor:
        out.append("dual-tor")
    return tuple(out)


__all__ = [
    "ALL",
    "BY_CODE",
    "BY_NAME",
    "ERROR",
    "INFO",
    "OFF",
    "ON_DEMAND",
    "SEVERITIES",
    "WARNING",
    "Chosen",
    "Hit",
    "Rule",
    "find_rule",
    "get_rule",
    "name_fabric_kinds",
    "select_rules",
]
