"""`rocecfg explain`."""

from __future__ import annotations

import os

import click

from rocecfg.cli.common import stop
from rocecfg.rules import ALL, Rule, find

_PAGES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "rules", "pages")


def page(rule: Rule) -> str:
    """A rule's page, as Markdown."""
    with open(os.path.join(_PAGES, f"{rule.name}.md"), encoding="utf-8") as stream:
        return stream.read()


@click.command("explain")
@click.argument("rule")
def command(rule: str) -> None:
    """Print a rule's page: what it finds, why that matters, when it fires and when not, how to mend it, the source."""
    known = find(rule)
    if known is None:
        from rocecfg.intent.values import nearest

        family = [r.name for r in ALL if r.name[:3] == rule[:3].lower()]
        stop(f"there is no rule {rule!r}; {nearest(rule, family) if family else '`rocecfg rules` lists them'}")
    click.echo(page(known), nl=False)
