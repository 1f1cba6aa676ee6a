"""Every effective setting of a fabric, and where it came from."""

from __future__ import annotations

import os

from rocecfg.config.policy import Policy
from rocecfg.config.values import Choice, Setting
from rocecfg.core.visible import visible, visible_text


def show(root: str, policy: Policy, outputs: tuple[Setting, ...]) -> str:
    """A table of setting, value and origin for one fabric; `outputs`: FORMAT or FORMAT=FILE."""
    file = policy.settings.path if policy.settings else "none"
    rows = [("settings", file, "found above it" if policy.settings else "default")]
    if policy.environment:
        rows.append(("environment", *policy.environment))
    rows.append(("select", *_choice(policy.select)) if policy.select else ("select", "every rule", "default"))
    rows += [("ignore", *_choice(one)) for one in policy.ignore] or [("ignore", "none", "default")]
    for one in policy.ignore:
        rows += [("", f"not {name}: that takes its whole name", one.at) for name in one.kept]
    rows += [(f"severity.{name}", *level) for name, level in sorted({**policy.severity, **policy.off}.items())]
    rows += [(f'per-file-ignores."{glob}"', *_choice(chosen)) for glob, chosen in policy.per_file]
    rows.append(("fail-on", *policy.fail_on))
    if policy.baseline:
        rows.append(("baseline", os.path.relpath(policy.baseline.value), policy.baseline.at))
    else:
        rows.append(("baseline", "none", "default"))
    rows += [("output", value, at) for value, at in outputs]
    rows.append(("rules", f"{len(policy.rules)} are judged", ""))
    rows = [(visible(a), visible(b), visible(c)) for a, b, c in rows]
    width = max(len(row[0]) for row in rows)
    second = max(len(row[1]) for row in rows)
    return visible_text([root, *(f"  {a:<{width}}  {b:<{second}}  {c}".rstrip() for a, b, c in rows)])


def _choice(chosen: Choice) -> tuple[str, str]:
    return ", ".join(chosen.words) or "none", chosen.at
