"""The pages of rules, as Markdown."""

from __future__ import annotations

import os
from functools import cache

from rocecfg import rules
from rocecfg.core.site import is_published, rule_url
from rocecfg.rules import Rule

_PAGES = os.path.join(os.path.dirname(os.path.abspath(rules.__file__)), "pages")


@cache  # findings are many, and rules few
def page_path(name: str) -> str | None:
    """The file of the page of the rule of this name; None for a team's own rule, which has none."""
    path = os.path.join(_PAGES, f"{name}.md")
    return path if os.path.isfile(path) else None


def read_page(rule: Rule) -> str:
    """A rule's page; empty for a team's own rule, which has none."""
    path = page_path(rule.name)
    if path is None:
        return ""
    with open(path, encoding="utf-8") as stream:
        return stream.read()


def make_url(rule: Rule) -> str | None:
    """The address of that page on the web; None where the site is not published, and for a team's own rule."""
    return rule_url(rule.name) if is_published() and page_path(rule.name) is not None else None
