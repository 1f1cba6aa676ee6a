"""`rocecfg rules`."""

from __future__ import annotations

import click

from rocecfg.rules import ALL, Rule

_COLUMNS = ("code", "name", "severity", "on other kinds of fabric", "what it finds", "source")


def row(rule: Rule) -> tuple[str, ...]:
    """One line of the table."""
    kinds = ", ".join(f"{kind}: {severity}" for kind, severity in sorted(rule.by_kind.items()))
    return rule.code, rule.name, rule.severity, kinds, rule.summary, rule.source


def table() -> str:
    """All rules as a Markdown table."""
    lines = [f"| {' | '.join(_COLUMNS)} |", f"|{'---|' * len(_COLUMNS)}"]
    lines += [f"| {' | '.join(cell.replace('|', '/') for cell in row(r))} |" for r in sorted(ALL, key=lambda r: r.code)]
    return "\n".join(lines) + "\n"


@click.command("rules")
@click.option("--format", "format_", type=click.Choice(["text", "json", "markdown"]), default="text", show_default=True)
def command(format_: str) -> None:
    """Print the table of all rules."""
    rules = sorted(ALL, key=lambda r: r.code)
    if format_ == "markdown":
        click.echo(table(), nl=False)
    elif format_ == "json":
        import json

        keys = ("rule", "name", "severity", "by_kind", "summary", "source")
        rows = [
            dict(zip(keys, (r.code, r.name, r.severity, dict(r.by_kind), r.summary, r.source), strict=True))
            for r in rules
        ]
        click.echo(json.dumps({"version": 1, "rules": rows}, indent=1, ensure_ascii=False))
    else:
        width = max(len(r.name) for r in rules)
        for rule in rules:
            click.echo(f"{rule.code}  {rule.name:{width}}  {rule.severity:7}  {rule.summary}")
