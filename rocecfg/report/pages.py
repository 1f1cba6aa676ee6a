"""The pages of rules, as Markdown."""

from __future__ import annotations

import os

from rocecfg import rules
from rocecfg.rules import Rule

_PAGES = os.path.join(os.path.dirname(os.path.abspath(rules.__file__)), "pages")


def page_path(rule: Rule) -> str | None:
    """The file of a rule's page; None for a team's own rule, which has none."""
    path = os.path.join(_PAGES, f"{rule.name}.md")
    return path if os.path.isfile(path) else None


def page(rule: Rule) -> str:
    """A rule's page; empty for a team's own rule, which has none."""
    path = page_path(rule)
    if path is None:
        return ""
    with open(path, encoding="utf-8") as stream:
        return stream.read()
