"""The pages of rules, as Markdown."""

from __future__ import annotations

import os

from rocecfg import rules
from rocecfg.rules import Rule

_PAGES = os.path.join(os.path.dirname(os.path.abspath(rules.__file__)), "pages")


def page(rule: Rule) -> str:
    """A rule's page; empty for a team's own rule, which has none."""
    path = os.path.join(_PAGES, f"{rule.name}.md")
    if not os.path.isfile(path):
        return ""
    with open(path, encoding="utf-8") as stream:
        return stream.read()
