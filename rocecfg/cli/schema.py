"""`rocecfg schema`."""

from __future__ import annotations

import json

import click

from rocecfg.profiles import KINDS


@click.command("schema")
@click.option("--profile", "kind", type=click.Choice(list(KINDS)), help="of a kind of profile instead")
def command(kind: str | None) -> None:
    """Print the JSON Schema (2020-12) of the intent, for editors."""
    if kind is None:
        from rocecfg.intent.schema import json_schema

        schema = json_schema()
    else:
        from rocecfg.profiles.schema import json_schema as of_profile

        schema = of_profile(kind)
    click.echo(json.dumps(schema, indent=1, ensure_ascii=False))
