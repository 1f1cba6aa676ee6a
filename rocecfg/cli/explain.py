"""`rocecfg explain`."""

from __future__ import annotations

import click

from rocecfg.cli.common import stop
from rocecfg.custom_rules.files import own_name
from rocecfg.report.pages import page
from rocecfg.rules import ALL, find


@click.command("explain")
@click.argument("rule")
def command(rule: str) -> None:
    """Print a rule's page: what it finds, why that matters, when it fires and when not, how to mend it, the source."""
    known = find(rule)
    own = own_name(rule)
    if own is not None:
        click.echo(_own(own), nl=False)
        return
    if known is None:
        from rocecfg.intent.values import nearest

        family = [r.name for r in ALL if r.name[:3] == rule[:3].lower()]
        stop(f"there is no rule {rule!r}; {nearest(rule, family) if family else '`rocecfg rules` lists them'}")
    click.echo(page(known), nl=False)


def _own(name: str) -> str:
    """The page of a team's own rule in the current folder."""
    from rocecfg.custom_rules.rules import rules_for
    from rocecfg.source.document import Sources

    house = rules_for("fabric.yaml", Sources())
    rule = next((rule for rule in house.rules if rule.name == name), None)
    if rule is None:
        if house.errors:
            stop(str(house.errors[0]))
        names = ", ".join(known.name for known in house.rules)
        stop(f"there is no rule {name!r} in this folder" + (f"; known: {names}" if names else ""))
    return f"# {name}\n\n{rule.summary}.\n\nSeverity: {rule.severity}\nSource: {rule.source}\n"
