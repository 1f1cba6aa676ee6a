"""What settings, environment and command line together ask of one fabric."""

from __future__ import annotations

import os
from collections.abc import Mapping

from rocecfg.config.globs import matches
from rocecfg.config.values import Choice, ConfigValue, Environment, Layer, Settings
from rocecfg.core.records import NamedTuple
from rocecfg.core.visible import visible, visible_text
from rocecfg.rules import ALL, ERROR, OFF, ON_DEMAND, Rule
from rocecfg.source.document import SourceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rocecfg.config.find import Finder

_DEFAULT = "default"
_USUAL = tuple(rule for rule in ALL if rule.name not in ON_DEMAND)


class Policy(NamedTuple):
    """How one fabric is checked; each part says where it came from."""

    rules: tuple[Rule, ...] = _USUAL
    severity: Mapping[str, ConfigValue] = {}  # name of a rule -> severity, never `off`
    off: Mapping[str, ConfigValue] = {}  # rules that a severity of `off` left out
    select: Choice | None = None
    ignore: tuple[Choice, ...] = ()
    per_file: tuple[tuple[str, Choice], ...] = ()
    folder: str = ""  # absolute: what globs are relative to
    fail_on: ConfigValue = ConfigValue(ERROR, _DEFAULT)
    baseline: ConfigValue | None = None
    environment: ConfigValue | None = None
    settings: Settings | None = None

    def is_ignored(self, rule: str, path: str) -> bool:
        """Whether findings of a rule in a file are left out by `per-file-ignores`."""
        return any(chosen.covers(rule) and matches(path, self.folder, glob) for glob, chosen in self.per_file)

    def select_own(self, rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
        """Those of a team's own rules that it neither leaves out nor turns off."""
        return tuple(
            r
            for r in rules
            if (self.select is None or self.select.covers(r.name))
            and r.name not in self.off
            and not any(chosen.covers(r.name) for chosen in self.ignore)
        )


PLAIN = Policy()


def make_policy(root: str, settings: Settings | None, command: Layer, environment: str | None = None) -> Policy:
    """The policy for a fabric by its root file; the command line wins over the environment, that over the rest.

    A `select` replaces what a weaker layer selected, left out or turned off; `ignore` adds to it. Severities and
    per-file ignores add up, the stronger layer's value counting. Raises SourceError where two environments claim the
    root, or none has the name asked for.
    """
    chosen = _choose_environment(root, settings, environment)
    layers = [command]
    if settings is not None:
        layers = [settings.top, *([chosen.layer] if chosen else []), command]
    select: Choice | None = None
    ignore: list[Choice] = []
    severity: dict[str, ConfigValue] = {}
    per_file: list[tuple[str, Choice]] = []
    fail_on = PLAIN.fail_on
    baseline: ConfigValue | None = None
    for layer in layers:
        if layer.select is not None:
            select, ignore = layer.select, []
            severity = {name: level for name, level in severity.items() if level.value != OFF}
        if layer.ignore is not None:
            ignore.append(layer.ignore)
        severity.update(layer.severity)
        per_file += layer.per_file
        fail_on = layer.fail_on or fail_on
        baseline = layer.baseline or baseline
    off = {name: level for name, level in severity.items() if level.value == OFF}
    left_out = frozenset(off).union(*(c.names for c in ignore))
    wanted = select.names if select is not None else {r.name for r in ALL}.difference(ON_DEMAND - severity.keys())
    return Policy(
        tuple(r for r in ALL if r.name in wanted and r.name not in left_out),
        {name: level for name, level in severity.items() if level.value != OFF},
        off,
        select,
        tuple(ignore),
        tuple(per_file),
        settings.folder if settings else "",
        fail_on,
        baseline,
        _name_environment(chosen, environment),
        settings,
    )


def _choose_environment(root: str, settings: Settings | None, wanted: str | None) -> Environment | None:
    known = settings.environments if settings else ()
    if wanted is not None:
        for one in known:
            if one.name == wanted:
                return one
        where = settings.path if settings else root
        names = ", ".join(e.name for e in known)
        raise SourceError(where, f"there is no environment {wanted!r}", f"known: {names}" if names else "none is set")
    found = [e for e in known if any(matches(root, settings.folder if settings else "", glob) for glob in e.paths)]
    if len(found) > 1:
        a, b = found[:2]
        raise SourceError(
            settings.path if settings else root,
            f"{root} is in two environments: {a.name} ({a.at}) and {b.name} ({b.at})",
            "narrow the paths of one, or give --environment",
        )
    return found[0] if found else None


def _name_environment(chosen: Environment | None, wanted: str | None) -> ConfigValue | None:
    if chosen is None:
        return None
    return ConfigValue(chosen.name, "--environment" if wanted is not None else chosen.at)


class Policies:
    """Called with a fabric's root file, gives its policy; the same settings file is read once."""

    def __init__(self, finder: Finder, command: Layer, environment: str | None = None) -> None:
        self._finder = finder
        self._command = command
        self._environment = environment
        self._known: dict[str, Policy] = {}

    def __call__(self, root: str) -> Policy:
        """Raises SourceError for settings that are wrong."""
        if root not in self._known:
            self._known[root] = make_policy(root, self._finder.find_settings(root), self._command, self._environment)
        return self._known[root]

    def find_outputs(self, roots: list[str]) -> tuple[tuple[ConfigValue, ...], Settings | None]:
        """The outputs that the settings of these fabrics ask for, and which settings those are.

        Raises SourceError where two settings files ask for different ones.
        """
        first: Settings | None = None
        for root in roots:
            found = self._finder.find_settings(root)
            if found is None or not found.output:
                continue
            if first is not None and first.path != found.path:
                raise SourceError(
                    found.path,
                    f"output is also set in {first.path}, but this run reads both",
                    "give --output, or lint one at a time",
                )
            first = found
        return (first.output if first else ()), first


def show_policy(root: str, policy: Policy, outputs: tuple[ConfigValue, ...]) -> str:
    """A table of setting, value and origin for one fabric; `outputs`: FORMAT or FORMAT=FILE."""
    file = policy.settings.path if policy.settings else "none"
    rows = [("settings", file, "found above it" if policy.settings else "default")]
    if policy.environment:
        rows.append(("environment", *policy.environment))
    rows.append(("select", *_describe_choice(policy.select)) if policy.select else ("select", "every rule", "default"))
    rows += [("ignore", *_describe_choice(one)) for one in policy.ignore] or [("ignore", "none", "default")]
    for one in policy.ignore:
        rows += [("", f"not {name}: that takes its whole name", one.at) for name in one.kept]
    rows += [(f"severity.{name}", *level) for name, level in sorted({**policy.severity, **policy.off}.items())]
    rows += [(f'per-file-ignores."{glob}"', *_describe_choice(chosen)) for glob, chosen in policy.per_file]
    rows.append(("fail-on", *policy.fail_on))
    if policy.baseline:
        rows.append(("baseline", os.path.relpath(policy.baseline.value), policy.baseline.at))
    else:
        rows.append(("baseline", "none", "default"))
    rows += [("output", value, at) for value, at in outputs]
    rows.append(("rules", f"{len(policy.rules)} are checked", ""))
    rows = [(visible(a), visible(b), visible(c)) for a, b, c in rows]
    width = max(len(row[0]) for row in rows)
    second = max(len(row[1]) for row in rows)
    return visible_text([root, *(f"  {a:<{width}}  {b:<{second}}  {c}".rstrip() for a, b, c in rows)])


def _describe_choice(chosen: Choice) -> tuple[str, str]:
    return ", ".join(chosen.words) or "none", chosen.at
